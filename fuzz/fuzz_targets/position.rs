//! The first byte chooses a game, the rest is read as a position of it. What is accepted must be playable.
#![no_main]

mod games;

use games::{Visitor, with_game};
use libfuzzer_sys::fuzz_target;
use tengen_core::{Line, Notation, Picture, Rng, Symmetry, Turn, sample};

struct Read<'a>(&'a str);

impl Visitor for Read<'_> {
    fn visit<P: Notation + Symmetry + Picture>(self, _start: P) {
        let Ok(position) = P::read(self.0) else { return };
        let mut line = Line::new(position);
        let (mut rng, mut moves, mut outcomes) = (Rng::with_seed(7), Vec::new(), Vec::new());
        for _ in 0..20 {
            let text = line.position().write();
            let again = P::read(&text).expect("what is written can be read");
            assert_eq!(again.key(), line.position().key(), "the key from scratch: {text}");
            line.position().draw();
            let mv = match line.turn(&mut moves) {
                Turn::Over(_) => break,
                Turn::Decision(_) => moves[rng.usize(..moves.len())],
                Turn::Chance => {
                    line.position().chance(&mut outcomes);
                    sample(&outcomes, &mut rng)
                }
            };
            line.push(mv);
        }
    }
}

fuzz_target!(|data: &[u8]| {
    let Some((&choice, rest)) = data.split_first() else { return };
    if let Ok(text) = std::str::from_utf8(rest) {
        with_game(choice, Read(text));
    }
});
