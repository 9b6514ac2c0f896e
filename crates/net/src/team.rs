//! Threads that share a batch.
//!
//! A batch is always cut into the same parts, however many threads there are, and what is summed over a batch is summed part by part:
//! so results do not depend on threads, nor on which of them was quicker.

use crate::registers::{Group, Registers};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Into how many parts a batch is cut to learn from it.
const PARTS: usize = 8;

/// Memory of a thread, kept from work to work. What it holds before is no matter.
#[derive(Default)]
pub struct Scratch {
    /// A board with a border.
    pub frame: Vec<Group>,
    /// Left matrices.
    pub left: Vec<Group>,
    /// Products.
    pub right: Vec<Group>,
}

/// Threads, the registers they use and their memory.
pub struct Team {
    /// The kind of registers that all work runs in.
    pub registers: Registers,
    parts: usize,
    pool: Option<rayon::ThreadPool>,
    scratch: Vec<Mutex<Scratch>>,
}

impl Team {
    /// So many threads to learn with. If the system has no more threads to give, there are fewer.
    pub fn new(threads: usize) -> Self {
        Team::with_registers(threads, Registers::best())
    }

    /// Nobody but the caller, to play with: a batch is not cut.
    pub fn alone() -> Self {
        Team { parts: 1, ..Team::new(1) }
    }

    /// So many threads with another kind of registers than the best.
    pub fn with_registers(threads: usize, registers: Registers) -> Self {
        let build = || rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok();
        let pool = (threads > 1).then(build).flatten();
        let count = pool.as_ref().map_or(1, rayon::ThreadPool::current_num_threads);
        Team { registers, parts: PARTS, pool, scratch: (0..count).map(|_| Mutex::default()).collect() }
    }

    /// How many threads there are.
    pub fn threads(&self) -> usize {
        self.scratch.len()
    }

    /// Does all tasks, in any order.
    pub fn share<T: Send>(&self, tasks: impl IntoIterator<Item = T>, work: impl Fn(T, &mut Scratch) + Sync) {
        let one = |task: T| {
            let mine = rayon::current_thread_index().filter(|_| self.pool.is_some()).unwrap_or(0);
            // Scratch holds nothing that a panic could have spoilt.
            let mut scratch = self.scratch[mine].lock().unwrap_or_else(PoisonError::into_inner);
            work(task, &mut scratch);
        };
        match &self.pool {
            None => tasks.into_iter().for_each(one),
            Some(pool) => pool.in_place_scope(|scope| {
                let one = &one;
                tasks.into_iter().for_each(|task| scope.spawn(move |_| one(task)));
            }),
        }
    }

    /// The parts of a batch of so many samples. None is empty unless the batch is smaller than that.
    pub fn parts(&self, samples: usize) -> impl Iterator<Item = Range<usize>> + use<> {
        let count = self.parts.min(samples.max(1));
        (0..count).map(move |part| part * samples / count..(part + 1) * samples / count)
    }

    /// Cuts what has so many items a sample into its parts.
    pub fn cut<'a, T>(
        &self,
        mut all: &'a mut [T],
        each: usize,
        samples: usize,
    ) -> impl Iterator<Item = &'a mut [T]> + use<'a, T> {
        self.parts(samples).map(move |part| {
            let (mine, rest) = std::mem::take(&mut all).split_at_mut(part.len() * each);
            all = rest;
            mine
        })
    }
}
