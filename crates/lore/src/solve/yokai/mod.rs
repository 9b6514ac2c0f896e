//! Yokai no Mori 3x4, solved: what every position is worth, and how it is found out.
//!
//! [`placement`](Placement) has the positions as the analysis sees them, [`Space`] numbers them, [`Retrograde`] decides them all. Files,
//! progress bars and checkpoints are the caller's: an analysis can be read out and taken up between any two passes.

mod placement;
mod retrograde;
mod solver;
mod space;
mod strategy;
#[cfg(test)]
mod tests;

pub use placement::{Placement, Standing};
pub use retrograde::{Cell, Progress, Retrograde};
pub use solver::{Lookup, Solver, holds};
pub use space::{All, Fold, Space, WithoutDrops};
pub use strategy::{Strategist, Strategy, checksum};
