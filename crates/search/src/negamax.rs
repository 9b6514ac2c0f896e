//! Negamax: minimax in half the words. What is good for one side is as bad for the other, so every node asks for
//! the largest score *of the side to move there*.

use crate::{
    DepthFirst, Heuristic, Limits, Observer, Player, PlayerError, Stopper, Thought, Watch, minimax::DepthParams,
};
use tengen_core::{Line, Position, Pov, Score, Turn};

/// The score for the side to move of the position at the end of the line, looking `depth` plies ahead.
pub fn negamax<P: Position, H: Heuristic<P>, O: Observer<P>>(
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
    let score = match turn {
        Turn::Over(outcome) => search.heuristic.over(line, outcome, line.position().to_move(), ply),
        Turn::Chance => {
            search.met_chance = true;
            0
        }
        Turn::Decision(side) if depth == 0 => search.static_score(line, side),
        Turn::Decision(side) => {
            let mut best = Score::MIN;
            for &mv in &moves {
                search.push(line, mv);
                // The one place where the sign turns, beside the test of sides: not every move changes the side.
                let score = if line.position().to_move() == side {
                    negamax(search, line, depth - 1, ply + 1)
                } else {
                    -negamax(search, line, depth - 1, ply + 1)
                };
                search.pop(line);
                best = best.max(score);
                search.observer.improve(best as f32, None);
            }
            best
        }
    };
    search.observer.leave(score as f32);
    search.put_back(moves);
    score
}

/// The same player as minimax, by the shorter way of writing it.
pub struct Negamax<H> {
    heuristic: H,
    params: DepthParams,
}

impl<H> Negamax<H> {
    /// Judges the positions at the depth limit by `heuristic`.
    pub fn new(heuristic: H, params: DepthParams) -> Self {
        Negamax { heuristic, params }
    }
}

impl<P: Position, H: Heuristic<P>> Player<P> for Negamax<H> {
    fn think(
        &mut self,
        line: &Line<P>,
        limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
    ) -> Result<Thought<P::Move>, PlayerError> {
        let limits = limits.and(&self.params.limits());
        let stopper = Stopper::new(&limits, line.ply(), watch.clock, watch.stop);
        let mut search = DepthFirst::new(&mut self.heuristic, line, stopper);
        search.deepen(line, &limits, watch, "negamax", |search, line, depth| {
            Pov::of(line.position().to_move(), negamax(search, line, depth - 1, 1))
        })
    }
}
