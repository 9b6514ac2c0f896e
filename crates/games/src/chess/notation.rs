//! Positions as FEN, moves as UCI and as SAN in English and French.
//!
//! Reading is generous where nothing is lost: fields after the board may be missing, and castling rights or an en
//! passant square that the board does not bear out are dropped. It accepts positions no game leads to, such as ten
//! queens or three checks at once, as long as play from them is safe, and refuses the rest, saying what and where.

use super::{Board, Variant};
use shakmaty::fen::Fen;
use shakmaty::san::San;
use shakmaty::uci::UciMove;
use shakmaty::{
    ByColor, CastlingMode, Color, EnPassantMode, File, FromSetup, Move, Piece, Position as _, PositionError,
    PositionErrorKinds, Rank, RemainingChecks, Role, Setup, Square,
};
use std::num::NonZeroU32;
use tengen_core::{Notation, Outcome, Position, Reason, TextError, Turn, refuse};

impl<V: Variant> Notation for Board<V> {
    /// FEN. Castling as X-FEN has it (`KQkq`, or the rook's file where the letter would be ambiguous), en passant
    /// only where it can be played, hands in brackets after the board, checks left before the counters.
    fn write(&self) -> String {
        Fen::from_position(&self.rules, EnPassantMode::Legal).to_string()
    }

    fn read(text: &str) -> Result<Self, TextError> {
        Self::set_up(read_setup::<V>(text)?)
    }

    /// UCI: `e2e4`, `e7e8q`, `P@e4`; castling is `e1g1`, in Chess960 the king taking his rook, `e1h1`.
    fn write_move(&self, mv: Move) -> String {
        UciMove::from_move(mv, V::CASTLING).to_string()
    }

    /// UCI with castling written either way, or SAN with English letters.
    fn read_move(&self, text: &str) -> Result<Move, TextError> {
        let text = text.trim();
        match UciMove::from_ascii(text.as_bytes()) {
            Ok(uci) => self.find_uci(uci, text),
            Err(_) => self.find_san(read_san(text), text, ENGLISH),
        }
    }
}

impl<V: Variant> Board<V> {
    /// The position of a set-up, if play from it is safe.
    pub(super) fn set_up(setup: Setup) -> Result<Self, TextError> {
        let board = setup.board.clone();
        let turn = setup.turn;
        V::Rules::from_setup(setup, V::CASTLING)
            .or_else(PositionError::ignore_invalid_castling_rights)
            .or_else(PositionError::ignore_invalid_ep_square)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(|error| if V::CHECKS { error.ignore_impossible_check() } else { Err(error) })
            .map(|rules| Board { rules })
            .map_err(|error| TextError::new(complaint::<V>(error.kinds(), &board, turn)))
    }
}

/// Moves as chess players write them.
impl<V: Variant> Board<V> {
    /// A legal move in SAN: `Nf3`, `exd6`, `e8=Q+`, `O-O`. A move that wins is marked `#`, whichever way it wins.
    pub fn san(&self, mv: Move) -> String {
        let mut text = San::from_move(&self.rules, mv).to_string();
        let mut next = self.clone();
        next.play(mv);
        match next.turn(&mut Vec::new()) {
            Turn::Over(Outcome::Win(_)) => text.push('#'),
            _ if next.rules.is_check() => text.push('+'),
            _ => {}
        }
        text
    }

    /// A legal move in SAN with the French letters: R king, D queen, T rook, F bishop, C knight.
    pub fn san_french(&self, mv: Move) -> String {
        translated(&self.san(mv), ENGLISH, FRENCH)
    }

    /// The legal move that a text in SAN with French letters names.
    pub fn read_san_french(&self, text: &str) -> Result<Move, TextError> {
        let text = text.trim();
        // An English letter that French does not have names no piece.
        let foreign = text.chars().any(|c| ENGLISH.contains(&c) && !FRENCH.contains(&c));
        let san = if foreign { None } else { read_san(&translated(text, FRENCH, ENGLISH)) };
        self.find_san(san, text, FRENCH)
    }

    fn find_uci(&self, uci: UciMove, text: &str) -> Result<Move, TextError> {
        let moves = self.moves()?;
        let written = |mode| moves.iter().copied().find(|&mv| UciMove::from_move(mv, mode) == uci);
        // In Chess960 the king's new square may also be the target of a king's move, which then comes first.
        written(V::CASTLING)
            .or_else(|| written(CastlingMode::Standard))
            .or_else(|| written(CastlingMode::Chess960))
            .ok_or_else(|| {
                TextError::because(
                    Reason::Illegal,
                    format!("{} is not legal: {}", refuse(text), self.why_not(uci, &moves)),
                )
            })
    }

