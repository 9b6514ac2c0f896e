//! Chess and eight of its variants, on the rules of the crate `shakmaty`.
//!
//! One wrapper, [`Board`], makes a [`Position`] of any of shakmaty's; a [`Variant`] says what is particular about
//! each, and the aliases [`Chess`] to [`Horde`] are the games. FEN, UCI and SAN are in `notation`.

mod notation;
#[cfg(test)]
mod tests;
mod variant;

pub use shakmaty::Move;
pub use variant::{
    AntichessRules, AtomicRules, Chess960Rules, ChessRules, CrazyhouseRules, HordeRules, KingOfTheHillRules,
    RacingKingsRules, ThreeCheckRules, Variant,
};

use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Bitboard, Color, EnPassantMode, File, Position as _, Rank, Role, Square};
use std::num::NonZeroU32;
use tengen_core::{
    Cell, Drawn, Fact, Outcome, Picture, Piece, Position, Repetition, Side, Symmetry, TextError, Turn, mix,
    no_such_piece,
};

/// Chess by the FIDE laws.
pub type Chess = Board<ChessRules>;
/// Chess from any of 960 arrangements of the back rank.
pub type Chess960 = Board<Chess960Rules>;
/// What is captured changes sides and can be dropped.
pub type Crazyhouse = Board<CrazyhouseRules>;
/// The third check wins.
pub type ThreeCheck = Board<ThreeCheckRules>;
/// A king in the centre wins.
pub type KingOfTheHill = Board<KingOfTheHillRules>;
/// Captures explode.
pub type Atomic = Board<AtomicRules>;
/// The first king on the eighth rank wins, and nobody may give check.
pub type RacingKings = Board<RacingKingsRules>;
/// Capturing is compulsory, and having nothing left to move wins.
pub type Antichess = Board<AntichessRules>;
/// Thirty-six pawns against an army.
pub type Horde = Board<HordeRules>;

/// Half moves without a capture or a pawn move after which the game is drawn.
const FIFTY_MOVES: u32 = 100;

/// A position of chess or of a variant. White is `First`.
#[derive(Clone, Debug)]
pub struct Board<V: Variant> {
    rules: V::Rules,
}

impl<V: Variant> Board<V> {
    /// The start of a game.
    pub fn new() -> Self {
        Board { rules: V::start() }
    }

    /// The position as shakmaty has it: for evaluation and tablebases.
    #[inline]
    pub fn rules(&self) -> &V::Rules {
        &self.rules
    }
}

impl<V: Variant> Default for Board<V> {
    fn default() -> Self {
        Board::new()
    }
}

impl Chess960 {
    /// Start position number `n` of 0 to 959 in Scharnagl's numbering, where 518 is the classical one.
    pub fn numbered(n: u16) -> Option<Self> {
        variant::numbered(n).map(|rules| Board { rules })
    }
}

impl<V: Variant> Position for Board<V> {
    type Move = Move;

    #[inline]
    fn to_move(&self) -> Side {
        side(self.rules.turn())
    }

    #[inline]
    fn turn(&self, moves: &mut Vec<Move>) -> Turn {
        moves.clear();
        if let Some(outcome) = V::ended(&self.rules) {
            return Turn::Over(outcome);
        }
        V::list(&self.rules, moves);
        // Mate on the hundredth half move wins, so the draws come after it.
        if moves.is_empty() {
            return Turn::Over(V::stuck(&self.rules));
        }
        if self.rules.halfmoves() >= FIFTY_MOVES || self.rules.is_insufficient_material() {
            moves.clear();
            return Turn::Over(Outcome::Draw);
        }
        Turn::Decision(self.to_move())
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        debug_assert!(self.rules.is_legal(mv), "{mv:?} is not legal");
        self.rules.play_unchecked(mv);
    }

    /// En passant counts only where it can be played, and the counters of moves do not count: the key is equal
    /// exactly when the rules on repetition call positions equal.
    fn key(&self) -> u64 {
        let Zobrist64(key) = self.rules.zobrist_hash(EnPassantMode::Legal);
        // The hash knows on which wing castling is still allowed, but not with which of several rooks.
        if V::CASTLING.is_chess960() { key ^ mix(self.rules.castles().castling_rights().0) } else { key }
    }

