//! The players of this crate, at the best level: `levels` compares the levels.

mod beam;
mod bot;
mod control;
mod faults;
mod solver;
