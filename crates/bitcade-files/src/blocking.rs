//! [`Blocking`]: streams whose descriptor may be non-blocking.

use std::io::{self, Read, Write};

/// A stream that waits until it can be read or written, even if its descriptor is non-blocking.
///
/// Programs that share a terminal or a pipe share its flags, too: after one of them has set
/// `O_NONBLOCK`, a full pipe fails in all of them with [`WouldBlock`](io::ErrorKind::WouldBlock).
/// Clearing the flag would disturb the program that set it, so this stream waits for the descriptor
/// and tries again.
///
/// ```
/// use bitcade_files::Blocking;
/// use std::io::Write;
/// writeln!(Blocking(std::io::stdout()), "results")?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Blocking<T>(
    /// The stream.
    pub T,
);

#[cfg(unix)]
mod unix {
    use super::{Blocking, Read, Write, io};
    use nix::errno::Errno;
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
    use std::os::fd::AsFd;
    use std::thread;
    use std::time::Duration;

    impl<T: AsFd> Blocking<T> {
        fn wait_for<R>(
            &mut self,
            ready: PollFlags,
            mut act: impl FnMut(&mut T) -> io::Result<R>,
        ) -> io::Result<R> {
            let mut pause = Duration::ZERO;
            loop {
                match act(&mut self.0) {
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                    done => return done,
                }
                // A terminal with space for one byte is ready, but takes no line feed, which is
                // two.
                thread::sleep(pause);
                pause = Duration::from_millis(1);
                match poll(&mut [PollFd::new(self.0.as_fd(), ready)], PollTimeout::NONE) {
                    Ok(_) | Err(Errno::EINTR) => {}
                    Err(error) => return Err(error.into()),
                }
            }
        }
    }

    impl<T: Read + AsFd> Read for Blocking<T> {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            self.wait_for(PollFlags::POLLIN, |stream| stream.read(bytes))
        }
    }

    impl<T: Write + AsFd> Write for Blocking<T> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.wait_for(PollFlags::POLLOUT, |stream| stream.write(bytes))
        }

        fn flush(&mut self) -> io::Result<()> {
            self.wait_for(PollFlags::POLLOUT, Write::flush)
        }
    }
}

#[cfg(not(unix))]
mod others {
    use super::{Blocking, Read, Write, io};

    impl<T: Read> Read for Blocking<T> {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            self.0.read(bytes)
        }
    }

    impl<T: Write> Write for Blocking<T> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            self.0.flush()
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::net::UnixStream;
    use std::thread;
    use std::time::Duration;

    #[test]
    fn a_non_blocking_stream_is_waited_for() {
        let (near, far) = UnixStream::pair().expect("two sockets");
        near.set_nonblocking(true).expect("a socket");
        // More than fits into a socket, in both directions.
        let bytes: Vec<u8> = (0..3_000_000_u32).map(|i| i as u8).collect();
        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(30));
                let mut received = vec![0; bytes.len()];
                (&far).read_exact(&mut received).expect("all bytes");
                assert!(received == bytes);
                thread::sleep(Duration::from_millis(30));
                (&far).write_all(b"late").expect("a reader");
            });
            Blocking(&near).write_all(&bytes).expect("a reader");
            let mut late = [0; 4];
            Blocking(&near).read_exact(&mut late).expect("four bytes");
            assert_eq!(&late, b"late");
        });
        drop(far);
        let gone = Blocking(&near).write_all(&bytes).expect_err("nobody reads");
        assert_eq!(gone.kind(), io::ErrorKind::BrokenPipe);
    }
}
