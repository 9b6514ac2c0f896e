//! A quadratic function of several variables, fitted to wins and losses by logistic regression.

use crate::stats::linear::{Cholesky, Matrix};
use serde::{Deserialize, Serialize};

/// How strongly the coefficients are held near zero: a normal prior of ten logits, which the first dozen games outweigh.
const PRIOR: f64 = 0.01;

/// One point that was tried, with its games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Tried {
    /// Each coordinate from −1 to 1.
    pub at: Vec<f64>,
    pub games: f64,
    pub points: f64,
}

/// The coefficients of 1, of each xᵢ, and of each xᵢ·xⱼ with i ≤ j, in this order.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Quadratic(pub Vec<f64>);

/// What the coefficients are multiplied with: 1, xᵢ, xᵢ·xⱼ.
pub(super) fn features(at: &[f64]) -> Vec<f64> {
    let mut features = vec![1.0];
    features.extend(at);
    for i in 0..at.len() {
        features.extend(at[i..].iter().map(|x| x * at[i]));
    }
    features
}

impl Quadratic {
    pub fn flat(dimensions: usize) -> Self {
        Quadratic(vec![0.0; 1 + dimensions * (dimensions + 3) / 2])
    }

    /// The value in logits at the point with these features.
    pub fn at(&self, features: &[f64]) -> f64 {
        features.iter().zip(&self.0).map(|(feature, coefficient)| feature * coefficient).sum()
    }

    /// The maximum, where there is one.
    pub fn peak(&self, dimensions: usize) -> Option<Vec<f64>> {
        // The gradient is b + A·x, with A symmetric; −A must be positive definite.
        let mut steepness = Matrix::zero(dimensions);
        let mut index = 1 + dimensions;
        for i in 0..dimensions {
            for j in i..dimensions {
                // On the diagonal this adds twice, as the derivative of x² does.
                steepness.add(i, j, -self.0[index]);
                steepness.add(j, i, -self.0[index]);
                index += 1;
            }
        }
        Some(steepness.cholesky()?.solve(&self.0[1..=dimensions]))
    }

    /// The likeliest quadratic for these weighted results, and the Cholesky factor of its precision. Starts from `self`.
    pub fn fit(mut self, tried: &[Tried], weights: &[f64]) -> (Self, Option<Cholesky>) {
        // Points that have lost their weight are most of them, and cost nothing here.
        let kept = tried.iter().zip(weights).filter(|(_, weight)| **weight > 1e-4);
        let rows: Vec<(Vec<f64>, f64, f64)> =
            kept.map(|(tried, weight)| (features(&tried.at), weight * tried.games, weight * tried.points)).collect();
        let size = self.0.len();
        let soft = |x: f64| x.max(0.0) + (-x.abs()).exp().ln_1p();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
        let height = |coefficients: &[f64]| {
            let games = rows.iter().map(|(row, games, points)| {
                let x = dot(row, coefficients);
                -points * soft(-x) - (games - points) * soft(x)
            });
            games.sum::<f64>() - PRIOR / 2.0 * dot(coefficients, coefficients)
        };
        let mut now = height(&self.0);
        let mut precision = None;
        for _ in 0..40 {
            let mut gradient: Vec<f64> = self.0.iter().map(|coefficient| -PRIOR * coefficient).collect();
            let mut curvature = Matrix::zero(size);
            (0..size).for_each(|i| curvature.add(i, i, PRIOR));
            for (row, games, points) in &rows {
                let p = 1.0 / (1.0 + (-dot(row, &self.0)).exp());
                let (slope, bend) = (points - games * p, games * p * (1.0 - p));
                for i in 0..size {
                    gradient[i] += slope * row[i];
                    for j in 0..=i {
                        curvature.add(i, j, bend * row[i] * row[j]);
                    }
                }
            }
            // `cholesky` reads the lower half only.
            let Some(cholesky) = curvature.cholesky() else { break };
            let step = cholesky.solve(&gradient);
            precision = Some(cholesky);
            if step.iter().all(|step| step.abs() < 1e-7) {
                break;
            }
            let mut scale = 1.0;
            loop {
                let next: Vec<f64> = self.0.iter().zip(&step).map(|(c, s)| c + scale * s).collect();
                let higher = height(&next);
                if higher >= now {
                    let gained = higher - now;
                    (self.0, now) = (next, higher);
                    if gained < 1e-9 {
                        return (self, precision);
                    }
                    break;
                }
                scale /= 2.0;
                if scale < 1e-6 {
                    return (self, precision);
                }
            }
        }
        (self, precision)
    }
}
