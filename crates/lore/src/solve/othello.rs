//! Othello endgames, counted out to the last disc.
//!
//! Alpha-beta with a null window behind the first move. Far from the end, moves after which the opponent has few
//! replies come first, and a table remembers; on the last squares, moves into regions with an odd number of empty squares come
//! first, for whoever enters such a region also has its last word. A score is the side to move's discs less the other's
//! when the game is over; squares that stay empty belong to nobody.

use super::{Leash, unleashed};
use tengen_core::{Position, Turn, mix};
use tengen_games::othello::{Othello, flips, legal};

/// With so many empty squares or fewer there is no table and no ordering but parity.
const SHALLOW: u32 = 6;

/// Beyond every score.
const INFINITE: i32 = 100;

/// Solves endgames exactly, and remembers what it proved from one to the next.
pub struct Solver<const N: usize> {
    table: Vec<Entry>,
    nodes: u64,
}

/// What is proven of a position.
#[derive(Clone, Copy)]
struct Entry {
    mover: u64,
    other: u64,
    low: i8,
    high: i8,
    /// The best move known.
    best: u8,
}

impl<const N: usize> Solver<N> {
    /// A solver whose table takes at most so many bytes.
    pub fn new(table_bytes: usize) -> Self {
        let entries = 1usize << (table_bytes / size_of::<Entry>()).max(1).ilog2();
        let empty = Entry { mover: 0, other: 0, low: 0, high: 0, best: 0 };
        Solver { table: vec![empty; entries], nodes: 0 }
    }

    /// Positions searched so far, in all solutions together.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The score of a position for the side to move.
    pub fn solve(&mut self, position: &Othello<N>) -> i32 {
        unleashed(|leash| self.solve_on(position, leash))
    }

    /// The same, or `None` if the leash is pulled first.
    pub fn solve_on(&mut self, position: &Othello<N>, leash: &mut Leash<'_>) -> Option<i32> {
        self.search(position.mover(), position.other(), -INFINITE, INFINITE, leash)
    }

    /// The score of every legal move, for the side that makes it.
    pub fn analyse(&mut self, position: &Othello<N>) -> Vec<(u8, i32)> {
        unleashed(|leash| self.analyse_on(position, leash))
    }

    /// The same, or `None` if the leash is pulled first.
    pub fn analyse_on(&mut self, position: &Othello<N>, leash: &mut Leash<'_>) -> Option<Vec<(u8, i32)>> {
        let mut moves = Vec::new();
        if !matches!(position.turn(&mut moves), Turn::Decision(_)) {
            return Some(Vec::new());
        }
        let score = |mv| {
            let mut next = *position;
            next.play(mv);
            self.solve_on(&next, leash).map(|score| (mv, -score))
        };
        moves.into_iter().map(score).collect()
    }

    /// Fail-soft: a result ≤ alpha is an upper bound, ≥ beta a lower bound, between them exact.
    fn search(&mut self, mover: u64, other: u64, mut alpha: i32, mut beta: i32, leash: &mut Leash<'_>) -> Option<i32> {
        let empty = Othello::<N>::BOARD & !(mover | other);
        if empty.count_ones() <= SHALLOW {
            return Some(self.shallow(mover, other, alpha, beta, false));
        }
        self.nodes += 1;
        leash.tick(self.nodes)?;

        // Step 1. What the table knows.
        let slot = mix(mover ^ mix(other)) as usize & (self.table.len() - 1);
        let known = Some(self.table[slot]).filter(|entry| entry.mover == mover && entry.other == other);
        if let Some(entry) = known {
            let (low, high) = (i32::from(entry.low), i32::from(entry.high));
            if low >= beta || low == high {
                return Some(low);
            }
            if high <= alpha {
                return Some(high);
            }
            alpha = alpha.max(low);
            beta = beta.min(high);
        }

        // Step 2. Passing, or the end.
        let mut places = legal::<N>(mover, other);
        if places == 0 {
            return if legal::<N>(other, mover) == 0 {
                Some(difference(mover, other))
            } else {
                self.search(other, mover, -beta, -alpha, leash).map(|score| -score)
            };
        }

        // Step 3. The fewer replies the better: sort by what the opponent can do, corners counting double.
        let mut moves = [(0i32, 0u8, 0u64); 60];
        let mut count = 0;
        let table_move = known.map(|entry| entry.best);
        while places != 0 {
            let square = places.trailing_zeros() as u8;
            places &= places - 1;
            let turned = flips::<N>(square, mover, other);
            let replies = legal::<N>(other & !turned, mover | turned | 1 << square);
            let mut order = replies.count_ones() as i32 + (replies & Self::CORNERS).count_ones() as i32;
            order = 4 * order - i32::from(Self::odd(empty, square)) - 4 * i32::from(Self::CORNERS >> square & 1 == 1);
            if table_move == Some(square) {
                order = i32::MIN;
            }
            // There are never more than 60 empty squares, and no more moves than those.
            moves[count] = (order, square, turned);
            count += 1;
        }
        let moves = &mut moves[..count];
        moves.sort_unstable_by_key(|&(order, square, _)| (order, square));

        // Step 4. The first move with the full window, the others with a question.
        let (mut best, mut best_move, window) = (-INFINITE, 0, (alpha, beta));
        for (index, &(_, square, turned)) in moves.iter().enumerate() {
            let (next_mover, next_other) = (other & !turned, mover | turned | 1 << square);
            let mut score = if index == 0 {
                -self.search(next_mover, next_other, -beta, -alpha, leash)?
            } else {
                -self.search(next_mover, next_other, -alpha - 1, -alpha, leash)?
            };
            if index > 0 && score > alpha && score < beta {
                score = -self.search(next_mover, next_other, -beta, -score, leash)?;
            }
            if score > best {
                (best, best_move) = (score, square);
                alpha = alpha.max(score);
                if alpha >= beta {
                    break;
                }
            }
        }

        // Step 5. Remember, together with what was proven before.
        let (mut low, mut high) = known.map_or((-64, 64), |entry| (entry.low, entry.high));
        if best > window.0 {
            low = low.max(best as i8);
        }
        if best < window.1 {
            high = high.min(best as i8);
        }
        self.table[slot] = Entry { mover, other, low, high, best: best_move };
        Some(best)
    }

