//! The second player's way to win, small enough to carry along.
//!
//! A strategy is a set of positions that are lost for the side to move, each with the plies to the end: the start; and
//! for every move from one of them, all positions that a best answer leads to. So it holds every best answer to everything the loser may try, and
//! says how long each try lasts, whichever of them the winner takes. A position whose Koropokkuru cannot be saved any more is seen without being listed.

use super::placement::{Placement, Standing};
use super::retrograde::Cell;
use super::solver::over;
use super::space::{All, Fold, Space};
use crate::solve::exact::from_moves;
use crate::solve::{Exact, Leash, Solution, Solve, Unsolved, Verdict};
use std::collections::HashMap;
use tengen_core::{Line, Position, Pov, Turn, mix};
use tengen_games::yokai::{Move, Yokai34};
use tengen_search::{Limits, Player, PlayerError, Thought, Watch};

/// Positions that are lost for the side to move, and in how many plies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Strategy {
    /// In order.
    numbers: Vec<u32>,
    plies: Vec<u8>,
}

/// How the file begins.
const MAGIC: &[u8; 8] = b"yokai34s";

impl Strategy {
    /// The strategy against every first move, from all that is known. `cell` gives a position's byte; or why it cannot be had.
    /// Fails as well if the start is not lost.
    pub fn build(mut cell: impl FnMut(usize) -> Result<Cell, String>) -> Result<Self, String> {
        let mut worth = |position: &Placement| -> Result<(u32, Exact), String> {
            // Successors of numbered positions that are neither over nor decided at sight are numbered.
            let number = number_of(position).ok_or("a position without a number")?;
            Ok((number, cell(number as usize)?.exact()))
        };
        let (start, exact) = worth(&Placement::start())?;
        let (Verdict::Loss, Some(plies)) = (exact.verdict, exact.plies) else {
            return Err("the start is not lost for the side to move".to_owned());
        };
        let mut lost = HashMap::from([(start, plies as u8)]);
        let mut open = vec![start];
        while let Some(number) = open.pop() {
            let mut tries = Vec::new();
            All.position(number as usize).successors::<true>(|next| tries.push(next));
            for position in tries {
                let (_, exact) = worth(&position)?;
                let after =
                    exact.plies.filter(|_| exact.verdict == Verdict::Win).ok_or("a lost position that is not")? - 1;
                if after == 0 {
                    // The winner takes, or reaches the last row: one look is enough.
                    continue;
                }
                let mut answers = Vec::new();
                position.successors::<true>(|next| answers.push(next));
                for answer in answers {
                    let (number, exact) = worth(&answer)?;
                    let best = exact.verdict == Verdict::Loss && exact.plies == Some(after);
                    let seen = matches!(answer.standing::<true>(), Standing::Open(0));
                    if best && !seen && lost.insert(number, after as u8).is_none() {
                        open.push(number);
                    }
                }
            }
        }
        let mut lost: Vec<(u32, u8)> = lost.into_iter().collect();
        lost.sort_unstable();
        let (numbers, plies) = lost.into_iter().unzip();
        Ok(Strategy { numbers, plies })
    }

    /// The one that comes with the program.
    pub fn shipped() -> Self {
        // A test reads it, and it is the same for everybody.
        Self::read(include_bytes!("../../../data/yokai34.strategy")).expect("the file in the program is whole")
    }

    /// How many positions it lists.
    pub fn size(&self) -> usize {
        self.numbers.len()
    }

