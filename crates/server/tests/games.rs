//! Games as people play them: against the machine, together, by link, with clocks and dice, to the end and beyond.

mod site;

use serde_json::{Value, json};
use site::{Site, text};
use std::time::Duration;

#[tokio::test]
async fn a_game_against_the_machine_is_played_taken_back_and_kept() {
    let data = tempfile::tempdir().expect("a folder");
    let site = Site::start(data.path()).await;
    let opened =
        site.table(json!({"game": "tictactoe", "mode": "ai", "levels": ["strongest"], "names": ["Ada"]})).await;
    let mut page = site.sit(&opened["id"], Some(text(&opened["key"]))).await;
    assert_eq!((&page.you, &page.live["status"]), (&json!("first"), &json!("playing")));
    assert_eq!(page.live["chairs"][0]["name"], "Ada");
    assert_eq!(page.live["view"]["legal"].as_array().map(Vec::len), Some(9));

    // A move, its answer, and back again.
    page.play("a1").await;
    page.until_live(|live| live["view"]["turn"] == "first" && live["view"]["ply"] == 2).await;
    page.refused(json!({"do": "play", "move": "a1"}), "occupied").await;
    page.done(json!({"do": "undo"})).await;
    assert_eq!((page.position(), page.tree.len()), (".../.../...", 1));

    // To the end, always the first legal move.
    while page.live["status"] != "over" {
        let mv = text(&page.live["view"]["legal"][0]["move"]).to_owned();
        page.play(&mv).await;
        page.until_live(|live| live["view"]["turn"] == "first" || live["status"] == "over").await;
    }
    assert_ne!(page.live["result"]["winner"], "first", "it never loses");
    page.refused(json!({"do": "play", "move": "a1"}), "over").await;
    page.until_live(|live| live["library"].is_number()).await;

    // In the library, to be read, replayed and exported.
    let (_, found) = site.get("/api/library?game=tictactoe&player=Ada").await;
    assert_eq!(found["total"], 1);
    let number = &found["games"][0]["id"];
    let (_, record) = site.get(&format!("/api/library/{number}")).await;
    assert_eq!(
        record["moves"].as_array().map(Vec::len),
        found["games"][0]["plies"].as_u64().map(|plies| plies as usize)
    );
    let (_, line) = site.get(&format!("/api/library/{number}/export?as=json")).await;
    assert_eq!(line["players"], json!(["Ada", "Tengen Strongest"]));
    let (_, all) = site.get("/api/library/export.jsonl").await;
    assert_eq!(all["game"], "tictactoe");
    let again =
        site.table(json!({"game": "tictactoe", "mode": "sandbox", "from": {"type": "library", "game": number}})).await;
    let sandbox = site.sit(&again["id"], Some(text(&again["key"]))).await;
    assert_eq!(sandbox.tree.len() as u64, 1 + found["games"][0]["plies"].as_u64().expect("a number"));

    // Another game, the other side, the same key.
    page.done(json!({"do": "rematch"})).await;
    let next = page.live["next"].clone();
    let page = site.sit(&next, Some(text(&opened["key"]))).await;
    assert_eq!(page.you, "second");
    site.end().await;
}

