//! What is known of the games: static evaluations that a student can read, and exact solutions of the small games.
//!
//! `tengen-search` knows no game by name; what a search needs to play one of them well stands here, one file a game.

pub mod evaluate;
pub mod solve;
