//! UCI and GTP: Tengen behind them, and other engines as players.

pub mod client;
pub mod gtp;
pub mod uci;
