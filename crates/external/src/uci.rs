//! Engines that speak UCI.
//!
//! The engine keeps running from game to game; when it fails it is thrown away, and the next question starts a new one. Options are checked against those the
//! engine announces, so a wrong name is an error before the first move, not a silent default.

use super::process::Heard;
use super::{Dialect, EngineError, ExternalSpec, Process};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use tengen_core::{Line, Notation, Pov, Turn, Value, refuse};
use tengen_search::params::unknown;
use tengen_search::{Candidate, Fault, Lead, Limits, Period, Player, PlayerError, Thought, Watch};

/// How long an engine may take to start.
const START: Duration = Duration::from_secs(15);
/// How long it may take beyond its time before it counts as hung.
const GRACE: Duration = Duration::from_secs(5);
/// How often what it has found so far is passed on.
const REPORTS: Duration = Duration::from_millis(50);
/// How long it may think when no time was set, only nodes or a depth.
const PATIENCE: Duration = Duration::from_secs(600);
/// How long it may take to answer `stop`.
const STOP: Duration = Duration::from_secs(2);
/// What it gets to think if nobody says anything.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// An engine that speaks UCI, as a player.
pub struct UciPlayer<P: Notation> {
    spec: ExternalSpec,
    dialect: Dialect<P>,
    /// The text of the game's start, for which UCI has a word.
    initial: String,
    engine: Option<Engine>,
    /// The game it was asked about last.
    known: Option<Known<P::Move>>,
    /// Room for what it says while it thinks.
    room: String,
}

/// A game as the engine was told it: key of its start, moves, and the `position` line, which grows with them.
struct Known<M> {
    start: u64,
    moves: Vec<M>,
    text: String,
}

/// What an `info` line says.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Info<'a> {
    /// Plies of search.
    pub depth: Option<u32>,
    /// Positions looked at.
    pub nodes: Option<u64>,
    /// How far ahead the side to move is.
    pub lead: Option<Lead>,
    /// Whether the score is only a bound.
    pub bound: bool,
    /// Which of several lines this is, 1 the best.
    pub multipv: Option<u32>,
    /// The expected line.
    pub pv: &'a str,
}

/// Reads an `info` line; whatever is not understood is left out.
pub fn read_info(line: &str) -> Option<Info<'_>> {
    let mut words = line.split_whitespace();
    if words.next() != Some("info") {
        return None;
    }
    let mut info = Info::default();
    while let Some(word) = words.next() {
        match word {
            "depth" => info.depth = words.next().and_then(|text| text.parse().ok()),
            "nodes" => info.nodes = words.next().and_then(|text| text.parse().ok()),
            "multipv" => info.multipv = words.next().and_then(|text| text.parse().ok()),
            "lowerbound" | "upperbound" => info.bound = true,
            "score" => {
                let kind = words.next();
                let number = words.next().and_then(|text| text.parse::<i32>().ok());
                info.lead = match (kind, number) {
                    (Some("cp"), Some(hundredths)) => Some(Lead::Points(hundredths as f32 / 100.0)),
                    // The mating side makes the last move.
                    (Some("mate"), Some(moves)) if moves > 0 => Some(Lead::EndIn(moves.saturating_mul(2) - 1)),
                    (Some("mate"), Some(moves)) => Some(Lead::EndIn(moves.saturating_mul(2))),
                    _ => None,
                };
            }
            // It goes on to the end of the line.
            "pv" => {
                info.pv = line.split_once(" pv ").map_or("", |(_, moves)| moves.trim());
                break;
            }
            "string" => break,
            _ => {}
        }
    }
    Some(info)
}

/// What a lead is worth: the expected outcome at the usual scale, where four pawns are ten to one.
fn value_of(lead: Lead) -> Value {
    match lead {
        Lead::Points(pawns) => 2.0 / (1.0 + 10f32.powf(-pawns / 4.0)) - 1.0,
        Lead::EndIn(plies) if plies > 0 => 1.0,
        Lead::EndIn(_) => -1.0,
    }
}

/// An option as the engine announces it.
struct Announced {
    name: String,
    kind: String,
    least: Option<i64>,
    greatest: Option<i64>,
    choices: Vec<String>,
}

