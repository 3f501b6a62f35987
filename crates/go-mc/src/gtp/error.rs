//! [`CommandError`]: why a command fails.

use std::string::String;

/// Why a command fails.
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

pub(super) type CommandResult = Result<String, CommandError>;
pub(super) type Arguments<'a> = &'a [String];
