//! Everything that the server and the browser say to each other.
//!
//! A page talks over one WebSocket: it sends [`Request`]s, each a numbered [`Wish`], and hears [`Event`]s. Lists, single
//! positions and files go over plain HTTP with the other types here. The TypeScript in `web/src/protocol` is made from this file
//! and a test holds the two together, so a page that compiles understands the server.
//!
//! Values and leads are always for `First`: +1 is a sure win of `First`, −1 of `Second`.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tengen_core::{Drawn, Outcome, Side, Turn};
use tengen_record::Setup;
use ts_rs::TS;

// ---------------------------------------------------------------------------------------------------------------- words

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

// ---------------------------------------------------------------------------------------------------------------- boards

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

// ---------------------------------------------------------------------------------------------------------------- games

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

// ---------------------------------------------------------------------------------------------------------------- clocks

/// How time is dealt out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ClockRule {
    /// So much time for the whole game.
    Absolute {
        /// Milliseconds.
        main_ms: u32,
    },
    /// The same, and some more after every move.
    Fischer {
        /// Milliseconds.
        main_ms: u32,
        /// Milliseconds after every move.
        increment_ms: u32,
    },
    /// Main time, then periods, each lost only when it is used up.
    Byoyomi {
        /// Milliseconds.
        main_ms: u32,
        /// How many periods.
        periods: u32,
        /// Milliseconds each.
        period_ms: u32,
    },
}

/// What one side has left.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TimeLeft {
    /// Milliseconds left *now* of the main time, or of the period if `periods` is counted already.
    pub ms: u32,
    /// Byo-yomi periods left, the running one included.
    pub periods: u32,
    /// Whether the main time is used up and a period runs.
    pub in_period: bool,
}

/// Both clocks as they stand at the moment the message is sent.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Clocks {
    /// How time is dealt out.
    pub rule: ClockRule,
    /// What `First` and `Second` have left.
    pub left: [TimeLeft; 2],
    /// Whose clock runs; nobody's before both have made their first move, while the board is counted, and at the end.
    pub running: Option<Side>,
}

// ---------------------------------------------------------------------------------------------------------------- tables

/// How people come to a table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Mode {
    /// A person against the machine.
    Ai,
    /// Two people at one screen.
    Here,
    /// Two people with a link each.
    Link,
    /// Free play with variations, set-ups and analysis.
    Sandbox,
    /// The machine against itself.
    Watch,
}

/// Which side one wants.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Wanted {
    /// `First`.
    #[default]
    First,
    /// `Second`.
    Second,
    /// Whatever the lot says.
    Random,
}

/// A game that another one begins with.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Source {
    /// The game at a table, up to a node, or all of it.
    Table {
        /// The table.
        table: String,
        /// The last node wanted; without one, all variations come along.
        #[ts(optional)]
        node: Option<u32>,
    },
    /// A game of the library, up to a ply, or all of it.
    Library {
        /// Its number.
        game: u32,
        /// How many plies.
        #[ts(optional)]
        ply: Option<u32>,
    },
}

/// `POST /api/tables`: a new table.
#[derive(Clone, PartialEq, Debug, Deserialize, Serialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewTable {
    /// The game's id.
    pub game: String,
    /// Who plays.
    pub mode: Mode,
    /// Choices before the game.
    #[serde(default)]
    #[ts(as = "Option<SetupShape>", optional)]
    pub setup: Setup,
    /// Moves to begin with.
    #[serde(default)]
    #[ts(as = "Option<Vec<String>>", optional)]
    pub moves: Vec<String>,
    /// Begin with another game instead of `setup` and `moves`.
    #[serde(default)]
    #[ts(optional)]
    pub from: Option<Source>,
    /// The side that the starter plays (`ai` and `link`).
    #[serde(default)]
    #[ts(as = "Option<Wanted>", optional)]
    pub side: Wanted,
    /// The machine's level (`ai`), or the levels of `First` and `Second` (`watch`).
    #[serde(default)]
    #[ts(as = "Option<Vec<String>>", optional)]
    pub levels: Vec<String>,
    /// Clocks.
    #[serde(default)]
    #[ts(optional)]
    pub clock: Option<ClockRule>,
    /// What the starter is called, or in `here` both.
    #[serde(default)]
    #[ts(as = "Option<Vec<String>>", optional)]
    pub names: Vec<String>,
}

