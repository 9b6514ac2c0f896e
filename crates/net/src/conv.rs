//! Convolutions with 3x3 kernels, where a network spends its time.
//!
//! A tile of 4x4 sums needs 144 products an input channel by the definition, and 36 if the tile and what is around it are
//! first turned into 36 other numbers, in which a convolution is a product of numbers in the same place.
//!
//! ```text
//!   6x6 cells ── forward ──→ 36 places ── in each a matrix of weights ──→ 36 places ── back ──→ 4x4 sums
//! ```
//!
//! All tiles of a board share the matrix of a place, so that the step in the middle is 36 products of matrices, with
//! all sums in registers. Cells hold their channels side by side, and registers hold channels.
//!
//! CITE: Winograd 1980; Lavin & Gray 2015, F(4x4, 3x3) with the points 0, ±1, ±2.

use crate::board::{Board, TILE};
use crate::lanes::{Aligned, Lanes};
use std::borrow::Borrow;

/// Cells across that the sums of a tile depend on.
const REACH: usize = TILE + 2;
const PLACES: usize = REACH * REACH;

/// A 3x3 convolution from `IN` to `OUT` channels.
pub struct Conv<const IN: usize, const OUT: usize> {
    /// For each place a row of weights an input channel.
    weights: Vec<Aligned<[[f32; OUT]; IN]>>,
    bias: [f32; OUT],
}

/// Registers side by side that are summed up at once.
const WIDE: usize = 3;

/// Memory for a convolution: for each group of tiles and each place what the tiles have there.
#[derive(Default)]
pub struct Places<const IN: usize, const OUT: usize> {
    from: Vec<Aligned<[f32; IN]>>,
    to: Vec<Aligned<[f32; OUT]>>,
}

impl<const IN: usize, const OUT: usize> Conv<IN, OUT> {
    /// The numbers of channels must fill registers of all widths, those of `IN` perhaps with some of them twice.
    const FITS: () = assert!(OUT.is_multiple_of(WIDE * 16) && IN >= 16);

    /// From the nine neighbours row by row, each with `IN` rows of `OUT` weights; nothing if they are of another number.
    pub fn new(weights: &[f32], bias: &[f32]) -> Option<Self> {
        let () = Self::FITS;
        let (rows, []) = weights.as_chunks::<OUT>() else {
            return None;
        };
        let (kernel, []) = rows.as_chunks::<IN>() else {
            return None;
        };
        let kernel: &[[[f32; OUT]; IN]; 9] = kernel.try_into().ok()?;
        let mut weights = vec![Aligned([[0.0; OUT]; IN]); PLACES];
        for (channel, out) in (0..IN).flat_map(|channel| (0..OUT).map(move |out| (channel, out))) {
            let rows: [[f32; REACH]; 3] =
                std::array::from_fn(|row| spread(std::array::from_fn(|at| kernel[3 * row + at][channel][out])));
            for column in 0..REACH {
                for (row, weight) in spread(rows.map(|row| row[column])).into_iter().enumerate() {
                    weights[row * REACH + column].0[channel][out] = weight;
                }
            }
        }
        Some(Conv { weights, bias: bias.try_into().ok()? })
    }

    /// Applies it to all points of a board: a point becomes its sum, with what it was if it `KEEPS` that, or zero if that is
    /// negative. What is no point is zero in `from`, and is left alone in `to`.
    #[inline(always)]
    pub fn apply<L: Lanes, const KEEPS: bool>(
        &self,
        board: Board,
        from: &[impl Borrow<[f32; IN]>],
        to: &mut [Aligned<[f32; OUT]>],
        places: &mut Places<IN, OUT>,
    ) {
        // As many tiles at once as the sums of fit into 16 or 32 registers; 5 is what a board of 19x19 has in a row.
        if L::COUNT == 16 {
            self.apply_by::<L, KEEPS, 5>(board, from, to, places);
        } else {
            self.apply_by::<L, KEEPS, 4>(board, from, to, places);
        }
    }

