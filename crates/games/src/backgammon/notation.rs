//! Backgammon as text and as a picture.
//!
//! A position is written as `First` sees the board, a move as the side that makes it counts the points.

use super::{BAR, Backgammon, CHECKERS, Checkers, Move, OFF, POINTS, Spellings, mirrored};
use tengen_core::{
    Board, Cell, Drawn, Fact, Notation, Picture, Piece, Position, Reason, Side, TextError, Turn, refuse,
};

const LETTERS: [char; 2] = ['X', 'O'];

impl Notation for Backgammon {
    /// The start is `X2....O5/.O3...X5/O5...X3./X5....O2 bar 0 0 off 0 0 first -`: the four quarters of the board
    /// from point 24 to point 1 of `First`, whose checkers are X; a point is a letter with the number of checkers, or
    /// a dot. Then how many are on the bar and borne off for the first and the second side, the side to move, and
    /// its dice, `-` before the roll.
    fn write(&self) -> String {
        let mut text = String::new();
        for point in (1..=24).rev() {
            match self.on_point(point) {
                Some((side, count)) => text.push_str(&format!("{}{count}", LETTERS[side.index()])),
                None => text.push('.'),
            }
            if point % 6 == 1 && point > 1 {
                text.push('/');
            }
        }
        let [bar, off] = [BAR, OFF].map(|place| Side::BOTH.map(|side| self.checkers(side, place)));
        let dice = self.dice().map_or("-".to_owned(), |[high, low]| format!("{high}{low}"));
        format!("{text} bar {} {} off {} {} {} {dice}", bar[0], bar[1], off[0], off[1], self.to_move.name())
    }

    fn read(text: &str) -> Result<Self, TextError> {
        // One word more than there can be, so that a long text is not split to its end.
        let words: Vec<&str> = text.split_whitespace().take(10).collect();
        let &[board, bar, bar_first, bar_second, off, off_first, off_second, side, dice] = &words[..] else {
            return Err(TextError::new(
                "a position is nine words: the board, `bar` and two numbers, `off` and two numbers, the side to move \
                 (first or second), and its dice or -",
            ));
        };
        let mut counts = read_board(board, text.chars().take_while(|c| c.is_whitespace()).count())?;
        for (word, expected) in [(bar, "bar"), (off, "off")] {
            if !word.eq_ignore_ascii_case(expected) {
                return Err(TextError::new(format!("{} stands where `{expected}` should", refuse(word))));
            }
        }
        for (word, side, place) in [
            (bar_first, Side::First, BAR),
            (bar_second, Side::Second, BAR),
            (off_first, Side::First, OFF),
            (off_second, Side::Second, OFF),
        ] {
            counts[side.index()][usize::from(place)] = number(word).filter(|&n| n <= CHECKERS).ok_or_else(|| {
                let place = if place == BAR { "on the bar" } else { "off" };
                TextError::new(format!("{} is not a number of checkers {place}: they are 0 to 15", refuse(word)))
            })?;
        }
        let to_move = Side::BOTH
            .into_iter()
            .find(|of| side.eq_ignore_ascii_case(of.name()))
            .ok_or_else(|| TextError::new(format!("the side to move is first or second, not {}", refuse(side))))?;
        let dice = if dice == "-" { [0, 0] } else { read_dice(dice)? };
        for (counts, letter) in counts.iter().zip(LETTERS) {
            let sum: u16 = counts.iter().map(|&count| u16::from(count)).sum();
            if sum != u16::from(CHECKERS) {
                return Err(TextError::new(format!("{letter} has {sum} checkers instead of 15, those off included")));
            }
        }
        let position = Backgammon { checkers: [Checkers::from(&counts[0]), Checkers::from(&counts[1])], to_move, dice };
        position.check()?;
        Ok(position)
    }

    /// `8/5 6/5`, `bar/20`, `6/off`: one step a die, from high to low as the side to move counts; a roll is `31`.
    fn write_move(&self, mv: Move) -> String {
        match mv {
            Move::Roll { high, low } => format!("{high}{low}"),
            Move::Pass => "pass".to_owned(),
            _ => {
                let steps = self.steps(mv).map(|(from, to)| format!("{}/{}", place_name(from), place_name(to)));
                steps.collect::<Vec<_>>().join(" ")
            }
        }
    }

