//! Idle ticks, which replays skip: no input is waiting, and the piece neither moves nor locks.

use super::{Goal, Phase, RealTimeGame};
use crate::movegen;

impl RealTimeGame {
    /// Skips idle ticks up to `tick`, adding their counts in one step. A piece moves or locks some
    /// dozens of times at most, so long waits don't slow a replay down.
    pub(super) fn skip_idle_ticks(&mut self, tick: u64) {
        let mut count = self.idle_ticks().min(tick.saturating_sub(self.ticks()));
        if let Goal::Ticks(ticks) = self.rules.goal {
            // The last one ends the game.
            count = count.min(u64::from(ticks).saturating_sub(self.ticks() + 1));
        }
        if count == 0 {
            return;
        }
        // Waits for an entry, a lock or a move end before 2^32 ticks, and those counters saturate
        // there.
        let short = u32::try_from(count).unwrap_or(u32::MAX);
        for ticks in self.shift.iter_mut().flatten() {
            *ticks = ticks.saturating_add(short);
        }
        self.game.advance_garbage(short);
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

    /// Returns the number of idle ticks ahead, [`u64::MAX`] if they never end.
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
            // Until just before the next full row, or forever without gravity.
            let left = row.saturating_sub(1).saturating_sub(piece.fallen);
            left.checked_div(step).unwrap_or(u64::MAX)
        };
        let key =
            if self.right_is_last { movegen::Movement::Right } else { movegen::Movement::Left };
        let rules = self.game.rules();
        let can_move =
            || movegen::apply(self.game.board(), piece.at, piece.spin, key, rules).is_some();
        match self.shift[usize::from(self.right_is_last)] {
            Some(held) if can_move() => vertical.min(self.ticks_to_shift(held)),
            _ => vertical,
        }
    }

    /// Returns the number of ticks before the next move by a key that has been down for `held`
    /// ticks, [`u64::MAX`] if it never moves the piece.
    fn ticks_to_shift(&self, held: u32) -> u64 {
        let das = self.handling.das;
        let arr = self.handling.arr;
        let Some(charged) = held.checked_sub(das) else { return (das - held).into() };
        if arr == 0 {
            return 0;
        }
        let wait = if held == 0 { arr } else { (arr - charged % arr) % arr };
        // A key's tick counter saturates at the largest number.
        held.checked_add(wait).map_or(u64::MAX, |_| wait.into())
    }
}
