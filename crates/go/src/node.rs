//! The tree's nodes: statistics that many threads write at once without waiting for each other.
//!
//! All sums are for Black (`Side::First`), as shares of simulations won; they are read through a colour.

use crate::field::{BLACK, Cell, Colour};
use crate::knowledge::Prior;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};

/// Simulations and how many of them Black has won, in one word: little memory is passed to and fro between threads.
///
/// ```text
/// 63           40 39                      0
/// |   visits     |   sum of values        |     a simulation that Black has won is 2^16
/// ```
#[derive(Default)]
pub struct Tally(AtomicU64);

impl Tally {
    const VISITS: u32 = 40;
    const UNIT: f32 = (1 << 16) as f32;
    /// From here on nothing is counted any more, some way before there is room for nothing.
    const FULL: u64 = ((1 << 24) - (1 << 16)) << Self::VISITS;

    /// How many simulations, and how many of them this colour has won.
    #[inline(always)]
    pub fn read(&self, colour: Colour) -> (f32, f32) {
        let word = self.0.load(Relaxed);
        let visits = (word >> Self::VISITS) as f32;
        let sum = (word & ((1 << Self::VISITS) - 1)) as f32 * (1.0 / Self::UNIT);
        (visits, if colour == BLACK { sum } else { visits - sum })
    }

    /// How many simulations.
    #[inline(always)]
    pub fn visits(&self) -> u32 {
        (self.0.load(Relaxed) >> Self::VISITS) as u32
    }

    /// One more; `alone` says that no other thread writes here, so that no locked instruction is needed.
    #[inline(always)]
    pub fn add(&self, value: f32, alone: bool) {
        if alone {
            self.add_roughly(value);
        } else if self.0.load(Relaxed) < Self::FULL {
            self.0.fetch_add(Self::word(value), Relaxed);
        }
    }

    /// So many at once, of the same value.
    pub fn add_many(&self, value: f32, count: u32) {
        if self.0.load(Relaxed) < Self::FULL {
            self.0.fetch_add(u64::from(count) * Self::word(value), Relaxed);
        }
    }

    /// One more, where it is no loss if another thread overwrites it now and then.
    #[inline(always)]
    pub fn add_roughly(&self, value: f32) {
        let word = self.0.load(Relaxed);
        if word < Self::FULL {
            self.0.store(word + Self::word(value), Relaxed);
        }
    }

    /// One simulation of this value, as it is counted.
    #[inline(always)]
    fn word(value: f32) -> u64 {
        (1 << Self::VISITS) + (value * Self::UNIT) as u64
    }
}

/// A move of the tree and what is known of it.
pub struct Node {
    /// Simulations through the move.
    pub own: Tally,
    /// Simulations it started with.
    pub prior: Prior,
    mv: u16,
    /// Simulations under way.
    pending: AtomicU16,
    branch: OnceLock<Box<Branch>>,
}

/// The moves of a position.
pub struct Branch {
    /// Who moves.
    pub colour: Colour,
    /// The weight of the learnt policy.
    pub trust: f32,
    /// One node a move, the most promising first.
    pub nodes: Box<[Node]>,
    /// Their points.
    pub cells: Box<[u16]>,
    /// What came of playing them later, close together because every simulation writes many of them.
    pub later: Box<[Tally]>,
    /// Which self-atari threshold has won how often.
    pub thresholds: Option<Box<Thresholds>>,
    /// Whether the network has been asked about the moves.
    is_asked: AtomicBool,
    /// How likely each of them is in its opinion.
    advice: OnceLock<Box<[f32]>>,
}

impl Branch {
    /// Moves that nobody has tried.
    pub fn new(colour: Colour, trust: f32, moves: &[(Cell, Prior)], thresholds: Option<Box<Thresholds>>) -> Self {
        let nodes = moves.iter().map(|&(cell, prior)| Node::new(cell, prior)).collect();
        Branch {
            colour,
            trust,
            nodes,
            cells: moves.iter().map(|&(cell, _)| cell as u16).collect(),
            later: moves.iter().map(|_| Tally::default()).collect(),
            thresholds,
            is_asked: AtomicBool::new(false),
            advice: OnceLock::new(),
        }
    }

    /// What the network thinks of the moves, if it has said so.
    #[inline(always)]
    pub fn advice(&self) -> Option<&[f32]> {
        self.advice.get().map(|shares| &**shares)
    }

    /// Whether the network is to be asked: true once, for the first who wants to know. Nobody waits for the answer.
    #[inline]
    pub fn wants_advice(&self) -> bool {
        !self.is_asked.load(Relaxed) && !self.is_asked.swap(true, Relaxed)
    }

    /// The network's answer.
    pub fn advise(&self, shares: Box<[f32]>) {
        // Nobody else was told to ask.
        let _ = self.advice.set(shares);
    }

