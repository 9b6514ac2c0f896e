//! The stones on the board: chains, their liberties, and what one more stone does to them.
//!
//! The board lies in a row of cells with one border column, which is right of one row and left of the next, so that
//! the neighbours of a point are always `± 1` and `± stride`. Size 3, the points in brackets:
//!
//! ```text
//!    0   1   2   3          cells    colour in the two top bits (both set on the border), below it the name of the
//!    4 [ 5   6   7]                  chain: the cell of one of its stones. An empty point is a chain of its own.
//!    8 [ 9  10  11]         next     the stones of a chain as a ring
//!   12 [13  14  15]         chains   under the chain's name: sum of its liberties | stones | number of liberties
//!   16  17  18  19  20
//! ```
//!
//! A liberty counts once for every stone it touches ("pseudo-liberties"), so that taking one or giving it back is a
//! single addition to a single word, without a look at the rest of the chain, and so is joining two chains.

use std::num::NonZeroU16;
use tengen_core::{Side, mix};

/// A point of the board, as the number of its cell: it means something only on boards of one size.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(NonZeroU16);

impl Point {
    /// The point in this column (from the left) and this row (from the top), both counted from zero, of a board of
    /// this size; `None` if it is not on the board.
    pub fn new(size: usize, column: usize, row: usize) -> Option<Point> {
        if size > MAX_SIZE || column >= size || row >= size {
            return None;
        }
        Point::from_cell((row + 1) * (size + 1) + column + 1)
    }

    /// The number of its cell: less than `CELLS` of the board, and never 0.
    #[inline]
    pub fn cell(self) -> usize {
        self.0.get().into()
    }

    /// Cell 0 is border on every board, so it stands for "no point".
    #[inline]
    pub(super) fn from_cell(cell: usize) -> Option<Point> {
        NonZeroU16::new(cell as u16).map(Point)
    }
}

impl std::fmt::Debug for Point {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Point({})", self.0)
    }
}

/// The smallest board there is.
pub const MIN_SIZE: usize = 2;
/// The largest board there is.
pub const MAX_SIZE: usize = 25;

pub(super) const BLACK: u16 = 1 << 14;
pub(super) const WHITE: u16 = 1 << 15;
/// Both colours: whoever asks whether all neighbours are his need not ask where the board ends.
pub(super) const BORDER: u16 = BLACK | WHITE;
/// The part of a cell that names its chain.
const NAME: u16 = BLACK - 1;

// The word of a chain. A chain of n stones has at least n − 1 links, each of which takes two of its 4n sides, so it
// has at most 2n + 2 pseudo-liberties, and at most four for each of the 625 − n other points: never more than 834,
// which ten bits hold, as they hold the stones. The sum of the liberties' cells has the last twelve bits and
// overflows, but with up to four liberties (4 · 702 < 4096) it is exact, and only then is it looked at.
const LIBERTIES: u32 = (1 << 10) - 1;
const STONE: u32 = 1 << 10;
const STONES: u32 = LIBERTIES << 10;
const SUM: u32 = 20;

/// What the liberty `cell` adds to the word of a chain that it touches once.
#[inline]
fn liberty(cell: usize) -> u32 {
    1 + ((cell as u32) << SUM)
}

/// A random number for every stone on every cell.
static STONE_KEYS: [[u64; 2]; 703] = {
    let mut keys = [[0; 2]; 703];
    let mut cell = 0;
    while cell < keys.len() {
        keys[cell] = [mix(2 * cell as u64), mix(2 * cell as u64 + 1)];
        cell += 1;
    }
    keys
};

/// The stones on a board whose cells fit into `CELLS`.
#[derive(Clone)]
pub struct Board<const CELLS: usize> {
    cells: [u16; CELLS],
    next: [u16; CELLS],
    /// The border has a word as well (number 0), which means nothing: writing to it is cheaper than asking.
    chains: [u32; CELLS],
    key: u64,
    stones: [u16; 2],
    stride: u16,
}

