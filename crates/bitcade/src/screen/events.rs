//! [`Events`]: terminal events while a screen is shown: keys, the mouse, resizes, job control.

#[cfg_attr(unix, path = "events/unix.rs")]
#[cfg_attr(not(unix), path = "events/console.rs")]
mod source;

use super::view::Input;
pub(crate) use source::{Events, suspend};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    Input(Input),
    Resized,
    /// The program must stop: Control-Z sent from outside.
    Suspended,
    /// The program runs again after an unexpected stop, during which another program had the
    /// terminal.
    #[cfg_attr(not(unix), expect(dead_code, reason = "a console has no jobs"))]
    Resumed,
    Closed,
}
