//! Match-3 levels in files, as an environment: the batch class.

use crate::class::env_class;
use crate::convert::value_error;
use crate::env::Shown;
use crate::input::boards_of;
use crate::match3_level::level_of;
use crate::state::{self, PythonGames};
use match3::Error;
use match3::level::{
    Content, Cover, Ground, Kind, LevelCell, LevelGames, LevelPlace, LevelRules, LevelSave,
};
use numpy::{PyArray2, PyArrayMethods};
use pyo3::prelude::*;

/// Returns three characters for a cell: a lock or ice, the content, and a mark for a special piece.
fn text_of(cell: LevelCell) -> [char; 3] {
    match (cell.ground, cell.content) {
        (Ground::Wall, _) => [' ', '#', ' '],
        (Ground::Void, _) => [' ', '_', ' '],
        (Ground::Open, Content::Empty) => [' ', '.', ' '],
        (Ground::Open, Content::Crate(_)) => [' ', 'c', ' '],
        (Ground::Open, Content::Item) => [' ', 'i', ' '],
        (Ground::Open, Content::Piece { color, special, cover }) => {
            let covered = if cover == Cover::None { ' ' } else { '!' };
            let piece = char::from_digit(color.into(), 16).unwrap_or('?').to_ascii_uppercase();
            let mark = special.map_or(' ', |kind| match kind {
                Kind::Row => '-',
                Kind::Column => '|',
                Kind::Bomb => '*',
                Kind::Color => '@',
                Kind::Square => '+',
            });
            [covered, piece, mark]
        }
    }
}

impl PythonGames for LevelGames {
    fn board(place: &LevelPlace) -> state::Board {
        let game = place.game();
        let board = game.board();
        state::Board { cells: board.numbers(), width: board.width() }
    }

    fn text(place: &LevelPlace) -> String {
        let game = place.game();
        let board = game.board();
        let cells: Vec<[char; 3]> = board.cells().map(text_of).collect();
        let line = |row: &[[char; 3]]| {
            let line: String = row.iter().flatten().collect();
            line.trim_end().to_owned()
        };
        let lines: Vec<String> = cells.chunks(board.width()).map(line).collect();
        lines.join("\n")
    }

    fn arguments(rules: &LevelRules) -> String {
        let text = rules.level().to_toml();
        format!(
            "level=bitcade.match3.Level.parse('{}'), goal_reward={}",
            text.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n"),
            rules.goal_reward()
        )
    }

    fn is_memory(error: &Self::Error) -> bool {
        matches!(error, Error::Games(_))
    }
}

fn start_boards(boards: &Bound<'_, PyAny>, rules: &LevelRules) -> PyResult<Vec<LevelSave>> {
    let level = rules.level();
    let start = |(index, numbers): (usize, Vec<u8>)| {
        LevelSave::start(level, &numbers)
            .ok_or_else(|| value_error(format!("starts: board {index}: not the level's cells")))
    };
    let shape = [level.height(), level.width()];
    boards_of("starts", boards, &shape)?.into_iter().enumerate().map(start).collect()
}

env_class! {
    /// A batch of games of a level in a file, stepped together: everything that a level file can
    /// say, except a limit of time.
    ///
    /// `obs` is uint8, of shape `(num_envs, 13 + colors + goals, height, width)`: planes of 0 and 1
    /// for row, column, bomb, color and square pieces and for locks; the layers of ice and of a
    /// crate; 1 for an item; the layers of jelly; 1 for a wall, for a void; the number of moves left
    /// in every cell (at most 255); a plane of 0 and 1 per color; and per goal, in the order of the
    /// file, the part that is left in every cell, from 255 down to 0. Actions are those of `Batch`.
    /// The reward is the points of the move, with the level's bonus for moves left, and
    /// `goal_reward` for each goal that it reaches.
    LevelBatch as "LevelBatch": "bitcade.match3", LevelGames;

    new(py, keywords;
        /// The level, or the text of its file.
        level "Level | str": &Bound<'_, PyAny>;
        *;
        /// The reward for each goal, added to the points of the move that reaches it.
        goal_reward "int": u32 = 10_000 in 0 to u32::MAX;
        starts:
        /// Start boards in the numbers of `board()`, integers of shape `(k, height, width)`: the
        /// color, plus 16 for a row, 32 for a column, 48 for a bomb, 64 for a color and 80 for a
        /// square piece, plus 128 with a lock or ice; 16 for a wall, 32 for a void, 48 for a crate,
        /// 64 for an item, 0 for nothing. All but the colors and the kinds of the pieces is as in
        /// the level. No three of a color lie in a row, and a swap is legal. Each new game draws
        /// one. By default the level is dealt.
    ) {
        let rules = LevelRules::new(level_of(level)?, goal_reward)
            .map_err(|error| value_error(format!("level: {error}")))?;
        let layout = Shown::new([0, rules.level().height(), rules.level().width()]);
        Env::new(py, keywords, rules, layout, start_boards)
    }

    /// Returns the points of each current game: uint64, of shape `(num_envs,)`. A new array.
    ///
    /// Returns:
    ///     NDArray[uint64]
    fn scores<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        shared(slf)?.env.each(slf.py(), LevelPlace::score)
    }

    /// Returns which games the last step won by reaching the last goal: bool, of shape
    /// `(num_envs,)`. In autoreset mode `SameStep` the next game has begun. A new array.
    ///
    /// Returns:
    ///     NDArray[bool_]
    fn won<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        shared(slf)?.env.each(slf.py(), LevelPlace::is_won)
    }

    /// Returns how much each goal lacks in each current game, in the order of the file: uint32, of
    /// shape `(num_envs, goals)`. A new array.
    ///
    /// Returns:
    ///     NDArray[uint32]
    fn goals_left<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        let py = slf.py();
        let games = shared(slf)?;
        let left: Vec<u32> = games.env.views().flat_map(|place| place.left().iter().copied()).collect();
        let batch = &games.env.batch;
        let goals = batch.rules().level().spec().goals.len();
        PyArray1::from_vec(py, left).reshape([batch.len(), goals])
    }

    /// Returns the points that each legal swap scores with the pieces already on the board (no
    /// refill), 0 for other actions: float32, of shape `(num_envs, num_actions)`, a new array.
    ///
    /// Returns:
    ///     NDArray[float32]
    fn hints<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let games = shared(slf)?;
        let level = games.env.batch.rules().level();
        let (width, height) = (level.width(), level.height());
        games.env.points(slf.py(), |place| (width, height, place.hints()))
    }
}
