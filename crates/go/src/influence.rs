//! The influence map: who is strong where, without reading a move.
//!
//! Stones count ±128; several dilations spread that over the board, several erosions take back what is not held.
//! CITE: Bouzy 2003, "Mathematical morphology applied to computer go"; 4 dilations and 13 erosions show territory, 5 and
//! 21 frameworks.

use tengen_core::Side;
use tengen_games::go::Go;

/// The weight of a stone.
const STONE: i32 = 128;
/// How often the stones' weight is spread.
const DILATIONS: usize = 5;
/// How often what is not held is taken back: after n dilations of a lone stone, n(n − 1) + 1 erosions leave it alone.
const EROSIONS: usize = 21;

/// Whose each point seems to be, from −1 (White's) to 1 (Black's), row by row from the top left.
pub fn influence<const CELLS: usize>(go: &Go<CELLS>) -> Vec<f32> {
    let weights = spread(go, DILATIONS, EROSIONS);
    weights.into_iter().map(|weight| (weight as f32 / STONE as f32).clamp(-1.0, 1.0)).collect()
}

/// The map after so many dilations and then so many erosions, in the weight of stones.
pub fn spread<const CELLS: usize>(go: &Go<CELLS>, dilations: usize, erosions: usize) -> Vec<i32> {
    let size = go.size();
    let weight = |side| if side == Side::First { STONE } else { -STONE };
    let mut map: Vec<i32> = go.board().points().map(|point| go.board().colour(point).map_or(0, weight)).collect();
    let beside = |at: usize| {
        let (column, row) = (at % size, at / size);
        let left = (column > 0).then(|| at - 1);
        let right = (column + 1 < size).then(|| at + 1);
        let above = (row > 0).then(|| at - size);
        let below = (row + 1 < size).then(|| at + size);
        [left, right, above, below].into_iter().flatten()
    };
    for _ in 0..dilations {
        let before = map.clone();
        for (at, value) in map.iter_mut().enumerate() {
            let friends = |sign: i32| beside(at).filter(|&near| before[near] * sign > 0).count() as i32;
            let (black, white) = (friends(1), friends(-1));
            // A point with neighbours of one side only grows with each of them.
            if *value >= 0 && white == 0 {
                *value += black;
            }
            if before[at] <= 0 && black == 0 {
                *value -= white;
            }
        }
    }
    for _ in 0..erosions {
        let before = map.clone();
        for (at, value) in map.iter_mut().enumerate() {
            let sign = before[at].signum();
            let strangers = beside(at).filter(|&near| before[near] * sign <= 0).count() as i32;
            // Never past zero.
            *value = sign * (before[at].abs() - strangers).max(0);
        }
    }
    map
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_core::Notation;
    use tengen_games::go::{Go9, Go13};

    #[test]
    fn a_lone_stone_keeps_only_itself() {
        let go = Go13::read("13/13/13/13/13/13/6X6/13/13/13/13/13/13 w").expect("a position");
        for n in 1..=5 {
            let map = spread(&go, n, n * (n - 1) + 1);
            assert_eq!(map.iter().filter(|&&weight| weight != 0).count(), 1, "{n} dilations");
        }
    }

    #[test]
    fn walls_own_what_is_behind_them() {
        let go = Go9::read("2XO5/2XO5/2XO5/2XO5/2XO5/2XO5/2XO5/2XO5/2XO5 b").expect("a position");
        let map = influence(&go);
        for row in 0..9 {
            assert!(map[9 * row] > 0.0 && map[9 * row + 1] > 0.0, "row {row}: {map:?}");
            assert!(map[9 * row + 5] < 0.0, "row {row}: {map:?}");
        }
        let swapped = Go9::read("2OX5/2OX5/2OX5/2OX5/2OX5/2OX5/2OX5/2OX5/2OX5 b").expect("a position");
        let mirrored: Vec<f32> = influence(&swapped).into_iter().map(|value| -value).collect();
        assert_eq!(map, mirrored, "both sides are treated alike");
    }
}
