//! A game from its set-up to its result.

use crate::Setup;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tengen_core::Outcome;

/// One move with what is known about how it came to be played.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Played {
    /// The move, or what chance brought, in the game's own notation.
    pub text: String,
    /// How long it took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f32>,
    /// What the player thought the position was worth to it, from −1 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f32>,
    /// The same in pawns or points, where the player counts them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lead: Option<f32>,
    /// How deep it looked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Positions it looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// What somebody wrote about it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub comment: String,
}

impl Played {
    /// A move of which nothing else is known.
    pub fn new(text: impl Into<String>) -> Self {
        Played { text: text.into(), ..Played::default() }
    }
}

/// How a game ended, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// Who won.
    pub outcome: Outcome,
    /// In a few words: `checkmate`, `resignation`, `White ran out of time`; empty if the rules alone decided.
    pub reason: String,
}

/// A game, finished or not.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Record {
    /// The game's id.
    pub game: String,
    /// What was chosen before the first move.
    pub setup: Setup,
    /// Who played, `First` and `Second`: the names of people, the texts of players.
    pub players: [String; 2],
    /// The moves.
    pub moves: Vec<Played>,
    /// How it ended, if it has.
    pub ending: Option<Ending>,
    /// The match, tournament or occasion.
    pub event: String,
    /// When it began, as `2026-11-16T08:30:00Z` or as much of that as is known.
    pub date: String,
    /// Everything else that a file says about it, by the file's own names.
    pub tags: BTreeMap<String, String>,
}
