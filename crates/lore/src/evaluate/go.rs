//! Go: points on the board, taken as they stand.
//!
//! No static evaluation of Go is worth much; this one is for playouts that are cut and for searches on tiny boards.

use tengen_core::{Line, Position, Pov, Score, Side, Value};
use tengen_games::go::Go;
use tengen_search::Heuristic;

/// The count as if all stones were alive and the game were over.
#[derive(Clone, Copy, Default, Debug)]
pub struct Points;

impl<const CELLS: usize> Heuristic<Go<CELLS>> for Points {
    fn score(&mut self, line: &Line<Go<CELLS>>) -> Score {
        let position = line.position();
        // In half points; a point counts a tenth of a pawn, for most of them change hands again.
        Pov::of(Side::First, 5 * position.lead()).seen_by(position.to_move())
    }

    fn value(&self, score: Score) -> Value {
        if tengen_search::is_decided(score) {
            return if score > 0 { 1.0 } else { -1.0 };
        }
        (score as f32 / 150.0).tanh()
    }
}
