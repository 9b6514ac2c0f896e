//! The board that playouts are played on: everything they ask for is kept up to date with every stone.
//!
//! A [`Field`] lies in a row of cells with one border column, like the rules' own board, but its rows are always as long
//! as its capacity allows, so that the way to a neighbour is a constant. Three things are kept that the rules do not
//! need: the exact liberties of every chain as a set of bits, the 3x3 surroundings of every point as a number
//! ([`Field::around`]), and which chains stand in atari. Nothing here allocates.
//!
//! ```text
//! around(cell), two bits a neighbour (0 empty, 1 black, 2 white, 3 border), those beside it in the low byte:
//!
//!      bit  8   0  10
//!           2   +   4
//!          12   6  14
//! ```

use tengen_core::{Position, Side, mix};
use tengen_games::go::{Board, Go, Move, Point, Rules};

/// A place on the field. Border places exist; 0 is one of them and stands for "none" and for a pass.
pub type Cell = usize;

/// What stands on a cell.
pub type Colour = u8;
/// No stone.
pub const EMPTY: Colour = 0;
/// A black stone.
pub const BLACK: Colour = 1;
/// A white stone.
pub const WHITE: Colour = 2;
/// Off the board.
pub const BORDER: Colour = 3;

/// The colour of a side's stones.
#[inline]
pub fn colour_of(side: Side) -> Colour {
    side as u8 + 1
}

/// The side whose stones have this colour.
#[inline]
pub fn side_of(colour: Colour) -> Side {
    if colour == BLACK { Side::First } else { Side::Second }
}

/// The colour of the other side.
#[inline]
pub fn opponent(colour: Colour) -> Colour {
    3 - colour
}

/// A set of cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cells<const WORDS: usize>([u64; WORDS]);

impl<const WORDS: usize> Cells<WORDS> {
    /// No cell at all.
    pub const NONE: Self = Cells([0; WORDS]);

    /// Whether the cell is in the set.
    #[inline]
    pub fn has(&self, cell: Cell) -> bool {
        self.0[cell / 64] >> (cell % 64) & 1 != 0
    }

    /// Adds a cell.
    #[inline]
    pub fn add(&mut self, cell: Cell) {
        self.0[cell / 64] |= 1 << (cell % 64);
    }

    /// Takes a cell out.
    #[inline]
    pub fn remove(&mut self, cell: Cell) {
        self.0[cell / 64] &= !(1 << (cell % 64));
    }

    /// Adds all cells of another set.
    #[inline]
    pub fn join(&mut self, other: &Self) {
        for word in 0..WORDS {
            self.0[word] |= other.0[word];
        }
    }

    /// How many cells there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// How many cells are in this set and not in the other.
    #[inline]
    pub fn len_without(&self, other: &Self) -> usize {
        (0..WORDS).map(|word| (self.0[word] & !other.0[word]).count_ones() as usize).sum()
    }

    /// The first cell; 0 if there is none.
    #[inline]
    pub fn first(&self) -> Cell {
        for word in 0..WORDS {
            if self.0[word] != 0 {
                return word * 64 + self.0[word].trailing_zeros() as usize;
            }
        }
        0
    }

    /// All cells, in order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Cell> + use<WORDS> {
        let words = self.0;
        let mut at = 0;
        let mut bits = words[0];
        std::iter::from_fn(move || {
            while bits == 0 {
                at += 1;
                if at >= WORDS {
                    return None;
                }
                bits = words[at];
            }
            let cell = at * 64 + bits.trailing_zeros() as usize;
            bits &= bits - 1;
            Some(cell)
        })
    }
}

/// Random numbers for the stones on the cells, for keys that tell positions apart.
static KEYS: [[u64; 2]; 703] = {
    let mut keys = [[0; 2]; 703];
    let mut cell = 0;
    while cell < keys.len() {
        keys[cell] = [mix(0x60_0000 + 2 * cell as u64), mix(0x60_0001 + 2 * cell as u64)];
        cell += 1;
    }
    keys
};

