//! Engines that speak the Go Text Protocol, also about other games than Go.
//!
//! The engine is kept at the line it was told: it is told what is new, takes back what is not, and begins again when that is
//! simpler. Its opinion of the score decides nothing: when it wants to pass and counts otherwise than the rules do, it is asked to
//! clean up first, if it can.

use super::process::Heard;
use super::uci::legal;
use super::{Dialect, EngineError, ExternalSpec, GtpStart, Process};
use std::collections::HashSet;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use tengen_core::{Line, Notation, Pov, Side, Turn, refuse};
use tengen_search::params::unknown;
use tengen_search::{Candidate, Fault, GameClock, Limits, Period, Player, PlayerError, Thought, Watch};

/// How long an engine may take to start.
const START: Duration = Duration::from_secs(15);
/// How long it may take for anything but a move.
const QUICK: Duration = Duration::from_secs(30);
/// How long it may take beyond its time before it counts as hung.
const GRACE: Duration = Duration::from_secs(10);
/// How long it may think when no time was set: its own levels decide then.
const PATIENCE: Duration = Duration::from_secs(600);
/// Lines before an answer that are no answer; more than this is no protocol.
const MOST_NOISE: usize = 1000;

/// An engine that speaks GTP, as a player.
pub struct GtpPlayer<P: Notation> {
    spec: ExternalSpec,
    dialect: Dialect<P>,
    engine: Option<Engine>,
    /// What it was told: the key of the start, and the moves.
    told: Option<(u64, Vec<P::Move>)>,
}

/// The engine itself, whatever the game.
struct Engine {
    process: Process,
    commands: HashSet<String>,
    /// It did not want to hear of a pass that was forced (GRhino), so what it can undo is not what it was told.
    skips_passes: bool,
}

impl Engine {
    fn start(spec: &ExternalSpec) -> Result<Self, EngineError> {
        let mut engine = Engine { process: Process::start(spec)?, commands: HashSet::new(), skips_passes: false };
        let list = engine.command("list_commands", START)?;
        engine.commands = list.split_whitespace().map(str::to_owned).collect();
        for (key, value) in &spec.settings {
            // `cmd=level 10` is sent as it is; `level=10` is the same, if the engine has such a command.
            let (name, line) = match key.as_str() {
                "cmd" => (value.split_whitespace().next().unwrap_or_default(), value.clone()),
                "threads" | "Threads" => continue,
                _ => (key.as_str(), format!("{key} {value}")),
            };
            if !engine.knows(name) {
                let what = unknown("command", name, engine.commands.iter().map(String::as_str));
                return Err(engine.process.error(Fault::Setting, what));
            }
            engine.command(&line, START).map_err(|mut error| {
                error.fault = Fault::Setting;
                error
            })?;
        }
        Ok(engine)
    }

    fn knows(&self, command: &str) -> bool {
        self.commands.contains(command)
    }

    /// How many moves it can take back; setting up the game again is quicker than more than a few.
    fn can_undo(&self) -> usize {
        if self.knows("undo") && !self.skips_passes { 4 } else { 0 }
    }

    /// Sends a command and waits for the answer, without its sign and trailing space.
    fn command(&mut self, line: &str, patience: Duration) -> Result<String, EngineError> {
        match self.ask(line, patience, None)? {
            Ok(answer) => Ok(answer),
            Err(refusal) => {
                let what = format!("it refused `{line}`: {}", refuse(&refusal));
                Err(self.process.error(Fault::Protocol, what))
            }
        }
    }

    /// Sends a command; the inner error is what the engine says when it refuses.
    fn ask(
        &mut self,
        line: &str,
        patience: Duration,
        stop: Option<&AtomicBool>,
    ) -> Result<Result<String, String>, EngineError> {
        self.process.send(line)?;
        let deadline = Instant::now() + patience;
        let mut answer: Option<(bool, String)> = None;
        let mut noise = 0;
        loop {
            let text = match self.process.hear(deadline, stop)? {
                Heard::Line(text) => text,
                Heard::Nothing => return Err(self.process.error(Fault::Hang, format!("no answer to `{line}`"))),
                Heard::Stopped => return Err(self.process.error(Fault::Hang, format!("stopped during `{line}`"))),
            };
            let text = text.trim_end();
            match &mut answer {
                None if text.starts_with(['=', '?']) => {
                    // An id may follow the sign; we send none, but some engines number by themselves.
                    let rest = text[1..].trim_start_matches(|c: char| c.is_ascii_digit()).trim();
                    answer = Some((text.starts_with('='), rest.to_owned()));
                }
                None if text.trim().is_empty() => {}
                None => {
                    noise += 1;
                    if noise > MOST_NOISE {
                        return Err(self
                            .process
                            .error(Fault::Protocol, format!("nonsense instead of an answer to `{line}`")));
                    }
                }
                Some((accepted, answer)) if text.is_empty() => {
                    let answer = std::mem::take(answer);
                    return Ok(if *accepted { Ok(answer) } else { Err(answer) });
                }
                Some((_, answer)) => {
                    answer.push('\n');
                    answer.push_str(text);
                }
            }
        }
    }

