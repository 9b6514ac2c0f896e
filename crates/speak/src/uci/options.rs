//! The options a GUI can set, declared once: `uci` lists them and `setoption` looks them up.

use tengen_chess::ELO_RANGE;
use tengen_core::refuse;
use tengen_search::params::unknown;

/// The variants by the names GUIs use, each with Tengen's own.
pub(crate) const VARIANTS: [(&str, &str); 8] = [
    ("chess", "chess"),
    ("crazyhouse", "crazyhouse"),
    ("3check", "threecheck"),
    ("kingofthehill", "koth"),
    ("atomic", "atomic"),
    ("racingkings", "racingkings"),
    ("antichess", "antichess"),
    ("horde", "horde"),
];

/// The values of all options.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Options {
    pub hash: usize,
    pub threads: usize,
    pub lines: usize,
    pub ponder: bool,
    pub syzygy: String,
    pub own_book: bool,
    pub book: String,
    /// Milliseconds.
    pub overhead: u64,
    pub chess960: bool,
    /// Tengen's name of it.
    pub variant: &'static str,
    pub limit_strength: bool,
    pub elo: u32,
    pub show_wdl: bool,
    pub analyse: bool,
    /// The figures of the search, set one by one in a tuning build.
    pub search: Vec<(String, String)>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            hash: 16,
            threads: 1,
            lines: 1,
            ponder: false,
            syzygy: String::new(),
            own_book: false,
            book: String::new(),
            overhead: 20,
            chess960: false,
            variant: "chess",
            limit_strength: false,
            elo: 1500,
            show_wdl: false,
            analyse: false,
            search: Vec::new(),
        }
    }
}

/// What changed by setting an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Changed {
    /// A value.
    Value,
    /// The button that empties the table.
    ClearHash,
}

enum Shape {
    Check(bool),
    Spin(i64, i64, i64),
    Text,
    Button,
    Combo(&'static str),
}

fn shapes() -> Vec<(&'static str, Shape)> {
    let defaults = Options::default();
    let levels = (i64::from(*ELO_RANGE.start()), i64::from(*ELO_RANGE.end()));
    vec![
        ("Hash", Shape::Spin(defaults.hash as i64, 1, 1_048_576)),
        ("Threads", Shape::Spin(1, 1, 1024)),
        ("MultiPV", Shape::Spin(1, 1, 256)),
        ("Ponder", Shape::Check(false)),
        ("Clear Hash", Shape::Button),
        ("Move Overhead", Shape::Spin(defaults.overhead as i64, 0, 10_000)),
        ("OwnBook", Shape::Check(false)),
        ("BookFile", Shape::Text),
        ("SyzygyPath", Shape::Text),
        ("UCI_Chess960", Shape::Check(false)),
        ("UCI_Variant", Shape::Combo("chess")),
        ("UCI_LimitStrength", Shape::Check(false)),
        ("UCI_Elo", Shape::Spin(i64::from(defaults.elo), levels.0, levels.1)),
        ("UCI_ShowWDL", Shape::Check(false)),
        ("UCI_AnalyseMode", Shape::Check(false)),
    ]
}

/// The lines that answer `uci`.
pub(crate) fn list() -> Vec<String> {
    let mut lines: Vec<String> = shapes()
        .into_iter()
        .map(|(name, shape)| match shape {
            Shape::Check(value) => format!("option name {name} type check default {value}"),
            Shape::Spin(value, least, most) => {
                format!("option name {name} type spin default {value} min {least} max {most}")
            }
            Shape::Text => format!("option name {name} type string default <empty>"),
            Shape::Button => format!("option name {name} type button"),
            Shape::Combo(value) => {
                let names: String = VARIANTS.iter().map(|(name, _)| format!(" var {name}")).collect();
                format!("option name {name} type combo default {value}{names}")
            }
        })
        .collect();
    lines.extend(tuning::list());
    lines
}

impl Options {
    /// Sets an option by its name, whatever its case.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Changed, String> {
        let known = shapes();
        let Some((name, shape)) = known.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)) else {
            return match tuning::set(self, name, value) {
                Some(outcome) => outcome.map(|()| Changed::Value),
                None => Err(unknown("option", name, known.iter().map(|(name, _)| *name))),
            };
        };
        let value = match (shape, value) {
            (Shape::Button, _) => return Ok(Changed::ClearHash),
            (_, Some(value)) => value,
            (Shape::Text, None) => "",
            (_, None) => return Err(format!("option {name} needs a value")),
        };
        match shape {
            Shape::Check(_) => {
                let on = match value.to_ascii_lowercase().as_str() {
                    "true" => true,
                    "false" => false,
                    _ => return Err(format!("option {name} is true or false, not {}", refuse(value))),
                };
                *match *name {
                    "Ponder" => &mut self.ponder,
                    "OwnBook" => &mut self.own_book,
                    "UCI_Chess960" => &mut self.chess960,
                    "UCI_LimitStrength" => &mut self.limit_strength,
                    "UCI_ShowWDL" => &mut self.show_wdl,
                    _ => &mut self.analyse,
                } = on;
            }
            Shape::Spin(_, least, most) => {
                let number: i64 =
                    value.parse().ok().filter(|number| (least..=most).contains(&number)).ok_or_else(|| {
                        format!("option {name} is a number from {least} to {most}, not {}", refuse(value))
                    })?;
                // The ranges are positive and far below the types' ends.
                match *name {
                    "Hash" => self.hash = number as usize,
                    "Threads" => self.threads = number as usize,
                    "MultiPV" => self.lines = number as usize,
                    "Move Overhead" => self.overhead = number as u64,
                    _ => self.elo = number as u32,
                }
            }
            Shape::Text => {
                let value = if value == "<empty>" { "" } else { value };
                *if *name == "BookFile" { &mut self.book } else { &mut self.syzygy } = value.to_owned();
            }
            Shape::Combo(_) => {
                // Tengen's own names are understood too.
                let found = VARIANTS.iter().find(|(uci, own)| *uci == value || *own == value);
                let (_, own) = found.ok_or_else(|| unknown("variant", value, VARIANTS.iter().map(|(uci, _)| *uci)))?;
                self.variant = own;
            }
            Shape::Button => {}
        }
        Ok(Changed::Value)
    }
}

