//! The search of one thread: iterative deepening around a principal variation search, with everything that makes it selective.
//!
//! [`Worker::think`] deepens, [`Worker::search`] is the recipe, [`Worker::quiesce`] settles captures at its end, and between two depths
//! [`Worker::prove`] looks for a mate that the recipe may have left out. All workers of a search share the transposition table, the
//! stop sign and nothing else (lazy SMP): each finds its own way through the tree, and what one has found the others meet in the table.

use crate::board::{SearchBoard, Verdict, WORTH, at};
use crate::evaluate::Evaluation;
use crate::history::{Histories, piece_index, reply_index};
use crate::mv::{Mv, Ranked};
use crate::params::SearchParams;
use crate::picker::Picker;
use crate::prover::{Proof, Prover};
use crate::score::{DECIDED, INFINITE, MATE, MATE_FOUND, MAX_PLY, NO_EVAL, TABLEBASE_WIN};
use crate::strength::Weakness;
use crate::table::{Entry, Table};
use crate::timing::Timing;
use shakmaty::Role;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;
use tengen_core::Score;
use tengen_search::{Bound, Clock};

/// What tablebases say of a position in the tree: +1 won, 0 drawn (also by the fifty-move rule), −1 lost.
pub trait Oracle<B>: Send + Sync {
    /// The most pieces it knows anything about.
    fn most_pieces(&self) -> usize;
    /// What it knows of the position for the side to move.
    fn ask(&self, board: &B) -> Option<i32>;
}

/// What all workers of one search have in common.
pub(crate) struct Shared<'a, B> {
    pub table: &'a Table,
    pub params: &'a SearchParams,
    pub reductions: &'a Reductions,
    pub oracle: Option<&'a dyn Oracle<B>>,
    pub weakness: Option<Weakness>,
    /// Set from outside: answer now.
    pub stop: &'a AtomicBool,
    /// While set, no limit ends the search.
    pub pondering: &'a AtomicBool,
    /// Set when the first worker is done.
    pub halt: AtomicBool,
    pub clock: &'a dyn Clock,
    pub timing: Timing,
    pub last_depth: i32,
    pub last_node: u64,
    /// Stop when a mate in so many moves is found.
    pub mate: Option<i32>,
    pub nodes: AtomicU64,
    pub tablebase_hits: AtomicU64,
    /// Hears nodes and time once a second.
    pub pulse: Option<&'a (dyn Fn(u64, Duration) + Sync)>,
}

/// One line that the search has found.
#[derive(Clone, Debug)]
pub struct Found {
    /// The moves, the first one at the root.
    pub pv: Vec<Mv>,
    /// For the side to move at the root.
    pub score: Score,
    /// Whether the score is exact, or the search is about to look again with a wider window.
    pub bound: Bound,
    /// Plies searched.
    pub depth: i32,
    /// The deepest ply reached.
    pub deepest: usize,
    /// Nodes spent on the line so far.
    pub nodes: u64,
    /// Its rank among several lines, from 0.
    pub rank: usize,
}

/// A move at the root.
#[derive(Clone, Debug)]
pub(crate) struct Root {
    pub mv: Mv,
    pub score: Score,
    pub before: Score,
    pub nodes: u64,
    pub depth: i32,
    pub deepest: usize,
    pub pv: Vec<Mv>,
}

impl Root {
    pub fn new(mv: Mv) -> Root {
        Root { mv, score: -INFINITE, before: -INFINITE, nodes: 0, depth: 0, deepest: 0, pv: vec![mv] }
    }
}

/// Late move reductions by depth and number of the move.
pub(crate) struct Reductions {
    quiet: Box<[[i8; 64]; 64]>,
    noisy: Box<[[i8; 64]; 64]>,
}

impl Reductions {
    pub fn new(params: &SearchParams) -> Reductions {
        let table = |base: i32, divisor: i32| {
            let mut table = Box::new([[0i8; 64]; 64]);
            for depth in 1..64 {
                for number in 1..64 {
                    let product = (depth as f64).ln() * (number as f64).ln();
                    table[depth][number] = (f64::from(base) / 100.0 + product * 100.0 / f64::from(divisor)) as i8;
                }
            }
            table
        };
        Reductions {
            quiet: table(params.reduction_base, params.reduction_divisor),
            noisy: table(params.noisy_base, params.noisy_divisor),
        }
    }
}

/// What the search remembers of one ply while it is below it.
#[derive(Clone, Copy)]
struct Frame {
    /// The move played here as an address of replies; `None` for a pass.
    reply: Option<usize>,
    eval: Score,
    killers: [Mv; 2],
    /// Left out while the search asks whether it stands alone.
    excluded: Mv,
    /// Double extensions on the way here.
    doubles: i32,
}

const NO_FRAME: Frame = Frame { reply: None, eval: NO_EVAL, killers: [Mv::NONE; 2], excluded: Mv::NONE, doubles: 0 };

/// Mates in so many moves are looked for by proof.
const PROVABLE: i32 = 5;

/// Plies before the root that frames can be asked for.
const BEFORE: usize = 4;

