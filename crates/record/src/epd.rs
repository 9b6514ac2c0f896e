//! EPD, a position a line with what is known about it: test suites and openings. Lines of FEN are read, too.
//!
//! `r1bqk1r1/1p1p1n2/p1n2pN1/2p1b2Q/2P1Pp2/1PN5/PB4PP/R4RK1 w q - bm Rxf4; id "ECM.001";`

use crate::chess::{Chessboard, Rules};
use crate::{FileError, Setup};
use std::fmt;
use tengen_core::refuse;

/// A line of a file: a position and operations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Epd {
    /// The game: `chess`, or what the FEN shows it to be.
    pub game: &'static str,
    /// The position as FEN with all six fields.
    pub fen: String,
    /// What is said about it: the operation's name and its operands, quotes taken off.
    pub operations: Vec<(String, Vec<String>)>,
}

impl Epd {
    /// Reads a line.
    pub fn read(line: &str) -> Result<Epd, FileError> {
        let (fields, rest) = fields(line);
        let operations = read_operations(rest)?;
        // Counters may come as operations.
        let counter = |name: &str| {
            let operands = operations.iter().find(|(opcode, _)| opcode == name).map(|(_, operands)| operands);
            operands.and_then(|operands| operands.first()).filter(|word| word.bytes().all(|byte| byte.is_ascii_digit()))
        };
        let fen = match (counter("hmvc"), counter("fmvn")) {
            (None, None) => fields.join(" "),
            (half, full) if fields.len() == 4 => {
                let half = half.map_or("0", String::as_str);
                format!("{} {half} {}", fields.join(" "), full.map_or("1", String::as_str))
            }
            _ => fields.join(" "),
        };
        let board = Rules::of_fen(&fen).position(&fen)?;
        Ok(Epd { game: board.rules().game, fen: board.fen(), operations })
    }

    /// The operands of an operation: `bm`, `am`, `id`, `ce`, `dm`, `c0` …
    pub fn operands(&self, name: &str) -> Option<&[String]> {
        self.operations.iter().find(|(opcode, _)| opcode == name).map(|(_, operands)| operands.as_slice())
    }

    /// The first operand of an operation.
    pub fn operand(&self, name: &str) -> Option<&str> {
        self.operands(name)?.first().map(String::as_str)
    }

    /// The moves of an operation such as `bm` or `am`, which are all moves of this position, in UCI. Empty if there is no such operation.
    pub fn moves(&self, name: &str) -> Result<Vec<String>, FileError> {
        let board = self.board()?;
        let mv = |text: &str| {
            let mv = board
                .named(text)
                .ok_or_else(|| FileError::new(format!("{name} {text} is not legal in {}", self.fen)))?;
            Ok(board.uci(mv))
        };
        self.named(name).map(mv).collect()
    }

    /// The moves of an operation that follow each other, such as `pv`, in UCI.
    pub fn line(&self, name: &str) -> Result<Vec<String>, FileError> {
        let mut board = self.board()?;
        let mut moves = Vec::new();
        for text in self.named(name) {
            let mv = board
                .named(text)
                .ok_or_else(|| FileError::new(format!("{name} {text} is not legal in {}", board.fen())))?;
            moves.push(board.uci(mv));
            board.play(mv);
        }
        Ok(moves)
    }

    /// The operands that are meant as moves: a sign of check, mate or praise may stand apart from its move.
    fn named(&self, name: &str) -> impl Iterator<Item = &str> {
        let operands = self.operands(name).unwrap_or_default().iter().map(String::as_str);
        operands.filter(|text| !text.trim_matches(['+', '#', '!', '?']).is_empty())
    }

    /// The set-up of a game that begins here.
    pub fn setup(&self) -> Result<Setup, FileError> {
        Ok(self.board()?.setup())
    }

    fn board(&self) -> Result<Chessboard, FileError> {
        Rules::of_game(self.game).unwrap_or(Rules::CHESS).position(&self.fen)
    }
}

/// Whether a text looks like a line of EPD or FEN: eight ranks and a side to move.
pub(crate) fn looks_like(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let board = words.next().unwrap_or("");
    let is_board =
        board.matches('/').count() >= 7 && board.bytes().all(|byte| b"pnbrqkPNBRQK12345678/[]~-".contains(&byte));
    is_board && words.next().is_none_or(|side| matches!(side, "w" | "b" | "W" | "B"))
}

/// All positions of a file. Blank lines and lines that begin with `#` mean nothing.
pub fn read(text: &str) -> Result<Vec<Epd>, FileError> {
    let lines = text.trim_start_matches('\u{feff}').lines().enumerate();
    let said = lines.filter(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
    said.map(|(number, line)| Epd::read(line).map_err(|error| FileError::at(number + 1, error.to_string()))).collect()
}

/// The FEN's fields at the beginning of a line, and the rest.
fn fields(line: &str) -> (Vec<&str>, &str) {
    let mut fields: Vec<&str> = Vec::new();
    let mut rest = line.trim();
    while !rest.is_empty() {
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let word = &rest[..end];
        let is_field = match fields.len() {
            0..4 => true,
            // Counters, and the checks of three-check; everything else is an operation.
            4..7 => word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'+'),
            _ => false,
        };
        if !is_field {
            break;
        }
        fields.push(word);
        rest = rest[end..].trim_start();
    }
    (fields, rest)
}

