//! A batch goes through a network, and back.
//!
//! A [`Network`] is a graph with its weights made ready; it is not changed by what goes through, and many threads may use it. What
//! happens to a batch stands on a [`Tape`].

use crate::convolve::{Back, Ending, Moments, Ready};
use crate::description::{Act, Flaw};
use crate::graph::{Graph, Op, Size, Value, Weights};
use crate::model::Model;
use crate::registers::{GROUP, Group, Lanes, Work, groups, resize};
use crate::simple;
use crate::team::{Scratch, Team};
use std::ops::Range;

/// Positions as a network is shown them.
#[derive(Clone, Copy)]
pub struct Batch<'a> {
    /// How many.
    pub samples: usize,
    /// For each all planes, one after the other, each row by row.
    pub planes: &'a [f32],
    /// For each all globals.
    pub globals: &'a [f32],
}

/// A graph and its weights, ready to run.
pub struct Network {
    graph: Graph,
    /// For every operation its matrices, if it has some.
    ready: Vec<Ready>,
    /// For every parameter its numbers in groups, where it is a list by channels.
    lists: Vec<Vec<Group>>,
    /// Where each result is kept. Learning keeps all.
    slots: Vec<usize>,
    /// For every operation whether a norm wants to know its moments.
    is_normed: Vec<bool>,
    learns: bool,
}

/// How much is added to a variance before it divides.
pub const EPSILON: f32 = 1e-5;

/// What went through.
#[derive(Default)]
pub struct Tape {
    samples: usize,
    values: Vec<Vec<Group>>,
    /// By operation, for norms: what numbers are multiplied by and what is added.
    norms: Vec<Normed>,
    changes: Vec<Option<Vec<Group>>>,
    spare: Vec<Vec<Group>>,
    /// What each part says of the weights.
    parts: Vec<Vec<Group>>,
    biases: Vec<Vec<Group>>,
    moments: Vec<Vec<Moments>>,
    seed: u64,
}

/// What a norm found in a batch.
#[derive(Clone, Default)]
struct Normed {
    mean: Vec<f32>,
    variance: Vec<f32>,
    a: Vec<Group>,
    b: Vec<Group>,
}

/// How a batch is seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Norms use what they have watched, nothing is left out.
    Playing,
    /// Norms use the batch, and dropout leaves out what this number says.
    Learning(u64),
}

impl Network {
    /// For learning from a model: [`Network::refresh`] makes it ready.
    pub fn learning(graph: Graph) -> Network {
        let slots = (0..graph.ops.len()).collect();
        Network::with_slots(graph, slots, true)
    }

    /// For playing: what can be done in one go is, and memory is used again.
    pub fn playing(model: &Model, board: (usize, usize)) -> Result<Network, Flaw> {
        let (graph, weights) = crate::fold::fold(model.graph(board)?, &model.weights);
        let slots = crate::fold::slots(&graph);
        let mut network = Network::with_slots(graph, slots, false);
        network.refresh(&Team::new(1), &weights);
        Ok(network)
    }

    fn with_slots(graph: Graph, slots: Vec<usize>, learns: bool) -> Network {
        let count = graph.ops.len();
        let mut is_normed = vec![false; count];
        for op in &graph.ops {
            if let Op::Norm { from, .. } = op {
                is_normed[*from] = matches!(graph.ops[*from], Op::Weigh { .. });
            }
        }
        let ready = (0..count).map(|_| Ready::default()).collect();
        Network { ready, lists: vec![vec![]; graph.parameters.len()], slots, is_normed, learns, graph }
    }

