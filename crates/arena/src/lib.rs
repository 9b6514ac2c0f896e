//! Duels, tournaments, ratings, tests and tuning.

pub mod report;
pub mod stats;
pub mod tune;
