//! Finding good parameters by playing games: what to try next, and what was learnt.
//!
//! A [`Tuner`] never plays. It is asked for a [`Trial`] (several may be out at once), the trial is played elsewhere, and
//! the tuner is told how it went. All it knows, its random numbers included, goes through serde: written down and read
//! back, it goes on exactly as it would have.

mod clop;
mod path;
mod quadratic;
mod spsa;

pub use clop::{Clop, ClopOptions};
pub use path::{Path, PathPoint};
pub use spsa::{Spsa, SpsaOptions};

use crate::stats::{Estimate, Wdl};
use serde::{Deserialize, Serialize};
use std::fmt;
use tengen_core::Rng;

/// One parameter to be tuned.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Parameter {
    /// Its name, as the player's text knows it.
    pub name: String,
    /// Its value now.
    pub start: f64,
    /// The smallest value it may have.
    pub min: f64,
    /// The largest.
    pub max: f64,
    /// Whether it takes whole numbers only.
    #[serde(default)]
    pub integer: bool,
    /// SPSA only: how far from the middle it is tried at the end; a twentieth of the range if not given. It should change
    /// the strength by a few Elo.
    #[serde(default)]
    pub step: Option<f64>,
}

impl Parameter {
    /// A real parameter with this range.
    pub fn new(name: impl Into<String>, start: f64, min: f64, max: f64) -> Self {
        Parameter { name: name.into(), start, min, max, integer: false, step: None }
    }

    /// The same, in whole numbers.
    pub fn integer(mut self) -> Self {
        self.integer = true;
        self
    }

    /// The same, with SPSA's last step.
    pub fn step(mut self, step: f64) -> Self {
        self.step = Some(step);
        self
    }

    fn width(&self) -> f64 {
        self.max - self.min
    }

    /// As it can be played. Between two whole numbers either is taken, the nearer one more often, so that the mean is
    /// right: rounding to the nearest would hide small steps altogether.
    fn playable(&self, value: f64, rng: &mut Rng) -> f64 {
        let inside = value.clamp(self.min, self.max);
        if !self.integer {
            return inside;
        }
        let below = inside.floor();
        let rounded = if rng.f64() < inside - below { below + 1.0 } else { below };
        rounded.clamp(self.min.ceil(), self.max.floor())
    }
}

/// What is to be played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Trial {
    /// Its number, to be given back with the result.
    pub id: u64,
    /// The values one side plays with, in the order of the parameters.
    pub values: Vec<f64>,
    /// The values of the other side; `None` means the opponent that does not change.
    pub against: Option<Vec<f64>>,
    /// How many pairs of games (colours exchanged) to play.
    pub pairs: u32,
}

/// Why a tuner cannot be made, or cannot use what it is told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TuneError(String);

impl fmt::Display for TuneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TuneError {}

/// An algorithm that looks for good parameters.
pub trait Tuner {
    /// The parameters.
    fn parameters(&self) -> &[Parameter];

    /// What to play next; `None` once everything has been handed out.
    fn ask(&mut self) -> Option<Trial>;

    /// How a trial went for the side with `values`. A trial that came to nothing is told with no games.
    fn tell(&mut self, id: u64, result: Wdl) -> Result<(), TuneError>;

    /// Trials that are out: to be played again after an interruption.
    fn outstanding(&self) -> Vec<Trial>;

    /// Trials told, and trials there will be.
    fn progress(&self) -> (u64, u64);

    /// The best values known, each with its 95 % interval.
    fn best(&self) -> Vec<Estimate>;

    /// How the estimates moved.
    fn path(&self) -> &Path;
}

/// Either algorithm, for checkpoints and command lines.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "algorithm", rename_all = "lowercase")]
pub enum AnyTuner {
    /// Simultaneous perturbation: many parameters, small steps.
    Spsa(Spsa),
    /// Local quadratic regression: few parameters, wide search.
    Clop(Clop),
}

impl AnyTuner {
    /// The checkpoint: everything the tuner knows, as JSON.
    pub fn to_json(&self) -> Result<String, TuneError> {
        serde_json::to_string(self).map_err(|error| TuneError(format!("the checkpoint cannot be written: {error}")))
    }

    /// A tuner from its checkpoint; refuses one that is damaged.
    pub fn from_json(text: &str) -> Result<Self, TuneError> {
        let tuner: AnyTuner =
            serde_json::from_str(text).map_err(|error| TuneError(format!("no checkpoint: {error}")))?;
        check_parameters(tuner.parameters())?;
        let sound = match &tuner {
            AnyTuner::Spsa(spsa) => spsa.is_sound(),
            AnyTuner::Clop(clop) => clop.is_sound(),
        };
        if sound { Ok(tuner) } else { Err(TuneError("the checkpoint contradicts itself".into())) }
    }

