//! What a match looks like while it runs: a bar with the score on a terminal, plain lines now and then elsewhere.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};
use tengen_arena::stats::{SprtPath, Summary};
use tengen_arena::{Ear, Finished, Format, Plan, Settings, Standings};

/// How often a plain line is printed, at least this long apart.
const PLAIN: Duration = Duration::from_secs(10);
/// How often the text beside the bar changes.
const FRESH: Duration = Duration::from_millis(200);

/// Shows a match.
pub struct Live {
    bar: Option<ProgressBar>,
    duel: bool,
    format: Format,
    planned: u64,
    /// Games that were there already when this run began.
    before: u64,
    begun: Instant,
    shown: Instant,
    /// Lines until now, for the growing pause between them.
    lines: u32,
}

impl Live {
    pub fn new(settings: &Settings) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let now = Instant::now();
        Live {
            bar: terminal.then(ProgressBar::new_spinner),
            duel: settings.players.len() == 2,
            format: settings.format,
            planned: 0,
            before: 0,
            begun: now,
            shown: now,
            lines: 0,
        }
    }

    /// Says what is played, where several matches follow each other.
    pub fn announce(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.set_message(text.to_owned()),
            None => eprintln!("{text}"),
        }
    }

    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn say(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(text),
            None => eprintln!("{text}"),
        }
    }

    fn figures(&self, standings: &Standings, sprt: Option<&SprtPath>) -> String {
        if !self.duel {
            let best: Vec<String> = standings
                .order(self.format)
                .iter()
                .take(3)
                .map(|&player| format!("{} {}", standings.names[player], standings.total(player).points()))
                .collect();
            return best.join(", ");
        }
        let Summary { wdl, score, elo, los, .. } = standings.summary(0, 1);
        let mut text = format!("+{} ={} -{}", wdl.wins, wdl.draws, wdl.losses);
        if let Some(score) = score {
            text.push_str(&format!("  {:.1} %", score * 100.0));
        }
        if let Some(estimate) = elo.estimate() {
            text.push_str(&format!("  Elo {:+.0} ±{:.0}", estimate.value, estimate.error()));
        }
        if let Some(los) = los {
            text.push_str(&format!("  LOS {:.1} %", los * 100.0));
        }
        if let Some(path) = sprt {
            let (lower, upper) = path.sprt.bounds();
            text.push_str(&format!("  LLR {:.2} ({lower:.2}, {upper:.2})", path.sprt.llr(standings.pairs(0, 1))));
        }
        text
    }
}

impl Ear for Live {
    fn openings(&mut self, found: u64, wanted: u64) {
        if let Some(bar) = &self.bar
            && self.shown.elapsed() > FRESH
        {
            self.shown = Instant::now();
            bar.set_message(format!("openings {found} of {wanted}"));
        }
    }

    fn begin(&mut self, plan: &Plan) {
        self.planned = plan.games;
        self.before = plan.before;
        self.begun = Instant::now();
        if let Some(bar) = &self.bar {
            // The template is fixed, so it is well formed.
            let style = ProgressStyle::with_template("{bar:24} {pos}/{len} {elapsed} ETA {eta}  {msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.set_length(plan.games);
            bar.set_position(plan.before);
            bar.reset_eta();
            bar.enable_steady_tick(Duration::from_millis(500));
        }
    }

    fn game(&mut self, _finished: &Finished, standings: &Standings, sprt: Option<&SprtPath>) {
        match &self.bar {
            Some(bar) => {
                if self.shown.elapsed() > FRESH || standings.games == 1 {
                    self.shown = Instant::now();
                    bar.set_position(standings.games);
                    bar.set_message(self.figures(standings, sprt));
                }
            }
            None => {
                // Ten seconds apart at first, up to ten minutes in a match of days.
                if self.shown.elapsed() > PLAIN * self.lines.clamp(1, 60) {
                    self.shown = Instant::now();
                    self.lines += 1;
                    let done = standings.games - self.before;
                    let rate = done as f64 / self.begun.elapsed().as_secs_f64().max(1e-9);
                    let left = self.planned.saturating_sub(standings.games) as f64 / rate.max(1e-9);
                    eprintln!(
                        "{}/{}  {}  ETA {left:.0} s",
                        standings.games,
                        self.planned,
                        self.figures(standings, sprt)
                    );
                }
            }
        }
    }

    fn note(&mut self, text: &str) {
        self.say(text);
    }
}
