//! The tree search: simulations from the root down the tree, on by a playout, and back up.
//!
//! One tree is walked by many threads at once. A thread's [`Walker`] copies the root's field, plays moves that
//! `select` chooses, opens leaves that were visited often enough, plays out, and writes the result to the moves on its
//! way and, for RAVE, to their sisters that came later. Nobody ever waits: statistics are atomic sums, and
//! the moves of a node are set once.

use crate::features::distances;
use crate::field::{Cell, Colour, Field, opponent};
use crate::knowledge::{Knowledge, Prior};
use crate::network::Adviser;
use crate::node::{Branch, Node, Thresholds};
use crate::params::{Bandit, GoParams};
use crate::playout::Policy;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use tengen_core::{Repetition, Rng};
use tengen_games::go::{Rules, Scoring};

/// No way through the tree is longer.
const LONGEST_PATH: usize = 400;

/// What is the same for all simulations of a thought.
pub struct Root<'a, const CELLS: usize, const WORDS: usize> {
    /// The engine's settings.
    pub params: &'a GoParams,
    /// The position.
    pub field: Field<CELLS, WORDS>,
    /// The rules it is played by.
    pub rules: Rules,
    /// Twice what White gets for komi and handicap.
    pub komi_halves: i32,
    /// Twice what dynamic komi adds to it.
    pub shift_halves: i32,
    /// Twice what White gets besides because Black does without a part of a lead; negative if White does.
    pub reserve_halves: i32,
    /// What stood on the board before and now, as the rules compare it; empty where repetition is allowed.
    pub keys: Vec<u64>,
    /// All nodes of the tree.
    pub nodes: &'a AtomicUsize,
    /// How many of them may be.
    pub most_nodes: usize,
    /// Whether only one thread walks.
    pub alone: bool,
    /// Whether the network is asked about important nodes.
    pub uses_network: bool,
    /// A stone whose fate is all that counts, instead of the score; 0 for none.
    pub target: Cell,
    /// How many steps from it, where a chain is one step, moves are tried that may save or kill it.
    pub reach: u8,
    /// The stones from which on Black and White do not put them into atari themselves, where no bandit decides.
    pub thresholds: [u8; 2],
}

impl<const CELLS: usize, const WORDS: usize> Root<'_, CELLS, WORDS> {
    /// Twice Black's lead at the end of a playout that left the tree in a position where Black had made `ahead` more
    /// moves than White: where only territory counts, each stone more was a point less.
    fn halves(&self, lead: i32, ahead: i32) -> i32 {
        let stones = match self.rules.scoring() {
            Scoring::Area => 0,
            Scoring::Territory => ahead,
        };
        2 * (lead - stones) - self.komi_halves
    }

    /// How many simulations the lead counts as that the network sees: all of them on the empty board, none from half of the stones on.
    /// The more is settled, the better playouts know it, and the worse the network does (docs/go.md).
    fn weight_of_lead(&self, field: &Field<CELLS, WORDS>) -> u32 {
        let points = (field.size() * field.size()) as f32;
        let stones = points - field.empty_count() as f32;
        (self.params.net_value as f32 * (1.0 - 2.0 * stones / points).max(0.0)).round() as u32
    }

    /// How likely Black is to win from a position that the network sees Black ahead in by so many points on the board, after Black
    /// has made `ahead` more moves than White.
    fn likely(&self, lead: f32, ahead: i32) -> f32 {
        let halves = self.halves(lead.round() as i32, ahead) - self.shift_halves - self.reserve_halves;
        1.0 / (1.0 + (-0.5 * halves as f32 / self.params.net_scale).exp())
    }

    /// The moves of a position with what is thought of them.
    pub fn open(&self, field: &Field<CELLS, WORDS>, keys: &[u64], moves: &mut Vec<(Cell, Prior)>) -> Branch {
        let trust = Knowledge::new(self.params).judge(field, moves);
        if self.target != 0 {
            // Only what is near decides its fate.
            let steps = distances(field, self.target);
            moves.retain(|&(cell, _)| cell == 0 || steps[cell] <= self.reach);
        }
        if !keys.is_empty() {
            let own = field.to_move();
            let next = opponent(own);
            moves.retain(|&(cell, _)| {
                // Only a move that takes something can bring an earlier position back.
                cell == 0
                    || !(field.takes(cell, own) || field.allows_suicide())
                    || !keys.contains(&Field::<CELLS, WORDS>::repetition_key(field.key_after(cell), next, self.rules))
            });
        }
        // Progressive widening takes them in this order.
        let promise = |prior: &Prior| (prior.policy, prior.wins / prior.visits.max(1e-3));
        moves.sort_by(|(_, a), (_, b)| {
            let ((likely, mean), (other_likely, other_mean)) = (promise(a), promise(b));
            other_likely.total_cmp(&likely).then(other_mean.total_cmp(&mean))
        });
        self.nodes.fetch_add(moves.len(), Relaxed);
        let default = self.params.self_atari.min(6) as u8;
        let thresholds = self.params.self_atari_bandit.then(|| Box::new(Thresholds::new(default)));
        Branch::new(field.to_move(), trust, moves, thresholds)
    }

    /// Whether the rules forbid positions that come back.
    pub fn forbids_repetition(rules: Rules) -> bool {
        rules.repetition() == Repetition::Forbidden
    }
}

