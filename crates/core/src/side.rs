//! Who plays, what comes next, and how a game ends.

use crate::Pov;
use serde::{Deserialize, Serialize};

/// Expected outcome for a named side: −1 a sure loss, 0 a draw, +1 a sure win.
pub type Value = f32;

/// What an alpha-beta search adds and compares, for a named side.
pub type Score = i32;

/// The two players. The first to move in the start position is `First` (except in Go with handicap, where
/// Black is `First` and White moves).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Side {
    /// Black in Go, Othello and Yokai, White in chess, X in tic-tac-toe.
    First,
    /// The other one.
    Second,
}

impl Side {
    /// Both sides, in order.
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// The opponent.
    #[inline]
    pub fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// 0 or 1, for tables with one entry a side.
    #[inline]
    pub fn index(self) -> usize {
        self as usize
    }

    /// `first` or `second`.
    pub fn name(self) -> &'static str {
        match self {
            Side::First => "first",
            Side::Second => "second",
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// This side won.
    Win(Side),
    /// Nobody won.
    Draw,
}

impl Outcome {
    /// +1 if `side` won, −1 if it lost, 0 for a draw.
    #[inline]
    pub fn value_for(self, side: Side) -> Value {
        match self {
            Outcome::Win(winner) if winner == side => 1.0,
            Outcome::Win(_) => -1.0,
            Outcome::Draw => 0.0,
        }
    }

    /// What it is worth.
    #[inline]
    pub fn value(self) -> Pov<Value> {
        Pov::of(Side::First, self.value_for(Side::First))
    }

    /// `first`, `second` or `draw`.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Win(side) => side.name(),
            Outcome::Draw => "draw",
        }
    }
}

/// What comes next in a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Turn {
    /// A side chooses one of the moves; there is at least one.
    Decision(Side),
    /// Dice fall: the moves and their probabilities come from [`Position::chance`](crate::Position::chance).
    Chance,
    /// The game is over.
    Over(Outcome),
}
