//! Trees written down: `((3 12 8) (2 4 6) (14 5 2))`, as the course draws them.
//!
//! Round brackets are decisions, Max first and then in turns; numbers are leaves, worth so much to Max; braces
//! are chance, each branch behind its probability: `{0.5:(3 4) 0.5:(1 2)}`. A written tree is a game like any other.

use crate::Heuristic;
use std::fmt::Write;
use std::sync::Arc;
use tengen_core::{
    Board, Drawn, Line, Notation, Outcome, Picture, Position, Pov, Score, Side, TextError, Turn, Value, mix,
};

#[derive(Clone, PartialEq, Debug)]
enum Node {
    Leaf(Score),
    Decision(Vec<u32>),
    Chance(Vec<(f32, u32)>),
}

/// A place in a written tree.
#[derive(Clone, Debug)]
pub struct Literal {
    nodes: Arc<Vec<Node>>,
    at: u32,
    to_move: Side,
}

/// Brackets may be nested so deep; no page could show more.
const DEEPEST: usize = 100;

/// Leaves are no larger than this, so that a score is never mistaken for a decided game.
const LARGEST: Score = 100_000;

impl Literal {
    fn node(&self) -> &Node {
        &self.nodes[self.at as usize]
    }

    /// The value of a leaf for Max.
    pub fn leaf(&self) -> Option<Score> {
        match self.node() {
            Node::Leaf(value) => Some(*value),
            _ => None,
        }
    }

    fn write_node(&self, at: u32, text: &mut String) {
        match &self.nodes[at as usize] {
            Node::Leaf(value) => {
                let _ = write!(text, "{value}");
            }
            Node::Decision(children) => {
                text.push('(');
                for (index, &child) in children.iter().enumerate() {
                    text.push_str(if index > 0 { " " } else { "" });
                    self.write_node(child, text);
                }
                text.push(')');
            }
            Node::Chance(children) => {
                text.push('{');
                for (index, &(probability, child)) in children.iter().enumerate() {
                    let _ = write!(text, "{}{probability}:", if index > 0 { " " } else { "" });
                    self.write_node(child, text);
                }
                text.push('}');
            }
        }
    }
}

impl Position for Literal {
    /// Which branch, from the left.
    type Move = u16;

    fn to_move(&self) -> Side {
        self.to_move
    }

    fn turn(&self, moves: &mut Vec<u16>) -> Turn {
        moves.clear();
        match self.node() {
            Node::Leaf(value) => Turn::Over(match value {
                0 => Outcome::Draw,
                1.. => Outcome::Win(Side::First),
                _ => Outcome::Win(Side::Second),
            }),
            Node::Decision(children) => {
                moves.extend(0..children.len() as u16);
                Turn::Decision(self.to_move)
            }
            Node::Chance(_) => Turn::Chance,
        }
    }

    fn play(&mut self, mv: u16) {
        match &self.nodes[self.at as usize] {
            Node::Leaf(_) => debug_assert!(false, "a leaf has no moves"),
            Node::Decision(children) => {
                self.at = children[usize::from(mv)];
                self.to_move = self.to_move.other();
            }
            Node::Chance(children) => self.at = children[usize::from(mv)].1,
        }
    }

    fn key(&self) -> u64 {
        mix(u64::from(self.at) << 1 | self.to_move.index() as u64)
    }

    fn code(mv: u16) -> u16 {
        mv
    }

    fn chance(&self, outcomes: &mut Vec<(u16, f32)>) {
        outcomes.clear();
        if let Node::Chance(children) = self.node() {
            outcomes.extend((0..).zip(children).map(|(mv, &(probability, _))| (mv, probability)));
        }
    }
}

impl Notation for Literal {
    fn write(&self) -> String {
        let mut text = String::new();
        self.write_node(self.at, &mut text);
        text
    }

    fn read(text: &str) -> Result<Self, TextError> {
        let mut reader = Reader { letters: text.chars().collect(), at: 0, nodes: Vec::new() };
        let root = reader.node(0)?;
        reader.skip_blanks();
        if reader.at < reader.letters.len() {
            return Err(TextError::at(reader.at, "the tree ends before this"));
        }
        Ok(Literal { nodes: Arc::new(reader.nodes), at: root, to_move: Side::First })
    }

    /// Branches are counted from 1.
    fn write_move(&self, mv: u16) -> String {
        (mv + 1).to_string()
    }

    fn read_move(&self, text: &str) -> Result<u16, TextError> {
        let count = match self.node() {
            Node::Leaf(_) => 0,
            Node::Decision(children) => children.len(),
            Node::Chance(children) => children.len(),
        };
        match text.trim().parse::<usize>() {
            Ok(branch) if (1..=count).contains(&branch) => Ok((branch - 1) as u16),
            _ => Err(TextError::new(format!("{} is not a branch: there are {count}", tengen_core::refuse(text)))),
        }
    }
}

/// There is no board: the tree is the picture.
impl Picture for Literal {
    const SIDES: [&'static str; 2] = ["Max", "Min"];

    fn draw(&self) -> Drawn {
        Drawn::new(Board::Bare, 0, 0, Vec::new())
    }

    fn touched(&self, _: u16) -> Vec<String> {
        Vec::new()
    }
}

struct Reader {
    letters: Vec<char>,
    at: usize,
    nodes: Vec<Node>,
}

impl Reader {
    fn skip_blanks(&mut self) {
        while self.letters.get(self.at).is_some_and(|letter| letter.is_whitespace() || *letter == ',') {
            self.at += 1;
        }
    }

