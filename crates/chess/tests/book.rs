//! Books: the published keys, round trips, choice by weight, and making one from games.

use shakmaty::Chess as Rules;
use tengen_chess::book::{Book, BookMaker, key};
use tengen_core::{Line, Notation, Outcome, Position, Rng, Side};
use tengen_games::chess::Chess;

fn after(moves: &str) -> Line<Chess> {
    let mut line = Line::new(Chess::new());
    for text in moves.split_whitespace() {
        let mv = line.position().read_move(text).expect(text);
        line.push(mv);
    }
    line
}

/// The examples that the description of the format gives.
#[test]
fn keys_are_the_published_ones() {
    let cases = [
        ("", 0x463b96181691fc9c),
        ("e2e4", 0x823c9b50fd114196),
        ("e2e4 d7d5", 0x0756b94461c50fb0),
        ("e2e4 d7d5 e4e5", 0x662fafb965db29d4),
        ("e2e4 d7d5 e4e5 f7f5", 0x22a48b5a8e47ff78),
        ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a607ca3f242c1),
        ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fdd303c946bdd9),
        ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c8123ea7b067637),
        ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f9b829b279560),
    ];
    for (moves, published) in cases {
        assert_eq!(key(after(moves).position().rules()), published, "{moves}");
    }
}

fn made() -> Book {
    let mut maker = BookMaker::new(10, 1);
    let games = [
        ("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1", Some(Outcome::Win(Side::First))),
        ("e2e4 c7c5 g1f3", Some(Outcome::Draw)),
        ("e2e4 e7e5 g1f3 b8c6 f1b5", Some(Outcome::Win(Side::First))),
        ("d2d4 d7d5", Some(Outcome::Win(Side::Second))),
        ("c2c4", None),
    ];
    for (moves, outcome) in games {
        let line = after(moves);
        maker.add(&Rules::default(), line.moves(), outcome);
    }
    maker.finish()
}

#[test]
fn a_book_from_games_counts_points() {
    let book = made();
    let start = book.entries(key(&Rules::default()));
    let weights: Vec<(String, u16)> = start
        .iter()
        .map(|entry| {
            let line = Line::new(Chess::new());
            let mut legal = Vec::new();
            line.turn(&mut legal);
            let mv = legal.into_iter().find(|&mv| Chess::code(mv) == entry.mv.code()).expect("legal");
            (line.position().write_move(mv), entry.weight)
        })
        .collect();
    // Two wins and a draw; a draw; the lost d2d4 is not there at all.
    assert_eq!(weights, [("e2e4".to_owned(), 5), ("c2c4".to_owned(), 1)]);
    // Castling is the king taking his rook.
    let castles = after("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5");
    let entry = book.entries(key(castles.position().rules()))[0];
    assert_eq!((entry.mv.from(), entry.mv.to()), (shakmaty::Square::E1, shakmaty::Square::H1));
    assert_eq!(book.choose(castles.position().rules(), &mut Rng::with_seed(1)), Some(entry.mv));
}

#[test]
fn choice_follows_the_weights() {
    let book = made();
    let mut rng = Rng::with_seed(5);
    let king_pawn =
        |_: &u32| book.choose(&Rules::default(), &mut rng).is_some_and(|mv| mv.to() == shakmaty::Square::E4);
    let count = (0..6000).filter(king_pawn).count();
    assert!((4800..5200).contains(&count), "five of six: {count}");
    assert_eq!(book.choose(after("a2a3").position().rules(), &mut rng), None);
}

#[test]
fn bytes_round_trip_and_damage_is_refused() {
    let book = made();
    let bytes = book.to_bytes();
    assert_eq!(bytes.len(), 16 * book.len());
    assert_eq!(Book::from_bytes(&bytes), Ok(book.clone()));
    assert!(Book::from_bytes(&bytes[1..]).expect_err("cut").contains("16-byte"));
    assert!(Book::open("/nonexistent/book.bin").expect_err("missing").contains("no book"));
    // Nonsense of the right length has no legal moves.
    let noise: Vec<u8> = (0..1600u32).map(|index| (index.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let mut rng = Rng::with_seed(1);
    assert_eq!(Book::from_bytes(&noise).expect("noise").choose(&Rules::default(), &mut rng), None);
    // The known format, byte by byte: the first entry of a book of one move.
    let mut maker = BookMaker::new(1, 1);
    maker.add(&Rules::default(), after("e2e4").moves(), Some(Outcome::Win(Side::First)));
    let expected = [0x46, 0x3b, 0x96, 0x18, 0x16, 0x91, 0xfc, 0x9c, 0x03, 0x1c, 0x00, 0x02, 0, 0, 0, 0];
    assert_eq!(maker.finish().to_bytes(), expected);
}
