//! The engine as its callers meet it: mates, draws, limits, lines, variants, and the same answer twice.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use tengen_chess::score::{Told, told};
use tengen_chess::{Answer, ChessEngine, ChessParams, Playable, Question, Report};
use tengen_core::{Line, Notation, Outcome, Pov, Side, Turn};
use tengen_games::chess::{
    AntichessRules, AtomicRules, Board, Chess960Rules, ChessRules, CrazyhouseRules, HordeRules, KingOfTheHillRules,
    RacingKingsRules, ThreeCheckRules,
};
use tengen_search::{Lead, Limits, Player, Watch};

fn line<V: Playable>(fen: &str, moves: &str) -> Line<Board<V>> {
    let mut line = Line::new(Board::read(fen).expect(fen));
    for text in moves.split_whitespace() {
        let mv = line.position().read_move(text).expect(text);
        line.push(mv);
    }
    line
}

fn ask<V: Playable>(
    engine: &mut ChessEngine<V>,
    line: &Line<Board<V>>,
    limits: Limits,
    lines: usize,
) -> (Answer, Vec<Report>) {
    let (stop, pondering, clock) = (AtomicBool::new(false), AtomicBool::new(false), Instant::now());
    let question = Question { lines, ..Question::new(limits, &clock, &stop, &pondering) };
    let mut reports = Vec::new();
    let answer = engine.search(line, &question, &mut |lines| reports.extend_from_slice(lines));
    (answer.expect("there is something to decide"), reports)
}

fn engine<V: Playable>() -> ChessEngine<V> {
    ChessEngine::new(ChessParams { hash: 8, ..ChessParams::default() }).expect("nothing to open")
}

fn nodes(count: u64) -> Limits {
    Limits { nodes: Some(count), ..Limits::default() }
}

/// Position, in how many moves it is mate (negative: the side to move is mated), nodes allowed.
#[test]
fn mates_are_found_and_counted() {
    let cases = [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 1, 1_000),
        ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", 1, 1_000),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2, 20_000),
        ("2bqkbn1/2pppp2/np2N3/r3P1p1/p2N2B1/5Q2/PPPPKPP1/RNB2r2 w KQkq - 0 1", 2, 50_000),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3, 100_000),
        ("8/8/8/8/8/3k4/3q4/3K4 w - - 0 1", 0, 1_000),
        ("7k/8/5K2/8/8/8/8/6Q1 b - - 0 1", -1, 20_000),
    ];
    for (fen, moves, budget) in cases {
        let line = line::<ChessRules>(fen, "");
        if moves == 0 {
            assert!(matches!(line.turn(&mut Vec::new()), Turn::Over(Outcome::Win(Side::Second))), "{fen}");
            continue;
        }
        let (answer, _) = ask(&mut engine(), &line, nodes(budget), 1);
        assert_eq!(told(answer.lines[0].score), Told::Mate(moves), "{fen}");
    }
}

