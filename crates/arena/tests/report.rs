//! The page says what the games say, is safe to open, and shows every game as it was.

use tengen_arena::report::*;
use tengen_arena::stats::{EloModel, Sprt, Verdict};
use tengen_core::{Drawn, Rng, Side, Turn};
use tengen_table::{Setup, open};

/// A random game with its pictures.
fn random_game(game: &str, seed: u64, plies: usize) -> (GameData, Vec<Drawn>) {
    let mut table = open(game, &Setup::default()).expect("a game");
    let mut rng = Rng::with_seed(seed);
    let mut data = GameData::default();
    let mut pictures = vec![table.view().drawn];
    for _ in 0..plies {
        let view = table.view();
        let (text, side) = match view.turn {
            Turn::Over(_) => break,
            Turn::Chance => (table.roll(&mut rng).expect("chance's turn"), None),
            Turn::Decision(side) => {
                let text = view.legal[rng.usize(..view.legal.len())].clone();
                table.play(&text).expect("legal");
                (text, Some(side))
            }
        };
        pictures.push(table.view().drawn);
        data.moves.push(MoveData { text, side, value: Some(0.1), ..MoveData::default() });
    }
    data.frames = frames(&pictures);
    (data, pictures)
}

type Scene = (Vec<u16>, [Vec<u16>; 2], Vec<u8>, Vec<Note>);

/// What the page's script does with the changes, again in Rust: every picture comes back.
fn unfold(frames: &Frames) -> Vec<Scene> {
    let mut scene = (vec![0; frames.geometry.cells.len()], [vec![], vec![]], vec![], vec![]);
    let apply = |change: &Change| {
        change.cells.iter().for_each(|(cell, kind)| scene.0[usize::from(*cell)] = *kind);
        change.hands.iter().for_each(|hands| scene.1 = hands.clone());
        change.dice.iter().for_each(|dice| scene.2 = dice.clone());
        change.notes.iter().for_each(|notes| scene.3 = notes.clone());
        scene.clone()
    };
    frames.changes.iter().map(apply).collect()
}

#[test]
fn frames_hold_every_picture() {
    for game in ["chess", "crazyhouse", "go9", "yokai34", "othello", "connect4", "backgammon", "pig", "tictactoe"] {
        let (data, pictures) = random_game(game, 5, 120);
        let frames = data.frames.expect("pictures");
        assert_eq!(frames.changes.len(), pictures.len());
        for (picture, (cells, hands, dice, notes)) in pictures.iter().zip(unfold(&frames)) {
            let kind = |number: u16| number.checked_sub(1).map(|index| &frames.kinds[usize::from(index)]);
            for (cell, number) in picture.cells.iter().zip(cells) {
                let shown =
                    kind(number).map(|kind| (kind.side, kind.shape.as_str(), kind.letters.as_str(), kind.count));
                assert_eq!(
                    shown,
                    cell.piece.map(|piece| (piece.side, piece.shape, piece.letters, cell.count)),
                    "{game} {}",
                    cell.name
                );
            }
            for (hand, shown) in picture.hands.iter().zip(hands) {
                let shown: Vec<_> = shown
                    .iter()
                    .filter_map(|number| kind(*number))
                    .map(|kind| (kind.shape.as_str(), kind.count))
                    .collect();
                assert_eq!(shown, hand.iter().map(|(piece, count)| (piece.shape, *count)).collect::<Vec<_>>());
            }
            assert_eq!(dice, picture.dice);
            let facts: Vec<Note> =
                picture.facts.iter().map(|fact| (fact.side, fact.name.into(), fact.value.clone())).collect();
            assert_eq!(notes, facts);
        }
        // The point of it: far smaller than the pictures themselves.
        let whole = serde_json::to_string(&pictures).expect("plain data").len();
        let folded = serde_json::to_string(&frames).expect("plain data").len();
        assert!(folded * 4 < whole || game == "pig" || game == "tictactoe", "{game}: {folded} of {whole} bytes");
    }
    assert_eq!(frames(&[]), None);
}

