//! Chess and Chess960 on the engine's own bitboards, made for the search: everything it asks at every node is kept up to date.
//!
//! A position is copied and the move played on the copy. Beside the bitboards there is a mailbox of roles, the Zobrist
//! key, the key of pawns and kings, what the evaluation wants kept, the checkers and the pinned pieces.
//! `generate` lists moves; the rules themselves are shakmaty's, and perft says that both agree.

mod generate;
#[cfg(test)]
mod tests;

pub(crate) use generate::{forward, pawn_strikes};

use crate::board::{Kind, Pieces, SearchBoard, Verdict, WORTH, at};
use crate::evaluate::{Kept, PHASE, Packed};
use crate::mv::{Mv, Ranked};
use shakmaty::{
    Bitboard, CastlingMode, Color, EnPassantMode, File, FromSetup as _, Position as _, Rank, Role, Setup, Square,
    attacks,
};
use std::num::NonZeroU32;
use tengen_core::mix;

/// A position of chess or Chess960, with what its evaluation wants kept.
#[derive(Clone, Debug)]
pub struct Orthodox<K = Packed> {
    pub(crate) pieces: Pieces,
    mailbox: [Option<Role>; 64],
    to_move: Color,
    /// The rooks that may still castle.
    castling: Bitboard,
    /// Behind a pawn that has just moved two squares and can really be taken there.
    en_passant: Option<Square>,
    halfmoves: u16,
    key: u64,
    structure_key: u64,
    checkers: Bitboard,
    /// Pieces of the side to move that shield their king.
    pinned: Bitboard,
    /// Kept up to date for the evaluation.
    pub(crate) kept: K,
    /// 24 with all pieces on the board, 0 with kings and pawns.
    pub(crate) phase: i32,
}

/// Random numbers from a formula: the same in every build.
const fn numbers<const N: usize>(seed: u64) -> [u64; N] {
    let mut table = [0; N];
    let mut index = 0;
    while index < N {
        table[index] = mix(seed + index as u64);
        index += 1;
    }
    table
}

/// By piece (side and role) and square.
static PIECE_KEYS: [u64; 12 * 64] = numbers(1 << 32);
/// By the square of a rook that may castle.
static CASTLING_KEYS: [u64; 64] = numbers(2 << 32);
/// By the file of an en passant square.
static EN_PASSANT_KEYS: [u64; 8] = numbers(3 << 32);
const BLACK_MOVES: u64 = mix(4 << 32);

#[inline]
fn piece_key(color: Color, role: Role, square: Square) -> u64 {
    PIECE_KEYS[(color as usize * 6 + at(role)) * 64 + square as usize]
}

impl<K: Kept> Orthodox<K> {
    /// The position that shakmaty describes.
    pub fn new(rules: &shakmaty::Chess) -> Self {
        let mut board = Orthodox {
            pieces: Pieces::EMPTY,
            mailbox: [None; 64],
            to_move: rules.turn(),
            castling: rules.castles().castling_rights(),
            en_passant: rules.ep_square(EnPassantMode::Legal),
            halfmoves: rules.halfmoves().min(1000) as u16,
            key: 0,
            structure_key: 0,
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            kept: K::default(),
            phase: 0,
        };
        for (square, piece) in rules.board() {
            board.put(piece.color, piece.role, square);
        }
        if board.to_move == Color::Black {
            board.key ^= BLACK_MOVES;
        }
        for square in board.castling {
            board.key ^= CASTLING_KEYS[square as usize];
        }
        if let Some(square) = board.en_passant {
            board.key ^= EN_PASSANT_KEYS[square.file() as usize];
        }
        board.look_around();
        board
    }

