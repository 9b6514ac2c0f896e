//! The transposition table of the chess engine, shared by all threads without a lock.
//!
//! Buckets of four slots fill one cache line. Three keep what is deep and recent, the fourth takes whatever has found no
//! place there: the two tiers. A slot is two words, the data and the key xored with it, so that a torn
//! write is a key that fits nothing. Beside what [`tengen_search::Transpositions`] holds there is the static evaluation.
//!
//! CITE: Breuker, Uiterwijk & van den Herik 1996 (two tiers); Hyatt & Mann 2002 (lockless hashing).

use crate::mv::Mv;
use crate::score::{self, NO_EVAL};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};
use tengen_core::Score;
use tengen_search::Bound;

/// What is known of one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The best move found, if any.
    pub mv: Mv,
    /// For the side to move.
    pub score: Score,
    /// The static evaluation, or [`NO_EVAL`].
    pub eval: Score,
    /// Plies searched; quiescence counts as 0.
    pub depth: i32,
    /// What the score means; `None` if only move and evaluation count.
    pub bound: Option<Bound>,
    /// Whether the position once lay on the principal variation.
    pub was_pv: bool,
}

#[derive(Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

/// 64 bytes on a boundary of 64.
#[derive(Default)]
#[repr(align(64))]
struct Bucket([Slot; 4]);

/// The table.
pub struct Table {
    buckets: Box<[Bucket]>,
    /// Searches so far, of 32: what an old one left gives way.
    generation: AtomicU8,
}

impl Table {
    /// A table of so many megabytes, if there is room for it.
    pub fn new(megabytes: usize) -> Result<Table, String> {
        let count = ((megabytes.max(1) << 20) / size_of::<Bucket>()).max(1);
        let refusal = || format!("there is no room for {megabytes} megabytes of table");
        // Some systems promise more than they have, and end the program when it is used.
        if installed_megabytes().is_some_and(|installed| megabytes > installed) {
            return Err(refusal());
        }
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count).map_err(|_| refusal())?;
        buckets.resize_with(count, Bucket::default);
        Ok(Table { buckets: buckets.into_boxed_slice(), generation: AtomicU8::new(0) })
    }

    /// Another search begins.
    pub fn age(&self) {
        let next = self.generation.load(Relaxed).wrapping_add(1) & 31;
        self.generation.store(next, Relaxed);
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for slot in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            slot.check.store(0, Relaxed);
            slot.data.store(0, Relaxed);
        }
        self.generation.store(0, Relaxed);
    }

    /// How full it is with what this search has found, in thousandths.
    pub fn permille(&self) -> u32 {
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let now = self.generation.load(Relaxed);
        let slots = sample.iter().flat_map(|bucket| &bucket.0);
        let used = slots.filter(|slot| {
            let data = slot.data.load(Relaxed);
            data != 0 && generation(data) == now
        });
        (used.count() * 1000 / (sample.len() * 4)) as u32
    }

    /// The upper half of the key times the number of buckets: any size will do, and the lower bits tell positions apart.
    #[inline]
    fn bucket(&self, key: u64) -> &[Slot; 4] {
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize].0
    }

    /// Tells the processor that this position will be asked for soon.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket: *const [Slot; 4] = self.bucket(key);
            // SAFETY: a prefetch reads nothing that the program could see; the address is inside the table besides.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(bucket.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// What is known of a position, `ply` plies from the root: mates are counted from there.
    #[inline]
    pub fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        self.bucket(key).iter().find_map(|slot| {
            let data = slot.data.load(Relaxed);
            (slot.check.load(Relaxed) ^ data == key && data != 0).then(|| {
                let entry = unpack(data);
                Entry { score: score::from_table(entry.score, ply), ..entry }
            })
        })
    }

    /// Remembers what was found `ply` plies from the root.
    #[inline]
    pub fn store(&self, key: u64, entry: Entry, ply: usize) {
        let now = self.generation.load(Relaxed);
        let bucket = self.bucket(key);
        let mut place = 3;
        let mut least = i32::MAX;
        for (index, slot) in bucket.iter().enumerate() {
            let data = slot.data.load(Relaxed);
            if data != 0 && slot.check.load(Relaxed) ^ data == key {
                let old = unpack(data);
                // A shallower bound of the same search says nothing new; its move may.
                let keep = entry.bound != Some(Bound::Exact) && entry.depth + 4 < old.depth && generation(data) == now;
                if keep {
                    return;
                }
                let mv = if entry.mv.is_none() { old.mv } else { entry.mv };
                return write(slot, key, pack(Entry { mv, ..entry }, now, ply));
            }
            // What is worth least makes room: old and shallow.
            let age = i32::from(now.wrapping_sub(generation(data)) & 31);
            let worth = if data == 0 { i32::MIN } else { unpack(data).depth - 8 * age };
            if index < 3 && worth < least {
                (place, least) = (index, worth);
            }
        }
        // The first three slots are for the deep; what is shallower than all of them goes to the last one.
        let place = if least <= entry.depth { place } else { 3 };
        write(&bucket[place], key, pack(entry, now, ply));
    }
}

