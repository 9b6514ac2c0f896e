//! `tengen rate`: ratings of everybody in the game database.

use crate::Outcome;
use serde_json::json;
use std::path::PathBuf;
use tengen_arena::event_data;
use tengen_arena::report::match_section;
use tengen_arena::stats::{Encounter, RatingOptions, Ratings, Standing, rate};
use tengen_record::database::{Database, Filter};
use tengen_search::params::unknown;
use tengen_table::places::data_dir;

/// Rate the players of the game database
#[derive(clap::Args)]
#[command(after_help = "Examples: tengen rate --from games.db --game othello --anchor random=0
          tengen rate --from games.db --markdown > matches.md")]
pub struct Arguments {
    /// The database; without it, the one in Tengen's data directory
    #[arg(long, value_name = "DB")]
    from: Option<PathBuf>,
    /// This game only; without it, each game by itself
    #[arg(long)]
    game: Option<String>,
    /// Games of this match or tournament only
    #[arg(long)]
    event: Option<String>,
    /// A player whose rating is given; may be said several times
    #[arg(long, value_name = "PLAYER=ELO", allow_hyphen_values = true)]
    anchor: Vec<String>,
    /// Markdown, with a section for every match
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
    /// JSON instead of text
    #[arg(long)]
    json: bool,
}

/// The rated players of one game.
struct Rated {
    game: String,
    names: Vec<String>,
    ratings: Ratings,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let path = arguments.from.clone().unwrap_or_else(|| data_dir().join("games.db"));
    if !path.exists() {
        return Err(format!("there is no database {}: matches make one with --out", path.display()));
    }
    let database = Database::open(&path).map_err(|error| error.to_string())?;
    let games = database.games_played().map_err(|error| error.to_string())?;
    let games: Vec<String> = match &arguments.game {
        None => games.into_iter().map(|(game, _)| game).collect(),
        Some(game) if games.iter().any(|(known, _)| known == game) => vec![game.clone()],
        Some(game) => {
            return Err(format!(
                "{}: {}",
                path.display(),
                unknown("game", game, games.iter().map(|(game, _)| game.as_str()))
            ));
        }
    };
    if let Some(event) = &arguments.event
        && database.event(event).map_err(|error| error.to_string())?.is_none()
    {
        let events = database.events().map_err(|error| error.to_string())?;
        return Err(unknown("event", event, events.iter().map(|(_, event)| event.name.as_str())));
    }
    let mut rated = Vec::new();
    let mut used = vec![false; arguments.anchor.len()];
    for game in games {
        rated.extend(rate_game(&database, game, arguments, &mut used)?);
    }
    if let Some(unused) = used.iter().position(|used| !used) {
        let names = rated.iter().flat_map(|rated| rated.names.iter().map(String::as_str));
        let (name, _) = anchor(&arguments.anchor[unused])?;
        return Err(unknown("player", name, names));
    }
    if arguments.json {
        say!("{}", json!(rated.iter().map(to_json).collect::<Vec<_>>()));
    } else if arguments.markdown {
        markdown(&database, &rated, arguments)?;
    } else {
        rated.iter().for_each(print);
    }
    Ok(())
}

/// `PLAYER=ELO`; a player's text has equal signs of its own, so the last one counts.
fn anchor(text: &str) -> Result<(&str, f64), String> {
    let read = text.rsplit_once('=').and_then(|(name, elo)| Some((name, elo.trim().parse::<f64>().ok()?)));
    read.filter(|(_, elo)| elo.abs() < 10_000.0).ok_or_else(|| format!("--anchor is PLAYER=ELO, not `{text}`"))
}