    /// The position as shakmaty has it; `None` if shakmaty calls it impossible.
    pub fn rules(&self) -> Option<shakmaty::Chess> {
        let mut setup = Setup::empty();
        for square in self.pieces.occupied() {
            if let Some(role) = self.mailbox[square as usize] {
                setup.board.set_piece_at(square, role.of(self.color_at(square)));
            }
        }
        setup.turn = self.to_move;
        setup.castling_rights = self.castling;
        setup.ep_square = self.en_passant;
        setup.halfmoves = u32::from(self.halfmoves);
        setup.fullmoves = NonZeroU32::MIN;
        shakmaty::Chess::from_setup(setup, CastlingMode::Chess960)
            .or_else(shakmaty::PositionError::ignore_too_much_material)
            .or_else(shakmaty::PositionError::ignore_impossible_check)
            .ok()
    }

    /// The pieces on their squares.
    pub fn pieces(&self) -> &Pieces {
        &self.pieces
    }

    /// What stands on a square.
    #[inline]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        self.mailbox[square as usize]
    }

    /// Whose piece stands on an occupied square.
    #[inline]
    pub(crate) fn color_at(&self, square: Square) -> Color {
        Color::from_white(self.pieces.of_color(Color::White).contains(square))
    }

    /// Where the king of a side stands; chess is not played without one.
    #[inline]
    pub(crate) fn king(&self, color: Color) -> Square {
        self.pieces.of_kind(color, Role::King).first().unwrap_or(Square::A1)
    }

    /// The rooks that may still castle.
    pub fn castling(&self) -> Bitboard {
        self.castling
    }

    #[inline]
    fn put(&mut self, color: Color, role: Role, square: Square) {
        self.mailbox[square as usize] = Some(role);
        self.pieces.roles[at(role)].toggle(square);
        self.pieces.colors[color as usize].toggle(square);
        self.mark(color, role, square);
        self.kept.put(color, role, square);
        self.phase += PHASE[at(role)];
    }

    #[inline]
    fn take(&mut self, color: Color, role: Role, square: Square) {
        self.mailbox[square as usize] = None;
        self.pieces.roles[at(role)].toggle(square);
        self.pieces.colors[color as usize].toggle(square);
        self.mark(color, role, square);
        self.kept.take(color, role, square);
        self.phase -= PHASE[at(role)];
    }

    /// A piece comes or goes in the keys.
    #[inline]
    fn mark(&mut self, color: Color, role: Role, square: Square) {
        let key = piece_key(color, role, square);
        self.key ^= key;
        if matches!(role, Role::Pawn | Role::King) {
            self.structure_key ^= key;
        }
    }

    /// Finds the checkers and the pinned pieces of the side to move.
    #[inline]
    fn look_around(&mut self) {
        let king = self.king(self.to_move);
        let (us, them) = (self.pieces.of_color(self.to_move), self.pieces.of_color(!self.to_move));
        let occupied = us | them;
        let pieces = &self.pieces;
        let straight = pieces.of_role(Role::Rook) | pieces.of_role(Role::Queen);
        let oblique = pieces.of_role(Role::Bishop) | pieces.of_role(Role::Queen);
        // As if our own pieces were glass: what looks through exactly one of them pins it, through none of them checks.
        let snipers =
            (attacks::rook_attacks(king, them) & straight | attacks::bishop_attacks(king, them) & oblique) & them;
        self.pinned = Bitboard::EMPTY;
        self.checkers = (attacks::knight_attacks(king) & pieces.of_role(Role::Knight)
            | attacks::pawn_attacks(self.to_move, king) & pieces.of_role(Role::Pawn))
            & them;
        for sniper in snipers {
            let between = attacks::between(king, sniper) & occupied;
            if between.is_empty() {
                self.checkers.add(sniper);
            } else if !between.more_than_one() {
                self.pinned |= between;
            }
        }
    }

    /// Whether a move of the king onto his own rook castles. Only such a move has an own piece as its target.
    #[inline]
    fn is_castling(&self, mv: Mv) -> bool {
        self.pieces.of_color(self.to_move).contains(mv.to())
    }

    /// Where king and rook end when the king castles with the rook on `rook`.
    #[inline]
    fn castled(king: Square, rook: Square) -> (Square, Square) {
        let rank = king.rank();
        if rook > king {
            (Square::from_coords(File::G, rank), Square::from_coords(File::F, rank))
        } else {
            (Square::from_coords(File::C, rank), Square::from_coords(File::D, rank))
        }
    }

    /// Whether a pawn may be taken en passant on `square` by a side without leaving its king in check.
    fn can_be_passed(&self, square: Square, by: Color) -> bool {
        let takers = attacks::pawn_attacks(!by, square) & self.pieces.of_kind(by, Role::Pawn);
        takers.into_iter().any(|from| self.passing_is_safe(from, square, by))
    }

    /// Whether the king of `by` is safe after a pawn on `from` takes en passant on `to`.
    fn passing_is_safe(&self, from: Square, to: Square, by: Color) -> bool {
        let taken = passed_pawn(to, by);
        let occupied = self.pieces.occupied() ^ from ^ taken ^ to;
        let king = self.king(by);
        (self.pieces.attackers(king, occupied) & self.pieces.of_color(!by) & occupied).is_empty()
    }
}

