//! The rules of backgammon as data: positions with their dice, and every move there is.

use super::*;
use std::collections::HashSet;
use tengen_core::exam::Exam;
use tengen_core::{Notation, Picture};

const START: &str = "X2....O5/.O3...X5/O5...X3./X5....O2 bar 0 0 off 0 0 first -";

fn position(text: &str) -> Backgammon {
    Backgammon::read(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn legal(position: &Backgammon) -> Vec<Move> {
    let mut moves = Vec::new();
    position.turn(&mut moves);
    moves
}

#[test]
fn sits_the_exam() {
    let finished = Exam::new(Backgammon::new()).games(60).longest(20_000).perft(&[21, 447, 9387, 202_782]).sit();
    assert_eq!(finished, 60, "every random game ends");
}

#[test]
fn the_start() {
    let start = Backgammon::new();
    assert_eq!(start.write(), START);
    assert_eq!(start.dice(), None);
    for side in Side::BOTH {
        let numbers = (start.pips(side), start.bar(side), start.off(side), start.checkers(side, 13));
        assert_eq!(numbers, (167, 0, 0, 5));
        assert_eq!(start.made(side), 1 << 24 | 1 << 13 | 1 << 8 | 1 << 6);
        assert_eq!(start.blots(side), 0);
    }
}

#[test]
fn opening_rolls_have_as_many_plays_as_known() {
    let counts = "11:42 21:15 22:75 31:16 32:17 33:73 41:14 42:18 43:17 44:52 51:8 52:8 53:9 54:9 55:4 61:10 62:14 63:14 \
                  64:14 65:7 66:11";
    for (roll, count) in counts.split(' ').map(|word| word.split_once(':').expect(word)) {
        for side in ["first", "second"] {
            let text = START.replace("first -", &format!("{side} {roll}"));
            assert_eq!(legal(&position(&text)).len().to_string(), count, "{text}");
        }
    }
}

#[test]
fn every_move_of_textbook_positions() {
    for (text, expected) in [
        // From the bar: both dice enter, neither, and one of two checkers.
        ("O2.O2.../.....X2/....../.O2.... bar 1 0 off 12 9 first 42", "bar/21 13/11, bar/21 21/19, bar/23 13/9"),
        (".O2.O2../.....X2/....../.O2.... bar 1 0 off 12 9 first 42", "pass"),
        (".....O2/.....X2/....../.O2.... bar 2 0 off 11 11 first 65", "bar/20"),
        ("O2...../.....X2/....../.O2.... bar 2 0 off 11 11 first 31", "bar/22"),
        (".....O1/....../....../X1X1.... bar 0 1 off 13 13 second 66", "bar/19 19/13 13/7 7/1"),
        (
            "X15....O1/....../....../...... bar 0 3 off 0 11 second 44",
            "bar/21 bar/21 bar/21 21/17, bar/21 bar/21 bar/21 6/2",
        ),
        // Either die but not both: the higher one. The lower one when the higher is blocked.
        ("....../....../X1...../.O1...O2 bar 0 0 off 14 12 first 65", "12/6"),
        ("....../....../X1...../O2....O2 bar 0 0 off 14 11 first 65", "12/7"),
        // Both dice when possible: 10/7 would leave nothing for the four.
        ("X1...O2./.O2..../..X1.../...O2.. bar 0 0 off 13 9 first 43", "24/21 10/6"),
        // Doubles: as many of the four as there are.
        ("....X1./....../....../..O2... bar 0 0 off 14 13 first 44", "20/16 16/12 12/8"),
        (
            "O1...../....../....X1X1/...... bar 0 0 off 13 14 first 11",
            "7/6 6/5 5/4 4/3, 8/7 7/6 6/5 5/4, 8/7 7/6 7/6 6/5",
        ),
        ("....../.....X2/.....O2/.O2.... bar 0 0 off 13 11 first 66", "pass"),
        ("....../....../....../X2..O2.O2 bar 0 0 off 13 11 first 53", "pass"),
        // Bearing off: with an exact die, or a higher one from the highest point, and not before all are home.
        ("O1...../....../....../X1X1X1... bar 0 0 off 12 14 first 64", "6/2 5/off, 6/off 4/off, 6/off 5/1"),
        ("O1...../....../....../..X2.X1. bar 0 0 off 12 14 first 65", "4/off 4/off"),
        ("O1...../....../....../X1...X2. bar 0 0 off 12 14 first 51", "6/1 1/off, 6/1 2/1"),
        ("O1...../....../.....X1/X1..... bar 0 0 off 13 14 first 61", "7/1 1/off, 7/1 6/5"),
        ("O1...../....../....X1./...X2.. bar 0 0 off 12 14 first 63", "8/2 3/off, 8/5 5/off"),
        ("O1...../....../....../.X2.X1.. bar 0 0 off 12 14 first 33", "5/2 5/2 3/off 2/off"),
        ("O1...../....../....../X2.X3... bar 0 0 off 10 14 first 55", "6/1 6/1 4/off 4/off"),
        ("O1...../....../....../....X1. bar 0 0 off 14 14 first 65", "2/off"),
        ("O1...../....../....../....X1. bar 0 0 off 14 14 first 21", "2/1 1/off"),
        // Two ways to one position are one move: both off with either die, one checker over either point.
        ("O1...../....../....../.X1X1... bar 0 0 off 13 14 first 65", "5/off 4/off"),
        ("O1...../....../....../...X1.X1 bar 0 0 off 13 14 first 21", "3/1 1/off"),
        (".....O2/....../....X1./...... bar 0 0 off 14 13 first 31", "8/5 5/4"),
        // But they are two moves when a checker is hit on one of the ways, or another one on each.
        ("....../....../....X1./.O1.... bar 0 0 off 14 14 first 31", "8/5 5/4, 8/7 7/4"),
        ("....../....../....X1O1/.O1.... bar 0 0 off 14 13 first 31", "8/5 5/4, 8/7 7/4"),
    ] {
        let position = position(text);
        let mut moves: Vec<String> = legal(&position).iter().map(|&mv| position.write_move(mv)).collect();
        moves.sort_unstable();
        assert_eq!(moves.join(", "), expected, "{text}");
    }
}

#[test]
fn what_moves_do() {
    for (before, mv, after) in [
        (START, "13", START.replace("first -", "first 31").as_str()),
        (
            "X2....O5/.O3...X5/O5...X3./X5....O2 bar 0 0 off 0 0 first 31",
            "8/5 6/5",
            "X2....O5/.O3...X5/O5...X2./X4X2...O2 bar 0 0 off 0 0 second -",
        ),
        // The second side counts from its own end.
        (
            "X2....O5/.O3...X5/O5...X2./X4X2...O2 bar 0 0 off 0 0 second 62",
            "24/18 13/11",
            "X2....O5/.O3..O1X5/O4...X2O1/X4X2...O1 bar 0 0 off 0 0 first -",
        ),
        // Two hits at once; a hit while entering.
        (
            "....../.....X1/.....O1/..O1... bar 0 0 off 14 13 first 33",
            "13/10/7*/4*/1",
            "....../....../....../.....X1 bar 0 2 off 14 13 second -",
        ),
        (
            "..O1.../....../....../X1..... bar 1 0 off 13 14 first 31",
            "bar/22* 6/5",
            "..X1.../....../....../.X1.... bar 0 1 off 13 14 second -",
        ),
        (
            ".O2..../....../....../..X1... bar 1 0 off 13 13 first 22",
            "pass",
            ".O2..../....../....../..X1... bar 1 0 off 13 13 second -",
        ),
    ] {
        let mut position = position(before);
        let mv = position.read_move(mv).unwrap_or_else(|error| panic!("{mv} in {before}: {error}"));
        position.play(mv);
        assert_eq!(position.write(), after, "{mv:?} in {before}");
    }
}

#[test]
fn the_last_checker_wins() {
    let mut position = position("O1...../....../....../....X1. bar 0 0 off 14 14 first 65");
    position.play(legal(&position)[0]);
    assert_eq!(position.turn(&mut Vec::new()), Turn::Over(Outcome::Win(Side::First)));
    assert_eq!(position.write(), "O1...../....../....../...... bar 0 0 off 15 14 second -");
}

#[test]
fn moves_as_people_write_them() {
    const OPEN: &str = "X2....O5/.O3...X5/O5...X3./X5....O2 bar 0 0 off 0 0 first ";
    const RACE: &str = "O1...../....../....../X2X1X1... bar 0 0 off 11 14 first ";
    const BLOT: &str = "....../....../....X1./.O1.... bar 0 0 off 14 14 first 31";
    const BLOTS: &str = "....../....../....X1O1/.O1.... bar 0 0 off 14 13 first 31";
    for (position_text, dice, written, expected) in [
        (OPEN, "31", "8/5 6/5", "8/5 6/5"),
        (OPEN, "31", "  6/5   8/5* ", "8/5 6/5"),
        (OPEN, "31", "24/20", "24/21 21/20"),
        (OPEN, "31", "24/23/20", "24/21 21/20"),
        (OPEN, "31", "23/20 24/23", "24/21 21/20"),
        (OPEN, "33", "8/5(2) 6/3(2)", "8/5 8/5 6/3 6/3"),
        (OPEN, "33", "24/15 13/10", "24/21 21/18 18/15 13/10"),
        (OPEN, "33", "24/18(2)", "24/21 24/21 21/18 21/18"),
        (RACE, "64", "6/OFF 4/Off", "6/off 4/off"),
        (RACE, "66", "6/off(2) 4/off 5/off", "6/off 6/off 5/off 4/off"),
        ("O2.O2.../.....X2/....../.O2.... bar 1 0 off 12 9 first ", "42", "13/9 BAR/23", "bar/23 13/9"),
        // Combined: the way that hits less, unless the point between is written.
        (BLOT, "", "8/4", "8/7 7/4"),
        (BLOT, "", "8/5*/4", "8/5 5/4"),
        (BLOTS, "", "8/7*/4", "8/7 7/4"),
    ] {
        let position = position(&format!("{position_text}{dice}"));
        let mv = position.read_move(written).unwrap_or_else(|error| panic!("{written}: {error}"));
        assert_eq!(position.write_move(mv), expected, "{written} in {position_text}{dice}");
    }
    for (position_text, written, complaint) in [
        (START, "8/5", "not a roll"),
        (START, "70", "not a roll"),
        (START, "", "not a roll"),
        ("O1...../....../....../...... bar 0 0 off 15 14 second -", "66", "game is over"),
        (BLOTS, "8/4", "two ways"),
        (BLOTS, "", "written like 8/5 6/5"),
        (BLOTS, "8", "written like 8/5"),
        (BLOTS, "8/", "not a point"),
        (BLOTS, "8/é", "not a point"),
        (BLOTS, "25/99999999999999999999", "`25` is not a point"),
        (BLOTS, "4/8", "high points to low"),
        (BLOTS, "8/5(0)", "1 to 4 times"),
        (BLOTS, "8/5(99999999)", "1 to 4 times"),
        (BLOTS, "8/5(4) 8/5", "no more than four"),
        (BLOTS, "8/5", "not a legal move with 31"),
        (BLOTS, "8/6 6/4", "not a legal move with 31"),
        (BLOTS, "pass", "cannot pass"),
        (".O2..../....../....../..X1... bar 1 0 off 13 13 first 22", "4/2", "no checker can move"),
    ] {
        let error = position(position_text).read_move(written).expect_err(written).to_string();
        assert!(error.contains(complaint), "`{written}`: {error}");
    }
}

#[test]
fn refuses_what_is_no_position() {
    for (text, complaint) in [
        ("", "nine words"),
        ("X2....O5/.O3...X5/O5...X3./X5....O2 bar 0 0 off 0 0 first", "nine words"),
        ("X2....O5/.O3...X5/O5...X3./X5....O2 bar 0 0 off 0 0 first - -", "nine words"),
        (" X2...?O5/.O3...X5/O5...X3./X5....O2 bar 0 0 off 0 0 first -", "point 20 (character 7)"),
        ("X2.....O5/.O3...X5/O5...X3./X5....O2 bar 0 0 off 0 0 first -", "after six points there is a `/`"),
        ("X2....O5/.O3...X5/O5...X3./X5....O2/ bar 0 0 off 0 0 first -", "only 24 points"),
        ("X2....O5/.O3...X5/O5...X3. bar 0 0 off 0 0 first -", "ends before point 6"),
        ("X2....O5/.O3...X5/O5...X3./X5... bar 0 0 off 0 0 first -", "ends before point 2"),
        ("X....O5/.O3...X5/O5...X3./X5....O2 bar 0 0 off 0 0 first -", "point 24 needs a number"),
        ("X0....O5/.O3...X5/O5...X3./X5....O2 bar 0 0 off 0 0 first -", "point 24 needs a number"),
        ("X2O2....O5/.O3...X5/O5...X3./X5....O2 bar 0 0 off 0 0 first -", "after six points"),
        ("X99999....O5/.O3...X5/O5...X3./X5....O2 bar 0 0 off 0 0 first -", "point 24 needs a number"),
        ("X3....O5/.O3...X5/O5...X3./X5....O2 bar 0 0 off 0 0 first -", "X has 16 checkers"),
        ("X2....O5/.O3...X5/O5...X3./X5....O2 bar 0 1 off 0 0 first -", "O has 16 checkers"),
        ("X2....O5/.O3...X5/O5...X3./X5....O1 bar 0 0 off 0 0 first -", "O has 14 checkers"),
        ("X2....O5/.O3...X5/O5...X3./X5....O2 bar 0 0 off 16 0 first -", "not a number of checkers off"),
        ("X2....O5/.O3...X5/O5...X3./X5....O2 bar -1 0 off 0 0 first -", "on the bar"),
        ("X2....O5/.O3...X5/O5...X3./X5....O2 bat 0 0 off 0 0 first -", "`bat` stands where `bar` should"),
        ("X2....O5/.O3...X5/O5...X3./X5....O2 bar 0 0 off 0 0 white -", "first or second"),
        ("X2....O5/.O3...X5/O5...X3./X5....O2 bar 0 0 off 0 0 first 70", "not a roll"),
        ("X2....O5/.O3...X5/O5...X3./X5....O2 bar 0 0 off 0 0 first 3", "not a roll"),
        ("O1...../....../....../...... bar 0 0 off 15 14 first -", "borne off everything"),
        ("....../....../....../...... bar 0 0 off 15 15 first -", "borne off everything"),
        ("O1...../....../....../...... bar 0 0 off 15 14 second 31", "nobody rolls"),
        ("O2O2O2O2O2O2/....../....../X2X2X2X2X2X2 bar 1 1 off 2 2 first -", "nobody could ever move"),
    ] {
        let error = Backgammon::read(text).expect_err(text).to_string();
        assert!(error.contains(complaint), "`{text}`: {error}");
    }
}

#[test]
fn every_move_has_a_code_of_its_own() {
    let mut moves = vec![Move::Pass];
    for high in 1..=6 {
        moves.extend((1..=high).map(|low| Move::Roll { high, low }));
    }
    for a in 1..=BAR {
        for b in 0..=a {
            moves.extend([false, true].map(|low_first| Move::Mixed { froms: [a, b], low_first }));
            for c in 0..=b {
                moves.extend((0..=c).map(|d| Move::Double { froms: [a, b, c, d] }));
            }
        }
    }
    let codes: HashSet<u16> = moves.iter().map(|&mv| Backgammon::code(mv)).collect();
    assert_eq!(codes.len(), moves.len());
}

/// Every random move of a playout is a listed one, and with two different dice every listed move comes up in time.
#[test]
fn random_moves_are_the_legal_ones() {
    let mut rng = Rng::with_seed(1);
    let mut list = Vec::new();
    for _ in 0..20 {
        let mut position = Backgammon::new();
        loop {
            let moves = match position.turn(&mut list) {
                Turn::Over(_) => break,
                Turn::Chance => {
                    position.playout(&mut rng, 1, |_, _| panic!("a decision before the roll"));
                    continue;
                }
                Turn::Decision(_) => std::mem::take(&mut list),
            };
            let mut missing: HashSet<Move> = moves.iter().copied().collect();
            for _ in 0..100 * moves.len() {
                let mv = position.mover().random(&mut rng, &mut list);
                assert!(moves.contains(&mv), "{} in {}", position.write_move(mv), position.write());
                missing.remove(&mv);
            }
            // One checker that takes all four steps of a double is rare, since each step is drawn by itself.
            if position.mover().high != position.mover().low {
                assert!(missing.is_empty(), "{missing:?} never come up in {}", position.write());
            }
            position.play(moves[rng.usize(..moves.len())]);
        }
    }
}

#[test]
fn the_picture() {
    let position = position("X2....O5/.O3..O1X5/O4...X2O1/X4X2...O1 bar 0 0 off 0 0 second 62");
    let drawn = position.draw();
    let names: Vec<&str> = drawn.cells.iter().map(|cell| cell.name.as_str()).collect();
    assert_eq!(
        names.join(" "),
        "13 14 15 16 17 18 19 20 21 22 23 24 12 11 10 9 8 7 6 5 4 3 2 1 bar-first bar-second off-first off-second"
    );
    let counts: Vec<String> = drawn.cells.iter().map(|cell| cell.count.to_string()).collect();
    assert_eq!(counts.join(" "), "5 1 0 0 3 0 5 0 0 0 0 2 4 0 0 0 2 1 4 2 0 0 0 1 0 0 0 0");
    assert_eq!(drawn.dice, [6, 2]);
    let pips: Vec<&str> = drawn.facts.iter().map(|fact| fact.value.as_str()).collect();
    assert_eq!(pips, ["163", "159"]);
    let mv = position.read_move("24/16").expect("a legal move");
    assert_eq!(position.touched(mv), ["1", "7", "7", "9"]);
}
