//! Monte-Carlo tree search: grow a tree where it looks promising, judge its leaves, remember the means.
//!
//! `tree` has the walk down and up and `growth` what differs from search to search; `select` the bandits, `rollout` the playouts, `halving` the
//! race for small budgets, `summary` what comes of it all. Here are the parameters and the player [`Mcts`], which judges each leaf at once, on one or many
//! threads. The players of `guided`, [`Puct`] and [`Gumbel`], have leaves judged together by a [`Judge`](crate::judge::Judge).

mod growth;
mod guided;
mod gumbel;
mod halving;
mod node;
mod puct;
mod rollout;
mod select;
mod summary;
mod tree;

pub use growth::Growth;
pub use guided::{Common, Guide, Guided, GuidedPlayer, Gumbel, Hand, Puct};
pub use gumbel::{GumbelParams, Trust};
pub use halving::Halving;
pub use node::{Branch, Node, Traffic};
pub use puct::PuctParams;
pub use rollout::{Judged, RandomGames, Rollout};
pub use select::Bandit;
pub use tree::{Leaf, Step, Tree, Walker, Way};

use crate::{Limits, News, Player, PlayerError, Stopper, Thought, Tickets, Watch, choices, params, simulate};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use summary::{choose, conclude, merge, sort, summary};
use tengen_core::{Line, Position, Rng, Side, Turn};

choices! {
    /// What several threads do.
    pub enum Parallel {
        /// They grow one tree together.
        Tree = "tree",
        /// Each grows its own; the counts at the root are added up.
        Root = "root",
    }
}

choices! {
    /// How a leaf is judged.
    pub enum LeafJudge {
        /// By random games from it.
        Playout = "playout",
        /// By the game's static evaluation.
        Static = "static",
    }
}

params! {
    /// How the Monte-Carlo players play.
    pub struct MctsParams {
        visits: u64 = 0, 0..=1_000_000_000, "simulations a move; 0 takes as many as the time allows, or 1000 without one";
        ms: u64 = 0, 0..=86_400_000, "milliseconds a move; 0 sets no limit";
        threads: usize = 1, 1..=256, "threads";
        parallel: Parallel = Parallel::Tree, (), "whether threads share one tree or have one each";
        seed: u64 = 0, 0..=u64::MAX, "its choices follow from this number, if it has one thread";
        bandit: Bandit = Bandit::Ucb1, (), "the formula that chooses the way down";
        exploration: f32 = 0.7, 0.0..=10.0, "weight of the unknown in ucb1, tuned1 and tuned2";
        fpu: f32 = 10.0, -10.0..=10.0, "how urgent an untried move is in ucb1, tuned1 and tuned2";
        cpuct: f32 = 1.4, 0.0..=20.0, "weight of the unknown in puct";
        fpu_reduction: f32 = 0.2, -2.0..=2.0, "how much worse than its parent an untried move looks in puct";
        rave: bool = false, (), "whether all moves as first are counted";
        equivalence: f32 = 1000.0, 1.0..=1_000_000.0, "simulations after which they count as much as the move itself";
        widening: f32 = 0.0, 0.0..=1000.0, "progressive widening: moves considered at the first visit; 0 takes all";
        widening_power: f32 = 0.5, 0.0..=1.0, "how fast that number grows with the visits";
        gumbel: u32 = 0, 0..=65_535, "moves that race by sequential halving at the root; 0 leaves it to the bandit";
        leaf: LeafJudge = LeafJudge::Playout, (), "how a leaf is judged";
        playouts: u32 = 1, 1..=1000, "random games a leaf";
        cut: u32 = 1000, 1..=100_000, "moves after which a random game is cut and judged";
        expand: u32 = 1, 1..=1_000_000, "visits after which a leaf gets children";
        noise: f32 = 0.0, 0.0..=1.0, "share of Dirichlet noise in the priors at the root";
        alpha: f32 = 0.3, 0.001..=100.0, "how even that noise is";
        temperature: f32 = 0.0, 0.0..=10.0, "0 plays the most visited move; 1 as often as visited";
        solver: bool = true, (), "whether proven wins and losses are used";
        reuse: bool = true, (), "whether the tree is kept from move to move";
        memory: usize = 512, 1..=1_048_576, "megabytes of tree; rarely visited parts are forgotten beyond";
    }
}

