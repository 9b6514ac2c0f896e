//! UCI as a GUI meets it: the real loop between two pipes.

use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tengen_speak::uci::serve;

/// Long, because the machine may be busy; what is tested never takes so long.
const PATIENCE: Duration = Duration::from_secs(20);

struct Gui {
    to_engine: Option<PipeWriter>,
    lines: Receiver<String>,
    engine: Option<JoinHandle<()>>,
}

impl Gui {
    fn new() -> Gui {
        let (engine_input, to_engine) = std::io::pipe().expect("a pipe");
        let (from_engine, engine_output): (PipeReader, PipeWriter) = std::io::pipe().expect("a pipe");
        let engine = std::thread::spawn(move || serve(BufReader::new(engine_input), engine_output));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(from_engine).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Gui { to_engine: Some(to_engine), lines, engine: Some(engine) }
    }

    fn say(&mut self, text: &str) {
        self.bytes(format!("{text}\n").as_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.to_engine.as_mut().expect("still connected").write_all(bytes).expect("the engine reads");
    }

    /// All lines up to the first that begins with `end`.
    fn until(&self, end: &str) -> Vec<String> {
        let mut seen = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => {
                    let last = line.starts_with(end);
                    seen.push(line);
                    if last {
                        return seen;
                    }
                }
                Err(error) => panic!("{error} while waiting for {end}; seen: {seen:#?}"),
            }
        }
    }

    /// Nothing but `info` is said for a while.
    fn is_quiet_for(&self, time: Duration) {
        let start = Instant::now();
        while let Some(left) = time.checked_sub(start.elapsed()) {
            match self.lines.recv_timeout(left) {
                Ok(line) => assert!(line.starts_with("info"), "too early: {line}"),
                Err(RecvTimeoutError::Timeout) => return,
                Err(error) => panic!("{error}"),
            }
        }
    }

    /// The engine is alive and has done everything it was asked; what it said on the way.
    fn ready(&mut self) -> Vec<String> {
        self.say("isready");
        self.until("readyok")
    }

    fn best(&self) -> String {
        let lines = self.until("bestmove");
        lines.last().expect("it ends with it").split(' ').nth(1).expect("a move").to_owned()
    }
}

impl Drop for Gui {
    /// The engine leaves when its input ends.
    fn drop(&mut self) {
        self.to_engine = None;
        if let Some(engine) = self.engine.take()
            && !std::thread::panicking()
        {
            engine.join().expect("the engine leaves in peace");
        }
    }
}

#[test]
fn it_introduces_itself() {
    let mut gui = Gui::new();
    gui.say("uci");
    let lines = gui.until("uciok");
    assert!(lines[0].starts_with("id name Tengen"));
    for name in [
        "Hash",
        "Threads",
        "MultiPV",
        "Ponder",
        "SyzygyPath",
        "OwnBook",
        "BookFile",
        "Move Overhead",
        "UCI_Chess960",
        "UCI_Variant",
        "UCI_LimitStrength",
        "UCI_Elo",
        "UCI_ShowWDL",
        "Clear Hash",
        "UCI_AnalyseMode",
    ] {
        assert!(lines.iter().any(|line| line.starts_with(&format!("option name {name} type "))), "{name}");
    }
    assert_eq!(gui.ready(), ["readyok"]);
}

/// Every form of `go` ends with exactly one best move, and an info line with a score of whole numbers comes before it.
#[test]
fn every_go_is_answered_once() {
    let mut gui = Gui::new();
    for go in [
        "go wtime 100",
        "go btime 100",
        "go wtime 300 btime 300 winc 10 binc 10",
        "go wtime 50 btime 50 movestogo 1",
        "go wtime 0 btime 0",
        "go wtime -20 btime -20",
        "go depth 4",
        "go nodes 500",
        "go nodes 1",
        "go movetime 30",
        "go movetime 0",
        "go mate 1",
        "go depth 3 searchmoves a2a3 h2h3",
    ] {
        let position = if go.contains("mate") {
            "position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"
        } else {
            "position startpos moves e2e4 e7e5"
        };
        gui.say(position);
        gui.say(go);
        let lines = gui.until("bestmove");
        let infos: Vec<&String> = lines.iter().filter(|line| line.contains(" score ")).collect();
        assert!(!infos.is_empty(), "{go}: {lines:?}");
        for line in infos {
            check_info(line);
        }
        let best = lines.last().expect("it ends with it");
        if go.contains("searchmoves") {
            assert!(best.starts_with("bestmove a2a3") || best.starts_with("bestmove h2h3"), "{best}");
        }
        if go.contains("mate") {
            assert_eq!(best, "bestmove d1d8");
        }
        assert_eq!(gui.ready(), ["readyok"], "{go} is answered once");
    }
}

