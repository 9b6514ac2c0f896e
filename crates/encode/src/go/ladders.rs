//! Ladders: chains with one or two liberties that cannot get away, whatever their side does.
//!
//! Where several moves are as good to try, all are looked at, also when the answer is known already. So how much there is to read does not
//! depend on the order of the points, and a ladder that is too long to read is too long however the board is turned.

use tengen_core::{Position, Side};
use tengen_games::go::{Go, Move, Point};

/// Moves looked at for one chain before it is taken as free: enough for the longest ladder across a 19x19 board.
const MOST_MOVES: u32 = 250;

/// How often a chain may run; it keeps the reading from filling the stack.
const MOST_RUNS: u32 = 60;

/// A chain that is caught.
pub(super) struct Ladder {
    /// The name of the chain.
    pub chain: Point,
    liberties: [Option<Point>; 2],
}

impl Ladder {
    /// Where its opponent plays to catch it, if it has two liberties yet.
    pub fn catching(&self) -> impl Iterator<Item = Point> {
        self.liberties.into_iter().flatten()
    }
}

/// Shows every caught chain: one in atari that cannot run though it is its turn, and one with two liberties that its opponent can attack.
pub(super) fn for_each_ladder<const CELLS: usize>(position: &Go<CELLS>, mut see: impl FnMut(Ladder)) {
    let board = position.board();
    for point in board.points().filter(|&point| board.chain(point) == Some(point)) {
        let Some(side) = board.colour(point) else { continue };
        let mut reader = Reader { side, stone: point, left: MOST_MOVES, lost: false };
        let liberties = match Liberties::of(position, point) {
            Liberties::One => {
                let caught = reader.is_caught(&position.taken_up_by(side), 0);
                if !caught || reader.lost {
                    continue;
                }
                [None; 2]
            }
            Liberties::Two(liberties) => {
                let catches = reader.attack(&position.taken_up_by(side.other()), liberties, 0);
                if catches == [false, false] || reader.lost {
                    continue;
                }
                let mut catching = catches.into_iter().zip(liberties).map(|(catches, point)| catches.then_some(point));
                std::array::from_fn(|_| catching.next().flatten())
            }
            Liberties::None | Liberties::Many => continue,
        };
        see(Ladder { chain: point, liberties });
    }
}

/// How many liberties a chain has.
enum Liberties {
    None,
    One,
    Two([Point; 2]),
    Many,
}

impl Liberties {
    fn of<const CELLS: usize>(position: &Go<CELLS>, stone: Point) -> Self {
        let mut liberties = position.board().liberties(stone);
        match (liberties.next(), liberties.next(), liberties.next()) {
            (None, ..) => Liberties::None,
            (Some(_), None, _) => Liberties::One,
            (Some(one), Some(two), None) => Liberties::Two([one, two]),
            _ => Liberties::Many,
        }
    }
}

/// Reads out whether one chain can be caught.
struct Reader {
    side: Side,
    stone: Point,
    /// Moves that may still be looked at.
    left: u32,
    /// Whether there was more to read than that: then no answer means anything.
    lost: bool,
}

impl Reader {
    /// Whether the chain, in atari with its side to move, cannot get away.
    fn is_caught<const CELLS: usize>(&mut self, position: &Go<CELLS>, runs: u32) -> bool {
        if runs == MOST_RUNS {
            self.lost = true;
        }
        // Step 1. It runs.
        let board = position.board();
        let run = board.last_liberty(self.stone);
        if run.is_some_and(|to| self.runs_free(position, to, None) || self.gets_away(position, to, runs)) {
            return false;
        }

        // Step 2. It takes a chain that holds it and is in atari itself. Which one first is a matter of chance, so all are looked at.
        let mut exits = [None; 16];
        let mut count = 0;
        let other = self.side.other();
        let around = board.chain_stones(self.stone).flat_map(|stone| board.neighbours(stone));
        let holding = around.filter(|&near| board.colour(near) == Some(other));
        for exit in holding.map(|near| board.last_liberty(near)).filter(|&exit| exit.is_some() && exit != run) {
            if exits[..count].contains(&exit) {
                continue;
            }
            if count == exits.len() {
                // A chain that can take in so many places is not caught.
                return false;
            }
            exits[count] = exit;
            count += 1;
        }
        exits.into_iter().flatten().fold(true, |caught, exit| caught & !self.gets_away(position, exit, runs))
    }

    /// Whether the chain gets away when its side plays here.
    fn gets_away<const CELLS: usize>(&mut self, position: &Go<CELLS>, point: Point, runs: u32) -> bool {
        self.after(position, point).is_some_and(|next| match Liberties::of(&next, self.stone) {
            Liberties::None | Liberties::One => false,
            Liberties::Two(liberties) => self.attack(&next, liberties, runs + 1) == [false, false],
            Liberties::Many => true,
        })
    }

    /// On which of its two liberties the opponent, who is to move, can play to catch the chain. Where suicide is allowed, his move may leave the
    /// chain with more room than before.
    fn attack<const CELLS: usize>(&mut self, position: &Go<CELLS>, liberties: [Point; 2], runs: u32) -> [bool; 2] {
        let [one, two] = liberties;
        [[one, two], [two, one]].map(|[played, left]| {
            !self.runs_free(position, left, Some(played))
                && self
                    .after(position, played)
                    .is_some_and(|next| next.board().is_atari(self.stone) && self.is_caught(&next, runs))
        })
    }

