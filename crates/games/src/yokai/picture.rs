//! Yokai to look at: squares, the pieces by their names, and what is in hand.

use super::notation::{letters, square_name};
use super::{Kind, Move, Rules, Yokai};
use tengen_core::{Board, Cell, Drawn, Picture, Piece, Side};

impl<R: Rules> Picture for Yokai<R> {
    const SIDES: [&'static str; 2] = ["Black", "White"];

    fn draw(&self) -> Drawn {
        let rows = (0..R::HEIGHT).rev();
        let squares = rows.flat_map(|row| (0..R::WIDTH).map(move |column| row * R::WIDTH + column));
        let piece = |(side, kind)| Piece { side, shape: shape(kind), letters: letters::<R>(side, kind) };
        let cells = squares.map(|square| Cell::new(square_name::<R>(square), self.at(square).map(piece))).collect();
        let mut drawn = Drawn::new(Board::Squares, R::WIDTH, R::HEIGHT, cells);
        drawn.hands = Side::BOTH.map(|side| self.hand_kinds(side).map(|(kind, n)| (piece((side, kind)), n)).collect());
        drawn
    }

    fn touched(&self, mv: Move) -> Vec<String> {
        Self::origin(mv).into_iter().chain([Self::target(mv)]).map(square_name::<R>).collect()
    }
}

fn shape(kind: Kind) -> &'static str {
    match kind {
        Kind::Kodama => "kodama",
        Kind::Samurai => "samurai",
        Kind::Kitsune => "kitsune",
        Kind::Tanuki => "tanuki",
        Kind::Koropokkuru => "koropokkuru",
        Kind::Oni => "oni",
        Kind::SuperOni => "super-oni",
        Kind::Kirin => "kirin",
    }
}
