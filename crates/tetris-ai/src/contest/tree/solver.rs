//! [`Solver`]: a whole game by tree search, one piece at a time, backtracking out of dead ends.

use super::search::TreeSearch;
use crate::columns::Columns;
use crate::contest::checkpoint_error::{ParseCheckpointError, SOLVER};
use crate::contest::checksum;
use crate::contest::depth::MAX_DEPTH;
use crate::contest::game::{Game, multiplier};
use crate::contest::piece::OrientedPiece;
use crate::contest::record::Record;
use crate::contest::sequence::{PIECES, Sequence};
use crate::contest::state_line::StateLine;
use crate::contest::verify::verify;
use crate::worker_pool::Uncompared;
use bitcade_core::{Stop, Stopped};
use std::fmt;
use std::str::FromStr;
use tetris::Piece;

/// The settings of a [`Solver`]. Equal settings and sequences give equal games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The depth of the search, 1..=[`MAX_DEPTH`].
    pub depth: usize,
    /// The maximum depth when a dead end is searched again.
    pub max_depth: usize,
    /// A greater depth shortly before each I piece, the only piece that can clear four rows.
    pub extension: Option<IPieceExtension>,
}

impl Default for Settings {
    /// Returns depth 8, up to 12 at dead ends, and no extension before I pieces.
    fn default() -> Self {
        Self { depth: 8, max_depth: 12, extension: None }
    }
}

/// A search extension: a greater depth before I pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IPieceExtension {
    /// The number of pieces before each I piece to search deeper.
    pub pieces: usize,
    /// The depth of these searches.
    pub depth: usize,
}

/// The result of a [`Solver::step`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepResult {
    /// The next piece was placed.
    Placed,
    /// The next piece has no drop: some pieces were taken back and will be searched again at a
    /// greater depth.
    Backtracked {
        /// The number of pieces still placed.
        pieces: usize,
        /// The depth until the dead end is passed.
        depth: usize,
    },
    /// The next piece has no drop, and the maximum depth was already tried. Nothing changed.
    Lost,
    /// All 10,000 pieces are placed. Nothing changed.
    Finished,
}

/// A game played by tree search, one piece per step.
///
/// At a dead end (a piece without a drop) the solver takes back twice as many pieces as the search
/// is deep and searches one piece deeper until the dead end is passed; then it returns to the depth
/// of the settings.
///
/// The text form (`Display`, `FromStr`) is a checkpoint: the record in the first line, which makes
/// the text a valid record file, then a line with the solver's state, then a [checksum] of both. A
/// parsed solver continues as if it had never stopped.
///
/// ```
/// use tetris_ai::contest::{Sequence, tree::{Settings, Solver, StepResult}};
/// let mut solver = Solver::new(Sequence::contest(), Settings { depth: 3, ..Settings::default() });
/// for _ in 0..20 {
///     assert_eq!(solver.step(), StepResult::Placed);
/// }
/// let resumed: Solver = solver.to_string().parse()?;
/// assert_eq!(resumed, solver);
/// # Ok::<(), tetris_ai::contest::ParseCheckpointError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solver {
    sequence: Sequence,
    settings: Settings,
    record: Record,
    /// The boards and scores before each piece and after the last one.
    boards: Vec<(Columns, u64)>,
    depth: usize,
    /// The number of pieces placed before the last dead end; once more are placed, the depth
    /// returns to the settings.
    dead_end: usize,
    steps: u64,
    threads: Uncompared<usize>,
    missing_threads: Uncompared<usize>,
}

impl Solver {
    /// Creates a solver at the start of the game. Depths are clamped to 1..=[`MAX_DEPTH`].
    pub fn new(sequence: Sequence, settings: Settings) -> Self {
        let depth = settings.depth.clamp(1, MAX_DEPTH);
        let max_depth = settings.max_depth.clamp(depth, MAX_DEPTH);
        // An extension over zero pieces is no extension.
        let extension = settings.extension.filter(|extension| extension.pieces > 0);
        let settings = Settings { depth, max_depth, extension };
        Self {
            sequence,
            settings,
            record: Record::new(),
            boards: vec![(Columns::new(), 0)],
            depth,
            dead_end: 0,
            steps: 0,
            threads: Uncompared(1),
            missing_threads: Uncompared::default(),
        }
    }

