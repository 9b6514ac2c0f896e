//! A residual network with one eye on the whole board, read from a file.
//!
//! ```text
//! planes ── 3x3 ── block ── … ── block ── head ──┬── each point: move, owner
//!                                                └── mean and maximum ── dense ── pass, lead
//!
//! block:  x ── 3x3, relu ──┬──────────────────────── + ── 3x3 ── + x, relu
//!                          └─ mean and maximum ─ dense ┘
//! ```
//!
//! A block adds to every point what the whole board says, so that far-off fights can be weighed; otherwise a point would see only as many
//! points around it as there are convolutions.

use crate::board::Board;
use crate::conv::{Conv, Places};
use crate::lanes::{Aligned, Lanes, multiply_add};
use half::f16;
use safetensors::{Dtype, SafeTensors};
use std::fmt;

/// A network that is shown `IN` planes and thinks in `C` channels.
pub struct Network<const IN: usize, const C: usize> {
    stem: Conv<IN, C>,
    blocks: Vec<Block<C>>,
    head: Dense<HEAD>,
    point: Dense<2>,
    pooled: Dense<HEAD>,
    board: Dense<2>,
}

/// Channels before the answers.
const HEAD: usize = 32;

struct Block<const C: usize> {
    first: Conv<C, C>,
    pool: Dense<C>,
    second: Conv<C, C>,
}

/// A matrix and what is added.
struct Dense<const OUT: usize> {
    weights: Vec<[f32; OUT]>,
    bias: [f32; OUT],
}

impl<const OUT: usize> Dense<OUT> {
    #[inline(always)]
    fn apply<L: Lanes>(&self, from: &[f32]) -> [f32; OUT] {
        let mut sums = self.bias;
        for (&input, weights) in from.iter().zip(&self.weights) {
            for (sum, &weight) in sums.iter_mut().zip(weights) {
                *sum = multiply_add::<L>(input, weight, *sum);
            }
        }
        sums
    }
}

/// What a network thinks of a board. Lists go by points, row by row from the top left.
#[derive(Clone, PartialEq, Debug)]
pub struct Opinion {
    /// How good a move is: the logarithm of a share of all moves, but for a constant.
    pub moves: Vec<f32>,
    /// The same for a pass.
    pub pass: f32,
    /// Whose a point will be, from −1 to 1 for the side to move.
    pub owners: Vec<f32>,
    /// The lead of the side to move on the board, in points.
    pub lead: f32,
}

/// Memory for thinking, kept from board to board.
#[derive(Default)]
pub struct Scratch<const IN: usize, const C: usize> {
    /// The board that everything is laid out for.
    board: Option<Board>,
    planes: Vec<[f32; IN]>,
    trunk: Vec<Aligned<[f32; C]>>,
    inner: Vec<Aligned<[f32; C]>>,
    stem: Places<IN, C>,
    places: Places<C, C>,
}

impl<const IN: usize, const C: usize> Scratch<IN, C> {
    /// The planes of a board, all zero, to be filled in.
    pub fn planes(&mut self, board: Board) -> &mut [[f32; IN]] {
        let cells = board.cells();
        if self.board != Some(board) {
            // What is no point of the board must be zero, and only points are ever written.
            for buffer in [&mut self.trunk, &mut self.inner] {
                buffer.clear();
                buffer.resize(cells, Aligned([0.0; C]));
            }
            self.board = Some(board);
        }
        self.planes.clear();
        self.planes.resize(cells, [0.0; IN]);
        &mut self.planes
    }
}

/// Why a file is no network.
#[derive(Debug)]
pub struct NetError(String);

impl fmt::Display for NetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NetError {}

/// The tensors of a file.
struct Tensors<'a>(SafeTensors<'a>);