/// A position in playouts and in the tree.
#[derive(Clone)]
pub struct Field<const CELLS: usize, const WORDS: usize> {
    colours: [Colour; CELLS],
    /// The cell of the stone that names the chain, for every stone.
    chain: [u16; CELLS],
    /// The stones of a chain as a ring.
    next: [u16; CELLS],
    around: [u16; CELLS],
    /// Under the chain's name.
    liberties: [Cells<WORDS>; CELLS],
    liberty_count: [u16; CELLS],
    stone_count: [u16; CELLS],
    /// The empty points in no order, and where in that list each of them is.
    empty: [u16; CELLS],
    place: [u16; CELLS],
    empty_count: u16,
    /// Names of the chains with a single liberty, by colour.
    atari: [Cells<WORDS>; 2],
    stones: [u16; 2],
    prisoners: [u32; 2],
    key: u64,
    ko: u16,
    /// The last move and the one before, 0 for a pass or none.
    last: [u16; 2],
    to_move: Colour,
    passes: u8,
    size: u8,
    suicide: bool,
}

impl<const CELLS: usize, const WORDS: usize> Field<CELLS, WORDS> {
    /// From a cell to the one below it.
    pub const STRIDE: usize = match CELLS {
        111 => 10,
        211 => 14,
        421 => 20,
        703 => 26,
        _ => panic!("boards have 111, 211, 421 or 703 cells"),
    };

    /// The cells beside a cell: above, left, right, below.
    #[inline(always)]
    pub fn beside(cell: Cell) -> [Cell; 4] {
        [cell - Self::STRIDE, cell - 1, cell + 1, cell + Self::STRIDE]
    }

    /// The cells diagonally beside a cell, in the order of [`around`](Field::around).
    #[inline(always)]
    pub fn corners(cell: Cell) -> [Cell; 4] {
        [cell - Self::STRIDE - 1, cell - Self::STRIDE + 1, cell + Self::STRIDE - 1, cell + Self::STRIDE + 1]
    }

    /// All eight neighbours.
    #[inline(always)]
    pub fn ring_of(cell: Cell) -> [Cell; 8] {
        let [n, w, e, s] = Self::beside(cell);
        let [nw, ne, sw, se] = Self::corners(cell);
        [n, w, e, s, nw, ne, sw, se]
    }

    /// The empty field of a size that fits the capacity.
    pub fn new(size: usize, suicide: bool) -> Self {
        debug_assert!(size < Self::STRIDE);
        let mut field = Field {
            colours: [BORDER; CELLS],
            chain: [0; CELLS],
            next: [0; CELLS],
            around: [0; CELLS],
            liberties: [Cells::NONE; CELLS],
            liberty_count: [0; CELLS],
            stone_count: [0; CELLS],
            empty: [0; CELLS],
            place: [0; CELLS],
            empty_count: 0,
            atari: [Cells::NONE; 2],
            stones: [0; 2],
            prisoners: [0; 2],
            key: 0,
            ko: 0,
            last: [0; 2],
            to_move: BLACK,
            passes: 0,
            size: size as u8,
            suicide,
        };
        for row in 0..size {
            for column in 0..size {
                let cell = Self::cell_at(column, row);
                field.colours[cell] = EMPTY;
                field.place[cell] = field.empty_count;
                field.empty[usize::from(field.empty_count)] = cell as u16;
                field.empty_count += 1;
            }
        }
        for at in 0..field.empty_count {
            let cell = usize::from(field.empty[usize::from(at)]);
            for (direction, near) in Self::ring_of(cell).into_iter().enumerate() {
                if field.colours[near] == BORDER {
                    field.around[cell] |= 3 << (2 * direction);
                }
            }
        }
        field
    }

    /// The position of the rules as a field.
    pub fn of(go: &Go<CELLS>) -> Self {
        let board = go.board();
        let mut field = Field::new(go.size(), go.rules().allows_suicide());
        for point in board.points() {
            if let Some(side) = board.colour(point) {
                field.to_move = colour_of(side);
                field.put(Self::cell_of(board, point));
            }
        }
        field.to_move = colour_of(go.to_move());
        field.ko = go.ko().map_or(0, |point| Self::cell_of(board, point) as u16);
        field.passes = go.passes() as u8;
        field.prisoners = Side::BOTH.map(|side| go.prisoners(side) as u32);
        field.last = [0; 2];
        if let Some(Move::At(point)) = go.last_move() {
            field.last[0] = Self::cell_of(board, point) as u16;
        }
        field
    }

    /// The cell in this column and row, counted from zero at the top left.
    #[inline]
    pub fn cell_at(column: usize, row: usize) -> Cell {
        (row + 1) * Self::STRIDE + column + 1
    }

    /// The cell of a point of the rules' board.
    #[inline]
    pub fn cell_of(board: &Board<CELLS>, point: Point) -> Cell {
        let (column, row) = board.coordinates(point);
        Self::cell_at(column, row)
    }