/// One thread on its way through the tree.
pub struct Walker<'t, 'p, const CELLS: usize, const WORDS: usize> {
    field: Field<CELLS, WORDS>,
    path: Vec<&'t Node>,
    keys: Vec<u64>,
    moves: Vec<(Cell, Prior)>,
    /// Who was first to play on each cell, below the node at hand.
    first: [Colour; CELLS],
    policy: Policy<'p>,
    adviser: Adviser,
    rng: Rng,
    /// What the simulations so far say.
    pub found: Found<CELLS>,
}

/// What simulations say about the board, beside the tree.
#[derive(Clone)]
pub struct Found<const CELLS: usize> {
    /// For each cell, how often it ended as Black's more than as White's.
    ownership: [i32; CELLS],
    /// The sum of twice Black's lead.
    halves: i64,
    /// By how much the values of simulations would be higher for Black, from −1 to 1 each, if nobody did without a part of a lead; their sum.
    reserved: i64,
    /// Simulations made.
    pub simulations: u64,
}

impl<const CELLS: usize> Found<CELLS> {
    /// Nothing yet.
    pub fn new() -> Self {
        Found { ownership: [0; CELLS], halves: 0, reserved: 0, simulations: 0 }
    }

    /// Adds what another thread found.
    pub fn add(&mut self, other: &Self) {
        for (sum, &more) in self.ownership.iter_mut().zip(&other.ownership) {
            *sum += more;
        }
        self.halves += other.halves;
        self.reserved += other.reserved;
        self.simulations += other.simulations;
    }

    /// Whose a cell is at the end, from −1 (White's) to 1 (Black's).
    pub fn owner(&self, cell: Cell) -> f32 {
        self.ownership[cell] as f32 / self.simulations.max(1) as f32
    }

    /// How many points Black is ahead.
    pub fn lead(&self) -> f32 {
        self.halves as f32 / (2 * self.simulations.max(1)) as f32
    }

    /// By how much values are higher for Black, from −1 to 1, than they stand in the tree.
    pub fn reserved(&self) -> f32 {
        self.reserved as f32 / self.simulations.max(1) as f32
    }
}

impl<const CELLS: usize> Default for Found<CELLS> {
    fn default() -> Self {
        Found::new()
    }
}

