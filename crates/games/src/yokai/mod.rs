//! Yokai no Mori on three by four and on five by six squares: step pieces, and captured ones come back by drops.
//!
//! The board is bit-sliced. Square `a1` is bit 0, `b1` bit 1, and so on row by row; three sets hold the three
//! bits of the code of the kind that stands on each square (0 on an empty one), a fourth set the pieces of `Second`:
//!
//! ```text
//!   code         1        2         3             4         5         6
//!   3x4       Kodama   Kitsune  Koropokkuru    Tanuki    Samurai
//!   5x6       Kodama     Oni    Koropokkuru    Kirin     Samurai   Super Oni
//! ```
//!
//! A kind that can be in hand has a code of one bit, and promotion sets bit 2. All moves of a position are eleven sets
//! of squares to go to: one for each of the eight ways of the compass, one for each of the three kinds that can be dropped; and
//! where promotion is a choice, one more for each way.

mod notation;
mod picture;
#[cfg(test)]
mod tests;

use std::fmt::Debug;
use std::hash::Hash;
use std::marker::PhantomData;
use tengen_core::{Outcome, Position, Repetition, Rng, Side, Symmetry, Turn, mix};

/// The game on three by four squares, where a Koropokkuru also wins by reaching the last row.
pub type Yokai34 = Yokai<Rules34>;

/// The game on five by six squares.
pub type Yokai56 = Yokai<Rules56>;

/// Goro-goro shogi: the same board and pieces by the customs of shogi, as Fairy-Stockfish plays it.
pub type Goro56 = Yokai<RulesGoro>;

/// A set of squares: bit `row * WIDTH + column`, counted from `a1`.
pub type Squares = u32;

/// The kinds of pieces of both games.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Kind {
    /// The small tree spirit: one step forward.
    Kodama,
    /// The promoted Kodama: a gold general.
    Samurai,
    /// The fox: one step diagonally.
    Kitsune,
    /// The raccoon dog: one step straight.
    Tanuki,
    /// The king: one step anywhere.
    Koropokkuru,
    /// The demon: a silver general.
    Oni,
    /// The promoted Oni: a gold general.
    SuperOni,
    /// The unicorn: a gold general.
    Kirin,
}

impl Kind {
    /// What people call it.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Kodama => "Kodama",
            Kind::Samurai => "Samurai",
            Kind::Kitsune => "Kitsune",
            Kind::Tanuki => "Tanuki",
            Kind::Koropokkuru => "Koropokkuru",
            Kind::Oni => "Oni",
            Kind::SuperOni => "Super Oni",
            Kind::Kirin => "Kirin",
        }
    }

    /// The ways it steps when `First` owns it, bit `w` for way `w`: 0 is north (forward), 1 north-east, and on
    /// clockwise to 7, north-west.
    pub const fn ways(self) -> u8 {
        match self {
            Kind::Kodama => 0b0000_0001,
            Kind::Samurai | Kind::SuperOni | Kind::Kirin => 0b1101_0111,
            Kind::Kitsune => 0b1010_1010,
            Kind::Tanuki => 0b0101_0101,
            Kind::Koropokkuru => 0b1111_1111,
            Kind::Oni => 0b1010_1011,
        }
    }
}

