//! The tree: down to a leaf, and back up with its value.
//!
//! A simulation is cut in two. [`Tree::descend`] walks from the root to a leaf, counting the way as lost for the
//! time being; [`Tree::back_up`] brings the leaf's value back. In between anyone may judge the leaf: a playout at
//! once, or a network many leaves at a time. Between `descend`s only shared references to the tree are held, so many threads walk it at once.

use super::MctsParams;
use super::node::{Branch, Node, Traffic};
use super::select::select;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use tengen_core::{Line, Outcome, Position, Rng, Side, Turn, Value};

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
    noise: Option<Vec<f32>>,
}

/// One thread's way through the tree, reused from simulation to simulation.
pub struct Walker<'t, P: Position> {
    /// From the start of the game to the leaf.
    pub line: Line<P>,
    /// The nodes on the way, the root first.
    path: Vec<&'t Node<P::Move>>,
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
    /// Decides ties between moves: needs to be quick rather than good.
    lots: u64,
}

impl<'t, P: Position> Walker<'t, P> {
    /// A walker at the root.
    pub fn new(tree: &'t Tree<P>, seed: u64, traffic: Traffic) -> Self {
        Walker {
            line: tree.line.clone(),
            path: Vec::new(),
            rng: Rng::with_seed(seed),
            played: Vec::new(),
            moves: Vec::new(),
            outcomes: Vec::new(),
            amaf: Vec::new(),
            simulation: 0,
            traffic,
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

    /// The node it stands on.
    pub fn leaf(&self) -> Option<&'t Node<P::Move>> {
        self.path.last().copied()
    }

    /// The moves from the root to where it stands.
    pub fn moves(&self) -> impl Iterator<Item = P::Move> + '_ {
        self.path.iter().filter_map(|node| node.mv)
    }

    /// Back to the root without having counted.
    pub fn abandon(&mut self) {
        for node in self.path.drain(..) {
            node.abandon(self.traffic);
            if node.mv.is_some() {
                self.line.pop();
            }
        }
    }

    /// The way, to be gone back up later with [`Tree::back_up`] while this walker goes down again: leaves it at the root.
    pub fn detach(&mut self) -> (Vec<&'t Node<P::Move>>, Line<P>) {
        let leaf = self.line.clone();
        for node in &self.path {
            if node.mv.is_some() {
                self.line.pop();
            }
        }
        (std::mem::take(&mut self.path), leaf)
    }

    /// Takes a detached way up again; the walker stands at the root.
    pub fn attach(&mut self, path: Vec<&'t Node<P::Move>>) {
        for node in &path {
            if let Some(mv) = node.mv {
                self.line.push(mv);
            }
        }
        self.path = path;
    }
}

impl<P: Position> Tree<P> {
    /// A tree with nothing but a root, at the end of the line.
    pub fn new(line: Line<P>) -> Self {
        Tree { root: Node::new(None, 1.0), line, nodes: AtomicUsize::new(1), noise: None }
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

    /// Looks at the root's moves, all alike or by the policy given.
    pub fn open_root(&self, params: &MctsParams, policy: Option<&[f32]>) {
        let mut walker = Walker::new(self, 0, Traffic::Shared);
        self.expand(&self.root, &mut walker, params, policy);
    }

    /// Walks to a leaf: a node not looked at before, or the end of the game. If the value is known already, says so.
    pub fn descend<'t>(
        &'t self,
        walker: &mut Walker<'t, P>,
        params: &MctsParams,
        force: Option<usize>,
    ) -> Option<Outcome> {
        let mut node = &self.root;
        node.begin(walker.traffic);
        walker.path.clear();
        walker.path.push(node);
        loop {
            if node.mv.is_some()
                && let Some(outcome) = node.proven()
            {
                return Some(outcome);
            }
            let branch = match node.branch() {
                Some(branch) => branch,
                None if node.mv.is_none() || node.visits() >= params.expand => {
                    let branch = self.expand(node, walker, params, None);
                    if let Turn::Over(outcome) = branch.turn {
                        node.prove(outcome);
                        return Some(outcome);
                    }
                    branch
                }
                None => return None,
            };
            if walker.path.len() >= LONGEST_PATH {
                return None;
            }
            let at_root = node.mv.is_none();
            let index = match branch.turn {
                Turn::Over(outcome) => return Some(outcome),
                Turn::Chance => roll(&branch.nodes, &mut walker.rng),
                Turn::Decision(_) if at_root && force.is_some() => force.unwrap_or(0),
                Turn::Decision(side) => {
                    let noise = if at_root { self.noise.as_deref() } else { None };
                    select(params, node, branch, side, noise, walker.draw_lot())
                }
            };
            node = &branch.nodes[index];
            node.begin(walker.traffic);
            walker.path.push(node);
            if let Some(mv) = node.mv {
                walker.line.push(mv);
            }
        }
    }