#[tokio::test]
async fn two_people_by_link() {
    let data = tempfile::tempdir().expect("a folder");
    let site = Site::start(data.path()).await;
    let opened = site.table(json!({"game": "chess", "mode": "link", "side": "second", "names": ["Ada"]})).await;
    let (own, other) = (text(&opened["key"]), text(&opened["otherKey"]));
    let mut black = site.sit(&opened["id"], Some(own)).await;
    assert_eq!((&black.you, &black.live["status"]), (&json!("second"), &json!("waiting")));
    let mut white = site.sit(&opened["id"], Some(other)).await;
    black.until_live(|live| live["status"] == "playing" && live["chairs"][0]["present"] == true).await;
    let mut stranger = site.sit(&opened["id"], None).await;
    assert_eq!(stranger.you, "spectator");
    let mut thief = site.page().await;
    thief.refused(json!({"do": "join", "table": opened["id"], "key": format!("{other}x")}), "forbidden").await;
    thief.refused(json!({"do": "play", "move": "e2e4"}), "unknownTable").await;

    // Who may move, and how moves are named.
    black.refused(json!({"do": "play", "move": "e7e5"}), "notYourTurn").await;
    stranger.refused(json!({"do": "play", "move": "e2e4"}), "forbidden").await;
    white.refused(json!({"do": "play", "move": "e2e5"}), "illegal").await;
    white.play("e4").await;
    stranger.until_live(|live| live["view"]["last"]["label"] == "e4").await;
    assert_eq!(stranger.live["view"]["last"]["touched"], json!(["e2", "e4"]));
    white.refused(json!({"do": "hint"}), "fairPlay").await;
    white.refused(json!({"do": "analyse"}), "fairPlay").await;
    black.until_live(|live| live["view"]["ply"] == 1).await;
    black.play("e7e5").await;

    // Offers: a move back, a draw that is declined.
    black.done(json!({"do": "undo"})).await;
    white.until_live(|live| live["offers"]["undo"] == "second").await;
    black.refused(json!({"do": "answer", "offer": "undo", "accept": true}), "notNow").await;
    white.done(json!({"do": "answer", "offer": "undo", "accept": true})).await;
    black.until_live(|live| live["view"]["ply"] == 1).await;
    black.play("c5").await;
    white.until_live(|live| live["view"]["ply"] == 2).await;
    white.done(json!({"do": "offer", "offer": "draw"})).await;
    black.until_live(|live| live["offers"]["draw"] == "first").await;
    black.done(json!({"do": "answer", "offer": "draw", "accept": false})).await;
    white.until_live(|live| live["offers"]["draw"].is_null()).await;
    // Nobody is asked twice about the same position.
    white.refused(json!({"do": "offer", "offer": "draw"}), "notNow").await;
    black.done(json!({"do": "offer", "offer": "draw"})).await;
    white.until_live(|live| live["offers"]["draw"] == "second").await;
    white.done(json!({"do": "answer", "offer": "draw", "accept": false})).await;
    black.refused(json!({"do": "offer", "offer": "draw"}), "notNow").await;
    white.play("Nf3").await;
    white.done(json!({"do": "offer", "offer": "draw"})).await;
    black.until_live(|live| live["offers"]["draw"] == "first" && live["view"]["ply"] == 3).await;

    // Words, also for who comes back later.
    white.done(json!({"do": "chat", "text": "  good luck \u{7} "})).await;
    black.until(|event| event["type"] == "chat" && event["line"]["text"] == "good luck").await;
    drop(black);
    white.until_live(|live| live["chairs"][1]["present"] == false).await;
    let mut black = site.sit(&opened["id"], Some(own)).await;
    let joined = black.heard.iter().find(|event| event["type"] == "joined").expect("the table");
    assert_eq!(joined["chat"][0]["text"], "good luck");
    assert_eq!((black.tree.len(), &black.live["view"]["last"]["label"]), (4, &json!("Nf3")));

    // A look back changes nothing.
    let first = black.tree.iter().find(|node| node["played"]["label"] == "e4").expect("played")["id"].clone();
    let looked = black.ask(json!({"do": "look", "node": first})).await;
    assert_eq!((&looked["type"], &looked["view"]["turn"]), (&json!("looked"), &json!("second")));
    assert_eq!(black.live["view"]["ply"], 3);

    black.done(json!({"do": "resign"})).await;
    white.until_live(|live| live["status"] == "over").await;
    assert_eq!(white.live["result"], json!({"winner": "first", "by": "resign", "points": null}));
    white.done(json!({"do": "rematch"})).await;
    black.until_live(|live| live["offers"]["rematch"] == "first").await;
    black.done(json!({"do": "answer", "offer": "rematch", "accept": true})).await;
    white.until_live(|live| live["next"].is_string()).await;
    let white = site.sit(&white.live["next"].clone(), Some(other)).await;
    assert_eq!(white.you, "second", "sides are changed");
    site.end().await;
}

