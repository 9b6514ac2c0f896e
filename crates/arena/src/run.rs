//! Running a match from its settings to its last game.
//!
//! Everything is checked before the first game. Games are numbered by the schedule; a number, the seed and the settings decide
//! who plays, from where, and with which seeds, so that a match that was killed goes on exactly: what the database has is counted, the
//! rest is played.

use crate::adjudicate::Endgames;
use crate::date::now;
use crate::game::{Chair, Finished, Job, Terms, fingerprint};
use crate::live::{self, Shown};
use crate::openings::{self, Openings};
use crate::pool::Pool;
use crate::schedule::{self, Meeting};
use crate::settings::{Bounds, Conduct, Entrant, Format, OnCrash, Settings};
use crate::standings::{Counted, Standings, half_points};
use crate::stats::{EloModel, Sprt, SprtPath, Verdict};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Instant;
use tengen_core::{Outcome, Side, mix};
use tengen_record::Record;
use tengen_record::database::{Database, Event, EventId};
use tengen_search::params::ParamInfo;
use tengen_table::registry::{Visitor, with_game};
use tengen_table::{Game, PlayerSpec, players};

/// Hears how a match goes.
pub trait Ear {
    /// So many openings of those wanted have been found.
    fn openings(&mut self, _found: u64, _wanted: u64) {}
    /// Everything is ready.
    fn begin(&mut self, _plan: &Plan) {}
    /// A game is over.
    fn game(&mut self, _finished: &Finished, _standings: &Standings, _sprt: Option<&SprtPath>) {}
    /// Something worth a line.
    fn note(&mut self, _text: &str) {}
}

/// Hears nothing.
pub struct Deaf;

impl Ear for Deaf {}

/// What is going to happen.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// Games altogether, as far as that is known.
    pub games: u64,
    /// Those of them that an earlier run has played.
    pub before: u64,
    /// Games at the same time.
    pub concurrency: usize,
    /// How many openings there are.
    pub openings: usize,
    /// Where they are from.
    pub source: String,
}

/// What came of a match.
#[derive(Clone, Debug)]
pub struct Report {
    /// The settings, completed.
    pub settings: Settings,
    /// The plan.
    pub plan: Plan,
    /// The results.
    pub standings: Standings,
    /// The test, if there was one.
    pub sprt: Option<SprtPath>,
    /// Seconds that this run took.
    pub seconds: f64,
    /// Games that this run played; others came from the database.
    pub played: u64,
    /// Why it ended early, if it did.
    pub stopped: Option<String>,
    /// All games with their numbers, if they were to be [kept](Conduct::keep).
    pub records: Vec<(u64, Record)>,
}

/// Games of one match: each has its place in the schedule and its line in the report.
pub const MOST_GAMES: u64 = 1_000_000;
/// Plies of an opening.
const MOST_PLIES: u32 = 1000;
/// Milliseconds.
const DAY: u64 = 86_400_000;

