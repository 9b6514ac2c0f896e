//! Where the machine thinks: a few threads, and a queue in which nobody waits for ever.
//!
//! There are two kinds of work. A *move* is what somebody waits for in a game; a *study* (analysis, review) is done in slices,
//! and goes back into the queue after each. Threads take moves before studies, and within a kind they take the owners in turn, so
//! that a table with much work does not delay one with little. One thread is kept free of studies where there are several.

use crate::message::{Code, Trouble};
use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// What kind of work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Somebody waits for it.
    Move,
    /// It can be interrupted.
    Study,
}

/// Whether work is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// Yes.
    Done,
    /// There is another slice to come.
    Again,
}

/// Tells work to stop: it then answers with what it has.
pub type Stop = Arc<AtomicBool>;

type Work = Box<dyn FnMut(&AtomicBool) -> Progress + Send>;

struct Job {
    owner: u64,
    visitor: u64,
    stop: Stop,
    work: Work,
}

#[derive(Default)]
struct Queue {
    /// Owners with work, in turn; each is in here once.
    turn: VecDeque<u64>,
    jobs: HashMap<u64, VecDeque<Job>>,
}

impl Queue {
    fn push(&mut self, job: Job) {
        let own = self.jobs.entry(job.owner).or_default();
        if own.is_empty() {
            self.turn.push_back(job.owner);
        }
        own.push_back(job);
    }

    fn pop(&mut self) -> Option<Job> {
        let owner = self.turn.pop_front()?;
        let own = self.jobs.get_mut(&owner)?;
        let job = own.pop_front();
        if own.is_empty() {
            self.jobs.remove(&owner);
        } else {
            self.turn.push_back(owner);
        }
        job
    }
}

#[derive(Default)]
struct State {
    moves: Queue,
    studies: Queue,
    studying: usize,
    /// Jobs of each visitor, waiting or running.
    busy: HashMap<u64, usize>,
    running: HashMap<u64, Stop>,
    closed: bool,
}

