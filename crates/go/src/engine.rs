//! The engine as a player: it keeps its tree from move to move, watches the clock, and knows when to pass.
//!
//! [`GoEngine`] is the same for boards of all capacities; inside stands a search made for the one at hand.

use crate::field::{Cell, Colour, Field, colour_of};
use crate::judge::judge;
use crate::knowledge::Prior;
use crate::network::Adviser;
use crate::node::{Branch, Node};
use crate::params::GoParams;
use crate::search::{Found, Root, Walker};
use std::any::Any;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;
use tengen_core::{Line, Position, Pov, Side, Turn, mix};
use tengen_games::go::{Go, Komi, Move, Point, Rules};
use tengen_search::{Candidate, Lead, Limits, News, Player, PlayerError, Thought, Tickets, Watch, simulate};

/// A Monte-Carlo player of Go, for boards of one capacity.
pub struct GoEngine<const CELLS: usize> {
    search: Box<dyn Player<Go<CELLS>>>,
}

impl<const CELLS: usize> GoEngine<CELLS> {
    /// An engine with these settings.
    pub fn new(params: GoParams) -> Self {
        match search_for(CELLS, params).downcast() {
            Ok(search) => GoEngine { search: *search },
            // The search is made for the number of cells that is asked for, and boards have no others.
            Err(_) => unreachable!("a search for {CELLS} cells"),
        }
    }
}

/// A `Box<dyn Player<Go<CELLS>>>` for this capacity.
///
/// The type is erased so that the four searches are compiled here, once, and not wherever somebody is generic over boards.
fn search_for(cells: usize, params: GoParams) -> Box<dyn Any> {
    fn boxed<const CELLS: usize, const WORDS: usize>(params: GoParams) -> Box<dyn Any> {
        let search: Box<dyn Player<Go<CELLS>>> = Box::new(Engine::<CELLS, WORDS>::new(params));
        Box::new(search)
    }
    // A set of cells has as many words as the capacity needs.
    match cells {
        111 => boxed::<111, 2>(params),
        211 => boxed::<211, 4>(params),
        421 => boxed::<421, 7>(params),
        _ => boxed::<703, 11>(params),
    }
}

impl<const CELLS: usize> Player<Go<CELLS>> for GoEngine<CELLS> {
    fn think(
        &mut self,
        line: &Line<Go<CELLS>>,
        limits: &Limits,
        watch: &mut Watch<'_, Move>,
    ) -> Result<Thought<Move>, PlayerError> {
        self.search.think(line, limits, watch)
    }

    fn think_among(
        &mut self,
        line: &Line<Go<CELLS>>,
        wanted: &[Move],
        limits: &Limits,
        watch: &mut Watch<'_, Move>,
    ) -> Result<Thought<Move>, PlayerError> {
        self.search.think_among(line, wanted, limits, watch)
    }
}

/// A game is given up after so many thoughts in a row that see no hope.
const HOPELESS: u32 = 3;

/// Smaller boards are won without playing for more than needed; lab/2026-11-16-matches.md has the matches.
const RESERVE_FROM: usize = 14;

/// A tree and the game it belongs to.
struct Kept {
    root: Node,
    moves: Vec<Move>,
    start: u64,
    komi: Komi,
    rules: Rules,
    nodes: usize,
    /// Black's lead in points, as the simulations saw it.
    lead: f32,
}

impl Kept {
    /// Whether this line goes on from there.
    fn belongs_to<const CELLS: usize>(&self, line: &Line<Go<CELLS>>) -> bool {
        let position = line.position();
        self.start == line.start().key()
            && self.komi == position.komi()
            && self.rules == position.rules()
            && line.moves().starts_with(&self.moves)
    }
}

struct Engine<const CELLS: usize, const WORDS: usize> {
    params: GoParams,
    kept: Option<Kept>,
    /// Thoughts in a row that saw no hope.
    hopeless: u32,
}

