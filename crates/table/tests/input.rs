//! Whatever people type, at whatever game: refused with a reason, or played; never a panic, never a half-made move.

use proptest::prelude::*;
use tengen_core::{Rng, Side, Turn};
use tengen_table::registry::GAMES;
use tengen_table::{Handicap, Setup, Table, open};

fn any_game() -> impl Strategy<Value = &'static str> {
    (0..GAMES.len()).prop_map(|index| GAMES[index].id)
}

/// Text that looks a little like positions and moves do.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof!["\\PC{0,80}", "[a-hA-H0-9XO.+/@ \\-\\[\\]KQRBNPkqrbnpwb]{0,80}", "[a-tA-T][0-9]{1,2}", "[0-9/ ]{0,30}"]
}

/// A table some random moves into the game.
fn some_way_in(game: &str, seed: u64, plies: usize) -> Box<dyn Table> {
    let mut table = open(game, &Setup::standard()).expect("every game has a start");
    let mut rng = Rng::with_seed(seed);
    for _ in 0..plies {
        let view = table.view();
        if table.roll(&mut rng).is_none() {
            let Some(mv) = rng.choice(&view.legal) else { break };
            table.play(mv).expect("a legal move can be played");
        }
    }
    table
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn any_text_as_a_position(game in any_game(), text in any_text()) {
        if let Ok(table) = open(game, &Setup::at(text)) {
            let view = table.view();
            let again = open(game, &Setup::at(view.position.clone())).expect("what is written can be read");
            prop_assert_eq!(again.view().key, view.key);
        }
    }

    #[test]
    fn any_text_as_a_move(game in any_game(), text in any_text(), seed: u64, plies in 0..30usize) {
        let mut table = some_way_in(game, seed, plies);
        let before = table.view();
        match table.play(&text) {
            Ok(()) => prop_assert_eq!(table.view().ply, before.ply + 1),
            Err(error) => {
                prop_assert!(!error.to_string().is_empty());
                prop_assert_eq!(table.view(), before);
            }
        }
    }

    #[test]
    fn a_position_with_one_letter_wrong(game in any_game(), seed: u64, plies in 0..40usize, at: usize, letter: char) {
        let text = some_way_in(game, seed, plies).view().position;
        let mut letters: Vec<char> = text.chars().collect();
        let at = at % letters.len();
        letters[at] = letter;
        let _ = open(game, &Setup::at(letters.into_iter().collect::<String>()));
    }

    #[test]
    fn any_choices_for_go(rules in any_text(), komi: f64, stones: u8, points in prop::collection::vec(any_text(), 0..4)) {
        let some = |handicap| Setup { rules: Some(rules.clone()), komi: Some(komi), handicap, ..Setup::standard() };
        for handicap in [None, Some(Handicap::Fixed(stones)), Some(Handicap::Free(points.clone()))] {
            let _ = open("go9", &some(handicap.clone()));
            let _ = open("go19", &Setup { handicap, ..Setup::standard() });
        }
    }

    #[test]
    fn any_text_as_a_player(text in prop_oneof![any_text(), "(mcts|alphabeta|expectimax|random):[a-z]{1,8}=[0-9a-z(=,)]{0,5}"]) {
        let table = open("tictactoe", &Setup::standard()).expect("a start");
        if let Err(error) = table.check_player(&text) {
            prop_assert!(!error.to_string().is_empty());
        }
    }

    #[test]
    fn undo_and_seek_come_back(game in any_game(), seed: u64, plies in 1..30usize) {
        let mut table = some_way_in(game, seed, plies);
        let end = table.view();
        table.seek(0).expect("the start is there");
        prop_assert_eq!(table.view().ply, 0);
        table.seek(end.ply).expect("the end is still there");
        prop_assert_eq!(&table.view(), &end);
        prop_assert!(table.seek(end.ply + 1).is_err());
        prop_assert!(table.undo(end.ply + 1).is_err());
        prop_assert_eq!(&table.view(), &end);
        table.undo(end.ply).expect("all moves can be taken back");
        prop_assert!(table.seek(1).is_err(), "what is taken back is forgotten");
    }
}

