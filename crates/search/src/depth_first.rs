//! What all depth-first searches share: the node count, the limits, the evaluation and lists to put moves in.

use crate::{Candidate, Heuristic, Lead, Limits, Observer, PlayerError, Silent, Stopper, Thought, Watch};
use tengen_core::{Line, Position, Pov, Score, Side, Turn};

/// The surroundings of one depth-first search.
pub struct DepthFirst<'a, P: Position, H, O = Silent> {
    /// The judge of positions at the depth limit.
    pub heuristic: &'a mut H,
    /// Counts nodes and says when to stop. After it has, scores mean nothing.
    pub stopper: Stopper<'a>,
    /// Told of every step.
    pub observer: O,
    /// Lists of moves that no node uses now.
    spare: Vec<Vec<P::Move>>,
    /// Set when a search that cannot weigh dice met some.
    pub met_chance: bool,
}

impl<'a, P: Position, H: Heuristic<P>> DepthFirst<'a, P, H> {
    /// A search from the end of this line that nobody watches.
    pub fn new(heuristic: &'a mut H, line: &Line<P>, stopper: Stopper<'a>) -> Self {
        DepthFirst::observed(heuristic, line, stopper, Silent)
    }
}

impl<'a, P: Position, H: Heuristic<P>, O: Observer<P>> DepthFirst<'a, P, H, O> {
    /// A search from the end of this line with somebody looking over its shoulder.
    pub fn observed(heuristic: &'a mut H, line: &Line<P>, stopper: Stopper<'a>, observer: O) -> Self {
        heuristic.begin(line);
        DepthFirst { heuristic, stopper, observer, spare: Vec::new(), met_chance: false }
    }

    /// An empty list, to be given back with [`put_back`](Self::put_back): one a ply lives through the whole search.
    #[inline]
    pub fn list(&mut self) -> Vec<P::Move> {
        self.spare.pop().unwrap_or_default()
    }

    /// Gives a list back.
    #[inline]
    pub fn put_back(&mut self, list: Vec<P::Move>) {
        self.spare.push(list);
    }

    /// Plays a move; the heuristic follows.
    #[inline(always)]
    pub fn push(&mut self, line: &mut Line<P>, mv: P::Move) {
        line.push(mv);
        if let [.., before, after] = line.positions() {
            self.heuristic.pushed(before, Some(mv), after);
        }
    }

    /// Takes the last move back; the heuristic follows.
    #[inline(always)]
    pub fn pop(&mut self, line: &mut Line<P>) {
        line.pop();
        self.heuristic.popped();
    }

    /// The static score of the position for `side`.
    #[inline]
    pub fn static_score(&mut self, line: &Line<P>, side: Side) -> Score {
        Pov::of(line.position().to_move(), self.heuristic.score(line)).seen_by(side)
    }

    /// Judges each root move with `judge`, which is handed the line after the move; makes a thought of the answers. `None` if the limits ended it before the first answer.
    fn survey(
        &mut self,
        line: &mut Line<P>,
        depth: u32,
        mut judge: impl FnMut(&mut Self, &mut Line<P>) -> Pov<Score>,
    ) -> Result<Option<Thought<P::Move>>, PlayerError> {
        let mut moves = self.list();
        let Turn::Decision(side) = line.turn(&mut moves) else {
            return Err(PlayerError::NothingToDecide);
        };
        let mut judged = Vec::with_capacity(moves.len());
        for &mv in &moves {
            let before = self.stopper.nodes();
            self.push(line, mv);
            let score = judge(self, line).seen_by(side);
            self.pop(line);
            if self.stopper.is_stopped() {
                break;
            }
            judged.push((mv, score, self.stopper.nodes() - before));
        }
        self.put_back(moves);
        // A stable sort: of equal moves the one listed first stays first.
        judged.sort_by_key(|&(_, score, _)| -i64::from(score));
        let Some(&(best, score, _)) = judged.first() else {
            return Ok(None);
        };
        let value = |score| Pov::of(side, self.heuristic.value(score));
        let lead = |score| Some(Pov::of(side, Lead::of(score)));
        let candidate =
            |&(mv, score, visits)| Candidate { lead: lead(score), ..Candidate::new(mv, visits, value(score)) };
        let candidates = judged.iter().map(candidate).collect();
        let thought = Thought::new(best, value(score), self.stopper.nodes(), depth, candidates);
        Ok(Some(Thought { lead: lead(score), ..thought }))
    }

    /// Judges the root moves one ply deep, then two, and so on to the depth limit, so that there is an answer
    /// whenever the time is up. Without a limit but depth it goes straight to the last one. `name` is for complaints.
    pub(crate) fn deepen(
        &mut self,
        line: &Line<P>,
        limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
        name: &str,
        mut judge: impl FnMut(&mut Self, &mut Line<P>, u32) -> Pov<Score>,
    ) -> Result<Thought<P::Move>, PlayerError> {
        let mut line = line.clone();
        let last = limits.last_depth();
        let timed = limits.time.is_some() || limits.nodes.is_some() || limits.clock.is_some() || limits.endless;
        let mut found: Option<Thought<P::Move>> = None;
        for depth in if timed { 1 } else { last }..=last {
            let thought = self.survey(&mut line, depth, |search, line| judge(search, line, depth))?;
            if self.met_chance {
                return Err(PlayerError::Unsuited(format!("{name} cannot weigh dice: take expectiminimax or mcts")));
            }
            // A broken-off iteration is worth something only if there is no complete one.
            if !self.stopper.is_stopped() || found.is_none() {
                found = thought.or(found);
            }
            if let Some(thought) = &found {
                (watch.report)(thought);
            }
            if !self.stopper.may_go_on() {
                break;
            }
        }
        match found {
            Some(thought) => Ok(Thought { nodes: self.stopper.nodes(), ..thought }),
            None => first_legal(&line),
        }
    }
}

/// The answer of a search that was stopped before it had judged a single move: any legal move is better than none.
pub(crate) fn first_legal<P: Position>(line: &Line<P>) -> Result<Thought<P::Move>, PlayerError> {
    let mut moves = Vec::new();
    line.turn(&mut moves);
    let &best = moves.first().ok_or(PlayerError::NothingToDecide)?;
    Ok(Thought::new(best, Pov::even(), 0, 0, Vec::new()))
}
