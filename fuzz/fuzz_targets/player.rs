//! Any text as a player: refused with a reason, or built.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tengen_table::{Setup, open};

fuzz_target!(|text: &str| {
    // A table of gigabytes or hundreds of threads is what the text asks for, but not what this is about.
    if text.contains("table") || text.contains("memory") || text.contains("threads") {
        return;
    }
    let table = open("tictactoe", &Setup::standard()).expect("every game has a start");
    let _ = table.check_player(text);
});
