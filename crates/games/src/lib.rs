//! The rules of every game: one module a game, each with its positions, notation, symmetries and picture.
//!
//! Nothing here searches, prints or reads files. A new game is one module here and one line in the registry of
//! `tengen-table`; its tests begin with the exam of `tengen-core`.

pub mod backgammon;
pub mod chess;
pub mod connect4;
pub mod go;
pub mod othello;
pub mod pig;
pub mod tictactoe;
pub mod yokai;
