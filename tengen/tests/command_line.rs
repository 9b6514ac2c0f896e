//! The program as its users meet it: commands, their answers, and what happens to nonsense.

use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Output, Stdio};

fn tengen(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A program that exits early closes its input: that is for the caller to judge.
    let _ = child.stdin.take().expect("a pipe").write_all(input);
    child.wait_with_output().expect("the program ends")
}

fn text(output: &[u8]) -> String {
    String::from_utf8(output.to_vec()).expect("the program writes text")
}

/// The answers of `tengen env` to some requests.
fn env(game: &str, requests: &[Value]) -> Vec<Value> {
    let input: String = requests.iter().map(|request| format!("{request}\n")).collect();
    let output = tengen(&["env", game], input.as_bytes());
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout).lines().map(|line| serde_json::from_str(line).expect("every answer is JSON")).collect()
}

fn ids() -> Vec<String> {
    let games: Value = serde_json::from_str(&text(&tengen(&["games", "--json"], b"").stdout)).expect("JSON");
    games.as_array().expect("a list").iter().map(|game| game["id"].as_str().expect("an id").to_owned()).collect()
}

#[test]
fn perft_prints_the_truths() {
    for (game, depth, position, nodes) in [
        ("chess", "4", "", 197_281u64),
        ("chess", "3", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 97_862),
        ("crazyhouse", "2", "2k5/8/8/8/8/8/8/4K3[QRBNPqrbnp] w", 75_353),
        ("atomic", "4", "", 197_326),
        ("racingkings", "3", "", 11_264),
        ("antichess", "4", "", 153_299),
        ("horde", "4", "", 23_310),
        ("othello", "8", "", 390_216),
        ("connect4", "7", "", 823_536),
        ("tictactoe", "9", "", 127_872),
        ("backgammon", "1", "", 21),
        ("yokai34", "6", "", 71_677),
        ("yokai56", "4", "", 71_546),
    ] {
        let mut arguments = vec!["perft", game, depth];
        if !position.is_empty() {
            arguments.extend(["--position", position]);
        }
        let output = text(&tengen(&arguments, b"").stdout);
        assert_eq!(output.lines().last(), Some(format!("nodes {nodes}").as_str()), "{arguments:?}");
    }
}

#[test]
fn divide_adds_up() {
    let output = text(&tengen(&["perft", "othello", "5", "--divide", "--json"], b"").stdout);
    let answer: Value = serde_json::from_str(&output).expect("JSON");
    let sum: u64 = answer["moves"].as_object().expect("moves").values().filter_map(Value::as_u64).sum();
    assert_eq!((sum, answer["nodes"].as_u64()), (1396, Some(1396)));
}

#[test]
fn env_answers_for_every_game() {
    for id in ids().iter().map(String::as_str).chain(["go2", "go7", "go25"]) {
        let answers = env(id, &[json!({"new": {}}), json!({"show": {}})]);
        assert_eq!(answers[0], answers[1], "{id}");
        let now = &answers[0];
        for field in ["position", "turn", "legal", "chance", "outcome", "ply", "key"] {
            assert!(now.get(field).is_some(), "{id} has no {field}");
        }
        let chance = now["turn"] == "chance";
        assert_eq!(now["legal"].as_array().map(Vec::is_empty), Some(chance), "{id}");
        assert_eq!(now["chance"].as_array().map(Vec::is_empty), Some(!chance), "{id}");
        assert_eq!((now["ply"].as_u64(), &now["outcome"]), (Some(0), &Value::Null), "{id}");
    }
}

#[test]
fn env_plays_undoes_and_seeks() {
    let answers = env(
        "chess",
        &[
            json!({"play": "e2e4"}),
            json!({"play": "e7e5"}),
            json!({"seek": 0}),
            json!({"seek": 2}),
            json!({"undo": 1}),
            json!({"seek": 2}),
            json!({"play": "Nf6"}),
        ],
    );
    let plies: Vec<Option<u64>> = answers.iter().map(|answer| answer["ply"].as_u64()).collect();
    assert_eq!(plies, [Some(1), Some(2), Some(0), Some(2), Some(1), None, Some(2)]);
    assert!(answers[5]["error"].as_str().is_some_and(|error| error.contains("no ply 2")));
    assert_eq!(answers[1]["key"], answers[3]["key"]);
}

