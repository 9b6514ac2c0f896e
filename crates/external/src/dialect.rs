//! What an engine must be told about a game that its rules do not say.

use tengen_core::{Notation, Side};

/// How a game is spoken of in the two protocols.
pub struct Dialect<P: Notation> {
    /// The names of the game in `UCI_Variant`, the usual one first. Empty for chess, which needs no name.
    pub variants: &'static [&'static str],
    /// Whether castling is written as in Chess960.
    pub chess960: bool,
    /// A move as UCI engines write it.
    pub uci_move: fn(&P, P::Move) -> String,
    /// The start of a game as GTP engines are told.
    pub gtp_start: fn(&P) -> GtpStart,
    /// By how many points `First` is ahead if the game ends in this position, for games that end by agreement: dead stones are off.
    pub count: Option<fn(&P) -> f32>,
}

/// The commands that bring a GTP engine to a start position.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GtpStart {
    /// The game's name for `set_game`, told to engines that know the command.
    pub game: Option<&'static str>,
    /// Lines of the board.
    pub size: Option<usize>,
    /// Points for the second side.
    pub komi: Option<f32>,
    /// The rule set, for engines that can be told.
    pub rules: Option<&'static str>,
    /// Handicap stones, if the position is nothing but those.
    pub handicap: Vec<String>,
    /// Stones of a position that came about otherwise.
    pub stones: Vec<(Side, String)>,
    /// Why the protocol has no words for this position, if it has none.
    pub unspeakable: Option<String>,
}

impl<P: Notation> Dialect<P> {
    /// A game that goes by these names, with texts as Tengen writes them.
    pub fn named(variants: &'static [&'static str], gtp_start: fn(&P) -> GtpStart) -> Self {
        Dialect { variants, chess960: false, uci_move: |position, mv| position.write_move(mv), gtp_start, count: None }
    }
}