    fn peek(&mut self) -> Option<char> {
        self.skip_blanks();
        self.letters.get(self.at).copied()
    }

    fn add(&mut self, node: Node) -> u32 {
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    fn node(&mut self, depth: usize) -> Result<u32, TextError> {
        if depth > DEEPEST {
            return Err(TextError::at(self.at, format!("brackets are nested at most {DEEPEST} deep")));
        }
        match self.peek() {
            Some('(') => {
                let start = self.at;
                self.at += 1;
                let mut children = Vec::new();
                while self.peek() != Some(')') {
                    children.push(self.node(depth + 1)?);
                }
                self.at += 1;
                if children.is_empty() || children.len() > usize::from(u16::MAX) {
                    return Err(TextError::at(start, "a decision needs at least one branch"));
                }
                Ok(self.add(Node::Decision(children)))
            }
            Some('{') => {
                let start = self.at;
                self.at += 1;
                let mut children = Vec::new();
                while self.peek() != Some('}') {
                    let at = self.at;
                    let probability: f32 = self.number()?;
                    if !(probability > 0.0 && probability <= 1.0) {
                        return Err(TextError::at(at, "a probability is above 0 and at most 1"));
                    }
                    if self.peek() != Some(':') {
                        return Err(TextError::at(self.at, "a branch of chance is written probability:branch"));
                    }
                    self.at += 1;
                    children.push((probability, self.node(depth + 1)?));
                }
                self.at += 1;
                let sum: f32 = children.iter().map(|&(probability, _)| probability).sum();
                if (sum - 1.0).abs() > 1e-3 || children.len() > usize::from(u16::MAX) {
                    return Err(TextError::at(start, format!("the probabilities sum to {sum}, not to 1")));
                }
                // Thirds and the like are written rounded: make the sum exact.
                children.iter_mut().for_each(|(probability, _)| *probability /= sum);
                Ok(self.add(Node::Chance(children)))
            }
            Some(_) => {
                let at = self.at;
                let value: Score = self.number()?;
                if value.abs() > LARGEST {
                    return Err(TextError::at(at, format!("leaves go from {} to {LARGEST}", -LARGEST)));
                }
                Ok(self.add(Node::Leaf(value)))
            }
            None => Err(TextError::at(self.at, "the tree ends here, but a bracket is still open")),
        }
    }

    fn number<N: std::str::FromStr>(&mut self) -> Result<N, TextError> {
        self.skip_blanks();
        let start = self.at;
        while self
            .letters
            .get(self.at)
            .is_some_and(|letter| letter.is_ascii_digit() || matches!(letter, '-' | '+' | '.'))
        {
            self.at += 1;
        }
        let text: String = self.letters[start..self.at].iter().take(20).collect();
        text.parse().map_err(|_| TextError::at(start, "a number, `(` or `{` is expected here"))
    }
}

/// Judges a written tree by its leaves; a place in the middle counts nothing.
#[derive(Clone, Copy, Debug)]
pub struct Leaves {
    least: Score,
    greatest: Score,
}

impl Leaves {
    /// The judge of this tree.
    pub fn of(tree: &Literal) -> Self {
        let leaves = tree.nodes.iter().filter_map(|node| match node {
            Node::Leaf(value) => Some(*value),
            _ => None,
        });
        // The middle of a tree counts 0, so that is always inside.
        let (least, greatest) = leaves.fold((0, 0), |(low, high), leaf| (low.min(leaf), high.max(leaf)));
        Leaves { least, greatest }
    }
}

impl Heuristic<Literal> for Leaves {
    fn score(&mut self, _line: &Line<Literal>) -> Score {
        0
    }

    fn over(&mut self, line: &Line<Literal>, _outcome: Outcome, side: Side, _ply: u32) -> Score {
        Pov::of(Side::First, line.position().leaf().unwrap_or(0)).seen_by(side)
    }

    fn value_bounds(&self) -> (Value, Value) {
        (self.least as Value, self.greatest as Value)
    }

    fn value(&self, score: Score) -> Value {
        score as Value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_round_trip() {
        for text in ["7", "(3 12 8)", "((3 12 8) (2 4 6) (14 5 2))", "({0.5:(3 -4) 0.5:7} 2)"] {
            assert_eq!(Literal::read(text).expect(text).write(), text);
        }
    }

    #[test]
    fn refuses_what_is_no_tree() {
        for (text, complaint) in [
            ("", "still open"),
            ("(3 12", "still open"),
            ("(3 x)", "character 4"),
            ("()", "at least one branch"),
            ("(3) 4", "ends before"),
            ("{0.5:3 0.2:4}", "sum to 0.7"),
            ("{0:3 1:4}", "above 0"),
            ("{0.5 3}", "probability:branch"),
            ("(99999999)", "100000"),
        ] {
            let error = Literal::read(text).expect_err(text).to_string();
            assert!(error.contains(complaint), "`{text}`: {error}");
        }
        assert!(Literal::read(&"(".repeat(100_000)).is_err());
    }
}
