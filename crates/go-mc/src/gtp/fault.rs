//! [`Fault`]: why a command fails.

use std::string::String;

/// Why a command fails.
#[derive(Debug, thiserror::Error)]
pub(super) enum Fault {
    #[error("unknown command")]
    Unknown,
    #[error("syntax error")]
    Syntax,
    #[error("unacceptable size")]
    Size,
    #[error("illegal move")]
    Illegal,
    #[error("cannot undo")]
    Undo,
    #[error("invalid number of stones")]
    Stones,
    #[error("board not empty")]
    NotEmpty,
    #[error("bad vertex list")]
    Vertices,
    #[error("cannot load file: {0}")]
    File(String),
    #[error("unknown option: {0}")]
    Option(String),
}

pub(super) type Reply = Result<String, Fault>;
pub(super) type Arguments<'a> = &'a [String];