struct Shared {
    state: Mutex<State>,
    wake: Condvar,
    threads: usize,
    /// The most jobs a visitor may have at once.
    allowance: usize,
    numbers: AtomicU64,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // No work runs under the lock, so a panic cannot have left it half done.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Lets people's moves go before this thread's thoughts. Only Linux has priorities for single threads.
pub(crate) fn step_back() {
    #[cfg(target_os = "linux")]
    // Where it cannot be had, they share as equals.
    let _ = rustix::process::nice(10);
}

/// The threads and their queue.
pub struct Pool {
    shared: Arc<Shared>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl Pool {
    /// So many threads; a visitor may have so many jobs at once.
    pub fn new(threads: usize, allowance: usize) -> Self {
        let shared = Arc::new(Shared {
            state: Mutex::default(),
            wake: Condvar::new(),
            threads: threads.max(1),
            allowance,
            numbers: AtomicU64::new(0),
        });
        let spawn = |number: usize| {
            let shared = Arc::clone(&shared);
            let thread = std::thread::Builder::new().name(format!("think-{number}"));
            // Searches recurse as deep as games are long.
            thread.stack_size(16 << 20).spawn(move || {
                step_back();
                work(&shared);
            })
        };
        // Fewer threads than asked for still do all the work; none at all is told when somebody asks for a thought.
        let threads = (0..threads.max(1)).filter_map(|number| spawn(number).ok()).collect();
        Pool { shared, threads: Mutex::new(threads) }
    }

    /// Puts work into the queue. `owner` is the table or page it is for, `visitor` who asked for it.
    pub fn submit(
        &self,
        kind: Kind,
        owner: u64,
        visitor: u64,
        work: impl FnMut(&AtomicBool) -> Progress + Send + 'static,
    ) -> Result<Stop, Trouble> {
        let stop = Stop::default();
        let mut state = self.shared.lock();
        if state.closed {
            return Err(Trouble::new(Code::NotNow, "the server is shutting down"));
        }
        let busy = state.busy.entry(visitor).or_default();
        if *busy >= self.shared.allowance {
            return Err(Trouble::new(Code::TooMany, "the machine is thinking for you in too many places already"));
        }
        *busy += 1;
        let job = Job { owner, visitor, stop: Arc::clone(&stop), work: Box::new(work) };
        match kind {
            Kind::Move => state.moves.push(job),
            Kind::Study => state.studies.push(job),
        }
        drop(state);
        self.shared.wake.notify_one();
        Ok(stop)
    }

    /// How many jobs wait or run.
    pub fn load(&self) -> usize {
        self.shared.lock().busy.values().sum()
    }

    /// Stops all work and waits for the threads.
    pub fn close(&self) {
        let mut state = self.shared.lock();
        state.closed = true;
        for stop in state.running.values() {
            stop.store(true, Ordering::Relaxed);
        }
        drop(state);
        self.shared.wake.notify_all();
        let threads = std::mem::take(&mut *self.threads.lock().unwrap_or_else(PoisonError::into_inner));
        for thread in threads {
            // Panics of work are caught where it runs.
            let _ = thread.join();
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.close();
    }
}

/// What a thread does all day.
fn work(shared: &Shared) {
    let most_studies = if shared.threads > 1 { shared.threads - 1 } else { 1 };
    let mut state = shared.lock();
    while !state.closed {
        let next = match state.moves.pop() {
            Some(job) => Some((job, Kind::Move)),
            None if state.studying < most_studies => state.studies.pop().map(|job| (job, Kind::Study)),
            None => None,
        };
        let Some((mut job, kind)) = next else {
            state = shared.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
            continue;
        };
        let number = shared.numbers.fetch_add(1, Ordering::Relaxed);
        state.running.insert(number, Arc::clone(&job.stop));
        state.studying += usize::from(kind == Kind::Study);
        drop(state);
        // A player that panics loses this thought only; who waits for it sees that nothing comes.
        let progress = catch_unwind(AssertUnwindSafe(|| (job.work)(&job.stop)));
        let progress = progress.unwrap_or_else(|_| {
            tracing::error!("a thought panicked");
            Progress::Done
        });
        // Dropped outside the lock: a table may hold much memory.
        let (owner_again, visitor) = (progress == Progress::Again, job.visitor);
        let job = if owner_again { Some(job) } else { None };
        state = shared.lock();
        state.running.remove(&number);
        state.studying -= usize::from(kind == Kind::Study);
        match job {
            Some(job) => state.studies.push(job),
            None => {
                if let Some(busy) = state.busy.get_mut(&visitor) {
                    *busy -= 1;
                    if *busy == 0 {
                        state.busy.remove(&visitor);
                    }
                }
            }
        }
        // A place for a study may have become free that a waiting thread could not take before.
        shared.wake.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use std::time::Duration;

    #[test]
    fn owners_take_turns_and_moves_go_first() {
        let pool = Pool::new(1, 100);
        let (tell, told) = mpsc::channel();
        let (open, gate) = mpsc::channel::<()>();
        let gate = Mutex::new(gate);
        // Holds the only thread until everything is in the queue.
        pool.submit(Kind::Move, 0, 0, move |_| {
            let _ = gate.lock().expect("ours alone").recv();
            Progress::Done
        })
        .expect("room enough");
        let add = |kind, owner, name: &'static str, mut slices: u32| {
            let tell = tell.clone();
            let work = move |_: &AtomicBool| {
                let _ = tell.send(name);
                slices -= 1;
                if slices == 0 { Progress::Done } else { Progress::Again }
            };
            pool.submit(kind, owner, owner, work).expect("room enough")
        };
        add(Kind::Study, 9, "study", 2);
        add(Kind::Move, 1, "a1", 1);
        add(Kind::Move, 1, "a2", 1);
        add(Kind::Move, 1, "a3", 1);
        add(Kind::Move, 2, "b1", 1);
        open.send(()).expect("it waits");
        let order: Vec<&str> =
            (0..6).map(|_| told.recv_timeout(Duration::from_secs(20)).expect("all are done")).collect();
        assert_eq!(order, ["a1", "b1", "a2", "a3", "study", "study"]);
    }

    #[test]
    fn visitors_have_an_allowance_and_panics_cost_one_thought() {
        let pool = Pool::new(1, 2);
        pool.submit(Kind::Move, 1, 7, |_| panic!("a bug in a player")).expect("the first");
        let wait = |stop: &AtomicBool| {
            while !stop.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(1));
            }
            Progress::Done
        };
        while pool.load() > 0 {
            std::thread::sleep(Duration::from_millis(1));
        }
        let first = pool.submit(Kind::Move, 1, 7, wait).expect("the panic is forgotten");
        let second = pool.submit(Kind::Study, 1, 7, wait).expect("two are allowed");
        assert_eq!(pool.submit(Kind::Move, 1, 7, wait).expect_err("three are not").code, Code::TooMany);
        pool.submit(Kind::Move, 1, 8, |_| Progress::Done).expect("others are not concerned");
        first.store(true, Ordering::Relaxed);
        second.store(true, Ordering::Relaxed);
        while pool.load() > 0 {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}