/// Where the pawn stands that `by` takes en passant on `to`.
#[inline]
fn passed_pawn(to: Square, by: Color) -> Square {
    // One rank back: from the sixth to the fifth or from the third to the fourth.
    let rank = if by == Color::White { Rank::Fifth } else { Rank::Fourth };
    Square::from_coords(to.file(), rank)
}

impl<K: Kept> SearchBoard for Orthodox<K> {
    #[inline]
    fn to_move(&self) -> Color {
        self.to_move
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    #[inline]
    fn structure_key(&self) -> u64 {
        self.structure_key
    }

    #[inline]
    fn in_check(&self) -> bool {
        self.checkers.any()
    }

    #[inline]
    fn halfmoves(&self) -> u32 {
        u32::from(self.halfmoves)
    }

    #[inline]
    fn tablebase_size(&self) -> Option<usize> {
        self.castling.is_empty().then(|| self.pieces.occupied().count())
    }

    /// Dead positions: nobody can mate whatever happens.
    #[inline]
    fn verdict(&self) -> Option<Verdict> {
        let pieces = &self.pieces;
        // Nearly always there is a pawn or a heavy piece, and the question is over.
        if (pieces.of_role(Role::Pawn) | pieces.of_role(Role::Rook) | pieces.of_role(Role::Queen)).any() {
            return None;
        }
        let (knights, bishops) = (pieces.of_role(Role::Knight), pieces.of_role(Role::Bishop));
        let dead = if knights.any() {
            bishops.is_empty() && !knights.more_than_one()
        } else {
            // Any number of bishops, all on squares of one colour.
            (bishops & Bitboard::LIGHT_SQUARES).is_empty() || (bishops & Bitboard::DARK_SQUARES).is_empty()
        };
        dead.then_some(Verdict::Drawn)
    }

    #[inline]
    fn stuck(&self) -> Verdict {
        if self.in_check() { Verdict::Lost } else { Verdict::Drawn }
    }

    #[inline]
    fn list(&self, kind: Kind, moves: &mut Vec<Ranked>) {
        self.generate(kind, moves);
    }

    #[inline]
    fn is_safe(&self, mv: Mv) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let us = self.to_move;
        match self.mailbox[from as usize] {
            Some(Role::King) if self.is_castling(mv) => true,
            Some(Role::King) => {
                let occupied = self.pieces.occupied() ^ from;
                !self.pieces.attacked_by(!us, to, occupied)
            }
            Some(Role::Pawn) if self.en_passant == Some(to) => self.passing_is_safe(from, to, us),
            _ => !self.pinned.contains(from) || attacks::aligned(self.king(us), from, to),
        }
    }

    #[inline]
    fn accepts(&self, mv: Mv) -> bool {
        self.is_possible(mv) && self.is_safe(mv)
    }

    #[inline]
    fn is_noisy(&self, mv: Mv) -> bool {
        let to = mv.to();
        self.pieces.of_color(!self.to_move).contains(to)
            || mv.promotion() == Some(Role::Queen)
            || self.en_passant == Some(to) && self.mailbox[mv.from() as usize] == Some(Role::Pawn)
    }

