//! The learnt policy: one weight a feature.
//!
//! The files hold a byte a feature of [`features`](crate::features), sixteenths of a logarithm. They were learnt by the
//! example `lab train` from games with a strong network's policy in every position: `small.bin` from 9x9 games, `large.bin` from games
//! on 13x13 and 19x19 (docs/go.md).

use crate::features::{Features, WIDE_FROM};

/// The weights of all features, a byte each: so many are looked up that they had better stay close to the processor.
pub struct Weights(&'static [u8]);

impl Weights {
    /// The weights that come with the program, for boards of this size.
    pub fn get(size: usize) -> Weights {
        Weights(if size < WIDE_FROM {
            include_bytes!("weights/small.bin")
        } else {
            include_bytes!("weights/large.bin")
        })
    }

    /// The logarithm of how strong a move with these features is.
    #[inline]
    pub fn sum(&self, features: &Features) -> f32 {
        // The file for small boards ends before the wide patterns.
        let weight = |&feature: &u32| self.0.get(feature as usize).map_or(0, |&byte| i32::from(byte as i8));
        features.list().iter().map(weight).sum::<i32>() as f32 / 16.0
    }
}
