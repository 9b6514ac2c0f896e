//! `tengen uci`: the chess engine for any chess GUI.

use crate::Outcome;

/// Speak UCI on standard input and output
#[derive(clap::Args)]
#[command(after_help = "Add `tengen uci` as an engine in your chess GUI.
Type `uci` for the options, `position startpos`, `go movetime 1000`, `quit`.")]
pub struct Arguments {}

pub fn run(_arguments: &Arguments) -> Outcome {
    tengen_speak::uci::serve(std::io::stdin().lock(), std::io::stdout());
    Ok(())
}
