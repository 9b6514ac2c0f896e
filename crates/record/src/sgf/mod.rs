//! SGF, the Smart Game Format (`FF[1]` to `FF[4]`): files of Go games, and of others.
//!
//! A [`Tree`] is a game exactly as the file has it, with every property, known or not. [`read`] is generous to what programs really write;
//! [`write()`] writes `FF[4]`. [`to_game`] and [`from_game`] go between that and the neutral [`GameTree`](crate::GameTree).
//!
//! CITE: Arno Hollosi, "SGF File Format `FF[4]`", 1997–2021.

mod convert;
mod read;
mod value;
mod write;

pub use convert::{from_game, to_game};
pub use read::{decode, read};
pub use value::Value;
pub use write::write;

use std::borrow::Cow;

/// A property: a name and one value or more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    name: Cow<'static, str>,
    values: Vec<Value>,
}

impl Property {
    /// A property; `None` unless the name is made of capital letters and there is a value.
    pub fn new(name: &str, values: Vec<Value>) -> Option<Self> {
        let is_name = !name.is_empty() && name.bytes().all(|letter| letter.is_ascii_uppercase());
        (is_name && !values.is_empty()).then(|| Property { name: Cow::Owned(name.to_owned()), values })
    }

    /// Its name: `AB`, `PB`, `C`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its values, one at least.
    pub fn values(&self) -> &[Value] {
        &self.values
    }
}

/// A node: properties, and its place in the tree.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Node {
    properties: Vec<Property>,
    parent: Option<usize>,
    children: Vec<usize>,
}

impl Node {
    /// All properties, in the order of the file.
    pub fn properties(&self) -> &[Property] {
        &self.properties
    }

    /// The values of a property, if the node has it.
    pub fn values(&self, name: &str) -> Option<&[Value]> {
        self.properties.iter().find(|property| property.name == name).map(|property| property.values.as_slice())
    }

    /// The first value of a property.
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.values(name).map(|values| &values[0])
    }

    /// Sets a property, in place of one of the same name.
    pub fn set(&mut self, property: Property) {
        match self.properties.iter_mut().find(|known| known.name == property.name) {
            Some(known) => *known = property,
            None => self.properties.push(property),
        }
    }

    /// Takes a property out.
    pub fn remove(&mut self, name: &str) {
        self.properties.retain(|property| property.name != name);
    }

    /// The node before it; the root has none.
    pub fn parent(&self) -> Option<usize> {
        self.parent
    }

    /// What follows, the main line first.
    pub fn children(&self) -> &[usize] {
        &self.children
    }
}

/// A game as the file has it. Nodes lie in one list, each after its parent; node 0 is the root.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
}

impl Default for Tree {
    fn default() -> Self {
        Tree { nodes: vec![Node::default()] }
    }
}

impl Tree {
    /// All nodes, in the order of the file.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The first node, with what is said about the game.
    pub fn root(&self) -> &Node {
        // There is always a root: `default` makes it, and the reader opens a tree by its first node.
        &self.nodes[0]
    }

    /// A node to write into, if there is one of this number.
    pub fn node_mut(&mut self, at: usize) -> Option<&mut Node> {
        self.nodes.get_mut(at)
    }

    /// Adds a node behind another and says its number.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn add(&mut self, parent: usize) -> usize {
        let at = self.nodes.len();
        self.nodes[parent].children.push(at);
        self.nodes.push(Node { parent: Some(parent), ..Node::default() });
        at
    }
}
