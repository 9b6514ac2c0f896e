//! Everything that is done number by number, channel by channel or point by point.

use crate::description::Act;
use crate::registers::{GROUP, Group, Lanes};

/// A bend of one number.
#[inline(always)]
pub fn bend(act: Act, x: f32) -> f32 {
    match act {
        Act::None => x,
        Act::Relu => x.max(0.0),
        Act::Mish => x * tanh_of_softplus(x),
        Act::Tanh => 2.0 * sigmoid(2.0 * x) - 1.0,
        Act::Sigmoid => sigmoid(x),
    }
}

/// How fast a bend rises at a number.
#[inline(always)]
pub fn slope(act: Act, x: f32) -> f32 {
    match act {
        Act::None => 1.0,
        Act::Relu => f32::from(x > 0.0),
        Act::Mish => {
            let t = tanh_of_softplus(x);
            t + x * (1.0 - t * t) * sigmoid(x)
        }
        Act::Tanh => {
            let y = bend(Act::Tanh, x);
            1.0 - y * y
        }
        Act::Sigmoid => {
            let y = sigmoid(x);
            y * (1.0 - y)
        }
    }
}

/// `tanh(ln(1 + eˣ))` without a logarithm: with `n = eˣ · (eˣ + 2)` it is `n / (n + 2)`.
#[inline(always)]
fn tanh_of_softplus(x: f32) -> f32 {
    let e = exp(x.min(20.0));
    let n = e * (e + 2.0);
    n / (n + 2.0)
}

#[inline(always)]
fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// `eˣ` to six digits, in steps that the compiler turns into wide instructions: a power of two from the bits of the exponent, and a
/// polynomial for what is left, between −½ and ½.
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    const ROUND: f32 = 12_582_912.0;
    let scaled = (x * std::f32::consts::LOG2_E).clamp(-126.0, 126.0);
    let whole = (scaled + ROUND) - ROUND;
    let t = (scaled - whole) * std::f32::consts::LN_2;
    let rest = 1.0 + t * (1.0 + t * (0.5 + t * (1.0 / 6.0 + t * (1.0 / 24.0 + t * (1.0 / 120.0 + t * (1.0 / 720.0))))));
    rest * f32::from_bits(((whole as i32 + 127) as u32) << 23)
}

/// `to = bend(a · from + b + more)`, channel by channel. Without `more` it is empty.
#[inline(always)]
pub fn norm<L: Lanes>(act: Act, (a, b): (&[Group], &[Group]), from: &[Group], more: &[Group], to: &mut [Group]) {
    let width = a.len();
    let zero = L::splat(0.0);
    for (point, (from, to)) in from.chunks_exact(width).zip(to.chunks_exact_mut(width)).enumerate() {
        for group in 0..width {
            let mut sum = L::load(&from[group]).multiply_add(L::load(&a[group]), L::load(&b[group]));
            if !more.is_empty() {
                sum = sum.add(L::load(&more[point * width + group]));
            }
            if act == Act::Relu {
                sum = sum.max(zero);
            }
            sum.store(&mut to[group]);
        }
    }
    bend_all(act, to);
}

/// Bends numbers in place; what `norm` and `add` have bent already stays as it is.
#[inline(always)]
fn bend_all(act: Act, all: &mut [Group]) {
    match act {
        Act::None | Act::Relu => {}
        Act::Mish => each(all, |x| bend(Act::Mish, x)),
        Act::Tanh => each(all, |x| bend(Act::Tanh, x)),
        Act::Sigmoid => each(all, |x| bend(Act::Sigmoid, x)),
    }
}

#[inline(always)]
fn each(all: &mut [Group], how: impl Fn(f32) -> f32) {
    for group in all {
        for number in &mut group.0 {
            *number = how(*number);
        }
    }
}

/// `to = bend(from + more)`.
#[inline(always)]
pub fn add<L: Lanes>(act: Act, from: &[Group], more: &[Group], to: &mut [Group]) {
    let zero = L::splat(0.0);
    for (at, (from, to)) in from.iter().zip(to.iter_mut()).enumerate() {
        let mut sum = L::load(from);
        if !more.is_empty() {
            sum = sum.add(L::load(&more[at]));
        }
        if act == Act::Relu {
            sum = sum.max(zero);
        }
        sum.store(to);
    }
    bend_all(act, to);
}

/// A change of what was bent becomes, in place, a change of what came to the bend. For a ReLU it is enough to see what came out; for
/// others `before(at)` says what came in.
#[inline(always)]
pub fn unbend<L: Lanes>(act: Act, after: &[Group], before: impl Fn(usize) -> L, change: &mut [Group]) {
    match act {
        Act::None => {}
        Act::Relu => {
            for (after, change) in after.iter().zip(change) {
                L::load(change).where_above_zero(L::load(after)).store(change);
            }
        }
        act => {
            for (at, change) in change.iter_mut().enumerate() {
                let mut numbers = Group::ZERO;
                before(at).store(&mut numbers);
                for (number, change) in numbers.0.into_iter().zip(&mut change.0) {
                    *change *= slope(act, number);
                }
            }
        }
    }
}

