//! The chess engine: search, evaluation, book, tablebases.
//!
//! [`ChessEngine`] plays chess, Chess960 and seven variants behind the socket every player has, and answers the
//! longer questions of protocols by [`ChessEngine::search`]. Below it the search of one thread (`search`) walks on a
//! [`SearchBoard`] and asks an [`Evaluation`](evaluate::Evaluation); both are chosen by the variant.

pub mod bench;
mod board;
pub mod book;
mod engine;
pub mod epd;
pub mod evaluate;
mod fairy;
mod history;
mod mv;
mod orthodox;
mod params;
mod picker;
mod prover;
pub mod score;
mod search;
mod strength;
mod syzygy;
mod table;
mod timing;
pub mod tune;

pub use board::{Kind, Pieces, SearchBoard, Verdict};
pub use engine::{Answer, ChessEngine, ChessParams, Playable, Question, Report, is_level, movable};
pub use fairy::Fairy;
pub use mv::{Mv, Ranked};
pub use orthodox::Orthodox;
pub use params::SearchParams;
pub use search::{Found, Oracle};
pub use strength::ELO_RANGE;
pub use syzygy::Tablebases;
