//! Exact values with one face for all games, and the player that never makes a mistake.

use super::{Leash, connect4, othello};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt;
use tengen_core::{Line, Outcome, Position, Pov, Side, Turn, Value};
use tengen_games::connect4::Connect4;
use tengen_games::othello::Othello;
use tengen_search::{Candidate, Lead, Limits, Player, PlayerError, Thought, Watch};

/// How a game ends for the side to move when nobody makes a mistake again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It wins.
    Win,
    /// Nobody wins.
    Draw,
    /// It loses.
    Loss,
    /// The dice decide: see [`Exact::chance`].
    Open,
}

impl Verdict {
    /// `win`, `draw`, `loss` or `open`.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Win => "win",
            Verdict::Draw => "draw",
            Verdict::Loss => "loss",
            Verdict::Open => "open",
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
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Exact {
    /// Who wins.
    pub verdict: Verdict,
    /// Moves until the end: the winner plays for a quick one, the loser for a late one. `None` where that is not what is played for.
    pub plies: Option<u32>,
    /// By how much, in the game's own count, where it has one.
    pub score: Option<i32>,
    /// The probability of winning, where dice decide.
    pub chance: Option<f64>,
}

impl Exact {
    /// From −1 to 1.
    pub fn value(&self) -> Value {
        match self.verdict {
            Verdict::Win => 1.0,
            Verdict::Draw => 0.0,
            Verdict::Loss => -1.0,
            Verdict::Open => self.chance.map_or(0.0, |chance| (2.0 * chance - 1.0) as Value),
        }
    }

    /// The worth of the move that leads here, for the side that makes it: the other one.
    pub fn before(&self) -> Exact {
        let verdict = match self.verdict {
            Verdict::Win => Verdict::Loss,
            Verdict::Loss => Verdict::Win,
            same => same,
        };
        Exact {
            verdict,
            plies: self.plies.map(|plies| plies + 1),
            score: self.score.map(|score| -score),
            chance: self.chance.map(|chance| 1.0 - chance),
        }
    }

    /// How far ahead `side` is, whose worth this is: plies to the end where they are counted, else by how much.
    pub(super) fn lead(&self, side: Side) -> Option<Pov<Lead>> {
        let lead = match (self.verdict, self.plies) {
            // No game lasts two thousand million plies.
            (Verdict::Win, Some(plies)) => Lead::EndIn(plies as i32),
            (Verdict::Loss, Some(plies)) => Lead::EndIn(-(plies as i32)),
            _ => Lead::Points(self.score? as f32),
        };
        Some(Pov::of(side, lead))
    }

    /// A move of `side` with this worth, as a player has it.
    pub(super) fn candidate<M: Copy>(&self, mv: M, side: Side) -> Candidate<M> {
        Candidate { lead: self.lead(side), ..Candidate::new(mv, 0, Pov::of(side, self.value())) }
    }

