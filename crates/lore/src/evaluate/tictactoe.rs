//! Tic-tac-toe: lines open to Max less lines open to Min, as the course has it.

use tengen_core::{Line, Position, Score};
use tengen_games::tictactoe::{LINES, TicTacToe};
use tengen_search::Heuristic;

/// Rows, columns and diagonals that a side can still complete.
#[derive(Clone, Copy, Default, Debug)]
pub struct OpenLines;

impl Heuristic<TicTacToe> for OpenLines {
    fn score(&mut self, line: &Line<TicTacToe>) -> Score {
        let position = line.position();
        let side = position.to_move();
        // A line is open to a side while the other has no mark on it.
        let open = |against| LINES.iter().filter(|&&squares| position.marks(against) & squares == 0).count() as Score;
        25 * (open(side.other()) - open(side))
    }
}
