//! All games by their ids: the one `match` that knows them all.

use crate::game::{Game, start_go};
use crate::{Setup, SetupError};
use tengen_games::backgammon::Backgammon;
use tengen_games::chess::{
    Antichess, Atomic, Chess, Chess960, Crazyhouse, Horde, KingOfTheHill, RacingKings, ThreeCheck,
};
use tengen_games::connect4::Connect4;
use tengen_games::go::{Go9, Go13, Go19, Go25};
use tengen_games::othello::{Othello6, Othello8};
use tengen_games::pig::Pig;
use tengen_games::tictactoe::TicTacToe;
use tengen_games::yokai::{Goro56, Yokai34, Yokai56};
use tengen_search::params::unknown;

/// A game as a list shows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameInfo {
    /// What the command line calls it.
    pub id: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// What it is about, in one line.
    pub about: &'static str,
    /// The player one meets there unless one asks for another.
    pub opponent: &'static str,
    /// How many random moves make games of a match different without deciding them; none where dice do.
    pub walk: u32,
    /// The quick search that is asked whether they have decided anything.
    pub judge: &'static str,
}

const fn game(
    id: &'static str,
    title: &'static str,
    about: &'static str,
    opponent: &'static str,
    walk: u32,
) -> GameInfo {
    GameInfo { id, title, about, opponent, walk, judge: "alphabeta:depth=3,nodes=3000,table=1" }
}

/// Go is nothing for a shallow search, nor for one that knows nothing: on a large board that has seen every move hardly once.
const fn go(id: &'static str, title: &'static str, about: &'static str) -> GameInfo {
    GameInfo { judge: "go:playouts=200", ..game(id, title, about, GO, 4) }
}

/// The chess engine, one second a move.
const CHESS: &str = "chess:ms=1000";

/// The Go engine, two seconds a move.
const GO: &str = "go:ms=2000";

/// Every game, in the order a menu shows them. Go is there in its usual sizes; any `go2` to `go25` opens too.
pub const GAMES: &[GameInfo] = &[
    game("tictactoe", "Tic-tac-toe", "three in a row on nine squares", "alphabeta:depth=9", 2),
    game("connect4", "Connect Four", "four in a row, and discs fall", "alphabeta:depth=42,ms=1000", 4),
    game("othello", "Othello", "turn the other's discs, have more in the end", "alphabeta:depth=60,ms=1000", 6),
    game("othello6", "Othello 6x6", "the small board", "alphabeta:depth=32,ms=1000", 4),
    game("yokai34", "Yokai no Mori 3x4", "a shogi of four pieces a side", "alphabeta:depth=60,ms=1000", 3),
    game(
        "yokai56",
        "Yokai no Mori 5x6",
        "a shogi of eight pieces a side",
        "alphabeta:depth=60,ms=1000,selective=on",
        4,
    ),
    game("chess", "Chess", "the royal game", CHESS, 8),
    game("chess960", "Chess960", "chess from a drawn back rank", CHESS, 8),
    game("crazyhouse", "Crazyhouse", "captured pieces change sides", CHESS, 6),
    game("threecheck", "Three-check", "the third check wins", CHESS, 4),
    game("koth", "King of the Hill", "a king in the centre wins", CHESS, 8),
    game("atomic", "Atomic", "captures explode", CHESS, 4),
    game("racingkings", "Racing Kings", "first king on the eighth rank", CHESS, 6),
    game("antichess", "Antichess", "lose everything to win", CHESS, 4),
    game("horde", "Horde", "thirty-six pawns against an army", CHESS, 8),
    go("go5", "Go 5x5", "surround territory, for a first look"),
    go("go9", "Go 9x9", "a whole game in a quarter of an hour"),
    go("go13", "Go 13x13", "between the small board and the large one"),
    go("go19", "Go 19x19", "the game of Go"),
    game("pig", "Pig", "roll on or hold, first to a hundred", "expectiminimax:depth=5", 0),
    game("backgammon", "Backgammon", "race fifteen checkers home", "expectiminimax:depth=2", 0),
];

/// Something to do with a game whose type is known only at run time.
pub trait Visitor {
    /// What comes of it.
    type Out;
    /// Does it, with the start position asked for.
    fn visit<P: Game>(self, start: P) -> Self::Out;
}

/// Finds the game, sets it up, and hands it to the visitor.
pub fn with_game<V: Visitor>(id: &str, setup: &Setup, visitor: V) -> Result<V::Out, SetupError> {
    match id {
        "tictactoe" => Ok(visitor.visit(TicTacToe::start(setup)?)),
        "connect4" => Ok(visitor.visit(Connect4::start(setup)?)),
        "othello" => Ok(visitor.visit(Othello8::start(setup)?)),
        "othello6" => Ok(visitor.visit(Othello6::start(setup)?)),
        "yokai34" => Ok(visitor.visit(Yokai34::start(setup)?)),
        "yokai56" => {
            let plain = Setup { rules: None, ..setup.clone() };
            match setup.rules.as_deref() {
                None | Some("yokai") => Ok(visitor.visit(Yokai56::start(&plain)?)),
                Some("gorogoro") => Ok(visitor.visit(Goro56::start(&plain)?)),
                Some(other) => Err(SetupError::new(unknown("rule set", other, ["yokai", "gorogoro"]))),
            }
        }
        "chess" => Ok(visitor.visit(Chess::start(setup)?)),
        "chess960" => Ok(visitor.visit(Chess960::start(setup)?)),
        "crazyhouse" => Ok(visitor.visit(Crazyhouse::start(setup)?)),
        "threecheck" => Ok(visitor.visit(ThreeCheck::start(setup)?)),
        "koth" => Ok(visitor.visit(KingOfTheHill::start(setup)?)),
        "atomic" => Ok(visitor.visit(Atomic::start(setup)?)),
        "racingkings" => Ok(visitor.visit(RacingKings::start(setup)?)),
        "antichess" => Ok(visitor.visit(Antichess::start(setup)?)),
        "horde" => Ok(visitor.visit(Horde::start(setup)?)),
        "pig" => Ok(visitor.visit(Pig::start(setup)?)),
        "backgammon" => Ok(visitor.visit(Backgammon::start(setup)?)),
        _ if go_size(id).is_some() => match go_size(id) {
            Some(size @ 2..=9) => Ok(visitor.visit::<Go9>(start_go(size, setup)?)),
            Some(size @ 10..=13) => Ok(visitor.visit::<Go13>(start_go(size, setup)?)),
            Some(size @ 14..=19) => Ok(visitor.visit::<Go19>(start_go(size, setup)?)),
            Some(size @ 20..=25) => Ok(visitor.visit::<Go25>(start_go(size, setup)?)),
            _ => Err(SetupError::new("Go is played on boards from 2x2 (go2) to 25x25 (go25)")),
        },
        _ => Err(SetupError::unknown(unknown("game", id, GAMES.iter().map(|game| game.id)))),
    }
}

/// The size in an id like `go9`; `None` if it is no such id.
fn go_size(id: &str) -> Option<usize> {
    let digits = id.strip_prefix("go")?;
    // `go09` is not an id.
    digits.parse().ok().filter(|size: &usize| size.to_string() == digits)
}

/// What the list says about a game; odd sizes of Go are played as the usual ones are.
pub fn info(id: &str) -> Option<&'static GameInfo> {
    let listed = |id: &str| GAMES.iter().find(|game| game.id == id);
    listed(id).or_else(|| go_size(id).and_then(|_| listed("go9")))
}

/// The player one meets in a game unless one asks for another.
pub fn opponent(id: &str) -> &'static str {
    info(id).map_or("random", |game| game.opponent)
}
