//! A drawn position as text for a terminal: every game through one door.

use std::fmt::Write;
use tengen_core::{Board, Cell, Drawn, Piece, Side};
use tengen_table::View;

/// Whether to use colour; without it the board says everything by letters and brackets.
#[derive(Clone, Copy)]
pub struct Paint {
    pub colour: bool,
}

impl Paint {
    /// The text in an ANSI style, where styles are wanted.
    pub fn style(self, code: &str, text: &str) -> String {
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// The whole view: board, hands, dice and facts.
pub fn render(view: &View, paint: Paint) -> String {
    let drawn = &view.drawn;
    let touched: &[String] = view.last.as_ref().map_or(&[], |(_, cells)| cells);
    let mut text = String::new();
    hand(&mut text, view, Side::Second, paint);
    match drawn.board {
        Board::Bare => {}
        Board::Track => track(&mut text, drawn, paint),
        _ => grid(&mut text, drawn, touched, paint),
    }
    hand(&mut text, view, Side::First, paint);
    if !drawn.dice.is_empty() {
        let dice: Vec<String> = drawn.dice.iter().map(u8::to_string).collect();
        let _ = writeln!(text, "  dice {}", paint.style("1", &dice.join(" ")));
    }
    for fact in &drawn.facts {
        let owner = fact.side.map_or(String::new(), |side| format!("{}: ", view.sides[side.index()]));
        let _ = writeln!(text, "  {owner}{} {}", fact.name, fact.value);
    }
    text
}

fn hand(text: &mut String, view: &View, side: Side, paint: Paint) {
    let pieces = &view.drawn.hands[side.index()];
    if pieces.is_empty() {
        return;
    }
    let held: Vec<String> =
        pieces.iter().map(|(piece, count)| format!("{}×{count}", figure(piece, &view.drawn, paint))).collect();
    let _ = writeln!(text, "  {} holds {}", view.sides[side.index()], held.join("  "));
}

/// Rows of cells with their names at the edges.
fn grid(text: &mut String, drawn: &Drawn, touched: &[String], paint: Paint) {
    let Some(width) = Some(drawn.width).filter(|&width| width > 0) else { return };
    for (row, cells) in drawn.cells.chunks(width).enumerate() {
        let label = cells.first().map_or("", |cell| cell.name.trim_start_matches(|c: char| c.is_ascii_alphabetic()));
        let label = if drawn.board == Board::Columns { "" } else { label };
        let _ = write!(text, "{}", paint.style("2", &format!("{label:>3} ")));
        for (column, cell) in cells.iter().enumerate() {
            text.push_str(&square(drawn, cell, row, column, touched.contains(&cell.name), paint));
        }
        text.push('\n');
    }
    text.push_str("    ");
    for (column, cell) in drawn.cells.iter().take(width).enumerate() {
        let letters = match drawn.board {
            Board::Columns => (column + 1).to_string(),
            _ => cell.name.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned(),
        };
        let cell = if drawn.board == Board::Points { format!("{letters:^2}") } else { format!("{letters:>3} ") };
        text.push_str(&paint.style("2", &cell));
    }
    text.push('\n');
}

/// One cell: four characters on squares, two on crossings.
fn square(drawn: &Drawn, cell: &Cell, row: usize, column: usize, last: bool, paint: Paint) -> String {
    if drawn.board == Board::Points {
        let here = match &cell.piece {
            Some(piece) => figure(piece, drawn, paint),
            None => paint.style("33", "·"),
        };
        // The last move is marked by a bracket, not by colour.
        return format!("{here}{}", if last { paint.style("1", "<") } else { " ".to_owned() });
    }
    let here = cell.piece.as_ref().map_or_else(|| "·".to_owned(), |piece| figure(piece, drawn, paint));
    let wide = cell.piece.as_ref().is_some_and(|piece| piece.letters.len() > 1 && !has_glyph(piece, paint));
    let (left, right) = if last { ("[", "]") } else { (" ", " ") };
    let body = format!("{left}{}{here}{right}", if wide { "" } else { " " });
    if drawn.board == Board::Chequered && paint.colour {
        // Light and dark squares; the piece's own style ends with a reset, so the ground is set again behind it.
        let ground = if (row + column).is_multiple_of(2) { "48;5;180" } else { "48;5;137" };
        let here = match &cell.piece {
            Some(piece) => glyph(piece).to_owned(),
            None => " ".to_owned(),
        };
        let ink = match &cell.piece {
            Some(Piece { side: Side::First, .. }) => "38;5;231;1",
            _ => "38;5;16",
        };
        return format!("\x1b[{ground};{ink}m{left} {here}{right}\x1b[0m");
    }
    body
}

fn has_glyph(piece: &Piece, paint: Paint) -> bool {
    paint.colour && glyph(piece) != piece.letters
}

/// How a piece looks: a drawing where the terminal has colours, letters (small for the second side) where not.
fn figure(piece: &Piece, drawn: &Drawn, paint: Paint) -> String {
    if !paint.colour {
        let small = piece.side == Side::Second && !matches!(piece.shape, "stone" | "disc" | "ring" | "cross");
        return if small { piece.letters.to_lowercase() } else { piece.letters.to_owned() };
    }
    let style = match (drawn.board, piece.side) {
        (Board::Columns, Side::First) => "93",
        (Board::Columns, Side::Second) => "91",
        (Board::Points, Side::First) => "38;5;240",
        (Board::Points, Side::Second) => "97",
        (_, Side::First) => "1;96",
        (_, Side::Second) => "1;95",
    };
    let shown = glyph(piece);
    if shown == piece.letters && piece.side == Side::Second && shown.chars().any(char::is_alphabetic) && shown != "O" {
        return paint.style(style, &shown.to_lowercase());
    }
    paint.style(style, shown)
}

fn glyph(piece: &Piece) -> &'static str {
    match (piece.shape, piece.side) {
        ("stone" | "disc", Side::First) => "●",
        ("stone" | "disc", Side::Second) => "○",
        ("king", _) => "♚",
        ("queen", _) => "♛",
        ("rook", _) => "♜",
        ("bishop", _) => "♝",
        ("knight", _) => "♞",
        ("pawn", _) => "♟",
        ("cross", _) => "╳",
        ("ring", _) => "◯",
        _ => piece.letters,
    }
}

/// Backgammon: points 13 to 24 above, 12 to 1 below, checkers piled towards the middle.
fn track(text: &mut String, drawn: &Drawn, paint: Paint) {
    let find = |name: &str| drawn.cells.iter().find(|cell| cell.name == name);
    let point = |number: usize| find(&number.to_string());
    let half = |numbers: [usize; 12], top: bool, text: &mut String| {
        let labels = |text: &mut String| {
            for (index, number) in numbers.iter().enumerate() {
                let gap = if index == 6 { "   " } else { "" };
                let _ = write!(text, "{gap}{}", paint.style("2", &format!("{number:>3} ")));
            }
            text.push('\n');
        };
        if top {
            labels(text);
        }
        for level in 0..5 {
            let level: u8 = if top { level } else { 4 - level };
            for (index, &number) in numbers.iter().enumerate() {
                text.push_str(if index == 6 { "│  " } else { "" });
                let shown = match point(number) {
                    Some(Cell { piece: Some(piece), count, .. }) if *count > level => {
                        // A pile higher than five shows its number on the fifth checker.
                        if level == 4 && *count > 5 { count.to_string() } else { figure(piece, drawn, paint) }
                    }
                    _ => paint.style("2", "·"),
                };
                let pad = if shown.len() == 2 && shown.chars().all(|c| c.is_ascii_digit()) { " " } else { "  " };
                let _ = write!(text, "{pad}{shown} ");
            }
            text.push('\n');
        }
        if !top {
            labels(text);
        }
    };
    half([13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24], true, text);
    text.push('\n');
    half([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1], false, text);
    let count = |name: &str| find(name).map_or(0, |cell| cell.count);
    for (side, name) in [("first", "X"), ("second", "O")] {
        let _ = writeln!(
            text,
            "  {name} ({side}): {} on the bar, {} off",
            count(&format!("bar-{side}")),
            count(&format!("off-{side}"))
        );
    }
}
