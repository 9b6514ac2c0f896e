//! What tables tell people: how moves are spelt, why games end, how boards are counted.

use tengen_core::{Notation, Outcome, Position, Side, Turn};
use tengen_games::go::Go9;
use tengen_table::{Face, Setup, Table, Why, open};

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
fn dead_stones_are_taken_off_when_programs_have_played_each_other() {
    // Black's stone at H8 is dead; if it were alive, White would have no land at all.
    let ended = |passes: usize, rules: &str| {
        let text = format!("3XO4/3XO2X1/3XO4/3XO4/3XO4/3XO4/3XO4/3XO4/3XO4 b - {passes} 0 0 7.5 {rules} 0");
        Go9::read(&text).expect("a position")
    };
    let chinese = ended(2, "chinese");
    assert_eq!(chinese.agreed_outcome(1), Some(Outcome::Win(Side::Second)));
    assert_eq!(chinese.turn(&mut Vec::new()), Turn::Over(Outcome::Win(Side::First)), "all stones taken as alive");
    assert_eq!(ended(2, "tromp-taylor").agreed_outcome(1), None, "there all stones are");
    assert_eq!(ended(1, "chinese").agreed_outcome(1), None, "the game is not over");
}
