//! [`TerminalView`]: the terminal in which a screen is shown, restored when it ends in any way.
//!
//! A thread writes the frames, so that a terminal that takes no bytes stops no program.

use crate::color::moves_cursor;
use crate::painter::Painter;
use crate::{interrupt, job, output};
use ratatui::backend::{Backend, CrosstermBackend, TestBackend};
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{
    DisableMouseCapture, EnableMouseCapture, KeyboardEnhancementFlags, PopKeyboardEnhancementFlags,
    PushKeyboardEnhancementFlags,
};
use ratatui::crossterm::terminal::{
    BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen,
    LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::crossterm::{cursor, queue};
use ratatui::layout::{Rect, Size};
use ratatui::{Terminal, TerminalOptions, Viewport};
use std::cell::RefCell;
use std::io::{self, IsTerminal, Write};
use std::mem::{self, ManuallyDrop};
use std::panic;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

/// `true` while the terminal is in the state of a screen.
static OPEN: AtomicBool = AtomicBool::new(false);
/// `true` if the terminal reports events of the mouse.
static MOUSE: AtomicBool = AtomicBool::new(false);
/// `true` if the terminal reports releases of keys.
static ENHANCED: AtomicBool = AtomicBool::new(false);

/// The questions for the keyboard protocol, which a terminal that has it answers with its flags, and for the color of
/// the ground.
#[cfg(unix)]
const QUESTIONS: &str = "\x1b[?u\x1b]11;?\x07";

/// Set before a screen takes the terminal, so that its end can wait for the last frame.
static PAINTER: Painter = Painter::new();

/// The bytes of a frame, as ratatui makes them; clones share them.
#[derive(Clone, Default)]
pub(crate) struct FrameBytes(Rc<RefCell<Vec<u8>>>);

impl FrameBytes {
    pub(crate) fn take(&self) -> Vec<u8> {
        mem::take(&mut self.0.borrow_mut())
    }
}

impl Write for FrameBytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub(crate) enum TerminalView {
    /// Never dropped: ratatui would show the cursor once more, and panic if the terminal is gone.
    Real(ManuallyDrop<Terminal<CrosstermBackend<FrameBytes>>>, FrameBytes),
    /// A buffer, for recordings without a terminal.
    Hidden(Terminal<TestBackend>),
}

/// Returns whether the program has a terminal for keys and for drawing.
pub(crate) fn has_terminal() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal() && moves_cursor()
}

