//! Positions and moves as text.
//!
//! A position is `9/4X4/9/… b - 0 0 0 7.5 chinese 0`: the rows from the top with `X` for Black, `O` for White and
//! numbers for runs of empty points, the side to move, the ko point, passes, stones taken by Black and by White, komi,
//! rules, and White's points for handicap stones. A move is a point (a column letter without I and a row counted from
//! the bottom) or `pass`.

use super::{Board, Go, Illegal, Komi, MAX_SIZE, MIN_SIZE, Move, Point, Rules, colour};
use tengen_core::{Notation, Side, TextError, refuse};

/// The columns: I is left out, since it looks like J.
const COLUMNS: &[u8; MAX_SIZE] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

/// More prisoners, or points for handicap, than any game has.
const MANY: u32 = 1_000_000;

/// The size of the board that a position's text describes, told by its number of rows: what is needed to choose the
/// type that reads it.
pub fn size_in_text(text: &str) -> Result<usize, TextError> {
    let rows = text.split_whitespace().next().unwrap_or("").split('/').take(MAX_SIZE + 1).count();
    if !(MIN_SIZE..=MAX_SIZE).contains(&rows) {
        let rows = if rows > MAX_SIZE { "more than 25 rows".to_owned() } else { format!("{rows} row(s)") };
        return Err(TextError::new(format!("{rows}: a board has {MIN_SIZE} to {MAX_SIZE}, separated by `/`")));
    }
    Ok(rows)
}

/// The point that a text names (`D4`, `d4`) on a board of this size.
pub fn read_point(size: usize, text: &str) -> Result<Point, TextError> {
    let (column, row) = match text.trim().as_bytes() {
        [letter, digits @ ..] => (
            COLUMNS.iter().position(|column| column.eq_ignore_ascii_case(letter)),
            std::str::from_utf8(digits).ok().filter(|_| digits.iter().all(u8::is_ascii_digit)),
        ),
        [] => (None, None),
    };
    let row = row.and_then(|row| row.parse::<usize>().ok()).and_then(|row| size.checked_sub(row));
    column.zip(row).and_then(|(column, row)| Point::new(size, column, row)).ok_or_else(|| {
        let last = Point::new(size, size.wrapping_sub(1), 0).map_or("".to_owned(), |point| name(size, point));
        TextError::new(format!("{} is not a point: they are A1 to {last}, without I", refuse(text)))
    })
}

/// The name of a point on a board of this size.
fn name(size: usize, point: Point) -> String {
    let (column, row) = (point.cell() % (size + 1) - 1, point.cell() / (size + 1) - 1);
    format!("{}{}", char::from(COLUMNS[column]), size - row)
}

impl<const CELLS: usize> Go<CELLS> {
    /// The name of a point: `D4`.
    pub fn point_name(&self, point: Point) -> String {
        name(self.size(), point)
    }
}

impl<const CELLS: usize> Notation for Go<CELLS> {
    fn write(&self) -> String {
        let size = self.size();
        let mut text = String::with_capacity(size * size + 40);
        let mut empty = 0;
        let flush = |text: &mut String, empty: &mut usize| {
            if *empty > 0 {
                text.push_str(&std::mem::take(empty).to_string());
            }
        };
        for (index, point) in self.board.points().enumerate() {
            if index > 0 && index % size == 0 {
                flush(&mut text, &mut empty);
                text.push('/');
            }
            match self.board.colour(point) {
                None => empty += 1,
                Some(side) => {
                    flush(&mut text, &mut empty);
                    text.push(if side == Side::First { 'X' } else { 'O' });
                }
            }
        }
        flush(&mut text, &mut empty);
        let side = if self.to_move == Side::First { 'b' } else { 'w' };
        let ko = self.ko().map_or("-".to_owned(), |ko| self.point_name(ko));
        let [black, white] = self.prisoners;
        let Go { passes, komi, rules, compensation, .. } = self;
        text + &format!(" {side} {ko} {passes} {black} {white} {komi} {rules} {compensation}")
    }

    /// Everything after the side may be left out, and empty points may also be dots.
    fn read(text: &str) -> Result<Self, TextError> {
        let mut parts = words(text);
        let mut next = || parts.next();
        let size = size_in_text(text)?;
        let mut go = Go::new(size, Rules::default(), None)?;

        let (at, rows) = next().unwrap_or((0, ""));
        read_stones(&mut go.board, at, rows)?;
        go.to_move = match next() {
            Some((_, "b" | "B")) => Side::First,
            Some((_, "w" | "W")) => Side::Second,
            Some((at, other)) => return Err(TextError::at(at, format!("the side is b or w, not {}", refuse(other)))),
            None => return Err(TextError::new("the side to move, b or w, is missing after the board")),
        };
        let ko = next();
        if let Some((at, passes)) = next() {
            go.passes = read_number(at, passes, "passes", 2)? as u8;
        }
        if let Some((at, word)) = ko.filter(|&(_, word)| word != "-") {
            let point = read_point(size, word).map_err(|error| TextError::at(at, error.to_string()))?;
            go.check_ko(point).map_err(|why| TextError::at(at, format!("{} is no ko point: {why}", refuse(word))))?;
            go.ko = point.cell() as u16;
        }
        for side in Side::BOTH {
            if let Some((at, stones)) = next() {
                go.prisoners[side.index()] = read_number(at, stones, "prisoners", MANY)?;
            }
        }
        if let Some((at, komi)) = next() {
            go.komi = komi.parse::<Komi>().map_err(|error| TextError::at(at, error.to_string()))?;
        }
        if let Some((at, rules)) = next() {
            go.rules = rules.parse::<Rules>().map_err(|error| TextError::at(at, error.to_string()))?;
        }
        if let Some((at, points)) = next() {
            go.compensation = read_number(at, points, "points for handicap", (MAX_SIZE * MAX_SIZE) as u32)? as u16;
        }
        match next() {
            Some((at, more)) => Err(TextError::at(at, format!("{} is more than a position has", refuse(more)))),
            None => Ok(go),
        }
    }

