#![doc = include_str!("../docs/level-rules.md")]

mod agents;
mod batch;
mod board;
mod cascade;
mod deal;
mod effects;
mod event;
mod falls;
#[cfg(feature = "level-files")]
mod file;
mod game;
mod goals;
mod kind;
mod layout;
mod masks;
mod players;
mod playtest;
mod position;
mod replay;
mod save;
mod spec;
mod text;

pub use agents::{Agent, Careful, Habits, Human, ParseAgentError};
pub use batch::{LevelGames, LevelPlace, LevelRules, LevelState};
pub use board::{Content, LevelBoard, LevelCell};
pub use event::{Coat, LevelEvent, ParseCoatError, Spawned};
#[cfg(feature = "level-files")]
pub use file::{EXAMPLES, LevelFileError};
pub use game::{LevelGame, LevelMove};
pub use goals::{Goal, Outcome, ParseOutcomeError, Target};
pub use kind::{Kind, ParseKindError};
pub use players::{GreedyByGoals, GreedyByPoints};
pub use playtest::{Comparison, Playtest, PlaytestReport, SECONDS_PER_MOVE};
pub use replay::{LevelReplayError, LevelReplayErrorKind};
pub use save::{LevelSave, LevelSaveError};
pub use spec::{
    Cover, Effects, Falls, Gravity, Ground, Items, Layer, LevelError, LevelSpec, Limit, Place,
    Portal, ShuffleRule, Spawner, Start, StartCell,
};

use alloc::vec::Vec;
use layout::Layout;

/// A level that was checked: its [`LevelSpec`], and what its board makes of it.
///
/// ```
/// use match3::level::{Goal, Level, LevelSpec, Target};
/// let mut spec = LevelSpec::new(8, 8);
/// spec.colors = vec![1; 5];
/// spec.goals = vec![Goal { target: Target::Color(1), count: 20 }];
/// let level = Level::new(spec)?;
/// assert_eq!(level.spec().width, 8);
/// # Ok::<(), match3::level::LevelError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Level {
    spec: LevelSpec,
    layout: Layout,
}

impl Level {
    /// Checks a level.
    ///
    /// # Errors
    ///
    /// The first [`LevelError`]: something that the rules don't allow, and its place.
    pub fn new(mut spec: LevelSpec) -> Result<Self, LevelError> {
        spec.check()?;
        spec.normalize();
        let layout = Layout::new(&spec)?;
        let level = Self { spec, layout };
        level.check_start()?;
        Ok(level)
    }

    /// Returns what the level was made from.
    pub fn spec(&self) -> &LevelSpec {
        &self.spec
    }

    /// Returns the number of columns.
    pub fn width(&self) -> usize {
        self.spec.width
    }

    /// Returns the number of rows.
    pub fn height(&self) -> usize {
        self.spec.height
    }

    /// Returns the cells to which nothing can fall from a spawner, even without crates and ice, as
    /// (x, y) in reading order. Once empty, they stay empty.
    ///
    /// ```
    /// use match3::level::{Falls, Ground, Level, LevelSpec};
    /// let mut spec = LevelSpec::new(5, 4);
    /// (0..4).for_each(|x| spec.cell((x, 1)).ground = Ground::Wall);
    /// assert_eq!(Level::new(spec.clone())?.unfed().len(), 8);
    /// spec.falls = Falls::Diagonal;
    /// assert_eq!(Level::new(spec)?.unfed(), [(0, 2), (1, 2), (2, 2), (0, 3), (1, 3)]);
    /// # Ok::<(), match3::level::LevelError>(())
    /// ```
    pub fn unfed(&self) -> Vec<(usize, usize)> {
        let at = |cell: usize| (cell % self.spec.width, cell / self.spec.width);
        self.layout.unfed().into_iter().map(at).collect()
    }

    /// Returns the number of colors: those of [`RandomColors`](crate::RandomColors) that play it.
    pub fn colors(&self) -> u8 {
        self.spec.colors.len() as u8
    }
}

impl PartialEq for Level {
    /// Compares what the levels were made from.
    fn eq(&self, other: &Self) -> bool {
        self.spec == other.spec
    }
}

impl Eq for Level {}
