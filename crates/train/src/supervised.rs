//! The learning itself.

use crate::TrainError;
use crate::batches::{Lot, Source, Target};
use crate::job::{Job, Teaching};
use crate::run::{Checkpoint, Place, RunDir};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::time::{Duration, Instant};
use tengen_encode::Turned;
use tengen_net::file::Card;
use tengen_net::graph::{Graph, Kind};
use tengen_net::loss::{Found, Loss, compare, softmax};
use tengen_net::model::Model;
use tengen_net::optimise::{Memory, Schedule};
use tengen_net::run::{Batch, Mode, Network, Tape};
use tengen_net::team::Team;
use tengen_record::samples::{SampleSet, SetHeader};

/// Time between checkpoints.
const KEEP_EVERY: Duration = Duration::from_secs(60);
/// Batches made ready ahead.
const AHEAD: usize = 4;

/// What a job needs that is no text.
pub struct Means {
    /// The network to start from.
    pub model: Model,
    /// Samples to learn from.
    pub samples: Vec<SampleSet>,
    /// Samples to look at.
    pub validation: Vec<SampleSet>,
    /// The game's symmetries, if they are to be used.
    pub turned: Vec<Turned>,
    /// Threads.
    pub threads: usize,
}

/// What happens, for whoever watches.
#[derive(Clone, PartialEq, Debug)]
pub enum News {
    /// A step was taken: of how many, in which epoch, and the mean loss lately.
    Step {
        /// Steps so far.
        step: u64,
        /// Steps of the whole job.
        steps: u64,
        /// The epoch, from 0.
        epoch: u32,
        /// The loss of this step.
        loss: f64,
        /// Samples of this step.
        samples: usize,
    },
    /// A line was added to the log.
    Line(Value),
    /// Something was left out.
    Warning(String),
}

/// How a job ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// All epochs are done, or validation became no better.
    Done,
    /// It was asked to stop; it can go on.
    Stopped,
}

/// A head, what it is taught and how.
struct Taught {
    name: String,
    target: Target,
    loss: Loss,
    weight: f32,
    count: usize,
}

/// What a job comes to, once everything fits.
struct Plan {
    header: SetHeader,
    graph: Graph,
    taught: Vec<Taught>,
}

impl Plan {
    fn new(job: &Job, means: &Means) -> Result<Plan, TrainError> {
        let header = common(&means.samples, &means.validation)?;
        fits(means.model.description(), &header)?;
        let graph = means.model.graph((header.height, header.width))?;
        let mut taught = Vec::new();
        for output in &graph.outputs {
            let target = Target::of(output, &graph, &header)?;
            let usual = Teaching { weight: 1.0, loss: None };
            let Teaching { weight, loss } = job.heads.get(&output.name).copied().unwrap_or(usual);
            let loss = loss.unwrap_or_else(|| target.loss());
            taught.push(Taught { name: output.name.clone(), target, loss, weight, count: output.count });
        }
        if let Some(head) = job.heads.keys().find(|head| taught.iter().all(|taught| taught.name != **head)) {
            return Err(TrainError::new(format!("the job: the network has no head named {head}")));
        }
        let count: u64 = means.samples.iter().map(SampleSet::len).sum();
        if count < job.batch as u64 {
            return Err(TrainError::new(format!("{count} samples do not fill a batch of {}", job.batch)));
        }
        Ok(Plan { header, graph, taught })
    }
}

/// Whether everything is there and fits.
pub fn check(job: &Job, means: &Means) -> Result<(), TrainError> {
    Plan::new(job, means).map(|_| ())
}

