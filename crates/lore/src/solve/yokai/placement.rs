//! Positions of the small board as the side to move sees them, small enough to be taken apart by the hundred million.
//!
//! "Own" is the side to move; it plays upwards, from row 0 to row 3. Squares are numbered as in the game, `a1` 0, `b1` 1, `a2`
//! 3; sets of squares have one bit a square. No piece slides, so nothing is ever pinned or blocked: what attacks a square is a mask.

use tengen_games::yokai::{Kind, Yokai34};

/// A set of squares.
pub type Set = u16;

const BOARD: Set = 0xfff;
const LEFT: Set = 0o1111;
const RIGHT: Set = LEFT << 2;
const LAST: Set = 0b111 << 9;

/// The kinds on the board beside the two Koropokkuru, in the order of [`Placement::kinds`].
const KINDS: [Kind; 4] = [Kind::Kitsune, Kind::Tanuki, Kind::Kodama, Kind::Samurai];
const KITSUNE: usize = 0;
const TANUKI: usize = 1;
const KODAMA: usize = 2;
const SAMURAI: usize = 3;

/// A position with the side to move made nameless.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Placement {
    /// Where the Koropokkuru stand, the own one first.
    pub kings: [u8; 2],
    /// The own pieces but the Koropokkuru.
    pub own: Set,
    /// Kitsune, Tanuki, Kodama and Samurai of either side.
    pub kinds: [Set; 4],
    /// Kitsune, Tanuki and Kodama in the own hand and in the other one.
    pub hands: [[u8; 3]; 2],
}

/// What one look at a position tells, without looking any move ahead but the own ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// The other Koropokkuru can be taken: won.
    Capture,
    /// The own Koropokkuru reaches the last row where nothing takes it: won.
    Goal,
    /// There is no move at all: lost.
    Stuck,
    /// So many moves after which the own Koropokkuru cannot be taken; if there is none, the position is lost.
    Open(u8),
}

/// All squares of a set one step on a way (0 is upwards, then clockwise); what leaves the board is gone.
#[inline(always)]
const fn step(set: Set, way: usize) -> Set {
    match way {
        0 => set << 3 & BOARD,
        1 => (set & !RIGHT) << 4 & BOARD,
        2 => (set & !RIGHT) << 1,
        3 => (set & !RIGHT) >> 2,
        4 => set >> 3,
        5 => (set & !LEFT) >> 4,
        6 => (set & !LEFT) >> 1,
        _ => (set & !LEFT) << 2 & BOARD,
    }
}

/// For each kind and square: the squares it steps to when it plays upwards. The fifth kind is the Koropokkuru.
static REACH: [[Set; 12]; 5] = {
    let ways = [KINDS[0].ways(), KINDS[1].ways(), KINDS[2].ways(), KINDS[3].ways(), Kind::Koropokkuru.ways()];
    let mut reach = [[0; 12]; 5];
    let mut kind = 0;
    while kind < 5 {
        let mut square = 0;
        while square < 12 {
            let mut way = 0;
            while way < 8 {
                if ways[kind] >> way & 1 == 1 {
                    reach[kind][square] |= step(1 << square, way);
                }
                way += 1;
            }
            square += 1;
        }
        kind += 1;
    }
    reach
};

/// For each kind and square: from where it comes when it plays upwards, which is where it goes when it plays downwards.
static COMES: [[Set; 12]; 5] = {
    let mut comes = [[0; 12]; 5];
    let mut kind = 0;
    while kind < 5 {
        let mut from = 0;
        while from < 12 {
            let mut to = 0;
            while to < 12 {
                if REACH[kind][from] >> to & 1 == 1 {
                    comes[kind][to] |= 1 << from;
                }
                to += 1;
            }
            from += 1;
        }
        kind += 1;
    }
    comes
};

/// A set with the board turned by half a circle.
#[inline]
pub(super) fn turned(set: Set) -> Set {
    set.reverse_bits() >> 4
}

/// A set with left and right exchanged.
#[inline]
pub(super) fn mirrored(set: Set) -> Set {
    (set & LEFT) << 2 | (set & !LEFT & !RIGHT) | (set & RIGHT) >> 2
}

/// The squares of a set, in order.
#[inline(always)]
pub(super) fn squares(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let square = set.trailing_zeros() as usize;
        (set != 0).then(|| {
            set &= set - 1;
            square
        })
    })
}

