//! One variant's engine with the game it is in, behind a face that does not name the variant.

use super::command::Go;
use super::options::Options;
use super::{Control, Output};
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tengen_chess::book::Book;
use tengen_chess::score::{Told, told, win_draw_loss};
use tengen_chess::{ChessEngine, ChessParams, Playable, Question, Report, SearchParams, Tablebases, movable};
use tengen_core::{Line, Notation, Position, Side, Turn, refuse};
use tengen_games::chess::{
    AntichessRules, AtomicRules, Board, Chess960Rules, ChessRules, CrazyhouseRules, HordeRules, KingOfTheHillRules,
    Move, RacingKingsRules, ThreeCheckRules, Variant,
};
use tengen_search::params::Params;
use tengen_search::{Bound, GameClock, Limits, Period};
use tengen_table::memory;

/// What the loop needs of an engine.
pub(super) trait Session: Send {
    /// Sets up a position, or leaves the old one if anything is wrong with the new one.
    fn position(&mut self, fen: Option<&str>, moves: &[String]) -> Result<(), String>;
    /// Thinks until a limit or the control ends it; returns the line with the best move, which is due then.
    fn go(&mut self, go: &Go, control: &Control, options: &Options, output: &Output) -> String;
    /// Makes the engine follow options that have changed; says what it could not do.
    fn follow(&mut self, before: &Options, now: &Options) -> Vec<String>;
    fn new_game(&mut self);
    fn show(&self) -> String;
    fn eval(&self) -> String;
}

/// The session for a variant, by Tengen's name of it, and what could not be done as the options say.
pub(super) fn open(options: &Options) -> Result<(Box<dyn Session>, Vec<String>), String> {
    fn session<V: Playable>(options: &Options) -> Result<(Box<dyn Session>, Vec<String>), String> {
        // A small table to begin with: if there is no room for the one asked for, it is what is left.
        let small = Options { hash: 1, ..Options::default() };
        let params = ChessParams { hash: small.hash, ..ChessParams::default() };
        let mut session = Game { engine: ChessEngine::<V>::new(params)?, line: Line::new(Board::new()) };
        session.engine.set_seed(chance());
        let complaints = session.follow(&small, options);
        Ok((Box::new(session), complaints))
    }
    match options.variant {
        "crazyhouse" => session::<CrazyhouseRules>(options),
        "threecheck" => session::<ThreeCheckRules>(options),
        "koth" => session::<KingOfTheHillRules>(options),
        "atomic" => session::<AtomicRules>(options),
        "racingkings" => session::<RacingKingsRules>(options),
        "antichess" => session::<AntichessRules>(options),
        "horde" => session::<HordeRules>(options),
        _ if options.chess960 => session::<Chess960Rules>(options),
        _ => session::<ChessRules>(options),
    }
}

struct Game<V: Playable> {
    engine: ChessEngine<V>,
    line: Line<Board<V>>,
}

impl<V: Playable> Session for Game<V> {
    fn position(&mut self, fen: Option<&str>, moves: &[String]) -> Result<(), String> {
        let start = match fen {
            None => Board::<V>::new(),
            Some(text) => Board::<V>::read(text).map_err(|error| error.to_string())?,
        };
        let mut line = Line::new(start);
        for text in moves {
            let mv = read_move(line.position(), text)?;
            line.push(mv);
        }
        self.line = line;
        Ok(())
    }

    fn go(&mut self, go: &Go, control: &Control, options: &Options, output: &Output) -> String {
        let position = self.line.position().clone();
        let clock = control.start;
        let mut moves = Vec::new();
        for text in &go.moves {
            match read_move(&position, text) {
                Ok(mv) => moves.push(mv),
                Err(complaint) => output.note(&complaint),
            }
        }
        let pulse = |nodes: u64, time: Duration| {
            let speed = u128::from(nodes) * 1_000_000 / time.as_micros().max(1);
            output.line(&format!("info nodes {nodes} nps {speed} time {}", time.as_millis()));
        };
        let question = Question {
            mate: go.mate,
            moves,
            lines: if options.limit_strength && !options.analyse { 1 } else { options.lines },
            pulse: Some(&pulse),
            ..Question::new(limits(go, position.to_move(), options), &clock, &control.stop, &control.pondering)
        };
        let mut report = |lines: &[Report]| {
            for line in lines {
                output.news(&info(&position, line, options.show_wdl));
            }
        };
        let answer = self.engine.search(&self.line, &question, &mut report);
        if let (Some(moves), Some(answer)) = (go.mate, &answer) {
            let found = |line: &Report| matches!(told(line.score), Told::Mate(found) if (1..=i64::from(moves)).contains(&i64::from(found)));
            if !answer.lines.iter().any(found) {
                output.note(&format!("no mate in {moves} found"));
            }
        }
        // A move from the book has no line; whoever waits for a score gets one all the same.
        if let Some(answer) = answer.as_ref().filter(|answer| answer.lines.is_empty()) {
            output.line(&format!("info depth 0 score cp 0 nodes 0 time 0 pv {}", position.write_move(answer.best)));
        }
        // `infinite` and `ponder` are answered when the GUI says so, however soon the search was done.
        control.wait_until_due(go.infinite || !go.is_limited(), output);
        match answer {
            Some(answer) => {
                let mut text = format!("bestmove {}", position.write_move(answer.best));
                if let Some(reply) = answer.ponder {
                    let mut next = position.clone();
                    next.play(answer.best);
                    let _ = write!(text, " ponder {}", next.write_move(reply));
                }
                text
            }
            None => {
                let mated = matches!(self.line.turn(&mut Vec::new()), Turn::Over(tengen_core::Outcome::Win(_)));
                output.line(if mated { "info depth 0 score mate 0" } else { "info depth 0 score cp 0" });
                "bestmove (none)".to_owned()
            }
        }
    }

