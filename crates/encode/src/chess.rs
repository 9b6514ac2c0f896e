//! Chess and its variants as a network sees them: the side to move always plays up the board.
//!
//! Nothing of the game's past is shown, so that a position from a file is shown like one from a game.

use crate::shape::{Planes, bits};
use crate::{Encoder, EncoderId, Input, Policy, Shape};
use shakmaty::{Bitboard, CastlingSide, Color, Position as _, Role, Square};
use tengen_core::Line;
use tengen_games::chess::{Board, Chess, ChessRules, Move, Variant};

/// The own pieces, kind by kind, and the other's; the rooks that may still castle, either side's; the square where a pawn can be
/// taken in passing; how near the draw by fifty moves is.
///
/// Variants add what they need: crazyhouse the pieces in hand of either side and the promoted ones on the board, three-check how
/// many checks each side has left to give.
///
/// A move is the square it starts from on one of 73 maps: 56 for eight ways as the queen goes, each one to seven steps far, eight for
/// the knight's jumps, nine for promotions to knight, bishop and rook. Castling is the king taking his rook. Antichess has three
/// maps more for promotions to a king, crazyhouse five for drops, where the square is that of the piece dropped.
///
/// CITE: Silver et al. 2017, "Mastering chess and shogi by self-play": the 73 maps.
#[derive(Clone, Copy, Debug)]
pub struct ChessPlanes;

/// Thirteen boards of bits, one for each kind of the own pieces, then of the other's, and the empty squares; and twelve bits: who may still
/// castle where (own short and long, other's short and long), and the file of a pawn that can be taken in passing.
///
/// Moves have their places as in [`ChessPlanes`].
#[derive(Clone, Copy, Debug)]
pub struct ChessBits;

/// Half moves without a capture or a pawn move that make a draw.
const DRAWN_AFTER: u32 = 100;
/// Checks that win in three-check.
const CHECKS: f32 = 3.0;
/// What a hand is divided by: it seldom holds more of a kind.
const HANDFUL: f32 = 8.0;

/// The kinds that can be dropped.
const DROPPED: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// Where each kind of information begins among the planes.
mod plane {
    pub const OWN: usize = 0;
    pub const OTHER: usize = 6;
    /// Own and other's.
    pub const CASTLES: usize = 12;
    pub const EN_PASSANT: usize = 14;
    pub const QUIET: usize = 15;
    pub const COMMON: usize = 16;
}

/// Where each kind of move begins among the maps.
mod map {
    pub const JUMPS: usize = 8 * 7;
    pub const PROMOTIONS: usize = JUMPS + 8;
    pub const STANDARD: usize = PROMOTIONS + 9;
    pub const KINGS: usize = 3;
}

