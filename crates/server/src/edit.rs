//! Setting up a position piece by piece: the board is drawn, changed, written down again, and read with all suspicion.

use crate::message::{Code, Edit, Put, Trouble, View};
use crate::view::view;
use tengen_core::{Drawn, Side};
use tengen_record::Setup;
use tengen_table::open;

/// The position with the changes made, if play can go on from it.
pub fn edit(wish: &Edit) -> Result<View, Trouble> {
    let setup = Setup { position: wish.position.clone(), ..Setup::standard() };
    let seen = open(&wish.game, &setup)?.view();
    let mut board = Board::of(&seen.drawn, wish.clear);
    for put in wish.put.iter().take(1000) {
        board.put(&wish.game, put)?;
    }
    let side = wish.to_move.unwrap_or(seen.to_move);
    let text = board.write(&wish.game, &seen.position, side, wish.clear)?;
    Ok(view(&*open(&wish.game, &Setup::at(text))?))
}

/// A board of letters, as position texts have them.
struct Board {
    width: usize,
    names: Vec<String>,
    /// The letters of each cell; empty if nothing stands there.
    letters: Vec<String>,
}

impl Board {
    fn of(drawn: &Drawn, clear: bool) -> Self {
        let letters = |cell: &tengen_core::Cell| match cell.piece {
            Some(piece) if !clear => cased(piece.letters, piece.side),
            _ => String::new(),
        };
        Board {
            width: drawn.width.max(1),
            names: drawn.cells.iter().map(|cell| cell.name.clone()).collect(),
            letters: drawn.cells.iter().map(letters).collect(),
        }
    }

    fn put(&mut self, game: &str, put: &Put) -> Result<(), Trouble> {
        let at = self.names.iter().position(|name| *name == put.cell);
        let at = at.ok_or_else(|| Trouble::new(Code::BadText, "there is no such cell on this board"))?;
        self.letters[at] = match &put.piece {
            None => String::new(),
            Some(piece) => {
                let letters = letters(game, &piece.shape, piece.side);
                letters.ok_or_else(|| Trouble::new(Code::BadText, "there is no such piece in this game"))?
            }
        };
        Ok(())
    }

    /// Rows from the top, with numbers for empty cells, as in FEN.
    fn rows(&self) -> String {
        let row = |cells: &[String]| {
            let (mut text, mut empty) = (String::new(), 0);
            for letters in cells {
                if letters.is_empty() {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    text += &std::mem::take(&mut empty).to_string();
                }
                text += letters;
            }
            if empty > 0 { text + &empty.to_string() } else { text }
        };
        self.letters.chunks(self.width).map(row).collect::<Vec<_>>().join("/")
    }

    /// Rows with one letter a cell.
    fn dots(&self, between: &str) -> String {
        let letter = |letters: &String| if letters.is_empty() { "." } else { letters.as_str() }.to_owned();
        self.letters
            .chunks(self.width)
            .map(|row| row.iter().map(letter).collect::<String>())
            .collect::<Vec<_>>()
            .join(between)
    }

    /// The whole position: what stood beside the board stays where it still makes sense.
    fn write(&self, game: &str, before: &str, side: Side, clear: bool) -> Result<String, Trouble> {
        let first = side == Side::First;
        let fields: Vec<&str> = before.split_whitespace().collect();
        let field = |at: usize, usual: &'static str| fields.get(at).copied().unwrap_or(usual);
        // Hands in brackets behind the board.
        let hands = match field(0, "").split_once('[') {
            Some((_, hands)) if !clear => format!("[{hands}"),
            Some(_) => "[-]".to_owned(),
            None => String::new(),
        };
        Ok(match family(game) {
            Family::Go => {
                // Ko and passes belong to a move that was not made; prisoners, komi and rules stay.
                let rest: Vec<&str> = fields.iter().skip(4).copied().collect();
                format!("{} {} - 0 {}", self.rows(), if first { "b" } else { "w" }, rest.join(" "))
            }
            Family::Chess => {
                let hands = if hands == "[-]" { "[]".to_owned() } else { hands };
                let castling = if clear { "-" } else { field(2, "-") };
                // Three-check writes the checks left before the counters.
                let checks = fields.iter().skip(3).find(|field| field.contains('+') && field.len() <= 4);
                let checks =
                    checks.filter(|_| game == "threecheck").map_or(String::new(), |checks| format!(" {checks}"));
                format!("{}{hands} {} {castling} -{checks} 0 1", self.rows(), if first { "w" } else { "b" })
            }
            Family::Yokai => format!("{}{hands} {} 0 1", self.rows(), if first { "w" } else { "b" }),
            Family::Othello => format!("{} {}", self.dots(""), if first { "X" } else { "O" }),
            Family::Rows => self.dots("/"),
            Family::Other => return Err(Trouble::new(Code::NotNow, "this game is set up by its position's text")),
        })
    }
}

enum Family {
    Go,
    Chess,
    Yokai,
    Othello,
    Rows,
    Other,
}

