//! Counting.
//!
//! The rules' own count takes all stones as alive; a count that people agree on names the dead ones first. An empty
//! point belongs to a side if only stones of that side can be reached from it over empty points, else to nobody.

use super::board::{BLACK, WHITE};
use super::{Go, Point, Scoring};
use tengen_core::{Outcome, Side};

/// The count of a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Count {
    /// Black's points.
    pub black: f32,
    /// White's points, with komi and the compensation for handicap stones.
    pub white: f32,
    /// Whose each point is, row by row from the top left: see [`Board::index`](super::Board::index).
    pub owners: Vec<Option<Side>>,
}

impl Count {
    /// How much Black is ahead.
    pub fn lead(&self) -> f32 {
        self.black - self.white
    }

    /// How the game ends with this count.
    pub fn outcome(&self) -> Outcome {
        outcome((self.lead() * 2.0) as i32)
    }
}

impl<const CELLS: usize> Go<CELLS> {
    /// The count if these stones, and all others of their chains, are dead: they are taken off first. Empty points in
    /// the list mean nothing.
    pub fn count(&self, dead: &[Point]) -> Count {
        self.count_by(self.rules.scoring(), dead, &[])
    }

    /// [`count`](Go::count) by either kind of scoring, where chains with stones in `seki` live, but surround nothing when
    /// territory counts: what touches them is nobody's.
    pub fn count_by(&self, scoring: Scoring, dead: &[Point], seki: &[Point]) -> Count {
        let mut board = self.board.clone();
        let mut prisoners = self.prisoners;
        for &point in dead {
            if let (Some(side), Some(chain)) = (board.colour(point), board.chain(point)) {
                prisoners[side.other().index()] += board.remove(chain.cell(), side, &mut |_| ());
            }
        }
        let mut owners: Vec<Option<Side>> = board.points().map(|point| board.colour(point)).collect();
        let mut territory = [0, 0];
        let in_seki: Vec<Point> = match scoring {
            Scoring::Area => vec![],
            Scoring::Territory => seki.iter().filter_map(|&point| board.chain(point)).collect(),
        };
        let touches_seki =
            |point| board.neighbours(point).any(|near| board.chain(near).is_some_and(|chain| in_seki.contains(&chain)));
        board.regions(|region, owner| {
            let owner = owner.filter(|_| in_seki.is_empty() || !region.iter().any(|&point| touches_seki(point)));
            if let Some(side) = owner {
                territory[side.index()] += region.len();
            }
            for &cell in region {
                owners[board.index(cell)] = owner;
            }
        });
        let points = |side: Side| {
            let beside = match scoring {
                Scoring::Area => board.stones(side),
                Scoring::Territory => prisoners[side.index()] as usize,
            };
            (territory[side.index()] + beside) as f32
        };
        // Where only territory counts, handicap stones give nothing that White must be paid for.
        let compensation = if scoring == self.rules.scoring() { f32::from(self.compensation) } else { 0.0 };
        let white = points(Side::Second) + self.komi.points() + compensation;
        Count { black: points(Side::First), white, owners }
    }

    /// How the game would end if it ended now, all stones taken as alive.
    pub fn outcome(&self) -> Outcome {
        outcome(self.lead())
    }

    /// Twice the points by which Black is ahead, all stones taken as alive.
    pub fn lead(&self) -> i32 {
        let mut territory = 0;
        self.board.regions(|region, owner| match owner {
            Some(Side::First) => territory += region.len() as i32,
            Some(Side::Second) => territory -= region.len() as i32,
            None => {}
        });
        self.lead_with(territory)
    }

    /// [`lead`](Go::lead) without a search for regions, for positions in which no empty point has an empty neighbour:
    /// the end of a [playout](tengen_core::Position::playout) is one.
    pub fn settled_lead(&self) -> i32 {
        let territory = self.board.points().map(|point| match self.board.colour(point) {
            Some(_) => 0,
            None => self.board.wall(point.cell()),
        });
        self.lead_with(territory.sum())
    }

