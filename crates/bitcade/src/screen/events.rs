//! [`Events`]: what happens in the terminal while a screen is shown: keys, the mouse, resizes, job control.

#[cfg_attr(unix, path = "events/unix.rs")]
#[cfg_attr(not(unix), path = "events/console.rs")]
mod source;

use super::view::Input;
pub(crate) use source::{Events, suspend};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    Input(Input),
    Resized,
    /// The program is to be stopped: Control-Z sent from outside.
    Suspended,
    /// The program runs again after a stop that it didn't see coming; meanwhile the terminal was another's.
    #[cfg_attr(not(unix), expect(dead_code, reason = "a console has no jobs"))]
    Resumed,
    Closed,
}
