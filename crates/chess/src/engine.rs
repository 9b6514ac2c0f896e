//! The engine: threads around a shared table, a book before the search, tablebases at its root. A [`Player`] for every chess game.

use crate::board::SearchBoard;
use crate::book::Book;
use crate::evaluate::{Classical, Evaluation, FairyEvaluation};
use crate::fairy::Fairy;
use crate::mv::Mv;
use crate::orthodox::Orthodox;
use crate::params::SearchParams;
use crate::score;
use crate::search::{Found, Oracle, Reductions, Shared, Worker, is_mate};
use crate::strength::{ELO_RANGE, Weakness};
use crate::syzygy::Tablebases;
use crate::table::Table;
use crate::timing::Timing;
use shakmaty::Move;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;
use tengen_core::{Line, Position, Pov, Rng, Score, Side, Turn, mix};
use tengen_games::chess::{
    AntichessRules, AtomicRules, Board, Chess960Rules, ChessRules, CrazyhouseRules, HordeRules, KingOfTheHillRules,
    RacingKingsRules, ThreeCheckRules, Variant,
};
use tengen_search::{Bound, Candidate, Clock, Limits, Player, PlayerError, Thought, Watch};

/// A variant the engine can play: which board the search stands on, and who judges it.
pub trait Playable: Variant + Sized {
    /// What the search stands on.
    type Ground: SearchBoard;
    /// What judges positions.
    type Judge: Evaluation<Self::Ground>;

    /// The position for the search.
    fn ground(board: &Board<Self>) -> Self::Ground;
    /// A judge for one thread.
    fn judge() -> Self::Judge;
    /// The tablebases as the search asks them, where they know the variant.
    fn oracle(_tables: &Tablebases) -> Option<&dyn Oracle<Self::Ground>> {
        None
    }
    /// The position as book and tablebases know it, where they know the variant.
    fn orthodox(_board: &Board<Self>) -> Option<&shakmaty::Chess> {
        None
    }
}

macro_rules! playable {
    (orthodox: $($rules:ty)*) => {$(
        impl Playable for $rules {
            type Ground = Orthodox;
            type Judge = Classical;
            fn ground(board: &Board<Self>) -> Orthodox {
                Orthodox::new(board.rules())
            }
            fn judge() -> Classical {
                Classical::default()
            }
            fn oracle(tables: &Tablebases) -> Option<&dyn Oracle<Orthodox>> {
                Some(tables)
            }
            fn orthodox(board: &Board<Self>) -> Option<&shakmaty::Chess> {
                Some(board.rules())
            }
        }
    )*};
    (fairy: $($rules:ty)*) => {$(
        impl Playable for $rules {
            type Ground = Fairy<Self>;
            type Judge = FairyEvaluation;
            fn ground(board: &Board<Self>) -> Fairy<Self> {
                Fairy::new(board)
            }
            fn judge() -> FairyEvaluation {
                FairyEvaluation::new(Self::ID)
            }
        }
    )*};
}

playable!(orthodox: ChessRules Chess960Rules);
playable!(fairy: CrazyhouseRules ThreeCheckRules KingOfTheHillRules AtomicRules RacingKingsRules AntichessRules HordeRules);

tengen_search::params! {
    /// How the chess engine plays.
    pub struct ChessParams {
        ms: u64 = 1000, 0..=3_600_000, "milliseconds a move; 0 for no limit; a game clock goes before it";
        nodes: u64 = 0, 0..=u64::MAX, "positions to look at; 0 for no limit";
        depth: u32 = 150, 1..=150, "plies";
        hash: usize = 16, 1..=1_048_576, "megabytes to remember positions in";
        threads: usize = 1, 1..=1024, "threads that search together";
        elo: u32 = 0, 0..=2500, "plays like a person of this rating, 500 to 2500; 0 for full strength";
        lines: usize = 1, 1..=256, "how many moves to show with their lines";
        book: String = String::new(), "a file", "a book of openings in Polyglot's format";
        syzygy: String = String::new(), "directories", "where Syzygy tablebases are";
        seed: u64 = 0, 0..=u64::MAX, "choices from the book and a weaker player's mistakes follow from this number";
    }
}

/// What the engine is asked.
pub struct Question<'a> {
    /// When to stop; nothing set is the same as endless.
    pub limits: Limits,
    /// Stop when a mate in so many moves is found.
    pub mate: Option<u32>,
    /// Only these moves; empty for all.
    pub moves: Vec<Move>,
    /// How many lines are wanted.
    pub lines: usize,
    /// Time since the question.
    pub clock: &'a dyn Clock,
    /// Set by anyone: answer now.
    pub stop: &'a AtomicBool,
    /// While set, no limit ends the search.
    pub pondering: &'a AtomicBool,
    /// Hears nodes and time once a second, so that a long search is not a long silence.
    pub pulse: Option<&'a (dyn Fn(u64, Duration) + Sync)>,
}