impl Announced {
    /// Reads `option name Skill Level type spin default 20 min 0 max 20`.
    fn read(line: &str) -> Option<Announced> {
        let rest = line.strip_prefix("option name ")?;
        let (name, rest) = rest.split_once(" type ")?;
        let mut words = rest.split_whitespace();
        let kind = words.next()?.to_owned();
        let mut announced =
            Announced { name: name.trim().to_owned(), kind, least: None, greatest: None, choices: vec![] };
        let mut choice: Option<Vec<&str>> = None;
        while let Some(word) = words.next() {
            match word {
                "min" if announced.kind == "spin" => announced.least = words.next().and_then(|text| text.parse().ok()),
                "max" if announced.kind == "spin" => {
                    announced.greatest = words.next().and_then(|text| text.parse().ok())
                }
                "var" => announced.choices.extend(choice.replace(Vec::new()).map(|words| words.join(" "))),
                _ => choice.iter_mut().for_each(|words| words.push(word)),
            }
        }
        announced.choices.extend(choice.map(|words| words.join(" ")));
        Some(announced)
    }

    /// The line that sets it, or why the value will not do.
    fn set(&self, value: &str) -> Result<String, String> {
        let name = &self.name;
        match self.kind.as_str() {
            "button" => return Ok(format!("setoption name {name}")),
            "check" if value != "true" && value != "false" => {
                return Err(format!("option `{name}` is true or false, not {}", refuse(value)));
            }
            "spin" => {
                let (least, greatest) = (self.least.unwrap_or(i64::MIN), self.greatest.unwrap_or(i64::MAX));
                if !value.parse().is_ok_and(|number: i64| (least..=greatest).contains(&number)) {
                    return Err(format!("option `{name}` is {least} to {greatest}, not {}", refuse(value)));
                }
            }
            "combo" if !self.choices.iter().any(|choice| choice.eq_ignore_ascii_case(value)) => {
                let known = self.choices.iter().map(String::as_str);
                return Err(format!("option `{name}`: {}", unknown("choice", value, known)));
            }
            _ => {}
        }
        Ok(format!("setoption name {name} value {value}"))
    }
}

/// The engine itself, whatever the game.
struct Engine {
    process: Process,
    options: Vec<Announced>,
}

impl Engine {
    fn start(spec: &ExternalSpec, variants: &[&str], chess960: bool) -> Result<Self, EngineError> {
        let mut engine = Engine { process: Process::start(spec)?, options: Vec::new() };
        engine.process.send("uci")?;
        let deadline = Instant::now() + START;
        loop {
            let line = engine.line(deadline, "it did not answer `uci`")?;
            if line == "uciok" {
                break;
            }
            engine.options.extend(Announced::read(&line));
        }
        // Step 1. The game.
        if let Some(usual) = variants.first() {
            let Some(option) = engine.option("UCI_Variant") else {
                let what = format!("it plays chess only, not {usual}: it has no option UCI_Variant");
                return Err(engine.process.error(Fault::Unsuited, what));
            };
            let Some(line) = variants.iter().find_map(|name| option.set(name).ok()) else {
                return Err(engine.process.error(Fault::Unsuited, format!("its UCI_Variant does not know {usual}")));
            };
            engine.process.send(&line)?;
        }
        if chess960 {
            let Some(option) = engine.option("UCI_Chess960") else {
                return Err(engine.process.error(Fault::Unsuited, "it does not play Chess960"));
            };
            let line = option.set("true").map_err(|what| engine.process.error(Fault::Unsuited, what))?;
            engine.process.send(&line)?;
        }
        // Step 2. What the player's text asks for.
        for (name, value) in &spec.settings {
            let set = match engine.option(name) {
                Some(option) => option.set(value),
                None => Err(unknown("option", name, engine.options.iter().map(|option| option.name.as_str()))),
            };
            let line = set.map_err(|what| engine.process.error(Fault::Setting, what))?;
            engine.process.send(&line)?;
        }
        engine.ready(START)?;
        Ok(engine)
    }

