//! The terms, one by one. Written once: with [`Nothing`] to note it is the evaluation of the search, with
//! [`Coefficients`] it is the trace that the tuner and the printed table read.
//!
//! Scores are added for each side by itself and from its own view; what stands at the end is White's less Black's.

use super::packed::Packed;
use super::terms::*;
use super::weights::WEIGHTS;
use super::{Kept, endgame};
use crate::board::{Pieces, SearchBoard as _, at};
use crate::orthodox::{Orthodox, forward, pawn_strikes};
use shakmaty::{Bitboard, Color, File, Rank, Role, Square, attacks};
use tengen_core::Score;

/// How much each role counts for the phase of the game: 24 at the start, 0 with kings and pawns.
pub(crate) const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];

/// All pieces on the board.
pub(crate) const FULL_PHASE: i32 = 24;

/// The place of a square in a table of 32: the four left files stand for the right ones too.
const fn half_board(color: Color, square: usize) -> usize {
    let rank = if color.is_white() { square / 8 } else { 7 - square / 8 };
    let file = square % 8;
    rank * 4 + if file < 4 { file } else { 7 - file }
}

/// Material and placement of each piece on each square, White's positive: what the board keeps up to date.
static SQUARE_WORTH: [[[Packed; 64]; 6]; 2] = {
    let mut table = [[[Packed::ZERO; 64]; 6]; 2];
    let mut role = 0;
    while role < 6 {
        let mut square = 0;
        while square < 64 {
            let material = if role < 5 { WEIGHTS[MATERIAL + role] } else { Packed::ZERO };
            let white = WEIGHTS[SQUARES + role * 32 + half_board(Color::White, square)];
            let black = WEIGHTS[SQUARES + role * 32 + half_board(Color::Black, square)];
            table[Color::White as usize][role][square] = material.plus(white);
            table[Color::Black as usize][role][square] = material.plus(black).negated();
            square += 1;
        }
        role += 1;
    }
    table
};

impl Kept for Packed {
    #[inline]
    fn put(&mut self, color: Color, role: Role, square: Square) {
        *self += SQUARE_WORTH[color as usize][at(role)][square as usize];
    }

    #[inline]
    fn take(&mut self, color: Color, role: Role, square: Square) {
        *self -= SQUARE_WORTH[color as usize][at(role)][square as usize];
    }
}

/// What an evaluation leaves behind beside its score.
pub(super) trait Note {
    /// The term at `place` held `count` times for a side.
    fn note(&mut self, color: Color, place: usize, count: i32);
}

/// Leaves nothing behind.
struct Nothing;

impl Note for Nothing {
    #[inline]
    fn note(&mut self, _color: Color, _place: usize, _count: i32) {}
}

/// How often each term held, and how the sum becomes a score.
#[derive(Clone, Debug)]
pub struct Coefficients {
    /// By colour (`Color as usize`) and place.
    pub counts: [Vec<i16>; 2],
    /// The share of the middle game, of 24.
    pub phase: i32,
    /// What the endgame's part is multiplied with, of 128.
    pub scale: i32,
    /// What rules of particular endgames add for White.
    pub extra: i32,
    /// Whether the danger to the king of this colour counts at all.
    pub danger_counts: [bool; 2],
}

impl Note for Coefficients {
    fn note(&mut self, color: Color, place: usize, count: i32) {
        self.counts[color as usize][place] += count as i16;
    }
}

/// What is known of pawns and kings, remembered from one evaluation to the next.
#[derive(Clone, Copy)]
struct Structure {
    key: u64,
    /// White's less Black's.
    score: Packed,
    passed: Bitboard,
}

/// The evaluation that the search uses for chess and Chess960. It remembers pawn structures.
pub struct Classical {
    structures: Box<[Structure]>,
}

/// A power of two.
const STRUCTURES: usize = 1 << 13;

impl Default for Classical {
    fn default() -> Self {
        // Key 0 would be a structure without kings.
        let empty = Structure { key: 0, score: Packed::ZERO, passed: Bitboard::EMPTY };
        Classical { structures: vec![empty; STRUCTURES].into_boxed_slice() }
    }
}