/// When to stop: the first figure if the choice is clear by then, the last in any case.
struct Deadline {
    soft: Option<Duration>,
    hard: Option<Duration>,
    /// Whether it is over as well when the choice cannot change any more.
    early: bool,
    /// From this share of won simulations on, a quarter of the time is enough.
    sure: f32,
    /// Visits of the root before the thought.
    known: u32,
}

impl Deadline {
    fn of(limits: &Limits, ply: usize, params: &GoParams, top: &Node) -> Self {
        let allotted = limits.clock.map(|clock| clock.allot(ply));
        let least = |given: Option<Duration>| match (limits.time, given) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Deadline {
            soft: allotted.map(|(soft, _)| soft),
            hard: least(allotted.map(|(_, hard)| hard)),
            early: params.early,
            sure: params.sure,
            known: top.own.visits(),
        }
    }

    /// Whether a move may take longer than this.
    fn is_later_than(&self, time: Duration) -> bool {
        self.hard.is_none_or(|hard| hard > time)
    }

    /// Whether the search ends now, with the tree as it is.
    fn is_over(&self, now: Duration, top: &Node) -> bool {
        let is_decided = |hard: Duration| {
            // Not only simulations are visits: the network's opinion counts as several.
            let until_now = f64::from(top.own.visits().saturating_sub(self.known));
            let more = until_now * (hard.as_secs_f64() / now.as_secs_f64() - 1.0);
            // The speed of the first moments is not known well.
            let is_settled = now > hard / 8 && f64::from(margin(top)) > more;
            self.early && (is_settled || (now > hard / 4 && best_mean(top) > self.sure))
        };
        self.hard.is_some_and(|hard| now >= hard || is_decided(hard))
            || self.soft.is_some_and(|soft| now >= soft && is_clear(top))
    }
}

/// Fewer simulations of a move are no ground to be sure of it.
const SURE_VISITS: f32 = 200.0;

/// The share of simulations that the most visited move has won; nothing if there are few.
fn best_mean(top: &Node) -> f32 {
    let Some(branch) = top.branch() else {
        return 0.0;
    };
    let results = branch.nodes.iter().map(|node| node.own.read(branch.colour));
    let most = results.max_by(|a, b| a.0.total_cmp(&b.0));
    most.filter(|(visits, _)| *visits >= SURE_VISITS).map_or(0.0, |(visits, wins)| wins / visits)
}

/// By how many visits the most visited move leads: when so many cannot come any more, it is the answer.
fn margin(top: &Node) -> u32 {
    let Some(branch) = top.branch() else {
        return 0;
    };
    let (mut best, mut second) = (0, 0);
    for visits in branch.nodes.iter().map(|node| node.own.visits()) {
        if visits > best {
            (best, second) = (visits, best);
        } else {
            second = second.max(visits);
        }
    }
    best - second
}

/// Whether the most visited move is far ahead, and also the best by value among those with many visits.
fn is_clear(top: &Node) -> bool {
    let Some(branch) = top.branch() else {
        return true;
    };
    let most = |without: Option<Cell>| {
        let others = branch.nodes.iter().filter(|node| Some(node.cell()) != without);
        others.max_by_key(|node| node.own.visits())
    };
    let Some(best) = most(None) else {
        return true;
    };
    let Some(second) = most(Some(best.cell())) else {
        return true;
    };
    let mean = |node: &Node| {
        let (visits, wins) = node.own.read(branch.colour);
        wins / visits.max(1.0)
    };
    best.own.visits() as f32 > 1.5 * second.own.visits() as f32 && mean(best) >= mean(second)
}

impl<const CELLS: usize, const WORDS: usize> Engine<CELLS, WORDS> {
    fn new(params: GoParams) -> Self {
        Engine { params, kept: None, hopeless: 0 }
    }