/// Checks settings and completes them: names, digests. Every player is made once, so that a wrong name, parameter, option or program is found now.
pub fn check(settings: &mut Settings) -> Result<(), String> {
    // Step 1. The game.
    struct Can<'a>(&'a str);
    impl Visitor for Can<'_> {
        type Out = Result<(), String>;
        fn visit<P: Game>(self, _start: P) -> Self::Out {
            players::build::<P>(self.0).map(|_| ()).map_err(|error| error.to_string())
        }
    }
    struct Nothing;
    impl Visitor for Nothing {
        type Out = ();
        fn visit<P: Game>(self, _start: P) {}
    }
    with_game(&settings.game, &settings.setup, Nothing).map_err(|error| error.to_string())?;
    // Step 2. The players.
    if settings.players.len() < 2 {
        return Err("a match needs at least two players".to_owned());
    }
    let mut names = HashSet::new();
    for entrant in &mut settings.players {
        if entrant.name.is_empty() {
            entrant.name = entrant.player.clone();
        }
        let plain = entrant.name.clone();
        let numbered = (2..).map(|number| format!("{plain} ({number})"));
        // The names go on for ever, so one of them is free.
        entrant.name =
            std::iter::once(plain.clone()).chain(numbered).find(|name| !names.contains(name)).unwrap_or(plain);
        names.insert(entrant.name.clone());
    }
    for entrant in &settings.players {
        let bounds = bounds(settings, entrant);
        let text = roomy(&entrant.player, bounds);
        let built = with_game(&settings.game, &settings.setup, Can(&text)).map_err(|error| error.to_string())?;
        let needs = settings.needs.as_ref().map_or(String::new(), |needs| format!(" (this match needs {needs})"));
        built.map_err(|error| format!("player `{}`: {error}{needs}", entrant.name))?;
        for (name, value, most) in [
            ("ms", bounds.ms, DAY),
            ("nodes", bounds.nodes, u64::MAX),
            ("visits", bounds.visits, u64::MAX),
            ("depth", bounds.depth.map(u64::from), u64::MAX),
        ] {
            match value {
                Some(0) => {
                    return Err(format!("player `{}`: a bound of 0 {name} leaves nothing to think with", entrant.name));
                }
                Some(value) if value > most => {
                    return Err(format!("player `{}`: {name} is at most {most}, not {value}", entrant.name));
                }
                _ => {}
            }
        }
    }
    // Step 3. The rest.
    if settings.games == 0 {
        return Err("a match of no games has no result".to_owned());
    }
    let games = games_planned(settings);
    if games > MOST_GAMES || settings.rounds.is_some_and(|rounds| u64::from(rounds) > MOST_GAMES) {
        return Err(format!("{games} games are too many for one match: at most {MOST_GAMES} can be"));
    }
    let openings = &settings.openings;
    if openings.plies.is_some_and(|plies| plies > MOST_PLIES) {
        return Err(format!("openings of more than {MOST_PLIES} plies leave no game to play"));
    }
    if !(0.0..=2.0).contains(&openings.balance) {
        return Err(format!("openings: the balance is a number from 0 to 2, not {}", openings.balance));
    }
    if let Some(rule) = &settings.adjudication.resign
        && !(0.0..=1.0).contains(&rule.value)
    {
        return Err("adjudication: values lie between 0 and 1".to_owned());
    }
    if settings.adjudication.tablebase.is_some() && settings.game != "chess" {
        return Err("tablebases are for chess".to_owned());
    }
    if settings.sprt.is_some() {
        if settings.players.len() != 2 {
            return Err("a sequential test is between two players".to_owned());
        }
        sprt(settings)?;
    }
    if let Some(file) = &settings.openings.file {
        settings.openings.digest = Some(openings::digest(&openings::read_text(file)?));
    }
    if settings.name.is_empty() {
        let names: Vec<&str> = settings.players.iter().map(|entrant| entrant.name.as_str()).collect();
        settings.name = format!("{} at {}, seed {}", names.join(" – "), settings.game, settings.seed);
    }
    Ok(())
}

fn sprt(settings: &Settings) -> Result<Option<Sprt>, String> {
    let Some(test) = settings.sprt else { return Ok(None) };
    let model = if test.normalised { EloModel::Normalised } else { EloModel::Logistic };
    let sprt = Sprt::new(model, test.elo0, test.elo1, test.alpha, test.beta);
    sprt.map(Some).map_err(|error| format!("sequential test: {error}"))
}

/// What bounds an entrant: its own bounds, or those of everybody.
pub(crate) fn bounds<'a>(settings: &'a Settings, entrant: &'a Entrant) -> &'a Bounds {
    entrant.limits.as_ref().unwrap_or(&settings.limits)
}

/// Players that are what they are because of their depth: time does not replace it.
const FIXED_DEPTH: [&str; 4] = ["minimax", "negamax", "expectimax", "expectiminimax"];

