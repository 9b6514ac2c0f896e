//! Judging leaves: what a network does, or anything that stands for one.
//!
//! A [`Judge`] looks at a leaf twice. While the search stands there, it is asked, and makes a question of what it sees, which borrows nothing. Later it
//! is handed many questions at a time and answers them, while no lock is held. In between the questions of all threads and all games lie in a
//! [`Court`], which makes full batches of them and sees to it that every leaf comes back, with an evaluation or with an error.
//! Judges are put around each other: [`Cached`] remembers what another one said. [`Static`] judges by a game's static evaluation.

mod cached;
mod court;
mod fixed;

pub use cached::Cached;
pub use court::{Answer, Asked, Court, Inbox};
pub use fixed::Static;

use std::fmt;
use tengen_core::{Line, Position, Pov, Value, mix};

/// What a judge says of a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Evaluation {
    /// How the game is expected to end.
    pub value: Pov<Value>,
    /// One probability a legal move, in the order in which the moves were listed; they sum to one.
    pub policy: Vec<f32>,
}

/// What a judge makes of a leaf while the search stands there.
#[derive(Debug)]
pub enum Reply<Q> {
    /// Nothing needs to be computed.
    Known(Evaluation),
    /// It is to be judged with others.
    Open(Q),
}

/// Judges positions. One judge serves all threads and all games at once.
pub trait Judge<P: Position>: Send + Sync {
    /// What is kept of a position until it is judged, such as a network's planes and the places of the moves in its policy: it owns all it needs.
    type Question: Send;

    /// Looks at the position at the end of the line, which is a decision among these moves. Quick: the search waits.
    fn ask(&self, line: &Line<P>, moves: &[P::Move]) -> Reply<Self::Question>;

    /// One evaluation a question, in the same order. Several threads may call this at the same time, each with questions of its own.
    fn judge(&self, questions: Vec<Self::Question>) -> Result<Vec<Evaluation>, JudgeError>;

    /// Equal for positions that get the same evaluation, though they may be met in different games: all that
    /// [`ask`](Judge::ask) looks at. By default the position and its moves, not how it came about.
    fn key(&self, line: &Line<P>, moves: &[P::Move]) -> u64 {
        let start = line.position().key();
        // Superko may forbid a move in one game and not in another.
        moves.iter().fold(start, |key, &mv| mix(key ^ u64::from(P::code(mv))))
    }
}

/// A judge may be shared.
impl<P: Position, J: Judge<P> + ?Sized> Judge<P> for std::sync::Arc<J> {
    type Question = J::Question;

    fn ask(&self, line: &Line<P>, moves: &[P::Move]) -> Reply<J::Question> {
        (**self).ask(line, moves)
    }

    fn judge(&self, questions: Vec<J::Question>) -> Result<Vec<Evaluation>, JudgeError> {
        (**self).judge(questions)
    }

    fn key(&self, line: &Line<P>, moves: &[P::Move]) -> u64 {
        (**self).key(line, moves)
    }
}

/// Why a judge's answer is of no use. It ends the search.
#[derive(Clone, PartialEq, Debug)]
pub enum JudgeError {
    /// Not one evaluation a question.
    Count {
        /// How many questions there were.
        questions: usize,
        /// How many evaluations came back.
        evaluations: usize,
    },
    /// Not one probability a move.
    Policy {
        /// How many moves there are.
        moves: usize,
        /// How many probabilities came back.
        probabilities: usize,
    },
    /// The probabilities are no distribution: one is negative or not a number, or they do not sum to one.
    NoDistribution,
    /// The value is not between −1 and 1.
    NoValue(Value),
    /// The judge broke down in the middle of its work.
    BrokeDown,
    /// The judge cannot answer; it says why.
    Failed(String),
}

impl fmt::Display for JudgeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JudgeError::Count { questions, evaluations } => {
                write!(f, "the judge gave {evaluations} evaluations for {questions} positions")
            }
            JudgeError::Policy { moves, probabilities } => {
                write!(f, "the judge gave {probabilities} probabilities for {moves} moves")
            }
            JudgeError::NoDistribution => f.write_str("the judge's probabilities of moves do not sum to one"),
            JudgeError::NoValue(value) => write!(f, "the judge's value of a position is {value}, not from -1 to 1"),
            JudgeError::BrokeDown => f.write_str("the judge broke down"),
            JudgeError::Failed(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for JudgeError {}

impl Evaluation {
    /// Whether it fits a position with so many moves, and is made of numbers that a search can go by.
    pub fn check(&self, moves: usize) -> Result<(), JudgeError> {
        let value = self.value.seen_by(tengen_core::Side::First);
        if self.policy.len() != moves {
            return Err(JudgeError::Policy { moves, probabilities: self.policy.len() });
        }
        if value.is_nan() || value.abs() > 1.0 {
            return Err(JudgeError::NoValue(value));
        }
        let sum: f32 = self.policy.iter().sum();
        let proper = self.policy.iter().all(|&probability| probability >= 0.0) && (sum - 1.0).abs() < 0.01;
        if proper { Ok(()) } else { Err(JudgeError::NoDistribution) }
    }

    /// The value, with all moves alike.
    pub fn even(value: Pov<Value>, moves: usize) -> Self {
        Evaluation { value, policy: vec![1.0 / moves as f32; moves] }
    }
}
