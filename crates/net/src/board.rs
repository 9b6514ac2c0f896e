//! Where the points of a board lie in memory.
//!
//! ```text
//!   . . . . . .      3x3: the board is rounded up to tiles of four by four points, with a ring of border cells around them. The
//!   . 0 1 2 . .      way from a cell to each of its neighbours is a constant, and no neighbour of a tile is ever outside.
//!   . 3 4 5 . .      What is no point of the board holds zeros.
//!   . 6 7 8 . .
//!   . . . . . .
//!   . . . . . .
//! ```

/// Points across a tile.
pub const TILE: usize = 4;

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

    /// Tiles across.
    pub fn tiles(self) -> usize {
        self.size.div_ceil(TILE)
    }

    /// From a cell to the one below it.
    pub fn stride(self) -> usize {
        self.tiles() * TILE + 2
    }

    /// The cell of a point, counted from the top left.
    pub fn cell(self, column: usize, row: usize) -> usize {
        (row + 1) * self.stride() + column + 1
    }

    /// How many cells there are, with those that are no points.
    pub fn cells(self) -> usize {
        self.stride() * self.stride()
    }

    /// The cells of all points, row by row.
    pub fn points(self) -> impl Iterator<Item = usize> {
        (0..self.size).flat_map(move |row| (0..self.size).map(move |column| self.cell(column, row)))
    }
}
