//! `tengen explain`: a page that shows how a search thinks.

use crate::Outcome;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use tengen_core::{Line, Notation};
use tengen_explain::{Algorithm, Request, page, record};
use tengen_search::{Leaves, Literal};
use tengen_table::registry::GAMES;
use tengen_table::{Setup, open};

/// Make a page that steps through a search
#[derive(clap::Args)]
#[command(after_help = "Examples: tengen explain tictactoe --algorithm mcts --visits 40\n          \
    tengen explain --tree \"((3 12 8) (2 4 6) (14 5 2))\" --algorithm alphabeta\n\
    A tree has decisions in ( ), Max first and then in turns, and chance as {0.5:3 0.5:(1 2)}.")]
pub struct Arguments {
    /// The game's id, as `tengen games` lists them
    #[arg(required_unless_present = "tree", conflicts_with = "tree")]
    game: Option<String>,
    /// A written tree instead of a game
    #[arg(long, value_name = "TREE")]
    tree: Option<String>,
    /// minimax, negamax, alphabeta, expectimax, expectiminimax or mcts
    #[arg(long, value_name = "NAME", default_value = "alphabeta")]
    algorithm: String,
    /// How deep to look; by default as deep as fits the page
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// Begin here instead of at the start
    #[arg(long, value_name = "TEXT", conflicts_with = "tree")]
    position: Option<String>,
    /// Simulations of mcts
    #[arg(long, default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    visits: u32,
    /// What the random choices of mcts follow from
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// The file to write; by default named after the algorithm and the game
    #[arg(long, value_name = "FILE.html")]
    out: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let algorithm = Algorithm::read(&arguments.algorithm).map_err(|error| error.to_string())?;
    let game = arguments.game.as_deref().unwrap_or("tree");
    let title = GAMES.iter().find(|known| known.id == game).map_or(game, |known| known.title);
    let title = if arguments.tree.is_some() { "A written tree" } else { title };
    let request = Request {
        depth: arguments.depth,
        visits: arguments.visits,
        seed: arguments.seed,
        ..Request::new(algorithm, game, title)
    };
    let never = AtomicBool::new(false);
    let trace = match &arguments.tree {
        Some(text) => {
            let tree = Literal::read(text).map_err(|error| format!("--tree: {error}"))?;
            let mut leaves = Leaves::of(&tree);
            // A written tree is there to be seen down to its leaves.
            let request = Request { depth: request.depth.or(Some(100)), ..request };
            record(&Line::new(tree), &mut leaves, &request, &never)
        }
        None => {
            let setup = Setup { position: arguments.position.clone(), ..Setup::standard() };
            open(game, &setup).map_err(|error| error.to_string())?.explain(&request, &never)
        }
    };
    let trace = trace.map_err(|error| error.to_string())?;
    let file = arguments
        .out
        .clone()
        .unwrap_or_else(|| PathBuf::from(format!("tengen-{}-{}.html", algorithm.name(), file_word(game))));
    let html = page(&trace);
    std::fs::write(&file, &html).map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    let depth = match trace.depth {
        Some(depth) if arguments.tree.is_none() => format!(", depth {depth}"),
        _ => String::new(),
    };
    say!(
        "wrote {} ({} nodes{depth}, {} kB): open it in a browser",
        file.display(),
        trace.nodes.len(),
        html.len() / 1000
    );
    Ok(())
}

/// A game's id as part of a file name.
fn file_word(game: &str) -> String {
    game.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect()
}
