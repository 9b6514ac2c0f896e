//! Duels, tournaments, ratings and tuning as their users meet them, kill -9 included.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn tengen(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("the program starts")
}

fn json(arguments: &[&str]) -> Value {
    let output = tengen(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn complaint(arguments: &[&str]) -> String {
    let output = tengen(arguments);
    assert!(!output.status.success(), "{arguments:?} was accepted");
    String::from_utf8_lossy(&output.stderr).trim().to_owned()
}

/// A path as text.
fn text(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

#[test]
fn a_duel_says_who_is_stronger() {
    let result = json(&["duel", "minimax:depth=3", "random", "--game", "connect4", "--games", "40", "--json"]);
    assert_eq!(result["games"], 40);
    assert!(result["score"].as_f64().is_some_and(|score| score > 0.8), "{result}");
    let output = tengen(&["duel", "minimax:depth=3", "random", "--game", "tictactoe", "--games", "12"]);
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    for word in ["minimax:depth=3 against random", "Elo", "pairs", "12 ("] {
        assert!(shown.contains(word), "{word}: {shown}");
    }
}

#[test]
fn a_killed_duel_goes_on() {
    let dir = tempfile::tempdir().expect("a directory");
    let db = dir.path().join("games.db");
    let command = |name: &str| {
        let words = [
            "duel",
            "mcts:visits=300",
            "mcts:visits=200",
            "--game",
            "connect4",
            "--games",
            "60",
            "--json",
            "--resume",
            "--name",
        ];
        let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
        command
            .args(words)
            .args([name, "--out", text(&db)])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        command
    };
    // Killed again and again while it plays.
    for delay in [60, 200, 350] {
        let mut child = command("killed").spawn().expect("it starts");
        std::thread::sleep(Duration::from_millis(delay));
        child.kill().expect("killable");
        child.wait().expect("it ends");
    }
    let finish = |name| -> Value {
        let output = command(name).output().expect("it ends");
        assert!(output.status.success());
        serde_json::from_slice(&output.stdout).expect("JSON")
    };
    let (killed, whole) = (finish("killed"), finish("whole"));
    assert_eq!(killed["games"], 60);
    for key in ["score", "pairs", "plies", "unique"] {
        assert_eq!(killed[key], whole[key], "{key}");
    }
    let records = |event| {
        let output = tengen(&["records", "--from", text(&db), "--event", event, "--limit", "1000", "--json"]);
        String::from_utf8(output.stdout).expect("text").lines().count()
    };
    assert_eq!((records("killed"), records("whole")), (60, 60));
}

#[test]
fn tournaments_ratings_and_records_fit_together() {
    let dir = tempfile::tempdir().expect("a directory");
    let (db, file, page) = (dir.path().join("games.db"), dir.path().join("three.toml"), dir.path().join("three.html"));
    let players =
        ["random", "minimax:depth=1", "minimax:depth=4"].map(|player| format!("[[player]]\nplayer = \"{player}\"\n"));
    for format in ["round-robin", "gauntlet", "swiss", "knock-out"] {
        let head = format!("game = \"tictactoe\"\nname = \"{format}\"\nformat = \"{format}\"\ngames = 6\nseed = 2\n");
        std::fs::write(&file, head + &players.concat()).expect("written");
        let result = json(&["tournament", text(&file), "--out", text(&db), "--report", text(&page), "--json"]);
        assert!(result["games"].as_u64().is_some_and(|games| games >= 12), "{format}: {result}");
        assert!(std::fs::read_to_string(&page).expect("a page").contains("minimax:depth=4"));
    }
    let rated = json(&["rate", "--from", text(&db), "--anchor", "random=0", "--json"]);
    let names: Vec<&str> =
        rated[0]["players"].as_array().expect("players").iter().filter_map(|player| player["name"].as_str()).collect();
    assert_eq!(names[0], "minimax:depth=4", "{rated}");
    let markdown = String::from_utf8(tengen(&["rate", "--from", text(&db), "--markdown"]).stdout).expect("text");
    assert!(markdown.contains("| 1 | `minimax:depth=4` |") && markdown.contains("## round-robin"), "{markdown}");
    let exported = tengen(&["records", "--from", text(&db), "--event", "swiss", "--limit", "3", "--export", "json"]);
    let lines = String::from_utf8(exported.stdout).expect("text");
    assert_eq!(lines.lines().count(), 3, "{lines}");
    assert!(complaint(&["rate", "--from", text(&db), "--anchor", "randm=0"]).contains("`random`"));
    assert!(complaint(&["rate", "--from", text(&db), "--game", "tictacto"]).contains("`tictactoe`"));
    assert!(complaint(&["records", "--from", text(&dir.path().join("no.db"))]).contains("no.db"));
}

#[test]
fn tuning_goes_on_and_proves_itself() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("depth.toml");
    let settings = "game = \"tictactoe\"\nplayer = \"minimax:depth=1\"\nverify = 20\nseed = 1\n[spsa]\niterations = 40\nrate = 0.5\n\
                    [[parameter]]\nname = \"depth\"\nmin = 1\nmax = 4\nstep = 1\n";
    std::fs::write(&file, settings).expect("written");
    let result = json(&["tune", text(&file), "--json"]);
    assert_eq!(result["verification"]["games"], 20, "{result}");
    assert!(complaint(&["tune", text(&file)]).contains("--resume"));
    // Everything has been tried: only the verification is left.
    assert_eq!(json(&["tune", text(&file), "--resume", "--json"])["player"], result["player"]);
}

#[test]
fn an_idea_is_measured_and_more_games_join_those_in_the_database() {
    let dir = tempfile::tempdir().expect("a directory");
    let db = dir.path().join("ablation.db");
    let measure = |games: &str| {
        let words = ["go", "ablate", "--only", "nakade", "--game", "go5", "--playouts", "20", "--json", "--out"];
        json(&[&words[..], &[text(&db), "--games", games]].concat())
    };
    let first = measure("4");
    assert_eq!((&first["idea"], &first["games"]), (&"nakade".into(), &4.into()), "{first}");
    assert_eq!(measure("6")["games"], 6);
    assert_eq!(json(&["records", "--from", text(&db), "--json", "--events"])["games"], 6);
    assert!(complaint(&["go", "ablate", "--only", "luck"]).contains("no idea `luck`"));
}

#[test]
fn ready_tournaments_can_be_read() {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tournaments");
    let files = std::fs::read_dir(dir).expect("the tournaments").map(|entry| entry.expect("readable").path());
    let (mut read, mut refused) = (0, 0);
    for file in files.filter(|path| path.extension().is_some_and(|extension| extension == "toml")) {
        let name = file.file_name().expect("a name").to_string_lossy().into_owned();
        read += 1;
        // Whatever is missing is said by name.
        let output = tengen(&[if name.starts_with("tune-") { "tune" } else { "tournament" }, text(&file), "--check"]);
        if !output.status.success() {
            refused += 1;
            let error = String::from_utf8_lossy(&output.stderr).into_owned();
            let told = ["needs", "no program"].iter().any(|word| error.contains(word));
            assert!(told && error.lines().count() == 1, "{name}: {error}");
        }
    }
    assert!(read >= 10 && refused < read, "{read} files, {refused} refused");
}

#[test]
fn bad_input_is_refused_quickly_with_one_line() {
    let duel = |more: &[&'static str]| {
        let mut words = vec!["duel", "random", "random", "--game", "chess", "--games", "2"];
        words.extend(more);
        complaint(&words)
    };
    let start = Instant::now();
    for (more, word) in [
        (&["--clock", "fast"][..], "5+0.05"),
        (&["--sprt", "5"], "two numbers"),
        (&["--sprt", "5,0"], "greater"),
        (&["--resign", "x"], "0.95,4"),
        (&["--ms", "0"], "0 ms"),
        (&["--openings", "/no/such.epd"], "/no/such.epd"),
        (&["--tablebase", "/no/such"], "/no/such"),
        (&["--komi", "5"], "only Go"),
        (&["--position", "nonsense"], "character"),
        (&["--plies", "600", "--max-moves", "3"], ""),
    ] {
        let error = duel(more);
        assert!(error.contains(word) && error.lines().count() == 1, "{more:?}: {error}");
    }
    assert!(start.elapsed() < Duration::from_secs(60));
    assert!(complaint(&["tournament", "no.toml"]).contains("no.toml"));
}
