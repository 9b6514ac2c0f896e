//! `tengen perft`: counting lines, to check the rules and to time them.

use crate::Outcome;
use serde_json::json;
use std::time::Instant;
use tengen_table::{Setup, open};

/// Count the lines of a given length
#[derive(clap::Args)]
#[command(after_help = "Example: tengen perft chess 5 --divide")]
pub struct Arguments {
    /// The game's id, as `tengen games` lists them
    game: String,
    /// How many moves long
    #[arg(value_parser = clap::value_parser!(u32).range(..=100))]
    depth: u32,
    /// Begin here instead of at the start
    #[arg(long)]
    position: Option<String>,
    /// Show the count behind each first move
    #[arg(long)]
    divide: bool,
    /// One JSON object instead of text
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let setup = Setup { position: arguments.position.clone(), ..Setup::standard() };
    let table = open(&arguments.game, &setup).map_err(|error| error.to_string())?;
    let start = Instant::now();
    let parts = if arguments.divide && arguments.depth > 0 { table.divide(arguments.depth) } else { Vec::new() };
    let nodes =
        if parts.is_empty() { table.perft(arguments.depth) } else { parts.iter().map(|(_, nodes)| nodes).sum() };
    let seconds = start.elapsed().as_secs_f64();
    if arguments.json {
        let moves: serde_json::Map<_, _> = parts.into_iter().map(|(mv, nodes)| (mv, json!(nodes))).collect();
        let mut answer = json!({"game": arguments.game, "depth": arguments.depth, "nodes": nodes, "seconds": seconds});
        if arguments.divide {
            answer["moves"] = moves.into();
        }
        say!("{answer}");
        return Ok(());
    }
    for (mv, nodes) in parts {
        say!("{mv} {nodes}");
    }
    say!("seconds {seconds:.3}");
    say!("nodes {nodes}");
    Ok(())
}
