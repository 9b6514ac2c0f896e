//! The tree: down to a leaf, and back up with its value.
//!
//! A simulation is cut in two. Where a leaf is judged at once, by a playout, [`Tree::descend`] walks from the root to it and
//! [`Tree::back_up`] brings its value back. Where a judge takes its time, [`Tree::gather`] walks down and comes home with a [`Leaf`],
//! [`Tree::apply`] does the rest when the answer is there; in between the way counts as lost, so that others look elsewhere. A leaf owns what it
//! is made of, and only shared references to the tree are held: many threads walk it at once, and one thread may walk in many trees.

use super::growth::Growth;
use super::node::{Branch, Node, Traffic};
use crate::judge::{Evaluation, JudgeError};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use tengen_core::{Line, Outcome, Position, Pov, Rng, Side, Turn, Value};

/// No way through the tree is longer; what goes on in circles is judged here.
const LONGEST_PATH: usize = 1000;

/// A search tree of one game.
pub struct Tree<P: Position> {
    root: Node<P::Move>,
    /// The line that ends at the root.
    line: Line<P>,
    /// All nodes, to keep within the memory allowed.
    nodes: AtomicUsize,
    /// The priors of the root's moves with noise mixed in.
    noise: OnceLock<Box<[f32]>>,
}

/// The nodes on the way from the root to a leaf, the root first.
pub type Way<'t, M> = Vec<&'t Node<M>>;

/// What one simulation after the other needs beside the tree: a line to walk on, chance, and lists to write in.
pub struct Walker<P: Position> {
    /// From the start of the game to where the walk has come.
    pub line: Line<P>,
    /// Random choices.
    pub rng: Rng,
    /// Decisions of the playout, for AMAF.
    pub played: Vec<(Side, P::Move)>,
    moves: Vec<P::Move>,
    outcomes: Vec<(P::Move, f32)>,
    /// By side and code: the number of the last simulation in which the move was played below the node at hand.
    amaf: Vec<u32>,
    simulation: u32,
    /// Who else walks the same tree.
    traffic: Traffic,
    /// Whether nobody else is on the way through the node reached last.
    alone: bool,
    /// Decides ties between moves: needs to be quick rather than good.
    lots: u64,
}

impl<P: Position> Walker<P> {
    /// A walker at the root of the tree. It stays good for this tree until the root moves.
    pub fn new(tree: &Tree<P>, seed: u64, traffic: Traffic) -> Self {
        Walker {
            line: tree.line.clone(),
            rng: Rng::with_seed(seed),
            played: Vec::new(),
            moves: Vec::new(),
            outcomes: Vec::new(),
            amaf: Vec::new(),
            simulation: 0,
            traffic,
            alone: true,
            lots: seed,
        }
    }

    /// The next number of a linear congruence, its better half.
    #[inline(always)]
    fn draw_lot(&mut self) -> u32 {
        // CITE: Knuth's constants for MMIX.
        self.lots = self.lots.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.lots >> 32) as u32
    }

    /// Back along the way to the root.
    #[inline]
    fn go_home(&mut self, way: &mut Way<'_, P::Move>) {
        for node in way.drain(..) {
            if node.mv.is_some() {
                self.line.pop();
            }
        }
    }
}

/// A leaf that waits to be judged: the way there and its moves. Its way counts as lost until it is back: give it to [`Tree::apply`] or
/// [`Tree::abandon`] before the tree's root moves or its memory is cleared.
#[must_use = "until it is applied or abandoned its way counts as lost"]
#[derive(Debug)]
pub struct Leaf<M> {
    /// Which child at each step.
    way: Box<[u32]>,
    /// Who is to move there.
    pub side: Side,
    /// The legal moves there, at least one.
    pub moves: Vec<M>,
}

impl<M> Leaf<M> {
    /// Which of the root's moves leads to it; none if it is the root itself.
    pub fn root_move(&self) -> Option<usize> {
        self.way.first().map(|&index| index as usize)
    }
}

