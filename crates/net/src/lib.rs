//! Networks on an ordinary processor: what they are, how they learn and how they play.
//!
//! ```text
//!   description   a TOML text                     product, winograd    where the time goes
//!   graph         what is done on a board         convolve             convolutions and dense layers
//!   model         a description and its weights   simple               everything else
//!   file          the same on disk                loss, optimise       what should have been said, and what follows
//!   run           a batch goes through, and back  team, registers      threads and lanes
//! ```
//!
//! Memory is cut into groups of sixteen channels, and innermost loops are written once and compiled for every kind of register; which
//! runs is chosen when the program does. What a batch sums to does not depend on the number of threads.
//!
//! `board`, `conv`, `lanes` and `network` are the Go engine's network for one board at a time.

mod board;
mod conv;
pub mod convolve;
pub mod description;
pub mod file;
mod fold;
pub mod graph;
mod lanes;
pub mod loss;
pub mod model;
mod network;
pub mod onnx;
pub mod optimise;
mod product;
pub mod registers;
pub mod run;
mod simple;
pub mod team;
mod winograd;

pub use board::Board;
pub use network::{NetError, Network, Opinion, Scratch};
