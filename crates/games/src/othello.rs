//! Othello on boards of 8x8, 6x6 and 4x4: discs between an own one and the one just placed change their colour.
//!
//! Two bitboards, `N` bits a row, bit 0 at `a1` (top left) and bit `N * N - 1` at the bottom right: one step to the
//! right is 1 bit, down `N`, and the diagonals `N + 1` and `N - 1`. Passing is a move, legal only when there is no other.

use tengen_core::{
    Board, Cell, Drawn, Fact, Notation, Outcome, Picture, Piece, Position, Reason, Rng, Side, Symmetry, TextError,
    Turn, mix, no_such_piece, refuse,
};

/// Othello as everyone plays it.
pub type Othello8 = Othello<8>;

/// The small board, won by White.
pub type Othello6 = Othello<6>;

/// A position of Othello on a board of `N` times `N` squares, `N` being 4, 6 or 8.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Othello<const N: usize> {
    /// The discs of the side to move.
    mover: u64,
    /// The discs of its opponent.
    other: u64,
    to_move: Side,
}

impl<const N: usize> Default for Othello<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> Othello<N> {
    /// All squares of the board.
    pub const BOARD: u64 = {
        assert!(N == 4 || N == 6 || N == 8, "Othello is played on 4x4, 6x6 and 8x8");
        u64::MAX >> (64 - N * N)
    };

    /// The move of a side that can place no disc: the number after the last square.
    pub const PASS: u8 = (N * N) as u8;

    /// Four discs in the middle, Black to move.
    pub fn new() -> Self {
        let (middle, after) = (N / 2 - 1, N / 2);
        let disc = |file: usize, row: usize| 1 << (row * N + file);
        Othello {
            mover: disc(after, middle) | disc(middle, after),
            other: disc(middle, middle) | disc(after, after),
            to_move: Side::First,
        }
    }

    /// The discs of a side.
    #[inline]
    pub fn discs(&self, side: Side) -> u64 {
        if side == self.to_move { self.mover } else { self.other }
    }

    /// The discs of the side to move.
    #[inline]
    pub fn mover(&self) -> u64 {
        self.mover
    }

    /// The discs of the side that is not to move.
    #[inline]
    pub fn other(&self) -> u64 {
        self.other
    }

    /// The squares without a disc.
    #[inline]
    pub fn empties(&self) -> u64 {
        Self::BOARD & !(self.mover | self.other)
    }

    /// The squares where the side to move can place a disc; none of them means that it passes or that the game is over.
    #[inline]
    pub fn legal(&self) -> u64 {
        legal::<N>(self.mover, self.other)
    }

    /// The discs that change sides when the side to move places one on this empty square.
    #[inline]
    pub fn flips(&self, square: u8) -> u64 {
        flips::<N>(square, self.mover, self.other)
    }

    /// How many more discs a side has than its opponent.
    #[inline]
    pub fn lead(&self, side: Side) -> i32 {
        self.discs(side).count_ones() as i32 - self.discs(side.other()).count_ones() as i32
    }

    /// The outcome, if the game is over now: neither side can place a disc.
    fn outcome(&self) -> Option<Outcome> {
        (self.legal() == 0 && legal::<N>(self.other, self.mover) == 0).then(|| self.winner())
    }

    /// The outcome if the game is over.
    fn winner(&self) -> Outcome {
        match self.lead(Side::First) {
            0 => Outcome::Draw,
            1.. => Outcome::Win(Side::First),
            _ => Outcome::Win(Side::Second),
        }
    }

    #[inline]
    fn place(&mut self, square: u8) {
        let flips = self.flips(square);
        (self.mover, self.other) = (self.other ^ flips, self.mover | flips | 1 << square);
        self.to_move = self.to_move.other();
    }

    #[inline]
    fn pass(&mut self) {
        std::mem::swap(&mut self.mover, &mut self.other);
        self.to_move = self.to_move.other();
    }
}

