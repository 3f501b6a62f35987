//! What long-running commands and plain text need of the system: input and output, colors, signals,
//! threads.
//!
//! - `input` and `lines` read; `output` writes results and remarks, `progress` and `painter` what
//!   changes on the terminal meanwhile; `color` colors boards.
//! - `child_process` talks to bots and engines, `match_file` keeps their games.
//! - `interrupt` and `job` know signals and jobs of a shell; `stopwatch`, `threads` and `memory`
//!   what a run may take.

pub(crate) mod child_process;
pub(crate) mod color;
pub(crate) mod input;
pub(crate) mod interrupt;
pub(crate) mod job;
pub(crate) mod lines;
pub(crate) mod match_file;
pub(crate) mod memory;
pub(crate) mod output;
pub(crate) mod painter;
pub(crate) mod progress;
pub(crate) mod stopwatch;
pub(crate) mod threads;
