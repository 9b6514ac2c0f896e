//! Where the games of a match begin: any file of games or positions is a book of openings.

use crate::{FileError, GameTree, Setup, import, read_file};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A beginning: a set-up and some moves from it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Opening {
    /// What to call it: the file's name for it, or its number.
    pub name: String,
    /// The game it belongs to.
    pub game: String,
    /// The position it starts from.
    pub setup: Setup,
    /// The moves that lead into the game, in the game's own notation.
    pub moves: Vec<String>,
}

/// The openings of a file: EPD, FEN, PGN, SGF or our own JSON lines. Of games with variations the main line counts.
pub fn openings(path: &Path) -> Result<Vec<Opening>, FileError> {
    let wrong = |what: String| FileError::new(format!("{}: {what}", path.display()));
    let bytes = read_file(path).map_err(|error| wrong(error.to_string()))?;
    openings_in(&bytes).map_err(|error| wrong(error.to_string()))
}

/// The openings of a text.
pub fn openings_in(bytes: &[u8]) -> Result<Vec<Opening>, FileError> {
    let games = import(bytes)?;
    Ok(games.iter().enumerate().map(|(index, game)| opening(index, game)).collect())
}

fn opening(index: usize, game: &GameTree) -> Opening {
    let head = &game.head;
    let tag = |name: &str| head.tags.get(name).filter(|text| !text.is_empty() && *text != "?").cloned();
    // An opening book names the opening; a test suite its position; SGF has a name for the game.
    let opening = match (tag("Opening"), tag("Variation")) {
        (Some(opening), Some(variation)) => Some(format!("{opening}: {variation}")),
        (opening, _) => opening,
    };
    let name =
        tag("id").or(opening).or_else(|| tag("GN")).or_else(|| tag("ECO")).unwrap_or_else(|| (index + 1).to_string());
    let moves = game.main_line().into_iter().skip(1).map(|at| game.node(at).played.text.clone()).collect();
    Opening { name, game: head.game.clone(), setup: head.setup.clone(), moves }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_file_is_a_book() {
        for (text, shown) in [
            (
                "[ECO \"C20\"]\n[Opening \"King's Pawn\"]\n\n1. e4 e5 *\n\n1. d4 d5 *",
                "King's Pawn chess e2e4 e7e5 | 2 chess d2d4 d7d5",
            ),
            ("4k3/8/8/8/8/8/8/4K2R w K - id \"rook\";\n4k3/8/8/8/8/8/8/4K2R b K - 0 1", "rook chess | 2 chess"),
            ("(;SZ[9]GN[tengen];B[ee])(;SZ[9];B[cc];W[gg])", "tengen go9 E5 | 2 go9 C7 G3"),
            ("{\"game\":\"othello\",\"moves\":[{\"text\":\"d3\"}]}\n", "1 othello d3"),
        ] {
            let words = |opening: &Opening| {
                let mut words = vec![opening.name.clone(), opening.game.clone()];
                words.extend(opening.moves.clone());
                words.join(" ")
            };
            let book: Vec<String> = openings_in(text.as_bytes()).expect(text).iter().map(words).collect();
            assert_eq!(book.join(" | "), shown, "{text}");
        }
        let error = openings(Path::new("/no/such/file.epd")).expect_err("no file").to_string();
        assert!(error.starts_with("/no/such/file.epd: "), "{error}");
    }
}
