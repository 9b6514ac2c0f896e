//! The second player's way to win, small enough to carry along.
//!
//! A strategy is a set of positions that are lost for the side to move, each with the plies to the end: the start; and
//! for every move from one of them, one position that an answer leads to, and that is lost as soon as can be. So it holds an answer to everything
//! the loser may try, and says in between how long each try lasts. A position whose Koropokkuru cannot be saved any more is seen without being listed.

use super::placement::{Placement, Standing};
use super::retrograde::Cell;
use super::solver::over;
use super::space::{All, Fold, Space};
use crate::solve::{Exact, Verdict};
use crate::{Candidate, Limits, Player, PlayerError, Thought, Watch};
use std::collections::{BTreeMap, HashMap};
use tengen_core::{Line, Position, Turn, mix};
use tengen_games::yokai::{Move, Yokai34};

/// Positions that are lost for the side to move, and in how many plies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Strategy {
    lost: HashMap<u32, u8>,
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
        let mut strategy = Strategy { lost: HashMap::from([(start, plies as u8)]) };
        // By the plies to the end: an answer is always nearer to it, so that the last entry needs no more answers than it has.
        let mut open = BTreeMap::from([(plies, vec![start])]);
        while let Some((_, numbers)) = open.pop_last() {
            for number in numbers {
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
                    let mut best: Option<(u8, u32)> = None;
                    for answer in answers {
                        let (number, exact) = worth(&answer)?;
                        if exact.verdict != Verdict::Loss || exact.plies != Some(after) {
                            continue;
                        }
                        // The cheapest is one that is seen or there already; then one that leaves few moves.
                        let moves = match answer.standing::<true>() {
                            Standing::Open(moves) if !strategy.lost.contains_key(&number) => moves,
                            _ => 0,
                        };
                        best = best.min(Some((moves, number))).or(Some((moves, number)));
                    }
                    let (moves, number) = best.ok_or("a won position without a winning move")?;
                    if moves > 0 {
                        strategy.lost.insert(number, after as u8);
                        open.entry(after).or_default().push(number);
                    }
                }
            }
        }
        Ok(strategy)
    }

    /// The one that comes with the program.
    pub fn shipped() -> Self {
        // A test reads it, and it is the same for everybody.
        Self::read(include_bytes!("../../../data/yokai34.strategy")).expect("the file in the program is whole")
    }

    /// How many positions it lists.
    pub fn size(&self) -> usize {
        self.lost.len()
    }

    /// To be kept: after eight letters the count, then for each position in order how far its number is from the last one's, seven bits a
    /// byte, and half the plies in a byte; a checksum at the end.
    pub fn write(&self) -> Vec<u8> {
        let mut lost: Vec<(u32, u8)> = self.lost.iter().map(|(&number, &plies)| (number, plies)).collect();
        lost.sort_unstable();
        let mut bytes = MAGIC.to_vec();
        bytes.extend((lost.len() as u32).to_le_bytes());
        let mut last = 0;
        for (number, plies) in lost {
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
        let mut lost = HashMap::new();
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
            lost.insert(number, half.saturating_mul(2));
        }
        Ok(Strategy { lost })
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
            _ => self.lost.get(&number?).map(|&plies| exact(Verdict::Loss, plies)),
        }
    }

    /// Every move with its worth for the side that makes it, as far as the strategy says; the best first, those it does not know last.
    fn moves(&self, position: &Yokai34, moves: &[Move]) -> Vec<(Move, Option<Exact>)> {
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
        if !matches!(line.turn(&mut moves), Turn::Decision(_)) {
            return Err(PlayerError::NothingToDecide);
        }
        let known = self.strategy.moves(line.position(), &moves);
        // A win is a win; a loss is one only if nothing else is left.
        match known[0].1 {
            Some(exact) if exact.verdict == Verdict::Win || known.iter().all(|(_, exact)| exact.is_some()) => {
                let candidate = |&(mv, exact): &(Move, Option<Exact>)| {
                    let exact = exact?;
                    Some(Candidate { lead: exact.lead(), ..Candidate::new(mv, 0, exact.value()) })
                };
                let candidates = known.iter().filter_map(candidate).collect();
                let depth = exact.plies.unwrap_or(0);
                let thought = Thought::new(known[0].0, exact.value(), moves.len() as u64, depth, candidates);
                Ok(Thought { lead: exact.lead(), ..thought })
            }
            _ => self.fallback.think(line, limits, watch),
        }
    }
}
