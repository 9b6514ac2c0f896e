//! Tablebases: what they say at the root and inside the tree, on the tables of three pieces.

use std::sync::atomic::AtomicBool;
use std::time::Instant;
use tengen_chess::score::{DECIDED, TABLEBASE_WIN};
use tengen_chess::{ChessEngine, ChessParams, Oracle, Orthodox, Question, Tablebases};
use tengen_core::{Line, Notation, Outcome, Side, Turn};
use tengen_games::chess::{Chess, ChessRules};
use tengen_search::Limits;

const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/syzygy");

fn position(fen: &str) -> Chess {
    Chess::read(fen).expect(fen)
}

#[test]
fn the_tree_is_told_who_wins() {
    let tables = Tablebases::open(TABLES).expect(TABLES);
    assert_eq!((tables.files(), tables.most_pieces()), (10, 3));
    for (fen, answer) in [
        ("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", Some(1)),
        ("4k3/8/8/8/8/8/8/Q3K3 b - - 0 1", Some(-1)),
        ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", Some(0)),
        // The pawn and the opposition.
        ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", Some(1)),
        ("8/8/8/8/4k3/8/4P3/4K3 w - - 0 1", Some(0)),
        ("4k3/8/8/8/8/8/8/QR2K3 w - - 0 1", None),
    ] {
        let board = Orthodox::new(position(fen).rules());
        assert_eq!(tables.ask(&board), answer, "{fen}");
    }
    assert!(Tablebases::open("/nonexistent/tables").is_err());
}

#[test]
fn the_root_keeps_only_what_keeps_the_result() {
    let tables = Tablebases::open(TABLES).expect(TABLES);
    let best = |fen: &str| {
        let position = position(fen);
        let mut legal = Vec::new();
        Line::new(position.clone()).turn(&mut legal);
        let mut best: Vec<String> = tables
            .best_moves(position.rules(), &legal)
            .expect(fen)
            .into_iter()
            .map(|mv| position.write_move(mv))
            .collect();
        best.sort();
        best.join(" ")
    };
    // Only one step holds the draw.
    assert_eq!(best("8/4k3/8/3K4/4P3/8/8/8 b - - 0 1"), "e7d7");
    // A win by the shortest way, a loss by the longest.
    assert_eq!(best("7k/8/6K1/8/8/8/8/1Q6 w - - 0 1"), "b1b8");
    assert_eq!(best("8/8/8/4k3/8/4K3/4P3/8 b - - 0 1"), "e5d5 e5f5");
    assert!(best("8/8/8/8/4k3/8/4P3/4K3 w - - 0 1").split(' ').count() > 1, "a draw leaves a choice");
}

/// With the tables the mate is driven home from anywhere, without a single move that lets the win slip.
#[test]
fn a_won_endgame_is_won() {
    for fen in ["8/8/8/3k4/8/8/8/KR6 w - - 0 1", "8/8/8/8/8/2k5/4P3/4K3 w - - 0 1", "8/8/3k4/8/8/8/8/K6Q w - - 0 1"] {
        let syzygy = TABLES.to_owned();
        let params = ChessParams { hash: 1, syzygy, ..ChessParams::default() };
        let mut engine = ChessEngine::<ChessRules>::new(params).expect("the tables are there");
        let mut line = Line::new(position(fen));
        let (stop, pondering, clock) = (AtomicBool::new(false), AtomicBool::new(false), Instant::now());
        let outcome = loop {
            let mut legal = Vec::new();
            if let Turn::Over(outcome) = line.turn(&mut legal) {
                break outcome;
            }
            let limits = Limits { nodes: Some(2_000), ..Limits::default() };
            let question = Question::new(limits, &clock, &stop, &pondering);
            let answer = engine.search(&line, &question, &mut |_| {}).expect("a decision");
            let score = answer.lines[0].score;
            assert!(score.abs() > DECIDED || score.abs() < TABLEBASE_WIN, "{fen}: {score}");
            line.push(answer.best);
        };
        assert_eq!(outcome, Outcome::Win(Side::First), "{fen}");
    }
}
