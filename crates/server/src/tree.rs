//! The tree of a table: every position that was reached, with what is known about it.

use crate::message::{Move, Node};
use std::collections::BTreeMap;
use tengen_core::Side;

/// The start; it is always there.
pub const ROOT: u32 = 0;

/// Nodes by their numbers, and the children of each in order, the main line first.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: BTreeMap<u32, Node>,
    children: BTreeMap<u32, Vec<u32>>,
    next: u32,
}

impl Tree {
    /// Only the start.
    pub fn new() -> Self {
        let root = Node {
            id: ROOT,
            parent: None,
            played: None,
            side: None,
            ms: None,
            comment: String::new(),
            marks: Vec::new(),
            judged: None,
        };
        Tree { nodes: BTreeMap::from([(ROOT, root)]), children: BTreeMap::new(), next: 1 }
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// A node.
    pub fn get(&self, id: u32) -> Option<&Node> {
        self.nodes.get(&id)
    }

    /// A node to write on.
    pub fn get_mut(&mut self, id: u32) -> Option<&mut Node> {
        self.nodes.get_mut(&id)
    }

    /// The children of a node, the main line first.
    pub fn children(&self, id: u32) -> &[u32] {
        self.children.get(&id).map_or(&[], Vec::as_slice)
    }

    /// The node after a move from `parent`; the one that is there already if the move was played there before.
    pub fn add(&mut self, parent: u32, played: Move, side: Option<Side>, ms: Option<u32>) -> u32 {
        let same = |id: &&u32| self.nodes[id].played.as_ref().is_some_and(|known| known.mv == played.mv);
        if let Some(&known) = self.children(parent).iter().find(same) {
            return known;
        }
        let id = self.next;
        self.next += 1;
        let node = Node {
            id,
            parent: Some(parent),
            played: Some(played),
            side,
            ms,
            comment: String::new(),
            marks: Vec::new(),
            judged: None,
        };
        self.nodes.insert(id, node);
        self.children.entry(parent).or_default().push(id);
        id
    }

    /// The nodes from the start to this one, the start left out.
    pub fn path(&self, id: u32) -> Vec<u32> {
        let up = |id: &u32| self.nodes.get(id).and_then(|node| node.parent);
        let mut path: Vec<u32> = std::iter::successors(Some(id), up).filter(|&id| id != ROOT).collect();
        path.reverse();
        path
    }

    /// The move that leads to a node.
    pub fn move_to(&self, id: u32) -> &str {
        self.nodes.get(&id).and_then(|node| node.played.as_ref()).map_or("", |played| &played.mv)
    }

    /// The moves from the start to this node.
    pub fn moves(&self, id: u32) -> Vec<String> {
        self.path(id).into_iter().map(|id| self.move_to(id).to_owned()).collect()
    }

    /// The last node of the main line through this node.
    pub fn tip(&self, id: u32) -> u32 {
        let next = |id: &u32| self.children(*id).first().copied();
        std::iter::successors(Some(id), next).last().unwrap_or(id)
    }

    /// Takes away everything behind a node, which stays.
    pub fn cut(&mut self, id: u32) {
        for child in self.children.remove(&id).unwrap_or_default() {
            self.cut(child);
            self.nodes.remove(&child);
        }
    }

    /// Takes away a node and everything behind it. The start stays.
    pub fn remove(&mut self, id: u32) {
        if let Some(parent) = self.nodes.get(&id).and_then(|node| node.parent) {
            self.cut(id);
            self.nodes.remove(&id);
            if let Some(siblings) = self.children.get_mut(&parent) {
                siblings.retain(|&sibling| sibling != id);
            }
        }
    }

    /// Makes the line through a node the main line.
    pub fn promote(&mut self, id: u32) {
        for id in self.path(id) {
            if let Some(siblings) = self.nodes[&id].parent.and_then(|parent| self.children.get_mut(&parent)) {
                siblings.sort_by_key(|&sibling| sibling != id);
            }
        }
    }

    /// All nodes, parents before children and main lines first.
    pub fn list(&self) -> Vec<Node> {
        let mut list = Vec::with_capacity(self.nodes.len());
        let mut open = vec![ROOT];
        while let Some(id) = open.pop() {
            list.extend(self.nodes.get(&id).cloned());
            open.extend(self.children(id).iter().rev());
        }
        list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mv(text: &str) -> Move {
        Move { mv: text.to_owned(), ..Move::default() }
    }

    #[test]
    fn variations() {
        let mut tree = Tree::new();
        let a = tree.add(ROOT, mv("a"), None, None);
        let b = tree.add(a, mv("b"), None, None);
        let c = tree.add(a, mv("c"), None, None);
        let d = tree.add(c, mv("d"), None, None);
        assert_eq!(tree.add(a, mv("c"), None, None), c, "the same move is the same node");
        assert_eq!((tree.moves(d).concat(), tree.tip(ROOT)), ("acd".to_owned(), b));
        tree.promote(d);
        let order: Vec<u32> = tree.list().iter().map(|node| node.id).collect();
        assert_eq!((order, tree.tip(ROOT)), (vec![ROOT, a, c, d, b], d));
        tree.remove(c);
        assert_eq!((tree.len(), tree.tip(ROOT), tree.get(d)), (3, b, None));
        tree.cut(ROOT);
        assert_eq!(tree.len(), 1);
        assert!(tree.add(ROOT, mv("e"), None, None) > d, "numbers are never used twice");
    }
}
