//! The first byte chooses a game, the rest is read as a position of it. What is accepted must be playable.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tengen_core::Rng;
use tengen_table::registry::GAMES;
use tengen_table::{Setup, open};

fuzz_target!(|data: &[u8]| {
    let Some((&choice, rest)) = data.split_first() else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let game = GAMES[usize::from(choice) % GAMES.len()];
    let Ok(mut table) = open(game.id, &Setup::at(text)) else { return };
    let mut rng = Rng::with_seed(u64::from(choice));
    for _ in 0..20 {
        let view = table.view();
        let written = open(game.id, &Setup::at(view.position.clone())).expect("what is written can be read");
        assert_eq!(written.view().key, view.key, "the key from scratch");
        if table.roll(&mut rng).is_none() {
            let Some(mv) = rng.choice(&view.legal) else { break };
            table.play(mv).expect("a legal move can be played");
        }
    }
});
