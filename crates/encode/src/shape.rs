//! How much a network is shown, and the numbers themselves.

use crate::Encoder;
use tengen_core::{Line, Position};

/// How much an encoder shows of a board, and how long the policy is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shape {
    /// How many planes there are.
    pub planes: usize,
    /// Rows of the board; 0 if only numbers for the whole board are shown.
    pub height: usize,
    /// Columns of the board.
    pub width: usize,
    /// How many numbers there are for the whole board.
    pub globals: usize,
    /// What the policy is made of.
    pub policy: Policy,
}

/// What a policy is made of: first the maps, each with a place for every point (`map * points + point`), then the rest.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Policy {
    /// How many maps of the board there are.
    pub maps: usize,
    /// How many moves have no point, as a pass has none.
    pub extra: usize,
}

impl Shape {
    /// Points of the board.
    pub fn points(&self) -> usize {
        self.height * self.width
    }

    /// How many numbers the planes are together.
    pub fn plane_numbers(&self) -> usize {
        self.planes * self.points()
    }

    /// How many places the policy has.
    pub fn policy_size(&self) -> usize {
        self.policy.maps * self.points() + self.policy.extra
    }

    /// The place in the policy of a point on one of the maps.
    pub fn on_map(&self, map: usize, point: usize) -> usize {
        debug_assert!(map < self.policy.maps && point < self.points(), "map {map}, point {point} of {self:?}");
        map * self.points() + point
    }

    /// The place in the policy of a move without a point.
    pub fn beside_maps(&self, extra: usize) -> usize {
        debug_assert!(extra < self.policy.extra, "extra {extra} of {self:?}");
        self.policy.maps * self.points() + extra
    }
}

/// Where an encoder writes.
#[derive(Debug)]
pub struct Input<'a> {
    /// Plane after plane, each row by row.
    pub planes: &'a mut [f32],
    /// The numbers for the whole board.
    pub globals: &'a mut [f32],
}

impl Input<'_> {
    /// Makes everything zero and gives the planes to draw on.
    pub(crate) fn clear(&mut self, shape: &Shape) -> Planes<'_> {
        debug_assert_eq!(self.planes.len(), shape.plane_numbers(), "{shape:?}");
        debug_assert_eq!(self.globals.len(), shape.globals, "{shape:?}");
        self.planes.fill(0.0);
        self.globals.fill(0.0);
        Planes { numbers: self.planes, points: shape.points() }
    }
}

/// Planes to draw on.
pub(crate) struct Planes<'a> {
    numbers: &'a mut [f32],
    points: usize,
}

impl Planes<'_> {
    /// Puts a one on a point.
    #[inline]
    pub fn mark(&mut self, plane: usize, point: usize) {
        self.put(plane, point, 1.0);
    }

    /// Puts a number on a point.
    #[inline]
    pub fn put(&mut self, plane: usize, point: usize, number: f32) {
        debug_assert!(point < self.points, "point {point} of {}", self.points);
        self.numbers[plane * self.points + point] = number;
    }

    /// Puts ones on the points of a set of squares.
    #[inline]
    pub fn mark_all(&mut self, plane: usize, squares: u64, point: impl Fn(usize) -> usize) {
        for square in bits(squares) {
            self.mark(plane, point(square));
        }
    }

    /// Puts a number on all points.
    #[inline]
    pub fn fill(&mut self, plane: usize, number: f32) {
        self.numbers[plane * self.points..][..self.points].fill(number);
    }
}

/// The numbers of the bits that are set, from low to high.
#[inline]
pub(crate) fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(bit)
    })
}

/// One encoded position that owns its numbers.
#[derive(Clone, PartialEq, Debug)]
pub struct Encoded {
    /// Plane after plane, each row by row.
    pub planes: Vec<f32>,
    /// The numbers for the whole board.
    pub globals: Vec<f32>,
}

impl Encoded {
    /// Room for a position, all zero.
    pub fn new(shape: &Shape) -> Self {
        Encoded { planes: vec![0.0; shape.plane_numbers()], globals: vec![0.0; shape.globals] }
    }

    /// The position now.
    pub fn of<P: Position>(encoder: &(impl Encoder<P> + ?Sized), line: &Line<P>) -> Self {
        let mut encoded = Encoded::new(&encoder.shape(line.position()));
        encoder.encode(line, &mut encoded.input());
        encoded
    }

    /// For an encoder to write to.
    pub fn input(&mut self) -> Input<'_> {
        Input { planes: &mut self.planes, globals: &mut self.globals }
    }
}
