//! The tables that chess and its variants are held to.

use super::*;
use std::collections::HashSet;
use tengen_core::exam::Exam;
use tengen_core::perft::perft;
use tengen_core::{Line, Notation};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn position<V: Variant>(fen: &str) -> Board<V> {
    Board::read(fen).unwrap_or_else(|error| panic!("`{fen}`: {error}"))
}

fn exam<V: Variant>(nodes: &[u64]) {
    Exam::new(Board::<V>::new()).games(24).longest(600).perft(nodes).sit();
}

#[test]
fn chess_sits_the_exam() {
    exam::<ChessRules>(&[20, 400, 8_902, 197_281, 4_865_609]);
}

#[test]
fn chess960_sits_the_exam() {
    exam::<Chess960Rules>(&[20, 400, 8_902, 197_281]);
    for n in [0, 300, 959] {
        Exam::new(Chess960::numbered(n).expect("below 960")).games(8).longest(200).sit();
    }
}

#[test]
fn crazyhouse_sits_the_exam() {
    exam::<CrazyhouseRules>(&[20, 400, 8_902, 197_281]);
}

#[test]
fn threecheck_sits_the_exam() {
    exam::<ThreeCheckRules>(&[20, 400, 8_902, 197_281]);
}

#[test]
fn koth_sits_the_exam() {
    exam::<KingOfTheHillRules>(&[20, 400, 8_902, 197_281]);
}

#[test]
fn atomic_sits_the_exam() {
    exam::<AtomicRules>(&[20, 400, 8_902, 197_326]);
}

#[test]
fn racingkings_sits_the_exam() {
    exam::<RacingKingsRules>(&[21, 421, 11_264, 296_242]);
}

#[test]
fn antichess_sits_the_exam() {
    exam::<AntichessRules>(&[20, 400, 8_067, 153_299]);
}

#[test]
fn horde_sits_the_exam() {
    exam::<HordeRules>(&[8, 128, 1_274, 23_310]);
}

#[test]
fn perft_of_other_positions() {
    fn check<V: Variant>(fen: &str, nodes: &[u64]) {
        for (depth, &nodes) in (1..).zip(nodes) {
            assert_eq!(perft(&position::<V>(fen), depth), nodes, "{} {depth} of {fen}", V::ID);
        }
    }
    check::<ChessRules>(KIWIPETE, &[48, 2_039, 97_862, 4_085_603]);
    check::<Chess960Rules>(KIWIPETE, &[48, 2_039, 97_862]);
    let published = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    check::<Chess960Rules>(published, &[21, 528, 12_189, 326_672]);
    let published = "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9";
    check::<Chess960Rules>(published, &[21, 807, 18_002, 667_366]);
    let published = "b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9";
    check::<Chess960Rules>(published, &[20, 479, 10_471, 273_318]);
    check::<CrazyhouseRules>("2k5/8/8/8/8/8/8/4K3[QRBNPqrbnp] w", &[301, 75_353]);
    let one_each = KIWIPETE.replace(" 0 1", " 1+1 0 1");
    check::<ThreeCheckRules>(&one_each, &[48, 2_039, 97_848]);
}

/// Twelve queens and every piece in hand are more moves than shakmaty's list holds.
#[test]
fn crowded_crazyhouse() {
    let crowd = position::<CrazyhouseRules>("1Q3Q1Q/3Q4/2Q3Q1/k7/2Q4Q/4Q3/KQ5Q/3Q1Q2[QRBNP] w");
    let mut moves = Vec::new();
    assert_eq!(crowd.turn(&mut moves), Turn::Decision(Side::First));
    assert_eq!(moves.len(), 455);
    let distinct: HashSet<u16> = moves.iter().map(|&mv| Board::<CrazyhouseRules>::code(mv)).collect();
    assert_eq!(distinct.len(), 455);

    // Castling is not forgotten on this way.
    let castle = position::<CrazyhouseRules>("1QQ3rk/QQ4pp/QQ6/QQ6/8/8/8/R3K2R[QRBNP] w KQ");
    castle.turn(&mut moves);
    assert_eq!(moves.iter().filter(|mv| mv.is_castle()).count(), 2);
}

