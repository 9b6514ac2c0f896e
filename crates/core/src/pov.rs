//! Values and scores that know whose they are.

use crate::Side;
use std::ops::Neg;

/// A value or score together with the side it is for. It is read only as seen by a side, so that no sign is ever forgotten.
///
/// ```
/// use tengen_core::{Pov, Side};
/// let lead = Pov::of(Side::Second, 3);
/// assert_eq!((lead.seen_by(Side::Second), lead.seen_by(Side::First)), (3, -3));
/// assert_eq!(lead, Pov::of(Side::First, -3));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Pov<T> {
    side: Side,
    value: T,
}

impl<T: Copy + Neg<Output = T>> Pov<T> {
    /// So much for this side.
    #[inline]
    pub fn of(side: Side, value: T) -> Self {
        Pov { side, value }
    }

    /// How much it is for `side`: what is good for one is as bad for the other.
    #[inline]
    pub fn seen_by(self, side: Side) -> T {
        if self.side == side { self.value } else { -self.value }
    }
}

impl<T: Copy + Neg<Output = T> + Default> Pov<T> {
    /// Nobody is ahead.
    pub fn even() -> Self {
        Pov { side: Side::First, value: T::default() }
    }
}

/// The same for First is the same.
impl<T: Copy + Neg<Output = T> + PartialEq> PartialEq for Pov<T> {
    fn eq(&self, other: &Self) -> bool {
        self.seen_by(Side::First) == other.seen_by(Side::First)
    }
}
