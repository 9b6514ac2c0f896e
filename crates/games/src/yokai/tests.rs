//! What the exam cannot know: the rules, case by case.

use super::{Goro56, Kind, Move, Rules, Rules34, Rules56, RulesGoro, Squares, Yokai, Yokai34, Yokai56};
use proptest::prelude::*;
use tengen_core::exam::Exam;
use tengen_core::{Line, Notation, Outcome, Picture, Position, Rng, Side, Turn};

/// A board as a picture, and what follows it in the text form.
fn position<R: Rules>(board: &str, rest: &str) -> Yokai<R> {
    let rows = board.lines().map(|row| row.split_whitespace().map(|cell| cell.replace('.', "1")).collect::<String>());
    let text = rows.collect::<Vec<_>>().join("/") + rest;
    Yokai::read(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The legal moves in order of their names, or how the game ended.
fn moves_or_end<R: Rules>(position: &Yokai<R>) -> String {
    let mut moves = Vec::new();
    match position.turn(&mut moves) {
        Turn::Over(outcome) => outcome.name().to_owned(),
        _ => {
            let mut names: Vec<String> = moves.iter().map(|&mv| position.write_move(mv)).collect();
            names.sort_unstable();
            names.join(" ")
        }
    }
}

fn play<R: Rules>(position: &mut Yokai<R>, moves: &str) {
    for name in moves.split_whitespace() {
        let mv = position.read_move(name).unwrap_or_else(|error| panic!("{name} in {}: {error}", position.write()));
        position.play(mv);
    }
}

#[test]
fn small_board_sits_the_exam() {
    // Positions have no history, so perft goes on where a Koropokkuru on the last row was spared; a line would end there.
    let perft = [4, 17, 123, 976, 8_122, 71_677, 645_705, 5_884_768];
    assert_eq!(Exam::new(Yokai34::new()).perft(&perft).sit(), 200, "every random game ends");
}

#[test]
fn big_board_sits_the_exam() {
    let finished = Exam::new(Yokai56::new()).games(100).perft(&[16, 253, 4_266, 71_546, 1_292_537]).sit();
    assert_eq!(finished, 100, "every random game ends");
}

/// The counts are those of Fairy-Stockfish.
#[test]
fn shogi_customs_sit_the_exam() {
    let finished = Exam::new(Goro56::new()).games(100).perft(&[16, 250, 4_166, 67_517]).sit();
    assert!(finished >= 80, "most random games end, but a king that must be mated can run for long: {finished}");
    let middle = Goro56::read("sgk1s/p2g1/1G1p1/2pPP/SG3/2K1S[P] w 5 13").expect("a position");
    assert_eq!([1, 2, 3].map(|depth| tengen_core::perft::perft(&middle, depth)), [30, 391, 9_102]);
}

#[test]
fn customs_of_shogi() {
    let moves = |board: &str, rest: &str| moves_or_end::<RulesGoro>(&position(board, rest));
    // Promotion is a choice, on the way in, inside and on the way out; but not for a Kodama on the last row.
    let board = ". . . . k\nP . . . .\n. . S . .\n. . . . .\n. . . . .\nK . . . .";
    let all = moves(board, "[] w");
    let of = |from: &str| all.split(' ').filter(|name| name.starts_with(from)).collect::<Vec<_>>().join(" ");
    assert_eq!(of("a5"), "a5a6+");
    assert_eq!(of("c4"), "c4b3 c4b5 c4b5+ c4c5 c4c5+ c4d3 c4d5 c4d5+");
    // The Koropokkuru is attacked by one piece: take it or go away; no drop helps.
    assert_eq!(moves("k . . . .\n. . . . .\n. . . . .\n. . . . .\n. s . . .\nK . G . .", "[PS] w"), "a1a2 a1b2 c1b2");
    // Mate, and stalemate too, is lost.
    assert_eq!(moves("k . . . .\n. . . . .\n. . . . .\n. g . . .\n. g . . .\nK . . . .", "[P] w"), "second");
    assert_eq!(moves("k . . . .\n. . . . .\n. . . . .\n. . g . .\n. . . . .\nK . . . .", "[] w"), "a1a2 a1b1");
    // A dropped Kodama must not mate; it may give check, and any other piece may mate.
    let board = "k . . . .\n. . G . .\nG . . . .\n. . . . .\n. . . . .\n. . . . K";
    let drops = moves(board, "[PS] w");
    let mates: Vec<&str> = drops.split(' ').filter(|name| name.ends_with("@a5")).collect();
    assert_eq!(mates, ["S@a5"]);
    let board = board.replace(". . G", ". . .");
    assert!(moves(&board, "[PS] w").split(' ').any(|name| name == "P@a5"));
    // Nobody can have left the Koropokkuru where it can be taken.
    assert!(Goro56::read("k4/G4/5/5/5/4K[-] w").is_err());
    assert!(Goro56::read("5/5/5/5/5/4K[K] b").is_err());
}

#[test]
fn every_kind_steps_its_own_way() {
    fn check<R: Rules>(board: &str, rest: &str, from: &str, expected: &str) {
        let position: Yokai<R> = position(board, rest);
        let all = moves_or_end(&position);
        let steps: Vec<&str> = all.split(' ').filter_map(|name| name.strip_prefix(from)).collect();
        assert_eq!(steps.join(" "), expected, "{from} in {}", position.write());
    }
    let small = |letters: &str, rest, expected| {
        check::<Rules34>(&". . l\n. . .\n. ? .\nL . .".replace('?', letters), rest, "b2", expected);
    };
    small("C", "[] w", "b3");
    small("c", "[] b", "b1");
    small("+C", "[] w", "a2 a3 b1 b3 c2 c3");
    small("+c", "[] b", "a1 a2 b1 b3 c1 c2");
    small("E", "[] w", "a3 c1 c3");
    small("e", "[] b", "a1 a3 c1 c3");
    small("G", "[] w", "a2 b1 b3 c2");
    small("g", "[] b", "a2 b1 b3 c2");

    let big = |letters: &str, rest, expected| {
        let board = ". . . . k\n. . . . .\n. . . . .\n. ? . . .\n. . . . .\nK . . . .".replace('?', letters);
        check::<Rules56>(&board, rest, "b3", expected);
    };
    big("P", "[] w", "b4");
    big("p", "[] b", "b2");
    big("S", "[] w", "a2 a4 b4 c2 c4");
    big("s", "[] b", "a2 a4 b2 c2 c4");
    for (first, second) in [("+P", "+p"), ("+S", "+s"), ("G", "g")] {
        big(first, "[] w", "a3 a4 b2 b4 c3 c4");
        big(second, "[] b", "a2 a3 b2 b4 c2 c3");
    }
    let king = ". . . . k\n. . . . .\n. . . . .\n. K . . .\n. . . . .\n. . . . .";
    check::<Rules56>(king, "[] w", "b3", "a2 a3 a4 b2 b4 c2 c3 c4");
    // Nothing steps over the edge, neither there nor back.
    let edges = "k . . . .\n. . . . .\n. . . . .\nG . . . G\n. . . . .\n. . . . K";
    check::<Rules56>(edges, "[] w", "a3", "a2 a4 b3 b4");
    check::<Rules56>(edges, "[] w", "e3", "d3 d4 e2 e4");
}

#[test]
fn last_row_of_the_small_board() {
    for (board, rest, expected, why) in [
        ("L . .\n. . .\n. . l\n. . .", "[] b", "first", "nothing can take it"),
        ("L . .\n. . g\n. . l\n. . .", "[] b", "first", "nothing near can take it"),
        ("L g .\n. . .\n. . l\n. . .", "[] b", "b4a4 b4b3 b4c4 c2b1 c2b2 c2b3 c2c1 c2c3", "taking is a choice"),
        ("L . .\nc . .\n. . l\n. . .", "[] b", "first", "a Kodama of White does not step upwards"),
        (
            "L . .\n. . .\n. . .\n. . l",
            "[] b",
            "first",
            "nothing can take it, and where the other was before is not known",
        ),
        (". . .\n. L .\n. . .\n. . l", "[] w", "second", "the far row of White is the first"),
        (". . .\n. . .\n. L .\n. . l", "[] w", "b2a1 b2a2 b2a3 b2b1 b2b3 b2c1 b2c2 b2c3", "one can take it"),
        (". . l\n. . .\n. . .\nL . .", "[] w", "a1a2 a1b1 a1b2", "the near row means nothing"),
    ] {
        assert_eq!(moves_or_end::<Rules34>(&position(board, rest)), expected, "{why}:\n{board}");
    }
    let king = "K . . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .\n. . k . .";
    assert_eq!(moves_or_end::<Rules56>(&position(king, "[] w")), "a6a5 a6b5 a6b6", "nor does any row here");
}

/// What a line knows and a position does not: that a Koropokkuru was on the last row and could have been taken.
#[test]
fn spared_on_the_last_row() {
    for (board, rest, moves, expected) in [
        // Taken: the game is lost. Spared, still attacked or not: it is won.
        (". g .\nL . .\n. l .\n. . .", "[] w", "a3a4 b4a4", "second"),
        (". g .\nL . .\n. l .\n. . .", "[] w", "a3a4 b2b1", "first"),
        (". g .\nL . .\n. l .\n. . .", "[] w", "a3a4 b4b3", "first"),
        // Both get there: the first who was spared wins.
        (". . .\nL . .\n. . l\n. G .", "[] b", "c2c1 a3a4", "second"),
        // Set up like this, nobody has spared anybody yet.
        ("L g .\n. . .\n. l .\n. . .", "[] w", "a4a3", ""),
    ] {
        let mut line = Line::new(position::<Rules34>(board, rest));
        for name in moves.split(' ') {
            let mv = line.position().read_move(name).unwrap_or_else(|error| panic!("{name}: {error}"));
            line.push(mv);
        }
        let outcome = match line.turn(&mut Vec::new()) {
            Turn::Over(outcome) => outcome.name(),
            _ => "",
        };
        assert_eq!(outcome, expected, "{moves} from\n{board}");
    }
}

#[test]
fn drops() {
    fn kodama<R: Rules>(board: &str, rest: &str) -> String {
        let all = moves_or_end::<R>(&position(board, rest));
        let drops = all.split(' ').filter(|name| name.starts_with(R::LETTERS[0][1]));
        drops.map(|name| &name[2..]).collect::<Vec<_>>().join(" ")
    }
    // On the small board anywhere: where it is stuck, and on a column with another.
    let board = ". g l\nC g e\nL . .\n. E .";
    assert_eq!(kodama::<Rules34>(board, "[C] w"), "a1 a4 b2 c1 c2");
    // On the big board neither on the last row nor on a column with an own one; a promoted one does not count.
    let board = "k G G s s\n. s S g .\nP +P p g .\n. . . . .\n. . . . .\n. . . . K";
    assert_eq!(kodama::<Rules56>(board, "[PPp] w"), "b1 b2 b3 c1 c2 c3 d1 d2 d3 e2 e3 e4 e5");
    assert_eq!(kodama::<Rules56>(board, "[PPp] b"), "a2 a3 a5 b2 b3 d2 d3 e2 e3 e4 e5");
    assert_eq!(kodama::<Rules56>(board, "[PP] b"), "");
}

#[test]
fn play_changes_what_it_should() {
    fn check<R: Rules>(text: &str, moves: &str, expected: &str) {
        let mut position = Yokai::<R>::read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        play(&mut position, moves);
        assert_eq!(position.write(), expected, "{moves} from {text}");
    }
    let small = check::<Rules34>;
    small("gle/1c1/1C1/ELG[-] w 0 1", "b2b3 b4b3 a1b2", "g1e/1l1/1E1/1LG[Cc] b 1 2");
    small("gle/3/1c1/ELG[C] w 7 9", "C@b3 b2b1", "gle/1C1/3/E+cG[l] w 0 10");
    // A step onto the last row promotes and a drop there does not; what was promoted goes into the hand as it was.
    small("2e/C1l/3/ELG[Cg] w 3 4", "a3a4", "+C1e/2l/3/ELG[Cg] b 0 4");
    small("2e/C1l/3/ELG[Cg] w 3 4", "C@a4", "C1e/C1l/3/ELG[g] b 0 4");
    small("+C1e/1l1/3/ELG[Cg] b 0 4", "b3a4", "l1e/3/3/ELG[Cgc] w 0 5");
    small("1le/+C2/3/ELG[Cg] w 2 4", "a3a4", "+Cle/3/3/ELG[Cg] b 3 4");
    let big = check::<Rules56>;
    // Into the zone, within it, and out of it.
    big("k4/5/P4/5/5/4K[-] w 0 1", "a4a5", "k4/+P4/5/5/5/4K[-] b 0 1");
    big("4k/S4/5/5/5/4K[-] w 0 1", "a5a6", "+S3k/5/5/5/5/4K[-] b 0 1");
    big("4k/S4/5/5/5/4K[-] w 0 1", "a5b4", "4k/5/1+S3/5/5/4K[-] b 0 1");
    big("4k/5/5/5/4s/K4[-] b 0 1", "e2d3", "4k/5/5/3+s1/5/K4[-] w 0 2");
    big("4k/G4/5/5/5/4K[-] w 4 1", "a5a6", "G3k/5/5/5/5/4K[-] b 5 1");
    big("4k/5/S4/5/5/4K[-] w 4 1", "a4b3", "4k/5/5/1S3/5/4K[-] b 5 1");
    big("4k/5/5/5/5/4K[Ss] w 4 1", "S@a5 S@a2", "4k/S4/5/5/s4/4K[-] w 0 2");
    big("4k/+S4/g4/5/5/4K[-] b 0 1", "a4a5", "4k/g4/5/5/5/4K[s] w 0 2");
    big("4k/+P4/g4/5/5/4K[p] b 0 1", "a4a5", "4k/g4/5/5/5/4K[pp] w 0 2");
    big("4k/4G/5/5/5/4K[-] w 0 65535", "e5e6", "4G/5/5/5/5/4K[K] b 0 65535");
}

#[test]
fn capture_of_the_koropokkuru_ends_the_game() {
    let mut line = Line::new(Yokai34::new());
    for name in ["b2b3", "b4b3", "a1b2", "b3b2", "b1b2"] {
        let mv = line.position().read_move(name).expect(name);
        line.push(mv);
    }
    assert_eq!(line.turn(&mut Vec::new()), Turn::Over(Outcome::Win(Side::First)));
    assert_eq!(line.position().captor(), Some(Side::First));
    let error = line.position().read_move("a4a3").expect_err("it is over").to_string();
    assert!(error.contains("over"), "{error}");
}

#[test]
fn the_third_time_is_a_draw() {
    fn check<R: Rules>(there_and_back: [&str; 4]) {
        let mut line = Line::new(Yokai::<R>::new());
        for ply in 0..8 {
            assert!(matches!(line.turn(&mut Vec::new()), Turn::Decision(_)), "after {ply} plies");
            let mv = line.position().read_move(there_and_back[ply % 4]).expect("legal");
            line.push(mv);
        }
        assert_eq!(line.turn(&mut Vec::new()), Turn::Over(Outcome::Draw));
    }
    check::<Rules34>(["c1c2", "a4a3", "c2c1", "a3a4"]);
    check::<Rules56>(["c1c2", "c6c5", "c2c1", "c5c6"]);
}

#[test]
fn who_cannot_move_has_lost() {
    let board = "K G G G G\n+S +S +S +S +P\nP P P P P\n. . . . .\n. . . . .\n. . k . .";
    assert_eq!(moves_or_end::<Rules56>(&position(board, "[] w")), "second");
}

#[test]
fn attacked_squares_are_those_that_steps_reach() {
    fn check<R: Rules>() {
        let mut moves = Vec::new();
        for seed in 0..50 {
            let mut position = Yokai::<R>::new();
            position.playout(&mut Rng::with_seed(seed), 10 + seed as u32, |_, _| {});
            if let Turn::Decision(side) = position.turn(&mut moves) {
                let steps = moves.iter().filter(|&&mv| Yokai::<R>::origin(mv).is_some());
                let reached = steps.fold(0 as Squares, |all, &mv| all | 1 << Yokai::<R>::target(mv));
                assert_eq!(position.attacked(side) & !position.pieces(side), reached, "{}", position.write());
            }
        }
    }
    check::<Rules34>();
    check::<Rules56>();
}

#[test]
fn says_what_stands_where() {
    let position: Yokai56 =
        position("k . . . .\n. +S . . .\n. . . . .\n. . . . .\n. . . s .\n. . . . K", "[PPGsp] w 3 12");
    assert_eq!(position.at(21), Some((Side::First, Kind::SuperOni)));
    assert_eq!(position.at(8), Some((Side::Second, Kind::Oni)));
    assert_eq!(position.at(0), None);
    assert_eq!(position.pieces_of(Side::First, Kind::SuperOni), 1 << 21);
    assert_eq!(position.pieces_of(Side::Second, Kind::SuperOni), 0);
    assert_eq!(position.pieces_of(Side::First, Kind::Tanuki), 0, "there is none in this game");
    let hand = |side| [Kind::Kodama, Kind::Oni, Kind::Kirin, Kind::Samurai].map(|kind| position.hand(side, kind));
    assert_eq!(hand(Side::First), [2, 0, 1, 0]);
    assert_eq!(hand(Side::Second), [1, 1, 0, 0]);
    assert_eq!((position.quiet(), position.number()), (3, 12));
    let drop = position.read_move("P@c3").expect("legal");
    assert_eq!((Yokai56::origin(drop), Yokai56::target(drop)), (None, 12));
    assert_eq!(Yokai56::dropped(drop), Some(Kind::Kodama));
    let step = position.read_move("b5c5").expect("legal");
    assert_eq!((Yokai56::origin(step), Yokai56::target(step), Yokai56::dropped(step)), (Some(21), 22, None));
}

#[test]
fn small_positions_pack_apart() {
    let mut packed = std::collections::HashMap::new();
    for seed in 0..2000 {
        let mut position = Yokai34::new();
        position.playout(&mut Rng::with_seed(seed), 3 + seed as u32 % 40, |_, _| {});
        let text = position.write();
        // Without the counters.
        let text = text.split(' ').take(2).collect::<Vec<_>>().join(" ");
        assert_eq!(*packed.entry(position.packed()).or_insert(text.clone()), text);
    }
    assert!(packed.len() > 500);
}

#[test]
fn reads_other_ways_to_write_a_position() {
    for text in [
        "gle/1c1/1C1/ELG[-] w 0 1",
        "gle/1c1/1C1/ELG[] w 0 1",
        "gle/1c1/1C1/ELG w 0 1",
        "gle/1c1/1C1/ELG[] w",
        "gle/1c1/1C1/ELG[] w 0",
        "gle/1c1/1C1/ELG[] w - - 0 1",
        "  gle/1c1/1C1/ELG[-]  w\t0 0 ",
        "gle/1c1/1C1/ELG[-] w 0 0001",
        "gle/1c1/1C1/ELG[] w - -",
    ] {
        assert_eq!(Yokai34::read(text), Ok(Yokai34::new()), "{text}");
    }
    let hands = Yokai56::read("4k/5/5/5/5/4K[sPGpSPK]").map_err(|error| error.to_string());
    assert_eq!(hands, Err("after the board comes the side to move, w or b".to_owned()));
    let hands = Yokai56::read("4k/5/5/5/5/4K[sPGpSP] b - - 5 7").expect("a position");
    assert_eq!(hands.write(), "4k/5/5/5/5/4K[GPPSps] b 5 7");
}

#[test]
fn refuses_what_is_no_position() {
    for (text, complaint) in [
        ("", "empty"),
        ("gle/1c1/1C1 w 0 1", "ends too soon"),
        ("gle/1c1/1C1/EL+ w 0 1", "ends too soon"),
        ("gle/1c1/1C1/ELG", "side to move"),
        ("gle/1c1/1C1/ELG[-] x 0 1", "not `x` (character 20)"),
        ("gle/1c1/1C1/ELG/3[-] w 0 1", "only 4 rows (character 16)"),
        ("gle/1c/1C1/ELG[-] w 0 1", "this one only 2 (character 7)"),
        ("gle/1c2/1C1/ELG[-] w 0 1", "only 3 squares (character 7)"),
        ("gle/1c1C/3/ELG[-] w 0 1", "only 3 squares (character 8)"),
        ("gle/9/1C1/ELG[-] w 0 1", "only 3 squares (character 5)"),
        ("gle/0c1/1C1/ELG[-] w 0 1", "`0` is no piece: they are C E L G c e l g (character 5)"),
        ("gle/1é1/1C1/ELG[-] w 0 1", "`é` is no piece"),
        ("gle/1c1/1C1/EL+G[-] w 0 1", "G does not promote (character 16)"),
        ("gle/1c1/1C1/E+LG[-] w 0 1", "L does not promote"),
        ("gle/1c1/1C1/+ELG[-] w 0 1", "E does not promote"),
        ("gle/1c1/++C1/ELG[-] w 0 1", "after + comes"),
        ("gle/1c1/1C1/ELG[C] w 0 1", "only 2 Kodama in the game (character 17)"),
        ("gle/1c1/1C1/ELG[c-] w 0 1", "only 2 Kodama"),
        ("gle/1c1/3/ELG[c-] w 0 1", "`-` is no piece"),
        ("gle/1c1/3/ELG[+C] w 0 1", "`+` is no piece"),
        ("gle/1c1/3/ELG[C w 0 1", "not closed (character 14)"),
        ("gle/1c1/3/ELG[C]] w 0 1", "comes a space (character 17)"),
        ("gle/1cl/1C1/ELG[-] w 0 1", "only one Koropokkuru (character 7)"),
        ("g1e/1c1/1C1/ELG[-] w 0 1", "White has no Koropokkuru"),
        ("gle/1c1/1C1/E1G[-] w 0 1", "Black has no Koropokkuru"),
        ("g1e/1c1/1C1/ELG[L] w 0 1", "cannot have moved since"),
        ("g1e/1c1/1C1/E1G[Ll] w 0 1", "White has lost"),
        ("gle/1c1/1C1/ELG[L] b 0 1", "both on the board and in hand"),
        ("g1e/1c1/1C1/ELG[LL] b 0 1", "only one Koropokkuru"),
        ("gle/1c1/1C1/ELG[-] w -1 1", "`-1` is not a number"),
        ("gle/1c1/1C1/ELG[-] w 0 +1", "`+1` is not a number"),
        ("gle/1c1/1C1/ELG[-] w 0 99999999999999999999", "is not a number from 0 to 65535 (character 24)"),
        ("gle/1c1/1C1/ELG[-] w 0 1 1", "too much (character 26)"),
    ] {
        let error = Yokai34::read(text).expect_err(text).to_string();
        assert!(error.contains(complaint), "`{text}`: {error}");
    }
    for (text, complaint) in [
        ("gle/1c1/1C1/ELG[-] w 0 1", "`l` is no piece"),
        ("P3k/5/5/5/5/4K[-] w 0 1", "would have been promoted"),
        ("4k/5/5/5/5/p3K[-] w 0 1", "would have been promoted"),
        ("4k/P4/5/P4/5/4K[-] w 0 1", "only one Kodama on a column (character 9)"),
        ("4k/5/5/5/5/4K[PPPpppp] w 0 1", "only 6 Kodama"),
        ("4k/5/5/+S+s3/5/4K[SSS] w 0 1", "only 4 Oni"),
        ("4k/5/5/GG3/5/4K[ggg] w 0 1", "only 4 Kirin"),
        ("4k/+G4/5/5/5/4K[-] w 0 1", "G does not promote"),
    ] {
        let error = Yokai56::read(text).expect_err(text).to_string();
        assert!(error.contains(complaint), "`{text}`: {error}");
    }
}

#[test]
fn reads_and_refuses_moves() {
    fn check<R: Rules>(position: &Yokai<R>, text: &str, expected: Result<&str, &str>) {
        match (position.read_move(text), expected) {
            (Ok(mv), Ok(name)) => assert_eq!(position.write_move(mv), name, "`{text}`"),
            (Err(error), Err(complaint)) => assert!(error.to_string().contains(complaint), "`{text}`: {error}"),
            (found, _) => panic!("`{text}`: {found:?}"),
        }
    }
    let small: Yokai34 = position(". . e\nC . l\n. g .\nE L G", "[C] w");
    for (text, expected) in [
        (" a3a4 ", Ok("a3a4")),
        ("A3A4+", Ok("a3a4")),
        ("c@b3", Ok("C@b3")),
        ("C@b3", Ok("C@b3")),
        ("b1b2", Ok("b1b2")),
        ("b1b2+", Err("b1b2 does not promote")),
        ("C@a4+", Err("C@a4 does not promote")),
        ("C@b2", Err("b2 is taken")),
        ("E@b3", Err("Black has no Kitsune in hand")),
        ("L@b3", Err("cannot be dropped")),
        ("X@b3", Err("is not a move")),
        ("C@d4", Err("`d4` is not a square: they are a1 to c4")),
        ("a5a4", Err("`a5` is not a square")),
        ("a2a3", Err("there is no piece on a2")),
        ("c3c2", Err("the piece on c3 is not Black's")),
        ("b1a1", Err("a piece of one's own stands on a1")),
        ("a1a2", Err("a Kitsune cannot step from a1 to a2")),
        ("b1b3", Err("a Koropokkuru cannot step from b1 to b3")),
        ("b1b1", Err("own stands on b1")),
        ("", Err("is not a move")),
        ("+", Err("is not a move")),
        ("b1b2++", Err("is not a move")),
        ("b1b2b3b4b5b6", Err("is not a move")),
        ("ééé😀", Err("is not a square")),
    ] {
        check(&small, text, expected);
    }
    let big: Yokai56 = position("k . . . .\n. . . . .\n. . . . .\n. P . . .\n. . . . .\n. . . . K", "[P] w");
    for (text, expected) in [
        ("P@a6", Err("a6 is taken")),
        ("P@c6", Err("could never move from c6")),
        ("P@b5", Err("a Kodama on the column of b5 already")),
        ("P@c3", Ok("P@c3")),
        ("b3b4+", Err("does not promote")),
    ] {
        check(&big, text, expected);
    }
}

#[test]
fn draws_board_and_hands() {
    let position: Yokai34 = position("+C . e\n. l .\n. . .\nE . G", "[Gl] w");
    let drawn = position.draw();
    let cell = |name: &str| drawn.cells.iter().find(|cell| cell.name == name).and_then(|cell| cell.piece);
    let shown = |name| cell(name).map(|piece| (piece.side, piece.shape, piece.letters));
    assert_eq!((drawn.width, drawn.height, drawn.cells[0].name.as_str()), (3, 4, "a4"));
    assert_eq!(shown("a4"), Some((Side::First, "samurai", "+C")));
    assert_eq!(shown("b3"), Some((Side::Second, "koropokkuru", "l")));
    assert_eq!(shown("b2"), None);
    let hands = drawn.hands.map(|hand| hand.iter().map(|(piece, n)| (piece.letters, *n)).collect::<Vec<_>>());
    assert_eq!(hands, [vec![("G", 1)], vec![("l", 1)]]);
    let touched = |name: &str| Yokai34::new().touched(Yokai34::new().read_move(name).expect(name));
    assert_eq!(touched("b2b3"), ["b2", "b3"]);
}

/// Reads a text and, if it is a position, plays on from it in every way.
fn try_text<R: Rules>(text: &str) {
    if let Ok(position) = Yokai::<R>::read(text) {
        assert_eq!(Yokai::read(&position.write()), Ok(position), "{text}");
        let mut moves: Vec<Move> = Vec::new();
        position.turn(&mut moves);
        for mv in moves {
            let mut next = position;
            next.play(mv);
            assert_eq!(Yokai::read(&next.write()), Ok(next), "{mv:?} from {text}");
        }
        let mut last = position;
        last.playout(&mut Rng::with_seed(1), 100, |_, _| {});
    }
}

proptest! {
    #[test]
    fn no_text_does_harm(text in "\\PC*", moves in "\\PC*") {
        try_text::<Rules34>(&text);
        try_text::<Rules56>(&text);
        let _ = Yokai34::new().read_move(&moves);
        let _ = Yokai56::new().read_move(&moves);
    }

    #[test]
    fn no_small_board_does_harm(
        rows in prop::collection::vec("[1-3CcEeGg+Ll]{1,4}", 4),
        rest in "(\\[[CcEeGgLl]{0,4}\\])? [wb]( [0-9]{1,6}){0,2}",
    ) {
        try_text::<Rules34>(&(rows.join("/") + &rest));
    }

    #[test]
    fn no_position_of_the_small_board_does_harm(
        king in 0usize..12, other in 0usize..12, cells in prop::collection::vec(0usize..24, 6), letters in "[CcEeGg]{6}", side in "[wb]"
    ) {
        let mut board = vec![String::from("1"); 12];
        for (&cell, letter) in cells.iter().zip(letters.chars()) {
            if let Some(square) = board.get_mut(cell) {
                *square = letter.into();
            }
        }
        board[other] = "l".into();
        board[king] = "L".into();
        let rows: Vec<String> = board.chunks(3).map(|row| row.concat()).collect();
        try_text::<Rules34>(&(rows.join("/") + "[] " + &side));
    }
}
