//! What a game is, and nothing more.
//!
//! A [`Position`] is the board now; a [`Line`] is a start position and the moves since, and decides what
//! repetition means. [`Notation`], [`Symmetry`] and [`Picture`] are what a game can say about itself, each a
//! trait of its own so that the rules stay small. [`perft`] counts, and [`exam`] is the test every game sits.

pub mod exam;
mod line;
mod notation;
pub mod perft;
mod picture;
mod position;
mod pov;
mod side;
mod symmetry;

pub use fastrand::Rng;
pub use line::Line;
pub use notation::{Notation, Reason, TextError, refuse};
pub use picture::{Board, Cell, Drawn, Fact, Picture, Piece, no_such_piece};
pub use position::{Position, Repetition, mix, sample};
pub use pov::Pov;
pub use side::{Outcome, Score, Side, Turn, Value};
pub use symmetry::Symmetry;
