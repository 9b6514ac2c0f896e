//! The clocks of a game as the protocol's several commands tell them.

use super::command::{Arguments, Refusal};
use std::time::Duration;
use tengen_core::Side;
use tengen_search::{GameClock, Period};

/// How time is dealt out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Control {
    main: Duration,
    increment: Duration,
    overtime: Overtime,
}

/// What follows the main time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Overtime {
    #[default]
    None,
    Canadian {
        length: Duration,
        stones: u32,
    },
    Byoyomi {
        length: Duration,
        periods: u32,
    },
}

impl Control {
    /// `time_settings main byo_time byo_stones`: Canadian overtime; time but no stones means that there is no limit.
    pub fn standard(arguments: &mut Arguments<'_>) -> Result<Option<Control>, Refusal> {
        let main = arguments.seconds("main time")?;
        let length = arguments.seconds("overtime")?;
        let stones: u32 = arguments.number("stones")?;
        Ok(match (length.is_zero(), stones) {
            (false, 0) => None,
            (true, _) => Some(Control { main, ..Control::default() }),
            _ => Some(Control { main, overtime: Overtime::Canadian { length, stones }, ..Control::default() }),
        })
    }

    /// `kgs-time_settings` and `kata-time_settings`: `none`, `absolute main`, `byoyomi main length periods`,
    /// `canadian main length stones`, `fischer main increment`.
    pub fn named(arguments: &mut Arguments<'_>) -> Result<Option<Control>, Refusal> {
        let kind = arguments.word("a kind of clock")?;
        if kind == "none" {
            return Ok(None);
        }
        let main = arguments.seconds("main time")?;
        let control = Control { main, ..Control::default() };
        let at_least_one = |number: u32| number.max(1);
        Ok(Some(match kind {
            "absolute" => control,
            "fischer" => Control { increment: arguments.seconds("the increment")?, ..control },
            "byoyomi" => {
                let length = arguments.seconds("the period")?;
                let periods = at_least_one(arguments.number("periods")?);
                Control { overtime: Overtime::Byoyomi { length, periods }, ..control }
            }
            "canadian" => {
                let length = arguments.seconds("the period")?;
                let stones = at_least_one(arguments.number("stones")?);
                Control { overtime: Overtime::Canadian { length, stones }, ..control }
            }
            _ => return Err("syntax error: clocks are none, absolute, byoyomi, canadian or fischer".to_owned()),
        }))
    }
}

/// The clock of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Hand {
    /// Main time left.
    main: Duration,
    /// Time left in the current period.
    period: Duration,
    /// Stones to play in it, or periods left, the current one included.
    left: u32,
}

/// Both clocks.
#[derive(Clone, Debug, Default)]
pub(super) struct Clocks {
    control: Option<Control>,
    hands: [Hand; 2],
}

impl Clocks {
    /// Clocks at the beginning of a game.
    pub fn new(control: Option<Control>) -> Self {
        let control_or = control.unwrap_or_default();
        let (period, left) = match control_or.overtime {
            Overtime::None => (Duration::ZERO, 0),
            Overtime::Canadian { length, stones } => (length, stones),
            Overtime::Byoyomi { length, periods } => (length, periods),
        };
        Clocks { control, hands: [Hand { main: control_or.main, period, left }; 2] }
    }

    /// The same control from the beginning.
    pub fn reset(&mut self) {
        *self = Clocks::new(self.control);
    }

    /// `time_left colour time stones`: main time if there are no stones, else what is left of the overtime.
    pub fn set(&mut self, side: Side, time: Duration, stones: u32) {
        // A program that tells the time without having told the control plays without overtime, or with the Canadian one it tells of.
        let control = self.control.get_or_insert_with(|| Control {
            overtime: if stones > 0 { Overtime::Canadian { length: time, stones } } else { Overtime::None },
            ..Control::default()
        });
        let hand = &mut self.hands[side.index()];
        if stones == 0 {
            hand.main = time;
            return;
        }
        hand.main = Duration::ZERO;
        hand.left = stones;
        hand.period = match control.overtime {
            // Every period is a whole one again at the next move, whatever is left of this.
            Overtime::Byoyomi { length, .. } => length.min(time.max(Duration::from_millis(1))),
            _ => time,
        };
    }

