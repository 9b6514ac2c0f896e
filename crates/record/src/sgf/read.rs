//! From bytes to trees.
//!
//! First the whole file becomes text, then the text is walked once from left to right with a stack of open brackets. What does not belong
//! is skipped, what is missing at the end is supplied: a file that ends in the middle of a game is a game up to there.

use super::{Node, Property, Tree, Value};
use crate::FileError;
use crate::limits::{DEEPEST, MOST_NODES, too_many};
use encoding_rs::{Encoding, GB18030, UTF_8, WINDOWS_1252};
use std::borrow::Cow;

/// All games of a file.
pub fn read(bytes: &[u8]) -> Result<Vec<Tree>, FileError> {
    parse(&decode(bytes))
}

/// The file as text. The encoding is what a byte order mark says, else what the property `CA` says, else UTF-8 if it can be that, else a
/// guess between Chinese and Western European.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(&bytes[mark..]).0;
    }
    let named = charset(bytes).and_then(Encoding::for_label);
    let unicode = std::str::from_utf8(bytes);
    // Programs that convert files forget to change what `CA` says, and no other encoding looks like UTF-8 for long.
    let is_surely = |text: &str| text.chars().filter(|letter| !letter.is_ascii()).take(4).count() == 4;
    match (unicode, named) {
        (Ok(text), Some(encoding)) if encoding != UTF_8 && !is_surely(text) => {
            encoding.decode_without_bom_handling(bytes).0
        }
        (Ok(text), _) => Cow::Borrowed(text),
        (Err(_), Some(encoding)) => encoding.decode_without_bom_handling(bytes).0,
        (Err(_), None) => {
            // In Chinese files the bytes of a character are both beyond ASCII, in European ones a letter with an accent mostly stands alone.
            let runs = bytes.split(u8::is_ascii).map(<[u8]>::len).filter(|&run| run > 0);
            let (even, all) =
                runs.fold((0, 0), |(even, all), run| (even + usize::from(run.is_multiple_of(2)), all + 1));
            let guess = if even * 10 > all * 9 { GB18030 } else { WINDOWS_1252 };
            guess.decode_without_bom_handling(bytes).0
        }
    }
}

/// The value of the first property `CA`.
fn charset(bytes: &[u8]) -> Option<&[u8]> {
    let start = bytes.windows(3).take(4096).position(|window| window == b"CA[")? + 3;
    let label = &bytes[start..bytes.len().min(start + 40)];
    label.split(|&byte| byte == b']').next()
}

/// Among so many properties of a node one of the same name is looked for: real nodes have a dozen.
const MERGED: usize = 100;

/// All games of a text.
pub(super) fn parse(text: &str) -> Result<Vec<Tree>, FileError> {
    let begin = start(text).ok_or_else(|| FileError::new("this is no SGF: a game begins with `(;`"))?;
    let bytes = text.as_bytes();
    let mut games: Vec<Tree> = Vec::new();
    // The node that the next one follows, and those to go back to at closing brackets.
    let mut current: Option<usize> = None;
    let mut open: Vec<Option<usize>> = Vec::new();
    let (mut at, mut nodes) = (begin, 0);
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'(' if open.len() >= DEEPEST => {
                return Err(FileError::new(too_many("variations within variations", DEEPEST)));
            }
            b'(' => open.push(current),
            b')' => current = open.pop().flatten(),
            b';' => {
                nodes += 1;
                if nodes > MOST_NODES {
                    return Err(FileError::new(too_many("moves", MOST_NODES)));
                }
                // Without a node before it this is the first of a new game.
                let node = Node { parent: current, ..Node::default() };
                match (current, games.last_mut()) {
                    (Some(parent), Some(game)) => {
                        let number = game.nodes.len();
                        append(&mut game.nodes[parent].children, number);
                        game.nodes.push(node);
                        current = Some(number);
                    }
                    _ => {
                        games.push(Tree { nodes: vec![node] });
                        current = Some(0);
                    }
                }
            }
            b'A'..=b'Z' | b'a'..=b'z' => {
                let name_begin = at - 1;
                at += bytes[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
                let name = name(&text[name_begin..at]);
                let mut values = Vec::new();
                while let Some(value_begin) = bracket(bytes, at) {
                    let (end, is_closed) = value_end(bytes, value_begin);
                    let raw = &text[value_begin..end];
                    // Nobody can tell any more whether closing brackets at the end of the file are text: hardly ever.
                    let raw = if is_closed { raw } else { raw.trim_end_matches([')', '\n', '\r', ' ', '\\']) };
                    append(&mut values, Value::from_file(raw.to_owned()));
                    at = bytes.len().min(end + 1);
                }
                if let (Some(node), Some(game), false) = (current, games.last_mut(), values.is_empty()) {
                    let known = &mut game.nodes[node].properties;
                    // Some programs write a property for each stone.
                    match known.iter_mut().take(MERGED).find(|property| property.name == name) {
                        Some(property) => property.values.append(&mut values),
                        None => append(known, Property { name, values }),
                    }
                }
            }
            // A value without a name: nothing to keep it under.
            b'[' => at = bytes.len().min(value_end(bytes, at).0 + 1),
            _ => {}
        }
    }
    if games.is_empty() { Err(FileError::new("this is no SGF: there is no game in it")) } else { Ok(games) }
}

/// Adds to a list that mostly stays at one: a file of ten megabytes has a million of them.
fn append<T>(list: &mut Vec<T>, item: T) {
    if list.is_empty() {
        list.reserve_exact(1);
    }
    list.push(item);
}

