//! What each game brings to the table beside its rules.

use crate::{Setup, SetupError};
use tengen_core::{Notation, Picture, Symmetry};
use tengen_games::tictactoe::TicTacToe;
use tengen_search::{Blank, Heuristic};

/// A game that the registry can open: rules, notation, symmetry, picture, and the two things below.
pub trait Game: Notation + Symmetry + Picture {
    /// The static evaluation that searches use unless told otherwise.
    type Judge: Heuristic<Self> + Default;

    /// The start position without any choices made.
    fn initial() -> Self;

    /// The start position with these choices; by default a game offers none but another position.
    fn start(setup: &Setup) -> Result<Self, SetupError> {
        setup.no_go_options()?;
        match &setup.position {
            Some(text) => Ok(Self::read(text)?),
            None => Ok(Self::initial()),
        }
    }
}

macro_rules! game {
    ($($type:ty, $judge:ty;)*) => {$(
        impl Game for $type {
            type Judge = $judge;
            fn initial() -> Self {
                <$type>::new()
            }
        }
    )*};
}

game! {
    TicTacToe, Blank;
}
