//! Between SGF and the neutral game tree: Go of any size, and Othello.
//!
//! An SGF move has a colour and may come at any time; a move here belongs to the side whose turn it is. So a colour that plays twice makes the
//! other pass in between, except that several black moves at the very beginning are handicap stones. Set-up stones before the first move
//! make the start position; where they come later, that line ends.

use super::{Node, Property, Tree, Value};
use crate::go::{self, Point, Stones};
use crate::limits::{MOST_MARKS, MOST_NODES, too_many};
use crate::{Ending, FileError, GameTree, Handicap, Mark, Played, Record, Setup, Shape};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use tengen_core::{Outcome, Pov, Side, refuse};

/// What the tree says about a game that is in no list of properties.
const KNOWN: &[&str] = &[
    "GM", "FF", "CA", "AP", "ST", "SZ", "PB", "PW", "RE", "EV", "DT", "KM", "HA", "RU", "AB", "AW", "AE", "PL", "C",
    "B", "W", "BL", "WL", "TE", "BM", "DO", "IT", "GB", "GW", "DM", "UC", "HO", "V", "SBKV", "TR", "SQ", "CR", "MA",
    "SL", "LB", "AR", "LN", "MN", "KO", "VW", "DD", "FG", "N", "OB", "OW",
];

/// The colours' letters, for `First` and `Second`.
const COLOURS: [&str; 2] = ["B", "W"];

/// The marks on single points.
const MARKS: &[(&str, Shape)] = &[
    ("TR", Shape::Triangle),
    ("SQ", Shape::Square),
    ("CR", Shape::Circle),
    ("MA", Shape::Cross),
    ("SL", Shape::Selected),
];

/// The board of a file: which game it is and how its points are named.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Board {
    Go(usize),
    Othello(usize),
}

impl Board {
    fn of_file(root: &Node) -> Result<Board, FileError> {
        let number = root.value("GM").map_or(1, |value| value.simple_text().parse().unwrap_or(0));
        let usual = if number == 2 { 8 } else { 19 };
        let size = match root.value("SZ").map(|value| value.simple_text().into_owned()) {
            None => usual,
            Some(text) => match text.split_once(':') {
                Some((width, height)) if width.trim() != height.trim() => {
                    return Err(FileError::new(format!(
                        "a board of {} points: only square ones are played",
                        refuse(&text)
                    )));
                }
                Some((width, _)) => width.trim().parse().unwrap_or(0),
                None => text.parse().unwrap_or(0),
            },
        };
        match (number, size) {
            (1, 2..=25) => Ok(Board::Go(size)),
            (2, 6 | 8) => Ok(Board::Othello(size)),
            (1 | 2, _) => {
                let text = root.value("SZ").map_or(String::new(), |value| value.simple_text().into_owned());
                Err(FileError::new(format!("a board of size {} is not played here", refuse(&text))))
            }
            _ => {
                let text = root.value("GM").map_or(String::new(), |value| value.simple_text().into_owned());
                Err(FileError::new(format!("game number {} is none of Go (1) and Othello (2)", refuse(&text))))
            }
        }
    }

    fn of_game(game: &str) -> Option<Board> {
        match game {
            "othello" => Some(Board::Othello(8)),
            "othello6" => Some(Board::Othello(6)),
            _ => go::size_of(game).map(Board::Go),
        }
    }

    fn game(self) -> String {
        match self {
            Board::Go(size) => format!("go{size}"),
            Board::Othello(8) => "othello".to_owned(),
            Board::Othello(size) => format!("othello{size}"),
        }
    }

    fn size(self) -> usize {
        let (Board::Go(size) | Board::Othello(size)) = self;
        size
    }

    /// The name of a point: `D4`, or in Othello `d3`, counted from the top.
    fn name(self, point: Point) -> String {
        match self {
            Board::Go(size) => point.name(size),
            Board::Othello(_) => format!("{}{}", char::from(b'a' + point.column as u8), point.row + 1),
        }
    }

    fn named(self, text: &str) -> Option<Point> {
        match self {
            Board::Go(size) => Point::named(size, text),
            Board::Othello(size) => {
                let column = usize::from(text.bytes().next()?.to_ascii_lowercase().checked_sub(b'a')?);
                let row = text.get(1..)?.parse::<usize>().ok()?.checked_sub(1)?;
                Point::new(size, column, row)
            }
        }
    }