/// The answer: where the table is and how to sit down. A page is `/t/{id}`, with `#{key}` behind it for a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Opened {
    /// The table's id, which lets anyone look on.
    pub id: String,
    /// The starter's key.
    pub key: String,
    /// Who the starter is.
    pub you: You,
    /// The other seat's key, to be sent to whom one wants to play with (`link`).
    pub other_key: Option<String>,
}

/// Who sits on a chair.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Sitter {
    /// Somebody with a key.
    Person,
    /// The machine.
    Ai,
}

/// One side's chair.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Chair {
    /// Who sits there.
    pub sitter: Sitter,
    /// A person's name as given; empty if none was.
    pub name: String,
    /// The machine's level.
    pub level: Option<Level>,
    /// Whether somebody with the key is connected; the machine always is.
    pub present: bool,
}

/// How far a table has come.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Status {
    /// The other player has not come yet.
    Waiting,
    /// The game is on; a sandbox always is.
    Playing,
    /// Both have passed: dead groups are agreed on (Go).
    Counting,
    /// The game is over.
    Over,
}

/// What was judged about a move.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Judged {
    /// The position's value for `First` after the move.
    pub value: f32,
    /// How far `First` is ahead after the move.
    pub lead: Option<Ahead>,
    /// What the move cost its side, in value (0 to 2).
    pub loss: f32,
    /// What the move cost its side, in points or pawns.
    pub lead_loss: Option<f32>,
    /// How bad that is.
    pub kind: Quality,
    /// The line the machine would have preferred; empty if the move was best.
    pub better: Vec<Move>,
}

/// How good a move was.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Quality {
    /// The machine's own choice.
    Best,
    /// Nearly as good.
    Good,
    /// It costs something.
    Inaccuracy,
    /// It costs much.
    Mistake,
    /// It throws the game away.
    Blunder,
}

/// A mark on a cell in a sandbox.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Mark {
    /// Where.
    pub cell: String,
    /// What: `circle`, `square`, `triangle`, `cross`, or a label of up to three letters.
    pub shape: String,
}

/// A position in the tree of a table; node 0 is the start.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Node {
    /// Its number, which never changes.
    pub id: u32,
    /// Where it hangs; only node 0 has none. The first child of a node is its main line.
    pub parent: Option<u32>,
    /// The move that leads here; none for node 0.
    pub played: Option<Move>,
    /// Who played it; none for node 0 and for chance.
    pub side: Option<Side>,
    /// How long it took, in milliseconds.
    pub ms: Option<u32>,
    /// What somebody wrote.
    pub comment: String,
    /// Marks on the board.
    pub marks: Vec<Mark>,
    /// What a review found.
    pub judged: Option<Judged>,
}

/// Something said at a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ChatLine {
    /// Who said it.
    pub from: You,
    /// His name, if he has one.
    pub name: String,
    /// What.
    pub text: String,
    /// When, in milliseconds since 1970.
    #[ts(type = "number")]
    pub at: u64,
}

/// Offers that wait for an answer, each with the side that made it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Offers {
    /// A draw.
    pub draw: Option<Side>,
    /// Taking a move back.
    pub undo: Option<Side>,
    /// Another game.
    pub rematch: Option<Side>,
}

/// Which offer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Offer {
    /// A draw.
    Draw,
    /// Taking a move back.
    Undo,
    /// Another game.
    Rematch,
}

/// The count of a Go game as it stands.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Counting {
    /// Cells with dead stones.
    pub dead: Vec<String>,
    /// Whose each cell is, aligned with `drawn.cells`.
    pub owners: Vec<Option<Side>>,
    /// The points of `First` and `Second`, komi included.
    pub points: [f32; 2],
    /// The number of this count at the table: another one whenever other stones are dead.
    pub number: u32,
    /// Who has accepted this count.
    pub accepted: [bool; 2],
    /// Whether the machine has proposed the dead groups yet: it takes a moment.
    pub judged: bool,
}

