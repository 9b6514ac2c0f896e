//! Why a game cannot begin as asked.

use std::fmt;
use tengen_core::{Reason, TextError};
use tengen_record::Setup;

/// Refuses what only Go has.
pub(crate) fn no_go_options(setup: &Setup) -> Result<(), SetupError> {
    for (given, name) in
        [(setup.rules.is_some(), "rule sets"), (setup.komi.is_some(), "komi"), (setup.handicap.is_some(), "handicap")]
    {
        if given {
            return Err(SetupError::new(format!("this game has no {name}: only Go does")));
        }
    }
    Ok(())
}

/// Why a game cannot begin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetupError(TextError);

impl SetupError {
    pub(crate) fn new(what: impl Into<String>) -> Self {
        SetupError(TextError::new(what))
    }

    /// There is no such game.
    pub(crate) fn unknown(what: impl Into<String>) -> Self {
        SetupError(TextError::because(Reason::Unknown, what))
    }

    /// Why, for programs.
    pub fn reason(&self) -> Reason {
        self.0.reason()
    }
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for SetupError {}

impl From<TextError> for SetupError {
    fn from(error: TextError) -> Self {
        SetupError(error)
    }
}