    /// Looks at a node's moves; the walker stands on it. The policy, if there is one, is aligned with the legal moves.
    pub fn expand<'n>(
        &self,
        node: &'n Node<P::Move>,
        walker: &mut Walker<'_, P>,
        params: &MctsParams,
        policy: Option<&[f32]>,
    ) -> &'n Branch<P::Move> {
        node.branch_or(|| {
            let turn = walker.line.turn(&mut walker.moves);
            let nodes: Box<[_]> = match turn {
                Turn::Over(_) => Box::default(),
                Turn::Chance => {
                    walker.line.position().chance(&mut walker.outcomes);
                    walker.outcomes.iter().map(|&(mv, chance)| Node::new(Some(mv), chance)).collect()
                }
                Turn::Decision(_) => {
                    let even = 1.0 / walker.moves.len() as f32;
                    let prior = |index: usize| policy.and_then(|policy| policy.get(index)).copied().unwrap_or(even);
                    let sort = policy.is_some() && (params.widening > 0.0 || params.top_k > 0);
                    if sort {
                        let mut sorted: Vec<_> =
                            walker.moves.iter().enumerate().map(|(index, &mv)| (mv, prior(index))).collect();
                        sorted.sort_by(|a, b| b.1.total_cmp(&a.1));
                        if params.top_k > 0 {
                            sorted.truncate(params.top_k as usize);
                        }
                        sorted.iter().map(|&(mv, prior)| Node::new(Some(mv), prior)).collect()
                    } else {
                        walker.moves.iter().enumerate().map(|(index, &mv)| Node::new(Some(mv), prior(index))).collect()
                    }
                }
            };
            self.nodes.fetch_add(nodes.len(), Relaxed);
            Branch::new(turn, nodes, params.rave)
        })
    }

    /// Brings the value of the leaf, for First, back to the root, and the walker with it. `known` says that it is no
    /// guess: then the nodes above may be proven too.
    pub fn back_up(&self, walker: &mut Walker<'_, P>, value: Value, known: Option<Outcome>, params: &MctsParams) {
        let traffic = walker.traffic;
        let mut bounded = value;
        for node in walker.path.iter().rev() {
            // A side with a draw in hand does not let a worse value go further up.
            if node.has_draw()
                && let Some(Branch { turn: Turn::Decision(side), .. }) = node.branch()
            {
                bounded = if *side == Side::First { bounded.max(0.0) } else { bounded.min(0.0) };
            }
            node.finish(bounded, traffic);
        }
        if params.rave {
            self.back_up_amaf(walker, value);
        }
        if let Some(outcome) = known
            && params.solver
            && let Some((leaf, above)) = walker.path.split_last()
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
        for node in walker.path.drain(..) {
            if node.mv.is_some() {
                walker.line.pop();
            }
        }
    }

    /// All moves as first: every move played below a node, in the tree or in the playout, counts for its sister there.
    fn back_up_amaf(&self, walker: &mut Walker<'_, P>, value: Value) {
        if walker.amaf.is_empty() {
            walker.amaf = vec![0; 2 << 16];
        }
        walker.simulation = walker.simulation.wrapping_add(1).max(1);
        let now = walker.simulation;
        let slot = |side: Side, mv: P::Move| side.index() << 16 | usize::from(P::code(mv));
        for (side, mv) in walker.played.drain(..) {
            walker.amaf[slot(side, mv)] = now;
        }
        for pair in walker.path.windows(2).rev() {
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
    pub fn add_noise(&mut self, share: f32, alpha: f32, rng: &mut Rng) {
        if let Some(branch) = self.root.branch() {
            let noise = dirichlet(branch.nodes.len(), alpha, rng);
            let mixed = |(node, noise): (&Node<P::Move>, f32)| (1.0 - share) * node.prior + share * noise;
            self.noise = Some(branch.nodes.iter().zip(noise).map(mixed).collect());
        }
    }

    /// Moves the root along the game; what is known below the new root stays. `None` if the line leaves the tree or
    /// is another game.
    pub fn advance(mut self, line: &Line<P>) -> Option<Tree<P>> {
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
        Some(Tree { root: self.root, line: line.clone(), nodes, noise: None })
    }

    /// Forgets the moves below rarely visited nodes until at most `keep` nodes are left.
    pub fn prune(&mut self, keep: usize) {
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
