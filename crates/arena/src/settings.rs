//! Everything that is chosen before a match begins, as a file or a command line says it.
//!
//! What is here decides the games: the same settings give the same schedule, openings and seeds. How many games run at once
//! and what happens when an engine dies is for whoever runs it ([`Conduct`]).

use crate::clock::TimeControl;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;
use tengen_record::Setup;
use tengen_search::Limits;

/// What bounds a player's thinking about each move, beside what its own text says.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Bounds {
    /// A clock for the whole game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<TimeControl>,
    /// Milliseconds a move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<u64>,
    /// Positions a move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Plies to look ahead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Simulations a move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visits: Option<u64>,
}

impl Bounds {
    /// The bounds but for the clock, which changes from move to move.
    pub fn limits(&self) -> Limits {
        Limits {
            time: self.ms.map(Duration::from_millis),
            nodes: self.nodes,
            depth: self.depth,
            visits: self.visits,
            ..Limits::default()
        }
    }

    /// Whether nothing is bounded.
    pub fn is_empty(&self) -> bool {
        *self == Bounds::default()
    }
}

/// Somebody who takes part.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entrant {
    /// What tables call it; its text unless something else is given.
    #[serde(default)]
    pub name: String,
    /// The player, as in `mcts:visits=800`.
    pub player: String,
    /// Its own bounds, instead of those for everybody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<Bounds>,
}

impl Entrant {
    /// A player that goes by its text.
    pub fn new(player: impl Into<String>) -> Self {
        let player = player.into();
        Entrant { name: player.clone(), player, limits: None }
    }
}

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everybody meets everybody.
    #[default]
    RoundRobin,
    /// The first meets all the others.
    Gauntlet,
    /// In each round those meet who have done equally well so far.
    Swiss,
    /// Whoever loses is out.
    KnockOut,
}

/// Where games begin.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OpeningSettings {
    /// Random moves before the players begin, if there is no file; `None` is as the game needs it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plies: Option<u32>,
    /// They may change a quick search's opinion of the start by at most so much (0 to 1).
    pub balance: f32,
    /// A file of openings instead: positions (`.epd`, `.fen`), games (`.pgn`, `.sgf`), or lines of moves (anything else).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
    /// What the file held, so that a match does not go on with another one; filled in by the program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
}

impl Default for OpeningSettings {
    fn default() -> Self {
        OpeningSettings { plies: None, balance: 0.35, file: None, digest: None }
    }
}

/// When a game is broken off because everybody knows how it ends.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Adjudication {
    /// Lost when both players have agreed on that for some moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
    /// Drawn when both players have seen nothing in it for some moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// After so many plies the game is a draw, or counted where the game can be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_plies: Option<u32>,
    /// A directory of Syzygy tablebases (chess).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tablebase: Option<PathBuf>,
    /// Whether positions that the game's solver knows at once end the game.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub solver: bool,
}

/// A player whose value is this bad for so many of its moves has lost, if the other thinks so too.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResignRule {
    /// How bad, from 0 to 1.
    pub value: f32,
    /// For how many moves of either player.
    pub moves: u32,
}

/// A game is drawn when both values have been this small for so many moves, from some move on.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawRule {
    /// How small, from 0 to 1.
    pub value: f32,
    /// For how many moves of either player.
    pub moves: u32,
    /// Not before this ply.
    #[serde(default)]
    pub from: u32,
}

/// A sequential test, as it is written: `{ elo0 = 0, elo1 = 5 }`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SprtSettings {
    /// H0: the first player is this much stronger.
    pub elo0: f64,
    /// H1.
    pub elo1: f64,
    /// The chance to accept H1 though H0 is true.
    #[serde(default = "five_percent")]
    pub alpha: f64,
    /// The chance to accept H0 though H1 is true.
    #[serde(default = "five_percent")]
    pub beta: f64,
    /// Whether the differences are normalised.
    #[serde(default)]
    pub normalised: bool,
}

fn five_percent() -> f64 {
    0.05
}

/// A match or tournament.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Its name in the database.
    pub name: String,
    /// The game's id.
    pub game: String,
    /// What is chosen before the first move, the same for all games.
    pub setup: Setup,
    /// Who meets whom.
    pub format: Format,
    /// Games in each meeting; an even number, for they are played in pairs.
    pub games: u64,
    /// Rounds of a Swiss tournament; as many as it takes to have one winner, if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
    /// Openings, dice and the players' own seeds follow from this number.
    pub seed: u64,
    /// Where games begin.
    pub openings: OpeningSettings,
    /// What bounds all players.
    #[serde(skip_serializing_if = "Bounds::is_empty")]
    pub limits: Bounds,
    /// When games are broken off.
    pub adjudication: Adjudication,
    /// Stop as soon as this test is decided (two players).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtSettings>,
    /// What must be there beside Tengen itself, in words, for the message when it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needs: Option<String>,
    /// Who takes part.
    #[serde(rename = "player")]
    pub players: Vec<Entrant>,
}

/// What happens when an engine crashes or hangs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnCrash {
    /// The match stops, and the game does not count.
    #[default]
    Stop,
    /// The engine has lost the game and is started anew.
    Restart,
}

/// How a match is run, which does not change what is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conduct {
    /// Games at the same time; 0 means as many as the cores can take.
    pub concurrency: usize,
    /// Whether every game stays on cores of its own.
    pub affinity: bool,
    /// What happens when an engine crashes or hangs.
    pub on_crash: OnCrash,
    /// How much time over is forgiven.
    pub margin: Duration,
    /// Whether all games are kept in memory, for a report.
    pub keep: bool,
}

impl Default for Conduct {
    fn default() -> Self {
        let margin = Duration::from_millis(100);
        Conduct { concurrency: 0, affinity: false, on_crash: OnCrash::Stop, margin, keep: false }
    }
}
