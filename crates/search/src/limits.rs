//! When to stop thinking.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Time since some moment. Searches never ask the machine for the time: they are handed one of these.
pub trait Clock: Sync {
    /// How long ago the moment was.
    fn elapsed(&self) -> Duration;
}

impl Clock for Instant {
    fn elapsed(&self) -> Duration {
        Instant::elapsed(self)
    }
}

/// How the time after the main time is dealt out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Period {
    /// Nothing follows: sudden death, or a Fischer increment after every move.
    None,
    /// Byo-yomi: so many periods of this length, each lost only when it is used up.
    Byoyomi {
        /// The length of one period.
        length: Duration,
        /// How many are left, the current one included.
        left: u32,
    },
    /// Canadian: this much time for so many stones.
    Canadian {
        /// The time left for the stones.
        length: Duration,
        /// How many stones it must do for.
        stones: u32,
    },
}

/// The clock of the side to move, as the game stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameClock {
    /// Main time left.
    pub left: Duration,
    /// Added after every move.
    pub increment: Duration,
    /// Moves until more main time comes, if the control says so.
    pub moves_to_go: Option<u32>,
    /// What follows the main time.
    pub period: Period,
    /// Kept back for the way between the clock and the player.
    pub overhead: Duration,
}

impl GameClock {
    /// So much time for the rest of the game.
    pub fn sudden_death(left: Duration) -> Self {
        GameClock {
            left,
            increment: Duration::ZERO,
            moves_to_go: None,
            period: Period::None,
            overhead: Duration::from_millis(10),
        }
    }

    /// How long to think about one move: a first figure after which no new iteration should begin, and a last one
    /// that must not be passed. `ply` says how far the game has come.
    pub fn allot(&self, ply: usize) -> (Duration, Duration) {
        // Games are taken to last another 40 moves at first, and never fewer than 12.
        let expected = self.moves_to_go.unwrap_or_else(|| 40u32.saturating_sub(ply as u32 / 4).max(12)).max(1);
        let main = self.left.saturating_sub(self.overhead);
        let share = main / expected + self.increment.saturating_sub(self.overhead) * 3 / 4;
        let most = if self.moves_to_go == Some(1) { main * 9 / 10 } else { main / 4 };
        // Time that comes anew with every move may be used up; main time is shared out.
        let fresh = match self.period {
            Period::None => Duration::ZERO,
            Period::Byoyomi { length, .. } => length.saturating_sub(self.overhead),
            Period::Canadian { length, stones } => length.saturating_sub(self.overhead) / stones.max(1),
        };
        let soft = (share.min(most) + fresh).max(Duration::from_millis(1));
        let hard = ((share * 4).min(most) + fresh).max(Duration::from_millis(1));
        (soft, hard)
    }
}

/// Everything that can end a thought. Unset fields do not limit; the first one reached ends it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Time for this move.
    pub time: Option<Duration>,
    /// Positions looked at.
    pub nodes: Option<u64>,
    /// Plies of a depth-first search.
    pub depth: Option<u32>,
    /// Simulations of a tree search.
    pub visits: Option<u64>,
    /// The game's clock.
    pub clock: Option<GameClock>,
    /// Until told to stop: the player's own limits do not hold either (pondering, analysis).
    pub endless: bool,
}

impl Limits {
    /// A depth, milliseconds and nodes as parameters have them, where 0 milliseconds or nodes set no limit.
    pub fn of(depth: u32, ms: u64, nodes: u64) -> Limits {
        Limits {
            depth: Some(depth),
            time: (ms > 0).then(|| Duration::from_millis(ms)),
            nodes: (nodes > 0).then_some(nodes),
            ..Limits::default()
        }
    }

    /// What holds for a tree search with simulations and milliseconds of its own, where 0 sets no limit; if nothing ends it, `usual` simulations do.
    pub fn for_tree(&self, visits: u64, ms: u64, usual: u64) -> Limits {
        let time = (ms > 0).then(|| Duration::from_millis(ms));
        let both = self.and(&Limits { visits: (visits > 0).then_some(visits), time, ..Limits::default() });
        let counted = both.endless || both.visits.is_some() || both.nodes.is_some();
        let timed = both.time.is_some() || both.clock.is_some();
        Limits { visits: if counted || timed { both.visits } else { Some(usual) }, ..both }
    }

    /// The depth at which an iterative search is done: one ply if nobody says, far beyond any game if it is endless.
    pub(crate) fn last_depth(&self) -> u32 {
        self.depth.unwrap_or(if self.endless { 200 } else { 1 }).max(1)
    }

    /// Both limits hold: of each figure the smaller one. If these are endless, the others do not count.
    pub fn and(&self, other: &Limits) -> Limits {
        if self.endless {
            return *self;
        }
        fn least<T: Ord + Copy>(a: Option<T>, b: Option<T>) -> Option<T> {
            match (a, b) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            }
        }
        Limits {
            time: least(self.time, other.time),
            nodes: least(self.nodes, other.nodes),
            depth: least(self.depth, other.depth),
            visits: least(self.visits, other.visits),
            clock: self.clock.or(other.clock),
            endless: other.endless,
        }
    }
}

/// So many nodes go by at most without a look at the clock: a look costs as much as half a quick node, and quick ones may be followed by
/// others that take a thousand times as long.
const LONGEST_STRIDE: u64 = 128;

