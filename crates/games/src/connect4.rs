//! Connect Four: discs fall into seven columns of six, and four in a row win.
//!
//! Two bitboards, seven columns of six with a spare row on top of each, so that no line of four wraps:
//!
//! ```text
//!   6 13 20 27 34 41 48      the spare row: never a disc
//!   5 12 19 26 33 40 47
//!   4 11 18 25 32 39 46
//!   3 10 17 24 31 38 45
//!   2  9 16 23 30 37 44
//!   1  8 15 22 29 36 43
//!   0  7 14 21 28 35 42      one step right is 7 bits, up 1, up and right 8, down and right 6
//! ```

use tengen_core::{
    Board, Cell, Drawn, Notation, Outcome, Picture, Piece, Position, Reason, Rng, Side, Symmetry, TextError, Turn, mix,
    no_such_piece, refuse,
};

/// How many columns there are.
pub const WIDTH: u32 = 7;

/// How many discs a column holds.
pub const HEIGHT: u32 = 6;

/// How many squares there are, so also the length of the longest game.
pub const SQUARES: u32 = WIDTH * HEIGHT;

/// From a square to its right neighbour: a column and its spare square.
const STRIDE: u32 = HEIGHT + 1;

/// The lowest square of every column.
pub const BOTTOM: u64 = 1 | 1 << 7 | 1 << 14 | 1 << 21 | 1 << 28 | 1 << 35 | 1 << 42;

/// The highest square of every column, below the spare row.
pub const TOP: u64 = BOTTOM << (HEIGHT - 1);

/// All squares of the board.
pub const BOARD: u64 = BOTTOM * ((1 << HEIGHT) - 1);

const ALL_COLUMNS: [u8; WIDTH as usize] = [0, 1, 2, 3, 4, 5, 6];

/// A position of Connect Four.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Connect4 {
    /// The discs of the side to move.
    mover: u64,
    /// The discs of both sides.
    mask: u64,
}

impl Connect4 {
    /// The empty board.
    pub fn new() -> Self {
        Connect4::default()
    }

    /// The discs of a side.
    #[inline]
    pub fn discs(&self, side: Side) -> u64 {
        if side == self.to_move() { self.mover } else { self.mover ^ self.mask }
    }

    /// The discs of the side to move.
    #[inline]
    pub fn mover(&self) -> u64 {
        self.mover
    }

    /// The discs of both sides.
    #[inline]
    pub fn mask(&self) -> u64 {
        self.mask
    }

    /// How many discs have been played.
    #[inline]
    pub fn ply(&self) -> u32 {
        self.mask.count_ones()
    }

    /// How many discs lie in each column.
    pub fn heights(&self) -> [u32; WIDTH as usize] {
        ALL_COLUMNS.map(|column| (self.mask & column_squares(column)).count_ones())
    }

    /// The squares where the next disc can land. It does not ask whether the game is over.
    #[inline]
    pub fn playable(&self) -> u64 {
        (self.mask + BOTTOM) & BOARD
    }

    /// The empty squares, whether playable now or not, where a disc of this side would complete a four.
    pub fn winning_squares(&self, side: Side) -> u64 {
        completing(self.discs(side)) & BOARD & !self.mask
    }

    fn outcome(&self) -> Option<Outcome> {
        // Only the side that moved last can have completed a four.
        if has_four(self.mover ^ self.mask) {
            Some(Outcome::Win(self.to_move().other()))
        } else {
            (self.mask == BOARD).then_some(Outcome::Draw)
        }
    }
}

/// Whether there are four in a row among these squares.
#[inline]
pub fn has_four(discs: u64) -> bool {
    let mut fours = 0;
    for step in [1, STRIDE - 1, STRIDE, STRIDE + 1] {
        let pairs = discs & discs >> step;
        fours |= pairs & pairs >> (2 * step);
    }
    fours != 0
}

