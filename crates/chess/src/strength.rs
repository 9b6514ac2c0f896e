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
pub const ELO_RANGE: std::ops::RangeInclusive<u32> = 500..=2850;

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
        let elo = elo.clamp(*ELO_RANGE.start(), *ELO_RANGE.end()) as f32;
        let lack = (*ELO_RANGE.end() as f32 - elo) / (ELO_RANGE.end() - ELO_RANGE.start()) as f32;
        Weakness {
            seed: mix(seed),
            blur: 150.0 * lack * lack,
            blind: 65_536.0 * 0.45 * lack * lack,
            nodes: (30.0 * ((elo - 500.0) / 145.0).exp2()) as u64,
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
