//! The evaluation sees the same in a mirror, and the quick way equals the long one.

use super::*;
use crate::fairy::Fairy;
use crate::orthodox::Orthodox;
use shakmaty::{CastlingMode, Color, EnPassantMode, FromSetup, Position as _, Setup};
use tengen_core::{Line, Notation, Position, Rng, Turn};
use tengen_games::chess::{Board, Chess, CrazyhouseRules, KingOfTheHillRules, ThreeCheckRules};

/// Positions of random games from the bench positions.
fn positions() -> Vec<Chess> {
    let mut rng = Rng::with_seed(3);
    let mut moves = Vec::new();
    let mut all = Vec::new();
    for fen in crate::bench::POSITIONS.iter().cycle().take(60) {
        let mut position = Chess::read(fen).expect(fen);
        for _ in 0..40 {
            let Turn::Decision(_) = position.turn(&mut moves) else { break };
            all.push(position.clone());
            position.play(moves[rng.usize(..moves.len())]);
        }
    }
    all
}

fn orthodox(setup: Setup) -> Option<Orthodox> {
    let rules = shakmaty::Chess::from_setup(setup, CastlingMode::Standard)
        .or_else(shakmaty::PositionError::ignore_impossible_check);
    rules.ok().map(|rules| Orthodox::new(&rules))
}

#[test]
fn colours_exchanged_is_the_same_position() {
    for position in positions() {
        let mut flipped = position.rules().to_setup(EnPassantMode::Legal);
        flipped.mirror();
        let flipped = orthodox(flipped).expect("the mirror of a position is one");
        let board = Orthodox::new(position.rules());
        let mut judge = Classical::default();
        assert_eq!(judge.evaluate(&board), judge.evaluate(&flipped), "{}", position.write());
    }
}

#[test]
fn left_and_right_are_the_same_without_castling() {
    let mut compared = 0;
    for position in positions() {
        let mut setup = position.rules().to_setup(EnPassantMode::Legal);
        if setup.castling_rights.any() || setup.ep_square.is_some() {
            continue;
        }
        let (white, black) = (setup.board.by_color(Color::White), setup.board.by_color(Color::Black));
        let mut board = shakmaty::Board::empty();
        for square in white | black {
            if let Some(piece) = setup.board.piece_at(square) {
                board.set_piece_at(square.flip_horizontal(), piece);
            }
        }
        setup.board = board;
        let Some(mirrored) = orthodox(setup) else { continue };
        let mut judge = Classical::default();
        let board = Orthodox::new(position.rules());
        assert_eq!(judge.evaluate(&board), judge.evaluate(&mirrored), "{}", position.write());
        compared += 1;
    }
    assert!(compared > 500, "{compared}");
}

/// With the sums the board keeps and the remembered structures, or counted term by term: the same score.
#[test]
fn the_quick_evaluation_is_the_sum_of_its_terms() {
    let mut judge = Classical::default();
    for position in positions() {
        let board = Orthodox::new(position.rules());
        let (_, white) = coefficients(&board);
        let score = judge.evaluate(&board);
        assert_eq!(if board.to_move() == Color::White { score } else { -score }, white, "{}", position.write());
        let shown = show(&board);
        let sum = shown.groups.iter().fold(Packed::ZERO, |sum, group| sum + group.1 - group.2);
        let mixed =
            (sum.middle() * shown.phase + sum.end() * shown.scale / 128 * (24 - shown.phase)) / 24 + shown.extra;
        // Danger is rounded once there and once here.
        assert!((mixed - white).abs() <= 2, "{}: {mixed} {white}", position.write());
    }
}

/// What nobody doubts: more is better, and some endgames are draws.
#[test]
fn plain_truths() {
    let white = |fen: &str| coefficients(&Orthodox::new(Chess::read(fen).expect(fen).rules())).1;
    assert!(white("4k3/8/8/8/8/8/8/3QK3 w - - 0 1") > 700);
    assert!(white("4k3/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1") > 1500);
    assert!(white("4k3/8/8/8/8/8/8/4KN2 w - - 0 1").abs() < 30, "a knight alone wins nothing");
    assert!(white("k7/8/8/8/P7/8/8/2B1K3 w - - 0 1").abs() < 30, "the wrong bishop wins nothing");
    assert!(white("8/8/4k3/8/8/8/4P3/4K3 w - - 0 1") > 20);
    // A king in the middle under fire from three pieces is worse off than one at home.
    let home = white("r1bq1rk1/ppp2ppp/2np1n2/4p3/2B1P3/2NP1N2/PPPQ1PPP/2KR3R b - - 0 10");
    let exposed = white("r1bq3r/ppp2ppp/2npkn2/4p1B1/2B1P3/2NP1N2/PPPQ1PPP/2KR3R b - - 0 10");
    assert!(exposed > home + 100, "{exposed} {home}");
}

#[test]
fn variants_are_judged_by_their_goals() {
    fn score<V: crate::Playable<Ground = Fairy<V>, Judge = FairyEvaluation>>(fen: &str) -> Score {
        let line = Line::new(Board::<V>::read(fen).expect(fen));
        V::judge().evaluate(&Fairy::new(line.position()))
    }
    let (near, far) = ("8/4k3/8/8/8/4K3/8/8 w - - 0 1", "8/4k3/8/8/8/8/8/4K3 w - - 0 1");
    assert!(score::<KingOfTheHillRules>(near) > score::<KingOfTheHillRules>(far) + 50);
    let (one, three) = ("4k3/8/8/8/8/8/8/Q3K3 w - - 1+3 0 1", "4k3/8/8/8/8/8/8/Q3K3 w - - 3+3 0 1");
    assert!(score::<ThreeCheckRules>(one) > score::<ThreeCheckRules>(three) + 200);
    let (hand, none) = ("4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1", "4k3/8/8/8/8/8/8/4K3[] w - - 0 1");
    assert!(score::<CrazyhouseRules>(hand) > score::<CrazyhouseRules>(none) + 400);
}
