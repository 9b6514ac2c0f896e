//! Every clever search finds what the plain one finds: on random positions of every game, on random written
//! trees, and with fewer nodes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Instant;
use tengen_core::{Line, Notation, Position, Rng, Score, Side, Turn, Value, mix, sample};
use tengen_games::chess::{Atomic, Chess, Crazyhouse};
use tengen_games::connect4::Connect4;
use tengen_games::go::{Go9, Rules};
use tengen_games::othello::{Othello6, Othello8};
use tengen_games::tictactoe::TicTacToe;
use tengen_games::yokai::{Move, Yokai34, Yokai56};
use tengen_search::judge::{Court, Static};
use tengen_search::mcts::{Judged, Mcts, MctsParams, Puct, PuctParams};
use tengen_search::{
    AlphaBeta, AlphaBetaParams, DepthFirst, DepthParams, Heuristic, Leaves, Limits, Literal, Minimax, Player, Star,
    Stopper, Uniform, Watch, Window, alphabeta, expectimax, expectiminimax, minimax, negamax, pvs, star,
};

/// An opinion about every position that no search could guess: the key, shaken.
#[derive(Clone, Copy, Default)]
struct Whim;

impl<P: Position> Heuristic<P> for Whim {
    fn score(&mut self, line: &Line<P>) -> Score {
        (mix(line.position().key()) % 401) as Score - 200
    }
}

/// A random line of the game that is not over.
fn random_line<P: Position>(start: &P, rng: &mut Rng, longest: usize) -> Line<P> {
    let mut line = Line::new(start.clone());
    let (mut moves, mut outcomes) = (Vec::new(), Vec::new());
    for _ in 0..rng.usize(..=longest) {
        match line.turn(&mut moves) {
            Turn::Decision(_) => line.push(moves[rng.usize(..moves.len())]),
            Turn::Chance => {
                line.position().chance(&mut outcomes);
                let roll = sample(&outcomes, rng);
                line.push(roll);
            }
            Turn::Over(_) => break,
        }
    }
    while matches!(line.turn(&mut moves), Turn::Over(_)) {
        line.pop();
    }
    line
}

