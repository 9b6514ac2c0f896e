//! From games to text.

use super::remarks;
use crate::chess::{Chessboard, Rules};
use crate::tree::Step;
use crate::{FileError, GameTree};
use std::collections::HashMap;
use std::fmt::Write as _;
use tengen_core::{Outcome, Side, refuse};

/// Letters on a line, as the standard has it for export.
const WIDTH: usize = 79;

/// A game of chess or of a variant as PGN, with a blank line at its end.
pub fn write(game: &GameTree) -> Result<String, FileError> {
    let head = &game.head;
    let rules = Rules::of_game(&head.game)
        .ok_or_else(|| FileError::new(format!("PGN holds chess and its variants, not {}", refuse(&head.game))))?;
    let start = rules.begin(&head.setup)?;
    let result = match head.ending.as_ref().map(|ending| ending.outcome) {
        Some(Outcome::Win(Side::First)) => "1-0",
        Some(Outcome::Win(Side::Second)) => "0-1",
        Some(Outcome::Draw) => "1/2-1/2",
        None => "*",
    };

    // Step 1. The seven tags that every game has, then the others.
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value: String = value.chars().filter(|letter| !letter.is_control()).collect();
        let escaped = value.replace('\\', "\\\\").replace('"', "\\\"");
        // Writing into a string cannot fail.
        let _ = writeln!(text, "[{name} \"{escaped}\"]");
    };
    let or_unknown = |value: &str| if value.is_empty() { "?".to_owned() } else { value.to_owned() };
    let other = |name: &str| or_unknown(head.tags.get(name).map_or("", String::as_str));
    tag("Event", &or_unknown(&head.event));
    tag("Site", &other("Site"));
    tag("Date", &pgn_date(&head.date));
    tag("Round", &other("Round"));
    tag("White", &or_unknown(&head.players[0]));
    tag("Black", &or_unknown(&head.players[1]));
    tag("Result", result);
    if let Some((day, time)) = head.date.split_once('T').filter(|(_, time)| time.len() >= 8 && time.is_char_boundary(8))
    {
        tag("UTCDate", &day.replace('-', "."));
        tag("UTCTime", &time[..8]);
    }
    if rules.game != "chess" {
        tag("Variant", rules.name);
    }
    if head.setup.position.is_some() {
        tag("SetUp", "1");
        tag("FEN", &start.fen());
    }
    if let Some(reason) = head.ending.as_ref().map(|ending| &ending.reason).filter(|reason| !reason.is_empty()) {
        tag("Termination", reason);
    }
    for (name, value) in &head.tags {
        let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let is_written = ["Site", "Round", "Result", "Termination", "Variant", "FEN", "SetUp", "UTCDate", "UTCTime"];
        if is_name && !is_written.contains(&name.as_str()) {
            tag(name, value);
        }
    }
    text.push('\n');

    // Step 2. The moves, each with the board it leads to, since variations come back to earlier ones; kept until the last of them.
    let mut lines = Lines { text, column: 0 };
    let mut boards: HashMap<usize, (Chessboard, usize)> = HashMap::new();
    lines.comment(&remarks::write(game.node(0), !start.is_white()));
    boards.insert(0, (start, game.node(0).children.len()));
    // After a comment or a bracket Black's move needs its number, too.
    let mut needs_number = true;
    for step in game.walk() {
        match step {
            Step::Open => {
                lines.word("(");
                needs_number = true;
            }
            Step::Close => {
                lines.text.push(')');
                lines.column += 1;
                needs_number = true;
            }
            Step::Move(at) => {
                let node = game.node(at);
                // A walk comes to a node after its parent, whose board is there unless its move was refused.
                let parent = node.parent.unwrap_or(0);
                let (mut before, waiting) =
                    boards.remove(&parent).ok_or_else(|| FileError::new("a move follows none"))?;
                if waiting > 1 {
                    boards.insert(parent, (before.clone(), waiting - 1));
                }
                let name = &node.played.text;
                let mv = before.named(name).ok_or_else(|| {
                    FileError::new(format!(
                        "move {}: {} is not legal in {}",
                        before.number(),
                        refuse(name),
                        before.fen()
                    ))
                })?;
                if before.is_white() {
                    lines.word(&format!("{}.", before.number()));
                } else if needs_number {
                    lines.word(&format!("{}...", before.number()));
                }
                let is_white = before.is_white();
                lines.word(&before.write_and_play(mv));
                if !node.children.is_empty() {
                    boards.insert(at, (before, node.children.len()));
                }
                for nag in &node.nags {
                    lines.word(&format!("${nag}"));
                }
                needs_number = lines.comment(&remarks::write(node, is_white));
            }
        }
    }
    lines.word(result);
    lines.text.push_str("\n\n");
    Ok(lines.text)
}

/// `2024-01` as `2024.01.??`.
fn pgn_date(date: &str) -> String {
    let mut parts = date.split('T').next().unwrap_or("").split('-').filter(|part| !part.is_empty());
    let mut part = |unknown: &str| {
        let known = parts.next().filter(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
        known.unwrap_or(unknown).to_owned()
    };
    format!("{}.{}.{}", part("????"), part("??"), part("??"))
}

/// Words put on lines.
struct Lines {
    text: String,
    column: usize,
}

impl Lines {
    fn word(&mut self, word: &str) {
        let length = word.chars().count();
        if self.column > 0 && self.column + 1 + length > WIDTH {
            self.text.push('\n');
            self.column = 0;
        } else if self.column > 0 && !self.text.ends_with('(') {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(word);
        self.column += length;
    }

    /// Writes a comment and says whether there was one.
    fn comment(&mut self, comment: &str) -> bool {
        let words: Vec<&str> = comment.split_whitespace().collect();
        if let Some((last, others)) = words.split_last() {
            let mut brace = "{";
            for word in others {
                self.word(&format!("{brace}{word}"));
                brace = "";
            }
            self.word(&format!("{brace}{last}}}"));
        }
        !words.is_empty()
    }
}