    /// Takes off what a move took, for programs that never tell how much is left.
    pub fn spend(&mut self, side: Side, mut time: Duration) {
        let Some(control) = self.control else { return };
        let hand = &mut self.hands[side.index()];
        let from_main = time.min(hand.main);
        hand.main = hand.main - from_main + control.increment;
        time -= from_main;
        match control.overtime {
            Overtime::None => {}
            Overtime::Canadian { length, stones } => {
                if hand.main.is_zero() {
                    hand.period = hand.period.saturating_sub(time);
                    hand.left = hand.left.saturating_sub(1);
                    if hand.left == 0 {
                        (hand.period, hand.left) = (length, stones);
                    }
                }
            }
            Overtime::Byoyomi { length, .. } => {
                while time >= length && hand.left > 1 && !length.is_zero() {
                    time -= length;
                    hand.left -= 1;
                }
                hand.period = length;
            }
        }
    }

    /// The clock of a side for a search, if there is one.
    pub fn of(&self, side: Side, overhead: Duration) -> Option<GameClock> {
        let control = self.control?;
        let hand = self.hands[side.index()];
        let period = match control.overtime {
            Overtime::None => Period::None,
            Overtime::Canadian { .. } => Period::Canadian { length: hand.period, stones: hand.left },
            Overtime::Byoyomi { .. } => Period::Byoyomi { length: hand.period, left: hand.left },
        };
        Some(GameClock { increment: control.increment, period, overhead, ..GameClock::sudden_death(hand.main) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control(
        words: &str,
        read: fn(&mut Arguments<'_>) -> Result<Option<Control>, Refusal>,
    ) -> Result<Option<Control>, Refusal> {
        let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        read(&mut Arguments::new(&words))
    }

    fn clock(clocks: &Clocks) -> (u64, Period) {
        let clock = clocks.of(Side::First, Duration::ZERO).expect("there is a clock");
        (clock.left.as_millis() as u64, clock.period)
    }

    #[test]
    fn canadian_overtime_is_what_the_protocol_has() {
        let settings = control("60 30 5", Control::standard).expect("well said");
        let mut clocks = Clocks::new(settings);
        let second = Duration::from_secs;
        assert_eq!(clock(&clocks), (60_000, Period::Canadian { length: second(30), stones: 5 }));
        clocks.spend(Side::First, second(70));
        assert_eq!(clock(&clocks), (0, Period::Canadian { length: second(20), stones: 4 }));
        clocks.set(Side::First, second(12), 2);
        assert_eq!(clock(&clocks), (0, Period::Canadian { length: second(12), stones: 2 }));
        clocks.spend(Side::First, second(1));
        clocks.spend(Side::First, second(1));
        assert_eq!(clock(&clocks), (0, Period::Canadian { length: second(30), stones: 5 }), "a new period");
        clocks.reset();
        assert_eq!(clock(&clocks).0, 60_000);
    }

    #[test]
    fn other_clocks_have_commands_of_their_own() {
        let second = Duration::from_secs;
        let mut clocks = Clocks::new(control("byoyomi 10 30 5", Control::named).expect("well said"));
        clocks.spend(Side::First, second(45));
        assert_eq!(clock(&clocks), (0, Period::Byoyomi { length: second(30), left: 4 }));
        let mut clocks = Clocks::new(control("fischer 10 5", Control::named).expect("well said"));
        clocks.spend(Side::First, second(3));
        assert_eq!(
            clocks.of(Side::First, Duration::ZERO).map(|clock| (clock.left, clock.increment)),
            Some((second(12), second(5)))
        );
        assert_eq!(clocks.of(Side::Second, Duration::ZERO).map(|clock| clock.left), Some(second(10)));
        assert_eq!(control("none", Control::named), Ok(None));
        assert_eq!(control("0 1 0", Control::standard), Ok(None), "time without stones: no limit");
        for bad in
            ["", "absolute", "absolute x", "absolute -1", "absolute inf", "absolute nan", "sundial 3", "byoyomi 1 2"]
        {
            assert!(control(bad, Control::named).is_err(), "{bad}");
        }
    }
}
