//! The game database: one SQLite file for every game anybody played, and for the matches they belong to.
//!
//! Moves are written when they are made, whole games many at a time; either way what was written is there after the program was
//! killed. Readers are never in the way of the one writer (write-ahead log), so a server can show a tournament while it runs.

use crate::{Ending, Played, Record};
use rusqlite::types::Value as Sql;
use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, Transaction, params, params_from_iter};
use std::collections::HashMap;
use std::fmt;
use std::path::Path;
use std::time::Duration;
use tengen_core::{Outcome, Side};

/// A game in the database.
pub type GameId = i64;
/// A match, tournament or other occasion in the database.
pub type EventId = i64;

/// Why the database could not do something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DatabaseError(String);

impl fmt::Display for DatabaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game database: {}", self.0)
    }
}

impl std::error::Error for DatabaseError {}

impl From<rusqlite::Error> for DatabaseError {
    fn from(error: rusqlite::Error) -> Self {
        DatabaseError(error.to_string())
    }
}

impl From<serde_json::Error> for DatabaseError {
    fn from(error: serde_json::Error) -> Self {
        DatabaseError(format!("a stored text is damaged: {error}"))
    }
}

type Result<T> = std::result::Result<T, DatabaseError>;

/// One step of the schema each; a file knows how many it has taken (`user_version`).
const STEPS: &[&str] = &[
    "
    CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE event (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, game TEXT NOT NULL,
        settings TEXT NOT NULL, seed INTEGER NOT NULL, revision TEXT NOT NULL, state TEXT NOT NULL,
        begun TEXT NOT NULL, ended TEXT NOT NULL DEFAULT '', result TEXT NOT NULL DEFAULT ''
    );
    CREATE TABLE game (
        id INTEGER PRIMARY KEY, game TEXT NOT NULL, setup TEXT NOT NULL,
        first INTEGER NOT NULL REFERENCES player, second INTEGER NOT NULL REFERENCES player,
        outcome TEXT CHECK (outcome IN ('first', 'second', 'draw')), reason TEXT NOT NULL DEFAULT '',
        event INTEGER REFERENCES event ON DELETE CASCADE, number INTEGER,
        date TEXT NOT NULL, plies INTEGER NOT NULL, tags TEXT NOT NULL,
        UNIQUE (event, number)
    );
    CREATE INDEX game_by_players ON game (first, second);
    CREATE INDEX game_by_second ON game (second);
    CREATE INDEX game_by_date ON game (date);
    CREATE TABLE move (
        game INTEGER NOT NULL REFERENCES game ON DELETE CASCADE, ply INTEGER NOT NULL, text TEXT NOT NULL,
        seconds REAL, value REAL, lead REAL, depth INTEGER, nodes INTEGER, comment TEXT,
        PRIMARY KEY (game, ply)
    ) WITHOUT ROWID;
",
    "
    ALTER TABLE event ADD COLUMN command TEXT NOT NULL DEFAULT '';
",
];

/// The schema that this program writes.
const VERSION: u32 = STEPS.len() as u32;

/// A match or tournament: what is needed to go on with it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Event {
    /// Its name, which no other event has.
    pub name: String,
    /// `duel`, `tournament`, `selfplay` …
    pub kind: String,
    /// The game's id.
    pub game: String,
    /// Everything that was chosen, as JSON.
    pub settings: String,
    /// What chance was seeded with.
    pub seed: u64,
    /// The program that ran it.
    pub revision: String,
    /// The command line that makes it happen again, or nothing.
    pub command: String,
    /// `running`, `finished`, `stopped` …
    pub state: String,
    /// When it began.
    pub begun: String,
    /// When it ended, or nothing.
    pub ended: String,
    /// What came of it, as JSON, or nothing.
    pub result: String,
}

/// Which games are meant; what is `None` or empty does not choose.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Filter {
    /// This game only.
    pub game: Option<String>,
    /// Games of this player, whichever side.
    pub player: Option<String>,
    /// Games of this event.
    pub event: Option<String>,
    /// From this date on (inclusive, as text).
    pub since: Option<String>,
    /// Up to this date (inclusive: `2026-11` takes all of November).
    pub until: Option<String>,
    /// Games with this outcome.
    pub outcome: Option<Outcome>,
    /// Finished games only, or unfinished ones only.
    pub finished: Option<bool>,
    /// Games with this text in the names, the event, the reason or the tags.
    pub text: Option<String>,
}

