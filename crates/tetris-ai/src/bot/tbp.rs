//! The [Tetris Bot Protocol](https://github.com/tetris-bot-protocol/tbp-spec) (TBP), by which a frontend and
//! a bot exchange messages, one JSON object per line.
//!
//! | you want to | use |
//! |---|---|
//! | read what a frontend sends, or write it | [`FrontendMessage`] |
//! | write what a bot sends, or read it | [`BotMessage`] |
//! | let this crate's bot answer | [`Session`] |
//!
//! The messages implement [`serde`]'s traits; the caller chooses the JSON library and reads the lines and the
//! clock. They are read leniently where frontends differ: see [`Start`]. The protocol's locations have the
//! same centers as those of [`tetris`].
//!
//! ```
//! use tetris_ai::bot::tbp::{BotMessage, FrontendMessage, Session};
//! let mut session = Session::default();
//! let mut say = |line: &str| session.receive(serde_json::from_str::<FrontendMessage>(line).unwrap());
//! assert_eq!(say(r#"{"type":"rules"}"#), Some(BotMessage::Ready));
//! let row = format!("[{}]", ["null"; 10].join(","));
//! let board = format!("[{}]", vec![row; 40].join(","));
//! let start = format!(
//!     r#"{{"type":"start","hold":null,"queue":["O","I"],"combo":0,"back_to_back":false,"board":{board}}}"#
//! );
//! assert_eq!(say(&start), None);
//! session.think(1000, &|| false);
//! let Some(BotMessage::Suggestion { moves, .. }) = session.suggestion() else { panic!("no suggestion") };
//! assert!(moves[0].location.y <= 1);
//! ```

mod lenient;
mod message;
mod session;

pub use message::{
    BotMessage, FrontendMessage, MoveInfo, PieceLocation, Randomizer, RandomizerKind, Start, TbpBoard,
    TbpMove, TbpOrientation, TbpPiece, TbpSpin,
};
pub use session::Session;
