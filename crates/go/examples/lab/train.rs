//! Learns the weights of the policy from games that a stronger player has labelled with its own policy.
//!
//! ```text
//! lab train DIRECTORY OUT EPOCHS
//! ```
//!
//! The directory holds for each shard `S` (0, 1, …) the arrays `S.game_start` (i32), `S.move` (u8: row × 9 + column, 81 a pass, 255
//! none) and `S.policy` (f16, 82 a position), little endian. The last shard is for validation only.

use crate::{Failure, half};
use std::fs;
use std::time::Instant;
use tengen_go::features::{FEATURES, Features, View};
use tengen_go::field::{Cell, Field};

/// Small boards.
pub type Nine = Field<111, 2>;

/// One shard of games.
pub struct Shard {
    starts: Vec<usize>,
    moves: Vec<u8>,
    policy: Vec<u8>,
}

impl Shard {
    /// Reads a shard.
    pub fn read(directory: &str, number: usize) -> Result<Shard, Failure> {
        let file = |name: &str| fs::read(format!("{directory}/{number}.{name}"));
        let starts = file("game_start")?
            .chunks_exact(4)
            .map(|bytes| i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize)
            .collect();
        Ok(Shard { starts, moves: file("move")?, policy: file("policy")? })
    }

    /// The teacher's share for a move.
    pub fn share(&self, position: usize, mv: usize) -> f32 {
        half(&self.policy, position * 82 + mv)
    }

    /// Shows every position with its number.
    pub fn replay(&self, mut see: impl FnMut(usize, &Nine)) {
        for game in self.starts.windows(2) {
            let mut field = Nine::new(9, true);
            for position in game[0]..game[1] {
                see(position, &field);
                match self.moves[position] {
                    255 => break,
                    81 => {
                        field.pass();
                        if field.passes() > 1 {
                            field.resume();
                        }
                    }
                    mv => field.play(Nine::cell_at(usize::from(mv) % 9, usize::from(mv) / 9)),
                }
            }
        }
    }
}

/// The moves worth looking at, with their features and the teacher's shares.
fn candidates(shard: &Shard, position: usize, field: &Nine, list: &mut Vec<(Features, f32)>) {
    list.clear();
    let view = View::new(field, true);
    let mut total = 0.0;
    let mut add = |cell: Cell, number: usize| {
        let share = shard.share(position, number);
        total += share;
        list.push((view.features(cell), share));
    };
    for &cell in field.empty_points() {
        let cell = usize::from(cell);
        if view.is_worth(cell) {
            let (column, row) = Nine::coordinates(cell);
            add(cell, row * 9 + column);
        }
    }
    add(0, 81);
    for (_, share) in list.iter_mut() {
        *share /= f32::max(total, 1e-6);
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

/// Learns.
pub fn main(words: &[String]) -> Result<(), Failure> {
    let [directory, out, epochs] = words else {
        return Err("lab train DIRECTORY OUT EPOCHS".into());
    };
    let mut shards = Vec::new();
    while let Ok(shard) = Shard::read(directory, shards.len()) {
        shards.push(shard);
    }
    let validation = shards.pop().ok_or("no shards")?;
    let mut weights = vec![0.0f32; FEATURES];
    let mut squares = vec![1e-3f32; FEATURES];
    let mut seen = vec![0u32; FEATURES];
    let mut list = Vec::new();
    let mut probabilities = Vec::new();
    for epoch in 0..epochs.parse()? {
        let start = Instant::now();
        let rate = if epoch == 0 { 0.1 } else { 0.1 / (1.0 + f32::from(epoch as u8)) };
        for shard in &shards {
            shard.replay(|position, field| {
                candidates(shard, position, field, &mut list);
                shares(&weights, &list, &mut probabilities);
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
        let (mut loss, mut entropy, mut right, mut count) = (0.0, 0.0, 0.0, 0.0);
        validation.replay(|position, field| {
            candidates(&validation, position, field, &mut list);
            shares(&weights, &list, &mut probabilities);
            for ((_, target), probability) in list.iter().zip(&probabilities) {
                loss -= target * probability.max(1e-9).ln();
                entropy -= target * target.max(1e-9).ln();
            }
            let best = |value: &dyn Fn(usize) -> f32| {
                (0..list.len()).max_by(|&a, &b| value(a).total_cmp(&value(b))).unwrap_or(0)
            };
            right += f32::from(u8::from(best(&|at| list[at].1) == best(&|at| probabilities[at])));
            count += 1.0;
        });
        println!(
            "epoch {epoch}: loss {:.4} (entropy {:.4}), best move found {:.2} %, {:.0} s",
            loss / count,
            entropy / count,
            100.0 * right / count,
            start.elapsed().as_secs_f32()
        );
    }
    // Rare features are noise.
    let bytes: Vec<u8> = weights
        .iter()
        .zip(&seen)
        .map(|(&weight, &seen)| if seen < 20 { 0 } else { (weight * 16.0).round().clamp(-127.0, 127.0) as i8 as u8 })
        .collect();
    println!("features with a weight: {}", bytes.iter().filter(|&&byte| byte != 0).count());
    fs::write(out, bytes)?;
    Ok(())
}
