//! Tables on disk: what happened at each, in order, safe before anybody hears of it.
//!
//! One thread writes. It takes everything that waits, writes it in one transaction and then tells everyone at once, so a hundred
//! games cost hardly more than one. What is read is a table's log, from which the table is made again.

use crate::message::Trouble;
use rusqlite::{Connection, OptionalExtension, params};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::oneshot;

const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS room (
        id TEXT PRIMARY KEY, opening TEXT NOT NULL, begun INTEGER NOT NULL, touched INTEGER NOT NULL, open INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS room_open ON room (open, touched);
    CREATE TABLE IF NOT EXISTS entry (
        room TEXT NOT NULL REFERENCES room ON DELETE CASCADE, number INTEGER NOT NULL, entry TEXT NOT NULL,
        PRIMARY KEY (room, number)
    ) WITHOUT ROWID;
";

/// Transactions are not made larger than this.
const MOST_AT_ONCE: usize = 1000;

/// A line of a table's log.
#[derive(Clone)]
pub struct Line {
    /// Which one.
    pub number: usize,
    /// What it says.
    pub text: String,
    /// Whether it is there already and now says something else.
    pub anew: bool,
}

/// Something to be written.
enum Write {
    Open {
        id: String,
        opening: String,
        now: i64,
    },
    /// `is_open`: whether the game still goes on and is to be woken after a restart.
    Append {
        id: String,
        lines: Vec<Line>,
        now: i64,
        is_open: bool,
    },
    Forget {
        before: i64,
    },
}

struct Order {
    write: Write,
    done: oneshot::Sender<Result<(), String>>,
}

/// A table's log.
pub struct Log {
    /// How it was opened.
    pub opening: String,
    /// What happened since.
    pub entries: Vec<String>,
}

/// The tables on disk.
pub struct Store {
    orders: Mutex<Option<mpsc::Sender<Order>>>,
    writer: Mutex<Option<JoinHandle<()>>>,
    path: PathBuf,
    readers: Mutex<Vec<Connection>>,
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(Duration::from_secs(10))?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    // Not only killing the program but pulling the plug loses nothing that was announced.
    connection.pragma_update(None, "synchronous", "FULL")?;
    Ok(connection)
}

impl Store {
    /// Opens the file, making it if it is not there.
    pub fn open(path: &Path) -> Result<Self, String> {
        let complain = |error: rusqlite::Error| format!("cannot open {}: {error}", path.display());
        let connection = connect(path).map_err(complain)?;
        connection.execute_batch(SCHEMA).map_err(complain)?;
        let (orders, inbox) = mpsc::channel();
        let writer = std::thread::Builder::new()
            .name("store".to_owned())
            .spawn(move || write_all(connection, &inbox))
            .map_err(|error| format!("cannot start a thread: {error}"))?;
        Ok(Store {
            orders: Mutex::new(Some(orders)),
            writer: Mutex::new(Some(writer)),
            path: path.to_owned(),
            readers: Mutex::new(Vec::new()),
        })
    }

    async fn order(&self, write: Write) -> Result<(), Trouble> {
        let (done, wait) = oneshot::channel();
        let sent = match &*self.orders.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(orders) => orders.send(Order { write, done }).is_ok(),
            None => false,
        };
        match if sent { wait.await } else { Ok(Err("the store is closed".to_owned())) } {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(Trouble::failed(format!("store: {error}"))),
            Err(_) => Err(Trouble::failed("store: the writer is gone")),
        }
    }

    /// Writes a new table down.
    pub async fn open_room(&self, id: &str, opening: String, now: i64) -> Result<(), Trouble> {
        self.order(Write::Open { id: id.to_owned(), opening, now }).await
    }

    /// Writes down what happened at a table.
    pub async fn append(&self, id: &str, lines: Vec<Line>, now: i64, is_open: bool) -> Result<(), Trouble> {
        self.order(Write::Append { id: id.to_owned(), lines, now, is_open }).await
    }

    /// Forgets tables that nobody has touched since.
    pub async fn forget(&self, before: i64) -> Result<(), Trouble> {
        self.order(Write::Forget { before }).await
    }

    /// Reads with one of the connections that are there for it.
    fn read<T>(&self, read: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, Trouble> {
        let spare = self.readers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let connection = match spare {
            Some(connection) => connection,
            None => connect(&self.path).map_err(Trouble::failed)?,
        };
        let found = read(&connection).map_err(Trouble::failed);
        self.readers.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
        found
    }

    /// A table's log, if there is such a table. Blocks.
    pub fn log(&self, id: &str) -> Result<Option<Log>, Trouble> {
        self.read(|connection| {
            let opening: Option<String> = connection
                .prepare_cached("SELECT opening FROM room WHERE id = ?")?
                .query_row([id], |row| row.get(0))
                .optional()?;
            let Some(opening) = opening else {
                return Ok(None);
            };
            let mut statement = connection.prepare_cached("SELECT entry FROM entry WHERE room = ? ORDER BY number")?;
            let entries = statement.query_map([id], |row| row.get(0))?.collect::<Result<_, _>>()?;
            Ok(Some(Log { opening, entries }))
        })
    }

    /// The tables at which a game goes on and something happened since, the latest first. Blocks.
    pub fn open_rooms(&self, since: i64, most: usize) -> Result<Vec<String>, Trouble> {
        self.read(|connection| {
            let mut statement = connection
                .prepare_cached("SELECT id FROM room WHERE open = 1 AND touched >= ? ORDER BY touched DESC LIMIT ?")?;
            statement.query_map(params![since, most as i64], |row| row.get(0))?.collect()
        })
    }

    /// Writes what waits and ends.
    pub fn close(&self) {
        self.orders.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(writer) = self.writer.lock().unwrap_or_else(PoisonError::into_inner).take() {
            let _ = writer.join();
        }
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        self.close();
    }
}

/// The writer's day: ends when nobody can order any more.
fn write_all(mut connection: Connection, inbox: &mpsc::Receiver<Order>) {
    while let Ok(first) = inbox.recv() {
        let mut orders = vec![first];
        orders.extend(inbox.try_iter().take(MOST_AT_ONCE - 1));
        let written = write_together(&mut connection, &orders);
        match written {
            Ok(()) => orders.into_iter().for_each(|order| drop(order.done.send(Ok(())))),
            // One bad order must not spoil the others': each by itself.
            Err(_) if orders.len() > 1 => {
                for order in orders {
                    let alone = write_together(&mut connection, std::slice::from_ref(&order));
                    let _ = order.done.send(alone.map_err(|error| error.to_string()));
                }
            }
            Err(error) => orders.into_iter().for_each(|order| drop(order.done.send(Err(error.to_string())))),
        }
    }
}

fn write_together(connection: &mut Connection, orders: &[Order]) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    for order in orders {
        match &order.write {
            Write::Open { id, opening, now } => {
                transaction
                    .prepare_cached("INSERT INTO room (id, opening, begun, touched, open) VALUES (?, ?, ?, ?, 1)")?
                    .execute(params![id, opening, now, now])?;
            }
            Write::Append { id, lines, now, is_open } => {
                let mut add = transaction.prepare_cached("INSERT INTO entry (entry, room, number) VALUES (?, ?, ?)")?;
                let mut change =
                    transaction.prepare_cached("UPDATE entry SET entry = ? WHERE room = ? AND number = ?")?;
                for Line { number, text, anew } in lines {
                    let write = if *anew { &mut change } else { &mut add };
                    write.execute(params![text, id, *number as i64])?;
                }
                transaction
                    .prepare_cached("UPDATE room SET touched = ?, open = ? WHERE id = ?")?
                    .execute(params![now, is_open, id])?;
            }
            Write::Forget { before } => {
                transaction
                    .execute("DELETE FROM entry WHERE room IN (SELECT id FROM room WHERE touched < ?)", [before])?;
                transaction.execute("DELETE FROM room WHERE touched < ?", [before])?;
            }
        }
    }
    transaction.commit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn logs_come_back_in_order_and_bad_orders_spoil_nothing() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("tables.db");
        let store = Store::open(&path).expect("a new file");
        for id in ["a", "b"] {
            store.open_room(id, format!("opening of {id}"), 1).await.expect("written");
        }
        let line = |number: usize, text: &str, anew: bool| vec![Line { number, text: text.to_owned(), anew }];
        let two = [line(0, "one", false), line(1, "two", false)].concat();
        store.append("a", two, 2, true).await.expect("written");
        let (again, good) = tokio::join!(
            store.append("a", line(1, "two again", false), 3, true),
            store.append("b", line(0, "bye", false), 3, false),
        );
        assert!(again.is_err() && good.is_ok(), "an entry is written once");
        store.append("a", line(0, "one anew", true), 2, true).await.expect("unless it is to be");
        drop(store);
        let store = Store::open(&path).expect("the same file");
        let log = store.log("a").expect("read").expect("there");
        assert_eq!((log.opening.as_str(), log.entries.concat()), ("opening of a", "one anewtwo".to_owned()));
        assert_eq!(store.open_rooms(0, 9).expect("read"), ["a"]);
        store.forget(3).await.expect("written");
        assert!(store.log("a").expect("read").is_none() && store.log("b").expect("read").is_some());
    }
}
