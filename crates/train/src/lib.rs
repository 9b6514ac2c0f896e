//! Learning from samples: a job is data, and goes on where it was.
//!
//! ```text
//!   job         what is to be learnt and how: a TOML file
//!   batches     samples from disk, shuffled and turned, beside the learning
//!   supervised  the learning itself
//!   run         a directory with all that a job leaves: checkpoint, networks, log
//!   events      the log for TensorBoard
//! ```
//!
//! The same job with the same seed learns the same, whatever the number of threads and however often it was stopped between.

pub mod batches;
pub mod events;
pub mod job;
pub mod run;
pub mod supervised;

use std::fmt;

/// Why a job does not run, in a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TrainError(pub String);

impl TrainError {
    /// So goes the sentence.
    pub fn new(sentence: impl Into<String>) -> Self {
        TrainError(sentence.into())
    }
}

impl fmt::Display for TrainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TrainError {}

impl From<tengen_net::description::Flaw> for TrainError {
    fn from(flaw: tengen_net::description::Flaw) -> Self {
        TrainError(flaw.0)
    }
}

impl From<tengen_record::samples::SamplesError> for TrainError {
    fn from(error: tengen_record::samples::SamplesError) -> Self {
        TrainError(error.to_string())
    }
}
