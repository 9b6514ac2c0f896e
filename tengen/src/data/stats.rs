//! `tengen data stats`: what is in a set of samples.

use super::Progress;
use crate::Outcome;
use serde_json::json;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use tengen_core::mix;
use tengen_record::samples::{Sample, SampleSet};

/// Say what is in a set of samples
#[derive(clap::Args)]
#[command(after_help = "Examples: tengen data stats ttt
          tengen data stats ttt --json")]
pub struct Arguments {
    /// The directory of the set
    #[arg(value_name = "DIR")]
    set: PathBuf,
    /// One JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// Values from lost to won, in so many steps.
const STEPS: usize = 5;

#[derive(Default)]
struct Stats {
    samples: u64,
    games: HashSet<u64>,
    policies: u64,
    moves: u64,
    entropy: f64,
    values: u64,
    shares: [f64; 3],
    /// How many values there are in each step.
    steps: [u64; STEPS],
    scores: u64,
    owners: u64,
    replies: u64,
    weight: f64,
    seen: Seen,
}

impl Stats {
    fn add(&mut self, sample: &Sample) {
        self.samples += 1;
        self.games.insert(sample.game);
        if !sample.policy.is_empty() {
            self.policies += 1;
            self.moves += sample.policy.len() as u64;
            let shares = sample.policy.iter().map(|&(_, share)| f64::from(share)).filter(|&share| share > 0.0);
            self.entropy -= shares.map(|share| share * share.ln()).sum::<f64>();
        }
        if let Some(value) = sample.value {
            self.values += 1;
            self.shares.iter_mut().zip(value).for_each(|(sum, share)| *sum += f64::from(share));
            let value = (value[0] - value[2] + 1.0) / 2.0;
            // What is beyond an end belongs to the last step.
            self.steps[((value * STEPS as f32) as usize).min(STEPS - 1)] += 1;
        }
        self.scores += u64::from(sample.score.is_some());
        self.owners += u64::from(!sample.owners.is_empty());
        self.replies += u64::from(sample.reply.is_some());
        self.weight += f64::from(sample.weight);
        self.seen.add(key(sample));
    }
}

/// The same for samples that show the same, and hardly ever for others.
pub fn key(sample: &Sample) -> u64 {
    let numbers = sample.planes.iter().chain(&sample.globals);
    numbers.fold(0, |key, number| mix(key ^ u64::from(number.to_bits())))
}

/// How often the same comes, in little memory: beyond some millions of keys, only those that end in zeros are kept, and stand for the others.
#[derive(Default)]
struct Seen {
    times: HashMap<u64, u32>,
    /// How many last bits are zero in the keys that are kept.
    zeros: u32,
}

/// Keys that are kept at most.
const MOST_KEYS: usize = 4_000_000;

impl Seen {
    fn add(&mut self, key: u64) {
        if key.trailing_zeros() < self.zeros {
            return;
        }
        *self.times.entry(key).or_default() += 1;
        if self.times.len() > MOST_KEYS {
            self.zeros += 1;
            self.times.retain(|key, _| key.trailing_zeros() >= self.zeros);
        }
    }

    /// The share of all that had come before.
    fn repeated(&self) -> f64 {
        let all: u64 = self.times.values().map(|&times| u64::from(times)).sum();
        1.0 - self.times.len() as f64 / all.max(1) as f64
    }
}

pub fn run(arguments: &Arguments) -> Outcome {
    let set = SampleSet::open(&arguments.set).map_err(|error| error.to_string())?;
    let (mut stats, mut broken) = (Stats::default(), Vec::new());
    let mut progress = Progress::new("shards", set.shards() as u64, 0);
    for shard in 0..set.shards() {
        match set.read(shard) {
            Ok(samples) => samples.iter().for_each(|sample| stats.add(sample)),
            Err(error) => broken.push(error.to_string()),
        }
        progress.at(shard as u64 + 1, || format!("{} samples", stats.samples));
    }
    drop(progress);
    let header = set.header();
    let per = |sum: f64, count: u64| if count == 0 { 0.0 } else { sum / count as f64 };
    let (samples, games) = (stats.samples, stats.games.len() as u64);
    let length = per(samples as f64, games);
    let (entropy, moves) = (per(stats.entropy, stats.policies), per(stats.moves as f64, stats.policies));
    let shares = stats.shares.map(|sum| per(sum, stats.values));
    let steps = stats.steps.map(|count| per(count as f64, stats.values));
    let known = [stats.policies, stats.values, stats.scores, stats.owners, stats.replies];
    let weight = per(stats.weight, samples);
    let repeated = stats.seen.repeated();
    if arguments.json {
        let [policies, values, scores, owners, replies] = known;
        say!(
            "{}",
            json!({
                "header": header, "samples": samples, "games": games, "mean_length": length,
                "policies": policies, "policy_entropy": entropy, "policy_moves": moves,
                "values": values, "won": shares[0], "drawn": shares[1], "lost": shares[2], "value_steps": steps,
                "scores": scores, "owners": owners, "replies": replies, "mean_weight": weight,
                "repeated": repeated, "shards": set.shards(), "broken": broken,
            })
        );
        return Ok(());
    }
    say!(
        "{} shown by {}: {} planes of {}x{}, {} numbers, {} places of the policy",
        header.game,
        header.encoder,
        header.planes,
        header.height,
        header.width,
        header.globals,
        header.policy
    );
    say!("samples    {samples} in {} shards", set.shards());
    say!("games      {games}, {length:.1} samples each");
    say!("repeated   {:.2} % show what another shows", 100.0 * repeated);
    let share = |count: u64| 100.0 * per(count as f64, samples);
    let [policies, values, scores, owners, replies] = known.map(share);
    say!(
        "known      policy {policies:.1} %, value {values:.1} %, score {scores:.1} %, owners {owners:.1} %, reply {replies:.1} %"
    );
    say!("policy     entropy {entropy:.3} nats, {moves:.1} moves");
    let [won, drawn, lost] = shares.map(|share| 100.0 * share);
    say!("value      won {won:.1} %, drawn {drawn:.1} %, lost {lost:.1} %");
    let steps: Vec<String> = steps.iter().map(|share| format!("{:.1} %", 100.0 * share)).collect();
    say!("           from lost to won in fifths: {}", steps.join(", "));
    if (weight - 1.0).abs() > 1e-6 {
        say!("weight     {weight:.3} on average");
    }
    for complaint in &broken {
        say!("broken     {complaint}");
    }
    Ok(())
}
