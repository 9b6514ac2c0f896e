//! Makes the table of a solved game while the server runs: Yokai no Mori 3x4, whose exact values are looked up.
//!
//! It is made once, in some minutes, on all cores, in the background; a checkpoint now and then lets a later start, or `tengen solve yokai34`, go
//! on where this one ended. The page asks how far it is.

use crate::message::{Code, Solved, SolvedState, Trouble};
use crate::pool::step_back;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tengen_lore::solve::yokai::{All, Retrograde};
use tengen_table::solved;

/// The only game whose values are in a file.
pub const GAME: &str = "yokai34";
/// A checkpoint is written when so much work has been done since the last one.
const BETWEEN_CHECKPOINTS: Duration = Duration::from_secs(30);

/// The making of the table, if it goes on.
pub struct Solving {
    /// Whether strangers could ask for it.
    public: bool,
    threads: usize,
    work: Arc<Work>,
}

#[derive(Default)]
struct Work {
    state: Mutex<Option<SolvedState>>,
    /// Thousandths.
    done: AtomicU32,
    stop: AtomicBool,
}

impl Work {
    fn state(&self) -> MutexGuard<'_, Option<SolvedState>> {
        // Nothing is half done under this lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Solving {
    /// Nothing is being made yet.
    pub fn new(public: bool, threads: usize) -> Self {
        Solving { public, threads, work: Arc::default() }
    }

    /// How far the table of a game is.
    pub fn look(&self, game: &str) -> Solved {
        let needed = game == GAME && !solved::default_path().exists();
        let state = match (needed, *self.work.state()) {
            (false, _) => SolvedState::Ready,
            (true, Some(state)) => state,
            (true, None) => SolvedState::Missing,
        };
        let share = match state {
            SolvedState::Ready => 1.0,
            SolvedState::Making => self.work.done.load(Ordering::Relaxed) as f32 / 1000.0,
            SolvedState::Missing | SolvedState::Failed => 0.0,
        };
        Solved { state, share, may_make: !self.public, command: format!("tengen solve {GAME}") }
    }

    /// Begins to make the table, unless it is there or being made.
    pub fn begin(&self, game: &str) -> Result<Solved, Trouble> {
        if self.public {
            return Err(Trouble::new(Code::Forbidden, "this server makes no tables for strangers"));
        }
        if matches!(self.look(game).state, SolvedState::Missing | SolvedState::Failed) {
            let mut state = self.work.state();
            if *state != Some(SolvedState::Making) {
                let (work, threads) = (Arc::clone(&self.work), self.threads);
                let thread = std::thread::Builder::new().name("solve".to_owned());
                let run = move || {
                    // Its helpers inherit this.
                    step_back();
                    work.run(threads);
                };
                thread.spawn(run).map_err(Trouble::failed)?;
                *state = Some(SolvedState::Making);
            }
        }
        Ok(self.look(game))
    }

    /// Ends the work before its next pass; what was done is in the checkpoint.
    pub fn close(&self) {
        self.work.stop.store(true, Ordering::Relaxed);
    }
}

impl Work {
    fn run(&self, threads: usize) {
        let begin = Instant::now();
        let made = self.make(&solved::default_path(), threads);
        *self.state() = match &made {
            // Whether it is there, the file itself says.
            Ok(()) => None,
            Err(_) => Some(SolvedState::Failed),
        };
        match made {
            Ok(()) => tracing::info!(game = GAME, seconds = begin.elapsed().as_secs(), "table made"),
            Err(why) => tracing::error!(game = GAME, why, "the table could not be made"),
        }
    }

    fn make(&self, path: &Path, threads: usize) -> Result<(), String> {
        let failed = |error: std::io::Error| format!("{}: {error}", path.display());
        let show = |done: u64, total: u64| {
            self.done.store((done * 1000 / total.max(1)) as u32, Ordering::Relaxed);
        };
        let checkpoint = solved::checkpoint_path(path);
        let mut analysis = match solved::load(&checkpoint, All)? {
            Some(analysis) => analysis,
            None => Retrograde::begin(All, threads, &show),
        };
        let mut saved = Instant::now();
        while analysis.pass(threads, &show) {
            let stop = self.stop.load(Ordering::Relaxed);
            if stop || saved.elapsed() > BETWEEN_CHECKPOINTS {
                solved::save(&checkpoint, &analysis).map_err(failed)?;
                saved = Instant::now();
            }
            if stop {
                return Err("the server is shutting down".to_owned());
            }
        }
        solved::write(path, &analysis, |_, _| {}).map_err(failed)?;
        // The table is there: if the checkpoint cannot be removed, it is in nobody's way.
        let _ = std::fs::remove_file(&checkpoint);
        Ok(())
    }
}