    /// The point of two letters: the column from the left, the row from the top.
    fn point(self, text: &str) -> Option<Point> {
        let coordinate = |letter: u8| match letter {
            b'a'..=b'z' => Some(usize::from(letter - b'a')),
            b'A'..=b'Z' => Some(usize::from(letter - b'A') + 26),
            _ => None,
        };
        match *text.trim().as_bytes() {
            [column, row] if row.is_ascii_alphabetic() => {
                Point::new(self.size(), coordinate(column)?, coordinate(row)?)
            }
            // Programs that came to SGF late write points as people do.
            _ => self.named(text.trim()),
        }
    }

    /// The points of a list, in which `aa:cc` is a rectangle, each once.
    fn points(self, values: &[Value]) -> Vec<Point> {
        let mut points = Vec::new();
        let mut is_new = vec![true; self.size() * self.size()];
        let mut add = |point: Point| {
            if std::mem::replace(&mut is_new[point.row * self.size() + point.column], false) {
                points.push(point);
            }
        };
        for value in values {
            match value.parts() {
                Some((from, to)) => {
                    let corners = self.point(from.raw()).zip(self.point(to.raw()));
                    let Some((a, b)) = corners else { continue };
                    for row in a.row.min(b.row)..=a.row.max(b.row) {
                        let columns = a.column.min(b.column)..=a.column.max(b.column);
                        columns.for_each(|column| add(Point { column, row }));
                    }
                }
                None => self.point(value.raw()).into_iter().for_each(&mut add),
            }
        }
        points
    }

    /// A move of the file as text: a point, or nothing for a pass, or `tt` on boards that have no such point.
    fn read_move(self, value: &Value) -> Option<String> {
        let text = value.simple_text();
        let is_old_pass = text == "tt" && self.size() <= 19;
        if text.is_empty() || is_old_pass || text.eq_ignore_ascii_case("pass") {
            return Some("pass".to_owned());
        }
        self.point(&text).map(|point| self.name(point))
    }

    /// The letters of a point.
    fn letters(point: Point) -> String {
        [point.column, point.row].map(|coordinate| char::from(b'a' + coordinate as u8)).iter().collect()
    }

    /// A move as the file has it; `None` if it is not one.
    fn write_move(self, text: &str) -> Option<Value> {
        if text.eq_ignore_ascii_case("pass") {
            return Some(Value::new(""));
        }
        self.named(text).map(|point| Value::new(&Board::letters(point)))
    }
}