    /// From six bits each for the squares, three for the piece promoted to or dropped, one for a drop.
    /// Castling is the king taking his rook.
    #[inline]
    fn code(mv: Move) -> u16 {
        let role = |role: Option<Role>| role.map_or(0, u16::from);
        let (from, piece, drop) = match mv {
            Move::Put { role: dropped, .. } => (0, role(Some(dropped)), 1),
            _ => (mv.from().map_or(0, u16::from), role(mv.promotion()), 0),
        };
        from | u16::from(mv.to()) << 6 | piece << 12 | drop << 15
    }

    #[inline]
    fn repetition(&self) -> Repetition {
        Repetition::DrawAt(3)
    }
}

#[inline]
fn side(color: Color) -> Side {
    color.fold_wb(Side::First, Side::Second)
}

impl<V: Variant> Symmetry for Board<V> {}

impl<V: Variant> Picture for Board<V> {
    const SIDES: [&'static str; 2] = ["White", "Black"];

    fn draw(&self) -> Drawn {
        let cell = |square: Square| {
            let piece = self.rules.board().piece_at(square);
            Cell::new(square.to_string(), piece.map(|piece| drawn(piece.color, piece.role)))
        };
        let row = |rank| File::ALL.map(|file| cell(Square::from_coords(file, rank)));
        let cells = Rank::ALL.into_iter().rev().flat_map(row).collect();
        let mut picture = Drawn::new(tengen_core::Board::Chequered, 8, 8, cells);
        for color in [Color::White, Color::Black] {
            if let Some(pockets) = self.rules.pockets() {
                let hand = pockets[color].zip_role().into_iter().rev().filter(|&(_, count)| count > 0);
                picture.hands[side(color).index()] = hand.map(|(role, count)| (drawn(color, role), count)).collect();
            }
            if let Some(left) = self.rules.remaining_checks() {
                let value = u8::from(left[color]).to_string();
                picture.facts.push(Fact { side: Some(side(color)), name: "checks left", value });
            }
        }
        picture
    }

    fn arranged(&self, cells: &[Option<(Side, &str)>], to_move: Side, afresh: bool) -> Result<Self, TextError> {
        let mut setup = self.rules.to_setup(EnPassantMode::Legal);
        let squares =
            Rank::ALL.into_iter().rev().flat_map(|rank| File::ALL.map(|file| Square::from_coords(file, rank)));
        for (square, cell) in squares.zip(cells) {
            let Some((side, shape)) = *cell else {
                setup.board.discard_piece_at(square);
                continue;
            };
            let color = Color::from_white(side == Side::First);
            let role = Role::ALL.into_iter().find(|&role| drawn(color, role).shape == shape);
            let piece = role.ok_or_else(|| no_such_piece(shape))?.of(color);
            if setup.board.piece_at(square) != Some(piece) {
                setup.board.set_piece_at(square, piece);
                setup.promoted.discard(square);
            }
        }
        setup.promoted &= setup.board.occupied();
        setup.turn = Color::from_white(to_move == Side::First);
        setup.ep_square = None;
        (setup.halfmoves, setup.fullmoves) = (0, NonZeroU32::MIN);
        if afresh {
            setup.castling_rights = Bitboard::EMPTY;
            setup.pockets = setup.pockets.map(|_| Default::default());
        }
        Self::set_up(setup)
    }

    /// As in UCI: castling is the king going to his new square, in Chess960 to the rook.
    fn touched(&self, mv: Move) -> Vec<String> {
        let mv = UciMove::from_move(mv, V::CASTLING);
        mv.from().into_iter().chain(mv.to()).map(|square| square.to_string()).collect()
    }
}

/// A piece of the drawing.
fn drawn(color: Color, role: Role) -> Piece {
    let (shape, letters) = match role {
        Role::Pawn => ("pawn", "P"),
        Role::Knight => ("knight", "N"),
        Role::Bishop => ("bishop", "B"),
        Role::Rook => ("rook", "R"),
        Role::Queen => ("queen", "Q"),
        Role::King => ("king", "K"),
    };
    Piece { side: side(color), shape, letters }
}
