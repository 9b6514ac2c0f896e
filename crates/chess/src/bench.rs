//! Fixed work: the same positions to the same depth, so that the number of nodes is a signature of the search.

use crate::{ChessEngine, ChessParams, Question};
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use tengen_core::{Line, Notation};
use tengen_games::chess::{Board, ChessRules};
use tengen_search::Limits;

/// Openings, middle games and endgames: from Tengen's own games and from well-known studies.
pub const POSITIONS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
    "rnbqkb1r/ppp1pp1p/5np1/3p4/3PP3/2N5/PPP2PPP/R1BQKBNR w KQkq - 0 4",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 8",
    "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
    "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 16",
    "3r1rk1/1p3ppp/pq1p1n2/2nPp3/2P1P3/2N2P2/PPQ3PP/3R1RK1 b - - 2 18",
    "6k1/5p2/3p1np1/2pP4/4PR2/1r4P1/5PKP/3B4 w - - 0 36",
    "8/8/p1p2k2/Pp3p2/1P1K1P2/2P5/8/8 w - - 0 1",
    "8/6pk/2b1Rp2/3r4/1R1B2PP/P5K1/8/2r5 b - - 16 42",
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
    "2kr3r/pppq1ppp/2n1b3/2b1p3/4P3/2NP1N2/PPP1BPPP/R1BQ1RK1 w - - 6 10",
    "5rk1/1p4pp/p1pb1p2/3p1q2/3P4/2P1BN1P/PP3PP1/3Q1RK1 w - - 0 21",
    "3q2k1/pb3p1p/4pbp1/2r5/PpN2N2/1P2P2P/5PP1/Q2R2K1 b - - 4 26",
];

/// Searches all positions to a depth, each as a new game; says how many nodes that took.
pub fn run(depth: u32, threads: usize, hash: usize) -> u64 {
    let params = ChessParams { depth, threads, hash, ..ChessParams::default() };
    // Neither book nor tablebases are named, so there is nothing that could fail to open.
    let Ok(mut engine) = ChessEngine::<ChessRules>::new(params) else { return 0 };
    let (stop, pondering) = (AtomicBool::new(false), AtomicBool::new(false));
    let mut nodes = 0;
    for fen in POSITIONS {
        let Ok(board) = Board::<ChessRules>::read(fen) else { continue };
        engine.new_game();
        let clock = Instant::now();
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let question = Question::new(limits, &clock, &stop, &pondering);
        nodes += engine.search(&Line::new(board), &question, &mut |_| {}).map_or(0, |answer| answer.nodes);
    }
    nodes
}
