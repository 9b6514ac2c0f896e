//! Parameters, declared once: the command line, the protocols, the tuner and the docs all read the same table.
//!
//! ```
//! tengen_search::params! {
//!     /// How the example plays.
//!     pub struct ExampleParams {
//!         depth: u32 = 4, 1..=64, "plies";
//!         eager: bool = true, (), "whether it hurries";
//!     }
//! }
//! use tengen_search::params::Params;
//! let mut params = ExampleParams::default();
//! params.set("depth", "7").unwrap();
//! assert_eq!(params.depth, 7);
//! assert!(params.set("depth", "900").unwrap_err().to_string().contains("1 to 64"));
//! assert!(params.set("dpeth", "7").unwrap_err().to_string().contains("`depth`"));
//! ```

use std::fmt;
use std::ops::RangeInclusive;

/// One line of a parameter table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParamInfo {
    /// What it is called in `name:key=value`.
    pub name: &'static str,
    /// Its value when nobody says otherwise.
    pub default: String,
    /// What it may be, in words: `0.1 to 5`, `on or off`.
    pub range: String,
    /// What it does.
    pub meaning: &'static str,
}

/// Why a parameter was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParamError(pub String);

impl fmt::Display for ParamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ParamError {}

/// A set of parameters, as made by [`params!`](crate::params!).
pub trait Params: Default {
    /// The table: every parameter with its default, range and meaning.
    fn list() -> Vec<ParamInfo>;

    /// Changes one parameter from text.
    fn set(&mut self, name: &str, text: &str) -> Result<(), ParamError>;

    /// The parameter's value as text, if there is such a parameter.
    fn get(&self, name: &str) -> Option<String>;

    /// The defaults with these settings made, in order.
    fn with(settings: &[(String, String)]) -> Result<Self, ParamError> {
        let mut params = Self::default();
        for (name, text) in settings {
            params.set(name, text)?;
        }
        Ok(params)
    }
}

/// The error for a name that nobody knows, with the nearest one that is known.
pub fn unknown<'a>(kind: &str, name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    let name: String = name.chars().take(40).collect();
    match known.iter().min_by_key(|candidate| distance(candidate, &name)) {
        Some(nearest) if distance(nearest, &name) <= 2.max(name.chars().count() / 2) => {
            format!("there is no {kind} `{name}`; did you mean `{nearest}`?")
        }
        Some(_) => format!("there is no {kind} `{name}`; known: {}", known.join(" ")),
        None => format!("there is no {kind} `{name}`: it has none"),
    }
}

/// Letters to change, insert or drop to make one word of the other (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, other) in b.iter().enumerate() {
            let changed = diagonal + usize::from(letter != *other);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

/// A type that parameters can have.
pub trait Param: Sized {
    /// How its range is written in the declaration.
    type Range;
    /// Reads a value inside the range.
    fn read(text: &str, range: &Self::Range) -> Option<Self>;
    /// Writes a value so that `read` understands it.
    fn write(&self) -> String;
    /// The range in words.
    fn range(range: &Self::Range) -> String;
}

macro_rules! number {
    ($($type:ty)*) => {$(
        impl Param for $type {
            type Range = RangeInclusive<$type>;
            fn read(text: &str, range: &Self::Range) -> Option<Self> {
                text.parse().ok().filter(|value| range.contains(value))
            }
            fn write(&self) -> String {
                self.to_string()
            }
            fn range(range: &Self::Range) -> String {
                format!("{} to {}", range.start(), range.end())
            }
        }
    )*};
}
number!(u32 u64 usize i32 f32 f64);

impl Param for bool {
    type Range = ();
    fn read(text: &str, _range: &()) -> Option<Self> {
        match text {
            "on" | "true" | "yes" | "1" => Some(true),
            "off" | "false" | "no" | "0" => Some(false),
            _ => None,
        }
    }
    fn write(&self) -> String {
        if *self { "on".to_owned() } else { "off".to_owned() }
    }
    fn range(_range: &()) -> String {
        "on or off".to_owned()
    }
}

impl Param for String {
    type Range = &'static str;
    fn read(text: &str, _range: &&'static str) -> Option<Self> {
        Some(text.to_owned())
    }
    fn write(&self) -> String {
        self.clone()
    }
    fn range(range: &&'static str) -> String {
        (*range).to_owned()
    }
}

/// Declares a struct of parameters with defaults, ranges and meanings: see the [module](mod@crate::params).
#[macro_export]
macro_rules! params {
    ($(#[$doc:meta])* $vis:vis struct $name:ident {
        $($field:ident : $type:ty = $default:expr, $range:expr, $meaning:literal;)*
    }) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Debug)]
        $vis struct $name { $(#[doc = $meaning] pub $field: $type,)* }

        impl Default for $name {
            fn default() -> Self {
                $name { $($field: $default,)* }
            }
        }

        impl $crate::params::Params for $name {
            fn list() -> Vec<$crate::params::ParamInfo> {
                let defaults = $name::default();
                vec![$($crate::params::ParamInfo {
                    name: stringify!($field),
                    default: $crate::params::Param::write(&defaults.$field),
                    range: <$type as $crate::params::Param>::range(&$range),
                    meaning: $meaning,
                },)*]
            }

            fn set(&mut self, name: &str, text: &str) -> Result<(), $crate::params::ParamError> {
                use $crate::params::{Param, ParamError, unknown};
                match name {
                    $(stringify!($field) => match <$type as Param>::read(text, &$range) {
                        Some(value) => self.$field = value,
                        None => {
                            let range = <$type as Param>::range(&$range);
                            let shown: String = text.chars().take(40).collect();
                            return Err(ParamError(format!("`{name}` is {range}, not `{shown}`")));
                        }
                    },)*
                    _ => return Err(ParamError(unknown("parameter", name, [$(stringify!($field)),*]))),
                }
                Ok(())
            }

            fn get(&self, name: &str) -> Option<String> {
                match name {
                    $(stringify!($field) => Some($crate::params::Param::write(&self.$field)),)*
                    _ => None,
                }
            }
        }
    };
}

/// Declares an enum that parameters can have, each choice with the word that names it.
#[macro_export]
macro_rules! choices {
    ($(#[$doc:meta])* $vis:vis enum $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        $vis enum $name { $($(#[$variant_doc])* $variant,)* }

        impl $crate::params::Param for $name {
            type Range = ();
            fn read(text: &str, _range: &()) -> Option<Self> {
                match text {
                    $($word => Some($name::$variant),)*
                    _ => None,
                }
            }
            fn write(&self) -> String {
                match self { $($name::$variant => $word.to_owned(),)* }
            }
            fn range(_range: &()) -> String {
                [$($word),*].join(", ")
            }
        }
    };
}