#[test]
fn ends() {
    fn check<V: Variant>(table: &[(&str, Option<&str>)]) {
        for &(fen, expected) in table {
            let found = match position::<V>(fen).turn(&mut Vec::new()) {
                Turn::Over(outcome) => Some(outcome.name()),
                _ => None,
            };
            assert_eq!(found, expected, "{} {fen}", V::ID);
        }
    }
    check::<ChessRules>(&[
        ("7k/6Q1/6K1/8/8/8/8/8 b", Some("first")),
        ("7k/5Q2/6K1/8/8/8/8/8 b", Some("draw")),
        // Dead: bare kings, one minor piece, bishops on squares of one colour.
        ("8/8/4k3/8/8/3K4/8/8 w", Some("draw")),
        ("8/8/4k3/8/8/3K4/8/5B2 w", Some("draw")),
        ("8/8/4k3/8/8/3K4/8/5n2 w", Some("draw")),
        ("8/8/4k3/5b2/8/3K4/8/5B2 w", Some("draw")),
        ("8/8/4k3/5b2/8/3K4/8/2B5 w", None),
        ("8/8/4k3/5n2/8/3K4/8/2B5 w", None),
        ("8/8/4k3/8/8/3K4/8/1NN5 w", None),
        // Fifty moves of each side; mate comes first.
        ("7k/8/8/8/8/8/R7/K7 w - - 99 80", None),
        ("7k/8/8/8/8/8/R7/K7 w - - 100 80", Some("draw")),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 100 80", Some("first")),
    ]);
    check::<CrazyhouseRules>(&[
        ("R5k1/5ppp/8/8/8/8/8/6K1[] b", Some("first")),
        // A drop between rook and king.
        ("R5k1/5ppp/8/8/8/8/8/6K1[n] b", None),
        ("6k1/8/8/8/8/8/8/6K1[] b", Some("draw")),
        ("6k1/8/8/8/8/8/8/6K1[P] b", None),
    ]);
    check::<ThreeCheckRules>(&[
        ("4k3/8/8/8/8/8/8/4K2R w - - 1+1 0 1", None),
        ("4k2R/8/8/8/8/8/8/4K3 b - - 0+1 0 1", Some("first")),
        ("4k3/8/8/8/8/8/8/4K2R w - - 3+0 0 1", Some("second")),
        ("4k3/8/8/8/8/8/8/4K3 w - - 1+1 0 1", Some("draw")),
        ("4k3/8/8/8/8/8/8/4KN2 w", None),
    ]);
    check::<KingOfTheHillRules>(&[
        ("4k3/8/8/8/4K3/8/8/8 b", Some("first")),
        ("8/8/8/3k4/8/8/8/4K3 w", Some("second")),
        ("4k3/8/8/8/8/4K3/8/8 b", None),
    ]);
    check::<AtomicRules>(&[
        ("8/8/8/8/8/8/8/4K2R b", Some("first")),
        ("4k3/8/8/8/8/8/8/8 w", Some("second")),
        ("4k3/8/8/8/8/8/8/4K3 w", Some("draw")),
        // Kings side by side give no check.
        ("8/8/8/3kK2Q/8/8/8/8 b", None),
        ("7k/6Q1/8/8/8/8/8/4K3 b", Some("first")),
    ]);
    check::<RacingKingsRules>(&[
        // White is there, and Black can or cannot follow.
        ("4K3/7k/8/8/8/8/8/8 b", None),
        ("4K3/8/7k/8/8/8/8/8 b", Some("first")),
        ("4K2k/8/8/8/8/8/8/8 w", Some("draw")),
        ("7k/4K3/8/8/8/8/8/8 w", Some("second")),
        ("8/8/8/8/8/8/4K3/7k w", None),
    ]);
    check::<AntichessRules>(&[
        ("8/8/8/8/8/8/8/4K3 b", Some("second")),
        ("8/8/8/8/8/8/8/4K3 w", Some("second")),
        ("8/8/8/p7/P7/8/8/8 w", Some("first")),
        ("8/8/8/p7/P7/8/8/8 b", Some("second")),
        ("8/8/4k3/5b2/8/3K4/8/5B2 w", None),
        // Bishops that never meet.
        ("8/8/8/5b2/8/8/8/2B5 w", Some("draw")),
    ]);
    check::<HordeRules>(&[
        ("4k3/8/8/8/8/8/8/8 w", Some("second")),
        ("k7/8/8/8/8/8/8/P7 w", None),
        ("k7/1Q6/P7/8/8/8/8/8 b", Some("first")),
        ("k7/8/1Q6/8/8/8/8/8 b", Some("draw")),
    ]);
}

