//! A description as a list of operations on a certain board, each on what earlier ones gave.
//!
//! This is where a description is checked: afterwards all sizes fit. What can be done in one go is one operation, so that numbers
//! are read and written once: a norm also adds what goes round a residual block, and bends.

use crate::convolve::{self, Reach};
use crate::description::{Act, Description, Flaw, Layer};
use crate::registers::groups;

/// How large what flows through a network is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// Points down and across; a list has one point.
    pub board: (usize, usize),
    /// Numbers of a point.
    pub channels: usize,
}

impl Size {
    fn list(channels: usize) -> Self {
        Size { board: (1, 1), channels }
    }

    /// How many points.
    pub fn points(self) -> usize {
        self.board.0 * self.board.1
    }

    /// Groups that a point takes.
    pub fn groups(self) -> usize {
        groups(self.channels)
    }

    /// Groups that a sample takes.
    pub fn each(self) -> usize {
        self.points() * self.groups()
    }

    /// Numbers in all.
    pub fn numbers(self) -> usize {
        self.points() * self.channels
    }
}

/// What an operation gave: its place in the list.
pub type Value = usize;

/// Which list of weights: its place in [`Graph::parameters`].
pub type Weights = usize;

/// An operation.
#[derive(Clone, PartialEq, Debug)]
#[expect(missing_docs, reason = "what a field is, its type or its name says: `from` comes in, `more` is added")]
pub enum Op {
    /// The planes.
    Planes,
    /// The globals.
    Globals,
    /// A convolution or a dense layer. Only a graph for playing adds more and bends here.
    Weigh {
        from: Value,
        layer: convolve::Layer,
        weights: Weights,
        bias: Option<Weights>,
        more: Option<Value>,
        relu: bool,
    },
    /// Batch norm, then some more is added, then a bend.
    Norm { from: Value, norm: Norm, more: Option<Value>, act: Act },
    /// A bend, of one value or of the sum of two.
    Bend { from: Value, more: Option<Value>, act: Act },
    /// Every point times a list between 0 and 1, given before it is bent.
    Gate { from: Value, gate: Value },
    /// Every point and a list.
    Spread { from: Value, list: Value },
    /// Means, with weighed ones and maxima if so said.
    Pool { from: Value, all: bool },
    /// Means weighed by the points' shares.
    Attend { from: Value, shares: Value },
    /// The greatest of squares.
    MaxPool { from: Value, side: usize },
    /// All numbers of one, and behind them all of another.
    Join { from: Value, other: Value },
    /// Some left out.
    Dropout { from: Value, rate: f32 },
}

/// The lists of a batch norm.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Norm {
    /// What normed numbers are multiplied by.
    pub scale: Weights,
    /// And what is added then.
    pub shift: Weights,
    /// The means that are used in play.
    pub mean: Weights,
    /// The variances that are used in play.
    pub variance: Weights,
}

/// Some weights of a network.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    /// As it is called in files.
    pub name: String,
    /// Its shape in files.
    pub shape: Vec<usize>,
    /// What it is for.
    pub kind: Kind,
}

impl Parameter {
    /// How many numbers it has.
    pub fn count(&self) -> usize {
        self.shape.iter().product()
    }
}

/// What weights are for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Weights of sums of so many numbers.
    Matrix(usize),
    /// What is added.
    Bias,
    /// A norm's factor.
    Scale,
    /// A norm's mean, which is not learnt but watched.
    Mean,
    /// A norm's variance, the same.
    Variance,
}

impl Kind {
    /// Whether learning changes it by its gradient.
    pub fn is_learnt(self) -> bool {
        !matches!(self, Kind::Mean | Kind::Variance)
    }
}

/// What a head gives.
#[derive(Clone, PartialEq, Debug)]
pub struct Output {
    /// The head's name.
    pub name: String,
    /// Its numbers.
    pub value: Value,
    /// Those that belong to no point.
    pub extra: Option<Value>,
    /// How many in all.
    pub count: usize,
}