fn rate_game(
    database: &Database,
    game: String,
    arguments: &Arguments,
    used: &mut [bool],
) -> Result<Option<Rated>, String> {
    let filter =
        Filter { game: Some(game.clone()), event: arguments.event.clone(), finished: Some(true), ..Filter::default() };
    let scores = database.scores(&filter).map_err(|error| error.to_string())?;
    let mut names: Vec<String> = scores.iter().flat_map(|score| [score.first.clone(), score.second.clone()]).collect();
    names.sort_unstable();
    names.dedup();
    // Games of a player against itself say nothing about its strength.
    let scores: Vec<_> = scores.into_iter().filter(|score| score.first != score.second).collect();
    if scores.is_empty() {
        return Ok(None);
    }
    let index = |name: &str| names.iter().position(|known| known == name);
    let table: Vec<Encounter> = scores
        .iter()
        .filter_map(|score| {
            let (first, second) = (index(&score.first)?, index(&score.second)?);
            Some(Encounter { first, second, wins: score.wins, draws: score.draws, losses: score.losses })
        })
        .collect();
    let mut options = RatingOptions::default();
    for (text, used) in arguments.anchor.iter().zip(used) {
        let (name, elo) = anchor(text)?;
        if let Some(player) = index(name) {
            options.anchors.push((player, elo));
            *used = true;
        }
    }
    let ratings = rate(names.len(), &table, &options).map_err(|error| error.to_string())?;
    Ok(Some(Rated { game, names, ratings }))
}

fn bound(standing: Standing) -> &'static str {
    match standing {
        Standing::AtLeast => "≥ ",
        Standing::AtMost => "≤ ",
        _ => "",
    }
}

fn print(rated: &Rated) {
    let width = rated.names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    say!("{}  (moving first {:+.0} Elo)", rated.game, rated.ratings.advantage);
    say!("{:>4}  {:<width$}  {:>8}  {:>6}  {:>7}  {:>6}", "", "player", "Elo", "±", "games", "score");
    for (place, player) in (1..).zip(rated.ratings.order()) {
        let rating = &rated.ratings.players[player];
        let elo = format!("{}{:.0}", bound(rating.standing), rating.elo);
        let error = if rating.anchored { "given".to_owned() } else { format!("{:.0}", 1.96 * rating.deviation) };
        let score = rating.points / rating.games.max(1) as f64 * 100.0;
        say!("{place:>4}  {:<width$}  {elo:>8}  {error:>6}  {:>7}  {score:>5.1}%", rated.names[player], rating.games);
    }
    if rated.ratings.groups > 1 {
        say!(
            "      {} groups that no game connects: ratings of different groups cannot be compared",
            rated.ratings.groups
        );
    }
    say!("");
}

fn to_json(rated: &Rated) -> serde_json::Value {
    let player = |&player: &usize| {
        let rating = &rated.ratings.players[player];
        json!({
            "name": rated.names[player], "elo": rating.elo, "deviation": rating.deviation, "games": rating.games,
            "points": rating.points, "group": rating.group, "anchored": rating.anchored, "standing": rating.standing,
        })
    };
    let players: Vec<_> = rated.ratings.order().iter().map(player).collect();
    json!({"game": rated.game, "advantage": rated.ratings.advantage, "draw_rate": rated.ratings.draw_rate, "groups": rated.ratings.groups, "players": players})
}

fn markdown(database: &Database, rated: &[Rated], arguments: &Arguments) -> Outcome {
    say!("# Strength\n");
    say!(
        "Ratings by maximum likelihood from the game database, each game by itself, ± at 95 %; then every match. Written by"
    );
    say!("`tengen rate --markdown`.\n");
    for rated in rated {
        say!("## {}\n\n| | player | Elo | ± | games | score |\n|---:|---|---:|---:|---:|---:|", rated.game);
        for (place, player) in (1..).zip(rated.ratings.order()) {
            let rating = &rated.ratings.players[player];
            let error = if rating.anchored { "given".to_owned() } else { format!("{:.0}", 1.96 * rating.deviation) };
            let score = rating.points / rating.games.max(1) as f64 * 100.0;
            let name = rated.names[player].replace('|', "\\|");
            say!(
                "| {place} | `{name}` | {}{:.0} | {error} | {} | {score:.1} % |",
                bound(rating.standing),
                rating.elo,
                rating.games
            );
        }
        say!("");
    }
    let events = database.events().map_err(|error| error.to_string())?;
    for (id, event) in events.iter().rev() {
        let wanted = arguments.event.as_ref().is_none_or(|name| *name == event.name)
            && rated.iter().any(|rated| rated.game == event.game);
        if wanted && let Some(data) = event_data(database, *id, event)? {
            say!("{}", match_section(&data));
        }
    }
    Ok(())
}
