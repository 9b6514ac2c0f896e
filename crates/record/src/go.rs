//! What files need to know about Go boards: names of points, places of handicap stones, names of rules, and the text of a position.
//!
//! No rules of play are here. Points are columns and rows from zero, at the top left.

use crate::Handicap;
use tengen_core::Side;

/// The columns: I is left out, since it looks like J.
const COLUMNS: &[u8; 25] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

/// A point of a board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Point {
    pub column: usize,
    pub row: usize,
}

impl Point {
    /// A point, if it is on a board of this size.
    pub fn new(size: usize, column: usize, row: usize) -> Option<Point> {
        (column < size && row < size).then_some(Point { column, row })
    }

    /// `D4` on a board of this size.
    pub fn name(self, size: usize) -> String {
        format!("{}{}", char::from(COLUMNS[self.column.min(24)]), size - self.row)
    }

    /// The point that `D4` names.
    pub fn named(size: usize, text: &str) -> Option<Point> {
        let text = text.trim();
        let column = COLUMNS
            .iter()
            .position(|&column| text.as_bytes().first().is_some_and(|c| c.eq_ignore_ascii_case(&column)))?;
        let row = text.get(1..)?.parse::<usize>().ok().and_then(|row| size.checked_sub(row))?;
        Point::new(size, column, row)
    }
}

/// The size of the boards of a game `go2` to `go25`.
pub(crate) fn size_of(game: &str) -> Option<usize> {
    let digits = game.strip_prefix("go").filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    digits.parse().ok().filter(|size| (2..=25).contains(size))
}

/// The usual places of handicap stones, in the order of the Go Text Protocol; `None` if a board of this size has not so many.
pub(crate) fn fixed_handicap(size: usize, stones: usize) -> Option<Vec<Point>> {
    let most = match size {
        ..7 => 0,
        7 => 4,
        _ if size.is_multiple_of(2) => 4,
        _ => 9,
    };
    if !(2..=most).contains(&stones) {
        return None;
    }
    let near = if size < 13 { 2 } else { 3 };
    let (far, middle) = (size - 1 - near, size / 2);
    let corners = [(near, far), (far, near), (near, near), (far, far)];
    let sides = [(near, middle), (far, middle), (middle, far), (middle, near)];
    let mut places = corners[..stones.min(4)].to_vec();
    places.extend(&sides[..stones.saturating_sub(4) & !1]);
    if stones > 4 && stones % 2 == 1 {
        places.push((middle, middle));
    }
    Some(places.into_iter().map(|(column, row)| Point { column, row }).collect())
}

/// These stones as a choice before the game: a number where they stand as usual.
pub(crate) fn handicap(size: usize, stones: &[Point]) -> Handicap {
    let sorted = |mut points: Vec<Point>| {
        points.sort_unstable();
        points
    };
    let usual = fixed_handicap(size, stones.len()).is_some_and(|usual| sorted(usual) == sorted(stones.to_vec()));
    match u8::try_from(stones.len()) {
        Ok(number) if usual => Handicap::Fixed(number),
        _ => Handicap::Free(stones.iter().map(|point| point.name(size)).collect()),
    }
}

/// Our name of the rules that a file or a program names in its own way.
pub(crate) fn rules(name: &str) -> Option<&'static str> {
    let name = name.trim().to_lowercase().replace([' ', '_'], "-");
    Some(match name.as_str() {
        "japanese" | "japan" | "jp" | "jpn" | "日本" | "korean" | "korea" | "territory" => "japanese",
        "chinese" | "china" | "cn" | "chn" | "中国" | "中國" | "area" | "chinese-ogs" | "chinese-kgs" => "chinese",
        "aga" | "bga" => "aga",
        "french" | "ffg" => "french",
        "tromp-taylor" | "trompt-taylor" | "tt" | "new-zealand" | "nz" | "newzealand" | "logical" => "tromp-taylor",
        _ => return None,
    })
}

/// The points White gets for handicap stones under rules that count area: see the rule sets of Go.
fn compensation(rules: &str, stones: usize) -> usize {
    match rules {
        "chinese" => stones,
        "aga" | "french" => stones.saturating_sub(1),
        _ => 0,
    }
}

/// Komi in a file: `6.5`, `6,5`, `6.5 points`, hundredths (`650`), or Chinese stones, which count double (`3.75`, `375`).
pub(crate) fn komi(text: &str) -> Option<f64> {
    let text = text.trim().replace(',', ".");
    let digits = text.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '-' | '+'))).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    // What goes on with more digits is another number than it begins with: `1e39`, `3 3/4`.
    if unit.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let mut points: f64 = number.parse().ok()?;
    if points.abs() > 200.0 {
        points /= 100.0;
    }
    if (points * 2.0).fract() != 0.0 {
        points *= 2.0;
    }
    let is_komi = (points * 2.0).fract() == 0.0 && points.abs() <= 200.0;
    is_komi.then_some(points)
}

/// A board with stones, and what stands beside it: enough to write a position that a game begins with.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Stones {
    pub size: usize,
    /// Row by row from the top left.
    points: Vec<Option<Side>>,
}