/// The squares where `mover` can place a disc.
///
/// From all own discs at once a flood runs over opposing ones in each direction, by doubled steps; where it comes
/// out on an empty square is a move.
#[inline]
pub fn legal<const N: usize>(mover: u64, other: u64) -> u64 {
    // Along a row or a diagonal nothing that can be flipped stands in the outer files: so no line wraps.
    let inner = other & inner_files::<N>();
    let mut landing = 0;
    for (step, over) in [(1, inner), (N, other), (N - 1, inner), (N + 1, inner)] {
        let (mut up, mut down) = (over & mover << step, over & mover >> step);
        up |= over & up << step;
        down |= over & down >> step;
        // A line of 4 squares has 2 that can be flipped, one of 6 has 4, and one of 8 has 6.
        if N > 4 {
            let (up_two, down_two) = (over & over << step, over & over >> step);
            up |= up_two & up << (2 * step);
            down |= down_two & down >> (2 * step);
            if N > 6 {
                up |= up_two & up << (2 * step);
                down |= down_two & down >> (2 * step);
            }
        }
        landing |= up << step | down >> step;
    }
    landing & Othello::<N>::BOARD & !(mover | other)
}

/// The discs of `other` that change sides when `mover` places one on this empty square; none if that is no move.
#[inline]
pub fn flips<const N: usize>(square: u8, mover: u64, other: u64) -> u64 {
    let rays = &Rays::<N>::TABLE[usize::from(square)];
    let mut flipped = 0;
    for ray in rays.down {
        flipped |= outflanked(ray, mover, other);
    }
    // A carry runs to higher bits only, so the board is turned upside down for what lies above the square.
    let (mover_down, other_down) = (upside_down::<N>(mover), upside_down::<N>(other));
    let mut flipped_down = 0;
    for ray in rays.up {
        flipped_down |= outflanked(ray, mover_down, other_down);
    }
    flipped |= upside_down::<N>(flipped_down);
    // To the left not even that helps: look for the highest empty or own square. Bit 0 keeps the set from being empty;
    // where it is opposing or off the ray it ends nothing.
    let end = (1 << 63 >> (rays.left & !other | 1).leading_zeros()) & rays.left & mover;
    flipped | (end.wrapping_neg() << 1 & rays.left)
}

/// The discs of `other` on this ray, which begins at its lowest bit, up to the nearest own one; none unless they are in
/// one piece.
#[inline]
fn outflanked(ray: u64, mover: u64, other: u64) -> u64 {
    // All is set but the empty and own squares of the ray: one added below runs through to the first of those.
    let end = (other | !ray).wrapping_add(1) & ray & mover;
    end.wrapping_sub(u64::from(end != 0)) & ray
}

/// The rows in the opposite order.
#[inline]
fn upside_down<const N: usize>(board: u64) -> u64 {
    if N == 8 {
        return board.swap_bytes();
    }
    let row_bits = (1 << N) - 1;
    (0..N).fold(0, |turned, row| turned | (board >> (row * N) & row_bits) << ((N - 1 - row) * N))
}

const fn inner_files<const N: usize>() -> u64 {
    let row = (1 << (N - 1)) - 2;
    let (mut files, mut number) = (0, 0);
    while number < N {
        files |= row << (number * N);
        number += 1;
    }
    files
}

/// The squares that can be seen from one square.
#[derive(Clone, Copy)]
struct Seen {
    /// To the right, and down in three directions.
    down: [u64; 4],
    /// Up in three directions, on the board turned upside down.
    up: [u64; 3],
    left: u64,
}

struct Rays<const N: usize>;

impl<const N: usize> Rays<N> {
    const TABLE: [Seen; 64] = {
        let mut table = [Seen { down: [0; 4], up: [0; 3], left: 0 }; 64];
        let mut square = 0;
        while square < N * N {
            let (file, row) = (square % N, square / N);
            let turned = (N - 1 - row) * N + file;
            table[square] = Seen {
                down: [ray::<N>(square, 1, 0), ray::<N>(square, -1, 1), ray::<N>(square, 0, 1), ray::<N>(square, 1, 1)],
                up: [ray::<N>(turned, -1, 1), ray::<N>(turned, 0, 1), ray::<N>(turned, 1, 1)],
                left: ray::<N>(square, -1, 0),
            };
            square += 1;
        }
        table
    };
}

