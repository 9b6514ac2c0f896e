//! Backgammon: the race, and what stands in its way.

use tengen_core::{Line, Position, Score, Side};
use tengen_games::backgammon::Backgammon;
use tengen_search::Heuristic;

/// Pips to go, blots within reach, points made, checkers on the bar.
#[derive(Clone, Copy, Default, Debug)]
pub struct Race;

/// The home board and the two points before it, in a side's own count: where made points hold the opponent.
const BLOCKING: u32 = 0b1_1111_1110;

/// The opponent's home board, where a made point is an anchor.
const FAR: u32 = 0b11_1111 << 19;

fn terms(position: &Backgammon, side: Side) -> Score {
    let other = side.other();
    let (made, blots) = (position.made(side), position.blots(side));
    // The opponent's rearmost checker, in this side's count: blots behind it are out of danger.
    let rearmost = (1..=25).rev().find(|&point| position.checkers(other, point) > 0).unwrap_or(0);
    let reach = 25 - i32::from(rearmost);
    let exposed = (1..=24).filter(|point| blots >> point & 1 == 1 && *point > reach);
    // A blot lost near home costs more of the way.
    let danger: Score = exposed.map(|point| 8 + (25 - point) / 2).sum();
    let mut longest = 0;
    let mut run = 0;
    for point in 1..=24 {
        run = if made >> point & 1 == 1 { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    // Points only matter while somebody has to pass them.
    let contact =
        i32::from(rearmost) + (1..=25).rev().find(|&p| position.checkers(side, p) > 0).map_or(0, i32::from) > 25;
    let structure = if contact {
        14 * (made & BLOCKING).count_ones() as Score
            + 8 * (made & FAR).count_ones() as Score
            + 6 * longest * longest / 2
            - danger
            - 25 * Score::from(position.bar(side))
    } else {
        0
    };
    structure - 4 * Score::from(position.pips(side)) + 6 * Score::from(position.off(side))
}

impl Heuristic<Backgammon> for Race {
    fn score(&mut self, line: &Line<Backgammon>) -> Score {
        let position = line.position();
        let side = position.to_move();
        // The roll to come is worth about eight pips.
        let tempo = if position.dice().is_none() { 16 } else { 0 };
        terms(position, side) - terms(position, side.other()) + tempo
    }
}
