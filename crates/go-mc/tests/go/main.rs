//! Rules, text, playouts' verdicts, the search and the protocols: everything but `levels` and `truth`, in one binary.

#[cfg(feature = "gtp")]
mod gtp;
mod ownership;
mod reference;
mod rules;
#[cfg(feature = "std")]
mod search;
#[cfg(feature = "sgf")]
mod sgf;
mod text;
