//! What the machine thinks about: a move to play, a hint, an analysis, a review, the dead groups of a Go board.
//!
//! Everything here blocks, and is run by the [`Pool`](crate::pool::Pool). It works on a table of its own that is set up from a
//! [`Spot`], so that the game goes on being looked at, and can be changed, while somebody thinks.

use crate::catalog::LevelPlan;
use crate::message::{Analysis, Candidate, Code, Exact, ExactMove, Judged, Quality, Trouble, Winner};
use crate::view;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tengen_core::{Rng, Side, Turn};
use tengen_record::Setup;
use tengen_search::{GameClock, Lead, Limits};
use tengen_table::{Table, TextCandidate, TextThought, TextWatch, open};

/// A place in a game: enough to come there again.
#[derive(Clone, Debug)]
pub struct Spot {
    /// The game's id.
    pub game: String,
    /// How it was set up.
    pub setup: Setup,
    /// The moves since.
    pub moves: Vec<String>,
}

impl Spot {
    /// A table that stands there.
    pub fn table(&self) -> Result<Box<dyn Table>, Trouble> {
        let mut table = open(&self.game, &self.setup)?;
        for (ply, mv) in self.moves.iter().enumerate() {
            table.play(mv).map_err(|error| {
                let trouble = Trouble::from(error);
                Trouble::new(trouble.code, format!("move {}, {}: {}", ply + 1, tengen_core::refuse(mv), trouble.text))
            })?;
        }
        Ok(table)
    }
}

/// A move that the machine wants to play.
#[derive(Clone, PartialEq, Debug)]
pub struct Chosen {
    /// The move.
    pub mv: String,
    /// What the machine thinks the position is worth to it.
    pub value: f32,
}

fn think(table: &mut dyn Table, player: &str, limits: &Limits, stop: &AtomicBool) -> Result<TextThought, Trouble> {
    let mut watch = TextWatch { clock: &Instant::now(), stop, report: &mut |_| {} };
    table.think(player, limits, &mut watch).map_err(|error| Trouble::failed(format!("{player}: {error}")))
}

/// The move that a level plays.
pub fn choose(
    spot: &Spot,
    plan: &LevelPlan,
    clock: Option<GameClock>,
    stop: &AtomicBool,
    rng: &mut Rng,
) -> Result<Chosen, Trouble> {
    let mut table = spot.table()?;
    let limits = Limits { clock, ..Limits::default() };
    if let Some(hasty) = &plan.hasty
        && rng.f32() < hasty.chance
    {
        let thought = think(&mut *table, &seeded(&hasty.player, rng), &limits, stop)?;
        return Ok(at_first_sight(&thought, &hasty.player, hasty.spread, rng));
    }
    let player = seeded(&plan.player, rng);
    let thought = match (plan.within, &plan.otherwise) {
        (Some(ms), Some(otherwise)) => within(&mut *table, &player, Duration::from_millis(ms), stop)
            .map_or_else(|| think(&mut *table, otherwise, &limits, stop), Ok)?,
        _ => think(&mut *table, &player, &limits, stop)?,
    };
    Ok(Chosen { mv: thought.best, value: thought.value })
}

/// The same player with other dice: two games against it are not the same game.
fn seeded(player: &str, rng: &mut Rng) -> String {
    let takes_seed =
        ["mcts", "random", "go", "chess"].iter().any(|name| player == *name || player.starts_with(&format!("{name}:")));
    match takes_seed {
        true => format!("{player}{}seed={}", if player.contains(':') { "," } else { ":" }, rng.u32(..)),
        false => player.to_owned(),
    }
}

/// What a player finds within a time, if it finds anything: for players that look at no clock.
fn within(table: &mut dyn Table, player: &str, time: Duration, stop: &AtomicBool) -> Option<TextThought> {
    let (begin, late, done) = (Instant::now(), AtomicBool::new(false), AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                if stop.load(Ordering::Relaxed) || begin.elapsed() >= time {
                    late.store(true, Ordering::Relaxed);
                }
                std::thread::sleep(Duration::from_millis(5));
            }
        });
        let mut watch = TextWatch { clock: &begin, stop: &late, report: &mut |_| {} };
        let thought = table.think(player, &Limits::default(), &mut watch).ok();
        done.store(true, Ordering::Relaxed);
        thought
    })
}

