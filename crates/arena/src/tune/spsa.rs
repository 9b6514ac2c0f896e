//! SPSA: simultaneous perturbation stochastic approximation.
//!
//! All parameters are moved at once, each up or down by the toss of a coin; the player so changed meets the player
//! changed the other way, and everything follows the winner a little. The number of parameters costs nothing, but steps
//! are small: it improves values that are sensible already.
// CITE: Spall 1992; the gains and their end values as fishtest has them.

use super::{Desk, Dice, Parameter, Path, Trial, TuneError, Tuner, check_length, check_parameters};
use crate::stats::{Estimate, Wdl, Z95};
use serde::{Deserialize, Serialize};
use tengen_core::Rng;

/// How fast the steps shrink.
const GAMMA: f64 = 0.101;
/// How fast the learning rate falls.
const ALPHA: f64 = 0.602;

/// How to tune.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct SpsaOptions {
    /// Pairs of games altogether: each pair is one iteration.
    pub iterations: u64,
    /// Pairs played with the same tosses.
    pub pairs: u32,
    /// The learning rate at the end, in units of the step: a pair won moves a parameter by this times its step, twice.
    pub rate: f64,
    /// The seed of the tosses.
    pub seed: u64,
}

impl Default for SpsaOptions {
    fn default() -> Self {
        SpsaOptions { iterations: 20_000, pairs: 1, rate: 0.002, seed: 1 }
    }
}

/// What a trial was made of.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Tosses {
    /// +1 or −1 for each parameter.
    flips: Vec<i8>,
    /// What one game won more than lost moves each parameter by, before the flip.
    gains: Vec<f64>,
}

/// The algorithm with all it knows.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Spsa {
    parameters: Vec<Parameter>,
    options: SpsaOptions,
    /// The values now, one a parameter; not rounded.
    theta: Vec<f64>,
    /// The squares of all moves so far, summed: how far chance alone would have come.
    wander: Vec<f64>,
    /// Pairs handed out.
    iteration: u64,
    told: u64,
    games: u64,
    dice: Dice,
    desk: Desk<Tosses>,
    path: Path,
}

impl Spsa {
    /// A tuner at the start values.
    pub fn new(parameters: Vec<Parameter>, options: SpsaOptions) -> Result<Self, TuneError> {
        check_parameters(&parameters)?;
        if options.iterations == 0 || options.pairs == 0 {
            return Err(TuneError("iterations and pairs must be at least 1".into()));
        }
        check_length(options.iterations, options.pairs)?;
        if !options.rate.is_finite() || options.rate <= 0.0 {
            return Err(TuneError("the rate must be a number above 0".into()));
        }
        let mut spsa = Spsa {
            theta: parameters.iter().map(|parameter| parameter.start).collect(),
            wander: vec![0.0; parameters.len()],
            parameters,
            options,
            iteration: 0,
            told: 0,
            games: 0,
            dice: Dice(Rng::with_seed(options.seed)),
            desk: Desk::new(),
            path: Path::default(),
        };
        spsa.path.push(0, spsa.best());
        Ok(spsa)
    }

    /// Whether all parts belong together, as they do unless a checkpoint was damaged.
    pub(super) fn is_sound(&self) -> bool {
        let size = self.parameters.len();
        let tosses = self.desk.out.iter().map(|(_, tosses)| [tosses.flips.len(), tosses.gains.len()]);
        let lengths = tosses.flatten().chain([self.theta.len(), self.wander.len()]).all(|length| length == size);
        lengths && self.options.pairs > 0 && self.options.iterations > 0
    }

    /// The step of a parameter and its gain at iteration `k`, counted from 1.
    ///
    /// c_k = c / k^γ and a_k = a / (A + k)^α, with c and a such that the last step is the parameter's own and the last
    /// learning rate, a / c², is the one asked for.
    fn schedule(&self, parameter: &Parameter, k: f64) -> (f64, f64) {
        let last = self.options.iterations as f64;
        let stability = last / 10.0;
        let last_step = parameter.step.unwrap_or(parameter.width() / 20.0);
        let step = last_step * (last / k).powf(GAMMA);
        let a = self.options.rate * last_step.powi(2) * ((stability + last) / (stability + k)).powf(ALPHA);
        // fishtest's R_k = a_k / c_k², used as R_k · c_k · result · flip.
        (step, a / step)
    }
}

impl Tuner for Spsa {
    fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    fn ask(&mut self) -> Option<Trial> {
        if self.iteration >= self.options.iterations {
            return None;
        }
        let k = (self.iteration + 1) as f64;
        let left = self.options.iterations - self.iteration;
        let pairs = u64::from(self.options.pairs).min(left) as u32;
        self.iteration += u64::from(pairs);
        let rng = &mut self.dice.0;
        let flips: Vec<i8> = self.parameters.iter().map(|_| if rng.bool() { 1 } else { -1 }).collect();
        let schedule: Vec<_> = self.parameters.iter().map(|parameter| self.schedule(parameter, k)).collect();
        let mut shifted = |sign: f64| -> Vec<f64> {
            let shift = |i: usize| self.theta[i] + sign * f64::from(flips[i]) * schedule[i].0;
            (0..self.theta.len()).map(|i| self.parameters[i].playable(shift(i), &mut self.dice.0)).collect()
        };
        let (plus, minus) = (shifted(1.0), shifted(-1.0));
        let gains = schedule.iter().map(|(_, gain)| *gain).collect();
        Some(self.desk.hand_out(plus, Some(minus), pairs, Tosses { flips, gains }))
    }

    fn tell(&mut self, id: u64, result: Wdl) -> Result<(), TuneError> {
        let (_, tosses) = self.desk.take_back(id)?;
        let surplus = result.wins as f64 - result.losses as f64;
        for (i, parameter) in self.parameters.iter().enumerate() {
            let step = tosses.gains[i] * f64::from(tosses.flips[i]) * surplus;
            self.theta[i] = (self.theta[i] + step).clamp(parameter.min, parameter.max);
            self.wander[i] += step * step;
        }
        self.told += 1;
        self.games += result.games();
        if self.path.wants(self.games) {
            self.path.push(self.games, self.best());
        }
        Ok(())
    }

    fn outstanding(&self) -> Vec<Trial> {
        self.desk.trials()
    }

    fn progress(&self) -> (u64, u64) {
        let pairs = u64::from(self.options.pairs);
        (self.told, self.options.iterations.div_ceil(pairs))
    }

    /// The interval is what chance alone would do to a parameter that does not matter: 95 % of such walks stay this
    /// near to where they began. A parameter that went further than that has found something.
    fn best(&self) -> Vec<Estimate> {
        let estimate = |i: usize| {
            let (value, reach) = (self.theta[i], Z95 * self.wander[i].sqrt());
            let parameter = &self.parameters[i];
            Estimate { value, low: (value - reach).max(parameter.min), high: (value + reach).min(parameter.max) }
        };
        (0..self.theta.len()).map(estimate).collect()
    }

    fn path(&self) -> &Path {
        &self.path
    }
}
