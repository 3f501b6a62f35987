//! Progress bars: on standard error, and only where that is a terminal.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar of `length` steps; its message stands behind it.
pub(crate) fn bar(length: u64) -> ProgressBar {
    let style =
        ProgressStyle::with_template("{wide_bar} {human_pos}/{human_len} {msg} {elapsed}, {eta} left");
    ProgressBar::new(length).with_style(style.expect("the template is well formed"))
}

/// For work whose length isn't known before: counts layers.
pub(crate) fn spinner() -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} layer {human_pos} {elapsed}");
    ProgressBar::new_spinner().with_style(style.expect("the template is well formed"))
}
