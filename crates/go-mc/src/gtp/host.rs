//! [`Host`]: the clock, input and files around a session.

use crate::sgf::{Reading, Record};
use std::string::{String, ToString};
use std::time::Duration;
use std::vec::Vec;

/// The clock, the input and the files that a session uses.
pub trait Host: Sync {
    /// Returns the time since a fixed moment.
    fn now(&self) -> Duration;

    /// Returns the arrival time of the line being answered, on the clock of [`now`](Self::now), but
    /// no earlier than the time the last answer was written: this is when the player's clock
    /// starts. `None` means the time of the call of [`Session::respond`](super::Session::respond).
    fn line_arrived(&self) -> Option<Duration> {
        None
    }

    /// Returns whether the engine must stop searching and move immediately.
    fn interrupted(&self) -> bool;

    /// Returns whether another line is ready or the input has ended. Either ends an analysis.
    fn input_pending(&self) -> bool;

    /// Returns whether the controller is gone and nobody waits for an answer. A timed search then
    /// stops immediately; a search with a playout budget plays all its playouts.
    fn abandoned(&self) -> bool {
        false
    }

    /// Returns the contents of a file.
    ///
    /// # Errors
    ///
    /// A short message for the response.
    fn read_file(&self, path: &str) -> Result<Vec<u8>, String>;

    /// Reads the record of a game from a file, up to a move if one is given. A host without files
    /// that refuses it here, too, spares its program the tables of character sets.
    ///
    /// # Errors
    ///
    /// A short message for the response.
    fn read_record(&self, path: &str, before: Option<usize>) -> Result<Reading, String> {
        let bytes = self.read_file(path)?;
        let reading = match before {
            Some(before) => Record::from_bytes_to_move(&bytes, before),
            None => Record::from_bytes(&bytes),
        };
        reading.map_err(|error| error.to_string())
    }
}

/// A host without a clock, input or files, for sessions with a playout budget.
#[derive(Clone, Copy, Debug)]
pub struct NullHost;

impl Host for NullHost {
    fn now(&self) -> Duration {
        Duration::ZERO
    }

    fn interrupted(&self) -> bool {
        false
    }

    /// Returns `true`, so an analysis ends with its first report.
    fn input_pending(&self) -> bool {
        true
    }

    fn read_file(&self, _: &str) -> Result<Vec<u8>, String> {
        Err("files are not available".into())
    }
}
