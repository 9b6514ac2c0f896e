//! Games on disk: what a record is, the files that hold them, and the game database.
//!
//! A [`Record`] is a game from its set-up to its result, all in text: this crate knows no rules. Whoever reads one plays its moves at
//! a table, where every text is checked.

mod record;
mod setup;

pub use record::{Ending, Played, Record};
pub use setup::{Handicap, Setup};
