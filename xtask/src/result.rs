//! The result type of the tasks.

/// `true` if all checks of a task held; the error if the task could not be done.
pub(crate) type Result<T = bool> = std::result::Result<T, Box<dyn std::error::Error>>;
