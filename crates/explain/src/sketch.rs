//! Positions as small drawings, said in few bytes: the board once, then one letter a cell.

use serde::Serialize;
use tengen_core::{Board, Drawn, Piece, Side};

/// The board that all positions of a trace share.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Form {
    /// The kind of board.
    pub board: Board,
    /// Cells in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// The names of the cells.
    pub cells: Vec<String>,
    /// What a letter in [`Sketch::cells`] stands for: `1` is the first of these, and so on; `0` is an empty cell.
    pub pieces: Vec<(Piece, u8)>,
}

/// One position on that board.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Sketch {
    /// One letter a cell.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub cells: String,
    /// What is beside the board: hands, dice, scores.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}

/// Something beside the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Note {
    /// Whose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
    /// What: `holds`, `dice`, `score`.
    pub name: &'static str,
    /// How much.
    pub value: String,
}

/// Makes sketches; learns the pieces as they come.
#[derive(Default)]
pub(crate) struct Sketcher {
    pub form: Option<Form>,
}

impl Sketcher {
    pub fn sketch(&mut self, drawn: &Drawn) -> Sketch {
        let mut notes = Vec::new();
        for side in Side::BOTH {
            let held: Vec<String> =
                drawn.hands[side.index()].iter().map(|(piece, count)| format!("{}×{count}", piece.letters)).collect();
            if !held.is_empty() {
                notes.push(Note { side: Some(side), name: "holds", value: held.join(" ") });
            }
        }
        if !drawn.dice.is_empty() {
            let dice: Vec<String> = drawn.dice.iter().map(u8::to_string).collect();
            notes.push(Note { side: None, name: "dice", value: dice.join(" ") });
        }
        let fact = |fact: &tengen_core::Fact| Note { side: fact.side, name: fact.name, value: fact.value.clone() };
        notes.extend(drawn.facts.iter().map(fact));
        if drawn.cells.is_empty() {
            return Sketch { cells: String::new(), notes };
        }
        let form = self.form.get_or_insert_with(|| Form {
            board: drawn.board,
            width: drawn.width,
            height: drawn.height,
            cells: drawn.cells.iter().map(|cell| cell.name.clone()).collect(),
            pieces: Vec::new(),
        });
        let cells = drawn.cells.iter().map(|cell| match cell.piece {
            None => '0',
            Some(piece) => {
                let entry = (piece, cell.count);
                let known = form.pieces.iter().position(|known| *known == entry);
                let index = known.unwrap_or_else(|| {
                    form.pieces.push(entry);
                    form.pieces.len() - 1
                });
                // Two sides with a few dozen pieces and counts each stay far below the gap in Unicode.
                char::from_u32('1' as u32 + index as u32).unwrap_or('0')
            }
        });
        Sketch { cells: cells.collect(), notes }
    }

    /// The places of these cells on the board.
    pub fn places(&self, names: &[String]) -> Vec<usize> {
        let Some(form) = &self.form else { return Vec::new() };
        names.iter().filter_map(|name| form.cells.iter().position(|cell| cell == name)).collect()
    }
}