/// Every player either thinks about every game or says why it does not.
#[test]
fn every_player_in_every_game() {
    use std::sync::atomic::AtomicBool;
    use std::time::Instant;
    use tengen_search::Limits;
    use tengen_table::TextWatch;

    let players = [
        "random:seed=3",
        "minimax:depth=1",
        "negamax:depth=1",
        "alphabeta:depth=2,table=1",
        "expectimax:depth=1",
        "expectimax:depth=1,opponent=random(seed=2)",
        "expectiminimax:depth=1",
        "mcts:visits=30",
        "mcts:visits=30,leaf=static,bandit=puct",
        "puct:visits=30,batch=4",
        "gumbel:visits=30,noise=1,considered=4",
    ];
    for game in GAMES {
        for player in players {
            let mut table = open(game.id, &Setup::standard()).expect("every game has a start");
            let dice = table.roll(&mut Rng::with_seed(1)).is_some() || game.id == "pig";
            let (clock, stop) = (Instant::now(), AtomicBool::new(false));
            let mut watch = TextWatch { clock: &clock, stop: &stop, report: &mut |_| {} };
            match table.think(player, &Limits::default(), &mut watch) {
                Ok(thought) => {
                    assert!(
                        table.view().legal.contains(&thought.best),
                        "{player} plays {} in {}",
                        thought.best,
                        game.id
                    );
                    let value = thought.value.seen_by(Side::First);
                    assert!(value.abs() <= 1.0, "{player} in {}: value {value}", game.id);
                    assert_eq!(thought.pv.first(), Some(&thought.best), "{player} in {}", game.id);
                }
                Err(error) => {
                    assert!(
                        dice && error.to_string().contains("cannot weigh dice"),
                        "{player} in {}: {error}",
                        game.id
                    );
                }
            }
        }
        let turn = open(game.id, &Setup::standard()).expect("every game has a start").view().turn;
        assert!(!matches!(turn, Turn::Over(_)), "{} begins with its end", game.id);
        let opponent = tengen_table::registry::opponent(game.id);
        open(game.id, &Setup::standard()).expect("a start").check_player(opponent).expect(game.id);
    }
}

/// A player that ponders knows more when its turn comes, and whatever else is asked of the table calls it back.
#[test]
fn pondering_helps_and_never_hangs() {
    use std::sync::atomic::AtomicBool;
    use std::time::{Duration, Instant};
    use tengen_search::Limits;
    use tengen_table::TextWatch;

    let mut table = open("connect4", &Setup::standard()).expect("a start");
    for player in ["mcts:visits=50", "alphabeta:depth=3,table=1", "random", "minimax:depth=2", "expectimax:depth=1"] {
        table.ponder(player).expect(player);
        std::thread::sleep(Duration::from_millis(30));
        let start = Instant::now();
        table.ponder("mcts:visits=50").expect("another player");
        assert!(start.elapsed() < Duration::from_secs(2), "{player} does not come back");
    }
    std::thread::sleep(Duration::from_millis(100));
    table.play("4").expect("a move");
    table.play("4").expect("a move");
    let (clock, stop) = (Instant::now(), AtomicBool::new(false));
    let mut watch = TextWatch { clock: &clock, stop: &stop, report: &mut |_| {} };
    let thought = table.think("mcts:visits=50", &Limits::default(), &mut watch).expect("a decision");
    let visits: u64 = thought.candidates.iter().map(|candidate| candidate.visits).sum();
    assert!(visits > 60, "only {visits} visits: what it pondered is still there");
    // Left pondering, the table is simply dropped.
    table.ponder("mcts").expect("a player");
}

#[test]
fn names_that_are_nearly_right_are_suggested() {
    for (text, suggestion) in [("mtcs", "`mcts`"), ("alphabet", "`alphabeta`"), ("mcts:visit=8", "`visits`")] {
        let error = open("chess", &Setup::standard()).expect("a start").check_player(text).expect_err(text).to_string();
        assert!(error.contains(suggestion), "{text}: {error}");
    }
    assert!(open("chss", &Setup::standard()).err().expect("no such game").to_string().contains("`chess`"));
    let error = open("chess", &Setup { komi: Some(6.5), ..Setup::standard() }).err().expect("chess has no komi");
    assert!(error.to_string().contains("no komi"));
}
