//! How each game is spoken of with engines outside: its names in UCI, and the start of a game in GTP.

use tengen_core::{Notation, Position, Side};
use tengen_external::{Dialect, GtpStart};
use tengen_games::backgammon::Backgammon;
use tengen_games::chess::{
    Antichess, Atomic, Chess, Chess960, Crazyhouse, Horde, KingOfTheHill, RacingKings, ThreeCheck,
};
use tengen_games::connect4::Connect4;
use tengen_games::go::{Go, Rules, Scoring};
use tengen_games::othello::{Othello6, Othello8};
use tengen_games::pig::Pig;
use tengen_games::tictactoe::TicTacToe;
use tengen_games::yokai::{Goro56, Yokai34, Yokai56};
use tengen_go::judge;

/// A game that engines outside can be told about.
pub trait Spoken: Notation {
    /// Its names and texts in the protocols.
    fn dialect() -> Dialect<Self>;
}

macro_rules! spoken {
    ($($type:ty: $($name:literal)*;)*) => {$(
        impl Spoken for $type {
            fn dialect() -> Dialect<Self> {
                Dialect::named(&[$($name),*], |start| GtpStart {
                    game: [$($name,)* "chess"].first().copied(),
                    unspeakable: only_the_start(start, <$type>::new()),
                    ..GtpStart::default()
                })
            }
        }
    )*};
}

spoken! {
    TicTacToe: "tictactoe";
    Connect4: "connect4";
    Chess:;
    Crazyhouse: "crazyhouse";
    ThreeCheck: "3check" "threecheck";
    KingOfTheHill: "kingofthehill" "koth";
    Atomic: "atomic";
    RacingKings: "racingkings";
    Antichess: "antichess" "giveaway";
    Horde: "horde";
    Pig: "pig";
    Backgammon: "backgammon";
}

/// GTP has no word for positions: without stones to put down a game begins at its start.
fn only_the_start<P: Notation>(start: &P, usual: P) -> Option<String> {
    let differs = start.key() != usual.key();
    differs.then(|| "GTP cannot tell an engine of this game to begin elsewhere than at the start".to_owned())
}

impl Spoken for Chess960 {
    fn dialect() -> Dialect<Self> {
        let named = Dialect::named(&[], |start| GtpStart {
            game: Some("chess960"),
            unspeakable: only_the_start(start, Chess960::new()),
            ..GtpStart::default()
        });
        Dialect { chess960: true, ..named }
    }
}

/// Fairy-Stockfish marks all promotions, Tengen only those that are a choice.
macro_rules! yokai {
    ($($type:ty: $name:literal $id:literal;)*) => {$(
        impl Spoken for $type {
            fn dialect() -> Dialect<Self> {
                let named = Dialect::named(&[$name, $id], |start| GtpStart {
                    game: Some($id),
                    unspeakable: only_the_start(start, <$type>::new()),
                    ..GtpStart::default()
                });
                let uci_move = |position: &Self, mv| {
                    let text = position.write_move(mv);
                    if position.promotes(mv) && !text.ends_with('+') { text + "+" } else { text }
                };
                Dialect { uci_move, ..named }
            }
        }
    )*};
}

yokai! {
    Yokai34: "dobutsu" "yokai34";
    Yokai56: "gorogoro" "yokai56";
    Goro56: "gorogoro" "yokai56";
}

macro_rules! othello {
    ($($type:ty: $size:literal $name:literal;)*) => {$(
        impl Spoken for $type {
            fn dialect() -> Dialect<Self> {
                Dialect::named(&[$name], |start| GtpStart {
                    game: Some("Othello"),
                    size: Some($size),
                    unspeakable: only_the_start(start, <$type>::new()),
                    ..GtpStart::default()
                })
            }
        }
    )*};
}

othello! {
    Othello8: 8 "othello";
    Othello6: 6 "othello6";
}

impl<const CELLS: usize> Spoken for Go<CELLS> {
    fn dialect() -> Dialect<Self> {
        let named = Dialect::named(&["go"], |start: &Self| {
            let stone = |point| start.board().colour(point).map(|side| (side, start.point_name(point)));
            let stones: Vec<(Side, String)> = start.board().points().filter_map(stone).collect();
            // Black stones only and White to move: that is what a handicap looks like.
            let is_handicap = stones.len() >= 2
                && stones.iter().all(|(side, _)| *side == Side::First)
                && start.to_move() == Side::Second;
            let (handicap, stones) = if is_handicap {
                (stones.into_iter().map(|(_, point)| point).collect(), Vec::new())
            } else {
                (Vec::new(), stones)
            };
            GtpStart {
                game: Some("Go"),
                size: Some(start.size()),
                komi: Some(start.komi().points()),
                rules: Some(start.rules().name()),
                handicap,
                stones,
                unspeakable: None,
            }
        });
        Dialect { count: Some(agreed_lead), ..named }
    }
}

/// Quick games by which dead stones are found.
const JUDGING_GAMES: u32 = 1000;

/// Black's lead once the dead stones are off the board, as two players would agree on it. By Tromp and Taylor's rules there is nothing
/// to agree on: whatever stands on the board lives.
fn agreed_lead<const CELLS: usize>(go: &Go<CELLS>) -> f32 {
    if go.rules() == Rules::TrompTaylor {
        return go.lead() as f32 / 2.0;
    }
    let judgement = judge(go, JUDGING_GAMES, go.key());
    match go.rules().scoring() {
        Scoring::Area => judgement.score_area,
        Scoring::Territory => judgement.score_territory,
    }
}
