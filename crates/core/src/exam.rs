//! The exam every game sits: what a search, a network and a web page may take for granted.
//!
//! [`Exam::sit`] plays random games and checks at every position what the traits promise. It panics with the
//! position's text at the first broken promise, so that a failure is a test case.

use crate::perft::perft;
use crate::{Line, Notation, Picture, Position, Repetition, Rng, Symmetry, Turn, sample};
use std::collections::{HashMap, HashSet};

/// An exam for one game from one start position.
pub struct Exam<P> {
    start: P,
    games: u64,
    longest: usize,
    perft: Vec<u64>,
}

impl<P: Notation + Symmetry + Picture> Exam<P> {
    /// Two hundred random games of at most a thousand moves from this position.
    pub fn new(start: P) -> Self {
        Exam { start, games: 200, longest: 1000, perft: Vec::new() }
    }

    /// Another number of games.
    pub fn games(mut self, games: u64) -> Self {
        self.games = games;
        self
    }

    /// Another length at which a random game is broken off.
    pub fn longest(mut self, plies: usize) -> Self {
        self.longest = plies;
        self
    }

    /// The numbers of lines of 1, 2, 3, … moves.
    pub fn perft(mut self, nodes: &[u64]) -> Self {
        self.perft = nodes.to_vec();
        self
    }

    /// Sits the exam. Returns how many of the random games came to their end.
    ///
    /// # Panics
    ///
    /// When the game breaks a promise.
    pub fn sit(self) -> u64 {
        for (depth, &nodes) in (1..).zip(&self.perft) {
            assert_eq!(perft(&self.start, depth), nodes, "perft {depth} of {}", self.start.write());
        }
        let mut book = Book { keys: HashMap::new(), moves: HashMap::new() };
        self.openings(&mut book);
        let mut finished = 0;
        for seed in 0..self.games {
            let mut rng = Rng::with_seed(seed);
            finished += u64::from(self.game(&mut book, &mut rng));
            self.playout(&mut rng);
        }
        finished
    }

    /// All positions two moves deep (where that is not too many): transpositions meet here.
    fn openings(&self, book: &mut Book) {
        let mut line = Line::new(self.start.clone());
        let mut firsts = Vec::new();
        options(&line, &mut firsts);
        let mut seconds = Vec::new();
        for &first in firsts.iter().take(40) {
            line.push(first);
            options(&line, &mut seconds);
            for &second in seconds.iter().take(40) {
                line.push(second);
                book.enter(line.position());
                line.pop();
            }
            line.pop();
        }
        assert_eq!(line.position().write(), self.start.write(), "push and pop restore the position");
    }

    /// One random game with all the checks; says whether it came to its end.
    fn game(&self, book: &mut Book, rng: &mut Rng) -> bool {
        let mut line = Line::new(self.start.clone());
        let mut moves = Vec::new();
        while line.ply() < self.longest {
            let position = line.position();
            let turn = line.turn(&mut moves);
            check_turn(position, turn, &moves);
            check_text(position, rng);
            check_symmetry(position);
            check_picture(position);
            book.enter(position);
            let mv = match turn {
                Turn::Over(_) => return true,
                Turn::Decision(_) => moves[rng.usize(..moves.len())],
                Turn::Chance => {
                    let mut outcomes = Vec::new();
                    position.chance(&mut outcomes);
                    sample(&outcomes, rng)
                }
            };
            check_clone(position, mv);
            line.push(mv);
        }
        false
    }

    /// The game's own playout makes legal moves only, and stops where the rules do.
    fn playout(&self, rng: &mut Rng) {
        let mut played = self.start.clone();
        let mut seen = Vec::new();
        let outcome = played.playout(rng, self.longest as u32, |side, mv| seen.push((side, mv)));
        let mut moves = Vec::new();
        match (played.turn(&mut moves), outcome) {
            (Turn::Over(ended), Some(outcome)) => assert_eq!(ended, outcome, "playout of {}", played.write()),
            (turn, None) => assert!(!matches!(turn, Turn::Over(_)), "an end the playout missed: {}", played.write()),
            (turn, Some(outcome)) => panic!("playout says {outcome:?}, the rules {turn:?}: {}", played.write()),
        }
        let mut again = self.start.clone();
        for (side, mv) in seen {
            match again.turn(&mut moves) {
                Turn::Decision(whose) => assert_eq!(whose, side),
                // Without the dice the playout cannot be followed further.
                Turn::Chance => return,
                Turn::Over(outcome) => panic!("playout goes on after {outcome:?}: {}", again.write()),
            }
            assert!(moves.contains(&mv), "illegal playout move {mv:?} in {}", again.write());
            again.play(mv);
        }
    }
}

