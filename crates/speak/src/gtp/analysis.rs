//! The lines that analysing programs read while the engine thinks.

use super::command::{Arguments, Refusal, side};
use super::desk::{Choice, Finding};
use std::fmt::Write as _;
use std::time::Duration;
use tengen_core::Side;

/// Whose way of writing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Dialect {
    /// Leela Zero: whole numbers, win rates from 0 to 10000.
    Leela,
    /// KataGo: fractions, and scores.
    Kata,
}

/// What is to be reported how often.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Wish {
    pub side: Option<Side>,
    pub interval: Duration,
    pub least: usize,
    pub most: usize,
    pub ownership: bool,
    pub root: bool,
    /// Moves of a side that are not to be shown.
    avoid: Vec<(Side, String)>,
    /// The only moves of a side that are to be shown, if there are any.
    allow: Vec<(Side, String)>,
}

impl Wish {
    /// `[colour] [interval] [interval n] [minmoves n] [maxmoves n] [ownership true] [avoid b D4,Q16 3] …`
    pub fn read(arguments: &mut Arguments<'_>) -> Result<Wish, Refusal> {
        let mut wish = Wish {
            side: None,
            interval: Duration::from_millis(500),
            least: 0,
            most: usize::MAX,
            ownership: false,
            root: false,
            avoid: Vec::new(),
            allow: Vec::new(),
        };
        while let Some(word) = arguments.peek() {
            if let Some(named) = side(word) {
                wish.side = Some(named);
                arguments.next();
            } else if word.bytes().all(|byte| byte.is_ascii_digit()) {
                wish.interval = interval(arguments)?;
            } else {
                arguments.next();
                match word {
                    "interval" => wish.interval = interval(arguments)?,
                    "minmoves" => wish.least = arguments.number("minmoves")?,
                    "maxmoves" => wish.most = arguments.number("maxmoves")?,
                    "ownership" => wish.ownership = flag(arguments)?,
                    "rootInfo" => wish.root = flag(arguments)?,
                    // What we do not have is left out, as it may be.
                    "movesOwnership"
                    | "ownershipStdev"
                    | "movesOwnershipStdev"
                    | "pvVisits"
                    | "pvEdgeVisits"
                    | "noResultValue" => {
                        flag(arguments)?;
                    }
                    "avoid" | "allow" => {
                        let side = arguments.side()?;
                        let moves = arguments.word("a list of moves")?.split(',').map(str::to_uppercase);
                        let list = if word == "avoid" { &mut wish.avoid } else { &mut wish.allow };
                        list.extend(moves.map(|mv| (side, mv)));
                        let _depth: u32 = arguments.number("a number of moves")?;
                    }
                    _ => return Err(format!("syntax error: {} is not known here", tengen_core::refuse(word))),
                }
            }
        }
        Ok(wish)
    }

    /// Whether a move of this side is to be shown, and may be played where one is.
    pub fn shows(&self, side: Side, mv: &str) -> bool {
        let named = (side, mv.to_uppercase());
        let is_free = !self.allow.iter().any(|(of, _)| *of == side);
        !self.avoid.contains(&named) && (is_free || self.allow.contains(&named))
    }
}

/// Hundredths of a second.
fn interval(arguments: &mut Arguments<'_>) -> Result<Duration, Refusal> {
    arguments.number::<u32>("the interval").map(|hundredths| Duration::from_millis(10 * u64::from(hundredths)))
}

fn flag(arguments: &mut Arguments<'_>) -> Result<bool, Refusal> {
    match arguments.word("true or false")? {
        "true" => Ok(true),
        "false" => Ok(false),
        word => Err(format!("syntax error: {} is neither true nor false", tengen_core::refuse(word))),
    }
}

/// One line about what has been found so far, for the side that was asked. `ownership` is Black's, and goes with the line if wished.
pub(super) fn line(finding: &Finding, wish: &Wish, dialect: Dialect, side: Side, ownership: &[f32]) -> String {
    let mut text = String::new();
    let shown = finding.candidates.iter().filter(|choice| wish.shows(side, &choice.mv));
    let seen = shown.enumerate().take_while(|(order, choice)| choice.visits > 0 || *order < wish.least.max(1));
    for (order, choice) in seen.take(wish.most.max(1)) {
        if order > 0 {
            text.push(' ');
        }
        write_choice(&mut text, choice, finding, dialect, order);
    }
    // Writing into a string cannot fail.
    if wish.root && dialect == Dialect::Kata {
        let lead = finding.lead.unwrap_or(0.0);
        let _ = write!(
            text,
            " rootInfo visits {} utility {:.6} winrate {:.6} scoreMean {lead:.3} scoreStdev 0 scoreLead {lead:.3}",
            finding.visits,
            finding.value,
            share(finding.value)
        );
    }
    if wish.ownership && !ownership.is_empty() {
        text.push_str(" ownership");
        for owner in ownership {
            let owner = if side == Side::First { *owner } else { -owner };
            let _ = write!(text, " {:.4}", if owner == 0.0 { 0.0 } else { owner });
        }
    }
    text
}