    /// Also understands capitals, `*` for hits, the steps in any order, `8/5(2)` for a step made twice, `8/5/4` for
    /// a checker that goes on, and `8/4` for the same without the point between. Where `8/4` can go two ways it goes
    /// the way that hits fewer checkers; if both ways hit as many, it is refused.
    fn read_move(&self, text: &str) -> Result<Move, TextError> {
        let mut moves = Vec::new();
        match self.turn(&mut moves) {
            Turn::Over(_) => return Err(TextError::over()),
            Turn::Chance => return read_dice(text.trim()).map(|[high, low]| Move::Roll { high, low }),
            Turn::Decision(_) => {}
        }
        let must_pass = moves == [Move::Pass];
        match (text.trim().eq_ignore_ascii_case("pass"), must_pass) {
            (true, true) => return Ok(Move::Pass),
            (false, true) => {
                return Err(TextError::because(Reason::Illegal, "no checker can move: all there is to do is `pass`"));
            }
            (true, false) => {
                return Err(TextError::because(Reason::Illegal, "one cannot pass while a checker can move"));
            }
            (false, false) => {}
        }
        let legs = read_legs(text)?;
        let mut spelled = Vec::new();
        self.mover().list(&mut spelled, Spellings::All);
        spelled.retain(|&mv| {
            let steps: Vec<Leg> = self.steps(mv).collect();
            spells(&legs, &steps)
        });
        let after = |mv: Move| {
            let mut next = *self;
            next.play(mv);
            next
        };
        let hits = |mv: Move| after(mv).bar(self.to_move.other());
        let [high, low] = self.dice;
        let Some(&best) = spelled.iter().min_by_key(|&&mv| hits(mv)) else {
            return Err(TextError::because(
                Reason::Illegal,
                format!("{} is not a legal move with {high}{low}", refuse(text)),
            ));
        };
        if spelled.iter().any(|&mv| hits(mv) == hits(best) && after(mv) != after(best)) {
            return Err(TextError::new(format!("{} can be played in two ways: write every step", refuse(text))));
        }
        // Every spelling comes to the same as a listed move.
        moves
            .into_iter()
            .find(|&mv| after(mv) == after(best))
            .ok_or_else(|| TextError::because(Reason::Illegal, format!("{} is not a legal move", refuse(text))))
    }
}

/// From a point to a lower one, [`BAR`] and [`OFF`] included.
type Leg = (u8, u8);

impl Backgammon {
    /// What stands on a point as `First` counts.
    fn on_point(&self, point: u8) -> Option<(Side, u8)> {
        let counts = [self.checkers(Side::First, point), self.checkers(Side::Second, BAR - point)];
        Side::BOTH.into_iter().map(|side| (side, counts[side.index()])).find(|&(_, count)| count > 0)
    }

    /// What the rules could never have brought about, beyond wrong numbers of checkers.
    fn check(&self) -> Result<(), TextError> {
        if self.checkers[self.to_move.index()].on_board() == 0 {
            return Err(TextError::new("the side to move has borne off everything: it would have won before"));
        }
        if self.outcome().is_some() && self.dice().is_some() {
            return Err(TextError::new("nobody rolls after the other side has borne off everything"));
        }
        let shut_out = |side: Side| {
            let home = mirrored(self.made(side.other())) & POINTS;
            self.bar(side) > 0 && (19..=24).all(|point| home >> point & 1 == 1)
        };
        if shut_out(Side::First) && shut_out(Side::Second) {
            return Err(TextError::new("both sides are on the bar before closed home boards: nobody could ever move"));
        }
        Ok(())
    }

    /// The single steps of a move that is no roll.
    fn steps(&self, mv: Move) -> impl Iterator<Item = Leg> {
        let [high, low] = self.dice;
        let steps = match mv {
            Move::Mixed { froms: [a, b], low_first: false } => [(a, high), (b, low), (OFF, 0), (OFF, 0)],
            Move::Mixed { froms: [a, b], low_first: true } => [(a, low), (b, high), (OFF, 0), (OFF, 0)],
            Move::Double { froms } => froms.map(|from| (from, high)),
            Move::Roll { .. } | Move::Pass => [(OFF, 0); 4],
        };
        steps.into_iter().filter(|&(from, _)| from != OFF).map(|(from, die)| (from, from.saturating_sub(die)))
    }
}

/// The number of checkers on every point, in the count of either side. The board begins at character `start`.
fn read_board(board: &str, start: usize) -> Result<[[u8; 26]; 2], TextError> {
    let mut counts = [[0; 26]; 2];
    let mut letters = board.chars().enumerate().map(|(at, letter)| (start + at, letter)).peekable();
    for point in (1..=24_u8).rev() {
        let Some((at, letter)) = letters.next() else {
            return Err(TextError::new(format!("the board ends before point {point}")));
        };
        let side = match letter {
            'X' | 'x' => Some(Side::First),
            'O' | 'o' => Some(Side::Second),
            '.' => None,
            _ => {
                let letter = refuse(letter.encode_utf8(&mut [0; 4]));
                return Err(TextError::at(at, format!("{letter} is none of X, O and . for point {point}")));
            }
        };
        if let Some(side) = side {
            let mut digits = String::new();
            while let Some((_, digit)) = letters.next_if(|(_, c)| c.is_ascii_digit() && digits.len() < 3) {
                digits.push(digit);
            }
            let count = number(&digits).filter(|count| (1..=CHECKERS).contains(count)).ok_or_else(|| {
                TextError::at(at, format!("point {point} needs a number of checkers from 1 to 15, like {letter}2"))
            })?;
            let own = if side == Side::First { point } else { BAR - point };
            counts[side.index()][usize::from(own)] = count;
        }
        if point % 6 == 1 {
            match letters.next() {
                Some((_, '/')) if point > 1 => {}
                None if point == 1 => {}
                Some((at, _)) if point == 1 => return Err(TextError::at(at, "the board has only 24 points")),
                Some((at, _)) => return Err(TextError::at(at, "after six points there is a `/`")),
                None => return Err(TextError::new(format!("the board ends before point {}", point - 1))),
            }
        }
    }
    Ok(counts)
}