/// What has been seen in all games of the exam.
struct Book {
    /// Equal texts must have equal keys.
    keys: HashMap<String, u64>,
    /// Equal keys must have equal moves, or two positions share a key.
    moves: HashMap<u64, Vec<u16>>,
}

impl Book {
    fn enter<P: Notation>(&mut self, position: &P) {
        let text = position.write();
        let key = position.key();
        let known = *self.keys.entry(text.clone()).or_insert(key);
        assert_eq!(known, key, "two keys for {text}");
        let mut moves = Vec::new();
        if matches!(position.turn(&mut moves), Turn::Over(_)) {
            return;
        }
        let mut codes: Vec<u16> = moves.iter().map(|&mv| P::code(mv)).collect();
        codes.sort_unstable();
        let known = self.moves.entry(key).or_insert_with(|| codes.clone());
        assert_eq!(*known, codes, "the key of {text} belongs to another position too");
    }
}

/// The moves of a decision or of chance.
fn options<P: Position>(line: &Line<P>, moves: &mut Vec<P::Move>) {
    if line.turn(moves) == Turn::Chance {
        let mut outcomes = Vec::new();
        line.position().chance(&mut outcomes);
        moves.extend(outcomes.iter().map(|&(mv, _)| mv));
    }
}

/// Turn and moves agree; moves, codes and move texts are distinct; texts round-trip; chances sum to one.
fn check_turn<P: Notation>(position: &P, turn: Turn, moves: &[P::Move]) {
    let text = position.write();
    let mut outcomes = vec![];
    position.chance(&mut outcomes);
    match turn {
        Turn::Decision(side) => {
            assert!(!moves.is_empty(), "a decision without a move: {text}");
            assert_eq!(side, position.to_move(), "whose turn: {text}");
            assert!(outcomes.is_empty(), "chance outside its turn: {text}");
        }
        Turn::Chance => {
            assert!(moves.is_empty(), "decisions at a chance event: {text}");
            let sum: f32 = outcomes.iter().map(|&(_, p)| p).sum();
            assert!((sum - 1.0).abs() < 1e-5, "chances sum to {sum}: {text}");
            assert!(outcomes.iter().all(|&(_, p)| p > 0.0), "a chance of zero: {text}");
        }
        Turn::Over(_) => assert!(moves.is_empty() && outcomes.is_empty(), "moves after the end: {text}"),
    }
    let all: Vec<P::Move> = moves.iter().copied().chain(outcomes.iter().map(|&(mv, _)| mv)).collect();
    let distinct: HashSet<P::Move> = all.iter().copied().collect();
    assert_eq!(distinct.len(), all.len(), "a move twice: {text}");
    let codes: HashSet<u16> = all.iter().map(|&mv| P::code(mv)).collect();
    assert_eq!(codes.len(), all.len(), "two moves with one code: {text}");
    for mv in all {
        let name = position.write_move(mv);
        assert_eq!(position.read_move(&name), Ok(mv), "move text `{name}` in {text}");
    }
}

