//! What strangers, accidents and power cuts can do: nothing.

mod site;

use serde_json::{Value, json};
use site::{Site, text};
use std::time::{Duration, Instant};
use tengen_server::{Config, Server};
use tokio::io::AsyncWriteExt;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::HeaderValue;

#[tokio::test]
async fn nonsense_gets_an_error_and_changes_nothing() {
    let data = tempfile::tempdir().expect("a folder");
    let site = Site::start(data.path()).await;
    let opened = site.table(json!({"game": "go9", "mode": "here"})).await;
    let mut page = site.sit(&opened["id"], Some(text(&opened["key"]))).await;
    page.play("E5").await;
    let before = (page.live["view"].clone(), page.tree.clone());
    for (nonsense, re) in [
        ("", 0),
        ("null", 0),
        ("[]", 0),
        ("{", 0),
        (r#"{"re":7}"#, 7),
        (r#"{"re":8,"do":"fly"}"#, 8),
        (r#"{"re":-1,"do":"undo"}"#, 0),
        (r#"{"re":9,"do":"play"}"#, 9),
        (r#"{"re":10,"do":"play","move":17}"#, 10),
        (r#"{"re":11,"do":"goto","node":-3}"#, 11),
        (r#"{"re":12,"do":"goto","node":1e99}"#, 12),
        (r#"{"do":"undo"}"#, 0),
        ("\u{0}\u{1}\u{feff}", 0),
    ] {
        page.send_text(nonsense).await;
        let answer = page.until(|event| event["type"] == "refused").await;
        assert_eq!((&answer["code"], &answer["re"]), (&json!("badMessage"), &json!(re)), "{nonsense}");
    }
    let deep = format!(r#"{{"re":13,"do":"play","move":{}1{}}}"#, "[".repeat(5000), "]".repeat(5000));
    page.send_text(&deep).await;
    page.until(|event| event["type"] == "refused").await;
    page.send_bytes(vec![0xff; 100]).await;
    page.until(|event| event["type"] == "refused").await;
    for (wish, code) in [
        (json!({"do": "play", "move": "Z99", "node": 1}), "badText"),
        (json!({"do": "play", "move": "x".repeat(30_000), "node": 1}), "badText"),
        (json!({"do": "play", "move": "E5", "node": 1}), "occupied"),
        (json!({"do": "play", "move": "D4", "node": 0}), "changed"),
        (json!({"do": "play", "move": "D4"}), "badMessage"),
        (json!({"do": "look", "node": 4_000_000_000u32}), "unknown"),
        (json!({"do": "analyse", "node": 77}), "unknown"),
        (json!({"do": "toggle", "cell": "E5"}), "notNow"),
        (json!({"do": "answer", "offer": "draw", "accept": true}), "notNow"),
        (json!({"do": "moveNow"}), "notNow"),
        (json!({"do": "chat", "text": " \u{1b} "}), "badMessage"),
        (json!({"do": "watch", "run": "log-../../etc"}), "unknown"),
        (json!({"do": "delete", "node": 1}), "notNow"),
        (json!({"do": "comment", "node": 1, "text": "hm"}), "notNow"),
    ] {
        page.refused(wish, code).await;
    }
    let mut again = site.sit(&opened["id"], Some(text(&opened["key"]))).await;
    assert_eq!((again.live["view"].clone(), again.tree.clone()), before);
    // A letter too many ends the connection, not the server.
    again.send_text(&"x".repeat(70_000)).await;
    while again.hear().await.is_some() {}
    page.play("C3").await;
    site.end().await;
}

#[tokio::test]
async fn bad_requests_over_http() {
    let data = tempfile::tempdir().expect("a folder");
    let site = Site::start(data.path()).await;
    for (path, body, status, code) in [
        ("/api/tables", json!({"game": "ludo", "mode": "here"}), 404, "unknown"),
        ("/api/tables", json!({"game": "chess", "mode": "ai"}), 422, "badMessage"),
        ("/api/tables", json!({"game": "chess", "mode": "ai", "levels": ["uci:sh -c id"]}), 404, "unknown"),
        ("/api/tables", json!({"game": "chess", "mode": "here", "setup": {"position": "8/8"}}), 422, "badText"),
        ("/api/tables", json!({"game": "chess", "mode": "here", "extra": 1}), 422, "badMessage"),
        ("/api/tables", json!({"game": "chess", "mode": "here", "moves": ["e2e5"]}), 422, "illegal"),
        (
            "/api/tables",
            json!({"game": "chess", "mode": "sandbox", "from": {"type": "table", "table": "AAAAAAAAAAAA"}}),
            404,
            "unknownTable",
        ),
        (
            "/api/tables",
            json!({"game": "chess", "mode": "sandbox", "from": {"type": "library", "game": 5}}),
            404,
            "unknown",
        ),
        ("/api/judge", json!({"game": "go9", "moves": ["E5", "E5"]}), 422, "occupied"),
        ("/api/edit", json!({"game": "chess", "clear": true}), 422, "badText"),
        ("/api/import", json!({"text": "what is this"}), 422, "badText"),
        ("/api/import", json!({"text": "(;GM[1]SZ[9];B[ee];W[ee])"}), 422, "occupied"),
        ("/api/explain", json!({"game": "tictactoe", "algorithm": "magic"}), 422, "badText"),
        ("/api/explain", json!({"game": "go19", "algorithm": "alphabeta", "depth": 100}), 422, "badText"),
        ("/api/frames", json!({"game": "go19", "moves": vec!["pass"; 4000]}), 413, "tooLarge"),
        ("/api/nothing", json!({}), 404, "unknown"),
    ] {
        let (found, answer) = site.post(path, body.clone()).await;
        assert_eq!((found, &answer["code"]), (status, &json!(code)), "{path} {body}: {answer}");
    }
    let (status, _, answer) = site.http("POST", "/api/judge", "", &"x".repeat(2 << 20)).await;
    assert!(status == 413 || status == 0, "{status} {answer}");
    // Whoever refuses it, and however it is asked: the answer is JSON with a code and a sentence.
    let is_trouble = |head: &str, body: &str| {
        let said: Value = serde_json::from_str(body).unwrap_or_default();
        head.contains("content-type: application/json") && said["code"].is_string() && !text(&said["text"]).is_empty()
    };
    for (method, path, extra, body, status) in [
        ("GET", "/api", "", "", 404),
        ("GET", "/api/nothing", "", "", 404),
        ("GET", "/api/library?limit=many", "", "", 400),
        ("GET", "/api/library?limit=1&offset=-1", "", "", 400),
        ("GET", "/api/library?winner=nobody", "", "", 400),
        ("GET", "/api/library/x", "", "", 400),
        ("GET", "/api/library/%ff/export", "", "", 400),
        ("GET", "/api/tables/%ff/export", "", "", 400),
        ("GET", "/api/socket", "", "", 400),
        ("GET", "/api/solved?game=zz", "", "", 404),
        ("POST", "/api/solved", "", r#"{"game":"zz"}"#, 404),
        ("DELETE", "/api/games", "", "", 405),
        ("PUT", "/api/judge", "", "{}", 405),
        ("POST", "/api/judge", "", "{", 422),
        ("POST", "/api/judge", "", "", 422),
        ("POST", "/api/judge", "content-encoding: br\r\n", r#"{"game":"go9"}"#, 200),
    ] {
        let (found, head, answer) = site.http(method, path, extra, body).await;
        assert_eq!(found, status, "{method} {path}: {head} {answer}");
        assert!(status == 200 || is_trouble(&head, &answer), "{method} {path}: {head} {answer}");
    }
    let (_, head, _) = site.http("DELETE", "/api/games", "", "").await;
    assert!(head.contains("allow: get"), "{head}");
    for path in [
        "/api/tables/nothing/export",
        "/api/solved?game=zz",
        "/api/library/99",
        "/api/library/x",
        "/api/runs/event-9",
        "/api/games/ludo/demo",
        "/assets/no.js",
    ] {
        let (status, _) = site.get(path).await;
        assert!((400..500).contains(&status), "{path}: {status}");
    }
    site.end().await;
}

#[tokio::test]
async fn other_sites_are_kept_out_and_headers_are_set() {
    let data = tempfile::tempdir().expect("a folder");
    let site = Site::start(data.path()).await;
    let body = json!({"game": "go9"}).to_string();
    let (status, ..) = site.http("POST", "/api/judge", "origin: http://evil.example\r\n", &body).await;
    assert_eq!(status, 403);
    let own = format!("origin: http://{}\r\n", site.address);
    let (status, head, _) = site.http("POST", "/api/judge", &own, &body).await;
    assert_eq!(status, 200);
    for header in [
        "content-security-policy: default-src 'self'",
        "frame-ancestors 'none'",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
    ] {
        assert!(head.contains(header), "{header} in {head}");
    }
    let mut request = format!("ws://{}/api/socket", site.address).into_client_request().expect("a request");
    request.headers_mut().insert("origin", HeaderValue::from_static("https://evil.example"));
    assert!(connect_async(request).await.is_err());
    let (status, head, _) = site.http("GET", "/learn/go", "accept-encoding: gzip\r\n", "").await;
    assert!(status == 200 && head.contains("text/html") && head.contains("etag:"), "{head}");
    site.end().await;
}

#[tokio::test]
async fn strangers_have_limits() {
    let data = tempfile::tempdir().expect("a folder");
    let site =
        Site::start_with(Config { data: data.path().to_owned(), threads: 1, public: true, ..Config::default() }).await;
    let mut statuses = Vec::new();
    for _ in 0..30 {
        statuses.push(site.post("/api/tables", json!({"game": "tictactoe", "mode": "here"})).await.0);
    }
    assert!(statuses[..20].iter().all(|status| *status == 200) && statuses.contains(&429), "{statuses:?}");
    // Counted together, however many sockets there are.
    let mut pages = [site.page().await, site.page().await, site.page().await];
    let mut granted = 0;
    while pages[granted % 3].ask(json!({"do": "leave"})).await["code"] != "tooMany" {
        granted += 1;
    }
    // Some places less than two hundred: pages answer pings, too.
    assert!((190..1000).contains(&granted), "{granted}");
    site.end().await;
}

#[tokio::test]
async fn a_data_directory_has_one_server() {
    let data = tempfile::tempdir().expect("a folder");
    let config = || Config { data: data.path().to_owned(), threads: 1, ..Config::default() };
    let site = Site::start_with(config()).await;
    let refused = Server::open(config()).await.err().expect("the games are another server's");
    assert!(refused.contains("another server") && refused.contains("--data") && !refused.contains('\n'), "{refused}");
    site.end().await;
    Site::start_with(config()).await.end().await;
}

#[tokio::test]
async fn nobody_works_for_who_has_gone() {
    let data = tempfile::tempdir().expect("a folder");
    let site =
        Site::start_with(Config { data: data.path().to_owned(), threads: 2, public: true, ..Config::default() }).await;
    let body = json!({"game": "go13", "algorithm": "mcts", "visits": 1000}).to_string();
    let begin = Instant::now();
    assert_eq!(site.http("POST", "/api/explain", "", &body).await.0, 200);
    let one = begin.elapsed();
    // As many as a visitor may have at once; then he goes away.
    let mut asked = Vec::new();
    for _ in 0..8 {
        let mut stream = tokio::net::TcpStream::connect(site.address).await.expect("it listens");
        let head = format!(
            "POST /api/explain HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            site.address,
            body.len()
        );
        stream.write_all(head.as_bytes()).await.expect("sent");
        asked.push(stream);
    }
    let load = async || site.get("/api/status").await.1["thoughts"].as_u64().expect("a number");
    while load().await < 4 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    assert_eq!(site.http("POST", "/api/judge", "", r#"{"game":"go9"}"#).await.0, 429, "no more at once");
    drop(asked);
    let begin = Instant::now();
    while load().await > 0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    assert!(begin.elapsed() < one * 3, "{:?}, and one takes {one:?}", begin.elapsed());
    site.end().await;
}

/// A server that is torn down in the middle of everything, as by a power cut, and one that comes after it.
#[test]
fn nothing_is_lost_when_the_server_dies() {
    let data = tempfile::tempdir().expect("a folder");
    let runtime =
        || tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime");
    let first = runtime();
    let (link, ai, seen) = first.block_on(async {
        let site = Site::start(data.path()).await;
        let clock = json!({"kind": "fischer", "mainMs": 600_000, "incrementMs": 1000});
        let link = site.table(json!({"game": "chess", "mode": "link", "clock": clock})).await;
        let mut white = site.sit(&link["id"], Some(text(&link["key"]))).await;
        let mut black = site.sit(&link["id"], Some(text(&link["otherKey"]))).await;
        white.play("e4").await;
        black.play("e5").await;
        white.play("Nf3").await;
        white.done(json!({"do": "chat", "text": "hello"})).await;
        black.until_live(|live| live["view"]["ply"] == 3).await;
        let ai = site.table(json!({"game": "go9", "mode": "ai", "side": "second", "levels": ["strongest"]})).await;
        // The machine thinks about its first move when the light goes out.
        let mut page = site.sit(&ai["id"], Some(text(&ai["key"]))).await;
        page.until_live(|live| live["thinking"] == "first").await;
        (link, ai, black.live)
    });
    first.shutdown_background();
    runtime().block_on(async {
        let site = Site::start(data.path()).await;
        while site.get("/api/status").await.1["tables"] != 2 {
            // Both games go on, as soon as they have been read.
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let black = site.sit(&link["id"], Some(text(&link["otherKey"]))).await;
        assert_eq!(black.live["view"], seen["view"]);
        assert_eq!((black.tree.len(), &black.you), (4, &json!("second")));
        let joined = black.heard.iter().find(|event| event["type"] == "joined").expect("the table");
        assert_eq!(joined["chat"][0]["text"], "hello");
        let left = |live: &Value, side: usize| live["clocks"]["left"][side]["ms"].as_u64().expect("a number");
        assert_eq!(left(&black.live, 0), left(&seen, 0), "White's clock stood still");
        assert!(left(&black.live, 1) <= left(&seen, 1) + 1000 && black.live["clocks"]["running"] == "second");
        let mut page = site.sit(&ai["id"], Some(text(&ai["key"]))).await;
        page.done(json!({"do": "moveNow"})).await;
        page.until_live(|live| live["view"]["ply"] == 1).await;
        site.end().await;
    });
}

#[tokio::test]
async fn the_description_of_the_interface_is_true() {
    let data = tempfile::tempdir().expect("a folder");
    let site = Site::start(data.path()).await;
    let (_, description) = site.get("/api/openapi.json").await;
    let mut tried = 0;
    for (path, methods) in description["paths"].as_object().expect("paths") {
        let post = &methods["post"];
        let examples = post["requestBody"]["content"]["application/json"]["examples"].as_object();
        assert!(post.is_null() || examples.is_some_and(|examples| !examples.is_empty()), "{path} has an example");
        for (name, example) in examples.into_iter().flatten() {
            let (status, answer) = site.post(path, example["value"].clone()).await;
            assert_eq!(status, 200, "{path}, {name}: {answer}");
            tried += 1;
        }
        if methods["get"].is_object() && !path.contains('{') && path != "/api/socket" {
            assert_eq!(site.get(path).await.0, 200, "{path}");
        }
    }
    assert!(tried >= 10);
    let (_, run) = site.get("/api/runs/log-example").await;
    assert!(run["series"].as_array().is_some_and(|series| series.len() >= 3));
    let mut page = site.page().await;
    page.done(json!({"do": "watch", "run": "log-example"})).await;
    assert!(page.heard.iter().any(|event| event["type"] == "run"));
    site.end().await;
}
