//! The learnt policy: one weight a feature.
//!
//! `weights.bin` holds a byte a feature of [`features`](crate::features), sixteenths of a logarithm. It was learnt by the
//! example `train` from 9x9 games with a strong network's policy in every position.

use crate::features::{FEATURES, Features, line_feature};
use std::sync::LazyLock;

/// The weights of all features.
pub struct Weights(Vec<f32>);

/// What the lines are worth on boards larger than those the weights were learnt on, for points with no stone around
/// them: the third and fourth line are where games begin.
const LARGE_BOARD_LINES: [f32; 6] = [-4.0, -2.5, 0.6, 0.6, -0.2, -0.6];

impl Weights {
    /// The weights that come with the program, for boards of this size.
    pub fn get(size: usize) -> &'static Weights {
        static WEIGHTS: LazyLock<[Weights; 2]> = LazyLock::new(|| {
            let bytes: &[u8; FEATURES] = include_bytes!("weights.bin");
            let small: Vec<f32> = bytes.iter().map(|&byte| f32::from(byte as i8) / 16.0).collect();
            let mut large = small.clone();
            for (line, weight) in LARGE_BOARD_LINES.into_iter().enumerate() {
                for stage in 0..2 {
                    large[line_feature(line, stage, true)] = weight;
                    large[line_feature(line, stage, false)] = 0.0;
                }
            }
            [Weights(small), Weights(large)]
        });
        &WEIGHTS[usize::from(size > 11)]
    }

    /// The logarithm of how strong a move with these features is.
    #[inline]
    pub fn sum(&self, features: &Features) -> f32 {
        features.list().iter().map(|&feature| self.0[feature as usize]).sum()
    }
}
