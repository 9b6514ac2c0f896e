//! What strangers try against a public server, and the figures it holds meanwhile.
//!
//! Every attack is made on a `tengen serve --public` of its own process, from many addresses of this machine. Beside each a stranger plays
//! tic-tac-toe against the machine and waits for no answer longer than two seconds, and within a minute after it the server has no more than
//! one and a half times the memory it had before. `make hostile` makes all attacks in full and prints the figures; `make test` makes them small.
#![cfg(target_os = "linux")]

use futures_util::future::join_all;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{sleep, timeout};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, client_async};

/// A stranger waits no longer for the machine's answer to his move.
const STRANGER: Duration = Duration::from_secs(2);
/// Nor a mover for his move to be carried out, 99 times of 100, before a thousand people.
const MOVER: Duration = Duration::from_millis(50);
/// What memory may be left over, a minute after an attack.
const LEFT_OVER: f64 = 1.5;
/// Where that is little, so many megabytes.
const NOISE: f64 = 24.0;
const MINUTE: Duration = Duration::from_secs(60);

type Socket = WebSocketStream<TcpStream>;

/// A public server, killed when it is not needed any more.
struct Site {
    child: Child,
    address: SocketAddr,
    data: tempfile::TempDir,
}

impl Drop for Site {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A visitor's address: all of 127.0.0.0/8 is this machine.
fn visitor(number: usize) -> Ipv4Addr {
    Ipv4Addr::from_bits(Ipv4Addr::LOCALHOST.to_bits() + number as u32)
}

impl Site {
    fn start() -> Self {
        let data = tempfile::tempdir().expect("a folder");
        // Another build of the program can be named, to attack the one that people use.
        let program = std::env::var("TENGEN").unwrap_or_else(|_| env!("CARGO_BIN_EXE_tengen").to_owned());
        let mut command = Command::new(program);
        command.args(["serve", "--public", "--addr", "127.0.0.1:0", "--data"]).arg(data.path());
        let mut child = command.env("TENGEN_LOG", "error").stdout(Stdio::piped()).spawn().expect("the program starts");
        let output = child.stdout.take().expect("piped");
        let address = BufReader::new(output)
            .lines()
            .map_while(Result::ok)
            .find_map(|line| line.split_once("http://")?.1.split_whitespace().next()?.parse().ok());
        Site { child, address: address.expect("it says where it is"), data }
    }

    /// Megabytes that the server has.
    fn memory(&self) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok()).expect("it lives") / 1024.0
    }

    /// Megabytes of its tables on disk.
    fn written(&self) -> f64 {
        let size = |name: &str| std::fs::metadata(self.data.path().join(name)).map_or(0, |file| file.len());
        (size("tables.db") + size("tables.db-wal")) as f64 / 1e6
    }

    async fn connect(&self, from: usize) -> std::io::Result<TcpStream> {
        let socket = TcpSocket::new_v4()?;
        socket.bind(SocketAddr::from((visitor(from), 0)))?;
        socket.connect(self.address).await
    }

    /// The status of the answer to a request, and its body; status 0 if the server hung up.
    async fn post(&self, from: usize, path: &str, body: &str) -> (u16, String) {
        let ask = async {
            let mut stream = self.connect(from).await?;
            let head = format!(
                "POST {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
                self.address,
                body.len()
            );
            stream.write_all(head.as_bytes()).await?;
            // It may be refused before it has been read.
            let _ = stream.write_all(body.as_bytes()).await;
            let mut answer = Vec::new();
            let _ = stream.read_to_end(&mut answer).await;
            Ok::<_, std::io::Error>(String::from_utf8_lossy(&answer).into_owned())
        };
        let answer = ask.await.unwrap_or_default();
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        (status, answer.split_once("\r\n\r\n").map_or(String::new(), |(_, body)| body.to_owned()))
    }

    /// Opens a table.
    async fn table(&self, from: usize, wanted: Value) -> Value {
        let (status, body) = self.post(from, "/api/tables", &wanted.to_string()).await;
        assert_eq!(status, 200, "{body}");
        serde_json::from_str(&body).expect("JSON")
    }

    async fn socket(&self, from: usize) -> Option<Socket> {
        let stream = self.connect(from).await.ok()?;
        Some(client_async(format!("ws://{}/api/socket", self.address), stream).await.ok()?.0)
    }

    /// A page that has sat down.
    async fn sit(&self, from: usize, table: &Value, key: &Value) -> Socket {
        let mut socket = self.socket(from).await.expect("a socket");
        let joined = ask(&mut socket, json!({"re": 1, "do": "join", "table": table, "key": key})).await;
        assert_eq!(joined["type"], "done", "{joined}");
        socket
    }
}

