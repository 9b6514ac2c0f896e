//! A job learns, goes on where it was, and says what is wrong.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use tengen_net::description::Description;
use tengen_net::file;
use tengen_net::model::Model;
use tengen_record::samples::{Sample, SampleSet, SampleWriter, SetHeader};
use tengen_train::TrainError;
use tengen_train::job::Job;
use tengen_train::run::RunDir;
use tengen_train::supervised::{End, Means, News, run};

const NETWORK: &str = r#"
    encoder = "marks"
    input = { planes = 2, board = [3, 3] }
    trunk = [{ conv = 16, norm = true, act = "relu" }, { residual = [{ conv = 16, norm = true }], act = "relu" }]
    [[heads]]
    name = "policy"
    layers = [{ conv = 1, kernel = 1 }]
    [[heads]]
    name = "value"
    layers = [{ mean = true }, { dense = 16, act = "relu", dropout = 0.1 }, { dense = 3 }]
"#;

const JOB: &str = r#"
    network = "net.toml"
    samples = ["train"]
    epochs = 4
    batch = 32
    log_every = 5
    seed = 3
    [optimiser]
    rate = 1e-2
    ema = 0.9
    [schedule]
    kind = "one-cycle"
"#;

/// Positions with one mark, which is where to move; who has it wins.
fn samples(dir: &Path, count: u64, seed: u64) -> SampleSet {
    let header = SetHeader {
        game: "marks".into(),
        encoder: "marks".into(),
        planes: 2,
        height: 3,
        width: 3,
        globals: 0,
        policy: 9,
    };
    let mut writer = SampleWriter::create(dir, &header).unwrap();
    let mut rng = tengen_core::Rng::with_seed(seed);
    for game in 0..count {
        let (point, plane) = (rng.usize(..9), rng.usize(..2));
        let mut planes = vec![0.0; 18];
        planes[plane * 9 + point] = 1.0;
        let value = if plane == 0 { [1.0, 0.0, 0.0] } else { [0.0, 0.0, 1.0] };
        let policy = vec![(point as u16, 1.0)];
        writer.push(&Sample { game, planes, policy, value: Some(value), weight: 1.0, ..Sample::default() }).unwrap();
    }
    writer.finish().unwrap();
    SampleSet::open(dir).unwrap()
}

/// What a job needs, in a directory of its own.
fn means(dir: &Path, threads: usize) -> Means {
    let set = |name: &str, count, seed| {
        let dir = dir.join(name);
        if dir.exists() { SampleSet::open(&dir).unwrap() } else { samples(&dir, count, seed) }
    };
    let model = Model::new(Description::read(NETWORK).unwrap(), 1).unwrap();
    Means { model, samples: vec![set("train", 960, 1)], validation: vec![set("held", 300, 2)], turned: vec![], threads }
}

/// Runs a job until it is done or so many steps are taken.
fn go(dir: &Path, name: &str, threads: usize, steps: u64) -> Result<(End, Vec<serde_json::Value>), TrainError> {
    let (stop, taken) = (AtomicBool::new(false), AtomicU64::new(0));
    let run_dir = RunDir::open(&dir.join(name)).unwrap();
    let mut lines = Vec::new();
    let job = Job::read(JOB).unwrap();
    let end = run(&job, &run_dir, means(dir, threads), &stop, |news| match news {
        News::Step { .. } if taken.fetch_add(1, Ordering::Relaxed) + 1 == steps => stop.store(true, Ordering::Relaxed),
        News::Line(line) => lines.push(line),
        _ => {}
    })?;
    Ok((end, lines))
}

#[test]
fn a_network_learns_what_is_to_be_seen() {
    let dir = tempfile::tempdir().unwrap();
    let (end, lines) = go(dir.path(), "run", 2, u64::MAX).unwrap();
    assert_eq!(end, End::Done);
    let last = lines.iter().rfind(|line| line["kind"] == "validation").unwrap();
    assert!(last["policy.top1"].as_f64().unwrap() > 0.99, "{last}");
    assert!(last["value.top1"].as_f64().unwrap() > 0.99, "{last}");
    assert!(last["value.r2"].as_f64().unwrap() > 0.9, "{last}");
    assert_eq!(last["done"], true);
    let log = std::fs::read_to_string(dir.path().join("run/log.jsonl")).unwrap();
    assert_eq!(log.lines().count(), lines.len());
    let best = file::read(&std::fs::read(dir.path().join("run/best.safetensors")).unwrap()).unwrap();
    assert!(best.card["validation policy.top1"].parse::<f64>().unwrap() > 0.9, "{:?}", best.card);
    // Once done, it is done.
    assert_eq!(go(dir.path(), "run", 2, u64::MAX).unwrap(), (End::Done, vec![]));
}

