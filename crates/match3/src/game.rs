//! Games on boards of cells, with all their events.

pub mod cascade;
pub mod groups;
pub mod journal;
pub mod shuffle;
pub mod special;