impl<'t, 'p, const CELLS: usize, const WORDS: usize> Walker<'t, 'p, CELLS, WORDS> {
    /// A walker at the root.
    pub fn new(root: &Root<'p, CELLS, WORDS>, seed: u64, plain: bool) -> Self {
        Walker {
            field: root.field.clone(),
            path: Vec::with_capacity(LONGEST_PATH + 1),
            keys: root.keys.clone(),
            moves: Vec::with_capacity(CELLS),
            first: [0; CELLS],
            policy: Policy::new(root.params, plain),
            adviser: Adviser::default(),
            rng: Rng::with_seed(seed),
            found: Found::new(),
        }
    }

    /// One simulation.
    pub fn simulate(&mut self, root: &Root<'p, CELLS, WORDS>, top: &'t Node) {
        let params = root.params;
        // Step 1. Down the tree.
        self.field.clone_from(&root.field);
        self.keys.truncate(root.keys.len());
        self.path.clear();
        self.path.push(top);
        let mut node = top;
        let mut thresholds: Option<&Thresholds> = None;
        while self.field.passes() < 2 && self.path.len() < LONGEST_PATH {
            let branch = match node.branch() {
                Some(branch) => branch,
                None => {
                    // This simulation itself is under way here as well, where several threads walk.
                    let others = node.pending().saturating_sub(1);
                    if node.own.visits() + u32::from(others) < params.expand
                        || root.nodes.load(Relaxed) >= root.most_nodes
                    {
                        break;
                    }
                    node.branch_or(|| root.open(&self.field, &self.keys, &mut self.moves))
                }
            };
            if root.uses_network && node.own.visits() >= params.net_visits && branch.wants_advice() {
                let advice = self.adviser.advice(&self.field, &branch.cells);
                branch.advise(advice.shares);
                let weight = root.weight_of_lead(&self.field);
                if weight > 0 {
                    let value = root.likely(advice.lead, self.field.moves_ahead());
                    self.path.iter().for_each(|node| node.own.add_many(value, weight));
                }
            }
            thresholds = branch.thresholds.as_deref();
            node = select(branch, params, f32::from(node.pending()) + node.own.visits() as f32);
            node.begin(root.alone);
            self.field.play(node.cell());
            if !root.keys.is_empty() {
                let key = Field::<CELLS, WORDS>::repetition_key(self.field.key(), self.field.to_move(), root.rules);
                self.keys.push(key);
            }
            self.path.push(node);
        }

        // Step 2. The playout.
        let colour_at_leaf = self.field.to_move();
        let ahead = self.field.moves_ahead();
        self.first.fill(0);
        let chosen = thresholds.map_or(root.thresholds, Thresholds::choose);
        let is_counted = self.field.passes() >= 2 && (root.rules == Rules::TrompTaylor || root.target != 0);
        let lead = if is_counted {
            self.field.area(|_, _| ())
        } else {
            // After two passes the fate of doubtful stones is played out as well.
            self.field.resume();
            let first = &mut self.first;
            self.policy
                .play(&mut self.field, &mut self.rng, chosen, |cell, colour| {
                    if first[cell] == 0 {
                        first[cell] = colour;
                    }
                })
                .lead
        };

        // Step 3. What it is worth.
        let unshifted = root.halves(lead, ahead);
        let told = unshifted - root.shift_halves;
        let halves = told - root.reserve_halves;
        let won = match halves {
            1.. => 1.0,
            0 => 0.5,
            _ => 0.0,
        };
        let points = (self.field.size() * self.field.size()) as f32;
        let margin = (halves as f32 / (2.0 * points)).clamp(-1.0, 1.0);
        let value = match root.target {
            0 => won + params.score_weight * ((margin + 1.0) / 2.0 - won),
            // Black's either way: if it was Black's and stays, or if it becomes Black's.
            stone => (1.0 + self.field.settled_owner(stone) as f32) / 2.0,
        };
        if let Some(thresholds) = thresholds {
            thresholds.learn(chosen, halves > 0);
        }
        self.found.simulations += 1;
        self.found.halves += i64::from(unshifted);
        self.found.reserved += i64::from(told.signum() - halves.signum());
        for row in 0..self.field.size() {
            for column in 0..self.field.size() {
                let cell = Field::<CELLS, WORDS>::cell_at(column, row);
                self.found.ownership[cell] += self.field.settled_owner(cell);
            }
        }

        // Step 4. Back up, the leaf first.
        let mut colour = colour_at_leaf;
        for index in (0..self.path.len()).rev() {
            let node = self.path[index];
            if index + 1 < self.path.len() {
                let child = self.path[index + 1];
                colour = opponent(colour);
                if child.cell() != 0 {
                    self.first[child.cell()] = colour;
                }
            }
            if params.equivalence > 0.0
                && let Some(branch) = node.branch()
            {
                self.first[0] = 0;
                for (&cell, later) in branch.cells.iter().zip(&branch.later) {
                    if self.first[usize::from(cell)] == branch.colour {
                        later.add_roughly(value);
                    }
                }
            }
            if index == 0 {
                node.own.add(value, root.alone);
            } else {
                node.finish(value, root.alone);
            }
        }
    }
}