    /// Sets the number of threads, by value: see [`set_threads`](Self::set_threads).
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.set_threads(threads);
        self
    }

    /// Sets the number of threads, initially one. It does not affect the result and is neither
    /// compared nor saved. If the system can't start that many, the solver runs without
    /// [`missing_threads`](Self::missing_threads) of them.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads.0 = threads;
    }

    /// Searches for the next piece's best drop and places the piece, or takes some pieces back.
    #[allow(clippy::missing_panics_doc, reason = "only `stop` ends it early")]
    pub fn step(&mut self) -> StepResult {
        self.step_until(&|| false).expect("nothing stops it")
    }

    /// Does the same, unless `stop` ends it.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `stop` returned `true`. Nothing has changed then.
    pub fn step_until(&mut self, stop: Stop<'_>) -> Result<StepResult, Stopped> {
        let next = self.pieces();
        if next == PIECES {
            return Ok(StepResult::Finished);
        }
        let (board, score) = self.current();
        let search = TreeSearch { depth: self.depth_at(next), threads: self.threads.0 };
        let best = search.best_until(&self.sequence, next, &board, stop);
        self.missing_threads =
            best.ok().flatten().map(|best| best.missing_threads).unwrap_or_default();
        Ok(match best? {
            Some(result) => {
                self.steps = self.steps.saturating_add(1);
                let cells = board.cells() + 4;
                let lines = (cells - result.board.cells()) / 10;
                let gain = if next + 1 < PIECES { multiplier(lines) * cells } else { 0 };
                self.record.push(result.drop.keys());
                self.boards.push((result.board, score + u64::from(gain)));
                if self.pieces() > self.dead_end {
                    self.depth = self.settings.depth;
                }
                StepResult::Placed
            }
            None if self.depth == self.settings.max_depth => StepResult::Lost,
            None => {
                self.steps = self.steps.saturating_add(1);
                self.dead_end = self.dead_end.max(next);
                let pieces = next.saturating_sub(2 * self.depth);
                self.record.truncate(pieces);
                self.boards.truncate(pieces + 1);
                self.depth += 1;
                StepResult::Backtracked { pieces, depth: self.depth }
            }
        })
    }

    fn depth_at(&self, piece: usize) -> usize {
        let upcoming = &self.sequence.pieces()[piece + 1..];
        let is_i = |piece: &OrientedPiece| piece.kind() == Piece::I;
        let extension = self
            .settings
            .extension
            .filter(|extension| upcoming.iter().take(extension.pieces).any(is_i));
        extension.map_or(self.depth, |extension| extension.depth.max(self.depth))
    }

    fn current(&self) -> (Columns, u64) {
        self.boards[self.boards.len() - 1]
    }

    /// Returns the number of pieces placed.
    pub fn pieces(&self) -> usize {
        self.record.turns().len()
    }
    /// Returns the score so far.
    pub fn score(&self) -> u64 {
        self.current().1
    }
    /// Returns the board.
    pub fn board(&self) -> Columns {
        self.current().0
    }
    /// Returns the record so far.
    pub fn record(&self) -> &Record {
        &self.record
    }
    /// Returns the sequence.
    pub fn sequence(&self) -> &Sequence {
        &self.sequence
    }
    /// Returns the settings.
    pub fn settings(&self) -> Settings {
        self.settings
    }
    /// Returns the number of steps that placed a piece or took some back: the work budget that
    /// reproduces the game.
    pub fn steps(&self) -> u64 {
        self.steps
    }
    /// Returns the number of threads that the system could not start for the last step, which ran
    /// on the others.
    pub fn missing_threads(&self) -> usize {
        self.missing_threads.0
    }
}

/// Writes the record, a line with the state, and a checksum line. The contest's tools read only the
/// first line.
impl fmt::Display for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Settings { depth, max_depth, extension } = self.settings;
        let IPieceExtension { pieces, depth: early_depth } = extension.unwrap_or_default();
        let Self { record, depth: now, dead_end, steps, .. } = self;
        let seed = self.sequence.seed();
        f.write_str(&checksum::with_checksum(&format!(
            "{record}\n{SOLVER} seed {seed} depth {depth} most {max_depth} early {pieces} at {early_depth} \
             now {now} past {dead_end} steps {steps}\n"
        )))
    }
}

impl FromStr for Solver {
    type Err = ParseCheckpointError;

    fn from_str(text: &str) -> Result<Self, ParseCheckpointError> {
        let mut lines = checksum::checked(text)?.lines();
        let record: Record = lines.next().unwrap_or_default().parse()?;
        let [seed, depth, most, early_pieces, early_depth, now, dead_end, steps] =
            lines.next().and_then(state).ok_or(ParseCheckpointError::SolverState)?;
        let order = [1, depth, now, most, MAX_DEPTH as u64];
        if !order.is_sorted() || dead_end > PIECES as u64 {
            return Err(ParseCheckpointError::SolverNumbers);
        }
        let size = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let extension = (early_pieces > 0)
            .then(|| IPieceExtension { pieces: size(early_pieces), depth: size(early_depth) });
        let settings = Settings { depth: size(depth), max_depth: size(most), extension };

        let mut solver = Self::new(Sequence::new(seed), settings);
        (solver.depth, solver.dead_end, solver.steps) = (size(now), size(dead_end), steps);
        verify(&record, &solver.sequence)?;
        let mut game = Game::new(&solver.sequence);
        for turn in record.turns() {
            game.play(turn);
            if game.pieces() < PIECES && game.over().is_some() {
                return Err(ParseCheckpointError::Over { piece: game.pieces() });
            }
            solver.boards.push((game.board().into(), game.score()));
        }
        solver.record = record;
        Ok(solver)
    }
}

fn state(line: &str) -> Option<[u64; 8]> {
    let mut line = StateLine::new(line, SOLVER)?;
    let numbers = line.numbers(["seed", "depth", "most", "early", "at", "now", "past", "steps"])?;
    line.end()?;
    Some(numbers)
}
