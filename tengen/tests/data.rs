//! `tengen data` as its users meet it: samples made, imported, counted, divided, taken to Python, and what is wrong with them.

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tengen_record::npz::{self, Kind, Writer};
use tengen_record::samples::{Sample, SampleSet};

fn tengen(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tengen")).arg("data").args(arguments).output().expect("the program ends")
}

/// What a command prints with `--json`.
fn json(arguments: &[&str]) -> Value {
    let output = tengen(&[arguments, &["--json"]].concat());
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn complaint(arguments: &[&str]) -> String {
    let output = tengen(arguments);
    assert!(!output.status.success(), "{arguments:?}");
    String::from_utf8(output.stderr).expect("text")
}

fn samples(dir: &str) -> Vec<Sample> {
    let set = SampleSet::open(Path::new(dir)).expect("a set");
    (0..set.shards()).flat_map(|shard| set.read(shard).expect("a shard")).collect()
}

/// A place for files, and their paths as text.
fn place() -> (tempfile::TempDir, impl Fn(&str) -> String) {
    let dir = tempfile::tempdir().expect("a place for files");
    let root = dir.path().to_str().expect("a plain path").to_owned();
    (dir, move |name: &str| format!("{root}/{name}"))
}

#[test]
fn all_of_tictactoe_is_made_counted_divided_and_exported() {
    let (_dir, path) = place();
    let (all, train, validation) = (path("all"), path("train"), path("validation"));
    let made = json(&["make", "tictactoe", "--all", "--teacher", "perfect", "--out", &all]);
    // 5 478 positions can be reached, and in 958 of them the game is over.
    assert_eq!(made["samples"], 4520);
    assert!(complaint(&["make", "tictactoe", "--all", "--teacher", "perfect", "--out", &all]).contains("already"));

    // The empty board is a draw whatever is played; the planes are empty.
    let samples = samples(&all);
    let start = samples.iter().find(|sample| sample.planes.iter().all(|&n| n == 0.0)).expect("the start");
    assert_eq!((start.value, start.policy.len()), (Some([0.0, 1.0, 0.0]), 9));
    assert!(start.policy.iter().all(|(_, share)| (share - 1.0 / 9.0).abs() < 1e-6));
    // Two in a row, own ones on a1 and b1: the best is c1, at once. Points are counted from the top left.
    let own = |point: usize| point == 6 || point == 7;
    let won = samples.iter().find(|sample| {
        (0..9).all(|point| (sample.planes[point] == 1.0) == own(point))
            && sample.planes[9] == 1.0
            && sample.planes[10] == 1.0
            && sample.planes[9..].iter().sum::<f32>() == 2.0
    });
    let won = won.expect("it can be reached");
    assert_eq!((won.value, &won.policy), (Some([1.0, 0.0, 0.0]), &vec![(8, 1.0)]));

    let stats = json(&["stats", &all]);
    assert_eq!((&stats["samples"], &stats["games"], &stats["policies"]), (&4520.into(), &4520.into(), &4520.into()));
    assert_eq!(
        (&stats["repeated"], &stats["scores"], &stats["header"]["encoder"]),
        (&0.0.into(), &0.into(), &"tictactoe-1".into())
    );
    let sum: f64 = ["won", "drawn", "lost"].iter().map(|name| stats[name].as_f64().expect("a share")).sum();
    assert!((sum - 1.0).abs() < 1e-6);

    let into = format!("{train},{validation}");
    let parts = json(&["split", &all, "--into", &into, "--share", "0.25", "--seed", "3"]);
    assert_eq!((&parts[0]["samples"], &parts[1]["samples"]), (&3390.into(), &1130.into()));

    let out = path("all.npz");
    json(&["export", &all, "--out", &out]);
    let arrays = npz::read(Path::new(&out)).expect("it is whole");
    assert_eq!(arrays["planes"].shape(), [4520, 2, 3, 3]);
    assert_eq!(arrays["owners"].shape(), [4520, 3, 3]);
    assert!(arrays["score"].number(0).is_nan() && arrays["reply"].number(7) == -1.0);
    for (at, sample) in samples.iter().enumerate() {
        let [from, to] = [at, at + 1].map(|at| arrays["policy_start"].number(at) as usize);
        let policy = (from..to)
            .map(|entry| (arrays["policy_place"].number(entry) as u16, arrays["policy_share"].number(entry) as f32));
        assert!(policy.eq(sample.policy.iter().copied()), "sample {at}");
        let planes = (0..18).map(|number| arrays["planes"].number(18 * at + number) as f32);
        assert!(planes.eq(sample.planes.iter().copied()), "sample {at}");
        assert_eq!(arrays["value"].number(3 * at + 1) as f32, sample.value.expect("it has one")[1]);
        assert_eq!(arrays["game"].number(at) as u64, sample.game);
    }
}

#[test]
fn games_are_made_once_and_gone_on_with() {
    let (_dir, path) = place();
    let (whole, parts) = (path("whole"), path("parts"));
    let make = |games: &str, out: &str, more: &[&str]| {
        let arguments =
            ["make", "tictactoe", "--player", "mcts:visits=20", "--teacher", "perfect", "--random-plies", "3"];
        let rest = ["--games", games, "--threads", "2", "--seed", "5", "--out", out];
        json(&[&arguments[..], &rest, more].concat())
    };
    make("12", &whole, &[]);
    make("5", &parts, &[]);
    make("12", &parts, &[]);
    // What was broken off in the middle of a shard is made again.
    let (whole, mut made) = (samples(&whole), samples(&parts));
    assert_eq!(whole, made);
    let last = Path::new(&parts).join("00001.samples");
    fs::rename(&last, last.with_extension("part")).expect("it is there");
    make("12", &parts, &[]);
    made = samples(&parts);
    assert_eq!(whole, made);
    assert_eq!(make("12", &parts, &[])["samples"], 0, "nothing is left to do");
    let other = ["make", "tictactoe", "--player", "random", "--out", &parts];
    assert!(complaint(&other).contains("made in another way"));

    assert!(made.iter().all(|sample| sample.value.is_some() && !sample.policy.is_empty()));
    // The answer to a move is the next sample's side's move: it is free there.
    for pair in made.windows(2).filter(|pair| pair[0].game == pair[1].game) {
        let reply = usize::from(pair[0].reply.expect("the game went on"));
        assert_eq!((pair[1].planes[reply], pair[1].planes[9 + reply]), (0.0, 0.0));
    }

    // Positions repeat in such games: they become one, which counts as much as they did.
    let (train, validation) = (path("train"), path("validation"));
    let into = format!("{train},{validation}");
    json(&["split", &parts, "--into", &into, "--share", "0.3", "--merge"]);
    let (train, validation) = (samples(&train), samples(&validation));
    let weight: f32 = train.iter().chain(&validation).map(|sample| sample.weight).sum();
    assert_eq!(weight, made.len() as f32);
    for part in [&train, &validation] {
        let mut boards: Vec<String> = part.iter().map(|sample| format!("{:?}", sample.planes)).collect();
        boards.sort();
        boards.dedup();
        assert_eq!(boards.len(), part.len());
        assert!(
            part.iter().all(|sample| (sample.policy.iter().map(|(_, share)| share).sum::<f32>() - 1.0).abs() < 1e-5)
        );
    }
}

#[test]
fn split_never_cuts_a_game() {
    let (_dir, path) = place();
    let (set, train, validation) = (path("set"), path("train"), path("validation"));
    json(&["make", "connect4", "--player", "random", "--games", "20", "--out", &set]);
    let into = format!("{train},{validation}");
    let parts = json(&["split", &set, "--into", &into, "--share", "0.2"]);
    assert_eq!((&parts[0]["games"], &parts[1]["games"]), (&16.into(), &4.into()));
    let games = |dir: &str| samples(dir).iter().map(|sample| sample.game).collect::<std::collections::BTreeSet<_>>();
    assert!(games(&train).is_disjoint(&games(&validation)));
    assert_eq!((games(&train).len(), games(&validation).len()), (16, 4));
    let mut both = samples(&train);
    both.extend(samples(&validation));
    both.sort_by_key(|sample| sample.game);
    assert_eq!(both, samples(&set));
    assert!(complaint(&["split", &set, "--into", &into]).contains("already"));
    assert!(complaint(&["split", &set, "--into", "one"]).contains("name two directories"));
    assert!(complaint(&["split", &set, "--into", "a,b", "--share", "1"]).contains("between 0 and 1"));
}

/// An npz of two games on 3x3: in the first the centre is taken and both pass, in the second the centre is taken twice.
fn write_npz(path: &str, policies: &[[f32; 10]; 7]) {
    let mut file = Writer::create(Path::new(path)).expect("room");
    let mut array = |name: &str, kind, shape: &[usize], bytes: Vec<u8>| {
        file.array(name, kind, shape).expect("room");
        file.numbers(&bytes).expect("room");
    };
    array("game_start", Kind::I32, &[3], [0i32, 4, 7].iter().flat_map(|n| n.to_le_bytes()).collect());
    array("move", Kind::U8, &[7], vec![4, 9, 9, 255, 4, 4, 255]);
    array("komi", Kind::F32, &[2], [2.5f32, 7.5].iter().flat_map(|n| n.to_le_bytes()).collect());
    array("policy", Kind::F32, &[7, 10], policies.iter().flatten().flat_map(|n| n.to_le_bytes()).collect());
    array("winrate", Kind::F32, &[7], [0.75f32; 7].iter().flat_map(|n| n.to_le_bytes()).collect());
    array("score_lead", Kind::F32, &[7], [6.5f32; 7].iter().flat_map(|n| n.to_le_bytes()).collect());
    array("ownership", Kind::I8, &[7, 9], vec![(-50i8) as u8; 63]);
    file.finish().expect("room");
}

#[test]
fn npz_files_are_replayed_by_the_rules() {
    let (_dir, path) = place();
    let mut policies = [[0.0; 10]; 7];
    policies[0][4] = 1.0;
    // The centre is taken: what the teacher says of it does not count.
    (policies[1][4], policies[1][0], policies[1][9]) = (0.5, 0.125, 0.375);
    policies[2][9] = 1.0;
    let (file, out) = (path("games.npz"), path("set"));
    write_npz(&file, &policies);
    let output = tengen(&["import", &file, "--game", "go3", "--out", &out, "--json"]);
    let made: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&made["games"], &made["left_out"], &made["samples"]), (&1.into(), &1.into(), &3.into()));
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(complaints.contains("games.npz: game 2, move 2:"), "{complaints}");

    let samples = samples(&out);
    assert_eq!(samples[0].policy, [(4, 1.0)]);
    assert_eq!(samples[1].policy, [(0, 0.25), (9, 0.75)]);
    assert_eq!(samples.iter().map(|sample| sample.reply).collect::<Vec<_>>(), [Some(9), Some(9), None]);
    for sample in &samples {
        assert_eq!((sample.value, sample.score), (Some([0.75, 0.0, 0.25]), Some(6.5)));
        assert_eq!(sample.owners, [-0.5; 9]);
    }
    // The default encoder's second plane shows the own stones, the third the other's.
    assert_eq!((samples[1].planes[9 + 4], samples[1].planes[18 + 4], samples[2].planes[9 + 4]), (0.0, 1.0, 1.0));

    let other = path("other");
    for (game, wanted) in [
        ("go5", "array `policy` has shape [7, 10] instead of [7, 26]"),
        ("othello", "hold games of Go, not of othello"),
    ] {
        assert!(complaint(&["import", &file, "--game", game, "--out", &path(game)]).contains(wanted), "{game}");
    }
    let complaint = |file: &str| complaint(&["import", file, "--game", "go3", "--out", &other]);
    assert!(complaint(&path("none.npz")).contains("none.npz"));
    let bytes = fs::read(&file).expect("it is there");
    fs::write(path("short.npz"), &bytes[..bytes.len() / 2]).expect("room");
    assert!(complaint(&path("short.npz")).contains("short.npz: not a whole .npz"));
}

