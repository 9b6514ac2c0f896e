//! Where the leaves of all threads and games wait for one judge.

use super::{Evaluation, Judge, JudgeError, Reply};
use crate::mcts::Leaf;
use std::collections::VecDeque;
use std::marker::PhantomData;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use tengen_core::{Line, Position};

/// A leaf and what the judge wants to know of it. Owns all.
#[derive(Debug)]
pub struct Asked<M, Q> {
    /// The leaf.
    pub leaf: Leaf<M>,
    /// What the judge made of it.
    pub question: Q,
}

/// A leaf that comes back.
#[derive(Debug)]
pub struct Answer<M> {
    /// The number with which it was submitted.
    pub game: u32,
    /// The leaf.
    pub leaf: Leaf<M>,
    /// What the judge says, or why it says nothing.
    pub evaluation: Result<Evaluation, JudgeError>,
}

/// Where the answers for one thread arrive.
pub struct Inbox<M>(Arc<Mutex<Vec<Answer<M>>>>);

impl<M> Clone for Inbox<M> {
    fn clone(&self) -> Self {
        Inbox(self.0.clone())
    }
}

impl<M> Default for Inbox<M> {
    fn default() -> Self {
        Inbox(Arc::default())
    }
}

impl<M> Inbox<M> {
    /// All answers that have arrived.
    pub fn take(&self) -> Vec<Answer<M>> {
        std::mem::take(&mut *lock(&self.0))
    }

    /// Whether none has arrived.
    pub fn is_empty(&self) -> bool {
        lock(&self.0).is_empty()
    }

    fn put(&self, answer: Answer<M>) {
        lock(&self.0).push(answer);
    }

    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Nothing is left half done under these locks, so a panic elsewhere does not spoil what they guard.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Questions that wait, first come, first served.
struct Waiting<M, Q> {
    line: VecDeque<Case<M, Q>>,
    /// Batches being judged now.
    sitting: usize,
    /// Batches judged since the beginning.
    judged: u64,
}

struct Case<M, Q> {
    game: u32,
    asked: Asked<M, Q>,
    reply: Inbox<M>,
}

impl<M, Q> Case<M, Q> {
    /// The question goes to the judge; the rest stays behind, to be answered.
    fn open(self) -> (Case<M, ()>, Q) {
        let Asked { leaf, question } = self.asked;
        (Case { game: self.game, asked: Asked { leaf, question: () }, reply: self.reply }, question)
    }

    fn answer(self, evaluation: Result<Evaluation, JudgeError>) {
        self.reply.put(Answer { game: self.game, leaf: self.asked.leaf, evaluation });
    }
}

/// A judge and the questions that wait for it. There is no thread of its own: whoever cannot go on without answers judges a batch,
/// be it of his own questions or of others'. So on an ordinary processor each thread judges a batch of its own, and nobody waits
/// while there is work.
pub struct Court<P: Position, J: Judge<P>> {
    judge: J,
    batch: usize,
    waiting: Mutex<Waiting<P::Move, J::Question>>,
    /// A batch has been judged.
    judged: Condvar,
    game: PhantomData<fn(P)>,
}

impl<P: Position, J: Judge<P>> Court<P, J> {
    /// At most `batch` questions, at least one, are judged at a time.
    pub fn new(judge: J, batch: usize) -> Self {
        let waiting = Mutex::new(Waiting { line: VecDeque::new(), sitting: 0, judged: 0 });
        Court { judge, batch: batch.max(1), waiting, judged: Condvar::new(), game: PhantomData }
    }

    /// The judge.
    pub fn judge(&self) -> &J {
        &self.judge
    }

    /// How many questions are judged at a time, if so many wait.
    pub fn batch(&self) -> usize {
        self.batch
    }

    /// What the judge makes of a leaf at once.
    pub fn ask(&self, line: &Line<P>, moves: &[P::Move]) -> Reply<J::Question> {
        self.judge.ask(line, moves)
    }

    /// A leaf waits from now on; it comes back to `reply` with the number of its game, whatever happens.
    pub fn submit(&self, game: u32, asked: Asked<P::Move, J::Question>, reply: &Inbox<P::Move>) {
        lock(&self.waiting).line.push_back(Case { game, asked, reply: reply.clone() });
    }

    /// Takes back what a game still waits for in this inbox. What is being judged now will arrive all the same.
    pub fn withdraw(&self, reply: &Inbox<P::Move>, game: u32) -> Vec<Leaf<P::Move>> {
        let mut waiting = lock(&self.waiting);
        let (own, others) = waiting.line.drain(..).partition(|case| case.game == game && case.reply.is(reply));
        waiting.line = others;
        drop(waiting);
        own.into_iter().map(|case: Case<_, _>| case.asked.leaf).collect()
    }

    /// For whoever cannot go on: judges a batch of what waits. If nothing does, waits until the batches that others judge now are
    /// done, or one of them. Comes back at once if an answer is there already, or if there is nothing to wait for.
    pub fn sit(&self, inbox: &Inbox<P::Move>) {
        let mut waiting = lock(&self.waiting);
        if !inbox.is_empty() {
            return;
        }
        if waiting.line.is_empty() {
            let judged = waiting.judged;
            while waiting.sitting > 0 && waiting.judged == judged {
                waiting = self.judged.wait(waiting).unwrap_or_else(PoisonError::into_inner);
            }
            return;
        }
        let count = waiting.line.len().min(self.batch);
        let (cases, questions) = waiting.line.drain(..count).map(Case::open).unzip();
        let mut sitting = Sitting { court: self, cases };
        waiting.sitting += 1;
        drop(waiting);
        let evaluations = self.judge.judge(questions).and_then(|evaluations| match evaluations.len() {
            length if length == count => Ok(evaluations),
            length => Err(JudgeError::Count { questions: count, evaluations: length }),
        });
        match evaluations {
            Ok(evaluations) => {
                for (case, evaluation) in sitting.cases.drain(..).zip(evaluations) {
                    case.answer(Ok(evaluation));
                }
            }
            Err(error) => sitting.refuse(&error),
        }
    }
}

/// A batch that is being judged. When it is dropped, all its leaves have come back, even if the judge panics.
struct Sitting<'c, P: Position, J: Judge<P>> {
    court: &'c Court<P, J>,
    cases: Vec<Case<P::Move, ()>>,
}

impl<P: Position, J: Judge<P>> Sitting<'_, P, J> {
    fn refuse(&mut self, error: &JudgeError) {
        self.cases.drain(..).for_each(|case| case.answer(Err(error.clone())));
    }
}

impl<P: Position, J: Judge<P>> Drop for Sitting<'_, P, J> {
    fn drop(&mut self) {
        self.refuse(&JudgeError::BrokeDown);
        let mut waiting = lock(&self.court.waiting);
        waiting.sitting -= 1;
        waiting.judged += 1;
        drop(waiting);
        self.court.judged.notify_all();
    }
}