/// A network on a board.
#[derive(Clone, PartialEq, Debug)]
pub struct Graph {
    /// What is done, in this order.
    pub ops: Vec<Op>,
    /// How large each result is.
    pub sizes: Vec<Size>,
    /// All weights, in the order of the description.
    pub parameters: Vec<Parameter>,
    /// What comes out.
    pub outputs: Vec<Output>,
    /// What comes in.
    pub planes: Size,
    /// How many globals come in.
    pub globals: usize,
}

/// The most that anything in a description may count: larger numbers are slips of the pen.
const MOST: usize = 1 << 16;
/// The most numbers in all weights.
const MOST_WEIGHTS: usize = 1 << 28;
/// The most operations.
const MOST_OPS: usize = 1 << 12;

impl Graph {
    /// Lays a description out on a board.
    pub fn new(description: &Description, board: (usize, usize)) -> Result<Graph, Flaw> {
        let input = description.input;
        // Where there are no planes there is no board: numbers for the whole of it are all that is shown.
        let board = if input.planes == 0 { (1, 1) } else { board };
        if let Some(only) = input.board.filter(|&only| only != board && input.planes > 0) {
            let ((height, width), (down, across)) = (only, board);
            return Err(Flaw::new(format!("the network is for boards of {height}x{width}, not of {down}x{across}")));
        }
        let is_sane = |count: usize| (1..=MOST).contains(&count);
        if input.planes + input.globals == 0
            || input.planes.max(input.globals) > MOST
            || !is_sane(board.0)
            || !is_sane(board.1)
            || board.0 * board.1 > MOST
        {
            return Err(Flaw::new(
                "the input of a network has planes on a board or globals, and not more than 65536 of anything",
            ));
        }
        let planes = Size { board, channels: input.planes };
        let mut builder = Builder {
            graph: Graph {
                ops: vec![],
                sizes: vec![],
                parameters: vec![],
                outputs: vec![],
                planes,
                globals: input.globals,
            },
            globals: None,
            path: String::new(),
        };
        let shown = if input.planes > 0 { Some(builder.push(Op::Planes, planes)?) } else { None };
        if input.globals > 0 {
            builder.globals = Some(builder.push(Op::Globals, Size::list(input.globals))?);
        }
        let start = shown.or(builder.globals).unwrap_or_default();
        let trunk = builder.layers("trunk", start, &description.trunk)?;
        if description.heads.is_empty() {
            return Err(Flaw::new("a network needs at least one head"));
        }
        for head in &description.heads {
            let name = head.name.clone();
            if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-') {
                return Err(Flaw::new(format!("a head is named with letters, digits, _ and -, not {name:?}")));
            }
            if builder.graph.outputs.iter().any(|other| other.name == name) {
                return Err(Flaw::new(format!("two heads are named {name}")));
            }
            let value = builder.layers(&format!("heads.{name}"), trunk, &head.layers)?;
            let extra = match &head.extra[..] {
                [] => None,
                layers => {
                    let value = builder.layers(&format!("heads.{name}.extra"), trunk, layers)?;
                    if builder.graph.sizes[value].points() > 1 {
                        return Err(Flaw::new(format!(
                            "heads.{name}.extra ends with a board, not with a list: pool it first"
                        )));
                    }
                    Some(value)
                }
            };
            let sizes = &builder.graph.sizes;
            let count = sizes[value].numbers() + extra.map_or(0, |extra| sizes[extra].numbers());
            builder.graph.outputs.push(Output { name, value, extra, count });
        }
        Ok(builder.graph)
    }

    /// Numbers in all weights that are learnt.
    pub fn learnt(&self) -> usize {
        self.parameters.iter().filter(|parameter| parameter.kind.is_learnt()).map(Parameter::count).sum()
    }

    /// Products of two numbers that a sample takes, in the convolutions and dense layers.
    pub fn products(&self) -> usize {
        let of = |op: &Op| match op {
            Op::Weigh { layer, .. } => layer.products(),
            _ => 0,
        };
        self.ops.iter().map(of).sum()
    }
}

