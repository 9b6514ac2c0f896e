//! CLOP: confident local optimisation.
//!
//! The chance to win is modelled as a quadratic function (of log-odds) near its maximum. A quadratic fits only near
//! by, so points that are confidently worse than the average lose their weight, and the rest is fitted again; new points
//! are tried where the weight is. The region so found shrinks as slowly as the games' noise demands.
// CITE: Coulom 2011, CLOP: Confident Local Optimization for Noisy Black-Box Parameter Tuning.

use super::quadratic::{Quadratic, Tried, features};
use super::{Desk, Dice, Parameter, Path, Trial, TuneError, Tuner, check_length, check_parameters};
use crate::stats::{Estimate, Wdl, Z95};
use serde::{Deserialize, Serialize};
use tengen_core::Rng;

/// How to tune.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct ClopOptions {
    /// Points to try.
    pub trials: u64,
    /// Pairs of games a point.
    pub pairs: u32,
    /// A point loses weight by how many standard deviations it is worse than the mean, divided by this.
    pub confidence: f64,
    /// The seed of the points.
    pub seed: u64,
}

impl Default for ClopOptions {
    fn default() -> Self {
        ClopOptions { trials: 5000, pairs: 1, confidence: 3.0, seed: 1 }
    }
}

/// One round of weighing: a point x keeps min(1, e^((q(x) − mean) / scale)) of its weight.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Sieve {
    model: Quadratic,
    mean: f64,
    scale: f64,
}

/// The algorithm with all it knows.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Clop {
    parameters: Vec<Parameter>,
    options: ClopOptions,
    tried: Vec<Tried>,
    sieves: Vec<Sieve>,
    /// The weight of each point tried, by the sieves.
    weights: Vec<f64>,
    estimates: Vec<Estimate>,
    /// The sieves are made anew when so many points have been told.
    refit_at: usize,
    games: u64,
    told: u64,
    dice: Dice,
    desk: Desk<()>,
    path: Path,
}

impl Clop {
    /// A tuner that knows nothing yet.
    pub fn new(parameters: Vec<Parameter>, options: ClopOptions) -> Result<Self, TuneError> {
        check_parameters(&parameters)?;
        if options.trials == 0 || options.pairs == 0 {
            return Err(TuneError("trials and pairs must be at least 1".into()));
        }
        check_length(options.trials, options.pairs)?;
        if !options.confidence.is_finite() || options.confidence <= 0.0 {
            return Err(TuneError("the confidence must be a number above 0".into()));
        }
        let whole = |p: &Parameter| Estimate { value: p.start, low: p.min, high: p.max };
        let estimates: Vec<Estimate> = parameters.iter().map(whole).collect();
        let mut path = Path::default();
        path.push(0, estimates.clone());
        Ok(Clop {
            refit_at: 2 * Quadratic::flat(parameters.len()).0.len(),
            parameters,
            options,
            tried: Vec::new(),
            sieves: Vec::new(),
            weights: Vec::new(),
            estimates,
            games: 0,
            told: 0,
            dice: Dice(Rng::with_seed(options.seed)),
            desk: Desk::new(),
            path,
        })
    }

    /// Whether all parts belong together, as they do unless a checkpoint was damaged.
    pub(super) fn is_sound(&self) -> bool {
        let size = self.parameters.len();
        let coefficients = Quadratic::flat(size).0.len();
        let points = self.tried.iter().map(|tried| tried.at.len());
        let trials = self.desk.out.iter().map(|(trial, ())| trial.values.len());
        let lengths = points.chain(trials).chain([self.estimates.len()]).all(|length| length == size);
        let sieves = self.sieves.iter().all(|sieve| sieve.model.0.len() == coefficients);
        // Sieves are made of points, and points are drawn from near those that were tried.
        lengths
            && sieves
            && self.weights.len() == self.tried.len()
            && (self.sieves.is_empty() || !self.tried.is_empty())
    }

    /// The weight of a point, by all sieves.
    fn weight(&self, at: &[f64]) -> f64 {
        let features = features(at);
        self.sieves.iter().map(|sieve| sieve.keeps(&features)).fold(1.0, f64::min)
    }

    /// A point drawn with a density that follows the weight, by Metropolis' rule: from a point that was tried, one
    /// coordinate at a time, to anywhere or to somewhere near.
    fn draw(&mut self) -> Vec<f64> {
        let dimensions = self.parameters.len();
        let mut rng = self.dice.0.clone();
        let mut at: Vec<f64> = (0..dimensions).map(|_| rng.f64() * 2.0 - 1.0).collect();
        if !self.sieves.is_empty() {
            let total: f64 = self.weights.iter().sum();
            let mut mark = rng.f64() * total;
            let chosen = self.weights.iter().position(|weight| {
                mark -= weight;
                mark <= 0.0
            });
            at = self.tried[chosen.unwrap_or(self.tried.len() - 1)].at.clone();
            let mut weight = self.weight(&at);
            for turn in 0..20 * dimensions {
                let i = turn % dimensions;
                let old = at[i];
                // Steps of all sizes, down to a hundredth of the range.
                let size = 10f64.powf(-2.0 * rng.f64());
                at[i] = old + (rng.f64() * 2.0 - 1.0) * 2.0 * size;
                let new = if at[i].abs() <= 1.0 { self.weight(&at) } else { 0.0 };
                if new > 0.0 && rng.f64() * weight <= new {
                    weight = new;
                } else {
                    at[i] = old;
                }
            }
        }
        self.dice.0 = rng;
        at
    }

