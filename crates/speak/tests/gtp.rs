//! The server spoken to as programs do: whole conversations as files, thinking interrupted, and rubbish.

use proptest::prelude::*;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};
use tengen_core::{Line, Position, Pov};
use tengen_games::go::Go;
use tengen_lore::evaluate::Points;
use tengen_search::mcts::{Mcts, MctsParams, RandomGames};
use tengen_search::params::{ParamInfo, Params};
use tengen_search::{Limits, Player, PlayerError, Random, Thought, Watch};
use tengen_speak::gtp::{Judgement, Options, Players, judge_by_playouts, serve};

/// A random player and a Monte-Carlo one, written `random` and `mcts:visits=800`.
#[derive(Default)]
struct Two {
    /// Whether every stone is judged to be alive.
    is_kind: bool,
}

fn settings(text: &str) -> Result<MctsParams, String> {
    let Some(settings) = text.strip_prefix("mcts") else { return Err(format!("there is no player `{text}`")) };
    let pairs = settings.trim_start_matches(':').split(',').filter(|pair| !pair.is_empty());
    let pairs = pairs.filter_map(|pair| pair.split_once('=')).map(|(name, value)| (name.to_owned(), value.to_owned()));
    MctsParams::with(&pairs.collect::<Vec<_>>()).map_err(|error| error.to_string())
}

impl Players for Two {
    fn build<const CELLS: usize>(&self, text: &str) -> Result<Box<dyn Player<Go<CELLS>>>, String> {
        if text == "random" {
            return Ok(Box::new(Random::new(1)));
        }
        if text == "patient" {
            return Ok(Box::new(Patient));
        }
        if text == "quitter" {
            return Ok(Box::new(Quitter));
        }
        let params = settings(text)?;
        let games = RandomGames { count: params.playouts, longest: params.cut, heuristic: Points };
        Ok(Box::new(Mcts::new(games, params)))
    }

    fn params(&self, text: &str) -> Result<Vec<(ParamInfo, String)>, String> {
        let params = settings(text)?;
        let value = |info: ParamInfo| {
            let value = params.get(info.name).unwrap_or_default();
            (info, value)
        };
        Ok(MctsParams::list().into_iter().map(value).collect())
    }

    fn with_param(&self, text: &str, name: &str, value: &str) -> Result<String, String> {
        let joined = format!("{text}{}{name}={value}", if text.contains(':') { ',' } else { ':' });
        settings(&joined).map(|_| joined)
    }

    fn judge<const CELLS: usize>(&self, position: &Go<CELLS>) -> Judgement {
        let judgement = judge_by_playouts(position, 1000, 1);
        if self.is_kind { Judgement { dead: Vec::new(), ..judgement } } else { judgement }
    }
}

/// How often a [`Patient`] player was let think without an end.
static PONDERED: AtomicUsize = AtomicUsize::new(0);

/// Plays the first move there is, and thinks for as long as it may.
struct Patient;

impl<P: Position> Player<P> for Patient {
    fn think(
        &mut self,
        line: &Line<P>,
        limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
    ) -> Result<Thought<P::Move>, PlayerError> {
        let mut moves = Vec::new();
        line.turn(&mut moves);
        if limits.endless {
            while !watch.stopped() {
                std::thread::sleep(Duration::from_millis(1));
            }
            PONDERED.fetch_add(1, Ordering::SeqCst);
        }
        let first = moves.first().copied().ok_or(PlayerError::NothingToDecide)?;
        Ok(Thought::new(first, Pov::even(), 1, 0, Vec::new()))
    }
}

/// Gives up whatever happens.
struct Quitter;

impl<P: Position> Player<P> for Quitter {
    fn think(&mut self, _: &Line<P>, _: &Limits, _: &mut Watch<'_, P::Move>) -> Result<Thought<P::Move>, PlayerError> {
        Err(PlayerError::Resigned)
    }
}

/// Bytes that come when somebody sends them.
struct Pipe(Receiver<Vec<u8>>, Vec<u8>);

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.1.is_empty() {
            self.1 = self.0.recv().unwrap_or_default();
        }
        let length = self.1.len().min(buffer.len());
        buffer[..length].copy_from_slice(&self.1[..length]);
        self.1.drain(..length);
        Ok(length)
    }
}

