//! Many games at once: how long a person waits for his own move to be carried out, while machines think for others.
//!
//! `cargo run --release -p tengen-server --example crowd -- [GAMES] [SECONDS] [AI_GAMES]` starts a server in a folder that is thrown away,
//! seats two people at each of the games and lets each game make a move every three seconds, from real sockets. Beside them the
//! machine plays in other games, so that its queue is never empty. It prints waiting times, how evenly the machine's games came
//! on, and how much memory the process has: every minute, and its slope at the end, so that an hour of it is a test of endurance.

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tengen_core::Rng;
use tengen_server::{Config, Server};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Between two moves of one game.
const PACE: Duration = Duration::from_secs(3);

/// Waiting times, counted in tenths of milliseconds: of the same size however long it goes on.
struct Waits(Vec<u32>);

impl Default for Waits {
    fn default() -> Self {
        Waits(vec![0; 100_000])
    }
}

impl Waits {
    fn add(&mut self, time: Duration) {
        let last = self.0.len() - 1;
        self.0[((time.as_secs_f64() * 10_000.0) as usize).min(last)] += 1;
    }

    fn count(&self) -> u32 {
        self.0.iter().sum()
    }

    /// The time, in milliseconds, that this share of all waits did not exceed.
    fn at(&self, share: f64) -> f64 {
        let wanted = (f64::from(self.count()) * share).ceil() as u32;
        let mut seen = 0;
        let place = self.0.iter().position(|&waits| {
            seen += waits;
            waits > 0 && seen >= wanted
        });
        place.map_or(0.0, |tenths| (tenths + 1) as f64 / 10.0)
    }
}

#[derive(Default)]
struct Figures {
    /// From sending a move to hearing that it was made.
    own: Waits,
    /// From sending a move to the other player's hearing of it.
    other: Waits,
    /// Moves of the machine in each of its games.
    machine: Vec<usize>,
    failures: usize,
}

fn main() {
    let number = |at: usize, usual: usize| std::env::args().nth(at).and_then(|text| text.parse().ok()).unwrap_or(usual);
    let (games, seconds, machines) = (number(1, 500), number(2, 30), number(3, 40));
    // The server has a runtime of its own, so that the clients' work is not in its way more than other programs would be.
    let (tell, told) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let data = tempfile::tempdir().expect("a folder");
            let config = Config { data: data.path().to_owned(), ..Config::default() };
            let server = Server::open(config).await.expect("a server");
            let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
            tell.send(listener.local_addr().expect("an address")).expect("somebody waits");
            server.serve(listener, std::future::pending()).await;
        });
    });
    let address = told.recv().expect("the server starts");
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime");
    runtime.block_on(run(address, games, Duration::from_secs(seconds as u64), machines));
}

async fn run(address: SocketAddr, games: usize, time: Duration, machines: usize) {
    let figures = Arc::new(Mutex::new(Figures::default()));
    let begin = Instant::now();
    let mut players = Vec::new();
    for game in 0..games {
        let figures = Arc::clone(&figures);
        // They do not all sit down in the same moment.
        let start = begin + Duration::from_secs_f64(5.0 * game as f64 / games as f64);
        players.push(tokio::spawn(async move {
            tokio::time::sleep_until(start.into()).await;
            if let Err(error) = people(address, begin + Duration::from_secs(5) + time, game as u64, &figures).await {
                eprintln!("game {game}: {error}");
                figures.lock().expect("no panic").failures += 1;
            }
        }));
    }
    for game in 0..machines {
        let figures = Arc::clone(&figures);
        players.push(tokio::spawn(async move {
            let made = machine(address, begin + Duration::from_secs(5) + time, game as u64).await;
            let mut figures = figures.lock().expect("no panic");
            match made {
                Ok(made) => figures.machine.push(made),
                Err(error) => {
                    eprintln!("machine {game}: {error}");
                    figures.failures += 1;
                }
            }
        }));
    }
    let mut memory = Vec::new();
    while begin.elapsed() < time + Duration::from_secs(5) {
        tokio::time::sleep(Duration::from_secs(1)).await;
        memory.push((begin.elapsed().as_secs_f64(), resident_megabytes()));
        if memory.len() % 60 == 0
            && let Some((at, megabytes)) = memory.last()
        {
            println!("{:>4.0} s  {megabytes:6.1} MB  {} moves", at, figures.lock().expect("no panic").own.count());
        }
    }
    for player in players {
        let _ = player.await;
    }
    report(&mut figures.lock().expect("no panic"), games, machines, &memory);
}

fn report(figures: &mut Figures, games: usize, machines: usize, memory: &[(f64, f64)]) {
    println!("{games} games of two people on {} sockets, {machines} games against the machine", 2 * games + machines);
    for (name, waits) in [("own move carried out", &figures.own), ("other's move heard", &figures.other)] {
        println!(
            "{name:<22} {:>6} moves  p50 {:6.1} ms  p90 {:6.1} ms  p99 {:6.1} ms  max {:6.1} ms",
            waits.count(),
            waits.at(0.5),
            waits.at(0.9),
            waits.at(0.99),
            waits.at(1.0)
        );
    }
    figures.machine.sort();
    let moves: usize = figures.machine.iter().sum();
    println!(
        "moves of the machine   {moves:>6}; in one game from {} to {}",
        figures.machine.first().unwrap_or(&0),
        figures.machine.last().unwrap_or(&0)
    );
    // The second half, when everything that is made once has been made: the slope of a straight line through it.
    let settled = &memory[memory.len() / 2..];
    if let Some((_, last)) = settled.last() {
        println!("memory                 {last:.0} MB, {:+.2} MB a minute in the second half", 60.0 * slope(settled));
    }
    println!("failures               {}", figures.failures);
}

