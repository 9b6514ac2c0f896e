//! Logistic regression by gradient descent: the weights under which the evaluation predicts results best.
//!
//! The evaluation is linear in all weights but those of king danger, which are summed up first and squared then; the
//! gradient follows the chain rule there.

use super::selfplay::Sample;
use crate::evaluate::{DANGER_LINE, DANGER_SQUARE, TERMS, WEIGHTS, WEIGHTS_COUNT, coefficients, is_danger};
use crate::orthodox::Orthodox;
use shakmaty::Color;
use std::fmt::Write as _;
use tengen_core::{Notation, Rng};
use tengen_games::chess::Chess;

/// One position, as little as the regression needs.
struct Row {
    /// Place and White's count less Black's.
    linear: Box<[(u16, i16)]>,
    /// By the king in danger, White's first: place and count; empty where danger does not count.
    danger: [Box<[(u16, i16)]>; 2],
    /// Share of the middle game, and of the endgame with its scale.
    middle: f32,
    end: f32,
    extra: f32,
    result: f32,
    target: f32,
}

/// What came out.
pub struct Fit {
    /// Middle game and endgame, by place.
    pub weights: Vec<[f32; 2]>,
    /// Mean squared error on games not learned from, before and after.
    pub error: [f64; 2],
    /// The same against nothing but the games' results: what fits with different trust in the search are compared by.
    pub result_error: [f64; 2],
    /// Positions learned from.
    pub positions: usize,
}

/// How to fit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FitParams {
    /// How often to go through all positions.
    pub epochs: usize,
    /// How much of the target is the search's own opinion rather than the game's result, 0 to 1.
    pub trust: f32,
    /// How strongly weights are held where they began: those of rare terms would follow every accident of the games.
    pub hold: f32,
}

impl Default for FitParams {
    fn default() -> Self {
        FitParams { epochs: 30, trust: 0.3, hold: 0.0 }
    }
}

