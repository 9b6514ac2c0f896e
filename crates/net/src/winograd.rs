//! Convolutions of three by three by Winograd's way: a tile of M by M sums costs (M+2)² products instead of 9·M².
//!
//! Along one line, M sums of three products each are polynomials multiplied at M+1 points and at infinity. Three matrices say it all:
//! `view` brings M+2 numbers to the points, `spread` the three weights, and `sum` brings the products back. A tile goes through its
//! columns and then its rows. Learning goes the same ways backwards, by the same matrices turned.
//!
//! CITE: Lavin & Gray 2015, "Fast Algorithms for Convolutional Neural Networks".

#![expect(clippy::needless_range_loop, reason = "matrices are gone through by the numbers of their rows and columns")]

use crate::registers::{Group, Lanes};

/// The matrices for tiles of `M` by `M` sums that reach `R` = M + 2 points far.
pub trait Step<const M: usize, const R: usize> {
    /// From numbers to points.
    const VIEW: [[f32; R]; R];
    /// From weights to points.
    const SPREAD: [[f32; 3]; R];
    /// From products to sums.
    const SUM: [[f32; R]; M];
}

/// Tiles of three: nine of them are a Go board of nine.
pub struct Three;

/// The points 0, 1, −1, 2.
impl Step<3, 5> for Three {
    const VIEW: [[f32; 5]; 5] = [
        [2.0, -1.0, -2.0, 1.0, 0.0],
        [0.0, -2.0, -1.0, 1.0, 0.0],
        [0.0, 2.0, -3.0, 1.0, 0.0],
        [0.0, -1.0, 0.0, 1.0, 0.0],
        [0.0, 2.0, -1.0, -2.0, 1.0],
    ];
    const SPREAD: [[f32; 3]; 5] = [
        [1.0 / 2.0, 0.0, 0.0],
        [-1.0 / 2.0, -1.0 / 2.0, -1.0 / 2.0],
        [-1.0 / 6.0, 1.0 / 6.0, -1.0 / 6.0],
        [1.0 / 6.0, 1.0 / 3.0, 2.0 / 3.0],
        [0.0, 0.0, 1.0],
    ];
    const SUM: [[f32; 5]; 3] = [[1.0, 1.0, 1.0, 1.0, 0.0], [0.0, 1.0, -1.0, 2.0, 0.0], [0.0, 1.0, 1.0, 4.0, 1.0]];
}

/// Tiles of four, for most other boards.
pub struct Four;

/// The points 0, 1, −1, 2, −2.
impl Step<4, 6> for Four {
    const VIEW: [[f32; 6]; 6] = [
        [4.0, 0.0, -5.0, 0.0, 1.0, 0.0],
        [0.0, -4.0, -4.0, 1.0, 1.0, 0.0],
        [0.0, 4.0, -4.0, -1.0, 1.0, 0.0],
        [0.0, -2.0, -1.0, 2.0, 1.0, 0.0],
        [0.0, 2.0, -1.0, -2.0, 1.0, 0.0],
        [0.0, 4.0, 0.0, -5.0, 0.0, 1.0],
    ];
    const SPREAD: [[f32; 3]; 6] = [
        [1.0 / 4.0, 0.0, 0.0],
        [-1.0 / 6.0, -1.0 / 6.0, -1.0 / 6.0],
        [-1.0 / 6.0, 1.0 / 6.0, -1.0 / 6.0],
        [1.0 / 24.0, 1.0 / 12.0, 1.0 / 6.0],
        [1.0 / 24.0, -1.0 / 12.0, 1.0 / 6.0],
        [0.0, 0.0, 1.0],
    ];
    const SUM: [[f32; 6]; 4] = [
        [1.0, 1.0, 1.0, 1.0, 1.0, 0.0],
        [0.0, 1.0, -1.0, 2.0, -2.0, 0.0],
        [0.0, 1.0, 1.0, 4.0, 4.0, 0.0],
        [0.0, 1.0, -1.0, 8.0, -8.0, 1.0],
    ];
}

