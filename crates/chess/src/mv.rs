//! A move in sixteen bits: what tables remember, what histories count, what the search hands around.
//!
//! The number is the game's own [`Position::code`](tengen_core::Position::code): six bits each for the squares, three
//! for the piece promoted to or dropped, one for a drop; castling is the king taking his rook. So a code that comes
//! out of a search is looked up among the legal moves of a [`Board`](tengen_games::chess::Board) as it is.

use shakmaty::{Role, Square};

/// A move of chess or one of its variants. It says nothing about the position it belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Mv(u16);

impl Mv {
    /// No move at all; also the null move.
    pub const NONE: Mv = Mv(0);

    /// A piece goes from one square to another.
    #[inline]
    pub fn new(from: Square, to: Square) -> Mv {
        Mv(from as u16 | (to as u16) << 6)
    }

    /// A pawn goes to the last rank and becomes this.
    #[inline]
    pub fn promoting(from: Square, to: Square, role: Role) -> Mv {
        Mv(from as u16 | (to as u16) << 6 | (role as u16) << 12)
    }

    /// The move with this code; the code may be anything.
    #[inline]
    pub fn from_code(code: u16) -> Mv {
        Mv(code)
    }

    /// The code of the move.
    #[inline]
    pub fn code(self) -> u16 {
        self.0
    }

    /// Whether it is no move.
    #[inline]
    pub fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Where the piece comes from; meaningless for a drop.
    #[inline]
    pub fn from(self) -> Square {
        // Six bits are below 64.
        Square::new(u32::from(self.0) & 63)
    }

    /// Where the piece goes.
    #[inline]
    pub fn to(self) -> Square {
        Square::new(u32::from(self.0) >> 6 & 63)
    }

    /// What the pawn becomes, or what is dropped.
    #[inline]
    pub fn role(self) -> Option<Role> {
        Some(match self.0 >> 12 & 7 {
            1 => Role::Pawn,
            2 => Role::Knight,
            3 => Role::Bishop,
            4 => Role::Rook,
            5 => Role::Queen,
            6 => Role::King,
            _ => return None,
        })
    }

    /// Whether a piece is dropped from the hand.
    #[inline]
    pub fn is_drop(self) -> bool {
        self.0 >> 15 == 1
    }

    /// What the pawn becomes.
    #[inline]
    pub fn promotion(self) -> Option<Role> {
        if self.is_drop() { None } else { self.role() }
    }

    /// An index below 4096 for tables by squares; drops share those of moves from the first rank.
    #[inline]
    pub fn squares(self) -> usize {
        if self.is_drop() {
            usize::from(self.0 >> 6 & 63) << 6 | usize::from(self.0 >> 12 & 7)
        } else {
            usize::from(self.0 & 4095)
        }
    }
}

/// A move with the rank the picker gave it.
#[derive(Clone, Copy, Debug)]
pub struct Ranked {
    /// The move.
    pub mv: Mv,
    /// The higher, the earlier it is tried.
    pub rank: i32,
}

impl From<Mv> for Ranked {
    #[inline]
    fn from(mv: Mv) -> Self {
        Ranked { mv, rank: 0 }
    }
}
