//! Yokai no Mori: material on the board and in hand, and how safe the Koropokkuru is.

use tengen_core::{Line, Position, Score, Side};
use tengen_games::yokai::{Kind, Move, Rules, Squares, Yokai};
use tengen_search::Heuristic;

/// Pieces, reach, and the neighbourhood of the Koropokkuru.
#[derive(Clone, Copy, Default, Debug)]
pub struct Safety;

const KINDS: [Kind; 8] = [
    Kind::Kodama,
    Kind::Samurai,
    Kind::Kitsune,
    Kind::Tanuki,
    Kind::Oni,
    Kind::SuperOni,
    Kind::Kirin,
    Kind::Koropokkuru,
];

/// What a piece is worth on the board; in hand it can go anywhere, and counts a little more.
fn worth(kind: Kind) -> Score {
    match kind {
        Kind::Kodama => 100,
        Kind::Samurai => 330,
        Kind::Kitsune => 280,
        Kind::Tanuki => 320,
        Kind::Oni => 300,
        Kind::SuperOni => 420,
        Kind::Kirin => 400,
        Kind::Koropokkuru => 0,
    }
}

fn terms<R: Rules>(position: &Yokai<R>, side: Side) -> Score {
    let mut sum = 0;
    for kind in KINDS {
        let on_board = position.pieces_of(side, kind).count_ones() as Score;
        sum += worth(kind) * on_board + (worth(kind) * 11 / 10) * Score::from(position.hand(side, kind));
    }
    let (own, theirs) = (position.attacked(side), position.attacked(side.other()));
    sum += 6 * own.count_ones() as Score;
    let king = position.pieces_of(side, Kind::Koropokkuru);
    if king != 0 {
        let around = neighbours::<R>(king);
        // Squares beside the Koropokkuru that the opponent reaches.
        sum -= 30 * (around & theirs).count_ones() as Score;
    }
    sum
}

/// All squares beside these.
fn neighbours<R: Rules>(squares: Squares) -> Squares {
    let width = R::WIDTH as u32;
    let left: Squares = (0..R::HEIGHT as u32).fold(0, |set, row| set | 1 << (row * width));
    let right = left << (width - 1);
    let board: Squares = (1 << (width * R::HEIGHT as u32)) - 1;
    let wide = squares | (squares & !left) >> 1 | (squares & !right) << 1;
    (wide | wide << width | wide >> width) & board & !squares
}

impl<R: Rules> Heuristic<Yokai<R>> for Safety {
    fn score(&mut self, line: &Line<Yokai<R>>) -> Score {
        let position = line.position();
        let side = position.to_move();
        terms(position, side) - terms(position, side.other()) + 20
    }

    /// Captures, the dearest first.
    fn unquiet(&mut self, line: &Line<Yokai<R>>, moves: &mut Vec<Move>) {
        let position = line.position();
        let taken = |mv: Move| position.at(Yokai::<R>::target(mv)).map(|(_, kind)| kind);
        moves.retain(|&mv| taken(mv).is_some());
        let price = |kind: Kind| if kind == Kind::Koropokkuru { 10_000 } else { worth(kind) };
        moves.sort_by_key(|&mv| -taken(mv).map_or(0, price));
    }
}
