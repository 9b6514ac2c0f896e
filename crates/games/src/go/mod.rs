//! Go on boards of 2 to 25 lines, by the rule set one chooses.
//!
//! A [`Go`] is a [`Board`] with the stones and what the rules write beside it: whose turn it is, the ko point, passes,
//! prisoners, komi. Boards come in four capacities, so that a small board is a small value; each size belongs to one of
//! them ([`Go9`], [`Go13`], [`Go19`], [`Go25`]). The simple ko stands in the position under all rules; what else may
//! not come back is for [`Line`](tengen_core::Line) to say, which knows the past.

mod board;
mod handicap;
mod notation;
mod playout;
mod rules;
mod score;
#[cfg(test)]
mod tests;
mod view;

pub use board::{Board, MAX_SIZE, MIN_SIZE, Point};
pub use handicap::{fixed_handicap, star_points};
pub use notation::{read_point, size_in_text};
pub use rules::{Komi, Rules, Scoring};
pub use score::Count;

use board::colour;
use std::fmt;
use tengen_core::{Outcome, Position, Reason, Repetition, Rng, Side, TextError, Turn, mix};

/// Boards of 2 to 9 lines.
pub type Go9 = Go<111>;
/// Boards of 10 to 13 lines.
pub type Go13 = Go<211>;
/// Boards of 14 to 19 lines.
pub type Go19 = Go<421>;
/// Boards of 20 to 25 lines.
pub type Go25 = Go<703>;

/// A move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    /// Nothing is played.
    Pass,
    /// A stone is put here.
    At(Point),
}

impl Move {
    #[inline]
    fn from_cell(cell: usize) -> Move {
        Point::from_cell(cell).map_or(Move::Pass, Move::At)
    }
}

/// Why a stone may not be put on a point.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Illegal {
    /// The game is over.
    Over,
    /// There is a stone already.
    Occupied,
    /// It would take back the stone that has just taken one.
    Ko,
    /// It would have no liberty.
    Suicide,
}

impl Illegal {
    /// The same as every game says it.
    pub fn reason(self) -> Reason {
        match self {
            Illegal::Over => Reason::Over,
            Illegal::Occupied => Reason::Occupied,
            Illegal::Ko => Reason::Ko,
            Illegal::Suicide => Reason::Suicide,
        }
    }
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Illegal::Over => "the game is over",
            Illegal::Occupied => "there is a stone already",
            Illegal::Ko => "ko: the stone there may not be taken back at once",
            Illegal::Suicide => "suicide: the stone would have no liberty",
        })
    }
}

/// A position of Go.
#[derive(Clone)]
pub struct Go<const CELLS: usize> {
    board: Board<CELLS>,
    /// The stones that either side has taken.
    prisoners: [u32; 2],
    /// The cell where a stone has just been taken that may not take back; 0 if there is none.
    ko: u16,
    last: Option<Move>,
    to_move: Side,
    passes: u8,
    rules: Rules,
    komi: Komi,
    /// Points for White because of handicap stones.
    compensation: u16,
}

impl<const CELLS: usize> Go<CELLS> {
    /// An even game on an empty board, with the usual komi of the rules unless given. Refuses a size that belongs to
    /// another capacity.
    pub fn new(size: usize, rules: Rules, komi: Option<Komi>) -> Result<Self, TextError> {
        let (from, to) = Board::<CELLS>::SIZES;
        if !(from..=to).contains(&size) {
            return Err(TextError::new(format!("a board of size {size}: this board has {from} to {to} lines")));
        }
        Ok(Go {
            board: Board::new(size),
            prisoners: [0; 2],
            ko: 0,
            last: None,
            to_move: Side::First,
            passes: 0,
            rules,
            komi: komi.unwrap_or(rules.komi()),
            compensation: 0,
        })
    }

