//! A game with everything that was tried and written beside it, whatever the game and whatever file it came from.
//!
//! The nodes lie in one list and know each other by number, so a game of any length is a flat JSON text and nothing
//! recurses over it. Node 0 is the start; the first child of each node continues the main line.

use crate::{Played, Record};
use serde::{Deserialize, Deserializer, Serialize, de};

/// What is drawn on the board beside a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// A filled cell.
    #[default]
    Selected,
    /// A triangle.
    Triangle,
    /// A square.
    Square,
    /// A circle.
    Circle,
    /// A cross.
    Cross,
    /// A few letters.
    Label,
    /// An arrow to another cell.
    Arrow,
    /// A line to another cell.
    Line,
}

/// One mark on the board.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Mark {
    /// What it looks like.
    pub shape: Shape,
    /// The cell, by its name in move text.
    pub at: String,
    /// Where an arrow or a line ends.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub to: String,
    /// The letters of a label.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub label: String,
    /// `red`, `green`, `blue`, `yellow`, or nothing.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub colour: String,
}

/// A move of a game tree, or its start.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Node {
    /// The move with what is known about it; at the start its text is empty.
    #[serde(flatten)]
    pub played: Played,
    /// What the mover's clock showed afterwards, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<f32>,
    /// Numeric annotation glyphs as PGN has them: 1 `!`, 2 `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!`, 10 and more about the position.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nags: Vec<u8>,
    /// What is drawn on the board.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Mark>,
    /// The node before it; the start has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<usize>,
    /// What follows, the main line first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<usize>,
}

/// A game with variations and comments.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GameTree {
    /// Who, when, what and how it ended. Its list of moves is empty: the moves are nodes.
    pub head: Record,
    nodes: Vec<Node>,
}

impl GameTree {
    /// A game as it was played.
    pub fn new(head: Record) -> Self {
        let mut tree = GameTree { head, nodes: vec![Node::default()] };
        let moves = std::mem::take(&mut tree.head.moves);
        let mut at = 0;
        for played in moves {
            at = tree.add(at, played);
        }
        tree
    }

    /// All nodes. A node comes after its parent; node 0 is the start.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// A node.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn node(&self, at: usize) -> &Node {
        &self.nodes[at]
    }

    /// A node to write into; its place in the tree is not for the caller to change.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn node_mut(&mut self, at: usize) -> &mut Node {
        &mut self.nodes[at]
    }

    /// Adds a move behind a node, after the moves that are there already, and says its number.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn add(&mut self, parent: usize, played: Played) -> usize {
        let at = self.nodes.len();
        let siblings = &mut self.nodes[parent].children;
        // Mostly there is one: no room for more, until they come.
        if siblings.is_empty() {
            siblings.reserve_exact(1);
        }
        siblings.push(at);
        self.nodes.push(Node { played, parent: Some(parent), ..Node::default() });
        at
    }

    /// The move behind a node with this text, if it is there already.
    pub fn child(&self, parent: usize, text: &str) -> Option<usize> {
        self.nodes.get(parent)?.children.iter().copied().find(|&child| self.nodes[child].played.text == text)
    }

    /// Makes the way to a node the main line.
    pub fn promote(&mut self, mut at: usize) {
        while let Some(parent) = self.nodes.get(at).and_then(|node| node.parent) {
            let siblings = &mut self.nodes[parent].children;
            if let Some(place) = siblings.iter().position(|&child| child == at) {
                siblings[..=place].rotate_right(1);
            }
            at = parent;
        }
    }

    /// Takes a move and everything behind it out. The numbers of the other nodes change: what was `n` is now the returned list's
    /// entry `n`, if it is still there. The start stays.
    pub fn remove(&mut self, at: usize) -> Vec<Option<usize>> {
        let mut places: Vec<Option<usize>> = vec![None; self.nodes.len()];
        let mut kept = Vec::with_capacity(self.nodes.len());
        for (number, node) in std::mem::take(&mut self.nodes).into_iter().enumerate() {
            // Parents come first, so a node whose parent is gone goes, too.
            let is_kept = match node.parent {
                None => true,
                Some(parent) => number != at && places[parent].is_some(),
            };
            if is_kept {
                places[number] = Some(kept.len());
                kept.push(node);
            }
        }
        for node in &mut kept {
            node.parent = node.parent.and_then(|parent| places[parent]);
            node.children = node.children.iter().filter_map(|&child| places[child]).collect();
        }
        self.nodes = kept;
        places
    }

    /// The numbers of the nodes from the start along the first children.
    pub fn main_line(&self) -> Vec<usize> {
        let mut line = vec![0];
        while let Some(&next) = line.last().and_then(|&at| self.nodes[at].children.first()) {
            line.push(next);
        }
        line
    }

    /// The numbers of the nodes from the start to one of them.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn path(&self, at: usize) -> Vec<usize> {
        let mut path = vec![at];
        while let Some(parent) = path.last().and_then(|&at| self.nodes[at].parent) {
            path.push(parent);
        }
        path.reverse();
        path
    }

    /// The main line as a record; variations, glyphs and marks are left behind.
    pub fn record(&self) -> Record {
        let moves = self.main_line().into_iter().skip(1).map(|at| self.nodes[at].played.clone()).collect();
        Record { moves, ..self.head.clone() }
    }

    /// All moves in the order of a book: a move of the main line, then the variations to it, then what follows it.
    pub(crate) fn walk(&self) -> Walk<'_> {
        Walk { tree: self, todo: Vec::new(), started: false }
    }
}