#[tokio::test]
async fn the_end_of_a_go_game_is_agreed_on() {
    let data = tempfile::tempdir().expect("a folder");
    let site = Site::start(data.path()).await;
    let corner = "OO1X1O3/3X1O3/XXXX1O3/4XO3/4XO3/3XXO3/3XO4/3XO4/3XO4 b - 0 0 0 7.5 chinese 0";
    let opened = site.table(json!({"game": "go9", "mode": "here", "setup": {"position": corner}})).await;
    let mut page = site.sit(&opened["id"], Some(text(&opened["key"]))).await;
    assert_eq!(page.you, "both");
    page.play("pass").await;
    page.play("pass").await;
    page.until_live(|live| live["status"] == "counting" && live["counting"]["judged"] == true).await;
    let mut dead: Vec<&str> = page.live["counting"]["dead"].as_array().expect("a list").iter().map(text).collect();
    dead.sort_unstable();
    assert_eq!(dead, ["A9", "B9"]);
    let with_dead = page.live["counting"]["points"].clone();
    assert_eq!(page.live["counting"]["owners"][0], "first");
    page.refused(json!({"do": "play", "move": "E9"}), "notNow").await;
    page.refused(json!({"do": "toggle", "cell": "C9"}), "illegal").await;
    page.done(json!({"do": "toggle", "cell": "B9"})).await;
    assert_eq!(page.live["counting"]["dead"], json!([]));
    assert_ne!(page.live["counting"]["points"], with_dead);

    // Doubts are settled by playing on.
    page.done(json!({"do": "resume"})).await;
    assert_eq!(
        (&page.live["status"], &page.live["view"]["turn"], page.tree.len()),
        (&json!("playing"), &json!("first"), 1)
    );
    page.play("pass").await;
    page.play("pass").await;
    page.until_live(|live| live["counting"]["judged"] == true).await;
    page.done(json!({"do": "accept", "count": page.live["counting"]["number"]})).await;
    page.until_live(|live| live["status"] == "over").await;
    let points = with_dead.as_array().expect("two").iter().filter_map(Value::as_f64).collect::<Vec<_>>();
    assert_eq!(page.live["result"]["points"].as_f64(), Some((points[0] - points[1]).abs()));
    assert_eq!(page.live["result"]["by"], "score");
    site.end().await;
}

#[tokio::test]
async fn nobody_agrees_to_a_count_he_has_not_seen() {
    let data = tempfile::tempdir().expect("a folder");
    let site = Site::start(data.path()).await;
    let corner = "OO1X1O3/3X1O3/XXXX1O3/4XO3/4XO3/3XXO3/3XO4/3XO4/3XO4 b - 0 0 0 7.5 chinese 0";
    let opened = site.table(json!({"game": "go9", "mode": "link", "setup": {"position": corner}})).await;
    let mut black = site.sit(&opened["id"], Some(text(&opened["key"]))).await;
    let mut white = site.sit(&opened["id"], Some(text(&opened["otherKey"]))).await;
    black.play("pass").await;
    white.play("pass").await;
    for page in [&mut black, &mut white] {
        page.until_live(|live| live["counting"]["judged"] == true).await;
    }
    // Black says that White's stones live after all; White has not heard of it when he agrees.
    let seen = white.live["counting"]["number"].clone();
    black.done(json!({"do": "toggle", "cell": "B9"})).await;
    white.refused(json!({"do": "accept", "count": seen}), "changed").await;
    assert_eq!((&white.live["status"], &white.live["counting"]["dead"]), (&json!("counting"), &json!([])));
    black.done(json!({"do": "accept", "count": black.live["counting"]["number"]})).await;
    assert_eq!(black.live["status"], "counting", "White has agreed to nothing");
    white.refused(json!({"do": "accept"}), "badMessage").await;
    // Back and forth is another count, even with the same stones.
    black.done(json!({"do": "toggle", "cell": "B9"})).await;
    white.refused(json!({"do": "accept", "count": seen}), "changed").await;
    white.done(json!({"do": "accept", "count": white.live["counting"]["number"]})).await;
    black.until_live(|live| live["counting"]["accepted"] == json!([false, true])).await;
    black.done(json!({"do": "accept", "count": black.live["counting"]["number"]})).await;
    assert_eq!((&black.live["status"], &black.live["result"]["by"]), (&json!("over"), &json!("score")));
    site.end().await;
}

