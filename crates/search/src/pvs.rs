//! Principal variation search (NegaScout): the first move gets the full window, the others are only asked
//! whether they are better, and searched again if they are.
//!
//! CITE: Marsland & Campbell 1982; Reinefeld 1983.

use crate::{DepthFirst, Heuristic, Observer, Window, window::LOWEST};
use tengen_core::{Line, Position, Score, Turn};

/// The score for the side to move, fail-soft as in [`alphabeta`](crate::alphabeta()).
pub fn pvs<P: Position, H: Heuristic<P>, O: Observer<P>>(
    search: &mut DepthFirst<'_, P, H, O>,
    line: &mut Line<P>,
    depth: u32,
    ply: u32,
    window: Window,
) -> Score {
    if search.stopper.tick() {
        return 0;
    }
    let mut moves = search.list();
    let turn = line.turn(&mut moves);
    search.observer.enter(line, turn, depth, Some(window));
    let score = match turn {
        Turn::Over(outcome) => search.heuristic.over(line, outcome, line.position().to_move(), ply),
        Turn::Chance => {
            search.met_chance = true;
            0
        }
        Turn::Decision(side) if depth == 0 => search.static_score(line, side),
        Turn::Decision(side) => {
            let mut best = LOWEST;
            let mut window = window;
            for (index, &mv) in moves.iter().enumerate() {
                search.push(line, mv);
                let same = line.position().to_move() == side;
                let mut look = |line: &mut Line<P>, window: Window| {
                    if same {
                        pvs(search, line, depth - 1, ply + 1, window)
                    } else {
                        -pvs(search, line, depth - 1, ply + 1, -window)
                    }
                };
                let score = if index == 0 {
                    look(line, window)
                } else {
                    let guess = look(line, Window::null(window.alpha));
                    // Better than expected, and by how much matters: look again.
                    if guess > window.alpha && guess < window.beta { look(line, window) } else { guess }
                };
                search.pop(line);
                best = best.max(score);
                window = window.raised(best);
                search.observer.improve(best as f32, Some(window));
                if best >= window.beta {
                    search.observer.prune(line, &moves[index + 1..], best as f32, Some(window));
                    break;
                }
            }
            best
        }
    };
    search.observer.leave(score as f32);
    search.put_back(moves);
    score
}
