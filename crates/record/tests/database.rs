//! The game database: what goes in comes out, also after the program was gone, and damaged files do no harm.

use std::time::Instant;
use tengen_core::{Outcome, Side};
use tengen_record::database::{Database, Event, Filter, Page};
use tengen_record::{Ending, Played, Record, Setup};

fn game(first: &str, second: &str, outcome: Option<Outcome>) -> Record {
    Record {
        game: "tictactoe".to_owned(),
        setup: Setup::at("x.. ... ... o"),
        players: [first.to_owned(), second.to_owned()],
        moves: vec![
            Played { seconds: Some(0.5), value: Some(-0.25), depth: Some(3), nodes: Some(77), ..Played::new("b2") },
            Played { comment: "hm".to_owned(), lead: Some(1.5), ..Played::new("c3") },
        ],
        ending: outcome.map(|outcome| Ending { outcome, reason: "resignation".to_owned() }),
        event: "spring".to_owned(),
        date: "2026-11-16T08:30:00Z".to_owned(),
        tags: [("Site".to_owned(), "here".to_owned())].into(),
    }
}

#[test]
fn a_game_comes_back_as_it_was() {
    let mut database = Database::in_memory().expect("a database");
    let record = game("ann", "bob", Some(Outcome::Draw));
    let ids = database.insert(std::slice::from_ref(&record)).expect("written");
    assert_eq!(database.read(ids[0]).expect("readable"), Some(record));
    assert_eq!(database.read(999).expect("readable"), None);
    assert!(database.delete(ids[0]).expect("deletable"));
    assert!(!database.delete(ids[0]).expect("deletable"));
}

#[test]
fn moves_are_safe_at_once() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("deep").join("games.db");
    let mut database = Database::open(&path).expect("a database");
    let mut record = game("ann", "bob", None);
    let id = database.begin(&record).expect("begun");
    for text in ["a2", "a3", "b1"] {
        database.append(id, &[Played::new(text)]).expect("appended");
        record.moves.push(Played::new(text));
        // Another reader, as after a crash of the writer, which is not asked to close anything.
        let reader = Database::open_read_only(&path).expect("readable beside a writer");
        assert_eq!(reader.read(id).expect("readable").as_ref(), Some(&record));
    }
    database.truncate(id, 3).expect("taken back");
    database.append(id, &[Played::new("c1")]).expect("appended");
    database.finish(id, &Ending { outcome: Outcome::Win(Side::Second), reason: String::new() }).expect("finished");
    let found = database.read(id).expect("readable").expect("there");
    assert_eq!(found.moves.iter().map(|played| played.text.as_str()).collect::<Vec<_>>(), ["b2", "c3", "a2", "c1"]);
    assert_eq!(found.ending.map(|ending| ending.outcome), Some(Outcome::Win(Side::Second)));
    assert!(
        database.append(999, &[Played::new("a1")]).is_err()
            && database.finish(999, &Ending { outcome: Outcome::Draw, reason: String::new() }).is_err()
    );
}

#[test]
fn games_are_found() {
    let mut database = Database::in_memory().expect("a database");
    let win = |side| Some(Outcome::Win(side));
    let mut chess = game("cid", "ann", win(Side::First));
    chess.game = "chess".to_owned();
    chess.event = String::new();
    chess.date = "2025-01-01".to_owned();
    let games = [
        game("ann", "bob", win(Side::First)),
        game("bob", "ann", win(Side::First)),
        game("ann", "bob", Some(Outcome::Draw)),
        game("ann", "bob", None),
        chess,
    ];
    database.insert(&games).expect("written");
    let some = |text: &str| Some(text.to_owned());
    for (filter, count) in [
        (Filter::default(), 5),
        (Filter { game: some("chess"), ..Filter::default() }, 1),
        (Filter { player: some("ann"), ..Filter::default() }, 5),
        (Filter { player: some("bob"), ..Filter::default() }, 4),
        (Filter { event: some("spring"), ..Filter::default() }, 4),
        (Filter { event: some("' OR 1 --"), ..Filter::default() }, 0),
        (Filter { outcome: win(Side::First), ..Filter::default() }, 3),
        (Filter { finished: Some(false), ..Filter::default() }, 1),
        (Filter { since: some("2026"), ..Filter::default() }, 4),
        (Filter { until: some("2025"), ..Filter::default() }, 1),
        (Filter { until: some("2026-11-16"), since: some("2026-11-16"), ..Filter::default() }, 4),
        (Filter { text: some("CID"), ..Filter::default() }, 1),
        (Filter { text: some("100%_"), ..Filter::default() }, 0),
        (Filter { text: some("here"), finished: Some(true), ..Filter::default() }, 4),
    ] {
        assert_eq!(database.count(&filter).expect("countable"), count, "{filter:?}");
        assert_eq!(database.find(&filter, Page::ALL).expect("findable").len() as u64, count, "{filter:?}");
    }
    let page = database.find(&Filter::default(), Page { skip: 1, take: 2 }).expect("a page");
    assert_eq!(page.iter().map(|game| game.id).collect::<Vec<_>>(), [4, 3]);
    assert_eq!(
        database.player_names(&Filter { game: some("chess"), ..Filter::default() }).expect("names"),
        ["ann", "cid"]
    );
    let scores = database.scores(&Filter { game: some("tictactoe"), ..Filter::default() }).expect("scores");
    let figures: Vec<_> = scores.iter().map(|s| (s.first.as_str(), s.wins, s.draws, s.losses)).collect();
    assert_eq!(figures, [("ann", 1, 1, 0), ("bob", 1, 0, 0)]);
}

