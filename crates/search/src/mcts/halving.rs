//! Gumbel root selection with sequential halving: the best use of a handful of simulations.
//!
//! Some moves are drawn by the policy plus Gumbel noise; all get the same number of simulations; the better half
//! goes on. What is left at the end is played, which improves on the policy whatever the budget.
//!
//! CITE: Danihelka, Guez, Schrittwieser & Silver 2022.

use super::node::Branch;
use tengen_core::{Rng, Side};

/// The state of one halving.
pub struct Halving {
    /// Moves still in the race, by index, with their noisy log-prior.
    racing: Vec<(usize, f32)>,
    /// Simulations that each move still in the race gets in this phase.
    quota: u64,
    /// How many were given out in this phase.
    given: u64,
    phases_left: u32,
    budget_left: u64,
}

impl Halving {
    /// A race between `considered` moves over `budget` simulations.
    pub fn new<M: Copy>(branch: &Branch<M>, considered: usize, budget: u64, rng: &mut Rng) -> Self {
        let gumbel = |rng: &mut Rng| -(-(rng.f32().clamp(1e-9, 1.0 - 1e-7)).ln()).ln();
        let mut racing: Vec<(usize, f32)> = branch
            .nodes
            .iter()
            .enumerate()
            .map(|(index, node)| (index, node.prior.max(1e-9).ln() + gumbel(rng)))
            .collect();
        racing.sort_by(|a, b| b.1.total_cmp(&a.1));
        racing.truncate(considered.min(budget as usize).max(1));
        let phases_left = racing.len().next_power_of_two().trailing_zeros().max(1);
        let mut halving = Halving { racing, quota: 0, given: 0, phases_left, budget_left: budget };
        halving.deal();
        halving
    }

    /// The share of each move in the phase that begins.
    fn deal(&mut self) {
        let share = self.budget_left / u64::from(self.phases_left.max(1));
        self.quota = (share / self.racing.len() as u64).max(1);
        self.given = 0;
    }

    /// The move of the next simulation.
    pub fn next<M: Copy>(&mut self, branch: &Branch<M>, side: Side) -> usize {
        if self.given >= self.quota * self.racing.len() as u64 && self.racing.len() > 1 {
            self.rank(branch, side);
            self.racing.truncate(self.racing.len().div_ceil(2));
            self.phases_left = self.phases_left.saturating_sub(1);
            self.deal();
        }
        let index = self.racing[(self.given % self.racing.len() as u64) as usize].0;
        self.given += 1;
        self.budget_left = self.budget_left.saturating_sub(1);
        index
    }

    /// The winner so far.
    pub fn winner<M: Copy>(&mut self, branch: &Branch<M>, side: Side) -> usize {
        self.rank(branch, side);
        self.racing[0].0
    }

    fn rank<M: Copy>(&mut self, branch: &Branch<M>, side: Side) {
        let most = branch.nodes.iter().map(|node| node.visits()).max().unwrap_or(0) as f32;
        // The paper's monotone transform of values, with its constants.
        let merit = |&(index, noisy): &(usize, f32)| {
            let value = branch.nodes[index].value_for(side).unwrap_or(-1.0);
            noisy + (50.0 + most) * (value + 1.0) * 0.5
        };
        self.racing.sort_by(|a, b| merit(b).total_cmp(&merit(a)));
    }
}
