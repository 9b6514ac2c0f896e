//! Products of matrices: where the time goes.
//!
//! Sums of a few rows and up to four groups of columns stay in registers while the depth goes by; the right matrix lies as it is read:
//!
//! ```text
//!            panel 0      panel 1                 rows of the left matrix may lie any way: a step from row to row and one
//!   depth 0  0 0 0 0      1 1 1                   from column to column, so that it can also be read turned
//!         1  0 0 0 0      1 1 1
//!         2  …            …
//! ```

use crate::registers::{GROUP, Group, Lanes, flat};

/// Depth that is gone through at a time, so that a panel stays near the processor.
const DEPTH: usize = 256;

/// How the groups of columns of a right matrix are cut into panels: as few as four groups a panel allow, as even as may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Panels {
    /// Groups of columns.
    pub groups: usize,
    count: usize,
}

impl Panels {
    /// For so many groups of columns.
    pub fn new(groups: usize) -> Self {
        Panels { groups, count: groups.div_ceil(4) }
    }

    /// First group and width of each panel.
    pub fn each(self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.count).map(move |panel| {
            let start = panel * self.groups / self.count;
            (start, (panel + 1) * self.groups / self.count - start)
        })
    }

    /// Where a group of a row stands in a packed matrix of this depth.
    pub fn place(self, depth: usize, row: usize, group: usize) -> usize {
        // The panel that holds the group: the formula of `each`, turned round.
        let panel = ((group + 1) * self.count - 1) / self.groups;
        let start = panel * self.groups / self.count;
        let width = (panel + 1) * self.groups / self.count - start;
        start * depth + row * width + (group - start)
    }
}

/// A matrix on the left: some numbers, and the steps between them.
#[derive(Clone, Copy)]
pub struct Left<'a> {
    /// The numbers.
    pub numbers: &'a [f32],
    /// From a row to the next.
    pub row: usize,
    /// From a column to the next.
    pub column: usize,
}

/// How the right matrix lies.
#[derive(Clone, Copy)]
pub enum Right<'a> {
    /// In panels, each `depth` rows of its width.
    Packed(&'a [Group]),
    /// Row by row.
    Rows(&'a [Group]),
}

/// `to = left · right`, or `to += left · right`: `rows` of `to` are `panels.groups` wide, one below the other.
#[inline(always)]
pub fn multiply<L: Lanes>(
    left: Left<'_>,
    right: Right<'_>,
    (rows, depth, panels): (usize, usize, Panels),
    add: bool,
    to: &mut [Group],
) {
    let width = panels.groups;
    if rows == 0 || width == 0 {
        return;
    }
    if depth == 0 {
        if !add {
            to[..rows * width].fill(Group::ZERO);
        }
        return;
    }
    // All that is read and written below lies inside these.
    assert!(left.numbers.len() > (rows - 1) * left.row + (depth - 1) * left.column);
    assert!(to.len() >= rows * width);
    let (numbers, is_packed) = match right {
        Right::Packed(numbers) => (numbers, true),
        Right::Rows(numbers) => (numbers, false),
    };
    assert!(numbers.len() >= depth * width);
    for (start, wide) in panels.each() {
        let (panel, step) = if is_packed { (&numbers[start * depth..], wide) } else { (&numbers[start..], width) };
        for from in (0..depth).step_by(DEPTH) {
            let part = Part {
                left: left.numbers[from * left.column..].as_ptr(),
                row: left.row,
                column: left.column,
                right: panel[from * step..].as_ptr(),
                step,
                depth: DEPTH.min(depth - from),
                to: to[start..].as_mut_ptr(),
                width,
                add: add || from > 0,
            };
            // SAFETY: the asserts above; a panel's columns are its own.
            unsafe { L::panel(&part, rows, wide) };
        }
    }
}

/// A panel's product over a part of the depth.
pub struct Part {
    left: *const f32,
    row: usize,
    column: usize,
    right: *const Group,
    step: usize,
    depth: usize,
    to: *mut Group,
    width: usize,
    add: bool,
}

impl Part {
    /// # Safety
    /// `rows` rows of the left and of `to`, `depth` rows of the right, `wide` groups each, can be read and written.
    #[inline(always)]
    pub unsafe fn panel<L: Lanes>(&self, rows: usize, wide: usize) {
        // SAFETY: the caller's promise, cut into widths that the registers hold.
        unsafe {
            match wide {
                4 if L::HEIGHTS[3] > 0 => self.rows::<L, 4, 6>(rows, 0),
                3 if L::HEIGHTS[2] > 0 => self.rows::<L, 3, 8>(rows, 0),
                2 if L::HEIGHTS[1] > 0 => self.rows::<L, 2, 12>(rows, 0),
                _ => {
                    for column in 0..wide {
                        match L::HEIGHTS[0] {
                            24 => self.rows::<L, 1, 14>(rows, column),
                            6 => self.rows::<L, 1, 6>(rows, column),
                            _ => self.rows::<L, 1, 2>(rows, column),
                        }
                    }
                }
            }
        }
    }

    /// # Safety
    /// As above.
    #[inline(always)]
    unsafe fn rows<L: Lanes, const WIDE: usize, const HIGH: usize>(&self, rows: usize, column: usize) {
        let mut row = 0;
        // SAFETY: the caller's promise, for blocks of rows.
        unsafe {
            while row + HIGH <= rows {
                self.block::<L, WIDE, HIGH>(row, column);
                row += HIGH;
            }
            // The rest in halves, down to single rows: few kernels, few wasted registers.
            if HIGH > 8 && row + 8 <= rows {
                self.block::<L, WIDE, 8>(row, column);
                row += 8;
            }
            if HIGH > 4 && row + 4 <= rows {
                self.block::<L, WIDE, 4>(row, column);
                row += 4;
            }
            if HIGH > 3 && row + 3 <= rows {
                self.block::<L, WIDE, 3>(row, column);
                row += 3;
            }
            if HIGH > 2 && row + 2 <= rows {
                self.block::<L, WIDE, 2>(row, column);
                row += 2;
            }
            if row < rows {
                self.block::<L, WIDE, 1>(row, column);
            }
        }
    }

    /// # Safety
    /// As above.
    #[inline(always)]
    unsafe fn block<L: Lanes, const WIDE: usize, const HIGH: usize>(&self, row: usize, column: usize) {
        // SAFETY: the caller's promise.
        unsafe {
            let mut sums = [[L::splat(0.0); WIDE]; HIGH];
            let mut left = self.left.add(row * self.row);
            let mut right = self.right.add(column);
            for _ in 0..self.depth {
                let mut factors = [L::splat(0.0); WIDE];
                for (wide, factor) in factors.iter_mut().enumerate() {
                    *factor = L::load(&*right.add(wide));
                }
                for (high, sums) in sums.iter_mut().enumerate() {
                    let number = L::splat(*left.add(high * self.row));
                    for (sum, factor) in sums.iter_mut().zip(factors) {
                        *sum = number.multiply_add(factor, *sum);
                    }
                }
                left = left.add(self.column);
                right = right.add(self.step);
            }
            for (high, sums) in sums.into_iter().enumerate() {
                for (wide, sum) in sums.into_iter().enumerate() {
                    let to = &mut *self.to.add((row + high) * self.width + column + wide);
                    let sum = if self.add { sum.add(L::load(to)) } else { sum };
                    sum.store(to);
                }
            }
        }
    }
}

/// A left matrix whose rows are so many groups long.
pub fn rows_of(numbers: &[Group], groups: usize) -> Left<'_> {
    Left { numbers: flat(numbers), row: groups * GROUP, column: 1 }
}