#[test]
fn a_number_is_taken_once() {
    let mut database = Database::in_memory().expect("a database");
    let event = Event { name: "spring".to_owned(), kind: "duel".to_owned(), seed: u64::MAX, ..Event::default() };
    let id = database.begin_event(&event).expect("begun");
    assert!(database.begin_event(&event).is_err());
    assert_eq!(database.event("spring").expect("readable"), Some((id, event)));
    let record = game("ann", "bob", Some(Outcome::Draw));
    database.insert_numbered(&[(0, record.clone()), (1, record.clone())]).expect("written");
    // The whole batch is refused: nothing of it is there.
    assert!(database.insert_numbered(&[(2, record.clone()), (1, record.clone())]).is_err());
    let mut numbers = Vec::new();
    database.each_numbered(id, |number, record| numbers.push((number, record.moves.len()))).expect("readable");
    assert_eq!(numbers, [(0, 2), (1, 2)]);
    database.set_event_state(id, "finished", "2026", "{}").expect("written");
    assert_eq!(database.events().expect("readable")[0].1.state, "finished");
    assert!(database.delete_event(id).expect("deletable"));
    assert_eq!(database.count(&Filter::default()).expect("countable"), 0);
}

#[test]
fn what_is_no_database_is_refused() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("games.db");
    std::fs::write(&path, "this is no database, but a text of some length that says so".repeat(40)).expect("written");
    let error = Database::open(&path).map(|_| ()).expect_err("no database").to_string();
    assert!(error.contains("games.db"), "{error}");
    assert!(Database::open(dir.path()).is_err(), "a directory is no database");
    let newer = dir.path().join("newer.db");
    drop(Database::open(&newer).expect("a database"));
    rusqlite::Connection::open(&newer).expect("opens").pragma_update(None, "user_version", 999).expect("written");
    assert!(Database::open(&newer).map(|_| ()).expect_err("newer").to_string().contains("newer Tengen"));
}

#[test]
fn thousands_of_games_a_second_are_written() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut database = Database::open(&dir.path().join("games.db")).expect("a database");
    let mut record = game("ann", "bob", Some(Outcome::Draw));
    record.moves = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"].map(Played::new).to_vec();
    let batch = vec![record; 500];
    let start = Instant::now();
    for _ in 0..10 {
        database.insert(&batch).expect("written");
    }
    let rate = 5000.0 / start.elapsed().as_secs_f64();
    assert!(rate > 2000.0, "{rate:.0} games/s");
}

#[test]
fn several_may_write_to_one_file() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("games.db");
    drop(Database::open(&file).expect("a new file"));
    std::thread::scope(|scope| {
        for name in ["one", "two", "three"] {
            let file = &file;
            scope.spawn(move || {
                let mut database = Database::open(file).expect("a database");
                let record = Record { game: "tictactoe".into(), event: name.into(), ..Record::default() };
                let game = database.begin(&record).expect("begun");
                for _ in 0..200 {
                    database.append(game, &[Played::new("b2")]).expect("everybody gets a turn");
                }
            });
        }
    });
    let database = Database::open_read_only(&file).expect("a database");
    let plies: usize = database
        .find(&Filter::default(), Page { skip: 0, take: 10 })
        .expect("listed")
        .iter()
        .map(|game| game.plies)
        .sum();
    assert_eq!(plies, 600);
}
