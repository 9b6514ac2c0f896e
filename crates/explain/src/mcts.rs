//! Recording MCTS, simulation by simulation, on the tree that the player grows.
//!
//! The search is plain UCT as the course has it: UCB1, one random game a leaf, nothing proven. With the same seed the
//! player `mcts:solver=off` grows the same tree.

use crate::sketch::Sketcher;
use crate::trace::{Bandit, Count, Event, Kind, Node, Trace};
use crate::{ExplainError, MOST_VISITS, Request};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use tengen_core::{Line, Notation, Outcome, Picture, Position, Pov, Side, Turn, mix};
use tengen_search::Heuristic;
use tengen_search::mcts::{MctsParams, Traffic, Tree, Walker};

pub(crate) fn record<P: Notation + Picture, H: Heuristic<P>>(
    line: &Line<P>,
    heuristic: &mut H,
    request: &Request,
    stop: &AtomicBool,
) -> Result<Trace, ExplainError> {
    if request.visits > MOST_VISITS {
        return Err(ExplainError::TooManyVisits(request.visits));
    }
    let params =
        MctsParams { visits: request.visits.into(), seed: request.seed, solver: false, ..MctsParams::default() };
    let tree = Tree::new(line.clone());
    tree.open_root(&params);
    let mut walker = Walker::new(&tree, mix(params.seed ^ line.position().key()), Traffic::Alone);
    let mut way = Vec::new();
    let mut book = Book { nodes: Vec::new(), events: Vec::new(), known: HashMap::new(), sketcher: Sketcher::default() };
    book.add(line, None);

    for _ in 0..request.visits {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        // Step 1. Selection: the walk is done at once, and written down as the moves it chose.
        let known = tree.descend(&mut walker, &mut way, &params, None);
        let mut at = 0;
        let mut here = line.clone();
        let mut new = false;
        for &mv in &walker.line.moves()[line.ply()..] {
            here.push(mv);
            let key = (at, P::code(mv));
            let to = match book.known.get(&key) {
                Some(&to) => to,
                None => {
                    new = true;
                    book.add(&here, Some(at))
                }
            };
            book.known.insert(key, to);
            book.events.push(Event::Select { node: at, to });
            at = to;
        }
        // Step 2. Expansion.
        if new {
            book.events.push(Event::Expand { node: at });
        }
        // Step 3. Simulation, unless the end is known.
        let value = match known {
            Some(outcome) => {
                let value = outcome.value_for(Side::First);
                book.events.push(Event::Known { node: at, value });
                value
            }
            None => {
                let mut position = walker.line.position().clone();
                let mut played = Vec::new();
                let outcome = position.playout(&mut walker.rng, params.cut, |_, mv| played.push(mv));
                // A random game that was cut is judged.
                let value = outcome.map_or_else(|| heuristic.estimate(&Line::new(position.clone())), Outcome::value);
                let value = value.seen_by(Side::First);
                let moves = in_words(walker.line.position().clone(), &played);
                let sketch = book.sketcher.sketch(&position.draw());
                book.events.push(Event::Playout { node: at, moves, value, sketch });
                value
            }
        };
        // Step 4. Back-propagation.
        tree.back_up(&mut walker, &mut way, Pov::of(Side::First, value), known, &params);
        book.events.push(Event::Backup { node: at, value });
    }

    let root = line.position();
    let best = best(&tree, root.to_move()).map(|mv| root.write_move(mv));
    Ok(Trace {
        algorithm: request.algorithm,
        game: request.game.clone(),
        title: request.title.clone(),
        sides: P::SIDES,
        side: root.to_move(),
        position: root.write(),
        depth: None,
        bandit: Some(Bandit { visits: request.visits, seed: request.seed, exploration: params.exploration }),
        best,
        form: book.sketcher.form,
        counts: vec![Count { name: request.algorithm.name(), nodes: book.nodes.len() as u64, complete: true }],
        nodes: book.nodes,
        events: book.events,
        value: tree.root().value_for(Side::First).unwrap_or(0.0),
    })
}

/// The moves as text; none if dice fall in between, which a playout does not tell.
fn in_words<P: Notation>(mut position: P, played: &[P::Move]) -> Vec<String> {
    let mut words = Vec::with_capacity(played.len());
    let mut moves = Vec::new();
    for &mv in played {
        if position.turn(&mut moves) == Turn::Chance {
            return Vec::new();
        }
        words.push(position.write_move(mv));
        position.play(mv);
    }
    words
}

/// The move to play: a sure win, else the one visited most.
fn best<P: Position>(tree: &Tree<P>, side: Side) -> Option<P::Move> {
    let branch = tree.root().branch()?;
    let Turn::Decision(_) = branch.turn else { return None };
    let rank = |outcome| match outcome {
        Some(Outcome::Win(winner)) if winner == side => 2,
        Some(Outcome::Win(_)) => 0,
        _ => 1,
    };
    // Of equals the first, as the player has it.
    let order = branch.nodes.iter().rev();
    let best = order.max_by(|a, b| {
        (rank(a.proven()), a.visits())
            .cmp(&(rank(b.proven()), b.visits()))
            .then_with(|| a.value_for(side).unwrap_or(-1.0).total_cmp(&b.value_for(side).unwrap_or(-1.0)))
    });
    best.and_then(|node| node.mv)
}

/// What has been written down.
struct Book {
    nodes: Vec<Node>,
    events: Vec<Event>,
    /// The node behind each move of each node.
    known: HashMap<(u32, u16), u32>,
    sketcher: Sketcher,
}

impl Book {
    /// Adds the node at the end of the line.
    fn add<P: Notation + Picture>(&mut self, line: &Line<P>, parent: Option<u32>) -> u32 {
        let position = line.position();
        let mut moves = Vec::new();
        let turn = line.turn(&mut moves);
        let mut odds = Vec::new();
        position.chance(&mut odds);
        let mv = parent.and_then(|_| line.moves().last().copied());
        // A line with a last move has a position before it.
        let before = mv.map(|_| &line.positions()[line.ply() - 1]);
        let touched = mv.zip(before).map(|(mv, before)| before.touched(mv)).unwrap_or_default();
        let sketch = self.sketcher.sketch(&position.draw());
        let mut rolls = Vec::new();
        if let Some(before) = before {
            before.chance(&mut rolls);
        }
        let probability = mv.and_then(|mv| rolls.iter().find(|(roll, _)| *roll == mv)).map(|&(_, chance)| chance);
        self.nodes.push(Node {
            parent,
            kind: match turn {
                Turn::Over(_) => Kind::Leaf,
                Turn::Chance => Kind::Chance,
                Turn::Decision(Side::First) => Kind::Max,
                Turn::Decision(Side::Second) => Kind::Min,
            },
            side: position.to_move(),
            mv: mv.zip(before).map(|(mv, before)| before.write_move(mv)),
            probability,
            depth: None,
            end: match turn {
                Turn::Over(outcome) => Some(outcome.name()),
                _ => None,
            },
            value: None,
            moves: moves.iter().chain(odds.iter().map(|(mv, _)| mv)).map(|&mv| position.write_move(mv)).collect(),
            position: Some(position.write()).filter(|text| text.len() <= 200),
            touched: self.sketcher.places(&touched),
            sketch,
        });
        self.nodes.len() as u32 - 1
    }
}
