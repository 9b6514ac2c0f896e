//! Expectimax: the best move against an opponent who does not play perfectly, but by known probabilities.
//!
//! The side to move at the root takes the largest value; at the other side's decisions, and at dice, the value is
//! the average weighted by how likely each move is.

use crate::expectiminimax::{discounted, survey_values};
use crate::{DepthFirst, Heuristic, Limits, Observer, Player, PlayerError, Stopper, Thought, Watch, params};
use tengen_core::{Line, Position, Pov, Side, Turn, Value};

params! {
    /// How the expectimax player plays.
    pub struct ExpectimaxParams {
        depth: u32 = 2, 1..=30, "decisions to look ahead; dice in between do not count";
        ms: u64 = 0, 0..=86_400_000, "milliseconds a move; 0 sets no limit";
        nodes: u64 = 0, 0..=1_000_000_000_000, "positions a move; 0 sets no limit";
        opponent: String = "uniform".to_owned(), "uniform, or a player", "how the opponent is taken to play, as in opponent=minimax(depth=1)";
    }
}

impl ExpectimaxParams {
    fn limits(&self) -> Limits {
        Limits::of(self.depth, self.ms, self.nodes)
    }
}

/// A model of the opponent: how likely each of his moves is.
pub trait Opponent<P: Position>: Send {
    /// Fills in one probability for each move; they sum to one.
    fn policy(&mut self, line: &Line<P>, moves: &[P::Move], policy: &mut Vec<f32>);
}

/// Every move is as likely as the others.
#[derive(Clone, Copy, Default, Debug)]
pub struct Uniform;

impl<P: Position> Opponent<P> for Uniform {
    fn policy(&mut self, _line: &Line<P>, moves: &[P::Move], policy: &mut Vec<f32>) {
        policy.clear();
        policy.resize(moves.len(), 1.0 / moves.len() as f32);
    }
}

/// Plays as some player does: as often each move as that player would look at it, or always its best.
pub struct LikePlayer<'a, P: Position> {
    /// Whom the opponent resembles.
    pub player: Box<dyn Player<P>>,
    /// The clock and stop sign of the whole search.
    pub clock: &'a dyn crate::Clock,
    /// See `clock`.
    pub stop: &'a std::sync::atomic::AtomicBool,
}

impl<P: Position> Opponent<P> for LikePlayer<'_, P> {
    fn policy(&mut self, line: &Line<P>, moves: &[P::Move], policy: &mut Vec<f32>) {
        let mut watch = Watch { clock: self.clock, stop: self.stop, report: &mut |_| {} };
        let Ok(thought) = self.player.think(line, &Limits::default(), &mut watch) else {
            return Uniform.policy(line, moves, policy);
        };
        // What the player would play counts as half, what else it considered shares the rest by visits.
        let visits = |mv: P::Move| {
            thought
                .candidates
                .iter()
                .find(|candidate| candidate.mv == mv)
                .map_or(0.0, |candidate| candidate.visits as f32)
        };
        let total: f32 = moves.iter().map(|&mv| visits(mv)).sum();
        policy.clear();
        policy.extend(moves.iter().map(|&mv| {
            let chosen = if mv == thought.best { 1.0 } else { 0.0 };
            if total > 0.0 { 0.5 * chosen + 0.5 * visits(mv) / total } else { chosen }
        }));
    }
}

/// The value for `me` of the position at the end of the line, looking `depth` decisions ahead, against an opponent
/// who plays by the model.
pub fn expectimax<P: Position, H: Heuristic<P>, O: Observer<P>>(
    search: &mut DepthFirst<'_, P, H, O>,
    line: &mut Line<P>,
    depth: u32,
    ply: u32,
    me: Side,
    model: &mut dyn Opponent<P>,
) -> Value {
    if search.stopper.tick() {
        return 0.0;
    }
    let mut moves = search.list();
    let turn = line.turn(&mut moves);
    search.observer.enter(line, turn, depth, None);
    let value = match turn {
        Turn::Over(outcome) => {
            let score = search.heuristic.over(line, outcome, me, ply);
            discounted(search.heuristic, score, ply)
        }
        _ if depth == 0 => {
            let score = search.static_score(line, me);
            search.heuristic.value(score)
        }
        Turn::Decision(side) if side == me => {
            let mut best = f32::NEG_INFINITY;
            for &mv in &moves {
                search.push(line, mv);
                best = best.max(expectimax(search, line, depth - 1, ply + 1, me, model));
                search.pop(line);
                search.observer.improve(best, None);
            }
            best
        }
        Turn::Decision(_) => {
            let mut policy = Vec::new();
            model.policy(line, &moves, &mut policy);
            let mut mean = 0.0;
            for (&mv, &probability) in moves.iter().zip(&policy) {
                // What the model never plays need not be looked at.
                if probability > 0.0 {
                    search.push(line, mv);
                    mean += probability * expectimax(search, line, depth - 1, ply + 1, me, model);
                    search.pop(line);
                    search.observer.improve(mean, None);
                }
            }
            mean
        }
        Turn::Chance => {
            let mut outcomes = Vec::new();
            line.position().chance(&mut outcomes);
            let mut mean = 0.0;
            for (mv, probability) in outcomes {
                search.push(line, mv);
                mean += probability * expectimax(search, line, depth, ply + 1, me, model);
                search.pop(line);
                search.observer.improve(mean, None);
            }
            mean
        }
    };
    search.observer.leave(value);
    search.put_back(moves);
    value
}

/// Makes a model of the opponent for one search.
pub type MakeOpponent<P> = Box<dyn Fn() -> Option<Box<dyn Player<P>>> + Send>;

/// The player.
pub struct Expectimax<P: Position, H> {
    heuristic: H,
    params: ExpectimaxParams,
    /// Whom the opponent resembles; `None` from it means that every move is as likely as the others.
    opponent: MakeOpponent<P>,
}

impl<P: Position, H> Expectimax<P, H> {
    /// Judges positions by `heuristic`, and the opponent by the player that `opponent` makes.
    pub fn new(heuristic: H, params: ExpectimaxParams, opponent: MakeOpponent<P>) -> Self {
        Expectimax { heuristic, params, opponent }
    }
}

impl<P: Position, H: Heuristic<P>> Player<P> for Expectimax<P, H> {
    fn think(
        &mut self,
        line: &Line<P>,
        limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
    ) -> Result<Thought<P::Move>, PlayerError> {
        let limits = limits.and(&self.params.limits());
        let stopper = Stopper::new(&limits, line.ply(), watch.clock, watch.stop);
        let mut search = DepthFirst::new(&mut self.heuristic, line, stopper);
        let me = line.position().to_move();
        let mut model: Box<dyn Opponent<P> + '_> = match (self.opponent)() {
            Some(player) => Box::new(LikePlayer { player, clock: watch.clock, stop: watch.stop }),
            None => Box::new(Uniform),
        };
        survey_values(&mut search, line, &limits, watch.report, |search, line, depth| {
            Pov::of(me, expectimax(search, line, depth - 1, 1, me, model.as_mut()))
        })
    }
}
