//! A program with its pipes, its last words, and a leash.
//!
//! Its output is read by a thread of its own, so that waiting for a line can always end; its standard error is kept for the day
//! something goes wrong. The program leads a process group, which is killed as a whole when the [`Process`] is dropped.

use crate::client::ExternalSpec;
use rustix::process::{Pid, Signal, kill_process_group};
use std::collections::VecDeque;
use std::fmt;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tengen_core::refuse;
use tengen_search::{Fault, PlayerError};

/// What went wrong with an engine: which engine, what kind of fault, the story, and what it said last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineError {
    /// The engine's command.
    pub engine: String,
    /// What kind of trouble it is.
    pub fault: Fault,
    /// What happened.
    pub what: String,
    /// The last lines it wrote, to either output.
    pub last: Vec<String>,
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.engine, self.what)?;
        // Where the words of the error say it all, a list of options does not help.
        let explains = matches!(self.fault, Fault::Crash | Fault::Hang | Fault::Illegal | Fault::Protocol);
        if explains && !self.last.is_empty() {
            write!(f, "; its last output: {}", self.last.join(" | "))?;
        }
        Ok(())
    }
}

impl std::error::Error for EngineError {}

impl From<EngineError> for PlayerError {
    fn from(error: EngineError) -> Self {
        PlayerError::Broken { fault: error.fault, story: error.to_string() }
    }
}

/// How many of an engine's lines are kept for an error message.
const KEPT: usize = 8;
/// Longer lines are cut: no protocol has them.
const LONGEST_LINE: u64 = 1 << 16;
/// Lines read ahead of whoever listens; a program that says more has to wait.
const AHEAD: usize = 1024;
/// Engines chatter: news of a search is handed on this often, together, so that the listener need not wake up for every line.
const NEWS: Duration = Duration::from_millis(50);
/// How often the stop sign is looked at while waiting.
const GLANCE: Duration = Duration::from_millis(10);

/// A running program that is spoken to in lines.
pub struct Process {
    name: String,
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Vec<String>>,
    /// Lines that came together and are not heard yet.
    waiting: std::vec::IntoIter<String>,
    last: Arc<Mutex<VecDeque<String>>>,
    /// Reads what it writes to standard error.
    errors: Option<JoinHandle<()>>,
}

/// What came of waiting for a line.
pub(crate) enum Heard {
    Line(String),
    /// The deadline passed.
    Nothing,
    /// Somebody set the stop sign.
    Stopped,
}