/// Tiles of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tiling {
    /// Points of the board, down and across.
    pub board: (usize, usize),
    /// Sums across a tile: 3 or 4.
    pub tile: usize,
}

impl Tiling {
    /// The tiles that need the fewest products.
    pub fn of(height: usize, width: usize) -> Tiling {
        let tiling = |tile| Tiling { board: (height, width), tile };
        let cost = |tiling: &Tiling| tiling.tiles() * tiling.places();
        [tiling(3), tiling(4)].into_iter().min_by_key(cost).unwrap_or(tiling(3))
    }

    fn down(self) -> usize {
        self.board.0.div_ceil(self.tile)
    }

    fn across(self) -> usize {
        self.board.1.div_ceil(self.tile)
    }

    /// How many tiles there are.
    pub fn tiles(self) -> usize {
        self.down() * self.across()
    }

    /// How many products a tile needs.
    pub fn places(self) -> usize {
        (self.tile + 2) * (self.tile + 2)
    }

    /// From a row of a frame to the next: the tiles and a border.
    fn stride(self) -> usize {
        self.across() * self.tile + 2
    }

    /// Cells of a frame: the board rounded up to tiles, with a ring around it.
    pub fn cells(self) -> usize {
        (self.down() * self.tile + 2) * self.stride()
    }

    /// The rows of a board in a frame: for each, the point it starts with and its cell.
    pub fn rows(self) -> impl Iterator<Item = (usize, usize)> {
        let (height, width) = self.board;
        (0..height).map(move |row| (row * width, (row + 1) * self.stride() + 1))
    }

    /// The corner of each tile in a frame, where what it reaches begins.
    fn corners(self) -> impl Iterator<Item = usize> {
        (0..self.down())
            .flat_map(move |row| (0..self.across()).map(move |column| (row * self.stride() + column) * self.tile))
    }
}

/// Where the numbers at the points stand: place by place, in each all tiles of some boards, in each all groups.
#[derive(Clone, Copy)]
pub struct Shelf {
    /// From a place to the next.
    pub place: usize,
    /// Where the board's first tile stands.
    pub start: usize,
    /// From a tile to the next.
    pub tile: usize,
}

/// Brings a frame of one group of channels to the points.
#[inline(always)]
pub fn view<L: Lanes>(tiling: Tiling, frame: &[Group], to: &mut [Group], shelf: Shelf) {
    match tiling.tile {
        3 => view_by::<L, Three, 3, 5>(tiling, frame, to, shelf),
        _ => view_by::<L, Four, 4, 6>(tiling, frame, to, shelf),
    }
}

/// Brings products back to a frame, whose border is left alone.
#[inline(always)]
pub fn sum<L: Lanes>(tiling: Tiling, from: &[Group], shelf: Shelf, frame: &mut [Group]) {
    match tiling.tile {
        3 => sum_by::<L, Three, 3, 5>(tiling, from, shelf, frame),
        _ => sum_by::<L, Four, 4, 6>(tiling, from, shelf, frame),
    }
}

/// `sum` turned: what a change of the sums means for the products. Points of the frame beyond the board must be zero.
#[inline(always)]
pub fn unsum<L: Lanes>(tiling: Tiling, frame: &[Group], to: &mut [Group], shelf: Shelf) {
    match tiling.tile {
        3 => unsum_by::<L, Three, 3, 5>(tiling, frame, to, shelf),
        _ => unsum_by::<L, Four, 4, 6>(tiling, frame, to, shelf),
    }
}

/// `view` turned: adds to a frame what a change at the points means for it.
#[inline(always)]
pub fn unview<L: Lanes>(tiling: Tiling, from: &[Group], shelf: Shelf, frame: &mut [Group]) {
    match tiling.tile {
        3 => unview_by::<L, Three, 3, 5>(tiling, from, shelf, frame),
        _ => unview_by::<L, Four, 4, 6>(tiling, from, shelf, frame),
    }
}

