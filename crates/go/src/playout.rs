//! Playouts: from any position to the end of the game, by rules of thumb in a fixed order.
//!
//! The order is MoGo's: save stones from atari, kill by the vital point of a hole, spread over the empty board, answer
//! the last move by a 3x3 shape, take something, else move at random without filling eyes. Every rule has a rate, in
//! per cent of the moves at which it is asked; 0 switches it off.

use crate::field::{Cell, Colour, EMPTY, Field, OPEN, opponent};
use crate::light::Light;
use crate::params::GoParams;
use crate::patterns::Patterns;
use tengen_core::Rng;

/// How a thread plays its playouts.
pub struct Policy<'p> {
    params: &'p GoParams,
    patterns: &'static Patterns,
    light: &'static Light,
    /// Leaves out the first two rules, for diversity among threads.
    plain: bool,
}

/// Cells to choose from, without allocation.
struct Choices {
    cells: [u16; 32],
    count: usize,
}

impl Choices {
    #[inline]
    fn new() -> Self {
        Choices { cells: [0; 32], count: 0 }
    }

    #[inline]
    fn add(&mut self, cell: Cell) {
        if self.count < self.cells.len() {
            self.cells[self.count] = cell as u16;
            self.count += 1;
        }
    }

    /// One of them, 0 if there are none.
    #[inline]
    fn draw(&self, rng: &mut Rng) -> Cell {
        match self.count {
            0 => 0,
            1 => self.cells[0].into(),
            count => self.cells[below(rng, count)].into(),
        }
    }
}

/// A random number below a small bound.
#[inline(always)]
fn below(rng: &mut Rng, bound: usize) -> usize {
    ((u64::from(rng.u32(..)) * bound as u64) >> 32) as usize
}

/// Whether a rule with this rate in per cent is asked now.
#[inline(always)]
fn happens(rng: &mut Rng, rate: u32) -> bool {
    rate >= 100 || rate > 0 && below(rng, 100) < rate as usize
}

/// How a playout ended.
pub struct End {
    /// Black's lead in points on the board, komi left aside.
    pub lead: i32,
    /// Moves played.
    pub moves: u32,
}

impl<'p> Policy<'p> {
    /// The policy of one thread.
    pub fn new(params: &'p GoParams, plain: bool) -> Self {
        Policy { params, patterns: Patterns::get(), light: Light::get(), plain }
    }

    /// Plays to the end and shows every move. `thresholds` says for Black and White how many stones may be put into
    /// atari by their owner: fewer than that.
    pub fn play<const CELLS: usize, const WORDS: usize>(
        &self,
        field: &mut Field<CELLS, WORDS>,
        rng: &mut Rng,
        thresholds: [u8; 2],
        mut seen: impl FnMut(Cell, Colour),
    ) -> End {
        let points = (field.size() * field.size()) as u32;
        let longest = 3 * points;
        let lead = |field: &Field<CELLS, WORDS>| field.stones(1) as i32 - field.stones(2) as i32;
        // Nobody comes back from this far behind. Where the way there is half done already, the playout goes to its end:
        // it would say nothing about what is left.
        let mercy = (self.params.mercy * points as f32) as i32;
        let mercy = if mercy > 0 && lead(field).abs() <= mercy / 2 { mercy } else { i32::MAX };
        let mut moves = 0;
        while field.passes() < 2 && moves < longest {
            if lead(field).abs() > mercy {
                break;
            }
            let colour = field.to_move();
            let cell = self.choose(field, rng, thresholds[usize::from(colour) - 1].into());
            seen(cell, colour);
            field.play(cell);
            moves += 1;
        }
        End { lead: field.settled_area(), moves }
    }

    /// The next move, 0 for a pass.
    #[inline]
    pub fn choose<const CELLS: usize, const WORDS: usize>(
        &self,
        field: &Field<CELLS, WORDS>,
        rng: &mut Rng,
        threshold: usize,
    ) -> Cell {
        let params = self.params;
        let last = field.last();
        if last != 0 && !self.plain {
            // Rule 1. Save stones from atari, or take the stone that gives it.
            if happens(rng, params.save_rate) {
                let cell = self.save(field, rng, last);
                if cell != 0 {
                    return cell;
                }
            }
            if happens(rng, params.two_rate) {
                let cell = self.two_liberties(field, rng, last);
                if cell != 0 {
                    return cell;
                }
            }
            // Rule 2. The vital point of a hole beside the last move.
            if happens(rng, params.nakade_rate) {
                let other = opponent(field.to_move());
                for near in Field::<CELLS, WORDS>::beside(last) {
                    if field.colour(near) == EMPTY {
                        let cell = field.vital_point(near, other, params.nakade_size);
                        if cell != 0 && field.is_legal(cell) {
                            return cell;
                        }
                    }
                }
            }
        }
        // Rule 3. A point with nothing around it.
        if params.fill_tries > 0 && field.size() >= params.fill_from {
            let count = field.empty_count();
            for _ in 0..params.fill_tries {
                if count == 0 {
                    break;
                }
                let cell = field.empty_at(below(rng, count));
                if field.is_far_from_all(cell) {
                    return cell;
                }
            }
        }
        // Rule 4. A shape around the last move, learnt or known.
        if last != 0 && happens(rng, params.learnt_rate) {
            let cell = self.learnt(field, rng, last, threshold);
            if cell != 0 {
                return cell;
            }
        } else if last != 0 && happens(rng, params.pattern_rate) {
            let cell = self.shape(field, rng, last, threshold);
            if cell != 0 {
                return cell;
            }
        }
        // Rule 5. Take something.
        if happens(rng, params.capture_rate) {
            let cell = self.capture(field, rng);
            if cell != 0 {
                return cell;
            }
        }
        self.anywhere(field, rng, threshold)
    }