/// Values are whole numbers, and the line is made of moves.
fn check_info(line: &str) {
    let words: Vec<&str> = line.split(' ').collect();
    let mut index = 1;
    while index < words.len() {
        let number =
            |at: usize| words.get(at).and_then(|word| word.parse::<i64>().ok()).unwrap_or_else(|| panic!("{line}"));
        match words[index] {
            "depth" | "seldepth" | "multipv" | "nodes" | "nps" | "hashfull" | "tbhits" | "time" => {
                assert!(number(index + 1) >= 0, "{line}");
                index += 2;
            }
            "score" => {
                assert!(["cp", "mate"].contains(&words[index + 1]), "{line}");
                number(index + 2);
                index += 3;
            }
            "wdl" => {
                assert_eq!((1..=3).map(|part| number(index + part)).sum::<i64>(), 1000, "{line}");
                index += 4;
            }
            "lowerbound" | "upperbound" => index += 1,
            "pv" => {
                assert!(words.len() > index + 1, "{line}");
                assert!(words[index + 1..].iter().all(|mv| (4..=5).contains(&mv.len())), "{line}");
                return;
            }
            word => panic!("{word} in {line}"),
        }
    }
}

#[test]
fn infinite_waits_for_stop() {
    let mut gui = Gui::new();
    for (position, go) in [
        ("position startpos", "go infinite"),
        ("position startpos", "go"),
        // The search is done at once here: the answer waits all the same.
        ("position fen k7/8/1K6/8/8/8/8/7R b - - 0 1", "go infinite"),
        ("position fen 7k/5Q2/5K2/8/8/8/8/8 b - - 0 1", "go infinite"),
    ] {
        gui.say(position);
        gui.say(go);
        gui.is_quiet_for(Duration::from_millis(250));
        // The loop listens during the search.
        gui.say("isready");
        gui.until("readyok");
        gui.say("stop");
        gui.until("bestmove");
        // A second stop is one too many, and harmless.
        gui.say("stop");
        assert_eq!(gui.ready(), ["readyok"]);
    }
}

#[test]
fn pondering_waits_for_the_hit_or_the_stop() {
    let mut gui = Gui::new();
    gui.say("position startpos moves e2e4 e7e5");
    gui.say("go ponder wtime 200 btime 200");
    gui.is_quiet_for(Duration::from_millis(400));
    gui.say("ponderhit");
    gui.until("bestmove");
    gui.say("go ponder depth 1");
    gui.is_quiet_for(Duration::from_millis(200));
    gui.say("stop");
    gui.until("bestmove");
    // Hit while it is still at it: then the limits hold.
    gui.say("go ponder movetime 100");
    gui.say("ponderhit");
    gui.until("bestmove");
    assert_eq!(gui.ready(), ["readyok"]);
}

#[test]
fn another_search_has_to_wait_for_the_first() {
    let mut gui = Gui::new();
    gui.say("position startpos");
    gui.say("go infinite");
    gui.say("go depth 3");
    let refusal = gui.until("info string");
    assert!(refusal.last().expect("one line").contains("under way"));
    // What is asked after the stop comes in its turn.
    gui.say("stop");
    gui.say("position startpos moves d2d4");
    gui.say("go depth 2");
    gui.until("bestmove");
    gui.until("bestmove");
    assert_eq!(gui.ready(), ["readyok"]);
}

