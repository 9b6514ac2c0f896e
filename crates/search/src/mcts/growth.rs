//! How a tree grows: what one kind of tree search does differently from another.

use super::node::{Branch, Node};
use tengen_core::Side;

/// The way down, and what is kept of what is found there. The parameters of a search answer this.
pub trait Growth: Sync {
    /// The move that the next simulation goes through, at a decision of `side`. `noise` has the priors with noise mixed in, where there is
    /// some (at the root); `lot` is any number, to decide ties.
    fn select<M: Copy>(&self, node: &Node<M>, branch: &Branch<M>, side: Side, noise: Option<&[f32]>, lot: u32)
    -> usize;

    /// Visits after which a leaf gets children without being judged; where judges give them, never.
    fn expand(&self) -> u32 {
        u32::MAX
    }

    /// Whether all moves as first are counted.
    fn rave(&self) -> bool {
        false
    }

    /// Whether proven wins and losses are used.
    fn solver(&self) -> bool {
        true
    }

    /// Only so many moves of a judge's policy are looked at, the likeliest.
    fn top_k(&self) -> usize {
        usize::MAX
    }
}