impl Op {
    /// What it needs.
    pub fn needs(&self) -> impl Iterator<Item = Value> {
        let (from, more) = match *self {
            Op::Planes | Op::Globals => (None, None),
            Op::Weigh { from, more, .. } | Op::Norm { from, more, .. } | Op::Bend { from, more, .. } => {
                (Some(from), more)
            }
            Op::Gate { from, gate: other }
            | Op::Spread { from, list: other }
            | Op::Attend { from, shares: other }
            | Op::Join { from, other } => (Some(from), Some(other)),
            Op::Pool { from, .. } | Op::MaxPool { from, .. } | Op::Dropout { from, .. } => (Some(from), None),
        };
        from.into_iter().chain(more)
    }
}

impl Op {
    /// The same on other values: `now[old]`.
    pub(crate) fn rename(&mut self, now: &[Value]) {
        let each = |value: &mut Value| *value = now[*value];
        match self {
            Op::Planes | Op::Globals => {}
            Op::Weigh { from, more, .. } | Op::Norm { from, more, .. } | Op::Bend { from, more, .. } => {
                each(from);
                more.iter_mut().for_each(each);
            }
            Op::Gate { from, gate: other }
            | Op::Spread { from, list: other }
            | Op::Attend { from, shares: other }
            | Op::Join { from, other } => {
                each(from);
                each(other);
            }
            Op::Pool { from, .. } | Op::MaxPool { from, .. } | Op::Dropout { from, .. } => each(from),
        }
    }
}

/// A graph in the making.
struct Builder {
    graph: Graph,
    globals: Option<Value>,
    path: String,
}

impl Builder {
    fn flaw<T>(&self, sentence: impl std::fmt::Display) -> Result<T, Flaw> {
        Err(Flaw::new(format!("{}: {sentence}", self.path)))
    }

    fn push(&mut self, op: Op, size: Size) -> Result<Value, Flaw> {
        if self.graph.ops.len() >= MOST_OPS {
            return self.flaw(format!("a network has at most {MOST_OPS} operations"));
        }
        if size.numbers() > 1 << 24 {
            return self.flaw("too many numbers for a single position");
        }
        self.graph.ops.push(op);
        self.graph.sizes.push(size);
        Ok(self.graph.ops.len() - 1)
    }

    fn size(&self, value: Value) -> Size {
        self.graph.sizes[value]
    }

    fn parameter(&mut self, name: &str, shape: Vec<usize>, kind: Kind) -> Result<Weights, Flaw> {
        let parameter = Parameter { name: format!("{}.{name}", self.path), shape, kind };
        let so_far: usize = self.graph.parameters.iter().map(Parameter::count).sum();
        let count = parameter.shape.iter().try_fold(1usize, |product, &side| product.checked_mul(side));
        if count.is_none_or(|count| so_far + count > MOST_WEIGHTS) {
            return self.flaw(format!("a network has at most {MOST_WEIGHTS} weights"));
        }
        self.graph.parameters.push(parameter);
        Ok(self.graph.parameters.len() - 1)
    }

    /// Layers one after the other.
    fn layers(&mut self, path: &str, mut from: Value, layers: &[Layer]) -> Result<Value, Flaw> {
        let mut number = 0;
        for layer in layers {
            let repeat = layer.repeat.unwrap_or(1);
            if !(1..=MOST_OPS).contains(&repeat) {
                return Err(Flaw::new(format!("{path}.{number}: repeat = {repeat} is not between 1 and {MOST_OPS}")));
            }
            for _ in 0..repeat {
                self.path = format!("{path}.{number}");
                from = self.layer(from, layer)?;
                number += 1;
            }
        }
        self.path = path.to_owned();
        Ok(from)
    }

