//! Exact values with one face for all games, and the player that never makes a mistake.

use super::{Leash, connect4, othello};
use crate::{Candidate, Lead, Limits, Player, PlayerError, Thought, Watch};
use std::cmp::Ordering;
use std::collections::HashMap;
use tengen_core::{Line, Outcome, Position, Turn, Value};
use tengen_games::connect4::Connect4;
use tengen_games::othello::Othello;

/// How a game ends for the side to move when nobody makes a mistake again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It wins.
    Win,
    /// Nobody wins.
    Draw,
    /// It loses.
    Loss,
}

impl Verdict {
    /// `win`, `draw` or `loss`.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Win => "win",
            Verdict::Draw => "draw",
            Verdict::Loss => "loss",
        }
    }

    fn of(score: i32) -> Self {
        match score {
            0 => Verdict::Draw,
            1.. => Verdict::Win,
            _ => Verdict::Loss,
        }
    }
}

/// The exact value of a position or a move, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exact {
    /// Who wins.
    pub verdict: Verdict,
    /// Moves until the end: the winner plays for a quick one, the loser for a late one. `None` where that is not what is played for.
    pub plies: Option<u32>,
    /// By how much, in the game's own count, where it has one.
    pub score: Option<i32>,
}

impl Exact {
    /// From −1 to 1.
    pub fn value(&self) -> Value {
        match self.verdict {
            Verdict::Win => 1.0,
            Verdict::Draw => 0.0,
            Verdict::Loss => -1.0,
        }
    }

    /// How far ahead that is: plies to the end where they are counted, else by how much.
    fn lead(&self) -> Option<Lead> {
        match (self.verdict, self.plies) {
            // No game lasts two thousand million plies.
            (Verdict::Win, Some(plies)) => Some(Lead::EndIn(plies as i32)),
            (Verdict::Loss, Some(plies)) => Some(Lead::EndIn(-(plies as i32))),
            _ => self.score.map(|score| Lead::Points(score as f32)),
        }
    }

    /// Which of two moves is better for the side that makes them.
    pub fn compare(&self, other: &Exact) -> Ordering {
        // A quick win and a late loss are better.
        let haste = |exact: &Exact| match (exact.verdict, exact.plies) {
            (Verdict::Win, Some(plies)) => -i64::from(plies),
            (Verdict::Loss, Some(plies)) => i64::from(plies),
            _ => 0,
        };
        (self.value().total_cmp(&other.value())).then(self.score.cmp(&other.score)).then(haste(self).cmp(&haste(other)))
    }
}

/// Everything about one position.
#[derive(Clone, PartialEq, Debug)]
pub struct Solution<M> {
    /// The position's value for the side to move.
    pub exact: Exact,
    /// Every legal move with its value for the side that makes it, the best first.
    pub moves: Vec<(M, Exact)>,
}

/// Something that solves positions of a game.
pub trait Solve<P: Position>: Send {
    /// The solution, or `None` if the leash was pulled first. The game is not over and no dice are to be rolled.
    fn solution(&mut self, position: &P, leash: &mut Leash<'_>) -> Option<Solution<P::Move>>;
}

/// The best of the moves is the value of the position.
fn from_moves<M: Copy>(mut moves: Vec<(M, Exact)>) -> Option<Solution<M>> {
    moves.sort_by(|a, b| b.1.compare(&a.1));
    let &(_, exact) = moves.first()?;
    Some(Solution { exact, moves })
}

impl Solve<Connect4> for connect4::Solver {
    fn solution(&mut self, position: &Connect4, leash: &mut Leash<'_>) -> Option<Solution<u8>> {
        let moves = self.analyse_on(position, leash)?.into_iter();
        let exact = |(mv, score)| {
            let plies = Some(connect4::plies_left(position, score));
            (mv, Exact { verdict: Verdict::of(score), plies, score: Some(score) })
        };
        from_moves(moves.map(exact).collect())
    }
}

impl<const N: usize> Solve<Othello<N>> for othello::Solver<N> {
    fn solution(&mut self, position: &Othello<N>, leash: &mut Leash<'_>) -> Option<Solution<u8>> {
        let moves = self.analyse_on(position, leash)?.into_iter();
        let exact = |(mv, score)| (mv, Exact { verdict: Verdict::of(score), plies: None, score: Some(score) });
        from_moves(moves.map(exact).collect())
    }
}

/// Looks at everything: for games as small as tic-tac-toe, in which no position comes back.
#[derive(Default)]
pub struct Everything {
    known: HashMap<u64, Exact>,
    nodes: u64,
}

impl Everything {
    fn exact<P: Position>(&mut self, position: &P, leash: &mut Leash<'_>) -> Option<Exact> {
        if let Some(&known) = self.known.get(&position.key()) {
            return Some(known);
        }
        self.nodes += 1;
        leash.tick(self.nodes)?;
        let mut moves = Vec::new();
        let exact = match position.turn(&mut moves) {
            Turn::Over(outcome) => {
                let verdict = match outcome {
                    Outcome::Draw => Verdict::Draw,
                    Outcome::Win(side) if side == position.to_move() => Verdict::Win,
                    Outcome::Win(_) => Verdict::Loss,
                };
                Exact { verdict, plies: Some(0), score: None }
            }
            _ => from_moves(self.moves(position, &moves, leash)?)?.exact,
        };
        self.known.insert(position.key(), exact);
        Some(exact)
    }