#[test]
fn what_is_malformed_is_reported_and_ignored() {
    let mut gui = Gui::new();
    gui.say("position startpos moves e2e4");
    for (line, complaint) in [
        ("hello", "unknown command"),
        ("go depth x", "needs a number"),
        ("position fen nonsense", "info string"),
        ("position startpos moves e2e4 e2e4", "not legal"),
        ("setoption name Hash value -1", "from 1 to"),
        ("setoption name SyzygyPath value /nonexistent/tables", "no tablebases"),
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "king"),
    ] {
        gui.say(line);
        let lines = gui.ready();
        assert!(lines[0].starts_with("info string") && lines[0].contains(complaint), "{line}: {lines:?}");
    }
    // The position is still the one from before.
    gui.say("d");
    let lines = gui.ready();
    assert!(lines[0].contains("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq"), "{lines:?}");
}

#[test]
fn a_megabyte_of_noise_does_no_harm() {
    let mut gui = Gui::new();
    let mut number = 1u64;
    let noise: Vec<u8> = (0..1 << 20)
        .map(|_| {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (number >> 56) as u8
        })
        .collect();
    gui.bytes(&noise);
    gui.bytes(b"\n");
    gui.bytes(&vec![b'x'; 3 << 20]);
    gui.bytes(b"\n");
    gui.say("isready");
    gui.until("readyok");
    gui.say("position startpos");
    gui.say("go depth 2");
    gui.until("bestmove");
}

#[test]
fn mate_and_stalemate_have_no_best_move() {
    let mut gui = Gui::new();
    for (fen, score) in
        [("3R2k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1", "mate 0"), ("7k/5Q2/5K2/8/8/8/8/8 b - - 0 1", "cp 0")]
    {
        gui.say(&format!("position fen {fen}"));
        gui.say("go depth 3");
        let lines = gui.until("bestmove");
        assert_eq!(lines, [format!("info depth 0 score {score}"), "bestmove (none)".to_owned()]);
    }
}

/// Not every GUI ends a game that the rules call drawn: then the engine goes on.
#[test]
fn a_drawn_game_can_go_on() {
    let mut gui = Gui::new();
    for position in [
        "position fen 8/8/8/3k4/8/8/8/2Q1K3 w - - 99 80 moves c1c2 d5e5 c2c3",
        "position fen 8/8/8/3k4/8/8/8/4K1N1 w - - 0 1 moves g1f3",
        "position startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3",
    ] {
        gui.say(position);
        gui.say("go depth 3");
        let best = gui.best();
        assert_eq!(best.len(), 4, "{position}: {best}");
        assert_eq!(gui.ready(), ["readyok"], "{position}");
    }
}

#[test]
fn several_lines_and_chances() {
    let mut gui = Gui::new();
    gui.say("setoption name MultiPV value 3");
    gui.say("setoption name UCI_ShowWDL value true");
    gui.say("position startpos");
    gui.say("go depth 5");
    let lines = gui.until("bestmove");
    for rank in 1..=3 {
        let prefix = format!(" multipv {rank} ");
        let found: Vec<&String> =
            lines.iter().filter(|line| line.starts_with("info depth 5 ") && line.contains(&prefix)).collect();
        assert_eq!(found.len(), 1, "{lines:#?}");
        check_info(found[0]);
        assert!(found[0].contains(" wdl "));
    }
}

