//! What all depth-first searches share: the node count, the limits, the evaluation and lists to put moves in.

use crate::{Candidate, Heuristic, PlayerError, Stopper, Thought};
use tengen_core::{Line, Position, Score, Side, Turn};

/// The surroundings of one depth-first search.
pub struct DepthFirst<'a, P: Position, H> {
    /// The judge of positions at the depth limit.
    pub heuristic: &'a mut H,
    /// Counts nodes and says when to stop. After it has, scores mean nothing.
    pub stopper: Stopper<'a>,
    /// Lists of moves that no node uses now.
    spare: Vec<Vec<P::Move>>,
    /// Set when a search that cannot weigh dice met some.
    pub met_chance: bool,
}

impl<'a, P: Position, H: Heuristic<P>> DepthFirst<'a, P, H> {
    /// A search that has not begun.
    pub fn new(heuristic: &'a mut H, stopper: Stopper<'a>) -> Self {
        DepthFirst { heuristic, stopper, spare: Vec::new(), met_chance: false }
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

    /// The static score of the position for `side`.
    #[inline]
    pub fn static_score(&mut self, line: &Line<P>, side: Side) -> Score {
        let score = self.heuristic.score(line);
        if line.position().to_move() == side { score } else { -score }
    }

    /// Judges each root move with `judge`, which is handed the line after the move and answers for the side to
    /// move at the root together with the line it expects; makes a thought of the answers. `None` if the limits ended it before the first move.
    pub fn think(
        &mut self,
        line: &mut Line<P>,
        depth: u32,
        mut judge: impl FnMut(&mut Self, &mut Line<P>) -> (Score, Vec<P::Move>),
    ) -> Result<Option<Thought<P::Move>>, PlayerError> {
        let mut moves = self.list();
        let Turn::Decision(_) = line.turn(&mut moves) else {
            return Err(PlayerError::NothingToDecide);
        };
        let mut judged = Vec::with_capacity(moves.len());
        for &mv in &moves {
            let before = self.stopper.nodes();
            line.push(mv);
            let (score, mut pv) = judge(self, line);
            line.pop();
            if self.stopper.is_stopped() {
                break;
            }
            pv.insert(0, mv);
            judged.push((mv, score, self.stopper.nodes() - before, pv));
        }
        self.put_back(moves);
        // A stable sort: of equal moves the one listed first stays first.
        judged.sort_by_key(|&(_, score, _, _)| -i64::from(score));
        let Some((best, score, _, pv)) = judged.first().cloned() else {
            return Ok(None);
        };
        let candidate = |&(mv, score, visits, _): &(P::Move, Score, u64, Vec<P::Move>)| Candidate {
            mv,
            visits,
            value: self.heuristic.value(score),
            prior: None,
        };
        let candidates = judged.iter().map(candidate).collect();
        let (value, nodes) = (self.heuristic.value(score), self.stopper.nodes());
        Ok(Some(Thought { best, value, nodes, depth, pv, candidates }))
    }
}