/// All squares that would make four in a row with three of these, be they empty, taken or off the board.
#[inline]
pub fn completing(discs: u64) -> u64 {
    // Upwards there is nothing above the square yet: the three lie below it.
    let mut squares = discs << 1 & discs << 2 & discs << 3;
    for step in [STRIDE - 1, STRIDE, STRIDE + 1] {
        let (left, right) = (discs << step, discs >> step);
        let left_two = left & discs << (2 * step);
        let right_two = right & discs >> (2 * step);
        squares |= left_two & (discs << (3 * step) | right);
        squares |= right_two & (discs >> (3 * step) | left);
    }
    squares
}

/// The six squares of a column.
#[inline]
pub fn column_squares(column: u8) -> u64 {
    ((1 << HEIGHT) - 1) << (u32::from(column) * STRIDE)
}

impl Position for Connect4 {
    /// The number of the column, from zero.
    type Move = u8;

    #[inline]
    fn to_move(&self) -> Side {
        if self.mask.count_ones() & 1 == 0 { Side::First } else { Side::Second }
    }

    #[inline]
    fn turn(&self, moves: &mut Vec<u8>) -> Turn {
        moves.clear();
        let side = self.to_move();
        if has_four(self.mover ^ self.mask) {
            return Turn::Over(Outcome::Win(side.other()));
        }
        let mut open = TOP & !self.mask;
        if open == TOP {
            moves.extend_from_slice(&ALL_COLUMNS);
        } else if open == 0 {
            return Turn::Over(Outcome::Draw);
        } else {
            while open != 0 {
                moves.push((open.trailing_zeros() / STRIDE) as u8);
                open &= open - 1;
            }
        }
        Turn::Decision(side)
    }

    #[inline]
    fn play(&mut self, mv: u8) {
        debug_assert!(self.mask & TOP & column_squares(mv) == 0, "column {mv} is full");
        self.mover ^= self.mask;
        // The carry climbs over the discs of the column.
        self.mask |= self.mask + (1 << (u32::from(mv) * STRIDE));
    }

    #[inline]
    fn key(&self) -> u64 {
        mix(self.packed())
    }

    #[inline]
    fn code(mv: u8) -> u16 {
        mv.into()
    }

    fn playout<F: FnMut(Side, u8)>(&mut self, rng: &mut Rng, cap: u32, mut seen: F) -> Option<Outcome> {
        if let Some(outcome) = self.outcome() {
            return Some(outcome);
        }
        // The open columns, one a byte, each as the number of its lowest square.
        let (mut columns, mut open) = (0_u64, 0_u32);
        for column in ALL_COLUMNS {
            if self.mask & TOP & column_squares(column) == 0 {
                columns |= (u64::from(column) * u64::from(STRIDE)) << (8 * open);
                open += 1;
            }
        }
        let mut side = self.to_move();
        let (mut mover, mut mask) = (self.mover, self.mask);
        let mut outcome = None;
        for _ in 0..cap {
            // 32 random bits times at most seven: no column is favoured by more than one part in 600 million.
            let choice = 8 * (((rng.u64(..) >> 32) * u64::from(open)) >> 32);
            let foot = (columns >> choice) as u8;
            seen(side, foot / STRIDE as u8);
            let disc = (mask + (1 << (foot & 63))) & !mask;
            mask |= disc;
            let placed = mover | disc;
            mover = placed ^ mask;
            if has_four(placed) {
                outcome = Some(Outcome::Win(side));
                break;
            }
            if disc & TOP != 0 {
                let below = (1 << choice) - 1;
                columns = columns & below | columns >> 8 & !below;
                open -= 1;
                if open == 0 {
                    outcome = Some(Outcome::Draw);
                    break;
                }
            }
            side = side.other();
        }
        *self = Connect4 { mover, mask };
        outcome
    }
}

impl Connect4 {
    /// The whole position in 49 bits: the sum puts in each column a bit above the discs, then who owns them.
    #[inline]
    pub fn packed(&self) -> u64 {
        self.mover + self.mask
    }
}