/// One page of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Page {
    /// How many to leave out.
    pub skip: u64,
    /// How many to show at most.
    pub take: u64,
}

impl Page {
    /// Everything.
    pub const ALL: Page = Page { skip: 0, take: i64::MAX as u64 };
}

/// A game as a list shows it.
#[derive(Clone, PartialEq, Debug)]
pub struct Summary {
    /// Its number in the database.
    pub id: GameId,
    /// The game's id.
    pub game: String,
    /// Who played.
    pub players: [String; 2],
    /// How it ended, if it has.
    pub ending: Option<Ending>,
    /// Its event, or nothing.
    pub event: String,
    /// Its number in the event.
    pub number: Option<u64>,
    /// When it began.
    pub date: String,
    /// Moves so far.
    pub plies: usize,
}

/// How one player did as `First` against another, over all games that were chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Score {
    /// Who moved first.
    pub first: String,
    /// Who moved second.
    pub second: String,
    /// Games that `first` won.
    pub wins: u64,
    /// Draws.
    pub draws: u64,
    /// Games that `first` lost.
    pub losses: u64,
}

/// The database.
pub struct Database {
    connection: Connection,
    /// Ids of names, so that a match does not ask for the same two thousands of times.
    players: HashMap<String, i64>,
    events: HashMap<String, EventId>,
}

impl Database {
    /// Opens the database in this file, making it if it is not there and bringing it up to date if it is older.
    pub fn open(path: &Path) -> Result<Self> {
        if let Some(dir) = path.parent().filter(|dir| !dir.as_os_str().is_empty()) {
            std::fs::create_dir_all(dir).map_err(|error| DatabaseError(format!("{}: {error}", dir.display())))?;
        }
        let connection = Connection::open(path).map_err(|error| naming(path, &error))?;
        Self::prepare(connection).map_err(|error| DatabaseError(format!("{}: {}", path.display(), error.0)))
    }

