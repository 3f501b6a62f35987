//! [`Stopped`]: the error of long work that the caller ended.

/// The error of work that was ended because the caller's `stop` returned `true`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped")]
pub struct Stopped;
