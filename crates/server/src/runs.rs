//! Watching: duels and tournaments from the game database, training and tuning from the logs that they write.
//!
//! A run in the database is an event with games; ratings are worked out anew whenever somebody looks. A run directory holds a file
//! `log.jsonl`, of which `docs/runs.md` says what its lines mean. Whoever follows a run is told when something has changed.

use crate::Config;
use crate::hub::Hub;
use crate::message::{Code, Event, Run, RunGame, RunInfo, RunKind, Series, Standing, Trouble};
use crate::socket::Outbox;
use crate::think::Spot;
use crate::time;
use crate::view::view;
use std::collections::{BTreeMap, HashMap};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tengen_arena::stats::{Encounter, RatingOptions, rate};
use tengen_arena::{Settings, games_planned};
use tengen_record::database::{self, Database, Filter, Page};
use tokio::task::JoinHandle;

/// How often a run is looked at while somebody follows it.
const PACE: Duration = Duration::from_millis(1000);
/// Games that are shown of a run.
const SHOWN: u64 = 8;
/// Points of a curve; more no screen shows.
const MOST_POINTS: usize = 2000;
/// Lines of a log that are read.
const MOST_LINES: usize = 500_000;

/// Where runs are found.
pub struct Runs {
    folder: PathBuf,
}

/// The example that comes with the program.
const EXAMPLE: &str = include_str!("../examples/training.jsonl");

impl Runs {
    /// Below the data directory.
    pub fn new(config: &Config) -> Self {
        Runs { folder: config.data.join("runs") }
    }

    /// All runs, the newest first.
    pub async fn list(&self, hub: &Hub) -> Result<Vec<RunInfo>, Trouble> {
        let mut runs = hub
            .library
            .with(|database| Ok(database.events()?))
            .await?
            .into_iter()
            .filter_map(|(id, event)| {
                let kind = kind_of(&event.kind)?;
                Some(info(id, kind, &event))
            })
            .collect::<Vec<_>>();
        let infos = hub
            .library
            .with(move |database| {
                for info in &mut runs {
                    count_done(info, database)?;
                }
                Ok(runs)
            })
            .await?;
        let folder = self.folder.clone();
        let logs = tokio::task::spawn_blocking(move || logs(&folder)).await.map_err(Trouble::failed)?;
        let mut runs: Vec<RunInfo> = infos.into_iter().chain(logs).collect();
        runs.sort_by(|a, b| b.started.cmp(&a.started));
        Ok(runs)
    }

    /// All about one run.
    pub async fn read(&self, hub: &Hub, id: &str) -> Result<Run, Trouble> {
        let unknown = || Trouble::new(Code::Unknown, "there is no such run");
        if let Some(number) = id.strip_prefix("event-").and_then(|number| number.parse::<i64>().ok()) {
            let read = move |database: &mut Database| {
                let found = database.events()?.into_iter().find(|(id, _)| *id == number);
                let (id, event) = found.ok_or_else(unknown)?;
                match_run(database, id, &event)
            };
            return hub.library.with(read).await;
        }
        let folder = self.folder.clone();
        let id = id.to_owned();
        let read = move || match (id.as_str(), id.strip_prefix("log-")) {
            (BUNDLED, _) => read_log(BUNDLED, "example", EXAMPLE.as_bytes()),
            // Names are letters, digits, dashes and dots within: nothing that leads out of the folder.
            (_, Some(name)) if is_plain(name) => {
                let file = std::fs::File::open(folder.join(name).join("log.jsonl")).map_err(|_| unknown())?;
                read_log(&id, name, BufReader::new(file))
            }
            _ => Err(unknown()),
        };
        tokio::task::spawn_blocking(read).await.map_err(Trouble::failed)?
    }

    /// Tells a page about a run until it is told to stop.
    pub async fn follow(&self, hub: Arc<Hub>, id: String, out: Outbox) -> Result<JoinHandle<()>, Trouble> {
        let first = self.read(&hub, &id).await?;
        out.send(&Event::Run { run: Box::new(first.clone()) });
        Ok(tokio::spawn(async move {
            let mut last = first;
            while !out.is_closed() {
                tokio::time::sleep(PACE).await;
                match hub.runs.read(&hub, &id).await {
                    Ok(run) if run != last => {
                        out.send(&Event::Run { run: Box::new(run.clone()) });
                        last = run;
                    }
                    Ok(_) => {}
                    Err(_) => break,
                }
            }
        }))
    }
}

const BUNDLED: &str = "log-example";

fn kind_of(kind: &str) -> Option<RunKind> {
    match kind {
        "duel" => Some(RunKind::Duel),
        "tournament" => Some(RunKind::Tournament),
        "tuning" | "tune" => Some(RunKind::Tuning),
        "training" | "selfplay" => Some(RunKind::Training),
        _ => None,
    }
}

fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= 100
        && !name.starts_with('.')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}

// ---------------------------------------------------------------------------------------------------------------- matches

fn info(id: i64, kind: RunKind, event: &database::Event) -> RunInfo {
    // What other programs wrote into the database, or older ones of ours, has no plan that we know.
    let planned = serde_json::from_str::<Settings>(&event.settings).map_or(0, |settings| games_planned(&settings));
    RunInfo {
        id: format!("event-{id}"),
        kind,
        title: event.name.clone(),
        game: event.game.clone(),
        started: event.begun.clone(),
        running: event.state == "running",
        done: 0,
        of: u32::try_from(planned).unwrap_or(0),
        eta: None,
    }
}

/// Writes down how many games are done, and how long the others will take at the pace of the last ones: an interrupted match stood still for a while.
fn count_done(info: &mut RunInfo, database: &Database) -> Result<(), Trouble> {
    const LAST: u64 = 20;
    let done = Filter { event: Some(info.title.clone()), finished: Some(true), ..Filter::default() };
    let count = database.count(&done)?;
    info.done = count as u32;
    let left = f64::from(info.of) - f64::from(info.done);
    if info.running && count > 0 && left > 0.0 {
        let seen = count.min(LAST);
        let oldest = database.find(&done, Page { skip: seen - 1, take: 1 })?;
        let begun = oldest.first().and_then(|game| time::read(&game.date));
        let pace = |begun| time::epoch().saturating_sub(begun) as f64 / 1000.0 / seen as f64;
        info.eta = begun.map(|begun| (pace(begun) * left) as f32);
    }
    Ok(())
}

fn match_run(database: &Database, id: i64, event: &database::Event) -> Result<Run, Trouble> {
    let kind = kind_of(&event.kind).unwrap_or(RunKind::Tournament);
    let of_event = Filter { event: Some(event.name.clone()), ..Filter::default() };
    let scores = database.scores(&of_event)?;
    let mut names: Vec<String> = scores.iter().flat_map(|score| [score.first.clone(), score.second.clone()]).collect();
    names.sort();
    names.dedup();
    let place = |name: &String| names.binary_search(name).unwrap_or(0);
    let encounters: Vec<Encounter> = scores
        .iter()
        .map(|score| Encounter {
            first: place(&score.first),
            second: place(&score.second),
            wins: score.wins,
            draws: score.draws,
            losses: score.losses,
        })
        .collect();
    // Too few games to rate anybody is no error: there are just no ratings yet.
    let ratings = rate(names.len(), &encounters, &RatingOptions::default()).ok();
    let mut standings: Vec<(usize, Standing)> = names
        .iter()
        .enumerate()
        .map(|(at, name)| {
            let mut standing = Standing { name: name.clone(), rating: None, error: None, wins: 0, draws: 0, losses: 0 };
            for met in &encounters {
                let (won, lost) = if met.first == at { (met.wins, met.losses) } else { (met.losses, met.wins) };
                if met.first == at || met.second == at {
                    standing.wins += won as u32;
                    standing.draws += met.draws as u32;
                    standing.losses += lost as u32;
                }
            }
            if let Some(rating) = ratings.as_ref().and_then(|ratings| ratings.players.get(at)) {
                let (low, high) = rating.interval();
                standing.rating = Some(rating.elo as f32).filter(|elo| elo.is_finite());
                standing.error = Some(((high - low) / 2.0) as f32).filter(|error| error.is_finite());
            }
            (at, standing)
        })
        .collect();
    standings.sort_by(|(_, a), (_, b)| b.rating.unwrap_or(0.0).total_cmp(&a.rating.unwrap_or(0.0)));
    let order: Vec<usize> = standings.iter().map(|(at, _)| *at).collect();
    let against = |row: usize, column: usize| {
        let mut sum = [0u64; 3];
        for met in &encounters {
            if (met.first, met.second) == (row, column) {
                sum = [sum[0] + met.wins, sum[1] + met.draws, sum[2] + met.losses];
            } else if (met.second, met.first) == (row, column) {
                sum = [sum[0] + met.losses, sum[1] + met.draws, sum[2] + met.wins];
            }
        }
        (sum != [0; 3]).then(|| sum.map(|count| count as u32))
    };
    let cross = order.iter().map(|&row| order.iter().map(|&column| against(row, column)).collect()).collect();
    let mut info = info(id, kind, event);
    count_done(&mut info, database)?;
    let result: serde_json::Value = serde_json::from_str(&event.result).unwrap_or_default();
    let verdict = result.get("verdict").or_else(|| result.get("sprt")).map_or(String::new(), |verdict| match verdict {
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    });
    Ok(Run {
        info,
        standings: standings.into_iter().map(|(_, standing)| standing).collect(),
        cross,
        verdict,
        games: games_of(database, &of_event)?,
        series: Vec::new(),
        settings: flat(&event.settings),
    })
}

