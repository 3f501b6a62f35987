//! Tests of the rules, texts, playouts, the search and the protocols in one binary, apart from `levels` and
//! `truth`.

#[cfg(feature = "gtp")]
mod gtp;
mod interop;
mod ownership;
mod reference;
mod rules;
#[cfg(feature = "std")]
mod search;
#[cfg(feature = "sgf")]
mod sgf;
mod text;
