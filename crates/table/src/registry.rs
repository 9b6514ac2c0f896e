//! All games by their ids: the one `match` that knows them all.

use crate::game::Game;
use crate::{Setup, SetupError};
use tengen_games::tictactoe::TicTacToe;
use tengen_search::params::unknown;

/// A game as a list shows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameInfo {
    /// What the command line calls it.
    pub id: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// What it is about, in one line.
    pub about: &'static str,
    /// The player one meets there unless one asks for another.
    pub opponent: &'static str,
}

/// Every game, in the order a menu shows them. Go is there in its usual sizes; any `go2` to `go25` opens too.
pub const GAMES: &[GameInfo] = &[GameInfo {
    id: "tictactoe",
    title: "Tic-tac-toe",
    about: "three in a row on nine squares",
    opponent: "minimax:depth=9",
}];

/// Something to do with a game whose type is known only at run time.
pub trait Visitor {
    /// What comes of it.
    type Out;
    /// Does it, with the start position asked for.
    fn visit<P: Game>(self, start: P) -> Self::Out;
}

/// Finds the game, sets it up, and hands it to the visitor.
pub fn with_game<V: Visitor>(id: &str, setup: &Setup, visitor: V) -> Result<V::Out, SetupError> {
    match id {
        "tictactoe" => Ok(visitor.visit(TicTacToe::start(setup)?)),
        _ => Err(SetupError::new(unknown("game", id, GAMES.iter().map(|game| game.id)))),
    }
}

/// The player one meets in a game unless one asks for another.
pub fn opponent(id: &str) -> &'static str {
    let known = GAMES.iter().find(|game| game.id == id);
    // Odd sizes of Go are played as the usual ones are.
    known.or_else(|| GAMES.iter().find(|game| game.id == "go9")).map_or("random", |game| game.opponent)
}
