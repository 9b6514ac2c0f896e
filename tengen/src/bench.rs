//! `tengen bench`: fixed work, timed. The last line is a signature that changes when a search does.
//!
//! A run can be kept in a file, and another one held against it: so a change shows its ratios, and the searches that it changed.
//!
//! Every figure is the best of several runs, because whatever else the machine does only makes it slower; a peer's
//! figure stands beside it, measured in the same run where the peer is a library or is installed, or as read on such a machine.

use crate::Outcome;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use tengen_arena::openings::read_text;
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
use tengen_lore::evaluate::{Mobility, Threats};
use tengen_search::mcts::{Mcts, MctsParams, RandomGames};
use tengen_search::{DepthFirst, Heuristic, Limits, Player, Stopper, Watch, Window, alphabeta};
use tengen_table::{Game, Setup, TextWatch, open};

/// Measure speeds with fixed work
#[derive(clap::Args)]
#[command(after_help = "Examples: tengen bench games
          tengen bench search --json
          tengen bench --save before.json
          tengen bench --against before.json")]
pub struct Arguments {
    /// Only figures whose name contains this, such as games, search or go9
    name: Option<String>,
    /// One JSON object a figure
    #[arg(long)]
    json: bool,
    /// Seconds to spend on each figure
    #[arg(long, default_value_t = 1.0)]
    seconds: f64,
    /// Keep the figures in this file
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Say of each figure how many times that of this file it is
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
}

/// The figures of a run, as a file has them.
#[derive(Default, Serialize, Deserialize)]
struct Kept {
    /// The program's revision.
    revision: String,
    /// Speeds by their names.
    figures: BTreeMap<String, f64>,
    /// What each fixed search came to.
    searches: BTreeMap<String, u64>,
}

