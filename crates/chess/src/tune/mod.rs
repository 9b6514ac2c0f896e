//! Tuning the evaluation on Tengen's own games.
//!
//! `selfplay` plays games at a fixed number of nodes and keeps quiet positions with the games' results; `texel` fits all
//! weights to them by logistic regression and writes the table of weights. The example `tune` runs both.
//!
//! CITE: Österlund 2014, the Texel tuning method.

mod selfplay;
mod texel;

pub use selfplay::{Sample, play_game};
pub use texel::{Fit, FitParams, fit, weights_source};
