//! Pig: who is ahead, what is in hand counting for a little less than what is banked.

use tengen_core::{Line, Position, Score};
use tengen_games::pig::Pig;
use tengen_search::Heuristic;

/// Points banked and points in hand.
#[derive(Clone, Copy, Default, Debug)]
pub struct Lead;

impl Heuristic<Pig> for Lead {
    fn score(&mut self, line: &Line<Pig>) -> Score {
        let position = line.position();
        let side = position.to_move();
        let scores = position.scores().map(Score::from);
        // A turn makes about eight points, so being the one to move is worth half of that.
        let lead = scores[side.index()] - scores[side.other().index()] + 4;
        6 * lead + 5 * Score::from(position.turn_total())
    }
}
