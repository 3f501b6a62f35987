//! Results on standard output, as text or JSON lines, and how a command fails.

use anstream::adapter::strip_str;
use anstream::{AutoStream, ColorChoice};
use serde::Serialize;
use std::io::{self, BufWriter, StdoutLock, Write};
use std::process::ExitCode;

/// Why a command failed. Each gives one line on standard error.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// A check did not hold: exit status 1.
    #[error("{0}")]
    Check(String),
    /// Bad usage or bad input: exit status 2.
    #[error("{0}")]
    Input(String),
    /// Standard output can't be written: exit status 1.
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

/// Standard output: every result is a JSON object or a text.
pub(crate) struct Output {
    json: bool,
    out: BufWriter<StdoutLock<'static>>,
}

impl Output {
    pub(crate) fn new(json: bool) -> Self {
        Self { json, out: BufWriter::new(io::stdout().lock()) }
    }

    /// One result: `record` as a JSON line, or `text` (which brings its own line feed) as it is.
    pub(crate) fn result(
        &mut self,
        record: &impl Serialize,
        text: impl FnOnce() -> String,
    ) -> Result<(), Failure> {
        if self.json { self.json_line(record) } else { self.text(text()) }
    }

    /// A JSON line, whatever was asked for.
    pub(crate) fn json_line(&mut self, record: &impl Serialize) -> Result<(), Failure> {
        serde_json::to_writer(&mut self.out, record).map_err(io::Error::from)?;
        Ok(self.out.write_all(b"\n")?)
    }

    /// Text that is no result: nothing with `--json`.
    pub(crate) fn text(&mut self, text: impl AsRef<str>) -> Result<(), Failure> {
        if !self.json {
            self.out.write_all(text.as_ref().as_bytes())?;
        }
        Ok(())
    }

    /// Text in colors, which only a terminal that wants them gets.
    pub(crate) fn colored(&mut self, text: &str) -> Result<(), Failure> {
        if AutoStream::choice(&io::stdout()) == ColorChoice::Never {
            self.text(strip_str(text).to_string())
        } else {
            self.text(text)
        }
    }

    /// Shows what has been written so far.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        Ok(self.out.flush()?)
    }

    /// The last flush, whose error counts too.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        self.flush()
    }
}
