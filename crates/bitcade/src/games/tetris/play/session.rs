//! [`Session`]: consecutive games of one mode, with their clock.

use super::act::Act;
use super::names;
use super::opponent::Opponent;
use super::repeats::Repeats;
use crate::games::tetris::cells::Cells;
use crate::play::best_scores::BestScores;
use crate::play::keys::Keys;
use bitcore::Rng;
use std::time::Duration;
use tetris::Attack;
use tetris::real_time::{End, Event, Handling, Key, Lock, RealTimeGame, RealTimeRules};

/// The ticks per second: handling is set, and times are measured, in milliseconds.
pub(super) const TICKS: u32 = 1000;
/// The ticks between two changes of the picture, some sixty per second. Ticks in between run later,
/// but not otherwise: an input first catches up.
const PICTURE: u64 = 16;
/// The time before the first tick, and before a paused game resumes.
const READY: Duration = Duration::from_secs(1);
const COUNTDOWN: Duration = Duration::from_secs(3);
/// The maximum time to catch up after the machine was busy or asleep.
const MAX_LAG: Duration = Duration::from_millis(250);
/// In survival, the ticks before the first row of garbage; each next one comes after
/// [`FASTER`] ticks less than the one before, but not after less than [`LEAST`].
const FIRST_ROW: u64 = 5000;
const FASTER: u64 = 40;
const LEAST: u64 = 800;
/// The pieces that practice can take back.
const MOST_UNDONE: usize = 100;
/// The ticks for which the words of a clear are shown.
const WORDS_SHOWN: u64 = 1500;

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Mode {
    /// Endless, with a new level every ten lines
    Marathon,
    /// Forty lines against the clock, or as many as --lines says
    Sprint,
    /// As many points as possible in two minutes
    Ultra,
    /// As long as possible while garbage rises, faster and faster
    Survival,
    /// Without a score to keep; u takes pieces back
    Practice,
    /// Against the bot, with garbage both ways
    #[value(name = "versus")]
    Battle,
}

impl Mode {
    /// Returns whether the result is the score, not a time.
    pub(super) fn counts_points(self) -> bool {
        matches!(self, Self::Marathon | Self::Ultra)
    }

    /// Returns whether the clock counts, so that nobody may think while it stands.
    pub(super) fn is_timed(self) -> bool {
        !matches!(self, Self::Marathon | Self::Practice)
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    pub(super) mode: Mode,
    pub(super) rules: RealTimeRules,
    pub(super) handling: Handling,
    /// The placements that the bot searches for each piece, and the ticks it takes per piece.
    pub(super) nodes: u64,
    pub(super) interval: u32,
    pub(super) key_releases: bool,
}

/// The keys pressed before the first tick, or before the first tick after a pause, which act in it.
#[derive(Default)]
struct EarlyKeys {
    hold: bool,
    rotation: Option<Key>,
    /// The keys that are still held, if releases are reported.
    held: Vec<Key>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GameResult {
    ToppedOut,
    Finished,
    Won,
    Lost,
}

/// The stage of a game. The clock only runs in the first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Running,
    Paused,
    /// Asking the player whether to start a new game.
    Asking,
    Over(GameResult),
}

pub(super) struct Session {
    pub(super) settings: Settings,
    pub(super) keys: Keys<Act>,
    pub(super) seed: u64,
    pub(super) game: RealTimeGame,
    pub(super) cells: Cells,
    /// The field before the last clear, with one bit for each cleared line.
    pub(super) cleared: (Cells, u64),
    pub(super) opponent: Option<Opponent>,
    /// The lines of attack.
    pub(super) attack: u64,
    /// In survival, the rows of garbage that have come, and the tick of the next one.
    rows: (u64, u64),
    /// In practice, the game when each piece came.
    history: Vec<(RealTimeGame, Cells)>,
    pub(super) phase: Phase,
    /// `true` if the last finished game set a new best result.
    pub(super) is_best: bool,
    pub(super) best: BestScores,
    /// The words for the last clear, and its tick.
    words: (u64, Vec<String>),
    /// The hole columns of all garbage.
    holes: Rng,
    /// The time of the first tick, shifted by pauses.
    start: Duration,
    /// The time at which the game begins or resumes.
    ready: Duration,
    /// `true` if the game has been paused.
    was_paused: bool,
    now: Duration,
    hard_drops: Repeats,
    early: EarlyKeys,
    events: Vec<Event>,
}

impl Session {
    pub(super) fn new(settings: Settings, keys: Keys<Act>, seed: u64, best: BestScores) -> Self {
        Self::begin(settings, keys, seed, best, Duration::ZERO)
    }

