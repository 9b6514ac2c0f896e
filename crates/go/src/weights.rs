//! The learnt policy: one weight a feature.
//!
//! `weights.bin` holds a byte a feature of [`features`](crate::features), sixteenths of a logarithm. It was learnt by the
//! example `train` from 9x9 games with a strong network's policy in every position.

use crate::features::{FEATURES, Features};
use std::sync::LazyLock;

/// The weights of all features.
pub struct Weights(Vec<f32>);

impl Weights {
    /// The weights that come with the program.
    pub fn get() -> &'static Weights {
        static WEIGHTS: LazyLock<Weights> = LazyLock::new(|| {
            let bytes: &[u8; FEATURES] = include_bytes!("weights.bin");
            Weights(bytes.iter().map(|&byte| f32::from(byte as i8) / 16.0).collect())
        });
        &WEIGHTS
    }

    /// The logarithm of how strong a move with these features is.
    #[inline]
    pub fn sum(&self, features: &Features) -> f32 {
        features.list().iter().map(|&feature| self.0[feature as usize]).sum()
    }
}