/// What every Go program asks of a board.
impl<const CELLS: usize> Board<CELLS> {
    /// The sizes that this capacity is for: each size belongs to one capacity.
    pub const SIZES: (usize, usize) = match CELLS {
        111 => (2, 9),
        211 => (10, 13),
        421 => (14, 19),
        703 => (20, 25),
        _ => panic!("boards have 111, 211, 421 or 703 cells"),
    };

    /// The empty board, of a size that fits.
    pub(super) fn new(size: usize) -> Self {
        assert!((Self::SIZES.0..=Self::SIZES.1).contains(&size), "size {size} in {CELLS} cells");
        let mut board = Board {
            cells: [BORDER; CELLS],
            next: [0; CELLS],
            chains: [0; CELLS],
            key: 0,
            stones: [0; 2],
            stride: size as u16 + 1,
        };
        for point in board.points() {
            let cell = point.cell();
            board.cells[cell] = cell as u16;
            board.next[cell] = cell as u16;
            board.chains[cell] = STONE;
        }
        for point in board.points() {
            for near in board.around(point.cell()) {
                let word = &mut board.chains[usize::from(board.cells[near] & NAME)];
                *word = word.wrapping_add(liberty(point.cell()));
            }
        }
        board
    }

    /// How many lines the board has.
    #[inline]
    pub fn size(&self) -> usize {
        usize::from(self.stride) - 1
    }

    /// All points, row by row from the top left.
    pub fn points(&self) -> impl Iterator<Item = Point> + use<CELLS> {
        let size = self.size();
        (0..size * size).filter_map(move |index| Point::new(size, index % size, index / size))
    }

    /// The point in this column (from the left) and row (from the top), counted from zero.
    pub fn point(&self, column: usize, row: usize) -> Option<Point> {
        Point::new(self.size(), column, row)
    }

    /// Column (from the left) and row (from the top) of a point, counted from zero.
    #[inline]
    pub fn coordinates(&self, point: Point) -> (usize, usize) {
        let stride = usize::from(self.stride);
        (point.cell() % stride - 1, point.cell() / stride - 1)
    }

    /// The number of a point, row by row from the top left: `row * size + column`.
    #[inline]
    pub fn index(&self, point: Point) -> usize {
        let (column, row) = self.coordinates(point);
        row * self.size() + column
    }

    /// The colour of the stone on a point.
    #[inline]
    pub fn colour(&self, point: Point) -> Option<Side> {
        match self.cells[point.cell()] & BORDER {
            BLACK => Some(Side::First),
            WHITE => Some(Side::Second),
            _ => None,
        }
    }

    /// How many stones a side has on the board.
    #[inline]
    pub fn stones(&self, side: Side) -> usize {
        self.stones[side.index()].into()
    }

