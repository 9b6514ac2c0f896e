//! Retrograde analysis: from the positions that are decided at sight backwards to all others.
//!
//! One byte a position. While a position is open its byte counts the moves that are not refuted yet; when it is decided the byte
//! holds the plies to the end, which are odd for a win and even for a loss. Pass `n` looks for the positions decided in `n` plies and
//! goes back from them: before a lost one every open position is won in `n + 1`, before a won one there is a move
//! fewer, and with the last of them the position is lost in `n + 1`. What is open when no pass finds anything is a draw.

use super::placement::{Placement, Standing};
use super::space::{Fold, Space};
use crate::solve::{Exact, Verdict, prefetch};
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// The other Koropokkuru can be taken: won in one.
const CAPTURE: u8 = 255;

/// This plus the number of moves not refuted yet. There are never more than 47 (three kinds to drop on seven squares, eight steps of the
/// Koropokkuru, six of each of three others), and no win takes more than 173 plies.
const OPEN: u8 = 200;

/// One position's byte, to be read and to be kept: the same in memory, in checkpoints and in tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell(pub u8);

impl Cell {
    /// What the position is worth for the side to move once the analysis is done.
    pub fn exact(self) -> Exact {
        let (verdict, plies) = match self.0 {
            CAPTURE => (Verdict::Win, Some(1)),
            OPEN..CAPTURE => (Verdict::Draw, None),
            plies if plies % 2 == 1 => (Verdict::Win, Some(plies.into())),
            plies => (Verdict::Loss, Some(plies.into())),
        };
        Exact { verdict, plies, score: None, chance: None }
    }

    /// Whether one look at the position tells as much: the other Koropokkuru can be taken. Tables leave these out.
    pub fn is_capture(self) -> bool {
        self.0 == CAPTURE
    }

    /// The byte of every draw in a table, where nobody needs to know how many moves were open.
    pub const DRAW: Cell = Cell(OPEN);
}

/// Hears how much work is done, of how much in all. The second figure may change.
pub type Progress<'a> = &'a (dyn Fn(u64, u64) + Sync);

/// Going back from a position takes about this many times as long as the first look at it.
const WEIGHT: u64 = 4;

/// An analysis as far as it has come. Between two passes it can be written down ([`Retrograde::cells`], [`Retrograde::ply`])
/// and taken up again.
pub struct Retrograde<S> {
    space: S,
    cells: Vec<AtomicU8>,
    /// The next pass.
    ply: u8,
    /// Positions whose Koropokkuru cannot be taken at once: those that passes go back from, or draws.
    live: u64,
    /// How many of them passes have gone back from.
    settled: u64,
}

/// How many numbers a thread takes at a time.
const CHUNK: usize = 1 << 15;

impl<S: Space> Retrograde<S> {
    /// Looks at every position once.
    pub fn begin(space: S, threads: usize, progress: Progress<'_>) -> Self {
        let size = space.size();
        let cells: Vec<AtomicU8> = (0..size).map(|_| AtomicU8::new(OPEN)).collect();
        let (live, done) = (AtomicU64::new(0), AtomicU64::new(0));
        in_chunks(size, threads, |numbers| {
            let mut open = 0;
            for number in numbers.clone() {
                let cell = match standing(&space, number) {
                    Standing::Capture => CAPTURE,
                    Standing::Goal => 1,
                    Standing::Stuck => 0,
                    Standing::Open(0) => 2,
                    Standing::Open(moves) => OPEN + moves,
                };
                open += u64::from(cell != CAPTURE);
                cells[number].store(cell, Relaxed);
            }
            live.fetch_add(open, Relaxed);
            let done = done.fetch_add(numbers.len() as u64, Relaxed) + numbers.len() as u64;
            // Until they are counted: about half of all positions are live.
            progress(done, size as u64 * (1 + WEIGHT / 2));
        });
        Retrograde { space, cells, ply: 0, live: live.into_inner(), settled: 0 }
    }

    /// Goes on from what was written down; `None` if it cannot be from this space.
    pub fn resume(space: S, cells: Vec<u8>, ply: u8) -> Option<Self> {
        if cells.len() != space.size() || ply >= OPEN {
            return None;
        }
        let live = cells.iter().filter(|&&cell| cell != CAPTURE).count() as u64;
        let settled = cells.iter().filter(|&&cell| cell < ply).count() as u64;
        let cells = cells.into_iter().map(AtomicU8::new).collect();
        Some(Retrograde { space, cells, ply, live, settled })
    }