async fn send(socket: &mut Socket, wish: &Value) -> bool {
    socket.send(Message::text(wish.to_string())).await.is_ok()
}

/// The first event that is wanted.
async fn until(socket: &mut Socket, wanted: impl Fn(&Value) -> bool) -> Value {
    loop {
        match socket.next().await {
            Some(Ok(Message::Text(text))) => {
                let event: Value = serde_json::from_str(&text).expect("JSON");
                if wanted(&event) {
                    return event;
                }
            }
            Some(Ok(_)) => {}
            gone => panic!("the server hung up on somebody who did no harm: {gone:?}"),
        }
    }
}

async fn ask(socket: &mut Socket, wish: Value) -> Value {
    assert!(send(socket, &wish).await, "the server is there");
    until(socket, |event| event["re"] == wish["re"]).await
}

/// Reads until the server hangs up.
async fn read_on(mut socket: Socket) {
    while let Some(Ok(_)) = socket.next().await {}
}

/// Plays tic-tac-toe against the machine until the attack is over: the longest that its answer to a move took, and how many it gave.
async fn stranger(site: &Site, over: &AtomicBool) -> (Duration, usize) {
    let (mut longest, mut moves) = (Duration::ZERO, 0);
    let table = site.table(200, json!({"game": "tictactoe", "mode": "ai", "levels": ["beginner"]})).await;
    let mut socket = site.sit(200, &table["id"], &table["key"]).await;
    loop {
        let begin = Instant::now();
        let played = ask(&mut socket, json!({"re": 2, "do": "play", "move": "b2"})).await;
        assert_eq!(played["type"], "done", "{played}");
        until(&mut socket, |event| event["live"]["view"]["ply"] == 2).await;
        longest = longest.max(begin.elapsed());
        moves += 1;
        if over.load(Ordering::Relaxed) {
            return (longest, moves);
        }
        let undone = ask(&mut socket, json!({"re": 3, "do": "undo"})).await;
        assert_eq!(undone["type"], "done", "{undone}");
        sleep(Duration::from_millis(100)).await;
    }
}

/// Makes an attack beside a stranger's game, and holds the server to its figures.
async fn withstand(name: &str, site: &Site, before: f64, patience: Duration, attack: impl Future<Output = ()>) {
    let over = AtomicBool::new(false);
    let begin = Instant::now();
    let attack = async {
        attack.await;
        over.store(true, Ordering::Relaxed);
    };
    let mut most = before;
    let watch = async {
        while !over.load(Ordering::Relaxed) {
            most = most.max(site.memory());
            sleep(Duration::from_millis(50)).await;
        }
    };
    let ((), (longest, moves), ()) = tokio::join!(attack, stranger(site, &over), watch);
    let took = begin.elapsed();
    let ended = Instant::now();
    let allowed = (before * LEFT_OVER).max(before + NOISE);
    while site.memory() > allowed && ended.elapsed() < MINUTE {
        sleep(Duration::from_millis(100)).await;
    }
    let after = site.memory();
    println!(
        "{name:<28} {:>5.1} s  stranger: {moves:>3} moves, longest {:>5.0} ms  memory: {before:>4.0} MB, at most {most:>4.0} MB, {after:>4.0} MB after {:>2.0} s  written: {:>4.1} MB",
        took.as_secs_f64(),
        longest.as_secs_f64() * 1000.0,
        ended.elapsed().as_secs_f64(),
        site.written(),
    );
    assert!(longest <= patience, "{name}: a stranger waited {longest:?}");
    assert!(after <= allowed, "{name}: {after:.0} MB are left of {before:.0} MB before");
}

