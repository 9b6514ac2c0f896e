//! Duels, tournaments, ratings, tests and tuning.

pub mod stats;
pub mod tune;