impl Notation for Connect4 {
    /// Rows from the top, `......./......./......./......./...O.../...X...`; X begins, so the side to move need not
    /// be written.
    fn write(&self) -> String {
        let row = |row: u32| (0..WIDTH).map(|column| self.letter(column, row)).collect::<String>();
        (0..HEIGHT).rev().map(row).collect::<Vec<_>>().join("/")
    }

    /// Six rows as `write` makes them, or the columns played from the empty board, like `4453`.
    fn read(text: &str) -> Result<Self, TextError> {
        let text = text.trim();
        if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
            return read_columns(text);
        }
        read_rows(text)?.checked()
    }

    fn write_move(&self, mv: u8) -> String {
        (mv + 1).to_string()
    }

    fn read_move(&self, text: &str) -> Result<u8, TextError> {
        match text.trim().as_bytes() {
            &[digit @ b'1'..=b'7'] => self.check_move(digit - b'1'),
            _ => Err(TextError::new(format!("{} is not a column: they are 1 to 7", refuse(text)))),
        }
    }
}

impl Connect4 {
    /// These discs of either side; their number says whose turn it is.
    fn with_discs(discs: [u64; 2]) -> Self {
        let mask = discs[0] | discs[1];
        let to_move = Connect4 { mover: 0, mask }.to_move();
        Connect4 { mover: discs[to_move.index()], mask }
    }

    /// The position, if a game can lead to it. Every disc lies on another one or on the ground.
    fn checked(self) -> Result<Self, TextError> {
        let [x, o] = Side::BOTH.map(|side| self.discs(side).count_ones());
        if x != o && x != o + 1 {
            return Err(TextError::new(format!("X begins and they alternate: there cannot be {x} X and {o} O")));
        }
        if has_four(self.mover) {
            return Err(TextError::new("the side to move already has four in a row"));
        }
        let last = self.mover ^ self.mask;
        // The highest disc of each column: above it there is nothing.
        let tops = self.mask & !(self.mask >> 1);
        let mut taken_back = ALL_COLUMNS.iter().map(|&column| last & !(tops & column_squares(column)));
        if has_four(last) && taken_back.all(has_four) {
            return Err(TextError::new("no single last disc can have made all these fours"));
        }
        Ok(self)
    }

    fn letter(&self, column: u32, row: u32) -> char {
        let square = column * STRIDE + row;
        match Side::BOTH.map(|side| self.discs(side) >> square & 1 == 1) {
            [true, _] => 'X',
            [_, true] => 'O',
            _ => '.',
        }
    }

    /// The column, if a disc may be played there, or why not.
    fn check_move(&self, column: u8) -> Result<u8, TextError> {
        if self.outcome().is_some() {
            return Err(TextError::over());
        }
        if self.mask & TOP & column_squares(column) != 0 {
            return Err(TextError::because(Reason::Occupied, format!("column {} is full", column + 1)));
        }
        Ok(column)
    }
}

/// The position after these columns, each a digit.
fn read_columns(digits: &str) -> Result<Connect4, TextError> {
    let mut position = Connect4::new();
    for (at, digit) in digits.bytes().enumerate() {
        let column = match digit {
            b'1'..=b'7' => digit - b'1',
            _ => return Err(TextError::at(at, format!("there is no column {}: they are 1 to 7", char::from(digit)))),
        };
        position.play(position.check_move(column).map_err(|why| TextError::at(at, why.to_string()))?);
    }
    Ok(position)
}

