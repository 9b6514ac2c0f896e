//! `tengen chess`: what the chess engine thinks of a position, and how it does on a test suite.

use crate::Outcome;
use serde_json::json;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use tengen_arena::openings::read_text;
use tengen_chess::epd::Problem;
use tengen_chess::evaluate::show;
use tengen_chess::{ChessEngine, ChessParams, Orthodox, Question};
use tengen_core::{Line, Notation};
use tengen_games::chess::{Chess, ChessRules};
use tengen_search::Limits;
use tengen_table::memory;

/// Look into the chess engine
#[derive(clap::Args)]
#[command(
    after_help = "Examples: tengen chess eval \"r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3\"
          tengen chess epd wac.epd --ms 1000"
)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Print every term of the static evaluation
    Eval {
        /// The position
        fen: String,
        /// One JSON object instead of a table
        #[arg(long)]
        json: bool,
    },
    /// Solve the positions of a test suite and count those solved
    Epd(Epd),
}

#[derive(clap::Args)]
struct Epd {
    /// A file of positions with moves to find (`bm`), to avoid (`am`), or a mate in so many moves (`dm`)
    file: PathBuf,
    /// Milliseconds a position
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    ms: u64,
    /// Positions to look at instead of time: the same answer on every machine
    #[arg(long, conflicts_with = "ms", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Threads that search together
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Megabytes to remember positions in
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,
    /// One JSON object a position
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Outcome {
    match &arguments.command {
        Command::Eval { fen, json } => eval(fen, *json),
        Command::Epd(epd) => solve(epd),
    }
}

fn eval(fen: &str, json: bool) -> Outcome {
    let position = Chess::read(fen).map_err(|error| error.to_string())?;
    let shown = show(&Orthodox::new(position.rules()));
    if json {
        let pair = |packed: tengen_chess::evaluate::Packed| json!([packed.middle(), packed.end()]);
        let groups: serde_json::Map<_, _> = shown
            .groups
            .iter()
            .map(|&(name, white, black)| (name.to_owned(), json!({"white": pair(white), "black": pair(black)})))
            .collect();
        say!(
            "{}",
            json!({"groups": groups, "phase": shown.phase, "scale": shown.scale, "extra": shown.extra, "white": shown.white})
        );
    } else {
        say!("{shown}");
    }
    Ok(())
}

fn solve(epd: &Epd) -> Outcome {
    let file = epd.file.display();
    let text = read_text(&epd.file)?;
    memory::check(epd.hash as usize)?;
    let (mut problems, mut left_out) = (Vec::new(), 0);
    let said = |line: &str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| said(line)) {
        match Problem::read(line) {
            Ok(problem) => problems.push(problem),
            // One slip in a suite of hundreds is named and does no more harm.
            Err(error) => {
                eprintln!("{file}, line {number}: {error} (left out)");
                left_out += 1;
            }
        }
    }
    if problems.is_empty() {
        return Err(format!("{file} has no positions in it"));
    }
    let params = ChessParams { hash: epd.hash as usize, threads: usize::from(epd.threads), ..ChessParams::default() };
    let mut engine = ChessEngine::<ChessRules>::new(params)?;
    let (mut solved, mut nodes) = (0, 0);
    let shown = std::io::stderr().is_terminal();
    for (index, problem) in problems.iter().enumerate() {
        let (stop, pondering, clock) = (AtomicBool::new(false), AtomicBool::new(false), Instant::now());
        let limits = match epd.nodes {
            Some(nodes) => Limits { nodes: Some(nodes), ..Limits::default() },
            None => Limits { time: Some(Duration::from_millis(epd.ms)), ..Limits::default() },
        };
        let question = Question::new(limits, &clock, &stop, &pondering);
        engine.new_game();
        let line = Line::new(problem.position.clone());
        let answer = engine
            .search(&line, &question, &mut |_| {})
            .ok_or_else(|| format!("{}: the game is over there", problem.id))?;
        let right = problem.is_solved_by(answer.best, answer.lines.first().map_or(0, |line| line.score));
        solved += u32::from(right);
        nodes += answer.nodes;
        let played = problem.position.san(answer.best);
        if shown {
            eprint!("\r\x1b[2K");
        }
        if epd.json {
            say!("{}", json!({"id": problem.id, "solved": right, "move": played, "nodes": answer.nodes}));
        } else if !right {
            say!("{}: {played}, not {}", problem.id, problem.wanted());
        }
        if shown {
            eprint!("{solved} of {} solved, {} to go", index + 1, problems.len() - index - 1);
            let _ = std::io::stderr().flush();
        }
    }
    if shown {
        eprint!("\r\x1b[2K");
    }
    if epd.json {
        say!("{}", json!({"solved": solved, "positions": problems.len(), "left_out": left_out, "nodes": nodes}));
    } else {
        let limit = epd.nodes.map_or(format!("{} ms", epd.ms), |nodes| format!("{nodes} nodes"));
        let without = if left_out > 0 { format!(", {left_out} left out") } else { String::new() };
        say!("{solved} of {} solved at {limit} a position, {nodes} nodes{without}", problems.len());
    }
    Ok(())
}