#[tokio::test]
async fn a_result_tells_what_was_lost() {
    let data = tempfile::tempdir().expect("a folder");
    let site = Site::start(data.path()).await;
    let side = "9/9/9/9/9/9/5XXXX/4XOOOO/4X3X b - 0 0 0 7.5 chinese 0";
    let opened = site.table(json!({"game": "go9", "mode": "here", "setup": {"position": side}})).await;
    let mut page = site.sit(&opened["id"], Some(text(&opened["key"]))).await;
    for mv in ["H1", "A1", "G1", "A2", "F1"] {
        page.play(mv).await;
    }
    assert_eq!(page.live["fall"], Value::Null, "the game goes on");
    page.done(json!({"do": "resign"})).await;
    assert_eq!(page.live["fall"], json!({"side": "second", "stones": 4, "area": "bottomRight", "taken": 5}));
    site.end().await;
}

#[tokio::test]
async fn clocks_run_and_fall() {
    let data = tempfile::tempdir().expect("a folder");
    let site = Site::start(data.path()).await;
    let clock = json!({"kind": "absolute", "mainMs": 700});
    let opened = site.table(json!({"game": "connect4", "mode": "here", "clock": clock})).await;
    let mut page = site.sit(&opened["id"], Some(text(&opened["key"]))).await;
    assert!(page.live["clocks"]["running"].is_null(), "nobody has moved yet");
    page.play("4").await;
    page.play("4").await;
    assert_eq!(page.live["clocks"]["running"], "first");
    page.until_live(|live| live["status"] == "over").await;
    assert_eq!(page.live["result"], json!({"winner": "second", "by": "time", "points": null}));
    page.refused(json!({"do": "play", "move": "4"}), "over").await;

    let silly = json!({"kind": "byoyomi", "mainMs": 0, "periods": 0, "periodMs": 5});
    let (status, refused) = site.post("/api/tables", json!({"game": "go9", "mode": "here", "clock": silly})).await;
    assert_eq!((status, &refused["code"]), (422, &json!("badMessage")));
    site.end().await;
}

#[tokio::test]
async fn dice_are_the_servers() {
    let data = tempfile::tempdir().expect("a folder");
    let site = Site::start(data.path()).await;
    let opened = site.table(json!({"game": "backgammon", "mode": "ai", "levels": ["beginner"]})).await;
    let mut page = site.sit(&opened["id"], Some(text(&opened["key"]))).await;
    assert_eq!((&page.live["view"]["turn"], &page.live["view"]["toMove"]), (&json!("chance"), &json!("first")));
    page.refused(json!({"do": "play", "move": "66"}), "notNow").await;
    page.done(json!({"do": "roll"})).await;
    assert_eq!(page.live["view"]["drawn"]["dice"].as_array().map(Vec::len), Some(2));
    page.refused(json!({"do": "roll"}), "notNow").await;
    let mv = text(&page.live["view"]["legal"][0]["move"]).to_owned();
    page.play(&mv).await;
    // The machine rolls and moves; then it is for us to roll again.
    page.until_live(|live| {
        live["view"]["turn"] == "chance" && live["view"]["toMove"] == "first" && live["view"]["ply"] == 4
    })
    .await;
    page.done(json!({"do": "undo"})).await;
    assert_eq!(page.live["view"]["ply"], 1, "back to our own decision, the dice stay");
    site.end().await;
}

