//! A program on the other end of two pipes that speaks GTP.

use crate::Failure;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The program.
pub struct Gtp {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Gtp {
    /// Starts it: the program and its arguments, separated by blanks, and some more.
    pub fn start(command: &str, more: &[&str]) -> Result<Gtp, Failure> {
        let mut words = command.split_whitespace();
        let program = words.next().ok_or("no program named")?;
        let mut child = Command::new(program)
            .args(words)
            .args(more)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("cannot start `{program}`: {error}"))?;
        let input = child.stdin.take().ok_or("no input")?;
        let output = BufReader::new(child.stdout.take().ok_or("no output")?);
        Ok(Gtp { child, input, output })
    }

    /// The answer to a command, in one line.
    pub fn ask(&mut self, command: &str) -> Result<String, Failure> {
        writeln!(self.input, "{command}")?;
        self.input.flush()?;
        let mut answer = String::new();
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                return Err(format!("no answer to {command}").into());
            }
            if !line.trim().is_empty() {
                answer.push_str(&line);
            } else if !answer.is_empty() {
                break;
            }
        }
        match answer.strip_prefix('=') {
            Some(text) => Ok(text.split_whitespace().collect::<Vec<_>>().join(" ")),
            None => Err(format!("{command}: {answer}").into()),
        }
    }
}

impl Drop for Gtp {
    fn drop(&mut self) {
        let _ = writeln!(self.input, "quit");
        let _ = self.child.wait();
    }
}
