//! Networks as data: a TOML text says what layers there are.
//!
//! ```toml
//! [input]
//! planes = 8
//! board = [9, 9]            # left out: any board
//! globals = 2
//!
//! [[trunk]]
//! conv = 64
//! norm = true
//! act = "relu"
//!
//! [[trunk]]
//! repeat = 6
//! residual = [{ conv = 64, norm = true, act = "relu" }, { conv = 64, norm = true }]
//! act = "relu"
//!
//! [[heads]]
//! name = "value"
//! layers = [{ conv = 8, kernel = 1, act = "relu" }, { dense = 64, act = "relu" }, { dense = 3 }]
//! ```

use serde::{Deserialize, Serialize};
use std::fmt;

/// What is wrong with a description, a file or a batch, in a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flaw(pub String);

impl Flaw {
    /// So goes the sentence.
    pub fn new(sentence: impl Into<String>) -> Self {
        Flaw(sentence.into())
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Flaw {}

/// A network.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    /// A name for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Which game it plays, where that is fixed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub game: String,
    /// What fills the planes, where that is fixed: the name of an encoder.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub encoder: String,
    /// What comes in.
    pub input: Input,
    /// What all heads see.
    pub trunk: Vec<Layer>,
    /// What comes out.
    pub heads: Vec<Head>,
}

/// What a network is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Numbers for every point; 0 where only the globals are shown.
    pub planes: usize,
    /// Points down and across, if it must be these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<(usize, usize)>,
    /// Numbers for the whole board.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub globals: usize,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// Numbers that come out together: those of the board map by map and in each point by point, then the extra ones.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// What it is called: `policy`, `value`, `score`, `ownership`, `reply` are known to whoever plays.
    pub name: String,
    /// From the trunk to the numbers.
    pub layers: Vec<Layer>,
    /// From the trunk to numbers that belong to no point, like a pass. They come after the others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extra: Vec<Layer>,
}

/// A layer: one of the first keys, then `norm`, `act` and `dropout` in this order. Those three may also stand alone.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Layer {
    /// A convolution with so many filters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conv: Option<usize>,
    /// How many points down and across a filter sees: an odd number, 3 if not said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kernel: Option<usize>,
    /// A dense layer with so many neurons, over all points and channels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dense: Option<usize>,
    /// Whether `conv` and `dense` add a number to each channel; if not said, where no `norm` follows that does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bias: Option<bool>,
    /// These layers, and what came in is added to what comes out of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub residual: Option<Vec<Layer>>,
    /// Squeeze and excitation: each channel times a number between 0 and 1, from the means of all by so many neurons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub squeeze: Option<usize>,
    /// These layers, then their means and maxima over the board, and what a dense layer says of those is added to every point.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pooled: Option<Vec<Layer>>,
    /// What a dense layer says of the globals is added to every point.
    #[serde(skip_serializing_if = "is_false")]
    pub globals: bool,
    /// From the board to one list: means, means weighed by the board's size, and maxima.
    #[serde(skip_serializing_if = "is_false")]
    pub pool: bool,
    /// From the board to one list: means.
    #[serde(skip_serializing_if = "is_false")]
    pub mean: bool,
    /// From the board to one list: means weighed by what a filter says of the points.
    #[serde(skip_serializing_if = "is_false")]
    pub attend: bool,
    /// The greatest of each square of so many points down and across.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub maxpool: Option<usize>,
    /// These layers on the globals; their list is put behind all numbers that came in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub join: Option<Vec<Layer>>,
    /// Batch norm.
    #[serde(skip_serializing_if = "is_false")]
    pub norm: bool,
    /// A bend.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub act: Option<Act>,
    /// This share of numbers is left out while learning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dropout: Option<f32>,
    /// How often the layer comes, each time with weights of its own; 1 if not said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeat: Option<usize>,
}

fn is_false(said: &bool) -> bool {
    !said
}

/// A bend.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Act {
    /// None.
    #[default]
    None,
    /// Nothing below 0.
    Relu,
    /// `x · tanh(ln(1 + eˣ))`.
    Mish,
    /// Between −1 and 1.
    Tanh,
    /// Between 0 and 1.
    Sigmoid,
}

impl Description {
    /// Reads a text.
    pub fn read(text: &str) -> Result<Description, Flaw> {
        toml::from_str(text).map_err(|error| Flaw::new(format!("the description of a network: {error}")))
    }

    /// As a text that [`Description::read`] reads.
    pub fn write(&self) -> String {
        // Every field has a name and a plain kind, in an order that TOML allows.
        toml::to_string(self).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Graph;

    const PLAIN: &str = r#"
        input = { planes = 2, board = [3, 3], globals = 1 }
        trunk = [{ repeat = 2, conv = 8, norm = true, act = "relu" }]
        heads = [{ name = "value", layers = [{ dense = 1, act = "tanh" }] }]
    "#;

    #[test]
    fn a_description_is_read_as_it_is_written() {
        let description = Description::read(PLAIN).unwrap();
        assert_eq!(Description::read(&description.write()).unwrap(), description);
    }

    #[test]
    fn what_is_wrong_is_said_and_where() {
        for (change, to, said) in [
            ("conv = 8", "conf = 8", "unknown field `conf`"),
            ("conv = 8", "conv = 0", "trunk.0: 0 channels"),
            ("conv = 8", "conv = 8, kernel = 2", "trunk.0: kernel = 2, but a kernel is odd"),
            ("conv = 8", "conv = 8, dense = 3", "trunk.0: conv and dense stand in one layer"),
            ("conv = 8", "conv = 8, dropout = 1.5", "trunk.0: dropout = 1.5"),
            (r#"conv = 8, norm = true, act = "relu""#, "maxpool = 2", "trunk.1: maxpool = 2 on a board of 1x1"),
            ("repeat = 2", "repeat = 0", "trunk.0: repeat = 0"),
            (
                "conv = 8",
                "residual = [{ conv = 3 }]",
                "trunk.0: a residual block must end as it begins: 2 channels come in and 3 go out",
            ),
            ("globals = 1 }", "globals = 1", "TOML"),
            ("planes = 2, board = [3, 3], globals = 1", "planes = 0", "has planes on a board or globals"),
            ("conv = 8", "dense = 60000", "at most 268435456 weights"),
            (r#"act = "relu""#, r#"act = "rely""#, "unknown variant `rely`"),
            (r#""value""#, r#""""#, "a head is named with letters"),
            ("dense = 1", "conv = 99999999", "heads.value.0: 99999999 channels"),
            (r#"dense = 1, act = "tanh""#, "", "heads.value.0: a layer that says nothing"),
        ] {
            let text = PLAIN.replace(change, to);
            assert_ne!(text, PLAIN, "{change}");
            let flaw = Description::read(&text).and_then(|description| Graph::new(&description, (3, 3)));
            let flaw = flaw.err().map(|flaw| flaw.to_string()).unwrap_or_default();
            assert!(flaw.contains(said), "{to}: {flaw:?} does not say {said:?}");
        }
        let no_globals = PLAIN.replace(", globals = 1", "").replace("dense = 1", "join = [{ dense = 2 }]");
        let flaw = Graph::new(&Description::read(&no_globals).unwrap(), (3, 3)).unwrap_err().to_string();
        assert!(flaw.contains("there are no globals"), "{flaw}");
    }
}
