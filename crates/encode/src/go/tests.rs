//! What is drawn for positions one can check by eye.

use super::*;
use crate::Encoded;
use crate::exam::{Exam, Used};
use tengen_core::Notation;
use tengen_games::go::{Go9, Komi};

fn position(picture: &str, rest: &str) -> Go9 {
    let rows: Vec<String> = picture.lines().map(|row| row.replace(' ', "")).collect();
    let text = format!("{} {rest}", rows.join("/"));
    Go9::read(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn unspaced(picture: &str) -> String {
    picture.replace(' ', "")
}

fn sits<const CELLS: usize>(encoder: &impl Encoder<Go<CELLS>>, start: Go<CELLS>, games: u64, longest: usize) -> Used {
    Exam::new(encoder, start).games(games).longest(longest).sit()
}

fn go<const CELLS: usize>(size: usize, rules: Rules) -> Go<CELLS> {
    Go::new(size, rules, None).expect("a size that fits")
}

#[test]
fn small_boards_sit_the_exam() {
    for rules in Rules::ALL {
        let start: Go9 = go(5, rules);
        let used = sits(&GoPlanes, start.clone(), 12, 120);
        let mut expected = Used::all(&GoPlanes.shape(&start));
        // The board itself is always there, and so are most numbers.
        expected.planes[plane::BOARD] = false;
        expected.planes[plane::SUICIDE] = !rules.allows_suicide();
        let territory = rules.scoring() == Scoring::Territory;
        expected.globals = vec![true, !territory, true, true, territory, rules.allows_suicide()];
        if rules.allows_suicide() {
            expected.planes[plane::SUICIDE] = used.planes[plane::SUICIDE];
        }
        assert_eq!(used, expected, "{rules}");

        let used = sits(&GoV7, start.clone(), 12, 120);
        let unused: Vec<usize> = (0..22).filter(|&plane| !used.planes[plane]).collect();
        let safe: &[usize] = if territory { &[0, 7, 8, 18, 19, 20, 21] } else { &[0, 7, 8, 20, 21] };
        assert_eq!(unused, safe, "{rules}");
        sits(&GoStones, start, 4, 60);
    }
}

#[test]
fn usual_boards_sit_the_exam() {
    sits::<111>(&GoPlanes, go(9, Rules::Chinese), 3, 150);
    sits::<111>(&GoV7, go(9, Rules::Chinese), 2, 150);
    sits::<211>(&GoPlanes, go(13, Rules::Japanese), 1, 200);
    sits::<421>(&GoPlanes, go(19, Rules::Aga), 1, 200);
    sits::<421>(&GoV7, go(19, Rules::TrompTaylor), 1, 120);
    sits::<703>(&GoPlanes, go(25, Rules::Chinese), 1, 40);
    sits::<421>(&GoStones, go(19, Rules::Chinese), 1, 100);
}

#[test]
fn stones_liberties_and_ko() {
    let picture = ". X O . . . . . .
                   X O . O . . . . .
                   . X O . . . . . .
                   . . . . . . . . .
                   . . . . X X . . .
                   . . . . . . . . .
                   . . . . . . . . .
                   . . . . . . . . O
                   . . . . . . . O .";
    let mut line = Line::new(position(picture, "b - 0"));
    line.push(line.position().read_move("c8").expect("a move"));
    let encoded = Encoded::of(&GoPlanes, &line);
    let of = |plane| named(&encoded, plane);
    assert_eq!(of(plane::BOARD).len(), 81 * 3 - 1);
    // White is to move, and may not take back.
    assert_eq!(of(plane::KO), "B8");
    assert_eq!(of(plane::OWN), "C9 D8 C7 J2 H1");
    assert_eq!(of(plane::OTHER), "B9 A8 C8 B7 E5 F5");
    // The stone that has taken is in atari, and so is the one above it.
    assert_eq!([0, 1, 2].map(|more| of(plane::LIBERTIES + more)), ["C9 C8", "B9 C7", "A8 D8 B7 J2 H1"]);
    assert_eq!([0, 1].map(|before| of(plane::LAST + before)), ["C8", ""]);
    assert_eq!(of(plane::SUICIDE), "A9");
    // Komi 7.5 for White, who is to move; size 9; nobody has passed.
    let globals = [0.375, 0.5, 9.0 / 19.0, 0.0, 0.0, 0.0];
    assert_eq!(encoded.globals, globals);
}

#[test]
fn superko_is_shown_where_only_the_line_knows() {
    let start: Go9 = go(2, Rules::Chinese);
    let mut line = Line::new(start);
    // White takes twice; Black could take all three from a1, which would bring back the first stone.
    for name in ["a1", "b1", "a2", "b2", "pass", "a2"] {
        line.push(line.position().read_move(name).expect("a move"));
    }
    let shown = Encoded::of(&GoPlanes, &line);
    assert!(line.position().ko().is_none());
    assert_eq!(shown.planes[plane::KO * 4..][..4], [0.0, 0.0, 1.0, 0.0]);
}

/// The names of the points marked on a plane of a 9x9 board, row by row from the top.
fn named(encoded: &Encoded, plane: usize) -> String {
    let point = |at: usize| format!("{}{}", char::from(b"ABCDEFGHJ"[at % 9]), 9 - at / 9);
    let marked = (0..81).filter(|at| encoded.planes[plane * 81 + at] == 1.0);
    marked.map(point).collect::<Vec<_>>().join(" ")
}

/// Which stones are caught, and which moves catch them; Black is to move.
fn check_ladders(picture: &str, caught: &str, catches: &str) {
    let encoded = Encoded::of(&GoPlanes, &Line::new(position(picture, "b")));
    let found = [plane::CAUGHT, plane::CATCHES].map(|plane| named(&encoded, plane));
    assert_eq!(found, [caught, catches], "in\n{picture}");
}

#[test]
fn ladders_are_read_to_their_end() {
    let ladder = ". . . . . . . . .
                  . . . . . . . . .
                  . . . . . . . . .
                  . . . . . . . . .
                  . . . . . . . . .
                  . . X O . . . . .
                  . . . X X . . . .
                  . . . . . . . . .
                  . . . . . . . . .";
    check_ladders(ladder, "D4", "D5");
    // A white stone on the way of the ladder breaks it.
    let mut broken: Vec<String> = ladder.lines().map(unspaced).collect();
    broken[2].replace_range(6..7, "O");
    check_ladders(&broken.join("\n"), "", "");
    // In the corner a stone is caught though it is its turn.
    let corner = ". . . . . . . . .
                  . . . . . . . . .
                  . . . . . . . . .
                  . . . . . . . . .
                  . . . . . . . . .
                  . . . . . . . . .
                  . . . . . . . . .
                  O O . . . . . . .
                  X . O . . . . . .";
    check_ladders(corner, "A1", "");
    // Here it takes those that hold it: they are caught, whoever plays first, and so is the one on its other side.
    let taking = ". . . . . . . . .
                  . . . . . . . . .
                  . . . . . . . . .
                  . . . . . . . . .
                  . . . . . . . . .
                  . . . . . . . . .
                  X X . . . . . . .
                  O O X . . . . . .
                  X . O . . . . . .";
    check_ladders(taking, "A2 B2 C1", "B1 D1");
}

#[test]
fn earlier_ladders_are_those_of_earlier_positions() {
    let picture = ". . . . . . . . .
                   . . . . . . . . .
                   . . . . . . . . .
                   . . . . . . . . .
                   . . . . . . . . .
                   . . X O . . . . .
                   . . . X X . . . .
                   . . . . . . . . .
                   . . . . . . . . .";
    let mut line = Line::new(position(picture, "b"));
    let shown = |line: &Line<Go9>| {
        let encoded = Encoded::of(&GoV7, line);
        [v7::CAUGHT, v7::CAUGHT_BEFORE, v7::CAUGHT_BEFORE + 1, v7::CATCHES].map(|plane| named(&encoded, plane))
    };
    assert_eq!(shown(&line), ["D4", "D4", "D4", "D5"]);
    // White has broken the ladder two moves later.
    for name in ["pass", "g7"] {
        line.push(line.position().read_move(name).expect("a move"));
    }
    assert_eq!(shown(&line), ["", "D4", "D4", ""]);
    assert_eq!(Encoded::of(&GoV7, &line).globals[..5], [0.0, 1.0, 0.0, 0.0, 0.0]);
}

#[test]
fn what_lives_by_itself_is_safe() {
    // On top Black has two eyes, and the stone in one of them cannot live; White's wall has none. Below, Black's eye is but one.
    let picture = ". O . X . X O . .
                   X X X X X X O . .
                   O O O O O O O . .
                   . . . . . . . . .
                   . . . . . . . . .
                   . . . . . . . . .
                   . . . . . . X X X
                   . . . . . X X . X
                   . . . . . X . O X";
    let encoded = Encoded::of(&GoPlanes, &Line::new(position(picture, "w")));
    let above = "A9 B9 C9 D9 E9 F9 A8 B8 C8 D8 E8 F8";
    assert_eq!([0, 1].map(|plane| named(&encoded, plane::SAFE + plane)), ["", above]);
    let with_two = picture.replace("X . O X", "X . X X");
    let encoded = Encoded::of(&GoPlanes, &Line::new(position(&with_two, "b")));
    let both = format!("{above} G3 H3 J3 F2 G2 H2 J2 F1 G1 H1 J1");
    assert_eq!([0, 1].map(|plane| named(&encoded, plane::SAFE + plane)), [&both, ""]);
}

#[test]
fn komi_is_the_movers() {
    let even = |size: usize, komi: f64| -> [f32; 2] {
        let position: Go9 = Go::new(size, Rules::Chinese, Komi::new(komi).ok()).expect("a position");
        let globals = Encoded::of(&GoV7, &Line::new(position)).globals;
        [globals[5] * 20.0, globals[18]]
    };
    // Black is to move. On an odd board a whole odd komi can be drawn.
    assert_eq!(even(9, 7.5), [-7.5, -0.5]);
    assert_eq!(even(9, 7.0), [-7.0, 0.0]);
    assert_eq!(even(9, 6.5), [-6.5, 0.5]);
    assert_eq!(even(9, 6.0), [-6.0, 0.0]);
    assert_eq!(even(8, 6.0), [-6.0, 0.0]);
    assert_eq!(even(8, 5.5), [-5.5, 0.5]);
    assert_eq!(even(2, 200.0)[0], -24.0);
}