    /// The next pass; `false` when there was nothing left to go back from.
    pub fn pass(&mut self, threads: usize, progress: Progress<'_>) -> bool {
        let (space, cells, ply) = (&self.space, &self.cells, self.ply);
        let size = cells.len();
        let total = size as u64 + WEIGHT * self.live;
        let settled = AtomicU64::new(self.settled);
        in_chunks(size, threads, |numbers| {
            let mut before: Vec<usize> = Vec::with_capacity(1024);
            let mut found = 0;
            for number in numbers {
                if cells[number].load(Relaxed) != ply {
                    continue;
                }
                found += 1;
                go_back(space, number, |number| {
                    prefetch(cells, number);
                    before.push(number);
                });
                if before.len() > 512 {
                    settle(cells, ply, &before);
                    before.clear();
                }
            }
            settle(cells, ply, &before);
            if found > 0 {
                let settled = settled.fetch_add(found, Relaxed) + found;
                progress(size as u64 + WEIGHT * settled, total);
            }
        });
        let found = settled.into_inner() - self.settled;
        self.settled += found;
        self.ply += 1;
        // The first passes have what was decided at sight; after that each lives on what the one before it found.
        found > 0 || self.ply <= 3
    }

    /// The number of the next pass: everything that is decided in fewer plies is final.
    pub fn ply(&self) -> u8 {
        self.ply
    }

    /// The space it works on.
    pub fn space(&self) -> &S {
        &self.space
    }

    /// How many positions there are.
    pub fn size(&self) -> usize {
        self.cells.len()
    }

    /// One position's byte.
    pub fn cell(&self, number: usize) -> Cell {
        Cell(self.cells[number].load(Relaxed))
    }

    /// The bytes from a number on, as many as there is room for and there are.
    pub fn cells(&self, from: usize, into: &mut [u8]) -> usize {
        let cells = self.cells.get(from..).unwrap_or_default();
        for (byte, cell) in into.iter_mut().zip(cells) {
            *byte = cell.load(Relaxed);
        }
        cells.len().min(into.len())
    }
}

/// One look at a position of a space.
fn standing<S: Space>(space: &S, number: usize) -> Standing {
    let position = space.position(number);
    if S::DROPS { position.standing::<true>() } else { position.standing::<false>() }
}

/// The numbers of all positions with a move to this one, once for each such move.
///
/// Where a number stands for two mirror images, moves are counted from the one it stands for. Going back from one
/// image only, moves from a position that is its own mirror image (or has a number of its own) are met once but count
/// twice, as the mirrored move leads here as well; and going back to the other image counts nothing if the mirror image of
/// the position we come from is gone back from, too.
#[inline(always)]
pub(super) fn go_back<S: Space>(space: &S, number: usize, mut each: impl FnMut(usize)) {
    let position = space.position(number);
    let shared = space.fold(&position) != Fold::Alone;
    // As the side that has just moved sees it, and so that it need not be mirrored again and again.
    let mut moved = position.turned();
    if space.fold(&moved) == Fold::Mirrored {
        moved = moved.mirrored();
    }
    let back = |before: &Placement| {
        let Some(number) = space.number(before) else { return };
        match (shared, space.fold(before)) {
            (true, Fold::Alone) => {
                each(number);
                each(space.number(&before.mirrored()).unwrap_or(number));
            }
            (false, Fold::Mirrored) => {}
            _ => each(number),
        }
    };
    if S::DROPS { moved.predecessors::<true>(back) } else { moved.predecessors::<false>(back) }
}

/// Tells the positions before those of `ply` what that means for them.
fn settle(cells: &[AtomicU8], ply: u8, before: &[usize]) {
    let won = ply.is_multiple_of(2);
    for &number in before {
        let cell = &cells[number];
        let now = cell.load(Relaxed);
        if !(OPEN + 1..CAPTURE).contains(&now) {
            continue;
        }
        if won {
            cell.store(ply + 1, Relaxed);
        } else if cell.fetch_sub(1, Relaxed) == OPEN + 1 {
            // That was the last move: nobody else counts here any more.
            cell.store(ply + 1, Relaxed);
        }
    }
}

/// Deals all numbers out to threads.
fn in_chunks(size: usize, threads: usize, work: impl Fn(std::ops::Range<usize>) + Sync) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                loop {
                    let from = next.fetch_add(CHUNK, Relaxed);
                    if from >= size {
                        break;
                    }
                    work(from..(from + CHUNK).min(size));
                }
            });
        }
    });
}
