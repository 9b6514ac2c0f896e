//! What is particular about each variant: its pieces of the FEN, its endings, and where shakmaty needs a hand.
//!
//! Nearly everything has a default that fits chess, so that a variant says only how it differs.

use super::side;
use shakmaty::{
    Bitboard, Board, CastlingMode, CastlingSide, Chess, Color, File, FromSetup, KnownOutcome, Move, MoveList, Position,
    Rank, Role, Setup, Square, variant as rules,
};
use std::fmt::Debug;
use tengen_core::Outcome;

/// A way to play chess.
pub trait Variant: Clone + Debug + Send + Sync + 'static {
    /// Shakmaty's position.
    type Rules: Position + FromSetup + Default + Clone + Debug + Send + Sync + 'static;

    /// The name on the command line.
    const ID: &'static str;
    /// The name in a sentence.
    const NAME: &'static str;
    /// How castling is written and where kings and rooks may castle from.
    const CASTLING: CastlingMode = CastlingMode::Standard;
    /// Whether captured pieces go to a hand.
    const HANDS: bool = false;
    /// Whether checks are counted.
    const COUNTS_CHECKS: bool = false;
    /// Whether a king may stand in check at all.
    const CHECKS: bool = true;
    /// Whether a pawn may promote to a king as well.
    const MORE_KINGS: bool = false;
    /// Whether both sides play up the board, and so are each other's image in a mirror that stands upright.
    const SIDE_BY_SIDE: bool = false;
    /// What a position may not be by the rule of the variant.
    const FORBIDDEN: &'static str = "the position breaks the rules of the variant";

    /// The start position.
    fn start() -> Self::Rules {
        Self::Rules::default()
    }

    /// An ending that only this variant has, whether or not there are moves.
    #[inline]
    fn ended(rules: &Self::Rules) -> Option<Outcome> {
        if !rules.is_variant_end() {
            return None;
        }
        rules.variant_outcome().known().map(|known| match known {
            KnownOutcome::Decisive { winner } => Outcome::Win(side(winner)),
            KnownOutcome::Draw => Outcome::Draw,
        })
    }

    /// What it means to have no legal move: mate or stalemate.
    fn stuck(rules: &Self::Rules) -> Outcome {
        if rules.is_check() { Outcome::Win(side(!rules.turn())) } else { Outcome::Draw }
    }

    /// Adds the legal moves.
    #[inline]
    fn list(rules: &Self::Rules, moves: &mut Vec<Move>) {
        moves.extend_from_slice(&rules.legal_moves());
    }
}

/// The rules of [`Chess`](super::Chess).
#[derive(Clone, Debug)]
pub enum ChessRules {}

impl Variant for ChessRules {
    type Rules = Chess;
    const ID: &'static str = "chess";
    const NAME: &'static str = "chess";
}

/// The rules of [`Chess960`](super::Chess960).
#[derive(Clone, Debug)]
pub enum Chess960Rules {}

impl Variant for Chess960Rules {
    type Rules = Chess;
    const ID: &'static str = "chess960";
    const NAME: &'static str = "Chess960";
    const CASTLING: CastlingMode = CastlingMode::Chess960;

    /// The classical position.
    fn start() -> Chess {
        numbered(518).unwrap_or_default()
    }
}

/// The rules of [`Crazyhouse`](super::Crazyhouse).
#[derive(Clone, Debug)]
pub enum CrazyhouseRules {}

impl Variant for CrazyhouseRules {
    type Rules = rules::Crazyhouse;
    const ID: &'static str = "crazyhouse";
    const NAME: &'static str = "crazyhouse";
    const HANDS: bool = true;
    const FORBIDDEN: &'static str = "board and hands together hold more than 64 pieces";

    #[inline]
    fn list(rules: &Self::Rules, moves: &mut Vec<Move>) {
        if crowded(rules) {
            // Square by square no list can overflow, slow as it is.
            for role in Role::ALL {
                for to in Square::ALL {
                    moves.extend_from_slice(&rules.san_candidates(role, to));
                }
            }
            for wing in CastlingSide::ALL {
                moves.extend_from_slice(&rules.castling_moves(wing));
            }
        } else {
            moves.extend_from_slice(&rules.legal_moves());
        }
    }
}

/// Whether there might be more moves than shakmaty's list holds, which would be a panic there: many queens on the
/// board and every kind of piece in hand are enough. No other variant comes near: the most moves any army has
/// without drops are about 270, and there is room for 450.
#[inline]
fn crowded(rules: &rules::Crazyhouse) -> bool {
    let hands = rules.pockets().map_or(0, |pockets| pockets[rules.turn()].iter().filter(|&&count| count > 0).count());
    let drops = hands * (!rules.board().occupied()).count();
    // What each piece can do at best: a pawn two captures and a step, each with four promotions.
    let most = [
        (Role::Pawn, 12),
        (Role::Knight, 8),
        (Role::Bishop, 13),
        (Role::Rook, 14),
        (Role::Queen, 27),
        (Role::King, 10),
    ];
    let board: usize = most.iter().map(|&(role, moves)| rules.our(role).count() * moves).sum();
    drops + board > MoveList::new().capacity()
}

