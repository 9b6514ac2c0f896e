//! The board turned, mirrored, and drawn.
//!
//! A board has eight symmetries, and the rules know none of its corners from another: komi, prisoners and the rest stay
//! as they are.

use super::{Go, Move, Point};
use tengen_core::{Board, Cell, Drawn, Fact, Picture, Piece, Side, Symmetry, TextError, no_such_piece};

impl<const CELLS: usize> Symmetry for Go<CELLS> {
    const SYMMETRIES: usize = 8;

    fn transformed(&self, which: usize) -> Self {
        let mut turned = self.clone();
        turned.board = super::Board::new(self.size());
        for point in self.board.points() {
            if let Some(side) = self.board.colour(point) {
                turned.board.put(self.turned(point, which).cell(), side);
            }
        }
        turned.ko = self.ko().map_or(0, |ko| self.turned(ko, which).cell() as u16);
        turned.last = self.last.map(|mv| self.transformed_move(mv, which));
        turned
    }

    fn transformed_move(&self, mv: Move, which: usize) -> Move {
        match mv {
            Move::Pass => Move::Pass,
            Move::At(point) => Move::At(self.turned(point, which)),
        }
    }
}

impl<const CELLS: usize> Go<CELLS> {
    /// Bit 0 mirrors left and right, bit 1 top and bottom, bit 2 exchanges columns and rows.
    fn turned(&self, point: Point, which: usize) -> Point {
        let far = self.size() - 1;
        let (mut column, mut row) = self.board.coordinates(point);
        if which & 1 != 0 {
            column = far - column;
        }
        if which & 2 != 0 {
            row = far - row;
        }
        if which & 4 != 0 {
            (column, row) = (row, column);
        }
        // Both stayed between 0 and `far`, so this is a point of the board.
        self.board.point(column, row).unwrap_or(point)
    }
}

impl<const CELLS: usize> Picture for Go<CELLS> {
    const SIDES: [&'static str; 2] = ["Black", "White"];

    fn draw(&self) -> Drawn {
        let stone = |side| Piece { side, shape: "stone", letters: if side == Side::First { "X" } else { "O" } };
        let cell = |point| Cell::new(self.point_name(point), self.board.colour(point).map(stone));
        let cells = self.board.points().map(cell).collect();
        let captures =
            |side| Fact { side: Some(side), name: "captures", value: self.prisoners[Side::index(side)].to_string() };
        let mut drawn = Drawn::new(Board::Points, self.size(), self.size(), cells);
        drawn.facts.extend(Side::BOTH.map(captures));
        drawn.facts.push(Fact { side: None, name: "komi", value: self.komi.to_string() });
        drawn.facts.push(Fact { side: None, name: "rules", value: self.rules.to_string() });
        if self.compensation > 0 {
            let value = self.compensation.to_string();
            drawn.facts.push(Fact { side: Some(Side::Second), name: "handicap points", value });
        }
        drawn
    }

    /// Prisoners, komi and rules stay: ko and passes belong to a move that was not made.
    fn arranged(&self, cells: &[Option<(Side, &str)>], to_move: Side, _: bool) -> Result<Self, TextError> {
        let mut board = super::Board::new(self.size());
        for (point, cell) in self.board.points().zip(cells) {
            match *cell {
                None => {}
                Some((side, "stone")) => _ = board.put(point.cell(), side),
                Some((_, shape)) => return Err(no_such_piece(shape)),
            }
        }
        if let Some(point) = board.choked() {
            return Err(TextError::new(format!("the stone on {} has no liberty", self.point_name(point))));
        }
        Ok(Go { board, ko: 0, ..self.taken_up_by(to_move) })
    }

    fn touched(&self, mv: Move) -> Vec<String> {
        match mv {
            Move::Pass => vec![],
            Move::At(point) => vec![self.point_name(point)],
        }
    }
}
