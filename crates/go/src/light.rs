//! The light policy of playouts: what the eight points around a move say about it, learnt from games.
//!
//! `light.bin` holds a byte for each number that [`Field::around`](crate::field::Field::around) may give, seen by the side to move, as sixteenths of
//! a logarithm; then, as two more of them, what it is worth to stand beside the last move and diagonally beside it. The example `lab` learns it (`lab light`)
//! from 9x9 games with a strong network's policy in every position.

use crate::field::{BLACK, Colour};
use std::sync::LazyLock;

/// How many surroundings there are.
pub const SURROUNDINGS: usize = 1 << 16;

/// The weights of moves in playouts.
pub struct Light {
    /// Sixteenths of a logarithm for every surrounding.
    codes: &'static [u8],
    /// What those stand for.
    weights: [f32; 256],
    /// Factors for the places around the last move, in the order of [`Field::ring_of`](crate::field::Field::ring_of).
    pub ring: [f32; 8],
}

/// A surrounding as the other side sees it: black and white stones change places.
#[inline(always)]
pub fn seen_by(around: u16, own: Colour) -> usize {
    // Stones are 1 and 2; empty points (0) and border (3) stay the same when their bits change places.
    usize::from(if own == BLACK { around } else { (around & 0x5555) << 1 | (around & 0xaaaa) >> 1 })
}

impl Light {
    /// The policy that comes with the program.
    pub fn get() -> &'static Light {
        static LIGHT: LazyLock<Light> = LazyLock::new(|| {
            let bytes: &[u8; SURROUNDINGS + 2] = include_bytes!("light.bin");
            let weights = std::array::from_fn(|byte| (f32::from(byte as u8 as i8) / 16.0).exp());
            let [beside, corner] = [0, 1].map(|at| weights[usize::from(bytes[SURROUNDINGS + at])]);
            let ring = [beside, beside, beside, beside, corner, corner, corner, corner];
            Light { codes: &bytes[..SURROUNDINGS], weights, ring }
        });
        &LIGHT
    }

    /// How strong a move is, by what stands around it.
    #[inline(always)]
    pub fn weight(&self, around: u16, own: Colour) -> f32 {
        self.weights[usize::from(self.codes[seen_by(around, own)])]
    }
}
