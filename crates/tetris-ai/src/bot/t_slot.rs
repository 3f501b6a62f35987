//! Detection of T-spin slots under an overhang.
//!
//! A slot is a one-cell-wide notch below a three-cell gap. One end of the gap has an overhang; the
//! rest is open to the sky, so a T pointing down can rotate into it:
//!
//! ```text
//! y + 1    #  .  .        # overhang over one end (or the mirror image)
//! y        .  .  .        gap: the T's middle row, its center in column x
//! y - 1    #  .  #        notch: the T's foot
//!         x-1 x x+1
//! ```
//!
//! Columns are words (bit y = row y), so one expression tests all rows of a column:
//!
//! ```text
//! gap   = !(left | middle | right | middle << 1)  &  left << 1  &  right << 1
//! roof  = left >> 1 & open_above(right)  |  right >> 1 & open_above(left)
//! slots = gap & roof & open_above(middle)
//! ```
//!
//! The T-spin clears row y or y - 1 if that row is full in the columns outside x-1..=x+1.

use crate::columns::full_beside;
use tetris::{Board, Location, Orientation, Piece};

/// Returns the location of the T in the slot that clears the most lines, and the number of lines (0
/// to 2), or `None` if the board has no slot. Ties go to the leftmost slot, then to the lowest.
#[inline(always)]
pub(super) fn best_t_slot(board: &Board) -> Option<(Location, u32)> {
    let columns = board.columns();
    let (before, from) = full_beside(columns, !0);
    let mut found = None;
    for x in 1..Board::WIDTH - 1 {
        let left = columns[x - 1];
        let middle = columns[x];
        let right = columns[x + 1];
        // Bit y: the T's middle row is y, its foot is in row y - 1.
        let gap = !(left | middle | right | middle << 1) & left << 1 & right << 1;
        let roof = left >> 1 & open_above(right) | right >> 1 & open_above(left);
        let mut slots = gap & roof & open_above(middle);
        while slots != 0 {
            let y = slots.trailing_zeros();
            slots &= slots - 1;
            // The T fills the gap and the notch; the other columns must be full.
            let rest = before[x - 1] & from[x + 2];
            let lines = (rest >> y & 1) + (rest >> (y - 1) & 1);
            if found.is_none_or(|(_, most)| lines as u32 > most) {
                let at = Location {
                    piece: Piece::T,
                    orientation: Orientation::South,
                    x: x as i8,
                    y: y as i8,
                };
                found = Some((at, lines as u32));
            }
        }
    }
    found
}

/// Returns the rows above the highest filled cell of a column.
#[inline(always)]
pub(super) const fn open_above(column: u64) -> u64 {
    // A column has at most 40 bits, so the shift is less than 64.
    !0 << (u64::BITS - column.leading_zeros())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tetris::Spin;
    use tetris::movegen::{Placements, SpinMode};

    #[test]
    fn slots_are_what_the_generator_finds() {
        let mut rng = bitcore::Rng::new(3);
        let mut seen = [0; 3];
        for _ in 0..20_000 {
            let low = rng.below(4);
            let holes = [rng.below(10), rng.below(10)];
            let columns = std::array::from_fn(|x| {
                let column = (1u64 << (low + rng.below(4))) - 1;
                let hole = if holes.contains(&(x as u32)) { rng.below(16) } else { 0 };
                column & !u64::from(hole)
            });
            let mut board = Board::try_from(columns).expect("low columns");
            board.clear_lines();
            let Some((at, lines)) = best_t_slot(&board) else { continue };
            seen[lines as usize] += 1;
            assert_eq!(board.place(at).expect("it fits").clear_lines(), lines, "{board}");
            let placements = Placements::of(&board, Piece::T, SpinMode::TSpins);
            let spun = placements.iter().find(|found| found.at == at && found.spin == Spin::Full);
            assert!(spun.is_some(), "{at}\n{board}");
        }
        assert!(seen.iter().all(|&count| count > 3), "{seen:?}");
    }
}
