//! From the bytes of an analysis to the solution of a position.

use super::placement::{Placement, Standing};
use super::retrograde::{Cell, Retrograde};
use super::space::{All, Space};
use crate::solve::exact::from_moves;
use crate::solve::{Exact, Leash, Solution, Solve, Unsolved, Verdict};
use tengen_core::{Outcome, Position, Turn};
use tengen_games::yokai::{Move, Yokai34};

/// Where the bytes of all positions are kept: in memory, or in a file.
pub trait Lookup: Send {
    /// The byte of a number; or why it cannot be had.
    fn cell(&mut self, number: usize) -> Result<Cell, String>;
}

impl Lookup for Retrograde<All> {
    fn cell(&mut self, number: usize) -> Result<Cell, String> {
        Ok(Retrograde::cell(self, number))
    }
}

/// Solves any position with all its pieces, by looking it up.
pub struct Solver<L>(pub L);

impl<L: Lookup> Solver<L> {
    /// What a position is worth for the side to move, the game so far considered.
    fn worth(&mut self, position: &Yokai34) -> Result<Exact, Unsolved> {
        let mut moves = Vec::new();
        let turn = position.outcome_by_history().map_or_else(|| position.turn(&mut moves), Turn::Over);
        if let Turn::Over(outcome) = turn {
            return Ok(over(outcome, position));
        }
        self.open(position, &moves)
    }

    /// The same for a position that is not over, with its moves.
    fn open(&mut self, position: &Yokai34, moves: &[Move]) -> Result<Exact, Unsolved> {
        let placement = Placement::of(position).filter(Placement::is_complete);
        let placement = placement.ok_or_else(|| {
            Unsolved::Unknown("only positions with all pieces, on the board or in a hand, are solved".to_owned())
        })?;
        match All.number(&placement) {
            Some(number) => Ok(self.0.cell(number).map_err(Unsolved::Failed)?.exact()),
            // The Koropokkuru stand side by side, or one is on its last row; then one look or one move is enough.
            None if placement.standing::<true>() == Standing::Capture => {
                Ok(Exact { verdict: Verdict::Win, plies: Some(1), score: None, chance: None })
            }
            None => Ok(self.moves(position, moves)?.exact),
        }
    }

    fn moves(&mut self, position: &Yokai34, moves: &[Move]) -> Result<Solution<Move>, Unsolved> {
        let mut exact = Vec::with_capacity(moves.len());
        for &mv in moves {
            let mut next = *position;
            next.play(mv);
            exact.push((mv, self.worth(&next)?.before()));
        }
        from_moves(exact)
    }
}

/// Whether a position's byte is what follows from one look and from the bytes of the positions that its moves lead to.
pub fn holds<S: Space>(
    space: &S,
    number: usize,
    mut cell: impl FnMut(usize) -> Result<Cell, String>,
) -> Result<bool, String> {
    let position = space.position(number);
    let standing = if S::DROPS { position.standing::<true>() } else { position.standing::<false>() };
    let decided = |verdict, plies| Exact { verdict, plies: Some(plies), score: None, chance: None };
    let mut best = match standing {
        Standing::Capture | Standing::Goal => decided(Verdict::Win, 1),
        Standing::Stuck => decided(Verdict::Loss, 0),
        // A move that lets the Koropokkuru be taken is answered by that.
        Standing::Open(_) => decided(Verdict::Loss, 2),
    };
    if let Standing::Open(_) = standing {
        let mut after = Vec::new();
        let add = |next| after.push(next);
        if S::DROPS {
            position.successors::<true>(add)
        } else {
            position.successors::<false>(add)
        }
        for next in after {
            let there = space.number(&next).ok_or("a move leads to a position without a number")?;
            let exact = cell(there)?.exact().before();
            if exact.compare(&best).is_gt() {
                best = exact;
            }
        }
    }
    Ok(cell(number)?.exact() == best)
}

/// What a game that is over is worth for the side that would be next.
pub(super) fn over(outcome: Outcome, position: &Yokai34) -> Exact {
    let verdict = match outcome {
        Outcome::Draw => Verdict::Draw,
        Outcome::Win(side) if side == position.to_move() => Verdict::Win,
        Outcome::Win(_) => Verdict::Loss,
    };
    Exact { verdict, plies: Some(0), score: None, chance: None }
}

impl<L: Lookup> Solve<Yokai34> for Solver<L> {
    fn solution(&mut self, position: &Yokai34, _leash: &mut Leash<'_>) -> Result<Solution<Move>, Unsolved> {
        let mut moves = Vec::new();
        position.turn(&mut moves);
        self.moves(position, &moves)
    }
}
