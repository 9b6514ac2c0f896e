//! What the search stands on: the little it must know of a position.
//!
//! [`Orthodox`](crate::Orthodox) answers for chess and Chess960 from its own bitboards, [`Fairy`](crate::Fairy) for the
//! other variants from shakmaty's rules. The search is compiled once for each and knows of no other difference.

use crate::mv::{Mv, Ranked};
use shakmaty::{Bitboard, Color, Role, Square, attacks};

/// Which moves to list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Captures, and promotions to a queen.
    Noisy,
    /// All the others.
    Quiet,
    /// Those of the quiet ones that attack the enemy king with the piece that moves.
    Checks,
}

/// How a game ended, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The side to move has won.
    Won,
    /// The side to move has lost.
    Lost,
    /// Nobody has.
    Drawn,
}

/// A position as the search needs it: cheap to clone, for every move is played on a copy.
pub trait SearchBoard: Clone + Send + Sync {
    /// Who moves.
    fn to_move(&self) -> Color;
    /// Equal for positions that the rules on repetition call equal.
    fn key(&self) -> u64;
    /// Equal for positions with the same pawns and kings.
    fn structure_key(&self) -> u64;
    /// Whether the side to move is in check.
    fn in_check(&self) -> bool;
    /// Whether standing still is no option: in check, or where captures are compulsory and there is one.
    fn compelled(&self) -> bool {
        self.in_check()
    }
    /// Half moves since the last capture or pawn move.
    fn halfmoves(&self) -> u32;
    /// How many pieces are on the board, and whether castling is out of the question: what tablebases ask first.
    fn tablebase_size(&self) -> Option<usize>;
    /// Whether the game is over whatever moves there are: the goal of a variant reached, or a dead position.
    fn verdict(&self) -> Option<Verdict>;
    /// What it means to have no legal move here.
    fn stuck(&self) -> Verdict;
    /// Adds moves of a kind; some of them may leave the king in check.
    fn list(&self, kind: Kind, moves: &mut Vec<Ranked>);
    /// Whether a listed move is legal.
    fn is_safe(&self, mv: Mv) -> bool;
    /// Whether this is a legal move here, wherever it comes from.
    fn accepts(&self, mv: Mv) -> bool;
    /// Whether a move belongs to the noisy ones.
    fn is_noisy(&self, mv: Mv) -> bool;
    /// What moves.
    fn mover(&self, mv: Mv) -> Role;
    /// What is captured.
    fn victim(&self, mv: Mv) -> Option<Role>;
    /// Whether the exchange that the move begins on its target square gains at least `least` centipawns.
    fn exchange(&self, mv: Mv, least: i32) -> bool;
    /// Whether passing tells anything: not in check, and no fear of zugzwang.
    fn may_pass(&self) -> bool;
    /// Plays a legal move.
    fn play(&mut self, mv: Mv);
    /// Lets the other side move, the null move; says whether the rules can express that.
    fn pass(&mut self) -> bool;
}

/// Which pieces stand where, as bitboards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pieces {
    pub(crate) roles: [Bitboard; 6],
    pub(crate) colors: [Bitboard; 2],
}

/// What pieces are worth in exchanges, in centipawns: pawn, knight, bishop, rook, queen, king.
pub(crate) const WORTH: [i32; 6] = [100, 325, 335, 520, 1000, 20_000];

/// Where a role stands in tables of six.
#[inline]
pub(crate) fn at(role: Role) -> usize {
    role as usize - 1
}

impl Pieces {
    pub(crate) const EMPTY: Pieces = Pieces { roles: [Bitboard::EMPTY; 6], colors: [Bitboard::EMPTY; 2] };

    /// The pieces of a shakmaty board.
    pub(crate) fn of(board: &shakmaty::Board) -> Pieces {
        let mut pieces = Pieces::EMPTY;
        for role in Role::ALL {
            pieces.roles[at(role)] = board.by_role(role);
        }
        for color in Color::ALL {
            pieces.colors[color as usize] = board.by_color(color);
        }
        pieces
    }

    /// Squares of one side's pieces of a kind.
    #[inline]
    pub fn of_kind(&self, color: Color, role: Role) -> Bitboard {
        self.roles[at(role)] & self.colors[color as usize]
    }

    /// Squares of one side.
    #[inline]
    pub fn of_color(&self, color: Color) -> Bitboard {
        self.colors[color as usize]
    }