    /// Makes the sieves, the weights and the estimates from all points told.
    fn refit(&mut self) {
        let dimensions = self.parameters.len();
        // Step 1. Weigh, fit, weigh again, until hardly any weight goes.
        self.sieves.clear();
        self.weights = vec![1.0; self.tried.len()];
        let mut model = Quadratic::flat(dimensions);
        let mut precision = None;
        for _ in 0..50 {
            (model, precision) = model.fit(&self.tried, &self.weights);
            let mut games = 0.0;
            let mut points = 0.0;
            for (tried, weight) in self.tried.iter().zip(&self.weights) {
                games += weight * tried.games;
                points += weight * tried.points;
            }
            // One game drawn keeps the mean's log-odds finite.
            let p = (points + 0.5) / (games + 1.0);
            let (mean, deviation) = ((p / (1.0 - p)).ln(), 1.0 / ((games + 1.0) * p * (1.0 - p)).sqrt());
            let sieve = Sieve { model: model.clone(), mean, scale: self.options.confidence * deviation };
            let before: f64 = self.weights.iter().sum();
            for (tried, weight) in self.tried.iter().zip(&mut self.weights) {
                *weight = weight.min(sieve.keeps(&features(&tried.at)));
            }
            self.sieves.push(sieve);
            if self.weights.iter().sum::<f64>() > 0.99 * before {
                break;
            }
        }
        // Step 2. The estimate: the weighted mean of what was tried, which is steadier than the model's maximum.
        let total: f64 = self.weights.iter().sum();
        let mean = |i: usize| {
            self.tried.iter().zip(&self.weights).map(|(tried, weight)| weight * tried.at[i]).sum::<f64>() / total
        };
        let mean: Vec<f64> = (0..dimensions).map(mean).collect();
        // Step 3. Its interval: how far the model's maximum moves when its coefficients move within their errors. Where
        // the model has no maximum, the region that kept its weight is all that is known.
        let deviation = precision.and_then(|precision| {
            let peak = model.peak(dimensions)?;
            let covariance = precision.inverse();
            let moves = (0..model.0.len()).map(|k| {
                let mut nudged = model.clone();
                let nudge = 1e-4 * covariance.at(k, k).sqrt();
                nudged.0[k] += nudge;
                let moved = nudged.peak(dimensions)?;
                Some(moved.iter().zip(&peak).map(|(a, b)| (a - b) / nudge).collect::<Vec<f64>>())
            });
            let moves: Vec<Vec<f64>> = moves.collect::<Option<_>>()?;
            let variance = |i: usize| {
                let sum =
                    |k: usize| (0..moves.len()).map(|l| moves[k][i] * covariance.at(k, l) * moves[l][i]).sum::<f64>();
                (0..moves.len()).map(sum).sum::<f64>()
            };
            Some((0..dimensions).map(|i| variance(i).max(0.0).sqrt()).collect::<Vec<f64>>())
        });
        let spread = |i: usize| {
            let kept = self.tried.iter().zip(&self.weights);
            (kept.map(|(tried, weight)| weight * (tried.at[i] - mean[i]).powi(2)).sum::<f64>() / total).sqrt()
        };
        self.estimates = self
            .parameters
            .iter()
            .enumerate()
            .map(|(i, parameter)| {
                let half = parameter.width() / 2.0;
                let value = parameter.min + (mean[i] + 1.0) * half;
                let reach = Z95 * half * deviation.as_ref().map_or_else(|| spread(i), |deviation| deviation[i]);
                Estimate { value, low: (value - reach).max(parameter.min), high: (value + reach).min(parameter.max) }
            })
            .collect();
    }
}

impl Sieve {
    fn keeps(&self, features: &[f64]) -> f64 {
        ((self.model.at(features) - self.mean) / self.scale).exp().min(1.0)
    }
}

impl Tuner for Clop {
    fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    fn ask(&mut self) -> Option<Trial> {
        if self.told + self.desk.out.len() as u64 >= self.options.trials {
            return None;
        }
        let at = self.draw();
        let value = |(parameter, at): (&Parameter, f64)| {
            let value = parameter.min + (at + 1.0) / 2.0 * parameter.width();
            parameter.playable(value, &mut self.dice.0)
        };
        let values = self.parameters.iter().zip(at).map(value).collect();
        Some(self.desk.hand_out(values, None, self.options.pairs, ()))
    }

    fn tell(&mut self, id: u64, result: Wdl) -> Result<(), TuneError> {
        let (trial, ()) = self.desk.take_back(id)?;
        self.told += 1;
        if result.games() == 0 {
            return Ok(());
        }
        // What was really played, rounded numbers included, is what the model must learn from.
        let coordinate = |(p, value): (&Parameter, &f64)| (value - p.min) / p.width() * 2.0 - 1.0;
        let at: Vec<f64> = self.parameters.iter().zip(&trial.values).map(coordinate).collect();
        self.weights.push(self.weight(&at));
        self.tried.push(Tried { at, games: result.games() as f64, points: result.points() });
        self.games += result.games();
        // Every few per cent, so that all fits together cost little more than the last ones.
        let last = self.told == self.options.trials;
        if self.tried.len() >= self.refit_at || last {
            self.refit();
            self.refit_at = self.tried.len() + 1 + self.tried.len() / 12;
            self.path.push(self.games, self.estimates.clone());
        }
        Ok(())
    }

    fn outstanding(&self) -> Vec<Trial> {
        self.desk.trials()
    }

    fn progress(&self) -> (u64, u64) {
        (self.told, self.options.trials)
    }

    /// Before the first fit: the start values, anywhere in their ranges.
    fn best(&self) -> Vec<Estimate> {
        self.estimates.clone()
    }

    fn path(&self) -> &Path {
        &self.path
    }
}