fn write_choice(text: &mut String, choice: &Choice, finding: &Finding, dialect: Dialect, order: usize) {
    let Choice { mv, visits, .. } = choice;
    let rate = share(choice.value);
    let low = lower_bound(rate, *visits);
    let prior = choice.prior.unwrap_or(0.0).clamp(0.0, 1.0);
    let pv = if choice.pv.is_empty() { mv.clone() } else { choice.pv.join(" ") };
    let _ = match dialect {
        Dialect::Leela => write!(
            text,
            "info move {mv} visits {visits} winrate {:.0} prior {:.0} lcb {:.0} order {order} pv {pv}",
            rate * 10_000.0,
            prior * 10_000.0,
            low * 10_000.0
        ),
        Dialect::Kata => {
            let lead = choice.lead.or(finding.lead).unwrap_or(0.0);
            write!(
                text,
                "info move {mv} visits {visits} utility {:.6} winrate {rate:.6} scoreMean {lead:.3} scoreStdev 0 scoreLead {lead:.3} scoreSelfplay {lead:.3} prior {prior:.6} lcb {low:.6} utilityLcb {:.6} order {order} pv {pv}",
                choice.value,
                low * 2.0 - 1.0
            )
        }
    };
}

/// A value from −1 to 1 as a share of games won.
pub(super) fn share(value: f32) -> f32 {
    ((value + 1.0) / 2.0).clamp(0.0, 1.0)
}

/// What the share of games won is at least, but for one case in forty.
fn lower_bound(rate: f32, visits: u64) -> f32 {
    (rate - 1.96 * (rate * (1.0 - rate) / visits.max(1) as f32).sqrt()).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(words: &str) -> Result<Wish, Refusal> {
        let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
        Wish::read(&mut Arguments::new(&words))
    }

    #[test]
    fn wishes() {
        let all = wish("b 50 minmoves 2 maxmoves 3 ownership true rootInfo true avoid w D4,q16 1").expect("well said");
        assert_eq!((all.side, all.interval), (Some(Side::First), Duration::from_millis(500)));
        assert_eq!((all.least, all.most, all.ownership, all.root), (2, 3, true, true));
        assert!(!all.shows(Side::Second, "d4") && !all.shows(Side::Second, "Q16") && all.shows(Side::Second, "C3"));
        assert!(all.shows(Side::First, "d4"), "they are White's to avoid");
        let some = wish("allow b C3,D4 1").expect("well said");
        assert!(some.shows(Side::First, "c3") && !some.shows(Side::First, "E5") && some.shows(Side::Second, "E5"));
        assert_eq!(wish("interval 7").expect("well said").interval, Duration::from_millis(70));
        for bad in ["x", "b 50 maxmoves", "ownership maybe", "avoid b", "interval -3"] {
            assert!(wish(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn lines_of_both_dialects() {
        let choice = |mv: &str, visits: u64, value: f32| Choice {
            mv: mv.to_owned(),
            visits,
            value,
            prior: Some(0.25),
            lead: Some(1.5),
            pv: vec![mv.to_owned(), "C3".to_owned()],
        };
        let finding = Finding { candidates: vec![choice("D4", 100, 0.0), choice("E5", 0, 0.5)], ..Finding::default() };
        let leela = line(&finding, &wish("").expect("nothing"), Dialect::Leela, Side::First, &[]);
        assert_eq!(leela, "info move D4 visits 100 winrate 5000 prior 2500 lcb 4020 order 0 pv D4 C3");
        let kata =
            line(&finding, &wish("minmoves 2 ownership true").expect("two"), Dialect::Kata, Side::Second, &[1.0, 0.0]);
        assert!(kata.contains("move E5 visits 0"), "{kata}");
        assert!(kata.contains("scoreLead 1.500"), "{kata}");
        assert!(kata.ends_with(" ownership -1.0000 0.0000"), "{kata}");
    }
}
