//! Who owns what at the end, and which stones are dead.

use tengen_core::{Position, Rng, Side};
use tengen_games::go::{Go, Point};

/// What is thought of a position.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Judgement {
    /// Whose each point becomes, from −1 (White's) to 1 (Black's), row by row from the top left.
    pub ownership: Vec<f32>,
    /// The stones that will be taken, whole chains.
    pub dead: Vec<Point>,
    /// The chains in seki, if the judge looked for any.
    pub seki: Option<Vec<Vec<Point>>>,
    /// How far Black is ahead by the position's rules, if the judge counted.
    pub lead: Option<f32>,
}

/// A judgement by so many random games, in which either side begins as often. A program with a Go engine has a better one.
pub fn judge_by_playouts<const CELLS: usize>(position: &Go<CELLS>, playouts: u32, seed: u64) -> Judgement {
    let board = position.board();
    let mut rng = Rng::with_seed(seed);
    let mut sums = vec![0.0_f32; position.size() * position.size()];
    let starts = Side::BOTH.map(|side| position.taken_up_by(side));
    let cap = 4 * sums.len() as u32;
    for number in 0..playouts {
        let mut game = starts[number as usize % 2].clone();
        game.playout(&mut rng, cap, |_, _| ());
        for (sum, owner) in sums.iter_mut().zip(game.count(&[]).owners) {
            *sum += owner.map_or(0.0, |side| if side == Side::First { 1.0 } else { -1.0 });
        }
    }
    let ownership: Vec<f32> = sums.iter().map(|sum| sum / playouts.max(1) as f32).collect();
    let mut dead = Vec::new();
    for point in board.points().filter(|&point| board.chain(point) == Some(point)) {
        let stones: Vec<Point> = board.chain_stones(point).collect();
        let mean = stones.iter().map(|&stone| ownership[board.index(stone)]).sum::<f32>() / stones.len() as f32;
        let share = if board.colour(point) == Some(Side::First) { mean } else { -mean };
        if share < 0.0 {
            dead.extend(stones);
        }
    }
    Judgement { ownership, dead, ..Judgement::default() }
}
