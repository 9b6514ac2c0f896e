//! The sequential probability ratio test: play on until the results say which of two hypotheses holds.
//!
//! H0 says the difference is `elo0`, H1 says it is `elo1`. The log-likelihood ratio (LLR) compares how well the best
//! distribution that obeys either explains what was seen (the *generalised* test, GSPRT); the test ends when it
//! leaves its bounds.
// CITE: Wald 1945, Sequential Tests of Statistical Hypotheses; Van den Bergh, notes on the GSPRT and on normalised Elo
// as used by fishtest.

use super::elo::{PER_DEVIATION, score_of_elo};
use super::tally::Sample;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What `elo0` and `elo1` measure.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EloModel {
    /// The usual difference: a statement about the mean score.
    Logistic,
    /// A statement about the mean score in standard deviations: the test's length does not depend on the draw rate.
    Normalised,
}

/// A test, fixed before the first game.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sprt {
    /// What the two differences measure.
    pub model: EloModel,
    /// H0: the player is this much stronger.
    pub elo0: f64,
    /// H1: the player is this much stronger; more than `elo0`.
    pub elo1: f64,
    /// The chance to accept H1 though H0 is true.
    pub alpha: f64,
    /// The chance to accept H0 though H1 is true.
    pub beta: f64,
}

/// Why a test cannot be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SprtError(&'static str);

impl fmt::Display for SprtError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for SprtError {}

/// Where a test stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Play on.
    Open,
    /// The difference is `elo0`, or less.
    AcceptH0,
    /// The difference is `elo1`, or more.
    AcceptH1,
}

/// How a test is likely to go on if the future is like the past.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Forecast {
    /// Games still to be played, on average.
    pub games_left: u64,
    /// The chance that H1 will be accepted.
    pub h1: f64,
}

impl Sprt {
    /// A test; refuses what is no test.
    pub fn new(model: EloModel, elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Self, SprtError> {
        let range = match model {
            EloModel::Logistic => 1000.0,
            EloModel::Normalised => 2000.0,
        };
        if !(elo0.abs() <= range && elo1.abs() <= range) {
            return Err(SprtError("elo0 and elo1 must be numbers of at most 1000 (2000 if normalised)"));
        }
        if elo1 - elo0 < 1e-3 {
            return Err(SprtError("elo1 must be greater than elo0"));
        }
        let chance = |p: f64| p > 1e-6 && p < 0.5;
        if !chance(alpha) || !chance(beta) {
            return Err(SprtError("alpha and beta must lie between 0 and 0.5"));
        }
        Ok(Sprt { model, elo0, elo1, alpha, beta })
    }

    /// The LLR at which H0 is accepted, and the one at which H1 is.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// What an LLR decides.
    pub fn verdict(&self, llr: f64) -> Verdict {
        let (lower, upper) = self.bounds();
        if llr <= lower {
            Verdict::AcceptH0
        } else if llr >= upper {
            Verdict::AcceptH1
        } else {
            Verdict::Open
        }
    }

    /// The log-likelihood ratio of H1 to H0; 0 without games.
    pub fn llr(&self, sample: impl Into<Sample>) -> f64 {
        let sample = sample.into();
        if sample.size() <= 0.0 {
            return 0.0;
        }
        sample.size() * mean_and_variance(&self.jumps(&sample)).0
    }

    /// What is to be expected, if the observed frequencies are the true ones; `None` before there is anything to go by,
    /// and after the end.
    ///
    /// The LLR is taken for a Brownian motion between two walls.
    pub fn forecast(&self, sample: impl Into<Sample>) -> Option<Forecast> {
        let sample = sample.into();
        let llr = self.llr(sample);
        if sample.games() < 10 || self.verdict(llr) != Verdict::Open {
            return None;
        }
        let (lower, upper) = self.bounds();
        let (drift, variance) = mean_and_variance(&self.jumps(&sample));
        if variance.is_nan() || variance <= 0.0 {
            return None;
        }
        // With scale = −2·drift/variance, e^(scale·LLR) is a martingale: that gives the chance, and Wald's identity
        // then gives the time.
        let scale = -2.0 * drift / variance;
        let (up, down) = (upper - llr, llr - lower);
        let (h1, observations) = if (scale * (upper - lower)).abs() < 1e-6 {
            (down / (up + down), up * down / variance)
        } else {
            // One formula written in two ways, so that neither overflows where it is used.
            let h1 = if scale > 0.0 {
                -(-scale * down).exp_m1() / ((scale * up).exp() - (-scale * down).exp())
            } else {
                (scale * down).exp_m1() / (scale * (up + down)).exp_m1()
            };
            (h1, (h1 * up - (1.0 - h1) * down) / drift)
        };
        let games = observations * sample.games_each() as f64;
        (games.is_finite() && games >= 0.0).then(|| Forecast { games_left: games.min(1e15).ceil() as u64, h1 })
    }

    /// What each outcome adds to the LLR, with its probability.
    fn jumps(&self, sample: &Sample) -> Vec<(f64, f64)> {
        let seen = sample.probabilities();
        let explained = |elo: f64| match self.model {
            EloModel::Logistic => with_mean(&seen, score_of_elo(elo)),
            // Pairs: the deviation of a pair's mean score is 1/√2 of a game's.
            EloModel::Normalised => with_t(&seen, elo / PER_DEVIATION * (sample.games_each() as f64).sqrt()),
        };
        let (h0, h1) = (explained(self.elo0), explained(self.elo1));
        seen.iter().zip(h0.iter().zip(&h1)).map(|((_, p), (p0, p1))| ((p1 / p0).ln(), *p)).collect()
    }
}

fn mean_and_variance(outcomes: &[(f64, f64)]) -> (f64, f64) {
    let mean: f64 = outcomes.iter().map(|(value, p)| value * p).sum();
    (mean, outcomes.iter().map(|(value, p)| p * (value - mean).powi(2)).sum())
}

/// The most likely distribution with this mean, given the frequencies seen: pᵢ / (1 + θ·(aᵢ − mean)).
fn with_mean(seen: &[(f64, f64)], mean: f64) -> Vec<f64> {
    let shifted: Vec<f64> = seen.iter().map(|(score, _)| score - mean).collect();
    tilt(seen, &shifted)
}

/// The most likely distribution whose mean is `t` of its own standard deviations above ½.
///
/// The condition is linear but for the deviation, so: guess mean and deviation, solve as in [`with_mean`], look again.
fn with_t(seen: &[(f64, f64)], t: f64) -> Vec<f64> {
    let mut found = vec![1.0 / seen.len() as f64; seen.len()];
    for _ in 0..200 {
        let current: Vec<(f64, f64)> = seen.iter().zip(&found).map(|((score, _), p)| (*score, *p)).collect();
        let (mean, variance) = mean_and_variance(&current);
        let deviation = variance.sqrt();
        let condition = |score: f64| score - 0.5 - t * deviation * (1.0 + ((mean - score) / deviation).powi(2)) / 2.0;
        let shifted: Vec<f64> = seen.iter().map(|(score, _)| condition(*score)).collect();
        let next = tilt(seen, &shifted);
        let moved = next.iter().zip(&found).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        found = next;
        if moved < 1e-13 {
            break;
        }
    }
    found
}

/// pᵢ / (1 + θ·bᵢ), with the θ for which the bᵢ balance: Σ pᵢ·bᵢ / (1 + θ·bᵢ) = 0.
fn tilt(seen: &[(f64, f64)], b: &[f64]) -> Vec<f64> {
    let (least, most) = b.iter().fold((f64::MAX, f64::MIN), |(l, m), &x| (l.min(x), m.max(x)));
    if least >= 0.0 || most <= 0.0 {
        // No distribution on these outcomes obeys; the nearest is what was seen.
        return seen.iter().map(|(_, p)| *p).collect();
    }
    // All denominators are positive between these ends, and the sum falls from +∞ to −∞.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..200 {
        let theta = (low + high) / 2.0;
        if theta <= low || theta >= high {
            break;
        }
        let sum: f64 = seen.iter().zip(b).map(|((_, p), b)| p * b / (1.0 + theta * b)).sum();
        if sum > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
    }
    let theta = (low + high) / 2.0;
    seen.iter().zip(b).map(|((_, p), b)| p / (1.0 + theta * b).max(1e-300)).collect()
}

