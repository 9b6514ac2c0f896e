//! What can be seen of a move: numbers of features, for the learnt policy and for the bonuses by hand.
//!
//! A [`View`] looks at a position once (chains in danger, ladders, distances) and then tells of each move which features it has. The learnt
//! policy gives each feature a weight; the probability of a move is the exponential of its sum, as a share of all.

use crate::field::{BORDER, Cell, Cells, Colour, EMPTY, Field, opponent};
use crate::patterns::TURNS;
use std::sync::LazyLock;
use tengen_core::mix;

/// Takes a single stone.
pub const TAKES_ONE: u16 = 1;
/// Takes several stones.
pub const TAKES_MANY: u16 = 1 << 1;
/// Takes stones that have own stones in atari.
pub const TAKES_SAVING: u16 = 1 << 2;
/// Takes the last stone played.
pub const TAKES_LAST: u16 = 1 << 3;
/// Runs from atari.
pub const RUNS: u16 = 1 << 4;
/// Runs from atari in vain.
pub const RUNS_IN_VAIN: u16 = 1 << 5;
/// Gives atari.
pub const ATARI: u16 = 1 << 6;
/// Gives atari, and the chain cannot get away.
pub const CATCHES: u16 = 1 << 7;
/// Gives more room to a chain with two liberties.
pub const ROOM: u16 = 1 << 8;
/// Gives atari to the last stone played.
pub const ATARI_LAST: u16 = 1 << 9;
/// Takes a liberty from an opponent's chain with three.
pub const PRESSES: u16 = 1 << 10;
/// How many of these there are.
const FLAGS: usize = 11;

/// Moves of a ladder that are looked at before it is taken as broken.
const LADDER_BUDGET: u32 = 60;

/// The farthest step on the common fate graph that is told from others.
const FAR: u8 = 4;

// Where each kind of feature begins.
const SMALL_PATTERNS: usize = 1 << 15;
const LARGE_PATTERNS: usize = 1 << 17;
const LARGE: usize = SMALL_PATTERNS;
const FLAG: usize = LARGE + LARGE_PATTERNS;
const SELF_ATARI: usize = FLAG + FLAGS;
const GRID: usize = SELF_ATARI + 4;
const GRID_SECOND: usize = GRID + 20;
const STEPS: usize = GRID_SECOND + 20;
const LINE: usize = STEPS + 6;
const PASS: usize = LINE + 36;
const WIDE: usize = PASS + 8;
const WIDE_PATTERNS: usize = 1 << 18;
/// How many features there are.
pub const FEATURES: usize = WIDE + (REACHES.len() + 1) * WIDE_PATTERNS;

/// From this size of the board on, the wide patterns are looked at: a small board is one fight, which the small ones tell of.
pub const WIDE_FROM: usize = 12;
/// How many points around a move the wide patterns hold, the nearest first.
const REACHES: [usize; 3] = [20, 36, 72];
/// Where among them the last move may be for the smallest pattern to count as an answer to it.
const ANSWERS: usize = 36;

/// The features of one move.
pub struct Features {
    list: [u32; 28],
    count: usize,
}

impl Features {
    /// None yet.
    pub fn new() -> Self {
        Features { list: [0; 28], count: 0 }
    }

    fn add(&mut self, feature: usize) {
        self.list[self.count] = feature as u32;
        self.count += 1;
    }

    /// Their numbers.
    pub fn list(&self) -> &[u32] {
        &self.list[..self.count]
    }
}

impl Default for Features {
    fn default() -> Self {
        Features::new()
    }
}

/// One look at a position.
pub struct View<'f, const CELLS: usize, const WORDS: usize> {
    field: &'f Field<CELLS, WORDS>,
    /// What each move does to chains.
    pub flags: [u16; CELLS],
    /// Steps to the last move.
    pub near: [u8; CELLS],
    /// Steps to the move before it.
    pub near_second: [u8; CELLS],
    stage: usize,
}

