//! Books of openings in Polyglot's format: reading one, choosing from it, and making one from games.
//!
//! A book is a list of entries sorted by key, sixteen bytes each, the highest byte first:
//! `key 64 | move 16 | weight 16 | learning 32`. A move is `promotion 3 | from 6 | to 6`, castling the king taking his rook.

use crate::mv::Mv;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, Move, Position as _, Role, Square};
use std::collections::HashMap;
use std::io::Write;
use std::path::Path;
use tengen_core::{Outcome, Position as _, Rng, Side};

/// The key of a position as books have it: en passant counts where a pawn stands ready to take, pinned or not.
pub fn key(position: &Chess) -> u64 {
    let Zobrist64(key) = position.zobrist_hash(EnPassantMode::PseudoLegal);
    key
}

/// One move of a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookEntry {
    /// The key of the position.
    pub key: u64,
    /// The move.
    pub mv: Mv,
    /// How often to play it, in proportion to the others.
    pub weight: u16,
    /// Polyglot's field for learning, which is kept as it is.
    pub learn: u32,
}

/// A book of openings.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Book {
    /// Sorted by key, the heaviest first.
    entries: Vec<BookEntry>,
}

/// The most a book file may have: a gigabyte.
const LARGEST: u64 = 1 << 30;

impl Book {
    /// Reads a book from a file.
    pub fn open(path: impl AsRef<Path>) -> Result<Book, String> {
        let path = path.as_ref();
        let wrong = |what: &dyn std::fmt::Display| format!("no book from {}: {what}", path.display());
        let data = std::fs::metadata(path).map_err(|error| wrong(&error))?;
        // A device may never end.
        if !data.is_file() {
            return Err(wrong(&"it is no file"));
        }
        if data.len() > LARGEST {
            return Err(wrong(&"the file is larger than a gigabyte"));
        }
        let bytes = std::fs::read(path).map_err(|error| wrong(&error))?;
        Book::from_bytes(&bytes).map_err(|error| wrong(&error))
    }

    /// Reads a book.
    pub fn from_bytes(bytes: &[u8]) -> Result<Book, String> {
        if !bytes.len().is_multiple_of(16) {
            return Err(format!("a Polyglot book is a number of 16-byte entries, not {} bytes", bytes.len()));
        }
        let mut entries: Vec<BookEntry> = bytes.chunks_exact(16).map(read_entry).collect();
        // Ours are sorted; a foreign one may be sorted by key alone.
        entries.sort_by_key(|entry| (entry.key, std::cmp::Reverse(entry.weight)));
        Ok(Book { entries })
    }

    /// The book as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.entries.iter().flat_map(write_entry).collect()
    }

    /// Writes the book to a file.
    pub fn save(&self, path: impl AsRef<Path>) -> std::io::Result<()> {
        std::fs::File::create(path)?.write_all(&self.to_bytes())
    }

    /// How many entries it has.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What it says about the position with this key.
    pub fn entries(&self, key: u64) -> &[BookEntry] {
        let start = self.entries.partition_point(|entry| entry.key < key);
        let count = self.entries[start..].partition_point(|entry| entry.key == key);
        &self.entries[start..start + count]
    }

    /// A legal move from the book, each as likely as its weight says.
    pub fn choose(&self, position: &Chess, rng: &mut Rng) -> Option<Mv> {
        let legal = position.legal_moves();
        // Keys may collide and files may be anything: only legal moves count.
        let code = |mv: &Move| tengen_games::chess::Chess::code(*mv);
        let known = self.entries(key(position)).iter().filter(|entry| entry.weight > 0);
        let known: Vec<&BookEntry> = known.filter(|entry| legal.iter().any(|mv| code(mv) == entry.mv.code())).collect();
        let total: u64 = known.iter().map(|entry| u64::from(entry.weight)).sum();
        if total == 0 {
            return None;
        }
        let mut rest = rng.u64(..total);
        for entry in known {
            let weight = u64::from(entry.weight);
            if rest < weight {
                return Some(entry.mv);
            }
            rest -= weight;
        }
        None
    }
}

