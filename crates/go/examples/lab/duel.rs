//! The engine against itself with other settings, or against another program that speaks GTP.
//!
//! ```text
//! lab duel --games 200 --seed 1 --first playouts=3000 --gtp "gnugo --mode gtp --level 10 --chinese-rules"
//! lab duel --games 200 --seed 1 --first playouts=1000 --second playouts=1000,nakade_rate=0
//! ```
//!
//! Colours alternate, every game has its own seed, and Tengen counts the result. Prints the score of the first player
//! with its 95 % interval after every game.

use crate::gtp::Gtp;
use crate::{Failure, settings, think};
use std::time::Instant;
use tengen_core::{Line, Notation, Outcome, Position, Side, Turn};
use tengen_games::go::{Go, Komi, Rules};
use tengen_go::{GoEngine, GoParams, judge};
use tengen_search::params::Params;

struct Options {
    size: usize,
    games: u64,
    seed: u64,
    komi: f64,
    first: Vec<(String, String)>,
    second: Vec<(String, String)>,
    gtp: Option<String>,
    verbose: bool,
    only: Option<u64>,
}

fn options(words: &[String]) -> Result<Options, Failure> {
    let mut options = Options {
        size: 9,
        games: 100,
        seed: 1,
        komi: 7.5,
        first: vec![],
        second: vec![],
        gtp: None,
        verbose: false,
        only: None,
    };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if word == "--verbose" {
            options.verbose = true;
            continue;
        }
        let value = words.next().ok_or_else(|| format!("{word} needs a value"))?;
        match word.as_str() {
            "--size" => options.size = value.parse()?,
            "--games" => options.games = value.parse()?,
            "--seed" => options.seed = value.parse()?,
            "--komi" => options.komi = value.parse()?,
            "--first" => options.first = settings(value),
            "--second" => options.second = settings(value),
            "--gtp" => options.gtp = Some(value.clone()),
            "--only" => options.only = Some(value.parse()?),
            _ => return Err(format!("{word} is no option").into()),
        }
    }
    Ok(options)
}

/// Plays the match.
pub fn main(words: &[String]) -> Result<(), Failure> {
    let options = options(words)?;
    match options.size {
        2..=9 => run::<111>(&options),
        10..=13 => run::<211>(&options),
        14..=19 => run::<421>(&options),
        _ => run::<703>(&options),
    }
}

fn run<const CELLS: usize>(options: &Options) -> Result<(), Failure> {
    let mut gtp = options.gtp.as_deref().map(|command| Gtp::start(command, &[])).transpose()?;
    let mut score = 0.0;
    let mut played = 0.0;
    let (mut playouts, mut seconds) = (0u64, 0.0);
    for game in 0..options.games {
        if options.only.is_some_and(|only| only != game) {
            continue;
        }
        let seed = options.seed * 1_000_003 + game;
        let mut first = GoEngine::<CELLS>::new(GoParams { seed, ..GoParams::with(&options.first)? });
        let mut second = match gtp {
            Some(_) => None,
            None => Some(GoEngine::<CELLS>::new(GoParams { seed: !seed, ..GoParams::with(&options.second)? })),
        };
        let first_side = Side::BOTH[game as usize % 2];
        let mut line = Line::new(Go::<CELLS>::new(options.size, Rules::Chinese, Some(Komi::new(options.komi)?))?);
        if let Some(gtp) = &mut gtp {
            gtp.ask(&format!("boardsize {}", options.size))?;
            gtp.ask("clear_board")?;
            gtp.ask(&format!("komi {}", options.komi))?;
        }
        let mut legal = Vec::new();
        let mut resigned = None;
        while let Turn::Decision(side) = line.turn(&mut legal) {
            if line.ply() > 4 * options.size * options.size {
                break;
            }
            let colour = ["b", "w"][side.index()];
            let engine = if side == first_side { Some(&mut first) } else { second.as_mut() };
            let mv = match (engine, &mut gtp) {
                (Some(engine), _) => {
                    let clock = Instant::now();
                    let thought = think(engine, &line)?;
                    if side == first_side {
                        playouts += thought.nodes;
                        seconds += clock.elapsed().as_secs_f64();
                    }
                    if options.verbose {
                        eprintln!(
                            "{} {colour} {} {:.3} {}",
                            line.ply(),
                            line.position().write_move(thought.best),
                            thought.value.seen_by(line.position().to_move()),
                            line.position().write()
                        );
                    }
                    thought.best
                }
                (None, Some(gtp)) => {
                    let answer = gtp.ask(&format!("genmove {colour}"))?;
                    if answer.eq_ignore_ascii_case("resign") {
                        resigned = Some(side);
                        break;
                    }
                    let mv = line.position().read_move(&answer)?;
                    if !legal.contains(&mv) {
                        return Err(format!("{answer} is illegal in {}", line.position().write()).into());
                    }
                    mv
                }
                (None, None) => return Err("nobody to move".into()),
            };
            if side == first_side
                && let Some(gtp) = &mut gtp
            {
                gtp.ask(&format!("play {colour} {}", line.position().write_move(mv)))?;
            }
            line.push(mv);
        }
        let dead = judge(line.position(), 1000, seed).dead_stones();
        let count = line.position().count(&dead);
        let outcome = resigned.map_or(count.outcome(), |side| Outcome::Win(side.other()));
        let value = (outcome.value_for(first_side) + 1.0) / 2.0;
        score += f64::from(value);
        played += 1.0;
        let share = score / played;
        let interval = 1.96 * (share * (1.0 - share) / played).sqrt();
        let other = match &mut gtp {
            Some(gtp) if resigned.is_none() => gtp.ask("final_score").unwrap_or_default(),
            _ => String::new(),
        };
        println!(
            "game {game} first is {} in {} moves: {value} ({:+.1} {other}{})  {:.1} % +- {:.1}  {:.0}/s",
            first_side.name(),
            line.ply(),
            count.lead(),
            if resigned.is_some() { "resigned" } else { "" },
            100.0 * share,
            100.0 * interval,
            playouts as f64 / seconds
        );
        if options.verbose {
            eprintln!("{}", line.position().write());
        }
    }
    Ok(())
}
