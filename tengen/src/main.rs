//! The one program. Each subcommand is a file of its own; this one only finds it.

/// `println!` for a program whose reader may go away (`tengen bench | head -1`): then there is nothing left to do.
macro_rules! say {
    ($($text:tt)*) => { $crate::say(format_args!($($text)*)) };
}

mod bench;
mod board;
mod env;
mod explain;
mod perft;
mod play;
mod players;
mod serve;
mod solve;

use clap::{Parser, Subcommand};
use std::io::Write;
use std::process::ExitCode;

/// Board-game intelligence: play, search, measure.
#[derive(Parser)]
#[command(name = "tengen", version, about, max_term_width = 110)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Serve(serve::Arguments),
    Play(play::Arguments),
    Env(env::Arguments),
    Perft(perft::Arguments),
    Explain(explain::Arguments),
    Solve(solve::Arguments),
    Bench(bench::Arguments),
    Players(players::Arguments),
    Games(players::GamesArguments),
}

/// What a subcommand returns: nothing, or one clear line for the person at the keyboard.
type Outcome = Result<(), String>;

fn say(text: std::fmt::Arguments<'_>) {
    if writeln!(std::io::stdout(), "{text}").is_err() {
        std::process::exit(0);
    }
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        None => serve::run(&serve::Arguments::default()),
        Some(Command::Serve(arguments)) => serve::run(&arguments),
        Some(Command::Play(arguments)) => play::run(&arguments),
        Some(Command::Env(arguments)) => env::run(&arguments),
        Some(Command::Perft(arguments)) => perft::run(&arguments),
        Some(Command::Explain(arguments)) => explain::run(&arguments),
        Some(Command::Solve(arguments)) => solve::run(&arguments),
        Some(Command::Bench(arguments)) => bench::run(&arguments),
        Some(Command::Players(arguments)) => players::run(&arguments),
        Some(Command::Games(arguments)) => players::games(&arguments),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(complaint) => {
            eprintln!("tengen: {complaint}");
            ExitCode::FAILURE
        }
    }
}