#[tokio::test]
async fn dice_that_are_taken_back_come_again() {
    let data = tempfile::tempdir().expect("a folder");
    let mut site = Site::start(data.path()).await;
    let opened = site.table(json!({"game": "pig", "mode": "ai", "levels": ["beginner"]})).await;
    let key = text(&opened["key"]).to_owned();
    let mut page = site.sit(&opened["id"], Some(&key)).await;
    let mut fell = Vec::new();
    for attempt in 0..8 {
        if attempt == 6 {
            // They are in the table's log.
            drop(page);
            site.end().await;
            site = Site::start(data.path()).await;
            page = site.sit(&opened["id"], Some(&key)).await;
        }
        page.play("roll").await;
        page.done(json!({"do": "roll", "node": page.live["at"]})).await;
        fell.push(page.live["view"]["last"]["move"].clone());
        // After a one it is the machine's turn.
        page.done(json!({"do": "undo"})).await;
        assert_eq!(page.live["view"]["ply"], 0);
    }
    assert!(fell.iter().all(|face| *face == fell[0]), "{fell:?}");
    // Two in a row, both as they were, and nobody gets round the second by going another way.
    page.play("roll").await;
    page.done(json!({"do": "roll"})).await;
    assert_eq!(page.live["view"]["last"]["move"], fell[0]);
    site.end().await;
}

#[tokio::test]
async fn a_move_that_comes_twice_is_played_once() {
    let data = tempfile::tempdir().expect("a folder");
    let site = Site::start(data.path()).await;
    let opened = site.table(json!({"game": "go9", "mode": "here"})).await;
    let mut page = site.sit(&opened["id"], Some(text(&opened["key"]))).await;
    let pass = json!({"do": "play", "move": "pass", "node": page.live["at"]});
    page.done(pass.clone()).await;
    page.refused(pass, "changed").await;
    assert_eq!((&page.live["view"]["ply"], &page.live["status"]), (&json!(1), &json!("playing")));
    page.refused(json!({"do": "play", "move": "pass"}), "badMessage").await;

    // A die is not rolled twice, and a late word is not taken for an answer to the machine's move.
    let opened = site.table(json!({"game": "pig", "mode": "here"})).await;
    let mut page = site.sit(&opened["id"], Some(text(&opened["key"]))).await;
    page.play("roll").await;
    let roll = json!({"do": "roll", "node": page.live["at"]});
    page.done(roll.clone()).await;
    page.refused(roll, "changed").await;
    let opened = site.table(json!({"game": "go9", "mode": "ai", "levels": ["beginner"]})).await;
    let mut page = site.sit(&opened["id"], Some(text(&opened["key"]))).await;
    let first = page.live["at"].clone();
    page.play("E5").await;
    page.until_live(|live| live["view"]["turn"] == "first").await;
    page.refused(json!({"do": "play", "move": "pass", "node": first}), "changed").await;
    site.end().await;
}