/// Plays a line given in SAN and returns what comes next.
fn played<V: Variant>(start: Board<V>, moves: &str) -> (Line<Board<V>>, Turn) {
    let mut line = Line::new(start);
    for text in moves.split_whitespace() {
        let mv = line.position().read_move(text).unwrap_or_else(|error| panic!("{error}"));
        line.push(mv);
    }
    let turn = line.turn(&mut Vec::new());
    (line, turn)
}

#[test]
fn repetition_and_counters() {
    fn check<V: Variant>(fen: &str, moves: &str, expected: Turn) {
        let (line, turn) = played(position::<V>(fen), moves);
        assert_eq!(turn, expected, "{moves}, {}", line.position().write());
    }
    let start = &Chess::new().write();
    let shuffle = "Nf3 Nf6 Ng1 Ng8";
    check::<ChessRules>(start, shuffle, Turn::Decision(Side::First));
    check::<ChessRules>(start, &[shuffle; 2].join(" "), Turn::Over(Outcome::Draw));
    // The first of the three positions still had a capture en passant.
    let passing = "4k1n1/8/8/8/3p4/8/4P3/4K1N1 w";
    check::<ChessRules>(passing, &format!("e4 {}", ["Nf6 Nf3 Ng8 Ng1"; 2].join(" ")), Turn::Decision(Side::Second));
    check::<ChessRules>(passing, &format!("e4 {}", ["Nf6 Nf3 Ng8 Ng1"; 3].join(" ")), Turn::Over(Outcome::Draw));
    // The same, but the pawn that could capture is pinned: that is no right to lose.
    let pinned = "6n1/8/8/8/2Rp1k2/8/4P3/4K1N1 w";
    check::<ChessRules>(pinned, &format!("e4 {}", ["Nf6 Nf3 Ng8 Ng1"; 2].join(" ")), Turn::Over(Outcome::Draw));
    // Checks use themselves up: the board repeats, the position does not.
    let checks = "4k3/8/8/8/8/8/3R4/K7 w";
    check::<ChessRules>(checks, &["Re2+ Kf8 Rd2 Ke8"; 2].join(" "), Turn::Over(Outcome::Draw));
    check::<ThreeCheckRules>(checks, &["Re2+ Kf8 Rd2 Ke8"; 2].join(" "), Turn::Decision(Side::First));
    check::<ThreeCheckRules>(checks, "Re2+ Kf8 Rd2 Ke8 Re2+ Kf8 Rd2 Ke8 Re2#", Turn::Over(Outcome::Win(Side::First)));
    // The hundredth half move draws, mates, or is a pawn's.
    let late = "7k/8/5K2/8/8/P7/8/6Q1 w - - 99 80";
    check::<ChessRules>(late, "Qg2", Turn::Over(Outcome::Draw));
    check::<ChessRules>(late, "Qg7#", Turn::Over(Outcome::Win(Side::First)));
    check::<ChessRules>(late, "a4", Turn::Decision(Side::Second));
}

