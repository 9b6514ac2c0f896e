//! All players by their names.

use crate::game::Game;
use crate::{PlayerSpec, SpecError};
use tengen_search::params::{ParamInfo, Params, unknown};
use tengen_search::{DepthParams, Minimax, Player, Random, params};

params! {
    /// How the random player plays.
    pub struct RandomParams {
        seed: u64 = 0, 0..=u64::MAX, "its choices follow from this number";
    }
}

/// A player as a list shows it.
pub struct PlayerInfo {
    /// What stands before the colon.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// Its parameters.
    pub params: Vec<ParamInfo>,
}

/// Every player that can be named.
pub fn list() -> Vec<PlayerInfo> {
    vec![
        PlayerInfo { name: "random", about: "any legal move", params: RandomParams::list() },
        PlayerInfo {
            name: "minimax",
            about: "everything to a fixed depth, without pruning",
            params: DepthParams::list(),
        },
    ]
}

/// The player that a text describes, for one game.
pub fn build<P: Game>(text: &str) -> Result<Box<dyn Player<P>>, SpecError> {
    let spec = PlayerSpec::read(text)?;
    fn settings<T: Params>(spec: &PlayerSpec) -> Result<T, SpecError> {
        T::with(&spec.settings).map_err(|error| SpecError(format!("{}: {error}", spec.name)))
    }
    Ok(match spec.name.as_str() {
        "random" => Box::new(Random::new(settings::<RandomParams>(&spec)?.seed)),
        "minimax" => Box::new(Minimax::new(P::Judge::default(), settings(&spec)?)),
        _ => return Err(SpecError(unknown("player", &spec.name, list().iter().map(|player| player.name)))),
    })
}
