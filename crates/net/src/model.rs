//! A network as it is kept: a description and its weights.

use crate::description::{Description, Flaw};
use crate::graph::{Graph, Kind, Parameter};

/// A description and its weights.
#[derive(Clone, PartialEq, Debug)]
pub struct Model {
    description: Description,
    parameters: Vec<Parameter>,
    /// A list for each parameter, in their order.
    pub weights: Vec<Vec<f32>>,
}

/// On this board a network for any board is laid out to see what weights it has.
const ANY: (usize, usize) = (9, 9);

/// The weights that a description asks for.
pub fn parameters(description: &Description) -> Result<Vec<Parameter>, Flaw> {
    Ok(Graph::new(description, description.input.board.unwrap_or(ANY))?.parameters)
}

impl Model {
    /// A network that has learnt nothing: matrices by chance, so that numbers keep their size from layer to layer.
    /// CITE: He et al. 2015, "Delving Deep into Rectifiers".
    pub fn new(description: Description, seed: u64) -> Result<Model, Flaw> {
        let mut chance = Chance(seed);
        let fresh = |parameter: &Parameter| match parameter.kind {
            Kind::Matrix(sum) => {
                let size = (2.0 / sum.max(1) as f32).sqrt();
                (0..parameter.count()).map(|_| chance.normal() * size).collect()
            }
            Kind::Bias | Kind::Mean => vec![0.0; parameter.count()],
            Kind::Scale | Kind::Variance => vec![1.0; parameter.count()],
        };
        let parameters = parameters(&description)?;
        let weights = parameters.iter().map(fresh).collect();
        Ok(Model { description, parameters, weights })
    }

    /// A network whose weights are known. There must be a list for each parameter, as long as it says.
    pub fn with_weights(description: Description, weights: Vec<Vec<f32>>) -> Result<Model, Flaw> {
        let parameters = parameters(&description)?;
        if weights.len() != parameters.len() {
            return Err(Flaw::new(format!("{} lists of weights for {} parameters", weights.len(), parameters.len())));
        }
        for (list, parameter) in weights.iter().zip(&parameters) {
            if list.len() != parameter.count() {
                let (name, count) = (&parameter.name, parameter.count());
                return Err(Flaw::new(format!("{name} has {} numbers, not {count}", list.len())));
            }
        }
        let model = Model { description, parameters, weights };
        match model.broken() {
            Some(name) => Err(Flaw::new(format!("{name} holds what is no number"))),
            None => Ok(model),
        }
    }

    /// What it is.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// What its weights are called.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// Numbers in all weights that are learnt.
    pub fn learnt(&self) -> usize {
        self.parameters.iter().filter(|parameter| parameter.kind.is_learnt()).map(Parameter::count).sum()
    }

    /// What is to be done on a board.
    pub fn graph(&self, board: (usize, usize)) -> Result<Graph, Flaw> {
        let graph = Graph::new(&self.description, board)?;
        if graph.parameters != self.parameters {
            let (down, across) = board;
            return Err(Flaw::new(format!(
                "a dense layer of the network sees the whole board: it cannot play on {down}x{across}"
            )));
        }
        Ok(graph)
    }

    /// The first weights that hold what is no number.
    pub fn broken(&self) -> Option<&str> {
        let is_broken = |list: &&Vec<f32>| list.iter().any(|number| !number.is_finite());
        let broken = self.weights.iter().zip(&self.parameters).find(|(list, _)| is_broken(list));
        broken.map(|(_, parameter)| parameter.name.as_str())
    }
}

/// Numbers by chance. CITE: Steele et al. 2014, SplitMix64.
struct Chance(u64);

impl Chance {
    /// From 0 to 1, without both.
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((word ^ (word >> 31)) >> 11) as f64 / (1u64 << 53) as f64 + 0.5 / (1u64 << 53) as f64
    }

    /// Normally distributed, by Box and Muller.
    fn normal(&mut self) -> f32 {
        let (radius, turn) = ((-2.0 * self.uniform().ln()).sqrt(), self.uniform() * std::f64::consts::TAU);
        (radius * turn.cos()) as f32
    }
}
