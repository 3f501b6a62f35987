//! Tetris key by key: the batch class.

use crate::class::env_class;
use crate::convert::choose;
use crate::env::Shown;
use crate::state::{self, PythonGames};
use crate::tetris::{REWARDS, boards, cells, rules};
use pyo3::prelude::*;
use std::num::NonZeroU8;
use tetris::keys::{COLUMNS, KeysGame, KeysGames, KeysSettings, ROWS};
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

    fn is_memory(error: &Self::Error) -> bool {
        matches!(error, tetris::Error::Games(_))
    }
}

env_class! {
    /// A batch of real-time Tetris games, stepped together; a step taps one key and runs `frames`
    /// ticks of 1/60 s.
    ///
    /// Actions: 0 no key, 1 left, 2 right, 3 clockwise, 4 counterclockwise, 5 soft drop by one row,
    /// 6 hard drop, then with `hold` hold, and under `srs-plus` and `srs-x` a half turn. All are
    /// legal: a key that can't move the piece is no key, and the time passes. A game of random keys
    /// lasts about 110.
    ///
    /// `obs` is uint8, of shape `(num_envs, 4, 24, 10)`, each cell 0 or 1. The planes: locked cells
    /// (the top 4 rows are above the visible 20), the piece in play, its landing, and one of rows:
    /// 0 the piece in play and 1 the held piece, one-hot in the order I O T S Z J L (row 1, column
    /// 9: can be held now), from 2 on the preview, 17 the orientation; then numbers as bars of up
    /// to ten columns: 18 combo, 19 back-to-back chain, 20 lock delay and 21 its resets in tenths
    /// used, 22 tenths of a row fallen, 23 level, two a column.
    TetrisKeysBatch as "KeysBatch": "bitcade.tetris", KeysGames;

    new(py, keywords;
        *;
        /// The number of ticks per step, 1 to 255.
        frames "int": u8 = 1 in 1 to 255;
        /// The step's `score` (the guideline's points, with those of drops), `lines` cleared, or
        /// `attack`.
        reward "'lines' | 'attack' | 'score'": &str = "score";
        /// The number of ticks per row (0: pieces land at once), or `None` for the guideline's
        /// speed of each level.
        gravity "int | None": Option<u32> = None in 0 to u32::MAX;
        /// The first level.
        level "int": u32 = 1 in 1 to u32::MAX;
        /// The number of lines after which the level rises; 0 for never.
        lines_per_level "int": u32 = 10 in 0 to u32::MAX;
        /// The number of ticks after which a piece that has landed locks.
        lock_delay "int": u32 = 30 in 0 to u32::MAX;
        /// The number of moves that restart the lock delay of a piece.
        lock_resets "int": u32 = 15 in 0 to u32::MAX;
        /// The number of lines after which a game terminates; `None` for no end but topping out.
        goal "int | None": Option<u32> = None in 1 to u32::MAX;
        /// Whether a piece can be held.
        hold "bool": bool = true;
        /// The number of pieces in the preview, 0 to 15.
        next "int": usize = 5 in 0 to 15;
        /// Whether a piece whose spawn is blocked spawns one row higher.
        second_spawn_row "bool": bool = true;
        /// The kicks: `srs` of the guideline, or `srs-plus` and `srs-x` of TETR.IO, with half turns.
        rotation "'srs' | 'srs-plus' | 'srs-x'": &str = "srs";
        /// What spins count: those of a T, or also every piece that can't move back as a mini, which
        /// TETR.IO calls all-mini+.
        spins "'none' | 't-spins' | 'all-mini'": &str = "t-spins";
        starts:
        /// Start boards of 0 and 1, integers of shape `(k, height, 10)`, top row first, with at
        /// most 40 rows and room for every piece to spawn. Each new game draws one. By default
        /// boards are empty.
    ) {
        let rules = RealTimeRules {
            game: rules(hold, next, second_spawn_row, rotation, spins)?,
            timing: Timing {
                gravity: gravity.map_or(Gravity::Guideline, Gravity::TicksPerRow),
                lock_delay,
                lock_resets,
                ..Timing::GUIDELINE
            },
            goal: goal.map_or(Goal::Endless, Goal::Lines),
            start_level: level,
            lines_per_level,
        };
        let frames = NonZeroU8::new(frames).unwrap_or(NonZeroU8::MIN);
        let settings = KeysSettings { rules, frames, reward: choose("reward", reward, &REWARDS)? };
        Env::new(py, keywords, settings, Shown::new([0, ROWS, COLUMNS]), |starts, _| boards(starts, 20))
    }

    /// Returns the points of each current game: uint64.
    ///
    /// Returns:
    ///     NDArray[uint64]
    fn scores<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        shared(slf)?.env.each(slf.py(), |game| game.game().score())
    }

    /// Returns the lines cleared in each current game: uint64.
    ///
    /// Returns:
    ///     NDArray[uint64]
    fn lines<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        shared(slf)?.env.each(slf.py(), |game| game.game().lines())
    }
}
