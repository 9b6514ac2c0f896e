//! Time controls as people write them, and the clocks that run by them.
//!
//! `5+0.05` is five seconds and a twentieth more a move, `40/60` sixty seconds for every forty moves, `60+3x10` byo-yomi of three periods of
//! ten seconds, `60+25/300` Canadian overtime. Minutes are written `10m`.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;
use tengen_core::refuse;
use tengen_search::{GameClock, Period};

/// How much time a player has for a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TimeControl {
    /// The main time.
    pub main: Duration,
    /// Added after every move.
    pub increment: Duration,
    /// The main time comes anew after so many moves.
    pub moves: Option<u32>,
    /// What follows the main time.
    pub period: Period,
}

impl TimeControl {
    /// Reads a control as described above.
    pub fn read(text: &str) -> Result<Self, String> {
        let wrong = |what: &str| {
            format!(
                "{}: {what}; controls look like 5+0.05, 40/60, 60+3x10 (byo-yomi) or 60+25/300 (Canadian)",
                refuse(text)
            )
        };
        let (main, rest) = match text.trim().split_once('+') {
            Some((main, rest)) => (main, Some(rest)),
            None => (text.trim(), None),
        };
        let count = |text: &str| text.trim().parse::<u32>().ok().filter(|count| (1..=10_000).contains(count));
        let (moves, main) = match main.split_once('/') {
            Some((moves, main)) => (Some(count(moves).ok_or_else(|| wrong("no number of moves"))?), main),
            None => (None, main),
        };
        let mut control = TimeControl {
            main: seconds(main).ok_or_else(|| wrong("no time"))?,
            increment: Duration::ZERO,
            moves,
            period: Period::None,
        };
        if let Some(rest) = rest {
            if let Some((left, length)) = rest.split_once('x') {
                let left = count(left).ok_or_else(|| wrong("no number of periods"))?;
                let length = seconds(length).ok_or_else(|| wrong("no length of a period"))?;
                control.period = Period::Byoyomi { length, left };
            } else if let Some((stones, length)) = rest.split_once('/') {
                let stones = count(stones).ok_or_else(|| wrong("no number of stones"))?;
                let length = seconds(length).ok_or_else(|| wrong("no length of a period"))?;
                control.period = Period::Canadian { length, stones };
            } else {
                control.increment = seconds(rest).ok_or_else(|| wrong("no increment"))?;
            }
        }
        if control.main.is_zero() && control.increment.is_zero() && control.period == Period::None {
            return Err(wrong("that is no time at all"));
        }
        if control.moves.is_some() && control.period != Period::None {
            return Err(wrong("main time that comes anew has no overtime"));
        }
        Ok(control)
    }
}

/// `60`, `0.05`, `10m`; at most a week.
fn seconds(text: &str) -> Option<Duration> {
    let (number, unit) = match text.trim().strip_suffix('m') {
        Some(minutes) => (minutes, 60.0),
        None => (text.trim().trim_end_matches('s'), 1.0),
    };
    let seconds: f64 = number.parse().ok()?;
    (0.0..=604_800.0).contains(&(seconds * unit)).then(|| Duration::from_secs_f64(seconds * unit))
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.main.as_secs_f64())?;
        match self.period {
            Period::None if self.increment.is_zero() => Ok(()),
            Period::None => write!(f, "+{}", self.increment.as_secs_f64()),
            Period::Byoyomi { length, left } => write!(f, "+{left}x{}", length.as_secs_f64()),
            Period::Canadian { length, stones } => write!(f, "+{stones}/{}", length.as_secs_f64()),
        }
    }
}

impl TryFrom<String> for TimeControl {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        TimeControl::read(&text)
    }
}

impl From<TimeControl> for String {
    fn from(control: TimeControl) -> String {
        control.to_string()
    }
}

/// A player's clock during a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RunningClock {
    control: TimeControl,
    now: GameClock,
}

impl RunningClock {
    /// A clock before the first move.
    pub fn new(control: TimeControl) -> Self {
        let now = GameClock {
            left: control.main,
            increment: control.increment,
            moves_to_go: control.moves,
            period: control.period,
            // What lies between the player's last thought and the clock being pressed.
            overhead: Duration::from_millis(5),
        };
        RunningClock { control, now }
    }

    /// What the player sees when it is to move.
    pub fn shown(&self) -> GameClock {
        self.now
    }

    /// Takes the time of a move off the clock; `false` if there was not enough, of which up to `margin` is forgiven.
    pub fn press(&mut self, used: Duration, margin: Duration) -> bool {
        let now = &mut self.now;
        let mut over = used.saturating_sub(now.left);
        now.left = now.left.saturating_sub(used);
        let in_time = match &mut now.period {
            Period::None => over <= margin,
            // Each period that was used up is lost; the one the move ended in comes anew.
            Period::Byoyomi { length, left } => {
                while over > *length && *left > 0 {
                    *left -= 1;
                    over -= *length;
                }
                // The last period is lost with a moment of grace.
                *left > 0
                    || over <= margin && {
                        *left = 1;
                        true
                    }
            }
            Period::Canadian { length, stones } => {
                let in_time = over <= *length + margin;
                *length = length.saturating_sub(over);
                if now.left.is_zero() {
                    *stones -= 1;
                    if *stones == 0
                        && let Period::Canadian { length: full, stones: all } = self.control.period
                    {
                        (*length, *stones) = (full, all);
                    }
                }
                in_time
            }
        };
        now.left += self.control.increment;
        if let Some(moves) = &mut now.moves_to_go {
            *moves -= 1;
            if *moves == 0 {
                *moves = self.control.moves.unwrap_or(1);
                now.left += self.control.main;
            }
        }
        in_time
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_round_trip() {
        for text in ["5+0.05", "40/60+0.6", "300", "60+3x10", "60+25/300", "0+5x30"] {
            assert_eq!(TimeControl::read(text).expect(text).to_string(), text);
        }
        assert_eq!(TimeControl::read("10m").expect("minutes").main, Duration::from_secs(600));
        for text in ["", "+", "x", "5+", "5+x", "0", "0/5", "5+3x", "-5", "nan", "inf", "1e99", "40/60+3x10", "5+0x10"]
        {
            assert!(TimeControl::read(text).is_err(), "{text}");
        }
    }

    /// Presses the clock with these milliseconds; says after which move time was over, and what was left.
    fn run(control: &str, moves: &[u64]) -> (Option<usize>, u64) {
        let mut clock = RunningClock::new(TimeControl::read(control).expect(control));
        let over = moves.iter().position(|&ms| !clock.press(Duration::from_millis(ms), Duration::from_millis(10)));
        (over, clock.shown().left.as_millis() as u64)
    }

    #[test]
    fn clocks_run() {
        for (control, moves, result) in [
            ("1", vec![400, 500], (None, 100)),
            ("1", vec![400, 700], (Some(1), 0)),
            ("1", vec![400, 605], (None, 0)),
            ("1+0.5", vec![1000, 400], (None, 600)),
            ("2/1", vec![600, 300, 900], (None, 200)),
            ("0+2x1", vec![900, 900, 900], (None, 0)),
            ("0+2x1", vec![1500, 900, 900], (None, 0)),
            ("0+2x1", vec![1500, 1500], (Some(1), 0)),
            ("0+2/1", vec![400, 500, 900], (None, 0)),
            ("0+2/1", vec![400, 700], (Some(1), 0)),
        ] {
            assert_eq!(run(control, &moves), result, "{control} {moves:?}");
        }
    }
}
