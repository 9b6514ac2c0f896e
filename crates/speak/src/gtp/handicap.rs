//! Where the engine puts handicap stones when it may choose.

use tengen_games::go::{Point, fixed_handicap};

/// Places for so many stones, or for as many as are reasonable: the usual points first, then whatever is farthest from all of them.
pub(super) fn places(size: usize, stones: usize) -> Vec<Point> {
    let usual = (2..=stones.min(9)).rev().find_map(|number| fixed_handicap(size, number).ok());
    let mut chosen = usual.unwrap_or_default();
    let coordinates = |point: &Point| (point.cell() % (size + 1), point.cell() / (size + 1));
    let all: Vec<Point> = (0..size * size).filter_map(|index| Point::new(size, index % size, index / size)).collect();
    // More would leave White no room to live.
    let most = (size * size / 3).max(2);
    while chosen.len() < stones.min(most) {
        let distance = |point: &Point| {
            let (x, y) = coordinates(point);
            let to = |other: &Point| {
                let (a, b) = coordinates(other);
                x.abs_diff(a) + y.abs_diff(b)
            };
            chosen.iter().map(to).min().unwrap_or(usize::MAX)
        };
        // The third line is the lowest that is worth a stone, if the board has one.
        let line = |point: &Point| {
            let (x, y) = coordinates(point);
            x.min(y).min(size + 1 - x).min(size + 1 - y).min(3)
        };
        let free = all.iter().filter(|point| !chosen.contains(point));
        match free.max_by_key(|point| (line(point), distance(point))) {
            Some(&point) => chosen.push(point),
            None => break,
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_places_on_every_board() {
        for size in 2..=25 {
            for stones in 2..(size * size).min(40) {
                let mut places = places(size, stones);
                assert!((2..=stones).contains(&places.len()), "size {size}: {} for {stones}", places.len());
                places.sort_unstable_by_key(|point| point.cell());
                places.dedup();
                assert!(places.len() >= 2 && places.len() < size * size, "size {size}, {stones} stones");
            }
        }
        assert_eq!(places(19, 9), fixed_handicap(19, 9).expect("nine stones"));
    }
}
