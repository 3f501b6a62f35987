//! [`Host`]: the world around a session.

use std::string::String;
use std::time::Duration;

/// What a session needs of the world around it.
pub trait Host: Sync {
    /// The time since some moment in the past.
    fn now(&self) -> Duration;

    /// Whether it must stop thinking and move at once.
    fn interrupted(&self) -> bool;

    /// Whether another line is there to be read, or the input has ended: either ends an analysis.
    fn input_pending(&self) -> bool;

    /// The text of a file.
    ///
    /// # Errors
    ///
    /// Why there is none, in a few words.
    fn read_file(&self, path: &str) -> Result<String, String>;
}

/// A world without time and files: for sessions with a budget of playouts.
#[derive(Clone, Copy, Debug)]
pub struct NullHost;

impl Host for NullHost {
    fn now(&self) -> Duration {
        Duration::ZERO
    }

    fn interrupted(&self) -> bool {
        false
    }

    /// None will come: an analysis ends with its first report.
    fn input_pending(&self) -> bool {
        true
    }

    fn read_file(&self, _: &str) -> Result<String, String> {
        Err("there are no files here".into())
    }
}