/// Least squares.
fn slope(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), point| (x + point.0 / count, y + point.1 / count));
    let (above, below) = points.iter().fold((0.0, 0.0), |(above, below), point| {
        (above + (point.0 - x) * (point.1 - y), below + (point.0 - x) * (point.0 - x))
    });
    above / below
}

fn resident_megabytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok()).unwrap_or(0.0) / 1024.0
}

async fn open(address: SocketAddr, wanted: Value) -> Result<Value, Failure> {
    let mut stream = TcpStream::connect(address).await?;
    let body = wanted.to_string();
    let head = format!(
        "POST /api/tables HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(head.as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    let body = answer.split_once("\r\n\r\n").ok_or("no body")?.1;
    Ok(serde_json::from_str(body)?)
}

async fn sit(address: SocketAddr, table: &Value, key: &Value) -> Result<Socket, Failure> {
    let (mut socket, _) = connect_async(format!("ws://{address}/api/socket")).await?;
    socket.send(Message::text(json!({"re": 1, "do": "join", "table": table, "key": key}).to_string())).await?;
    until(&mut socket, |event| event["re"] == 1).await?;
    Ok(socket)
}

async fn until(socket: &mut Socket, wanted: impl Fn(&Value) -> bool) -> Result<Value, Failure> {
    loop {
        if let Message::Text(text) = socket.next().await.ok_or("the server hung up")?? {
            let event: Value = serde_json::from_str(&text)?;
            if wanted(&event) {
                return Ok(event);
            }
        }
    }
}

/// Two people who play random moves of Othello, one game after the other.
async fn people(address: SocketAddr, end: Instant, seed: u64, figures: &Mutex<Figures>) -> Result<(), Failure> {
    let mut rng = Rng::with_seed(seed);
    while Instant::now() < end {
        let table = open(address, json!({"game": "othello6", "mode": "link"})).await?;
        let mut sockets =
            [sit(address, &table["id"], &table["key"]).await?, sit(address, &table["id"], &table["otherKey"]).await?];
        // Anything about the table tells the first legal moves.
        let looked = json!({"re": 2, "do": "look", "node": 0}).to_string();
        sockets[0].send(Message::text(looked)).await?;
        let mut view = until(&mut sockets[0], |event| event["re"] == 2).await?["view"].clone();
        let mut re = 2;
        while view["turn"] != "over" && Instant::now() < end {
            tokio::time::sleep(PACE.mul_f32(0.5 + rng.f32())).await;
            let legal = view["legal"].as_array().ok_or("no moves")?;
            let mv = &legal[rng.usize(..legal.len())]["move"];
            let [first, second] = &mut sockets;
            let (mover, waiter) = if view["turn"] == "first" { (first, second) } else { (second, first) };
            re += 1;
            let ply = view["ply"].as_u64().unwrap_or(0) + 1;
            let begin = Instant::now();
            mover.send(Message::text(json!({"re": re, "do": "play", "move": mv}).to_string())).await?;
            let answer = until(mover, |event| event["re"] == re).await?;
            let own = begin.elapsed();
            if answer["type"] != "done" {
                return Err(format!("refused: {answer}").into());
            }
            let heard = until(waiter, |event| event["live"]["view"]["ply"] == ply).await?;
            let other = begin.elapsed();
            view = heard["live"]["view"].clone();
            let mut figures = figures.lock().expect("no panic");
            figures.own.add(own);
            figures.other.add(other);
        }
    }
    Ok(())
}

/// A person who answers a slow machine at once: how many moves it made.
async fn machine(address: SocketAddr, end: Instant, seed: u64) -> Result<usize, Failure> {
    let mut rng = Rng::with_seed(seed);
    let mut made = 0;
    while Instant::now() < end {
        let table = open(address, json!({"game": "go9", "mode": "ai", "levels": ["strong"]})).await?;
        let mut socket = sit(address, &table["id"], &table["key"]).await?;
        socket.send(Message::text(json!({"re": 2, "do": "look", "node": 0}).to_string())).await?;
        let mut view = until(&mut socket, |event| event["re"] == 2).await?["view"].clone();
        while view["turn"] == "first" && Instant::now() < end {
            let legal = view["legal"].as_array().ok_or("no moves")?;
            let mv = &legal[rng.usize(..legal.len())]["move"];
            socket.send(Message::text(json!({"re": 3, "do": "play", "move": mv}).to_string())).await?;
            let ply = view["ply"].as_u64().unwrap_or(0) + 2;
            let wait = until(&mut socket, |event| {
                event["live"]["view"]["ply"] == ply || event["live"]["status"] == "counting"
            });
            let Ok(heard) = tokio::time::timeout_at((end + Duration::from_secs(1)).into(), wait).await else {
                return Ok(made);
            };
            view = heard?["live"]["view"].clone();
            made += 1;
        }
    }
    Ok(made)
}