    fn option(&self, name: &str) -> Option<&Announced> {
        self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// The next line, or an error of this story when the deadline passes.
    fn line(&mut self, deadline: Instant, silent: &str) -> Result<String, EngineError> {
        if let Heard::Line(line) = self.process.hear(deadline, None)? {
            return Ok(line.trim().to_owned());
        }
        Err(self.process.error(Fault::Hang, silent))
    }

    fn ready(&mut self, patience: Duration) -> Result<(), EngineError> {
        self.process.send("isready")?;
        let deadline = Instant::now() + patience;
        while self.line(deadline, "it did not answer `isready`")? != "readyok" {}
        Ok(())
    }

    /// Asks and waits. `position` is given back as it was; `heard` is shown every line of news.
    fn go(
        &mut self,
        position: &mut String,
        go: &str,
        time: Option<Duration>,
        stop: &AtomicBool,
        heard: &mut dyn FnMut(&str),
    ) -> Result<String, EngineError> {
        // One writing for both lines wakes the engine once.
        let length = position.len();
        position.extend(["\n", go, "\n"]);
        let written = self.process.write(position);
        position.truncate(length);
        written?;
        let mut deadline = Instant::now() + time.map_or(PATIENCE, |time| time + GRACE);
        let mut told_to_stop = false;
        loop {
            let stop = (!told_to_stop).then_some(stop);
            let line = match self.process.hear(deadline, stop)? {
                Heard::Line(line) => line,
                Heard::Nothing if told_to_stop => {
                    return Err(self.process.error(Fault::Hang, format!("no answer to `{go}`, nor to `stop`")));
                }
                Heard::Nothing | Heard::Stopped => {
                    told_to_stop = true;
                    self.process.send("stop")?;
                    deadline = Instant::now() + STOP;
                    continue;
                }
            };
            let mut words = line.split_whitespace();
            match words.next() {
                Some("bestmove") => match words.next() {
                    Some(best) => return Ok(best.to_owned()),
                    None => return Err(self.process.error(Fault::Protocol, "`bestmove` without a move")),
                },
                Some("info") => heard(line),
                // Whatever else it says is not for us.
                _ => {}
            }
        }
    }
}

impl<P: Notation> UciPlayer<P> {
    /// Starts the engine and checks its options. `initial` is the game's usual start.
    pub fn start(spec: ExternalSpec, dialect: Dialect<P>, initial: &P) -> Result<Self, EngineError> {
        let engine = Some(Engine::start(&spec, dialect.variants, dialect.chess960)?);
        Ok(UciPlayer { spec, dialect, initial: initial.write(), engine, known: None, room: String::new() })
    }

    /// The game of a line before its first move.
    fn known(&self, line: &Line<P>) -> Known<P::Move> {
        let start = line.start().write();
        let text = if start == self.initial { "position startpos".to_owned() } else { format!("position fen {start}") };
        Known { start: line.start().key(), moves: Vec::new(), text }
    }

    /// Adds the moves of a line that are new.
    fn follow(&self, known: &mut Known<P::Move>, line: &Line<P>) {
        let old = known.moves.len();
        for (position, &mv) in line.positions().iter().zip(line.moves()).skip(old) {
            known.text.push_str(if known.moves.is_empty() { " moves " } else { " " });
            known.text.push_str(&(self.dialect.uci_move)(position, mv));
            known.moves.push(mv);
        }
    }

    /// What the engine has found, and its move.
    fn ask<'a>(
        &mut self,
        line: &'a Line<P>,
        limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
    ) -> Result<(Found<'a, P>, P::Move), PlayerError> {
        let mut moves = Vec::new();
        if !matches!(line.turn(&mut moves), Turn::Decision(_)) {
            return Err(PlayerError::NothingToDecide);
        }
        // An engine that fails is dropped on the way out, and with it its process.
        // Step 1. An engine that is awake, and knows whether this is a new game.
        let mut engine = match self.engine.take() {
            Some(engine) => engine,
            None => {
                self.known = None;
                Engine::start(&self.spec, self.dialect.variants, self.dialect.chess960)?
            }
        };
        let goes_on =
            |known: &Known<P::Move>| line.moves().starts_with(&known.moves) && known.start == line.start().key();
        let mut known = match self.known.take().filter(goes_on) {
            Some(known) => known,
            None => {
                engine.process.send("ucinewgame")?;
                engine.ready(START)?;
                self.known(line)
            }
        };
        self.follow(&mut known, line);
        // Step 2. The question.
        let limits = limits.and(&self.spec.limits);
        let (go, time) = go_command(&limits);
        let mut found = Found::new(line, std::mem::take(&mut self.room));
        let report = &mut *watch.report;
        let answer = engine.go(&mut known.text, &go, time, watch.stop, &mut |text| found.hear(text, report))?;
        // Step 3. The answer.
        if matches!(answer.as_str(), "(none)" | "0000" | "NULL") {
            // It believes that it has lost already; it need not be started anew for that.
            self.engine = Some(engine);
            return Err(PlayerError::Resigned);
        }
        let best = match legal(line, &moves, &answer) {
            Ok(best) => best,
            Err(why) => return Err(engine.process.error(Fault::Illegal, why).into()),
        };
        self.known = Some(known);
        self.engine = Some(engine);
        self.room = found.read();
        Ok((found, best))
    }
}