/// A queen ahead, one does not stalemate; a queen behind, one repeats.
#[test]
fn draws_are_seen() {
    let stalemate = line::<ChessRules>("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "");
    let (answer, _) = ask(&mut engine(), &stalemate, nodes(20_000), 1);
    assert!(matches!(told(answer.lines[0].score), Told::Mate(1)));

    // Black is lost but for the perpetual check, which repeats the position.
    let perpetual = line::<ChessRules>("6k1/5ppp/8/8/8/1Q6/q4PPP/1R4K1 b - - 0 1", "");
    let (answer, _) = ask(&mut engine(), &perpetual, nodes(20_000), 1);
    assert!(answer.lines[0].score < 900);

    // The hundredth half move: whatever is won is a draw now, but for a mate on the spot.
    let fifty = line::<ChessRules>("8/8/8/3k4/8/8/2Q1K3/8 w - - 99 80", "");
    let (answer, _) = ask(&mut engine(), &fifty, nodes(20_000), 1);
    assert!(answer.lines[0].score.abs() <= 2, "{:?}", answer.lines[0].score);
    let mate = line::<ChessRules>("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 99 80", "");
    let (answer, _) = ask(&mut engine(), &mate, nodes(20_000), 1);
    assert_eq!(told(answer.lines[0].score), Told::Mate(1));

    // Twice on the board already: the third time is a draw, and the side that is ahead avoids it.
    let moves = "c2b2 d5e4 b2c2 e4d5 c2b2 d5e4";
    let third = line::<ChessRules>("8/8/8/3k4/8/8/2Q5/4K3 w - - 0 1", moves);
    let (answer, _) = ask(&mut engine(), &third, nodes(50_000), 1);
    assert_ne!(third.position().write_move(answer.best), "b2c2");
    assert!(answer.lines[0].score > 500);
}

#[test]
fn limits_are_kept() {
    let start = line::<ChessRules>("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "");
    let (answer, _) = ask(&mut engine(), &start, nodes(5_000), 1);
    assert_eq!(answer.nodes, 5_000);
    let (answer, reports) = ask(&mut engine(), &start, Limits { depth: Some(6), ..Limits::default() }, 1);
    assert_eq!((answer.lines[0].depth, reports.len()), (6, 6));
    let begin = Instant::now();
    ask(&mut engine(), &start, Limits { time: Some(Duration::from_millis(80)), ..Limits::default() }, 1);
    assert!(begin.elapsed() < Duration::from_millis(1500), "{:?}", begin.elapsed());
    // However little there is, there is a move and a score.
    let (answer, reports) = ask(&mut engine(), &start, Limits { time: Some(Duration::ZERO), ..Limits::default() }, 1);
    assert!(!reports.is_empty() && !answer.lines.is_empty());
    let (answer, _) = ask(&mut engine(), &start, nodes(1), 1);
    assert_eq!(answer.lines[0].pv.first(), Some(&answer.best));
}

#[test]
fn one_thread_finds_the_same_twice() {
    let line = line::<ChessRules>("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", "");
    let find = || {
        let (answer, reports) = ask(&mut engine(), &line, Limits { depth: Some(9), ..Limits::default() }, 1);
        (answer.nodes, answer.best, reports.iter().map(|report| report.score).collect::<Vec<_>>())
    };
    assert_eq!(find(), find());
}

#[test]
fn several_threads_agree_on_what_is_plain() {
    let params = ChessParams { hash: 8, threads: 3, ..ChessParams::default() };
    let mut engine = ChessEngine::<ChessRules>::new(params).expect("nothing to open");
    let line = line::<ChessRules>("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", "");
    for _ in 0..5 {
        let (answer, _) = ask(&mut engine, &line, Limits { depth: Some(8), ..Limits::default() }, 1);
        assert_eq!(line.position().write_move(answer.best), "h5f7");
    }
}

#[test]
fn several_lines_are_different_and_in_order() {
    let line = line::<ChessRules>("r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 8", "");
    let (answer, _) = ask(&mut engine(), &line, Limits { depth: Some(8), ..Limits::default() }, 4);
    assert_eq!(answer.lines.iter().map(|line| line.rank).collect::<Vec<_>>(), [1, 2, 3, 4]);
    let mut first: Vec<_> = answer.lines.iter().map(|line| line.pv[0]).collect();
    assert!(answer.lines.windows(2).all(|pair| pair[0].score >= pair[1].score));
    first.dedup();
    assert_eq!(first.len(), 4);
    // More lines than moves are as many as there are moves.
    let forced = self::line::<ChessRules>("k7/8/1K6/8/8/8/8/7R b - - 0 1", "");
    let (answer, _) = ask(&mut engine(), &forced, Limits { depth: Some(4), ..Limits::default() }, 4);
    assert_eq!(answer.lines.len(), 1);
}

#[test]
fn only_the_moves_asked_for() {
    let line = line::<ChessRules>("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "");
    let wanted = line.position().read_move("h2h3").expect("legal");
    let (stop, pondering, clock) = (AtomicBool::new(false), AtomicBool::new(false), Instant::now());
    let question = Question { moves: vec![wanted], ..Question::new(nodes(3_000), &clock, &stop, &pondering) };
    let answer = engine().search(&line, &question, &mut |_| {}).expect("a decision");
    assert_eq!(answer.best, wanted);
}

/// As a player: the thought carries value, lead, lines.
#[test]
fn a_thought_is_complete() {
    let line = line::<ChessRules>("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "");
    let params = ChessParams { hash: 1, nodes: 3_000, lines: 2, ..ChessParams::default() };
    let mut player = ChessEngine::<ChessRules>::new(params).expect("nothing to open");
    let (stop, clock) = (AtomicBool::new(false), Instant::now());
    let mut heard = 0;
    let mut report = |_: &tengen_search::Thought<_>| heard += 1;
    let mut watch = Watch { clock: &clock, stop: &stop, report: &mut report };
    let thought = player.think(&line, &Limits::default(), &mut watch).expect("a decision");
    assert_eq!(line.position().write_move(thought.best), "d1d8");
    assert_eq!((thought.value, thought.lead), (Pov::of(Side::First, 1.0), Some(Pov::of(Side::First, Lead::EndIn(1)))));
    assert_eq!(thought.candidates.len(), 2);
    assert!(thought.candidates[1].pv.len() > 1 && thought.candidates[1].value.seen_by(Side::First) < 1.0);
    assert!(heard > 0);
    let mated = self::line::<ChessRules>("3R2k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1", "");
    let mut watch = Watch { clock: &clock, stop: &stop, report: &mut |_| {} };
    assert!(player.think(&mated, &Limits::default(), &mut watch).is_err());
}

/// Whole games of every variant: legal to the end, and the search outplays a single node.
#[test]
fn every_variant_is_played_to_its_end() {
    fn play<V: Playable>() {
        let mut points = 0.0;
        for strong in Side::BOTH {
            let mut line = Line::new(Board::<V>::new());
            let (mut better, mut worse) = (engine::<V>(), engine::<V>());
            let mut legal = Vec::new();
            let outcome = loop {
                match line.turn(&mut legal) {
                    Turn::Over(outcome) => break outcome,
                    _ if line.ply() > 400 => break Outcome::Draw,
                    Turn::Decision(side) if side == strong => {
                        let (answer, _) = ask(&mut better, &line, nodes(600), 1);
                        line.push(answer.best);
                    }
                    _ => {
                        let (answer, _) = ask(&mut worse, &line, nodes(3), 1);
                        line.push(answer.best);
                    }
                }
            };
            points += outcome.value_for(strong);
        }
        assert!(points > 0.0 || V::ID == "horde" && points >= 0.0, "{}: {points}", V::ID);
    }
    play::<ChessRules>();
    play::<Chess960Rules>();
    play::<CrazyhouseRules>();
    play::<ThreeCheckRules>();
    play::<KingOfTheHillRules>();
    play::<AtomicRules>();
    play::<RacingKingsRules>();
    play::<AntichessRules>();
    play::<HordeRules>();
}

/// What each variant is about, won on the spot.
#[test]
fn variants_are_won_their_own_way() {
    fn check<V: Playable>(fen: &str, best: &str) {
        let line = line::<V>(fen, "");
        let (answer, _) = ask(&mut engine(), &line, nodes(5_000), 1);
        assert_eq!(line.position().write_move(answer.best), best, "{} {fen}", V::ID);
        assert_eq!(told(answer.lines[0].score), Told::Mate(1), "{} {fen}", V::ID);
    }
    check::<KingOfTheHillRules>("7k/8/8/8/8/4K3/8/q7 w - - 0 1", "e3e4");
    check::<ThreeCheckRules>("4k3/ppp1pppp/8/8/8/8/8/Q3K3 w - - 1+3 0 1", "a1a4");
    check::<AtomicRules>("rnbqkbnr/pppp1ppp/8/6N1/8/8/PPPPPPPP/RNBQKB1R w KQkq - 0 1", "g5f7");
    check::<RacingKingsRules>("8/K7/8/8/8/8/7k/8 w - - 0 1", "a7a8");
    check::<AntichessRules>("8/8/8/8/8/1p6/8/R7 w - - 0 1", "a1a2");
    check::<CrazyhouseRules>("6rk/6pp/8/8/8/8/8/K7[N] w - - 0 1", "N@f7");
}

#[test]
fn a_weaker_player_loses_to_a_stronger_one() {
    let mut points = 0.0;
    for game in 0..4u64 {
        let strong = if game % 2 == 0 { Side::First } else { Side::Second };
        let level = |elo| ChessParams { hash: 1, elo, seed: game, ..ChessParams::default() };
        let mut engines =
            [level(700), level(1500)].map(|params| ChessEngine::<ChessRules>::new(params).expect("plain"));
        let mut line = Line::new(Board::<ChessRules>::new());
        let mut legal = Vec::new();
        let outcome = loop {
            match line.turn(&mut legal) {
                Turn::Over(outcome) => break outcome,
                Turn::Decision(side) => {
                    let engine = &mut engines[usize::from(side == strong)];
                    let (answer, _) = ask(engine, &line, Limits { depth: Some(30), ..Limits::default() }, 1);
                    line.push(answer.best);
                }
                Turn::Chance => unreachable!("there are no dice in chess"),
            }
        };
        points += outcome.value_for(strong);
    }
    assert!(points >= 2.0, "{points}");
}