/// Sums of changes, and of changes times what came in, channel by channel.
#[inline(always)]
pub fn sums<L: Lanes>(change: &[Group], from: &[Group], width: usize, (one, both): (&mut [Group], &mut [Group])) {
    // Four groups of channels at a time, so that their sums stay in registers.
    for first in (0..width).step_by(4) {
        match width - first {
            1 => sums_of::<L, 1>(change, from, width, first, (one, both)),
            2 => sums_of::<L, 2>(change, from, width, first, (one, both)),
            3 => sums_of::<L, 3>(change, from, width, first, (one, both)),
            _ => sums_of::<L, 4>(change, from, width, first, (one, both)),
        }
    }
}

#[inline(always)]
fn sums_of<L: Lanes, const N: usize>(
    change: &[Group],
    from: &[Group],
    width: usize,
    first: usize,
    (one, both): (&mut [Group], &mut [Group]),
) {
    let mut totals = [(L::splat(0.0), L::splat(0.0)); N];
    for (change, from) in change.chunks_exact(width).zip(from.chunks_exact(width)) {
        for (at, (one, both)) in totals.iter_mut().enumerate() {
            let (change, from) = (L::load(&change[first + at]), L::load(&from[first + at]));
            *one = one.add(change);
            *both = change.multiply_add(from, *both);
        }
    }
    for (at, total) in totals.into_iter().enumerate() {
        let (one, both) = (&mut one[first + at], &mut both[first + at]);
        total.0.add(L::load(one)).store(one);
        total.1.add(L::load(both)).store(both);
    }
}

/// `change = a · change + b · from + c`, channel by channel.
#[inline(always)]
pub fn unnorm<L: Lanes>((a, b, c): (&[Group], &[Group], &[Group]), from: &[Group], change: &mut [Group]) {
    let width = a.len();
    for (from, change) in from.chunks_exact(width).zip(change.chunks_exact_mut(width)) {
        for group in 0..width {
            let rest = L::load(&from[group]).multiply_add(L::load(&b[group]), L::load(&c[group]));
            L::load(&change[group]).multiply_add(L::load(&a[group]), rest).store(&mut change[group]);
        }
    }
}

/// `to += from`.
#[inline(always)]
pub fn more<L: Lanes>(from: &[Group], to: &mut [Group]) {
    for (from, to) in from.iter().zip(to) {
        L::load(to).add(L::load(from)).store(to);
    }
}

/// How KataGo weighs a board's size in what is pooled, so that one network plays on all boards.
pub fn size_weight(points: usize) -> f32 {
    ((points as f32).sqrt() - 14.0) / 10.0
}

/// A board's means; with `all` also the means weighed by its size, and the maxima. `channels` of each, one after the other.
#[inline(always)]
pub fn pool(channels: usize, all: bool, from: &[Group], to: &mut [Group]) {
    let width = channels.div_ceil(GROUP);
    let points = from.len() / width;
    to.fill(Group::ZERO);
    for channel in 0..channels {
        let at = |point: usize| from[point * width + channel / GROUP].0[channel % GROUP];
        let mut put = |place: usize, number: f32| to[place / GROUP].0[place % GROUP] = number;
        let (mut sum, mut most) = (0.0, f32::NEG_INFINITY);
        for point in 0..points {
            sum += at(point);
            most = at(point).max(most);
        }
        let mean = sum / points as f32;
        put(channel, mean);
        if all {
            put(channels + channel, mean * size_weight(points));
            put(2 * channels + channel, most);
        }
    }
}

/// `pool` backwards, added to `to`.
#[inline(always)]
pub fn unpool(channels: usize, all: bool, from: &[Group], change: &[Group], to: &mut [Group]) {
    let width = channels.div_ceil(GROUP);
    let points = from.len() / width;
    for channel in 0..channels {
        let at = |place: usize| change[place / GROUP].0[place % GROUP];
        let mut mean = at(channel);
        if all {
            mean += at(channels + channel) * size_weight(points);
            let number = |point: usize| from[point * width + channel / GROUP].0[channel % GROUP];
            // The first of the greatest.
            let most = (1..points).fold(0, |best, point| if number(point) > number(best) { point } else { best });
            to[most * width + channel / GROUP].0[channel % GROUP] += at(2 * channels + channel);
        }
        mean /= points as f32;
        for point in 0..points {
            to[point * width + channel / GROUP].0[channel % GROUP] += mean;
        }
    }
}

/// The shares of points: what is said of them, as a distribution.
fn shares(said: &[Group]) -> Vec<f32> {
    let most = said.iter().map(|group| group.0[0]).fold(f32::NEG_INFINITY, f32::max);
    let mut shares: Vec<f32> = said.iter().map(|group| (group.0[0] - most).exp()).collect();
    let total: f32 = shares.iter().sum();
    shares.iter_mut().for_each(|share| *share /= total);
    shares
}

