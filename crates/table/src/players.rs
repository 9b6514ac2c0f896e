//! All players by their names.

use crate::game::Game;
use crate::judged::{NetJudge, NetParams};
use crate::{PlayerSpec, SpecError, memory};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tengen_chess::ChessParams;
use tengen_external::{ExternalSpec, GtpPlayer, UciPlayer};
use tengen_go::GoParams;
use tengen_search::judge::{Cached, Court, Static};
use tengen_search::mcts::{Gumbel, GumbelParams, Judged, LeafJudge, Mcts, MctsParams, Puct, PuctParams, RandomGames};
use tengen_search::params::{ParamInfo, Params, unknown};
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
    fn by_judge<T: Params>(name: &'static str, about: &'static str) -> PlayerInfo {
        PlayerInfo { name, about, params: NetParams::list().into_iter().chain(T::list()).collect() }
    }
    vec![
        info::<RandomParams>("random", "any legal move"),
        info::<DepthParams>("minimax", "everything to a fixed depth, without pruning"),
        info::<DepthParams>("negamax", "the same by the shorter way of writing it"),
        info::<AlphaBetaParams>("alphabeta", "deepening principal variation search with a transposition table"),
        info::<ExpectimaxParams>("expectimax", "the best against an opponent who plays by known probabilities"),
        info::<ExpectiminimaxParams>("expectiminimax", "minimax with dice"),
        info::<MctsParams>("mcts", "Monte-Carlo tree search"),
        by_judge::<PuctParams>(
            "puct",
            "tree search by a network's policy and values, as AlphaZero's, or by the static evaluation",
        ),
        by_judge::<GumbelParams>("gumbel", "the same, the root's moves racing: for few simulations"),
        info::<GoParams>("go", "the Go engine; Go only"),
        info::<ChessParams>("chess", "the chess engine; chess and its variants only"),
        info::<PerfectParams>("perfect", "never makes a mistake: tic-tac-toe, Connect Four, Pig and Yokai 3x4"),
        PlayerInfo {
            name: UCI,
            about: "another program that speaks UCI: uci:stockfish [UCI_Elo=2000,ms=100]",
            params: external(),
        },
        PlayerInfo {
            name: GTP,
            about: "another program that speaks GTP: gtp:gnugo --mode gtp [level=5]",
            params: external(),
        },
    ]
}

const UCI: &str = "uci";
const GTP: &str = "gtp";

/// What stands in the brackets behind the command of an external engine.
fn external() -> Vec<ParamInfo> {
    let line = |name, meaning| ParamInfo { name, default: "0".to_owned(), range: "from 1 on".to_owned(), meaning };
    vec![
        line("ms", "milliseconds a move"),
        line("nodes", "positions a move (UCI)"),
        line("depth", "plies to look ahead (UCI)"),
    ]
}

/// Whether a player's text names a program outside: these are started once and kept, for starting them takes time.
pub fn is_external(text: &str) -> bool {
    external_command(text).is_some()
}

/// The protocol and the command of an external engine.
fn external_command(text: &str) -> Option<(&str, &str)> {
    text.trim().split_once(':').filter(|(name, _)| [UCI, GTP].contains(name))
}

/// How many threads a player thinks with.
pub fn threads(text: &str) -> usize {
    if let Some((_, command)) = external_command(text) {
        return ExternalSpec::read(command).map_or(1, |spec| spec.threads());
    }
    let settings = PlayerSpec::read(text).map(|spec| spec.settings).unwrap_or_default();
    let asked = settings.iter().find(|(key, _)| key == "threads").and_then(|(_, value)| value.parse().ok());
    asked.unwrap_or(1)
}

/// How long a player may think about a move by its own text, if that says.
pub fn time(text: &str) -> Option<Duration> {
    if let Some((_, command)) = external_command(text) {
        return ExternalSpec::read(command).ok()?.limits.time;
    }
    let settings = PlayerSpec::read(text).ok()?.settings;
    let ms = settings.iter().find(|(key, _)| key == "ms").and_then(|(_, value)| value.parse().ok())?;
    (ms > 0).then(|| Duration::from_millis(ms))
}