fn player(name: &str) -> PlayerData {
    PlayerData { name: name.into(), spec: format!("{name}:visits=10") }
}

/// Pairs of games between players 0 and 1; each letter is a game, `+ = -` for player 0.
fn duel(results: &str) -> ReportData {
    let mut data = ReportData {
        name: "A duel".into(),
        game: "go9".into(),
        sides: ["Black".into(), "White".into()],
        ..Default::default()
    };
    data.players = vec![player("new"), player("old")];
    data.seed = 77;
    data.command = "tengen duel new old".into();
    data.revision = "abc1234".into();
    for (index, letter) in results.chars().enumerate() {
        let first = index % 2;
        let result = match (letter, first) {
            ('=', _) => GameResult::Draw,
            ('+', 0) | ('-', 1) => GameResult::First,
            _ => GameResult::Second,
        };
        data.games.push(GameData {
            id: format!("g{index}"),
            first,
            second: 1 - first,
            pair: Some(index as u64 / 2),
            opening: Some(format!("o{}", index / 2 % 3)),
            result,
            reason: "rules".into(),
            moves: vec![MoveData { text: format!("m{}", index % 5), side: Some(Side::First), ..Default::default() }],
            ..Default::default()
        });
    }
    data
}

#[test]
fn analysis_counts() {
    // Pairs: ++ 2, +- 1, == 1, -= ½, -- 0, += 1½.
    let analysis = Analysis::of(&duel("+++-==-=--+="));
    assert_eq!(analysis.pairs[0][1].0, [1, 1, 2, 1, 1]);
    assert_eq!(analysis.pairs[1][0].0, [1, 1, 2, 1, 1]);
    let wdl = analysis.cross[0][1];
    assert_eq!((wdl.wins, wdl.draws, wdl.losses), (4, 4, 4));
    assert_eq!((analysis.games, analysis.void), (12, 0));
    // Openings o0, o1, o2 with four games each; moves m0 to m4 in turn: fewer different games than games.
    assert_eq!(analysis.openings.iter().map(|line| line.first.games()).collect::<Vec<_>>(), [4, 4, 4]);
    assert_eq!(analysis.openings[0].name, "o0");
    assert_eq!(analysis.unique, Some(9), "the seventh, ninth and eleventh game were played before");
    let mut twice = duel("+-");
    twice.games.extend(duel("+-").games);
    assert_eq!(Analysis::of(&twice).unique, Some(2), "the same games again");
    // Void games and players that do not exist are left out.
    let mut broken = duel("+-+-");
    broken.games[0].result = GameResult::Void;
    broken.games[1].first = 9;
    broken.games[2].second = broken.games[2].first;
    let analysis = Analysis::of(&broken);
    assert_eq!((analysis.games, analysis.void), (1, 3));
}

#[test]
fn sprt_in_a_report_is_decided_by_pairs() {
    let mut data = duel(&"+++-".repeat(200));
    data.sprt = Some(Sprt::new(EloModel::Logistic, 0.0, 40.0, 0.05, 0.05).expect("a test"));
    let path = Analysis::of(&data).sprt.expect("a test");
    assert_eq!(path.verdict, Verdict::AcceptH1);
    assert_eq!(path.points[0], (0, 0.0));
    assert_eq!(path.points[1].0, 2, "one pair is two games");
    let page = page(&data);
    assert!(page.contains("H1 is accepted") && page.contains("data-chart=\"sprt\""));
}

