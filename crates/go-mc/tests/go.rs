//! Tests of the rules, texts, playouts, search and protocols; `levels` and `truth` are separate.

#[cfg(feature = "gtp")]
mod gtp;
mod interop;
mod ownership;
#[cfg(feature = "sgf")]
#[path = "properties/records.rs"]
mod records;
mod reference;
mod rules;
#[cfg(feature = "std")]
mod search;
#[cfg(feature = "gtp")]
#[path = "properties/sessions.rs"]
mod sessions;
#[cfg(feature = "sgf")]
mod sgf;
mod text;
