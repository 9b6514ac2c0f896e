//! Minimax as the course writes it: Max takes the largest value of her moves, Min the smallest of his.
//!
//! Every other exact search in this crate is tested against this one, so it has no cleverness at all: no window,
//! no table, no ordering. `First` is Max.

use crate::{DepthFirst, Heuristic, Limits, Player, PlayerError, Stopper, Thought, Watch, params};
use tengen_core::{Line, Position, Score, Side, Turn};

params! {
    /// How the plain depth-first players play.
    pub struct MinimaxParams {
        depth: u32 = 4, 1..=100, "plies to look ahead";
        ms: u64 = 0, 0..=86_400_000, "milliseconds a move; 0 sets no limit";
        nodes: u64 = 0, 0..=1_000_000_000_000, "positions a move; 0 sets no limit";
    }
}

impl MinimaxParams {
    /// The parameters as limits.
    pub fn limits(&self) -> Limits {
        Limits {
            depth: Some(self.depth),
            time: (self.ms > 0).then(|| std::time::Duration::from_millis(self.ms)),
            nodes: (self.nodes > 0).then_some(self.nodes),
            ..Limits::default()
        }
    }
}

/// The value for Max of the position at the end of the line, looking `depth` plies ahead; `ply` is the distance
/// from the root.
pub fn minimax<P: Position, H: Heuristic<P>>(
    search: &mut DepthFirst<'_, P, H>,
    line: &mut Line<P>,
    depth: u32,
    ply: u32,
) -> Score {
    if search.stopper.tick() {
        return 0;
    }
    let mut moves = search.list();
    let value = match line.turn(&mut moves) {
        Turn::Over(outcome) => search.heuristic.over(line, outcome, Side::First, ply),
        Turn::Chance => {
            search.met_chance = true;
            0
        }
        Turn::Decision(_) if depth == 0 => search.static_score(line, Side::First),
        Turn::Decision(side) => {
            let mut best = if side == Side::First { Score::MIN } else { Score::MAX };
            for &mv in &moves {
                line.push(mv);
                let value = minimax(search, line, depth - 1, ply + 1);
                line.pop();
                best = if side == Side::First { best.max(value) } else { best.min(value) };
            }
            best
        }
    };
    search.put_back(moves);
    value
}

/// The player that looks at everything, `depth` plies deep.
pub struct Minimax<H> {
    heuristic: H,
    params: MinimaxParams,
}

impl<H> Minimax<H> {
    /// Judges the positions at the depth limit by `heuristic`.
    pub fn new(heuristic: H, params: MinimaxParams) -> Self {
        Minimax { heuristic, params }
    }
}

impl<P: Position, H: Heuristic<P>> Player<P> for Minimax<H> {
    fn think(
        &mut self,
        line: &Line<P>,
        limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
    ) -> Result<Thought<P::Move>, PlayerError> {
        let limits = limits.and(&self.params.limits());
        let stopper = Stopper::new(&limits, line.ply(), watch.clock, watch.stop);
        let mut search = DepthFirst::new(&mut self.heuristic, stopper);
        let side = line.position().to_move();
        let mut line = line.clone();
        deepen(&mut search, &mut line, &limits, watch, "minimax", |search, line, depth| {
            let value = minimax(search, line, depth - 1, 1);
            (if side == Side::First { value } else { -value }, Vec::new())
        })
    }
}

/// Searches one ply, then two, and so on to the depth limit, so that there is an answer whenever the time is up.
/// Without a limit but depth it goes straight to the last one.
pub(crate) fn deepen<P: Position, H: Heuristic<P>>(
    search: &mut DepthFirst<'_, P, H>,
    line: &mut Line<P>,
    limits: &Limits,
    watch: &mut Watch<'_, P::Move>,
    name: &str,
    mut judge: impl FnMut(&mut DepthFirst<'_, P, H>, &mut Line<P>, u32) -> (Score, Vec<P::Move>),
) -> Result<Thought<P::Move>, PlayerError> {
    let last = limits.depth.unwrap_or(1).max(1);
    let timed = limits.time.is_some() || limits.nodes.is_some() || limits.clock.is_some();
    let mut found: Option<Thought<P::Move>> = None;
    for depth in if timed { 1 } else { last }..=last {
        let thought = search.think(line, depth, |search, line| judge(search, line, depth))?;
        if search.met_chance {
            return Err(PlayerError::Unsuited(format!("{name} cannot weigh dice: take expectiminimax or mcts")));
        }
        // A broken-off iteration is worth something only if there is no complete one.
        if !search.stopper.is_stopped() || found.is_none() {
            found = thought.or(found);
        }
        if let Some(thought) = &found {
            (watch.report)(thought);
        }
        if !search.stopper.may_go_on() {
            break;
        }
    }
    match found {
        Some(thought) => Ok(Thought { nodes: search.stopper.nodes(), ..thought }),
        // Stopped before a single move was judged: any legal move is better than none.
        None => {
            let mut moves = search.list();
            line.turn(&mut moves);
            let &best = moves.first().ok_or(PlayerError::NothingToDecide)?;
            Ok(Thought { best, value: 0.0, nodes: 0, depth: 0, pv: vec![best], candidates: Vec::new() })
        }
    }
}
