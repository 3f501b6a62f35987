//! Progress bars on standard error, shown only if it is a terminal.

use crate::interrupt;
use indicatif::{ProgressBar, ProgressStyle};

pub(crate) fn bar(length: u64) -> ProgressBar {
    let style =
        ProgressStyle::with_template("{wide_bar} {human_pos}/{human_len} {msg} {elapsed}, {eta} left");
    // Whoever sees the bar may end its work.
    let _ = interrupt::install_handler();
    let bar = ProgressBar::new(length).with_style(style.expect("the template is well formed"));
    // The first step may take long.
    bar.tick();
    bar
}

/// Returns a progress display for work of unknown length. It counts layers.
pub(crate) fn spinner() -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} layer {human_pos} {elapsed}");
    ProgressBar::new_spinner().with_style(style.expect("the template is well formed"))
}