impl Placement {
    /// The start position.
    pub fn start() -> Self {
        // A complete set of pieces, both Koropokkuru on the board.
        Self::of(&Yokai34::new()).expect("the start position has a Koropokkuru a side")
    }

    /// A position of the game; `None` if a Koropokkuru is gone.
    pub fn of(position: &Yokai34) -> Option<Self> {
        // Packed: three bits of a code a square as three sets, the pieces of `Second`, the hands, the side to move.
        let packed = position.packed();
        let set = |shift: u32| (packed >> shift) as Set & BOARD;
        let [low, middle, high, second] = [set(0), set(12), set(24), set(36)];
        let kings = low & middle & !high;
        let hand = |shift: u32| [2, 4, 0].map(|kind| (packed >> (48 + shift + kind) & 3) as u8);
        let first_king = kings & !second;
        let second_king = kings & second;
        if first_king == 0 || second_king == 0 {
            return None;
        }
        let all = (low | middle | high) & !kings;
        let seen = Placement {
            kings: [first_king.trailing_zeros() as u8, second_king.trailing_zeros() as u8],
            own: all & !second,
            kinds: [middle & !low & !high, high & !low & !middle, low & !middle & !high, low & high & !middle],
            hands: [hand(0), hand(6)],
        };
        Some(if packed >> 60 & 1 == 0 { seen } else { seen.turned() })
    }

    /// The position as text, the first side being the one to move.
    pub fn text(&self) -> String {
        let letter = |square: usize| {
            if self.kings.contains(&(square as u8)) {
                return if usize::from(self.kings[0]) == square { "L" } else { "l" };
            }
            let kind = self.kinds.iter().position(|set| set >> square & 1 == 1);
            let own = self.own >> square & 1 == 1;
            kind.map_or("", |kind| if own { ["E", "G", "C", "+C"][kind] } else { ["e", "g", "c", "+c"][kind] })
        };
        let row = |row: usize| {
            let mut text = String::new();
            let mut empty = 0;
            for letter in (3 * row..3 * row + 3).map(letter).chain(["end"]) {
                if !letter.is_empty() && empty > 0 {
                    text += &empty.to_string();
                    empty = 0;
                }
                match letter {
                    "" => empty += 1,
                    "end" => {}
                    letter => text += letter,
                }
            }
            text
        };
        let rows: Vec<String> = (0..4).rev().map(row).collect();
        let held = |hand: [u8; 3], letters: [&str; 3]| -> String {
            letters.iter().zip(hand).map(|(letter, count)| letter.repeat(count.into())).collect()
        };
        let hands = held(self.hands[0], ["E", "G", "C"]) + &held(self.hands[1], ["e", "g", "c"]);
        format!("{}[{}] w 0 1", rows.join("/"), if hands.is_empty() { "-" } else { &hands })
    }

    /// Whether all pieces are there, on the board or in a hand.
    pub fn is_complete(&self) -> bool {
        let [kitsune, tanuki, kodama, samurai] = self.kinds.map(|set| set.count_ones() as u8);
        let on_board = [kitsune, tanuki, kodama + samurai];
        (0..3).all(|kind| on_board[kind] + self.hands[0][kind] + self.hands[1][kind] == 2)
    }

    /// The same position as the other side sees it.
    #[inline]
    pub fn turned(&self) -> Self {
        let theirs = self.pieces() & !self.own;
        Placement {
            kings: [11 - self.kings[1], 11 - self.kings[0]],
            own: turned(theirs),
            kinds: self.kinds.map(turned),
            hands: [self.hands[1], self.hands[0]],
        }
    }

    /// The same position with left and right exchanged.
    #[inline]
    pub fn mirrored(&self) -> Self {
        Placement {
            kings: self.kings.map(|square| square / 3 * 3 + 2 - square % 3),
            own: mirrored(self.own),
            kinds: self.kinds.map(mirrored),
            hands: self.hands,
        }
    }

    /// All pieces but the Koropokkuru.
    #[inline]
    fn pieces(&self) -> Set {
        self.kinds[0] | self.kinds[1] | self.kinds[2] | self.kinds[3]
    }

