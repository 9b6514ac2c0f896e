//! `tengen data`: what is made of many games, which is books of openings and samples for networks to learn from.

mod book;
mod export;
mod import;
mod made;
mod scribe;
mod split;
mod stats;

use crate::Outcome;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Make something of many games: books of openings, samples to learn from
#[derive(clap::Args)]
#[command(after_help = "Examples: tengen data book games.pgn --out book.bin
          tengen data make tictactoe --all --teacher perfect --out ttt
          tengen data stats ttt
          tengen data split ttt --into ttt-train,ttt-validation --share 0.1
          tengen data export ttt --out ttt.npz")]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Book(book::Arguments),
    Import(import::Arguments),
    Make(made::Arguments),
    Stats(stats::Arguments),
    Split(split::Arguments),
    Export(export::Arguments),
}

pub fn run(arguments: &Arguments) -> Outcome {
    match &arguments.command {
        Command::Book(arguments) => book::run(arguments),
        Command::Import(arguments) => import::run(arguments),
        Command::Make(arguments) => made::run(arguments),
        Command::Stats(arguments) => stats::run(arguments),
        Command::Split(arguments) => split::run(arguments),
        Command::Export(arguments) => export::run(arguments),
    }
}

/// How far a long piece of work has come: a bar on a terminal, a line now and then elsewhere.
struct Progress {
    bar: Option<ProgressBar>,
    what: &'static str,
    all: u64,
    before: u64,
    begun: Instant,
    shown: Instant,
}

impl Progress {
    /// So many of these are to be done, and some have been done before.
    fn new(what: &'static str, all: u64, before: u64) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            // The template is fixed, so it is well formed.
            let style = ProgressStyle::with_template("{bar:24} {pos}/{len} {prefix} {elapsed} ETA {eta}  {msg}");
            let bar = ProgressBar::new(all).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.set_prefix(what);
            bar.set_position(before);
            bar.reset_eta();
            bar
        });
        let now = Instant::now();
        Progress { bar, what, all, before, begun: now, shown: now }
    }

    fn at(&mut self, done: u64, message: impl FnOnce() -> String) {
        let pause = if self.bar.is_some() { Duration::from_millis(200) } else { Duration::from_secs(10) };
        if self.shown.elapsed() < pause {
            return;
        }
        self.shown = Instant::now();
        match &self.bar {
            Some(bar) => {
                bar.set_position(done);
                bar.set_message(message());
            }
            None => {
                let rate = done.saturating_sub(self.before) as f64 / self.begun.elapsed().as_secs_f64();
                let left = self.all.saturating_sub(done) as f64 / rate;
                let eta = if left.is_finite() { format!("  ETA {left:.0} s") } else { String::new() };
                eprintln!("{done}/{} {}  {}{eta}", self.all, self.what, message());
            }
        }
    }

    /// A line that stays.
    fn note(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| eprintln!("{text}")),
            None => eprintln!("{text}"),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
