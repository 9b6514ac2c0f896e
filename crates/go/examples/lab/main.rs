//! The engine's laboratory: what makes it stronger is found and shown here.
//!
//! ```text
//! lab duel …      matches against itself with other settings, or against another program that speaks GTP
//! lab train …     learns the weights of the policy from labelled games
//! lab teach …     makes such games, with a network of KataGo's as the teacher
//! lab show …      writes them as the network sees them
//! lab grade …     how many points the engine's moves lose, in the opinion of the same network
//! lab light …     learns the weights of playouts from the same games
//! lab probe …     compares moves and values with those of a stronger player
//! lab playouts …  the same for playouts without a tree
//! lab finals …    compares the judgement of finished games with another program's
//! lab speed …     simulations a second
//! ```

mod duel;
mod finals;
mod grade;
mod gtp;
mod light;
mod probe;
mod show;
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
        Some((word, rest)) if word == "show" => show::main(rest),
        Some((word, rest)) if word == "grade" => grade::main(rest),
        Some((word, rest)) if word == "light" => light::main(rest),
        Some((word, rest)) if word == "probe" => probe::main(rest),
        Some((word, rest)) if word == "playouts" => probe::playouts(rest),
        Some((word, rest)) if word == "finals" => finals::main(rest),
        Some((word, rest)) if word == "speed" => speed::main(rest),
        _ => Err("lab duel, train, teach, show, grade, light, probe, playouts, finals or speed".into()),
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

/// The size of the board and the moves of a game, as colours and points of SGF.
type Moves<'a> = (usize, Vec<(&'a str, &'a str)>);

/// The games of an SGF file.
///
/// Only what `tengen records --export sgf` writes is understood: moves of one game each, one after the other.
fn games_in(text: &str) -> Result<Vec<Moves<'_>>, Failure> {
    fn game(text: &str) -> Result<Moves<'_>, Failure> {
        let size = text.split_once("SZ[").and_then(|(_, rest)| rest.split_once(']')).ok_or("a game without a size")?.0;
        let moves = text
            .split(';')
            .filter_map(|node| node.trim_start().split_once('['))
            .filter(|&(colour, _)| matches!(colour, "B" | "W"))
            .filter_map(|(colour, rest)| Some((colour, rest.split_once(']')?.0)))
            .collect();
        Ok((size.parse()?, moves))
    }
    text.split("(;").skip(1).map(game).collect()
}

/// A point of an SGF file as it is usually written. Columns in SGF count from `a`, with `i`, and rows from the top.
fn point_name(point: &str, size: usize) -> Result<String, Failure> {
    Ok(match *point.as_bytes() {
        [column, row] => {
            let column = (column + u8::from(column >= b'i')) as char;
            let row = (size + usize::from(b'a')).checked_sub(row.into()).ok_or("a point off the board")?;
            format!("{}{row}", column.to_ascii_uppercase())
        }
        _ => "pass".to_owned(),
    })
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
