//! Tests of the players at the best level; the module `levels` compares the levels.

mod beam;
mod bot;
mod checkpoints;
mod control;
mod faults;
mod solver;
