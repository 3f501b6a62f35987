//! The checkpoint file of `bitcade.shards`, written the way the `bitcade` program writes its outputs.

use crate::convert::{exclusive, value_error};
use bitcade_files::{Existing, Failure, OutputFile};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use std::path::PathBuf;

/// The hash of the package's native sources: it changes with every commit that changes them.
pub(crate) const SOURCES: &str = env!("BITCADE_SOURCES");

/// An output file locked by this process and replaced atomically by each write.
///
/// Args:
///     path (StrPath): Where it is.
#[pyclass(module = "bitcade._native", name = "_OutputFile")]
pub(crate) struct PyOutputFile {
    /// `None` once closed.
    file: Option<OutputFile>,
    process: u32,
}

#[pymethods]
impl PyOutputFile {
    /// Checks that the file can be written, and locks out other programs.
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let file = py.detach(|| OutputFile::check(&path, Existing::Resume)).map_err(os_error)?;
        if !file.is_regular() {
            return Err(value_error(format!("{}: expected a regular file", path.display())));
        }
        Ok(Self { file: Some(file), process: std::process::id() })
    }

    /// Replaces the file's content.
    ///
    /// Args:
    ///     content (bytes): The new content.
    fn write(slf: &Bound<'_, Self>, content: &[u8]) -> PyResult<()> {
        let this = exclusive(slf)?;
        let Some(file) = this.file.as_ref().filter(|_| this.process == std::process::id()) else {
            return Err(value_error("the file is closed, or belongs to the parent of this process"));
        };
        slf.py().detach(|| file.write(|sink| sink(content))).map_err(os_error)
    }

    /// Releases the file to other programs.
    fn close(slf: &Bound<'_, Self>) -> PyResult<()> {
        exclusive(slf)?.release();
        Ok(())
    }
}

impl PyOutputFile {
    fn release(&mut self) {
        let file = self.file.take();
        // After a fork, the hidden temporary file still belongs to the parent.
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
