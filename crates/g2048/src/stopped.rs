//! [`Stopped`]: the error for work that the caller canceled.

/// The error for work canceled because the caller's `stop` returned `true`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped")]
pub struct Stopped;