impl super::Evaluation<Orthodox> for Classical {
    fn evaluate(&mut self, board: &Orthodox) -> Score {
        let mut judge = Judge::new(board, Nothing);
        let slot = &mut self.structures[board.structure_key() as usize & (STRUCTURES - 1)];
        if slot.key != board.structure_key() {
            let passed = judge.structure();
            let score = judge.score[Color::White as usize] - judge.score[Color::Black as usize];
            *slot = Structure { key: board.structure_key(), score, passed };
            judge.score = [Packed::ZERO; 2];
        }
        let known = *slot;
        judge.rest(known.passed);
        let white = board.kept + known.score;
        let [black_sum, white_sum] = judge.score;
        let (score, _, _) = mixed(board, white + white_sum - black_sum);
        if board.to_move() == Color::White { score } else { -score }
    }
}

/// Everything that went into the evaluation, and the score for White.
pub fn coefficients(board: &Orthodox) -> (Coefficients, Score) {
    let note = Coefficients {
        counts: [vec![0; WEIGHTS_COUNT], vec![0; WEIGHTS_COUNT]],
        phase: 0,
        scale: 128,
        extra: 0,
        danger_counts: [false; 2],
    };
    let mut judge = Judge::new(board, note);
    for square in board.pieces.occupied() {
        let (Some(role), color) = (board.role_at(square), board.color_at(square)) else { continue };
        if role != Role::King {
            judge.term(color, MATERIAL + at(role), 1);
        }
        judge.term(color, SQUARES + at(role) * 32 + half_board(color, square as usize), 1);
    }
    let passed = judge.structure();
    judge.rest(passed);
    let [black, white] = judge.score;
    let (score, scale, extra) = mixed(board, white - black);
    let mut note = judge.note;
    note.phase = board.phase.min(FULL_PHASE);
    note.scale = scale;
    note.extra = extra;
    note.danger_counts = judge.danger_counts;
    (note, score)
}

/// Middle game and endgame mixed by what is left on the board, for White; and the scale and the extra points used.
#[inline]
fn mixed(board: &Orthodox, white: Packed) -> (Score, i32, i32) {
    let phase = board.phase.min(FULL_PHASE);
    let scale = endgame::scale(board, white.end());
    let extra = endgame::drive_home(board);
    let end = white.end() * scale / 128;
    ((white.middle() * phase + end * (FULL_PHASE - phase)) / FULL_PHASE + extra, scale, extra)
}

struct Judge<'a, N: Note> {
    board: &'a Orthodox,
    pieces: &'a Pieces,
    note: N,
    score: [Packed; 2],
    danger_counts: [bool; 2],
    /// Squares that count for mobility.
    area: [Bitboard; 2],
    /// Squares attacked by one side at all, twice, and by each role.
    attacked: [Bitboard; 2],
    twice: [Bitboard; 2],
    by_role: [[Bitboard; 6]; 2],
    /// Squares around each king.
    ring: [Bitboard; 2],
    /// How many pieces of a side attack the other king's ring, by role from the knight on, and how many squares of it.
    ring_attackers: [[i32; 4]; 2],
    ring_attacks: [i32; 2],
}

/// The squares in front of a square on its own file and the two beside it, for each colour.
static FRONT_SPAN: [[Bitboard; 64]; 2] = {
    let mut table = [[Bitboard::EMPTY; 64]; 2];
    let mut square = 0;
    while square < 64 {
        let (rank, file) = (square / 8, square % 8);
        let mut other = 0;
        while other < 64 {
            let (other_rank, other_file) = (other / 8, other % 8);
            if other_file + 1 >= file && other_file <= file + 1 {
                if other_rank > rank {
                    table[Color::White as usize][square].0 |= 1 << other;
                }
                if other_rank < rank {
                    table[Color::Black as usize][square].0 |= 1 << other;
                }
            }
            other += 1;
        }
        square += 1;
    }
    table
};

