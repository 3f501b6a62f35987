//! Tetris in real time, key by key.

use crate::border::{Failure, Object, Reply, add, with, write};
use serde::Serialize;
use tetris::real_time::{Event, Handling, Key, RealTimeGame, RealTimeRules};
use tetris::{Attack, Board, Location, Piece};

/// A minute of ticks.
const MAX_TICKS: u32 = 3600;

impl Object for RealTimeGame {
    const NAME: &str = "a real-time game of Tetris";
}

/// What a screen shows after some ticks.
#[derive(Serialize)]
struct Screen {
    board: Board,
    falling: Option<Shown>,
    /// The garbage that waits.
    garbage: u32,
    ghost: Option<Shown>,
    held: Option<Piece>,
    is_over: bool,
    level: u32,
    lines: u64,
    next: Vec<Piece>,
    score: u64,
    /// The lines sent to the opponent during these ticks.
    sent: u32,
}

#[derive(Serialize)]
struct Shown {
    cells: [(i32, i32); 4],
    piece: Piece,
}

impl From<Location> for Shown {
    fn from(at: Location) -> Self {
        Self { cells: at.cells(), piece: at.piece }
    }
}

fn with_game<T>(handle: i64, use_it: impl FnOnce(&mut RealTimeGame) -> Reply<T>) -> Reply<T> {
    with(handle, |game, _| use_it(game))
}

fn key(number: u32) -> Reply<Key> {
    // SRS has no half turns.
    let found = Key::ALL.get(number as usize).copied().filter(|&key| key != Key::Half);
    found.ok_or_else(|| Failure::new(format!("key {number}: expected 0 to 6")))
}

exports! {
    /// Starts a game.
    fn bitcade_realtime_new(seed: u64) -> i64 {
        add(RealTimeGame::new(RealTimeRules::default(), Handling::default(), seed))
    }

    /// Presses or releases a key.
    fn bitcade_realtime_key(game: i64, key: u32, down: u32) -> i64 {
        let key = self::key(key)?;
        with_game(game, |game| {
            if down == 0 {
                game.release(key);
            } else {
                game.press(key);
            }
            Ok(0)
        })
    }

    /// Receives lines of garbage.
    fn bitcade_realtime_receive(game: i64, lines: u32, column: u32) -> i64 {
        // The game refuses column 255.
        let attack = Attack { lines, column: u8::try_from(column).unwrap_or(u8::MAX) };
        with_game(game, |game| {
            game.receive(attack)?;
            Ok(0)
        })
    }

    /// Runs ticks and writes the screen as JSON.
    fn bitcade_realtime_tick(game: i64, ticks: u32) -> i64 {
        if ticks > MAX_TICKS {
            return Err(Failure::new(format!("{ticks} ticks: expected at most {MAX_TICKS}")));
        }
        with_game(game, |game| {
            let mut events = Vec::new();
            for _ in 0..ticks {
                game.tick(&mut events);
            }
            let sent = |event: &Event| match event {
                Event::Locked(lock) => lock.result.sent,
                _ => 0,
            };
            let screen = Screen {
                board: *game.board(),
                falling: game.falling().map(Shown::from),
                garbage: game.game().garbage().iter().map(|attack| attack.lines).sum(),
                ghost: game.ghost().map(Shown::from),
                held: game.held(),
                is_over: game.end().is_some(),
                level: game.level(),
                lines: game.lines(),
                next: game.next().to_vec(),
                score: game.score(),
                sent: events.iter().map(sent).sum(),
            };
            write(&serde_json::to_vec(&screen)?)
        })
    }
}
