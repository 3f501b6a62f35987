//! What knows no level: the rules on boards of cells against their definitions.

mod cascade;
#[path = "../common/mod.rs"]
mod common;
mod groups;
mod reference;
mod shuffle;
mod special;