/// Games being played, then the last ones.
fn games_of(database: &Database, filter: &Filter) -> Result<Vec<RunGame>, Trouble> {
    let page = Page { skip: 0, take: SHOWN };
    let mut found = database.find(&Filter { finished: Some(false), ..filter.clone() }, page)?;
    let left = SHOWN.saturating_sub(found.len() as u64);
    found.extend(database.find(&Filter { finished: Some(true), ..filter.clone() }, Page { skip: 0, take: left })?);
    let mut games = Vec::new();
    for summary in found {
        let Some(record) = database.read(summary.id)? else {
            continue;
        };
        // A game being played has no number yet that counts, but says which one it is.
        let told = record.tags.get("number").and_then(|number| number.parse().ok());
        let moves: Vec<String> = record.moves.into_iter().map(|played| played.text).collect();
        let spot = Spot { game: record.game, setup: record.setup, moves: moves.clone() };
        games.push(RunGame {
            number: summary.number.map(|number| number as u32 + 1).or(told).unwrap_or(0),
            players: summary.players,
            // A game that cannot be replayed is listed without a board.
            view: spot.table().ok().map(|table| view(&*table)),
            moves,
            library: summary.ending.is_some().then_some(summary.id as u32),
        });
    }
    Ok(games)
}

/// Settings by name, one level deep.
fn flat(settings: &str) -> BTreeMap<String, String> {
    let Ok(serde_json::Value::Object(settings)) = serde_json::from_str(settings) else {
        return BTreeMap::new();
    };
    let text = |value: serde_json::Value| match value {
        serde_json::Value::String(text) => text,
        other => other.to_string(),
    };
    settings.into_iter().map(|(name, value)| (name, text(value))).take(100).collect()
}

// ---------------------------------------------------------------------------------------------------------------- logs

/// What the first line of a log says; everything may be left out.
#[derive(serde::Deserialize, Default)]
#[serde(default)]
struct Head {
    kind: String,
    title: String,
    game: String,
    started: String,
    along: String,
    of: u32,
    settings: serde_json::Map<String, serde_json::Value>,
}

fn logs(folder: &Path) -> Vec<RunInfo> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok()).filter(|name| is_plain(name));
    let read = |name: String| {
        let file = std::fs::File::open(folder.join(&name).join("log.jsonl")).ok()?;
        read_log(&format!("log-{name}"), &name, BufReader::new(file)).ok().map(|run| run.info)
    };
    let mut found: Vec<RunInfo> = names.filter_map(read).take(500).collect();
    found.extend(read_log(BUNDLED, "example", EXAMPLE.as_bytes()).ok().map(|run| run.info));
    found
}

/// Reads a log; lines that cannot be read are passed over, as the last one may be half written.
fn read_log(id: &str, name: &str, file: impl BufRead) -> Result<Run, Trouble> {
    let mut head = Head::default();
    let mut curves: Vec<Series> = Vec::new();
    let mut places: HashMap<(String, String), usize> = HashMap::new();
    let (mut done, mut ended, mut times) = (0.0f64, false, Vec::new());
    for line in file.lines().take(MOST_LINES) {
        let Ok(line) = line else { break };
        let Ok(serde_json::Value::Object(line)) = serde_json::from_str(&line) else { continue };
        if let Some(first) = line.get("run") {
            head = serde_json::from_value(first.clone()).unwrap_or_default();
            continue;
        }
        ended |= line.get("done").is_some_and(|done| done.as_bool() == Some(true));
        let Some(at) = line.get("at").and_then(serde_json::Value::as_f64) else { continue };
        done = done.max(at);
        if let Some(time) = line.get("time").and_then(serde_json::Value::as_f64) {
            times.push((at, time));
        }
        for (group, values) in &line {
            let serde_json::Value::Object(values) = values else { continue };
            for (name, value) in values {
                let Some((value, error)) = figure(value) else { continue };
                let place = *places.entry((group.clone(), name.clone())).or_insert_with(|| {
                    curves.push(Series {
                        name: name.clone(),
                        group: group.clone(),
                        along: head.along.clone(),
                        points: Vec::new(),
                    });
                    curves.len() - 1
                });
                curves[place].points.push((at, value, error));
            }
        }
    }
    curves.iter_mut().for_each(|curve| curve.points = thinned(std::mem::take(&mut curve.points)));
    let running = !ended && id != BUNDLED;
    // The pace so far, over the last part of the way, goes on.
    let eta = match (times.get(times.len().saturating_sub(20)), times.last()) {
        (Some(&(from, since)), Some(&(to, until))) if running && to > from && head.of > 0 => {
            Some(((f64::from(head.of) - to).max(0.0) * (until - since) / (to - from)) as f32)
        }
        _ => None,
    };
    Ok(Run {
        info: RunInfo {
            id: id.to_owned(),
            kind: kind_of(&head.kind).unwrap_or(RunKind::Training),
            title: if head.title.is_empty() { name.to_owned() } else { head.title },
            game: head.game,
            started: head.started,
            running,
            done: done as u32,
            of: head.of,
            eta,
        },
        standings: Vec::new(),
        cross: Vec::new(),
        verdict: String::new(),
        games: Vec::new(),
        series: curves,
        settings: flat(&serde_json::Value::Object(head.settings).to_string()),
    })
}