    fn follow(&mut self, before: &Options, now: &Options) -> Vec<String> {
        let mut complaints = Vec::new();
        if before.hash != now.hash {
            complaints.extend(memory::check(now.hash).and_then(|()| self.engine.set_hash(now.hash)).err());
        }
        self.engine.set_threads(now.threads);
        self.engine.set_elo((now.limit_strength && !now.analyse).then_some(now.elo));
        if before.search != now.search {
            match SearchParams::with(&now.search) {
                Ok(params) => self.engine.set_search_params(params),
                Err(error) => complaints.push(error.to_string()),
            }
        }
        if before.syzygy != now.syzygy {
            self.engine.set_tablebases(None);
            if !now.syzygy.is_empty() {
                match Tablebases::open(&now.syzygy) {
                    Ok(tables) => self.engine.set_tablebases(Some(Arc::new(tables))),
                    Err(complaint) => complaints.push(complaint),
                }
            }
        }
        let wanted = |options: &Options| options.own_book && !options.analyse;
        if (&before.book, wanted(before)) != (&now.book, wanted(now)) {
            self.engine.set_book(None);
            if wanted(now) && !now.book.is_empty() {
                match Book::open(&now.book) {
                    Ok(book) => self.engine.set_book(Some(Arc::new(book))),
                    Err(complaint) => complaints.push(complaint),
                }
            }
        }
        complaints
    }

    fn new_game(&mut self) {
        self.engine.new_game();
        self.engine.set_seed(chance());
    }

    fn show(&self) -> String {
        self.line.position().write()
    }

    fn eval(&self) -> String {
        match V::orthodox(self.line.position()) {
            Some(rules) => tengen_chess::evaluate::show(&tengen_chess::Orthodox::new(rules)).to_string(),
            None => format!("the evaluation of {} is not shown term by term", V::NAME),
        }
    }
}

/// The move that a GUI names. A game that is drawn by the rules goes on as long as the GUI says so.
fn read_move<V: Variant>(position: &Board<V>, text: &str) -> Result<Move, String> {
    let drawn = || movable(position).into_iter().find(|&mv| position.write_move(mv) == text);
    position.read_move(text).or_else(|error| drawn().ok_or_else(|| error.to_string()))
}

/// What the GUI's `go` means for the side to move.
fn limits(go: &Go, side: Side, options: &Options) -> Limits {
    if go.infinite || !go.is_limited() {
        return Limits { endless: true, ..Limits::default() };
    }
    let overhead = Duration::from_millis(options.overhead);
    let (us, them) = (side.index(), side.other().index());
    // With one clock only, it is the clock.
    let clock = go.time[us].or(go.time[them]).map(|left| GameClock {
        left,
        increment: go.increment[us].unwrap_or(if go.time[us].is_some() {
            Duration::ZERO
        } else {
            go.increment[them].unwrap_or_default()
        }),
        moves_to_go: go.moves_to_go,
        period: Period::None,
        overhead,
    });
    // A mate that nobody else sets a limit for is looked for as far as it can hide from the search, and in very long ones for some seconds
    // a move: where there is none, the search ends all the same.
    if let (Some(moves), None, None, None, None) = (go.mate, go.move_time, go.nodes, go.depth, clock) {
        let moves = moves.clamp(1, 1000);
        return Limits { depth: Some(2 * moves + 6), nodes: Some(5_000_000 * u64::from(moves)), ..Limits::default() };
    }
    // The way back to the GUI takes time as well, but never most of it.
    let time = go.move_time.map(|time| time.saturating_sub(overhead.min(time / 4)).max(Duration::from_millis(1)));
    Limits { time, nodes: go.nodes, depth: go.depth.map(|depth| depth.max(1)), clock, ..Limits::default() }
}

/// One line of news.
fn info<V: Variant>(position: &Board<V>, report: &Report, show_wdl: bool) -> String {
    let mut text = format!(
        "info depth {} seldepth {} multipv {} score ",
        report.depth,
        report.deepest.max(report.depth),
        report.rank
    );
    let _ = match told(report.score) {
        Told::Centipawns(score) => write!(text, "cp {score}"),
        Told::Mate(moves) => write!(text, "mate {moves}"),
    };
    text.push_str(match report.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    });
    if show_wdl {
        let [win, draw, loss] = win_draw_loss(report.score);
        let _ = write!(text, " wdl {win} {draw} {loss}");
    }
    let micros = report.elapsed.as_micros().max(1);
    let speed = u128::from(report.nodes) * 1_000_000 / micros;
    let _ = write!(
        text,
        " nodes {} nps {speed} hashfull {} tbhits {} time {} pv",
        report.nodes,
        report.full,
        report.tablebase_hits,
        micros / 1000
    );
    let mut position = position.clone();
    for &mv in &report.pv {
        text.push(' ');
        text.push_str(&position.write_move(mv));
        position.play(mv);
    }
    text
}

/// A number that is another one every time: games from a book, and a weaker player's mistakes, should not repeat themselves.
fn chance() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |time| time.as_nanos() as u64)
}

/// A moment for everything that begins now.
pub(super) fn now() -> Instant {
    Instant::now()
}

/// A text that is too long to quote.
pub(super) fn too_long(start: &str) -> String {
    format!("the line is too long: {}", refuse(start))
}
