//! The bandits: which move the next simulation goes through.

use super::MctsParams;
use super::growth::Growth;
use super::node::{Branch, Node};
use crate::choices;
use tengen_core::{Outcome, Side};

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

impl Growth for MctsParams {
    /// This is where a search of quick games spends its time: roots and logarithms of small counts come from tables.
    fn select<M: Copy>(
        &self,
        node: &Node<M>,
        branch: &Branch<M>,
        side: Side,
        noise: Option<&[f32]>,
        lot: u32,
    ) -> usize {
        let visits = node.visits_and_pending().max(1);
        let total = visits as f32;
        let count = considered(self, branch.nodes.len(), total);
        let nodes = &branch.nodes[..count];
        // A start by lot decides ties: untried moves all look alike.
        let start = ((u64::from(lot) * count as u64) >> 32) as usize;
        if self.bandit == Bandit::Puct {
            let explore = self.cpuct * total.sqrt();
            let untried = node.value_for(side).unwrap_or(0.0) - self.fpu_reduction;
            return puct(nodes, side, start, noise, explore, untried);
        }
        let (log, fpu) = (logarithm(visits), self.fpu);
        let explore = self.exploration * log.sqrt();
        if self.rave {
            let equivalence = self.equivalence;
            return best(nodes, side, start, |index, child| {
                let (sum, tried) = child.tally(side);
                let (root, tried) = (inverse_root(tried.max(1)), tried as f32);
                let (amaf, amaf_visits) = branch.amaf().get(index).map_or((0.0, 0), |amaf| amaf.value_for(side));
                // CITE: Gelly & Silver 2011, the hand-selected schedule: as heavy as `equivalence` simulations.
                let trust = (equivalence / (3.0 * tried + equivalence)).sqrt();
                let mean = match (tried > 0.0, amaf_visits) {
                    (false, 0) => return fpu,
                    (false, _) => share(amaf),
                    (true, 0) => share(sum / tried),
                    (true, _) => trust * share(amaf) + (1.0 - trust) * share(sum / tried),
                };
                mean + unknown(self.bandit, mean, explore, log, root)
            });
        }
        let ucb = |bandit: Bandit| {
            best(nodes, side, start, move |_, child| {
                let (sum, tried) = child.tally(side);
                if tried == 0 {
                    return fpu;
                }
                let root = inverse_root(tried);
                let mean = share(sum * root * root);
                mean + unknown(bandit, mean, explore, log, root)
            })
        };
        // A constant in each arm: the formula is chosen here, not once a move.
        match self.bandit {
            Bandit::Tuned1 => ucb(Bandit::Tuned1),
            Bandit::Tuned2 => ucb(Bandit::Tuned2),
            _ => ucb(Bandit::Ucb1),
        }
    }

    fn expand(&self) -> u32 {
        self.expand
    }

    fn rave(&self) -> bool {
        self.rave
    }

    fn solver(&self) -> bool {
        self.solver
    }
}

/// `Q + explore·P / (1 + n)`: where a move stands without trial, it is worth `untried`.
///
/// CITE: Silver et al. 2017, after Rosin 2011.
#[inline(always)]
pub(super) fn puct<M: Copy>(
    nodes: &[Node<M>],
    side: Side,
    start: usize,
    noise: Option<&[f32]>,
    explore: f32,
    untried: f32,
) -> usize {
    best(nodes, side, start, |index, child| {
        let prior = noise.map_or(child.prior, |noise| noise[index]);
        let (sum, tried) = child.tally(side);
        let value = if tried == 0 { untried } else { sum / tried as f32 };
        value + explore * prior / (1 + tried) as f32
    })
}

/// A value in [−1, 1] as a share of wins in [0, 1]: what the bandit formulas are written for.
#[inline(always)]
fn share(value: f32) -> f32 {
    (value + 1.0) * 0.5
}