/// Simulations a move where nothing else ends it.
const USUAL_VISITS: u64 = 1000;

impl MctsParams {
    /// What holds for a thought under these limits.
    fn within(&self, limits: &Limits) -> Limits {
        limits.for_tree(self.visits, self.ms, USUAL_VISITS)
    }
}

/// The player that judges each leaf at once.
pub struct Mcts<P: Position, R> {
    rollout: R,
    params: MctsParams,
    tree: Option<Tree<P>>,
}

impl<P: Position, R: Rollout<P> + Clone> Mcts<P, R> {
    /// Judges leaves by `rollout`.
    pub fn new(rollout: R, params: MctsParams) -> Self {
        Mcts { rollout, params, tree: None }
    }

    /// The tree of the last thought.
    pub fn tree(&self) -> Option<&Tree<P>> {
        self.tree.as_ref()
    }
}

impl<P: Position, R: Rollout<P> + Clone> Player<P> for Mcts<P, R> {
    fn think(
        &mut self,
        line: &Line<P>,
        limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
    ) -> Result<Thought<P::Move>, PlayerError> {
        let limits = self.params.within(limits);
        let mut moves = Vec::new();
        let Turn::Decision(side) = line.turn(&mut moves) else {
            return Err(PlayerError::NothingToDecide);
        };
        if self.params.parallel == Parallel::Root && self.params.threads > 1 {
            return self.think_apart(line, &limits, watch);
        }
        let kept = self.tree.take().filter(|_| self.params.reuse).and_then(|tree| tree.advance(line));
        let mut tree = kept.unwrap_or_else(|| Tree::new(line.clone()));
        tree.open_root(&self.params);
        let mut rng = Rng::with_seed(self.params.seed ^ line.position().key());
        if self.params.noise > 0.0 {
            tree.add_noise(self.params.noise, self.params.alpha, &mut rng);
        }
        let mut stopper = Stopper::new(&limits, line.ply(), watch.clock, watch.stop);
        let mut halving = self.halving(&tree, &limits, &mut rng);
        let tickets = Tickets::new(limits.visits.or(limits.nodes).unwrap_or(u64::MAX));
        let most_nodes = (self.params.memory << 20) / size_of::<Node<P::Move>>();
        loop {
            self.grow(&tree, &tickets, &mut stopper, side, halving.as_mut(), most_nodes, watch);
            if tickets.is_over() {
                break;
            }
            // Memory is full: forget what was hardly visited, and go on.
            tree.prune(most_nodes / 2);
        }
        let mut thought = conclude(&tree, side, self.params.temperature, &mut rng);
        if let (Some(halving), Some(branch)) = (&mut halving, tree.root().branch())
            && tree.root().proven().is_none()
            && let Some(mv) = branch.nodes[halving.winner(branch, side)].mv
        {
            choose(&mut thought, mv);
        }
        thought.nodes = tickets.taken();
        self.tree = self.params.reuse.then_some(tree);
        Ok(thought)
    }
}

impl<P: Position, R: Rollout<P> + Clone> Mcts<P, R> {
    fn halving(&self, tree: &Tree<P>, limits: &Limits, rng: &mut Rng) -> Option<Halving> {
        let budget = limits.visits.or(limits.nodes).filter(|_| self.params.gumbel > 0)?;
        let considered = self.params.gumbel as usize;
        Some(Halving::new(tree.root().branch()?, considered, budget, 1.0, Trust::default(), rng))
    }

