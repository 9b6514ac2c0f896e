//! The player every other player must beat.

use crate::{Candidate, Limits, Player, PlayerError, Thought, Watch};
use tengen_core::{Line, Position, Pov, Rng, Turn, mix};

/// Any legal move, each as likely as the others.
///
/// The choice follows from the seed, the position and how far the game has come, so that a game can be repeated from any
/// of its moves, and so that a position that comes back is not always left the same way.
pub struct Random {
    seed: u64,
}

impl Random {
    /// A player whose choices follow from the seed.
    pub fn new(seed: u64) -> Self {
        Random { seed }
    }
}

impl<P: Position> Player<P> for Random {
    fn think(
        &mut self,
        line: &Line<P>,
        _limits: &Limits,
        _watch: &mut Watch<'_, P::Move>,
    ) -> Result<Thought<P::Move>, PlayerError> {
        let mut moves = Vec::new();
        let Turn::Decision(_) = line.turn(&mut moves) else {
            return Err(PlayerError::NothingToDecide);
        };
        let mut rng = Rng::with_seed(mix(self.seed ^ mix(line.position().key() ^ line.ply() as u64)));
        let best = moves[rng.usize(..moves.len())];
        let prior = 1.0 / moves.len() as f32;
        let candidate = |&mv: &P::Move| Candidate { prior: Some(prior), ..Candidate::new(mv, 0, Pov::even()) };
        let candidates = moves.iter().map(candidate).collect();
        Ok(Thought::new(best, Pov::even(), 1, 0, candidates))
    }
}
