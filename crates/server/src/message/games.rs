//! The games and levels that there are.

use super::*;

/// A choice before the game.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct GameOptions {
    /// The rule sets, the usual one first; empty if there is nothing to choose.
    pub rules: Vec<String>,
    /// The usual komi of each rule set, in the same order; empty unless the game has komi.
    pub komi: Vec<f32>,
    /// The most handicap stones on usual points; 0 if the game has none.
    pub handicap: u8,
    /// Whether the start position is drawn by lot (`setup.seed`).
    pub shuffled: bool,
}

/// How strongly and in which way the machine plays.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Level {
    /// What requests call it: `beginner`, `strongest`, …
    pub id: String,
    /// What people call it.
    pub name: Words,
    /// A line about how it plays.
    pub about: Words,
    /// Measured strength in Elo, 0 being a player of random moves.
    pub rating: Option<f32>,
    /// Half the width of the 95 % interval of the rating.
    pub error: Option<f32>,
    /// The player behind it, as the command line writes it.
    pub player: String,
}

/// A game.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct GameInfo {
    /// What requests call it: `go9`.
    pub id: String,
    /// What people call it.
    pub title: Words,
    /// What it is about, in one line.
    pub about: Words,
    /// Games that belong on one card: `go`, `chess`, `yokai`, `othello`, …
    pub family: String,
    /// What tells it from the others of its family: `9x9`, `Atomic`; empty if it is alone.
    pub variant: String,
    /// What the sides are called.
    pub sides: [Words; 2],
    /// What may be chosen.
    pub options: GameOptions,
    /// Whether a side may pass when it could move.
    pub passes: bool,
    /// Whether players may agree on a draw.
    pub draws: bool,
    /// Whether dice are rolled.
    pub dice: bool,
    /// Whether dead groups are agreed on at the end.
    pub counting: bool,
    /// Whether exact values can be asked for.
    pub solved: bool,
    /// From beginner to strongest.
    pub levels: Vec<Level>,
}

/// One picture of a game played before the eyes of a visitor.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct Frame {
    /// What to draw.
    pub drawn: Drawn,
    /// The move that led here.
    pub last: Option<Move>,
}
