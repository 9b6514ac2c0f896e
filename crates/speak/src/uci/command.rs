//! One line from the GUI, read with suspicion.

use std::time::Duration;
use tengen_core::refuse;

/// What a GUI can ask.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Command {
    /// Who are you, and what can be set?
    Uci,
    /// Talk more, or less.
    Debug(bool),
    /// Answer when everything before is done.
    IsReady,
    /// Change an option; buttons have no value.
    SetOption { name: String, value: Option<String> },
    /// The next search belongs to another game.
    NewGame,
    /// Set up a position: the start of the game unless there is a FEN, and moves.
    Position { fen: Option<String>, moves: Vec<String> },
    /// Think.
    Go(Go),
    /// Answer now.
    Stop,
    /// The expected move was played: the clock runs.
    PonderHit,
    /// Show the position, for people at a terminal.
    Show,
    /// Show the static evaluation, for people at a terminal.
    Eval,
    /// Leave.
    Quit,
}

/// What to think about and for how long.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Go {
    pub moves: Vec<String>,
    pub ponder: bool,
    pub infinite: bool,
    /// White's and Black's clocks.
    pub time: [Option<Duration>; 2],
    pub increment: [Option<Duration>; 2],
    pub moves_to_go: Option<u32>,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    pub mate: Option<u32>,
    pub move_time: Option<Duration>,
}

impl Go {
    /// Whether the search ends by itself.
    pub fn is_limited(&self) -> bool {
        let counted = self.depth.is_some() || self.nodes.is_some() || self.mate.is_some() || self.move_time.is_some();
        !self.infinite && (counted || self.time.iter().any(Option::is_some))
    }
}

/// Reads a line; `None` if it is empty.
pub(crate) fn read(line: &str) -> Result<Option<Command>, String> {
    let mut words = line.split_whitespace();
    let Some(first) = words.next() else { return Ok(None) };
    Ok(Some(match first {
        "uci" => Command::Uci,
        "isready" => Command::IsReady,
        "ucinewgame" => Command::NewGame,
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "quit" => Command::Quit,
        "d" => Command::Show,
        "eval" => Command::Eval,
        "debug" => match words.next() {
            Some("on") => Command::Debug(true),
            Some("off") => Command::Debug(false),
            _ => return Err("debug is on or off".to_owned()),
        },
        // Engines that are free of charge have nothing to register.
        "register" => return Ok(None),
        "setoption" => read_option(line)?,
        "position" => read_position(words)?,
        "go" => Command::Go(read_go(words)?),
        _ => return Err(format!("unknown command {}", refuse(first))),
    }))
}

/// `setoption name Move Overhead value 30`: both parts may have spaces in them.
fn read_option(line: &str) -> Result<Command, String> {
    let words: Vec<&str> = line.split_whitespace().skip(1).collect();
    if words.first() != Some(&"name") {
        return Err("setoption begins with a name: setoption name Hash value 64".to_owned());
    }
    let cut = words.iter().position(|&word| word == "value").unwrap_or(words.len());
    let name = words[1..cut].join(" ");
    if name.is_empty() {
        return Err("setoption names no option".to_owned());
    }
    // File names keep their spaces.
    let value = line.split_once(" value").map(|(_, value)| value.trim().to_owned());
    Ok(Command::SetOption { name, value: value.filter(|_| cut < words.len()) })
}

fn read_position<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Command, String> {
    let fen = match words.next() {
        Some("startpos") => match words.next() {
            None => return Ok(Command::Position { fen: None, moves: Vec::new() }),
            Some("moves") => None,
            Some(word) => return Err(format!("position startpos is followed by moves, not {}", refuse(word))),
        },
        Some("fen") => {
            let mut fields = Vec::new();
            for word in words.by_ref() {
                if word == "moves" {
                    break;
                }
                fields.push(word);
            }
            Some(fields.join(" "))
        }
        _ => return Err("a position is startpos or fen".to_owned()),
    };
    Ok(Command::Position { fen, moves: words.map(str::to_owned).collect() })
}

