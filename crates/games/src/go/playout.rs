//! Random games, as fast as they can be played.
//!
//! A move is drawn uniformly from the legal ones that neither fill an eye nor kill one's own stones; a side without
//! such a move passes. At the end every empty point is an eye or belongs to nobody, so that counting needs no search.

use super::board::colour;
use super::score::outcome;
use super::{Go, Move};
use tengen_core::{Outcome, Rng, Side};

impl<const CELLS: usize> Go<CELLS> {
    /// See [`Position::playout`](tengen_core::Position::playout).
    pub(super) fn random_game<F: FnMut(Side, Move)>(
        &mut self,
        rng: &mut Rng,
        cap: u32,
        mut seen: F,
    ) -> Option<Outcome> {
        if self.passes >= 2 {
            return Some(self.outcome());
        }
        let mut empty = [0; CELLS];
        let mut count = self.list_empty(&mut empty);
        for _ in 0..cap {
            let side = self.to_move;
            // Drawing without putting back until a move is good: so each good one is as likely as any other.
            let mut left = count;
            while left > 0 {
                let at = rng.u32(..left as u32) as usize;
                let cell = usize::from(empty[at]);
                if self.is_sensible(cell) {
                    seen(side, Move::from_cell(cell));
                    count -= 1;
                    empty[at] = empty[count];
                    self.place(cell, |freed| {
                        empty[count] = freed as u16;
                        count += 1;
                    });
                    break;
                }
                left -= 1;
                empty.swap(at, left);
            }
            if left == 0 {
                seen(side, Move::Pass);
                self.pass();
                if self.passes == 2 {
                    // Whoever passed last found no point with an empty neighbour, for such a move is always good.
                    let territory = empty[..count].iter().map(|&cell| self.board.wall(cell.into())).sum();
                    return Some(outcome(self.lead_with(territory)));
                }
            }
        }
        None
    }

    /// Writes the empty cells into a list and says how many there are.
    fn list_empty(&self, empty: &mut [u16; CELLS]) -> usize {
        let stride = self.board.size() + 1;
        let mut count = 0;
        for row in 1..stride {
            for cell in row * stride + 1..(row + 1) * stride {
                // Written always, kept if empty: cheaper than asking first.
                empty[count] = cell as u16;
                count += usize::from(self.board.is_empty(cell));
            }
        }
        count
    }

    /// Whether a move on an empty point is legal, fills no eye, and is no suicide.
    #[inline]
    fn is_sensible(&self, cell: usize) -> bool {
        if self.board.is_open(cell) {
            return true;
        }
        let own = colour(self.to_move);
        let around = self.board.look_around(cell);
        if self.board.is_walled(around, own) && self.board.has_corners(cell, own) {
            return false;
        }
        cell != usize::from(self.ko) && self.board.breathes(around, own)
    }
}
