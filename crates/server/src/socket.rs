//! One page's WebSocket: reads requests, passes them to the table it sits at, and writes what comes back.

use crate::guard::{Effort, Letter, Visitor};
use crate::host::ToRoom;
use crate::hub::Hub;
use crate::message::{Code, Event, Request, Trouble, Wish};
use axum::extract::ws::{Message, Utf8Bytes, WebSocket};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

/// Larger messages end the connection: no request needs so many letters.
pub const LARGEST: usize = 64 << 10;
/// Messages that may wait for a slow page before it is given up.
const PATIENCE: usize = 256;
/// A page that has not read a message after so long is given up, too.
const UNREAD: Duration = Duration::from_secs(60);
/// A page that is silent for three of these is gone.
const PING: Duration = Duration::from_secs(20);
/// A page that asks too much is not listened to for so long.
const PAUSE: Duration = Duration::from_millis(100);

static PAGES: AtomicU64 = AtomicU64::new(1);

/// The way to a page. Cheap to clone; sending never waits.
#[derive(Clone)]
pub struct Outbox {
    letters: mpsc::Sender<Letter>,
    visitor: Arc<Visitor>,
    /// Told when the page does not keep up.
    overrun: Arc<Notify>,
}

impl Outbox {
    /// A way, and where it leads.
    pub fn new(visitor: Arc<Visitor>) -> (Self, mpsc::Receiver<Letter>) {
        let (letters, outgoing) = mpsc::channel(PATIENCE);
        (Outbox { letters, visitor, overrun: Arc::default() }, outgoing)
    }

    /// An event as text, for many pages at once.
    pub fn write(event: &Event) -> Utf8Bytes {
        // Events are plain data with string keys, which JSON can say.
        serde_json::to_string(event).unwrap_or_default().into()
    }

    /// Sends an event.
    pub fn send(&self, event: &Event) {
        self.send_text(Self::write(event));
    }

    /// Sends a text. A page for which too much waits already is given up; one that has read everything gets it in any case.
    pub fn send_text(&self, text: Utf8Bytes) {
        let behind = self.letters.capacity() < PATIENCE;
        let refused = behind && self.visitor.reads_too_slowly();
        let full = |error| matches!(error, mpsc::error::TrySendError::Full(_));
        if refused || self.letters.try_send(self.visitor.letter(text)).is_err_and(full) {
            self.overrun.notify_one();
        }
    }

    /// Refuses a request.
    pub fn refuse(&self, re: u32, trouble: Trouble) {
        self.send(&Event::Refused { re, code: trouble.code, text: trouble.text });
    }

    /// Whether the page is gone.
    pub fn is_closed(&self) -> bool {
        self.letters.is_closed()
    }
}

/// A page's state on the server.
struct Page {
    hub: Arc<Hub>,
    number: u64,
    visitor: Arc<Visitor>,
    out: Outbox,
    room: Option<mpsc::Sender<ToRoom>>,
    watching: Option<JoinHandle<()>>,
}

/// Serves a page until it goes away, does not read what it is sent, or the server ends.
pub async fn serve(hub: Arc<Hub>, socket: WebSocket, visitor: Arc<Visitor>) {
    let (out, mut outgoing) = Outbox::new(Arc::clone(&visitor));
    let overrun = Arc::clone(&out.overrun);
    let number = PAGES.fetch_add(1, Ordering::Relaxed);
    let mut page = Page { hub: Arc::clone(&hub), number, visitor, out, room: None, watching: None };
    let (mut sink, mut stream) = socket.split();
    // Reading, writing and what ends both are looked at all the time: none of them waits for another.
    tokio::select! {
        () = page.read(&mut stream) => {}
        () = write(&mut sink, &mut outgoing) => {}
        () = overrun.notified() => tracing::debug!(page = number, "a page does not keep up"),
        () = hub.guard.closing() => {}
    }
    page.leave().await;
    page.unwatch();
    let _ = timeout(Duration::from_secs(1), sink.close()).await;
}

/// Writes what is to be sent, and a ping now and then, until the page does not take it any more.
async fn write(sink: &mut SplitSink<WebSocket, Message>, outgoing: &mut mpsc::Receiver<Letter>) {
    let mut ping = tokio::time::interval(PING);
    loop {
        let sent = tokio::select! {
            letter = outgoing.recv() => match letter {
                Some(letter) => timeout(UNREAD, send(sink, letter, outgoing)).await,
                None => break,
            },
            _ = ping.tick() => timeout(UNREAD, sink.send(Message::Ping(Default::default()))).await,
        };
        if !matches!(sent, Ok(Ok(()))) {
            break;
        }
    }
}

/// Sends a letter, and whatever else waits with it.
async fn send(
    sink: &mut SplitSink<WebSocket, Message>,
    first: Letter,
    outgoing: &mut mpsc::Receiver<Letter>,
) -> Result<(), axum::Error> {
    let mut next = Some(first);
    while let Some(letter) = next {
        sink.feed(Message::Text(letter.text())).await?;
        next = outgoing.try_recv().ok();
    }
    sink.flush().await
}

