//! What each game brings to the table beside its rules.

use crate::dialect::Spoken;
use crate::face::Face;
use crate::setup::no_go_options;
use crate::solved::{self, TableFile};
use crate::{Handicap, PlayerSpec, Setup, SetupError, SpecError, players};
use std::any::Any;
use std::sync::Arc;
use tengen_chess::{ChessEngine, ChessParams, Playable};
use tengen_core::{Notation, Rng, Symmetry};
use tengen_encode::{
    BackgammonNumbers, ChessBits, ChessPlanes, Connect4Planes, Encoder, GoPlanes, GoStones, GoV7, OthelloBoard,
    OthelloPlanes, PigNumbers, TicTacToePlanes, YokaiBoard, YokaiPlanes,
};
use tengen_games::backgammon::Backgammon;
use tengen_games::chess::{
    Antichess, Atomic, Board, Chess, Chess960, Crazyhouse, Horde, KingOfTheHill, RacingKings, ThreeCheck,
};
use tengen_games::connect4::Connect4;
use tengen_games::go::{Go, Go9, Go13, Go19, Go25, Komi, Rules, read_point};
use tengen_games::othello::{Othello6, Othello8};
use tengen_games::pig::Pig;
use tengen_games::tictactoe::TicTacToe;
use tengen_games::yokai::{Goro56, Yokai34, Yokai56};
use tengen_go::{GoEngine, GoParams};
use tengen_lore::evaluate::{Lead, Material, Mobility, OpenLines, Points, Race, Safety, Siege, Threats};
use tengen_lore::solve::yokai::{Solver, Strategist, Strategy};
use tengen_lore::solve::{Everything, Perfect, Solve, connect4, othello, pig};
use tengen_search::params::Params;
use tengen_search::{AlphaBeta, AlphaBetaParams, Heuristic, Player};

/// A game that the registry can open: rules, notation, symmetry, picture, and the two things below.
pub trait Game: Face + Symmetry + Spoken {
    /// The static evaluation that searches use unless told otherwise.
    type Heuristic: Heuristic<Self> + Clone + Sync;

    /// One of them.
    fn heuristic() -> Self::Heuristic;

    /// How much likelier a move is to be looked at for what the static evaluation says of the position after it, where a judge of that kind is asked for
    /// a policy. `None` where such a look is dear and says little: then all moves are alike.
    const SHARPNESS: Option<f32> = Some(4.0);

    /// The start position without any choices made.
    fn initial() -> Self;

    /// The ways to show positions to a network, the default first.
    fn encoders() -> Vec<Arc<dyn Encoder<Self>>>;

    /// What solves positions of the game exactly, with a table of at most so many bytes; or why there is nothing.
    fn solver(_table_bytes: usize) -> Result<Box<dyn Solve<Self>>, String> {
        Err("no solver knows this game: there are some for connect4, othello, othello6, pig, tictactoe and yokai34"
            .to_owned())
    }

    /// The player that never makes a mistake; or why there is none.
    fn perfect(table_bytes: usize) -> Result<Box<dyn Player<Self>>, String> {
        if !Self::SOLVED {
            return Err("this game is not solved".to_owned());
        }
        Ok(Box::new(Perfect::new(Self::solver(table_bytes)?)))
    }

    /// A player that only this game has, such as its own engine; `None` if there is none of that name.
    fn own_player(_spec: &PlayerSpec) -> Option<Result<Box<dyn Player<Self>>, SpecError>> {
        None
    }

    /// The player that a text describes. Games with a type of their own say this again, so that all searches for them are compiled
    /// here, once, and not in every crate that asks.
    fn player(text: &str) -> Result<Box<dyn Player<Self>>, SpecError> {
        players::make(text)
    }

    /// Whether that solver is quick enough from any position to play by.
    const SOLVED: bool = false;

    /// The start position with these choices; by default a game offers none but another position.
    fn start(setup: &Setup) -> Result<Self, SetupError> {
        no_go_options(setup)?;
        match &setup.position {
            Some(text) => Ok(Self::read(text)?),
            None => Ok(Self::initial()),
        }
    }
}