/// One of the moves that a player saw, better ones more often: as likely as `exp(value / spread)`, and in tree searches, where
/// values of rarely tried moves are luck, as their visits.
fn at_first_sight(thought: &TextThought, player: &str, spread: f32, rng: &mut Rng) -> Chosen {
    let best = thought.candidates.iter().map(|candidate| candidate.value).fold(thought.value, f32::max);
    let is_tree = player.starts_with("mcts") || player.starts_with("go");
    let weight = |candidate: &TextCandidate| {
        let seen = if is_tree { candidate.visits as f32 } else { 1.0 };
        seen * ((candidate.value - best) / spread.max(0.001)).exp()
    };
    let total: f32 = thought.candidates.iter().map(weight).sum();
    let mut rest = rng.f32() * total;
    for candidate in &thought.candidates {
        rest -= weight(candidate);
        if rest <= 0.0 {
            return Chosen { mv: candidate.mv.clone(), value: candidate.value };
        }
    }
    Chosen { mv: thought.best.clone(), value: thought.value }
}

/// What the analyst would play here.
pub fn hint(spot: &Spot, analyst: &str, time: Duration, stop: &AtomicBool) -> Result<Candidate, Trouble> {
    let mut table = spot.table()?;
    let limits = Limits { time: Some(time), ..Limits::default() };
    let thought = think(&mut *table, analyst, &limits, stop)?;
    let to_move = table.view().to_move;
    Ok(view::best(&*table, &thought, to_move))
}

/// An analysis that is done slice by slice: see [`Study::slice`].
pub struct Study {
    node: u32,
    table: Box<dyn Table>,
    analyst: String,
    to_move: Side,
    /// How long it may still take.
    left: Duration,
    next: Duration,
    spent: Duration,
    influence: Vec<f32>,
    exact: Option<Exact>,
}

impl Study {
    /// Prepares to think about a node for a time.
    pub fn new(node: u32, spot: &Spot, analyst: &str, time: Duration) -> Result<Self, Trouble> {
        let table = spot.table()?;
        let seen = table.view();
        if !matches!(seen.turn, Turn::Decision(_)) {
            return Err(Trouble::new(Code::NotNow, "there is nothing to decide in this position"));
        }
        Ok(Study {
            node,
            analyst: analyst.to_owned(),
            to_move: seen.to_move,
            left: time,
            next: Duration::from_millis(150),
            spent: Duration::ZERO,
            influence: table.influence(),
            exact: exact(spot),
            table,
        })
    }

    /// Thinks on for a while, tells what is known, and says whether there is more to come. Each slice is longer than the last.
    pub fn slice(&mut self, stop: &AtomicBool, mut tell: impl FnMut(Analysis)) -> bool {
        let time = self.next.min(self.left);
        let begin = Instant::now();
        let limits = Limits { time: Some(time), ..Limits::default() };
        let Ok(thought) = think(&mut *self.table, &self.analyst, &limits, stop) else {
            return false;
        };
        let took = begin.elapsed();
        self.spent += took;
        // What is left over of a slice means that the player was done before its time.
        let settled = took < time / 2;
        self.left = self.left.saturating_sub(took.max(time));
        self.next = (self.next * 2).min(Duration::from_secs(2));
        let done = settled || self.left.is_zero() || stop.load(Ordering::Relaxed);
        tell(self.tell(&thought, done));
        !done
    }

    fn tell(&mut self, thought: &TextThought, done: bool) -> Analysis {
        let to_move = self.to_move;
        // Nobody looks at the hundredth best move.
        let candidates = thought.candidates.iter().take(40);
        let ownership = match thought.ownership.is_empty() {
            true => self.table.ownership(OWNERSHIP_GAMES, 1),
            false => thought.ownership.clone(),
        };
        Analysis {
            node: self.node,
            value: view::for_first(thought.value, to_move),
            lead: thought.lead.map(|lead| view::ahead(lead, to_move)),
            nodes: thought.nodes,
            depth: thought.depth,
            seconds: self.spent.as_secs_f32(),
            done,
            candidates: candidates.map(|found| view::candidate(&*self.table, found, to_move)).collect(),
            ownership,
            influence: self.influence.clone(),
            exact: self.exact.clone(),
        }
    }
}