/// One thread's part of the search. It outlives the search: its histories help in the next one.
pub(crate) struct Worker<B, E> {
    evaluation: E,
    histories: Histories,
    prover: Prover,
    /// Whether the prover has said all it can.
    settled: bool,
    frames: Vec<Frame>,
    moves: Vec<Ranked>,
    /// Keys of the positions of the game and of the path, without the current one.
    keys: Vec<u64>,
    /// Where the path begins among the keys, and before which no repetition is looked for (a pass is no move).
    path_start: usize,
    barrier: usize,
    pv: Vec<Vec<Mv>>,
    pub roots: Vec<Root>,
    rank: usize,
    /// Lines wanted.
    lines: usize,
    pub nodes: u64,
    counted: u64,
    next_look: u64,
    deepest: usize,
    /// The side whose passing is being verified may not pass before this ply.
    no_pass_before: usize,
    stopped: bool,
    main: bool,
    root_depth: i32,
    /// When the first worker last said how far it has come.
    last_pulse: Duration,
    board: std::marker::PhantomData<B>,
}

impl<B: SearchBoard, E: Evaluation<B>> Worker<B, E> {
    pub fn new(evaluation: E) -> Self {
        Worker {
            evaluation,
            histories: Histories::default(),
            prover: Prover::default(),
            settled: false,
            frames: vec![NO_FRAME; MAX_PLY + BEFORE + 2],
            moves: Vec::with_capacity(1024),
            keys: Vec::with_capacity(1024),
            path_start: 0,
            barrier: 0,
            pv: vec![Vec::new(); MAX_PLY + 2],
            roots: Vec::new(),
            rank: 0,
            lines: 1,
            nodes: 0,
            counted: 0,
            next_look: 0,
            deepest: 0,
            no_pass_before: 0,
            stopped: false,
            main: false,
            root_depth: 0,
            last_pulse: Duration::ZERO,
            board: std::marker::PhantomData,
        }
    }

    /// Another game begins.
    pub fn forget(&mut self) {
        self.histories.clear();
    }

    /// Prepares for a search: the keys of the game so far (without the current position's), the moves to look at.
    pub fn prepare(&mut self, past: &[u64], roots: &[Mv], lines: usize, main: bool) {
        self.keys.clear();
        self.keys.extend_from_slice(past);
        self.prover.prepare(past);
        self.settled = false;
        self.path_start = past.len();
        self.barrier = 0;
        self.frames.fill(NO_FRAME);
        self.moves.clear();
        self.roots = roots.iter().map(|&mv| Root::new(mv)).collect();
        self.lines = lines.clamp(1, roots.len().max(1));
        (self.nodes, self.counted, self.next_look) = (0, 0, 0);
        self.no_pass_before = 0;
        self.stopped = false;
        self.main = main;
        self.last_pulse = Duration::ZERO;
    }

    /// Deepens until a limit ends it. What is found goes to `report`; the best root move stands first in `roots`
    /// afterwards. `helper` spreads the threads over different depths.
    pub fn think(&mut self, board: &B, shared: &Shared<'_, B>, helper: usize, report: &mut dyn FnMut(&[Found])) {
        self.evaluation.begin(board);
        let mut steady = 0;
        let mut last_best = Mv::NONE;
        let mut last_score = 0;
        for depth in 1..=shared.last_depth.min(MAX_PLY as i32 - 50) {
            // Every other helper skips every other depth, so that they are not all at the same place.
            if helper % 2 == 1 && depth > 4 && depth % 3 == (helper / 2) as i32 % 3 {
                continue;
            }
            for root in &mut self.roots {
                root.before = root.score;
            }
            self.root_depth = depth;
            for rank in 0..self.lines {
                self.rank = rank;
                self.deepest = 0;
                self.aspire(board, depth, shared, report);
                if self.stopped {
                    break;
                }
            }
            if self.main && (!self.stopped || self.lines > 1) {
                self.flush(shared);
                report(&self.found(depth));
            }
            if self.stopped {
                break;
            }
            // Whether to go on is the first worker's decision.
            if !self.main {
                continue;
            }
            // A mate that has been proven must still be walked through, to be shown.
            if self.prove(board, shared) {
                continue;
            }
            let best = &self.roots[0];
            steady = if best.mv == last_best { steady + 1 } else { 0 };
            let fallen = if depth > 1 { last_score - best.score } else { 0 };
            (last_best, last_score) = (best.mv, best.score);
            if let Some(moves) = shared.mate
                && best.score >= MATE - 2 * moves
            {
                break;
            }
            // A mate that has been confirmed twice as deep is not worth more time.
            if shared.timing.is_set()
                && self.lines == 1
                && is_mate(best.score)
                && depth > 2 * (MATE - best.score.abs()) + 4
            {
                break;
            }
            let share = best.nodes as f64 / self.nodes.max(1) as f64;
            if !shared.pondering.load(Relaxed) {
                let only = self.roots.len() == 1;
                if shared.timing.is_enough(shared.clock.elapsed(), depth, steady, fallen, share, only) {
                    break;
                }
            }
        }
        self.flush(shared);
    }