/// Where the first game begins: at a bracket with a semicolon behind it, after whatever a mail program put before it.
fn start(text: &str) -> Option<usize> {
    let opens = |&(at, _): &(usize, &str)| text[at + 1..].trim_start().starts_with([';', '(']);
    let bracket = text.match_indices('(').find(opens).map(|(at, _)| at);
    bracket.or_else(|| text.trim_start().starts_with(';').then_some(0))
}

/// The name of a property: small letters do not count, as in `AddBlack`, unless there are no others.
fn name(word: &str) -> Cow<'static, str> {
    match word {
        "B" => return Cow::Borrowed("B"),
        "W" => return Cow::Borrowed("W"),
        "C" => return Cow::Borrowed("C"),
        _ => {}
    }
    let capitals: String = word.chars().filter(char::is_ascii_uppercase).collect();
    Cow::Owned(if capitals.is_empty() {
        word.chars().filter(char::is_ascii_alphabetic).map(|letter| letter.to_ascii_uppercase()).collect()
    } else {
        capitals
    })
}

/// The byte behind the next opening bracket, if nothing but white space comes before it.
fn bracket(bytes: &[u8], at: usize) -> Option<usize> {
    let space = bytes[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    (bytes.get(at + space) == Some(&b'[')).then_some(at + space + 1)
}

/// The closing bracket of a value, or the end of the file and `false`.
fn value_end(bytes: &[u8], begin: usize) -> (usize, bool) {
    let mut at = begin;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b']' => return (at, true),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    (bytes.len(), false)
}

#[cfg(test)]
mod tests {
    use super::super::write;
    use super::*;

    fn check(file: &str, written: &str) {
        let games = parse(file).unwrap_or_else(|error| panic!("{file}: {error}"));
        let shown: String = write(&games).split_inclusive('\n').map(str::trim_end).collect();
        assert_eq!(shown, written, "{file}");
        assert_eq!(parse(&write(&games)).expect("our own text"), games);
    }

    #[test]
    fn what_programs_write() {
        check("(;GM[1]SZ[9];B[dd];W[ff])", "(;GM[1]SZ[9];B[dd];W[ff])");
        check("(;B[aa](;W[bb])(;W[cc];B[dd]))", "(;B[aa](;W[bb])(;W[cc];B[dd]))");
        check("(;B[aa](;W[bb]))", "(;B[aa];W[bb])");
        check("From: me\n(see below)\n\n( ; GaMe[1]\nSiZe [19] ;Black[dd])", "(;GM[1]SZ[19];B[dd])");
        check("(;b[dd];w[ff]", "(;B[dd];W[ff])");
        check("(;B[dd];W[ff", "(;B[dd];W[ff])");
        check("(;C[an end)\n", "(;C[an end])");
        check("(;AB[aa]AB[bb]AW[cc]  [dd])", "(;AB[aa][bb]AW[cc][dd])");
        check("(;C[a \\] b];B[])", "(;C[a \\] b];B[])");
        check("(;B[aa])\n(;B[bb]))) (;B[cc])", "(;B[aa])(;B[bb])(;B[cc])");
        check("((;B[aa];W[bb]))", "(;B[aa];W[bb])");
        check(";B[aa];W[bb]", "(;B[aa];W[bb])");
        check("(;B[aa] 1 ? [junk] X ;W[bb])", "(;B[aa];W[bb])");
        check("(;)", "(;)");
        check("(;KK[1]FOO[a][b]XX[ñ])", "(;KK[1]FOO[a][b]XX[ñ])");
    }

    #[test]
    fn what_is_no_game() {
        for text in ["", "hello", "()", "(", "1. e4 (1. d4) e5", "(())"] {
            let error = parse(text).expect_err(text).to_string();
            assert!(error.contains("no SGF"), "{text}: {error}");
        }
    }

    #[test]
    fn encodings() {
        let player = |bytes: &[u8]| {
            let games = read(bytes).expect("a game");
            games[0].root().value("PB").map(|name| name.text().into_owned()).unwrap_or_default()
        };
        assert_eq!(player("(;PB[Łukasz 一])".as_bytes()), "Łukasz 一");
        assert_eq!(player("\u{feff}(;CA[GB2312]PB[一])".as_bytes()), "一");
        assert_eq!(player(b"(;CA[iso-8859-1]PB[Ren\xe9])"), "René");
        assert_eq!(player(b"(;PB[Ren\xe9 d'Herv\xe9lin])"), "René d'Hervélin");
        assert_eq!(player(b"(;CA[Shift_JIS]PB[\x83\x5c\x83\x5d])"), "ソゾ", "second bytes that look like \\ and ]");
        assert_eq!(player(b"(;CA[gb2312]PB[\xb9\xc5\xc1\xa6])"), "古力");
        assert_eq!(player(b"(;PB[\xb9\xc5\xc1\xa6]PW[\xc0\xee])"), "古力", "no CA: bytes in pairs");
        assert_eq!(player("(;CA[gb2312]PB[éèêë])".as_bytes()), "éèêë", "CA that nobody updated");
        assert_eq!(player(b"(;CA[no such thing]PB[x])"), "x");
        let wide: Vec<u8> =
            [0xff, 0xfe].into_iter().chain("(;PB[é])".encode_utf16().flat_map(u16::to_le_bytes)).collect();
        assert_eq!(player(&wide), "é");
    }
}