/// The squares from this one, which is left out, to the edge.
const fn ray<const N: usize>(square: usize, file_step: isize, row_step: isize) -> u64 {
    let edge = N as isize;
    let (mut file, mut row) = ((square % N) as isize + file_step, (square / N) as isize + row_step);
    let mut squares = 0;
    while 0 <= file && file < edge && 0 <= row && row < edge {
        squares |= 1 << (row * edge + file);
        (file, row) = (file + file_step, row + row_step);
    }
    squares
}

impl<const N: usize> Position for Othello<N> {
    /// The number of the square, or [`Othello::PASS`].
    type Move = u8;

    const PERFT_KEEPS_ENDED: bool = true;

    #[inline]
    fn to_move(&self) -> Side {
        self.to_move
    }

    #[inline]
    fn turn(&self, moves: &mut Vec<u8>) -> Turn {
        moves.clear();
        let mut legal_now = self.legal();
        if legal_now == 0 {
            if legal::<N>(self.other, self.mover) == 0 {
                return Turn::Over(self.winner());
            }
            moves.push(Self::PASS);
        }
        while legal_now != 0 {
            moves.push(legal_now.trailing_zeros() as u8);
            legal_now &= legal_now - 1;
        }
        Turn::Decision(self.to_move)
    }

    #[inline]
    fn play(&mut self, mv: u8) {
        if mv == Self::PASS {
            debug_assert!(self.legal() == 0, "no pass while there is a move");
            self.pass();
        } else {
            debug_assert!(self.legal() >> mv & 1 == 1, "square {mv} is no move");
            self.place(mv);
        }
    }

    #[inline]
    fn key(&self) -> u64 {
        // Both halves of a long product depend on every disc of the mover; its opponent's join before the second
        // spreading. The number is the fractional part of the golden ratio.
        let product = u128::from(self.mover ^ self.to_move as u64) * 0x9e37_79b9_7f4a_7c15;
        mix(product as u64 ^ (product >> 64) as u64 ^ self.other)
    }

    #[inline]
    fn code(mv: u8) -> u16 {
        mv.into()
    }

    fn playout<F: FnMut(Side, u8)>(&mut self, rng: &mut Rng, cap: u32, mut seen: F) -> Option<Outcome> {
        for _ in 0..cap {
            let mut legal = self.legal();
            if legal == 0 {
                if let Some(outcome) = self.outcome() {
                    return Some(outcome);
                }
                seen(self.to_move, Self::PASS);
                self.pass();
                continue;
            }
            for _ in 0..rng.u32(..legal.count_ones()) {
                legal &= legal - 1;
            }
            let square = legal.trailing_zeros() as u8;
            seen(self.to_move, square);
            self.place(square);
        }
        self.outcome()
    }
}

impl<const N: usize> Notation for Othello<N> {
    /// All squares from `a1`, row by row, `X` for Black and `O` for White, then the side to move:
    /// `-----OX--XO----- X` on four times four.
    fn write(&self) -> String {
        let board = (0..Self::PASS).map(|square| self.letter(square)).collect::<String>();
        format!("{board} {}", ["X", "O"][self.to_move.index()])
    }

    fn read(text: &str) -> Result<Self, TextError> {
        let mut discs = [0_u64; 2];
        let mut letters = text.trim().chars().enumerate();
        let squares = N * N;
        for square in 0..squares {
            let short = || TextError::new(format!("the board has {squares} squares, not {square}"));
            let (at, letter) = letters.next().ok_or_else(short)?;
            match letter {
                '-' | '.' => {}
                _ if letter.is_whitespace() => return Err(short()),
                _ => {
                    let wrong = || TextError::at(at, format!("{} is none of X, O and -", quoted(letter)));
                    discs[side_of(letter).ok_or_else(wrong)?.index()] |= 1 << square;
                }
            }
        }
        let mut rest = letters.by_ref().skip_while(|(_, letter)| letter.is_whitespace());
        let Some((at, letter)) = rest.next() else {
            return Err(TextError::new("after the board the side to move is missing: X or O"));
        };
        if at == squares {
            let what = format!("a space and the side to move follow the {squares} squares, not {}", quoted(letter));
            return Err(TextError::at(at, what));
        }
        let wrong = || TextError::at(at, format!("the side to move is X or O, not {}", quoted(letter)));
        let to_move = side_of(letter).ok_or_else(wrong)?;
        if let Some((at, letter)) = rest.next() {
            return Err(TextError::at(at, format!("nothing follows the side to move, but here is {}", quoted(letter))));
        }
        Ok(Othello { mover: discs[to_move.index()], other: discs[to_move.other().index()], to_move })
    }

