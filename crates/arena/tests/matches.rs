//! Matches from settings to results: the same settings give the same games, killed matches go on, bad engines are told apart, and bad
//! input is refused before the first game.

use std::collections::BTreeMap;
use tengen_arena::stats::{SprtPath, Verdict};
use tengen_arena::{
    Adjudication, Bounds, Conduct, Deaf, DrawRule, Ear, Entrant, Finished, Format, OnCrash, OpeningSettings, Origin,
    Report, ResignRule, Settings, SprtSettings, Standings, Store, TimeControl, check, gather, openings, run,
};
use tengen_record::database::{Database, Filter, Page};
use tengen_record::{Handicap, Record, Setup};
use tengen_table::registry;

fn settings(game: &str, players: &[&str], games: u64) -> Settings {
    let players = players.iter().map(|player| Entrant::new(*player)).collect();
    Settings { game: game.to_owned(), players, games, seed: 7, ..Settings::default() }
}

fn engine(arguments: &str) -> String {
    format!("uci:'{}' uci {arguments}", env!("CARGO_BIN_EXE_misbehave-arena"))
}

fn play(mut settings: Settings) -> Result<Report, String> {
    check(&mut settings)?;
    run(&settings, &Conduct { keep: true, ..Conduct::default() }, None, &mut Deaf)
}

/// The moves of all games, by their numbers.
fn moves(report: &Report) -> BTreeMap<u64, (Vec<String>, Vec<String>)> {
    let texts = |record: &Record| record.moves.iter().map(|played| played.text.clone()).collect();
    report.records.iter().map(|(number, record)| (*number, (record.players.to_vec(), texts(record)))).collect()
}

#[test]
fn the_same_settings_give_the_same_games() {
    for (game, players) in [
        ("connect4", ["mcts:visits=50", "random"]),
        ("tictactoe", ["random", "random"]),
        ("backgammon", ["expectiminimax:depth=1", "random"]),
        ("go5", ["mcts:visits=30", "random"]),
    ] {
        let [one, two] =
            [play(settings(game, &players, 6)), play(settings(game, &players, 6))].map(|report| report.expect(game));
        assert_eq!(moves(&one), moves(&two), "{game}");
        let other = play(Settings { seed: 8, ..settings(game, &players, 6) }).expect(game);
        assert_ne!(moves(&one), moves(&other), "{game}: another seed gives other games");
    }
}

#[test]
fn every_game_has_openings() {
    let short = Adjudication { max_plies: Some(30), ..Adjudication::default() };
    for game in registry::GAMES.iter().map(|game| game.id).chain(["go2", "go7"]) {
        let settings = Settings { adjudication: short.clone(), ..settings(game, &["random", "random"], 2) };
        let report = play(settings).unwrap_or_else(|error| panic!("{game}: {error}"));
        assert_eq!(report.standings.games, 2, "{game}");
        let drawn = report.plan.source.contains("random walks");
        assert_eq!(drawn, !["pig", "backgammon"].contains(&game), "{game}: {}", report.plan.source);
    }
    // One side may be ahead from the start.
    let setup = Setup { handicap: Some(Handicap::Fixed(4)), ..Setup::standard() };
    play(Settings { setup, adjudication: short, ..settings("go9", &["random", "random"], 2) }).expect("a handicap");
}

#[test]
fn pairs_share_their_opening_and_exchange_sides() {
    let report = play(settings("othello6", &["random", "alphabeta:depth=1"], 20)).expect("a match");
    let games = moves(&report);
    let mut openings = Vec::new();
    for pair in 0..10 {
        let [(names, one), (reversed, two)] = [2 * pair, 2 * pair + 1].map(|number| games[&number].clone());
        assert_eq!(names.iter().rev().collect::<Vec<_>>(), reversed.iter().collect::<Vec<_>>());
        assert_eq!(one[..4], two[..4]);
        openings.push(one[..4].to_vec());
    }
    openings.sort();
    openings.dedup();
    assert_eq!(openings.len(), 10, "all openings differ");
    let summary = report.standings.summary(1, 0);
    assert_eq!(summary.pairs.map(|pairs| pairs.pairs()), Some(10));
    assert!(summary.score.is_some_and(|score| score > 0.6), "alpha-beta beats random moves");
}

