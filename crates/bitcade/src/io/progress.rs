//! Progress bars on standard error, shown only on a terminal with a cursor. A thread writes them,
//! so a blocked terminal, as after Control-S, does not block the work.

use crate::io::interrupt;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

pub(crate) fn bar(length: u64) -> ProgressBar {
    let style = ProgressStyle::with_template(
        "{wide_bar} {human_pos}/{human_len} {msg} {elapsed}, {eta} left",
    );
    // A user who sees the bar may end the work.
    let _ = interrupt::install_handler();
    let bar = ProgressBar::with_draw_target(Some(length), target());
    bar.set_style(style.expect("the template is well formed"));
    // The first step may take long.
    bar.tick();
    bar
}

/// Returns a progress display for work of unknown length, counted in layers.
pub(crate) fn spinner() -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} layer {human_pos} {elapsed}");
    ProgressBar::with_draw_target(None, target())
        .with_style(style.expect("the template is well formed"))
}

#[cfg(not(unix))]
fn target() -> ProgressDrawTarget {
    ProgressDrawTarget::stderr()
}

#[cfg(unix)]
fn target() -> ProgressDrawTarget {
    use crate::io::color::moves_cursor;
    use std::io::{self, IsTerminal};

    if !io::stderr().is_terminal() || !moves_cursor() {
        return ProgressDrawTarget::hidden();
    }
    unix::Painted::new().map_or_else(
        |_| ProgressDrawTarget::hidden(),
        |painted| ProgressDrawTarget::term_like_with_hz(Box::new(painted), 20),
    )
}

/// Returns whether the terminal is blocked, and writing to it would wait.
pub(crate) fn is_stuck() -> bool {
    #[cfg(unix)]
    return unix::is_stuck();
    #[cfg(not(unix))]
    false
}

#[cfg(unix)]
mod unix {
    use crate::io::painter::Painter;
    use bitcade_files::Blocking;
    use indicatif::TermLike;
    use std::fmt::Write as _;
    use std::fs::File;
    use std::io;
    use std::os::fd::AsFd;
    use std::sync::{Mutex, PoisonError};
    use std::time::Duration;

    static PAINTER: Painter = Painter::new();

    /// The time limit for a line, after which the terminal counts as blocked and the work goes on
    /// without it.
    const LINE: Duration = Duration::from_millis(200);

    pub(super) fn is_stuck() -> bool {
        PAINTER.blocked() > LINE
    }

    /// The bytes of the next line.
    #[derive(Debug)]
    pub(super) struct Painted(Mutex<String>);

    impl Painted {
        pub(super) fn new() -> io::Result<Self> {
            // Cloned to avoid the lock of stderr, which a blocked line would keep.
            PAINTER.start(Blocking(File::from(io::stderr().as_fd().try_clone_to_owned()?)));
            Ok(Self(Mutex::default()))
        }

        fn add(&self, text: std::fmt::Arguments<'_>) -> io::Result<()> {
            let mut line = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            line.write_fmt(text).map_err(io::Error::other)
        }

        fn go(&self, distance: usize, letter: char) -> io::Result<()> {
            if distance == 0 { Ok(()) } else { self.add(format_args!("\x1b[{distance}{letter}")) }
        }
    }

    impl TermLike for Painted {
        fn width(&self) -> u16 {
            let size = ratatui::crossterm::terminal::size();
            size.ok().filter(|&(columns, _)| columns > 0).map_or(80, |(columns, _)| columns)
        }

        fn move_cursor_up(&self, lines: usize) -> io::Result<()> {
            self.go(lines, 'A')
        }

        fn move_cursor_down(&self, lines: usize) -> io::Result<()> {
            self.go(lines, 'B')
        }

        fn move_cursor_right(&self, columns: usize) -> io::Result<()> {
            self.go(columns, 'C')
        }

        fn move_cursor_left(&self, columns: usize) -> io::Result<()> {
            self.go(columns, 'D')
        }

        fn write_line(&self, text: &str) -> io::Result<()> {
            self.add(format_args!("{text}\n"))
        }

        fn write_str(&self, text: &str) -> io::Result<()> {
            self.add(format_args!("{text}"))
        }

        fn clear_line(&self) -> io::Result<()> {
            self.add(format_args!("\r\x1b[2K"))
        }

        fn flush(&self) -> io::Result<()> {
            let line = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
            // Output behind a blocked line is dropped.
            if PAINTER.is_idle() {
                PAINTER.paint(line.into_bytes())?;
                PAINTER.wait(LINE);
            }
            Ok(())
        }
    }
}
