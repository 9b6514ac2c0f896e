//! The bandit of AlphaZero and KataGo: a judge's policy says what is worth a try, its values say what is good.

use super::growth::Growth;
use super::guided::{Common, Guide};
use super::node::{Branch, Node};
use super::select::puct;
use crate::params;
use tengen_core::Side;

params! {
    /// How the player `puct` plays.
    pub struct PuctParams {
        visits: u64 = 0, 0..=1_000_000_000, "simulations a move; 0 takes as many as the time allows, or 1000 without one";
        ms: u64 = 0, 0..=86_400_000, "milliseconds a move; 0 sets no limit";
        threads: usize = 1, 1..=256, "threads";
        batch: usize = 8, 1..=255, "leaves that a thread has judged at a time";
        seed: u64 = 0, 0..=u64::MAX, "its choices follow from this number, if it has one thread";
        cpuct: f32 = 1.0, 0.0..=20.0, "weight of the unknown";
        cpuct_log: f32 = 0.45, 0.0..=20.0, "how much that weight grows when the visits grow e-fold beyond 500";
        fpu: f32 = 0.2, -2.0..=2.0, "how much worse than its parent an untried move looks when all of the policy has been tried";
        top_k: usize = 0, 0..=65_535, "keep only so many moves of the policy; 0 keeps all";
        noise: f32 = 0.0, 0.0..=1.0, "share of Dirichlet noise in the policy at the root";
        alpha: f32 = 0.3, 0.001..=100.0, "how even that noise is";
        temperature: f32 = 0.0, 0.0..=10.0, "0 plays the most visited move; 1 as often as visited";
        solver: bool = true, (), "whether proven wins and losses are used";
        reuse: bool = true, (), "whether the tree is kept from move to move";
        memory: usize = 512, 1..=1_048_576, "megabytes of tree; rarely visited parts are forgotten beyond";
    }
}

/// Visits from which on the weight of the unknown grows.
const LONG: f32 = 500.0;

impl Growth for PuctParams {
    fn select<M: Copy>(
        &self,
        node: &Node<M>,
        branch: &Branch<M>,
        side: Side,
        noise: Option<&[f32]>,
        lot: u32,
    ) -> usize {
        let visits = node.visits_and_pending().max(1) as f32;
        // CITE: Silver et al. 2018 let the weight grow with the logarithm of the visits; the figures are KataGo's (Wu 2019).
        let weight = self.cpuct + self.cpuct_log * ((visits + LONG) / LONG).ln();
        // CITE: Wu 2019 (KataGo) and Leela Chess Zero: the more of the policy has been tried, the less is expected of the rest. Where noise
        // wants everything tried, nothing is taken off.
        let tried: f32 = branch.nodes.iter().filter(|node| node.visits_and_pending() > 0).map(|node| node.prior).sum();
        let reduction = if noise.is_some() { 0.0 } else { self.fpu * tried.sqrt() };
        let untried = node.value_for(side).unwrap_or(branch.judged) - reduction;
        let start = ((u64::from(lot) * branch.nodes.len() as u64) >> 32) as usize;
        puct(&branch.nodes, side, start, noise, weight * visits.sqrt(), untried)
    }

    fn solver(&self) -> bool {
        self.solver
    }

    fn top_k(&self) -> usize {
        if self.top_k == 0 { usize::MAX } else { self.top_k }
    }
}

impl Guide for PuctParams {
    fn common(&self) -> Common {
        Common {
            visits: self.visits,
            ms: self.ms,
            threads: self.threads,
            batch: self.batch,
            seed: self.seed,
            temperature: self.temperature,
            reuse: self.reuse,
            memory: self.memory,
        }
    }

    fn noise(&self) -> Option<(f32, f32)> {
        (self.noise > 0.0).then_some((self.noise, self.alpha))
    }
}