/// Bytes that go to whoever listens.
struct Wire(Sender<Vec<u8>>);

impl Write for Wire {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let _ = self.0.send(buffer.to_vec());
        Ok(buffer.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Everything said in answer to an input.
fn whole(input: &[u8], options: Options) -> String {
    answers(input, options, Two::default())
}

fn answers(input: &[u8], options: Options, players: Two) -> String {
    let (to_us, said) = channel();
    serve(io::Cursor::new(input.to_vec()), Wire(to_us), players, options).expect("a channel does not break");
    String::from_utf8(said.iter().flatten().collect()).expect("text")
}

/// A server that runs while we talk to it.
struct Talk {
    to_server: Sender<Vec<u8>>,
    from_server: Receiver<Vec<u8>>,
    heard: String,
}

impl Talk {
    fn begin(options: Options) -> Self {
        let (to_server, input) = channel();
        let (output, from_server) = channel();
        std::thread::spawn(move || serve(Pipe(input, Vec::new()), Wire(output), Two::default(), options));
        Talk { to_server, from_server, heard: String::new() }
    }

    fn say(&self, line: &str) {
        self.to_server.send(format!("{line}\n").into_bytes()).expect("the server listens");
    }

    /// Listens until what is heard ends so.
    fn listen_for(&mut self, end: &str) -> String {
        let begin = Instant::now();
        while !self.heard.contains(end) {
            let left = Duration::from_secs(30).saturating_sub(begin.elapsed());
            match self.from_server.recv_timeout(left) {
                Ok(more) => self.heard.push_str(&String::from_utf8_lossy(&more)),
                Err(_) => panic!("no {end:?} but {:?}", self.heard),
            }
        }
        let end = self.heard.find(end).map_or(0, |at| at + end.len());
        self.heard.drain(..end).collect()
    }
}

/// Whether a line is as expected, where `*` stands for anything.
fn is_like(line: &str, pattern: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = line.strip_prefix(parts.next().unwrap_or("")) else { return false };
    let parts: Vec<&str> = parts.collect();
    for (index, part) in parts.iter().enumerate() {
        if index + 1 == parts.len() {
            return rest.ends_with(part);
        }
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.is_empty()
}

/// The files in `tests/gtp`: what is sent (`NAME.in`) and what comes back (`NAME.out`).
#[test]
fn conversations() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gtp");
    let mut seen = 0;
    for entry in std::fs::read_dir(&folder).expect("the folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "in") {
            continue;
        }
        seen += 1;
        let input = std::fs::read_to_string(&path).expect("a file");
        let input = input.replace("$HERE", &folder.to_string_lossy());
        let answer = whole(input.as_bytes(), Options::new("mcts:visits=200"));
        let expected = std::fs::read_to_string(path.with_extension("out")).expect("the answers");
        let (said, wanted): (Vec<&str>, Vec<&str>) = (answer.lines().collect(), expected.lines().collect());
        for (number, line) in said.iter().enumerate() {
            let want = wanted.get(number).copied().unwrap_or("nothing more");
            assert!(is_like(line, want), "{}, line {}: {line:?}, not {want:?}\n{answer}", path.display(), number + 1);
        }
        assert_eq!(said.len(), wanted.len(), "{}\n{answer}", path.display());
    }
    assert!(seen >= 8, "only {seen} conversations");
}

#[test]
fn an_analysis_ends_when_the_next_command_comes() {
    for command in ["lz-analyze b 1", "kata-analyze b interval 1 ownership true rootInfo true maxmoves 3"] {
        let mut talk = Talk::begin(Options::new("mcts:visits=100"));
        talk.say("boardsize 9");
        talk.listen_for("=\n\n");
        talk.say(&format!("7 {command}"));
        assert_eq!(talk.listen_for("\n"), "=7\n");
        let first = talk.listen_for("\n");
        assert!(first.starts_with("info move ") && first.contains(" pv "), "{first}");
        if command.starts_with("kata") {
            let ownership = first.split(" ownership ").nth(1).expect("ownership").split_whitespace().count();
            assert_eq!(ownership, 81);
            assert_eq!(first.matches("info move").count(), 3, "{first}");
            assert!(first.contains(" rootInfo visits "), "{first}");
        }
        talk.say("8 name");
        let rest = talk.listen_for("=8 Tengen\n\n");
        assert!(rest.contains("\n\n=8"), "the analysis ends with an empty line: {rest}");
        assert!(
            rest.trim_end_matches("=8 Tengen\n\n").lines().all(|line| line.is_empty() || line.starts_with("info")),
            "{rest}"
        );
        talk.say("quit");
        talk.listen_for("=\n\n");
    }
}

#[test]
fn a_thought_can_be_interrupted_and_is_not_by_commands() {
    let mut talk = Talk::begin(Options::new("mcts:visits=100000000"));
    talk.say("boardsize 5\ngenmove b\nname");
    talk.listen_for("=\n\n");
    std::thread::sleep(Duration::from_millis(100));
    let begin = Instant::now();
    assert!(talk.heard.is_empty(), "it is still thinking");
    talk.say("# interrupt");
    let answer = talk.listen_for("= Tengen\n\n");
    assert!(begin.elapsed() < Duration::from_secs(5));
    assert!(answer.starts_with("= "), "{answer}");
    assert_eq!(answer.matches("\n\n").count(), 2, "a move and a name: {answer}");

    // One that comes before the thinking has begun is not lost, and one that has passed stops nothing.
    talk.say("undo\n1 genmove b\n# interrupt\n2 name\nundo\n3 genmove b\n4 name");
    talk.listen_for("=2 Tengen\n\n");
    talk.listen_for("=\n\n");
    std::thread::sleep(Duration::from_millis(100));
    assert!(talk.heard.is_empty(), "it thinks again");
    talk.say("# interrupt");
    talk.listen_for("=4 Tengen\n\n");
}

#[test]
fn it_ponders_after_its_own_moves_until_something_is_wanted() {
    let mut talk = Talk::begin(Options { ponder: true, ..Options::new("patient") });
    talk.say("1 boardsize 5");
    talk.listen_for("=1\n\n");
    talk.say("2 genmove b");
    talk.listen_for("=2 ");
    talk.listen_for("\n\n");
    talk.say("3 play w C3\n4 name");
    talk.listen_for("=4 Tengen\n\n");
    talk.say("5 genmove b\n6 quit");
    talk.listen_for("=6\n\n");
    // Once after each of its two moves, and not after the opponent's.
    assert_eq!(PONDERED.load(Ordering::SeqCst), 2);
}

#[test]
fn clocks_are_kept() {
    let mut talk = Talk::begin(Options { lag: Duration::from_millis(10), ..Options::new("mcts:rave=on") });
    for (settings, most) in [
        ("time_settings 4 0 0", 2.0),
        ("time_settings 0 1 10", 1.0),
        ("kgs-time_settings byoyomi 0 0.4 3", 1.0),
        ("kata-time_settings fischer 2 0.1", 2.0),
        ("time_left b 1 0", 1.0),
    ] {
        talk.say(&format!("boardsize 9\n{settings}\n9 genmove b"));
        let begin = Instant::now();
        let answer = talk.listen_for("=9 ");
        assert!(!answer.contains('?'), "{settings}: {answer}");
        talk.listen_for("\n\n");
        assert!(begin.elapsed().as_secs_f64() < most + 1.0, "{settings} took {:?}", begin.elapsed());
    }
}

#[test]
fn lost_games_are_resigned() {
    // White has everything, and Black may play on an almost full board.
    let mut talk = Talk::begin(Options { resign: 0.2, ..Options::new("mcts:visits=300") });
    talk.say("boardsize 5\nkomi 100\nplay b A1\nplay w A2\nplay b B1\nplay w B2\nplay b pass\nplay w C2");
    talk.say("1 genmove b\n2 genmove b\n3 genmove b");
    let answer = talk.listen_for("=3 resign\n\n");
    assert!(!answer.contains("=1 resign") && !answer.contains("=2 resign"), "{answer}");
}

#[test]
fn a_player_that_gives_up_resigns_whichever_way_it_is_asked_for_a_move() {
    let said = whole(b"1 genmove b\n2 lz-genmove_analyze b\n3 kata-genmove_analyze b\n", Options::new("quitter"));
    assert_eq!(said, "=1 resign\n\n=2\nplay resign\n\n=3\nplay resign\n\n");
}

#[test]
fn moves_to_avoid_are_neither_shown_nor_played() {
    let played = |words: &str| {
        let input = format!("boardsize 3\nkomi 0\nlz-genmove_analyze b 1 {words}");
        let said = whole(input.as_bytes(), Options::new("mcts:visits=300"));
        let mv = said.split("play ").nth(1).expect("a move").trim().to_owned();
        (mv, said)
    };
    assert_eq!(played("").0, "B2");
    let (mv, said) = played("avoid b B2,A1 1");
    assert!(mv != "B2" && !said.contains("move B2") && !said.contains("move A1") && said.contains("move B1"), "{said}");
    let (mv, said) = played("allow b A1 1");
    assert!(mv == "A1" && said.matches("move ").count() == said.matches("move A1").count(), "{said}");
    assert_eq!(played("allow w A1 1").0, "B2", "what White may play is nothing to Black");
}

#[test]
fn seki_is_neither_dead_nor_territory() {
    // Two chains face each other over three points that belong to nobody.
    let input = "boardsize 3\ngogui-play_sequence b A3 w A1 b B3 w B1 b C3 w C1\n1 final_status_list seki\n2 final_status_list alive\n3 final_status_list dame";
    let answer = answers(input.as_bytes(), Options::new("random"), Two { is_kind: true });
    let count = |number: &str| {
        let list =
            answer.split("\n\n").find_map(|answer| answer.strip_prefix(&format!("={number}"))).expect("an answer");
        list.split_whitespace().count()
    };
    assert_eq!([count("1"), count("2"), count("3")], [6, 0, 3], "{answer}");
    // With an eye each it is life.
    let input = "boardsize 5\ngogui-play_sequence b B5 w B1 b A4 w A2 b B4 w B2 b C4 w C2 b D4 w D2 b E4 w E2\n1 final_status_list seki";
    let answer = answers(input.as_bytes(), Options::new("random"), Two { is_kind: true });
    assert!(answer.ends_with("=1\n\n"), "{answer}");
}

#[test]
fn a_player_that_cannot_be_had_is_said_at_once() {
    let (output, _heard) = channel();
    let error = serve(io::empty(), Wire(output), Two::default(), Options::new("nobody")).expect_err("no such player");
    assert!(error.to_string().contains("nobody"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// Every command gets one answer, whatever it is, and nothing else is said.
    #[test]
    fn rubbish_gets_answers(lines in proptest::collection::vec(prop_oneof![
        "\\PC{0,20}",
        "(play|genmove|undo|komi|boardsize|final_score|showboard|set_free_handicap|fixed_handicap|place_free_handicap|time_left|time_settings|kgs-rules|kata-set-rules|final_status_list|loadsgf|reg_genmove|tengen-param|tengen-player|known_command|kgs-genmove_cleanup|gogui-play_sequence|lz-genmove_analyze|tengen-best_moves)( (b|w|A1|B2|C3|pass|3|7|0.5|x|dead|seki|visits))?( (b|w|A1|C3|E5|pass|3|-1|9999999999999999999999))?",
    ], 0..25)) {
        let mut input = "boardsize 5\n".to_owned();
        let mut numbers = 0;
        for line in &lines {
            let plain = line.split('#').next().unwrap_or("");
            let words = plain.chars().filter(|letter| !letter.is_control() && !letter.is_whitespace()).count();
            if words > 0 && !plain.trim_start().starts_with("quit") {
                numbers += 1;
                input.push_str(&format!("{numbers} {line}\n"));
            }
        }
        let answer = whole(input.as_bytes(), Options::new("mcts:visits=5"));
        let answers: Vec<&str> = answer.split_terminator("\n\n").collect();
        prop_assert_eq!(answers.len(), numbers + 1, "{}\n{}", input, answer);
        for (number, answer) in answers.iter().enumerate().skip(1) {
            let is_own = |sign: char| answer.strip_prefix(sign).is_some_and(|rest| rest.starts_with(&number.to_string()));
            prop_assert!(is_own('=') || is_own('?'), "{}: {}", number, answer);
        }
    }
}
