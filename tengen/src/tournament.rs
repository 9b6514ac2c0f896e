//! `tengen tournament`: many players, as a file says.

use crate::Outcome;
use crate::duel::ConductArguments;
use std::path::PathBuf;
use tengen_arena::openings::read_text;
use tengen_arena::{Settings, check};

/// Play the tournament that a file describes
#[derive(clap::Args)]
#[command(after_help = "Example: tengen tournament tournaments/othello-ladder.toml --out games.db --resume
docs/arena.md describes the file; tournaments/ has some that are ready.")]
pub struct Arguments {
    /// The file
    file: PathBuf,
    /// Games in each meeting, instead of what the file says
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=tengen_arena::MOST_GAMES))]
    games: Option<u64>,
    /// The seed, instead of the file's
    #[arg(long)]
    seed: Option<u64>,
    /// Only check that everything is there, and play nothing
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    conduct: ConductArguments,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let shown = arguments.file.display();
    let text = read_text(&arguments.file)?;
    let mut settings: Settings = toml::from_str(&text).map_err(|error| format!("{shown}: {error}"))?;
    if let Some(games) = arguments.games {
        settings.games = games;
    }
    if let Some(seed) = arguments.seed {
        settings.seed = seed;
    }
    // Paths in a file are meant from where the file is.
    let dir = std::path::absolute(&arguments.file).map_err(|error| format!("{shown}: {error}"))?;
    let beside = |path: &mut PathBuf| {
        if let Some(dir) = dir.parent() {
            *path = dir.join(&path);
        }
    };
    settings.openings.file.iter_mut().for_each(beside);
    settings.adjudication.tablebase.iter_mut().for_each(beside);
    if settings.name.is_empty() {
        settings.name = arguments.file.file_stem().and_then(|name| name.to_str()).unwrap_or("tournament").to_owned();
    }
    if arguments.check {
        return check(&mut settings).map_err(|error| format!("{shown}: {error}"));
    }
    arguments.conduct.play(&mut settings, "tournament").map_err(|error| format!("{shown}: {error}"))
}