    /// Whether the chain is sure to have three liberties after a run to this point, once its opponent has played on another one. Most chains have,
    /// and to see it no move need be played.
    fn runs_free<const CELLS: usize>(&self, position: &Go<CELLS>, to: Point, played: Option<Point>) -> bool {
        let board = position.board();
        let chain = board.chain(self.stone);
        let mut found = [None; 3];
        let mut count = 0;
        let mut add = |liberty: Point| {
            if Some(liberty) != played && liberty != to && !found[..count].contains(&Some(liberty)) {
                found[count] = Some(liberty);
                count += 1;
            }
            count == found.len()
        };
        board.neighbours(to).any(|near| match board.colour(near) {
            None => add(near),
            Some(side) if side == self.side && board.chain(near) != chain => board.liberties(near).any(&mut add),
            Some(_) => false,
        })
    }

    /// The position after a move, if it is legal and there is any left to look at.
    fn after<const CELLS: usize>(&mut self, position: &Go<CELLS>, point: Point) -> Option<Go<CELLS>> {
        if self.lost || !position.is_legal(point) {
            return None;
        }
        self.lost = self.left == 0;
        self.left = self.left.saturating_sub(1);
        let mut next = position.clone();
        next.play(Move::At(point));
        Some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_core::{Rng, Turn};
    use tengen_games::go::{Go9, Rules};

    /// Whether the chain, in atari with its side to move, is caught, by trying everything; `None` if that takes too long.
    fn plainly_caught(position: &Go9, stone: Point, left: &mut u32) -> Option<bool> {
        let board = position.board();
        let other = position.to_move().other();
        let holding = board.points().filter(|&at| {
            let beside = board.chain_stones(stone).any(|own| board.neighbours(own).any(|near| near == at));
            beside && board.colour(at) == Some(other) && board.liberty_count(at) == 1
        });
        let exits: Vec<Point> = holding.chain([stone]).flat_map(|chain| board.liberties(chain)).collect();
        for exit in exits.into_iter().filter(|&exit| position.is_legal(exit)) {
            *left = left.checked_sub(1)?;
            let mut next = position.clone();
            next.play(Move::At(exit));
            let away = match next.board().liberty_count(stone) {
                0 | 1 => false,
                2 => !plainly_attacked(&next, stone, left)?.into_iter().any(|catches| catches),
                _ => true,
            };
            if away {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Which liberties of the chain its opponent, who is to move, can play on to catch it.
    fn plainly_attacked(position: &Go9, stone: Point, left: &mut u32) -> Option<Vec<bool>> {
        let attack = |liberty| {
            if !position.is_legal(liberty) {
                return Some(false);
            }
            *left = left.checked_sub(1)?;
            let mut next = position.clone();
            next.play(Move::At(liberty));
            if next.board().liberty_count(stone) == 1 { plainly_caught(&next, stone, left) } else { Some(false) }
        };
        position.board().liberties(stone).map(attack).collect()
    }

    #[test]
    fn ladders_are_what_trying_everything_finds() {
        let mut moves = Vec::new();
        let (mut caught, mut free, mut long) = (0, 0, 0);
        for seed in 0..60 {
            let mut rng = Rng::with_seed(seed);
            let mut position = Go9::new(9, Rules::ALL[seed as usize % 5], None).expect("a size that fits");
            for _ in 0..rng.usize(10..90) {
                if matches!(position.turn(&mut moves), Turn::Over(_)) {
                    break;
                }
                position.play(moves[rng.usize(..moves.len())]);
            }
            let mut found = Vec::new();
            for_each_ladder(&position, |ladder| found.push((ladder.chain, ladder.catching().collect::<Vec<_>>())));
            let board = position.board();
            for chain in board.points().filter(|&point| board.chain(point) == Some(point)) {
                let Some(side) = board.colour(chain) else { continue };
                let mut left = 20_000;
                let expected = match board.liberty_count(chain) {
                    1 => plainly_caught(&position.taken_up_by(side), chain, &mut left)
                        .map(|caught| caught.then_some(vec![])),
                    2 => plainly_attacked(&position.taken_up_by(side.other()), chain, &mut left).map(|catches| {
                        let points = board.liberties(chain).zip(catches).filter(|&(_, catches)| catches);
                        Some(points.map(|(point, _)| point).collect::<Vec<_>>()).filter(|points| !points.is_empty())
                    }),
                    _ => Some(None),
                };
                let shown = found.iter().find(|(name, _)| *name == chain).map(|(_, catching)| catching.clone());
                match expected {
                    // Long ladders are taken as broken.
                    None => long += 1,
                    Some(Some(_)) if shown.is_none() => long += 1,
                    Some(expected) => {
                        assert_eq!(shown, expected, "{} in {position:?}", position.point_name(chain));
                        *(if expected.is_some() { &mut caught } else { &mut free }) += 1;
                    }
                }
            }
        }
        assert!(caught > 100 && free > 300 && long < 20, "{caught} caught, {free} free, {long} too long");
    }
}