    #[inline]
    fn mover(&self, mv: Mv) -> Role {
        // A legal move begins on a piece.
        self.mailbox[mv.from() as usize].unwrap_or(Role::Pawn)
    }

    #[inline]
    fn victim(&self, mv: Mv) -> Option<Role> {
        let to = mv.to();
        if self.pieces.of_color(!self.to_move).contains(to) {
            self.mailbox[to as usize]
        } else if self.en_passant == Some(to) && self.mover(mv) == Role::Pawn {
            Some(Role::Pawn)
        } else {
            None
        }
    }

    fn exchange(&self, mv: Mv, least: i32) -> bool {
        if self.is_castling(mv) {
            return least <= 0;
        }
        let (from, to) = (mv.from(), mv.to());
        let mover = self.mover(mv);
        let mut gained = self.victim(mv).map_or(0, |role| WORTH[at(role)]);
        let mut risked = WORTH[at(mover)];
        if let Some(role) = mv.promotion() {
            gained += WORTH[at(role)] - WORTH[0];
            risked = WORTH[at(role)];
        }
        let mut occupied = (self.pieces.occupied() ^ from) | to;
        if mover == Role::Pawn && self.en_passant == Some(to) {
            occupied ^= passed_pawn(to, self.to_move);
        }
        self.pieces.exchange(self.to_move, to, occupied, gained, risked, least)
    }

    #[inline]
    fn may_pass(&self) -> bool {
        let pieces = &self.pieces;
        (pieces.of_color(self.to_move) & !(pieces.of_role(Role::Pawn) | pieces.of_role(Role::King))).any()
    }

    fn play(&mut self, mv: Mv) {
        debug_assert!(self.accepts(mv), "{mv:?} is not legal");
        let (us, them) = (self.to_move, !self.to_move);
        let (from, to) = (mv.from(), mv.to());
        let role = self.mover(mv);
        self.halfmoves += 1;
        let passing = self.en_passant.take();
        if let Some(square) = passing {
            self.key ^= EN_PASSANT_KEYS[square.file() as usize];
        }

        // Rights go when their king or rook moves or is taken.
        let touched = Bitboard::from_square(from) | to;
        let lost =
            self.castling & if role == Role::King { touched | Bitboard::from_rank(us.backrank()) } else { touched };

        if role == Role::King && self.is_castling(mv) {
            let (king, rook) = Self::castled(from, to);
            self.take(us, Role::King, from);
            self.take(us, Role::Rook, to);
            self.put(us, Role::King, king);
            self.put(us, Role::Rook, rook);
        } else {
            if let Some(victim) = self.mailbox[to as usize] {
                self.take(them, victim, to);
                self.halfmoves = 0;
            }
            self.take(us, role, from);
            self.put(us, mv.promotion().unwrap_or(role), to);
            if role == Role::Pawn {
                self.halfmoves = 0;
                if passing == Some(to) {
                    self.take(them, Role::Pawn, passed_pawn(to, us));
                }
            }
        }
        self.castling ^= lost;
        for square in lost {
            self.key ^= CASTLING_KEYS[square as usize];
        }
        self.key ^= BLACK_MOVES;
        self.to_move = them;

        // A double step can be taken en passant only if somebody stands there to do it.
        if role == Role::Pawn && (from as u8).abs_diff(to as u8) == 16 {
            let behind = Square::from_coords(from.file(), if us == Color::White { Rank::Third } else { Rank::Sixth });
            if self.can_be_passed(behind, them) {
                self.en_passant = Some(behind);
                self.key ^= EN_PASSANT_KEYS[behind.file() as usize];
            }
        }
        self.look_around();
    }

    fn pass(&mut self) -> bool {
        if let Some(square) = self.en_passant.take() {
            self.key ^= EN_PASSANT_KEYS[square.file() as usize];
        }
        self.halfmoves += 1;
        self.key ^= BLACK_MOVES;
        self.to_move = !self.to_move;
        self.look_around();
        true
    }
}
