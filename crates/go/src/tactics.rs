//! Reading on the spot: what a move does to chains, ladders, and the vital point of a hole.
//!
//! Everything here asks about a [`Field`] without changing it; only ladders are read out on copies.

use crate::field::{BORDER, Cell, Cells, Colour, EMPTY, Field, OPEN, opponent};

/// What a stone would be part of.
pub struct After<const WORDS: usize> {
    /// The liberties of its chain, with those that captured stones leave beside it.
    pub liberties: Cells<WORDS>,
    /// The stones of its chain.
    pub stones: usize,
    /// The stones it would take.
    pub taken: usize,
}

impl<const CELLS: usize, const WORDS: usize> Field<CELLS, WORDS> {
    /// What a stone of colour `own` on an empty cell would be part of. Liberties that stones taken would leave are
    /// counted beside the new stone only, unless the whole chain profits: then there are at least that many.
    pub fn after(&self, cell: Cell, own: Colour) -> After<WORDS> {
        let mut after = After { liberties: Cells::NONE, stones: 1, taken: 0 };
        let mut seen = [0; 4];
        for (index, near) in Self::beside(cell).into_iter().enumerate() {
            match self.colour(near) {
                EMPTY => after.liberties.add(near),
                BORDER => {}
                colour => {
                    let name = self.chain(near);
                    let is_new = !seen.contains(&name);
                    seen[index] = name;
                    if colour == own {
                        if is_new {
                            after.liberties.join(self.liberties(near));
                            after.stones += self.chain_size(near);
                        }
                    } else if self.liberty_count(near) == 1 {
                        after.liberties.add(near);
                        after.taken += if is_new { self.chain_size(near) } else { 0 };
                    }
                }
            }
        }
        after.liberties.remove(cell);
        after
    }

    /// The stones that a move of colour `own` would leave in atari: 0 if it does not, or if it takes several stones.
    #[inline]
    pub fn self_atari(&self, cell: Cell, own: Colour) -> usize {
        if OPEN[usize::from(self.around(cell) & 255)] >= 2 {
            return 0;
        }
        for near in Self::beside(cell) {
            if self.colour(near) == own && self.liberty_count(near) > 2 {
                return 0;
            }
        }
        let after = self.after(cell, own);
        if after.taken > 1 || after.liberties.len() > 1 { 0 } else { after.stones }
    }

    /// The liberties that a chain in atari would have if its owner played on the last one.
    #[inline]
    pub fn liberties_after_running(&self, stone: Cell) -> usize {
        let exit = self.liberties(stone).first();
        let after = self.after(exit, self.colour(stone));
        after.liberties.len() + after.taken.saturating_sub(1)
    }

    /// Shows the names of the chains of the other colour beside a chain that are in atari themselves; stops when told.
    #[inline]
    pub fn attackers_in_atari(&self, stone: Cell, mut see: impl FnMut(Cell) -> bool) {
        let other = opponent(self.colour(stone));
        if self.in_atari(other).is_empty() {
            return;
        }
        for own in self.chain_stones(stone) {
            for near in Self::beside(own) {
                if self.colour(near) == other && self.liberty_count(near) == 1 && see(near) {
                    return;
                }
            }
        }
    }

    /// The point to play on in a hole of up to `largest` empty points that holds `start` and is walled by `wall`
    /// alone: the one that keeps the hole from becoming two eyes. 0 if there is none.
    pub fn vital_point(&self, start: Cell, wall: Colour, largest: usize) -> Cell {
        // Step 1. The hole.
        let mut hole = [0; 8];
        hole[0] = start;
        let (mut count, mut at) = (1, 0);
        while at < count {
            for near in Self::beside(hole[at]) {
                match self.colour(near) {
                    BORDER => {}
                    EMPTY => {
                        if !hole[..count].contains(&near) {
                            if count >= largest.min(6) {
                                return 0;
                            }
                            hole[count] = near;
                            count += 1;
                        }
                    }
                    colour if colour == wall => {}
                    _ => return 0,
                }
            }
            at += 1;
        }
        // Step 2. The shape, by how many of the other points each of them touches.
        let mut touches = [0; 6];
        for (index, &cell) in hole[..count].iter().enumerate() {
            touches[index] = Self::beside(cell).iter().filter(|near| hole[..count].contains(near)).count();
        }
        let with = |number: usize| touches[..count].iter().filter(|&&touch| touch == number).count();
        let centre =
            |number: usize| touches[..count].iter().position(|&touch| touch == number).map_or(0, |at| hole[at]);
        match count {
            // Three in a row or bent.
            3 => centre(2),
            // The T; squares are dead as they stand, and straight or bent fours live.
            4 if with(3) == 1 => centre(3),
            // The cross, and the square with a tail.
            5 if with(4) == 1 => centre(4),
            5 if with(3) == 1 && with(2) == 3 => centre(3),
            // The flower of six: a square with two tails from one corner.
            6 if with(4) == 1 && with(2) == 3 => centre(4),
            _ => 0,
        }
    }