impl TerminalView {
    /// Opens the real terminal: no echo, another screen, no cursor. A program in the background stops until it
    /// has the terminal, or returns `None` after a signal.
    pub(crate) fn open(interrupted: &dyn Fn() -> bool) -> io::Result<Option<Self>> {
        if !job::wait_for_terminal(interrupted)? {
            return Ok(None);
        }
        restore_on_panic();
        interrupt::before_exit(restore_for_good);
        MOUSE.store(false, Ordering::SeqCst);
        ENHANCED.store(false, Ordering::SeqCst);
        let bytes = FrameBytes::default();
        let opened = enter(&bytes).and_then(|terminal| {
            #[cfg(unix)]
            if asks() {
                send(|out| write!(out, "{QUESTIONS}"))?;
            }
            Ok(Some(Self::Real(ManuallyDrop::new(terminal), bytes)))
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
        send(|out| queue!(out, PushKeyboardEnhancementFlags(KEYBOARD)))
    }

    /// Takes the terminal again, in any state that a shell has left it in. Returns `false` after a signal.
    pub(crate) fn enter_again(&mut self, interrupted: &dyn Fn() -> bool) -> io::Result<bool> {
        let Self::Real(terminal, bytes) = self else { return Ok(true) };
        if !job::wait_for_terminal(interrupted)? {
            return Ok(false);
        }
        let was_restored = !OPEN.load(Ordering::SeqCst);
        // crossterm sets no mode that it believes to be set.
        disable_raw_mode()?;
        // A new one knows nothing of what the terminal shows, and draws all of it.
        *terminal = ManuallyDrop::new(enter(bytes)?);
        if ENHANCED.load(Ordering::SeqCst) {
            // What was pushed and not popped is set anew: each screen pushes once.
            send(|out| {
                if was_restored {
                    queue!(out, PushKeyboardEnhancementFlags(KEYBOARD))
                } else {
                    write!(out, "\x1b[={};1u", KEYBOARD.bits())
                }
            })?;
        }
        self.report()?;
        Ok(true)
    }

    /// Returns for how long the terminal has taken no bytes.
    pub(crate) fn blocked(&self) -> Duration {
        match self {
            Self::Real(..) => PAINTER.blocked(),
            Self::Hidden(_) => Duration::ZERO,
        }
    }

    /// Returns whether a frame can be drawn now: the last one is written, and the terminal is not another's.
    pub(crate) fn is_ready(&self) -> bool {
        matches!(self, Self::Hidden(_)) || PAINTER.is_idle() && job::is_in_foreground()
    }

    /// Asks the terminal for events of the mouse, where they are wanted.
    fn report(&self) -> io::Result<()> {
        if matches!(self, Self::Real(..)) && MOUSE.load(Ordering::SeqCst) {
            send(|out| queue!(out, EnableMouseCapture))?;
        }
        Ok(())
    }

    pub(crate) fn hidden((width, height): (u16, u16)) -> Self {
        let Ok(terminal) = Terminal::new(TestBackend::new(width, height));
        Self::Hidden(terminal)
    }

    pub(crate) fn draw(&mut self, draw: impl FnOnce(&mut ratatui::Frame<'_>)) -> io::Result<&Buffer> {
        match self {
            Self::Real(terminal, bytes) => {
                // The terminal shows the frame in one piece.
                queue!(bytes, BeginSynchronizedUpdate)?;
                let area = area(terminal.size()?);
                if terminal.get_frame().area() != area {
                    terminal.resize(area)?;
                }
                let frame = terminal.draw(draw)?;
                queue!(bytes, EndSynchronizedUpdate)?;
                PAINTER.paint(bytes.take())?;
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
        if matches!(self, Self::Real(..)) {
            restore();
        }
    }
}

/// The reports that the keyboard protocol is asked for: releases, and all keys as they are on the keyboard, so
/// that `q` is found on a layout of other letters.
const KEYBOARD: KeyboardEnhancementFlags = KeyboardEnhancementFlags::REPORT_EVENT_TYPES
    .union(KeyboardEnhancementFlags::DISAMBIGUATE_ESCAPE_CODES)
    .union(KeyboardEnhancementFlags::REPORT_ALTERNATE_KEYS)
    .union(KeyboardEnhancementFlags::REPORT_ALL_KEYS_AS_ESCAPE_CODES);

fn enter(bytes: &FrameBytes) -> io::Result<Terminal<CrosstermBackend<FrameBytes>>> {
    let left = LEFT.lock().unwrap_or_else(PoisonError::into_inner);
    if *left {
        loop {
            thread::park();
        }
    }
    OPEN.store(true, Ordering::SeqCst);
    enable_raw_mode()?;
    PAINTER.start(unlocked_output()?);
    send(|out| queue!(out, EnterAlternateScreen, Clear(ClearType::All), cursor::Hide))?;
    let backend = CrosstermBackend::new(bytes.clone());
    let viewport = Viewport::Fixed(area(backend.size()?));
    Terminal::with_options(backend, TerminalOptions { viewport })
}

/// The largest frame, in columns and rows: a terminal may say that it has 65535x65535 cells.
const LARGEST: (u16, u16) = (700, 300);

fn area(size: Size) -> Rect {
    Rect::new(0, 0, size.width.min(LARGEST.0), size.height.min(LARGEST.1))
}

/// Sends bytes to the terminal, behind those of the last frame.
fn send(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> io::Result<()> {
    let mut bytes = Vec::new();
    write(&mut bytes)?;
    PAINTER.paint(bytes)
}

/// Returns whether to ask the terminal. Plain ones might print the questions.
#[cfg(unix)]
fn asks() -> bool {
    let term = std::env::var("TERM").unwrap_or_default();
    !["", "dumb", "linux", "vt100", "vt220"].contains(&term.as_str())
}

#[cfg(unix)]
pub(crate) fn is_open() -> bool {
    OPEN.load(Ordering::SeqCst)
}

/// The longest time for the last bytes of a screen: a terminal may take none.
const LAST_BYTES: Duration = Duration::from_millis(200);

/// Held by who sets the modes of the terminal; `true` once the program is about to end, and no thread may change it.
static LEFT: Mutex<bool> = Mutex::new(false);

/// Returns the right to set modes. A thread that panics may have it already.
fn modes() -> Option<MutexGuard<'static, bool>> {
    let begun = Instant::now();
    loop {
        match LEFT.try_lock() {
            Ok(left) => return Some(left),
            Err(TryLockError::Poisoned(left)) => return Some(left.into_inner()),
            Err(TryLockError::WouldBlock) if begun.elapsed() > LAST_BYTES => return None,
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(1)),
        }
    }
}

/// Restores the terminal before a signal ends the program: other threads may be about to draw, or to take the terminal
/// again.
pub(crate) fn restore_for_good() {
    restore_as(Restored::ForGood);
}

/// Restores the terminal, if it is open. The modes come last: with them it takes a Control-S that the user has typed for
/// itself, and no more bytes. If it takes none already, they come first. A terminal that is another program's keeps its modes: setting them would stop this one.
pub(crate) fn restore() {
    restore_as(Restored::ForNow);
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Restored {
    ForNow,
    /// No thread may take the terminal again.
    ForGood,
}

fn restore_as(restored: Restored) {
    let mut left = modes();
    if restored == Restored::ForGood
        && let Some(left) = &mut left
    {
        **left = true;
    }
    if !OPEN.swap(false, Ordering::SeqCst) {
        return;
    }
    let is_ours = job::is_in_foreground();
    if !is_ours && job::stops_writers() {
        return;
    }
    let set_modes = || {
        // The terminal may be gone; then there is nothing to restore.
        if is_ours {
            let _ = disable_raw_mode();
        }
    };
    if PAINTER.blocked() > Duration::from_millis(50) {
        set_modes();
    }
    let mut bytes = Vec::new();
    let _ = queue!(bytes, EndSynchronizedUpdate);
    if MOUSE.load(Ordering::SeqCst) {
        let _ = queue!(bytes, DisableMouseCapture);
    }
    if ENHANCED.load(Ordering::SeqCst) {
        let _ = queue!(bytes, PopKeyboardEnhancementFlags);
    }
    let _ = queue!(bytes, LeaveAlternateScreen, cursor::Show);
    let _ = match restored {
        Restored::ForNow => PAINTER.paint(bytes),
        Restored::ForGood => PAINTER.close(bytes),
    };
    if !PAINTER.wait(LAST_BYTES) {
        output::be_silent();
    }
    set_modes();
}

/// Returns the standard output without its lock and its buffer.
#[cfg(unix)]
fn unlocked_output() -> io::Result<impl Write + Send + 'static> {
    use std::os::fd::AsFd;
    io::stdout().as_fd().try_clone_to_owned().map(std::fs::File::from)
}

#[cfg(not(unix))]
fn unlocked_output() -> io::Result<impl Write + Send + 'static> {
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
            let view = TerminalView::open(&|| false).expect("a terminal");
            let mut view = view.expect("no signal");
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
