//! Endgame tablebases in Syzygy's format: won, drawn or lost inside the tree, the distance to the next capture or pawn move at the root.

use crate::mv::Mv;
use crate::orthodox::Orthodox;
use crate::search::Oracle;
use shakmaty::{Chess, Move, Position as _};
use shakmaty_syzygy::{Tablebase, Wdl};
use std::path::Path;
use tengen_core::Position as _;

/// The tables found on disk.
pub struct Tablebases {
    tables: Tablebase<Chess>,
    files: usize,
}

impl Tablebases {
    /// Opens all tables in the directories of a path, which are separated as in `PATH`.
    pub fn open(path: &str) -> Result<Tablebases, String> {
        let mut tables = Tablebase::new();
        let mut files = 0;
        for directory in std::env::split_paths(path).filter(|directory| !directory.as_os_str().is_empty()) {
            files += tables
                .add_directory(Path::new(&directory))
                .map_err(|error| format!("no tablebases from {}: {error}", directory.display()))?;
        }
        Ok(Tablebases { tables, files })
    }

    /// How many files were found.
    pub fn files(&self) -> usize {
        self.files
    }

    /// The most pieces any of the tables has.
    pub fn most_pieces(&self) -> usize {
        self.tables.max_pieces()
    }

    /// Whether the position is within reach of the tables.
    fn covers(&self, position: &Chess) -> bool {
        position.board().occupied().count() <= self.most_pieces() && position.castles().is_empty()
    }

    /// The moves worth playing at the root: those that keep the result, and of them the quickest to the next capture or
    /// pawn move if it is a win, the slowest if it is a loss. `None` if a table is missing.
    pub fn best_moves(&self, position: &Chess, legal: &[Move]) -> Option<Vec<Move>> {
        if !self.covers(position) {
            return None;
        }
        // For each move the result and the distance for the side that moves.
        let mut rated = Vec::with_capacity(legal.len());
        for &mv in legal {
            let mut next = position.clone();
            next.play_unchecked(mv);
            let (result, distance) = if next.is_checkmate() {
                (2, 0)
            } else if next.is_game_over() {
                (0, 0)
            } else {
                let dtz = self.tables.probe_dtz(&next).ok()?.ignore_rounding();
                let wdl = Wdl::from_dtz(dtz.add_plies(if next.halfmoves() == 0 { 0 } else { next.halfmoves() }));
                (-rank(wdl), dtz.0.abs() + i32::from(next.halfmoves() > 0))
            };
            rated.push((mv, result, distance));
        }
        let best = rated.iter().map(|&(_, result, _)| result).max()?;
        let kept = rated.into_iter().filter(|&(_, result, _)| result == best);
        Some(match best {
            1.. => {
                let kept: Vec<_> = kept.collect();
                let least = kept.iter().map(|&(_, _, distance)| distance).min()?;
                kept.into_iter().filter(|&(_, _, distance)| distance == least).map(|(mv, _, _)| mv).collect()
            }
            0 => kept.map(|(mv, _, _)| mv).collect(),
            _ => {
                let kept: Vec<_> = kept.collect();
                let most = kept.iter().map(|&(_, _, distance)| distance).max()?;
                kept.into_iter().filter(|&(_, _, distance)| distance == most).map(|(mv, _, _)| mv).collect()
            }
        })
    }

    /// The codes of the best moves.
    pub(crate) fn best_codes(&self, position: &Chess, legal: &[Move]) -> Option<Vec<Mv>> {
        let best = self.best_moves(position, legal)?;
        Some(best.into_iter().map(|mv| Mv::from_code(tengen_games::chess::Chess::code(mv))).collect())
    }
}

/// From −2, a loss, to 2, a win; ±1 is what the fifty-move rule makes a draw.
fn rank(wdl: Wdl) -> i32 {
    match wdl {
        Wdl::Win => 2,
        Wdl::CursedWin => 1,
        Wdl::Draw => 0,
        Wdl::BlessedLoss => -1,
        Wdl::Loss => -2,
    }
}

impl Oracle<Orthodox> for Tablebases {
    fn most_pieces(&self) -> usize {
        Tablebases::most_pieces(self)
    }

    fn ask(&self, board: &Orthodox) -> Option<i32> {
        let position = board.rules()?;
        let wdl = self.tables.probe_wdl_after_zeroing(&position).ok()?;
        Some(match wdl {
            Wdl::Win => 1,
            Wdl::Loss => -1,
            _ => 0,
        })
    }
}
