//! Any bytes as a file of games: refused with a reason, or read, written and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tengen_record::{Format, export, import, pgn, sgf};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(trees) = sgf::read(bytes) {
        assert_eq!(sgf::read(sgf::write(&trees).as_bytes()).expect("our own file"), trees);
    }
    for game in pgn::games(bytes).filter_map(Result::ok) {
        let written = pgn::write(&game).expect("what was read can be written");
        if game.nodes().len() > 1 {
            let again = pgn::read(written.as_bytes()).expect("our own file");
            assert_eq!(again[0].record().moves.len(), game.record().moves.len(), "{written}");
        }
    }
    if let Ok(games) = import(bytes) {
        let written = export(&games, Format::Json).expect("JSON holds every game");
        assert_eq!(import(written.as_bytes()).expect("our own file").len(), games.len());
    }
});