/// A thousand people look on while two play.
async fn crowd(site: &Site, people: usize, moves: usize, longest: Duration) {
    let table = site.table(100, json!({"game": "go13", "mode": "link"})).await;
    let mut crowd = Vec::new();
    for from in 0..people {
        let mut socket = site.sit(1 + from / 50, &table["id"], &Value::Null).await;
        // A page that is there answers pings.
        crowd.push(tokio::spawn(async move { while let Some(Ok(_)) = socket.next().await {} }));
    }
    let mut players =
        [site.sit(100, &table["id"], &table["key"]).await, site.sit(101, &table["id"], &table["otherKey"]).await];
    let mut waits = Vec::new();
    for (ply, mv) in long_game(13).into_iter().take(moves).enumerate() {
        let begin = Instant::now();
        let played = ask(&mut players[ply % 2], json!({"re": 9, "do": "play", "move": mv})).await;
        waits.push(begin.elapsed());
        assert_eq!(played["type"], "done", "{played}");
        until(&mut players[1 - ply % 2], |event| event["live"]["view"]["ply"] == ply + 1).await;
        sleep(Duration::from_millis(100)).await;
    }
    waits.sort();
    let at = |share: f64| waits[((waits.len() as f64 * share).ceil() as usize).clamp(1, waits.len()) - 1];
    println!("{:<28} {people} sockets, {moves} moves: p50 {:?}, p99 {:?}", "  movers", at(0.5), at(0.99));
    crowd.into_iter().for_each(|page| page.abort());
    assert!(at(0.99) <= longest, "a mover waited {:?}", at(0.99));
}

/// One visitor lets many machines play each other, and looks at half of them.
async fn machines(site: &Site, level: &str, games: usize, time: Duration) {
    let mut watching = Vec::new();
    for game in 0..games {
        let wanted = json!({"game": "go19", "mode": "watch", "levels": [level]});
        let table = site.table(25, wanted).await;
        if game % 2 == 0 {
            watching.push(tokio::spawn(read_on(site.sit(25, &table["id"], &table["key"]).await)));
        }
    }
    sleep(time).await;
    watching.into_iter().for_each(|page| page.abort());
}

/// The same dear request, many times at once from some addresses: how each was answered.
async fn rush(site: &Site, path: &str, body: &str, times: usize, from: std::ops::Range<usize>) {
    let all = join_all((0..times).map(|number| site.post(from.start + number % from.len(), path, body))).await;
    let count = |wanted: u16| all.iter().filter(|(status, _)| *status == wanted).count();
    let known = [200, 413, 422, 429, 0].map(|status| (status, count(status)));
    println!("{:<28} {path}, {} kB: {known:?}", "  answers (0: hung up on)", body.len() / 1000);
    assert_eq!(known.iter().map(|(_, count)| count).sum::<usize>(), times, "the server has not failed");
}

/// A long game of Go on a board with so many lines: each side fills its half.
fn long_game(lines: usize) -> Vec<String> {
    let half = (lines - 1) / 2;
    let point =
        |ply: usize| ((b"ABCDEFGHJKLMNOPQRST"[ply / 2 % lines]) as char, 1 + ply / 2 / lines + (half + 1) * (ply % 2));
    (0..2 * half * lines).map(point).map(|(column, row)| format!("{column}{row}")).collect()
}

/// Pages that never read, at a table whose tree is told to all again and again.
async fn slow_readers(site: &Site, nodes: usize, pages: usize, promotions: usize) {
    const FROM: usize = 110;
    // Many short variations, so that a tree of this size is set up quickly.
    let point = |at: usize| format!("{}{}", (b'a' + (at % 19) as u8) as char, (b'a' + (at / 19 % 19) as u8) as char);
    let variation = |number: usize| format!("(;B[{}];W[{}])", point(number), point(number % 361 + 1 + number / 361));
    let game: String = (0..nodes / 2).map(variation).collect();
    let body = json!({"text": format!("(;GM[1]SZ[19]{game})")}).to_string();
    let (status, opened) = site.post(FROM, "/api/import", &body).await;
    assert_eq!(status, 200, "{opened}");
    let opened: Value = serde_json::from_str(&opened).expect("JSON");
    let mut owner = site.sit(FROM, &opened["id"], &opened["key"]).await;
    let mut silent = Vec::new();
    for page in 0..pages {
        let Some(mut socket) = site.socket(FROM + 1 + page / 40).await else { continue };
        send(&mut socket, &json!({"re": 1, "do": "join", "table": opened["id"]})).await;
        silent.push(socket);
    }
    let mut done = 0;
    while done < promotions {
        match ask(&mut owner, json!({"re": 2, "do": "promote", "node": 1 + done % 2})).await["code"].as_str() {
            None => done += 1,
            Some(code) => {
                assert_eq!(code, "tooMany");
                sleep(Duration::from_millis(500)).await;
            }
        }
    }
    // They are still there, and still do not read.
    sleep(Duration::from_secs(2)).await;
    drop(silent);
}

