//! Expectiminimax: minimax with dice. Max takes the largest value, Min the smallest, chance the average.
//!
//! Values are expected outcomes, so there is a best and a worst one, and a chance node can be left early: what the
//! rolls not yet looked at could bring at most (or at least) may already be known not to matter.
//!
//! CITE: Michie 1966; Ballard 1983, Star1 and Star2.

use crate::depth_first::first_legal;
use crate::{
    Candidate, DepthFirst, Heuristic, Limits, Observer, Player, PlayerError, Stopper, Thought, Watch, choices,
    heuristic::is_decided, params,
};
use tengen_core::{Line, Position, Pov, Score, Side, Turn, Value};

choices! {
    /// How chance nodes are pruned.
    pub enum Star {
        /// Not at all.
        Off = "off",
        /// By what the other rolls can bring at best and at worst.
        One = "star1",
        /// First by one move of each roll, which often is enough.
        Two = "star2",
    }
}

params! {
    /// How the expectiminimax player plays.
    pub struct ExpectiminimaxParams {
        depth: u32 = 2, 1..=30, "decisions to look ahead; dice in between do not count";
        ms: u64 = 0, 0..=86_400_000, "milliseconds a move; 0 sets no limit";
        nodes: u64 = 0, 0..=1_000_000_000_000, "positions a move; 0 sets no limit";
        star: Star = Star::Two, (), "how rolls that cannot matter are left out";
    }
}

impl ExpectiminimaxParams {
    /// The parameters as limits.
    pub fn limits(&self) -> Limits {
        Limits::of(self.depth, self.ms, self.nodes)
    }
}

/// What a finished game is worth: a sooner win a little more than a later one.
pub(crate) fn discounted<P: Position, H: Heuristic<P>>(heuristic: &H, score: Score, ply: u32) -> Value {
    let value = heuristic.value(score);
    if is_decided(score) { value * (1.0 - 1e-6 * ply as f32) } else { value }
}

/// Alpha and beta of expected values, for Max.
#[derive(Clone, Copy, Debug)]
struct Range {
    alpha: Value,
    beta: Value,
}

/// The value for Max of the position at the end of the line, looking `depth` decisions ahead and every roll in
/// between: plain, the measure of all the clever ones.
pub fn expectiminimax<P: Position, H: Heuristic<P>, O: Observer<P>>(
    search: &mut DepthFirst<'_, P, H, O>,
    line: &mut Line<P>,
    depth: u32,
    ply: u32,
) -> Value {
    let whole = Range { alpha: f32::NEG_INFINITY, beta: f32::INFINITY };
    Walk { search, star: Star::Off }.value(line, depth, ply, whole)
}

/// The same value with the window [`alpha`, `beta`] for Max: fail-soft, exact between the two.
pub fn star<P: Position, H: Heuristic<P>, O: Observer<P>>(
    search: &mut DepthFirst<'_, P, H, O>,
    line: &mut Line<P>,
    depth: u32,
    ply: u32,
    star: Star,
) -> Value {
    let (alpha, beta) = search.heuristic.value_bounds();
    // Open at both ends: a value at the bound itself is inside.
    let whole = Range { alpha: alpha - 1.0, beta: beta + 1.0 };
    Walk { search, star }.value(line, depth, ply, whole)
}

struct Walk<'s, 'a, P: Position, H, O> {
    search: &'s mut DepthFirst<'a, P, H, O>,
    star: Star,
}

impl<P: Position, H: Heuristic<P>, O: Observer<P>> Walk<'_, '_, P, H, O> {
    fn value(&mut self, line: &mut Line<P>, depth: u32, ply: u32, range: Range) -> Value {
        if self.search.stopper.tick() {
            return 0.0;
        }
        let mut moves = self.search.list();
        let turn = line.turn(&mut moves);
        self.search.observer.enter(line, turn, depth, None);
        let value = match turn {
            Turn::Over(outcome) => {
                let score = self.search.heuristic.over(line, outcome, Side::First, ply);
                discounted(self.search.heuristic, score, ply)
            }
            _ if depth == 0 => {
                let score = self.search.static_score(line, Side::First);
                self.search.heuristic.value(score)
            }
            Turn::Chance => self.chance(line, depth, ply, range),
            Turn::Decision(side) => self.decision(line, side, &moves, depth, ply, range),
        };
        self.search.observer.leave(value);
        self.search.put_back(moves);
        value
    }