/// The rules of [`ThreeCheck`](super::ThreeCheck).
#[derive(Clone, Debug)]
pub enum ThreeCheckRules {}

impl Variant for ThreeCheckRules {
    type Rules = rules::ThreeCheck;
    const ID: &'static str = "threecheck";
    const NAME: &'static str = "three-check";
    const COUNTS_CHECKS: bool = true;
    const FORBIDDEN: &'static str = "both sides have given their last check";
}

/// The rules of [`KingOfTheHill`](super::KingOfTheHill).
#[derive(Clone, Debug)]
pub enum KingOfTheHillRules {}

impl Variant for KingOfTheHillRules {
    type Rules = rules::KingOfTheHill;
    const ID: &'static str = "koth";
    const NAME: &'static str = "king of the hill";
}

/// The rules of [`Atomic`](super::Atomic).
#[derive(Clone, Debug)]
pub enum AtomicRules {}

impl Variant for AtomicRules {
    type Rules = rules::Atomic;
    const ID: &'static str = "atomic";
    const NAME: &'static str = "atomic chess";
}

/// The rules of [`RacingKings`](super::RacingKings).
#[derive(Clone, Debug)]
pub enum RacingKingsRules {}

impl Variant for RacingKingsRules {
    type Rules = rules::RacingKings;
    const ID: &'static str = "racingkings";
    const NAME: &'static str = "racing kings";
    const CHECKS: bool = false;
    const SIDE_BY_SIDE: bool = true;
    const FORBIDDEN: &'static str =
        "there are no pawns, and two kings on the eighth rank end the game before Black moves";
}

/// The rules of [`Antichess`](super::Antichess).
#[derive(Clone, Debug)]
pub enum AntichessRules {}

impl Variant for AntichessRules {
    type Rules = rules::Antichess;
    const ID: &'static str = "antichess";
    const NAME: &'static str = "antichess";
    const MORE_KINGS: bool = true;

    /// Shakmaty's own answer lists the moves once more to look for a stalemate.
    #[inline]
    fn ended(rules: &Self::Rules) -> Option<Outcome> {
        let bare = |color: &Color| rules.board().by_color(*color).is_empty();
        Color::ALL.into_iter().find(bare).map(|winner| Outcome::Win(side(winner)))
    }

    fn stuck(rules: &Self::Rules) -> Outcome {
        Outcome::Win(side(rules.turn()))
    }
}

/// The rules of [`Horde`](super::Horde).
#[derive(Clone, Debug)]
pub enum HordeRules {}

impl Variant for HordeRules {
    type Rules = rules::Horde;
    const ID: &'static str = "horde";
    const NAME: &'static str = "horde";
}

/// Start position `n` of Chess960.
///
/// CITE: Scharnagl's numbering, the one every program uses: from the remainders of `n` come the files of the
/// light-squared bishop, the dark-squared bishop and the queen, then the knights' pair of files; king between
/// rooks fill what is left.
pub(super) fn numbered(n: u16) -> Option<Chess> {
    const KNIGHTS: [[usize; 2]; 10] = [[0, 1], [0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4]];
    let n = usize::from(n);
    let knights = KNIGHTS.get(n / 96)?;
    let mut free: Vec<usize> = (0..8).collect();
    let mut row = [Role::Rook; 8];
    let mut put = |role, free: &mut Vec<usize>, index| row[free.remove(index)] = role;
    // The light bishop takes one of the odd files b, d, f, h; the even ones before it are still there for the other.
    let (light, dark) = (n % 4, n / 4 % 4);
    put(Role::Bishop, &mut free, 2 * light + 1);
    put(Role::Bishop, &mut free, if dark <= light { 2 * dark } else { 2 * dark - 1 });
    put(Role::Queen, &mut free, n / 16 % 6);
    // The right one first: it does not move the left one's place.
    put(Role::Knight, &mut free, knights[1]);
    put(Role::Knight, &mut free, knights[0]);
    put(Role::King, &mut free, 1);

    let mut setup = Setup { board: Board::empty(), ..Setup::initial() };
    setup.castling_rights = Bitboard::EMPTY;
    for (file, role) in File::ALL.into_iter().zip(row) {
        for color in Color::ALL {
            let square = |rank: Rank| Square::from_coords(file, color.fold_wb(rank, rank.flip_vertical()));
            setup.board.set_piece_at(square(Rank::First), role.of(color));
            setup.board.set_piece_at(square(Rank::Second), color.pawn());
            if role == Role::Rook {
                setup.castling_rights.add(square(Rank::First));
            }
        }
    }
    setup.position(CastlingMode::Chess960).ok()
}