    /// Which of two moves is better for the side that makes them.
    pub fn compare(&self, other: &Exact) -> Ordering {
        // A quick win and a late loss are better.
        let haste = |exact: &Exact| match (exact.verdict, exact.plies) {
            (Verdict::Win, Some(plies)) => -i64::from(plies),
            (Verdict::Loss, Some(plies)) => i64::from(plies),
            _ => 0,
        };
        let chance = |exact: &Exact| exact.chance.unwrap_or(0.0);
        (self.value().total_cmp(&other.value()))
            .then(chance(self).total_cmp(&chance(other)))
            .then(self.score.cmp(&other.score))
            .then(haste(self).cmp(&haste(other)))
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

/// Why there is no solution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unsolved {
    /// The leash was pulled first.
    Stopped,
    /// The solver does not know this position; the text says why.
    Unknown(String),
    /// Something outside went wrong (a file).
    Failed(String),
}

impl fmt::Display for Unsolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unsolved::Stopped => f.write_str("stopped before the position was solved"),
            Unsolved::Unknown(why) | Unsolved::Failed(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Unsolved {}

/// Something that solves positions of a game.
pub trait Solve<P: Position>: Send {
    /// The solution, or why there is none. The game is not over and no dice are to be rolled.
    fn solution(&mut self, position: &P, leash: &mut Leash<'_>) -> Result<Solution<P::Move>, Unsolved>;

    /// Whether the answer comes in the blink of an eye, so that it can be shown with every position.
    fn is_instant(&self, _position: &P) -> bool {
        true
    }
}

/// The best of the moves is the value of the position.
pub(super) fn from_moves<M: Copy>(mut moves: Vec<(M, Exact)>) -> Result<Solution<M>, Unsolved> {
    moves.sort_by(|a, b| b.1.compare(&a.1));
    let nothing = || Unsolved::Unknown("there is nothing to decide in this position".to_owned());
    let &(_, exact) = moves.first().ok_or_else(nothing)?;
    Ok(Solution { exact, moves })
}

/// A solution from the scores of all moves, unless the search for them was stopped.
fn from_scores<M: Copy>(scores: Option<Vec<(M, i32)>>, exact: impl Fn(i32) -> Exact) -> Result<Solution<M>, Unsolved> {
    let scores = scores.ok_or(Unsolved::Stopped)?;
    from_moves(scores.into_iter().map(|(mv, score)| (mv, exact(score))).collect())
}

impl Solve<Connect4> for connect4::Solver {
    fn solution(&mut self, position: &Connect4, leash: &mut Leash<'_>) -> Result<Solution<u8>, Unsolved> {
        from_scores(self.analyse_on(position, leash), |score| {
            let plies = Some(connect4::plies_left(position, score));
            Exact { verdict: Verdict::of(score), plies, score: Some(score), chance: None }
        })
    }

    /// A moment from the sixteenth disc on; the empty board takes a minute.
    fn is_instant(&self, position: &Connect4) -> bool {
        position.ply() >= 16
    }
}

impl<const N: usize> Solve<Othello<N>> for othello::Solver<N> {
    fn solution(&mut self, position: &Othello<N>, leash: &mut Leash<'_>) -> Result<Solution<u8>, Unsolved> {
        from_scores(self.analyse_on(position, leash), |score| Exact {
            verdict: Verdict::of(score),
            plies: None,
            score: Some(score),
            chance: None,
        })
    }

    /// Ten empty squares are nothing.
    fn is_instant(&self, position: &Othello<N>) -> bool {
        position.empties().count_ones() <= 10
    }
}

/// Looks at everything: for games as small as tic-tac-toe, in which no position comes back.
#[derive(Default)]
pub struct Everything {
    known: HashMap<u64, Exact>,
    nodes: u64,
}

impl Everything {
    fn exact<P: Position>(&mut self, position: &P, leash: &mut Leash<'_>) -> Result<Exact, Unsolved> {
        if let Some(&known) = self.known.get(&position.key()) {
            return Ok(known);
        }
        self.nodes += 1;
        leash.tick(self.nodes).ok_or(Unsolved::Stopped)?;
        let mut moves = Vec::new();
        let exact = match position.turn(&mut moves) {
            Turn::Over(outcome) => {
                let verdict = match outcome {
                    Outcome::Draw => Verdict::Draw,
                    Outcome::Win(side) if side == position.to_move() => Verdict::Win,
                    Outcome::Win(_) => Verdict::Loss,
                };
                Exact { verdict, plies: Some(0), score: None, chance: None }
            }
            _ => from_moves(self.moves(position, &moves, leash)?)?.exact,
        };
        self.known.insert(position.key(), exact);
        Ok(exact)
    }

    fn moves<P: Position>(
        &mut self,
        position: &P,
        moves: &[P::Move],
        leash: &mut Leash<'_>,
    ) -> Result<Vec<(P::Move, Exact)>, Unsolved> {
        let after = |&mv: &P::Move| {
            let mut next = position.clone();
            next.play(mv);
            let there = self.exact(&next, leash)?;
            let same = next.to_move() == position.to_move();
            let exact =
                if same { Exact { plies: there.plies.map(|plies| plies + 1), ..there } } else { there.before() };
            Ok((mv, exact))
        };
        moves.iter().map(after).collect()
    }
}

impl<P: Position> Solve<P> for Everything {
    fn solution(&mut self, position: &P, leash: &mut Leash<'_>) -> Result<Solution<P::Move>, Unsolved> {
        let mut moves = Vec::new();
        position.turn(&mut moves);
        from_moves(self.moves(position, &moves, leash)?)
    }
}

/// The player that solves the position and plays the best move there is.
pub struct Perfect<P: Position> {
    solver: Box<dyn Solve<P>>,
    /// Plays where the solver knows nothing.
    otherwise: Option<Box<dyn Player<P>>>,
}

impl<P: Position> Perfect<P> {
    /// Plays what `solver` finds.
    pub fn new(solver: Box<dyn Solve<P>>) -> Self {
        Perfect { solver, otherwise: None }
    }

    /// In positions that the solver does not know, another player plays.
    pub fn otherwise(self, player: Box<dyn Player<P>>) -> Self {
        Perfect { otherwise: Some(player), ..self }
    }
}

impl<P: Position> Player<P> for Perfect<P> {
    fn think(
        &mut self,
        line: &Line<P>,
        limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
    ) -> Result<Thought<P::Move>, PlayerError> {
        let Turn::Decision(side) = line.turn(&mut Vec::new()) else {
            return Err(PlayerError::NothingToDecide);
        };
        let mut nodes = 0;
        let solution = self.solver.solution(line.position(), &mut Leash::new(watch.stop, &mut |count| nodes = count));
        let Solution { exact, moves } = match (solution, &mut self.otherwise) {
            (Ok(solution), _) => solution,
            (Err(Unsolved::Unknown(_)), Some(player)) => return player.think(line, limits, watch),
            (Err(why), _) => return Err(PlayerError::Failed(why.to_string())),
        };
        // A solution has at least one move: the line stands at a decision.
        let best = moves[0].0;
        let candidates = moves.iter().map(|(mv, exact)| exact.candidate(*mv, side)).collect();
        let depth = exact.plies.unwrap_or(0);
        let thought = Thought::new(best, Pov::of(side, exact.value()), nodes.max(1), depth, candidates);
        Ok(Thought { lead: exact.lead(side), ..thought })
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
        use tengen_search::{Blank, DepthFirst, Stopper, WIN, mated_in, negamax};
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
            let mut line = Line::new(position);
            let mut search = DepthFirst::new(&mut blank, &line, Stopper::new(&limits, 0, &clock, &stop));
            let score = negamax(&mut search, &mut line, 9, 0);
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
