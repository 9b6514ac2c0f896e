//! Cuts a file into games, and each game into its tags, its comments, and a text of moves for the reader of moves.
//!
//! Files are not as tidy as the standard: comments after a semicolon, blank lines within the moves, games without tags, comments that
//! never end. All that is put right here line by line, so that line `n` of a piece is line `n` of the file's game. Comments stand aside, with
//! their numbers in their places: the reader has room for short ones only, or takes the longer the more room it has.

use crate::limits::MOST_BYTES;
use shakmaty::san::SanPlus;
use std::fmt::Write as _;
use std::io::{BufRead, Read as _};
use tengen_core::refuse;

/// One game of a file.
pub(super) struct Piece {
    /// The line of the file it begins in, counted from one.
    pub line: usize,
    /// Names and values, in the order of the file.
    pub tags: Vec<(String, String)>,
    /// The moves, with `{n}` in the place of comment `n`.
    pub text: String,
    pub comments: Vec<String>,
    /// What cannot be read, and in which line of the file.
    pub trouble: Option<(usize, String)>,
}

/// A file being cut.
pub(super) struct Cutter<R> {
    file: R,
    /// Lines read so far.
    line: usize,
    /// Bytes that the current game may still have.
    left: u64,
    /// The first line of the next game, which told that this one was over.
    next: Option<Vec<u8>>,
}

impl<R: BufRead> Cutter<R> {
    pub fn new(file: R) -> Self {
        Cutter { file, line: 0, left: MOST_BYTES, next: None }
    }

    fn read_line(&mut self) -> std::io::Result<Option<Vec<u8>>> {
        if let Some(line) = self.next.take() {
            return Ok(Some(line));
        }
        let mut line = Vec::new();
        if self.file.by_ref().take(self.left).read_until(b'\n', &mut line)? == 0 {
            let is_over = self.left > 0;
            return if is_over {
                Ok(None)
            } else {
                Err(std::io::Error::other(format!("a game of more than {MOST_BYTES} bytes")))
            };
        }
        self.left -= line.len() as u64;
        if self.line == 0 && line.starts_with(b"\xef\xbb\xbf") {
            line.drain(..3);
        }
        self.line += 1;
        Ok(Some(line))
    }

    /// The next game; `None` at the end of the file.
    pub fn cut(&mut self) -> std::io::Result<Option<Piece>> {
        let mut piece = Piece { line: 0, tags: Vec::new(), text: String::new(), comments: Vec::new(), trouble: None };
        let mut scan = Scan::default();
        self.left = MOST_BYTES;
        let mut has_moves = false;
        let mut after_blank = false;
        while let Some(bytes) = self.read_line()? {
            let line = text(&bytes);
            let bare = line.trim();
            // Step 1. Whether the line belongs to this game.
            let tag = tag(bare);
            let begins_moves = bare
                .strip_prefix('1')
                .is_some_and(|rest| rest.starts_with(' ') || rest.starts_with('.') && !rest.starts_with(".."));
            let is_next = if scan.in_comment {
                // A comment that runs into the next game's tags was never closed.
                bare.starts_with("[Event \"")
            } else {
                has_moves && (tag.is_some() || begins_moves && (after_blank || scan.has_result))
            };
            if is_next {
                self.next = Some(bytes);
                break;
            }
            if piece.line == 0 {
                if bare.is_empty() {
                    continue;
                }
                piece.line = self.line;
            }
            // Step 2. Blank lines end a game that has its result; within the moves they mean nothing.
            if bare.is_empty() {
                if has_moves && scan.has_result && !scan.in_comment {
                    break;
                }
                after_blank = true;
                piece.text.push_str(" \n");
                scan.end_line(&mut piece);
                continue;
            }
            after_blank = false;
            // Step 3. The line itself.
            match tag.filter(|_| !scan.in_comment) {
                Some(tag) => piece.tags.push(tag),
                // What another program keeps in the file for itself.
                None if !scan.in_comment && line.starts_with('%') => {}
                None => {
                    has_moves = true;
                    if !scan.in_comment && bare.starts_with('[') {
                        piece.text.push(' ');
                    }
                    if let Err(what) = scan.line(bare, &mut piece) {
                        piece.trouble.get_or_insert((self.line, what));
                    }
                }
            }
            // A line with nothing on it would end the game.
            piece.text.push_str(" \n");
            scan.end_line(&mut piece);
        }
        Ok((piece.line > 0).then_some(piece))
    }
}

/// Files are UTF-8, or Latin-1 as the standard wanted it.
fn text(line: &[u8]) -> std::borrow::Cow<'_, str> {
    match std::str::from_utf8(line) {
        Ok(text) => text.into(),
        Err(_) => encoding_rs::WINDOWS_1252.decode_without_bom_handling(line).0,
    }
}