/// Parameters with which a player's text bounds its thinking itself.
const LIMITS: [&str; 5] = ["depth", "visits", "playouts", "ms", "nodes"];

/// The parameters of a player, if it is one of Tengen's own.
pub(crate) fn params_of(name: &str) -> Vec<ParamInfo> {
    players::list().into_iter().find(|info| info.name == name).map(|info| info.params).unwrap_or_default()
}

/// A player's text with its default depth out of the way where the match has bounds of its own: `alphabeta` with a clock is to
/// think as deep as the clock allows.
pub(crate) fn roomy(text: &str, bounds: &Bounds) -> String {
    let Ok(mut spec) = PlayerSpec::read(text) else { return text.to_owned() };
    if players::is_external(text) || bounds.is_empty() || FIXED_DEPTH.contains(&spec.name.as_str()) {
        return text.to_owned();
    }
    let given = spec.settings.iter().any(|(key, _)| LIMITS.contains(&key.as_str()));
    let params = params_of(&spec.name);
    let depth = params.iter().find(|param| param.name == "depth").filter(|_| !given);
    if let Some(deepest) = depth.and_then(|depth| depth.range.rsplit(" to ").next()) {
        spec.settings.push(("depth".to_owned(), deepest.to_owned()));
    }
    spec.to_string()
}

/// A player's text with a seed, if it takes one and has none: deterministic players would play the same two games over and over.
pub(crate) fn seeded(text: &str, seed: u64) -> String {
    let Ok(mut spec) = PlayerSpec::read(text) else { return text.to_owned() };
    let takes_one = !players::is_external(text) && params_of(&spec.name).iter().any(|param| param.name == "seed");
    if !takes_one || spec.settings.iter().any(|(key, _)| key == "seed") {
        return text.to_owned();
    }
    spec.settings.push(("seed".to_owned(), (seed >> 12).to_string()));
    spec.to_string()
}

/// The players of a game think in turn, so a game needs as many threads as the hungriest has.
pub(crate) fn threads(settings: &Settings) -> usize {
    settings.players.iter().map(|entrant| players::threads(&entrant.player)).max().unwrap_or(1)
}

/// Games at the same time: as many as asked for, but never more threads than cores.
pub fn concurrency(settings: &Settings, conduct: &Conduct) -> (usize, Option<String>) {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = threads(settings);
    let most = (cores / threads).max(1);
    match conduct.concurrency {
        0 => (most, None),
        asked if asked <= most => (asked, None),
        asked => {
            let note = format!(
                "{most} games at a time instead of {asked}: there are {cores} cores, and a game takes {threads}"
            );
            (most, Some(note))
        }
    }
}

/// A game of the schedule.
#[derive(Clone, Copy, Debug)]
struct Slot {
    number: u64,
    meeting: usize,
    /// The players, `First` and `Second`.
    players: [usize; 2],
    /// Which opening, and which pair of games belongs together.
    opening: u64,
    pair: u64,
}

/// What is known of a game from the database.
struct Past {
    outcome: Outcome,
    fingerprint: u64,
    record: Record,
}

/// Where games are kept.
pub struct Store<'a> {
    /// The database.
    pub database: &'a mut Database,
    /// Whether a match of this name is to go on; else its name must be new.
    pub resume: bool,
    /// `duel`, `tournament` …
    pub kind: &'a str,
    /// What makes it happen again.
    pub origin: &'a Origin,
}

/// Where figures come from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Origin {
    /// The command line.
    pub command: String,
    /// The program's version and revision.
    pub revision: String,
}

