//! Yokai no Mori 5x6: where the pieces stand, what is in hand, and how far the Koropokkuru is besieged.
//!
//! The score is linear in some [`features`], so that their weights can be fitted to the outcomes of games: `examples/siege.rs` plays
//! them and does so. Those below come from 37 000 quiet positions of games between earlier weights, 3000 positions a move.

use tengen_core::{Line, Position, Pov, Score, Side};
use tengen_games::yokai::{Kind, Move, Rules, Squares, Yokai};
use tengen_search::Heuristic;

/// How many weights there are.
pub const WEIGHTS: usize = 68;

/// Pieces by kind and row, the row counted from home.
const PIECES: usize = 0;
/// The Koropokkuru by its distance from the edge.
const COLUMN: usize = 36;
/// The first of a kind in hand, and each one more.
const HELD: usize = 39;
const MORE: usize = 42;
/// Squares beside the other Koropokkuru that are attacked; attacked and not covered; that it could flee to.
const NEAR: usize = 45;
const OPEN: usize = 52;
const FLIGHT: usize = 59;
/// Pieces in hand times squares that are not covered; squares reached; the right to move.
const PRESSURE: usize = 65;
const REACH: usize = 66;
const TURN: usize = 67;

const KINDS: [Kind; 6] = [Kind::Kodama, Kind::Samurai, Kind::Oni, Kind::SuperOni, Kind::Kirin, Kind::Koropokkuru];
const HOLDABLE: [Kind; 3] = [Kind::Kodama, Kind::Oni, Kind::Kirin];

/// The weights, as fitted: a hundred is about a Kodama.
#[rustfmt::skip]
const FITTED: [i16; WEIGHTS] = [
    180, 108, 97, 98, 90, 0, // Kodama
    0, 19, 110, 10, 174, 18, // Samurai
    130, 216, 259, 230, 189, 181, // Oni
    0, 41, 237, 318, 101, 101, // Super Oni
    181, 281, 305, 235, 16, -127, // Kirin
    -187, -47, -11, 67, 38, 140, // Koropokkuru
    -106, 31, 75, // column
    26, 218, 248, // held: Kodama, Oni, Kirin
    33, 148, 160, // more of them
    -190, -150, -70, 0, 83, 140, 187, // near
    -93, -51, -7, 39, 30, 11, 72, // open
    -35, -22, -39, 8, 6, 81, // flight
    11, 15, 51, // pressure, reach, turn
];

/// The evaluation.
#[derive(Clone, Debug)]
pub struct Siege {
    weights: [i16; WEIGHTS],
}

impl Default for Siege {
    fn default() -> Self {
        Siege::with(FITTED)
    }
}

impl Siege {
    /// With other weights, in hundredths of a Kodama.
    pub fn with(weights: [i16; WEIGHTS]) -> Self {
        Siege { weights }
    }
}

/// Tells of each feature of a position by how much the first side has more of it.
#[inline(always)]
pub fn features<R: Rules>(position: &Yokai<R>, mut tell: impl FnMut(usize, i32)) {
    let kings = Side::BOTH.map(|side| position.pieces_of(side, Kind::Koropokkuru));
    let reached = Side::BOTH.map(|side| position.attacked_by(side, position.pieces(side) & !kings[side.index()]));
    for side in Side::BOTH {
        let other = side.other();
        let sign = if side == Side::First { 1 } else { -1 };
        for (index, kind) in KINDS.into_iter().enumerate() {
            let mut set = position.pieces_of(side, kind);
            while set != 0 {
                let square = set.trailing_zeros() as usize;
                set &= set - 1;
                let row = square / R::WIDTH;
                let row = if side == Side::First { row } else { R::HEIGHT - 1 - row };
                tell(PIECES + index * 6 + row, sign);
                if kind == Kind::Koropokkuru {
                    tell(COLUMN + (square % R::WIDTH).min(R::WIDTH - 1 - square % R::WIDTH), sign);
                }
            }
        }
        let mut in_hand = 0;
        for (index, kind) in HOLDABLE.into_iter().enumerate() {
            let count = i32::from(position.hand(side, kind));
            if count > 0 {
                in_hand += count;
                tell(HELD + index, sign);
                tell(MORE + index, sign * (count - 1));
            }
        }
        let beside = neighbours::<R>(kings[other.index()]);
        let (own, theirs) = (reached[side.index()], reached[other.index()]);
        let open = (beside & own & !theirs).count_ones().min(6);
        tell(NEAR + (beside & own).count_ones().min(6) as usize, sign);
        tell(OPEN + open as usize, sign);
        tell(FLIGHT + (beside & !position.pieces(other) & !own).count_ones().min(5) as usize, sign);
        tell(PRESSURE, sign * in_hand.min(5) * open as i32);
        tell(REACH, sign * (own & !position.pieces(side)).count_ones() as i32);
        if position.to_move() == side {
            tell(TURN, sign);
        }
    }
}

