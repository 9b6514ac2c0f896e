//! What the machine thinks of a position.

use super::*;

/// How far `First` is ahead: one of the two is given.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Ahead {
    /// In points, pawns or discs.
    pub points: Option<f32>,
    /// The game is decided and ends in so many plies: positive when `First` wins.
    pub end_in: Option<i32>,
}

/// A move that the machine looked at.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Candidate {
    /// The move.
    #[serde(rename = "move")]
    pub mv: Move,
    /// How much thought went into it.
    #[ts(type = "number")]
    pub visits: u64,
    /// Its value for `First`.
    pub value: f32,
    /// How far `First` is ahead after it.
    pub lead: Option<Ahead>,
    /// How good it looked before any search, from 0 to 1.
    pub prior: Option<f32>,
    /// The line it expects, beginning with the move.
    pub pv: Vec<Move>,
}

/// What perfect play makes of a position.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Exact {
    /// Of the position itself.
    pub here: ExactValue,
    /// Of each legal move, by its text.
    pub moves: BTreeMap<String, ExactValue>,
}

/// What perfect play makes of a position or a move.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ExactValue {
    /// Who wins; nothing where dice decide.
    pub winner: Option<Winner>,
    /// In how many plies, where that is what is played for.
    pub plies: Option<u32>,
    /// By how many points `First` wins, where that is what is played for.
    pub points: Option<i32>,
    /// The probability that `First` wins, where dice decide.
    pub chance: Option<f32>,
}

/// What the machine thinks of a node so far.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Analysis {
    /// The node.
    pub node: u32,
    /// The value for `First`.
    pub value: f32,
    /// How far `First` is ahead.
    pub lead: Option<Ahead>,
    /// Positions looked at.
    #[ts(type = "number")]
    pub nodes: u64,
    /// Plies looked ahead.
    pub depth: u32,
    /// For how long.
    pub seconds: f32,
    /// Whether it has stopped thinking.
    pub done: bool,
    /// The best first.
    pub candidates: Vec<Candidate>,
    /// To whom each cell will belong, aligned with `drawn.cells`: +1 `First`, −1 `Second`; empty where it is not estimated.
    pub ownership: Vec<f32>,
    /// Influence of the stones, likewise.
    pub influence: Vec<f32>,
    /// Perfect play, where it is known.
    pub exact: Option<Exact>,
}