    /// Whether the game is given up after this thought. In the opening nobody has lost yet, whatever a young search says.
    fn resigns(&mut self, line: &Line<Go<CELLS>>, thought: &Thought<Move>) -> bool {
        let value = thought.value.seen_by(line.position().to_move());
        let is_hopeless = (value + 1.0) / 2.0 < self.params.resign;
        self.hopeless = if is_hopeless { self.hopeless + 1 } else { 0 };
        let size = line.position().size();
        self.hopeless >= HOPELESS && line.ply() >= size * size / 5
    }

    /// The part of the kept tree that belongs to this line.
    fn advance(&mut self, line: &Line<Go<CELLS>>) -> Option<(Node, usize)> {
        let kept = self.kept.take().filter(|_| self.params.reuse)?;
        if !kept.belongs_to(line) {
            return None;
        }
        let board = line.position().board();
        let later = &line.moves()[kept.moves.len()..];
        let mut node = kept.root;
        for &mv in later {
            let cell = Field::<CELLS, WORDS>::cell_of_move(board, mv);
            let branch = node.take_branch()?;
            node = branch.nodes.into_vec().into_iter().find(|node| node.cell() == cell)?;
        }
        let nodes = if later.is_empty() { kept.nodes } else { node.count_below() };
        Some((node, nodes))
    }

    /// Twice the points that are shifted to White so that the side to move, which is ahead, does not rest on its lead: on what is left of it
    /// where so much is shifted already for a handicap.
    fn reserved(&self, line: &Line<Go<CELLS>>, side: Side, shifted: i32) -> i32 {
        let kept = self.kept.as_ref().filter(|kept| kept.belongs_to(line));
        let Some(kept) = kept.filter(|_| line.position().size() >= RESERVE_FROM) else {
            return 0;
        };
        let lead = kept.lead - shifted as f32 / 2.0;
        let ahead = if side == Side::First { lead.max(0.0) } else { lead.min(0.0) };
        2 * (self.params.reserve * ahead) as i32
    }

    /// Twice the points that are shifted to White while a handicap still lies ahead, so that both sides play for what
    /// they can reach: all of it at first, nothing after a while.
    fn shifted(&self, line: &Line<Go<CELLS>>) -> i32 {
        let start = line.start();
        let stones = start.board().stones(Side::First);
        if !self.params.dynamic_komi || stones < 2 || start.board().stones(Side::Second) > 0 {
            return 0;
        }
        let size = start.size() as f32;
        let until = size * size * 0.55;
        let ahead = 7.0 * stones as f32 * (size / 19.0).min(1.0);
        2 * (ahead * (1.0 - line.ply() as f32 / until)).max(0.0) as i32
    }
}

impl<const CELLS: usize, const WORDS: usize> Player<Go<CELLS>> for Engine<CELLS, WORDS> {
    fn think(
        &mut self,
        line: &Line<Go<CELLS>>,
        limits: &Limits,
        watch: &mut Watch<'_, Move>,
    ) -> Result<Thought<Move>, PlayerError> {
        self.think_among(line, &[], limits, watch)
    }