/// Weights of a kernel, row by row, at the points: `to[row * R + column]`.
#[inline(always)]
pub fn spread<L: Lanes>(tiling: Tiling, kernel: [L; 9], to: impl FnMut(usize, L)) {
    match tiling.tile {
        3 => spread_by::<L, Three, 3, 5>(kernel, to),
        _ => spread_by::<L, Four, 4, 6>(kernel, to),
    }
}

/// `spread` turned: what a change at the points means for the kernel.
#[inline(always)]
pub fn unspread<L: Lanes>(tiling: Tiling, from: impl Fn(usize) -> L) -> [L; 9] {
    match tiling.tile {
        3 => unspread_by::<L, Three, 3, 5>(from),
        _ => unspread_by::<L, Four, 4, 6>(from),
    }
}

/// A row of a matrix times numbers. Which factors are 0 or ±1 is known when this is compiled.
#[inline(always)]
fn row<L: Lanes, const N: usize>(factors: [f32; N], numbers: [L; N]) -> L {
    let mut sum: Option<L> = None;
    for at in 0..N {
        let (factor, number) = (factors[at], numbers[at]);
        sum = match sum {
            sum if factor == 0.0 => sum,
            None if factor == 1.0 => Some(number),
            None => Some(number.multiply(L::splat(factor))),
            Some(sum) if factor == 1.0 => Some(sum.add(number)),
            Some(sum) if factor == -1.0 => Some(sum.subtract(number)),
            Some(sum) => Some(number.multiply_add(L::splat(factor), sum)),
        };
    }
    match sum {
        Some(sum) => sum,
        None => L::splat(0.0),
    }
}

#[inline(always)]
fn times<L: Lanes, const N: usize, const TO: usize>(matrix: &[[f32; N]; TO], numbers: [L; N]) -> [L; TO] {
    let mut to = [L::splat(0.0); TO];
    for at in 0..TO {
        to[at] = row(matrix[at], numbers);
    }
    to
}

/// The same with the matrix turned.
#[inline(always)]
fn turned<L: Lanes, const N: usize, const TO: usize>(matrix: &[[f32; TO]; N], numbers: [L; N]) -> [L; TO] {
    let mut to = [L::splat(0.0); TO];
    for at in 0..TO {
        let mut factors = [0.0; N];
        for from in 0..N {
            factors[from] = matrix[from][at];
        }
        to[at] = row(factors, numbers);
    }
    to
}

#[inline(always)]
fn column<L: Lanes, const WIDE: usize, const HIGH: usize>(rows: &[[L; WIDE]; HIGH], at: usize) -> [L; HIGH] {
    let mut to = [L::splat(0.0); HIGH];
    for high in 0..HIGH {
        to[high] = rows[high][at];
    }
    to
}

#[inline(always)]
fn view_by<L: Lanes, S: Step<M, R>, const M: usize, const R: usize>(
    tiling: Tiling,
    frame: &[Group],
    to: &mut [Group],
    shelf: Shelf,
) {
    for (tile, corner) in tiling.corners().enumerate() {
        let mut rows = [[L::splat(0.0); R]; R];
        for high in 0..R {
            let line: &[Group; R] = from_line(frame, corner + high * tiling.stride());
            for wide in 0..R {
                rows[high][wide] = L::load(&line[wide]);
            }
            rows[high] = times(&S::VIEW, rows[high]);
        }
        let at = shelf.start + tile * shelf.tile;
        for wide in 0..R {
            let numbers = times(&S::VIEW, column(&rows, wide));
            for high in 0..R {
                numbers[high].store(&mut to[at + (high * R + wide) * shelf.place]);
            }
        }
    }
}

#[inline(always)]
fn sum_by<L: Lanes, S: Step<M, R>, const M: usize, const R: usize>(
    tiling: Tiling,
    from: &[Group],
    shelf: Shelf,
    frame: &mut [Group],
) {
    for (tile, corner) in tiling.corners().enumerate() {
        let at = shelf.start + tile * shelf.tile;
        let mut rows = [[L::splat(0.0); M]; R];
        for high in 0..R {
            let mut numbers = [L::splat(0.0); R];
            for wide in 0..R {
                numbers[wide] = L::load(&from[at + (high * R + wide) * shelf.place]);
            }
            rows[high] = times(&S::SUM, numbers);
        }
        for wide in 0..M {
            let sums = times(&S::SUM, column(&rows, wide));
            for high in 0..M {
                sums[high].store(&mut frame[corner + (high + 1) * tiling.stride() + wide + 1]);
            }
        }
    }
}

