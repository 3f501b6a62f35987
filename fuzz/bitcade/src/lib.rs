//! Fuzz target of the screens of `bitcade`: [`terminal`] sends them the bytes of a terminal.
#![forbid(unsafe_code)]

pub use bitcade::fuzz_terminal as terminal;
