//! All games by number, for the targets that read their texts.

use tengen_core::{Notation, Picture, Symmetry};
use tengen_games::{backgammon, chess, connect4, go, othello, pig, tictactoe, yokai};

/// Something to do with a game that a byte chooses.
pub trait Visitor {
    /// Does it; `start` is the start position.
    fn visit<P: Notation + Symmetry + Picture>(self, start: P);
}

/// Hands the game with this number, counted round and round, to the visitor.
pub fn with_game(number: u8, visitor: impl Visitor) {
    let go9 = |size| go::Go9::new(size, go::Rules::TrompTaylor, None).expect("a size of this type");
    match number % 21 {
        0 => visitor.visit(tictactoe::TicTacToe::new()),
        1 => visitor.visit(connect4::Connect4::new()),
        2 => visitor.visit(othello::Othello8::new()),
        3 => visitor.visit(othello::Othello6::new()),
        4 => visitor.visit(yokai::Yokai34::new()),
        5 => visitor.visit(yokai::Yokai56::new()),
        6 => visitor.visit(chess::Chess::new()),
        7 => visitor.visit(chess::Chess960::new()),
        8 => visitor.visit(chess::Crazyhouse::new()),
        9 => visitor.visit(chess::ThreeCheck::new()),
        10 => visitor.visit(chess::KingOfTheHill::new()),
        11 => visitor.visit(chess::Atomic::new()),
        12 => visitor.visit(chess::RacingKings::new()),
        13 => visitor.visit(chess::Antichess::new()),
        14 => visitor.visit(chess::Horde::new()),
        15 => visitor.visit(go9(5)),
        16 => visitor.visit(go9(9)),
        17 => visitor.visit(go::Go19::new(19, go::Rules::Japanese, None).expect("a size of this type")),
        18 => visitor.visit(pig::Pig::new()),
        19 => visitor.visit(backgammon::Backgammon::new()),
        _ => visitor.visit(go::Go25::new(25, go::Rules::French, None).expect("a size of this type")),
    }
}
