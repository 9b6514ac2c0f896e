//! What stands between the brackets.

use std::borrow::Cow;

/// The value of a property, kept as the file has it, with its escapes: so what nobody here understands survives.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Value(String);

impl Value {
    /// Plain text, escaped as needed.
    pub fn new(text: &str) -> Self {
        Value(escape(text, false))
    }

    /// Two parts with a colon between them.
    pub fn pair(first: &str, second: &str) -> Self {
        Value(format!("{}:{}", escape(first, true), escape(second, true)))
    }

    /// What a reader found between brackets. It has no bracket and no backslash at the end that is not escaped.
    pub(super) fn from_file(raw: String) -> Self {
        Value(raw)
    }

    /// As it stands in the file.
    pub fn raw(&self) -> &str {
        &self.0
    }

    /// The text: escapes resolved, line breaks kept.
    pub fn text(&self) -> Cow<'_, str> {
        if !self.0.contains(['\\', '\r', '\t', '\u{b}', '\u{c}']) {
            return Cow::Borrowed(&self.0);
        }
        let mut text = String::with_capacity(self.0.len());
        let mut letters = self.0.chars().peekable();
        while let Some(letter) = letters.next() {
            match letter {
                '\\' => match letters.next() {
                    // A line break behind a backslash is there for the file's looks only.
                    Some(first @ ('\n' | '\r')) => {
                        letters.next_if(|&second| is_pair(first, second));
                    }
                    Some('\t' | '\u{b}' | '\u{c}') => text.push(' '),
                    Some(escaped) => text.push(escaped),
                    None => {}
                },
                '\n' | '\r' => {
                    letters.next_if(|&second| is_pair(letter, second));
                    text.push('\n');
                }
                '\t' | '\u{b}' | '\u{c}' => text.push(' '),
                _ => text.push(letter),
            }
        }
        Cow::Owned(text)
    }

    /// The text on one line, without white space around it.
    pub fn simple_text(&self) -> Cow<'_, str> {
        match self.text() {
            Cow::Borrowed(text) if !text.contains('\n') => Cow::Borrowed(text.trim()),
            text => Cow::Owned(text.trim().replace('\n', " ")),
        }
    }

    /// The two parts of a value with a colon in it, if it has one that is not escaped.
    pub fn parts(&self) -> Option<(Value, Value)> {
        let mut is_escaped = false;
        let colon = self.0.bytes().position(|byte| {
            let is_colon = byte == b':' && !is_escaped;
            is_escaped = byte == b'\\' && !is_escaped;
            is_colon
        })?;
        Some((Value(self.0[..colon].to_owned()), Value(self.0[colon + 1..].to_owned())))
    }
}

/// Whether two characters are one line break, as Windows and some others write it.
fn is_pair(first: char, second: char) -> bool {
    matches!((first, second), ('\n', '\r') | ('\r', '\n'))
}

fn escape(text: &str, is_part: bool) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter == '\\' || letter == ']' || letter == ':' && is_part {
            escaped.push('\\');
        }
        // Other control characters have no meaning in a file.
        if !letter.is_control() || letter == '\n' {
            escaped.push(letter);
        } else if letter.is_whitespace() {
            escaped.push(if letter == '\r' { '\n' } else { ' ' });
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes() {
        for (raw, text, simple) in [
            ("plain", "plain", "plain"),
            (r"a\]b\\c\:d", r"a]b\c:d", r"a]b\c:d"),
            ("soft\\\nbreak", "softbreak", "softbreak"),
            ("soft\\\r\nbreak", "softbreak", "softbreak"),
            ("two\r\nlines", "two\nlines", "two lines"),
            ("two\n\nbreaks", "two\n\nbreaks", "two  breaks"),
            ("\ttab ", " tab ", "tab"),
        ] {
            let value = Value::from_file(raw.to_owned());
            assert_eq!((value.text().as_ref(), value.simple_text().as_ref()), (text, simple), "{raw:?}");
            assert_eq!(Value::new(text).text(), text);
        }
    }

    #[test]
    fn parts() {
        assert_eq!(Value::pair("a:b", "c").parts(), Some((Value(r"a\:b".to_owned()), Value("c".to_owned()))));
        assert_eq!(Value::new(r"a\:b").parts().map(|(first, _)| first.text().into_owned()), Some(r"a\".to_owned()));
        assert_eq!(Value::from_file(r"a\:b".to_owned()).parts(), None);
    }
}