const GO_WORDS: [&str; 12] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
];

fn read_go<'a>(words: impl Iterator<Item = &'a str>) -> Result<Go, String> {
    let mut go = Go::default();
    let mut words = words.peekable();
    while let Some(word) = words.next() {
        match word {
            "ponder" => go.ponder = true,
            "infinite" => go.infinite = true,
            "searchmoves" => {
                while let Some(mv) = words.next_if(|word| !GO_WORDS.contains(word)) {
                    go.moves.push(mv.to_owned());
                }
                if go.moves.is_empty() {
                    return Err("go searchmoves names no moves".to_owned());
                }
            }
            _ if GO_WORDS.contains(&word) => {
                let text = words.next().ok_or_else(|| format!("go {word} needs a number"))?;
                let number: i64 =
                    text.parse().map_err(|_| format!("go {word} needs a number, not {}", refuse(text)))?;
                // A flag that has fallen is no time at all.
                let number = number.max(0) as u64;
                let time = Some(Duration::from_millis(number));
                let small = Some(u32::try_from(number).unwrap_or(u32::MAX));
                match word {
                    "wtime" => go.time[0] = time,
                    "btime" => go.time[1] = time,
                    "winc" => go.increment[0] = time,
                    "binc" => go.increment[1] = time,
                    "movestogo" => go.moves_to_go = small.filter(|&moves| moves > 0),
                    "depth" => go.depth = small,
                    "nodes" => go.nodes = Some(number),
                    "mate" => go.mate = small,
                    _ => go.move_time = time,
                }
            }
            _ => return Err(format!("go does not know {}", refuse(word))),
        }
    }
    Ok(go)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        let option = |name: &str, value: Option<&str>| {
            Ok(Some(Command::SetOption { name: name.to_owned(), value: value.map(str::to_owned) }))
        };
        assert_eq!(read("setoption name Move Overhead value 30"), option("Move Overhead", Some("30")));
        assert_eq!(read("setoption name Clear Hash"), option("Clear Hash", None));
        assert_eq!(
            read("setoption name BookFile value /a b/my  book.bin"),
            option("BookFile", Some("/a b/my  book.bin"))
        );
        let position = |fen: Option<&str>, moves: &[&str]| {
            let moves = moves.iter().map(|&mv| mv.to_owned()).collect();
            Ok(Some(Command::Position { fen: fen.map(str::to_owned), moves }))
        };
        assert_eq!(read("position startpos"), position(None, &[]));
        assert_eq!(read(" position  startpos moves e2e4\te7e5"), position(None, &["e2e4", "e7e5"]));
        assert_eq!(read("position fen 8/8/8 w - - moves a1a2"), position(Some("8/8/8 w - -"), &["a1a2"]));
        let go = Go { moves: vec!["e2e4".to_owned(), "d2d4".to_owned()], depth: Some(5), ..Go::default() };
        assert_eq!(read("go searchmoves e2e4 d2d4 depth 5"), Ok(Some(Command::Go(go))));
        let go = Go { time: [Some(Duration::ZERO), None], ..Go::default() };
        assert_eq!(read("go wtime -50"), Ok(Some(Command::Go(go))));
        assert_eq!(read("   "), Ok(None));
    }

    #[test]
    fn nonsense_is_refused_with_a_reason() {
        let cases = [
            ("xyzzy", "unknown command"),
            ("go depth", "needs a number"),
            ("go depth many", "needs a number"),
            ("go fast", "does not know"),
            ("go searchmoves", "no moves"),
            ("position", "startpos or fen"),
            ("position startpos e2e4", "followed by moves"),
            ("setoption Hash 3", "begins with a name"),
            ("setoption name value 3", "no option"),
            ("debug perhaps", "on or off"),
        ];
        for (line, complaint) in cases {
            let error = read(line).expect_err(line);
            assert!(error.contains(complaint), "{line}: {error}");
        }
    }
}
