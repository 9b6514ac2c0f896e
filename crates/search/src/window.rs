//! The open interval of scores that a search still cares about.

use std::ops::Neg;
use tengen_core::Score;

/// Below every score.
pub const LOWEST: Score = -2 * crate::WIN;

/// Above every score.
pub const HIGHEST: Score = 2 * crate::WIN;

/// `alpha`: what the side to move is sure of elsewhere. `beta`: what the other side will not allow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// Scores at or below are of no interest: there is something as good.
    pub alpha: Score,
    /// Scores at or above are of no interest: the opponent will not let it come to this.
    pub beta: Score,
}

impl Window {
    /// Every score is of interest.
    pub const FULL: Window = Window { alpha: LOWEST, beta: HIGHEST };

    /// Asks one question only: is the score above `alpha`?
    #[inline]
    pub fn null(alpha: Score) -> Self {
        Window { alpha, beta: alpha + 1 }
    }

    /// The same window with something better in hand.
    #[inline]
    pub fn raised(self, alpha: Score) -> Self {
        Window { alpha: self.alpha.max(alpha), ..self }
    }
}

/// The same window seen by the other side.
impl Neg for Window {
    type Output = Window;
    #[inline]
    fn neg(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}
