//! Convolutions and dense layers: weights made ready, forward, and backward.
//!
//! Both are products of matrices. What is on the left differs: tiles brought to Winograd's points, the neighbourhoods of all points
//! side by side, or just what is there. The board's numbers lie point by point, in each the channels in groups.

use crate::product::{Panels, Right, columns_of, multiply, rows_of};
use crate::registers::{GROUP, Group, Lanes, groups, resize};
use crate::team::Scratch;
use crate::winograd::{self, Shelf, Tiling};

/// The shape of a layer of weights. Its weights are a list `[output][input][row][column]`, as PyTorch has them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layer {
    /// Points of the board, down and across. A dense layer has one point, which sees the whole board.
    pub board: (usize, usize),
    /// Channels that come in.
    pub inputs: usize,
    /// Channels that go out.
    pub outputs: usize,
    /// How far it sees.
    pub reach: Reach,
}

/// What a sum sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// So many points down and across, an odd number, the middle one its own. Beyond the board there are zeros.
    Square(usize),
    /// All points.
    All,
}

impl Layer {
    fn points(&self) -> usize {
        self.board.0 * self.board.1
    }

    /// Points that have sums.
    pub fn points_out(&self) -> usize {
        match self.reach {
            Reach::Square(_) => self.points(),
            Reach::All => 1,
        }
    }

    fn groups_in(&self) -> usize {
        groups(self.inputs)
    }

    fn groups_out(&self) -> usize {
        groups(self.outputs)
    }

    /// Groups that a sample comes in with.
    pub fn size_in(&self) -> usize {
        self.points() * self.groups_in()
    }

    /// Groups that a sample goes out with.
    pub fn size_out(&self) -> usize {
        self.points_out() * self.groups_out()
    }

    /// Points that a sum sees.
    fn taps(&self) -> usize {
        match self.reach {
            Reach::Square(side) => side * side,
            Reach::All => self.points(),
        }
    }

    /// Weights that there are.
    pub fn weights(&self) -> usize {
        self.outputs * self.inputs * self.taps()
    }

    fn way(&self) -> Way {
        match self.reach {
            Reach::Square(3) => Way::Tiles(Tiling::of(self.board.0, self.board.1)),
            Reach::Square(1) | Reach::All => Way::Whole,
            Reach::Square(side) => Way::Neighbours(side),
        }
    }

    /// Matrices that there are, the rows of each, and of a sample in the left ones.
    fn matrices(&self) -> (usize, usize, usize) {
        match self.way() {
            Way::Tiles(tiling) => (tiling.places(), self.inputs, tiling.tiles()),
            // A single point's channels need no filling up.
            Way::Whole if self.taps() == 1 => (1, self.inputs, self.points_out()),
            Way::Whole | Way::Neighbours(_) => (1, self.taps() * self.groups_in() * GROUP, self.points_out()),
        }
    }

    /// Groups of a change of the weights while it is being added up.
    pub fn change_size(&self) -> usize {
        let (places, depth, _) = self.matrices();
        places * depth * self.groups_out()
    }

    /// Products of two numbers that a sample takes.
    pub fn products(&self) -> usize {
        let (places, depth, rows) = self.matrices();
        places * depth * rows * self.outputs
    }
}

/// How a layer is computed.
#[derive(Clone, Copy)]
enum Way {
    Tiles(Tiling),
    Neighbours(usize),
    Whole,
}

/// Weights as they are multiplied.
#[derive(Clone, Default)]
pub struct Ready {
    forward: Vec<Group>,
    backward: Vec<Group>,
}

/// Samples that go through the tiles at a time: what is on the way stays in the processor's second cache.
fn block(samples: usize, bytes: usize) -> usize {
    const NEAR: usize = 1 << 18;
    (NEAR / bytes.max(1)).clamp(1, samples.max(1))
}

/// What is done to sums before they are written.
#[derive(Default)]
pub struct Ending<'a> {
    /// Added to every point.
    pub bias: &'a [Group],
    /// Added to every point of every sample: what else comes in there.
    pub more: &'a [Group],
    /// Nothing below zero is left.
    pub relu: bool,
    /// Sums over all points, and sums of squares, are added to these.
    pub moments: Option<&'a mut Moments>,
}

