//! The [Tetris Bot Protocol](https://github.com/tetris-bot-protocol/tbp-spec) (TBP), in which a
//! frontend and a bot exchange JSON messages, one object per line.
//!
//! | you want to | use |
//! |---|---|
//! | read or write a frontend's messages | [`FrontendMessage`] |
//! | read or write a bot's messages | [`BotMessage`] |
//! | reply with this crate's bot | [`Session`] |
//!
//! The messages implement [`serde`]'s traits; the caller chooses the JSON library, reads the lines,
//! and keeps time. Reading is lenient where frontends differ: see [`Start`]. Protocol locations use
//! the same piece centers as [`tetris`].
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
//! session.think(1000);
//! let Some(BotMessage::Suggestion { moves, .. }) = session.suggestion() else { panic!("no suggestion") };
//! assert!(moves[0].location.y <= 1);
//! ```

mod lenient;
mod message;
mod session;

pub use message::{
    BotMessage, FrontendMessage, MoveInfo, PieceLocation, Randomizer, RandomizerKind, Start,
    TbpBoard, TbpMove, TbpOrientation, TbpPiece, TbpSpin,
};
pub use session::Session;
