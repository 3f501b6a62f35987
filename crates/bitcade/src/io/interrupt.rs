//! Signals that end a run early: the first one ends long work at its next safe point, and the
//! command saves its state and prints its results so far; a second one ends the program
//! immediately, with its terminal restored.
//!
//! Every command follows this table. The last three lines apply to screens.
//!
//! | signals | what happens |
//! |---|---|
//! | INT, TERM, HUP | end the run; a second one of the three ends the program |
//! | USR1, USR2, XCPU, ALRM, VTALRM, PROF, IO, and of Linux PWR and STKFLT | end the run |
//! | XFSZ | the oversized write fails |
//! | KILL, ILL, FPE, and the second BUS or SEGV | the system ends the program; files stay intact, a terminal stays raw |
//! | STOP, TTIN, TTOU, CONT | the system stops and continues the program; no clock counts the time in between |
//! | PIPE, CHLD, URG | nothing |
//! | TSTP | the terminal is restored, the program stops |
//! | QUIT, ABRT, TRAP, SYS | the terminal is restored, then the system ends the program |
//! | WINCH, CONT | the screen is drawn again |
//!
//! A signal that was ignored when the program was started stays ignored, such as HUP under `nohup`,
//! or INT and QUIT in the background of a script. Commands with nothing to save leave all signals
//! alone.

use crate::io::stopwatch::Stopwatch;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::ffi::c_int;
use std::io;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

/// The number of the last signal, 0 before the first. Unset until a command installs the handler.
static SIGNAL: OnceLock<Arc<AtomicUsize>> = OnceLock::new();

/// The interval between polls of the signal while a command waits.
pub(crate) const POLL: Duration = Duration::from_millis(50);

/// How long further signals have no effect after the first one: `timeout` and closed terminals send
/// two.
#[cfg(unix)]
const GRACE: Duration = Duration::from_millis(300);

/// How long a second signal waits for the [hook](before_exit) at most, in case the terminal is
/// blocked.
#[cfg(unix)]
const HOOK_TIME: Duration = Duration::from_millis(200);

static HOOK: OnceLock<fn()> = OnceLock::new();

/// Sets the function to call before a second signal ends the program: it restores the terminal.
pub(crate) fn before_exit(hook: fn()) {
    HOOK.get_or_init(|| hook);
}

/// From now on, records signals that end a run instead of letting them end the program. Returns a
/// function that checks whether one has arrived.
pub(crate) fn install_handler() -> impl Fn() -> bool + Copy {
    SIGNAL.get_or_init(|| {
        let last = Arc::new(AtomicUsize::new(0));
        // If a handler can't be installed, the signal ends the program as usual.
        let _ = register(&last);
        last
    });
    arrived
}

pub(crate) fn arrived() -> bool {
    last().is_some()
}

/// Makes writes beyond the system's file size limit fail. Otherwise SIGXFSZ would end the program
/// and leave the temporary file behind.
#[cfg(unix)]
pub(crate) fn survive_limits() {
    // The recorded flag is never read.
    drop(flag::register(signal_hook::consts::SIGXFSZ, Arc::new(AtomicBool::new(false))));
}

#[cfg(not(unix))]
pub(crate) fn survive_limits() {}

/// Installs the handlers, which store the signal's number in `last`.
fn register(last: &Arc<AtomicUsize>) -> io::Result<()> {
    let twice: Vec<c_int> = heard(TWICE).collect();
    let second_ends = Arc::new(AtomicBool::new(false));
    for &signal in &twice {
        // The handlers of a signal run in registration order.
        flag::register_conditional_shutdown(
            signal,
            status(signal).into(),
            Arc::clone(&second_ends),
        )?;
    }
    for signal in twice.iter().copied().chain(heard(ONCE)) {
        flag::register_usize(signal, Arc::clone(last), signal as usize)?;
    }
    if wait_for_second(&twice, &second_ends).is_err() {
        for signal in twice {
            flag::register(signal, Arc::clone(&second_ends))?;
        }
    }
    Ok(())
}

#[cfg(unix)]
pub(crate) fn signals() -> impl Iterator<Item = c_int> {
    heard(TWICE).chain(heard(ONCE))
}