impl Tensors<'_> {
    /// The numbers of a tensor that must be of this shape.
    fn read(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, NetError> {
        let tensor = self.0.tensor(name).map_err(|_| NetError(format!("the network has no {name}")))?;
        if tensor.shape() != shape {
            return Err(NetError(format!("{name} is {:?} in the network, not {shape:?}", tensor.shape())));
        }
        let numbers: Vec<f32> = match tensor.dtype() {
            Dtype::F16 => tensor.data().as_chunks().0.iter().map(|&bytes| f16::from_le_bytes(bytes).to_f32()).collect(),
            Dtype::F32 => tensor.data().as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect(),
            other => return Err(NetError(format!("{name} holds numbers of the kind {other:?}"))),
        };
        if numbers.iter().any(|number| !number.is_finite()) {
            return Err(NetError(format!("{name} holds what is no number")));
        }
        Ok(numbers)
    }

    fn conv<const IN: usize, const OUT: usize>(&self, name: &str) -> Result<Conv<IN, OUT>, NetError> {
        let weights = self.read(&format!("{name}.weight"), &[9, IN, OUT])?;
        let bias = self.read(&format!("{name}.bias"), &[OUT])?;
        Conv::new(&weights, &bias).ok_or_else(|| NetError(format!("{name} is of another shape")))
    }

    fn dense<const OUT: usize>(&self, name: &str, inputs: usize) -> Result<Dense<OUT>, NetError> {
        let weights = self.read(&format!("{name}.weight"), &[inputs, OUT])?;
        let bias = self.read(&format!("{name}.bias"), &[OUT])?;
        let bias = bias.try_into().map_err(|_| NetError(format!("{name}.bias is of another shape")))?;
        Ok(Dense { weights: weights.as_chunks().0.to_vec(), bias })
    }
}

/// The kinds of registers that a network is compiled for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Registers {
    /// 32 of 16 numbers.
    #[cfg(target_arch = "x86_64")]
    Wide,
    /// 16 of 8 numbers.
    #[cfg(target_arch = "x86_64")]
    Middle,
    /// Whatever every processor has.
    Plain,
}

impl Registers {
    /// Those that this processor has, the best first.
    fn all() -> impl Iterator<Item = Registers> {
        #[cfg(target_arch = "x86_64")]
        let special = [
            is_x86_feature_detected!("avx512f").then_some(Registers::Wide),
            (is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")).then_some(Registers::Middle),
        ];
        #[cfg(not(target_arch = "x86_64"))]
        let special = [None];
        special.into_iter().flatten().chain([Registers::Plain])
    }
}

/// Points in a lead of 1 as the network counts it.
const LEAD_UNIT: f32 = 20.0;

impl<const IN: usize, const C: usize> Network<IN, C> {
    /// Reads a safetensors file.
    pub fn read(bytes: &[u8]) -> Result<Self, NetError> {
        let tensors = SafeTensors::deserialize(bytes).map_err(|error| NetError(format!("no network: {error}")))?;
        let tensors = Tensors(tensors);
        let block = |number: usize| -> Result<Block<C>, NetError> {
            Ok(Block {
                first: tensors.conv(&format!("blocks.{number}.first"))?,
                pool: tensors.dense(&format!("blocks.{number}.pool"), 2 * C)?,
                second: tensors.conv(&format!("blocks.{number}.second"))?,
            })
        };
        let is_there = |number: &usize| tensors.0.tensor(&format!("blocks.{number}.first.weight")).is_ok();
        Ok(Network {
            stem: tensors.conv("stem")?,
            blocks: (0..).take_while(is_there).map(block).collect::<Result<_, _>>()?,
            head: tensors.dense("head", C)?,
            point: tensors.dense("point", HEAD)?,
            pooled: tensors.dense("pooled", 2 * HEAD)?,
            board: tensors.dense("board", HEAD)?,
        })
    }