/// Every figure of the search as an option.
#[cfg(feature = "tune")]
mod tuning {
    use super::Options;
    use tengen_chess::SearchParams;
    use tengen_search::params::Params;

    pub fn list() -> Vec<String> {
        let line = |info: tengen_search::params::ParamInfo| {
            let (least, most) = info.range.split_once(" to ")?;
            Some(format!("option name {} type spin default {} min {least} max {most}", info.name, info.default))
        };
        SearchParams::list().into_iter().filter_map(line).collect()
    }

    pub fn set(options: &mut Options, name: &str, value: Option<&str>) -> Option<Result<(), String>> {
        SearchParams::default().get(name)?;
        let value = value.unwrap_or("");
        Some(SearchParams::default().set(name, value).map_err(|error| error.to_string()).map(|()| {
            options.search.push((name.to_owned(), value.to_owned()));
        }))
    }
}

/// Without the feature `tune` the figures are fixed.
#[cfg(not(feature = "tune"))]
mod tuning {
    use super::Options;

    pub fn list() -> Vec<String> {
        Vec::new()
    }

    pub fn set(_options: &mut Options, _name: &str, _value: Option<&str>) -> Option<Result<(), String>> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_set_by_name_and_refused_with_a_reason() {
        let mut options = Options::default();
        for (name, value) in [("hash", "64"), ("Move Overhead", "100"), ("UCI_Elo", "1200"), ("SyzygyPath", "/a b")] {
            assert_eq!(options.set(name, Some(value)), Ok(Changed::Value));
        }
        assert_eq!(options.set("UCI_Variant", Some("3check")), Ok(Changed::Value));
        assert_eq!(options.set("Clear Hash", None), Ok(Changed::ClearHash));
        assert_eq!((options.hash, options.overhead, options.elo, options.variant), (64, 100, 1200, "threecheck"));
        assert_eq!(options.syzygy, "/a b");
        let before = options.clone();
        for (name, value, complaint) in [
            ("Hash", Some("0"), "1 to 1048576"),
            ("Hash", None, "needs a value"),
            ("Ponder", Some("maybe"), "true or false"),
            ("Hsah", Some("4"), "did you mean `Hash`"),
            ("UCI_Variant", Some("chss"), "did you mean `chess`"),
        ] {
            let error = options.set(name, value).expect_err(name);
            assert!(error.contains(complaint), "{name}: {error}");
        }
        assert_eq!(options, before);
    }

    #[test]
    fn every_option_listed_can_be_set_to_its_default() {
        let mut options = Options::default();
        for line in list() {
            let (_, rest) = line.split_once("option name ").expect("a line lists an option");
            let (name, rest) = rest.split_once(" type ").expect("an option has a type");
            let default = rest.split_once("default ").map(|(_, text)| text.split(' ').next().unwrap_or(""));
            options.set(name, default).expect(name);
        }
        assert_eq!(Options { search: Vec::new(), ..options }, Options::default());
    }
}
