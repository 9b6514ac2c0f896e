//! What there is to draw, said without a word about the rules: one renderer shows every game.

use crate::{Position, Reason, Side, TextError};
use serde::Serialize;

/// The kind of board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Board {
    /// Squares in two shades, pieces inside them (chess).
    Chequered,
    /// Squares in one shade, pieces or discs inside them (Yokai, Othello, tic-tac-toe).
    Squares,
    /// Lines, stones on their crossings (Go).
    Points,
    /// Upright columns that discs fall into (Connect Four).
    Columns,
    /// Twenty-four points around a bar: cells 1 to 24, then `bar` and `off` of each side (backgammon).
    Track,
    /// No board: everything is said by the facts (Pig).
    Bare,
}

/// One kind of piece of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Piece {
    /// Whose it is.
    pub side: Side,
    /// What it is: `stone`, `disc`, `king`, `kodama`, …
    pub shape: &'static str,
    /// One or two letters for a text board.
    pub letters: &'static str,
}

/// One place on the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Cell {
    /// Its name in move text: `e4`, `D16`, `24`.
    pub name: String,
    /// What stands there.
    pub piece: Option<Piece>,
    /// How many: more than one only on a `Track`.
    pub count: u8,
}

impl Cell {
    /// A place with at most one piece.
    pub fn new(name: impl Into<String>, piece: Option<Piece>) -> Self {
        Cell { name: name.into(), count: u8::from(piece.is_some()), piece }
    }
}

/// Something worth knowing that is not on the board: captured stones, a score, the turn total of Pig.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Fact {
    /// Whose, if it belongs to a side.
    pub side: Option<Side>,
    /// What: `captures`, `score`, `checks`.
    pub name: &'static str,
    /// How much.
    pub value: String,
}

/// A position ready to be drawn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Drawn {
    /// The kind of board.
    pub board: Board,
    /// Cells in a row.
    pub width: usize,
    /// Rows; `width * height` cells, except on a `Track`.
    pub height: usize,
    /// The cells as `First` sees them, row by row from the top left.
    pub cells: Vec<Cell>,
    /// Pieces in hand, each with its number, for either side.
    pub hands: [Vec<(Piece, u8)>; 2],
    /// The dice on the table.
    pub dice: Vec<u8>,
    /// Everything else.
    pub facts: Vec<Fact>,
}

impl Drawn {
    /// A board with nothing beside it.
    pub fn new(board: Board, width: usize, height: usize, cells: Vec<Cell>) -> Self {
        Drawn { board, width, height, cells, hands: [Vec::new(), Vec::new()], dice: Vec::new(), facts: Vec::new() }
    }
}

/// The complaint about a piece that a game does not have.
pub fn no_such_piece(shape: &str) -> TextError {
    TextError::new(format!("there is no piece {} in this game", crate::refuse(shape)))
}

/// A game that can be drawn.
pub trait Picture: Position {
    /// What the sides are called: `["Black", "White"]`.
    const SIDES: [&'static str; 2];

    /// What there is to draw.
    fn draw(&self) -> Drawn;

    /// The position with these pieces on the board instead, each a side and a shape, in the order in which cells are drawn, and with
    /// this side to move. What stands beside the board stays where it still makes sense; `afresh` takes hands and rights away, too.
    fn arranged(&self, cells: &[Option<(Side, &str)>], to_move: Side, afresh: bool) -> Result<Self, TextError> {
        let _ = (cells, to_move, afresh);
        Err(TextError::because(Reason::Illegal, "this game is set up by its position's text"))
    }

    /// The cells a move touches, by name, the last one being where it ends: for marks and for clicking.
    fn touched(&self, mv: Self::Move) -> Vec<String>;
}
