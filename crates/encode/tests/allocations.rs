//! Encoding a position and placing its moves allocates nothing: a search does it for every leaf.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use tengen_core::{Line, Position, Rng, Turn, sample};
use tengen_encode::*;
use tengen_games::{backgammon, chess, connect4, go, othello, pig, tictactoe, yokai};

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator, and how often it is asked.
struct Counting;

// SAFETY: all is left to the system's allocator; the counter is a plain number that is made without allocating.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller keeps the promises of `GlobalAlloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

fn check<P: Position>(encoder: &impl Encoder<P>, start: P) {
    let mut rng = Rng::with_seed(7);
    let mut encoded = Encoded::new(&encoder.shape(&start));
    let (mut moves, mut outcomes) = (Vec::new(), Vec::new());
    let mut line = Line::new(start);
    let id = encoder.id();
    for ply in 0..120 {
        let turn = line.turn(&mut moves);
        let before = ALLOCATIONS.get();
        encoder.encode(&line, &mut encoded.input());
        let sum: usize = moves.iter().map(|&mv| encoder.index(line.position(), mv)).sum();
        assert_eq!(ALLOCATIONS.get(), before, "{id} at ply {ply}, {sum}");
        let mv = match turn {
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

#[test]
fn no_encoder_allocates() {
    let before = ALLOCATIONS.get();
    drop(std::hint::black_box(vec![0_u8; 9]));
    assert_eq!(ALLOCATIONS.get(), before + 1, "the counter counts");

    check(&TicTacToePlanes, tictactoe::TicTacToe::new());
    check(&Connect4Planes, connect4::Connect4::new());
    check(&OthelloPlanes, othello::Othello8::new());
    check(&OthelloBoard, othello::Othello6::new());
    check(&YokaiPlanes, yokai::Yokai34::new());
    check(&YokaiPlanes, yokai::Goro56::new());
    check(&YokaiBoard, yokai::Yokai56::new());
    let go9 = || go::Go9::new(9, go::Rules::Chinese, None).expect("a size that fits");
    let go19 = || go::Go19::new(19, go::Rules::Japanese, None).expect("a size that fits");
    check(&GoStones, go9());
    check(&GoPlanes, go9());
    check(&GoPlanes, go19());
    check(&GoV7, go9());
    check(&GoV7, go19());
    check(&ChessPlanes, chess::Chess::new());
    check(&ChessPlanes, chess::Crazyhouse::new());
    check(&ChessPlanes, chess::ThreeCheck::new());
    check(&ChessBits, chess::Chess::new());
    check(&PigNumbers, pig::Pig::new());
    check(&BackgammonNumbers, backgammon::Backgammon::new());
}
