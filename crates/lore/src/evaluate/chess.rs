//! Chess and its variants, in a few lines: material, the centre, and what each variant is about.
//!
//! It is here so that the generic searches have something to look at; the chess engine has an evaluation of its own.

use shakmaty::{Color, Position as _, Role, Square};
use tengen_core::{Line, Position, Pov, Score, Side};
use tengen_games::chess::{Board, Variant};
use tengen_search::Heuristic;

/// Material and placement.
#[derive(Clone, Copy, Default, Debug)]
pub struct Material;

/// Pawn, knight, bishop, rook, queen, king.
const WORTH: [Score; 6] = [100, 320, 330, 500, 900, 0];

impl<V: Variant> Heuristic<Board<V>> for Material {
    fn score(&mut self, line: &Line<Board<V>>) -> Score {
        let position = line.position();
        let white = worth::<V>(position, Color::White) - worth::<V>(position, Color::Black);
        // Having the move is worth a little.
        Pov::of(Side::First, white).seen_by(position.to_move()) + 10
    }

    /// Captures and promotions.
    fn unquiet(&mut self, _line: &Line<Board<V>>, moves: &mut Vec<shakmaty::Move>) {
        moves.retain(|mv| mv.is_capture() || mv.is_promotion());
        let victim = |mv: &shakmaty::Move| {
            let taken = mv.capture().map_or(0, |role| WORTH[role as usize - 1]);
            // The most valuable victim first, taken by the least valuable attacker.
            -(10 * taken - WORTH[mv.role() as usize - 1] / 10)
        };
        moves.sort_by_key(victim);
    }
}

fn worth<V: Variant>(position: &Board<V>, color: Color) -> Score {
    let rules = position.rules();
    let board = rules.board();
    let mut sum = 0;
    for square in board.by_color(color) {
        let Some(role) = board.role_at(square) else { continue };
        sum += WORTH[role as usize - 1] + placement(role, square, color);
    }
    let sign = if V::ID == "antichess" { -1 } else { 1 };
    sum *= sign;
    if let Some(pockets) = rules.pockets() {
        let held = |role: Role| Score::from(*pockets[color].get(role)) * WORTH[role as usize - 1];
        sum += Role::ALL.iter().map(|&role| held(role)).sum::<Score>() * 11 / 10;
    }
    if let Some(checks) = rules.remaining_checks() {
        // The second check is worth more than the first.
        sum += match u8::from(checks[color]) {
            3 => 0,
            2 => 120,
            _ => 400,
        };
    }
    if let Some(king) = board.king_of(color) {
        sum += match V::ID {
            "koth" => 15 * (6 - from_centre(king)),
            "racingkings" => 60 * king.rank() as Score,
            _ => 0,
        };
    }
    sum
}

/// Twice the distance to the middle of the board, rounded: 1 in the centre, 7 at the edge, along the longer way.
fn from_centre(square: Square) -> Score {
    let off = |index: usize| (2 * index as Score - 7).abs();
    off(square.file() as usize).max(off(square.rank() as usize))
}

fn placement(role: Role, square: Square, color: Color) -> Score {
    let rank = square.rank() as Score;
    let advanced = if color == Color::White { rank } else { 7 - rank };
    let centre = 7 - from_centre(square);
    match role {
        Role::Pawn => 4 * advanced + if advanced >= 5 { 20 } else { 0 } + centre,
        Role::Knight => 6 * centre,
        Role::Bishop => 4 * centre,
        Role::Rook => centre + if advanced == 6 { 15 } else { 0 },
        Role::Queen => 2 * centre,
        // At home in the opening and the middle game; the searches see endings by themselves.
        Role::King => -3 * advanced.min(3),
    }
}
