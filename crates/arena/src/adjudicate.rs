//! When a game is broken off because everybody knows how it ends.
//!
//! Resignations and draws go by what both players say; a player that says nothing (GTP) is taken to agree. Tablebases and solvers go by the truth.

use crate::settings::Adjudication;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position as _};
use shakmaty_syzygy::{AmbiguousWdl, Tablebase};
use std::path::Path;
use tengen_core::{Outcome, Side, Value};

/// Listens to the players of one game.
#[derive(Clone, Debug)]
pub(crate) struct Arbiter<'a> {
    rules: &'a Adjudication,
    /// For how many of its moves each side has thought that it is lost, that it is won, and that there is nothing in it.
    hopeless: [u32; 2],
    winning: [u32; 2],
    even: [u32; 2],
    /// Sides that have ever said what they think.
    speaks: [bool; 2],
}

impl<'a> Arbiter<'a> {
    pub fn new(rules: &'a Adjudication) -> Self {
        Arbiter { rules, hopeless: [0; 2], winning: [0; 2], even: [0; 2], speaks: [false; 2] }
    }

    /// Hears what a side made of its move, if it says; `ply` moves have been played with it.
    pub fn hear(&mut self, side: Side, value: Option<Value>, ply: usize) -> Option<(Outcome, &'static str)> {
        let (own, other) = (side.index(), side.other().index());
        let value = value?;
        self.speaks[own] = true;
        let count = |count: &mut u32, holds: bool| *count = if holds { *count + 1 } else { 0 };
        if let Some(rule) = self.rules.resign {
            count(&mut self.hopeless[own], value <= -rule.value);
            count(&mut self.winning[own], value >= rule.value);
            for (loser, winner) in [(own, other), (other, own)] {
                let agreed = |counts: [u32; 2], side: usize| !self.speaks[side] || counts[side] >= rule.moves;
                // Somebody must have said so.
                let said = self.speaks[loser] || self.speaks[winner];
                if said && agreed(self.hopeless, loser) && agreed(self.winning, winner) {
                    return Some((Outcome::Win(Side::BOTH[winner]), "adjudicated a win"));
                }
            }
        }
        if let Some(rule) = self.rules.draw {
            count(&mut self.even[own], value.abs() <= rule.value && ply >= rule.from as usize);
            let agreed = |side: usize| !self.speaks[side] || self.even[side] >= rule.moves;
            if agreed(own) && agreed(other) {
                return Some((Outcome::Draw, "adjudicated a draw"));
            }
        }
        None
    }
}

/// Endgames of chess, known exactly.
pub(crate) struct Endgames {
    tables: Tablebase<Chess>,
}

impl Endgames {
    /// The tables in a directory.
    pub fn open(dir: &Path) -> Result<Self, String> {
        let mut tables = Tablebase::new();
        let found = tables.add_directory(dir).map_err(|error| format!("tablebase {}: {error}", dir.display()))?;
        if found == 0 {
            return Err(format!("tablebase {}: there are no Syzygy files (.rtbw, .rtbz)", dir.display()));
        }
        Ok(Endgames { tables })
    }

    /// How a position ends, if the tables have it.
    pub fn outcome(&self, fen: &str) -> Option<Outcome> {
        // Most positions have too many pieces: that is seen without reading them.
        let pieces = fen.bytes().take_while(|byte| *byte != b' ').filter(u8::is_ascii_alphabetic).count();
        if pieces > self.tables.max_pieces() {
            return None;
        }
        let position: Chess = fen.parse::<Fen>().ok()?.into_position(CastlingMode::Standard).ok()?;
        let side = position.turn().fold_wb(Side::First, Side::Second);
        match self.tables.probe_wdl(&position).ok()? {
            AmbiguousWdl::Win => Some(Outcome::Win(side)),
            AmbiguousWdl::Loss => Some(Outcome::Win(side.other())),
            AmbiguousWdl::Draw | AmbiguousWdl::BlessedLoss | AmbiguousWdl::CursedWin => Some(Outcome::Draw),
            // The fifty moves may run out first: the players go on.
            AmbiguousWdl::MaybeWin | AmbiguousWdl::MaybeLoss => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{DrawRule, ResignRule};

    /// The first verdict on these values, First and Second in turn.
    fn hear(values: &[Option<f32>]) -> Option<(usize, Outcome)> {
        let rules = Adjudication {
            resign: Some(ResignRule { value: 0.9, moves: 2 }),
            draw: Some(DrawRule { value: 0.05, moves: 2, from: 4 }),
            ..Adjudication::default()
        };
        let mut arbiter = Arbiter::new(&rules);
        values
            .iter()
            .enumerate()
            .find_map(|(ply, &value)| arbiter.hear(Side::BOTH[ply % 2], value, ply).map(|(outcome, _)| (ply, outcome)))
    }

    #[test]
    fn both_must_agree() {
        let some = |values: &[f32]| values.iter().map(|&value| Some(value)).collect::<Vec<_>>();
        assert_eq!(hear(&some(&[-0.95, 0.95, -0.95, 0.95])), Some((3, Outcome::Win(Side::Second))));
        assert_eq!(hear(&some(&[-0.95, 0.5, -0.95, 0.95])), None);
        assert_eq!(hear(&some(&[0.95, -0.95, 0.0, -0.95, 0.95, -0.95, 0.95])), Some((6, Outcome::Win(Side::First))));
        assert_eq!(hear(&some(&[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])), Some((7, Outcome::Draw)));
        // One that never says anything leaves it to the other.
        assert_eq!(hear(&[Some(0.2), None, Some(-0.95), None, Some(-0.95)]), Some((4, Outcome::Win(Side::Second))));
        assert_eq!(hear(&[None; 8]), None);
    }
}
