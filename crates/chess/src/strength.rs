//! Playing weaker on purpose, the way people do: seeing less far, misjudging, overlooking.
//!
//! A weak player does not play random moves. He counts out fewer lines, so the search gets few nodes; he is wrong about
//! positions, so the evaluation is blurred; and he does not see all replies, so some moves do not exist for him, quiet ones
//! and distant ones more often than captures. All three follow from the position and a seed: the same game again
//! goes the same way, and the next one with another seed does not.

use crate::board::SearchBoard;
use crate::mv::Mv;
use tengen_core::{Score, mix};

/// The weakest and the strongest level.
pub const ELO_RANGE: std::ops::RangeInclusive<u32> = 500..=2500;

/// Ratings and the skill that plays like them, 0 for one who sees next to nothing and 1 for all that the engine has. Measured:
/// skills against each other in steps from below, and against Stockfish's limited strengths where those begin (docs/chess.md).
const CALIBRATION: [(f32, f32); 11] = [
    (284.0, 0.0),
    (720.0, 0.085),
    (1102.0, 0.170),
    (1454.0, 0.255),
    (1750.0, 0.349),
    (1840.0, 0.426),
    (1945.0, 0.511),
    (2060.0, 0.638),
    (2280.0, 0.766),
    (2470.0, 0.936),
    (2540.0, 1.0),
];

/// The skill for a rating, between the measured ones in proportion.
fn skill(rating: f32) -> f32 {
    let next = CALIBRATION.iter().position(|&(known, _)| known >= rating).unwrap_or(CALIBRATION.len() - 1).max(1);
    let ((low, less), (high, more)) = (CALIBRATION[next - 1], CALIBRATION[next]);
    (less + (more - less) * (rating - low) / (high - low)).clamp(0.0, 1.0)
}

/// How a player of a certain strength falls short.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Weakness {
    seed: u64,
    /// Standard deviation of the evaluation's error, in centipawns.
    blur: f32,
    /// Chance to overlook a quiet move two plies ahead, of 65 536.
    blind: f32,
    /// Positions looked at.
    pub nodes: u64,
}

impl Weakness {
    /// For a rating within [`ELO_RANGE`].
    pub fn new(elo: u32, seed: u64) -> Weakness {
        let skill = skill(elo.clamp(*ELO_RANGE.start(), *ELO_RANGE.end()) as f32);
        let lack = (1.0 - skill) * (1.0 - skill);
        Weakness {
            seed: mix(seed),
            blur: 150.0 * lack,
            blind: 65_536.0 * 0.45 * lack,
            nodes: (30.0 * (16.2 * skill).exp2()) as u64,
        }
    }

    /// What this player takes a score for.
    pub fn misjudge(&self, score: Score, key: u64) -> Score {
        let random = mix(key ^ self.seed);
        // Four uniform numbers summed up are nearly a bell curve of width 0.577.
        let sum: f32 = (0..4).map(|part| (random >> (16 * part) & 0xffff) as f32 / 65_536.0 - 0.5).sum();
        score + (sum / 0.577 * self.blur) as Score
    }

    /// Whether a move does not exist for this player.
    pub fn overlooks<B: SearchBoard>(&self, board: &B, mv: Mv, ply: usize) -> bool {
        if board.in_check() {
            return false;
        }
        let random = mix(board.key() ^ mix(self.seed ^ u64::from(mv.code()))) & 0xffff;
        let distance = (ply as f32 / 2.0).min(3.0);
        let visible = if board.is_noisy(mv) { 0.35 } else { 1.0 };
        (random as f32) < (self.blind * distance * visible).min(50_000.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_up_sees_more_and_errs_less() {
        let levels: Vec<Weakness> = ELO_RANGE.step_by(50).map(|elo| Weakness::new(elo, 1)).collect();
        for pair in levels.windows(2) {
            assert!(pair[0].nodes < pair[1].nodes && pair[0].blur > pair[1].blur && pair[0].blind > pair[1].blind);
        }
        assert!(levels[0].nodes < 100 && levels[levels.len() - 1].nodes > 500_000);
        assert_eq!(Weakness::new(0, 1), levels[0]);
        assert_eq!(Weakness::new(5000, 1), Weakness::new(*ELO_RANGE.end(), 1));
    }
}
