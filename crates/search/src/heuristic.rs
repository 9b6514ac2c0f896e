//! Judging a position without searching it.

use tengen_core::{Line, Outcome, Position, Pov, Score, Side, Value};

/// The score of a game that is won; a win `n` plies below the root of a search counts `WIN − n`.
pub const WIN: Score = 1_000_000;

/// Scores at least this far from zero are won or lost games, not guesses.
const DECIDED: Score = WIN - 10_000;

/// Whether a score says that the game is won or lost, rather than how it looks.
pub fn is_decided(score: Score) -> bool {
    score.abs() >= DECIDED
}

/// In how many plies the game ends, if the score says that it is decided.
pub fn mated_in(score: Score) -> Option<u32> {
    is_decided(score).then(|| (WIN - score.abs()).unsigned_abs())
}

/// A static evaluation: the searches' hook for knowledge of a game.
///
/// One that keeps a picture of its own (a network with an accumulator) follows the search by `begin`, `pushed` and `popped`: it is only asked about the
/// position where the last of them left it. One that looks at each position afresh needs none of the three.
pub trait Heuristic<P: Position>: Send {
    /// A search begins at the end of this line.
    fn begin(&mut self, _line: &Line<P>) {}

    /// The search has gone one move further; or has passed, with no move.
    #[inline]
    fn pushed(&mut self, _before: &P, _mv: Option<P::Move>, _after: &P) {}

    /// The search has taken the last move, or the last pass, back.
    #[inline]
    fn popped(&mut self) {}

    /// How the position at the end of the line looks for the side to move: 100 is about a pawn, a stone, a
    /// checker; 0 is even. The game is not over, and the result stays well inside ±[`WIN`].
    fn score(&mut self, line: &Line<P>) -> Score;

    /// The score of a finished game for `side`, `ply` moves below the root: sooner wins count more.
    fn over(&mut self, _line: &Line<P>, outcome: Outcome, side: Side, ply: u32) -> Score {
        match outcome {
            Outcome::Draw => 0,
            Outcome::Win(winner) if winner == side => WIN - ply as Score,
            Outcome::Win(_) => ply as Score - WIN,
        }
    }

    /// The moves worth following beyond the depth limit; none by default. `moves` holds the legal ones.
    fn unquiet(&mut self, _line: &Line<P>, moves: &mut Vec<P::Move>) {
        moves.clear();
    }

    /// How a move looks before it is searched: 0 for a quiet one; those with more are tried earlier, the best first.
    fn promise(&mut self, _line: &Line<P>, _mv: P::Move) -> u32 {
        0
    }

    /// Whether something must be done at once, such as when a king is attacked. A selective search looks a ply deeper.
    fn urgent(&mut self, _line: &Line<P>) -> bool {
        false
    }

    /// The position after a pass of the side to move, though the rules may have none. A selective search that is well off even so takes
    /// the position for good; `None` where that would be rash. Only asked where nothing is urgent.
    fn passed(&mut self, _line: &Line<P>) -> Option<P> {
        None
    }

    /// The least and the greatest value there is.
    fn value_bounds(&self) -> (Value, Value) {
        (-1.0, 1.0)
    }

    /// What a score means as an expected outcome.
    fn value(&self, score: Score) -> Value {
        if is_decided(score) {
            return if score > 0 { 1.0 } else { -1.0 };
        }
        // CITE: the logistic curve of chess ratings: 400 points of lead win ten games of eleven.
        2.0 / (1.0 + 10f32.powf(-score as f32 / 400.0)) - 1.0
    }

    /// The score of the position at the end of any line as an expected outcome.
    fn estimate(&mut self, line: &Line<P>) -> Pov<Value> {
        self.begin(line);
        let score = self.score(line);
        Pov::of(line.position().to_move(), self.value(score))
    }
}

/// No opinion: everything that is not over is even. Searches with it see only what they can count out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Blank;

impl<P: Position> Heuristic<P> for Blank {
    fn score(&mut self, _line: &Line<P>) -> Score {
        0
    }
}