/// The files beside a file.
#[inline]
fn beside(file: File) -> Bitboard {
    let own = Bitboard::from_file(file).0;
    Bitboard((own & !Bitboard::from_file(File::A).0) >> 1 | (own & !Bitboard::from_file(File::H).0) << 1)
}

/// The squares in front of a square on its file.
#[inline]
fn ahead(color: Color, square: Square) -> Bitboard {
    FRONT_SPAN[color as usize][square as usize] & square.file()
}

#[inline]
fn pawn_attacks(color: Color, pawns: Bitboard) -> (Bitboard, Bitboard) {
    let (left, right) = pawn_strikes(color, pawns);
    (left | right, left & right)
}

/// The rank seen from a side, 0 to 7.
#[inline]
fn relative(color: Color, square: Square) -> usize {
    color.relative_rank(square.rank()) as usize
}

impl<'a, N: Note> Judge<'a, N> {
    #[inline]
    fn new(board: &'a Orthodox, note: N) -> Self {
        Judge {
            board,
            pieces: &board.pieces,
            note,
            score: [Packed::ZERO; 2],
            danger_counts: [false; 2],
            area: [Bitboard::EMPTY; 2],
            attacked: [Bitboard::EMPTY; 2],
            twice: [Bitboard::EMPTY; 2],
            by_role: [[Bitboard::EMPTY; 6]; 2],
            ring: [Bitboard::EMPTY; 2],
            ring_attackers: [[0; 4]; 2],
            ring_attacks: [0; 2],
        }
    }

    /// A term holds so many times for a side.
    #[inline]
    fn term(&mut self, color: Color, place: usize, count: i32) {
        self.score[color as usize] += WEIGHTS[place] * count;
        self.note.note(color, place, count);
    }

    /// What depends on pawns and kings alone; says which pawns are passed.
    fn structure(&mut self) -> Bitboard {
        let mut passed = Bitboard::EMPTY;
        for color in Color::ALL {
            passed |= self.pawns(color);
            self.shelter(color);
        }
        passed
    }

    fn pawns(&mut self, us: Color) -> Bitboard {
        let own = self.pieces.of_kind(us, Role::Pawn);
        let theirs = self.pieces.of_kind(!us, Role::Pawn);
        let (defended, _) = pawn_attacks(us, own);
        let (attacked, _) = pawn_attacks(!us, theirs);
        let mut passed = Bitboard::EMPTY;
        for square in own {
            let rank = relative(us, square);
            let neighbours = own & beside(square.file());
            let front = ahead(us, square);
            let stoppers = theirs & FRONT_SPAN[us as usize][square as usize];
            let open = (theirs & front).is_empty();
            let protectors = attacks::pawn_attacks(!us, square) & own;
            let phalanx = neighbours & square.rank();

            if (own & front).any() {
                self.term(us, DOUBLED, 1);
            }
            if neighbours.is_empty() {
                self.term(us, ISOLATED + usize::from(open), 1);
            } else {
                // Nobody beside or behind can come to its help, and the next square is guarded.
                let behind = neighbours & !FRONT_SPAN[us as usize][square as usize];
                if behind.is_empty() && (forward(us, square.into()) & attacked).any() {
                    self.term(us, BACKWARD + usize::from(open), 1);
                }
            }
            if phalanx.any() {
                self.term(us, PHALANX + rank, 1);
            }
            if protectors.any() {
                self.term(us, PROTECTED + rank, 1);
            }
            if stoppers.is_empty() && (own & front).is_empty() {
                passed.add(square);
                self.term(us, PASSED + rank, 1);
                if defended.contains(square) {
                    self.term(us, PASSED_PROTECTED, 1);
                }
            } else if open && (own & front).is_empty() {
                // Those that attack it or guard its next square, against those that protect it or come along.
                let levers = attacks::pawn_attacks(us, square) & theirs;
                let guards = stoppers & !levers;
                if guards.count() <= phalanx.count() && levers.count() <= protectors.count() {
                    self.term(us, CANDIDATE + rank, 1);
                }
            }
        }
        passed
    }

