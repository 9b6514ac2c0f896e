//! Whatever a file holds: refused with a reason or read; never a panic, and what is written can be read again.

use proptest::prelude::*;
use std::path::Path;
use std::time::{Duration, Instant};
use tengen_record::limits::{DEEPEST, MOST_BYTES};
use tengen_record::{Format, GameTree, Played, Record, epd, export, import, openings_in, pgn, read_file, sgf};

/// Text made of the pieces that SGF files are made of.
fn like_sgf() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("(".to_owned()),
        Just(")".to_owned()),
        Just(";".to_owned()),
        "(B|W|AB|AW|AE|PL|SZ|HA|KM|GM|C|TR|LB|AR|RE|DD|Black|x)",
        "\\[[a-t]{0,2}\\]",
        "\\[[a-t]{2}:[a-t]{2}\\]",
        "\\[[0-9:.]{0,4}\\]",
        "\\[\\PC{0,6}\\]",
        "\\PC{0,3}",
        "[\\\\\\]\\[\n]",
    ];
    proptest::collection::vec(piece, 0..60).prop_map(|pieces| format!("(;{}", pieces.concat()))
}

/// Text made of the pieces that PGN files are made of.
fn like_pgn() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[1-3]\\.(\\.\\.)? ?",
        "(e4|e5|d4|d5|Nf3|Nc6|Bb5|O-O|exd5|e2e4|a8=Q|Qh5\\+|--|N@f3|Cf3) ",
        "[(){};!?$*\n]",
        "\\$[0-9]{1,3} ",
        "(1-0|0-1|1/2-1/2|\\*)",
        "\\{\\[%(clk|eval|csl|cal|emt) [0-9:#,.a-hRG]{0,8}\\]\\}",
        "\n\\[(Event|White|Result|FEN|Variant|Date|X) \"[\\PC&&[^\"\\\\]]{0,8}\"\\]\n",
        "\\PC{0,4}",
    ];
    proptest::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = import(&bytes);
        let _ = sgf::read(&bytes);
        let _ = pgn::read(&bytes);
        let _ = openings_in(&bytes);
        let _ = epd::read(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn sgf_comes_back(text in like_sgf()) {
        if let Ok(trees) = sgf::read(text.as_bytes()) {
            prop_assert_eq!(&sgf::read(sgf::write(&trees).as_bytes()).expect("our own file"), &trees);
            for tree in &trees {
                if let Ok(game) = sgf::to_game(tree) {
                    let written = sgf::from_game(&game).expect("what was read can be written");
                    let again = sgf::to_game(&written).expect("our own file");
                    let moves = |game: &GameTree| game.nodes().iter().map(|node| node.played.text.clone()).collect::<Vec<_>>();
                    prop_assert_eq!(moves(&again), moves(&game));
                }
            }
        }
    }

    #[test]
    fn pgn_comes_back(text in like_pgn()) {
        for game in pgn::games(text.as_bytes()).filter_map(Result::ok) {
            let written = pgn::write(&game).expect("what was read can be written");
            let again = pgn::read(written.as_bytes());
            // A game without tags and moves is written, but is no game.
            if game.nodes().len() > 1 {
                let again = again.expect(&written);
                prop_assert_eq!(again.len(), 1, "{}", written);
                let moves = |game: &GameTree| game.nodes().iter().map(|node| node.played.text.clone()).collect::<Vec<_>>();
                prop_assert_eq!(moves(&again[0]).len(), moves(&game).len(), "{}", written);
                prop_assert_eq!(again[0].record().moves.len(), game.record().moves.len());
            }
        }
    }

    #[test]
    fn epd_comes_back(line in "(rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR|4k3/8/8/8/8/8/8/4K2R) [wb] [KQkq-]{1,4} - ([a-z]{2} [a-h1-8\"; ]{0,6};){0,3}") {
        if let Ok(epd) = epd::Epd::read(&line) {
            prop_assert_eq!(epd::Epd::read(&epd.to_string()).expect("our own line"), epd);
        }
    }

    #[test]
    fn json_comes_back(parents in proptest::collection::vec((any::<prop::sample::Index>(), "\\PC{0,5}"), 0..40)) {
        let mut tree = GameTree::new(Record { game: "connect4".to_owned(), ..Record::default() });
        for (parent, text) in parents {
            let parent = parent.index(tree.nodes().len());
            let at = tree.add(parent, Played::new(text));
            tree.promote(at);
        }
        let text = export(std::slice::from_ref(&tree), Format::Json).expect("JSON holds every game");
        prop_assert_eq!(import(text.as_bytes()).expect("our own line"), vec![tree]);
    }
}

