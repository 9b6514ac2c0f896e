//! Backgammon: dice, a whole turn as one move, the first to bear off fifteen checkers wins.
//!
//! Either side counts the points from its own view: 24 to 1, home 6 to 1, 25 the bar and 0 the checkers borne off,
//! so that both move downwards and point `p` of one side is point `25 - p` of the other. The checkers of a side are
//! four planes of 26 bits, a binary counter on every point, and the sources of a die are a few shifts and masks:
//!
//! ```text
//! bit      25   24 … 19   18 … 7   6 … 1   0
//!          bar  their home         home    off
//! ```
//!
//! Moves that come to the same position are one move. What makes that cheap: the steps of a turn can be made from
//! high to low whenever they can be made at all, so a turn is a set of steps and not a sequence. Two sets of steps of
//! a double never come to the same, and of two different dice only in the ways that `better_spelled_high_first` knows.

mod notation;
#[cfg(test)]
mod tests;

use tengen_core::{Outcome, Position, Rng, Side, Symmetry, Turn, mix};

/// Checkers of a side.
pub const CHECKERS: u8 = 15;

/// The bar, as a point to move from.
pub const BAR: u8 = 25;

/// Beyond the last point: where checkers are borne off to.
pub const OFF: u8 = 0;

const BAR_BIT: u32 = 1 << BAR;
const OFF_BIT: u32 = 1 << OFF;
/// Points 1 to 24.
const POINTS: u32 = BAR_BIT - 2;
/// Everything beyond the home board; a side bears off while it has nothing here.
const OUTSIDE: u32 = POINTS & !0x7f | BAR_BIT;

/// What a side, or the dice, do. Points are those of the side that moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// The dice fall.
    Roll {
        /// The higher die.
        high: u8,
        /// The lower one, or the same.
        low: u8,
    },
    /// No checker can move.
    Pass,
    /// Two different dice. Of the spellings that come to the same position this is the one with the higher die
    /// first, if there is one.
    Mixed {
        /// Where the checkers leave, from high to low; the second is 0 when only one die can be played.
        froms: [u8; 2],
        /// Whether the lower die moves the first of them, and the higher die the second.
        low_first: bool,
    },
    /// Two equal dice.
    Double {
        /// Where the checkers leave, from high to low; 0 for those that cannot move.
        froms: [u8; 4],
    },
}

/// A position of backgammon.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Backgammon {
    checkers: [Checkers; 2],
    to_move: Side,
    /// The higher die first; zeros before the roll.
    dice: [u8; 2],
}

impl Backgammon {
    /// The start: `First` is to roll.
    pub fn new() -> Self {
        let mut counts = [0; 26];
        for (point, count) in [(24, 2), (13, 5), (8, 3), (6, 5)] {
            counts[point] = count;
        }
        Backgammon { checkers: [Checkers::from(&counts); 2], to_move: Side::First, dice: [0, 0] }
    }

    /// How many checkers a side has on a point from 1 to 24 of its own count; [`BAR`] and [`OFF`] count too.
    pub fn checkers(&self, side: Side, point: u8) -> u8 {
        debug_assert!(point <= BAR);
        self.checkers[side.index()].count(point)
    }

    /// How many checkers a side has on the bar.
    pub fn bar(&self, side: Side) -> u8 {
        self.checkers(side, BAR)
    }

    /// How many checkers a side has borne off.
    pub fn off(&self, side: Side) -> u8 {
        self.checkers(side, OFF)
    }

    /// How far the checkers of a side have to go in all.
    pub fn pips(&self, side: Side) -> u16 {
        let on = self.checkers[side.index()];
        bits(on.on_board()).map(|point| u16::from(point) * u16::from(on.count(point))).sum()
    }

    /// The points where a side has a single checker: bit `p` for point `p` of its own count.
    pub fn blots(&self, side: Side) -> u32 {
        self.checkers[side.index()].single() & POINTS
    }

