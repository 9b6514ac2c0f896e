//! A server for a test: real sockets, a folder of its own, and clients that speak as a page does.
#![allow(dead_code)] // Each file of tests uses its own part of this.

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;
use tengen_server::{Config, Server};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// Long enough for a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A server.
pub struct Site {
    pub address: SocketAddr,
    end: Option<oneshot::Sender<()>>,
    task: JoinHandle<()>,
}

impl Site {
    /// Starts one on these files.
    pub async fn start(data: &Path) -> Self {
        Self::start_with(Config { data: data.to_owned(), threads: 2, ..Config::default() }).await
    }

    pub async fn start_with(config: Config) -> Self {
        let server = Server::open(config).await.expect("the server opens");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("it has one");
        let (end, ended) = oneshot::channel::<()>();
        let task = tokio::spawn(server.serve(listener, async move { drop(ended.await) }));
        Site { address, end: Some(end), task }
    }

    /// Ends it in an orderly way.
    pub async fn end(mut self) {
        self.end.take().expect("ended once").send(()).expect("it runs");
        tokio::time::timeout(PATIENCE, self.task).await.expect("in time").expect("no panic");
    }

    /// Sends a request; the status, the head and the body that came back.
    pub async fn http(&self, method: &str, path: &str, extra: &str, body: &str) -> (u16, String, String) {
        let mut stream = TcpStream::connect(self.address).await.expect("it listens");
        let kind = if body.is_empty() { "" } else { "content-type: application/json\r\n" };
        let host = self.address;
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n{kind}{extra}content-length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all(head.as_bytes()).await.expect("sent");
        // A server may refuse a long body before it has read it.
        let _ = stream.write_all(body.as_bytes()).await;
        let mut answer = Vec::new();
        let _ = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut answer)).await.expect("an answer in time");
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        let body =
            if head.to_lowercase().contains("transfer-encoding: chunked") { unchunked(body) } else { body.to_owned() };
        (status, head.to_lowercase(), body)
    }

    pub async fn get(&self, path: &str) -> (u16, Value) {
        let (status, _, body) = self.http("GET", path, "", "").await;
        (status, serde_json::from_str(&body).unwrap_or(Value::String(body)))
    }

    pub async fn post(&self, path: &str, body: Value) -> (u16, Value) {
        let (status, _, body) = self.http("POST", path, "", &body.to_string()).await;
        (status, serde_json::from_str(&body).unwrap_or(Value::String(body)))
    }

    /// Opens a table.
    pub async fn table(&self, wanted: Value) -> Value {
        let (status, opened) = self.post("/api/tables", wanted).await;
        assert_eq!(status, 200, "{opened}");
        opened
    }

    pub async fn page(&self) -> Page {
        let (socket, _) = connect_async(format!("ws://{}/api/socket", self.address)).await.expect("a socket");
        Page { socket, last: 0, heard: Vec::new(), asked: 0, live: Value::Null, you: Value::Null, tree: Vec::new() }
    }

    /// A page that has sat down.
    pub async fn sit(&self, table: &Value, key: Option<&str>) -> Page {
        let mut page = self.page().await;
        let answer = page.ask(json!({"do": "join", "table": table, "key": key})).await;
        assert_eq!(answer["type"], "done", "{answer}");
        page
    }
}

fn unchunked(body: &str) -> String {
    let mut whole = String::new();
    let mut rest = body;
    while let Some((size, after)) = rest.split_once("\r\n") {
        let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        if size == 0 || size > after.len() {
            break;
        }
        whole += &after[..size];
        rest = after[size..].trim_start_matches("\r\n");
    }
    whole
}

/// A page, as a browser has it.
pub struct Page {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    last: u32,
    /// Everything that came.
    pub heard: Vec<Value>,
    /// How much had come when the last request was sent, and what was waited for since.
    asked: usize,
    pub live: Value,
    pub you: Value,
    pub tree: Vec<Value>,
}

impl Page {
    pub async fn send_text(&mut self, text: &str) {
        self.socket.send(Message::text(text)).await.expect("sent");
    }

    pub async fn send_bytes(&mut self, bytes: Vec<u8>) {
        self.socket.send(Message::binary(bytes)).await.expect("sent");
    }

    /// The next event; `None` when the server has hung up.
    pub async fn hear(&mut self) -> Option<Value> {
        let late = tokio::time::Instant::now() + PATIENCE;
        loop {
            let Ok(message) = tokio::time::timeout_at(late, self.socket.next()).await else {
                let kinds: Vec<&Value> = self.heard.iter().map(|event| &event["type"]).collect();
                panic!("nothing comes any more; all that came: {kinds:?}");
            };
            match message {
                Some(Ok(Message::Text(text))) => {
                    let event: Value = serde_json::from_str(&text).expect("JSON");
                    self.note(&event);
                    return Some(event);
                }
                Some(Ok(Message::Close(_)) | Err(_)) | None => return None,
                Some(Ok(_)) => {}
            }
        }
    }

    fn note(&mut self, event: &Value) {
        if event["live"].is_object() {
            self.live = event["live"].clone();
        }
        if event["you"].is_string() {
            self.you = event["you"].clone();
        }
        if let Some(tree) = event["tree"].as_array() {
            self.tree = tree.clone();
        }
        for node in event["nodes"].as_array().into_iter().flatten() {
            self.tree.retain(|known| known["id"] != node["id"]);
            self.tree.push(node.clone());
        }
        self.heard.push(event.clone());
    }

    /// Sends a request and waits for its answer; what comes before it is noted.
    pub async fn ask(&mut self, mut wish: Value) -> Value {
        self.last += 1;
        let re = self.last;
        wish["re"] = json!(re);
        self.asked = self.heard.len();
        self.send_text(&wish.to_string()).await;
        loop {
            let event = self.hear().await.expect("the server is still there");
            if event["re"] == re {
                return event;
            }
        }
    }

    /// The same, and it is done.
    pub async fn done(&mut self, wish: Value) {
        let answer = self.ask(wish.clone()).await;
        assert_eq!(answer["type"], "done", "{wish}: {answer}");
    }

    /// The same, and it is refused with this code.
    pub async fn refused(&mut self, wish: Value, code: &str) {
        let answer = self.ask(wish.clone()).await;
        assert_eq!((&answer["type"], &answer["code"]), (&json!("refused"), &json!(code)), "{wish}: {answer}");
    }

    pub async fn play(&mut self, mv: &str) {
        let mut wish = json!({"do": "play", "move": mv});
        // At one screen a move says which position it answers.
        if self.you == "both" {
            wish["node"] = self.live["at"].clone();
        }
        self.done(wish).await;
    }

    /// Waits for an event after the last request: a quick thought may be told before the answer that it was begun.
    pub async fn until(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            while let Some(event) = self.heard.get(self.asked) {
                self.asked += 1;
                if wanted(event) {
                    return event.clone();
                }
            }
            self.hear().await.expect("the server is still there");
        }
    }

    /// Waits until the table looks so.
    pub async fn until_live(&mut self, wanted: impl Fn(&Value) -> bool) {
        while !wanted(&self.live) {
            self.hear().await.expect("the server is still there");
        }
    }

    pub fn position(&self) -> &str {
        self.live["view"]["position"].as_str().unwrap_or("")
    }
}

pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or("")
}
