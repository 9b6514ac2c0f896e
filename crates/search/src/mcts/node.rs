//! The tree's nodes: statistics that many threads may write at once.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicI64, AtomicU8, AtomicU16, AtomicU32, Ordering::Relaxed};
use tengen_core::{Outcome, Pov, Side, Turn, Value};

/// Values are summed as whole numbers, so that adding is one atomic instruction: this much is 1.0.
const UNIT: f32 = (1 << 20) as f32;

/// A move of the tree and what is known of it. All sums are for `Side::First`; read them through a side.
///
/// Small on purpose: choosing a move reads all its sisters, and a large tree is read from memory.
pub struct Node<M> {
    /// The move that leads here; only the root has none.
    pub mv: Option<M>,
    /// The policy's opinion of the move, or the probability of a roll.
    pub prior: f32,
    visits: AtomicU32,
    /// Simulations under way below this node: each counts as a loss until it is back.
    pending: AtomicU16,
    sum: AtomicI64,
    /// 0 unknown, 1 won by First, 2 by Second, 3 drawn, 4 at least drawn for the side to move here.
    proven: AtomicU8,
    /// What comes next, once the node has been looked at.
    branch: OnceLock<Branch<M>>,
}

/// The moves of a node.
pub struct Branch<M> {
    /// What comes next here.
    pub turn: Turn,
    /// What a judge made of the position for the side to move, before anything was searched; 0 if none was asked.
    pub judged: Value,
    /// One node a move.
    pub nodes: Box<[Node<M>]>,
    /// One entry a move where all moves as first are counted; behind one thin pointer, for most searches do without.
    amaf: Option<Box<Box<[Amaf]>>>,
}

impl<M> Branch<M> {
    /// Moves that nobody has tried.
    pub fn new(turn: Turn, nodes: Box<[Node<M>]>, rave: bool) -> Self {
        let amaf = rave.then(|| Box::new(nodes.iter().map(|_| Amaf::default()).collect()));
        Branch { turn, judged: 0.0, nodes, amaf }
    }

    /// One entry a move where all moves as first are counted, none where they are not.
    #[inline]
    pub fn amaf(&self) -> &[Amaf] {
        self.amaf.as_ref().map_or(&[], |amaf| amaf)
    }
}

/// What all simulations say in which a move was played later (all moves as first), for `Side::First`.
#[derive(Default)]
pub struct Amaf {
    visits: AtomicU32,
    sum: AtomicI64,
}

impl Amaf {
    /// The mean for `side`, and the number of simulations.
    #[inline]
    pub fn value_for(&self, side: Side) -> (Value, u32) {
        let visits = self.visits.load(Relaxed);
        if visits == 0 {
            return (0.0, 0);
        }
        let mean = self.sum.load(Relaxed) as f32 / UNIT / visits as f32;
        (Pov::of(Side::First, mean).seen_by(side), visits)
    }

    /// A simulation in which the move was played later is back with this value.
    #[inline]
    pub fn finish(&self, value: Pov<Value>, traffic: Traffic) {
        add_u32(&self.visits, 1, traffic);
        add_i64(&self.sum, (value.seen_by(Side::First) * UNIT) as i64, traffic);
    }
}

impl<M: Copy> Node<M> {
    /// A move nobody has tried.
    pub fn new(mv: Option<M>, prior: f32) -> Self {
        Node {
            mv,
            prior,
            visits: AtomicU32::new(0),
            pending: AtomicU16::new(0),
            sum: AtomicI64::new(0),
            proven: AtomicU8::new(0),
            branch: OnceLock::new(),
        }
    }

    /// Simulations that came back from here.
    #[inline]
    pub fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    /// Simulations that came back or are under way.
    #[inline]
    pub fn visits_and_pending(&self) -> u32 {
        self.visits.load(Relaxed) + u32::from(self.pending.load(Relaxed))
    }

    /// The sum of values for `side` and their number, those under way counted as losses.
    #[inline(always)]
    pub fn tally(&self, side: Side) -> (Value, u32) {
        let pending = u32::from(self.pending.load(Relaxed));
        let sum = self.sum.load(Relaxed) as f32 * (1.0 / UNIT);
        (Pov::of(Side::First, sum).seen_by(side) - pending as f32, self.visits.load(Relaxed) + pending)
    }

    /// The mean value for `side` of all simulations that came back; `None` before the first.
    pub fn value_for(&self, side: Side) -> Option<Value> {
        if let Some(outcome) = self.proven() {
            return Some(outcome.value_for(side));
        }
        let visits = self.visits();
        let mean = (self.sum.load(Relaxed) as f64 / f64::from(UNIT) / f64::from(visits)) as f32;
        (visits > 0).then_some(Pov::of(Side::First, mean).seen_by(side))
    }