/// What became of a walk down.
pub enum Step<M, Q> {
    /// The outcome is known there, and the simulation has been counted.
    Counted,
    /// Another simulation waits for the same leaf: nothing has been counted.
    Busy,
    /// A judge must see the leaf; with what was asked there.
    Leaf(Leaf<M>, Q),
}

impl<P: Position> Tree<P> {
    /// A tree with nothing but a root, at the end of the line.
    pub fn new(line: Line<P>) -> Self {
        Tree { root: Node::new(None, 1.0), line, nodes: AtomicUsize::new(1), noise: OnceLock::new() }
    }

    /// The root.
    pub fn root(&self) -> &Node<P::Move> {
        &self.root
    }

    /// The line that ends at the root.
    pub fn line(&self) -> &Line<P> {
        &self.line
    }

    /// How many nodes there are.
    pub fn size(&self) -> usize {
        self.nodes.load(Relaxed)
    }

    /// Bytes the nodes take.
    pub fn bytes(&self) -> usize {
        self.size() * size_of::<Node<P::Move>>()
    }

    /// Looks at the root's moves, all alike.
    pub fn open_root(&self, growth: &impl Growth) {
        let mut walker = Walker::new(self, 0, Traffic::Shared);
        self.expand(&self.root, &mut walker, growth);
    }

