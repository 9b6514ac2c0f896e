//! `tengen bench`: fixed work, timed; the last line is a signature that changes when a search does.
use crate::Outcome;

/// Measure speeds with fixed work
#[derive(clap::Args)]
#[command(after_help = "Example: tengen bench games")]
pub struct Arguments {
    /// Only the figures whose name contains this
    name: Option<String>,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let _ = &arguments.name;
    Ok(())
}
