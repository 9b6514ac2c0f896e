//! `tengen data split`: a set in two, by games and never by positions, for positions of one game are too much alike for one half to
//! test what has been learnt from the other.

use super::Progress;
use super::stats::key;
use crate::Outcome;
use serde_json::json;
use std::collections::hash_map::{Entry, HashMap};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::PathBuf;
use tengen_core::mix;
use tengen_record::samples::{Sample, SampleSet, SampleWriter};

/// Divide a set of samples in two, by games
#[derive(clap::Args)]
#[command(after_help = "Examples: tengen data split ttt --into ttt-train,ttt-validation --share 0.1
          tengen data split go9 --into train,validation --share 0.05 --seed 7 --merge")]
pub struct Arguments {
    /// The directory of the set
    #[arg(value_name = "DIR")]
    set: PathBuf,
    /// The directories of the two new sets
    #[arg(long, value_name = "TRAIN,VALIDATION", value_parser = two)]
    into: (PathBuf, PathBuf),
    /// The share of the games that goes into the second
    #[arg(long, default_value_t = 0.1, value_parser = share)]
    share: f64,
    /// Decides which games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Samples of one part that show the same become one, with the mean of what is said of them and the sum of their weights
    #[arg(long)]
    merge: bool,
    /// One JSON object instead of text
    #[arg(long)]
    json: bool,
}

fn two(text: &str) -> Result<(PathBuf, PathBuf), String> {
    match text.split_once(',') {
        Some((train, validation)) if !train.is_empty() && !validation.is_empty() && train != validation => {
            Ok((train.into(), validation.into()))
        }
        _ => Err("name two directories: TRAIN,VALIDATION".to_owned()),
    }
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|&share: &f64| share > 0.0 && share < 1.0);
    share.ok_or_else(|| "a share is between 0 and 1".to_owned())
}

/// Numbers that are kept in memory while samples are merged: half a gigabyte. A larger set is read more than once.
const MOST_NUMBERS: u64 = 128 << 20;

pub fn run(arguments: &Arguments) -> Outcome {
    let set = SampleSet::open(&arguments.set).map_err(|error| error.to_string())?;
    let (train, validation) = &arguments.into;
    let mut games = BTreeSet::new();
    each(&set, |sample| {
        // In the order of chance that the seed says.
        games.insert((mix(arguments.seed ^ mix(sample.game)), sample.game));
        Ok(())
    })?;
    if games.len() < 2 {
        return Err(format!("{}: there are fewer than two games to divide", arguments.set.display()));
    }
    let taken = ((games.len() as f64 * arguments.share).round() as usize).clamp(1, games.len() - 1);
    let chosen: HashSet<u64> = games.iter().take(taken).map(|&(_, game)| game).collect();
    let error = |error: tengen_record::samples::SamplesError| error.to_string();
    let mut parts = Vec::new();
    for path in [train, validation] {
        parts.push(SampleWriter::create(path, set.header()).map_err(error)?);
    }
    if arguments.merge {
        for (part, writer) in parts.iter_mut().enumerate() {
            merge(&set, |sample| chosen.contains(&sample.game) == (part == 1), writer)?;
        }
    } else {
        each(&set, |sample| parts[usize::from(chosen.contains(&sample.game))].push(&sample).map_err(error))?;
    }
    let counts = parts.into_iter().map(SampleWriter::finish).collect::<Result<Vec<_>, _>>().map_err(error)?;
    let parts = [(train, games.len() - taken), (validation, taken)];
    if arguments.json {
        let part = |((path, games), samples): (&(&PathBuf, usize), &u64)| json!({"out": path, "games": games, "samples": samples});
        say!("{}", json!(parts.iter().zip(&counts).map(part).collect::<Vec<_>>()));
    } else {
        for ((path, games), samples) in parts.iter().zip(&counts) {
            say!("{samples} samples of {games} games in {}", path.display());
        }
    }
    Ok(())
}

