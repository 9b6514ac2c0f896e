//! From games to the data of a report: players, results, moves, pictures.

use crate::report::{GameData, GameResult, MoveData, PlayerData, ReportData, frames};
use crate::stats::{EloModel, Sprt};
use crate::{Origin, Report, Settings};
use tengen_core::{Outcome, Side, Turn};
use tengen_record::Record;
use tengen_record::database::{Database, Event, EventId};
use tengen_table::open;

/// Games whose boards are drawn: a page with more would be slow to load.
const DRAWN: usize = 200;
/// Games whose moves are listed.
const LISTED: usize = 2000;

/// The data of a match that was just played with its games [kept](crate::Conduct::keep).
pub fn gather(report: &Report, origin: &Origin) -> ReportData {
    let mut data = head(&report.settings, origin);
    data.date = crate::date::now();
    data.conditions.push(("openings".to_owned(), format!("{} ({})", report.plan.source, report.plan.openings)));
    add_games(&mut data, &report.records);
    data
}

/// The data of a match in the database; `None` if it was none that this program ran.
pub fn event_data(database: &Database, id: EventId, event: &Event) -> Result<Option<ReportData>, String> {
    let Ok(settings) = serde_json::from_str::<Settings>(&event.settings) else { return Ok(None) };
    let origin = Origin { command: event.command.clone(), revision: event.revision.clone() };
    let mut data = head(&settings, &origin);
    data.date = event.begun.clone();
    let mut records = Vec::new();
    database.each_numbered(id, |number, record| records.push((number, record))).map_err(|error| error.to_string())?;
    add_games(&mut data, &records);
    Ok(Some(data))
}

fn head(settings: &Settings, origin: &Origin) -> ReportData {
    let player = |entrant: &crate::Entrant| PlayerData { name: entrant.name.clone(), spec: entrant.player.clone() };
    let mut conditions = Vec::new();
    let limits = &settings.limits;
    let mut condition =
        |name: &str, value: Option<String>| conditions.extend(value.map(|value| (name.to_owned(), value)));
    condition("clock", limits.clock.map(|clock| clock.to_string()));
    condition("milliseconds a move", limits.ms.map(|ms| ms.to_string()));
    condition("nodes a move", limits.nodes.map(|nodes| nodes.to_string()));
    condition("visits a move", limits.visits.map(|visits| visits.to_string()));
    condition("depth", limits.depth.map(|depth| depth.to_string()));
    condition("rules", settings.setup.rules.clone());
    condition("komi", settings.setup.komi.map(|komi| komi.to_string()));
    let sprt = settings.sprt.and_then(|test| {
        let model = if test.normalised { EloModel::Normalised } else { EloModel::Logistic };
        Sprt::new(model, test.elo0, test.elo1, test.alpha, test.beta).ok()
    });
    let sides = open(&settings.game, &settings.setup).map(|table| table.view().sides).unwrap_or(["first", "second"]);
    ReportData {
        name: settings.name.clone(),
        game: settings.game.clone(),
        sides: sides.map(str::to_owned),
        command: origin.command.clone(),
        revision: origin.revision.clone(),
        seed: settings.seed,
        conditions,
        players: settings.players.iter().map(player).collect(),
        sprt,
        ..ReportData::default()
    }
}

fn add_games(data: &mut ReportData, records: &[(u64, Record)]) {
    let index = |name: &str| data.players.iter().position(|player| player.name == name);
    let mut games = Vec::new();
    for (place, (number, record)) in records.iter().enumerate() {
        let [Some(first), Some(second)] = [index(&record.players[0]), index(&record.players[1])] else { continue };
        let ending = record.ending.as_ref();
        let book = record.moves.iter().take_while(|played| played.comment == "book");
        let opening: Vec<&str> = book.map(|played| played.text.as_str()).collect();
        let opening = match (&record.setup.position, opening.is_empty()) {
            (Some(position), true) => Some(position.clone()),
            (Some(position), false) => Some(format!("{position} {}", opening.join(" "))),
            (None, true) => None,
            (None, false) => Some(opening.join(" ")),
        };
        let mut game = GameData {
            id: (number + 1).to_string(),
            first,
            second,
            // Numbers of a pair follow each other; of an odd number of games the last of a meeting stands alone, and pairs shift.
            pair: None,
            opening,
            result: match ending.map(|ending| ending.outcome) {
                Some(Outcome::Win(Side::First)) => GameResult::First,
                Some(Outcome::Win(Side::Second)) => GameResult::Second,
                Some(Outcome::Draw) => GameResult::Draw,
                None => GameResult::Void,
            },
            reason: ending.map_or(String::new(), |ending| ending.reason.clone()),
            ..GameData::default()
        };
        if place < LISTED {
            show(&mut game, record, place < DRAWN);
        }
        games.push(game);
    }
    // Two games in a row between the same two with sides exchanged and the same opening are a pair.
    for place in 1..games.len() {
        let (a, b) = (&games[place - 1], &games[place]);
        if a.pair.is_none() && (a.first, a.second, &a.opening) == (b.second, b.first, &b.opening) {
            games[place - 1].pair = Some(place as u64);
            games[place].pair = Some(place as u64);
        }
    }
    data.games = games;
}

/// Plays a record through, for what its moves look like.
fn show(game: &mut GameData, record: &Record, drawn: bool) {
    let Ok(mut table) = open(&record.game, &record.setup) else { return };
    let mut pictures = vec![table.view().drawn];
    for played in &record.moves {
        let turn = table.view().turn;
        // A record that does not play is shown as far as it does.
        if table.play(&played.text).is_err() {
            break;
        }
        let view = table.view();
        pictures.push(view.drawn);
        game.moves.push(MoveData {
            text: played.text.clone(),
            side: match turn {
                Turn::Decision(side) => Some(side),
                _ => None,
            },
            value: played.value,
            depth: played.depth,
            seconds: played.seconds,
            touched: view.last.map(|(_, touched)| touched).unwrap_or_default(),
            book: played.comment == "book",
        });
    }
    game.frames = if drawn { frames(&pictures) } else { None };
}