    /// Column and row of a point of this field.
    #[inline]
    pub fn coordinates(cell: Cell) -> (usize, usize) {
        (cell % Self::STRIDE - 1, cell / Self::STRIDE - 1)
    }

    /// A move of the rules as a cell, 0 for a pass.
    pub fn cell_of_move(board: &Board<CELLS>, mv: Move) -> Cell {
        match mv {
            Move::Pass => 0,
            Move::At(point) => Self::cell_of(board, point),
        }
    }

    /// A cell as a move of the rules.
    pub fn move_of(&self, cell: Cell) -> Move {
        if cell == 0 {
            return Move::Pass;
        }
        let (column, row) = Self::coordinates(cell);
        Point::new(self.size(), column, row).map_or(Move::Pass, Move::At)
    }

    /// How many lines the board has.
    #[inline]
    pub fn size(&self) -> usize {
        self.size.into()
    }

    /// What stands on a cell.
    #[inline(always)]
    pub fn colour(&self, cell: Cell) -> Colour {
        self.colours[cell]
    }

    /// The surroundings of a cell: see the top of this file.
    #[inline(always)]
    pub fn around(&self, cell: Cell) -> u16 {
        self.around[cell]
    }

    /// The name of the chain of a stone.
    #[inline(always)]
    pub fn chain(&self, cell: Cell) -> Cell {
        self.chain[cell].into()
    }

    /// How many liberties the chain of a stone has.
    #[inline(always)]
    pub fn liberty_count(&self, stone: Cell) -> usize {
        self.liberty_count[self.chain(stone)].into()
    }

    /// The liberties of the chain of a stone.
    #[inline(always)]
    pub fn liberties(&self, stone: Cell) -> &Cells<WORDS> {
        &self.liberties[self.chain(stone)]
    }

    /// How many stones the chain of a stone has.
    #[inline(always)]
    pub fn chain_size(&self, stone: Cell) -> usize {
        self.stone_count[self.chain(stone)].into()
    }