    /// Whose a point is, in positions in which no empty point has an empty neighbour.
    #[inline]
    pub fn settled_owner(&self, point: Point) -> Option<Side> {
        self.board.colour(point).or_else(|| match self.board.wall(point.cell()) {
            1 => Some(Side::First),
            -1 => Some(Side::Second),
            _ => None,
        })
    }

    /// The lead, given how many more empty points Black has than White.
    #[inline]
    pub(super) fn lead_with(&self, territory: i32) -> i32 {
        let beside = match self.rules.scoring() {
            Scoring::Area => self.board.stones(Side::First) as i32 - self.board.stones(Side::Second) as i32,
            Scoring::Territory => self.prisoners[0] as i32 - self.prisoners[1] as i32,
        };
        2 * (territory + beside - i32::from(self.compensation)) - self.komi.halves()
    }
}

/// What twice the lead of Black means.
#[inline]
pub(super) fn outcome(lead: i32) -> Outcome {
    match lead {
        1.. => Outcome::Win(Side::First),
        0 => Outcome::Draw,
        _ => Outcome::Win(Side::Second),
    }
}

impl<const CELLS: usize> super::Board<CELLS> {
    /// 1 if all neighbours of a point are black, −1 if all are white, else 0.
    #[inline]
    pub(super) fn wall(&self, cell: usize) -> i32 {
        let all = self.look_around(cell).into_iter().fold(BLACK | WHITE, |all, near| all & near);
        i32::from(all & BLACK != 0) - i32::from(all & WHITE != 0)
    }

    /// Shows every region of empty points, with the side that alone has stones around it.
    fn regions(&self, mut see: impl FnMut(&[Point], Option<Side>)) {
        let mut seen = [false; CELLS];
        let mut region = Vec::new();
        for start in self.points() {
            if seen[start.cell()] || self.colour(start).is_some() {
                continue;
            }
            // The region is its own list of what is still to be looked at.
            region.clear();
            region.push(start);
            seen[start.cell()] = true;
            let mut beside = [false; 2];
            let mut at = 0;
            while let Some(&point) = region.get(at) {
                at += 1;
                for near in self.neighbours(point) {
                    match self.colour(near) {
                        Some(side) => beside[side.index()] = true,
                        None if !seen[near.cell()] => {
                            seen[near.cell()] = true;
                            region.push(near);
                        }
                        None => {}
                    }
                }
            }
            see(
                &region,
                match beside {
                    [true, false] => Some(Side::First),
                    [false, true] => Some(Side::Second),
                    _ => None,
                },
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::{Go9, read_point};
    use tengen_core::Notation;

    #[test]
    fn what_touches_seki_is_nobodys_where_territory_counts() {
        // C7 and E7 hold each other: D9 and D8 are nobody's under all rules; A9 to A6 touch only living stones.
        let text = ".OX.OX3/.OX.OX3/.OXOOX3/.OOXXX3/2OX5/2OX5/2OX5/2OX5/2OX5 b - 2 0 0 0";
        let go = Go9::read(text).expect("a position");
        let point = |name| read_point(9, name).expect("a point");
        let seki = [point("C7"), point("E7")];
        // White: the column A beside the seki and ten points below; Black: twelve and twenty-five points on the right.
        let plain = go.count_by(Scoring::Territory, &[], &[]);
        assert_eq!((plain.black, plain.white), (37.0, 14.0));
        assert_eq!(go.count_by(Scoring::Territory, &[], &seki), plain, "no point is touched by the seki alone");
        // With the walls of the left side in seki as well, White has nothing.
        let walls = go.count_by(Scoring::Territory, &[], &[point("B9"), point("C1")]);
        assert_eq!((walls.black, walls.white), (37.0, 0.0));
        let area = go.count_by(Scoring::Area, &[], &seki);
        assert_eq!(area, go.count_by(Scoring::Area, &[], &[]), "by area seki makes no difference");
        assert_eq!(go.count(&[]), area, "Chinese rules count area");
    }
}
