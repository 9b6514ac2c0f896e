//! The rule sets, and komi.
//!
//! They differ in how the board is counted, in what may come back, in whether a chain may be filled to death by its
//! owner, and in what White gets for starting late.

use std::fmt;
use std::str::FromStr;
use tengen_core::{Repetition, TextError, refuse};

/// A rule set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Rules {
    /// Area, positional superko.
    #[default]
    Chinese,
    /// Territory, simple ko; a position that comes back for the third time ends the game without result.
    Japanese,
    /// Area, situational superko.
    French,
    /// Area, situational superko.
    Aga,
    /// Area, positional superko, suicide of several stones allowed.
    TrompTaylor,
}

/// What counts at the end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scoring {
    /// Stones on the board and the points they surround.
    Area,
    /// Points surrounded, and prisoners.
    Territory,
}

impl Rules {
    /// All rule sets.
    pub const ALL: [Rules; 5] = [Rules::Chinese, Rules::Japanese, Rules::French, Rules::Aga, Rules::TrompTaylor];

    /// The name in text: `chinese`, `japanese`, `french`, `aga` or `tromp-taylor`.
    pub fn name(self) -> &'static str {
        match self {
            Rules::Chinese => "chinese",
            Rules::Japanese => "japanese",
            Rules::French => "french",
            Rules::Aga => "aga",
            Rules::TrompTaylor => "tromp-taylor",
        }
    }

    /// What counts at the end.
    #[inline]
    pub fn scoring(self) -> Scoring {
        if self == Rules::Japanese { Scoring::Territory } else { Scoring::Area }
    }

    /// What happens when a position comes back.
    #[inline]
    pub fn repetition(self) -> Repetition {
        if self == Rules::Japanese { Repetition::DrawAt(3) } else { Repetition::Forbidden }
    }

    /// Whether the same stones with the other side to move are another position.
    #[inline]
    pub fn repetition_has_sides(self) -> bool {
        !matches!(self, Rules::Chinese | Rules::TrompTaylor)
    }

    /// Whether a move may leave several stones of one's own without a liberty, which then are taken. A single stone
    /// may not: nothing would have changed on the board, and that is a repetition.
    #[inline]
    pub fn allows_suicide(self) -> bool {
        self == Rules::TrompTaylor
    }

    /// The usual komi of an even game.
    pub fn komi(self) -> Komi {
        if self == Rules::Japanese { Komi(13) } else { Komi(15) }
    }

    /// The points White gets for Black's handicap stones, which count as area though White was not asked.
    pub fn compensation(self, stones: usize) -> usize {
        match self {
            Rules::Chinese => stones,
            // CITE: Fédération Française de Go, "Règle française du jeu de go", on games with handicap: n − 1 points.
            Rules::Aga | Rules::French => stones.saturating_sub(1),
            Rules::Japanese | Rules::TrompTaylor => 0,
        }
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Rules {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        Rules::ALL.into_iter().find(|rules| rules.name().eq_ignore_ascii_case(text)).ok_or_else(|| {
            let names = Rules::ALL.map(Rules::name).join(", ");
            TextError::new(format!("{} is no rule set: there are {names}", refuse(text)))
        })
    }
}

/// What White gets for moving second: whole or half points, from −200 to 200.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Komi(i16);

impl Komi {
    /// The usual komi of a game with handicap: White wins ties.
    pub const HANDICAP: Komi = Komi(1);

    /// A number of points.
    pub fn new(points: f64) -> Result<Komi, TextError> {
        let halves = points * 2.0;
        if halves.fract() != 0.0 || !(-400.0..=400.0).contains(&halves) {
            return Err(TextError::new(format!("komi {points} is not a whole or half number from -200 to 200")));
        }
        Ok(Komi(halves as i16))
    }

    /// The number of points.
    pub fn points(self) -> f32 {
        f32::from(self.0) / 2.0
    }

    /// Twice the number of points.
    #[inline]
    pub fn halves(self) -> i32 {
        self.0.into()
    }
}

impl fmt::Display for Komi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.points())
    }
}

impl FromStr for Komi {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        match text.parse() {
            Ok(points) => Komi::new(points),
            Err(_) => Err(TextError::new(format!("komi {} is not a number", refuse(text)))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for rules in Rules::ALL {
            assert_eq!(rules.name().parse(), Ok(rules));
        }
        let error = "ing".parse::<Rules>().expect_err("no such rules").to_string();
        assert_eq!(error, "`ing` is no rule set: there are chinese, japanese, french, aga, tromp-taylor");
    }

    #[test]
    fn komi_is_in_halves() {
        for text in ["7.5", "0", "-3.5", "200", "-200", "6"] {
            assert_eq!(text.parse::<Komi>().map(|komi| komi.to_string()), Ok(text.to_owned()));
        }
        for text in ["", "x", "7.25", "200.5", "-201", "inf", "nan", "1e300", "7,5"] {
            assert!(text.parse::<Komi>().is_err(), "komi {text}");
        }
        assert_eq!(Rules::default().komi().to_string(), "7.5");
        assert_eq!(Rules::Japanese.komi().points(), 6.5);
    }
}
