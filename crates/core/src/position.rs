//! The one trait all rules are written to.

use crate::{Outcome, Rng, Side, Turn};
use std::fmt::Debug;
use std::hash::Hash;

/// What the rules say about a position that comes back. [`Line`](crate::Line) applies it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repetition {
    /// It cannot happen, or nobody minds.
    Ignored,
    /// The game is drawn when a position stands on the board for the n-th time.
    DrawAt(u8),
    /// A move may not bring back an earlier position (superko). Whether the side to move counts is decided by
    /// what the game puts into its [`repetition_key`](Position::repetition_key).
    Forbidden,
}

/// One position: a value, cheap to clone, with no history but what the rules write on the board.
///
/// `play` believes its caller: only a move that `turn` (or `chance`) listed for this very position may be
/// played. Text from people and programs goes through [`Notation`](crate::Notation), which checks.
pub trait Position: Clone + Send + Sync + 'static {
    /// What a side, or chance, may do.
    type Move: Copy + Eq + Hash + Debug + Send + Sync + 'static;

    /// Whether perft counts a game that is over as one line of every greater length. The published counts of Othello do
    /// so, those of the other games do not.
    const PERFT_KEEPS_ENDED: bool = false;

    /// The side whose decision is next; at a chance event the side that rolls; at the end whoever would be next.
    fn to_move(&self) -> Side;

    /// What comes next, and the moves, generated once: `moves` is emptied, then filled with every legal move of
    /// a decision, and left empty at a chance event and at the end.
    fn turn(&self, moves: &mut Vec<Self::Move>) -> Turn;

    /// Plays a legal move.
    fn play(&mut self, mv: Self::Move);

    /// Equal positions have equal keys, however they came about: for tables of positions.
    fn key(&self) -> u64;

    /// A small number, the same for the same move in every position and different for different moves of one
    /// position: for killers, histories and RAVE.
    fn code(mv: Self::Move) -> u16;

    /// The moves of chance with their probabilities, which sum to one; empty unless `turn` says `Chance`.
    fn chance(&self, outcomes: &mut Vec<(Self::Move, f32)>) {
        outcomes.clear();
    }

    /// What the rules say about repetition: the same answer all through a game.
    #[inline]
    fn repetition(&self) -> Repetition {
        Repetition::Ignored
    }

    /// Equal exactly when the rules call two positions a repetition. It differs from `key` where the rules look
    /// at less than the whole position (Go: neither passes nor the ko point count).
    #[inline]
    fn repetition_key(&self) -> u64 {
        self.key()
    }

    /// The repetition key after `mv`, or `None` if `mv` is sure to be allowed: a pass, or any move while nothing
    /// has been captured yet. Asked of every move where repetition is `Forbidden`, so worth writing without a clone there.
    fn repetition_key_after(&self, mv: Self::Move) -> Option<u64> {
        let mut next = self.clone();
        next.play(mv);
        Some(next.repetition_key())
    }

    /// How the game has ended by something that the position does not show but the game up to it does. [`Line`](crate::Line)
    /// asks after every move, and its word goes before that of `turn`; perft and playouts do not ask.
    #[inline]
    fn outcome_by_history(&self) -> Option<Outcome> {
        None
    }

    /// Plays random moves until the game is over, or returns `None` after `cap` moves; shows each decision to
    /// `seen` before it is made. Games override it where they can choose faster than by listing all moves, and may then leave out moves
    /// that only a fool plays (Go: filling one's own eye). Repetition is not looked at: `cap` ends what goes round in circles.
    fn playout<F: FnMut(Side, Self::Move)>(&mut self, rng: &mut Rng, cap: u32, mut seen: F) -> Option<Outcome> {
        let mut moves = Vec::new();
        let mut outcomes = Vec::new();
        for _ in 0..cap {
            match self.turn(&mut moves) {
                Turn::Over(outcome) => return Some(outcome),
                Turn::Decision(side) => {
                    let mv = moves[rng.usize(..moves.len())];
                    seen(side, mv);
                    self.play(mv);
                }
                Turn::Chance => {
                    self.chance(&mut outcomes);
                    self.play(sample(&outcomes, rng));
                }
            }
        }
        match self.turn(&mut moves) {
            Turn::Over(outcome) => Some(outcome),
            _ => None,
        }
    }
}

/// One of the outcomes of chance, each as likely as it says. There is at least one.
pub fn sample<M: Copy>(outcomes: &[(M, f32)], rng: &mut Rng) -> M {
    let mut rest = rng.f32();
    for &(mv, probability) in outcomes {
        rest -= probability;
        if rest < 0.0 {
            return mv;
        }
    }
    // Rounding may leave a crumb of probability: it belongs to the last one.
    outcomes[outcomes.len() - 1].0
}

/// Spreads a number over 64 bits, so that packed boards make good keys.
///
/// CITE: the finaliser of splitmix64 (Steele, Lea & Flood 2014).
#[inline]
pub const fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
