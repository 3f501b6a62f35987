//! [`Host`]: the clock, input and files around a session.

use std::string::String;
use std::time::Duration;
use std::vec::Vec;

/// The clock, the input and the files that a session uses.
pub trait Host: Sync {
    /// Returns the time since a fixed moment.
    fn now(&self) -> Duration;

    /// Returns when the line arrived that the session responds to, by the clock of [`now`](Self::now), but no time
    /// before the last answer was written: the player's clock runs from then on. `None` for the call of
    /// [`Session::respond`](super::Session::respond).
    fn line_arrived(&self) -> Option<Duration> {
        None
    }

    /// Returns whether the engine must stop searching and move at once.
    fn interrupted(&self) -> bool;

    /// Returns whether another line is ready to be read or the input has ended. Either ends an analysis.
    fn input_pending(&self) -> bool;

    /// Returns whether the controller is gone, so that nobody waits for an answer. A search with a budget of
    /// time then ends at once; one with a budget of playouts plays them all.
    fn abandoned(&self) -> bool {
        false
    }

    /// Returns the bytes of a file.
    ///
    /// # Errors
    ///
    /// A short message for the response.
    fn read_file(&self, path: &str) -> Result<Vec<u8>, String>;
}

/// A host without clock, input and files, for sessions with a budget of playouts.
#[derive(Clone, Copy, Debug)]
pub struct NullHost;

impl Host for NullHost {
    fn now(&self) -> Duration {
        Duration::ZERO
    }

    fn interrupted(&self) -> bool {
        false
    }

    /// Returns `true`: an analysis ends with its first report.
    fn input_pending(&self) -> bool {
        true
    }

    fn read_file(&self, _: &str) -> Result<Vec<u8>, String> {
        Err("files are not available".into())
    }
}