    fn shelter(&mut self, us: Color) {
        let king = self.board.king(us);
        let own = self.pieces.of_kind(us, Role::Pawn);
        let theirs = self.pieces.of_kind(!us, Role::Pawn);
        let not_behind = FRONT_SPAN[us as usize][king as usize] | king.rank();
        let middle = (king.file() as usize).clamp(1, 6);
        for file in [middle - 1, middle, middle + 1].map(|file| File::new(file as u32)) {
            let here = usize::from(file == king.file());
            let nearest = |pawns: Bitboard| {
                let pawns = pawns & file & not_behind;
                if us == Color::White { pawns.first() } else { pawns.last() }
            };
            let shield = nearest(own);
            let rank = shield.map_or(0, |square| relative(us, square));
            self.term(us, SHELTER + 8 * here + rank, 1);
            let storm = nearest(theirs);
            let storm_rank = storm.map_or(0, |square| relative(us, square));
            let held = rank > 0 && rank + 1 == storm_rank;
            self.term(us, STORM + 8 * usize::from(held) + storm_rank, 1);
        }
        let wing = Bitboard::from_file(File::A) | File::B | File::C | File::D;
        let wing = if (king.file() as usize) < 4 { wing } else { !wing };
        if ((own | theirs) & wing).is_empty() {
            self.term(us, KING_WING, 1);
        }
    }

    /// Everything that is not material, placement or structure.
    #[inline]
    fn rest(&mut self, passed: Bitboard) {
        self.term(self.board.to_move(), TEMPO, 1);
        for color in Color::ALL {
            self.prepare(color);
        }
        for color in Color::ALL {
            self.knights(color);
            self.bishops(color);
            self.rooks(color);
            self.queens(color);
        }
        for color in Color::ALL {
            self.danger(color);
            self.threats(color);
            self.passed(color, passed);
            self.space(color);
        }
    }

    /// What pawns and king attack, and the squares that count for mobility.
    #[inline]
    fn prepare(&mut self, us: Color) {
        let pieces = self.pieces;
        let me = us as usize;
        let king = self.board.king(us);
        let pawns = pieces.of_kind(us, Role::Pawn);
        let (by_pawns, twice) = pawn_attacks(us, pawns);
        let by_king = attacks::king_attacks(king);
        let (their_pawns, _) = pawn_attacks(!us, pieces.of_kind(!us, Role::Pawn));
        self.by_role[me][0] = by_pawns;
        self.by_role[me][5] = by_king;
        self.attacked[me] = by_pawns | by_king;
        self.twice[me] = twice | by_pawns & by_king;
        // Pawns that cannot move or have not moved yet are in the way; so is the king.
        let blocked = pawns & forward(!us, pieces.occupied());
        let home = pawns & (Bitboard::from_rank(us.relative_rank(Rank::Second)) | us.relative_rank(Rank::Third));
        self.area[me] = !(blocked | home | king | their_pawns);
        // The king and his neighbours; on the edge three squares more, so that every ring has nine or more.
        let file = Square::from_coords(File::new((king.file() as u32).clamp(1, 6)), king.rank());
        let centre = Square::from_coords(file.file(), Rank::new((king.rank() as u32).clamp(1, 6)));
        self.ring[me] = attacks::king_attacks(centre) | centre;
    }

    /// Counts one piece's attacks; says how many squares count for its mobility.
    #[inline]
    fn reach(&mut self, us: Color, role: Role, reached: Bitboard) -> usize {
        let me = us as usize;
        self.twice[me] |= self.attacked[me] & reached;
        self.attacked[me] |= reached;
        self.by_role[me][at(role)] |= reached;
        let on_ring = reached & self.ring[!us as usize] & !self.by_role[!us as usize][0];
        if on_ring.any() {
            self.ring_attackers[me][at(role) - 1] += 1;
            self.ring_attacks[me] += on_ring.count() as i32;
        }
        (reached & self.area[me]).count()
    }