    /// The stones of the chain of a stone.
    #[inline]
    pub fn chain_stones(&self, stone: Cell) -> impl Iterator<Item = Cell> + use<'_, CELLS, WORDS> {
        let following = move |&cell: &Cell| Some(usize::from(self.next[cell])).filter(|&next| next != stone);
        std::iter::successors(Some(stone), following)
    }

    /// The names of the chains of a colour that have a single liberty.
    #[inline]
    pub fn in_atari(&self, colour: Colour) -> &Cells<WORDS> {
        &self.atari[usize::from(colour) - 1]
    }

    /// How many points are empty.
    #[inline]
    pub fn empty_count(&self) -> usize {
        self.empty_count.into()
    }

    /// One of the empty points, by its place in the list.
    #[inline]
    pub fn empty_at(&self, index: usize) -> Cell {
        self.empty[index].into()
    }

    /// The empty points, in the order that the moves so far have left.
    #[inline]
    pub fn empty_points(&self) -> &[u16] {
        &self.empty[..usize::from(self.empty_count)]
    }

    /// The side to move.
    #[inline]
    pub fn to_move(&self) -> Colour {
        self.to_move
    }

    /// Where a stone may not be taken back at once; 0 if nowhere.
    #[inline]
    pub fn ko(&self) -> Cell {
        self.ko.into()
    }

    /// The last move, 0 for a pass or none.
    #[inline]
    pub fn last(&self) -> Cell {
        self.last[0].into()
    }

    /// The move before the last one.
    #[inline]
    pub fn last_but_one(&self) -> Cell {
        self.last[1].into()
    }

    /// Says what the move before the last one was, which a single position does not know.
    pub fn set_last_but_one(&mut self, cell: Cell) {
        self.last[1] = cell as u16;
    }

    /// Passes in a row.
    #[inline]
    pub fn passes(&self) -> usize {
        self.passes.into()
    }

    /// Goes on after the end, as if nobody had passed.
    #[inline]
    pub fn resume(&mut self) {
        self.passes = 0;
    }

    /// How many stones of a colour there are.
    #[inline]
    pub fn stones(&self, colour: Colour) -> usize {
        self.stones[usize::from(colour) - 1].into()
    }

    /// How many more moves Black has made than White, as far as stones and prisoners tell.
    #[inline]
    pub fn moves_ahead(&self) -> i32 {
        i32::from(self.stones[0]) + self.prisoners[1] as i32 - i32::from(self.stones[1]) - self.prisoners[0] as i32
    }

    /// A number for the stones on the field, and for nothing else.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The key of the stones on a board of the rules.
    pub fn key_of(board: &Board<CELLS>) -> u64 {
        board.points().fold(0, |key, point| match board.colour(point) {
            None => key,
            Some(side) => key ^ KEYS[Self::cell_of(board, point)][side.index()],
        })
    }

    /// Whether the side to move may play on an empty cell, ko included, superko not.
    #[inline]
    pub fn is_legal(&self, cell: Cell) -> bool {
        cell != usize::from(self.ko) && self.breathes(cell, self.to_move)
    }

    /// Whether a stone of this colour on an empty cell would have a liberty (or the rules let it do without).
    #[inline]
    pub fn breathes(&self, cell: Cell, own: Colour) -> bool {
        if OPEN[usize::from(self.around[cell] & 255)] > 0 {
            return true;
        }
        let mut joins = false;
        for near in Self::beside(cell) {
            let colour = self.colours[near];
            if colour == own {
                if self.liberty_count(near) > 1 {
                    return true;
                }
                joins = true;
            } else if colour == opponent(own) && self.liberty_count(near) == 1 {
                return true;
            }
        }
        self.suicide && joins
    }

    /// Whether a move of this colour on an empty cell would take something.
    #[inline]
    pub fn takes(&self, cell: Cell, own: Colour) -> bool {
        Self::beside(cell).into_iter().any(|near| self.colours[near] == opponent(own) && self.liberty_count(near) == 1)
    }

    /// Passes.
    #[inline]
    pub fn pass(&mut self) {
        self.ko = 0;
        self.passes += 1;
        self.to_move = opponent(self.to_move);
        self.last = [0, self.last[0]];
    }

    /// Plays a legal move of the side to move; cell 0 passes.
    #[inline]
    pub fn play(&mut self, cell: Cell) {
        if cell == 0 {
            return self.pass();
        }
        debug_assert!(self.colours[cell] == EMPTY && self.is_legal(cell), "cell {cell}");
        self.put(cell);
        self.passes = 0;
        self.to_move = opponent(self.to_move);
        self.last = [cell as u16, self.last[0]];
    }

    /// Puts a stone of the side to move on an empty cell and takes what has no liberty then.
    #[inline]
    fn put(&mut self, cell: Cell) {
        let own = self.to_move;
        let other = opponent(own);
        // Step 1. The stone, alone.
        let at = usize::from(self.place[cell]);
        self.empty_count -= 1;
        let moved = self.empty[usize::from(self.empty_count)];
        self.empty[at] = moved;
        self.place[usize::from(moved)] = at as u16;
        self.flip(cell, own);
        self.ko = 0;
        self.chain[cell] = cell as u16;
        self.next[cell] = cell as u16;
        self.stone_count[cell] = 1;
        let mut liberties = Cells::NONE;
        let mut chains = [0; 4];
        for (index, near) in Self::beside(cell).into_iter().enumerate() {
            match self.colours[near] {
                EMPTY => liberties.add(near),
                BORDER => {}
                _ => chains[index] = self.chain(near),
            }
        }
        self.liberties[cell] = liberties;
        let count = liberties.len() as u16;
        self.liberty_count[cell] = count;
        if count == 1 {
            self.atari[usize::from(own) - 1].add(cell);
        }

        // Step 2. Chains beside it lose a liberty; its own it joins.
        let mut dying = [0; 4];
        for index in 0..4 {
            let name = chains[index];
            if name == 0 || !self.liberties[name].has(cell) {
                continue;
            }
            self.liberties[name].remove(cell);
            let left = self.liberty_count[name] - 1;
            self.liberty_count[name] = left;
            let colour = self.colours[name];
            if left <= 1 {
                let atari = &mut self.atari[usize::from(colour) - 1];
                if left == 1 {
                    atari.add(name);
                } else {
                    atari.remove(name);
                    if colour == other {
                        dying[index] = name;
                    }
                }
            }
            if colour == own {
                self.join(name, self.chain(cell));
            }
        }

        // Step 3. What has no liberty left goes.
        let mut taken = 0;
        let mut single = 0;
        for name in dying {
            if name != 0 {
                taken += self.stone_count[name];
                single = name;
                self.lift(name, other);
            }
        }
        self.prisoners[usize::from(own) - 1] += u32::from(taken);
        if taken == 1 && self.stone_count[cell] == 1 && self.chain(cell) == cell && self.liberty_count[cell] == 1 {
            self.ko = single as u16;
        } else if self.suicide && self.liberty_count(cell) == 0 {
            let name = self.chain(cell);
            self.prisoners[usize::from(other) - 1] += u32::from(self.stone_count[name]);
            self.lift(name, own);
        }
    }

    /// A stone comes or goes: what is written about the cell itself and its eight neighbours.
    #[inline]
    fn flip(&mut self, cell: Cell, colour: Colour) {
        self.key ^= KEYS[cell][usize::from(colour) - 1];
        let was = self.colours[cell];
        self.colours[cell] = was ^ colour;
        if was == EMPTY {
            self.stones[usize::from(colour) - 1] += 1;
        } else {
            self.stones[usize::from(colour) - 1] -= 1;
        }
        // Seen from the neighbour above, the cell is below it, and so on.
        let bits = u16::from(colour);
        let [n, w, e, s] = Self::beside(cell);
        self.around[n] ^= bits << 6;
        self.around[w] ^= bits << 4;
        self.around[e] ^= bits << 2;
        self.around[s] ^= bits;
        let [nw, ne, sw, se] = Self::corners(cell);
        self.around[nw] ^= bits << 14;
        self.around[ne] ^= bits << 12;
        self.around[sw] ^= bits << 10;
        self.around[se] ^= bits << 8;
    }

    /// Makes two chains of a colour one; their liberties are up to date.
    #[inline]
    fn join(&mut self, a: Cell, b: Cell) {
        let (to, from) = if self.stone_count[a] >= self.stone_count[b] { (a, b) } else { (b, a) };
        let mut cell = from;
        loop {
            self.chain[cell] = to as u16;
            cell = self.next[cell].into();
            if cell == from {
                break;
            }
        }
        self.next.swap(to, from);
        self.stone_count[to] += self.stone_count[from];
        let added = self.liberties[from];
        self.liberties[to].join(&added);
        let atari = &mut self.atari[usize::from(self.colours[to]) - 1];
        if self.liberty_count[from] == 1 {
            atari.remove(from);
        }
        let count = self.liberties[to].len() as u16;
        if count == 1 {
            atari.add(to);
        } else if self.liberty_count[to] == 1 {
            atari.remove(to);
        }
        self.liberty_count[to] = count;
    }

    /// Takes a chain without liberties off the field.
    fn lift(&mut self, name: Cell, colour: Colour) {
        let mut cell = name;
        loop {
            let next = usize::from(self.next[cell]);
            self.flip(cell, colour);
            let at = self.empty_count;
            self.empty[usize::from(at)] = cell as u16;
            self.place[cell] = at;
            self.empty_count += 1;
            for near in Self::beside(cell) {
                if self.colours[near] == opponent(colour) {
                    let chain = self.chain(near);
                    if !self.liberties[chain].has(cell) {
                        self.liberties[chain].add(cell);
                        let count = self.liberty_count[chain] + 1;
                        self.liberty_count[chain] = count;
                        let atari = &mut self.atari[usize::from(opponent(colour)) - 1];
                        if count == 1 {
                            atari.add(chain);
                        } else if count == 2 {
                            atari.remove(chain);
                        }
                    }
                }
            }
            cell = next;
            if cell == name {
                break;
            }
        }
    }

    /// The stones of both sides and the empty points that only one of them reaches: Black's lead in points on the
    /// board, all stones taken as alive. Shows whose each point is (1 Black's, −1 White's, 0 nobody's).
    pub fn area(&self, mut owner: impl FnMut(Cell, i32)) -> i32 {
        let mut lead = 0;
        let mut region = [0u16; CELLS];
        let mut seen: Cells<WORDS> = Cells::NONE;
        for row in 0..self.size() {
            for column in 0..self.size() {
                let start = Self::cell_at(column, row);
                match self.colours[start] {
                    BLACK => {
                        lead += 1;
                        owner(start, 1);
                    }
                    WHITE => {
                        lead -= 1;
                        owner(start, -1);
                    }
                    _ if !seen.has(start) => {
                        seen.add(start);
                        region[0] = start as u16;
                        let (mut count, mut at, mut beside) = (1, 0, 0);
                        while at < count {
                            for near in Self::beside(region[at].into()) {
                                match self.colours[near] {
                                    EMPTY if !seen.has(near) => {
                                        seen.add(near);
                                        region[count] = near as u16;
                                        count += 1;
                                    }
                                    EMPTY | BORDER => {}
                                    colour => beside |= colour,
                                }
                            }
                            at += 1;
                        }
                        let whose = i32::from(beside == BLACK) - i32::from(beside == WHITE);
                        lead += whose * count as i32;
                        region[..count].iter().for_each(|&cell| owner(cell.into(), whose));
                    }
                    _ => {}
                }
            }
        }
        lead
    }

    /// [`area`](Field::area) where no empty point has an empty neighbour, or where it does not matter whose those are.
    #[inline]
    pub fn settled_area(&self) -> i32 {
        let territory: i32 = self.empty_points().iter().map(|&cell| self.settled_owner(cell.into())).sum();
        territory + i32::from(self.stones[0]) - i32::from(self.stones[1])
    }

    /// Whose a point is by its stone or by what stands beside it: 1 Black's, −1 White's, 0 nobody's.
    #[inline]
    pub fn settled_owner(&self, cell: Cell) -> i32 {
        match self.colours[cell] {
            BLACK => 1,
            WHITE => -1,
            _ => WALL[usize::from(self.around[cell] & 255)].into(),
        }
    }

    /// Whether an empty point is an eye of this colour: walls on all sides, and so few corners lost that they hold.
    #[inline]
    pub fn is_eye(&self, cell: Cell, own: Colour) -> bool {
        let around = self.around[cell];
        let whose = WALL[usize::from(around & 255)];
        if whose != if own == BLACK { 1 } else { -1 } {
            return false;
        }
        let corners = usize::from(around >> 8);
        let lost = if own == BLACK { WHITES[corners] } else { BLACKS[corners] };
        lost + u8::from(BORDERS[corners] > 0) < 2
    }

    /// Whether all eight neighbours are empty and on the board.
    #[inline]
    pub fn is_far_from_all(&self, cell: Cell) -> bool {
        self.around[cell] == 0
    }

    /// Which line a point is on, counted from 1 at the edge.
    #[inline]
    pub fn line(&self, cell: Cell) -> usize {
        let (column, row) = Self::coordinates(cell);
        let far = self.size() - 1;
        1 + column.min(row).min(far - column).min(far - row)
    }

    /// Whether the rules allow suicide of several stones.
    pub fn allows_suicide(&self) -> bool {
        self.suicide
    }

    /// The rules' own view of what repeats: the stones, and whose turn it is where that counts.
    pub fn repetition_key(key: u64, to_move: Colour, rules: Rules) -> u64 {
        if rules.repetition_has_sides() && to_move == WHITE { mix(key) } else { key }
    }

    /// The key of the stones after a legal move of the side to move, without playing it.
    pub fn key_after(&self, cell: Cell) -> u64 {
        let own = self.to_move;
        let mut key = self.key ^ KEYS[cell][usize::from(own) - 1];
        let mut lifted = [0; 4];
        for (index, near) in Self::beside(cell).into_iter().enumerate() {
            if self.colours[near] == opponent(own)
                && self.liberty_count(near) == 1
                && !lifted.contains(&self.chain(near))
            {
                lifted[index] = self.chain(near);
                for stone in self.chain_stones(near) {
                    key ^= KEYS[stone][usize::from(opponent(own)) - 1];
                }
            }
        }
        key
    }
}

