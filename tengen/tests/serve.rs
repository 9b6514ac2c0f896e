//! `tengen serve` as a program: where it listens, and what is left of it after `kill -9`.

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use tokio_tungstenite::tungstenite::Message;

/// A running program, killed when the test is done with it.
struct Program {
    child: Child,
    address: String,
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn command(data: &Path, address: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
    command.arg("serve").arg("--addr").arg(address).arg("--data").arg(data).env("TENGEN_LOG", "error");
    command
}

fn start(data: &Path) -> Program {
    let mut child = command(data, "127.0.0.1:0").stdout(Stdio::piped()).spawn().expect("it starts");
    let output = child.stdout.take().expect("piped");
    let address = BufReader::new(output).lines().map_while(Result::ok).find_map(|line| {
        let rest = line.split_once("http://")?.1.to_owned();
        rest.split_whitespace().next().map(str::to_owned)
    });
    Program { child, address: address.expect("it says where it is") }
}

fn post(address: &str, path: &str, body: &Value) -> Value {
    let mut stream = TcpStream::connect(address).expect("it listens");
    let body = body.to_string();
    write!(stream, "POST {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}", body.len()).expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    serde_json::from_str(answer.split_once("\r\n\r\n").expect("a body").1).expect("JSON")
}

/// Joins a table, makes these moves, and returns the position after the last one as it was announced.
async fn play(address: &str, table: &Value, moves: &[&str]) -> Value {
    let (mut socket, _) =
        tokio_tungstenite::connect_async(format!("ws://{address}/api/socket")).await.expect("a socket");
    let mut wishes = vec![json!({"re": 1, "do": "join", "table": table["id"], "key": table["key"]})];
    wishes.extend((2..).zip(moves).map(|(re, mv)| json!({"re": re, "do": "play", "move": mv})));
    let mut position = Value::Null;
    let mut node = Value::Null;
    for mut wish in wishes {
        // At one screen a move says which position it answers.
        if wish["do"] == "play" {
            wish["node"] = node.clone();
        }
        socket.send(Message::text(wish.to_string())).await.expect("sent");
        loop {
            let Some(Ok(Message::Text(text))) = socket.next().await else { continue };
            let event: Value = serde_json::from_str(&text).expect("JSON");
            assert_ne!(event["type"], "refused", "{event}");
            if event["live"].is_object() {
                position = event["live"]["view"]["position"].clone();
                node = event["live"]["at"].clone();
            }
            if event["re"] == wish["re"] {
                break;
            }
        }
    }
    position
}

#[tokio::test]
async fn kill_nine_loses_no_move() {
    let data = tempfile::tempdir().expect("a folder");
    let first = start(data.path());
    let table = post(&first.address, "/api/tables", &json!({"game": "go9", "mode": "here"}));
    let seen = play(&first.address, &table, &["E5", "C3", "G7", "C7"]).await;
    // On unix this is SIGKILL: nothing is written after it.
    drop(first);
    let second = start(data.path());
    assert_eq!(play(&second.address, &table, &[]).await, seen);
    play(&second.address, &table, &["G3"]).await;
}

#[test]
fn a_taken_port_is_told() {
    let data = tempfile::tempdir().expect("a folder");
    let holder = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = holder.local_addr().expect("an address").to_string();
    let output = command(data.path(), &address).output().expect("it ends");
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && complaint.contains("taken") && complaint.contains(&address), "{complaint}");
}

#[test]
fn a_second_server_on_the_same_games_says_so_and_ends() {
    let data = tempfile::tempdir().expect("a folder");
    let _first = start(data.path());
    let output = command(data.path(), "127.0.0.1:0").output().expect("it ends");
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && output.stdout.is_empty(), "{complaint}");
    assert!(complaint.contains("another server") && complaint.trim_end().lines().count() == 1, "{complaint}");
}
