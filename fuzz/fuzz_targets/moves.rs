//! The first byte chooses a game; each line of the rest is a move somebody typed.
#![no_main]

mod games;

use games::{Visitor, with_game};
use libfuzzer_sys::fuzz_target;
use tengen_core::{Line, Notation, Picture, Rng, Symmetry, Turn, sample};

struct Type<'a>(&'a str);

impl Visitor for Type<'_> {
    fn visit<P: Notation + Symmetry + Picture>(self, start: P) {
        let mut line = Line::new(start);
        let (mut rng, mut moves, mut outcomes) = (Rng::with_seed(7), Vec::new(), Vec::new());
        for text in self.0.lines().take(40) {
            if line.turn(&mut moves) == Turn::Chance {
                line.position().chance(&mut outcomes);
                line.push(sample(&outcomes, &mut rng));
                line.turn(&mut moves);
            }
            if let Ok(mv) = line.position().read_move(text) {
                // Superko may forbid what the position allows; nothing else may.
                if moves.contains(&mv) {
                    line.push(mv);
                } else {
                    assert!(
                        line.repeats(mv) || moves.is_empty(),
                        "{text} is read, but not legal: {}",
                        line.position().write()
                    );
                }
            } else if let Some(&mv) = moves.first() {
                line.push(mv);
            }
        }
    }
}

fuzz_target!(|data: &[u8]| {
    let Some((&choice, rest)) = data.split_first() else { return };
    if let Ok(text) = std::str::from_utf8(rest) {
        with_game(choice, Type(text));
    }
});
