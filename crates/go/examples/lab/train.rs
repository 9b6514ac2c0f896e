//! Learns the weights of the policy from games that a stronger player has labelled with its own policy.
//!
//! ```text
//! lab train OUT EPOCHS START DIRECTORY…
//! ```
//!
//! A directory holds for each shard `S` (0, 1, …) the arrays `S.game_start` (i32), `S.move` (u8 or u16: row × size + column, size² a pass,
//! the largest number none) and `S.policy` (f16, size² + 1 a position), little endian, and the width of the board as text in `S.size`
//! (9 without it). The first shard of each directory is for validation only. `START` is a file of weights to go on from, or `-`.

use crate::{Failure, half};
use std::fs;
use std::time::Instant;
use tengen_go::features::{FEATURES, Features, View};
use tengen_go::field::{Cell, Field};

/// Small boards.
pub type Nine = Field<111, 2>;

/// One shard of games.
pub struct Shard {
    /// How wide the board is.
    pub size: usize,
    starts: Vec<usize>,
    moves: Vec<u8>,
    policy: Vec<u8>,
}

impl Shard {
    /// Reads a shard.
    pub fn read(directory: &str, number: usize) -> Result<Shard, Failure> {
        let file = |name: &str| fs::read(format!("{directory}/{number}.{name}"));
        let starts: Vec<usize> = file("game_start")?
            .chunks_exact(4)
            .map(|bytes| i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize)
            .collect();
        let size = file("size").map_or(Ok(9), |text| String::from_utf8_lossy(&text).trim().parse())?;
        let shard = Shard { size, starts, moves: file("move")?, policy: file("policy")? };
        let positions = shard.starts.last().copied().unwrap_or(0);
        // Whoever was stopped while writing may have left more at the end than the games that are named.
        let is_whole = (2..=19).contains(&size)
            && shard.starts.is_sorted()
            && (shard.moves.len() == positions || shard.moves.len() >= 2 * positions)
            && shard.policy.len() >= 2 * positions * (size * size + 1)
            && (0..positions).all(|position| shard.mv(position).is_none_or(|mv| mv <= size * size));
        if is_whole { Ok(shard) } else { Err(format!("{directory}/{number}: the files do not fit together").into()) }
    }

    /// The numbers of a game's positions.
    pub fn positions(&self, game: usize) -> std::ops::Range<usize> {
        self.starts[game]..self.starts[game + 1]
    }

    /// The move made in a position.
    pub fn mv(&self, position: usize) -> Option<usize> {
        let positions = self.starts.last().copied().unwrap_or(0);
        // One byte a move where the board is small enough.
        let (mv, none) = if self.moves.len() == positions {
            (usize::from(self.moves[position]), 255)
        } else {
            (usize::from(u16::from_le_bytes([self.moves[2 * position], self.moves[2 * position + 1]])), 65535)
        };
        (mv != none).then_some(mv)
    }

    /// The teacher's share for a move.
    pub fn share(&self, position: usize, mv: usize) -> f32 {
        half(&self.policy, position * (self.size * self.size + 1) + mv)
    }

    /// Shows every position with its number.
    pub fn replay<const CELLS: usize, const WORDS: usize>(&self, mut see: impl FnMut(usize, &Field<CELLS, WORDS>)) {
        for game in self.starts.windows(2) {
            let mut field = Field::<CELLS, WORDS>::new(self.size, true);
            for position in game[0]..game[1] {
                see(position, &field);
                match self.mv(position) {
                    None => break,
                    Some(mv) if mv == self.size * self.size => {
                        field.pass();
                        if field.passes() > 1 {
                            field.resume();
                        }
                    }
                    Some(mv) => field.play(Field::<CELLS, WORDS>::cell_at(mv % self.size, mv / self.size)),
                }
            }
        }
    }

    /// Shows the moves worth looking at in every position, with their features and the teacher's shares.
    fn lessons(&self, learn: &mut impl FnMut(&[(Features, f32)])) {
        match self.size {
            ..=9 => self.lessons_on::<111, 2>(learn),
            10..=13 => self.lessons_on::<211, 4>(learn),
            _ => self.lessons_on::<421, 7>(learn),
        }
    }