macro_rules! game {
    ($($type:ty, $judge:ty, [$($encoder:expr),*] $(, $solved:literal, $solver:expr)?;)*) => {$(
        impl Game for $type {
            type Heuristic = $judge;
            fn heuristic() -> $judge {
                <$judge>::default()
            }
            fn initial() -> Self {
                <$type>::new()
            }
            fn encoders() -> Vec<Arc<dyn Encoder<Self>>> {
                vec![$(Arc::new($encoder)),*]
            }
            fn player(text: &str) -> Result<Box<dyn Player<Self>>, SpecError> {
                players::make(text)
            }
            $(
                fn solver(table_bytes: usize) -> Result<Box<dyn Solve<Self>>, String> {
                    let make = $solver;
                    Ok(Box::new(make(table_bytes)))
                }
                const SOLVED: bool = $solved;
            )?
        }
    )*};
}

game! {
    TicTacToe, OpenLines, [TicTacToePlanes], true, |_| Everything::default();
    Connect4, Threats, [Connect4Planes], true, connect4::Solver::new;
    Othello6, Mobility, [OthelloPlanes, OthelloBoard], false, othello::Solver::<6>::new;
    Othello8, Mobility, [OthelloPlanes, OthelloBoard], false, othello::Solver::<8>::new;
    Yokai56, Siege, [YokaiPlanes, YokaiBoard];
    Goro56, Siege, [YokaiPlanes, YokaiBoard];
    Pig, Lead, [PigNumbers], true, |_| pig::Solver::shared();
    Backgammon, Race, [BackgammonNumbers];
}

/// A player, or why there is none.
type Built<P> = Result<Box<dyn Player<P>>, SpecError>;

/// The small board is solved by a table that `tengen solve yokai34` makes. Without it there is the second player's strategy, and what it lists.
impl Game for Yokai34 {
    type Heuristic = Safety;

    fn heuristic() -> Safety {
        Safety
    }

    fn initial() -> Self {
        Yokai34::new()
    }

    fn encoders() -> Vec<Arc<dyn Encoder<Self>>> {
        vec![Arc::new(YokaiPlanes), Arc::new(YokaiBoard)]
    }

    fn player(text: &str) -> Result<Box<dyn Player<Self>>, SpecError> {
        players::make(text)
    }

    fn solver(_table_bytes: usize) -> Result<Box<dyn Solve<Self>>, String> {
        let path = solved::default_path();
        if !path.exists() {
            return Ok(Box::new(Strategy::shipped()));
        }
        Ok(Box::new(Solver(TableFile::open(&path)?)))
    }

    fn perfect(_table_bytes: usize) -> Result<Box<dyn Player<Self>>, String> {
        let params = AlphaBetaParams { depth: 60, nodes: BEYOND, ..AlphaBetaParams::default() };
        let beyond = AlphaBeta::new(Safety, params);
        if solved::default_path().exists() {
            return Ok(Box::new(Perfect::new(Self::solver(0)?).otherwise(Box::new(beyond))));
        }
        Ok(Box::new(Strategist::new(Strategy::shipped(), beyond)))
    }

    const SOLVED: bool = true;
}

/// How many positions the perfect player looks at where it knows nothing for sure: about a second.
const BEYOND: u64 = 1_000_000;

/// The engine of chess and its variants, if the text names it.
fn chess_player<V: Playable>(spec: &PlayerSpec) -> Option<Built<Board<V>>> {
    (spec.name == "chess").then(|| {
        let refused = |error: String| SpecError(format!("chess: {error}"));
        let params = ChessParams::with(&spec.settings).map_err(|error| refused(error.to_string()))?;
        Ok(Box::new(ChessEngine::<V>::new(params).map_err(refused)?) as Box<dyn Player<Board<V>>>)
    })
}

macro_rules! chess {
    ($($type:ty, [$($encoder:expr),*];)*) => {$(
        impl Game for $type {
            type Heuristic = Material;
            fn heuristic() -> Material {
                Material
            }
            fn initial() -> Self {
                <$type>::new()
            }
            fn encoders() -> Vec<Arc<dyn Encoder<Self>>> {
                vec![$(Arc::new($encoder)),*]
            }
            fn own_player(spec: &PlayerSpec) -> Option<Result<Box<dyn Player<Self>>, SpecError>> {
                chess_player(spec)
            }
            fn player(text: &str) -> Result<Box<dyn Player<Self>>, SpecError> {
                players::make(text)
            }
        }
    )*};
}

chess! {
    Chess, [ChessPlanes, ChessBits];
    Crazyhouse, [ChessPlanes];
    ThreeCheck, [ChessPlanes];
    KingOfTheHill, [ChessPlanes];
    Atomic, [ChessPlanes];
    RacingKings, [ChessPlanes];
    Antichess, [ChessPlanes];
    Horde, [ChessPlanes];
}

