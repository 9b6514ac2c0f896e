//! A judge made of a static evaluation.

use super::{Evaluation, Judge, JudgeError, Reply};
use crate::Heuristic;
use std::convert::Infallible;
use tengen_core::{Line, Position, Turn};

/// Judges by a static evaluation: the position's value, and the likelier a move, the better the position after it looks. Answers at once, so it
/// fills no batches.
pub struct Static<H> {
    heuristic: H,
    /// How much likelier a move is if it promises more; `None` where a look at every move would be too dear: then all are alike.
    sharpness: Option<f32>,
}

impl<H> Static<H> {
    /// The policy is a softmax over the values after each move, times `sharpness`.
    pub fn new(heuristic: H, sharpness: Option<f32>) -> Self {
        Static { heuristic, sharpness }
    }
}

impl<P: Position, H: Heuristic<P> + Clone + Sync> Judge<P> for Static<H> {
    /// There are none.
    type Question = Infallible;

    fn ask(&self, line: &Line<P>, moves: &[P::Move]) -> Reply<Infallible> {
        let mut heuristic = self.heuristic.clone();
        let value = heuristic.estimate(line);
        let Some(sharpness) = self.sharpness else {
            return Reply::Known(Evaluation::even(value, moves.len()));
        };
        let side = line.position().to_move();
        let mut replies = Vec::new();
        let mut weight = |&mv: &P::Move| {
            let mut next = line.position().clone();
            next.play(mv);
            let after = match next.turn(&mut replies) {
                Turn::Over(outcome) => outcome.value(),
                _ => heuristic.estimate(&Line::new(next)),
            };
            // Values are at most 1: nothing overflows, and the best move has a weight above 0.
            (sharpness * after.seen_by(side)).exp()
        };
        let mut policy: Vec<f32> = moves.iter().map(&mut weight).collect();
        let sum: f32 = policy.iter().sum();
        policy.iter_mut().for_each(|weight| *weight /= sum);
        Reply::Known(Evaluation { value, policy })
    }

    fn judge(&self, _none: Vec<Infallible>) -> Result<Vec<Evaluation>, JudgeError> {
        Ok(Vec::new())
    }
}
