//! From gradients to better weights.

use crate::graph::{Kind, Parameter};
use serde::{Deserialize, Serialize};

/// A way to go.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rule {
    /// Down the gradient, with momentum.
    Sgd,
    /// CITE: Kingma & Ba 2014. Weight decay is part of the gradient.
    Adam,
    /// CITE: Loshchilov & Hutter 2017. Weight decay is apart from the gradient.
    #[default]
    AdamW,
    /// CITE: Liu et al. 2019: Adam that waits until it knows how much gradients vary. Weight decay is part of the gradient.
    RAdam,
}

/// How weights change.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Optimiser {
    /// The way.
    pub rule: Rule,
    /// The step, before a schedule changes it.
    pub rate: f32,
    /// Matrices are drawn towards zero by this; biases and norms are not.
    pub decay: f32,
    /// How much of the last step's direction stays, for SGD.
    pub momentum: f32,
    /// How much of the mean of gradients stays, for the Adams.
    pub beta1: f32,
    /// How much of the mean of their squares stays, for the Adams.
    pub beta2: f32,
    /// Gradients longer than this are cut to it; 0: never.
    pub clip: f32,
    /// How much of the mean of weights stays from step to step, which is what plays; 0: there is no such mean.
    pub ema: f32,
}

impl Default for Optimiser {
    fn default() -> Self {
        let rule = Rule::AdamW;
        Optimiser { rule, rate: 1e-3, decay: 1e-4, momentum: 0.9, beta1: 0.9, beta2: 0.999, clip: 1.0, ema: 0.0 }
    }
}

/// Added to what divides.
const TINY: f32 = 1e-8;

/// What an optimiser remembers from step to step.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Memory {
    /// Steps so far.
    pub steps: u64,
    /// Means of gradients, or the momentum.
    pub means: Vec<Vec<f32>>,
    /// Means of their squares.
    pub squares: Vec<Vec<f32>>,
    /// Means of weights.
    pub average: Vec<Vec<f32>>,
}

impl Optimiser {
    /// One step: changes weights by their gradients, the rate times `factor`. Returns how long the gradient was.
    pub fn step(
        &self,
        factor: f32,
        parameters: &[Parameter],
        weights: &mut [Vec<f32>],
        gradients: &[Vec<f32>],
        memory: &mut Memory,
    ) -> f32 {
        for lists in [&mut memory.means, &mut memory.squares] {
            lists.resize(weights.len(), vec![]);
            lists.iter_mut().zip(weights.iter()).for_each(|(list, weights)| list.resize(weights.len(), 0.0));
        }
        memory.steps += 1;
        let squares = |list: &Vec<f32>| list.iter().map(|&number| f64::from(number) * f64::from(number)).sum::<f64>();
        let length = gradients.iter().map(squares).sum::<f64>().sqrt() as f32;
        let cut = if self.clip > 0.0 && length > self.clip { self.clip / length } else { 1.0 };
        let rate = self.rate * factor;
        let time = memory.steps as f32;
        let (unbias1, unbias2) = (1.0 - self.beta1.powf(time), 1.0 - self.beta2.powf(time));
        let rectify = self.rectify(time);
        for (at, parameter) in parameters.iter().enumerate().filter(|(_, parameter)| parameter.kind.is_learnt()) {
            let decay = if matches!(parameter.kind, Kind::Matrix(_)) { self.decay } else { 0.0 };
            let lists = weights[at].iter_mut().zip(&gradients[at]);
            let kept = memory.means[at].iter_mut().zip(memory.squares[at].iter_mut());
            for ((weight, gradient), (mean, square)) in lists.zip(kept) {
                let apart = if self.rule == Rule::AdamW { decay } else { 0.0 };
                let gradient = gradient * cut + (decay - apart) * *weight;
                if self.rule == Rule::Sgd {
                    *mean = self.momentum * *mean + gradient;
                    *weight -= rate * *mean;
                    continue;
                }
                *mean += (1.0 - self.beta1) * (gradient - *mean);
                *square += (1.0 - self.beta2) * (gradient * gradient - *square);
                let direction = *mean / unbias1;
                let spread = (*square / unbias2).sqrt() + TINY;
                let step = match (self.rule, rectify) {
                    (Rule::RAdam, Some(trust)) => trust * direction / spread,
                    (Rule::RAdam, None) => direction,
                    _ => direction / spread,
                };
                *weight -= rate * (step + apart * *weight);
            }
        }
        if self.ema > 0.0 {
            // At first the mean follows closely, or the beginning would stay in it for long.
            let stays = self.ema.min((1.0 + time) / (10.0 + time));
            if memory.average.is_empty() {
                memory.average = weights.to_vec();
            }
            for (average, weights) in memory.average.iter_mut().zip(weights.iter()) {
                average.iter_mut().zip(weights).for_each(|(mean, weight)| *mean += (1.0 - stays) * (weight - *mean));
            }
        }
        length
    }

    /// How far RAdam trusts its squares after so many steps, if at all.
    fn rectify(&self, time: f32) -> Option<f32> {
        let longest = 2.0 / (1.0 - self.beta2) - 1.0;
        let power = self.beta2.powf(time);
        let length = longest - 2.0 * time * power / (1.0 - power);
        let share = |length: f32| (length - 4.0) * (length - 2.0) / length;
        (length > 5.0).then(|| (share(length) / share(longest)).sqrt())
    }
}

