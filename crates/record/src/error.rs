//! Why a file of games cannot be read or written.

use std::fmt;
use std::io;

/// What is wrong with a file, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileError {
    what: String,
    line: Option<usize>,
}

impl FileError {
    /// Something is wrong with the file as a whole.
    pub fn new(what: impl Into<String>) -> Self {
        FileError { what: what.into(), line: None }
    }

    /// Something is wrong in this line, counted from one.
    pub fn at(line: usize, what: impl Into<String>) -> Self {
        FileError { what: what.into(), line: Some(line) }
    }

    /// The line it is in, counted from one, where that is known.
    pub fn line(&self) -> Option<usize> {
        self.line
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.what),
            None => f.write_str(&self.what),
        }
    }
}

impl std::error::Error for FileError {}

impl From<io::Error> for FileError {
    fn from(error: io::Error) -> Self {
        FileError::new(error.to_string())
    }
}
