//! What the engine thinks of a move before any simulation: bonuses and penalties as won and lost simulations.
//!
//! The shapes and their first weights are MoGo's; captures, ladders, self-atari and the distance to the last moves are added
//! to them. A new node's moves start with these counts, and real simulations soon outweigh them.

use crate::field::{BLACKS, BORDERS, Cell, Cells, Colour, EMPTY, Field, OPEN, WHITES, opponent};
use crate::params::GoParams;
use crate::patterns::Patterns;

/// Simulations that a move starts with.
#[derive(Clone, Copy, Default, Debug)]
pub struct Prior {
    /// How many.
    pub visits: f32,
    /// How many of them were won by the side that makes the move.
    pub wins: f32,
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

/// Moves of a ladder that are looked at before it is taken as broken.
const LADDER_BUDGET: u32 = 60;

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

    /// Adds every move worth looking at with its prior: all legal ones that fill no eye, and a pass (cell 0).
    pub fn judge<const CELLS: usize, const WORDS: usize>(
        &self,
        field: &Field<CELLS, WORDS>,
        moves: &mut Vec<(Cell, Prior)>,
    ) {
        moves.clear();
        let params = self.params;
        let own = field.to_move();
        // Step 1. What depends on chains is found chain by chain.
        let mut good: [f32; CELLS] = [0.0; CELLS];
        let mut bad: [f32; CELLS] = [0.0; CELLS];
        self.judge_chains(field, &mut good, &mut bad);
        // Step 2. Distances to the last two moves.
        let near = distances(field, field.last());
        let near_second = distances(field, field.last_but_one());
        // Step 3. Point by point.
        for &cell in field.empty_points() {
            let cell = usize::from(cell);
            if field.is_eye(cell, own) || !field.is_legal(cell) {
                continue;
            }
            let mut prior = Prior::default();
            prior.even(params.prior_even);
            prior.bonus(good[cell]);
            prior.penalty(bad[cell]);
            let risked = field.self_atari(cell, own);
            if risked > 0 {
                prior.penalty(params.prior_self_atari);
            } else if self.patterns.fits(field.around(cell), own) {
                prior.bonus(params.prior_pattern);
            }
            for (distance, weight) in
                [(near[cell], params.prior_distance), (near_second[cell], params.prior_distance_second)]
            {
                if (1..=BY_DISTANCE.len()).contains(&distance.into()) {
                    prior.bonus(weight * BY_DISTANCE[usize::from(distance) - 1]);
                }
            }
            self.judge_place(field, cell, &mut prior);
            self.judge_shapes(field, cell, near[cell] == 1, &mut prior);
            moves.push((cell, prior));
        }
        let mut pass = Prior::default();
        pass.even(params.prior_even);
        pass.penalty(params.prior_pass);
        moves.push((0, pass));
    }

    /// Captures, rescues, ladders and ataris.
    fn judge_chains<const CELLS: usize, const WORDS: usize>(
        &self,
        field: &Field<CELLS, WORDS>,
        good: &mut [f32; CELLS],
        bad: &mut [f32; CELLS],
    ) {
        let params = self.params;
        let own = field.to_move();
        let other = opponent(own);
        for name in field.in_atari(other).iter() {
            let exit = field.liberties(name).first();
            // Does the capture save own stones?
            let mut saves = false;
            for stone in field.chain_stones(name) {
                for near in Field::<CELLS, WORDS>::beside(stone) {
                    saves |= field.colour(near) == own && field.liberty_count(near) == 1;
                }
            }
            let many = saves || field.chain_size(name) > 1;
            good[exit] += if many { params.prior_capture } else { params.prior_capture_one };
        }
        for name in field.in_atari(own).iter() {
            let exit = field.liberties(name).first();
            if field.liberties_after_running(name) >= 2 {
                let mut budget = LADDER_BUDGET;
                if params.prior_ladder > 0.0
                    && field.liberties_after_running(name) == 2
                    && field.ladder_works(name, &mut budget)
                {
                    bad[exit] += params.prior_ladder;
                } else {
                    good[exit] += params.prior_save;
                }
            }
        }
        // Chains of the opponent with two liberties, each once.
        let mut seen: Cells<WORDS> = Cells::NONE;
        for &cell in field.empty_points() {
            for near in Field::<CELLS, WORDS>::beside(cell.into()) {
                if field.colour(near) != other || field.liberty_count(near) != 2 || seen.has(field.chain(near)) {
                    continue;
                }
                seen.add(field.chain(near));
                for at in field.liberties(near).iter() {
                    if !field.is_legal(at) || field.self_atari(at, own) > 0 {
                        continue;
                    }
                    good[at] += params.prior_atari;
                    if params.prior_ladder > 0.0 {
                        let mut after = field.clone();
                        after.play(at);
                        let mut budget = LADDER_BUDGET;
                        if after.ladder_works(near, &mut budget) {
                            good[at] += params.prior_ladder;
                        }
                    }
                }
            }
        }
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

/// How far each point is from a cell, where stones of one chain are at the same place: 255 beyond [`BY_DISTANCE`].
///
/// CITE: Graepel, Goutrié, Krüger & Herbrich 2001, the common fate graph.
pub fn distances<const CELLS: usize, const WORDS: usize>(field: &Field<CELLS, WORDS>, from: Cell) -> [u8; CELLS] {
    let mut distance = [255; CELLS];
    if from == 0 {
        return distance;
    }
    let mut queue = [0u16; CELLS];
    let mut count = 0;
    let reach = |cell: Cell, steps: u8, distance: &mut [u8; CELLS], queue: &mut [u16; CELLS], count: &mut usize| {
        // A chain is reached with all its stones at once.
        let colour = field.colour(cell);
        if colour == EMPTY {
            distance[cell] = steps;
            queue[*count] = cell as u16;
            *count += 1;
        } else {
            for stone in field.chain_stones(cell) {
                distance[stone] = steps;
                queue[*count] = stone as u16;
                *count += 1;
            }
        }
    };
    reach(from, 0, &mut distance, &mut queue, &mut count);
    let mut at = 0;
    while at < count {
        let cell = usize::from(queue[at]);
        at += 1;
        let steps = distance[cell] + 1;
        if usize::from(steps) > BY_DISTANCE.len() {
            break;
        }
        for near in Field::<CELLS, WORDS>::beside(cell) {
            if field.colour(near) != 3 && distance[near] == 255 {
                reach(near, steps, &mut distance, &mut queue, &mut count);
            }
        }
    }
    distance
}
