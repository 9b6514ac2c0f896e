//! Sixteen numbers at a time, in the widest registers that the processor has.
//!
//! The compiler finds such instructions by itself in simple loops, but not where two dozen sums must stay in registers. So what takes
//! the time is written once over [`Lanes`] and compiled for every kind of [`Registers`]; which one runs is chosen when the program
//! does. All memory of this crate is cut into [`Group`]s: channels are rounded up to sixteen, and the rest holds zeros.

use crate::product::Part;

/// Numbers in a group.
pub const GROUP: usize = 16;

/// Sixteen channels of one point: a line of the cache.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(C, align(64))]
pub struct Group(pub [f32; GROUP]);

impl Group {
    /// Nothing but zeros.
    pub const ZERO: Group = Group([0.0; GROUP]);
}

/// How many groups so many numbers take.
pub const fn groups(numbers: usize) -> usize {
    numbers.div_ceil(GROUP)
}

/// The numbers of groups that lie side by side.
pub fn flat(groups: &[Group]) -> &[f32] {
    // SAFETY: a group is sixteen numbers and nothing else (`repr(C)`; its alignment is its size).
    unsafe { std::slice::from_raw_parts(groups.as_ptr().cast(), groups.len() * GROUP) }
}

/// The same, to be written.
pub fn flat_mut(groups: &mut [Group]) -> &mut [f32] {
    // SAFETY: as above.
    unsafe { std::slice::from_raw_parts_mut(groups.as_mut_ptr().cast(), groups.len() * GROUP) }
}

/// Makes a buffer so long, with whatever stood there before.
pub fn resize(buffer: &mut Vec<Group>, length: usize) {
    buffer.resize(length, Group::ZERO);
}

/// Sixteen numbers side by side. Methods are for work that runs by [`Registers::run`].
pub trait Lanes: Copy {
    /// Rows of sums that stay in registers beside each other, when each is 1, 2, 3 or 4 groups wide; 0: not so wide.
    const HEIGHTS: [usize; 4];

    /// One number in all places.
    fn splat(number: f32) -> Self;
    /// What stands in a group.
    fn load(group: &Group) -> Self;
    /// Writes them to a group.
    fn store(self, group: &mut Group);
    /// `self · by + more`, place by place.
    fn multiply_add(self, by: Self, more: Self) -> Self;
    /// The sums.
    fn add(self, other: Self) -> Self;
    /// The differences.
    fn subtract(self, other: Self) -> Self;
    /// The products.
    fn multiply(self, other: Self) -> Self;
    /// The greater ones.
    fn max(self, other: Self) -> Self;
    /// Where `sign` is above zero, these, elsewhere 0.
    fn where_above_zero(self, sign: Self) -> Self;
    /// The product of a panel with these lanes: one function that is called, for a copy of it wherever a product is wanted is too much code.
    ///
    /// # Safety
    /// As there.
    unsafe fn panel(part: &Part, rows: usize, wide: usize);
}

/// Something to do with lanes.
pub trait Work {
    /// What comes of it.
    type Answer;
    /// Does it. To be `#[inline(always)]`, like all that it calls with lanes: only so it is compiled for their processor.
    fn by<L: Lanes>(self) -> Self::Answer;
}

/// A kind of registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Registers {
    /// 32 of 16 numbers.
    #[cfg(target_arch = "x86_64")]
    Wide,
    /// 16 of 8 numbers.
    #[cfg(target_arch = "x86_64")]
    Middle,
    /// Whatever every processor has.
    Plain,
}