/// What the two games differ in.
pub trait Rules: Copy + Eq + Hash + Debug + Send + Sync + 'static {
    /// Columns.
    const WIDTH: usize;
    /// Rows.
    const HEIGHT: usize;
    /// The kind behind each code.
    const KINDS: [Option<Kind>; 7];
    /// How the text form writes each code, for either side.
    const LETTERS: [[&'static str; 7]; 2];
    /// How many pieces of the codes 1, 2 and 4 (promoted ones included) there are in the game.
    const PIECES: [u8; 3];
    /// Enough bits to count the pieces of one kind in hand.
    const HAND_BITS: u32;
    /// Squares and codes of `First` at the start; `Second` has the same, turned by half a circle.
    const START: &'static [(usize, usize)];
    /// On how many rows at the far end pieces promote.
    const ZONE: usize;
    /// Whether a Koropokkuru wins by reaching the last row.
    const GOAL: bool;
    /// Whether a Kodama may be dropped anywhere, also where it can never move and beside another on its column.
    const FREE_KODAMA: bool;
    /// Whether the customs of shogi hold: a piece promotes only if its side wants to, the Koropokkuru must not be left where it
    /// can be taken, who has no move left has lost, and a dropped Kodama must not be what leaves the other side without one.
    const SHOGI: bool = false;
    /// How often a position stands on the board for a draw.
    const DRAW_AT: u8 = 3;
}

/// Three columns, four rows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules34;

impl Rules for Rules34 {
    const WIDTH: usize = 3;
    const HEIGHT: usize = 4;
    const KINDS: [Option<Kind>; 7] = [
        None,
        Some(Kind::Kodama),
        Some(Kind::Kitsune),
        Some(Kind::Koropokkuru),
        Some(Kind::Tanuki),
        Some(Kind::Samurai),
        None,
    ];
    const LETTERS: [[&'static str; 7]; 2] = [["", "C", "E", "L", "G", "+C", ""], ["", "c", "e", "l", "g", "+c", ""]];
    const PIECES: [u8; 3] = [2, 2, 2];
    const HAND_BITS: u32 = 2;
    const START: &'static [(usize, usize)] = &[(0, 2), (1, 3), (2, 4), (4, 1)];
    const ZONE: usize = 1;
    const GOAL: bool = true;
    const FREE_KODAMA: bool = true;
}

/// Five columns, six rows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules56;

impl Rules for Rules56 {
    const WIDTH: usize = 5;
    const HEIGHT: usize = 6;
    const KINDS: [Option<Kind>; 7] = [
        None,
        Some(Kind::Kodama),
        Some(Kind::Oni),
        Some(Kind::Koropokkuru),
        Some(Kind::Kirin),
        Some(Kind::Samurai),
        Some(Kind::SuperOni),
    ];
    const LETTERS: [[&'static str; 7]; 2] =
        [["", "P", "S", "K", "G", "+P", "+S"], ["", "p", "s", "k", "g", "+p", "+s"]];
    const PIECES: [u8; 3] = [6, 4, 4];
    const HAND_BITS: u32 = 3;
    const START: &'static [(usize, usize)] = &[(0, 2), (1, 4), (2, 3), (3, 4), (4, 2), (11, 1), (12, 1), (13, 1)];
    const ZONE: usize = 2;
    const GOAL: bool = false;
    const FREE_KODAMA: bool = false;
}

/// The customs of shogi on five columns and six rows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RulesGoro;

impl Rules for RulesGoro {
    const WIDTH: usize = Rules56::WIDTH;
    const HEIGHT: usize = Rules56::HEIGHT;
    const KINDS: [Option<Kind>; 7] = Rules56::KINDS;
    const LETTERS: [[&'static str; 7]; 2] = Rules56::LETTERS;
    const PIECES: [u8; 3] = Rules56::PIECES;
    const HAND_BITS: u32 = Rules56::HAND_BITS;
    const START: &'static [(usize, usize)] = Rules56::START;
    const ZONE: usize = Rules56::ZONE;
    const GOAL: bool = false;
    const FREE_KODAMA: bool = false;
    const SHOGI: bool = true;
    const DRAW_AT: u8 = 4;
}

/// A step or a drop: eight ways, three kinds in hand, and where promotion is a choice the eight ways again, times the square where it ends. What it means is asked of the
/// game: [`Yokai::origin`], [`Yokai::target`], [`Yokai::dropped`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Move(u16);

/// A position of Yokai no Mori. Two positions are equal when their counters are, too; what the rules count as the
/// same position has the same [`key`](Position::key).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Yokai<R> {
    /// The bits of the codes.
    codes: [Squares; 3],
    /// The pieces of `Second`.
    second: Squares,
    /// `HAND_BITS` a kind, `First` in the lower half.
    hands: u32,
    /// Plies since a capture, a drop or a promotion.
    quiet: u16,
    /// The number of the move, from 1, one more after each move of `Second`.
    number: u16,
    to_move: Side,
    rules: PhantomData<R>,
}

/// Eight ways, three drops, eight ways with promotion.
const MOST_KINDS: usize = PROMOTING + 8;

/// The first of the ways with promotion.
const PROMOTING: usize = 11;

/// Sixty-four bits hold five sets of a small board, or two of a big one.
const MOST_WORDS: usize = MOST_KINDS.div_ceil(2);

impl<R: Rules> Yokai<R> {
    /// Columns of the board.
    pub const WIDTH: usize = R::WIDTH;
    /// Rows of the board.
    pub const HEIGHT: usize = R::HEIGHT;
    /// Squares of the board.
    pub const SQUARES: usize = R::WIDTH * R::HEIGHT;
    /// One more than the largest code of a move.
    pub const CODES: usize = Self::KINDS_OF_MOVES * Self::SQUARES;

    const KINDS_OF_MOVES: usize = if R::SHOGI { MOST_KINDS } else { PROMOTING };

    const BOARD: Squares = (1 << Self::SQUARES) - 1;
    const ROW: Squares = (1 << R::WIDTH) - 1;
    /// The column of `a1`. The full board is a full row times this.
    const COLUMN: Squares = Self::BOARD / Self::ROW;
    /// The rows where pieces promote.
    const ZONE: [Squares; 2] = [Self::BOARD & !(Self::BOARD >> (R::ZONE * R::WIDTH)), (1 << (R::ZONE * R::WIDTH)) - 1];
    /// The row farthest from home.
    const LAST: [Squares; 2] = [Self::ROW << (Self::SQUARES - R::WIDTH), Self::ROW];
    /// How far a step goes on the way of that number.
    const STEPS: [i8; 8] = {
        let width = R::WIDTH as i8;
        [width, width + 1, 1, 1 - width, -width, -width - 1, -1, width - 1]
    };
    /// What capturing a piece of each code adds to a hand.
    const CAPTURED: [u32; 7] = {
        let [kodama, second, third] = [1, 1 << R::HAND_BITS, 1 << (2 * R::HAND_BITS)];
        [0, kodama, second, 0, third, kodama, second]
    };
    const SETS_IN_WORD: usize = 64 / Self::SQUARES;
    const BITS_IN_WORD: usize = Self::SETS_IN_WORD * Self::SQUARES;
    const WORDS: usize = Self::KINDS_OF_MOVES.div_ceil(Self::SETS_IN_WORD);

    /// The start position.
    pub fn new() -> Self {
        let mut position = Self::empty();
        for &(square, code) in R::START {
            position.put(square, Side::First, code);
            position.put(Self::SQUARES - 1 - square, Side::Second, code);
        }
        position
    }

    /// What stands on a square.
    pub fn at(&self, square: usize) -> Option<(Side, Kind)> {
        let side = if self.second >> square & 1 == 1 { Side::Second } else { Side::First };
        Some((side, R::KINDS[self.code_at(square)]?))
    }

    /// The squares where a side has pieces.
    #[inline]
    pub fn pieces(&self, side: Side) -> Squares {
        match side {
            Side::First => (self.codes[0] | self.codes[1] | self.codes[2]) & !self.second,
            Side::Second => self.second,
        }
    }

    /// The squares where a side has pieces of this kind.
    pub fn pieces_of(&self, side: Side, kind: Kind) -> Squares {
        code_of::<R>(kind).map_or(0, |code| self.coded(code) & self.pieces(side))
    }

    /// How many pieces of this kind a side has in hand. A captured Koropokkuru is not counted: it ends the game.
    pub fn hand(&self, side: Side, kind: Kind) -> u8 {
        match code_of::<R>(kind) {
            Some(code) if code.is_power_of_two() => self.in_hand(side, code.trailing_zeros()) as u8,
            _ => 0,
        }
    }

    /// The squares that the pieces of a side reach in one step, those of its own pieces included.
    pub fn attacked(&self, side: Side) -> Squares {
        self.attacked_by(side, self.pieces(side))
    }

    /// The squares that some of the pieces of a side reach in one step.
    pub fn attacked_by(&self, side: Side, pieces: Squares) -> Squares {
        // Two functions of one, as for the moves.
        match side {
            Side::First => self.reached(Side::First, pieces),
            Side::Second => self.reached(Side::Second, pieces),
        }
    }

    #[inline(always)]
    fn reached(&self, side: Side, pieces: Squares) -> Squares {
        (0..8).fold(0, |all, way| all | Self::step(self.movers(side, pieces, way), way))
    }

    /// The same pieces with the other side to move: for searches that ask what a move is worth at all.
    #[must_use]
    pub fn passed(&self) -> Self {
        Yokai { to_move: self.to_move.other(), ..*self }
    }

    /// Plies since the last capture, drop or promotion.
    pub fn quiet(&self) -> u16 {
        self.quiet
    }

    /// The number of the move, counted from 1 as in chess: one for both sides.
    pub fn number(&self) -> u16 {
        self.number
    }

    /// The square a move comes from; `None` for a drop.
    #[inline]
    pub fn origin(mv: Move) -> Option<usize> {
        let (kind, to) = Self::kind_and_to(mv);
        Self::way(kind).map(|way| to.wrapping_add_signed(-isize::from(Self::STEPS[way])))
    }

    /// The square where a move ends.
    #[inline]
    pub fn target(mv: Move) -> usize {
        Self::kind_and_to(mv).1
    }

    /// The kind that a move drops; `None` for a step.
    pub fn dropped(mv: Move) -> Option<Kind> {
        let (kind, _) = Self::kind_and_to(mv);
        if Self::way(kind).is_some() { None } else { R::KINDS[1 << (kind - 8)] }
    }

    /// Whether a legal move promotes the piece it moves.
    pub fn promotes(&self, mv: Move) -> bool {
        let (kind, to) = Self::kind_and_to(mv);
        Self::origin(mv).is_some_and(|from| self.promoted(kind, 1 << from | 1 << to, self.code_at(from)) != 0)
    }

    /// The side that has taken the other's Koropokkuru.
    pub fn captor(&self) -> Option<Side> {
        // The game ends there, so that only the side to move can have lost it.
        (self.coded(KOROPOKKURU) & self.pieces(self.to_move) == 0).then_some(self.to_move.other())
    }

    fn empty() -> Self {
        Yokai { codes: [0; 3], second: 0, hands: 0, quiet: 0, number: 1, to_move: Side::First, rules: PhantomData }
    }

    fn put(&mut self, square: usize, side: Side, code: usize) {
        for (bit, set) in self.codes.iter_mut().enumerate() {
            *set |= (code as Squares >> bit & 1) << square;
        }
        self.second |= (side.index() as Squares) << square;
    }

    #[inline]
    fn code_at(&self, square: usize) -> usize {
        let [low, middle, high] = self.codes.map(|set| (set >> square & 1) as usize);
        low | middle << 1 | high << 2
    }

    /// The squares of a code, of either side.
    #[inline(always)]
    fn coded(&self, code: usize) -> Squares {
        let [low, middle, high] = self.codes;
        let is = |set: Squares, bit: usize| if code >> bit & 1 == 1 { set } else { !set };
        is(low, 0) & is(middle, 1) & is(high, 2)
    }

    /// How many a side has in hand of the kind with code `1 << bit`.
    #[inline(always)]
    fn in_hand(&self, side: Side, bit: u32) -> u32 {
        self.hands >> (16 * side.index() as u32 + R::HAND_BITS * bit) & ((1 << R::HAND_BITS) - 1)
    }

    /// Those of the pieces `own` of a side that may step on a way.
    #[inline(always)]
    fn movers(&self, side: Side, own: Squares, way: usize) -> Squares {
        let forward = match side {
            Side::First => way,
            Side::Second => (way + 4) % 8,
        };
        let mut movers = 0;
        for (code, kind) in R::KINDS.iter().enumerate() {
            if kind.is_some_and(|kind| kind.ways() >> forward & 1 == 1) {
                movers |= self.coded(code);
            }
        }
        movers & own
    }

    /// All squares of a set moved one step on a way; what leaves the board is gone.
    #[inline(always)]
    fn step(set: Squares, way: usize) -> Squares {
        let step = Self::STEPS[way];
        let moved = if step > 0 { set << step } else { set >> -step };
        // Nothing steps over the edge from the last column to the first, or back.
        let wrapped = match way {
            1..=3 => Self::COLUMN,
            5..=7 => Self::COLUMN << (R::WIDTH - 1),
            _ => 0,
        };
        moved & Self::BOARD & !wrapped
    }

    /// The bit that promotion adds to the code of a piece that steps between two squares by a kind of move.
    #[inline(always)]
    fn promoted(&self, kind: usize, between: Squares, code: usize) -> usize {
        if R::SHOGI {
            return usize::from(kind >= PROMOTING) << 2;
        }
        usize::from(may_promote::<R>(code) && between & Self::ZONE[self.to_move.index()] != 0) << 2
    }

    /// The squares where a Kodama of this side may be dropped, if they are empty.
    #[inline(always)]
    fn kodama_squares(&self, side: Side, own: Squares) -> Squares {
        if R::FREE_KODAMA {
            return Self::BOARD;
        }
        let mut columns = self.coded(1) & own;
        columns |= columns >> R::WIDTH;
        columns |= columns >> (2 * R::WIDTH);
        columns |= columns >> (4 * R::WIDTH);
        let taken = (columns & Self::ROW) * Self::COLUMN;
        Self::BOARD & !(taken | Self::LAST[side.index()])
    }

    /// All moves, or how the game has ended. The eleven sets of squares lie side by side in the words, as many in
    /// each as there is room for; a move's number is that of its bit, the rest at the end of each word left out.
    #[inline(always)]
    fn choices(&self) -> Result<[u64; MOST_WORDS], Outcome> {
        // The compiler makes two functions of one, each with the shifts of its side.
        match self.to_move {
            Side::First => self.choices_of(Side::First),
            Side::Second => self.choices_of(Side::Second),
        }
    }

    #[inline(always)]
    fn choices_of(&self, side: Side) -> Result<[u64; MOST_WORDS], Outcome> {
        let own = self.pieces(side);
        let theirs = self.pieces(side.other());
        let kings = self.coded(KOROPOKKURU);
        if kings & own == 0 {
            return Err(Outcome::Win(side.other()));
        }

        let mut words = [0; MOST_WORDS];
        let mut reached = 0;
        let mut add = |way: usize, squares: Squares| {
            words[way / Self::SETS_IN_WORD] |= u64::from(squares) << (way % Self::SETS_IN_WORD * Self::SQUARES);
        };
        // Where promotion is a choice and the Koropokkuru must be safe, only some of the steps are left.
        let shogi = if R::SHOGI { Some(self.shogi(side, own, theirs)) } else { None };
        for way in 0..8 {
            let movers = self.movers(side, own, way);
            let Some(shogi) = &shogi else {
                let squares = Self::step(movers, way) & !own;
                reached |= squares;
                add(way, squares);
                continue;
            };
            let (king, others) = (kings & own, movers & !kings);
            let squares = Self::step(others, way) & shogi.others | Self::step(king, way) & shogi.king;
            // A Kodama could never move from the last row.
            let stuck = Self::step(others & self.coded(1), way) & Self::LAST[side.index()];
            add(way, squares & !stuck);
            let zone = Self::ZONE[side.index()];
            let able = others & (self.coded(1) | self.coded(2));
            let promoting = (Self::step(able & zone, way) | Self::step(able, way) & zone) & shogi.others;
            add(PROMOTING + way, promoting);
        }
        if R::GOAL && kings & theirs & Self::LAST[side.other().index()] & !reached != 0 {
            return Err(Outcome::Win(side.other()));
        }
        let free = Self::BOARD & !(own | theirs) & shogi.as_ref().map_or(Self::BOARD, |shogi| shogi.drops);
        for bit in 0..3 {
            let allowed = if bit == 0 { free & self.kodama_squares(side, own) } else { free };
            let allowed = if R::SHOGI && bit == 0 { self.without_mate(side, allowed) } else { allowed };
            add(8 + bit as usize, if self.in_hand(side, bit) > 0 { allowed } else { 0 });
        }
        if words[..Self::WORDS].iter().all(|&word| word == 0) {
            // Checkmate, by the customs of shogi. Without them nobody has seen it happen, but sixteen pieces can be arranged so.
            return Err(Outcome::Win(side.other()));
        }
        Ok(words)
    }

    /// Where steps and drops may end by the customs of shogi. Nothing slides, so an attack on the Koropokkuru is met by taking
    /// the attacker or by going away, and no other piece has to stay for its sake.
    #[inline(always)]
    fn shogi(&self, side: Side, own: Squares, theirs: Squares) -> Shogi {
        let danger = self.attacked(side.other());
        let king = self.coded(KOROPOKKURU) & own;
        // The Koropokkuru of the other side is never there to be taken.
        let taking = Self::BOARD & !own & !(self.coded(KOROPOKKURU) & theirs);
        let attackers = if danger & king != 0 { self.attackers(side.other(), king) } else { 0 };
        let (others, drops) = match attackers.count_ones() {
            0 => (taking, Self::BOARD),
            1 => (taking & attackers, 0),
            _ => (0, 0),
        };
        Shogi { king: taking & !danger, others, drops }
    }

    /// The pieces of a side that reach a square in one step.
    fn attackers(&self, side: Side, square: Squares) -> Squares {
        let own = self.pieces(side);
        (0..8).fold(0, |all, way| all | Self::step(square, (way + 4) % 8) & self.movers(side, own, way))
    }

    /// Leaves out the square on which a dropped Kodama would leave the other side without a move.
    fn without_mate(&self, side: Side, allowed: Squares) -> Squares {
        let king = self.coded(KOROPOKKURU) & self.pieces(side.other());
        let backwards = if side == Side::First { 4 } else { 0 };
        let before = Self::step(king, backwards) & allowed;
        if before == 0 || self.in_hand(side, 0) == 0 {
            return allowed;
        }
        let mut next = *self;
        next.codes[0] |= before;
        next.second |= if side == Side::Second { before } else { 0 };
        next.hands -= Self::CAPTURED[1] << (16 * side.index());
        next.to_move = side.other();
        // The other side is attacked and cannot drop anything, so that this goes no deeper.
        if next.choices().is_err() { allowed & !before } else { allowed }
    }

    /// Whether a move is among the choices.
    fn chosen(words: &[u64; MOST_WORDS], mv: Move) -> bool {
        let mv = usize::from(mv.0);
        words[mv / Self::BITS_IN_WORD] >> (mv % Self::BITS_IN_WORD) & 1 == 1
    }

    /// See [`Yokai34::packed`]: four sets of twelve squares, two hands of six bits, the side to move.
    #[inline(always)]
    fn pack(&self) -> u64 {
        let [low, middle, high] = self.codes.map(u64::from);
        let hands = u64::from(self.hands & 63 | self.hands >> 16 << 6);
        low | middle << 12 | high << 24 | u64::from(self.second) << 36 | hands << 48 | (self.to_move as u64) << 60
    }

    #[inline(always)]
    fn kind_and_to(mv: Move) -> (usize, usize) {
        let mv = usize::from(mv.0);
        (mv / Self::SQUARES, mv % Self::SQUARES)
    }

    /// The way of a kind of move; `None` for a drop.
    #[inline(always)]
    fn way(kind: usize) -> Option<usize> {
        match kind {
            0..8 => Some(kind),
            8..PROMOTING => None,
            _ => Some(kind - PROMOTING),
        }
    }

    #[inline(always)]
    fn make_move(kind: usize, to: usize) -> Move {
        Move((kind * Self::SQUARES + to) as u16)
    }
}

/// Where moves may end by the customs of shogi.
struct Shogi {
    king: Squares,
    others: Squares,
    drops: Squares,
}

/// The code of the Koropokkuru in both games.
const KOROPOKKURU: usize = 3;

/// Whether pieces of a code promote: the Kodama, and the Oni.
#[inline(always)]
fn may_promote<R: Rules>(code: usize) -> bool {
    code == 1 || code == 2 && R::KINDS[6].is_some()
}

fn code_of<R: Rules>(kind: Kind) -> Option<usize> {
    R::KINDS.iter().position(|&known| known == Some(kind))
}

impl Yokai34 {
    /// The whole position but its counters in 61 bits, different for different positions: for tables of all positions.
    #[inline]
    pub fn packed(&self) -> u64 {
        self.pack()
    }
}

impl<R: Rules> Default for Yokai<R> {
    fn default() -> Self {
        Self::new()
    }
}

impl<R: Rules> Position for Yokai<R> {
    type Move = Move;

    #[inline]
    fn to_move(&self) -> Side {
        self.to_move
    }

    #[inline]
    fn turn(&self, moves: &mut Vec<Move>) -> Turn {
        moves.clear();
        let words = match self.choices() {
            Ok(words) => words,
            Err(outcome) => return Turn::Over(outcome),
        };
        for (number, &word) in words[..Self::WORDS].iter().enumerate() {
            let mut word = word;
            while word != 0 {
                moves.push(Move((number * Self::BITS_IN_WORD) as u16 + word.trailing_zeros() as u16));
                word &= word - 1;
            }
        }
        Turn::Decision(self.to_move)
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        debug_assert!(self.choices().is_ok_and(|words| Self::chosen(&words, mv)), "{mv:?} in {self:?}");
        let side = self.to_move;
        let (kind, to) = Self::kind_and_to(mv);
        let there = 1 << to;
        self.quiet = self.quiet.saturating_add(1);
        if let Some(way) = Self::way(kind) {
            let from = to.wrapping_add_signed(-isize::from(Self::STEPS[way]));
            let between = 1 << from | there;
            let (code, victim) = (self.code_at(from), self.code_at(to));
            let promoted = self.promoted(kind, between, code);
            self.hands += Self::CAPTURED[victim] << (16 * side.index());
            for (bit, set) in self.codes.iter_mut().enumerate() {
                *set = *set & !between | ((code | promoted) as Squares >> bit & 1) << to;
            }
            self.second &= !between;
            if victim | promoted != 0 {
                self.quiet = 0;
            }
        } else {
            self.codes[kind - 8] |= there;
            self.hands -= Self::CAPTURED[1 << (kind - 8)] << (16 * side.index());
            self.quiet = 0;
        }
        self.second |= (side.index() as Squares) << to;
        self.number = self.number.saturating_add(side.index() as u16);
        self.to_move = side.other();
    }

    #[inline]
    fn key(&self) -> u64 {
        if Self::SQUARES == Yokai34::SQUARES {
            return mix(self.pack());
        }
        let [low, middle, high] = self.codes.map(u64::from);
        let word = mix(low | middle << 32);
        let word = mix(word ^ (high | u64::from(self.hands) << 32));
        mix(word ^ (u64::from(self.second) | (self.to_move as u64) << 32))
    }

    #[inline]
    fn code(mv: Move) -> u16 {
        mv.0
    }

    #[inline]
    fn repetition(&self) -> Repetition {
        Repetition::DrawAt(R::DRAW_AT)
    }

    /// On 3x4 a Koropokkuru that stands on the last row when its side is to move got there a move ago, could have been
    /// taken, and was not. That it was spared is history: a position set up like this goes on.
    #[inline]
    fn outcome_by_history(&self) -> Option<Outcome> {
        let own_king = self.coded(KOROPOKKURU) & self.pieces(self.to_move);
        (R::GOAL && own_king & Self::LAST[self.to_move.index()] != 0).then_some(Outcome::Win(self.to_move))
    }

    fn playout<F: FnMut(Side, Move)>(&mut self, rng: &mut Rng, cap: u32, mut seen: F) -> Option<Outcome> {
        for _ in 0..cap {
            let words = match self.choices() {
                Ok(words) => words,
                Err(outcome) => return Some(outcome),
            };
            let count: u32 = words.iter().map(|word| word.count_ones()).sum();
            let mv = Self::nth(&words, rng.u32(..count));
            seen(self.to_move, mv);
            self.play(mv);
        }
        self.choices().err()
    }
}

impl<R: Rules> Yokai<R> {
    /// The choice with this many before it.
    #[inline]
    fn nth(words: &[u64; MOST_WORDS], mut before: u32) -> Move {
        let mut number = 0;
        while before >= words[number].count_ones() {
            before -= words[number].count_ones();
            number += 1;
        }
        let mut word = words[number];
        for _ in 0..before {
            word &= word - 1;
        }
        Move((number * Self::BITS_IN_WORD) as u16 + word.trailing_zeros() as u16)
    }
}

impl<R: Rules> Symmetry for Yokai<R> {
    /// Left and right may be exchanged.
    const SYMMETRIES: usize = 2;

    fn transformed(&self, which: usize) -> Self {
        if which == 0 {
            return *self;
        }
        let mirror = |set: Squares| {
            (0..R::WIDTH)
                .fold(0, |mirrored, column| mirrored | (set >> column & Self::COLUMN) << (R::WIDTH - 1 - column))
        };
        Yokai { codes: self.codes.map(mirror), second: mirror(self.second), ..*self }
    }

    fn transformed_move(&self, mv: Move, which: usize) -> Move {
        if which == 0 {
            return mv;
        }
        let (kind, to) = Self::kind_and_to(mv);
        let kind = match kind {
            0..8 => (8 - kind) % 8,
            8..PROMOTING => kind,
            _ => PROMOTING + (8 - (kind - PROMOTING)) % 8,
        };
        Self::make_move(kind, to / R::WIDTH * R::WIDTH + R::WIDTH - 1 - to % R::WIDTH)
    }
}