#[test]
fn brackets_without_end_are_no_danger() {
    for open in ["(", "(;", "(;B[aa]", "((((;"] {
        let deep = format!("(;{}", open.repeat(200_000));
        let _ = import(deep.as_bytes());
    }
    let _ = import("1. e4 ".to_owned().repeat(2).as_bytes());
    let nested = |depth: usize| format!("1. e4 {}", "(1. d4 ".repeat(depth));
    let games = import(nested(DEEPEST).as_bytes()).expect("variations in variations");
    assert_eq!(games[0].nodes().len(), DEEPEST + 2);
    let _ = export(&games, Format::Pgn).expect("and back");
    for text in
        [nested(DEEPEST + 1), format!("(;SZ[9]{}", "(;B[aa]".repeat(DEEPEST)), format!("1. e4 {}", "(".repeat(800_000))]
    {
        let error = import(text.as_bytes()).expect_err("too deep").to_string();
        assert!(error.contains("variations within variations"), "{error}");
    }
}

/// What took time or memory out of proportion once, or might: some hundred thousand of each are read in a moment, or refused.
#[test]
fn reading_takes_time_in_proportion() {
    let tags: String = (0..80_000).map(|number| format!("[A{number} \"x\"]\n")).collect();
    for (name, text, nodes) in [
        ("variations of PGN", format!("1. e4 {} e5 *", "(1. d4) ".repeat(300_000)), Ok(300_003)),
        ("empty variations", format!("1. e4 {} e5 *", "() ".repeat(300_000)), Ok(3)),
        ("impossible variations", format!("1. e4 {} e5 *", "(1. Qh8) ".repeat(200_000)), Ok(3)),
        ("a long game", format!("1. e4 e5 {} *", "2. Nf3 Nf6 3. Ng1 Ng8 ".repeat(60_000)), Ok(240_003)),
        ("comments", format!("1. e4 {} *", "{a} ".repeat(300_000)), Ok(2)),
        ("tags", tags, Ok(1)),
        (
            "variations for either side",
            format!("(;SZ[9];B[aa]{0}{1}{0})", "(;W[bb])".repeat(80_000), "(;B[bb])".repeat(80_000)),
            Ok(240_003),
        ),
        ("stones by rectangles", format!("(;SZ[19]AB{})", "[aa:ss]".repeat(300_000)), Ok(1)),
        (
            "marks by rectangles",
            format!("(;SZ[19]{})", ";B[aa]TR[aa:ss];W[bb]TR[aa:ss]".repeat(1_000)),
            Err("500000 marks"),
        ),
        ("a game of SGF", format!("(;SZ[9]{})", ";B[bb];W[cc]".repeat(600_000)), Err("1000000 moves")),
        ("games", "1. e4 *\n\n".repeat(100_000), Ok(200_000)),
        (
            "a tree of JSON",
            format!("{{\"head\":{{}},\"nodes\":[{}{{}}]}}", "{},".repeat(1_000_000)),
            Err("1000000 moves"),
        ),
    ] {
        let begin = Instant::now();
        let found = import(text.as_bytes());
        let took = begin.elapsed();
        match (found, nodes) {
            (Ok(games), Ok(nodes)) => {
                assert_eq!(games.iter().map(|game| game.nodes().len()).sum::<usize>(), nodes, "{name}")
            }
            (Err(error), Err(complaint)) => assert!(error.to_string().contains(complaint), "{name}: {error}"),
            (found, _) => panic!("{name}: {:?}", found.map(|games| games.len())),
        }
        // A moment is a second at most where nothing else runs.
        assert!(took < Duration::from_secs(8), "{name}: {took:?}");
    }
}

#[test]
fn what_does_not_end_is_not_read() {
    for (path, complaint) in [("/dev/zero", "a device"), ("/", "a directory"), ("/no/such/file", "No such file")] {
        let error = read_file(Path::new(path)).expect_err(path).to_string();
        assert!(error.contains(complaint), "{path}: {error}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("long.sgf");
    // A file with a hole takes no room on the disk.
    std::fs::File::create(&path).and_then(|file| file.set_len(MOST_BYTES + 1)).expect("a hole");
    assert!(read_file(&path).expect_err("too long").to_string().contains("longer than 256 MB"));
}