/// The game tree of a file's game.
pub fn to_game(tree: &Tree) -> Result<GameTree, FileError> {
    let root = tree.root();
    let board = Board::of_file(root)?;
    let mut stones = Stones::new(board.size());
    if let Board::Othello(size) = board {
        let middle = size / 2;
        for (column, row, side) in [
            (middle - 1, middle - 1, Side::Second),
            (middle, middle, Side::Second),
            (middle, middle - 1, Side::First),
            (middle - 1, middle, Side::First),
        ] {
            stones.put(Point { column, row }, Some(side));
        }
    }
    let usual_start = stones.clone();

    // Step 1. Stones set up before the first move, which may take several nodes.
    let mut begin = 0;
    let mut player = None;
    let mut comments = Vec::new();
    loop {
        let node = &tree.nodes()[begin];
        set_up(board, node, &mut stones);
        player = node.value("PL").and_then(|value| colour(&value.simple_text())).or(player);
        comments.extend(comment(node));
        match node.children() {
            [only] if moves(node).next().is_none() && moves(&tree.nodes()[*only]).next().is_none() => begin = *only,
            _ => break,
        }
    }

    // Step 2. Black moves at the beginning of the main line, before White has made any, are handicap stones.
    let mut first = begin;
    let mut early = Vec::new();
    if let Board::Go(_) = board
        && player != Some(Side::Second)
        && stones.of(Side::Second).is_empty()
    {
        let mut at = begin;
        loop {
            let node = &tree.nodes()[at];
            let mut here = moves(node);
            match (here.next(), here.next()) {
                (Some((Side::First, value)), None) => match board.point(&value.simple_text()) {
                    Some(point) => early.push((point, at)),
                    None => break,
                },
                (None, _) if at == begin => {}
                _ => break,
            }
            match node.children() {
                [only] => at = *only,
                _ => break,
            }
        }
    }
    if early.len() >= 2 {
        for (point, at) in early {
            stones.put(point, Some(Side::First));
            comments.extend(comment(&tree.nodes()[at]).filter(|_| at != begin));
            first = at;
        }
    }
    // What follows `first` are the moves; its own moves are played unless they were handicap.
    let is_handicap_move = first != begin;

    // Step 3. Whose turn it is: what the file says, or who moves first, or whoever did not get handicap stones.
    let black_only = stones.of(Side::Second).is_empty() && stones.of(Side::First).len() >= 2;
    let next = if is_handicap_move { None } else { moves(&tree.nodes()[begin]).next().map(|(side, _)| side) };
    let next = next.or_else(|| {
        let follower = tree.nodes()[first].children().first()?;
        moves(&tree.nodes()[*follower]).next().map(|(side, _)| side)
    });
    let is_go = matches!(board, Board::Go(_));
    let to_move = player.or(next).unwrap_or(if is_go && black_only { Side::Second } else { Side::First });

    // Step 4. The choices before the game.
    let text = |name: &str| root.value(name).map_or(String::new(), |value| value.simple_text().into_owned());
    let komi = go::komi(&text("KM"));
    let handicap = text("HA").parse().ok().filter(|&stones: &usize| stones < board.size() * board.size());
    let rules = go::rules(&text("RU"));
    if matches!(board, Board::Go(_)) {
        // `none` and `?` say nothing; a number that is no number of points or stones says something else than what would be played.
        let is_wrong = |name: &str, is_read: bool| !is_read && text(name).contains(|c: char| c.is_ascii_digit());
        for (name, is_read, what) in [("KM", komi.is_some(), "komi"), ("HA", handicap.is_some(), "handicap")] {
            if is_wrong(name, is_read) {
                let size = board.size();
                let found = refuse(&text(name));
                return Err(FileError::new(format!("{found} ({name}) is no {what} on a board of {size}x{size}")));
            }
        }
    }
    let setup = match board {
        Board::Othello(_) if stones == usual_start && to_move == Side::First => Setup::standard(),
        Board::Othello(_) => Setup::at(write_discs(&stones, to_move)),
        Board::Go(size) => {
            let choices = Setup { rules: rules.map(str::to_owned), komi, ..Setup::standard() };
            if stones.is_empty() && to_move == Side::First {
                choices
            } else if black_only && to_move == Side::Second {
                Setup { handicap: Some(go::handicap(size, &stones.of(Side::First))), ..choices }
            } else {
                Setup::at(stones.write(to_move, komi, rules, handicap.unwrap_or(0)))
            }
        }
    };

    // Step 5. The record.
    let mut tags: BTreeMap<String, String> = BTreeMap::new();
    for property in root.properties() {
        if !KNOWN.contains(&property.name()) {
            let values: Vec<String> = property.values().iter().map(|value| value.text().into_owned()).collect();
            tags.insert(property.name().to_owned(), values.join("\n"));
        }
    }
    if rules.is_none() && !text("RU").is_empty() {
        tags.insert("RU".to_owned(), text("RU"));
    }
    let ending = read_result(&text("RE"));
    if ending.is_none() && !text("RE").is_empty() {
        tags.insert("RE".to_owned(), text("RE"));
    }
    let head = Record {
        game: board.game(),
        setup,
        players: [text("PB"), text("PW")],
        moves: Vec::new(),
        ending,
        event: text("EV"),
        date: text("DT"),
        tags,
    };
    let mut game = GameTree::new(head);
    game.node_mut(0).played.comment = comments.join("\n\n");

    // Step 6. The moves, each node of the file with the node of the game it follows and whose turn it is there.
    let mut todo = Vec::new();
    let mut marks = 0;
    // The passes that were put in, by the node they follow.
    let mut passes: HashMap<usize, usize> = HashMap::new();
    if is_handicap_move {
        decorate(board, &tree.nodes()[first], Side::First, &mut game, 0);
        todo.extend(tree.nodes()[first].children().iter().rev().map(|&child| (child, 0, to_move)));
    } else {
        todo.push((begin, 0, to_move));
    }
    while let Some((at, mut parent, mut to_move)) = todo.pop() {
        let node = &tree.nodes()[at];
        let is_start = at == begin && !is_handicap_move;
        if !is_start && ["AB", "AW", "AE"].iter().any(|name| node.value(name).is_some()) {
            append(&mut game.node_mut(parent).played.comment, "(The file sets up stones here; this line ends.)");
            continue;
        }
        let mut last = None;
        let mut is_broken = false;
        for (side, value) in moves(node) {
            let Some(text) = board.read_move(value) else {
                let what = format!("(The file has a move {} here; this line ends.)", refuse(value.raw()));
                append(&mut game.node_mut(parent).played.comment, &what);
                is_broken = true;
                break;
            };
            if side != to_move {
                // In Othello whoever cannot move passes, and files leave that out.
                parent = *passes.entry(parent).or_insert_with(|| game.add(parent, Played::new("pass")));
            }
            if game.nodes().len() > MOST_NODES {
                return Err(FileError::new(too_many("moves", MOST_NODES)));
            }
            let is_pass = text == "pass";
            let at = game.add(parent, Played::new(text));
            if is_pass {
                passes.entry(parent).or_insert(at);
            }
            parent = at;
            to_move = side.other();
            last = Some(side);
        }
        if is_broken {
            continue;
        }
        if let Some(side) = node.value("PL").and_then(|value| colour(&value.simple_text())) {
            to_move = side;
        }
        if let (false, Some(comment)) = (is_start, comment(node)) {
            append(&mut game.node_mut(parent).played.comment, &comment);
        }
        marks += decorate(board, node, last.unwrap_or(to_move.other()), &mut game, parent);
        if marks > MOST_MARKS {
            return Err(FileError::new(too_many("marks", MOST_MARKS)));
        }
        todo.extend(node.children().iter().rev().map(|&child| (child, parent, to_move)));
    }
    times_taken(&mut game);
    Ok(game)
}

