//! A terminal with the program in it.

use crate::common::{PROGRAM, words};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, SlavePty, native_pty_system};
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use vt100::{MouseProtocolMode, Parser, Screen};

/// How long the program may take to show the expected text. A loaded machine needs some of it.
pub(crate) const LIMIT: Duration = Duration::from_secs(20);

pub(crate) type Shared<T> = Arc<Mutex<T>>;

pub(super) fn lock<T: ?Sized>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A terminal with the program in it.
pub(crate) struct Session {
    pub(crate) master: Box<dyn MasterPty + Send>,
    /// Kept open to make the terminal outlive the program.
    pub(crate) slave: Box<dyn SlavePty + Send>,
    pub(crate) child: Box<dyn Child + Send + Sync>,
    pub(crate) writer: Shared<Box<dyn Write + Send>>,
    pub(crate) parser: Shared<Parser>,
    pub(crate) output: Shared<Vec<u8>>,
    /// Set to end the reader after its next bytes.
    pub(crate) stop: Arc<AtomicBool>,
    pub(crate) reader: JoinHandle<()>,
    /// The program's working folder, with the user's data.
    pub(crate) folder: TempDir,
    /// The terminal's modes before the program started, as text: echo, lines, signals.
    pub(crate) modes: String,
}

/// Starts the program in an 80x24 terminal, in a new folder.
pub(crate) fn start(arguments: &str) -> Session {
    start_in(tempfile::tempdir().expect("a folder"), arguments, true)
}

/// Starts the program in an 80x24 terminal and a given folder. Without `controls` the terminal
/// itself never acts on Control-C, Control-Z or Control-S, even after the program has restored it.
pub(crate) fn start_in(folder: TempDir, arguments: &str, controls: bool) -> Session {
    let mut command = CommandBuilder::new(PROGRAM);
    command.args(words(arguments));
    start_command(folder, command, controls)
}

/// Starts another program in the same way, such as a shell.
pub(crate) fn start_command(
    folder: TempDir,
    mut command: CommandBuilder,
    controls: bool,
) -> Session {
    let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
    let pair = native_pty_system().openpty(size).expect("a pseudo-terminal");
    let master = pair.master;
    let slave = pair.slave;
    if !controls {
        let name = master.tty_name().expect("a name");
        let option = if cfg!(target_os = "linux") { "-F" } else { "-f" };
        let stty = Command::new("stty").arg(option).arg(name).args(["-isig", "-ixon"]).status();
        assert!(stty.expect("stty runs").success());
    }
    let modes = modes(&*master);
    command.cwd(folder.path());
    command.env("XDG_DATA_HOME", folder.path());
    command.env("XDG_CONFIG_HOME", folder.path());
    if command.get_env("TERM").is_none_or(|term| term != "dumb") {
        command.env("TERM", "xterm-256color");
    }
    command.env("LC_ALL", "C.UTF-8");
    command.env_remove("NO_COLOR");
    let child = slave.spawn_command(command).expect("the program starts");
    let writer = Arc::new(Mutex::new(master.take_writer().expect("a writer")));
    let rows = cells(24);
    let columns = cells(80);
    let parser = Arc::new(Mutex::new(Parser::new(rows, columns, 0)));
    let stop = Arc::new(AtomicBool::new(false));
    let output = Shared::<Vec<u8>>::default();
    let mut read = master.try_clone_reader().expect("a reader");
    let reader = thread::spawn({
        let output = Arc::clone(&output);
        let parser = Arc::clone(&parser);
        let stop = Arc::clone(&stop);
        move || {
            let mut bytes = [0; 4096];
            while let Ok(length @ 1..) = read.read(&mut bytes) {
                let bytes = &bytes[..length];
                lock(&parser).process(bytes);
                lock(&output).extend_from_slice(bytes);
                if stop.load(Ordering::SeqCst) {
                    break;
                }
            }
        }
    });
    Session { master, slave, child, writer, parser, output, stop, reader, folder, modes }
}

pub(crate) fn cells(number: u16) -> NonZeroU16 {
    NonZeroU16::new(number).expect("not 0")
}

pub(crate) fn modes(master: &dyn MasterPty) -> String {
    format!("{:?}", master.get_termios().expect("a terminal"))
}

