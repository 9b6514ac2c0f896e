//! Connect Four as a network sees it.

use crate::shape::bits;
use crate::{Encoder, EncoderId, Input, Policy, Shape, Turned};
use tengen_core::{Line, Symmetry};
use tengen_games::connect4::{Connect4, HEIGHT, WIDTH, column_squares};

/// The own discs, the other's, and where a disc can land. A move is the square where its disc lands, so that a network needs
/// nothing but convolutions to say it.
#[derive(Clone, Copy, Debug)]
pub struct Connect4Planes;

const COLUMNS: usize = WIDTH as usize;
const ROWS: usize = HEIGHT as usize;

/// The point of a square: a column is seven bits, from the bottom.
fn point(square: usize) -> usize {
    let (column, row) = (square / (ROWS + 1), square % (ROWS + 1));
    (ROWS - 1 - row) * COLUMNS + column
}

impl Encoder<Connect4> for Connect4Planes {
    fn id(&self) -> EncoderId {
        EncoderId("connect4-1")
    }

    fn shape(&self, _: &Connect4) -> Shape {
        Shape { planes: 3, height: ROWS, width: COLUMNS, globals: 0, policy: Policy { maps: 1, extra: 0 } }
    }

    fn encode(&self, line: &Line<Connect4>, out: &mut Input<'_>) {
        let position = line.position();
        let mut planes = out.clear(&self.shape(position));
        planes.mark_all(0, position.mover(), point);
        planes.mark_all(1, position.mover() ^ position.mask(), point);
        planes.mark_all(2, position.playable(), point);
    }

    fn index(&self, position: &Connect4, mv: u8) -> usize {
        // A legal move has a square to land on.
        bits(position.playable() & column_squares(mv)).map(point).sum()
    }

    fn turned(&self, position: &Connect4, which: usize) -> Turned {
        let column = |point: usize| usize::from(position.transformed_move((point % COLUMNS) as u8, which));
        Turned::of_board(&self.shape(position), |point| point / COLUMNS * COLUMNS + column(point), |map| map)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exam::{Exam, Used};
    use crate::{Encoded, Encoder};
    use tengen_core::Notation;

    #[test]
    fn sits_the_exam() {
        let used = Exam::new(&Connect4Planes, Connect4::new()).sit();
        assert_eq!(used, Used::all(&Connect4Planes.shape(&Connect4::new())));
    }

    #[test]
    fn discs_stand_as_they_are_drawn() {
        let position = Connect4::read("445").expect("three moves");
        let encoded = Encoded::of(&Connect4Planes, &Line::new(position));
        let of = |plane: usize| -> Vec<(usize, usize)> {
            let marked = (0..42).filter(|point| encoded.planes[plane * 42 + point] == 1.0);
            marked.map(|point| (point % 7, point / 7)).collect()
        };
        assert_eq!(of(0), [(3, 4)]);
        assert_eq!(of(1), [(3, 5), (4, 5)]);
        assert_eq!(of(2), [(3, 3), (4, 4), (0, 5), (1, 5), (2, 5), (5, 5), (6, 5)]);
        assert_eq!(Connect4Planes.index(&position, 3), 3 * 7 + 3);
    }
}
