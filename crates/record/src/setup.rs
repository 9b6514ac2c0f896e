//! What can be chosen before the first move.

use serde::{Deserialize, Serialize};

/// Handicap stones: how many on the usual points, or where exactly.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Handicap {
    /// So many stones on the usual points.
    Fixed(u8),
    /// Stones on these points, as move texts.
    Free(Vec<String>),
}

/// The choices for a new game; what is `None` is as the game has it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Setup {
    /// Begin from this position instead of the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The rule set (Go, Yokai 5x6).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// Points for the second side (Go).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub komi: Option<f64>,
    /// Handicap stones (Go).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handicap: Option<Handicap>,
    /// Decides what chance decides before the game: the start position of Chess960.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

impl Setup {
    /// The start position of a game without further choices.
    pub fn standard() -> Self {
        Setup::default()
    }

    /// The game from this position.
    pub fn at(position: impl Into<String>) -> Self {
        Setup { position: Some(position.into()), ..Setup::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn setups_are_written_short_and_read_with_suspicion() {
        let go = Setup { komi: Some(6.5), handicap: Some(Handicap::Fixed(2)), ..Setup::standard() };
        let text = serde_json::to_string(&go).expect("plain data");
        assert_eq!(text, r#"{"komi":6.5,"handicap":2}"#);
        assert_eq!(serde_json::from_str::<Setup>(&text).expect("our own text"), go);
        assert!(serde_json::from_str::<Setup>(r#"{"koni":6.5}"#).is_err());
    }
}