/// The moves of a node, one or none in a proper file.
fn moves(node: &Node) -> impl Iterator<Item = (Side, &Value)> {
    node.properties().iter().flat_map(|property| {
        let side = match property.name() {
            "B" => Some(Side::First),
            "W" => Some(Side::Second),
            _ => None,
        };
        side.into_iter().flat_map(|side| property.values().iter().map(move |value| (side, value)))
    })
}

fn colour(text: &str) -> Option<Side> {
    match text.chars().next()? {
        'B' | 'b' | '1' => Some(Side::First),
        'W' | 'w' | '2' => Some(Side::Second),
        _ => None,
    }
}

fn comment(node: &Node) -> Option<String> {
    let title = node.value("N").map(|value| value.simple_text().into_owned());
    let text = node.value("C").map(|value| value.text().trim_end().to_owned());
    let all: Vec<String> = title.into_iter().chain(text).filter(|text| !text.trim().is_empty()).collect();
    (!all.is_empty()).then(|| all.join("\n"))
}

fn append(text: &mut String, more: &str) {
    if !text.is_empty() {
        text.push_str("\n\n");
    }
    text.push_str(more);
}

fn set_up(board: Board, node: &Node, stones: &mut Stones) {
    for (name, stone) in [("AE", None), ("AB", Some(Side::First)), ("AW", Some(Side::Second))] {
        for point in node.values(name).map_or(Vec::new(), |values| board.points(values)) {
            stones.put(point, stone);
        }
    }
}

/// Glyphs, marks, clock and opinion of a file's node; `mover` made its move. Says how many marks.
fn decorate(board: Board, node: &Node, mover: Side, game: &mut GameTree, at: usize) -> usize {
    // Most nodes have a move and nothing else.
    if node.properties().len() <= moves(node).count() {
        return 0;
    }
    let strength = |name: &str| node.value(name).map(|value| value.simple_text() == "2");
    let glyph =
        |name: &str, plain: u8, strong: u8| strength(name).map(|is_strong| if is_strong { strong } else { plain });
    let glyphs = [
        glyph("TE", 1, 3),
        glyph("BM", 2, 4),
        glyph("IT", 5, 5),
        glyph("DO", 6, 6),
        glyph("DM", 10, 10),
        glyph("UC", 13, 13),
        glyph("GW", 16, 18),
        glyph("GB", 17, 19),
    ];
    let number = |name: &str| node.value(name).and_then(|value| value.simple_text().parse::<f32>().ok());
    // SGF values are good for Black if positive; Sabaki writes Black's chances in percent.
    let for_mover = |value: f32| Pov::of(Side::First, value).seen_by(mover);
    let clock = number(["BL", "WL"][mover.index()]).filter(|seconds| seconds.is_finite());
    let lead = number("V").filter(|points| points.is_finite()).map(for_mover);
    let value =
        number("SBKV").filter(|percent| (0.0..=100.0).contains(percent)).map(|percent| for_mover(percent / 50.0 - 1.0));

    let mut marks = Vec::new();
    for &(name, shape) in MARKS {
        let points = node.values(name).map_or(Vec::new(), |values| board.points(values));
        marks.extend(points.into_iter().map(|point| Mark { shape, at: board.name(point), ..Mark::default() }));
    }
    for value in node.values("LB").unwrap_or_default() {
        if let Some((point, label)) = value.parts()
            && let Some(point) = board.point(point.raw())
        {
            let label = label.simple_text().into_owned();
            marks.push(Mark { shape: Shape::Label, at: board.name(point), label, ..Mark::default() });
        }
    }
    for (name, shape) in [("AR", Shape::Arrow), ("LN", Shape::Line)] {
        for value in node.values(name).unwrap_or_default() {
            let ends = value.parts().and_then(|(from, to)| board.point(from.raw()).zip(board.point(to.raw())));
            if let Some((from, to)) = ends {
                marks.push(Mark { shape, at: board.name(from), to: board.name(to), ..Mark::default() });
            }
        }
    }
    let count = marks.len();
    let to = game.node_mut(at);
    to.nags.extend(glyphs.into_iter().flatten());
    to.marks.append(&mut marks);
    to.clock = clock.or(to.clock);
    to.played.lead = lead.or(to.played.lead);
    to.played.value = value.or(to.played.value);
    count
}