    fn think_among(
        &mut self,
        line: &Line<Go<CELLS>>,
        wanted: &[Move],
        limits: &Limits,
        watch: &mut Watch<'_, Move>,
    ) -> Result<Thought<Move>, PlayerError> {
        // Step 1. What is asked.
        let limits = limits.for_tree(self.params.playouts, self.params.ms, USUAL_PLAYOUTS);
        let mut legal = Vec::new();
        let Turn::Decision(side) = line.turn(&mut legal) else {
            return Err(PlayerError::NothingToDecide);
        };
        legal.retain(|mv| wanted.is_empty() || wanted.contains(mv));
        let position = line.position();
        let shifted = self.shifted(line);
        let reserved = if limits.endless { 0 } else { self.reserved(line, side, shifted) };
        let (top, known) = self.advance(line).unwrap_or_else(|| (Node::new(0, Default::default()), 1));
        let nodes = AtomicUsize::new(known);
        let mut field = Field::<CELLS, WORDS>::of(position);
        if let [.., before, _] = line.moves() {
            field.set_last_but_one(Field::<CELLS, WORDS>::cell_of_move(position.board(), *before));
        }
        let keys = if Root::<CELLS, WORDS>::forbids_repetition(position.rules()) {
            let key = |go: &Go<CELLS>| {
                let stones = Field::<CELLS, WORDS>::key_of(go.board());
                Field::<CELLS, WORDS>::repetition_key(stones, colour_of(go.to_move()), go.rules())
            };
            line.positions().iter().map(key).collect()
        } else {
            Vec::new()
        };
        let root = Root {
            params: &self.params,
            field,
            rules: position.rules(),
            komi_halves: position.komi().halves() + 2 * position.compensation() as i32,
            shift_halves: shifted,
            reserve_halves: reserved,
            keys,
            nodes: &nodes,
            most_nodes: (self.params.memory << 20) / Branch::BYTES,
            alone: self.params.threads <= 1,
            uses_network: self.params.net > 0.0 && position.size() >= self.params.net_from,
            target: 0,
            reach: 0,
            thresholds: [self.params.self_atari.min(255) as u8; 2],
        };
        let mut top = top;
        open_root(&root, &mut top, &legal);

        // Step 2. Simulations, until something ends them.
        let session = Session::new(&self.params, &limits, line, &top);
        let judging = JUDGING * (position.size() * position.size()) as u32;
        let must_play_on =
            !limits.endless && session.deadline.is_later_than(judging) && loses_by_passing(position, side);
        let mut found = Found::new();
        loop {
            grow(&root, &top, &session, side, &mut found, watch);
            if session.tickets.is_over() {
                break;
            }
            // Memory is full: forget what was hardly visited, and go on.
            let mut least = 2;
            while nodes.load(Relaxed) >= root.most_nodes / 2 && least < 1 << 20 {
                nodes.store(1 + top.prune(least), Relaxed);
                least *= 2;
            }
        }

        // Step 3. What was found.
        let mut thought = summary(&root, &top, side, &found);
        if let Some(pass) = thought.candidates.iter().position(|candidate| candidate.mv == Move::Pass)
            && pass > 0
            && !limits.endless
            && is_time_to_pass(&root, position, side, &found)
        {
            prefer(&mut thought, pass);
        }
        if must_play_on
            && thought.best == Move::Pass
            && thought.candidates.get(1).is_some_and(|next| next.value.seen_by(side) > HOPE)
        {
            prefer(&mut thought, 1);
        }
        let nodes = nodes.into_inner();
        // A tree without some of the moves is no use for the next question.
        self.kept = (self.params.reuse && wanted.is_empty()).then(|| Kept {
            root: top,
            moves: line.moves().to_vec(),
            start: line.start().key(),
            komi: position.komi(),
            rules: position.rules(),
            nodes,
            lead: found.lead(),
        });
        if !limits.endless && self.resigns(line, &thought) {
            return Err(PlayerError::Resigned);
        }
        Ok(thought)
    }
}

/// Makes sure that the root has no moves but these, which the rules allow, superko included; if none of them is worth looking at, a pass.
fn open_root<const CELLS: usize, const WORDS: usize>(root: &Root<'_, CELLS, WORDS>, top: &mut Node, legal: &[Move]) {
    let is_legal = |cell: Cell| legal.contains(&root.field.move_of(cell));
    if !top.branch().is_some_and(|branch| branch.nodes.iter().all(|node| is_legal(node.cell()))) {
        top.take_branch();
    }
    let branch = top.branch_or(|| {
        let mut moves = Vec::new();
        let mut branch = root.open(&root.field, &root.keys, &mut moves);
        let is_any_left = branch.cells.iter().any(|&cell| is_legal(cell.into()));
        branch.retain(|cell| if is_any_left { is_legal(cell) } else { cell == 0 });
        branch
    });
    // No node is more important than the root.
    if root.uses_network && branch.wants_advice() {
        branch.advise(Adviser::default().advice(&root.field, &branch.cells).shares);
    }
}

/// Simulations a move where nothing else ends it.
const USUAL_PLAYOUTS: u64 = 10_000;