    /// A simulation goes through here; says whether it is the only one.
    #[inline]
    pub fn begin(&self, traffic: Traffic) -> bool {
        traffic == Traffic::Alone || self.pending.fetch_add(1, Relaxed) == 0
    }

    /// It did not count after all.
    #[inline]
    pub fn abandon(&self, traffic: Traffic) {
        if traffic == Traffic::Shared {
            self.pending.fetch_sub(1, Relaxed);
        }
    }

    /// Simulations under way.
    pub fn pending(&self) -> u32 {
        u32::from(self.pending.load(Relaxed))
    }

    /// It is back with this value for First.
    #[inline]
    pub fn finish(&self, value: Value, traffic: Traffic) {
        self.abandon(traffic);
        add_u32(&self.visits, 1, traffic);
        add_i64(&self.sum, (value * UNIT) as i64, traffic);
    }

    /// How the game ends from here with best play, if that is proven.
    #[inline]
    pub fn proven(&self) -> Option<Outcome> {
        match self.proven.load(Relaxed) {
            1 => Some(Outcome::Win(Side::First)),
            2 => Some(Outcome::Win(Side::Second)),
            3 => Some(Outcome::Draw),
            _ => None,
        }
    }

    /// One of the moves here is a proven draw: the side to move need not take less.
    ///
    /// CITE: Cazenave & Saffidine 2010, score-bounded tree search.
    pub fn prove_draw_at_least(&self) {
        let _ = self.proven.compare_exchange(0, 4, Relaxed, Relaxed);
    }

    /// Whether the side to move has a draw in hand.
    #[inline]
    pub fn has_draw(&self) -> bool {
        self.proven.load(Relaxed) == 4
    }

    /// It is proven.
    pub fn prove(&self, outcome: Outcome) {
        let code = match outcome {
            Outcome::Win(Side::First) => 1,
            Outcome::Win(Side::Second) => 2,
            Outcome::Draw => 3,
        };
        self.proven.store(code, Relaxed);
    }

    /// The moves, if the node has been looked at.
    #[inline]
    pub fn branch(&self) -> Option<&Branch<M>> {
        self.branch.get()
    }

    /// The moves, made by `make` unless another thread was quicker.
    pub fn branch_or(&self, make: impl FnOnce() -> Branch<M>) -> &Branch<M> {
        self.branch.get_or_init(make)
    }

    /// Takes the moves away.
    pub fn take_branch(&mut self) -> Option<Branch<M>> {
        self.branch.take()
    }

    /// The moves, to be changed by somebody who is alone with the tree.
    pub fn branch_mut(&mut self) -> Option<&mut Branch<M>> {
        self.branch.get_mut()
    }
}

/// How many simulations are under way in a tree at the same time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Traffic {
    /// One after the other: nothing is ever pending.
    Alone,
    /// Several: by several threads, or by one that does not wait for a judge.
    Shared,
}

#[inline]
fn add_u32(counter: &AtomicU32, amount: u32, traffic: Traffic) {
    // Only where several share a tree is a locked instruction needed.
    if traffic == Traffic::Shared {
        counter.fetch_add(amount, Relaxed);
    } else {
        counter.store(counter.load(Relaxed).wrapping_add(amount), Relaxed);
    }
}

#[inline]
fn add_i64(counter: &AtomicI64, amount: i64, traffic: Traffic) {
    if traffic == Traffic::Shared {
        counter.fetch_add(amount, Relaxed);
    } else {
        counter.store(counter.load(Relaxed) + amount, Relaxed);
    }
}

impl<M: Copy> Branch<M> {
    /// How the game ends from here if the children prove it.
    pub fn resolve(&self) -> Option<Outcome> {
        match self.turn {
            Turn::Over(outcome) => Some(outcome),
            Turn::Decision(side) => {
                let mut best = Outcome::Win(side.other());
                let mut all = true;
                for node in &self.nodes {
                    match node.proven() {
                        Some(Outcome::Win(winner)) if winner == side => return Some(Outcome::Win(side)),
                        Some(Outcome::Draw) => best = Outcome::Draw,
                        Some(_) => {}
                        None => all = false,
                    }
                }
                all.then_some(best)
            }
            Turn::Chance => {
                let first = self.nodes.first()?.proven()?;
                self.nodes.iter().all(|node| node.proven() == Some(first)).then_some(first)
            }
        }
    }
}
