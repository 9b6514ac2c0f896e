//! What is recorded is what the searches do, and the page that shows it is safe and whole.

use std::sync::atomic::AtomicBool;
use std::time::Instant;
use tengen_core::{Line, Notation, Picture, Side};
use tengen_explain::{Algorithm, Event, ExplainError, Kind, Request, Trace, page, record};
use tengen_games::pig::Pig;
use tengen_games::tictactoe::TicTacToe;
use tengen_search::mcts::{Mcts, MctsParams, RandomGames};
use tengen_search::{
    Blank, DepthFirst, Heuristic, Leaves, Limits, Literal, Player, Stopper, Uniform, Watch, expectimax, expectiminimax,
    minimax,
};

const COURSE: &str = "((3 12 8) (2 4 6) (14 5 2))";

const DETERMINISTIC: [Algorithm; 3] = [Algorithm::Minimax, Algorithm::Negamax, Algorithm::AlphaBeta];

static NEVER: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);

fn on_tree(text: &str, algorithm: Algorithm) -> Result<Trace, ExplainError> {
    let tree = Literal::read(text).expect(text);
    let mut leaves = Leaves::of(&tree);
    let request = Request { depth: Some(100), ..Request::new(algorithm, "tree", "A written tree") };
    record(&Line::new(tree), &mut leaves, &request, &NEVER)
}

fn on_game<P: Notation + Picture>(text: &str, request: &Request) -> Result<Trace, ExplainError> {
    record(&Line::new(P::read(text).expect(text)), &mut Blank, request, &NEVER)
}

/// The value for Max (for the side to move in expectimax) by the plainest search that there is.
fn plain<P: Notation, H: Heuristic<P>>(text: &str, heuristic: &mut H, algorithm: Algorithm, depth: u32) -> f32 {
    let mut line = Line::new(P::read(text).expect(text));
    let me = line.position().to_move();
    let (clock, stop) = (Instant::now(), AtomicBool::new(false));
    let mut search = DepthFirst::new(heuristic, &line, Stopper::new(&Limits::default(), 0, &clock, &stop));
    match algorithm {
        Algorithm::Expectimax => expectimax(&mut search, &mut line, depth, 0, me, &mut Uniform),
        Algorithm::Expectiminimax => expectiminimax(&mut search, &mut line, depth, 0),
        _ => minimax(&mut search, &mut line, depth, 0) as f32,
    }
}

/// Every node is left as often as it is entered, inside the node that it hangs from; the first one last, with the
/// trace's value.
fn is_well_nested(trace: &Trace) {
    let mut open: Vec<u32> = Vec::new();
    let mut left = 0;
    for event in &trace.events {
        match event {
            Event::Enter { node, .. } => {
                assert_eq!(trace.nodes[*node as usize].parent, open.last().copied());
                open.push(*node);
            }
            Event::Improve { node, .. } | Event::Prune { node, .. } => assert_eq!(open.last(), Some(node)),
            Event::Leave { node, value } => {
                assert_eq!(open.pop(), Some(*node));
                left += 1;
                if open.is_empty() {
                    assert_eq!((*node, *value), (0, trace.value));
                }
            }
            other => panic!("{other:?} is none of a depth-first search's"),
        }
    }
    let entered = trace.events.iter().filter(|event| matches!(event, Event::Enter { .. })).count();
    assert_eq!((entered, open.len()), (left, 0));
    let own = trace.counts.iter().find(|count| count.name == trace.algorithm.name()).expect("its own count");
    assert_eq!(own.nodes, entered as u64);
    for (id, node) in trace.nodes.iter().enumerate() {
        assert!(node.parent.map_or(id == 0, |parent| (parent as usize) < id));
    }
}

fn unseen(trace: &Trace) -> Vec<f32> {
    let cut = trace.events.iter().filter_map(|event| match event {
        Event::Prune { unseen, .. } => Some(unseen),
        _ => None,
    });
    cut.flatten().filter_map(|&id| trace.nodes[id as usize].value).collect()
}

#[test]
fn the_course_tree_loses_two_leaves() {
    let trace = on_tree(COURSE, Algorithm::AlphaBeta).expect("a trace");
    assert_eq!((trace.value, trace.best.as_deref()), (3.0, Some("1")));
    assert_eq!(unseen(&trace), [4.0, 6.0]);
    assert_eq!(trace.counts.iter().map(|count| count.nodes).collect::<Vec<_>>(), [13, 11]);
    assert_eq!(trace.nodes.len(), 13);
    // Windows are Max's at Min's nodes too.
    let windows: Vec<_> = trace
        .events
        .iter()
        .filter_map(|event| match event {
            Event::Prune { window, .. } => *window,
            _ => None,
        })
        .collect();
    assert_eq!(windows, [[Some(3.0), Some(2.0)]]);
    is_well_nested(&trace);
}

