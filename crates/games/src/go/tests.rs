//! What Go promises: the exam, the plain rules played beside the fast ones, and pictures.

use super::*;
use std::collections::{HashMap, HashSet};
use tengen_core::exam::Exam;
use tengen_core::{Line, Notation, Picture, Symmetry};

/// The text of a board from a picture with spaces and line ends.
fn rows(picture: &str) -> String {
    picture.split('\n').map(|row| row.replace(' ', "")).collect::<Vec<_>>().join("/")
}

/// The position of a picture, with what follows the board in its text.
fn position(picture: &str, rest: &str) -> Go9 {
    let text = format!("{} {rest}", rows(picture));
    Go9::read(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Plays moves on a line; says `Ok`, or why the first impossible one is impossible.
fn play<const CELLS: usize>(line: &mut Line<Go<CELLS>>, moves: &str) -> Result<(), String> {
    for text in moves.split_whitespace() {
        let mv = line.position().read_move(text).map_err(|error| error.to_string())?;
        if line.repeats(mv) {
            return Err(format!("{text} repeats"));
        }
        line.push(mv);
    }
    Ok(())
}

fn sit<const CELLS: usize>(size: usize, games: u64, longest: usize) {
    for rules in Rules::ALL {
        let start = Go::<CELLS>::new(size, rules, None).expect("a size that fits");
        let finished = Exam::new(start).games(games).longest(longest).sit();
        assert!(size > 3 || rules == Rules::Japanese || finished == games, "superko ends games: {size} {rules}");
    }
}

#[test]
fn tiny_boards_sit_the_exam() {
    sit::<111>(2, 50, 300);
    sit::<111>(3, 30, 1000);
}

#[test]
fn small_boards_sit_the_exam() {
    sit::<111>(5, 20, 400);
    sit::<111>(9, 6, 400);
}

#[test]
fn middle_boards_sit_the_exam() {
    sit::<211>(10, 1, 150);
    sit::<211>(13, 1, 300);
}

#[test]
fn large_boards_sit_the_exam() {
    sit::<421>(19, 1, 350);
    sit::<703>(25, 1, 150);
}

#[test]
fn handicap_games_sit_the_exam() {
    for rules in Rules::ALL {
        let start = Go9::with_fixed_handicap(9, rules, None, 5).expect("five stones");
        Exam::new(start).games(1).longest(100).sit();
    }
}

/// Go as one explains it: a list of points, searched anew every time, and all boards that have been.
#[derive(Clone)]
struct Plain {
    size: usize,
    stones: Vec<Option<Side>>,
    to_move: Side,
    past: Vec<(Vec<Option<Side>>, Side)>,
    taken: [usize; 2],
}

impl Plain {
    fn near(&self, at: usize) -> Vec<usize> {
        let (row, column) = (at / self.size, at % self.size);
        let mut near = Vec::new();
        if row > 0 {
            near.push(at - self.size);
        }
        if column > 0 {
            near.push(at - 1);
        }
        if column + 1 < self.size {
            near.push(at + 1);
        }
        if row + 1 < self.size {
            near.push(at + self.size);
        }
        near
    }

    /// All points connected with this one that look the same, and what lies beside them.
    fn chain(&self, at: usize) -> (HashSet<usize>, HashSet<usize>) {
        let (mut chain, mut beside, mut todo) = (HashSet::from([at]), HashSet::new(), vec![at]);
        while let Some(at) = todo.pop() {
            for near in self.near(at) {
                if self.stones[near] != self.stones[at] {
                    beside.insert(near);
                } else if chain.insert(near) {
                    todo.push(near);
                }
            }
        }
        (chain, beside)
    }

    fn liberties(&self, at: usize) -> usize {
        self.chain(at).1.into_iter().filter(|&at| self.stones[at].is_none()).count()
    }

    fn take(&mut self, at: usize) {
        let (chain, _) = self.chain(at);
        if let Some(side) = self.stones[at] {
            self.taken[side.other().index()] += chain.len();
        }
        chain.into_iter().for_each(|at| self.stones[at] = None);
    }

    /// The position after a stone here, if the rules allow it. A ko is what brings the board of the move before back.
    fn play(&self, at: usize, rules: Rules) -> Option<Plain> {
        if self.stones[at].is_some() {
            return None;
        }
        let mut next = self.clone();
        next.stones[at] = Some(self.to_move);
        for near in self.near(at) {
            if next.stones[near] == Some(self.to_move.other()) && next.liberties(near) == 0 {
                next.take(near);
            }
        }
        if next.liberties(at) == 0 {
            if rules != Rules::TrompTaylor || next.chain(at).0.len() == 1 {
                return None;
            }
            next.take(at);
        }
        next.to_move = self.to_move.other();
        let repeats = match rules {
            Rules::Chinese | Rules::TrompTaylor => next.past.iter().any(|(stones, _)| *stones == next.stones),
            Rules::French | Rules::Aga => next.past.contains(&(next.stones.clone(), next.to_move)),
            // With one move between them, and none of them a pass, so that the side to move is the same too.
            Rules::Japanese => {
                let before = next.past.len().checked_sub(2).map(|at| &next.past[at]);
                before == Some(&(next.stones.clone(), next.to_move))
            }
        };
        next.past.push((next.stones.clone(), next.to_move));
        (!repeats).then_some(next)
    }

    /// Twice Black's lead over an empty komi.
    fn lead(&self, rules: Rules) -> i32 {
        let mut points = [0, 0];
        for at in 0..self.stones.len() {
            let sides: HashSet<Side> = match self.stones[at] {
                Some(side) if rules != Rules::Japanese => HashSet::from([side]),
                Some(_) => continue,
                None => self.chain(at).1.into_iter().filter_map(|at| self.stones[at]).collect(),
            };
            if sides.len() == 1 {
                sides.iter().for_each(|side| points[side.index()] += 1);
            }
        }
        if rules == Rules::Japanese {
            Side::BOTH.iter().for_each(|side| points[side.index()] += self.taken[side.index()] as i32);
        }
        2 * (points[0] - points[1])
    }
}

#[test]
fn agrees_with_the_plain_rules() {
    let komi = Komi::new(0.0).expect("a komi");
    for (size, rules, seed) in [2, 3, 4, 5, 7]
        .into_iter()
        .flat_map(|size| Rules::ALL.map(|rules| (size, rules)))
        .flat_map(|(size, rules)| (0..10).map(move |seed| (size, rules, seed)))
    {
        let mut rng = Rng::with_seed(seed);
        let empty = vec![None; size * size];
        let mut plain = Plain {
            size,
            past: vec![(empty.clone(), Side::First)],
            stones: empty,
            to_move: Side::First,
            taken: [0; 2],
        };
        let mut line = Line::new(Go9::new(size, rules, Some(komi)).expect("a size that fits"));
        let mut moves = Vec::new();
        while line.ply() < 40 * size {
            let go = line.position();
            assert_eq!(go.lead(), plain.lead(rules), "{rules}: {go:?}");
            assert_eq!(go.prisoners.map(|stones| stones as usize), plain.taken, "{rules}: {go:?}");
            let turn = line.turn(&mut moves);
            if let Turn::Over(outcome) = turn {
                assert!(go.passes() == 2 && outcome == score::outcome(plain.lead(rules)) || rules == Rules::Japanese);
                break;
            }
            let expected: HashMap<usize, Plain> =
                (0..size * size).filter_map(|at| plain.play(at, rules).map(|next| (at, next))).collect();
            let mut listed = HashSet::new();
            for &mv in &moves {
                if let Move::At(point) = mv {
                    listed.insert(go.board().index(point));
                }
            }
            assert_eq!(listed, expected.keys().copied().collect(), "{rules}: {go:?}");
            // Passes are rare, so that boards fill up; the pass is listed last.
            let mv = match rng.usize(..20) {
                0 => Move::Pass,
                _ => moves[rng.usize(..moves.len().max(2) - 1)],
            };
            match mv {
                Move::Pass => {
                    plain.to_move = plain.to_move.other();
                    plain.past.push((plain.stones.clone(), plain.to_move));
                }
                Move::At(point) => plain = expected[&go.board().index(point)].clone(),
            }
            line.push(mv);
            let go = line.position();
            let stones: Vec<_> = go.board().points().map(|point| go.board().colour(point)).collect();
            assert_eq!(stones, plain.stones, "{rules}: {go:?}");
            assert_eq!(go.last_move(), Some(mv));
        }
    }
}

/// Everything that is kept up to date from move to move, computed from the stones alone.
fn check_structure<const CELLS: usize>(go: &Go<CELLS>) {
    let board = go.board();
    let stones: Vec<_> = board.points().map(|point| board.colour(point)).collect();
    let plain = Plain { size: go.size(), stones, to_move: go.to_move, past: vec![], taken: [0; 2] };
    let points: Vec<Point> = board.points().collect();
    for (at, &point) in points.iter().enumerate() {
        assert_eq!(board.index(point), at);
        let near: HashSet<_> = plain.near(at).into_iter().map(|at| points[at]).collect();
        assert_eq!(board.neighbours(point).collect::<HashSet<_>>(), near);
        if board.colour(point).is_none() {
            let open = plain.near(at).iter().any(|&at| plain.stones[at].is_none());
            assert_eq!(board.is_open(point.cell()), open, "{go:?}");
            assert_eq!((board.chain(point), board.chain_size(point), board.is_atari(point)), (None, 0, false));
            assert_eq!((board.chain_stones(point).count(), board.liberty_count(point)), (0, 0));
            for side in Side::BOTH {
                let lost = |&at: &usize| plain.stones[at] == Some(side.other()) && plain.liberties(at) == 1;
                let lost = plain.near(at).into_iter().filter(lost).flat_map(|at| plain.chain(at).0);
                let lost: HashSet<_> = lost.map(|at| points[at]).collect();
                let captures: Vec<_> = board.captures(point, side).collect();
                assert_eq!(captures.len(), lost.len(), "each once: {go:?}");
                assert_eq!(captures.into_iter().collect::<HashSet<_>>(), lost, "{go:?}");
            }
        } else {
            let (chain, beside) = plain.chain(at);
            let chain: HashSet<_> = chain.into_iter().map(|at| points[at]).collect();
            assert_eq!(board.chain_size(point), chain.len(), "{go:?}");
            assert_eq!(board.chain_stones(point).collect::<HashSet<_>>(), chain, "{go:?}");
            let names: HashSet<_> = chain.iter().map(|&stone| board.chain(stone)).collect();
            assert!(names.len() == 1 && names.iter().flatten().all(|name| chain.contains(name)), "{go:?}");
            let free: HashSet<_> =
                beside.into_iter().filter(|&at| plain.stones[at].is_none()).map(|at| points[at]).collect();
            let liberties: Vec<_> = board.liberties(point).collect();
            assert_eq!(liberties.len(), free.len(), "each once: {go:?}");
            assert_eq!(liberties.into_iter().collect::<HashSet<_>>(), free, "{go:?}");
            let last = if free.len() == 1 { free.into_iter().next() } else { None };
            assert_eq!(board.last_liberty(point), last, "{go:?}");
        }
    }
    for side in Side::BOTH {
        assert_eq!(board.stones(side), plain.stones.iter().filter(|stone| **stone == Some(side)).count());
    }
}

fn structure_holds<const CELLS: usize>(size: usize, rules: Rules) {
    let mut go = Go::<CELLS>::new(size, rules, None).expect("a size that fits");
    let mut rng = Rng::with_seed(size as u64);
    // Thirty moves of a playout at a time: from the empty board to the end.
    loop {
        let outcome = go.playout(&mut rng, 30, |_, _| ());
        check_structure(&go);
        assert_eq!(Go::read(&go.write()).map(|again: Go<CELLS>| again.key()), Ok(go.key()), "{go:?}");
        if let Some(outcome) = outcome {
            assert_eq!(outcome, go.outcome(), "{go:?}");
            assert_eq!(go.settled_lead(), go.lead(), "{go:?}");
            let owners: Vec<_> = go.board().points().map(|point| go.settled_owner(point)).collect();
            assert_eq!(go.count(&[]).owners, owners, "{go:?}");
            return;
        }
    }
}

#[test]
fn structure_equals_what_the_stones_say() {
    for rules in Rules::ALL {
        (2..=9).for_each(|size| structure_holds::<111>(size, rules));
        structure_holds::<211>(11, rules);
        structure_holds::<421>(19, rules);
    }
    structure_holds::<703>(25, Rules::Chinese);
}

/// Random games with all legal moves, eyes filled and all, so that large chains die.
#[test]
fn structure_survives_fools() {
    for (seed, rules) in (0..).zip(Rules::ALL) {
        let mut rng = Rng::with_seed(seed);
        let mut go = Go9::new(6, rules, None).expect("a size that fits");
        let mut moves = Vec::new();
        for _ in 0..400 {
            go.turn(&mut moves);
            // The pass is listed last.
            let some = moves.len().saturating_sub(1).max(1);
            if go.passes() < 2 {
                go.play(moves[rng.usize(..some)]);
                check_structure(&go);
            }
        }
    }
}

/// All ways to fill the points from `at` on: stones only take liberties away, so whatever has none now never will.
fn legal_positions(board: &Board<111>, points: &[Point]) -> u64 {
    let Some((&point, rest)) = points.split_first() else {
        return 1;
    };
    let with = |side: Side| {
        let mut next = board.clone();
        let takes = next.put(point.cell(), side);
        if takes || !next.has_liberty(point.cell()) { 0 } else { legal_positions(&next, rest) }
    };
    // An empty point: its neighbours keep it as a liberty.
    legal_positions(board, rest) + with(Side::First) + with(Side::Second)
}

#[test]
fn counts_the_legal_positions() {
    for (size, positions) in [(2, 57), (3, 12_675), (4, 24_318_165)] {
        let board = Board::new(size);
        let points: Vec<Point> = board.points().collect();
        assert_eq!(legal_positions(&board, &points), positions, "{size}x{size}");
    }
}

/// The same through the door for text.
#[test]
fn reads_the_legal_positions() {
    for (size, positions) in [(2, 57), (3, 12_675)] {
        let points = size * size;
        let text = |number: usize| {
            let letter = |at: usize| ['.', 'X', 'O'][number / 3usize.pow(at as u32) % 3];
            let row = |row: usize| (0..size).map(|column| letter(row * size + column)).collect::<String>();
            (0..size).map(row).collect::<Vec<_>>().join("/") + " b"
        };
        let legal = (0..3usize.pow(points as u32)).filter(|&number| Go9::read(&text(number)).is_ok()).count();
        assert_eq!(legal, positions, "{size}x{size}");
    }
}

#[test]
fn captures() {
    for (before, moves, after) in [
        // One stone, in the corner, and on the edge.
        (". X . .\nX O . .\n. X . .\n. . . .", "C3", ". X . .\nX . X .\n. X . .\n. . . ."),
        ("O . .\nX . .\n. . .", "B3", ". X .\nX . .\n. . ."),
        ("X O .\n. X .\n. . .", "C3", "X . X\n. X .\n. . ."),
        // A chain, and two chains at once.
        (". X X .\nX O O .\n. X X .\n. . . .", "D3", ". X X .\nX . . X\n. X X .\n. . . ."),
        ("O . O .\nX X X .\n. . . .\n. . . .", "D4 D1 B4", ". X . X\nX X X .\n. . . .\n. . . O"),
        // Taking comes before suicide.
        (". O X .\nO X . .\nX . . .\n. . . .", "A4", "X . X .\n. X . .\nX . . .\n. . . ."),
        // Snapback: one stone in, taken, and five come off.
        (
            "O . . X .\nO O O X .\nX X X . .\n. . . . .\n. . . . .",
            "B5 C5 B5",
            ". X . X .\n. . . X .\nX X X . .\n. . . . .\n. . . . .",
        ),
        // Joining four chains makes one.
        (". X .\nX . X\n. X .", "B2", ". X .\nX X X\n. X ."),
    ] {
        let mut line = Line::new(position(before, "b"));
        assert_eq!(play(&mut line, moves), Ok(()), "{before}");
        let text = line.position().write();
        let expected = position(after, "b").write();
        assert_eq!(text.split(' ').next(), expected.split(' ').next(), "{before}\nafter {moves}");
        check_structure(line.position());
    }
}

#[test]
fn says_why_a_move_is_illegal() {
    let eye = ". X .\nX . X\n. X .";
    let ko = ". X O .\nX . X O\n. X O .\n. . . .";
    let two = ". O X .\nX X X .\n. . . .\n. . . .";
    for (picture, rest, mv, complaint) in [
        (eye, "w", "B3", "`B3`: there is a stone already"),
        (eye, "w", "b2", "`b2`: suicide"),
        (eye, "w - 0 0 0 7.5 tromp-taylor", "B2", "suicide"),
        (eye, "w - 2", "A1", "the game is over"),
        (eye, "w - 2", "pass", "the game is over"),
        (two, "w", "A4", "suicide"),
        (two, "w - 0 0 0 6.5 japanese", "A4", "suicide"),
        (ko, "w B3", "B3", "`B3`: ko"),
        (eye, "w", "D4", "A1 to C3"),
        (eye, "w", "I1", "`I1` is not a point"),
        (eye, "w", "", "not a point"),
        (eye, "w", "A0", "not a point"),
        (eye, "w", "A+1", "not a point"),
        (eye, "w", "é1", "not a point"),
        (eye, "w", "A99999999999999999999999", "not a point"),
    ] {
        let error = position(picture, rest).read_move(mv).expect_err(mv).to_string();
        assert!(error.contains(complaint), "{mv}: {error}");
    }
    assert_eq!(position(eye, "w").read_move(" PASS "), Ok(Move::Pass));
}

#[test]
fn a_ko_waits_one_move() {
    for rules in Rules::ALL {
        let start = ". X O .\nX O . O\n. X O .\n. . . .";
        let mut line = Line::new(position(start, &format!("b - 0 0 0 7.5 {rules}")));
        assert_eq!(play(&mut line, "C3"), Ok(()));
        assert_eq!(line.position().write(), format!("1XO1/X1XO/1XO1/4 w B3 0 1 0 7.5 {rules} 0"));
        assert!(play(&mut line, "B3").is_err_and(|error| error.contains("ko")), "{rules}");
        assert_eq!(play(&mut line, "A1 D1 B3"), Ok(()), "after a threat: {rules}");
        assert_eq!(line.position().ko(), read_point(4, "C3").ok());
    }
}

/// White puts a second stone beside the first, Black takes both, White takes one back: the board is as before, but it
/// is Black's turn.
#[test]
fn send_two_return_one() {
    let start = ". O . O\nX X O O\n. X . O\n. . . .";
    for (rules, moves, result) in [
        ("chinese", "A4 C4 B4", Err("B4 repeats")),
        ("tromp-taylor", "A4 C4 B4", Err("B4 repeats")),
        ("french", "A4 C4 B4 pass A4", Err("A4 repeats")),
        ("aga", "A4 C4 B4 pass A4", Err("A4 repeats")),
        ("japanese", "A4 C4 B4 pass A4", Ok(())),
    ] {
        let mut line = Line::new(position(start, &format!("w - 0 0 0 6.5 {rules}")));
        assert_eq!(play(&mut line, moves), result.map_err(str::to_owned), "{rules}");
    }
}

#[test]
fn triple_ko() {
    let start = "X O . O . X O . O\n. X O . . . X O .\n. . . . . . . . .\n. . . . . . . . .\n. . . . . . . . .\n\
                 . . . . . . . . .\n. . . . . . . . .\n. X O . . . . . .\nX . X O . . . . .";
    let round = "C9 B1 H9 B9 C1 G9";
    for rules in Rules::ALL {
        let mut line = Line::new(position(start, &format!("b - 0 0 0 6.5 {rules}")));
        let first = play(&mut line, round);
        if rules != Rules::Japanese {
            assert_eq!(first, Err("G9 repeats".to_owned()), "{rules}");
            continue;
        }
        assert_eq!(first, Ok(()));
        assert_ne!(line.turn(&mut Vec::new()), Turn::Over(Outcome::Draw));
        assert_eq!(play(&mut line, round), Ok(()));
        assert_eq!(line.turn(&mut Vec::new()), Turn::Over(Outcome::Draw), "no result");
    }
}

#[test]
fn suicide_by_tromp_taylor() {
    let mut line = Line::new(position(". O X .\nX X X .\n. . . .\n. . . .", "w - 0 0 0 7.5 tromp-taylor"));
    assert_eq!(play(&mut line, "A4"), Ok(()));
    assert_eq!(line.position().write(), "2X1/XXX1/4/4 b - 0 2 0 7.5 tromp-taylor 0");
    check_structure(line.position());
    // Nothing was taken yet, and still the board would come back.
    let mut line = Line::new(position(". . X .\nX X X .\n. . . .\n. . . .", "w - 0 0 0 7.5 tromp-taylor"));
    assert_eq!(play(&mut line, "B4 pass A4"), Err("A4 repeats".to_owned()));
}

#[test]
fn counts() {
    let apart = ". X O . .\nX X O O O\n. X O . O\nX X O O .\n. X O . .";
    let dead = ". X O X .\nX X O O O\n. X O . O\nX X O O .\n. X O . .";
    let dame = "X . O\nX . O\nX . O";
    for (picture, rest, gone, black, white) in [
        (apart, "b - 2 0 0 0 chinese", "", 10.0, 15.0),
        (apart, "b - 2 0 0 7.5 chinese 3", "", 10.0, 25.5),
        (apart, "b - 2 3 1 6.5 japanese", "", 6.0, 13.5),
        (apart, "b - 2 3 1 0 tromp-taylor", "", 10.0, 15.0),
        // Alive, a stone leaves its surroundings to nobody.
        (dead, "b - 2 0 0 0 chinese", "", 11.0, 13.0),
        (dead, "b - 2 0 0 0 chinese", "D5", 10.0, 15.0),
        (dead, "b - 2 0 0 0 japanese", "", 3.0, 4.0),
        (dead, "b - 2 0 0 0 japanese", "D5", 3.0, 7.0),
        (dame, "b - 2 0 0 0 aga", "", 3.0, 3.0),
        (dame, "b - 2 0 0 0 aga", "C2 B1", 9.0, 0.0),
        (dame, "b - 2 0 0 0.5 japanese", "", 0.0, 0.5),
        (". . .\n. . .\n. . .", "b - 2 0 0 0 french", "", 0.0, 0.0),
    ] {
        let go = position(picture, rest);
        let gone: Vec<Point> =
            gone.split_whitespace().map(|text| read_point(go.size(), text).expect("a point")).collect();
        let count = go.count(&gone);
        assert_eq!((count.black, count.white), (black, white), "{picture}\n{rest} {gone:?}");
        if gone.is_empty() {
            assert_eq!(go.lead() as f32 / 2.0, count.lead());
            assert_eq!(go.turn(&mut Vec::new()), Turn::Over(count.outcome()));
        }
    }
    let owners = position(dame, "b").count(&[]).owners;
    assert_eq!(owners[..3], [Some(Side::First), None, Some(Side::Second)]);
    assert_eq!(position(dame, "b - 2 0 0 0 aga").turn(&mut Vec::new()), Turn::Over(Outcome::Draw));
}

#[test]
fn handicap_stones() {
    let names = |size, stones| {
        let points = fixed_handicap(size, stones).map_err(|error| error.to_string())?;
        let name = |point| Go19::new(19, Rules::Chinese, None).map(|go| go.point_name(point)).ok();
        Ok::<_, String>(points.into_iter().filter_map(name).collect::<Vec<_>>().join(" "))
    };
    for (stones, places) in [
        (2, "D4 Q16"),
        (3, "D4 Q16 D16"),
        (4, "D4 Q16 D16 Q4"),
        (5, "D4 Q16 D16 Q4 K10"),
        (6, "D4 Q16 D16 Q4 D10 Q10"),
        (7, "D4 Q16 D16 Q4 D10 Q10 K10"),
        (8, "D4 Q16 D16 Q4 D10 Q10 K4 K16"),
        (9, "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10"),
    ] {
        assert_eq!(names(19, stones), Ok(places.to_owned()));
    }
    for (size, stones) in [(6, 2), (7, 5), (8, 5), (9, 10), (9, 1), (19, 0), (26, 2), (usize::MAX, 4)] {
        assert!(fixed_handicap(size, stones).is_err(), "{stones} on {size}");
    }
    for (size, stones, text) in [
        (9, 3, "9/9/2X3X2/9/9/9/2X6/9/9 w - 0 0 0 0.5 chinese 3"),
        (7, 4, "7/7/2X1X2/7/2X1X2/7/7 w - 0 0 0 0.5 chinese 4"),
    ] {
        assert_eq!(
            Go9::with_fixed_handicap(size, Rules::Chinese, None, stones).map(|go| go.write()),
            Ok(text.to_owned())
        );
    }
    for (rules, points) in Rules::ALL.into_iter().zip([4, 0, 3, 3, 0]) {
        let go = Go13::with_fixed_handicap(13, rules, None, 4).expect("four stones");
        assert_eq!((go.compensation(), go.to_move(), go.komi()), (points, Side::Second, Komi::HANDICAP), "{rules}");
        assert_eq!(go.board().stones(Side::First), 4);
    }
    let free = |names: &str| {
        let points: Vec<_> = names.split_whitespace().map(|name| read_point(5, name).expect("a point")).collect();
        Go9::with_free_handicap(5, Rules::Aga, Komi::new(2.0).ok(), &points).map(|go| go.write())
    };
    assert_eq!(free("A1 C3 E5"), Ok("4X/5/2X2/5/X4 w - 0 0 0 2 aga 2".to_owned()));
    assert!(free("A1 A1").is_err_and(|error| error.to_string().contains("two handicap stones on A1")));
    assert!(free("A1").is_err_and(|error| error.to_string().contains("2 to 24")));
    let far = read_point(19, "T1").expect("a point");
    assert!(Go9::with_free_handicap(5, Rules::Aga, None, &[far, far]).is_err());
}

#[test]
fn stars() {
    for (size, stars) in [(2, 0), (4, 0), (5, 1), (7, 5), (8, 4), (9, 5), (13, 5), (19, 9), (25, 9), (0, 0), (99, 0)] {
        assert_eq!(star_points(size).len(), stars, "{size}");
    }
}

#[test]
fn refuses_what_is_no_position() {
    for (text, complaint) in [
        ("", "1 row(s)"),
        ("9", "1 row(s)"),
        ("2/2", "the side to move"),
        ("2/2 x", "b or w, not `x` (character 5)"),
        ("2/3 b", "run of 3 empty points in a row of 2 (character 3)"),
        ("2/02 b", "run of 0"),
        ("2/1 b", "row 2 has 1 points, but there are 2 rows"),
        ("3/XXXX/3 b", "row 2 has 4 points"),
        ("3/2X1/3 b", "row 2 has 4 points"),
        ("3/2/3 b", "row 2 has 2 points"),
        ("2/2/ b", "row 1 has 2 points, but there are 3 rows"),
        ("2/1Z b", "`Z` is none of X, O"),
        ("2/1\u{1f600} b", "none of X, O"),
        ("19/19 b", "run of 19"),
        ("99999999999999999999999999/2 b", "run of"),
        ("XX/XX b", "A2 has no liberty"),
        ("XO/O1 b", "A2 has no liberty"),
        ("2/2 b - 3", "passes are a number from 0 to 2, not `3`"),
        ("2/2 b - +1", "passes"),
        ("2/2 b - 0 x", "prisoners"),
        ("2/2 b - 0 0 99999999999", "prisoners"),
        ("2/2 b - 0 0 0 7.3", "komi 7.3 is not"),
        ("2/2 b - 0 0 0 1000", "-200 to 200"),
        ("2/2 b - 0 0 0 7.5 ing", "no rule set"),
        ("2/2 b - 0 0 0 7.5 aga 626", "points for handicap"),
        ("2/2 b - 0 0 0 7.5 aga 0 more", "`more` is more than a position has (character 25)"),
        ("4/4/4/4 b Z9", "`Z9` is not a point"),
        ("4/4/4/4 b B3", "not shut in"),
        ("1XO1/X1XO/1XO1/4 w A3", "there is a stone"),
        ("1XO1/X1XO/1XO1/4 w B3 1", "a pass ends a ko"),
        ("1XO1/X1XO/1XO1/4 b B3", "not shut in"),
        ("1X2/X1X1/1X2/4 w B3", "would not take exactly one"),
        ("X1XO/OXO1/4/4 w B4", "would not take exactly one"),
        ("19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19 b", "2 to 9 lines"),
        (&"9/".repeat(100_000), "more than 25 rows"),
    ] {
        let error = Go9::read(text).expect_err(text).to_string();
        assert!(error.contains(complaint), "`{}`: {error}", tengen_core::refuse(text));
    }
}

proptest::proptest! {
    /// Whatever the text, reading it gives an error or a position that can be played to the end.
    #[test]
    fn any_text_is_read_or_refused(
        text in "([XO.]{3}/){2}[XO.]{3} [bw]( (-|[A-C][1-3])( [012]( [0-9]{1,9}){0,3})?)?|[0-9XO./]{0,12}( [bw])?|.{0,40}",
        mv in "[A-Da-d][0-9]{1,2}|.{0,8}",
    ) {
        let _ = (size_in_text(&text), read_point(9, &text));
        if let Ok(go) = Go9::read(&text) {
            assert_eq!(Go9::read(&go.write()).map(|again| again.write()), Ok(go.write()));
            if let Ok(mv) = go.read_move(&mv) {
                go.clone().play(mv);
            }
            check_structure(&go);
            go.clone().playout(&mut Rng::with_seed(1), 1000, |_, _| ());
        }
    }
}

#[test]
fn reads_what_people_leave_out() {
    for (text, whole) in [
        ("2/2 b", "2/2 b - 0 0 0 7.5 chinese 0"),
        ("../.. w", "2/2 w - 0 0 0 7.5 chinese 0"),
        ("x./.o W - 1", "X1/1O w - 1 0 0 7.5 chinese 0"),
        ("1.1/X.O/3 b - 0 4 2 -3.5 Japanese", "3/X1O/3 b - 0 4 2 -3.5 japanese 0"),
        ("1XO1/X1XO/1XO1/4 w b3", "1XO1/X1XO/1XO1/4 w B3 0 0 0 7.5 chinese 0"),
    ] {
        assert_eq!(Go9::read(text).map(|go| go.write()), Ok(whole.to_owned()), "{text}");
    }
    for (text, size) in [("2/2 b", Some(2)), ("19/".repeat(18).as_str(), Some(19)), ("9", None), ("", None)] {
        assert_eq!(size_in_text(text).ok(), size, "{text}");
    }
}

#[test]
fn sizes_fit_their_boards() {
    for (size, fits) in [(0, [false; 4]), (1, [false; 4]), (26, [false; 4]), (usize::MAX, [false; 4])]
        .into_iter()
        .chain((2..=9).map(|size| (size, [true, false, false, false])))
        .chain((10..=13).map(|size| (size, [false, true, false, false])))
        .chain((14..=19).map(|size| (size, [false, false, true, false])))
        .chain((20..=25).map(|size| (size, [false, false, false, true])))
    {
        let rules = Rules::default();
        let made = [
            Go9::new(size, rules, None).is_ok(),
            Go13::new(size, rules, None).is_ok(),
            Go19::new(size, rules, None).is_ok(),
            Go25::new(size, rules, None).is_ok(),
        ];
        assert_eq!(made, fits, "size {size}");
    }
    assert_eq!(size_of::<Move>(), 2);
    assert!(size_of::<Go9>() <= 960 && size_of::<Go19>() <= 3440, "{} {}", size_of::<Go9>(), size_of::<Go19>());
}

/// Every sensible move is drawn as often as any other, and no other.
#[test]
fn playouts_draw_uniformly() {
    // Black may not fill the eye in the corner, and kills itself on E1; the rest is open, or takes.
    let start = position(". X . . .\nX X . . .\n. . . . .\nX X X O O\nX . X O .", "b");
    let mut sensible: HashSet<Move> = HashSet::new();
    for point in start.board().points() {
        let name = start.point_name(point);
        if start.is_legal(point) && name != "A5" && name != "B1" {
            sensible.insert(Move::At(point));
        }
    }
    assert!(!sensible.contains(&Move::At(read_point(5, "E1").expect("a point"))));
    let mut drawn: HashMap<Move, u32> = HashMap::new();
    let mut rng = Rng::with_seed(1);
    let games = 2000 * sensible.len() as u32;
    for _ in 0..games {
        start.clone().playout(&mut rng, 1, |_, mv| *drawn.entry(mv).or_default() += 1);
    }
    assert_eq!(drawn.keys().copied().collect::<HashSet<_>>(), sensible);
    // Five standard deviations of a count with mean 2000.
    assert!(drawn.values().all(|times| times.abs_diff(2000) < 220), "{drawn:?}");
}

#[test]
fn playouts_pass_when_only_eyes_are_left() {
    let start = position(". X . X\nX X X X\nX . X O\nX X O .", "b");
    let mut seen = Vec::new();
    let outcome = start.clone().playout(&mut Rng::with_seed(1), 100, |side, mv| seen.push((side, mv)));
    assert!(outcome.is_some());
    assert_eq!(seen.first().map(|(side, _)| *side), Some(Side::First));
    assert_eq!(seen[seen.len() - 2..].iter().map(|(_, mv)| *mv).collect::<Vec<_>>(), [Move::Pass; 2]);
    // A game that is over stays so, and one that may not go on says nothing.
    assert_eq!(
        position("2/2", "b - 2").playout(&mut Rng::with_seed(1), 0, |_, _| ()),
        Some(Outcome::Win(Side::Second))
    );
    assert_eq!(position("2/2", "b - 1").playout(&mut Rng::with_seed(1), 0, |_, _| ()), None);
}

#[test]
fn eyes() {
    let picture = ". X . O .\nX X X O O\nO X . X O\n. X X X .\nX O O . O";
    let cut = ". X . O .\nO X X O O\n. X . X O\n. X X O .\n. . . . .";
    for (picture, name, owner) in [
        (picture, "A5", "Black"),
        (picture, "C3", "Black"),
        (picture, "E5", "White"),
        (picture, "C5", ""),
        (picture, "A2", ""),
        (picture, "B5", ""),
        // Two stones of the opponent on the diagonals in the middle, one at the edge.
        (cut, "C3", ""),
        (". X . .\nX O . .\n. . . .\n. . . .", "A4", ""),
        (". X . .\nX . . .\n. . . .\n. . . .", "A4", "Black"),
    ] {
        let go = position(picture, "b");
        let point = read_point(go.size(), name).expect("a point");
        let owners = Side::BOTH.into_iter().filter(|&side| go.board().is_eye_like(point, side));
        let owners: Vec<&str> = owners.map(|side| Go9::SIDES[side.index()]).collect();
        assert_eq!(owners.concat(), owner, "{name} in\n{picture}");
    }
}

#[test]
fn pictures_name_the_points_from_the_top_left() {
    let go = Go9::new(9, Rules::Japanese, None).expect("a size that fits");
    let drawn = go.draw();
    let names: Vec<&str> = drawn.cells.iter().map(|cell| cell.name.as_str()).collect();
    assert_eq!((names[0], names[8], names[72], names[80]), ("A9", "J9", "A1", "J1"));
    assert!(drawn.facts.iter().any(|fact| fact.name == "komi" && fact.value == "6.5"));
    assert!(go.touched(Move::Pass).is_empty());
    let mv = go.read_move("c2").expect("a move");
    assert_eq!(go.touched(mv), ["C2"]);
    assert_eq!(go.write_move(go.transformed_move(mv, 1)), "G2");
}