    fn inner(&self) -> &dyn Tuner {
        match self {
            AnyTuner::Spsa(spsa) => spsa,
            AnyTuner::Clop(clop) => clop,
        }
    }

    fn inner_mut(&mut self) -> &mut dyn Tuner {
        match self {
            AnyTuner::Spsa(spsa) => spsa,
            AnyTuner::Clop(clop) => clop,
        }
    }
}

impl Tuner for AnyTuner {
    fn parameters(&self) -> &[Parameter] {
        self.inner().parameters()
    }
    fn ask(&mut self) -> Option<Trial> {
        self.inner_mut().ask()
    }
    fn tell(&mut self, id: u64, result: Wdl) -> Result<(), TuneError> {
        self.inner_mut().tell(id, result)
    }
    fn outstanding(&self) -> Vec<Trial> {
        self.inner().outstanding()
    }
    fn progress(&self) -> (u64, u64) {
        self.inner().progress()
    }
    fn best(&self) -> Vec<Estimate> {
        self.inner().best()
    }
    fn path(&self) -> &Path {
        self.inner().path()
    }
}

/// The values as a player can be started with them: whole numbers where they must be.
pub fn rounded(parameters: &[Parameter], best: &[Estimate]) -> Vec<f64> {
    let values = parameters.iter().zip(best);
    values.map(|(parameter, best)| if parameter.integer { best.value.round() } else { best.value }).collect()
}

/// The games of a trial are handed out together, and everything tried is remembered.
fn check_length(trials: u64, pairs: u32) -> Result<(), TuneError> {
    match (trials, pairs) {
        (..=100_000_000, ..=10_000) => Ok(()),
        (..=100_000_000, _) => Err(TuneError(format!("{pairs} pairs are too many for a trial: at most 10000 can be"))),
        _ => Err(TuneError(format!("{trials} trials are too many: at most 100000000 can be"))),
    }
}

fn check_parameters(parameters: &[Parameter]) -> Result<(), TuneError> {
    let refuse = |why: String| Err(TuneError(why));
    if parameters.is_empty() {
        return refuse("there is no parameter to tune".into());
    }
    for (i, parameter) in parameters.iter().enumerate() {
        let name = &parameter.name;
        let numbers = [parameter.start, parameter.min, parameter.max];
        if numbers.iter().any(|number| !number.is_finite()) {
            return refuse(format!("{name}: start, min and max must be numbers"));
        }
        if parameter.min >= parameter.max {
            return refuse(format!("{name}: min {} is not below max {}", parameter.min, parameter.max));
        }
        if !(parameter.min..=parameter.max).contains(&parameter.start) {
            return refuse(format!(
                "{name}: start {} is outside {} to {}",
                parameter.start, parameter.min, parameter.max
            ));
        }
        if parameter.integer && parameter.min.ceil() >= parameter.max.floor() {
            return refuse(format!("{name}: fewer than two whole numbers from {} to {}", parameter.min, parameter.max));
        }
        if parameter.step.is_some_and(|step| !step.is_finite() || step <= 0.0) {
            return refuse(format!("{name}: the step must be a number above 0"));
        }
        if parameters[..i].iter().any(|other| other.name == *name) {
            return refuse(format!("{name} is listed twice"));
        }
    }
    Ok(())
}

/// Trials that are out, with what their algorithm must remember of them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Desk<M> {
    next: u64,
    out: Vec<(Trial, M)>,
}

impl<M> Desk<M> {
    fn new() -> Self {
        Desk { next: 0, out: Vec::new() }
    }

    fn hand_out(&mut self, values: Vec<f64>, against: Option<Vec<f64>>, pairs: u32, memory: M) -> Trial {
        let trial = Trial { id: self.next, values, against, pairs };
        self.out.push((trial.clone(), memory));
        self.next += 1;
        trial
    }

    fn take_back(&mut self, id: u64) -> Result<(Trial, M), TuneError> {
        let index = self.out.iter().position(|(trial, _)| trial.id == id);
        index.map(|index| self.out.remove(index)).ok_or_else(|| TuneError(format!("no trial {id} is out")))
    }

    fn trials(&self) -> Vec<Trial> {
        self.out.iter().map(|(trial, _)| trial.clone()).collect()
    }
}

/// Random numbers that can be written down.
#[derive(Clone, PartialEq, Debug)]
struct Dice(Rng);

impl Serialize for Dice {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // As text, since a number of 64 bits does not survive every reader of JSON.
        serializer.collect_str(&format_args!("{:016x}", self.0.get_seed()))
    }
}

impl<'de> Deserialize<'de> for Dice {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let seed = u64::from_str_radix(&text, 16).map_err(serde::de::Error::custom)?;
        Ok(Dice(Rng::with_seed(seed)))
    }
}
