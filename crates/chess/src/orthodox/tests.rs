//! Perft against the game's own rules, keys from scratch, exchanges by hand.

use super::*;
use tengen_core::perft::perft as game_perft;
use tengen_core::{Notation, Position, Rng, Turn};
use tengen_games::chess::{Chess, Chess960};

fn board(fen: &str) -> Orthodox {
    Orthodox::new(Chess960::read(fen).expect(fen).rules())
}

/// All legal moves, listed stage by stage.
fn legal<K: Kept>(board: &Orthodox<K>) -> Vec<Mv> {
    let mut moves = Vec::new();
    board.list(Kind::Noisy, &mut moves);
    let noisy = moves.len();
    board.list(Kind::Quiet, &mut moves);
    for (index, ranked) in moves.iter().enumerate() {
        assert_eq!(board.is_noisy(ranked.mv), index < noisy, "{ranked:?}");
    }
    moves.into_iter().map(|ranked| ranked.mv).filter(|&mv| board.is_safe(mv)).collect()
}

fn perft<K: Kept>(board: &Orthodox<K>, depth: u32) -> u64 {
    let moves = legal(board);
    if depth == 1 {
        return moves.len() as u64;
    }
    moves
        .into_iter()
        .map(|mv| {
            let mut next = board.clone();
            next.play(mv);
            perft(&next, depth - 1)
        })
        .sum()
}

const POSITIONS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "2r1kr2/8/8/8/8/8/8/1R2K1R1 w GBfc - 0 1",
    "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
];

/// A board for an evaluation that keeps its own picture carries nothing for the classical one, and is the same board.
#[test]
fn an_evaluation_may_keep_nothing_on_the_board() {
    assert!(size_of::<Orthodox<()>>() < size_of::<Orthodox>());
    for fen in POSITIONS {
        let game = Chess960::read(fen).expect(fen);
        let bare = Orthodox::<()>::new(game.rules());
        assert_eq!((bare.key(), perft(&bare, 3)), (board(fen).key(), game_perft(&game, 3)), "{fen}");
    }
}

#[test]
fn perft_agrees_with_the_rules() {
    for fen in POSITIONS {
        let game = Chess960::read(fen).expect(fen);
        assert_eq!(perft(&board(fen), 4), game_perft(&game, 4), "{fen}");
    }
}

/// Along random games: the keys from scratch, the sums from scratch, the same legal moves as the game's, and no other code accepted.
#[test]
fn everything_kept_up_to_date_equals_what_is_found_from_scratch() {
    let mut rng = Rng::with_seed(7);
    for game in 0..60 {
        let fen = POSITIONS[game % POSITIONS.len()];
        let mut position = Chess960::read(fen).expect(fen);
        let mut board = board(fen);
        let mut moves = Vec::new();
        for ply in 0..120 {
            let fresh = Orthodox::new(position.rules());
            let text = position.write();
            assert_eq!(board.key, fresh.key, "{text}");
            assert_eq!(board.structure_key, fresh.structure_key, "{text}");
            assert_eq!(board.kept, fresh.kept, "{text}");
            assert_eq!(
                (board.phase, board.pinned, board.checkers),
                (fresh.phase, fresh.pinned, fresh.checkers),
                "{text}"
            );
            assert_eq!(board.in_check(), position.rules().is_check(), "{text}");
            assert_eq!(board.verdict().is_some(), position.rules().is_insufficient_material(), "{text}");
            let Turn::Decision(_) = position.turn(&mut moves) else { break };
            let mut codes: Vec<u16> = moves.iter().map(|&mv| Chess960::code(mv)).collect();
            let mut ours: Vec<u16> = legal(&board).iter().map(|mv| mv.code()).collect();
            codes.sort_unstable();
            ours.sort_unstable();
            assert_eq!(ours, codes, "{text}");
            if ply % 8 == 0 {
                let accepted: Vec<u16> = (0..=u16::MAX).filter(|&code| board.accepts(Mv::from_code(code))).collect();
                assert_eq!(accepted, codes, "{text}");
            }
            let back = board.rules().expect(&text);
            assert_eq!(<Orthodox>::new(&back).key, board.key, "{text}");
            let mv = moves[rng.usize(..moves.len())];
            position.play(mv);
            board.play(Mv::from_code(Chess960::code(mv)));
        }
    }
}

#[test]
fn passing_twice_changes_nothing_but_the_counter() {
    let before = board(POSITIONS[1]);
    let mut after = before.clone();
    assert!(after.pass());
    assert_ne!(after.key, before.key);
    assert!(after.pass());
    assert_eq!(after.key, before.key);
    assert_eq!(after.halfmoves, before.halfmoves + 2);
}

/// Position, move, what the exchange gains: found by hand, capture by capture.
#[test]
fn exchanges_are_counted_out() {
    let cases = [
        ("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100),
        ("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100 - 520),
        ("4k3/8/4p3/3p4/4P3/8/8/3RK3 w - - 0 1", "e4d5", 100),
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100),
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", 100 - 325),
        // Taking with the king is not allowed while the pawn is defended; with the rook behind him it is.
        ("8/8/8/3k4/4p3/8/4K3/8 w - - 0 1", "e2e3", 0),
        ("4k3/8/8/8/8/3p4/2K5/8 w - - 0 1", "c2d3", 100),
        // En passant: the victim does not stand on the target.
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100),
        ("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0),
        // Promotions count what the pawn becomes, and lose it if it is taken.
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 900),
        ("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", 520 + 900),
        ("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", -100),
        // A battery: the queen behind the rook joins in.
        ("3r3k/3r4/8/8/8/8/3R4/3QK3 w - - 0 1", "d2d7", 520),
        ("3rk3/3r4/8/8/8/8/3R4/3QK3 w - - 0 1", "d2d7", 0),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1h1", 0),
    ];
    for (fen, mv, gain) in cases {
        let game = Chess::read(fen).expect(fen);
        let found = game.read_move(mv).expect(mv);
        let (board, mv) = (<Orthodox>::new(game.rules()), Mv::from_code(Chess::code(found)));
        assert!(board.exchange(mv, gain), "{fen} {mv:?} gains at least {gain}");
        assert!(!board.exchange(mv, gain + 1), "{fen} {mv:?} gains no more than {gain}");
    }
}

/// The list of checks holds exactly the quiet moves after which the moved piece attacks the king.
#[test]
fn checks_are_quiet_moves_that_check() {
    let mut rng = Rng::with_seed(11);
    let mut found = 0;
    for game in 0..60 {
        let mut board = board(POSITIONS[game % POSITIONS.len()]);
        for _ in 0..60 {
            let moves = legal(&board);
            if moves.is_empty() {
                break;
            }
            if !board.in_check() {
                let mut listed = Vec::new();
                board.list(Kind::Checks, &mut listed);
                let mut listed: Vec<u16> =
                    listed.iter().map(|ranked| ranked.mv).filter(|&mv| board.is_safe(mv)).map(Mv::code).collect();
                let checks = |mv: &Mv| {
                    let mut next = board.clone();
                    next.play(*mv);
                    !board.is_noisy(*mv)
                        && mv.promotion().is_none()
                        && !board.is_castling(*mv)
                        && next.checkers.contains(mv.to())
                };
                let mut expected: Vec<u16> = moves.iter().filter(|mv| checks(mv)).map(|mv| mv.code()).collect();
                listed.sort_unstable();
                expected.sort_unstable();
                found += expected.len();
                assert_eq!(listed, expected, "{:?}", board.pieces);
            }
            board.play(moves[rng.usize(..moves.len())]);
        }
    }
    assert!(found > 500, "{found}");
}
