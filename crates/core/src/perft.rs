//! Counting the lines of a given length: the oldest test of rules there is.

use crate::{Position, Turn};

/// How many lines of `depth` moves begin here; moves of chance count like any other. Repetition is not looked
/// at, and a game that is over has no longer lines, unless [`Position::PERFT_KEEPS_ENDED`] says otherwise.
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    // One list of moves a ply, reused by all the positions of that ply.
    let mut lists: Vec<Vec<P::Move>> = (0..depth).map(|_| Vec::new()).collect();
    count(position, &mut lists)
}

/// Perft of each move of the position by itself, in the order the game lists them.
pub fn divide<P: Position>(position: &P, depth: u32) -> Vec<(P::Move, u64)> {
    let mut moves = Vec::new();
    list(position, &mut moves);
    let after = |mv| {
        let mut next = position.clone();
        next.play(mv);
        perft(&next, depth.saturating_sub(1))
    };
    moves.into_iter().map(|mv| (mv, after(mv))).collect()
}

fn count<P: Position>(position: &P, lists: &mut [Vec<P::Move>]) -> u64 {
    let Some((moves, deeper)) = lists.split_first_mut() else {
        return 1;
    };
    list(position, moves);
    if P::PERFT_KEEPS_ENDED && moves.is_empty() {
        return 1;
    }
    if deeper.is_empty() {
        // The last ply is counted, not played.
        return moves.len() as u64;
    }
    let mut nodes = 0;
    for &mv in moves.iter() {
        let mut next = position.clone();
        next.play(mv);
        nodes += count(&next, deeper);
    }
    nodes
}

/// The moves of a decision or of chance.
#[inline]
fn list<P: Position>(position: &P, moves: &mut Vec<P::Move>) {
    if position.turn(moves) == Turn::Chance {
        let mut outcomes = Vec::new();
        position.chance(&mut outcomes);
        moves.extend(outcomes.iter().map(|&(mv, _)| mv));
    }
}