/// Quick games that tell who owns what: enough to be sure within a tenth, and for judging a finished game.
const OWNERSHIP_GAMES: u32 = 200;
const JUDGING_GAMES: u32 = 1000;

/// Perfect play, where it is found at once: the player `perfect` within a moment.
fn exact(spot: &Spot) -> Option<Exact> {
    let mut table = spot.table().ok()?;
    table.check_player("perfect").ok()?;
    let seen = table.view();
    let thought = within(&mut *table, "perfect", Duration::from_millis(1500), &AtomicBool::new(false))?;
    let judged = |value: f32, lead: Option<Lead>| {
        let value = view::for_first(value, seen.to_move);
        let winner = if value > 0.5 {
            Winner::First
        } else if value < -0.5 {
            Winner::Second
        } else {
            Winner::Draw
        };
        let plies = match lead {
            Some(Lead::EndIn(plies)) => Some(plies.unsigned_abs()),
            _ => None,
        };
        ExactMove { winner, plies }
    };
    let moves: BTreeMap<String, ExactMove> =
        thought.candidates.iter().map(|found| (found.mv.clone(), judged(found.value, found.lead))).collect();
    let ExactMove { winner, plies } = judged(thought.value, thought.lead);
    Some(Exact { winner, plies, moves })
}

/// A review, move by move: see [`Review::step`].
pub struct Review {
    table: Box<dyn Table>,
    analyst: String,
    /// The nodes along the line with their moves.
    line: Vec<(u32, String)>,
    ply: usize,
    time: Duration,
    /// What the position before the next move was worth to `First`, how far it was ahead, and the line to play there.
    before: Option<Opinion>,
}

#[derive(Clone)]
struct Opinion {
    value: f32,
    lead: Option<crate::message::Ahead>,
    best: Candidate,
}

impl Review {
    /// Prepares to judge the moves of a line, with so much time for each.
    pub fn new(spot: &Spot, line: Vec<(u32, String)>, analyst: &str, time: Duration) -> Result<Self, Trouble> {
        Ok(Review { table: spot.table()?, analyst: analyst.to_owned(), line, ply: 0, time, before: None })
    }

    /// How many moves have been judged, and how many there are.
    pub fn progress(&self) -> (u32, u32) {
        (self.ply as u32, self.line.len() as u32)
    }

    fn opinion(&mut self, stop: &AtomicBool) -> Option<Opinion> {
        let seen = self.table.view();
        let limits = Limits { time: Some(self.time), ..Limits::default() };
        let thought = think(&mut *self.table, &self.analyst, &limits, stop).ok()?;
        Some(Opinion {
            value: view::for_first(thought.value, seen.to_move),
            lead: thought.lead.map(|lead| view::ahead(lead, seen.to_move)),
            best: view::best(&*self.table, &thought, seen.to_move),
        })
    }

    /// Judges the next move; `None` when all are judged or somebody said stop. Moves of chance are passed over.
    pub fn step(&mut self, stop: &AtomicBool) -> Option<(u32, Option<Judged>)> {
        let (node, mv) = self.line.get(self.ply)?.clone();
        let turn = self.table.view().turn;
        let before = match (turn, self.before.take()) {
            (Turn::Decision(_), Some(known)) => Some(known),
            (Turn::Decision(_), None) => Some(self.opinion(stop)?),
            _ => None,
        };
        self.table.play(&mv).ok()?;
        self.ply += 1;
        let (Turn::Decision(side), Some(before)) = (turn, before) else {
            return Some((node, None));
        };
        let seen = self.table.view();
        let after = match seen.turn {
            Turn::Over(outcome) => (outcome.value_for(Side::First), None),
            Turn::Chance => (before.value, before.lead),
            Turn::Decision(_) => {
                let opinion = self.opinion(stop)?;
                let found = (opinion.value, opinion.lead);
                self.before = Some(opinion);
                found
            }
        };
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let same = before.best.mv.mv == mv;
        let sign = if side == Side::First { 1.0 } else { -1.0 };
        // The machine's own move costs nothing, whatever it thinks of it a moment later.
        let loss = if same { 0.0 } else { (sign * (before.value - after.0)).max(0.0) };
        let points = |lead: Option<crate::message::Ahead>| lead.and_then(|lead| lead.points);
        let lead_loss = points(before.lead)
            .zip(points(after.1))
            .map(|(was, is)| if same { 0.0 } else { (sign * (was - is)).max(0.0) });
        let kind = quality(same, loss);
        let better = if matches!(kind, Quality::Best | Quality::Good) { Vec::new() } else { before.best.pv.clone() };
        Some((node, Some(Judged { value: after.0, lead: after.1, loss, lead_loss, kind, better })))
    }
}