    /// Starts a game. Both sides of a versus game get the same pieces.
    fn begin(
        settings: Settings,
        keys: Keys<Act>,
        seed: u64,
        best: BestScores,
        now: Duration,
    ) -> Self {
        let Settings { mode, rules, handling, nodes, interval, .. } = settings;
        Self {
            settings,
            keys,
            seed,
            game: RealTimeGame::new(rules, handling, seed),
            cells: Cells::default(),
            cleared: (Cells::default(), 0),
            opponent: (mode == Mode::Battle)
                .then(|| Opponent::new(seed, rules.game, nodes, interval)),
            attack: 0,
            rows: (0, FIRST_ROW),
            history: Vec::new(),
            phase: Phase::Running,
            is_best: false,
            best,
            words: (0, Vec::new()),
            holes: Rng::stream(seed, 1),
            start: now + READY,
            ready: now + READY,
            was_paused: false,
            now,
            hard_drops: Repeats::default(),
            early: EarlyKeys::default(),
            events: Vec::new(),
        }
    }

    fn next_tick(&self) -> Duration {
        self.time_of(self.game.ticks())
    }

    fn time_of(&self, tick: u64) -> Duration {
        self.start + Duration::from_nanos(tick * 1_000_000_000 / u64::from(TICKS))
    }

    /// `None` while the clock is stopped.
    pub(super) fn next_change(&self) -> Option<Duration> {
        let counted = self
            .countdown()
            .map(|seconds| self.ready.saturating_sub(Duration::from_secs(seconds - 1)));
        let next_picture = self.game.ticks().next_multiple_of(PICTURE);
        (self.phase == Phase::Running)
            .then(|| counted.unwrap_or_else(|| self.time_of(next_picture)))
    }

    /// Returns whether field, hold and preview are visible. They are hidden while the clock is
    /// stopped; only a game whose time doesn't count shows them in the countdown after a pause.
    pub(super) fn shows_game(&self) -> bool {
        let waits = self.settings.mode.is_timed() && self.was_paused && self.countdown().is_some();
        !waits && !matches!(self.phase, Phase::Paused | Phase::Asking)
    }

    /// Returns the seconds, from 1, until the game begins or resumes.
    pub(super) fn countdown(&self) -> Option<u64> {
        let waits = self.phase == Phase::Running && self.now < self.ready;
        waits.then(|| self.ready.saturating_sub(self.now).as_nanos().div_ceil(1_000_000_000) as u64)
    }

    pub(super) fn advance(&mut self, now: Duration) {
        self.now = now;
        if self.phase == Phase::Running {
            self.start += now.saturating_sub(self.next_tick()).saturating_sub(MAX_LAG);
        }
        while self.phase == Phase::Running && self.next_tick() <= now {
            self.tick();
        }
    }

    fn tick(&mut self) {
        let mut events = std::mem::take(&mut self.events);
        events.clear();
        self.act_on_early_keys();
        match self.settings.mode {
            Mode::Practice => self.remember(),
            Mode::Survival => self.raise_garbage(),
            _ => {}
        }
        self.game.tick(&mut events);
        for event in &events {
            if let Event::Locked(lock) = event {
                self.take_lock(lock);
            }
        }
        if !events.is_empty() {
            self.cells.dig_holes(self.game.board());
        }
        self.events = events;
        if let Some(bot) = &mut self.opponent {
            if let lines @ 1.. = bot.tick() {
                let column = self.holes.below(10) as u8;
                // A finished game takes no attacks.
                let _ = self.game.receive(Attack { lines, column });
            }
            if self.game.end().is_some() {
                self.end(GameResult::Lost);
            } else if bot.is_over() {
                self.end(GameResult::Won);
            }
        } else if let Some(end) = self.game.end() {
            self.end(if end == End::Finished {
                GameResult::Finished
            } else {
                GameResult::ToppedOut
            });
        }
    }

    fn raise_garbage(&mut self) {
        let (rows, next) = self.rows;
        if self.game.ticks() >= next {
            let wait = FIRST_ROW.saturating_sub(FASTER * (rows + 1)).max(LEAST);
            self.rows = (rows + 1, next + wait);
            let column = self.holes.below(10) as u8;
            // A finished game takes no garbage.
            let _ = self.game.receive(Attack { lines: 1, column });
        }
    }

    /// Keeps the game if a piece has come.
    fn remember(&mut self) {
        let pieces = self.game.game().pieces();
        let is_known = |(game, _): &(RealTimeGame, Cells)| game.game().pieces() == pieces;
        if self.game.falling().is_some() && !self.history.last().is_some_and(is_known) {
            // A game grows with its recording.
            if self.history.len() == MOST_UNDONE {
                self.history.remove(0);
            }
            self.history.push((self.game.clone(), self.cells.clone()));
        }
    }

    /// Takes back a piece in practice: the game goes on from the moment in which it came.
    pub(super) fn undo(&mut self) {
        if matches!(self.phase, Phase::Paused | Phase::Asking) || self.countdown().is_some() {
            return;
        }
        let pieces = self.game.game().pieces();
        if self.history.len() > 1 {
            self.history.retain(|(game, _)| game.game().pieces() < pieces);
        }
        let Some((game, cells)) = self.history.last().cloned() else { return };
        let played = self.time_of(game.ticks()).saturating_sub(self.start);
        self.start = self.now.saturating_sub(played);
        (self.game, self.cells) = (game, cells);
        for key in Key::ALL {
            self.game.release(key);
        }
        self.words = (0, Vec::new());
        self.phase = Phase::Running;
    }

