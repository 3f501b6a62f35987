//! The end of a piece and the spawn of the next one.

use super::{
    End, Event, Falling, Goal, InitialAction, InitialActions, Key, Lock, Phase, RealTimeGame,
    guideline_score,
};
use crate::game::Move;
use crate::location::Location;
use crate::piece::Piece;
use crate::placement::{Placement, Spin};
use alloc::vec::Vec;

impl RealTimeGame {
    pub(super) fn lock(&mut self, events: &mut Vec<Event>) {
        let Phase::Falling(Falling { at, spin, .. }) = self.phase else { return };
        let placement = Placement { at, spin };
        let full_rows = self.game.board().place(at).map_or(0, |board| board.full_lines());
        let turn = Move { hold: self.hold_used, placement };
        // The piece came here by single movements from its spawn, so the turn is legal.
        let Some(result) = self.game.lock(turn, &mut self.rng) else { return };
        let level = self.level();
        let points = guideline_score(result.clear, level);
        self.score = self.score.saturating_add(points);
        self.lines = self.lines.saturating_add(result.clear.lines.into());
        self.hold_used = false;
        events.push(Event::Locked(Lock { placement, result, full_rows, points }));
        if result.garbage_rows > 0 {
            events.push(Event::GarbageRose { rows: result.garbage_rows });
        }
        if self.level() > level {
            events.push(Event::LevelUp { level: self.level() });
        }
        let timing = &self.rules.timing;
        let clear_delay = if result.clear.lines > 0 { timing.line_clear_delay } else { 0 };
        let delay = timing.entry_delay.saturating_add(clear_delay);
        self.phase = Phase::Entry(delay);
        self.initial = InitialActions::default();
        if let Goal::Lines(lines) = self.rules.goal
            && self.lines >= lines.into()
        {
            self.phase = Phase::Over(End::Finished);
            events.push(Event::Finished);
        } else if delay == 0 || result.top_out.is_some() {
            self.spawn_by_keys(false, events);
        }
    }

    /// Brings a piece into play, or ends the game if it has topped out.
    fn spawn(&mut self, piece: Piece, events: &mut Vec<Event>) {
        if let Some(over) = self.game.top_out() {
            self.phase = Phase::Over(End::ToppedOut(over));
            events.push(Event::ToppedOut(over));
            return;
        }
        self.appear(piece, events);
        self.fall_at_20g(events);
    }

    /// Brings the next piece into play, and applies the keys pressed during the wait, if there was
    /// one, or down.
    pub(super) fn spawn_by_keys(&mut self, waited: bool, events: &mut Vec<Event>) {
        let initial = core::mem::take(&mut self.initial);
        if self.recording.version() == 1 || self.game.is_over() {
            self.spawn(self.game.piece(), events);
            return;
        }
        let is_down = |key: Key, by: InitialAction| {
            let before = waited && initial.pressed & key.bit() == 0;
            let counts = by == InitialAction::Hold || by == InitialAction::TapOrHold && before;
            counts && self.held & key.bit() != 0
        };
        let taps = |by| matches!(by, InitialAction::Tap | InitialAction::TapOrHold);
        let by = self.handling.initial_hold;
        let hold = initial.hold && taps(by) || is_down(Key::Hold, by);
        let by = self.handling.initial_rotation;
        let tapped = initial.rotation.filter(|_| taps(by));
        let system = self.rules.game.rotation_system;
        let down = Key::ALL.into_iter().filter(|&key| is_down(key, by));
        let mut rotations = down.filter_map(|key| key.rotation(system));
        // Two rotations cancel each other out.
        let only = rotations.next().filter(|_| rotations.next().is_none());
        let rotation = tapped.or(only);
        self.appear(self.game.piece(), events);
        if hold {
            self.hold(events);
        }
        if let Some(rotation) = rotation {
            self.turn(rotation, events);
        }
        self.fall_at_20g(events);
    }

    pub(super) fn appear(&mut self, piece: Piece, events: &mut Vec<Event>) {
        // If the spawn is blocked, the game is already over; a swap for a blocked piece is
        // rejected.
        let at = self.game.spawn_location(piece).unwrap_or(Location::spawn(piece));
        let lowest = at.lowest_row();
        self.phase = Phase::Falling(Falling {
            at,
            spin: Spin::None,
            fallen: 0,
            rested: 0,
            resets: 0,
            lowest,
        });
        events.push(Event::Spawned(piece));
        self.cut_shift();
    }
}
