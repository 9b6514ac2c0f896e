//! Where the machine thinks: a few threads, and a queue in which nobody waits for ever.
//!
//! There are two kinds of work. A *move* is what somebody waits for in a game; a *study* (analysis, review) is done in slices,
//! and goes back into the queue after each. Threads take moves before studies, and within a kind they take the visitors in turn, so
//! that one with much work does not delay one with little. One thread is kept free of studies where there are several, and strangers are kept from having all
//! threads at once: thoughts cannot be interrupted, so who has nothing running finds a spare thread, and the system lets them share the cores.

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

/// Asks for work that is there for nobody in particular, such as the moves of a game that was woken from disk.
pub const NOBODY: u64 = 0;

/// How much there is for everybody, and for each.
#[derive(Clone, Copy, Debug)]
pub struct Shares {
    /// Threads.
    pub threads: usize,
    /// Threads beside them for the moves of visitors who have nothing running.
    pub spare: usize,
    /// The most jobs of one visitor, waiting or running.
    pub jobs: usize,
    /// The most of them that run.
    pub running: usize,
}

impl Shares {
    /// Thoughts of so many threads: where strangers come, nobody has more than half of them.
    pub fn of_thinking(public: bool, threads: usize) -> Self {
        let threads = threads.max(1);
        match public {
            true => Shares { threads, spare: 4, jobs: 8, running: (threads / 2).max(1) },
            false => Shares { threads, spare: 0, jobs: 4096, running: threads },
        }
    }

    /// What is worked out for an answer: positions, pictures, files.
    pub fn of_errands(public: bool, threads: usize) -> Self {
        let threads = (threads / 2).max(1);
        match public {
            true => Shares { threads, spare: 4, jobs: 16, running: 1 },
            false => Shares { threads, spare: 1, jobs: 4096, running: threads },
        }
    }
}

struct Job {
    visitor: u64,
    stop: Stop,
    work: Work,
}

#[derive(Default)]
struct Queue {
    /// Visitors with work, in turn; each is in here once.
    turn: VecDeque<u64>,
    jobs: HashMap<u64, VecDeque<Job>>,
}

impl Queue {
    fn push(&mut self, job: Job) {
        let own = self.jobs.entry(job.visitor).or_default();
        if own.is_empty() {
            self.turn.push_back(job.visitor);
        }
        own.push_back(job);
    }

    /// The next job of the next visitor who may have another one. What has been told to stop is done in no time, and goes before.
    fn pop(&mut self, may_have: impl Fn(u64) -> bool) -> Option<Job> {
        let job_of = |visitor: &u64| {
            let own = self.jobs.get(visitor)?;
            let stopped = own.iter().position(|job| job.stop.load(Ordering::Relaxed));
            stopped.or(may_have(*visitor).then_some(0))
        };
        let (place, job) = self.turn.iter().enumerate().find_map(|(place, visitor)| Some((place, job_of(visitor)?)))?;
        let visitor = self.turn.remove(place)?;
        let own = self.jobs.get_mut(&visitor)?;
        let job = own.remove(job);
        if own.is_empty() {
            self.jobs.remove(&visitor);
        } else {
            self.turn.push_back(visitor);
        }
        job
    }
}

/// What a visitor has.
#[derive(Clone, Copy, Default)]
struct Account {
    jobs: usize,
    running: usize,
}

#[derive(Default)]
struct State {
    moves: Queue,
    studies: Queue,
    studying: usize,
    accounts: HashMap<u64, Account>,
    running: HashMap<u64, Stop>,
    closed: bool,
}

