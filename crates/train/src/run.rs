//! A directory with all that a job leaves.
//!
//! ```text
//!   job.toml               the job as it was started
//!   checkpoint             everything that is needed to go on
//!   best.safetensors       the network that did best in validation
//!   last.safetensors       the network as it is now
//!   log.jsonl              a line of figures every so many steps, and after every epoch
//!   events.out.tfevents…   the same for TensorBoard
//! ```
//!
//! Files are written beside and put in place at once: whatever happens, the old one or the new one is there.

use crate::{TrainError, events};
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use tengen_net::file::{self, Card, Digits};
use tengen_net::model::Model;
use tengen_net::optimise::Memory;

/// A run's directory.
#[derive(Clone, Debug)]
pub struct RunDir(PathBuf);

/// Where a run is.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Place {
    /// The epoch, from 0.
    pub epoch: u32,
    /// Batches of it that have been learnt from.
    pub batch: u64,
    /// Steps in all.
    pub step: u64,
    /// The best loss in validation so far.
    pub best: Option<f64>,
    /// Epochs since.
    pub since: u32,
    /// Epochs since the rate last fell, or the best.
    pub waited: u32,
    /// How often the rate fell.
    pub falls: u32,
    /// Seconds of learning.
    pub seconds: f64,
    /// Whether the job is done.
    pub done: bool,
}

/// Everything that is needed to go on.
#[derive(Clone, PartialEq, Debug)]
pub struct Checkpoint {
    /// Where the run is.
    pub place: Place,
    /// The weights.
    pub weights: Vec<Vec<f32>>,
    /// What the optimiser remembers.
    pub memory: Memory,
}

fn failed(what: &str, path: &Path, error: impl std::fmt::Display) -> TrainError {
    TrainError::new(format!("cannot {what} {}: {error}", path.display()))
}

/// Writes a file beside and puts it in place.
fn put(path: &Path, bytes: &[u8]) -> Result<(), TrainError> {
    let beside = path.with_extension("new");
    let write = || -> io::Result<()> {
        let mut file = File::create(&beside)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&beside, path)
    };
    write().map_err(|error| failed("write", path, error))
}