#[tokio::test]
async fn no_help_in_a_game_against_a_person() {
    let data = tempfile::tempdir().expect("a folder");
    let site = Site::start(data.path()).await;
    let opened = site.table(json!({"game": "chess", "mode": "link"})).await;
    let table = opened["id"].clone();
    let mut white = site.sit(&table, Some(text(&opened["key"]))).await;
    let mut black = site.sit(&table, Some(text(&opened["otherKey"]))).await;
    white.play("e4").await;
    black.until_live(|live| live["view"]["ply"] == 1).await;
    black.play("e5").await;
    white.until_live(|live| live["view"]["ply"] == 2).await;
    // A second tab at the table, without the key.
    let mut tab = site.sit(&table, None).await;
    for wish in [json!({"do": "hint"}), json!({"do": "analyse"}), json!({"do": "review"})] {
        tab.refused(wish, "fairPlay").await;
    }
    // A copy of the game, to analyse or to play on against the machine.
    for mode in ["sandbox", "here", "ai", "watch"] {
        let copy =
            json!({"game": "chess", "mode": mode, "levels": ["beginner"], "from": {"type": "table", "table": table}});
        let (status, answer) = site.post("/api/tables", copy).await;
        assert_eq!((status, &answer["code"]), (403, &json!("fairPlay")), "{mode}: {answer}");
    }
    // The same position by other ways: moves, a position's text, an exported file, a step-by-step search.
    let position = json!({"position": white.live["view"]["position"]});
    for beginning in [json!({"moves": ["e4", "e5"]}), json!({"setup": position})] {
        for mode in ["ai", "watch"] {
            let mut wanted = json!({"game": "chess", "mode": mode, "levels": ["beginner"]});
            wanted.as_object_mut().expect("an object").extend(beginning.as_object().expect("an object").clone());
            let (status, answer) = site.post("/api/tables", wanted).await;
            assert_eq!((status, &answer["code"]), (403, &json!("fairPlay")), "{mode} {beginning}: {answer}");
        }
        let mut wanted = json!({"game": "chess", "mode": "sandbox"});
        wanted.as_object_mut().expect("an object").extend(beginning.as_object().expect("an object").clone());
        let sandbox = site.table(wanted).await;
        let mut sandbox = site.sit(&sandbox["id"], Some(text(&sandbox["key"]))).await;
        let end = sandbox.tree.len() - 1;
        sandbox.done(json!({"do": "goto", "node": end})).await;
        for wish in [json!({"do": "hint"}), json!({"do": "analyse"}), json!({"do": "review"})] {
            sandbox.refused(wish, "fairPlay").await;
        }
        // Nor a move or two later.
        sandbox.play("Nf3").await;
        sandbox.refused(json!({"do": "analyse"}), "fairPlay").await;
        sandbox.play("Nc6").await;
        sandbox.refused(json!({"do": "analyse"}), "fairPlay").await;
    }
    let (_, _, pgn) = site.http("GET", &format!("/api/tables/{}/export?as=pgn", text(&table)), "", "").await;
    let (_, imported) = site.post("/api/import", json!({"text": pgn})).await;
    let mut imported = site.sit(&imported["id"], Some(text(&imported["key"]))).await;
    imported.refused(json!({"do": "analyse", "node": 2}), "fairPlay").await;
    let search = json!({"game": "chess", "moves": ["e4", "e5"], "algorithm": "alphabeta", "depth": 1});
    let (status, answer) = site.post("/api/explain", search.clone()).await;
    assert_eq!((status, &answer["code"]), (403, &json!("fairPlay")), "{answer}");

    // Anything else may be studied meanwhile, and everything afterwards.
    let other = site.table(json!({"game": "chess", "mode": "sandbox", "moves": ["d4", "d5"]})).await;
    let mut other = site.sit(&other["id"], Some(text(&other["key"]))).await;
    other.done(json!({"do": "analyse", "node": 2, "seconds": 0.1})).await;
    white.done(json!({"do": "resign"})).await;
    imported.done(json!({"do": "analyse", "node": 2, "seconds": 0.1})).await;
    tab.done(json!({"do": "analyse", "seconds": 0.1})).await;
    assert_eq!(site.post("/api/explain", search).await.0, 200);
    let copy = json!({"game": "chess", "mode": "sandbox", "from": {"type": "table", "table": table}});
    assert_eq!(site.post("/api/tables", copy).await.0, 200);
    site.end().await;
}

