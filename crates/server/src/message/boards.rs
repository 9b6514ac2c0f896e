//! Positions as a page draws them, and what single positions are asked over HTTP.

use super::*;

/// A move as a page needs it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Move {
    /// What to send to play it.
    #[serde(rename = "move")]
    pub mv: String,
    /// What people write: SAN in chess, else the same text.
    pub label: String,
    /// The cells it touches, by name, the last one where it ends; none for a pass or a roll. A drop begins with the piece's letter
    /// and an `@` in `move`.
    pub touched: Vec<String>,
}

/// What chance may bring.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Chance {
    /// The roll.
    #[serde(rename = "move")]
    pub mv: String,
    /// How likely it is.
    pub chance: f32,
}

/// One position, the same everywhere: play, analysis, lessons, library, watching.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct View {
    /// The position as text.
    pub position: String,
    /// Moves played so far.
    pub ply: u32,
    /// Whose turn it is.
    pub turn: Whose,
    /// The side that decides or rolls.
    pub to_move: Side,
    /// What to draw.
    pub drawn: Drawn,
    /// What the sides are called in English: `["Black", "White"]`.
    pub sides: [&'static str; 2],
    /// The legal moves; empty at a chance event and at the end.
    pub legal: Vec<Move>,
    /// What chance may bring; empty unless it is chance's turn.
    pub chances: Vec<Chance>,
    /// The move that led here.
    pub last: Option<Move>,
    /// The cell of a king in check.
    pub check: Option<String>,
    /// How the rules end the game here, if they do. In Go all stones are taken as alive: a table goes on to counting.
    pub result: Option<GameResult>,
}

/// The same as the server's set-up of a game, for the page.
#[derive(TS)]
#[ts(rename = "Setup")]
#[allow(dead_code)] // Only its shape is used, to write the TypeScript of `tengen_record::Setup`.
pub(crate) struct SetupShape {
    /// Begin from this position instead of the start. A position of Go says its own rules, komi and handicap.
    #[ts(optional)]
    position: Option<String>,
    /// The rule set (Go, Yokai 5x6).
    #[ts(optional)]
    rules: Option<String>,
    /// Points for the second side (Go).
    #[ts(optional)]
    komi: Option<f64>,
    /// Handicap stones: how many on the usual points, or where exactly (Go).
    #[ts(optional, type = "number | string[]")]
    handicap: Option<()>,
    /// Decides the start position of Chess960.
    #[ts(optional)]
    seed: Option<u32>,
}

/// `POST /api/judge`: what a position looks like after some moves; for lessons, previews and set-ups.
#[derive(Clone, PartialEq, Debug, Deserialize, Serialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Line {
    /// The game's id.
    pub game: String,
    /// Where it begins.
    #[serde(default)]
    #[ts(as = "Option<SetupShape>", optional)]
    pub setup: Setup,
    /// The moves since, texts or labels.
    #[serde(default)]
    #[ts(as = "Option<Vec<String>>", optional)]
    pub moves: Vec<String>,
}

/// `POST /api/edit`: change one thing about a position. Answer: the `View` of the position changed, or why it cannot be.
#[derive(Clone, PartialEq, Debug, Deserialize, Serialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Edit {
    /// The game's id.
    pub game: String,
    /// The position so far; the start if none is given.
    #[serde(default)]
    #[ts(optional)]
    pub position: Option<String>,
    /// Cells to fill or to empty, in order.
    #[serde(default)]
    #[ts(as = "Option<Vec<Put>>", optional)]
    pub put: Vec<Put>,
    /// Empty the board first.
    #[serde(default)]
    #[ts(as = "Option<bool>", optional)]
    pub clear: bool,
    /// Whose turn it is to be.
    #[serde(default)]
    #[ts(optional)]
    pub to_move: Option<Side>,
}

/// Put a piece on a cell, or take what is there away.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Put {
    /// The cell.
    pub cell: String,
    /// The piece: its letters and its side as `drawn` has them; nothing to empty the cell.
    pub piece: Option<PutPiece>,
}

/// A piece to be put.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PutPiece {
    /// Whose.
    pub side: Side,
    /// Its shape, as `drawn` names it: `king`, `stone`, `kodama`.
    pub shape: String,
}

/// `POST /api/import`: a file or text to be opened in a sandbox. Answer: `Opened`.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Import {
    /// SGF, PGN, FEN, a position's text or moves in a row.
    pub text: String,
    /// The game, where the text does not say.
    #[serde(default)]
    #[ts(optional)]
    pub game: Option<String>,
}

/// `POST /api/explain`: a search, step by step. Answer: the trace that `/explain.js` shows.
#[derive(Clone, PartialEq, Debug, Deserialize, Serialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Explain {
    /// The game's id.
    pub game: String,
    /// Where it begins.
    #[serde(default)]
    #[ts(as = "Option<SetupShape>", optional)]
    pub setup: Setup,
    /// The moves since.
    #[serde(default)]
    #[ts(as = "Option<Vec<String>>", optional)]
    pub moves: Vec<String>,
    /// `minimax`, `negamax`, `alphabeta`, `expectimax`, `expectiminimax` or `mcts`.
    pub algorithm: String,
    /// Plies to look ahead; as deep as fits a page if none are given.
    #[serde(default)]
    #[ts(optional)]
    pub depth: Option<u32>,
    /// Simulations of mcts.
    #[serde(default)]
    #[ts(optional)]
    pub visits: Option<u32>,
    /// What the random choices of mcts follow from.
    #[serde(default)]
    #[ts(optional)]
    pub seed: Option<u32>,
}

/// How far the table of a solved game is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum SolvedState {
    /// The game needs none, or it is there.
    Ready,
    /// It has not been made yet.
    Missing,
    /// It is being made.
    Making,
    /// It could not be made: the log says why.
    Failed,
}

/// `POST /api/solved`: make the table that a game's exact values are looked up in, in the background. Answer: `Solved`.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Solve {
    /// The game's id.
    pub game: String,
}

/// `GET /api/solved?game=`: whether a game's exact values can be had.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Solved {
    /// How far its table is.
    pub state: SolvedState,
    /// How much of the making is done, from 0 to 1.
    pub share: f32,
    /// Whether this server makes it when asked to; strangers may not ask.
    pub may_make: bool,
    /// What to type to make it without the server.
    pub command: String,
}
