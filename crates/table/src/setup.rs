//! Why a game cannot begin as asked.

use std::fmt;
use tengen_core::TextError;
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
