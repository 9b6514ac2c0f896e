//! Yokai as text: Fairy-Stockfish's form of FEN for positions, and of UCI for moves.
//!
//! `gle/1c1/1C1/ELG[-] w 0 1`: rows from the top, `First` in capitals, promoted pieces with a `+`, the hands in
//! brackets, `w` when `First` is to move, plies since a capture, drop or promotion, number of the move. A captured
//! Koropokkuru is written into the hand of the side that took it.

use super::{KOROPOKKURU, Kind, Move, PROMOTING, Rules, Squares, Yokai, code_of, may_promote};
use tengen_core::{Notation, Picture, Reason, Side, TextError, refuse};

impl<R: Rules> Notation for Yokai<R> {
    fn write(&self) -> String {
        let mut text = String::new();
        for row in (0..R::HEIGHT).rev() {
            let mut empty = 0;
            for column in 0..R::WIDTH {
                match self.at(row * R::WIDTH + column) {
                    None => empty += 1,
                    Some((side, kind)) => {
                        write_empty(&mut text, empty);
                        empty = 0;
                        text.push_str(letters::<R>(side, kind));
                    }
                }
            }
            write_empty(&mut text, empty);
            text.push(if row > 0 { '/' } else { '[' });
        }
        let hands: String = Side::BOTH.map(|side| self.write_hand(side)).concat();
        let hands = if hands.is_empty() { "-" } else { &hands };
        let side = match self.to_move {
            Side::First => 'w',
            Side::Second => 'b',
        };
        format!("{text}{hands}] {side} {} {}", self.quiet, self.number)
    }

    /// Also reads empty or missing brackets, missing counters, and the two dashes (castling, en passant) that
    /// Fairy-Stockfish puts before the counters.
    fn read(text: &str) -> Result<Self, TextError> {
        let mut fields = text.split_whitespace().map(|field| {
            // Where in the text this part of it begins, in characters.
            let bytes = field.as_ptr() as usize - text.as_ptr() as usize;
            (text[..bytes].chars().count(), field)
        });
        let Some((at, board)) = fields.next() else {
            return Err(TextError::new("an empty text is not a position"));
        };
        let mut reader = Reader::<R>::new(Side::First);
        match board.split_once('[') {
            None => reader.board(at, board)?,
            Some((board, hands)) => {
                reader.board(at, board)?;
                // What has been read so far is ASCII, so bytes are characters.
                reader.hands(at + board.len() + 1, hands)?;
            }
        }
        reader.position.to_move = match fields.next() {
            Some((_, "w")) => Side::First,
            Some((_, "b")) => Side::Second,
            Some((at, other)) => {
                return Err(TextError::at(at, format!("the side to move is w or b, not {}", refuse(other))));
            }
            None => return Err(TextError::new("after the board comes the side to move, w or b")),
        };
        let mut next = fields.next();
        for _ in 0..2 {
            if matches!(next, Some((_, "-"))) {
                next = fields.next();
            }
        }
        if let Some(field) = next {
            reader.position.quiet = counter(field)?;
        }
        if let Some(field) = fields.next() {
            // Some programs count from zero.
            reader.position.number = counter(field)?.max(1);
        }
        if let Some((at, rest)) = fields.next() {
            return Err(TextError::at(at, format!("{} is too much", refuse(rest))));
        }
        reader.finish()
    }

    /// `b2b3`, or `C@b2` for a drop. Promotion is written, as `b4b5+`, only where it is a choice.
    fn write_move(&self, mv: Move) -> String {
        let to = square_name::<R>(Self::target(mv));
        match (Self::origin(mv), Self::dropped(mv)) {
            (Some(from), _) => {
                let plus = if R::SHOGI && self.promotes(mv) { "+" } else { "" };
                square_name::<R>(from) + &to + plus
            }
            (None, Some(kind)) => format!("{}@{to}", letters::<R>(Side::First, kind)),
            (None, None) => to,
        }
    }

