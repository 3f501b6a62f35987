//! Results on standard output, as text or JSON lines, and the failures of commands.

use anstream::adapter::strip_str;
use anstream::{AutoStream, ColorChoice};
use serde::Serialize;
use std::fmt::Display;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

/// The failure of a command, reported as one line on standard error.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// A check that did not hold or a file that could not be written: exit status 1.
    #[error("{0}")]
    Check(String),
    /// Invalid usage or invalid input: exit status 2.
    #[error("{0}")]
    Input(String),
    /// Standard output that could not be written: exit status 1.
    #[error("standard output: {0}")]
    Output(#[from] io::Error),
}

impl Failure {
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Check(_) | Self::Output(_) => ExitCode::from(1),
            Self::Input(_) => ExitCode::from(2),
        }
    }
}

/// Writes a remark as a line on standard error. A standard error that cannot be written, such as a closed
/// terminal, is no reason to end the program.
pub(crate) fn remark(text: impl Display) {
    let _ = writeln!(io::stderr(), "bitcade: {text}");
}

/// The output of a command's results: standard output, or standard error while a file is written to standard
/// output. Each result is written as JSON or as text.
pub(crate) struct Output {
    json: bool,
    out: BufWriter<Box<dyn Write>>,
}

impl Output {
    pub(crate) fn new(json: bool) -> Self {
        Self { json, out: BufWriter::new(Box::new(io::stdout().lock())) }
    }

    /// Prints results on standard error from now on: standard output is for a file.
    pub(crate) fn leave_stdout(&mut self) {
        self.out = BufWriter::new(Box::new(io::stderr()));
    }

    /// Writes one result: `record` as a JSON line with `--json`, `text` otherwise. The text includes its line
    /// feed.
    pub(crate) fn result(
        &mut self,
        record: &impl Serialize,
        text: impl FnOnce() -> String,
    ) -> Result<(), Failure> {
        if self.json { self.json_line(record) } else { self.text(text()) }
    }

    /// Returns whether results are printed as JSON.
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// Refuses `--json` for a command that speaks a protocol of its own.
    pub(crate) fn refuse_json(&self, protocol: &str) -> Result<(), Failure> {
        self.refuse_json_of(&format!("speaks {protocol}"))
    }

    /// Refuses `--json` for a command whose output has another form, which `does` names with a verb.
    pub(crate) fn refuse_json_of(&self, does: &str) -> Result<(), Failure> {
        if self.json {
            return Err(Failure::Input(format!("--json: not for this command, which {does}")));
        }
        Ok(())
    }

    /// Writes a JSON line, with or without `--json`.
    pub(crate) fn json_line(&mut self, record: &impl Serialize) -> Result<(), Failure> {
        serde_json::to_writer(&mut self.out, record).map_err(io::Error::from)?;
        Ok(self.out.write_all(b"\n")?)
    }

    /// Writes text that is not a result; nothing with `--json`.
    pub(crate) fn text(&mut self, text: impl AsRef<str>) -> Result<(), Failure> {
        if !self.json {
            self.out.write_all(text.as_ref().as_bytes())?;
        }
        Ok(())
    }

    /// Writes text in colors. The colors are removed unless the output is a terminal that supports them.
    pub(crate) fn colored(&mut self, text: &str) -> Result<(), Failure> {
        if AutoStream::choice(&io::stdout()) == ColorChoice::Never {
            self.text(strip_str(text).to_string())
        } else {
            self.text(text)
        }
    }

    /// Flushes the output written so far.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        Ok(self.out.flush()?)
    }

    /// Flushes the output at the end of the program.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        self.flush()
    }
}
