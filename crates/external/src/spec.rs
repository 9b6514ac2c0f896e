//! How an external engine is written: `stockfish [UCI_Elo=2000,ms=100]`.
//!
//! The command is cut into words as a shell cuts them, quotes included, and run without one. What stands in square brackets at the
//! end is for Tengen: limits, and what to tell the engine after its start.

use std::path::{Path, PathBuf};
use std::time::Duration;
use tengen_core::refuse;
use tengen_search::Limits;
use tengen_search::params::unknown;

/// A command, limits and settings of an external engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExternalSpec {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// When it is to stop thinking: `ms`, `nodes` and `depth`.
    pub limits: Limits,
    /// What else stands in the brackets, in order: options of UCI, commands of GTP.
    pub settings: Vec<(String, String)>,
}

impl ExternalSpec {
    /// Reads what stands behind `uci:` or `gtp:`.
    pub fn read(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let (command, settings) = match text.strip_suffix(']').and_then(|open| open.rsplit_once('[')) {
            Some((command, settings)) => (command, settings),
            None => (text, ""),
        };
        let command = split_command(command)?;
        if command.is_empty() {
            return Err("it needs a command, like `uci:stockfish` or `gtp:gnugo --mode gtp`".to_owned());
        }
        let mut spec = ExternalSpec { command, limits: Limits::default(), settings: Vec::new() };
        for part in settings.split(',').filter(|part| !part.trim().is_empty()) {
            let (key, value) = match part.split_once('=') {
                Some((key, value)) if !key.trim().is_empty() => (key.trim(), value.trim()),
                _ => return Err(format!("{} is not a setting: write key=value", refuse(part))),
            };
            let number = || match value.parse::<u64>() {
                Ok(number) if (1..=1_000_000_000_000).contains(&number) => Ok(number),
                _ => Err(format!("`{key}` is a number from 1 on, not {}", refuse(value))),
            };
            match key {
                "ms" => spec.limits.time = Some(Duration::from_millis(number()?)),
                "nodes" => spec.limits.nodes = Some(number()?),
                "depth" => spec.limits.depth = Some(number()?.min(1000) as u32),
                _ => spec.settings.push((key.to_owned(), value.to_owned())),
            }
        }
        Ok(spec)
    }

    /// The threads that the settings ask for, one if they do not say.
    pub fn threads(&self) -> usize {
        let asked = self.settings.iter().find(|(key, _)| key.eq_ignore_ascii_case("threads"));
        asked.and_then(|(_, value)| value.parse().ok()).unwrap_or(1).max(1)
    }

    /// Where the program is: its path if it has one, else the first directory of `PATH` that has it, then those where games are
    /// installed, which often are not on the path.
    pub fn find_program(&self) -> Result<PathBuf, String> {
        let name = &self.command[0];
        if name.contains('/') {
            let path = PathBuf::from(name);
            return if is_program(&path) { Ok(path) } else { Err(format!("there is no program {}", refuse(name))) };
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        let places: Vec<PathBuf> = std::env::split_paths(&path).chain(GAMES_DIRS.map(PathBuf::from)).collect();
        if let Some(found) = places.iter().map(|dir| dir.join(name)).find(|path| is_program(path)) {
            return Ok(found);
        }
        // Only the directories of games are worth a guess: a path has thousands of programs that play nothing.
        let listed = GAMES_DIRS.iter().filter_map(|dir| std::fs::read_dir(dir).ok()).flatten().flatten();
        let names: Vec<String> = listed.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        let complaint = unknown("program", name, names.iter().map(String::as_str));
        let brief =
            if complaint.contains("did you mean") { complaint } else { format!("there is no program `{name}`") };
        Err(format!("{brief} (looked on PATH and in {})", GAMES_DIRS.join(" and ")))
    }
}

/// Where systems put games.
const GAMES_DIRS: [&str; 2] = ["/usr/games", "/usr/local/games"];

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path).is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

/// Cuts a command into words as a shell does: at spaces, but not inside quotes; a backslash takes the next character as it is, except
/// inside single quotes.
pub fn split_command(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(open), _) if open == letter => quote = None,
            (None | Some('"'), '\\') => match letters.next() {
                Some(next) => word.get_or_insert_default().push(next),
                None => return Err("the command ends with a lone backslash".to_owned()),
            },
            (Some(_), _) => word.get_or_insert_default().push(letter),
            (None, '"' | '\'') => {
                // Quotes with nothing between them are a word, too.
                word.get_or_insert_default();
                quote = Some(letter);
            }
            (None, _) if letter.is_whitespace() => words.extend(word.take()),
            (None, _) => word.get_or_insert_default().push(letter),
        }
    }
    if let Some(quote) = quote {
        return Err(format!("a {quote} in the command is never closed"));
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_cut_as_a_shell_does() {
        for (text, words) in [
            ("gnugo --mode gtp", vec!["gnugo", "--mode", "gtp"]),
            ("  a  'b c' \"d \\\" e\" f\\ g ''", vec!["a", "b c", "d \" e", "f g", ""]),
            ("x=\"1 2\"y", vec!["x=1 2y"]),
            ("", vec![]),
        ] {
            assert_eq!(split_command(text).expect(text), words, "{text}");
        }
        for (text, complaint) in [("a 'b", "never closed"), ("a \\", "backslash")] {
            assert!(split_command(text).expect_err(text).contains(complaint), "{text}");
        }
    }

    #[test]
    fn brackets_are_for_tengen() {
        let spec =
            ExternalSpec::read("stockfish [UCI_LimitStrength=true, UCI_Elo=2000 ,ms=100,Threads=3]").expect("fine");
        assert_eq!(spec.command, ["stockfish"]);
        assert_eq!(spec.limits.time, Some(Duration::from_millis(100)));
        let settings = [("UCI_LimitStrength", "true"), ("UCI_Elo", "2000"), ("Threads", "3")];
        assert_eq!(spec.settings, settings.map(|(key, value)| (key.to_owned(), value.to_owned())));
        assert_eq!(spec.threads(), 3);
        for (text, complaint) in
            [("", "command"), ("x [ms=0]", "`0`"), ("x [depth=deep]", "`deep`"), ("x [fast]", "fast")]
        {
            let error = ExternalSpec::read(text).expect_err(text);
            assert!(error.contains(complaint), "{text}: {error}");
        }
    }

    #[test]
    fn a_missing_program_is_named() {
        let spec = ExternalSpec::read("no-such-engine-anywhere --fast").expect("well formed");
        assert!(spec.find_program().expect_err("missing").contains("no-such-engine-anywhere"));
        let spec = ExternalSpec::read("/no/such/engine").expect("well formed");
        assert!(spec.find_program().expect_err("missing").contains("/no/such/engine"));
    }
}