    /// The same stones with this side to move, as if play were taken up here: nobody has passed, and a ko holds for the side that it was
    /// made against only.
    pub fn taken_up_by(&self, side: Side) -> Self {
        let keeps_ko = self.to_move == side && self.passes == 0;
        Go { to_move: side, passes: 0, ko: if keeps_ko { self.ko } else { 0 }, last: None, ..self.clone() }
    }

    /// The same position played by other rules and for another komi.
    pub fn under(self, rules: Rules, komi: Komi) -> Self {
        Go { rules, komi, ..self }
    }

    /// The stones.
    #[inline]
    pub fn board(&self) -> &Board<CELLS> {
        &self.board
    }

    /// How many lines the board has.
    #[inline]
    pub fn size(&self) -> usize {
        self.board.size()
    }

    /// The rule set.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// What White gets for moving second.
    pub fn komi(&self) -> Komi {
        self.komi
    }

    /// The points White gets for Black's handicap stones.
    pub fn compensation(&self) -> usize {
        self.compensation.into()
    }

    /// How many stones a side has taken.
    pub fn prisoners(&self, side: Side) -> usize {
        self.prisoners[side.index()] as usize
    }

    /// How often in a row the sides have passed: at two the game is over.
    pub fn passes(&self) -> usize {
        self.passes.into()
    }

    /// Where the side to move may not play because it would take back at once.
    #[inline]
    pub fn ko(&self) -> Option<Point> {
        Point::from_cell(self.ko.into())
    }

    /// The move that led here, if this position came about by one.
    #[inline]
    pub fn last_move(&self) -> Option<Move> {
        self.last
    }

    /// Whether the side to move may put a stone here, and why not. Superko is not looked at: it is for the
    /// [`Line`](tengen_core::Line) to know.
    pub fn check(&self, point: Point) -> Result<(), Illegal> {
        if self.passes >= 2 {
            return Err(Illegal::Over);
        }
        let cell = point.cell();
        if !self.board.is_empty(cell) {
            return Err(Illegal::Occupied);
        }
        if cell == usize::from(self.ko) {
            return Err(Illegal::Ko);
        }
        if self.lives(cell) { Ok(()) } else { Err(Illegal::Suicide) }
    }

    /// Whether the side to move may put a stone here: see [`check`](Go::check).
    #[inline]
    pub fn is_legal(&self, point: Point) -> bool {
        self.check(point).is_ok()
    }

    /// Whether the rules let the side to move put a stone on this empty point, ko apart.
    #[inline]
    fn lives(&self, cell: usize) -> bool {
        if self.board.is_open(cell) {
            return true;
        }
        let own = colour(self.to_move);
        let around = self.board.look_around(cell);
        self.board.breathes(around, own)
            || self.rules.allows_suicide() && around.iter().any(|near| near & board::BORDER == own)
    }

    /// Puts a stone of the side to move on an empty point and takes what has no liberty then; shows each cell it frees.
    #[inline]
    fn place(&mut self, cell: usize, mut freed: impl FnMut(usize)) {
        let side = self.to_move;
        self.ko = 0;
        if self.board.put(cell, side) {
            let (stones, one) = self.board.take(cell, side.other(), &mut freed);
            self.prisoners[side.index()] += stones;
            // One stone took one stone, and could be taken by it: without this they would go on for ever.
            if stones == 1 && self.board.is_lone_in_atari(cell) {
                self.ko = one as u16;
            }
        }
        self.passes = 0;
        self.to_move = side.other();
        self.last = Some(Move::from_cell(cell));
    }

    #[inline]
    fn pass(&mut self) {
        self.ko = 0;
        self.passes += 1;
        self.to_move = self.to_move.other();
        self.last = Some(Move::Pass);
    }
}

impl<const CELLS: usize> Position for Go<CELLS> {
    type Move = Move;

    #[inline]
    fn to_move(&self) -> Side {
        self.to_move
    }

