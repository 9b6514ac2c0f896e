//! The variants' evaluation: material, placement, mobility and the king's safety as in chess, weighed by what each variant is about.
//!
//! One formula with a row of figures a variant ([`Flavour`]), because the goals differ more than the pieces do.

use super::Evaluation;
use super::classical::{FULL_PHASE, PHASE};
use super::terms::SQUARES;
use super::weights::WEIGHTS;
use crate::board::{Pieces, SearchBoard as _, at};
use crate::fairy::Fairy;
use crate::orthodox::{forward, pawn_strikes};
use shakmaty::{Bitboard, Color, Position as _, Role, Square, attacks};
use tengen_core::Score;
use tengen_games::chess::Variant;

/// How a variant weighs what it has in common with chess, in hundredths where nothing else is said.
struct Flavour {
    /// Pawn to queen, in centipawns.
    worth: [i32; 5],
    /// The placement tables of chess.
    placement: i32,
    /// Centipawns for every square a piece can go to.
    mobility: i32,
    /// Centipawns for every attack on a square beside the king.
    king_attack: i32,
    /// Having the move.
    tempo: i32,
}

fn flavour(id: &str) -> Flavour {
    match id {
        // Pieces come back: the difference between them shrinks, and the initiative is everything.
        "crazyhouse" => {
            Flavour { worth: [100, 260, 270, 340, 600], placement: 60, mobility: 2, king_attack: 16, tempo: 30 }
        }
        // Captures take the capturer along; an exposed king dies in one move.
        "atomic" => {
            Flavour { worth: [110, 230, 240, 360, 780], placement: 50, mobility: 3, king_attack: 14, tempo: 40 }
        }
        "antichess" => {
            Flavour { worth: [-40, -70, -30, -90, -70], placement: 0, mobility: 4, king_attack: 0, tempo: 0 }
        }
        "racingkings" => {
            Flavour { worth: [100, 300, 320, 500, 850], placement: 0, mobility: 4, king_attack: 0, tempo: 40 }
        }
        "horde" => Flavour { worth: [100, 300, 310, 480, 900], placement: 60, mobility: 3, king_attack: 8, tempo: 15 },
        "threecheck" => {
            Flavour { worth: [90, 310, 330, 470, 950], placement: 100, mobility: 3, king_attack: 14, tempo: 30 }
        }
        "koth" => Flavour { worth: [90, 320, 335, 480, 970], placement: 80, mobility: 3, king_attack: 9, tempo: 25 },
        _ => Flavour { worth: [90, 325, 340, 500, 1000], placement: 100, mobility: 3, king_attack: 8, tempo: 20 },
    }
}

/// The evaluation that the search uses for every variant but Chess960.
pub struct FairyEvaluation {
    flavour: Flavour,
}

impl FairyEvaluation {
    /// For the variant with this id.
    pub fn new(id: &str) -> Self {
        FairyEvaluation { flavour: flavour(id) }
    }
}

impl<V: Variant> Evaluation<Fairy<V>> for FairyEvaluation {
    fn evaluate(&mut self, board: &Fairy<V>) -> Score {
        let pieces = Pieces::of(board.rules().board());
        let phase: i32 = Role::ALL.iter().map(|&role| PHASE[at(role)] * pieces.of_role(role).count() as i32).sum();
        let phase = phase.min(FULL_PHASE);
        let us = board.to_move();
        let score = self.side(board, &pieces, us, phase) - self.side(board, &pieces, !us, phase);
        (score + self.flavour.tempo).clamp(-20_000, 20_000)
    }
}