    /// The points a side has made, with two checkers or more: bit `p` for point `p` of its own count.
    pub fn made(&self, side: Side) -> u32 {
        self.checkers[side.index()].made()
    }

    /// The dice on the table, the higher one first; `None` before the roll.
    pub fn dice(&self) -> Option<[u8; 2]> {
        (self.dice != [0, 0]).then_some(self.dice)
    }

    /// Only the side that moved last can have borne off its last checker.
    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        let last = self.to_move.other();
        (self.checkers[last.index()].on_board() == 0).then_some(Outcome::Win(last))
    }

    #[inline]
    fn mover(&self) -> Mover {
        let mine = self.checkers[self.to_move.index()];
        let theirs = self.checkers[self.to_move.other().index()];
        let [high, low] = self.dice;
        Mover { checkers: mine, blocked: mirrored(theirs.made()), blots: mirrored(theirs.single()), high, low }
    }

    /// Moves one checker of the side to move, and sends a single enemy checker that it meets to the bar.
    #[inline]
    fn step(&mut self, from: u8, die: u8) {
        let to = from.saturating_sub(die);
        let mine = &mut self.checkers[self.to_move.index()];
        *mine = mine.moved(1 << from, 1 << to);
        let theirs = &mut self.checkers[self.to_move.other().index()];
        let there = 1 << (BAR - to);
        debug_assert!(to == OFF || theirs.made() & there == 0, "{to} is blocked");
        if to != OFF && theirs.single() & there != 0 {
            *theirs = theirs.moved(there, BAR_BIT);
        }
    }
}

impl Default for Backgammon {
    fn default() -> Self {
        Backgammon::new()
    }
}

impl Position for Backgammon {
    type Move = Move;

    #[inline]
    fn to_move(&self) -> Side {
        self.to_move
    }

    #[inline]
    fn turn(&self, moves: &mut Vec<Move>) -> Turn {
        moves.clear();
        if let Some(outcome) = self.outcome() {
            return Turn::Over(outcome);
        }
        if self.dice == [0, 0] {
            return Turn::Chance;
        }
        self.mover().list(moves, Spellings::One);
        Turn::Decision(self.to_move)
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        debug_assert_eq!(self.dice == [0, 0], matches!(mv, Move::Roll { .. }), "{mv:?}");
        let [high, low] = self.dice;
        match mv {
            Move::Roll { high, low } => {
                self.dice = [high, low];
                return;
            }
            Move::Pass => {}
            Move::Mixed { froms, low_first } => {
                let dice = if low_first { [low, high] } else { [high, low] };
                self.step(froms[0], dice[0]);
                if froms[1] != OFF {
                    self.step(froms[1], dice[1]);
                }
            }
            Move::Double { froms } => {
                for from in froms.into_iter().take_while(|&from| from != OFF) {
                    self.step(from, high);
                }
            }
        }
        self.to_move = self.to_move.other();
        self.dice = [0, 0];
    }

    #[inline]
    fn key(&self) -> u64 {
        let [high, low] = self.dice;
        let rest = u64::from(high) << 8 | u64::from(low) << 4 | self.to_move.index() as u64;
        let [a, b, c, d] = self.checkers[0].0;
        let [e, f, g, h] = self.checkers[1].0;
        [(a, b), (c, d), (e, f), (g, h)]
            .into_iter()
            .fold(mix(rest), |key, (one, two)| mix(key ^ (u64::from(one) | u64::from(two) << 32)))
    }

    fn code(mv: Move) -> u16 {
        // Every range begins where the one before ends.
        const DOUBLES: u16 = 2 * 26 * 26;
        const ROLLS: u16 = DOUBLES + 23_751;
        const PASS: u16 = ROLLS + 21;
        match mv {
            Move::Mixed { froms: [a, b], low_first } => {
                u16::from(low_first) * 26 * 26 + u16::from(a) * 26 + u16::from(b)
            }
            Move::Double { froms } => DOUBLES + rank(froms),
            Move::Roll { high, low } => ROLLS + u16::from(high) * u16::from(high - 1) / 2 + u16::from(low - 1),
            Move::Pass => PASS,
        }
    }

