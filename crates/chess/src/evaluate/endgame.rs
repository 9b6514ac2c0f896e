//! What the sum of terms does not know: endgames that cannot be won, and how to win those that can.

use crate::board::{WORTH, at};
use crate::orthodox::Orthodox;
use shakmaty::{Bitboard, Color, File, Role, Square};

/// Material without pawns and king, in centipawns.
fn officers(board: &Orthodox, color: Color) -> i32 {
    [Role::Knight, Role::Bishop, Role::Rook, Role::Queen]
        .into_iter()
        .map(|role| WORTH[at(role)] * board.pieces.of_kind(color, role).count() as i32)
        .sum()
}

/// What the endgame's part of a score is worth, of 128: little where the better side has little to win with.
pub(super) fn scale(board: &Orthodox, end_for_white: i32) -> i32 {
    // All this is about boards with few pieces.
    if board.phase > 12 {
        return 128;
    }
    let pieces = &board.pieces;
    let strong = Color::from_white(end_for_white > 0);
    let pawns = pieces.of_kind(strong, Role::Pawn);
    let ours = officers(board, strong);
    let theirs = officers(board, !strong);
    if pawns.is_empty() {
        // Without pawns a minor piece more is not enough, and one alone is nothing.
        if ours <= WORTH[at(Role::Bishop)] {
            return 0;
        }
        if ours - theirs <= WORTH[at(Role::Bishop)] {
            return if theirs == 0 { 4 } else { 14 };
        }
        return 128;
    }
    if only_wrong_bishop(board, strong, ours) {
        return 0;
    }
    // Bishops on squares of different colours.
    let bishops = pieces.of_role(Role::Bishop);
    let one_each = Color::ALL.into_iter().all(|color| pieces.of_kind(color, Role::Bishop).single_square().is_some());
    if one_each && (bishops & Bitboard::LIGHT_SQUARES).any() && (bishops & Bitboard::DARK_SQUARES).any() {
        let only_bishops = ours == WORTH[at(Role::Bishop)] && theirs == ours;
        return if only_bishops { 60 } else { 100 };
    }
    // The last pawns may be exchanged.
    (100 + 8 * pawns.count() as i32).min(128)
}

/// Whether a side has nothing but pawns on one edge file, perhaps a bishop that does not cover the corner, and the
/// other king sits in it.
fn only_wrong_bishop(board: &Orthodox, strong: Color, ours: i32) -> bool {
    let pieces = &board.pieces;
    let pawns = pieces.of_kind(strong, Role::Pawn);
    let bishops = pieces.of_kind(strong, Role::Bishop);
    if ours != WORTH[at(Role::Bishop)] * bishops.count() as i32 {
        return false;
    }
    let Some(file) = [File::A, File::H].into_iter().find(|&file| (pawns & !Bitboard::from_file(file)).is_empty())
    else {
        return false;
    };
    let corner = Square::from_coords(file, (!strong).backrank());
    let covers = bishops.into_iter().any(|bishop| bishop.is_light() == corner.is_light());
    !covers && board.king(!strong).distance(corner) <= 1
}

/// Points for White for driving a bare king to where he can be mated; negative if Black drives.
pub(super) fn drive_home(board: &Orthodox) -> i32 {
    if board.phase > 12 || board.pieces.occupied().count() > 8 {
        return 0;
    }
    let bare = |color: Color| !board.pieces.of_color(color).more_than_one();
    let strong = match (bare(Color::White), bare(Color::Black)) {
        (false, true) => Color::White,
        (true, false) => Color::Black,
        _ => return 0,
    };
    let pieces = &board.pieces;
    let bishops = pieces.of_kind(strong, Role::Bishop);
    let knights = pieces.of_kind(strong, Role::Knight);
    let heavy = pieces.of_kind(strong, Role::Queen) | pieces.of_kind(strong, Role::Rook);
    let pair = (bishops & Bitboard::LIGHT_SQUARES).any() && (bishops & Bitboard::DARK_SQUARES).any();
    let wins = heavy.any() || pair || bishops.any() && knights.any() || knights.count() > 2;
    if !wins {
        return 0;
    }
    let (hunter, hunted) = (board.king(strong), board.king(!strong));
    let edge = |index: u32| index.min(7 - index) as i32;
    let from_edge = edge(hunted.file() as u32) + edge(hunted.rank() as u32);
    let mut points = 200 + 10 * (7 - hunter.distance(hunted) as i32) + 15 * (6 - from_edge);
    if heavy.is_empty() && !pair && bishops.any() {
        // Bishop and knight mate in the corners of the bishop's colour only.
        let light = (bishops & Bitboard::LIGHT_SQUARES).any();
        let corners = if light { [Square::A8, Square::H1] } else { [Square::A1, Square::H8] };
        let nearest = corners.into_iter().map(|corner| walk(corner, hunted)).min().unwrap_or(0);
        points += 20 * (14 - nearest);
    }
    if strong == Color::White { points } else { -points }
}

/// Steps along ranks and files.
fn walk(a: Square, b: Square) -> i32 {
    (a.file().distance(b.file()) + a.rank().distance(b.rank())) as i32
}