fn family(game: &str) -> Family {
    match game {
        "tictactoe" | "connect4" => Family::Rows,
        "othello" | "othello6" => Family::Othello,
        "yokai34" | "yokai56" => Family::Yokai,
        "pig" | "backgammon" => Family::Other,
        _ if game.starts_with("go") => Family::Go,
        _ => Family::Chess,
    }
}

/// Letters of `First` are capitals, of `Second` small, in the games that tell the sides so.
fn cased(letters: &str, side: Side) -> String {
    // X and O tell the side themselves.
    if matches!(letters, "X" | "O") || side == Side::First { letters.to_owned() } else { letters.to_lowercase() }
}

/// How a piece is written in a game's position text.
fn letters(game: &str, shape: &str, side: Side) -> Option<String> {
    let word = match family(game) {
        Family::Go if shape == "stone" => ["X", "O"][side.index()],
        Family::Othello | Family::Rows if matches!(shape, "disc" | "cross" | "ring") => ["X", "O"][side.index()],
        Family::Chess => match shape {
            "pawn" => "P",
            "knight" => "N",
            "bishop" => "B",
            "rook" => "R",
            "queen" => "Q",
            "king" => "K",
            _ => return None,
        },
        Family::Yokai => match (game, shape) {
            ("yokai34", "kodama") => "C",
            ("yokai34", "samurai") => "+C",
            ("yokai34", "kitsune") => "E",
            ("yokai34", "tanuki") => "G",
            ("yokai34", "koropokkuru") => "L",
            ("yokai56", "kodama") => "P",
            ("yokai56", "samurai") => "+P",
            ("yokai56", "oni") => "S",
            ("yokai56", "super-oni") => "+S",
            ("yokai56", "kirin") => "G",
            ("yokai56", "koropokkuru") => "K",
            _ => return None,
        },
        _ => return None,
    };
    Some(cased(word, side))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::PutPiece;
    use tengen_table::registry::GAMES;

    fn put(cell: &str, side: Side, shape: &str) -> Put {
        let piece = (!shape.is_empty()).then(|| PutPiece { side, shape: shape.to_owned() });
        Put { cell: cell.to_owned(), piece }
    }

    fn wish(game: &str, position: Option<&str>, put: Vec<Put>) -> Edit {
        Edit { game: game.to_owned(), position: position.map(str::to_owned), put, clear: false, to_move: None }
    }

    #[test]
    fn a_board_that_is_not_changed_stays_what_it_was() {
        for game in GAMES.iter().filter(|game| !matches!(game.id, "pig" | "backgammon")) {
            let before = view(&*open(game.id, &Setup::standard()).expect(game.id));
            let after = edit(&wish(game.id, None, vec![])).expect(game.id);
            assert_eq!(after.position, before.position, "{}", game.id);
        }
        let crazy = "rnbqkb1r/pppppppp/5n2/8/8/8/PPPPPPPP/RNBQKB1R[Nn] w KQkq - 0 5";
        let after =
            edit(&wish("crazyhouse", Some(crazy), vec![put("h8", Side::Second, "")])).expect("still a position");
        assert!(
            after.position.starts_with("rnbqkb2/pppppppp/5n2/8/8/8/PPPPPPPP/RNBQKB1R[Nn] w KQq "),
            "{}",
            after.position
        );
    }

    #[test]
    fn pieces_are_put_and_taken_away() {
        use Side::{First, Second};
        for (game, clear, puts, position) in [
            (
                "go5",
                true,
                vec![put("C3", First, "stone"), put("A1", Second, "stone")],
                "5/5/2X2/5/O4 b - 0 0 0 7.5 chinese 0",
            ),
            (
                "chess",
                true,
                vec![put("e1", First, "king"), put("e8", Second, "king"), put("a2", First, "pawn")],
                "4k3/8/8/8/8/8/P7/4K3 w - - 0 1",
            ),
            ("tictactoe", false, vec![put("b2", First, "cross")], ".../.X./..."),
            ("yokai34", false, vec![put("b2", First, "samurai")], "gle/1c1/1+C1/ELG[-] w 0 1"),
        ] {
            let edited = edit(&Edit { clear, ..wish(game, None, puts) }).expect(game);
            assert_eq!(edited.position, position);
        }
        let two_kings = edit(&wish("chess", None, vec![put("e4", First, "king")])).expect_err("two white kings");
        assert_eq!(two_kings.code, Code::BadText);
        assert_eq!(
            edit(&wish("chess", None, vec![put("z9", First, "king")])).expect_err("no cell").code,
            Code::BadText
        );
        assert_eq!(edit(&wish("go9", None, vec![put("A1", First, "king")])).expect_err("no king").code, Code::BadText);
    }

    #[test]
    fn the_side_to_move_can_be_chosen() {
        for game in ["go9", "chess", "yokai56", "othello"] {
            let edited = edit(&Edit { to_move: Some(Side::Second), ..wish(game, None, vec![]) }).expect(game);
            assert_eq!(edited.to_move, Side::Second, "{game}");
        }
    }
}
