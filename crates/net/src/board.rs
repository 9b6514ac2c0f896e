//! Where the points of a board lie in memory.
//!
//! ```text
//!   . . . . .      3x3: one border cell before each row, which is also the one behind the row before, and a row of
//!   . 0 1 2        border above and below. The way from a cell to each of its neighbours is a constant, and no neighbour
//!   . 3 4 5        is ever outside. Border cells hold zeros.
//!   . 6 7 8
//!   . . . . .
//! ```

/// More cells at the end than the board needs, so that several cells at once may be read and written everywhere.
pub const SPARE: usize = 16;

/// A square board's cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Board {
    size: usize,
}

impl Board {
    /// A board of this many points across.
    pub fn new(size: usize) -> Self {
        Board { size }
    }

    /// Points across.
    pub fn size(self) -> usize {
        self.size
    }

    /// From a cell to the one below it.
    pub fn stride(self) -> usize {
        self.size + 1
    }

    /// The cell of a point, counted from the top left.
    pub fn cell(self, column: usize, row: usize) -> usize {
        (row + 1) * self.stride() + column + 1
    }

    /// How many cells there are, with border and spare ones.
    pub fn cells(self) -> usize {
        (self.size + 2) * self.stride() + 1 + SPARE
    }

    /// The cells of all points, row by row.
    pub fn points(self) -> impl Iterator<Item = usize> {
        (0..self.size).flat_map(move |row| (0..self.size).map(move |column| self.cell(column, row)))
    }

    /// From the first point's cell to behind the last one's.
    pub fn span(self) -> std::ops::Range<usize> {
        self.cell(0, 0)..self.cell(self.size, self.size - 1)
    }

    /// Makes everything zero that is not a point of the board.
    pub fn clear_border<const C: usize>(self, cells: &mut [[f32; C]]) {
        let span = self.span();
        for row in 1..self.size {
            cells[self.cell(0, row) - 1] = [0.0; C];
        }
        cells[..span.start].fill([0.0; C]);
        cells[span.end..].fill([0.0; C]);
    }
}
