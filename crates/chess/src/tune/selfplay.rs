//! Games of the engine against itself, and the positions in them that are worth learning from.

use crate::{ChessEngine, Question};
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use tengen_core::{Line, Notation, Outcome, Position, Rng, Score, Side, Turn};
use tengen_games::chess::{Board, ChessRules};
use tengen_search::Limits;

/// A quiet position and how its game ended.
#[derive(Clone, PartialEq, Debug)]
pub struct Sample {
    /// FEN.
    pub position: String,
    /// What the search thought of it, for White, in centipawns.
    pub score: Score,
    /// 1 if White won, 0 if Black won.
    pub result: f32,
}

impl Sample {
    /// One line: `FEN | score | result`.
    pub fn write(&self) -> String {
        format!("{} | {} | {}", self.position, self.score, self.result)
    }

    /// Reads such a line.
    pub fn read(line: &str) -> Option<Sample> {
        let mut parts = line.split('|').map(str::trim);
        let position = parts.next()?.to_owned();
        let score = parts.next()?.parse().ok()?;
        let result: f32 = parts.next()?.parse().ok()?;
        (0.0..=1.0).contains(&result).then_some(Sample { position, score, result })
    }
}

/// A game is decided when the score has been beyond this for some moves.
const DECIDED_AT: Score = 1000;
const DECIDED_FOR: u32 = 5;
/// It is drawn when the score has been nothing for long.
const DRAWN_AT: Score = 8;
const DRAWN_FOR: u32 = 16;
const LONGEST: usize = 300;

/// Plays one game from a random opening, so many nodes a move. `None` if the opening was one-sided.
pub fn play_game(engine: &mut ChessEngine<ChessRules>, nodes: u64, rng: &mut Rng) -> Option<Vec<Sample>> {
    let (stop, pondering) = (AtomicBool::new(false), AtomicBool::new(false));
    let clock = Instant::now();
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let question = Question::new(limits, &clock, &stop, &pondering);
    engine.new_game();
    let mut line = Line::new(Board::<ChessRules>::new());
    let mut legal = Vec::new();
    for _ in 0..8 + rng.usize(..2) {
        let Turn::Decision(_) = line.turn(&mut legal) else { return None };
        line.push(legal[rng.usize(..legal.len())]);
    }
    let mut samples = Vec::new();
    let (mut decided, mut drawn) = (0, 0);
    let outcome = loop {
        let side = match line.turn(&mut legal) {
            Turn::Over(outcome) => break outcome,
            _ => line.position().to_move(),
        };
        if line.ply() >= LONGEST {
            break Outcome::Draw;
        }
        let answer = engine.search(&line, &question, &mut |_| {})?;
        let score = answer.lines.first().map_or(0, |report| report.score);
        if samples.is_empty() && line.ply() < 12 && score.abs() > 250 {
            return None;
        }
        let white = if side == Side::First { score } else { -score };
        let quiet = !answer.best.is_capture() && !answer.best.is_promotion();
        let check = shakmaty::Position::is_check(line.position().rules());
        if quiet && !check && score.abs() < 1500 {
            samples.push(Sample { position: line.position().write(), score: white, result: 0.5 });
        }
        decided = if score.abs() >= DECIDED_AT { decided + 1 } else { 0 };
        drawn = if score.abs() <= DRAWN_AT && line.ply() > 80 { drawn + 1 } else { 0 };
        if decided >= DECIDED_FOR {
            break Outcome::Win(if white > 0 { Side::First } else { Side::Second });
        }
        if drawn >= DRAWN_FOR {
            break Outcome::Draw;
        }
        line.push(answer.best);
    };
    let result = (outcome.value_for(Side::First) + 1.0) / 2.0;
    samples.iter_mut().for_each(|sample| sample.result = result);
    Some(samples)
}
