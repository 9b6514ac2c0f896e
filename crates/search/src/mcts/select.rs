//! The bandits: which move the next simulation goes through.

use super::MctsParams;
use super::node::{Branch, Node};
use crate::choices;
use tengen_core::{Outcome, Rng, Side};

choices! {
    /// The formula that weighs what is good against what is little known.
    pub enum Bandit {
        /// `p + c·√(ln N / n)`.
        Ucb1 = "ucb1",
        /// `p + c·√(V·ln N / n)` with `V = p(1 − p)`.
        Tuned1 = "tuned1",
        /// The same `+ ln N / n`.
        Tuned2 = "tuned2",
        /// `Q + c·P·√N / (1 + n)`.
        Puct = "puct",
    }
}

/// Chooses among the moves of a decision of `side`. `noise` mixes into the priors (at the root).
pub(super) fn select<M: Copy>(
    params: &MctsParams,
    node: &Node<M>,
    branch: &Branch<M>,
    side: Side,
    noise: Option<&[f32]>,
    rng: &mut Rng,
) -> usize {
    let total = node.visits_and_pending().max(1) as f32;
    let count = considered(params, branch.nodes.len(), total);
    let nodes = &branch.nodes[..count];
    // A random start decides ties: untried moves all look alike.
    let start = if count > 1 { rng.usize(..count) } else { 0 };
    match params.bandit {
        Bandit::Puct => {
            let explore = params.cpuct * total.sqrt();
            let parent = node.value_for(side).unwrap_or(0.0);
            let untried = parent - params.fpu_reduction;
            best(nodes, side, start, |index, child| {
                let prior = noise.map_or(child.prior, |noise| noise[index]);
                let value = child.urgency_mean(side).unwrap_or(untried);
                value + explore * prior / (1 + child.visits_and_pending()) as f32
            })
        }
        _ if params.rave => {
            let log = total.ln();
            best(nodes, side, start, |_, child| {
                let tried = child.visits_and_pending() as f32;
                let (amaf, amaf_visits) = child.amaf_for(side);
                let own = child.urgency_mean(side).map(share);
                // CITE: Gelly & Silver 2011, the hand-selected schedule: as heavy as `equivalence` simulations.
                let trust = (params.equivalence / (3.0 * tried + params.equivalence)).sqrt();
                let mean = match (own, amaf_visits) {
                    (None, 0) => return params.fpu,
                    (None, _) => share(amaf),
                    (Some(own), 0) => own,
                    (Some(own), _) => trust * share(amaf) + (1.0 - trust) * own,
                };
                mean + widening_term(params, mean, log, tried.max(1.0))
            })
        }
        _ => {
            let log = total.ln();
            best(nodes, side, start, |_, child| match child.urgency_mean(side) {
                None => params.fpu,
                Some(mean) => {
                    let mean = share(mean);
                    mean + widening_term(params, mean, log, child.visits_and_pending() as f32)
                }
            })
        }
    }
}

/// A value in [−1, 1] as a share of wins in [0, 1]: what the bandit formulas are written for.
#[inline]
fn share(value: f32) -> f32 {
    (value + 1.0) * 0.5
}

/// How much is added for being little known.
#[inline]
fn widening_term(params: &MctsParams, mean: f32, log: f32, tried: f32) -> f32 {
    // CITE: the forms of SPEC document B (MoGo), algorithm 7.
    let variance = || (mean * (1.0 - mean)).max(0.001);
    match params.bandit {
        Bandit::Tuned1 => params.exploration * (variance() * log / tried).sqrt(),
        Bandit::Tuned2 => params.exploration * (variance() * log / tried).sqrt() + log / tried,
        _ => params.exploration * (log / tried).sqrt(),
    }
}

/// Progressive widening: only the K(n) most promising moves at the n-th visit; they are sorted by prior.
#[inline]
fn considered(params: &MctsParams, moves: usize, visits: f32) -> usize {
    if params.widening <= 0.0 {
        return moves;
    }
    ((params.widening * visits.powf(params.widening_power)).ceil() as usize).clamp(1, moves)
}

/// The move with the highest urgency, settled ones last. The scan begins at `start`, so that ties fall to chance.
#[inline]
fn best<M: Copy>(nodes: &[Node<M>], side: Side, start: usize, urgency: impl Fn(usize, &Node<M>) -> f32) -> usize {
    let mut top = (start, f32::NEG_INFINITY);
    let mut visit = |range: std::ops::Range<usize>| {
        for index in range {
            let node = &nodes[index];
            let score = match node.proven() {
                None => urgency(index, node),
                Some(Outcome::Win(winner)) if winner == side => f32::MAX,
                // What is settled needs no more simulations while anything is open: draws before losses.
                Some(Outcome::Win(_)) => f32::MIN,
                Some(Outcome::Draw) => f32::MIN / 2.0,
            };
            if score > top.1 {
                top = (index, score);
            }
        }
    };
    visit(start..nodes.len());
    visit(0..start);
    top.0
}