/// Runs a match. `settings` have been [checked](check).
pub fn run(
    settings: &Settings,
    conduct: &Conduct,
    mut store: Option<Store<'_>>,
    ear: &mut dyn Ear,
) -> Result<Report, String> {
    let begun = Instant::now();
    // Step 1. What the database knows.
    let (event, mut past) = match &mut store {
        Some(store) => {
            let (event, past) = enter(settings, store)?;
            (Some(event), past)
        }
        None => (None, HashMap::new()),
    };
    // Step 2. Openings, workers.
    let openings =
        openings::prepare(settings, pairs_wanted(settings), &mut |found, wanted| ear.openings(found, wanted))?;
    let (workers, note) = concurrency(settings, conduct);
    note.iter().for_each(|note| ear.note(note));
    if conduct.affinity && !cfg!(target_os = "linux") {
        ear.note("games are not kept on cores of their own: that is for Linux");
    }
    let plan = Plan {
        games: games_planned(settings),
        before: past.len() as u64,
        concurrency: workers,
        openings: openings.list.len(),
        source: openings.source.clone(),
    };
    let endgames = settings.adjudication.tablebase.as_deref().map(Endgames::open).transpose()?;
    let terms = Terms {
        game: settings.game.clone(),
        setup: settings.setup.clone(),
        event: settings.name.clone(),
        adjudication: settings.adjudication.clone(),
        endgames,
        margin: conduct.margin,
    };
    let pool = Pool::open(terms, workers, conduct.affinity.then(|| threads(settings)));
    let test = sprt(settings)?.map(SprtPath::new);
    let names: Vec<String> = settings.players.iter().map(|entrant| entrant.name.clone()).collect();
    let mut hall = Hall {
        settings,
        conduct,
        openings,
        pool,
        standings: Standings::new(names),
        sprt: test,
        played: 0,
        records: Vec::new(),
        shown: Shown::default(),
    };
    ear.begin(&plan);
    // Step 3. Round after round.
    let (mut rounds, mut first_number, mut first_opening) = (Vec::new(), 0, 0);
    let mut stopped = None;
    while let Some(meetings) = schedule::next_round(settings, &rounds) {
        let slots = slots(&meetings, first_number, first_opening);
        first_number += slots.len() as u64;
        first_opening += meetings.iter().map(|meeting| meeting.games.div_ceil(2)).max().unwrap_or(0);
        match hall.round(&meetings, &slots, &mut past, store.as_mut(), ear)? {
            Round::Over(results) => rounds.push(results),
            Round::Decided => break,
            Round::Stopped(why) => {
                stopped = Some(why);
                break;
            }
        }
    }
    // Step 4. The end.
    let Hall { standings, sprt, played, pool, mut records, .. } = hall;
    records.sort_by_key(|(number, _)| *number);
    drop(pool);
    let seconds = begun.elapsed().as_secs_f64();
    let report = Report { settings: settings.clone(), plan, standings, sprt, seconds, played, stopped, records };
    if let (Some(store), Some(event)) = (store, event) {
        // Games that nobody waits for any more, the match being decided.
        live::clear(&settings.name, store.database).map_err(|error| error.to_string())?;
        let state = if report.stopped.is_some() { "stopped" } else { "finished" };
        let result = report.to_json().to_string();
        store.database.set_event_state(event, state, &now(), &result).map_err(|error| error.to_string())?;
    }
    Ok(report)
}