    fn take_lock(&mut self, lock: &Lock) {
        self.attack += u64::from(lock.result.attack);
        let at = lock.placement.at;
        self.cells.place(at.piece, at.cells());
        if lock.full_rows != 0 {
            self.cleared = (self.cells.clone(), lock.full_rows);
        }
        self.cells.shift(lock.full_rows, lock.result.garbage_rows);
        let words = names::words(lock);
        if !words.is_empty() {
            self.words = (self.game.ticks(), words);
        }
        if let (Some(bot), lines @ 1..) = (&mut self.opponent, lock.result.sent) {
            bot.receive(Attack { lines, column: self.holes.below(10) as u8 });
        }
    }

    fn end(&mut self, outcome: GameResult) {
        self.phase = Phase::Over(outcome);
        let mode = self.settings.mode;
        let counts = match outcome {
            GameResult::Finished | GameResult::Won => true,
            GameResult::ToppedOut => mode == Mode::Survival,
            GameResult::Lost => false,
        };
        if counts {
            let points = mode.counts_points();
            let result = if points { self.game.score() } else { self.milliseconds() };
            self.is_best = self.best.add(result);
        }
        self.keep_score();
    }

    /// Saves the score of a marathon, which counts however it ends. Other games count when they are
    /// finished, survived or won.
    pub(super) fn keep_score(&mut self) {
        let score = self.game.score();
        if self.settings.mode == Mode::Marathon && score > 0 {
            self.is_best |= self.best.add(score);
        }
    }

    pub(super) fn milliseconds(&self) -> u64 {
        self.game.ticks() * 1000 / u64::from(TICKS)
    }

    pub(super) fn words(&self) -> &[String] {
        let (since, words) = &self.words;
        if self.game.ticks() - since < WORDS_SHOWN { words } else { &[] }
    }

    /// Returns whether a game is in progress, and quitting needs confirmation.
    pub(super) fn in_play(&self) -> bool {
        !matches!(self.phase, Phase::Over(_)) && self.game.game().pieces() > 0
    }

    pub(super) fn press(&mut self, key: Key) {
        if self.phase != Phase::Running {
            return;
        }
        if key != Key::HardDrop {
            // The terminal repeats only the last key.
            self.hard_drops = Repeats::default();
        }
        if self.countdown().is_some() {
            self.press_early(key);
        } else if self.settings.key_releases {
            // The release may have been lost.
            self.game.release(key);
            self.game.press(key);
        } else if key != Key::HardDrop || !self.hard_drops.is_repeat(self.now) {
            self.game.tap(key);
        }
    }

    fn press_early(&mut self, key: Key) {
        match key {
            Key::Hold => self.early.hold = true,
            Key::Cw | Key::Ccw | Key::Half => self.early.rotation = Some(key),
            Key::Left | Key::Right | Key::SoftDrop if self.settings.key_releases => {
                self.early.held.retain(|&held| held != key);
                self.early.held.push(key);
            }
            Key::Left | Key::Right | Key::SoftDrop | Key::HardDrop => {}
        }
    }

    fn act_on_early_keys(&mut self) {
        let EarlyKeys { hold, rotation, held } = std::mem::take(&mut self.early);
        // The rotation applies to the piece that the hold brings.
        for key in hold.then_some(Key::Hold).into_iter().chain(rotation) {
            self.game.tap(key);
        }
        for key in held {
            self.game.press(key);
        }
    }

    pub(super) fn release(&mut self, key: Key) {
        self.early.held.retain(|&held| held != key);
        self.game.release(key);
    }

    pub(super) fn toggle_pause(&mut self) {
        match self.phase {
            Phase::Running => self.stop(Phase::Paused),
            Phase::Paused => self.resume(),
            Phase::Asking | Phase::Over(_) => {}
        }
    }

    /// Key releases may get lost from now on.
    pub(super) fn stop(&mut self, phase: Phase) {
        if !matches!(self.phase, Phase::Over(_)) {
            self.phase = phase;
            self.early.held.clear();
            for key in Key::ALL {
                self.game.release(key);
            }
        }
    }

    fn resume(&mut self) {
        self.was_paused = true;
        self.ready = self.now + COUNTDOWN;
        self.start += self.ready.saturating_sub(self.next_tick());
        self.phase = Phase::Running;
    }

    /// Restarts a short game at once, as its players do after a bad start; asks in the other modes.
    pub(super) fn restart(&mut self) {
        let is_short = matches!(self.settings.mode, Mode::Sprint | Mode::Ultra | Mode::Practice);
        let asks = self.in_play() && !is_short;
        if asks { self.stop(Phase::Asking) } else { self.restart_now() }
    }

    fn restart_now(&mut self) {
        self.keep_score();
        let seed = Rng::stream(self.seed, 2).next_u64();
        *self = Self::begin(self.settings, self.keys.clone(), seed, self.best.clone(), self.now);
    }

    pub(super) fn answer(&mut self, yes: bool) {
        if yes { self.restart_now() } else { self.resume() }
    }
}
