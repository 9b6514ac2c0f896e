//! The exam every encoder sits: what learning and searching with a network may take for granted.
//!
//! [`Exam::sit`] plays random games and checks at every position what [`Encoder`] promises. It panics with the position's
//! text at the first broken promise, so that a failure is a test case.

use crate::{Encoded, Encoder, Shape};
use tengen_core::{Line, Notation, Rng, Symmetry, Turn, sample};

/// An exam for one encoder of one game.
pub struct Exam<'e, P, E: ?Sized> {
    encoder: &'e E,
    start: P,
    games: u64,
    longest: usize,
    largest: f32,
}

/// What has been of use in any of the games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Used {
    /// The planes that did not always show the same.
    pub planes: Vec<bool>,
    /// The numbers for the whole board that were not always zero.
    pub globals: Vec<bool>,
    /// The places of the policy that belonged to a legal move.
    pub policy: Vec<bool>,
}

impl Used {
    /// Everything.
    pub fn all(shape: &Shape) -> Self {
        Used::new(shape, true)
    }

    fn new(shape: &Shape, used: bool) -> Self {
        Used {
            planes: vec![used; shape.planes],
            globals: vec![used; shape.globals],
            policy: vec![used; shape.policy_size()],
        }
    }
}

impl<'e, P: Notation + Symmetry, E: Encoder<P> + ?Sized> Exam<'e, P, E> {
    /// Sixty random games of at most a thousand moves from this position.
    pub fn new(encoder: &'e E, start: P) -> Self {
        Exam { encoder, start, games: 60, longest: 1000, largest: 16.0 }
    }

    /// Another number of games.
    pub fn games(mut self, games: u64) -> Self {
        self.games = games;
        self
    }

    /// Another length at which a random game is broken off.
    pub fn longest(mut self, plies: usize) -> Self {
        self.longest = plies;
        self
    }

    /// Another bound for the numbers shown, instead of 16: networks learn badly from large ones.
    pub fn largest(mut self, number: f32) -> Self {
        self.largest = number;
        self
    }

    /// Sits the exam. Returns what was of use in these games, for the encoder's own test to say how much that should be.
    ///
    /// # Panics
    ///
    /// When the encoder breaks a promise.
    pub fn sit(self) -> Used {
        let shape = self.encoder.shape(&self.start);
        let first = Encoded::of(self.encoder, &Line::new(self.start.clone()));
        let mut used = Used::new(&shape, false);
        for seed in 0..self.games {
            self.game(&shape, &first, &mut used, &mut Rng::with_seed(seed));
        }
        used
    }

    /// One random game, and the same game seen through every symmetry beside it.
    fn game(&self, shape: &Shape, first: &Encoded, used: &mut Used, rng: &mut Rng) {
        let mut line = Line::new(self.start.clone());
        let turned: Vec<_> = (0..P::SYMMETRIES).map(|which| self.encoder.turned(&self.start, which)).collect();
        assert_eq!(turned[0], crate::Turned::identity(shape), "symmetry 0 is the identity");
        let mut mirrors: Vec<_> = (0..P::SYMMETRIES).map(|which| Line::new(self.start.transformed(which))).collect();
        let mut moves = Vec::new();
        let mut outcomes = Vec::new();
        loop {
            let encoded = self.encoded(&line, shape);
            self.mark_used(first, &encoded, used);
            line.position().turn(&mut moves);
            let indices: Vec<usize> = moves.iter().map(|&mv| self.encoder.index(line.position(), mv)).collect();
            check_indices(line.position(), &moves, &indices, shape);
            for &index in &indices {
                used.policy[index] = true;
            }
            for (which, mirror) in mirrors.iter().enumerate() {
                let text = || format!("symmetry {which} of {}", line.position().write());
                let mut expected = Encoded::new(shape);
                turned[which].turn_planes(&encoded.planes, &mut expected.planes);
                expected.globals.clone_from(&encoded.globals);
                assert_eq!(self.encoded(mirror, shape), expected, "{}", text());
                for (&mv, &index) in moves.iter().zip(&indices) {
                    let mirrored = self.encoder.index(mirror.position(), line.position().transformed_move(mv, which));
                    assert_eq!(mirrored, turned[which].policy().target(index), "{mv:?}, {}", text());
                }
            }
            let mv = match line.turn(&mut moves) {
                _ if line.ply() >= self.longest => break,
                Turn::Over(_) => break,
                Turn::Decision(_) => moves[rng.usize(..moves.len())],
                Turn::Chance => {
                    line.position().chance(&mut outcomes);
                    sample(&outcomes, rng)
                }
            };
            for (which, mirror) in mirrors.iter_mut().enumerate() {
                mirror.push(line.position().transformed_move(mv, which));
            }
            line.push(mv);
            if rng.u8(..4) == 0 {
                // There and back again, and the whole game once more from its start.
                self.check_again(&line, shape, &encoded, &mut moves);
            }
        }
    }

