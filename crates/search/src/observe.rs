//! Looking over a search's shoulder: how the explaining pages see the very code that plays.

use crate::Window;
use tengen_core::{Line, Position, Turn, Value};

/// Told what a depth-first search does, as it does it. The silent one costs nothing.
pub trait Observer<P: Position> {
    /// A node is entered with this many plies to go; the window is that of the side to move.
    fn enter(&mut self, _line: &Line<P>, _turn: Turn, _depth: u32, _window: Option<Window>) {}

    /// A child has come back, and this is the node's best value now, for the side to move (for Max in minimax, expectimax and expectiminimax).
    fn improve(&mut self, _best: Value, _window: Option<Window>) {}

    /// The node's other moves need not be looked at.
    fn prune(&mut self, _line: &Line<P>, _unseen: &[P::Move], _best: Value, _window: Option<Window>) {}

    /// The node is left with this value.
    fn leave(&mut self, _value: Value) {}
}

/// Nobody looks.
#[derive(Clone, Copy, Default, Debug)]
pub struct Silent;

impl<P: Position> Observer<P> for Silent {}
