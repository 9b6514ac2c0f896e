//! What programs write into comments: clocks, evaluations, arrows; and how we write it.

use crate::tree::Node;
use crate::{Mark, Shape};

/// Colours by their letters.
const COLOURS: &[(char, &str)] = &[('R', "red"), ('G', "green"), ('B', "blue"), ('Y', "yellow")];

/// Reads a comment into a node; what is left of it becomes the node's comment. `is_white` says who made the move.
pub(super) fn read(comment: &str, is_white: bool, node: &mut Node) {
    let mut rest = comment;
    let mut left = String::new();
    while let Some(begin) = rest.find("[%") {
        let Some(length) = rest[begin..].find(']') else { break };
        let command = &rest[begin + 2..begin + length];
        let (name, value) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
        left.push_str(&rest[..begin]);
        if !obey(name, value.trim(), is_white, node) {
            left.push_str(&rest[begin..=begin + length]);
        }
        rest = &rest[begin + length + 1..];
    }
    left.push_str(rest);
    // Line breaks are where some program's lines were full.
    let left = left.split_whitespace().collect::<Vec<_>>().join(" ");
    let left = match_runner(&left, node);
    if !left.is_empty() {
        let comment = &mut node.played.comment;
        if !comment.is_empty() {
            comment.push(' ');
        }
        comment.push_str(left);
    }
}

/// Takes one command in; `false` if it stays in the text.
fn obey(name: &str, value: &str, is_white: bool, node: &mut Node) -> bool {
    match name {
        "clk" => match seconds(value) {
            Some(time) => node.clock = Some(time),
            None => return false,
        },
        "emt" => match seconds(value) {
            Some(time) => node.played.seconds = Some(time),
            None => return false,
        },
        "eval" => {
            let (pawns, depth) = value.split_once(',').unwrap_or((value, ""));
            let for_mover = |value: f32| if is_white { value } else { -value };
            // A mate in so many moves has no field of its own, so the text stays.
            if let Some(mate) = pawns.strip_prefix('#') {
                node.played.value = Some(for_mover(if mate.starts_with('-') { -1.0 } else { 1.0 }));
                return false;
            }
            match pawns.parse::<f32>().ok().filter(|pawns| pawns.is_finite()) {
                Some(pawns) => node.played.lead = Some(for_mover(pawns)),
                None => return false,
            }
            node.played.depth = depth.trim().parse().ok().or(node.played.depth);
        }
        "csl" | "cal" => {
            for word in value.split(',').map(str::trim) {
                let mut letters = word.chars();
                let colour = letters.next().and_then(|first| COLOURS.iter().find(|(letter, _)| *letter == first));
                let squares = letters.as_str();
                let (Some((_, colour)), true) = (colour, squares.is_ascii()) else { continue };
                let mark = |shape, at: &str, to: &str| Mark {
                    shape,
                    at: at.to_owned(),
                    to: to.to_owned(),
                    colour: (*colour).to_owned(),
                    ..Mark::default()
                };
                match squares.len() {
                    2 => node.marks.push(mark(Shape::Circle, squares, "")),
                    4 => node.marks.push(mark(Shape::Arrow, &squares[..2], &squares[2..])),
                    _ => {}
                }
            }
        }
        _ => return false,
    }
    true
}

/// What match runners write, for the side that moved: `+0.35/12 0.53s`, `-M4/20 1.2s, White mates`. Returns what is left.
fn match_runner<'a>(comment: &'a str, node: &mut Node) -> &'a str {
    let (head, tail) = comment.split_once(',').unwrap_or((comment, ""));
    let mut words = head.split(' ');
    let (Some(score), Some(time)) = (words.next(), words.next()) else { return comment };
    let Some((score, depth)) = score.split_once('/') else { return comment };
    let (Ok(depth), Some(Ok(seconds))) = (depth.parse::<u32>(), time.strip_suffix('s').map(str::parse::<f32>)) else {
        return comment;
    };
    let sign = if score.starts_with('-') { -1.0 } else { 1.0 };
    match score.trim_start_matches(['+', '-']) {
        mate if mate.starts_with('M') => node.played.value = Some(sign),
        pawns => match pawns.parse::<f32>().ok().filter(|pawns| pawns.is_finite()) {
            Some(pawns) => node.played.lead = Some(sign * pawns),
            None => return comment,
        },
    }
    node.played.depth = Some(depth);
    node.played.seconds = seconds.is_finite().then_some(seconds);
    tail.trim()
}

