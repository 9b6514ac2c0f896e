//! Minimax as the course writes it: Max takes the largest value of her moves, Min the smallest of his.
//!
//! Every other exact search in this crate is tested against this one, so it has no cleverness at all: no window,
//! no table, no ordering. `First` is Max.

use crate::{DepthFirst, Heuristic, Limits, Observer, Player, PlayerError, Stopper, Thought, Watch, params};
use tengen_core::{Line, Position, Pov, Score, Side, Turn};

params! {
    /// How the plain depth-first players play.
    pub struct DepthParams {
        depth: u32 = 4, 1..=100, "plies to look ahead";
        ms: u64 = 0, 0..=86_400_000, "milliseconds a move; 0 sets no limit";
        nodes: u64 = 0, 0..=1_000_000_000_000, "positions a move; 0 sets no limit";
    }
}

impl DepthParams {
    /// The parameters as limits.
    pub fn limits(&self) -> Limits {
        Limits::of(self.depth, self.ms, self.nodes)
    }
}

/// The value for Max of the position at the end of the line, looking `depth` plies ahead; `ply` is the distance
/// from the root.
pub fn minimax<P: Position, H: Heuristic<P>, O: Observer<P>>(
    search: &mut DepthFirst<'_, P, H, O>,
    line: &mut Line<P>,
    depth: u32,
    ply: u32,
) -> Score {
    if search.stopper.tick() {
        return 0;
    }
    let mut moves = search.list();
    let turn = line.turn(&mut moves);
    search.observer.enter(line, turn, depth, None);
    let value = match turn {
        Turn::Over(outcome) => search.heuristic.over(line, outcome, Side::First, ply),
        Turn::Chance => {
            search.met_chance = true;
            0
        }
        Turn::Decision(_) if depth == 0 => search.static_score(line, Side::First),
        Turn::Decision(side) => {
            let mut best = if side == Side::First { Score::MIN } else { Score::MAX };
            for &mv in &moves {
                search.push(line, mv);
                let value = minimax(search, line, depth - 1, ply + 1);
                search.pop(line);
                best = if side == Side::First { best.max(value) } else { best.min(value) };
                search.observer.improve(best as f32, None);
            }
            best
        }
    };
    search.observer.leave(value as f32);
    search.put_back(moves);
    value
}

/// The player that looks at everything, `depth` plies deep.
pub struct Minimax<H> {
    heuristic: H,
    params: DepthParams,
}

impl<H> Minimax<H> {
    /// Judges the positions at the depth limit by `heuristic`.
    pub fn new(heuristic: H, params: DepthParams) -> Self {
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
        let mut search = DepthFirst::new(&mut self.heuristic, line, stopper);
        search.deepen(line, &limits, watch, "minimax", |search, line, depth| {
            Pov::of(Side::First, minimax(search, line, depth - 1, 1))
        })
    }
}
