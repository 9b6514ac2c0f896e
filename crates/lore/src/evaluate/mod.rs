//! Static evaluations of the small games: one file a game, each a few terms that a student can name.
//!
//! Scores are for the side to move, 100 being about a stone, a piece or a checker. `tests/evaluations.rs` shows
//! that each of them beats the same search without it.

mod backgammon;
mod chess;
mod connect4;
mod go;
mod othello;
mod pig;
mod siege;
mod tictactoe;
mod yokai;

pub use backgammon::Race;
pub use chess::Material;
pub use connect4::Threats;
pub use go::Points;
pub use othello::Mobility;
pub use pig::Lead;
pub use siege::{Siege, WEIGHTS as SIEGE_WEIGHTS, features as siege_features};
pub use tictactoe::OpenLines;
pub use yokai::Safety;