impl State {
    /// What a thread may do next.
    fn next(&mut self, shares: &Shares, is_spare: bool) -> Option<(Job, Kind)> {
        if is_spare && self.running.len() < shares.threads {
            return None;
        }
        let accounts = &self.accounts;
        let most_running = if is_spare { 1 } else { shares.running };
        let may_have = |visitor: u64| accounts.get(&visitor).is_none_or(|account| account.running < most_running);
        if let Some(job) = self.moves.pop(may_have) {
            return Some((job, Kind::Move));
        }
        let may_study = !is_spare && self.studying < (shares.threads - 1).max(1);
        if may_study { self.studies.pop(may_have).map(|job| (job, Kind::Study)) } else { None }
    }
}

struct Shared {
    state: Mutex<State>,
    wake: Condvar,
    shares: Shares,
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
    /// With so much for everybody. `name` is what the system calls the threads.
    pub fn new(name: &str, shares: Shares) -> Self {
        let shared =
            Arc::new(Shared { state: Mutex::default(), wake: Condvar::new(), shares, numbers: AtomicU64::new(0) });
        let spawn = |number: usize| {
            let shared = Arc::clone(&shared);
            let thread = std::thread::Builder::new().name(format!("{name}-{number}"));
            // Searches recurse as deep as games are long.
            thread.stack_size(16 << 20).spawn(move || {
                step_back();
                work(&shared, number >= shares.threads);
            })
        };
        // Fewer threads than asked for still do all the work; none at all is told when somebody asks for a thought.
        let threads = (0..shares.threads + shares.spare).filter_map(|number| spawn(number).ok()).collect();
        Pool { shared, threads: Mutex::new(threads) }
    }

    /// Puts work into the queue. `visitor` is who asked for it, or [`NOBODY`].
    pub fn submit(
        &self,
        kind: Kind,
        visitor: u64,
        work: impl FnMut(&AtomicBool) -> Progress + Send + 'static,
    ) -> Result<Stop, Trouble> {
        let stop = Stop::default();
        let mut state = self.shared.lock();
        if state.closed {
            return Err(Trouble::new(Code::NotNow, "the server is shutting down"));
        }
        let account = state.accounts.entry(visitor).or_default();
        if account.jobs >= self.shared.shares.jobs {
            return Err(Trouble::new(Code::TooMany, "the machine is busy for you in too many places already"));
        }
        account.jobs += 1;
        let job = Job { visitor, stop: Arc::clone(&stop), work: Box::new(work) };
        match kind {
            Kind::Move => state.moves.push(job),
            Kind::Study => state.studies.push(job),
        }
        drop(state);
        // Not every thread may take every job.
        self.shared.wake.notify_all();
        Ok(stop)
    }