/// Runs a job, from where its run stands, until it is done or `stop` is set.
pub fn run(
    job: &Job,
    run: &RunDir,
    means: Means,
    stop: &AtomicBool,
    mut tell: impl FnMut(News),
) -> Result<End, TrainError> {
    // Step 1. Everything fits, or says what does not.
    let Plan { header, graph, taught } = Plan::new(job, &means)?;
    let Means { mut model, samples, validation, turned, threads } = means;
    let targets: Vec<(Target, usize)> = taught.iter().map(|taught| (taught.target, taught.count)).collect();
    let source = Source::new(samples, targets.clone(), if job.symmetries { turned } else { vec![] });
    let held = Source::new(validation, targets, vec![]);
    let per_epoch = source.len() / job.batch as u64;
    let steps = per_epoch * u64::from(job.epochs);

    // Step 2. Where it was.
    let mut place = Place::default();
    let mut memory = Memory::default();
    if let Some(kept) = run.checkpoint()? {
        let fits = kept.weights.len() == model.weights.len()
            && kept.weights.iter().zip(&model.weights).all(|(kept, list)| kept.len() == list.len());
        if !fits {
            let path = run.path().display();
            return Err(TrainError::new(format!(
                "{path} holds a run of another network; choose another directory with --out"
            )));
        }
        run.cut_log(kept.place.step)?;
        (place, model.weights, memory) = (kept.place, kept.weights, kept.memory);
    }
    if place.done {
        return Ok(End::Done);
    }

    // Step 3. Epoch by epoch.
    let team = Team::new(threads);
    let mut learner = Learner {
        network: Network::learning(graph),
        tape: Tape::default(),
        gradients: vec![],
        said: vec![vec![]; taught.len()],
        changes: vec![vec![]; taught.len()],
    };
    let (begun, before) = (Instant::now(), place.seconds);
    let mut kept_at = Instant::now();
    let mut fault = None;
    while place.epoch < job.epochs && !place.done {
        if job.refresh > 0 && place.epoch > 0 && place.batch == 0 && place.epoch.is_multiple_of(job.refresh) {
            memory = Memory { average: std::mem::take(&mut memory.average), ..Memory::default() };
        }
        let order =
            (job.seed ^ (u64::from(place.epoch) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15), job.batch, place.batch);
        let mut lately = vec![Found::default(); taught.len()];
        let mut lines = Instant::now();
        let mut stopped = false;
        std::thread::scope(|scope| -> Result<(), TrainError> {
            let (give, take) = sync_channel::<Result<Lot, TrainError>>(AHEAD);
            let source = &source;
            scope.spawn(move || {
                let broken = give.clone();
                // Nobody takes any more: then there is nothing left to do.
                source.epoch(order, false, |lot| give.send(Ok(lot)).is_ok(), |error| drop(broken.send(Err(error))));
            });
            while let Ok(lot) = take.recv() {
                let lot = match lot {
                    Ok(lot) => lot,
                    Err(error) => {
                        tell(News::Warning(format!("{error}; it is left out")));
                        continue;
                    }
                };
                let share = place.step as f32 / steps as f32;
                let factor = job.schedule.factor(share, place.falls);
                let found = learner.step(&team, job, &taught, &lot, (place.step, factor), &mut model, &mut memory);
                let found = match found {
                    Ok(found) => found,
                    Err(error) => {
                        fault = Some(error);
                        return Ok(());
                    }
                };
                place.step += 1;
                place.batch += 1;
                place.seconds = before + begun.elapsed().as_secs_f64();
                let loss = total(&taught, &found);
                lately.iter_mut().zip(&found).for_each(|(lately, found)| lately.add(found));
                tell(News::Step { step: place.step, steps, epoch: place.epoch, loss, samples: lot.samples });
                stopped = stop.load(Ordering::Relaxed);
                if place.step.is_multiple_of(job.log_every) {
                    let speed = (job.log_every as usize * job.batch) as f64 / lines.elapsed().as_secs_f64();
                    lines = Instant::now();
                    let rate = job.optimiser.rate * factor;
                    let mut line = line("train", &place, &taught, &lately);
                    line["rate"] = json!(rate);
                    line["speed"] = json!(speed.round());
                    run.log(&line)?;
                    tell(News::Line(line));
                    lately.fill(Found::default());
                }
                if kept_at.elapsed() > KEEP_EVERY || stopped {
                    run.keep(&Checkpoint {
                        place: place.clone(),
                        weights: model.weights.clone(),
                        memory: memory.clone(),
                    })?;
                    kept_at = Instant::now();
                    if stopped {
                        break;
                    }
                }
            }
            Ok(())
        })?;
        if let Some(error) = fault {
            return Err(error);
        }
        if stopped {
            return Ok(End::Stopped);
        }
        // Step 4. How well it does on what it has not seen.
        place.epoch += 1;
        place.batch = 0;
        let playing = played(&model, &memory);
        let mut line = if held.is_empty() {
            line("epoch", &place, &taught, &[])
        } else {
            let Validated { found, worth, broken } = validate(&team, &playing, &held, &taught, &header, job.batch)?;
            broken.into_iter().for_each(|error| tell(News::Warning(format!("{error}; it is left out"))));
            let loss = total(&taught, &found);
            let mut line = line("validation", &place, &taught, &found);
            for (taught, worth) in taught.iter().zip(&worth).filter(|(_, worth)| worth.samples > 0.0) {
                for (name, figure) in worth.figures(Loss::Squares).into_iter().filter(|(name, _)| *name != "loss") {
                    line[format!("{}.{name}", taught.name)] = json!(figure);
                }
            }
            if place.best.is_none_or(|best| loss < best) {
                (place.best, place.since, place.waited) = (Some(loss), 0, 0);
                run.keep_network("best", &playing, &card(job, &place, &line))?;
            } else {
                place.since += 1;
                place.waited += 1;
            }
            line
        };
        if let Schedule::Plateau { patience, .. } = job.schedule
            && place.waited > patience
        {
            (place.falls, place.waited) = (place.falls + 1, 0);
        }
        place.done = place.epoch == job.epochs || (job.patience > 0 && place.since >= job.patience);
        line["done"] = json!(place.done);
        run.log(&line)?;
        run.keep_network("last", &playing, &card(job, &place, &line))?;
        run.keep(&Checkpoint { place: place.clone(), weights: model.weights.clone(), memory: memory.clone() })?;
        kept_at = Instant::now();
        tell(News::Line(line));
    }
    Ok(End::Done)
}

