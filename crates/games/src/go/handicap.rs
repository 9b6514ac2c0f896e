//! Handicap stones and star points.
//!
//! Fixed handicap is the placement of the Go Text Protocol (version 2, section 4.1.1), which players know from the
//! 19x19 board: corners first, then the sides in pairs, the centre with every odd number from five on.

use super::{Go, Komi, MAX_SIZE, Point, Rules};
use tengen_core::{Side, TextError};

impl<const CELLS: usize> Go<CELLS> {
    /// A game in which Black has 2 to 9 stones on star points, as far as the size allows, and White moves. Komi is 0.5
    /// unless given.
    pub fn with_fixed_handicap(
        size: usize,
        rules: Rules,
        komi: Option<Komi>,
        stones: usize,
    ) -> Result<Self, TextError> {
        let points = fixed_handicap(size, stones)?;
        Go::with_free_handicap(size, rules, komi, &points)
    }

    /// A game in which Black has stones on these points, at least two, and White moves. Komi is 0.5 unless given.
    pub fn with_free_handicap(
        size: usize,
        rules: Rules,
        komi: Option<Komi>,
        points: &[Point],
    ) -> Result<Self, TextError> {
        let mut go = Go::new(size, rules, Some(komi.unwrap_or(Komi::HANDICAP)))?;
        // One point at least stays empty: then no chain is without a liberty, for there is no white stone.
        if !(2..size * size).contains(&points.len()) {
            return Err(TextError::new(format!(
                "{} handicap stones: there are 2 to {} on this board",
                points.len(),
                size * size - 1
            )));
        }
        for &point in points {
            if !go.board.points().any(|known| known == point) {
                return Err(TextError::new("a handicap stone is not on the board"));
            }
            if go.board.colour(point).is_some() {
                return Err(TextError::new(format!("two handicap stones on {}", go.point_name(point))));
            }
            go.board.put(point.cell(), Side::First);
        }
        go.compensation = rules.compensation(points.len()) as u16;
        go.to_move = Side::Second;
        Ok(go)
    }
}

/// Where the stones of a fixed handicap stand, in the order of the Go Text Protocol.
pub fn fixed_handicap(size: usize, stones: usize) -> Result<Vec<Point>, TextError> {
    let most = match size {
        7 => 4,
        8..=MAX_SIZE if size.is_multiple_of(2) => 4,
        8..=MAX_SIZE => 9,
        _ => 0,
    };
    if !(2..=most).contains(&stones) {
        let allowed =
            if most == 0 { "no fixed handicap".to_owned() } else { format!("2 to {most} fixed handicap stones") };
        return Err(TextError::new(format!("a board of size {size} has {allowed}, not {stones}")));
    }
    let (near, far, middle) = (edge(size), size - 1 - edge(size), size / 2);
    let corners = [(near, far), (far, near), (near, near), (far, far)];
    let sides = [(near, middle), (far, middle), (middle, far), (middle, near)];
    let mut places = corners[..stones.min(4)].to_vec();
    places.extend(&sides[..stones.saturating_sub(4) & !1]);
    if stones > 4 && stones % 2 == 1 {
        places.push((middle, middle));
    }
    Ok(places.into_iter().filter_map(|(column, row)| Point::new(size, column, row)).collect())
}

/// The points that are marked on a board of this size, row by row from the top.
pub fn star_points(size: usize) -> Vec<Point> {
    let is_odd = size % 2 == 1;
    let mut lines = if size < 7 { vec![] } else { vec![edge(size), size - 1 - edge(size)] };
    let middle = size / 2;
    let mut stars = Vec::new();
    if is_odd && size >= 15 {
        lines.insert(1, middle);
    } else if is_odd && size >= 5 {
        stars.push((middle, middle));
    }
    stars.extend(lines.iter().flat_map(|&row| lines.iter().map(move |&column| (row, column))));
    stars.sort_unstable();
    stars.into_iter().filter_map(|(row, column)| Point::new(size, column, row)).collect()
}

/// The line of the corner stars, counted from zero.
fn edge(size: usize) -> usize {
    if size < 13 { 2 } else { 3 }
}
