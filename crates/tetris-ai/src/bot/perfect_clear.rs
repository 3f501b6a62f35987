//! [`PerfectClear`]: moves that empty the board.
//!
//! A depth-first search over the placements below a ceiling. For a number of lines, the missing
//! cells tell the number of pieces, and the ceiling falls with each line. A full column divides the
//! board for good, so the free cells on each side of it have to be a multiple of four.

use super::game_state::GameState;
use bitcade_core::{Stop, Stopped};
use hashbrown::HashSet;
use tetris::movegen::{MoveRules, Placements};
use tetris::{Board, Move, Piece};

/// The result of a search for a perfect clear.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PerfectClear {
    /// The moves of a perfect clear with the fewest lines.
    Found(Vec<Move>),
    /// The known pieces make none.
    None,
    /// The search ended before it found one or had tried everything.
    Unknown,
}

impl PerfectClear {
    /// Finds the perfect clear with the fewest lines that the known pieces make, up to a number of
    /// lines, by trying at most `nodes` placements.
    ///
    /// All known pieces can be used, but not a held piece after the last one of the queue.
    ///
    /// ```
    /// use tetris::{Board, Piece};
    /// use tetris_ai::bot::{GameState, PerfectClear};
    /// let board = "####....##\n####....##".parse()?;
    /// let queue = vec![Piece::T, Piece::O, Piece::O, Piece::S];
    /// let state = GameState { board, queue, ..GameState::default() };
    /// let PerfectClear::Found(moves) = PerfectClear::find(&state, 4, 10_000) else { panic!() };
    /// let mut after = state.clone();
    /// for &mv in &moves {
    ///     assert!(after.play(mv).is_some());
    /// }
    /// assert_eq!((moves.len(), after.board), (2, Board::EMPTY));
    ///
    /// let find = |queue: &[Piece], lines, nodes| {
    ///     PerfectClear::find(&GameState { queue: queue.to_vec(), ..GameState::default() }, lines, nodes)
    /// };
    /// use Piece::{I, J, L, O, S, T, Z};
    /// let ten = |result| matches!(result, PerfectClear::Found(moves) if moves.len() == 10);
    /// assert!(ten(find(&[L, J, O, I, Z, T, S, L, J, O, I], 4, 50_000_000)));
    /// assert_eq!(find(&[S; 5], 4, 1_000_000), PerfectClear::None);
    /// assert_eq!(find(&[O; 5], 1, 10_000), PerfectClear::None);
    /// assert_eq!(find(&[S; 5], u32::MAX, 1_000_000), PerfectClear::None);
    /// assert_eq!(find(&[O; 5], 2, 3), PerfectClear::Unknown);
    /// # Ok::<(), tetris::Error>(())
    /// ```
    #[allow(clippy::missing_panics_doc, reason = "only `stop` ends it early")]
    pub fn find(start: &GameState, lines: u32, nodes: u64) -> Self {
        Self::find_until(start, lines, nodes, &|| false).expect("nothing stops it")
    }

    /// Does the same, unless `stop` ends it, which is asked before each expanded position.
    ///
    /// ```
    /// use tetris_ai::Stopped;
    /// use tetris_ai::bot::{GameState, PerfectClear};
    /// let state = GameState { queue: vec![tetris::Piece::O; 5], ..GameState::default() };
    /// assert_eq!(PerfectClear::find_until(&state, 2, 1000, &|| true), Err(Stopped));
    /// ```
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `stop` returned `true`.
    pub fn find_until(
        start: &GameState,
        lines: u32,
        nodes: u64,
        stop: Stop<'_>,
    ) -> Result<Self, Stopped> {
        let filled = start.board.filled_cells();
        let mut search = Search {
            queue: &start.queue,
            can_hold: start.can_hold,
            rules: start.rules(),
            nodes,
            stop,
            failed: HashSet::new(),
            moves: Vec::new(),
        };
        for lines in start.board.max_height().max(1)..=lines {
            let missing = 10 * lines - filled;
            if missing / 4 > start.queue.len() as u32 {
                break;
            }
            if missing == 0 || !missing.is_multiple_of(4) {
                continue;
            }
            search.failed.clear();
            let root = Position { board: start.board, lines, used: 0, hold: start.hold };
            if search.clears(root)? {
                return Ok(Self::Found(search.moves));
            }
        }
        Ok(if search.nodes == 0 { Self::Unknown } else { Self::None })
    }
}

struct Search<'a> {
    queue: &'a [Piece],
    can_hold: bool,
    rules: MoveRules,
    /// The placements that may still be tried.
    nodes: u64,
    stop: Stop<'a>,
    /// Positions without a perfect clear.
    failed: HashSet<Position>,
    moves: Vec<Move>,
}

