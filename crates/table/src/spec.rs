//! How a player is written: `mcts:visits=800,rave=on`.

use std::fmt;

/// A player's name and settings, not yet checked against any game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayerSpec {
    /// What stands before the colon.
    pub name: String,
    /// What stands behind it, cut at commas and equal signs.
    pub settings: Vec<(String, String)>,
}

/// Why a text is not a player, or not one for this game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpecError(pub String);

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SpecError {}

impl PlayerSpec {
    /// The same player with another value of a setting.
    pub fn with(mut self, key: &str, value: impl fmt::Display) -> Self {
        self.settings.retain(|(known, _)| known != key);
        self.settings.push((key.to_owned(), value.to_string()));
        self
    }

    /// The text of a player within a player, `minimax(depth=1)`, as a player's own text, `minimax:depth=1`.
    pub fn unbracket(text: &str) -> String {
        match text.trim().strip_suffix(')').and_then(|open| open.split_once('(')) {
            Some((name, settings)) => format!("{name}:{settings}"),
            None => text.trim().to_owned(),
        }
    }

    /// Reads `name` or `name:key=value,key=value`.
    pub fn read(text: &str) -> Result<Self, SpecError> {
        let (name, rest) = text.trim().split_once(':').unwrap_or((text.trim(), ""));
        if name.is_empty() {
            return Err(SpecError("a player needs a name, like `mcts:visits=800`".to_owned()));
        }
        let setting = |part: &str| match part.split_once('=') {
            Some((key, value)) if !key.trim().is_empty() => Ok((key.trim().to_owned(), value.trim().to_owned())),
            _ => Err(SpecError(format!("{} is not a setting: write key=value", tengen_core::refuse(part)))),
        };
        // Commas inside brackets belong to a player within a player: `opponent=minimax(depth=1,ms=5)`.
        let mut depth = 0i32;
        let parts = rest.split(|letter: char| {
            depth += i32::from(letter == '(') - i32::from(letter == ')');
            letter == ',' && depth <= 0
        });
        let settings = parts.filter(|part| !part.trim().is_empty()).map(setting).collect::<Result<_, _>>()?;
        Ok(PlayerSpec { name: name.to_owned(), settings })
    }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (index, (key, value)) in self.settings.iter().enumerate() {
            write!(f, "{}{key}={value}", if index == 0 { ':' } else { ',' })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_round_trip() {
        for text in
            ["random", "mcts:visits=800,rave=on", "minimax:depth=4", "expectimax:opponent=minimax(depth=1,ms=5)"]
        {
            assert_eq!(PlayerSpec::read(text).expect(text).to_string(), text);
        }
        assert_eq!(PlayerSpec::unbracket("minimax(depth=1,ms=5)"), "minimax:depth=1,ms=5");
        assert_eq!(PlayerSpec::unbracket("random"), "random");
        let seeded = |text: &str| PlayerSpec::read(text).expect(text).with("seed", 7).to_string();
        assert_eq!(
            (seeded("random"), seeded("mcts:seed=1,rave=on")),
            ("random:seed=7".into(), "mcts:rave=on,seed=7".into())
        );
        for (text, complaint) in [("", "needs a name"), (":depth=3", "needs a name"), ("minimax:4", "`4`")] {
            let error = PlayerSpec::read(text).expect_err(text).to_string();
            assert!(error.contains(complaint), "{text}: {error}");
        }
    }
}
