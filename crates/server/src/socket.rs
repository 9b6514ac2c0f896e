//! One page's WebSocket: reads requests, passes them to the table it sits at, and writes what comes back.

use crate::guard::Bucket;
use crate::host::ToRoom;
use crate::hub::Hub;
use crate::message::{Code, Event, Request, Trouble, Wish};
use axum::extract::ws::{Message, Utf8Bytes, WebSocket};
use futures_util::{SinkExt, StreamExt};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinHandle;

/// Larger messages end the connection: no request needs so many letters.
pub const LARGEST: usize = 64 << 10;
/// Messages that may wait for a slow page before it is given up.
const PATIENCE: usize = 256;
/// A page that is silent for three of these is gone.
const PING: Duration = Duration::from_secs(20);

static PAGES: AtomicU64 = AtomicU64::new(1);

/// The way to a page. Cheap to clone; sending never waits.
#[derive(Clone)]
pub struct Outbox {
    texts: mpsc::Sender<Utf8Bytes>,
    /// Told when the page does not keep up.
    overrun: Arc<Notify>,
}

impl Outbox {
    /// A way, and where it leads.
    #[cfg(test)]
    pub fn new() -> (Self, mpsc::Receiver<Utf8Bytes>) {
        let (texts, outgoing) = mpsc::channel(PATIENCE);
        (Outbox { texts, overrun: Arc::default() }, outgoing)
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

    /// Sends a text.
    pub fn send_text(&self, text: Utf8Bytes) {
        if let Err(mpsc::error::TrySendError::Full(_)) = self.texts.try_send(text) {
            self.overrun.notify_one();
        }
    }

    /// Refuses a request.
    pub fn refuse(&self, re: u32, trouble: Trouble) {
        self.send(&Event::Refused { re, code: trouble.code, text: trouble.text });
    }

    /// Whether the page is gone.
    pub fn is_closed(&self) -> bool {
        self.texts.is_closed()
    }
}

/// A page's state on the server.
struct Page {
    hub: Arc<Hub>,
    number: u64,
    visitor: u64,
    out: Outbox,
    room: Option<mpsc::Sender<ToRoom>>,
    watching: Option<JoinHandle<()>>,
}

/// Serves a page until it goes away.
pub async fn serve(hub: Arc<Hub>, socket: WebSocket, visitor: u64) {
    let (texts, mut outgoing) = mpsc::channel::<Utf8Bytes>(PATIENCE);
    let overrun = Arc::new(Notify::new());
    let out = Outbox { texts, overrun: Arc::clone(&overrun) };
    let number = PAGES.fetch_add(1, Ordering::Relaxed);
    let mut page = Page { hub, number, visitor, out, room: None, watching: None };
    let (mut sink, mut stream) = socket.split();
    let mut requests = Bucket::new(page.hub.config.requests_per_second * 2.0, page.hub.config.requests_per_second);
    let mut ping = tokio::time::interval(PING);
    let mut heard = Instant::now();
    loop {
        tokio::select! {
            text = outgoing.recv() => {
                let Some(text) = text else { break };
                if sink.feed(Message::Text(text)).await.is_err() {
                    break;
                }
                // Whatever else waits goes with it.
                while let Ok(text) = outgoing.try_recv() {
                    if sink.feed(Message::Text(text)).await.is_err() {
                        break;
                    }
                }
                if sink.flush().await.is_err() {
                    break;
                }
            }
            message = stream.next() => {
                heard = Instant::now();
                match message {
                    Some(Ok(Message::Text(text))) => {
                        if requests.take(heard) {
                            page.hear(&text, heard).await;
                        } else {
                            page.out.refuse(number_of(&text), Trouble::new(Code::TooMany, "too many requests: wait a little"));
                        }
                    }
                    Some(Ok(Message::Binary(_))) => {
                        page.out.refuse(0, Trouble::new(Code::BadMessage, "a request is JSON text"));
                    }
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    Some(Ok(Message::Close(_)) | Err(_)) | None => break,
                }
            }
            _ = ping.tick() => {
                if heard.elapsed() > PING * 3 || sink.send(Message::Ping(Default::default())).await.is_err() {
                    break;
                }
            }
            () = overrun.notified() => {
                tracing::debug!(page = number, "a page does not keep up");
                break;
            }
            () = page.hub.guard.closing() => break,
        }
    }
    page.leave().await;
    page.unwatch();
    let _ = tokio::time::timeout(Duration::from_secs(1), sink.close()).await;
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
                match self.hub.room(&table).await {
                    Ok(room) => {
                        let (page, visitor, out) = (self.number, self.visitor, self.out.clone());
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
        if let Some(room) = self.room.take() {
            let _ = room.send(ToRoom::Leave { page: self.number }).await;
        }
    }

    fn unwatch(&mut self) {
        if let Some(watching) = self.watching.take() {
            watching.abort();
        }
    }
}