    /// The two to four points beside a point.
    #[inline]
    pub fn neighbours(&self, point: Point) -> impl Iterator<Item = Point> + use<'_, CELLS> {
        self.around(point.cell())
            .into_iter()
            .filter(|&near| self.cells[near] & BORDER != BORDER)
            .filter_map(Point::from_cell)
    }

    /// The name of the chain that the stone on a point belongs to: one of its stones, the same for all of them until
    /// the next move.
    #[inline]
    pub fn chain(&self, point: Point) -> Option<Point> {
        self.colour(point).and_then(|_| Point::from_cell(self.name(point.cell())))
    }

    /// How many stones the chain of this stone has; 0 on an empty point.
    #[inline]
    pub fn chain_size(&self, point: Point) -> usize {
        match self.chain(point) {
            Some(name) => ((self.chains[name.cell()] & STONES) / STONE) as usize,
            None => 0,
        }
    }

    /// The stones of the chain of this stone; none on an empty point.
    pub fn chain_stones(&self, point: Point) -> impl Iterator<Item = Point> + use<'_, CELLS> {
        let first = self.chain(point).map(Point::cell);
        first.into_iter().flat_map(|first| self.ring(first)).filter_map(Point::from_cell)
    }

    /// The liberties of the chain of this stone, each once; none on an empty point.
    pub fn liberties(&self, point: Point) -> impl Iterator<Item = Point> + use<'_, CELLS> {
        let chain = self.cells[point.cell()];
        self.chain_stones(point)
            .flat_map(move |stone| {
                let stone = stone.cell();
                self.around(stone).into_iter().filter(move |&near| {
                    // A liberty beside several stones of the chain belongs to the first of them.
                    let first = || self.around(near).into_iter().find(|&cell| self.cells[cell] == chain);
                    self.is_empty(near) && first() == Some(stone)
                })
            })
            .filter_map(Point::from_cell)
    }

    /// How many liberties the chain of this stone has, each counted once; 0 on an empty point.
    pub fn liberty_count(&self, point: Point) -> usize {
        self.liberties(point).count()
    }

    /// Whether the chain of this stone has a single liberty left, found without walking over it.
    #[inline]
    pub fn is_atari(&self, point: Point) -> bool {
        self.last_liberty(point).is_some()
    }

    /// The liberty of a chain that has just one.
    #[inline]
    pub fn last_liberty(&self, point: Point) -> Option<Point> {
        let chain = self.cells[point.cell()];
        let word = self.chains[self.name(point.cell())];
        let times = word & LIBERTIES;
        if chain & BORDER == 0 || !(1..=4).contains(&times) {
            return None;
        }
        // If all of them are one point it is their mean, and touches the chain that often.
        let cell = ((word >> SUM) / times) as usize;
        let touches = |cell| self.around(cell).into_iter().filter(|&near| self.cells[near] == chain).count();
        (self.is_empty(cell) && touches(cell) == times as usize).then(|| Point::from_cell(cell)).flatten()
    }

    /// The stones that `side` would take by playing on an empty point.
    pub fn captures(&self, point: Point, side: Side) -> impl Iterator<Item = Point> + use<'_, CELLS> {
        let lost = self.strangled(point.cell(), colour(side.other()));
        lost.into_iter().filter(|&name| name != 0).flat_map(|name| self.ring(name)).filter_map(Point::from_cell)
    }

    /// Whether an empty point looks like an eye of `side`: all its neighbours are stones of that side, and at most one
    /// diagonal neighbour is the opponent's, none at the edge.
    #[inline]
    pub fn is_eye_like(&self, point: Point, side: Side) -> bool {
        let (cell, own) = (point.cell(), colour(side));
        self.is_empty(cell) && self.is_walled(self.look_around(cell), own) && self.has_corners(cell, own)
    }

    /// A number for the stones on the board, and for nothing else.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }
}

/// The colour bit of a side.
#[inline]
pub(super) fn colour(side: Side) -> u16 {
    BLACK << side.index()
}

/// What the rules are made of. Cells here are always points of this board.
impl<const CELLS: usize> Board<CELLS> {
    /// The four cells beside a cell.
    #[inline]
    pub(super) fn around(&self, cell: usize) -> [usize; 4] {
        let stride = usize::from(self.stride);
        [cell - stride, cell - 1, cell + 1, cell + stride]
    }

    #[inline]
    pub(super) fn look_around(&self, cell: usize) -> [u16; 4] {
        self.around(cell).map(|near| self.cells[near])
    }

    #[inline]
    fn name(&self, cell: usize) -> usize {
        (self.cells[cell] & NAME).into()
    }

    #[inline]
    pub(super) fn is_empty(&self, cell: usize) -> bool {
        self.cells[cell] & BORDER == 0
    }

    /// Whether an empty point has an empty neighbour: a stone there is sure to have a liberty.
    #[inline]
    pub(super) fn is_open(&self, cell: usize) -> bool {
        self.chains[cell] & LIBERTIES != 0
    }

    /// Whether the neighbours of a point are all of one colour, or border.
    #[inline]
    pub(super) fn is_walled(&self, around: [u16; 4], colour: u16) -> bool {
        around.into_iter().fold(colour, |all, cell| all & cell) != 0
    }

