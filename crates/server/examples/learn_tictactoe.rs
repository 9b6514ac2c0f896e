//! A training run small enough to read: values of tic-tac-toe positions, learnt by playing against oneself.
//!
//! It writes the log that the Watch page draws (docs/runs.md), one line an iteration:
//! `cargo run --release -p tengen-server --example learn_tictactoe > log.jsonl`. The example in the program was made so.

use std::collections::HashMap;
use std::time::Instant;
use tengen_core::{Outcome, Position, Rng, Side, Turn};
use tengen_games::tictactoe::TicTacToe;

const ITERATIONS: u32 = 60;
const GAMES: u32 = 100;
const TEST_GAMES: u32 = 400;
/// How far a value moves towards what came after it.
const RATE: f32 = 0.2;

/// Values of positions for `First`; unknown ones are worth nothing.
#[derive(Default)]
struct Values(HashMap<u64, f32>);

impl Values {
    fn of(&self, position: &TicTacToe) -> f32 {
        match position.turn(&mut Vec::new()) {
            Turn::Over(outcome) => outcome.value_for(Side::First),
            _ => self.0.get(&position.key()).copied().unwrap_or(0.0),
        }
    }

    /// The best move for the side to move, or now and then any move.
    fn choose(&self, position: &TicTacToe, side: Side, moves: &[u8], wander: f32, rng: &mut Rng) -> u8 {
        if rng.f32() < wander {
            return moves[rng.usize(..moves.len())];
        }
        let worth = |mv: u8| {
            let mut next = *position;
            next.play(mv);
            if side == Side::First { self.of(&next) } else { -self.of(&next) }
        };
        // Ties are broken at random, so that games differ.
        let start = rng.usize(..moves.len());
        let turned = moves[start..].iter().chain(&moves[..start]).copied();
        turned.reduce(|best, mv| if worth(mv) > worth(best) { mv } else { best }).unwrap_or(moves[0])
    }

    /// Plays a game against itself and learns from it; returns the sum of squared corrections and their number.
    fn learn(&mut self, wander: f32, rng: &mut Rng) -> (f32, u32) {
        let (mut position, mut moves) = (TicTacToe::new(), Vec::new());
        let (mut squares, mut count) = (0.0, 0);
        while let Turn::Decision(side) = position.turn(&mut moves) {
            let before = position;
            position.play(self.choose(&before, side, &moves, wander, rng));
            let correction = self.of(&position) - self.of(&before);
            *self.0.entry(before.key()).or_default() += RATE * correction;
            squares += correction * correction;
            count += 1;
        }
        (squares, count)
    }

    /// The share of points against random moves, sides in turn, and half the width of its 95 % interval.
    fn test(&self, rng: &mut Rng) -> (f32, f32) {
        let (mut sum, mut squares) = (0.0, 0.0);
        for game in 0..TEST_GAMES {
            let own = Side::BOTH[game as usize % 2];
            let (mut position, mut moves) = (TicTacToe::new(), Vec::new());
            let outcome = loop {
                match position.turn(&mut moves) {
                    Turn::Over(outcome) => break outcome,
                    Turn::Decision(side) if side == own => {
                        position.play(self.choose(&position, side, &moves, 0.0, rng))
                    }
                    _ => position.play(moves[rng.usize(..moves.len())]),
                }
            };
            let points = if outcome == Outcome::Draw { 0.5 } else { (outcome.value_for(own) + 1.0) / 2.0 };
            sum += points;
            squares += points * points;
        }
        let mean = sum / TEST_GAMES as f32;
        let deviation = ((squares / TEST_GAMES as f32 - mean * mean).max(0.0) / TEST_GAMES as f32).sqrt();
        (mean, 1.96 * deviation)
    }
}

fn main() {
    let (mut values, mut rng, begin) = (Values::default(), Rng::with_seed(7), Instant::now());
    println!(
        r#"{{"run":{{"kind":"training","title":"Tic-tac-toe by temporal differences","game":"tictactoe","started":"{}","along":"iteration","of":{ITERATIONS},"settings":{{"games an iteration":{GAMES},"rate":{RATE},"seed":7}}}}}}"#,
        tengen_server::time::written(tengen_server::time::epoch())
    );
    for iteration in 1..=ITERATIONS {
        // It wanders less and less.
        let wander = 0.5 / (1.0 + iteration as f32 / 5.0);
        let started = Instant::now();
        let (squares, count) =
            (0..GAMES).map(|_| values.learn(wander, &mut rng)).fold((0.0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        let speed = f64::from(GAMES) / started.elapsed().as_secs_f64();
        let (score, error) = values.test(&mut rng);
        println!(
            r#"{{"at":{iteration},"time":{:.3},"loss":{{"value":{:.5}}},"score":{{"against random moves":[{score:.4},{error:.4}]}},"speed":{{"games a second":{speed:.0}}},"size":{{"positions known":{}}}}}"#,
            begin.elapsed().as_secs_f64(),
            squares / count as f32,
            values.0.len()
        );
    }
    println!(r#"{{"done":true}}"#);
}
