//! The one socket for everything that chooses a move.

use crate::limits::{Clock, Limits};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use tengen_core::{Line, Position, Value};

/// A move that a player looked at.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Candidate<M> {
    /// The move.
    pub mv: M,
    /// How much thought went into it: simulations, or nodes below it.
    pub visits: u64,
    /// Its value for the side to move.
    pub value: Value,
    /// How good it looked before the search, where the player has such an opinion.
    pub prior: Option<f32>,
}

/// What a player found.
#[derive(Clone, PartialEq, Debug)]
pub struct Thought<M> {
    /// The move it would play.
    pub best: M,
    /// The value of the position for the side to move.
    pub value: Value,
    /// Positions looked at.
    pub nodes: u64,
    /// How deep the search was complete, or the depth of the tree.
    pub depth: u32,
    /// The line it expects, beginning with `best`.
    pub pv: Vec<M>,
    /// All moves it looked at, the best first.
    pub candidates: Vec<Candidate<M>>,
}

/// What the caller of a search holds in his hands while it runs: the clock, the stop sign, and an ear for news.
pub struct Watch<'a, M> {
    /// Time since the thinking began.
    pub clock: &'a dyn Clock,
    /// Set by anyone, at any time: answer now.
    pub stop: &'a AtomicBool,
    /// Called with what has been found so far whenever there is something new.
    pub report: &'a mut dyn FnMut(&Thought<M>),
}

impl<M> Watch<'_, M> {
    /// Whether somebody asked for an answer now.
    #[inline]
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Why a player cannot think about a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlayerError {
    /// The game is over, or dice are to be rolled: there is nothing to decide.
    NothingToDecide,
    /// The player does not suit the game; the text says why.
    Unsuited(String),
    /// Something outside went wrong (an engine, a file).
    Failed(String),
}

impl fmt::Display for PlayerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerError::NothingToDecide => f.write_str("there is nothing to decide in this position"),
            PlayerError::Unsuited(why) | PlayerError::Failed(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for PlayerError {}

/// Anything that chooses a move.
pub trait Player<P: Position>: Send {
    /// Thinks within the limits and says what it found. The line stands at a decision.
    fn think(
        &mut self,
        line: &Line<P>,
        limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
    ) -> Result<Thought<P::Move>, PlayerError>;
}