/// How much memory the machine has, where it can be asked.
fn installed_megabytes() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let kilobytes: usize = text.strip_prefix("MemTotal:")?.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes / 1024)
}

#[inline]
fn write(slot: &Slot, key: u64, data: u64) {
    slot.check.store(key ^ data, Relaxed);
    slot.data.store(data, Relaxed);
}

/// `move 16 | score 16 | eval 16 | depth 8 | generation 5 | pv 1 | bound 2`, from the top. Never zero: a stored position has a
/// bound or an evaluation, and no evaluation is written as all ones.
#[inline]
fn pack(entry: Entry, generation: u8, ply: usize) -> u64 {
    let bound = match entry.bound {
        None => 0,
        Some(Bound::Lower) => 1,
        Some(Bound::Upper) => 2,
        Some(Bound::Exact) => 3,
    };
    let score = score::to_table(entry.score, ply) as i16 as u16;
    let eval = if entry.eval == NO_EVAL { u16::MAX } else { (entry.eval as i16 as u16) ^ 0x8000 };
    u64::from(entry.mv.code()) << 48
        | u64::from(score) << 32
        | u64::from(eval) << 16
        | (entry.depth.clamp(0, 255) as u64) << 8
        | u64::from(generation) << 3
        | u64::from(entry.was_pv) << 2
        | bound
}

#[inline]
fn unpack(data: u64) -> Entry {
    let bound = match data & 3 {
        1 => Some(Bound::Lower),
        2 => Some(Bound::Upper),
        3 => Some(Bound::Exact),
        _ => None,
    };
    let eval = (data >> 16) as u16;
    Entry {
        mv: Mv::from_code((data >> 48) as u16),
        score: Score::from((data >> 32) as u16 as i16),
        eval: if eval == u16::MAX { NO_EVAL } else { Score::from((eval ^ 0x8000) as i16) },
        depth: (data >> 8) as i32 & 255,
        bound,
        was_pv: data & 4 != 0,
    }
}

#[inline]
fn generation(data: u64) -> u8 {
    (data >> 3) as u8 & 31
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::MATE;

    fn entry(depth: i32, score: Score) -> Entry {
        Entry { mv: Mv::from_code(0x1234), score, eval: -77, depth, bound: Some(Bound::Exact), was_pv: true }
    }

    #[test]
    fn what_goes_in_comes_out() {
        let table = Table::new(1).expect("a megabyte");
        for score in [0, 1, -1, 2345, -2345, MATE - 7, 7 - MATE] {
            for bound in [None, Some(Bound::Lower), Some(Bound::Upper), Some(Bound::Exact)] {
                for eval in [0, -3000, 3000, NO_EVAL] {
                    table.clear();
                    let entry = Entry { bound, eval, ..entry(9, score) };
                    table.store(u64::MAX / 3, entry, 3);
                    assert_eq!(table.probe(u64::MAX / 3, 3), Some(entry));
                }
            }
        }
        assert_eq!(table.probe(43, 0), None);
    }

    #[test]
    fn more_than_there_is_room_for_is_refused() {
        assert!(Table::new(1 << 40).is_err_and(|error| error.contains("no room")));
    }

    #[test]
    fn a_mate_is_as_far_away_as_it_is() {
        let table = Table::new(1).expect("a megabyte");
        // A mate at ply 9, seen from ply 5, is four plies away; met again at ply 2 it is a mate at ply 6.
        table.store(1 << 60, entry(4, MATE - 9), 5);
        assert_eq!(table.probe(1 << 60, 2).map(|entry| entry.score), Some(MATE - 6));
    }

    #[test]
    fn the_deep_stays_and_the_recent_is_there() {
        let table = Table { buckets: (0..1).map(|_| Bucket::default()).collect(), generation: AtomicU8::new(0) };
        for key in 1..=3 {
            table.store(key, entry(20, 0), 0);
        }
        for key in 4..=9 {
            table.store(key, entry(2, 0), 0);
        }
        assert!((1..=3).all(|key| table.probe(key, 0).is_some()));
        assert!((4..=8).all(|key| table.probe(key, 0).is_none()));
        assert!(table.probe(9, 0).is_some());
        // Three searches later depth 20 is no protection any more.
        (0..3).for_each(|_| table.age());
        table.store(10, entry(2, 0), 0);
        assert_eq!((1..=3).filter(|&key| table.probe(key, 0).is_some()).count(), 2);
    }
}
