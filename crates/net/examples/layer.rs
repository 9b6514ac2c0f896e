//! How long one layer takes, forwards and backwards: `layer CHANNELS BOARD SAMPLES`.
use std::time::Instant;
use tengen_net::convolve::{Back, Ending, Layer, Reach, Ready};
use tengen_net::registers::{Group, Lanes, Registers, Work, groups};
use tengen_net::team::Scratch;

struct Go(usize, usize, usize);

impl Work for Go {
    type Answer = ();
    #[inline(always)]
    fn by<L: Lanes>(self) {
        let Go(channels, board, samples) = self;
        let layer = Layer { board: (board, board), inputs: channels, outputs: channels, reach: Reach::Square(3) };
        let weights = vec![0.1; layer.weights()];
        let (mut ready, mut scratch) = (Ready::default(), Scratch::default());
        let size = samples * board * board * groups(channels);
        let x = vec![Group([0.5; 16]); size];
        let mut y = vec![Group([0.5; 16]); size];
        let mut dx = vec![Group([0.5; 16]); size];
        let mut change = vec![Group::ZERO; layer.change_size()];
        let mut learnt = vec![0.0; layer.weights()];
        for _ in 0..3 {
            let t0 = Instant::now();
            layer.ready::<L>(&weights, true, &mut ready);
            let t1 = Instant::now();
            layer.forward::<L>(&ready, &x, Ending::default(), &mut y, &mut scratch);
            let t2 = Instant::now();
            layer.backward::<L>(&ready, (&x, &y), (&mut change, &mut []), Back::Over(&mut dx), &mut scratch);
            let t3 = Instant::now();
            layer.change::<L>(std::slice::from_ref(&change), &mut learnt);
            let t4 = Instant::now();
            let each = |a: Instant, b: Instant| (b - a).as_secs_f64() * 1e6 / samples as f64;
            println!(
                "ready {:.1} us; a sample: forward {:.2} us, backward {:.2} us; change {:.1} us; products {} a sample",
                each(t0, t1) * samples as f64, each(t1, t2), each(t2, t3), each(t3, t4) * samples as f64, layer.products()
            );
        }
    }
}

fn main() {
    let args: Vec<usize> = std::env::args().skip(1).map(|a| a.parse().unwrap()).collect();
    for registers in Registers::all() {
        println!("{registers:?}");
        registers.run(Go(args[0], args[1], args[2]));
    }
}
