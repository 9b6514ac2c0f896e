//! `tengen data book`: a book of openings from games.
//!
//! Files are read game by game, so they may be larger than memory; a game that cannot be read is named and left out.

use crate::Outcome;
use serde_json::json;
use std::io::{BufReader, IsTerminal, Write};
use std::path::{Path, PathBuf};
use tengen_chess::book::BookMaker;
use tengen_core::{Notation, Position};
use tengen_games::chess::Chess;
use tengen_record::limits::open_file;
use tengen_record::{GameTree, pgn};

/// Make a book of openings in Polyglot's format from PGN files
#[derive(clap::Args)]
#[command(after_help = "Examples: tengen data book games.pgn --out book.bin
          tengen data book masters.pgn mine.pgn --out book.bin --plies 24 --min-games 5
          tengen play chess --second chess:ms=500,book=book.bin")]
pub struct Arguments {
    /// Files of games; games of variants are left out
    #[arg(required = true, value_name = "PGN")]
    files: Vec<PathBuf>,
    /// The book to write
    #[arg(long, value_name = "BIN")]
    out: PathBuf,
    /// Moves of both sides that go into the book, from the start of each game
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=1000))]
    plies: u32,
    /// Games in which a move must have been played
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    min_games: u32,
    /// One JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// What became of the games of all files.
#[derive(Default)]
struct Count {
    taken: u64,
    left_out: u64,
}

pub fn run(book: &Arguments) -> Outcome {
    let mut maker = BookMaker::new(book.plies as usize, book.min_games);
    let mut count = Count::default();
    for path in &book.files {
        add_file(path, &mut maker, &mut count)?;
    }
    progress("");
    if count.taken == 0 {
        return Err("there is no game of chess in the files".to_owned());
    }
    let made = maker.finish();
    if made.is_empty() {
        let Count { taken, .. } = count;
        return Err(format!("no move has been played {} times in {taken} games: try --min-games 1", book.min_games));
    }
    made.save(&book.out).map_err(|error| format!("{}: {error}", book.out.display()))?;
    if book.json {
        let Count { taken, left_out } = count;
        say!("{}", json!({"games": taken, "left_out": left_out, "moves": made.len(), "out": book.out}));
    } else {
        say!("{} moves from {} games in {}", made.len(), count.taken, book.out.display());
        if count.left_out > 0 {
            say!("{} games left out", count.left_out);
        }
    }
    Ok(())
}

fn add_file(path: &Path, maker: &mut BookMaker, count: &mut Count) -> Outcome {
    let file = open_file(path).map_err(|error| format!("{}: {error}", path.display()))?;
    for game in pgn::games(BufReader::new(file)) {
        let added = game.map_err(|error| error.to_string()).and_then(|game| add_game(&game, maker));
        match added {
            Ok(()) => count.taken += 1,
            Err(complaint) => {
                count.left_out += 1;
                progress("");
                eprintln!("{}: {complaint}", path.display());
            }
        }
        if count.taken.is_multiple_of(1000) {
            progress(&format!("{} games", count.taken));
        }
    }
    Ok(())
}

/// Plays a game through and adds it to the book.
fn add_game(game: &GameTree, maker: &mut BookMaker) -> Outcome {
    if game.head.game != "chess" {
        return Err(format!("a game of {} left out", game.head.game));
    }
    let mut position = match &game.head.setup.position {
        Some(fen) => Chess::read(fen).map_err(|error| error.to_string())?,
        None => Chess::new(),
    };
    let start = position.clone();
    let mut moves = Vec::new();
    for &at in game.main_line().iter().skip(1) {
        let mv = position.read_move(&game.node(at).played.text).map_err(|error| error.to_string())?;
        moves.push(mv);
        position.play(mv);
    }
    let outcome = game.head.ending.as_ref().map(|ending| ending.outcome);
    maker.add(start.rules(), &moves, outcome);
    Ok(())
}

/// One line on a terminal that the next one overwrites.
fn progress(text: &str) {
    if std::io::stderr().is_terminal() {
        eprint!("\r\x1b[2K{text}");
        let _ = std::io::stderr().flush();
    }
}
