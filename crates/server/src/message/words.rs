//! Texts, refusals and the small words that everything else is said with.

use super::*;

/// A text in the languages of the page.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
pub struct Words {
    /// English.
    pub en: String,
    /// French.
    pub fr: String,
}

/// What can go wrong, as a page wants to know it; `text` beside it says it in English.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Code {
    /// The move is not legal here.
    Illegal,
    /// The move would bring back an earlier position.
    Ko,
    /// The stone would have no liberty.
    Suicide,
    /// There is something on that place already.
    Occupied,
    /// It is somebody else's turn.
    NotYourTurn,
    /// The game is over.
    Over,
    /// A text is not a move, position, file or player: `text` says what is wrong and where.
    BadText,
    /// A message could not be understood.
    BadMessage,
    /// There is no such table.
    UnknownTable,
    /// There is no such game, level, node, run or page.
    Unknown,
    /// The key does not open this seat, or the page came from elsewhere.
    Forbidden,
    /// This cannot be done at this kind of table, or not now.
    NotNow,
    /// Too many requests, tables or thoughts at once: wait a little.
    TooMany,
    /// The message or the file is too large.
    TooLarge,
    /// It would be help in a game against a person that goes on.
    FairPlay,
    /// The AI does not agree with the dead groups: play on to show it.
    Disagrees,
    /// The other side does not agree to the offer.
    Declined,
    /// What this agrees to or answers is no longer on the table: look at what is there now.
    Changed,
    /// The server failed; the game is as it was.
    Failed,
}

/// Something went wrong.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
pub struct Trouble {
    /// What, for the page.
    pub code: Code,
    /// What, in English.
    pub text: String,
}

/// Who a connection is at a table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum You {
    /// The one who plays `First`.
    First,
    /// The one who plays `Second`.
    Second,
    /// Both sides: two people at one screen, or the owner of a sandbox.
    Both,
    /// Somebody who looks on. The starter of an AI game against an AI is one, too.
    Spectator,
}

/// Whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Whose {
    /// `First` decides.
    First,
    /// `Second` decides.
    Second,
    /// Dice are to be rolled, by the side in `toMove`.
    Chance,
    /// The game is over.
    Over,
}

impl From<Turn> for Whose {
    fn from(turn: Turn) -> Self {
        match turn {
            Turn::Decision(Side::First) => Whose::First,
            Turn::Decision(Side::Second) => Whose::Second,
            Turn::Chance => Whose::Chance,
            Turn::Over(_) => Whose::Over,
        }
    }
}

/// Who won.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Winner {
    /// `First`.
    First,
    /// `Second`.
    Second,
    /// Nobody.
    Draw,
}

impl From<Outcome> for Winner {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Win(Side::First) => Winner::First,
            Outcome::Win(Side::Second) => Winner::Second,
            Outcome::Draw => Winner::Draw,
        }
    }
}

impl From<Winner> for Outcome {
    fn from(winner: Winner) -> Self {
        match winner {
            Winner::First => Outcome::Win(Side::First),
            Winner::Second => Outcome::Win(Side::Second),
            Winner::Draw => Outcome::Draw,
        }
    }
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum By {
    /// The loser gave up.
    Resign,
    /// The loser's time ran out.
    Time,
    /// Points or discs were counted; `points` says how many more the winner has.
    Score,
    /// The king is mate.
    Checkmate,
    /// No move is left and no check given.
    Stalemate,
    /// The position came back.
    Repetition,
    /// Fifty moves without a capture or a pawn's move.
    FiftyMoves,
    /// Neither side can mate any more.
    Material,
    /// Both agreed on a draw.
    Agreement,
    /// So many in a row.
    Line,
    /// The board is full.
    Full,
    /// The piece that must not be lost was taken.
    Capture,
    /// A goal was reached: the last row, the hill, the third check, a hundred points, all checkers off.
    Goal,
    /// A side left.
    Abandoned,
    /// By the rules, in a way that has no word of its own.
    Rules,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct GameResult {
    /// Who won.
    pub winner: Winner,
    /// Why.
    pub by: By,
    /// By how many points, where they are counted.
    pub points: Option<f32>,
}