    /// Simulates until the limits or the memory are reached, or the root is proven.
    #[allow(clippy::too_many_arguments)]
    fn grow<'t>(
        &self,
        tree: &'t Tree<P>,
        tickets: &Tickets,
        stopper: &mut Stopper<'_>,
        side: Side,
        mut halving: Option<&mut Halving>,
        most_nodes: usize,
        watch: &mut Watch<'_, P::Move>,
    ) {
        let params = &self.params;
        let threads = if halving.is_some() { 1 } else { params.threads };
        // Set when memory is full: everybody comes back, nobody is stopped for good.
        let full = AtomicBool::new(false);
        let seed =
            |thread: usize| tengen_core::mix(params.seed.wrapping_add(thread as u64) ^ tree.line().position().key());
        let traffic = if threads > 1 { Traffic::Shared } else { Traffic::Alone };
        let hand = |thread: usize| Thread {
            walker: Walker::new(tree, seed(thread), traffic),
            way: Vec::new(),
            rollout: self.rollout.clone(),
        };
        let mut news = News::new(Duration::ZERO);
        let lead = |hand: &mut Thread<'t, P, R>| {
            let forced = match (&mut halving, tree.root().branch()) {
                (Some(halving), Some(branch)) => halving.next(branch, side),
                _ => None,
            };
            hand.simulate(tree, params, forced);
            if let Some(halving) = &mut halving {
                halving.came_back();
            }
            if stopper.tick() || params.solver && tree.root().proven().is_some() {
                tickets.stop();
            }
            if stopper.nodes().is_multiple_of(256) {
                full.fetch_or(tree.size() >= most_nodes, Relaxed);
                if news.are_due(watch.clock.elapsed()) {
                    (watch.report)(&summary(tree, side));
                }
            }
        };
        let others = |hand: &mut Thread<'t, P, R>| hand.simulate(tree, params, None);
        for hand in simulate(tickets, threads, || full.load(Relaxed), hand, others, lead) {
            if let Err(panic) = hand {
                std::panic::resume_unwind(panic);
            }
        }
    }

    /// Root parallelism: one tree a thread, the counts of the root moves added up.
    fn think_apart(
        &mut self,
        line: &Line<P>,
        limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
    ) -> Result<Thought<P::Move>, PlayerError> {
        let threads = self.params.threads;
        let share = limits.visits.map(|visits| visits.div_ceil(threads as u64));
        let each = Limits { visits: share, ..*limits };
        let (clock, stop) = (watch.clock, watch.stop);
        let thoughts: Vec<_> = std::thread::scope(|scope| {
            let spawn = |thread: usize| {
                let params = MctsParams {
                    threads: 1,
                    visits: 0,
                    seed: tengen_core::mix(self.params.seed.wrapping_add(thread as u64)),
                    reuse: false,
                    memory: (self.params.memory / threads).max(1),
                    temperature: 0.0,
                    ..self.params.clone()
                };
                let mut alone = Mcts::new(self.rollout.clone(), params);
                scope.spawn(move || alone.think(line, &each, &mut Watch { clock, stop, report: &mut |_| {} }))
            };
            let running: Vec<_> = (0..threads).map(spawn).collect();
            running.into_iter().map(|thread| thread.join()).collect()
        });
        let mut total: Option<Thought<P::Move>> = None;
        for thought in thoughts {
            let thought = thought.map_err(|_| PlayerError::Failed("a search thread panicked".to_owned()))??;
            match &mut total {
                None => total = Some(thought),
                Some(total) => merge(total, &thought),
            }
        }
        let mut total = total.ok_or(PlayerError::NothingToDecide)?;
        sort(&mut total);
        Ok(total)
    }
}

/// What a thread simulates with.
struct Thread<'t, P: Position, R> {
    walker: Walker<P>,
    way: Way<'t, P::Move>,
    rollout: R,
}

impl<'t, P: Position, R: Rollout<P>> Thread<'t, P, R> {
    /// One simulation: down, judge, up.
    fn simulate(&mut self, tree: &'t Tree<P>, params: &MctsParams, forced: Option<usize>) {
        let Thread { walker, way, rollout } = self;
        let known = tree.descend(walker, way, params, forced);
        let value = match known {
            Some(outcome) => outcome.value(),
            None => {
                let mut played = std::mem::take(&mut walker.played);
                played.clear();
                let value = rollout.value(&walker.line, &mut walker.rng, params.rave.then_some(&mut played));
                walker.played = played;
                value
            }
        };
        tree.back_up(walker, way, value, known, params);
    }
}