    #[inline]
    fn knights(&mut self, us: Color) {
        for square in self.pieces.of_kind(us, Role::Knight) {
            let mobility = self.reach(us, Role::Knight, attacks::knight_attacks(square));
            self.term(us, KNIGHT_MOBILITY + mobility, 1);
            self.minor(us, square, 0);
        }
    }

    #[inline]
    fn bishops(&mut self, us: Color) {
        let bishops = self.pieces.of_kind(us, Role::Bishop);
        if (bishops & Bitboard::LIGHT_SQUARES).any() && (bishops & Bitboard::DARK_SQUARES).any() {
            self.term(us, BISHOP_PAIR, 1);
        }
        let pawns = self.pieces.of_role(Role::Pawn);
        let transparent = self.pieces.occupied() ^ self.pieces.of_role(Role::Queen);
        for square in bishops {
            let reached = attacks::bishop_attacks(square, transparent);
            let mobility = self.reach(us, Role::Bishop, reached);
            self.term(us, BISHOP_MOBILITY + mobility, 1);
            let colour = if square.is_light() { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES };
            self.term(us, BISHOP_OWN_PAWNS, (self.pieces.of_kind(us, Role::Pawn) & colour).count() as i32);
            let centre = Bitboard(0x0000_0018_1800_0000);
            if (attacks::bishop_attacks(square, pawns) & centre).more_than_one() {
                self.term(us, BISHOP_LONG_DIAGONAL, 1);
            }
            self.minor(us, square, 1);
        }
    }

    /// What knights (0) and bishops (1) have in common.
    #[inline]
    fn minor(&mut self, us: Color, square: Square, kind: usize) {
        let theirs = self.pieces.of_kind(!us, Role::Pawn);
        let rank = relative(us, square);
        let chasers = theirs & FRONT_SPAN[us as usize][square as usize] & !Bitboard::from_file(square.file());
        if (3..=5).contains(&rank) && chasers.is_empty() {
            let supported = self.by_role[us as usize][0].contains(square);
            self.term(us, OUTPOST + 2 * kind + usize::from(supported), 1);
        }
        if (forward(us, square.into()) & self.pieces.of_role(Role::Pawn)).any() {
            self.term(us, BEHIND_PAWN + kind, 1);
        }
    }

    #[inline]
    fn rooks(&mut self, us: Color) {
        let pawns = self.pieces.of_role(Role::Pawn);
        let own_pawns = self.pieces.of_kind(us, Role::Pawn);
        // A rook sees through its like: two on a file work together.
        let transparent =
            self.pieces.occupied() ^ (self.pieces.of_kind(us, Role::Rook) | self.pieces.of_role(Role::Queen));
        let their_king = self.board.king(!us);
        for square in self.pieces.of_kind(us, Role::Rook) {
            let mobility = self.reach(us, Role::Rook, attacks::rook_attacks(square, transparent));
            self.term(us, ROOK_MOBILITY + mobility, 1);
            if (own_pawns & square.file()).is_empty() {
                self.term(us, ROOK_FILE + usize::from((pawns & square.file()).is_empty()), 1);
            } else if mobility <= 3 {
                let king = self.board.king(us);
                let same_wing = (king.file() < File::E) == (square.file() < king.file());
                if same_wing && king.rank() == square.rank() && (self.board.castling() & king.rank()).is_empty() {
                    self.term(us, ROOK_TRAPPED, 1);
                }
            }
            if relative(us, square) == 6 && relative(us, their_king) >= 6 {
                self.term(us, ROOK_SEVENTH, 1);
            }
        }
    }

    #[inline]
    fn queens(&mut self, us: Color) {
        let occupied = self.pieces.occupied();
        for square in self.pieces.of_kind(us, Role::Queen) {
            let mobility = self.reach(us, Role::Queen, attacks::queen_attacks(square, occupied));
            self.term(us, QUEEN_MOBILITY + mobility, 1);
        }
    }

