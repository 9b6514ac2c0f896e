//! What each game brings to the table beside its rules.

use crate::{Setup, SetupError};
use tengen_core::{Notation, Picture, Rng, Symmetry};
use tengen_games::backgammon::Backgammon;
use tengen_games::chess::{
    Antichess, Atomic, Chess, Chess960, Crazyhouse, Horde, KingOfTheHill, RacingKings, ThreeCheck,
};
use tengen_games::connect4::Connect4;
use tengen_games::othello::{Othello6, Othello8};
use tengen_games::pig::Pig;
use tengen_games::tictactoe::TicTacToe;
use tengen_search::Heuristic;
use tengen_search::evaluate::{Lead, Material, Mobility, OpenLines, Race, Threats};

/// A game that the registry can open: rules, notation, symmetry, picture, and the two things below.
pub trait Game: Notation + Symmetry + Picture {
    /// The static evaluation that searches use unless told otherwise.
    type Judge: Heuristic<Self> + Default + Clone;

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
    TicTacToe, OpenLines;
    Connect4, Threats;
    Othello6, Mobility;
    Othello8, Mobility;
    Chess, Material;
    Crazyhouse, Material;
    ThreeCheck, Material;
    KingOfTheHill, Material;
    Atomic, Material;
    RacingKings, Material;
    Antichess, Material;
    Horde, Material;
    Pig, Lead;
    Backgammon, Race;
}

/// Chess960 draws its start position by the seed; without one it is the classical position.
impl Game for Chess960 {
    type Judge = Material;

    fn initial() -> Self {
        Chess960::new()
    }

    fn start(setup: &Setup) -> Result<Self, SetupError> {
        setup.no_go_options()?;
        match (&setup.position, setup.seed) {
            (Some(text), _) => Ok(Self::read(text)?),
            (None, Some(seed)) => {
                let number = Rng::with_seed(seed).u16(..960);
                Chess960::numbered(number).ok_or_else(|| SetupError::new(format!("there is no position {number}")))
            }
            (None, None) => Ok(Self::initial()),
        }
    }
}
