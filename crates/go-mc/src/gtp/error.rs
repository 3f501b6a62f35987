//! [`CommandError`]: the error messages of failed commands.

use crate::search::MAX_KOMI;
use std::string::String;

/// Formatted as the error message of the response.
#[derive(Debug, thiserror::Error)]
pub(super) enum CommandError {
    #[error("unknown command")]
    UnknownCommand,
    #[error("syntax error")]
    Syntax,
    #[error("unacceptable size")]
    UnacceptableSize,
    #[error("illegal move")]
    IllegalMove,
    #[error("cannot undo")]
    CannotUndo,
    #[error("{command} takes {}", argument_count(*most))]
    TooManyArguments { command: &'static str, most: usize },
    #[error("negative time: {0}")]
    NegativeTime(String),
    #[error("komi out of range: expected a number from -{MAX_KOMI} to {MAX_KOMI}")]
    KomiOutOfRange,
    #[error("unsupported rules: {0}")]
    UnsupportedRules(String),
    #[error("invalid number of stones")]
    InvalidStoneCount,
    #[error("board not empty")]
    BoardNotEmpty,
    #[error("bad vertex list")]
    BadVertexList,
    #[error("cannot load file: {0}")]
    CannotLoadFile(String),
    #[error("unknown option: {0}")]
    UnknownOption(String),
}

fn argument_count(most: usize) -> String {
    match most {
        0 => "no argument".into(),
        1 => "at most 1 argument".into(),
        _ => std::format!("at most {most} arguments"),
    }
}

pub(super) type CommandResult = Result<String, CommandError>;
pub(super) type Arguments<'a> = &'a [String];