fn row(sample: &Sample, slope: f32, trust: f32) -> Option<Row> {
    let position = Chess::read(&sample.position).ok()?;
    let (counted, _) = coefficients(&Orthodox::new(position.rules()));
    let count = |color: Color, place: usize| counted.counts[color as usize][place];
    let linear = (0..WEIGHTS_COUNT)
        .filter(|&place| !is_danger(place))
        .map(|place| (place as u16, count(Color::White, place) - count(Color::Black, place)))
        .filter(|&(_, count)| count != 0)
        .collect();
    let danger = |color: Color| -> Box<[(u16, i16)]> {
        if !counted.danger_counts[color as usize] {
            return Box::default();
        }
        let places = (0..WEIGHTS_COUNT).filter(|&place| is_danger(place));
        places.map(|place| (place as u16, count(color, place))).filter(|&(_, count)| count != 0).collect()
    };
    let middle = counted.phase as f32 / 24.0;
    let opinion = sigmoid(sample.score as f32 * slope);
    Some(Row {
        linear,
        danger: [danger(Color::White), danger(Color::Black)],
        middle,
        end: (1.0 - middle) * counted.scale as f32 / 128.0,
        extra: counted.extra as f32,
        result: sample.result,
        target: sample.result * (1.0 - trust) + opinion * trust,
    })
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// Danger of one king, summed up: middle game, endgame.
fn danger(row: &[(u16, i16)], weights: &[[f32; 2]]) -> [f32; 2] {
    row.iter().fold([0.0; 2], |sum, &(place, count)| {
        let weight = weights[usize::from(place)];
        [sum[0] + weight[0] * f32::from(count), sum[1] + weight[1] * f32::from(count)]
    })
}

impl Row {
    /// The evaluation for White, in centipawns.
    fn evaluate(&self, weights: &[[f32; 2]]) -> f32 {
        let mut sum = [0f32; 2];
        for &(place, count) in &self.linear {
            let weight = weights[usize::from(place)];
            sum[0] += weight[0] * f32::from(count);
            sum[1] += weight[1] * f32::from(count);
        }
        for (row, sign) in self.danger.iter().zip([-1.0, 1.0]) {
            let [middle, end] = danger(row, weights);
            sum[0] += sign * middle.max(0.0).powi(2) / DANGER_SQUARE as f32;
            sum[1] += sign * end.max(0.0) / DANGER_LINE as f32;
        }
        sum[0] * self.middle + sum[1] * self.end + self.extra
    }

    /// Adds this position's part of the gradient of the squared error.
    fn add_gradient(&self, weights: &[[f32; 2]], slope: f32, gradient: &mut [[f32; 2]]) {
        let predicted = sigmoid(self.evaluate(weights) * slope);
        let step = (predicted - self.target) * predicted * (1.0 - predicted);
        let share = [step * self.middle, step * self.end];
        for &(place, count) in &self.linear {
            let entry = &mut gradient[usize::from(place)];
            entry[0] += share[0] * f32::from(count);
            entry[1] += share[1] * f32::from(count);
        }
        for (row, sign) in self.danger.iter().zip([-1.0, 1.0]) {
            let [middle, end] = danger(row, weights);
            let slope_middle = sign * 2.0 * middle.max(0.0) / DANGER_SQUARE as f32;
            let slope_end = if end > 0.0 { sign / DANGER_LINE as f32 } else { 0.0 };
            for &(place, count) in row {
                let entry = &mut gradient[usize::from(place)];
                entry[0] += share[0] * slope_middle * f32::from(count);
                entry[1] += share[1] * slope_end * f32::from(count);
            }
        }
    }
}

/// Mean squared error against what each row is to be compared with.
fn error(rows: &[Row], weights: &[[f32; 2]], slope: f32, goal: fn(&Row) -> f32) -> f64 {
    let off = |row: &Row| f64::from(sigmoid(row.evaluate(weights) * slope) - goal(row));
    rows.iter().map(|row| off(row).powi(2)).sum::<f64>() / rows.len().max(1) as f64
}

/// Fits the weights to the samples, which stand in the order of their games, beginning with those of the program. What a
/// centipawn means stays as it is: the slope of the logistic curve is fitted first and then kept. `watch` hears epoch and error.
pub fn fit(samples: &[Sample], params: FitParams, rng: &mut Rng, watch: &mut dyn FnMut(usize, f64)) -> Fit {
    let FitParams { epochs, trust, hold } = params;
    let mut weights: Vec<[f32; 2]> =
        WEIGHTS.iter().map(|weight| [weight.middle() as f32, weight.end() as f32]).collect();
    // Step 1. The slope, by trying: results only.
    let plain: Vec<Row> = samples.iter().step_by(7).filter_map(|sample| row(sample, 0.0, 0.0)).collect();
    let slope_error = |slope: f32| error(&plain, &weights, slope, |row| row.result);
    let slopes = (10..80).map(|step| step as f32 / 10_000.0);
    let slope = slopes.min_by(|&a, &b| slope_error(a).total_cmp(&slope_error(b))).unwrap_or(0.004);

    // Step 2. The rows. The last twentieth is kept for the test: whole games, because positions of one game know each other.
    let mut rows: Vec<Row> = samples.iter().filter_map(|sample| row(sample, slope, trust)).collect();
    let held_out = rows.split_off(rows.len() - rows.len() / 20);
    let began = weights.clone();
    let errors = |weights: &[[f32; 2]]| {
        [error(&held_out, weights, slope, |row| row.target), error(&held_out, weights, slope, |row| row.result)]
    };
    let [before, result_before] = errors(&weights);

    // Step 3. Adam, in batches, with a rate that falls.
    let (mut mean, mut square) = (vec![[0f32; 2]; WEIGHTS_COUNT], vec![[0f32; 2]; WEIGHTS_COUNT]);
    let mut step = 0;
    for epoch in 0..epochs {
        let rate = 1.0 * (1.0 - epoch as f32 / epochs as f32).max(0.05);
        rng.shuffle(&mut rows);
        for batch in rows.chunks(8192) {
            step += 1;
            let mut gradient = vec![[0f32; 2]; WEIGHTS_COUNT];
            for row in batch {
                row.add_gradient(&weights, slope, &mut gradient);
            }
            let correction = [1.0 - 0.9f32.powi(step), 1.0 - 0.999f32.powi(step)];
            for place in 0..WEIGHTS_COUNT {
                for part in 0..2 {
                    let held = hold * (weights[place][part] - began[place][part]);
                    let gradient = gradient[place][part] / batch.len() as f32 + held;
                    let (mean, square) = (&mut mean[place][part], &mut square[place][part]);
                    *mean = 0.9 * *mean + 0.1 * gradient;
                    *square = 0.999 * *square + 0.001 * gradient * gradient;
                    // Terms that never hold have no gradient and stay where they are.
                    if *square > 0.0 {
                        weights[place][part] -=
                            rate * (*mean / correction[0]) / ((*square / correction[1]).sqrt() + 1e-9);
                    }
                }
            }
        }
        watch(epoch + 1, errors(&weights)[0]);
    }
    let [after, result_after] = errors(&weights);
    Fit { error: [before, after], result_error: [result_before, result_after], positions: rows.len(), weights }
}

/// The weights as the source file that holds them.
pub fn weights_source(weights: &[[f32; 2]], how: &str) -> String {
    let mut text = format!(
        "//! The weights of the evaluation, as the tuner wrote them: {how}.\n\n\
         use super::packed::Packed;\nuse super::terms::WEIGHTS_COUNT;\n\n\
         const fn w(middle: i32, end: i32) -> Packed {{\n    Packed::new(middle, end)\n}}\n\n\
         /// By place: see the terms.\n#[rustfmt::skip]\npub static WEIGHTS: [Packed; WEIGHTS_COUNT] = [\n"
    );
    for term in TERMS {
        let _ = writeln!(text, "    // {}", term.name);
        let places = &weights[term.start..term.start + term.count];
        let row = if term.count == 6 * 32 { 4 } else { 8 };
        for part in places.chunks(row) {
            let part: Vec<String> = part.iter().map(|[middle, end]| format!("w({middle:.0}, {end:.0}),")).collect();
            let _ = writeln!(text, "    {}", part.join(" "));
        }
    }
    text.push_str("];\n");
    text.replace("-0,", "0,").replace("-0)", "0)")
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUIET: &str = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 8";

    /// The regression's evaluation is the program's, and its gradient is the slope of its error.
    #[test]
    fn the_row_is_the_evaluation_and_its_gradient_is_right() {
        let weights: Vec<[f32; 2]> =
            WEIGHTS.iter().map(|weight| [weight.middle() as f32, weight.end() as f32]).collect();
        for fen in crate::bench::POSITIONS.iter().chain([&QUIET]) {
            let sample = Sample { position: (*fen).to_owned(), score: 0, result: 1.0 };
            let row = row(&sample, 0.004, 0.3).expect(fen);
            let position = Chess::read(fen).expect(fen);
            let (_, score) = coefficients(&Orthodox::new(position.rules()));
            assert!((row.evaluate(&weights) - score as f32).abs() < 3.0, "{fen}: {} {score}", row.evaluate(&weights));

            let mut gradient = vec![[0f32; 2]; WEIGHTS_COUNT];
            row.add_gradient(&weights, 0.004, &mut gradient);
            let loss = |weights: &[[f32; 2]]| {
                (f64::from(sigmoid(row.evaluate(weights) * 0.004)) - f64::from(row.target)).powi(2) / 2.0
            };
            for place in 0..WEIGHTS_COUNT {
                for part in 0..2 {
                    let mut moved = [weights.clone(), weights.clone()];
                    moved[0][place][part] -= 1.0;
                    moved[1][place][part] += 1.0;
                    let numeric = (loss(&moved[1]) - loss(&moved[0])) / 2.0 / 0.004;
                    let ours = f64::from(gradient[place][part]);
                    assert!(
                        (numeric - ours).abs() < 2e-3 + 0.05 * ours.abs(),
                        "{fen} {place} {part}: {numeric} {ours}"
                    );
                }
            }
        }
    }

    #[test]
    fn samples_round_trip() {
        let sample = Sample { position: QUIET.to_owned(), score: -31, result: 0.5 };
        assert_eq!(Sample::read(&sample.write()), Some(sample));
        assert_eq!(Sample::read("nonsense"), None);
        assert_eq!(Sample::read("8/8 | 3 | 7"), None);
    }
}
