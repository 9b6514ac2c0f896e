//! From trees to text.

use super::{Node, Tree};

/// All games as one file. Lines are broken between nodes, so that no program and no mail breaks them elsewhere.
pub fn write(games: &[Tree]) -> String {
    let mut text = String::new();
    for game in games {
        write_game(game, &mut text);
        text.push('\n');
    }
    text
}

/// About as many letters stand on a line.
const WIDTH: usize = 72;

fn write_game(game: &Tree, text: &mut String) {
    enum Todo {
        Node(usize),
        Variation(usize),
        Close,
    }
    text.push('(');
    let mut line_begin = text.len();
    // Each opening bracket has its closing one waiting below it.
    let mut todo = vec![Todo::Close, Todo::Node(0)];
    while let Some(next) = todo.pop() {
        let at = match next {
            Todo::Close => {
                text.push(')');
                continue;
            }
            Todo::Variation(at) => {
                text.push_str("\n(");
                line_begin = text.len();
                todo.push(Todo::Close);
                at
            }
            Todo::Node(at) => {
                if text.len() - line_begin > WIDTH {
                    text.push('\n');
                    line_begin = text.len();
                }
                at
            }
        };
        let node = &game.nodes[at];
        write_node(node, text);
        match node.children.as_slice() {
            [only] => todo.push(Todo::Node(*only)),
            several => todo.extend(several.iter().rev().map(|&child| Todo::Variation(child))),
        }
    }
}

fn write_node(node: &Node, text: &mut String) {
    text.push(';');
    for property in node.properties() {
        text.push_str(property.name());
        for value in property.values() {
            text.push('[');
            text.push_str(value.raw());
            text.push(']');
        }
    }
}