    fn decision(
        &mut self,
        line: &mut Line<P>,
        side: Side,
        moves: &[P::Move],
        depth: u32,
        ply: u32,
        mut range: Range,
    ) -> Value {
        let max = side == Side::First;
        let mut best = if max { f32::NEG_INFINITY } else { f32::INFINITY };
        for (index, &mv) in moves.iter().enumerate() {
            self.search.push(line, mv);
            let value = self.value(line, depth - 1, ply + 1, range);
            self.search.pop(line);
            if max {
                best = best.max(value);
                range.alpha = range.alpha.max(best);
            } else {
                best = best.min(value);
                range.beta = range.beta.min(best);
            }
            self.search.observer.improve(best, None);
            if self.star != Star::Off && range.alpha >= range.beta {
                self.search.observer.prune(line, &moves[index + 1..], best, None);
                break;
            }
        }
        best
    }

    /// A chance node. With `rest` the probability of the rolls behind this one, its value matters only while the
    /// sum can still end inside the range: that is the child's window.
    fn chance(&mut self, line: &mut Line<P>, depth: u32, ply: u32, range: Range) -> Value {
        let mut outcomes = Vec::new();
        line.position().chance(&mut outcomes);
        let (worst, best) = self.search.heuristic.value_bounds();
        // What each roll brings at least and at most.
        let mut bounds = vec![(worst, best); outcomes.len()];
        if self.star == Star::Two
            && let Some(value) = self.probe(line, depth, ply, range, &outcomes, &mut bounds)
        {
            return value;
        }
        let mut sum = 0.0;
        let mut rest_low: f32 = outcomes.iter().zip(&bounds).map(|(&(_, p), &(low, _))| p * low).sum();
        let mut rest_high: f32 = outcomes.iter().zip(&bounds).map(|(&(_, p), &(_, high))| p * high).sum();
        for (index, (&(mv, probability), &(low, high))) in outcomes.iter().zip(&bounds).enumerate() {
            rest_low -= probability * low;
            rest_high -= probability * high;
            let window = if self.star == Star::Off {
                Range { alpha: f32::NEG_INFINITY, beta: f32::INFINITY }
            } else {
                Range {
                    alpha: (range.alpha - sum - rest_high) / probability,
                    beta: (range.beta - sum - rest_low) / probability,
                }
            };
            self.search.push(line, mv);
            let value = self.value(line, depth, ply + 1, window);
            self.search.pop(line);
            sum += probability * value;
            self.search.observer.improve(sum, None);
            if self.star == Star::Off {
                continue;
            }
            let unseen = || outcomes[index + 1..].iter().map(|&(mv, _)| mv).collect::<Vec<_>>();
            if value <= window.alpha {
                self.search.observer.prune(line, &unseen(), sum + rest_high, None);
                return sum + rest_high;
            }
            if value >= window.beta {
                self.search.observer.prune(line, &unseen(), sum + rest_low, None);
                return sum + rest_low;
            }
        }
        sum
    }

