//! `tengen env`: a game for scripts in any language, one JSON object a line in, one a line out.
//!
//! The format is a promise to outside programs; `docs/env.md` writes it down. Whatever comes in, an answer goes
//! out: a wrong line gets `{"error": …}` and changes nothing.

use crate::{Outcome, solve};
use serde_json::{Map, Value, json};
use std::io::{self, BufRead, Read, Write};
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use tengen_core::{Side, Turn};
use tengen_search::Limits;
use tengen_table::{Handicap, Setup, Table, TextThought, TextWatch, open};

/// Play a game by JSON lines, from any language
#[derive(clap::Args)]
#[command(after_help = "Example: echo '{\"new\":{}}' | tengen env go9")]
pub struct Arguments {
    /// The game's id, as `tengen games` lists them
    game: String,
}

/// No request needs more; a longer line is refused without being kept.
const LONGEST_LINE: u64 = 1 << 20;

pub fn run(arguments: &Arguments) -> Outcome {
    let mut table = open(&arguments.game, &Setup::standard()).map_err(|error| error.to_string())?;
    let mut input = io::stdin().lock();
    let mut output = io::stdout().lock();
    while let Some(line) = read_line(&mut input).map_err(|error| format!("cannot read: {error}"))? {
        let answer = match line {
            Ok(line) if line.trim().is_empty() => continue,
            Ok(line) => answer(&arguments.game, &mut table, &line),
            Err(complaint) => Err(complaint),
        };
        let answer = answer.unwrap_or_else(|error| json!({ "error": error }));
        // A reader that went away is no mistake of ours.
        if writeln!(output, "{answer}").and_then(|()| output.flush()).is_err() {
            break;
        }
    }
    Ok(())
}

/// The next line, or a complaint if it is too long or no text; `None` at the end.
pub fn read_line(input: &mut impl BufRead) -> io::Result<Option<Result<String, String>>> {
    let mut bytes = Vec::new();
    let read = input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
    if read == 0 {
        return Ok(None);
    }
    if read as u64 == LONGEST_LINE && bytes.last() != Some(&b'\n') {
        // Skip the rest of it.
        loop {
            bytes.clear();
            let read = input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
            if read == 0 || bytes.last() == Some(&b'\n') {
                break;
            }
        }
        return Ok(Some(Err(format!("a line may have at most {LONGEST_LINE} bytes"))));
    }
    Ok(Some(String::from_utf8(bytes).map_err(|_| "the line is not UTF-8 text".to_owned())))
}

/// Does what one line asks for.
fn answer(game: &str, table: &mut Box<dyn Table>, line: &str) -> Result<Value, String> {
    let request: Value = serde_json::from_str(line).map_err(|error| format!("not JSON: {error}"))?;
    let request = request.as_object().ok_or("a request is a JSON object like {\"play\":\"e2e4\"}")?;
    let (verb, value) = match request.iter().next() {
        Some(entry) if request.len() == 1 => entry,
        _ => return Err("a request has exactly one of new, play, undo, show, think, seek".to_owned()),
    };
    match verb.as_str() {
        "new" => *table = open(game, &setup(value)?).map_err(|error| error.to_string())?,
        "play" => {
            let mv = value.as_str().ok_or("`play` takes a move as text")?;
            table.play(mv).map_err(|error| error.to_string())?;
        }
        "undo" => table.undo(count(value, "undo")?).map_err(|error| error.to_string())?,
        "seek" => table.seek(count(value, "seek")?).map_err(|error| error.to_string())?,
        "show" => {}
        "think" => {
            let start = Instant::now();
            let thought = think(table.as_mut(), value, &start)?;
            let mut answer = show(table.as_mut());
            answer["thought"] = describe(&thought, table.view().to_move, start.elapsed().as_secs_f64());
            return Ok(answer);
        }
        _ => {
            let known = ["new", "play", "undo", "show", "think", "seek"];
            return Err(tengen_search::params::unknown("request", verb, known));
        }
    }
    Ok(show(table.as_mut()))
}

fn count(value: &Value, verb: &str) -> Result<usize, String> {
    let number = value.as_u64().and_then(|number| usize::try_from(number).ok());
    number.ok_or_else(|| format!("`{verb}` takes a number of plies"))
}

