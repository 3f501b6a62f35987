//! Control-C: long work ends at the next good moment and what was reached is printed; a second one ends the program.

use std::sync::atomic::{AtomicBool, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From now on Control-C is noted instead of ending the program. Returns the question whether it has come.
pub(crate) fn install_handler() -> impl Fn() -> bool {
    // If the handler can't be set, Control-C ends the program as ever.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    || INTERRUPTED.load(Ordering::Relaxed)
}