/// A part of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs)]
pub enum Area {
    TopLeft,
    Top,
    TopRight,
    Left,
    Centre,
    Right,
    BottomLeft,
    Bottom,
    BottomRight,
}

/// Stones that a side lost together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Fall {
    /// Whose they were.
    pub side: Side,
    /// How many.
    pub stones: u32,
    /// Where.
    pub area: Area,
    /// The number of the move that took them; none if they are on the board, dead.
    pub taken: Option<u32>,
}

/// Everything about a table that changes from move to move.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Live {
    /// The table.
    pub id: String,
    /// The game's id.
    pub game: String,
    /// How it was set up.
    #[ts(as = "SetupShape")]
    pub setup: Setup,
    /// Who plays.
    pub mode: Mode,
    /// The chairs of `First` and `Second`.
    pub chairs: [Chair; 2],
    /// How far the game has come.
    pub status: Status,
    /// The node on the board.
    pub at: u32,
    /// The board.
    pub view: View,
    /// The clocks.
    pub clocks: Option<Clocks>,
    /// How it ended.
    pub result: Option<GameResult>,
    /// The most stones that the losing side lost at once, where that tells how it went.
    pub fall: Option<Fall>,
    /// Offers that wait for an answer.
    pub offers: Offers,
    /// Dead groups and points, while they are agreed on and after.
    pub counting: Option<Counting>,
    /// The side for which the machine is thinking.
    pub thinking: Option<Side>,
    /// Whether an AI game against itself is halted.
    pub paused: bool,
    /// How many look on.
    pub spectators: u32,
    /// The table of the rematch: the key of one's old seat opens one's new one.
    pub next: Option<String>,
    /// The game's number in the library, once it is there.
    pub library: Option<u32>,
}

// ---------------------------------------------------------------------------------------------------------------- analysis

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

// ---------------------------------------------------------------------------------------------------------------- socket

/// What a page sends: a wish with a number, which the answer repeats as `re`.
#[derive(Clone, PartialEq, Debug, Deserialize, Serialize, TS)]
pub struct Request {
    /// The number.
    pub re: u32,
    /// The wish.
    #[serde(flatten)]
    pub wish: Wish,
}