#[test]
fn trees_have_the_value_of_the_plain_search() {
    for text in [COURSE, "(1 (2 (3 (4 5) -6) 7) -8)", "((((1 2) (3 4)) ((5 6) (7 8))) (((9 1) 2) 3))", "(-5 (-7 -3))"] {
        let mut leaves = Leaves::of(&Literal::read(text).expect(text));
        for algorithm in DETERMINISTIC {
            let trace = on_tree(text, algorithm).expect(text);
            assert_eq!(trace.value, plain::<Literal, _>(text, &mut leaves, algorithm, 100), "{algorithm:?} {text}");
            is_well_nested(&trace);
        }
    }
    for text in [COURSE, "({0.5:(3 4) 0.5:7} ({0.25:1 0.75:9} 5))", "{0.1:3 0.9:(1 {0.5:2 0.5:-4})}"] {
        let mut leaves = Leaves::of(&Literal::read(text).expect(text));
        for algorithm in [Algorithm::Expectimax, Algorithm::Expectiminimax] {
            let trace = on_tree(text, algorithm).expect(text);
            assert_eq!(trace.value, plain::<Literal, _>(text, &mut leaves, algorithm, 100), "{algorithm:?} {text}");
            is_well_nested(&trace);
        }
    }
}

#[test]
fn games_have_the_value_of_the_plain_search() {
    // X to move, O to move, and O to move with a win for X on the way.
    for text in [".../.../...", "X../.../...", "X.O/.X./..O", "XO./.X./..."] {
        for algorithm in [Algorithm::Minimax, Algorithm::AlphaBeta, Algorithm::Negamax, Algorithm::Expectimax] {
            let request = Request { depth: Some(3), ..Request::new(algorithm, "tictactoe", "Tic-tac-toe") };
            let trace = on_game::<TicTacToe>(text, &request).expect(text);
            let wanted = plain::<TicTacToe, _>(text, &mut Blank, algorithm, 3);
            let turned = algorithm == Algorithm::Negamax && trace.side == Side::Second;
            assert_eq!(trace.value, if turned { -wanted } else { wanted }, "{algorithm:?} {text}");
            is_well_nested(&trace);
        }
    }
    let request = Request { depth: Some(3), ..Request::new(Algorithm::Expectiminimax, "pig", "Pig") };
    for text in ["94 96 4 first", "96 94 4 second", "50 50 0 first rolling"] {
        let trace = on_game::<Pig>(text, &request).expect(text);
        assert_eq!(trace.value, plain::<Pig, _>(text, &mut Blank, Algorithm::Expectiminimax, 3), "{text}");
        is_well_nested(&trace);
    }
}

#[test]
fn probabilities_below_a_roll_sum_to_one() {
    let request = Request { depth: Some(2), ..Request::new(Algorithm::Expectiminimax, "pig", "Pig") };
    let trace = on_game::<Pig>("94 96 4 first", &request).expect("a trace");
    let rolls: Vec<_> = (0..).zip(&trace.nodes).filter(|(_, node)| node.kind == Kind::Chance).collect();
    assert_eq!(rolls.len(), 1);
    for (id, _) in rolls {
        let below = trace.nodes.iter().filter(|node| node.parent == Some(id));
        let sum: f32 = below.map(|node| node.probability.expect("the odds of a roll")).sum();
        assert!((sum - 1.0).abs() < 1e-5);
    }
}

/// The visits and the sum of values for First of every node, as the page counts them.
fn tally(trace: &Trace, events: usize) -> Vec<(f64, f64)> {
    let mut tally = vec![(0.0, 0.0); trace.nodes.len()];
    for event in &trace.events[..events] {
        if let Event::Backup { node, value } = event {
            let mut at = Some(*node);
            while let Some(id) = at {
                tally[id as usize].0 += 1.0;
                tally[id as usize].1 += f64::from(*value);
                at = trace.nodes[id as usize].parent;
            }
        }
    }
    tally
}

#[test]
fn mcts_grows_the_player_s_tree() {
    let (visits, seed) = (200, 7);
    for text in [".../.../...", "X.O/.O./..X", "X../.../..."] {
        let request = Request { visits, seed, ..Request::new(Algorithm::Mcts, "tictactoe", "Tic-tac-toe") };
        let trace = on_game::<TicTacToe>(text, &request).expect(text);
        let params = MctsParams { visits: visits.into(), seed, solver: false, ..MctsParams::default() };
        let rollout = RandomGames { count: 1, longest: params.cut, heuristic: Blank };
        let line = Line::new(TicTacToe::read(text).expect(text));
        let (clock, stop) = (Instant::now(), AtomicBool::new(false));
        let mut watch = Watch { clock: &clock, stop: &stop, report: &mut |_| {} };
        let thought = Mcts::new(rollout, params).think(&line, &Limits::default(), &mut watch).expect("a thought");
        let tally = tally(&trace, trace.events.len());
        assert_eq!(tally[0].0, f64::from(visits));
        assert_eq!(trace.best, Some(line.position().write_move(thought.best)));
        for candidate in &thought.candidates {
            let mv = line.position().write_move(candidate.mv);
            let node = trace.nodes.iter().position(|node| node.parent == Some(0) && node.mv.as_ref() == Some(&mv));
            let counted = node.map_or(0.0, |node| tally[node].0);
            assert_eq!(counted, candidate.visits as f64, "{mv} in {text}");
        }
    }
}

