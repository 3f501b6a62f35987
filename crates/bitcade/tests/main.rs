//! The tests of the program, in one binary: each module runs the built program and checks its
//! output.

mod alone;
mod bad_input;
#[cfg_attr(not(unix), expect(dead_code, reason = "much is for tests with signals and terminals"))]
mod common;
mod completions;
mod contest;
mod faults;
mod g2048;
mod g2048_analyze;
mod g2048_network;
mod go;
mod go_learning;
mod go_match;
mod help;
mod keys;
mod limits;
mod match3;
mod non_blocking;
mod pages;
mod playtest;
mod pty;
mod same_on_threads;
mod saving;
mod tetris;
mod tetris_bots;
mod threads;