#[test]
fn env_thinks_without_playing() {
    let request = json!({"think": {"player": "mcts:visits=200,threads=1,seed=1"}});
    let answers = env("tictactoe", &[request.clone(), request, json!({"show": {}})]);
    let thought = &answers[0]["thought"];
    assert_eq!(thought["best"], thought["moves"][0]["move"], "{thought}");
    assert_eq!(thought["best"], thought["pv"][0], "{thought}");
    assert_eq!(thought["nodes"], 200);
    assert_eq!(thought["moves"].as_array().map(Vec::len), Some(9));
    let visits: u64 = thought["moves"].as_array().expect("moves").iter().filter_map(|mv| mv["visits"].as_u64()).sum();
    assert_eq!(visits, 200);
    assert_eq!(thought["moves"], answers[1]["thought"]["moves"], "same seed, same thought");
    assert_eq!(answers[2]["ply"], 0);
}

#[test]
fn env_survives_nonsense() {
    let mut input = b"not json\n{}\n{\"play\":7}\n{\"play\":\"zz\"}\n[1]\n{\"undo\":9}\n{\"undo\":-1}\n{\"fly\":1}\n{\"new\":{\"komi\":7}}\n\
        {\"new\":{\"position\":\"xx\"}}\n{\"think\":{}}\n{\"think\":{\"player\":\"minmax\"}}\n{\"play\":\"e2e4\",\"undo\":1}\n\xff\xfe\n"
        .to_vec();
    input.extend(std::iter::repeat_n(b'a', 3 << 20));
    input.extend(b"\n{\"show\":{}}\n");
    let output = tengen(&["env", "chess"], &input);
    assert!(output.status.success());
    let answers: Vec<Value> =
        text(&output.stdout).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(answers.len(), 16, "one answer a line");
    for answer in &answers[..15] {
        assert!(answer["error"].as_str().is_some_and(|error| !error.is_empty()), "{answer}");
    }
    assert_eq!(answers[15]["ply"], 0, "and nothing has changed");
}

#[test]
fn solve_prints_exact_values() {
    let solve = |arguments: &[&str]| -> Value {
        let output = tengen(&[&["solve"], arguments, &["--json", "--table", "16"]].concat(), b"");
        assert!(output.status.success(), "{}", text(&output.stderr));
        serde_json::from_str(&text(&output.stdout)).expect("JSON")
    };
    let answer = solve(&["connect4", "--position", "414243"]);
    assert_eq!((&answer["outcome"], &answer["plies"], &answer["score"]), (&json!("win"), &json!(1), &json!(18)));
    assert_eq!(answer["moves"]["4"]["outcome"], "win");
    assert_eq!(answer["moves"].as_object().map(serde_json::Map::len), Some(7));
    let answer = solve(&["tictactoe"]);
    assert_eq!((&answer["outcome"], &answer["plies"]), (&json!("draw"), &json!(9)));
    // The last square turns the last white disc.
    let answer = solve(&["othello", "--position", &format!("{}O- X", "X".repeat(62))]);
    assert_eq!((&answer["outcome"], &answer["score"]), (&json!("win"), &json!(64)), "{answer}");
    for (arguments, complaint) in [
        (&["solve", "chess"][..], "no solver"),
        (&["solve", "connect4", "--position", "1212121"], "over"),
        (&["solve", "connect4", "--position", "x"], "six rows of seven"),
        (&["solve", "yokai34", "--out", "no/such/table", "--position", "gle/1c1/1C1/ELG[-] w"], "no table yet"),
        (&["solve", "yokai34", "--out", "Cargo.toml"], "not a table of yokai34"),
        (&["solve", "yokai34", "--position", "nonsense"], "no piece"),
    ] {
        let output = tengen(arguments, b"");
        assert!(!output.status.success() && text(&output.stderr).contains(complaint), "{}", text(&output.stderr));
    }
}

