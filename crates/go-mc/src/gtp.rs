//! The Go Text Protocol, version 2: an engine for the programs that speak it.
//!
//! [`Session`] holds the game and answers line by line. It knows no terminal, file or clock: all that comes from a
//! [`Host`]. A bad line gets an answer that begins with `?` and changes nothing.
//!
//! An answer may go on, as that to `lz-analyze` does until the next line comes: [`Session::continue_response`] gives its next part.
//!
//! Source: Farnebäck, "Specification of the Go Text Protocol, version 2, draft 2"; the commands of the Kiseido Go Server
//! (`kgs-..`) as its client documents them; the analysis (`lz-..`, `kata-..`) as `KataGo` documents it, "GTP Extensions".
//!
//! ```
//! use go_mc::gtp::{NullHost, Budget, Options, Session};
//! let options = Options { budget: Budget::Playouts(5000), ..Options::default() };
//! let mut session = Session::new(options)?;
//! let mut ask = |line: &str| session.respond(line.as_bytes(), &NullHost).map(|answer| answer.text);
//! assert_eq!(ask("1 boardsize 5").unwrap(), "=1\n\n");
//! assert_eq!(ask("genmove b").unwrap(), "= C3\n\n");
//! assert_eq!(ask("play w c3").unwrap(), "? illegal move\n\n");
//! assert_eq!(ask("# a remark"), None);
//! # Ok::<(), go_mc::UnsupportedSize>(())
//! ```

mod analysis;
mod analyze;
mod clock;
mod command;
mod error;
mod handicap;
mod host;
mod running;
mod session;

pub use host::{Host, NullHost};
pub use session::{Budget, Options, Response, Session};