/// What the threads of one thought share.
struct Session {
    tickets: Tickets,
    deadline: Deadline,
    seed: u64,
}

impl Session {
    fn new<const CELLS: usize>(params: &GoParams, limits: &Limits, line: &Line<Go<CELLS>>, top: &Node) -> Self {
        let allowed = limits.visits.or(limits.nodes).filter(|_| !limits.endless).unwrap_or(u64::MAX);
        Session {
            tickets: Tickets::new(allowed),
            deadline: Deadline::of(limits, line.ply(), params, top),
            seed: params.seed ^ mix(line.position().board().key() ^ line.ply() as u64),
        }
    }
}

/// Simulates with all threads until the session is over or the memory is full.
fn grow<'t, 'p, const CELLS: usize, const WORDS: usize>(
    root: &Root<'p, CELLS, WORDS>,
    top: &'t Node,
    session: &Session,
    side: Side,
    found: &mut Found<CELLS>,
    watch: &mut Watch<'_, Move>,
) {
    let params = root.params;
    // The number of simulations before makes another seed after memory was full.
    let walker = |thread: usize| {
        let seed = mix(session.seed.wrapping_add(mix(thread as u64)) ^ found.simulations);
        let is_plain = params.diversity > 0 && thread % params.diversity == params.diversity - 1;
        Walker::new(root, seed, is_plain && params.threads > 1)
    };
    let is_full = || root.nodes.load(Relaxed) >= root.most_nodes;
    let mut news = News::new(watch.clock.elapsed());
    let lead = |walker: &mut Walker<'t, 'p, CELLS, WORDS>| {
        walker.simulate(root, top);
        if walker.found.simulations.is_multiple_of(8) {
            let now = watch.clock.elapsed();
            if watch.stopped() || session.deadline.is_over(now, top) {
                session.tickets.stop();
            }
            if news.are_due(now) {
                let mut thought = summary(root, top, side, &walker.found);
                thought.nodes = session.tickets.taken();
                (watch.report)(&thought);
            }
        }
    };
    let others = |walker: &mut Walker<'t, 'p, CELLS, WORDS>| walker.simulate(root, top);
    // A thread that panicked has nothing to add.
    for walker in simulate(&session.tickets, params.threads, is_full, walker, others, lead).into_iter().flatten() {
        found.add(&walker.found);
    }
}

/// What the tree and the playouts say now.
fn summary<const CELLS: usize, const WORDS: usize>(
    root: &Root<'_, CELLS, WORDS>,
    top: &Node,
    side: Side,
    found: &Found<CELLS>,
) -> Thought<Move> {
    let colour = colour_of(side);
    // What the engine does without is its own affair: values are told as they are.
    let more = Pov::of(Side::First, found.reserved()).seen_by(side);
    let mut candidates = Vec::new();
    // The root was opened before the search, and has a move.
    if let Some(branch) = top.branch() {
        let likely = |index: usize, prior: &Prior| match branch.advice() {
            Some(shares) => shares[index],
            None if prior.policy > 0.0 => prior.policy,
            None => prior.wins / prior.visits.max(1e-3),
        };
        candidates.extend(branch.nodes.iter().enumerate().map(|(index, node)| Candidate {
            prior: Some(likely(index, &node.prior)),
            pv: expected(root, node),
            ..Candidate::new(
                root.field.move_of(node.cell()),
                u64::from(node.own.visits()),
                Pov::of(side, value_of(node, colour, more)),
            )
        }));
    }
    let value = |candidate: &Candidate<Move>| candidate.value.seen_by(side);
    candidates.sort_by(|a, b| b.visits.cmp(&a.visits).then_with(|| value(b).total_cmp(&value(a))));
    let best = candidates.first().map_or(Move::Pass, |candidate| candidate.mv);
    let value = candidates.first().map_or(Pov::even(), |candidate| candidate.value);
    let pv = candidates.first().map_or(vec![best], |candidate| candidate.pv.clone());
    let size = root.field.size();
    let cells = (0..size * size).map(|index| Field::<CELLS, WORDS>::cell_at(index % size, index / size));
    Thought {
        pv,
        lead: Some(Pov::of(Side::First, Lead::Points(found.lead()))),
        ownership: cells.map(|cell| found.owner(cell)).collect(),
        depth: candidates.first().map_or(0, |candidate| candidate.pv.len() as u32),
        ..Thought::new(best, value, found.simulations, 0, candidates)
    }
}