    /// Looks for a short mate that the search may have left out, with a small part of the effort; says whether there is one. It stands
    /// in the table then, and its first move before the others.
    fn prove(&mut self, board: &B, shared: &Shared<'_, B>) -> bool {
        let moves = shared.mate.unwrap_or(PROVABLE);
        let best = self.roots[0].score;
        let pointless = best >= MATE - 2 * moves || best <= -MATE_FOUND || board.halfmoves() as i32 + 2 * moves > 100;
        if pointless || shared.weakness.is_some() {
            return false;
        }
        let share = self.nodes / shared.params.proof_share as u64;
        // A short search has better things to do, and every call walks down from the root again: not for a few positions.
        while !self.settled && !self.stopped && share >= self.prover.spent() + 1000 {
            let before = self.prover.spent();
            let effort = (share - before).min(1000).min(shared.last_node.saturating_sub(self.nodes));
            let proof = self.prover.prove(board, moves as u32, effort, shared.table);
            self.nodes += self.prover.spent() - before;
            self.look(shared);
            self.settled = proof != Proof::Open;
            if let Proof::Mate(mv, plies) = proof
                && let Some(place) = self.roots.iter().position(|root| root.mv == mv)
            {
                self.roots[..=place].rotate_right(1);
                let root = &mut self.roots[0];
                (root.score, root.depth) = (MATE - plies, self.root_depth);
                root.pv.truncate(1);
                return true;
            }
        }
        false
    }

    /// The lines found so far, the best first.
    fn found(&self, depth: i32) -> Vec<Found> {
        let lines = self.roots.iter().take(self.lines).enumerate();
        lines
            // A line that this iteration has not come to stands as the last one left it.
            .map(|(rank, root)| (rank, root, root.score.max(root.before)))
            .filter(|&(_, _, score)| score > -INFINITE)
            .map(|(rank, root, score)| Found {
                pv: root.pv.clone(),
                score: if root.score > -INFINITE { root.score } else { score },
                bound: Bound::Exact,
                depth: if root.depth > 0 { root.depth } else { depth },
                deepest: root.deepest,
                nodes: root.nodes,
                rank,
            })
            .collect()
    }

