//! Monte-Carlo tree search: it finds what is there, proves what can be proven, and keeps within its bounds.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tengen_core::{Line, Notation, Outcome, Position, Pov, Side, Turn};
use tengen_games::backgammon::Backgammon;
use tengen_games::connect4::Connect4;
use tengen_games::othello::Othello8;
use tengen_games::pig::Pig;
use tengen_games::tictactoe::TicTacToe;
use tengen_games::yokai::{Yokai34, Yokai56};
use tengen_search::mcts::{Bandit, Mcts, MctsParams, Parallel, RandomGames};
use tengen_search::{AlphaBeta, AlphaBetaParams, Blank, Limits, Player, Random, Thought, Watch};

fn mcts<P: Position>(params: MctsParams) -> Mcts<P, RandomGames<Blank>> {
    Mcts::new(RandomGames { count: params.playouts, longest: params.cut, heuristic: Blank }, params)
}

fn think<P: Position>(player: &mut impl Player<P>, line: &Line<P>, limits: &Limits) -> Thought<P::Move> {
    let (clock, stop) = (Instant::now(), AtomicBool::new(false));
    let mut watch = Watch { clock: &clock, stop: &stop, report: &mut |_| {} };
    player.think(line, limits, &mut watch).expect("the line stands at a decision")
}

fn read<P: Notation>(text: &str) -> Line<P> {
    Line::new(P::read(text).expect("a position"))
}

/// Every formula, and every way of using it.
fn variations() -> Vec<(&'static str, MctsParams)> {
    let base = || MctsParams { visits: 400, seed: 7, ..MctsParams::default() };
    vec![
        ("ucb1", base()),
        ("tuned1", MctsParams { bandit: Bandit::Tuned1, ..base() }),
        ("tuned2", MctsParams { bandit: Bandit::Tuned2, ..base() }),
        ("puct", MctsParams { bandit: Bandit::Puct, ..base() }),
        ("rave", MctsParams { rave: true, ..base() }),
        ("widening", MctsParams { widening: 2.0, ..base() }),
        ("gumbel", MctsParams { gumbel: 16, bandit: Bandit::Puct, ..base() }),
        ("several playouts", MctsParams { playouts: 4, ..base() }),
        ("cut playouts", MctsParams { cut: 6, ..base() }),
        ("late expansion", MctsParams { expand: 5, ..base() }),
        ("two threads, one tree", MctsParams { threads: 2, ..base() }),
        ("two threads, two trees", MctsParams { threads: 2, parallel: Parallel::Root, ..base() }),
        ("no solver", MctsParams { solver: false, ..base() }),
        ("noise", MctsParams { noise: 0.25, bandit: Bandit::Puct, ..base() }),
    ]
}

#[test]
fn every_variation_takes_the_win_and_stops_the_loss() {
    // Yellow has three on the bottom row; red must block, yellow must complete.
    let win = read::<Connect4>("414243");
    let block = read::<Connect4>("41424");
    for (name, params) in variations() {
        // With only the first moves of the list considered, the good one may be out of sight.
        if name == "widening" {
            continue;
        }
        let params = MctsParams { visits: 1000, ..params };
        let thought = think(&mut mcts(params.clone()), &win, &Limits::default());
        assert_eq!(win.position().write_move(thought.best), "4", "{name} misses the win");
        assert!(thought.value.seen_by(win.position().to_move()) > 0.5, "{name} thinks {:?}", thought.value);
        let thought = think(&mut mcts(params), &block, &Limits::default());
        assert_eq!(block.position().write_move(thought.best), "4", "{name} does not block");
    }
}

#[test]
fn every_variation_beats_random_play() {
    for (name, params) in variations() {
        let params = MctsParams { visits: 100, ..params };
        let points: f32 = (0..20).map(|seed| game(mcts(params.clone()), Random::new(seed), seed % 2 == 0)).sum();
        assert!(points >= 16.0, "{name} makes only {points} points of 20");
    }
}

/// The points that `player` makes in one game of Connect Four.
fn game(mut player: impl Player<Connect4>, mut other: impl Player<Connect4>, first: bool) -> f32 {
    let mut line = Line::new(Connect4::new());
    let me = if first { Side::First } else { Side::Second };
    let mut moves = Vec::new();
    loop {
        let best = match line.turn(&mut moves) {
            Turn::Over(outcome) => return (outcome.value_for(me) + 1.0) / 2.0,
            Turn::Decision(side) if side == me => think(&mut player, &line, &Limits::default()).best,
            _ => think(&mut other, &line, &Limits::default()).best,
        };
        line.push(best);
    }
}

#[test]
fn tictactoe_is_proven_a_draw() {
    let mut player = mcts(MctsParams { visits: 200_000, ..MctsParams::default() });
    let thought = think(&mut player, &Line::new(TicTacToe::new()), &Limits::default());
    assert_eq!(player.tree().and_then(|tree| tree.root().proven()), Some(Outcome::Draw));
    assert!(thought.nodes < 200_000, "it stops when it is proven: {}", thought.nodes);
    assert_eq!(thought.value, Pov::even());
}

