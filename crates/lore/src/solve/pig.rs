//! Pig, solved: the probability of winning from every position, when both sides play for nothing else.
//!
//! The banked scores never fall, so positions are solved from the highest sum of them down. Only positions with the same two scores hang
//! on each other in a circle, a one giving the die to the other side: there the values are improved in turn until they stand still.
//!
//! CITE: Neller & Presser 2004, "Optimal Play of the Dice Game Pig".

use super::exact::from_moves;
use super::{Exact, Leash, Solution, Solve, Unsolved, Verdict};
use std::sync::{Arc, OnceLock};
use tengen_core::Position;
use tengen_games::pig::{GOAL, Move, Pig};

const SIDE: usize = GOAL as usize;

/// The probability of winning for the side to move, by its score, the other's, and the turn total.
pub struct Solver {
    /// `[own][other][total]`, flat.
    chances: Vec<f64>,
}

fn place(own: usize, other: usize, total: usize) -> usize {
    (own * SIDE + other) * SIDE + total
}

impl Solver {
    /// Solves all positions, in a fraction of a second.
    pub fn new() -> Self {
        let mut solver = Solver { chances: vec![0.0; SIDE * SIDE * SIDE] };
        for sum in (0..=2 * (SIDE - 1)).rev() {
            for own in sum.saturating_sub(SIDE - 1)..=sum / 2 {
                let other = sum - own;
                while solver.improve(own, other).max(solver.improve(other, own)) > 1e-14 {}
            }
        }
        solver
    }

    /// Improves all turn totals of a pair of scores once; by how much the most.
    fn improve(&mut self, own: usize, other: usize) -> f64 {
        let mut most: f64 = 0.0;
        for total in (0..SIDE - own).rev() {
            // To hold nothing is allowed but never better, and if both sides did so for ever, any value would stand still.
            let hold = if total > 0 { self.hold(own, other, total) } else { 0.0 };
            let better = self.roll(own, other, total).max(hold);
            let known = &mut self.chances[place(own, other, total)];
            most = most.max((better - *known).abs());
            *known = better;
        }
        most
    }

    /// The solution, made when it is first asked for and shared from then on.
    pub fn shared() -> Arc<Self> {
        static SOLVED: OnceLock<Arc<Solver>> = OnceLock::new();
        Arc::clone(SOLVED.get_or_init(|| Arc::new(Solver::new())))
    }

    /// The probability of winning for the side to move before it decides.
    pub fn chance(&self, own: usize, other: usize, total: usize) -> f64 {
        if own + total >= SIDE { 1.0 } else { self.chances[place(own, other, total)] }
    }

    fn roll(&self, own: usize, other: usize, total: usize) -> f64 {
        let lost = 1.0 - self.chance(other, own, 0);
        (lost + (2..=6).map(|face| self.chance(own, other, total + face)).sum::<f64>()) / 6.0
    }

    fn hold(&self, own: usize, other: usize, total: usize) -> f64 {
        if own + total >= SIDE { 1.0 } else { 1.0 - self.chance(other, own + total, 0) }
    }
}

impl Default for Solver {
    fn default() -> Self {
        Self::new()
    }
}

impl Solve<Pig> for Arc<Solver> {
    fn solution(&mut self, position: &Pig, _leash: &mut Leash<'_>) -> Result<Solution<Move>, Unsolved> {
        let side = position.to_move();
        let [own, other] = [side, side.other()].map(|side| usize::from(position.scores()[side.index()]));
        let total = usize::from(position.turn_total());
        let mut moves = Vec::new();
        position.turn(&mut moves);
        let exact = |mv| {
            let chance = if mv == Move::Roll { self.roll(own, other, total) } else { self.hold(own, other, total) };
            (mv, Exact { verdict: Verdict::Open, plies: None, score: None, chance: Some(chance) })
        };
        from_moves(moves.into_iter().map(exact).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_chances() {
        let solver = Solver::new();
        let close = |chance: f64, published: f64, digits: f64| {
            assert!((chance - published).abs() < digits, "{chance} instead of {published}");
        };
        close(solver.chance(0, 0, 0), 0.530_592_725_274, 1e-12);
        close(solver.chance(50, 50, 0), 0.546_150_844, 1e-9);
    }

    /// The best player to move first wins so often against one who holds at twenty.
    #[test]
    fn against_hold_at_twenty() {
        let best = Solver::new();
        // By the scores of the best player and the other: the chance of the best one when he, or the other, begins a turn.
        let mut ours = vec![0.0; SIDE * SIDE];
        let mut theirs = vec![0.0; SIDE * SIDE];
        let at = |own: usize, other: usize| own * SIDE + other;
        for sum in (0..=2 * (SIDE - 1)).rev() {
            for own in sum.saturating_sub(SIDE - 1)..=sum.min(SIDE - 1) {
                let other = sum - own;
                // A one gives the die back and forth between the same two scores: round and round until nothing changes.
                loop {
                    let before = (ours[at(own, other)], theirs[at(own, other)]);
                    // Our turn, from the last total backwards.
                    let mut turn = [1.0; SIDE + 6];
                    for total in (0..SIDE - own).rev() {
                        let rolls: f64 = (2..=6).map(|face| turn[total + face]).sum();
                        let roll = (theirs[at(own, other)] + rolls) / 6.0;
                        let holds = best.hold(own, other, total) >= best.roll(own, other, total);
                        turn[total] = if holds && total > 0 { theirs[at(own + total, other)] } else { roll };
                    }
                    ours[at(own, other)] = turn[0];
                    // Theirs: a total of twenty, or the goal, is banked.
                    let mut turn = [0.0; SIDE + 6];
                    for total in (0..SIDE - other).rev() {
                        let rolls: f64 = (2..=6).map(|face| turn[total + face]).sum();
                        let roll = (ours[at(own, other)] + rolls) / 6.0;
                        turn[total] = if total >= 20 { ours[at(own, other + total)] } else { roll };
                    }
                    theirs[at(own, other)] = turn[0];
                    let change = (before.0 - ours[at(own, other)]).abs() + (before.1 - theirs[at(own, other)]).abs();
                    if change < 1e-13 {
                        break;
                    }
                }
            }
        }
        assert!((ours[0] - 0.571_498_430).abs() < 1e-9, "{}", ours[0]);
    }
}
