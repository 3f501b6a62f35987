//! The file of `bitcade.shards`, written as the program's own outputs are.

use crate::convert::{exclusive, value_error};
use bitcade_files::{Existing, Failure, OutputFile};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use std::path::PathBuf;

/// The text of the package's native sources, as a number: another one for each commit that changes them.
pub(crate) const SOURCES: &str = env!("BITCADE_SOURCES");

/// A file that this process alone writes, and that is complete at every moment.
#[pyclass(module = "bitcade._native", name = "_OutputFile")]
pub(crate) struct PyOutputFile {
    /// `None` once it is closed.
    file: Option<OutputFile>,
    process: u32,
}

#[pymethods]
impl PyOutputFile {
    /// Checks that a file can be written, and keeps other programs from writing it.
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let file = py.detach(|| OutputFile::check(&path, Existing::Resume)).map_err(os_error)?;
        if !file.is_regular() {
            return Err(value_error(format!("{}: expected a regular file", path.display())));
        }
        Ok(Self { file: Some(file), process: std::process::id() })
    }

    /// Replaces the file's content.
    fn write(slf: &Bound<'_, Self>, content: &[u8]) -> PyResult<()> {
        let this = exclusive(slf)?;
        let Some(file) = this.file.as_ref().filter(|_| this.process == std::process::id()) else {
            return Err(value_error("the file is closed, or belongs to the parent of this process"));
        };
        slf.py().detach(|| file.write(|sink| sink(content))).map_err(os_error)
    }

    /// Lets others write the file.
    fn close(slf: &Bound<'_, Self>) -> PyResult<()> {
        exclusive(slf)?.release();
        Ok(())
    }
}

impl PyOutputFile {
    fn release(&mut self) {
        let file = self.file.take();
        // In a child process the hidden file is still the parent's.
        if self.process != std::process::id() {
            std::mem::forget(file);
        }
    }
}

impl Drop for PyOutputFile {
    fn drop(&mut self) {
        self.release();
    }
}

fn os_error(failure: Failure) -> PyErr {
    PyOSError::new_err(failure.to_string())
}