/// Goes through all samples; broken shards are named and left out.
pub fn each(set: &SampleSet, mut with: impl FnMut(Sample) -> Outcome) -> Outcome {
    let mut progress = Progress::new("shards", set.shards() as u64, 0);
    for shard in 0..set.shards() {
        match set.read(shard) {
            Ok(samples) => samples.into_iter().try_for_each(&mut with)?,
            Err(error) => progress.note(&format!("{error}: left out")),
        }
        progress.at(shard as u64 + 1, String::new);
    }
    Ok(())
}

/// Writes the samples that are wanted, those that show the same as one.
fn merge(set: &SampleSet, is_wanted: impl Fn(&Sample) -> bool, writer: &mut SampleWriter) -> Outcome {
    let header = set.header();
    let passes = (set.len() * (header.plane_numbers() + header.globals) as u64).div_ceil(MOST_NUMBERS).max(1);
    for pass in 0..passes {
        let mut places: HashMap<u64, usize> = HashMap::new();
        let mut merged: Vec<Merged> = Vec::new();
        each(set, |sample| {
            let key = key(&sample);
            if is_wanted(&sample) && key % passes == pass {
                match places.entry(key) {
                    Entry::Occupied(place) => merged[*place.get()].add(sample),
                    Entry::Vacant(place) => {
                        place.insert(merged.len());
                        merged.push(Merged::new(sample));
                    }
                }
            }
            Ok(())
        })?;
        merged.into_iter().try_for_each(|one| writer.push(&one.mean())).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// Samples that show the same.
struct Merged {
    /// What they show; what is said of it by the first alone, as long as there is only one.
    first: Sample,
    /// What is said by several.
    sums: Option<Sums>,
}

/// What several samples say, each times its weight, and the weights of those that say it.
#[derive(Default)]
struct Sums {
    policy: BTreeMap<u16, f64>,
    policies: f64,
    value: [f64; 3],
    values: f64,
    score: f64,
    scores: f64,
    owners: Vec<f64>,
    owned: f64,
    weight: f64,
}

impl Sums {
    fn add(&mut self, sample: &Sample) {
        let weight = f64::from(sample.weight);
        self.weight += weight;
        if !sample.policy.is_empty() {
            self.policies += weight;
            for &(place, share) in &sample.policy {
                *self.policy.entry(place).or_default() += weight * f64::from(share);
            }
        }
        if let Some(value) = sample.value {
            self.values += weight;
            self.value.iter_mut().zip(value).for_each(|(sum, share)| *sum += weight * f64::from(share));
        }
        if let Some(score) = sample.score {
            self.scores += weight;
            self.score += weight * f64::from(score);
        }
        if !sample.owners.is_empty() {
            self.owned += weight;
            self.owners.resize(sample.owners.len(), 0.0);
            self.owners.iter_mut().zip(&sample.owners).for_each(|(sum, &owner)| *sum += weight * f64::from(owner));
        }
    }
}

impl Merged {
    fn new(first: Sample) -> Self {
        Merged { first, sums: None }
    }

    fn add(&mut self, sample: Sample) {
        let first = &self.first;
        let sums = self.sums.get_or_insert_with(|| {
            let mut sums = Sums::default();
            sums.add(first);
            sums
        });
        sums.add(&sample);
        // There is no mean of answers.
        if sample.reply != self.first.reply {
            self.first.reply = None;
        }
    }

    fn mean(self) -> Sample {
        let Some(sums) = self.sums else { return self.first };
        // Where no weight is, nothing is known.
        let mean = |sum: f64, weight: f64| (sum / weight) as f32;
        let known = |weight: f64| weight > 0.0;
        let share = |(&place, &sum): (&u16, &f64)| (place, mean(sum, sums.policies));
        let policy = if known(sums.policies) { sums.policy.iter().map(share).collect() } else { Vec::new() };
        let owner = |&sum: &f64| mean(sum, sums.owned);
        let owners = if known(sums.owned) { sums.owners.iter().map(owner).collect() } else { Vec::new() };
        Sample {
            policy,
            value: known(sums.values).then(|| sums.value.map(|sum| mean(sum, sums.values))),
            score: known(sums.scores).then(|| mean(sums.score, sums.scores)),
            owners,
            weight: sums.weight as f32,
            ..self.first
        }
    }
}
