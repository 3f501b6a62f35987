//! Go, by lines of the Go Text Protocol.

use crate::border::{Failure, Object, add, bytes, with, write};
use go_mc::gtp::{Budget, Host, Options, Session};
use go_mc::search::Settings;
use go_mc::sgf::Reading;
use std::time::Duration;

/// The most nodes of a tree: two gigabytes.
const MAX_NODES: u32 = 1 << 26;

impl Object for Session {
    const NAME: &str = "a Go session";
}

/// The host of a call: no clock, no files, and `bitcade_stop` as the interrupt.
struct CallHost<'a>(&'a (dyn Fn() -> bool + Sync));

impl Host for CallHost<'_> {
    fn now(&self) -> Duration {
        Duration::ZERO
    }

    fn interrupted(&self) -> bool {
        (self.0)()
    }

    /// Returns `true`, so an analysis is one report.
    fn input_pending(&self) -> bool {
        true
    }

    fn read_file(&self, _: &str) -> Result<Vec<u8>, String> {
        Err(no_files())
    }

    fn read_record(&self, _: &str, _: Option<usize>) -> Result<Reading, String> {
        Err(no_files())
    }
}

fn no_files() -> String {
    "files are not available".to_owned()
}

exports! {
    /// Starts a session.
    fn bitcade_gtp_new(playouts: u64, threads: u32, max_nodes: u32, seed: u64) -> i64 {
        if playouts == 0 {
            return Err(Failure::new("0 playouts: expected 1 or more"));
        }
        if max_nodes > MAX_NODES {
            return Err(Failure::new(format!("{max_nodes} nodes: expected at most {MAX_NODES}")));
        }
        let mut search = Settings { threads: threads as usize, seed, ..Settings::default() };
        if max_nodes > 0 {
            search.max_nodes = max_nodes as usize;
        }
        let budget = Budget::Playouts(playouts);
        add(Session::new(Options { budget, search, ..Options::default() })?)
    }

    /// Answers a line.
    fn bitcade_gtp_line(session: i64, length: i64) -> i64 {
        let line = bytes(length)?;
        with(session, |session: &mut Session, stop| {
            let host = CallHost(stop);
            let Some(mut response) = session.respond(line.trim_ascii_end(), &host) else {
                return write(b"");
            };
            let mut text = response.text;
            while response.more {
                response = session.continue_response(&host);
                text += &response.text;
            }
            write(text.as_bytes())
        })
    }
}

#[cfg(feature = "digests")]
exports! {
    /// Writes the crate's digest.
    fn bitcade_go_digest() -> i64 {
        write(format!("{:016x}", go_mc::digest()).as_bytes())
    }
}
