//! Hands out the moves of a position one by one, the most promising first, and lists no more than are asked for.
//!
//! The lists of all plies lie on one stack that the thread owns; a picker remembers where its part begins.

use crate::board::{Kind, SearchBoard, WORTH, at};
use crate::history::{Histories, piece_index};
use crate::mv::{Mv, Ranked};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
enum Stage {
    Table,
    ListNoisy,
    GoodNoisy,
    FirstKiller,
    SecondKiller,
    Counter,
    ListQuiet,
    Quiet,
    ListChecks,
    Checks,
    BadNoisy,
    Done,
}

/// The order of moves in one position.
pub(crate) struct Picker {
    stage: Stage,
    table_move: Mv,
    refutations: [Mv; 3],
    before: [Option<usize>; 3],
    /// Captures must gain at least this to be among the good ones.
    least: i32,
    noisy_only: bool,
    skip_quiet: bool,
    /// Whether checks are handed out even where quiet moves are not.
    checks: bool,
    /// Where this picker's list begins on the stack; captures that lose come to lie at its front.
    start: usize,
    next: usize,
    bad_end: usize,
    next_bad: usize,
    /// Up to here lie quiet moves that were handed out before checks alone were asked for.
    seen_end: usize,
}

impl Picker {
    /// All moves: table move, winning captures, killers and counter-move, quiet moves by their record, losing captures.
    pub fn new(stack: &[Ranked], table_move: Mv, refutations: [Mv; 3], before: [Option<usize>; 3]) -> Self {
        Picker {
            stage: if table_move.is_none() { Stage::ListNoisy } else { Stage::Table },
            table_move,
            refutations,
            before,
            least: 0,
            noisy_only: false,
            skip_quiet: false,
            checks: false,
            start: stack.len(),
            next: stack.len(),
            bad_end: stack.len(),
            next_bad: stack.len(),
            seen_end: stack.len(),
        }
    }

    /// Only captures and queens that gain at least so much by exchange; the others are not handed out at all.
    pub fn noisy(stack: &[Ranked], table_move: Mv, least: i32) -> Self {
        Picker { noisy_only: true, least, ..Picker::new(stack, table_move, [Mv::NONE; 3], [None; 3]) }
    }

    /// The same with quiet checks behind the captures. The side to move is not in check.
    pub fn with_checks(self) -> Self {
        Picker { checks: true, ..self }
    }

    /// Quiet moves are of no interest any more, unless they check and `checks` says so; in check it must not.
    pub fn skip_quiet(&mut self, checks: bool) {
        self.skip_quiet = true;
        self.checks = checks;
        // The one handed out last is about to be left out; those before it have had their turn.
        self.seen_end = if self.stage == Stage::Quiet { self.next - 1 } else { self.bad_end };
    }

    /// Whether the move handed out last is a check that came although quiet moves are left out.
    pub fn is_check(&self) -> bool {
        self.stage == Stage::Checks
    }

    /// Whether the move handed out last was one of the losing captures.
    pub fn is_bad(&self) -> bool {
        self.stage == Stage::BadNoisy
    }

    /// Gives the stack back as it was.
    pub fn close(&self, stack: &mut Vec<Ranked>) {
        stack.truncate(self.start);
    }