/// Finds or makes the event, and reads the games it has.
fn enter(settings: &Settings, store: &mut Store<'_>) -> Result<(EventId, HashMap<u64, Past>), String> {
    let wrong = |error: tengen_record::database::DatabaseError| error.to_string();
    let text = serde_json::to_string(settings).map_err(|error| error.to_string())?;
    let mut past = HashMap::new();
    let Some((id, event)) = store.database.event(&settings.name).map_err(wrong)? else {
        let event = Event {
            name: settings.name.clone(),
            kind: store.kind.to_owned(),
            game: settings.game.clone(),
            settings: text,
            seed: settings.seed,
            revision: store.origin.revision.clone(),
            command: store.origin.command.clone(),
            state: "running".to_owned(),
            begun: now(),
            ..Event::default()
        };
        return Ok((store.database.begin_event(&event).map_err(wrong)?, past));
    };
    if !store.resume {
        return Err(format!(
            "the database has a match `{}` already: go on with it (--resume) or give this one a name (--name)",
            event.name
        ));
    }
    // More games, or another test, do not change the games that there are.
    let played = |text: &str| {
        let mut settings: Settings = serde_json::from_str(text).ok()?;
        (settings.games, settings.sprt) = (0, None);
        Some(settings)
    };
    match (played(&event.settings), played(&text)) {
        (Some(then), Some(now)) if then == now => {}
        (Some(then), Some(now)) => {
            return Err(format!(
                "match `{}` was begun with other settings ({}): it cannot go on with these",
                event.name,
                difference(&then, &now)
            ));
        }
        _ => return Err(format!("the settings of match `{}` cannot be read", event.name)),
    }
    store
        .database
        .each_numbered(id, |number, record| {
            if let Some(outcome) = record.ending.as_ref().map(|ending| ending.outcome) {
                past.insert(number, Past { outcome, fingerprint: fingerprint(&record), record });
            }
        })
        .map_err(wrong)?;
    live::clear(&settings.name, store.database).map_err(wrong)?;
    store.database.set_event_state(id, "running", "", "").map_err(wrong)?;
    Ok((id, past))
}

/// The first field in which two settings differ, in words.
fn difference(then: &Settings, now: &Settings) -> String {
    let (Ok(then), Ok(now)) = (serde_json::to_value(then), serde_json::to_value(now)) else {
        return "unreadable".to_owned();
    };
    let keys = then.as_object().into_iter().chain(now.as_object()).flat_map(|object| object.keys());
    let differing = keys.into_iter().find(|key| then.get(key.as_str()) != now.get(key.as_str()));
    differing.map_or("unknown".to_owned(), |key| {
        let shown = |value: Option<&serde_json::Value>| {
            value.map_or("nothing".to_owned(), |value| tengen_core::refuse(&value.to_string()))
        };
        format!("{key}: {} then, {} now", shown(then.get(key.as_str())), shown(now.get(key.as_str())))
    })
}

/// Pairs of games for which there should be openings.
fn pairs_wanted(settings: &Settings) -> u64 {
    let players = settings.players.len();
    let pairs = settings.games.div_ceil(2);
    match settings.format {
        Format::RoundRobin | Format::Gauntlet => pairs,
        Format::Swiss | Format::KnockOut => {
            let rounds = settings.rounds.unwrap_or_else(|| players.next_power_of_two().ilog2());
            pairs.saturating_mul(u64::from(rounds.max(1)))
        }
    }
}

/// Games altogether, replays of a knock-out apart.
pub fn games_planned(settings: &Settings) -> u64 {
    let players = settings.players.len() as u64;
    let others = players.saturating_sub(1);
    let meetings = match settings.format {
        Format::RoundRobin => players * others / 2,
        Format::Gauntlet | Format::KnockOut => others,
        Format::Swiss => {
            let rounds = settings.rounds.unwrap_or_else(|| players.next_power_of_two().ilog2());
            u64::from(rounds).saturating_mul(players / 2)
        }
    };
    meetings.saturating_mul(settings.games)
}

/// The games of a round in the order in which they are played: all meetings move on together.
fn slots(meetings: &[Meeting], first_number: u64, first_opening: u64) -> Vec<Slot> {
    let longest = meetings.iter().map(|meeting| meeting.games).max().unwrap_or(0);
    let mut slots = Vec::new();
    for pair in 0..longest.div_ceil(2) {
        for (index, meeting) in meetings.iter().enumerate() {
            // The pair is known by the number of its first game.
            let id = first_number + slots.len() as u64;
            for half in 0..2 {
                if 2 * pair + half < meeting.games {
                    let players = if half == 0 { [meeting.a, meeting.b] } else { [meeting.b, meeting.a] };
                    let number = first_number + slots.len() as u64;
                    slots.push(Slot { number, meeting: index, players, opening: first_opening + pair, pair: id });
                }
            }
        }
    }
    slots
}

