//! Results on standard output, as text or JSON lines, and the commands' failures.

use crate::io::progress;
use crate::statistics::{or_none, whole_or_none};
use anstream::adapter::strip_str;
use anstream::{AutoStream, ColorChoice};
pub(crate) use bitcade_files::Failure;
use bitcade_files::{Blocking, is_stdout_taken};
use serde::Serialize;
use std::fmt::Display;
use std::io::{self, BufWriter, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Writes a line on standard error. If it cannot be written, as on a closed terminal, the program
/// continues. Outside names and texts can contain any characters, so terminal control characters
/// are escaped.
pub(crate) fn remark(text: impl Display) {
    if is_silent() || progress::is_stuck() {
        return;
    }
    let line = format!("bitcade: {}\n", printable(&text.to_string()));
    let _ = Blocking(io::stderr()).write_all(line.as_bytes());
}

static SILENT: AtomicBool = AtomicBool::new(false);

/// Suppresses all further remarks: the terminal is blocked, and the program would wait for it
/// instead of ending.
pub(crate) fn be_silent() {
    SILENT.store(true, Ordering::SeqCst);
}

fn is_silent() -> bool {
    SILENT.load(Ordering::SeqCst)
}

/// Saves during a run. A failed one becomes a remark, and the run continues with its results in
/// memory.
#[derive(Default)]
pub(crate) struct Checkpoints {
    /// The last reported failure, until a save succeeds.
    said: Option<String>,
}

impl Checkpoints {
    pub(crate) fn take(&mut self, saved: Result<(), Failure>) {
        let failure = saved.err().map(|failure| failure.to_string());
        if let Some(failure) =
            failure.as_ref().filter(|failure| self.said.as_ref() != Some(failure))
        {
            remark(format_args!("{failure}; the run goes on"));
        }
        self.said = failure;
    }
}

/// Escapes the characters of a text that move a cursor, change colors, or change the writing
/// direction.
pub(crate) fn printable(text: &str) -> String {
    let obeys = |c: char| {
        c.is_control()
            || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
    };
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if obeys(c) { shown.extend(c.escape_default()) } else { shown.push(c) }
    }
    shown
}

/// A result's fields, each with a JSON value and a text.
#[derive(Default)]
pub(crate) struct Fields {
    json: Vec<String>,
    texts: Vec<String>,
}

impl Fields {
    /// Adds a JSON-only field.
    pub(crate) fn json(mut self, name: &str, value: impl Serialize) -> Self {
        let value = serde_json::to_string(&value).expect("numbers, texts, and lists of them");
        self.json.push(format!("\"{name}\":{value}"));
        self
    }

    /// Adds a text-only field.
    pub(crate) fn text(mut self, name: &str, text: impl Display) -> Self {
        self.texts.push(format!("{name} {text}"));
        self
    }

    pub(crate) fn with(self, name: &str, value: impl Serialize + Display) -> Self {
        let text = value.to_string();
        self.json(name, value).text(name, text)
    }

    pub(crate) fn number(
        self,
        name: &str,
        number: impl Into<Option<f64>>,
        decimals: usize,
    ) -> Self {
        let number = number.into();
        self.json(name, number).text(name, or_none(number, decimals))
    }

    pub(crate) fn whole(self, name: &str, number: Option<u64>) -> Self {
        self.json(name, number).text(name, whole_or_none(number))
    }

    /// Adds a number with its 95 % interval, whose bounds become separate fields in JSON.
    pub(crate) fn interval(self, name: &str, numbers: [Option<f64>; 3], decimals: usize) -> Self {
        let [number, low, high] = numbers.map(|number| or_none(number, decimals));
        self.json(name, numbers[0])
            .json(&format!("{name}_low"), numbers[1])
            .json(&format!("{name}_high"), numbers[2])
            .text(name, format_args!("{number} (95 %: {low} to {high})"))
    }

    /// Returns the result as JSON, and as text with a separator between its fields.
    pub(crate) fn forms(&self, separator: &str) -> (String, String) {
        (format!("{{{}}}", self.json.join(",")), self.texts.join(separator))
    }
}

/// The stream of a command's results: standard output, or standard error if a file is written to
/// standard output.
struct Results;

impl Results {
    fn stream() -> Box<dyn Write> {
        if is_stdout_taken() {
            Box::new(Blocking(io::stderr()))
        } else {
            Box::new(Blocking(io::stdout()))
        }
    }
}

impl Write for Results {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Self::stream().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Self::stream().flush()
    }
}

/// The results of a command, each written as JSON or as text.
pub(crate) struct Output {
    json: bool,
    out: BufWriter<Results>,
}

impl Output {
    pub(crate) fn new(json: bool) -> Self {
        Self { json, out: BufWriter::new(Results) }
    }

    /// Writes one result: `record` as a JSON line with `--json`, else `text`, which includes its
    /// line feed.
    pub(crate) fn result(
        &mut self,
        record: &impl Serialize,
        text: impl FnOnce() -> String,
    ) -> Result<(), Failure> {
        if self.json { self.json_line(record) } else { self.text(text()) }
    }

    /// Writes one result, as text with a line for each field.
    pub(crate) fn lines(&mut self, fields: &Fields) -> Result<(), Failure> {
        self.fields(fields, "\n")
    }

    /// Writes one result on a line and flushes it, since the next one can take long.
    pub(crate) fn line(&mut self, fields: &Fields) -> Result<(), Failure> {
        self.fields(fields, " ")?;
        self.flush()
    }

    fn fields(&mut self, fields: &Fields, separator: &str) -> Result<(), Failure> {
        let (json, text) = fields.forms(separator);
        Ok(writeln!(self.out, "{}", if self.json { json } else { text })?)
    }

    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    pub(crate) fn refuse_json(&self, protocol: &str) -> Result<(), Failure> {
        self.refuse_json_of(&format!("speaks {protocol}"))
    }

    /// Refuses `--json` for a command with another output format; `does` is a verb phrase that
    /// names it.
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

    /// Writes colored text. The colors are removed unless the output is a terminal that supports
    /// them.
    pub(crate) fn colored(&mut self, text: &str) -> Result<(), Failure> {
        if AutoStream::choice(&io::stdout()) == ColorChoice::Never {
            self.text(strip_str(text).to_string())
        } else {
            self.text(text)
        }
    }

    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        Ok(self.out.flush()?)
    }

    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        if is_silent() {
            let _ = self.out.into_parts();
            return Ok(());
        }
        self.flush()
    }
}
