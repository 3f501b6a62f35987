//! What keys do: shifts that repeat, rotations, hold, hard drop.

use super::fall::Fall;
use super::{Event, Handling, Key, Phase, RealTimeGame};
use crate::movegen;
use crate::piece::Rotation;
use crate::placement::Spin;
use alloc::vec::Vec;

/// A step of a sideways shift.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    First,
    Next,
}

impl RealTimeGame {
    pub(super) fn key_down(&mut self, key: Key, events: &mut Vec<Event>) {
        self.held |= key.bit();
        if let Phase::Entry(_) = self.phase {
            let initial = &mut self.initial;
            initial.pressed |= key.bit();
            initial.hold |= key == Key::Hold;
            let rotation = key.rotation(self.rules.game.rotation_system);
            initial.rotation = rotation.or(initial.rotation);
        }
        match key {
            Key::Left | Key::Right => {
                self.right_is_last = key == Key::Right;
                self.shift[usize::from(self.right_is_last)] = Some(0);
                self.step_sideways(Step::First, events);
            }
            Key::SoftDrop => {
                self.soft_drop = true;
                let is_instant =
                    self.handling.soft_drop_factor == u32::MAX && self.recording.version() > 2;
                self.descend(if is_instant { u32::MAX } else { 1 }, Fall::SoftDrop, events);
            }
            Key::HardDrop => self.hard_drop(events),
            Key::Cw => self.rotate(Rotation::Cw, events),
            Key::Ccw => self.rotate(Rotation::Ccw, events),
            Key::Half => self.rotate(Rotation::Half, events),
            Key::Hold => {
                if self.hold(events) {
                    self.fall_at_20g(events);
                }
            }
        }
    }

    pub(super) fn key_up(&mut self, key: Key) {
        self.held &= !key.bit();
        match key {
            Key::Left => self.shift[0] = None,
            Key::Right => self.shift[1] = None,
            Key::SoftDrop => self.soft_drop = false,
            _ => {}
        }
    }

    /// Moves the piece sideways for the keys that are down, and counts their ticks.
    pub(super) fn auto_shift(&mut self, events: &mut Vec<Event>) {
        let [left, right] = self.shift;
        self.right_is_last = right.is_some() && (self.right_is_last || left.is_none());
        let held = if self.right_is_last { right } else { left };
        let charged = held.and_then(|ticks| ticks.checked_sub(self.handling.das));
        if let Some(ticks) = charged {
            if self.handling.arr == 0 {
                let mut step = Step::First;
                while self.step_sideways(step, events) {
                    step = Step::Next;
                }
            } else if ticks % self.handling.arr == 0 && held != Some(0) {
                self.step_sideways(Step::First, events);
            }
        }
        for ticks in self.shift.iter_mut().flatten() {
            *ticks = ticks.saturating_add(1);
        }
    }

    /// Takes back the charge of left and right by the DAS cut.
    pub(super) fn cut_shift(&mut self) {
        let Handling { das, das_cut, .. } = self.handling;
        if das_cut > 0 {
            for ticks in self.shift.iter_mut().flatten() {
                *ticks = (*ticks).min(das.saturating_sub(das_cut));
            }
        }
    }

    /// Moves the piece by one column. Consecutive steps of a shift are one event, unless the piece
    /// fell between them.
    fn step_sideways(&mut self, step: Step, events: &mut Vec<Event>) -> bool {
        let (key, columns_moved) = if self.right_is_last {
            (movegen::Movement::Right, 1)
        } else {
            (movegen::Movement::Left, -1)
        };
        let moved = self.movement(key).is_some();
        if moved {
            match events.last_mut() {
                Some(Event::Moved { columns }) if step == Step::Next => *columns += columns_moved,
                _ => events.push(Event::Moved { columns: columns_moved }),
            }
            self.fall_at_20g(events);
        }
        moved
    }

    fn rotate(&mut self, rotation: Rotation, events: &mut Vec<Event>) {
        if self.turn(rotation, events) {
            self.fall_at_20g(events);
        }
    }

    /// Returns `false` if no kick fits.
    pub(super) fn turn(&mut self, rotation: Rotation, events: &mut Vec<Event>) -> bool {
        let spin = self.movement(rotation.into());
        events.extend(spin.map(|spin| Event::Rotated { rotation, spin }));
        if spin.is_some() {
            self.cut_shift();
        }
        spin.is_some()
    }

    /// Resets the lock delay. Returns the kind of spin, or `None` if the piece can't move that way.
    fn movement(&mut self, key: movegen::Movement) -> Option<Spin> {
        let Phase::Falling(piece) = &mut self.phase else { return None };
        let rules = self.game.rules();
        (piece.at, piece.spin) =
            movegen::apply(self.game.board(), piece.at, piece.spin, key, rules)?;
        // In version 1 only movements on the stack count; since version 2, all movements after the
        // first of these do.
        let has_landed = piece.rested > 0 || piece.resets > 0 && self.recording.version() > 1;
        if has_landed && piece.resets < self.rules.timing.lock_resets {
            piece.resets += 1;
            piece.rested = 0;
        }
        Some(piece.spin)
    }

    /// Returns `false` if a swap isn't possible.
    pub(super) fn hold(&mut self, events: &mut Vec<Event>) -> bool {
        let Some(piece) = self.game.piece_after_hold().filter(|_| self.can_hold()) else {
            return false;
        };
        events.push(Event::Held(self.game.piece()));
        self.hold_used = true;
        self.appear(piece, events);
        true
    }

    fn hard_drop(&mut self, events: &mut Vec<Event>) {
        if self.ticks() <= self.guarded_until {
            return;
        }
        let Phase::Falling(piece) = &mut self.phase else { return };
        let from = piece.at;
        let key = movegen::Movement::HardDrop;
        let rules = self.game.rules();
        if let Some(landed) = movegen::apply(self.game.board(), from, piece.spin, key, rules) {
            (piece.at, piece.spin) = landed;
            let rows = (from.y - piece.at.y) as u32;
            self.score = self.score.saturating_add(2 * u64::from(rows));
            events.push(Event::HardDropped { rows });
            self.lock(events);
        }
    }
}