/// How much is added for being little known; `root` is 1/√n, and `explore` is c·√(ln N).
///
/// CITE: the formulas of MoGo (Gelly, Wang, Munos & Teytaud 2006): p(1 − p) stands for the variance.
#[inline(always)]
fn unknown(bandit: Bandit, mean: f32, explore: f32, log: f32, root: f32) -> f32 {
    let variance = (mean * (1.0 - mean)).max(0.001);
    match bandit {
        Bandit::Tuned1 => explore * root * variance.sqrt(),
        Bandit::Tuned2 => explore * root * variance.sqrt() + log * root * root,
        _ => explore * root,
    }
}

/// 1/√n of at least 1.
#[inline(always)]
fn inverse_root(n: u32) -> f32 {
    match INVERSE_ROOTS.get(n as usize) {
        Some(&root) => root,
        None => (n as f32).sqrt().recip(),
    }
}

/// ln n of at least 1.
#[inline(always)]
fn logarithm(n: u32) -> f32 {
    match LOGARITHMS.get(n as usize) {
        Some(&log) => log,
        None => (n as f32).ln(),
    }
}

/// Most nodes of a tree have few visits: so many are looked up.
const SMALL: usize = 1024;

static INVERSE_ROOTS: [f32; SMALL] = {
    let mut table = [0.0; SMALL];
    let mut n = 1;
    while n < SMALL {
        // Newton's way to the square root: eighty steps are far more than any number below a thousand needs.
        let (number, mut root, mut step) = (n as f64, n as f64, 0);
        while step < 80 {
            root = 0.5 * (root + number / root);
            step += 1;
        }
        table[n] = (1.0 / root) as f32;
        n += 1;
    }
    table
};

static LOGARITHMS: [f32; SMALL] = {
    let mut table = [0.0; SMALL];
    let (mut n, mut log) = (2, 0.0f64);
    while n < SMALL {
        // ln n − ln(n − 1) = 2·artanh(1 / (2n − 1)), whose series is short.
        let x = 1.0 / (2 * n - 1) as f64;
        let (mut power, mut sum, mut odd) = (x, 0.0, 1);
        while odd < 80 {
            sum += power / odd as f64;
            power *= x * x;
            odd += 2;
        }
        log += 2.0 * sum;
        table[n] = log as f32;
        n += 1;
    }
    table
};

/// Progressive widening: only the first K(n) moves at the n-th visit.
#[inline]
fn considered(params: &MctsParams, moves: usize, visits: f32) -> usize {
    if params.widening <= 0.0 {
        return moves;
    }
    ((params.widening * visits.powf(params.widening_power)).ceil() as usize).clamp(1, moves)
}

/// The move with the highest urgency, settled ones last. The scan begins at `start`, so that ties fall to chance.
#[inline(always)]
pub(super) fn best<M: Copy>(
    nodes: &[Node<M>],
    side: Side,
    start: usize,
    urgency: impl Fn(usize, &Node<M>) -> f32,
) -> usize {
    let (mut top, mut at) = (f32::NEG_INFINITY, start);
    let (front, back) = nodes.split_at(start);
    for (part, offset) in [(back, start), (front, 0)] {
        for (index, node) in (offset..).zip(part) {
            let score = match node.proven() {
                None => urgency(index, node),
                Some(Outcome::Win(winner)) if winner == side => f32::MAX,
                // What is settled needs no more simulations while anything is open: draws before losses.
                Some(Outcome::Win(_)) => f32::MIN,
                Some(Outcome::Draw) => f32::MIN / 2.0,
            };
            if score > top {
                (top, at) = (score, index);
            }
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_true() {
        for n in 1..3 * SMALL as u32 {
            let (root, log) = ((n as f32).sqrt().recip(), (n as f32).ln());
            assert!((inverse_root(n) - root).abs() < 1e-6 * root, "1/√{n}");
            assert!((logarithm(n) - log).abs() < 1e-6 * log.max(1.0), "ln {n}");
        }
    }
}