/// Sums and sums of squares of channels.
#[derive(Clone, Default)]
pub struct Moments {
    /// The sums.
    pub sums: Vec<Group>,
    /// The squares'.
    pub squares: Vec<Group>,
}

impl Moments {
    /// For so many groups of channels, all zero.
    pub fn new(groups: usize) -> Self {
        Moments { sums: vec![Group::ZERO; groups], squares: vec![Group::ZERO; groups] }
    }
}

impl Ending<'_> {
    /// Writes one group of all points of a sample; `at(point)` is where its sum stands.
    #[inline(always)]
    fn write<L: Lanes>(
        &mut self,
        (sample, group, width): (usize, usize, usize),
        (from, starts): (&[Group], impl Iterator<Item = (usize, usize)>),
        (length, step): (usize, usize),
        to: &mut [Group],
    ) {
        let points = to.len() / width;
        let zero = L::splat(0.0);
        let bias = self.bias.get(group).map_or(zero, L::load);
        let more = if self.more.is_empty() { &[][..] } else { &self.more[sample * points * width..][..points * width] };
        let (mut sums, mut squares) = (zero, zero);
        for (first, start) in starts {
            for along in 0..length {
                let place = (first + along) * width + group;
                let mut sum = L::load(&from[start + along * step]).add(bias);
                if !more.is_empty() {
                    sum = sum.add(L::load(&more[place]));
                }
                if self.relu {
                    sum = sum.max(zero);
                }
                sums = sums.add(sum);
                squares = sum.multiply_add(sum, squares);
                sum.store(&mut to[place]);
            }
        }
        if let Some(moments) = &mut self.moments {
            L::load(&moments.sums[group]).add(sums).store(&mut moments.sums[group]);
            L::load(&moments.squares[group]).add(squares).store(&mut moments.squares[group]);
        }
    }
}

