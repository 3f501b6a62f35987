//! [`PerfectClear`]: moves that empty the board.
//!
//! A depth-first search over the placements below a ceiling. For a number of lines, the missing
//! cells tell the number of pieces, and the ceiling falls with each line. A full column divides the
//! board for good, so the free cells on each side of it have to be a multiple of four.

use super::game_state::GameState;
use bitcade_core::{Stop, Stopped};
use hashbrown::HashSet;
use tetris::movegen::{MoveRules, Placements, SpinMode};
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
    /// # Ok::<(), tetris::Error>(())
    /// ```
    #[allow(clippy::missing_panics_doc, reason = "only `stop` ends it early")]
    pub fn find(start: &GameState, lines: u32, nodes: u64) -> Self {
        Self::find_until(start, lines, nodes, &|| false).expect("nothing stops it")
    }

    /// Does the same, unless `stop` ends it, which is asked before each expanded position.
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
            rules: MoveRules {
                second_spawn_row: start.second_spawn_row,
                ..SpinMode::TSpins.into()
            },
            nodes,
            stop,
            failed: HashSet::new(),
            moves: Vec::new(),
        };
        for lines in start.board.max_height().max(1)..=lines {
            let missing = 10 * lines - filled.min(10 * lines);
            if missing == 0 || missing % 4 != 0 || missing / 4 > start.queue.len() as u32 {
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

    /// Returns whether to hold, the piece, and the queue's used pieces and the held one after it.
    fn choices(&self, at: Position) -> [Option<(bool, Piece, usize, Option<Piece>)>; 2] {
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
        let choices = [Some((false, next)), after.map(|piece| (true, piece))];
        let mut fewest: Option<usize> = None;
        for (hold, piece) in choices.into_iter().flatten() {
            for placement in naive::placements(&state.board, piece, naive::Rules::default()) {
                let mut played = state.clone();
                played.play(Move { hold, placement }).unwrap();
                let rest =
                    if played.board == Board::EMPTY { Some(0) } else { self::fewest(&played) };
                fewest = [fewest, rest.map(|rest| rest + 1)].into_iter().flatten().min();
            }
        }
        fewest
    }

    #[test]
    fn finds_what_all_moves_find() {
        let mut rng = Rng::new(5);
        let mut found = [0; 2];
        for _ in 0..150 {
            // Full rows with a gap, which some more cells may narrow.
            let [lines, width] = [1 + rng.below(4), 1 + rng.below(4)];
            let first = rng.below(11 - width);
            let columns = std::array::from_fn(|x| {
                let is_open = (first..first + width).contains(&(x as u32));
                let is_narrowed = rng.below(8) == 0;
                let filled = if is_open { u64::from(is_narrowed) } else { u64::MAX };
                filled & ((1 << lines) - 1)
            });
            let mut board = Board::try_from(columns).unwrap();
            board.clear_lines();
            let mut piece = || Piece::ALL[rng.below(7) as usize];
            let queue = vec![piece(), piece()];
            let held = piece();
            let hold = (rng.below(2) == 0).then_some(held);
            let state = GameState { board, hold, queue, ..GameState::default() };
            let expected = fewest(&state);
            let result = PerfectClear::find(&state, 20, u64::MAX);
            let moves = match &result {
                PerfectClear::Found(moves) => Some(moves.len()),
                PerfectClear::None => None,
                PerfectClear::Unknown => panic!("{state:?}"),
            };
            assert_eq!(moves, expected, "{state:?}");
            found[usize::from(moves.is_some())] += 1;
        }
        assert!(found.iter().all(|&count| count >= 10), "{found:?}");
    }

    #[test]
    fn an_empty_board_is_emptied_by_ten_pieces() {
        use Piece::{I, J, L, O, S, T, Z};
        let queue = vec![L, J, O, I, Z, T, S, L, J, O, I];
        let state = GameState { queue, ..GameState::default() };
        let PerfectClear::Found(moves) = PerfectClear::find(&state, 4, 50_000_000) else {
            panic!()
        };
        let mut after = state;
        let clears: Vec<_> = moves.into_iter().map(|mv| after.play(mv).unwrap()).collect();
        assert!(clears.iter().filter(|clear| clear.perfect).count() == 1);
        assert_eq!(after.board, Board::EMPTY);
    }

    #[test]
    fn limits_are_kept() {
        let queue = vec![Piece::O; 5];
        let state = GameState { queue, ..GameState::default() };
        let find = |lines, nodes| PerfectClear::find(&state, lines, nodes);
        assert!(matches!(find(2, 10_000), PerfectClear::Found(moves) if moves.len() == 5));
        assert_eq!(find(1, 10_000), PerfectClear::None);
        assert_eq!(find(2, 3), PerfectClear::Unknown);
        let stop = testkit::stop_at(2);
        assert_eq!(PerfectClear::find_until(&state, 2, 10_000, &stop), Err(Stopped));
        let none = GameState { can_hold: false, queue: vec![Piece::S; 5], ..GameState::default() };
        assert_eq!(PerfectClear::find(&none, 4, 1_000_000), PerfectClear::None);
    }
}
