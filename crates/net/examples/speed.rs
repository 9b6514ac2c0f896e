//! How fast a residual network learns and plays: `speed CHANNELS BLOCKS BOARD BATCH THREADS`, per second and per second of processor.
use std::time::Instant;
use tengen_net::description::Description;
use tengen_net::model::Model;
use tengen_net::run::{Batch, Mode, Network, Tape};
use tengen_net::team::Team;

fn cpu() -> f64 {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap();
    tasks
        .map(|t| std::fs::read_to_string(t.unwrap().path().join("schedstat")).unwrap())
        .map(|s| s.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e9)
        .sum()
}

fn main() {
    let args: Vec<usize> = std::env::args().skip(1).map(|a| a.parse().unwrap()).collect();
    let [channels, blocks, board, samples, threads] = args[..] else { panic!("CHANNELS BLOCKS BOARD BATCH THREADS") };
    let text = format!(
        r#"
        input = {{ planes = 8 }}
        trunk = [
          {{ conv = {channels}, norm = true, act = "relu" }},
          {{ repeat = {blocks}, residual = [{{ conv = {channels}, norm = true, act = "relu" }}, {{ conv = {channels}, norm = true }}], act = "relu" }},
        ]
        heads = [
          {{ name = "policy", layers = [{{ conv = 2, kernel = 1, norm = true, act = "relu" }}, {{ dense = {} }}] }},
          {{ name = "value", layers = [{{ conv = 1, kernel = 1, norm = true, act = "relu" }}, {{ dense = 64, act = "relu" }}, {{ dense = 1, act = "tanh" }}] }},
        ]
    "#,
        board * board + 1
    );
    let model = Model::new(Description::read(&text).unwrap(), 1).unwrap();
    let graph = model.graph((board, board)).unwrap();
    println!("{} weights", model.learnt());
    let planes = vec![0.5; samples * graph.planes.numbers()];
    let batch = Batch { samples, planes: &planes, globals: &[] };
    let team = Team::new(threads);
    let mut learner = Network::learning(graph);
    let mut tape = Tape::default();
    let mut gradients = Vec::new();
    let mut said = vec![vec![], vec![]];
    for round in 0..5 {
        let (t, c) = (Instant::now(), cpu());
        let mut split = [0.0; 3];
        let mut steps = 0;
        while t.elapsed().as_secs_f64() < 1.5 {
            let a = cpu();
            learner.refresh(&team, &model.weights);
            let b = cpu();
            learner.forward(&team, batch, Mode::Learning(1), &mut tape).unwrap();
            let c = cpu();
            for (head, said) in said.iter_mut().enumerate() {
                learner.said(&tape, head, said);
            }
            learner.backward(&team, &said, &mut gradients, &mut tape);
            let d = cpu();
            split[0] += b - a;
            split[1] += c - b;
            split[2] += d - c;
            steps += 1;
        }
        let (wall, used) = (t.elapsed().as_secs_f64(), cpu() - c);
        let n = (steps * samples) as f64;
        println!(
            "learning {round}: {:.0}/s, {:.0}/cpu-s; us a sample: ready {:.1} forward {:.1} backward {:.1}",
            n / wall,
            n / used,
            split[0] / n * 1e6,
            split[1] / n * 1e6,
            split[2] / n * 1e6
        );
    }
    let player = Network::playing(&model, (board, board)).unwrap();
    let team = Team::alone();
    let mut tape = Tape::default();
    for samples in [1, 2, 4, 8, 16, 64, 128] {
        let planes = vec![0.5; samples * board * board * 8];
        let batch = Batch { samples, planes: &planes, globals: &[] };
        let (t, c) = (Instant::now(), cpu());
        let mut n = 0;
        while t.elapsed().as_secs_f64() < 1.0 {
            player.forward(&team, batch, Mode::Playing, &mut tape).unwrap();
            n += samples;
        }
        println!(
            "playing batch {samples}: {:.0}/s, {:.0}/cpu-s",
            n as f64 / t.elapsed().as_secs_f64(),
            n as f64 / (cpu() - c)
        );
    }
}