/// What a page may ask for over the socket. Everything but `join` and `watch` is about the table one has joined.
#[derive(Clone, PartialEq, Debug, Deserialize, Serialize, TS)]
#[serde(tag = "do", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Wish {
    /// Sit down at a table, or look on without a key. Leaves the former table. Answer: `joined`.
    Join {
        /// The table.
        table: String,
        /// The key to a seat.
        #[serde(default)]
        #[ts(optional)]
        key: Option<String>,
        /// What one is called.
        #[serde(default)]
        #[ts(optional)]
        name: Option<String>,
    },
    /// Get up.
    Leave,
    /// Play a move; `pass` where the game has it. In a game it is refused if another node than the one it answers is on the board; in a
    /// sandbox it is played from there.
    Play {
        /// The move's text, or a label.
        #[serde(rename = "move")]
        mv: String,
        /// The node it answers. At one screen it must be said, since both sides may move there; elsewhere it is the one on the board if
        /// nothing is said.
        #[serde(default)]
        #[ts(optional)]
        node: Option<u32>,
    },
    /// Roll the dice: the server's randomness decides. Dice that are taken back come again.
    Roll {
        /// The node it answers, as for a move.
        #[serde(default)]
        #[ts(optional)]
        node: Option<u32>,
    },
    /// Take back: against the machine to one's own last move, at one screen one move, by link it is an offer to the other.
    Undo,
    /// Give up.
    Resign,
    /// Offer a draw, another game, or to take a move back. What was declined can be offered again after a move.
    Offer {
        /// Which.
        offer: Offer,
    },
    /// Answer an offer of the other side.
    Answer {
        /// Which.
        offer: Offer,
        /// Yes or no.
        accept: bool,
    },
    /// Change sides with the machine (`ai`, `here`).
    Swap,
    /// Another game of the same kind, sides changed: at once against the machine, else an offer. `live.next` then names the table.
    Rematch,
    /// The machine's opinion on the next move; not in a game by link, nor in a position of one's own such game. Answer: `hint`.
    Hint,
    /// The machine is to play what it has found so far.
    MoveNow,
    /// Halt or go on (`watch`).
    Pause {
        /// Halt?
        on: bool,
    },
    /// See another node without moving the game. Answer: `looked`.
    Look {
        /// Which.
        node: u32,
    },
    /// Say something.
    Chat {
        /// What.
        text: String,
    },
    /// Counting: these stones are dead, or not after all.
    Toggle {
        /// A cell with one of them.
        cell: String,
    },
    /// Counting: agreed to the count of this number. If there is another one by now, it is refused: nobody agrees to what he has not seen.
    Accept {
        /// The `number` in `counting`.
        count: u32,
    },
    /// Counting: play on.
    Resume,
    /// Sandbox: put this node on the board.
    Goto {
        /// Which.
        node: u32,
    },
    /// Sandbox: take a node and all behind it away.
    Delete {
        /// Which.
        node: u32,
    },
    /// Sandbox: make the line through this node the main line.
    Promote {
        /// Which.
        node: u32,
    },
    /// Sandbox, or one's own finished game: write beside a node.
    Comment {
        /// Which.
        node: u32,
        /// What.
        text: String,
    },
    /// Sandbox: mark cells at a node.
    Marks {
        /// Which.
        node: u32,
        /// All marks there are to be.
        marks: Vec<Mark>,
    },
    /// Think about a node and tell this page alone: `analysis` events follow until `done`. Not at a table where a game by link goes on, nor
    /// elsewhere about a position of such a game of one's own.
    Analyse {
        /// Which; the one on the board if none is named.
        #[serde(default)]
        #[ts(optional)]
        node: Option<u32>,
        /// For how long at most, in seconds (up to 60).
        #[serde(default)]
        #[ts(optional)]
        seconds: Option<f32>,
    },
    /// Stop analysing.
    Quiet,
    /// Judge every move of the line through a node (else the main line): `review` events follow. Not during a game by link.
    Review {
        /// A node on the line.
        #[serde(default)]
        #[ts(optional)]
        node: Option<u32>,
    },
    /// Stop the review.
    StopReview,
    /// Follow a run (tournament, duel, training): `run` events follow.
    Watch {
        /// Its id; nothing to stop following.
        run: Option<String>,
    },
}

/// What a page hears.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Event {
    /// A request was carried out; what came of it has been told before.
    Done {
        /// The request.
        re: u32,
    },
    /// A request was refused: nothing has changed.
    Refused {
        /// The request; 0 if it could not be read.
        re: u32,
        /// Why, for the page.
        code: Code,
        /// Why, in English.
        text: String,
    },
    /// All about the table one has joined; again when one's own seat changes.
    Joined {
        /// Who one is.
        you: You,
        /// All that changes.
        live: Box<Live>,
        /// The tree, parents before children.
        tree: Vec<Node>,
        /// What has been said.
        chat: Vec<ChatLine>,
    },
    /// Something happened: all that changes, and the nodes that were added or changed.
    Update {
        /// All that changes.
        live: Box<Live>,
        /// Nodes, new or in the place of the old.
        nodes: Vec<Node>,
    },
    /// The tree was cut or ordered anew.
    Tree {
        /// All that changes.
        live: Box<Live>,
        /// The whole tree.
        tree: Vec<Node>,
    },
    /// Only the clocks: after a reconnection or when a period is lost.
    Time {
        /// As they stand.
        clocks: Clocks,
    },
    /// Another node, as asked.
    Looked {
        /// The request.
        re: u32,
        /// Which.
        node: u32,
        /// The board there.
        view: Box<View>,
    },
    /// Somebody said something.
    Chat {
        /// What.
        line: ChatLine,
    },
    /// The machine's opinion on the next move.
    Hint {
        /// The request.
        re: u32,
        /// The node it is about.
        node: u32,
        /// The move it would play, with the line it expects.
        candidate: Candidate,
    },
    /// What the machine thinks so far.
    Analysis {
        /// What.
        analysis: Box<Analysis>,
    },
    /// How far the review has come.
    Review {
        /// Moves judged.
        done: u32,
        /// Moves there are.
        of: u32,
        /// Nodes that have been judged since the last word.
        nodes: Vec<Node>,
        /// Whether it has ended, at the end of the line or before.
        finished: bool,
    },
    /// How a run is going.
    Run {
        /// All of it.
        run: Box<Run>,
    },
}

