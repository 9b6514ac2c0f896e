//! Games on disk: what a record is, the files that hold them, and the game database.
//!
//! A [`Record`] is a game from its set-up to its result, all in text: this crate knows no rules, except that chess moves have two names. Whoever
//! reads one plays its moves at a table, where every text is checked. A [`GameTree`] is a record with variations and what was
//! written beside the moves. [`sgf`], [`pgn`] and [`epd`] are files; [`import`], [`export`] and [`openings`] choose among them, and [`limits`] says how
//! much they may hold. [`samples`] are positions to learn from, [`npz`] is how Python
//! keeps such things.

mod chess;
pub mod database;
pub mod epd;
mod error;
mod exchange;
mod go;
pub mod limits;
pub mod npz;
mod openings;
pub mod pgn;
mod record;
pub mod samples;
mod setup;
pub mod sgf;
mod tree;

pub use error::FileError;
pub use exchange::{Format, export, import};
pub use limits::read_file;
pub use openings::{Opening, openings, openings_in};
pub use record::{Ending, Played, Record};
pub use setup::{Handicap, Setup};
pub use tree::{GameTree, Mark, Node, Shape};
