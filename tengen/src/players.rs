//! `tengen players` and `tengen games`: what there is.

use crate::Outcome;
use serde_json::json;
use tengen_table::{players, registry};

/// List the players with their parameters
#[derive(clap::Args)]
#[command(after_help = "A player is written name:key=value,key=value, for example minimax:depth=4")]
pub struct Arguments {
    /// JSON instead of text
    #[arg(long)]
    json: bool,
}

/// List the games
#[derive(clap::Args)]
#[command(after_help = "Example: tengen games --json")]
pub struct GamesArguments {
    /// JSON instead of text
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let list = players::list();
    if arguments.json {
        let param = |param: &tengen_search::params::ParamInfo| json!({"name": param.name, "default": param.default, "range": param.range, "meaning": param.meaning});
        let player = |player: &players::PlayerInfo| json!({"name": player.name, "about": player.about, "params": player.params.iter().map(param).collect::<Vec<_>>()});
        say!("{}", json!(list.iter().map(player).collect::<Vec<_>>()));
        return Ok(());
    }
    for (index, player) in list.iter().enumerate() {
        if index > 0 {
            say!("");
        }
        say!("{} — {}", player.name, player.about);
        for param in &player.params {
            say!("  {:<14} {:<10} {:<28} {}", param.name, param.default, param.range, param.meaning);
        }
    }
    Ok(())
}

pub fn games(arguments: &GamesArguments) -> Outcome {
    if arguments.json {
        let game = |game: &registry::GameInfo| json!({"id": game.id, "title": game.title, "about": game.about});
        say!("{}", json!(registry::GAMES.iter().map(game).collect::<Vec<_>>()));
        return Ok(());
    }
    for game in registry::GAMES {
        say!("{:<12} {:<28} {}", game.id, game.title, game.about);
    }
    Ok(())
}