/// What a step needs again and again.
struct Learner {
    network: Network,
    tape: Tape,
    gradients: Vec<Vec<f32>>,
    said: Vec<Vec<f32>>,
    changes: Vec<Vec<f32>>,
}

impl Learner {
    #[expect(clippy::too_many_arguments, reason = "a step is where everything meets")]
    fn step(
        &mut self,
        team: &Team,
        job: &Job,
        taught: &[Taught],
        lot: &Lot,
        (step, factor): (u64, f32),
        model: &mut Model,
        memory: &mut Memory,
    ) -> Result<Vec<Found>, TrainError> {
        self.network.refresh(team, &model.weights);
        let batch = Batch { samples: lot.samples, planes: &lot.planes, globals: &lot.globals };
        let seed = job.seed ^ step.wrapping_mul(0xD134_2543_DE82_EF95);
        self.network.forward(team, batch, Mode::Learning(seed), &mut self.tape)?;
        let mut found = Vec::new();
        for (at, head) in taught.iter().enumerate() {
            self.network.said(&self.tape, at, &mut self.said[at]);
            let lists = (&self.said[at][..], &lot.targets[at][..], &lot.weights[at][..]);
            found.push(compare(head.loss, lists, head.count, head.weight, &mut self.changes[at]));
        }
        let no_number = |what: &str, layer: Option<String>| {
            let layer = layer.map_or(String::new(), |layer| format!(", first seen at {layer}"));
            TrainError::new(format!(
                "step {step}: {what} is no number{layer}; the last checkpoint is as good as it was: go on from it with a lower rate"
            ))
        };
        if !total(taught, &found).is_finite() {
            return Err(no_number("the loss", self.network.broken(&self.tape)));
        }
        self.network.backward(team, &self.changes, &mut self.gradients, &mut self.tape);
        let is_broken = |list: &Vec<f32>| list.iter().any(|number| !number.is_finite());
        if let Some(at) = self.gradients.iter().position(is_broken) {
            return Err(no_number("a gradient", Some(model.parameters()[at].name.clone())));
        }
        let parameters = model.parameters().to_vec();
        job.optimiser.step(factor, &parameters, &mut model.weights, &self.gradients, memory);
        self.network.watch(&self.tape, job.watch, &mut model.weights);
        Ok(found)
    }
}

/// The network that plays: the mean of weights, if there is one, with the norms that were watched.
fn played(model: &Model, memory: &Memory) -> Model {
    let mut played = model.clone();
    if !memory.average.is_empty() {
        let lists = played.weights.iter_mut().zip(&memory.average).zip(model.parameters());
        for ((list, average), _) in
            lists.filter(|(_, parameter)| !matches!(parameter.kind, Kind::Mean | Kind::Variance))
        {
            list.clone_from(average);
        }
    }
    played
}

/// The sum of all losses.
fn total(taught: &[Taught], found: &[Found]) -> f64 {
    taught.iter().zip(found).map(|(taught, found)| f64::from(taught.weight) * found.loss()).sum()
}

/// A line of the log.
fn line(kind: &str, place: &Place, taught: &[Taught], found: &[Found]) -> Value {
    let mut line = json!({
        "kind": kind, "step": place.step, "epoch": place.epoch, "seconds": (place.seconds * 10.0).round() / 10.0,
    });
    if !found.is_empty() {
        line["loss"] = json!(total(taught, found));
    }
    for (taught, found) in taught.iter().zip(found).filter(|(_, found)| found.samples > 0.0) {
        for (name, figure) in found.figures(taught.loss) {
            line[format!("{}.{name}", taught.name)] = json!(figure);
        }
    }
    line
}

