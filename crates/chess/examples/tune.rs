//! Makes games and fits the evaluation to them.
//!
//! ```text
//! cargo run --release -p tengen-chess --example tune -- play FILE [GAMES] [NODES] [SEED]    adds positions to FILE
//! cargo run --release -p tengen-chess --example tune -- fit FILE [EPOCHS] [TRUST] [HOLD] > crates/chess/src/evaluate/weights.rs
//! ```

use std::io::Write;
use tengen_chess::tune::{FitParams, Sample, fit, play_game, weights_source};
use tengen_chess::{ChessEngine, ChessParams};
use tengen_core::Rng;

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number =
        |index: usize, default: u64| arguments.get(index).and_then(|text| text.parse().ok()).unwrap_or(default);
    match (arguments.first().map(String::as_str), arguments.get(1)) {
        (Some("play"), Some(file)) => play(file, number(2, 10_000), number(3, 5_000), number(4, 1)),
        (Some("fit"), Some(file)) => {
            let usual = FitParams::default();
            let share =
                |index: usize, default: f32| arguments.get(index).and_then(|text| text.parse().ok()).unwrap_or(default);
            let epochs = number(2, usual.epochs as u64) as usize;
            learn(file, FitParams { epochs, trust: share(3, usual.trust), hold: share(4, usual.hold) })
        }
        _ => Err("tune play FILE [GAMES] [NODES] [SEED] | tune fit FILE [EPOCHS] [TRUST] [HOLD]".to_owned()),
    }
}

fn play(file: &str, games: u64, nodes: u64, seed: u64) -> Result<(), String> {
    let complain = |error: std::io::Error| format!("{file}: {error}");
    let mut out = std::fs::OpenOptions::new().create(true).append(true).open(file).map_err(complain)?;
    let mut engine = ChessEngine::new(ChessParams { hash: 4, ..ChessParams::default() })?;
    let mut rng = Rng::with_seed(seed);
    let mut positions = 0;
    for game in 1..=games {
        for sample in play_game(&mut engine, nodes, &mut rng).into_iter().flatten() {
            writeln!(out, "{}", sample.write()).map_err(complain)?;
            positions += 1;
        }
        if game % 100 == 0 {
            eprintln!("{game} games, {positions} positions");
        }
    }
    Ok(())
}

fn learn(file: &str, params: FitParams) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let samples: Vec<Sample> = text.lines().filter_map(Sample::read).collect();
    eprintln!("{} positions", samples.len());
    let mut rng = Rng::with_seed(1);
    let fit = fit(&samples, params, &mut rng, &mut |epoch, error| eprintln!("epoch {epoch}: {error:.6}"));
    eprintln!("error {:.6} before, {:.6} after", fit.error[0], fit.error[1]);
    eprintln!("against results alone {:.6} before, {:.6} after", fit.result_error[0], fit.result_error[1]);
    print!("{}", weights_source(&fit.weights, &format!("{} positions of its own games", fit.positions)));
    Ok(())
}
