//! Samples from disk, shuffled and turned, as batches.
//!
//! What comes in which order depends on the seed and the epoch alone. Shards are gone through in a random order, some at a time; what
//! these hold is mixed. So memory holds a few shards however many there are.

use crate::TrainError;
use tengen_core::Rng;
use tengen_encode::Turned;
use tengen_net::description::Act;
use tengen_net::graph::{Graph, Op, Output};
use tengen_net::loss::Loss;
use tengen_record::samples::{Sample, SampleSet, SetHeader};

/// Shards that are mixed.
const MIXED: usize = 8;

/// Points of lead that a network counts as one.
pub const SCORE_UNIT: f32 = 20.0;

/// What a head is taught.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// Shares of moves.
    Policy,
    /// Shares of won, drawn and lost.
    Results,
    /// Won against lost, from −1 to 1.
    Value,
    /// What is to be expected between lost, 0, and won, 1.
    Share,
    /// The lead, in units of twenty points.
    Score,
    /// Whose a point will be.
    Owners,
    /// The answer.
    Reply,
}

impl Target {
    /// What a head of a network is for, by its name and its shape.
    pub fn of(output: &Output, graph: &Graph, header: &SetHeader) -> Result<Target, TrainError> {
        let points = header.height * header.width;
        let bend = match graph.ops[output.value] {
            Op::Bend { act, .. } => act,
            _ => Act::None,
        };
        let (target, count) = match (output.name.as_str(), output.count, bend) {
            ("policy", ..) => (Target::Policy, header.policy),
            ("reply", ..) => (Target::Reply, header.policy),
            ("value", 3, _) => (Target::Results, 3),
            ("value", _, Act::Sigmoid) => (Target::Share, 1),
            ("value", ..) => (Target::Value, 1),
            ("score", ..) => (Target::Score, 1),
            ("ownership", ..) => (Target::Owners, points),
            (name, ..) => {
                let known = "policy, value, score, ownership and reply";
                return Err(TrainError::new(format!(
                    "nothing is known to teach a head named {name}; there are {known}"
                )));
            }
        };
        if output.count != count {
            let (name, has) = (&output.name, output.count);
            return Err(TrainError::new(format!(
                "the head {name} says {has} numbers, but the samples have {count} for it"
            )));
        }
        Ok(target)
    }

    /// How it is compared unless said otherwise.
    pub fn loss(self) -> Loss {
        match self {
            Target::Policy | Target::Results | Target::Reply => Loss::Distribution { smoothing: 0.0 },
            Target::Value | Target::Share | Target::Owners => Loss::Squares,
            Target::Score => Loss::Huber { from: 1.0 },
        }
    }

    /// Writes what a sample says, or says that it says nothing.
    fn write(self, sample: &Sample, turned: Option<&Turned>, to: &mut [f32]) -> bool {
        to.fill(0.0);
        let place = |index: u16| turned.map_or(index.into(), |turned| turned.policy().target(index.into()));
        match self {
            Target::Policy => {
                for &(index, share) in &sample.policy {
                    to[place(index)] += share;
                }
                !sample.policy.is_empty()
            }
            Target::Reply => sample.reply.map(|index| to[place(index)] = 1.0).is_some(),
            Target::Results => sample.value.map(|shares| to.copy_from_slice(&shares)).is_some(),
            Target::Value => sample.value.map(|[won, _, lost]| to[0] = won - lost).is_some(),
            Target::Share => sample.value.map(|[won, drawn, _]| to[0] = won + drawn / 2.0).is_some(),
            Target::Score => sample.score.map(|lead| to[0] = lead / SCORE_UNIT).is_some(),
            Target::Owners if sample.owners.len() != to.len() => false,
            Target::Owners => {
                match turned {
                    Some(turned) => turned.turn_planes(&sample.owners, to),
                    None => to.copy_from_slice(&sample.owners),
                }
                true
            }
        }
    }
}