    fn write_move(&self, mv: Move) -> String {
        match mv {
            Move::Pass => "pass".to_owned(),
            Move::At(point) => self.point_name(point),
        }
    }

    fn read_move(&self, text: &str) -> Result<Move, TextError> {
        let illegal = |why: Illegal| TextError::because(why.reason(), format!("{}: {why}", refuse(text.trim())));
        if text.trim().eq_ignore_ascii_case("pass") {
            return if self.passes < 2 { Ok(Move::Pass) } else { Err(illegal(Illegal::Over)) };
        }
        let point = read_point(self.size(), text)?;
        self.check(point).map_err(illegal)?;
        Ok(Move::At(point))
    }
}

impl<const CELLS: usize> Go<CELLS> {
    /// Whether the last move can have been the taking of a stone on `point` that may not take back: the point is shut
    /// in by the other side, and a stone there would take exactly one, which stands alone.
    fn check_ko(&self, point: Point) -> Result<(), &'static str> {
        let (cell, other) = (point.cell(), self.to_move.other());
        if !self.board.is_empty(cell) {
            return Err("there is a stone");
        }
        if self.passes > 0 {
            return Err("a pass ends a ko");
        }
        if !self.board.is_walled(self.board.look_around(cell), colour(other)) {
            return Err("it is not shut in by the side that moved last");
        }
        if self.board.captures(point, self.to_move).count() != 1 {
            return Err("a stone there would not take exactly one");
        }
        Ok(())
    }
}

/// The words of a text, each with the number of its first character.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    // Words are parts of the text, so each begins where the text before it ends.
    let mut characters = 0;
    let mut bytes = 0;
    text.split_whitespace().map(move |word| {
        let begin = word.as_ptr() as usize - text.as_ptr() as usize;
        characters += text[bytes..begin].chars().count();
        bytes = begin;
        (characters, word)
    })
}

fn read_number(at: usize, word: &str, what: &str, most: u32) -> Result<u32, TextError> {
    let number = word.parse().ok().filter(|number| *number <= most && word.bytes().all(|byte| byte.is_ascii_digit()));
    number.ok_or_else(|| TextError::at(at, format!("{what} are a number from 0 to {most}, not {}", refuse(word))))
}

/// Puts the stones of `rows`, whose first character is number `at` of the text, on an empty board with as many rows.
fn read_stones<const CELLS: usize>(board: &mut Board<CELLS>, at: usize, rows: &str) -> Result<(), TextError> {
    let size = board.size();
    let (mut row, mut column) = (0, 0);
    // The digits of a number may come one by one: `19` is one run of empty points, so they are gathered first.
    let mut run: Option<usize> = None;
    let width = |at, row, column| {
        TextError::at(at, format!("row {} has {column} points, but there are {size} rows: boards are square", row + 1))
    };
    for (at, letter) in (at..).zip(rows.chars()) {
        if let Some(digit) = letter.to_digit(10) {
            let number = run.unwrap_or(0) * 10 + digit as usize;
            if number == 0 || number > size {
                return Err(TextError::at(at, format!("a run of {number} empty points in a row of {size}")));
            }
            run = Some(number);
            continue;
        }
        column += run.take().unwrap_or(0);
        let stone = match letter {
            '/' if column == size => {
                (row, column) = (row + 1, 0);
                continue;
            }
            '/' => return Err(width(at, row, column)),
            'X' | 'x' => Some(Side::First),
            'O' | 'o' => Some(Side::Second),
            '.' => None,
            _ => {
                let letter = refuse(letter.encode_utf8(&mut [0; 4]));
                return Err(TextError::at(at, format!("{letter} is none of X, O, `.`, a number and `/`")));
            }
        };
        let Some(point) = board.point(column, row) else {
            return Err(width(at, row, column + 1));
        };
        if let Some(side) = stone {
            board.put(point.cell(), side);
        }
        column += 1;
    }
    column += run.unwrap_or(0);
    if column != size {
        return Err(width(at + rows.chars().count(), row, column));
    }
    match board.choked() {
        Some(point) => Err(TextError::at(at, format!("the stone on {} has no liberty", name(size, point)))),
        None => Ok(()),
    }
}