impl<'a> Question<'a> {
    /// Think within these limits about all moves.
    pub fn new(limits: Limits, clock: &'a dyn Clock, stop: &'a AtomicBool, pondering: &'a AtomicBool) -> Self {
        Question { limits, mate: None, moves: Vec::new(), lines: 1, clock, stop, pondering, pulse: None }
    }
}

/// One line the engine has found, as protocols and pages show it.
#[derive(Clone, Debug)]
pub struct Report {
    /// Plies searched.
    pub depth: u32,
    /// The deepest ply reached.
    pub deepest: u32,
    /// Its rank among the lines, from 1.
    pub rank: usize,
    /// For the side to move.
    pub score: Score,
    /// Whether the score is exact.
    pub bound: Bound,
    /// Nodes of all threads so far.
    pub nodes: u64,
    /// Nodes spent on this line.
    pub line_nodes: u64,
    /// Time so far.
    pub elapsed: Duration,
    /// How full the table is, in thousandths.
    pub full: u32,
    /// Positions answered by tablebases.
    pub tablebase_hits: u64,
    /// The line.
    pub pv: Vec<Move>,
}

/// What the engine answers.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The move to play.
    pub best: Move,
    /// The reply it expects.
    pub ponder: Option<Move>,
    /// The lines, the best first; empty if the move came from a book.
    pub lines: Vec<Report>,
    /// Nodes of all threads.
    pub nodes: u64,
}

/// The chess engine for one variant.
pub struct ChessEngine<V: Playable> {
    params: ChessParams,
    search_params: SearchParams,
    reductions: Reductions,
    table: Table,
    workers: Vec<Worker<V::Ground, V::Judge>>,
    book: Option<Arc<Book>>,
    tablebases: Option<Arc<Tablebases>>,
    rng: Rng,
}

impl<V: Playable> ChessEngine<V> {
    /// An engine with these parameters; it opens the book and the tablebases they name.
    pub fn new(params: ChessParams) -> Result<Self, String> {
        let book = match params.book.as_str() {
            "" => None,
            file => Some(Arc::new(Book::open(file)?)),
        };
        let tablebases = match params.syzygy.as_str() {
            "" => None,
            path => Some(Arc::new(Tablebases::open(path)?)),
        };
        let search_params = SearchParams::default();
        Ok(ChessEngine {
            reductions: Reductions::new(&search_params),
            search_params,
            table: Table::new(params.hash)?,
            workers: vec![Worker::new(V::judge())],
            book,
            tablebases,
            rng: Rng::with_seed(params.seed),
            params,
        })
    }

    /// The parameters it plays by.
    pub fn params(&self) -> &ChessParams {
        &self.params
    }

    /// The figures of the search.
    pub fn search_params(&self) -> &SearchParams {
        &self.search_params
    }

    /// Changes the figures of the search.
    pub fn set_search_params(&mut self, params: SearchParams) {
        self.reductions = Reductions::new(&params);
        self.search_params = params;
    }

    /// A table of so many megabytes; what the old one knew is gone. If there is no room for it, a small one takes its place.
    pub fn set_hash(&mut self, megabytes: usize) -> Result<(), String> {
        // The old one goes first, so that both need not fit at once.
        self.table = Table::new(1)?;
        self.params.hash = 1;
        self.table = Table::new(megabytes)?;
        self.params.hash = megabytes;
        Ok(())
    }

    /// How many threads search together.
    pub fn set_threads(&mut self, threads: usize) {
        self.params.threads = threads.max(1);
        self.workers.truncate(self.params.threads);
    }

    /// Plays like a person of this rating, or with full strength.
    pub fn set_elo(&mut self, elo: Option<u32>) {
        let elo = elo.unwrap_or(0);
        // What one player has found is no use to another.
        if elo != self.params.elo {
            self.table.clear();
        }
        self.params.elo = elo;
    }

    /// Choices from the book and a weaker player's mistakes follow from this number.
    pub fn set_seed(&mut self, seed: u64) {
        self.params.seed = seed;
        self.rng = Rng::with_seed(seed);
    }

    /// Opens with this book, or with none.
    pub fn set_book(&mut self, book: Option<Arc<Book>>) {
        self.book = book;
    }

    /// Asks these tablebases, or none.
    pub fn set_tablebases(&mut self, tablebases: Option<Arc<Tablebases>>) {
        self.tablebases = tablebases;
    }

    /// Another game begins: forgets what was found in the last one.
    pub fn new_game(&mut self) {
        self.table.clear();
        self.workers.iter_mut().for_each(Worker::forget);
    }

