//! [`InstantEngine`]: a threadless engine for tests and the fuzz target.

use super::game_file::GameFile;
use super::game_screen::GameScreen;
use super::game_state::GameState;
use super::opponent::Engine;
use super::start::Start;
use super::thinker::Thinker;
use super::thinker::{Report, Task};
use crate::play::keys::Keys;
use crate::screen::view::Screen;
use go_mc::gtp::{Budget, Options};
use go_mc::search::Settings;
use go_mc::{Color, Move};
use std::collections::VecDeque;
use std::time::Duration;

/// An engine that finishes each task when it begins.
pub(super) struct InstantEngine {
    thinker: Thinker,
    reports: VecDeque<Report>,
}

impl Engine for InstantEngine {
    fn begin(&mut self, moves: &[Move], task: Task) {
        self.reports.clear();
        self.thinker.work(moves, task, &|| false, &mut |report| self.reports.push_back(report));
    }

    fn restart(&mut self, start: Start) {
        self.thinker.restart(start);
    }

    fn report(&mut self) -> Option<Report> {
        self.reports.pop_front()
    }
}

pub(super) fn options(size: usize, playouts: u64) -> Options {
    let search = Settings { max_nodes: 1 << 14, ..Settings::default() };
    let rules = go_mc::Size::square(size).expect("a size").into();
    Options { rules, budget: Budget::Playouts(playouts), search, ..Options::default() }
}

pub(super) fn game(size: usize, playouts: u64, user: Color) -> GameScreen<InstantEngine> {
    game_with(&options(size, playouts), user)
}

pub(super) fn game_with(options: &Options, user: Color) -> GameScreen<InstantEngine> {
    game_from(options, Start::empty(options).expect("a size"), user)
}

pub(super) fn game_from(options: &Options, start: Start, user: Color) -> GameScreen<InstantEngine> {
    let state = GameState::new(start.clone(), user);
    let engine =
        InstantEngine { thinker: Thinker::new(options.clone(), start), reports: VecDeque::new() };
    let mut game = GameScreen::new(state, options, Keys::usual(), engine, GameFile::Missing);
    game.advance(Duration::ZERO);
    game
}

pub(super) fn fuzzed(seed: u64) -> Box<dyn Screen> {
    let color = if seed.is_multiple_of(2) { Color::Black } else { Color::White };
    Box::new(game([5, 9][seed as usize / 2 % 2], 2, color))
}
