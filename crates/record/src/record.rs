//! A game from its set-up to its result.

use crate::Setup;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::collections::BTreeMap;
use tengen_core::{Outcome, Side, refuse};

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
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ending {
    /// Who won.
    #[serde(serialize_with = "write_outcome", deserialize_with = "read_outcome")]
    pub outcome: Outcome,
    /// In a few words: `checkmate`, `resignation`, `White ran out of time`; empty if the rules alone decided.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

fn write_outcome<S: Serializer>(outcome: &Outcome, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(outcome.name())
}

fn read_outcome<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Outcome, D::Error> {
    match String::deserialize(deserializer)?.as_str() {
        "first" => Ok(Outcome::Win(Side::First)),
        "second" => Ok(Outcome::Win(Side::Second)),
        "draw" => Ok(Outcome::Draw),
        other => Err(de::Error::custom(format!("an outcome is first, second or draw, not {}", refuse(other)))),
    }
}

/// A game, finished or not.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Record {
    /// The game's id.
    pub game: String,
    /// What was chosen before the first move.
    pub setup: Setup,
    /// Who played, `First` and `Second`: the names of people, the texts of players.
    pub players: [String; 2],
    /// The moves.
    #[serde(deserialize_with = "crate::limits::list")]
    pub moves: Vec<Played>,
    /// How it ended, if it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ending: Option<Ending>,
    /// The match, tournament or occasion.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub event: String,
    /// When it began, as `2026-11-16T08:30:00Z` or as much of that as is known.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub date: String,
    /// Everything else that a file says about it, by the file's own names.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub tags: BTreeMap<String, String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_json() {
        let record = Record {
            game: "othello".to_owned(),
            players: ["Ada".to_owned(), "mcts:visits=800".to_owned()],
            moves: vec![Played::new("d3"), Played { seconds: Some(0.5), ..Played::new("c5") }],
            ending: Some(Ending { outcome: Outcome::Win(Side::Second), reason: "resignation".to_owned() }),
            ..Record::default()
        };
        let text = serde_json::to_string(&record).expect("plain data");
        assert_eq!(
            text,
            r#"{"game":"othello","setup":{},"players":["Ada","mcts:visits=800"],"moves":[{"text":"d3"},{"text":"c5","seconds":0.5}],"ending":{"outcome":"second","reason":"resignation"}}"#
        );
        assert_eq!(serde_json::from_str::<Record>(&text).expect("our own text"), record);
        assert!(serde_json::from_str::<Record>(r#"{"ending":{"outcome":"white"}}"#).is_err());
    }
}