    /// What it does.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Makes weights ready.
    pub fn refresh(&mut self, team: &Team, weights: &[Vec<f32>]) {
        for (list, (numbers, parameter)) in self.lists.iter_mut().zip(weights.iter().zip(&self.graph.parameters)) {
            if !matches!(parameter.kind, crate::graph::Kind::Matrix(_)) {
                *list = in_groups(numbers);
            }
        }
        let learns = self.learns;
        team.share(self.ready.iter_mut().zip(&self.graph.ops), |(ready, op), _| {
            if let Op::Weigh { layer, weights: at, .. } = op {
                struct Prepare<'a>(&'a crate::convolve::Layer, &'a [f32], bool, &'a mut Ready);
                impl Work for Prepare<'_> {
                    type Answer = ();
                    #[inline(always)]
                    fn by<L: Lanes>(self) {
                        self.0.ready::<L>(self.1, self.2, self.3);
                    }
                }
                team.registers.run(Prepare(layer, &weights[*at], learns, ready));
            }
        });
    }

    /// Brings a batch through. Its lists must be as long as the graph says.
    pub fn forward(&self, team: &Team, batch: Batch<'_>, mode: Mode, tape: &mut Tape) -> Result<(), Flaw> {
        let Batch { samples, planes, globals } = batch;
        let (points, count) = (self.graph.planes.numbers(), self.graph.globals);
        if planes.len() != samples * points || globals.len() != samples * count {
            let (has_planes, has_globals) = (planes.len(), globals.len());
            return Err(Flaw::new(format!(
                "{samples} positions need {points} numbers on their planes and {count} globals each, but there are {has_planes} and {has_globals}"
            )));
        }
        tape.begin(self, samples, mode);
        for (at, op) in self.graph.ops.iter().enumerate() {
            let each = self.graph.sizes[at].each();
            let mut to = std::mem::take(&mut tape.values[self.slots[at]]);
            resize(&mut to, samples * each);
            if let Op::Norm { from, norm, .. } = op {
                let found = match mode {
                    Mode::Playing => None,
                    Mode::Learning(_) => Some(self.moments(team, tape, *from)),
                };
                tape.norms[at] = self.normed(norm, found);
            }
            let wants = self.is_normed[at] && mode != Mode::Playing;
            let mut moments = std::mem::take(&mut tape.moments[at]);
            moments.clear();
            moments.resize(
                if wants { team.parts(samples).count() } else { 0 },
                Moments::new(self.graph.sizes[at].groups()),
            );
            let mut by_part = moments.iter_mut();
            let tasks: Vec<_> = team
                .parts(samples)
                .zip(team.cut(&mut to, each, samples))
                .map(|(part, to)| (part, to, by_part.next()))
                .collect();
            let tape_now = &*tape;
            team.share(tasks, |(part, to, moments), scratch| {
                team.registers.run(Forward {
                    network: self,
                    tape: tape_now,
                    batch,
                    at,
                    part,
                    to,
                    moments,
                    mode,
                    scratch,
                });
            });
            tape.moments[at] = moments;
            tape.values[self.slots[at]] = to;
        }
        Ok(())
    }

    /// Sums and sums of squares of what an operation gave: as it wrote them down, or counted now.
    fn moments(&self, team: &Team, tape: &Tape, from: Value) -> (Moments, usize) {
        let size = self.graph.sizes[from];
        let count = tape.samples * size.points();
        let mut total = Moments::new(size.groups());
        let mut add = |part: &Moments| {
            for (to, from) in [(&mut total.sums, &part.sums), (&mut total.squares, &part.squares)] {
                for (to, from) in to.iter_mut().zip(from) {
                    to.0.iter_mut().zip(from.0).for_each(|(to, from)| *to += from);
                }
            }
        };
        if self.is_normed[from] {
            tape.moments[from].iter().for_each(&mut add);
            return (total, count);
        }
        let mut parts = vec![Moments::new(size.groups()); team.parts(tape.samples).count()];
        let values = tape.value(self, from);
        team.share(team.parts(tape.samples).zip(&mut parts), |(part, moments), _| {
            let from = &values[part.start * size.each()..part.end * size.each()];
            team.registers.run(Sums {
                change: from,
                from,
                width: size.groups(),
                to: (&mut moments.sums, &mut moments.squares),
            });
        });
        parts.iter().for_each(&mut add);
        (total, count)
    }

    /// A norm's factors, by what was found in a batch or else by what was watched.
    fn normed(&self, norm: &crate::graph::Norm, found: Option<(Moments, usize)>) -> Normed {
        let list = |weights: Weights| &self.lists[weights];
        let (mean, variance) = match found {
            None => (flat(list(norm.mean)), flat(list(norm.variance))),
            Some((moments, count)) => {
                let count = count as f64;
                let mean: Vec<f64> = flat(&moments.sums).into_iter().map(|sum| f64::from(sum) / count).collect();
                let variance = flat(&moments.squares).into_iter().zip(&mean);
                let variance =
                    variance.map(|(sum, mean)| (f64::from(sum) / count - mean * mean).max(0.0) as f32).collect();
                (mean.into_iter().map(|mean| mean as f32).collect(), variance)
            }
        };
        let (scale, shift) = (flat(list(norm.scale)), flat(list(norm.shift)));
        let a: Vec<f32> =
            scale.iter().zip(&variance).map(|(scale, variance)| scale / (variance + EPSILON).sqrt()).collect();
        let b: Vec<f32> = shift.iter().zip(&a).zip(&mean).map(|((shift, a), mean)| shift - a * mean).collect();
        Normed { a: in_groups(&a), b: in_groups(&b), mean, variance }
    }

    /// What a head says, all numbers of the first sample and then of the next.
    pub fn said(&self, tape: &Tape, head: usize, to: &mut Vec<f32>) {
        let output = &self.graph.outputs[head];
        to.resize(tape.samples * output.count, 0.0);
        for (sample, to) in to.chunks_exact_mut(output.count).enumerate() {
            let mut start = 0;
            for value in [Some(output.value), output.extra].into_iter().flatten() {
                let size = self.graph.sizes[value];
                let from = &tape.value(self, value)[sample * size.each()..][..size.each()];
                simple::flatten(size.channels, from, |place, number| to[start + place] = number);
                start += size.numbers();
            }
        }
    }

    /// Brings changes of what the heads said back to the weights: writes `gradients`, a list for each parameter. A head without
    /// numbers was not asked.
    ///
    /// The batch that went through last must have done so to learn.
    pub fn backward(&self, team: &Team, heads: &[Vec<f32>], gradients: &mut Vec<Vec<f32>>, tape: &mut Tape) {
        gradients.resize(self.graph.parameters.len(), vec![]);
        for (list, parameter) in gradients.iter_mut().zip(&self.graph.parameters) {
            list.clear();
            list.resize(parameter.count(), 0.0);
        }
        tape.changes.iter_mut().for_each(|change| *change = None);
        for (output, numbers) in self.graph.outputs.iter().zip(heads).filter(|(_, numbers)| !numbers.is_empty()) {
            let mut start = 0;
            for value in [Some(output.value), output.extra].into_iter().flatten() {
                let size = self.graph.sizes[value];
                let mut change = tape.fresh(tape.samples * size.each());
                change.fill(Group::ZERO);
                for (numbers, to) in numbers.chunks_exact(output.count).zip(change.chunks_exact_mut(size.each())) {
                    simple::unflatten(size.channels, to, |place| numbers[start + place]);
                }
                start += size.numbers();
                match &mut tape.changes[value] {
                    Some(there) => simple::more::<crate::registers::Plain>(&change, there),
                    none => *none = Some(change),
                }
            }
        }
        for at in (0..self.graph.ops.len()).rev() {
            if let Some(change) = tape.changes[at].take() {
                self.back(team, at, change, gradients, tape);
            }
        }
    }

    /// Whether a change of this is of interest to anybody.
    fn is_asked(&self, value: Value) -> bool {
        !matches!(self.graph.ops[value], Op::Planes | Op::Globals)
    }

    fn back(&self, team: &Team, at: usize, mut change: Vec<Group>, gradients: &mut [Vec<f32>], tape: &mut Tape) {
        let (samples, size) = (tape.samples, self.graph.sizes[at]);
        let each = size.each();
        match &self.graph.ops[at] {
            Op::Planes | Op::Globals => {}
            Op::Weigh { from, layer, weights, bias, .. } => {
                let count = team.parts(samples).count();
                let (mut parts, mut biases) = (std::mem::take(&mut tape.parts), std::mem::take(&mut tape.biases));
                parts.resize(count, vec![]);
                biases.resize(count, vec![]);
                let bias_size = if bias.is_some() { size.groups() } else { 0 };
                for (part, bias) in parts.iter_mut().zip(&mut biases) {
                    resize(part, layer.change_size());
                    bias.clear();
                    bias.resize(bias_size, Group::ZERO);
                }
                let is_asked = self.is_asked(*from);
                let adds = tape.changes[*from].is_some();
                let mut to = if is_asked { tape.change_of(*from, samples * layer.size_in()) } else { vec![] };
                let values = tape.value(self, *from);
                let mut targets = team.cut(&mut to, if is_asked { layer.size_in() } else { 0 }, samples);
                let mut tasks = Vec::new();
                for (part, (of_weights, of_bias)) in team.parts(samples).zip(parts.iter_mut().zip(&mut biases)) {
                    let back = match targets.next() {
                        Some(to) if is_asked && adds => Back::More(to),
                        Some(to) if is_asked => Back::Over(to),
                        _ => Back::Nobody,
                    };
                    tasks.push((part, of_weights, of_bias, back));
                }
                team.share(tasks, |(part, of_weights, of_bias, back), scratch| {
                    let from = &values[part.start * layer.size_in()..part.end * layer.size_in()];
                    let sums = &change[part.start * each..part.end * each];
                    team.registers.run(Unweigh {
                        layer,
                        ready: &self.ready[at],
                        from,
                        sums,
                        of_weights,
                        of_bias,
                        back,
                        scratch,
                    });
                });
                drop(targets);
                if is_asked {
                    tape.changes[*from] = Some(to);
                }
                team.registers.run(Change { layer, parts: &parts, to: &mut gradients[*weights] });
                if let Some(bias) = bias {
                    add_up(&biases, &mut gradients[*bias]);
                }
                (tape.parts, tape.biases) = (parts, biases);
                tape.spare.push(change);
            }
            Op::Norm { from, norm, more, act } => {
                // Step 1. Before the bend, and the sums that the mean and the variance depend on.
                let normed = std::mem::take(&mut tape.norms[at]);
                let width = size.groups();
                let count = team.parts(samples).count();
                let mut one = vec![vec![Group::ZERO; width]; count];
                let mut both = one.clone();
                {
                    let (came, after) = (tape.value(self, *from), tape.value(self, at));
                    let added = more.map(|more| tape.value(self, more));
                    let tasks: Vec<_> = team
                        .parts(samples)
                        .zip(team.cut(&mut change, each, samples))
                        .zip(one.iter_mut().zip(&mut both))
                        .collect();
                    team.share(tasks, |((part, change), to), _| {
                        let range = part.start * each..part.end * each;
                        let from = &came[range.clone()];
                        let more = added.map_or(&[][..], |more| &more[range.clone()]);
                        let (a, b) = (&normed.a[..], &normed.b[..]);
                        team.registers.run(Unbend {
                            act: *act,
                            after: &after[range],
                            from,
                            more,
                            norm: (a, b),
                            change,
                        });
                        team.registers.run(Sums { change, from, width, to: (to.0, to.1) });
                    });
                }
                let (mut ones, mut boths) = (vec![0.0; size.channels], vec![0.0; size.channels]);
                add_up(&one, &mut ones);
                add_up(&both, &mut boths);
                // Step 2. What went round has the same change.
                if let Some(more) = more.filter(|&more| self.is_asked(more)) {
                    self.give(team, more, &change, tape);
                }
                // Step 3. Through the norm: `a · (change − mean − normed · mean of both)`.
                let numbers = (samples * size.points()) as f32;
                let (mut b, mut c) = (vec![0.0; size.channels], vec![0.0; size.channels]);
                for channel in 0..size.channels {
                    let inverse = 1.0 / (normed.variance[channel] + EPSILON).sqrt();
                    let mean = normed.mean[channel];
                    let scaled = inverse * (boths[channel] - mean * ones[channel]);
                    gradients[norm.shift][channel] += ones[channel];
                    gradients[norm.scale][channel] += scaled;
                    let a = normed.a[channel / GROUP].0[channel % GROUP];
                    b[channel] = -a * inverse * scaled / numbers;
                    c[channel] = -a * ones[channel] / numbers - b[channel] * mean;
                }
                if self.is_asked(*from) {
                    let (b, c) = (in_groups(&b), in_groups(&c));
                    let came = tape.value(self, *from);
                    team.share(team.parts(samples).zip(team.cut(&mut change, each, samples)), |(part, change), _| {
                        let from = &came[part.start * each..part.end * each];
                        team.registers.run(Unnorm { factors: (&normed.a, &b, &c), from, change });
                    });
                    self.hand(team, *from, change, tape);
                }
                tape.norms[at] = normed;
            }
            Op::Bend { from, more, act } => {
                {
                    let (came, after) = (tape.value(self, *from), tape.value(self, at));
                    let added = more.map(|more| tape.value(self, more));
                    team.share(team.parts(samples).zip(team.cut(&mut change, each, samples)), |(part, change), _| {
                        let range = part.start * each..part.end * each;
                        let more = added.map_or(&[][..], |more| &more[range.clone()]);
                        let from = &came[range.clone()];
                        team.registers.run(Unbend {
                            act: *act,
                            after: &after[range],
                            from,
                            more,
                            norm: (&[], &[]),
                            change,
                        });
                    });
                }
                if let Some(more) = more.filter(|&more| self.is_asked(more)) {
                    self.give(team, more, &change, tape);
                }
                self.hand(team, *from, change, tape);
            }
            op => {
                // The rest is rare and small, or goes through once: each part in turn adds to what there is.
                let needs: Vec<Value> = op.needs().collect();
                let mut targets: Vec<Vec<Group>> = needs
                    .iter()
                    .map(|&need| {
                        let length = samples * self.graph.sizes[need].each();
                        let fresh = tape.changes[need].is_none();
                        let mut to = tape.change_of(need, length);
                        if fresh {
                            to.fill(Group::ZERO);
                        }
                        to
                    })
                    .collect();
                {
                    let tape = &*tape;
                    let change = &change;
                    let mut lists: Vec<_> = targets
                        .iter_mut()
                        .zip(&needs)
                        .map(|(to, &need)| team.cut(to, self.graph.sizes[need].each(), samples))
                        .collect();
                    let tasks: Vec<_> = team
                        .parts(samples)
                        .map(|part| (part, lists.iter_mut().filter_map(Iterator::next).collect::<Vec<_>>()))
                        .collect();
                    team.share(tasks, |(part, to), _| {
                        team.registers.run(Rest { network: self, tape, at, part, change, to });
                    });
                }
                for (need, to) in needs.into_iter().zip(targets) {
                    if self.is_asked(need) {
                        tape.changes[need] = Some(to);
                    }
                }
                tape.spare.push(change);
            }
        }
    }

    /// Hands a change on to where it belongs.
    fn hand(&self, team: &Team, to: Value, change: Vec<Group>, tape: &mut Tape) {
        if !self.is_asked(to) || tape.changes[to].is_some() {
            if self.is_asked(to) {
                self.give(team, to, &change, tape);
            }
            tape.spare.push(change);
        } else {
            tape.changes[to] = Some(change);
        }
    }

    /// Adds a change to where it belongs.
    fn give(&self, team: &Team, to: Value, change: &[Group], tape: &mut Tape) {
        let fresh = tape.changes[to].is_none();
        let mut there = tape.change_of(to, change.len());
        let each = self.graph.sizes[to].each();
        team.share(team.parts(tape.samples).zip(team.cut(&mut there, each, tape.samples)), |(part, there), _| {
            let change = &change[part.start * each..part.end * each];
            if fresh {
                there.copy_from_slice(change);
            } else {
                struct More<'a>(&'a [Group], &'a mut [Group]);
                impl Work for More<'_> {
                    type Answer = ();
                    #[inline(always)]
                    fn by<L: Lanes>(self) {
                        simple::more::<L>(self.0, self.1);
                    }
                }
                team.registers.run(More(change, there));
            }
        });
        tape.changes[to] = Some(there);
    }

    /// Lets the norms watch what the last batch was like: their means and variances come nearer to it by this share.
    pub fn watch(&self, tape: &Tape, share: f32, weights: &mut [Vec<f32>]) {
        for (at, op) in self.graph.ops.iter().enumerate() {
            let Op::Norm { norm, .. } = op else { continue };
            let count = (tape.samples * self.graph.sizes[at].points()) as f32;
            // Variances are kept as they are estimated for all there is, not for the batch alone.
            let whole = count / (count - 1.0).max(1.0);
            let near = |list: &mut [f32], found: &[f32], factor: f32| {
                list.iter_mut().zip(found).for_each(|(kept, found)| *kept += share * (found * factor - *kept));
            };
            near(&mut weights[norm.mean], &tape.norms[at].mean, 1.0);
            near(&mut weights[norm.variance], &tape.norms[at].variance, whole);
        }
    }

    /// The first operation that gave what is no number, by the name of its weights.
    pub fn broken(&self, tape: &Tape) -> Option<String> {
        let is_broken =
            |at: &usize| tape.value(self, *at).iter().any(|group| group.0.iter().any(|number| !number.is_finite()));
        let at = (0..self.graph.ops.len()).find(is_broken)?;
        let named = |op: &Op| match op {
            Op::Weigh { weights, .. } => Some(self.graph.parameters[*weights].name.clone()),
            Op::Norm { norm, .. } => Some(self.graph.parameters[norm.scale].name.clone()),
            _ => None,
        };
        let before = self.graph.ops[..=at].iter().rev().find_map(named);
        Some(before.unwrap_or_else(|| "the input".to_owned()))
    }
}