/// The choices of a `new` request.
fn setup(value: &Value) -> Result<Setup, String> {
    let choices = value.as_object().ok_or("`new` takes an object of choices, like {}")?;
    let mut setup = Setup::standard();
    let text = |value: &Value, name: &str| {
        value.as_str().map(str::to_owned).ok_or_else(|| format!("`{name}` is written as text"))
    };
    for (name, value) in choices {
        match name.as_str() {
            "position" => setup.position = Some(text(value, name)?),
            "rules" => setup.rules = Some(text(value, name)?),
            "komi" => setup.komi = Some(value.as_f64().ok_or("`komi` is a number")?),
            "handicap" => setup.handicap = Some(handicap(value)?),
            "seed" => setup.seed = Some(value.as_u64().ok_or("`seed` is a whole number from 0")?),
            _ => {
                let known = ["position", "rules", "komi", "handicap", "seed"];
                return Err(tengen_search::params::unknown("choice", name, known));
            }
        }
    }
    Ok(setup)
}

fn handicap(value: &Value) -> Result<Handicap, String> {
    let complaint = "`handicap` is a number of stones or a list of points";
    if let Some(stones) = value.as_u64() {
        return Ok(Handicap::Fixed(u8::try_from(stones).map_err(|_| complaint)?));
    }
    let points = value.as_array().ok_or(complaint)?;
    let points =
        points.iter().map(|point| point.as_str().map(str::to_owned).ok_or(complaint)).collect::<Result<_, _>>();
    Ok(Handicap::Free(points?))
}

fn think(table: &mut dyn Table, value: &Value, start: &Instant) -> Result<TextThought, String> {
    let player = value.get("player").and_then(Value::as_str);
    let player = player.ok_or("`think` takes {\"player\":\"name:key=value\"}")?;
    // Each request stands alone: the same one gets the same answer.
    table.dismiss();
    let stop = AtomicBool::new(false);
    let mut watch = TextWatch { clock: start, stop: &stop, report: &mut |_| {} };
    table.think(player, &Limits::default(), &mut watch).map_err(|error| error.to_string())
}

/// The answer that every good request gets.
fn show(table: &mut dyn Table) -> Value {
    let view = table.view();
    let turn = match view.turn {
        Turn::Decision(side) => side.name(),
        Turn::Chance => "chance",
        Turn::Over(_) => "over",
    };
    let mut answer = json!({
        "position": view.position,
        "turn": turn,
        "legal": view.legal,
        "chance": view.chances.iter().map(|(mv, chance)| json!([mv, number(*chance)])).collect::<Vec<_>>(),
        "outcome": view.outcome().map(tengen_core::Outcome::name),
        "ply": view.ply,
        "key": format!("{:016x}", view.key),
    });
    if let Some(solution) = table.exact() {
        let mut exact = solve::exact(&solution.exact);
        let moves = solution.moves.iter().map(|(mv, value)| (mv.clone(), Value::Object(solve::exact(value))));
        exact.insert("moves".to_owned(), Value::Object(moves.collect()));
        answer["exact"] = Value::Object(exact);
    }
    answer
}

/// A short number as short text: 0.1, not 0.10000000149011612.
fn number(value: f32) -> f64 {
    value.to_string().parse().unwrap_or(f64::from(value))
}

/// A thought with its values for the side to move.
fn describe(thought: &TextThought, to_move: Side, seconds: f64) -> Value {
    let candidates: Vec<Value> = thought
        .candidates
        .iter()
        .map(|candidate| {
            let mut entry = Map::new();
            entry.insert("move".to_owned(), json!(candidate.mv));
            entry.insert("visits".to_owned(), json!(candidate.visits));
            entry.insert("value".to_owned(), json!(number(candidate.value.seen_by(to_move))));
            entry.insert("prior".to_owned(), json!(candidate.prior.map(number)));
            Value::Object(entry)
        })
        .collect();
    json!({
        "best": thought.best,
        "value": number(thought.value.seen_by(to_move)),
        "nodes": thought.nodes,
        "seconds": seconds,
        "pv": thought.pv,
        "moves": candidates,
    })
}
