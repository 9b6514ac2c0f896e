//! What results mean: Elo with its uncertainty, the sequential test, and ratings of many players.
//!
//! Everything here is a pure function of counts, so it can be asked after every game, of old games and of games not
//! yet played. Numbers are never NaN and never infinite: where counts cannot carry a number, the answer's type says why.

mod elo;
pub(crate) mod linear;
mod normal;
mod ratings;
mod sprt;
mod tally;

pub use elo::{Elo, Estimate, Summary, elo, elo_of_score, los, normalised_elo, score_of_elo};
pub use normal::{Z95, normal_cdf};
pub use ratings::{Advantage, Encounter, Rating, RatingError, RatingOptions, Ratings, Standing, rate};
pub use sprt::{EloModel, Forecast, Sprt, SprtError, SprtPath, Verdict};
pub use tally::{Pairs, Sample, Wdl};
