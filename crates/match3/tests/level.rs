//! Levels: [`LevelGame`](match3::level::LevelGame) and its rules.

pub(crate) mod random;
mod subset;
