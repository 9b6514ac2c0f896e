//! The web app's server: tables where people and machines play, and everything a page asks for beside them.

pub mod message;
pub mod typescript;
