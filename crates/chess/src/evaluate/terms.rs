//! The terms of the evaluation: every weight has a place in one long table.
//!
//! The evaluation names a place and how often the term holds; the trace, the tuner and the printed table read the
//! same places. The weights themselves are in `weights`, written by the tuner.

/// One kind of term: its name in a table of weights, where it begins, how many weights it has, and the group it is shown in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Term {
    /// What it is called.
    pub name: &'static str,
    /// The place of its first weight.
    pub start: usize,
    /// How many weights it has.
    pub count: usize,
    /// Under which heading `tengen chess eval` shows it.
    pub group: &'static str,
}

macro_rules! terms {
    ($($(#[doc = $doc:literal])* $name:ident: $count:expr, $group:literal;)*) => {
        terms!(@place 0usize; $($name: $count,)*);
        /// All terms in the order of their places.
        pub const TERMS: &[Term] = &[
            $(Term { name: stringify!($name), start: $name, count: $count, group: $group },)*
        ];
    };
    (@place $start:expr; $name:ident: $count:expr, $($rest:tt)*) => {
        pub(crate) const $name: usize = $start;
        terms!(@place $name + $count; $($rest)*);
    };
    (@place $start:expr;) => {
        /// How many weights there are.
        pub const WEIGHTS_COUNT: usize = $start;
    };
}

terms! {
    // Pawn, knight, bishop, rook, queen.
    MATERIAL: 5, "material";
    // Six roles by 32 squares: four files from the edge to the middle, eight ranks seen from the own side.
    SQUARES: 6 * 32, "placement";
    // By the number of squares a piece can go to that no enemy pawn attacks.
    KNIGHT_MOBILITY: 9, "mobility";
    BISHOP_MOBILITY: 14, "mobility";
    ROOK_MOBILITY: 15, "mobility";
    QUEEN_MOBILITY: 28, "mobility";
    BISHOP_PAIR: 1, "pieces";
    // For every own pawn on squares of the bishop's colour.
    BISHOP_OWN_PAWNS: 1, "pieces";
    BISHOP_LONG_DIAGONAL: 1, "pieces";
    // Where no enemy pawn can chase it: knight, knight with a pawn behind it, bishop, bishop with a pawn.
    OUTPOST: 4, "pieces";
    // A minor piece right behind a pawn.
    BEHIND_PAWN: 2, "pieces";
    // No own pawn on the file; no pawn at all.
    ROOK_FILE: 2, "pieces";
    ROOK_SEVENTH: 1, "pieces";
    // A rook shut in by its own king that cannot castle any more.
    ROOK_TRAPPED: 1, "pieces";
    DOUBLED: 1, "pawns";
    // On a file with an enemy pawn in front; on an open one.
    ISOLATED: 2, "pawns";
    BACKWARD: 2, "pawns";
    // By rank: a neighbour at its side, or a pawn behind that protects it.
    PHALANX: 8, "pawns";
    PROTECTED: 8, "pawns";
    // By rank: not passed yet, but it would be after an exchange that does not lose a pawn.
    CANDIDATE: 8, "pawns";
    PASSED: 8, "passed pawns";
    PASSED_PROTECTED: 1, "passed pawns";
    // By rank from the fourth: the next square can be entered; the whole way is free of attacks.
    PASSED_FREE: 8, "passed pawns";
    PASSED_SAFE: 8, "passed pawns";
    // By distance from the square in front of the pawn to the own and to the enemy king.
    PASSED_OWN_KING: 8, "passed pawns";
    PASSED_ENEMY_KING: 8, "passed pawns";
    // A rook behind it.
    PASSED_ROOK_BEHIND: 1, "passed pawns";
    // On the king's file and the two beside it: how far the nearest own pawn in front has gone, 0 for none.
    SHELTER: 16, "king";
    // The same for the nearest enemy pawn: held up by an own one, or free to come.
    STORM: 16, "king";
    // Enemy pawns on the king's wing: none at all is a sad place for an endgame king.
    KING_WING: 1, "king";
    // What a pawn attacks: knight, bishop, rook, queen.
    PAWN_THREAT: 4, "threats";
    // What a minor piece, or a rook, attacks: pawn, knight, bishop, rook, queen; pieces defended by pawns do not count.
    MINOR_THREAT: 5, "threats";
    ROOK_THREAT: 5, "threats";
    KING_THREAT: 1, "threats";
    // Attacked and not defended at all.
    HANGING: 1, "threats";
    // A pawn can step forward safely and attack a piece.
    PUSH_THREAT: 1, "threats";
    // Squares where the other side's queen could be attacked next move by a minor piece or rook.
    QUEEN_HARASSED: 1, "threats";
    // Safe squares behind and among the own pawns of the four middle files.
    SPACE: 1, "space";
    TEMPO: 1, "tempo";
    // Danger to the king: these are added up, and only then turned into a score.
    DANGER_BASE: 1, "king danger";
    DANGER_ATTACKERS: 4, "king danger";
    DANGER_RING: 1, "king danger";
    DANGER_WEAK: 1, "king danger";
    DANGER_CHECKS: 4, "king danger";
    DANGER_UNSAFE_CHECKS: 1, "king danger";
    DANGER_NO_QUEEN: 1, "king danger";
    DANGER_OPEN: 1, "king danger";
    DANGER_DEFENDERS: 1, "king danger";
}

/// Whether a place is one of the danger terms, which are squared before they count.
pub const fn is_danger(place: usize) -> bool {
    place >= DANGER_BASE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_fill_the_table_without_gaps() {
        let mut next = 0;
        for term in TERMS {
            assert_eq!(term.start, next, "{}", term.name);
            next += term.count;
        }
        assert_eq!(next, WEIGHTS_COUNT);
    }
}