    /// Walks on from the end of the way, or from the root, to a leaf: a node not looked at before, or the end of the game. If the
    /// value is known already, says so. `force` is the root's move to go through.
    pub fn descend<'t>(
        &'t self,
        walker: &mut Walker<P>,
        way: &mut Way<'t, P::Move>,
        growth: &impl Growth,
        force: Option<usize>,
    ) -> Option<Outcome> {
        let mut node = match way.last() {
            Some(&node) => node,
            None => {
                walker.alone = self.root.begin(walker.traffic);
                way.push(&self.root);
                &self.root
            }
        };
        loop {
            if node.mv.is_some()
                && let Some(outcome) = node.proven()
            {
                return Some(outcome);
            }
            let branch = match node.branch() {
                Some(branch) => branch,
                None if node.visits() >= growth.expand() => {
                    let branch = self.expand(node, walker, growth);
                    if let Turn::Over(outcome) = branch.turn {
                        node.prove(outcome);
                        return Some(outcome);
                    }
                    branch
                }
                None => return None,
            };
            if way.len() >= LONGEST_PATH {
                return None;
            }
            let at_root = node.mv.is_none();
            let index = match branch.turn {
                Turn::Over(outcome) => return Some(outcome),
                Turn::Chance => roll(&branch.nodes, &mut walker.rng),
                Turn::Decision(_) if at_root && force.is_some() => force.unwrap_or(0),
                Turn::Decision(side) => {
                    let noise = if at_root { self.noise.get().map(|noise| &**noise) } else { None };
                    growth.select(node, branch, side, noise, walker.draw_lot())
                }
            };
            node = &branch.nodes[index];
            walker.alone = node.begin(walker.traffic);
            way.push(node);
            if let Some(mv) = node.mv {
                walker.line.push(mv);
            }
        }
    }

    /// Looks at a node's moves, all alike; the walker stands on it.
    fn expand<'n>(&self, node: &'n Node<P::Move>, walker: &mut Walker<P>, growth: &impl Growth) -> &'n Branch<P::Move> {
        node.branch_or(|| {
            let turn = walker.line.turn(&mut walker.moves);
            self.branch(turn, walker, growth)
        })
    }

    /// What comes next where the walker stands, its moves being listed already: decisions all alike, rolls as likely as they are.
    fn branch(&self, turn: Turn, walker: &mut Walker<P>, growth: &impl Growth) -> Branch<P::Move> {
        let nodes: Box<[_]> = match turn {
            Turn::Over(_) => Box::default(),
            Turn::Chance => {
                walker.line.position().chance(&mut walker.outcomes);
                walker.outcomes.iter().map(|&(mv, chance)| Node::new(Some(mv), chance)).collect()
            }
            Turn::Decision(_) => {
                let even = 1.0 / walker.moves.len() as f32;
                walker.moves.iter().map(|&mv| Node::new(Some(mv), even)).collect()
            }
        };
        self.nodes.fetch_add(nodes.len(), Relaxed);
        Branch::new(turn, nodes, growth.rave())
    }

    /// Walks to a leaf that must be judged, has `ask` look at it (with its moves, which are listed here and nowhere else), and comes
    /// home. What is known without a judge is counted on the way: ends of the game and proven nodes; and dice fall as they do.
    pub fn gather<Q>(
        &self,
        walker: &mut Walker<P>,
        growth: &impl Growth,
        force: Option<usize>,
        ask: impl FnOnce(&Line<P>, &[P::Move]) -> Q,
    ) -> Step<P::Move, Q> {
        debug_assert_eq!(walker.traffic, Traffic::Shared, "others look elsewhere only if it is counted who is where");
        let mut way = Vec::new();
        loop {
            // Step 1. Down; what is known is counted at once.
            if let Some(outcome) = self.descend(walker, &mut way, growth, force) {
                self.back_up(walker, &mut way, outcome.value(), Some(outcome), growth);
                return Step::Counted;
            }
            // The way begins with the root, so there is a last node.
            let Some(&node) = way.last() else { return Step::Busy };
            if !walker.alone {
                way.iter().for_each(|node| node.abandon(walker.traffic));
                walker.go_home(&mut way);
                return Step::Busy;
            }
            // Step 2. A decision is a judge's business; dice and ends are not, and the walk goes on or ends there.
            let mut moves = std::mem::take(&mut walker.moves);
            match walker.line.turn(&mut moves) {
                Turn::Decision(side) => {
                    let question = ask(&walker.line, &moves);
                    let leaf = Leaf { way: steps(&way), side, moves };
                    walker.go_home(&mut way);
                    return Step::Leaf(leaf, question);
                }
                turn => {
                    walker.moves = moves;
                    node.branch_or(|| self.branch(turn, walker, growth));
                }
            }
        }
    }

    /// The evaluation of a gathered leaf is there: its moves get their priors, and its value goes up. If the evaluation does not fit the
    /// leaf, the simulation is taken back.
    pub fn apply(&self, growth: &impl Growth, leaf: Leaf<P::Move>, evaluation: &Evaluation) -> Result<(), JudgeError> {
        if let Err(error) = evaluation.check(leaf.moves.len()) {
            self.abandon(leaf);
            return Err(error);
        }
        let way = self.follow(&leaf);
        // The way begins with the root, so there is a last node.
        if let Some(node) = way.last() {
            node.branch_or(|| {
                let mut moves: Vec<_> = leaf.moves.iter().copied().zip(evaluation.policy.iter().copied()).collect();
                if growth.top_k() < moves.len() {
                    moves.sort_by(|a, b| b.1.total_cmp(&a.1));
                    moves.truncate(growth.top_k());
                }
                self.nodes.fetch_add(moves.len(), Relaxed);
                let nodes = moves.into_iter().map(|(mv, prior)| Node::new(Some(mv), prior)).collect();
                let mut branch = Branch::new(Turn::Decision(leaf.side), nodes, growth.rave());
                branch.judged = evaluation.value.seen_by(leaf.side);
                branch
            });
        }
        count_up(&way, evaluation.value, Traffic::Shared);
        Ok(())
    }

    /// A gathered leaf will not be judged: its way counts as lost no longer.
    pub fn abandon(&self, leaf: Leaf<P::Move>) {
        self.follow(&leaf).iter().for_each(|node| node.abandon(Traffic::Shared));
    }

    /// The nodes on the way to a leaf, as far as they have not been forgotten.
    fn follow(&self, leaf: &Leaf<P::Move>) -> Way<'_, P::Move> {
        let mut way = vec![&self.root];
        let mut node = &self.root;
        for &index in &leaf.way {
            let Some(child) = node.branch().and_then(|branch| branch.nodes.get(index as usize)) else { break };
            node = child;
            way.push(node);
        }
        way
    }

    /// Brings the value of the leaf back to the root, and the walker with it. `known` says that it is no
    /// guess: then the nodes above may be proven too.
    pub fn back_up(
        &self,
        walker: &mut Walker<P>,
        way: &mut Way<'_, P::Move>,
        value: Pov<Value>,
        known: Option<Outcome>,
        growth: &impl Growth,
    ) {
        count_up(way, value, walker.traffic);
        if growth.rave() {
            self.back_up_amaf(walker, way, value);
        }
        if let Some(outcome) = known
            && growth.solver()
            && let Some((leaf, above)) = way.split_last()
        {
            leaf.prove(outcome);
            let mut below = outcome;
            for node in above.iter().rev() {
                match node.branch().map(|branch| (branch.turn, branch.resolve())) {
                    Some((_, Some(outcome))) => {
                        node.prove(outcome);
                        below = outcome;
                    }
                    Some((Turn::Decision(_), None)) if below == Outcome::Draw => {
                        node.prove_draw_at_least();
                        break;
                    }
                    _ => break,
                }
            }
        }
        walker.go_home(way);
    }

    /// All moves as first: every move played below a node, in the tree or in the playout, counts for its sister there.
    fn back_up_amaf(&self, walker: &mut Walker<P>, way: &Way<'_, P::Move>, value: Pov<Value>) {
        if walker.amaf.is_empty() {
            walker.amaf = vec![0; 2 << 16];
        }
        walker.simulation = walker.simulation.wrapping_add(1).max(1);
        let now = walker.simulation;
        let slot = |side: Side, mv: P::Move| side.index() << 16 | usize::from(P::code(mv));
        for (side, mv) in walker.played.drain(..) {
            walker.amaf[slot(side, mv)] = now;
        }
        for pair in way.windows(2).rev() {
            let [node, child] = pair else { continue };
            let Some(branch) = node.branch() else { continue };
            if let Turn::Decision(side) = branch.turn {
                if let Some(mv) = child.mv {
                    walker.amaf[slot(side, mv)] = now;
                }
                for (sister, amaf) in branch.nodes.iter().zip(branch.amaf()) {
                    if sister.mv.is_some_and(|mv| walker.amaf[slot(side, mv)] == now) {
                        amaf.finish(value, walker.traffic);
                    }
                }
            }
        }
    }

    /// Mixes Dirichlet noise into the priors of the root's moves, so that self-play tries what the policy overlooks.
    /// The root has been looked at; a second time nothing happens.
    pub fn add_noise(&self, share: f32, alpha: f32, rng: &mut Rng) {
        if let Some(branch) = self.root.branch() {
            let noise = dirichlet(branch.nodes.len(), alpha, rng);
            let mixed = |(node, noise): (&Node<P::Move>, f32)| (1.0 - share) * node.prior + share * noise;
            self.noise.get_or_init(|| branch.nodes.iter().zip(noise).map(mixed).collect());
        }
    }

    /// Moves the root along the game; what is known below the new root stays. `None` if the line leaves the tree or
    /// is another game.
    pub fn advance(mut self, line: &Line<P>) -> Option<Tree<P>> {
        debug_assert_eq!(self.root.pending(), 0, "nobody waits for a leaf of this tree");
        let played = self.line.ply();
        let same_game = line.ply() >= played
            && line.start().key() == self.line.start().key()
            && line.moves()[..played] == *self.line.moves();
        if !same_game {
            return None;
        }
        for &mv in &line.moves()[played..] {
            let branch = self.root.take_branch()?;
            self.root = branch.nodes.into_iter().find(|node| node.mv == Some(mv))?;
        }
        self.root.mv = None;
        let nodes = AtomicUsize::new(count(&self.root));
        Some(Tree { root: self.root, line: line.clone(), nodes, noise: OnceLock::new() })
    }

    /// Forgets the moves below rarely visited nodes until at most `keep` nodes are left.
    pub fn prune(&mut self, keep: usize) {
        debug_assert_eq!(self.root.pending(), 0, "nobody waits for a leaf of this tree");
        let mut least = 4;
        loop {
            forget(&mut self.root, least);
            let left = count(&self.root);
            self.nodes.store(left, Relaxed);
            if left <= keep || least > self.root.visits() {
                return;
            }
            least = least.saturating_mul(4);
        }
    }
}

