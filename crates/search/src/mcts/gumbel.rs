//! Policy and values weighed against each other: what the Gumbel searches go by, at the root and below.
//!
//! CITE: Danihelka, Guez, Schrittwieser & Silver 2022, completed values and the improved policy.

use super::growth::Growth;
use super::guided::{Common, Guide};
use super::halving::Halving;
use super::node::{Branch, Node};
use super::select::best;
use crate::params;
use tengen_core::{Rng, Side};

/// How much values count against the logarithms of the policy: the more, the more simulations there are.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Trust {
    /// As if every move had so many simulations more.
    pub visits: f32,
    /// The weight of a value from 0 to 1.
    pub value: f32,
}

/// The constants of the paper.
impl Default for Trust {
    fn default() -> Self {
        Trust { visits: 50.0, value: 1.0 }
    }
}

impl Trust {
    /// What the values say of each move for `side`, in units of log-probability. A move that nobody tried is worth what the position is:
    /// the mean of the judge's word and the values of what was tried, weighed by the policy.
    pub fn worth<M: Copy>(self, branch: &Branch<M>, side: Side) -> impl Fn(&Node<M>) -> f32 {
        let (mut visits, mut most, mut mass, mut weighted) = (0.0, 0.0f32, 0.0, 0.0);
        for node in &branch.nodes {
            let tried = node.visits() as f32;
            if tried > 0.0
                && let Some(value) = node.value_for(side)
            {
                visits += tried;
                most = most.max(tried);
                mass += node.prior;
                weighted += node.prior * value;
            }
        }
        let tried = if mass > 0.0 { weighted / mass } else { 0.0 };
        let untried = (branch.judged + visits * tried) / (1.0 + visits);
        let scale = (self.visits + most) * self.value * 0.5;
        move |node: &Node<M>| scale * (node.value_for(side).unwrap_or(untried) + 1.0)
    }

    /// The policy as the search has improved it, for `side` at whose decision the branch is: what a network is taught.
    pub fn improved_policy<M: Copy>(self, branch: &Branch<M>, side: Side) -> Vec<f32> {
        let worth = self.worth(branch, side);
        let mut policy: Vec<f32> = branch.nodes.iter().map(|node| node.prior.max(1e-9).ln() + worth(node)).collect();
        let most = policy.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        policy.iter_mut().for_each(|weight| *weight = (*weight - most).exp());
        let sum: f32 = policy.iter().sum();
        policy.iter_mut().for_each(|weight| *weight /= sum);
        policy
    }
}

params! {
    /// How the player `gumbel` plays.
    pub struct GumbelParams {
        visits: u64 = 0, 0..=1_000_000_000, "simulations a move; 0 takes as many as the time allows, or 1000 without one";
        ms: u64 = 0, 0..=86_400_000, "milliseconds a move; 0 sets no limit";
        threads: usize = 1, 1..=256, "threads";
        batch: usize = 8, 1..=255, "leaves that a thread has judged at a time";
        seed: u64 = 0, 0..=u64::MAX, "its choices follow from this number, if it has one thread";
        considered: usize = 16, 1..=65_535, "moves that race by sequential halving at the root";
        noise: f32 = 0.0, 0.0..=10.0, "Gumbel noise at the root: 1 draws moves as likely as the policy has them, 0 takes the likeliest";
        trust_visits: f32 = 50.0, 0.0..=100_000.0, "weight of values against the policy, as if every move had so many simulations more";
        trust_value: f32 = 1.0, 0.0..=1000.0, "weight of values against the policy, a simulation";
        top_k: usize = 0, 0..=65_535, "keep only so many moves of the policy; 0 keeps all";
        solver: bool = true, (), "whether proven wins and losses are used";
        reuse: bool = true, (), "whether the tree is kept from move to move";
        memory: usize = 512, 1..=1_048_576, "megabytes of tree; rarely visited parts are forgotten beyond";
    }
}

impl GumbelParams {
    fn trust(&self) -> Trust {
        Trust { visits: self.trust_visits, value: self.trust_value }
    }
}

impl Growth for GumbelParams {
    /// Below the root moves are tried in proportion to the improved policy, without any chance.
    fn select<M: Copy>(
        &self,
        _node: &Node<M>,
        branch: &Branch<M>,
        side: Side,
        _noise: Option<&[f32]>,
        _lot: u32,
    ) -> usize {
        let policy = self.trust().improved_policy(branch, side);
        let all: u32 = branch.nodes.iter().map(|node| node.visits_and_pending()).sum();
        let share = 1.0 / (1 + all) as f32;
        best(&branch.nodes, side, 0, |index, child| policy[index] - child.visits_and_pending() as f32 * share)
    }

    fn solver(&self) -> bool {
        self.solver
    }

    fn top_k(&self) -> usize {
        if self.top_k == 0 { usize::MAX } else { self.top_k }
    }
}

impl Guide for GumbelParams {
    fn common(&self) -> Common {
        Common {
            visits: self.visits,
            ms: self.ms,
            threads: self.threads,
            batch: self.batch,
            seed: self.seed,
            temperature: 0.0,
            reuse: self.reuse,
            memory: self.memory,
        }
    }

    fn race<M: Copy>(&self, root: &Branch<M>, budget: u64, rng: &mut Rng) -> Option<Halving> {
        Some(Halving::new(root, self.considered, budget, self.noise, self.trust(), rng))
    }
}