    fn write_move(&self, mv: u8) -> String {
        if mv == Self::PASS { "pass".to_owned() } else { square_name::<N>(mv) }
    }

    fn read_move(&self, text: &str) -> Result<u8, TextError> {
        let named = |mv: &u8| self.write_move(*mv).eq_ignore_ascii_case(text.trim());
        let Some(mv) = (0..=Self::PASS).find(named) else {
            let last = square_name::<N>(Self::PASS - 1);
            return Err(TextError::new(format!("{} is not a square (a1 to {last}) and not a pass", refuse(text))));
        };
        let legal = self.legal();
        if self.outcome().is_some() {
            Err(TextError::over())
        } else if mv == Self::PASS {
            if legal == 0 {
                Ok(mv)
            } else {
                Err(TextError::because(Reason::Illegal, "there are moves, so a pass is not allowed"))
            }
        } else if self.empties() >> mv & 1 == 0 {
            Err(TextError::because(Reason::Occupied, format!("{} is taken", square_name::<N>(mv))))
        } else if legal == 0 {
            Err(TextError::because(Reason::Illegal, "there is no move but to pass"))
        } else if legal >> mv & 1 == 0 {
            Err(TextError::because(Reason::Illegal, format!("a disc on {} would turn none over", square_name::<N>(mv))))
        } else {
            Ok(mv)
        }
    }
}

impl<const N: usize> Othello<N> {
    fn letter(&self, square: u8) -> char {
        match Side::BOTH.map(|side| self.discs(side) >> square & 1 == 1) {
            [true, _] => 'X',
            [_, true] => 'O',
            _ => '-',
        }
    }
}

/// The side that a letter stands for.
fn side_of(letter: char) -> Option<Side> {
    match letter {
        'X' | 'x' | '*' => Some(Side::First),
        'O' | 'o' => Some(Side::Second),
        _ => None,
    }
}

fn quoted(letter: char) -> String {
    refuse(letter.encode_utf8(&mut [0; 4]))
}

fn square_name<const N: usize>(square: u8) -> String {
    let (row, file) = (square / N as u8, square % N as u8);
    format!("{}{}", char::from(b'a' + file), row + 1)
}

impl<const N: usize> Symmetry for Othello<N> {
    const SYMMETRIES: usize = 8;

    fn transformed(&self, which: usize) -> Self {
        let turn = |mut discs: u64| {
            let mut turned_discs = 0;
            while discs != 0 {
                turned_discs |= 1 << turned::<N>(discs.trailing_zeros() as u8, which);
                discs &= discs - 1;
            }
            turned_discs
        };
        Othello { mover: turn(self.mover), other: turn(self.other), to_move: self.to_move }
    }

    fn transformed_move(&self, mv: u8, which: usize) -> u8 {
        if mv == Self::PASS { mv } else { turned::<N>(mv, which) }
    }
}

/// Bit 0 mirrors left and right, bit 1 top and bottom, bit 2 exchanges files and rows.
#[inline]
fn turned<const N: usize>(square: u8, which: usize) -> u8 {
    let edge = N as u8;
    let (mut file, mut row) = (square % edge, square / edge);
    if which & 1 != 0 {
        file = edge - 1 - file;
    }
    if which & 2 != 0 {
        row = edge - 1 - row;
    }
    if which & 4 != 0 {
        (file, row) = (row, file);
    }
    row * edge + file
}