#[test]
fn the_formula_on_the_page_is_the_one_that_chose() {
    let request = Request { visits: 150, seed: 3, ..Request::new(Algorithm::Mcts, "tictactoe", "Tic-tac-toe") };
    let trace = on_game::<TicTacToe>("X.O/.O./..X", &request).expect("a trace");
    let c = f64::from(trace.bandit.expect("a formula").exploration);
    let mut compared = 0;
    for (index, event) in trace.events.iter().enumerate() {
        let Event::Select { node, to } = event else { continue };
        let tally = tally(&trace, index);
        let children: Vec<u32> =
            (0..).zip(&trace.nodes).filter(|(_, child)| child.parent == Some(*node)).map(|(id, _)| id).collect();
        let tried = children.iter().filter(|&&child| tally[child as usize].0 > 0.0).count();
        let here = &trace.nodes[*node as usize];
        // An end that a simulation met before needs no formula.
        let known = |child: u32| {
            trace.events[..index].iter().any(|event| matches!(event, Event::Known { node, .. } if *node == child))
        };
        if children.iter().any(|&child| known(child)) {
            continue;
        }
        if tried < here.moves.len() {
            assert_eq!(tally[*to as usize].0, 0.0, "untried moves come first");
            continue;
        }
        let urgency = |child: u32| {
            let (n, sum) = tally[child as usize];
            let share = (sum / n + 1.0) / 2.0;
            let p = if here.side == Side::First { share } else { 1.0 - share };
            p + c * (tally[*node as usize].0.max(1.0).ln() / n).sqrt()
        };
        let best = children.iter().map(|&child| urgency(child)).fold(f64::MIN, f64::max);
        assert!(urgency(*to) > best - 1e-5, "{} instead of {best}", urgency(*to));
        compared += 1;
    }
    assert!(compared > 50, "{compared}");
}

#[test]
fn refuses_what_no_page_can_show() {
    let complaint = |trace: Result<Trace, ExplainError>| trace.expect_err("no trace").to_string();
    assert!(complaint(on_tree("({0.5:3 0.5:4} 2)", Algorithm::Minimax)).contains("expectiminimax"));
    assert!(complaint(on_tree("({0.5:3 0.5:4} 2)", Algorithm::AlphaBeta)).contains("expectiminimax"));
    assert!(complaint(on_tree("7", Algorithm::Minimax)).contains("over"));
    let request = Request { depth: Some(9), ..Request::new(Algorithm::Minimax, "tictactoe", "Tic-tac-toe") };
    assert!(complaint(on_game::<TicTacToe>(".../.../...", &request)).contains("--depth 4 fits"));
    let request = Request { depth: Some(4), ..request };
    assert!(on_game::<TicTacToe>(".../.../...", &request).is_ok());
    let request = Request { visits: 1001, ..Request::new(Algorithm::Mcts, "tictactoe", "Tic-tac-toe") };
    assert!(complaint(on_game::<TicTacToe>(".../.../...", &request)).contains("--visits 1000 fits"));
    assert!(Algorithm::read("alpabeta").expect_err("no name").to_string().contains("`alphabeta`"));
    for algorithm in Algorithm::ALL {
        assert_eq!(Algorithm::read(algorithm.name()), Ok(algorithm));
    }
}

#[test]
fn the_page_needs_nothing_from_outside() {
    for algorithm in Algorithm::ALL {
        let html = page(&on_tree(COURSE, algorithm).expect("a trace"));
        // The one address is a name: that of SVG.
        let addresses = html.replace("http://www.w3.org/2000/svg", "");
        for outside in ["http://", "https://", "//cdn", "@import", "src=", "{{", "}}\""] {
            assert!(!addresses.contains(outside), "{outside} in {algorithm:?}");
        }
        assert!(html.contains(COURSE) && html.len() < 300_000);
    }
}

#[test]
fn the_page_escapes_what_people_write() {
    let nasty = "</script><script>alert(1)</script>{{script}}<!--&";
    let trace = Trace {
        title: nasty.to_owned(),
        position: nasty.to_owned(),
        ..on_tree(COURSE, Algorithm::Minimax).expect("a trace")
    };
    let html = page(&trace);
    assert_eq!(html.matches("alert(1)").count(), 3, "the title of the page, that of the trace, the position");
    assert_eq!(html.matches("<script").count(), 2);
    assert_eq!(html.matches("</script>").count(), 2);
    assert!(!html.contains("<!--&") && !html.contains("<script>alert"));
    // What the browser reads is what was written.
    let data = html.split_once("id=\"trace\">").and_then(|(_, rest)| rest.split_once("</script>")).expect("data").0;
    let read: serde_json::Value = serde_json::from_str(data).expect("JSON");
    assert_eq!(read["title"], nasty);
    assert_eq!(read["nodes"].as_array().map(Vec::len), Some(13));
}
