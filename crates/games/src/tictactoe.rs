//! Tic-tac-toe: three in a row on nine squares.
//!
//! Two nine-bit sets, one a side, bit 0 at `a1` (bottom left) and bit 8 at `c3`. The smallest game there is, and
//! the one to read first: every other game has the same parts in the same order.

use tengen_core::{
    Board, Cell, Drawn, Notation, Outcome, Picture, Piece, Position, Reason, Rng, Side, Symmetry, TextError, Turn, mix,
    no_such_piece, refuse,
};

/// Three rows, three columns, two diagonals.
pub const LINES: [u16; 8] = [
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
];

const FULL: u16 = 0b111_111_111;

/// One bit for each of the 512 sets of squares: whether there is a line in it.
const WON: [u64; 8] = {
    let mut won = [0; 8];
    let mut set = 0;
    while set < 512 {
        let mut line = 0;
        while line < 8 {
            if set as u16 & LINES[line] == LINES[line] {
                won[set / 64] |= 1 << (set % 64);
            }
            line += 1;
        }
        set += 1;
    }
    won
};

#[inline]
fn has_line(marks: u16) -> bool {
    WON[usize::from(marks >> 6) & 7] >> (marks & 63) & 1 == 1
}

/// A position of tic-tac-toe.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct TicTacToe {
    /// The squares of either side.
    marks: [u16; 2],
}

impl TicTacToe {
    /// The empty board.
    pub fn new() -> Self {
        TicTacToe::default()
    }

    /// The squares that a side has marked.
    pub fn marks(&self, side: Side) -> u16 {
        self.marks[side.index()]
    }

    fn empty(&self) -> u16 {
        FULL & !(self.marks[0] | self.marks[1])
    }

    /// The side that has a line. Only the side that moved last can have completed one.
    fn winner(&self) -> Option<Side> {
        let last = self.to_move().other();
        has_line(self.marks(last)).then_some(last)
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.winner() {
            Some(side) => Some(Outcome::Win(side)),
            None => (self.empty() == 0).then_some(Outcome::Draw),
        }
    }
}

impl Position for TicTacToe {
    /// The number of the square.
    type Move = u8;

    #[inline]
    fn to_move(&self) -> Side {
        if (self.marks[0] | self.marks[1]).count_ones().is_multiple_of(2) { Side::First } else { Side::Second }
    }

    #[inline]
    fn turn(&self, moves: &mut Vec<u8>) -> Turn {
        moves.clear();
        if let Some(outcome) = self.outcome() {
            return Turn::Over(outcome);
        }
        let mut empty = self.empty();
        while empty != 0 {
            moves.push(empty.trailing_zeros() as u8);
            empty &= empty - 1;
        }
        Turn::Decision(self.to_move())
    }

    #[inline]
    fn play(&mut self, mv: u8) {
        debug_assert!(self.empty() >> mv & 1 == 1, "square {mv} is taken");
        self.marks[self.to_move().index()] |= 1 << mv;
    }

    #[inline]
    fn key(&self) -> u64 {
        mix(u64::from(self.marks[0]) | u64::from(self.marks[1]) << 9)
    }

    fn code(mv: u8) -> u16 {
        mv.into()
    }

    fn playout<F: FnMut(Side, u8)>(&mut self, rng: &mut Rng, cap: u32, mut seen: F) -> Option<Outcome> {
        for _ in 0..cap {
            if let Some(outcome) = self.outcome() {
                return Some(outcome);
            }
            let mut empty = self.empty();
            for _ in 0..rng.u32(..empty.count_ones()) {
                empty &= empty - 1;
            }
            let mv = empty.trailing_zeros() as u8;
            seen(self.to_move(), mv);
            self.play(mv);
        }
        self.outcome()
    }
}

impl TicTacToe {
    /// The position, if a game can lead to it.
    fn checked(self) -> Result<Self, TextError> {
        let [x, o] = self.marks.map(u16::count_ones);
        if x != o && x != o + 1 {
            return Err(TextError::new(format!("X begins and they alternate: there cannot be {x} X and {o} O")));
        }
        if has_line(self.marks[self.to_move().index()]) {
            return Err(TextError::new("the side to move already has three in a row"));
        }
        Ok(self)
    }
}

/// The squares in reading order: the top row first.
const AS_READ: [u8; 9] = [6, 7, 8, 3, 4, 5, 0, 1, 2];

impl Notation for TicTacToe {
    /// Rows from the top, `X.O/.X./..O`; X begins, so the side to move need not be written.
    fn write(&self) -> String {
        let row = |rank: u8| (0..3).map(|file| self.letter(rank * 3 + file)).collect::<String>();
        [row(2), row(1), row(0)].join("/")
    }

    fn read(text: &str) -> Result<Self, TextError> {
        let mut position = TicTacToe::new();
        let mut squares = AS_READ.into_iter();
        for (at, letter) in text.trim().chars().enumerate() {
            if at % 4 == 3 {
                if letter == '/' && at < 11 {
                    continue;
                }
                return Err(TextError::at(at, "three rows of three squares are separated by `/`"));
            }
            let Some(square) = squares.next() else {
                return Err(TextError::at(at, "the board has only nine squares"));
            };
            match letter {
                'X' | 'x' => position.marks[0] |= 1 << square,
                'O' | 'o' => position.marks[1] |= 1 << square,
                '.' | '-' | '_' => {}
                _ => {
                    return Err(TextError::at(
                        at,
                        format!("{} is none of X, O and .", refuse(letter.encode_utf8(&mut [0; 4]))),
                    ));
                }
            }
        }
        if squares.next().is_some() {
            return Err(TextError::new("the board has nine squares, three rows of three like X.O/.X./..O"));
        }
        position.checked()
    }