    fn find_san(&self, san: Option<San>, text: &str, letters: [char; 5]) -> Result<Move, TextError> {
        let Some(san) = san else {
            let knight = letters[4];
            return Err(TextError::new(format!(
                "{} is not a move: they look like e2e4, e7e8q, {knight}f3, exd5 or O-O",
                refuse(text)
            )));
        };
        let moves = self.moves()?;
        let mut found = moves.iter().copied().filter(|&mv| san.matches(mv));
        match (found.next(), found.next()) {
            (Some(mv), None) => Ok(mv),
            (None, _) => Err(TextError::because(Reason::Illegal, format!("{} is not legal here", refuse(text)))),
            (Some(one), Some(other)) => Err(TextError::new(format!(
                "{} may be {} or {}",
                refuse(text),
                translated(&self.san(one), ENGLISH, letters),
                translated(&self.san(other), ENGLISH, letters)
            ))),
        }
    }

    fn moves(&self) -> Result<Vec<Move>, TextError> {
        let mut moves = Vec::new();
        match self.turn(&mut moves) {
            Turn::Over(_) => Err(TextError::over()),
            _ => Ok(moves),
        }
    }

    /// The most helpful thing to say about a well-formed move that is not legal.
    fn why_not(&self, uci: UciMove, moves: &[Move]) -> String {
        let us = self.rules.turn();
        match uci {
            UciMove::Null => "passing is not allowed".to_owned(),
            UciMove::Put { .. } if !V::HANDS => format!("there are no drops in {}", V::NAME),
            UciMove::Put { role, to } => match self.rules.pockets().map_or(0, |pockets| pockets[us][role]) {
                0 => format!("{} has no such piece in hand", name(us)),
                _ => format!("it cannot be dropped on {to}"),
            },
            UciMove::Normal { from, to, promotion } => match self.rules.board().piece_at(from) {
                None => format!("there is nothing on {from}"),
                Some(piece) if piece.color != us => format!("it is {}'s turn", name(us)),
                Some(_) => {
                    let same = |mv: &&Move| mv.from() == Some(from) && mv.to() == to;
                    match moves.iter().find(same) {
                        Some(Move::Normal { promotion: Some(_), .. }) if promotion.is_none() => {
                            format!("the pawn promotes, as in {from}{to}q")
                        }
                        Some(_) => "there is no such promotion".to_owned(),
                        None => format!("the piece on {from} cannot go to {to}"),
                    }
                }
            },
        }
    }
}

/// King, queen, rook, bishop, knight.
const ENGLISH: [char; 5] = ['K', 'Q', 'R', 'B', 'N'];
const FRENCH: [char; 5] = ['R', 'D', 'T', 'F', 'C'];

/// The text with piece letters of another language; SAN has no other capitals but these, `O` and `P`.
fn translated(text: &str, from: [char; 5], to: [char; 5]) -> String {
    let letter = |c| from.iter().position(|&known| known == c).map_or(c, |piece| to[piece]);
    text.chars().map(letter).collect()
}

/// SAN with what people add to it or leave out: check and quality marks, `e.p.`, `0-0`, `e8Q`.
fn read_san(text: &str) -> Option<San> {
    let bare = text.trim_end_matches(['+', '#', '!', '?']);
    let bare = bare.strip_suffix("e.p.").unwrap_or(bare).trim_end();
    let castles = match bare {
        "0-0" => "O-O",
        "0-0-0" => "O-O-O",
        _ => bare,
    };
    San::from_ascii(castles.as_bytes()).ok().or_else(|| {
        let piece = bare.chars().next_back().filter(char::is_ascii_uppercase)?;
        let pawn = &bare[..bare.len() - 1];
        San::from_ascii(format!("{pawn}={piece}").as_bytes()).ok()
    })
}

