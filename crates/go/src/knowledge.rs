//! What the engine thinks of a move before any simulation: bonuses and penalties as won and lost simulations.
//!
//! The shapes and their first weights are MoGo's; captures, ladders, self-atari and the distance to the last moves are added
//! to them. A new node's moves start with these counts, and real simulations soon outweigh them.

use crate::features::{ATARI, CATCHES, RUNS, RUNS_IN_VAIN, TAKES_MANY, TAKES_ONE, TAKES_SAVING, View};
use crate::field::{BLACKS, BORDERS, Cell, Colour, EMPTY, Field, OPEN, WHITES, opponent};
use crate::opening::Opening;
use crate::params::GoParams;
use crate::patterns::Patterns;
use crate::weights::Weights;

/// Simulations that a move starts with.
#[derive(Clone, Copy, Default, Debug)]
pub struct Prior {
    /// How many.
    pub visits: f32,
    /// How many of them were won by the side that makes the move.
    pub wins: f32,
    /// How likely a strong player is to make the move, as far as the learnt policy can tell; 0 without it.
    pub policy: f32,
}

impl Prior {
    fn bonus(&mut self, weight: f32) {
        self.visits += weight;
        self.wins += weight;
    }

    fn penalty(&mut self, weight: f32) {
        self.visits += weight;
    }

    fn even(&mut self, weight: f32) {
        self.visits += weight;
        self.wins += weight / 2.0;
    }
}

/// Bonus by distance to a recent move, from 1 on, as a share of the weight.
const BY_DISTANCE: [f32; 4] = [1.0, 0.9, 0.45, 0.15];

/// Judges the moves of a position.
pub struct Knowledge<'p> {
    params: &'p GoParams,
    patterns: &'static Patterns,
}

impl<'p> Knowledge<'p> {
    /// With these weights.
    pub fn new(params: &'p GoParams) -> Self {
        Knowledge { params, patterns: Patterns::get() }
    }

    /// Adds every move worth looking at with what is thought of it: all legal ones that fill no eye, and a pass (cell 0). Gives the
    /// weight that the learnt policy has here.
    pub fn judge<const CELLS: usize, const WORDS: usize>(
        &self,
        field: &Field<CELLS, WORDS>,
        moves: &mut Vec<(Cell, Prior)>,
    ) -> f32 {
        moves.clear();
        let params = self.params;
        let opening = Opening::of(field);
        // A pass is on no point of the board.
        let begins = |cell: Cell| match &opening {
            Some(opening) if cell != 0 => {
                let (column, row) = Field::<CELLS, WORDS>::coordinates(cell);
                opening.worth(column, row)
            }
            _ => 0.0,
        };
        // Step 1. Bonuses and penalties, point by point.
        let view = View::new(field, params.prior_ladder > 0.0 || params.uses_policy());
        for &cell in field.empty_points() {
            let cell = usize::from(cell);
            if view.is_worth(cell) {
                let mut prior = self.judge_point(field, &view, cell);
                prior.bonus(params.prior_opening * begins(cell));
                moves.push((cell, prior));
            }
        }
        let mut pass = Prior::default();
        pass.even(params.prior_even);
        pass.penalty(params.prior_pass);
        moves.push((0, pass));
        // Step 2. The learnt policy.
        if params.uses_policy() {
            let weights = Weights::get(field.size());
            let mut total = 0.0;
            for (cell, prior) in moves.iter_mut() {
                prior.policy = (weights.sum(&view.features(*cell)) / params.policy_temperature).exp();
                total += prior.policy;
            }
            for (_, prior) in moves.iter_mut() {
                prior.policy /= total;
                prior.bonus(params.policy_bonus * prior.policy.sqrt());
            }
        }
        params.policy * if opening.is_some() { params.policy_opening } else { 1.0 }
    }

    fn judge_point<const CELLS: usize, const WORDS: usize>(
        &self,
        field: &Field<CELLS, WORDS>,
        view: &View<'_, CELLS, WORDS>,
        cell: Cell,
    ) -> Prior {
        let params = self.params;
        let own = field.to_move();
        let mut prior = Prior::default();
        prior.even(params.prior_even);
        let flags = view.flags[cell];
        if flags & (TAKES_MANY | TAKES_SAVING) != 0 {
            prior.bonus(params.prior_capture);
        } else if flags & TAKES_ONE != 0 {
            prior.bonus(params.prior_capture_one);
        }
        if flags & RUNS != 0 {
            prior.bonus(params.prior_save);
        }
        if flags & RUNS_IN_VAIN != 0 {
            prior.penalty(params.prior_ladder);
        }
        if flags & ATARI != 0 {
            prior.bonus(params.prior_atari);
        }
        if flags & CATCHES != 0 {
            prior.bonus(params.prior_ladder);
        }
        if field.self_atari(cell, own) > 0 {
            prior.penalty(params.prior_self_atari);
        } else if self.patterns.fits(field.around(cell), own) {
            prior.bonus(params.prior_pattern);
        }
        let near = view.near[cell];
        for (distance, weight) in
            [(near, params.prior_distance), (view.near_second[cell], params.prior_distance_second)]
        {
            if (1..=BY_DISTANCE.len()).contains(&distance.into()) {
                prior.bonus(weight * BY_DISTANCE[usize::from(distance) - 1]);
            }
        }
        self.judge_place(field, cell, &mut prior);
        self.judge_shapes(field, cell, near == 1, &mut prior);
        prior
    }