/// Connections that never finish the head of their request, from one address.
async fn half_heads(site: &Site, connections: usize) {
    const FROM: usize = 120;
    let mut held = Vec::new();
    for _ in 0..connections {
        if let Ok(mut stream) = site.connect(FROM).await {
            let _ = stream.write_all(b"GET /api/games HTTP/1.1\r\nhost: ").await;
            held.push(stream);
        }
    }
    // The door is open to others, and in the end to this one again.
    assert_eq!(site.post(FROM + 1, "/api/judge", r#"{"game":"tictactoe"}"#).await.0, 200);
    let begin = Instant::now();
    while site.post(FROM, "/api/judge", r#"{"game":"tictactoe"}"#).await.0 != 200 {
        assert!(begin.elapsed() < MINUTE, "nobody hangs up on them");
        sleep(Duration::from_millis(500)).await;
    }
    drop(held);
}

/// Some visitors say as much as they can on all their sockets: wishes, comments written anew, rematches.
async fn flood(site: &Site, sockets: usize, time: Duration) {
    const FROM: usize = 130;
    let end = Instant::now() + time;
    let comment = "x".repeat(5000);
    let page = async |number: usize| {
        let from = FROM + number % 3;
        let table = site.table(from, json!({"game": "tictactoe", "mode": "sandbox"})).await;
        let mut socket = site.sit(from, &table["id"], &table["key"]).await;
        let wishes = [
            json!({"re": 5, "do": "comment", "node": 0, "text": comment}),
            json!({"re": 6, "do": "play", "move": "a1"}),
            json!({"re": 7, "do": "goto", "node": 0}),
            json!({"re": 8, "do": "chat", "text": comment}),
        ];
        let (mut sent, mut answered) = (0, 0);
        while Instant::now() < end {
            for wish in &wishes {
                sent += usize::from(timeout(Duration::from_millis(50), send(&mut socket, wish)).await == Ok(true));
            }
            while let Ok(Some(Ok(_))) = timeout(Duration::from_millis(1), socket.next()).await {
                answered += 1;
            }
        }
        (sent, answered)
    };
    let rematches = async {
        let mut tables = 0;
        let mut table = site.table(FROM + 3, json!({"game": "tictactoe", "mode": "here"})).await;
        let mut socket = site.sit(FROM + 3, &table["id"], &table["key"]).await;
        while Instant::now() < end {
            let asked = ask(&mut socket, json!({"re": 2, "do": "rematch"})).await;
            if asked["type"] != "done" {
                sleep(Duration::from_millis(100)).await;
                continue;
            }
            tables += 1;
            // The table says which one is next to everybody who comes.
            let again = json!({"re": 3, "do": "join", "table": table["id"], "key": table["key"]});
            send(&mut socket, &again).await;
            let told = until(&mut socket, |event| event["type"] == "joined" || event["re"] == 3).await;
            table["id"] = told["live"]["next"].clone();
            ask(&mut socket, json!({"re": 4, "do": "join", "table": table["id"], "key": table["key"]})).await;
        }
        tables
    };
    let (pages, tables) = tokio::join!(join_all((0..sockets).map(page)), rematches);
    let (sent, answered) = pages.iter().fold((0, 0), |sum, page| (sum.0 + page.0, sum.1 + page.1));
    println!("{:<28} {sent} messages, {answered} answers on {sockets} sockets; {tables} rematches", "  flood");
    assert!(tables as f64 <= 21.0 + time.as_secs_f64() * 1.1, "{tables} tables");
    assert!(site.written() < 3.0 * 34.0, "{} MB were written", site.written());
}

/// A thousand people on this side take a thousand descriptors, too.
fn room_for_sockets() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    let wanted = maximum.unwrap_or(8192).min(8192);
    let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum });
}