#[tokio::test]
async fn the_machine_plays_itself_and_can_be_halted() {
    let data = tempfile::tempdir().expect("a folder");
    let site = Site::start(data.path()).await;
    let opened = site.table(json!({"game": "go5", "mode": "watch", "levels": ["beginner", "novice"]})).await;
    let mut owner = site.sit(&opened["id"], Some(text(&opened["key"]))).await;
    let mut guest = site.sit(&opened["id"], None).await;
    guest.until_live(|live| live["view"]["ply"].as_u64() >= Some(2)).await;
    guest.refused(json!({"do": "pause", "on": true}), "forbidden").await;
    owner.done(json!({"do": "pause", "on": true})).await;
    assert_eq!(owner.live["paused"], true);
    let halted = owner.live["view"]["ply"].as_u64();
    owner.done(json!({"do": "pause", "on": false})).await;
    owner.until_live(|live| live["view"]["ply"].as_u64() > halted).await;
    site.end().await;
}

#[tokio::test]
async fn sandboxes_have_variations_comments_files_and_analysis() {
    let data = tempfile::tempdir().expect("a folder");
    let site = Site::start(data.path()).await;
    let opened = site.table(json!({"game": "go9", "mode": "sandbox"})).await;
    let mut page = site.sit(&opened["id"], Some(text(&opened["key"]))).await;
    let mut guest = site.sit(&opened["id"], None).await;
    for mv in ["E5", "C3", "G7"] {
        page.play(mv).await;
    }
    page.done(json!({"do": "play", "move": "C4", "node": 1})).await;
    assert_eq!(page.tree.len(), 5);
    guest.refused(json!({"do": "play", "move": "A1"}), "forbidden").await;
    guest.refused(json!({"do": "goto", "node": 1}), "forbidden").await;
    page.done(json!({"do": "promote", "node": page.live["at"]})).await;
    page.done(json!({"do": "comment", "node": 1, "text": "the centre"})).await;
    page.done(json!({"do": "marks", "node": 1, "marks": [{"cell": "E5", "shape": "triangle"}]})).await;
    page.refused(json!({"do": "goto", "node": 99}), "unknown").await;
    page.refused(json!({"do": "resign"}), "notNow").await;

    let (_, _, sgf) = site.http("GET", &format!("/api/tables/{}/export?as=sgf", text(&opened["id"])), "", "").await;
    assert!(sgf.contains("the centre") && sgf.contains("(;W["), "{sgf}");
    let (status, imported) = site.post("/api/import", json!({"text": sgf})).await;
    assert_eq!(status, 200, "{imported}");
    let copy = site.sit(&imported["id"], Some(text(&imported["key"]))).await;
    assert_eq!(copy.tree.len(), 5);
    assert!(copy.tree.iter().any(|node| node["comment"] == "the centre"));
    // Variations that begin alike are one until they part; what is said of either stays.
    let twice = "(;GM[1]SZ[9](;B[ee];W[ff](;B[aa])(;B[bb]))(;B[ee]C[again];W[gg];B[cc])(;B[ee];W[ff];B[bb]))";
    let (status, imported) = site.post("/api/import", json!({"text": twice})).await;
    assert_eq!(status, 200, "{imported}");
    let merged = site.sit(&imported["id"], Some(text(&imported["key"]))).await;
    let moves: Vec<(u64, &str)> = merged
        .tree
        .iter()
        .skip(1)
        .map(|node| (node["parent"].as_u64().unwrap(), text(&node["played"]["move"])))
        .collect();
    assert_eq!(moves, [(0, "E5"), (1, "F4"), (2, "A9"), (2, "B8"), (1, "G3"), (5, "C7")]);
    assert_eq!(merged.tree[1]["comment"], "again");
    let line = json!({"game": "go9", "mode": "ai", "levels": ["beginner"], "from": {"type": "table", "table": opened["id"], "node": 2}});
    let played_on = site.table(line).await;
    let played_on = site.sit(&played_on["id"], Some(text(&played_on["key"]))).await;
    assert_eq!(played_on.live["view"]["ply"], 2);

    page.done(json!({"do": "delete", "node": 2})).await;
    assert_eq!(page.tree.len(), 3);
    page.done(json!({"do": "goto", "node": 1})).await;
    // As long as a busy machine may need to find something.
    page.done(json!({"do": "analyse", "seconds": 20})).await;
    let found = |event: &Value| event["type"] == "analysis" && event["analysis"]["nodes"].as_u64() > Some(10);
    let analysis = page.until(found).await["analysis"].clone();
    assert_eq!((&analysis["node"], analysis["ownership"].as_array().map(Vec::len)), (&json!(1), Some(81)));
    assert!(analysis["candidates"][0]["pv"][0]["touched"].is_array(), "{analysis}");
    // A shorter question takes its place, and has an end.
    page.done(json!({"do": "analyse", "seconds": 0.2})).await;
    page.until(|event| event["type"] == "analysis" && event["analysis"]["done"] == true).await;
    site.end().await;
}

