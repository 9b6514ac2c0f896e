//! Convolutional networks on an ordinary processor.
//!
//! A [`Network`] is read from a safetensors file and judges one board at a time, of any size: for every point a number that says
//! how good a move there is and whose it will be, and for the board a pass and the lead. Which planes it is shown is for the
//! game's crate to say. `conv` is where the time goes, compiled for each width of registers that a processor may have, and chosen
//! when the program runs.

mod board;
pub mod convolve;
mod conv;
mod lanes;
mod network;
mod product;
pub mod registers;
pub mod team;
mod winograd;

pub use board::Board;
pub use network::{NetError, Network, Opinion, Scratch};