    /// Rule 1: chains beside the last move that are in atari run or take an attacker.
    fn save<const CELLS: usize, const WORDS: usize>(
        &self,
        field: &Field<CELLS, WORDS>,
        rng: &mut Rng,
        last: Cell,
    ) -> Cell {
        let own = field.to_move();
        let mut choices = Choices::new();
        if self.params.local_capture && field.colour(last) == opponent(own) && field.liberty_count(last) == 1 {
            let exit = field.liberties(last).first();
            if exit != field.ko() {
                choices.add(exit);
            }
        }
        if !field.in_atari(own).is_empty() {
            let mut known = [0; 4];
            for (index, near) in Field::<CELLS, WORDS>::beside(last).into_iter().enumerate() {
                if field.colour(near) != own || field.liberty_count(near) != 1 || known.contains(&field.chain(near)) {
                    continue;
                }
                known[index] = field.chain(near);
                let exit = field.liberties(near).first();
                if field.liberties_after_running(near) >= 2 && exit != field.ko() {
                    choices.add(exit);
                }
                field.attackers_in_atari(near, |attacker| {
                    let at = field.liberties(attacker).first();
                    if at != exit && at != field.ko() {
                        choices.add(at);
                    }
                    choices.count > 8
                });
            }
        }
        choices.draw(rng)
    }

    /// Chains with two liberties beside the last move: the opponent's are put into atari where they cannot get out,
    /// one's own are given room.
    fn two_liberties<const CELLS: usize, const WORDS: usize>(
        &self,
        field: &Field<CELLS, WORDS>,
        rng: &mut Rng,
        last: Cell,
    ) -> Cell {
        let own = field.to_move();
        let mut choices = Choices::new();
        let mut known = [0; 5];
        let [n, w, e, s] = Field::<CELLS, WORDS>::beside(last);
        for (index, stone) in [last, n, w, e, s].into_iter().enumerate() {
            let colour = field.colour(stone);
            if colour == EMPTY || colour == 3 || field.liberty_count(stone) != 2 || known.contains(&field.chain(stone))
            {
                continue;
            }
            known[index] = field.chain(stone);
            let mut both = [0; 2];
            for (place, cell) in both.iter_mut().zip(field.liberties(stone).iter()) {
                *place = cell;
            }
            for (at, instead) in [(both[0], both[1]), (both[1], both[0])] {
                if !field.is_legal(at) || field.self_atari(at, own) > 0 {
                    continue;
                }
                if colour == own {
                    // Room for one's own chain: by running, or by joining another.
                    let after = field.after(at, own);
                    if after.liberties.len() > 2 {
                        choices.add(at);
                    }
                } else {
                    // The opponent would run to the other liberty: is that of any use to him?
                    let run = field.after(instead, colour);
                    let room = run.liberties.len() - usize::from(run.liberties.has(at)) + run.taken;
                    if room <= 1 {
                        choices.add(at);
                    }
                }
            }
        }
        choices.draw(rng)
    }

    /// Rule 4.
    fn shape<const CELLS: usize, const WORDS: usize>(
        &self,
        field: &Field<CELLS, WORDS>,
        rng: &mut Rng,
        last: Cell,
        threshold: usize,
    ) -> Cell {
        let own = field.to_move();
        let mut choices = Choices::new();
        for near in Field::<CELLS, WORDS>::ring_of(last) {
            if field.colour(near) == EMPTY && self.patterns.fits(field.around(near), own) {
                choices.add(near);
            }
        }
        let before = field.last_but_one();
        if self.params.pattern_second && before != 0 {
            for near in Field::<CELLS, WORDS>::ring_of(before) {
                if field.colour(near) == EMPTY && self.patterns.fits(field.around(near), own) {
                    choices.add(near);
                }
            }
        }
        // Drawn without putting back: the first good one.
        while choices.count > 0 {
            let at = below(rng, choices.count);
            let cell = usize::from(choices.cells[at]);
            if field.is_legal(cell) && self.is_wise(field, cell, own, threshold) {
                return cell;
            }
            choices.count -= 1;
            choices.cells[at] = choices.cells[choices.count];
        }
        0
    }

