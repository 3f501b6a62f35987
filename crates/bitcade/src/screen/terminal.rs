//! [`TerminalView`]: the terminal in which a screen is shown, restored when it ends in any way.

use crate::interrupt;
use ratatui::Terminal;
use ratatui::backend::{CrosstermBackend, TestBackend};
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{
    DisableMouseCapture, EnableMouseCapture, KeyboardEnhancementFlags, PopKeyboardEnhancementFlags,
    PushKeyboardEnhancementFlags,
};
use ratatui::crossterm::style::Print;
use ratatui::crossterm::terminal::{
    BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen,
    LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::crossterm::{cursor, execute, queue};
use std::io::{self, IsTerminal, Stdout, Write};
use std::mem::ManuallyDrop;
use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

/// `true` while the terminal is in the state of a screen.
static OPEN: AtomicBool = AtomicBool::new(false);
/// `true` if the terminal reports events of the mouse.
static MOUSE: AtomicBool = AtomicBool::new(false);
/// `true` if the terminal reports releases of keys.
static ENHANCED: AtomicBool = AtomicBool::new(false);

/// The question for the keyboard protocol. A terminal that has it answers with its flags.
#[cfg(unix)]
const ASK_FOR_RELEASES: &str = "\x1b[?u";

pub(crate) enum TerminalView {
    /// Never dropped: ratatui would show the cursor once more, and panic if the terminal is gone.
    Real(ManuallyDrop<Terminal<CrosstermBackend<Stdout>>>),
    /// A buffer, for recordings without a terminal.
    Hidden(Terminal<TestBackend>),
}

/// Returns whether the program has a terminal for keys and for drawing.
pub(crate) fn has_terminal() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

impl TerminalView {
    /// Opens the real terminal: no echo, another screen, no cursor.
    pub(crate) fn open() -> io::Result<Self> {
        restore_on_panic();
        interrupt::before_exit(restore);
        MOUSE.store(false, Ordering::SeqCst);
        ENHANCED.store(false, Ordering::SeqCst);
        let opened = enter().and_then(|terminal| {
            #[cfg(unix)]
            if asks_for_releases() {
                execute!(io::stdout(), Print(ASK_FOR_RELEASES))?;
            }
            Ok(Self::Real(ManuallyDrop::new(terminal)))
        });
        if opened.is_err() {
            restore();
        }
        opened
    }

    pub(crate) fn enable_mouse(&mut self) -> io::Result<()> {
        MOUSE.store(true, Ordering::SeqCst);
        self.report()
    }

    /// Reports releases of keys from now on. Only for a terminal that can.
    pub(crate) fn enable_releases(&mut self) -> io::Result<()> {
        // A console reports them without being asked; a terminal may answer twice.
        if cfg!(windows) || matches!(self, Self::Hidden(_)) || ENHANCED.swap(true, Ordering::SeqCst) {
            return Ok(());
        }
        execute!(io::stdout(), PushKeyboardEnhancementFlags(RELEASES))
    }

    /// Takes the terminal again, in any state that a shell has left it in.
    pub(crate) fn enter_again(&mut self) -> io::Result<()> {
        let Self::Real(terminal) = self else { return Ok(()) };
        // crossterm sets no mode that it believes to be set.
        disable_raw_mode()?;
        // A new one knows nothing of what the terminal shows, and draws all of it.
        *terminal = ManuallyDrop::new(enter()?);
        if ENHANCED.load(Ordering::SeqCst) {
            execute!(io::stdout(), PushKeyboardEnhancementFlags(RELEASES))?;
        }
        self.report()
    }

    /// Asks the terminal for events of the mouse, where they are wanted.
    fn report(&self) -> io::Result<()> {
        if matches!(self, Self::Real(_)) && MOUSE.load(Ordering::SeqCst) {
            execute!(io::stdout(), EnableMouseCapture)?;
        }
        Ok(())
    }

    pub(crate) fn hidden((width, height): (u16, u16)) -> Self {
        let Ok(terminal) = Terminal::new(TestBackend::new(width, height));
        Self::Hidden(terminal)
    }

    pub(crate) fn draw(&mut self, draw: impl FnOnce(&mut ratatui::Frame<'_>)) -> io::Result<&Buffer> {
        match self {
            Self::Real(terminal) => {
                // The terminal shows the frame in one piece.
                queue!(io::stdout(), BeginSynchronizedUpdate)?;
                let frame = terminal.draw(draw)?;
                execute!(io::stdout(), EndSynchronizedUpdate)?;
                Ok(frame.buffer)
            }
            Self::Hidden(terminal) => {
                let Ok(frame) = terminal.draw(draw);
                Ok(frame.buffer)
            }
        }
    }
}

impl Drop for TerminalView {
    fn drop(&mut self) {
        if matches!(self, Self::Real(_)) {
            restore();
        }
    }
}

/// The reports that the keyboard protocol is asked for.
const RELEASES: KeyboardEnhancementFlags =
    KeyboardEnhancementFlags::REPORT_EVENT_TYPES.union(KeyboardEnhancementFlags::DISAMBIGUATE_ESCAPE_CODES);

fn enter() -> io::Result<Terminal<CrosstermBackend<Stdout>>> {
    OPEN.store(true, Ordering::SeqCst);
    enable_raw_mode()?;
    execute!(io::stdout(), EnterAlternateScreen, Clear(ClearType::All), cursor::Hide)?;
    Terminal::new(CrosstermBackend::new(io::stdout()))
}

/// Returns whether to ask the terminal for its keyboard protocol. Plain ones might print the question.
#[cfg(unix)]
fn asks_for_releases() -> bool {
    let term = std::env::var("TERM").unwrap_or_default();
    !["", "dumb", "linux", "vt100", "vt220"].contains(&term.as_str())
}

pub(crate) fn is_open() -> bool {
    OPEN.load(Ordering::SeqCst)
}

/// Restores the terminal, if it is open. Another thread may be blocked in a write to it, so the modes come
/// first, and the lock of the standard output is not taken.
pub(crate) fn restore() {
    if !OPEN.swap(false, Ordering::SeqCst) {
        return;
    }
    // The terminal may be gone; then there is nothing to restore.
    let _ = disable_raw_mode();
    let Ok(mut out) = unlocked_output() else { return };
    if MOUSE.load(Ordering::SeqCst) {
        let _ = execute!(out, DisableMouseCapture);
    }
    if ENHANCED.load(Ordering::SeqCst) {
        let _ = execute!(out, PopKeyboardEnhancementFlags);
    }
    let _ = execute!(out, EndSynchronizedUpdate, LeaveAlternateScreen, cursor::Show);
}

/// Returns the standard output without its lock and its buffer.
#[cfg(unix)]
fn unlocked_output() -> io::Result<impl Write> {
    use std::os::fd::AsFd;
    io::stdout().as_fd().try_clone_to_owned().map(std::fs::File::from)
}

#[cfg(not(unix))]
fn unlocked_output() -> io::Result<impl Write> {
    Ok(io::stdout())
}

/// Restores the terminal before the message of a panic is printed, so that it can be read.
fn restore_on_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let print = panic::take_hook();
        panic::set_hook(Box::new(move |message| {
            restore();
            print(message);
        }));
    });
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use portable_pty::{CommandBuilder, PtySize, native_pty_system};
    use std::env;
    use std::io::Read;
    use std::thread;

    /// Set in the run of this test that panics.
    const PANICS: &str = "BITCADE_TEST_PANICS";

    /// Runs itself in a pseudo-terminal, where it opens a screen and panics.
    #[test]
    fn a_panic_restores_the_terminal() {
        if env::var_os(PANICS).is_some() {
            let mut view = TerminalView::open().expect("a terminal");
            view.enable_mouse().expect("a terminal");
            view.draw(|frame| frame.render_widget("picture", frame.area())).expect("a terminal");
            panic!("in the middle of a screen");
        }
        let pair = native_pty_system().openpty(PtySize::default()).expect("a pseudo-terminal");
        let modes = || format!("{:?}", pair.master.get_termios().expect("a terminal"));
        let before = modes();
        let mut command = CommandBuilder::new(env::current_exe().expect("this test"));
        let name = concat!(module_path!(), "::a_panic_restores_the_terminal");
        let name = name.split_once("::").expect("the crate first").1;
        command.args([name, "--exact", "--nocapture", "--test-threads=1"]);
        command.env(PANICS, "1");
        // A backtrace would scroll the message away.
        command.env("RUST_BACKTRACE", "0");
        // A terminal that is not asked for its kind.
        command.env("TERM", "vt220");
        let mut child = pair.slave.spawn_command(command).expect("this test runs");
        let mut output = pair.master.try_clone_reader().expect("a reader");
        let reader = thread::spawn(move || {
            let (mut all, mut bytes) = (Vec::new(), [0; 4096]);
            // Reading fails when the terminal is closed.
            while let Ok(length @ 1..) = output.read(&mut bytes) {
                all.extend_from_slice(&bytes[..length]);
            }
            all
        });
        assert!(!child.wait().expect("a child").success());
        assert_eq!(modes(), before);
        drop(pair);
        let all = reader.join().expect("it reads");
        let mut parser = vt100::Parser::default();
        let shown = all.windows(7).position(|window| window == b"picture").expect("a picture");
        parser.process(&all[..shown]);
        let is_open = |parser: &vt100::Parser| {
            let screen = parser.screen();
            let mouse = screen.mouse_protocol_mode() != vt100::MouseProtocolMode::None;
            (screen.alternate_screen(), screen.hide_cursor(), mouse)
        };
        assert_eq!(is_open(&parser), (true, true, true));
        parser.process(&all[shown..]);
        assert_eq!(is_open(&parser), (false, false, false));
        // The message stands on the restored screen.
        let text = parser.screen().contents();
        assert!(text.contains("in the middle of a screen") && !text.contains("picture"), "{text}");
    }
}