    /// Star2: one move of each roll. If Max moves after the roll, it bounds the roll's value from below, if Min does,
    /// from above; the bounds stay for the search proper, or end it at once.
    fn probe(
        &mut self,
        line: &mut Line<P>,
        depth: u32,
        ply: u32,
        range: Range,
        outcomes: &[(P::Move, f32)],
        bounds: &mut [(Value, Value)],
    ) -> Option<Value> {
        let mut replies = self.search.list();
        let whole = Range { alpha: f32::NEG_INFINITY, beta: f32::INFINITY };
        let mut ended = None;
        for (index, &(roll, _)) in outcomes.iter().enumerate() {
            self.search.push(line, roll);
            if let Turn::Decision(side) = line.turn(&mut replies)
                && depth > 0
            {
                self.search.push(line, replies[0]);
                let value = self.value(line, depth - 1, ply + 2, whole);
                self.search.pop(line);
                match side {
                    Side::First => bounds[index].0 = value,
                    Side::Second => bounds[index].1 = value,
                }
            }
            self.search.pop(line);
            let low: f32 = outcomes.iter().zip(bounds.iter()).map(|(&(_, p), &(low, _))| p * low).sum();
            let high: f32 = outcomes.iter().zip(bounds.iter()).map(|(&(_, p), &(_, high))| p * high).sum();
            if low >= range.beta {
                ended = Some(low);
                break;
            }
            if high <= range.alpha {
                ended = Some(high);
                break;
            }
        }
        self.search.put_back(replies);
        ended
    }
}

/// Judges the root moves by expected value, deeper and deeper where time limits it; see `DepthFirst::deepen`.
pub(crate) fn survey_values<P: Position, H: Heuristic<P>, O: Observer<P>>(
    search: &mut DepthFirst<'_, P, H, O>,
    line: &Line<P>,
    limits: &Limits,
    report: &mut dyn FnMut(&Thought<P::Move>),
    mut judge: impl FnMut(&mut DepthFirst<'_, P, H, O>, &mut Line<P>, u32) -> Pov<Value>,
) -> Result<Thought<P::Move>, PlayerError> {
    let mut line = line.clone();
    let mut moves = Vec::new();
    let Turn::Decision(side) = line.turn(&mut moves) else {
        return Err(PlayerError::NothingToDecide);
    };
    let last = limits.last_depth();
    let timed = limits.time.is_some() || limits.nodes.is_some() || limits.clock.is_some() || limits.endless;
    let mut found: Option<Thought<P::Move>> = None;
    for depth in if timed { 1 } else { last }..=last {
        let mut candidates = Vec::with_capacity(moves.len());
        for &mv in &moves {
            let before = search.stopper.nodes();
            search.push(&mut line, mv);
            let value = judge(search, &mut line, depth);
            search.pop(&mut line);
            if search.stopper.is_stopped() {
                break;
            }
            candidates.push(Candidate::new(mv, search.stopper.nodes() - before, value));
        }
        candidates.sort_by(|a, b| b.value.seen_by(side).total_cmp(&a.value.seen_by(side)));
        if let Some((best, value)) = candidates.first().map(|first| (first.mv, first.value))
            && (!search.stopper.is_stopped() || found.is_none())
        {
            let thought = Thought::new(best, value, search.stopper.nodes(), depth, candidates);
            report(&thought);
            found = Some(thought);
        }
        if !search.stopper.may_go_on() {
            break;
        }
    }
    match found {
        Some(thought) => Ok(Thought { nodes: search.stopper.nodes(), ..thought }),
        None => first_legal(&line),
    }
}

/// The player.
pub struct Expectiminimax<H> {
    heuristic: H,
    params: ExpectiminimaxParams,
}

impl<H> Expectiminimax<H> {
    /// Judges the positions at the depth limit by `heuristic`.
    pub fn new(heuristic: H, params: ExpectiminimaxParams) -> Self {
        Expectiminimax { heuristic, params }
    }
}

impl<P: Position, H: Heuristic<P>> Player<P> for Expectiminimax<H> {
    fn think(
        &mut self,
        line: &Line<P>,
        limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
    ) -> Result<Thought<P::Move>, PlayerError> {
        let limits = limits.and(&self.params.limits());
        let stopper = Stopper::new(&limits, line.ply(), watch.clock, watch.stop);
        let mut search = DepthFirst::new(&mut self.heuristic, line, stopper);
        let pruning = self.params.star;
        survey_values(&mut search, line, &limits, watch.report, |search, line, depth| {
            Pov::of(Side::First, star(search, line, depth - 1, 1, pruning))
        })
    }
}