/// Chess960 draws its start position by the seed; without one it is the classical position.
impl Game for Chess960 {
    type Heuristic = Material;

    fn heuristic() -> Material {
        Material
    }

    fn initial() -> Self {
        Chess960::new()
    }

    fn encoders() -> Vec<Arc<dyn Encoder<Self>>> {
        vec![Arc::new(ChessPlanes)]
    }

    fn own_player(spec: &PlayerSpec) -> Option<Result<Box<dyn Player<Self>>, SpecError>> {
        chess_player(spec)
    }

    fn player(text: &str) -> Result<Box<dyn Player<Self>>, SpecError> {
        players::make(text)
    }

    fn start(setup: &Setup) -> Result<Self, SetupError> {
        no_go_options(setup)?;
        match (&setup.position, setup.seed) {
            (Some(text), _) => Ok(Self::read(text)?),
            (None, Some(seed)) => {
                let number = Rng::with_seed(seed).u16(..960);
                Chess960::numbered(number).ok_or_else(|| SetupError::new(format!("there is no position {number}")))
            }
            (None, None) => Ok(Self::initial()),
        }
    }
}

/// Go comes in many sizes, which its id tells: the registry calls `start_go` with it.
impl<const CELLS: usize> Game for Go<CELLS> {
    type Heuristic = Points;

    fn heuristic() -> Points {
        Points
    }

    const SHARPNESS: Option<f32> = None;

    fn initial() -> Self {
        // The sizes of one capacity are next to each other, and 9, 13, 19 and 25 are the largest of theirs.
        let largest = [9, 13, 19, 25].into_iter().find_map(|size| Go::new(size, Rules::Chinese, None).ok());
        largest.expect("the registry has no other capacity than those four")
    }

    fn encoders() -> Vec<Arc<dyn Encoder<Self>>> {
        vec![Arc::new(GoPlanes), Arc::new(GoV7), Arc::new(GoStones)]
    }

    fn own_player(spec: &PlayerSpec) -> Option<Result<Box<dyn Player<Self>>, SpecError>> {
        (spec.name == "go").then(|| {
            let params = GoParams::with(&spec.settings).map_err(|error| SpecError(format!("go: {error}")))?;
            Ok(Box::new(GoEngine::new(params)) as Box<dyn Player<Self>>)
        })
    }

    fn player(text: &str) -> Result<Box<dyn Player<Self>>, SpecError> {
        // The box holds a player of exactly this type, for each capacity is matched with its own.
        let made = go_player(CELLS, text)?.downcast::<Box<dyn Player<Self>>>();
        Ok(*made.expect("a player for this capacity"))
    }
}

/// A player for boards of a capacity, compiled here once for each of the four.
fn go_player(cells: usize, text: &str) -> Result<Box<dyn Any>, SpecError> {
    fn boxed<P: Game>(text: &str) -> Result<Box<dyn Any>, SpecError> {
        players::make::<P>(text).map(|player| Box::new(player) as Box<dyn Any>)
    }
    match cells {
        111 => boxed::<Go9>(text),
        211 => boxed::<Go13>(text),
        421 => boxed::<Go19>(text),
        _ => boxed::<Go25>(text),
    }
}

/// A game of Go of this size with the choices made.
pub(crate) fn start_go<const CELLS: usize>(size: usize, setup: &Setup) -> Result<Go<CELLS>, SetupError> {
    if let Some(text) = &setup.position {
        if setup.rules.is_some() || setup.komi.is_some() || setup.handicap.is_some() {
            return Err(SetupError::new("a position says its own rules, komi and handicap: give one or the other"));
        }
        let go = Go::read(text)?;
        return if go.size() == size {
            Ok(go)
        } else {
            Err(SetupError::new(format!("the position is {0}x{0}, the game {size}x{size}", go.size())))
        };
    }
    let rules = setup.rules.as_deref().map_or(Ok(Rules::Chinese), str::parse)?;
    let komi = setup.komi.map(Komi::new).transpose()?;
    Ok(match &setup.handicap {
        None | Some(Handicap::Fixed(0)) => Go::new(size, rules, komi)?,
        Some(Handicap::Fixed(stones)) => Go::with_fixed_handicap(size, rules, komi, usize::from(*stones))?,
        Some(Handicap::Free(points)) => {
            let points = points.iter().map(|text| read_point(size, text)).collect::<Result<Vec<_>, _>>()?;
            Go::with_free_handicap(size, rules, komi, &points)?
        }
    })
}
