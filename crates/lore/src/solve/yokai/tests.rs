//! The analysis against the rules, against itself, and the shipped strategy in ten thousands of games.

use super::retrograde::go_back;
use super::*;
use crate::evaluate::Safety;
use crate::solve::{Exact, Leash, Solve, Unsolved, Verdict};
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use tengen_core::{Line, Notation, Outcome, Position, Rng, Side, Symmetry, Turn};
use tengen_games::yokai::Yokai34;
use tengen_search::{AlphaBeta, AlphaBetaParams, Limits, Player, Random, Watch};

/// Positions of random games, with their moves.
fn wander(games: u64, mut each: impl FnMut(&Yokai34, &[tengen_games::yokai::Move])) {
    let mut moves = Vec::new();
    for seed in 0..games {
        let mut rng = Rng::with_seed(seed);
        let mut line = Line::new(Yokai34::new());
        while let Turn::Decision(_) = line.turn(&mut moves) {
            each(line.position(), &moves);
            line.push(moves[rng.usize(..moves.len())]);
        }
    }
}

#[test]
fn numbers_lead_back_to_positions() {
    for number in (0..All.size()).step_by(20_011) {
        let position = All.position(number);
        assert!(position.is_complete(), "{position:?}");
        assert_eq!(All.number(&position), Some(number), "{position:?}");
        let read = Yokai34::read(&position.text()).expect("it is a position");
        assert_eq!(Placement::of(&read), Some(position), "{}", position.text());
        let mirrored = All.number(&position.mirrored());
        assert_eq!(mirrored == Some(number), All.fold(&position) != Fold::Alone || position == position.mirrored());
    }
    wander(300, |position, _| {
        let placement = Placement::of(position).expect("nobody is taken");
        assert_eq!(Placement::of(&position.transformed(1)), Some(placement.mirrored()));
        if let Some(number) = All.number(&placement) {
            let found = All.position(number);
            assert!(found == placement || found == placement.mirrored(), "{}", position.write());
        }
    });
}

/// What one look says is what the rules say, and successors are the moves after which nobody wins at once.
#[test]
fn one_look_agrees_with_the_rules() {
    wander(500, |position, moves| {
        let placement = Placement::of(position).expect("nobody is taken");
        let mut won_at_once = false;
        let mut safe = Vec::new();
        for &mv in moves {
            let mut next = *position;
            next.play(mv);
            let mut replies = Vec::new();
            match next.turn(&mut replies) {
                Turn::Over(_) => won_at_once = true,
                _ => {
                    let taken = replies.iter().any(|&reply| {
                        let mut after = next;
                        after.play(reply);
                        after.captor().is_some()
                    });
                    if !taken {
                        safe.extend(Placement::of(&next));
                    }
                }
            }
        }
        match placement.standing::<true>() {
            Standing::Capture | Standing::Goal => assert!(won_at_once, "{}", position.write()),
            Standing::Stuck => panic!("there are moves in {}", position.write()),
            Standing::Open(count) => {
                let mut found = Vec::new();
                placement.successors::<true>(|next| found.push(next));
                found.sort_unstable();
                safe.sort_unstable();
                assert_eq!(found, safe, "{}", position.write());
                assert_eq!(usize::from(count), safe.len());
                assert!(!won_at_once, "{}", position.write());
            }
        }
    });
}

/// Going back is going forward, read from the other end: as many moves lead from here to there as lead back.
#[test]
fn back_is_forward_reversed() {
    let mut rng = Rng::with_seed(7);
    let mut checked = 0;
    while checked < 3_000 {
        let number = rng.usize(..All.size());
        let position = All.position(number);
        let Standing::Open(_) = position.standing::<true>() else { continue };
        let mut after = Vec::new();
        position.successors::<true>(|next| after.extend(All.number(&next)));
        for &there in &after {
            let forward = after.iter().filter(|&&other| other == there).count();
            let mut back = 0;
            go_back(&All, there, |before| back += usize::from(before == number));
            assert_eq!(forward, back, "from {position:?} to {:?}", All.position(there));
        }
        checked += 1;
    }
}

/// The value of a position is the best of those its moves lead to.
fn minimax_holds<S: Space>(analysis: &Retrograde<S>, numbers: impl Iterator<Item = usize>) {
    for number in numbers {
        let holds = holds(analysis.space(), number, |number| Ok(analysis.cell(number)));
        assert_eq!(holds, Ok(true), "{:?}", analysis.space().position(number));
    }
}

