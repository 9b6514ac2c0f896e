//! What can be chosen before the first move.

use std::fmt;
use tengen_core::TextError;

/// Handicap stones: how many on the usual points, or where exactly.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Handicap {
    /// So many stones on the usual points.
    Fixed(u8),
    /// Stones on these points, as move texts.
    Free(Vec<String>),
}

/// The choices for a new game; what is `None` is as the game has it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Setup {
    /// Begin from this position instead of the start.
    pub position: Option<String>,
    /// The rule set (Go).
    pub rules: Option<String>,
    /// Points for the second side (Go).
    pub komi: Option<f64>,
    /// Handicap stones (Go).
    pub handicap: Option<Handicap>,
    /// Decides what chance decides before the game: the start position of Chess960.
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

    /// Refuses what only Go has.
    pub(crate) fn no_go_options(&self) -> Result<(), SetupError> {
        for (given, name) in
            [(self.rules.is_some(), "rule sets"), (self.komi.is_some(), "komi"), (self.handicap.is_some(), "handicap")]
        {
            if given {
                return Err(SetupError::new(format!("this game has no {name}: only Go does")));
            }
        }
        Ok(())
    }
}

/// Why a game cannot begin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetupError(String);

impl SetupError {
    pub(crate) fn new(what: impl Into<String>) -> Self {
        SetupError(what.into())
    }
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SetupError {}

impl From<TextError> for SetupError {
    fn from(error: TextError) -> Self {
        SetupError(error.to_string())
    }
}