#[test]
fn what_is_in_the_key() {
    fn key<V: Variant>(fen: &str) -> u64 {
        position::<V>(fen).key()
    }
    fn check<V: Variant>(one: &str, other: &str, equal: bool) {
        assert_eq!(key::<V>(one) == key::<V>(other), equal, "{one} and {other}");
    }
    check::<ChessRules>(KIWIPETE, &KIWIPETE.replace("0 1", "40 90"), true);
    check::<ChessRules>(KIWIPETE, &KIWIPETE.replace("KQkq", "Kkq"), false);
    check::<ChessRules>(KIWIPETE, &KIWIPETE.replace(" w ", " b "), false);
    check::<ChessRules>("4k3/8/8/8/3pP3/8/8/4K3 b - e3", "4k3/8/8/8/3pP3/8/8/4K3 b", false);
    check::<ChessRules>("4k3/8/8/8/2p1P3/8/8/4K3 b - e3", "4k3/8/8/8/2p1P3/8/8/4K3 b", true);
    check::<ThreeCheckRules>("4k3/8/8/8/8/8/8/R3K3 w - - 3+3", "4k3/8/8/8/8/8/8/R3K3 w - - 2+3", false);
    check::<CrazyhouseRules>("4k3/8/8/8/8/8/8/R3K3[Q] w", "4k3/8/8/8/8/8/8/R3K3[q] w", false);
    check::<CrazyhouseRules>("4k3/8/8/8/8/8/8/R3K3[Q] w", "4k3/8/8/8/8/8/8/R3K3[QQ] w", false);
    check::<CrazyhouseRules>("4k3/8/8/8/8/8/8/R3K3[] w", "4k3/8/8/8/8/8/8/R~3K3[] w", false);
    check::<Chess960Rules>("4k3/8/8/8/8/8/8/4KR1R w F", "4k3/8/8/8/8/8/8/4KR1R w H", false);
}

#[test]
fn algebraic_notation() {
    fn check<V: Variant>(fen: &str, table: &[(&str, &str, &str)]) {
        let board = position::<V>(fen);
        for &(uci, san, french) in table {
            let mv = board.read_move(uci).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!((board.san(mv).as_str(), board.san_french(mv).as_str()), (san, french), "{uci} in {fen}");
            assert_eq!((board.read_move(san), board.read_san_french(french)), (Ok(mv), Ok(mv)), "{san} in {fen}");
            let bare = san.trim_end_matches(['+', '#']);
            assert_eq!(board.read_move(bare), Ok(mv), "{bare} in {fen}");
        }
    }
    check::<ChessRules>(
        KIWIPETE,
        &[
            ("e1g1", "O-O", "O-O"),
            ("e1a1", "O-O-O", "O-O-O"),
            ("e5f7", "Nxf7", "Cxf7"),
            ("c3b1", "Nb1", "Cb1"),
            ("d5e6", "dxe6", "dxe6"),
            ("e2a6", "Bxa6", "Fxa6"),
            ("h1f1", "Rf1", "Tf1"),
            ("e1f1", "Kf1", "Rf1"),
            ("f3f6", "Qxf6", "Dxf6"),
        ],
    );
    check::<ChessRules>(
        "1n5K/P7/1k6/8/4Q2Q/8/8/7Q w",
        &[
            ("a7a8q", "a8=Q", "a8=D"),
            ("a7b8n", "axb8=N", "axb8=C"),
            ("h4e1", "Qh4e1", "Dh4e1"),
            ("h1e1", "Q1e1", "D1e1"),
            ("e4e1", "Qee1", "Dee1"),
            ("h1g1", "Qg1+", "Dg1+"),
        ],
    );
    check::<ChessRules>("6k1/5ppp/8/8/8/8/8/R5K1 w", &[("a1a8", "Ra8#", "Ta8#"), ("a1a7", "Ra7", "Ta7")]);
    check::<ChessRules>("4k3/8/8/3pP3/8/8/8/4K3 w - d6", &[("e5d6", "exd6", "exd6")]);
    check::<CrazyhouseRules>(
        "6k1/5ppp/8/8/8/8/8/6K1[PQN] w",
        &[("Q@e8", "Q@e8#", "D@e8#"), ("P@e4", "@e4", "@e4"), ("N@f6", "N@f6+", "C@f6+")],
    );
    check::<Chess960Rules>("1r2k3/8/8/8/8/8/8/1R2K1R1 w GB", &[("e1g1", "O-O", "O-O"), ("e1b1", "O-O-O", "O-O-O")]);
    check::<AntichessRules>("8/P7/8/8/8/8/8/7k w", &[("a7a8k", "a8=K", "a8=R")]);
    // Other ways to win are marked like mate.
    check::<KingOfTheHillRules>("7k/8/8/8/8/3K4/8/8 w", &[("d3d4", "Kd4#", "Rd4#")]);
}

