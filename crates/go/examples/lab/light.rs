//! Learns the light policy of playouts from games that a stronger player has labelled with its own policy.
//!
//! ```text
//! lab light DIRECTORY OUT EPOCHS
//! ```
//!
//! The directory is that of `lab train`. Captures, ataris and self-ataris are learnt as well, so that the shapes need not explain them, and then thrown
//! away: playouts have rules of their own for those. It also prints how much weight the rest of the board has, for each empty
//! point: the parameter `elsewhere`.

use crate::Failure;
use crate::train::{Nine, Shard};
use std::fs;
use tengen_go::features::View;
use tengen_go::light::{SURROUNDINGS, seen_by};
use tengen_go::patterns::same_shape;

const BESIDE: usize = SURROUNDINGS;
const CORNER: usize = BESIDE + 1;
const FLAG: usize = CORNER + 1;
const SELF_ATARI: usize = FLAG + 16;
const FEATURES: usize = SELF_ATARI + 3;

/// A move: its features and the teacher's share.
struct Choice {
    features: Vec<usize>,
    share: f32,
    is_near: bool,
}

fn choices(shard: &Shard, position: usize, field: &Nine, list: &mut Vec<Choice>) {
    list.clear();
    let view = View::new(field, false);
    let own = field.to_move();
    let ring = if field.last() == 0 { [0; 8] } else { Nine::ring_of(field.last()) };
    let mut total = 0.0;
    for &cell in field.empty_points() {
        let cell = usize::from(cell);
        if !view.is_worth(cell) {
            continue;
        }
        let mut features = vec![same_shape(seen_by(field.around(cell), own) as u16).into()];
        let place = ring.iter().position(|&near| near == cell);
        features.extend(place.map(|at| if at < 4 { BESIDE } else { CORNER }));
        features.extend((0..16).filter(|flag| view.flags[cell] >> flag & 1 != 0).map(|flag| FLAG + flag));
        match field.self_atari(cell, own) {
            0 => {}
            1 => features.push(SELF_ATARI),
            2 | 3 => features.push(SELF_ATARI + 1),
            _ => features.push(SELF_ATARI + 2),
        }
        let (column, row) = Nine::coordinates(cell);
        let share = shard.share(position, row * 9 + column);
        total += share;
        list.push(Choice { features, share, is_near: place.is_some() });
    }
    // Where the teacher passes there is nothing to learn for playouts, which go on to the end.
    if total < 0.5 {
        list.clear();
    }
    list.iter_mut().for_each(|choice| choice.share /= total);
}

/// Learns.
pub fn main(words: &[String]) -> Result<(), Failure> {
    let [directory, out, epochs] = words else {
        return Err("lab light DIRECTORY OUT EPOCHS".into());
    };
    let mut shards = Vec::new();
    while let Ok(shard) = Shard::read(directory, shards.len()) {
        shards.push(shard);
    }
    let validation = shards.pop().ok_or("no shards")?;
    let mut weights = vec![0.0f32; FEATURES];
    let mut squares = vec![1e-3f32; FEATURES];
    let mut list = Vec::new();
    let sum = |weights: &[f32], choice: &Choice| choice.features.iter().map(|&feature| weights[feature]).sum::<f32>();
    for epoch in 0..epochs.parse::<u8>()? {
        let rate = 0.1 / (1.0 + f32::from(epoch));
        for shard in &shards {
            shard.replay(|position, field| {
                choices(shard, position, field, &mut list);
                let total: f32 = list.iter().map(|choice| sum(&weights, choice).exp()).sum();
                let slopes: Vec<f32> =
                    list.iter().map(|choice| sum(&weights, choice).exp() / total - choice.share).collect();
                for (choice, slope) in list.iter().zip(slopes) {
                    for &feature in &choice.features {
                        squares[feature] += slope * slope;
                        weights[feature] -= rate * (slope + 1e-5 * weights[feature]) / squares[feature].sqrt();
                    }
                }
            });
        }
        let (mut loss, mut count, mut elsewhere, mut points) = (0.0, 0.0, 0.0, 0.0);
        validation.replay(|position, field| {
            choices(&validation, position, field, &mut list);
            if list.is_empty() {
                return;
            }
            let total: f32 = list.iter().map(|choice| sum(&weights, choice).exp()).sum();
            loss -= list.iter().map(|choice| choice.share * (sum(&weights, choice) - total.ln())).sum::<f32>();
            // What playouts see: the shape alone.
            let others = list.iter().filter(|choice| !choice.is_near);
            elsewhere += others.map(|choice| weights[choice.features[0]].exp()).sum::<f32>();
            points += field.empty_count() as f32;
            count += 1.0;
        });
        println!("epoch {epoch}: loss {:.4}, elsewhere {:.3} a point", loss / count, elsewhere / points);
    }
    let byte = |weight: f32| (weight * 16.0).round().clamp(-127.0, 127.0) as i8 as u8;
    let mut bytes: Vec<u8> =
        (0..SURROUNDINGS).map(|code| byte(weights[usize::from(same_shape(code as u16))])).collect();
    bytes.extend([byte(weights[BESIDE]), byte(weights[CORNER])]);
    println!("beside the last move {:.2}, diagonally {:.2}", weights[BESIDE], weights[CORNER]);
    fs::write(out, bytes)?;
    Ok(())
}
