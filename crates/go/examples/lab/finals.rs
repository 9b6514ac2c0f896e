//! Finished games, and how well the judgement of life and death agrees with another program's.
//!
//! ```text
//! lab finals make 100 9 1 0 "gnugo --mode gtp --level 10 --chinese-rules" >> FILE        it plays both sides
//! lab finals make 100 9 1 500 "gnugo --mode gtp --level 10 --chinese-rules" >> FILE      it plays against this engine with 500 playouts
//! lab finals score GAMES.sgf "gnugo --mode gtp --level 10 --chinese-rules" >> FILE       games that were passed out
//! lab finals check FILE
//! ```
//!
//! A line of the file is the final position, the program's score (`B+3.5`), and the stones that it takes as dead.

use crate::gtp::Gtp;
use crate::{Failure, games_in, point_name, think};
use tengen_core::{Line, Notation, Side, Turn};
use tengen_games::go::{Go, Komi, Rules, size_in_text};
use tengen_go::{GoEngine, GoParams, judge};

fn make<const CELLS: usize>(games: u64, size: usize, seed: u64, playouts: u64, command: &str) -> Result<(), Failure> {
    for game in 0..games {
        let seed = seed * 100_003 + game;
        let mut program = Gtp::start(command, &["--seed", &seed.to_string()])?;
        let mut gtp = |command: &str| program.ask(command);
        gtp(&format!("boardsize {size}"))?;
        gtp("komi 7.5")?;
        let mut engine = GoEngine::<CELLS>::new(GoParams { playouts, seed, ..GoParams::default() });
        let mut line = Line::new(Go::<CELLS>::new(size, Rules::Chinese, Some(Komi::new(7.5)?))?);
        let mut legal = Vec::new();
        let mut resigned = false;
        while let Turn::Decision(side) = line.turn(&mut legal) {
            let colour = ["b", "w"][side.index()];
            if playouts > 0 && side == Side::BOTH[game as usize % 2] {
                let best = think(&mut engine, &line)?.best;
                gtp(&format!("play {colour} {}", line.position().write_move(best)))?;
                line.push(best);
            } else {
                let answer = gtp(&format!("genmove {colour}"))?;
                resigned = answer.eq_ignore_ascii_case("resign");
                if resigned {
                    break;
                }
                line.push(line.position().read_move(&answer)?);
            }
        }
        if !resigned {
            say(&line, &mut program)?;
        }
    }
    Ok(())
}

/// What a program says about the final positions of games in an SGF file that ended by two passes.
fn score(text: &str, command: &str) -> Result<(), Failure> {
    for (size, moves) in games_in(text)? {
        if !matches!(moves[..], [.., (_, ""), (_, "")]) {
            continue;
        }
        match size {
            2..=9 => replay::<111>(size, &moves, command)?,
            10..=13 => replay::<211>(size, &moves, command)?,
            14..=19 => replay::<421>(size, &moves, command)?,
            _ => replay::<703>(size, &moves, command)?,
        }
    }
    Ok(())
}

/// Plays a game again before the program and asks it about the end.
fn replay<const CELLS: usize>(size: usize, moves: &[(&str, &str)], command: &str) -> Result<(), Failure> {
    let mut program = Gtp::start(command, &[])?;
    program.ask(&format!("boardsize {size}"))?;
    program.ask("komi 7.5")?;
    let mut line = Line::new(Go::<CELLS>::new(size, Rules::Chinese, Some(Komi::new(7.5)?))?);
    for &(colour, point) in moves {
        let name = point_name(point, size)?;
        program.ask(&format!("play {colour} {name}"))?;
        line.push(line.position().read_move(&name)?);
    }
    say(&line, &mut program)
}

/// Prints a final position with the program's judgement.
fn say<const CELLS: usize>(line: &Line<Go<CELLS>>, program: &mut Gtp) -> Result<(), Failure> {
    // GNU Go may play quickly, but shall count carefully; other programs have no levels.
    let _ = program.ask("level 10");
    let (score, dead) = (program.ask("final_score")?, program.ask("final_status_list dead")?);
    println!("{}|{score}|{dead}", line.position().write());
    Ok(())
}

/// The difference of the scores, with the position when there is one.
fn check<const CELLS: usize>(text: &str, score: f32, dead: &str) -> Result<f32, Failure> {
    let go = Go::<CELLS>::read(text)?;
    let judgement = judge(&go, 1000, 1);
    let difference = judgement.score_area - score;
    if difference != 0.0 {
        let names =
            |chains: &[Vec<_>]| chains.concat().iter().map(|&point| go.point_name(point)).collect::<Vec<_>>().join(" ");
        println!("{text}\n  ours {:+} theirs {score:+}", judgement.score_area);
        println!("  dead here: {}\n  dead there: {dead}\n  seki: {}", names(&judgement.dead), names(&judgement.seki));
    }
    Ok(difference)
}

/// Makes or checks.
pub fn main(words: &[String]) -> Result<(), Failure> {
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["make", games, size, seed, playouts, command] => {
            let (games, size, seed, playouts) = (games.parse()?, size.parse()?, seed.parse()?, playouts.parse()?);
            match size {
                2..=9 => make::<111>(games, size, seed, playouts, command),
                10..=13 => make::<211>(games, size, seed, playouts, command),
                14..=19 => make::<421>(games, size, seed, playouts, command),
                _ => make::<703>(games, size, seed, playouts, command),
            }
        }
        ["score", file, command] => score(&std::fs::read_to_string(file)?, command),
        ["check", file] => {
            let (mut games, mut agree, mut winner, mut error) = (0, 0, 0, 0.0);
            for line in std::fs::read_to_string(file)?.lines() {
                let [text, score, dead] = line.split('|').collect::<Vec<_>>()[..] else {
                    continue;
                };
                let score = match score.split_once('+') {
                    Some(("B", points)) => points.parse::<f32>()?,
                    Some((_, points)) => -points.parse::<f32>()?,
                    None => 0.0,
                };
                let difference = match size_in_text(text)? {
                    2..=9 => check::<111>(text, score, dead)?,
                    10..=13 => check::<211>(text, score, dead)?,
                    14..=19 => check::<421>(text, score, dead)?,
                    _ => check::<703>(text, score, dead)?,
                };
                games += 1;
                agree += u32::from(difference == 0.0);
                winner += u32::from((difference + score > 0.0) == (score > 0.0));
                error += difference.abs();
            }
            let share = |count: u32| 100.0 * f64::from(count) / f64::from(games.max(1));
            println!(
                "{games} games: same score {:.1} %, same winner {:.1} %, mean difference {:.3}",
                share(agree),
                share(winner),
                f64::from(error) / f64::from(games.max(1))
            );
            Ok(())
        }
        _ => Err("lab finals make GAMES SIZE SEED PLAYOUTS COMMAND, score GAMES.sgf COMMAND, or check FILE".into()),
    }
}