    /// Also reads a `+` behind a move that promotes.
    fn read_move(&self, text: &str) -> Result<Move, TextError> {
        // The longest move has five characters; a sixth is enough to see that there are too many.
        let mut chars: Vec<char> = text.trim().chars().take(6).collect();
        let plus = chars.pop_if(|last| *last == '+').is_some();
        let wrong = || {
            let like = R::LETTERS[0][1];
            TextError::new(format!("{} is not a move: moves look like b2b3, drops like {like}@b3", refuse(text)))
        };
        let (mv, why_not) = match chars[..] {
            [letter, '@', column, row] => {
                // The letter may be small or a capital, whoever drops.
                let (_, code) = piece::<R>(0, letter).map_err(|_| wrong())?;
                let bit = code.trailing_zeros() as usize;
                let to = square::<R>(column, row)?;
                if code == KOROPOKKURU {
                    return Err(TextError::because(Reason::Illegal, "a Koropokkuru cannot be dropped"));
                }
                (Some(Self::make_move(8 + bit, to)), self.why_no_drop(bit, to))
            }
            [column, row, to_column, to_row] => {
                let (from, to) = (square::<R>(column, row)?, square::<R>(to_column, to_row)?);
                let way = (0..8).find(|&way| Self::step(1 << from, way) == 1 << to);
                let first = if R::SHOGI && plus { PROMOTING } else { 0 };
                (way.map(|way| Self::make_move(first + way, to)), self.why_no_step(from, to, plus))
            }
            _ => return Err(wrong()),
        };
        let words = self.choices().map_err(|_| TextError::over())?;
        let mv =
            mv.filter(|&mv| Self::chosen(&words, mv)).ok_or_else(|| TextError::because(Reason::Illegal, why_not))?;
        if plus && !self.promotes(mv) {
            return Err(TextError::because(Reason::Illegal, format!("{} does not promote", self.write_move(mv))));
        }
        Ok(mv)
    }
}

impl<R: Rules> Yokai<R> {
    /// The pieces in a side's hand, a Koropokkuru among them that ended the game, in Fairy-Stockfish's order.
    pub(super) fn hand_kinds(&self, side: Side) -> impl Iterator<Item = (Kind, u8)> {
        [KOROPOKKURU, 4, 1, 2].into_iter().filter_map(move |code| {
            let kind = R::KINDS[code]?;
            let count = if code == KOROPOKKURU { (self.captor() == Some(side)).into() } else { self.hand(side, kind) };
            (count > 0).then_some((kind, count))
        })
    }

    /// The square of a side's Koropokkuru, as a set.
    fn king(&self, side: Side) -> Squares {
        self.coded(KOROPOKKURU) & self.pieces(side)
    }

    fn write_hand(&self, side: Side) -> String {
        self.hand_kinds(side).map(|(kind, count)| letters::<R>(side, kind).repeat(count.into())).collect()
    }

    /// Why a step that is not legal is not.
    fn why_no_step(&self, from: usize, to: usize, plus: bool) -> String {
        let (from_name, to_name) = (square_name::<R>(from), square_name::<R>(to));
        match (self.at(from), self.at(to)) {
            (None, _) => format!("there is no piece on {from_name}"),
            (Some((side, _)), _) if side != self.to_move => {
                format!("the piece on {from_name} is not {}'s", Self::SIDES[self.to_move.index()])
            }
            (_, Some((side, _))) if side == self.to_move => format!("a piece of one's own stands on {to_name}"),
            (Some((_, kind)), _) => {
                let steps = (0..8).any(|way| {
                    let mover = self.movers(self.to_move, 1 << from, way);
                    Self::step(mover, way) == 1 << to
                });
                match R::SHOGI && steps {
                    true if plus => format!("a {} cannot promote from {from_name} to {to_name}", kind.name()),
                    true if kind == Kind::Kodama && Self::LAST[self.to_move.index()] >> to & 1 == 1 => {
                        format!("a Kodama must promote on {to_name}")
                    }
                    true => "the Koropokkuru could be taken".to_owned(),
                    false => format!("a {} cannot step from {from_name} to {to_name}", kind.name()),
                }
            }
        }
    }

    /// Why a drop that is not legal is not.
    fn why_no_drop(&self, bit: usize, to: usize) -> String {
        let name = square_name::<R>(to);
        let kind = R::KINDS[1 << bit].map_or("", Kind::name);
        if self.in_hand(self.to_move, bit as u32) == 0 {
            format!("{} has no {kind} in hand", Self::SIDES[self.to_move.index()])
        } else if self.at(to).is_some() {
            format!("{name} is taken")
        } else if R::SHOGI && self.attackers(self.to_move.other(), self.king(self.to_move)) != 0 {
            "the Koropokkuru could be taken".to_owned()
        } else if Self::LAST[self.to_move.index()] >> to & 1 == 1 {
            format!("a {kind} could never move from {name}")
        } else if R::SHOGI && self.kodama_squares(self.to_move, self.pieces(self.to_move)) >> to & 1 == 1 {
            format!("a {kind} must not mate from the hand")
        } else {
            format!("there is a {kind} on the column of {name} already")
        }
    }
}