/// One more simulation has this value.
#[inline]
fn count_up<M: Copy>(way: &Way<'_, M>, value: Pov<Value>, traffic: Traffic) {
    let mut bounded = value.seen_by(Side::First);
    for node in way.iter().rev() {
        // A side with a draw in hand does not let a worse value go further up.
        if node.has_draw()
            && let Some(Branch { turn: Turn::Decision(side), .. }) = node.branch()
        {
            bounded = if *side == Side::First { bounded.max(0.0) } else { bounded.min(0.0) };
        }
        node.finish(bounded, traffic);
    }
}

/// Which child each node of the way is.
fn steps<M: Copy>(way: &Way<'_, M>) -> Box<[u32]> {
    let step = |pair: &[&Node<M>]| {
        let [above, node] = pair else { return None };
        above.branch()?.nodes.element_offset(node).map(|index| index as u32)
    };
    way.windows(2).filter_map(step).collect()
}

/// The nodes of a subtree. A way is at most `LONGEST_PATH` long, so the recursion is bounded.
fn count<M: Copy>(node: &Node<M>) -> usize {
    1 + node.branch().map_or(0, |branch| branch.nodes.iter().map(count).sum())
}

fn forget<M: Copy>(node: &mut Node<M>, least: u32) {
    let root = node.mv.is_none();
    if !root && node.visits() < least {
        node.take_branch();
    } else if let Some(branch) = node.branch_mut() {
        branch.nodes.iter_mut().for_each(|node| forget(node, least));
    }
}