impl<'f, const CELLS: usize, const WORDS: usize> View<'f, CELLS, WORDS> {
    /// Looks at chains and distances; reads ladders out if asked to.
    pub fn new(field: &'f Field<CELLS, WORDS>, ladders: bool) -> Self {
        let points = field.size() * field.size();
        let stones = points - field.empty_count();
        let stage = match 100 * stones / points {
            0..=11 => 0,
            12..=37 => 1,
            _ => 2,
        };
        let mut view = View {
            field,
            flags: [0; CELLS],
            near: distances(field, field.last()),
            near_second: distances(field, field.last_but_one()),
            stage,
        };
        view.look_at_chains(ladders);
        view
    }

    fn look_at_chains(&mut self, ladders: bool) {
        let field = self.field;
        let own = field.to_move();
        let other = opponent(own);
        let last = field.last();
        for name in field.in_atari(other).iter() {
            let flags = &mut self.flags[field.liberties(name).first()];
            *flags |= if field.chain_size(name) > 1 { TAKES_MANY } else { TAKES_ONE };
            for stone in field.chain_stones(name) {
                if stone == last {
                    *flags |= TAKES_LAST;
                }
                for near in Field::<CELLS, WORDS>::beside(stone) {
                    if field.colour(near) == own && field.liberty_count(near) == 1 {
                        *flags |= TAKES_SAVING;
                    }
                }
            }
        }
        for name in field.in_atari(own).iter() {
            let exit = field.liberties(name).first();
            let room = field.liberties_after_running(name);
            if room >= 2 {
                let mut budget = LADDER_BUDGET;
                let in_vain = ladders && room == 2 && field.ladder_works(name, &mut budget);
                self.flags[exit] |= if in_vain { RUNS_IN_VAIN } else { RUNS };
            }
        }
        // Chains with two or three liberties, each once.
        let mut seen: Cells<WORDS> = Cells::NONE;
        for &cell in field.empty_points() {
            for near in Field::<CELLS, WORDS>::beside(cell.into()) {
                let colour = field.colour(near);
                if colour == EMPTY || colour == BORDER || seen.has(field.chain(near)) {
                    continue;
                }
                seen.add(field.chain(near));
                match field.liberty_count(near) {
                    2 if colour == own => {
                        for at in field.liberties(near).iter() {
                            if field.after(at, own).liberties.len() > 2 {
                                self.flags[at] |= ROOM;
                            }
                        }
                    }
                    2 => self.look_at_atari(near, ladders),
                    3 if colour == other => {
                        for at in field.liberties(near).iter() {
                            self.flags[at] |= PRESSES;
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// An opponent's chain with two liberties.
    fn look_at_atari(&mut self, stone: Cell, ladders: bool) {
        let field = self.field;
        let own = field.to_move();
        let last = field.last();
        let is_last = last != 0 && field.colour(last) != EMPTY && field.chain(last) == field.chain(stone);
        for at in field.liberties(stone).iter() {
            if !field.is_legal(at) {
                continue;
            }
            self.flags[at] |= ATARI | if is_last { ATARI_LAST } else { 0 };
            if ladders && field.self_atari(at, own) == 0 {
                let mut after = field.clone();
                after.play(at);
                let mut budget = LADDER_BUDGET;
                if after.colour(stone) != EMPTY && after.ladder_works(stone, &mut budget) {
                    self.flags[at] |= CATCHES;
                }
            }
        }
    }

    /// Whether a move is worth looking at: legal, and no eye of one's own.
    pub fn is_worth(&self, cell: Cell) -> bool {
        !self.field.is_eye(cell, self.field.to_move()) && self.field.is_legal(cell)
    }

    /// The features of a move worth looking at, or of a pass.
    pub fn features(&self, cell: Cell) -> Features {
        let mut features = Features::new();
        let field = self.field;
        if cell == 0 {
            features.add(PASS + self.stage);
            if field.passes() > 0 {
                features.add(PASS + 3);
            }
            return features;
        }
        let own = field.to_move();
        let (small, large) = shapes(field, cell, own);
        features.add(small);
        features.add(LARGE + large);
        for flag in 0..FLAGS {
            if self.flags[cell] >> flag & 1 != 0 {
                features.add(FLAG + flag);
            }
        }
        match field.self_atari(cell, own) {
            0 => {}
            1 => features.add(SELF_ATARI),
            2 | 3 => features.add(SELF_ATARI + 1),
            _ => features.add(SELF_ATARI + 2),
        }
        for (start, from) in [(GRID, field.last()), (GRID_SECOND, field.last_but_one())] {
            if from != 0 {
                features.add(start + grid_distance::<CELLS, WORDS>(cell, from).min(19));
            }
        }
        features.add(STEPS + usize::from(self.near[cell].min(FAR + 1)));
        let around = field.around(cell);
        let is_alone = (0..8).all(|at| matches!(around >> (2 * at) & 3, 0 | 3));
        let line = field.line(cell).min(6) - 1;
        features.add(LINE + (line * 3 + self.stage) * 2 + usize::from(is_alone));
        if field.size() >= WIDE_FROM {
            let (patterns, answer) = wide_shapes(field, cell, own);
            for (at, pattern) in patterns.into_iter().chain(answer).enumerate() {
                features.add(WIDE + at * WIDE_PATTERNS + pattern);
            }
        }
        features
    }
}

/// How far two points are apart, more along one line than across: `dx + dy + max(dx, dy)`.
fn grid_distance<const CELLS: usize, const WORDS: usize>(a: Cell, b: Cell) -> usize {
    let (column, row) = Field::<CELLS, WORDS>::coordinates(a);
    let (other_column, other_row) = Field::<CELLS, WORDS>::coordinates(b);
    let (dx, dy) = (column.abs_diff(other_column), row.abs_diff(other_row));
    dx + dy + dx.max(dy)
}

/// The numbers of the shapes around a point, the same however the board is turned: 3x3 with the liberties of the
/// chains beside it, and the thirteen points within two steps.
fn shapes<const CELLS: usize, const WORDS: usize>(
    field: &Field<CELLS, WORDS>,
    cell: Cell,
    own: Colour,
) -> (usize, usize) {
    // Step 1. What stands there, seen by the side to move: 1 own, 2 the opponent's, 3 border.
    let seen = |colour: Colour| -> u64 {
        match colour {
            EMPTY => 0,
            BORDER => 3,
            colour if colour == own => 1,
            _ => 2,
        }
    };
    let ring = Field::<CELLS, WORDS>::ring_of(cell);
    let mut stones = [0; 8];
    let mut liberties = [0; 4];
    for (at, &near) in ring.iter().enumerate() {
        stones[at] = seen(field.colour(near));
        if at < 4 && (1..=2).contains(&stones[at]) {
            liberties[at] = field.liberty_count(near).min(3) as u64;
        }
    }
    let stride = Field::<CELLS, WORDS>::STRIDE as isize;
    // Two steps straight on; off the board behind the edge.
    let mut beyond = [3; 4];
    for (at, step) in [-stride, -1, 1, stride].into_iter().enumerate() {
        if stones[at] != 3 {
            beyond[at] = seen(field.colour((cell as isize + 2 * step) as usize));
        }
    }
    // Step 2. The smallest number among the eight ways to look at it.
    let (mut small, mut large) = (u64::MAX, u64::MAX);
    for turn in &TURNS {
        let mut code = 0;
        for at in 0..8 {
            code |= stones[turn[at]] << (2 * at);
        }
        let (mut near, mut far) = (code, code);
        for at in 0..4 {
            near |= liberties[turn[at]] << (16 + 2 * at);
            far |= beyond[turn[at]] << (16 + 2 * at);
        }
        small = small.min(near);
        large = large.min(far);
    }
    ((mix(small) as usize) % SMALL_PATTERNS, (mix(large ^ 0x5bd1_e995) as usize) % LARGE_PATTERNS)
}

/// Points around a move, and for what may stand there (own, the opponent's, border, the last move) the numbers that
/// this adds to a pattern's, one for each of the eight ways to look at it.
struct Wide {
    dx: i8,
    dy: i8,
    codes: [[u32; 8]; 4],
}

static WIDE_POINTS: LazyLock<Vec<Wide>> = LazyLock::new(|| {
    // Step 1. The points by their distance, as in [`grid_distance`].
    let distance = |x: i8, y: i8| x.abs() + y.abs() + x.abs().max(y.abs());
    let mut points: Vec<(i8, i8)> = (-5..=5).flat_map(|x| (-5..=5).map(move |y| (x, y))).collect();
    points.sort_by_key(|&(x, y)| (distance(x, y), x, y));
    // Step 2. Seen in each way, a point is where another one would be.
    let looks = |x: i8, y: i8| [(x, y), (-x, y), (x, -y), (-x, -y), (y, x), (-y, x), (y, -x), (-y, -x)];
    let code = |(x, y): (i8, i8), what: u64| mix((x as u8 as u64) << 16 | (y as u8 as u64) << 8 | (what + 1)) as u32;
    let wide = |&(dx, dy): &(i8, i8)| Wide {
        dx,
        dy,
        codes: std::array::from_fn(|what| looks(dx, dy).map(|point| code(point, what as u64))),
    };
    points[1..=REACHES[REACHES.len() - 1]].iter().map(wide).collect()
});

/// The numbers of the wide patterns around a point, the same however the board is turned; and of the smallest of them together
/// with where the last move was, if that is near.
///
/// CITE: Stern, Herbrich & Graepel 2006, patterns of growing size, one inside the other.
fn wide_shapes<const CELLS: usize, const WORDS: usize>(
    field: &Field<CELLS, WORDS>,
    cell: Cell,
    own: Colour,
) -> ([usize; REACHES.len()], Option<usize>) {
    let number = |sums: [u32; 8]| mix(sums.into_iter().min().unwrap_or(0).into()) as usize % WIDE_PATTERNS;
    let add = |sums: &mut [u32; 8], codes: &[u32; 8]| sums.iter_mut().zip(codes).for_each(|(sum, code)| *sum ^= code);
    let (column, row) = Field::<CELLS, WORDS>::coordinates(cell);
    let size = field.size();
    let mut sums = [0u32; 8];
    let mut patterns = [0; REACHES.len()];
    let mut answer = None;
    let mut start = 0;
    for (reach, pattern) in REACHES.into_iter().zip(&mut patterns) {
        for point in &WIDE_POINTS[start..reach] {
            let x = column.wrapping_add_signed(point.dx.into());
            let y = row.wrapping_add_signed(point.dy.into());
            let what = if x < size && y < size {
                match field.colour(Field::<CELLS, WORDS>::cell_at(x, y)) {
                    EMPTY => continue,
                    colour if colour == own => 0,
                    _ => 1,
                }
            } else {
                2
            };
            add(&mut sums, &point.codes[what]);
        }
        *pattern = number(sums);
        if start == 0 && field.last() != 0 {
            let (x, y) = Field::<CELLS, WORDS>::coordinates(field.last());
            let is_last = |point: &&Wide| {
                column.wrapping_add_signed(point.dx.into()) == x && row.wrapping_add_signed(point.dy.into()) == y
            };
            answer = WIDE_POINTS[..ANSWERS].iter().find(is_last).map(|point| {
                let mut sums = sums;
                add(&mut sums, &point.codes[3]);
                number(sums)
            });
        }
        start = reach;
    }
    (patterns, answer)
}

/// How many steps each point is from a cell, where stones of one chain are at the same place; 255 if far.
///
/// CITE: Graepel, Goutrié, Krüger & Herbrich 2001, the common fate graph.
pub fn distances<const CELLS: usize, const WORDS: usize>(field: &Field<CELLS, WORDS>, from: Cell) -> [u8; CELLS] {
    let mut distance = [255; CELLS];
    if from == 0 {
        return distance;
    }
    let mut queue = [0u16; CELLS];
    let mut count = 0;
    let reach = |cell: Cell, steps: u8, distance: &mut [u8; CELLS], queue: &mut [u16; CELLS], count: &mut usize| {
        // A chain is reached with all its stones at once.
        if field.colour(cell) == EMPTY {
            distance[cell] = steps;
            queue[*count] = cell as u16;
            *count += 1;
        } else {
            for stone in field.chain_stones(cell) {
                distance[stone] = steps;
                queue[*count] = stone as u16;
                *count += 1;
            }
        }
    };
    reach(from, 0, &mut distance, &mut queue, &mut count);
    let mut at = 0;
    while at < count {
        let cell = usize::from(queue[at]);
        at += 1;
        let steps = distance[cell] + 1;
        if steps > FAR {
            break;
        }
        for near in Field::<CELLS, WORDS>::beside(cell) {
            if field.colour(near) != BORDER && distance[near] == 255 {
                reach(near, steps, &mut distance, &mut queue, &mut count);
            }
        }
    }
    distance
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_core::Rng;

    type Thirteen = Field<211, 4>;

    /// The place of a point on the board turned in one of eight ways.
    fn turned(cell: Cell, way: usize) -> Cell {
        let (mut column, mut row) = Thirteen::coordinates(cell);
        if way & 1 != 0 {
            column = 12 - column;
        }
        if way & 2 != 0 {
            row = 12 - row;
        }
        if way & 4 != 0 {
            (column, row) = (row, column);
        }
        Thirteen::cell_at(column, row)
    }

    fn of(view: &View<'_, 211, 4>, cell: Cell) -> Vec<u32> {
        let mut list = view.features(cell).list().to_vec();
        list.sort();
        list
    }

    #[test]
    fn a_move_has_the_same_features_however_the_board_is_turned() {
        let mut rng = Rng::with_seed(7);
        for _ in 0..40 {
            let mut boards: [Thirteen; 8] = std::array::from_fn(|_| Thirteen::new(13, false));
            for _ in 0..rng.usize(0..120) {
                let cell = boards[0].empty_at(rng.usize(0..boards[0].empty_count()));
                if boards[0].is_legal(cell) {
                    boards.iter_mut().enumerate().for_each(|(way, board)| board.play(turned(cell, way)));
                }
            }
            let views: Vec<_> = boards.iter().map(|board| View::new(board, true)).collect();
            for &cell in boards[0].empty_points() {
                let cell = usize::from(cell);
                if views[0].is_worth(cell) {
                    let expected = of(&views[0], cell);
                    for (way, view) in views.iter().enumerate() {
                        assert_eq!(of(view, turned(cell, way)), expected, "cell {cell}, way {way}");
                    }
                }
            }
        }
    }

    #[test]
    fn wide_patterns_tell_corners_and_far_stones_apart() {
        let mut board = Thirteen::new(13, false);
        let at = |board: &Thirteen, column, row| wide_shapes(board, Thirteen::cell_at(column, row), 1).0;
        let (star, side, centre) = (at(&board, 3, 3), at(&board, 6, 3), at(&board, 6, 6));
        assert!(star[2] != side[2] && side[2] != centre[2] && star[2] != centre[2]);
        // A knight's move away is in all patterns, three steps along and one across only in the wider ones.
        board.play(Thirteen::cell_at(7, 8));
        assert!((0..3).all(|size| at(&board, 6, 6)[size] != centre[size]));
        let mut board = Thirteen::new(13, false);
        board.play(Thirteen::cell_at(7, 9));
        assert_eq!([0, 1, 2].map(|size| at(&board, 6, 6)[size] == centre[size]), [true, false, false]);
    }
}