    /// One line to a depth, within a window around the last score that is opened until it holds the score.
    fn aspire(&mut self, board: &B, depth: i32, shared: &Shared<'_, B>, report: &mut dyn FnMut(&[Found])) {
        let guess = self.roots[self.rank..].iter().map(|root| root.before).max().unwrap_or(-INFINITE);
        let mut width = shared.params.aspiration;
        let (mut alpha, mut beta) =
            if depth >= 5 && guess.abs() < DECIDED { (guess - width, guess + width) } else { (-INFINITE, INFINITE) };
        let mut reduced = 0;
        loop {
            let score = self.search::<true>(board, shared, alpha, beta, (depth - reduced).max(1), 0, false);
            let rank = self.rank;
            // The best to the front; the others keep their order, which is that of the last iteration.
            self.roots[rank..].sort_by_key(|root| std::cmp::Reverse(root.score));
            if self.stopped {
                return;
            }
            let wide = if score <= alpha && alpha > -INFINITE {
                beta = (alpha + beta) / 2;
                alpha = (score - width).max(-INFINITE);
                reduced = 0;
                Some(Bound::Upper)
            } else if score >= beta && beta < INFINITE {
                beta = (score + width).min(INFINITE);
                if score.abs() < DECIDED && reduced < 3 {
                    reduced += 1;
                }
                Some(Bound::Lower)
            } else {
                None
            };
            let Some(bound) = wide else {
                self.roots[..=rank].sort_by_key(|root| std::cmp::Reverse(root.score));
                return;
            };
            // A long look again is worth a word to those who wait.
            if self.main && self.lines == 1 && shared.clock.elapsed() > Duration::from_secs(3) {
                let mut found = self.found(depth);
                found.iter_mut().for_each(|line| line.bound = bound);
                report(&found);
            }
            width += width / 2 + 5;
            if width > 600 {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }

    /// The score for the side to move. Fail-soft: a result ≤ alpha is an upper bound, ≥ beta a lower bound, between them exact.
    /// `PV` nodes have an open window; `cut` says that a cut-off is expected. The current position is not yet among the keys.
    #[allow(clippy::too_many_arguments)]
    fn search<const PV: bool>(
        &mut self,
        board: &B,
        shared: &Shared<'_, B>,
        mut alpha: Score,
        mut beta: Score,
        mut depth: i32,
        ply: usize,
        cut: bool,
    ) -> Score {
        let root = ply == 0;
        let params = shared.params;

        // Step 1. At the end of the depth, settle what is hanging.
        if depth <= 0 {
            return self.quiesce::<PV>(board, shared, alpha, beta, ply, true);
        }

        // Step 2. Count, look at the limits, forget the line of a sister.
        if self.tick(shared) {
            return 0;
        }
        self.pv[ply].clear();
        self.deepest = self.deepest.max(ply);
        let in_check = board.in_check();

        if !root {
            // Step 3. The end of the game, by the goal of a variant, by repetition, fifty moves or a dead position.
            if let Some(verdict) = board.verdict() {
                return self.verdict(verdict, ply);
            }
            if board.halfmoves() >= 100 && (!in_check || self.has_move(board)) || self.repeats(board) {
                return self.draw();
            }
            if ply >= MAX_PLY {
                return if in_check { 0 } else { self.judge(board, shared) };
            }
            // Step 4. No line from here can beat a mate that is already nearer.
            alpha = alpha.max(ply as Score - MATE);
            beta = beta.min(MATE - ply as Score - 1);
            if alpha >= beta {
                return alpha;
            }
        }

        // Step 5. What the table knows.
        let frame = ply + BEFORE;
        let excluded = self.frames[frame].excluded;
        let key =
            if excluded.is_none() { board.key() } else { board.key() ^ tengen_core::mix(u64::from(excluded.code())) };
        let known = shared.table.probe(key, ply);
        let table_move = if root { self.roots[self.rank].mv } else { known.map_or(Mv::NONE, |entry| entry.mv) };
        let was_pv = PV || known.is_some_and(|entry| entry.was_pv);
        if let Some(entry) = known
            && !PV
            && excluded.is_none()
            && entry.depth >= depth
            && board.halfmoves() < 90
            && answers(&entry, alpha, beta)
        {
            return entry.score;
        }

        // Step 6. What tablebases know, right after a capture or a pawn move, when the counter of moves stands at zero.
        let mut ceiling = INFINITE;
        let mut best = -INFINITE;
        if !root
            && excluded.is_none()
            && let Some(oracle) = shared.oracle
            && board.halfmoves() == 0
            && board.tablebase_size().is_some_and(|size| size <= oracle.most_pieces())
            && let Some(answer) = oracle.ask(board)
        {
            shared.tablebase_hits.fetch_add(1, Relaxed);
            let (score, bound) = match answer {
                1 => (TABLEBASE_WIN - ply as Score, Bound::Lower),
                -1 => (ply as Score - TABLEBASE_WIN, Bound::Upper),
                _ => (0, Bound::Exact),
            };
            let entry = Entry { mv: Mv::NONE, score, eval: NO_EVAL, depth: depth + 6, bound: Some(bound), was_pv };
            if bound == Bound::Exact
                || bound == Bound::Lower && score >= beta
                || bound == Bound::Upper && score <= alpha
            {
                shared.table.store(key, entry, ply);
                return score;
            }
            if PV && bound == Bound::Lower {
                best = score;
                alpha = alpha.max(score);
            } else if PV {
                ceiling = score;
            }
        }

        // Step 7. How the position looks, corrected by what the search has found in positions like it.
        let raw;
        let mut eval;
        if in_check {
            (raw, eval) = (NO_EVAL, NO_EVAL);
        } else {
            raw = match known {
                Some(entry) if entry.eval != NO_EVAL => entry.eval,
                _ => self.judge(board, shared),
            };
            eval = self.corrected(board, raw);
        }
        self.frames[frame].eval = eval;
        let before = [frame - 1, frame - 2, frame - 4].map(|earlier| self.frames[earlier].reply);
        let static_eval = eval;
        // A bound from the table is a better guess, where it points that way.
        if let Some(entry) = known
            && eval != NO_EVAL
        {
            let better = match entry.bound {
                Some(Bound::Lower) => entry.score > eval,
                Some(Bound::Upper) => entry.score < eval,
                Some(Bound::Exact) => true,
                None => false,
            };
            if better {
                eval = entry.score;
            }
        }
        let improving = !in_check && {
            let earlier = self.frames[frame - 2].eval;
            let earlier = if earlier == NO_EVAL { self.frames[frame - 4].eval } else { earlier };
            earlier == NO_EVAL || static_eval > earlier
        };
        self.frames[frame + 1].killers = [Mv::NONE; 2];
        self.frames[frame + 1].excluded = Mv::NONE;
        self.frames[frame].doubles = if root { 0 } else { self.frames[frame - 1].doubles };

        // Where one side is far ahead the question is mate, and none of the following answers it.
        if !PV && !in_check && excluded.is_none() && alpha < params.lopsided && beta > -params.lopsided {
            // Step 8. Razoring: so far below alpha that only a capture could help.
            if depth <= params.razor_depth && eval + params.razor_margin * depth < alpha {
                let score = self.quiesce::<false>(board, shared, alpha, alpha + 1, ply, true);
                if score <= alpha {
                    return score;
                }
            }

            // Step 9. Futility the other way: so far above beta that nothing will bring it down.
            if depth <= params.futile_depth && eval - params.futile_margin * (depth - i32::from(improving)) >= beta {
                return (eval + beta) / 2;
            }

            // Step 10. Null move: if even passing holds beta, some move will. Deep in the tree it is verified that the side is
            // not in zugzwang, by a search in which it may not pass for a while.
            if depth >= params.null_depth
                && eval >= beta
                && static_eval >= beta - 15 * depth + 100
                && ply >= self.no_pass_before
                && self.frames[frame - 1].reply.is_some()
                && board.may_pass()
            {
                let r = params.null_base + depth / params.null_slope + ((eval - beta) / params.null_margin).min(3);
                let mut next = board.clone();
                if next.pass() {
                    shared.table.prefetch(next.key());
                    self.frames[frame].reply = None;
                    self.keys.push(board.key());
                    let barrier = std::mem::replace(&mut self.barrier, self.keys.len());
                    self.evaluation.played(board, Mv::NONE, &next);
                    let score = -self.search::<false>(&next, shared, -beta, -beta + 1, depth - r, ply + 1, !cut);
                    self.evaluation.undone();
                    self.barrier = barrier;
                    self.keys.pop();
                    if self.stopped {
                        return 0;
                    }
                    if score >= beta {
                        // A mate found by passing is not one.
                        let score = if score >= DECIDED { beta } else { score };
                        if depth < params.null_verify || self.no_pass_before > 0 {
                            return score;
                        }
                        self.no_pass_before = ply + (3 * (depth - r) / 4).max(1) as usize;
                        let verified = self.search::<false>(board, shared, beta - 1, beta, depth - r, ply, false);
                        self.no_pass_before = 0;
                        if verified >= beta {
                            return score;
                        }
                    }
                }
            }

            // Step 11. ProbCut: a capture that beats a raised beta in a shallow search will beat beta in a deep one.
            let raised = beta + params.probcut_margin - 40 * i32::from(improving);
            if depth >= params.probcut_depth
                && raised < DECIDED
                && !known.is_some_and(|entry| entry.depth >= depth - 3 && entry.bound.is_some() && entry.score < raised)
            {
                let hash = if board.accepts(table_move) && board.is_noisy(table_move) { table_move } else { Mv::NONE };
                let mut picker = Picker::noisy(&self.moves, hash, raised - static_eval);
                while let Some(mv) = picker.next(board, &self.histories, &mut self.moves) {
                    let next = self.enter(board, shared, mv, frame);
                    let mut score = -self.quiesce::<false>(&next, shared, -raised, -raised + 1, ply + 1, false);
                    if score >= raised {
                        score = -self.search::<false>(&next, shared, -raised, -raised + 1, depth - 4, ply + 1, !cut);
                    }
                    self.leave();
                    if self.stopped {
                        break;
                    }
                    if score >= raised {
                        picker.close(&mut self.moves);
                        let entry = Entry { mv, score, eval: raw, depth: depth - 3, bound: Some(Bound::Lower), was_pv };
                        shared.table.store(key, entry, ply);
                        return score;
                    }
                }
                picker.close(&mut self.moves);
                if self.stopped {
                    return 0;
                }
            }
        }

        // Step 12. Without a table move this node is not worth its full depth: next time it will have one.
        if (PV || cut) && depth >= params.internal_depth && table_move.is_none() && excluded.is_none() {
            depth -= 1;
        }

        // Step 13. The moves, one by one.
        let color = board.to_move();
        let first_alpha = alpha;
        let mut best_move = Mv::NONE;
        let mut count = 0;
        let killers = self.frames[frame].killers;
        let refutations = [killers[0], killers[1], self.histories.counter(before[0])];
        let mut picker = Picker::new(&self.moves, table_move, refutations, before);
        // Those that failed, to be blamed if another one cuts off.
        let mut failed_quiet = [Mv::NONE; 64];
        let mut failed_noisy = [Mv::NONE; 32];
        let (mut quiets, mut noisies) = (0, 0);
        while let Some(mv) = picker.next(board, &self.histories, &mut self.moves) {
            if mv == excluded {
                continue;
            }
            if root && !self.roots[self.rank..].iter().any(|root| root.mv == mv) {
                continue;
            }
            if shared.weakness.as_ref().is_some_and(|weak| !root && count > 0 && weak.overlooks(board, mv, ply)) {
                continue;
            }
            count += 1;
            let noisy = board.is_noisy(mv);
            let role = board.mover(mv);
            let piece = piece_index(color, role);
            let record = if noisy {
                self.histories.capture(piece, mv, board.victim(mv))
            } else {
                self.histories.quiet(color, piece, mv, &before)
            };
            let depth_row = depth.min(63) as usize;
            let number = count.min(63);

            // Step 14. Leave out what is very unlikely to matter, once there is a move that does not lose. Who is far ahead and
            // looks for more looks for mate, which may begin with any move.
            if !root && best > -DECIDED && alpha < params.lopsided && board.may_pass() {
                if !noisy && !picker.is_check() {
                    let reduced = (depth - i32::from(shared.reductions.quiet[depth_row][number])).max(0);
                    let enough = (params.late_base + depth * depth) / (2 - i32::from(improving));
                    if depth <= params.late_depth && quiets as i32 >= enough {
                        picker.skip_quiet(!in_check);
                        if !killers.contains(&mv) {
                            continue;
                        }
                    }
                    if reduced <= params.quiet_depth
                        && !in_check
                        && static_eval + params.quiet_margin + params.quiet_slope * reduced <= alpha
                        && record < 8000
                    {
                        picker.skip_quiet(!in_check);
                        continue;
                    }
                    if reduced <= params.history_depth && record < -params.history_margin * (reduced + 1) {
                        continue;
                    }
                    if depth <= params.exchange_depth && !board.exchange(mv, -params.exchange_quiet * reduced * reduced)
                    {
                        continue;
                    }
                } else if depth <= params.exchange_depth
                    && (picker.is_bad() || picker.is_check())
                    && !board.exchange(mv, -params.exchange_noisy * depth)
                {
                    continue;
                }
            }

            // Step 15. Extensions. If all others stay far below the table move, it stands alone and is looked at deeper; if even
            // without it beta holds, there are several good moves and the node is cut.
            let mut extension = 0;
            if !root && ply < 2 * self.root_depth as usize {
                if let Some(entry) = known
                    && mv == table_move
                    && excluded.is_none()
                    && depth >= params.singular_depth
                    && entry.depth >= depth - 3
                    && matches!(entry.bound, Some(Bound::Lower | Bound::Exact))
                    && entry.score.abs() < DECIDED
                {
                    let bar = entry.score - params.singular_margin * depth;
                    self.frames[frame].excluded = mv;
                    let score = self.search::<false>(board, shared, bar - 1, bar, (depth - 1) / 2, ply, cut);
                    self.frames[frame].excluded = Mv::NONE;
                    if self.stopped {
                        break;
                    }
                    if score < bar {
                        extension = 1;
                        if !PV && score < bar - params.singular_double && self.frames[frame].doubles < 6 {
                            extension = 2;
                            self.frames[frame].doubles += 1;
                        }
                    } else if bar >= beta {
                        picker.close(&mut self.moves);
                        return bar;
                    } else if entry.score >= beta {
                        extension = -1;
                    }
                } else if in_check {
                    extension = 1;
                }
            }

            // Step 16. Play it.
            let nodes = self.nodes;
            let next = self.enter(board, shared, mv, frame);
            let gives_check = next.in_check();
            let full = depth - 1 + extension;

            // Step 17. Late moves are looked at less deep at first, the more so the worse their record.
            let mut score = -INFINITE;
            let mut again = !PV || count > 1;
            if depth >= 2 && count > 1 + usize::from(root) && (!noisy || picker.is_bad() || cut) {
                let mut r = if noisy {
                    let r = i32::from(shared.reductions.noisy[depth_row][number]);
                    r - record / 6000
                } else {
                    let mut r = i32::from(shared.reductions.quiet[depth_row][number]);
                    r += i32::from(!improving) + i32::from(known.is_some_and(|entry| board.is_noisy(entry.mv)));
                    r -= i32::from(mv == killers[0] || mv == killers[1] || mv == refutations[2]);
                    r - record / params.reduction_history
                };
                r += i32::from(!PV) + i32::from(cut && !noisy)
                    - i32::from(was_pv)
                    - i32::from(gives_check)
                    - i32::from(in_check);
                let reduced = (full - r.max(0)).clamp(1, full.max(1));
                score = -self.search::<false>(&next, shared, -alpha - 1, -alpha, reduced, ply + 1, true);
                again = score > alpha && reduced < full;
            }

            // Step 18. The question whether it beats alpha at full depth, and if it does, by how much.
            if again {
                score = -self.search::<false>(&next, shared, -alpha - 1, -alpha, full, ply + 1, !cut);
            }
            if PV && (count == 1 || score > alpha) {
                score = -self.search::<true>(&next, shared, -beta, -alpha, full, ply + 1, false);
            }
            self.leave();
            if self.stopped {
                break;
            }

            // Step 19. Keep what is best.
            if root {
                let (spent, deepest, depth) = (self.nodes - nodes, self.deepest, self.root_depth);
                let tail = &self.pv[1];
                if let Some(entry) = self.roots.iter_mut().find(|root| root.mv == mv) {
                    entry.nodes += spent;
                    if count == 1 || score > alpha {
                        (entry.score, entry.deepest, entry.depth) = (score, deepest, depth);
                        entry.pv.clear();
                        entry.pv.push(mv);
                        entry.pv.extend_from_slice(tail);
                    } else {
                        // Only known to be worse: behind those whose score is known.
                        entry.score = -INFINITE;
                    }
                }
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = mv;
                    if PV && !root {
                        let (upper, lower) = self.pv.split_at_mut(ply + 1);
                        upper[ply].clear();
                        upper[ply].push(mv);
                        upper[ply].extend_from_slice(&lower[0]);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
            if noisy {
                if noisies < failed_noisy.len() {
                    failed_noisy[noisies] = mv;
                    noisies += 1;
                }
            } else if quiets < failed_quiet.len() {
                failed_quiet[quiets] = mv;
                quiets += 1;
            }
        }
        picker.close(&mut self.moves);
        if self.stopped {
            return 0;
        }

        // Step 20. Mate, stalemate, or whatever a variant makes of having no move.
        if count == 0 {
            if !excluded.is_none() {
                return alpha;
            }
            return self.verdict(board.stuck(), ply);
        }

        // Step 21. Merit for the move that cut off, blame for those tried before it.
        if best >= beta {
            let merit = (params.bonus_slope * depth - 60).min(params.bonus_most);
            // The move that cut off is not among the failed ones: the loop was left before it was noted.
            if !board.is_noisy(best_move) {
                self.reward_quiet(board, best_move, &failed_quiet[..quiets], &before, frame, merit);
            } else {
                let piece = piece_index(color, board.mover(best_move));
                self.histories.reward_capture(piece, best_move, board.victim(best_move), merit);
            }
            for &mv in &failed_noisy[..noisies] {
                let piece = piece_index(color, board.mover(mv));
                self.histories.reward_capture(piece, mv, board.victim(mv), -merit);
            }
        }

        // Step 22. Remember.
        best = best.min(ceiling);
        if excluded.is_none() && !(root && self.rank > 0) {
            let bound = if best >= beta {
                Bound::Lower
            } else if best > first_alpha {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let says = match bound {
                Bound::Lower => best > static_eval,
                Bound::Upper => best < static_eval,
                Bound::Exact => true,
            };
            if !in_check && says && best.abs() < DECIDED && (best_move.is_none() || !board.is_noisy(best_move)) {
                self.histories.correct(board, best - static_eval, depth);
            }
            let entry = Entry { mv: best_move, score: best, eval: raw, depth, bound: Some(bound), was_pv };
            shared.table.store(key, entry, ply);
        }
        best
    }

    /// Beyond the depth: the side to move may take the position as it is, or try a capture, at `first` also a check; in check, any
    /// move.
    #[allow(clippy::too_many_arguments)]
    fn quiesce<const PV: bool>(
        &mut self,
        board: &B,
        shared: &Shared<'_, B>,
        mut alpha: Score,
        beta: Score,
        ply: usize,
        first: bool,
    ) -> Score {
        if self.tick(shared) {
            return 0;
        }
        self.pv[ply].clear();
        self.deepest = self.deepest.max(ply);
        if let Some(verdict) = board.verdict() {
            return self.verdict(verdict, ply);
        }
        if board.halfmoves() >= 100 && (!board.in_check() || self.has_move(board))
            || board.halfmoves() > 3 && self.repeats(board)
        {
            return self.draw();
        }
        let compelled = board.compelled();
        if ply >= MAX_PLY {
            return if compelled { 0 } else { self.judge(board, shared) };
        }

        let key = board.key();
        let known = shared.table.probe(key, ply);
        if let Some(entry) = known
            && !PV
            && answers(&entry, alpha, beta)
        {
            return entry.score;
        }
        let was_pv = PV || known.is_some_and(|entry| entry.was_pv);

        let mut best = -INFINITE;
        let mut raw = NO_EVAL;
        if !compelled {
            raw = match known {
                Some(entry) if entry.eval != NO_EVAL => entry.eval,
                _ => self.judge(board, shared),
            };
            best = self.corrected(board, raw);
            if let Some(entry) = known {
                let better = match entry.bound {
                    Some(Bound::Lower) => entry.score > best,
                    Some(Bound::Upper) => entry.score < best,
                    Some(Bound::Exact) => true,
                    None => false,
                };
                if better && entry.score.abs() < DECIDED {
                    best = entry.score;
                }
            }
            if best >= beta {
                if known.is_none() {
                    let entry =
                        Entry { mv: Mv::NONE, score: best, eval: raw, depth: 0, bound: Some(Bound::Lower), was_pv };
                    shared.table.store(key, entry, ply);
                }
                return best;
            }
            alpha = alpha.max(best);
        }
        let hopeless = best.saturating_add(shared.params.quiescence_margin);
        let first_alpha = alpha;
        let frame = ply + BEFORE;
        let table_move = known.map_or(Mv::NONE, |entry| entry.mv);
        let before = [frame - 1, frame - 2, frame - 4].map(|earlier| self.frames[earlier].reply);
        let mut picker = if compelled {
            Picker::new(&self.moves, table_move, [Mv::NONE; 3], before)
        } else {
            let table_move =
                if board.accepts(table_move) && board.is_noisy(table_move) { table_move } else { Mv::NONE };
            let picker = Picker::noisy(&self.moves, table_move, 0);
            if first && shared.params.quiescence_checks > 0 { picker.with_checks() } else { picker }
        };
        let mut best_move = Mv::NONE;
        let mut count = 0;
        while let Some(mv) = picker.next(board, &self.histories, &mut self.moves) {
            count += 1;
            if !compelled {
                // A capture that cannot reach alpha even if nothing is taken back.
                if picker.is_check() {
                    if !board.exchange(mv, 0) {
                        continue;
                    }
                } else if mv.promotion().is_none() {
                    let gain = board.victim(mv).map_or(0, |role| WORTH[at(role)]);
                    if hopeless + gain <= alpha && board.mover(mv) != Role::King {
                        best = best.max(hopeless + gain);
                        continue;
                    }
                    if hopeless <= alpha && !board.exchange(mv, 1) {
                        best = best.max(hopeless);
                        continue;
                    }
                }
            } else if best > -DECIDED && count > 1 && !board.is_noisy(mv) {
                // One quiet way out of check is enough to see that it is no mate.
                picker.skip_quiet(false);
                if count > 3 {
                    continue;
                }
            }
            let next = self.enter(board, shared, mv, frame);
            let score = -self.quiesce::<PV>(&next, shared, -beta, -alpha, ply + 1, false);
            self.leave();
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = mv;
                    if PV {
                        let (upper, lower) = self.pv.split_at_mut(ply + 1);
                        upper[ply].clear();
                        upper[ply].push(mv);
                        upper[ply].extend_from_slice(&lower[0]);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }
        picker.close(&mut self.moves);
        if self.stopped {
            return 0;
        }
        if compelled && count == 0 {
            return self.verdict(board.stuck(), ply);
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if PV && best > first_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let entry = Entry { mv: best_move, score: best, eval: raw, depth: 0, bound: Some(bound), was_pv };
        shared.table.store(key, entry, ply);
        best
    }

    /// Plays a move: on a copy of the board, in the frames, the keys and the evaluation.
    #[inline]
    fn enter(&mut self, board: &B, shared: &Shared<'_, B>, mv: Mv, frame: usize) -> B {
        self.frames[frame].reply = Some(reply_index(piece_index(board.to_move(), board.mover(mv)), mv));
        self.keys.push(board.key());
        let mut next = board.clone();
        next.play(mv);
        shared.table.prefetch(next.key());
        self.evaluation.played(board, mv, &next);
        next
    }

    #[inline]
    fn leave(&mut self) {
        self.evaluation.undone();
        self.keys.pop();
    }

    fn reward_quiet(
        &mut self,
        board: &B,
        best: Mv,
        failed: &[Mv],
        before: &[Option<usize>; 3],
        frame: usize,
        merit: i32,
    ) {
        let color = board.to_move();
        let killers = &mut self.frames[frame].killers;
        if killers[0] != best {
            *killers = [best, killers[0]];
        }
        self.histories.set_counter(before[0], best);
        self.histories.reward_quiet(color, piece_index(color, board.mover(best)), best, before, merit);
        for &mv in failed {
            self.histories.reward_quiet(color, piece_index(color, board.mover(mv)), mv, before, -merit);
        }
    }

    /// Counts a node; says whether the search is over.
    #[inline]
    fn tick(&mut self, shared: &Shared<'_, B>) -> bool {
        if self.stopped {
            return true;
        }
        self.nodes += 1;
        if self.nodes >= self.next_look {
            self.look(shared);
        }
        self.stopped
    }

    #[cold]
    fn look(&mut self, shared: &Shared<'_, B>) {
        self.flush(shared);
        let total = shared.nodes.load(Relaxed);
        // One thread stops exactly at its node, several near it.
        self.next_look = (self.nodes + 1024)
            .min(self.nodes.saturating_add(shared.last_node.saturating_sub(total)).max(self.nodes + 1));
        if shared.halt.load(Relaxed) || shared.stop.load(Relaxed) {
            self.stopped = true;
        } else if self.main {
            self.pulse(shared);
            if shared.pondering.load(Relaxed) {
                return;
            }
            // Something must have been found, even if the time for it was nothing.
            let ready = self.root_depth > 1;
            self.stopped = total >= shared.last_node || ready && shared.timing.is_over(shared.clock.elapsed());
        }
    }

    /// Once a second says how much has been searched, so that a long iteration is not a long silence.
    fn pulse(&mut self, shared: &Shared<'_, B>) {
        let now = shared.clock.elapsed();
        if now > self.last_pulse + Duration::from_secs(1) {
            self.last_pulse = now;
            if let Some(pulse) = shared.pulse {
                pulse(shared.nodes.load(Relaxed), now);
            }
        }
    }

    /// Adds this worker's nodes to the sum of all.
    fn flush(&mut self, shared: &Shared<'_, B>) {
        shared.nodes.fetch_add(self.nodes - self.counted, Relaxed);
        self.counted = self.nodes;
    }

    /// The static evaluation, dimmed where a weaker player is asked for.
    #[inline]
    fn judge(&mut self, board: &B, shared: &Shared<'_, B>) -> Score {
        let score = self.evaluation.evaluate(board);
        match &shared.weakness {
            Some(weak) => weak.misjudge(score, board.key()),
            None => score,
        }
    }

    #[inline]
    fn corrected(&self, board: &B, raw: Score) -> Score {
        // Near the fifty-move rule nothing is worth what it seems.
        let faded = raw - raw * board.halfmoves() as Score / 220;
        (faded + self.histories.correction(board)).clamp(1 - DECIDED, DECIDED - 1)
    }

    #[inline]
    fn verdict(&self, verdict: Verdict, ply: usize) -> Score {
        match verdict {
            Verdict::Won => MATE - ply as Score,
            Verdict::Lost => ply as Score - MATE,
            Verdict::Drawn => self.draw(),
        }
    }

    /// A draw, give or take one point by the count of nodes: so that the search does not take all draws for the same.
    #[inline]
    fn draw(&self) -> Score {
        1 - (self.nodes & 2) as Score
    }

    /// Whether the position is a repetition: once on the path is enough, in the game before it takes two.
    #[inline]
    fn repeats(&self, board: &B) -> bool {
        let now = self.keys.len();
        let first = now.saturating_sub(board.halfmoves() as usize).max(self.barrier);
        let key = board.key();
        let mut seen = 0;
        // The same side moved two plies ago; it takes four to come back.
        let mut index = now.wrapping_sub(4);
        while index < now && index >= first {
            if self.keys[index] == key {
                seen += 1;
                if index >= self.path_start || seen == 2 {
                    return true;
                }
            }
            index = index.wrapping_sub(2);
        }
        false
    }

    fn has_move(&mut self, board: &B) -> bool {
        let mut picker = Picker::new(&self.moves, Mv::NONE, [Mv::NONE; 3], [None; 3]);
        let found = picker.next(board, &self.histories, &mut self.moves).is_some();
        picker.close(&mut self.moves);
        found
    }
}

/// Whether what the table knows ends the question whether the score lies above or below the window.
#[inline]
fn answers(entry: &Entry, alpha: Score, beta: Score) -> bool {
    match entry.bound {
        Some(Bound::Exact) => true,
        Some(Bound::Lower) => entry.score >= beta,
        Some(Bound::Upper) => entry.score <= alpha,
        None => false,
    }
}

/// Whether a score is a mate for one side.
pub(crate) fn is_mate(score: Score) -> bool {
    score.abs() >= MATE_FOUND
}