    fn moves<P: Position>(
        &mut self,
        position: &P,
        moves: &[P::Move],
        leash: &mut Leash<'_>,
    ) -> Option<Vec<(P::Move, Exact)>> {
        let after = |&mv: &P::Move| {
            let mut next = position.clone();
            next.play(mv);
            let there = self.exact(&next, leash)?;
            let verdict = match there.verdict {
                _ if next.to_move() == position.to_move() => there.verdict,
                Verdict::Win => Verdict::Loss,
                Verdict::Draw => Verdict::Draw,
                Verdict::Loss => Verdict::Win,
            };
            Some((mv, Exact { verdict, plies: there.plies.map(|plies| plies + 1), score: None }))
        };
        moves.iter().map(after).collect()
    }
}

impl<P: Position> Solve<P> for Everything {
    fn solution(&mut self, position: &P, leash: &mut Leash<'_>) -> Option<Solution<P::Move>> {
        let mut moves = Vec::new();
        position.turn(&mut moves);
        from_moves(self.moves(position, &moves, leash)?)
    }
}

/// The player that solves the position and plays the best move there is.
pub struct Perfect<P: Position> {
    solver: Box<dyn Solve<P>>,
}

impl<P: Position> Perfect<P> {
    /// Plays what `solver` finds.
    pub fn new(solver: Box<dyn Solve<P>>) -> Self {
        Perfect { solver }
    }
}

impl<P: Position> Player<P> for Perfect<P> {
    fn think(
        &mut self,
        line: &Line<P>,
        _limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
    ) -> Result<Thought<P::Move>, PlayerError> {
        if !matches!(line.turn(&mut Vec::new()), Turn::Decision(_)) {
            return Err(PlayerError::NothingToDecide);
        }
        let mut nodes = 0;
        let solution = self.solver.solution(line.position(), &mut Leash::new(watch.stop, &mut |count| nodes = count));
        let Some(Solution { exact, moves }) = solution else {
            return Err(PlayerError::Failed("stopped before the position was solved".to_owned()));
        };
        // A solution has at least one move: the line stands at a decision.
        let best = moves[0].0;
        let candidate =
            |&(mv, exact): &(P::Move, Exact)| Candidate { lead: exact.lead(), ..Candidate::new(mv, 0, exact.value()) };
        let candidates = moves.iter().map(candidate).collect();
        let depth = exact.plies.unwrap_or(0);
        let thought = Thought::new(best, exact.value(), nodes.max(1), depth, candidates);
        Ok(Thought { lead: exact.lead(), ..thought })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;
    use tengen_core::Notation;
    use tengen_games::tictactoe::TicTacToe;

    fn solve<P: Notation>(text: &str, solver: &mut dyn Solve<P>) -> (Verdict, Option<u32>, Vec<String>) {
        let position = P::read(text).expect(text);
        let (stop, mut report) = (AtomicBool::new(false), |_| {});
        let solution = solver.solution(&position, &mut Leash::new(&stop, &mut report)).expect("nobody stops it");
        let best = solution.moves.iter().filter(|(_, exact)| exact.compare(&solution.exact).is_eq());
        (solution.exact.verdict, solution.exact.plies, best.map(|&(mv, _)| position.write_move(mv)).collect())
    }

    /// Every position of the game: the plain search says the same, and how long it takes.
    #[test]
    fn tictactoe() {
        use crate::{Blank, DepthFirst, Stopper, WIN, mated_in, negamax};
        let mut solver = Everything::default();
        let solver: &mut dyn Solve<TicTacToe> = &mut solver;
        assert_eq!(solve(".../.../...", solver).0, Verdict::Draw);
        assert_eq!(solve("XX./OO./...", solver), (Verdict::Win, Some(1), vec!["c3".to_owned()]));
        let (clock, stop) = (std::time::Instant::now(), AtomicBool::new(false));
        for seed in 0..200 {
            let mut rng = tengen_core::Rng::with_seed(seed);
            let mut position = TicTacToe::new();
            if position.playout(&mut rng, 1 + seed as u32 % 6, |_, _| {}).is_some() {
                continue;
            }
            let (mut blank, limits) = (Blank, Limits::default());
            let mut search = DepthFirst::new(&mut blank, Stopper::new(&limits, 0, &clock, &stop));
            let score = negamax(&mut search, &mut Line::new(position), 9, 0);
            let (verdict, plies, _) = solve(&position.write(), solver);
            let expected = match score {
                0 => Verdict::Draw,
                1..=WIN => Verdict::Win,
                _ => Verdict::Loss,
            };
            assert_eq!(verdict, expected, "{}", position.write());
            if let Some(moves) = mated_in(score) {
                assert_eq!(plies, Some(moves), "{}", position.write());
            }
        }
    }

    #[test]
    fn connect4() {
        let mut solver = connect4::Solver::new(1 << 20);
        let solver: &mut dyn Solve<Connect4> = &mut solver;
        assert_eq!(solve("414243", solver), (Verdict::Win, Some(1), vec!["4".to_owned()]));
    }
}