/// How much of everything.
struct Size {
    /// The level that is asked to think.
    level: &'static str,
    people: usize,
    moves: usize,
    /// A mover's 99th percentile, and a stranger's longest wait.
    mover: Duration,
    stranger: Duration,
    games: usize,
    rush: usize,
    visits: usize,
    import: usize,
    nodes: usize,
    slow: usize,
    heads: usize,
    flood: usize,
    time: Duration,
}

async fn all_attacks(size: Size) {
    room_for_sockets();
    let site = Site::start();
    // What is made once is made before anything is measured: the Go engine's weights among it.
    let table = site.table(150, json!({"game": "go19", "mode": "watch", "levels": [size.level]})).await;
    let mut socket = site.sit(150, &table["id"], &table["key"]).await;
    timeout(MINUTE, until(&mut socket, |event| event["live"]["view"]["ply"] == 1)).await.expect("the machine plays");
    drop(socket);
    sleep(Duration::from_secs(1)).await;
    let before = site.memory();

    withstand("many look on", &site, before, size.stranger, crowd(&site, size.people, size.moves, size.mover)).await;
    withstand("machines", &site, before, size.stranger, machines(&site, size.level, size.games, size.time)).await;
    let explain = |algorithm: &str| {
        json!({"game": "go19", "algorithm": algorithm, "depth": 100, "visits": size.visits}).to_string()
    };
    let replay = |moves: Vec<String>| json!({"game": "go19", "moves": moves}).to_string();
    let import = |text: String| json!({"text": text}).to_string();
    let rushes = [
        ("explanations refused", "/api/explain", explain("alphabeta")),
        ("explanations", "/api/explain", explain("mcts")),
        ("replays", "/api/frames", replay(long_game(19))),
        ("replays refused", "/api/frames", replay(vec!["pass".to_owned(); 4000])),
        ("parentheses", "/api/import", import("(".repeat(size.import))),
        ("variations", "/api/import", import(format!("1. e4 {}", "(1. d4) ".repeat(size.import / 4)))),
    ];
    for (from, (name, path, body)) in (30..).step_by(5).zip(&rushes) {
        withstand(name, &site, before, size.stranger, rush(&site, path, body, size.rush, from..from + 1)).await;
        withstand(
            &format!("{name}, four visitors"),
            &site,
            before,
            size.stranger,
            rush(&site, path, body, size.rush, from + 1..from + 5),
        )
        .await;
    }
    withstand("slow readers", &site, before, size.stranger, slow_readers(&site, size.nodes, size.slow, size.slow))
        .await;
    withstand("flood", &site, before, size.stranger, flood(&site, size.flood, size.time)).await;
    if size.heads > 0 {
        withstand("half a head", &site, before, size.stranger, half_heads(&site, size.heads)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn small_attacks() {
    let size = Size {
        level: "beginner",
        people: 60,
        moves: 10,
        // Other tests run beside this one.
        mover: Duration::from_secs(1),
        stranger: 5 * STRANGER,
        games: 4,
        rush: 4,
        visits: 50,
        import: 100_000,
        nodes: 500,
        slow: 5,
        // It would wait until the server hangs up.
        heads: 0,
        flood: 4,
        time: Duration::from_secs(2),
    };
    all_attacks(size).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes minutes: make hostile"]
async fn all_attacks_in_full() {
    let size = Size {
        level: "strongest",
        people: 1000,
        moves: 100,
        mover: MOVER,
        stranger: STRANGER,
        games: 20,
        rush: 60,
        visits: 1000,
        import: 800_000,
        nodes: 10_000,
        slow: 60,
        heads: 1024,
        flood: 20,
        time: Duration::from_secs(15),
    };
    all_attacks(size).await;
}
