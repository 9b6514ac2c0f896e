//! `tengen solve`: what a position is worth when nobody makes a mistake again.

mod yokai;

use crate::Outcome;
use serde_json::{Map, Value, json};
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use tengen_core::Turn;
use tengen_lore::solve::{Exact, Leash, Solution, Verdict};
use tengen_table::registry::{Visitor, with_game};
use tengen_table::{Game, Setup, memory};

/// Solve a position exactly
#[derive(clap::Args)]
#[command(after_help = "Examples: tengen solve connect4 --position 444444
          tengen solve othello --position \"…64 squares… X\" --json
          tengen solve yokai34
Connect Four is solved from any position; the empty board takes about a minute a move.
Othello is solved near the end: sixteen empty squares take a fraction of a second, twenty some seconds.
Yokai 3x4 is solved once and for all, which takes some minutes: the table (150 MB) goes to the data directory, where the
perfect player, `tengen env` and the next `tengen solve yokai34 --position TEXT` find it.")]
pub struct Arguments {
    /// connect4, othello, othello6, pig, tictactoe or yokai34
    game: String,
    /// The position; without one, the start
    #[arg(long)]
    position: Option<String>,
    /// Megabytes to remember positions in
    #[arg(long, default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    table: u32,
    /// yokai34: the table's file; without it yokai34.table in the data directory
    #[arg(long)]
    out: Option<PathBuf>,
    /// yokai34: write the second player's strategy, as it comes with the program, to this file
    #[arg(long)]
    strategy: Option<PathBuf>,
    /// yokai34: check the whole table file, say how long the longest win is, and check the values of so many random positions
    /// against those of their moves
    #[arg(long, value_name = "POSITIONS", num_args = 0..=1, default_missing_value = "1000000")]
    check: Option<u32>,
    /// yokai34: threads to work with; without it one a core
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// One JSON object instead of text
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Outcome {
    if arguments.game == "yokai34" {
        return yokai::run(arguments);
    }
    if arguments.out.is_some() || arguments.strategy.is_some() || arguments.check.is_some() {
        return Err("only yokai34 has a table to write or check".to_owned());
    }
    let setup = Setup { position: arguments.position.clone(), ..Setup::standard() };
    with_game(&arguments.game, &setup, Solving(arguments)).map_err(|error| error.to_string())?
}

struct Solving<'a>(&'a Arguments);

impl Visitor for Solving<'_> {
    type Out = Outcome;

    fn visit<P: Game>(self, start: P) -> Outcome {
        decision(&start)?;
        memory::check(self.0.table as usize)?;
        let mut solver = P::solver((self.0.table as usize) << 20)?;
        let (begin, stop) = (Instant::now(), AtomicBool::new(false));
        let shown = std::io::stderr().is_terminal();
        let mut next = Duration::from_millis(500);
        let mut report = |nodes: u64| {
            if shown && begin.elapsed() >= next {
                next += Duration::from_millis(200);
                let seconds = begin.elapsed().as_secs_f64();
                eprint!("\r\x1b[2K{} million positions, {seconds:.0} s", nodes / 1_000_000);
                let _ = std::io::stderr().flush();
            }
        };
        let solution = solver.solution(&start, &mut Leash::new(&stop, &mut report));
        if shown {
            eprint!("\r\x1b[2K");
        }
        let solution = solution.map_err(|why| why.to_string())?;
        if self.0.json {
            say!("{}", Value::Object(describe(&start, &solution)));
        } else {
            print(&start, &solution);
            say!("solved in {:.3} s", begin.elapsed().as_secs_f64());
        }
        Ok(())
    }
}

/// Refuses a position in which nobody decides anything.
fn decision<P: Game>(position: &P) -> Outcome {
    match position.turn(&mut Vec::new()) {
        Turn::Decision(_) => Ok(()),
        Turn::Over(_) => Err("the game is over in this position".to_owned()),
        Turn::Chance => Err("dice are to be rolled in this position".to_owned()),
    }
}

/// An exact value as `tengen solve` and `tengen env` write it.
pub fn exact(exact: &Exact) -> Map<String, Value> {
    let mut fields = Map::new();
    fields.insert("outcome".to_owned(), json!(exact.verdict.name()));
    fields.insert("plies".to_owned(), json!(exact.plies));
    fields.insert("score".to_owned(), json!(exact.score));
    if let Some(chance) = exact.chance {
        fields.insert("chance".to_owned(), json!(chance));
    }
    fields
}

fn describe<P: Game>(position: &P, solution: &Solution<P::Move>) -> Map<String, Value> {
    let mut answer = exact(&solution.exact);
    let moves = solution.moves.iter().map(|(mv, value)| (position.write_move(*mv), Value::Object(exact(value))));
    answer.insert("moves".to_owned(), Value::Object(moves.collect()));
    answer
}

fn print<P: Game>(position: &P, solution: &Solution<P::Move>) {
    let name = P::SIDES[position.to_move().index()];
    let words = |exact: &Exact| {
        let verdict = match exact.verdict {
            Verdict::Win => "wins",
            Verdict::Draw => "draws",
            Verdict::Loss => "loses",
            Verdict::Open => "wins",
        };
        let plies = match exact.plies {
            Some(1) => " in 1 ply".to_owned(),
            Some(plies) => format!(" in {plies} plies"),
            None => String::new(),
        };
        let score = exact.score.map_or(String::new(), |score| format!(", score {score}"));
        let chance = exact.chance.map_or(String::new(), |chance| format!(" with probability {chance:.12}"));
        format!("{verdict}{plies}{score}{chance}")
    };
    say!("{name} to move {}", words(&solution.exact));
    for (mv, value) in &solution.moves {
        say!("  {:<6} {}", position.write_move(*mv), words(value));
    }
}
