//! Boards that look the same from another side.

use crate::Position;

/// The symmetries of the rules (not of the start position): turns and mirrors of the board under which every
/// position stays the same game. Number 0 changes nothing; a game without symmetries implements nothing.
pub trait Symmetry: Position {
    /// How many there are, the identity included.
    const SYMMETRIES: usize = 1;

    /// The position seen through symmetry number `which`.
    fn transformed(&self, which: usize) -> Self {
        debug_assert!(which < Self::SYMMETRIES);
        self.clone()
    }

    /// What a move of this position becomes in `transformed(which)`.
    fn transformed_move(&self, mv: Self::Move, which: usize) -> Self::Move {
        debug_assert!(which < Self::SYMMETRIES);
        mv
    }
}