/// The board, with every disc on another one or on the ground; nothing else is certain.
fn read_rows(text: &str) -> Result<Connect4, TextError> {
    let mut discs = [0_u64; 2];
    // Squares in reading order: the top row first.
    let mut squares = (0..HEIGHT).rev().flat_map(|row| (0..WIDTH).map(move |column| (column, row)));
    // Filled from the top, so the one square a disc cannot see is the one below: remember who waits for it.
    let mut waiting = [None; WIDTH as usize];
    for (at, letter) in text.chars().enumerate() {
        if at % 8 == 7 {
            if letter == '/' && at < 47 {
                continue;
            }
            return Err(TextError::at(at, "six rows of seven squares are separated by `/`"));
        }
        let Some((column, row)) = squares.next() else {
            return Err(TextError::at(at, "the board has only six rows of seven squares"));
        };
        let disc = 1 << (column * STRIDE + row);
        match letter {
            'X' | 'x' => discs[0] |= disc,
            'O' | 'o' => discs[1] |= disc,
            '.' | '-' | '_' => {
                if let Some(at) = waiting[column as usize] {
                    return Err(TextError::at(at, "this disc has nothing below it"));
                }
                continue;
            }
            _ => {
                let letter = refuse(letter.encode_utf8(&mut [0; 4]));
                return Err(TextError::at(at, format!("{letter} is none of X, O and .")));
            }
        }
        waiting[column as usize] = Some(at);
    }
    if squares.next().is_some() {
        return Err(TextError::new(
            "a position is six rows of seven squares like ......./......./......./......./...O.../...X..., \
             or the columns played, like 4453",
        ));
    }
    Ok(Connect4::with_discs(discs))
}

fn square_name(column: u32, row: u32) -> String {
    // There are seven columns, so the letter is one of a to g.
    format!("{}{}", char::from(b'a' + column as u8), row + 1)
}

impl Symmetry for Connect4 {
    /// Left and right.
    const SYMMETRIES: usize = 2;

    fn transformed(&self, which: usize) -> Self {
        match which {
            0 => *self,
            _ => Connect4 { mover: mirrored(self.mover), mask: mirrored(self.mask) },
        }
    }

    fn transformed_move(&self, mv: u8, which: usize) -> u8 {
        match which {
            0 => mv,
            _ => WIDTH as u8 - 1 - mv,
        }
    }
}

/// The board with left and right exchanged; works on packed positions too, spare row and all.
#[inline]
pub fn mirrored(board: u64) -> u64 {
    // The middle column stays; the outer ones change places in three pairs, each a whole stride wide.
    const COLUMN: u64 = (1 << STRIDE) - 1;
    board & COLUMN << 21
        | board << 42 & COLUMN << 42
        | board << 28 & COLUMN << 35
        | board << 14 & COLUMN << 28
        | board >> 14 & COLUMN << 14
        | board >> 28 & COLUMN << 7
        | board >> 42 & COLUMN
}

