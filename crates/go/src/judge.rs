//! Who owns what, and which stones are dead, by playing the position out many times.

use crate::field::{BLACK, EMPTY, Field, WHITE, colour_of};
use crate::params::GoParams;
use crate::playout::Policy;
use tengen_core::{Position, Rng, Side, mix};
use tengen_games::go::{Go, Point};

/// What has been found about a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Judgement {
    /// Whose each point becomes, from −1 (White's) to 1 (Black's), row by row from the top left.
    pub ownership: Vec<f32>,
    /// The stones of chains that will be taken.
    pub dead: Vec<Point>,
}

/// Judges a position by this many playouts.
pub fn judge<const CELLS: usize>(go: &Go<CELLS>, playouts: u32, seed: u64) -> Judgement {
    match CELLS {
        111 => judge_field(&Field::<CELLS, 2>::of(go), go, playouts, seed),
        211 => judge_field(&Field::<CELLS, 4>::of(go), go, playouts, seed),
        421 => judge_field(&Field::<CELLS, 7>::of(go), go, playouts, seed),
        _ => judge_field(&Field::<CELLS, 11>::of(go), go, playouts, seed),
    }
}

fn judge_field<const CELLS: usize, const WORDS: usize>(
    start: &Field<CELLS, WORDS>,
    go: &Go<CELLS>,
    playouts: u32,
    seed: u64,
) -> Judgement {
    let params = GoParams::default();
    let policy = Policy::new(&params, false);
    let mut rng = Rng::with_seed(mix(seed ^ go.board().key()));
    let mut sums = [0i32; CELLS];
    for number in 0..playouts {
        let mut field = start.clone();
        field.resume();
        // Either side may begin, so that nobody's move decides.
        let first = if number % 2 == 0 { BLACK } else { WHITE };
        if field.to_move() != first {
            field.pass();
            field.resume();
        }
        policy.play(&mut field, &mut rng, [params.self_atari as u8; 2], |_, _| ());
        for (cell, sum) in sums.iter_mut().enumerate() {
            if start.colour(cell) != 3 {
                *sum += field.settled_owner(cell);
            }
        }
    }
    let owner = |point: Point| sums[Field::<CELLS, WORDS>::cell_of(go.board(), point)] as f32 / playouts.max(1) as f32;
    let ownership = go.board().points().map(owner).collect();
    let mut dead = Vec::new();
    for point in go.board().points() {
        if go.board().colour(point).is_none() || go.board().chain(point) != Some(point) {
            continue;
        }
        let stones: Vec<Point> = go.board().chain_stones(point).collect();
        let mean: f32 = stones.iter().map(|&stone| owner(stone)).sum::<f32>() / stones.len() as f32;
        let share = if go.board().colour(point) == Some(Side::First) { mean } else { -mean };
        if share < 0.0 {
            dead.extend(stones);
        }
    }
    let _ = (EMPTY, colour_of(go.to_move()));
    Judgement { ownership, dead }
}