/// Chooses another candidate than the one visited most.
fn prefer(thought: &mut Thought<Move>, at: usize) {
    thought.candidates[..=at].rotate_right(1);
    thought.best = thought.candidates[0].mv;
    thought.pv.clone_from(&thought.candidates[0].pv);
}

/// The line that follows a move, the move first: always on by what was visited most.
fn expected<const CELLS: usize, const WORDS: usize>(root: &Root<'_, CELLS, WORDS>, from: &Node) -> Vec<Move> {
    let mut pv = vec![root.field.move_of(from.cell())];
    let mut node = from;
    while let Some(best) = node.branch().and_then(|branch| branch.nodes.iter().max_by_key(|node| node.own.visits()))
        && best.own.visits() > 0
    {
        pv.push(root.field.move_of(best.cell()));
        node = best;
    }
    pv
}

/// The value of a move for the colour that makes it, with what all values are told higher by; the lowest if nobody has tried it.
fn value_of(node: &Node, colour: Colour, more: f32) -> f32 {
    let (visits, wins) = node.own.read(colour);
    if visits == 0.0 { -1.0 } else { (2.0 * wins / visits - 1.0 + more).clamp(-1.0, 1.0) }
}

/// Simulations that look whether passing gives something away.
const PASS_SIMULATIONS: u64 = 400;

/// Whether nothing is left to play for: all stones and points have an owner, no neutral point can be had, and they keep
/// their owners if the opponent moves first. If the opponent has passed, a count that is won is enough.
fn is_time_to_pass<const CELLS: usize, const WORDS: usize>(
    root: &Root<'_, CELLS, WORDS>,
    position: &Go<CELLS>,
    side: Side,
    found: &Found<CELLS>,
) -> bool {
    if found.simulations < 50 || position.rules() == Rules::TrompTaylor {
        return false;
    }
    let settled = Settled::of(position, |cell| found.owner(cell));
    if !settled.is_clear || settled.has_neutral && position.passes() == 0 {
        return false;
    }
    // All that was found with the best move made; now the opponent begins.
    let after = look_after_passing(root);
    let settled = Settled::of(position, |cell| after.owner(cell));
    let wins = || position.count(&settled.dead).outcome().value_for(side) > 0.0;
    let keeps_all = !settled.has_neutral && Pov::of(Side::First, after.lead() - found.lead()).seen_by(side) > -2.0;
    settled.is_clear && (keeps_all || position.passes() == 1 && wins())
}

/// Playouts of the judgement that a pass would lead to.
const JUDGE_PLAYOUTS: u32 = 1000;
/// The time that a move must have for it, for each point of the board: six times what it usually takes, and one and a half times what
/// it takes where the sides of one race have to be searched.
const JUDGING: Duration = Duration::from_millis(5);
/// A move that is worth more than this is played rather than passing in a game that would be counted as lost.
const HOPE: f32 = -0.6;

/// Whether a pass would end the game, and the game would be counted as lost.
fn loses_by_passing<const CELLS: usize>(position: &Go<CELLS>, side: Side) -> bool {
    // By Tromp-Taylor rules the tree itself counts.
    if position.passes() != 1 || position.rules() == Rules::TrompTaylor {
        return false;
    }
    let mut over = position.clone();
    over.play(Move::Pass);
    let dead = judge(&over, JUDGE_PLAYOUTS, over.board().key()).dead_stones();
    over.count(&dead).outcome().value_for(side) < 0.0
}