    /// The encoded position, with the promise kept that nothing is left as it was and all numbers can be learnt from.
    fn encoded(&self, line: &Line<P>, shape: &Shape) -> Encoded {
        let text = || line.position().write();
        assert_eq!(self.encoder.shape(line.position()), *shape, "another shape: {}", text());
        let mut encoded = Encoded::new(shape);
        encoded.planes.fill(f32::NAN);
        encoded.globals.fill(f32::NAN);
        self.encoder.encode(line, &mut encoded.input());
        for (place, number) in encoded.planes.iter().chain(&encoded.globals).enumerate() {
            assert!(number.is_finite(), "number {place} is left out or not finite: {number} in {}", text());
            assert!(number.abs() <= self.largest, "number {place} is too large: {number} in {}", text());
        }
        encoded
    }

    fn mark_used(&self, first: &Encoded, now: &Encoded, used: &mut Used) {
        let planes = used.planes.len().max(1);
        let size = (now.planes.len() / planes).max(1);
        for (plane, used) in used.planes.iter_mut().enumerate() {
            let place = plane * size..(plane + 1) * size;
            *used |= first.planes[place.clone()] != now.planes[place];
        }
        for (used, number) in used.globals.iter_mut().zip(&now.globals) {
            *used |= *number != 0.0;
        }
    }

    /// What is shown depends on the line and on nothing that came before: after a move back, and after all moves once more.
    fn check_again(&self, line: &Line<P>, shape: &Shape, before: &Encoded, moves: &mut Vec<P::Move>) {
        let now = self.encoded(line, shape);
        let mut back = line.clone();
        back.pop();
        assert_eq!(self.encoded(&back, shape), *before, "after a move back: {}", back.position().write());
        let mut again = Line::new(line.start().clone());
        moves.clear();
        moves.extend_from_slice(line.moves());
        for &mv in moves.iter() {
            again.push(mv);
        }
        assert_eq!(self.encoded(&again, shape), now, "replayed: {}", line.position().write());
    }
}

/// Legal moves have different places in the policy, all of them within it.
fn check_indices<P: Notation>(position: &P, moves: &[P::Move], indices: &[usize], shape: &Shape) {
    let mut placed: Vec<_> = indices.iter().zip(moves).collect();
    placed.sort_unstable_by_key(|&(index, _)| index);
    let name = |mv: P::Move| position.write_move(mv);
    for pair in placed.windows(2) {
        if let &[(one, &mv), (other, &second)] = pair {
            assert_ne!(one, other, "{} and {} share a place in {}", name(mv), name(second), position.write());
        }
    }
    if let Some(&(&index, &mv)) = placed.last() {
        let size = shape.policy_size();
        assert!(index < size, "{} has place {index} of {size} in {}", name(mv), position.write());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EncoderId, Input, TicTacToePlanes, Turned};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use tengen_core::Position;
    use tengen_games::tictactoe::TicTacToe;

    /// An encoder with one thing wrong.
    #[derive(Clone, Copy, PartialEq)]
    enum Wrong {
        LeavesOne,
        Merges,
        Sides,
        Turns,
        Remembers,
        TooLarge,
        BeyondTheEnd,
    }

    impl Encoder<TicTacToe> for Wrong {
        fn id(&self) -> EncoderId {
            EncoderId("wrong")
        }

        fn shape(&self, position: &TicTacToe) -> Shape {
            TicTacToePlanes.shape(position)
        }

        fn encode(&self, line: &Line<TicTacToe>, out: &mut Input<'_>) {
            let kept = out.planes[17];
            TicTacToePlanes.encode(line, out);
            match self {
                Wrong::LeavesOne => out.planes[17] = kept,
                // One corner is not like the others.
                Wrong::Sides => out.planes[0] = line.position().to_move().index() as f32,
                Wrong::TooLarge => out.planes[4] *= 100.0,
                Wrong::Remembers => {
                    static LONGEST: AtomicUsize = AtomicUsize::new(0);
                    let longest = LONGEST.fetch_max(line.ply(), Ordering::Relaxed).max(line.ply());
                    out.planes[4] = longest as f32;
                }
                _ => {}
            }
        }

        fn index(&self, position: &TicTacToe, mv: u8) -> usize {
            match TicTacToePlanes.index(position, mv) {
                index if *self == Wrong::Merges => index / 2,
                index if *self == Wrong::BeyondTheEnd => index + 1,
                index => index,
            }
        }

        fn turned(&self, position: &TicTacToe, which: usize) -> Turned {
            let which = if *self == Wrong::Turns && which == 6 { 5 } else { which };
            TicTacToePlanes.turned(position, which)
        }
    }

    fn complaint(wrong: Wrong) -> String {
        let exam = || Exam::new(&wrong, TicTacToe::new()).games(5).sit();
        let panic = std::panic::catch_unwind(exam).expect_err("the exam is failed");
        panic.downcast_ref::<String>().cloned().unwrap_or_default()
    }

    #[test]
    fn encoders_with_one_thing_wrong_fail() {
        for (wrong, expected) in [
            (Wrong::LeavesOne, "number 17 is left out"),
            (Wrong::Merges, "share a place"),
            (Wrong::Sides, "symmetry"),
            (Wrong::Turns, "symmetry"),
            (Wrong::Remembers, "after a move back"),
            (Wrong::TooLarge, "number 4 is too large: 100"),
            (Wrong::BeyondTheEnd, "has place 9 of 9"),
        ] {
            let complaint = complaint(wrong);
            assert!(complaint.contains(expected), "{complaint}");
        }
        let right = Exam::new(&TicTacToePlanes, TicTacToe::new()).games(5).sit();
        assert_eq!(right.planes, [true, true]);
    }
}
