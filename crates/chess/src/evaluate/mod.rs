//! The static evaluation of chess: what a position is worth without looking ahead.
//!
//! Every term is one line of `classical` and one place in the table of weights; all weights are pairs for the middle
//! game and the endgame, and the pieces still on the board say how the two are mixed. [`Evaluation`] is the socket:
//! a learned evaluation is another implementation of it.

mod classical;
mod endgame;
mod packed;
mod shown;
mod terms;
#[cfg(test)]
mod tests;
mod variants;
mod weights;

pub use classical::{Classical, Coefficients, coefficients};
pub use packed::Packed;
pub use shown::{Shown, show};
pub use terms::{TERMS, Term, WEIGHTS_COUNT, is_danger};
pub use variants::FairyEvaluation;
pub use weights::WEIGHTS;

pub(crate) use classical::{DANGER_LINE, DANGER_SQUARE, PHASE};

use crate::board::SearchBoard;
use crate::mv::Mv;
use shakmaty::{Color, Role, Square};
use std::fmt::Debug;
use tengen_core::Score;

/// What judges a position in the search. One a thread.
///
/// `evaluate` is asked of the position that the last `played` led to. An evaluation that keeps its own picture of the
/// board (a network with an accumulator) follows along by the other three; the others need not.
pub trait Evaluation<B: SearchBoard>: Send {
    /// How the position looks for the side to move, in centipawns, well inside the scores of won games.
    fn evaluate(&mut self, board: &B) -> Score;

    /// A search begins at this position.
    fn begin(&mut self, _root: &B) {}

    /// The search has played a move (or has passed: [`Mv::NONE`]).
    #[inline]
    fn played(&mut self, _before: &B, _mv: Mv, _after: &B) {}

    /// The search has taken the last move back.
    #[inline]
    fn undone(&mut self) {}
}

/// What a board keeps up to date, piece by piece, for the evaluation that judges it. It is copied with the board.
pub trait Kept: Copy + Default + Debug + Send + Sync + 'static {
    /// A piece comes to stand on an empty square.
    #[inline]
    fn put(&mut self, _color: Color, _role: Role, _square: Square) {}

    /// A piece leaves its square.
    #[inline]
    fn take(&mut self, _color: Color, _role: Role, _square: Square) {}
}

/// Nothing is kept, for evaluations that look at the pieces or follow the search by themselves.
impl Kept for () {}
