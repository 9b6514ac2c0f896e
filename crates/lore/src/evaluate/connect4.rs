//! Connect Four: threats, and where they stand.
//!
//! An empty square that would complete a four is a threat. Towards the end of the game the players are forced to
//! fill columns from below, and then First gets the odd rows and Second the even ones: a threat there is worth more.

use tengen_core::{Line, Position, Score, Side};
use tengen_games::connect4::{BOTTOM, Connect4};
use tengen_search::Heuristic;

/// Threats of either side, and discs in the middle, through which more fours run.
#[derive(Clone, Copy, Default, Debug)]
pub struct Threats;

/// Rows 1, 3 and 5.
const ODD_ROWS: u64 = BOTTOM | BOTTOM << 2 | BOTTOM << 4;

impl Threats {
    fn of(position: &Connect4, side: Side) -> Score {
        let threats = position.winning_squares(side);
        let good_rows = if side == Side::First { ODD_ROWS } else { ODD_ROWS << 1 };
        let discs = position.discs(side);
        // Columns of seven bits, the middle one being number 3.
        let column = |number: u32| (discs >> (7 * number) & 0x3f).count_ones() as Score;
        40 * threats.count_ones() as Score
            + 50 * (threats & good_rows).count_ones() as Score
            + 9 * column(3)
            + 6 * (column(2) + column(4))
            + 3 * (column(1) + column(5))
    }
}

impl Heuristic<Connect4> for Threats {
    fn score(&mut self, line: &Line<Connect4>) -> Score {
        let position = line.position();
        let side = position.to_move();
        Threats::of(position, side) - Threats::of(position, side.other())
    }
}
