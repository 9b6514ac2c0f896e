//! Pig: roll as often as you dare, hold before a one takes it all.
//!
//! Two banked scores and a turn total. A roll is two moves: the decision `roll`, and then the face that chance
//! shows, so that a search sees the die in the air as a position of its own.

use tengen_core::{
    Board, Drawn, Fact, Notation, Outcome, Picture, Position, Reason, Rng, Side, Symmetry, TextError, Turn, mix, refuse,
};

/// The banked score that wins.
pub const GOAL: u16 = 100;

/// What a side, or the die, does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// Throw the die.
    Roll,
    /// Bank the turn total and pass the die on.
    Hold,
    /// The die shows this, 1 to 6.
    Face(u8),
}

/// A position of Pig.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pig {
    scores: [u16; 2],
    turn_total: u16,
    to_move: Side,
    rolling: bool,
}

impl Pig {
    /// Nobody has anything yet.
    pub fn new() -> Self {
        Pig { scores: [0, 0], turn_total: 0, to_move: Side::First, rolling: false }
    }

    /// What either side has banked.
    pub fn scores(&self) -> [u16; 2] {
        self.scores
    }

    /// What the side to move has rolled this turn and would bank by holding.
    pub fn turn_total(&self) -> u16 {
        self.turn_total
    }

    /// Whether the die is in the air.
    pub fn rolling(&self) -> bool {
        self.rolling
    }

    /// Holding ends the turn, so only the side that moved last can have reached the goal.
    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        let last = self.to_move.other();
        (self.scores[last.index()] >= GOAL).then_some(Outcome::Win(last))
    }
}

impl Default for Pig {
    fn default() -> Self {
        Pig::new()
    }
}

impl Position for Pig {
    type Move = Move;

    #[inline]
    fn to_move(&self) -> Side {
        self.to_move
    }

    #[inline]
    fn turn(&self, moves: &mut Vec<Move>) -> Turn {
        moves.clear();
        if let Some(outcome) = self.outcome() {
            return Turn::Over(outcome);
        }
        if self.rolling {
            return Turn::Chance;
        }
        // With enough in hand for the goal there is nothing left to roll for.
        if !self.can_win() {
            moves.push(Move::Roll);
        }
        moves.push(Move::Hold);
        Turn::Decision(self.to_move)
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        debug_assert_eq!(self.rolling, matches!(mv, Move::Face(_)), "{mv:?}");
        // A position that was read may hold any numbers: sums saturate.
        match mv {
            Move::Roll => self.rolling = true,
            Move::Hold => {
                let score = &mut self.scores[self.to_move.index()];
                *score = score.saturating_add(self.turn_total);
                self.pass_on();
            }
            Move::Face(1) => self.pass_on(),
            Move::Face(face) => {
                self.turn_total = self.turn_total.saturating_add(face.into());
                self.rolling = false;
            }
        }
    }

    #[inline]
    fn key(&self) -> u64 {
        let [first, second] = self.scores.map(u64::from);
        let rest = u64::from(self.rolling) << 1 | self.to_move.index() as u64;
        mix(first | second << 16 | u64::from(self.turn_total) << 32 | rest << 48)
    }

    fn code(mv: Move) -> u16 {
        match mv {
            Move::Roll => 0,
            Move::Hold => 1,
            Move::Face(face) => 1 + u16::from(face),
        }
    }

    fn chance(&self, outcomes: &mut Vec<(Move, f32)>) {
        outcomes.clear();
        if self.rolling {
            outcomes.extend((1..=6).map(|face| (Move::Face(face), 1.0 / 6.0)));
        }
    }

    fn playout<F: FnMut(Side, Move)>(&mut self, rng: &mut Rng, cap: u32, mut seen: F) -> Option<Outcome> {
        for _ in 0..cap {
            if let Some(outcome) = self.outcome() {
                return Some(outcome);
            }
            let mv = if self.rolling {
                Move::Face(rng.u8(1..=6))
            } else {
                let mv = if !self.can_win() && rng.bool() { Move::Roll } else { Move::Hold };
                seen(self.to_move, mv);
                mv
            };
            self.play(mv);
        }
        self.outcome()
    }
}

impl Pig {
    /// Whether holding now would win.
    #[inline]
    fn can_win(&self) -> bool {
        self.scores[self.to_move.index()].saturating_add(self.turn_total) >= GOAL
    }

    #[inline]
    fn pass_on(&mut self) {
        self.turn_total = 0;
        self.rolling = false;
        self.to_move = self.to_move.other();
    }
}

impl Notation for Pig {
    /// `12 30 7 first`: the scores of the first and the second side, the turn total, the side to move; a fifth
    /// word `rolling` while the die is in the air.
    fn write(&self) -> String {
        let [first, second] = self.scores;
        let rolling = if self.rolling { " rolling" } else { "" };
        format!("{first} {second} {} {}{rolling}", self.turn_total, self.to_move.name())
    }