    /// Whether so few diagonal neighbours of a point are the opponent's that the walls around it cannot be cut.
    #[inline]
    pub(super) fn has_corners(&self, cell: usize, own: u16) -> bool {
        let stride = usize::from(self.stride);
        let (mut edge, mut lost) = (0, 0);
        for corner in [cell - stride - 1, cell - stride + 1, cell + stride - 1, cell + stride + 1] {
            let colour = self.cells[corner] & BORDER;
            edge |= u32::from(colour == BORDER);
            lost += u32::from(colour == own ^ BORDER);
        }
        edge + lost < 2
    }

    /// Whether a stone of colour `own` on a point without empty neighbours would have a liberty: by taking something,
    /// or from a chain beside it that has another one. Without a branch, since nobody can foretell the answer.
    #[inline]
    pub(super) fn breathes(&self, around: [u16; 4], own: u16) -> bool {
        let liberties = around.map(|cell| self.chains[usize::from(cell & NAME)] & LIBERTIES);
        let same = |a: usize, b: usize| u32::from(around[a] == around[b]);
        let pairs = [same(0, 1), same(0, 2), same(0, 3), same(1, 2), same(1, 3), same(2, 3)];
        // How often the chain of each neighbour touches the point.
        let touches = [
            1 + pairs[0] + pairs[1] + pairs[2],
            1 + pairs[0] + pairs[3] + pairs[4],
            1 + pairs[1] + pairs[3] + pairs[5],
            1 + pairs[2] + pairs[4] + pairs[5],
        ];
        let mut breathes = false;
        for near in 0..4 {
            let colour = around[near] & BORDER;
            let strangled = liberties[near] == touches[near];
            breathes |= (colour == own) & !strangled | (colour == own ^ BORDER) & strangled;
        }
        breathes
    }

    /// The names of the chains of this colour beside a point that have no other liberty, each once; 0 is none.
    #[inline]
    pub(super) fn strangled(&self, cell: usize, colour: u16) -> [usize; 4] {
        let around = self.look_around(cell);
        let mut names = [0; 4];
        for (near, &chain) in around.iter().enumerate() {
            let name = usize::from(chain & NAME);
            let touches = around.iter().filter(|&&other| other == chain).count();
            let liberties = self.chains[name] & LIBERTIES;
            if chain & BORDER == colour && liberties as usize == touches && !names.contains(&name) {
                names[near] = name;
            }
        }
        names
    }

