//! A graph made ready for playing: norms go into the convolutions before them, sums and bends too, and memory is used again.

use crate::description::Act;
use crate::graph::{Graph, Kind, Op, Parameter, Value};
use crate::run::EPSILON;

/// The same graph with fewer operations, and its weights.
pub fn fold(graph: Graph, weights: &[Vec<f32>]) -> (Graph, Vec<Vec<f32>>) {
    let mut weights = weights.to_vec();
    let Graph { ops, sizes, mut parameters, mut outputs, planes, globals } = graph;
    // How many see a result.
    let mut seen = vec![0; ops.len()];
    ops.iter().flat_map(Op::needs).for_each(|need| seen[need] += 1);
    outputs.iter().flat_map(|output| [Some(output.value), output.extra]).flatten().for_each(|value| seen[value] += 1);

    let mut folded: Vec<Op> = Vec::new();
    let mut folded_sizes = Vec::new();
    // Where each result is now.
    let mut now: Vec<Value> = Vec::new();
    for (at, op) in ops.iter().enumerate() {
        let mut op = op.clone();
        op.rename(&now);
        // Whether the operation's first input is a convolution that nobody else sees and that does nothing afterwards yet.
        let mut before = match op.needs().next() {
            Some(from) if ops[at].needs().next().is_some_and(|old| seen[old] == 1) => {
                folded.get_mut(from).map(|op| (from, op))
            }
            _ => None,
        };
        let place = match (&op, &mut before) {
            (
                Op::Norm { norm, more, act, .. },
                Some((from, Op::Weigh { weights: matrix, bias, more: added @ None, relu: bends @ false, .. })),
            ) if more.is_none_or(|more| more < *from) => {
                let factors: Vec<f32> = weights[norm.scale]
                    .iter()
                    .zip(&weights[norm.variance])
                    .map(|(scale, variance)| scale / (variance + EPSILON).sqrt())
                    .collect();
                let each = weights[*matrix].len() / factors.len().max(1);
                for (row, factor) in weights[*matrix].chunks_exact_mut(each.max(1)).zip(&factors) {
                    row.iter_mut().for_each(|weight| *weight *= factor);
                }
                let old = bias.map(|bias| weights[bias].clone());
                let list = factors.iter().enumerate().map(|(channel, factor)| {
                    let old = old.as_ref().map_or(0.0, |list| list[channel]);
                    weights[norm.shift][channel] + factor * (old - weights[norm.mean][channel])
                });
                let list: Vec<f32> = list.collect();
                parameters.push(Parameter { name: String::new(), shape: vec![list.len()], kind: Kind::Bias });
                weights.push(list);
                *bias = Some(parameters.len() - 1);
                *added = *more;
                *bends = *act == Act::Relu;
                let from = *from;
                // Other bends stay as they are, behind.
                if matches!(act, Act::None | Act::Relu) {
                    Some(from)
                } else {
                    op = Op::Bend { from, more: None, act: *act };
                    None
                }
            }
            (
                Op::Bend { more, act: act @ (Act::None | Act::Relu), .. },
                Some((from, Op::Weigh { more: added @ None, relu: bends @ false, .. })),
            ) if more.is_none_or(|more| more < *from) => {
                *added = *more;
                *bends = *act == Act::Relu;
                Some(*from)
            }
            _ => None,
        };
        now.push(place.unwrap_or(folded.len()));
        if place.is_none() {
            folded.push(op);
            folded_sizes.push(sizes[at]);
        }
    }
    for output in &mut outputs {
        output.value = now[output.value];
        output.extra = output.extra.map(|value| now[value]);
    }
    (Graph { ops: folded, sizes: folded_sizes, parameters, outputs, planes, globals }, weights)
}

/// Where each result is kept: a place is free again when nobody will look at what stands there.
pub fn slots(graph: &Graph) -> Vec<usize> {
    let mut last: Vec<usize> = (0..graph.ops.len()).collect();
    for (at, op) in graph.ops.iter().enumerate() {
        op.needs().for_each(|need| last[need] = at);
    }
    for output in &graph.outputs {
        [Some(output.value), output.extra].into_iter().flatten().for_each(|value| last[value] = usize::MAX);
    }
    let (mut slots, mut free, mut count) = (Vec::new(), Vec::new(), 0);
    for at in 0..graph.ops.len() {
        slots.push(free.pop().unwrap_or_else(|| {
            count += 1;
            count - 1
        }));
        // Only now: an operation never writes over what it reads.
        free.extend((0..=at).filter(|&value| last[value] == at).map(|value| slots[value]));
    }
    slots
}