#[tokio::test]
async fn hints_reviews_and_exact_values() {
    let data = tempfile::tempdir().expect("a folder");
    let site = Site::start(data.path()).await;
    let moves = json!(["a1", "a2", "c1", "b1"]);
    let opened = site.table(json!({"game": "tictactoe", "mode": "sandbox", "moves": moves})).await;
    let mut page = site.sit(&opened["id"], Some(text(&opened["key"]))).await;
    page.done(json!({"do": "goto", "node": 3})).await;
    let hint = page.ask(json!({"do": "hint"})).await;
    assert_eq!(
        (&hint["type"], &hint["candidate"]["move"]["move"]),
        (&json!("hint"), &json!("b1")),
        "the only move that holds a while"
    );
    page.done(json!({"do": "analyse", "seconds": 1})).await;
    let analysis = page.until(|event| event["type"] == "analysis").await["analysis"].clone();
    assert_eq!(analysis["exact"]["here"]["winner"], "first");
    assert_eq!(analysis["value"], 1.0, "values are for First, though Second is to move");
    page.done(json!({"do": "review"})).await;
    page.until(|event| event["type"] == "review" && event["finished"] == true).await;
    let judged = |id: u64| page.tree.iter().find(|node| node["id"] == id).map(|node| node["judged"]["kind"].clone());
    assert_eq!((judged(2), judged(4)), (Some(json!("blunder")), Some(json!("best"))));
    site.end().await;
}

#[tokio::test]
async fn the_machine_plays_itself_before_eyes_only() {
    let data = tempfile::tempdir().expect("a folder");
    let site = Site::start(data.path()).await;
    let clock = json!({"kind": "absolute", "mainMs": 2000});
    let wanted = json!({"game": "othello6", "mode": "watch", "levels": ["beginner"], "clock": clock});
    let opened = site.table(wanted).await;
    // Between two moves there is a third of a second: with an eye on it, three would have been made.
    let unseen = || tokio::time::sleep(Duration::from_millis(1500));
    unseen().await;
    let mut page = site.sit(&opened["id"], None).await;
    assert_eq!(page.live["view"]["ply"], 0);
    page.until_live(|live| live["view"]["ply"].as_u64() >= Some(3)).await;
    let seen = page.live["view"]["ply"].as_u64();
    drop(page);
    unseen().await;
    let page = site.sit(&opened["id"], None).await;
    let ply = page.live["view"]["ply"].as_u64();
    assert!(ply <= seen.map(|seen| seen + 1), "{ply:?} after {seen:?}");
    drop(page);
    site.end().await;
    // Nor does it after a restart, and its clock has stood still.
    let site = Site::start(data.path()).await;
    unseen().await;
    let mut page = site.sit(&opened["id"], None).await;
    let again = page.live["view"]["ply"].as_u64();
    assert!(again <= ply.map(|ply| ply + 1), "{again:?} after {ply:?}");
    page.until_live(|live| live["view"]["ply"].as_u64() > again).await;
    site.end().await;
}