/// How long the moves of the main line took, as far as the clocks tell.
fn times_taken(game: &mut GameTree) {
    let line = game.main_line();
    for pair in line.windows(3) {
        let (before, now) = (game.node(pair[0]).clock, game.node(pair[2]).clock);
        if let (Some(before), Some(now)) = (before, now)
            && before >= now
        {
            game.node_mut(pair[2]).played.seconds = Some(before - now);
        }
    }
}

/// `B+3.5`, `W+R`, `Draw`; `None` if it says nothing clear.
fn read_result(text: &str) -> Option<Ending> {
    let text = text.trim();
    let (first, rest) = text.split_once('+').unwrap_or((text, ""));
    let reason = match rest.trim().to_lowercase().as_str() {
        "" => String::new(),
        "r" | "res" | "resign" | "resignation" => "resignation".to_owned(),
        "t" | "time" => "time".to_owned(),
        "f" | "forfeit" => "forfeit".to_owned(),
        other => {
            let number = other.split(char::is_whitespace).next().unwrap_or("").replace(',', ".");
            match number.parse::<f32>() {
                Ok(points) if points.is_finite() => format!("{points} points"),
                _ => rest.trim().to_owned(),
            }
        }
    };
    let outcome = match first.trim().to_lowercase().as_str() {
        "b" | "black" => Outcome::Win(Side::First),
        "w" | "white" => Outcome::Win(Side::Second),
        "0" | "draw" | "jigo" | "d" => Outcome::Draw,
        _ => return None,
    };
    Some(Ending { outcome, reason })
}

fn write_result(ending: &Ending) -> String {
    let Outcome::Win(side) = ending.outcome else {
        return "0".to_owned();
    };
    let reason = ending.reason.to_lowercase();
    let points = reason.split(char::is_whitespace).next().and_then(|word| word.parse::<f32>().ok());
    let how = match points {
        Some(points) => points.to_string(),
        None if reason.contains("resign") => "R".to_owned(),
        None if reason.contains("time") => "T".to_owned(),
        None if reason.contains("forfeit") || reason.contains("illegal") || reason.contains("crash") => "F".to_owned(),
        None => String::new(),
    };
    format!("{}+{how}", COLOURS[side.index()])
}

/// An Othello position as our own text.
fn write_discs(stones: &Stones, to_move: Side) -> String {
    let size = stones.size;
    let [black, white] = Side::BOTH.map(|side| stones.of(side).into_iter().collect::<BTreeSet<Point>>());
    let letter = |index: usize| {
        let point = Point { column: index % size, row: index / size };
        if black.contains(&point) {
            'X'
        } else if white.contains(&point) {
            'O'
        } else {
            '-'
        }
    };
    let squares: String = (0..size * size).map(letter).collect();
    format!("{squares} {}", ["X", "O"][to_move.index()])
}

fn read_discs(size: usize, text: &str) -> Option<(Stones, Side)> {
    let (squares, side) = text.trim().split_once(char::is_whitespace)?;
    if squares.chars().count() != size * size {
        return None;
    }
    let mut stones = Stones::new(size);
    for (index, letter) in squares.chars().enumerate() {
        let stone = match letter {
            'X' | 'x' | '*' => Some(Side::First),
            'O' | 'o' => Some(Side::Second),
            _ => None,
        };
        stones.put(Point { column: index % size, row: index / size }, stone);
    }
    let side = if side.trim().starts_with(['O', 'o']) { Side::Second } else { Side::First };
    Some((stones, side))
}

