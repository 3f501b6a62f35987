//! [`Session`]: games of one mode, one after the other, with their clock.

use super::cells::Cells;
use super::names;
use super::opponent::Opponent;
use crate::play::best_scores::BestScores;
use bitcore::Rng;
use std::time::Duration;
use tetris::Attack;
use tetris::real_time::{End, Event, Handling, Key, RealTimeGame, RealTimeRules};

/// The ticks in a second.
pub(super) const TICKS: u32 = 60;
/// The time between the start and the first tick.
const READY: Duration = Duration::from_secs(1);
/// The longest time that is caught up after the machine was busy or asleep.
const MAX_LAG: Duration = Duration::from_millis(250);
/// The shortest time between two hard drops by a terminal without releases, which repeats a held key.
const HARD_DROP_PAUSE: Duration = Duration::from_millis(100);
/// The ticks for which the words of a clear are shown.
const WORDS_SHOWN: u64 = 90;

/// The kind of game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Mode {
    /// Endless, with a level for each ten lines
    Marathon,
    /// Forty lines against the clock
    Sprint,
    /// Against the bot, with garbage both ways
    #[value(name = "versus")]
    Battle,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    pub(super) mode: Mode,
    pub(super) rules: RealTimeRules,
    pub(super) handling: Handling,
    /// The placements that the bot searches for each piece, and the ticks that it takes for one.
    pub(super) nodes: u64,
    pub(super) interval: u32,
    pub(super) key_releases: bool,
}

/// The keys pressed before the first tick that act in it.
#[derive(Default)]
struct EarlyKeys {
    hold: bool,
    /// The rotation pressed last.
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

/// The stage of a game, between which keys and time switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Running,
    /// The clock stands still since a time.
    Paused(Duration),
    /// The player is asked whether to start anew, and the clock stands still.
    Asking(Duration),
    Over(GameResult),
}

/// Games of one mode.
pub(super) struct Session {
    pub(super) settings: Settings,
    pub(super) seed: u64,
    pub(super) game: RealTimeGame,
    pub(super) cells: Cells,
    /// The field before the last lines were cleared, with one bit for each of them.
    pub(super) cleared: (Cells, u64),
    pub(super) opponent: Option<Opponent>,
    pub(super) phase: Phase,
    /// `true` if the last game that ended is the best one so far.
    pub(super) is_best: bool,
    pub(super) best: BestScores,
    /// The words for the last clear, and the tick in which it was.
    words: (u64, Vec<String>),
    /// The seeds of the games after the first one.
    seeds: Rng,
    /// The columns of the holes of all garbage.
    holes: Rng,
    /// The time of the first tick, moved on by pauses.
    start: Duration,
    now: Duration,
    last_hard_drop: Option<Duration>,
    early: EarlyKeys,
    events: Vec<Event>,
}

impl Session {
    pub(super) fn new(settings: Settings, seed: u64, best: BestScores) -> Self {
        let mut session = Self {
            settings,
            seed,
            game: RealTimeGame::new(settings.rules, settings.handling, seed),
            cells: Cells::default(),
            cleared: (Cells::default(), 0),
            opponent: None,
            phase: Phase::Running,
            is_best: false,
            best,
            words: (0, Vec::new()),
            seeds: Rng::stream(seed, 2),
            holes: Rng::new(seed),
            start: Duration::ZERO,
            now: Duration::ZERO,
            last_hard_drop: None,
            early: EarlyKeys::default(),
            events: Vec::new(),
        };
        session.begin(seed);
        session
    }

    /// Begins a game. Both sides of a versus game get the same pieces.
    fn begin(&mut self, seed: u64) {
        let Settings { mode, rules, handling, nodes, interval, .. } = self.settings;
        self.seed = seed;
        self.game = RealTimeGame::new(rules, handling, seed);
        self.cells = Cells::default();
        self.opponent = (mode == Mode::Battle).then(|| Opponent::new(seed, rules.game, nodes, interval));
        self.phase = Phase::Running;
        self.is_best = false;
        self.words = (0, Vec::new());
        self.early = EarlyKeys::default();
        self.holes = Rng::stream(seed, 1);
        self.start = self.now + READY;
    }

    fn next_tick(&self) -> Duration {
        self.start + Duration::from_nanos(self.game.ticks() * 1_000_000_000 / u64::from(TICKS))
    }