#[test]
fn writes_people_use() {
    for (fen, text, uci) in [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq", "0-0", "e1g1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq", " 0-0-0! ", "e8c8"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq", "e8h8", "e8g8"),
        ("4k3/P7/8/8/8/8/8/4K3 w", "a8Q+", "a7a8q"),
        ("4k3/P7/8/8/8/8/8/4K3 w", "a7a8Q", "a7a8q"),
        ("4k3/P7/8/8/8/8/8/4K3 w", "a8=N", "a7a8n"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6", "exd6 e.p.", "e5d6"),
        ("4k3/8/8/8/8/8/7P/1N2K3 w", "Nb1c3?!", "b1c3"),
    ] {
        let board = position::<ChessRules>(fen);
        let read = board.read_move(text).map(|mv| board.write_move(mv));
        assert_eq!(read.as_deref(), Ok(uci), "{text} in {fen}");
    }
}

#[test]
fn refuses_what_is_no_move() {
    fn check<V: Variant>(fen: &str, table: &[(&str, &str)]) {
        let board = position::<V>(fen);
        for &(text, complaint) in table {
            let error = board.read_move(text).expect_err(text).to_string();
            assert!(error.contains(complaint), "`{text}`: {error}");
        }
    }
    check::<ChessRules>(
        "4k3/P7/8/8/2p5/8/8/1N2KN2 w",
        &[
            ("", "not a move"),
            ("e2", "not legal here"),
            ("e2e9", "not a move"),
            ("Nd9", "not a move"),
            ("\u{1f600}", "not a move"),
            ("O-O", "not legal here"),
            ("0000", "passing is not allowed"),
            ("--", "not legal here"),
            ("d2d4", "nothing on d2"),
            ("c4c3", "White's turn"),
            ("b1b3", "the piece on b1 cannot go to b3"),
            ("a7a8", "promotes, as in a7a8q"),
            ("a7a8k", "no such promotion"),
            ("b1c3q", "no such promotion"),
            ("Nd2", "may be Nbd2 or Nfd2"),
            ("P@e4", "no drops in chess"),
            ("Cc3", "not a move"),
        ],
    );
    check::<CrazyhouseRules>(
        "4k3/8/8/8/8/8/8/4K3[P] w",
        &[("Q@e4", "White has no such piece in hand"), ("P@e8", "cannot be dropped on e8")],
    );
    check::<ChessRules>("7k/6Q1/6K1/8/8/8/8/8 b", &[("h8h7", "the game is over")]);
    let start = Chess::new();
    let error = start.read_san_french("Nf3").expect_err("English").to_string();
    assert!(error.contains("Cf3"), "{error}");
    assert_eq!(start.read_san_french("Cf3"), start.read_move("Nf3"));
}

