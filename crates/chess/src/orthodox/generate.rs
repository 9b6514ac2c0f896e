//! Listing the moves of an orthodox position, and telling possible moves from impossible ones.
//!
//! What is listed answers a check and goes where the piece goes; whether a pinned piece stays on its line, or the king
//! steps out of every attack, is asked only of the moves that are really tried.

use super::Orthodox;
use crate::board::Kind;
use crate::evaluate::Kept;
use crate::mv::{Mv, Ranked};
use shakmaty::{Bitboard, Color, Rank, Role, Square, attacks};

/// The whole file beside the edge would wrap; these are the squares a step to the side may come from.
const NOT_A: Bitboard = Bitboard(!0x0101_0101_0101_0101);
const NOT_H: Bitboard = Bitboard(!0x8080_8080_8080_8080);

/// All squares moved one rank forward for a side.
#[inline]
pub(crate) fn forward(color: Color, squares: Bitboard) -> Bitboard {
    match color {
        Color::White => Bitboard(squares.0 << 8),
        Color::Black => Bitboard(squares.0 >> 8),
    }
}

/// What pawns of a side on these squares attack towards the a-file and towards the h-file.
#[inline]
pub(crate) fn pawn_strikes(color: Color, pawns: Bitboard) -> (Bitboard, Bitboard) {
    let ahead = forward(color, pawns);
    (Bitboard((ahead & NOT_A).0 >> 1), Bitboard((ahead & NOT_H).0 << 1))
}

/// The square `steps` behind another one; the caller knows that it is on the board.
#[inline]
fn back(to: Square, by: i32) -> Square {
    Square::new((to as i32 - by) as u32 & 63)
}

/// What a pawn becomes where it need not become a queen.
const LESSER: [Role; 3] = [Role::Knight, Role::Rook, Role::Bishop];

impl<K: Kept> Orthodox<K> {
    /// Quiet moves that check the enemy king with the piece that moves. The side to move is not in check itself.
    fn generate_checks(&self, moves: &mut Vec<Ranked>) {
        let us = self.to_move;
        let pieces = &self.pieces;
        let own = pieces.of_color(us);
        let occupied = pieces.occupied();
        let oblique = pieces.checking(us, Role::Bishop) & !occupied;
        let straight = pieces.checking(us, Role::Rook) & !occupied;
        let mut add = |from: Square, to: Bitboard| {
            for to in to {
                moves.push(Mv::new(from, to).into());
            }
        };
        for from in pieces.of_kind(us, Role::Knight) & !self.pinned {
            add(from, attacks::knight_attacks(from) & pieces.checking(us, Role::Knight) & !occupied);
        }
        for from in pieces.of_kind(us, Role::Bishop) {
            add(from, attacks::bishop_attacks(from, occupied) & oblique);
        }
        for from in pieces.of_kind(us, Role::Rook) {
            add(from, attacks::rook_attacks(from, occupied) & straight);
        }
        for from in pieces.of_kind(us, Role::Queen) {
            add(from, attacks::queen_attacks(from, occupied) & (oblique | straight));
        }
        let last = Bitboard::from_rank(us.relative_rank(Rank::Eighth));
        let ahead = if us == Color::White { 8 } else { -8 };
        let single = forward(us, own & pieces.of_role(Role::Pawn)) & !occupied & !last;
        let double = forward(us, single & Bitboard::from_rank(us.relative_rank(Rank::Third))) & !occupied;
        let targets = pieces.checking(us, Role::Pawn);
        for to in single & targets {
            moves.push(Mv::new(back(to, ahead), to).into());
        }
        for to in double & targets {
            moves.push(Mv::new(back(to, 2 * ahead), to).into());
        }
    }