    /// Empties the table.
    pub fn clear_hash(&mut self) {
        self.new_game();
    }

    /// Thinks about the position at the end of the line; `None` if no move is possible there. A game that is drawn by
    /// repetition, fifty moves or for want of material can be thought about all the same: not every GUI ends it.
    pub fn search(
        &mut self,
        line: &Line<Board<V>>,
        question: &Question<'_>,
        report: &mut dyn FnMut(&[Report]),
    ) -> Option<Answer> {
        // Step 1. The legal moves; only those asked for.
        let position = line.position();
        let legal = movable(position);
        if legal.is_empty() {
            return None;
        }
        let wanted: Vec<Move> = legal.iter().copied().filter(|mv| question.moves.contains(mv)).collect();
        let moves = if wanted.is_empty() { legal } else { wanted };

        // Step 2. The book.
        let free = !question.limits.endless && question.mate.is_none() && !question.pondering.load(Relaxed);
        if free
            && let Some(book) = &self.book
            && let Some(orthodox) = V::orthodox(position)
            && let Some(code) = book.choose(orthodox, &mut self.rng)
            && let Some(&best) = moves.iter().find(|&&mv| Board::<V>::code(mv) == code.code())
        {
            return Some(Answer { best, ponder: None, lines: Vec::new(), nodes: 0 });
        }

        // Step 3. Tablebases leave only the moves that keep the result.
        let code = |mv: &Move| Mv::from_code(Board::<V>::code(*mv));
        let mut roots: Vec<Mv> = moves.iter().map(code).collect();
        if let Some(tables) = &self.tablebases
            && question.lines <= 1
            && let Some(orthodox) = V::orthodox(position)
            && let Some(best) = tables.best_codes(orthodox, &moves)
            && !best.is_empty()
        {
            roots = best;
        }

        // Step 4. What all threads share.
        let ground = V::ground(position);
        let past = past_keys(line);
        self.table.age();
        let weakness = match self.params.elo {
            0 => None,
            elo => Some(Weakness::new(elo, mix(self.params.seed ^ line.ply() as u64))),
        };
        let nodes = question.limits.nodes.unwrap_or(u64::MAX);
        let weak_nodes = weakness.map_or(u64::MAX, |weak| weak.nodes);
        let shared = Shared {
            table: &self.table,
            params: &self.search_params,
            reductions: &self.reductions,
            oracle: self.tablebases.as_deref().and_then(V::oracle),
            weakness,
            stop: question.stop,
            pondering: question.pondering,
            halt: AtomicBool::new(false),
            clock: question.clock,
            timing: Timing::new(&question.limits),
            last_depth: question.limits.depth.unwrap_or(150).min(150) as i32,
            last_node: if question.limits.endless { u64::MAX } else { nodes.min(weak_nodes) },
            mate: question.mate.map(|moves| moves.min(1000) as i32),
            nodes: AtomicU64::new(0),
            tablebase_hits: AtomicU64::new(0),
            pulse: question.pulse,
        };

        // Step 5. The threads search; the first one reports and says when it is enough.
        while self.workers.len() < self.params.threads {
            self.workers.push(Worker::new(V::judge()));
        }
        // A weaker player thinks alone: threads would make him stronger by chance.
        let threads = if shared.weakness.is_some() { 1 } else { self.params.threads };
        let (first, helpers) = self.workers.split_at_mut(1);
        let mut lines: Vec<Report> = Vec::new();
        let describe = |found: &[Found]| -> Vec<Report> {
            found.iter().map(|found| described(position, found, &shared)).collect()
        };
        std::thread::scope(|scope| {
            for (index, helper) in helpers.iter_mut().take(threads - 1).enumerate() {
                helper.prepare(&past, &roots, 1, false);
                let (ground, shared) = (&ground, &shared);
                // If the system has no thread left, there is a helper less.
                let helped = std::thread::Builder::new();
                let _ = helped.spawn_scoped(scope, move || helper.think(ground, shared, index + 1, &mut |_| {}));
            }
            first[0].prepare(&past, &roots, question.lines, true);
            first[0].think(&ground, &shared, 0, &mut |found| {
                lines = describe(found);
                report(&lines);
            });
            shared.halt.store(true, Relaxed);
        });

        // Step 6. The best move is the first thread's, unless another one has gone deeper and thinks more of its own.
        let mut chosen = &first[0];
        if question.lines <= 1 {
            for helper in helpers.iter().take(threads - 1) {
                let (ours, theirs) = (&chosen.roots[0], &helper.roots[0]);
                let deeper = theirs.depth > ours.depth || is_mate(theirs.score);
                if deeper && theirs.score > ours.score && theirs.depth > 0 {
                    chosen = helper;
                }
            }
        }
        let root = &chosen.roots[0];
        let changed = lines.first().is_none_or(|line| line.pv.first().map(code) != Some(root.mv));
        if changed {
            let found = Found {
                pv: root.pv.clone(),
                score: if root.score <= -score::INFINITE { 0 } else { root.score },
                bound: Bound::Exact,
                depth: root.depth.max(1),
                deepest: root.deepest,
                nodes: root.nodes,
                rank: 0,
            };
            lines = describe(&[found]);
            report(&lines);
        }
        let best = moves.iter().copied().find(|mv| code(mv) == root.mv).unwrap_or(moves[0]);
        let ponder = lines.first().and_then(|line| line.pv.get(1).copied());
        Some(Answer { best, ponder, nodes: shared.nodes.load(Relaxed), lines })
    }
}