impl Kept {
    fn read(path: &Path) -> Result<Kept, String> {
        serde_json::from_str(&read_text(path)?).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// The searches that came to something else than those of another run.
    fn changed<'a>(&'a self, other: &'a Kept) -> Vec<&'a str> {
        let differs = |(name, number): &(&String, &u64)| other.searches.get(*name) != Some(number);
        self.searches.iter().filter(differs).map(|(name, _)| name.as_str()).collect()
    }
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
    let before = arguments.against.as_deref().map(Kept::read).transpose()?;
    let mut kept = Kept { revision: env!("TENGEN_VERSION").to_owned(), ..Kept::default() };
    let time = Duration::from_secs_f64(arguments.seconds);
    let chosen: Vec<Figure> = all.into_iter().filter(|figure| wanted(figure.name)).collect();
    let count = chosen.len();
    for (index, mut figure) in chosen.into_iter().enumerate() {
        progress(&format!("{}/{count} {} …", index + 1, figure.name));
        let (rate, peer) = measure(&mut figure, time);
        progress("");
        kept.figures.insert(figure.name.to_owned(), rate);
        let old = before.as_ref().and_then(|before| before.figures.get(figure.name)).filter(|old| **old > 0.0);
        let ratio = old.map(|old| rate / old);
        if arguments.json {
            let peer = peer.map(|(name, rate)| json!({"name": name, "rate": rate}));
            let mut line = json!({"name": figure.name, "unit": figure.unit, "rate": rate, "peer": peer});
            if before.is_some() {
                line["ratio"] = json!(ratio);
            }
            say!("{line}");
        } else {
            let peer = peer.filter(|(_, rate)| *rate > 0.0);
            let peer = peer.map_or(String::new(), |(name, peer)| format!(" … {:.2} x {name}", rate / peer));
            let ratio = ratio.map_or(String::new(), |ratio| format!(" … {ratio:.3} x before"));
            say!("{} … {} {}{peer}{ratio}", figure.name, thousands(rate), figure.unit);
        }
    }
    kept.searches = searches()?;
    if let Some(before) = &before {
        let changed = kept.changed(before);
        let changed = if changed.is_empty() { "no search changed".to_owned() } else { changed.join("; ") };
        eprintln!("against {}: {changed}", before.revision);
    }
    if let Some(path) = &arguments.save {
        let text = serde_json::to_string_pretty(&kept).map_err(|error| error.to_string())?;
        std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    say!("Bench: {}", kept.searches.values().sum::<u64>());
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

/// Every search that plays, each in a game that it is for: together they use all evaluations and all ways to judge a leaf.
const SEARCHES: &[(&str, &str)] = &[
    ("tictactoe", "minimax:depth=5"),
    ("tictactoe", "negamax:depth=5"),
    ("tictactoe", "alphabeta:depth=6,table=4"),
    ("connect4", "alphabeta:depth=9,table=4"),
    ("othello", "alphabeta:depth=7,table=4"),
    ("othello6", "alphabeta:depth=7,table=4,selective=on"),
    ("yokai34", "alphabeta:depth=6,table=4"),
    ("yokai56", "alphabeta:depth=4,table=4"),
    ("yokai56", "alphabeta:depth=6,table=4,selective=on"),
    ("chess", "alphabeta:depth=4,table=4"),
    ("go5", "alphabeta:depth=3,table=4"),
    ("othello", "expectimax:depth=3"),
    ("pig", "expectiminimax:depth=3"),
    ("backgammon", "expectiminimax:depth=2"),
    ("connect4", "mcts:visits=500,rave=on"),
    ("yokai56", "mcts:visits=500,bandit=tuned2"),
    ("backgammon", "mcts:visits=200,leaf=static"),
    ("go9", "mcts:visits=200,widening=4"),
    ("othello", "puct:visits=200"),
    ("othello", "gumbel:visits=64"),
    ("go9", "go:playouts=400"),
    ("go13", "go:playouts=100"),
    ("crazyhouse", "chess:depth=6,hash=4"),
    ("antichess", "chess:depth=6,hash=4"),
    ("chess960", "chess:depth=8,hash=4"),
];

/// What the fixed searches come to, by their names: the same on every machine, something else as soon as a search, an evaluation or the
/// rules behave differently.
fn searches() -> Result<BTreeMap<String, u64>, String> {
    let mut all = BTreeMap::from([("chess, its bench".to_owned(), tengen_chess::bench::run(CHESS_DEPTH, 1, 16))]);
    for (game, player) in SEARCHES {
        let signed = signature(game, player).map_err(|error| format!("{game} {player}: {error}"))?;
        all.insert(format!("{game} {player}"), signed);
    }
    Ok(all)
}

/// The nodes of one search, and where they went: a tree search makes as many simulations as it was told to.
fn signature(game: &str, player: &str) -> Result<u64, String> {
    let mut table = open(game, &Setup::standard()).map_err(|error| error.to_string())?;
    // Not the start itself, where symmetry hides much: three random moves on.
    let mut rng = Rng::with_seed(1);
    for _ in 0..3 {
        let view = table.view();
        let moves: Vec<&String> = view.legal.iter().chain(view.chances.iter().map(|(roll, _)| roll)).collect();
        if !moves.is_empty() {
            table.play(moves[rng.usize(..moves.len())]).map_err(|error| error.to_string())?;
        }
    }
    while let Some((roll, _)) = table.view().chances.first() {
        table.play(roll).map_err(|error| error.to_string())?;
    }
    let (clock, stop) = (Instant::now(), AtomicBool::new(false));
    let mut watch = TextWatch { clock: &clock, stop: &stop, report: &mut |_| {} };
    let thought = table.think(player, &Limits::default(), &mut watch).map_err(|error| error.to_string())?;
    let places = (2..).zip(&thought.candidates);
    Ok(thought.nodes + places.map(|(place, candidate)| place * candidate.visits).sum::<u64>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_table::players;

    #[test]
    fn every_search_that_plays_is_signed() {
        for player in players::list().iter().map(|player| player.name) {
            let is_signed = SEARCHES.iter().any(|(_, signed)| signed.split(':').next() == Some(player));
            // Chance, tables and other programs are no searches of ours.
            assert_eq!(is_signed, !["random", "perfect", "uci", "gtp"].contains(&player), "{player}");
        }
    }
}
