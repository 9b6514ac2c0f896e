//! Every layer says what PyTorch says, and has its gradients. `lab/net_pytorch.py` made the numbers.

use std::collections::BTreeMap;
use tengen_net::description::Description;
use tengen_net::graph::Kind;
use tengen_net::model::{self, Model};
use tengen_net::run::{Batch, Mode, Network, Tape};
use tengen_net::team::Team;

#[derive(serde::Deserialize)]
struct Case {
    description: String,
    out: Vec<f32>,
    gradients: BTreeMap<String, Vec<f32>>,
}

const SAMPLES: usize = 3;
const BOARD: (usize, usize) = (5, 4);

/// The formula of `lab/net_pytorch.py`.
fn numbers(start: usize, count: usize) -> Vec<f32> {
    (0..count).map(|i| ((start * 7919 + i * 104_729) % 10_007) as f32 / 10_007.0 - 0.5).collect()
}

fn close(what: &str, found: &[f32], expected: &[f32]) {
    assert_eq!(found.len(), expected.len(), "{what}");
    // Gradients of sums of many numbers are compared by their size.
    let size = expected.iter().fold(1.0f32, |most, number| most.max(number.abs()));
    for (at, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!((a - b).abs() < 2e-5 * size, "{what}, number {at}: {a}, but PyTorch has {b}");
    }
}

#[test]
fn every_layer_says_and_learns_what_pytorch_does() {
    let cases: BTreeMap<String, Case> = serde_json::from_str(include_str!("pytorch.json")).expect("numbers of PyTorch");
    assert!(cases.len() >= 20);
    for (name, case) in cases {
        let description = Description::read(&case.description).unwrap_or_else(|flaw| panic!("{name}: {flaw}"));
        let parameters = model::parameters(&description).unwrap_or_else(|flaw| panic!("{name}: {flaw}"));
        // Weights are numbered as they are met, which is the order of the description.
        let list = |(at, parameter): (usize, &tengen_net::graph::Parameter)| {
            let more = if matches!(parameter.kind, Kind::Scale | Kind::Variance) { 1.0 } else { 0.0 };
            numbers(at + 1, parameter.count()).into_iter().map(|number| number + more).collect()
        };
        let weights: Vec<Vec<f32>> = parameters.iter().enumerate().map(list).collect();
        let model = Model::with_weights(description, weights).unwrap_or_else(|flaw| panic!("{name}: {flaw}"));
        let graph = model.graph(BOARD).expect("a graph");
        let (planes, globals) =
            (numbers(1001, SAMPLES * graph.planes.numbers()), numbers(1002, SAMPLES * graph.globals));
        let (team, mut tape, mut gradients, mut out) = (Team::new(1), Tape::default(), Vec::new(), Vec::new());
        let mut network = Network::learning(graph);
        network.refresh(&team, &model.weights);
        let batch = Batch { samples: SAMPLES, planes: &planes, globals: &globals };
        network.forward(&team, batch, Mode::Learning(0), &mut tape).expect("a batch that fits");
        network.said(&tape, 0, &mut out);
        close(&name, &out, &case.out);
        network.backward(&team, &[numbers(1003, out.len())], &mut gradients, &mut tape);
        for (parameter, gradient) in model.parameters().iter().zip(&gradients).filter(|(list, _)| list.kind.is_learnt())
        {
            close(&format!("{name}: {}", parameter.name), gradient, &case.gradients[&parameter.name]);
        }
    }
}