impl Tape {
    fn begin(&mut self, network: &Network, samples: usize, mode: Mode) {
        let count = network.graph.ops.len();
        self.samples = samples;
        self.values.resize(count, vec![]);
        self.norms.resize(count, Normed::default());
        self.moments.resize(count, vec![]);
        for change in self.changes.iter_mut().filter_map(Option::take) {
            self.spare.push(change);
        }
        self.changes.resize(count, None);
        if let Mode::Learning(seed) = mode {
            self.seed = seed;
        }
    }

    fn value(&self, network: &Network, value: Value) -> &[Group] {
        &self.values[network.slots[value]]
    }

    /// A buffer with anything in it. All buffers of changes come from here and go back, so that there are never more of them than at first.
    fn fresh(&mut self, length: usize) -> Vec<Group> {
        let mut fresh = self.spare.pop().unwrap_or_default();
        resize(&mut fresh, length);
        fresh
    }

    /// The change of a value to be written or added to, which is taken out.
    fn change_of(&mut self, value: Value, length: usize) -> Vec<Group> {
        self.changes[value].take().unwrap_or_else(|| self.fresh(length))
    }
}

/// Numbers in groups, zeros behind them.
fn in_groups(numbers: &[f32]) -> Vec<Group> {
    let mut list = vec![Group::ZERO; groups(numbers.len())];
    crate::registers::flat_mut(&mut list)[..numbers.len()].copy_from_slice(numbers);
    list
}

