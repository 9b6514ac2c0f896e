//! How many points the engine's moves lose, in the opinion of a network of KataGo's.
//!
//! ```text
//! lab grade POSITIONS SEED GAMES.sgf COMMAND SETTINGS [SETTINGS …]
//! ```
//!
//! Draws positions from games that `tengen records --export sgf` has written and lets the engine move there, once for every list of
//! settings; as in a game, it has thought about its move before. The command starts `lab/teacher.py`, which is asked about the position before
//! and after. Tells far sooner than games which of two settings plays better, for the same positions are put to both: the difference from
//! the first list is printed with its standard error. What it is worth in games, games must show.

use crate::teach::{Game, Opinion, TOGETHER, Teacher};
use crate::{Failure, games_in, point_name, settings, think};
use std::time::Instant;
use tengen_core::{Line, Notation, Rng};
use tengen_games::go::{Go, Komi, Move, Rules};
use tengen_go::field::Field;
use tengen_go::{GoEngine, GoParams};
use tengen_search::params::Params;

/// Nothing is decided before this move.
const FIRST: usize = 10;
/// A move that loses more points loses no more: the game is over.
const MOST: f32 = 30.0;
/// A lead from which on a side is ahead.
const AHEAD: f32 = 8.0;
/// Half a point decides.
const KOMI: f32 = 7.5;

/// What a move has lost: chances, from 0 to 1, and points.
type Loss = (f32, f32);

/// What the teacher thinks of the ends of these lines.
fn opinions<const CELLS: usize, const WORDS: usize>(
    teacher: &mut Teacher,
    size: usize,
    lines: &[Line<Go<CELLS>>],
) -> Result<Vec<Opinion>, Failure> {
    let mut opinions = Vec::new();
    for lines in lines.chunks(TOGETHER) {
        let input = |line: &Line<Go<CELLS>>| {
            let mut game = Game::<CELLS, WORDS>::new(size, KOMI);
            for (ply, &mv) in line.moves().iter().enumerate() {
                if ply + 2 >= line.ply() {
                    game.input();
                }
                game.play(Field::<CELLS, WORDS>::cell_of_move(line.position().board(), mv));
            }
            game.input()
        };
        let inputs: Vec<Vec<f32>> = lines.iter().map(input).collect();
        opinions.extend(teacher.ask(size, &inputs)?);
    }
    Ok(opinions)
}

/// What the engine plays at the end of a line, after it has thought about its move before.
fn choice<const CELLS: usize>(params: &[(String, String)], line: &Line<Go<CELLS>>) -> Result<Move, Failure> {
    let mut engine = GoEngine::<CELLS>::new(GoParams::with(params)?);
    let mut before = line.clone();
    before.pop();
    before.pop();
    think(&mut engine, &before)?;
    Ok(think(&mut engine, line)?.best)
}

/// Mean and standard error.
fn mean(numbers: impl Iterator<Item = f32> + Clone) -> (f32, f32) {
    let count = numbers.clone().count().max(1) as f32;
    let mean = numbers.clone().sum::<f32>() / count;
    let variance = numbers.map(|number| (number - mean).powi(2)).sum::<f32>() / count;
    (mean, (variance / count).sqrt())
}

fn run<const CELLS: usize, const WORDS: usize>(
    size: usize,
    games: &[Vec<(&str, &str)>],
    wanted: usize,
    seed: u64,
    command: &str,
    lists: &[String],
) -> Result<(), Failure> {
    // Step 1. Positions, and what the teacher thinks of them.
    let mut drawn: Vec<_> = games.iter().flat_map(|moves| (FIRST..moves.len()).map(move |ply| &moves[..ply])).collect();
    Rng::with_seed(seed).shuffle(&mut drawn);
    drawn.truncate(wanted);
    if drawn.is_empty() {
        return Err(format!("no positions from move {FIRST} on").into());
    }
    let line = |moves: &[(&str, &str)]| -> Result<_, Failure> {
        let mut line = Line::new(Go::<CELLS>::new(size, Rules::Chinese, Some(Komi::new(KOMI.into())?))?);
        for (_, point) in moves {
            line.push(line.position().read_move(&point_name(point, size)?)?);
        }
        Ok(line)
    };
    let cases = drawn.into_iter().map(line).collect::<Result<Vec<_>, _>>()?;
    let mut teacher = Teacher::start(command)?;
    let before = opinions::<CELLS, WORDS>(&mut teacher, size, &cases)?;
    // Step 2. The engine's moves, and what it thinks of those.
    let mut first: Option<Vec<Loss>> = None;
    for list in lists {
        let start = Instant::now();
        let params = settings(list);
        let mut after = cases.clone();
        for line in &mut after {
            line.push(choice(&params, line)?);
        }
        let seconds = start.elapsed().as_secs_f32();
        let after = opinions::<CELLS, WORDS>(&mut teacher, size, &after)?;
        // Now the opponent is to move.
        let losses: Vec<Loss> = before
            .iter()
            .zip(&after)
            .map(|(before, after)| (before.win + after.win - 1.0, (before.lead + after.lead).clamp(-MOST, MOST)))
            .collect();
        let than = first.get_or_insert_with(|| losses.clone());
        let pairs = losses.iter().zip(than.iter());
        let (points, points_error) = mean(losses.iter().map(|loss| loss.1));
        let (chance, chance_error) = mean(losses.iter().map(|loss| 100.0 * loss.0));
        let (more, more_error) = mean(pairs.clone().map(|(loss, first)| loss.1 - first.1));
        let (less, less_error) = mean(pairs.map(|(loss, first)| 100.0 * (loss.0 - first.0)));
        let where_lead = |is: fn(f32) -> bool| {
            mean(losses.iter().zip(&before).filter(move |(_, before)| is(before.lead)).map(|(loss, _)| loss.1)).0
        };
        println!(
            "loses {points:.2} ± {points_error:.2} points ({more:+.2} ± {more_error:.2}), {chance:.2} ± {chance_error:.2} % ({less:+.2} ± {less_error:.2}); points ahead {:.2} even {:.2} behind {:.2}; {seconds:.0} s  {list}",
            where_lead(|lead| lead > AHEAD),
            where_lead(|lead| lead.abs() <= AHEAD),
            where_lead(|lead| lead < -AHEAD),
        );
    }
    Ok(())
}

/// Grades.
pub fn main(words: &[String]) -> Result<(), Failure> {
    let [positions, seed, file, command, lists @ ..] = words else {
        return Err("lab grade POSITIONS SEED GAMES.sgf COMMAND SETTINGS …".into());
    };
    let text = std::fs::read_to_string(file)?;
    let games = games_in(&text)?;
    let size = games.first().ok_or("no games")?.0;
    let games: Vec<_> = games.into_iter().filter(|game| game.0 == size).map(|game| game.1).collect();
    let (positions, seed) = (positions.parse()?, seed.parse()?);
    match size {
        5..=9 => run::<111, 2>(size, &games, positions, seed, command, lists),
        10..=13 => run::<211, 4>(size, &games, positions, seed, command, lists),
        14..=19 => run::<421, 7>(size, &games, positions, seed, command, lists),
        _ => Err("sizes from 5 to 19".into()),
    }
}