/// What an engine has said so far about a position.
struct Found<'a, P: Notation> {
    line: &'a Line<P>,
    nodes: u64,
    depth: u32,
    lead: Option<Lead>,
    /// The expected line as the engine wrote it: only the last one is ever read as moves.
    pv: String,
    /// News that nobody has looked at yet, a line each: of most of it only the end counts.
    unread: String,
    reported: Instant,
}

impl<'a, P: Notation> Found<'a, P> {
    /// `room` is where its news is kept until it is read.
    fn new(line: &'a Line<P>, room: String) -> Self {
        Found { line, nodes: 0, depth: 0, lead: None, pv: String::new(), unread: room, reported: Instant::now() }
    }

    fn hear(&mut self, text: &str, report: &mut dyn FnMut(&Thought<P::Move>)) {
        self.unread.push_str(text);
        self.unread.push('\n');
        if self.reported.elapsed() >= REPORTS {
            self.reported = Instant::now();
            self.unread = self.read();
            if let Some(&first) = self.moves().first() {
                report(&self.thought(first));
            }
        }
    }

    /// Reads the news from its end, as far back as it says something new, and gives back its room.
    fn read(&mut self) -> String {
        let (mut nodes, mut score) = (None, None);
        let lines = self.unread.lines().rev().filter_map(read_info);
        for info in lines.filter(|info| info.multipv.is_none_or(|number| number == 1)) {
            nodes = nodes.or(info.nodes);
            if !info.bound && info.lead.is_some() {
                score = Some(info);
                break;
            }
        }
        if let Some(info) = score {
            self.lead = info.lead;
            self.depth = info.depth.unwrap_or(self.depth);
            info.pv.clone_into(&mut self.pv);
        }
        self.nodes = nodes.unwrap_or(self.nodes);
        let mut room = std::mem::take(&mut self.unread);
        room.clear();
        room
    }

    /// The expected line, as far as it is legal.
    fn moves(&self) -> Vec<P::Move> {
        let mut position = self.line.position().clone();
        let read = |text| {
            let mv = position.read_move(text).ok()?;
            position.play(mv);
            Some(mv)
        };
        self.pv.split_whitespace().map_while(read).collect()
    }

    /// What it thinks when this move is its choice.
    fn thought(&self, best: P::Move) -> Thought<P::Move> {
        let mut pv = self.moves();
        if pv.first() != Some(&best) {
            // A line that begins otherwise is not the line of this move.
            pv = vec![best];
        }
        let decision = self.decision(best);
        let (lead, value) = (decision.lead, decision.value);
        let candidate = Candidate { lead, pv: pv.clone(), ..Candidate::new(best, self.nodes, value) };
        Thought { pv, candidates: vec![candidate], ..decision }
    }

    /// The same without the line behind the move.
    fn decision(&self, best: P::Move) -> Thought<P::Move> {
        let side = self.line.position().to_move();
        let value = Pov::of(side, self.lead.map_or(0.0, value_of));
        let lead = self.lead.map(|lead| Pov::of(side, lead));
        Thought { lead, ..Thought::new(best, value, self.nodes, self.depth, Vec::new()) }
    }
}

/// The legal move that a text names; `moves` are those there are.
pub(super) fn legal<P: Notation>(line: &Line<P>, moves: &[P::Move], text: &str) -> Result<P::Move, String> {
    let position = line.position();
    // Some engines write squares in capitals.
    let read = position.read_move(text).or_else(|error| position.read_move(&text.to_lowercase()).map_err(|_| error));
    let mv = read.map_err(|error| format!("it played {}: {error}", refuse(text)))?;
    match moves.contains(&mv) {
        true => Ok(mv),
        false if line.repeats(mv) => Err(format!("it played {}, which repeats an earlier position", refuse(text))),
        false => Err(format!("it played {}, which is not legal here", refuse(text))),
    }
}