    /// Opens the database in this file to look at it only.
    pub fn open_read_only(path: &Path) -> Result<Self> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(|error| naming(path, &error))?;
        connection.busy_timeout(Duration::from_secs(10))?;
        let version: u32 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        if (1..VERSION).contains(&version) {
            // An older file is brought up to date first, once.
            drop(connection);
            drop(Self::open(path)?);
            return Self::open_read_only(path);
        }
        if version != VERSION {
            return Err(DatabaseError(format!("{}: schema {version}, not {}", path.display(), VERSION)));
        }
        Ok(Database { connection, players: HashMap::new(), events: HashMap::new() })
    }

    /// A database that is gone with the program.
    pub fn in_memory() -> Result<Self> {
        Self::prepare(Connection::open_in_memory()?)
    }

    fn prepare(mut connection: Connection) -> Result<Self> {
        connection.busy_timeout(Duration::from_secs(30))?;
        // With the log, a commit is in the hands of the system at once: killing the program loses nothing.
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        // Another program may be making the file at this very moment: one of the two goes first.
        let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let version: u32 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        if version > VERSION {
            return Err(DatabaseError(format!("it was made by a newer Tengen (schema {version})")));
        }
        for step in &STEPS[version as usize..] {
            transaction.execute_batch(step)?;
        }
        transaction.pragma_update(None, "user_version", VERSION)?;
        transaction.commit()?;
        connection.set_prepared_statement_cache_capacity(64);
        // Several programs may write to one file: who begins a transaction waits for its turn then. One that had begun to read
        // could not wait, and would be refused when it comes to write.
        connection.set_transaction_behavior(rusqlite::TransactionBehavior::Immediate);
        Ok(Database { connection, players: HashMap::new(), events: HashMap::new() })
    }

    /// Begins a game: the record with the moves it has so far. It belongs to the event that the record names, which is made
    /// if it is not there.
    pub fn begin(&mut self, record: &Record) -> Result<GameId> {
        Ok(self.insert_all([(None, record)])?[0])
    }

    /// Adds moves to a game; they are safe when this returns.
    pub fn append(&mut self, game: GameId, moves: &[Played]) -> Result<()> {
        let transaction = self.connection.transaction()?;
        let ply: Option<i64> =
            transaction.query_row("SELECT plies FROM game WHERE id = ?", [game], |row| row.get(0)).optional()?;
        let mut ply = ply.ok_or_else(|| missing(game))?;
        for played in moves {
            write_move(&transaction, game, ply, played)?;
            ply += 1;
        }
        transaction.execute("UPDATE game SET plies = ? WHERE id = ?", [ply, game])?;
        Ok(transaction.commit()?)
    }

    /// Takes moves back, so that this many are left; the game is no longer over.
    pub fn truncate(&mut self, game: GameId, plies: usize) -> Result<()> {
        let plies = i64::try_from(plies).unwrap_or(i64::MAX);
        let transaction = self.connection.transaction()?;
        transaction.execute("DELETE FROM move WHERE game = ? AND ply >= ?", [game, plies])?;
        transaction.execute(
            "UPDATE game SET plies = min(plies, ?), outcome = NULL, reason = '' WHERE id = ?",
            [plies, game],
        )?;
        Ok(transaction.commit()?)
    }

    /// Writes how a game ended.
    pub fn finish(&mut self, game: GameId, ending: &Ending) -> Result<()> {
        let changed = self.connection.execute(
            "UPDATE game SET outcome = ?, reason = ? WHERE id = ?",
            params![ending.outcome.name(), ending.reason, game],
        )?;
        if changed == 0 { Err(missing(game)) } else { Ok(()) }
    }

    /// Writes whole games in one transaction: all of them or none.
    pub fn insert(&mut self, records: &[Record]) -> Result<Vec<GameId>> {
        self.insert_all(records.iter().map(|record| (None, record)))
    }

    /// The same for games that have a number in their event. A number can be taken only once, so that no game of a match is
    /// counted twice.
    pub fn insert_numbered(&mut self, records: &[(u64, Record)]) -> Result<Vec<GameId>> {
        self.insert_all(records.iter().map(|(number, record)| (Some(*number), record)))
    }

    fn insert_all<'a>(&mut self, records: impl IntoIterator<Item = (Option<u64>, &'a Record)>) -> Result<Vec<GameId>> {
        let transaction = self.connection.transaction()?;
        let mut ids = Vec::new();
        for (number, record) in records {
            let [first, second] = &record.players;
            let first = player(&transaction, &mut self.players, first)?;
            let second = player(&transaction, &mut self.players, second)?;
            let event = match record.event.as_str() {
                "" => None,
                name => Some(event(&transaction, &mut self.events, name, &record.game)?),
            };
            let ending = record.ending.as_ref();
            transaction
                .prepare_cached(
                    "INSERT INTO game (game, setup, first, second, outcome, reason, event, number, date, plies, tags)
                     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                )?
                .execute(params![
                    record.game,
                    serde_json::to_string(&record.setup)?,
                    first,
                    second,
                    ending.map(|ending| ending.outcome.name()),
                    ending.map_or("", |ending| ending.reason.as_str()),
                    event,
                    number.map(|number| number as i64),
                    record.date,
                    record.moves.len() as i64,
                    serde_json::to_string(&record.tags)?,
                ])?;
            let id = transaction.last_insert_rowid();
            for (ply, played) in (0..).zip(&record.moves) {
                write_move(&transaction, id, ply, played)?;
            }
            ids.push(id);
        }
        if let Err(error) = transaction.commit() {
            // Names that were new in it have no ids after all.
            self.players.clear();
            self.events.clear();
            return Err(error.into());
        }
        Ok(ids)
    }

    /// One game with all its moves, if it is there.
    pub fn read(&self, game: GameId) -> Result<Option<Record>> {
        let text = format!("{SUMMARY}, game.setup, game.tags {FROM} WHERE game.id = ?");
        let found = self
            .connection
            .prepare_cached(&text)?
            .query_row([game], |row| Ok((summary(row)?, row.get::<_, String>(10)?, row.get::<_, String>(11)?)))
            .optional()?;
        let Some((summary, setup, tags)) = found else {
            return Ok(None);
        };
        let mut statement = self.connection.prepare_cached(
            "SELECT text, seconds, value, lead, depth, nodes, comment FROM move WHERE game = ? ORDER BY ply",
        )?;
        let moves = statement.query_map([game], |row| {
            Ok(Played {
                text: row.get(0)?,
                seconds: row.get(1)?,
                value: row.get(2)?,
                lead: row.get(3)?,
                depth: row.get(4)?,
                nodes: row.get::<_, Option<i64>>(5)?.map(|nodes| nodes as u64),
                comment: row.get::<_, Option<String>>(6)?.unwrap_or_default(),
            })
        })?;
        Ok(Some(Record {
            game: summary.game,
            setup: serde_json::from_str(&setup)?,
            players: summary.players,
            moves: moves.collect::<std::result::Result<_, _>>()?,
            ending: summary.ending,
            event: summary.event,
            date: summary.date,
            tags: serde_json::from_str(&tags)?,
        }))
    }

    /// Forgets a game; says whether it was there.
    pub fn delete(&mut self, game: GameId) -> Result<bool> {
        Ok(self.connection.execute("DELETE FROM game WHERE id = ?", [game])? > 0)
    }

    /// The games that were chosen, the newest first, one page of them.
    pub fn find(&self, filter: &Filter, page: Page) -> Result<Vec<Summary>> {
        let (condition, mut values) = filter.sql();
        let most = |number: u64| Sql::Integer(i64::try_from(number).unwrap_or(i64::MAX));
        values.extend([most(page.take), most(page.skip)]);
        let text = format!("{SUMMARY} {FROM} WHERE {condition} ORDER BY game.id DESC LIMIT ? OFFSET ?");
        let mut statement = self.connection.prepare_cached(&text)?;
        let rows = statement.query_map(params_from_iter(values), summary)?;
        Ok(rows.collect::<std::result::Result<_, _>>()?)
    }

    /// How many games were chosen.
    pub fn count(&self, filter: &Filter) -> Result<u64> {
        let (condition, values) = filter.sql();
        let text = format!("SELECT count(*) {FROM} WHERE {condition}");
        let count: i64 = self.connection.query_row(&text, params_from_iter(values), |row| row.get(0))?;
        Ok(count as u64)
    }

    /// Who did how well against whom in the finished games that were chosen: what ratings are made from.
    pub fn scores(&self, filter: &Filter) -> Result<Vec<Score>> {
        let (condition, values) = filter.sql();
        let text = format!(
            "SELECT f.name, s.name, sum(game.outcome = 'first'), sum(game.outcome = 'draw'), sum(game.outcome = 'second')
             {FROM} WHERE {condition} AND game.outcome IS NOT NULL GROUP BY f.name, s.name ORDER BY f.name, s.name"
        );
        let mut statement = self.connection.prepare(&text)?;
        let rows = statement.query_map(params_from_iter(values), |row| {
            let number = |column| row.get::<_, i64>(column).map(|number| number as u64);
            Ok(Score {
                first: row.get(0)?,
                second: row.get(1)?,
                wins: number(2)?,
                draws: number(3)?,
                losses: number(4)?,
            })
        })?;
        Ok(rows.collect::<std::result::Result<_, _>>()?)
    }

    /// The games' ids with finished games, each with their number.
    pub fn games_played(&self) -> Result<Vec<(String, u64)>> {
        let mut statement = self
            .connection
            .prepare("SELECT game, count(*) FROM game WHERE outcome IS NOT NULL GROUP BY game ORDER BY game")?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get::<_, i64>(1)? as u64)))?;
        Ok(rows.collect::<std::result::Result<_, _>>()?)
    }

    /// The names of all players with a game that was chosen, in order.
    pub fn player_names(&self, filter: &Filter) -> Result<Vec<String>> {
        let (condition, values) = filter.sql();
        let twice = values.iter().chain(&values).cloned().collect::<Vec<_>>();
        let text =
            format!("SELECT f.name {FROM} WHERE {condition} UNION SELECT s.name {FROM} WHERE {condition} ORDER BY 1");
        let mut statement = self.connection.prepare(&text)?;
        let rows = statement.query_map(params_from_iter(twice), |row| row.get(0))?;
        Ok(rows.collect::<std::result::Result<_, _>>()?)
    }

    /// Makes an event; refuses a name that there is already.
    pub fn begin_event(&mut self, event: &Event) -> Result<EventId> {
        if self.event(&event.name)?.is_some() {
            return Err(DatabaseError(format!("there is an event `{}` already", event.name)));
        }
        self.connection.execute(
            "INSERT INTO event (name, kind, game, settings, seed, revision, state, begun, ended, result, command)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            params![
                event.name,
                event.kind,
                event.game,
                event.settings,
                event.seed as i64,
                event.revision,
                event.state,
                event.begun,
                event.ended,
                event.result,
                event.command,
            ],
        )?;
        let id = self.connection.last_insert_rowid();
        self.events.insert(event.name.clone(), id);
        Ok(id)
    }

    /// The event of this name, if there is one.
    pub fn event(&self, name: &str) -> Result<Option<(EventId, Event)>> {
        let mut statement = self.connection.prepare_cached(&format!("{EVENT} WHERE name = ?"))?;
        Ok(statement.query_row([name], read_event).optional()?)
    }

    /// All events, the newest first.
    pub fn events(&self) -> Result<Vec<(EventId, Event)>> {
        let mut statement = self.connection.prepare_cached(&format!("{EVENT} ORDER BY id DESC"))?;
        let rows = statement.query_map([], read_event)?;
        Ok(rows.collect::<std::result::Result<_, _>>()?)
    }

    /// Writes how an event stands: its state, when it ended (or nothing), what came of it (JSON, or nothing).
    pub fn set_event_state(&mut self, event: EventId, state: &str, ended: &str, result: &str) -> Result<()> {
        self.connection.execute(
            "UPDATE event SET state = ?, ended = ?, result = ? WHERE id = ?",
            params![state, ended, result, event],
        )?;
        Ok(())
    }

    /// Forgets an event with all its games.
    pub fn delete_event(&mut self, event: EventId) -> Result<bool> {
        self.events.clear();
        Ok(self.connection.execute("DELETE FROM event WHERE id = ?", [event])? > 0)
    }

    /// The numbered games of an event in their order: number, game, and the record without its moves' figures. Calls `see` for each.
    pub fn each_numbered(&self, event: EventId, mut see: impl FnMut(u64, Record)) -> Result<()> {
        let mut statement = self
            .connection
            .prepare("SELECT number, id FROM game WHERE event = ? AND number IS NOT NULL AND outcome IS NOT NULL ORDER BY number")?;
        let rows = statement.query_map([event], |row| Ok((row.get::<_, i64>(0)? as u64, row.get(1)?)))?;
        for row in rows {
            let (number, id) = row?;
            if let Some(record) = self.read(id)? {
                see(number, record);
            }
        }
        Ok(())
    }
}