/// What came of a round.
enum Round {
    Over(Vec<schedule::Result>),
    /// The test is decided.
    Decided,
    Stopped(String),
}

/// Where a match is played.
struct Hall<'a> {
    settings: &'a Settings,
    conduct: &'a Conduct,
    openings: Openings,
    pool: Pool,
    standings: Standings,
    sprt: Option<SprtPath>,
    played: u64,
    records: Vec<(u64, Record)>,
    /// Games being played that the database has.
    shown: Shown,
}

/// One line for each player whom the machine has kept waiting beyond his time, with the worst of his moves.
fn note_late(finished: &Finished, ear: &mut dyn Ear) {
    for side in Side::BOTH {
        let moves = finished.late.iter().filter(|late| late.side == side);
        let Some(worst) = moves.clone().max_by_key(|late| late.waited) else { continue };
        let [used, waited] = [worst.used, worst.waited].map(|time| time.as_millis());
        ear.note(&format!(
            "game {}: the machine, not {}, was late in {} of its moves: in one {waited} of {used} ms went by without a free processor",
            finished.number + 1,
            finished.record.players[side.index()],
            moves.count()
        ));
    }
}

/// Games that wait for each worker: enough that none is ever idle.
const WAITING: usize = 16;
/// Games written in one transaction at most.
const BATCH: usize = 1000;

