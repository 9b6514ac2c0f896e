//! What is to be learnt and how.
//!
//! ```toml
//! network = "net-64x6.toml"       # a description, or a network to go on from; ready ones go by their names
//! samples = ["go9-train"]         # directories of samples
//! validation = ["go9-validation"]
//! epochs = 20
//! batch = 256
//!
//! [optimiser]
//! rule = "adamw"
//! rate = 2e-3
//!
//! [schedule]
//! kind = "one-cycle"
//!
//! [heads.value]
//! weight = 1.0
//! ```

use crate::TrainError;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use tengen_net::loss::Loss;
use tengen_net::optimise::{Optimiser, Schedule};

/// A job.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// A description (`.toml`) or a network to go on from (`.safetensors`).
    pub network: PathBuf,
    /// Directories of samples to learn from.
    pub samples: Vec<PathBuf>,
    /// Directories of samples to look at after each epoch, never to learn from.
    #[serde(default)]
    pub validation: Vec<PathBuf>,
    /// How often all samples are gone through.
    #[serde(default = "ten")]
    pub epochs: u32,
    /// Samples for a step.
    #[serde(default = "batch")]
    pub batch: usize,
    /// Turns and mirrors samples as the game allows, by chance.
    #[serde(default = "yes")]
    pub symmetries: bool,
    /// For everything that is left to chance.
    #[serde(default)]
    pub seed: u64,
    /// How weights change.
    #[serde(default)]
    pub optimiser: Optimiser,
    /// How the rate changes.
    #[serde(default)]
    pub schedule: Schedule,
    /// How each head is taught. Heads that are not named are taught as usual for what they are.
    #[serde(default)]
    pub heads: BTreeMap<String, Teaching>,
    /// How fast norms follow what they see.
    #[serde(default = "tenth")]
    pub watch: f32,
    /// Ends when validation has not become better for so many epochs; 0: never.
    #[serde(default)]
    pub patience: u32,
    /// The optimiser forgets everything after so many epochs; 0: never.
    #[serde(default)]
    pub refresh: u32,
    /// Steps between two lines of the log.
    #[serde(default = "hundred")]
    pub log_every: u64,
}

/// How a head is taught.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Teaching {
    /// What its loss counts for among the others; 0: not at all.
    #[serde(default = "one")]
    pub weight: f32,
    /// How it is compared.
    #[serde(default)]
    pub loss: Option<Loss>,
}

fn ten() -> u32 {
    10
}

fn batch() -> usize {
    256
}

fn yes() -> bool {
    true
}

fn tenth() -> f32 {
    0.1
}

fn hundred() -> u64 {
    100
}

fn one() -> f32 {
    1.0
}

impl Job {
    /// Reads a text, and refuses numbers that make no sense.
    pub fn read(text: &str) -> Result<Job, TrainError> {
        let job: Job = toml::from_str(text).map_err(|error| TrainError::new(format!("the job: {error}")))?;
        let within = |what: &str, number: f64, low: f64, high: f64| {
            if (low..=high).contains(&number) {
                return Ok(());
            }
            Err(TrainError::new(format!("the job: {what} = {number} is not between {low} and {high}")))
        };
        within("epochs", job.epochs.into(), 1.0, 1e6)?;
        within("batch", job.batch as f64, 1.0, 65536.0)?;
        within("watch", job.watch.into(), 0.0, 1.0)?;
        within("log_every", job.log_every as f64, 1.0, 1e9)?;
        let Optimiser { rate, decay, momentum, beta1, beta2, clip, ema, .. } = job.optimiser;
        within("optimiser.rate", rate.into(), 0.0, 100.0)?;
        within("optimiser.decay", decay.into(), 0.0, 1.0)?;
        within("optimiser.clip", clip.into(), 0.0, 1e9)?;
        for (name, number) in [("momentum", momentum), ("beta1", beta1), ("beta2", beta2), ("ema", ema)] {
            within(&format!("optimiser.{name}"), number.into(), 0.0, 0.999_999_9)?;
        }
        match job.schedule {
            Schedule::Constant => {}
            Schedule::Cosine { warmup, end } => {
                within("schedule.warmup", warmup.into(), 0.0, 1.0)?;
                within("schedule.end", end.into(), 0.0, 1.0)?;
            }
            Schedule::OneCycle { warmup } => within("schedule.warmup", warmup.into(), 0.0, 1.0)?,
            Schedule::Plateau { factor, .. } => within("schedule.factor", factor.into(), 0.0, 1.0)?,
        }
        for (head, teaching) in &job.heads {
            within(&format!("heads.{head}.weight"), teaching.weight.into(), 0.0, 1e6)?;
            match teaching.loss {
                Some(Loss::Distribution { smoothing }) => {
                    within(&format!("heads.{head}: smoothing"), smoothing.into(), 0.0, 1.0)?
                }
                Some(Loss::Huber { from }) => within(&format!("heads.{head}: from"), from.into(), 1e-6, 1e6)?,
                Some(Loss::Squares) | None => {}
            }
        }
        if job.samples.is_empty() {
            return Err(TrainError::new("the job: samples names no directory to learn from"));
        }
        Ok(job)
    }

    /// As a text that [`Job::read`] reads.
    pub fn write(&self) -> String {
        // Every field has a name and a plain kind, tables last.
        toml::to_string(self).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
        network = "net.toml"
        samples = ["train"]
        validation = ["held"]
        epochs = 3
        [optimiser]
        rule = "radam"
        rate = 2e-3
        [schedule]
        kind = "plateau"
        factor = 0.5
        [heads.policy]
        weight = 2.0
        loss = { distribution = { smoothing = 0.1 } }
        [heads.value]
        loss = "squares"
    "#;

    #[test]
    fn a_job_is_read_as_it_is_written() {
        let job = Job::read(TEXT).unwrap();
        assert_eq!(job.heads["policy"].loss, Some(Loss::Distribution { smoothing: 0.1 }));
        assert_eq!(job.schedule, Schedule::Plateau { factor: 0.5, patience: 2 });
        assert_eq!(Job::read(&job.write()).unwrap(), job);
    }

    #[test]
    fn what_makes_no_sense_is_refused_by_name() {
        for (change, to, said) in [
            ("epochs = 3", "epochs = 0", "epochs = 0"),
            ("epochs = 3", "epocs = 3", "unknown field `epocs`"),
            ("epochs = 3", "batch = 99999999", "batch"),
            ("rate = 2e-3", "rate = nan", "optimiser.rate = NaN"),
            ("factor = 0.5", "factor = 2", "schedule.factor"),
            ("smoothing = 0.1", "smoothing = 3", "heads.policy: smoothing"),
            ("[\"train\"]", "[]", "samples names no directory"),
            ("\"radam\"", "\"rmsprop\"", "unknown variant `rmsprop`"),
        ] {
            let flaw = Job::read(&TEXT.replace(change, to)).unwrap_err().to_string();
            assert!(flaw.contains(said), "{to}: {flaw}");
        }
    }
}
