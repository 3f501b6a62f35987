//! Job control: who owns the terminal, and how the program stops.

#[cfg(unix)]
pub(crate) use unix::{is_in_foreground, stdin, stop_group, stops_writers, wait_for_terminal};

#[cfg(not(unix))]
pub(crate) use others::{is_in_foreground, stdin, stop_group, stops_writers, wait_for_terminal};

#[cfg(unix)]
mod unix {
    use nix::errno::Errno;
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
    use nix::sys::signal::{Signal, kill};
    use nix::sys::termios::{LocalFlags, tcgetattr};
    use nix::unistd::{Pid, getpgid, getpgrp, getppid, getsid, tcgetpgrp};
    use signal_hook::consts::SIGSTOP;
    use signal_hook::low_level;
    use std::fs::File;
    use std::io::{self, Read};
    use std::os::fd::AsFd;
    use std::thread;
    use std::time::Duration;

    /// The interval between polls of the terminal: no event announces that it is free again.
    const LOOK: Duration = Duration::from_millis(50);

    /// Returns whether the program may use the terminal. In the background, the system would stop
    /// the program each time it sets the terminal's modes or reads from it. Always `true` on a
    /// terminal without job control.
    pub(crate) fn is_in_foreground() -> bool {
        tcgetpgrp(io::stdin()).map_or(true, |group| group == getpgrp())
    }

    /// Returns whether the terminal stops background programs that write to it.
    pub(crate) fn stops_writers() -> bool {
        tcgetattr(io::stdout()).is_ok_and(|modes| modes.local_flags.contains(LocalFlags::TOSTOP))
    }

    /// Stops the program until it gets the terminal. Returns `false` after a signal that ends it,
    /// and an error if no shell could continue it.
    pub(crate) fn wait_for_terminal(interrupted: &dyn Fn() -> bool) -> io::Result<bool> {
        loop {
            // Checks signals first: a stopped program ends when it is continued.
            if interrupted() {
                return Ok(false);
            }
            if is_in_foreground() {
                return Ok(true);
            }
            if is_orphaned() {
                return Err(io::Error::other(
                    "another program is using it, and no shell can give it back",
                ));
            }
            low_level::raise(SIGSTOP)?;
            // Lets the handler of the signal that comes with the continuation run first.
            thread::sleep(LOOK);
        }
    }

    /// Stops this program's process group, like Control-Z in a terminal. Does nothing in a group
    /// without a shell that could continue it.
    pub(crate) fn stop_group() {
        if !is_orphaned() {
            let _ = kill(Pid::from_raw(0), Signal::SIGTSTP);
        }
    }

    /// Returns standard input. A read waits until the program owns the terminal: in the background
    /// it would stop the program, even one that a signal is about to end.
    pub(crate) fn stdin() -> io::Result<impl Read + Send + 'static> {
        io::stdin().as_fd().try_clone_to_owned().map(|stdin| Input(stdin.into()))
    }

    struct Input(File);

    impl Read for Input {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            loop {
                match poll(&mut [PollFd::new(self.0.as_fd(), PollFlags::POLLIN)], PollTimeout::NONE)
                {
                    Err(Errno::EINTR) => continue,
                    Ok(_) if !is_in_foreground() => {
                        thread::sleep(LOOK);
                        continue;
                    }
                    _ => {}
                }
                match self.0.read(bytes) {
                    // Another reader was faster, and the input is non-blocking.
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                    read => return read,
                }
            }
        }
    }

    /// Returns whether this program's process group is orphaned: no member has a parent outside the
    /// group but in the same session, which could continue it.
    fn is_orphaned() -> bool {
        // Groups, sessions and parents of another PID namespace are 0.
        let (Ok(session), group, mut next) = (getsid(None), getpgrp(), getppid()) else {
            return false;
        };
        while next.as_raw() > 0 {
            if getsid(Some(next)) != Ok(session) {
                return true;
            }
            if getpgid(Some(next)) != Ok(group) {
                return false;
            }
            let Some(parent) = parent_of(next) else { return true };
            next = parent;
        }
        true
    }

    /// Known on Linux only.
    fn parent_of(process: Pid) -> Option<Pid> {
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        // The preceding name can contain blanks and parentheses.
        let parent = stat.rsplit_once(") ")?.1.split(' ').nth(1)?;
        parent.parse().ok().map(Pid::from_raw)
    }
}

#[cfg(not(unix))]
mod others {
    use std::io::{self, Read};

    pub(crate) fn is_in_foreground() -> bool {
        true
    }

    pub(crate) fn stdin() -> io::Result<impl Read + Send + 'static> {
        Ok(io::stdin())
    }

    pub(crate) fn stops_writers() -> bool {
        false
    }

    /// Returns immediately: a console has no jobs.
    pub(crate) fn wait_for_terminal(interrupted: &dyn Fn() -> bool) -> io::Result<bool> {
        Ok(!interrupted())
    }

    /// Does nothing: no signal stops a program here.
    pub(crate) fn stop_group() {}
}
