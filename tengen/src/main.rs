//! The one program. Each subcommand is a file of its own; this one only finds it.

/// `println!` for a program whose reader may go away (`tengen bench | head -1`): then there is nothing left to do.
macro_rules! say {
    ($($text:tt)*) => { $crate::say(format_args!($($text)*)) };
}

mod bench;
mod board;
mod chess;
mod data;
mod duel;
mod env;
mod explain;
mod go;
mod gtp;
mod live;
mod net;
mod perft;
mod play;
mod players;
mod presets;
mod rate;
mod records;
mod serve;
mod solve;
mod tournament;
mod train;
mod tune;
mod uci;

use clap::{Parser, Subcommand};
use std::io::Write;
use std::process::ExitCode;

/// Board-game intelligence: play, search, measure.
#[derive(Parser)]
#[command(name = "tengen", version = env!("TENGEN_VERSION"), about, max_term_width = 110)]
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
    Duel(Box<duel::Arguments>),
    Tournament(tournament::Arguments),
    Uci(uci::Arguments),
    Gtp(gtp::Arguments),
    Go(go::Arguments),
    Chess(chess::Arguments),
    Data(data::Arguments),
    Net(net::Arguments),
    Train(train::Arguments),
    Rate(rate::Arguments),
    Tune(tune::Arguments),
    Records(records::Arguments),
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
        Some(Command::Duel(arguments)) => duel::run(&arguments),
        Some(Command::Tournament(arguments)) => tournament::run(&arguments),
        Some(Command::Uci(arguments)) => uci::run(&arguments),
        Some(Command::Gtp(arguments)) => gtp::run(&arguments),
        Some(Command::Go(arguments)) => go::run(&arguments),
        Some(Command::Chess(arguments)) => chess::run(&arguments),
        Some(Command::Data(arguments)) => data::run(&arguments),
        Some(Command::Net(arguments)) => net::run(&arguments),
        Some(Command::Train(arguments)) => train::run(&arguments),
        Some(Command::Rate(arguments)) => rate::run(&arguments),
        Some(Command::Tune(arguments)) => tune::run(&arguments),
        Some(Command::Records(arguments)) => records::run(&arguments),
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