    fn chance(&self, outcomes: &mut Vec<(Move, f32)>) {
        outcomes.clear();
        if self.dice != [0, 0] || self.outcome().is_some() {
            return;
        }
        for high in 1..=6 {
            let mixed = (1..high).map(|low| (Move::Roll { high, low }, 1.0 / 18.0));
            outcomes.extend(mixed.chain([(Move::Roll { high, low: high }, 1.0 / 36.0)]));
        }
    }

    /// Each die moves a random checker of those it can move, so that hardly ever a list of moves is needed: all moves
    /// come up, but not all equally often.
    fn playout<F: FnMut(Side, Move)>(&mut self, rng: &mut Rng, cap: u32, mut seen: F) -> Option<Outcome> {
        let mut list = Vec::new();
        for _ in 0..cap {
            if let Some(outcome) = self.outcome() {
                return Some(outcome);
            }
            if self.dice == [0, 0] {
                let (one, two) = (rng.u8(1..=6), rng.u8(1..=6));
                self.dice = [one.max(two), one.min(two)];
                continue;
            }
            let mv = self.mover().random(rng, &mut list);
            seen(self.to_move, mv);
            self.play(mv);
        }
        self.outcome()
    }
}

impl Symmetry for Backgammon {}

/// The number of a descending set of four, each 0 to 25, among the 23 751 there are.
fn rank([a, b, c, d]: [u8; 4]) -> u16 {
    let [a, b, c, d] = [a, b, c, d].map(u32::from);
    let rank = (a + 3) * (a + 2) * (a + 1) * a / 24 + (b + 2) * (b + 1) * b / 6 + (c + 1) * c / 2 + d;
    rank as u16
}

/// The checkers of one side, in its own count: bit `p` of plane `k` stands for `2^k` checkers on `p`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Checkers([u32; 4]);

impl Checkers {
    /// From the number on every point, each at most fifteen.
    fn from(counts: &[u8; 26]) -> Self {
        debug_assert_eq!(counts.iter().sum::<u8>(), CHECKERS);
        let mut planes = [0; 4];
        for (point, &count) in counts.iter().enumerate() {
            for (k, plane) in planes.iter_mut().enumerate() {
                *plane |= u32::from(count >> k & 1) << point;
            }
        }
        Checkers(planes)
    }

    #[inline]
    fn count(self, point: u8) -> u8 {
        (0..4).map(|k| ((self.0[k] >> point & 1) as u8) << k).sum()
    }

    /// Where there is any checker still to be borne off.
    #[inline]
    fn on_board(self) -> u32 {
        let [a, b, c, d] = self.0;
        (a | b | c | d) & !OFF_BIT
    }

    /// Where there is exactly one, on the bar or borne off included.
    #[inline]
    fn single(self) -> u32 {
        let [a, b, c, d] = self.0;
        a & !(b | c | d)
    }

    /// The points with two or more.
    #[inline]
    fn made(self) -> u32 {
        let [_, b, c, d] = self.0;
        (b | c | d) & POINTS
    }

    /// With one checker less here and one more there: two counters at work, a borrow and a carry.
    #[inline]
    fn moved(self, from: u32, to: u32) -> Self {
        debug_assert!((self.0[0] | self.0[1] | self.0[2] | self.0[3]) & from != 0);
        let (mut borrow, mut carry) = (from, to);
        Checkers(self.0.map(|plane| {
            let less = plane ^ borrow;
            borrow &= less;
            let more = less ^ carry;
            carry &= less;
            more
        }))
    }
}

/// A set of points seen by the other side.
#[inline]
fn mirrored(points: u32) -> u32 {
    points.reverse_bits() >> (31 - BAR)
}