/// The file's game of a game tree: Go and Othello can be written.
pub fn from_game(game: &GameTree) -> Result<Tree, FileError> {
    let head = &game.head;
    let board = Board::of_game(&head.game)
        .ok_or_else(|| FileError::new(format!("SGF holds Go and Othello, not {}", refuse(&head.game))))?;
    let mut tree = Tree::default();
    let mut properties = Vec::new();
    let mut put = |name: &str, text: &str| {
        if !text.is_empty() {
            properties.extend(Property::new(name, vec![Value::new(text)]));
        }
    };
    put("GM", if matches!(board, Board::Go(_)) { "1" } else { "2" });
    put("FF", "4");
    put("CA", "UTF-8");
    put("SZ", &board.size().to_string());
    put("PB", &head.players[0]);
    put("PW", &head.players[1]);
    put("EV", &head.event);
    put("DT", head.date.split('T').next().unwrap_or(""));
    put("RE", &head.ending.as_ref().map_or(String::new(), write_result));
    let mut to_move = Side::First;
    let mut stones = None;
    let wrong = |text: &str| FileError::new(format!("{} is no position of {}", refuse(text), head.game));
    match (board, &head.setup.position) {
        (Board::Go(size), Some(text)) => {
            let (set, side, komi, rules) =
                Stones::read(text).filter(|(set, ..)| set.size == size).ok_or_else(|| wrong(text))?;
            put("KM", &komi.unwrap_or_default());
            put("RU", rules_name(&rules.unwrap_or_default()));
            (stones, to_move) = (Some(set), side);
        }
        (Board::Go(size), None) => {
            let points = match &head.setup.handicap {
                None | Some(Handicap::Fixed(0)) => Vec::new(),
                Some(Handicap::Fixed(number)) => go::fixed_handicap(size, usize::from(*number))
                    .ok_or_else(|| FileError::new(format!("no places for {number} handicap stones on size {size}")))?,
                Some(Handicap::Free(points)) => {
                    let point = |text: &String| Point::named(size, text).ok_or_else(|| wrong(text));
                    points.iter().map(point).collect::<Result<_, _>>()?
                }
            };
            let rules = head.setup.rules.as_deref().unwrap_or("chinese");
            let usual = match rules {
                _ if !points.is_empty() => 0.5,
                "japanese" => 6.5,
                _ => 7.5,
            };
            put("KM", &head.setup.komi.unwrap_or(usual).to_string());
            // A file may name rules that we do not know: they stand among the tags.
            if head.setup.rules.is_some() || !head.tags.contains_key("RU") {
                put("RU", rules_name(rules));
            }
            if !points.is_empty() {
                put("HA", &points.len().to_string());
                let mut set = Stones::new(size);
                points.into_iter().for_each(|point| set.put(point, Some(Side::First)));
                (stones, to_move) = (Some(set), Side::Second);
            }
        }
        (Board::Othello(size), Some(text)) => {
            let (set, side) = read_discs(size, text).ok_or_else(|| wrong(text))?;
            (stones, to_move) = (Some(set), side);
        }
        (Board::Othello(_), None) => {}
    }
    for (name, text) in &head.tags {
        if !["GM", "FF", "CA", "SZ"].contains(&name.as_str()) {
            put(name, text);
        }
    }
    if let Some(stones) = stones {
        for (name, side) in [("AB", Side::First), ("AW", Side::Second)] {
            let points = stones.of(side).into_iter().map(|point| Value::new(&Board::letters(point))).collect();
            properties.extend(Property::new(name, points));
        }
        properties.extend(Property::new("PL", vec![Value::new(COLOURS[to_move.index()])]));
    }
    properties.into_iter().for_each(|property| tree.nodes[0].set(property));

    // The numbers of the file's nodes, and who moved in each.
    let mut places = vec![(0, to_move.other())];
    places.resize(game.nodes().len(), (0, to_move));
    for (at, node) in game.nodes().iter().enumerate() {
        if let Some(parent) = node.parent {
            let (above, before) = places[parent];
            let mover = before.other();
            places[at] = (tree.add(above), mover);
            let text = &node.played.text;
            let value = board
                .write_move(text)
                .ok_or_else(|| FileError::new(format!("{} is no move of {}", refuse(text), head.game)))?;
            tree.nodes[places[at].0].properties.extend(Property::new(COLOURS[mover.index()], vec![value]));
        }
        let (place, mover) = places[at];
        write_remarks(board, node, mover, &mut tree.nodes[place]);
    }
    // The order in which nodes were added need not be that of the variations.
    for (at, node) in game.nodes().iter().enumerate() {
        tree.nodes[places[at].0].children = node.children.iter().map(|&child| places[child].0).collect();
    }
    Ok(tree)
}

fn rules_name(rules: &str) -> &'static str {
    match go::rules(rules) {
        Some("japanese") => "Japanese",
        Some("chinese") => "Chinese",
        Some("aga") => "AGA",
        Some("french") => "French",
        Some("tromp-taylor") => "Tromp-Taylor",
        _ => "",
    }
}

