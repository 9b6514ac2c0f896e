//! Positions numbered without gaps.
//!
//! With drops there are 21 ways for the two Koropokkuru to stand, and for each of them 11 878 227 ways for the other six
//! pieces to be on the ten free squares or in a hand: 249 442 767 positions. Positions that are over or in which the Koropokkuru stand
//! side by side have no number. Left and right are exchanged so that a position and its mirror image have the same number, but for the
//! three ways in which both Koropokkuru stand on the middle column: there each has its own.

use super::placement::{Placement, Set, Standing, squares};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// How a position and its mirror image share a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fold {
    /// The number belongs to this position alone.
    Alone,
    /// They share it, and this is the one it stands for.
    Itself,
    /// They share it, and the mirror image is the one it stands for.
    Mirrored,
}

/// A set of positions, each with a number. Where nobody can win at once, every move leads to a position of the set, or to one that is
/// lost at once for the side that moved.
pub trait Space: Sync {
    /// Whether taken pieces come back.
    const DROPS: bool;

    /// How many numbers there are.
    fn size(&self) -> usize;

    /// The position of a number.
    fn position(&self, number: usize) -> Placement;

    /// Which of a position and its mirror image its number stands for, if it has one.
    fn fold(&self, position: &Placement) -> Fold;

    /// The number of a position, which may be that of its mirror image, too. All pieces are there.
    fn number(&self, position: &Placement) -> Option<usize>;
}

/// All positions of the game with drops.
#[derive(Clone, Copy, Default, Debug)]
pub struct All;

/// Ways for six pieces to be on ten squares or in hands.
const PER_KINGS: usize = 11_878_227;

/// Ways for the two Koropokkuru to stand.
const KINGS: usize = 21;

/// For the squares of both Koropokkuru: which of the 21 ways it is, and whether through the mirror.
static WAYS: Ways = ways().0;
static SQUARES_OF_WAYS: [[u8; 2]; KINGS] = ways().1;

type Ways = [[Option<(u8, Fold)>; 12]; 12];

const fn ways() -> (Ways, [[u8; 2]; KINGS]) {
    let mut ways = [[None; 12]; 12];
    let mut squares = [[0; 2]; KINGS];
    let mut count = 0;
    let mut own = 0;
    while own < 9 {
        let mut theirs = 3;
        while theirs < 12 {
            let (columns, rows) = (own as i8 % 3 - theirs as i8 % 3, own as i8 / 3 - theirs as i8 / 3);
            let apart = columns > 1 || columns < -1 || rows > 1 || rows < -1;
            if apart && ways[own][theirs].is_none() {
                let (own_mirrored, theirs_mirrored) = (own / 3 * 3 + 2 - own % 3, theirs / 3 * 3 + 2 - theirs % 3);
                if own == own_mirrored && theirs == theirs_mirrored {
                    ways[own][theirs] = Some((count as u8, Fold::Alone));
                } else {
                    ways[own][theirs] = Some((count as u8, Fold::Itself));
                    ways[own_mirrored][theirs_mirrored] = Some((count as u8, Fold::Mirrored));
                }
                squares[count] = [own as u8, theirs as u8];
                count += 1;
            }
            theirs += 1;
        }
        own += 1;
    }
    assert!(count == KINGS);
    (ways, squares)
}

/// How many pieces of two are on the board, and in how many ways: with `n` free squares and `faces` ways for a piece to
/// stand on a square (owner, and promoted or not), none on the board leaves three ways to share two pieces between the hands, and so on.
const fn blocks(n: usize, faces: usize) -> [usize; 3] {
    [3, n * faces * 2, n * (n - 1) / 2 * faces * faces]
}

const fn total(blocks: [usize; 3]) -> usize {
    blocks[0] + blocks[1] + blocks[2]
}

/// Ways of the Kodama on so many free squares.
const KODAMA: [usize; 11] = {
    let mut table = [0; 11];
    let mut n = 6;
    while n <= 10 {
        table[n] = total(blocks(n, 4));
        n += 1;
    }
    table
};

