//! What happened, for people to read: one HTML page that needs nothing else, and pieces of Markdown.
//!
//! [`ReportData`] is plain data, gathered by whoever ran the games. [`Analysis`] is what follows from it; the page and
//! the Markdown only write it down, so they cannot contradict each other.

mod analysis;
mod frames;
mod markdown;
mod page;
mod words;

pub use analysis::{Analysis, EloCurve, OpeningLine};
pub use frames::{Change, Frames, Geometry, Kind, Note, frames};
pub use markdown::{cross_table, match_section, standings};
pub use page::page;

use crate::stats::Sprt;
use crate::tune::{Parameter, Path, Tuner};
use serde::{Deserialize, Serialize};
use tengen_core::Side;

/// Everything a report is made of.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ReportData {
    /// What the tournament is called.
    pub name: String,
    /// The game's id: `go9`.
    pub game: String,
    /// What the sides are called: `["Black", "White"]`.
    pub sides: [String; 2],
    /// The command that makes it happen again.
    pub command: String,
    /// The random seed.
    pub seed: u64,
    /// The revision of the program that played.
    pub revision: String,
    /// The day, as text.
    pub date: String,
    /// Under which conditions: `("time", "10 s + 0.1 s")`.
    pub conditions: Vec<(String, String)>,
    /// Who played.
    pub players: Vec<PlayerData>,
    /// All games, in the order in which they ended.
    pub games: Vec<GameData>,
    /// The test that was to be decided between the first two players.
    pub sprt: Option<Sprt>,
    /// Players whose ratings are given: index and Elo.
    pub anchors: Vec<(usize, f64)>,
    /// A tuning, if it was one.
    pub tuning: Option<TuningData>,
}

/// One player.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PlayerData {
    /// Its name in tables.
    pub name: String,
    /// How it is written on the command line: `mcts:visits=800`.
    pub spec: String,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameResult {
    /// The first side won.
    First,
    /// The second side won.
    Second,
    /// Nobody won.
    Draw,
    /// It does not count: broken off, or a player failed that is not to blame.
    #[default]
    Void,
}

/// One game.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct GameData {
    /// Its name in the database.
    pub id: String,
    /// Who played the first side: an index among the players.
    pub first: usize,
    /// Who played the second side.
    pub second: usize,
    /// Two games with the same number here are a pair: same opening, sides exchanged.
    pub pair: Option<u64>,
    /// The opening.
    pub opening: Option<String>,
    /// How it ended.
    pub result: GameResult,
    /// Why it ended: `checkmate`, `time`, `adjudicated`.
    pub reason: String,
    /// The moves, if they are to be shown and counted.
    pub moves: Vec<MoveData>,
    /// The pictures, if the game is to be replayed: one more than there are moves.
    pub frames: Option<Frames>,
}

/// One move.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct MoveData {
    /// The move as text.
    pub text: String,
    /// Who moved; nobody if it was chance.
    pub side: Option<Side>,
    /// What the mover thought of the position, for itself: −1 to 1.
    pub value: Option<f32>,
    /// How deep it looked.
    pub depth: Option<u32>,
    /// How long it thought.
    pub seconds: Option<f32>,
    /// The cells the move touched, by name, the last one being where it ended.
    pub touched: Vec<String>,
    /// Whether it came from the opening, not from a player.
    pub book: bool,
}

/// A tuning.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct TuningData {
    /// `SPSA` or `CLOP`.
    pub algorithm: String,
    /// What was tuned.
    pub parameters: Vec<Parameter>,
    /// How the estimates moved.
    pub path: Path,
}

impl TuningData {
    /// What a tuner has to show.
    pub fn of(algorithm: &str, tuner: &dyn Tuner) -> Self {
        let (parameters, path) = (tuner.parameters().to_vec(), tuner.path().clone());
        TuningData { algorithm: algorithm.into(), parameters, path }
    }
}