/// Without drops the game is small and a draw; and an analysis can be taken up between any two passes.
#[test]
fn without_drops() {
    let space = WithoutDrops::new();
    // The published count of positions, a position and its mirror image being one.
    assert_eq!(space.size(), 797_658);
    let mut analysis = Retrograde::begin(space, 2, &|_, _| {});
    for _ in 0..5 {
        assert!(analysis.pass(2, &|_, _| {}));
    }
    let mut cells = vec![0; analysis.size()];
    assert_eq!(analysis.cells(0, &mut cells), cells.len());
    let space = analysis.space().clone();
    assert!(Retrograde::resume(space.clone(), cells[1..].to_vec(), 5).is_none());
    let mut analysis = Retrograde::resume(space, cells, analysis.ply()).expect("all of it is there");
    while analysis.pass(2, &|done, total| assert!(done <= total)) {}
    let start = analysis.space().number(&Placement::start()).expect("it is the first");
    assert_eq!(analysis.cell(start).exact().verdict, Verdict::Draw);
    minimax_holds(&analysis, 0..analysis.size());
}

/// Everything about the game with drops: ten minutes and 300 MB, so only when asked for. `tengen solve yokai34 --check` does as much.
#[test]
#[ignore = "takes minutes"]
fn with_drops() {
    let mut analysis = Retrograde::begin(All, 2, &|_, _| {});
    while analysis.pass(2, &|_, _| {}) {}
    let mut rng = Rng::with_seed(1);
    let numbers: Vec<usize> = (0..1_000_000).map(|_| rng.usize(..All.size())).collect();
    minimax_holds(&analysis, numbers.into_iter());
    let strategy = Strategy::build(|number| Ok(analysis.cell(number))).expect("the start is lost");
    assert_eq!(strategy, Strategy::shipped());
}

/// A game in which the strategist plays `side`; how it ended, and after how many plies.
fn game(
    strategist: &mut dyn Player<Yokai34>,
    side: Side,
    mut other: impl FnMut(&Line<Yokai34>, &[tengen_games::yokai::Move]) -> tengen_games::yokai::Move,
) -> (Outcome, usize) {
    let mut line = Line::new(Yokai34::new());
    let mut moves = Vec::new();
    loop {
        match line.turn(&mut moves) {
            Turn::Over(outcome) => return (outcome, line.ply()),
            Turn::Decision(mover) if mover == side => {
                let mv = think(strategist, &line);
                line.push(mv);
            }
            _ => {
                let mv = other(&line, &moves);
                line.push(mv);
            }
        }
    }
}

fn think(player: &mut dyn Player<Yokai34>, line: &Line<Yokai34>) -> tengen_games::yokai::Move {
    let (clock, stop) = (Instant::now(), AtomicBool::new(false));
    let mut watch = Watch { clock: &clock, stop: &stop, report: &mut |_| {} };
    player.think(line, &Limits::default(), &mut watch).expect("a decision").best
}

fn alphabeta(depth: u32) -> AlphaBeta<Safety> {
    AlphaBeta::new(Safety, AlphaBetaParams { depth, table: 1, ..AlphaBetaParams::default() })
}

/// Beyond the strategy there is nothing: a second player who needs it has lost his way.
struct Lost;

impl Player<Yokai34> for Lost {
    fn think(
        &mut self,
        line: &Line<Yokai34>,
        _: &Limits,
        _: &mut Watch<'_, tengen_games::yokai::Move>,
    ) -> Result<tengen_search::Thought<tengen_games::yokai::Move>, tengen_search::PlayerError> {
        panic!("the strategy has no answer in {}", line.position().write());
    }
}

#[test]
fn the_strategy_wins_in_78_against_itself() {
    let mut first = Strategist::new(Strategy::shipped(), Lost);
    let mut second = Strategist::new(Strategy::shipped(), Lost);
    let outcome = game(&mut second, Side::Second, |line, _| think(&mut first, line));
    assert_eq!(outcome, (Outcome::Win(Side::Second), 78));
}

/// Whichever of the best answers the second player takes, the first one knows how to last to the end.
#[test]
fn the_strategy_resists_every_best_answer() {
    let strategy = Strategy::shipped();
    let mut first = Strategist::new(strategy.clone(), Lost);
    let mut rng = Rng::with_seed(78);
    for number in 0..300 {
        let (outcome, plies) = game(&mut first, Side::First, |line, moves| {
            let known = strategy.moves(line.position(), moves);
            let best = known.iter().filter(|(_, exact)| *exact == known[0].1).count();
            known[rng.usize(..best)].0
        });
        assert_eq!((outcome, plies), (Outcome::Win(Side::Second), 78), "game {number}");
    }
}

