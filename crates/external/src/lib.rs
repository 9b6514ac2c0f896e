//! Other programs as players.
//!
//! A [`Process`] is a program with its pipes and its last words; [`UciPlayer`] and [`GtpPlayer`] speak the two protocols over one and sit at
//! the same socket as every search. What a program is given at its start is an [`ExternalSpec`], what it must be told about a game a
//! [`Dialect`]. Nothing here blocks for ever, and no program outlives its player.

mod dialect;
mod gtp;
mod process;
mod spec;
mod uci;

pub use dialect::{Dialect, GtpStart};
pub use gtp::GtpPlayer;
pub use process::{EngineError, Process};
pub use spec::{ExternalSpec, split_command};
pub use uci::{Info, UciPlayer, read_info};