/// What was said about a node of the game, `mover` having moved.
fn write_remarks(board: Board, node: &crate::tree::Node, mover: Side, to: &mut Node) {
    let mut put = |name: &str, values: Vec<Value>| {
        if let Some(property) = Property::new(name, values) {
            to.set(property);
        }
    };
    if let Some(seconds) = node.clock {
        put(["BL", "WL"][mover.index()], vec![Value::new(&seconds.to_string())]);
    }
    let for_black = |value: f32| Pov::of(mover, value).seen_by(Side::First);
    if let Some(lead) = node.played.lead {
        put("V", vec![Value::new(&for_black(lead).to_string())]);
    }
    if let Some(value) = node.played.value {
        put("SBKV", vec![Value::new(&format!("{:.2}", (for_black(value) + 1.0) * 50.0))]);
    }
    for nag in &node.nags {
        let (name, strength) = match nag {
            1 => ("TE", "1"),
            3 => ("TE", "2"),
            2 => ("BM", "1"),
            4 => ("BM", "2"),
            5 => ("IT", ""),
            6 => ("DO", ""),
            10..=12 => ("DM", "1"),
            13 => ("UC", "1"),
            16 => ("GW", "1"),
            17 => ("GB", "1"),
            18 => ("GW", "2"),
            19 => ("GB", "2"),
            _ => continue,
        };
        put(name, vec![Value::new(strength)]);
    }
    let letters = |name: &str| board.named(name).map(Board::letters);
    for &(name, shape) in MARKS {
        let marks = node.marks.iter().filter(|mark| mark.shape == shape);
        put(name, marks.filter_map(|mark| letters(&mark.at)).map(|point| Value::new(&point)).collect());
    }
    let labels = node.marks.iter().filter(|mark| mark.shape == Shape::Label);
    put("LB", labels.filter_map(|mark| Some(Value::pair(&letters(&mark.at)?, &mark.label))).collect());
    for (name, shape) in [("AR", Shape::Arrow), ("LN", Shape::Line)] {
        let lines = node.marks.iter().filter(|mark| mark.shape == shape);
        put(name, lines.filter_map(|mark| Some(Value::pair(&letters(&mark.at)?, &letters(&mark.to)?))).collect());
    }
    if !node.played.comment.is_empty() {
        put("C", vec![Value::new(&node.played.comment)]);
    }
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;
    use crate::tree::Step;

    fn game(file: &str) -> GameTree {
        let trees = read(file.as_bytes()).expect(file);
        to_game(&trees[0]).unwrap_or_else(|error| panic!("{file}: {error}"))
    }

    fn shown(tree: &GameTree) -> String {
        let word = |step| match step {
            Step::Move(at) => tree.node(at).played.text.clone(),
            Step::Open => "(".to_owned(),
            Step::Close => ")".to_owned(),
        };
        tree.walk().map(word).collect::<Vec<_>>().join(" ")
    }

    /// The file's set-up as JSON and its moves; and that it comes back the same from a file of ours.
    fn check(file: &str, setup: &str, moves: &str) -> GameTree {
        let tree = game(file);
        assert_eq!(serde_json::to_string(&tree.head.setup).expect("plain data"), setup, "{file}");
        assert_eq!(shown(&tree), moves, "{file}");
        let written = from_game(&tree).unwrap_or_else(|error| panic!("{file}: {error}"));
        let again = to_game(&written).expect("our own file");
        assert_eq!(shown(&again), moves, "{file}");
        assert_eq!(again.head.players, tree.head.players);
        assert_eq!(again.head.ending, tree.head.ending);
        tree
    }

    #[test]
    fn even_games() {
        check("(;GM[1]SZ[9];B[cc];W[gg];B[];W[tt])", "{}", "C7 G3 pass pass");
        check("(;SZ[9]KM[6,5]RU[Japanese];B[aa];W[ii])", r#"{"rules":"japanese","komi":6.5}"#, "A9 J1");
        check("(;SZ[19:19];B[ss](;W[aa])(;W[pd];B[dp]))", "{}", "T1 A19 ( Q16 D4 )");
        check("(;SZ[21];B[tt])", "{}", "U2");
        check("(;B[D4];W[Q16])", "{}", "D4 Q16");
    }

    #[test]
    fn a_colour_that_plays_twice_makes_the_other_pass() {
        check("(;SZ[9];B[cc];W[gg];W[gc])", "{}", "C7 G3 pass G7");
        check("(;SZ[9];B[cc]W[gg])", "{}", "C7 G3");
        let to_white = r#"{"position":"9/9/9/9/9/9/9/9/9 w - 0 0 0 7.5 chinese 0"}"#;
        check("(;SZ[9];W[cc];B[gg])", to_white, "C7 G3");
    }

    #[test]
    fn handicap() {
        check("(;SZ[9]HA[2]KM[0.5]AB[cg][gc];W[ee])", r#"{"komi":0.5,"handicap":2}"#, "E5");
        check("(;SZ[9]HA[2]AB[cg:cg][gc];W[ee];B[cc])", r#"{"handicap":2}"#, "E5 C7");
        check("(;SZ[9]AB[aa][bb];W[ee])", r#"{"handicap":["A9","B8"]}"#, "E5");
        check("(;SZ[9];AB[aa]AB[bb];PL[W];W[ee])", r#"{"handicap":["A9","B8"]}"#, "E5");
        check("(;SZ[9];B[gc];B[cg];W[ee];B[ef])", r#"{"handicap":2}"#, "E5 E4");
        check("(;SZ[9]HA[2];B[gc];B[cg])", r#"{"handicap":2}"#, "");
    }

    #[test]
    fn positions() {
        let tree = check(
            "(;SZ[5]AB[aa:ba]AW[ee]PL[B]C[Black to live];B[ab];W[ba])",
            r#"{"position":"XX3/5/5/5/4O b - 0 0 0 7.5 chinese 0"}"#,
            "A4 B5",
        );
        assert_eq!(tree.node(0).played.comment, "Black to live");
        let tree = game("(;SZ[5];B[aa];AW[bb];B[cc])");
        assert_eq!(shown(&tree), "A5");
        assert!(tree.node(1).played.comment.contains("sets up stones"));
    }

    #[test]
    fn othello() {
        check("(;GM[2]SZ[8];B[dc];W[cc])", "{}", "d3 c3");
        check("(;GM[2];B[d3];W[c5])", "{}", "d3 c5");
        check("(;GM[2]SZ[6]AE[cc]AW[aa];B[dc])", r#"{"position":"O--------------X----XO-------------- X"}"#, "d3");
    }

    #[test]
    fn what_is_said_beside_the_moves() {
        let tree = check(
            "(;SZ[9]PB[A \\] b]PW[W]RE[W+3.50]DT[2024-01-02]EV[Cup]BR[3d]XY[1][2]KM[7.5]RU[Ing];B[cc]BL[60.5]TE[2]C[nice\nmove]LB[aa:A][bb:b\\:c]TR[cc][dd:ee]AR[aa:bb];W[dd]SBKV[25]V[-3.5];B[ee]BL[50])",
            r#"{"komi":7.5}"#,
            "C7 D6 E5",
        );
        assert_eq!(tree.head.players, ["A ] b", "W"]);
        assert_eq!(
            tree.head.ending,
            Some(Ending { outcome: Outcome::Win(Side::Second), reason: "3.5 points".to_owned() })
        );
        assert_eq!(tree.head.tags["BR"], "3d");
        assert_eq!(tree.head.tags["RU"], "Ing");
        let [first, second, third] = [1, 2, 3].map(|at| tree.node(at));
        assert_eq!((first.nags.as_slice(), first.played.comment.as_str()), (&[3][..], "nice\nmove"));
        assert_eq!(first.marks.len(), 5 + 2 + 1);
        assert_eq!((second.played.value, second.played.lead), (Some(0.5), Some(3.5)));
        assert_eq!(third.played.seconds, Some(10.5));
        let again = to_game(&from_game(&tree).expect("Go")).expect("our own file");
        assert_eq!(again, tree);
    }

    #[test]
    fn results() {
        for (text, back) in [
            ("B+R", "B+R"),
            ("w+resign", "W+R"),
            ("W+T", "W+T"),
            ("B+12.5", "B+12.5"),
            ("B+ 3,5 moku", "B+3.5"),
            ("Draw", "0"),
            ("0", "0"),
            ("B+", "B+"),
            ("White+Forfeit", "W+F"),
        ] {
            assert_eq!(read_result(text).as_ref().map(write_result).as_deref(), Some(back), "{text}");
        }
        for text in ["", "?", "Void", "白中盤勝", "+"] {
            assert_eq!(read_result(text), None, "{text}");
        }
    }

    #[test]
    fn what_cannot_be_played() {
        for (file, complaint) in [
            ("(;SZ[9:13])", "only square ones"),
            ("(;SZ[26])", "size `26`"),
            ("(;SZ[x])", "size `x`"),
            ("(;SZ[-1])", "size"),
            ("(;GM[6])", "game number `6`"),
        ] {
            let trees = read(file.as_bytes()).expect(file);
            let error = to_game(&trees[0]).expect_err(file).to_string();
            assert!(error.contains(complaint), "{file}: {error}");
        }
        let chess = GameTree::new(Record { game: "chess".to_owned(), ..Record::default() });
        assert!(from_game(&chess).expect_err("no chess").to_string().contains("Go and Othello"));
    }
}
