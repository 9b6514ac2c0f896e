//! What moves have done elsewhere in the tree: the record that orders quiet moves, captures and replies.
//!
//! Every table is a running average between ±16 384: a merit moves an entry towards its end by a share that shrinks as it
//! gets there, so nothing overflows and old merits fade.
//!
//! CITE: Schaeffer 1989 (history heuristic); Uiterwijk 1992 (counter-moves).

use crate::board::{SearchBoard, at};
use crate::mv::Mv;
use shakmaty::{Color, Role};
use tengen_core::Score;

const MOST: i32 = 16_384;

/// A piece as an index: side and role.
pub(crate) type PieceIndex = usize;

/// The piece that a move moves.
#[inline]
pub(crate) fn piece_index(color: Color, role: Role) -> PieceIndex {
    color as usize * 6 + at(role)
}

/// Moved piece and target as one index: the address of a table of replies.
#[inline]
pub(crate) fn reply_index(piece: PieceIndex, mv: Mv) -> usize {
    piece * 64 + mv.to() as usize
}

const REPLIES: usize = 12 * 64;
const CORRECTIONS: usize = 1 << 14;

/// The records of one thread.
pub struct Histories {
    /// By side and squares.
    quiet: Box<[i16]>,
    /// By piece, target and captured role.
    capture: Box<[i16]>,
    /// By an earlier move (piece and target) and this one.
    continuation: Box<[i16]>,
    /// The quiet move that refuted an earlier move (piece and target).
    counter: Box<[Mv]>,
    /// By side and pawn structure: how far the search came out from the static evaluation.
    correction: Box<[i16]>,
}

impl Default for Histories {
    fn default() -> Self {
        let zeros = |size: usize| vec![0i16; size].into_boxed_slice();
        Histories {
            quiet: zeros(2 * 4096),
            capture: zeros(12 * 64 * 7),
            continuation: zeros(REPLIES * REPLIES),
            counter: vec![Mv::NONE; REPLIES].into_boxed_slice(),
            correction: zeros(2 * CORRECTIONS),
        }
    }
}

#[inline]
fn reward(entry: &mut i16, merit: i32) {
    let now = i32::from(*entry);
    *entry = (now + merit - now * merit.abs() / MOST) as i16;
}

impl Histories {
    /// Forgets everything.
    pub fn clear(&mut self) {
        for table in [&mut self.quiet, &mut self.capture, &mut self.continuation, &mut self.correction] {
            table.fill(0);
        }
        self.counter.fill(Mv::NONE);
    }

    /// The record of a quiet move after the moves before it (the last, the last but one, the fourth last).
    #[inline]
    pub(crate) fn quiet(&self, color: Color, piece: PieceIndex, mv: Mv, before: &[Option<usize>; 3]) -> i32 {
        let reply = reply_index(piece, mv);
        let mut sum = i32::from(self.quiet[color as usize * 4096 + mv.squares()]);
        for earlier in before.iter().flatten() {
            sum += i32::from(self.continuation[earlier * REPLIES + reply]);
        }
        sum
    }

    /// A quiet move cut off (or failed to, if `merit` is negative).
    #[inline]
    pub(crate) fn reward_quiet(
        &mut self,
        color: Color,
        piece: PieceIndex,
        mv: Mv,
        before: &[Option<usize>; 3],
        merit: i32,
    ) {
        let reply = reply_index(piece, mv);
        reward(&mut self.quiet[color as usize * 4096 + mv.squares()], merit);
        for earlier in before.iter().flatten() {
            reward(&mut self.continuation[earlier * REPLIES + reply], merit);
        }
    }

    #[inline]
    fn capture_index(piece: PieceIndex, mv: Mv, victim: Option<Role>) -> usize {
        reply_index(piece, mv) * 7 + victim.map_or(0, |role| role as usize)
    }

    /// The record of a capture.
    #[inline]
    pub(crate) fn capture(&self, piece: PieceIndex, mv: Mv, victim: Option<Role>) -> i32 {
        i32::from(self.capture[Histories::capture_index(piece, mv, victim)])
    }

    /// A capture cut off, or failed to.
    #[inline]
    pub(crate) fn reward_capture(&mut self, piece: PieceIndex, mv: Mv, victim: Option<Role>, merit: i32) {
        reward(&mut self.capture[Histories::capture_index(piece, mv, victim)], merit);
    }

    /// The quiet move that refuted this one last time.
    #[inline]
    pub(crate) fn counter(&self, earlier: Option<usize>) -> Mv {
        earlier.map_or(Mv::NONE, |earlier| self.counter[earlier])
    }

    #[inline]
    pub(crate) fn set_counter(&mut self, earlier: Option<usize>, mv: Mv) {
        if let Some(earlier) = earlier {
            self.counter[earlier] = mv;
        }
    }

    #[inline]
    fn correction_index<B: SearchBoard>(board: &B) -> usize {
        board.to_move() as usize * CORRECTIONS + (board.structure_key() as usize & (CORRECTIONS - 1))
    }

    /// By how much the static evaluation has been wrong where the pawns stood like this.
    #[inline]
    pub(crate) fn correction<B: SearchBoard>(&self, board: &B) -> Score {
        i32::from(self.correction[Histories::correction_index(board)]) / 128
    }

    /// A search of this depth came out at `off` centipawns from the static evaluation.
    #[inline]
    pub(crate) fn correct<B: SearchBoard>(&mut self, board: &B, off: Score, depth: i32) {
        let merit = (off * depth * 2).clamp(-MOST / 4, MOST / 4);
        reward(&mut self.correction[Histories::correction_index(board)], merit);
    }
}