    /// Returns the time of the next change, or `None` while the clock stands still.
    pub(super) fn next_change(&self) -> Option<Duration> {
        (self.phase == Phase::Running).then(|| self.next_tick())
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
        if self.game.ticks() == 0 {
            self.act_on_early_keys();
        }
        self.game.tick(&mut events);
        for event in &events {
            if let Event::Locked(lock) = event {
                self.cells.place(lock.placement.at);
                if lock.full_rows != 0 {
                    self.cleared = (self.cells.clone(), lock.full_rows);
                }
                // A second lock in the same tick finds the holes of the board after both.
                self.cells.finish_lock(lock.full_rows, lock.result.garbage_rows, self.game.board());
                let words = names::words(lock);
                if !words.is_empty() {
                    self.words = (self.game.ticks(), words);
                }
                if let (Some(bot), lines @ 1..) = (&mut self.opponent, lock.result.sent) {
                    bot.receive(Attack { lines, column: self.holes.below(10) as u8 });
                }
            }
        }
        self.events = events;
        if let Some(bot) = &mut self.opponent {
            if let lines @ 1.. = bot.tick() {
                let column = self.holes.below(10) as u8;
                // After its end the player's game takes no attacks.
                let _ = self.game.receive(Attack { lines, column });
            }
            if self.game.end().is_some() {
                self.end(GameResult::Lost);
            } else if bot.is_over() {
                self.end(GameResult::Won);
            }
        } else if let Some(end) = self.game.end() {
            self.end(if end == End::Finished { GameResult::Finished } else { GameResult::ToppedOut });
        }
    }

    fn end(&mut self, outcome: GameResult) {
        self.phase = Phase::Over(outcome);
        self.is_best = match (self.settings.mode, outcome) {
            (Mode::Marathon, _) => self.game.score() > 0 && self.best.add(self.game.score()),
            (_, GameResult::Finished | GameResult::Won) => self.best.add(self.milliseconds()),
            _ => false,
        };
    }

    /// Returns the time of play.
    pub(super) fn milliseconds(&self) -> u64 {
        self.game.ticks() * 1000 / u64::from(TICKS)
    }

    /// Returns `true` before the first tick.
    pub(super) fn is_ready(&self) -> bool {
        self.phase == Phase::Running && self.now < self.start
    }

    /// Returns the words for the last clear while they are shown.
    pub(super) fn words(&self) -> &[String] {
        let (since, words) = &self.words;
        if self.game.ticks() - since < WORDS_SHOWN { words } else { &[] }
    }

    /// Returns `true` if a game is running whose loss would be a pity.
    pub(super) fn in_play(&self) -> bool {
        !matches!(self.phase, Phase::Over(_)) && self.game.game().pieces() > 0
    }

    pub(super) fn press(&mut self, key: Key) {
        if self.phase != Phase::Running {
            return;
        }
        if self.is_ready() {
            self.press_early(key);
        } else if self.settings.key_releases {
            // The release may have been lost, in a question for example.
            self.game.release(key);
            self.game.press(key);
        } else {
            if key == Key::HardDrop {
                let last = self.last_hard_drop.replace(self.now);
                if last.is_some_and(|last| self.now.saturating_sub(last) < HARD_DROP_PAUSE) {
                    return;
                }
            }
            self.game.tap(key);
        }
    }

    /// Remembers a key for the first spawn: initial rotation, initial hold, and moves that are held.
    fn press_early(&mut self, key: Key) {
        match key {
            Key::Hold => self.early.hold = true,
            Key::Cw | Key::Ccw => self.early.rotation = Some(key),
            Key::Left | Key::Right | Key::SoftDrop if self.settings.key_releases => {
                self.early.held.retain(|&held| held != key);
                self.early.held.push(key);
            }
            Key::Left | Key::Right | Key::SoftDrop | Key::HardDrop => {}
        }
    }

    fn act_on_early_keys(&mut self) {
        let EarlyKeys { hold, rotation, held } = std::mem::take(&mut self.early);
        // The rotation is that of the piece that a hold brings.
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

    /// Stops the clock, or lets it run again.
    pub(super) fn pause(&mut self) {
        match self.phase {
            Phase::Running => self.phase = Phase::Paused(self.now),
            Phase::Paused(since) => self.resume(since),
            Phase::Asking(_) | Phase::Over(_) => {}
        }
    }

    fn resume(&mut self, since: Duration) {
        self.start += self.now.saturating_sub(since);
        self.phase = Phase::Running;
    }

    /// Begins a new game, after a question if one is running.
    pub(super) fn restart(&mut self) {
        if self.in_play() {
            let since = match self.phase {
                Phase::Paused(since) | Phase::Asking(since) => since,
                _ => self.now,
            };
            self.phase = Phase::Asking(since);
        } else {
            self.restart_now();
        }
    }

    fn restart_now(&mut self) {
        let seed = self.seeds.next_u64();
        self.begin(seed);
    }

    /// Answers the question. Returns `false` if there was none.
    pub(super) fn answer(&mut self, yes: bool) -> bool {
        let Phase::Asking(since) = self.phase else { return false };
        if yes {
            self.restart_now();
        } else {
            self.resume(since);
        }
        true
    }
}
