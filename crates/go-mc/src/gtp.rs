//! An engine that speaks the Go Text Protocol (GTP), version 2.
//!
//! A [`Session`] keeps the game and responds to commands line by line. The terminal, files and
//! clock come from a [`Host`]. A failing command gets a response starting with `?` and changes
//! nothing.
//!
//! The steps of a command:
//!
//! ```text
//! b"2 play b D4 # comment"
//!   Command::parse   drops the comment and control characters: id "2", name "play", arguments ["b", "D4"]
//!   handler          finds the method of Session in COMMANDS
//!   Session::play    Ok(text) or Err(CommandError)
//!   Command::response "=2 text\n\n" or "?2 message\n\n"
//! ```
//!
//! An analysis command (`lz-analyze`) responds in parts: [`Session::respond`] returns the first
//! part with [`Response::more`], and [`Session::continue_response`] the following parts, until
//! another line is pending.
//!
//! Every command has a maximum number of arguments, and extra arguments are an error, since an
//! ignored argument can't have had its effect.
//!
//! With [`Budget::Time`] and without time settings, each move takes the budget. The forms of
//! `time_settings M B S`:
//!
//! ```text
//! M 0 S    M seconds for the game (absolute time)
//! M B S    M seconds, then B seconds for every S moves (Canadian byo-yomi)
//! M B 0    no limit: each move takes the budget
//! 0 0 S    also no limit, because no game could be played with zero time
//! ```
//!
//! A player's clock runs from the arrival of the line that requests a move to the answer, and some
//! time is kept in reserve. `time_left` is optional; when sent, it replaces the engine's own count.
//!
//! When the engine passes, and when a pass of its own may end the game, is told in
//! [`search`](crate::search#passing).
//!
//! Sources: Gunnar Farnebäck, "Specification of the Go Text Protocol, version 2, draft 2"; for the
//! `kgs-..` commands the documentation of kgsGtp, the client of the KGS Go Server; for the `lz-..`
//! and `kata-..` commands `KataGo`'s "GTP Extensions".
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
//! # Ok::<(), go_mc::Error>(())
//! ```

mod analysis;
mod analyze;
mod clock;
mod command;
mod error;
mod host;
mod running;
mod session;

pub use host::{Host, NullHost};
pub use session::{Budget, Options, Response, Session};
