//! `tengen solve yokai34`: makes the table of all positions, once, and asks it.

use super::{Arguments, decision, describe, print};
use crate::Outcome;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};
use std::io::IsTerminal;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use tengen_core::{Notation, Rng};
use tengen_games::yokai::Yokai34;
use tengen_lore::solve::yokai::{All, Lookup, Retrograde, Solver, Space, Strategy, holds};
use tengen_lore::solve::{Leash, Solve};
use tengen_table::solved::{self, Counts, TableFile};

/// A checkpoint is written when so much work has been done since the last one.
const BETWEEN_CHECKPOINTS: Duration = Duration::from_secs(20);

pub fn run(arguments: &Arguments) -> Outcome {
    let path = arguments.out.clone().unwrap_or_else(solved::default_path);
    let position = match &arguments.position {
        Some(text) => Yokai34::read(text).map_err(|error| error.to_string())?,
        None => Yokai34::new(),
    };
    decision(&position)?;
    if arguments.check.is_some() && !path.exists() {
        return Err(format!(
            "there is no table {} to check: `tengen solve yokai34` makes it in some minutes",
            path.display()
        ));
    }
    // Whoever asks about a position does not want to wait for minutes, and is told what to do.
    let mut table = if arguments.position.is_some() || path.exists() {
        TableFile::open(&path)?
    } else {
        make(arguments, &path)?;
        TableFile::open(&path)?
    };
    if arguments.check.is_some() {
        check(arguments, &path, &mut table)?;
    }
    if let Some(file) = &arguments.strategy {
        let strategy = Strategy::build(|number| table.cell(number))?;
        std::fs::write(file, strategy.write()).map_err(|error| format!("{}: {error}", file.display()))?;
        eprintln!("{} positions of the strategy written to {}", strategy.size(), file.display());
    }
    let counts = table.counts();
    let (stop, mut report) = (AtomicBool::new(false), |_| {});
    let solution = Solver(table).solution(&position, &mut Leash::new(&stop, &mut report));
    let solution = solution.map_err(|why| why.to_string())?;
    if arguments.json {
        let mut answer = describe(&position, &solution);
        let Counts { won, lost, drawn } = counts;
        answer.insert("positions".to_owned(), json!({ "won": won, "lost": lost, "drawn": drawn }));
        say!("{}", Value::Object(answer));
        return Ok(());
    }
    print(&position, &solution);
    if arguments.position.is_none() {
        let Counts { won, lost, drawn } = counts;
        say!("{} positions: {won} won, {lost} lost, {drawn} drawn for the side to move", won + lost + drawn);
    }
    Ok(())
}

/// Makes the table, from the last checkpoint on if there is one.
fn make(arguments: &Arguments, path: &Path) -> Outcome {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = arguments.threads.map_or_else(cores, usize::from);
    let checkpoint = solved::checkpoint_path(path);
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    let bar = Bar::new();
    let begin = Instant::now();
    solved::prepare(path).map_err(failed)?;
    let mut analysis = match solved::load(&checkpoint, All)? {
        Some(analysis) => {
            bar.say(&format!(
                "going on from a checkpoint: all wins and losses in less than {} plies are known",
                analysis.ply()
            ));
            analysis
        }
        None => {
            let analysis = Retrograde::begin(All, threads, &|done, total| bar.show("every position once", done, total));
            solved::save(&checkpoint, &analysis).map_err(failed)?;
            analysis
        }
    };
    let mut saved = Instant::now();
    loop {
        let name = format!("decided in {} plies", analysis.ply());
        if !analysis.pass(threads, &|done, total| bar.show(&name, done, total)) {
            break;
        }
        if saved.elapsed() > BETWEEN_CHECKPOINTS {
            solved::save(&checkpoint, &analysis).map_err(failed)?;
            saved = Instant::now();
        }
    }
    solved::write(path, &analysis, |done, total| bar.show("writing the table", done, total)).map_err(failed)?;
    // The table is there: if the checkpoint cannot be removed, it is in nobody's way.
    let _ = std::fs::remove_file(&checkpoint);
    bar.finish();
    eprintln!("{} made in {:.0} s", path.display(), begin.elapsed().as_secs_f64());
    Ok(())
}

/// Every checksum of the file, and minimax on random positions.
fn check(arguments: &Arguments, path: &Path, table: &mut TableFile) -> Outcome {
    let bar = Bar::new();
    let longest = table.check(|done, total| bar.show("reading the table", done, total))?;
    let positions = arguments.check.unwrap_or(0);
    let mut rng = Rng::with_seed(1);
    for done in 0..positions {
        let number = rng.usize(..All.size());
        if !holds(&All, number, |number| table.cell(number))? {
            return Err(format!(
                "{}: position {number} does not follow from its moves: make the table anew",
                path.display()
            ));
        }
        if done % 1024 == 0 {
            bar.show("random positions", done.into(), positions.into());
        }
    }
    bar.finish();
    eprintln!("{}: all checksums are right, and so are {positions} random positions", path.display());
    let from = All.position(longest.number).text();
    eprintln!("the longest win takes {} plies, as in {from}", longest.plies);
    Ok(())
}

/// A bar on a terminal, a line now and then elsewhere.
struct Bar {
    bar: Option<ProgressBar>,
    line: Mutex<Instant>,
}

impl Bar {
    fn new() -> Self {
        let shown = std::io::stderr().is_terminal();
        let bar = shown.then(|| {
            let style = ProgressStyle::with_template("{elapsed_precise} {bar:30} {percent}%  {msg}, done in {eta}");
            // The template has no mistake; without it there would be the usual bar.
            ProgressBar::new(1).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        Bar { bar, line: Mutex::new(Instant::now()) }
    }

    fn show(&self, what: &str, done: u64, total: u64) {
        match &self.bar {
            Some(bar) => {
                bar.set_message(what.to_owned());
                bar.set_length(total);
                bar.set_position(done);
            }
            None => {
                // Whoever finds it locked has nothing to add.
                if let Ok(mut last) = self.line.try_lock()
                    && last.elapsed() > Duration::from_secs(10)
                {
                    *last = Instant::now();
                    eprintln!("{what}: {} %", done * 100 / total.max(1));
                }
            }
        }
    }

    fn say(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(text),
            None => eprintln!("{text}"),
        }
    }

    fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
