//! Searches: from a [`Line`](tengen_core::Line) and some [`Limits`] to a [`Thought`].
//!
//! One file an algorithm, all of them generic over the game and all of them at one socket, [`Player`]. A search
//! never prints, reads no clock but the one it is handed, and draws no random number but from the seed it is given.

mod alphabeta;
mod deepening;
mod depth_first;
mod expectimax;
mod expectiminimax;
mod heuristic;
pub mod judge;
mod limits;
mod literal;
pub mod mcts;
mod minimax;
mod negamax;
mod observe;
pub mod params;
mod player;
mod pvs;
mod random;
mod simulations;
mod transposition;
mod window;

pub use alphabeta::alphabeta;
pub use deepening::{AlphaBeta, AlphaBetaParams};
pub use depth_first::DepthFirst;
pub use expectimax::{Expectimax, ExpectimaxParams, MakeOpponent, Opponent, Uniform, expectimax};
pub use expectiminimax::{Expectiminimax, ExpectiminimaxParams, Star, expectiminimax, star};
pub use heuristic::{Blank, Heuristic, WIN, is_decided, mated_in};
pub use limits::{Clock, GameClock, Limits, Period, Stopper};
pub use literal::{Leaves, Literal};
pub use minimax::{DepthParams, Minimax, minimax};
pub use negamax::{Negamax, negamax};
pub use observe::{Observer, Silent};
pub use player::{Candidate, Fault, Lead, Player, PlayerError, Thought, Watch};
pub use pvs::pvs;
pub use random::Random;
pub use simulations::{News, Tickets, simulate};
pub use transposition::{Bound, Entry, Transpositions};
pub use window::{HIGHEST, LOWEST, Window};
