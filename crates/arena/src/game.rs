//! One game between two players, played with all types known.
//!
//! Nothing goes through text or drawings on the way but the record itself: between Tengen's own players the runner costs a few
//! microseconds a game.

use crate::adjudicate::{Arbiter, Endgames};
use crate::clock::RunningClock;
use crate::live::{Live, Teller};
use crate::openings::{Opening, begin};
use crate::settings::{Adjudication, Bounds};
use crate::timing::{Timing, Waits, charge};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tengen_core::{Line, Outcome, Rng, Side, Turn, sample};
use tengen_lore::solve::{Leash, Solve, Verdict};
use tengen_record::{Ending, Played, Record, Setup};
use tengen_search::{Fault, Lead, Limits, Player, PlayerError, Thought, Watch};
use tengen_table::{Game, players};

/// One side of a job.
#[derive(Clone, PartialEq, Debug)]
pub struct Chair {
    /// What the record calls it.
    pub name: String,
    /// The player's text, with its seed.
    pub player: String,
    /// What bounds its thinking.
    pub bounds: Bounds,
}

/// A game to be played.
#[derive(Clone, Debug)]
pub struct Job {
    /// Its number, by which the result is known.
    pub number: u64,
    /// Who plays.
    pub chairs: [Chair; 2],
    /// How it begins.
    pub opening: Arc<Opening>,
    /// Dice follow from this; the same for both games of a pair.
    pub dice: u64,
}

/// What went wrong in a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trouble {
    /// Whose fault it was.
    pub side: Side,
    /// What kind of fault.
    pub kind: TroubleKind,
    /// The story, with the engine's last output.
    pub story: String,
}

/// Kinds of trouble, told apart because they are treated differently.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TroubleKind {
    /// An engine failed in this way.
    Engine(Fault),
    /// A player of Tengen's own panicked.
    Panic,
    /// The time was over.
    Time,
    /// The player cannot play this at all.
    Unable,
}

impl TroubleKind {
    /// In a few words.
    pub fn name(self) -> &'static str {
        match self {
            TroubleKind::Engine(fault) => fault.name(),
            TroubleKind::Panic => "panic",
            TroubleKind::Time => "time forfeit",
            TroubleKind::Unable => "cannot play",
        }
    }

    /// Whether the rules make it a lost game: then it counts whatever happens to engines that crash.
    pub fn is_loss(self) -> bool {
        matches!(self, TroubleKind::Time | TroubleKind::Engine(Fault::Illegal))
    }

    /// Whether it will happen again however often one starts anew.
    pub fn is_final(self) -> bool {
        matches!(self, TroubleKind::Unable | TroubleKind::Engine(Fault::Missing | Fault::Setting | Fault::Unsuited))
    }
}

/// A move that would have been in time but for the machine, which had no processor free for the player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Late {
    /// Whose move.
    pub side: Side,
    /// How long it took.
    pub used: Duration,
    /// How long of that the player had to wait: not charged.
    pub waited: Duration,
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct Finished {
    /// The job's number.
    pub number: u64,
    /// The game.
    pub record: Record,
    /// How it ended.
    pub outcome: Outcome,
    /// Equal for games with the same start and moves.
    pub fingerprint: u64,
    /// What went wrong, if anything did.
    pub trouble: Option<Trouble>,
    /// Moves for which the machine was late.
    pub late: Vec<Late>,
}

/// Equal for games with the same start and moves, whoever played them.
pub(crate) fn fingerprint(record: &Record) -> u64 {
    let mut hasher = DefaultHasher::new();
    record.setup.position.hash(&mut hasher);
    record.moves.iter().for_each(|played| played.text.hash(&mut hasher));
    hasher.finish()
}

/// What all games of a match have in common.
pub(crate) struct Terms {
    pub game: String,
    pub setup: Setup,
    pub event: String,
    pub adjudication: Adjudication,
    pub endgames: Option<Endgames>,
    pub margin: Duration,
}

