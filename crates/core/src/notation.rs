//! Positions and moves as text, read with suspicion.

use crate::Position;
use std::fmt;

/// Why a text is refused, for programs; people read the sentence of the [`TextError`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// It says nothing that the game knows.
    Unreadable,
    /// It names a game that there is not.
    Unknown,
    /// It is a move that the rules do not allow here, for a reason that has no word of its own below.
    Illegal,
    /// Something stands there already.
    Occupied,
    /// It would bring back what stood on the board before.
    Ko,
    /// The stone would have no liberty.
    Suicide,
    /// The game is over.
    Over,
}

/// Why a text is not a position or not a move: what is wrong, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextError {
    reason: Reason,
    what: String,
    at: Option<usize>,
}

impl TextError {
    /// Something is wrong with the text as a whole.
    pub fn new(what: impl Into<String>) -> Self {
        TextError { reason: Reason::Unreadable, what: what.into(), at: None }
    }

    /// Something is wrong at this character, counted from zero.
    pub fn at(at: usize, what: impl Into<String>) -> Self {
        TextError { at: Some(at), ..TextError::new(what) }
    }

    /// The text is understood, but refused for this reason.
    pub fn because(reason: Reason, what: impl Into<String>) -> Self {
        TextError { reason, ..TextError::new(what) }
    }

    /// No move can be played any more.
    pub fn over() -> Self {
        TextError::because(Reason::Over, "the game is over")
    }

    /// Why, for programs.
    pub fn reason(&self) -> Reason {
        self.reason
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        match self.at {
            // People count from one.
            Some(at) => write!(f, " (character {})", at + 1),
            None => Ok(()),
        }
    }
}

impl std::error::Error for TextError {}

/// A piece of foreign text, cut to a length fit for an error message and without control characters.
pub fn refuse(text: &str) -> String {
    let shown: String = text.chars().take(60).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().count() > 60 { format!("`{shown}…`") } else { format!("`{shown}`") }
}

/// A game whose positions and moves can be written down.
///
/// What is written can be read back: `read(p.write())` equals `p`, and `p.read_move(p.write_move(mv))` is `mv`.
pub trait Notation: Position {
    /// The position in one line.
    fn write(&self) -> String;

    /// The position that a text describes; it is one from which play can go on, whatever the text was.
    fn read(text: &str) -> Result<Self, TextError>;

    /// A move of this position, as people write it.
    fn write_move(&self, mv: Self::Move) -> String;

    /// The legal move (or, at a chance event, the possible roll) that a text names.
    fn read_move(&self, text: &str) -> Result<Self::Move, TextError>;
}