/// The name and the value of a line like `[White "Deep Blue"]`.
fn tag(line: &str) -> Option<(String, String)> {
    let (name, rest) = line.strip_prefix('[')?.split_once('"')?;
    let name = name.trim();
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if !is_name || !rest.contains(['"', ']']) {
        return None;
    }
    // Up to the next quotation mark that is not escaped, or to the bracket of whoever forgot it.
    let mut value = String::new();
    let mut letters = rest.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => return Some((name.to_owned(), value)),
            '\\' => value.extend(letters.next()),
            _ => value.push(letter),
        }
    }
    let end = value.rfind(']').unwrap_or(value.len());
    value.truncate(end);
    Some((name.to_owned(), value))
}

/// Walks over the moves.
#[derive(Default)]
struct Scan {
    in_comment: bool,
    /// Whether the last word was a result.
    has_result: bool,
}

impl Scan {
    /// The end of a line within a comment is a space of it.
    fn end_line(&self, piece: &mut Piece) {
        if self.in_comment
            && let Some(comment) = piece.comments.last_mut()
        {
            comment.push('\n');
        }
    }

    /// Takes a line of moves and comments apart. Words that are meant as moves but are none are an error; other words that do not
    /// belong are left to the reader, who skips them.
    fn line(&mut self, line: &str, piece: &mut Piece) -> Result<(), String> {
        let Piece { text: to, comments, .. } = piece;
        let mut result = Ok(());
        let mut rest = line;
        while !rest.is_empty() {
            if self.in_comment {
                let end = rest.find('}');
                let (text, behind) = rest.split_at(end.unwrap_or(rest.len()));
                comments.last_mut().into_iter().for_each(|comment| comment.push_str(text));
                self.in_comment = end.is_none();
                rest = behind.strip_prefix('}').unwrap_or(behind);
                continue;
            }
            let opens = rest.starts_with(['{', ';']);
            if opens {
                // Writing into a string cannot fail.
                let _ = write!(to, "{{{}}}", comments.len());
                comments.push(String::new());
            }
            if let Some(comment) = rest.strip_prefix(';') {
                comments.last_mut().into_iter().for_each(|to| to.push_str(comment));
                return result;
            }
            if opens {
                self.in_comment = true;
                rest = &rest[1..];
                continue;
            }
            let end = rest.find(|c: char| c.is_whitespace() || "{};()!?$".contains(c)).unwrap_or(rest.len());
            if end == 0 {
                let letter = rest.chars().next().map_or(1, char::len_utf8);
                to.push_str(&rest[..letter]);
                rest = &rest[letter..];
                continue;
            }
            let word = &rest[..end];
            self.has_result = matches!(word, "1-0" | "0-1" | "1/2-1/2" | "½-½" | "*");
            // A move may follow its number without a space.
            let digits = word.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(word.len());
            let (number, mv) = if word[..digits].contains('.') { word.split_at(digits) } else { ("", word) };
            match check(mv) {
                Ok(None) => to.push_str(word),
                Ok(Some(better)) => {
                    to.push_str(number);
                    to.push_str(&better);
                }
                Err(what) => {
                    result = result.and(Err(what));
                    to.push_str(word);
                }
            }
            rest = &rest[end..];
        }
        result
    }
}

/// A word that names squares is meant as a move: `Ok` as it is, or as it should be written.
fn check(word: &str) -> Result<Option<String>, String> {
    let is_square = |pair: &[u8]| matches!(pair, [b'a'..=b'h', b'1'..=b'8']);
    if !word.as_bytes().windows(2).any(is_square) || SanPlus::from_ascii(word.as_bytes()).is_ok() {
        return Ok(None);
    }
    // What other programs write: `e7e8q`, `e8Q`, `exd6e.p.`, `Nf3ch`, `e2-e4`, `P-e4`.
    let bare = word.trim_end_matches(['+', '#', '.', ',']);
    let bare = ["e.p", "ep", "ch", "mate", "++"].iter().fold(bare, |bare, end| bare.strip_suffix(end).unwrap_or(bare));
    let plain: String = bare.chars().filter(|&letter| letter != '-' && letter != ':').collect();
    let promoted = plain.chars().next_back().filter(|last| "qrbnkQRBNK".contains(*last)).map(|last| {
        let pawn = plain[..plain.len() - 1].trim_end_matches(['=', '/']);
        format!("{pawn}={}", last.to_ascii_uppercase())
    });
    for candidate in [Some(plain), promoted].into_iter().flatten() {
        if SanPlus::from_ascii(candidate.as_bytes()).is_ok() {
            return Ok(Some(candidate));
        }
    }
    Err(format!("{} is not a move in English SAN", refuse(word)))
}