#[test]
fn repeated_games_are_counted_once() {
    // Two players without chance from one start have two games between them, however often they play.
    let openings = OpeningSettings { plies: Some(0), ..OpeningSettings::default() };
    let report = play(Settings { openings, ..settings("tictactoe", &["minimax:depth=2", "minimax:depth=3"], 20) })
        .expect("a match");
    assert!(report.standings.unique() <= 2);
    assert!(report.to_text().contains("repeat others"));
}

/// Runs a match in a database; stops hearing after so many games, as if killed.
fn in_database(settings: &Settings, database: &mut Database, games: u64) -> Option<Report> {
    struct Killed(u64);
    impl Ear for Killed {
        fn game(&mut self, _: &Finished, standings: &Standings, _: Option<&SprtPath>) {
            if standings.games >= self.0 {
                std::panic::resume_unwind(Box::new("killed"));
            }
        }
    }
    let conduct = Conduct { keep: true, concurrency: 1, ..Conduct::default() };
    let store = Store { database, resume: true, kind: "duel", origin: &Origin::default() };
    let run = || run(settings, &conduct, Some(store), &mut Killed(games));
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).ok().map(|report| report.expect("it runs"))
}

/// Whoever looks into the database sees a game while it is played, and each once when all is over.
#[test]
fn a_game_can_be_watched_while_it_is_played() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("games.db");
    let mut settings = settings("othello", &["mcts:ms=200", "mcts:ms=200,seed=2"], 2);
    settings.openings = OpeningSettings { plies: Some(0), ..OpeningSettings::default() };
    settings.adjudication.max_plies = Some(20);
    check(&mut settings).expect("fine");
    let mut database = Database::open(&file).expect("a database");
    let unfinished = Filter { finished: Some(false), ..Filter::default() };
    let page = Page { skip: 0, take: 10 };
    let mut seen = Vec::new();
    let origin = Origin::default();
    std::thread::scope(|scope| {
        let conduct = Conduct { concurrency: 1, ..Conduct::default() };
        let store = Store { database: &mut database, resume: false, kind: "duel", origin: &origin };
        let settings = &settings;
        let playing = scope.spawn(move || run(settings, &conduct, Some(store), &mut Deaf).expect("it runs"));
        let looker = Database::open(&file).expect("a database");
        while !playing.is_finished() {
            for game in looker.find(&unfinished, page).expect("readable") {
                let record = looker.read(game.id).expect("readable");
                seen.extend(record.map(|record| (record.tags["number"].clone(), record.moves.len())));
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
    });
    assert!(seen.iter().any(|(number, plies)| number == "1" && *plies > 0), "{seen:?}");
    assert!(seen.is_sorted() && seen.first() != seen.last(), "it goes on: {seen:?}");
    assert_eq!(database.count(&unfinished).expect("countable"), 0);
    assert_eq!(database.count(&Filter::default()).expect("countable"), 2);
}

#[test]
fn a_killed_match_goes_on_exactly() {
    for format in [Format::RoundRobin, Format::Swiss, Format::KnockOut] {
        let mut settings = Settings {
            format,
            ..settings("tictactoe", &["random", "mcts:visits=20", "minimax:depth=1", "random:seed=5"], 4)
        };
        check(&mut settings).expect("fine");
        let whole = play(settings.clone()).expect("a match");
        let mut database = Database::in_memory().expect("a database");
        // Killed twice, with games being played and games in the batch; then to the end.
        assert!(in_database(&settings, &mut database, 3).is_none());
        assert!(in_database(&settings, &mut database, 7).is_none());
        let report = in_database(&settings, &mut database, u64::MAX).expect("the rest");
        assert_eq!(moves(&report), moves(&whole), "{format:?}");
        assert_eq!(report.plan.before + report.played, whole.standings.games);
        assert_eq!(database.count(&Filter::default()).expect("countable"), whole.standings.games);
        let event = database.event(&settings.name).expect("readable").expect("there");
        assert_eq!(event.1.state, "finished");
        // Once more: nothing is left to play.
        assert_eq!(in_database(&settings, &mut database, u64::MAX).expect("nothing").played, 0);
    }
}

#[test]
fn a_match_goes_on_only_as_it_began() {
    let mut database = Database::in_memory().expect("a database");
    let mut before = settings("tictactoe", &["random", "random:seed=1"], 2);
    check(&mut before).expect("fine");
    in_database(&before, &mut database, u64::MAX).expect("a match");
    let mut go_on = |settings: &Settings, resume| {
        let store = Store { database: &mut database, resume, kind: "duel", origin: &Origin::default() };
        run(settings, &Conduct::default(), Some(store), &mut Deaf)
    };
    assert!(go_on(&before, false).expect_err("it is there").contains("--resume"));
    let other = Settings { seed: 99, ..before.clone() };
    let error = go_on(&other, true).expect_err("another match");
    assert!(error.contains("seed: `7` then, `99` now"), "{error}");
    // More games are welcome.
    let longer = Settings { games: 6, ..before.clone() };
    assert_eq!(go_on(&longer, true).expect("it goes on").played, 4);
}

#[test]
fn engines_fail_each_in_its_own_way() {
    for (fault, name, counted) in
        [("crash", "crash", false), ("illegal", "illegal move", true), ("nonsense", "illegal move", true)]
    {
        let players = [engine(&format!("{fault} 0")), "minimax:depth=2".to_owned()];
        let mut match_settings = settings("tictactoe", &[&players[0], &players[1]], 4);
        check(&mut match_settings).expect("it starts well");
        for on_crash in [OnCrash::Stop, OnCrash::Restart] {
            let conduct = Conduct { on_crash, ..Conduct::default() };
            let report = run(&match_settings, &conduct, None, &mut Deaf).expect("it runs");
            let goes_on = counted || on_crash == OnCrash::Restart;
            assert_eq!(report.stopped.is_none(), goes_on, "{fault} {on_crash:?}: {:?}", report.stopped);
            if goes_on {
                assert_eq!(report.standings.troubles[0].get(name), Some(&4), "{:?}", report.standings.troubles);
                assert_eq!(report.standings.total(0).losses, 4);
            } else {
                assert_eq!(report.standings.games, 0, "a crash does not count");
                assert!(report.stopped.expect("stopped").contains("segmentation imaginary"));
            }
        }
    }
}

#[test]
fn time_is_kept() {
    let slow = engine("slow 0");
    let clock = TimeControl::read("0.2").expect("a control");
    let limits = Bounds { clock: Some(clock), ..Bounds::default() };
    let report = play(Settings { limits, ..settings("tictactoe", &[&slow, "minimax:depth=1"], 2) }).expect("it runs");
    assert_eq!(report.standings.troubles[0].get("time forfeit"), Some(&2), "{:?}", report.standings.troubles);
    let limits = Bounds { ms: Some(50), ..Bounds::default() };
    let report = play(Settings { limits, ..settings("tictactoe", &[&slow, "minimax:depth=1"], 2) }).expect("it runs");
    assert_eq!(report.standings.troubles[0].get("time forfeit"), Some(&2), "{:?}", report.standings.troubles);
    // A time in the player's own text holds as one of the match, with a clock beside it or without.
    let slow = engine("slow 0 [ms=50]");
    for clock in [None, Some("60")] {
        let clock = clock.map(|clock| TimeControl::read(clock).expect("a control"));
        let limits = Bounds { clock, ..Bounds::default() };
        let settings = Settings { limits, ..settings("tictactoe", &[&slow, "minimax:depth=1"], 2) };
        let report = play(settings).expect("it runs");
        assert_eq!(report.standings.troubles[0].get("time forfeit"), Some(&2), "{:?}", report.standings.troubles);
        assert_eq!(report.standings.late, [0, 0], "asleep is not kept waiting");
    }
}

/// What cannot be played in a lifetime is refused before anything is made ready for it.
#[test]
fn matches_without_end_are_refused() {
    let usual = || settings("tictactoe", &["random", "random"], 2);
    let openings = |openings| Settings { openings, ..usual() };
    let swiss = Settings { format: Format::Swiss, rounds: Some(u32::MAX), games: u64::MAX, ..usual() };
    for (settings, complaint) in [
        (Settings { games: 4_000_000_000, ..usual() }, "4000000000 games are too many"),
        (swiss, "games are too many"),
        (
            openings(OpeningSettings { plies: Some(u32::MAX), ..OpeningSettings::default() }),
            "openings of more than 1000 plies",
        ),
        (openings(OpeningSettings { balance: f32::NAN, ..OpeningSettings::default() }), "the balance is a number"),
        (Settings { limits: Bounds { ms: Some(u64::MAX), ..Bounds::default() }, ..usual() }, "ms is at most 86400000"),
        (settings("tictactoe", &["alphabeta:table=65536", "random"], 2), "no room for 65536 megabytes"),
    ] {
        let has_room = complaint.contains("no room") && std::fs::metadata("/proc/meminfo").is_err();
        let error = play(settings).expect_err(complaint);
        assert!(has_room || error.contains(complaint), "{complaint}: {error}");
    }
}

#[test]
fn adjudication_ends_games() {
    let rules = |adjudication| {
        let openings = OpeningSettings { plies: Some(2), ..OpeningSettings::default() };
        play(Settings {
            adjudication,
            openings,
            ..settings("connect4", &["alphabeta:depth=6", "alphabeta:depth=5"], 10)
        })
        .expect("a match")
    };
    let capped = rules(Adjudication { max_plies: Some(9), ..Adjudication::default() });
    assert_eq!(capped.standings.total(0).draws, 10);
    assert_eq!(capped.standings.reasons.get("move limit"), Some(&10));
    let resigned = rules(Adjudication { resign: Some(ResignRule { value: 0.9, moves: 1 }), ..Adjudication::default() });
    assert!(resigned.standings.reasons.contains_key("adjudicated a win"), "{:?}", resigned.standings.reasons);
    let drawn =
        rules(Adjudication { draw: Some(DrawRule { value: 1.0, moves: 2, from: 6 }), ..Adjudication::default() });
    assert_eq!(drawn.standings.reasons.get("adjudicated a draw"), Some(&10));
    let solved = play(Settings {
        adjudication: Adjudication { solver: true, ..Adjudication::default() },
        ..settings("tictactoe", &["random", "minimax:depth=3"], 4)
    });
    assert_eq!(solved.expect("a match").standings.reasons.get("solved"), Some(&4));
}

#[test]
fn a_test_stops_when_it_is_decided() {
    let sprt = Some(SprtSettings { elo0: 0.0, elo1: 100.0, alpha: 0.05, beta: 0.05, normalised: false });
    let report =
        play(Settings { sprt, ..settings("tictactoe", &["minimax:depth=4", "random"], 100_000) }).expect("a match");
    assert_eq!(report.sprt.as_ref().map(|path| path.verdict), Some(Verdict::AcceptH1));
    assert!(report.standings.games < 1000, "{}", report.standings.games);
    assert!(report.to_text().contains("H1 accepted"));
}

#[test]
fn openings_come_from_files() {
    let dir = tempfile::tempdir().expect("a directory");
    let write = |name: &str, text: &str| {
        let path = dir.path().join(name);
        std::fs::write(&path, text).expect("written");
        path
    };
    let with = |game: &str, file| Settings {
        openings: OpeningSettings { file: Some(file), ..OpeningSettings::default() },
        ..settings(game, &["random", "random:seed=2"], 4)
    };
    for (game, name, text, first) in [
        ("chess", "book.epd", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - id \"open\";\n", ""),
        ("chess", "book.pgn", "1. e4 e5 2. Nf3 *\n\n1. d4 d5 *\n", "e2e4 e7e5 g1f3"),
        ("go9", "book.sgf", "(;SZ[9];B[ee];W[cc])", "E5 C7"),
        ("connect4", "book.txt", "# columns\n4 4 4\n3 4\n", "4 4 4"),
    ] {
        let report = play(Settings {
            adjudication: Adjudication { max_plies: Some(6), ..Adjudication::default() },
            ..with(game, write(name, text))
        })
        .expect(name);
        let begin: Vec<String> = report.records[0]
            .1
            .moves
            .iter()
            .filter(|played| played.comment == "book")
            .map(|played| played.text.clone())
            .collect();
        assert_eq!(begin.join(" "), first, "{name}");
    }
    for (game, name, text, complaint) in [
        ("chess", "bad.epd", "rnbqkbnr/ppp w - -\n", "bad.epd"),
        ("chess", "bad.pgn", "1. e4 Ke4 *\n", "bad.pgn"),
        ("connect4", "bad.txt", "4 4 4\n4 9\n", "opening 2"),
        ("tictactoe", "over.txt", "a1 b1 a2 b2 a3", "over"),
    ] {
        let mut settings = with(game, write(name, text));
        let error = check(&mut settings)
            .and_then(|()| openings::prepare(&settings, 1, &mut |_, _| {}).map(|_| ()))
            .expect_err(name);
        assert!(error.contains(complaint), "{name}: {error}");
    }
    let error = check(&mut with("chess", dir.path().join("book.edp"))).expect_err("no such file");
    assert!(error.contains("did you mean `book.epd`?"), "{error}");
}

#[test]
fn wrong_settings_are_refused_before_the_first_game() {
    for (game, players, complaint) in [
        ("conect4", vec!["random", "random"], "`connect4`"),
        ("connect4", vec!["random"], "at least two"),
        ("connect4", vec!["random", "randon"], "`random`"),
        ("connect4", vec!["random", "mcts:vists=3"], "`visits`"),
        ("connect4", vec!["random", "mcts:visits=-3"], "0 to"),
        ("othello", vec!["random", "perfect"], "not solved"),
        ("chess", vec!["random", "uci:no-such-engine"], "no-such-engine"),
        ("chess", vec!["random", "gtp:"], "command"),
    ] {
        let error = check(&mut settings(game, &players, 2)).expect_err(complaint);
        assert!(error.contains(complaint), "{game} {players:?}: {error}");
    }
    let mut wrong_option = settings("tictactoe", &["random", &engine("fine 0 [Hsah=3]")], 2);
    assert!(check(&mut wrong_option).expect_err("no such option").contains("`Hash`"));
    assert!(check(&mut settings("tictactoe", &["random", "random"], 0)).is_err());
    let sprt = Some(SprtSettings { elo0: 5.0, elo1: 0.0, alpha: 0.05, beta: 0.05, normalised: false });
    assert!(
        check(&mut Settings { sprt, ..settings("tictactoe", &["random", "random"], 2) })
            .expect_err("upside down")
            .contains("greater")
    );
}

#[test]
fn a_report_shows_every_game() {
    let report = play(settings("tictactoe", &["random", "minimax:depth=2", "mcts:visits=20"], 4)).expect("a match");
    let data =
        gather(&report, &Origin { command: "tengen tournament three.toml".to_owned(), revision: "1".to_owned() });
    assert_eq!((data.players.len(), data.games.len()), (3, 12));
    for game in &data.games {
        let frames = game.frames.as_ref().expect("drawn");
        assert_eq!(frames.changes.len(), game.moves.len() + 1);
        assert!(game.pair.is_some());
    }
    let text = report.to_text();
    assert!(text.contains("minimax:depth=2") && text.contains("points"), "{text}");
    assert_eq!(report.to_json()["table"][0][0], serde_json::json!([0, 0, 0]));
}

#[test]
fn games_in_the_database_are_whole() {
    let mut database = Database::in_memory().expect("a database");
    let mut settings = settings("othello6", &["alphabeta:depth=2", "mcts:visits=30"], 4);
    check(&mut settings).expect("fine");
    let report = in_database(&settings, &mut database, u64::MAX).expect("a match");
    for game in database.find(&Filter::default(), Page::ALL).expect("findable") {
        let record = database.read(game.id).expect("readable").expect("there");
        let number = game.number.expect("numbered");
        assert_eq!(Some(&record), report.records.iter().find(|(known, _)| *known == number).map(|(_, record)| record));
        let thought = record.moves.last().expect("moves");
        assert!(thought.seconds.is_some() && thought.nodes.is_some() && thought.value.is_some());
        let mut table = tengen_table::open(&record.game, &record.setup).expect("a table");
        record.moves.iter().for_each(|played| table.play(&played.text).expect("legal"));
        assert_eq!(table.view().outcome(), record.ending.map(|ending| ending.outcome));
    }
}