    /// To be kept: after eight letters the count, then for each position in order how far its number is from the last one's, seven bits a
    /// byte, and half the plies in a byte; a checksum at the end.
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend((self.size() as u32).to_le_bytes());
        let mut last = 0;
        for (&number, &plies) in self.numbers.iter().zip(&self.plies) {
            let mut step = number - last;
            last = number;
            while step >= 128 {
                bytes.push(step as u8 | 128);
                step >>= 7;
            }
            bytes.extend([step as u8, plies / 2]);
        }
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// What was written; or what is wrong with it.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        let (body, sum) = bytes.split_last_chunk().ok_or("this is no strategy: it is too short")?;
        let rest = body.strip_prefix(MAGIC).ok_or("this is no strategy for yokai34")?;
        if checksum(body) != u64::from_le_bytes(*sum) {
            return Err("the strategy is damaged: its checksum is wrong".to_owned());
        }
        let damaged = || "the strategy is damaged: it ends too soon".to_owned();
        let (count, mut rest) = rest.split_first_chunk().ok_or_else(damaged)?;
        let (mut numbers, mut plies) = (Vec::new(), Vec::new());
        let mut number: u32 = 0;
        for _ in 0..u32::from_le_bytes(*count) {
            for shift in (0..32).step_by(7) {
                let (&byte, after) = rest.split_first().ok_or_else(damaged)?;
                rest = after;
                number = number.wrapping_add(u32::from(byte & 127) << shift);
                if byte < 128 {
                    break;
                }
            }
            let (&half, after) = rest.split_first().ok_or_else(damaged)?;
            rest = after;
            numbers.push(number);
            plies.push(half.saturating_mul(2));
        }
        if !numbers.is_sorted() {
            return Err("the strategy is damaged: it is out of order".to_owned());
        }
        Ok(Strategy { numbers, plies })
    }

    /// What a position is worth for the side to move, if the strategy or one look says so: as far as it is lost, or won at once.
    fn known(&self, position: &Yokai34) -> Option<Exact> {
        let exact = |verdict, plies: u8| Exact { verdict, plies: Some(plies.into()), score: None, chance: None };
        let turn = position.outcome_by_history().map_or_else(|| position.turn(&mut Vec::new()), Turn::Over);
        if let Turn::Over(outcome) = turn {
            return Some(over(outcome, position));
        }
        let placement = Placement::of(position).filter(Placement::is_complete)?;
        let number = number_of(&placement);
        match placement.standing::<true>() {
            Standing::Capture => Some(exact(Verdict::Win, 1)),
            // A Koropokkuru that stands on its last row because somebody put it there.
            _ if number.is_none() => None,
            Standing::Goal => Some(exact(Verdict::Win, 1)),
            Standing::Open(0) => Some(exact(Verdict::Loss, 2)),
            _ => self.numbers.binary_search(&number?).ok().map(|place| exact(Verdict::Loss, self.plies[place])),
        }
    }

    /// Every move with its worth for the side that makes it, as far as the strategy says; the best first, those it does not know last.
    pub(super) fn moves(&self, position: &Yokai34, moves: &[Move]) -> Vec<(Move, Option<Exact>)> {
        let after = |mv: Move| {
            let mut next = *position;
            next.play(mv);
            next
        };
        let known = |&mv: &Move| (mv, self.known(&after(mv)).map(|exact| exact.before()));
        let mut known: Vec<(Move, Option<Exact>)> = moves.iter().map(known).collect();
        if !known.iter().any(|(_, exact)| exact.is_some_and(|exact| exact.verdict == Verdict::Win)) {
            // Then the position may be lost, and a listed one. After its moves it is won, which is not listed, but the answers are.
            for (mv, exact) in known.iter_mut().filter(|(_, exact)| exact.is_none()) {
                *exact = self.best_answer(&after(*mv)).map(|exact| exact.before());
            }
        }
        known.sort_by(|(_, a), (_, b)| match (a, b) {
            (Some(a), Some(b)) => b.compare(a),
            (a, b) => b.is_some().cmp(&a.is_some()),
        });
        known
    }

    /// The best of the moves that lead to listed positions.
    fn best_answer(&self, position: &Yokai34) -> Option<Exact> {
        let mut moves = Vec::new();
        position.turn(&mut moves);
        let won = moves.iter().filter_map(|&mv| {
            let mut next = *position;
            next.play(mv);
            self.known(&next).map(|exact| exact.before()).filter(|exact| exact.verdict == Verdict::Win)
        });
        won.max_by(Exact::compare)
    }
}

/// Solves the positions it lists, and those where every move is decided at sight.
impl Solve<Yokai34> for Strategy {
    fn solution(&mut self, position: &Yokai34, _leash: &mut Leash<'_>) -> Result<Solution<Move>, Unsolved> {
        let mut moves = Vec::new();
        position.turn(&mut moves);
        let known = self.moves(position, &moves).into_iter().map(|(mv, exact)| Some((mv, exact?))).collect();
        let unknown = "this position is not in the strategy; the table that `tengen solve yokai34` makes has all";
        from_moves(Option::<Vec<_>>::ok_or_else(known, || Unsolved::Unknown(unknown.to_owned()))?)
    }
}

/// One number for a position and its mirror image, also where each has its own.
fn number_of(position: &Placement) -> Option<u32> {
    let number = All.number(position)?;
    let number = if All.fold(position) == Fold::Alone { number.min(All.number(&position.mirrored())?) } else { number };
    Some(number as u32)
}

/// A number that almost every change of the bytes changes.
pub fn checksum(bytes: &[u8]) -> u64 {
    let words = bytes.chunks(8).map(|chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    });
    words.fold(bytes.len() as u64, |sum, word| mix(sum ^ word))
}

/// Plays by a strategy as far as it goes, and by another player beyond it.
///
/// From a listed position it resists as long as can be; where an answer leads to one it wins as soon as can be.
pub struct Strategist<F> {
    strategy: Strategy,
    fallback: F,
}

impl<F: Player<Yokai34>> Strategist<F> {
    /// Where the strategy knows nothing, `fallback` plays.
    pub fn new(strategy: Strategy, fallback: F) -> Self {
        Strategist { strategy, fallback }
    }
}

impl<F: Player<Yokai34>> Player<Yokai34> for Strategist<F> {
    fn think(
        &mut self,
        line: &Line<Yokai34>,
        limits: &Limits,
        watch: &mut Watch<'_, Move>,
    ) -> Result<Thought<Move>, PlayerError> {
        let mut moves = Vec::new();
        let Turn::Decision(side) = line.turn(&mut moves) else {
            return Err(PlayerError::NothingToDecide);
        };
        let known = self.strategy.moves(line.position(), &moves);
        // A win is a win; a loss is one only if nothing else is left.
        match known[0].1 {
            Some(exact) if exact.verdict == Verdict::Win || known.iter().all(|(_, exact)| exact.is_some()) => {
                let candidates = known.iter().filter_map(|(mv, exact)| Some(exact.as_ref()?.candidate(*mv, side)));
                let (value, depth) = (Pov::of(side, exact.value()), exact.plies.unwrap_or(0));
                let thought = Thought::new(known[0].0, value, moves.len() as u64, depth, candidates.collect());
                Ok(Thought { lead: exact.lead(side), ..thought })
            }
            _ => self.fallback.think(line, limits, watch),
        }
    }
}
