//! A game as far as it has come: where repetition is decided.

use crate::{Outcome, Position, Repetition, Turn};

/// A start position and the moves played since. Every search starts from one, and walks on it with
/// [`push`](Line::push) and [`pop`](Line::pop).
#[derive(Clone, Debug)]
pub struct Line<P: Position> {
    /// One more than there are moves; the last is the position now.
    positions: Vec<P>,
    moves: Vec<P::Move>,
    /// The repetition key of each position; empty where repetition is ignored.
    keys: Vec<u64>,
}

impl<P: Position> Line<P> {
    /// A game that begins here.
    pub fn new(start: P) -> Self {
        let mut line = Line { positions: Vec::new(), moves: Vec::new(), keys: Vec::new() };
        line.enter(start);
        line
    }

    /// The position now.
    #[inline]
    pub fn position(&self) -> &P {
        // There is always one position more than moves, so the index is in bounds.
        &self.positions[self.moves.len()]
    }

    /// The position the line began with.
    pub fn start(&self) -> &P {
        &self.positions[0]
    }

    /// All positions, from the start to now.
    pub fn positions(&self) -> &[P] {
        &self.positions
    }

    /// The moves played since the start.
    #[inline]
    pub fn moves(&self) -> &[P::Move] {
        &self.moves
    }

    /// How many moves have been played.
    #[inline]
    pub fn ply(&self) -> usize {
        self.moves.len()
    }

    /// Plays a legal move.
    #[inline]
    pub fn push(&mut self, mv: P::Move) {
        let mut next = self.position().clone();
        next.play(mv);
        self.enter(next);
        self.moves.push(mv);
    }

    #[inline]
    fn enter(&mut self, position: P) {
        if position.repetition() != Repetition::Ignored {
            self.keys.push(position.repetition_key());
        }
        self.positions.push(position);
    }

    /// Takes the last move back; `None` at the start.
    #[inline]
    pub fn pop(&mut self) -> Option<P::Move> {
        let mv = self.moves.pop()?;
        self.positions.pop();
        self.keys.pop();
        Some(mv)
    }

    /// What comes next, with the rule on repetition applied: see [`Position::turn`].
    #[inline]
    pub fn turn(&self, moves: &mut Vec<P::Move>) -> Turn {
        let position = self.position();
        if self.ply() > 0
            && let Some(outcome) = position.outcome_by_history()
        {
            moves.clear();
            return Turn::Over(outcome);
        }
        let turn = position.turn(moves);
        match position.repetition() {
            Repetition::Ignored => turn,
            Repetition::DrawAt(times) => match turn {
                Turn::Over(_) => turn,
                _ if self.times_seen() >= usize::from(times) => {
                    moves.clear();
                    Turn::Over(Outcome::Draw)
                }
                _ => turn,
            },
            Repetition::Forbidden => {
                moves.retain(|&mv| !self.repeats(mv));
                turn
            }
        }
    }

    /// How often the position now has stood on the board, this time included.
    pub fn times_seen(&self) -> usize {
        let now = self.position().repetition_key();
        self.keys.iter().filter(|&&key| key == now).count().max(1)
    }

    /// Whether the rule against repetition forbids this move, which is legal otherwise.
    pub fn repeats(&self, mv: P::Move) -> bool {
        self.position().repetition() == Repetition::Forbidden
            && self.position().repetition_key_after(mv).is_some_and(|key| self.keys.contains(&key))
    }
}