impl Registers {
    /// Those that this processor has, the best first.
    pub fn all() -> impl Iterator<Item = Registers> {
        #[cfg(target_arch = "x86_64")]
        let special = [
            is_x86_feature_detected!("avx512f").then_some(Registers::Wide),
            (is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")).then_some(Registers::Middle),
        ];
        #[cfg(not(target_arch = "x86_64"))]
        let special: [Option<Registers>; 0] = [];
        special.into_iter().flatten().chain([Registers::Plain])
    }

    /// The best that this processor has.
    pub fn best() -> Registers {
        Registers::all().next().unwrap_or(Registers::Plain)
    }

    /// Does some work in these registers.
    pub fn run<W: Work>(self, work: W) -> W::Answer {
        match self {
            // SAFETY: only `Registers::all` makes these, where the processor has them.
            #[cfg(target_arch = "x86_64")]
            Registers::Wide => unsafe { x86::wide(work) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Registers::Middle => unsafe { x86::middle(work) },
            Registers::Plain => work.by::<Plain>(),
        }
    }
}

/// Numbers that the compiler is left to place.
#[derive(Clone, Copy)]
pub struct Plain([f32; GROUP]);

impl Plain {
    #[inline(always)]
    fn each(self, other: Plain, how: impl Fn(f32, f32) -> f32) -> Plain {
        let mut to = self.0;
        for (number, other) in to.iter_mut().zip(other.0) {
            *number = how(*number, other);
        }
        Plain(to)
    }
}

impl Lanes for Plain {
    const HEIGHTS: [usize; 4] = [2, 0, 0, 0];

    #[inline(always)]
    fn splat(number: f32) -> Self {
        Plain([number; GROUP])
    }

    #[inline(always)]
    fn load(group: &Group) -> Self {
        Plain(group.0)
    }

    #[inline(always)]
    fn store(self, group: &mut Group) {
        group.0 = self.0;
    }

    #[inline(always)]
    fn multiply_add(self, by: Self, more: Self) -> Self {
        if cfg!(target_arch = "aarch64") {
            let mut to = more.0;
            for ((sum, a), b) in to.iter_mut().zip(self.0).zip(by.0) {
                *sum = a.mul_add(b, *sum);
            }
            return Plain(to);
        }
        self.multiply(by).add(more)
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.each(other, |a, b| a + b)
    }

    #[inline(always)]
    fn subtract(self, other: Self) -> Self {
        self.each(other, |a, b| a - b)
    }

    #[inline(always)]
    fn multiply(self, other: Self) -> Self {
        self.each(other, |a, b| a * b)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.each(other, f32::max)
    }

    #[inline(always)]
    fn where_above_zero(self, sign: Self) -> Self {
        self.each(sign, |number, sign| if sign > 0.0 { number } else { 0.0 })
    }

    #[inline(never)]
    unsafe fn panel(part: &Part, rows: usize, wide: usize) {
        // SAFETY: the caller's promise.
        unsafe { part.panel::<Plain>(rows, wide) }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Group, Lanes, Part, Work};
    use std::arch::x86_64::*;

    #[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,avx2,fma")]
    pub fn wide<W: Work>(work: W) -> W::Answer {
        work.by::<Wide>()
    }

    #[target_feature(enable = "avx2,fma")]
    pub fn middle<W: Work>(work: W) -> W::Answer {
        work.by::<Middle>()
    }

    #[derive(Clone, Copy)]
    pub struct Wide(__m512);

    #[derive(Clone, Copy)]
    pub struct Middle(__m256, __m256);

    // SAFETY, for every `unsafe` below: work runs with these lanes in `wide` and `middle` only, so the processor has the
    // instructions; a group is 16 numbers long and begins at a multiple of 64 bytes.
    impl Lanes for Wide {
        const HEIGHTS: [usize; 4] = [24, 12, 8, 6];

        #[inline(always)]
        fn splat(number: f32) -> Self {
            // SAFETY: see above.
            Wide(unsafe { _mm512_set1_ps(number) })
        }

        #[inline(always)]
        fn load(group: &Group) -> Self {
            // SAFETY: see above.
            Wide(unsafe { _mm512_load_ps(group.0.as_ptr()) })
        }

        #[inline(always)]
        fn store(self, group: &mut Group) {
            // SAFETY: see above.
            unsafe { _mm512_store_ps(group.0.as_mut_ptr(), self.0) }
        }

        #[inline(always)]
        fn multiply_add(self, by: Self, more: Self) -> Self {
            // SAFETY: see above.
            Wide(unsafe { _mm512_fmadd_ps(self.0, by.0, more.0) })
        }

        #[inline(always)]
        fn add(self, other: Self) -> Self {
            // SAFETY: see above.
            Wide(unsafe { _mm512_add_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn subtract(self, other: Self) -> Self {
            // SAFETY: see above.
            Wide(unsafe { _mm512_sub_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn multiply(self, other: Self) -> Self {
            // SAFETY: see above.
            Wide(unsafe { _mm512_mul_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn max(self, other: Self) -> Self {
            // SAFETY: see above.
            Wide(unsafe { _mm512_max_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn where_above_zero(self, sign: Self) -> Self {
            // SAFETY: see above.
            unsafe {
                let above = _mm512_cmp_ps_mask::<_CMP_GT_OQ>(sign.0, _mm512_setzero_ps());
                Wide(_mm512_maskz_mov_ps(above, self.0))
            }
        }

        unsafe fn panel(part: &Part, rows: usize, wide: usize) {
            #[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,avx2,fma")]
            unsafe fn panel(part: &Part, rows: usize, wide: usize) {
                // SAFETY: the caller's promise.
                unsafe { part.panel::<Wide>(rows, wide) }
            }
            // SAFETY: see above, and the caller's promise.
            unsafe { panel(part, rows, wide) }
        }
    }

    impl Lanes for Middle {
        const HEIGHTS: [usize; 4] = [6, 0, 0, 0];

        #[inline(always)]
        fn splat(number: f32) -> Self {
            // SAFETY: see above.
            unsafe { Middle(_mm256_set1_ps(number), _mm256_set1_ps(number)) }
        }

        #[inline(always)]
        fn load(group: &Group) -> Self {
            let at = group.0.as_ptr();
            // SAFETY: see above.
            unsafe { Middle(_mm256_load_ps(at), _mm256_load_ps(at.add(8))) }
        }

        #[inline(always)]
        fn store(self, group: &mut Group) {
            let at = group.0.as_mut_ptr();
            // SAFETY: see above.
            unsafe {
                _mm256_store_ps(at, self.0);
                _mm256_store_ps(at.add(8), self.1);
            }
        }

        #[inline(always)]
        fn multiply_add(self, by: Self, more: Self) -> Self {
            // SAFETY: see above.
            unsafe { Middle(_mm256_fmadd_ps(self.0, by.0, more.0), _mm256_fmadd_ps(self.1, by.1, more.1)) }
        }

        #[inline(always)]
        fn add(self, other: Self) -> Self {
            // SAFETY: see above.
            unsafe { Middle(_mm256_add_ps(self.0, other.0), _mm256_add_ps(self.1, other.1)) }
        }

        #[inline(always)]
        fn subtract(self, other: Self) -> Self {
            // SAFETY: see above.
            unsafe { Middle(_mm256_sub_ps(self.0, other.0), _mm256_sub_ps(self.1, other.1)) }
        }

        #[inline(always)]
        fn multiply(self, other: Self) -> Self {
            // SAFETY: see above.
            unsafe { Middle(_mm256_mul_ps(self.0, other.0), _mm256_mul_ps(self.1, other.1)) }
        }

        #[inline(always)]
        fn max(self, other: Self) -> Self {
            // SAFETY: see above.
            unsafe { Middle(_mm256_max_ps(self.0, other.0), _mm256_max_ps(self.1, other.1)) }
        }

        #[inline(always)]
        fn where_above_zero(self, sign: Self) -> Self {
            // SAFETY: see above.
            unsafe {
                let zero = _mm256_setzero_ps();
                let keep = |number, sign| _mm256_and_ps(number, _mm256_cmp_ps::<_CMP_GT_OQ>(sign, zero));
                Middle(keep(self.0, sign.0), keep(self.1, sign.1))
            }
        }

        unsafe fn panel(part: &Part, rows: usize, wide: usize) {
            #[target_feature(enable = "avx2,fma")]
            unsafe fn panel(part: &Part, rows: usize, wide: usize) {
                // SAFETY: the caller's promise.
                unsafe { part.panel::<Middle>(rows, wide) }
            }
            // SAFETY: see above, and the caller's promise.
            unsafe { panel(part, rows, wide) }
        }
    }
}
