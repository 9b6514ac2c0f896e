//! scratch: self-play positions with features
use std::io::Write;
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use tengen_core::*;
use tengen_games::yokai::*;
use tengen_search::evaluate::Safety;
use tengen_search::*;

fn main() {
    let games: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let seed0: u64 = std::env::args().nth(2).unwrap().parse().unwrap();
    let depth: u32 = std::env::args().nth(3).unwrap().parse().unwrap();
    let mut out = std::io::BufWriter::new(std::fs::File::create(std::env::args().nth(4).unwrap()).unwrap());
    let mut player = AlphaBeta::new(Safety, AlphaBetaParams { depth, table: 8, ..Default::default() });
    let mut moves = Vec::new();
    let mut stats = [0; 3];
    for seed in seed0..seed0 + games {
        let mut rng = Rng::with_seed(seed);
        let mut line = Line::new(Yokai56::new());
        let mut rows: Vec<(String, i8)> = Vec::new();
        let opening = 4 + rng.usize(..8);
        let outcome = loop {
            match line.turn(&mut moves) {
                Turn::Over(o) => break o,
                _ if line.ply() > 250 => break Outcome::Draw,
                Turn::Decision(side) => {
                    let mv = if line.ply() < opening || rng.u32(..50) == 0 {
                        moves[rng.usize(..moves.len())]
                    } else {
                        let (clock, stop) = (Instant::now(), AtomicBool::new(false));
                        let mut watch = Watch { clock: &clock, stop: &stop, report: &mut |_| {} };
                        let t = player.think(&line, &Limits::default(), &mut watch).unwrap();
                        let quiet =
                            line.position().at(Yokai56::target(t.best)).is_none() && !line.position().promotes(t.best);
                        if quiet && line.ply() >= opening && t.value.abs() < 0.999 {
                            rows.push((line.position().write(), if side == Side::First { 1 } else { -1 }));
                        }
                        t.best
                    };
                    line.push(mv);
                }
                Turn::Chance => unreachable!(),
            }
        };
        stats[match outcome {
            Outcome::Draw => 2,
            Outcome::Win(s) => s.index(),
        }] += 1;
        let r = match outcome {
            Outcome::Draw => 0.5,
            Outcome::Win(Side::First) => 1.0,
            _ => 0.0,
        };
        for (text, _) in rows {
            writeln!(out, "{text};{r}").unwrap();
        }
    }
    eprintln!("{stats:?}");
}
