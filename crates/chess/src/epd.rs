//! Test positions: a line of EPD with the moves that solve it.

use crate::score::{Told, told};
use shakmaty::Move;
use tengen_core::{Notation, Score, TextError, refuse};
use tengen_games::chess::Chess;

/// A position with the moves to find, or to avoid.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The position.
    pub position: Chess,
    /// What it is called.
    pub id: String,
    /// Any of these solves it (`bm`).
    pub best: Vec<Move>,
    /// None of these does (`am`).
    pub avoid: Vec<Move>,
    /// A mate in so many moves is to be found (`dm`).
    pub mate: Option<u32>,
}

impl Problem {
    /// Reads `board side castling en-passant opcode operands; …`; opcodes other than `bm`, `am`, `dm` and `id` are skipped.
    pub fn read(line: &str) -> Result<Problem, TextError> {
        let line = line.trim();
        let fields: Vec<&str> = line.split_whitespace().take(4).collect();
        if fields.len() < 4 {
            return Err(TextError::new("a test position begins with board, side, castling and en passant"));
        }
        let position = Chess::read(&fields.join(" "))?;
        let mut rest = line;
        for _ in 0..4 {
            rest = rest.trim_start();
            rest = &rest[rest.find(char::is_whitespace).unwrap_or(rest.len())..];
        }
        let mut problem = Problem { position, id: String::new(), best: Vec::new(), avoid: Vec::new(), mate: None };
        for operation in operations(rest) {
            let (code, operands) = operation.split_once(char::is_whitespace).unwrap_or((operation, ""));
            let moves = || -> Result<Vec<Move>, TextError> {
                // A sign of check, mate or praise may stand apart from its move.
                let words =
                    operands.split_whitespace().filter(|word| !word.trim_matches(['+', '#', '!', '?']).is_empty());
                words.map(|text| problem.position.read_move(text)).collect()
            };
            match code {
                "bm" => problem.best = moves()?,
                "am" => problem.avoid = moves()?,
                "dm" => {
                    let moves = operands.trim().parse().ok().filter(|moves| (1..1000).contains(moves));
                    let wrong = || TextError::new(format!("dm is a number of moves, not {}", refuse(operands.trim())));
                    problem.mate = Some(moves.ok_or_else(wrong)?);
                }
                "id" => problem.id = operands.trim().trim_matches('"').to_owned(),
                _ => {}
            }
        }
        if problem.best.is_empty() && problem.avoid.is_empty() && problem.mate.is_none() {
            return Err(TextError::new(format!("there is neither bm nor am nor dm in {}", refuse(rest.trim()))));
        }
        Ok(problem)
    }

    /// Whether this move is a solution, with what the search thought of it. A mate must be found, not stumbled into.
    pub fn is_solved_by(&self, mv: Move, score: Score) -> bool {
        let found =
            self.mate.is_none_or(|most| matches!(told(score), Told::Mate(moves) if (1..=most as i32).contains(&moves)));
        found && (self.best.is_empty() || self.best.contains(&mv)) && !self.avoid.contains(&mv)
    }

    /// What was wanted, in words.
    pub fn wanted(&self) -> String {
        let list = |moves: &[Move]| moves.iter().map(|&mv| self.position.san(mv)).collect::<Vec<_>>().join(" or ");
        match self.mate {
            Some(moves) if self.best.is_empty() => format!("mate in {moves}"),
            _ if self.best.is_empty() => format!("anything but {}", list(&self.avoid)),
            _ => list(&self.best),
        }
    }
}

/// The operations between semicolons; a quoted one may have a semicolon in it.
fn operations(text: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    text.split(move |letter: char| {
        quoted ^= letter == '"';
        letter == ';' && !quoted
    })
    .map(str::trim)
    .filter(|operation| !operation.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::MATE;

    #[test]
    fn problems_are_read() {
        let line = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; id \"back; rank\"; c0 \"a comment\";";
        let problem = Problem::read(line).expect(line);
        assert_eq!((problem.id.as_str(), problem.wanted().as_str()), ("back; rank", "Rd8#"));
        let mv = |text: &str| problem.position.read_move(text).expect(text);
        let apart =
            Problem::read("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8 + !; id \"apart\";").expect("a check sign apart");
        assert_eq!(apart.wanted(), "Rd8#");
        assert!(problem.is_solved_by(mv("d1d8"), 0) && !problem.is_solved_by(mv("d1d7"), 0));
        let avoid = Problem::read("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - am h3 h4;").expect("am");
        assert!(!avoid.is_solved_by(mv("h2h3"), 0) && avoid.is_solved_by(mv("d1d8"), 0));
        let mate = Problem::read("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - dm 1;").expect("dm");
        assert_eq!(mate.wanted(), "mate in 1");
        assert!(mate.is_solved_by(mv("d1d8"), MATE - 1) && !mate.is_solved_by(mv("d1d8"), MATE - 3));
        assert!(!mate.is_solved_by(mv("d1d8"), 900) && !mate.is_solved_by(mv("h2h3"), 1 - MATE));
        for (line, complaint) in [
            ("8/8 w", "begins with"),
            ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - id \"x\";", "neither"),
            ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Qd8;", "not legal"),
            ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - dm soon;", "number of moves"),
        ] {
            let error = Problem::read(line).expect_err(line).to_string();
            assert!(error.contains(complaint), "{line}: {error}");
        }
    }
}