    /// The squares that the pieces `side`, with their Koropokkuru, attack playing upwards or downwards.
    #[inline(always)]
    fn attacked(&self, side: Set, king: u8, upwards: bool) -> Set {
        let king = 1 << king;
        let [kitsune, tanuki, kodama, samurai] = self.kinds.map(|set| set & side);
        let mut attacked = 0;
        for way in 0..8 {
            let forward = if upwards { way } else { (way + 4) % 8 };
            let diagonal = kitsune | king;
            let straight = tanuki | samurai | king;
            let movers = match forward {
                0 => straight | kodama,
                1 | 7 => diagonal | samurai,
                3 | 5 => diagonal,
                _ => straight,
            };
            attacked |= step(movers, way);
        }
        attacked
    }

    /// The own pieces that can take what stands on a square; the Koropokkuru is not among them.
    #[inline(always)]
    fn takers(&self, square: usize) -> Set {
        let takers = |kind: usize| self.kinds[kind] & COMES[kind][square];
        (takers(KITSUNE) | takers(TANUKI) | takers(KODAMA) | takers(SAMURAI)) & self.own
    }

    /// One look. The own Koropokkuru is not on its last row; if the other one is, it can be taken.
    #[inline]
    pub fn standing<const DROPS: bool>(&self) -> Standing {
        // Step 1. Can the other Koropokkuru be taken?
        let their_king: Set = 1 << self.kings[1];
        let beside = REACH[4][usize::from(self.kings[0])];
        if self.takers(usize::from(self.kings[1])) != 0 || beside & their_king != 0 {
            return Standing::Capture;
        }

        // Step 2. Where may the own Koropokkuru go, and does that win?
        let theirs = self.pieces() & !self.own;
        let danger = self.attacked(theirs, self.kings[1], false);
        let flights = beside & !self.own;
        if flights & LAST & !danger != 0 {
            return Standing::Goal;
        }
        let safe = (flights & !danger).count_ones();

        // Step 3. The moves of the other pieces.
        let king = usize::from(self.kings[0]);
        let attackers = theirs
            & (self.kinds[KITSUNE] & REACH[KITSUNE][king]
                | self.kinds[TANUKI] & REACH[TANUKI][king]
                | self.kinds[KODAMA] & REACH[KODAMA][king]
                | self.kinds[SAMURAI] & REACH[SAMURAI][king]);
        let others = match attackers.count_ones() {
            0 => self.steps() + if DROPS { self.drops() } else { 0 },
            // No piece slides, so an attack is met only by taking the attacker or going away.
            1 => self.takers(attackers.trailing_zeros() as usize).count_ones(),
            _ => 0,
        };
        if safe + others == 0 && flights == 0 && self.steps() == 0 && (!DROPS || self.drops() == 0) {
            return Standing::Stuck;
        }
        Standing::Open((safe + others) as u8)
    }

    /// How many steps the own pieces have, those of the Koropokkuru left out.
    #[inline]
    fn steps(&self) -> u32 {
        let free = BOARD & !self.own & !(1 << self.kings[0]);
        let [kitsune, tanuki, kodama, samurai] = self.kinds.map(|set| set & self.own);
        let count = |movers: Set, way: usize| (step(movers, way) & free).count_ones();
        let straight = tanuki | samurai;
        count(straight | kodama, 0)
            + count(kitsune | samurai, 1)
            + count(straight, 2)
            + count(kitsune, 3)
            + count(straight, 4)
            + count(kitsune, 5)
            + count(straight, 6)
            + count(kitsune | samurai, 7)
    }

    /// How many drops there are.
    #[inline]
    fn drops(&self) -> u32 {
        let free = 10 - self.pieces().count_ones();
        self.hands[0].iter().filter(|&&count| count > 0).count() as u32 * free
    }

    /// Every position that a move leads to, as the other side sees it, where neither Koropokkuru can be taken at once nor has
    /// reached its last row: the moves that [`Standing::Open`] counts.
    pub fn successors<const DROPS: bool>(&self, mut each: impl FnMut(Placement)) {
        let mut keep = |next: Placement| {
            let next = next.turned();
            let goal = next.kings[1] < 3;
            let taken = next.takers(usize::from(next.kings[1])) != 0
                || REACH[4][usize::from(next.kings[0])] >> next.kings[1] & 1 == 1;
            if !goal && !taken {
                each(next);
            }
        };
        self.moves::<DROPS>(&mut keep);
    }