    /// Rule 4, learnt: one of the points around the last move, or none of them, each as often as its weight says. All the
    /// rest of the board together weighs as much as its empty points do on average.
    fn learnt<const CELLS: usize, const WORDS: usize>(
        &self,
        field: &Field<CELLS, WORDS>,
        rng: &mut Rng,
        last: Cell,
        threshold: usize,
    ) -> Cell {
        let own = field.to_move();
        let ring = Field::<CELLS, WORDS>::ring_of(last);
        let mut weights = [0.0; 8];
        let mut total = 0.0;
        for (at, &near) in ring.iter().enumerate() {
            if field.colour(near) == EMPTY {
                weights[at] = self.light.ring[at] * self.light.weight(field.around(near), own);
                total += weights[at];
            }
        }
        let elsewhere = self.params.elsewhere * field.empty_count() as f32;
        // A foolish move is taken out of the draw, and it begins again.
        while total > 0.0 {
            let mut left = rng.f32() * (total + elsewhere);
            if left >= total {
                return 0;
            }
            let mut chosen = 0;
            for (at, &weight) in weights.iter().enumerate() {
                if weight > 0.0 {
                    chosen = at;
                    if left < weight {
                        break;
                    }
                    left -= weight;
                }
            }
            let cell = ring[chosen];
            if !field.is_eye(cell, own) && field.is_legal(cell) && self.is_wise(field, cell, own, threshold) {
                return cell;
            }
            weights[chosen] = 0.0;
            total = weights.iter().sum();
        }
        0
    }

    /// Whether a move does not put too many own stones into atari.
    #[inline]
    fn is_wise<const CELLS: usize, const WORDS: usize>(
        &self,
        field: &Field<CELLS, WORDS>,
        cell: Cell,
        own: Colour,
        threshold: usize,
    ) -> bool {
        let risked = field.self_atari(cell, own);
        risked == 0 || risked < threshold
    }

    /// Rule 5: any chain in atari, drawn at random.
    fn capture<const CELLS: usize, const WORDS: usize>(&self, field: &Field<CELLS, WORDS>, rng: &mut Rng) -> Cell {
        let chains = field.in_atari(opponent(field.to_move()));
        if chains.is_empty() {
            return 0;
        }
        let mut choices = Choices::new();
        for name in chains.iter() {
            let exit = field.liberties(name).first();
            if exit != field.ko() {
                choices.add(exit);
            }
        }
        choices.draw(rng)
    }

    /// Rule 6: any legal point that is not an own eye, unless it puts too many stones into atari; 0 if there is none.
    #[inline]
    fn anywhere<const CELLS: usize, const WORDS: usize>(
        &self,
        field: &Field<CELLS, WORDS>,
        rng: &mut Rng,
        threshold: usize,
    ) -> Cell {
        let own = field.to_move();
        let count = field.empty_count();
        if count == 0 {
            return 0;
        }
        // Some draws first, which are fair; if all fail, along the list from a random place, which is sure to find one.
        for _ in 0..4 + self.params.learnt_tries {
            let cell = field.empty_at(below(rng, count));
            // Weak moves are put back more often than strong ones.
            if self.params.learnt_tries > 0
                && self.light.weight(field.around(cell), own) < rng.f32() * self.params.learnt_cap
            {
                continue;
            }
            if let Some(cell) = self.accept(field, rng, cell, own, threshold) {
                return cell;
            }
        }
        let start = below(rng, count);
        for at in (start..count).chain(0..start) {
            if let Some(cell) = self.accept(field, rng, field.empty_at(at), own, threshold) {
                return cell;
            }
        }
        0
    }

    /// The move itself, or the approach move that should come before it, or nothing.
    #[inline]
    fn accept<const CELLS: usize, const WORDS: usize>(
        &self,
        field: &Field<CELLS, WORDS>,
        rng: &mut Rng,
        cell: Cell,
        own: Colour,
        threshold: usize,
    ) -> Option<Cell> {
        if OPEN[usize::from(field.around(cell) & 255)] >= 2 {
            return (cell != field.ko()).then_some(cell);
        }
        if field.is_eye(cell, own) || !field.is_legal(cell) {
            return None;
        }
        let risked = field.self_atari(cell, own);
        if risked == 0 {
            return Some(cell);
        }
        if risked >= threshold {
            return None;
        }
        if happens(rng, self.params.approach_rate) {
            // The only liberty left afterwards: with a stone there first, the chain would not be in atari.
            let exit = field.after(cell, own).liberties.first();
            if exit != 0
                && field.colour(exit) == EMPTY
                && field.is_legal(exit)
                && !field.is_eye(exit, own)
                && field.self_atari(exit, own) == 0
            {
                return Some(exit);
            }
        }
        Some(cell)
    }
}