impl FairyEvaluation {
    /// What one side has.
    fn side<V: Variant>(&self, board: &Fairy<V>, pieces: &Pieces, color: Color, phase: i32) -> Score {
        let flavour = &self.flavour;
        let occupied = pieces.occupied();
        let their_king = pieces.of_kind(!color, Role::King).first();
        let own_king = pieces.of_kind(color, Role::King).first();
        let ring = their_king.map_or(Bitboard::EMPTY, attacks::king_attacks);
        let own = pieces.of_color(color);
        let pawns = pieces.of_kind(color, Role::Pawn);
        let (left, right) = pawn_strikes(color, pawns);
        let (their_left, their_right) = pawn_strikes(!color, pieces.of_kind(!color, Role::Pawn));
        let guarded = their_left | their_right;
        let mut sum = 0;
        let mut ring_attacks = (left & ring).count() as i32 + (right & ring).count() as i32;
        for role in Role::ALL {
            for square in pieces.of_kind(color, role) {
                if role != Role::King {
                    sum += flavour.worth[at(role)];
                }
                let file = (square.file() as usize).min(7 - square.file() as usize);
                let rank = color.relative_rank(square.rank()) as usize;
                let weight = WEIGHTS[SQUARES + at(role) * 32 + rank * 4 + file];
                let placed = (weight.middle() * phase + weight.end() * (FULL_PHASE - phase)) / FULL_PHASE;
                sum += placed * flavour.placement / 100;
                let reached = match role {
                    Role::Pawn | Role::King => continue,
                    Role::Knight => attacks::knight_attacks(square),
                    Role::Bishop => attacks::bishop_attacks(square, occupied),
                    Role::Rook => attacks::rook_attacks(square, occupied),
                    Role::Queen => attacks::queen_attacks(square, occupied),
                };
                sum += flavour.mobility * (reached & !own & !guarded).count() as i32;
                ring_attacks += (reached & ring).count() as i32;
            }
        }
        // An attack gains weight with every piece that joins it.
        sum += flavour.king_attack * ring_attacks * (4 + ring_attacks) / 8;
        // Pawns that nothing holds up any more.
        for square in pawns {
            let span = forward_fill(color, square);
            if (span & pieces.of_kind(!color, Role::Pawn)).is_empty() && V::ID != "antichess" {
                let rank = color.relative_rank(square.rank()) as i32;
                sum += 3 * rank * rank;
            }
        }
        if let Some(king) = own_king {
            let shield = forward(color, attacks::king_attacks(king) | king) & pawns;
            sum += flavour.king_attack * shield.count() as i32 * phase / FULL_PHASE;
        }
        sum + goal(board, pieces, color, own_king, flavour)
    }
}

/// The squares in front of a pawn on its file and the files beside it.
fn forward_fill(color: Color, square: Square) -> Bitboard {
    let (left, right) = pawn_strikes(color, square.into());
    let mut span = left | right | forward(color, square.into());
    for _ in 0..6 {
        span |= forward(color, span);
    }
    span
}

/// What only this variant has.
fn goal<V: Variant>(board: &Fairy<V>, pieces: &Pieces, color: Color, king: Option<Square>, flavour: &Flavour) -> Score {
    let rules = board.rules();
    let mut sum = 0;
    if let Some(pockets) = rules.pockets() {
        // A piece in hand can go anywhere; with several, the enemy king feels it.
        let hand = &pockets[color];
        let mut held = 0;
        for role in [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            let count = i32::from(*hand.get(role));
            sum += count * flavour.worth[at(role)] * 115 / 100;
            held += count.min(3);
        }
        if let Some(target) = pieces.of_kind(!color, Role::King).first() {
            let holes = (attacks::king_attacks(target) & !pieces.occupied()).count() as i32;
            sum += held * (6 + 4 * holes);
        }
    }
    if let Some(left) = rules.remaining_checks() {
        sum += match u8::from(left[color]) {
            0 | 1 => 550,
            2 => 180,
            _ => 0,
        };
    }
    match (V::ID, king) {
        ("koth", Some(king)) => {
            let centre = [Square::D4, Square::E4, Square::D5, Square::E5];
            let way = centre.into_iter().map(|square| square.distance(king) as i32).min().unwrap_or(0);
            sum += [300, 120, 30, 0, 0, 0, 0, 0][way.clamp(0, 7) as usize];
        }
        ("racingkings", Some(king)) => {
            let rank = king.rank() as i32;
            sum += 60 * rank + 12 * rank * rank;
        }
        ("antichess", _) => {
            // Fewer pieces is better, and the last ones are the hardest to get rid of.
            sum -= 20 * pieces.of_color(color).count() as i32;
        }
        ("horde", None) => {
            // Pawns side by side hold each other.
            let pawns = pieces.of_kind(color, Role::Pawn);
            let (left, right) = pawn_strikes(color, pawns);
            sum += 6 * ((left | right) & pawns).count() as i32;
        }
        ("atomic", Some(king)) => {
            // Own pieces beside the king are bombs: each can be taken, and takes him along.
            sum -= 12 * (attacks::king_attacks(king) & pieces.of_color(color)).count() as i32;
        }
        _ => {}
    }
    sum
}
