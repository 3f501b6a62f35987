//! [`InputFile`]: the inputs of a command.

use crate::{Blocking, Existing, Failure, claims, descriptor, follow};
use same_file::Handle;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// An open input of a command: a file or standard input. From then on it can't be an output of this
/// program, except one that is [resumed](Existing::Resume).
///
/// ```
/// use bitcade_files::{Existing, InputFile, OutputFile};
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("board.txt");
/// std::fs::write(&path, "112\n213\n")?;
/// let input = InputFile::open(&path)?;
/// let error = OutputFile::check(&path, Existing::Replace).unwrap_err();
/// assert!(error.to_string().ends_with("is an input, too, expected another file"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct InputFile {
    name: String,
    source: Box<dyn Read>,
}

/// The regular files that are inputs. They stay open: another file can't get their numbers.
static INPUTS: Mutex<Vec<Handle>> = Mutex::new(Vec::new());

impl InputFile {
    /// Opens a file. `-` and the device names of standard input are standard input.
    ///
    /// # Errors
    ///
    /// [`Failure::Input`] if it can't be opened, or is an output.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let is_stdin = || follow(path).is_ok_and(|path| descriptor(&path) == Some("0"));
        if path == Path::new("-") || is_stdin() {
            return Self::stdin();
        }
        let name = path.display().to_string();
        let failed = |error: io::Error| Failure::Input(format!("{name}: {error}"));
        let file = File::open(path).map_err(failed)?;
        claim(Handle::from_file(file.try_clone().map_err(failed)?), &name)?;
        Ok(Self { name, source: Box::new(Blocking(file)) })
    }

    /// Returns standard input.
    ///
    /// # Errors
    ///
    /// [`Failure::Input`] if it is redirected from an output.
    pub fn stdin() -> Result<Self, Failure> {
        let name = "standard input".to_owned();
        claim(Handle::stdin(), &name)?;
        Ok(Self { name, source: Box::new(Blocking(io::stdin())) })
    }

    /// Returns the input's name, for messages.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Read for InputFile {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.source.read(bytes)
    }
}

/// Refuses an input that is an output, and remembers any other regular file. What can't be
/// identified is neither.
fn claim(handle: io::Result<Handle>, name: &str) -> Result<(), Failure> {
    let Some(handle) = handle.ok().filter(is_regular) else { return Ok(()) };
    let is_output = |claim: &crate::Claimed| {
        claim.existing != Existing::Resume && claim.handle().is_some_and(|output| output == handle)
    };
    if claims().iter().any(is_output) {
        return Err(Failure::Input(format!("{name}: is an output, too, expected another file")));
    }
    let mut inputs = INPUTS.lock().unwrap_or_else(PoisonError::into_inner);
    if !inputs.contains(&handle) {
        inputs.push(handle);
    }
    Ok(())
}

/// Returns why a regular file can't be an output, if it is in use by this program.
pub(crate) fn use_of(output: &Handle) -> Option<&'static str> {
    if INPUTS.lock().unwrap_or_else(PoisonError::into_inner).contains(output) {
        return Some("an input");
    }
    let is = |stream: io::Result<Handle>| stream.is_ok_and(|stream| stream == *output);
    if is(Handle::stdout()) {
        return Some("standard output");
    }
    is(Handle::stderr()).then_some("standard error")
}

fn is_regular(handle: &Handle) -> bool {
    handle.as_file().metadata().is_ok_and(|found| found.is_file())
}