    /// How many jobs wait or run.
    pub fn load(&self) -> usize {
        self.shared.lock().accounts.values().map(|account| account.jobs).sum()
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
fn work(shared: &Shared, is_spare: bool) {
    let mut state = shared.lock();
    while !state.closed {
        let Some((mut job, kind)) = state.next(&shared.shares, is_spare) else {
            state = shared.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
            continue;
        };
        let number = shared.numbers.fetch_add(1, Ordering::Relaxed);
        state.running.insert(number, Arc::clone(&job.stop));
        state.studying += usize::from(kind == Kind::Study);
        let visitor = job.visitor;
        state.accounts.entry(visitor).or_default().running += 1;
        drop(state);
        // A player that panics loses this thought only; who waits for it sees that nothing comes.
        let progress = catch_unwind(AssertUnwindSafe(|| (job.work)(&job.stop)));
        let progress = progress.unwrap_or_else(|_| {
            tracing::error!("a thought panicked");
            Progress::Done
        });
        // Dropped outside the lock: a table may hold much memory.
        let job = if progress == Progress::Again { Some(job) } else { None };
        state = shared.lock();
        state.running.remove(&number);
        state.studying -= usize::from(kind == Kind::Study);
        let account = state.accounts.entry(visitor).or_default();
        account.running -= 1;
        account.jobs -= usize::from(job.is_none());
        if account.jobs == 0 {
            state.accounts.remove(&visitor);
        }
        if let Some(job) = job {
            state.studies.push(job);
        }
        // A place may have become free that a waiting thread could not take before.
        shared.wake.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use std::time::Duration;

    fn pool(threads: usize, spare: usize, jobs: usize, running: usize) -> Pool {
        Pool::new("test", Shares { threads, spare, jobs, running })
    }

    /// Work that goes on until it is told to stop.
    fn wait(stop: &AtomicBool) -> Progress {
        while !stop.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(1));
        }
        Progress::Done
    }

    fn until(condition: impl Fn() -> bool) {
        while !condition() {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn visitors_take_turns_and_moves_go_first() {
        let pool = pool(1, 0, 100, 1);
        let (tell, told) = mpsc::channel();
        // Holds the only thread until everything is in the queue.
        let gate = pool.submit(Kind::Move, 9, wait).expect("room enough");
        let add = |kind, visitor, name: &'static str, mut slices: u32| {
            let tell = tell.clone();
            let work = move |_: &AtomicBool| {
                let _ = tell.send(name);
                slices -= 1;
                if slices == 0 { Progress::Done } else { Progress::Again }
            };
            pool.submit(kind, visitor, work).expect("room enough")
        };
        add(Kind::Study, 9, "study", 2);
        add(Kind::Move, 1, "a1", 1);
        add(Kind::Move, 1, "a2", 1);
        add(Kind::Move, 1, "a3", 1);
        add(Kind::Move, 2, "b1", 1);
        gate.store(true, Ordering::Relaxed);
        let order: Vec<&str> =
            (0..6).map(|_| told.recv_timeout(Duration::from_secs(20)).expect("all are done")).collect();
        assert_eq!(order, ["a1", "b1", "a2", "a3", "study", "study"]);
    }

    #[test]
    fn visitors_have_an_allowance_and_panics_cost_one_thought() {
        let pool = pool(1, 0, 2, 1);
        pool.submit(Kind::Move, 7, |_| panic!("a bug in a player")).expect("the first");
        until(|| pool.load() == 0);
        let first = pool.submit(Kind::Move, 7, wait).expect("the panic is forgotten");
        let second = pool.submit(Kind::Study, 7, wait).expect("two are allowed");
        assert_eq!(pool.submit(Kind::Move, 7, wait).expect_err("three are not").code, Code::TooMany);
        pool.submit(Kind::Move, 8, |_| Progress::Done).expect("others are not concerned");
        first.store(true, Ordering::Relaxed);
        second.store(true, Ordering::Relaxed);
        until(|| pool.load() == 0);
    }

    #[test]
    fn who_has_nothing_running_finds_a_thread() {
        let pool = pool(2, 1, 8, 1);
        let running = || pool.shared.lock().running.len();
        // One visitor has much to do, and gets one thread for it.
        let mut greedy: Vec<Stop> = (0..5).map(|_| pool.submit(Kind::Move, 1, wait).expect("eight")).collect();
        until(|| running() == 1);
        std::thread::sleep(Duration::from_millis(50));
        assert_eq!(running(), 1);
        // Two more who think without end, and the third still comes to the spare thread; but not with a study.
        let mut stops = vec![pool.submit(Kind::Move, 2, wait).expect("the first")];
        until(|| running() == 2);
        stops.push(pool.submit(Kind::Study, 3, wait).expect("the first"));
        std::thread::sleep(Duration::from_millis(50));
        assert_eq!(running(), 2);
        stops.push(pool.submit(Kind::Move, 4, wait).expect("the first"));
        until(|| running() == 3);
        // What is told to stop while it waits does not wait for its turn, though its visitor has a thought running.
        let waiting = greedy.pop().expect("one of five");
        waiting.store(true, Ordering::Relaxed);
        stops.pop().expect("the last").store(true, Ordering::Relaxed);
        until(|| pool.load() == 6);
        greedy.iter().chain(&stops).for_each(|stop| stop.store(true, Ordering::Relaxed));
        until(|| pool.load() == 0);
    }
}