/// What a network's file says of its making.
fn card(job: &Job, place: &Place, line: &Value) -> Card {
    let mut card = Card::from([
        ("job".to_owned(), job.write()),
        ("epochs".to_owned(), place.epoch.to_string()),
        ("steps".to_owned(), place.step.to_string()),
        ("seconds".to_owned(), format!("{:.0}", place.seconds)),
    ]);
    for (key, figure) in line.as_object().into_iter().flatten().filter(|(key, _)| key.contains('.') || *key == "loss") {
        card.insert(
            format!("validation {key}"),
            figure.as_f64().map_or(String::new(), |figure| format!("{figure:.5}")),
        );
    }
    card
}

/// What was found by looking at samples.
struct Validated {
    found: Vec<Found>,
    /// Of heads that say won, drawn and lost: what is to be expected, as one number.
    worth: Vec<Found>,
    broken: Vec<TrainError>,
}

/// Won against lost, from −1 to 1, for each sample.
fn worth(shares: &[f32]) -> Vec<f32> {
    shares.chunks_exact(3).map(|shares| shares[0] - shares[2]).collect()
}

/// Looks at samples without learning from them.
fn validate(
    team: &Team,
    model: &Model,
    held: &Source,
    taught: &[Taught],
    header: &SetHeader,
    batch: usize,
) -> Result<Validated, TrainError> {
    let network = Network::playing(model, (header.height, header.width))?;
    let mut tape = Tape::default();
    let mut found = vec![Found::default(); taught.len()];
    let mut worths = found.clone();
    let (mut said, mut change) = (Vec::new(), Vec::new());
    let (mut broken, mut fault) = (Vec::new(), None);
    let each = |lot: Lot| {
        let batch = Batch { samples: lot.samples, planes: &lot.planes, globals: &lot.globals };
        if let Err(flaw) = network.forward(team, batch, Mode::Playing, &mut tape) {
            fault = Some(flaw);
            return false;
        }
        for (at, head) in taught.iter().enumerate() {
            network.said(&tape, at, &mut said);
            let lists = (&said[..], &lot.targets[at][..], &lot.weights[at][..]);
            found[at].add(&compare(head.loss, lists, head.count, head.weight, &mut change));
            if head.target == Target::Results {
                for said in said.chunks_exact_mut(3) {
                    softmax(&[said[0], said[1], said[2]], said);
                }
                let (said, wanted) = (worth(&said), worth(&lot.targets[at]));
                let lists = (&said[..], &wanted[..], &lot.weights[at][..]);
                worths[at].add(&compare(Loss::Squares, lists, 1, 1.0, &mut change));
            }
        }
        true
    };
    held.epoch((0, batch, 0), true, each, |error| broken.push(error));
    match fault {
        Some(flaw) => Err(flaw.into()),
        None => Ok(Validated { found, worth: worths, broken }),
    }
}

/// What all sets show.
fn common(samples: &[SampleSet], validation: &[SampleSet]) -> Result<SetHeader, TrainError> {
    let mut sets = samples.iter().chain(validation);
    let Some(first) = sets.next() else { return Err(TrainError::new("there are no samples to learn from")) };
    match sets.find(|set| set.header() != first.header()) {
        None => Ok(first.header().clone()),
        Some(other) => {
            let (a, b) = (first.header(), other.header());
            let text = |header: &SetHeader| {
                format!("{} by {} on {}x{}", header.game, header.encoder, header.height, header.width)
            };
            Err(TrainError::new(format!("the samples do not go together: {} and {}", text(a), text(b))))
        }
    }
}

/// Whether a network is for such samples.
fn fits(description: &tengen_net::description::Description, header: &SetHeader) -> Result<(), TrainError> {
    if !description.encoder.is_empty() && description.encoder != header.encoder {
        let (wants, has) = (&description.encoder, &header.encoder);
        return Err(TrainError::new(format!(
            "the network is shown positions by {wants}, but the samples are by {has}"
        )));
    }
    let input = description.input;
    if (input.planes, input.globals) != (header.planes, header.globals) {
        let (planes, globals) = (input.planes, input.globals);
        return Err(TrainError::new(format!(
            "the network has {planes} planes and {globals} globals, but the samples have {} and {}",
            header.planes, header.globals
        )));
    }
    Ok(())
}
