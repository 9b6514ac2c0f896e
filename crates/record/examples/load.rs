//! How long files of ten megabytes take to read: `cargo run --release -p tengen-record --example load`.

use std::time::Instant;
use tengen_core::Rng;
use tengen_record::{GameTree, Played, Record, pgn, sgf};

fn main() {
    let mut rng = Rng::with_seed(1);
    // Games of Go with some variations and comments; positions are not looked at, so any points do.
    let mut file = String::new();
    while file.len() < 10_000_000 {
        let mut game = GameTree::new(Record { game: "go19".to_owned(), ..Record::default() });
        let mut at = 0;
        for ply in 0..250 {
            let point = format!("{}{}", char::from(b"ABCDEFGHJKLMNOPQRST"[rng.usize(..19)]), rng.usize(1..=19));
            let next = game.add(at, Played::new(point));
            if ply % 20 == 0 {
                game.node_mut(next).played.comment = "Black is thick here, White has territory.".to_owned();
            }
            at = if ply % 50 == 49 { at } else { next };
        }
        file += &sgf::write(&[sgf::from_game(&game).expect("Go can be written")]);
    }
    measure("SGF", &file, |bytes| {
        let trees = sgf::read(bytes).expect("our own file");
        trees.iter().map(|tree| tree.nodes().len()).sum()
    });
    measure("SGF and game trees", &file, |bytes| {
        let trees = sgf::read(bytes).expect("our own file");
        trees.iter().map(|tree| sgf::to_game(tree).expect("Go").nodes().len()).sum()
    });

    // One game of chess over and over.
    let game = "[Event \"x\"]\n[White \"a\"]\n[Black \"b\"]\n[Result \"1/2-1/2\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 11. Nbd2 Bb7 12. Bc2 Re8 13. Nf1 Bf8 14. Ng3 g6 15. a4 c5 1/2-1/2\n\n";
    let file = game.repeat(10_000_000 / game.len());
    measure("PGN", &file, |bytes| pgn::games(bytes).map(|game| game.expect("legal").nodes().len()).sum());
}

fn measure(name: &str, file: &str, read: impl Fn(&[u8]) -> usize) {
    let (begin, busy) = (Instant::now(), busy_seconds());
    let nodes = read(file.as_bytes());
    let passed = begin.elapsed().as_secs_f64();
    let busy = busy_seconds()
        .zip(busy)
        .map_or(String::new(), |(after, before)| format!(", {:.3} s of them at work", after - before));
    println!("{name}: {} bytes, {nodes} nodes, {passed:.3} s{busy}", file.len());
}

/// How long this thread has had a processor, where the system tells: others may be using the machine.
fn busy_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse::<f64>().ok().map(|nanoseconds| nanoseconds / 1e9)
}
