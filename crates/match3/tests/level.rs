//! Levels: [`LevelGame`](match3::level::LevelGame) and its rules.

mod drain;
mod endless;
mod journal;
mod masks;
pub(crate) mod plain;
pub(crate) mod random;
mod rules;
#[cfg(feature = "serde")]
mod saves;
mod subset;
mod twin;
