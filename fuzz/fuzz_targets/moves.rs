//! The first byte chooses a game; each line of the rest is a move somebody typed.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tengen_core::Rng;
use tengen_table::registry::GAMES;
use tengen_table::{Setup, open};

fuzz_target!(|data: &[u8]| {
    let Some((&choice, rest)) = data.split_first() else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let game = GAMES[usize::from(choice) % GAMES.len()];
    let mut table = open(game.id, &Setup::standard()).expect("every game has a start");
    let mut rng = Rng::with_seed(u64::from(choice));
    for line in text.lines().take(40) {
        let before = table.view();
        match table.play(line) {
            Ok(()) => assert_eq!(table.view().ply, before.ply + 1),
            Err(_) => assert_eq!(table.view(), before, "a refused move changes nothing"),
        }
        table.roll(&mut rng);
    }
});