fn flat(list: &[Group]) -> Vec<f32> {
    crate::registers::flat(list).to_vec()
}

/// The sums of all parts, added to a list.
fn add_up(parts: &[Vec<Group>], to: &mut [f32]) {
    for part in parts {
        to.iter_mut().zip(crate::registers::flat(part)).for_each(|(to, from)| *to += from);
    }
}

/// A part of a batch through an operation.
struct Forward<'a> {
    network: &'a Network,
    tape: &'a Tape,
    batch: Batch<'a>,
    at: usize,
    part: Range<usize>,
    to: &'a mut [Group],
    moments: Option<&'a mut Moments>,
    mode: Mode,
    scratch: &'a mut Scratch,
}

impl Work for Forward<'_> {
    type Answer = ();

    #[inline(always)]
    fn by<L: Lanes>(self) {
        let Forward { network, tape, batch, at, part, to, moments, mode, scratch } = self;
        let Graph { ops, sizes, .. } = &network.graph;
        let size = |value: Value| sizes[value];
        let from = |value: Value| -> &[Group] {
            let each = size(value).each();
            &tape.value(network, value)[part.start * each..part.end * each]
        };
        let list = |weights: Option<Weights>| weights.map_or(&[][..], |weights| &network.lists[weights][..]);
        match ops[at] {
            Op::Planes => {
                let count = size(at).numbers();
                for (sample, to) in part.zip(to.chunks_exact_mut(size(at).each())) {
                    let planes = &batch.planes[sample * count..][..count];
                    simple::unflatten(size(at).channels, to, |place| planes[place]);
                }
            }
            Op::Globals => {
                let count = size(at).channels;
                for (sample, to) in part.zip(to.chunks_exact_mut(size(at).each())) {
                    let globals = &batch.globals[sample * count..][..count];
                    simple::unflatten(count, to, |place| globals[place]);
                }
            }
            Op::Weigh { from: value, ref layer, bias, more, relu, .. } => {
                let ending = Ending { bias: list(bias), more: more.map_or(&[], from), relu, moments };
                layer.forward::<L>(&network.ready[at], from(value), ending, to, scratch);
            }
            Op::Norm { from: value, more, act, .. } => {
                let Normed { a, b, .. } = &tape.norms[at];
                simple::norm::<L>(act, (a, b), from(value), more.map_or(&[], from), to);
            }
            Op::Bend { from: value, more, act } => {
                simple::add::<L>(act, from(value), more.map_or(&[], from), to);
            }
            Op::Gate { from: value, gate } => {
                let width = size(at).groups();
                let samples = from(value).chunks_exact(size(at).each()).zip(from(gate).chunks_exact(width));
                for ((from, gate), to) in samples.zip(to.chunks_exact_mut(size(at).each())) {
                    for (place, to) in to.iter_mut().enumerate() {
                        let gate = &gate[place % width].0;
                        for ((to, from), gate) in to.0.iter_mut().zip(from[place].0).zip(gate) {
                            *to = from * simple::bend(Act::Sigmoid, *gate);
                        }
                    }
                }
            }
            Op::Spread { from: value, list } => {
                let width = size(at).groups();
                let samples = from(value).chunks_exact(size(at).each()).zip(from(list).chunks_exact(width));
                for ((from, list), to) in samples.zip(to.chunks_exact_mut(size(at).each())) {
                    for (place, to) in to.iter_mut().enumerate() {
                        L::load(&from[place]).add(L::load(&list[place % width])).store(to);
                    }
                }
            }
            Op::Pool { from: value, all } => {
                let samples = from(value).chunks_exact(size(value).each()).zip(to.chunks_exact_mut(size(at).each()));
                samples.for_each(|(from, to)| simple::pool(size(value).channels, all, from, to));
            }
            Op::Attend { from: value, shares } => {
                let samples = from(value).chunks_exact(size(value).each());
                let samples = samples.zip(from(shares).chunks_exact(size(shares).each()));
                for ((from, said), to) in samples.zip(to.chunks_exact_mut(size(at).each())) {
                    simple::attend(from, said, to);
                }
            }
            Op::MaxPool { from: value, side } => {
                let samples = from(value).chunks_exact(size(value).each()).zip(to.chunks_exact_mut(size(at).each()));
                samples
                    .for_each(|(from, to)| simple::max_pool::<L>(size(at).groups(), size(value).board, side, from, to));
            }
            Op::Join { from: value, other } => {
                let samples = from(value).chunks_exact(size(value).each());
                let samples = samples.zip(from(other).chunks_exact(size(other).each()));
                for ((one, other_one), to) in samples.zip(to.chunks_exact_mut(size(at).each())) {
                    to.fill(Group::ZERO);
                    let mut put = |place: usize, number: f32| to[place / GROUP].0[place % GROUP] = number;
                    simple::flatten(size(value).channels, one, &mut put);
                    let start = size(value).numbers();
                    simple::flatten(size(other).channels, other_one, |place, number| put(start + place, number));
                }
            }
            Op::Dropout { from: value, rate } => {
                to.copy_from_slice(from(value));
                if mode != Mode::Playing {
                    simple::drop_some(rate, tape.seed ^ at as u64, part.start * size(at).each(), to);
                }
            }
        }
    }
}

