//! Two scores in one number, for the middle game and for the endgame: one addition adds both.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// The endgame's score in the upper half, the middle game's in the lower; each stays within sixteen bits.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Packed(i32);

impl Packed {
    /// Nothing.
    pub const ZERO: Packed = Packed(0);

    /// From both parts, in centipawns.
    pub const fn new(middle: i32, end: i32) -> Packed {
        Packed((end << 16) + middle)
    }

    /// The middle game's part.
    #[inline]
    pub const fn middle(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The endgame's part; a negative lower half has borrowed from it.
    #[inline]
    pub const fn end(self) -> i32 {
        (self.0.wrapping_add(0x8000) >> 16) as i16 as i32
    }

    /// The sum, for tables made at compile time.
    pub const fn plus(self, other: Packed) -> Packed {
        Packed(self.0 + other.0)
    }

    /// The other side's view, for tables made at compile time.
    pub const fn negated(self) -> Packed {
        Packed(-self.0)
    }
}

impl std::fmt::Debug for Packed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "({}, {})", self.middle(), self.end())
    }
}

impl Add for Packed {
    type Output = Packed;
    #[inline]
    fn add(self, other: Packed) -> Packed {
        Packed(self.0 + other.0)
    }
}

impl Sub for Packed {
    type Output = Packed;
    #[inline]
    fn sub(self, other: Packed) -> Packed {
        Packed(self.0 - other.0)
    }
}

impl Neg for Packed {
    type Output = Packed;
    #[inline]
    fn neg(self) -> Packed {
        Packed(-self.0)
    }
}

impl Mul<i32> for Packed {
    type Output = Packed;
    #[inline]
    fn mul(self, times: i32) -> Packed {
        Packed(self.0 * times)
    }
}

impl AddAssign for Packed {
    #[inline]
    fn add_assign(&mut self, other: Packed) {
        self.0 += other.0;
    }
}

impl SubAssign for Packed {
    #[inline]
    fn sub_assign(&mut self, other: Packed) {
        self.0 -= other.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_halves_come_back() {
        for middle in [-3000, -1, 0, 1, 77, 3000] {
            for end in [-3000, -1, 0, 1, 77, 3000] {
                let packed = Packed::new(middle, end);
                assert_eq!((packed.middle(), packed.end()), (middle, end));
                let other = Packed::new(-5, 9) * 3 - packed;
                assert_eq!((other.middle(), other.end()), (-15 - middle, 27 - end));
                assert_eq!(-packed, packed.negated());
            }
        }
    }
}
