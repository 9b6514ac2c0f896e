//! Finished games.

use super::*;

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
