//! Finished games: the database of records, asked from async code.

use crate::message::{Code, LibraryGame, Trouble};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use tengen_record::Record;
use tengen_record::database::{Database, Filter, Page, Summary};

/// The game database. It blocks, so everything goes through the runtime's blocking threads.
pub struct Library {
    database: Arc<Mutex<Database>>,
}

impl From<Summary> for LibraryGame {
    fn from(summary: Summary) -> Self {
        let (winner, reason) = match summary.ending {
            Some(ending) => (Some(ending.outcome.into()), ending.reason),
            None => (None, String::new()),
        };
        LibraryGame {
            // Nobody plays four thousand million games.
            id: summary.id as u32,
            game: summary.game,
            players: summary.players,
            winner,
            reason,
            date: summary.date,
            event: summary.event,
            plies: summary.plies as u32,
        }
    }
}

impl Library {
    /// Opens the database, making it if it is not there.
    pub fn open(path: &Path) -> Result<Self, String> {
        let database = Database::open(path).map_err(|error| error.to_string())?;
        Ok(Library { database: Arc::new(Mutex::new(database)) })
    }

    /// Does something with the database.
    pub async fn with<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Database) -> Result<T, Trouble> + Send + 'static,
    ) -> Result<T, Trouble> {
        let database = Arc::clone(&self.database);
        let work = move || work(&mut database.lock().unwrap_or_else(PoisonError::into_inner));
        tokio::task::spawn_blocking(work).await.map_err(Trouble::failed)?
    }

    /// Puts a finished game in; says its number.
    pub async fn add(&self, record: Record) -> Result<u32, Trouble> {
        self.with(move |database| Ok(database.insert(&[record])?.first().copied().unwrap_or(0) as u32)).await
    }

    /// A game with its moves.
    pub async fn read(&self, game: u32) -> Result<Record, Trouble> {
        let found = self.with(move |database| Ok(database.read(game.into())?)).await?;
        found.ok_or_else(|| Trouble::new(Code::Unknown, "there is no such game in the library"))
    }

    /// Games that were chosen, and how many there are in all.
    pub async fn find(&self, filter: Filter, page: Page) -> Result<(u32, Vec<Summary>), Trouble> {
        self.with(move |database| Ok((database.count(&filter)? as u32, database.find(&filter, page)?))).await
    }
}
