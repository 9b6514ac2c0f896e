//! What the machine thinks about: a move to play, a hint, an analysis, a review, the dead groups of a Go board.
//!
//! Everything here blocks, and is run by the [`Pool`](crate::pool::Pool). It works on a table of its own that is set up from a
//! [`Spot`], so that the game goes on being looked at, and can be changed, while somebody thinks.

use crate::catalog::LevelPlan;
use crate::message::{Analysis, Candidate, Code, Exact, ExactValue, Judged, Quality, Trouble, Winner};
use crate::mind::Mind;
use crate::view;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tengen_core::{Pov, Rng, Side, Turn};
use tengen_lore::solve::{self, Verdict};
use tengen_record::Setup;
use tengen_search::{GameClock, Lead, Limits};
use tengen_table::{PlayerSpec, Table, TextCandidate, TextSolution, TextThought, TextWatch, open};

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

/// What a player thinks at a table.
pub fn think(table: &mut dyn Table, player: &str, limits: &Limits, stop: &AtomicBool) -> Result<TextThought, Trouble> {
    let mut watch = TextWatch { clock: &Instant::now(), stop, report: &mut |_| {} };
    table.think(player, limits, &mut watch).map_err(|error| Trouble::failed(format!("{player}: {error}")))
}

/// The move that a level plays in a game it has not followed; a [`Mind`] follows one.
pub fn choose(
    spot: &Spot,
    plan: &LevelPlan,
    clock: Option<GameClock>,
    stop: &AtomicBool,
    rng: &mut Rng,
) -> Result<Chosen, Trouble> {
    Mind::new(spot, plan.clone(), rng.fork())?.choose(&spot.moves, clock, stop)
}

/// The move that gives the most back: never one that wins while another is left, and of the others the best. So who plays against it always
/// gets his chance again, and has to find the win himself.
pub fn kindly(solution: &TextSolution) -> Option<Chosen> {
    let wins = |exact: &solve::Exact| exact.verdict == Verdict::Win;
    // The best come first; of nothing but wins the slowest is the last.
    let given = solution.moves.iter().find(|(_, exact)| !wins(exact)).or(solution.moves.last())?;
    Some(Chosen { mv: given.0.clone(), value: given.1.value() })
}

