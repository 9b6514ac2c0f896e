//! Any text to games, games to any text: for the clipboard, dropped files and downloads.

use crate::chess::Rules;
use crate::go::Stones;
use crate::limits::bounded;
use crate::{FileError, GameTree, Record, Setup, epd, pgn, sgf};
use tengen_core::refuse;

/// A kind of file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Go and Othello.
    Sgf,
    /// Chess and its variants.
    Pgn,
    /// Every game: one JSON object a line.
    Json,
}

impl Format {
    /// The usual format of a game.
    pub fn usual(game: &str) -> Format {
        if Rules::of_game(game).is_some() {
            Format::Pgn
        } else if game.starts_with("go") || game.starts_with("othello") {
            Format::Sgf
        } else {
            Format::Json
        }
    }

    /// How such files are called: `sgf`, `pgn` or `jsonl`.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Sgf => "sgf",
            Format::Pgn => "pgn",
            Format::Json => "jsonl",
        }
    }
}

/// The games in a text or file of any kind: SGF, PGN, our own JSON, lines of FEN or EPD, or a position of Go, Othello or Yokai in our own
/// notation. Only chess moves are checked against rules here. Takes time in proportion to the text; [limits](crate::limits) say how much it may hold.
pub fn import(bytes: &[u8]) -> Result<Vec<GameTree>, FileError> {
    let sample = String::from_utf8_lossy(&bytes[..bytes.len().min(4096)]);
    let begin = sample.trim_start_matches('\u{feff}').trim_start();
    let first = begin.lines().find(|line| !line.trim_start().starts_with('#')).unwrap_or("").trim();
    if begin.is_empty() && bytes.len() <= 4096 {
        return Err(FileError::new("there is nothing in it"));
    }
    if begin.starts_with('{') {
        return read_json(bytes);
    }
    if epd::looks_like(first) {
        let text = String::from_utf8_lossy(bytes);
        let head = |line: epd::Epd| {
            let tags = line.operand("id").map(|id| ("id".to_owned(), id.to_owned()));
            let tags = tags.into_iter().collect();
            Ok(Record { game: line.game.to_owned(), setup: line.setup()?, tags, ..Record::default() })
        };
        return bounded(epd::read(&text)?.into_iter().map(|line| head(line).map(GameTree::new)));
    }
    if let Some(game) =
        whose_position(first).filter(|_| begin.lines().filter(|line| !line.trim().is_empty()).count() == 1)
    {
        return Ok(vec![GameTree::new(Record { game, setup: Setup::at(first), ..Record::default() })]);
    }
    // A game of SGF may come after a mail's head, but a PGN has no bracket with a semicolon behind it, except in a comment.
    let is_pgn = begin.starts_with("[Event") || begin.starts_with("1.") || begin.starts_with('[');
    if !is_pgn {
        match sgf::read(bytes) {
            Ok(trees) => {
                let game = |(number, tree): (usize, &sgf::Tree)| match sgf::to_game(tree) {
                    Err(error) if trees.len() > 1 => Err(FileError::new(format!("game {number}: {error}"))),
                    read => read,
                };
                return bounded((1..).zip(&trees).map(game));
            }
            Err(error) if begin.starts_with("(;") => return Err(error),
            Err(_) => {}
        }
    }
    // Without tags and numbers it is a PGN only if there are moves; else it is nothing we know.
    let games = pgn::read(bytes);
    let is_unknown = !is_pgn && games.as_ref().map_or(true, |games| games.iter().all(|game| game.nodes().len() == 1));
    if is_unknown {
        return Err(FileError::new(format!("{} is none of SGF, PGN, FEN, EPD and our own JSON", refuse(first))));
    }
    games
}

fn read_json(bytes: &[u8]) -> Result<Vec<GameTree>, FileError> {
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_start_matches('\u{feff}');
    // One tree over many lines, or one record or tree a line.
    if let Ok(tree) = serde_json::from_str::<GameTree>(text) {
        return Ok(vec![tree]);
    }
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let game = |(number, line): (usize, &str)| -> Result<GameTree, FileError> {
        let wrong = |error: serde_json::Error| FileError::at(number + 1, error.to_string());
        // Moves of a record may have nodes, too, but only a tree has a head.
        if line.contains("\"nodes\"") {
            match serde_json::from_str::<GameTree>(line) {
                Ok(tree) => return Ok(tree),
                Err(error) if line.contains("\"head\"") => return Err(wrong(error)),
                Err(_) => {}
            }
        }
        let record: Record = serde_json::from_str(line).map_err(wrong)?;
        if record.game.is_empty() {
            return Err(FileError::at(number + 1, "a record says which game it is: {\"game\":\"chess\",…}"));
        }
        Ok(GameTree::new(record))
    };
    bounded(lines.map(game))
}