    fn read(text: &str) -> Result<Self, TextError> {
        // One word more than there can be, so that a long text is not split to its end.
        let words: Vec<&str> = text.split_whitespace().take(6).collect();
        let (&[first, second, total, side], rest) = words.split_first_chunk().ok_or_else(|| {
            TextError::new("a position is two scores, the turn total and the side to move, like 12 30 7 first")
        })?;
        let rolling = match rest {
            [] => false,
            [word] if word.eq_ignore_ascii_case("rolling") => true,
            [word, ..] => {
                return Err(TextError::new(format!("after the side comes `rolling` or nothing, not {}", refuse(word))));
            }
        };
        let to_move = Side::BOTH
            .into_iter()
            .find(|of| side.eq_ignore_ascii_case(of.name()))
            .ok_or_else(|| TextError::new(format!("the side to move is first or second, not {}", refuse(side))))?;
        let scores = [number(first, "the first score")?, number(second, "the second score")?];
        let turn_total = number(total, "the turn total")?;
        if scores[to_move.index()] >= GOAL {
            return Err(TextError::new(format!("the side to move already has {GOAL}: it would have won before")));
        }
        let position = Pig { scores, turn_total, to_move, rolling };
        if position.outcome().is_some() && (rolling || turn_total != 0) {
            return Err(TextError::new(format!("nobody rolls after the other side has reached {GOAL}")));
        }
        Ok(position)
    }

    fn write_move(&self, mv: Move) -> String {
        match mv {
            Move::Roll => "roll".to_owned(),
            Move::Hold => "hold".to_owned(),
            Move::Face(face) => face.to_string(),
        }
    }

    fn read_move(&self, text: &str) -> Result<Move, TextError> {
        let word = text.trim();
        if self.outcome().is_some() {
            return Err(TextError::over());
        }
        if self.rolling {
            return match word.as_bytes() {
                [face @ b'1'..=b'6'] => Ok(Move::Face(face - b'0')),
                _ => Err(TextError::new(format!("the die shows 1 to 6, not {}", refuse(text)))),
            };
        }
        if word.eq_ignore_ascii_case("roll") && self.can_win() {
            return Err(TextError::because(Reason::Illegal, format!("holding wins: there are {GOAL} points together")));
        }
        [Move::Roll, Move::Hold]
            .into_iter()
            .find(|&mv| self.write_move(mv).eq_ignore_ascii_case(word))
            .ok_or_else(|| TextError::new(format!("one can roll or hold, not {}", refuse(text))))
    }
}

fn number(word: &str, what: &str) -> Result<u16, TextError> {
    let digits = word.bytes().all(|byte| byte.is_ascii_digit());
    let number = if digits { word.parse().ok() } else { None };
    number.ok_or_else(|| TextError::new(format!("{what} is a number up to {}, not {}", u16::MAX, refuse(word))))
}

impl Symmetry for Pig {}