impl Process {
    /// Starts the program.
    pub fn start(spec: &ExternalSpec) -> Result<Self, EngineError> {
        let name = spec.command.join(" ");
        let missing =
            |what: String| EngineError { engine: name.clone(), fault: Fault::Missing, what, last: Vec::new() };
        let program = spec.find_program().map_err(&missing)?;
        let mut child = Command::new(&program)
            .args(&spec.command[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // A group of its own: what it starts ends with it, and a key pressed at the terminal is not for it.
            .process_group(0)
            .spawn()
            .map_err(|error| missing(format!("cannot start {}: {error}", program.display())))?;
        let last = Arc::new(Mutex::new(VecDeque::new()));
        let (sender, lines) = sync_channel(AHEAD);
        if let Some(output) = child.stdout.take() {
            let last = Arc::clone(&last);
            std::thread::spawn(move || listen(output, "", &last, Some(&sender)));
        }
        let errors = child.stderr.take().map(|errors| {
            let last = Arc::clone(&last);
            std::thread::spawn(move || listen(errors, "stderr: ", &last, None))
        });
        let input = child.stdin.take();
        Ok(Process { name, child, input, lines, waiting: Vec::new().into_iter(), last, errors })
    }

    /// Writes one line. A pipe holds more than is ever said before an answer is waited for, so this does not block.
    pub fn send(&mut self, line: &str) -> Result<(), EngineError> {
        let text = format!("{line}\n");
        let written = self.input.as_mut().map(|input| input.write_all(text.as_bytes()).and_then(|()| input.flush()));
        match written {
            Some(Ok(())) => Ok(()),
            _ => Err(self.crashed()),
        }
    }

    /// The next line, if one comes before the deadline.
    pub(crate) fn hear(&mut self, deadline: Instant, stop: Option<&AtomicBool>) -> Result<Heard, EngineError> {
        loop {
            if let Some(line) = self.waiting.next() {
                return Ok(Heard::Line(line));
            }
            let left = deadline.saturating_duration_since(Instant::now());
            let wait = if stop.is_some() { left.min(GLANCE) } else { left };
            match self.lines.recv_timeout(wait) {
                Ok(lines) => self.waiting = lines.into_iter(),
                Err(RecvTimeoutError::Disconnected) => return Err(self.crashed()),
                Err(RecvTimeoutError::Timeout) if stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) => {
                    return Ok(Heard::Stopped);
                }
                Err(RecvTimeoutError::Timeout) if wait == left => return Ok(Heard::Nothing),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// An error about this engine, with its last words.
    pub fn error(&self, fault: Fault, what: impl Into<String>) -> EngineError {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        EngineError {
            engine: self.name.clone(),
            fault,
            what: what.into(),
            last: last.iter().map(|line| shown(line)).collect(),
        }
    }

    /// The error for a program that has gone, with how it went.
    fn crashed(&mut self) -> EngineError {
        // The end of its output comes a moment before the system knows how it ended.
        let until = Instant::now() + Duration::from_millis(500);
        let status = loop {
            match self.child.try_wait() {
                Ok(Some(status)) => break Some(status),
                Ok(None) if Instant::now() < until => std::thread::sleep(Duration::from_millis(2)),
                _ => break None,
            }
        };
        // Its last words may still be on their way.
        while self.errors.as_ref().is_some_and(|errors| !errors.is_finished()) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(1));
        }
        match status {
            Some(status) => self.error(Fault::Crash, format!("the program ended ({status})")),
            None => self.error(Fault::Crash, "the program closed its pipes"),
        }
    }
}

impl Drop for Process {
    /// Asks it to quit, gives it a moment, then ends the whole group; the dead are collected.
    fn drop(&mut self) {
        if let Some(mut input) = self.input.take() {
            let _ = input.write_all(b"quit\n");
        }
        // The input is closed now, which is the end for most programs even if they do not know the word.
        let until = Instant::now() + Duration::from_millis(100);
        while Instant::now() < until && matches!(self.child.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(2));
        }
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
            // If nobody is left in the group, there is nobody to kill.
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.wait();
    }
}

/// A line of an engine, short and harmless.
fn shown(line: &str) -> String {
    refuse(line).trim_matches('`').to_owned()
}

/// Reads lines until the pipe is closed.
fn listen(pipe: impl Read, mark: &str, last: &Mutex<VecDeque<String>>, sender: Option<&SyncSender<Vec<String>>>) {
    let mut reader = BufReader::new(pipe);
    let mut bytes = Vec::new();
    let mut together = Vec::new();
    let mut sent = Instant::now();
    loop {
        bytes.clear();
        match reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
        let line = String::from_utf8_lossy(&bytes).trim_end().to_owned();
        if !line.is_empty() {
            let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
            if last.len() == KEPT {
                last.pop_front();
            }
            last.push_back(format!("{mark}{line}"));
        }
        let Some(sender) = sender else { continue };
        let news = line.starts_with("info ");
        together.push(line);
        if news && sent.elapsed() < NEWS && together.len() < AHEAD {
            continue;
        }
        sent = Instant::now();
        if sender.send(std::mem::take(&mut together)).is_err() {
            return;
        }
    }
    if let Some(sender) = sender.filter(|_| !together.is_empty()) {
        // Nobody listens any more: then nothing is lost.
        let _ = sender.send(together);
    }
}