    fn write_move(&self, mv: u8) -> String {
        square_name(mv)
    }

    fn read_move(&self, text: &str) -> Result<u8, TextError> {
        let wrong = || TextError::new(format!("{} is not a square: they are a1 to c3", refuse(text)));
        let square = (0..9).find(|&square| square_name(square).eq_ignore_ascii_case(text.trim())).ok_or_else(wrong)?;
        if self.outcome().is_some() {
            return Err(TextError::over());
        }
        if self.empty() >> square & 1 == 0 {
            return Err(TextError::because(Reason::Occupied, format!("{} is taken", square_name(square))));
        }
        Ok(square)
    }
}

impl TicTacToe {
    fn letter(&self, square: u8) -> char {
        match self.marks.map(|marks| marks >> square & 1 == 1) {
            [true, _] => 'X',
            [_, true] => 'O',
            _ => '.',
        }
    }
}

fn square_name(square: u8) -> String {
    format!("{}{}", char::from(b'a' + square % 3), square / 3 + 1)
}

impl Symmetry for TicTacToe {
    const SYMMETRIES: usize = 8;

    fn transformed(&self, which: usize) -> Self {
        let turn = |marks: u16| (0..9).filter(|s| marks >> s & 1 == 1).fold(0, |set, s| set | 1 << turned(s, which));
        TicTacToe { marks: self.marks.map(turn) }
    }

    fn transformed_move(&self, mv: u8, which: usize) -> u8 {
        turned(mv, which)
    }
}

/// Bit 0 mirrors left and right, bit 1 top and bottom, bit 2 exchanges files and ranks.
fn turned(square: u8, which: usize) -> u8 {
    let (mut file, mut rank) = (square % 3, square / 3);
    if which & 1 != 0 {
        file = 2 - file;
    }
    if which & 2 != 0 {
        rank = 2 - rank;
    }
    if which & 4 != 0 {
        (file, rank) = (rank, file);
    }
    rank * 3 + file
}

impl Picture for TicTacToe {
    const SIDES: [&'static str; 2] = ["X", "O"];

    fn draw(&self) -> Drawn {
        let piece = |square: u8| match self.letter(square) {
            'X' => Some(Piece { side: Side::First, shape: "cross", letters: "X" }),
            'O' => Some(Piece { side: Side::Second, shape: "ring", letters: "O" }),
            _ => None,
        };
        let cells = AS_READ.map(|square| Cell::new(square_name(square), piece(square)));
        Drawn::new(Board::Squares, 3, 3, cells.to_vec())
    }

    /// The marks say whose turn it is.
    fn arranged(&self, cells: &[Option<(Side, &str)>], _: Side, _: bool) -> Result<Self, TextError> {
        let mut position = TicTacToe::new();
        for (&square, cell) in AS_READ.iter().zip(cells) {
            match *cell {
                None => {}
                Some((side, "cross" | "ring")) => position.marks[side.index()] |= 1 << square,
                Some((_, shape)) => return Err(no_such_piece(shape)),
            }
        }
        position.checked()
    }

    fn touched(&self, mv: u8) -> Vec<String> {
        vec![square_name(mv)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use tengen_core::exam::Exam;

    #[test]
    fn sits_the_exam() {
        let finished =
            Exam::new(TicTacToe::new()).perft(&[9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]).sit();
        assert_eq!(finished, 200, "every random game ends");
    }

    /// Walks every game; counts how they end, and the positions met.
    fn walk(position: TicTacToe, ends: &mut [u32; 3], met: &mut HashSet<TicTacToe>) {
        met.insert(position);
        let mut moves = Vec::new();
        match position.turn(&mut moves) {
            Turn::Over(Outcome::Draw) => ends[2] += 1,
            Turn::Over(Outcome::Win(side)) => ends[side.index()] += 1,
            _ => moves.iter().for_each(|&mv| {
                let mut next = position;
                next.play(mv);
                walk(next, ends, met);
            }),
        }
    }

    #[test]
    fn all_games_and_positions() {
        let (mut ends, mut met) = ([0; 3], HashSet::new());
        walk(TicTacToe::new(), &mut ends, &mut met);
        assert_eq!(ends, [131_184, 77_904, 46_080]);
        assert_eq!(met.len(), 5_478);
    }

    #[test]
    fn refuses_what_is_no_position() {
        for (text, complaint) in [
            ("", "nine squares"),
            ("X.O/.X.", "nine squares"),
            ("X.O/.Z./..O", "character 6"),
            ("X.O|.X./..O", "character 4"),
            ("X.O/.X./..O/", "character 12"),
            ("XXX/.../...", "cannot be 3 X and 0 O"),
            ("XXX/OOO/...", "already has three"),
        ] {
            let error = TicTacToe::read(text).expect_err(text).to_string();
            assert!(error.contains(complaint), "`{text}`: {error}");
        }
    }

    #[test]
    fn refuses_what_is_no_move() {
        let position = TicTacToe::read("X.O/.X./...").expect("a position");
        for (text, complaint) in [("d4", "not a square"), ("", "not a square"), ("a3", "taken")] {
            let error = position.read_move(text).expect_err(text).to_string();
            assert!(error.contains(complaint), "`{text}`: {error}");
        }
        assert_eq!(position.read_move("B1"), Ok(1));
    }
}