/// A change of what came in, on its way back.
pub enum Back<'a> {
    /// Nobody asks.
    Nobody,
    /// Written over what stands there.
    Over(&'a mut [Group]),
    /// Added to what stands there.
    More(&'a mut [Group]),
}

impl Layer {
    /// Makes weights ready, for learning also to go back.
    #[inline(always)]
    pub fn ready<L: Lanes>(&self, weights: &[f32], back: bool, to: &mut Ready) {
        let (places, depth, _) = self.matrices();
        let (taps, inputs) = (self.taps(), self.groups_in());
        let (panels, panels_back) = (Panels::new(self.groups_out()), Panels::new(groups(depth)));
        resize(&mut to.forward, places * depth * panels.groups);
        if back {
            resize(&mut to.backward, places * self.outputs * panels_back.groups);
        }
        let weight = |output: usize, input: usize, tap: usize| -> f32 {
            if output < self.outputs && input < self.inputs {
                weights[(output * self.inputs + input) * taps + tap]
            } else {
                0.0
            }
        };
        match self.way() {
            Way::Tiles(tiling) => {
                let gather = |output: &dyn Fn(usize) -> (usize, usize)| -> [Group; 9] {
                    let mut kernel = [Group::ZERO; 9];
                    for lane in 0..GROUP {
                        let (output, input) = output(lane);
                        for (tap, numbers) in kernel.iter_mut().enumerate() {
                            numbers.0[lane] = weight(output, input, tap);
                        }
                    }
                    kernel
                };
                for input in 0..self.inputs {
                    for group in 0..panels.groups {
                        let kernel = gather(&|lane| (group * GROUP + lane, input));
                        let place = panels.place(depth, input, group);
                        let forward = &mut to.forward;
                        winograd::spread(tiling, load::<L>(&kernel), |at, numbers| {
                            numbers.store(&mut forward[at * depth * panels.groups + place]);
                        });
                    }
                }
                for output in (0..self.outputs).filter(|_| back) {
                    for group in 0..inputs {
                        let kernel = gather(&|lane| (output, group * GROUP + lane));
                        let place = panels_back.place(self.outputs, output, group);
                        let backward = &mut to.backward;
                        winograd::spread(tiling, load::<L>(&kernel), |at, numbers| {
                            numbers.store(&mut backward[at * self.outputs * inputs + place]);
                        });
                    }
                }
            }
            Way::Neighbours(_) | Way::Whole => {
                // Rows of the matrix: point by point the channels in groups.
                let of_row = |row: usize| (row % (inputs * GROUP), row / (inputs * GROUP));
                for row in 0..depth {
                    let (input, tap) = of_row(row);
                    for group in 0..panels.groups {
                        let numbers = &mut to.forward[panels.place(depth, row, group)].0;
                        for (lane, number) in numbers.iter_mut().enumerate() {
                            *number = weight(group * GROUP + lane, input, tap);
                        }
                    }
                }
                for output in (0..self.outputs).filter(|_| back) {
                    for group in 0..panels_back.groups {
                        let numbers = &mut to.backward[panels_back.place(self.outputs, output, group)].0;
                        for (lane, number) in numbers.iter_mut().enumerate() {
                            let (input, tap) = of_row(group * GROUP + lane);
                            *number = if tap < taps { weight(output, input, tap) } else { 0.0 };
                        }
                    }
                }
            }
        }
    }

    /// Brings samples through the layer.
    #[inline(always)]
    pub fn forward<L: Lanes>(
        &self,
        ready: &Ready,
        from: &[Group],
        mut ending: Ending<'_>,
        to: &mut [Group],
        scratch: &mut Scratch,
    ) {
        let samples = to.len() / self.size_out();
        let (places, depth, rows) = self.matrices();
        let (inputs, outputs, panels) = (self.groups_in(), self.groups_out(), Panels::new(self.groups_out()));
        let block = block(samples, places * rows * inputs.max(outputs) * 64);
        for first in (0..samples).step_by(block) {
            let count = block.min(samples - first);
            let from = &from[first * self.size_in()..][..count * self.size_in()];
            let to = &mut to[first * self.size_out()..][..count * self.size_out()];
            let all = count * rows;
            resize(&mut scratch.right, places * all * outputs);
            match self.way() {
                Way::Tiles(tiling) => {
                    resize(&mut scratch.left, places * all * inputs);
                    frame(tiling, &mut scratch.frame);
                    for (sample, from) in from.chunks_exact(self.size_in()).enumerate() {
                        for group in 0..inputs {
                            fill::<L>(tiling, from, (group, inputs), &mut scratch.frame);
                            let shelf = shelf(all, inputs, sample * rows, group);
                            winograd::view::<L>(tiling, &scratch.frame, &mut scratch.left, shelf);
                        }
                    }
                    for place in 0..places {
                        let left = &scratch.left[place * all * inputs..][..all * inputs];
                        let right = Right::Packed(&ready.forward[place * depth * outputs..][..depth * outputs]);
                        let to = &mut scratch.right[place * all * outputs..][..all * outputs];
                        multiply::<L>(rows_of(left, inputs), right, (all, depth, panels), false, to);
                    }
                    for (sample, to) in to.chunks_exact_mut(self.size_out()).enumerate() {
                        for group in 0..outputs {
                            let shelf = shelf(all, outputs, sample * rows, group);
                            winograd::sum::<L>(tiling, &scratch.right, shelf, &mut scratch.frame);
                            let what = (first + sample, group, outputs);
                            ending.write::<L>(what, (&scratch.frame, tiling.rows()), (tiling.board.1, 1), to);
                        }
                    }
                }
                way => {
                    let left = match way {
                        Way::Neighbours(side) => {
                            resize(&mut scratch.left, all * side * side * inputs);
                            neighbours(self.board, side, inputs, from, &mut scratch.left);
                            rows_of(&scratch.left, side * side * inputs)
                        }
                        _ => rows_of(from, self.size_in() / rows),
                    };
                    multiply::<L>(left, Right::Packed(&ready.forward), (all, depth, panels), false, &mut scratch.right);
                    for (sample, to) in to.chunks_exact_mut(self.size_out()).enumerate() {
                        for group in 0..outputs {
                            let what = (first + sample, group, outputs);
                            let start = sample * self.size_out() + group;
                            let starts = std::iter::once((0, start));
                            ending.write::<L>(what, (&scratch.right, starts), (rows, outputs), to);
                        }
                    }
                }
            }
        }
    }

    /// Brings a change of the sums back: writes what it means for the weights to `change` (as they are multiplied), and adds
    /// what it means for the bias to `bias`, unless that is empty.
    #[inline(always)]
    pub fn backward<L: Lanes>(
        &self,
        ready: &Ready,
        (from, sums): (&[Group], &[Group]),
        (change, bias): (&mut [Group], &mut [Group]),
        mut back: Back<'_>,
        scratch: &mut Scratch,
    ) {
        let samples = sums.len() / self.size_out();
        let (places, depth, rows) = self.matrices();
        let (inputs, outputs, panels) = (self.groups_in(), self.groups_out(), Panels::new(self.groups_out()));
        if !bias.is_empty() {
            for (at, sum) in sums.iter().enumerate() {
                let bias = &mut bias[at % outputs];
                L::load(bias).add(L::load(sum)).store(bias);
            }
        }
        let block = block(samples, places * rows * inputs.max(outputs) * 64);
        for first in (0..samples).step_by(block) {
            let count = block.min(samples - first);
            let from = &from[first * self.size_in()..][..count * self.size_in()];
            let sums = &sums[first * self.size_out()..][..count * self.size_out()];
            let all = count * rows;
            let range = first * self.size_in()..(first + count) * self.size_in();
            match self.way() {
                Way::Tiles(tiling) => {
                    resize(&mut scratch.left, places * all * inputs);
                    resize(&mut scratch.right, places * all * outputs);
                    // Step 1. Both to the points.
                    frame(tiling, &mut scratch.frame);
                    for (sample, (from, sums)) in
                        from.chunks_exact(self.size_in()).zip(sums.chunks_exact(self.size_out())).enumerate()
                    {
                        for group in 0..inputs {
                            fill::<L>(tiling, from, (group, inputs), &mut scratch.frame);
                            let shelf = shelf(all, inputs, sample * rows, group);
                            winograd::view::<L>(tiling, &scratch.frame, &mut scratch.left, shelf);
                        }
                        for group in 0..outputs {
                            fill::<L>(tiling, sums, (group, outputs), &mut scratch.frame);
                            let shelf = shelf(all, outputs, sample * rows, group);
                            winograd::unsum::<L>(tiling, &scratch.frame, &mut scratch.right, shelf);
                        }
                    }
                    // Step 2. Products: with what came in for the weights, with the weights for what came in.
                    let panels_back = Panels::new(inputs);
                    for place in 0..places {
                        let left = &mut scratch.left[place * all * inputs..][..all * inputs];
                        let sums = &scratch.right[place * all * outputs..][..all * outputs];
                        let change = &mut change[place * depth * outputs..][..depth * outputs];
                        multiply::<L>(
                            columns_of(left, inputs),
                            Right::Rows(sums),
                            (depth, all, panels),
                            first > 0,
                            change,
                        );
                        if !matches!(back, Back::Nobody) {
                            let size = self.outputs * inputs;
                            let right = Right::Packed(&ready.backward[place * size..][..size]);
                            let size = (all, self.outputs, panels_back);
                            multiply::<L>(rows_of(sums, outputs), right, size, false, left);
                        }
                    }
                    // Step 3. Back to the board.
                    let (to, adds) = match &mut back {
                        Back::Nobody => continue,
                        Back::Over(to) => (&mut to[range], false),
                        Back::More(to) => (&mut to[range], true),
                    };
                    for (sample, to) in to.chunks_exact_mut(self.size_in()).enumerate() {
                        for group in 0..inputs {
                            scratch.frame.fill(Group::ZERO);
                            let shelf = shelf(all, inputs, sample * rows, group);
                            winograd::unview::<L>(tiling, &scratch.left, shelf, &mut scratch.frame);
                            for (point, cell) in tiling.rows() {
                                for along in 0..tiling.board.1 {
                                    let to = &mut to[(point + along) * inputs + group];
                                    let number = L::load(&scratch.frame[cell + along]);
                                    let number = if adds { number.add(L::load(to)) } else { number };
                                    number.store(to);
                                }
                            }
                        }
                    }
                }
                way => {
                    let wide = groups(depth);
                    let left = match way {
                        Way::Neighbours(side) => {
                            resize(&mut scratch.left, all * wide);
                            neighbours(self.board, side, inputs, from, &mut scratch.left);
                            &scratch.left[..all * wide]
                        }
                        _ => from,
                    };
                    let size = (depth, all, panels);
                    multiply::<L>(columns_of(left, wide), Right::Rows(sums), size, first > 0, change);
                    let (to, adds) = match &mut back {
                        Back::Nobody => continue,
                        Back::Over(to) => (&mut to[range], false),
                        Back::More(to) => (&mut to[range], true),
                    };
                    let size = (all, self.outputs, Panels::new(wide));
                    let right = Right::Packed(&ready.backward);
                    if let Way::Neighbours(side) = way {
                        if !adds {
                            to.fill(Group::ZERO);
                        }
                        multiply::<L>(rows_of(sums, outputs), right, size, false, &mut scratch.left);
                        unneighbours::<L>(self.board, side, inputs, &scratch.left, to);
                    } else {
                        multiply::<L>(rows_of(sums, outputs), right, size, adds, to);
                    }
                }
            }
        }
    }

    /// A change as it was added up, part by part, as a change of the weights.
    #[inline(always)]
    pub fn change<L: Lanes>(&self, parts: &[Vec<Group>], to: &mut [f32]) {
        let (_, depth, _) = self.matrices();
        let (taps, outputs, inputs) = (self.taps(), self.groups_out(), self.groups_in());
        let total = |at: usize| {
            let mut sum = L::splat(0.0);
            for part in parts {
                sum = sum.add(L::load(&part[at]));
            }
            sum
        };
        for row in 0..depth {
            for group in 0..outputs {
                let (input, first_tap, kernel) = match self.way() {
                    Way::Tiles(tiling) => {
                        let from = |place: usize| total((place * depth + row) * outputs + group);
                        (row, 0, winograd::unspread::<L>(tiling, from))
                    }
                    _ => {
                        let mut kernel = [L::splat(0.0); 9];
                        kernel[0] = total(row * outputs + group);
                        (row % (inputs * GROUP), row / (inputs * GROUP), kernel)
                    }
                };
                if input >= self.inputs {
                    continue;
                }
                let count = if matches!(self.way(), Way::Tiles(_)) { 9 } else { 1 };
                for (tap, numbers) in kernel.into_iter().take(count).enumerate() {
                    let mut lanes = Group::ZERO;
                    numbers.store(&mut lanes);
                    for (lane, number) in lanes.0.into_iter().enumerate().take(self.outputs - group * GROUP) {
                        to[((group * GROUP + lane) * self.inputs + input) * taps + first_tap + tap] = number;
                    }
                }
            }
        }
    }
}

#[inline(always)]
fn load<L: Lanes>(kernel: &[Group; 9]) -> [L; 9] {
    let mut numbers = [L::splat(0.0); 9];
    for (number, group) in numbers.iter_mut().zip(kernel) {
        *number = L::load(group);
    }
    numbers
}

/// An empty frame.
fn frame(tiling: Tiling, to: &mut Vec<Group>) {
    to.clear();
    to.resize(tiling.cells(), Group::ZERO);
}

/// One group of a board into a frame. The border keeps its zeros.
#[inline(always)]
fn fill<L: Lanes>(tiling: Tiling, from: &[Group], (group, width): (usize, usize), to: &mut [Group]) {
    for (point, cell) in tiling.rows() {
        for along in 0..tiling.board.1 {
            L::load(&from[(point + along) * width + group]).store(&mut to[cell + along]);
        }
    }
}

fn shelf(all: usize, groups: usize, tile: usize, group: usize) -> Shelf {
    Shelf { place: all * groups, start: tile * groups + group, tile: groups }
}

/// For every tap: the point's cell beside it, if it is on the board.
#[inline(always)]
fn taps((height, width): (usize, usize), side: usize, mut each: impl FnMut(usize, usize, Option<usize>)) {
    let half = side / 2;
    for point in 0..height * width {
        for tap in 0..side * side {
            let (row, column) = (point / width + tap / side, point % width + tap % side);
            let inside = (half..half + height).contains(&row) && (half..half + width).contains(&column);
            each(point, tap, inside.then(|| (row - half) * width + column - half));
        }
    }
}

/// What every point sees, side by side.
#[inline(always)]
fn neighbours(board: (usize, usize), side: usize, groups: usize, from: &[Group], to: &mut [Group]) {
    let (points, taps_count) = (board.0 * board.1, side * side);
    for (sample, from) in from.chunks_exact(points * groups).enumerate() {
        taps(board, side, |point, tap, there| {
            let to = &mut to[((sample * points + point) * taps_count + tap) * groups..][..groups];
            match there {
                Some(there) => to.copy_from_slice(&from[there * groups..][..groups]),
                None => to.fill(Group::ZERO),
            }
        });
    }
}

/// The same turned: adds to every point what those that see it say.
#[inline(always)]
fn unneighbours<L: Lanes>(board: (usize, usize), side: usize, groups: usize, from: &[Group], to: &mut [Group]) {
    let (points, taps_count) = (board.0 * board.1, side * side);
    for (sample, to) in to.chunks_exact_mut(points * groups).enumerate() {
        taps(board, side, |point, tap, there| {
            let Some(there) = there else { return };
            for group in 0..groups {
                let number = L::load(&from[((sample * points + point) * taps_count + tap) * groups + group]);
                let to = &mut to[there * groups + group];
                L::load(to).add(number).store(to);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registers::{Registers, Work, flat, flat_mut};

    /// All that a layer does with a batch.
    struct All<'a> {
        layer: Layer,
        weights: &'a [f32],
        from: &'a [Group],
        sums: &'a [Group],
    }

    #[derive(Debug)]
    struct Said {
        to: Vec<Group>,
        back: Vec<Group>,
        weights: Vec<f32>,
        bias: Vec<Group>,
    }

    impl Work for All<'_> {
        type Answer = Said;
        #[inline(always)]
        fn by<L: Lanes>(self) -> Said {
            let All { layer, weights, from, sums } = self;
            let (mut ready, mut scratch) = (Ready::default(), Scratch::default());
            layer.ready::<L>(weights, true, &mut ready);
            let mut to = vec![Group::ZERO; sums.len()];
            layer.forward::<L>(&ready, from, Ending::default(), &mut to, &mut scratch);
            let mut change = vec![vec![Group([7.0; GROUP]); layer.change_size()]; 2];
            let mut bias = vec![Group::ZERO; groups(layer.outputs)];
            let mut back = vec![Group([9.0; GROUP]); from.len()];
            // In two parts, the first written over and the second, after a reset, added.
            let half = from.len() / layer.size_in() / 2;
            let (first_from, second_from) = from.split_at(half * layer.size_in());
            let (first_sums, second_sums) = sums.split_at(half * layer.size_out());
            let (first, second) = back.split_at_mut(half * layer.size_in());
            let [one, two] = &mut change[..] else { unreachable!("two parts") };
            layer.backward::<L>(&ready, (first_from, first_sums), (one, &mut bias), Back::Over(first), &mut scratch);
            second.fill(Group::ZERO);
            layer.backward::<L>(&ready, (second_from, second_sums), (two, &mut bias), Back::More(second), &mut scratch);
            let mut learnt = vec![0.0; layer.weights()];
            layer.change::<L>(&change, &mut learnt);
            Said { to, back, weights: learnt, bias }
        }
    }

    /// Random numbers in the first channels of so many points.
    fn numbers(rng: &mut fastrand::Rng, points: usize, channels: usize) -> Vec<Group> {
        let wide = groups(channels);
        let mut list = vec![Group::ZERO; points * wide];
        for row in flat_mut(&mut list).chunks_exact_mut(wide * GROUP) {
            row[..channels].fill_with(|| rng.f32() - 0.5);
        }
        list
    }

    fn dot(a: &[f32], b: &[f32]) -> f64 {
        a.iter().zip(b).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum()
    }

    /// What a layer says of a sample, by its definition.
    fn defined(layer: &Layer, weights: &[f32], from: &[Group]) -> Vec<f32> {
        let (height, width) = layer.board;
        let (wide_in, wide_out) = (groups(layer.inputs) * GROUP, groups(layer.outputs) * GROUP);
        let taps = layer.taps();
        let from = flat(from);
        let mut to = vec![0.0; layer.points_out() * wide_out];
        for point in 0..layer.points_out() {
            for tap in 0..taps {
                let there = match layer.reach {
                    Reach::All => Some(tap),
                    Reach::Square(side) => {
                        let row = (point / width + tap / side).checked_sub(side / 2).filter(|&row| row < height);
                        let column =
                            (point % width + tap % side).checked_sub(side / 2).filter(|&column| column < width);
                        row.zip(column).map(|(row, column)| row * width + column)
                    }
                };
                let Some(there) = there else { continue };
                for output in 0..layer.outputs {
                    for input in 0..layer.inputs {
                        let weight = weights[(output * layer.inputs + input) * taps + tap];
                        to[point * wide_out + output] += weight * from[there * wide_in + input];
                    }
                }
            }
        }
        to
    }

    #[test]
    fn layers_are_what_their_definition_says_forwards_and_backwards() {
        let square = Reach::Square;
        for (height, width, inputs, outputs, reach) in [
            (9, 9, 8, 64, square(3)),
            (9, 9, 33, 20, square(3)),
            (19, 19, 16, 16, square(3)),
            (3, 3, 2, 5, square(3)),
            (6, 7, 3, 18, square(3)),
            (4, 3, 17, 40, square(3)),
            (2, 2, 1, 1, square(3)),
            (9, 9, 20, 7, square(1)),
            (7, 5, 6, 9, square(5)),
            (4, 4, 2, 3, square(7)),
            (1, 1, 90, 30, square(1)),
            (3, 4, 18, 30, Reach::All),
        ] {
            let layer = Layer { board: (height, width), inputs, outputs, reach };
            let mut rng = fastrand::Rng::with_seed(3);
            let samples = 5;
            let weights: Vec<f32> = (0..layer.weights()).map(|_| rng.f32() - 0.5).collect();
            let from = numbers(&mut rng, samples * height * width, inputs);
            let sums = numbers(&mut rng, samples * layer.points_out(), outputs);
            for registers in Registers::all() {
                let said = registers.run(All { layer, weights: &weights, from: &from, sums: &sums });
                for (sample, to) in said.to.chunks_exact(layer.size_out()).enumerate() {
                    let from = &from[sample * layer.size_in()..][..layer.size_in()];
                    for (number, expected) in flat(to).iter().zip(defined(&layer, &weights, from)) {
                        let bound = 1e-5 * (inputs as f32 * 9.0).max(4.0);
                        assert!((number - expected).abs() < bound, "{registers:?} {layer:?}: {number}, not {expected}");
                    }
                }
                // Forward is linear in what comes in and in the weights: backward is right if these products are the same.
                let product = dot(flat(&said.to), flat(&sums));
                for (name, other) in
                    [("in", dot(flat(&said.back), flat(&from))), ("weights", dot(&said.weights, &weights))]
                {
                    let bound = 2e-4 * product.abs().max(10.0);
                    assert!((product - other).abs() < bound, "{registers:?} {layer:?} {name}: {other}, not {product}");
                }
                let total: f64 = flat(&said.bias).iter().map(|&number| f64::from(number)).sum();
                let expected: f64 = flat(&sums).iter().map(|&number| f64::from(number)).sum();
                assert!((total - expected).abs() < 1e-2, "{registers:?} {layer:?}: {total}, not {expected}");
            }
        }
    }
}
