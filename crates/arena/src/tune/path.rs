//! How the estimates of all parameters moved, kept short.

use crate::stats::Estimate;
use serde::{Deserialize, Serialize};

/// Where the estimates stood after so many games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PathPoint {
    /// Games told so far.
    pub games: u64,
    /// One estimate a parameter.
    pub values: Vec<Estimate>,
}

/// The points of a tuning. When there are many, every other one goes, so a path of any length stays readable and small.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Path {
    points: Vec<PathPoint>,
    /// Between two points that are kept lie at least so many games.
    gap: u64,
}

impl Path {
    const LONGEST: usize = 400;

    /// The points, oldest first.
    pub fn points(&self) -> &[PathPoint] {
        &self.points
    }

    /// Whether a point at this number of games would be kept.
    pub(super) fn wants(&self, games: u64) -> bool {
        self.points.last().is_none_or(|last| games >= last.games + self.gap.max(1))
    }

    pub(super) fn push(&mut self, games: u64, values: Vec<Estimate>) {
        if !self.wants(games) {
            return;
        }
        self.points.push(PathPoint { games, values });
        if self.points.len() > Self::LONGEST {
            let mut index = 0;
            self.points.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            let span = games - self.points[0].games;
            self.gap = span / (Self::LONGEST as u64 / 2);
        }
    }
}