/// The tag of a game being played that says which one of the match it is.
const NUMBER: &str = "number";
/// Longer games are broken off unless somebody says otherwise: random players of some games would never stop.
const USUAL_CAP: u32 = 2000;
/// How far a solver looks for an adjudication, so that it takes milliseconds.
const SOLVER_NODES: u64 = 200_000;

/// Plays games, one after the other. Programs outside are kept from game to game; Tengen's own players are made anew for each, so
/// that a game depends on nothing but its job.
pub(crate) struct Seat<'a, P: Game> {
    terms: &'a Terms,
    start: P,
    /// Programs that wait for a game, by their texts.
    engines: HashMap<String, Vec<Box<dyn Player<P>>>>,
    solver: Option<Box<dyn Solve<P>>>,
}

impl<'a, P: Game> Seat<'a, P> {
    pub fn new(terms: &'a Terms, start: P) -> Self {
        let solver = if terms.adjudication.solver { P::solver(16 << 20).ok() } else { None };
        Seat { terms, start, engines: HashMap::new(), solver }
    }

    /// Plays a game; `None` if it was stopped. `live` hears how far it has come.
    pub fn play(&mut self, job: &Job, stop: &AtomicBool, live: &Live) -> Option<Finished> {
        // Step 1. The players sit down.
        let mut sat: [Option<Box<dyn Player<P>>>; 2] = [None, None];
        let mut trouble = None;
        for side in Side::BOTH {
            match self.player(&job.chairs[side.index()].player) {
                Ok(player) => sat[side.index()] = Some(player),
                Err(story) => trouble = Some(Trouble { side, kind: TroubleKind::Unable, story }),
            }
        }
        let (mut played, mut late) = (Vec::new(), Vec::new());
        let mut line = match begin(&self.start, &job.opening) {
            Ok(line) => line,
            Err(story) => {
                // Openings are tried before the match, so this is about a file that has changed since.
                trouble = Some(Trouble { side: Side::First, kind: TroubleKind::Unable, story });
                Line::new(self.start.clone())
            }
        };
        for (position, &mv) in line.positions().iter().zip(line.moves()) {
            played.push(Played { comment: "book".to_owned(), ..Played::new(position.write_move(mv)) });
        }
        // Step 2. They play.
        let end = match (&mut sat, trouble) {
            ([Some(first), Some(second)], None) => {
                self.moves(job, &mut line, [&mut **first, &mut **second], (&mut played, &mut late), stop, live)?
            }
            (_, trouble) => {
                let trouble = trouble?;
                End {
                    outcome: Outcome::Win(trouble.side.other()),
                    reason: trouble.kind.name().to_owned(),
                    trouble: Some(trouble),
                }
            }
        };
        // Step 3. Programs stay for the next game.
        for (chair, player) in job.chairs.iter().zip(sat) {
            if let Some(player) = player
                && players::is_external(&chair.player)
            {
                self.engines.entry(chair.player.clone()).or_default().push(player);
            }
        }
        let ending = Some(Ending { outcome: end.outcome, reason: end.reason });
        let record = Record { moves: played, ending, ..self.begun(job) };
        let fingerprint = fingerprint(&record);
        Some(Finished { number: job.number, record, outcome: end.outcome, fingerprint, trouble: end.trouble, late })
    }

    /// The record of a game without its moves.
    fn begun(&self, job: &Job) -> Record {
        let setup = match &job.opening.position {
            Some(position) => Setup::at(position.clone()),
            None => self.terms.setup.clone(),
        };
        Record {
            game: self.terms.game.clone(),
            setup,
            players: [job.chairs[0].name.clone(), job.chairs[1].name.clone()],
            event: self.terms.event.clone(),
            date: crate::date::now(),
            ..Record::default()
        }
    }

    fn player(&mut self, text: &str) -> Result<Box<dyn Player<P>>, String> {
        match self.engines.get_mut(text).and_then(Vec::pop) {
            Some(engine) => Ok(engine),
            None => players::build::<P>(text).map_err(|error| error.to_string()),
        }
    }