/// Runs one depth-first search and says what it found and how many nodes it took.
fn search<P: Position, H: Heuristic<P>, T>(
    heuristic: &mut H,
    line: &Line<P>,
    run: impl FnOnce(&mut DepthFirst<'_, P, H>, &mut Line<P>) -> T,
) -> (T, u64) {
    let (clock, stop) = (Instant::now(), AtomicBool::new(false));
    let mut search = DepthFirst::new(heuristic, line, Stopper::new(&Limits::default(), 0, &clock, &stop));
    let found = run(&mut search, &mut line.clone());
    (found, search.stopper.nodes())
}

/// What the full player makes of a position, as a value for the side to move.
fn player_value<P: Position>(line: &Line<P>, depth: u32) -> Value {
    let params = AlphaBetaParams { depth, table: 1, deeper: false, quiescence: 0, ..AlphaBetaParams::default() };
    let (clock, stop) = (Instant::now(), AtomicBool::new(false));
    let mut watch = Watch { clock: &clock, stop: &stop, report: &mut |_| {} };
    let thought = AlphaBeta::new(Whim, params).think(line, &Limits::default(), &mut watch);
    thought.expect("the line stands at a decision").value.seen_by(line.position().to_move())
}

/// All searches on random positions of a game without dice.
fn check<P: Position + Notation>(start: P, depth: u32, positions: u64, longest: usize) {
    let (mut plain, mut pruned) = (0, 0);
    for seed in 0..positions {
        let line = random_line(&start, &mut Rng::with_seed(seed), longest);
        let text = line.position().write();
        let side = line.position().to_move();
        let (for_max, nodes) = search(&mut Whim, &line, |search, line| minimax(search, line, depth, 0));
        let expected = if side == Side::First { for_max } else { -for_max };
        plain += nodes;
        let (score, _) = search(&mut Whim, &line, |search, line| negamax(search, line, depth, 0));
        assert_eq!(score, expected, "negamax: {text}");
        let (score, nodes) = search(&mut Whim, &line, |search, line| alphabeta(search, line, depth, 0, Window::FULL));
        assert_eq!(score, expected, "alphabeta: {text}");
        pruned += nodes;
        let (score, _) = search(&mut Whim, &line, |search, line| pvs(search, line, depth, 0, Window::FULL));
        assert_eq!(score, expected, "pvs: {text}");
        let value = Heuristic::<P>::value(&Whim, expected);
        assert_eq!(player_value(&line, depth), value, "the alphabeta player: {text}");
        let (for_max, _) = search(&mut Whim, &line, |search, line| expectiminimax(search, line, depth, 0));
        let found = if side == Side::First { for_max } else { -for_max };
        assert!((found - value).abs() < 1e-4, "expectiminimax says {found}, minimax {value}: {text}");
    }
    assert!(pruned < plain, "alpha-beta prunes: {pruned} of {plain}");
}

#[test]
fn tictactoe() {
    check(TicTacToe::new(), 6, 60, 8);
}

#[test]
fn connect4() {
    check(Connect4::new(), 5, 60, 35);
}

#[test]
fn othello() {
    check(Othello8::new(), 4, 40, 58);
    check(Othello6::new(), 4, 40, 31);
}

#[test]
fn yokai() {
    check(Yokai34::new(), 4, 60, 30);
    check(Yokai56::new(), 3, 30, 40);
}

#[test]
fn chess() {
    check(Chess::new(), 2, 20, 60);
    check(Crazyhouse::new(), 2, 10, 60);
    check(Atomic::new(), 2, 10, 20);
}

#[test]
fn go() {
    let start = |size| Go9::new(size, Rules::Chinese, None).expect("a size of this type");
    check(start(3), 3, 40, 12);
    check(start(5), 2, 20, 30);
}

/// All windows keep the promise of fail-soft: a bound on the right side outside, exact inside.
#[test]
fn fail_soft() {
    for seed in 0..200 {
        let mut rng = Rng::with_seed(seed);
        let line = random_line(&Connect4::new(), &mut rng, 30);
        let (exact, _) = search(&mut Whim, &line, |search, line| negamax(search, line, 4, 0));
        let alpha = rng.i32(-250..250);
        let window = Window { alpha, beta: alpha + rng.i32(1..100) };
        for run in [alphabeta, pvs] {
            let (score, _) = search(&mut Whim, &line, |search, line| run(search, line, 4, 0, window));
            if score <= window.alpha {
                assert!(exact <= score);
            } else if score >= window.beta {
                assert!(exact >= score);
            } else {
                assert_eq!(exact, score);
            }
        }
    }
}

/// A random written tree, with dice or without.
fn random_tree(rng: &mut Rng, depth: u32, dice: bool) -> String {
    if depth == 0 || rng.u8(..8) == 0 {
        return rng.i32(-50..=50).to_string();
    }
    let branches = rng.usize(1..=4);
    if dice && rng.bool() {
        let weights: Vec<u32> = (0..branches).map(|_| rng.u32(1..=9)).collect();
        let sum: u32 = weights.iter().sum();
        let parts = weights
            .iter()
            .map(|&weight| format!("{}:{}", weight as f32 / sum as f32, random_tree(rng, depth - 1, dice)));
        return format!("{{{}}}", parts.collect::<Vec<_>>().join(" "));
    }
    let parts: Vec<String> = (0..branches).map(|_| random_tree(rng, depth - 1, dice)).collect();
    format!("({})", parts.join(" "))
}

#[test]
fn written_trees_without_dice() {
    for seed in 0..300 {
        let text = random_tree(&mut Rng::with_seed(seed), 6, false);
        let tree = Literal::read(&text).expect("a tree");
        let (mut judge, line) = (Leaves::of(&tree), Line::new(tree));
        let (plain, _) = search(&mut judge, &line, |search, line| minimax(search, line, 99, 0));
        let (score, _) = search(&mut judge, &line, |search, line| alphabeta(search, line, 99, 0, Window::FULL));
        assert_eq!(score, plain, "alphabeta on {text}");
        let (score, _) = search(&mut judge, &line, |search, line| pvs(search, line, 99, 0, Window::FULL));
        assert_eq!(score, plain, "pvs on {text}");
        let (score, _) = search(&mut judge, &line, |search, line| negamax(search, line, 99, 0));
        assert_eq!(score, plain, "negamax on {text}");
    }
}

#[test]
fn written_trees_with_dice() {
    let mut counts = [0; 3];
    for seed in 0..400 {
        let text = random_tree(&mut Rng::with_seed(seed), 7, true);
        let tree = Literal::read(&text).expect("a tree");
        let (mut judge, line) = (Leaves::of(&tree), Line::new(tree));
        let (plain, nodes) = search(&mut judge, &line, |search, line| expectiminimax(search, line, 99, 0));
        counts[0] += nodes;
        for (index, pruning) in [(1, Star::One), (2, Star::Two)] {
            let (value, nodes) = search(&mut judge, &line, |search, line| star(search, line, 99, 0, pruning));
            counts[index] += nodes;
            assert!((value - plain).abs() < 1e-2, "{pruning:?} says {value}, not {plain}, on {text}");
        }
    }
    assert!(counts[1] < counts[0], "Star1 prunes: {counts:?}");
}

/// The course's tree, with the leaves that alpha-beta never looks at.
#[test]
fn the_course_tree() {
    let tree = Literal::read("((3 12 8) (2 4 6) (14 5 2))").expect("a tree");
    let (mut judge, line) = (Leaves::of(&tree), Line::new(tree));
    assert_eq!(search(&mut judge, &line, |search, line| minimax(search, line, 99, 0)), (3, 13));
    let pruned = search(&mut judge, &line, |search, line| alphabeta(search, line, 99, 0, Window::FULL));
    assert_eq!(pruned, (3, 11), "two leaves, 4 and 6, are left out");
}

/// A uniform tree of branching `b` and depth `m` whose first branch is always the best: the fewest leaves alpha-beta
/// can look at are b^⌈m/2⌉ + b^⌊m/2⌋ − 1 (Knuth & Moore 1975); the worst ordering looks at all b^m.
#[test]
fn good_ordering_approaches_the_square_root() {
    let (b, m) = (4u64, 6u32);
    // Leaves numbered so that at every Max node values fall, and at every Min node they rise, from left to right.
    fn numbered(b: u64, m: u32, low: i64, high: i64, max: bool, good: bool) -> String {
        if m == 0 {
            return ((low + high) / 2).to_string();
        }
        let step = (high - low) / b as i64;
        let part = |index: u64| {
            let at = low + step * index as i64;
            numbered(b, m - 1, at, at + step, !max, good)
        };
        let mut parts: Vec<String> = (0..b).map(part).collect();
        // Intervals rise from left to right: Max wants the last first.
        if max == good {
            parts.reverse();
        }
        format!("({})", parts.join(" "))
    }
    let leaves = |good: bool| {
        let tree = Literal::read(&numbered(b, m, -90_000, 90_000, true, good)).expect("a tree");
        let (mut judge, line) = (Leaves::of(&tree), Line::new(tree));
        let inner: u64 = (0..m).map(|level| b.pow(level)).sum();
        let (plain, all) = search(&mut judge, &line, |search, line| minimax(search, line, 99, 0));
        assert_eq!(all, inner + b.pow(m), "minimax looks at everything");
        let mut counted = CountLeaves(judge, 0);
        let (value, _) = search(&mut counted, &line, |search, line| alphabeta(search, line, 99, 0, Window::FULL));
        assert_eq!(value, plain);
        counted.1
    };
    let least = b.pow(m.div_ceil(2)) + b.pow(m / 2) - 1;
    assert_eq!(leaves(true), least, "the best ordering looks at the least there is: {least} of {}", b.pow(m));
    assert!(leaves(false) > 4 * least, "a bad one at far more");
}

/// Counts the leaves it is asked about.
struct CountLeaves(Leaves, u64);

impl Heuristic<Literal> for CountLeaves {
    fn score(&mut self, line: &Line<Literal>) -> Score {
        self.0.score(line)
    }
    fn over(&mut self, line: &Line<Literal>, outcome: tengen_core::Outcome, side: Side, ply: u32) -> Score {
        self.1 += 1;
        self.0.over(line, outcome, side, ply)
    }
}

/// A heuristic with a picture of its own: the keys of the positions since the search began, told by `begin`, `pushed` and `popped`. It looks at no
/// line but to see that the picture is true.
#[derive(Clone, Default)]
struct Follower {
    keys: Vec<u64>,
}

/// How often a follower was told of a pass.
static PASSES: AtomicU32 = AtomicU32::new(0);

impl Follower {
    fn check<P: Position>(&self, line: &Line<P>) {
        assert_eq!(self.keys.last(), Some(&line.position().key()), "the picture is of another position");
    }
}

impl Heuristic<Yokai56> for Follower {
    fn begin(&mut self, line: &Line<Yokai56>) {
        self.keys = vec![line.position().key()];
    }

    fn pushed(&mut self, before: &Yokai56, mv: Option<Move>, after: &Yokai56) {
        assert_eq!(self.keys.last(), Some(&before.key()));
        let next = match mv {
            Some(mv) => {
                let mut next = *before;
                next.play(mv);
                next
            }
            None => before.passed(),
        };
        PASSES.fetch_add(u32::from(mv.is_none()), Ordering::Relaxed);
        assert_eq!(next.key(), after.key());
        self.keys.push(after.key());
    }

    fn popped(&mut self) {
        self.keys.pop().expect("something was pushed");
    }

    fn score(&mut self, line: &Line<Yokai56>) -> Score {
        self.check(line);
        Whim.score(line)
    }

    fn unquiet(&mut self, line: &Line<Yokai56>, moves: &mut Vec<Move>) {
        self.check(line);
        moves.truncate(2);
    }

    fn passed(&mut self, line: &Line<Yokai56>) -> Option<Yokai56> {
        self.check(line);
        Some(line.position().passed())
    }
}

/// All searches tell the heuristic where they go, passes and beyond the depth limit included.
#[test]
fn a_heuristic_may_follow_the_search() {
    let (clock, stop) = (Instant::now(), AtomicBool::new(false));
    for seed in 0..6 {
        let line = random_line(&Yokai56::new(), &mut Rng::with_seed(seed), 20);
        let mut follower = Follower::default();
        let (plain, _) = search(&mut Whim, &line, |search, line| minimax(search, line, 2, 0));
        assert_eq!(search(&mut follower, &line, |search, line| minimax(search, line, 2, 0)).0, plain);
        search(&mut follower, &line, |search, line| negamax(search, line, 2, 0));
        search(&mut follower, &line, |search, line| alphabeta(search, line, 3, 0, Window::FULL));
        search(&mut follower, &line, |search, line| pvs(search, line, 3, 0, Window::FULL));
        search(&mut follower, &line, |search, line| star(search, line, 2, 0, Star::Two));
        let me = line.position().to_move();
        search(&mut follower, &line, |search, line| expectimax(search, line, 2, 0, me, &mut Uniform));
        assert_eq!(follower.keys.len(), 1, "what was pushed was popped");

        let mut watch = Watch { clock: &clock, stop: &stop, report: &mut |_| {} };
        let params = AlphaBetaParams { depth: 5, nodes: 20_000, table: 1, selective: true, ..Default::default() };
        AlphaBeta::new(follower.clone(), params).think(&line, &Limits::default(), &mut watch).expect("a thought");
        let shallow = DepthParams { depth: 2, ..DepthParams::default() };
        Minimax::new(follower.clone(), shallow).think(&line, &Limits::default(), &mut watch).expect("a thought");
        // A tree's leaves lie anywhere: each is a beginning of its own.
        let params = MctsParams { visits: 200, ..MctsParams::default() };
        Mcts::new(Judged(follower.clone()), params).think(&line, &Limits::default(), &mut watch).expect("a thought");
        let court = Arc::new(Court::new(Static::new(follower, Some(1.0)), 1));
        let params = PuctParams { visits: 100, ..PuctParams::default() };
        Puct::new(court, params).think(&line, &Limits::default(), &mut watch).expect("a thought");
    }
    assert!(PASSES.load(Ordering::Relaxed) > 0, "there were passes among all that");
}

/// However early it is stopped, alpha-beta has an answer: its best so far, or any legal move.
#[test]
fn an_answer_after_any_number_of_nodes() {
    let (clock, stop) = (Instant::now(), AtomicBool::new(false));
    for nodes in 1..60 {
        let mut watch = Watch { clock: &clock, stop: &stop, report: &mut |_| {} };
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let line = Line::new(Chess::new());
        let thought = AlphaBeta::new(Whim, AlphaBetaParams::default()).think(&line, &limits, &mut watch);
        let mut moves = Vec::new();
        line.turn(&mut moves);
        assert!(moves.contains(&thought.expect("a decision").best), "after {nodes} nodes");
    }
}