    /// Sets up the start of a game.
    fn set_up(&mut self, start: &GtpStart) -> Result<(), EngineError> {
        if let Some(game) = start.game
            && self.knows("set_game")
        {
            self.command(&format!("set_game {game}"), QUICK)?;
        }
        if let Some(size) = start.size
            && let Err(refusal) = self.ask(&format!("boardsize {size}"), QUICK, None)?
        {
            let what = format!("it does not play on {size} lines: {}", refuse(&refusal));
            return Err(self.process.error(Fault::Unsuited, what));
        }
        self.command("clear_board", QUICK)?;
        if let Some(komi) = start.komi {
            self.command(&format!("komi {komi}"), QUICK)?;
        }
        if let Some(rules) = start.rules {
            // Neither command is in the standard; an engine without them is told its rules by its own options.
            let command = ["kata-set-rules", "kgs-rules"].into_iter().find(|command| self.knows(command));
            if let Some(command) = command {
                // It may not know these rules: then it plays by its own, and is judged by ours.
                let _ = self.ask(&format!("{command} {rules}"), QUICK, None)?;
            }
        }
        if !start.handicap.is_empty() {
            // As `play`, the stones would look like moves of an even game.
            self.command(&format!("set_free_handicap {}", start.handicap.join(" ")), QUICK)?;
        }
        for (side, point) in &start.stones {
            self.command(&format!("play {} {point}", colour(*side)), QUICK)?;
        }
        Ok(())
    }

    /// Tells the time control, as exactly as the engine can understand it.
    fn time_control(&mut self, limits: &Limits) -> Result<(), EngineError> {
        let seconds = |time: Duration| time.as_secs_f64();
        // The standard knows whole seconds only.
        let whole = |time: Duration| time.as_secs_f64().ceil().max(1.0) as u64;
        let (kata, kgs) = (self.knows("kata-time_settings"), self.knows("kgs-time_settings"));
        let line = match (limits.clock, limits.time) {
            (Some(clock), _) => match clock.period {
                Period::None if clock.increment.is_zero() => format!("time_settings {} 0 0", whole(clock.left)),
                Period::None if kata => {
                    format!("kata-time_settings fischer {} {}", seconds(clock.left), seconds(clock.increment))
                }
                // An increment after every move is much like a stone in that time.
                Period::None => format!("time_settings {} {} 1", whole(clock.left), whole(clock.increment)),
                Period::Byoyomi { length, left } if kgs => {
                    format!("kgs-time_settings byoyomi {} {} {left}", whole(clock.left), whole(length))
                }
                Period::Byoyomi { length, left } if kata => {
                    format!("kata-time_settings byoyomi {} {} {left}", seconds(clock.left), seconds(length))
                }
                Period::Byoyomi { length, .. } => format!("time_settings {} {} 1", whole(clock.left), whole(length)),
                Period::Canadian { length, stones } => {
                    format!("time_settings {} {} {stones}", whole(clock.left), whole(length))
                }
            },
            (None, Some(time)) => format!("time_settings 0 {} 1", whole(time)),
            (None, None) => return Ok(()),
        };
        // An engine without clocks is still held to its time by whoever runs the match.
        self.ask(&line, QUICK, None).map(|_| ())
    }

    fn time_left(&mut self, side: Side, clock: &GameClock) -> Result<(), EngineError> {
        if !self.knows("time_left") {
            return Ok(());
        }
        let (time, stones) = match clock.period {
            Period::Byoyomi { length, left } if clock.left.is_zero() => (length, left),
            Period::Canadian { length, stones } if clock.left.is_zero() => (length, stones),
            _ => (clock.left, 0),
        };
        self.ask(&format!("time_left {} {} {stones}", colour(side), time.as_secs()), QUICK, None).map(|_| ())
    }

    /// By how many points `First` is ahead in the engine's opinion, if it has one.
    fn final_score(&mut self) -> Result<Option<f32>, EngineError> {
        if !self.knows("final_score") {
            return Ok(None);
        }
        let answer = self.ask("final_score", QUICK, None)?.unwrap_or_default();
        let lead = match answer.split_at_checked(2) {
            Some(("B+" | "b+", points)) => points.parse().ok(),
            Some(("W+" | "w+", points)) => points.parse().ok().map(|points: f32| -points),
            _ => (answer == "0").then_some(0.0),
        };
        Ok(lead)
    }
}

/// `First` is Black: in Go and Othello he moves first.
fn colour(side: Side) -> &'static str {
    match side {
        Side::First => "black",
        Side::Second => "white",
    }
}

impl<P: Notation> GtpPlayer<P> {
    /// Starts the engine, gives it its settings, and sees whether it can set up `start`.
    pub fn start(spec: ExternalSpec, dialect: Dialect<P>, start: &P) -> Result<Self, EngineError> {
        let mut engine = Engine::start(&spec)?;
        engine.set_up(&(dialect.gtp_start)(start))?;
        Ok(GtpPlayer { spec, dialect, engine: Some(engine), told: None })
    }

