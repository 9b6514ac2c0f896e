//! Whether a move came in time, and if not, who was late: the player, or the machine that had no processor free for it.
//!
//! Linux counts for every thread how long it was ready to run and had to wait. A move that took too long by the clock on the wall is
//! the machine's fault if the player had a processor for no longer than its time, and is charged without the waiting. Nobody gains
//! time to think by that. Where the system does not count, nothing is forgiven but the margin.

use crate::clock::RunningClock;
use std::collections::HashMap;
use std::fs;
use std::time::Duration;

/// What is said of the time a move took.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Timing {
    InTime,
    /// It would have been in time but for this long that the machine kept the player waiting.
    MachineLate(Duration),
    TooLate,
}

/// Takes a move off the clock, if there is one, and says whether it was in time by that and by the time a move, of which up to `margin`
/// is forgiven. `waited` is asked only if it was not.
pub(crate) fn charge(
    clock: &mut Option<RunningClock>,
    limit: Option<Duration>,
    used: Duration,
    margin: Duration,
    waited: impl FnOnce() -> Duration,
) -> Timing {
    let before = *clock;
    let mut press = |used: Duration| {
        *clock = before;
        let by_clock = clock.as_mut().is_none_or(|clock| clock.press(used, margin));
        by_clock && limit.is_none_or(|limit| used <= limit + margin)
    };
    if press(used) {
        return Timing::InTime;
    }
    let waited = waited();
    if press(used.saturating_sub(waited)) { Timing::MachineLate(waited) } else { Timing::TooLate }
}

/// For how long threads had to wait for a processor until now: this one, on which Tengen's own players think, and those of the
/// programs it has started.
pub(crate) struct Waits(HashMap<String, Duration>);

impl Waits {
    /// As the system has counted so far.
    pub fn now() -> Waits {
        let children = fs::read_to_string("/proc/thread-self/children").unwrap_or_default();
        let tasks = children.split_whitespace().flat_map(|child| {
            let tasks = format!("/proc/{child}/task");
            let names = fs::read_dir(&tasks).into_iter().flatten().flatten();
            names.filter_map(move |name| Some(format!("{tasks}/{}", name.file_name().to_str()?)))
        });
        let all = tasks.chain(["/proc/thread-self".to_owned()]);
        Waits(all.filter_map(|task| read(&task).map(|waited| (task, waited))).collect())
    }

    /// For how long that thread had to wait since then that had to wait longest.
    pub fn since(&self) -> Duration {
        let now = Waits::now();
        let since = |(task, &waited): (&String, &Duration)| {
            waited.saturating_sub(self.0.get(task).copied().unwrap_or_default())
        };
        now.0.iter().map(since).max().unwrap_or_default()
    }
}

/// The second number of `schedstat`: nanoseconds spent ready to run, but waiting.
fn read(task: &str) -> Option<Duration> {
    let text = fs::read_to_string(format!("{task}/schedstat")).ok()?;
    text.split_whitespace().nth(1)?.parse().ok().map(Duration::from_nanos)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::TimeControl;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Instant;

    const MARGIN: Duration = Duration::from_millis(100);

    /// A move of so many milliseconds under a clock or a time a move; what is left on the clock.
    fn check(control: Option<&str>, limit: Option<u64>, used: u64, waited: u64) -> (Timing, Option<u64>) {
        let mut clock = control.map(|control| RunningClock::new(TimeControl::read(control).expect(control)));
        let [used, waited] = [used, waited].map(Duration::from_millis);
        let timing = charge(&mut clock, limit.map(Duration::from_millis), used, MARGIN, || waited);
        (timing, clock.map(|clock| clock.shown().left.as_millis() as u64))
    }

    #[test]
    fn the_machine_is_told_from_the_player() {
        let late = |ms| Timing::MachineLate(Duration::from_millis(ms));
        for (control, limit, used, waited, verdict) in [
            (None, Some(300), 350, 0, (Timing::InTime, None)),
            (None, Some(300), 420, 0, (Timing::TooLate, None)),
            (None, Some(300), 420, 15, (Timing::TooLate, None)),
            (None, Some(300), 420, 40, (late(40), None)),
            (Some("1"), None, 500, 400, (Timing::InTime, Some(500))),
            (Some("1"), None, 1200, 400, (late(400), Some(200))),
            (Some("1"), None, 1200, 50, (Timing::TooLate, Some(0))),
            (Some("1"), Some(300), 500, 0, (Timing::TooLate, Some(500))),
            (Some("1"), Some(300), 500, 100, (late(100), Some(600))),
            (None, None, 5000, 0, (Timing::InTime, None)),
        ] {
            assert_eq!(check(control, limit, used, waited), verdict, "{control:?} {limit:?} {used} {waited}");
        }
    }

    /// More busy threads than processors: this one has to wait, and knows for how long.
    #[test]
    fn waiting_is_counted() {
        if read("/proc/thread-self").is_none() {
            return;
        }
        let done = AtomicBool::new(false);
        let busy = 3 * std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| {
            for _ in 0..busy {
                scope.spawn(|| {
                    while !done.load(Ordering::Relaxed) {
                        std::hint::spin_loop();
                    }
                });
            }
            let (before, begin) = (Waits::now(), Instant::now());
            let mut waited = Duration::ZERO;
            while waited < Duration::from_millis(50) && begin.elapsed() < Duration::from_secs(20) {
                for _ in 0..1_000_000 {
                    std::hint::spin_loop();
                }
                waited = before.since();
            }
            done.store(true, Ordering::Relaxed);
            assert!(waited >= Duration::from_millis(50), "{waited:?}");
            assert!(waited <= begin.elapsed(), "{waited:?}");
        });
    }
}
