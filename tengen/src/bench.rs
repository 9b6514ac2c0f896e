//! `tengen bench`: fixed work, timed. The last line is a signature that changes when a search does.
//!
//! Every figure is the best of several runs, because whatever else the machine does only makes it slower; a peer's
//! figure stands beside it, measured in the same run where the peer is a library or is installed, or as read on such a machine.

use crate::Outcome;
use serde_json::json;
use std::io::{IsTerminal, Write};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use tengen_core::perft::perft;
use tengen_core::{Line, Position, Rng};
use tengen_games::backgammon::Backgammon;
use tengen_games::chess::Chess;
use tengen_games::connect4::Connect4;
use tengen_games::go::{Go9, Go19, Rules};
use tengen_games::othello::Othello8;
use tengen_games::tictactoe::TicTacToe;
use tengen_games::yokai::{Yokai34, Yokai56};
use tengen_go::field::Field;
use tengen_go::network::Adviser;
use tengen_lore::evaluate::{Material, Mobility, OpenLines, Safety, Threats};
use tengen_search::mcts::{Mcts, MctsParams, RandomGames};
use tengen_search::{
    AlphaBeta, AlphaBetaParams, DepthFirst, Heuristic, Limits, Player, Stopper, Watch, Window, alphabeta,
};
use tengen_table::Game;

/// Measure speeds with fixed work
#[derive(clap::Args)]
#[command(after_help = "Examples: tengen bench games\n          tengen bench search --json")]
pub struct Arguments {
    /// Only figures whose name contains this, such as games, search or go9
    name: Option<String>,
    /// One JSON object a figure
    #[arg(long)]
    json: bool,
    /// Seconds to spend on each figure
    #[arg(long, default_value_t = 1.0)]
    seconds: f64,
}

/// One speed to measure.
struct Figure {
    name: &'static str,
    unit: &'static str,
    /// Does a fixed piece of work and says how much it was.
    work: Box<dyn FnMut() -> u64>,
    peer: Peer,
}

