//! A judge that remembers.

use super::{Evaluation, Judge, JudgeError, Reply};
use std::sync::{Mutex, PoisonError};
use tengen_core::{Line, Position};

/// What another judge said is remembered by the position's key, so that it is not asked twice. All threads and games share the memory, which
/// is bounded: what comes later takes the place of what was there.
pub struct Cached<J> {
    judge: J,
    slots: Box<[Slot]>,
}

/// The key and what was said. Each slot has its own lock, held for a copy only.
type Slot = Mutex<Option<(u64, Evaluation)>>;

impl<J> Cached<J> {
    /// Remembers at most so many evaluations, at least one.
    pub fn new(judge: J, most: usize) -> Self {
        Cached { judge, slots: (0..most.max(1)).map(|_| Slot::default()).collect() }
    }

    fn slot(&self, key: u64) -> &Slot {
        // The upper half of the product spreads the keys over the slots.
        &self.slots[((u128::from(key) * self.slots.len() as u128) >> 64) as usize]
    }

    fn recall(&self, key: u64, moves: usize) -> Option<Evaluation> {
        let slot = self.slot(key).lock().unwrap_or_else(PoisonError::into_inner);
        // Two positions with the same key differ in the number of moves, if anybody is lucky.
        let known = slot.as_ref().filter(|(known, evaluation)| *known == key && evaluation.policy.len() == moves);
        known.map(|(_, evaluation)| evaluation.clone())
    }

    fn remember(&self, key: u64, evaluation: Evaluation) {
        *self.slot(key).lock().unwrap_or_else(PoisonError::into_inner) = Some((key, evaluation));
    }
}

impl<P: Position, J: Judge<P>> Judge<P> for Cached<J> {
    /// With the key under which the answer will be remembered.
    type Question = (u64, J::Question);

    fn ask(&self, line: &Line<P>, moves: &[P::Move]) -> Reply<Self::Question> {
        let key = self.judge.key(line, moves);
        if let Some(evaluation) = self.recall(key, moves.len()) {
            return Reply::Known(evaluation);
        }
        match self.judge.ask(line, moves) {
            Reply::Known(evaluation) => Reply::Known(evaluation),
            Reply::Open(question) => Reply::Open((key, question)),
        }
    }

    fn judge(&self, questions: Vec<Self::Question>) -> Result<Vec<Evaluation>, JudgeError> {
        let (keys, questions): (Vec<u64>, Vec<J::Question>) = questions.into_iter().unzip();
        let evaluations = self.judge.judge(questions)?;
        for (key, evaluation) in keys.into_iter().zip(&evaluations) {
            self.remember(key, evaluation.clone());
        }
        Ok(evaluations)
    }

    fn key(&self, line: &Line<P>, moves: &[P::Move]) -> u64 {
        self.judge.key(line, moves)
    }
}
