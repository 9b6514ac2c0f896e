//! Where games on large boards begin: empty corners first, then approaches and enclosures, then open sides.
//!
//! Simulations say little about the first moves on 19x19, for every one of them is followed by hundreds of others. What every player
//! learns in the first lesson is told instead.

use crate::field::{EMPTY, Field};

/// Boards below this size are one fight from the start.
pub const SMALLEST: usize = 13;
/// How far a stone makes a side its own.
const REACH: usize = 4;
/// Lines that count as the side.
const DEPTH: usize = 5;

/// A corner of the board.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Corner {
    Empty,
    /// One stone, on these lines.
    Begun(usize, usize),
    Busy,
}

/// What is open yet.
pub struct Opening {
    size: usize,
    corners: [Corner; 4],
    /// For each side (left, right, top, bottom) the places along it that have no stone near; no board is longer.
    sides: [[bool; 25]; 4],
}

impl Opening {
    /// What is open in this position; nothing where the opening is over.
    pub fn of<const CELLS: usize, const WORDS: usize>(field: &Field<CELLS, WORDS>) -> Option<Self> {
        let size = field.size();
        let stones = size * size - field.empty_count();
        if size < SMALLEST || stones > size * size / 6 {
            return None;
        }
        let has_stone = |column, row| field.colour(Field::<CELLS, WORDS>::cell_at(column, row)) != EMPTY;
        // Step 1. Corners.
        let wide = size / 3;
        let mut corners = [Corner::Empty; 4];
        for (number, corner) in corners.iter_mut().enumerate() {
            for (x, y) in (0..wide).flat_map(|x| (0..wide).map(move |y| (x, y))) {
                let column = if number & 1 == 0 { x } else { size - 1 - x };
                let row = if number & 2 == 0 { y } else { size - 1 - y };
                if has_stone(column, row) {
                    *corner = if *corner == Corner::Empty { Corner::Begun(x + 1, y + 1) } else { Corner::Busy };
                }
            }
        }
        // Step 2. Sides.
        let mut sides = [[true; 25]; 4];
        for (number, side) in sides.iter_mut().enumerate() {
            for along in 0..size {
                let taken = (0..DEPTH).any(|deep| {
                    let deep = if number & 1 == 0 { deep } else { size - 1 - deep };
                    if number & 2 == 0 { has_stone(deep, along) } else { has_stone(along, deep) }
                });
                if taken {
                    side[along.saturating_sub(REACH)..(along + REACH + 1).min(size)].fill(false);
                }
            }
        }
        Some(Opening { size, corners, sides })
    }

    /// How good a point is to begin with, from 0 to 1.
    pub fn worth(&self, column: usize, row: usize) -> f32 {
        let far = self.size - 1;
        let (right, bottom) = (column > far / 2, row > far / 2);
        let x = 1 + if right { far - column } else { column };
        let y = 1 + if bottom { far - row } else { row };
        let (low, high) = (x.min(y), x.max(y));
        if !(3..=5).contains(&low) {
            return 0.0;
        }
        let in_corner = match self.corners[usize::from(right) + 2 * usize::from(bottom)] {
            Corner::Empty => match (low, high) {
                (4, 4) | (3, 4) => 1.0,
                (3, 3) => 0.7,
                (3, 5) => 0.6,
                (4, 5) => 0.5,
                _ => 0.0,
            },
            Corner::Begun(a, b) if low < 5 && high > a.max(b) => {
                let (across, along) = (x.abs_diff(a), y.abs_diff(b));
                match (across.min(along), across.max(along)) {
                    (1, 2) => 0.7,
                    (0, 2) | (1, 3) => 0.5,
                    (0, 3) => 0.3,
                    _ => 0.0,
                }
            }
            _ => 0.0,
        };
        if in_corner > 0.0 || low > 4 || high <= self.size / 3 {
            return in_corner;
        }
        let is_open =
            if x < y { self.sides[usize::from(right)][row] } else { self.sides[2 + usize::from(bottom)][column] };
        if is_open { 0.4 } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worth(stones: &[(usize, usize)], column: usize, row: usize) -> f32 {
        let mut field = Field::<421, 7>::new(19, false);
        stones.iter().for_each(|&(column, row)| field.play(Field::<421, 7>::cell_at(column, row)));
        Opening::of(&field).map_or(0.0, |opening| opening.worth(column, row))
    }

    #[test]
    fn corners_come_first_then_approaches_then_sides() {
        assert_eq!([worth(&[], 3, 3), worth(&[], 15, 2), worth(&[], 9, 9), worth(&[], 0, 0)], [1.0, 1.0, 0.0, 0.0]);
        // A stone at D16 (4-4) is approached at F17, not entered; the other corners are as they were.
        let begun = [(3, 3)];
        assert_eq!([worth(&begun, 5, 2), worth(&begun, 2, 5), worth(&begun, 3, 2)], [0.7, 0.7, 0.0]);
        assert_eq!(worth(&begun, 15, 15), 1.0);
        // The side between two corners, until somebody has a stone there.
        assert_eq!([worth(&begun, 9, 3), worth(&[(3, 3), (10, 2)], 9, 3)], [0.4, 0.0]);
    }

    #[test]
    fn small_boards_have_no_opening() {
        assert!(Opening::of(&Field::<111, 2>::new(9, false)).is_none());
    }
}
