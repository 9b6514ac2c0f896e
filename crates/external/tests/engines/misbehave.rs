//! An engine for the tests: it speaks UCI and GTP about tic-tac-toe, and fails in whatever way its arguments ask for.
//!
//! `misbehave uci|gtp [FAULT [MOVES]]`: it plays the first square that nobody has named yet until it has made MOVES moves, and then does what FAULT says.

use std::io::{BufRead, Write};
use std::time::Duration;

const SQUARES: [&str; 9] = ["a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"];

fn main() {
    let mut arguments = std::env::args().skip(1);
    let protocol = arguments.next().unwrap_or_default();
    let fault = arguments.next().unwrap_or_default();
    let patience: usize = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(0);
    let mut game = Game { fault, patience, made: 0, taken: Vec::new() };
    match game.fault.as_str() {
        "silent" => loop {
            std::thread::sleep(Duration::from_secs(3600));
        },
        "dead" => {
            eprintln!("no licence found");
            std::process::exit(3);
        }
        _ => {}
    }
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        let answer = if protocol == "gtp" { game.gtp(&line) } else { game.uci(&line) };
        let mut output = std::io::stdout();
        if output.write_all(answer.as_bytes()).and_then(|()| output.flush()).is_err() || line == "quit" {
            return;
        }
    }
}

/// Talks until nobody listens any more, and says nothing.
fn flood() {
    let mut output = std::io::stdout().lock();
    while output.write_all(b"info depth 1 currmove a1 currmovenumber 1\n").is_ok() {}
    std::process::exit(0);
}

struct Game {
    fault: String,
    patience: usize,
    made: usize,
    taken: Vec<String>,
}

impl Game {
    fn choose(&mut self) -> String {
        let due = self.made >= self.patience;
        self.made += 1;
        if due {
            match self.fault.as_str() {
                "crash" => {
                    eprintln!("segmentation imaginary");
                    std::process::exit(42);
                }
                "hang" => loop {
                    std::thread::sleep(Duration::from_secs(3600));
                },
                "flood" => flood(),
                "illegal" => return self.taken.first().cloned().unwrap_or_else(|| "a1".to_owned()),
                "nonsense" => return "z99".to_owned(),
                "resign" => return "resign".to_owned(),
                "slow" => std::thread::sleep(Duration::from_millis(400)),
                _ => {}
            }
        }
        let free = SQUARES.iter().find(|square| !self.taken.iter().any(|taken| taken == *square));
        free.map_or_else(|| "(none)".to_owned(), |square| (*square).to_owned())
    }

    fn uci(&mut self, line: &str) -> String {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.first() {
            Some(&"uci") => "id name Misbehave\noption name Hash type spin default 16 min 1 max 1024\n\
                 option name UCI_Variant type combo default chess var chess var tictactoe\nuciok\n"
                .to_owned(),
            Some(&"isready") => "readyok\n".to_owned(),
            Some(&"position") => {
                let moves = words.iter().skip_while(|word| **word != "moves").skip(1);
                self.taken = moves.map(|word| (*word).to_owned()).collect();
                String::new()
            }
            Some(&"go") => match self.choose().as_str() {
                "resign" => "bestmove (none)\n".to_owned(),
                best => {
                    format!("garbage without sense\ninfo depth 3 score cp 25 nodes 77 pv {best}\nbestmove {best}\n")
                }
            },
            _ => String::new(),
        }
    }

    fn gtp(&mut self, line: &str) -> String {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.first() {
            Some(&"list_commands") => {
                "= list_commands\nset_game\nclear_board\nplay\ngenmove\nundo\nlevel\nquit\n\n".to_owned()
            }
            Some(&"clear_board") => {
                self.taken.clear();
                "=\n\n".to_owned()
            }
            Some(&"play") => {
                self.taken.extend(words.get(2).map(|text| (*text).to_owned()));
                "=\n\n".to_owned()
            }
            Some(&"undo") => {
                self.taken.pop();
                "=\n\n".to_owned()
            }
            Some(&"genmove") => {
                let best = self.choose();
                self.taken.push(best.clone());
                format!("some log line\n= {}\n\n", best.to_uppercase().replace("RESIGN", "resign"))
            }
            Some(&("set_game" | "level" | "quit")) => "=\n\n".to_owned(),
            _ => "? unknown command\n\n".to_owned(),
        }
    }
}