/// The rare ones backwards.
struct Rest<'a> {
    network: &'a Network,
    tape: &'a Tape,
    at: usize,
    part: Range<usize>,
    change: &'a [Group],
    to: Vec<&'a mut [Group]>,
}

impl Work for Rest<'_> {
    type Answer = ();

    #[inline(always)]
    fn by<L: Lanes>(self) {
        let Rest { network, tape, at, part, change, mut to } = self;
        let Graph { ops, sizes, .. } = &network.graph;
        let size = |value: Value| -> Size { sizes[value] };
        let from = |value: Value| -> &[Group] {
            let each = size(value).each();
            &tape.value(network, value)[part.start * each..part.end * each]
        };
        let each = size(at).each();
        let change = &change[part.start * each..part.end * each];
        let changes = change.chunks_exact(each).enumerate();
        let (to, other) = {
            let mut lists = to.drain(..);
            (lists.next().unwrap_or_default(), lists.next().unwrap_or_default())
        };
        fn cut(list: &mut [Group], sample: usize, each: usize) -> &mut [Group] {
            &mut list[sample * each..][..each]
        }
        match ops[at] {
            Op::Planes | Op::Globals | Op::Weigh { .. } | Op::Norm { .. } | Op::Bend { .. } => {}
            Op::Gate { from: value, gate } => {
                let width = size(at).groups();
                for (sample, change) in changes {
                    let came = &from(value)[sample * each..][..each];
                    let gates = &from(gate)[sample * width..][..width];
                    let (to, to_gate) = (cut(to, sample, each), cut(other, sample, width));
                    for place in 0..each {
                        let gate = gates[place % width].0;
                        for (lane, gate) in gate.into_iter().enumerate() {
                            let open = simple::bend(Act::Sigmoid, gate);
                            let change = change[place].0[lane];
                            to[place].0[lane] += change * open;
                            to_gate[place % width].0[lane] += change * came[place].0[lane] * open * (1.0 - open);
                        }
                    }
                }
            }
            Op::Spread { .. } => {
                let width = size(at).groups();
                simple::more::<L>(change, to);
                for (sample, change) in changes {
                    let list = cut(other, sample, width);
                    for (place, change) in change.iter().enumerate() {
                        let to = &mut list[place % width];
                        L::load(to).add(L::load(change)).store(to);
                    }
                }
            }
            Op::Pool { from: value, all } => {
                let length = size(value).each();
                for (sample, change) in changes {
                    let came = &from(value)[sample * length..][..length];
                    simple::unpool(size(value).channels, all, came, change, cut(to, sample, length));
                }
            }
            Op::Attend { from: value, shares } => {
                let (length, points) = (size(value).each(), size(shares).each());
                for (sample, change) in changes {
                    let came = &from(value)[sample * length..][..length];
                    let said = &from(shares)[sample * points..][..points];
                    simple::unattend(came, said, change, cut(to, sample, length), cut(other, sample, points));
                }
            }
            Op::MaxPool { from: value, side } => {
                let length = size(value).each();
                for (sample, change) in changes {
                    let came = &from(value)[sample * length..][..length];
                    let after = &from(at)[sample * each..][..each];
                    let to = cut(to, sample, length);
                    simple::unmax_pool(size(at).groups(), size(value).board, side, (came, after), change, to);
                }
            }
            Op::Join { from: value, other: joined } => {
                for (sample, change) in changes {
                    let numbers = crate::registers::flat(change);
                    let start = size(value).numbers();
                    let add = |value: Value, list: &mut [Group], start: usize| {
                        let size = size(value);
                        let mut part = vec![Group::ZERO; size.each()];
                        simple::unflatten(size.channels, &mut part, |place| numbers[start + place]);
                        simple::more::<L>(&part, cut(list, sample, size.each()));
                    };
                    add(value, to, 0);
                    add(joined, other, start);
                }
            }
            Op::Dropout { rate, .. } => {
                let mut kept = change.to_vec();
                simple::drop_some(rate, tape.seed ^ at as u64, part.start * each, &mut kept);
                simple::more::<L>(&kept, to);
            }
        }
    }
}