#[test]
fn superko_is_said_to_be_ko() {
    // Black takes the ko at B2 and White may not take back.
    let position = ".XO./X.XO/.XO./4 w - 0 0 0 7.5 chinese 0";
    let answers = env("go4", &[json!({"new": {"position": position}}), json!({"play": "B3"}), json!({"play": "C3"})]);
    assert!(answers[2]["error"].as_str().is_some_and(|error| error.contains("ko")), "{answers:?}");
}

#[test]
fn a_game_in_the_terminal() {
    let play = |arguments: &[&str], input: &str| text(&tengen(arguments, input.as_bytes()).stdout);
    let output = play(&["play", "tictactoe", "--second", "human"], "b2\na1\nhelp\nmoves\nundo\na3\nposition\nquit\n");
    assert!(output.contains("X to move") && output.contains("take your last move back"), "{output}");
    assert!(output.contains("O../.X./..."), "undo took a1 back: {output}");
    let output = play(&["play", "tictactoe", "--first", "alphabeta:depth=9", "--second", "alphabeta:depth=9"], "");
    assert!(output.ends_with("It is a draw.\n"), "{output}");
    let output = play(&["play", "pig", "--first", "random", "--second", "random", "--seed", "5"], "");
    assert!(output.ends_with("wins.\n"), "{output}");
    let hopeless =
        ["play", "go9", "--first", "go:playouts=60", "--second", "go:playouts=60,resign=0.3", "--handicap", "5"];
    let output = play(&hopeless, "");
    assert!(output.ends_with("White resigns. Black wins.\n"), "{output}");
    for id in ids() {
        let output = play(&["play", &id, "--second", "human", "--seed", "1"], "board\nquit\n");
        assert!(output.contains("to move"), "{id}: {output}");
    }
    // The menu, left by the end of the input, and a game chosen from it.
    assert!(play(&["play"], "").contains("Connect Four"));
    assert!(play(&["play"], "nonsense\n1\nquit\n").contains("X to move"));
}

#[test]
fn mistakes_get_one_clear_line() {
    for (arguments, complaint) in [
        (&["perft", "ches", "3"][..], "did you mean `chess`?"),
        (&["perft", "chess", "1", "--position", "8/8/8"], "rank"),
        (&["play", "go9", "--handicap", "99"], "handicap"),
        (&["play", "chess", "--second", "mcts:visits=many"], "visits"),
        (&["play", "go30"], "25x25"),
        (&["bench", "nosuchfigure"], "figure"),
    ] {
        let output = tengen(arguments, b"");
        let said = text(&output.stderr);
        assert!(!output.status.success() && said.contains(complaint), "{arguments:?}: {said}");
        assert_eq!(said.trim_end().lines().count(), 1, "{arguments:?}: {said}");
    }
}

/// What `tengen gtp` answers, answer by answer.
fn gtp(arguments: &[&str], input: &str) -> Vec<String> {
    let output = tengen(&[&["gtp"], arguments].concat(), input.as_bytes());
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout).split_terminator("\n\n").map(str::to_owned).collect()
}

#[test]
fn gtp_plays_with_any_player() {
    let game = "boardsize 5\nkomi 6.5\ngenmove b\ngenmove w\nplay b pass\nfinal_score\nquit\n";
    for player in ["go:playouts=50", "mcts:visits=50,rave=on", "random:seed=3"] {
        let answers = gtp(&["--player", player], game);
        assert_eq!(answers.len(), 7, "{player}: {answers:?}");
        assert!(answers.iter().all(|answer| answer.starts_with('=')), "{player}: {answers:?}");
    }
    let answers = gtp(
        &["--seconds", "0.1"],
        "boardsize 9\ngenmove b\ntengen-player\ntengen-param playouts\ntengen-param playouts 70\ntengen-param\n",
    );
    assert!(answers[2].starts_with("= go:"), "{answers:?}");
    assert_eq!(answers[3], "= 0");
    assert!(answers[5].contains("[string] playouts 70\n"), "{answers:?}");
}

