//! Files as programs and people write them.

use super::{games, read, write};
use crate::tree::Step;
use crate::{GameTree, Played, Record, Setup};
use tengen_core::{Outcome, Side};

fn shown(tree: &GameTree) -> String {
    let word = |step| match step {
        Step::Move(at) => tree.node(at).played.text.clone(),
        Step::Open => "(".to_owned(),
        Step::Close => ")".to_owned(),
    };
    tree.walk().map(word).collect::<Vec<_>>().join(" ")
}

/// The moves of each game of a text; and they are the same in a file of ours.
fn check(text: &str, moves: &[&str]) -> Vec<GameTree> {
    let games = read(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
    let all: Vec<String> = games.iter().map(shown).collect();
    assert_eq!(all, moves, "{text}");
    let written: String = games.iter().map(|game| write(game).expect("a game that was read")).collect();
    let again = read(written.as_bytes()).unwrap_or_else(|error| panic!("{written}: {error}"));
    assert_eq!(again.iter().map(shown).collect::<Vec<_>>(), moves, "{written}");
    for (again, game) in again.iter().zip(&games) {
        assert_eq!(again.head, game.head, "{written}");
    }
    games
}

#[test]
fn tidy_files() {
    let text = "[Event \"F/S Return Match\"]\n[Site \"Belgrade\"]\n[Date \"1992.11.04\"]\n[Round \"29\"]\n[White \"Fischer, R\"]\n[Black \"Spassky \\\"B\\\"\"]\n[Result \"1/2-1/2\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 {Ruy Lopez.} a6 4. Ba4 Nf6 5. O-O 1/2-1/2\n";
    let games = check(text, &["e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1"]);
    let head = &games[0].head;
    assert_eq!(head.players, ["Fischer, R", "Spassky \"B\""]);
    assert_eq!((head.event.as_str(), head.date.as_str()), ("F/S Return Match", "1992-11-04"));
    assert_eq!(head.ending.as_ref().map(|ending| ending.outcome), Some(Outcome::Draw));
    assert_eq!(head.tags.len(), 2);
    assert_eq!(games[0].node(5).played.comment, "Ruy Lopez.");
}

#[test]
fn untidy_files() {
    check("\u{feff}[Event \"x\"]\r\n\r\n1. e4 e5\r\n2. Nf3\r\n", &["e2e4 e7e5 g1f3"]);
    check("1.e4 e5 2.Nf3 ; a comment } to the end\n2...Nc6", &["e2e4 e7e5 g1f3 b8c6"]);
    check("1. e4 e5 *\n\n1. d4 d5 *\n", &["e2e4 e7e5", "d2d4 d7d5"]);
    check("1. e4 e5 1-0\n1. d4 d5 0-1\n", &["e2e4 e7e5", "d2d4 d7d5"]);
    check("1. e4 e5\n\n1. d4 d5", &["e2e4 e7e5", "d2d4 d7d5"]);
    check("[Event \"a\"]\n1. e4\n[Event \"b\"]\n1. d4", &["e2e4", "d2d4"]);
    check("1. e4\n\n\n1... e5\n\n2. Nf3", &["e2e4 e7e5 g1f3"]);
    check("1. e4 {never closed e5\n\n[Event \"b\"]\n\n1. d4", &["e2e4", "d2d4"]);
    check("1. e4 {never closed", &["e2e4"]);
    check("% escaped\n1. e4\n% 1... e6\n1... e5", &["e2e4 e7e5"]);
}

#[test]
fn moves_as_other_programs_write_them() {
    check("1. e2e4 e7-e5 2. Ng1-f3 Nb8c6 3. Bf1b5 Ng8f6 4. 0-0 Nxe4", &["e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 e1g1 f6e4"]);
    let fen = "[FEN \"8/P6k/8/3pP3/8/8/8/K7 w - d6 0 1\"]\n\n";
    for mv in ["exd6e.p.", "exd6", "e5d6", "exd6ep"] {
        check(&format!("{fen}1. {mv}"), &["e5d6"]);
    }
    for mv in ["a8=Q", "a8Q", "a7a8q", "a8=Q!"] {
        check(&format!("{fen}1. {mv}"), &["a7a8q"]);
    }
}

#[test]
fn variations_comments_and_glyphs() {
    let text = "{start} 1. e4! ({better} 1. d4 d5 (1... Nf6 2. c4) 2. c4) 1... e5?! {a\nb} (1... c5) 2. Nf3 $14 $10 *";
    let games = check(text, &["e2e4 ( d2d4 d7d5 ( g8f6 c2c4 ) c2c4 ) e7e5 ( c7c5 ) g1f3"]);
    let game = &games[0];
    assert_eq!(game.node(0).played.comment, "start");
    let at = |text: &str| game.nodes().iter().find(|node| node.played.text == text).expect("a move");
    assert_eq!(at("e2e4").nags, [1]);
    assert_eq!(at("d2d4").played.comment, "better");
    assert_eq!((at("e7e5").nags.as_slice(), at("e7e5").played.comment.as_str()), (&[6][..], "a b"));
    assert_eq!(at("g1f3").nags, [14, 10]);
    let again = read(write(game).expect("chess").as_bytes()).expect("our own file");
    for node in again[0].nodes() {
        let before = at(&node.played.text);
        assert_eq!((&node.played, &node.nags), (&before.played, &before.nags));
    }
    check("(1. d4) 1. e4", &["d2d4 ( e2e4 )"]);
    check("1. e4 (1. -- e5) (1. Qh5 e5) 1... e5 )", &["e2e4 e7e5"]);
}

#[test]
fn clocks_and_evaluations() {
    let text = "[TimeControl \"300+2\"]\n\n1. e4 { [%eval 0.3] [%clk 0:05:00] } 1... e5 { [%eval 0.5,20] [%clk 0:04:59] } 2. Nf3 { [%clk 0:04:50] }";
    let games = check(text, &["e2e4 e7e5 g1f3"]);
    let node = |at: usize| games[0].node(at);
    assert_eq!((node(1).played.lead, node(1).clock), (Some(0.3), Some(300.0)));
    assert_eq!((node(2).played.lead, node(2).played.depth), (Some(-0.5), Some(20)));
    assert_eq!(node(3).played.seconds, Some(12.0));
    assert_eq!(games[0].record().moves[2].seconds, Some(12.0));
}

#[test]
fn results() {
    for (tags, end, outcome, reason) in [
        ("[Result \"1-0\"]", "1-0", Some(Outcome::Win(Side::First)), ""),
        ("[Result \"1-0\"]", "", Some(Outcome::Win(Side::First)), ""),
        ("[Result \"1-0\"]", "0-1", Some(Outcome::Win(Side::Second)), ""),
        ("[Result \"1-0\"]\n[Termination \"Time forfeit\"]", "*", Some(Outcome::Win(Side::First)), "Time forfeit"),
        ("[Result \"*\"]\n[Termination \"Normal\"]", "1/2-1/2", Some(Outcome::Draw), ""),
        ("[Result \"*\"]", "*", None, ""),
    ] {
        let game = &check(&format!("{tags}\n\n1. e4 {end}"), &["e2e4"])[0];
        let ending = game.head.ending.as_ref();
        assert_eq!(ending.map(|ending| ending.outcome), outcome, "{tags} {end}");
        assert_eq!(ending.map_or("", |ending| &ending.reason), reason, "{tags} {end}");
    }
}

#[test]
fn variants() {
    for (variant, fen, moves, game, played) in [
        (
            "Crazyhouse",
            "",
            "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qxd2+ 4. Qxd2 P@e4",
            "crazyhouse",
            "e2e4 d7d5 e4d5 d8d5 b1c3 d5d2 d1d2 P@e4",
        ),
        ("Chess960", "4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1", "1. O-O Ke7", "chess960", "f1h1 e8e7"),
        ("Three-check", "", "1. e4 d5 2. Bb5+", "threecheck", "e2e4 d7d5 f1b5"),
        (
            "King of the Hill",
            "",
            "1. e4 e5 2. Ke2 Nf6 3. Kd3 Nxe4 4. Kxe4#",
            "koth",
            "e2e4 e7e5 e1e2 g8f6 e2d3 f6e4 d3e4",
        ),
        ("Atomic", "", "1. Nf3 f6 2. Nd4 Nc6 3. Nxc6", "atomic", "g1f3 f7f6 f3d4 b8c6 d4c6"),
        ("Racing Kings", "", "1. Kh3", "racingkings", "h2h3"),
        ("Antichess", "", "1. e3 b5 2. Bxb5", "antichess", "e2e3 b7b5 f1b5"),
        ("Horde", "", "1. a5", "horde", "a4a5"),
        ("From Position", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "1. O-O", "chess", "e1g1"),
    ] {
        let fen = if fen.is_empty() { String::new() } else { format!("[FEN \"{fen}\"]\n[SetUp \"1\"]\n") };
        let games = check(&format!("[Variant \"{variant}\"]\n{fen}\n{moves}"), &[played]);
        assert_eq!(games[0].head.game, game);
    }
    let games = check("[FEN \"4k3/8/8/8/8/8/8/1R3K1R w KQ - 0 1\"]\n\n1. O-O", &["f1h1"]);
    assert_eq!(games[0].head.game, "chess960", "told by its castling rights");
}

#[test]
fn what_cannot_be_read_is_said_with_its_line() {
    for (text, complaint) in [
        ("1. e4 e5\n2. Ke3", "line 2: 2. Ke3 is not legal"),
        ("[Event \"a\"]\n\n1. e4 e5\n2. Nf3 Nf7 *", "line 4: 2... Nf7 is not legal"),
        ("\n\n1. e4 e5 2. Cf3 Cc6", "line 3: `Cf3` is not a move in English SAN"),
        ("[FEN \"nonsense\"]\n\n1. e4", "`nonsense` is no position of chess"),
        ("[Variant \"Bughouse\"]\n\n1. e4", "the variant `Bughouse` is not known"),
        ("hello", "line 1: there is no game here"),
        ("", "there is no game in it"),
    ] {
        let error = read(text.as_bytes()).expect_err(text).to_string();
        assert!(error.contains(complaint), "{text}: {error}");
    }
    // The games after a bad one are read.
    let all: Vec<_> = games("1. e4 *\n\n1. e5 *\n\n1. d4 *".as_bytes()).collect();
    assert_eq!(all.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false, true]);
}

