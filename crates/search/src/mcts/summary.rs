//! What a tree says of its root's moves: from statistics to a thought.

use super::node::{Branch, Node};
use super::tree::Tree;
use crate::{Candidate, Thought};
use tengen_core::{Outcome, Position, Pov, Rng, Side, Turn};

/// What the tree says now. Its root has been looked at and is a decision of `side`.
pub(super) fn summary<P: Position>(tree: &Tree<P>, side: Side) -> Thought<P::Move> {
    let mut candidates = Vec::new();
    if let Some(branch) = tree.root().branch() {
        candidates.extend(branch.nodes.iter().filter_map(|node| {
            let value = node.value_for(side).unwrap_or(-1.0);
            let known = Candidate::new(node.mv?, u64::from(node.visits()), Pov::of(side, value));
            Some(Candidate { prior: Some(node.prior), pv: expected(node), ..known })
        }));
    }
    let proven = |candidate: &Candidate<P::Move>| {
        let branch = tree.root().branch()?;
        branch.nodes.iter().find(|node| node.mv == Some(candidate.mv)).and_then(|node| node.proven())
    };
    // Sure wins first, sure losses last, and in between by visits.
    let rank = |candidate: &Candidate<P::Move>| match proven(candidate) {
        Some(Outcome::Win(winner)) if winner == side => 2,
        Some(Outcome::Win(_)) => 0,
        _ => 1,
    };
    let value = |candidate: &Candidate<P::Move>| candidate.value.seen_by(side);
    candidates
        .sort_by(|a, b| (rank(b), b.visits).cmp(&(rank(a), a.visits)).then_with(|| value(b).total_cmp(&value(a))));
    // A sure draw is better than a move that looks worse than one.
    if candidates.first().is_some_and(|best| value(best) < 0.0)
        && let Some(draw) = candidates.iter().position(|candidate| proven(candidate) == Some(Outcome::Draw))
    {
        candidates[..=draw].rotate_right(1);
    }
    // The root was opened before the search, so there is at least one move.
    let (best, pv) = (candidates[0].mv, candidates[0].pv.clone());
    let value = tree.root().proven().map_or(candidates[0].value, Outcome::value);
    let thought = Thought::new(best, value, u64::from(tree.root().visits()), pv.len() as u32, candidates);
    Thought { pv, ..thought }
}

/// The line of most visits from a node on, beginning with the node's own move.
fn expected<M: Copy>(node: &Node<M>) -> Vec<M> {
    let mut pv = Vec::new();
    let mut node = Some(node);
    while let Some(at) = node {
        pv.extend(at.mv);
        node = match at.branch() {
            // The line ends where dice fall.
            Some(Branch { turn: Turn::Decision(_), nodes, .. }) => {
                nodes.iter().filter(|node| node.visits() > 0).max_by_key(|node| node.visits())
            }
            _ => None,
        };
    }
    pv
}

/// The final choice: the first candidate, or one drawn by temperature.
pub(super) fn conclude<P: Position>(tree: &Tree<P>, side: Side, temperature: f32, rng: &mut Rng) -> Thought<P::Move> {
    let mut thought = summary(tree, side);
    if temperature > 0.0 {
        let weight = |candidate: &Candidate<P::Move>| (candidate.visits as f32).powf(1.0 / temperature);
        let sum: f32 = thought.candidates.iter().map(weight).sum();
        if sum > 0.0 && sum.is_finite() {
            let shares: Vec<_> =
                thought.candidates.iter().map(|candidate| (candidate.mv, weight(candidate) / sum)).collect();
            let drawn = tengen_core::sample(&shares, rng);
            choose(&mut thought, drawn);
        }
    }
    thought
}

/// Puts another move in front.
pub(super) fn choose<M: Copy + PartialEq>(thought: &mut Thought<M>, mv: M) {
    if let Some(at) = thought.candidates.iter().position(|candidate| candidate.mv == mv)
        && at > 0
    {
        thought.candidates[..=at].rotate_right(1);
        thought.best = mv;
        thought.value = thought.candidates[0].value;
        thought.pv.clone_from(&thought.candidates[0].pv);
    }
}

/// Adds the counts of another search of the same position.
pub(super) fn merge<M: Copy + PartialEq>(total: &mut Thought<M>, other: &Thought<M>) {
    total.nodes += other.nodes;
    for candidate in &other.candidates {
        match total.candidates.iter_mut().find(|known| known.mv == candidate.mv) {
            None => total.candidates.push(candidate.clone()),
            Some(known) => {
                let visits = known.visits + candidate.visits;
                if visits > 0 {
                    let sum = |one: &Candidate<M>| one.value.seen_by(Side::First) * one.visits as f32;
                    known.value = Pov::of(Side::First, (sum(known) + sum(candidate)) / visits as f32);
                }
                known.visits = visits;
            }
        }
    }
}

pub(super) fn sort<M: Copy + PartialEq>(thought: &mut Thought<M>) {
    thought.candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.visits));
    if let Some(first) = thought.candidates.first() {
        thought.pv.clone_from(&first.pv);
        (thought.best, thought.value) = (first.mv, first.value);
    }
}