/// A batch with what should be said of it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Lot {
    /// How many samples.
    pub samples: usize,
    /// Their planes.
    pub planes: Vec<f32>,
    /// Their globals.
    pub globals: Vec<f32>,
    /// For each head what it should say.
    pub targets: Vec<Vec<f32>>,
    /// For each head what each sample counts for.
    pub weights: Vec<Vec<f32>>,
}

/// Sets of samples that are gone through together.
pub struct Source {
    sets: Vec<SampleSet>,
    /// Every shard of every set.
    shards: Vec<(usize, usize)>,
    /// What heads are taught, and how many numbers each says.
    targets: Vec<(Target, usize)>,
    turned: Vec<Turned>,
}

impl Source {
    /// Sets that all show the same; `turned` are the symmetries to use, none if empty.
    pub fn new(sets: Vec<SampleSet>, targets: Vec<(Target, usize)>, turned: Vec<Turned>) -> Source {
        let of = |(at, set): (usize, &SampleSet)| (0..set.shards()).map(move |shard| (at, shard));
        let shards = sets.iter().enumerate().flat_map(of).collect();
        Source { sets, shards, targets, turned }
    }

    /// Samples in all.
    pub fn len(&self) -> u64 {
        self.sets.iter().map(SampleSet::len).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Goes once through everything: `each` gets batch by batch and says whether to go on. The first `skip` batches are left out. A broken
    /// shard is named to `broken` and left out. The last samples that do not fill a batch are left out, too, unless `rest` is set.
    pub fn epoch(
        &self,
        (seed, batch, skip): (u64, usize, u64),
        rest: bool,
        mut each: impl FnMut(Lot) -> bool,
        mut broken: impl FnMut(TrainError),
    ) {
        let mut rng = Rng::with_seed(seed);
        let mut order = self.shards.clone();
        rng.shuffle(&mut order);
        let mut pool: Vec<Sample> = Vec::new();
        let mut number = 0;
        let mut shards = order.into_iter().peekable();
        while shards.peek().is_some() {
            for (set, shard) in shards.by_ref().take(MIXED) {
                match self.sets[set].read(shard) {
                    Ok(samples) => pool.extend(samples),
                    Err(error) => broken(error.into()),
                }
            }
            rng.shuffle(&mut pool);
            let is_last = shards.peek().is_none();
            while pool.len() >= batch || (is_last && rest && !pool.is_empty()) {
                let samples = pool.split_off(pool.len() - batch.min(pool.len()));
                // Also for those that are left out: what follows is then the same.
                let which: Vec<usize> = samples.iter().map(|_| rng.usize(..self.turned.len().max(1))).collect();
                number += 1;
                if number > skip && !each(self.lot(&samples, &which)) {
                    return;
                }
            }
        }
    }

    fn lot(&self, samples: &[Sample], which: &[usize]) -> Lot {
        let count = samples.len();
        let mut lot = Lot { samples: count, ..Lot::default() };
        for (sample, &which) in samples.iter().zip(which) {
            let start = lot.planes.len();
            lot.planes.resize(start + sample.planes.len(), 0.0);
            match self.turned.get(which) {
                Some(turned) => turned.turn_planes(&sample.planes, &mut lot.planes[start..]),
                None => lot.planes[start..].copy_from_slice(&sample.planes),
            }
            lot.globals.extend(&sample.globals);
        }
        for &(target, numbers) in &self.targets {
            let mut list = vec![0.0; count * numbers];
            let rows = samples.iter().zip(which).zip(list.chunks_exact_mut(numbers.max(1)));
            let weigh = |((sample, &which), to): ((&Sample, &usize), &mut [f32])| {
                if target.write(sample, self.turned.get(which), to) { sample.weight } else { 0.0 }
            };
            let weights = rows.map(weigh).collect();
            lot.targets.push(list);
            lot.weights.push(weights);
        }
        lot
    }
}