/// Ways of Tanuki and Kodama together, by the number of Kitsune on the board.
const BELOW_KITSUNE: [usize; 3] = {
    let mut table = [0; 3];
    let mut kitsune = 0;
    while kitsune < 3 {
        let n = 10 - kitsune;
        let [none, one, two] = blocks(n, 2);
        table[kitsune] = none * KODAMA[n] + one * KODAMA[n - 1] + two * KODAMA[n - 2];
        kitsune += 1;
    }
    let [none, one, two] = blocks(10, 2);
    assert!(none * table[0] + one * table[1] + two * table[2] == PER_KINGS);
    table
};

/// Where two pieces of a kind are: how many on the board, and which of the ways with that many it is. `face` gives each
/// square's, `order` counts the free squares before one.
#[inline(always)]
fn rank(set: Set, in_own_hand: u8, faces: usize, face: impl Fn(usize) -> usize, free: Set) -> (usize, usize) {
    let order = |square: usize| (free & ((1 << square) - 1)).count_ones() as usize;
    if set == 0 {
        return (0, usize::from(in_own_hand));
    }
    let first = set.trailing_zeros() as usize;
    let rest = set & (set - 1);
    if rest == 0 {
        return (1, (order(first) * faces + face(first)) * 2 + usize::from(in_own_hand));
    }
    let second = rest.trailing_zeros() as usize;
    let (low, high) = (order(first), order(second));
    (2, ((high * (high - 1) / 2 + low) * faces + face(first)) * faces + face(second))
}

/// The way back: the squares with their faces, and what is in the own hand.
#[inline]
fn unrank(count: usize, way: usize, faces: usize, free: Set) -> ([(usize, usize); 2], u8) {
    let square = |order: usize| squares(free).nth(order).unwrap_or(0);
    match count {
        0 => ([(0, 0); 2], way as u8),
        1 => ([(square(way / 2 / faces), way / 2 % faces), (0, 0)], (way % 2) as u8),
        _ => {
            let pair = way / (faces * faces);
            // The squares of a pair are below ten: the largest that fits is found at once.
            let high = (1..10).take_while(|high| high * (high - 1) / 2 <= pair).last().unwrap_or(1);
            let low = pair - high * (high - 1) / 2;
            ([(square(low), way / faces % faces), (square(high), way % faces)], 0)
        }
    }
}

/// Cuts a number into the block that it is in and its place there; `each` ways of a block hold so many numbers.
#[inline]
fn cut(mut number: usize, ways: [usize; 3], each: [usize; 3]) -> (usize, usize, usize) {
    for count in 0..2 {
        let block = ways[count] * each[count];
        if number < block {
            return (count, number / each[count], number % each[count]);
        }
        number -= block;
    }
    (2, number / each[2], number % each[2])
}

impl All {
    /// The number of a position that is not to be mirrored, given the way of its Koropokkuru.
    #[inline(always)]
    fn rank(way: u8, position: &Placement) -> usize {
        const BOARD: Set = 0xfff;
        let owner = |square: usize| usize::from(position.own >> square & 1);
        let [kitsune, tanuki, kodama, samurai] = position.kinds;
        let free = BOARD & !(1 << position.kings[0] | 1 << position.kings[1]);
        let mut number = usize::from(way) * PER_KINGS;

        const TWO: [usize; 3] = blocks(10, 2);
        let (on_board, place) = rank(kitsune, position.hands[0][0], 2, owner, free);
        number += [0, TWO[0] * BELOW_KITSUNE[0], TWO[0] * BELOW_KITSUNE[0] + TWO[1] * BELOW_KITSUNE[1]][on_board];
        number += place * BELOW_KITSUNE[on_board];

        let free = free & !kitsune;
        let left = 10 - on_board;
        let (on_board, place) = rank(tanuki, position.hands[0][1], 2, owner, free);
        let [none, one, _] = blocks(left, 2);
        number += [0, none * KODAMA[left], none * KODAMA[left] + one * KODAMA[left - 1]][on_board];
        let left = left - on_board;
        number += place * KODAMA[left];

        let free = free & !tanuki;
        let face = |square: usize| owner(square) | usize::from(samurai >> square & 1) << 1;
        let (on_board, place) = rank(kodama | samurai, position.hands[0][2], 4, face, free);
        let [none, one, _] = blocks(left, 4);
        number + [0, none, none + one][on_board] + place
    }
}