    /// The next legal move.
    #[inline]
    pub fn next<B: SearchBoard>(&mut self, board: &B, histories: &Histories, stack: &mut Vec<Ranked>) -> Option<Mv> {
        loop {
            match self.stage {
                // Step 1. What was best last time; nothing need be listed for it.
                Stage::Table => {
                    self.stage = Stage::ListNoisy;
                    if board.accepts(self.table_move) {
                        return Some(self.table_move);
                    }
                    self.table_move = Mv::NONE;
                }
                // Step 2. Captures: the most valuable victim first, corrected by what such captures have done.
                Stage::ListNoisy => {
                    board.list(Kind::Noisy, stack);
                    let color = board.to_move();
                    for ranked in &mut stack[self.start..] {
                        let victim = board.victim(ranked.mv);
                        let piece = piece_index(color, board.mover(ranked.mv));
                        let gain = victim.map_or(0, |role| WORTH[at(role)])
                            + ranked.mv.promotion().map_or(0, |role| WORTH[at(role)] / 2);
                        ranked.rank = gain * 16 + histories.capture(piece, ranked.mv, victim);
                    }
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => {
                    let Some(mv) = self.best(stack) else {
                        self.stage = match self.noisy_only {
                            true if self.checks => Stage::ListChecks,
                            true => Stage::Done,
                            false => Stage::FirstKiller,
                        };
                        continue;
                    };
                    if mv == self.table_move {
                        continue;
                    }
                    if !board.exchange(mv, self.least) {
                        // To the front, where the losing ones wait for their turn.
                        if !self.noisy_only {
                            stack[self.bad_end] = mv.into();
                            self.bad_end += 1;
                        }
                        continue;
                    }
                    if board.is_safe(mv) {
                        return Some(mv);
                    }
                }
                // Step 3. Quiet moves that refuted the sisters of this position or the move before it.
                Stage::FirstKiller => {
                    self.stage = Stage::SecondKiller;
                    if self.may_try(board, 0) {
                        return Some(self.refutations[0]);
                    }
                }
                Stage::SecondKiller => {
                    self.stage = Stage::Counter;
                    if self.may_try(board, 1) {
                        return Some(self.refutations[1]);
                    }
                }
                Stage::Counter => {
                    self.stage = Stage::ListQuiet;
                    if self.refutations[2] != self.refutations[0]
                        && self.refutations[2] != self.refutations[1]
                        && self.may_try(board, 2)
                    {
                        return Some(self.refutations[2]);
                    }
                }
                // Step 4. The other quiet moves by their record.
                Stage::ListQuiet => {
                    if self.skip_quiet {
                        self.stage = Stage::ListChecks;
                        continue;
                    }
                    stack.truncate(self.bad_end);
                    self.next = self.bad_end;
                    board.list(Kind::Quiet, stack);
                    let color = board.to_move();
                    for ranked in &mut stack[self.next..] {
                        let piece = piece_index(color, board.mover(ranked.mv));
                        ranked.rank = histories.quiet(color, piece, ranked.mv, &self.before);
                    }
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => {
                    if self.skip_quiet {
                        self.stage = Stage::ListChecks;
                        continue;
                    }
                    let Some(mv) = self.best(stack) else {
                        self.stage = Stage::BadNoisy;
                        self.next_bad = self.start;
                        continue;
                    };
                    if mv != self.table_move && !self.refutations.contains(&mv) && board.is_safe(mv) {
                        return Some(mv);
                    }
                }
                // Step 5. Where quiet moves are left out, checks may still matter.
                Stage::ListChecks => {
                    self.seen_end = self.seen_end.max(self.bad_end);
                    stack.truncate(self.seen_end);
                    self.next = self.seen_end;
                    if self.checks {
                        board.list(Kind::Checks, stack);
                    }
                    self.stage = Stage::Checks;
                }
                Stage::Checks => {
                    let Some(mv) = self.best(stack) else {
                        self.stage = if self.noisy_only { Stage::Done } else { Stage::BadNoisy };
                        self.next_bad = self.start;
                        continue;
                    };
                    if stack[self.bad_end..self.seen_end].iter().any(|seen| seen.mv == mv) {
                        continue;
                    }
                    if mv != self.table_move && !self.refutations.contains(&mv) && board.is_safe(mv) {
                        return Some(mv);
                    }
                }
                // Step 6. Captures that lose material.
                Stage::BadNoisy => {
                    if self.next_bad >= self.bad_end {
                        self.stage = Stage::Done;
                        continue;
                    }
                    let mv = stack[self.next_bad].mv;
                    self.next_bad += 1;
                    if board.is_safe(mv) {
                        return Some(mv);
                    }
                }
                Stage::Done => return None,
            }
        }
    }

    /// Whether a refutation is a quiet legal move here that has not been handed out yet. One that is not is forgotten, so
    /// that it is not taken for one that was.
    fn may_try<B: SearchBoard>(&mut self, board: &B, index: usize) -> bool {
        let mv = self.refutations[index];
        let fits = !self.skip_quiet && mv != self.table_move && board.accepts(mv) && !board.is_noisy(mv);
        if !fits {
            self.refutations[index] = Mv::NONE;
        }
        fits
    }

    /// Takes the highest ranked of the moves not yet handed out.
    #[inline]
    fn best(&mut self, stack: &mut [Ranked]) -> Option<Mv> {
        let rest = &mut stack[self.next..];
        let mut top = 0;
        for index in 1..rest.len() {
            if rest[index].rank > rest[top].rank {
                top = index;
            }
        }
        if rest.is_empty() {
            return None;
        }
        rest.swap(0, top);
        self.next += 1;
        Some(rest[0].mv)
    }
}
