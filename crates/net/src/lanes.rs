//! The widest numbers of the processor: several `f32` in one register.
//!
//! The compiler finds such instructions by itself in simple loops, but not for a convolution, where two dozen sums must stay in
//! registers: there its code was thirty times slower. So the innermost loop names them.

use std::borrow::Borrow;

/// Numbers that begin where a line of the cache does: a register's worth of memory that lies across two lines takes twice as long.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub struct Aligned<T>(pub T);

impl<T> Borrow<T> for Aligned<T> {
    fn borrow(&self) -> &T {
        &self.0
    }
}

/// Several numbers side by side. Methods are for functions that are compiled for a processor that has them.
pub trait Lanes: Copy {
    /// How many.
    const COUNT: usize;
    /// Whether multiplying and adding is one instruction, with one rounding.
    const FUSED: bool;

    /// One number in all places.
    fn splat(number: f32) -> Self;
    /// The first numbers of a slice, which holds at least so many.
    fn load(numbers: &[f32]) -> Self;
    /// Writes them to the front of a slice, which has room for them.
    fn store(self, numbers: &mut [f32]);
    /// `self · by + more`, place by place.
    fn multiply_add(self, by: Self, more: Self) -> Self;
    /// The sums.
    fn add(self, other: Self) -> Self;
    /// The differences.
    fn subtract(self, other: Self) -> Self;
    /// The greater ones.
    fn max(self, other: Self) -> Self;
}

/// What every processor has.
impl Lanes for [f32; 4] {
    const COUNT: usize = 4;
    const FUSED: bool = cfg!(target_arch = "aarch64");

    #[inline(always)]
    fn splat(number: f32) -> Self {
        [number; 4]
    }

    #[inline(always)]
    fn load(numbers: &[f32]) -> Self {
        [numbers[0], numbers[1], numbers[2], numbers[3]]
    }

    #[inline(always)]
    fn store(self, numbers: &mut [f32]) {
        numbers[..4].copy_from_slice(&self);
    }

    #[inline(always)]
    fn multiply_add(self, [a, b, c, d]: Self, more: Self) -> Self {
        [
            multiply_add::<Self>(self[0], a, more[0]),
            multiply_add::<Self>(self[1], b, more[1]),
            multiply_add::<Self>(self[2], c, more[2]),
            multiply_add::<Self>(self[3], d, more[3]),
        ]
    }

    #[inline(always)]
    fn add(self, [a, b, c, d]: Self) -> Self {
        [self[0] + a, self[1] + b, self[2] + c, self[3] + d]
    }

    #[inline(always)]
    fn subtract(self, [a, b, c, d]: Self) -> Self {
        [self[0] - a, self[1] - b, self[2] - c, self[3] - d]
    }

    #[inline(always)]
    fn max(self, [a, b, c, d]: Self) -> Self {
        [self[0].max(a), self[1].max(b), self[2].max(c), self[3].max(d)]
    }
}

/// `a · b + c` as these lanes do it.
#[inline(always)]
pub fn multiply_add<L: Lanes>(a: f32, b: f32, c: f32) -> f32 {
    if L::FUSED { a.mul_add(b, c) } else { a * b + c }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::Lanes;
    use std::arch::x86_64::{
        __m256, __m512, _mm256_add_ps, _mm256_fmadd_ps, _mm256_loadu_ps, _mm256_max_ps, _mm256_set1_ps,
        _mm256_storeu_ps, _mm256_sub_ps, _mm512_add_ps, _mm512_fmadd_ps, _mm512_loadu_ps, _mm512_max_ps,
        _mm512_set1_ps, _mm512_storeu_ps, _mm512_sub_ps,
    };

    macro_rules! lanes {
        ($kind:ty, $count:literal, $splat:ident, $load:ident, $store:ident, $multiply_add:ident, $add:ident, $sub:ident, $max:ident) => {
            // SAFETY, here and below: who uses these lanes has asked the processor for them (`Network::judge`), and slices are
            // as long as they are read and written, for they are cut to that first.
            impl Lanes for $kind {
                const COUNT: usize = $count;
                const FUSED: bool = true;

                #[inline(always)]
                fn splat(number: f32) -> Self {
                    // SAFETY: see above.
                    unsafe { $splat(number) }
                }

                #[inline(always)]
                fn load(numbers: &[f32]) -> Self {
                    let numbers = &numbers[..$count];
                    // SAFETY: see above.
                    unsafe { $load(numbers.as_ptr()) }
                }

                #[inline(always)]
                fn store(self, numbers: &mut [f32]) {
                    let numbers = &mut numbers[..$count];
                    // SAFETY: see above.
                    unsafe { $store(numbers.as_mut_ptr(), self) }
                }

                #[inline(always)]
                fn multiply_add(self, by: Self, more: Self) -> Self {
                    // SAFETY: see above.
                    unsafe { $multiply_add(self, by, more) }
                }

                #[inline(always)]
                fn add(self, other: Self) -> Self {
                    // SAFETY: see above.
                    unsafe { $add(self, other) }
                }

                #[inline(always)]
                fn subtract(self, other: Self) -> Self {
                    // SAFETY: see above.
                    unsafe { $sub(self, other) }
                }

                #[inline(always)]
                fn max(self, other: Self) -> Self {
                    // SAFETY: see above.
                    unsafe { $max(self, other) }
                }
            }
        };
    }

    lanes!(
        __m512,
        16,
        _mm512_set1_ps,
        _mm512_loadu_ps,
        _mm512_storeu_ps,
        _mm512_fmadd_ps,
        _mm512_add_ps,
        _mm512_sub_ps,
        _mm512_max_ps
    );
    lanes!(
        __m256,
        8,
        _mm256_set1_ps,
        _mm256_loadu_ps,
        _mm256_storeu_ps,
        _mm256_fmadd_ps,
        _mm256_add_ps,
        _mm256_sub_ps,
        _mm256_max_ps
    );
}
