//! What the engine knows and plays, on pictures of boards: `X` Black, `O` White, dots and numbers empty.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use tengen_core::{Line, Notation, Position, Side, Turn};
use tengen_games::go::{Go, Go9, Komi, Move, Rules, read_point};
use tengen_go::features::{CATCHES, RUNS, RUNS_IN_VAIN, TAKES_SAVING, View};
use tengen_go::field::{BLACK, Field, WHITE};
use tengen_go::{GoEngine, GoParams, judge};
use tengen_search::{GameClock, Lead, Limits, Player, PlayerError, Thought, Watch};

type Nine = Field<111, 2>;

fn read(picture: &str) -> Go9 {
    Go9::read(&picture.replace('_', " ")).unwrap_or_else(|error| panic!("{picture}: {error}"))
}

/// A position on a larger board: its rows, and what else its text says.
fn position<const CELLS: usize>(rows: &[&str], rest: &str) -> Go<CELLS> {
    let text = format!("{} {rest}", rows.join("/"));
    Go::read(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The cell of a named point.
fn at(go: &Go9, name: &str) -> usize {
    let point = read_point(go.size(), name).expect("a point of the board");
    Nine::cell_of(go.board(), point)
}

fn think_with<const CELLS: usize>(
    engine: &mut GoEngine<CELLS>,
    line: &Line<Go<CELLS>>,
    limits: Limits,
) -> Thought<Move> {
    let clock = Instant::now();
    let mut report = |_: &_| ();
    let mut watch = Watch { clock: &clock, stop: &AtomicBool::new(false), report: &mut report };
    engine.think(line, &limits, &mut watch).expect("a decision")
}

fn best(go: &Go9, playouts: u64) -> String {
    let mut engine = GoEngine::new(GoParams { playouts, ..GoParams::default() });
    let thought = think_with(&mut engine, &Line::new(go.clone()), Limits::default());
    go.write_move(thought.best)
}

#[test]
fn ladders_are_read_to_their_end() {
    // White E5 is in atari at E4 ... and runs along the diagonal, into nothing or into a friend.
    for (picture, works) in [
        ("9/9/9/3XX4/3XOX3/3X5/9/9/9_w", true),
        ("9/9/9/3XX4/3XOX3/3X5/9/7O1/9_w", false),
        // Running takes a stone of the attacker.
        ("9/9/9/3XX4/3XOXO2/3X2O2/9/9/9_w", false),
    ] {
        let go = read(picture);
        let field = Nine::of(&go);
        let stone = at(&go, "E5");
        assert_eq!(field.liberty_count(stone), 1, "{picture}");
        assert_eq!(field.ladder_works(stone, &mut 200), works, "{picture}");
        let view = View::new(&field, true);
        let flag = if works { RUNS_IN_VAIN } else { RUNS };
        assert_ne!(view.flags[field.liberties(stone).first()] & flag, 0, "{picture}");
    }
}

#[test]
fn ladders_across_the_largest_boards_are_read_on_a_small_stack() {
    fn check<const CELLS: usize, const WORDS: usize>(size: usize) {
        // White at the point 5-5 runs towards the far corner, where a friend waits or nobody.
        let stones = |friend: bool| {
            let mut field = Field::<CELLS, WORDS>::new(size, false);
            let point = |column, row| Field::<CELLS, WORDS>::cell_at(column, row);
            let far = point(size - 3, size - 3);
            for (black, white) in [
                (point(4, 3), point(4, 4)),
                (point(3, 4), 0),
                (point(3, 5), 0),
                (point(5, 4), if friend { far } else { 0 }),
            ] {
                field.play(black);
                field.play(white);
            }
            field.play(0);
            (field, point(4, 4))
        };
        for friend in [false, true] {
            let (field, stone) = stones(friend);
            assert_eq!(field.liberty_count(stone), 1);
            let mut budget = 200;
            assert_eq!(field.ladder_works(stone, &mut budget), !friend, "{size}x{size}, friend: {friend}");
            assert!(200 - budget >= 2 * (size as u32 - 9), "{size}x{size}: {} moves", 200 - budget);
        }
    }
    let read = || {
        check::<421, 7>(19);
        check::<703, 11>(25);
    };
    // As much as a thread gets where nobody asks for more.
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(read).expect("a thread");
    thread.join().expect("no overflow");
}

#[test]
fn a_ladder_is_started_where_it_works() {
    let go = read("9/9/9/3X5/3XOX3/3X5/9/9/9_b");
    let field = Nine::of(&go);
    let view = View::new(&field, true);
    assert_ne!(view.flags[at(&go, "E6")] & CATCHES, 0, "atari from above drives White into the corner");
}

#[test]
fn attackers_are_taken() {
    // Black's D5 is in atari; taking E5 saves it.
    let go = read("9/9/9/3OX4/2OXOX3/9/9/9/9_b");
    let field = Nine::of(&go);
    let view = View::new(&field, true);
    assert_ne!(view.flags[at(&go, "E4")] & TAKES_SAVING, 0);
}

#[test]
fn self_atari_is_seen_by_the_stones_it_risks() {
    for (picture, point, risked) in [
        // A lone stone beside a wall.
        ("9/9/9/9/9/9/O8/9/O8_b", "A2", 1),
        // Two stones and the new one.
        ("9/9/9/9/9/9/1OOO5/O.XXO4/1OOOO4_b", "B2", 3),
        // Taking several stones is no self-atari.
        ("9/9/9/9/9/9/XX7/OOX6/.OX6_b", "A1", 0),
        ("9/9/9/9/9/9/9/9/9_b", "E5", 0),
    ] {
        let go = read(picture);
        assert_eq!(Nine::of(&go).self_atari(at(&go, point), BLACK), risked, "{picture} {point}");
    }
}

#[test]
fn vital_points_of_holes() {
    for (picture, inside, largest, vital) in [
        ("...O5/OOOO5/9/9/9/9/9/9/9_b", "A9", 3, Some("B9")),
        ("..O6/.OO6/OO7/9/9/9/9/9/9_b", "A9", 3, Some("A9")),
        // Four in a row live.
        ("....O4/OOOOO4/9/9/9/9/9/9/9_b", "A9", 6, None),
        // The T of four.
        ("...O5/O.OO5/OOO6/9/9/9/9/9/9_b", "A9", 6, Some("B9")),
        ("...O5/O.OO5/OOO6/9/9/9/9/9/9_b", "A9", 3, None),
        // The square with a tail.
        ("...O5/..OO5/OOO6/9/9/9/9/9/9_b", "A9", 5, Some("B9")),
        // Not closed, or with an own stone beside it.
        ("9/OOOO5/9/9/9/9/9/9/9_b", "A9", 6, None),
        ("...X5/OOOO5/9/9/9/9/9/9/9_b", "A9", 6, None),
    ] {
        let go = read(picture);
        let field = Nine::of(&go);
        let expected = vital.map_or(0, |name| at(&go, name));
        assert_eq!(field.vital_point(at(&go, inside), WHITE, largest), expected, "{picture}");
    }
}

#[test]
fn obvious_moves_are_found() {
    for (picture, playouts, expected) in [
        // Taking four stones that would run away.
        ("9/9/9/3XX4/2XOOX3/2XOOX3/3X5/9/9_b", 800, "E3"),
        // A snapback: if White takes the stone thrown in, Black takes three; anything else lets White connect.
        ("4XO3/4XO3/4XO3/4XO3/4XO3/4XO3/2XXXO3/1XOOXO3/1X2OO3_b_-_0_0_0_5.5", 1500, "D1"),
        // The vital point kills a corner with three points.
        ("...OX1X1X/OOOOX1X1X/XXXXXXXXX/9/XXXXXXXXX/OOOOOOOOO/O1O1O1O1O/OOOOOOOOO/9_b", 2000, "B9"),
    ] {
        assert_eq!(best(&read(picture), playouts), expected, "{picture}");
    }
}

#[test]
fn ko_is_not_retaken_at_once() {
    let go = read("9/9/9/3XO4/2X.XO3/3XO4/9/9/9_w");
    let mut line = Line::new(go);
    line.push(line.position().read_move("D5").expect("White takes"));
    let field = Nine::of(line.position());
    let ko = at(line.position(), "E5");
    assert_eq!(field.ko(), ko);
    assert!(!field.is_legal(ko));
    let mut engine = GoEngine::new(GoParams { playouts: 300, ..GoParams::default() });
    let thought = think_with(&mut engine, &line, Limits::default());
    assert!(thought.candidates.iter().all(|candidate| line.position().write_move(candidate.mv) != "E5"));
}

#[test]
fn moves_are_always_legal_on_every_size_and_by_all_rules() {
    fn game<const CELLS: usize>(size: usize, rules: Rules, playouts: u64, most: usize) {
        let mut line = Line::new(Go::<CELLS>::new(size, rules, None).expect("a size that fits"));
        let mut engine = GoEngine::new(GoParams { playouts, seed: size as u64, ..GoParams::default() });
        let mut legal = Vec::new();
        while let Turn::Decision(_) = line.turn(&mut legal) {
            if line.ply() >= most {
                break;
            }
            let thought = think_with(&mut engine, &line, Limits::default());
            assert!(legal.contains(&thought.best), "{:?} in {:?}", thought.best, line.position());
            assert!(thought.candidates.iter().all(|candidate| legal.contains(&candidate.mv)), "{:?}", line.position());
            assert_eq!(thought.ownership.len(), size * size);
            line.push(thought.best);
        }
    }
    for rules in Rules::ALL {
        for size in 2..=7 {
            game::<111>(size, rules, 40, 120);
        }
    }
    game::<111>(9, Rules::Japanese, 60, 60);
    game::<211>(11, Rules::Chinese, 30, 40);
    game::<421>(19, Rules::Aga, 20, 30);
    game::<703>(25, Rules::TrompTaylor, 10, 12);
}

#[test]
fn superko_is_respected_in_long_cycles() {
    // Small boards are full of them: forty games in which every move was legal for the line, repetition included.
    for seed in 0..40 {
        let mut line = Line::new(Go9::new(3, Rules::Chinese, Some(Komi::new(0.5).expect("komi"))).expect("a size"));
        let mut engine = GoEngine::new(GoParams { playouts: 30, seed, ..GoParams::default() });
        let mut legal = Vec::new();
        while let Turn::Decision(_) = line.turn(&mut legal) {
            assert!(line.ply() < 400, "superko ends every game");
            let thought = think_with(&mut engine, &line, Limits::default());
            assert!(legal.contains(&thought.best));
            line.push(thought.best);
        }
    }
}

#[test]
fn the_same_seed_plays_the_same_game() {
    let play = |seed: u64| {
        let mut line = Line::new(Go9::new(9, Rules::Chinese, None).expect("a size"));
        let mut engine = GoEngine::new(GoParams { playouts: 150, seed, ..GoParams::default() });
        for _ in 0..16 {
            let thought = think_with(&mut engine, &line, Limits::default());
            line.push(thought.best);
        }
        line.moves().to_vec()
    };
    assert_eq!(play(5), play(5));
    assert_ne!(play(5), play(6));
}

#[test]
fn threads_share_a_tree_and_limits_hold() {
    let line = Line::new(Go9::new(9, Rules::Chinese, None).expect("a size"));
    let mut engine = GoEngine::new(GoParams { playouts: 2000, threads: 3, ..GoParams::default() });
    let thought = think_with(&mut engine, &line, Limits::default());
    assert_eq!(thought.nodes, 2000);
    assert_eq!(thought.candidates.iter().map(|candidate| candidate.visits).sum::<u64>(), 2000);
    let limits = Limits { visits: Some(100), ..Limits::default() };
    assert_eq!(think_with(&mut engine, &line, limits).nodes, 100);
    let mut timed = GoEngine::new(GoParams { playouts: 0, ms: 50, ..GoParams::default() });
    let start = Instant::now();
    think_with(&mut timed, &line, Limits::default());
    assert!(start.elapsed() >= Duration::from_millis(50 / 8));
    let clock = GameClock::sudden_death(Duration::from_secs(4));
    let mut clocked = GoEngine::new(GoParams { playouts: 0, ..GoParams::default() });
    think_with(&mut clocked, &line, Limits { clock: Some(clock), ..Limits::default() });
    // One move takes a quarter of what is left at most; the rest allows for a busy machine.
    assert!(start.elapsed() < Duration::from_secs(4));
}

/// Four moves from the empty board, all four corners, whatever a few simulations say.
#[test]
fn large_boards_are_begun_in_the_corners() {
    let mut line = Line::new(Go::<421>::new(19, Rules::Chinese, None).expect("a size"));
    let mut engine = GoEngine::new(GoParams { playouts: 300, ..GoParams::default() });
    let mut corners = Vec::new();
    for _ in 0..4 {
        let mv = think_with(&mut engine, &line, Limits::default()).best;
        let (column, row) = Field::<421, 7>::coordinates(Field::<421, 7>::cell_of_move(line.position().board(), mv));
        let from_edge = |at: usize| at.min(18 - at) + 1;
        assert!([column, row].iter().all(|&at| (3..=5).contains(&from_edge(at))), "{mv:?}");
        corners.push((column > 9, row > 9));
        line.push(mv);
    }
    corners.sort();
    corners.dedup();
    assert_eq!(corners.len(), 4);
}

/// Once no other move can catch up in the time that is left, waiting would change nothing.
#[test]
fn time_is_not_sat_out_unless_that_is_wanted() {
    // Whoever takes first in the middle of the board wins it.
    let go = read("9/9/2XXXXX2/2XOOOX2/2XO1OX2/2XOOOX2/2XXXXX2/9/9_b");
    let allowed = Duration::from_millis(500);
    for early in [true, false] {
        let begun = Instant::now();
        let limits = Limits { time: Some(allowed), ..Limits::default() };
        let mut engine = GoEngine::new(GoParams { early, ..GoParams::default() });
        let thought = think_with(&mut engine, &Line::new(go.clone()), limits);
        assert_eq!(go.write_move(thought.best), "E5");
        assert_eq!(begun.elapsed() < allowed, early, "{:?}", begun.elapsed());
    }
}

#[test]
fn the_tree_is_kept_between_moves() {
    let mut line = Line::new(Go9::new(9, Rules::Chinese, None).expect("a size"));
    let mut engine = GoEngine::new(GoParams { playouts: 2000, ..GoParams::default() });
    let thought = think_with(&mut engine, &line, Limits::default());
    for &mv in &thought.pv[..2] {
        line.push(mv);
    }
    let again = think_with(&mut engine, &line, Limits { visits: Some(1), ..Limits::default() });
    assert!(again.candidates.iter().map(|candidate| candidate.visits).sum::<u64>() > 1, "visits from the last thought");
    let mut forgetful = GoEngine::new(GoParams { playouts: 1, reuse: false, ..GoParams::default() });
    let fresh = think_with(&mut forgetful, &line, Limits::default());
    assert_eq!(fresh.candidates.iter().map(|candidate| candidate.visits).sum::<u64>(), 1);
}

#[test]
fn a_lead_that_is_played_without_is_told_all_the_same() {
    // Black has nine columns of fifteen, with eyes at the edge, and a few points between the sides are open.
    let (full, eyes, open) = ("XXXXXXXXXOOOOOO", "1XXXXXXXXOOOOO1", "1XXXXXXX2OOOO1");
    let rows = [full, eyes, full, eyes, full, open, full, open, full, open, full, eyes, full, eyes, full];
    let picture = rows.join("/") + " b - 0 15 1 7.5 chinese 0";
    let start = Go::<421>::read(&picture).expect("a position");
    for reserve in [0.0, 1.0] {
        let mut engine = GoEngine::new(GoParams { playouts: 300, reserve, ..GoParams::default() });
        let mut line = Line::new(start.clone());
        let first = think_with(&mut engine, &line, Limits::default());
        assert!(first.value.seen_by(Side::First) > 0.9, "{:?}", first.value);
        // Half of the open points are White's now, so that Black is less ahead than it saw.
        for mv in ["pass", "J10", "pass", "J8", "pass", "J6"] {
            line.push(line.position().read_move(mv).expect("a move"));
        }
        let second = think_with(&mut engine, &line, Limits::default());
        assert!(second.value.seen_by(Side::First) > 0.9, "{:?} with reserve {reserve}", second.value);
    }
}

#[test]
fn only_wanted_moves_are_thought_about() {
    let go = Go9::new(9, Rules::Chinese, None).expect("a size");
    let line = Line::new(go.clone());
    let mut engine = GoEngine::new(GoParams { playouts: 300, ..GoParams::default() });
    let mut found = |line: &Line<Go9>, names: &[&str]| {
        let go = line.position();
        let wanted: Vec<Move> = names.iter().map(|name| go.read_move(name).expect("a move")).collect();
        let clock = Instant::now();
        let mut watch = Watch { clock: &clock, stop: &AtomicBool::new(false), report: &mut |_| () };
        let thought = engine.think_among(line, &wanted, &Limits::default(), &mut watch).expect("a decision");
        let names = thought.candidates.iter().map(|candidate| go.write_move(candidate.mv));
        (names.collect::<Vec<_>>(), thought.candidates.iter().map(|candidate| candidate.visits).sum::<u64>())
    };
    // All simulations go to them; nothing of that is left for the next thought, nor were its others forgotten.
    for _ in 0..2 {
        let (mut names, visits) = found(&line, &["A1", "J9", "E5"]);
        names.sort();
        assert_eq!((names, visits), (vec!["A1".to_owned(), "E5".to_owned(), "J9".to_owned()], 300));
        assert_eq!(found(&line, &[]).0.len(), 82);
    }
    // A move that fills an eye is never looked at.
    let eye = Line::new(read("1X7/XX7/9/9/9/9/9/9/9_b"));
    assert_eq!(found(&eye, &["A9"]).0, ["pass"]);
}

#[test]
fn a_finished_game_is_passed_out() {
    // All borders are closed; White has passed.
    let go = read("3XO4/3XO4/3XO4/3XO4/3XO4/3XO4/3XO4/3XO4/3XO4_b_-_1_0_0_-20.5");
    assert_eq!(best(&go, 500), "pass");
}

#[test]
fn a_board_won_throughout_is_not_filled_up() {
    // Black leads by forty stones, White has passed, and its last stones stand in Black's eyes.
    let go = read(
        "1X1XO1X1X/XOXXXXXX1/XOXXO1XXO/X1X1XXX1X/1X1XX1XX1/XXXO1X1XX/1XXXXXX1X/XX1X1X1XX/1XX1X1XX1_b_-_1_44_0_7.5",
    );
    assert_eq!(best(&go, 500), "pass");
}

/// A race in the upper right corner that Black wins, whoever begins, though playouts lose both sides of it.
const RACE: &str = "8XXXO1XXOOO1/2XX3XOXOOO1XO1OX/1OXOOXO1OXXO1XXXOOX/OOOXXXXOOXXOOOOXXX1/XOX2XOXX1XOOXXOOXX/XXXXXXOOXXXOXXXOOX1/\
        XOXXXOO1OXO1OXXXOOX/OOOOXO2OOOOOXOOO1O/4OOOOXXXOXXOXOO1/4OXXOX1XOOXOXO2/2O1OOXX1XOOOXOXOOO/2OX1OX2XOOXXXXO2/\
        3OOXX2XOXXXOOOO1/3OXX1XX1XXXXXOXOO/4OOXX1X1XOOOXXXO/5OOOX1X6XX/3O1OXOOXX1X2X3/4OXXXX2X7/1O2OOOX1XX8";

#[test]
fn a_game_that_would_be_counted_as_lost_is_not_ended() {
    // Black has passed. Playouts say that White has won; the network knows better.
    let go = Go::<421>::read(&format!("{RACE} w - 1 13 5 7.5")).expect("a position");
    let mut engine = GoEngine::new(GoParams { playouts: 1000, net: 0.0, ..GoParams::default() });
    let thought = think_with(&mut engine, &Line::new(go), Limits::default());
    let value = thought.value.seen_by(Side::Second);
    assert!(thought.best != Move::Pass && value > 0.0, "{:?} at {value}", thought.best);
}

#[test]
fn one_side_of_a_race_lives() {
    for (next, seed) in [("b", 1), ("b", 2), ("b", 3), ("w", 1), ("w", 2), ("w", 3)] {
        let go = Go::<421>::read(&format!("{RACE} {next} - 2 13 5 7.5")).expect("a position");
        let judgement = judge(&go, 1000, seed);
        let fate = |chains: &[Vec<_>], name: &str| {
            chains.iter().flatten().any(|&stone| go.write_move(Move::At(stone)) == name)
        };
        assert!(fate(&judgement.dead, "Q19") && fate(&judgement.alive, "P17"), "{:?}", judgement.dead);
        assert_eq!(judgement.score_area, 52.5);
    }
    // The black stones at A2 stand beside White's D1, and live although White would move next: a stone that lives as well decides nothing.
    let go = read("4OO1OX/3OXOOOX/2OOXOOXX/2OXXXOXX/2OOX1X2/O1OXXX1X1/XOOOX2X1/XXXXOOX2/3O1X3 w - 2 3 1 7.5 chinese 0");
    assert_eq!(judge(&go, 1000, 1).score_area, 3.5);
}

#[test]
fn a_lost_game_is_resigned_if_that_is_wanted() {
    // Five black stones on the stars: White has no hope.
    let start = Line::new(read("9/9/2X1X1X2/9/2X1X1X2/9/2X1X1X2/9/9_w_-_0_0_0_0.5"));
    let ends_by_resignation = |resign: f32| {
        let mut line = start.clone();
        let settings = GoParams { playouts: 60, ..GoParams::default() };
        let mut black = GoEngine::new(settings.clone());
        let mut white = GoEngine::new(GoParams { resign, ..settings });
        let clock = Instant::now();
        let mut legal = Vec::new();
        while let Turn::Decision(side) = line.turn(&mut legal) {
            let engine = if side == Side::First { &mut black } else { &mut white };
            let mut report = |_: &_| ();
            let mut watch = Watch { clock: &clock, stop: &AtomicBool::new(false), report: &mut report };
            match engine.think(&line, &Limits::default(), &mut watch) {
                Ok(thought) => line.push(thought.best),
                Err(PlayerError::Resigned) => {
                    assert!(side == Side::Second && line.ply() >= 16, "after {} plies", line.ply());
                    return true;
                }
                Err(error) => panic!("{error}"),
            }
        }
        false
    };
    assert!(ends_by_resignation(0.2));
    assert!(!ends_by_resignation(0.0));
}

#[test]
fn leads_values_and_ownership_say_whose_they_are() {
    for side in ["b", "w"] {
        let go = read(&format!(
            "1X1X1XO1O/1X1X1XO1O/1X1X1XO1O/1X1X1XO1O/1X1X1XO1O/1X1X1XO1O/1X1X1XO1O/1X1X1XO1O/1X1X1XO1O_{side}"
        ));
        let mut engine = GoEngine::new(GoParams { playouts: 300, ..GoParams::default() });
        let thought = think_with(&mut engine, &Line::new(go), Limits::default());
        let lead = thought.lead.map(|lead| lead.seen_by(Side::First));
        let Some(Lead::Points(points)) = lead else { panic!("a lead in points") };
        assert!(points > 10.0, "{points} for {side}");
        assert!(thought.value.seen_by(Side::First) > 0.5, "{:?} for {side}", thought.value);
        assert!(thought.ownership[0] > 0.8 && thought.ownership[8] < -0.8, "{:?}", thought.ownership);
    }
}

/// Stones as names, sorted.
fn names(go: &Go9, chains: &[Vec<tengen_games::go::Point>]) -> String {
    let mut names: Vec<String> = chains.concat().into_iter().map(|point| go.point_name(point)).collect();
    names.sort();
    names.join(" ")
}

#[test]
fn life_and_death() {
    for (picture, dead, seki) in [
        // Everything lives.
        ("3XO4/3XO4/3XO4/3XO4/3XO4/3XO4/3XO4/3XO4/3XO4_b", "", ""),
        // A stone inside the opponent's land.
        ("3XO4/3XO2X1/3XO4/3XO4/3XO4/3XO4/3XO4/3XO4/3XO4_b", "H8", ""),
        // White's corner has three points in a row and is surrounded: whoever plays first decides, and White is first to be
        // killed when a black stone stands on the middle.
        (".X.OX4/OOOOX4/XXXXX4/9/9/XXXXXXXXX/OOOOOOOOO/9/9_w", "A8 B8 C8 D8 D9", ""),
        // Two eyes in the corner live.
        (".O.OX4/OOOOX4/XXXXX4/9/9/XXXXXXXXX/OOOOOOOOO/9/9_b", "", ""),
        // Two shared liberties, no eyes: seki.
        (".OX.OX3/.OX.OX3/.OXOOX3/.OOXXX3/2OX5/2OX5/2OX5/2OX5/2OX5_b", "", "C7 C8 C9 D7 E7 E8 E9"),
    ] {
        let go = read(picture);
        let judgement = judge(&go, 600, 1);
        assert_eq!(names(&go, &judgement.dead), dead, "dead in {picture}");
        assert_eq!(names(&go, &judgement.seki), seki, "seki in {picture}");
        let all = judgement.dead.len() + judgement.alive.len() + judgement.seki.len();
        assert!(all > 0 && judgement.ownership.len() == 81);
    }
}

#[test]
fn four_points_in_a_row_live_without_a_liberty_outside() {
    // Playouts give Black's group on the lower right, with M4 to P4, away more often than not.
    let rows = [
        "2XO5OXXX1O1O2",
        "XXXOOOO1OOXXOOOOOOX",
        "XOO1O1O1OOXO2O1O1O",
        "OOOOOOOOOXXOOOOO1O1",
        "1O1O1O1O1OOXXO1O1O1",
        "XOO1O1O1OOO2OO1OOO",
        "XO1OOOXOO2OOOO1O1O",
        "1OO1OXX1OOOXX1OXXO1",
        "O1OOXXXOOOOOXOOXOO1",
        "OO2OOOX1O1OOXXOO2",
        "1OOOO1OXO1XOO1OO1OO",
        "2O3OXOOOX1O1OO1O",
        "1OOOO1XOO1OOO1OOO2",
        "O1OOO2O3OOOOOOO1",
        "1OO1O1O1OOOXXXXXXOO",
        "1O1OOO1OOXX4XXXO",
        "OOOXXOO1OOXXXXXOOXO",
        "1XOX1XO1OXXXOOOO1O1",
        "1XOXXXO1OXXOO1XXO1O",
    ];
    let go: Go<421> = position(&rows, "w - 2 16 151 7.5 chinese 0");
    let judgement = judge(&go, 1000, 1);
    let alive = judgement.alive.concat();
    assert!(alive.contains(&read_point(19, "N5").expect("a point")), "{:?}", judgement.score_area);
    assert_eq!(judgement.score_area, -316.5);
}

#[test]
fn stones_that_playouts_lose_are_dead_though_the_way_to_take_them_is_long() {
    // Black's stone at A10 is in an eye of White's group. A search that does not look as far as A6, where White answers A7, lets it live.
    let rows = [
        "XOO9OOOOX2",
        "XXOOO7OXXX1X1",
        "1XXOOO3O2OXX4",
        "2XXOX3O2OOXX1X1",
        "2XOX3OX2OOX4",
        "1XXO1OOOXX1OXX1X1O1",
        "XXOOOOXOXOOOOX5",
        "OXXXXXXXO1O1OXO1O2",
        "OOOXXXOOO1OOX6",
        "X1OOXOOO1OXXX1XXX2",
        "1OOXXO3OOOX2OOX1",
        "O1OXOOOOOXXXXOO1X2",
        "1OXXXOXXX1XOOX5",
        "1XOOXXXOOX2XXO1X2",
        "1X1OOXOOX1X1O6",
        "3O1O1OX5X1X2",
        "1O2O1OOOXX1O2X3",
        "7XOX1XO1OX3",
        "8OX9",
    ];
    let go: Go<421> = position(&rows, "w - 2 0 8 7.5 chinese 0");
    assert_eq!(judge(&go, 1000, 1).score_area, 15.5);

    // White's three stones at S18 cannot be approached while Black lacks liberties, but Black takes the four at R11 first.
    let rows = [
        "1XOOOOOOO6OXXX",
        "X1XXXXXXO6OXOO",
        "OXXXXX1XOOOOOX1OX1O",
        "OOXOOX1XOOXXXOOOXX1",
        "1OOXOOXXXX2XXO1OXX",
        "6OX4XO1OOXX",
        "OOO1OOOOXXX1XOO1OOX",
        "OXO2OXXXOOXXOOOXXX",
        "XXXOXOXOOOOOXOOXOOO",
        "1XXOO1O1OXOX1XXXO2",
        "1XOXO2OOXXXX3XX1",
        "3XO2O1OOXOXXXX2",
        "3XXO1O1O1OOXOXOX1",
        "3XO1O1OXO1OOOOOX1",
        "3XO2OXXXOOXXOOX1",
        "2XXXOOXXX1XXXOOX2",
        "2XOO1XOX1XXOXXOX2",
        "1XXO2OOXO1XOXOOX2",
        "1XOO2OXXXXXOOOOX2",
    ];
    let go: Go<421> = position(&rows, "b - 2 5 6 7.5 chinese 0");
    assert_eq!(judge(&go, 1000, 1).score_area, 11.5);
}

#[test]
fn what_the_next_move_would_take_after_two_passes_is_dead() {
    // Playouts let White keep the three stones at K1 and those at M3, but Black is to move, and takes them.
    let rows = [
        "1XX5OOX2",
        "OOXXOOO1OXX2",
        "1OX1XO1OOOX2",
        "O1OOX2OOXX2",
        "OOXXXXOOXXX2",
        "OXOOXOXXXX1X1",
        "XXO1OOOOX1X2",
        "XXO1O1OOX1X2",
        "XOOOXOOXXX1X1",
        "XXXOXOX1X1XO1",
        "OXXXXX1X1XXO1",
        "OXO2XX1XOOXX",
        "1OX1XX3OX2",
    ];
    let go: Go<211> = position(&rows, "b - 2 21 6 7.5 chinese 0");
    assert_eq!(judge(&go, 1000, 1).score_area, 21.5);

    // Black's five stones at G8 have an eye and a half, and lose the race against White's group below, although Black would move next.
    // Playouts let them win it more often than not.
    let go = read(
        "O2OO1O1X/XO1OOOXX1/1OX1OOXXX/OOOOOXOOO/XOOOXXO2/XXXXXXOOO/XOXOXXXO1/OOOOOX1XO/1X1OOXX2 b - 2 3 12 7.5 chinese 0",
    );
    for seed in 1..=5 {
        assert_eq!(judge(&go, 1000, seed).score_area, -22.5);
    }
}

#[test]
fn judgements_are_the_same_for_the_same_seed() {
    let go = read("3XO4/3XO2X1/3XO4/3XO4/3XO4/3XO4/3XO4/3XO4/3XO4_b");
    assert_eq!(judge(&go, 200, 3), judge(&go, 200, 3));
}

#[test]
fn counts_by_area_and_by_territory() {
    let go = read("3XO4/3XO2X1/3XO4/3XO4/3XO4/3XO4/3XO4/3XO4/3XO4_b_-_2_0_0_0.5");
    let judgement = judge(&go, 300, 1);
    // Black 36 against 45 by area; by territory 27 against 36 and a prisoner.
    assert_eq!(judgement.score_area, 36.0 - 45.5);
    assert_eq!(judgement.score_territory, 27.0 - 37.5);
    assert_eq!(go.count(&judgement.dead_stones()).lead(), judgement.score_area);
    assert_eq!(go.to_move(), Side::First);
}

/// A position whose dead and living chains are known.
#[test]
fn positions_every_player_knows() {
    for (what, picture, dead, seki) in [
        // Bent four in the corner: White cannot move there, and Black begins the ko when he likes.
        (
            "bent four in the corner",
            "XXX.OX3/.OOOOX3/OOXXXX3/XXX6/9/XXXXXXXXX/OOOOOOOOO/2O1O4/2O1O4_w",
            "A7 B7 B8 C8 D8 E8 E9",
            "",
        ),
        // Neither side can begin: White has an eye that is false as long as Black's two stones stand.
        (
            "seki around a false eye",
            ".....XO.O/.XXX.XOO./..X.XXXXO/XXX...XO./OXXXXXO.O/OOOOXOOOO/O.OXXXXO./XXOOOXOO./.O.OXXO.._b",
            "",
            "A2 A3 A4 A5 B1 B2 B4 C2 C3 C4 D1 D2 D4 E2",
        ),
        // Six points in a rectangle live.
        ("rectangular six", "...OX4/...OX4/OOOOX4/XXXXX4/9/XXXXXXXXX/OOOOOOOOO/2O1O4/2O1O4_w", "", ""),
        // A stone in the middle of three points kills even if White begins.
        ("nakade", ".X.OX4/OOOOX4/XXXXX4/9/9/XXXXXXXXX/OOOOOOOOO/2O1O4/2O1O4_w", "A8 B8 C8 D8 D9", ""),
    ] {
        let go = read(picture);
        let judgement = judge(&go, 600, 1);
        assert_eq!(names(&go, &judgement.dead), dead, "{what}: dead in {picture}");
        assert_eq!(names(&go, &judgement.seki), seki, "{what}: seki in {picture}");
    }
}

/// The candidates of a first thought: move, visits, how likely it seemed before.
fn candidates<const CELLS: usize>(go: &Go<CELLS>, params: GoParams) -> Vec<(Move, u64, f32)> {
    let mut engine = GoEngine::new(GoParams { playouts: 200, ..params });
    let thought = think_with(&mut engine, &Line::new(go.clone()), Limits::default());
    let told = thought.candidates.iter().map(|it| (it.mv, it.visits, it.prior.expect("a prior")));
    let mut list: Vec<_> = told.collect();
    list.sort_by_key(|&(mv, ..)| go.write_move(mv));
    list
}

#[test]
fn only_large_boards_are_shown_to_the_network() {
    let priors = |list: &[(Move, u64, f32)]| list.iter().map(|it| it.2).collect::<Vec<_>>();
    let without = GoParams { net: 0.0, ..GoParams::default() };
    let small = Go::<211>::new(13, Rules::Chinese, None).expect("a board");
    assert_eq!(candidates(&small, GoParams::default()), candidates(&small, without.clone()));
    let large = Go::<421>::new(19, Rules::Chinese, None).expect("a board");
    let shown = candidates(&large, GoParams::default());
    assert_ne!(priors(&shown), priors(&candidates(&large, without)));
    // Its shares are the priors, and its opinion of a position counts as several simulations.
    assert!((priors(&shown).iter().sum::<f32>() - 1.0).abs() < 1e-3);
    let visits = |list: &[(Move, u64, f32)]| list.iter().map(|it| it.1).sum::<u64>();
    assert!(visits(&shown) > 250, "{}", visits(&shown));
    let silent = candidates(&large, GoParams { net_value: 0, ..GoParams::default() });
    assert_eq!((priors(&silent), visits(&silent)), (priors(&shown), 200));
}

#[test]
fn two_threads_ask_the_network_about_the_same_tree() {
    let large = Go::<421>::new(19, Rules::Chinese, None).expect("a board");
    let shown = candidates(&large, GoParams { threads: 2, ..GoParams::default() });
    assert!((shown.iter().map(|it| it.2).sum::<f32>() - 1.0).abs() < 1e-3);
}
