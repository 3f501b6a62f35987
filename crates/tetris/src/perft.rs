//! [`perft()`]: the number of ways to lock a whole queue, a count that any wrong rule changes.
//!
//! ```text
//! perft(board, queue):
//!     if the queue has one piece: return the number of its placements
//!     sum over the placements of the first piece:
//!         perft(board with the piece, without its full lines, rest of the queue)
//! ```
//!
//! If pieces rotate freely at the spawn, the board stays in one register: search, placement and
//! line clear all work on the same upside-down columns (see [`movegen`](crate::movegen)), so no
//! node converts the board. Higher boards use [`Placements`](crate::movegen::Placements) and
//! [`Board`](crate::Board).

mod parallel;
mod sequential;

pub use parallel::{hard_drops_until, perft_until};
pub use sequential::{hard_drops, perft};
