//! What a network should have said, and how far it was from that.

use serde::{Deserialize, Serialize};

/// How what a head says is compared with what it should have said.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Loss {
    /// Numbers become a distribution (softmax), which should be another: the divergence of Kullback and Leibler. `smoothing` of each
    /// target is spread over all places. Its gradient is that of the cross-entropy.
    Distribution {
        /// Between 0 and 1.
        #[serde(default)]
        smoothing: f32,
    },
    /// Numbers should be others: the mean of the squares.
    Squares,
    /// The same, but far off a step counts like any other: CITE Huber 1964.
    Huber {
        /// From where on.
        #[serde(default = "one")]
        from: f32,
    },
}

fn one() -> f32 {
    1.0
}

/// What was found for a head, summed up.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Found {
    /// Samples that had a target.
    pub samples: f64,
    loss: f64,
    numbers: f64,
    divergence: f64,
    entropy: f64,
    top: f64,
    top_five: f64,
    squares: f64,
    distances: f64,
    targets: f64,
    target_squares: f64,
    wrong_signs: f64,
    signs: f64,
}

impl Found {
    /// Sums two findings up.
    pub fn add(&mut self, other: &Found) {
        let pairs = [
            (&mut self.samples, other.samples),
            (&mut self.loss, other.loss),
            (&mut self.numbers, other.numbers),
            (&mut self.divergence, other.divergence),
            (&mut self.entropy, other.entropy),
            (&mut self.top, other.top),
            (&mut self.top_five, other.top_five),
            (&mut self.squares, other.squares),
            (&mut self.distances, other.distances),
            (&mut self.targets, other.targets),
            (&mut self.target_squares, other.target_squares),
            (&mut self.wrong_signs, other.wrong_signs),
            (&mut self.signs, other.signs),
        ];
        pairs.into_iter().for_each(|(to, from)| *to += from);
    }

    /// The mean loss.
    pub fn loss(&self) -> f64 {
        self.loss / self.samples.max(1.0)
    }

    /// The figures, by name.
    pub fn figures(&self, loss: Loss) -> Vec<(&'static str, f64)> {
        let (samples, numbers) = (self.samples.max(1.0), self.numbers.max(1.0));
        match loss {
            Loss::Distribution { .. } => vec![
                ("loss", self.loss()),
                ("kl", self.divergence / samples),
                ("entropy", self.entropy / samples),
                ("top1", self.top / samples),
                ("top5", self.top_five / samples),
            ],
            Loss::Squares | Loss::Huber { .. } => {
                let mse = self.squares / numbers;
                let mean = self.targets / numbers;
                let variance = self.target_squares / numbers - mean * mean;
                vec![
                    ("loss", self.loss()),
                    ("mse", mse),
                    ("rmse", mse.sqrt()),
                    ("mae", self.distances / numbers),
                    ("r2", if variance > 0.0 { 1.0 - mse / variance } else { 0.0 }),
                    ("wrong_signs", self.wrong_signs / self.signs.max(1.0)),
                ]
            }
        }
    }
}

/// Compares what was said with targets, `count` numbers for each sample, those of samples that weigh nothing not at all. Writes to
/// `change` how the loss changes with each number, times `scale`; the loss is the mean over samples that weigh something.
pub fn compare(
    loss: Loss,
    (said, targets, weights): (&[f32], &[f32], &[f32]),
    count: usize,
    scale: f32,
    change: &mut Vec<f32>,
) -> Found {
    let mut found = Found::default();
    change.clear();
    change.resize(said.len(), 0.0);
    let total: f32 = weights.iter().sum();
    if count == 0 || total <= 0.0 {
        return found;
    }
    let mut shares = vec![0.0; count];
    let rows = said.chunks_exact(count).zip(targets.chunks_exact(count)).zip(change.chunks_exact_mut(count));
    for (((said, targets), change), &weight) in rows.zip(weights) {
        if weight <= 0.0 {
            continue;
        }
        let mut one = Found { samples: f64::from(weight), ..Found::default() };
        let factor = scale * weight / total;
        match loss {
            Loss::Distribution { smoothing } => {
                softmax(said, &mut shares);
                let spread = smoothing / count as f32;
                for ((share, target), change) in shares.iter().zip(targets).zip(change) {
                    let target = target * (1.0 - smoothing) + spread;
                    *change = factor * (share - target);
                    let logarithm = share.max(f32::MIN_POSITIVE).ln();
                    one.loss -= f64::from(target * logarithm);
                    one.entropy -= f64::from(share * logarithm);
                }
                let own = |target: f32| if target > 0.0 { f64::from(target * target.ln()) } else { 0.0 };
                one.divergence = targets
                    .iter()
                    .zip(&shares)
                    .map(|(&target, share)| own(target) - f64::from(target * share.max(f32::MIN_POSITIVE).ln()))
                    .sum();
                let best = most(targets);
                let better = said.iter().filter(|&&number| number > said[best]).count();
                one.top = f64::from(u8::from(better == 0));
                one.top_five = f64::from(u8::from(better < 5));
            }
            Loss::Squares | Loss::Huber { .. } => {
                for ((&number, &target), change) in said.iter().zip(targets).zip(change) {
                    let distance = number - target;
                    let (worth, slope) = match loss {
                        Loss::Huber { from } if distance.abs() > from => {
                            (from * (2.0 * distance.abs() - from), 2.0 * from * distance.signum())
                        }
                        _ => (distance * distance, 2.0 * distance),
                    };
                    *change = factor * slope / count as f32;
                    one.loss += f64::from(worth) / count as f64;
                    one.numbers += 1.0;
                    one.squares += f64::from(distance * distance);
                    one.distances += f64::from(distance.abs());
                    one.targets += f64::from(target);
                    one.target_squares += f64::from(target * target);
                    if target != 0.0 {
                        one.signs += 1.0;
                        one.wrong_signs += f64::from(u8::from(number * target <= 0.0));
                    }
                }
            }
        }
        let weight = f64::from(weight);
        for number in [&mut one.loss, &mut one.divergence, &mut one.entropy, &mut one.top, &mut one.top_five] {
            *number *= weight;
        }
        found.add(&one);
    }
    found
}

