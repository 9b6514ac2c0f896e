//! Othello: mobility, corners and what cannot be turned any more. Discs count for nothing until the end.

use tengen_core::{Line, Score};
use tengen_games::othello::{Othello, legal};
use tengen_search::Heuristic;

/// Moves to choose from, empty squares beside the opponent, corners, the squares that give corners away, and discs along
/// the edge that are safe for ever.
#[derive(Clone, Copy, Default, Debug)]
pub struct Mobility;

/// The squares of one board size, worked out when the program is compiled.
struct Squares<const N: usize>;

impl<const N: usize> Squares<N> {
    const LEFT: u64 = {
        let (mut set, mut row) = (0, 0);
        while row < N {
            set |= 1 << (row * N);
            row += 1;
        }
        set
    };
    const RIGHT: u64 = Self::LEFT << (N - 1);
    const CORNERS: [u32; 4] = [0, N as u32 - 1, (N * (N - 1)) as u32, (N * N - 1) as u32];

    /// The set and all its neighbours in eight directions.
    fn spread(set: u64) -> u64 {
        let wide = set | (set & !Self::LEFT) >> 1 | (set & !Self::RIGHT) << 1;
        (wide | wide >> N | wide << N) & Othello::<N>::BOARD
    }
}

/// The terms of the side `own` against `other`.
fn terms<const N: usize>(own: u64, other: u64) -> Score {
    let empty = Othello::<N>::BOARD & !(own | other);
    let moves = legal::<N>(own, other).count_ones() as Score;
    let frontier = (Squares::<N>::spread(other) & empty).count_ones() as Score;
    let mut corners = 0;
    let mut safe = 0;
    for (index, &corner) in Squares::<N>::CORNERS.iter().enumerate() {
        let bit = 1u64 << corner;
        // Steps along the two edges that meet in this corner, and the square diagonally inside.
        let across: i32 = if index % 2 == 0 { 1 } else { -1 };
        let down: i32 = if index < 2 { N as i32 } else { -(N as i32) };
        if own & bit != 0 {
            corners += 1;
            for step in [across, down] {
                let mut square = corner as i32;
                for _ in 1..N {
                    square += step;
                    if own >> square & 1 == 0 {
                        break;
                    }
                    safe += 1;
                }
            }
        } else if empty & bit != 0 {
            let beside = |step: i32| (own >> (corner as i32 + step) & 1) as Score;
            // Next to an empty corner a disc helps the opponent into it.
            corners -= beside(across + down);
            safe -= beside(across) + beside(down);
        }
    }
    9 * moves + 3 * frontier + 90 * corners + 25 * safe
}

impl<const N: usize> Heuristic<Othello<N>> for Mobility {
    fn score(&mut self, line: &Line<Othello<N>>) -> Score {
        let position = line.position();
        let (own, other) = (position.mover(), position.other());
        terms::<N>(own, other) - terms::<N>(other, own)
    }
}