fn roll<M: Copy>(nodes: &[Node<M>], rng: &mut Rng) -> usize {
    let mut rest = rng.f32();
    for (index, node) in nodes.iter().enumerate() {
        rest -= node.prior;
        if rest < 0.0 {
            return index;
        }
    }
    nodes.len() - 1
}

/// A random distribution over `count` moves; the smaller alpha, the more it favours few of them.
fn dirichlet(count: usize, alpha: f32, rng: &mut Rng) -> Vec<f32> {
    let mut shares: Vec<f32> = (0..count).map(|_| gamma(alpha, rng)).collect();
    let sum: f32 = shares.iter().sum();
    if sum > 0.0 {
        shares.iter_mut().for_each(|share| *share /= sum);
    } else {
        // All draws underflowed: as tiny an alpha means one move, any one.
        shares[rng.usize(..count)] = 1.0;
    }
    shares
}

/// A gamma-distributed number. CITE: Marsaglia & Tsang 2000, with their boost for shapes below one.
fn gamma(shape: f32, rng: &mut Rng) -> f32 {
    if shape < 1.0 {
        return gamma(shape + 1.0, rng) * rng.f32().max(f32::MIN_POSITIVE).powf(1.0 / shape);
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        // A normal number by Box and Muller.
        let radius = (-2.0 * rng.f32().max(f32::MIN_POSITIVE).ln()).sqrt();
        let x = radius * (std::f32::consts::TAU * rng.f32()).cos();
        let v = (1.0 + c * x).powi(3);
        if v > 0.0 && rng.f32().max(f32::MIN_POSITIVE).ln() < 0.5 * x * x + d - d * v + d * v.ln() {
            return d * v;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_a_distribution() {
        let mut rng = Rng::with_seed(1);
        for alpha in [0.03, 0.3, 1.0, 10.0] {
            let shares = dirichlet(30, alpha, &mut rng);
            assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-4 && shares.iter().all(|share| *share >= 0.0));
        }
        // The mean of a gamma number is its shape.
        for shape in [0.3, 1.0, 4.0] {
            let mean = (0..20_000).map(|_| gamma(shape, &mut rng)).sum::<f32>() / 20_000.0;
            assert!((mean - shape).abs() < 0.06 * shape.max(1.0), "{shape}: {mean}");
        }
    }
}