/// A test as it goes: the LLR after each observation, and the verdict, which stays once it has fallen.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SprtPath {
    /// The test.
    pub sprt: Sprt,
    /// Games played and LLR, from (0, 0) on.
    pub points: Vec<(u64, f64)>,
    /// What has been decided.
    pub verdict: Verdict,
    /// Every so many observations one point is kept; grows with the path so that it stays short.
    stride: usize,
    seen: usize,
}

impl SprtPath {
    /// More points than this are thinned out.
    const LONGEST: usize = 2000;

    /// A test before its first game.
    pub fn new(sprt: Sprt) -> Self {
        SprtPath { sprt, points: vec![(0, 0.0)], verdict: Verdict::Open, stride: 1, seen: 0 }
    }

    /// Looks at all results so far, after each game or pair; says what is decided. The first verdict stands, whatever
    /// games that were still running bring.
    pub fn look(&mut self, sample: impl Into<Sample>) -> Verdict {
        let sample = sample.into();
        let llr = self.sprt.llr(sample);
        let decided = self.verdict == Verdict::Open && self.sprt.verdict(llr) != Verdict::Open;
        if self.verdict == Verdict::Open {
            self.verdict = self.sprt.verdict(llr);
        }
        self.seen += 1;
        if decided || self.seen.is_multiple_of(self.stride) {
            self.points.push((sample.games(), llr));
        }
        if self.points.len() > Self::LONGEST {
            let mut index = 0;
            let last = self.points.len() - 1;
            self.points.retain(|_| {
                index += 1;
                (index - 1) % 2 == 0 || index - 1 == last
            });
            self.stride *= 2;
        }
        self.verdict
    }

    /// The latest LLR that was kept.
    pub fn llr(&self) -> f64 {
        self.points.last().map_or(0.0, |point| point.1)
    }
}
