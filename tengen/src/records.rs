//! `tengen records`: what is in the game database, and out of it.

use crate::Outcome;
use serde_json::json;
use std::path::PathBuf;
use tengen_core::Side;
use tengen_record::database::{Database, Filter, Page};
use tengen_record::{Format, GameTree, export};
use tengen_table::places::data_dir;

/// List, export or delete games of the game database
#[derive(clap::Args)]
#[command(after_help = "Examples: tengen records --from games.db
          tengen records --from games.db --player random --outcome first --limit 20
          tengen records --from games.db --event spring --export sgf > spring.sgf
          tengen records --from games.db --events")]
pub struct Arguments {
    /// The database; without it, the one in Tengen's data directory
    #[arg(long, value_name = "DB")]
    from: Option<PathBuf>,
    /// This game only
    #[arg(long)]
    game: Option<String>,
    /// Games of this player
    #[arg(long)]
    player: Option<String>,
    /// Games of this match or tournament
    #[arg(long)]
    event: Option<String>,
    /// Games from this date on, as in 2026-11-16
    #[arg(long)]
    since: Option<String>,
    /// Games up to this date
    #[arg(long)]
    until: Option<String>,
    /// Games with this outcome
    #[arg(long, value_parser = ["first", "second", "draw"])]
    outcome: Option<String>,
    /// Games with this text in names, event, reason or tags
    #[arg(long)]
    text: Option<String>,
    /// At most so many games, the newest first
    #[arg(long, default_value_t = 50)]
    limit: u64,
    /// Leave out so many
    #[arg(long, default_value_t = 0)]
    skip: u64,
    /// Print the games themselves: pgn, sgf or json (one a line)
    #[arg(long, value_parser = ["pgn", "sgf", "json"])]
    export: Option<String>,
    /// Delete the games that were chosen
    #[arg(long, conflicts_with = "export")]
    delete: bool,
    /// List matches and tournaments instead of games
    #[arg(long)]
    events: bool,
    /// JSON instead of text
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let path = arguments.from.clone().unwrap_or_else(|| data_dir().join("games.db"));
    if !path.exists() {
        return Err(format!("there is no database {}: matches make one with --out", path.display()));
    }
    let mut database = Database::open(&path).map_err(|error| error.to_string())?;
    act(arguments, &mut database).map_err(|error| error.to_string())
}

fn act(arguments: &Arguments, database: &mut Database) -> Result<(), Box<dyn std::error::Error>> {
    if arguments.events {
        for (_, event) in database.events()? {
            let games = database.count(&Filter { event: Some(event.name.clone()), ..Filter::default() })?;
            if arguments.json {
                say!(
                    "{}",
                    json!({"name": event.name, "kind": event.kind, "game": event.game, "state": event.state, "begun": event.begun, "ended": event.ended, "games": games})
                );
            } else {
                say!("{:<10} {:>7} games  {:<20}  {:<12} {}", event.state, games, event.begun, event.kind, event.name);
            }
        }
        return Ok(());
    }
    let filter = Filter {
        game: arguments.game.clone(),
        player: arguments.player.clone(),
        event: arguments.event.clone(),
        since: arguments.since.clone(),
        until: arguments.until.clone(),
        outcome: arguments.outcome.as_deref().map(|outcome| match outcome {
            "first" => tengen_core::Outcome::Win(Side::First),
            "second" => tengen_core::Outcome::Win(Side::Second),
            _ => tengen_core::Outcome::Draw,
        }),
        finished: None,
        text: arguments.text.clone(),
    };
    let found = database.find(&filter, Page { skip: arguments.skip, take: arguments.limit })?;
    if arguments.delete {
        for game in &found {
            database.delete(game.id)?;
        }
        say!("{} games deleted", found.len());
        return Ok(());
    }
    if let Some(format) = &arguments.export {
        let format = match format.as_str() {
            "pgn" => Format::Pgn,
            "sgf" => Format::Sgf,
            _ => Format::Json,
        };
        for game in found.iter().rev() {
            if let Some(record) = database.read(game.id)? {
                say!("{}", export(&[GameTree::new(record)], format)?.trim_end());
                if format == Format::Pgn {
                    say!("");
                }
            }
        }
        return Ok(());
    }
    for game in &found {
        let ending = game.ending.as_ref();
        let outcome = ending.map_or("unfinished", |ending| ending.outcome.name());
        let reason = ending.map_or("", |ending| ending.reason.as_str());
        let [first, second] = &game.players;
        if arguments.json {
            say!(
                "{}",
                json!({"id": game.id, "game": game.game, "first": first, "second": second, "outcome": ending.map(|_| outcome), "reason": reason, "event": game.event, "number": game.number, "date": game.date, "plies": game.plies})
            );
        } else {
            say!(
                "{:>6}  {}  {:<10} {first} – {second}  {outcome} {reason} ({} plies)",
                game.id,
                game.date,
                game.game,
                game.plies
            );
        }
    }
    let all = database.count(&filter)?;
    if !arguments.json && all > found.len() as u64 {
        say!("{} of {all} games", found.len());
    }
    Ok(())
}