    /// Memory that a move takes, with the network's opinion of it.
    pub const BYTES: usize = size_of::<Node>() + size_of::<u16>() + size_of::<Tally>() + size_of::<f32>();

    /// Leaves only some of the moves.
    pub fn retain(&mut self, mut is_kept: impl FnMut(Cell) -> bool) {
        let kept: Vec<bool> = self.cells.iter().map(|&cell| is_kept(cell.into())).collect();
        self.nodes = only(std::mem::take(&mut self.nodes), &kept);
        self.cells = only(std::mem::take(&mut self.cells), &kept);
        self.later = only(std::mem::take(&mut self.later), &kept);
        if let Some(shares) = self.advice.get_mut() {
            *shares = only(std::mem::take(shares), &kept);
        }
    }
}

/// Those that are kept.
fn only<T>(list: Box<[T]>, kept: &[bool]) -> Box<[T]> {
    list.into_iter().zip(kept).filter_map(|(item, &kept)| kept.then_some(item)).collect()
}

impl Node {
    /// A move nobody has tried.
    pub fn new(cell: Cell, prior: Prior) -> Self {
        Node { own: Tally::default(), prior, mv: cell as u16, pending: AtomicU16::new(0), branch: OnceLock::new() }
    }

    /// The move that leads here, 0 for a pass.
    #[inline(always)]
    pub fn cell(&self) -> Cell {
        self.mv.into()
    }

    /// Simulations under way.
    #[inline(always)]
    pub fn pending(&self) -> u16 {
        self.pending.load(Relaxed)
    }

    /// A simulation goes through here.
    #[inline]
    pub fn begin(&self, alone: bool) {
        if !alone {
            self.pending.fetch_add(1, Relaxed);
        }
    }

    /// It is back with this value for Black.
    #[inline]
    pub fn finish(&self, value: f32, alone: bool) {
        if !alone {
            self.pending.fetch_sub(1, Relaxed);
        }
        self.own.add(value, alone);
    }

    /// The moves, if the node has been looked at.
    #[inline(always)]
    pub fn branch(&self) -> Option<&Branch> {
        self.branch.get().map(|branch| &**branch)
    }

    /// The moves, made by `make` unless another thread was quicker.
    pub fn branch_or(&self, make: impl FnOnce() -> Branch) -> &Branch {
        self.branch.get_or_init(|| Box::new(make()))
    }

    /// Takes the moves away.
    pub fn take_branch(&mut self) -> Option<Box<Branch>> {
        self.branch.take()
    }

    /// How many nodes stand below.
    pub fn count_below(&self) -> usize {
        self.branch().map_or(0, |branch| branch.nodes.len() + branch.nodes.iter().map(Node::count_below).sum::<usize>())
    }

    /// Forgets what stands below nodes with fewer visits than this; says how many nodes are left.
    pub fn prune(&mut self, least: u32) -> usize {
        let Some(branch) = self.branch.get_mut() else {
            return 0;
        };
        branch
            .nodes
            .iter_mut()
            .map(|node| {
                if node.own.visits() < least {
                    node.branch.take();
                }
                1 + node.prune(least)
            })
            .sum()
    }
}

/// The bandit that learns from how many stones on self-atari is not to be played, for each colour.
///
/// CITE: the document on MoGo, algorithm 12: UCB1 over 0..=6 with three virtual wins for the default.
pub struct Thresholds {
    arms: [[[AtomicU32; 2]; 7]; 2],
}

impl Thresholds {
    /// Nothing is known but the default.
    pub fn new(default: u8) -> Self {
        let thresholds = Thresholds { arms: Default::default() };
        for arms in &thresholds.arms {
            arms[usize::from(default.min(6))][1].store(3, Relaxed);
        }
        thresholds
    }

    /// The thresholds for Black and White in the next simulation.
    pub fn choose(&self) -> [u8; 2] {
        std::array::from_fn(|colour| {
            let arms = &self.arms[colour];
            let total: u32 = arms.iter().map(|[lost, won]| lost.load(Relaxed) + won.load(Relaxed)).sum();
            let logarithm = (total as f32 + 1.0).ln();
            let score = |arm: usize| {
                let [lost, won] = &arms[arm];
                let won = won.load(Relaxed) as f32;
                let tries = won + lost.load(Relaxed) as f32 + 1.0;
                (won + 0.5) / tries + (0.2 * logarithm / tries).sqrt()
            };
            (0..7).max_by(|&a, &b| score(a).total_cmp(&score(b))).unwrap_or(0) as u8
        })
    }

    /// A simulation with these thresholds is back.
    pub fn learn(&self, chosen: [u8; 2], black_won: bool) {
        for (colour, arm) in chosen.into_iter().enumerate() {
            let won = black_won == (colour == 0);
            self.arms[colour][usize::from(arm)][usize::from(won)].fetch_add(1, Relaxed);
        }
    }
}