#[test]
fn gtp_knows_dead_stones() {
    let answers = gtp(
        &["--player", "go:playouts=100"],
        "boardsize 5\nkomi 0.5\ngogui-play_sequence b C1 w D1 b C2 w D2 b C3 w D3 b C4 w D4 b C5 w D5 b E3 w A3\nfinal_score\nfinal_status_list dead",
    );
    assert_eq!(answers[3], "= B+4.5");
    assert_eq!(answers[4], "= A3\nE3");
}

#[test]
fn gtp_refuses_to_begin_with_nonsense() {
    for arguments in [&["--player", "nobody"][..], &["--player", "chess"], &["--seconds", "-1"], &["--resign", "2"]] {
        let output = tengen(&[&["gtp"], arguments].concat(), b"name\n");
        assert!(!output.status.success() && output.stdout.is_empty(), "{arguments:?}");
        assert!(!output.stderr.is_empty(), "{arguments:?}");
    }
}

/// Two games with 1. e4, of which White won one and drew one, a game of a variant and one that cannot be read.
const GAMES: &str = r#"[Event "one"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0

[Event "two"]
[Result "1/2-1/2"]

1. e4 {best by test} (1. d4 d5) c5 1/2-1/2

[Event "three"]
[Variant "Atomic"]
[Result "1-0"]

1. Nf3 f6 1-0

[Event "four"]
[Result "1-0"]

1. e4 e4 1-0

"#;

#[test]
fn a_book_is_made_from_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a plain name").to_owned();
    let (games, out) = (path("games.pgn"), path("book.bin"));
    std::fs::write(&games, GAMES).expect("a file");
    let book = |more: &[&str]| tengen(&[&["data", "book", &games, "--out", &out], more].concat(), b"");

    let output = book(&["--min-games", "2", "--json"]);
    let answer: Value = serde_json::from_str(&text(&output.stdout)).expect("JSON");
    assert_eq!((&answer["games"], &answer["left_out"], &answer["moves"]), (&json!(2), &json!(2), &json!(1)));
    assert!(text(&output.stderr).contains("not legal"), "{}", text(&output.stderr));
    // The published key of the start, e2e4, a win and a draw: three points.
    let entry = [0x46, 0x3b, 0x96, 0x18, 0x16, 0x91, 0xfc, 0x9c, 0x03, 0x1c, 0x00, 0x03, 0, 0, 0, 0];
    assert_eq!(std::fs::read(&out).expect("the book"), entry);

    // White's three moves and Black's drawn one; what lost is no advice. The engine plays from it.
    let answer: Value = serde_json::from_str(&text(&book(&["--min-games", "1", "--json"]).stdout)).expect("JSON");
    assert_eq!(answer["moves"], 4);
    let uci = format!(
        "setoption name BookFile value {out}\nsetoption name OwnBook value true\nposition startpos\ngo movetime 2000\n"
    );
    assert!(text(&tengen(&["uci"], uci.as_bytes()).stdout).contains("bestmove e2e4"));

    let complaint = |arguments: &[&str]| text(&tengen(arguments, b"").stderr);
    assert!(complaint(&["data", "book", &path("none.pgn"), "--out", &out]).contains("none.pgn"));
    assert!(complaint(&["data", "book", &games, "--out", &out, "--min-games", "9"]).contains("--min-games 1"));
    assert!(complaint(&["data", "book", &out, "--out", &path("other.bin")]).contains("no game of chess"));
}

#[test]
fn a_suite_of_mates_is_solved() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mates.epd");
    let suite = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - dm 1;\nkbK5/pp6/1P6/8/8/8/8/R7 w - - bm Ra6; id \"Morphy\";\n";
    std::fs::write(&file, suite).expect("a file");
    let output = tengen(&["chess", "epd", file.to_str().expect("a plain name"), "--nodes", "20000"], b"");
    assert!(text(&output.stdout).contains("2 of 2 solved at 20000 nodes"), "{}", text(&output.stdout));
    // A check sign apart is read; a line that is wrong is named and left out.
    let slips = format!("# mates\n{}6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Qd8;\n", suite.replace("Ra6", "Ra6 +"));
    std::fs::write(&file, slips).expect("a file");
    let output = tengen(&["chess", "epd", file.to_str().expect("a plain name"), "--nodes", "20000"], b"");
    assert!(text(&output.stdout).contains("2 of 2 solved"), "{}", text(&output.stdout));
    assert!(text(&output.stderr).contains("mates.epd, line 4:"), "{}", text(&output.stderr));
}

