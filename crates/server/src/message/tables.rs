//! Tables: how they are opened, who sits there, their clocks, their trees, and all that changes from move to move.

use super::*;

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