impl RunDir {
    /// Opens a directory, made if it is not there.
    pub fn open(path: &Path) -> Result<RunDir, TrainError> {
        fs::create_dir_all(path).map_err(|error| failed("make", path, error))?;
        Ok(RunDir(path.to_owned()))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The job that the run was started with, if it was.
    pub fn job(&self) -> Result<Option<String>, TrainError> {
        let path = self.at("job.toml");
        match fs::read_to_string(&path) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failed("read", &path, error)),
        }
    }

    /// Keeps the job.
    pub fn keep_job(&self, text: &str) -> Result<(), TrainError> {
        put(&self.at("job.toml"), text.as_bytes())
    }

    /// Keeps a network under a name.
    pub fn keep_network(&self, name: &str, model: &Model, card: &Card) -> Result<(), TrainError> {
        put(&self.at(&format!("{name}.safetensors")), &file::write(model, card, Digits::All)?)
    }

    /// Keeps a checkpoint.
    pub fn keep(&self, checkpoint: &Checkpoint) -> Result<(), TrainError> {
        let Memory { steps, means, squares, average } = &checkpoint.memory;
        let lists = [("weights", &checkpoint.weights), ("means", means), ("squares", squares), ("average", average)];
        let bytes: Vec<(String, Vec<u8>)> = lists
            .into_iter()
            .flat_map(|(name, lists)| lists.iter().enumerate().map(move |(at, list)| (format!("{name}.{at:05}"), list)))
            .map(|(name, list)| (name, list.iter().flat_map(|number| number.to_le_bytes()).collect()))
            .collect();
        let path = self.at("checkpoint");
        let mut views = Vec::new();
        for (name, bytes) in &bytes {
            let view = TensorView::new(Dtype::F32, vec![bytes.len() / 4], bytes);
            views.push((name.as_str(), view.map_err(|error| failed("write", &path, error))?));
        }
        let place = serde_json::to_string(&checkpoint.place).map_err(|error| failed("write", &path, error))?;
        let header = HashMap::from([("place".to_owned(), place), ("steps".to_owned(), steps.to_string())]);
        let bytes = safetensors::serialize(views, Some(header)).map_err(|error| failed("write", &path, error))?;
        put(&path, &bytes)
    }

    /// The last checkpoint, if there is one.
    pub fn checkpoint(&self) -> Result<Option<Checkpoint>, TrainError> {
        let path = self.at("checkpoint");
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed("read", &path, error)),
        };
        let broken = |why: String| failed("read", &path, why);
        let (_, header) = SafeTensors::read_metadata(&bytes).map_err(|error| broken(error.to_string()))?;
        let said = header.metadata().as_ref().ok_or_else(|| broken("it has no header".into()))?;
        let text = |key: &str| said.get(key).ok_or_else(|| broken(format!("it has no {key}")));
        let place = serde_json::from_str(text("place")?).map_err(|error| broken(error.to_string()))?;
        let steps = text("steps")?.parse().map_err(|_| broken("its steps are no number".into()))?;
        let tensors = SafeTensors::deserialize(&bytes).map_err(|error| broken(error.to_string()))?;
        let lists = |name: &str| -> Vec<Vec<f32>> {
            let list = |at: usize| tensors.tensor(&format!("{name}.{at:05}")).ok();
            let numbers = |view: TensorView<'_>| {
                view.data().as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()
            };
            (0..).map_while(list).map(numbers).collect()
        };
        let memory = Memory { steps, means: lists("means"), squares: lists("squares"), average: lists("average") };
        Ok(Some(Checkpoint { place, weights: lists("weights"), memory }))
    }

    /// Adds a line to the log, and its figures to TensorBoard's.
    pub fn log(&self, line: &serde_json::Value) -> Result<(), TrainError> {
        let append = |path: &Path| OpenOptions::new().create(true).append(true).open(path);
        let path = self.at("log.jsonl");
        let write = || append(&path)?.write_all(format!("{line}\n").as_bytes());
        write().map_err(|error| failed("write", &path, error))?;
        let path = self.at("events.out.tfevents.0.tengen");
        let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64();
        let kind = line["kind"].as_str().unwrap_or("other");
        let is_figure = |name: &str| !["step", "kind", "seconds", "done"].contains(&name);
        let figures = line.as_object().into_iter().flatten().filter(|(name, _)| is_figure(name));
        let figures = figures.filter_map(|(name, figure)| Some((format!("{kind}/{name}"), figure.as_f64()? as f32)));
        let figures: Vec<(String, f32)> = figures.collect();
        let write = || -> io::Result<()> {
            let mut file = append(&path)?;
            if file.metadata()?.len() == 0 {
                events::begin(time, &mut file)?;
            }
            let figures = figures.iter().map(|(name, figure)| (name.as_str(), *figure));
            events::write(time, line["step"].as_u64().unwrap_or(0), figures, &mut file)
        };
        write().map_err(|error| failed("write", &path, error))
    }

    /// Takes lines out of the log that are of later steps than the checkpoint: they will come again.
    pub fn cut_log(&self, step: u64) -> Result<(), TrainError> {
        let path = self.at("log.jsonl");
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(failed("read", &path, error)),
        };
        let mut kept = String::new();
        for line in BufReader::new(file).lines() {
            let line = line.map_err(|error| failed("read", &path, error))?;
            let said = serde_json::from_str::<serde_json::Value>(&line).ok();
            if said.and_then(|said| said["step"].as_u64()).is_some_and(|at| at <= step) {
                kept += &line;
                kept += "\n";
            }
        }
        put(&path, kept.as_bytes())
    }
}