    #[inline]
    pub(super) fn generate(&self, kind: Kind, moves: &mut Vec<Ranked>) {
        if kind == Kind::Checks {
            return self.generate_checks(moves);
        }
        let us = self.to_move;
        let pieces = &self.pieces;
        let (own, theirs) = (pieces.of_color(us), pieces.of_color(!us));
        let occupied = own | theirs;
        let king = self.king(us);
        let kind_targets = match kind {
            Kind::Noisy => theirs,
            Kind::Quiet | Kind::Checks => !occupied,
        };

        // Step 1. The king goes anywhere; against two checkers only he moves.
        for to in attacks::king_attacks(king) & kind_targets {
            moves.push(Mv::new(king, to).into());
        }
        if self.checkers.more_than_one() {
            return;
        }

        // Step 2. Against one checker the others take it or step in between.
        let answer = match self.checkers.first() {
            Some(checker) => attacks::between(king, checker) | checker,
            None => Bitboard::FULL,
        };
        let targets = kind_targets & answer;
        let mut add = |from: Square, to: Bitboard| {
            for to in to {
                moves.push(Mv::new(from, to).into());
            }
        };
        // A pinned knight cannot move at all.
        for from in pieces.of_kind(us, Role::Knight) & !self.pinned {
            add(from, attacks::knight_attacks(from) & targets);
        }
        for from in own & (pieces.of_role(Role::Bishop) | pieces.of_role(Role::Queen)) {
            add(from, attacks::bishop_attacks(from, occupied) & targets);
        }
        for from in own & (pieces.of_role(Role::Rook) | pieces.of_role(Role::Queen)) {
            add(from, attacks::rook_attacks(from, occupied) & targets);
        }

        // Step 3. Pawns.
        let pawns = own & pieces.of_role(Role::Pawn);
        let last = Bitboard::from_rank(us.relative_rank(Rank::Eighth));
        let ahead = if us == Color::White { 8 } else { -8 };
        let single = forward(us, pawns) & !occupied;
        match kind {
            Kind::Noisy => {
                for to in single & last & answer {
                    moves.push(Mv::promoting(back(to, ahead), to, Role::Queen).into());
                }
                let (left, right) = pawn_strikes(us, pawns);
                for (strikes, step) in [(left, ahead - 1), (right, ahead + 1)] {
                    for to in strikes & targets & !last {
                        moves.push(Mv::new(back(to, step), to).into());
                    }
                    for to in strikes & targets & last {
                        let from = back(to, step);
                        moves.push(Mv::promoting(from, to, Role::Queen).into());
                        for role in LESSER {
                            moves.push(Mv::promoting(from, to, role).into());
                        }
                    }
                }
                // Whether it answers a check is found out when it is tried.
                if let Some(to) = self.en_passant {
                    for from in attacks::pawn_attacks(!us, to) & pawns {
                        moves.push(Mv::new(from, to).into());
                    }
                }
            }
            Kind::Quiet | Kind::Checks => {
                let double = forward(us, single & Bitboard::from_rank(us.relative_rank(Rank::Third))) & !occupied;
                for to in single & answer & !last {
                    moves.push(Mv::new(back(to, ahead), to).into());
                }
                for to in double & answer {
                    moves.push(Mv::new(back(to, 2 * ahead), to).into());
                }
                for to in single & answer & last {
                    for role in LESSER {
                        moves.push(Mv::promoting(back(to, ahead), to, role).into());
                    }
                }
                // Step 4. Castling.
                for rook in self.castling & own {
                    if self.can_castle(king, rook) {
                        moves.push(Mv::new(king, rook).into());
                    }
                }
            }
        }
    }

    /// Whether the way is free and safe for the king to castle with this rook, which has the right to.
    fn can_castle(&self, king: Square, rook: Square) -> bool {
        if self.checkers.any() {
            return false;
        }
        let (king_to, rook_to) = Self::castled(king, rook);
        let others = self.pieces.occupied() ^ king ^ rook;
        let king_way = attacks::between(king, king_to) | king_to;
        let rook_way = attacks::between(rook, rook_to) | rook_to;
        if ((king_way | rook_way) & others).any() {
            return false;
        }
        // The rook may have been a shield, so the last square is looked at with it in its new place.
        let them = !self.to_move;
        (king_way & !Bitboard::from_square(king))
            .into_iter()
            .all(|square| !self.pieces.attacked_by(them, square, others | rook))
            && !self.pieces.attacked_by(them, king_to, others | rook_to)
    }

    /// Whether a move from anywhere (a table, another position) is one that `generate` would list here.
    pub(super) fn is_possible(&self, mv: Mv) -> bool {
        let us = self.to_move;
        let (from, to) = (mv.from(), mv.to());
        let own = self.pieces.of_color(us);
        if mv.is_none() || mv.is_drop() || !own.contains(from) {
            return false;
        }
        let Some(role) = self.role_at(from) else { return false };
        let king = self.king(us);
        let occupied = self.pieces.occupied();
        let promotes = role == Role::Pawn && to.rank() == us.relative_rank(Rank::Eighth);
        let fits = match mv.role() {
            None => !promotes && mv.code() >> 12 == 0,
            Some(Role::Pawn | Role::King) => false,
            Some(_) => promotes,
        };
        if !fits {
            return false;
        }
        if own.contains(to) {
            return role == Role::King && (self.castling & own).contains(to) && self.can_castle(king, to);
        }
        let goes = match role {
            Role::Pawn => {
                if self.en_passant == Some(to) && attacks::pawn_attacks(us, from).contains(to) {
                    // Whether it answers a check, the test of safety says.
                    return true;
                }
                let single = forward(us, from.into()) & !occupied;
                let double = forward(us, single & Bitboard::from_rank(us.relative_rank(Rank::Third))) & !occupied;
                (single | double | attacks::pawn_attacks(us, from) & self.pieces.of_color(!us)).contains(to)
            }
            Role::Knight => attacks::knight_attacks(from).contains(to) && !self.pinned.contains(from),
            Role::Bishop => attacks::bishop_attacks(from, occupied).contains(to),
            Role::Rook => attacks::rook_attacks(from, occupied).contains(to),
            Role::Queen => attacks::queen_attacks(from, occupied).contains(to),
            Role::King => return attacks::king_attacks(from).contains(to),
        };
        goes && match self.checkers.single_square() {
            Some(checker) => (attacks::between(king, checker) | checker).contains(to),
            None => self.checkers.is_empty(),
        }
    }
}
