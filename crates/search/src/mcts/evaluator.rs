//! Tree search with a network's eyes: leaves are gathered, judged together, and the answers applied.

use super::{MctsParams, Tree, Walker, conclude, summary};
use crate::{Limits, Player, PlayerError, Stopper, Thought, Watch};
use std::time::Duration;
use tengen_core::{Line, Position, Rng, Side, Turn, Value};

/// A position that a search wants judged.
pub struct Leaf<'a, P: Position> {
    /// The game up to the position.
    pub line: &'a Line<P>,
    /// Its legal moves.
    pub moves: &'a [P::Move],
}

/// What comes back.
#[derive(Clone, PartialEq, Debug)]
pub struct Evaluation {
    /// For the side to move.
    pub value: Value,
    /// One probability a legal move, in the order of the leaf's moves.
    pub policy: Vec<f32>,
}

/// Judges many positions at a time: a network, or anything that stands for one.
pub trait Evaluator<P: Position>: Send {
    /// One evaluation a leaf, in the same order.
    fn evaluate(&mut self, leaves: &[Leaf<'_, P>]) -> Vec<Evaluation>;
}

/// The player that asks an evaluator.
pub struct Puct<P: Position, E> {
    evaluator: E,
    params: MctsParams,
    tree: Option<Tree<P>>,
}

impl<P: Position, E: Evaluator<P>> Puct<P, E> {
    /// Searches with the bandit of the parameters, which should be `puct`.
    pub fn new(evaluator: E, params: MctsParams) -> Self {
        Puct { evaluator, params, tree: None }
    }
}

/// A leaf on its way to the evaluator.
struct Gathered<'t, P: Position> {
    path: Vec<&'t super::Node<P::Move>>,
    line: Line<P>,
    moves: Vec<P::Move>,
}

impl<P: Position, E: Evaluator<P>> Player<P> for Puct<P, E> {
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
        let kept = self.tree.take().filter(|_| self.params.reuse).and_then(|tree| tree.advance(line));
        let mut tree = kept.unwrap_or_else(|| Tree::new(line.clone()));
        if tree.root().branch().is_none() {
            let judged = self.evaluator.evaluate(&[Leaf { line, moves: &moves }]);
            tree.open_root(&self.params, judged.first().map(|evaluation| evaluation.policy.as_slice()));
        }
        let mut rng = Rng::with_seed(self.params.seed ^ line.position().key());
        if self.params.noise > 0.0 {
            tree.add_noise(self.params.noise, self.params.alpha, &mut rng);
        }
        let mut stopper = Stopper::new(&limits, line.ply(), watch.clock, watch.stop);
        let allowed = limits.visits.or(limits.nodes).unwrap_or(u64::MAX);
        let most_nodes = (self.params.memory << 20) / size_of::<super::Node<P::Move>>();
        // A leaf gets its children from the evaluator, never before.
        let params = MctsParams { expand: u32::MAX, ..self.params.clone() };
        let mut done = 0;
        while done < allowed && !stopper.is_stopped() {
            if tree.size() >= most_nodes {
                tree.prune(most_nodes / 2);
            }
            let seed = tengen_core::mix(self.params.seed.wrapping_add(done));
            done += grow(&tree, &mut self.evaluator, &params, &mut stopper, allowed - done, seed, side, watch);
            if params.solver && tree.root().proven().is_some() {
                break;
            }
        }
        let mut thought = conclude(&tree, side, &self.params, &mut rng);
        thought.nodes = done;
        self.tree = self.params.reuse.then_some(tree);
        Ok(thought)
    }
}

/// Gathers and applies until the limits are reached or a thousand simulations are done; says how many they were.
#[allow(clippy::too_many_arguments)]
fn grow<P: Position>(
    tree: &Tree<P>,
    evaluator: &mut dyn Evaluator<P>,
    params: &MctsParams,
    stopper: &mut Stopper<'_>,
    allowed: u64,
    seed: u64,
    side: Side,
    watch: &mut Watch<'_, P::Move>,
) -> u64 {
    let mut walker = Walker::new(tree, seed, super::Traffic::Batched);
    let mut next_report = watch.clock.elapsed() + Duration::from_millis(200);
    let mut done = 0;
    while done < allowed.min(1000) && !stopper.is_stopped() {
        // Step 1. Gather leaves; ends of the game and proven nodes need no evaluator.
        let mut batch: Vec<Gathered<'_, P>> = Vec::new();
        while batch.len() < params.batch && done + (batch.len() as u64) < allowed && !stopper.tick() {
            if let Some(outcome) = tree.descend(&mut walker, params, None) {
                tree.back_up(&mut walker, outcome.value_for(Side::First), Some(outcome), params);
                done += 1;
                continue;
            }
            let leaf = walker.leaf();
            let same = |other: &Gathered<'_, P>| {
                other.path.last().zip(leaf).is_some_and(|(other, leaf)| std::ptr::eq(*other, leaf))
            };
            if batch.iter().any(same) {
                // The tree is too narrow for a fuller batch.
                walker.abandon();
                break;
            }
            let mut moves = Vec::new();
            if let Turn::Over(outcome) = walker.line.turn(&mut moves) {
                tree.back_up(&mut walker, outcome.value_for(Side::First), Some(outcome), params);
                done += 1;
                continue;
            }
            let (path, line) = walker.detach();
            batch.push(Gathered { path, line, moves });
        }
        // Step 2. Judge them.
        let leaves: Vec<Leaf<'_, P>> = batch.iter().map(|leaf| Leaf { line: &leaf.line, moves: &leaf.moves }).collect();
        let evaluations = if leaves.is_empty() { Vec::new() } else { evaluator.evaluate(&leaves) };
        drop(leaves);
        // Step 3. Apply the answers.
        for (leaf, evaluation) in batch.into_iter().zip(evaluations) {
            let value =
                if leaf.line.position().to_move() == Side::First { evaluation.value } else { -evaluation.value };
            walker.attach(leaf.path);
            if let Some(node) = walker.leaf() {
                tree.expand(node, &mut walker, params, Some(&evaluation.policy));
            }
            tree.back_up(&mut walker, value, None, params);
            done += 1;
        }
        let now = watch.clock.elapsed();
        if now >= next_report {
            next_report = now + Duration::from_millis(200);
            (watch.report)(&summary(tree, side));
        }
        if params.solver && tree.root().proven().is_some() {
            break;
        }
    }
    done
}