#[track_caller]
pub(crate) fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < LIMIT, "not {what} in {LIMIT:?}");
        thread::sleep(Duration::from_millis(2));
    }
}

impl Session {
    pub(crate) fn wait_for(&self, expected: &str, holds: impl Fn(&Screen) -> bool) -> String {
        let begun = Instant::now();
        while !holds(lock(&self.parser).screen()) {
            assert!(begun.elapsed() < LIMIT, "no {expected} in {LIMIT:?}:\n{}", self.text());
            thread::sleep(Duration::from_millis(5));
        }
        self.text()
    }

    pub(crate) fn shows(&self, text: &str) -> String {
        self.wait_for(text, |screen| screen.contents().contains(text))
    }

    /// Waits until the program has opened its screen.
    pub(crate) fn is_open(&self) {
        self.wait_for("screen of its own", |screen| {
            screen.alternate_screen() && screen.hide_cursor()
        });
        assert_ne!(modes(&*self.master), self.modes, "no echo while the game runs");
    }

    pub(crate) fn press(&self, keys: &str) {
        self.send_bytes(keys.as_bytes());
    }

    pub(crate) fn play(&self, steps: &[(&str, &str)]) {
        for (keys, shown) in steps {
            self.press(keys);
            self.shows(shown);
        }
    }

    pub(crate) fn send_bytes(&self, bytes: &[u8]) {
        lock(&self.writer).write_all(bytes).expect("the terminal takes bytes");
    }

    pub(crate) fn written(&self) -> usize {
        lock(&self.output).len()
    }

    pub(crate) fn count_written(&self, bytes: &[u8]) -> usize {
        count(&lock(&self.output), bytes)
    }

    pub(crate) fn text(&self) -> String {
        lock(&self.parser).screen().contents()
    }

    pub(crate) fn has_ended(&mut self) -> bool {
        self.child.try_wait().expect("a child").is_some()
    }

    pub(crate) fn is_restored(&self) -> bool {
        is_plain(lock(&self.parser).screen()) && modes(&*self.master) == self.modes
    }

    pub(crate) fn resize(&self, columns: u16, rows: u16) {
        lock(&self.parser).screen_mut().set_size(cells(rows), cells(columns));
        let size = PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 };
        self.master.resize(size).expect("the terminal is open");
    }

    /// Sends a signal to the program, given as `TERM`.
    pub(crate) fn send(&self, signal: &str) {
        let process = self.child.process_id().expect("the program runs").to_string();
        let kill = Command::new("kill").args([&format!("-{signal}"), &process]).status();
        assert!(kill.expect("kill runs").success());
    }

    pub(crate) fn stop(&self, signal: &str) {
        self.send(signal);
        let process = self.child.process_id().expect("the program runs");
        until("stopped", || {
            let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
            stat.rsplit_once(") ").is_some_and(|(_, state)| state.starts_with('T'))
        });
    }

    /// Waits for the end, and checks the status and that the terminal is restored. Returns its
    /// text.
    pub(crate) fn ends(mut self, status: u32) -> (String, TempDir) {
        assert_eq!(wait(&mut *self.child), status, "{}", self.text());
        assert_eq!(modes(&*self.master), self.modes, "the modes of the terminal");
        // The reader ends with the terminal, after everything that the program has written.
        drop((self.slave, self.master));
        self.reader.join().expect("it reads");
        let parser = lock(&self.parser);
        let text = parser.screen().contents();
        assert!(is_plain(parser.screen()), "not restored: {text}");
        drop(parser);
        (text, self.folder)
    }
}

fn is_plain(screen: &Screen) -> bool {
    let has_mouse = screen.mouse_protocol_mode() != MouseProtocolMode::None;
    !screen.alternate_screen() && !screen.hide_cursor() && !has_mouse
}

pub(super) fn count(all: &[u8], bytes: &[u8]) -> usize {
    all.windows(bytes.len()).filter(|window| *window == bytes).count()
}

pub(crate) fn wait(child: &mut dyn Child) -> u32 {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a child") {
            return status.exit_code();
        }
        if begun.elapsed() > LIMIT {
            let _ = child.kill();
            panic!("the program runs after {LIMIT:?}");
        }
        thread::sleep(Duration::from_millis(2));
    }
}
