//! The Go Text Protocol, version 2: Tengen as an engine for GoGui, Sabaki, KGS, CGOS and everything else that speaks it.
//!
//! [`serve`] reads commands, answers each of them, and nothing else ever goes to the output. Commands are read while the engine thinks, so an
//! analysis ends when the next one arrives. The players come from outside ([`Players`]): this crate knows none by name.
//!
//! CITE: Gunnar Farnebäck, "Specification of the Go Text Protocol, version 2, draft 2", 2002; the extensions as GoGui, KGS, Leela
//! Zero and KataGo document them.

mod analysis;
mod clock;
mod command;
mod desk;
mod handicap;
mod inbox;
mod judge;
mod rules;
mod server;

pub use judge::{Judgement, judge_by_playouts};
pub use server::{Options, Players, serve};