    /// Plays to the end; `None` if it was stopped.
    fn moves(
        &mut self,
        job: &Job,
        line: &mut Line<P>,
        players: [&mut dyn Player<P>; 2],
        (played, late): (&mut Vec<Played>, &mut Vec<Late>),
        stop: &AtomicBool,
        live: &Live,
    ) -> Option<End> {
        let terms = self.terms;
        // What a player's own text allows for a move is held against it as what the match allows.
        let limits = [0, 1].map(|side| {
            let chair = &job.chairs[side];
            chair.bounds.limits().and(&Limits { time: players::time(&chair.player), ..Limits::default() })
        });
        let mut clocks = [0, 1].map(|side| job.chairs[side].bounds.clock.map(RunningClock::new));
        let mut arbiter = Arbiter::new(&terms.adjudication);
        let mut teller = Teller::new(live, job.number);
        let mut dice = Rng::with_seed(job.dice);
        let cap = terms.adjudication.max_plies.unwrap_or(USUAL_CAP) as usize;
        let (mut moves, mut outcomes) = (Vec::new(), Vec::new());
        let by_rule = |outcome, reason: &str| Some(End { outcome, reason: reason.to_owned(), trouble: None });
        loop {
            let side = match line.turn(&mut moves) {
                Turn::Over(outcome) => {
                    let (outcome, reason) = counted(line).unwrap_or((outcome, String::new()));
                    return by_rule(outcome, &reason);
                }
                Turn::Chance => {
                    line.position().chance(&mut outcomes);
                    let roll = sample(&outcomes, &mut dice);
                    played.push(Played::new(line.position().write_move(roll)));
                    line.push(roll);
                    continue;
                }
                Turn::Decision(side) => side,
            };
            if line.ply() >= cap {
                let outcome = P::dialect().count.map_or(Outcome::Draw, |count| leader(count(line.position())));
                return by_rule(outcome, "move limit");
            }
            if let Some((outcome, reason)) = self.known(line) {
                return by_rule(outcome, reason);
            }
            let seat = side.index();
            let limits = Limits { clock: clocks[seat].map(|clock| clock.shown()), ..limits[seat] };
            let timed = clocks[seat].is_some() || limits.time.is_some();
            let waits = timed.then(Waits::now);
            let start = Instant::now();
            let thought = think(players[seat], line, &limits, &start, stop);
            let used = start.elapsed();
            let waited = || waits.as_ref().map_or(Duration::ZERO, Waits::since);
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let lost = |kind: TroubleKind, story: String| {
                let reason = format!("{}: {}", P::SIDES[seat], kind.name());
                Some(End { outcome: Outcome::Win(side.other()), reason, trouble: Some(Trouble { side, kind, story }) })
            };
            let thought = match thought {
                Ok(Ok(thought)) => thought,
                Ok(Err(PlayerError::Resigned)) => return by_rule(Outcome::Win(side.other()), "resignation"),
                Ok(Err(PlayerError::Broken { fault, story })) => return lost(TroubleKind::Engine(fault), story),
                Ok(Err(error)) => return lost(TroubleKind::Unable, error.to_string()),
                Err(panic) => return lost(TroubleKind::Panic, panic),
            };
            let timing = charge(&mut clocks[seat], limits.time, used, terms.margin, waited);
            played.push(written(line, &thought, used));
            if let (Timing::MachineLate(waited), Some(last)) = (timing, played.last_mut()) {
                last.comment = format!("the machine kept it waiting for {} ms", waited.as_millis());
                late.push(Late { side, used, waited });
            }
            if !moves.contains(&thought.best) {
                let text = line.position().write_move(thought.best);
                return lost(TroubleKind::Engine(Fault::Illegal), format!("played {text}, which is not legal"));
            }
            line.push(thought.best);
            teller.tell(played, || Record {
                tags: [(NUMBER.to_owned(), (job.number + 1).to_string())].into(),
                ..self.begun(job)
            });
            if timing == Timing::TooLate {
                let by_clock = limits.time.is_none_or(|time| used <= time + terms.margin);
                let allowed = limits
                    .time
                    .filter(|_| !by_clock)
                    .map_or("its clock".to_owned(), |time| format!("{} ms", time.as_millis()));
                return lost(TroubleKind::Time, format!("took {} ms, more than {allowed} allows", used.as_millis()));
            }
            // A player that looked at nothing has no opinion.
            let value = (thought.nodes > 0).then_some(thought.value.seen_by(side));
            if let Some((outcome, reason)) = arbiter.hear(side, value, line.ply()) {
                return by_rule(outcome, reason);
            }
        }
    }