struct Unweigh<'a> {
    layer: &'a crate::convolve::Layer,
    ready: &'a Ready,
    from: &'a [Group],
    sums: &'a [Group],
    of_weights: &'a mut [Group],
    of_bias: &'a mut [Group],
    back: Back<'a>,
    scratch: &'a mut Scratch,
}

impl Work for Unweigh<'_> {
    type Answer = ();
    #[inline(always)]
    fn by<L: Lanes>(self) {
        let Unweigh { layer, ready, from, sums, of_weights, of_bias, back, scratch } = self;
        layer.backward::<L>(ready, (from, sums), (of_weights, of_bias), back, scratch);
    }
}

struct Change<'a> {
    layer: &'a crate::convolve::Layer,
    parts: &'a [Vec<Group>],
    to: &'a mut [f32],
}

impl Work for Change<'_> {
    type Answer = ();
    #[inline(always)]
    fn by<L: Lanes>(self) {
        self.layer.change::<L>(self.parts, self.to);
    }
}

struct Sums<'a> {
    change: &'a [Group],
    from: &'a [Group],
    width: usize,
    to: (&'a mut [Group], &'a mut [Group]),
}

impl Work for Sums<'_> {
    type Answer = ();
    #[inline(always)]
    fn by<L: Lanes>(self) {
        simple::sums::<L>(self.change, self.from, self.width, self.to);
    }
}

