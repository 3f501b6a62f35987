//! The [Tetris Bot Protocol](https://github.com/tetris-bot-protocol/tbp-spec): how a frontend and a bot talk, one JSON
//! object a line.
//!
//! The types are the messages, for [`serde`]; which library reads and writes the lines is the caller's choice. A
//! [`Session`] is our bot's side of a conversation, without lines or clocks. Locations are those of [`tetris`]: the
//! protocol's centers of I and O are the same cells.
//!
//! ```
//! use tetris_ai::tbp::{BotMessage, FrontendMessage, Session};
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

mod message;
mod session;

pub use message::{
    BotMessage, FrontendMessage, MoveInfo, PieceLocation, Randomizer, Start, TbpBoard, TbpMove,
    TbpOrientation, TbpPiece, TbpSpin,
};
pub use session::Session;