    /// The cells of a chain, beginning anywhere.
    #[inline]
    pub(super) fn ring(&self, first: usize) -> impl Iterator<Item = usize> + use<'_, CELLS> {
        let following = move |&cell: &usize| Some(usize::from(self.next[cell])).filter(|&next| next != first);
        std::iter::successors(Some(first), following)
    }

    /// The key of one chain, by its name.
    pub(super) fn chain_key(&self, name: usize, side: Side) -> u64 {
        self.ring(name).fold(0, |key, cell| key ^ stone_key(cell, side))
    }

    /// Whether the chain of this stone has a liberty, or none at all.
    #[inline]
    pub(super) fn has_liberty(&self, cell: usize) -> bool {
        self.chains[self.name(cell)] & LIBERTIES != 0
    }

    /// Whether the stone here stands alone with a single liberty, and so can be taken as the stone of a ko.
    #[inline]
    pub(super) fn is_lone_in_atari(&self, cell: usize) -> bool {
        self.chains[self.name(cell)] & (STONES | LIBERTIES) == STONE + 1
    }

    /// A stone without a liberty: only a board that was set up can have one.
    pub(super) fn choked(&self) -> Option<Point> {
        self.points().find(|&point| self.colour(point).is_some() && !self.has_liberty(point.cell()))
    }

    /// Puts a stone on an empty point: its neighbours lose a liberty, chains of its own colour are joined, and
    /// nothing is taken yet. Says whether a chain of the opponent is now without liberties.
    #[inline]
    pub(super) fn put(&mut self, cell: usize, side: Side) -> bool {
        debug_assert!(self.is_empty(cell), "cell {cell} is taken");
        let own = colour(side);
        let around = self.look_around(cell);
        for near in around {
            let word = &mut self.chains[usize::from(near & NAME)];
            *word = word.wrapping_sub(liberty(cell));
        }
        self.key ^= stone_key(cell, side);
        self.stones[side.index()] += 1;

        // The stone joins one chain of its colour, or itself: the word and the ring of an empty point are already
        // those of a lone stone, so that neither case needs a branch.
        let mut name = cell;
        for near in around {
            name = if near & BORDER == own { usize::from(near & NAME) } else { name };
        }
        let chain = own | name as u16;
        self.cells[cell] = chain;
        let added = if name == cell { 0 } else { self.chains[cell] };
        self.chains[name] = self.chains[name].wrapping_add(added);
        self.next[cell] = self.next[name];
        self.next[name] = cell as u16;

        let (mut more, mut takes) = (false, false);
        for near in around {
            more |= (near & BORDER == own) & (near != chain);
            takes |= (near & BORDER == own ^ BORDER) & (self.chains[usize::from(near & NAME)] & LIBERTIES == 0);
        }
        if more {
            for near in self.around(cell) {
                if self.cells[near] & BORDER == own {
                    self.join(self.name(cell), self.name(near));
                }
            }
        }
        takes
    }

    /// Makes two chains one, under the name of the larger.
    #[inline]
    fn join(&mut self, one: usize, other: usize) {
        if one == other {
            return;
        }
        let words = [self.chains[one], self.chains[other]];
        let (large, small) = if words[0] & STONES >= words[1] & STONES { (one, other) } else { (other, one) };
        self.chains[large] = words[0].wrapping_add(words[1]);
        let chain = self.cells[large];
        let mut cell = small;
        loop {
            self.cells[cell] = chain;
            let next = usize::from(self.next[cell]);
            if next == small {
                break;
            }
            cell = next;
        }
        self.next[cell] = self.next[large];
        self.next[large] = small as u16;
    }

    /// Takes the chains of `side` off the board that stand beside a point and have no liberty left; each freed cell is
    /// shown to `freed`. Returns how many stones it were, and one of them.
    #[inline]
    pub(super) fn take(&mut self, cell: usize, side: Side, freed: &mut impl FnMut(usize)) -> (u32, usize) {
        let (mut stones, mut one) = (0, 0);
        for near in self.around(cell) {
            if self.cells[near] & BORDER == colour(side) && !self.has_liberty(near) {
                one = near;
                stones += self.remove(self.name(near), side, freed);
            }
        }
        (stones, one)
    }

    /// Takes a chain off the board, by its name; returns the number of its stones.
    #[inline]
    pub(super) fn remove(&mut self, name: usize, side: Side, freed: &mut impl FnMut(usize)) -> u32 {
        // First all its stones become empty points without a liberty; then each gives itself to its neighbours, among
        // them the others.
        let mut stones = 0;
        let mut cell = name;
        loop {
            self.cells[cell] = cell as u16;
            self.chains[cell] = STONE;
            self.key ^= stone_key(cell, side);
            freed(cell);
            stones += 1;
            cell = self.next[cell].into();
            if cell == name {
                break;
            }
        }
        loop {
            for near in self.look_around(cell) {
                let word = &mut self.chains[usize::from(near & NAME)];
                *word = word.wrapping_add(liberty(cell));
            }
            let next = usize::from(self.next[cell]);
            self.next[cell] = cell as u16;
            cell = next;
            if cell == name {
                break;
            }
        }
        self.stones[side.index()] -= stones as u16;
        stones
    }
}

/// The number of one stone on one cell.
#[inline]
pub(super) fn stone_key(cell: usize, side: Side) -> u64 {
    STONE_KEYS[cell][side.index()]
}