const SUMMARY: &str = "SELECT game.id, game.game, f.name, s.name, game.outcome, game.reason, \
     coalesce(event.name, ''), game.number, game.date, game.plies";
const FROM: &str = "FROM game JOIN player f ON f.id = game.first JOIN player s ON s.id = game.second \
     LEFT JOIN event ON event.id = game.event";
const EVENT: &str =
    "SELECT id, name, kind, game, settings, seed, revision, state, begun, ended, result, command FROM event";

impl Filter {
    /// The condition and its values.
    fn sql(&self) -> (String, Vec<Sql>) {
        let mut conditions = vec!["1"];
        let mut values = Vec::new();
        let mut add = |condition: &'static str, texts: Vec<String>| {
            conditions.push(condition);
            values.extend(texts.into_iter().map(Sql::Text));
        };
        if let Some(game) = &self.game {
            add("game.game = ?", vec![game.clone()]);
        }
        if let Some(player) = &self.player {
            add("? IN (f.name, s.name)", vec![player.clone()]);
        }
        if let Some(event) = &self.event {
            add("event.name = ?", vec![event.clone()]);
        }
        if let Some(since) = &self.since {
            add("game.date >= ?", vec![since.clone()]);
        }
        if let Some(until) = &self.until {
            // Dates are compared as far as this one says.
            add("substr(game.date, 1, length(?)) <= ?", vec![until.clone(), until.clone()]);
        }
        if let Some(outcome) = self.outcome {
            add("game.outcome = ?", vec![outcome.name().to_owned()]);
        }
        match self.finished {
            Some(true) => add("game.outcome IS NOT NULL", vec![]),
            Some(false) => add("game.outcome IS NULL", vec![]),
            None => {}
        }
        if let Some(text) = &self.text {
            let text = text.to_lowercase();
            add(
                "instr(lower(f.name || ' ' || s.name || ' ' || coalesce(event.name, '') || ' ' || game.reason || ' ' || game.tags), ?)",
                vec![text],
            );
        }
        (conditions.join(" AND "), values)
    }
}