const fn count_pairs(colour: u8) -> [u8; 256] {
    let mut counts = [0; 256];
    let mut code = 0;
    while code < 256 {
        let mut pair = 0;
        while pair < 4 {
            if (code >> (2 * pair)) & 3 == colour as usize {
                counts[code] += 1;
            }
            pair += 1;
        }
        code += 1;
    }
    counts
}

/// How many of four neighbours are empty, black, white, border.
pub static OPEN: [u8; 256] = count_pairs(EMPTY);
/// How many of four neighbours are black.
pub static BLACKS: [u8; 256] = count_pairs(BLACK);
/// How many of four neighbours are white.
pub static WHITES: [u8; 256] = count_pairs(WHITE);
/// How many of four neighbours are border.
pub static BORDERS: [u8; 256] = count_pairs(BORDER);

/// 1 if all neighbours are black or border, −1 if all are white or border, else 0.
static WALL: [i8; 256] = {
    let mut wall = [0; 256];
    let mut code = 0;
    while code < 256 {
        let black = BLACKS[code] + BORDERS[code] == 4 && BLACKS[code] > 0;
        let white = WHITES[code] + BORDERS[code] == 4 && WHITES[code] > 0;
        wall[code] = black as i8 - white as i8;
        code += 1;
    }
    wall
};