#[test]
fn games_of_people_are_replayed_too() {
    let (_dir, path) = place();
    let (sgf, go) = (path("game.sgf"), path("go"));
    fs::write(&sgf, "(;SZ[9]KM[7.5]RU[Chinese]RE[W+3.5];B[ee];W[cc];B[gg])(;SZ[19];B[aa])").expect("room");
    let made = json(&["import", &sgf, "--game", "go9", "--out", &go]);
    assert_eq!((&made["games"], &made["left_out"], &made["samples"]), (&1.into(), &1.into(), &3.into()));
    let told = samples(&go);
    // Row 4, column 4 is the centre.
    assert_eq!((&told[0].policy, told[0].value), (&vec![(40, 1.0)], Some([0.0, 0.0, 1.0])));
    assert_eq!((told[1].value, told[1].reply), (Some([1.0, 0.0, 0.0]), Some(6 * 9 + 6)));

    let (pgn, chess) = (path("games.pgn"), path("chess"));
    fs::write(
        &pgn,
        "[Result \"1-0\"]\n\n1. e4 { [%eval 1.0] } e5 { [%eval -1.0] } 2. Nf3 { [%eval #5] } Nc6 1-0\n\n1. d4 d4 *\n",
    )
    .expect("room");
    let made = json(&["import", &pgn, "--game", "chess", "--out", &chess]);
    assert_eq!((&made["games"], &made["left_out"], &made["samples"]), (&1.into(), &1.into(), &4.into()));
    let won: Vec<f32> = samples(&chess).iter().map(|sample| sample.value.expect("it is known")[0]).collect();
    // The result where nothing is said; then Black, against whom the pawn is; then White, whom it goes against now; then Black, who is mated.
    let pawn = 1.0 / (1.0 + 0.368_208f32.exp());
    let expected = [1.0, pawn, pawn, 0.0];
    assert!(won.iter().zip(expected).all(|(won, expected)| (won - expected).abs() < 1e-5), "{won:?}");

    assert!(complaint(&["import", &pgn, "--game", "ludo", "--out", &path("x")]).contains("ludo"));
    assert!(
        complaint(&["import", &pgn, "--game", "chess", "--encoder", "ches73", "--out", &path("x")]).contains("chess73")
    );
    assert!(complaint(&["import", &pgn, "--game", "go9", "--out", &path("y")]).contains("nothing to learn from"));
}

