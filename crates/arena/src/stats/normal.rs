//! The normal distribution, to the precision of a double.

use std::f64::consts::{PI, SQRT_2};

/// Standard deviations to either side that hold 95 % of a normal distribution.
pub const Z95: f64 = 1.959_963_984_540_054;

/// The chance that a standard normal variable is at most `z`.
pub fn normal_cdf(z: f64) -> f64 {
    let tail = 0.5 * erfc(z.abs() / SQRT_2);
    if z < 0.0 { tail } else { 1.0 - tail }
}

/// The complementary error function of `x` ≥ 0.
fn erfc(x: f64) -> f64 {
    if x < 3.0 {
        // erf x = 2/√π · e^(−x²) · Σ 2ⁿ x^(2n+1) / (2n+1)!!: all terms positive, so nothing cancels.
        let (mut term, mut sum, mut n) = (x, x, 0.0);
        while term > sum * 1e-17 {
            n += 1.0;
            term *= 2.0 * x * x / (2.0 * n + 1.0);
            sum += term;
        }
        1.0 - 2.0 / PI.sqrt() * (-x * x).exp() * sum
    } else {
        // Laplace's continued fraction, from the inside out; sixty levels are plenty from 3 on.
        let inner = (1..=60).rev().fold(x, |below, k| x + f64::from(k) / 2.0 / below);
        (-x * x).exp() / PI.sqrt() / inner
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_quantiles() {
        // Abramowitz & Stegun, table 26.1.
        for (z, p) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_543),
            (2.0, 0.977_249_868_051_821),
            (3.0, 0.998_650_101_968_370),
            (5.0, 0.999_999_713_348_428),
        ] {
            assert!((normal_cdf(z) - p).abs() < 1e-13, "{z}: {}", normal_cdf(z));
            assert!((normal_cdf(-z) - (1.0 - p)).abs() < 1e-13);
        }
        assert!((normal_cdf(Z95) - 0.975).abs() < 1e-14);
        assert!((normal_cdf(-10.0) / 7.619_853_024_160_527e-24 - 1.0).abs() < 1e-10);
        assert_eq!((normal_cdf(1e300), normal_cdf(-1e300)), (1.0, 0.0));
        // The two ways meet.
        assert!((erfc(3.0 - 1e-12) - erfc(3.0)).abs() < 1e-14);
    }
}
