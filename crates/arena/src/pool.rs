//! Workers that play games at the same time, never more than the cores can take.

use crate::cores::stay;
use crate::game::{Finished, Job, Seat, Terms};
use crate::live::Live;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use tengen_table::Game;
use tengen_table::registry::{Visitor, with_game};

/// Workers waiting for jobs. Dropping the pool stops the games that are being played.
pub(crate) struct Pool {
    jobs: Option<Sender<Job>>,
    results: Receiver<Finished>,
    stop: Arc<AtomicBool>,
    live: Arc<Live>,
    workers: Vec<JoinHandle<()>>,
}

impl Pool {
    /// So many workers for games by these terms, whose game and set-up have been checked. With `cores` each has so many to itself.
    pub fn open(terms: Terms, workers: usize, cores: Option<usize>) -> Self {
        let terms = Arc::new(terms);
        let (jobs, queue) = channel();
        let queue = Arc::new(Mutex::new(queue));
        let (sender, results) = channel();
        let stop = Arc::new(AtomicBool::new(false));
        let live = Arc::new(Live::default());
        let worker = |place| {
            let (terms, queue, sender, stop, live) =
                (Arc::clone(&terms), Arc::clone(&queue), sender.clone(), Arc::clone(&stop), Arc::clone(&live));
            std::thread::spawn(move || {
                // Where it cannot be had, games are played as without it.
                let _ = cores.is_some_and(|cores| stay(place, cores));
                let work = Work { terms: &terms, queue: &queue, sender: &sender, stop: &stop, live: &live };
                // The set-up was checked by whoever opened the pool; if it fails after all, the closed channel says so.
                let _ = with_game(&terms.game, &terms.setup, work);
            })
        };
        let workers = (0..workers.max(1)).map(worker).collect();
        Pool { jobs: Some(jobs), results, stop, live, workers }
    }

    pub fn workers(&self) -> usize {
        self.workers.len()
    }

    /// Adds a job to those that wait.
    pub fn send(&self, job: Job) {
        if let Some(jobs) = &self.jobs {
            // If no worker is left to listen, `receive` tells.
            let _ = jobs.send(job);
        }
    }

    /// The next game that is over; `None` if no worker is left.
    pub fn receive(&self) -> Option<Finished> {
        self.results.recv().ok()
    }

    /// The same, or nothing if no game is over within a time; an error if no worker is left.
    pub fn receive_within(&self, patience: Duration) -> Result<Option<Finished>, RecvTimeoutError> {
        match self.results.recv_timeout(patience) {
            Ok(finished) => Ok(Some(finished)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(gone) => Err(gone),
        }
    }

    /// The games being played.
    pub fn live(&self) -> &Live {
        &self.live
    }

    /// Another one, if it is there already.
    pub fn try_receive(&self) -> Option<Finished> {
        self.results.try_recv().ok()
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.jobs = None;
        for worker in self.workers.drain(..) {
            // A worker that panicked has told so on standard error.
            let _ = worker.join();
        }
    }
}

struct Work<'a> {
    terms: &'a Terms,
    queue: &'a Mutex<Receiver<Job>>,
    sender: &'a Sender<Finished>,
    stop: &'a AtomicBool,
    live: &'a Live,
}

impl Visitor for Work<'_> {
    type Out = ();

    fn visit<P: Game>(self, start: P) {
        let mut seat = Seat::new(self.terms, start);
        loop {
            let job = self.queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(job) = job else { return };
            if self.stop.load(Ordering::Relaxed) {
                return;
            }
            let Some(finished) = seat.play(&job, self.stop, self.live) else { return };
            if self.sender.send(finished).is_err() {
                return;
            }
        }
    }
}
