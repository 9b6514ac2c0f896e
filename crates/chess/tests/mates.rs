//! Mates in two to five moves: found within what a second allows, and really mates. Those of `mates.epd` come from Tengen's own games;
//! those of `hidden.epd`, from random positions with level material, need a sacrifice or quiet moves.

use shakmaty::{Chess as Rules, Position as _};
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use tengen_chess::epd::Problem;
use tengen_chess::score::{Told, told};
use tengen_chess::{ChessEngine, ChessParams, Question};
use tengen_core::{Line, Notation};
use tengen_games::chess::ChessRules;
use tengen_search::Limits;

fn problems(text: &str) -> Vec<(Problem, u32)> {
    let read = |line: &str| {
        let problem = Problem::read(line).expect(line);
        let moves = problem.mate.expect("every line has dm");
        (problem, moves)
    };
    text.lines().map(read).collect()
}

const OWN: &str = include_str!("mates.epd");
const HIDDEN: &str = include_str!("hidden.epd");

/// Nodes rather than time, so that a busy machine changes nothing: about what one core looks at in a second.
const BUDGET: u64 = 1_000_000;

#[test]
fn mates_in_up_to_five_are_found() {
    assert_eq!(look_for(OWN), 130);
}

#[test]
fn sacrifices_and_quiet_moves_hide_no_mate() {
    assert_eq!(look_for(HIDDEN), 100);
}

/// How many problems there are; all but one must be solved.
fn look_for(text: &str) -> usize {
    let mut engine =
        ChessEngine::<ChessRules>::new(ChessParams { hash: 16, ..ChessParams::default() }).expect("nothing to open");
    let problems = problems(text);
    let mut missed = Vec::new();
    for (problem, moves) in &problems {
        let (stop, pondering, clock) = (AtomicBool::new(false), AtomicBool::new(false), Instant::now());
        let limits = Limits { nodes: Some(BUDGET), ..Limits::default() };
        let question = Question { mate: Some(*moves), ..Question::new(limits, &clock, &stop, &pondering) };
        engine.new_game();
        let line = Line::new(problem.position.clone());
        let answer = engine.search(&line, &question, &mut |_| {}).expect("a decision");
        let score = answer.lines[0].score;
        if !problem.is_solved_by(answer.best, score) {
            missed.push(format!("{} ({})", problem.id, problem.position.write()));
            continue;
        }
        // The line that is shown ends where it says.
        let Told::Mate(found) = told(score) else { panic!("{}: {score}", problem.id) };
        let mut position = problem.position.rules().clone();
        for &mv in &answer.lines[0].pv {
            position.play_unchecked(mv);
        }
        let plies = answer.lines[0].pv.len() as i32;
        assert!(plies < 2 * found, "{}", problem.id);
        assert!(plies < 2 * found - 1 || position.is_checkmate(), "{}", problem.id);
    }
    // Beside a long mate the shortest one may hide for a while.
    assert!(missed.len() <= 1, "{missed:#?}");
    problems.len()
}

/// Whether the side to move mates in so many moves, whatever the other side does: every move is tried.
fn mates(position: &Rules, moves: u32) -> bool {
    let mut tries: Vec<(bool, Rules)> = position
        .legal_moves()
        .iter()
        .map(|&mv| {
            let mut next = position.clone();
            next.play_unchecked(mv);
            (next.is_check(), next)
        })
        .collect();
    // Checks first: most mates are full of them. The last move must be one.
    tries.sort_by_key(|(check, _)| !check);
    tries.iter().filter(|(check, _)| moves > 1 || *check).any(|(check, next)| {
        let replies = next.legal_moves();
        if replies.is_empty() {
            return *check;
        }
        moves > 1
            && replies.iter().all(|&reply| {
                let mut answered = next.clone();
                answered.play_unchecked(reply);
                mates(&answered, moves - 1)
            })
    })
}

/// The collection says the truth, as far as trying everything can tell in a moment.
#[test]
fn short_mates_are_what_the_collection_says() {
    let mut seen = 0;
    for (problem, moves) in problems(OWN).iter().filter(|(_, moves)| *moves <= 3).take(24) {
        let position = problem.position.rules();
        assert!(mates(position, *moves), "{}: there is none", problem.id);
        assert!(!mates(position, moves - 1), "{}: there is a shorter one", problem.id);
        seen += 1;
    }
    assert_eq!(seen, 24);
}
