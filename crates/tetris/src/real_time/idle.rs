//! Ticks in which only time passes: no input waits, and the piece neither moves nor locks. A replay skips
//! them.

use super::{Phase, RealTimeGame};
use crate::movegen;

impl RealTimeGame {
    /// Runs the coming ticks in which only time passes, but none after the one before `tick`: the counts of
    /// all of them are added in one step. A piece moves or locks some dozens of times at most, so a replay
    /// takes no longer for long waits.
    pub(super) fn skip_idle_ticks(&mut self, tick: u64) {
        let count = self.idle_ticks().min(tick.saturating_sub(self.ticks()));
        if count == 0 {
            return;
        }
        // A wait of an entry, of a lock or for a move ends before 2^32 ticks, and those counts stop there.
        let short = u32::try_from(count).unwrap_or(u32::MAX);
        for ticks in self.shift.iter_mut().flatten() {
            *ticks = ticks.saturating_add(short);
        }
        let (step, _) = self.fall_speed();
        match &mut self.phase {
            Phase::Entry(ticks) => *ticks = ticks.saturating_sub(short),
            Phase::Falling(piece) if self.game.board().landing(piece.at) == Some(piece.at) => {
                piece.fallen = 0;
                piece.rested += short;
            }
            Phase::Falling(piece) => piece.fallen += step.saturating_mul(count),
            Phase::Over(_) => {}
        }
        self.recording.skip(count);
    }

    /// Returns the number of coming ticks in which only time passes, [`u64::MAX`] if it never ends.
    fn idle_ticks(&self) -> u64 {
        if !self.waiting.is_empty() {
            return 0;
        }
        let piece = match self.phase {
            Phase::Entry(ticks) => return u64::from(ticks).saturating_sub(1),
            Phase::Falling(piece) => piece,
            Phase::Over(_) => return 0,
        };
        let (step, row) = self.fall_speed();
        let vertical = if self.game.board().landing(piece.at) == Some(piece.at) {
            if self.has_no_reset_left(piece) {
                return 0;
            }
            u64::from(self.rules.timing.lock_delay.saturating_sub(piece.rested))
        } else {
            // Up to the largest part of a row that is no row yet, or without end if nothing pulls.
            let left = row.saturating_sub(1).saturating_sub(piece.fallen);
            left.checked_div(step).unwrap_or(u64::MAX)
        };
        let key = if self.right_is_last { movegen::Key::Right } else { movegen::Key::Left };
        let can_move = || movegen::press(self.game.board(), piece.at, piece.spin, key).is_some();
        match self.shift[usize::from(self.right_is_last)] {
            Some(held) if can_move() => vertical.min(self.ticks_to_shift(held)),
            _ => vertical,
        }
    }

    /// Returns the number of ticks before the one in which a key that has been down for `held` ticks moves
    /// the piece, [`u64::MAX`] if it never does.
    fn ticks_to_shift(&self, held: u32) -> u64 {
        let (das, arr) = (self.handling.das, self.handling.arr);
        let Some(charged) = held.checked_sub(das) else { return (das - held).into() };
        if arr == 0 {
            return 0;
        }
        let wait = if held == 0 { arr } else { (arr - charged % arr) % arr };
        // The count of a key's ticks ends at the largest number.
        held.checked_add(wait).map_or(u64::MAX, |_| wait.into())
    }
}
