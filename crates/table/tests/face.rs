//! What tables tell people: how moves are spelt, why games end, how boards are counted.

use tengen_core::{Outcome, Side};
use tengen_table::{Area, Fall, Setup, Table, Why, open};

fn at(game: &str, position: &str, moves: &[&str]) -> Box<dyn Table> {
    let setup = if position.is_empty() { Setup::standard() } else { Setup::at(position) };
    let mut table = open(game, &setup).expect(game);
    moves.iter().for_each(|mv| table.play(mv).expect(mv));
    table
}

#[test]
fn moves_are_spelt_as_people_write_them() {
    let chess = at("chess", "", &["e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6"]);
    let mate = chess.choices().into_iter().find(|choice| choice.text == "h5f7").expect("legal");
    assert_eq!((mate.label.as_str(), mate.touched), ("Qxf7#", vec!["h5".to_owned(), "f7".to_owned()]));
    let line: Vec<String> = ["c4f7", "e8e7", "nonsense", "a2a3"].map(str::to_owned).to_vec();
    let spelt: Vec<String> = chess.spell(&line).into_iter().map(|spelt| spelt.label).collect();
    assert_eq!(spelt, ["Bxf7+", "Ke7"]);
    assert_eq!(chess.last().map(|last| last.label).as_deref(), Some("Nf6"));
    assert_eq!(at("chess", "", &[]).last(), None);
    assert_eq!(at("chess", "", &["f2f3", "e7e5", "a2a3", "d8h4"]).check().as_deref(), Some("e1"));
    assert!(at("backgammon", "", &[]).choices().is_empty(), "dice first");
}

#[test]
fn ends_have_reasons() {
    for (game, position, moves, outcome, why) in [
        ("chess", "", &["f2f3", "e7e5", "g2g4", "d8h4"][..], Outcome::Win(Side::Second), Why::Checkmate),
        ("chess", "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", &["g5g6"], Outcome::Draw, Why::Stalemate),
        ("chess", "7k/8/8/8/8/8/8/K1n4B w - - 99 80", &["a1b1"], Outcome::Draw, Why::FiftyMoves),
        ("chess", "7k/8/8/8/8/8/1p6/K7 w - - 0 1", &["a1b2"], Outcome::Draw, Why::Material),
        (
            "chess",
            "",
            &["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8"],
            Outcome::Draw,
            Why::Repetition,
        ),
        ("koth", "7k/8/8/8/8/4K3/8/8 w - - 0 1", &["e3e4"], Outcome::Win(Side::First), Why::Goal),
        ("tictactoe", "XX./OO./...", &["c3"], Outcome::Win(Side::First), Why::Line),
        ("tictactoe", "XOX/XOO/OX.", &["c1"], Outcome::Draw, Why::Full),
        ("connect4", "414243", &["4"], Outcome::Win(Side::First), Why::Line),
    ] {
        let end = at(game, position, moves).end().expect(game);
        assert_eq!((end.outcome, end.why), (outcome, why), "{game} {position} {moves:?}");
    }
    let go = at("go5", "5/5/XXXXX/OOOOO/5 b - 0 0 0 0.5 chinese 0", &["pass", "pass"]).end().expect("over");
    assert_eq!((go.why, go.lead), (Why::Score, Some(4.5)));
    assert_eq!(at("go5", "", &["pass"]).end(), None);
}

#[test]
fn go_boards_are_judged_and_counted() {
    let corner = at("go9", "OO1X1O3/3X1O3/XXXX1O3/4XO3/4XO3/3XXO3/3XO4/3XO4/3XO4 b", &["pass", "pass"]);
    let mut dead = corner.dead(500, 1);
    dead.sort();
    assert_eq!(dead, ["A9", "B9"]);
    let mut chain = corner.chain("B9");
    chain.sort();
    assert_eq!(chain, ["A9", "B9"]);
    assert!(corner.chain("C9").is_empty() && corner.chain("nowhere").is_empty());
    let [alive, without] = [&[][..], &dead[..]].map(|dead| corner.count(dead).expect("Go is counted"));
    assert!(without.points[0] > alive.points[0] && without.owners[0] == Some(Side::First));
    assert_eq!(corner.ownership(100, 1).len(), 81);
    assert_eq!(corner.influence().len(), 81);
    let chess = at("chess", "", &[]);
    assert!(chess.count(&[]).is_none() && chess.dead(10, 1).is_empty() && chess.influence().is_empty());
}

#[test]
fn the_greatest_fall_is_told() {
    // Black takes four stones in the lower right; two more in the upper left stand dead, too few for a story.
    let white = "OO1X5/3X5/XXXX5/9/9/9/5XXXX/4XOOOO/4X3X b";
    let taken = at("go9", white, &["H1", "A1", "pass", "G1", "F1"]);
    assert_eq!(taken.greatest_fall(Side::Second, &[]), None, "G1 gave them a liberty more");
    let taken = at("go9", white, &["H1", "A1", "G1", "A2", "F1"]);
    let fall = Fall { side: Side::Second, stones: 4, area: Area::BottomRight, taken: Some(5) };
    assert_eq!(taken.greatest_fall(Side::Second, &["A9".to_owned(), "B9".to_owned()]), Some(fall));
    assert_eq!(taken.greatest_fall(Side::First, &[]), None);
    // What is dead at the end is told as well, stones a jump apart together.
    let dead = ["A9", "C9", "B8", "D8", "E1"].map(str::to_owned);
    let left = at("go9", "O1O6/1O1O5/9/9/9/9/9/9/4O4 b", &[]).greatest_fall(Side::Second, &dead);
    assert_eq!(left, Some(Fall { side: Side::Second, stones: 4, area: Area::TopLeft, taken: None }));
}

/// The end of a game that GNU Go lost: by Chinese rules its two dead stones are taken off, by Tromp and Taylor's they count.
#[test]
fn dead_stones_are_off_the_board_where_players_agree_on_them() {
    use tengen_core::{Line, Notation};
    use tengen_games::go::{Go9, Komi, Rules};
    use tengen_table::Spoken;
    let moves = "E5 C5 D4 C4 C3 B3 D6 D3 E3 C2 G7 G3 E2 H2 H4 C7 C6 B6 D7 C8 F2 F9 D8 D9 G8 D2 G4 F8 F7 D5 E4 G9 E8 E9 H9 C9 H8 E1 F1 D1 \
                 E6 B7 pass A8 pass B9 pass B5 pass C3 pass pass";
    for (rules, lead) in [(Rules::Chinese, 1.5), (Rules::TrompTaylor, -24.5)] {
        let mut line = Line::new(Go9::new(9, rules, Komi::new(7.5).ok()).expect("a board"));
        for text in moves.split_whitespace() {
            let mv = line.position().read_move(text).expect(text);
            line.push(mv);
        }
        assert_eq!(Go9::dialect().count.map(|count| count(line.position())), Some(lead), "{rules:?}");
    }
}