    /// All pieces of a kind.
    #[inline]
    pub fn of_role(&self, role: Role) -> Bitboard {
        self.roles[at(role)]
    }

    /// All squares with something on them.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// The pieces of both sides that attack a square, seen through `occupied`.
    #[inline]
    pub fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let straight = self.of_role(Role::Rook) | self.of_role(Role::Queen);
        let oblique = self.of_role(Role::Bishop) | self.of_role(Role::Queen);
        attacks::pawn_attacks(Color::Black, square) & self.of_kind(Color::White, Role::Pawn)
            | attacks::pawn_attacks(Color::White, square) & self.of_kind(Color::Black, Role::Pawn)
            | attacks::knight_attacks(square) & self.of_role(Role::Knight)
            | attacks::king_attacks(square) & self.of_role(Role::King)
            | attacks::rook_attacks(square, occupied) & straight
            | attacks::bishop_attacks(square, occupied) & oblique
    }

    /// Whether a side attacks a square, seen through `occupied`.
    #[inline]
    pub fn attacked_by(&self, color: Color, square: Square, occupied: Bitboard) -> bool {
        let straight = self.of_kind(color, Role::Rook) | self.of_kind(color, Role::Queen);
        let oblique = self.of_kind(color, Role::Bishop) | self.of_kind(color, Role::Queen);
        (attacks::pawn_attacks(!color, square) & self.of_kind(color, Role::Pawn)).any()
            || (attacks::knight_attacks(square) & self.of_kind(color, Role::Knight)).any()
            || (attacks::king_attacks(square) & self.of_kind(color, Role::King)).any()
            || (attacks::rook_attacks(square, occupied) & straight).any()
            || (attacks::bishop_attacks(square, occupied) & oblique).any()
    }

    /// The squares from which a piece of a side checks the other king.
    #[inline]
    pub(crate) fn checking(&self, color: Color, role: Role) -> Bitboard {
        let Some(king) = self.of_kind(!color, Role::King).first() else { return Bitboard::EMPTY };
        match role {
            Role::Pawn => attacks::pawn_attacks(!color, king),
            Role::Knight => attacks::knight_attacks(king),
            Role::Bishop => attacks::bishop_attacks(king, self.occupied()),
            Role::Rook => attacks::rook_attacks(king, self.occupied()),
            Role::Queen => attacks::queen_attacks(king, self.occupied()),
            Role::King => Bitboard::EMPTY,
        }
    }

    /// Static exchange: both sides take on `to` with their least valuable piece as long as it pays. Says whether `mover`
    /// comes out at least `least` ahead when a piece of `color` worth `risked` goes to `to`, gains `gained` at once
    /// and leaves `occupied` behind (itself and an en passant victim taken off, the target on).
    pub(crate) fn exchange(
        &self,
        color: Color,
        to: Square,
        occupied: Bitboard,
        gained: i32,
        risked: i32,
        least: i32,
    ) -> bool {
        // If the gain is not enough even when nobody takes back, or is enough even when the piece is lost, that is it.
        let mut balance = gained - least;
        if balance < 0 {
            return false;
        }
        balance -= risked;
        if balance >= 0 {
            return true;
        }
        let straight = self.of_role(Role::Rook) | self.of_role(Role::Queen);
        let oblique = self.of_role(Role::Bishop) | self.of_role(Role::Queen);
        let mut occupied = occupied;
        let mut attackers = self.attackers(to, occupied) & occupied;
        let mut side = !color;
        loop {
            let own = attackers & self.of_color(side);
            // Who has nothing to take with has lost the exchange.
            let Some(role) = Role::ALL.into_iter().find(|&role| (own & self.of_role(role)).any()) else { break };
            let taker = (own & self.of_role(role)).isolate_first();
            occupied ^= taker;
            // What stood behind the taker sees the square now.
            if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
                attackers |= attacks::bishop_attacks(to, occupied) & oblique;
            }
            if matches!(role, Role::Rook | Role::Queen) {
                attackers |= attacks::rook_attacks(to, occupied) & straight;
            }
            attackers &= occupied;
            side = !side;
            // `balance` is what the side that has just been taken from is ahead, from its own view, if it stops here.
            balance = -balance - 1 - WORTH[at(role)];
            if balance >= 0 {
                // The king may not take what is defended.
                if role == Role::King && (attackers & self.of_color(side)).any() {
                    side = !side;
                }
                break;
            }
        }
        // Whoever is to take and does not, has lost it.
        color != side
    }
}