fn read_entry(bytes: &[u8]) -> BookEntry {
    let number =
        |range: std::ops::Range<usize>| bytes[range].iter().fold(0u64, |sum, &byte| sum << 8 | u64::from(byte));
    let mv = number(8..10) as u16;
    let square = |shift: u32| Square::new(u32::from(mv >> shift & 63));
    let (to, from) = (square(0), square(6));
    let mv = match mv >> 12 & 7 {
        1 => Mv::promoting(from, to, Role::Knight),
        2 => Mv::promoting(from, to, Role::Bishop),
        3 => Mv::promoting(from, to, Role::Rook),
        4 => Mv::promoting(from, to, Role::Queen),
        _ => Mv::new(from, to),
    };
    BookEntry { key: number(0..8), mv, weight: number(10..12) as u16, learn: number(12..16) as u32 }
}

fn write_entry(entry: &BookEntry) -> [u8; 16] {
    let promotion = match entry.mv.promotion() {
        Some(Role::Knight) => 1,
        Some(Role::Bishop) => 2,
        Some(Role::Rook) => 3,
        Some(Role::Queen) => 4,
        _ => 0,
    };
    let mv = entry.mv.to() as u16 | (entry.mv.from() as u16) << 6 | promotion << 12;
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&entry.key.to_be_bytes());
    bytes[8..10].copy_from_slice(&mv.to_be_bytes());
    bytes[10..12].copy_from_slice(&entry.weight.to_be_bytes());
    bytes[12..].copy_from_slice(&entry.learn.to_be_bytes());
    bytes
}

/// Makes a book from games: a move counts two for every game its side won, one for every draw.
#[derive(Clone, Debug)]
pub struct BookMaker {
    /// Plies of each game that go into the book.
    plies: usize,
    /// Games a move must have been played in.
    least: u32,
    /// By key and move: games, points.
    moves: HashMap<(u64, Mv), (u32, u32)>,
}

impl BookMaker {
    /// For the first `plies` plies of games, and moves played in at least `least` of them.
    pub fn new(plies: usize, least: u32) -> BookMaker {
        BookMaker { plies, least: least.max(1), moves: HashMap::new() }
    }

    /// Adds a game from its start; `None` as an outcome counts as a draw. Stops at the first move that is not legal.
    pub fn add(&mut self, start: &Chess, moves: &[Move], outcome: Option<Outcome>) {
        let mut position = start.clone();
        for &mv in moves.iter().take(self.plies) {
            if !position.is_legal(mv) {
                break;
            }
            let side = position.turn().fold_wb(Side::First, Side::Second);
            let points = match outcome {
                Some(Outcome::Win(winner)) if winner == side => 2,
                Some(Outcome::Win(_)) => 0,
                _ => 1,
            };
            let code = Mv::from_code(tengen_games::chess::Chess::code(mv));
            let entry = self.moves.entry((key(&position), code)).or_default();
            *entry = (entry.0 + 1, entry.1 + points);
            position.play_unchecked(mv);
        }
    }

    /// The book. Weights are scaled down where a move has more points than fit.
    pub fn finish(&self) -> Book {
        let mut most: HashMap<u64, u32> = HashMap::new();
        for (&(key, _), &(_, points)) in &self.moves {
            let entry = most.entry(key).or_default();
            *entry = (*entry).max(points);
        }
        let mut entries: Vec<BookEntry> = Vec::new();
        for (&(key, mv), &(games, points)) in &self.moves {
            let scale = most.get(&key).map_or(1, |&most| most.div_ceil(u32::from(u16::MAX))).max(1);
            let weight = (points / scale).min(u32::from(u16::MAX)) as u16;
            if games >= self.least && weight > 0 {
                entries.push(BookEntry { key, mv, weight, learn: 0 });
            }
        }
        entries.sort_by_key(|entry| (entry.key, std::cmp::Reverse(entry.weight), entry.mv.code()));
        Book { entries }
    }
}
