//! Searches made visible.
//!
//! [`record`] runs a search and writes down what it does: the depth-first ones through an
//! [`Observer`](tengen_search::Observer), so that what is shown is the very code that plays, and MCTS simulation by
//! simulation on the tree that the player grows. What comes out is a [`Trace`], and [`page()`] makes one HTML file of it
//! that needs no network and no other file.

mod depth_first;
mod error;
mod mcts;
mod page;
mod sketch;
mod trace;

pub use error::ExplainError;
pub use page::{SCRIPT, STYLE, page};
pub use trace::{Bandit, Count, Event, Interval, Kind, Node, Trace};

use serde::Serialize;
use std::sync::atomic::AtomicBool;
use tengen_core::{Line, Notation, Picture};
use tengen_search::{Heuristic, params};

/// No page shows more nodes: a browser could, a reader could not.
pub const MOST_NODES: u64 = 4000;

/// No page shows more simulations.
pub const MOST_VISITS: u32 = 1000;

/// The searches that can be shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Algorithm {
    /// Largest and smallest in turns.
    Minimax,
    /// The same, always for the side to move.
    Negamax,
    /// The same without what cannot matter.
    AlphaBeta,
    /// Against an opponent who plays at random.
    Expectimax,
    /// With dice.
    Expectiminimax,
    /// By random games.
    Mcts,
}

impl Algorithm {
    /// All of them, the plainest first.
    pub const ALL: [Algorithm; 6] = [
        Algorithm::Minimax,
        Algorithm::Negamax,
        Algorithm::AlphaBeta,
        Algorithm::Expectimax,
        Algorithm::Expectiminimax,
        Algorithm::Mcts,
    ];

    /// What the command line calls it.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Minimax => "minimax",
            Algorithm::Negamax => "negamax",
            Algorithm::AlphaBeta => "alphabeta",
            Algorithm::Expectimax => "expectimax",
            Algorithm::Expectiminimax => "expectiminimax",
            Algorithm::Mcts => "mcts",
        }
    }

    /// The algorithm that a text names.
    pub fn read(text: &str) -> Result<Self, ExplainError> {
        let known = Self::ALL.into_iter().find(|algorithm| algorithm.name() == text);
        known.ok_or_else(|| ExplainError::Unknown(params::unknown("algorithm", text, Self::ALL.map(Self::name))))
    }
}

/// What is to be shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// By which search.
    pub algorithm: Algorithm,
    /// How deep the depth-first ones look; `None` takes the deepest that fits a page well.
    pub depth: Option<u32>,
    /// Simulations of MCTS.
    pub visits: u32,
    /// MCTS follows from it.
    pub seed: u64,
    /// The game's id, or `tree` for a written one: then the page shows what is to come in outline.
    pub game: String,
    /// What people call the game.
    pub title: String,
}

impl Request {
    /// This algorithm on this game, with nothing else said.
    pub fn new(algorithm: Algorithm, game: impl Into<String>, title: impl Into<String>) -> Self {
        Request { algorithm, depth: None, visits: 40, seed: 0, game: game.into(), title: title.into() }
    }
}

/// Searches from the end of the line and writes down every step. When `stop` is set, what would only be counted is counted no further, and MCTS
/// shows what it has.
pub fn record<P: Notation + Picture, H: Heuristic<P>>(
    line: &Line<P>,
    heuristic: &mut H,
    request: &Request,
    stop: &AtomicBool,
) -> Result<Trace, ExplainError> {
    if let tengen_core::Turn::Over(_) = line.turn(&mut Vec::new()) {
        return Err(ExplainError::Over);
    }
    match request.algorithm {
        Algorithm::Mcts => mcts::record(line, heuristic, request, stop),
        _ => depth_first::record(line, heuristic, request, stop),
    }
}
