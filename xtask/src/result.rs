//! What a verb ends with.

/// Whether its checks held, or the reason why it couldn't be done.
pub(crate) type Result<T = bool> = std::result::Result<T, Box<dyn std::error::Error>>;
