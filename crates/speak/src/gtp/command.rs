//! One line of the protocol.

use tengen_core::Side;

/// A command with its number, as a line has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Command {
    /// The number before the command, given back with the answer.
    pub id: Option<String>,
    pub name: String,
    pub arguments: Vec<String>,
}

impl Command {
    /// Reads a line; `None` if there is nothing in it.
    ///
    /// Control characters go, tabs become spaces, and everything from `#` on is a comment: section 3.1 of the specification.
    pub fn read(line: &str) -> Option<Command> {
        let plain: String = line
            .chars()
            .take_while(|&letter| letter != '#')
            .filter_map(|letter| match letter {
                '\t' => Some(' '),
                _ if letter.is_control() => None,
                _ => Some(letter),
            })
            .collect();
        let mut words = plain.split_whitespace().map(str::to_owned).peekable();
        let id = words.next_if(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
        let name = words.next();
        if id.is_none() && name.is_none() {
            return None;
        }
        Some(Command { id, name: name.unwrap_or_default(), arguments: words.collect() })
    }
}

/// Why a command is refused, in the words of the specification where it has any.
pub(super) type Refusal = String;

/// What the arguments of a command are read with.
pub(super) struct Arguments<'a> {
    words: std::slice::Iter<'a, String>,
}

impl<'a> Arguments<'a> {
    pub fn new(words: &'a [String]) -> Self {
        Arguments { words: words.iter() }
    }

    pub fn next(&mut self) -> Option<&'a str> {
        self.words.next().map(String::as_str)
    }

    /// The next word without taking it.
    pub fn peek(&self) -> Option<&'a str> {
        self.words.as_slice().first().map(String::as_str)
    }

    /// All that are left.
    pub fn rest(&self) -> &'a [String] {
        self.words.as_slice()
    }

    pub fn word(&mut self, what: &str) -> Result<&'a str, Refusal> {
        self.next().ok_or_else(|| format!("syntax error: {what} is missing"))
    }

    pub fn side(&mut self) -> Result<Side, Refusal> {
        let word = self.word("a colour")?;
        side(word).ok_or_else(|| format!("syntax error: {} is no colour", tengen_core::refuse(word)))
    }

    pub fn number<T: std::str::FromStr>(&mut self, what: &str) -> Result<T, Refusal> {
        let word = self.word(what)?;
        word.parse().map_err(|_| format!("syntax error: {what} is a number, not {}", tengen_core::refuse(word)))
    }

    /// A time: a finite number of seconds, not negative.
    pub fn seconds(&mut self, what: &str) -> Result<std::time::Duration, Refusal> {
        let seconds: f64 = self.number(what)?;
        std::time::Duration::try_from_secs_f64(seconds)
            .ok()
            .filter(|time| time.as_secs() < 10_000_000)
            .ok_or_else(|| format!("syntax error: {what} is no time"))
    }
}

/// The colour that a word names.
pub(super) fn side(word: &str) -> Option<Side> {
    match word.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Side::First),
        "w" | "white" => Some(Side::Second),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let shown = |line: &str| {
            Command::read(line).map(|command| {
                let id = command.id.map_or(String::new(), |id| format!("{id}:"));
                format!("{id}{} {}", command.name, command.arguments.join(" ")).trim_end().to_owned()
            })
        };
        for (line, read) in [
            ("name", Some("name")),
            ("12 play b D4\r", Some("12:play b D4")),
            ("\tplay\tb  D4 # here", Some("play b D4")),
            ("pl\u{7}ay b\u{0} D4", Some("play b D4")),
            ("# only a comment", None),
            ("", None),
            ("   \t\r", None),
            ("7", Some("7:")),
            ("7 8", Some("7:8")),
        ] {
            assert_eq!(shown(line).as_deref(), read, "{line:?}");
        }
    }
}