impl Hall<'_> {
    fn round(
        &mut self,
        meetings: &[Meeting],
        slots: &[Slot],
        past: &mut HashMap<u64, Past>,
        mut store: Option<&mut Store<'_>>,
        ear: &mut dyn Ear,
    ) -> Result<Round, String> {
        let mut results: Vec<schedule::Result> =
            meetings.iter().map(|&meeting| schedule::Result { meeting, a: 0, b: 0 }).collect();
        // Step 1. Games of an earlier run.
        let mut open = Vec::new();
        for slot in slots {
            match past.remove(&slot.number) {
                None => open.push(*slot),
                Some(game) => {
                    let names = slot.players.map(|player| &self.standings.names[player]);
                    let Past { outcome, fingerprint, record } = game;
                    if names != [&record.players[0], &record.players[1]] {
                        return Err(format!("game {} of the database is not the one of the schedule", slot.number));
                    }
                    let counted = Counted {
                        players: slot.players,
                        pair: slot.pair,
                        outcome,
                        fingerprint,
                        plies: record.moves.len(),
                        reason: record.ending.as_ref().map_or("", |ending| ending.reason.as_str()),
                    };
                    let decided = self.count(&counted, slot, &mut results);
                    self.keep(slot.number, &record);
                    if decided {
                        return Ok(Round::Decided);
                    }
                }
            }
        }
        // Step 2. The rest: workers are fed, results are written and counted as they come.
        let by_number: HashMap<u64, Slot> = open.iter().map(|slot| (slot.number, *slot)).collect();
        let (mut waiting, mut out) = (open.iter(), 0);
        loop {
            while out < self.pool.workers() * WAITING
                && let Some(slot) = waiting.next()
            {
                self.pool.send(self.job(slot));
                out += 1;
            }
            if out == 0 {
                return Ok(Round::Over(results));
            }
            let gone = |_| "all workers are gone: the set-up cannot be played".to_owned();
            let Some(first) = self.pool.receive_within(live::PACE).map_err(gone)? else {
                if let Some(store) = store.as_deref_mut() {
                    self.shown.update(self.pool.live(), store.database).map_err(|error| error.to_string())?;
                }
                continue;
            };
            let mut batch = vec![first];
            while batch.len() < BATCH
                && let Some(finished) = self.pool.try_receive()
            {
                batch.push(finished);
            }
            out -= batch.len();
            // Step 3. What must not count ends the match, after what may count is safe.
            let bad = batch.iter().position(|finished| self.ends_match(finished));
            let stopped = bad
                .map(|place| batch.remove(place))
                .and_then(|finished| finished.trouble.map(|trouble| (finished.record, trouble)));
            if bad.is_some() {
                batch.retain(|finished| !self.ends_match(finished));
            }
            if let Some(store) = store.as_deref_mut() {
                let records: Vec<_> = batch.iter().map(|finished| (finished.number, finished.record.clone())).collect();
                store.database.insert_numbered(&records).map_err(|error| error.to_string())?;
                for (number, _) in &records {
                    self.shown.take_away(*number, store.database).map_err(|error| error.to_string())?;
                }
            }
            let mut decided = false;
            for finished in &batch {
                let slot = by_number[&finished.number];
                let ending = finished.record.ending.as_ref().map_or("", |ending| ending.reason.as_str());
                let counted = Counted {
                    players: slot.players,
                    pair: slot.pair,
                    outcome: finished.outcome,
                    fingerprint: finished.fingerprint,
                    plies: finished.record.moves.len(),
                    reason: ending,
                };
                decided |= self.count(&counted, &slot, &mut results);
                self.standings.note_trouble(slot.players, finished);
                self.played += 1;
                self.keep(finished.number, &finished.record);
                note_late(finished, ear);
                if let Some(trouble) = &finished.trouble {
                    let name = &finished.record.players[trouble.side.index()];
                    ear.note(&format!(
                        "game {}: {} of {name}: {}",
                        finished.number + 1,
                        trouble.kind.name(),
                        trouble.story
                    ));
                }
                ear.game(finished, &self.standings, self.sprt.as_ref());
            }
            if let Some((record, trouble)) = stopped {
                let name = &record.players[trouble.side.index()];
                return Ok(Round::Stopped(format!("{} of {name}: {}", trouble.kind.name(), trouble.story)));
            }
            if decided {
                return Ok(Round::Decided);
            }
        }
    }

    fn keep(&mut self, number: u64, record: &Record) {
        if self.conduct.keep {
            self.records.push((number, record.clone()));
        }
    }

    /// Whether a game went so wrong that the match stops.
    fn ends_match(&self, finished: &Finished) -> bool {
        let Some(trouble) = &finished.trouble else { return false };
        trouble.kind.is_final() || !trouble.kind.is_loss() && self.conduct.on_crash == OnCrash::Stop
    }

    /// Counts a game; says whether the test is decided now.
    fn count(&mut self, game: &Counted<'_>, slot: &Slot, results: &mut [schedule::Result]) -> bool {
        let result = &mut results[slot.meeting];
        for side in Side::BOTH {
            let half = half_points(game.outcome, side);
            if game.players[side.index()] == result.meeting.a { result.a += half } else { result.b += half }
        }
        let completed = self.standings.count(game);
        match &mut self.sprt {
            Some(path) if completed => path.look(self.standings.pairs(0, 1)) != Verdict::Open,
            _ => false,
        }
    }

    fn job(&self, slot: &Slot) -> Job {
        let seed = self.settings.seed;
        let chair = |side: usize| {
            let entrant = &self.settings.players[slot.players[side]];
            let bounds = bounds(self.settings, entrant);
            let text = roomy(&entrant.player, bounds);
            // Each player's choices follow from the match, the game and who it is.
            let own = mix(seed ^ mix(slot.number << 8 | slot.players[side] as u64));
            Chair { name: entrant.name.clone(), player: seeded(&text, own), bounds: bounds.clone() }
        };
        Job {
            number: slot.number,
            chairs: [chair(0), chair(1)],
            opening: Arc::new(self.openings.of(slot.opening).clone()),
            dice: mix(seed ^ mix(slot.opening ^ 0x6469_6365)),
        }
    }
}
