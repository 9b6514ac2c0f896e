//! All players by their names.

use crate::game::Game;
use crate::{PlayerSpec, SpecError};
use tengen_search::mcts::{Judged, LeafJudge, Mcts, MctsParams, RandomGames};
use tengen_search::params::{ParamInfo, Params, unknown};
use tengen_search::solve::Perfect;
use tengen_search::{
    AlphaBeta, AlphaBetaParams, DepthParams, Expectimax, ExpectimaxParams, Expectiminimax, ExpectiminimaxParams,
    Minimax, Negamax, Player, Random, params,
};

params! {
    /// How the random player plays.
    pub struct RandomParams {
        seed: u64 = 0, 0..=u64::MAX, "its choices follow from this number";
    }
}

params! {
    /// How the perfect player plays.
    pub struct PerfectParams {
        table: usize = 64, 1..=65_536, "megabytes to remember positions in";
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
    fn info<T: Params>(name: &'static str, about: &'static str) -> PlayerInfo {
        PlayerInfo { name, about, params: T::list() }
    }
    vec![
        info::<RandomParams>("random", "any legal move"),
        info::<DepthParams>("minimax", "everything to a fixed depth, without pruning"),
        info::<DepthParams>("negamax", "the same by the shorter way of writing it"),
        info::<AlphaBetaParams>("alphabeta", "deepening principal variation search with a transposition table"),
        info::<ExpectimaxParams>("expectimax", "the best against an opponent who plays by known probabilities"),
        info::<ExpectiminimaxParams>("expectiminimax", "minimax with dice"),
        info::<MctsParams>("mcts", "Monte-Carlo tree search"),
        info::<PerfectParams>("perfect", "never makes a mistake: tic-tac-toe and Connect Four"),
    ]
}

/// A player within a player within a player …: deep enough.
const DEEPEST: usize = 3;

/// The player that a text describes, for one game.
pub fn build<P: Game>(text: &str) -> Result<Box<dyn Player<P>>, SpecError> {
    build_nested(text, 0)
}

fn build_nested<P: Game>(text: &str, depth: usize) -> Result<Box<dyn Player<P>>, SpecError> {
    let spec = PlayerSpec::read(text)?;
    fn settings<T: Params>(spec: &PlayerSpec) -> Result<T, SpecError> {
        T::with(&spec.settings).map_err(|error| SpecError(format!("{}: {error}", spec.name)))
    }
    let judge = P::Judge::default();
    Ok(match spec.name.as_str() {
        "random" => Box::new(Random::new(settings::<RandomParams>(&spec)?.seed)),
        "minimax" => Box::new(Minimax::new(judge, settings(&spec)?)),
        "negamax" => Box::new(Negamax::new(judge, settings(&spec)?)),
        "alphabeta" => Box::new(AlphaBeta::new(judge, settings(&spec)?)),
        "expectiminimax" => Box::new(Expectiminimax::new(judge, settings(&spec)?)),
        "expectimax" => {
            let params: ExpectimaxParams = settings(&spec)?;
            if depth >= DEEPEST {
                return Err(SpecError("expectimax: the opponents have too many opponents of their own".to_owned()));
            }
            let model = PlayerSpec::unbracket(&params.opponent);
            let make = move || if model == "uniform" { None } else { build_nested::<P>(&model, depth + 1).ok() };
            // A model that cannot be had is refused now, not when the game is on.
            if params.opponent != "uniform" {
                build_nested::<P>(&PlayerSpec::unbracket(&params.opponent), depth + 1)?;
            }
            Box::new(Expectimax::new(judge, params, Box::new(make)))
        }
        "mcts" => {
            let params: MctsParams = settings(&spec)?;
            match params.leaf {
                LeafJudge::Static => Box::new(Mcts::new(Judged(judge), params)),
                LeafJudge::Playout => {
                    let games = RandomGames { count: params.playouts, longest: params.cut, heuristic: judge };
                    Box::new(Mcts::new(games, params))
                }
            }
        }
        "perfect" => {
            let params: PerfectParams = settings(&spec)?;
            match P::solver(params.table << 20) {
                Some(solver) if P::SOLVED => Box::new(Perfect::new(solver)),
                _ => return Err(SpecError("perfect: this game is not solved".to_owned())),
            }
        }
        _ if let Some(own) = P::own_player(&spec) => own?,
        _ => return Err(SpecError(unknown("player", &spec.name, list().iter().map(|player| player.name)))),
    })
}