/// The same, turned: its columns are the rows.
pub fn columns_of(numbers: &[Group], groups: usize) -> Left<'_> {
    Left { numbers: flat(numbers), row: 1, column: groups * GROUP }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registers::{Registers, Work, flat_mut};

    /// A matrix `from` of `rows` rows in the order of panels: `from(row, column)` for `columns` of them, zeros beyond.
    fn pack(rows: usize, columns: usize, to: &mut Vec<Group>, from: impl Fn(usize, usize) -> f32) -> Panels {
        let panels = Panels::new(columns.div_ceil(GROUP));
        to.clear();
        to.resize(rows * panels.groups, Group::ZERO);
        for row in 0..rows {
            for group in 0..panels.groups {
                let place = &mut to[panels.place(rows, row, group)].0;
                for (lane, number) in place.iter_mut().enumerate().take(columns - group * GROUP) {
                    *number = from(row, group * GROUP + lane);
                }
            }
        }
        panels
    }

    struct Multiply<'a>(Left<'a>, Right<'a>, (usize, usize, Panels), bool, &'a mut [Group]);

    impl Work for Multiply<'_> {
        type Answer = ();
        #[inline(always)]
        fn by<L: Lanes>(self) {
            multiply::<L>(self.0, self.1, self.2, self.3, self.4);
        }
    }

    #[test]
    fn products_are_what_their_definition_says() {
        let mut rng = fastrand::Rng::with_seed(7);
        for (rows, depth, columns) in
            [(1, 1, 1), (5, 3, 16), (13, 70, 48), (9, 300, 100), (27, 64, 64), (6, 40, 128), (31, 600, 90), (4, 0, 20)]
        {
            let (deep, wide) = (groups_of(depth), groups_of(columns));
            let mut numbers = |count: usize| -> Vec<Group> {
                (0..count).map(|_| Group(std::array::from_fn(|_| rng.f32() - 0.5))).collect()
            };
            let (left, right) = (numbers(rows * deep), numbers(depth * wide));
            let turned = numbers(depth.max(1) * groups_of(rows));
            let at = |row: usize, column: usize| flat(&right)[row * wide * GROUP + column];
            let mut packed = Vec::new();
            let panels = pack(depth, wide * GROUP, &mut packed, at);
            for registers in Registers::all() {
                for add in [false, true] {
                    for (is_turned, left) in
                        [(false, rows_of(&left, deep)), (true, columns_of(&turned, groups_of(rows)))]
                    {
                        let before = vec![Group([2.0; GROUP]); rows * wide];
                        let (mut by_panels, mut by_rows) = (before.clone(), before.clone());
                        let size = (rows, depth, panels);
                        registers.run(Multiply(left, Right::Packed(&packed), size, add, &mut by_panels));
                        registers.run(Multiply(left, Right::Rows(&right), size, add, &mut by_rows));
                        assert_eq!(by_panels, by_rows);
                        for row in 0..rows {
                            for column in 0..wide * GROUP {
                                let product = |k: usize| left.numbers[row * left.row + k * left.column] * at(k, column);
                                let expected: f32 = (0..depth).map(product).sum::<f32>() + if add { 2.0 } else { 0.0 };
                                let sum = flat_mut(&mut by_panels)[row * wide * GROUP + column];
                                let message = format!("{registers:?} {rows}x{depth}x{columns} {is_turned} {add}");
                                assert!((sum - expected).abs() < 1e-4, "{message}: {sum}, not {expected}");
                            }
                        }
                    }
                }
            }
        }
    }

    fn groups_of(numbers: usize) -> usize {
        crate::registers::groups(numbers)
    }
}
