//! Games that are being played, for whoever looks into the database meanwhile.
//!
//! A worker tells how far its game has come, seldom enough that quick games are never told of at all. The match writes it down now and then as
//! a game without end and without number, and takes it away when the game is over: what counts is written as before.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tengen_record::database::{Database, DatabaseError, Filter, GameId, Page};
use tengen_record::{Played, Record};

/// Between two words about a game, and between two looks at them.
pub(crate) const PACE: Duration = Duration::from_secs(1);

/// What is known of the games being played, by their numbers.
#[derive(Default)]
pub(crate) struct Live(Mutex<HashMap<u64, Record>>);

impl Live {
    fn games(&self) -> MutexGuard<'_, HashMap<u64, Record>> {
        // Nothing is half done under this lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One game's way to tell of itself.
pub(crate) struct Teller<'a> {
    live: &'a Live,
    number: u64,
    last: Instant,
}

impl<'a> Teller<'a> {
    pub fn new(live: &'a Live, number: u64) -> Self {
        Teller { live, number, last: Instant::now() }
    }

    /// Tells how far the game has come, unless it has just done so; `begun` is asked for the first time only.
    pub fn tell(&mut self, played: &[Played], begun: impl FnOnce() -> Record) {
        if self.last.elapsed() < PACE {
            return;
        }
        self.last = Instant::now();
        let mut games = self.live.games();
        let record = games.entry(self.number).or_insert_with(begun);
        record.moves.extend_from_slice(&played[record.moves.len()..]);
    }
}

impl Drop for Teller<'_> {
    fn drop(&mut self) {
        self.live.games().remove(&self.number);
    }
}

/// What of it is in the database.
#[derive(Default)]
pub(crate) struct Shown(HashMap<u64, (GameId, usize)>);

impl Shown {
    /// Writes what is new about the games being played, and takes away those that are over.
    pub fn update(&mut self, live: &Live, database: &mut Database) -> Result<(), DatabaseError> {
        let games = live.games().clone();
        for (&number, record) in &games {
            match self.0.get_mut(&number) {
                None => {
                    self.0.insert(number, (database.begin(record)?, record.moves.len()));
                }
                Some((id, written)) => {
                    if *written < record.moves.len() {
                        database.append(*id, &record.moves[*written..])?;
                        *written = record.moves.len();
                    }
                }
            }
        }
        let over: Vec<u64> = self.0.keys().copied().filter(|number| !games.contains_key(number)).collect();
        over.into_iter().try_for_each(|number| self.take_away(number, database))
    }

    /// Takes a game away that is written elsewhere now.
    pub fn take_away(&mut self, number: u64, database: &mut Database) -> Result<(), DatabaseError> {
        match self.0.remove(&number) {
            Some((id, _)) => database.delete(id).map(|_| ()),
            None => Ok(()),
        }
    }
}

/// Takes away what a match that was killed has left.
pub(crate) fn clear(event: &str, database: &mut Database) -> Result<(), DatabaseError> {
    let left = Filter { event: Some(event.to_owned()), finished: Some(false), ..Filter::default() };
    for game in database.find(&left, Page { skip: 0, take: 10_000 })? {
        database.delete(game.id)?;
    }
    Ok(())
}
