//! Control-C: the first one ends long work at its next safe point, and the command prints its results so far;
//! the second one ends the program.

use std::sync::atomic::{AtomicBool, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Installs a handler that records Control-C instead of ending the program. Returns a function that tells
/// whether Control-C was pressed.
pub(crate) fn install_handler() -> impl Fn() -> bool {
    // If the handler can't be installed, Control-C ends the program as usual.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    || INTERRUPTED.load(Ordering::Relaxed)
}