/// A change before a bend. What came to the bend is made again where the bend cannot be undone by what came out.
struct Unbend<'a> {
    act: Act,
    after: &'a [Group],
    from: &'a [Group],
    more: &'a [Group],
    norm: (&'a [Group], &'a [Group]),
    change: &'a mut [Group],
}

impl Work for Unbend<'_> {
    type Answer = ();
    #[inline(always)]
    fn by<L: Lanes>(self) {
        let Unbend { act, after, from, more, norm: (a, b), change } = self;
        let before = |at: usize| {
            let mut number = L::load(&from[at]);
            if !a.is_empty() {
                number = number.multiply_add(L::load(&a[at % a.len()]), L::load(&b[at % a.len()]));
            }
            if more.is_empty() { number } else { number.add(L::load(&more[at])) }
        };
        simple::unbend::<L>(act, after, before, change);
    }
}

struct Unnorm<'a> {
    factors: (&'a [Group], &'a [Group], &'a [Group]),
    from: &'a [Group],
    change: &'a mut [Group],
}

impl Work for Unnorm<'_> {
    type Answer = ();
    #[inline(always)]
    fn by<L: Lanes>(self) {
        simple::unnorm::<L>(self.factors, self.from, self.change);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::Description;
    use crate::registers::Registers;

    /// A network with every kind of layer.
    const ALL: &str = r#"
        input = { planes = 3, board = [6, 5], globals = 4 }
        trunk = [
            { conv = 18, norm = true, act = "mish" },
            { globals = true },
            { residual = [{ conv = 18, norm = true, act = "relu" }, { conv = 18, norm = true }], act = "relu" },
            { repeat = 2, residual = [
                { norm = true, act = "tanh" }, { conv = 18, kernel = 1 },
                { pooled = [{ conv = 5, kernel = 1, act = "mish" }] },
                { conv = 18, kernel = 5, norm = true, act = "sigmoid" }, { squeeze = 7 },
            ] },
            { dropout = 0.2 },
        ]
        [[heads]]
        name = "policy"
        layers = [{ conv = 2, kernel = 1 }]
        extra = [{ pool = true }, { dense = 1 }]
        [[heads]]
        name = "value"
        layers = [{ attend = true }, { dense = 20, norm = true, act = "mish" }, { dropout = 0.1 }, { dense = 3, act = "tanh" }]
        [[heads]]
        name = "other"
        layers = [{ maxpool = 2 }, { conv = 4 }, { join = [{ dense = 6, act = "mish" }] }, { dense = 8, act = "mish" }, { dense = 1 }]
        [[heads]]
        name = "mean"
        layers = [{ mean = true }, { dense = 2, act = "sigmoid" }]
    "#;

    fn model(text: &str) -> Model {
        let mut model = Model::new(Description::read(text).unwrap(), 5).unwrap();
        let mut rng = fastrand::Rng::with_seed(8);
        // Norms and biases that say something.
        for list in &mut model.weights {
            if list.iter().all(|&number| number == 0.0 || number == 1.0) {
                list.iter_mut().for_each(|number| *number += 0.3 * rng.f32());
            }
        }
        model
    }

    fn numbers(rng: &mut fastrand::Rng, count: usize) -> Vec<f32> {
        (0..count).map(|_| rng.f32() * 2.0 - 1.0).collect()
    }

    /// A random batch for a network.
    fn batch(graph: &Graph, samples: usize) -> (Vec<f32>, Vec<f32>) {
        let mut rng = fastrand::Rng::with_seed(9);
        (numbers(&mut rng, samples * graph.planes.numbers()), numbers(&mut rng, samples * graph.globals))
    }

    fn said(network: &Network, tape: &Tape) -> Vec<Vec<f32>> {
        let head = |head| {
            let mut list = Vec::new();
            network.said(tape, head, &mut list);
            list
        };
        (0..network.graph().outputs.len()).map(head).collect()
    }

    fn dot(a: &[f32], b: &[f32]) -> f64 {
        a.iter().zip(b).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum()
    }

    #[test]
    fn gradients_are_what_small_steps_say() {
        let mut model = model(ALL);
        let graph = model.graph((6, 5)).unwrap();
        let (planes, globals) = batch(&graph, 11);
        let batch = Batch { samples: 11, planes: &planes, globals: &globals };
        let team = Team::new(2);
        let mut rng = fastrand::Rng::with_seed(10);
        let asked: Vec<Vec<f32>> = graph.outputs.iter().map(|output| numbers(&mut rng, 11 * output.count)).collect();
        let mut network = Network::learning(graph);
        let mut tape = Tape::default();
        let loss = |network: &mut Network, weights: &[Vec<f32>], tape: &mut Tape| -> f64 {
            network.refresh(&team, weights);
            network.forward(&team, batch, Mode::Learning(77), tape).unwrap();
            said(network, tape).iter().zip(&asked).map(|(said, asked)| dot(said, asked)).sum()
        };
        loss(&mut network, &model.weights, &mut tape);
        let mut gradients = Vec::new();
        network.backward(&team, &asked, &mut gradients, &mut tape);
        for (at, gradient) in gradients.iter().enumerate() {
            let name = model.parameters()[at].name.clone();
            if !model.parameters()[at].kind.is_learnt() {
                assert!(gradient.iter().all(|&number| number == 0.0), "{name}");
                continue;
            }
            let before = model.weights[at].clone();
            let direction = numbers(&mut rng, before.len());
            let size = 2e-3 / (before.len() as f32).sqrt().max(1.0) * 4.0;
            let mut at_step = |step: f32| {
                let moved = before.iter().zip(&direction).map(|(weight, along)| weight + step * along);
                model.weights[at] = moved.collect();
                loss(&mut network, &model.weights, &mut tape)
            };
            let slope = (at_step(size) - at_step(-size)) / f64::from(2.0 * size);
            model.weights[at] = before;
            let expected = dot(gradient, &direction);
            let bound = 0.02 * gradient.iter().map(|&number| f64::from(number).powi(2)).sum::<f64>().sqrt() + 0.01;
            assert!(
                (slope - expected).abs() < bound,
                "{name}: {slope} by steps, {expected} by gradients, {bound} allowed"
            );
        }
    }

    #[test]
    fn threads_and_registers_do_not_matter() {
        let model = model(ALL);
        let graph = model.graph((6, 5)).unwrap();
        let (planes, globals) = batch(&graph, 21);
        let batch = Batch { samples: 21, planes: &planes, globals: &globals };
        let run = |team: Team| {
            let mut network = Network::learning(graph.clone());
            let mut tape = Tape::default();
            network.refresh(&team, &model.weights);
            network.forward(&team, batch, Mode::Learning(3), &mut tape).unwrap();
            let said = said(&network, &tape);
            let mut gradients = Vec::new();
            network.backward(&team, &said, &mut gradients, &mut tape);
            let mut weights = model.weights.clone();
            network.watch(&tape, 0.1, &mut weights);
            (said, gradients, weights)
        };
        let one = run(Team::new(1));
        for threads in [2, 3] {
            assert_eq!(run(Team::new(threads)), one, "{threads} threads");
        }
        for registers in Registers::all() {
            let other = run(Team::with_registers(1, registers));
            for (a, b) in one.0.iter().flatten().zip(other.0.iter().flatten()) {
                assert!((a - b).abs() < 1e-3, "{registers:?}: {a} and {b}");
            }
            for (a, b) in one.1.iter().zip(&other.1) {
                let size = dot(a, a).sqrt().max(1.0) as f32;
                assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 3e-3 * size), "{registers:?}: {a:?} and {b:?}");
            }
        }
    }

    #[test]
    fn step_after_step_takes_no_more_memory() {
        let model = model(ALL);
        let graph = model.graph((6, 5)).unwrap();
        let (planes, globals) = batch(&graph, 9);
        let batch = Batch { samples: 9, planes: &planes, globals: &globals };
        let (team, mut tape, mut gradients) = (Team::new(1), Tape::default(), Vec::new());
        let mut network = Network::learning(graph);
        network.refresh(&team, &model.weights);
        let mut step = || {
            network.forward(&team, batch, Mode::Learning(0), &mut tape).unwrap();
            let said = said(&network, &tape);
            network.backward(&team, &said, &mut gradients, &mut tape);
            tape.spare.len() + tape.changes.iter().flatten().count()
        };
        let first = step();
        assert!((0..5).all(|_| step() <= first), "{first} buffers at first");
    }

    #[test]
    fn playing_is_learning_with_what_was_watched() {
        let model = model(ALL);
        let graph = model.graph((6, 5)).unwrap();
        let (planes, globals) = batch(&graph, 7);
        let team = Team::new(1);
        let mut plain = Network::learning(graph);
        plain.refresh(&team, &model.weights);
        let folded = Network::playing(&model, (6, 5)).unwrap();
        let norms = |network: &Network| network.graph().ops.iter().filter(|op| matches!(op, Op::Norm { .. })).count();
        assert_eq!((norms(&plain), norms(&folded)), (8, 2), "those before a convolution stay");
        let (mut tape, mut other) = (Tape::default(), Tape::default());
        for samples in [7, 1, 3] {
            let (points, globals_count) = (plain.graph().planes.numbers(), plain.graph().globals);
            let (planes, globals) = (&planes[..samples * points], &globals[..samples * globals_count]);
            let batch = Batch { samples, planes, globals };
            plain.forward(&team, batch, Mode::Playing, &mut tape).unwrap();
            folded.forward(&Team::alone(), batch, Mode::Playing, &mut other).unwrap();
            for (a, b) in said(&plain, &tape).iter().flatten().zip(said(&folded, &other).iter().flatten()) {
                assert!((a - b).abs() < 1e-4, "{a} and {b}");
            }
        }
        let wrong = Batch { samples: 2, planes: &planes[..5], globals: &[] };
        assert!(folded.forward(&team, wrong, Mode::Playing, &mut other).is_err());
    }

    #[test]
    fn one_network_plays_on_all_boards_unless_a_dense_layer_sees_one() {
        let text = r#"
            input = { planes = 2 }
            trunk = [{ conv = 8, norm = true, act = "relu" }, { pooled = [{ conv = 4, act = "relu" }] }]
            heads = [{ name = "value", layers = [{ pool = true }, { dense = 1 }] }]
        "#;
        let team = Team::alone();
        for size in [1, 3, 9, 13, 19] {
            let network = Network::playing(&model(text), (size, size)).unwrap();
            let (planes, globals) = batch(network.graph(), 2);
            let mut tape = Tape::default();
            network
                .forward(&team, Batch { samples: 2, planes: &planes, globals: &globals }, Mode::Playing, &mut tape)
                .unwrap();
            assert!(said(&network, &tape)[0].iter().all(|number| number.is_finite()));
        }
        let fixed = model(&text.replace("{ pool = true }, ", ""));
        assert!(fixed.graph((9, 9)).is_ok());
        let flaw = fixed.graph((13, 13)).unwrap_err().to_string();
        assert_eq!(flaw, "a dense layer of the network sees the whole board: it cannot play on 13x13");
    }
}
