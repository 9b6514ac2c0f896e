//! UCI and GTP: Tengen as an engine in other programs.

pub mod gtp;
pub mod uci;