/// A step of a walk through a tree in the order in which text formats with brackets write it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    /// A move.
    Move(usize),
    /// A variation begins.
    Open,
    /// The variation ends.
    Close,
}

/// See [`GameTree::walk`].
pub(crate) struct Walk<'a> {
    tree: &'a GameTree,
    /// What is still to be done, the next step last.
    todo: Vec<Todo>,
    started: bool,
}

#[derive(Clone, Copy)]
enum Todo {
    Step(Step),
    /// Everything behind a node: its first child, the variations to it, what follows the child.
    Behind(usize),
    /// A variation that begins with this node.
    Variation(usize),
}

impl Iterator for Walk<'_> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        if !std::mem::replace(&mut self.started, true) {
            self.todo.push(Todo::Behind(0));
        }
        loop {
            match self.todo.pop()? {
                Todo::Step(step) => return Some(step),
                Todo::Variation(at) => {
                    self.todo.extend([Todo::Step(Step::Close), Todo::Behind(at), Todo::Step(Step::Move(at))]);
                    return Some(Step::Open);
                }
                Todo::Behind(at) => {
                    if let Some((&first, others)) = self.tree.nodes[at].children.split_first() {
                        self.todo.push(Todo::Behind(first));
                        self.todo.extend(others.iter().rev().map(|&other| Todo::Variation(other)));
                        return Some(Step::Move(first));
                    }
                }
            }
        }
    }
}

impl<'de> Deserialize<'de> for GameTree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Plain {
            head: Record,
            #[serde(deserialize_with = "crate::limits::list")]
            nodes: Vec<Node>,
        }
        let Plain { head, nodes } = Plain::deserialize(deserializer)?;
        if nodes.first().is_none_or(|root| root.parent.is_some()) {
            return Err(de::Error::custom("a game tree begins with a node that has no parent"));
        }
        // Everybody's parent comes before him and knows him once.
        let mut known = vec![false; nodes.len()];
        known[0] = true;
        for (at, node) in nodes.iter().enumerate() {
            for &child in &node.children {
                let is_child = child > at && nodes.get(child).is_some_and(|node| node.parent == Some(at));
                if !is_child || std::mem::replace(&mut known[child], true) {
                    return Err(de::Error::custom(format!("node {at} has a child {child} that is not its own")));
                }
            }
        }
        match known.iter().position(|known| !known) {
            Some(at) => Err(de::Error::custom(format!("node {at} is not a child of its parent"))),
            None => Ok(GameTree { head, nodes }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `a (b (c) d) e` as a tree.
    fn sample() -> GameTree {
        let mut tree = GameTree::new(Record { moves: vec![Played::new("a"), Played::new("e")], ..Record::default() });
        let b = tree.add(0, Played::new("b"));
        let d = tree.add(b, Played::new("d"));
        tree.add(b, Played::new("c"));
        tree.node_mut(d).nags.push(1);
        tree
    }

    fn shown(tree: &GameTree) -> String {
        let words = tree.walk().map(|step| match step {
            Step::Move(at) => tree.node(at).played.text.clone(),
            Step::Open => "(".to_owned(),
            Step::Close => ")".to_owned(),
        });
        words.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_walk_writes_variations_behind_the_move_they_replace() {
        assert_eq!(shown(&sample()), "a ( b d ( c ) ) e");
    }

    #[test]
    fn lines_are_promoted_and_removed() {
        let mut tree = sample();
        tree.promote(5);
        assert_eq!(shown(&tree), "b ( a e ) c ( d )");
        let places = tree.remove(1);
        assert_eq!(shown(&tree), "b c ( d )");
        assert_eq!(places, [Some(0), None, None, Some(1), Some(2), Some(3)]);
        assert_eq!(tree.path(3), [0, 1, 3]);
        tree.remove(0);
        assert_eq!(shown(&tree), "b c ( d )", "the start cannot be removed");
    }

    #[test]
    fn trees_are_flat_json_and_read_with_suspicion() {
        let mut tree = sample();
        tree.promote(5);
        let text = serde_json::to_string(&tree).expect("plain data");
        assert_eq!(serde_json::from_str::<GameTree>(&text).expect("our own text"), tree);
        let mut long = GameTree::new(Record::default());
        (0..5000).fold(0, |at, _| long.add(at, Played::new("x")));
        let text = serde_json::to_string(&long).expect("plain data");
        assert_eq!(serde_json::from_str::<GameTree>(&text).expect("as deep as one likes").nodes().len(), 5001);
        for bad in [
            r#"{"head":{},"nodes":[]}"#,
            r#"{"head":{},"nodes":[{},{"parent":1}]}"#,
            r#"{"head":{},"nodes":[{"children":[1,1]},{"parent":0}]}"#,
        ] {
            assert!(serde_json::from_str::<GameTree>(bad).is_err(), "{bad}");
        }
    }
}