    /// Brings the engine to the line.
    fn follow(&mut self, engine: &mut Engine, line: &Line<P>, limits: &Limits) -> Result<(), PlayerError> {
        let (start, moves) = (line.start().key(), line.moves());
        let told = self.told.take().filter(|(key, _)| *key == start).map(|(_, told)| told);
        let common = |told: &[P::Move]| told.iter().zip(moves).take_while(|(a, b)| a == b).count();
        let known = match told {
            // A few moves back are taken back; anything else is another game.
            Some(told) if told.len() - common(&told) <= engine.can_undo() => {
                for _ in common(&told)..told.len() {
                    engine.command("undo", QUICK)?;
                }
                common(&told)
            }
            _ => {
                let start = (self.dialect.gtp_start)(line.start());
                if let Some(why) = &start.unspeakable {
                    return Err(PlayerError::Unsuited(why.clone()));
                }
                engine.set_up(&start)?;
                engine.time_control(limits)?;
                0
            }
        };
        for (position, &mv) in line.positions().iter().zip(moves).skip(known) {
            let text = position.write_move(mv);
            let side = colour(position.to_move());
            if let Err(refusal) = engine.ask(&format!("play {side} {text}"), QUICK, None)? {
                if text == "pass" && self.dialect.count.is_none() {
                    // The only legal move goes without saying where games do not end by passing.
                    engine.skips_passes = true;
                    continue;
                }
                let what = format!("it refused the legal move {text} of {side}: {}", refuse(&refusal));
                return Err(engine.process.error(Fault::Protocol, what).into());
            }
        }
        Ok(())
    }

    fn consult(
        &mut self,
        line: &Line<P>,
        moves: &[P::Move],
        limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
    ) -> Result<Thought<P::Move>, PlayerError> {
        let mut engine = match self.engine.take() {
            Some(engine) => engine,
            None => {
                self.told = None;
                Engine::start(&self.spec)?
            }
        };
        let limits = limits.and(&self.spec.limits);
        self.follow(&mut engine, line, &limits)?;
        let side = line.position().to_move();
        let mut patience = limits.time.map_or(PATIENCE, |time| time + GRACE);
        if let Some(clock) = &limits.clock {
            engine.time_left(side, clock)?;
            let fresh = match clock.period {
                Period::None => clock.increment,
                Period::Byoyomi { length, left } => length * left,
                Period::Canadian { length, .. } => length,
            };
            patience = patience.min(clock.left + fresh + GRACE);
        }
        let genmove = format!("genmove {}", colour(side));
        let mut answer = engine.ask(&genmove, patience, Some(watch.stop))?;
        if let Some(count) = self.dialect.count
            && answer.as_ref().is_ok_and(|text| text.eq_ignore_ascii_case("pass"))
            && engine.knows("kgs-genmove_cleanup")
            && engine.knows("undo")
        {
            // Stones that the engine takes for dead stand on the board, and the rules count what stands there.
            let theirs = engine.final_score()?;
            let ours = count(line.position());
            if theirs.is_some_and(|theirs| theirs.signum() != ours.signum() || (theirs == 0.0) != (ours == 0.0)) {
                engine.command("undo", QUICK)?;
                let cleanup = format!("kgs-genmove_cleanup {}", colour(side));
                answer = engine.ask(&cleanup, patience, Some(watch.stop))?;
            }
        }
        let text = match answer {
            Ok(text) => text,
            Err(refusal) => {
                let what = format!("it refused `{genmove}`: {}", refuse(&refusal));
                return Err(engine.process.error(Fault::Protocol, what).into());
            }
        };
        if text.eq_ignore_ascii_case("resign") {
            // It did not play a move, so it still stands where the line does.
            self.told = Some((line.start().key(), line.moves().to_vec()));
            self.engine = Some(engine);
            return Err(PlayerError::Resigned);
        }
        let best = match legal(line, moves, &text) {
            Ok(best) => best,
            Err(why) => return Err(engine.process.error(Fault::Illegal, why).into()),
        };
        let mut told = line.moves().to_vec();
        told.push(best);
        self.told = Some((line.start().key(), told));
        self.engine = Some(engine);
        Ok(Thought::new(best, Pov::even(), 0, 0, vec![Candidate::new(best, 0, Pov::even())]))
    }
}

impl<P: Notation> Player<P> for GtpPlayer<P> {
    fn think(
        &mut self,
        line: &Line<P>,
        limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
    ) -> Result<Thought<P::Move>, PlayerError> {
        let mut moves = Vec::new();
        if !matches!(line.turn(&mut moves), Turn::Decision(_)) {
            return Err(PlayerError::NothingToDecide);
        }
        // An engine that fails is dropped on the way out, and with it its process.
        self.consult(line, &moves, limits, watch)
    }
}