/// The fields of a FEN in their order, before anybody asks whether such a position can be.
fn read_setup<V: Variant>(text: &str) -> Result<Setup, TextError> {
    let mut start = 0;
    let mut fields = text.split(char::is_whitespace).filter_map(move |field| {
        let at = start;
        start += field.chars().count() + 1;
        (!field.is_empty()).then_some((at, field))
    });
    let mut setup = Setup::empty();
    let Some((at, field)) = fields.next() else {
        return Err(TextError::new("a position begins with its board, like 4k3/8/8/8/8/8/8/4K2R"));
    };
    read_board::<V>(at, field, &mut setup)?;
    if let Some((at, field)) = fields.next() {
        setup.turn = match field {
            "w" | "W" => Color::White,
            "b" | "B" => Color::Black,
            _ => return Err(TextError::at(at, format!("the side to move is w or b, not {}", refuse(field)))),
        };
    }
    if let Some((at, field)) = fields.next() {
        read_castling(at, field, &mut setup)?;
    }
    if let Some((at, field)) = fields.next() {
        setup.ep_square = match field {
            "-" => None,
            _ => Some(Square::from_ascii(field.as_bytes()).map_err(|_| {
                TextError::at(at, format!("the en passant square is one like e3, or -, not {}", refuse(field)))
            })?),
        };
    }
    let mut counters = 0;
    for (at, field) in fields {
        if V::COUNTS_CHECKS && field.contains('+') && setup.remaining_checks.is_none() {
            setup.remaining_checks = Some(read_checks(at, field)?);
            continue;
        }
        counters += 1;
        let number = |name: &str| {
            let digits = !field.is_empty() && field.bytes().all(|byte| byte.is_ascii_digit());
            let wrong = if digits { "is too large" } else { "is not a number" };
            field
                .parse::<u32>()
                .ok()
                .filter(|_| digits)
                .ok_or_else(|| TextError::at(at, format!("the {name} {} {wrong}", refuse(field))))
        };
        match counters {
            1 => setup.halfmoves = number("counter of half moves")?,
            // Some programs begin with move 0.
            2 => setup.fullmoves = NonZeroU32::new(number("move number")?).unwrap_or(NonZeroU32::MIN),
            _ => return Err(TextError::at(at, format!("nothing comes after the move number: {}", refuse(field)))),
        }
    }
    Ok(setup)
}

/// Eight ranks from the top; in crazyhouse then the hands, `[QRp]` or as a ninth rank, and `~` behind what was a
/// pawn once. Whatever is not ASCII is refused where it stands, so bytes and characters count alike up to there.
fn read_board<V: Variant>(start: usize, text: &str, setup: &mut Setup) -> Result<(), TextError> {
    let mut rank = Rank::Eighth;
    let mut files = File::ALL.into_iter();
    let mut last = None;
    for (at, letter) in text.char_indices() {
        let wrong = |what: String| TextError::at(start + at, format!("board: {what}"));
        let full = || wrong(format!("rank {} has more than eight squares", rank.char()));
        match letter {
            '1'..='8' => {
                for _ in '1'..=letter {
                    files.next().ok_or_else(full)?;
                }
                last = None;
            }
            '/' | '[' if files.len() > 0 => {
                return Err(wrong(format!("rank {} has only {} squares", rank.char(), 8 - files.len())));
            }
            '[' if rank == Rank::First => {
                let Some(hands) = text[at + 1..].strip_suffix(']') else {
                    return Err(wrong("the bracket of the hands is not closed at the end".to_owned()));
                };
                return read_hands::<V>(start + at + 1, hands, setup);
            }
            '[' => return Err(wrong("the hands come after rank 1".to_owned())),
            '/' if rank == Rank::First && V::HANDS => {
                return read_hands::<V>(start + at + 1, &text[at + 1..], setup);
            }
            '/' => {
                rank = rank.offset(-1).ok_or_else(|| wrong("there are more than eight ranks".to_owned()))?;
                files = File::ALL.into_iter();
                last = None;
            }
            '~' if !V::HANDS => return Err(wrong("`~` marks promoted pieces in crazyhouse only".to_owned())),
            '~' => {
                let square =
                    last.take().ok_or_else(|| wrong("`~` follows a piece that can be promoted to".to_owned()))?;
                setup.promoted.add(square);
            }
            _ => {
                let name = || refuse(letter.encode_utf8(&mut [0; 4]));
                let piece = Piece::from_char(letter).ok_or_else(|| wrong(format!("{} is no piece", name())))?;
                let square = Square::from_coords(files.next().ok_or_else(full)?, rank);
                setup.board.set_piece_at(square, piece);
                last = (!matches!(piece.role, Role::Pawn | Role::King)).then_some(square);
            }
        }
    }
    if rank != Rank::First || files.len() > 0 {
        let end = start + text.chars().count();
        let what = format!("board: it ends on rank {} with {} squares", rank.char(), 8 - files.len());
        return Err(TextError::at(end, what));
    }
    Ok(())
}

