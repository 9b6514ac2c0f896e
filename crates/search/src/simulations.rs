//! Simulations by many threads: what every Monte-Carlo search has around its tree, whatever the tree is made of.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread::Result;
use std::time::Duration;

/// Tickets for simulations, which all threads of a search share.
pub struct Tickets {
    taken: AtomicU64,
    allowed: u64,
    stopped: AtomicBool,
}

impl Tickets {
    /// So many simulations may be begun.
    pub fn new(allowed: u64) -> Self {
        Tickets { taken: AtomicU64::new(0), allowed, stopped: AtomicBool::new(false) }
    }

    /// A ticket for one more simulation, if there is one left and nobody has said stop.
    #[inline]
    pub fn take(&self) -> bool {
        if self.stopped.load(Relaxed) {
            return false;
        }
        // Whoever comes too late puts his back; for a moment more seem to be taken than there are.
        let is_good = self.taken.fetch_add(1, Relaxed) < self.allowed;
        if !is_good {
            self.give_back();
        }
        is_good
    }

    /// A simulation came to nothing: its ticket may be taken again.
    pub fn give_back(&self) {
        self.taken.fetch_sub(1, Relaxed);
    }

    /// Simulations begun.
    pub fn taken(&self) -> u64 {
        self.taken.load(Relaxed).min(self.allowed)
    }

    /// Simulations allowed.
    pub fn allowed(&self) -> u64 {
        self.allowed
    }

    /// No more tickets are given out.
    pub fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }

    /// Whether somebody said stop.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    /// Whether no simulation may be begun any more.
    pub fn is_over(&self) -> bool {
        self.is_stopped() || self.taken() >= self.allowed
    }
}

/// Simulates on this thread and others until the tickets are out or there is no memory left, and gives back what each thread had in its hands, this
/// one's first. `lead` is this thread's simulation: who keeps an eye on the clock does so there. A thread that panics gives back its panic.
pub fn simulate<W: Send>(
    tickets: &Tickets,
    threads: usize,
    is_full: impl Fn() -> bool + Sync,
    mut walker: impl FnMut(usize) -> W,
    simulation: impl Fn(&mut W) + Sync,
    mut lead: impl FnMut(&mut W),
) -> Vec<Result<W>> {
    let (is_full, simulation) = (&is_full, &simulation);
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads)
            .map(|thread| {
                let mut walker = walker(thread);
                scope.spawn(move || {
                    while !is_full() && tickets.take() {
                        simulation(&mut walker);
                    }
                    walker
                })
            })
            .collect();
        let mut own = walker(0);
        while !is_full() && tickets.take() {
            lead(&mut own);
        }
        std::iter::once(Ok(own)).chain(others.into_iter().map(|thread| thread.join())).collect()
    })
}

/// How often a search tells what it has found so far.
pub struct News {
    due: Duration,
}

/// Nobody reads faster.
const BETWEEN_NEWS: Duration = Duration::from_millis(200);

impl News {
    /// A search begins at this time.
    pub fn new(now: Duration) -> Self {
        News { due: now + BETWEEN_NEWS }
    }

    /// Whether it is time to tell something.
    pub fn are_due(&mut self, now: Duration) -> bool {
        let due = now >= self.due;
        if due {
            self.due = now + BETWEEN_NEWS;
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ticket_is_used_once() {
        let (tickets, done) = (Tickets::new(10_000), AtomicU64::new(0));
        let one = |mine: &mut u64| {
            done.fetch_add(1, Relaxed);
            *mine += 1;
        };
        let hands = simulate(&tickets, 4, || false, |_| 0, one, one);
        let sum: u64 = hands.into_iter().map(|mine| mine.expect("nobody panics")).sum();
        assert_eq!((sum, done.into_inner(), tickets.taken()), (10_000, 10_000, 10_000));
        assert!(tickets.is_over() && !tickets.take());
        tickets.give_back();
        assert!(!tickets.is_over() && tickets.take() && !tickets.take());
    }

    #[test]
    fn a_full_memory_and_a_stop_end_it() {
        let tickets = Tickets::new(u64::MAX);
        let full = AtomicBool::new(false);
        simulate(&tickets, 3, || full.load(Relaxed), |_| (), |()| {}, |()| full.store(tickets.taken() > 50, Relaxed));
        assert!(tickets.taken() > 50 && !tickets.is_over(), "it may go on when there is room again");
        simulate(&tickets, 3, || false, |_| (), |()| {}, |()| tickets.stop());
        assert!(tickets.is_over());
    }

    #[test]
    fn a_panic_is_the_others_business() {
        let tickets = Tickets::new(1000);
        let hands = simulate(&tickets, 2, || false, |_| (), |()| panic!("on purpose"), |()| {});
        // The other thread may find no ticket left.
        assert!(hands.len() == 2 && hands[0].is_ok() && tickets.is_over());
    }

    #[test]
    fn news_come_now_and_then() {
        let mut news = News::new(Duration::ZERO);
        let told = (0..1000).filter(|&ms| news.are_due(Duration::from_millis(ms))).count();
        assert_eq!(told, 4);
    }
}