    fn lessons_on<const CELLS: usize, const WORDS: usize>(&self, learn: &mut impl FnMut(&[(Features, f32)])) {
        let mut list = Vec::new();
        self.replay::<CELLS, WORDS>(|position, field| {
            list.clear();
            let view = View::new(field, true);
            let mut total = 0.0;
            let mut add = |cell: Cell, number: usize| {
                let share = self.share(position, number);
                total += share;
                list.push((view.features(cell), share));
            };
            for &cell in field.empty_points() {
                let cell = usize::from(cell);
                if view.is_worth(cell) {
                    let (column, row) = Field::<CELLS, WORDS>::coordinates(cell);
                    add(cell, row * self.size + column);
                }
            }
            add(0, self.size * self.size);
            for (_, share) in list.iter_mut() {
                *share /= f32::max(total, 1e-6);
            }
            learn(&list);
        });
    }
}

/// The shares that the weights give.
fn shares(weights: &[f32], list: &[(Features, f32)], out: &mut Vec<f32>) {
    out.clear();
    let sum = |features: &Features| features.list().iter().map(|&feature| weights[feature as usize]).sum::<f32>();
    out.extend(list.iter().map(|(features, _)| sum(features)));
    let most = out.iter().copied().fold(f32::MIN, f32::max);
    let mut total = 0.0;
    for share in out.iter_mut() {
        *share = (*share - most).exp();
        total += *share;
    }
    out.iter_mut().for_each(|share| *share /= total);
}

/// How well weights do on games they have not learnt from: the loss, the teacher's own entropy, and the share of
/// positions in which they find its best move.
fn examine(weights: &[f32], shard: &Shard) -> [f32; 3] {
    let mut probabilities = Vec::new();
    let (mut loss, mut entropy, mut right, mut count) = (0.0, 0.0, 0.0, 0.0);
    shard.lessons(&mut |list| {
        shares(weights, list, &mut probabilities);
        for ((_, target), probability) in list.iter().zip(&probabilities) {
            loss -= target * probability.max(1e-9).ln();
            entropy -= target * target.max(1e-9).ln();
        }
        let best =
            |value: &dyn Fn(usize) -> f32| (0..list.len()).max_by(|&a, &b| value(a).total_cmp(&value(b))).unwrap_or(0);
        right += f32::from(u8::from(best(&|at| list[at].1) == best(&|at| probabilities[at])));
        count += 1.0;
    });
    [loss / count, entropy / count, right / count]
}

/// Learns.
pub fn main(words: &[String]) -> Result<(), Failure> {
    let [out, epochs, start, directories @ ..] = words else {
        return Err("lab train OUT EPOCHS START DIRECTORY…".into());
    };
    let (mut shards, mut validation) = (Vec::new(), Vec::new());
    for directory in directories {
        validation.push(Shard::read(directory, 0)?);
        let mut number = 1;
        while let Ok(shard) = Shard::read(directory, number) {
            shards.push(shard);
            number += 1;
        }
    }
    let mut weights = vec![0.0f32; FEATURES];
    if start != "-" {
        let bytes = fs::read(start)?;
        weights.iter_mut().zip(bytes).for_each(|(weight, byte)| *weight = f32::from(byte as i8) / 16.0);
    }
    let mut squares = vec![1e-3f32; FEATURES];
    let mut seen = vec![0u32; FEATURES];
    let given = weights.clone();
    let mut probabilities = Vec::new();
    let report = |weights: &[f32], what: &str| {
        for shard in &validation {
            let [loss, entropy, right] = examine(weights, shard);
            let (size, right) = (shard.size, 100.0 * right);
            println!("{what}, {size}x{size}: loss {loss:.4} (entropy {entropy:.4}), best move found {right:.2} %");
        }
    };
    report(&weights, "before");
    for epoch in 0..epochs.parse()? {
        let start = Instant::now();
        let rate = if epoch == 0 { 0.1 } else { 0.1 / (1.0 + f32::from(epoch as u8)) };
        for shard in &shards {
            shard.lessons(&mut |list| {
                shares(&weights, list, &mut probabilities);
                for ((features, target), probability) in list.iter().zip(&probabilities) {
                    let slope = probability - target;
                    for &feature in features.list() {
                        let feature = feature as usize;
                        squares[feature] += slope * slope;
                        seen[feature] += u32::from(epoch == 0);
                        weights[feature] -= rate * (slope + 1e-6 * weights[feature]) / squares[feature].sqrt();
                    }
                }
            });
        }
        report(&weights, &format!("epoch {epoch}, {:.0} s", start.elapsed().as_secs_f32()));
    }
    // Rare features are noise.
    let bytes: Vec<u8> = (0..FEATURES)
        .map(|at| if seen[at] < 20 { given[at] } else { weights[at] })
        .map(|weight| (weight * 16.0).round().clamp(-127.0, 127.0) as i8 as u8)
        .collect();
    println!("features with a weight: {}", bytes.iter().filter(|&&byte| byte != 0).count());
    fs::write(out, bytes)?;
    Ok(())
}