/// Watches the limits inside a search loop: asked at every node, looks at the clock only now and then.
pub struct Stopper<'a> {
    clock: &'a dyn Clock,
    stop: &'a AtomicBool,
    nodes: u64,
    /// After this many nodes the search is over.
    last_node: u64,
    /// The node at which the clock is looked at next.
    next_look: u64,
    /// Nodes between two looks, adapted so that a look comes about every millisecond, or after [`LONGEST_STRIDE`].
    stride: u64,
    last_look: Duration,
    soft: Option<Duration>,
    hard: Option<Duration>,
    stopped: bool,
}

impl<'a> Stopper<'a> {
    /// Begins to watch; `ply` tells a game clock how far the game has come.
    pub fn new(limits: &Limits, ply: usize, clock: &'a dyn Clock, stop: &'a AtomicBool) -> Self {
        let allotted = limits.clock.map(|clock| clock.allot(ply));
        let least = |given: Option<Duration>| match (limits.time, given) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Stopper {
            clock,
            stop,
            nodes: 0,
            last_node: limits.nodes.unwrap_or(u64::MAX),
            next_look: 16,
            stride: 16,
            last_look: Duration::ZERO,
            soft: least(allotted.map(|(soft, _)| soft)),
            hard: least(allotted.map(|(_, hard)| hard)),
            stopped: false,
        }
    }

    /// Counts one node and says whether to stop: once it has said so, it says so for ever.
    #[inline]
    pub fn tick(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes >= self.next_look {
            self.look();
        }
        self.stopped
    }

    /// Nodes counted so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether the search has been told to stop.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Whether it is wise to begin another iteration, which will take longer than all before it.
    pub fn may_go_on(&mut self) -> bool {
        self.look();
        !self.stopped && self.soft.is_none_or(|soft| self.last_look * 2 < soft)
    }

    #[cold]
    fn look(&mut self) {
        let now = self.clock.elapsed();
        let since = now.saturating_sub(self.last_look);
        self.last_look = now;
        // Half a millisecond to two between looks; a slow evaluation is looked at after every node.
        if since > Duration::from_millis(2) {
            self.stride = (self.stride / 4).max(1);
        } else if since < Duration::from_micros(500) {
            self.stride = (self.stride * 2).min(LONGEST_STRIDE);
        }
        self.next_look = (self.nodes + self.stride).min(self.last_node);
        self.stopped |= self.nodes >= self.last_node
            || self.hard.is_some_and(|hard| now >= hard)
            || self.stop.load(Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

    #[test]
    fn both_limits_hold() {
        let fast = Limits { time: Some(Duration::from_millis(5)), ..Limits::default() };
        let deep = Limits { time: Some(Duration::from_secs(5)), depth: Some(9), ..Limits::default() };
        assert_eq!(fast.and(&deep), Limits { time: fast.time, depth: Some(9), ..Limits::default() });
        let endless = Limits { endless: true, ..Limits::default() };
        assert_eq!(endless.and(&deep), endless);
    }

    #[test]
    fn a_clock_is_never_overdrawn() {
        for left in [0u64, 1, 9, 50, 1_000, 60_000] {
            for moves_to_go in [None, Some(1), Some(40)] {
                let clock = GameClock { moves_to_go, ..GameClock::sudden_death(Duration::from_millis(left)) };
                let (soft, hard) = clock.allot(10);
                assert!(soft <= hard && hard <= Duration::from_millis(left.max(1)), "{left} {moves_to_go:?}: {hard:?}");
            }
        }
    }

    #[test]
    fn byoyomi_is_used() {
        let clock = GameClock {
            period: Period::Byoyomi { length: Duration::from_secs(10), left: 3 },
            ..GameClock::sudden_death(Duration::ZERO)
        };
        let (_, hard) = clock.allot(100);
        assert!(hard > Duration::from_secs(9) && hard < Duration::from_secs(10));
    }

    /// Quick nodes are no reason to trust those that follow.
    #[test]
    fn a_search_that_slows_down_is_stopped_in_time() {
        /// A clock that goes as the test says.
        struct Told(AtomicU64);
        impl Clock for Told {
            fn elapsed(&self) -> Duration {
                Duration::from_nanos(self.0.load(Ordering::Relaxed))
            }
        }
        let (clock, stop) = (Told(AtomicU64::new(0)), AtomicBool::new(false));
        let limits = Limits { time: Some(Duration::from_millis(300)), ..Limits::default() };
        let mut stopper = Stopper::new(&limits, 0, &clock, &stop);
        let mut node = |nanos: u64| {
            clock.0.fetch_add(nanos, Ordering::Relaxed);
            stopper.tick()
        };
        // 299 ms of nodes of 100 ns, then some of 200 µs.
        assert!((0..2_990_000).all(|_| !node(100)));
        while !node(200_000) {}
        assert!(clock.elapsed() < Duration::from_millis(330), "{:?}", clock.elapsed());
    }

    #[test]
    fn nodes_are_counted_exactly() {
        let (clock, stop) = (Instant::now(), AtomicBool::new(false));
        let limits = Limits { nodes: Some(1000), ..Limits::default() };
        let mut stopper = Stopper::new(&limits, 0, &clock, &stop);
        while !stopper.tick() {}
        assert_eq!(stopper.nodes(), 1000);
    }
}
