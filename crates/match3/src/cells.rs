//! Boards of cells in play, with all their events.

pub(crate) mod cascade;
pub mod groups;
pub(crate) mod journal;
pub(crate) mod shuffle;
pub mod special;