impl Stones {
    pub fn new(size: usize) -> Self {
        Stones { size, points: vec![None; size * size] }
    }

    pub fn put(&mut self, point: Point, stone: Option<Side>) {
        if let Some(place) = self.points.get_mut(point.row * self.size + point.column) {
            *place = stone;
        }
    }

    /// The points with a stone of this side.
    pub fn of(&self, side: Side) -> Vec<Point> {
        let size = self.size;
        let points = (0..size * size).filter(|&index| self.points[index] == Some(side));
        points.map(|index| Point { column: index % size, row: index / size }).collect()
    }

    pub fn is_empty(&self) -> bool {
        self.points.iter().all(Option::is_none)
    }

    /// The position as our own text.
    pub fn write(&self, to_move: Side, komi: Option<f64>, rules: Option<&str>, handicap: usize) -> String {
        let rows: Vec<String> = self.points.chunks(self.size).map(write_row).collect();
        let side = if to_move == Side::First { 'b' } else { 'w' };
        let rules = rules.unwrap_or("chinese");
        let usual = if rules == "japanese" { 6.5 } else { 7.5 };
        let komi = komi.unwrap_or(if handicap > 1 { 0.5 } else { usual });
        format!("{} {side} - 0 0 0 {komi} {rules} {}", rows.join("/"), compensation(rules, handicap))
    }

    /// The stones, the side to move, komi and rules of our own text; `None` if it is not one.
    pub fn read(text: &str) -> Option<(Stones, Side, Option<String>, Option<String>)> {
        let mut words = text.split_whitespace();
        let rows: Vec<&str> = words.next()?.split('/').take(26).collect();
        if !(2..=25).contains(&rows.len()) {
            return None;
        }
        let mut stones = Stones::new(rows.len());
        for (row, text) in rows.iter().enumerate() {
            let (mut column, mut run) = (0, 0);
            for letter in text.chars() {
                if let Some(digit) = letter.to_digit(10) {
                    run = (run * 10 + digit as usize).min(26);
                    continue;
                }
                column += std::mem::take(&mut run);
                let stone = match letter {
                    'X' | 'x' => Some(Side::First),
                    'O' | 'o' => Some(Side::Second),
                    '.' => None,
                    _ => return None,
                };
                stones.put(Point::new(rows.len(), column, row)?, stone);
                column += 1;
            }
            if column + run != rows.len() {
                return None;
            }
        }
        let side = match words.next()? {
            "b" | "B" => Side::First,
            "w" | "W" => Side::Second,
            _ => return None,
        };
        let mut beside = words.skip(4).map(str::to_owned);
        Some((stones, side, beside.next(), beside.next()))
    }
}

fn write_row(row: &[Option<Side>]) -> String {
    let mut text = String::new();
    for run in row.chunk_by(|a, b| a.is_none() && b.is_none()) {
        match run[0] {
            None => text.push_str(&run.len().to_string()),
            Some(Side::First) => text.push('X'),
            Some(Side::Second) => text.push('O'),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_have_names() {
        for size in 2..=25 {
            for (column, row) in [(0, 0), (size - 1, size - 1), (size / 2, 0)] {
                let point = Point { column, row };
                assert_eq!(Point::named(size, &point.name(size)), Some(point));
            }
        }
        assert_eq!(Point { column: 8, row: 0 }.name(19), "J19");
        for text in ["", "I5", "A0", "A20", "T20", "44", "Aé", "é4"] {
            assert_eq!(Point::named(19, text), None, "{text}");
        }
    }

    #[test]
    fn komi_as_files_have_it() {
        for (text, points) in [
            ("6.5", Some(6.5)),
            ("6,5", Some(6.5)),
            (" 7.50 ", Some(7.5)),
            ("0.500000", Some(0.5)),
            ("6.5 points", Some(6.5)),
            ("650", Some(6.5)),
            ("375", Some(7.5)),
            ("3.75", Some(7.5)),
            ("-5.5", Some(-5.5)),
            ("0", Some(0.0)),
            ("", None),
            ("none", None),
            ("6.3", None),
            ("1e9", None),
            ("1e39", None),
            ("3 3/4", None),
            ("99999999", None),
        ] {
            assert_eq!(komi(text), points, "{text}");
        }
    }

    #[test]
    fn positions_round_trip() {
        let mut stones = Stones::new(9);
        stones.put(Point { column: 2, row: 2 }, Some(Side::First));
        stones.put(Point { column: 8, row: 8 }, Some(Side::Second));
        let text = stones.write(Side::Second, Some(0.5), Some("japanese"), 0);
        assert_eq!(text, "9/9/2X6/9/9/9/9/9/8O w - 0 0 0 0.5 japanese 0");
        let read = Stones::read(&text).expect("our own text");
        assert_eq!(read, (stones, Side::Second, Some("0.5".to_owned()), Some("japanese".to_owned())));
        for text in ["", "9/9", "3/3/3", "3/3/4 b", "3/3/3 x", "é/3/3 b"] {
            assert_eq!(Stones::read(text), None, "{text}");
        }
    }
}
