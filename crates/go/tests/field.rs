//! The engine's own board against the rules' board, stone for stone.

use tengen_core::{Position, Rng, Side};
use tengen_games::go::{Go, Move, Rules};
use tengen_go::GoParams;
use tengen_go::field::{Field, colour_of};
use tengen_go::playout::Policy;

/// Everything the field keeps must be what the rules' board says from scratch.
fn compare<const CELLS: usize, const WORDS: usize>(go: &Go<CELLS>, field: &Field<CELLS, WORDS>) {
    let board = go.board();
    let mut empty = 0;
    for point in board.points() {
        let cell = Field::<CELLS, WORDS>::cell_of(board, point);
        let colour = board.colour(point);
        assert_eq!(field.colour(cell), colour.map_or(0, colour_of), "{go:?} at {point:?}");
        match colour {
            Some(side) => {
                assert_eq!(field.chain_size(cell), board.chain_size(point), "{go:?} at {point:?}");
                assert_eq!(field.liberty_count(cell), board.liberty_count(point), "{go:?} at {point:?}");
                assert_eq!(field.liberties(cell).len(), board.liberty_count(point));
                assert_eq!(field.in_atari(colour_of(side)).has(field.chain(cell)), board.is_atari(point), "{go:?}");
                for liberty in board.liberties(point) {
                    assert!(field.liberties(cell).has(Field::<CELLS, WORDS>::cell_of(board, liberty)));
                }
            }
            None => {
                empty += 1;
                assert!(field.empty_points().contains(&(cell as u16)));
                assert!(go.passes() >= 2 || field.is_legal(cell) == go.is_legal(point), "{go:?} at {point:?}");
                for side in Side::BOTH {
                    assert_eq!(field.is_eye(cell, colour_of(side)), board.is_eye_like(point, side), "{go:?} {point:?}");
                }
            }
        }
        let ring = Field::<CELLS, WORDS>::ring_of(cell);
        let code =
            ring.iter().enumerate().fold(0, |code, (at, &near)| code | u16::from(field.colour(near)) << (2 * at));
        assert_eq!(field.around(cell), code, "{go:?} at {point:?}");
    }
    assert_eq!(field.empty_count(), empty);
    assert_eq!(field.key(), Field::<CELLS, WORDS>::key_of(board));
    assert_eq!(colour_of(go.to_move()), field.to_move());
    for side in Side::BOTH {
        assert_eq!(field.stones(colour_of(side)), board.stones(side));
    }
}

/// Playouts from the empty board: every move is legal by the rules, and both boards stay the same.
fn check<const CELLS: usize, const WORDS: usize>(size: usize, rules: Rules, games: u64) {
    let params = GoParams { two_rate: 50, fill_tries: 2, fill_from: 2, pattern_second: true, ..GoParams::default() };
    let policy = Policy::new(&params, false);
    for seed in 0..games {
        let mut rng = Rng::with_seed(seed);
        let mut go = Go::<CELLS>::new(size, rules, None).expect("this size fits");
        let mut field = Field::<CELLS, WORDS>::of(&go);
        let mut moves = 0;
        while go.passes() < 2 && moves < 3 * size * size {
            let cell = policy.choose(&field, &mut rng, 5);
            let mv = field.move_of(cell);
            if let Move::At(point) = mv {
                assert_eq!(go.check(point), Ok(()), "{go:?} {mv:?}");
                let mut after = go.clone();
                after.play(mv);
                assert_eq!(Field::<CELLS, WORDS>::key_of(after.board()), field.key_after(cell));
            }
            go.play(mv);
            field.play(cell);
            moves += 1;
            if moves % 7 == 0 || seed < 3 {
                compare(&go, &field);
                compare(&go, &Field::<CELLS, WORDS>::of(&go));
            }
        }
        compare(&go, &field);
        assert_eq!(2 * field.area(|_, _| ()) - go.komi().halves(), go.lead(), "{go:?}");
    }
}

#[test]
fn playouts_follow_the_rules() {
    for size in 2..=9 {
        check::<111, 2>(size, Rules::Chinese, 60);
    }
    check::<211, 4>(13, Rules::Chinese, 20);
    check::<421, 7>(19, Rules::Chinese, 10);
    check::<703, 11>(25, Rules::Chinese, 4);
}