impl Picture for Pig {
    const SIDES: [&'static str; 2] = ["First", "Second"];

    fn draw(&self) -> Drawn {
        let mut drawn = Drawn::new(Board::Bare, 0, 0, Vec::new());
        let score = |side: Side| Fact { side: Some(side), name: "score", value: self.scores[side.index()].to_string() };
        drawn.facts.extend(Side::BOTH.map(score));
        drawn.facts.push(Fact { side: Some(self.to_move), name: "turn total", value: self.turn_total.to_string() });
        if self.rolling {
            drawn.facts.push(Fact { side: Some(self.to_move), name: "die", value: "rolling".to_owned() });
        }
        drawn
    }

    fn touched(&self, _: Move) -> Vec<String> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_core::exam::Exam;

    #[test]
    fn sits_the_exam() {
        let finished = Exam::new(Pig::new()).longest(5000).perft(&[2, 8, 20, 68]).sit();
        assert_eq!(finished, 200, "every random game ends");
    }

    #[test]
    fn a_turn_move_by_move() {
        for (before, mv, after) in [
            ("12 30 7 first", "roll", "12 30 7 first rolling"),
            ("12 30 7 first rolling", "6", "12 30 13 first"),
            ("12 30 7 first rolling", "1", "12 30 0 second"),
            ("12 30 7 first", "hold", "19 30 0 second"),
            ("12 30 0 second", "HOLD", "12 30 0 first"),
            ("0 99 2 second", "hold", "0 101 0 first"),
            ("0 99 65534 second rolling", "6", "0 99 65535 second"),
        ] {
            let mut position = Pig::read(before).expect(before);
            let mv = position.read_move(mv).expect(mv);
            position.play(mv);
            assert_eq!(position.write(), after, "{mv:?} in {before}");
        }
    }

    #[test]
    fn only_holding_wins() {
        let mut moves = Vec::new();
        for (text, turn) in [
            ("98 0 6 first", Turn::Decision(Side::First)),
            ("98 0 6 first rolling", Turn::Chance),
            ("104 0 0 second", Turn::Over(Outcome::Win(Side::First))),
            ("0 100 0 first", Turn::Over(Outcome::Win(Side::Second))),
        ] {
            assert_eq!(Pig::read(text).expect(text).turn(&mut moves), turn, "{text}");
        }
    }

    #[test]
    fn refuses_what_is_no_position() {
        for (text, complaint) in [
            ("", "two scores"),
            ("12 30 7", "two scores"),
            ("12 30 7 third", "first or second"),
            ("12 -3 7 first", "second score"),
            ("12 +3 7 first", "second score"),
            ("12 3 65536 first", "turn total"),
            ("12 30 7 first rolling on", "`rolling` or nothing"),
            ("12 30 7 first hold", "`rolling` or nothing"),
            ("100 30 7 first", "already has 100"),
            ("100 100 0 second", "already has 100"),
            ("100 30 7 second", "nobody rolls"),
            ("100 30 0 second rolling", "nobody rolls"),
        ] {
            let error = Pig::read(text).expect_err(text).to_string();
            assert!(error.contains(complaint), "`{text}`: {error}");
        }
    }

    #[test]
    fn refuses_what_is_no_move() {
        for (position, text, complaint) in [
            ("0 0 0 first", "", "roll or hold"),
            ("0 0 0 first", "3", "roll or hold"),
            ("0 0 0 first rolling", "hold", "1 to 6"),
            ("0 0 0 first rolling", "7", "1 to 6"),
            ("100 0 0 second", "roll", "over"),
            ("95 98 6 first", "roll", "holding wins"),
        ] {
            let error = Pig::read(position).expect(position).read_move(text).expect_err(text).to_string();
            assert!(error.contains(complaint), "`{text}`: {error}");
        }
    }

    /// The chance of the side to move, for every pair of scores (its own first) and turn total below the goal.
    struct Chances(Vec<f64>);

    const N: usize = GOAL as usize;

    impl Chances {
        fn index(mine: u16, theirs: u16, total: u16) -> usize {
            (usize::from(mine) * N + usize::from(theirs)) * N + usize::from(total)
        }

        /// For `side`, which need not be to move.
        fn of(&self, position: &Pig, side: Side) -> f64 {
            if let Some(outcome) = position.outcome() {
                return f64::from(outcome.value_for(side) + 1.0) / 2.0;
            }
            let [mine, theirs] = [position.to_move, position.to_move.other()].map(|s| position.scores[s.index()]);
            // Who can win by holding does.
            let sure = mine + position.turn_total >= GOAL;
            let chance = if sure { 1.0 } else { self.0[Self::index(mine, theirs, position.turn_total)] };
            if position.to_move == side { chance } else { 1.0 - chance }
        }

        /// The better of rolling and holding, from what is known so far.
        fn better(&self, position: &Pig) -> f64 {
            let after = |moves: &[Move]| {
                let mut next = *position;
                moves.iter().for_each(|&mv| next.play(mv));
                self.of(&next, position.to_move)
            };
            let rolling = (1..=6).map(|face| after(&[Move::Roll, Move::Face(face)])).sum::<f64>() / 6.0;
            rolling.max(after(&[Move::Hold]))
        }

        /// Improves the chances with these two scores, whoever has which, until they stand still. They depend on
        /// each other, since a turn may end with nothing, and on higher scores only.
        ///
        /// CITE: Neller & Presser 2004, value iteration by the sum of the scores.
        fn settle(&mut self, scores: [u16; 2]) {
            let mut change = 1.0_f64;
            while change > 1e-13 {
                change = 0.0;
                for [mine, theirs] in [scores, [scores[1], scores[0]]] {
                    for turn_total in (0..GOAL - mine).rev() {
                        let position = Pig { scores: [mine, theirs], turn_total, ..Pig::new() };
                        let better = self.better(&position);
                        let known = &mut self.0[Self::index(mine, theirs, turn_total)];
                        change = change.max((better - *known).abs());
                        *known = better;
                    }
                }
            }
        }
    }

    #[test]
    fn best_play_wins_what_is_published() {
        let mut chances = Chances(vec![0.5; N * N * N]);
        for sum in (0..2 * GOAL - 1).rev() {
            for high in sum.div_ceil(2)..=sum.min(GOAL - 1) {
                chances.settle([high, sum - high]);
            }
        }
        for (text, chance) in [("0 0 0 first", 0.530_592_725), ("50 50 0 second", 0.546_150_844)] {
            let position = Pig::read(text).expect(text);
            let found = chances.of(&position, position.to_move);
            assert!((found - chance).abs() < 1e-9, "{text}: {found}");
        }
    }
}