/// A number, or a number with half its interval.
fn figure(value: &serde_json::Value) -> Option<(f64, Option<f64>)> {
    match value {
        serde_json::Value::Array(pair) => {
            Some((pair.first()?.as_f64()?, pair.get(1).and_then(serde_json::Value::as_f64)))
        }
        single => Some((single.as_f64()?, None)),
    }
}

/// Every n-th point, so that there are not too many; the last one always.
fn thinned(points: Vec<(f64, f64, Option<f64>)>) -> Vec<(f64, f64, Option<f64>)> {
    let stride = points.len().div_ceil(MOST_POINTS).max(1);
    let last = points.len().saturating_sub(1);
    points.into_iter().enumerate().filter(|(at, _)| at % stride == 0 || *at == last).map(|(_, point)| point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_is_drawn() {
        let run = read_log(BUNDLED, "example", EXAMPLE.as_bytes()).expect("our own file");
        assert_eq!((run.info.kind, run.info.game.as_str(), run.info.running), (RunKind::Training, "tictactoe", false));
        let names: Vec<(&str, &str)> =
            run.series.iter().map(|series| (series.group.as_str(), series.name.as_str())).collect();
        assert!(names.contains(&("loss", "value")) && names.contains(&("score", "against random moves")), "{names:?}");
        assert!(run.series.iter().all(|series| series.points.len() > 5 && series.along == "iteration"));
    }

    #[test]
    fn a_torn_line_is_passed_over_and_the_rest_of_the_way_is_estimated() {
        let log = "{\"run\":{\"kind\":\"training\",\"of\":10}}\n{\"at\":1,\"time\":10,\"loss\":{\"policy\":2}}\nnonsense\n\
                   {\"at\":3,\"time\":30,\"loss\":{\"policy\":[1.5,0.1],\"value\":\"x\"}}\n{\"at\":4,\"ti";
        let run = read_log("log-a", "a", log.as_bytes()).expect("readable");
        assert_eq!((run.info.done, run.info.eta), (3, Some(70.0)));
        assert_eq!(run.series.len(), 1);
        assert_eq!(run.series[0].points, [(1.0, 2.0, None), (3.0, 1.5, Some(0.1))]);
        assert!(!is_plain("../etc") && !is_plain("") && is_plain("2026-11-16_go9"));
    }

    #[test]
    fn a_match_has_ratings_and_boards() {
        use tengen_core::{Outcome, Side};
        use tengen_record::{Ending, Played, Record};
        let mut database = Database::in_memory().expect("a database");
        let event = database::Event {
            name: "t".into(),
            kind: "duel".into(),
            game: "tictactoe".into(),
            state: "running".into(),
            settings: r#"{"games":20,"player":[{"name":"a","player":"random"},{"name":"b","player":"random"}]}"#.into(),
            ..Default::default()
        };
        let id = database.begin_event(&event).expect("new");
        let game = |winner: Option<Side>, first: &str, second: &str| Record {
            game: "tictactoe".into(),
            players: [first.into(), second.into()],
            moves: vec![Played::new("b2")],
            ending: winner.map(|winner| Ending { outcome: Outcome::Win(winner), reason: String::new() }),
            event: "t".into(),
            ..Record::default()
        };
        let games: Vec<Record> = [
            game(Some(Side::First), "a", "b"),
            game(Some(Side::Second), "b", "a"),
            game(Some(Side::First), "b", "a"),
            game(None, "a", "b"),
        ]
        .to_vec();
        database.insert(&games).expect("written");
        let run = match_run(&database, id, &event).expect("a run");
        assert_eq!((run.info.done, run.info.of, run.info.running), (3, 20, true));
        assert_eq!(run.standings[0].name, "a");
        assert!(
            run.standings[0].rating > run.standings[1].rating
                && run.standings[0].error.is_some_and(|error| error > 50.0)
        );
        assert_eq!(run.cross[0], [None, Some([2, 0, 1])]);
        assert_eq!(run.games.len(), 4);
        assert!(run.games[0].library.is_none() && run.games[0].view.is_some(), "the game being played comes first");
    }
}
