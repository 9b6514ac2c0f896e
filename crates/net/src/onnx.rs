//! A network for other programs: an ONNX file.
//!
//! The format is protocol buffers, of which a dozen messages are needed: numbers and texts behind tags, messages within messages.
//! Inputs are `planes` and, where there are any, `globals`; each head is an output with its name. The number of positions is open, the
//! board is not.

use crate::convolve::Reach;
use crate::description::{Act, Flaw};
use crate::graph::{Op, Value, Weights};
use crate::model::Model;
use crate::run::EPSILON;
use crate::simple::size_weight;

/// The version of the operators that are used.
const OPERATORS: u64 = 17;
/// The version of the format.
const FORMAT: u64 = 8;
/// The kinds of numbers as the format counts them.
const FLOAT: u64 = 1;
const INTEGER: u64 = 7;

/// A message in the making.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn varint(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    fn number(mut self, field: u64, number: u64) -> Self {
        self.varint(field << 3);
        self.varint(number);
        self
    }

    fn float(mut self, field: u64, number: f32) -> Self {
        self.varint(field << 3 | 5);
        self.0.extend(number.to_le_bytes());
        self
    }

    fn bytes(mut self, field: u64, bytes: &[u8]) -> Self {
        self.varint(field << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend(bytes);
        self
    }

    fn text(self, field: u64, text: &str) -> Self {
        self.bytes(field, text.as_bytes())
    }

    fn message(self, field: u64, message: Message) -> Self {
        self.bytes(field, &message.0)
    }
}

/// An attribute of an operator.
enum Attribute<'a> {
    Number(&'a str, i64),
    Float(&'a str, f32),
    Numbers(&'a str, Vec<i64>),
}

impl Attribute<'_> {
    fn message(&self) -> Message {
        match self {
            Attribute::Number(name, number) => Message::default().text(1, name).number(3, *number as u64).number(20, 2),
            Attribute::Float(name, number) => Message::default().text(1, name).float(2, *number).number(20, 1),
            Attribute::Numbers(name, numbers) => {
                let start = Message::default().text(1, name);
                numbers.iter().fold(start, |message, number| message.number(8, *number as u64)).number(20, 7)
            }
        }
    }
}

/// The graph in the making.
struct Export<'a> {
    model: &'a Model,
    nodes: Vec<Message>,
    constants: Vec<Message>,
    count: usize,
    used: Vec<bool>,
}