#[test]
fn chess960_writes_castling_as_the_king_taking_his_rook() {
    let mut gui = Gui::new();
    gui.say("setoption name UCI_Chess960 value true");
    gui.say("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1h1");
    gui.say("d");
    assert!(gui.ready()[0].contains("4k3/8/8/8/8/8/8/5RK1 b"));
    gui.say("position fen 4k3/8/8/8/8/8/8/4K2R w H - 0 1");
    gui.say("go depth 3 searchmoves e1h1");
    assert_eq!(gui.best(), "e1h1");
    gui.say("setoption name UCI_Chess960 value false");
    gui.say("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    gui.say("go depth 3 searchmoves e1g1");
    assert_eq!(gui.best(), "e1g1");
}

#[test]
fn every_variant_thinks() {
    let mut gui = Gui::new();
    for (variant, position, best) in [
        ("crazyhouse", "fen 6rk/6pp/8/8/8/8/8/K7[N] w - - 0 1", "N@f7"),
        ("3check", "fen 4k3/ppp1pppp/8/8/8/8/8/Q3K3 w - - 1+3 0 1", "a1a4"),
        ("kingofthehill", "fen 7k/8/8/8/8/4K3/8/q7 w - - 0 1", "e3e4"),
        ("atomic", "fen rnbqkbnr/pppp1ppp/8/6N1/8/8/PPPPPPPP/RNBQKB1R w KQkq - 0 1", "g5f7"),
        ("racingkings", "fen 8/K7/8/8/8/8/7k/8 w - - 0 1", "a7a8"),
        ("antichess", "fen 8/8/8/8/8/1p6/8/R7 w - - 0 1", "a1a2"),
        ("horde", "startpos", ""),
        ("chess", "fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "d1d8"),
    ] {
        gui.say(&format!("setoption name UCI_Variant value {variant}"));
        gui.say(&format!("position {position}"));
        gui.say("go depth 4");
        let found = gui.best();
        assert!(best.is_empty() || found == best, "{variant}: {found}");
    }
}

#[test]
fn options_take_effect() {
    let mut gui = Gui::new();
    for line in ["Hash value 4", "Threads value 2", "UCI_LimitStrength value true", "UCI_Elo value 800"] {
        gui.say(&format!("setoption name {line}"));
    }
    gui.say("setoption name Clear Hash");
    gui.say("ucinewgame");
    gui.say("position startpos");
    // A beginner does not think for a minute, whatever his clock says.
    gui.say("go wtime 600000 btime 600000");
    let lines = gui.until("bestmove");
    let nodes =
        lines.iter().rev().find_map(|line| line.split(" nodes ").nth(1)).and_then(|rest| rest.split(' ').next());
    assert!(nodes.expect("an info line").parse::<u64>().expect("a number") < 5_000, "{lines:?}");
    assert_eq!(gui.ready(), ["readyok"]);
}

#[test]
fn a_book_is_played_from() {
    let folder = std::env::temp_dir().join(format!("tengen-book-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("one move.bin");
    // The start position, h2h3, weight 1: by the description of the format.
    let mut entry = 0x463b_9618_1691_fc9c_u64.to_be_bytes().to_vec();
    entry.extend([0x03, 0xd7, 0, 1, 0, 0, 0, 0]);
    std::fs::write(&file, entry).expect("a file");
    let mut gui = Gui::new();
    gui.say(&format!("setoption name BookFile value {}", file.display()));
    gui.say("setoption name OwnBook value true");
    gui.say("position startpos");
    gui.say("go wtime 1000 btime 1000");
    assert_eq!(gui.best(), "h2h3");
    // Not in analysis.
    gui.say("setoption name UCI_AnalyseMode value true");
    gui.say("go depth 6");
    assert_ne!(gui.best(), "h2h3");
    drop(gui);
    std::fs::remove_dir_all(&folder).expect("its own folder");
}

#[test]
fn the_end_of_the_input_ends_it() {
    // `drop` waits for the engine: a search without end is stopped, one with a limit is answered.
    let mut gui = Gui::new();
    gui.say("position startpos");
    gui.say("go infinite");
    drop(gui);
    let mut gui = Gui::new();
    gui.say("position startpos");
    gui.say("go depth 5");
    gui.to_engine = None;
    gui.until("bestmove");
    let mut gui = Gui::new();
    gui.say("go infinite");
    gui.say("quit");
    gui.until("bestmove");
}

#[test]
fn what_nobody_waits_for_is_harmless() {
    // Before anything else, between searches and after the last one.
    let mut gui = Gui::new();
    for line in ["stop", "ponderhit", "debug on", "debug off", "register later", "", "   ", "ucinewgame", "stop"] {
        gui.say(line);
        assert_eq!(gui.ready(), ["readyok"], "{line}");
    }
    gui.say("go depth 2");
    gui.until("bestmove");
    for line in ["stop", "ponderhit", "stop"] {
        gui.say(line);
        assert_eq!(gui.ready(), ["readyok"], "{line}");
    }
}

/// A mate that is not there is looked for as far as it can hide, or until somebody says stop; one that is there ends the search.
#[test]
fn a_mate_is_looked_for_until_found_or_excluded() {
    let mut gui = Gui::new();
    gui.say("position startpos");
    gui.say("go mate 2");
    let lines = gui.until("bestmove");
    assert!(lines.iter().any(|line| line == "info string no mate in 2 found"), "{lines:#?}");
    gui.say("go mate 40");
    gui.is_quiet_for(Duration::from_millis(200));
    gui.say("stop");
    gui.until("bestmove");
    gui.say("position fen r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1");
    gui.say("go mate 3");
    let lines = gui.until("bestmove");
    assert!(lines.iter().any(|line| line.contains(" score mate 3 ")), "{lines:#?}");
    // With another limit beside it, the search ends by that.
    gui.say("position startpos");
    gui.say("go mate 2 nodes 2000");
    gui.until("bestmove");
    assert_eq!(gui.ready(), ["readyok"]);
}

#[test]
fn moves_to_search_that_are_not_legal_are_named_and_left_out() {
    let mut gui = Gui::new();
    gui.say("position startpos");
    gui.say("go depth 3 searchmoves e2e5 a2a3");
    let lines = gui.until("bestmove");
    assert!(lines.iter().any(|line| line.starts_with("info string") && line.contains("e2e5")), "{lines:#?}");
    assert!(lines.last().expect("one").starts_with("bestmove a2a3"), "{lines:#?}");
    // None of them legal is the same as none named.
    gui.say("go depth 1 searchmoves e2e5");
    assert_eq!(gui.best().len(), 4);
    assert_eq!(gui.ready(), ["readyok"]);
}

/// The number after the last ` nodes `.
fn nodes(lines: &[String]) -> u64 {
    let text = lines.iter().rev().find_map(|line| line.split(" nodes ").nth(1)).expect("an info line");
    text.split(' ').next().and_then(|word| word.parse().ok()).expect("a number")
}

/// One thread does the same again as soon as the table is empty.
#[test]
fn clearing_the_table_forgets_everything() {
    let mut gui = Gui::new();
    let mut think = |before: &str| {
        gui.say(before);
        gui.say("position startpos moves e2e4 e7e5 g1f3");
        gui.say("go depth 7");
        let lines = gui.until("bestmove");
        (nodes(&lines), lines.last().expect("one").clone())
    };
    let fresh = think("isready");
    let warm = think("isready");
    assert_ne!(fresh.0, warm.0, "the table is used");
    assert_eq!(think("setoption name Clear Hash"), fresh);
    assert_eq!(think("ucinewgame"), fresh);
    assert_ne!(think("setoption name Hash value 16").0, fresh.0, "the same size is no change");
    assert_eq!(think("setoption name Hash value 8").1, fresh.1, "another size is a new table");
}

#[test]
fn levels_are_weaker_and_analysis_is_not() {
    let mut gui = Gui::new();
    for line in ["UCI_LimitStrength value true", "UCI_Elo value 500", "MultiPV value 3"] {
        gui.say(&format!("setoption name {line}"));
    }
    gui.say("position startpos");
    gui.say("go depth 20");
    assert!(nodes(&gui.until("bestmove")) < 1_000, "a beginner looks at little, whatever depth is asked for");
    gui.say("setoption name UCI_AnalyseMode value true");
    gui.say("go depth 8");
    let lines = gui.until("bestmove");
    assert!(nodes(&lines) > 1_000 && lines.iter().any(|line| line.contains(" multipv 3 ")), "{lines:#?}");
    gui.say("setoption name UCI_Elo value 100");
    assert!(gui.ready()[0].contains("500 to 2500"));
}

#[test]
fn tablebases_answer_and_are_missed_aloud() {
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/../chess/tests/syzygy");
    let mut gui = Gui::new();
    gui.say(&format!("setoption name SyzygyPath value {tables}"));
    assert_eq!(gui.ready(), ["readyok"]);
    gui.say("position fen 8/8/8/3k4/8/8/3p4/KR6 w - - 0 1");
    gui.say("go depth 8");
    let lines = gui.until("bestmove");
    let hits = |line: &String| line.split(" tbhits ").nth(1).and_then(|rest| rest.split(' ').next()?.parse().ok());
    assert!(lines.iter().filter_map(hits).any(|hits: u64| hits > 0), "{lines:#?}");
    // Also when the option comes before the engine has anything to do.
    let mut gui = Gui::new();
    gui.say("setoption name SyzygyPath value /nonexistent/tables");
    gui.say("setoption name BookFile value /nonexistent/book.bin");
    gui.say("setoption name OwnBook value true");
    let lines = gui.ready();
    assert!(lines.iter().any(|line| line.contains("no tablebases")), "{lines:?}");
    assert!(lines.iter().any(|line| line.contains("no book")), "{lines:?}");
}

#[test]
fn more_memory_than_there_is_is_refused() {
    let mut gui = Gui::new();
    // Beyond what any machine that runs this test has, before the first search and after it.
    let mut lines = Vec::new();
    for _ in 0..2 {
        gui.say("setoption name Hash value 1048576");
        gui.say("position startpos");
        gui.say("go depth 3");
        lines.extend(gui.until("bestmove"));
    }
    assert!(lines.iter().any(|line| line.contains("no room for 1048576 megabytes")), "{lines:?}");
    gui.say("setoption name Hash value 8");
    gui.say("go depth 3");
    gui.until("bestmove");
    assert_eq!(gui.ready(), ["readyok"]);
}

/// The time for a move holds, and the clock is not overdrawn.
#[test]
fn time_is_kept() {
    let mut gui = Gui::new();
    gui.ready();
    gui.say("position startpos");
    for (go, most) in [
        ("go movetime 200", 200),
        ("go wtime 400 btime 400", 400),
        ("go wtime 60 btime 60 winc 10 binc 10", 60),
        ("go wtime 3000 btime 3000 movestogo 1", 3000),
        ("go btime 400", 400),
    ] {
        let start = Instant::now();
        gui.say(go);
        gui.until("bestmove");
        // A busy machine may keep an engine waiting; that is no fault of it.
        let slack = Duration::from_millis(500);
        assert!(start.elapsed() < Duration::from_millis(most) + slack, "{go}: {:?}", start.elapsed());
    }
}

/// Commands and words of the protocol in any order: whatever they happen to mean, the engine is there afterwards.
#[test]
fn words_in_any_order_do_no_harm() {
    const WORDS: &[&str] = &[
        "go",
        "position",
        "startpos",
        "fen",
        "moves",
        "e2e4",
        "e7e5",
        "0000",
        "e1h1",
        "P@e4",
        "setoption",
        "name",
        "value",
        "Hash",
        "Threads",
        "MultiPV",
        "UCI_Variant",
        "atomic",
        "chess",
        "UCI_Chess960",
        "UCI_Elo",
        "true",
        "false",
        "ponder",
        "infinite",
        "depth",
        "nodes",
        "movetime",
        "wtime",
        "btime",
        "winc",
        "movestogo",
        "mate",
        "searchmoves",
        "1",
        "2",
        "-7",
        "99999999999999999999",
        "stop",
        "ponderhit",
        "isready",
        "ucinewgame",
        "uci",
        "debug",
        "on",
        "eval",
        "d",
        "4k3/8/8/8/8/8/4P3/4K3",
        "w",
        "-",
        "0",
        "UCI_ShowWDL",
        "Clear",
        "é",
        "\u{0}",
    ];
    let mut gui = Gui::new();
    let mut random = 7u64;
    let mut below = |end: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % end
    };
    for _ in 0..1500 {
        let first = ["go", "position", "setoption name", "stop", WORDS[below(WORDS.len())]][below(5)];
        let rest: Vec<&str> = (0..below(6)).map(|_| WORDS[below(WORDS.len())]).collect();
        gui.say(&format!("{first} {}", rest.join(" ")));
        // Whatever may be under way ends, so that the next line is not only refused.
        gui.say("stop");
    }
    for line in ["stop", "setoption name UCI_Variant value chess", "setoption name UCI_Chess960 value false"] {
        gui.say(line);
    }
    // A position that no line above can have made marks the end of all answers to them.
    gui.say("position fen 6k1/8/8/8/8/8/8/K6R w - - 0 77");
    gui.say("d");
    gui.until("info string 6k1/8/8/8/8/8/8/K6R w");
    gui.say("go depth 2");
    gui.until("bestmove");
    assert_eq!(gui.ready(), ["readyok"]);
}
