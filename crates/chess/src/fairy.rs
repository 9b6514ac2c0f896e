//! The variants, on shakmaty's rules: slower than the bitboards of chess, and right for all of them.
//!
//! Legal moves are listed once a position, when somebody first asks for them.

use crate::board::{Kind, Pieces, SearchBoard, Verdict, WORTH, at};
use crate::mv::{Mv, Ranked};
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Color, EnPassantMode, Move, Position as _, Role};
use std::sync::OnceLock;
use tengen_core::{Outcome, Position as _, Side};
use tengen_games::chess::{Board, Variant};

/// A position of a variant.
#[derive(Debug)]
pub struct Fairy<V: Variant> {
    rules: V::Rules,
    key: u64,
    in_check: bool,
    moves: OnceLock<Vec<Move>>,
}

impl<V: Variant> Clone for Fairy<V> {
    /// A clone is there to be changed: it lists its own moves.
    fn clone(&self) -> Self {
        Fairy { rules: self.rules.clone(), key: self.key, in_check: self.in_check, moves: OnceLock::new() }
    }
}

impl<V: Variant> Fairy<V> {
    /// The position of the game.
    pub fn new(board: &Board<V>) -> Self {
        let mut fairy = Fairy { rules: board.rules().clone(), key: 0, in_check: false, moves: OnceLock::new() };
        fairy.refresh();
        fairy
    }

    /// The position as shakmaty has it.
    pub fn rules(&self) -> &V::Rules {
        &self.rules
    }

    fn refresh(&mut self) {
        let Zobrist64(key) = self.rules.zobrist_hash(EnPassantMode::Legal);
        self.key = key;
        self.in_check = self.rules().is_check();
        self.moves = OnceLock::new();
    }

    fn legal(&self) -> &[Move] {
        self.moves.get_or_init(|| {
            let mut moves = Vec::new();
            V::list(self.rules(), &mut moves);
            moves
        })
    }

    fn find(&self, mv: Mv) -> Option<Move> {
        self.legal().iter().copied().find(|&legal| Board::<V>::code(legal) == mv.code())
    }

    fn verdict_for(&self, outcome: Outcome) -> Verdict {
        let us = if self.to_move() == Color::White { Side::First } else { Side::Second };
        match outcome {
            Outcome::Draw => Verdict::Drawn,
            Outcome::Win(side) if side == us => Verdict::Won,
            Outcome::Win(_) => Verdict::Lost,
        }
    }

    const CAPTURES_COMPULSORY: bool = matches!(V::ID.as_bytes(), b"antichess");
    const EXPLOSIVE: bool = matches!(V::ID.as_bytes(), b"atomic");
}

fn noisy(mv: &Move) -> bool {
    mv.is_capture() || mv.promotion() == Some(Role::Queen)
}

impl<V: Variant> SearchBoard for Fairy<V> {
    fn to_move(&self) -> Color {
        self.rules().turn()
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn structure_key(&self) -> u64 {
        let board = self.rules().board();
        tengen_core::mix(
            board.pawns().0 ^ tengen_core::mix(board.kings().0) ^ board.white().0 & (board.pawns().0 | board.kings().0),
        )
    }

    fn in_check(&self) -> bool {
        self.in_check
    }

    fn compelled(&self) -> bool {
        self.in_check || Self::CAPTURES_COMPULSORY && self.legal().first().is_some_and(|mv| mv.is_capture())
    }

    fn halfmoves(&self) -> u32 {
        self.rules().halfmoves()
    }

    fn tablebase_size(&self) -> Option<usize> {
        None
    }

    fn verdict(&self) -> Option<Verdict> {
        if let Some(outcome) = V::ended(self.rules()) {
            return Some(self.verdict_for(outcome));
        }
        self.rules().is_insufficient_material().then_some(Verdict::Drawn)
    }

    fn stuck(&self) -> Verdict {
        self.verdict_for(V::stuck(self.rules()))
    }

    fn list(&self, kind: Kind, moves: &mut Vec<Ranked>) {
        let pieces = Pieces::of(self.rules().board());
        let wanted = self.legal().iter().filter(|mv| match kind {
            Kind::Noisy => noisy(mv),
            Kind::Quiet => !noisy(mv),
            Kind::Checks => {
                !noisy(mv) && !mv.is_castle() && pieces.checking(self.to_move(), mv.role()).contains(mv.to())
            }
        });
        moves.extend(wanted.map(|&mv| Ranked::from(Mv::from_code(Board::<V>::code(mv)))));
    }

    fn is_safe(&self, _mv: Mv) -> bool {
        true
    }

    fn accepts(&self, mv: Mv) -> bool {
        !mv.is_none() && self.find(mv).is_some()
    }

    fn is_noisy(&self, mv: Mv) -> bool {
        self.find(mv).is_some_and(|mv| noisy(&mv))
    }

    fn mover(&self, mv: Mv) -> Role {
        if mv.is_drop() {
            return mv.role().unwrap_or(Role::Pawn);
        }
        self.rules().board().role_at(mv.from()).unwrap_or(Role::Pawn)
    }

    fn victim(&self, mv: Mv) -> Option<Role> {
        self.find(mv).and_then(|mv| mv.capture())
    }

    fn exchange(&self, mv: Mv, least: i32) -> bool {
        let Some(found) = self.find(mv) else { return false };
        if Self::CAPTURES_COMPULSORY {
            return true;
        }
        let pieces = Pieces::of(self.rules().board());
        let us = self.to_move();
        let gained = found.capture().map_or(0, |role| WORTH[at(role)]);
        if Self::EXPLOSIVE && found.is_capture() {
            // Everything beside the target goes, pawns excepted, and the capturer with it.
            let blast = shakmaty::attacks::king_attacks(found.to()) & !pieces.of_role(Role::Pawn);
            let blown = |color: Color| -> i32 {
                let gone = Role::ALL.map(|role| (blast & pieces.of_kind(color, role)).count() as i32 * WORTH[at(role)]);
                gone.iter().sum()
            };
            let own = WORTH[at(found.role())];
            return gained + blown(!us) - blown(us).max(own) >= least;
        }
        if found.is_castle() {
            return least <= 0;
        }
        let to = found.to();
        let mut occupied = pieces.occupied() | to;
        if let Some(from) = found.from() {
            occupied.discard(from);
        }
        if let Move::EnPassant { from, to } = found {
            occupied.discard(shakmaty::Square::from_coords(to.file(), from.rank()));
        }
        let promoted = found.promotion().map_or(0, |role| WORTH[at(role)] - WORTH[0]);
        let risked = WORTH[at(found.promotion().unwrap_or(found.role()))];
        pieces.exchange(us, to, occupied, gained + promoted, risked, least)
    }

    /// A side with nothing but pawns and king may be in zugzwang; one that must capture is never free to pass.
    fn may_pass(&self) -> bool {
        let rules = self.rules();
        !Self::CAPTURES_COMPULSORY && (rules.us() & !(rules.board().pawns() | rules.board().kings())).any()
    }

    fn play(&mut self, mv: Mv) {
        // The search plays what was listed or accepted here.
        if let Some(found) = self.find(mv) {
            self.rules.play_unchecked(found);
        }
        self.refresh();
    }

    fn pass(&mut self) -> bool {
        match self.rules.clone().swap_turn() {
            Ok(rules) => {
                self.rules = rules;
                self.refresh();
                true
            }
            Err(_) => false,
        }
    }
}
