//! Pig as a network sees it: a handful of numbers.

use crate::{Encoder, EncoderId, Input, Policy, Shape};
use tengen_core::{Line, Position};
use tengen_games::pig::{GOAL, Move, Pig};

/// The own score, the other's and what this turn would add, as shares of the goal, and whether the die is in the air. A move is
/// to roll or to hold.
#[derive(Clone, Copy, Debug)]
pub struct PigNumbers;

impl Encoder<Pig> for PigNumbers {
    fn id(&self) -> EncoderId {
        EncoderId("pig-1")
    }

    fn shape(&self, _: &Pig) -> Shape {
        Shape { planes: 0, height: 0, width: 0, globals: 4, policy: Policy { maps: 0, extra: 2 } }
    }

    fn encode(&self, line: &Line<Pig>, out: &mut Input<'_>) {
        let position = line.position();
        let own = position.to_move();
        // Whatever is beyond the goal wins.
        let share = |points: u16| f32::from(points.min(GOAL)) / f32::from(GOAL);
        let [own, other] = [own, own.other()].map(|side| share(position.scores()[side.index()]));
        let rolling = if position.rolling() { 1.0 } else { 0.0 };
        out.globals.copy_from_slice(&[own, other, share(position.turn_total()), rolling]);
    }

    fn index(&self, _: &Pig, mv: Move) -> usize {
        debug_assert!(!matches!(mv, Move::Face(_)), "the die decides for nobody");
        usize::from(mv == Move::Hold)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Encoded;
    use crate::exam::{Exam, Used};
    use tengen_core::Notation;

    #[test]
    fn sits_the_exam() {
        let used = Exam::new(&PigNumbers, Pig::new()).largest(1.0).sit();
        assert_eq!(used, Used::all(&PigNumbers.shape(&Pig::new())));
    }

    #[test]
    fn scores_are_shares_of_the_goal() {
        let numbers = |text| Encoded::of(&PigNumbers, &Line::new(Pig::read(text).expect("a position"))).globals;
        assert_eq!(numbers("12 30 7 second"), [0.30, 0.12, 0.07, 0.0]);
        assert_eq!(numbers("12 30 500 first rolling"), [0.12, 0.30, 1.0, 1.0]);
    }
}
