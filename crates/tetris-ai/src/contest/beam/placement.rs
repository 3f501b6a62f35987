//! The beam's placements: a [`FallingPiece`] at its lock location, packed into eleven bits, and the
//! key presses to get there.
//!
//! States that cover the same cells count as one, the [canonical](OrientedPiece::canonical) state,
//! so no two placements of a piece fill the same cells.
//!
//! ```text
//! bit  10 ..... 6 5 ...... 2 1 .. 0
//!      | y, 0..20 | x, 0..10 | state |
//! ```

use crate::columns::{COLUMNS, ROWS};
use crate::contest::board::Board;
use crate::contest::falling_piece::{ContestKey, FallingPiece};
use crate::contest::piece::OrientedPiece;
use crate::contest::record::KeyPresses;
use tetris::Piece;

#[inline(always)]
pub(super) const fn pack(state: usize, x: u32, y: usize) -> u16 {
    state as u16 | (x as u16) << 2 | (y as u16) << 6
}

/// `None` if the center is outside the board.
pub(super) fn unpack(bits: u16, kind: Piece) -> Option<FallingPiece> {
    let x = bits >> 2 & 15;
    let y = bits >> 6;
    let piece = OrientedPiece::new(kind, bits as u8);
    (usize::from(x) < COLUMNS && usize::from(y) < ROWS).then_some(FallingPiece {
        piece,
        x: x as i8,
        y: y as i8,
    })
}

/// Returns a shortest sequence of key presses from the spawn of `piece` to a placement, found by
/// breadth-first search, or `None` if no sequence of legal presses reaches it.
///
/// ```
/// use tetris::Piece;
/// use tetris_ai::contest::{Board, FallingPiece, OrientedPiece, beam::shortest_keys};
/// // Under the roof on the right.
/// let board: Board = "......####\n..........".parse()?;
/// let piece = OrientedPiece::new(Piece::I, 1);
/// let keys = shortest_keys(&board, piece, FallingPiece { piece, x: 7, y: 19 }).unwrap();
/// let runs = keys.runs().iter();
/// let keys: String = runs.map(|run| format!("{}{} ", run.key.letter(), run.count)).collect();
/// assert_eq!(keys, "D17 L1 D2 R4 ");
/// # Ok::<(), tetris_ai::contest::ParseBoardError>(())
/// ```
pub fn shortest_keys(
    board: &Board,
    piece: OrientedPiece,
    place: FallingPiece,
) -> Option<KeyPresses> {
    let index = |falling: &FallingPiece| {
        (falling.y as usize * COLUMNS + falling.x as usize) * 4 + usize::from(falling.piece.state())
    };
    let start = board.spawn(piece)?;
    // Each location reached, with its predecessor and the key between them.
    let mut reached = vec![(start, None)];
    let mut seen = vec![false; COLUMNS * ROWS * 4];
    seen[index(&start)] = true;
    let mut next = 0;
    while let Some(&(falling, _)) = reached.get(next) {
        if falling.canonical() == place.canonical() {
            return Some(keys_to(&reached, next));
        }
        for key in [ContestKey::Down, ContestKey::Left, ContestKey::Right, ContestKey::Rotate] {
            let target = falling.after_key(key);
            if board.fits(target) && !std::mem::replace(&mut seen[index(&target)], true) {
                reached.push((target, Some((next, key))));
            }
        }
        next += 1;
    }
    None
}

fn keys_to(reached: &[(FallingPiece, Option<(usize, ContestKey)>)], place: usize) -> KeyPresses {
    let way = std::iter::successors(reached[place].1, |&(before, _)| reached[before].1);
    let mut keys: Vec<ContestKey> = way.map(|(_, key)| key).collect();
    keys.reverse();
    let mut turn = KeyPresses::new();
    for run in keys.chunk_by(|a, b| a == b) {
        turn.push(run[0], run.len() as u32);
    }
    turn
}
