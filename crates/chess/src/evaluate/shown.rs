//! The evaluation as a person reads it: every group of terms, for both sides and both phases.

use super::classical::{FULL_PHASE, coefficients, cost_of_danger};
use super::packed::Packed;
use super::terms::{TERMS, is_danger};
use super::weights::WEIGHTS;
use crate::orthodox::Orthodox;
use shakmaty::Color;
use tengen_core::Score;

/// An evaluation taken apart.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Group by group: name, White's part, Black's part, each from its own side's view.
    pub groups: Vec<(&'static str, Packed, Packed)>,
    /// The share of the middle game, of 24.
    pub phase: i32,
    /// What the endgame's part is multiplied with, of 128.
    pub scale: i32,
    /// What rules of particular endgames add for White.
    pub extra: i32,
    /// The score for White, in centipawns.
    pub white: Score,
}

/// Takes the evaluation of a position apart.
pub fn show(board: &Orthodox) -> Shown {
    let (counted, white) = coefficients(board);
    let mut groups: Vec<(&'static str, Packed, Packed)> = Vec::new();
    for term in TERMS {
        let sum = |color: Color| {
            let places = term.start..term.start + term.count;
            places.fold(Packed::ZERO, |sum, place| {
                sum + WEIGHTS[place] * i32::from(counted.counts[color as usize][place])
            })
        };
        let (white, black) = (sum(Color::White), sum(Color::Black));
        match groups.iter_mut().find(|group| group.0 == term.group) {
            Some(group) => {
                group.1 += white;
                group.2 += black;
            }
            None => groups.push((term.group, white, black)),
        }
    }
    // Danger is added up first and turned into a score then.
    if let Some(group) =
        groups.iter_mut().find(|group| TERMS.iter().any(|term| term.group == group.0 && is_danger(term.start)))
    {
        group.1 = -cost_of_danger(group.1);
        group.2 = -cost_of_danger(group.2);
    }
    Shown { groups, phase: counted.phase, scale: counted.scale, extra: counted.extra, white }
}

impl std::fmt::Display for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{:<14} {:>15} {:>15} {:>15}", "", "White", "Black", "difference")?;
        writeln!(f, "{:<14} {:>15} {:>15} {:>15}", "", "middle    end", "middle    end", "middle    end")?;
        let mut total = Packed::ZERO;
        let pair = |packed: Packed| format!("{:>6} {:>6}", packed.middle(), packed.end());
        for &(name, white, black) in &self.groups {
            total += white - black;
            writeln!(f, "{name:<14} {:>15} {:>15} {:>15}", pair(white), pair(black), pair(white - black))?;
        }
        writeln!(f, "{:<14} {:>15} {:>15} {:>15}", "sum", "", "", pair(total))?;
        writeln!(
            f,
            "the middle game counts {} of {FULL_PHASE}, the endgame's score {} of 128",
            self.phase, self.scale
        )?;
        if self.extra != 0 {
            writeln!(f, "driving the bare king: {:+}", self.extra)?;
        }
        write!(f, "score for White: {:+.2} pawns", f64::from(self.white) / 100.0)
    }
}