impl Export<'_> {
    /// An operator, and the name of what it gives.
    fn node(&mut self, operator: &str, inputs: &[&str], attributes: &[Attribute<'_>]) -> String {
        self.count += 1;
        let name = format!("{}{}", operator.to_lowercase(), self.count);
        self.named(operator, inputs, attributes, &name);
        name
    }

    fn named(&mut self, operator: &str, inputs: &[&str], attributes: &[Attribute<'_>], output: &str) {
        let mut node = Message::default();
        for input in inputs {
            node = node.text(1, input);
        }
        node = node.text(2, output).text(3, output).text(4, operator);
        for attribute in attributes {
            node = node.message(5, attribute.message());
        }
        self.nodes.push(node);
    }

    fn weights(&mut self, at: Weights) -> String {
        let parameter = &self.model.parameters()[at];
        if !std::mem::replace(&mut self.used[at], true) {
            let bytes: Vec<u8> = self.model.weights[at].iter().flat_map(|number| number.to_le_bytes()).collect();
            let start = Message::default();
            let shape = parameter.shape.iter().fold(start, |message, side| message.number(1, *side as u64));
            self.constants.push(shape.number(2, FLOAT).text(8, &parameter.name).bytes(9, &bytes));
        }
        parameter.name.clone()
    }

    fn integers(&mut self, numbers: &[i64]) -> String {
        self.count += 1;
        let name = format!("numbers{}", self.count);
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let tensor = Message::default().number(1, numbers.len() as u64).number(2, INTEGER);
        self.constants.push(tensor.text(8, &name).bytes(9, &bytes));
        name
    }

    fn float(&mut self, number: f32) -> String {
        self.count += 1;
        let name = format!("number{}", self.count);
        let tensor = Message::default().number(1, 1).number(2, FLOAT);
        self.constants.push(tensor.text(8, &name).bytes(9, &number.to_le_bytes()));
        name
    }

    fn bend(&mut self, act: Act, from: String) -> String {
        match act {
            Act::None => from,
            Act::Relu => self.node("Relu", &[&from], &[]),
            Act::Tanh => self.node("Tanh", &[&from], &[]),
            Act::Sigmoid => self.node("Sigmoid", &[&from], &[]),
            Act::Mish => {
                let soft = self.node("Softplus", &[&from], &[]);
                let tanh = self.node("Tanh", &[&soft], &[]);
                self.node("Mul", &[&from, &tanh], &[])
            }
        }
    }

    fn reshape(&mut self, from: &str, shape: &[i64]) -> String {
        let shape = self.integers(shape);
        self.node("Reshape", &[from, &shape], &[])
    }

    fn flat(&mut self, from: &str) -> String {
        self.node("Flatten", &[from], &[Attribute::Number("axis", 1)])
    }
}

/// The bytes of an ONNX file of a network on a board.
pub fn write(model: &Model, board: (usize, usize)) -> Result<Vec<u8>, Flaw> {
    let graph = model.graph(board)?;
    let used = vec![false; model.parameters().len()];
    let mut export = Export { model, nodes: vec![], constants: vec![], count: 0, used };
    let mut names: Vec<String> = Vec::new();
    // Whether a value has a board, four sides in all, or is a list with two.
    let mut boards: Vec<bool> = Vec::new();
    for op in &graph.ops {
        let name = |value: Value| names[value].clone();
        let is_board = |value: Value| boards[value];
        let (name, has_board) = match *op {
            Op::Planes => ("planes".to_owned(), true),
            Op::Globals => ("globals".to_owned(), false),
            Op::Weigh { from, layer, weights, bias, .. } => {
                let mut inputs = vec![export.weights(weights)];
                inputs.extend(bias.map(|bias| export.weights(bias)));
                match layer.reach {
                    Reach::Square(side) => {
                        let from =
                            if is_board(from) { name(from) } else { export.reshape(&name(from), &[0, -1, 1, 1]) };
                        let (side, half) = (side as i64, side as i64 / 2);
                        let attributes = [
                            Attribute::Numbers("kernel_shape", vec![side; 2]),
                            Attribute::Numbers("pads", vec![half; 4]),
                        ];
                        inputs.insert(0, from);
                        let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
                        (export.node("Conv", &inputs, &attributes), true)
                    }
                    Reach::All => {
                        let from = if is_board(from) { export.flat(&name(from)) } else { name(from) };
                        inputs.insert(0, from);
                        let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
                        (export.node("Gemm", &inputs, &[Attribute::Number("transB", 1)]), false)
                    }
                }
            }
            Op::Norm { from, norm, more, act } => {
                let lists = [norm.scale, norm.shift, norm.mean, norm.variance].map(|weights| export.weights(weights));
                let [scale, shift, mean, variance] = &lists;
                let inputs = [&name(from), scale.as_str(), shift, mean, variance];
                let mut to = export.node("BatchNormalization", &inputs, &[Attribute::Float("epsilon", EPSILON)]);
                if let Some(more) = more {
                    to = export.node("Add", &[&to, &name(more)], &[]);
                }
                (export.bend(act, to), is_board(from))
            }
            Op::Bend { from, more, act } => {
                let mut to = name(from);
                if let Some(more) = more {
                    to = export.node("Add", &[&to, &name(more)], &[]);
                }
                (export.bend(act, to), is_board(from))
            }
            Op::Gate { from, gate } => {
                let open = export.node("Sigmoid", &[&name(gate)], &[]);
                let open = if is_board(from) { export.reshape(&open, &[0, -1, 1, 1]) } else { open };
                (export.node("Mul", &[&name(from), &open], &[]), is_board(from))
            }
            Op::Spread { from, list } => {
                let list = if is_board(from) { export.reshape(&name(list), &[0, -1, 1, 1]) } else { name(list) };
                (export.node("Add", &[&name(from), &list], &[]), is_board(from))
            }
            Op::Pool { from, all } => {
                let points = graph.sizes[from].points();
                let from = if is_board(from) { name(from) } else { export.reshape(&name(from), &[0, -1, 1, 1]) };
                let across = || [Attribute::Numbers("axes", vec![2, 3]), Attribute::Number("keepdims", 0)];
                let mean = export.node("ReduceMean", &[&from], &across());
                if all {
                    let factor = export.float(size_weight(points));
                    let weighed = export.node("Mul", &[&mean, &factor], &[]);
                    let most = export.node("ReduceMax", &[&from], &across());
                    (export.node("Concat", &[&mean, &weighed, &most], &[Attribute::Number("axis", 1)]), false)
                } else {
                    (mean, false)
                }
            }
            Op::Attend { from, shares } => {
                let channels = graph.sizes[from].channels as i64;
                let shares = export.reshape(&name(shares), &[0, 1, -1]);
                let shares = export.node("Softmax", &[&shares], &[Attribute::Number("axis", 2)]);
                let numbers = export.reshape(&name(from), &[0, channels, -1]);
                let weighed = export.node("Mul", &[&numbers, &shares], &[]);
                let axes = export.integers(&[2]);
                (export.node("ReduceSum", &[&weighed, &axes], &[Attribute::Number("keepdims", 0)]), false)
            }
            Op::MaxPool { from, side } => {
                let side = side as i64;
                let attributes =
                    [Attribute::Numbers("kernel_shape", vec![side; 2]), Attribute::Numbers("strides", vec![side; 2])];
                (export.node("MaxPool", &[&name(from)], &attributes), true)
            }
            Op::Join { from, other } => {
                let (one, other) = (export.flat(&name(from)), export.flat(&name(other)));
                (export.node("Concat", &[&one, &other], &[Attribute::Number("axis", 1)]), false)
            }
            Op::Dropout { from, .. } => (name(from), is_board(from)),
        };
        names.push(name);
        boards.push(has_board);
    }
    for output in &graph.outputs {
        let value = export.flat(&names[output.value]);
        match output.extra {
            Some(extra) => {
                let extra = export.flat(&names[extra]);
                export.named("Concat", &[&value, &extra], &[Attribute::Number("axis", 1)], &output.name);
            }
            None => export.named("Identity", &[&value], &[], &output.name),
        }
    }
    // A value's name and shape; the first side is open.
    let value = |name: &str, sides: &[usize]| {
        let open = Message::default().message(1, Message::default().text(2, "positions"));
        let shape = sides.iter().fold(open, |shape, side| shape.message(1, Message::default().number(1, *side as u64)));
        let tensor = Message::default().number(1, FLOAT).message(2, shape);
        Message::default().text(1, name).message(2, Message::default().message(1, tensor))
    };
    let mut message = Message::default();
    for node in export.nodes {
        message = message.message(1, node);
    }
    message = message.text(2, &graph_name(model));
    for constant in export.constants {
        message = message.message(5, constant);
    }
    if graph.planes.channels > 0 {
        message = message.message(11, value("planes", &[graph.planes.channels, board.0, board.1]));
    }
    if graph.globals > 0 {
        message = message.message(11, value("globals", &[graph.globals]));
    }
    for output in &graph.outputs {
        message = message.message(12, value(&output.name, &[output.count]));
    }
    let operators = Message::default().text(1, "").number(2, OPERATORS);
    Ok(Message::default().number(1, FORMAT).text(2, "tengen").message(7, message).message(8, operators).0)
}

fn graph_name(model: &Model) -> String {
    let name = &model.description().name;
    if name.is_empty() { "network".to_owned() } else { name.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::Description;

    #[test]
    fn numbers_texts_and_messages_are_written_as_the_format_says() {
        let message =
            Message::default().number(1, 300).text(2, "ab").float(3, 1.0).message(4, Message::default().number(1, 1));
        assert_eq!(message.0, [8, 0xac, 2, 18, 2, b'a', b'b', 29, 0, 0, 128, 63, 34, 2, 8, 1]);
    }

    #[test]
    fn every_weight_that_plays_is_in_the_file_once() {
        let text = r#"
            input = { planes = 2, globals = 1 }
            trunk = [{ conv = 8, norm = true, act = "mish" }, { residual = [{ globals = true }, { squeeze = 4 }] }]
            heads = [{ name = "value", layers = [{ pool = true }, { dense = 1 }], extra = [{ attend = true }] }]
        "#;
        let model = Model::new(Description::read(text).unwrap(), 4).unwrap();
        let bytes = write(&model, (5, 5)).unwrap();
        for parameter in model.parameters() {
            let count = |needle: &[u8]| bytes.windows(needle.len()).filter(|window| *window == needle).count();
            // As the name of a constant: field 8.
            let mut named = vec![8 << 3 | 2, parameter.name.len() as u8];
            named.extend(parameter.name.as_bytes());
            assert_eq!(count(&named), 1, "{}", parameter.name);
        }
    }
}