fn read_hands<V: Variant>(start: usize, text: &str, setup: &mut Setup) -> Result<(), TextError> {
    let hands = setup.pockets.get_or_insert_default();
    if text == "-" {
        return Ok(());
    }
    for (at, letter) in text.char_indices() {
        let wrong = |what: String| Err(TextError::at(start + at, format!("hands: {what}")));
        let Some(Piece { color, role }) = Piece::from_char(letter) else {
            return wrong(format!("{} is no piece", refuse(letter.encode_utf8(&mut [0; 4]))));
        };
        if !V::HANDS {
            return wrong(format!("there are no pieces in hand in {}", V::NAME));
        }
        if role == Role::King {
            return wrong("a king cannot be in hand".to_owned());
        }
        if at >= 64 {
            return wrong("there are more than 64 pieces".to_owned());
        }
        hands[color][role] += 1;
    }
    Ok(())
}

/// X-FEN and Shredder-FEN: `KQkq` are the outermost rooks, other letters the files of the rooks.
fn read_castling(start: usize, text: &str, setup: &mut Setup) -> Result<(), TextError> {
    if text == "-" {
        return Ok(());
    }
    for (at, letter) in text.char_indices() {
        let color = Color::from_white(letter.is_ascii_uppercase());
        let home = setup.board.by_color(color) & color.backrank();
        let king = (home & setup.board.kings()).first();
        let rooks = home & setup.board.rooks();
        let rook = match letter.to_ascii_lowercase() {
            'k' => rooks.last().filter(|&rook| king.is_some_and(|king| rook > king)),
            'q' => rooks.first().filter(|&rook| king.is_some_and(|king| rook < king)),
            file @ 'a'..='h' => File::from_char(file).map(|file| Square::from_coords(file, color.backrank())),
            _ => {
                let what = refuse(letter.encode_utf8(&mut [0; 4]));
                return Err(TextError::at(start + at, format!("castling rights are some of KQkq, or -, not {what}")));
            }
        };
        setup.castling_rights.extend(rook);
    }
    Ok(())
}

/// `3+2`, the checks White and Black still have to give, or `+0+1`, those they have given.
fn read_checks(at: usize, text: &str) -> Result<ByColor<RemainingChecks>, TextError> {
    let count = |text: &str| text.parse::<u32>().ok().filter(|&count| count <= 3 && text.len() == 1);
    let (given, pair) = text.strip_prefix('+').map_or((false, text), |pair| (true, pair));
    pair.split_once('+')
        .and_then(|(white, black)| Some(ByColor { white: count(white)?, black: count(black)? }))
        .map(|checks| checks.map(|count| RemainingChecks::new(if given { 3 - count } else { count })))
        .ok_or_else(|| {
            TextError::at(at, format!("checks left are written like 3+2, or given like +0+1, not {}", refuse(text)))
        })
}

/// What shakmaty found wrong, in plain words.
fn complaint<V: Variant>(kinds: PositionErrorKinds, board: &shakmaty::Board, turn: Color) -> String {
    let [white, black] = Color::ALL.map(|color| board.by_piece(color.king()).count());
    let known = [
        (PositionErrorKinds::EMPTY_BOARD, "the board is empty".to_owned()),
        (PositionErrorKinds::MISSING_KING, format!("a king is missing, White has {white} and Black {black}")),
        (PositionErrorKinds::TOO_MANY_KINGS, format!("there are too many kings, White has {white} and Black {black}")),
        (PositionErrorKinds::PAWNS_ON_BACKRANK, "a pawn stands on the first or the last rank".to_owned()),
        (PositionErrorKinds::OPPOSITE_CHECK, format!("{} is in check, but {} moves", name(!turn), name(turn))),
        (PositionErrorKinds::IMPOSSIBLE_CHECK, format!("in {} no king may stand in check", V::NAME)),
        (PositionErrorKinds::VARIANT, V::FORBIDDEN.to_owned()),
    ];
    let found: Vec<String> =
        known.into_iter().filter(|&(kind, _)| kinds.contains(kind)).map(|(_, what)| what).collect();
    format!("no such position can be: {}", found.join(", "))
}

fn name(color: Color) -> &'static str {
    color.fold_wb("White", "Black")
}
