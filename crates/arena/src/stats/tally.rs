//! Counts of results, game by game or pair by pair.
//!
//! Two games with the same opening and colours exchanged are one *pair*: they share what the opening is worth, so the
//! pair, not the game, is what repeats independently. A [`Sample`] is either kind of count, ready for arithmetic.

use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// Wins, draws and losses of a named player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Wdl {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Wdl {
    /// These counts.
    pub fn new(wins: u64, draws: u64, losses: u64) -> Self {
        Wdl { wins, draws, losses }
    }

    /// How many games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// A point a win, half a point a draw.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Points a game; `None` without games.
    pub fn score(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.points() / self.games() as f64)
    }

    /// The share of draws; `None` without games.
    pub fn draw_rate(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.draws as f64 / self.games() as f64)
    }

    /// The same games as the opponent counts them.
    pub fn reversed(self) -> Self {
        Wdl { wins: self.losses, draws: self.draws, losses: self.wins }
    }
}

impl AddAssign for Wdl {
    fn add_assign(&mut self, other: Wdl) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

/// Pairs of games by what a named player got from both: 0, ½, 1, 1½ or 2 points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Pairs(pub [u64; 5]);

impl Pairs {
    /// Counts a pair in which the player made so many *half* points (0 to 4); more cannot be made and count as 4.
    pub fn count(&mut self, half_points: usize) {
        self.0[half_points.min(4)] += 1;
    }

    /// How many pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Pairs won over pairs lost; `None` where no pair was lost.
    pub fn ratio(&self) -> Option<f64> {
        let lost = self.0[0] + self.0[1];
        (lost > 0).then(|| (self.0[3] + self.0[4]) as f64 / lost as f64)
    }

    /// The share of pairs that ended even; `None` without pairs.
    pub fn even_rate(&self) -> Option<f64> {
        (self.pairs() > 0).then(|| self.0[2] as f64 / self.pairs() as f64)
    }
}

/// Independent observations of a score between 0 and 1, grouped by value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sample {
    /// Outcomes that are possible: 3 or 5, evenly spaced from 0 to 1.
    kinds: usize,
    counts: [f64; 5],
    /// Games in one observation.
    games_each: u64,
}

impl From<Wdl> for Sample {
    fn from(wdl: Wdl) -> Self {
        let counts = [wdl.losses as f64, wdl.draws as f64, wdl.wins as f64, 0.0, 0.0];
        Sample { kinds: 3, counts, games_each: 1 }
    }
}

impl From<Pairs> for Sample {
    fn from(pairs: Pairs) -> Self {
        Sample { kinds: 5, counts: pairs.0.map(|count| count as f64), games_each: 2 }
    }
}

impl Sample {
    /// Each possible score with its count.
    pub(super) fn outcomes(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let top = (self.kinds - 1) as f64;
        self.counts[..self.kinds].iter().enumerate().map(move |(i, &count)| (i as f64 / top, count))
    }

    /// Observations: games, or pairs.
    pub fn size(&self) -> f64 {
        self.counts.iter().sum()
    }

    /// Games in one observation: 1, or 2 where pairs are counted.
    pub fn games_each(&self) -> u64 {
        self.games_each
    }

    /// Games altogether.
    pub fn games(&self) -> u64 {
        self.size().round() as u64 * self.games_each
    }

    /// Mean and variance of one observation; `None` without any.
    pub fn moments(&self) -> Option<(f64, f64)> {
        let size = self.size();
        if size <= 0.0 {
            return None;
        }
        let mean = self.outcomes().map(|(score, count)| score * count).sum::<f64>() / size;
        let variance = self.outcomes().map(|(score, count)| count * (score - mean).powi(2)).sum::<f64>() / size;
        Some((mean, variance))
    }

    /// As probabilities, with what never happened counted as a thousandth of an observation, so that logarithms and
    /// divisions hold. This is fishtest's convention too.
    pub(super) fn probabilities(&self) -> Vec<(f64, f64)> {
        let counts = self.outcomes().map(|(score, count)| (score, if count > 0.0 { count } else { 1e-3 }));
        let counts: Vec<_> = counts.collect();
        let sum: f64 = counts.iter().map(|(_, count)| count).sum();
        counts.into_iter().map(|(score, count)| (score, count / sum)).collect()
    }
}