/// Where there is a forced win, the solver agrees with a search of everything.
#[test]
fn proofs_are_true() {
    let mut moves = Vec::new();
    let mut proven = 0;
    for seed in 0..60 {
        let mut rng = tengen_core::Rng::with_seed(seed);
        let mut line = Line::new(Connect4::new());
        while line.ply() < 24
            && let Turn::Decision(_) = line.turn(&mut moves)
        {
            line.push(moves[rng.usize(..moves.len())]);
        }
        let Turn::Decision(_) = line.turn(&mut moves) else { continue };
        let mut player = mcts(MctsParams { visits: 50_000, ..MctsParams::default() });
        think(&mut player, &line, &Limits::default());
        if let Some(outcome) = player.tree().and_then(|tree| tree.root().proven()) {
            let params = AlphaBetaParams { depth: 42, ..AlphaBetaParams::default() };
            let exact = think(&mut AlphaBeta::new(Blank, params), &line, &Limits::default());
            assert_eq!(outcome.value(), exact.value, "{}", line.position().write());
            proven += 1;
        }
    }
    assert!(proven >= 10, "late positions are proven: {proven}");
}

#[test]
fn same_seed_same_tree() {
    for (name, params) in variations() {
        if params.threads > 1 {
            continue;
        }
        let line = Line::new(Othello8::new());
        let [one, two] = [0, 0].map(|_| think(&mut mcts(params.clone()), &line, &Limits::default()));
        assert_eq!(one, two, "{name}");
        // Games cut after six moves and judged by nobody are all drawn, whatever the seed.
        if name != "cut playouts" {
            let other = think(&mut mcts(MctsParams { seed: 8, ..params }), &line, &Limits::default());
            assert_ne!(one.candidates, other.candidates, "{name}: the seed matters");
        }
    }
}

/// Positions come back in these games: whole games between searches end, however long they think.
#[test]
fn games_that_go_round_in_circles_end() {
    fn end<P: Position>(start: P, params: &MctsParams) {
        let mut line = Line::new(start);
        let (mut player, mut moves) = (mcts(params.clone()), Vec::new());
        while !matches!(line.turn(&mut moves), Turn::Over(_)) {
            line.push(think(&mut player, &line, &Limits::default()).best);
            assert!(line.ply() < 2000, "this game does not end");
        }
    }
    for seed in 0..4 {
        let params = MctsParams { visits: 200, seed, ..MctsParams::default() };
        end(Yokai34::new(), &params);
        end(Yokai56::new(), &MctsParams { rave: true, ..params });
    }
}

#[test]
fn the_tree_is_kept() {
    let mut player = mcts(MctsParams { visits: 3000, ..MctsParams::default() });
    let mut line = Line::new(Connect4::new());
    let first = think(&mut player, &line, &Limits::default());
    line.push(first.best);
    let reply = first.pv[1];
    line.push(reply);
    think(&mut player, &line, &Limits::default());
    let visits = player.tree().map_or(0, |tree| tree.root().visits());
    assert!(visits > 3200, "{visits} visits: those of the last search are still there");
    // Another game: nothing fits, and nothing goes wrong.
    think(&mut player, &read::<Connect4>("1122"), &Limits::default());
}

#[test]
fn memory_is_bounded() {
    let params = MctsParams { visits: 200_000, memory: 2, ..MctsParams::default() };
    let mut player = mcts(params);
    let thought = think(&mut player, &Line::new(Connect4::new()), &Limits::default());
    assert_eq!(thought.nodes, 200_000);
    let bytes = player.tree().map_or(0, |tree| tree.bytes());
    assert!(bytes < 3 << 20, "{bytes} bytes");
    assert_eq!(Connect4::new().write_move(thought.best), "4", "and it still knows the centre");
}

#[test]
fn dice() {
    // First has 95 and 5 in hand: holding wins at once.
    let line = read::<Pig>("95 50 5 first");
    let thought = think(&mut mcts(MctsParams { visits: 2000, ..MctsParams::default() }), &line, &Limits::default());
    assert_eq!(line.position().write_move(thought.best), "hold");
    assert_eq!(thought.value, Pov::of(Side::First, 1.0));
    // Two points from the end with the last checkers: any search should see that it bears off.
    let mut line = Line::new(Backgammon::new());
    let mut outcomes = Vec::new();
    line.position().chance(&mut outcomes);
    line.push(outcomes[0].0);
    let thought = think(&mut mcts(MctsParams { visits: 300, ..MctsParams::default() }), &line, &Limits::default());
    assert!(thought.value.seen_by(Side::First).abs() < 0.6, "an even game: {:?}", thought.value);
}

/// Within ten milliseconds of its limit, and at once when told to stop. The machine may be busy, so the best of some tries counts.
#[test]
fn answers_in_time() {
    let line = Line::new(Othello8::new());
    let endless = MctsParams { visits: 0, threads: 2, ..MctsParams::default() };
    let late = |limits: Limits, stop_after: Option<Duration>| {
        let (clock, stop) = (Instant::now(), AtomicBool::new(false));
        std::thread::scope(|scope| {
            let teller = stop_after.map(|after| {
                let stop = &stop;
                scope.spawn(move || {
                    std::thread::sleep(after);
                    stop.store(true, Ordering::Relaxed);
                    Instant::now()
                })
            });
            let mut watch = Watch { clock: &clock, stop: &stop, report: &mut |_| {} };
            mcts(endless.clone()).think(&line, &limits, &mut watch).expect("a decision");
            let answered = Instant::now();
            let due = match teller {
                Some(teller) => teller.join().expect("the teller only sleeps"),
                None => clock + limits.time.unwrap_or_default(),
            };
            answered.saturating_duration_since(due)
        })
    };
    let limits = Limits { time: Some(Duration::from_millis(50)), ..Limits::default() };
    let best = (0..8).map(|_| late(limits, None)).min().unwrap_or_default();
    assert!(best < Duration::from_millis(10), "{best:?} after the limit");
    let best = (0..8).map(|_| late(Limits::default(), Some(Duration::from_millis(30)))).min().unwrap_or_default();
    assert!(best < Duration::from_millis(10), "{best:?} after being told to stop");
}
