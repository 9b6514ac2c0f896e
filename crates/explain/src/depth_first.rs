//! Recording the depth-first searches by looking over their shoulder.

use crate::sketch::Sketcher;
use crate::trace::{Count, Event, Interval, Kind, Node, Trace};
use crate::{Algorithm, ExplainError, MOST_NODES, Request};
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tengen_core::{Line, Notation, Picture, Position, Side, Turn};
use tengen_search::{
    Clock, DepthFirst, HIGHEST, Heuristic, LOWEST, Limits, Observer, Opponent, Star, Stopper, Uniform, Window,
    alphabeta, expectimax, expectiminimax, minimax, negamax, star,
};

/// A search whose depth nobody asked for has about this many nodes at most.
const COMFORTABLE: u64 = 600;

/// Branches that were cut off are drawn whole if the unpruned tree is no larger than this.
const SMALL: u64 = 600;

/// Counting what the relatives would look at is given up beyond this.
const COUNT_LIMIT: u64 = 5_000_000;

/// Recordings have no time limit.
struct Timeless;

impl Clock for Timeless {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

fn stopper(most: u64, stop: &AtomicBool) -> Stopper<'_> {
    // The node at the limit is not looked at any more.
    Stopper::new(&Limits { nodes: Some(most + 1), ..Limits::default() }, 0, &Timeless, stop)
}

pub(crate) fn record<P: Notation + Picture, H: Heuristic<P>>(
    line: &Line<P>,
    heuristic: &mut H,
    request: &Request,
    stop: &AtomicBool,
) -> Result<Trace, ExplainError> {
    let algorithm = request.algorithm;
    let me = line.position().to_move();
    let depth = match request.depth {
        Some(depth) => depth.max(1),
        None => deepest(line, heuristic, algorithm, COMFORTABLE, stop)?.depth.unwrap_or(1),
    };

    // Step 1. Whether a page can show it, before anything is drawn: what is cut off at a node may be hundreds of drawings. Tried from below,
    // because a search that is stopped at a great depth takes long to come back from there.
    let fits = deepest(line, heuristic, algorithm, MOST_NODES, stop)?;
    let too_large = ExplainError::TooLarge { depth, fits: fits.depth };
    if !fits.to_the_end && fits.depth.is_none_or(|fits| depth > fits) {
        return Err(too_large);
    }

    // Step 2. What is cut off is drawn from a search that cuts nothing, if that is small enough.
    let mut sketcher = Sketcher::default();
    let mut whole = None;
    if algorithm == Algorithm::AlphaBeta {
        let recorder = Recorder::new(Algorithm::Minimax, me, sketcher, None);
        let mut search = DepthFirst::observed(heuristic, line, stopper(SMALL, stop), recorder);
        run(Algorithm::Minimax, &mut search, &mut line.clone(), depth);
        let (small, recorder) = (!search.stopper.is_stopped(), search.observer);
        if small {
            whole = Some(Whole::new(recorder.nodes));
            sketcher = recorder.sketcher;
        } else {
            // Its sketches go with its nodes.
            sketcher = Sketcher::default();
        }
    }

    // Step 3. The search itself.
    let recorder = Recorder::new(algorithm, me, sketcher, whole);
    let mut search = DepthFirst::observed(heuristic, line, stopper(MOST_NODES, stop), recorder);
    let value = run(algorithm, &mut search, &mut line.clone(), depth);
    let stopped = search.stopper.is_stopped();
    let recorder = search.observer;
    // Whole branches that were cut off may be more than their first nodes.
    if stopped || recorder.nodes.len() as u64 > MOST_NODES {
        return Err(too_large);
    }

    // Step 4. What the relatives would have looked at.
    let counts = counts(line, heuristic, algorithm, depth, stop);
    let turns = recorder.for_max && me == Side::Second;
    Ok(Trace {
        algorithm,
        game: request.game.clone(),
        title: request.title.clone(),
        sides: P::SIDES,
        side: me,
        position: line.position().write(),
        depth: Some(depth),
        bandit: None,
        best: recorder.best(),
        form: recorder.sketcher.form,
        nodes: recorder.nodes,
        events: recorder.events,
        counts,
        value: if turns { -value } else { value },
    })
}