/// The text form round-trips, a key from scratch is the key, and damaged text neither panics nor makes a monster.
fn check_text<P: Notation>(position: &P, rng: &mut Rng) {
    let text = position.write();
    let again = P::read(&text).unwrap_or_else(|error| panic!("cannot read {text}: {error}"));
    assert_eq!(again.write(), text, "text form round-trips");
    assert_eq!(again.key(), position.key(), "key from scratch: {text}");
    assert_eq!(again.repetition(), position.repetition(), "repetition rule: {text}");
    if position.repetition() != Repetition::Ignored {
        assert_eq!(again.repetition_key(), position.repetition_key(), "repetition key from scratch: {text}");
    }
    let (mut moves, mut moves_again) = (Vec::new(), Vec::new());
    assert_eq!(position.turn(&mut moves), again.turn(&mut moves_again), "turn after reading {text}");
    let set: HashSet<P::Move> = moves.iter().copied().collect();
    assert_eq!(set, moves_again.iter().copied().collect(), "moves after reading {text}");

    let damaged = damage(&text, rng);
    if let Ok(odd) = P::read(&damaged) {
        assert_eq!(P::read(&odd.write()).map(|p| p.key()), Ok(odd.key()), "round trip of odd {damaged}");
        if let Turn::Decision(_) = odd.turn(&mut moves) {
            for &mv in &moves {
                let mut next = odd.clone();
                next.play(mv);
                next.turn(&mut moves_again);
                next.key();
            }
        }
        let _ = odd.read_move(&damaged);
    }
    if let Some(&mv) = moves.first() {
        let _ = position.read_move(&damage(&position.write_move(mv), rng));
    }
}

/// The text with one character changed, dropped or doubled.
fn damage(text: &str, rng: &mut Rng) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    if chars.is_empty() {
        return "?".to_owned();
    }
    let at = rng.usize(..chars.len());
    match rng.u8(..4) {
        0 => {
            chars.remove(at);
        }
        1 => chars.insert(at, chars[at]),
        2 => chars[at] = chars[rng.usize(..chars.len())],
        _ => chars[at] = *rng.choice(&['\u{e9}', '9', '0', '-', ' ', '/', 'k', 'K', '+', '\u{1f600}']).unwrap_or(&'?'),
    }
    chars.into_iter().collect()
}

/// Playing on a copy leaves the original alone.
fn check_clone<P: Notation>(position: &P, mv: P::Move) {
    let (text, key) = (position.write(), position.key());
    let mut copy = position.clone();
    copy.play(mv);
    assert_eq!((position.write(), position.key()), (text, key), "a clone shares something with its original");
    if position.repetition() == Repetition::Forbidden
        && let Some(after) = position.repetition_key_after(mv)
    {
        assert_eq!(after, copy.repetition_key(), "repetition key after {mv:?} in {}", position.write());
    }
}

/// Every symmetry permutes the legal moves, commutes with playing them, and keeps the outcome.
fn check_symmetry<P: Notation + Symmetry>(position: &P) {
    let (mut moves, mut seen) = (Vec::new(), Vec::new());
    let turn = position.turn(&mut moves);
    for which in 0..P::SYMMETRIES {
        let other = position.transformed(which);
        assert_eq!(other.turn(&mut seen), turn, "symmetry {which} changes the turn: {}", position.write());
        let expected: HashSet<P::Move> = moves.iter().map(|&mv| position.transformed_move(mv, which)).collect();
        assert_eq!(expected, seen.iter().copied().collect(), "symmetry {which} of {}", position.write());
        if which == 0 {
            assert_eq!(other.key(), position.key(), "symmetry 0 is the identity");
        }
        for &mv in moves.iter().take(3) {
            let mut played = position.clone();
            played.play(mv);
            let mut mirrored = other.clone();
            mirrored.play(position.transformed_move(mv, which));
            let expected = played.transformed(which);
            assert_eq!(mirrored.key(), expected.key(), "symmetry {which} and {mv:?} in {}", position.write());
        }
    }
}

/// The drawing has the cells it says, with distinct names, and moves touch cells that exist.
fn check_picture<P: Notation + Picture>(position: &P) {
    let drawn = position.draw();
    let names: HashSet<&str> = drawn.cells.iter().map(|cell| cell.name.as_str()).collect();
    assert_eq!(names.len(), drawn.cells.len(), "a cell name twice: {}", position.write());
    let mut moves = Vec::new();
    position.turn(&mut moves);
    for mv in moves {
        for name in position.touched(mv) {
            assert!(names.contains(name.as_str()), "{mv:?} touches {name}, which is not drawn: {}", position.write());
        }
    }
}
