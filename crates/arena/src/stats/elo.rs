//! Elo differences with their 95 % intervals.
//!
//! A score s and a difference d are the same thing said twice: s = 1 / (1 + 10^(−d/400)). The normalised difference
//! measures the score in standard deviations of a game instead, so that it says how many games are needed to see it.

use super::normal::{Z95, normal_cdf};
use super::tally::{Pairs, Sample, Wdl};
use serde::{Deserialize, Serialize};
use std::f64::consts::LN_10;
use std::fmt;

/// Normalised Elo in one standard deviation of a game's score: 800 / ln 10.
pub(super) const PER_DEVIATION: f64 = 800.0 / LN_10;

/// With fewer games than this no difference is given.
const FEWEST_GAMES: u64 = 10;

/// The expected score at an Elo difference.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The Elo difference of an expected score; `None` at 0 and 1, where it would be infinite, and outside.
pub fn elo_of_score(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| -400.0 * (1.0 / score - 1.0).log10()).filter(|elo| elo.is_finite())
}

/// A number and the interval that holds it with 95 % confidence. All three are finite.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Estimate {
    /// The most likely value.
    pub value: f64,
    /// The interval's lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Estimate {
    /// Half the interval's width: what stands after ±.
    pub fn error(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// What the games say about a difference in strength.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Elo {
    /// Nothing yet.
    TooFew {
        /// Games there are.
        games: u64,
        /// Games there should be.
        needed: u64,
    },
    /// Everything was won: only a lower end is known (97.5 % one-sided).
    AtLeast(f64),
    /// Everything was lost.
    AtMost(f64),
    /// A number with its interval.
    About(Estimate),
}

impl Elo {
    /// The number with its interval, if there is one.
    pub fn estimate(&self) -> Option<Estimate> {
        match self {
            Elo::About(estimate) => Some(*estimate),
            _ => None,
        }
    }
}

impl fmt::Display for Elo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Elo::TooFew { games, needed } => write!(f, "too few games ({games} of at least {needed})"),
            Elo::AtLeast(elo) => write!(f, "at least {elo:+.1} (won everything)"),
            Elo::AtMost(elo) => write!(f, "at most {elo:+.1} (lost everything)"),
            Elo::About(estimate) => write!(f, "{:+.1} ± {:.1}", estimate.value, estimate.error()),
        }
    }
}

/// The Elo difference, logistic.
///
/// The interval is the normal one of the mean score, carried over to Elo. Where that fails (its end leaves the scores
/// there can be, or all observations are alike) Wilson's interval of a coin takes its place: no score between 0 and 1
/// with the same mean varies more, so it is wide enough.
pub fn elo(sample: impl Into<Sample>) -> Elo {
    let sample = sample.into();
    let few = Elo::TooFew { games: sample.games(), needed: FEWEST_GAMES };
    let Some((mean, variance)) = sample.moments().filter(|_| sample.games() >= FEWEST_GAMES) else { return few };
    let (wilson_low, wilson_high) = wilson(mean, sample.size());
    let Some(value) = elo_of_score(mean) else {
        let bound = elo_of_score(if mean > 0.5 { wilson_low } else { wilson_high });
        return match bound {
            Some(bound) if mean > 0.5 => Elo::AtLeast(bound),
            Some(bound) => Elo::AtMost(bound),
            None => few,
        };
    };
    let reach = Z95 * (variance / sample.size()).sqrt();
    let end = |normal: f64, wilson: f64| match elo_of_score(normal).filter(|_| variance > 0.0) {
        Some(elo) => elo,
        None => elo_of_score(wilson).unwrap_or(value),
    };
    Elo::About(Estimate { value, low: end(mean - reach, wilson_low), high: end(mean + reach, wilson_high) })
}

/// Wilson's 95 % interval for the chance of a coin.
fn wilson(mean: f64, size: f64) -> (f64, f64) {
    let z2 = Z95 * Z95;
    let centre = (mean + z2 / (2.0 * size)) / (1.0 + z2 / size);
    let reach = Z95 / (1.0 + z2 / size) * (mean * (1.0 - mean) / size + z2 / (4.0 * size * size)).sqrt();
    (centre - reach, centre + reach)
}

/// The normalised Elo difference: the mean score's distance from ½ in standard deviations of a game, times 800 / ln 10.
pub fn normalised_elo(sample: impl Into<Sample>) -> Elo {
    let sample = sample.into();
    let few = Elo::TooFew { games: sample.games(), needed: FEWEST_GAMES };
    let Some((mean, variance)) = sample.moments().filter(|_| sample.games() >= FEWEST_GAMES) else { return few };
    let reach = Z95 * PER_DEVIATION / (sample.games() as f64).sqrt();
    let nelo = |mean: f64, variance: f64| (mean - 0.5) / (variance * sample.games_each() as f64).sqrt() * PER_DEVIATION;
    if variance > 0.0 {
        let value = nelo(mean, variance);
        return Elo::About(Estimate { value, low: value - reach, high: value + reach });
    }
    if mean == 0.5 {
        return Elo::About(Estimate { value: 0.0, low: -reach, high: reach });
    }
    // All observations alike and not even: the deviation is unknown. At Wilson's end it is at most that of a coin, so
    // the difference is at least this far from zero.
    let (low, high) = wilson(mean, sample.size());
    if mean > 0.5 {
        Elo::AtLeast(nelo(low, low * (1.0 - low)).max(0.0))
    } else {
        Elo::AtMost(nelo(high, high * (1.0 - high)).min(0.0))
    }
}

/// Likelihood of superiority: the chance that the player is the stronger one. `None` without games.
pub fn los(sample: impl Into<Sample>) -> Option<f64> {
    let sample = sample.into();
    let (mean, variance) = sample.moments()?;
    if variance > 0.0 {
        return Some(normal_cdf((mean - 0.5) / (variance / sample.size()).sqrt()));
    }
    // All alike: what a coin of unknown bias would say after so many equal throws.
    let doubt = 0.5f64.powf(sample.size() + 1.0);
    Some(if mean > 0.5 {
        1.0 - doubt
    } else if mean < 0.5 {
        doubt
    } else {
        0.5
    })
}

/// Everything that is usually said about a match, from one player's point of view.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Summary {
    /// All games.
    pub wdl: Wdl,
    /// The games that were played in pairs, if any were.
    pub pairs: Option<Pairs>,
    /// Points a game; `None` without games.
    pub score: Option<f64>,
    /// The Elo difference: from the pairs where all games are in pairs, from single games otherwise.
    pub elo: Elo,
    /// The normalised Elo difference.
    pub normalised: Elo,
    /// Likelihood of superiority.
    pub los: Option<f64>,
    /// The share of drawn games.
    pub draw_rate: Option<f64>,
    /// Pairs won over pairs lost.
    pub pairs_ratio: Option<f64>,
}

impl Summary {
    /// From the games and, where they were played in pairs, the pairs.
    pub fn new(wdl: Wdl, pairs: Option<Pairs>) -> Self {
        let pairs = pairs.filter(|pairs| pairs.pairs() > 0);
        // A game without its partner says nothing about pairs, so a match with many of them is judged by games.
        let sample: Sample = match pairs {
            Some(pairs) if pairs.pairs() * 2 + 1 >= wdl.games() => pairs.into(),
            _ => wdl.into(),
        };
        Summary {
            wdl,
            pairs,
            score: wdl.score(),
            elo: elo(sample),
            normalised: normalised_elo(sample),
            los: los(sample),
            draw_rate: wdl.draw_rate(),
            pairs_ratio: pairs.and_then(|pairs| pairs.ratio()),
        }
    }
}
