//! `tengen solve`: what a position is worth when nobody makes a mistake again.

use crate::Outcome;
use serde_json::{Map, Value, json};
use std::io::{IsTerminal, Write};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use tengen_core::Turn;
use tengen_search::solve::{Exact, Leash, Solution, Verdict};
use tengen_table::registry::{Visitor, with_game};
use tengen_table::{Game, Setup};

/// Solve a position exactly
#[derive(clap::Args)]
#[command(after_help = "Examples: tengen solve connect4 --position 444444
          tengen solve othello --position \"…64 squares… X\" --json
Connect Four is solved from any position; the empty board takes about a minute a move.
Othello is solved near the end: sixteen empty squares take a fraction of a second, twenty some seconds.")]
pub struct Arguments {
    /// connect4, othello, othello6 or tictactoe
    game: String,
    /// The position; without one, the start
    #[arg(long)]
    position: Option<String>,
    /// Megabytes to remember positions in
    #[arg(long, default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    table: u32,
    /// One JSON object instead of text
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let setup = Setup { position: arguments.position.clone(), ..Setup::standard() };
    with_game(&arguments.game, &setup, Solving(arguments)).map_err(|error| error.to_string())?
}

struct Solving<'a>(&'a Arguments);

impl Visitor for Solving<'_> {
    type Out = Outcome;

    fn visit<P: Game>(self, start: P) -> Outcome {
        let mut moves = Vec::new();
        match start.turn(&mut moves) {
            Turn::Decision(_) => {}
            Turn::Over(_) => return Err("the game is over in this position".to_owned()),
            Turn::Chance => return Err("dice are to be rolled in this position".to_owned()),
        }
        let Some(mut solver) = P::solver((self.0.table as usize) << 20) else {
            return Err(format!("no solver knows {}: there are some for connect4, othello and tictactoe", self.0.game));
        };
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
            say!("{}", describe(&start, &solution));
        } else {
            print(&start, &solution);
            say!("{:.3} s", begin.elapsed().as_secs_f64());
        }
        Ok(())
    }
}

fn exact(exact: &Exact) -> Map<String, Value> {
    let mut fields = Map::new();
    fields.insert("outcome".to_owned(), json!(exact.verdict.name()));
    fields.insert("plies".to_owned(), json!(exact.plies));
    fields.insert("score".to_owned(), json!(exact.score));
    fields
}

fn describe<P: Game>(position: &P, solution: &Solution<P::Move>) -> Value {
    let mut answer = exact(&solution.exact);
    let moves = solution.moves.iter().map(|(mv, value)| (position.write_move(*mv), Value::Object(exact(value))));
    answer.insert("moves".to_owned(), Value::Object(moves.collect()));
    Value::Object(answer)
}

fn print<P: Game>(position: &P, solution: &Solution<P::Move>) {
    let name = P::SIDES[position.to_move().index()];
    let words = |exact: &Exact| {
        let verdict = match exact.verdict {
            Verdict::Win => "wins",
            Verdict::Draw => "draws",
            Verdict::Loss => "loses",
            Verdict::Open => "plays on",
        };
        let plies = exact.plies.map_or(String::new(), |plies| format!(" in {plies} moves"));
        let score = exact.score.map_or(String::new(), |score| format!(", score {score}"));
        format!("{verdict}{plies}{score}")
    };
    say!("{name} to move {}", words(&solution.exact));
    for (mv, value) in &solution.moves {
        say!("  {:<6} {}", position.write_move(*mv), words(value));
    }
}