/// How bad a loss is; a tenth of the way from a sure loss to a sure win is an inaccuracy.
fn quality(same: bool, loss: f32) -> Quality {
    match loss {
        _ if same => Quality::Best,
        ..0.1 => Quality::Good,
        ..0.25 => Quality::Inaccuracy,
        ..0.5 => Quality::Mistake,
        _ => Quality::Blunder,
    }
}

/// The cells with stones that will not live, by the opinion of many quick games.
pub fn dead_stones(spot: &Spot, rng: &mut Rng) -> Result<Vec<String>, Trouble> {
    Ok(spot.table()?.dead(JUDGING_GAMES, rng.u64(..)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Catalog;

    fn spot(game: &str, position: &str, moves: &[&str]) -> Spot {
        let setup = if position.is_empty() { Setup::standard() } else { Setup::at(position) };
        Spot { game: game.to_owned(), setup, moves: moves.iter().map(|mv| (*mv).to_owned()).collect() }
    }

    #[test]
    fn every_level_of_every_small_game_plays() {
        let catalog = Catalog::bundled();
        let (stop, mut rng) = (AtomicBool::new(false), Rng::with_seed(1));
        for game in ["tictactoe", "pig", "othello6", "go5", "chess", "yokai34"] {
            for plan in catalog.ladder(game).iter().take(3) {
                let chosen = choose(&spot(game, "", &[]), plan, None, &stop, &mut rng).expect(game);
                let mut table = open(game, &Setup::standard()).expect(game);
                table.play(&chosen.mv).expect("a legal move");
            }
        }
    }

    #[test]
    fn a_move_at_first_sight_is_mostly_a_good_one() {
        let mut table = open("tictactoe", &Setup::at("XX./OO./...")).expect("a position");
        let thought =
            think(&mut *table, "minimax:depth=1", &Limits::default(), &AtomicBool::new(false)).expect("a thought");
        let mut rng = Rng::with_seed(2);
        let mut wins =
            |spread: f32| (0..300).filter(|_| at_first_sight(&thought, "minimax", spread, &mut rng).mv == "c3").count();
        let (careful, careless) = (wins(0.1), wins(5.0));
        assert!(careful > 290 && (60..200).contains(&careless), "{careful} {careless}");
    }

    #[test]
    fn dead_stones_are_proposed() {
        // White's two stones in Black's corner have no room for eyes, and both walls have plenty of it.
        let corner = spot("go9", "OO1X1O3/3X1O3/XXXX1O3/4XO3/4XO3/3XXO3/3XO4/3XO4/3XO4 b", &[]);
        let mut dead = dead_stones(&corner, &mut Rng::with_seed(3)).expect("a board");
        dead.sort();
        assert_eq!(dead, ["A9", "B9"]);
    }

    #[test]
    fn a_review_finds_the_blunder() {
        let game = spot("tictactoe", "", &[]);
        // O answers in the corner's neighbour and loses by force; X does not take the win and gives it away.
        let line: Vec<(u32, String)> = ["a1", "a2", "c1", "b1", "b2", "c3"]
            .iter()
            .enumerate()
            .map(|(ply, mv)| (ply as u32 + 1, (*mv).to_owned()))
            .collect();
        let mut review = Review::new(&game, line, "perfect", Duration::from_millis(50)).expect("a review");
        let stop = AtomicBool::new(false);
        let mut kinds = Vec::new();
        while let Some((_, judged)) = review.step(&stop) {
            kinds.push(judged.expect("no dice").kind);
        }
        assert_eq!(kinds.len(), 6);
        assert_eq!(kinds[1], Quality::Blunder, "{kinds:?}");
    }
}
