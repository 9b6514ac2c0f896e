//! How long to think about a move: a first figure after which the answer may do, and a last one that must not be passed.

use std::time::Duration;
use tengen_core::Score;
use tengen_search::{GameClock, Limits, Period};

/// The time for one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Timing {
    soft: Option<Duration>,
    hard: Option<Duration>,
}

impl Timing {
    pub fn new(limits: &Limits) -> Timing {
        if limits.endless {
            return Timing { soft: None, hard: None };
        }
        let allotted = limits.clock.map(|clock| allot(&clock));
        let hard = allotted.map(|(_, hard)| hard);
        let hard = match (hard, limits.time) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Timing { soft: allotted.map(|(soft, _)| soft), hard }
    }

    /// Whether there is a limit of time at all.
    pub fn is_set(&self) -> bool {
        self.hard.is_some()
    }

    /// Whether the last figure is reached.
    #[inline]
    pub fn is_over(&self, elapsed: Duration) -> bool {
        self.hard.is_some_and(|hard| elapsed >= hard)
    }

    /// Whether an iteration that has just ended is a good place to stop. A best move that has been the same for `steady`
    /// iterations and got most of the nodes (`share`) needs less time, one that has `fallen` more, the only one none.
    pub fn is_enough(&self, elapsed: Duration, depth: i32, steady: i32, fallen: Score, share: f64, only: bool) -> bool {
        if self.is_over(elapsed) {
            return true;
        }
        let Some(soft) = self.soft else { return false };
        if only {
            return elapsed * 8 >= soft;
        }
        let calm = 1.35 - 0.09 * f64::from(steady.min(7));
        let alarm = 1.0 + f64::from(fallen.clamp(-15, 60)) / 80.0;
        let doubt = if depth > 5 { (1.75 - share).max(0.4) * 1.1 } else { 1.0 };
        elapsed.as_secs_f64() >= soft.as_secs_f64() * calm * alarm * doubt
    }
}

/// First and last figure for a game clock.
fn allot(clock: &GameClock) -> (Duration, Duration) {
    let millis = |duration: Duration| duration.as_secs_f64() * 1000.0;
    let overhead = millis(clock.overhead);
    let left = (millis(clock.left) - overhead).max(1.0);
    let increment = millis(clock.increment);
    // A game is taken to last some two dozen moves more, whenever one asks.
    let (share, most) = match clock.moves_to_go {
        Some(moves) => (left / (f64::from(moves.clamp(1, 40)) + 0.8), if moves <= 1 { 0.85 } else { 0.6 }),
        None => (left / 24.0, 0.45),
    };
    // Periods come anew with every move; they may be used up.
    let fresh = match clock.period {
        Period::None => 0.0,
        Period::Byoyomi { length, .. } => (millis(length) - overhead).max(0.0) * 0.9,
        Period::Canadian { length, stones } => (millis(length) - overhead).max(0.0) / f64::from(stones.max(1)),
    };
    let most = left * most;
    let soft = (share + 0.75 * increment - overhead).max(1.0).min(most) + fresh;
    let hard = (5.0 * share + increment).min(most).max(1.0) + fresh;
    let time = |millis: f64| Duration::from_secs_f64(millis / 1000.0);
    (time(soft), time(hard.max(soft)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_never_overdrawn() {
        for left in [0u64, 1, 9, 50, 1_000, 60_000, 10_000_000] {
            for increment in [0u64, 10, 2_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(10_000)] {
                    let clock = GameClock {
                        moves_to_go,
                        increment: Duration::from_millis(increment),
                        ..GameClock::sudden_death(Duration::from_millis(left))
                    };
                    let (soft, hard) = allot(&clock);
                    let case = format!("{left} {increment} {moves_to_go:?}: {soft:?} {hard:?}");
                    assert!(soft <= hard && hard <= Duration::from_millis(left.max(1)), "{case}");
                }
            }
        }
    }

    #[test]
    fn doubt_takes_time_and_certainty_saves_it() {
        let clock = GameClock::sudden_death(Duration::from_secs(60));
        let timing = Timing::new(&Limits { clock: Some(clock), ..Limits::default() });
        let now = Duration::from_millis(2000);
        assert!(timing.is_enough(now, 12, 7, 0, 0.95, false));
        assert!(!timing.is_enough(now, 12, 0, 50, 0.3, false));
        assert!(timing.is_enough(Duration::from_millis(500), 12, 0, 0, 0.3, true));
        assert!(
            !Timing::new(&Limits { endless: true, clock: Some(clock), ..Limits::default() }).is_over(Duration::MAX)
        );
    }
}
