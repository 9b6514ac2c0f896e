//! Tic-tac-toe as a network sees it.

use crate::{Encoder, EncoderId, Input, Policy, Shape, Turned};
use tengen_core::{Line, Position, Symmetry};
use tengen_games::tictactoe::TicTacToe;

/// The own marks and the other's; a move is its square.
#[derive(Clone, Copy, Debug)]
pub struct TicTacToePlanes;

/// The point of a square, and the square of a point: squares are numbered from the bottom row.
fn flipped(square: usize) -> usize {
    (2 - square / 3) * 3 + square % 3
}

impl Encoder<TicTacToe> for TicTacToePlanes {
    fn id(&self) -> EncoderId {
        EncoderId("tictactoe-1")
    }

    fn shape(&self, _: &TicTacToe) -> Shape {
        Shape { planes: 2, height: 3, width: 3, globals: 0, policy: Policy { maps: 1, extra: 0 } }
    }

    fn encode(&self, line: &Line<TicTacToe>, out: &mut Input<'_>) {
        let position = line.position();
        let mut planes = out.clear(&self.shape(position));
        let own = position.to_move();
        planes.mark_all(0, position.marks(own).into(), flipped);
        planes.mark_all(1, position.marks(own.other()).into(), flipped);
    }

    fn index(&self, _: &TicTacToe, mv: u8) -> usize {
        flipped(mv.into())
    }

    fn turned(&self, position: &TicTacToe, which: usize) -> Turned {
        let turned = |point| flipped(position.transformed_move(flipped(point) as u8, which).into());
        Turned::of_board(&self.shape(position), turned, |map| map)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exam::Exam;
    use crate::{Encoded, exam};
    use tengen_core::Notation;

    #[test]
    fn sits_the_exam() {
        let used = Exam::new(&TicTacToePlanes, TicTacToe::new()).sit();
        assert_eq!(used, exam::Used::all(&TicTacToePlanes.shape(&TicTacToe::new())));
    }

    #[test]
    fn the_side_to_move_comes_first() {
        let line = Line::new(TicTacToe::read("X.O/.X./...").expect("a position"));
        let encoded = Encoded::of(&TicTacToePlanes, &line);
        let own = [0., 0., 1., 0., 0., 0., 0., 0., 0.];
        let other = [1., 0., 0., 0., 1., 0., 0., 0., 0.];
        assert_eq!(encoded.planes, [own, other].concat());
        let index = |name| TicTacToePlanes.index(line.position(), line.position().read_move(name).expect("a move"));
        assert_eq!(["b3", "c2", "a1"].map(index), [1, 5, 6]);
    }
}
