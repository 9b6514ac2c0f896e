//! `tengen tune`: better parameters by playing games.

use crate::Outcome;
use crate::duel::origin;
use crate::live::Live;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tengen_arena::openings::read_text;
use tengen_arena::report::{ReportData, TuningData, page};
use tengen_arena::stats::Estimate;
use tengen_arena::tune::{AnyTuner, Tuner};
use tengen_arena::tuning::{Algorithm, TuneSettings, read_checkpoint, tune, write_checkpoint};
use tengen_arena::{Conduct, Ear, OnCrash, Store, check, gather, run as run_match};
use tengen_record::database::Database;

/// Tune the parameters of a player by playing games
#[derive(clap::Args)]
#[command(after_help = "Example: tengen tune tournaments/tune-othello-mcts.toml
The file names a player and its parameters with their ranges; docs/arena.md describes it. The tuning is written down beside the
file every few seconds (NAME.tuning.json) and goes on from there with --resume. At the end the tuned player plays the usual one.")]
pub struct Arguments {
    /// The file
    file: PathBuf,
    /// Only check that everything is there, and play nothing
    #[arg(long)]
    check: bool,
    /// Go on from the checkpoint
    #[arg(long)]
    resume: bool,
    /// Where the tuning is written down
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Games at the same time; never more than the cores can take
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    concurrency: usize,
    /// What happens when an engine crashes or hangs
    #[arg(long, value_name = "restart|stop", value_parser = ["restart", "stop"], default_value = "stop")]
    on_crash: String,
    /// Games of the verification, instead of what the file says
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=tengen_arena::MOST_GAMES))]
    verify: Option<u64>,
    /// Keep the games of the verification in this database
    #[arg(long, value_name = "DB")]
    out: Option<PathBuf>,
    /// Write a page with the path of the parameters and the verification
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// One JSON object instead of text
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let shown = arguments.file.display();
    let text = read_text(&arguments.file)?;
    let mut settings: TuneSettings = toml::from_str(&text).map_err(|error| format!("{shown}: {error}"))?;
    if settings.name.is_empty() {
        settings.name = arguments.file.file_stem().and_then(|name| name.to_str()).unwrap_or("tuning").to_owned();
    }
    if let Some(verify) = arguments.verify {
        settings.verify = verify;
    }
    let tuner = settings.prepare().map_err(|error| format!("{shown}: {error}"))?;
    if arguments.check {
        return Ok(());
    }
    // Step 1. From the beginning, or from where it was.
    let path = arguments.checkpoint.clone().unwrap_or_else(|| arguments.file.with_extension("tuning.json"));
    let tuner = match read_checkpoint(&path)? {
        Some(_) if !arguments.resume => {
            return Err(format!("there is a tuning in {}: go on with it (--resume) or remove it", path.display()));
        }
        Some(mut before) => {
            // How it is verified does not change what was found.
            before.settings.verify = settings.verify;
            if before.settings != settings {
                return Err(format!("{} was begun with other settings than {shown} has now", path.display()));
            }
            before.tuner
        }
        None => tuner,
    };
    let conduct = Conduct {
        concurrency: arguments.concurrency,
        on_crash: if arguments.on_crash == "restart" { OnCrash::Restart } else { OnCrash::Stop },
        keep: arguments.report.is_some(),
        ..Conduct::default()
    };
    // Step 2. Trials.
    let mut show = Show::new(&tuner);
    let bar = show.bar.clone();
    let mut ear = Notes(bar);
    let tuned = tune(&settings, tuner, &conduct, &mut ear, &mut |tuner| show.news(tuner), &mut |checkpoint| {
        write_checkpoint(&path, checkpoint)
    })?;
    if let Some(bar) = &show.bar {
        bar.finish_and_clear();
    }
    let best = tuned.tuner.best();
    if !arguments.json {
        say!("{}", values(&tuned.tuner, &best));
        say!("tuned     {}", tuned.player);
    }
    // Step 3. The proof.
    let origin = origin();
    let mut verification = None;
    if settings.verify > 0 {
        let mut proof = settings.verification(&tuned.player);
        check(&mut proof)?;
        let mut database =
            arguments.out.as_deref().map(Database::open).transpose().map_err(|error| error.to_string())?;
        let store =
            database.as_mut().map(|database| Store { database, resume: true, kind: "verification", origin: &origin });
        let mut live = Live::new(&proof);
        let report = run_match(&proof, &conduct, store, &mut live)?;
        live.finish();
        if !arguments.json {
            say!("{}", report.to_text().trim_end());
        }
        verification = Some(report);
    }
    if let Some(file) = &arguments.report {
        let mut data = verification.as_ref().map_or_else(ReportData::default, |report| gather(report, &origin));
        data.name = settings.name.clone();
        let algorithm = if settings.algorithm == Algorithm::Spsa { "SPSA" } else { "CLOP" };
        data.tuning = Some(TuningData::of(algorithm, &tuned.tuner));
        std::fs::write(file, page(&data)).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    if arguments.json {
        let parameters = tuned.tuner.parameters().iter().zip(&best);
        let parameters: serde_json::Map<_, _> = parameters
            .map(|(parameter, best)| {
                (
                    parameter.name.clone(),
                    json!({"start": parameter.start, "value": best.value, "low": best.low, "high": best.high}),
                )
            })
            .collect();
        let verification = verification.map(|report| report.to_json());
        say!(
            "{}",
            json!({"player": tuned.player, "usual": tuned.usual, "parameters": parameters, "verification": verification})
        );
    }
    Ok(())
}

/// The estimates in a line.
fn values(tuner: &AnyTuner, best: &[Estimate]) -> String {
    let parameters = tuner.parameters().iter().zip(best);
    let one = |(parameter, best): (&tengen_arena::tune::Parameter, &Estimate)| {
        format!("{} {:.4} ±{:.4} (from {})", parameter.name, best.value, best.error(), parameter.start)
    };
    parameters.map(one).collect::<Vec<_>>().join(", ")
}

/// Shows how a tuning goes.
struct Show {
    bar: Option<ProgressBar>,
    shown: Instant,
}

impl Show {
    fn new(tuner: &AnyTuner) -> Self {
        let (told, all) = tuner.progress();
        let bar = std::io::stderr().is_terminal().then(|| {
            // The template is fixed, so it is well formed.
            let style = ProgressStyle::with_template("{bar:24} {pos}/{len} {elapsed} ETA {eta}  {msg}");
            let bar = ProgressBar::new(all).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.set_position(told);
            bar.reset_eta();
            bar
        });
        Show { bar, shown: Instant::now() }
    }

    fn news(&mut self, tuner: &AnyTuner) {
        let pause = if self.bar.is_some() { Duration::from_millis(300) } else { Duration::from_secs(10) };
        if self.shown.elapsed() < pause {
            return;
        }
        self.shown = Instant::now();
        let ((told, all), text) = (tuner.progress(), values(tuner, &tuner.best()));
        match &self.bar {
            Some(bar) => {
                bar.set_position(told);
                bar.set_message(text);
            }
            None => eprintln!("{told}/{all}  {text}"),
        }
    }
}

/// Notes above the bar.
struct Notes(Option<ProgressBar>);

impl Ear for Notes {
    fn note(&mut self, text: &str) {
        match &self.0 {
            Some(bar) => bar.println(text),
            None => eprintln!("{text}"),
        }
    }
}