    /// The last squares: every empty one is tried, odd regions first.
    fn shallow(&mut self, mover: u64, other: u64, mut alpha: i32, beta: i32, passed: bool) -> i32 {
        self.nodes += 1;
        let empty = Othello::<N>::BOARD & !(mover | other);
        let mut best = -INFINITE;
        let odd = Self::odd_squares(empty);
        for part in [empty & odd, empty & !odd] {
            let mut squares = part;
            while squares != 0 {
                let square = squares.trailing_zeros() as u8;
                squares &= squares - 1;
                let turned = flips::<N>(square, mover, other);
                if turned == 0 {
                    continue;
                }
                let score = -self.shallow(other & !turned, mover | turned | 1 << square, -beta, -alpha, false);
                if score > best {
                    best = score;
                    alpha = alpha.max(score);
                    if alpha >= beta {
                        return best;
                    }
                }
            }
        }
        if best > -INFINITE {
            best
        } else if passed || empty == 0 {
            difference(mover, other)
        } else {
            -self.shallow(other, mover, -beta, -alpha, true)
        }
    }

    /// The four corners.
    const CORNERS: u64 = 1 | 1 << (N - 1) | 1 << (N * (N - 1)) | 1 << (N * N - 1);

    /// The four quarters of the board: a simple stand-in for regions.
    const QUARTERS: [u64; 4] = {
        let mut quarters = [0u64; 4];
        let mut square = 0;
        while square < N * N {
            quarters[square / N / (N / 2) * 2 + square % N / (N / 2)] |= 1 << square;
            square += 1;
        }
        quarters
    };

    /// All squares of the quarters with an odd number of empty squares.
    #[inline]
    fn odd_squares(empty: u64) -> u64 {
        Self::QUARTERS.iter().fold(
            0,
            |odd, quarter| {
                if (empty & quarter).count_ones() % 2 == 1 { odd | quarter } else { odd }
            },
        )
    }

    #[inline]
    fn odd(empty: u64, square: u8) -> bool {
        Self::odd_squares(empty) >> square & 1 == 1
    }
}

#[inline]
fn difference(mover: u64, other: u64) -> i32 {
    mover.count_ones() as i32 - other.count_ones() as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_core::Rng;
    use tengen_games::othello::{Othello6, Othello8};

    /// A random position with so many empty squares, not at its end.
    fn late<const N: usize>(empties: u32, seed: u64) -> Option<Othello<N>> {
        let mut rng = Rng::with_seed(seed);
        let mut position = Othello::<N>::new();
        let mut moves = Vec::new();
        while let Turn::Decision(_) = position.turn(&mut moves) {
            if position.empties().count_ones() <= empties {
                return Some(position);
            }
            position.play(moves[rng.usize(..moves.len())]);
        }
        None
    }

    /// Plain negamax through the rules.
    fn plain<const N: usize>(position: &Othello<N>) -> i32 {
        let mut moves = Vec::new();
        match position.turn(&mut moves) {
            Turn::Decision(_) => {
                let after = |mv| {
                    let mut next = *position;
                    next.play(mv);
                    -plain(&next)
                };
                moves.into_iter().map(after).max().unwrap_or(0)
            }
            _ => position.lead(position.to_move()),
        }
    }

    #[test]
    fn equals_plain_search() {
        let mut large = Solver::<8>::new(1 << 20);
        let mut small = Solver::<6>::new(1 << 20);
        for seed in 0..60 {
            if let Some(position) = late::<8>(8, seed) {
                assert_eq!(large.solve(&position), plain(&position), "{position:?}");
                for (mv, score) in large.analyse(&position) {
                    let mut next: Othello8 = position;
                    next.play(mv);
                    assert_eq!(score, -plain(&next));
                }
            }
            if let Some(position) = late::<6>(8, seed) {
                let position: Othello6 = position;
                assert_eq!(small.solve(&position), plain(&position), "{position:?}");
            }
        }
    }

    /// The published result: Black to move loses by eight discs.
    #[test]
    fn four_by_four() {
        assert_eq!(Solver::<4>::new(1 << 20).solve(&Othello::<4>::new()), -8);
    }
}
