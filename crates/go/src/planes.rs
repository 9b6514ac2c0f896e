//! A position as the network sees it: for every point, which of these things are true of it.

use crate::features::View;
use crate::field::{Cell, EMPTY, Field};
use tengen_net::Board;

/// How many things there are.
pub const PLANES: usize = 24;

const ON_BOARD: usize = 0;
const OWN: usize = 1;
const OTHER: usize = 2;
/// One, two or three liberties.
const LIBERTIES: usize = 3;
const KO: usize = 6;
const LAST: usize = 7;
const LAST_BUT_ONE: usize = 8;
/// A move for the side to move that is legal and fills no own eye.
const WORTH: usize = 9;
/// Self-atari with one stone, with two or three, with more.
const SELF_ATARI: usize = 10;
/// What a move does to chains: the flags of [`features`](crate::features).
const FLAGS: usize = 13;

/// Fills in the planes of a position, which are zero.
pub fn fill<const CELLS: usize, const WORDS: usize>(
    field: &Field<CELLS, WORDS>,
    board: Board,
    planes: &mut [[f32; PLANES]],
) {
    let own = field.to_move();
    let view = View::new(field, true);
    let place = |cell: Cell| {
        let (column, row) = Field::<CELLS, WORDS>::coordinates(cell);
        board.cell(column, row)
    };
    for (at, to) in board.points().enumerate() {
        let cell = Field::<CELLS, WORDS>::cell_at(at % board.size(), at / board.size());
        let plane = &mut planes[to];
        plane[ON_BOARD] = 1.0;
        let colour = field.colour(cell);
        if colour != EMPTY {
            plane[if colour == own { OWN } else { OTHER }] = 1.0;
            if let liberties @ 1..=3 = field.liberty_count(cell) {
                plane[LIBERTIES + liberties - 1] = 1.0;
            }
            continue;
        }
        for flag in 0..PLANES - FLAGS {
            plane[FLAGS + flag] = f32::from(view.flags[cell] >> flag & 1);
        }
        if view.is_worth(cell) {
            plane[WORTH] = 1.0;
            match field.self_atari(cell, own) {
                0 => {}
                1 => plane[SELF_ATARI] = 1.0,
                2 | 3 => plane[SELF_ATARI + 1] = 1.0,
                _ => plane[SELF_ATARI + 2] = 1.0,
            }
        }
    }
    for (plane, cell) in [(KO, field.ko()), (LAST, field.last()), (LAST_BUT_ONE, field.last_but_one())] {
        if cell != 0 {
            planes[place(cell)][plane] = 1.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_core::Rng;

    type Thirteen = Field<211, 4>;

    /// A point of the board turned in one of eight ways.
    fn turned(mut column: usize, mut row: usize, way: usize) -> (usize, usize) {
        if way & 1 != 0 {
            column = 12 - column;
        }
        if way & 2 != 0 {
            row = 12 - row;
        }
        if way & 4 != 0 { (row, column) } else { (column, row) }
    }

    #[test]
    fn a_position_looks_the_same_however_the_board_is_turned() {
        let board = Board::new(13);
        let mut rng = Rng::with_seed(3);
        let mut seen = [false; PLANES];
        // How far a ladder is read before it is taken as broken depends on the order of its points.
        const LADDERS: [usize; 3] = [FLAGS + 4, FLAGS + 5, FLAGS + 7];
        for _ in 0..200 {
            let mut fields: [Thirteen; 8] = std::array::from_fn(|_| Thirteen::new(13, false));
            for _ in 0..rng.usize(0..400) {
                let cell = fields[0].empty_at(rng.usize(0..fields[0].empty_count()));
                if fields[0].is_legal(cell) {
                    let (column, row) = Thirteen::coordinates(cell);
                    for (way, field) in fields.iter_mut().enumerate() {
                        let (column, row) = turned(column, row, way);
                        field.play(Thirteen::cell_at(column, row));
                    }
                }
            }
            let looks = fields.map(|field| {
                let mut planes = vec![[0.0; PLANES]; board.cells()];
                fill(&field, board, &mut planes);
                planes
            });
            for at in 0..169 {
                let (column, row) = (at % 13, at / 13);
                let expected = looks[0][board.cell(column, row)];
                expected.iter().zip(&mut seen).for_each(|(&number, seen)| *seen |= number == 1.0);
                for (way, look) in looks.iter().enumerate() {
                    let (column, row) = turned(column, row, way);
                    let mut found = look[board.cell(column, row)];
                    LADDERS.iter().for_each(|&plane| found[plane] = expected[plane]);
                    assert_eq!(found, expected, "way {way}, point {at}");
                }
            }
        }
        assert_eq!(seen, [true; PLANES], "every plane is of use");
    }

    #[test]
    fn stones_liberties_and_the_last_moves_are_where_they_belong() {
        let board = Board::new(13);
        let mut field = Thirteen::new(13, false);
        for (column, row) in [(0, 0), (1, 0), (12, 12), (6, 6)] {
            field.play(Thirteen::cell_at(column, row));
        }
        let mut planes = vec![[0.0; PLANES]; board.cells()];
        fill(&field, board, &mut planes);
        let of = |plane: usize| -> Vec<(usize, usize)> {
            let points = (0..169).map(|at| (at % 13, at / 13));
            points.filter(|&(column, row)| planes[board.cell(column, row)][plane] == 1.0).collect()
        };
        // Black is to move, and stands in atari in the corner.
        assert_eq!(of(OWN), [(0, 0), (12, 12)]);
        assert_eq!(of(OTHER), [(1, 0), (6, 6)]);
        assert_eq!(of(LIBERTIES), [(0, 0)]);
        assert_eq!(of(LIBERTIES + 1), [(1, 0), (12, 12)]);
        assert_eq!((of(LAST), of(LAST_BUT_ONE)), (vec![(6, 6)], vec![(12, 12)]));
        assert_eq!((of(ON_BOARD).len(), of(WORTH).len(), of(KO).len()), (169, 165, 0));
        assert_eq!(planes.iter().filter(|plane| **plane != [0.0; PLANES]).count(), 169);
    }
}