impl Space for All {
    const DROPS: bool = true;

    fn size(&self) -> usize {
        KINGS * PER_KINGS
    }

    #[inline]
    fn position(&self, number: usize) -> Placement {
        let kings = SQUARES_OF_WAYS[number / PER_KINGS];
        let mut free: Set = 0xfff & !(1 << kings[0] | 1 << kings[1]);
        let mut position = Placement { kings, own: 0, kinds: [0; 4], hands: [[0; 3]; 2] };

        let (kitsune, place, number) = cut(number % PER_KINGS, blocks(10, 2), BELOW_KITSUNE);
        let left = 10 - kitsune;
        let (tanuki, tanuki_place, number) =
            cut(number, blocks(left, 2), [KODAMA[left], KODAMA[left - 1], KODAMA[left - 2]]);
        let left = left - tanuki;
        let (kodama, kodama_place, _) = cut(number, blocks(left, 4), [1, 1, 1]);

        for (kind, on_board, place, faces) in
            [(0, kitsune, place, 2), (1, tanuki, tanuki_place, 2), (2, kodama, kodama_place, 4)]
        {
            let (pieces, in_own_hand) = unrank(on_board, place, faces, free);
            for &(square, face) in &pieces[..on_board] {
                position.kinds[kind + face / 2] |= 1 << square;
                position.own |= ((face & 1) as Set) << square;
                free &= !(1 << square);
            }
            position.hands[0][kind] = in_own_hand;
            position.hands[1][kind] = 2 - on_board as u8 - in_own_hand;
        }
        position
    }

    #[inline]
    fn fold(&self, position: &Placement) -> Fold {
        let way = WAYS[usize::from(position.kings[0])][usize::from(position.kings[1])];
        way.map_or(Fold::Alone, |(_, fold)| fold)
    }

    #[inline]
    fn number(&self, position: &Placement) -> Option<usize> {
        let (way, fold) = WAYS[usize::from(position.kings[0])][usize::from(position.kings[1])]?;
        Some(match fold {
            Fold::Mirrored => Self::rank(way, &position.mirrored()),
            _ => Self::rank(way, position),
        })
    }
}

/// The positions of the game without drops that can come up when whoever can win at once does: a list, so few are they. A position and
/// its mirror image have one number.
#[derive(Clone, Debug)]
pub struct WithoutDrops {
    positions: Vec<Placement>,
    numbers: HashMap<Placement, u32>,
}

impl WithoutDrops {
    /// All that can come up from the start.
    pub fn new() -> Self {
        let mut list = WithoutDrops { positions: Vec::new(), numbers: HashMap::new() };
        list.add(Placement::start());
        let mut next = 0;
        while next < list.positions.len() {
            let position = list.positions[next];
            if let Standing::Open(_) = position.standing::<false>() {
                position.moves::<false>(&mut |after| list.add(after.turned()));
            }
            next += 1;
        }
        list
    }

    fn add(&mut self, position: Placement) {
        let position = position.min(position.mirrored());
        let number = self.positions.len() as u32;
        if let Entry::Vacant(place) = self.numbers.entry(position) {
            place.insert(number);
            self.positions.push(position);
        }
    }
}

impl Default for WithoutDrops {
    fn default() -> Self {
        Self::new()
    }
}

impl Space for WithoutDrops {
    const DROPS: bool = false;

    fn size(&self) -> usize {
        self.positions.len()
    }

    fn position(&self, number: usize) -> Placement {
        self.positions[number]
    }

    fn fold(&self, position: &Placement) -> Fold {
        match position.cmp(&position.mirrored()) {
            Ordering::Less => Fold::Itself,
            Ordering::Equal => Fold::Alone,
            Ordering::Greater => Fold::Mirrored,
        }
    }

    fn number(&self, position: &Placement) -> Option<usize> {
        self.numbers.get(&(*position).min(position.mirrored())).map(|&number| number as usize)
    }
}