fn naming(path: &Path, error: &rusqlite::Error) -> DatabaseError {
    DatabaseError(format!("{}: {error}", path.display()))
}

fn missing(game: GameId) -> DatabaseError {
    DatabaseError(format!("there is no game {game}"))
}

fn player(transaction: &Transaction<'_>, known: &mut HashMap<String, i64>, name: &str) -> Result<i64> {
    if let Some(id) = known.get(name) {
        return Ok(*id);
    }
    transaction.execute("INSERT INTO player (name) VALUES (?) ON CONFLICT DO NOTHING", [name])?;
    let id = transaction.query_row("SELECT id FROM player WHERE name = ?", [name], |row| row.get(0))?;
    known.insert(name.to_owned(), id);
    Ok(id)
}

fn event(
    transaction: &Transaction<'_>,
    known: &mut HashMap<String, EventId>,
    name: &str,
    game: &str,
) -> Result<EventId> {
    if let Some(id) = known.get(name) {
        return Ok(*id);
    }
    transaction.execute(
        "INSERT INTO event (name, kind, game, settings, seed, revision, state, begun)
         VALUES (?, '', ?, '', 0, '', '', '') ON CONFLICT DO NOTHING",
        [name, game],
    )?;
    let id = transaction.query_row("SELECT id FROM event WHERE name = ?", [name], |row| row.get(0))?;
    known.insert(name.to_owned(), id);
    Ok(id)
}