    /// What threatens the king of `us`. Its terms are added up as danger, and danger costs more than in proportion.
    #[inline]
    fn danger(&mut self, us: Color) {
        let (me, them) = (us as usize, !us as usize);
        let attackers: i32 = self.ring_attackers[them].iter().sum();
        let queens = self.pieces.of_kind(!us, Role::Queen);
        // One piece alone is no attack, unless there is a queen to join it.
        if attackers + i32::from(queens.any()) < 2 {
            return;
        }
        let king = self.board.king(us);
        let occupied = self.pieces.occupied();
        let weak =
            self.attacked[them] & !self.twice[me] & (!self.attacked[me] | self.by_role[me][4] | self.by_role[me][5]);
        let safe = !self.pieces.of_color(!us) & (!self.attacked[me] | weak & self.twice[them]);
        let straight = attacks::rook_attacks(king, occupied ^ self.pieces.of_kind(us, Role::Queen));
        let oblique = attacks::bishop_attacks(king, occupied ^ self.pieces.of_kind(us, Role::Queen));
        let checks = [
            attacks::knight_attacks(king) & self.by_role[them][1],
            oblique & self.by_role[them][2],
            straight & self.by_role[them][3],
            (straight | oblique) & self.by_role[them][4],
        ];

        let mut danger = Packed::ZERO;
        let mut unsafe_checks = Bitboard::EMPTY;
        let mut add = |note: &mut N, place: usize, count: i32| {
            danger += WEIGHTS[place] * count;
            note.note(us, place, count);
        };
        add(&mut self.note, DANGER_BASE, 1);
        for (role, check) in checks.into_iter().enumerate() {
            add(&mut self.note, DANGER_ATTACKERS + role, self.ring_attackers[them][role]);
            let safe_checks = check & safe;
            add(
                &mut self.note,
                DANGER_CHECKS + role,
                i32::from(safe_checks.any()) + i32::from(safe_checks.more_than_one()),
            );
            if safe_checks.is_empty() {
                unsafe_checks |= check & !self.pieces.of_color(!us);
            }
        }
        add(&mut self.note, DANGER_UNSAFE_CHECKS, unsafe_checks.count() as i32);
        add(&mut self.note, DANGER_RING, self.ring_attacks[them]);
        add(&mut self.note, DANGER_WEAK, (weak & self.ring[me]).count() as i32);
        add(&mut self.note, DANGER_NO_QUEEN, i32::from(queens.is_empty()));
        let open = (self.pieces.of_kind(us, Role::Pawn) & king.file()).is_empty();
        add(&mut self.note, DANGER_OPEN, i32::from(open));
        let minors = self.by_role[me][1] | self.by_role[me][2];
        add(&mut self.note, DANGER_DEFENDERS, (minors & self.ring[me]).count() as i32);
        self.danger_counts[me] = true;
        self.score[me] -= cost_of_danger(danger);
    }

    /// What `us` attacks.
    #[inline]
    fn threats(&mut self, us: Color) {
        let (me, them) = (us as usize, !us as usize);
        let pieces = self.pieces;
        let theirs = pieces.of_color(!us);
        let by_pawns = self.by_role[me][0];
        let officers = theirs & !(pieces.of_role(Role::Pawn) | pieces.of_role(Role::King));
        for (index, role) in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen].into_iter().enumerate() {
            let count = (by_pawns & theirs & pieces.of_role(role)).count() as i32;
            self.term(us, PAWN_THREAT + index, count);
        }
        // Strongly protected: by a pawn, or twice where we attack once.
        let protected = self.by_role[them][0] | self.twice[them] & !self.twice[me];
        let poor = theirs & !protected & self.attacked[me];
        let by_minors = self.by_role[me][1] | self.by_role[me][2];
        let minor_targets = (officers | poor) & by_minors & !by_pawns;
        let rook_targets = (poor | officers & pieces.of_role(Role::Queen)) & self.by_role[me][3] & !by_pawns;
        for (index, role) in [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen].into_iter().enumerate() {
            self.term(us, MINOR_THREAT + index, (minor_targets & pieces.of_role(role)).count() as i32);
            self.term(us, ROOK_THREAT + index, (rook_targets & pieces.of_role(role)).count() as i32);
        }
        self.term(us, KING_THREAT, i32::from((poor & self.by_role[me][5]).any()));
        self.term(us, HANGING, (poor & !self.attacked[them]).count() as i32);