/// Signals that end a run, and at the second time the program.
const TWICE: &[c_int] = &[
    SIGINT,
    SIGTERM,
    #[cfg(unix)]
    signal_hook::consts::SIGHUP,
];

/// Signals that end a run, but not the program: XCPU comes every second, and batch systems send
/// more than one.
#[cfg(unix)]
const ONCE: &[c_int] = {
    use signal_hook::consts::{SIGALRM, SIGIO, SIGPROF, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU};
    &[
        SIGUSR1,
        SIGUSR2,
        SIGXCPU,
        SIGALRM,
        SIGVTALRM,
        SIGPROF,
        SIGIO,
        #[cfg(target_os = "linux")]
        {
            nix::sys::signal::Signal::SIGPWR as c_int
        },
        #[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
        {
            nix::sys::signal::Signal::SIGSTKFLT as c_int
        },
    ]
};

#[cfg(not(unix))]
const ONCE: &[c_int] = &[];

/// Returns the signals that the program was not started with ignored.
pub(crate) fn heard(signals: &'static [c_int]) -> impl Iterator<Item = c_int> {
    signals.iter().copied().filter(|&signal| !ignores(signal))
}

#[cfg(not(unix))]
fn ignores(_: c_int) -> bool {
    false
}

/// Known on Linux only.
#[cfg(unix)]
fn ignores(signal: c_int) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// Ends the program at the second signal, starting [`GRACE`] after the first one. Sets `ends`
/// before that, so a third signal needs no thread.
#[cfg(unix)]
fn wait_for_second(signals: &[c_int], ends: &Arc<AtomicBool>) -> io::Result<()> {
    use crate::io::stopwatch::{TICK, tick};
    use std::time::Instant;

    let mut signals = signal_hook::iterator::Signals::new(signals)?;
    let ends = Arc::clone(ends);
    thread::Builder::new().name("second signal".to_owned()).spawn(move || {
        let mut first = None;
        // A separate thread for the clock would take another 64 MB of address space.
        let looks = std::iter::repeat_with(|| {
            thread::sleep(TICK);
            tick();
            signals.pending()
        });
        for signal in looks.flatten() {
            if first.get_or_insert_with(Instant::now).elapsed() < GRACE {
                continue;
            }
            ends.store(true, Ordering::Relaxed);
            if let Some(hook) = HOOK.get() {
                let (sender, done) = std::sync::mpsc::channel();
                let hook = thread::Builder::new().spawn(move || {
                    hook();
                    sender.send(())
                });
                if hook.is_ok() {
                    let _ = done.recv_timeout(HOOK_TIME);
                }
            }
            signal_hook::low_level::exit(status(signal).into());
        }
    })?;
    Ok(())
}

#[cfg(not(unix))]
fn wait_for_second(_: &[c_int], _: &Arc<AtomicBool>) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Returns the exit status of a run ended by a signal: 130 for SIGINT, and SIGTERM's 143 for all
/// others.
fn status(signal: c_int) -> u8 {
    if signal == SIGINT { 130 } else { 143 }
}

fn last() -> Option<c_int> {
    let signal = SIGNAL.get()?.load(Ordering::Relaxed) as c_int;
    (signal != 0).then_some(signal)
}

/// Records SIGINT as if it had arrived, for a terminal that sends Control-C as a key.
pub(crate) fn raise() {
    let _ = install_handler();
    if let Some(last) = SIGNAL.get() {
        last.store(SIGINT as usize, Ordering::Relaxed);
    }
}

pub(crate) fn exit_code() -> Option<ExitCode> {
    last().map(|signal| status(signal).into())
}

pub(crate) fn sleep(time: Duration, interrupted: &dyn Fn() -> bool) {
    let start = Stopwatch::start();
    while !interrupted() {
        let left = time.saturating_sub(start.elapsed());
        if left.is_zero() {
            break;
        }
        thread::sleep(left.min(POLL));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_ends_when_it_is_interrupted() {
        sleep(Duration::MAX, &|| true);
        sleep(Duration::ZERO, &|| false);
    }
}
