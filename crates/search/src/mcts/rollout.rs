//! Judging a leaf by playing on from it.

use crate::Heuristic;
use tengen_core::{Line, Position, Pov, Rng, Side, Turn, Value};

/// Judges leaves by playing on; each thread has its own.
pub trait Rollout<P: Position>: Send {
    /// The value of the position at the end of the line. If `played` is given, it is filled with the
    /// decisions made on the way (for AMAF).
    fn value(&mut self, line: &Line<P>, rng: &mut Rng, played: Option<&mut Vec<(Side, P::Move)>>) -> Pov<Value>;
}

/// Random games: `count` of them, each cut after `longest` moves and then judged by a heuristic.
#[derive(Clone)]
pub struct RandomGames<H> {
    /// Games a leaf.
    pub count: u32,
    /// Moves a game.
    pub longest: u32,
    /// The judge of games that were cut.
    pub heuristic: H,
}

impl<P: Position, H: Heuristic<P>> Rollout<P> for RandomGames<H> {
    fn value(&mut self, line: &Line<P>, rng: &mut Rng, played: Option<&mut Vec<(Side, P::Move)>>) -> Pov<Value> {
        let mut sum = 0.0;
        let mut played = played;
        for _ in 0..self.count {
            let mut position = line.position().clone();
            let outcome = match &mut played {
                Some(played) => position.playout(rng, self.longest, |side, mv| played.push((side, mv))),
                None => position.playout(rng, self.longest, |_, _| {}),
            };
            sum += match outcome {
                Some(outcome) => outcome.value_for(Side::First),
                None => self.heuristic.estimate(&Line::new(position)).seen_by(Side::First),
            };
        }
        Pov::of(Side::First, sum / self.count as f32)
    }
}

/// No playing on at all: the heuristic's word.
#[derive(Clone)]
pub struct Judged<H>(pub H);

impl<P: Position, H: Heuristic<P>> Rollout<P> for Judged<H> {
    fn value(&mut self, line: &Line<P>, _rng: &mut Rng, _played: Option<&mut Vec<(Side, P::Move)>>) -> Pov<Value> {
        match line.turn(&mut Vec::new()) {
            Turn::Over(outcome) => outcome.value(),
            _ => self.0.estimate(line),
        }
    }
}