/// The higher die first.
fn read_dice(word: &str) -> Result<[u8; 2], TextError> {
    match word.as_bytes() {
        &[one @ b'1'..=b'6', two @ b'1'..=b'6'] => Ok([one.max(two) - b'0', one.min(two) - b'0']),
        _ => Err(TextError::new(format!("{} is not a roll: that is two digits from 1 to 6, like 31", refuse(word)))),
    }
}

/// A small number, digits only.
fn number(word: &str) -> Option<u8> {
    word.bytes().all(|byte| byte.is_ascii_digit()).then(|| word.parse().ok())?
}

/// The legs of a written move, at most four.
fn read_legs(text: &str) -> Result<Vec<Leg>, TextError> {
    let mut legs = Vec::new();
    for word in text.split_whitespace() {
        let wrong = |what: &str| TextError::new(format!("in {}: {what}", refuse(word)));
        let (path, times) = match word.strip_suffix(')').and_then(|word| word.split_once('(')) {
            Some((path, times)) => (path, number(times).unwrap_or(0)),
            None => (word, 1),
        };
        if !(1..=4).contains(&times) {
            return Err(wrong("a step is repeated 1 to 4 times"));
        }
        let mut places = path.split('/').map(|place| {
            let name = place.trim_end_matches('*').to_ascii_lowercase();
            read_place(&name).ok_or_else(|| wrong(&format!("{} is not a point, `bar` or `off`", refuse(place))))
        });
        // Splitting yields at least one piece.
        let mut from = places.next().ok_or_else(|| wrong("nothing"))??;
        let known = legs.len();
        for to in places {
            let to = to?;
            if to >= from {
                return Err(wrong("checkers move from high points to low ones"));
            }
            legs.extend(std::iter::repeat_n((from, to), usize::from(times)));
            if legs.len() > 4 {
                return Err(wrong("no more than four steps make a move"));
            }
            from = to;
        }
        if legs.len() == known {
            return Err(wrong("a step is written like 8/5"));
        }
    }
    if legs.is_empty() {
        return Err(TextError::new("a move is written like 8/5 6/5"));
    }
    Ok(legs)
}

fn read_place(name: &str) -> Option<u8> {
    match name {
        "bar" => Some(BAR),
        "off" => Some(OFF),
        _ => number(name).filter(|point| (1..=24).contains(point)),
    }
}

fn place_name(place: u8) -> String {
    match place {
        BAR => "bar".to_owned(),
        OFF => "off".to_owned(),
        _ => place.to_string(),
    }
}

/// Whether these legs are made of exactly these steps, each leg of one or of several that follow one another.
fn spells(legs: &[Leg], steps: &[Leg]) -> bool {
    let Some((&(from, to), others)) = legs.split_first() else {
        return steps.is_empty();
    };
    (0..steps.len()).any(|at| {
        let (step_from, step_to) = steps[at];
        let left = [&steps[..at], &steps[at + 1..]].concat();
        match step_to == to {
            _ if step_from != from || step_to < to => false,
            true => spells(others, &left),
            false => spells(&[&[(step_to, to)], others].concat(), &left),
        }
    })
}

impl Picture for Backgammon {
    const SIDES: [&'static str; 2] = ["White", "Black"];

    /// Twelve points a row, 13 to 24 over 12 to 1 as `First` counts; then `bar-first`, `bar-second`, `off-first` and
    /// `off-second`.
    fn draw(&self) -> Drawn {
        let piece = |side: Side| Piece { side, shape: "checker", letters: ["X", "O"][side.index()] };
        let cell = |name: String, stack: Option<(Side, u8)>| Cell {
            name,
            piece: stack.map(|(side, _)| piece(side)),
            count: stack.map_or(0, |(_, count)| count),
        };
        let points = (13..=24).chain((1..=12).rev()).map(|point| cell(point.to_string(), self.on_point(point)));
        let beside = [BAR, OFF].into_iter().flat_map(|place| {
            Side::BOTH.map(|side| {
                let count = self.checkers(side, place);
                cell(cell_name(side, place), (count > 0).then_some((side, count)))
            })
        });
        let mut drawn = Drawn::new(Board::Track, 12, 2, points.chain(beside).collect());
        drawn.dice.extend(self.dice().into_iter().flatten());
        let pips = |side| Fact { side: Some(side), name: "pips", value: self.pips(side).to_string() };
        drawn.facts.extend(Side::BOTH.map(pips));
        drawn
    }

    fn touched(&self, mv: Move) -> Vec<String> {
        self.steps(mv).flat_map(|(from, to)| [from, to].map(|place| cell_name(self.to_move, place))).collect()
    }
}

/// The cell of a place that a side counts so.
fn cell_name(side: Side, place: u8) -> String {
    match (place, side) {
        (BAR | OFF, _) => format!("{}-{}", place_name(place), side.name()),
        (_, Side::First) => place.to_string(),
        (_, Side::Second) => (BAR - place).to_string(),
    }
}