impl<const N: usize> Picture for Othello<N> {
    const SIDES: [&'static str; 2] = ["Black", "White"];

    fn draw(&self) -> Drawn {
        let piece = |square| {
            let side = side_of(self.letter(square))?;
            Some(Piece { side, shape: "disc", letters: ["X", "O"][side.index()] })
        };
        let cells = (0..Self::PASS).map(|square| Cell::new(square_name::<N>(square), piece(square))).collect();
        let count = |side: Side| self.discs(side).count_ones().to_string();
        let facts = Side::BOTH.map(|side| Fact { side: Some(side), name: "discs", value: count(side) });
        Drawn { facts: facts.to_vec(), ..Drawn::new(Board::Squares, N, N, cells) }
    }

    fn arranged(&self, cells: &[Option<(Side, &str)>], to_move: Side, _: bool) -> Result<Self, TextError> {
        let mut discs = [0_u64; 2];
        for (square, cell) in (0..Self::PASS).zip(cells) {
            match *cell {
                None => {}
                Some((side, "disc")) => discs[side.index()] |= 1 << square,
                Some((_, shape)) => return Err(no_such_piece(shape)),
            }
        }
        Ok(Othello { mover: discs[to_move.index()], other: discs[to_move.other().index()], to_move })
    }

    fn touched(&self, mv: u8) -> Vec<String> {
        if mv == Self::PASS { Vec::new() } else { vec![square_name::<N>(mv)] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use tengen_core::exam::Exam;
    use tengen_core::perft::perft;

    #[test]
    fn every_board_sits_the_exam() {
        let finished = [
            Exam::new(Othello::<4>::new()).perft(&[4, 12, 44, 128, 424, 1256, 3624, 9116, 20_044, 36_540]).sit(),
            Exam::new(Othello6::new()).perft(&[4, 12, 56, 244, 1364, 7604, 47_740, 308_716]).sit(),
            Exam::new(Othello8::new())
                .perft(&[4, 12, 56, 244, 1396, 8200, 55_092, 390_216, 3_005_288, 24_571_284])
                .sit(),
        ];
        assert_eq!(finished, [200; 3], "every random game ends");
    }

    /// A position from its squares, drawn row by row, and the side to move.
    fn picture<const N: usize>(rows: &str) -> Othello<N> {
        let mut words: Vec<&str> = rows.split_whitespace().collect();
        let side = words.pop().expect("a side");
        let text = format!("{} {side}", words.concat());
        Othello::read(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    /// The moves as text, or how the game ended.
    fn what_next<const N: usize>(position: &Othello<N>) -> String {
        let mut moves = Vec::new();
        match position.turn(&mut moves) {
            Turn::Over(outcome) => outcome.name().to_owned(),
            _ => moves.iter().map(|&mv| position.write_move(mv)).collect::<Vec<_>>().join(" "),
        }
    }

    #[test]
    fn starts_with_four_discs() {
        let start = "---------------------------OX------XO--------------------------- X";
        assert_eq!(Othello8::new().write(), start);
        assert_eq!(Othello8::read(start), Ok(Othello8::new()));
        assert_eq!(what_next(&Othello8::new()), "d3 c4 f5 e6");
        assert_eq!(what_next(&Othello6::new()), "c2 b3 e4 d5");
        assert_eq!(Othello::<4>::new().write(), "-----OX--XO----- X");
    }

    #[test]
    fn moves_passes_and_ends() {
        for (next, rows) in [
            ("b1 a2 d3 c4", "---- -OX- -XO- ---- X"),
            // White has no move, Black has one.
            ("pass", "XXO- XXXX XXXX XXXX O"),
            ("d1", "XXO- XXXX XXXX XXXX X"),
            // Neither has one, with empty squares left: the discs are counted.
            ("first", "XXX- XXXX XXXX ---- O"),
            ("second", "O--- -O-- --O- -O-X X"),
            ("draw", "X--- ---- ---- ---O X"),
            ("draw", "---- ---- ---- ---- O"),
            ("draw", "XXXX XXXX OOOO OOOO X"),
            ("second", "XXXX XXXO OOOO OOOO X"),
        ] {
            assert_eq!(what_next(&picture::<4>(rows)), next, "{rows}");
        }
    }

    #[test]
    fn a_disc_turns_over_what_it_encloses() {
        for (mv, before, after) in [
            (
                "d3",
                "-------- -------- -------- ---OX--- ---XO--- -------- -------- -------- X",
                "-------- -------- ---X---- ---XX--- ---XO--- -------- -------- -------- O",
            ),
            (
                "D4",
                "X--X--X- -O-O-O-- --OOO--- XOO-OOX- --OOO--- -O-O-O-- X--X--X- -------- X",
                "X--X--X- -X-X-X-- --XXX--- XXXXXXX- --XXX--- -X-X-X-- X--X--X- -------- O",
            ),
            // What has a gap, ends in nothing or runs into the edge stays as it is.
            (
                "d4",
                "O--X--O- -X-X--X- --XXX--- OX---XXX --XXX--- -X-X-X-- O--O--X- -------- O",
                "O--X--O- -O-X--X- --OXX--- OX-O-XXX --OOX--- -O-O-X-- O--O--X- -------- X",
            ),
            (
                "h1",
                "XOOOOOO- X----OO- X---O-O- X--O--O- X-O---O- XO----O- O-----O- X-----XX X",
                "XXXXXXXX X----OO- X---O-O- X--O--O- X-O---O- XO----O- O-----O- X-----XX O",
            ),
            (
                "pass",
                "-------- -------- -------- -------- -------- -------- -------- XO------ O",
                "-------- -------- -------- -------- -------- -------- -------- XO------ X",
            ),
        ] {
            let mut position = picture::<8>(before);
            position.play(position.read_move(mv).unwrap_or_else(|error| panic!("{error}: {before}")));
            assert_eq!(position, picture(after), "{mv} in {before}");
        }
    }

    /// What a disc of the side to move would turn over, walking square by square.
    fn slow_flips<const N: usize>(position: &Othello<N>, square: u8) -> u64 {
        let edge = 0..N as i32;
        let mut flipped = 0;
        for (file_step, row_step) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)] {
            let (mut file, mut row) = (i32::from(square) % N as i32, i32::from(square) / N as i32);
            let mut passed = 0;
            loop {
                (file, row) = (file + file_step, row + row_step);
                if !edge.contains(&file) || !edge.contains(&row) {
                    break;
                }
                let disc = 1 << (row * N as i32 + file);
                if position.other() & disc == 0 {
                    flipped |= if position.mover() & disc != 0 { passed } else { 0 };
                    break;
                }
                passed |= disc;
            }
        }
        flipped
    }

    /// Any discs anywhere, more of them or fewer.
    fn random_discs<const N: usize>(rng: &mut Rng) -> Othello<N> {
        let taken = Othello::<N>::BOARD & (rng.u64(..) | rng.u64(..) | rng.u64(..) >> rng.u8(..64));
        let mover = taken & rng.u64(..);
        Othello { mover, other: taken ^ mover, to_move: Side::First }
    }

    fn moves_equal_slow_moves<const N: usize>() {
        let mut rng = Rng::with_seed(N as u64);
        for _ in 0..20_000 {
            let position = random_discs::<N>(&mut rng);
            let mut legal = 0;
            for square in (0..Othello::<N>::PASS).filter(|square| position.empties() >> square & 1 == 1) {
                let slow = slow_flips(&position, square);
                assert_eq!(position.flips(square), slow, "{} in {}", square_name::<N>(square), position.write());
                legal |= u64::from(slow != 0) << square;
            }
            assert_eq!(position.legal(), legal, "{}", position.write());
        }
    }

    #[test]
    fn fast_moves_equal_slow_moves() {
        moves_equal_slow_moves::<4>();
        moves_equal_slow_moves::<6>();
        moves_equal_slow_moves::<8>();
    }

    #[test]
    fn all_games_on_four_times_four() {
        // No game has more moves than this, passes included, so every line is a whole game.
        assert_eq!(perft(&Othello::<4>::new(), 20), 60_060);
    }

    #[test]
    fn a_key_for_each_position() {
        let mut positions = HashSet::from([Othello8::new()]);
        let mut moves = Vec::new();
        let (mut all, mut keys) = (0, HashSet::new());
        for _ in 0..9 {
            all += positions.len();
            keys.extend(positions.iter().map(Position::key));
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
        assert_eq!(keys.len(), all);
        // The same discs with the other side to move, and with the colours exchanged, are other positions.
        let start = Othello8::new();
        let kin = [
            start,
            Othello { to_move: Side::Second, ..start },
            Othello { mover: start.other, other: start.mover, ..start },
            Othello { mover: start.other, other: start.mover, to_move: Side::Second },
        ];
        assert_eq!(HashSet::from(kin.map(|position| position.key())).len(), 4);
    }

    #[test]
    fn reads_what_people_write() {
        let start = Othello::<4>::new();
        for text in ["-----OX--XO----- X", " .....ox..xo..... x ", "-----O*--*O-----   *"] {
            assert_eq!(Othello::read(text), Ok(start), "{text}");
        }
        assert_eq!(start.read_move(" B1 "), start.read_move("b1"));
        assert_eq!(picture::<4>("XXO- XXXX XXXX XXXX O").read_move("PASS"), Ok(Othello::<4>::PASS));
    }

    #[test]
    fn refuses_what_is_no_position() {
        let endless = "-".repeat(1_000_000);
        for (text, complaint) in [
            ("", "16 squares, not 0"),
            ("-----OX--XO---- X", "16 squares, not 15"),
            ("-----OX--XO------ X", "a space and the side to move follow the 16 squares, not `-` (character 17)"),
            ("-----OX--XO-----X", "a space and the side to move follow the 16 squares, not `X` (character 17)"),
            ("-----OX--XO-----", "side to move is missing"),
            ("-----OZ--XO----- X", "`Z` is none of X, O and - (character 7)"),
            ("-----O\u{1f600}--XO----- X", "(character 7)"),
            ("-----OX--XO----- -", "the side to move is X or O, not `-` (character 18)"),
            ("-----OX--XO----- X 1", "nothing follows the side to move, but here is ` ` (character 19)"),
            ("-----OX--XO----- XX", "here is `X` (character 19)"),
            ("---- -OX- -XO- ---- X", "16 squares, not 4"),
            (&endless, "(character 17)"),
        ] {
            let error = Othello::<4>::read(text).expect_err(text).to_string();
            assert!(error.contains(complaint), "`{text}`: {error}");
        }
    }

    #[test]
    fn refuses_what_is_no_move() {
        let (start, stuck, over) = ("---- -OX- -XO- ---- X", "XXO- XXXX XXXX XXXX O", "XXX- XXXX XXXX ---- O");
        for (rows, text, complaint) in [
            (start, "", "not a square (a1 to d4)"),
            (start, "e1", "not a square"),
            (start, "b5", "not a square"),
            (start, "b11", "not a square"),
            (start, "b2", "b2 is taken"),
            (start, "a1", "would turn none over"),
            (start, "pass", "a pass is not allowed"),
            (stuck, "d1", "no move but to pass"),
            (over, "d1", "the game is over"),
            (over, "pass", "the game is over"),
        ] {
            let error = picture::<4>(rows).read_move(text).expect_err(text).to_string();
            assert!(error.contains(complaint), "`{text}` in {rows}: {error}");
        }
    }

    #[test]
    fn is_drawn_with_its_discs_counted() {
        let drawn = picture::<4>("---- -OX- -XO- --X- O").draw();
        let taken = drawn.cells.iter().filter_map(|cell| Some(format!("{}{}", cell.name, cell.piece?.letters)));
        assert_eq!(taken.collect::<Vec<_>>().join(" "), "b2O c2X b3X c3O c4X");
        let counts = drawn.facts.iter().map(|fact| format!("{:?} {} {}", fact.side, fact.name, fact.value));
        assert_eq!(counts.collect::<Vec<_>>().join(", "), "Some(First) discs 3, Some(Second) discs 2");
    }

    #[test]
    fn playouts_favour_no_move() {
        let start = Othello8::new();
        let mut rng = Rng::with_seed(8);
        let mut chosen = [0_u32; 64];
        for _ in 0..40_000 {
            start.clone().playout(&mut rng, 1, |_, mv| chosen[usize::from(mv)] += 1);
        }
        for (square, times) in chosen.into_iter().enumerate() {
            let expected = if start.legal() >> square & 1 == 1 { 9_600..=10_400 } else { 0..=0 };
            assert!(expected.contains(&times), "square {square}: {times} times");
        }
    }
}