/// Runs the search; its value is for Max in minimax and expectiminimax, for the side to move in the others.
fn run<P: Position, H: Heuristic<P>, O: Observer<P>>(
    algorithm: Algorithm,
    search: &mut DepthFirst<'_, P, H, O>,
    line: &mut Line<P>,
    depth: u32,
) -> f32 {
    let me = line.position().to_move();
    match algorithm {
        Algorithm::Minimax => minimax(search, line, depth, 0) as f32,
        Algorithm::Negamax => negamax(search, line, depth, 0) as f32,
        Algorithm::AlphaBeta => alphabeta(search, line, depth, 0, Window::FULL) as f32,
        Algorithm::Expectimax => expectimax(search, line, depth, 0, me, &mut Uniform),
        Algorithm::Expectiminimax | Algorithm::Mcts => expectiminimax(search, line, depth, 0),
    }
}

/// Counts the nodes that a page would draw: those looked at, and those cut off.
struct Drawn(u64);

impl<P: Position> Observer<P> for Drawn {
    fn enter(&mut self, _: &Line<P>, _: Turn, _: u32, _: Option<Window>) {
        self.0 += 1;
    }

    fn prune(&mut self, _: &Line<P>, unseen: &[P::Move], _: f32, _: Option<Window>) {
        self.0 += unseen.len() as u64;
    }
}

/// How deep a search may go.
struct Deepest {
    /// The greatest depth that shows no more than is wanted, if there is one.
    depth: Option<u32>,
    /// Whether it sees the game to its end, so that a greater depth shows no more.
    to_the_end: bool,
}

/// The deepest search that shows no more than `most` nodes.
fn deepest<P: Position, H: Heuristic<P>>(
    line: &Line<P>,
    heuristic: &mut H,
    algorithm: Algorithm,
    most: u64,
    stop: &AtomicBool,
) -> Result<Deepest, ExplainError> {
    let mut found = None;
    let mut before = 0;
    for depth in 1..=100 {
        let mut search = DepthFirst::observed(heuristic, line, stopper(most, stop), Drawn(0));
        run(algorithm, &mut search, &mut line.clone(), depth);
        if search.met_chance {
            return Err(ExplainError::Chance { algorithm: algorithm.name() });
        }
        let Drawn(drawn) = search.observer;
        if search.stopper.is_stopped() || drawn > most {
            return Ok(Deepest { depth: found, to_the_end: false });
        }
        if drawn == before {
            break;
        }
        before = drawn;
        found = Some(depth);
    }
    Ok(Deepest { depth: found, to_the_end: true })
}

/// How many positions this search and its relatives look at.
fn counts<P: Position, H: Heuristic<P>>(
    line: &Line<P>,
    heuristic: &mut H,
    algorithm: Algorithm,
    depth: u32,
    stop: &AtomicBool,
) -> Vec<Count> {
    let (plain, pruned): (Algorithm, &[_]) = match algorithm {
        Algorithm::Minimax | Algorithm::AlphaBeta => (Algorithm::Minimax, &[("alphabeta", Relative::AlphaBeta)]),
        Algorithm::Negamax => (Algorithm::Negamax, &[("alphabeta", Relative::AlphaBeta)]),
        Algorithm::Expectimax => (Algorithm::Expectimax, &[]),
        Algorithm::Expectiminimax | Algorithm::Mcts => {
            (Algorithm::Expectiminimax, &[("star1", Relative::Star(Star::One)), ("star2", Relative::Star(Star::Two))])
        }
    };
    let all = [(plain.name(), Relative::Plain(plain))].into_iter().chain(pruned.iter().copied());
    let count = |(name, relative)| {
        let mut search = DepthFirst::new(heuristic, line, stopper(COUNT_LIMIT, stop));
        let line = &mut line.clone();
        match relative {
            Relative::Plain(algorithm) => run(algorithm, &mut search, line, depth),
            Relative::AlphaBeta => run(Algorithm::AlphaBeta, &mut search, line, depth),
            Relative::Star(kind) => star(&mut search, line, depth, 0, kind),
        };
        let complete = !search.stopper.is_stopped();
        Count { name, nodes: search.stopper.nodes().min(COUNT_LIMIT), complete }
    };
    all.map(count).collect()
}

