//! Duels, tournaments, ratings, tests and tuning.
