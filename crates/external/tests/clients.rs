//! External engines, good and bad: every way to fail has its own name, nothing waits for ever, and nothing is left behind.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use tengen_core::{Line, Notation, Turn};
use tengen_external::{Dialect, ExternalSpec, GtpPlayer, GtpStart, UciPlayer};
use tengen_games::tictactoe::TicTacToe;
use tengen_search::{Fault, Limits, Player, PlayerError, Watch};

type Built = Result<Box<dyn Player<TicTacToe>>, PlayerError>;

/// `uci crash 2 [Hash=8]`, for the engine of the tests.
fn player(text: &str) -> Built {
    let spec = ExternalSpec::read(&format!("'{}' {text}", env!("CARGO_BIN_EXE_misbehave"))).expect("well formed");
    let start = TicTacToe::new();
    let dialect = Dialect::named(&["tictactoe"], |_| GtpStart { game: Some("tictactoe"), ..GtpStart::default() });
    Ok(match text.starts_with("uci") {
        true => Box::new(UciPlayer::start(spec, dialect, &start)?),
        false => Box::new(GtpPlayer::start(spec, dialect, &start)?),
    })
}

/// Lets the player play both sides until the game is over or it fails.
fn play(player: &mut dyn Player<TicTacToe>, ms: u64) -> Result<Vec<String>, PlayerError> {
    let mut line = Line::new(TicTacToe::new());
    let mut played = Vec::new();
    while let Turn::Decision(_) = line.turn(&mut Vec::new()) {
        let (clock, stop) = (Instant::now(), AtomicBool::new(false));
        let mut watch = Watch { clock: &clock, stop: &stop, report: &mut |_| {} };
        let limits = Limits { time: Some(Duration::from_millis(ms)), ..Limits::default() };
        let thought = player.think(&line, &limits, &mut watch)?;
        played.push(line.position().write_move(thought.best));
        line.push(thought.best);
    }
    Ok(played)
}

#[test]
fn honest_engines_play_whole_games() {
    for text in ["uci", "gtp", "uci fine 0 [Hash=8]", "gtp fine 0 [level=3,cmd=level 4]"] {
        let mut player = player(text).expect(text);
        for _ in 0..2 {
            let played = play(&mut *player, 1000).expect(text);
            assert_eq!(played, ["a1", "a2", "a3", "b1", "b2", "b3", "c1"], "{text}");
        }
    }
}

#[test]
fn faults_have_names_and_last_words() {
    for protocol in ["uci", "gtp"] {
        for (trouble, fault, words) in [
            ("crash", Fault::Crash, "segmentation imaginary"),
            ("illegal", Fault::Illegal, "a1"),
            ("nonsense", Fault::Illegal, "z99"),
        ] {
            let mut player = player(&format!("{protocol} {trouble} 2")).expect("it starts well");
            match play(&mut *player, 1000) {
                Err(PlayerError::Broken { fault: found, story }) => {
                    assert_eq!(found, fault, "{story}");
                    assert!(story.to_lowercase().contains(words), "{story}");
                }
                other => panic!("{protocol} {trouble}: {other:?}"),
            }
            // It is started anew by the next question, and fails again only after two moves.
            assert!(matches!(play(&mut *player, 1000), Err(PlayerError::Broken { .. })));
        }
        let mut player = player(&format!("{protocol} resign 1")).expect("it starts well");
        assert_eq!(play(&mut *player, 1000), Err(PlayerError::Resigned));
    }
}

#[test]
fn a_hung_engine_is_left_after_its_time() {
    let mut player = player("uci hang 1").expect("it starts well");
    let start = Instant::now();
    let error = play(&mut *player, 10).expect_err("it hangs");
    assert!(matches!(error, PlayerError::Broken { fault: Fault::Hang, .. }), "{error}");
    assert!(start.elapsed() < Duration::from_secs(12));
}

#[test]
fn an_engine_that_talks_without_end_is_left_after_its_time() {
    for (text, fault) in [("uci flood 1", Fault::Hang), ("gtp flood 1", Fault::Protocol)] {
        let mut player = player(text).expect("it starts well");
        let start = Instant::now();
        match play(&mut *player, 10) {
            Err(PlayerError::Broken { fault: found, story }) => assert_eq!(found, fault, "{text}: {story}"),
            other => panic!("{text}: {other:?}"),
        }
        assert!(start.elapsed() < Duration::from_secs(12), "{text}");
    }
}

#[test]
fn the_stop_sign_ends_waiting() {
    let mut player = player("gtp hang 0").expect("it starts well");
    let (clock, stop) = (Instant::now(), AtomicBool::new(true));
    let mut watch = Watch { clock: &clock, stop: &stop, report: &mut |_| {} };
    let thought = player.think(&Line::new(TicTacToe::new()), &Limits::default(), &mut watch);
    assert!(thought.is_err() && clock.elapsed() < Duration::from_secs(5));
}

#[test]
fn wrong_settings_are_refused_with_the_nearest_right_one() {
    for (text, fault, words) in [
        ("uci fine 0 [Hsah=8]", Fault::Setting, "`Hash`"),
        ("uci fine 0 [Hash=9999]", Fault::Setting, "1 to 1024"),
        ("gtp fine 0 [levle=8]", Fault::Setting, "`level`"),
        ("uci dead", Fault::Crash, "no licence found"),
        ("gtp dead", Fault::Crash, "no licence found"),
    ] {
        match player(text).map(|_| ()) {
            Err(PlayerError::Broken { fault: found, story }) => {
                assert_eq!(found, fault, "{text}: {story}");
                assert!(story.contains(words), "{text}: {story}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn no_process_is_left_behind() {
    let alive = || {
        let me = std::process::id().to_string();
        let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let stats = processes.filter_map(|entry| std::fs::read_to_string(entry.path().join("stat")).ok());
        // The fourth field is the parent, the second the name in brackets.
        stats.filter(|stat| stat.contains("(misbehave)") && stat.split_whitespace().nth(3) == Some(me.as_str())).count()
    };
    // Other tests of this file have engines of their own, so the count is only sure to fall back to theirs.
    let players: Vec<_> = (0..3).map(|_| player("uci hang 0").expect("it starts well")).collect();
    let with = alive();
    assert!(with >= 3, "{with} engines are alive");
    drop(players);
    assert!(std::env::var_os("NEXTEST").is_none() || alive() == 0, "engines are left behind");
}