#[test]
fn what_was_stopped_goes_on_bit_for_bit_with_any_number_of_threads() {
    let dir = tempfile::tempdir().unwrap();
    go(dir.path(), "whole", 1, u64::MAX).unwrap();
    for steps in [7, 30, 11, 40] {
        assert_eq!(go(dir.path(), "pieces", 2, steps).unwrap().0, End::Stopped, "{steps}");
    }
    assert_eq!(go(dir.path(), "pieces", 3, u64::MAX).unwrap().0, End::Done);
    let weights = |name: &str| {
        let bytes = std::fs::read(dir.path().join(name).join("last.safetensors")).unwrap();
        file::read(&bytes).unwrap().model
    };
    assert_eq!(weights("pieces"), weights("whole"));
    let checkpoint = |name: &str| RunDir::open(&dir.path().join(name)).unwrap().checkpoint().unwrap().unwrap();
    assert_eq!(checkpoint("pieces").memory, checkpoint("whole").memory);
}

#[test]
fn a_broken_shard_costs_itself_only_and_no_number_ends_the_run_with_the_layer() {
    let dir = tempfile::tempdir().unwrap();
    let mut means = means(dir.path(), 1);
    let mut warned = Vec::new();
    let job = Job::read(&JOB.replace("rate = 1e-2", "rate = 1e-2\nclip = 0")).unwrap();
    let stop = AtomicBool::new(false);
    let run_dir = RunDir::open(&dir.path().join("run")).unwrap();
    means.model.weights[0][0] = 1e38;
    means.model.weights[0][1] = 1e38;
    let error = run(&job, &run_dir, means, &stop, |news| {
        if let News::Warning(text) = news {
            warned.push(text);
        }
    });
    let error = error.unwrap_err().to_string();
    assert!(error.contains("step 0") && error.contains("no number") && error.contains("trunk.0"), "{error}");
    // The middle of the only shard's block: all samples are gone, and it says so.
    let shard = std::fs::read_dir(dir.path().join("train"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.extension().is_some_and(|end| end == "samples"))
        .unwrap();
    let mut bytes = std::fs::read(&shard).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0xff;
    std::fs::write(&shard, bytes).unwrap();
    let (end, _) = go(dir.path(), "other", 1, u64::MAX).unwrap();
    assert_eq!(end, End::Done);
}

#[test]
fn what_does_not_go_together_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let refuse = |job: &str, network: &str| {
        let mut means = means(dir.path(), 1);
        means.model = Model::new(Description::read(network).unwrap(), 1).unwrap();
        let run_dir = RunDir::open(&dir.path().join("refused")).unwrap();
        let job = Job::read(job).unwrap();
        run(&job, &run_dir, means, &AtomicBool::new(false), |_| {}).unwrap_err().to_string()
    };
    let other = NETWORK.replace("\"marks\"", "\"stones\"");
    assert_eq!(refuse(JOB, &other), "the network is shown positions by stones, but the samples are by marks");
    let planes = NETWORK.replace("planes = 2", "planes = 3");
    assert!(refuse(JOB, &planes).contains("3 planes and 0 globals, but the samples have 2 and 0"));
    let board = NETWORK.replace("board = [3, 3]", "board = [4, 4]");
    assert!(refuse(JOB, &board).contains("boards of 4x4, not of 3x3"));
    let head = NETWORK.replace("\"policy\"", "\"plicy\"");
    assert!(refuse(JOB, &head).contains("nothing is known to teach a head named plicy"));
    let count = NETWORK.replace("{ conv = 1, kernel = 1 }", "{ conv = 2, kernel = 1 }");
    assert!(refuse(JOB, &count).contains("says 18 numbers, but the samples have 9 for it"));
    assert!(refuse(&format!("{JOB}\n[heads.score]\nweight = 1.0"), NETWORK).contains("no head named score"));
    assert!(
        refuse(&JOB.replace("batch = 32", "batch = 5000"), NETWORK).contains("960 samples do not fill a batch of 5000")
    );
}