/// The engine behind an external player's text, running and ready.
fn build_external<P: Game>(protocol: &str, command: &str) -> Result<Box<dyn Player<P>>, SpecError> {
    let refused = |error: String| SpecError(format!("{protocol}: {error}"));
    let spec = ExternalSpec::read(command).map_err(refused)?;
    Ok(match protocol {
        UCI => {
            Box::new(UciPlayer::start(spec, P::dialect(), &P::initial()).map_err(|error| refused(error.to_string()))?)
        }
        _ => Box::new(GtpPlayer::start(spec, P::dialect(), &P::initial()).map_err(|error| refused(error.to_string()))?),
    })
}

/// A player within a player within a player …: deep enough.
const DEEPEST: usize = 3;

/// The player that a text describes, for one game.
pub fn build<P: Game>(text: &str) -> Result<Box<dyn Player<P>>, SpecError> {
    P::player(text)
}

/// The same with all searches compiled in: for [`Game::player`] alone.
pub(crate) fn make<P: Game>(text: &str) -> Result<Box<dyn Player<P>>, SpecError> {
    build_nested(text, 0)
}

/// Where the leaves of `puct` and `gumbel` are judged: by the game's static evaluation.
fn court<P: Game>(batch: usize) -> Arc<Court<P, Static<P::Heuristic>>> {
    Arc::new(Court::new(Static::new(P::heuristic(), P::SHARPNESS), batch))
}

/// The network that judges instead, if one is named, with a memory of what it said.
fn network<P: Game>(who: &NetParams) -> Result<Option<Cached<NetJudge<P>>>, SpecError> {
    if who.net.is_empty() {
        return Ok(None);
    }
    let judge = NetJudge::open(Path::new(&who.net), who.views).map_err(SpecError)?;
    Ok(Some(Cached::new(judge, who.cache)))
}

fn build_nested<P: Game>(text: &str, depth: usize) -> Result<Box<dyn Player<P>>, SpecError> {
    if let Some((protocol, command)) = external_command(text) {
        // Whoever asks whether a text is external looks at its beginning only, so there is nothing external further in.
        return match depth {
            0 => build_external(protocol, command),
            _ => Err(SpecError(format!("{protocol}: no program outside can be a player within a player"))),
        };
    }
    let spec = PlayerSpec::read(text)?;
    // Tables are made as a whole, trees grow.
    for (key, value) in spec.settings.iter().filter(|(key, _)| ["table", "hash"].contains(&key.as_str())) {
        let room = value.parse().map_or(Ok(()), memory::check);
        room.map_err(|why| SpecError(format!("{}: {key}={value}: {why}", spec.name)))?;
    }
    fn settings<T: Params>(spec: &PlayerSpec) -> Result<T, SpecError> {
        T::with(&spec.settings).map_err(|error| SpecError(format!("{}: {error}", spec.name)))
    }
    let judge = P::heuristic();
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
        "puct" => {
            let (who, spec) = NetParams::take(&spec)?;
            let params: PuctParams = settings(&spec)?;
            match network::<P>(&who)? {
                Some(judge) => Box::new(Puct::new(Arc::new(Court::new(judge, params.batch)), params)),
                None => Box::new(Puct::new(court::<P>(params.batch), params)),
            }
        }
        "gumbel" => {
            let (who, spec) = NetParams::take(&spec)?;
            let params: GumbelParams = settings(&spec)?;
            match network::<P>(&who)? {
                Some(judge) => Box::new(Gumbel::new(Arc::new(Court::new(judge, params.batch)), params)),
                None => Box::new(Gumbel::new(court::<P>(params.batch), params)),
            }
        }
        "perfect" => {
            let params: PerfectParams = settings(&spec)?;
            P::perfect(params.table << 20).map_err(|why| SpecError(format!("perfect: {why}")))?
        }
        _ if let Some(own) = P::own_player(&spec) => own?,
        _ => return Err(SpecError(unknown("player", &spec.name, list().iter().map(|player| player.name)))),
    })
}