#[test]
fn the_page_is_self_contained_and_safe() {
    let (mut game, _) = random_game("chess", 3, 40);
    game.second = 1;
    game.id = "</script><script>alert(1)</script>".into();
    game.reason = "<b>rules</b> & more".into();
    let mut data = duel("+-=+");
    data.name = "<img src=x onerror=alert(2)> {{script}} \"quoted\"".into();
    data.players[0].name = "<i>new</i>".into();
    data.games.push(game);
    let page = page(&data);
    assert!(!page.contains("<img src=x") && !page.contains("<i>new</i>") && !page.contains("<b>rules</b>"));
    assert!(!page.contains("</script><script>alert"));
    assert_eq!(page.matches("</script>").count(), 2, "the data and the script");
    assert!(page.contains("{{script}}"), "what was filled in is not filled again");
    // Nothing is fetched: the only addresses are names of formats.
    let addresses = page.matches("://").count();
    assert_eq!(addresses, page.matches("http://www.w3.org/2000/svg").count());
    // The data can be read back, and holds every game.
    let start = page.find("id=\"data\">").expect("data") + "id=\"data\">".len();
    let text = &page[start..start + page[start..].find("</script>").expect("its end")];
    let json: serde_json::Value = serde_json::from_str(text).expect("JSON");
    assert_eq!(json["games"].as_array().map(Vec::len), Some(5));
    assert_eq!(json["games"][4]["f"]["d"].as_array().map(Vec::len), Some(data.games[4].moves.len() + 1));
    assert_eq!(json["games"][4]["id"], "</script><script>alert(1)</script>");
}

#[test]
fn reports_of_nothing_and_of_odd_things() {
    for data in [
        ReportData::default(),
        ReportData { players: vec![player("alone")], ..Default::default() },
        duel(""),
        duel("+"),
        duel("++++++++++++"),
    ] {
        let (page, section) = (page(&data), match_section(&data));
        for text in [&page, &section, &standings(&data), &cross_table(&data)] {
            assert!(!text.contains("NaN") && !text.contains(" inf"), "{}", data.name);
        }
    }
    assert!(page(&duel("+")).contains("too few games (1 of at least 10)"));
    assert!(match_section(&duel("++++++++++++")).contains("won everything"));
    let mut anchored = duel("+-+-");
    anchored.anchors = vec![(7, f64::NAN)];
    assert!(page(&anchored).contains("A duel"), "anchors that make no sense do not stop a report");
}

#[test]
fn markdown_of_a_match() {
    let mut data = duel(&"+==-+-=+".repeat(10));
    data.conditions = vec![("time | budget".into(), "1 s".into())];
    data.date = "2026-03-01".into();
    let section = match_section(&data);
    for line in [
        "## A duel",
        "**new** (new:visits=10) against **old** (old:visits=10)",
        "| games | 80, 15 of them different |",
        "| result | 30 won, 30 drawn, 20 lost |",
        "| score | 45 of 80 (56.2 %) |",
        "| seed | 77 |",
        "| revision | abc1234 |",
        "| time \\| budget | 1 s |",
        "| date | 2026-03-01 |",
        "```\ntengen duel new old\n```",
    ] {
        assert!(section.contains(line), "{line} is not in\n{section}");
    }
    assert!(section.contains("| Elo | +43.7 ± "), "{section}");
    assert!(section.contains("likelihood of superiority"));
}

#[test]
fn a_tournament_page_ranks_and_tells_groups_apart() {
    let mut data = duel("++-+==++");
    data.players.extend([player("third"), player("fourth"), player("idle")]);
    for index in 0..12 {
        let result = if index % 3 == 0 { GameResult::Second } else { GameResult::First };
        data.games.push(GameData { first: 2, second: 3, result, id: format!("x{index}"), ..Default::default() });
    }
    let page = page(&data);
    assert!(page.contains("Not all players are connected by games"));
    assert!(page.contains("no games"));
    assert!(page.contains("class=\"cross\""));
    let analysis = Analysis::of(&data);
    assert_eq!(analysis.ratings.groups, 3);
    assert_eq!(analysis.unique, None, "moves are missing");
    // Data goes through serde and gives the same page.
    let text = serde_json::to_string(&data).expect("plain data");
    let back: ReportData = serde_json::from_str(&text).expect("what was written");
    assert_eq!(back, data);
}