enum Peer {
    None,
    /// Another program's figure on such a machine.
    Known(&'static str, f64),
    /// Another library's same work, run in turn with ours.
    Beside(&'static str, Box<dyn FnMut() -> u64>),
}

pub fn run(arguments: &Arguments) -> Outcome {
    if !(arguments.seconds > 0.0 && arguments.seconds <= 3600.0) {
        return Err("--seconds is above 0 and at most 3600".to_owned());
    }
    let wanted = |name: &str| arguments.name.as_deref().is_none_or(|part| name.contains(part));
    let all = figures();
    let names: Vec<&str> = all.iter().map(|figure| figure.name).collect();
    if !names.iter().any(|name| wanted(name)) {
        let name = arguments.name.as_deref().unwrap_or("");
        let groups = ["games", "search"].into_iter().chain(names);
        return Err(tengen_search::params::unknown("figure", name, groups));
    }
    let time = Duration::from_secs_f64(arguments.seconds);
    let chosen: Vec<Figure> = all.into_iter().filter(|figure| wanted(figure.name)).collect();
    let count = chosen.len();
    for (index, mut figure) in chosen.into_iter().enumerate() {
        progress(&format!("{}/{count} {} …", index + 1, figure.name));
        let (rate, peer) = measure(&mut figure, time);
        progress("");
        if arguments.json {
            let peer = peer.map(|(name, rate)| json!({"name": name, "rate": rate}));
            say!("{}", json!({"name": figure.name, "unit": figure.unit, "rate": rate, "peer": peer}));
        } else {
            let peer = peer.filter(|(_, rate)| *rate > 0.0);
            let ratio = peer.map_or(String::new(), |(name, peer)| format!(" … {:.2} x {name}", rate / peer));
            say!("{} … {} {}{ratio}", figure.name, thousands(rate), figure.unit);
        }
    }
    say!("Bench: {}", signature());
    Ok(())
}

/// One line on a terminal that the next one overwrites.
fn progress(text: &str) {
    if std::io::stderr().is_terminal() {
        eprint!("\r\x1b[2K{text}");
        let _ = std::io::stderr().flush();
    }
}

/// The best rate in about `time`, and the peer's.
fn measure(figure: &mut Figure, time: Duration) -> (f64, Option<(&'static str, f64)>) {
    fn rate(work: &mut dyn FnMut() -> u64) -> f64 {
        let start = Instant::now();
        let done = work();
        done as f64 / start.elapsed().as_secs_f64().max(1e-9)
    }
    let start = Instant::now();
    let (mut best, mut peer_best) = (0f64, 0f64);
    loop {
        best = best.max(rate(figure.work.as_mut()));
        if let Peer::Beside(_, work) = &mut figure.peer {
            peer_best = peer_best.max(rate(work.as_mut()));
        }
        if start.elapsed() >= time {
            break;
        }
    }
    let peer = match &figure.peer {
        Peer::None => None,
        Peer::Known(name, rate) => Some((*name, *rate)),
        Peer::Beside(name, _) => Some((*name, peer_best)),
    };
    (best, peer)
}

/// `94 210`: groups of three, as people read figures.
fn thousands(rate: f64) -> String {
    let digits = format!("{rate:.0}");
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

fn figures() -> Vec<Figure> {
    let shakmaty = || {
        let start = shakmaty::Chess::default();
        Peer::Beside("shakmaty", Box::new(move || shakmaty::perft(&start, 5)))
    };
    vec![
        perft_figure("games/chess", Chess::new(), 5, shakmaty()),
        perft_figure("games/connect4", Connect4::new(), 8, Peer::None),
        perft_figure("games/othello", Othello8::new(), 9, Peer::None),
        perft_figure("games/yokai34", Yokai34::new(), 7, Peer::None),
        perft_figure("games/yokai56", Yokai56::new(), 4, Peer::None),
        playout_figure("games/go9", go9(), 20_000, Peer::Known("libego", 68_000.0)),
        playout_figure("games/go19", go19(), 4_000, Peer::Known("libego", 14_700.0)),
        alphabeta_figure("search/alphabeta-othello", Othello8::new(), Mobility, 8),
        alphabeta_figure("search/alphabeta-connect4", Connect4::new(), Threats, 11),
        mcts_figure("search/mcts-tictactoe", TicTacToe::new(), 20_000, 1),
        mcts_figure("search/mcts-connect4", Connect4::new(), 200_000, 1),
        mcts_figure("search/mcts-othello", Othello8::new(), 20_000, 1),
        mcts_figure("search/mcts-go9", go9(), 20_000, 1),
        mcts_figure("search/mcts-go9-2-threads", go9(), 40_000, 2),
        mcts_figure("search/mcts-chess", Chess::new(), 1_000, 1),
        mcts_figure("search/mcts-backgammon", rolled(), 5_000, 1),
        network_figure("net/go19", go19(), 200),
        chess_figure("chess", 1),
        chess_figure("chess-2-threads", 2),
    ]
}

/// Lines counted through `Position`, the last ply by counting the moves.
fn perft_figure<P: Position>(name: &'static str, start: P, depth: u32, peer: Peer) -> Figure {
    Figure { name, unit: "nodes/s", work: Box::new(move || perft(&start, depth)), peer }
}

/// Random games to the end.
fn playout_figure<P: Position>(name: &'static str, start: P, games: u64, peer: Peer) -> Figure {
    let mut rng = Rng::with_seed(1);
    let work = move || {
        for _ in 0..games {
            std::hint::black_box(start.clone().playout(&mut rng, 10_000, |_, _| {}));
        }
        games
    };
    Figure { name, unit: "playouts/s", work: Box::new(work), peer }
}

/// Plain alpha-beta: what the generic search costs a node.
fn alphabeta_figure<P: Position, H: Heuristic<P> + 'static>(
    name: &'static str,
    start: P,
    mut heuristic: H,
    depth: u32,
) -> Figure {
    let work = move || {
        let (clock, stop) = (Instant::now(), AtomicBool::new(false));
        let stopper = Stopper::new(&Limits::default(), 0, &clock, &stop);
        let mut line = Line::new(start.clone());
        let mut search = DepthFirst::new(&mut heuristic, &line, stopper);
        alphabeta(&mut search, &mut line, depth, 0, Window::FULL);
        search.stopper.nodes()
    };
    Figure { name, unit: "nodes/s", work: Box::new(work), peer: Peer::None }
}

/// Simulations with one random playout a leaf, from an empty tree.
fn mcts_figure<P: Game>(name: &'static str, start: P, visits: u64, threads: usize) -> Figure {
    let work = move || {
        // Without the solver every simulation is really made, as in the peers.
        let params = MctsParams { visits, threads, solver: false, ..MctsParams::default() };
        let games = RandomGames { count: 1, longest: params.cut, heuristic: P::heuristic() };
        think(&mut Mcts::new(games, params), &Line::new(start.clone()))
    };
    Figure { name, unit: "simulations/s", work: Box::new(work), peer: Peer::None }
}

/// Boards that the Go engine's network judges, its planes included.
fn network_figure(name: &'static str, start: Go19, boards: u64) -> Figure {
    let field = Field::<421, 7>::of(&start);
    let mut adviser = Adviser::default();
    let work = move || {
        for _ in 0..boards {
            std::hint::black_box(adviser.opinion(&field));
        }
        boards
    };
    Figure { name, unit: "boards/s", work: Box::new(work), peer: Peer::None }
}

/// The chess engine on its bench positions, each from an empty table.
fn chess_figure(name: &'static str, threads: usize) -> Figure {
    let work = move || tengen_chess::bench::run(CHESS_DEPTH, threads, 16);
    let peer = if threads == 1 { ethereal() } else { Peer::None };
    Figure { name, unit: "nodes/s", work: Box::new(work), peer }
}

/// Ethereal's own bench, where it is installed. Debian puts it where few search.
fn ethereal() -> Peer {
    let program = ["ethereal-chess", "/usr/games/ethereal-chess"].into_iter().find(|program| {
        let quiet = || Stdio::null();
        Command::new(program).arg("quit").stdin(quiet()).stdout(quiet()).stderr(quiet()).status().is_ok()
    });
    let Some(program) = program else {
        return Peer::None;
    };
    let nodes = move || {
        let output = Command::new(program).arg("bench").stdin(Stdio::null()).output().ok();
        let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
        let nodes = text.lines().find_map(|line| line.strip_prefix("Nodes"));
        nodes.and_then(|nodes| nodes.trim_start_matches([' ', ':']).parse().ok()).unwrap_or(0)
    };
    Peer::Beside("Ethereal", Box::new(nodes))
}

/// Deep enough for a second or two.
const CHESS_DEPTH: u32 = 13;

fn go9() -> Go9 {
    Go9::new(9, Rules::Chinese, None).expect("9x9 is a size of this type")
}

fn go19() -> Go19 {
    Go19::new(19, Rules::Chinese, None).expect("19x19 is a size of this type")
}

/// Backgammon after the first roll: a decision, as the search needs it.
fn rolled() -> Backgammon {
    let mut position = Backgammon::new();
    let mut outcomes = Vec::new();
    position.chance(&mut outcomes);
    if let Some(&(roll, _)) = outcomes.first() {
        position.play(roll);
    }
    position
}

/// Thinks without limits but the player's own; says how many nodes that took.
fn think<P: Position>(player: &mut impl Player<P>, line: &Line<P>) -> u64 {
    let (clock, stop) = (Instant::now(), AtomicBool::new(false));
    let mut watch = Watch { clock: &clock, stop: &stop, report: &mut |_| {} };
    player.think(line, &Limits::default(), &mut watch).map_or(0, |thought| thought.nodes)
}

/// Nodes of fixed searches from a few positions of each game: the same on every machine, another one as soon as a
/// search, an evaluation or the rules behave differently.
fn signature() -> u64 {
    game_signature(TicTacToe::new(), OpenLines, 6)
        + game_signature(Connect4::new(), Threats, 9)
        + game_signature(Othello8::new(), Mobility, 7)
        + game_signature(Yokai34::new(), Safety, 6)
        + game_signature(Yokai56::new(), Safety, 4)
        + game_signature(Chess::new(), Material, 4)
        + tengen_chess::bench::run(CHESS_DEPTH, 1, 16)
}

fn game_signature<P: Game>(start: P, heuristic: impl Heuristic<P>, depth: u32) -> u64 {
    // Not the start itself, where symmetry hides much: three random moves on.
    let mut line = Line::new(start);
    let (mut rng, mut moves) = (Rng::with_seed(1), Vec::new());
    for _ in 0..3 {
        line.turn(&mut moves);
        if !moves.is_empty() {
            line.push(moves[rng.usize(..moves.len())]);
        }
    }
    let params = AlphaBetaParams { depth, table: 4, ..AlphaBetaParams::default() };
    let searched = think(&mut AlphaBeta::new(heuristic, params), &line);
    let params = MctsParams { visits: 500, rave: true, ..MctsParams::default() };
    let games = RandomGames { count: 1, longest: 200, heuristic: P::heuristic() };
    let mut player = Mcts::new(games, params);
    think(&mut player, &line);
    searched + player.tree().map_or(0, |tree| tree.size() as u64)
}