/// What becomes of the board if the side to move passes and the opponent goes on.
fn look_after_passing<const CELLS: usize, const WORDS: usize>(root: &Root<'_, CELLS, WORDS>) -> Found<CELLS> {
    let mut field = root.field.clone();
    field.pass();
    field.resume();
    let nodes = AtomicUsize::new(1);
    let after = Root { field, keys: root.keys.clone(), nodes: &nodes, alone: true, uses_network: false, ..*root };
    let top = Node::new(0, Default::default());
    let mut walker = Walker::new(&after, mix(root.params.seed ^ root.field.key()), false);
    for _ in 0..PASS_SIMULATIONS {
        walker.simulate(&after, &top);
    }
    walker.found
}

/// What ownership says about a position.
struct Settled {
    /// Whether every stone is clearly alive or dead.
    is_clear: bool,
    /// Whether some empty point is not clearly anybody's.
    has_neutral: bool,
    dead: Vec<Point>,
}

impl Settled {
    fn of<const CELLS: usize>(position: &Go<CELLS>, owner: impl Fn(Cell) -> f32) -> Self {
        let board = position.board();
        let mut settled = Settled { is_clear: true, has_neutral: false, dead: Vec::new() };
        for point in board.points() {
            let owner = owner(Field::<CELLS, 1>::cell_of(board, point));
            match board.colour(point) {
                Some(colour) => {
                    let share = Pov::of(Side::First, owner).seen_by(colour);
                    settled.is_clear &= share.abs() > 0.6;
                    if share < 0.0 {
                        settled.dead.push(point);
                    }
                }
                None => settled.has_neutral |= owner.abs() < 0.8,
            }
        }
        settled
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_core::Notation;
    use tengen_games::go::{Go13, Go19};

    fn line_of<const CELLS: usize>(size: usize, komi: f64, moves: &[&str]) -> Line<Go<CELLS>> {
        let mut line = Line::new(Go::new(size, Rules::Chinese, Some(Komi::new(komi).unwrap())).unwrap());
        for mv in moves {
            line.push(line.position().read_move(mv).unwrap());
        }
        line
    }

    /// An engine that has just thought about a line and saw Black ahead by so many points.
    fn engine_after<const CELLS: usize, const WORDS: usize>(line: &Line<Go<CELLS>>, lead: f32) -> Engine<CELLS, WORDS> {
        let mut engine = Engine::new(GoParams { reserve: 0.5, ..GoParams::default() });
        engine.kept = Some(Kept {
            root: Node::new(0, Default::default()),
            moves: line.moves().to_vec(),
            start: line.start().key(),
            komi: line.position().komi(),
            rules: line.position().rules(),
            nodes: 1,
            lead,
        });
        engine
    }

    #[test]
    fn half_of_a_lead_is_done_without_on_large_boards_by_the_side_that_has_it() {
        let before: Line<Go19> = line_of(19, 7.5, &["D4"]);
        let now: Line<Go19> = line_of(19, 7.5, &["D4", "Q16", "Q4"]);
        let black = engine_after::<421, 7>(&before, 21.0);
        assert_eq!([black.reserved(&now, Side::First, 0), black.reserved(&now, Side::Second, 0)], [20, 0]);
        // Of 21 points, 15 are shifted for a handicap.
        assert_eq!(black.reserved(&now, Side::First, 30), 6);
        let white = engine_after::<421, 7>(&before, -21.0);
        assert_eq!([white.reserved(&now, Side::First, 0), white.reserved(&now, Side::Second, 0)], [0, -20]);
        // What was seen in another game says nothing.
        let other: Line<Go19> = line_of(19, 6.5, &["D4", "Q16", "Q4"]);
        assert_eq!(black.reserved(&other, Side::First, 0), 0);
        let small: Line<Go13> = line_of(13, 7.5, &["D4"]);
        assert_eq!(engine_after::<211, 4>(&small, 21.0).reserved(&small, Side::First, 0), 0);
    }
}