/// All squares beside these.
pub(super) fn neighbours<R: Rules>(squares: Squares) -> Squares {
    let width = R::WIDTH as u32;
    let left: Squares = (0..R::HEIGHT as u32).fold(0, |set, row| set | 1 << (row * width));
    let right = left << (width - 1);
    let board: Squares = (1 << (width * R::HEIGHT as u32)) - 1;
    let wide = squares | (squares & !left) >> 1 | (squares & !right) << 1;
    (wide | wide << width | wide >> width) & board & !squares
}

/// What a piece counts in an exchange; the Koropokkuru ends the game.
fn price(kind: Kind) -> u32 {
    match kind {
        Kind::Kodama => 2,
        Kind::Samurai => 4,
        Kind::Oni | Kind::Kitsune => 5,
        Kind::SuperOni | Kind::Kirin | Kind::Tanuki => 6,
        Kind::Koropokkuru => 100,
    }
}

impl<R: Rules> Heuristic<Yokai<R>> for Siege {
    fn score(&mut self, line: &Line<Yokai<R>>) -> Score {
        let position = line.position();
        let mut sum = 0;
        features(position, |index, count| sum += i32::from(self.weights[index]) * count);
        Pov::of(Side::First, sum).seen_by(position.to_move())
    }

    /// Captures and promotions, the dearest first; but nothing that only gives away more than it takes.
    fn unquiet(&mut self, line: &Line<Yokai<R>>, moves: &mut Vec<Move>) {
        let position = line.position();
        let covered = position.attacked(position.to_move().other());
        moves.retain(|&mv| {
            gain(position, mv)
                .is_some_and(|(takes, risks)| takes >= risks || covered >> Yokai::<R>::target(mv) & 1 == 0)
        });
        moves.sort_by_key(|&mv| std::cmp::Reverse(self.promise(line, mv)));
    }

    fn promise(&mut self, line: &Line<Yokai<R>>, mv: Move) -> u32 {
        gain(line.position(), mv).map_or(0, |(takes, risks)| 1 + 16 * takes + 8 - risks.min(8))
    }

    fn urgent(&mut self, line: &Line<Yokai<R>>) -> bool {
        let position = line.position();
        let side = position.to_move();
        position.attacked(side.other()) & position.pieces_of(side, Kind::Koropokkuru) != 0
    }

    /// A pass is worse than the best move wherever pieces can be dropped or stepped with.
    fn passed(&mut self, line: &Line<Yokai<R>>) -> Option<Yokai<R>> {
        Some(line.position().passed())
    }
}

/// What a move takes or promotes, and what it puts at risk; nothing if it is quiet.
fn gain<R: Rules>(position: &Yokai<R>, mv: Move) -> Option<(u32, u32)> {
    let from = Yokai::<R>::origin(mv)?;
    let taken = position.at(Yokai::<R>::target(mv)).map_or(0, |(_, kind)| price(kind));
    let promoted = u32::from(position.promotes(mv));
    let mover = position.at(from).map_or(0, |(_, kind)| price(kind));
    (taken + promoted > 0).then_some((taken + promoted, mover))
}