fn read_operations(text: &str) -> Result<Vec<(String, Vec<String>)>, FileError> {
    let mut operations = Vec::new();
    let mut words: Vec<String> = Vec::new();
    let mut rest = text.trim_start();
    let mut end = |words: &mut Vec<String>| {
        if !words.is_empty() {
            operations.push((words.remove(0), std::mem::take(words)));
        }
    };
    while let Some(first) = rest.chars().next() {
        let length = match first {
            ';' => {
                end(&mut words);
                1
            }
            '"' => {
                let close = rest[1..].find('"').ok_or_else(|| FileError::new("a quotation mark is not closed"))?;
                words.push(rest[1..=close].to_owned());
                close + 2
            }
            _ => {
                let length = rest.find(|c: char| c.is_whitespace() || c == ';' || c == '"').unwrap_or(rest.len());
                words.push(rest[..length].to_owned());
                length
            }
        };
        rest = rest[length..].trim_start();
    }
    end(&mut words);
    let is_name =
        |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    match operations.iter().find(|(name, _)| !is_name(name)) {
        Some((name, _)) => Err(FileError::new(format!("{} is no operation", refuse(name)))),
        None => Ok(operations),
    }
}

impl fmt::Display for Epd {
    /// The line: four fields and the operations; the counters are operations if they say anything.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields: Vec<&str> = self.fen.split(' ').collect();
        f.write_str(&fields[..fields.len().min(4)].join(" "))?;
        let has = |name: &str| self.operations.iter().any(|(opcode, _)| opcode == name);
        if let [half, full] = fields[fields.len().min(4)..] {
            if half != "0" && !has("hmvc") {
                write!(f, " hmvc {half};")?;
            }
            if full != "1" && !has("fmvn") {
                write!(f, " fmvn {full};")?;
            }
        }
        for (name, operands) in &self.operations {
            write!(f, " {name}")?;
            for operand in operands {
                let is_text = operand.is_empty()
                    || operand.contains([' ', ';'])
                    || matches!(name.as_str(), "id")
                    || name.len() == 2 && name.starts_with(['c', 'v']) && name.ends_with(|c: char| c.is_ascii_digit());
                let operand = operand.replace('"', "'");
                if is_text { write!(f, " \"{operand}\"")? } else { write!(f, " {operand}")? }
            }
            f.write_str(";")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_round_trip() {
        for line in [
            "r1bqk1r1/1p1p1n2/p1n2pN1/2p1b2Q/2P1Pp2/1PN5/PB4PP/R4RK1 w q - bm Rxf4; id \"ECM.001\";",
            "8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - bm Rxb2; ce -120; c0 \"a; b\"; dm 7;",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - hmvc 3; fmvn 12; am e4 d4;",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        ] {
            let epd = Epd::read(line).expect(line);
            assert_eq!(epd.to_string(), line);
            assert_eq!(Epd::read(&epd.to_string()).expect("our own line"), epd);
        }
    }

    #[test]
    fn operations() {
        let epd =
            Epd::read("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm Nf3 e4; am f3 ;id \"a b\";pv e4 e5 Nf3")
                .expect("a line");
        assert_eq!(epd.moves("bm").expect("legal"), ["g1f3", "e2e4"]);
        let apart = Epd::read("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8 # !; pv Rd8 +;").expect("a line");
        assert_eq!([apart.moves("bm"), apart.line("pv")], [Ok(vec!["d1d8".to_owned()]), Ok(vec!["d1d8".to_owned()])]);
        assert_eq!(epd.moves("dm").expect("nothing"), [""; 0]);
        assert_eq!(epd.line("pv").expect("legal"), ["e2e4", "e7e5", "g1f3"]);
        assert_eq!(epd.operand("id"), Some("a b"));
        assert!(epd.moves("id").expect_err("no moves").to_string().contains("not legal"));
    }

    #[test]
    fn fen_lines_and_comments() {
        let file = "# openings\n\nrnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2\n4k3/8/8/8/8/8/8/4K2R w K - 12 40\n";
        let lines = read(file).expect("two lines");
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[1].fen, "4k3/8/8/8/8/8/8/4K2R w K - 12 40");
        assert_eq!(lines[1].to_string(), "4k3/8/8/8/8/8/8/4K2R w K - hmvc 12; fmvn 40;");
        let error = read("4k3/8/8/8/8/8/8/4K2R w K -\nnonsense here").expect_err("line 2").to_string();
        assert!(error.starts_with("line 2: `nonsense here`"), "{error}");
    }

    #[test]
    fn variants_by_their_fen() {
        for (fen, game) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Pp] w KQkq - 0 1", "crazyhouse"),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+3 0 1", "threecheck"),
            ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", "chess960"),
        ] {
            assert_eq!(Epd::read(fen).expect(fen).game, game);
        }
    }
}