        // Pawns that can step forward without being taken for nothing.
        let free = !pieces.occupied();
        let single = forward(us, pieces.of_kind(us, Role::Pawn)) & free;
        let double = forward(us, single & Bitboard::from_rank(us.relative_rank(Rank::Third))) & free;
        let steps = (single | double) & !self.by_role[them][0] & (self.attacked[me] | !self.attacked[them]);
        let (strikes, _) = pawn_attacks(us, steps);
        self.term(us, PUSH_THREAT, (strikes & officers & !by_pawns).count() as i32);

        if let Some(queen) = pieces.of_kind(!us, Role::Queen).single_square() {
            let occupied = pieces.occupied();
            let safe = self.area[me] & !self.attacked[them];
            let knights = self.by_role[me][1] & attacks::knight_attacks(queen);
            let sliders = self.by_role[me][2] & attacks::bishop_attacks(queen, occupied)
                | self.by_role[me][3] & attacks::rook_attacks(queen, occupied);
            self.term(us, QUEEN_HARASSED, ((knights | sliders) & safe).count() as i32);
        }
    }

    #[inline]
    fn passed(&mut self, us: Color, passed: Bitboard) {
        let them = !us;
        for square in passed & self.pieces.of_color(us) {
            let rank = relative(us, square);
            if rank < 3 {
                continue;
            }
            let Some(stop) = forward(us, square.into()).first() else { continue };
            self.term(us, PASSED_OWN_KING + self.board.king(us).distance(stop) as usize, 1);
            self.term(us, PASSED_ENEMY_KING + self.board.king(them).distance(stop) as usize, 1);
            let theirs = self.attacked[them as usize];
            if !self.pieces.occupied().contains(stop)
                && (!theirs.contains(stop) || self.attacked[us as usize].contains(stop))
            {
                self.term(us, PASSED_FREE + rank, 1);
                let way = ahead(us, square);
                if (way & (theirs | self.pieces.of_color(them))).is_empty() {
                    self.term(us, PASSED_SAFE + rank, 1);
                }
            }
            let behind = ahead(them, square) & self.pieces.of_kind(us, Role::Rook);
            if behind.any() {
                self.term(us, PASSED_ROOK_BEHIND, 1);
            }
        }
    }

    #[inline]
    fn space(&mut self, us: Color) {
        // With few pieces left there is room for everybody.
        if self.board.phase < 12 {
            return;
        }
        let files = Bitboard::from_file(File::C) | File::D | File::E | File::F;
        let ranks = Bitboard::from_rank(us.relative_rank(Rank::Second))
            | us.relative_rank(Rank::Third)
            | us.relative_rank(Rank::Fourth);
        let own = self.pieces.of_kind(us, Role::Pawn);
        let safe = files & ranks & !own & !self.by_role[!us as usize][0];
        let behind = forward(!us, own) | forward(!us, forward(!us, own));
        let count = safe.count() + (safe & behind & !self.attacked[!us as usize]).count();
        self.term(us, SPACE, count as i32);
    }
}

/// What danger costs: by the square in the middle game, in proportion in the endgame.
#[inline]
pub(super) fn cost_of_danger(danger: Packed) -> Packed {
    let (middle, end) = (danger.middle().max(0), danger.end().max(0));
    Packed::new((middle * middle / DANGER_SQUARE).min(2000), end / DANGER_LINE)
}

/// The divisors of danger, which the tuner knows too.
pub(crate) const DANGER_SQUARE: i32 = 720;
pub(crate) const DANGER_LINE: i32 = 20;
