//! Tournaments and trainings to watch.

use super::*;

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