    // Registers are for functions that are compiled for them, and closures are functions of their own: no closure touches one.
    #[inline(always)]
    fn apply_by<L: Lanes, const KEEPS: bool, const TILES: usize>(
        &self,
        board: Board,
        from: &[impl Borrow<[f32; IN]>],
        to: &mut [Aligned<[f32; OUT]>],
        places: &mut Places<IN, OUT>,
    ) {
        let (across, stride) = (board.tiles(), board.stride());
        let groups = (across * across).div_ceil(TILES);
        places.from.resize(groups * PLACES * TILES, Aligned([0.0; IN]));
        places.to.resize(groups * PLACES * TILES, Aligned([0.0; OUT]));
        let place_of = |tile: usize, place: usize| (tile / TILES * PLACES + place) * TILES + tile % TILES;
        let zero = L::splat(0.0);

        // Step 1. Forward.
        for tile in 0..across * across {
            let corner = tile / across * TILE * stride + tile % across * TILE;
            for channels in (0..IN).step_by(L::COUNT) {
                // Where registers do not fill the channels, the last one begins earlier.
                let channels = channels.min(IN - L::COUNT);
                let mut rows = [[zero; REACH]; REACH];
                for (row, numbers) in rows.iter_mut().enumerate() {
                    for (column, number) in numbers.iter_mut().enumerate() {
                        *number = L::load(&from[corner + row * stride + column].borrow()[channels..]);
                    }
                    *numbers = forward(*numbers);
                }
                for column in 0..REACH {
                    let numbers = forward(turned(&rows, column));
                    for (row, number) in numbers.into_iter().enumerate() {
                        number.store(&mut places.from[place_of(tile, row * REACH + column)].0[channels..]);
                    }
                }
            }
        }

        // Step 2. A product of matrices for each place.
        let inputs = places.from.as_chunks::<TILES>().0;
        let outputs = places.to.as_chunks_mut::<TILES>().0;
        for (place, weights) in self.weights.iter().enumerate() {
            for group in 0..groups {
                let at = group * PLACES + place;
                multiply::<L, TILES, IN, OUT>(&weights.0, &inputs[at], &mut outputs[at]);
            }
        }

        // Step 3. Back.
        for tile in 0..across * across {
            let (left, top) = (tile % across * TILE, tile / across * TILE);
            for channels in (0..OUT).step_by(L::COUNT) {
                let mut rows = [[zero; TILE]; REACH];
                for (row, sums) in rows.iter_mut().enumerate() {
                    let mut numbers = [zero; REACH];
                    for (column, number) in numbers.iter_mut().enumerate() {
                        *number = L::load(&places.to[place_of(tile, row * REACH + column)].0[channels..]);
                    }
                    *sums = back(numbers);
                }
                let bias = L::load(&self.bias[channels..]);
                for column in 0..TILE.min(board.size() - left) {
                    let sums = back(turned(&rows, column));
                    for (row, sum) in sums.into_iter().enumerate().take(board.size() - top) {
                        let numbers = &mut to[board.cell(left + column, top + row)].0[channels..];
                        let mut sum = sum.add(bias);
                        if KEEPS {
                            sum = sum.add(L::load(numbers));
                        }
                        sum.max(zero).store(numbers);
                    }
                }
            }
        }
    }
}

/// A column of rows.
#[inline(always)]
fn turned<L: Lanes, const WIDTH: usize>(rows: &[[L; WIDTH]; REACH], column: usize) -> [L; REACH] {
    [rows[0][column], rows[1][column], rows[2][column], rows[3][column], rows[4][column], rows[5][column]]
}

/// Some rows of inputs times a matrix.
#[inline(always)]
fn multiply<L: Lanes, const ROWS: usize, const IN: usize, const OUT: usize>(
    weights: &[[f32; OUT]; IN],
    inputs: &[Aligned<[f32; IN]>; ROWS],
    outputs: &mut [Aligned<[f32; OUT]>; ROWS],
) {
    for channels in (0..OUT).step_by(WIDE * L::COUNT) {
        let place = |wide: usize| channels + wide * L::COUNT;
        let mut sums = [[L::splat(0.0); WIDE]; ROWS];
        for (channel, weights) in weights.iter().enumerate() {
            let weights = [L::load(&weights[place(0)..]), L::load(&weights[place(1)..]), L::load(&weights[place(2)..])];
            for (sums, input) in sums.iter_mut().zip(inputs) {
                let input = L::splat(input.0[channel]);
                for (sum, weight) in sums.iter_mut().zip(weights) {
                    *sum = input.multiply_add(weight, *sum);
                }
            }
        }
        for (output, sums) in outputs.iter_mut().zip(sums) {
            for (wide, sum) in sums.into_iter().enumerate() {
                sum.store(&mut output.0[place(wide)..]);
            }
        }
    }
}

/// Six numbers of a row or column of cells as they are multiplied.
#[inline(always)]
fn forward<L: Lanes>([a, b, c, d, e, f]: [L; REACH]) -> [L; REACH] {
    let (even, odd) = (times(-4.0, c, e), times(-4.0, b, d));
    let (even2, odd2) = (e.subtract(c), d.subtract(b));
    [
        times(4.0, a, times(-5.0, c, e)),
        even.add(odd),
        even.subtract(odd),
        times(2.0, odd2, even2),
        times(-2.0, odd2, even2),
        times(4.0, b, times(-5.0, d, f)),
    ]
}

/// The four sums that six products stand for.
#[inline(always)]
fn back<L: Lanes>([a, b, c, d, e, f]: [L; REACH]) -> [L; TILE] {
    let (even, odd) = (b.add(c), b.subtract(c));
    let (even2, odd2) = (d.add(e), d.subtract(e));
    [a.add(even).add(even2), times(2.0, odd2, odd), times(4.0, even2, even), times(8.0, odd2, odd).add(f)]
}

/// So many times a number and some more.
#[inline(always)]
fn times<L: Lanes>(factor: f32, number: L, more: L) -> L {
    number.multiply_add(L::splat(factor), more)
}

/// Three weights of a row or column of a kernel as they are multiplied.
fn spread([a, b, c]: [f32; 3]) -> [f32; REACH] {
    let (even, even2) = (-(a + c) / 6.0, a / 24.0 + c / 6.0);
    [a / 4.0, even - b / 6.0, even + b / 6.0, even2 + b / 12.0, even2 - b / 12.0, c]
}