    fn layer(&mut self, from: Value, layer: &Layer) -> Result<Value, Flaw> {
        let keys = [
            ("conv", layer.conv.is_some()),
            ("dense", layer.dense.is_some()),
            ("residual", layer.residual.is_some()),
            ("squeeze", layer.squeeze.is_some()),
            ("pooled", layer.pooled.is_some()),
            ("globals", layer.globals),
            ("pool", layer.pool),
            ("mean", layer.mean),
            ("attend", layer.attend),
            ("maxpool", layer.maxpool.is_some()),
            ("join", layer.join.is_some()),
        ];
        let said: Vec<&str> = keys.into_iter().filter(|(_, said)| *said).map(|(key, _)| key).collect();
        if said.len() > 1 {
            return self.flaw(format!("{} stand in one layer; give each its own", said.join(" and ")));
        }
        if said.is_empty() && !layer.norm && layer.act.is_none() && layer.dropout.is_none() {
            return self.flaw("a layer that says nothing");
        }
        if layer.kernel.is_some() && layer.conv.is_none() {
            return self.flaw("kernel belongs to conv");
        }
        let (path, start) = (self.path.clone(), self.graph.ops.len());
        let needs_bias = layer.bias.unwrap_or(!layer.norm);
        let board = self.size(from).board;
        let value = if let Some(filters) = layer.conv {
            let side = layer.kernel.unwrap_or(3);
            if side.is_multiple_of(2) || side > 31 {
                return self.flaw(format!("kernel = {side}, but a kernel is odd and at most 31"));
            }
            self.weigh("", from, filters, Reach::Square(side), needs_bias)?
        } else if let Some(neurons) = layer.dense {
            self.dense("", from, neurons, needs_bias)?
        } else if let Some(layers) = &layer.residual {
            let inner = self.layers(&path, from, layers)?;
            self.path = path;
            if self.size(inner) != self.size(from) {
                let (a, b) = (self.size(from).channels, self.size(inner).channels);
                return self.flaw(format!(
                    "a residual block must end as it begins: {a} channels come in and {b} go out, or the board changes"
                ));
            }
            self.add(inner, from, start)?
        } else if let Some(neurons) = layer.squeeze {
            let mean = self.pool(from, false)?;
            let hidden = self.dense("squeeze.", mean, neurons, true)?;
            let hidden = self.bend(hidden, Act::Relu, start)?;
            let gate = self.dense("excite.", hidden, self.size(from).channels, true)?;
            self.push(Op::Gate { from, gate }, self.size(from))?
        } else if let Some(layers) = &layer.pooled {
            let inner = self.layers(&format!("{path}.pooled"), from, layers)?;
            self.path = path;
            let pooled = self.pool(inner, true)?;
            let list = self.dense("pool.", pooled, self.size(from).channels, false)?;
            self.push(Op::Spread { from, list }, self.size(from))?
        } else if layer.globals {
            let Some(globals) = self.globals else { return self.flaw("there are no globals in the input") };
            let list = self.dense("globals.", globals, self.size(from).channels, false)?;
            self.push(Op::Spread { from, list }, self.size(from))?
        } else if layer.pool || layer.mean {
            self.pool(from, layer.pool)?
        } else if layer.attend {
            let shares = self.weigh("attend.", from, 1, Reach::Square(1), true)?;
            self.push(Op::Attend { from, shares }, Size::list(self.size(from).channels))?
        } else if let Some(side) = layer.maxpool {
            if side < 2 || side > board.0.min(board.1) {
                return self.flaw(format!("maxpool = {side} on a board of {}x{}", board.0, board.1));
            }
            let size = Size { board: (board.0 / side, board.1 / side), ..self.size(from) };
            self.push(Op::MaxPool { from, side }, size)?
        } else if let Some(layers) = &layer.join {
            let Some(globals) = self.globals else { return self.flaw("there are no globals in the input to join") };
            let other = self.layers(&format!("{path}.join"), globals, layers)?;
            self.path = path;
            let size = Size::list(self.size(from).numbers() + self.size(other).numbers());
            self.push(Op::Join { from, other }, size)?
        } else {
            from
        };
        let value = if layer.norm { self.norm(value)? } else { value };
        let value = match layer.act {
            Some(act) => self.bend(value, act, start)?,
            None => value,
        };
        match layer.dropout {
            None => Ok(value),
            Some(rate) if (0.0..1.0).contains(&rate) => self.push(Op::Dropout { from: value, rate }, self.size(value)),
            Some(rate) => self.flaw(format!("dropout = {rate} is not between 0 and 1")),
        }
    }

