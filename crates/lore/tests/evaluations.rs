//! Each static evaluation beats the same search without it, at least three points of four.

use std::sync::atomic::AtomicBool;
use std::time::Instant;
use tengen_core::{Line, Notation, Outcome, Position, Rng, Side, Turn, sample};
use tengen_games::backgammon::Backgammon;
use tengen_games::connect4::Connect4;
use tengen_games::othello::{Othello6, Othello8};
use tengen_games::tictactoe::TicTacToe;
use tengen_games::yokai::{Yokai34, Yokai56};
use tengen_lore::evaluate::{Mobility, OpenLines, Race, Safety, Siege, Threats};
use tengen_search::{
    AlphaBeta, AlphaBetaParams, Blank, Expectiminimax, ExpectiminimaxParams, Heuristic, Lead, Limits, Player, Watch,
};

/// Plays pairs of games from random openings, each opening once with either side; the share of points that the
/// evaluation makes, and how many games there were.
fn score<P: Position>(
    start: P,
    opening: usize,
    pairs: u64,
    longest: usize,
    mut with: impl Player<P>,
    mut without: impl Player<P>,
) -> (f64, u64) {
    let (mut points, mut games) = (0.0, 0);
    for seed in 0..pairs {
        for side in Side::BOTH {
            let mut rng = Rng::with_seed(seed);
            let mut line = Line::new(start.clone());
            let (mut moves, mut outcomes) = (Vec::new(), Vec::new());
            let outcome = loop {
                match line.turn(&mut moves) {
                    Turn::Over(outcome) => break outcome,
                    _ if line.ply() >= longest => break Outcome::Draw,
                    Turn::Chance => {
                        line.position().chance(&mut outcomes);
                        line.push(sample(&outcomes, &mut rng));
                    }
                    Turn::Decision(_) if line.ply() < opening => line.push(moves[rng.usize(..moves.len())]),
                    Turn::Decision(mover) => {
                        let (clock, stop) = (Instant::now(), AtomicBool::new(false));
                        let mut watch = Watch { clock: &clock, stop: &stop, report: &mut |_| {} };
                        let player: &mut dyn Player<P> = if mover == side { &mut with } else { &mut without };
                        let thought = player.think(&line, &Limits::default(), &mut watch).expect("a decision");
                        line.push(thought.best);
                    }
                }
            };
            points += f64::from(outcome.value_for(side) + 1.0) / 2.0;
            games += 1;
        }
    }
    (points / games as f64, games)
}

fn alphabeta<H>(heuristic: H, depth: u32) -> AlphaBeta<H> {
    AlphaBeta::new(heuristic, AlphaBetaParams { depth, table: 1, ..AlphaBetaParams::default() })
}

fn check<P: Position, H: Heuristic<P>>(name: &str, start: P, opening: usize, depth: u32, heuristic: H) {
    let (share, games) = score(start, opening, 100, 300, alphabeta(heuristic, depth), alphabeta(Blank, depth));
    println!("{name}: {:.1} % of {games} games at depth {depth}", share * 100.0);
    assert!(share >= 0.75, "{name}: only {:.1} % of {games} games", share * 100.0);
}

#[test]
fn tictactoe() {
    check("tic-tac-toe", TicTacToe::new(), 1, 1, OpenLines);
}

#[test]
fn connect4() {
    check("Connect Four", Connect4::new(), 4, 3, Threats);
}

#[test]
fn othello() {
    check("Othello", Othello8::new(), 6, 2, Mobility);
    check("Othello 6x6", Othello6::new(), 4, 2, Mobility);
}

#[test]
fn yokai() {
    // Four random moves on twelve squares often decide the game by themselves: two are enough for variety.
    check("Yokai 3x4", Yokai34::new(), 2, 3, Safety);
    check("Yokai 5x6", Yokai56::new(), 4, 2, Siege::default());
}

#[test]
fn backgammon() {
    let params = || ExpectiminimaxParams { depth: 1, ..ExpectiminimaxParams::default() };
    let (with, without) = (Expectiminimax::new(Race, params()), Expectiminimax::new(Blank, params()));
    let (share, games) = score(Backgammon::new(), 0, 100, 2000, with, without);
    println!("backgammon: {:.1} % of {games} games at depth 1", share * 100.0);
    assert!(share >= 0.75, "only {:.1} %", share * 100.0);
}

/// The fitted evaluation beats the guessed one, and the selective search the plain one, from the same number of positions a move.
#[test]
fn yokai_on_the_large_board() {
    let params = AlphaBetaParams { depth: 60, nodes: 1000, table: 1, ..AlphaBetaParams::default() };
    let selective = AlphaBetaParams { selective: true, ..params.clone() };
    let fitted = |params: &AlphaBetaParams| AlphaBeta::new(Siege::default(), params.clone());
    let guessed = AlphaBeta::new(Safety, params.clone());
    let (share, games) = score(Yokai56::new(), 6, 30, 300, fitted(&params), guessed);
    println!("Yokai 5x6, fitted against guessed: {:.1} % of {games} games", share * 100.0);
    assert!(share > 0.6, "only {:.1} %", share * 100.0);
    let (share, games) = score(Yokai56::new(), 6, 30, 300, fitted(&selective), fitted(&params));
    println!("Yokai 5x6, selective against plain: {:.1} % of {games} games", share * 100.0);
    assert!(share > 0.5, "only {:.1} %", share * 100.0);
}

/// What the plain search proves, the selective one finds as well, two plies later at most.
#[test]
fn a_selective_search_overlooks_no_wins() {
    let think = |line: &Line<Yokai56>, depth: u32, selective: bool| {
        let params = AlphaBetaParams { depth, selective, table: 1, ..AlphaBetaParams::default() };
        let (clock, stop) = (Instant::now(), AtomicBool::new(false));
        let mut watch = Watch { clock: &clock, stop: &stop, report: &mut |_| {} };
        AlphaBeta::new(Siege::default(), params).think(line, &Limits::default(), &mut watch).expect("a decision")
    };
    let (mut wins, mut moves) = (0, Vec::new());
    for seed in 0..400 {
        let mut rng = Rng::with_seed(seed);
        let mut line = Line::new(Yokai56::new());
        while line.ply() < 24 && matches!(line.turn(&mut moves), Turn::Decision(_)) {
            line.push(moves[rng.usize(..moves.len())]);
        }
        if !matches!(line.turn(&mut moves), Turn::Decision(_)) {
            continue;
        }
        let side = line.position().to_move();
        let win = |thought: &tengen_search::Thought<_>| matches!(thought.lead.map(|lead| lead.seen_by(side)), Some(Lead::EndIn(plies)) if plies > 0);
        if win(&think(&line, 3, false)) {
            wins += 1;
            assert!(win(&think(&line, 5, true)), "{}", line.position().write());
        }
    }
    assert!(wins > 20, "only {wins} positions to compare");
}
