//! Gumbel root selection with sequential halving: the best use of a handful of simulations.
//!
//! Some moves are drawn by the policy plus Gumbel noise; all get the same number of simulations; the better half
//! goes on. What is left at the end is played, which improves on the policy whatever the budget.
//!
//! CITE: Danihelka, Guez, Schrittwieser & Silver 2022.

use super::gumbel::Trust;
use super::node::Branch;
use tengen_core::{Rng, Side};

/// The state of one halving.
pub struct Halving {
    /// All moves that take part, by index, with their noisy log-prior.
    field: Vec<(usize, f32)>,
    /// Those still in the race.
    racing: Vec<(usize, f32)>,
    /// Simulations that each move still in the race gets in this phase.
    quota: u64,
    /// How many were given out in this phase, and how many of them are back.
    given: u64,
    back: u64,
    /// Moves of simulations that came to nothing: to be given out again.
    again: Vec<usize>,
    phases_left: u32,
    /// Of this race; the next one, if there is time, is twice as long.
    budget: u64,
    budget_left: u64,
    repeated: bool,
    trust: Trust,
}

impl Halving {
    /// A race between `considered` moves over `budget` simulations, with so much Gumbel noise: 1 draws moves as likely as the policy says, 0
    /// takes the likeliest.
    pub fn new<M: Copy>(
        branch: &Branch<M>,
        considered: usize,
        budget: u64,
        noise: f32,
        trust: Trust,
        rng: &mut Rng,
    ) -> Self {
        let gumbel = |rng: &mut Rng| -(-(rng.f32().clamp(1e-9, 1.0 - 1e-7)).ln()).ln();
        let mut field: Vec<(usize, f32)> = branch
            .nodes
            .iter()
            .enumerate()
            .map(|(index, node)| (index, node.prior.max(1e-9).ln() + noise * gumbel(rng)))
            .collect();
        field.sort_by(|a, b| b.1.total_cmp(&a.1));
        field.truncate(considered.min(budget as usize).max(1));
        let mut halving = Halving {
            field,
            racing: Vec::new(),
            quota: 0,
            given: 0,
            back: 0,
            again: Vec::new(),
            phases_left: 0,
            budget,
            budget_left: 0,
            repeated: false,
            trust,
        };
        halving.start();
        halving
    }

    /// Everybody to the start.
    fn start(&mut self) {
        self.racing.clone_from(&self.field);
        self.phases_left = self.racing.len().next_power_of_two().trailing_zeros().max(1);
        self.budget_left = self.budget;
        self.deal();
    }

    /// The share of each move in the phase that begins.
    fn deal(&mut self) {
        let share = self.budget_left / u64::from(self.phases_left.max(1));
        self.quota = (share / self.racing.len() as u64).max(1);
        (self.given, self.back) = (0, 0);
    }

    /// The move of the next simulation; `None` if those under way must come back first.
    pub fn next<M: Copy>(&mut self, branch: &Branch<M>, side: Side) -> Option<usize> {
        if let Some(index) = self.again.pop() {
            return Some(index);
        }
        let race_over = self.budget_left == 0;
        let phase_over = self.given >= self.quota * self.racing.len() as u64 && self.racing.len() > 1;
        if (race_over || phase_over) && self.back < self.given {
            return None;
        }
        if race_over {
            self.budget = self.budget.saturating_mul(2).max(1);
            self.repeated = true;
            self.start();
        } else if phase_over {
            self.rank(branch, side);
            self.racing.truncate(self.racing.len().div_ceil(2));
            self.phases_left = self.phases_left.saturating_sub(1);
            self.deal();
        }
        let index = self.racing[(self.given % self.racing.len() as u64) as usize].0;
        self.given += 1;
        self.budget_left = self.budget_left.saturating_sub(1);
        Some(index)
    }

    /// A simulation is back.
    pub fn came_back(&mut self) {
        self.back += 1;
    }

    /// A simulation through this move came to nothing.
    pub fn give_back(&mut self, index: usize) {
        self.again.push(index);
    }

    /// The winner so far.
    pub fn winner<M: Copy>(&mut self, branch: &Branch<M>, side: Side) -> usize {
        self.rank(branch, side);
        if !self.repeated {
            return self.racing[0].0;
        }
        // A race begun again is broken off somewhere: who has been looked at much less has not won it.
        let visits = |&(index, _): &(usize, f32)| branch.nodes[index].visits();
        let most = self.racing.iter().map(visits).max().unwrap_or(0);
        self.racing.iter().find(|racer| visits(racer) >= most / 2).map_or(self.racing[0].0, |racer| racer.0)
    }

    fn rank<M: Copy>(&mut self, branch: &Branch<M>, side: Side) {
        let worth = self.trust.worth(branch, side);
        let merit = |&(index, noisy): &(usize, f32)| noisy + worth(&branch.nodes[index]);
        self.racing.sort_by(|a, b| merit(b).total_cmp(&merit(a)));
    }
}
