//! Commands as they come in, read by a thread of their own so that a thinking engine hears them.

use std::io::{BufRead, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc::{Receiver, channel};

/// No command needs more; a longer line is cut.
const LONGEST_LINE: u64 = 1 << 16;

/// What the reading thread tells.
#[derive(Default)]
struct Signals {
    /// Lines read that nobody has taken yet; the end of the input counts as one.
    waiting: AtomicUsize,
    /// Whether there are any: what ends an analysis.
    is_wanted: AtomicBool,
    /// Set by the comment `# interrupt`: what ends the thinking about a move.
    is_interrupted: AtomicBool,
    /// How many lines had come before the last such comment: it is meant for them, taken or not, and for none after it.
    interrupted: AtomicUsize,
}

/// The lines that have come in.
pub(super) struct Inbox {
    lines: Receiver<Option<String>>,
    /// How many of them were taken.
    taken: usize,
    signals: Arc<Signals>,
}

impl Inbox {
    /// Begins to read.
    pub fn open(input: impl Read + Send + 'static) -> Self {
        let (sender, lines) = channel();
        let signals = Arc::new(Signals::default());
        let told = Arc::clone(&signals);
        // The thread ends with its input, or when nobody listens any more.
        std::thread::spawn(move || {
            let mut input = BufReader::new(input);
            let mut come = 0;
            loop {
                let line = read_line(&mut input);
                let is_over = line.is_none();
                let comment = line.as_deref().unwrap_or("").trim();
                if comment.strip_prefix('#').is_some_and(|word| word.trim() == "interrupt") {
                    told.interrupted.store(come, SeqCst);
                    told.is_interrupted.store(true, SeqCst);
                    told.is_wanted.store(true, SeqCst);
                    continue;
                }
                if !is_over && (comment.is_empty() || comment.starts_with('#')) {
                    continue;
                }
                come += 1;
                told.waiting.fetch_add(1, SeqCst);
                told.is_wanted.store(true, SeqCst);
                if sender.send(line).is_err() || is_over {
                    break;
                }
            }
        });
        Inbox { lines, taken: 0, signals }
    }

    /// The next line; `None` at the end of the input.
    pub fn take(&mut self) -> Option<String> {
        let line = self.lines.recv().ok().flatten();
        self.taken += 1;
        let signals = &self.signals;
        let left = signals.waiting.fetch_sub(1, SeqCst);
        signals.is_interrupted.store(false, SeqCst);
        signals.is_wanted.store(false, SeqCst);
        // Whoever came between the lines above has counted itself already.
        let is_interrupted = signals.interrupted.load(SeqCst) >= self.taken;
        if is_interrupted {
            signals.is_interrupted.store(true, SeqCst);
        }
        if is_interrupted || left > 1 || signals.waiting.load(SeqCst) > 0 {
            signals.is_wanted.store(true, SeqCst);
        }
        line
    }

    /// Set as soon as somebody wants something: the stop sign of an analysis.
    pub fn is_wanted(&self) -> &AtomicBool {
        &self.signals.is_wanted
    }

    /// Set when the move is wanted now: the stop sign of a thought about a move.
    pub fn is_interrupted(&self) -> &AtomicBool {
        &self.signals.is_interrupted
    }

    /// Waits until somebody wants something.
    pub fn wait(&self) {
        while !self.signals.is_wanted.load(SeqCst) {
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
    }
}

/// A line without its end; `None` at the end of the input or when it breaks.
fn read_line(input: &mut impl BufRead) -> Option<String> {
    let mut bytes = Vec::new();
    if input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes).ok()? == 0 {
        return None;
    }
    if bytes.last() != Some(&b'\n') && bytes.len() as u64 == LONGEST_LINE {
        // The rest is read and forgotten.
        let mut rest = Vec::new();
        while input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut rest).ok()? > 0 && rest.last() != Some(&b'\n') {
            rest.clear();
        }
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
