//! Convolutions with 3x3 kernels, the innermost loops of a network.
//!
//! Cells hold their channels side by side, so that a convolution is a sum of outer products: one input number times a row of
//! weights, for several cells at once, with all sums in registers.

use crate::board::Board;
use crate::lanes::Lanes;

/// A 3x3 convolution from `IN` to `OUT` channels.
pub struct Conv<const IN: usize, const OUT: usize> {
    /// The nine neighbours row by row, for each of them a row of weights an input channel.
    weights: Vec<[[f32; OUT]; IN]>,
    bias: [f32; OUT],
}

/// Registers side by side that are summed up at once.
const WIDE: usize = 3;

impl<const IN: usize, const OUT: usize> Conv<IN, OUT> {
    /// The number of channels must fill registers of all widths.
    const FITS: () = assert!(OUT.is_multiple_of(WIDE * 16));

    /// From nine times `IN` rows of `OUT` weights; nothing if they are of another number.
    pub fn new(weights: &[f32], bias: &[f32]) -> Option<Self> {
        let () = Self::FITS;
        let (rows, []) = weights.as_chunks::<OUT>() else {
            return None;
        };
        let (weights, []) = rows.as_chunks::<IN>() else {
            return None;
        };
        (weights.len() == 9).then_some(())?;
        Some(Conv { weights: weights.to_vec(), bias: bias.try_into().ok()? })
    }

    /// Applies it to all points of a board. Border cells of `from` are zero; those of `to` are zero afterwards.
    #[inline(always)]
    pub fn apply<L: Lanes>(&self, board: Board, from: &[[f32; IN]], to: &mut [[f32; OUT]]) {
        // As many cells at once as the sums of fit into 16 or 32 registers.
        if L::COUNT == 16 {
            self.apply_by::<L, 8>(board, from, to);
        } else {
            self.apply_by::<L, 4>(board, from, to);
        }
        board.clear_border(to);
    }

    #[inline(always)]
    fn apply_by<L: Lanes, const CELLS: usize>(&self, board: Board, from: &[[f32; IN]], to: &mut [[f32; OUT]]) {
        let stride = board.stride();
        for cell in board.span().step_by(CELLS) {
            for channels in (0..OUT).step_by(WIDE * L::COUNT) {
                let place = |wide: usize| channels + wide * L::COUNT;
                let bias: [L; WIDE] = std::array::from_fn(|wide| L::load(&self.bias[place(wide)..]));
                let mut sums = [bias; CELLS];
                for (neighbour, weights) in self.weights.iter().enumerate() {
                    let first = cell + neighbour / 3 * stride + neighbour % 3 - stride - 1;
                    // The spare cells at the end are at least as many as a step is wide.
                    let Some(inputs) = from[first..].first_chunk::<CELLS>() else {
                        return;
                    };
                    for (channel, weights) in weights.iter().enumerate() {
                        let weights: [L; WIDE] = std::array::from_fn(|wide| L::load(&weights[place(wide)..]));
                        for (sums, input) in sums.iter_mut().zip(inputs) {
                            let input = L::splat(input[channel]);
                            for (sum, weight) in sums.iter_mut().zip(weights) {
                                *sum = input.multiply_add(weight, *sum);
                            }
                        }
                    }
                }
                for (to, sums) in to[cell..].iter_mut().zip(sums) {
                    for (wide, sum) in sums.into_iter().enumerate() {
                        sum.store(&mut to[place(wide)..]);
                    }
                }
            }
        }
    }
}
