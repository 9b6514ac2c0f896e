//! Searches: from a [`Line`](tengen_core::Line) and some [`Limits`] to a [`Thought`].
//!
//! One file an algorithm, all of them generic over the game and all of them at one socket, [`Player`]. A search
//! never prints, reads no clock but the one it is handed, and draws no random number but from the seed it is given.

mod depth_first;
mod heuristic;
mod limits;
mod minimax;
pub mod params;
mod player;
mod random;

pub use depth_first::DepthFirst;
pub use heuristic::{Blank, Heuristic, WIN, is_decided, mated_in};
pub use limits::{Clock, GameClock, Limits, Period, Stopper};
pub use minimax::{Minimax, MinimaxParams, minimax};
pub use player::{Candidate, Player, PlayerError, Thought, Watch};
pub use random::Random;