#[test]
fn broken_shards_are_named_and_the_others_counted() {
    let (_dir, path) = place();
    let set = path("set");
    json(&["make", "tictactoe", "--player", "random", "--games", "4", "--out", &set]);
    json(&["make", "tictactoe", "--player", "random", "--games", "8", "--out", &set]);
    let whole = json(&["stats", &set]);
    let shard = path("set/00001.samples");
    let mut bytes = fs::read(&shard).expect("it is there");
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&shard, bytes).expect("room");
    let stats = json(&["stats", &set]);
    let broken = stats["broken"][0].as_str().expect("it is named");
    assert!(broken.contains("00001.samples: this shard is damaged"), "{broken}");
    assert_eq!(stats["games"].as_u64().map(|games| games > 0), Some(true));
    assert!(stats["samples"].as_u64() < whole["samples"].as_u64());
    assert!(
        complaint(&["make", "tictactoe", "--player", "random", "--games", "9", "--out", &set])
            .contains("remove it to go on")
    );
    assert!(complaint(&["stats", &path("none")]).contains("no set.toml"));
    for (arguments, wanted) in [
        (&["make", "tictactoe", "--player", "chess", "--out", "x"][..], "chess"),
        (&["make", "tictactoe", "--out", "x"], "--player"),
        (&["make", "othello", "--teacher", "perfect", "--all", "--out", "x"], "not solved"),
        (&["make", "tictactoe", "--player", "random", "--temperature", "-1", "--out", "x"], "temperature"),
    ] {
        assert!(complaint(arguments).contains(wanted), "{arguments:?}");
    }
}