// ---------------------------------------------------------------------------------------------------------------- positions

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

// ---------------------------------------------------------------------------------------------------------------- library

/// A game of the library in one line.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct LibraryGame {
    /// Its number.
    pub id: u32,
    /// The game's id.
    pub game: String,
    /// Who played.
    pub players: [String; 2],
    /// Who won; nothing for a game without end.
    pub winner: Option<Winner>,
    /// Why, in a few words.
    pub reason: String,
    /// When it began.
    pub date: String,
    /// The occasion.
    pub event: String,
    /// How many moves.
    pub plies: u32,
}

/// `GET /api/library?game=&player=&text=&winner=&event=&from=&to=&offset=&limit=`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct LibraryPage {
    /// How many games there are in all.
    pub total: u32,
    /// Some of them, the newest first.
    pub games: Vec<LibraryGame>,
}

/// `GET /api/library/{id}`: a game with all its moves. Its boards come from `POST /api/judge`, or open it in a sandbox.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct LibraryRecord {
    /// What the list says.
    pub info: LibraryGame,
    /// How it was set up.
    #[ts(as = "SetupShape")]
    pub setup: Setup,
    /// The moves.
    pub moves: Vec<Move>,
    /// The last position.
    pub view: View,
}

// ---------------------------------------------------------------------------------------------------------------- runs

/// What kind of run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum RunKind {
    /// Two players over many games.
    Duel,
    /// Many players.
    Tournament,
    /// A network that learns.
    Training,
    /// Parameters that are searched for.
    Tuning,
}

/// A run in one line.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RunInfo {
    /// What requests call it.
    pub id: String,
    /// What kind.
    pub kind: RunKind,
    /// What people call it.
    pub title: String,
    /// The game's id.
    pub game: String,
    /// When it began.
    pub started: String,
    /// Whether it is still going on.
    pub running: bool,
    /// How much is done.
    pub done: u32,
    /// Of how much; 0 if nobody knows.
    pub of: u32,
    /// Seconds that it will still take.
    pub eta: Option<f32>,
}

/// One player's line in a table of results.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Standing {
    /// The player.
    pub name: String,
    /// Its rating in Elo; nothing while there are too few games.
    pub rating: Option<f32>,
    /// Half the width of the 95 % interval.
    pub error: Option<f32>,
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

/// A curve.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Series {
    /// What it shows: `policy loss`.
    pub name: String,
    /// Curves with the same word belong into one drawing: `loss`, `elo`, `speed`.
    pub group: String,
    /// What is counted to the right: `step`, `game`, `iteration`.
    pub along: String,
    /// Where, how much, and half the width of the 95 % interval where it is known.
    pub points: Vec<(f64, f64, Option<f64>)>,
}

/// A game of a run.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RunGame {
    /// Its number in the run.
    pub number: u32,
    /// Who plays.
    pub players: [String; 2],
    /// The position as far as it has come.
    pub view: Option<View>,
    /// Its moves so far.
    pub moves: Vec<String>,
    /// Its number in the library once it is over.
    pub library: Option<u32>,
}

/// All about a run.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Run {
    /// The list's line.
    pub info: RunInfo,
    /// The players, the strongest first (duels and tournaments).
    pub standings: Vec<Standing>,
    /// Wins, draws and losses of the row's player against the column's, in the order of `standings`.
    pub cross: Vec<Vec<Option<[u32; 3]>>>,
    /// What the test says, in a few words: `LLR 1.3 (−2.94, 2.94) [0, 5]`.
    pub verdict: String,
    /// Games being played, or the last ones.
    pub games: Vec<RunGame>,
    /// Curves.
    pub series: Vec<Series>,
    /// Settings worth knowing, by name.
    pub settings: BTreeMap<String, String>,
}
