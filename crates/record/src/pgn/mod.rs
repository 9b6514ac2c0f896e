//! PGN, Portable Game Notation: files of chess games and games of its variants.
//!
//! [`games`] reads a file game by game, however large it is; [`read`] reads a text as a whole; [`write()`] writes a game. Moves are SAN in the
//! file and UCI in the [`GameTree`](crate::GameTree). Clocks, evaluations, arrows and what match runners write into comments become
//! fields of the moves.
//!
//! CITE: Steven J. Edwards (ed.), "Portable Game Notation Specification and Implementation Guide", 1994.

mod lines;
mod read;
mod remarks;
#[cfg(test)]
mod tests;
mod write;

pub use read::{Games, games, read};
pub use write::write;
