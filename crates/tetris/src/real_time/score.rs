//! The guideline's score for a lock.

use crate::attack::Clear;
use crate::placement::Spin;

/// Returns the guideline's points for a lock at a level, excluding drops.
///
/// A back-to-back clear after the first earns one and a half times its points. Each consecutive
/// clear after the first adds 50 points, and a perfect clear adds a bonus. The sum is multiplied by
/// the level, capped at [`u64::MAX`].
///
/// ```
/// use tetris::real_time::guideline_score;
/// use tetris::{Clear, Spin};
/// let tetris = Clear { lines: 4, combo: 1, back_to_back: 1, ..Clear::default() };
/// assert_eq!(guideline_score(tetris, 3), 800 * 3);
/// let double = Clear { lines: 2, spin: Spin::Full, combo: 2, back_to_back: 2, ..Clear::default() };
/// assert_eq!(guideline_score(double, 3), (1200 * 3 / 2 + 50) * 3);
/// assert_eq!(guideline_score(Clear { spin: Spin::Mini, ..tetris }, 3), 800 * 3);
/// ```
pub fn guideline_score(clear: Clear, level: u32) -> u64 {
    let chained = clear.lines > 0 && clear.back_to_back > 1;
    let mut points = match (clear.spin, clear.lines) {
        (Spin::None, 0) => 0,
        (Spin::None, 1) | (Spin::Mini, 0) => 100,
        (Spin::None, 2) => 300,
        (Spin::Mini, 1) => 200,
        (Spin::Mini, 2) | (Spin::Full, 0) => 400,
        // Minis of three or four lines exist if all pieces spin.
        (Spin::None | Spin::Mini, 3) => 500,
        (Spin::None | Spin::Mini, _) | (Spin::Full, 1) => 800,
        (Spin::Full, 2) => 1200,
        (Spin::Full, _) => 1600,
    };
    if chained {
        points += points / 2;
    }
    if clear.lines > 0 {
        points += 50 * u64::from(clear.combo.saturating_sub(1));
    }
    if clear.perfect {
        points += match clear.lines {
            0 => 0,
            1 => 800,
            2 => 1200,
            3 => 1800,
            _ if chained => 3200,
            _ => 2000,
        };
    }
    points.saturating_mul(level.into())
}