    /// Lines, where nothing is near.
    fn judge_place<const CELLS: usize, const WORDS: usize>(
        &self,
        field: &Field<CELLS, WORDS>,
        cell: Cell,
        prior: &mut Prior,
    ) {
        let params = self.params;
        let around = field.around(cell);
        let (beside, corners) = (usize::from(around & 255), usize::from(around >> 8));
        let is_alone = OPEN[beside] + BORDERS[beside] == 4 && OPEN[corners] + BORDERS[corners] == 4;
        if !is_alone || field.size() < 7 {
            return;
        }
        match field.line(cell) {
            1 => prior.penalty(params.prior_line),
            2 => prior.penalty(params.prior_line / 2.0),
            3 => prior.bonus(params.prior_line),
            4 => prior.bonus(params.prior_line / 2.0),
            _ => {}
        }
        if field.line(cell) >= 3 {
            prior.bonus(params.prior_far);
        }
    }

    /// The shapes with names.
    fn judge_shapes<const CELLS: usize, const WORDS: usize>(
        &self,
        field: &Field<CELLS, WORDS>,
        cell: Cell,
        touches_last: bool,
        prior: &mut Prior,
    ) {
        let params = self.params;
        let own = field.to_move();
        let other = opponent(own);
        let around = field.around(cell);
        let (beside, corners) = (usize::from(around & 255), usize::from(around >> 8));
        let of = |colour: Colour, code: usize| if colour == 1 { BLACKS[code] } else { WHITES[code] };
        let (own_beside, other_beside) = (of(own, beside), of(other, beside));
        let (own_corners, other_corners) = (of(own, corners), of(other, corners));

        // Joining two chains of one's own, the more so where the opponent has just peeped.
        if own_beside + own_corners >= 2 && (other_beside > 0 || other_corners > 0) {
            let mut names = [0; 8];
            let mut count = 0;
            for near in Field::<CELLS, WORDS>::ring_of(cell) {
                if field.colour(near) == own && !names[..count].contains(&field.chain(near)) {
                    names[count] = field.chain(near);
                    count += 1;
                }
            }
            if count >= 2 && own_beside >= 1 {
                prior.bonus(params.shape_connect);
                if touches_last {
                    prior.bonus(params.shape_peep);
                }
            }
        }
        let stride = Field::<CELLS, WORDS>::STRIDE as isize;
        let at = |offset: isize| -> Colour {
            // Two cells beyond the border may be none at all.
            usize::try_from(cell as isize + offset)
                .ok()
                .filter(|&cell| cell < CELLS)
                .map_or(3, |cell| field.colour(cell))
        };
        let no_friends = own_beside + own_corners == 0;
        let (mut hane, mut wall, mut cross, mut empty_triangle, mut full_triangle) =
            (false, false, false, false, false);
        let (mut kosumi, mut kogeima, mut tobi, mut kata) = (false, false, false, false);
        let (mut bad_kogeima, mut bad_tobi) = (false, false);
        // Each direction with the one to its side, both ways around.
        for ahead in [-stride, -1, 1, stride] {
            for side in if ahead.abs() == 1 { [-stride, stride] } else { [-1, 1] } {
                let (front, beside, corner) = (at(ahead), at(side), at(ahead + side));
                hane |= front == other
                    && corner == own
                    && beside == EMPTY
                    && of(other, usize::from(field.around((cell as isize + ahead) as usize) & 255)) == 0;
                wall |= front == other && corner == other && beside == own;
                cross |= front == other && beside == other && corner == own;
                empty_triangle |= front == own && corner == own && beside == EMPTY && at(side - ahead) != other;
                full_triangle |= front == own && corner == own && beside == other;
                kosumi |= corner == own && front == EMPTY && beside == EMPTY;
                kata |= corner == other && front == EMPTY && beside == EMPTY && no_friends && other_beside == 0;
                let knight = at(2 * ahead + side);
                if knight == own && no_friends {
                    // The two points between are where a knight's move is cut.
                    if front != other && corner != other {
                        kogeima = true;
                    } else {
                        bad_kogeima = true;
                    }
                }
            }
            if at(2 * ahead) == own && no_friends {
                tobi |= at(ahead) == EMPTY;
                bad_tobi |= at(ahead) == other;
            }
        }
        let bonuses = [
            (hane, params.shape_hane),
            (wall, params.shape_wall),
            (cross, params.shape_cross_cut),
            (kosumi, params.shape_kosumi),
            (kogeima, params.shape_kogeima),
            (tobi, params.shape_tobi),
            (kata, params.shape_kata),
        ];
        for (applies, weight) in bonuses {
            if applies {
                prior.bonus(weight);
            }
        }
        let penalties = [
            (bad_kogeima, params.shape_bad_kogeima),
            (bad_tobi, params.shape_bad_tobi),
            (empty_triangle, params.shape_empty_triangle),
            (full_triangle, params.shape_full_triangle),
        ];
        for (applies, weight) in penalties {
            if applies {
                prior.penalty(weight);
            }
        }
    }
}