#[test]
fn what_cannot_be_written() {
    let game = |game: &str, setup: Setup, mv: &str| {
        GameTree::new(Record { game: game.to_owned(), setup, moves: vec![Played::new(mv)], ..Record::default() })
    };
    for (game, complaint) in [
        (game("go9", Setup::standard(), "E5"), "not `go9`"),
        (game("chess", Setup::standard(), "e2e5"), "move 1: `e2e5` is not legal in rnbq"),
        (game("chess", Setup::at("x"), "e2e4"), "`x` is no position"),
        (game("chess960", Setup { seed: Some(1), ..Setup::standard() }, "e2e4"), "seed"),
    ] {
        let error = write(&game).expect_err(complaint).to_string();
        assert!(error.contains(complaint), "{error}");
    }
}

#[test]
fn files_are_wrapped_at_eighty_letters() {
    let moves = ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(30).into_iter().map(Played::new).collect();
    let mut game = GameTree::new(Record { game: "chess".to_owned(), moves, ..Record::default() });
    game.node_mut(1).played.comment = "word ".repeat(60);
    let text = write(&game).expect("chess");
    assert!(text.lines().all(|line| line.len() < 80), "{text}");
    assert!(text.contains("1. Nf3 {word word"));
    assert!(text.replace('\n', " ").contains("} 1... Nf6 2. Ng1 Ng8 3. Nf3"), "{text}");
}
