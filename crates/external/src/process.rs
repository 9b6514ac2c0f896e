//! A program with its pipes, its last words, and a leash.
//!
//! Whoever waits for a line waits at the pipe itself, with a time limit: there is no thread in between to be woken first. Its
//! standard error is kept for the day something goes wrong. The program leads a process group, which is killed as a whole when the
//! [`Process`] is dropped.

use crate::ExternalSpec;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process_group};
use std::collections::VecDeque;
use std::fmt;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
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
const LONGEST_LINE: usize = 1 << 16;
/// How much is read at once, at least.
const READ: usize = 1 << 12;
/// How often the stop sign is looked at while waiting.
const GLANCE: Duration = Duration::from_millis(25);

/// A running program that is spoken to in lines.
pub struct Process {
    name: String,
    child: Child,
    input: Option<ChildStdin>,
    output: Option<ChildStdout>,
    unread: Unread,
    /// The last lines of its output, the newest at the end.
    heard: VecDeque<String>,
    /// The last lines of its standard error, and who listens to it.
    complaints: Arc<Mutex<VecDeque<String>>>,
    errors: Option<JoinHandle<()>>,
}

/// What came of waiting for a line.
pub(crate) enum Heard<'a> {
    Line(&'a str),
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
        let complaints = Arc::default();
        let errors = child.stderr.take().map(|errors| {
            let complaints = Arc::clone(&complaints);
            std::thread::spawn(move || listen(errors, &complaints))
        });
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (unread, heard) = (Unread::default(), VecDeque::new());
        Ok(Process { name, child, input, output, unread, heard, complaints, errors })
    }

    /// Writes a line.
    pub fn send(&mut self, line: &str) -> Result<(), EngineError> {
        self.write(&format!("{line}\n"))
    }

    /// Writes whole lines. A pipe holds more than is ever said before an answer is waited for, so this does not block.
    pub(crate) fn write(&mut self, text: &str) -> Result<(), EngineError> {
        let written = self.input.as_mut().map(|input| input.write_all(text.as_bytes()).and_then(|()| input.flush()));
        match written {
            Some(Ok(())) => Ok(()),
            _ => Err(self.crashed()),
        }
    }

    /// The next line, if one comes before the deadline.
    pub(crate) fn hear(&mut self, deadline: Instant, stop: Option<&AtomicBool>) -> Result<Heard<'_>, EngineError> {
        loop {
            if let Some(line) = self.unread.line() {
                return Ok(Heard::Line(keep(&mut self.heard, "", line)));
            }
            // Before every reading: a program that talks without end must not keep anybody.
            if stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                return Ok(Heard::Stopped);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(Heard::Nothing);
            }
            if !self.fill(if stop.is_some() { left.min(GLANCE) } else { left }) {
                keep(&mut self.heard, "", self.unread.rest());
                return Err(self.crashed());
            }
        }
    }

    /// Reads what the program has written, or waits so long for it to write something. Says whether there may be more.
    fn fill(&mut self, wait: Duration) -> bool {
        let Some(output) = &mut self.output else { return false };
        let mut pipe = [PollFd::new(output, PollFlags::IN)];
        match poll(&mut pipe, Timespec::try_from(wait).ok().as_ref()) {
            Ok(0) | Err(Errno::INTR) => return true,
            Ok(_) => {}
            Err(_) => return false,
        }
        match self.unread.read(output) {
            Ok(read) => read > 0,
            Err(error) => error.kind() == ErrorKind::Interrupted,
        }
    }

    /// An error about this engine, with its last words.
    pub fn error(&self, fault: Fault, what: impl Into<String>) -> EngineError {
        let complaints = self.complaints.lock().unwrap_or_else(PoisonError::into_inner);
        let last = self.heard.iter().chain(complaints.iter());
        EngineError {
            engine: self.name.clone(),
            fault,
            what: what.into(),
            last: last.map(|line| shown(line)).collect(),
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

/// What was read from the pipe and not heard yet.
#[derive(Default)]
struct Unread {
    /// Room for what comes; `start..end` of it is unread.
    bytes: Vec<u8>,
    start: usize,
    end: usize,
    /// Up to here there is no end of a line.
    searched: usize,
}

impl Unread {
    /// The next whole line without its end, or as much of one as a line may have.
    fn line(&mut self) -> Option<&[u8]> {
        let unseen = &self.bytes[self.searched..self.end];
        let end = match unseen.iter().position(|&byte| byte == b'\n') {
            Some(index) => self.searched + index + 1,
            None if self.end - self.start >= LONGEST_LINE => self.end,
            None => {
                self.searched = self.end;
                return None;
            }
        };
        let line = self.start..end;
        (self.start, self.searched) = (end, end);
        Some(&self.bytes[line])
    }

    /// What is left of a line that nobody will end.
    fn rest(&mut self) -> &[u8] {
        let rest = self.start..self.end;
        (self.start, self.searched) = (self.end, self.end);
        &self.bytes[rest]
    }

    /// Reads once from the pipe.
    fn read(&mut self, pipe: &mut impl Read) -> std::io::Result<usize> {
        self.bytes.copy_within(self.start..self.end, 0);
        (self.searched, self.end) = (self.searched - self.start, self.end - self.start);
        self.start = 0;
        if self.bytes.len() < self.end + READ {
            self.bytes.resize(self.end + READ, 0);
        }
        let read = pipe.read(&mut self.bytes[self.end..])?;
        self.end += read;
        Ok(read)
    }
}

/// Keeps a line without its end for the day something goes wrong; what is no text in it becomes a mark.
fn keep<'a>(last: &'a mut VecDeque<String>, mark: &str, line: &[u8]) -> &'a str {
    let line = line.trim_ascii_end();
    if line.is_empty() {
        return "";
    }
    let mut kept = if last.len() == KEPT { last.pop_front().unwrap_or_default() } else { String::new() };
    kept.clear();
    kept.push_str(mark);
    match std::str::from_utf8(line) {
        Ok(line) => kept.push_str(line),
        Err(_) => kept.push_str(&String::from_utf8_lossy(line)),
    }
    last.push_back(kept);
    last.back().map_or("", String::as_str)
}

/// Reads lines of standard error until it is closed.
fn listen(pipe: ChildStderr, last: &Mutex<VecDeque<String>>) {
    let mut reader = BufReader::new(pipe);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match reader.by_ref().take(LONGEST_LINE as u64).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => break,
            Ok(_) => {
                keep(&mut last.lock().unwrap_or_else(PoisonError::into_inner), "stderr: ", &bytes);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_whole_however_they_were_written() {
        let mut unread = Unread::default();
        let mut heard = VecDeque::new();
        for piece in [&b"uci"[..], b"ok\r\nread", b"yok\n\xffbad\n", b"last words"] {
            unread.read(&mut &*piece).expect("bytes in memory");
            while let Some(line) = unread.line() {
                keep(&mut heard, "", line);
            }
        }
        assert_eq!(heard, ["uciok", "readyok", "\u{fffd}bad"]);
        assert_eq!(unread.rest(), b"last words");
    }

    #[test]
    fn a_line_without_end_is_cut() {
        let (mut unread, endless) = (Unread::default(), vec![b'x'; LONGEST_LINE + READ]);
        let mut pipe = &endless[..];
        let line = loop {
            assert!(unread.read(&mut pipe).expect("bytes in memory") > 0, "it was never cut");
            if let Some(line) = unread.line() {
                break line.len();
            }
        };
        assert!((LONGEST_LINE..LONGEST_LINE + READ).contains(&line), "{line}");
    }
}
