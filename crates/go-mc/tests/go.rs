//! Tests of the rules, texts, playouts, the search and the protocols in one binary, apart from `levels` and
//! `truth`.

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