    fn weigh(&mut self, name: &str, from: Value, outputs: usize, reach: Reach, has_bias: bool) -> Result<Value, Flaw> {
        if !(1..=MOST).contains(&outputs) {
            return self.flaw(format!("{outputs} channels, but there are between 1 and {MOST}"));
        }
        let Size { board, channels: inputs } = self.size(from);
        let layer = convolve::Layer { board, inputs, outputs, reach };
        let (shape, size) = match reach {
            Reach::Square(side) => (vec![outputs, inputs, side, side], Size { board, channels: outputs }),
            Reach::All => (vec![outputs, self.size(from).numbers()], Size::list(outputs)),
        };
        let sum = shape.iter().skip(1).product();
        let weights = self.parameter(&format!("{name}weight"), shape, Kind::Matrix(sum))?;
        let bias =
            if has_bias { Some(self.parameter(&format!("{name}bias"), vec![outputs], Kind::Bias)?) } else { None };
        self.push(Op::Weigh { from, layer, weights, bias, more: None, relu: false }, size)
    }

    fn dense(&mut self, name: &str, from: Value, neurons: usize, has_bias: bool) -> Result<Value, Flaw> {
        self.weigh(name, from, neurons, Reach::All, has_bias)
    }

    fn norm(&mut self, from: Value) -> Result<Value, Flaw> {
        let channels = vec![self.size(from).channels];
        let mut list = |name: &str, kind| self.parameter(&format!("norm.{name}"), channels.clone(), kind);
        let (scale, shift) = (list("weight", Kind::Scale)?, list("bias", Kind::Bias)?);
        let (mean, variance) = (list("running_mean", Kind::Mean)?, list("running_var", Kind::Variance)?);
        let norm = Norm { scale, shift, mean, variance };
        self.push(Op::Norm { from, norm, more: None, act: Act::None }, self.size(from))
    }

    fn pool(&mut self, from: Value, all: bool) -> Result<Value, Flaw> {
        let channels = self.size(from).channels;
        self.push(Op::Pool { from, all }, Size::list(if all { 3 * channels } else { channels }))
    }

    /// A bend, in the operation before where that can do it and is not older than `start`: nobody else has seen its result yet.
    fn bend(&mut self, from: Value, bend: Act, start: Value) -> Result<Value, Flaw> {
        if let Some(Op::Norm { act: act @ Act::None, .. } | Op::Bend { act: act @ Act::None, .. }) =
            self.graph.ops.get_mut(from)
            && from >= start
        {
            *act = bend;
            return Ok(from);
        }
        self.push(Op::Bend { from, more: None, act: bend }, self.size(from))
    }

    /// A sum, the same way.
    fn add(&mut self, from: Value, other: Value, start: Value) -> Result<Value, Flaw> {
        if let Some(Op::Norm { act: Act::None, more: more @ None, .. }) = self.graph.ops.get_mut(from)
            && from >= start
        {
            *more = Some(other);
            return Ok(from);
        }
        self.push(Op::Bend { from, more: Some(other), act: Act::None }, self.size(from))
    }
}
