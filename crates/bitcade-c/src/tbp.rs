//! The Tetris bot, by lines of the Tetris Bot Protocol.

use crate::border::{Object, add, text, with, write};
use crate::tetris::check_nodes;
use tetris_ai::bot::tbp::{BotMessage, FrontendMessage, Session};

impl Object for Session {
    const NAME: &str = "a bot";
}

exports! {
    /// Starts a session.
    fn bitcade_tbp_new() -> i64 {
        add(Session::default())
    }

    /// Writes the bot's first message.
    fn bitcade_tbp_info() -> i64 {
        write(&serde_json::to_vec(&Session::info())?)
    }

    /// Answers a message.
    fn bitcade_tbp_line(session: i64, length: i64, nodes: u64) -> i64 {
        let nodes = check_nodes(nodes)?;
        let line = text(length)?;
        with(session, |session: &mut Session, stop| {
            let message = serde_json::from_str(&line);
            if message.is_err() {
                // It may have changed the frontend's game, which is unknown now.
                session.forget();
            }
            let answer = match message? {
                FrontendMessage::Suggest => {
                    // After a stop, the best so far.
                    let _ = session.think_until(nodes, stop);
                    Some(session.suggestion().unwrap_or_else(BotMessage::resignation))
                }
                message => session.receive(message),
            };
            write(&answer.map_or(Ok(Vec::new()), |answer| serde_json::to_vec(&answer))?)
        })
    }
}