/// Puts a text together to a position.
pub(super) struct Reader<R> {
    position: Yokai<R>,
    /// How many of the codes 1, 2 and 4 have been met.
    pieces: [u8; 3],
    /// Which side has a Koropokkuru in hand.
    captured: [bool; 2],
}

impl<R: Rules> Reader<R> {
    /// An empty board with this side to move.
    pub(super) fn new(to_move: Side) -> Self {
        let position = Yokai { to_move, ..Yokai::empty() };
        Reader { position, pieces: [0; 3], captured: [false; 2] }
    }

    /// The position, if play can go on from it.
    pub(super) fn finish(self) -> Result<Yokai<R>, TextError> {
        self.check()?;
        Ok(self.position)
    }

    /// The rows of the board, which begin at that character of the whole text.
    fn board(&mut self, start: usize, text: &str) -> Result<(), TextError> {
        let (mut row, mut column) = (R::HEIGHT - 1, 0);
        let mut promoted = false;
        for (at, letter) in (start..).zip(text.chars()) {
            if promoted && !letter.is_ascii_alphabetic() {
                return Err(TextError::at(at, "after + comes the letter of a piece"));
            }
            match letter {
                '/' if column < R::WIDTH => {
                    return Err(TextError::at(at, format!("a row has {} squares, this one only {column}", R::WIDTH)));
                }
                '/' if row == 0 => return Err(TextError::at(at, format!("the board has only {} rows", R::HEIGHT))),
                '/' => (row, column) = (row - 1, 0),
                '+' => promoted = true,
                '1'..='9' => column += letter as usize - '0' as usize,
                _ => {
                    let (side, mut code) = piece::<R>(at, letter)?;
                    if promoted {
                        if !may_promote::<R>(code) {
                            return Err(TextError::at(at, format!("{letter} does not promote")));
                        }
                        code |= 4;
                        promoted = false;
                    }
                    if column < R::WIDTH {
                        self.place(Some(at), row * R::WIDTH + column, side, code)?;
                    }
                    column += 1;
                }
            }
            if column > R::WIDTH {
                return Err(TextError::at(at, format!("a row has only {} squares", R::WIDTH)));
            }
        }
        if promoted || row > 0 || column < R::WIDTH {
            let like = Yokai::<R>::new().write();
            return Err(TextError::new(format!(
                "the board ends too soon: it has {} rows of {} squares, like {like}",
                R::HEIGHT,
                R::WIDTH
            )));
        }
        Ok(())
    }

    /// Puts a piece on the board; it stands at this character of the text, if there is one.
    pub(super) fn place(&mut self, at: Option<usize>, square: usize, side: Side, code: usize) -> Result<(), TextError> {
        self.count(at, code)?;
        let same = self.position.coded(code) & self.position.pieces(side);
        if code == KOROPOKKURU && same != 0 {
            return Err(wrong(at, "a side has only one Koropokkuru"));
        }
        if code == 1 && !R::FREE_KODAMA {
            if Yokai::<R>::LAST[side.index()] >> square & 1 == 1 {
                return Err(wrong(at, "a Kodama on the last row would have been promoted"));
            }
            if same & Yokai::<R>::COLUMN << (square % R::WIDTH) != 0 {
                return Err(wrong(at, "a side has only one Kodama on a column"));
            }
        }
        self.position.put(square, side, code);
        Ok(())
    }

    /// What stands behind the opening bracket.
    fn hands(&mut self, start: usize, text: &str) -> Result<(), TextError> {
        let mut open = true;
        for (at, letter) in (start..).zip(text.chars()) {
            match letter {
                _ if !open => return Err(TextError::at(at, "after the hands comes a space")),
                ']' => open = false,
                '-' if text == "-]" => {}
                _ => {
                    let (side, code) = piece::<R>(at, letter)?;
                    self.take(Some(at), side, code)?;
                }
            }
        }
        if open { Err(TextError::at(start - 1, "the bracket of the hands is not closed")) } else { Ok(()) }
    }