/// The number of a request that is refused before it is understood.
fn number_of(text: &str) -> u32 {
    #[derive(serde::Deserialize)]
    struct Number {
        re: u32,
    }
    serde_json::from_str::<Number>(text).map_or(0, |number| number.re)
}

impl Page {
    /// Hears requests until the page is gone, or silent for too long.
    async fn read(&mut self, stream: &mut SplitStream<WebSocket>) {
        while let Ok(Some(Ok(message))) = timeout(PING * 3, stream.next()).await {
            let at = Instant::now();
            let allowed = self.visitor.spend(Effort::Wish, 1);
            match (message, allowed) {
                (Message::Close(_), _) => break,
                (Message::Text(text), Ok(())) => self.hear(&text, at).await,
                (Message::Binary(_), Ok(())) => {
                    self.out.refuse(0, Trouble::new(Code::BadMessage, "a request is JSON text"));
                }
                (Message::Ping(_) | Message::Pong(_), Ok(())) => {}
                (message, Err(trouble)) => {
                    if let Message::Text(text) = message {
                        self.out.refuse(number_of(&text), trouble);
                    }
                    // What it sends meanwhile waits on its side.
                    sleep(PAUSE).await;
                }
            }
        }
    }

    async fn hear(&mut self, text: &str, at: Instant) {
        let request: Request = match serde_json::from_str(text) {
            Ok(request) => request,
            Err(error) => {
                let complaint = Trouble::new(Code::BadMessage, format!("not a request: {error}"));
                return self.out.refuse(number_of(text), complaint);
            }
        };
        let re = request.re;
        match request.wish {
            Wish::Join { table, key, name } => {
                self.leave().await;
                match self.hub.room(&table, self.visitor.number).await {
                    Ok(room) => {
                        let (page, visitor, out) = (self.number, Arc::clone(&self.visitor), self.out.clone());
                        let join = ToRoom::Join { page, re, key, name, visitor, out };
                        if room.send(join).await.is_ok() {
                            self.room = Some(room);
                        } else {
                            self.out.refuse(re, Trouble::new(Code::UnknownTable, "the table was closed: try again"));
                        }
                    }
                    Err(trouble) => self.out.refuse(re, trouble),
                }
            }
            Wish::Leave => {
                self.leave().await;
                self.out.send(&Event::Done { re });
            }
            Wish::Watch { run } => {
                self.unwatch();
                match run {
                    Some(run) => match self.hub.runs.follow(Arc::clone(&self.hub), run, self.out.clone()).await {
                        Ok(watching) => {
                            self.watching = Some(watching);
                            self.out.send(&Event::Done { re });
                        }
                        Err(trouble) => self.out.refuse(re, trouble),
                    },
                    None => self.out.send(&Event::Done { re }),
                }
            }
            wish => {
                let ask = ToRoom::Ask { page: self.number, re, wish, at, out: self.out.clone() };
                let sent = match &self.room {
                    Some(room) => room.send(ask).await.is_ok(),
                    None => false,
                };
                if !sent {
                    self.out.refuse(re, Trouble::new(Code::UnknownTable, "join a table first"));
                }
            }
        }
    }

    async fn leave(&mut self) {
        // Forgotten only after it was told: the waiting may be broken off, and then is done again.
        if let Some(room) = &self.room {
            let _ = room.send(ToRoom::Leave { page: self.number }).await;
        }
        self.room = None;
    }

    fn unwatch(&mut self) {
        if let Some(watching) = self.watching.take() {
            watching.abort();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;
    use crate::guard::Guard;

    #[tokio::test]
    async fn a_page_that_does_not_read_is_given_up_before_much_waits_for_it() {
        let guard = Guard::new(&Config { public: true, ..Config::default() });
        let visitor = guard.visitor([192, 0, 2, 1].into());
        let given_up = async |out: &Outbox| timeout(Duration::from_millis(1), out.overrun.notified()).await.is_ok();
        let (slow, waiting) = Outbox::new(Arc::clone(&visitor));
        let (quick, mut read) = Outbox::new(visitor);
        let tree = Utf8Bytes::from("x".repeat(5 << 20));
        for _ in 0..5 {
            slow.send_text(tree.clone());
            quick.send_text(tree.clone());
            read.recv().await.expect("it was sent");
        }
        assert!(!given_up(&slow).await);
        (0..60).for_each(|_| slow.send_text(tree.clone()));
        assert!(given_up(&slow).await && waiting.len() <= 7, "{} trees wait", waiting.len());
        quick.send_text(tree.clone());
        assert!(!given_up(&quick).await && read.try_recv().is_ok(), "who has read everything hears on");
        (0..=PATIENCE).for_each(|_| quick.send_text("x".into()));
        assert!(given_up(&quick).await);
    }
}
