//! The result type of the tasks.

/// `true` if all checks of a task passed; an error if the task couldn't run.
pub(crate) type Result<T = bool> = std::result::Result<T, Box<dyn std::error::Error>>;
