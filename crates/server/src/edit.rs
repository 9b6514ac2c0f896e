//! Setting up a position piece by piece.

use crate::message::{Edit, Trouble, View};
use crate::view::view;
use tengen_record::Setup;
use tengen_table::open;

/// The most cells that one request changes: more than any board has.
const MOST: usize = 1000;

/// The position with the changes made, if play can go on from it.
pub fn edit(wish: &Edit) -> Result<View, Trouble> {
    let setup = Setup { position: wish.position.clone(), ..Setup::standard() };
    let mut table = open(&wish.game, &setup)?;
    let piece = |put: &crate::message::Put| put.piece.as_ref().map(|piece| (piece.side, piece.shape.clone()));
    let puts: Vec<_> = wish.put.iter().take(MOST).map(|put| (put.cell.clone(), piece(put))).collect();
    table.edit(&puts, wish.to_move, wish.clear)?;
    Ok(view(&*table))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{Code, Put, PutPiece};
    use tengen_core::Side;
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
