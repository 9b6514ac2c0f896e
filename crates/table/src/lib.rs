//! Where games and players meet, with all types erased.
//!
//! Below this crate everything is generic over the game; above it nothing is. A [`Table`] is one game being
//! played, spoken to in text; [`registry`] knows all games by their ids, [`players`] all players by their names.

mod dialect;
mod face;
mod game;
mod judged;
pub mod memory;
pub mod places;
pub mod players;
pub mod registry;
mod setup;
mod shown;
pub mod solved;
mod spec;
mod table;

pub use dialect::Spoken;
pub use face::{Area, BoardCount, End, Face, Fall, Spelling, Tell, Why};
pub use game::Game;
pub use setup::SetupError;
pub use shown::{Show, Shown, Sight, encoder, encoders};
pub use spec::{PlayerSpec, SpecError};
pub use table::{
    Chances, Placed, PlayError, Table, TextCandidate, TextSolution, TextThought, TextWatch, View, open, seat,
};
pub use tengen_record::{Handicap, Setup};