    /// How the game ends from here, if a table or the solver knows at once.
    fn known(&mut self, line: &Line<P>) -> Option<(Outcome, &'static str)> {
        if let Some(endgames) = &self.terms.endgames
            && let Some(outcome) = endgames.outcome(&line.position().write())
        {
            return Some((outcome, "tablebase"));
        }
        let solver = self.solver.as_mut()?;
        let stop = AtomicBool::new(false);
        let mut report = |nodes: u64| stop.store(nodes > SOLVER_NODES, Ordering::Relaxed);
        let solution = solver.solution(line.position(), &mut Leash::new(&stop, &mut report)).ok()?;
        let side = line.position().to_move();
        let outcome = match solution.exact.verdict {
            Verdict::Win => Outcome::Win(side),
            Verdict::Loss => Outcome::Win(side.other()),
            Verdict::Draw => Outcome::Draw,
            Verdict::Open => return None,
        };
        Some((outcome, "solved"))
    }
}

/// Whoever is ahead.
fn leader(lead: f32) -> Outcome {
    match lead {
        lead if lead > 0.0 => Outcome::Win(Side::First),
        lead if lead < 0.0 => Outcome::Win(Side::Second),
        _ => Outcome::Draw,
    }
}

/// The outcome and the reason where players would agree on dead stones and count; the rules alone count every stone that still stands.
fn counted<P: Game>(line: &Line<P>) -> Option<(Outcome, String)> {
    let count = P::dialect().count?;
    // A line can also end by repetition, with the position still open.
    if !matches!(line.position().turn(&mut Vec::new()), Turn::Over(_)) {
        return None;
    }
    let lead = count(line.position());
    Some((leader(lead), format!("{} points", lead.abs())))
}

/// How a game ended.
struct End {
    outcome: Outcome,
    reason: String,
    trouble: Option<Trouble>,
}

/// Asks a player; a panic of its own is caught and told.
fn think<P: Game>(
    player: &mut dyn Player<P>,
    line: &Line<P>,
    limits: &Limits,
    clock: &Instant,
    stop: &AtomicBool,
) -> Result<Result<Thought<P::Move>, PlayerError>, String> {
    let mut watch = Watch { clock, stop, report: &mut |_| {} };
    // A player that panicked is not asked again: the game ends and it is thrown away.
    catch_unwind(AssertUnwindSafe(|| player.decide(line, limits, &mut watch))).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "it panicked".to_owned())
    })
}

/// A move as the record has it.
fn written<P: Game>(line: &Line<P>, thought: &Thought<P::Move>, used: Duration) -> Played {
    let known = thought.nodes > 0;
    let side = line.position().to_move();
    let lead = thought.lead.map(|lead| lead.seen_by(side));
    Played {
        text: line.position().write_move(thought.best),
        seconds: Some((used.as_secs_f32() * 1e5).round() / 1e5),
        value: known.then_some(thought.value.seen_by(side)),
        lead: match lead {
            Some(Lead::Points(points)) => Some(points),
            _ => None,
        },
        depth: (thought.depth > 0).then_some(thought.depth),
        nodes: known.then_some(thought.nodes),
        comment: match lead {
            Some(Lead::EndIn(plies)) => format!("end in {plies}"),
            _ => String::new(),
        },
    }
}
