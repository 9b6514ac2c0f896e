//! Why a search cannot be shown.

use crate::{MOST_NODES, MOST_VISITS};
use std::fmt;

/// Why a search cannot be shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExplainError {
    /// There is no such algorithm; the text says which is nearest.
    Unknown(String),
    /// There is nothing to search.
    Over,
    /// The search cannot weigh dice.
    Chance {
        /// Its name.
        algorithm: &'static str,
    },
    /// No page could show it.
    TooLarge {
        /// The depth asked for.
        depth: u32,
        /// The deepest search that a page can show, if any can be.
        fits: Option<u32>,
    },
    /// Too many simulations for a page.
    TooManyVisits(u32),
}

impl fmt::Display for ExplainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExplainError::Unknown(text) => f.write_str(text),
            ExplainError::Over => f.write_str("there is nothing to search: the game is over here"),
            ExplainError::Chance { algorithm } => {
                write!(f, "{algorithm} cannot weigh chance: take --algorithm expectiminimax")
            }
            ExplainError::TooLarge { depth, fits: Some(fits) } => {
                write!(f, "depth {depth} has more than the {MOST_NODES} positions a page can show: --depth {fits} fits")
            }
            ExplainError::TooLarge { depth, fits: None } => {
                write!(
                    f,
                    "depth {depth} has more than the {MOST_NODES} positions a page can show, and so has --depth 1"
                )
            }
            ExplainError::TooManyVisits(visits) => {
                write!(f, "{visits} visits are more than a page can show: --visits {MOST_VISITS} fits")
            }
        }
    }
}

impl std::error::Error for ExplainError {}