    /// Judges the board whose planes were filled in.
    ///
    /// # Panics
    /// If [`Scratch::planes`] was asked for a board of another size.
    pub fn judge(&self, board: Board, scratch: &mut Scratch<IN, C>) -> Opinion {
        // The first is the best.
        self.judge_with(Registers::all().next().unwrap_or(Registers::Plain), board, scratch)
    }

    fn judge_with(&self, registers: Registers, board: Board, scratch: &mut Scratch<IN, C>) -> Opinion {
        match registers {
            // SAFETY: only `Registers::all` makes these, where the processor has them.
            #[cfg(target_arch = "x86_64")]
            Registers::Wide => unsafe { self.judge_wide(board, scratch) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Registers::Middle => unsafe { self.judge_middle(board, scratch) },
            Registers::Plain => self.judge_by::<[f32; 4]>(board, scratch),
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx2,fma")]
    fn judge_wide(&self, board: Board, scratch: &mut Scratch<IN, C>) -> Opinion {
        self.judge_by::<std::arch::x86_64::__m512>(board, scratch)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    fn judge_middle(&self, board: Board, scratch: &mut Scratch<IN, C>) -> Opinion {
        self.judge_by::<std::arch::x86_64::__m256>(board, scratch)
    }

    #[inline(always)]
    fn judge_by<L: Lanes>(&self, board: Board, scratch: &mut Scratch<IN, C>) -> Opinion {
        assert_eq!(scratch.board, Some(board), "the planes of another board");
        let Scratch { planes, trunk, inner, stem, places, .. } = scratch;
        // Step 1. The trunk.
        self.stem.apply::<L, false>(board, planes, trunk, stem);
        for block in &self.blocks {
            block.first.apply::<L, false>(board, trunk, inner, places);
            let said = block.pool.apply::<L>(pool(board, inner).as_flattened());
            for cell in board.points() {
                inner[cell].0.iter_mut().zip(&said).for_each(|(number, more)| *number += more);
            }
            block.second.apply::<L, true>(board, inner, trunk, places);
        }
        // Step 2. The answers.
        let (mut moves, mut owners) = (Vec::new(), Vec::new());
        let (mut mean, mut most) = ([0.0; HEAD], [0.0f32; HEAD]);
        for cell in board.points() {
            let mut numbers = self.head.apply::<L>(&trunk[cell].0);
            relu(std::slice::from_mut(&mut numbers));
            let [mv, owner] = self.point.apply::<L>(&numbers);
            moves.push(mv);
            owners.push(owner.tanh());
            gather(&numbers, &mut mean, &mut most);
        }
        let points = moves.len().max(1) as f32;
        mean.iter_mut().for_each(|sum| *sum /= points);
        let mut numbers = self.pooled.apply::<L>([mean, most].as_flattened());
        relu(std::slice::from_mut(&mut numbers));
        let [pass, lead] = self.board.apply::<L>(&numbers);
        Opinion { moves, pass, owners, lead: LEAD_UNIT * lead }
    }
}

#[inline(always)]
fn relu<const C: usize>(cells: &mut [[f32; C]]) {
    cells.as_flattened_mut().iter_mut().for_each(|number| *number = number.max(0.0));
}

/// Adds a point's numbers to the sums and lets them raise the maxima.
#[inline(always)]
fn gather<const C: usize>(numbers: &[f32; C], sum: &mut [f32; C], most: &mut [f32; C]) {
    for ((&number, sum), most) in numbers.iter().zip(sum).zip(most) {
        *sum += number;
        *most = most.max(number);
    }
}

/// Means and maxima of all channels over the board; none is negative.
#[inline(always)]
fn pool<const C: usize>(board: Board, cells: &[Aligned<[f32; C]>]) -> [[f32; C]; 2] {
    let (mut mean, mut most) = ([0.0; C], [0.0; C]);
    board.points().for_each(|cell| gather(&cells[cell].0, &mut mean, &mut most));
    let points = (board.size() * board.size()) as f32;
    mean.iter_mut().for_each(|sum| *sum /= points);
    [mean, most]
}

#[cfg(test)]
mod tests {
    use super::*;
    use safetensors::tensor::TensorView;

    const PLANES: usize = 24;
    const CHANNELS: usize = 48;

    /// Numbers that look like chance and are always the same.
    fn numbers(seed: u64, count: usize, size: f32) -> Vec<f32> {
        let mut state = seed * 2 + 1;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((state >> 40) as f32 / (1 << 23) as f32 - 1.0) * size
        };
        (0..count).map(|_| next()).collect()
    }

    fn shapes() -> Vec<(String, Vec<usize>)> {
        let mut shapes = vec![("stem", vec![9, PLANES, CHANNELS])];
        shapes
            .extend([("blocks.0.first", vec![9, CHANNELS, CHANNELS]), ("blocks.0.pool", vec![2 * CHANNELS, CHANNELS])]);
        shapes.extend([("blocks.0.second", vec![9, CHANNELS, CHANNELS]), ("head", vec![CHANNELS, HEAD])]);
        shapes.extend([("point", vec![HEAD, 2]), ("pooled", vec![2 * HEAD, HEAD]), ("board", vec![HEAD, 2])]);
        let both = |(name, shape): (&str, Vec<usize>)| {
            let bias = vec![shape[shape.len() - 1]];
            [(format!("{name}.weight"), shape), (format!("{name}.bias"), bias)]
        };
        shapes.into_iter().flat_map(both).collect()
    }

    fn file() -> Vec<u8> {
        let shapes = shapes();
        let data: Vec<Vec<u8>> = shapes
            .iter()
            .enumerate()
            .map(|(at, (_, shape))| numbers(at as u64, shape.iter().product(), 0.2))
            .map(|list| list.iter().flat_map(|number| number.to_le_bytes()).collect())
            .collect();
        let views = shapes
            .iter()
            .zip(&data)
            .map(|((name, shape), data)| (name.as_str(), TensorView::new(Dtype::F32, shape.clone(), data).unwrap()));
        safetensors::serialize(views.collect::<Vec<_>>(), None).unwrap()
    }

    fn network() -> Network<PLANES, CHANNELS> {
        Network::read(&file()).unwrap()
    }

    fn filled(board: Board, seed: u64) -> Scratch<PLANES, CHANNELS> {
        let mut scratch = Scratch::default();
        let list = numbers(seed, PLANES * board.size() * board.size(), 1.0);
        let planes = scratch.planes(board);
        board.points().zip(list.as_chunks().0).for_each(|(cell, numbers)| planes[cell] = *numbers);
        scratch
    }

    /// A convolution by its definition, point by point.
    fn convolved<const IN: usize, const OUT: usize>(size: usize, from: &[Vec<f32>], name: &str) -> Vec<Vec<f32>> {
        let bytes = file();
        let tensors = Tensors(SafeTensors::deserialize(&bytes).unwrap());
        let weights = tensors.read(&format!("{name}.weight"), &[9, IN, OUT]).unwrap();
        let bias = tensors.read(&format!("{name}.bias"), &[OUT]).unwrap();
        let mut to = vec![bias; size * size];
        for (at, sums) in to.iter_mut().enumerate() {
            let (x, y) = ((at % size) as i32, (at / size) as i32);
            for tap in 0..9 {
                let (x, y) = (x + tap % 3 - 1, y + tap / 3 - 1);
                if !(0..size as i32).contains(&x) || !(0..size as i32).contains(&y) {
                    continue;
                }
                for (channel, number) in from[y as usize * size + x as usize].iter().enumerate() {
                    for (out, sum) in sums.iter_mut().enumerate() {
                        *sum += number * weights[(tap as usize * IN + channel) * OUT + out];
                    }
                }
            }
        }
        to
    }

    #[test]
    fn a_convolution_is_what_its_definition_says() {
        let network = network();
        for size in [1, 2, 3, 7, 8, 19] {
            let board = Board::new(size);
            let mut scratch = filled(board, size as u64);
            let from: Vec<Vec<f32>> = board.points().map(|cell| scratch.planes[cell].to_vec()).collect();
            let expected = convolved::<PLANES, CHANNELS>(size, &from, "stem");
            let Scratch { planes, trunk, stem: places, .. } = &mut scratch;
            board.points().for_each(|cell| trunk[cell].0 = [9.0; CHANNELS]);
            let mut kept = trunk.clone();
            network.stem.apply::<[f32; 4], false>(board, planes, trunk, places);
            network.stem.apply::<[f32; 4], true>(board, planes, &mut kept, places);
            for (cell, expected) in board.points().zip(&expected) {
                for ((sum, kept), expected) in trunk[cell].0.iter().zip(&kept[cell].0).zip(expected) {
                    assert!((sum - expected.max(0.0)).abs() < 1e-4, "size {size}, cell {cell}: {sum} and {expected}");
                    assert!((kept - (9.0 + expected).max(0.0)).abs() < 1e-4, "size {size}, cell {cell}: kept {kept}");
                }
            }
            let points: Vec<usize> = board.points().collect();
            let is_border = |cell: &usize| !points.contains(cell);
            assert!((0..board.cells()).filter(is_border).all(|cell| trunk[cell].0 == [0.0; CHANNELS]), "a border");
        }
    }

    #[test]
    fn every_kind_of_processor_has_the_same_opinion() {
        let network = network();
        for size in [5, 13, 19] {
            let board = Board::new(size);
            let plain = network.judge_with(Registers::Plain, board, &mut filled(board, 3));
            assert!(plain.moves.iter().any(|mv| (mv - plain.moves[0]).abs() > 1e-3), "{:?}", plain.moves);
            for registers in Registers::all() {
                let other = network.judge_with(registers, board, &mut filled(board, 3));
                let pairs = plain.moves.iter().zip(&other.moves).chain(plain.owners.iter().zip(&other.owners));
                for (a, b) in pairs.chain([(&plain.pass, &other.pass), (&plain.lead, &other.lead)]) {
                    assert!((a - b).abs() < 1e-3 * a.abs().max(1.0), "{registers:?}: {a} and {b}");
                }
            }
        }
    }

    #[test]
    fn memory_of_another_board_does_no_harm() {
        let network = network();
        let mut scratch = filled(Board::new(19), 4);
        network.judge(Board::new(19), &mut scratch);
        let board = Board::new(9);
        let fresh = network.judge(board, &mut filled(board, 5));
        let list = numbers(5, PLANES * 81, 1.0);
        let planes = scratch.planes(board);
        board.points().zip(list.as_chunks().0).for_each(|(cell, numbers)| planes[cell] = *numbers);
        assert_eq!(network.judge(board, &mut scratch), fresh);
    }

    #[test]
    fn damaged_files_are_refused() {
        let bytes = file();
        let read = |bytes: &[u8]| Network::<PLANES, CHANNELS>::read(bytes).err().map(|error| error.to_string());
        assert_eq!(read(&bytes), None);
        assert!(read(b"").is_some() && read(b"nonsense, and a lot of it").is_some());
        for length in [8, 100, bytes.len() / 2, bytes.len() - 1] {
            assert!(read(&bytes[..length]).is_some(), "{length} bytes");
        }
        let other = Network::<PLANES, 96>::read(&bytes).err().map(|error| error.to_string());
        assert_eq!(other.as_deref(), Some("stem.weight is [9, 24, 48] in the network, not [9, 24, 96]"));
        let mut broken = bytes.clone();
        let end = broken.len();
        broken[end - 4..].copy_from_slice(&f32::NAN.to_le_bytes());
        assert!(read(&broken).is_some_and(|error| error.contains("no number")));
    }
}
