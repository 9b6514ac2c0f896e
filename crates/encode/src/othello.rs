//! Othello as a network sees it, on all its boards.

use crate::{Encoder, EncoderId, Input, Policy, Shape, Turned};
use tengen_core::{Line, Symmetry};
use tengen_games::othello::Othello;

/// The own discs, the other's, and where a disc can be placed; a move is its square, or the pass.
#[derive(Clone, Copy, Debug)]
pub struct OthelloPlanes;

/// One board of numbers: 1 for the own discs, −1 for the other's.
///
/// CITE: Nair, Thakoor & Jhunjhunwala, "Learning to play Othello without human knowledge": the board in canonical form.
#[derive(Clone, Copy, Debug)]
pub struct OthelloBoard;

fn shape<const N: usize>(planes: usize) -> Shape {
    Shape { planes, height: N, width: N, globals: 0, policy: Policy { maps: 1, extra: 1 } }
}

fn turned<const N: usize>(shape: &Shape, position: &Othello<N>, which: usize) -> Turned {
    Turned::of_board(shape, |square| position.transformed_move(square as u8, which).into(), |map| map)
}

// Squares are numbered as points are, and the pass is the number after the last square.
impl<const N: usize> Encoder<Othello<N>> for OthelloPlanes {
    fn id(&self) -> EncoderId {
        EncoderId("othello-1")
    }

    fn shape(&self, _: &Othello<N>) -> Shape {
        shape::<N>(3)
    }

    fn encode(&self, line: &Line<Othello<N>>, out: &mut Input<'_>) {
        let position = line.position();
        let mut planes = out.clear(&self.shape(position));
        for (plane, set) in [position.mover(), position.other(), position.legal()].into_iter().enumerate() {
            planes.mark_all(plane, set, |square| square);
        }
    }

    fn index(&self, _: &Othello<N>, mv: u8) -> usize {
        mv.into()
    }

    fn turned(&self, position: &Othello<N>, which: usize) -> Turned {
        turned(&self.shape(position), position, which)
    }
}

impl<const N: usize> Encoder<Othello<N>> for OthelloBoard {
    fn id(&self) -> EncoderId {
        EncoderId("othello-c")
    }

    fn shape(&self, _: &Othello<N>) -> Shape {
        shape::<N>(1)
    }

    fn encode(&self, line: &Line<Othello<N>>, out: &mut Input<'_>) {
        let position = line.position();
        let mut planes = out.clear(&self.shape(position));
        planes.mark_all(0, position.mover(), |square| square);
        for square in crate::shape::bits(position.other()) {
            planes.put(0, square, -1.0);
        }
    }

    fn index(&self, _: &Othello<N>, mv: u8) -> usize {
        mv.into()
    }

    fn turned(&self, position: &Othello<N>, which: usize) -> Turned {
        turned(&self.shape(position), position, which)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Encoded;
    use crate::exam::{Exam, Used};
    use tengen_core::Position;

    fn sits<const N: usize>(encoder: &impl Encoder<Othello<N>>, games: u64) {
        let used = Exam::new(encoder, Othello::<N>::new()).games(games).sit();
        let mut expected = Used::all(&encoder.shape(&Othello::new()));
        // Nobody plays where the first four discs stand.
        for square in 0..N * N {
            let middle = |at: usize| at == N / 2 || at + 1 == N / 2;
            expected.policy[square] = !(middle(square / N) && middle(square % N));
        }
        assert_eq!(used, expected);
    }

    #[test]
    fn all_boards_sit_the_exam() {
        sits::<8>(&OthelloPlanes, 100);
        sits::<6>(&OthelloPlanes, 100);
        sits::<8>(&OthelloBoard, 100);
        sits::<6>(&OthelloBoard, 100);
    }

    #[test]
    fn the_board_changes_its_sign_with_the_side_to_move() {
        let mut line = Line::new(Othello::<6>::new());
        let before = Encoded::of(&OthelloBoard, &line).planes;
        // Black stands right above and left below the middle.
        assert_eq!([before[14], before[15], before[20], before[21]], [-1.0, 1.0, 1.0, -1.0]);
        line.push(line.position().legal().trailing_zeros() as u8);
        let after = Encoded::of(&OthelloBoard, &line).planes;
        assert_eq!(after.iter().sum::<f32>(), -3.0, "one disc against four: {after:?}");
        assert_eq!(line.position().to_move(), tengen_core::Side::Second);
    }
}
