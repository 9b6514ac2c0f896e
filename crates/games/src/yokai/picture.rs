//! Yokai to look at: squares, the pieces by their names, and what is in hand.

use super::notation::{Reader, letters, square_name};
use super::{Kind, Move, Rules, Yokai, code_of};
use tengen_core::{Board, Cell, Drawn, Picture, Piece, Side, TextError, no_such_piece};

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

    fn arranged(&self, cells: &[Option<(Side, &str)>], to_move: Side, afresh: bool) -> Result<Self, TextError> {
        let rows = (0..R::HEIGHT).rev();
        let squares = rows.flat_map(|row| (0..R::WIDTH).map(move |column| row * R::WIDTH + column));
        let mut reader = Reader::<R>::new(to_move);
        for (square, cell) in squares.zip(cells) {
            let Some((side, name)) = *cell else { continue };
            let named = |code: &usize| R::KINDS[*code].is_some_and(|kind| shape(kind) == name);
            let code = (0..R::KINDS.len()).find(named).ok_or_else(|| no_such_piece(name))?;
            reader.place(None, square, side, code)?;
        }
        for side in Side::BOTH.into_iter().filter(|_| !afresh) {
            for (kind, count) in self.hand_kinds(side) {
                let code = code_of::<R>(kind).ok_or_else(|| no_such_piece(kind.name()))?;
                (0..count).try_for_each(|_| reader.take(None, side, code))?;
            }
        }
        reader.finish()
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
