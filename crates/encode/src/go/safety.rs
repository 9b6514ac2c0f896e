//! What is safe for ever: chains that live even if their side always passes, and what they surround.
//!
//! CITE: D. B. Benson, "Life in the game of Go" (1976).

use tengen_core::Side;
use tengen_games::go::{Board, Go, Point};

/// A region that has not been numbered, or a cell that is in none.
const NOWHERE: u16 = u16::MAX;

/// What is known of the regions that the stones of one side leave.
struct Regions<const CELLS: usize> {
    /// The number of the region that a cell is in.
    of: [u16; CELLS],
    count: usize,
    /// The chains to which a region is vital: every point of it where the opponent could play is a liberty of theirs. There are no more
    /// than touch a single point; a region without such a point has none.
    vital: [[Option<Point>; 4]; CELLS],
    /// Whether every stone around the region belongs to a chain that may still be alive.
    held: [bool; CELLS],
}

/// Shows the points that belong to a side for ever: its chains that are alive, and what they surround, unless the opponent might live
/// inside.
pub(super) fn for_each_safe<const CELLS: usize>(position: &Go<CELLS>, side: Side, mut see: impl FnMut(Point)) {
    let board = position.board();
    if board.stones(side) == 0 {
        return;
    }
    // Step 1. The regions, and to which chains they are vital. Where suicide is allowed the opponent may fill a region and vanish from it, so his
    // stones must touch the chain, too.
    let mut regions = Regions::of(board, side, position.rules().allows_suicide());
    if regions.count < 2 {
        return;
    }

    // Step 2. A chain with less than two vital regions may die; a region beside one holds nobody. What is left is alive.
    let mut alive = [false; CELLS];
    for name in board.points().filter(|&point| board.chain(point) == Some(point)) {
        alive[name.cell()] = board.colour(name) == Some(side);
    }
    loop {
        let mut eyes = [0_u8; CELLS];
        for region in (0..regions.count).filter(|&region| regions.held[region]) {
            for chain in regions.vital[region].into_iter().flatten() {
                eyes[chain.cell()] = eyes[chain.cell()].saturating_add(1);
            }
        }
        let mut changed = false;
        for (alive, &eyes) in alive.iter_mut().zip(&eyes) {
            changed |= *alive && eyes < 2;
            *alive &= eyes >= 2;
        }
        if !alive.contains(&true) {
            return;
        }
        if !changed {
            break;
        }
        for point in board.points() {
            let region = regions.of[point.cell()];
            let beside_dead = || {
                let mut chains = board.neighbours(point).filter(|&near| board.colour(near) == Some(side));
                chains.any(|near| board.chain(near).is_none_or(|chain| !alive[chain.cell()]))
            };
            if region != NOWHERE && beside_dead() {
                regions.held[usize::from(region)] = false;
            }
        }
    }

    // Step 3. What living chains surround is theirs if the opponent has nothing there, or no room for two eyes.
    let mut inner = [0_u8; CELLS];
    let mut visited = [false; CELLS];
    for point in board.points().filter(|point| regions.of[point.cell()] != NOWHERE) {
        let region = usize::from(regions.of[point.cell()]);
        visited[region] |= board.colour(point).is_some();
        let at_wall = board.neighbours(point).any(|near| board.colour(near) == Some(side));
        inner[region] = inner[region].saturating_add(u8::from(!at_wall));
    }
    for point in board.points() {
        let is_safe = match regions.of[point.cell()] {
            NOWHERE => board.chain(point).is_some_and(|chain| alive[chain.cell()]),
            region => {
                let region = usize::from(region);
                regions.held[region] && (!visited[region] || inner[region] < 2)
            }
        };
        if is_safe {
            see(point);
        }
    }
}

impl<const CELLS: usize> Regions<CELLS> {
    fn of(board: &Board<CELLS>, side: Side, suicide: bool) -> Self {
        let mut regions = Regions { of: [NOWHERE; CELLS], count: 0, vital: [[None; 4]; CELLS], held: [true; CELLS] };
        // The points still to be looked at: each is put there once.
        let mut open = [None; CELLS];
        for start in board.points() {
            if board.colour(start) == Some(side) || regions.of[start.cell()] != NOWHERE {
                continue;
            }
            let number = regions.count as u16;
            regions.count += 1;
            regions.of[start.cell()] = number;
            open[0] = Some(start);
            let (mut at, mut end) = (0, 1);
            let mut vital = None;
            while let Some(point) = open[at..end].first().copied().flatten() {
                at += 1;
                let mut touched = [None; 4];
                for (touched, near) in touched.iter_mut().zip(board.neighbours(point)) {
                    if board.colour(near) == Some(side) {
                        *touched = board.chain(near);
                    } else if regions.of[near.cell()] == NOWHERE {
                        regions.of[near.cell()] = number;
                        open[end] = Some(near);
                        end += 1;
                    }
                }
                if suicide || board.colour(point).is_none() {
                    let so_far = vital.unwrap_or(distinct(touched));
                    vital = Some(so_far.map(|chain| chain.filter(|_| touched.contains(&chain))));
                }
            }
            regions.vital[usize::from(number)] = vital.unwrap_or([None; 4]);
        }
        regions
    }
}

/// The same chains, each once.
fn distinct(chains: [Option<Point>; 4]) -> [Option<Point>; 4] {
    std::array::from_fn(|at| chains[at].filter(|_| !chains[..at].contains(&chains[at])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_core::{Position, Rng};
    use tengen_games::go::{Go9, Move, Rules};

    /// A random legal point to play on.
    fn any_point(position: &Go9, rng: &mut Rng, wanted: impl Fn(Point) -> bool) -> Option<Point> {
        let legal = |point: &Point| position.is_legal(*point) && wanted(*point);
        let points: Vec<Point> = position.board().points().filter(legal).collect();
        if points.is_empty() { None } else { Some(points[rng.usize(..points.len())]) }
    }

    #[test]
    fn nobody_takes_what_is_safe_for_ever() {
        let mut safe_stones = 0;
        for seed in 0..300 {
            let mut rng = Rng::with_seed(seed);
            let mut position = Go9::new(5, Rules::ALL[seed as usize % 5], None).expect("a size that fits");
            for _ in 0..rng.usize(20..120) {
                let side = position.to_move();
                let no_eye = |point| !position.board().is_eye_like(point, side);
                position.play(any_point(&position, &mut rng, no_eye).map_or(Move::Pass, Move::At));
                if position.passes() > 1 {
                    break;
                }
            }
            for side in Side::BOTH {
                let mut stones = Vec::new();
                for_each_safe(&position, side, |point| {
                    stones.extend(Some(point).filter(|&point| position.board().colour(point) == Some(side)));
                });
                safe_stones += stones.len();
                // The opponent plays on alone, and takes what he can.
                let mut alone = position.taken_up_by(side.other());
                for _ in 0..200 {
                    let Some(point) = any_point(&alone, &mut rng, |_| true) else { break };
                    alone.play(Move::At(point));
                    alone = alone.taken_up_by(side.other());
                    for &stone in &stones {
                        assert_eq!(alone.board().colour(stone), Some(side), "{stone:?} of {position:?}");
                    }
                }
            }
        }
        assert!(safe_stones > 500, "{safe_stones} safe stones");
    }
}
