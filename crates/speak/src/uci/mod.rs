//! UCI: Tengen as an engine in any chess GUI.
//!
//! [`serve`] reads commands from one side and writes answers to the other. One thread reads all the time, so `stop` and
//! `isready` are heard during a search; another one does everything else in the order it was asked. Whatever a line is, it
//! gets an answer or an `info string`, and the loop goes on.

mod command;
mod options;
mod session;

use command::{Command, Go};
use options::{Changed, Options};
use session::Session;
use std::io::{BufRead, Write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, Instant};

/// The longest line that is read: a game of many thousand moves.
const LONGEST_LINE: usize = 1 << 20;

/// Serves one GUI until it says `quit` or goes away.
pub fn serve(input: impl BufRead, output: impl Write + Send + 'static) {
    let output = Output::new(output);
    let (tasks, queue) = mpsc::channel::<Task>();
    let searches = Arc::new(AtomicUsize::new(0));
    let worker = std::thread::spawn({
        let (output, searches) = (output.clone(), searches.clone());
        move || work(&queue, &output, &searches)
    });
    Reader { output, tasks, searches, current: None }.run(input);
    // The worker holds nothing that must be rescued; if it has panicked, everything is over anyway.
    let _ = worker.join();
}

/// News of a search that comes faster than this goes out together: shallow depths take microseconds, and every line wakes the listener.
const TOGETHER: Duration = Duration::from_millis(30);

/// Where answers go, in whole lines.
#[derive(Clone)]
struct Output(Arc<Mutex<Sink>>);

struct Sink {
    output: Box<dyn Write + Send>,
    /// News that waits for more of it.
    held: String,
    /// When something was last written.
    written: Instant,
}

impl Sink {
    fn write(&mut self) {
        if !self.held.is_empty() {
            // If nobody listens any more, the input will end soon.
            let _ = self.output.write_all(self.held.as_bytes()).and_then(|()| self.output.flush());
            self.held.clear();
        }
        self.written = Instant::now();
    }
}

impl Output {
    fn new(output: impl Write + Send + 'static) -> Output {
        Output(Arc::new(Mutex::new(Sink { output: Box::new(output), held: String::new(), written: Instant::now() })))
    }

    fn add(&self, text: &str) -> MutexGuard<'_, Sink> {
        let mut sink = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sink.held.push_str(text);
        sink.held.push('\n');
        sink
    }

    /// An answer: it goes out at once, after all news.
    fn line(&self, text: &str) {
        self.add(text).write();
    }

    /// News of a search, which may wait a moment for more.
    fn news(&self, text: &str) {
        let mut sink = self.add(text);
        if sink.written.elapsed() >= TOGETHER {
            sink.write();
        }
    }

    /// Nothing more is to come for a while.
    fn flush(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write();
    }

    /// Something for the person at the GUI.
    fn note(&self, text: &str) {
        for line in text.lines() {
            self.line(&format!("info string {line}"));
        }
    }
}

/// How a search that is under way is told to end.
struct Control {
    stop: AtomicBool,
    pondering: AtomicBool,
    /// When the GUI asked.
    start: Instant,
    changed: Condvar,
    lock: Mutex<()>,
}

impl Control {
    fn new(ponder: bool) -> Arc<Control> {
        Arc::new(Control {
            stop: AtomicBool::new(false),
            pondering: AtomicBool::new(ponder),
            start: session::now(),
            changed: Condvar::new(),
            lock: Mutex::new(()),
        })
    }

    fn locked(&self) -> MutexGuard<'_, ()> {
        self.lock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stop(&self) {
        let _guard = self.locked();
        self.stop.store(true, Ordering::SeqCst);
        self.changed.notify_all();
    }

    fn ponder_hit(&self) {
        let _guard = self.locked();
        self.pondering.store(false, Ordering::SeqCst);
        self.changed.notify_all();
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }

    /// Waits until the best move may be told: at `stop`, or at `ponderhit` if the search has limits of its own.
    fn wait_until_due(&self, endless: bool, output: &Output) {
        let mut guard = self.locked();
        while !self.is_stopped() && (endless || self.pondering.load(Ordering::SeqCst)) {
            output.flush();
            guard = self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// What the reader hands to the worker.
enum Task {
    Do(Command),
    Go(Go, Arc<Control>),
}

struct Reader {
    output: Output,
    tasks: mpsc::Sender<Task>,
    /// Searches asked for whose best move has not been told yet.
    searches: Arc<AtomicUsize>,
    /// The last search asked for, and whether it is sure to end by itself.
    current: Option<(Arc<Control>, bool)>,
}

impl Reader {
    fn run(&mut self, mut input: impl BufRead) {
        loop {
            match read_line(&mut input) {
                Some(Ok(line)) => match command::read(&line) {
                    Ok(None) => {}
                    Ok(Some(Command::Quit)) => break self.stop_current(),
                    Ok(Some(command)) => self.handle(command),
                    Err(complaint) => self.output.note(&complaint),
                },
                Some(Err(complaint)) => self.output.note(&complaint),
                // The GUI is gone: what ends by itself may end, the rest is stopped.
                None => {
                    if self.current.as_ref().is_some_and(|(_, limited)| !limited) {
                        self.stop_current();
                    }
                    break;
                }
            }
        }
    }

    fn searching(&self) -> bool {
        self.searches.load(Ordering::SeqCst) > 0
    }

    fn stop_current(&self) {
        if let Some((control, _)) = &self.current {
            control.stop();
        }
    }

    fn handle(&mut self, command: Command) {
        match command {
            Command::Stop => self.stop_current(),
            Command::PonderHit => {
                if let Some((control, _)) = &self.current {
                    control.ponder_hit();
                }
            }
            // During a search there is nothing to wait for.
            Command::IsReady if self.searching() => self.output.line("readyok"),
            Command::Go(_)
                if self.searching() && !self.current.as_ref().is_some_and(|(control, _)| control.is_stopped()) =>
            {
                self.output.note("a search is under way: stop it first");
            }
            Command::Go(go) => {
                let control = Control::new(go.ponder);
                // A mate that is not there is looked for without end.
                self.current = Some((control.clone(), go.is_limited() && go.mate.is_none() && !go.ponder));
                self.searches.fetch_add(1, Ordering::SeqCst);
                self.send(Task::Go(go, control));
            }
            command => self.send(Task::Do(command)),
        }
    }

    fn send(&self, task: Task) {
        // The worker ends only after this sender is gone.
        let _ = self.tasks.send(task);
    }
}

/// A line without its end, whatever bytes it has; `None` at the end of the input.
fn read_line(input: &mut impl BufRead) -> Option<Result<String, String>> {
    let mut line = Vec::new();
    let mut dropped = false;
    loop {
        let bytes = match input.fill_buf() {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(_) => return None,
        };
        if bytes.is_empty() {
            if line.is_empty() && !dropped {
                return None;
            }
            break;
        }
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let part = &bytes[..end.unwrap_or(bytes.len())];
        if line.len() + part.len() > LONGEST_LINE {
            dropped = true;
        } else if !dropped {
            line.extend_from_slice(part);
        }
        let used = end.map_or(bytes.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            break;
        }
    }
    let text = String::from_utf8_lossy(&line).into_owned();
    Some(if dropped { Err(session::too_long(&text)) } else { Ok(text) })
}

/// Does one task after the other until there are no more.
fn work(queue: &mpsc::Receiver<Task>, output: &Output, searches: &AtomicUsize) {
    let mut options = Options::default();
    let mut session: Option<Box<dyn Session>> = None;
    let mut debug = false;
    while let Ok(task) = queue.recv() {
        // Opened late, so that `uci` is answered at once and Hash is allocated once.
        if session.is_none() && !matches!(task, Task::Do(Command::Uci | Command::SetOption { .. })) {
            match session::open(&options) {
                Ok((opened, complaints)) => {
                    session = Some(opened);
                    complaints.iter().for_each(|complaint| output.note(complaint));
                }
                Err(complaint) => output.note(&complaint),
            }
        }
        match (task, session.as_mut()) {
            (Task::Do(Command::Uci), _) => {
                output.line(&format!("id name Tengen {}", env!("CARGO_PKG_VERSION")));
                output.line("id author the Tengen contributors");
                options::list().iter().for_each(|line| output.line(line));
                output.line("uciok");
            }
            (Task::Do(Command::SetOption { name, value }), session_now) => {
                let before = options.clone();
                match options.set(&name, value.as_deref()) {
                    Ok(Changed::ClearHash) => {
                        if let Some(session) = session_now {
                            session.new_game();
                        }
                    }
                    Ok(Changed::Value) => {
                        if (before.variant, before.chess960) != (options.variant, options.chess960) {
                            session = None;
                        } else if let Some(session) = session_now {
                            let complaints = session.follow(&before, &options);
                            complaints.iter().for_each(|complaint| output.note(complaint));
                        }
                        if debug {
                            output.note(&format!("{name} is set"));
                        }
                    }
                    Err(complaint) => output.note(&complaint),
                }
            }
            (Task::Do(Command::Debug(on)), _) => debug = on,
            (Task::Do(Command::IsReady), _) => output.line("readyok"),
            (Task::Do(Command::NewGame), Some(session)) => session.new_game(),
            (Task::Do(Command::Position { fen, moves }), Some(session)) => {
                if let Err(complaint) = session.position(fen.as_deref(), &moves) {
                    output.note(&complaint);
                }
            }
            (Task::Do(Command::Show), Some(session)) => output.note(&session.show()),
            (Task::Do(Command::Eval), Some(session)) => output.note(&session.eval()),
            (Task::Go(go, control), session) => {
                let best = match session {
                    Some(session) => session.go(&go, &control, &options, output),
                    None => "bestmove (none)".to_owned(),
                };
                // Before the answer goes out: the next question may come at once.
                searches.fetch_sub(1, Ordering::SeqCst);
                output.line(&best);
            }
            (Task::Do(_), _) => {}
        }
    }
}