/// A search with the same answer.
#[derive(Clone, Copy)]
enum Relative {
    /// Without pruning.
    Plain(Algorithm),
    AlphaBeta,
    Star(Star),
}

/// A tree that a search without pruning looked at.
struct Whole {
    nodes: Vec<Node>,
    children: Vec<Vec<u32>>,
}

impl Whole {
    fn new(nodes: Vec<Node>) -> Self {
        let mut children = vec![Vec::new(); nodes.len()];
        for (id, node) in (0..).zip(&nodes) {
            if let Some(parent) = node.parent {
                children[parent as usize].push(id);
            }
        }
        Whole { nodes, children }
    }
}

/// A node that has been entered and not yet left.
struct Open<M> {
    id: u32,
    /// The same node in the whole tree.
    whole: Option<u32>,
    /// How many of its children have been entered.
    entered: usize,
    /// How likely each move is, at a chance node or a model.
    odds: Vec<(M, f32)>,
}

/// Writes down what it sees.
struct Recorder<P: Position> {
    algorithm: Algorithm,
    /// The side to move at the root.
    me: Side,
    /// Whether what the search says for the side to move is turned to Max's point of view.
    for_max: bool,
    sketcher: Sketcher,
    whole: Option<Whole>,
    nodes: Vec<Node>,
    events: Vec<Event>,
    open: Vec<Open<P::Move>>,
    moves: Vec<P::Move>,
    /// The child of the root that was entered last, and the one that made its value.
    last_move: Option<u32>,
    best: Option<(u32, f32)>,
}

impl<P: Notation + Picture> Recorder<P> {
    fn new(algorithm: Algorithm, me: Side, sketcher: Sketcher, whole: Option<Whole>) -> Self {
        Recorder {
            algorithm,
            me,
            for_max: algorithm == Algorithm::AlphaBeta,
            sketcher,
            whole,
            nodes: Vec::new(),
            events: Vec::new(),
            open: Vec::new(),
            moves: Vec::new(),
            last_move: None,
            best: None,
        }
    }

    /// The move that made the value of the root.
    fn best(&self) -> Option<String> {
        let decided = matches!(self.nodes.first()?.kind, Kind::Max | Kind::Min);
        self.nodes[self.best.filter(|_| decided)?.0 as usize].mv.clone()
    }

    fn kind(&self, turn: Turn, depth: u32) -> Kind {
        match turn {
            Turn::Over(_) => Kind::Leaf,
            _ if depth == 0 => Kind::Leaf,
            Turn::Chance => Kind::Chance,
            Turn::Decision(side) if self.algorithm == Algorithm::Expectimax => {
                if side == self.me {
                    Kind::Max
                } else {
                    Kind::Model
                }
            }
            Turn::Decision(Side::First) => Kind::Max,
            Turn::Decision(Side::Second) => Kind::Min,
        }
    }

    /// Adds the node at the end of the line as a child of the node entered last.
    fn add(&mut self, line: &Line<P>, turn: Turn, depth: u32) -> u32 {
        let position = line.position();
        let above = self.open.last();
        // Below the root of the search the line always has a last move and a position before it.
        let mv = above.and_then(|_| line.moves().last().copied());
        let before = mv.map(|_| &line.positions()[line.ply() - 1]);
        let touched = mv.zip(before).map(|(mv, before)| before.touched(mv)).unwrap_or_default();
        let odds = above.zip(mv).and_then(|(above, mv)| above.odds.iter().find(|(known, _)| *known == mv));
        let sketch = self.sketcher.sketch(&position.draw());
        self.nodes.push(Node {
            parent: above.map(|above| above.id),
            kind: self.kind(turn, depth),
            side: position.to_move(),
            mv: mv.zip(before).map(|(mv, before)| before.write_move(mv)),
            probability: odds.map(|&(_, probability)| probability),
            depth: Some(depth),
            end: match turn {
                Turn::Over(outcome) => Some(outcome.name()),
                _ if depth == 0 => Some("limit"),
                _ => None,
            },
            value: None,
            moves: Vec::new(),
            position: Some(position.write()).filter(|text| text.len() <= 200),
            touched: self.sketcher.places(&touched),
            sketch,
        });
        self.nodes.len() as u32 - 1
    }

