//! Everything that the server and the browser say to each other.
//!
//! A page talks over one WebSocket: it sends [`Request`]s, each a numbered [`Wish`], and hears [`Event`]s. Lists, single
//! positions and files go over plain HTTP with the other types here. The TypeScript in `web/src/protocol` is made from these files
//! and a test holds the two together, so a page that compiles understands the server.
//!
//! Values and leads are always for `First`: +1 is a sure win of `First`, −1 of `Second`.

mod analysis;
mod boards;
mod games;
mod library;
mod runs;
mod socket;
mod tables;
mod words;

pub use analysis::*;
pub use boards::*;
pub use games::*;
pub use library::*;
pub use runs::*;
pub use socket::*;
pub use tables::*;
pub use words::*;

// What the parts have in common.
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tengen_core::{Drawn, Outcome, Side, Turn};
use tengen_record::Setup;
use ts_rs::TS;
