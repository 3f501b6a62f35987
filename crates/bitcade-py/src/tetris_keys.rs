//! Tetris key by key: the batch class.

use crate::class::env_class;
use crate::convert::{SeedArgument, argument, choose, shared, starts_error};
use crate::env::{Env, Options, PythonGames, new_batch, with_layout};
use crate::state;
use crate::tetris::{REWARDS, boards, cells};
use bitcore::batch::Format;
use numpy::PyArray1;
use pyo3::prelude::*;
use std::num::NonZeroU8;
use tetris::Rules;
use tetris::keys::{COLUMNS, KeysGame, KeysGames, KeysSettings, PLANES, ROWS};
use tetris::real_time::{Goal, Gravity, RealTimeRules, Timing};

impl PythonGames for KeysGames {
    fn board(game: &KeysGame) -> state::Board {
        cells(game.game().board())
    }

    fn text(game: &KeysGame) -> String {
        game.game().board().to_string()
    }

    fn arguments(settings: &KeysSettings) -> String {
        let KeysSettings { rules, frames, reward } = settings;
        let reward = format!("{reward:?}").to_lowercase();
        let hold = if rules.game.hold { "True" } else { "False" };
        format!(
            "frames={frames}, reward={reward:?}, level={}, hold={hold}, next={}",
            rules.start_level, rules.game.next
        )
    }
}

env_class! {
    /// A batch of real-time Tetris games, stepped together; a step taps one key and runs `frames` ticks of 1/60 s.
    ///
    /// Actions: 0 no key, 1 left, 2 right, 3 clockwise, 4 counterclockwise, 5 soft drop by one row, 6 hard drop, and
    /// with `hold` 7 hold. All are legal: a key that can't move the piece is no key, and the time passes. A game of
    /// random keys lasts about 110.
    ///
    /// `obs` is uint8, of shape `(num_envs, 4, 24, 10)`, each cell 0 or 1. The planes: locked cells (the top 4 rows are
    /// above the visible 20), the piece in play, its landing, and one of rows: 0 the piece in play and 1 the held piece,
    /// one-hot in the order I O T S Z J L (row 1, column 9: can be held now), from 2 on the preview, 17 the orientation;
    /// then numbers as bars of up to ten columns: 18 combo, 19 back-to-back chain, 20 lock delay and 21 its resets in
    /// tenths used, 22 tenths of a row fallen, 23 level, two a column.
    ///
    /// Args:
    ///     num_envs: The number of games, at least 0.
    ///     seed: An integer of at least 0 (game i plays stream i of the seed), a list with one per game, or `None`
    ///         for fresh entropy.
    ///     frames: The number of ticks per step, 1 to 255.
    ///     reward: The step's `score` (the guideline's points, with those of drops), `lines` cleared, or `attack`.
    ///     gravity: The number of ticks per row (0: pieces land at once), or `None` for the guideline's speed of each
    ///         level.
    ///     level: The first level.
    ///     lines_per_level: The number of lines after which the level rises; 0 for never.
    ///     lock_delay: The number of ticks after which a piece that has landed locks.
    ///     lock_resets: The number of moves that restart the lock delay of a piece.
    ///     goal: The number of lines after which a game terminates; `None` for no end but topping out.
    ///     hold: Whether a piece can be held.
    ///     next: The number of pieces in the preview, 0 to 15.
    ///     second_spawn_row: Whether a piece whose spawn is blocked spawns one row higher.
    ///     starts: Start boards of 0 and 1, integers of shape `(k, height, 10)`, top row first, with at most 40 rows and
    ///         room for every piece to spawn. Each new game draws one. By default boards are empty.
    ///     dtype: The type of the observations: `uint8`, or `float32` with the same values.
    ///     channels: Where the planes of an observation are: `first`, or `last`, of shape `(24, 10, planes)`.
    TetrisKeysBatch as "KeysBatch": "bitcade.tetris", KeysGames;

    #[new]
    #[pyo3(signature = (
        num_envs, *, seed=None, frames=1, reward="score", gravity=None, level=1, lines_per_level=10,
        lock_delay=30, lock_resets=15, goal=None, hold=true, next=5, second_spawn_row=true,
        max_episode_steps=None, starts=None, dtype="uint8", channels="first", autoreset_mode="SameStep", on_illegal="raise", num_threads=1,
    ))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments")]
    fn new(
        py: Python<'_>,
        #[pyo3(from_py_with = argument::num_envs)] num_envs: usize,
        seed: Option<SeedArgument>,
        #[pyo3(from_py_with = argument::frames)] frames: u8,
        reward: &str,
        #[pyo3(from_py_with = argument::gravity)] gravity: Option<u32>,
        #[pyo3(from_py_with = argument::level)] level: u32,
        #[pyo3(from_py_with = argument::lines_per_level)] lines_per_level: u32,
        #[pyo3(from_py_with = argument::lock_delay)] lock_delay: u32,
        #[pyo3(from_py_with = argument::lock_resets)] lock_resets: u32,
        #[pyo3(from_py_with = argument::goal)] goal: Option<u32>,
        hold: bool,
        #[pyo3(from_py_with = argument::next)] next: usize,
        second_spawn_row: bool,
        #[pyo3(from_py_with = argument::max_episode_steps)] max_episode_steps: Option<u32>,
        starts: Option<&Bound<'_, PyAny>>,
        dtype: &str,
        channels: &str,
        autoreset_mode: &str,
        on_illegal: &str,
        #[pyo3(from_py_with = argument::num_threads)] num_threads: usize,
    ) -> PyResult<Self> {
        let reward = choose("reward", reward, &REWARDS)?;
        let gravity = gravity.map_or(Gravity::Guideline, Gravity::TicksPerRow);
        let rules = RealTimeRules {
            game: Rules { hold, next, second_spawn_row, ..Rules::default() },
            timing: Timing { gravity, lock_delay, lock_resets, ..Timing::GUIDELINE },
            goal: goal.map_or(Goal::Endless, Goal::Lines),
            start_level: level,
            lines_per_level,
        };
        let frames = NonZeroU8::new(frames).unwrap_or(NonZeroU8::MIN);
        let settings = KeysSettings { rules, frames, reward };
        let is_memory = |error: &tetris::Error| matches!(error, tetris::Error::Games(_));
        let mut batch = new_batch::<KeysGames>(py, num_envs, settings, is_memory)?;
        if let Some(starts) = starts {
            batch.set_starts(boards(starts, 20)?).map_err(starts_error)?;
        }
        let format = Format { plane: ROWS * COLUMNS, ..Format::default() };
        let (obs_shape, format) = with_layout(vec![PLANES, ROWS, COLUMNS], format, dtype, channels)?;
        let options =
            Options { autoreset_mode, on_illegal, max_episode_steps, num_threads, obs_shape, format, seed };
        Ok(Self { env: Env::new(py, batch, options)? })
    }

    /// Returns the points of each current game: uint64.
    fn scores<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let scores = shared(slf)?.env.views().map(|game| game.game().score()).collect();
        Ok(PyArray1::from_vec(slf.py(), scores))
    }

    /// Returns the lines cleared in each current game: uint64.
    fn lines<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let lines = shared(slf)?.env.views().map(|game| game.game().lines()).collect();
        Ok(PyArray1::from_vec(slf.py(), lines))
    }
}