    fn turn(&self, moves: &mut Vec<Move>) -> Turn {
        moves.clear();
        if self.passes >= 2 {
            return Turn::Over(self.outcome());
        }
        let stride = self.size() + 1;
        for row in 1..stride {
            for cell in row * stride + 1..(row + 1) * stride {
                if self.board.is_empty(cell) && self.lives(cell) && cell != usize::from(self.ko) {
                    moves.push(Move::from_cell(cell));
                }
            }
        }
        moves.push(Move::Pass);
        Turn::Decision(self.to_move)
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        debug_assert!(self.passes < 2, "the game is over");
        match mv {
            Move::Pass => self.pass(),
            Move::At(point) => {
                debug_assert_eq!(self.check(point), Ok(()), "{mv:?}");
                let side = self.to_move;
                self.place(point.cell(), |_| ());
                if self.rules.allows_suicide() && !self.board.has_liberty(point.cell()) {
                    // The chain stands beside the point as well: a single stone may not do this.
                    self.prisoners[side.other().index()] += self.board.take(point.cell(), side, &mut |_| ()).0;
                }
            }
        }
    }

    /// Of everything that the future depends on: under territory scoring also of the prisoners.
    #[inline]
    fn key(&self) -> u64 {
        let [black, white] = self.prisoners.map(u64::from);
        let beside = u64::from(self.ko) | u64::from(self.passes) << 16 | (self.to_move.index() as u64) << 24;
        let taken = match self.rules.scoring() {
            Scoring::Area => 0,
            Scoring::Territory => black.wrapping_sub(white) << 32,
        };
        self.board.key() ^ mix(KEY_BESIDE ^ beside ^ taken)
    }

    /// The number of the cell: less than `CELLS`, and 0 for a pass.
    #[inline]
    fn code(mv: Move) -> u16 {
        match mv {
            Move::Pass => 0,
            Move::At(point) => point.cell() as u16,
        }
    }

    #[inline]
    fn repetition(&self) -> Repetition {
        self.rules.repetition()
    }

    #[inline]
    fn repetition_key(&self) -> u64 {
        self.board.key() ^ self.side_key(self.to_move)
    }

    /// `None` for a pass, which superko always allows, and while nothing has been taken: until then no point that ever
    /// bore a stone is empty, so the point of this move was empty in all earlier positions, and the move leaves a stone
    /// on it, whatever it takes. Only suicide leaves none, and is looked at always.
    fn repetition_key_after(&self, mv: Move) -> Option<u64> {
        let Move::At(point) = mv else {
            return None;
        };
        let (cell, side) = (point.cell(), self.to_move);
        let is_suicide = self.rules.allows_suicide()
            && !self.board.is_open(cell)
            && !self.board.breathes(self.board.look_around(cell), colour(side));
        if self.prisoners == [0; 2] && !is_suicide {
            return None;
        }
        let removed = if is_suicide { side } else { side.other() };
        let names = self.board.strangled(cell, colour(removed));
        let taken = names.into_iter().filter(|&name| name != 0).map(|name| self.board.chain_key(name, removed));
        let stone = if is_suicide { 0 } else { board::stone_key(cell, side) };
        Some(taken.fold(self.board.key() ^ stone, |key, chain| key ^ chain) ^ self.side_key(side.other()))
    }

    /// Leaves out moves that fill an eye of one's own, and suicide.
    fn playout<F: FnMut(Side, Move)>(&mut self, rng: &mut Rng, cap: u32, seen: F) -> Option<Outcome> {
        self.random_game(rng, cap, seen)
    }
}

/// Sets what stands beside the board apart from the stones' numbers, which are made with `mix` as well.
const KEY_BESIDE: u64 = 0xa076_1d64_78bd_642f;
/// Added to a repetition key when it is White's turn, where that counts.
const KEY_WHITE: u64 = 0xe703_7ed1_a0b4_28db;

impl<const CELLS: usize> Go<CELLS> {
    #[inline]
    fn side_key(&self, to_move: Side) -> u64 {
        if to_move == Side::Second && self.rules.repetition_has_sides() { KEY_WHITE } else { 0 }
    }
}

impl<const CELLS: usize> fmt::Debug for Go<CELLS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&tengen_core::Notation::write(self))
    }
}
