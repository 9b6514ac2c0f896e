//! The Go engine: playouts, knowledge, life and death, scoring, influence.
//!
//! [`GoEngine`] is a player at the common socket: a Monte-Carlo tree search with RAVE, Go knowledge as virtual
//! simulations, and playouts that follow rules of thumb, on a board of its own ([`field`]). Every idea is a parameter
//! ([`GoParams`]), so that a match can say what it is worth.

pub mod engine;
pub mod features;
pub mod field;
pub mod influence;
pub mod judge;
pub mod knowledge;
pub mod light;
pub mod network;
pub mod node;
pub mod opening;
pub mod params;
pub mod patterns;
pub mod planes;
pub mod playout;
pub mod search;
pub mod tactics;
pub mod weights;

pub use engine::GoEngine;
pub use influence::influence;
pub use judge::{Judgement, judge};
pub use params::GoParams;