/// Numbers as a distribution.
pub fn softmax(numbers: &[f32], to: &mut [f32]) {
    let most = numbers.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut total = 0.0;
    for (to, number) in to.iter_mut().zip(numbers) {
        *to = (number - most).exp();
        total += *to;
    }
    to.iter_mut().for_each(|to| *to /= total);
}

/// The place of the greatest number, the first of them.
fn most(numbers: &[f32]) -> usize {
    (0..numbers.len()).fold(0, |best, at| if numbers[at] > numbers[best] { at } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_what_small_steps_say() {
        let mut rng = fastrand::Rng::with_seed(4);
        for loss in [Loss::Distribution { smoothing: 0.1 }, Loss::Squares, Loss::Huber { from: 0.3 }] {
            let mut said: Vec<f32> = (0..21).map(|_| rng.f32() * 2.0 - 1.0).collect();
            let mut targets = vec![0.0; 21];
            let wishes: Vec<f32> = (0..21).map(|_| rng.f32() * 2.0 - 1.0).collect();
            for (wishes, targets) in wishes.chunks_exact(7).zip(targets.chunks_exact_mut(7)) {
                softmax(wishes, targets);
            }
            let weights = [1.0, 0.0, 2.0];
            let mut change = Vec::new();
            let found = compare(loss, (&said, &targets, &weights), 7, 1.0, &mut change);
            assert_eq!(found.samples, 3.0);
            assert!(change[7..14].iter().all(|&number| number == 0.0), "a sample that weighs nothing");
            for at in 0..21 {
                let mut at_step = |step: f32| {
                    let before = said[at];
                    said[at] += step;
                    let loss = compare(loss, (&said, &targets, &weights), 7, 1.0, &mut Vec::new()).loss();
                    said[at] = before;
                    loss
                };
                let slope = (at_step(1e-2) - at_step(-1e-2)) / 2e-2;
                assert!((slope - f64::from(change[at])).abs() < 2e-3, "{loss:?} {at}: {slope} and {}", change[at]);
            }
        }
    }

    #[test]
    fn figures_are_what_they_are_called() {
        let figure = |loss: Loss, said: &[f32], targets: &[f32], count: usize, name: &str| {
            let weights = vec![1.0; said.len() / count];
            let found = compare(loss, (said, targets, &weights), count, 1.0, &mut Vec::new());
            found.figures(loss).into_iter().find(|(other, _)| *other == name).map(|(_, figure)| figure).unwrap()
        };
        let distribution = Loss::Distribution { smoothing: 0.0 };
        let said = [0.0f32; 4];
        assert!((figure(distribution, &said, &[1.0, 0.0, 0.0, 0.0], 4, "kl") - 4f64.ln()).abs() < 1e-6);
        assert!((figure(distribution, &said, &[1.0, 0.0, 0.0, 0.0], 4, "entropy") - 4f64.ln()).abs() < 1e-6);
        assert!(figure(distribution, &said, &[0.25; 4], 4, "kl").abs() < 1e-6);
        assert_eq!(figure(distribution, &[1.0, 3.0, 2.0], &[0.1, 0.7, 0.2], 3, "top1"), 1.0);
        assert_eq!(figure(distribution, &[4.0, 3.0, 2.0], &[0.1, 0.7, 0.2], 3, "top1"), 0.0);
        let (said, targets) = ([0.5, -0.5, 0.5, -0.5], [1.0, -1.0, -1.0, 1.0]);
        assert_eq!(figure(Loss::Squares, &said, &targets, 1, "mse"), 1.25);
        assert_eq!(figure(Loss::Squares, &said, &targets, 1, "mae"), 1.0);
        assert_eq!(figure(Loss::Squares, &said, &targets, 1, "r2"), -0.25);
        assert_eq!(figure(Loss::Squares, &said, &targets, 1, "wrong_signs"), 0.5);
    }
}
