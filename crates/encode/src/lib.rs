//! What a network is shown of a position, and what its numbers mean.
//!
//! An [`Encoder`] writes a position into planes of numbers, one number a point, and into a few numbers for the whole
//! board; and it gives every legal move its place in the network's policy. A value that a network answers with is for the
//! side to move, and so is what it is shown: "own" and "other" instead of first and second, and where the second side plays
//! up the board, the board turned round. Weights are not known here, and an index of the policy is known nowhere else.
//!
//! [`exam`] is the test that every encoder sits; [`pack`] writes what was encoded in few bytes.

mod backgammon;
mod chess;
mod connect4;
pub mod exam;
mod go;
mod othello;
pub mod pack;
mod pig;
mod shape;
mod tictactoe;
mod turned;
mod yokai;

pub use backgammon::BackgammonNumbers;
pub use chess::{ChessBits, ChessPlanes};
pub use connect4::Connect4Planes;
pub use go::{GoPlanes, GoStones, GoV7};
pub use othello::{OthelloBoard, OthelloPlanes};
pub use pig::PigNumbers;
pub use shape::{Encoded, Input, Policy, Shape};
pub use tictactoe::TicTacToePlanes;
pub use turned::{Permutation, Turned};
pub use yokai::{YokaiBoard, YokaiPlanes};

use std::fmt;
use tengen_core::{Line, Position};

/// The name of an encoder in model files: it names one way to show positions for good. An encoder that comes to show
/// something else gets a new name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EncoderId(&'static str);

impl EncoderId {
    /// The name as text, lower case without spaces.
    pub fn as_str(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for EncoderId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// One way to show the positions of a game to a network.
///
/// Points are numbered row by row from the top left, as the side to move sees the board.
pub trait Encoder<P: Position>: Send + Sync {
    /// The name in model files.
    fn id(&self) -> EncoderId;

    /// How much there is to show, and how long the policy is: the same for all positions of one game, but a larger
    /// board has more.
    fn shape(&self, position: &P) -> Shape;

    /// Writes every number of `out`, whatever stood there; `out` has the lengths that [`shape`](Encoder::shape) says. Nothing is allocated.
    fn encode(&self, line: &Line<P>, out: &mut Input<'_>);

    /// The place of a decision in the policy. The legal moves of a position have different places; what chance
    /// does has none, and must not be asked for.
    fn index(&self, position: &P, mv: P::Move) -> usize;

    /// How many of the last moves are shown: positions that came about by other moves are then shown differently.
    fn history(&self) -> usize {
        0
    }

    /// What symmetry number `which` of the game (see [`Symmetry`](tengen_core::Symmetry)) does to what has been encoded and to a policy, for boards like that of
    /// this position.
    fn turned(&self, position: &P, which: usize) -> Turned {
        debug_assert_eq!(which, 0, "a game with symmetries says what they do");
        Turned::identity(&self.shape(position))
    }
}
