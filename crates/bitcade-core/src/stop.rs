//! [`Stop`] and [`Stopped`]: how long work ends early.

/// Asks whether to end long work early. Every thread that works asks it regularly; once it has
/// returned `true`, it must do so again.
///
/// A function `f_until(.., stop)` returns `Result<R, Stopped>`, where `R` is what `f(..)` returns.
/// It ends within milliseconds of the first `true`. What was done by then isn't lost where it
/// counts by itself:
///
/// - A function with a parameter `visit` calls it with each finished part, in order. After
///   [`Stopped`], the parts visited are what was done.
/// - An object keeps what it has done. The next call goes on from there.
///
/// ```
/// use bitcade_core::{Stop, Stopped};
/// use std::time::{Duration, Instant};
/// fn sum_until(numbers: impl Iterator<Item = u64>, stop: Stop<'_>) -> Result<u64, Stopped> {
///     let mut sum = 0;
///     for number in numbers {
///         if stop() {
///             return Err(Stopped);
///         }
///         sum += number;
///     }
///     Ok(sum)
/// }
/// assert_eq!(sum_until(0..10, &|| false), Ok(45));
/// let end = Instant::now() + Duration::from_millis(2);
/// assert_eq!(sum_until(0.., &|| Instant::now() >= end), Err(Stopped));
/// ```
pub type Stop<'a> = &'a (dyn Fn() -> bool + Sync);

/// The error of work that its caller's [`Stop`] ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("stopped")]
pub struct Stopped;