/// The moves that can be made, though the game may be drawn already.
pub fn movable<V: Variant>(position: &Board<V>) -> Vec<Move> {
    let mut moves = Vec::new();
    if V::ended(position.rules()).is_none() {
        V::list(position.rules(), &mut moves);
    }
    moves
}

/// The keys of the positions before the current one, back to the last capture or pawn move.
fn past_keys<V: Playable>(line: &Line<Board<V>>) -> Vec<u64> {
    let positions = line.positions();
    let now = positions.len() - 1;
    let reach = V::ground(&positions[now]).halfmoves() as usize;
    positions[now.saturating_sub(reach)..now].iter().map(|position| V::ground(position).key()).collect()
}

/// A line in the game's own moves.
fn described<V: Playable>(position: &Board<V>, found: &Found, shared: &Shared<'_, V::Ground>) -> Report {
    let mut position = position.clone();
    let mut pv = Vec::with_capacity(found.pv.len());
    for mv in &found.pv {
        // A line may run on where the goal of a variant is reached.
        let Some(next) = movable(&position).into_iter().find(|&next| Board::<V>::code(next) == mv.code()) else {
            break;
        };
        position.play(next);
        pv.push(next);
    }
    Report {
        depth: found.depth as u32,
        deepest: found.deepest as u32,
        rank: found.rank + 1,
        score: found.score,
        bound: found.bound,
        nodes: shared.nodes.load(Relaxed),
        line_nodes: found.nodes,
        elapsed: shared.clock.elapsed(),
        full: shared.table.permille(),
        tablebase_hits: shared.tablebase_hits.load(Relaxed),
        pv,
    }
}

impl<V: Playable> Player<Board<V>> for ChessEngine<V> {
    fn think(
        &mut self,
        line: &Line<Board<V>>,
        limits: &Limits,
        watch: &mut Watch<'_, Move>,
    ) -> Result<Thought<Move>, PlayerError> {
        let Turn::Decision(side) = line.turn(&mut Vec::new()) else { return Err(PlayerError::NothingToDecide) };
        let params = &self.params;
        // A game clock shares the time out better than a fixed figure.
        let ms = if limits.clock.is_some() || limits.time.is_some() { 0 } else { params.ms };
        let limits = limits.and(&Limits::of(params.depth, ms, params.nodes));
        let never = AtomicBool::new(false);
        let question = Question { lines: params.lines, ..Question::new(limits, watch.clock, watch.stop, &never) };
        let mut news = |lines: &[Report]| {
            if let Some(thought) = thought(lines, side) {
                (watch.report)(&thought);
            }
        };
        let answer = self.search(line, &question, &mut news).ok_or(PlayerError::NothingToDecide)?;
        Ok(match thought(&answer.lines, side) {
            Some(thought) => Thought { best: answer.best, nodes: answer.nodes, ..thought },
            // From the book: nothing was searched.
            None => Thought::new(answer.best, Pov::even(), 0, 0, Vec::new()),
        })
    }
}

/// Lines as any player's thought, their scores being for `side`.
fn thought(lines: &[Report], side: Side) -> Option<Thought<Move>> {
    let first = lines.first()?;
    let value = |line: &Report| Pov::of(side, score::value(line.score));
    let lead = |line: &Report| Some(Pov::of(side, score::lead(line.score)));
    let candidate = |line: &Report| {
        let mv = *line.pv.first()?;
        let candidate = Candidate::new(mv, line.line_nodes, value(line));
        Some(Candidate { lead: lead(line), pv: line.pv.clone(), ..candidate })
    };
    let candidates = lines.iter().filter_map(candidate).collect();
    let best = *first.pv.first()?;
    Some(Thought {
        pv: first.pv.clone(),
        lead: lead(first),
        ..Thought::new(best, value(first), first.nodes, first.depth, candidates)
    })
}

/// Whether a rating is one the engine can play at.
pub fn is_level(elo: u32) -> bool {
    ELO_RANGE.contains(&elo)
}
