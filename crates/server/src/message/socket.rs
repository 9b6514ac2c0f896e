//! What goes over the WebSocket: requests and events.

use super::*;

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
