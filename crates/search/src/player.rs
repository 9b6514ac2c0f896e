//! The one socket for everything that chooses a move.

use crate::heuristic::mated_in;
use crate::limits::{Clock, Limits};
use std::fmt;
use std::ops::Neg;
use std::sync::atomic::{AtomicBool, Ordering};
use tengen_core::{Line, Position, Pov, Score, Value};

/// How far ahead a side is, in the game's own measure.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Lead {
    /// Pawns, stones, points, discs.
    Points(f32),
    /// The game is decided and ends in so many plies: positive when the side wins, negative when it loses.
    EndIn(i32),
}

impl Lead {
    /// What a score of a depth-first search says.
    pub fn of(score: Score) -> Self {
        match mated_in(score) {
            // No search looks a million plies ahead.
            Some(plies) => Lead::EndIn(plies as i32 * score.signum()),
            None => Lead::Points(score as f32 / 100.0),
        }
    }
}

/// The same seen from the other side: read it through a [`Pov`].
impl Neg for Lead {
    type Output = Lead;

    fn neg(self) -> Lead {
        match self {
            Lead::Points(points) => Lead::Points(-points),
            Lead::EndIn(plies) => Lead::EndIn(-plies),
        }
    }
}

/// A move that a player looked at.
#[derive(Clone, PartialEq, Debug)]
pub struct Candidate<M> {
    /// The move.
    pub mv: M,
    /// How much thought went into it: simulations, or nodes below it.
    pub visits: u64,
    /// Its value.
    pub value: Pov<Value>,
    /// How good it looked before the search, where the player has such an opinion.
    pub prior: Option<f32>,
    /// Who is how far ahead after it, where the player counts that.
    pub lead: Option<Pov<Lead>>,
    /// The line it expects, beginning with the move.
    pub pv: Vec<M>,
}

impl<M: Copy> Candidate<M> {
    /// A move with nothing known but its value.
    pub fn new(mv: M, visits: u64, value: Pov<Value>) -> Self {
        Candidate { mv, visits, value, prior: None, lead: None, pv: vec![mv] }
    }
}

/// What a player found.
#[derive(Clone, PartialEq, Debug)]
pub struct Thought<M> {
    /// The move it would play.
    pub best: M,
    /// The value of the position.
    pub value: Pov<Value>,
    /// Positions looked at.
    pub nodes: u64,
    /// How deep the search was complete, or the depth of the tree.
    pub depth: u32,
    /// The line it expects, beginning with `best`.
    pub pv: Vec<M>,
    /// All moves it looked at, the best first.
    pub candidates: Vec<Candidate<M>>,
    /// Who is how far ahead, where the player counts that.
    pub lead: Option<Pov<Lead>>,
    /// To whom each cell of the board will belong, in the order in which the cells are drawn: +1 to `First`, −1 to `Second`. Empty
    /// unless the player estimates it.
    pub ownership: Vec<f32>,
}

impl<M: Copy> Thought<M> {
    /// A move with the line behind it just the move itself.
    pub fn new(best: M, value: Pov<Value>, nodes: u64, depth: u32, candidates: Vec<Candidate<M>>) -> Self {
        Thought { best, value, nodes, depth, pv: vec![best], candidates, lead: None, ownership: Vec::new() }
    }
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
    /// Something outside went wrong (a file, a stopped engine).
    Failed(String),
    /// The player gives up.
    Resigned,
    /// An engine outside failed.
    Broken {
        /// What kind of trouble it is.
        fault: Fault,
        /// Which engine, what happened, and what it said last.
        story: String,
    },
}

/// How an engine outside can fail. Whoever runs matches treats each kind in its own way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fault {
    /// There is no such program, or it cannot be started.
    Missing,
    /// It has no such option, or the option no such value.
    Setting,
    /// It does not play this game.
    Unsuited,
    /// It ended, or closed its pipes.
    Crash,
    /// It does not answer.
    Hang,
    /// It played a move that the rules do not allow.
    Illegal,
    /// It said what the protocol does not know.
    Protocol,
}

impl Fault {
    /// One or two words: `crash`, `illegal move`.
    pub fn name(self) -> &'static str {
        match self {
            Fault::Missing => "missing program",
            Fault::Setting => "wrong setting",
            Fault::Unsuited => "wrong game",
            Fault::Crash => "crash",
            Fault::Hang => "hang",
            Fault::Illegal => "illegal move",
            Fault::Protocol => "protocol error",
        }
    }
}

impl fmt::Display for PlayerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerError::NothingToDecide => f.write_str("there is nothing to decide in this position"),
            PlayerError::Resigned => f.write_str("the player resigns"),
            PlayerError::Unsuited(why) | PlayerError::Failed(why) => f.write_str(why),
            PlayerError::Broken { fault, story } => write!(f, "{}: {story}", fault.name()),
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

    /// The same for a game in which nobody reads the expected line: whoever would have to take pains for it may leave it out.
    fn decide(
        &mut self,
        line: &Line<P>,
        limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
    ) -> Result<Thought<P::Move>, PlayerError> {
        self.think(line, limits, watch)
    }

    /// Thinks about these moves only, or about all if none is named. Whoever cannot be kept to some looks at all of them: the caller
    /// chooses among what was found.
    fn think_among(
        &mut self,
        line: &Line<P>,
        _wanted: &[P::Move],
        limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
    ) -> Result<Thought<P::Move>, PlayerError> {
        self.think(line, limits, watch)
    }
}
