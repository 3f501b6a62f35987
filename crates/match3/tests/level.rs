//! Levels: [`LevelGame`](match3::level::LevelGame) and its rules.

pub(crate) mod batch;
mod drain;
mod endless;
mod journal;
mod masks;
pub(crate) mod plain;
#[cfg(feature = "std")]
mod playtests;
pub(crate) mod random;
mod rules;
#[cfg(feature = "serde")]
mod saves;
mod subset;
mod twin;
