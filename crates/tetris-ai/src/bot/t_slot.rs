//! Slots for T-spins under an overhang.

use crate::columns::full_beside;
use tetris::board::WIDTH;
use tetris::{Board, Location, Orientation, Piece};

/// The slot whose T-spin clears most, and how many lines: a notch, one cell wide, under a gap of three that has a roof over
/// one end and the open sky over the rest, so that a T upside down can turn into it. Of equals the leftmost, then the
/// lowest.
#[inline(always)]
pub(super) fn best(board: &Board) -> Option<(Location, u32)> {
    let columns = board.columns();
    let (before, from) = full_beside(columns, !0);
    let mut found = None;
    for x in 1..WIDTH - 1 {
        let (left, middle, right) = (columns[x - 1], columns[x], columns[x + 1]);
        // Bit y: the T's middle is in row y, its foot in the row below.
        let gap = !(left | middle | right | middle << 1) & left << 1 & right << 1;
        let roof = left >> 1 & sky(right) | right >> 1 & sky(left);
        let mut slots = gap & roof & sky(middle);
        while slots != 0 {
            let y = slots.trailing_zeros();
            slots &= slots - 1;
            // The T fills the gap and the notch; the rest of the two rows must be there.
            let rest = before[x - 1] & from[x + 2];
            let lines = (rest >> y & 1) + (rest >> (y - 1) & 1);
            if found.is_none_or(|(_, most)| lines as u32 > most) {
                let at =
                    Location { piece: Piece::T, orientation: Orientation::South, x: x as i8, y: y as i8 };
                found = Some((at, lines as u32));
            }
        }
    }
    found
}

/// The rows above all cells of a column.
#[inline(always)]
const fn sky(column: u64) -> u64 {
    // A column has at most 40 bits: the shift stays in the word.
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
            let mut board = Board::from_columns(columns).expect("low columns");
            board.clear_lines();
            let Some((at, lines)) = best(&board) else { continue };
            seen[lines as usize] += 1;
            assert_eq!(board.place(at).expect("it fits").clear_lines(), lines, "{board}");
            let placements = Placements::of(&board, Piece::T, SpinMode::TSpins);
            let spun = placements.iter().find(|found| found.at == at && found.spin == Spin::Full);
            assert!(spun.is_some(), "{at}\n{board}");
        }
        assert!(seen.iter().all(|&count| count > 3), "{seen:?}");
    }
}