/// How far a knight jumps, clockwise.
const JUMPS: [(i32, i32); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
/// One step of the queen, clockwise.
const STEPS: [(i32, i32); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// A square as a side sees it, the other way up for Black.
fn seen<V: Variant>(square: Square, side: Color) -> Square {
    match side {
        Color::White => square,
        Color::Black if V::SIDE_BY_SIDE => square.flip_horizontal(),
        Color::Black => square.flip_vertical(),
    }
}

/// The point of a square that is seen so.
fn point(seen: Square) -> usize {
    usize::from(seen.flip_vertical())
}

fn mark<V: Variant>(planes: &mut Planes<'_>, plane: usize, squares: Bitboard, side: Color) {
    for square in squares {
        planes.mark(plane, point(seen::<V>(square, side)));
    }
}

fn mark_pieces<V: Variant>(planes: &mut Planes<'_>, rules: &V::Rules) {
    let own = rules.turn();
    for (first, color) in [(plane::OWN, own), (plane::OTHER, !own)] {
        for (plane, role) in (first..).zip(Role::ALL) {
            mark::<V>(planes, plane, rules.board().by_piece(role.of(color)), own);
        }
    }
}

fn policy<V: Variant>() -> Policy {
    let kings = if V::MORE_KINGS { map::KINGS } else { 0 };
    let drops = if V::HANDS { DROPPED.len() } else { 0 };
    Policy { maps: map::STANDARD + kings + drops, extra: 0 }
}

/// The map of a move and its point on it.
fn place<V: Variant>(side: Color, mv: Move) -> (usize, usize) {
    let to = seen::<V>(mv.to(), side);
    let from = match (mv, mv.from()) {
        (Move::Put { role, .. }, _) => {
            let kind = DROPPED.iter().position(|&dropped| dropped == role).unwrap_or(0);
            return (policy::<V>().maps - DROPPED.len() + kind, point(to));
        }
        (_, Some(from)) => seen::<V>(from, side),
        (_, None) => to,
    };
    let right = i32::from(u8::from(to.file())) - i32::from(u8::from(from.file()));
    let up = i32::from(u8::from(to.rank())) - i32::from(u8::from(from.rank()));
    let promotion = match mv.promotion() {
        Some(Role::Knight) => Some(0),
        Some(Role::Bishop) => Some(1),
        Some(Role::Rook) => Some(2),
        Some(Role::King) => Some(3),
        _ => None,
    };
    let map = if let Some(piece) = promotion {
        // A pawn goes straight or takes to one of both sides.
        map::PROMOTIONS + 3 * piece + (right + 1) as usize
    } else if let Some(jump) = JUMPS.iter().position(|&jump| jump == (right, up)) {
        map::JUMPS + jump
    } else {
        let far = right.abs().max(up.abs());
        let way = STEPS.iter().position(|&step| step == (right.signum(), up.signum())).unwrap_or(0);
        way * 7 + far as usize - 1
    };
    (map, point(from))
}

impl<V: Variant> Encoder<Board<V>> for ChessPlanes {
    fn id(&self) -> EncoderId {
        EncoderId("chess73")
    }

    fn shape(&self, _: &Board<V>) -> Shape {
        let hands = if V::HANDS { 2 * DROPPED.len() + 1 } else { 0 };
        let checks = if V::COUNTS_CHECKS { 2 } else { 0 };
        Shape { planes: plane::COMMON + hands + checks, height: 8, width: 8, globals: 0, policy: policy::<V>() }
    }

    fn encode(&self, line: &Line<Board<V>>, out: &mut Input<'_>) {
        let mut planes = out.clear(&self.shape(line.position()));
        let rules = line.position().rules();
        let own = rules.turn();
        mark_pieces::<V>(&mut planes, rules);
        let castles = rules.castles().castling_rights();
        for (plane, color) in (plane::CASTLES..).zip([own, !own]) {
            mark::<V>(&mut planes, plane, castles & rules.board().by_color(color), own);
        }
        if let Some(square) = rules.legal_ep_square() {
            planes.mark(plane::EN_PASSANT, point(seen::<V>(square, own)));
        }
        let quiet = rules.halfmoves().min(DRAWN_AFTER);
        planes.fill(plane::QUIET, quiet as f32 / DRAWN_AFTER as f32);

        let mut plane = plane::COMMON;
        let mut fill = |number: f32| {
            planes.fill(plane, number);
            plane += 1;
        };
        if let Some(pockets) = rules.pockets().filter(|_| V::HANDS) {
            for color in [own, !own] {
                DROPPED.iter().for_each(|&role| fill(f32::from(pockets[color][role]) / HANDFUL));
            }
        }
        if let Some(left) = rules.remaining_checks().filter(|_| V::COUNTS_CHECKS) {
            [own, !own].into_iter().for_each(|color| fill(f32::from(u8::from(left[color])) / CHECKS));
        }
        if V::HANDS {
            mark::<V>(&mut planes, plane, rules.promoted(), own);
        }
    }

    fn index(&self, position: &Board<V>, mv: Move) -> usize {
        let (map, point) = place::<V>(position.rules().turn(), mv);
        self.shape(position).on_map(map, point)
    }
}

impl Encoder<Chess> for ChessBits {
    fn id(&self) -> EncoderId {
        EncoderId("chess-d")
    }

    fn shape(&self, _: &Chess) -> Shape {
        Shape { planes: 13, height: 8, width: 8, globals: 12, policy: policy::<ChessRules>() }
    }

    fn encode(&self, line: &Line<Chess>, out: &mut Input<'_>) {
        let rules = line.position().rules();
        let own = rules.turn();
        let mut planes = out.clear(&self.shape(line.position()));
        mark_pieces::<ChessRules>(&mut planes, rules);
        for square in bits(!rules.board().occupied().0) {
            planes.mark(12, point(seen::<ChessRules>(Square::new(square as u32), own)));
        }
        let wings = [own, !own].map(|color| CastlingSide::ALL.map(|wing| rules.castles().has(color, wing)));
        for (bit, &may) in out.globals.iter_mut().zip(wings.as_flattened()) {
            *bit = if may { 1.0 } else { 0.0 };
        }
        if let Some(square) = rules.legal_ep_square() {
            out.globals[4 + usize::from(square.file())] = 1.0;
        }
    }

    fn index(&self, position: &Chess, mv: Move) -> usize {
        ChessPlanes.index(position, mv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Encoded;
    use crate::exam::{Exam, Used};
    use tengen_core::{Notation, Position, Rng, Turn};
    use tengen_games::chess::*;

    fn sits<V: Variant>(encoder: &impl Encoder<Board<V>>) -> Used {
        Exam::new(encoder, Board::<V>::new()).games(20).longest(400).sit()
    }

    #[test]
    fn chess_sits_the_exam() {
        let used = sits::<ChessRules>(&ChessPlanes);
        assert_eq!(used.planes, [true; 16]);
        assert_eq!(used.policy.len(), 4672);
        // 1792 moves of queens and knights, and 66 promotions of a pawn to something else.
        let legal = used.policy.iter().filter(|used| **used).count();
        assert!((1400..=1858).contains(&legal), "{legal} places were of use");
        let used = Exam::new(&ChessBits, Chess::new()).games(60).longest(400).sit();
        assert_eq!((used.planes, used.globals), (vec![true; 13], vec![true; 12]));
    }

    #[test]
    fn variants_sit_the_exam() {
        let planes = |used: Used| used.planes.iter().filter(|used| **used).count();
        assert_eq!(planes(sits::<CrazyhouseRules>(&ChessPlanes)), 27);
        assert_eq!(planes(sits::<ThreeCheckRules>(&ChessPlanes)), 18);
        assert_eq!(planes(sits::<KingOfTheHillRules>(&ChessPlanes)), 16);
        assert_eq!(planes(sits::<AtomicRules>(&ChessPlanes)), 16);
        // No pawns, no castling.
        assert_eq!(planes(sits::<RacingKingsRules>(&ChessPlanes)), 11);
        let antichess = sits::<AntichessRules>(&ChessPlanes);
        assert!(antichess.policy[73 * 64..].iter().any(|used| *used), "pawns became kings");
        assert_eq!(planes(antichess), 14);
        assert_eq!(planes(sits::<HordeRules>(&ChessPlanes)), 16);
        for n in [0, 300, 959] {
            Exam::new(&ChessPlanes, Chess960::numbered(n).expect("below 960")).games(8).longest(150).sit();
        }
    }

    /// The same position with the sides exchanged.
    fn exchanged<V: Variant>(position: &Board<V>) -> Board<V> {
        let text = position.write();
        let fields: Vec<&str> = text.split(' ').collect();
        let swap = |text: &str| -> String {
            let swapped = |c: char| if c.is_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
            text.chars().map(swapped).collect()
        };
        let (board, hands) = fields[0].split_once('[').map_or((fields[0], None), |(board, hands)| (board, Some(hands)));
        let rows: Vec<&str> = board.split('/').rev().collect();
        let mut parts =
            vec![swap(&rows.join("/")) + &hands.map(|hands| format!("[{}", swap(hands))).unwrap_or_default()];
        parts.push(if fields[1] == "w" { "b" } else { "w" }.to_owned());
        parts.push(swap(fields[2]));
        parts.push(fields[3].replace('3', "x").replace('6', "3").replace('x', "6"));
        for field in &fields[4..] {
            match field.split_once('+') {
                Some((white, black)) => parts.push(format!("{black}+{white}")),
                None => parts.push((*field).to_owned()),
            }
        }
        let text = parts.join(" ");
        Board::read(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn indices<V: Variant>(encoder: &impl Encoder<Board<V>>, position: &Board<V>) -> Vec<usize> {
        let mut moves = Vec::new();
        position.turn(&mut moves);
        let mut all: Vec<usize> = moves.iter().map(|&mv| encoder.index(position, mv)).collect();
        all.sort_unstable();
        all
    }

    fn both_sides_see_the_same<V: Variant>(encoder: &impl Encoder<Board<V>>) {
        let mut moves = Vec::new();
        for seed in 0..6 {
            let mut rng = Rng::with_seed(seed);
            let mut line = Line::new(Board::<V>::new());
            while line.ply() < 150 && matches!(line.turn(&mut moves), Turn::Decision(_)) {
                let position = line.position();
                let other = exchanged(position);
                let shown = [position, &other].map(|position| Encoded::of(encoder, &Line::new(position.clone())));
                assert_eq!(shown[0], shown[1], "{}", position.write());
                assert_eq!(indices(encoder, position), indices(encoder, &other), "{}", position.write());
                line.push(moves[rng.usize(..moves.len())]);
            }
        }
    }

    #[test]
    fn black_sees_the_board_from_its_side() {
        both_sides_see_the_same::<ChessRules>(&ChessPlanes);
        both_sides_see_the_same::<ChessRules>(&ChessBits);
        both_sides_see_the_same::<Chess960Rules>(&ChessPlanes);
        both_sides_see_the_same::<CrazyhouseRules>(&ChessPlanes);
        both_sides_see_the_same::<ThreeCheckRules>(&ChessPlanes);
        both_sides_see_the_same::<AtomicRules>(&ChessPlanes);
        both_sides_see_the_same::<AntichessRules>(&ChessPlanes);
    }

    #[test]
    fn racing_kings_race_side_by_side() {
        let white = RacingKings::new();
        let black = RacingKings::read(&white.write().replace(" w ", " b ")).expect("the start with Black to move");
        let shown = [&white, &black].map(|position| Encoded::of(&ChessPlanes, &Line::new(position.clone())));
        assert_eq!(shown[0], shown[1]);
        assert_eq!(indices(&ChessPlanes, &white), indices(&ChessPlanes, &black));
    }

    /// The map of a move in a position, and the name of its square as the side to move sees it.
    fn check(fen: &str, mv: &str, map: usize, square: &str) {
        let position = Chess::read(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        let mv = position.read_move(mv).unwrap_or_else(|error| panic!("{mv}: {error}"));
        let index = ChessPlanes.index(&position, mv);
        let point = index % 64;
        let name = format!("{}{}", char::from(b"abcdefgh"[point % 8]), 8 - point / 8);
        assert_eq!((index / 64, name.as_str()), (map, square), "{fen} {mv:?}");
    }

    #[test]
    fn moves_are_where_they_belong() {
        let start = Chess::new().write();
        check(&start, "e2e4", 1, "e2");
        check(&start, "g1f3", map::JUMPS + 7, "g1");
        let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        check(castling, "e1g1", 2 * 7 + 2, "e1");
        check(castling, "e1c1", 6 * 7 + 3, "e1");
        check(&castling.replace(" w ", " b "), "e8g8", 2 * 7 + 2, "e1");
        check(castling, "a1a7", 5, "a1");
        let promotion = "k7/8/8/8/8/8/p7/1R5K b - - 0 1";
        check(promotion, "a2a1q", 0, "a7");
        check(promotion, "a2b1q", 7, "a7");
        check(promotion, "a2a1n", map::PROMOTIONS + 1, "a7");
        check(promotion, "a2b1r", map::PROMOTIONS + 8, "a7");
    }

    #[test]
    fn bits_are_in_the_documented_order() {
        let after = "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQq e3 0 3";
        let position = Chess::read(after).expect("a position");
        let shown = Encoded::of(&ChessBits, &Line::new(position));
        let count = |plane: usize| shown.planes[plane * 64..][..64].iter().sum::<f32>();
        let counts: Vec<f32> = (0..13).map(count).collect();
        assert_eq!(counts, [8., 2., 2., 2., 1., 1., 8., 2., 2., 2., 1., 1., 32.]);
        // Black, to move, has lost the right to castle short; White has both; the pawn on the e-file can be taken.
        assert_eq!(shown.globals, [0., 1., 1., 1., 0., 0., 0., 0., 1., 0., 0., 0.]);
        // The own king stands on the e-file of the lowest row, the other's on the highest.
        assert_eq!((shown.planes[5 * 64 + 60], shown.planes[11 * 64 + 4]), (1.0, 1.0));
    }
}
