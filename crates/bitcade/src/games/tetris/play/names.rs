//! Players' names for clears.

use crate::screen::widgets::grouped;
use tetris::Spin;
use tetris::real_time::Lock;

/// Returns the words for a lock, one per line, or none for a lock without lines or a spin.
pub(super) fn words(lock: &Lock) -> Vec<String> {
    let clear = &lock.result.clear;
    let mut words: Vec<String> = Vec::new();
    match clear.spin {
        Spin::None => {}
        Spin::Mini => words.push("T-SPIN MINI".to_owned()),
        Spin::Full => words.push("T-SPIN".to_owned()),
    }
    match clear.lines {
        0 => {}
        1 => words.push("SINGLE".to_owned()),
        2 => words.push("DOUBLE".to_owned()),
        3 => words.push("TRIPLE".to_owned()),
        _ => words.push("TETRIS".to_owned()),
    }
    if clear.perfect && clear.lines > 0 {
        words.push("ALL CLEAR".to_owned());
    }
    if !words.is_empty() {
        words.push(format!("+{}", grouped(lock.points)));
    }
    words
}