    /// Puts a piece into a side's hand.
    pub(super) fn take(&mut self, at: Option<usize>, side: Side, code: usize) -> Result<(), TextError> {
        if code == KOROPOKKURU {
            let twice = std::mem::replace(&mut self.captured[side.index()], true);
            return if twice { Err(wrong(at, "a side can take only one Koropokkuru")) } else { Ok(()) };
        }
        self.count(at, code)?;
        self.position.hands += Yokai::<R>::CAPTURED[code] << (16 * side.index());
        Ok(())
    }

    /// Counts a piece that can be in hand; there are never more of them than at the start.
    fn count(&mut self, at: Option<usize>, code: usize) -> Result<(), TextError> {
        if code == KOROPOKKURU {
            return Ok(());
        }
        let bit = if code == 4 { 2 } else { (code & 3) - 1 };
        self.pieces[bit] += 1;
        if self.pieces[bit] > R::PIECES[bit] {
            let name = R::KINDS[1 << bit].map_or("", Kind::name);
            return Err(wrong(at, format!("there are only {} {name} in the game", R::PIECES[bit])));
        }
        Ok(())
    }

    /// Either both sides have their Koropokkuru, or the side to move has just lost it.
    fn check(&self) -> Result<(), TextError> {
        for side in Side::BOTH {
            let here = self.position.coded(KOROPOKKURU) & self.position.pieces(side) != 0;
            let taken = self.captured[side.other().index()];
            let name = Yokai::<R>::SIDES[side.index()];
            if here && taken {
                return Err(TextError::new(format!("{name}'s Koropokkuru is both on the board and in hand")));
            }
            if !here && !taken {
                return Err(TextError::new(format!("{name} has no Koropokkuru")));
            }
            let waiting = side != self.position.to_move;
            if R::SHOGI && taken {
                return Err(TextError::new("a Koropokkuru is never taken by these rules"));
            }
            if R::SHOGI && waiting && self.position.attackers(side.other(), self.position.king(side)) != 0 {
                return Err(TextError::new(format!("{name}'s Koropokkuru could be taken")));
            }
            if taken && self.position.to_move != side {
                return Err(TextError::new(format!("{name} has lost the Koropokkuru and cannot have moved since")));
            }
        }
        Ok(())
    }
}

/// What is wrong with a piece, at this character if it was read from a text.
fn wrong(at: Option<usize>, what: impl Into<String>) -> TextError {
    match at {
        Some(at) => TextError::at(at, what),
        None => TextError::new(what),
    }
}

fn write_empty(text: &mut String, squares: usize) {
    if squares > 0 {
        text.push_str(&squares.to_string());
    }
}

fn counter((at, field): (usize, &str)) -> Result<u16, TextError> {
    // Rust's numbers may have a sign; these may not.
    let digits = field.bytes().all(|byte| byte.is_ascii_digit());
    let number = if digits { field.parse().ok() } else { None };
    number.ok_or_else(|| TextError::at(at, format!("{} is not a number from 0 to {}", refuse(field), u16::MAX)))
}

/// The side and the code behind a letter without `+`.
fn piece<R: Rules>(at: usize, letter: char) -> Result<(Side, usize), TextError> {
    let mut buffer = [0; 4];
    let letter: &str = letter.encode_utf8(&mut buffer);
    for side in Side::BOTH {
        if let Some(code) = (1..=4).find(|&code| R::LETTERS[side.index()][code] == letter) {
            return Ok((side, code));
        }
    }
    let known = R::LETTERS.map(|letters| letters[1..=4].join(" ")).join(" ");
    Err(TextError::at(at, format!("{} is no piece: they are {known}", refuse(letter))))
}

/// A piece of the board in the text form.
pub(super) fn letters<R: Rules>(side: Side, kind: Kind) -> &'static str {
    code_of::<R>(kind).map_or("", |code| R::LETTERS[side.index()][code])
}

/// `a1` at the bottom left.
pub(super) fn square_name<R: Rules>(square: usize) -> String {
    format!("{}{}", char::from(b'a' + (square % R::WIDTH) as u8), square / R::WIDTH + 1)
}

fn square<R: Rules>(column: char, row: char) -> Result<usize, TextError> {
    let name = || String::from_iter([column, row]);
    (0..Yokai::<R>::SQUARES).find(|&square| square_name::<R>(square).eq_ignore_ascii_case(&name())).ok_or_else(|| {
        let last = square_name::<R>(Yokai::<R>::SQUARES - 1);
        TextError::new(format!("{} is not a square: they are a1 to {last}", refuse(&name())))
    })
}