#[inline(always)]
fn unsum_by<L: Lanes, S: Step<M, R>, const M: usize, const R: usize>(
    tiling: Tiling,
    frame: &[Group],
    to: &mut [Group],
    shelf: Shelf,
) {
    for (tile, corner) in tiling.corners().enumerate() {
        let mut rows = [[L::splat(0.0); R]; M];
        for high in 0..M {
            let line: &[Group; M] = from_line(frame, corner + (high + 1) * tiling.stride() + 1);
            let mut numbers = [L::splat(0.0); M];
            for wide in 0..M {
                numbers[wide] = L::load(&line[wide]);
            }
            rows[high] = turned(&S::SUM, numbers);
        }
        let at = shelf.start + tile * shelf.tile;
        for wide in 0..R {
            let numbers = turned(&S::SUM, column(&rows, wide));
            for high in 0..R {
                numbers[high].store(&mut to[at + (high * R + wide) * shelf.place]);
            }
        }
    }
}

#[inline(always)]
fn unview_by<L: Lanes, S: Step<M, R>, const M: usize, const R: usize>(
    tiling: Tiling,
    from: &[Group],
    shelf: Shelf,
    frame: &mut [Group],
) {
    for (tile, corner) in tiling.corners().enumerate() {
        let at = shelf.start + tile * shelf.tile;
        let mut rows = [[L::splat(0.0); R]; R];
        for high in 0..R {
            let mut numbers = [L::splat(0.0); R];
            for wide in 0..R {
                numbers[wide] = L::load(&from[at + (high * R + wide) * shelf.place]);
            }
            rows[high] = turned(&S::VIEW, numbers);
        }
        for wide in 0..R {
            let changes = turned(&S::VIEW, column(&rows, wide));
            for high in 0..R {
                let cell = &mut frame[corner + high * tiling.stride() + wide];
                L::load(cell).add(changes[high]).store(cell);
            }
        }
    }
}

#[inline(always)]
fn spread_by<L: Lanes, S: Step<M, R>, const M: usize, const R: usize>(kernel: [L; 9], mut to: impl FnMut(usize, L)) {
    let mut rows = [[L::splat(0.0); R]; 3];
    for high in 0..3 {
        rows[high] = times(&S::SPREAD, [kernel[high * 3], kernel[high * 3 + 1], kernel[high * 3 + 2]]);
    }
    for wide in 0..R {
        let numbers = times(&S::SPREAD, column(&rows, wide));
        for high in 0..R {
            to(high * R + wide, numbers[high]);
        }
    }
}

#[inline(always)]
fn unspread_by<L: Lanes, S: Step<M, R>, const M: usize, const R: usize>(from: impl Fn(usize) -> L) -> [L; 9] {
    let mut rows = [[L::splat(0.0); 3]; R];
    for high in 0..R {
        let mut numbers = [L::splat(0.0); R];
        for wide in 0..R {
            numbers[wide] = from(high * R + wide);
        }
        rows[high] = turned(&S::SPREAD, numbers);
    }
    let mut kernel = [L::splat(0.0); 9];
    for wide in 0..3 {
        let weights = turned(&S::SPREAD, column(&rows, wide));
        for high in 0..3 {
            kernel[high * 3 + wide] = weights[high];
        }
    }
    kernel
}

/// Some cells of a frame that lie side by side.
#[inline(always)]
fn from_line<const N: usize>(frame: &[Group], at: usize) -> &[Group; N] {
    let line = &frame[at..at + N];
    // SAFETY: the slice is so long. (`try_into` would say the same with an `expect` in the innermost loop.)
    unsafe { &*line.as_ptr().cast() }
}
