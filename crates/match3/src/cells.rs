//! Play on boards of cells, with every event recorded.

pub(crate) mod cascade;
pub mod groups;
pub(crate) mod journal;
pub(crate) mod shuffle;
pub mod special;
