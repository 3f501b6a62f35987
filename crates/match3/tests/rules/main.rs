//! The rules on boards of cells, which have no levels, against their definitions.

mod cascade;
#[path = "../common/mod.rs"]
mod common;
mod groups;
mod reference;
mod shuffle;
mod special;