/// The game whose position a line is, told by its shape.
fn whose_position(line: &str) -> Option<String> {
    if let Some((stones, ..)) = Stones::read(line).filter(|(stones, ..)| stones.size >= 5) {
        return Some(format!("go{}", stones.size));
    }
    let (board, side) = line.split_once(char::is_whitespace)?;
    let is_disc = |letter: char| "XOxo-.*".contains(letter);
    if matches!(side.trim(), "X" | "O" | "x" | "o") && board.chars().all(is_disc) {
        return match board.chars().count() {
            64 => Some("othello".to_owned()),
            36 => Some("othello6".to_owned()),
            _ => None,
        };
    }
    let is_yokai =
        |letter: char| letter.is_ascii_digit() || "/+[]-".contains(letter) || "CEGLPSKceglpsk".contains(letter);
    let rows = board.split('[').next().unwrap_or("").split('/').count();
    match rows {
        4 if board.chars().all(is_yokai) => Some("yokai34".to_owned()),
        6 if board.chars().all(is_yokai) => Some("yokai56".to_owned()),
        _ => None,
    }
}

/// Games as a file.
pub fn export(games: &[GameTree], format: Format) -> Result<String, FileError> {
    match format {
        Format::Sgf => {
            let trees = games.iter().map(sgf::from_game).collect::<Result<Vec<_>, _>>()?;
            Ok(sgf::write(&trees))
        }
        Format::Pgn => games.iter().map(pgn::write).collect(),
        Format::Json => {
            let line = |game: &GameTree| {
                // What is only a line of moves is written as the record it is.
                let record = game.record();
                let text = if GameTree::new(record.clone()) == *game {
                    serde_json::to_string(&record)
                } else {
                    serde_json::to_string(game)
                };
                text.map(|text| text + "\n").map_err(|error| FileError::new(error.to_string()))
            };
            games.iter().map(line).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a text is imported as: the game, the set-up's position, the moves of the main line.
    fn check(text: &str, game: &str, position: Option<&str>, moves: &str) -> Vec<GameTree> {
        let games = import(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
        let record = games[0].record();
        let played: Vec<&str> = record.moves.iter().map(|played| played.text.as_str()).collect();
        assert_eq!((record.game.as_str(), record.setup.position.as_deref()), (game, position), "{text}");
        assert_eq!(played.join(" "), moves, "{text}");
        games
    }

    #[test]
    fn formats_are_told_by_what_is_in_them() {
        check("1. e4 e5 2. Nf3", "chess", None, "e2e4 e7e5 g1f3");
        check("e4 e5", "chess", None, "e2e4 e7e5");
        check("\u{feff}[Event \"x (; y\"]\r\n\r\n1. d4 *", "chess", None, "d2d4");
        check("(;SZ[9];B[ee])", "go9", None, "E5");
        check("Dear all,\n(;SZ[9];B[ee])", "go9", None, "E5");
        check("(;SZ[9]KM[none]HA[];B[ee])", "go9", None, "E5");
        check("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "chess", Some("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), "");
        check("4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id \"x\";", "chess", Some("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), "");
        let go = "9/9/2X6/9/9/9/9/9/8O w - 0 0 0 0.5 japanese 0";
        check(go, "go9", Some(go), "");
        let yokai = "gle/1c1/1C1/ELG[-] w 0 1";
        check(yokai, "yokai34", Some(yokai), "");
        let discs = format!("{}OX------XO{} X", "-".repeat(27), "-".repeat(27));
        check(&discs, "othello", Some(&discs), "");
        check("{\"game\":\"connect4\",\"moves\":[{\"text\":\"4\"}]}", "connect4", None, "4");
    }

    #[test]
    fn what_nobody_knows() {
        for (text, complaint) in [
            ("", "nothing in it"),
            ("  \n ", "nothing in it"),
            ("hello world", "`hello world` is none of"),
            ("{\"game\":", "line 1:"),
            ("{}", "which game"),
            ("4k3/8/8/8/8/8/8/8 w - - 0 1", "line 1: `4k3"),
            ("[Event \"x\"]\n\n1. e4 e5 2. Ke3", "line 3: 2. Ke3 is not legal"),
            ("(;GM[4])", "game number"),
            ("(;SZ[9]KM[1e39])", "`1e39` (KM) is no komi on a board of 9x9"),
            ("(;SZ[9]KM[6.5];B[ee])(;SZ[9]HA[99999])", "game 2: `99999` (HA) is no handicap on a board of 9x9"),
        ] {
            let error = import(text.as_bytes()).expect_err(text).to_string();
            assert!(error.contains(complaint), "{text}: {error}");
        }
    }

    #[test]
    fn everything_comes_back_from_every_format() {
        for text in [
            "[White \"A\"]\n\n1. e4 {best} e5 $1 (1... c5 2. Nf3 (2. c3)) 2. Nf3 1-0",
            "(;SZ[9]PB[A]RE[B+R];B[ee]C[centre](;W[cc])(;W[gg]TE[1]))",
        ] {
            let games = import(text.as_bytes()).expect(text);
            for format in [Format::usual(&games[0].head.game), Format::Json] {
                let file = export(&games, format).expect(text);
                let again = import(file.as_bytes()).expect(&file);
                let shown = |games: &[GameTree]| export(games, Format::Json).expect("JSON");
                assert_eq!(again[0].nodes().len(), games[0].nodes().len(), "{file}");
                if format == Format::Json {
                    assert_eq!(again, games);
                } else {
                    assert_eq!(
                        shown(&import(export(&again, format).expect("again").as_bytes()).expect("again")),
                        shown(&again)
                    );
                }
            }
        }
    }
}