/// The points of a set, from low to high.
fn bits(mut set: u32) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let point = (set != 0).then(|| set.trailing_zeros() as u8)?;
        set &= set - 1;
        Some(point)
    })
}

/// Which spellings of a move are listed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spellings {
    /// One for every position that can be reached.
    One,
    /// All, for reading what people write.
    All,
}

/// What the side to move has to know, in its own count.
#[derive(Clone, Copy)]
struct Mover {
    checkers: Checkers,
    /// Where the enemy has two or more.
    blocked: u32,
    /// Where the enemy has one.
    blots: u32,
    high: u8,
    low: u8,
}

impl Mover {
    /// Fills an empty list with the legal moves, at least one.
    fn list(&self, moves: &mut Vec<Move>, spellings: Spellings) {
        if self.high == self.low {
            match self.length_of_double() {
                0 => {}
                length => self.list_double(moves, &mut [0; 4], 0..length, !0, self.checkers),
            }
        } else {
            self.list_mixed(moves, spellings);
        }
        if moves.is_empty() {
            moves.push(Move::Pass);
        }
    }

    /// How many checkers a double moves. A step that can be made stays possible whatever other steps are made before
    /// it, so any way to go on until nothing moves is as long as any other.
    #[inline]
    fn length_of_double(&self) -> usize {
        let mut checkers = self.checkers;
        for length in 0..4 {
            let sources = self.sources(checkers.on_board(), self.high);
            if sources == 0 {
                return length;
            }
            let from = sources & sources.wrapping_neg();
            checkers = checkers.moved(from, landing(from, self.high));
        }
        4
    }

    /// Lists every way to fill the places `left` of `froms` from high to low, `within` being the points not above
    /// the one before.
    fn list_double(
        &self,
        moves: &mut Vec<Move>,
        froms: &mut [u8; 4],
        left: std::ops::Range<usize>,
        within: u32,
        checkers: Checkers,
    ) {
        let sources = self.sources(checkers.on_board(), self.high) & within;
        for from in bits(sources) {
            froms[left.start] = from;
            if left.len() == 1 {
                moves.push(Move::Double { froms: *froms });
            } else {
                let bit = 1 << from;
                let next = checkers.moved(bit, landing(bit, self.high));
                self.list_double(moves, froms, left.start + 1..left.end, up_to(bit), next);
            }
        }
    }

    fn list_mixed(&self, moves: &mut Vec<Move>, spellings: Spellings) {
        let on_board = self.checkers.on_board();
        // Both dice, the source of the first being the higher one or the same.
        for low_first in [false, true] {
            let [first, second] = if low_first { [self.low, self.high] } else { [self.high, self.low] };
            for from in bits(self.sources(on_board, first)) {
                let mut seconds = self.sources(self.after(1 << from, first), second) & up_to(1 << from);
                if low_first && spellings == Spellings::One {
                    seconds &= !self.better_spelled_high_first(from);
                }
                moves.extend(bits(seconds).map(|then| Move::Mixed { froms: [from, then], low_first }));
            }
        }
        // Only one die: the higher one, if it moves anything.
        for low_first in [false, true] {
            if moves.is_empty() {
                let die = if low_first { self.low } else { self.high };
                let sources = self.sources(on_board, die);
                moves.extend(bits(sources).map(|from| Move::Mixed { froms: [from, OFF], low_first }));
            }
        }
    }

    /// The second steps which after a first step from here with the lower die come to the same as some move that has
    /// the higher die first.
    #[inline]
    fn better_spelled_high_first(&self, from: u8) -> u32 {
        let bit = 1 << from;
        // Borne off with the lower die. A second step with the higher one also bears off, which it can only if nothing
        // stood above this point: then the dice may change places.
        if from <= self.low {
            return !0;
        }
        // From one point with both dice there is but one way.
        let mut same = bit;
        // One checker with both dice comes to the same both ways, unless it hits on its way.
        if from > self.high {
            let [via_high, via_low] = [bit >> self.high, bit >> self.low];
            if self.blots & (via_high | via_low) == 0
                && self.sources(self.checkers.on_board(), self.high) & bit != 0
                && self.sources(self.after(bit, self.high), self.low) & via_high != 0
            {
                same |= via_low;
            }
        }
        same
    }