/// Whether to hold, the piece, the queue's used pieces after it and the held one.
type Choice = (bool, Piece, usize, Option<Piece>);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Position {
    board: Board,
    /// The lines up to the ceiling, all to be cleared.
    lines: u32,
    /// The number of used pieces of the queue.
    used: usize,
    hold: Option<Piece>,
}

impl Search<'_> {
    /// Extends the moves to a perfect clear.
    fn clears(&mut self, at: Position) -> Result<bool, Stopped> {
        if at.lines == 0 {
            return Ok(true);
        }
        if (self.stop)() {
            return Err(Stopped);
        }
        if !is_divisible(&at.board, at.lines) || self.failed.contains(&at) {
            return Ok(false);
        }
        let mut placements = Placements::new();
        for (hold, piece, used, held) in self.choices(at).into_iter().flatten() {
            placements.fill(&at.board, piece, self.rules);
            for placement in &placements {
                if placement.at.cells().iter().any(|&(_, y)| y >= at.lines as i32) {
                    continue;
                }
                let Some(left) = self.nodes.checked_sub(1) else { return Ok(false) };
                self.nodes = left;
                let Some(mut board) = at.board.place(placement.at) else { continue };
                let lines = at.lines - board.clear_lines();
                self.moves.push(Move { hold, placement });
                if self.clears(Position { board, lines, used, hold: held })? {
                    return Ok(true);
                }
                self.moves.pop();
            }
        }
        if self.nodes > 0 {
            self.failed.insert(at);
        }
        Ok(false)
    }

    /// Returns the pieces that can be placed.
    fn choices(&self, at: Position) -> [Option<Choice>; 2] {
        let next = |ahead: usize| self.queue.get(at.used + ahead).copied();
        let Some(piece) = next(0) else { return [None; 2] };
        let plain = Some((false, piece, at.used + 1, at.hold));
        let by_hold = match at.hold {
            Some(held) => Some((true, held, at.used + 1, Some(piece))),
            None => next(1).map(|after| (true, after, at.used + 2, Some(piece))),
        };
        [plain, by_hold.filter(|_| self.can_hold)]
    }
}

/// Returns whether the free cells below a ceiling are a multiple of four left of each full column.
fn is_divisible(board: &Board, lines: u32) -> bool {
    let mut free = 0;
    board.columns().iter().all(|column| {
        let missing = lines - column.count_ones();
        free += missing;
        missing > 0 || free % 4 == 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use bitcore::Rng;
    use tetris::reference::naive;

    /// Returns the fewest pieces that empty the board, by all moves of the slow move generator.
    fn fewest(state: &GameState) -> Option<usize> {
        let &next = state.queue.first()?;
        let after = state.hold.or(state.queue.get(1).copied());
        let mut fewest = None;
        for (hold, piece) in [(false, Some(next)), (true, after)] {
            let Some(piece) = piece else { continue };
            for placement in naive::placements(&state.board, piece, naive::Rules::default()) {
                let mut played = state.clone();
                played.play(Move { hold, placement }).unwrap();
                let is_clear = played.board == Board::EMPTY;
                let rest = if is_clear { Some(0) } else { self::fewest(&played) };
                fewest = fewest.into_iter().chain(rest.map(|rest| rest + 1)).min();
            }
        }
        fewest
    }

    #[test]
    fn all_moves_agree() {
        let mut rng = Rng::new(5);
        let mut found = 0;
        for _ in 0..150 {
            let [lines, width] = [1 + rng.below(4), 1 + rng.below(4)];
            let first = rng.below(11 - width);
            let columns = std::array::from_fn(|x| {
                let is_open = (first..first + width).contains(&(x as u32)) && rng.below(8) > 0;
                if is_open { 0 } else { (1 << lines) - 1 }
            });
            let mut board = Board::try_from(columns).unwrap();
            board.clear_lines();
            let [held, a, b] = [(); 3].map(|()| Piece::ALL[rng.below(7) as usize]);
            let hold = Some(held).filter(|_| rng.below(2) == 0);
            let state = GameState { board, hold, queue: vec![a, b], ..Default::default() };
            let moves = match PerfectClear::find(&state, 20, u64::MAX) {
                PerfectClear::Found(moves) => Some(moves.len()),
                PerfectClear::None => None,
                PerfectClear::Unknown => unreachable!(),
            };
            assert_eq!(moves, fewest(&state));
            found += u32::from(moves.is_some());
        }
        assert!((10..140).contains(&found));
    }
}