#[test]
fn the_strategy_beats_everybody() {
    let mut second = Strategist::new(Strategy::shipped(), Lost);
    let mut rng = Rng::with_seed(2009);
    for number in 0..10_000 {
        let (outcome, plies) = game(&mut second, Side::Second, |_, moves| moves[rng.usize(..moves.len())]);
        assert!(
            outcome == Outcome::Win(Side::Second) && plies <= 78,
            "random game {number}: {outcome:?} after {plies}"
        );
    }
    // One move in four at random, or all games would be the same.
    for depth in [1, 2] {
        let mut first = alphabeta(depth);
        for number in 0..5_000 {
            let other = |line: &Line<Yokai34>, moves: &[_]| {
                if rng.u8(..4) == 0 { moves[rng.usize(..moves.len())] } else { think(&mut first, line) }
            };
            let (outcome, plies) = game(&mut second, Side::Second, other);
            assert!(
                outcome == Outcome::Win(Side::Second) && plies <= 78,
                "game {number} against depth {depth}: {outcome:?} after {plies}"
            );
        }
    }
}

/// As first player it goes on beyond the strategy with a search, and does not lose to chance.
#[test]
fn the_strategist_plays_on_beyond_the_strategy() {
    let mut first = Strategist::new(Strategy::shipped(), alphabeta(4));
    let mut random = Random::new(5);
    let wins = (0..30).filter(|_| {
        let (outcome, _) = game(&mut first, Side::First, |line, _| think(&mut random, line));
        outcome == Outcome::Win(Side::First)
    });
    assert!(wins.count() >= 28);
}

/// What the strategy solves is the start with every move, and not what its answers pass by.
#[test]
fn the_strategy_solves_what_it_lists() {
    let mut strategy = Strategy::shipped();
    let (stop, mut report) = (AtomicBool::new(false), |_| {});
    let mut leash = Leash::new(&stop, &mut report);
    let start = Yokai34::new();
    let solution = strategy.solution(&start, &mut leash).expect("the start is listed");
    let loss = |plies| Exact { verdict: Verdict::Loss, plies: Some(plies), score: None, chance: None };
    assert_eq!(solution.exact, loss(78));
    let moves: Vec<(String, Exact)> = solution.moves.iter().map(|&(mv, exact)| (start.write_move(mv), exact)).collect();
    // The published values: the capture loses two plies sooner than everything else.
    assert_eq!(moves.len(), 4);
    assert!(moves.iter().all(|(mv, exact)| *exact == loss(if mv == "b2b3" { 76 } else { 78 })), "{moves:?}");
    let reply = Yokai34::read("gle/1C1/3/ELG[C] b").expect("a position");
    assert!(matches!(strategy.solution(&reply, &mut leash), Err(Unsolved::Unknown(_))));
}

#[test]
fn a_damaged_strategy_is_refused() {
    let bytes = Strategy::shipped().write();
    assert_eq!(Strategy::read(&bytes), Ok(Strategy::shipped()));
    assert!(Strategy::read(b"").is_err());
    assert!(Strategy::read(b"another file altogether").is_err());
    for at in [9, 100, bytes.len() - 1] {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        assert!(Strategy::read(&damaged).is_err(), "byte {at}");
    }
    assert!(Strategy::read(&bytes[..bytes.len() - 9]).is_err());
}

/// Everything is drawn, says this table.
struct Drawn;

impl Lookup for Drawn {
    fn cell(&mut self, _: usize) -> Result<Cell, String> {
        Ok(Cell::DRAW)
    }
}

/// Positions that have no number are solved as well, if all pieces are there.
#[test]
fn positions_without_a_number() {
    let solve = |text: &str| {
        let position = Yokai34::read(text).expect(text);
        let (stop, mut report) = (AtomicBool::new(false), |_| {});
        Solver(Drawn).solution(&position, &mut Leash::new(&stop, &mut report)).map(|solution| solution.exact)
    };
    let exact = |verdict, plies| Ok(Exact { verdict, plies, score: None, chance: None });
    // The Koropokkuru side by side.
    assert_eq!(solve("3/1l1/1L1/3[EGCegc] w"), exact(Verdict::Win, Some(1)));
    // One on its last row that can be taken, and one that was put there when its side is to move.
    assert_eq!(solve("3/3/L2/1l1[EGCegc] w"), exact(Verdict::Win, Some(1)));
    assert_eq!(solve("L1g/3/2l/3[EGCec] w"), exact(Verdict::Win, Some(1)));
    // A move that spares a Koropokkuru on the last row loses at once; this table calls the others drawn.
    assert_eq!(solve("gle/1c1/1C1/ELG[-] w"), exact(Verdict::Draw, None));
    assert!(matches!(solve("2l/3/3/L2[EGC] w"), Err(Unsolved::Unknown(_))));
}