/// The `go` line for some limits, and how long it may take.
fn go_command(limits: &Limits) -> (String, Option<Duration>) {
    if limits.endless {
        // Whoever wants this sets the stop sign; patience is as long as it gets.
        return ("go infinite".to_owned(), Some(Duration::from_secs(86_400)));
    }
    let mut go = "go".to_owned();
    let mut time = limits.time;
    if let Some(clock) = limits.clock {
        let fresh = match clock.period {
            Period::None => Duration::ZERO,
            Period::Byoyomi { length, .. } => length,
            Period::Canadian { length, stones } => length / stones.max(1),
        };
        // UCI has no byo-yomi: a period that comes anew with every move is an increment that is there already.
        let (left, increment) = ((clock.left + fresh).as_millis().max(1), (clock.increment + fresh).as_millis());
        go.push_str(&format!(" wtime {left} btime {left} winc {increment} binc {increment}"));
        if let Some(moves) = clock.moves_to_go {
            go.push_str(&format!(" movestogo {moves}"));
        }
        let all = clock.left + fresh + clock.increment;
        time = Some(time.map_or(all, |time| time.min(all)));
    }
    if let Some(time) = limits.time {
        go.push_str(&format!(" movetime {}", time.as_millis().max(1)));
    }
    if let Some(nodes) = limits.nodes.or(limits.visits) {
        go.push_str(&format!(" nodes {nodes}"));
    }
    if let Some(depth) = limits.depth {
        go.push_str(&format!(" depth {depth}"));
    }
    if go == "go" {
        go = format!("go movetime {}", DEFAULT_TIME.as_millis());
        time = Some(DEFAULT_TIME);
    }
    (go, time)
}

impl<P: Notation> Player<P> for UciPlayer<P> {
    fn think(
        &mut self,
        line: &Line<P>,
        limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
    ) -> Result<Thought<P::Move>, PlayerError> {
        self.ask(line, limits, watch).map(|(found, best)| found.thought(best))
    }

    fn decide(
        &mut self,
        line: &Line<P>,
        limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
    ) -> Result<Thought<P::Move>, PlayerError> {
        self.ask(line, limits, watch).map(|(found, best)| found.decision(best))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn news_is_read_with_suspicion() {
        let info =
            read_info("info depth 12 seldepth 20 multipv 1 score cp -34 nodes 4711 nps 1 pv e2e4 e7e5").expect("news");
        assert_eq!((info.depth, info.nodes, info.lead), (Some(12), Some(4711), Some(Lead::Points(-0.34))));
        assert_eq!(info.pv, "e2e4 e7e5");
        for (text, lead) in [
            ("info score mate 3", Some(Lead::EndIn(5))),
            ("info score mate -2", Some(Lead::EndIn(-4))),
            ("info score mate", None),
            ("info score cp many", None),
            ("info depth score cp", None),
            ("info string score cp 12", None),
        ] {
            assert_eq!(read_info(text).expect(text).lead, lead, "{text}");
        }
        assert_eq!(read_info("bestmove e2e4"), None);
    }

    #[test]
    fn announced_options_are_checked() {
        let level = Announced::read("option name Skill Level type spin default 20 min 0 max 20").expect("an option");
        assert_eq!(level.set("7").as_deref(), Ok("setoption name Skill Level value 7"));
        assert!(level.set("21").expect_err("too much").contains("0 to 20"));
        let style = Announced::read("option name Style type combo default Normal var Solid Play var Normal")
            .expect("an option");
        assert_eq!(style.choices, ["Solid Play", "Normal"]);
        assert!(style.set("normla").expect_err("no such choice").contains("`Normal`"));
        assert!(Announced::read("option with no name").is_none());
    }

    #[test]
    fn limits_become_go() {
        let ms = |ms| Some(Duration::from_millis(ms));
        for (limits, go) in [
            (Limits::default(), "go movetime 1000"),
            (Limits { time: ms(50), ..Limits::default() }, "go movetime 50"),
            (Limits { nodes: Some(9), depth: Some(3), ..Limits::default() }, "go nodes 9 depth 3"),
            (Limits { endless: true, ..Limits::default() }, "go infinite"),
        ] {
            assert_eq!(go_command(&limits).0, go);
        }
    }
}