    /// A legal move. `list` is emptied and used when the dice turn out to stand in each other's way.
    #[inline]
    fn random(&self, rng: &mut Rng, list: &mut Vec<Move>) -> Move {
        let on_board = self.checkers.on_board();
        if self.high == self.low {
            return self.random_double(rng);
        }
        // Step 1. Either die first, if it moves anything.
        let mut low_first = rng.bool();
        let mut sources = self.sources(on_board, if low_first { self.low } else { self.high });
        if sources == 0 {
            low_first = !low_first;
            sources = self.sources(on_board, if low_first { self.low } else { self.high });
            if sources == 0 {
                return Move::Pass;
            }
        }
        let [first, second] = if low_first { [self.low, self.high] } else { [self.high, self.low] };
        let from = one_of(sources, rng);

        // Step 2. The other die. If nothing is left for it, another first step may have been due.
        let seconds = self.sources(self.after(1 << from, first), second);
        if seconds == 0 {
            list.clear();
            self.list_mixed(list, Spellings::One);
            return list[rng.usize(..list.len())];
        }
        let then = one_of(seconds, rng);

        // Step 3. The one spelling that is listed.
        let (froms, low_first) = if from >= then { ([from, then], low_first) } else { ([then, from], !low_first) };
        if !low_first || self.better_spelled_high_first(froms[0]) >> froms[1] & 1 == 0 {
            return Move::Mixed { froms, low_first };
        }
        let chained = froms[0] > self.low && froms[1] != froms[0];
        let second = if chained { froms[0] - self.high } else { froms[1] };
        Move::Mixed { froms: [froms[0], second], low_first: false }
    }

    #[inline]
    fn random_double(&self, rng: &mut Rng) -> Move {
        let mut checkers = self.checkers;
        let mut froms = [0; 4];
        for slot in &mut froms {
            let sources = self.sources(checkers.on_board(), self.high);
            if sources == 0 {
                break;
            }
            *slot = one_of(sources, rng);
            checkers = checkers.moved(1 << *slot, landing(1 << *slot, self.high));
        }
        froms.sort_unstable_by(|a, b| b.cmp(a));
        if froms[0] == OFF { Move::Pass } else { Move::Double { froms } }
    }

    /// The points from which a die can move a checker of a side that has some here.
    #[inline]
    fn sources(&self, on_board: u32, die: u8) -> u32 {
        let free = !(self.blocked << die);
        if on_board & BAR_BIT != 0 {
            // Nothing else moves before it has entered.
            return BAR_BIT & free;
        }
        let along = on_board & free & (!1 << die);
        if on_board & OUTSIDE != 0 {
            return along;
        }
        // Bearing off: from the point of the die, or if nothing is there or higher, from the highest.
        let highest = (1_u64 << (32 - on_board.leading_zeros()) >> 1) as u32;
        along | if on_board >> die == 0 { highest } else { on_board & 1 << die }
    }

    /// Where the checkers stand after a step.
    #[inline]
    fn after(&self, from: u32, die: u8) -> u32 {
        self.checkers.on_board() & !(from & self.checkers.single()) | from >> die & !OFF_BIT
    }
}

/// Where a checker lands, borne off if it goes beyond.
#[inline]
fn landing(from: u32, die: u8) -> u32 {
    (from >> die).max(OFF_BIT)
}

/// A point and all below.
#[inline]
fn up_to(point: u32) -> u32 {
    point | (point - 1)
}

/// A random point of a set that is not empty.
#[inline]
fn one_of(mut set: u32, rng: &mut Rng) -> u8 {
    for _ in 0..rng.u32(..set.count_ones()) {
        set &= set - 1;
    }
    set.trailing_zeros() as u8
}
