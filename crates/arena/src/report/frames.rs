//! A game as pictures, said in few bytes: the first position, then what each move changed.

use serde::{Deserialize, Serialize};
use tengen_core::{Board, Drawn, Fact, Piece, Side};

/// What all positions of a game have in common.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Geometry {
    /// The kind of board: `chequered`, `squares`, `points`, `columns`, `track` or `bare`.
    pub board: String,
    /// Cells in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// The names of the cells, row by row from the top left.
    pub cells: Vec<String>,
}

/// What can stand on a cell or lie in a hand: a piece, and how many of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Kind {
    /// Whose.
    pub side: Side,
    /// What: `stone`, `king`, `kodama`.
    pub shape: String,
    /// One or two letters for it.
    pub letters: String,
    /// How many.
    pub count: u8,
}

/// Something beside the board: whose, what, how much.
pub type Note = (Option<Side>, String, String);

/// What is different from the position before. Before the first position the board is empty.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Change {
    /// Cells and what stands on them now: 0 is nothing, 1 the first of [`Frames::kinds`], and so on.
    #[serde(rename = "c", default, skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<(u16, u16)>,
    /// Both hands in the same numbers, if either has changed.
    #[serde(rename = "h", default, skip_serializing_if = "Option::is_none")]
    pub hands: Option<[Vec<u16>; 2]>,
    /// The dice, if they have changed.
    #[serde(rename = "d", default, skip_serializing_if = "Option::is_none")]
    pub dice: Option<Vec<u8>>,
    /// All notes, if one has changed.
    #[serde(rename = "n", default, skip_serializing_if = "Option::is_none")]
    pub notes: Option<Vec<Note>>,
}

/// A game as pictures.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Frames {
    /// The board.
    pub geometry: Geometry,
    /// What the numbers in the changes stand for.
    pub kinds: Vec<Kind>,
    /// The first position, then one change a move.
    pub changes: Vec<Change>,
}

/// Folds pictures of one game, the start position first, into frames; nothing without pictures. A picture of another
/// board than the first one's ends the game there.
pub fn frames(pictures: &[Drawn]) -> Option<Frames> {
    let first = pictures.first()?;
    let geometry = Geometry {
        board: board_name(first.board).into(),
        width: first.width,
        height: first.height,
        cells: first.cells.iter().map(|cell| cell.name.clone()).collect(),
    };
    let mut kinds: Vec<Kind> = Vec::new();
    let mut number = |piece: &Piece, count: u8| {
        let kind = Kind { side: piece.side, shape: piece.shape.into(), letters: piece.letters.into(), count };
        let known = kinds.iter().position(|known| *known == kind);
        let index = known.unwrap_or_else(|| {
            kinds.push(kind);
            kinds.len() - 1
        });
        // Pieces of two sides with their counts are a few dozen.
        (index + 1).min(usize::from(u16::MAX)) as u16
    };
    let mut changes = Vec::with_capacity(pictures.len());
    let mut cells = vec![0u16; first.cells.len()];
    let (mut hands, mut dice, mut notes) = ([Vec::new(), Vec::new()], Vec::new(), Vec::new());
    for picture in pictures {
        if picture.board != first.board || picture.cells.len() != cells.len() {
            break;
        }
        let mut change = Change::default();
        for (index, (cell, before)) in picture.cells.iter().zip(&mut cells).enumerate() {
            let now = cell.piece.as_ref().map_or(0, |piece| number(piece, cell.count));
            if now != *before {
                change.cells.push((index as u16, now));
                *before = now;
            }
        }
        let held = |hand: &Vec<(Piece, u8)>| hand.iter().map(|(piece, count)| number(piece, *count)).collect();
        let hands_now: [Vec<u16>; 2] = picture.hands.each_ref().map(held);
        change.hands = (hands_now != hands).then(|| hands_now.clone());
        change.dice = (picture.dice != dice).then(|| picture.dice.clone());
        let note = |fact: &Fact| (fact.side, fact.name.to_owned(), fact.value.clone());
        let notes_now: Vec<Note> = picture.facts.iter().map(note).collect();
        change.notes = (notes_now != notes).then(|| notes_now.clone());
        (hands, dice, notes) = (hands_now, picture.dice.clone(), notes_now);
        changes.push(change);
    }
    Some(Frames { geometry, kinds, changes })
}

fn board_name(board: Board) -> &'static str {
    match board {
        Board::Chequered => "chequered",
        Board::Squares => "squares",
        Board::Points => "points",
        Board::Columns => "columns",
        Board::Track => "track",
        Board::Bare => "bare",
    }
}