fn write_move(transaction: &Transaction<'_>, game: GameId, ply: i64, played: &Played) -> Result<()> {
    let comment = (!played.comment.is_empty()).then_some(&played.comment);
    transaction
        .prepare_cached(
            "INSERT INTO move (game, ply, text, seconds, value, lead, depth, nodes, comment) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )?
        .execute(params![
            game,
            ply,
            played.text,
            played.seconds,
            played.value,
            played.lead,
            played.depth,
            played.nodes.map(|nodes| nodes as i64),
            comment,
        ])?;
    Ok(())
}

fn summary(row: &Row<'_>) -> rusqlite::Result<Summary> {
    let outcome: Option<String> = row.get(4)?;
    let outcome = match outcome.as_deref() {
        Some("first") => Some(Outcome::Win(Side::First)),
        Some("second") => Some(Outcome::Win(Side::Second)),
        Some("draw") => Some(Outcome::Draw),
        _ => None,
    };
    let reason: String = row.get(5)?;
    Ok(Summary {
        id: row.get(0)?,
        game: row.get(1)?,
        players: [row.get(2)?, row.get(3)?],
        ending: outcome.map(|outcome| Ending { outcome, reason }),
        event: row.get(6)?,
        number: row.get::<_, Option<i64>>(7)?.map(|number| number as u64),
        date: row.get(8)?,
        plies: row.get::<_, i64>(9)? as usize,
    })
}

fn read_event(row: &Row<'_>) -> rusqlite::Result<(EventId, Event)> {
    let event = Event {
        name: row.get(1)?,
        kind: row.get(2)?,
        game: row.get(3)?,
        settings: row.get(4)?,
        seed: row.get::<_, i64>(5)? as u64,
        revision: row.get(6)?,
        state: row.get(7)?,
        begun: row.get(8)?,
        ended: row.get(9)?,
        result: row.get(10)?,
        command: row.get(11)?,
    };
    Ok((row.get(0)?, event))
}
