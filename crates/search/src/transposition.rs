//! The transposition table: what is known of positions already searched.
//!
//! Buckets of two: the first slot keeps the deeper search, the second takes everything. A slot is two words, the
//! data and the key xored with it, so that threads share the table without locks: a torn write is a key that fits nothing.
//!
//! CITE: Breuker, Uiterwijk & van den Herik 1996 (two tiers); Hyatt & Mann 2002 (lockless hashing).

use crate::heuristic::is_decided;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tengen_core::Score;

/// What a stored score says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
    /// It is the true score.
    Exact,
}

/// What is known of one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The score for the side to move.
    pub score: Score,
    /// The code of the best move found.
    pub code: u16,
    /// Plies searched below the position.
    pub depth: u8,
    /// What the score means.
    pub bound: Bound,
}

/// A table shared by everyone who searches the same game.
pub struct Transpositions {
    buckets: Box<[[Slot; 2]]>,
    /// Searches so far: a deep entry of an old search gives way.
    generation: u8,
}

#[derive(Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

impl Slot {
    fn load(&self) -> (u64, u64) {
        let data = self.data.load(Relaxed);
        (self.check.load(Relaxed) ^ data, data)
    }

    fn store(&self, key: u64, data: u64) {
        self.check.store(key ^ data, Relaxed);
        self.data.store(data, Relaxed);
    }
}

impl Transpositions {
    /// A table of at most so many bytes (and at least one bucket).
    pub fn new(bytes: usize) -> Self {
        let buckets = (bytes / size_of::<[Slot; 2]>()).max(1);
        // The largest power of two that fits, so that a key is turned into an index by a mask.
        let buckets = 1usize << buckets.ilog2();
        Transpositions { buckets: (0..buckets).map(|_| <[Slot; 2]>::default()).collect(), generation: 1 }
    }

    /// Another search begins: what is there stays, but gives way more easily.
    pub fn age(&mut self) {
        self.generation = self.generation.wrapping_add(1) & 63;
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        for slot in self.buckets.iter().flatten() {
            slot.store(0, 0);
        }
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[Slot; 2] {
        &self.buckets[key as usize & (self.buckets.len() - 1)]
    }

    /// What is known of a position, `ply` plies from the root: wins are counted from there.
    #[inline]
    pub fn probe(&self, key: u64, ply: u32) -> Option<Entry> {
        self.bucket(key).iter().map(Slot::load).find(|&(stored, data)| stored == key && data != 0).map(|(_, data)| {
            let entry = unpack(data);
            Entry { score: from_root(entry.score, ply), ..entry }
        })
    }

    /// Remembers what was found `ply` plies from the root.
    #[inline]
    pub fn store(&self, key: u64, entry: Entry, ply: u32) {
        let [deep, recent] = self.bucket(key);
        let data = pack(Entry { score: from_here(entry.score, ply), ..entry }, self.generation);
        let (old_key, old) = deep.load();
        let keep = old != 0 && old_key != key && generation(old) == self.generation && unpack(old).depth > entry.depth;
        if keep { recent.store(key, data) } else { deep.store(key, data) }
    }
}

/// A won game is stored as so many plies from the position itself, so that it is right wherever it is met.
fn from_here(score: Score, ply: u32) -> Score {
    if is_decided(score) { score + score.signum() * ply as Score } else { score }
}

fn from_root(score: Score, ply: u32) -> Score {
    if is_decided(score) { score - score.signum() * ply as Score } else { score }
}

/// `score 32 | code 16 | depth 8 | bound 2 | generation 6`, from the top; never zero, for a bound is 1 to 3.
fn pack(entry: Entry, generation: u8) -> u64 {
    let bound = match entry.bound {
        Bound::Lower => 1,
        Bound::Upper => 2,
        Bound::Exact => 3,
    };
    (entry.score as u32 as u64) << 32
        | u64::from(entry.code) << 16
        | u64::from(entry.depth) << 8
        | bound << 6
        | u64::from(generation)
}

fn unpack(data: u64) -> Entry {
    let bound = match data >> 6 & 3 {
        1 => Bound::Lower,
        2 => Bound::Upper,
        _ => Bound::Exact,
    };
    Entry { score: (data >> 32) as u32 as Score, code: (data >> 16) as u16, depth: (data >> 8) as u8, bound }
}

fn generation(data: u64) -> u8 {
    data as u8 & 63
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WIN;

    #[test]
    fn what_goes_in_comes_out() {
        let table = Transpositions::new(1 << 12);
        for score in [0, 1, -1, 12345, -12345, WIN - 7, 7 - WIN] {
            for bound in [Bound::Lower, Bound::Upper, Bound::Exact] {
                let entry = Entry { score, code: 0xbeef, depth: 9, bound };
                table.store(42, entry, 3);
                assert_eq!(table.probe(42, 3), Some(entry));
            }
        }
        assert_eq!(table.probe(43, 0), None);
    }

    #[test]
    fn a_win_is_as_far_away_as_it_is() {
        let table = Transpositions::new(1 << 12);
        // A win at ply 9, seen from ply 5, is four plies away; met again at ply 2 it is a win at ply 6.
        table.store(1, Entry { score: WIN - 9, code: 0, depth: 4, bound: Bound::Exact }, 5);
        assert_eq!(table.probe(1, 2).map(|entry| entry.score), Some(WIN - 6));
    }

    #[test]
    fn the_deep_stays_and_the_recent_is_there() {
        let table = Transpositions::new(size_of::<[Slot; 2]>());
        let entry = |depth| Entry { score: 5, code: 1, depth, bound: Bound::Exact };
        table.store(10, entry(9), 0);
        table.store(20, entry(2), 0);
        table.store(30, entry(3), 0);
        assert!(table.probe(10, 0).is_some() && table.probe(20, 0).is_none() && table.probe(30, 0).is_some());
    }
}
