//! Gravity, soft drop and the lock delay.

use super::{Event, Falling, Phase, RealTimeGame};
use crate::location::SKYLINE;
use crate::placement::Spin;
use alloc::vec::Vec;

#[derive(Clone, Copy)]
pub(super) enum Fall {
    Gravity,
    SoftDrop,
}

impl RealTimeGame {
    /// Applies one tick of gravity or soft drop.
    pub(super) fn fall(&mut self, events: &mut Vec<Event>) {
        let (step, row) = self.fall_speed();
        let Phase::Falling(piece) = &mut self.phase else { return };
        let mut rows = 0;
        // Without gravity, keeps the fraction of a row left over from a soft drop.
        if step > 0 {
            piece.fallen = piece.fallen.saturating_add(step);
            if piece.fallen >= row {
                // A row that takes no time is 20G.
                rows = piece.fallen.checked_div(row).unwrap_or(u64::MAX);
                piece.fallen = piece.fallen.checked_rem(row).unwrap_or(0);
            }
        }
        if rows > 0 {
            let fall = if self.soft_drop { Fall::SoftDrop } else { Fall::Gravity };
            self.descend(u32::try_from(rows).unwrap_or(u32::MAX), fall, events);
        }
    }

    /// Returns the fall per tick by gravity or soft drop as a fraction `(step, row)`: the piece
    /// falls one row each time the sum of the steps reaches `row`.
    #[inline(always)]
    pub(super) fn fall_speed(&self) -> (u64, u64) {
        let timing = &self.rules.timing;
        if self.soft_drop {
            timing.soft_drop_speed(self.level(), self.handling.soft_drop_factor)
        } else {
            timing.speed(self.level())
        }
    }

    /// Drops the piece to the stack if the gravity is 20G.
    pub(super) fn fall_at_20g(&mut self, events: &mut Vec<Event>) {
        let timing = &self.rules.timing;
        // Twenty rows in a sixtieth of a second, or in a longer tick; until version 2, in a tick of
        // any length.
        let ticks_per_second =
            if self.recording.version() > 2 { timing.ticks_per_second.max(60) } else { 60 };
        let (step, row) = timing.speed(self.level());
        if step * u64::from(ticks_per_second) / (60 * SKYLINE as u64) >= row {
            self.descend(u32::MAX, Fall::Gravity, events);
        }
    }

    pub(super) fn descend(&mut self, max: u32, fall: Fall, events: &mut Vec<Event>) {
        let Phase::Falling(piece) = &mut self.phase else { return };
        let Some(landing) = self.game.board().landing(piece.at) else { return };
        let distance = (piece.at.y - landing.y) as u32;
        let rows = max.min(distance);
        if rows == distance {
            piece.fallen = 0;
        }
        if rows == 0 {
            return;
        }
        piece.at.y -= rows as i8;
        piece.spin = Spin::None;
        if piece.at.lowest_row() < piece.lowest {
            piece.lowest = piece.at.lowest_row();
            (piece.rested, piece.resets) = (0, 0);
        }
        match fall {
            Fall::SoftDrop => {
                self.score = self.score.saturating_add(rows.into());
                events.push(Event::SoftDropped { rows });
            }
            Fall::Gravity => events.push(Event::Fell { rows }),
        }
    }

    pub(super) fn rest(&mut self, events: &mut Vec<Event>) {
        let lock_delay = self.rules.timing.lock_delay;
        let Phase::Falling(piece) = self.phase else { return };
        if self.game.board().fits(piece.at.moved(0, -1)) {
            return;
        }
        // Also without a fall in this tick: the stack takes the fraction of a row.
        let piece = Falling { fallen: 0, ..piece };
        if piece.rested >= lock_delay || self.has_no_reset_left(piece) {
            let guard = self.handling.hard_drop_guard;
            self.guarded_until = self.ticks().saturating_add(guard.into());
            self.lock(events);
        } else {
            self.phase = Phase::Falling(Falling { rested: piece.rested + 1, ..piece });
        }
    }

    /// Returns `true` if the piece locks without a delay. Version 1, and any game without resets,
    /// still has the delay after the last reset.
    pub(super) fn has_no_reset_left(&self, piece: Falling) -> bool {
        let lock_resets = self.rules.timing.lock_resets;
        self.recording.version() > 1 && lock_resets > 0 && piece.resets >= lock_resets
    }
}