/// How the rate changes in the course of learning.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind", deny_unknown_fields)]
pub enum Schedule {
    /// Not at all.
    #[default]
    Constant,
    /// Rises for a share of the time, then falls like half a cosine to a share of itself.
    Cosine {
        /// The share of the time that it rises.
        #[serde(default)]
        warmup: f32,
        /// Where it ends.
        #[serde(default)]
        end: f32,
    },
    /// Rises like half a cosine from a 25th, and falls to almost nothing. CITE: Smith & Topin 2017.
    OneCycle {
        /// The share of the time that it rises.
        #[serde(default = "third")]
        warmup: f32,
    },
    /// Falls when validation has not become better for some epochs.
    Plateau {
        /// What it is multiplied by.
        #[serde(default = "half")]
        factor: f32,
        /// For how many epochs it waits.
        #[serde(default = "two")]
        patience: u32,
    },
}

fn third() -> f32 {
    0.3
}

fn half() -> f32 {
    0.5
}

fn two() -> u32 {
    2
}

impl Schedule {
    /// The factor after a share of the time; `falls` is how often validation had not become better for long enough.
    pub fn factor(self, share: f32, falls: u32) -> f32 {
        let share = share.clamp(0.0, 1.0);
        // From `from` to `to` like half a cosine.
        let swing =
            |from: f32, to: f32, share: f32| to + (from - to) * (1.0 + (std::f32::consts::PI * share).cos()) / 2.0;
        match self {
            Schedule::Constant => 1.0,
            Schedule::Cosine { warmup, .. } if share < warmup => (share / warmup).max(1e-3),
            Schedule::Cosine { warmup, end } => swing(1.0, end, (share - warmup) / (1.0 - warmup).max(1e-6)),
            Schedule::OneCycle { warmup } if share < warmup => swing(0.04, 1.0, share / warmup),
            Schedule::OneCycle { warmup } => swing(1.0, 1e-5, (share - warmup) / (1.0 - warmup).max(1e-6)),
            Schedule::Plateau { factor, .. } => factor.powi(falls as i32),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(kind: Kind) -> Parameter {
        Parameter { name: "list".into(), shape: vec![2], kind }
    }

    /// The numbers of PyTorch 2.15 (float64) for weights [1, −2], the gradient weights² + 0.3 at each of five steps, rate 0.1 and decay 0.01.
    #[test]
    fn steps_are_those_of_pytorch() {
        let check = |rule: Rule, momentum: f32, expected: [f32; 2]| {
            let optimiser = Optimiser { rule, rate: 0.1, decay: 0.01, momentum, clip: 0.0, ..Optimiser::default() };
            let mut weights = vec![vec![1.0f32, -2.0]];
            let mut memory = Memory::default();
            for _ in 0..5 {
                let gradients = vec![weights[0].iter().map(|weight| weight * weight + 0.3).collect()];
                optimiser.step(1.0, &[parameter(Kind::Matrix(1))], &mut weights, &gradients, &mut memory);
            }
            for (weight, expected) in weights[0].iter().zip(expected) {
                assert!(
                    (weight - expected).abs() < 1e-4 * expected.abs().max(1.0),
                    "{rule:?}: {:?}, not {expected:?}",
                    weights[0]
                );
            }
        };
        STEPS.iter().for_each(|&(rule, momentum, expected)| check(rule, momentum, expected));
    }

    const STEPS: [(Rule, f32, [f32; 2]); 4] = [
        (Rule::Sgd, 0.9, [-0.212_531_1, -26.089_116]),
        (Rule::Adam, 0.0, [0.512_254_6, -2.502_188_8]),
        (Rule::AdamW, 0.0, [0.508_451, -2.491_194]),
        (Rule::RAdam, 0.0, [0.459_890_87, -5.628_404]),
    ];

    #[test]
    fn long_gradients_are_cut_and_what_is_watched_is_not_learnt() {
        let optimiser =
            Optimiser { rule: Rule::Sgd, rate: 1.0, decay: 0.0, momentum: 0.0, clip: 1.0, ..Optimiser::default() };
        let parameters = [parameter(Kind::Bias), parameter(Kind::Mean)];
        let mut weights = vec![vec![0.0; 2]; 2];
        let gradients = vec![vec![3.0, -4.0], vec![0.0; 2]];
        let length = optimiser.step(1.0, &parameters, &mut weights, &gradients, &mut Memory::default());
        assert_eq!((length, &weights[0], &weights[1]), (5.0, &vec![-0.6, 0.8], &vec![0.0; 2]));
    }

    #[test]
    fn rates_rise_and_fall() {
        let cosine = Schedule::Cosine { warmup: 0.1, end: 0.1 };
        assert_eq!([0.05, 0.1, 1.0].map(|share| cosine.factor(share, 0)), [0.5, 1.0, 0.1]);
        assert!((cosine.factor(0.55, 0) - 0.55).abs() < 1e-5);
        let cycle = Schedule::OneCycle { warmup: 0.3 };
        assert!((cycle.factor(0.0, 0) - 0.04).abs() < 1e-6 && cycle.factor(1.0, 0) < 1e-4);
        assert!((cycle.factor(0.3, 0) - 1.0).abs() < 1e-6);
        assert_eq!(Schedule::Plateau { factor: 0.5, patience: 2 }.factor(0.9, 3), 0.125);
    }
}