/// The move to try next.
#[inline]
fn select<'t>(branch: &'t Branch, params: &GoParams, visits: f32) -> &'t Node {
    let colour = branch.colour;
    let mut considered = branch.nodes.len();
    if params.widening > 0.0 {
        let width = params.widening * (visits + 1.0).powf(params.widening_power);
        considered = (width as usize).clamp(1, considered);
    }
    let logarithm = (visits + 1.0).ln();
    let loss = params.virtual_loss as f32;
    // CITE: Rosin 2011, PUCB, in the form of AlphaGo.
    let advice = branch.advice();
    let breadth = if advice.is_some() { params.net } else { branch.trust } * (visits + 1.0).sqrt();
    let mut best = (f32::MIN, 0);
    for (index, node) in branch.nodes[..considered].iter().enumerate() {
        let (own_visits, own_wins) = node.own.read(colour);
        let pending = f32::from(node.pending()) * loss;
        let score = match params.bandit {
            Bandit::Rave => {
                let (mut count, mut wins) = (own_visits + pending, own_wins);
                let (mut amaf_count, mut amaf_wins) = branch.later[index].read(colour);
                if params.prior_amaf {
                    amaf_count += node.prior.visits;
                    amaf_wins += node.prior.wins;
                } else {
                    count += node.prior.visits;
                    wins += node.prior.wins;
                }
                let value = wins / count.max(1e-3);
                let value = if amaf_count > 0.0 && params.equivalence > 0.0 {
                    // CITE: Gelly & Silver 2007; the schedule is David Silver's for biased estimates.
                    let share = amaf_count / (amaf_count + count + amaf_count * count / params.equivalence);
                    share * (amaf_wins / amaf_count) + (1.0 - share) * value
                } else {
                    value
                };
                if params.exploration > 0.0 {
                    value + params.exploration * (logarithm / (count + 1.0)).sqrt()
                } else {
                    value
                }
            }
            bandit => {
                let count = own_visits + pending + node.prior.visits;
                let value = (own_wins + node.prior.wins) / count.max(1e-3);
                let ratio = logarithm / count.max(1e-3);
                let variance = (value * (1.0 - value)).max(0.001);
                value
                    + params.exploration
                        * match bandit {
                            Bandit::Tuned => (variance * ratio).sqrt(),
                            Bandit::Tuned2 => (variance * ratio).sqrt() + ratio,
                            _ => (2.0 * ratio).sqrt(),
                        }
            }
        };
        let share = advice.map_or(node.prior.policy, |shares| shares[index]);
        let score = score + share * breadth / (1.0 + own_visits + pending);
        if score > best.0 {
            best = (score, index);
        }
    }
    &branch.nodes[best.1]
}