    /// Every move, as the position after it seen by the side that made it; the other Koropokkuru is not taken.
    pub(super) fn moves<const DROPS: bool>(&self, each: &mut impl FnMut(Placement)) {
        let king = usize::from(self.kings[0]);
        let free = BOARD & !self.own & !(1 << self.kings[0]) & !(1 << self.kings[1]);
        for to in squares(REACH[4][king] & free) {
            let mut next = self.without::<DROPS>(to);
            next.kings[0] = to as u8;
            each(next);
        }
        for (kind, reach) in REACH[..4].iter().enumerate() {
            for from in squares(self.kinds[kind] & self.own) {
                for to in squares(reach[from] & free) {
                    let mut next = self.without::<DROPS>(to);
                    next.kinds[kind] &= !(1 << from);
                    next.own &= !(1 << from);
                    let becomes = if kind == KODAMA && LAST >> to & 1 == 1 { SAMURAI } else { kind };
                    next.kinds[becomes] |= 1 << to;
                    next.own |= 1 << to;
                    each(next);
                }
            }
        }
        if DROPS {
            let empty = free & !self.pieces();
            for kind in 0..3 {
                if self.hands[0][kind] > 0 {
                    for to in squares(empty) {
                        let mut next = *self;
                        next.hands[0][kind] -= 1;
                        next.kinds[kind] |= 1 << to;
                        next.own |= 1 << to;
                        each(next);
                    }
                }
            }
        }
    }

    /// What stands on a square is taken into the own hand; without drops it leaves the game.
    #[inline]
    fn without<const DROPS: bool>(&self, square: usize) -> Self {
        let mut next = *self;
        for kind in 0..4 {
            if self.kinds[kind] >> square & 1 == 1 {
                next.kinds[kind] &= !(1 << square);
                if DROPS {
                    next.hands[0][if kind == SAMURAI { KODAMA } else { kind }] += 1;
                }
            }
        }
        next
    }

    /// Every position from which the own side, which here has just moved, may have come: the moves of [`Placement::successors`]
    /// backwards. Some of them cannot be: there the other Koropokkuru could have been taken, or is too near.
    #[inline]
    pub fn predecessors<const DROPS: bool>(&self, mut each: impl FnMut(&Placement)) {
        let kings: Set = 1 << self.kings[0] | 1 << self.kings[1];
        let empty = BOARD & !self.pieces() & !kings;
        let theirs = self.pieces() & !self.own;
        // Which kinds a move may have taken: of a Kodama in hand nobody knows whether it was a Samurai.
        let has = |kind: usize| {
            if DROPS {
                self.hands[0][kind] > 0
            } else if kind == KODAMA {
                theirs & (self.kinds[KODAMA] | self.kinds[SAMURAI]) == 0
            } else {
                theirs & self.kinds[kind] == 0
            }
        };
        let taken = [has(KITSUNE), has(TANUKI), has(KODAMA), has(KODAMA)];
        // The square is free again, or what was taken stands there again.
        let mut with_taken = |before: Placement, to: usize| {
            each(&before);
            for (kind, _) in taken.iter().enumerate().filter(|(_, taken)| **taken) {
                let mut before = before;
                before.kinds[kind] |= 1 << to;
                if DROPS {
                    before.hands[0][if kind == SAMURAI { KODAMA } else { kind }] -= 1;
                }
                each(&before);
            }
        };
        let king = usize::from(self.kings[0]);
        for from in squares(COMES[4][king] & empty & !LAST) {
            with_taken(Placement { kings: [from as u8, self.kings[1]], ..*self }, king);
        }
        for (kind, comes) in COMES[..4].iter().enumerate() {
            for to in squares(self.kinds[kind] & self.own) {
                let last = LAST >> to & 1 == 1;
                let mut without = *self;
                without.kinds[kind] &= !(1 << to);
                without.own &= !(1 << to);
                let mut back = |kind: usize, origins: Set| {
                    for from in squares(origins & empty) {
                        let mut before = without;
                        before.kinds[kind] |= 1 << from;
                        before.own |= 1 << from;
                        with_taken(before, to);
                    }
                };
                // A Kodama never stays one when it steps to the last row.
                if !(kind == KODAMA && last) {
                    back(kind, comes[to]);
                }
                if kind == SAMURAI && last {
                    back(KODAMA, COMES[KODAMA][to]);
                }
            }
        }
        if DROPS {
            for kind in 0..3 {
                for to in squares(self.kinds[kind] & self.own) {
                    let mut before = *self;
                    before.kinds[kind] &= !(1 << to);
                    before.own &= !(1 << to);
                    before.hands[0][kind] += 1;
                    each(&before);
                }
            }
        }
    }
}