    /// Adds a branch of the whole tree that was never looked at.
    fn copy(&mut self, from: u32, parent: u32) -> u32 {
        let Some(whole) = &self.whole else { return parent };
        let node = Node { parent: Some(parent), ..whole.nodes[from as usize].clone() };
        let children = whole.children[from as usize].clone();
        self.nodes.push(node);
        let id = self.nodes.len() as u32 - 1;
        for child in children {
            self.copy(child, id);
        }
        id
    }

    /// A value that the search gives for the side to move at this node, as the page shows it.
    fn shown(&self, node: u32, value: f32) -> f32 {
        let turn = self.for_max && self.nodes[node as usize].side == Side::Second;
        if turn { -value } else { value }
    }

    fn interval(&self, node: u32, window: Option<Window>) -> Option<Interval> {
        let window = window?;
        let turn = self.for_max && self.nodes[node as usize].side == Side::Second;
        let Window { alpha, beta } = if turn { -window } else { window };
        Some([(alpha > LOWEST).then_some(alpha as f32), (beta < HIGHEST).then_some(beta as f32)])
    }
}

impl<P: Notation + Picture> Observer<P> for Recorder<P> {
    fn enter(&mut self, line: &Line<P>, turn: Turn, depth: u32, window: Option<Window>) {
        let id = self.add(line, turn, depth);
        let whole = match self.open.last_mut() {
            None => self.whole.as_ref().map(|_| 0),
            Some(above) => {
                above.entered += 1;
                let children = self.whole.as_ref().zip(above.whole).map(|(whole, at)| &whole.children[at as usize]);
                children.and_then(|children| children.get(above.entered - 1)).copied()
            }
        };
        if self.open.len() == 1 {
            self.last_move = Some(id);
        }
        let mut odds = Vec::new();
        match self.nodes[id as usize].kind {
            Kind::Chance => line.position().chance(&mut odds),
            Kind::Model => {
                line.turn(&mut self.moves);
                let mut policy = Vec::new();
                Uniform.policy(line, &self.moves, &mut policy);
                odds = self.moves.iter().copied().zip(policy).collect();
            }
            _ => {}
        }
        let window = self.interval(id, window);
        self.events.push(Event::Enter { node: id, window });
        self.open.push(Open { id, whole, entered: 0, odds });
    }

    fn improve(&mut self, best: f32, window: Option<Window>) {
        // Only a node that was entered improves.
        let Some(&Open { id: node, .. }) = self.open.last() else { return };
        let (value, window) = (self.shown(node, best), self.interval(node, window));
        if self.open.len() == 1
            && self.best.is_none_or(|(_, known)| known != value)
            && let Some(last_move) = self.last_move
        {
            self.best = Some((last_move, value));
        }
        self.events.push(Event::Improve { node, value, window });
    }

    fn prune(&mut self, line: &Line<P>, unseen: &[P::Move], best: f32, window: Option<Window>) {
        let Some(&Open { id: node, whole, .. }) = self.open.last() else { return };
        if unseen.is_empty() {
            return;
        }
        let (value, window) = (self.shown(node, best), self.interval(node, window));
        let from = self.whole.as_ref().zip(whole).map(|(whole, at)| {
            let children = &whole.children[at as usize];
            children[children.len() - unseen.len()..].to_vec()
        });
        let unseen = match from {
            Some(from) => from.into_iter().map(|child| self.copy(child, node)).collect(),
            None => {
                let mut line = line.clone();
                // Nodes are entered with one ply less to go than the node above.
                let depth = self.nodes[node as usize].depth.map_or(0, |depth| depth.saturating_sub(1));
                let mut add = |&mv| {
                    line.push(mv);
                    let turn = line.turn(&mut self.moves);
                    let id = self.add(&line, turn, depth);
                    line.pop();
                    id
                };
                unseen.iter().map(&mut add).collect()
            }
        };
        self.events.push(Event::Prune { node, value, window, unseen });
    }

    fn leave(&mut self, value: f32) {
        let Some(Open { id: node, .. }) = self.open.pop() else { return };
        let value = self.shown(node, value);
        if self.nodes[node as usize].kind == Kind::Leaf {
            self.nodes[node as usize].value = Some(value);
        }
        self.events.push(Event::Leave { node, value });
    }
}
