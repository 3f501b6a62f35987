//! A value for every 4x4 board: an n-tuple network, and how it is learnt by play.
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
mod play;
mod tables;

pub use file::LoadError;
pub use learn::{CurvePoint, Learner, Settings, SettingsError};
pub use play::Network;

use crate::packed::Packed;

/// The cells of the tuples, row by row from 0.
///
/// The first and the third share five cells, and so do the second and the fourth, one row below: what the tables of
/// such a pair hold for the same five ranks lies side by side, so two look-ups cost one visit to memory.
pub const TUPLES: [[usize; 6]; 4] =
    [[0, 1, 2, 3, 4, 5], [4, 5, 6, 7, 8, 9], [0, 1, 2, 4, 5, 6], [4, 5, 6, 8, 9, 10]];

/// The largest rank that the tables tell from others.
pub const MAX_RANK: u8 = 13;

/// The eight images of a board, its ranks cut to [`MAX_RANK`].
#[derive(Clone, Copy, Default)]
struct Views([u64; 8]);

impl Views {
    #[inline(always)]
    fn new(board: Packed) -> Self {
        let bits = board.bits();
        // Ranks 14 and 15 have their three top bits set.
        let above = (bits >> 3 & bits >> 2 & bits >> 1) & 0x1111_1111_1111_1111;
        let cut = (bits & !(above * 15)) | (above * u64::from(MAX_RANK));
        Self(Packed::from_bits(cut).symmetries().map(Packed::bits))
    }
}

/// The ranks that the first and the third tuple share, cells 0 1 2 4 5; of a board shifted down a row, those that
/// the others share.
#[inline(always)]
const fn shared(view: u64) -> usize {
    ((view & 0xfff) | (view >> 4 & 0xff000)) as usize
}

/// The first tuple's sixth rank, cell 3; shifted down a row, the second's.
#[inline(always)]
const fn sixth(view: u64) -> usize {
    (view >> 12 & 15) as usize
}

/// The third tuple's sixth rank, cell 6; shifted down a row, the fourth's.
#[inline(always)]
const fn sixth_below(view: u64) -> usize {
    (view >> 24 & 15) as usize
}
