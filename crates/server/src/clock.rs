//! The clocks of a game: whose time runs, what is left, and when it is over.
//!
//! Time is handed in, never asked for. A side's clock runs while it decides, and only after both sides have made their first move.

use crate::message::{ClockRule, Clocks, TimeLeft};
use std::time::{Duration, Instant};
use tengen_core::Side;

/// No game is given more time than a month, nor a move less than a hundredth of a second.
const MOST: u32 = 31 * 24 * 3600 * 1000;

/// Both clocks.
#[derive(Clone, Debug)]
pub struct Clock {
    rule: ClockRule,
    left: [TimeLeft; 2],
    running: Option<(Side, Instant)>,
}

impl ClockRule {
    /// Whether somebody can play by it.
    pub fn is_sensible(self) -> bool {
        let sound = |ms: u32| (10..=MOST).contains(&ms);
        match self {
            ClockRule::Absolute { main_ms } => sound(main_ms),
            ClockRule::Fischer { main_ms, increment_ms } => (sound(main_ms) || main_ms == 0) && sound(increment_ms),
            ClockRule::Byoyomi { main_ms, periods, period_ms } => {
                (sound(main_ms) || main_ms == 0) && (1..=100).contains(&periods) && sound(period_ms)
            }
        }
    }

    /// The length of a period and how many there are.
    fn periods(self) -> (u32, u32) {
        match self {
            ClockRule::Byoyomi { periods, period_ms, .. } => (period_ms, periods),
            _ => (0, 0),
        }
    }

    fn full(self) -> TimeLeft {
        let (period_ms, periods) = self.periods();
        match self {
            // Without main time the increment is there for the first move, too.
            ClockRule::Fischer { main_ms: 0, increment_ms } => TimeLeft { ms: increment_ms, periods, in_period: false },
            ClockRule::Byoyomi { main_ms: 0, .. } => TimeLeft { ms: period_ms, periods, in_period: true },
            ClockRule::Absolute { main_ms }
            | ClockRule::Fischer { main_ms, .. }
            | ClockRule::Byoyomi { main_ms, .. } => TimeLeft { ms: main_ms, periods, in_period: false },
        }
    }

    /// What is left after thinking for a while; nothing if time ran out.
    fn spend(self, left: TimeLeft, spent: Duration) -> Option<TimeLeft> {
        let mut spent = u32::try_from(spent.as_millis()).unwrap_or(u32::MAX);
        let mut left = left;
        let (period_ms, _) = self.periods();
        while spent >= left.ms {
            spent -= left.ms;
            // The main time gives way to the first period, a period to the next.
            left.periods -= u32::from(left.in_period);
            if left.periods == 0 {
                return None;
            }
            left = TimeLeft { ms: period_ms, in_period: true, ..left };
        }
        left.ms -= spent;
        Some(left)
    }
}

impl Clock {
    /// Both sides have all their time.
    pub fn new(rule: ClockRule) -> Self {
        Clock { rule, left: [rule.full(); 2], running: None }
    }

    /// The same with less time left, as after a restart.
    pub fn set_left(&mut self, left: [TimeLeft; 2]) {
        self.left = left;
    }

    /// Time begins to run for a side, or for nobody. What has been used until now is used.
    pub fn run(&mut self, side: Option<Side>, now: Instant) {
        if self.running.map(|(running, _)| running) != side {
            self.left = self.left_at(now);
            self.running = side.map(|side| (side, now));
        }
    }

    /// A side has moved: its time is charged and what the rule gives for a move is added. Says what is left then.
    pub fn press(&mut self, side: Side, now: Instant) -> [TimeLeft; 2] {
        if self.running.is_some_and(|(running, _)| running == side) {
            self.left = self.left_at(now);
            self.running = None;
            let left = &mut self.left[side.index()];
            match self.rule {
                ClockRule::Absolute { .. } => {}
                ClockRule::Fischer { increment_ms, .. } => left.ms = left.ms.saturating_add(increment_ms).min(MOST),
                ClockRule::Byoyomi { period_ms, .. } if left.in_period => left.ms = period_ms,
                ClockRule::Byoyomi { .. } => {}
            }
        }
        self.left
    }

