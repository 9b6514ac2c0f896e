//! Backgammon as a network sees it: how many checkers stand on every point, and the dice.

use crate::{Encoder, EncoderId, Input, Policy, Shape};
use tengen_core::{Line, Position};
use tengen_games::backgammon::{Backgammon, CHECKERS, Move};

/// For each of the 24 points, counted as the side to move counts them, four numbers for the own checkers there and four for the other's:
/// whether there is one, two, three, and half of how many more; then the checkers on the bar and those borne off, either side's, and
/// six bits for each die, which are zero before the roll.
///
/// A move is its code: 1 352 places for two different dice, 23 751 for doubles and one for passing, with 21 between them that belong to the dice
/// and stay empty. A network that only judges positions, as those for games of chance do best, leaves the policy out.
///
/// CITE: Tesauro 1995, "Temporal difference learning and TD-Gammon": the numbers for each point.
#[derive(Clone, Copy, Debug)]
pub struct BackgammonNumbers;

const POINTS: u8 = 24;
/// Numbers for the checkers of one side on one point.
const COUNTS: usize = 4;
const BESIDE: usize = POINTS as usize * 2 * COUNTS;
const DICE: usize = BESIDE + 4;
const NUMBERS: usize = DICE + 2 * 6;
/// One more than the largest code, which is that of the pass.
const MOVES: usize = 25_125;

/// How many checkers stand on a point, as a network learns it best: one is in danger, two are safe, three can spare one.
fn counts(checkers: u8) -> [f32; COUNTS] {
    let at_least = |count| if checkers >= count { 1.0 } else { 0.0 };
    [at_least(1), at_least(2), at_least(3), f32::from(checkers.saturating_sub(3)) / 2.0]
}

impl Encoder<Backgammon> for BackgammonNumbers {
    fn id(&self) -> EncoderId {
        EncoderId("backgammon-1")
    }

    fn shape(&self, _: &Backgammon) -> Shape {
        Shape { planes: 0, height: 0, width: 0, globals: NUMBERS, policy: Policy { maps: 0, extra: MOVES } }
    }

    fn encode(&self, line: &Line<Backgammon>, out: &mut Input<'_>) {
        let position = line.position();
        let (own, other) = (position.to_move(), position.to_move().other());
        out.globals.fill(0.0);
        // A point of one side's count is 25 less it in the other's.
        let checkers = (1..=POINTS)
            .flat_map(|point| [position.checkers(own, point), position.checkers(other, POINTS + 1 - point)]);
        for (numbers, checkers) in out.globals.chunks_exact_mut(COUNTS).zip(checkers) {
            numbers.copy_from_slice(&counts(checkers));
        }
        for (number, side) in [own, other].into_iter().enumerate() {
            out.globals[BESIDE + number] = f32::from(position.bar(side)) / 2.0;
            out.globals[BESIDE + 2 + number] = f32::from(position.off(side)) / f32::from(CHECKERS);
        }
        for (number, die) in position.dice().into_iter().flatten().enumerate() {
            out.globals[DICE + 6 * number + usize::from(die) - 1] = 1.0;
        }
    }

    fn index(&self, _: &Backgammon, mv: Move) -> usize {
        debug_assert!(!matches!(mv, Move::Roll { .. }), "the dice decide for nobody");
        Backgammon::code(mv).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Encoded;
    use crate::exam::Exam;
    use tengen_core::Notation;

    #[test]
    fn sits_the_exam() {
        let used = Exam::new(&BackgammonNumbers, Backgammon::new()).games(60).longest(3000).sit();
        let unused: Vec<usize> = (0..NUMBERS).filter(|&number| !used.globals[number]).collect();
        assert_eq!(unused, [0_usize; 0]);
        // Not those of the dice.
        assert_eq!(used.policy[25_103..].iter().position(|used| *used), Some(21), "a pass is the last");
    }

    #[test]
    fn both_sides_count_from_their_own_end() {
        let text = "X2....O5/.O3...X5/O5...X3./X5....O2 bar 0 1 off 0 0";
        let shown = |rest: &str| {
            let text = format!("{text} {rest}");
            // A checker less on the board for the one on the bar.
            let text = text.replace("....O2 bar 0 1", "....O1 bar 0 1");
            let position = Backgammon::read(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
            Encoded::of(&BackgammonNumbers, &Line::new(position)).globals
        };
        let first = shown("first 62");
        // The own two checkers far away, at 24; the other's single one at the same end, on its point 24.
        assert_eq!(first[23 * 8..24 * 8], [1., 1., 0., 0., 0., 0., 0., 0.]);
        assert_eq!(first[5 * 8..6 * 8], [1., 1., 1., 1., 0., 0., 0., 0.]);
        assert_eq!(first[..8], [0., 0., 0., 0., 1., 0., 0., 0.]);
        assert_eq!(first[BESIDE..DICE], [0., 0.5, 0., 0.]);
        assert_eq!(first[DICE..], [0., 0., 0., 0., 0., 1., 0., 1., 0., 0., 0., 0.]);
        let second = shown("second -");
        assert_eq!(second[23 * 8..24 * 8], [1., 0., 0., 0., 0., 0., 0., 0.]);
        assert_eq!(second[..8], [0., 0., 0., 0., 1., 1., 0., 0.]);
        assert_eq!(second[BESIDE..], [0.5, 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0.]);
    }

    /// The places of moves stand in model files: they stay.
    #[test]
    fn places_of_moves() {
        let place = |mv| BackgammonNumbers.index(&Backgammon::new(), mv);
        assert_eq!(place(Move::Mixed { froms: [24, 13], low_first: false }), 24 * 26 + 13);
        assert_eq!(place(Move::Mixed { froms: [24, 13], low_first: true }), 676 + 24 * 26 + 13);
        assert_eq!(place(Move::Double { froms: [0, 0, 0, 0] }), 1352);
        assert_eq!(place(Move::Double { froms: [25, 25, 25, 25] }), 25_102);
        assert_eq!(place(Move::Pass), MOVES - 1);
    }
}
