//! `tengen train`: a network learns from samples.

use crate::{Outcome, net, presets};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::Value;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tengen_record::samples::SampleSet;
use tengen_train::job::Job;
use tengen_train::run::RunDir;
use tengen_train::supervised::{self, End, Means, News};

/// Teach a network with samples
#[derive(clap::Args)]
#[command(after_help = "Example: tengen data make tictactoe --all --teacher perfect --out data/tictactoe
         tengen train tictactoe
         tengen play tictactoe --second puct:net=runs/tictactoe/last.safetensors,visits=100
The file says which network learns what and how; docs/learning.md describes it. Everything goes to a directory, runs/NAME unless --out
says otherwise: a checkpoint, from which the same command goes on, the best and the last network, and the figures, also for TensorBoard.")]
pub struct Arguments {
    /// The job, or the name of a ready one
    #[arg(required_unless_present = "list")]
    file: Option<PathBuf>,
    /// The directory of the run
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Epochs, instead of what the file says
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    epochs: Option<u32>,
    /// Threads; all cores unless said otherwise. The result does not depend on them
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Only check that everything is there and fits
    #[arg(long)]
    check: bool,
    /// The ready jobs
    #[arg(long)]
    list: bool,
    /// JSON lines instead of text
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let Some(file) = arguments.file.as_deref().filter(|_| !arguments.list) else {
        presets::names("train").into_iter().for_each(|name| say!("{name}"));
        return Ok(());
    };
    let shown = file.display();
    let text = presets::text("train", file)?;
    let mut job = Job::read(&text).map_err(|error| format!("{shown}: {error}"))?;
    if let Some(epochs) = arguments.epochs {
        job.epochs = epochs;
    }
    // Step 1. Everything that the job names.
    let model = net::find(&job.network)?.model;
    let open = |paths: &[PathBuf]| -> Result<Vec<SampleSet>, String> {
        paths.iter().map(|path| SampleSet::open(path).map_err(|error| error.to_string())).collect()
    };
    let (samples, validation) = (open(&job.samples)?, open(&job.validation)?);
    let header = samples.first().map(SampleSet::header).ok_or("the job names no samples")?;
    let encoder = tengen_table::encoder(&header.game, Some(&header.encoder)).map_err(|error| error.to_string())?;
    let threads = arguments.threads.map_or_else(cores, usize::from);
    let means = Means { model, turned: encoder.turned(), samples, validation, threads };
    supervised::check(&job, &means).map_err(|error| error.to_string())?;
    if arguments.check {
        return Ok(());
    }
    // Step 2. Where it goes, and where it was.
    let name = file.file_stem().and_then(|name| name.to_str()).unwrap_or("run");
    let name = name.strip_prefix("train-").unwrap_or(name);
    let out = arguments.out.clone().unwrap_or_else(|| Path::new("runs").join(name));
    let run_dir = RunDir::open(&out).map_err(|error| error.to_string())?;
    match run_dir.job().map_err(|error| error.to_string())? {
        Some(before) if Job::read(&before).ok().as_ref() != Some(&job) => {
            return Err(format!(
                "{} holds a run of another job: choose another directory with --out, or remove it",
                out.display()
            ));
        }
        Some(_) => {}
        None => run_dir.keep_job(&job.write()).map_err(|error| error.to_string())?,
    }
    // Step 3. Learn, until it is done or somebody says stop.
    let stop = Arc::new(AtomicBool::new(false));
    on_interrupt(stop.clone())?;
    let mut live = Live::new(arguments.json);
    let end = supervised::run(&job, &run_dir, means, &stop, |news| live.hear(news));
    live.finish();
    match end.map_err(|error| error.to_string())? {
        End::Done => say_end(arguments.json, &format!("done: {}", out.join("last.safetensors").display())),
        End::Stopped => say_end(arguments.json, "stopped; the same command goes on from here"),
    }
    Ok(())
}

fn say_end(json: bool, text: &str) {
    if !json {
        say!("{text}");
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Sets the sign when somebody interrupts the program; the second time it ends at once.
fn on_interrupt(stop: Arc<AtomicBool>) -> Outcome {
    let failed = |error: std::io::Error| format!("cannot listen for an interrupt: {error}");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
    std::thread::spawn(move || {
        runtime.block_on(async {
            while tokio::signal::ctrl_c().await.is_ok() {
                if stop.swap(true, Ordering::Relaxed) {
                    std::process::exit(130);
                }
                eprintln!("stopping after this step; once more to end at once");
            }
        });
    });
    Ok(())
}

/// What is seen of the learning.
struct Live {
    bar: Option<ProgressBar>,
    json: bool,
    /// The loss lately, smoothed.
    loss: Option<f64>,
}

impl Live {
    fn new(json: bool) -> Self {
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} steps, {eta} left  {msg}");
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(0);
            style.map_or(bar.clone(), |style| bar.with_style(style))
        });
        Live { bar, json, loss: None }
    }

    fn hear(&mut self, news: News) {
        match news {
            News::Step { step, steps, epoch, loss, samples } => {
                let smooth = self.loss.map_or(loss, |before| before + 0.05 * (loss - before));
                self.loss = Some(smooth);
                if let Some(bar) = &self.bar {
                    if bar.length() != Some(steps) {
                        bar.set_length(steps);
                        bar.set_position(step - 1);
                        bar.reset_eta();
                    }
                    bar.set_position(step);
                    let speed = bar.per_sec() * samples as f64;
                    bar.set_message(format!("epoch {}, loss {smooth:.4}, {speed:.0} samples/s", epoch + 1));
                }
            }
            News::Line(line) if self.json => self.say(&line.to_string()),
            News::Line(line) if line["kind"] != "train" => self.say(&summary(&line)),
            News::Line(_) => {}
            News::Warning(text) => match &self.bar {
                Some(bar) => bar.println(text),
                None => eprintln!("{text}"),
            },
        }
    }

    fn say(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| say!("{text}")),
            None => say!("{text}"),
        }
    }

    fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// A line of the log for people.
fn summary(line: &Value) -> String {
    let mut text = format!("epoch {}", line["epoch"]);
    for (name, figure) in line.as_object().into_iter().flatten() {
        if name == "loss" || name.contains('.') && !name.ends_with(".loss") {
            text += &format!("  {name} {:.4}", figure.as_f64().unwrap_or(f64::NAN));
        }
    }
    text
}