/// What a player finds within a time, if it finds anything: for players that look at no clock.
pub fn within(table: &mut dyn Table, player: &str, time: Duration, stop: &AtomicBool) -> Option<TextThought> {
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
pub fn at_first_sight(thought: &TextThought, side: Side, player: &PlayerSpec, spread: f32, rng: &mut Rng) -> Chosen {
    let value = |candidate: &TextCandidate| candidate.value.seen_by(side);
    let best = thought.candidates.iter().map(value).fold(thought.value.seen_by(side), f32::max);
    let is_tree = ["mcts", "puct", "gumbel", "go"].contains(&player.name.as_str());
    let weight = |candidate: &TextCandidate| {
        let seen = if is_tree { candidate.visits as f32 } else { 1.0 };
        seen * ((value(candidate) - best) / spread.max(0.001)).exp()
    };
    let total: f32 = thought.candidates.iter().map(weight).sum();
    let mut rest = rng.f32() * total;
    for candidate in &thought.candidates {
        rest -= weight(candidate);
        if rest <= 0.0 {
            return Chosen { mv: candidate.mv.clone(), value: value(candidate) };
        }
    }
    Chosen { mv: thought.best.clone(), value: thought.value.seen_by(side) }
}

/// What the analyst would play here.
pub fn hint(spot: &Spot, analyst: &str, time: Duration, stop: &AtomicBool) -> Result<Candidate, Trouble> {
    let mut table = spot.table()?;
    if let Some(best) = table.exact().and_then(|solution| solved_candidates(&mut *table, &solution, &[], 1).pop()) {
        return Ok(best);
    }
    let limits = Limits { time: Some(time), ..Limits::default() };
    let thought = think(&mut *table, analyst, &limits, stop)?;
    Ok(view::best(&*table, &thought))
}

/// An analysis that is done slice by slice: see [`Study::slice`].
pub struct Study {
    node: u32,
    table: Box<dyn Table>,
    analyst: String,
    /// A player whose thoughts are exact, and who takes his time.
    solver: Option<String>,
    solvers_turn: bool,
    to_move: Side,
    /// How long it may still take.
    left: Duration,
    next: Duration,
    spent: Duration,
    influence: Vec<f32>,
    solution: Option<TextSolution>,
    /// What the analyst said last, and how many positions it has looked at in all slices.
    thought: Option<TextThought>,
    nodes: u64,
}

impl Study {
    /// Prepares to think about a node for a time. `solver` is asked where the exact value is not known at once.
    pub fn new(node: u32, spot: &Spot, analyst: &str, solver: Option<&str>, time: Duration) -> Result<Self, Trouble> {
        let mut table = spot.table()?;
        let seen = table.view();
        if !matches!(seen.turn, Turn::Decision(_)) {
            return Err(Trouble::new(Code::NotNow, "there is nothing to decide in this position"));
        }
        Ok(Study {
            node,
            analyst: analyst.to_owned(),
            solver: solver.map(str::to_owned),
            solvers_turn: false,
            to_move: seen.to_move,
            left: time,
            next: Duration::from_millis(150),
            spent: Duration::ZERO,
            influence: table.influence(),
            solution: table.exact(),
            thought: None,
            nodes: 0,
            table,
        })
    }

    /// Thinks on for a while, tells what is known, and says whether there is more to come. Each slice is longer than the last. Where there is a
    /// solver it takes every other slice; what it remembers stays with it, so that it comes to an end.
    pub fn slice(&mut self, stop: &AtomicBool, mut tell: impl FnMut(Analysis)) -> bool {
        let begin = Instant::now();
        if self.solution.is_none() {
            let time = self.next.min(self.left);
            if let Some(solver) = self.solver.clone().filter(|_| self.solvers_turn) {
                self.solution = within(&mut *self.table, &solver, time, stop)
                    .as_ref()
                    .map(|thought| solution_of(thought, self.to_move));
            } else {
                let limits = Limits { time: Some(time), ..Limits::default() };
                let Ok(thought) = think(&mut *self.table, &self.analyst, &limits, stop) else {
                    return false;
                };
                self.nodes += thought.nodes;
                self.thought = Some(thought);
            }
            // What is left over of a slice means that the player was done before its time.
            let settled = self.solver.is_none() && begin.elapsed() < time / 2;
            let took = if settled { self.left } else { begin.elapsed().max(time) };
            self.left = self.left.saturating_sub(took);
            self.next = (self.next * 2).min(SLICE);
            self.solvers_turn = self.solver.is_some() && !self.solvers_turn;
        }
        self.spent += begin.elapsed();
        let done = self.solution.is_some() || self.left.is_zero() || stop.load(Ordering::Relaxed);
        tell(self.tell(done));
        !done
    }

    fn tell(&mut self, done: bool) -> Analysis {
        let to_move = self.to_move;
        let thought = self.thought.as_ref();
        let known = thought.map_or(&[][..], |thought| &thought.candidates);
        let candidates = match &self.solution {
            Some(solution) => solved_candidates(&mut *self.table, solution, known, MOST_CANDIDATES),
            None => known.iter().take(MOST_CANDIDATES).map(|found| view::candidate(&*self.table, found)).collect(),
        };
        let ownership = match thought {
            Some(thought) if !thought.ownership.is_empty() => thought.ownership.clone(),
            _ => self.table.ownership(OWNERSHIP_GAMES, 1),
        };
        let exact = self.solution.as_ref().map(|solution| solution.exact);
        let value = exact.map_or_else(
            || thought.map_or(Pov::even(), |thought| thought.value),
            |exact| Pov::of(to_move, exact.value()),
        );
        let lead = exact.map_or_else(|| thought.and_then(|thought| thought.lead), |exact| lead_of(&exact, to_move));
        Analysis {
            node: self.node,
            value: value.seen_by(Side::First),
            lead: lead.map(view::ahead),
            nodes: self.nodes,
            depth: thought.map_or(0, |thought| thought.depth),
            seconds: self.spent.as_secs_f32(),
            done,
            candidates,
            ownership,
            influence: self.influence.clone(),
            exact: self.solution.as_ref().map(|solution| exact_of(solution, to_move)),
        }
    }
}

/// Slices are not longer than this.
const SLICE: Duration = Duration::from_secs(2);
/// Nobody looks at the hundredth best move.
const MOST_CANDIDATES: usize = 40;
/// Of so many moves the whole line is shown, and so far, where the game is solved.
const MOST_LINES: usize = 8;
const LONGEST_LINE: usize = 12;
/// All lines together take no longer than this, and what is solved slowly has shorter ones.
const FOR_LINES: Duration = Duration::from_millis(150);

/// Quick games that tell who owns what: enough to be sure within a tenth, and for judging a finished game.
const OWNERSHIP_GAMES: u32 = 200;
const JUDGING_GAMES: u32 = 1000;

/// How far ahead the side to move is: plies to the end where they are counted, else by how much.
fn lead_of(exact: &solve::Exact, to_move: Side) -> Option<Pov<Lead>> {
    let lead = match (exact.verdict, exact.plies) {
        // No game lasts two thousand million plies.
        (Verdict::Win, Some(plies)) => Lead::EndIn(plies as i32),
        (Verdict::Loss, Some(plies)) => Lead::EndIn(-(plies as i32)),
        (_, Some(_)) => return None,
        (_, None) => Lead::Points(exact.score? as f32),
    };
    Some(Pov::of(to_move, lead))
}

/// The solution in a thought of a player that makes no mistakes.
fn solution_of(thought: &TextThought, to_move: Side) -> TextSolution {
    let exact = |value: Pov<f32>, lead: Option<Pov<Lead>>| {
        let verdict = match value.seen_by(to_move) {
            ..-0.5 => Verdict::Loss,
            0.5.. => Verdict::Win,
            _ => Verdict::Draw,
        };
        let (plies, score) = match lead.map(|lead| lead.seen_by(to_move)) {
            Some(Lead::EndIn(plies)) => (Some(plies.unsigned_abs()), None),
            Some(Lead::Points(points)) if verdict != Verdict::Draw => (None, Some(points as i32)),
            _ => (None, None),
        };
        solve::Exact { verdict, plies, score, chance: None }
    };
    TextSolution {
        exact: exact(thought.value, thought.lead),
        moves: thought.candidates.iter().map(|found| (found.mv.clone(), exact(found.value, found.lead))).collect(),
    }
}

/// A solution as a page has it.
fn exact_of(solution: &TextSolution, to_move: Side) -> Exact {
    let side = |winner: Side| if winner == Side::First { Winner::First } else { Winner::Second };
    let value = |exact: &solve::Exact| ExactValue {
        winner: match exact.verdict {
            Verdict::Win => Some(side(to_move)),
            Verdict::Loss => Some(side(to_move.other())),
            Verdict::Draw => Some(Winner::Draw),
            Verdict::Open => None,
        },
        plies: exact.plies.filter(|_| exact.verdict != Verdict::Draw),
        // Where plies count, the score is only another way to say them.
        points: exact.score.filter(|_| exact.plies.is_none()).map(|score| Pov::of(to_move, score).seen_by(Side::First)),
        chance: exact.chance.map(|chance| if to_move == Side::First { chance } else { 1.0 - chance } as f32),
    };
    let moves = solution.moves.iter().map(|(mv, exact)| (mv.clone(), value(exact))).collect();
    Exact { here: value(&solution.exact), moves }
}

/// The moves of a solved position, the best first, with the lines that perfect play takes; `known` is what a search had found before.
fn solved_candidates(
    table: &mut dyn Table,
    solution: &TextSolution,
    known: &[TextCandidate],
    most: usize,
) -> Vec<Candidate> {
    let to_move = table.view().to_move;
    let until = Instant::now() + FOR_LINES;
    let mut found = Vec::new();
    for (place, (mv, exact)) in solution.moves.iter().take(most).enumerate() {
        let before = known.iter().find(|candidate| candidate.mv == *mv);
        let perfect = if place < MOST_LINES { perfect_line(table, mv, until) } else { vec![mv.clone()] };
        let pv = match before {
            // Where only this position is solved, the search knows more of the line.
            Some(before) if perfect.len() < 2 => before.pv.clone(),
            _ => perfect,
        };
        let candidate = TextCandidate {
            mv: mv.clone(),
            visits: before.map_or(0, |before| before.visits),
            value: Pov::of(to_move, exact.value()),
            prior: before.and_then(|before| before.prior),
            lead: lead_of(exact, to_move),
            pv,
        };
        found.push(view::candidate(table, &candidate));
    }
    found
}

/// A move and what follows when nobody makes a mistake, as far as that is known in time. The table is left as it was.
fn perfect_line(table: &mut dyn Table, mv: &str, until: Instant) -> Vec<String> {
    let mut line = vec![mv.to_owned()];
    let mut played = 0;
    while let Some(next) = line.last()
        && Instant::now() < until
        && table.play(next).is_ok()
    {
        played += 1;
        let best = table.exact().and_then(|solution| solution.moves.into_iter().next());
        match best {
            Some((next, _)) if line.len() < LONGEST_LINE => line.push(next),
            _ => break,
        }
    }
    // They have just been played.
    let _ = table.undo(played);
    line
}

/// A review, move by move: see [`Review::step`].
pub struct Review {
    table: Box<dyn Table>,
    analyst: String,
    /// The nodes along the line with their moves.
    line: Vec<(u32, String)>,
    ply: usize,
    time: Duration,
    /// What the position before the next move was worth, how far `First` was ahead, and the line to play there.
    before: Option<Opinion>,
}

#[derive(Clone)]
struct Opinion {
    value: Pov<f32>,
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
        if let Some(solution) = self.table.exact() {
            return Some(Opinion {
                value: Pov::of(seen.to_move, solution.exact.value()),
                lead: lead_of(&solution.exact, seen.to_move).map(view::ahead),
                best: solved_candidates(&mut *self.table, &solution, &[], 1).pop()?,
            });
        }
        let limits = Limits { time: Some(self.time), ..Limits::default() };
        let thought = think(&mut *self.table, &self.analyst, &limits, stop).ok()?;
        Some(Opinion {
            value: thought.value,
            lead: thought.lead.map(view::ahead),
            best: view::best(&*self.table, &thought),
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
            Turn::Over(outcome) => (outcome.value(), None),
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
        // The machine's own move costs nothing, whatever it thinks of it a moment later.
        let loss = if same { 0.0 } else { (before.value.seen_by(side) - after.0.seen_by(side)).max(0.0) };
        let points = |lead: Option<crate::message::Ahead>| lead.and_then(|lead| lead.points);
        let lead_loss = points(before.lead)
            .zip(points(after.1))
            .map(|(was, is)| if same { 0.0 } else { Pov::of(Side::First, was - is).seen_by(side).max(0.0) });
        let kind = quality(same, loss);
        let better = if matches!(kind, Quality::Best | Quality::Good) { Vec::new() } else { before.best.pv.clone() };
        Some((node, Some(Judged { value: after.0.seen_by(Side::First), lead: after.1, loss, lead_loss, kind, better })))
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
        let (mut rng, minimax) = (Rng::with_seed(2), PlayerSpec::read("minimax").expect("a player"));
        let mut wins = |spread: f32| {
            let mut choice = || at_first_sight(&thought, Side::First, &minimax, spread, &mut rng).mv;
            (0..300).filter(|_| choice() == "c3").count()
        };
        let (careful, careless) = (wins(0.1), wins(5.0));
        assert!(careful > 290 && (60..200).contains(&careless), "{careful} {careless}");
    }

    #[test]
    fn the_kind_level_gives_its_wins_away() {
        let exact = |verdict, plies| solve::Exact { verdict, plies: Some(plies), score: None, chance: None };
        let choice = |moves: &[(&str, Verdict, u32)]| {
            let moves: Vec<_> =
                moves.iter().map(|&(mv, verdict, plies)| (mv.to_owned(), exact(verdict, plies))).collect();
            kindly(&TextSolution { exact: moves[0].1, moves }).expect("a move").mv
        };
        use Verdict::{Draw, Loss, Win};
        assert_eq!(choice(&[("a", Win, 3), ("b", Draw, 0), ("c", Loss, 8), ("d", Loss, 2)]), "b");
        assert_eq!(choice(&[("a", Win, 3), ("b", Win, 9), ("c", Loss, 8), ("d", Loss, 2)]), "c", "a long way to go");
        assert_eq!(choice(&[("a", Win, 3), ("b", Win, 9)]), "b", "nothing else is left");
        assert_eq!(choice(&[("a", Loss, 8), ("b", Loss, 2)]), "a", "it defends itself as well as it can");
    }

    #[test]
    fn a_kind_level_at_the_table() {
        let mut plan = Catalog::bundled().ladder("tictactoe")[0].clone();
        plan.kind = true;
        let (stop, mut rng) = (AtomicBool::new(false), Rng::with_seed(5));
        // X could win at once at c3, and does not.
        let chosen = choose(&spot("tictactoe", "XX./OO./...", &[]), &plan, None, &stop, &mut rng).expect("a move");
        assert!(chosen.mv != "c3" && chosen.value < 1.0, "{chosen:?}");
    }

    fn study(game: &str, moves: &[&str], solver: Option<&str>, seconds: u64) -> Analysis {
        let place = spot(game, "", moves);
        let catalog = Catalog::bundled();
        let mut study = Study::new(7, &place, catalog.analyst(game), solver, Duration::from_secs(seconds)).expect(game);
        let (stop, mut last) = (AtomicBool::new(false), None);
        while study.slice(&stop, |analysis| last = Some(analysis)) {}
        last.expect("at least one slice")
    }

    #[test]
    fn a_game_as_good_as_won_is_studied_for_the_whole_time() {
        let moves = ["E5", "C3", "G7", "C7", "G3", "E3", "E7", "C5", "G5"].map(|mv| [mv, "pass"]).concat();
        let analysis = study("go9", &moves, None, 1);
        assert!(analysis.value > 0.8 && analysis.seconds > 0.9, "{} {}", analysis.value, analysis.seconds);
    }

    #[test]
    fn solved_positions_have_the_value_of_every_move() {
        let analysis = study("tictactoe", &["b2", "a2"], None, 1);
        let exact = analysis.exact.expect("nine squares are solved");
        assert_eq!((exact.here.winner, exact.moves.len(), analysis.done), (Some(Winner::First), 7, true));
        let best = &analysis.candidates[0];
        assert_eq!(best.value, 1.0);
        assert_eq!(best.pv.len() as u32, exact.here.plies.expect("they are counted"), "the line goes to the end");
        assert_eq!(analysis.candidates.len(), 7, "all moves, the best first");
        assert!(analysis.candidates.is_sorted_by(|a, b| a.value >= b.value));

        let analysis = study("pig", &[], None, 1);
        let chance = analysis.exact.and_then(|exact| exact.here.chance).expect("dice decide");
        assert!((0.5305..0.5307).contains(&chance), "{chance}");
        assert!((analysis.value - (2.0 * chance - 1.0)).abs() < 1e-6);
    }

    #[test]
    fn a_slow_solver_comes_to_its_end_slice_by_slice() {
        // Thirteen discs: no answer at once, but one within seconds. Yellow, to move, takes the only column that does not lose.
        let solver = Catalog::bundled().solver("connect4").map(str::to_owned);
        assert!(solver.is_some());
        let moves = ["4", "4", "4", "4", "4", "2", "2", "3", "3", "5", "5", "3", "6"];
        let analysis = study("connect4", &moves, solver.as_deref(), 60);
        let exact = analysis.exact.expect("it is solved in time");
        assert!(exact.here.plies.is_some_and(|plies| plies <= 42 - 13));
        assert_eq!(analysis.candidates[0].value, analysis.value);
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
