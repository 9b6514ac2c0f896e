//! What a search did, from its first step to its last: the tree as it is in the end, and the events that made it.
//!
//! The page replays the events, so a trace says everything once and holds no sentence in any language.

use crate::Algorithm;
use crate::sketch::{Form, Sketch};
use serde::Serialize;
use tengen_core::Side;

/// A recorded search.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Trace {
    /// Which search it was.
    pub algorithm: Algorithm,
    /// The game's id, or `tree`.
    pub game: String,
    /// What people call the game.
    pub title: String,
    /// What its sides are called; the first is Max.
    pub sides: [&'static str; 2],
    /// The side to move at the root.
    pub side: Side,
    /// The root as text.
    pub position: String,
    /// How deep a depth-first search looked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The formula of MCTS.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bandit: Option<Bandit>,
    /// The board that the nodes' sketches belong to, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub form: Option<Form>,
    /// All nodes, a parent always before its children; the root is the first.
    pub nodes: Vec<Node>,
    /// What happened, in order.
    pub events: Vec<Event>,
    /// How many positions this search and its relatives look at.
    pub counts: Vec<Count>,
    /// The value of the root: for Max, but in negamax for the side to move and in expectimax for the searching side.
    pub value: f32,
    /// The move that the search would play, if the root is a decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<String>,
}

/// The numbers of UCB1.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Bandit {
    /// Simulations.
    pub visits: u32,
    /// What they follow from.
    pub seed: u64,
    /// `c`, the weight of the unknown.
    pub exploration: f32,
}

/// What is done at a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The largest value is taken.
    Max,
    /// The smallest value is taken.
    Min,
    /// Dice fall.
    Chance,
    /// The opponent plays by a model of his habits, so the average is taken (expectimax).
    Model,
    /// Nothing: the position is judged.
    Leaf,
}

/// A node of the tree.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Node {
    /// Where it hangs; only the root has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<u32>,
    /// What is done here.
    pub kind: Kind,
    /// Whose turn it is.
    pub side: Side,
    /// The move that leads here.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub mv: Option<String>,
    /// How likely that move is, below a chance node or a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability: Option<f32>,
    /// Plies to go (depth-first searches).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Why a leaf is one: `first`, `second` or `draw` if the game is over, else `limit`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<&'static str>,
    /// What a leaf is worth, also if the search never looked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f32>,
    /// All moves, in the tree or not (MCTS).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
    /// The position as text, unless it is long.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The position as a drawing.
    #[serde(flatten)]
    pub sketch: Sketch,
    /// The cells that the move touched.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub touched: Vec<usize>,
}

/// `[α, β]`; `None` is infinite.
pub type Interval = [Option<f32>; 2];

/// One thing that happened.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "do", rename_all = "lowercase")]
pub enum Event {
    /// A node is entered.
    Enter {
        /// Which.
        node: u32,
        /// With this window.
        #[serde(skip_serializing_if = "Option::is_none")]
        window: Option<Interval>,
    },
    /// A child has come back; this is the node's value so far.
    Improve {
        /// Which.
        node: u32,
        /// Best value, or weighted sum, so far.
        value: f32,
        /// The window now.
        #[serde(skip_serializing_if = "Option::is_none")]
        window: Option<Interval>,
    },
    /// The other children need not be looked at.
    Prune {
        /// Of which node.
        node: u32,
        /// Its value so far.
        value: f32,
        /// The window, which is empty.
        #[serde(skip_serializing_if = "Option::is_none")]
        window: Option<Interval>,
        /// The children that are cut off.
        unseen: Vec<u32>,
    },
    /// A node is left with its value.
    Leave {
        /// Which.
        node: u32,
        /// What it is worth.
        value: f32,
    },
    /// A simulation goes on from one node to another.
    Select {
        /// From here.
        node: u32,
        /// To there; that node may not be in the tree yet.
        to: u32,
    },
    /// The tree grows by this node.
    Expand {
        /// Which.
        node: u32,
    },
    /// A simulation reaches an end of the game that it knows from before.
    Known {
        /// Where.
        node: u32,
        /// What it is worth to First.
        value: f32,
    },
    /// A random game is played to its end.
    Playout {
        /// From here.
        node: u32,
        /// The moves, where no dice fall in between.
        moves: Vec<String>,
        /// How it ended, for First.
        value: f32,
        /// The last position.
        #[serde(flatten)]
        sketch: Sketch,
    },
    /// The result goes back to the root.
    Backup {
        /// From here.
        node: u32,
        /// What it is worth to First.
        value: f32,
    },
}

/// How many positions a search looks at.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Count {
    /// The search: an algorithm, or `star1` or `star2`.
    pub name: &'static str,
    /// Positions.
    pub nodes: u64,
    /// False if counting was given up: there are more.
    pub complete: bool,
}
