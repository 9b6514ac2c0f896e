//! How well the engine's moves and values agree with a stronger player's, on positions of labelled games.
//!
//! ```text
//! lab probe DIRECTORY POSITIONS SETTINGS [SETTINGS …]
//! ```
//!
//! Reads the last shard of what `train` reads, with `S.winrate` and `S.score_lead` (f16, for the side to move) and `S.ownership` (i8, per
//! cent, for the side to move) beside it. For every list of settings it prints how often the engine's move is the teacher's first
//! choice, the teacher's share for the engine's move, the mean square error of the winning chances, how well leads correlate, and the mean error of ownership.

use crate::{Failure, half, settings, think};
use std::fs;
use std::time::Instant;
use tengen_core::{Line, Position, Rng, Side};
use tengen_games::go::{Go9, Komi, Move, Point, Rules};
use tengen_go::field::Field;
use tengen_go::playout::Policy;
use tengen_go::{GoEngine, GoParams};
use tengen_search::Lead;
use tengen_search::params::Params;

/// A position with the teacher's opinion.
struct Case {
    line: Line<Go9>,
    policy: Vec<f32>,
    winrate: f32,
    lead: f32,
    /// For Black.
    ownership: Vec<f32>,
}

fn cases(directory: &str, wanted: usize, margin: f32) -> Result<Vec<Case>, Failure> {
    let shard =
        (0..).take_while(|number| fs::exists(format!("{directory}/{number}.move")).unwrap_or(false)).count() - 1;
    let file = |name: &str| fs::read(format!("{directory}/{shard}.{name}"));
    let (starts, komi, moves) = (file("game_start")?, file("komi")?, file("move")?);
    let (policy, winrate, lead, ownership) =
        (file("policy")?, file("winrate")?, file("score_lead")?, file("ownership")?);
    let word = |bytes: &[u8], at: usize| [bytes[4 * at], bytes[4 * at + 1], bytes[4 * at + 2], bytes[4 * at + 3]];
    let games = komi.len() / 4;
    let stride = moves.len() / wanted;
    let mut cases = Vec::new();
    for game in 0..games {
        let from = i32::from_le_bytes(word(&starts, game)) as usize;
        let to = i32::from_le_bytes(word(&starts, game + 1)) as usize;
        let komi = Komi::new(f32::from_le_bytes(word(&komi, game)).into())?;
        let mut line = Line::new(Go9::new(9, Rules::Chinese, Some(komi))?);
        for position in from..to {
            let sign = if line.position().to_move() == Side::First { 1.0 } else { -1.0 };
            // Where the game is decided, most moves are as good as any other.
            let is_open = (margin..=1.0 - margin).contains(&half(&winrate, position));
            if position % stride == 0 && line.position().passes() < 2 && is_open {
                cases.push(Case {
                    line: line.clone(),
                    policy: (0..82).map(|mv| half(&policy, 82 * position + mv)).collect(),
                    winrate: half(&winrate, position),
                    lead: half(&lead, position),
                    ownership: (0..81)
                        .map(|at| sign * f32::from(ownership[81 * position + at] as i8) / 100.0)
                        .collect(),
                });
            }
            let mv = match moves[position] {
                255 => break,
                81 => Move::Pass,
                mv => match Point::new(9, usize::from(mv) % 9, usize::from(mv) / 9) {
                    Some(point) if line.position().is_legal(point) => Move::At(point),
                    _ => break,
                },
            };
            if line.position().passes() >= 2 {
                break;
            }
            line.push(mv);
        }
    }
    Ok(cases)
}

