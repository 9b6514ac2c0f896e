//! Fits the evaluation of Yokai 5x6 to games that it plays against itself, and prints the weights as they stand in `evaluate/siege.rs`.
//!
//! `cargo run --release -p tengen-lore --example siege -- 1500 1` plays 1500 games from seed 1 on, 3000 positions a move, and takes the quiet
//! positions of each with its outcome. The weights are those of a logistic regression: the more a side has of what wins, the likelier it wins.

use std::sync::atomic::AtomicBool;
use std::time::Instant;
use tengen_core::{Line, Outcome, Rng, Side, Turn};
use tengen_games::yokai::Yokai56;
use tengen_lore::evaluate::{SIEGE_WEIGHTS, Siege, siege_features};
use tengen_search::{AlphaBeta, AlphaBetaParams, Limits, Player, Watch};

/// A position: its features, and what the first side made of it, from 0 to 1.
struct Example {
    features: Vec<(usize, f64)>,
    result: f64,
}

/// A Kodama counts about 100, as everywhere, when a lead of this many wins ten games of eleven.
const SCALE: f64 = 1000.0 / std::f64::consts::LN_10;

fn main() {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse().expect("numbers: how many games, and a seed"));
    let (games, seed) = (numbers.next().unwrap_or(200), numbers.next().unwrap_or(1));
    let mut examples = Vec::new();
    for seed in seed..seed + games {
        play(seed, &mut examples);
    }
    println!("{} positions of {games} games", examples.len());
    let weights = fit(&examples);
    for row in weights.chunks(6) {
        println!("    {},", row.iter().map(|weight| format!("{:.0}", weight * SCALE)).collect::<Vec<_>>().join(", "));
    }
}

/// Plays a game from a random opening, with a random move now and then, and adds the positions in which the best move was quiet.
fn play(seed: u64, examples: &mut Vec<Example>) {
    let params = AlphaBetaParams { depth: 60, nodes: 3000, table: 4, selective: true, ..AlphaBetaParams::default() };
    let mut player = AlphaBeta::new(Siege::default(), params);
    let mut rng = Rng::with_seed(seed);
    let mut line = Line::new(Yokai56::new());
    let opening = 4 + rng.usize(..8);
    let mut moves = Vec::new();
    let first = examples.len();
    let outcome = loop {
        match line.turn(&mut moves) {
            Turn::Over(outcome) => break outcome,
            _ if line.ply() > 250 => break Outcome::Draw,
            _ if line.ply() < opening || rng.u32(..40) == 0 => line.push(moves[rng.usize(..moves.len())]),
            _ => {
                let (clock, stop) = (Instant::now(), AtomicBool::new(false));
                let mut watch = Watch { clock: &clock, stop: &stop, report: &mut |_| {} };
                let thought = player.think(&line, &Limits::default(), &mut watch).expect("a decision");
                let position = line.position();
                let quiet = position.at(Yokai56::target(thought.best)).is_none() && !position.promotes(thought.best);
                if quiet && thought.value.seen_by(Side::First).abs() < 0.999 {
                    let mut counts = [0; SIEGE_WEIGHTS];
                    siege_features(position, |index, count| counts[index] += count);
                    let features = counts.iter().enumerate().filter(|(_, count)| **count != 0);
                    let features = features.map(|(index, &count)| (index, f64::from(count))).collect();
                    examples.push(Example { features, result: 0.5 });
                }
                line.push(thought.best);
            }
        }
    };
    let result = f64::from(outcome.value_for(Side::First) + 1.0) / 2.0;
    examples[first..].iter_mut().for_each(|example| example.result = result);
}

/// Logistic regression by gradient descent, each weight with a step of its own (CITE: Duchi, Hazan & Singer 2011), and a little pull to zero.
fn fit(examples: &[Example]) -> [f64; SIEGE_WEIGHTS] {
    let mut weights = [0.0; SIEGE_WEIGHTS];
    let mut squares = [1e-12; SIEGE_WEIGHTS];
    for _ in 0..3000 {
        let mut slope = weights.map(|weight| 2e-4 * weight);
        for example in examples {
            let sum: f64 = example.features.iter().map(|&(index, count)| weights[index] * count).sum();
            let error = 1.0 / (1.0 + (-sum).exp()) - example.result;
            for &(index, count) in &example.features {
                slope[index] += error * count / examples.len() as f64;
            }
        }
        for index in 0..SIEGE_WEIGHTS {
            squares[index] += slope[index] * slope[index];
            weights[index] -= 0.1 * slope[index] / squares[index].sqrt();
        }
    }
    weights
}
