//! The `alphabeta` player: everything a depth-first search can have without knowing the game.
//!
//! Iterative deepening with aspiration windows around a principal variation search, with a transposition table,
//! killer moves, a history of good moves and a quiescence search. Games add knowledge through [`Heuristic`].

use crate::depth_first::first_legal;
use crate::transposition::{Bound, Entry, Transpositions};
use crate::window::LOWEST;
use crate::{
    Candidate, DepthFirst, Heuristic, Lead, Limits, Player, PlayerError, Silent, Stopper, Thought, Watch, Window,
    params,
};
use tengen_core::{Line, Outcome, Position, Pov, Score, Turn};

params! {
    /// How the alpha-beta player plays.
    pub struct AlphaBetaParams {
        depth: u32 = 6, 1..=100, "plies to look ahead";
        ms: u64 = 0, 0..=86_400_000, "milliseconds a move; 0 sets no limit";
        nodes: u64 = 0, 0..=1_000_000_000_000, "positions a move; 0 sets no limit";
        table: usize = 64, 0..=65_536, "megabytes of transposition table; 0 plays without one";
        deeper: bool = true, (), "whether results of deeper searches answer shallower questions";
        killers: bool = true, (), "whether moves that cut off are tried early in sister positions";
        history: bool = true, (), "whether moves that cut off often are tried earlier everywhere";
        aspiration: i32 = 40, 0..=100_000, "half the width of the first window; 0 always searches the full one";
        quiescence: u32 = 8, 0..=64, "plies of unquiet moves beyond the depth limit";
        selective: bool = false, (), "whether urgent positions are searched deeper, late quiet moves less deep";
    }
}

impl AlphaBetaParams {
    fn limits(&self) -> Limits {
        Limits::of(self.depth, self.ms, self.nodes)
    }
}

/// The player.
pub struct AlphaBeta<H> {
    heuristic: H,
    params: AlphaBetaParams,
    table: Option<Transpositions>,
}

impl<H> AlphaBeta<H> {
    /// Judges the positions at the depth limit by `heuristic`.
    pub fn new(heuristic: H, params: AlphaBetaParams) -> Self {
        let table = (params.table > 0).then(|| Transpositions::new(params.table << 20));
        AlphaBeta { heuristic, params, table }
    }
}

impl<P: Position, H: Heuristic<P>> Player<P> for AlphaBeta<H> {
    fn think(
        &mut self,
        line: &Line<P>,
        limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
    ) -> Result<Thought<P::Move>, PlayerError> {
        let limits = limits.and(&self.params.limits());
        let mut line = line.clone();
        let mut moves = Vec::new();
        let Turn::Decision(side) = line.turn(&mut moves) else {
            return Err(PlayerError::NothingToDecide);
        };
        if let Some(table) = &mut self.table {
            table.age();
        }
        let stopper = Stopper::new(&limits, line.ply(), watch.clock, watch.stop);
        let mut search = Search {
            base: DepthFirst::new(&mut self.heuristic, &line, stopper),
            table: self.table.as_ref(),
            params: &self.params,
            killers: Vec::new(),
            history: vec![0; 2 << 16],
            pv: Vec::new(),
            spare_scores: Vec::new(),
            depth: 0,
            passed: false,
        };
        // Moves with their last scores; the best of the last iteration goes first in the next one.
        let mut roots: Vec<(P::Move, Score, u64)> = moves.into_iter().map(|mv| (mv, LOWEST, 0)).collect();
        let mut found: Option<Thought<P::Move>> = None;
        let last = limits.last_depth();
        for depth in 1..=last {
            let guess = found.is_some().then(|| roots[0].1);
            search.depth = depth;
            let pv = search.iterate(&mut line, &mut roots, depth, guess);
            if search.base.met_chance {
                let why = "alphabeta cannot weigh dice: take expectiminimax or mcts";
                return Err(PlayerError::Unsuited(why.to_owned()));
            }
            // A broken-off iteration still counts as far as its best move was found; before the first it may have none.
            if let Some(&best) = pv.first()
                && let Some(&(_, score, _)) = roots.iter().find(|root| root.0 == best)
            {
                let value = |score| Pov::of(side, search.base.heuristic.value(score));
                let lead = |score| Some(Pov::of(side, Lead::of(score)));
                let candidate = |&(mv, score, visits): &(P::Move, Score, u64)| Candidate {
                    lead: lead(score),
                    pv: if mv == best { pv.clone() } else { vec![mv] },
                    ..Candidate::new(mv, visits, value(score))
                };
                let candidates = roots.iter().filter(|root| root.1 > LOWEST).map(candidate).collect();
                let thought = Thought::new(best, value(score), search.base.stopper.nodes(), depth, candidates);
                let thought = Thought { lead: lead(score), pv, ..thought };
                (watch.report)(&thought);
                found = Some(thought);
            }
            let decided = crate::mated_in(roots[0].1).is_some_and(|plies| plies <= depth);
            if decided || !search.base.stopper.may_go_on() {
                break;
            }
        }
        match found {
            Some(thought) => Ok(Thought { nodes: search.base.stopper.nodes(), ..thought }),
            None => first_legal(&line),
        }
    }
}