fn correlation(pairs: &[(f32, f32)]) -> f32 {
    let count = pairs.len() as f32;
    let (a, b) = pairs.iter().fold((0.0, 0.0), |(a, b), pair| (a + pair.0 / count, b + pair.1 / count));
    let sum = |f: &dyn Fn(f32, f32) -> f32| pairs.iter().map(|&(x, y)| f(x - a, y - b)).sum::<f32>();
    sum(&|x, y| x * y) / (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt()
}

/// Plays positions out without any tree, and compares the means with the teacher's opinion: how wrong the winning chances are, what of that is not noise,
/// how well leads correlate, and how wrong the owners of points are.
pub fn playouts(words: &[String]) -> Result<(), Failure> {
    let [directory, positions, playouts, lists @ ..] = words else {
        return Err("lab playouts DIRECTORY POSITIONS PLAYOUTS SETTINGS …".into());
    };
    let playouts: u32 = playouts.parse()?;
    let cases = cases(directory, positions.parse()?, 0.0)?;
    for list in lists {
        let params = GoParams::with(&settings(list))?;
        let policy = Policy::new(&params, false);
        let mut rng = Rng::with_seed(1);
        let (mut square, mut noise, mut owner, mut moves) = (0.0, 0.0, 0.0, 0);
        let mut leads = Vec::new();
        let start = Instant::now();
        for case in &cases {
            let position = case.line.position();
            let mut root = Field::<111, 2>::of(position);
            if let [.., before, _] = case.line.moves() {
                root.set_last_but_one(Field::<111, 2>::cell_of_move(position.board(), *before));
            }
            let sign = if position.to_move() == Side::First { 1.0 } else { -1.0 };
            let (mut won, mut lead, mut owners) = (0.0, 0.0, [0; 81]);
            let mut field = root.clone();
            for _ in 0..playouts {
                field.clone_from(&root);
                let end = policy.play(&mut field, &mut rng, [params.self_atari as u8; 2], |_, _| ());
                moves += end.moves;
                let points = sign * (end.lead as f32 - position.komi().points());
                won += if points > 0.0 { 1.0 } else { 0.0 };
                lead += points;
                for (at, owner) in owners.iter_mut().enumerate() {
                    *owner += field.settled_owner(Field::<111, 2>::cell_at(at % 9, at / 9));
                }
            }
            let count = playouts as f32;
            let mean = won / count;
            square += (mean - case.winrate).powi(2);
            noise += mean * (1.0 - mean) / (count - 1.0).max(1.0);
            leads.push((lead / count, case.lead));
            let wrong = |(at, &teacher): (usize, &f32)| (owners[at] as f32 / count - teacher).powi(2);
            owner += case.ownership.iter().enumerate().map(wrong).sum::<f32>() / 81.0;
        }
        let count = cases.len() as f32;
        let seconds = start.elapsed().as_secs_f32();
        println!(
            "value {:.4} lead {:.4} owner {:.4} moves {:.1} {:.0}/s  {list}",
            (square - noise) / count,
            correlation(&leads),
            owner / count,
            moves as f32 / (count * playouts as f32),
            count * playouts as f32 / seconds,
        );
    }
    Ok(())
}

/// Probes.
pub fn main(words: &[String]) -> Result<(), Failure> {
    let [directory, positions, lists @ ..] = words else {
        return Err("lab probe DIRECTORY POSITIONS SETTINGS …".into());
    };
    let cases = cases(directory, positions.parse()?, 0.05)?;
    for list in lists {
        let settings = settings(list);
        let (mut first, mut share, mut square, mut owner) = (0.0, 0.0, 0.0, 0.0);
        let mut leads = Vec::new();
        let start = Instant::now();
        for case in &cases {
            let mut engine = GoEngine::new(GoParams::with(&settings)?);
            let thought = think(&mut engine, &case.line)?;
            let number = match thought.best {
                Move::Pass => 81,
                Move::At(point) => case.line.position().board().index(point),
            };
            let best = case.policy.iter().copied().fold(0.0, f32::max);
            first += f32::from(u8::from(case.policy[number] >= best));
            share += case.policy[number];
            let side = case.line.position().to_move();
            square += ((thought.value.seen_by(side) + 1.0) / 2.0 - case.winrate).powi(2);
            let pairs = thought.ownership.iter().zip(&case.ownership);
            owner += pairs.map(|(ours, teacher)| (ours - teacher).abs()).sum::<f32>() / 81.0;
            if let Some(Lead::Points(points)) = thought.lead.map(|lead| lead.seen_by(side)) {
                leads.push((points, case.lead));
            }
        }
        let count = cases.len() as f32;
        println!(
            "first {:.2} % share {:.4} value {:.4} lead {:.4} owner {:.4} {:5.1} s  {list}",
            100.0 * first / count,
            share / count,
            square / count,
            correlation(&leads),
            owner / count,
            start.elapsed().as_secs_f32()
        );
    }
    Ok(())
}