impl Picture for Connect4 {
    const SIDES: [&'static str; 2] = ["Yellow", "Red"];

    fn draw(&self) -> Drawn {
        let piece = |column, row| match self.letter(column, row) {
            'X' => Some(Piece { side: Side::First, shape: "disc", letters: "X" }),
            'O' => Some(Piece { side: Side::Second, shape: "disc", letters: "O" }),
            _ => None,
        };
        let squares = (0..HEIGHT).rev().flat_map(|row| (0..WIDTH).map(move |column| (column, row)));
        let cells = squares.map(|(column, row)| Cell::new(square_name(column, row), piece(column, row))).collect();
        Drawn::new(Board::Columns, WIDTH as usize, HEIGHT as usize, cells)
    }

    /// The discs say whose turn it is.
    fn arranged(&self, cells: &[Option<(Side, &str)>], _: Side, _: bool) -> Result<Self, TextError> {
        let mut discs = [0_u64; 2];
        let squares = (0..HEIGHT).rev().flat_map(|row| (0..WIDTH).map(move |column| (column, row)));
        for ((column, row), cell) in squares.zip(cells) {
            match *cell {
                None => {}
                Some((side, "disc")) => discs[side.index()] |= 1 << (column * STRIDE + row),
                Some((_, shape)) => return Err(no_such_piece(shape)),
            }
        }
        let all = discs[0] | discs[1];
        let ground = (0..WIDTH).fold(0, |ground, column| ground | 1_u64 << (column * STRIDE));
        if all & !(all << 1 | ground) != 0 {
            return Err(TextError::new("a disc has nothing below it"));
        }
        Connect4::with_discs(discs).checked()
    }

    /// The square where the disc lands.
    fn touched(&self, mv: u8) -> Vec<String> {
        let column = u32::from(mv);
        vec![square_name(column, self.heights()[mv as usize])]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use tengen_core::exam::Exam;
    use tengen_core::perft::perft;

    #[test]
    fn sits_the_exam() {
        let finished = Exam::new(Connect4::new()).perft(&[7, 49, 343, 2401, 16807, 117_649, 823_536, 5_673_234]).sit();
        assert_eq!(finished, 200, "every random game ends");
    }

    #[test]
    fn perft_nine() {
        assert_eq!(perft(&Connect4::new(), 9), 39_394_572);
    }

    #[test]
    fn distinct_positions_by_ply() {
        let mut positions = HashSet::from([Connect4::new()]);
        let mut moves = Vec::new();
        for expected in [1, 7, 49, 238, 1120, 4263, 16_422, 54_859, 184_275] {
            assert_eq!(positions.len(), expected);
            let keys: HashSet<u64> = positions.iter().map(Position::key).collect();
            assert_eq!(keys.len(), expected, "a key for each position");
            let mut next = HashSet::new();
            for position in positions {
                position.turn(&mut moves);
                next.extend(moves.iter().map(|&mv| {
                    let mut child = position;
                    child.play(mv);
                    child
                }));
            }
            positions = next;
        }
    }

    /// A position from its rows, drawn one below the other or side by side.
    fn picture(rows: &str) -> Connect4 {
        let text = rows.split_whitespace().collect::<Vec<_>>().join("/");
        Connect4::read(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn how_it_stands() {
        use Outcome::{Draw, Win};
        use Side::{First, Second};
        for (outcome, rows) in [
            (Some(Win(First)), "....... ....... ....... ....... OOO.... XXXX..."),
            (Some(Win(First)), "....... ....... ....... ....... ....OOO ...XXXX"),
            (Some(Win(Second)), "....... ....... ......O X.....O X.....O X..X..O"),
            (Some(Win(First)), "X...... X...... X...... X...... O...... O.....O"),
            (Some(Win(First)), "....... ....... ...X... ..XX... .XOO... XOOXO.."),
            (Some(Win(Second)), "....... ....... O...... XO..... OXO.... XXXO..."),
            (Some(Draw), "OXOXOXO XOXOXOX XOXOXOX XOXOXOX OXOXOXO OXOXOXO"),
            (None, "....... ....... ....... ....... ....... ......."),
            // Three, and a fourth that is next only where lines wrap: from the right edge to the left one, from
            // the top of a column to the bottom of the next, and the diagonals likewise.
            (None, "....... ....... ....... ....... X...OO. O...XXX"),
            (None, "X...... X...... X...... O...... X.....O OX...OO"),
            (None, "..X.... .XO.... XOO.... OOX.... XOX.... OXO.X.."),
            (None, "..X.... ..O.... ..X.... X.O...X OXO...X OOX...O"),
            (None, "....... X...... X...... O.....X X....XO O...XOO"),
        ] {
            assert_eq!(picture(rows).outcome(), outcome, "{rows}");
            assert_eq!(picture(rows).transformed(1).outcome(), outcome, "the mirror image of {rows}");
        }
    }

    #[test]
    fn winning_squares_complete_a_four() {
        let mut rng = Rng::with_seed(4);
        for _ in 0..500 {
            let mut position = Connect4::new();
            position.playout(&mut rng, 30, |_, _| {});
            if position.outcome().is_some() {
                continue;
            }
            for side in Side::BOTH {
                let discs = position.discs(side);
                let empty = (0..49).map(|square| 1 << square).filter(|square| BOARD & !position.mask() & square != 0);
                let slow = empty.filter(|square| has_four(discs | square)).fold(0, |set, square| set | square);
                assert_eq!(position.winning_squares(side), slow, "{side:?} in {}", position.write());
            }
        }
    }

    #[test]
    fn a_sequence_of_columns_is_a_position() {
        for (columns, rows) in [
            ("4", "....... ....... ....... ....... ....... ...X..."),
            ("4453", "....... ....... ....... ....... ...O... ..OXX.."),
            (" 1717171 ", "....... ....... X...... X.....O X.....O X.....O"),
            ("121212", "....... ....... ....... XO..... XO..... XO....."),
        ] {
            assert_eq!(Connect4::read(columns), Ok(picture(rows)), "{columns}");
        }
    }

    #[test]
    fn refuses_what_is_no_position() {
        let endless = "1".repeat(1_000_000);
        for (text, complaint) in [
            ("", "six rows of seven"),
            ("......./.......", "six rows of seven"),
            ("........./.......", "character 8"),
            ("......./......./......./......./......./......./", "character 48"),
            ("......./......./......./......./......./...Z...", "`Z` is none of X, O and . (character 44)"),
            ("......./......./......./......./......./...\u{1f600}...", "character 44"),
            ("......./......./......./......./...O.../.......", "nothing below it (character 36)"),
            ("......./......./......./......./......./X.O.X.X", "cannot be 3 X and 1 O"),
            ("......./......./......./......./......./O......", "cannot be 0 X and 1 O"),
            ("......./......./......./......./OOOO.../XXXX...", "side to move already has four"),
            ("......./......./X...X../X.O.X../XOO.X../XOOOX..", "cannot be 8 X and 6 O"),
            ("......./......./X...X../X..OX../XOOOX../XOOOX..", "no single last disc"),
            ("4 4", "character 1"),
            ("480", "no column 8: they are 1 to 7 (character 2)"),
            ("17171717", "the game is over (character 8)"),
            (&endless, "column 1 is full (character 7)"),
        ] {
            let error = Connect4::read(text).expect_err(text).to_string();
            assert!(error.contains(complaint), "`{text}`: {error}");
        }
    }

    #[test]
    fn refuses_what_is_no_move() {
        let position = Connect4::read("444444").expect("a position");
        for (text, complaint) in
            [("", "not a column"), ("0", "not a column"), ("8", "not a column"), ("11", "not a column"), ("4", "full")]
        {
            let error = position.read_move(text).expect_err(text).to_string();
            assert!(error.contains(complaint), "`{text}`: {error}");
        }
        assert_eq!(position.read_move(" 7 "), Ok(6));
        let over = Connect4::read("1717171").expect("a position");
        assert_eq!(over.read_move("4"), Err(TextError::over()));
    }

    #[test]
    fn a_disc_lands_on_the_others() {
        let position = Connect4::read("4453").expect("a position");
        let landing: Vec<String> = (0..7).flat_map(|mv| position.touched(mv)).collect();
        assert_eq!(landing.join(" "), "a1 b1 c2 d3 e2 f1 g1");
        let drawn = position.draw();
        let taken = drawn.cells.iter().filter_map(|cell| Some(format!("{}{}", cell.name, cell.piece?.letters)));
        assert_eq!(taken.collect::<Vec<_>>().join(" "), "d2O c1O d1X e1X");
        assert_eq!(drawn.cells[0].name, "a6");
    }

    #[test]
    fn playouts_favour_no_column() {
        // The first and the fourth column are full.
        let start = Connect4::read("444444111111").expect("a position");
        let mut rng = Rng::with_seed(12);
        let mut chosen = [0_u32; 7];
        for _ in 0..50_000 {
            start.clone().playout(&mut rng, 1, |_, mv| chosen[usize::from(mv)] += 1);
        }
        for (column, times) in chosen.into_iter().enumerate() {
            let expected = if column == 0 || column == 3 { 0..=0 } else { 9_600..=10_400 };
            assert!(expected.contains(&times), "column {column}: {times} times");
        }
    }
}