    /// Whether a chain in atari dies even if its owner, who is to move, runs: by a ladder or at once.
    ///
    /// The owner may run or take an attacker in atari; the attacker may give atari from either side. `budget` moves
    /// of the owner are looked at, then the chain is taken as alive.
    pub fn ladder_works(&self, stone: Cell, budget: &mut u32) -> bool {
        debug_assert_eq!(self.to_move(), self.colour(stone));
        let mut reading = Reading { stone, budget, forks: FORKS };
        self.aside(|field| field.is_caught(&mut reading))
    }

    /// [`ladder_works`](Self::ladder_works), played out on this very field, which is worth nothing afterwards.
    ///
    /// A ladder is a row of forced moves. They are made in place, and a copy is made only where both ways of a fork have
    /// to be looked at: a ladder across 19x19 with a copy for every move is more than a thread's stack holds.
    fn is_caught(&mut self, reading: &mut Reading<'_>) -> bool {
        let stone = reading.stone;
        let exit = self.liberties(stone).first();
        let mut takes = [0; 4];
        let mut count = 0;
        self.attackers_in_atari(stone, |attacker| {
            let at = self.liberties(attacker).first();
            if at != exit && !takes[..count].contains(&at) && at != self.ko() {
                takes[count] = at;
                count += 1;
            }
            count == takes.len()
        });
        for &at in &takes[..count] {
            // What there is no room to look at is taken as alive.
            if reading.fork(|reading| self.aside(|field| field.survives(at, reading))).unwrap_or(true) {
                return false;
            }
        }
        !self.is_legal(exit) || !self.survives(exit, reading)
    }

    /// Whether the chain lives after its owner's move here; leaves the field as it may.
    fn survives(&mut self, at: Cell, reading: &mut Reading<'_>) -> bool {
        if *reading.budget == 0 {
            return true;
        }
        *reading.budget -= 1;
        let stone = reading.stone;
        let own = self.colour(stone);
        self.play(at);
        match self.liberty_count(stone) {
            0 | 1 => return false,
            2 => {}
            _ => return true,
        }
        // The attacker plays on one of the two liberties, the owner would go on from the other.
        let mut liberties = self.liberties(stone).iter();
        let (Some(one), Some(two)) = (liberties.next(), liberties.next()) else {
            return true;
        };
        let is_hopeful = |attack: Cell, exit: Cell| {
            let after = self.after(attack, self.to_move());
            let run = self.after(exit, own);
            let room = run.liberties.len() - usize::from(run.liberties.has(attack));
            // Without liberties one cannot move there; and a chain that gets three is out, if nothing is taken on the way.
            let gets_out = room > 2 && run.taken == 0 && after.taken == 0;
            !after.liberties.is_empty() && !gets_out && self.is_legal(attack)
        };
        let (first, second) = match (is_hopeful(one, two), is_hopeful(two, one)) {
            (false, false) => return true,
            (true, false) => (None, one),
            (false, true) => (None, two),
            (true, true) => (Some(one), two),
        };
        if let Some(attack) = first
            && reading.fork(|reading| self.aside(|field| field.catches(attack, reading))).unwrap_or(false)
        {
            return false;
        }
        !self.catches(second, reading)
    }

    /// Whether the attacker's move here catches the chain; leaves the field as it may.
    fn catches(&mut self, at: Cell, reading: &mut Reading<'_>) -> bool {
        self.play(at);
        self.liberty_count(reading.stone) == 1 && self.is_caught(reading)
    }

    /// Looks at a copy. Never part of the caller, whose place on the stack would have to hold the copy as well.
    #[inline(never)]
    fn aside(&self, look: impl FnOnce(&mut Self) -> bool) -> bool {
        look(&mut self.clone())
    }
}

/// Forks on one way through a ladder that are looked at; real ladders have one or two.
const FORKS: u32 = 6;

/// A ladder being read.
struct Reading<'b> {
    /// A stone of the chain.
    stone: Cell,
    /// Moves of its owner that may still be looked at.
    budget: &'b mut u32,
    /// Forks that may still follow.
    forks: u32,
}

impl Reading<'_> {
    /// Looks at one way of a fork; `None` if there are too many of them already.
    fn fork(&mut self, look: impl FnOnce(&mut Self) -> bool) -> Option<bool> {
        let left = self.forks.checked_sub(1)?;
        let before = std::mem::replace(&mut self.forks, left);
        let found = look(self);
        self.forks = before;
        Some(found)
    }
}
