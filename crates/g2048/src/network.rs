//! A value for every 4x4 board: an n-tuple network, and how it is learned by play.
//!
//! The network is a sum of table entries. Each of four *tuples* names six cells; their ranks pick an entry of the
//! tuple's table, and so do those of the board's seven images under the square's symmetries: 32 entries a board. The
//! value estimates what the game will still score after a slide, before the spawn (an *afterstate*).
//!
//! - [`Learner`] learns the tables by playing, and is saved and loaded whole.
//! - [`Network`] is what play needs of them: 57.4 MiB.
//!
//! Ranks above 13 (8192) look like 13 to the tables. Two 8192s side by side merge at once, so what the network sees
//! as such a pair is nearly always an 8192 beside a 16384, and it learns to value it as that.
//!
//! Sources: Szubert and Jaśkowski, "Temporal difference learning of N-tuple networks for the game 2048", 2014; the
//! tuples of Yeh, Wu, Hsueh, Chang, Liang and Chiang, "Multistage temporal difference learning for 2048-like games",
//! 2016; the step sizes of Beal and Smith, "Temporal coherence and prediction decay in TD learning", 1999, as used by
//! Jaśkowski, "Mastering 2048 with delayed temporal coherence learning, multistage weight promotion, redundant
//! encoding and carousel shaping", 2016.

mod file;
mod learn;
mod quantized;
mod tables;
mod tuples;

pub use file::LoadError;
pub use learn::{CurvePoint, Learner, Settings, SettingsError};
pub use quantized::Network;
pub use tuples::{MAX_RANK, TUPLES};
