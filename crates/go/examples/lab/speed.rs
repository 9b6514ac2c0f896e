//! How many simulations a second the engine makes, tree and all knowledge included.
//!
//! ```text
//! lab speed SIZE PLAYOUTS [SETTINGS]
//! ```
//!
//! Thinks once about the empty board and once about a middle game that it has played itself, and prints the simulations a second of both.

use crate::{Failure, settings, think};
use std::time::Instant;
use tengen_core::Line;
use tengen_games::go::{Go, Komi, Rules};
use tengen_go::{GoEngine, GoParams};
use tengen_search::params::Params;

fn run<const CELLS: usize>(size: usize, playouts: u64, list: &str) -> Result<(), Failure> {
    let params = GoParams { playouts, ..GoParams::with(&settings(list))? };
    let mut line = Line::new(Go::<CELLS>::new(size, Rules::Chinese, Some(Komi::new(7.5)?))?);
    let time = |line: &Line<Go<CELLS>>| -> Result<f64, Failure> {
        let mut engine = GoEngine::<CELLS>::new(params.clone());
        let start = Instant::now();
        let thought = think(&mut engine, line)?;
        Ok(thought.nodes as f64 / start.elapsed().as_secs_f64())
    };
    let empty = time(&line)?;
    let mut quick = GoEngine::<CELLS>::new(GoParams { playouts: 30, ..GoParams::default() });
    for _ in 0..size * size / 3 {
        line.push(think(&mut quick, &line)?.best);
    }
    println!("{size}x{size}: {empty:.0} simulations/s from the empty board, {:.0} in the middle game", time(&line)?);
    Ok(())
}

/// Measures.
pub fn main(words: &[String]) -> Result<(), Failure> {
    let (size, playouts, list) = match words {
        [size, playouts] => (size.parse()?, playouts.parse()?, ""),
        [size, playouts, list] => (size.parse()?, playouts.parse()?, list.as_str()),
        _ => return Err("lab speed SIZE PLAYOUTS [SETTINGS]".into()),
    };
    match size {
        2..=9 => run::<111>(size, playouts, list),
        10..=13 => run::<211>(size, playouts, list),
        14..=19 => run::<421>(size, playouts, list),
        _ => run::<703>(size, playouts, list),
    }
}
