//! The engine's laboratory: what makes it stronger is found and shown here.
//!
//! ```text
//! lab duel …      matches against itself with other settings, or against another program that speaks GTP
//! lab train …     learns the weights of the policy from labelled games
//! lab teach …     makes such games, with a network of KataGo's as the teacher
//! lab light …     learns the weights of playouts from the same games
//! lab probe …     compares moves and values with those of a stronger player
//! lab playouts …  the same for playouts without a tree
//! lab finals …    compares the judgement of finished games with another program's
//! lab speed …     simulations a second
//! ```

mod duel;
mod finals;
mod gtp;
mod light;
mod probe;
mod speed;
mod teach;
mod train;

use std::sync::atomic::AtomicBool;
use std::time::Instant;
use tengen_core::Line;
use tengen_games::go::{Go, Move};
use tengen_go::GoEngine;
use tengen_search::{Limits, Player, PlayerError, Thought, Watch};

/// Whatever goes wrong is told in words.
pub type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.split_first() {
        Some((word, rest)) if word == "duel" => duel::main(rest),
        Some((word, rest)) if word == "train" => train::main(rest),
        Some((word, rest)) if word == "teach" => teach::main(rest),
        Some((word, rest)) if word == "light" => light::main(rest),
        Some((word, rest)) if word == "probe" => probe::main(rest),
        Some((word, rest)) if word == "playouts" => probe::playouts(rest),
        Some((word, rest)) if word == "finals" => finals::main(rest),
        Some((word, rest)) if word == "speed" => speed::main(rest),
        _ => Err("lab duel, train, teach, light, probe, playouts, finals or speed".into()),
    }
}

/// Settings as they are written: `name=value,name=value`.
fn settings(text: &str) -> Vec<(String, String)> {
    let pair = |part: &str| part.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
    text.split(',').filter_map(pair).collect()
}

/// What an engine thinks within its own limits.
fn think<const CELLS: usize>(
    engine: &mut GoEngine<CELLS>,
    line: &Line<Go<CELLS>>,
) -> Result<Thought<Move>, PlayerError> {
    let clock = Instant::now();
    let mut report = |_: &_| ();
    let mut watch = Watch { clock: &clock, stop: &AtomicBool::new(false), report: &mut report };
    engine.think(line, &Limits::default(), &mut watch)
}

/// The number at a place in an array of 16-bit floats, little endian.
fn half(bytes: &[u8], at: usize) -> f32 {
    let bits = u16::from_le_bytes([bytes[2 * at], bytes[2 * at + 1]]);
    let (sign, exponent, fraction) = (bits >> 15, u32::from(bits >> 10 & 31), u32::from(bits & 1023));
    let size = match exponent {
        0 => fraction as f32 / (1 << 24) as f32,
        _ => f32::from_bits((exponent + 112) << 23 | fraction << 13),
    };
    if sign == 0 { size } else { -size }
}