/// `1:05:30.5`, `5:30`, `30`.
fn seconds(text: &str) -> Option<f32> {
    let mut sum = 0.0;
    for part in text.split(':') {
        sum = sum * 60.0 + part.parse::<f32>().ok().filter(|part| part.is_finite() && *part >= 0.0)?;
    }
    Some(sum)
}

/// Everything a node says, as one comment.
pub(super) fn write(node: &Node, is_white: bool) -> String {
    let mut words = Vec::new();
    if let Some(pawns) = node.played.lead {
        let pawns = if is_white { pawns } else { -pawns };
        let depth = node.played.depth.map_or(String::new(), |depth| format!(",{depth}"));
        words.push(format!("[%eval {}{depth}]", tidy(pawns)));
    }
    if let Some(clock) = node.clock {
        words.push(format!("[%clk {}]", clock_text(clock)));
    } else if let Some(taken) = node.played.seconds {
        words.push(format!("[%emt {}]", clock_text(taken)));
    }
    for (name, shape) in [("csl", Shape::Circle), ("cal", Shape::Arrow)] {
        let marks = node.marks.iter().filter(|mark| mark.shape == shape).map(|mark| {
            let colour = COLOURS.iter().find(|(_, name)| *name == mark.colour).map_or('G', |(letter, _)| *letter);
            format!("{colour}{}{}", mark.at, mark.to)
        });
        let marks: Vec<String> = marks.collect();
        if !marks.is_empty() {
            words.push(format!("[%{name} {}]", marks.join(",")));
        }
    }
    // A brace would end the comment, and there is no way to write it.
    let text = node.played.comment.replace('}', ")");
    words.extend(text.split_whitespace().map(str::to_owned));
    words.join(" ")
}

/// A number without a minus before nothing.
fn tidy(number: f32) -> f32 {
    if number == 0.0 { 0.0 } else { number }
}

fn clock_text(seconds: f32) -> String {
    let hundredths = (f64::from(seconds.max(0.0)) * 100.0).round() as u64;
    let (whole, part) = (hundredths / 100, hundredths % 100);
    let text = format!("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
    match part {
        0 => text,
        _ => format!("{text}.{part:02}").trim_end_matches('0').to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_become_fields_and_come_back() {
        for (comment, is_white, left, written) in [
            ("[%clk 1:05:30]", true, "", "[%clk 1:05:30]"),
            (
                "good [%eval -0.35,12] move\n[%emt 0:00:01.5]",
                true,
                "good move",
                "[%eval -0.35,12] [%emt 0:00:01.5] good move",
            ),
            ("[%eval 0.35]", false, "", "[%eval 0.35]"),
            ("[%csl Ra1,Gb2][%cal Ye2e4]", true, "", "[%csl Ra1,Gb2] [%cal Ye2e4]"),
            ("[%eval #-3] lost", true, "[%eval #-3] lost", "[%eval #-3] lost"),
            ("[%unknown x] stays", true, "[%unknown x] stays", "[%unknown x] stays"),
            ("[%clk never] stays", true, "[%clk never] stays", "[%clk never] stays"),
            ("+0.35/12 0.53s", false, "", "[%eval -0.35,12] [%emt 0:00:00.53]"),
            ("-M4/20 1.2s, White mates", false, "White mates", "[%emt 0:00:01.2] White mates"),
            ("a } brace", true, "a } brace", "a ) brace"),
            ("[% [%clk", true, "[% [%clk", "[% [%clk"),
        ] {
            let mut node = Node::default();
            read(comment, is_white, &mut node);
            assert_eq!(node.played.comment, left, "{comment}");
            assert_eq!(write(&node, is_white), written, "{comment}");
        }
    }
}