    fn left_at(&self, now: Instant) -> [TimeLeft; 2] {
        let mut left = self.left;
        if let Some((side, since)) = self.running {
            let spent = now.saturating_duration_since(since);
            let out = TimeLeft { ms: 0, periods: 0, in_period: left[side.index()].in_period };
            left[side.index()] = self.rule.spend(left[side.index()], spent).unwrap_or(out);
        }
        left
    }

    /// The side whose time is over.
    pub fn fallen(&self, now: Instant) -> Option<Side> {
        let (side, since) = self.running?;
        let spent = now.saturating_duration_since(since);
        self.rule.spend(self.left[side.index()], spent).is_none().then_some(side)
    }

    /// When something happens if nobody moves: a period begins, or the flag falls.
    pub fn next_change(&self, now: Instant) -> Option<Instant> {
        let (side, _) = self.running?;
        Some(now + Duration::from_millis(u64::from(self.left_at(now)[side.index()].ms)))
    }

    /// As a page sees it.
    pub fn at(&self, now: Instant) -> Clocks {
        Clocks { rule: self.rule, left: self.left_at(now), running: self.running.map(|(side, _)| side) }
    }

    /// As a search sees it: the clock of one side.
    pub fn for_search(&self, side: Side, now: Instant) -> tengen_search::GameClock {
        use tengen_search::{GameClock, Period};
        let left = self.left_at(now)[side.index()];
        let length = Duration::from_millis(self.rule.periods().0.into());
        let mut clock = GameClock::sudden_death(Duration::from_millis(if left.in_period { 0 } else { left.ms.into() }));
        // The way through the queue and back takes its time.
        clock.overhead = Duration::from_millis(50);
        if let ClockRule::Fischer { increment_ms, .. } = self.rule {
            clock.increment = Duration::from_millis(increment_ms.into());
        }
        if left.periods > 0 {
            clock.period = Period::Byoyomi { length, left: left.periods };
        }
        clock
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(start: Instant, ms: u64) -> Instant {
        start + Duration::from_millis(ms)
    }

    /// Thinks so long, and says what is left as `ms/periods`, or that the flag fell.
    fn think(clock: &mut Clock, now: &mut Instant, ms: u64) -> String {
        clock.run(Some(Side::First), *now);
        *now = after(*now, ms);
        if clock.fallen(*now).is_some() {
            return "fallen".to_owned();
        }
        let left = clock.press(Side::First, *now)[0];
        format!("{}/{}{}", left.ms, left.periods, if left.in_period { "p" } else { "" })
    }

    #[test]
    fn the_three_rules() {
        let absolute = ClockRule::Absolute { main_ms: 1000 };
        let fischer = ClockRule::Fischer { main_ms: 1000, increment_ms: 200 };
        let byoyomi = ClockRule::Byoyomi { main_ms: 1000, periods: 3, period_ms: 500 };
        for (rule, thoughts) in [
            (absolute, vec![(400, "600/0"), (599, "1/0"), (1, "fallen")]),
            (fischer, vec![(400, "800/0"), (0, "1000/0"), (999, "201/0"), (201, "fallen")]),
            // Into the first period, within it, two of them lost, and the last one too.
            (byoyomi, vec![(900, "100/3"), (200, "500/3p"), (499, "500/3p"), (1100, "500/1p"), (500, "fallen")]),
        ] {
            let (mut clock, mut now) = (Clock::new(rule), Instant::now());
            for (ms, left) in thoughts {
                assert_eq!(think(&mut clock, &mut now, ms), left, "{rule:?}, {ms} ms");
            }
        }
    }

    #[test]
    fn changes_are_foretold() {
        let start = Instant::now();
        let mut clock = Clock::new(ClockRule::Byoyomi { main_ms: 100, periods: 2, period_ms: 50 });
        assert_eq!(clock.next_change(start), None);
        clock.run(Some(Side::Second), start);
        assert_eq!(clock.next_change(start), Some(after(start, 100)));
        assert_eq!(clock.next_change(after(start, 120)), Some(after(start, 150)));
        assert_eq!((clock.fallen(after(start, 199)), clock.fallen(after(start, 200))), (None, Some(Side::Second)));
        assert_eq!(clock.at(after(start, 120)).left[1], TimeLeft { ms: 30, periods: 2, in_period: true });
    }
}