/// Whatever says how much of something there is to be is bounded, and what does not end is not read.
#[test]
fn sizes_are_limited() {
    for arguments in [
        &["duel", "random", "random", "--game", "tictactoe", "--games", "4000000000"][..],
        &["duel", "random", "random", "--game", "tictactoe", "--plies", "4000000000"],
        &["duel", "random", "random", "--game", "tictactoe", "--openings", "/dev/zero"],
        &["duel", "random", "alphabeta:table=65536000", "--game", "tictactoe"],
        &["duel", "random", "random", "--game", "tictactoe", "--ms", "99999999999999"],
        &["tournament", "/dev/zero"],
        &["tune", "/dev/zero"],
        &["perft", "tictactoe", "4000000000"],
        &["explain", "tictactoe", "--visits", "4000000000"],
        &["chess", "epd", "/dev/zero"],
        &["data", "book", "/dev/zero", "--out", "/nowhere/book.bin"],
        &["gtp", "--seconds", "1e18"],
        &["play", "tictactoe", "--second", "chess:hash=1048577"],
    ] {
        let output = tengen(arguments, b"");
        assert_eq!(output.status.code().map(|code| code > 0), Some(true), "{arguments:?}: {}", text(&output.stdout));
        assert!(!text(&output.stderr).contains("panicked"), "{arguments:?}: {}", text(&output.stderr));
    }
    let answer =
        text(&tengen(&["gtp", "--player", "random"], b"loadsgf /dev/zero\nboardsize 4000000000\nquit\n").stdout);
    assert!(answer.contains("? cannot load file: it is a device"), "{answer}");
    assert!(answer.contains("? unacceptable size"), "{answer}");
    let book = b"setoption name BookFile value /dev/zero\nsetoption name OwnBook value true\nisready\nquit\n";
    let answer = text(&tengen(&["uci"], book).stdout);
    assert!(answer.contains("it is no file"), "{answer}");
}

#[test]
fn a_bench_is_held_against_another() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("before.json");
    let file = path.to_str().expect("a plain name");
    let bench = |option: &str| tengen(&["bench", "search/mcts-tictactoe", "--seconds", "0.01", option, file], b"");
    let first = text(&bench("--save").stdout);
    let second = bench("--against");
    assert!(text(&second.stdout).contains(" x before"), "{}", text(&second.stdout));
    assert!(text(&second.stderr).contains("no search changed"), "{}", text(&second.stderr));
    let signature = |output: &str| output.lines().last().map(str::to_owned);
    assert_eq!(signature(&first), signature(&text(&second.stdout)));
    assert!(signature(&first).is_some_and(|line| line.starts_with("Bench: ")), "{first}");
    // A search that came to something else is named.
    let kept = std::fs::read_to_string(&path).expect("it was kept");
    let other = kept.replace("\"go9 go:playouts=400\": ", "\"go9 go:playouts=400\": 1");
    assert_ne!(kept, other);
    std::fs::write(&path, other).expect("it is written");
    assert!(text(&bench("--against").stderr).contains(": go9 go:playouts=400\n"));
    std::fs::write(&path, "{}").expect("it is written");
    assert!(text(&bench("--against").stderr).contains("missing field"), "what is no bench is refused");
}

#[test]
fn a_table_that_is_not_there_is_not_checked() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("yokai34.table");
    let output = tengen(&["solve", "yokai34", "--check", "--out", path.to_str().expect("a plain name")], b"");
    let complaint = text(&output.stderr);
    assert!(!output.status.success() && complaint.contains("there is no table"), "{complaint}");
    assert!(complaint.contains("`tengen solve yokai34` makes it"), "{complaint}");
    assert!(!path.exists());
}