/// A board's means, weighed by the points' shares.
pub fn attend(from: &[Group], said: &[Group], to: &mut [Group]) {
    to.fill(Group::ZERO);
    let width = to.len();
    for (share, from) in shares(said).into_iter().zip(from.chunks_exact(width)) {
        for (to, from) in to.iter_mut().zip(from) {
            to.0.iter_mut().zip(from.0).for_each(|(to, number)| *to += share * number);
        }
    }
}

/// `attend` backwards, added to both.
pub fn unattend(from: &[Group], said: &[Group], change: &[Group], to: &mut [Group], to_said: &mut [Group]) {
    let width = change.len();
    let shares = shares(said);
    let dot = |point: &[Group]| -> f32 {
        point.iter().zip(change).map(|(a, b)| a.0.iter().zip(b.0).map(|(a, b)| a * b).sum::<f32>()).sum()
    };
    let worth: Vec<f32> = from.chunks_exact(width).map(dot).collect();
    let mean: f32 = shares.iter().zip(&worth).map(|(share, worth)| share * worth).sum();
    for (point, to) in to.chunks_exact_mut(width).enumerate() {
        for (to, change) in to.iter_mut().zip(change) {
            to.0.iter_mut().zip(change.0).for_each(|(to, change)| *to += shares[point] * change);
        }
        to_said[point].0[0] += shares[point] * (worth[point] - mean);
    }
}

/// The greatest of squares of points. What is left over at the lower and right edge is not seen.
#[inline(always)]
pub fn max_pool<L: Lanes>(width: usize, board: (usize, usize), side: usize, from: &[Group], to: &mut [Group]) {
    let across = board.1 / side;
    for (at, to) in to.iter_mut().enumerate() {
        let (point, group) = (at / width, at % width);
        let (row, column) = (point / across * side, point % across * side);
        let mut most = L::splat(f32::NEG_INFINITY);
        for tap in 0..side * side {
            let there = (row + tap / side) * board.1 + column + tap % side;
            most = most.max(L::load(&from[there * width + group]));
        }
        most.store(to);
    }
}

/// `max_pool` backwards, added to `to`: the first of the greatest has it all.
pub fn unmax_pool(
    width: usize,
    board: (usize, usize),
    side: usize,
    (from, after): (&[Group], &[Group]),
    change: &[Group],
    to: &mut [Group],
) {
    let across = board.1 / side;
    for (at, (change, after)) in change.iter().zip(after).enumerate() {
        let (point, group) = (at / width, at % width);
        let (row, column) = (point / across * side, point % across * side);
        for lane in 0..GROUP {
            let there = |tap: usize| ((row + tap / side) * board.1 + column + tap % side) * width + group;
            if let Some(tap) = (0..side * side).find(|&tap| from[there(tap)].0[lane] == after.0[lane]) {
                to[there(tap)].0[lane] += change.0[lane];
            }
        }
    }
}

/// The numbers of a sample map by map, each point by point, one behind the other.
pub fn flatten(channels: usize, from: &[Group], mut to: impl FnMut(usize, f32)) {
    let width = channels.div_ceil(GROUP);
    let points = from.len() / width.max(1);
    for (point, groups) in from.chunks_exact(width).enumerate() {
        for channel in 0..channels {
            to(channel * points + point, groups[channel / GROUP].0[channel % GROUP]);
        }
    }
}

/// `flatten` backwards: writes every number, `from(place)` giving it.
pub fn unflatten(channels: usize, to: &mut [Group], from: impl Fn(usize) -> f32) {
    let width = channels.div_ceil(GROUP);
    let points = to.len() / width.max(1);
    for (point, groups) in to.chunks_exact_mut(width).enumerate() {
        groups.fill(Group::ZERO);
        for channel in 0..channels {
            groups[channel / GROUP].0[channel % GROUP] = from(channel * points + point);
        }
    }
}

/// A factor for every number of a part, 0 or what keeps the mean: the same for the same seed. `first` is the first group's number.
pub fn drop_some(rate: f32, seed: u64, first: usize, all: &mut [Group]) {
    let keep = 1.0 / (1.0 - rate);
    let bound = (f64::from(rate) * f64::from(u32::MAX)) as u32;
    for (at, group) in all.iter_mut().enumerate() {
        // CITE: Steele et al. 2014, SplitMix64; two numbers a word.
        let mut state = seed ^ ((first + at) as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        for pair in group.0.chunks_exact_mut(2) {
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mut word = state;
            word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            word ^= word >> 31;
            for (number, bits) in pair.iter_mut().zip([word as u32, (word >> 32) as u32]) {
                *number *= if bits < bound { 0.0 } else { keep };
            }
        }
    }
}