struct Search<'a, P: Position, H> {
    base: DepthFirst<'a, P, H, Silent>,
    table: Option<&'a Transpositions>,
    params: &'a AlphaBetaParams,
    /// Two codes a ply: the last moves that cut off there.
    killers: Vec<[Option<u16>; 2]>,
    /// By side and code: how often, and how deep, the move cut off.
    history: Vec<i32>,
    /// The best line from each ply.
    pv: Vec<Vec<P::Move>>,
    spare_scores: Vec<Vec<i32>>,
    /// Of this iteration.
    depth: u32,
    /// Whether the position to be searched comes from a pass.
    passed: bool,
}

/// The order of moves: the table's first, then those that promise something, then killers, then the others by their history.
const FROM_TABLE: i32 = i32::MAX;
const PROMISING: i32 = 1 << 30;
const KILLER: i32 = 1 << 29;

/// A selective search does without the last plies if the score is above the window by so much for each of them.
const FAR_ABOVE: Score = 150;

impl<P: Position, H: Heuristic<P>> Search<'_, P, H> {
    /// Searches all root moves to `depth`, within a window around `guess` that is opened until it holds the score.
    /// Leaves `roots` sorted, the best first, and returns the best line: empty if it was stopped before there was one.
    fn iterate(
        &mut self,
        line: &mut Line<P>,
        roots: &mut [(P::Move, Score, u64)],
        depth: u32,
        guess: Option<Score>,
    ) -> Vec<P::Move> {
        let mut width = self.params.aspiration;
        let mut window = match guess {
            Some(guess) if width > 0 && !crate::is_decided(guess) => {
                Window { alpha: guess - width, beta: guess + width }
            }
            _ => Window::FULL,
        };
        loop {
            let (best, pv) = self.root(line, roots, depth, window);
            if self.base.stopper.is_stopped() {
                return pv;
            }
            if best <= window.alpha && window.alpha > LOWEST {
                window.alpha = if width > 1000 { LOWEST } else { best - width };
            } else if best >= window.beta && window.beta < Window::FULL.beta {
                window.beta = if width > 1000 { Window::FULL.beta } else { best + width };
            } else {
                return pv;
            }
            width *= 4;
        }
    }

    /// The root: like any node, but keeps the score of every move.
    fn root(
        &mut self,
        line: &mut Line<P>,
        roots: &mut [(P::Move, Score, u64)],
        depth: u32,
        mut window: Window,
    ) -> (Score, Vec<P::Move>) {
        self.prepare(0);
        let mut best = LOWEST;
        let mut pv = Vec::new();
        let side = line.position().to_move();
        for index in 0..roots.len() {
            let mv = roots[index].0;
            let before = self.base.stopper.nodes();
            self.base.push(line, mv);
            let same = line.position().to_move() == side;
            let score = self.scout(line, depth - 1, 1, window, same, index == 0);
            self.base.pop(line);
            if self.base.stopper.is_stopped() {
                break;
            }
            roots[index].1 = score;
            roots[index].2 += self.base.stopper.nodes() - before;
            if score > best {
                best = score;
                if score > window.alpha || index == 0 {
                    pv.clear();
                    pv.push(mv);
                    pv.extend(self.pv.get(1).into_iter().flatten().copied());
                    // To the front, the others keeping their order.
                    roots[..=index].rotate_right(1);
                }
            }
            window = window.raised(best);
            if best >= window.beta {
                break;
            }
        }
        (best, pv)
    }

    /// One child by principal variation search: the full window for the first, a question for the others.
    #[inline]
    fn scout(&mut self, line: &mut Line<P>, depth: u32, ply: u32, window: Window, same: bool, first: bool) -> Score {
        let mut look = |window: Window| {
            if same { self.search(line, depth, ply, window) } else { -self.search(line, depth, ply, -window) }
        };
        if first {
            return look(window);
        }
        let guess = look(Window::null(window.alpha));
        if guess > window.alpha && guess < window.beta { look(window) } else { guess }
    }

    /// The score for the side to move. Fail-soft: ≤ alpha is an upper bound, ≥ beta a lower bound, between them exact.
    fn search(&mut self, line: &mut Line<P>, depth: u32, ply: u32, window: Window) -> Score {
        // Step 1. Count, stop, and forget the line of a sister.
        if self.base.stopper.tick() {
            return 0;
        }
        self.prepare(ply);

        // Step 2. The end of the game.
        let mut moves = self.base.list();
        let side = match line.turn(&mut moves) {
            Turn::Decision(side) => side,
            turn => {
                self.base.put_back(moves);
                return match turn {
                    Turn::Over(outcome) => self.base.heuristic.over(line, outcome, line.position().to_move(), ply),
                    _ => {
                        self.base.met_chance = true;
                        0
                    }
                };
            }
        };

        // Step 3. A selective search takes a position that comes back for the draw it leads to, and looks deeper where it must.
        let from_pass = std::mem::take(&mut self.passed);
        let selective = self.params.selective;
        if selective && line.times_seen() > 1 {
            self.base.put_back(moves);
            return self.base.heuristic.over(line, Outcome::Draw, side, ply);
        }
        let urgent = selective && self.base.heuristic.urgent(line);
        let depth = depth + u32::from(urgent && ply < 2 * self.depth);

        // Step 4. The depth limit: look on only where the position is not quiet.
        if depth == 0 {
            return self.quiesce(line, moves, self.params.quiescence, ply, window);
        }

        // Step 5. The table. On the principal variation a cut would hide the line.
        let key = line.position().key();
        let known = self.table.and_then(|table| table.probe(key, ply));
        let question = window.beta - window.alpha == 1;
        if let Some(entry) = known {
            let deep = u32::from(entry.depth);
            let enough = deep == depth || self.params.deeper && deep > depth;
            let answers = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.score >= window.beta,
                Bound::Upper => entry.score <= window.alpha,
            };
            if enough && answers && question {
                self.base.put_back(moves);
                return entry.score;
            }
        }

        // Step 6. A selective search asks for less proof where the position is good anyway: far above the window near the
        // depth limit, or above it even after a pass.
        if selective && question && !urgent && !from_pass && !crate::is_decided(window.beta) {
            let score = self.base.heuristic.score(line);
            let enough = depth <= 3 && score - FAR_ABOVE * depth as Score >= window.beta;
            let proof = if enough { Some(score) } else { self.pass(line, depth, ply, score, window.beta) };
            if let Some(score) = proof {
                self.base.put_back(moves);
                return score;
            }
        }

        // Step 7. Promising moves first.
        let mut scores = self.spare_scores.pop().unwrap_or_default();
        scores.clear();
        let table_code = known.map(|entry| entry.code);
        let killers = self.killers[ply as usize];
        for &mv in &moves {
            let code = P::code(mv);
            scores.push(if table_code == Some(code) {
                FROM_TABLE
            } else {
                match self.base.heuristic.promise(line, mv) {
                    0 if self.params.killers && killers.contains(&Some(code)) => KILLER,
                    0 => self.history[history_index(side, code)],
                    // Heuristics count in small numbers.
                    promise => PROMISING + promise.min(1 << 20) as i32,
                }
            });
        }

        // Step 8. Each move in turn.
        let mut best = LOWEST;
        let mut best_code = 0;
        let mut inner = window;
        for index in 0..moves.len() {
            pick(&mut moves, &mut scores, index);
            let mv = moves[index];
            self.base.push(line, mv);
            let same = line.position().to_move() == side;
            // Late quiet moves seldom are the best: those that look so after a shallower search get the full one.
            let late = selective && !urgent && depth >= 3 && index >= 3 && scores[index] < KILLER && !same;
            let less = if late { reduction(depth, index) } else { 0 };
            let shallow = (less > 0)
                .then(|| -self.search(line, (depth - 1).saturating_sub(less), ply + 1, -Window::null(inner.alpha)));
            let score = match shallow {
                Some(score) if score <= inner.alpha => score,
                _ => self.scout(line, depth - 1, ply + 1, inner, same, index == 0),
            };
            self.base.pop(line);
            if self.base.stopper.is_stopped() {
                break;
            }
            if score <= best {
                continue;
            }
            best = score;
            best_code = P::code(mv);
            if score > inner.alpha {
                self.remember_line(mv, ply);
            }
            inner = inner.raised(best);
            if best >= inner.beta {
                self.reward(side, best_code, depth, ply);
                break;
            }
        }

        // Step 9. Remember, unless the search was broken off.
        if !self.base.stopper.is_stopped()
            && let Some(table) = self.table
        {
            let bound = if best >= window.beta {
                Bound::Lower
            } else if best <= window.alpha {
                Bound::Upper
            } else {
                Bound::Exact
            };
            table.store(key, Entry { score: best, code: best_code, depth: depth.min(255) as u8, bound }, ply);
        }
        self.spare_scores.push(scores);
        self.base.put_back(moves);
        best
    }

    /// What a position is worth, at least, if its static score and a shallower search after a pass both reach `beta`.
    fn pass(&mut self, line: &Line<P>, depth: u32, ply: u32, score: Score, beta: Score) -> Option<Score> {
        if depth < 3 || score < beta {
            return None;
        }
        // CITE: Beal 1989; Donninger 1993. The line ends here: what stood on the board before does not come back after a pass.
        let after = self.base.heuristic.passed(line)?;
        self.base.heuristic.pushed(line.position(), None, &after);
        let mut line = Line::new(after);
        self.passed = true;
        let score = -self.search(&mut line, depth.saturating_sub(3 + depth / 4), ply + 1, -Window::null(beta - 1));
        self.passed = false;
        self.base.heuristic.popped();
        // A win found after a pass is not a proven one.
        (score >= beta && !self.base.stopper.is_stopped()).then(|| if crate::is_decided(score) { beta } else { score })
    }

    /// Beyond the depth limit: the side to move may take the position as it is, or try an unquiet move.
    /// `moves` holds the legal ones and is given back.
    fn quiesce(&mut self, line: &mut Line<P>, mut moves: Vec<P::Move>, left: u32, ply: u32, window: Window) -> Score {
        let side = line.position().to_move();
        let mut best = self.base.heuristic.score(line);
        if left > 0 && best < window.beta {
            self.base.heuristic.unquiet(line, &mut moves);
            let mut window = window.raised(best);
            for &mv in &moves {
                if self.base.stopper.tick() {
                    break;
                }
                self.base.push(line, mv);
                let mut replies = self.base.list();
                let score = match line.turn(&mut replies) {
                    Turn::Over(outcome) => {
                        self.base.put_back(replies);
                        self.base.heuristic.over(line, outcome, side, ply + 1)
                    }
                    Turn::Decision(next) if next == side => self.quiesce(line, replies, left - 1, ply + 1, window),
                    Turn::Decision(_) => -self.quiesce(line, replies, left - 1, ply + 1, -window),
                    Turn::Chance => {
                        self.base.put_back(replies);
                        self.base.met_chance = true;
                        0
                    }
                };
                self.base.pop(line);
                best = best.max(score);
                window = window.raised(best);
                if best >= window.beta {
                    break;
                }
            }
        }
        self.base.put_back(moves);
        best
    }

    /// Room for this ply, and no line yet.
    #[inline]
    fn prepare(&mut self, ply: u32) {
        let ply = ply as usize;
        if self.pv.len() <= ply + 1 {
            self.pv.resize(ply + 2, Vec::new());
            self.killers.resize(ply + 2, [None; 2]);
        }
        self.pv[ply].clear();
    }

    /// This move, then the best line below it.
    fn remember_line(&mut self, mv: P::Move, ply: u32) {
        let (upper, lower) = self.pv.split_at_mut(ply as usize + 1);
        let here = &mut upper[ply as usize];
        here.clear();
        here.push(mv);
        here.extend_from_slice(&lower[0]);
    }

    /// A move cut off: try it earlier elsewhere.
    fn reward(&mut self, side: tengen_core::Side, code: u16, depth: u32, ply: u32) {
        let killers = &mut self.killers[ply as usize];
        if killers[0] != Some(code) {
            *killers = [Some(code), killers[0]];
        }
        if self.params.history {
            let entry = &mut self.history[history_index(side, code)];
            *entry += (depth * depth) as i32;
            // Old merits fade before they outweigh everything.
            if *entry > 1 << 28 {
                self.history.iter_mut().for_each(|entry| *entry /= 2);
            }
        }
    }
}

#[inline]
fn history_index(side: tengen_core::Side, code: u16) -> usize {
    side.index() << 16 | usize::from(code)
}

/// How many plies less a late quiet move is searched.
fn reduction(depth: u32, index: usize) -> u32 {
    // The product of the logarithms is what chess programs have found; halved, as drops make quiet moves dangerous here.
    ((depth as f32).ln() * (index as f32).ln() / 2.0) as u32
}

/// Brings the most promising of the moves from `index` on to `index`.
#[inline]
fn pick<M>(moves: &mut [M], scores: &mut [i32], index: usize) {
    let mut top = index;
    for other in index + 1..scores.len() {
        if scores[other] > scores[top] {
            top = other;
        }
    }
    moves.swap(index, top);
    scores.swap(index, top);
}
