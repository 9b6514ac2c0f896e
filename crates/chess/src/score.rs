//! Scores of the chess search: centipawns in sixteen bits, with room at both ends for mates and tablebases.

use tengen_core::{Score, Value};
use tengen_search::Lead;

/// Mate now; a mate `n` plies below the root counts `MATE − n`.
pub const MATE: Score = 32_000;

/// The deepest ply the search walks to.
pub const MAX_PLY: usize = 200;

/// Above all scores.
pub const INFINITE: Score = 32_700;

/// Scores this far from zero are mates.
pub const MATE_FOUND: Score = MATE - MAX_PLY as Score;

/// A win that a tablebase promises, counted down by plies as mates are.
pub const TABLEBASE_WIN: Score = 30_000;

/// Scores this far from zero are proven one way or the other.
pub const DECIDED: Score = TABLEBASE_WIN - MAX_PLY as Score;

/// No static evaluation.
pub const NO_EVAL: Score = i32::MIN;

/// Proven scores are stored by their distance from the position itself, so that they are right wherever it is met.
#[inline]
pub(crate) fn to_table(score: Score, ply: usize) -> Score {
    if score >= DECIDED {
        score + ply as Score
    } else if score <= -DECIDED {
        score - ply as Score
    } else {
        score
    }
}

/// The other way round.
#[inline]
pub(crate) fn from_table(score: Score, ply: usize) -> Score {
    if score >= DECIDED {
        score - ply as Score
    } else if score <= -DECIDED {
        score + ply as Score
    } else {
        score
    }
}

/// A score as people are told it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Told {
    /// Centipawns for the side to move.
    Centipawns(Score),
    /// Mate in so many moves; negative if the side to move is mated.
    Mate(i32),
}

/// What to tell of a score.
pub fn told(score: Score) -> Told {
    if score >= MATE_FOUND {
        Told::Mate((MATE - score + 1) / 2)
    } else if score <= -MATE_FOUND {
        Told::Mate(-(MATE + score) / 2)
    } else {
        Told::Centipawns(score)
    }
}

/// How far ahead the side to move is: pawns, or the plies to mate.
pub fn lead(score: Score) -> Lead {
    if score >= MATE_FOUND {
        Lead::EndIn(MATE - score)
    } else if score <= -MATE_FOUND {
        Lead::EndIn(-(MATE + score))
    } else {
        Lead::Points(score as f32 / 100.0)
    }
}

/// Chances of winning, drawing and losing in thousandths, for the side to move.
///
/// Fitted to Tengen's own games: the value follows a logistic curve, and draws thin out as the score grows.
pub fn win_draw_loss(score: Score) -> [u32; 3] {
    if score >= DECIDED {
        return [1000, 0, 0];
    }
    if score <= -DECIDED {
        return [0, 0, 1000];
    }
    let chance = |score: f64| 1000.0 / (1.0 + (-(score - DRAW_WIDTH) / SLOPE).exp());
    let win = chance(f64::from(score)).round() as u32;
    let loss = chance(f64::from(-score)).round() as u32;
    [win, 1000 - win - loss, loss]
}

/// The score at which a game is won half the time, and how fast that changes.
const DRAW_WIDTH: f64 = 130.0;
const SLOPE: f64 = 75.0;

/// The expected outcome of a score.
pub fn value(score: Score) -> Value {
    let [win, _, loss] = win_draw_loss(score);
    (win as Value - loss as Value) / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves() {
        assert_eq!(told(MATE - 1), Told::Mate(1));
        assert_eq!(told(MATE - 2), Told::Mate(1));
        assert_eq!(told(MATE - 3), Told::Mate(2));
        assert_eq!(told(-MATE + 2), Told::Mate(-1));
        assert_eq!(told(-MATE), Told::Mate(0));
        assert_eq!(told(-33), Told::Centipawns(-33));
    }

    #[test]
    fn chances_sum_to_one() {
        for score in (-3000..3000).step_by(7) {
            let [win, draw, loss] = win_draw_loss(score);
            assert_eq!(win + draw + loss, 1000, "{score}");
            assert_eq!(win_draw_loss(-score), [loss, draw, win]);
        }
        assert!(value(100) > value(50) && value(0) == 0.0 && value(MATE - 3) == 1.0);
    }
}