#[test]
fn reads_what_can_be_meant() {
    fn check<V: Variant>(table: &[(&str, &str)]) {
        for &(text, written) in table {
            assert_eq!(position::<V>(text).write(), written, "{text}");
        }
    }
    check::<ChessRules>(&[
        ("4k3/8/8/8/8/8/8/4K2R", "4k3/8/8/8/8/8/8/4K2R w - - 0 1"),
        (" 4k3/8/8/8/8/8/8/4K2R \t b  K\n- 7 0 ", "4k3/8/8/8/8/8/8/4K2R b K - 7 1"),
        // Rights without rook or king, or in another order, or as files.
        ("r3k3/8/8/8/8/8/8/4K2R w qQkK", "r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1"),
        ("r3k3/8/8/8/8/8/8/5K1R w KQkq", "r3k3/8/8/8/8/8/8/5K1R w q - 0 1"),
        ("r3k3/8/8/8/8/8/8/4K2R w Ha", "r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1"),
        // Nothing can be captured en passant.
        ("4k3/8/8/8/4P3/8/8/4K3 b - e3", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"),
        ("4k3/8/8/8/4P3/8/8/4K3 b - a1", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"),
        // Odd, but playable: too many queens, three checks.
        ("7k/6pp/8/8/8/QQQQ4/QQQQ4/KQQQ4 w", "7k/6pp/8/8/8/QQQQ4/QQQQ4/KQQQ4 w - - 0 1"),
        ("4k3/8/3N1N2/8/8/4R3/8/K7 b", "4k3/8/3N1N2/8/8/4R3/8/K7 b - - 0 1"),
        ("4k3/8/8/8/8/8/8/4K2R[] w", "4k3/8/8/8/8/8/8/4K2R w - - 0 1"),
    ]);
    check::<Chess960Rules>(&[
        ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq", "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1"),
        ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb", "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1"),
        ("4k3/8/8/8/8/8/8/1R1RKR1R w FD", "4k3/8/8/8/8/8/8/1R1RKR1R w FD - 0 1"),
        ("4k3/8/8/8/8/8/8/1R1RKR1R w KQ", "4k3/8/8/8/8/8/8/1R1RKR1R w KQ - 0 1"),
    ]);
    check::<CrazyhouseRules>(&[
        ("4k3/8/8/8/8/8/8/4K2R", "4k3/8/8/8/8/8/8/4K2R[] w - - 0 1"),
        ("4k3/8/8/8/8/8/8/4K2R/PQn b", "4k3/8/8/8/8/8/8/4K2R[PQn] b - - 0 1"),
        ("4k3/8/8/8/8/8/8/4K2R[-] b", "4k3/8/8/8/8/8/8/4K2R[] b - - 0 1"),
        ("4k3/8/8/8/8/8/8/4K2Q~[qP] b", "4k3/8/8/8/8/8/8/4K2Q~[Pq] b - - 0 1"),
    ]);
    check::<ThreeCheckRules>(&[
        ("4k3/8/8/8/8/8/8/4K2R w", "4k3/8/8/8/8/8/8/4K2R w - - 3+3 0 1"),
        ("4k3/8/8/8/8/8/8/4K2R w - - 2+1 5 9", "4k3/8/8/8/8/8/8/4K2R w - - 2+1 5 9"),
        ("4k3/8/8/8/8/8/8/4K2R w - - 5 9 +1+2", "4k3/8/8/8/8/8/8/4K2R w - - 2+1 5 9"),
    ]);
    check::<AntichessRules>(&[(
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
    )]);
}

#[test]
fn refuses_what_is_no_position() {
    fn check<V: Variant>(table: &[(&str, &str)]) {
        for &(text, complaint) in table {
            let error = Board::<V>::read(text).expect_err(text).to_string();
            assert!(error.contains(complaint), "`{text}`: {error}");
        }
    }
    let many = "Q".repeat(70);
    check::<ChessRules>(&[
        ("", "begins with its board"),
        ("  \n", "begins with its board"),
        ("hello", "board: `h` is no piece (character 1)"),
        ("4k3/8/8/8/8/8/8", "board: it ends on rank 2 with 8 squares (character 16)"),
        ("4k3/8/8/8/8/8/8/4K2", "board: it ends on rank 1 with 7 squares (character 20)"),
        ("4k3/8/8/8/8/8/8/4K2R/8 w", "board: there are more than eight ranks (character 21)"),
        ("4k4/8/8/8/8/8/8/4K2R w", "board: rank 8 has more than eight squares (character 3)"),
        (&many, "board: rank 8 has more than eight squares (character 9)"),
        ("4k2/8/8/8/8/8/8/4K2R w", "board: rank 8 has only 7 squares (character 4)"),
        ("4k3/8/8/9/8/8/8/4K2R w", "board: `9` is no piece (character 9)"),
        ("4k3/8/8/\u{e9}7/8/8/8/4K2R w", "board: `\u{e9}` is no piece (character 9)"),
        ("4k3/8/8/8/8/8/8/4K2R~ w", "crazyhouse only (character 21)"),
        ("4k3/8/8/8/8/8/8/4K2R[Q] w", "hands: there are no pieces in hand in chess (character 22)"),
        ("4k3/8/8/8/8/8/8/4K2R x", "side to move is w or b, not `x` (character 22)"),
        ("4k3/8/8/8/8/8/8/4K2R w KX", "castling rights are some of KQkq, or -, not `X` (character 25)"),
        ("4k3/8/8/8/8/8/8/4K2R w K e", "en passant square is one like e3, or -, not `e` (character 26)"),
        ("4k3/8/8/8/8/8/8/4K2R w K - x", "counter of half moves `x` is not a number (character 28)"),
        ("4k3/8/8/8/8/8/8/4K2R w K - -1", "counter of half moves `-1` is not a number (character 28)"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 99999999999", "counter of half moves `99999999999` is too large"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 one", "move number `one` is not a number (character 30)"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1 2", "nothing comes after the move number: `2` (character 32)"),
        ("8/8/8/8/8/8/8/8 w", "the board is empty"),
        ("8/8/8/8/8/8/8/4K2R w", "a king is missing, White has 1 and Black 0"),
        ("4k3/8/8/8/8/8/8/4K2K w", "too many kings, White has 2 and Black 1"),
        ("4k2P/8/8/8/8/8/8/4K3 w", "a pawn stands on the first or the last rank"),
        ("4k3/8/8/8/4R3/8/8/4K3 w", "Black is in check, but White moves"),
        ("8/8/8/8/8/8/4k3/4K3 w", "Black is in check, but White moves"),
    ]);
    let crowd = format!("4k3/8/8/8/8/8/8/4K2R[{}] w", &many[..62]);
    let crowds = format!("4k3/8/8/8/8/8/8/4K2R[{many}] w");
    check::<CrazyhouseRules>(&[
        ("4k3/8/8/8/8/8/8/4K2R[Q w", "hands is not closed at the end (character 21)"),
        ("4k3/8/8/8/8/8/8/4K2[Q] w", "board: rank 1 has only 7 squares (character 20)"),
        ("4k3/8/8/8/8/8/8[Q] w", "board: the hands come after rank 1 (character 16)"),
        ("4k3/8/8/8/8/8/8/4K2R[QX] w", "hands: `X` is no piece (character 23)"),
        ("4k3/8/8/8/8/8/8/4K2R[K] w", "hands: a king cannot be in hand (character 22)"),
        ("4k3/8/8/8/8/8/8/4K~2R[] w", "`~` follows a piece that can be promoted to (character 19)"),
        ("4k3/8/8/8/8/8/8/4K2R~~[] w", "`~` follows a piece that can be promoted to (character 22)"),
        (&crowd, "more than 64 pieces"),
        (&crowds, "hands: there are more than 64 pieces (character 86)"),
    ]);
    check::<ThreeCheckRules>(&[
        ("4k3/8/8/8/8/8/8/4K2R w K - 4+1", "checks left are written like 3+2, or given like +0+1, not `4+1`"),
        ("4k3/8/8/8/8/8/8/4K2R w K - +1", "checks left are written like 3+2"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0+0", "both sides have given their last check"),
    ]);
    check::<AtomicRules>(&[("4k3/8/8/8/8/8/8/8 b", "a king is missing")]);
    check::<RacingKingsRules>(&[
        ("8/8/8/8/8/8/P7/k6K w", "there are no pawns"),
        ("8/8/8/8/8/8/8/k5RK b", "no king may stand in check"),
        ("8/8/8/8/8/8/8/k5RK w", "Black is in check, but White moves"),
        ("k6K/8/8/8/8/8/8/8 b", "two kings on the eighth rank"),
    ]);
    check::<HordeRules>(&[
        ("8/8/8/8/8/8/8/PPP5 w", "a king is missing"),
        ("k6K/8/8/8/8/8/8/PPP5 w", "too many kings"),
        ("k6P/8/8/8/8/8/8/PPP5 w", "a pawn stands on"),
    ]);
}

#[test]
fn numbers_of_chess960() {
    let row = |n: u16| Chess960::numbered(n).map(|start| start.write()[..8].to_owned());
    for (n, expected) in [(0, "bbqnnrkr"), (1, "bqnbnrkr"), (518, "rnbqkbnr"), (534, "rnbkqbnr"), (959, "rkrnnqbb")] {
        assert_eq!(row(n).as_deref(), Some(expected), "number {n}");
    }
    assert_eq!((row(960), row(u16::MAX)), (None, None));
    assert_eq!((0..960).filter_map(row).collect::<HashSet<String>>().len(), 960);
    assert_eq!(Chess960::new().write(), Chess::new().write());
}

#[test]
fn castling_in_both_ways_of_writing() {
    let classical = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq";
    fn castles<V: Variant>(fen: &str) -> String {
        let (board, mut moves) = (position::<V>(fen), Vec::new());
        board.turn(&mut moves);
        moves.retain(|mv| mv.is_castle());
        moves.into_iter().map(|mv| board.write_move(mv)).collect::<Vec<_>>().join(" ")
    }
    assert_eq!(castles::<ChessRules>(classical), "e1g1 e1c1");
    assert_eq!(castles::<Chess960Rules>(classical), "e1h1 e1a1");
    // King on f1: f1g1 is a step, f1h1 castles.
    let near = position::<Chess960Rules>("4k3/8/8/8/8/8/8/5K1R w K");
    for (text, castles) in [("f1g1", false), ("f1h1", true), ("O-O", true), ("Kg1", false)] {
        assert_eq!(near.read_move(text).map(Move::is_castle), Ok(castles), "{text}");
    }
}

#[test]
fn pictures() {
    let drawn = position::<CrazyhouseRules>("r3k3/8/8/8/8/8/8/4K2R[PPQn] w").draw();
    assert_eq!((drawn.board, drawn.width, drawn.height), (tengen_core::Board::Chequered, 8, 8));
    let cell = |index: usize| {
        (drawn.cells[index].name.as_str(), drawn.cells[index].piece.map(|p| (p.side, p.shape, p.letters)))
    };
    assert_eq!(cell(0), ("a8", Some((Side::Second, "rook", "R"))));
    assert_eq!(cell(1), ("b8", None));
    assert_eq!(cell(60), ("e1", Some((Side::First, "king", "K"))));
    assert_eq!(cell(63), ("h1", Some((Side::First, "rook", "R"))));
    let hand = |side: Side| {
        drawn.hands[side.index()].iter().map(|(piece, n)| format!("{n} {}", piece.shape)).collect::<Vec<_>>()
    };
    assert_eq!(hand(Side::First), ["1 queen", "2 pawn"]);
    assert_eq!(hand(Side::Second), ["1 knight"]);

    let facts = position::<ThreeCheckRules>("4k3/8/8/8/8/8/8/4K2R w - - 2+1").draw().facts;
    let left: Vec<_> = facts.iter().map(|fact| (fact.side, fact.name, fact.value.as_str())).collect();
    assert_eq!(left, [(Some(Side::First), "checks left", "2"), (Some(Side::Second), "checks left", "1")]);

    fn check<V: Variant>(fen: &str, text: &str, cells: &[&str]) {
        let board = position::<V>(fen);
        let mv = board.read_move(text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(board.touched(mv), cells, "{text}");
    }
    check::<ChessRules>("4k3/8/8/8/8/8/8/4K2R w K", "O-O", &["e1", "g1"]);
    check::<Chess960Rules>("4k3/8/8/8/8/8/8/4K2R w K", "O-O", &["e1", "h1"]);
    check::<CrazyhouseRules>("4k3/8/8/8/8/8/8/4K2R[Q] w K", "Q@a3", &["a3"]);
}
