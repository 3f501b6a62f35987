//! Perft on one thread, to the end.

use crate::board::{Board, height};
use crate::location::Location;
use crate::movegen::bitboard::{Bitboard, RowBlock};
use crate::movegen::search::{self, Maps, Number, ReachableSet};
use crate::movegen::tall::{self, TallBlock};
use crate::movegen::{self, Placements, count_low, count_placements, max_height_under_free_spawn};
use crate::piece::{Orientation, Piece};
use crate::placement::{MoveRules, SpinMode};
use bitcore::{Isa, Portable, dispatch};

/// Counts the sequences of [placements](Placements) that lock the whole queue, under a [`SpinMode`]
/// or [`MoveRules`]. Full lines are cleared. Returns 1 for an empty queue.
///
/// The definition is [`reference::naive::perft`](crate::reference::naive::perft). Each additional
/// piece multiplies the time by about thirty and adds a level of recursion.
///
/// ```
/// use tetris::{Board, Queue, movegen::SpinMode, perft};
/// let queue: Queue = "IOLJ".parse().unwrap();
/// assert_eq!(perft::perft(&Board::EMPTY, &queue, SpinMode::Ignore), 188374);
/// ```
#[inline(always)]
pub fn perft(board: &Board, queue: &[Piece], rules: impl Into<MoveRules>) -> u64 {
    let rules = rules.into();
    if rules.second_spawn_row || rules.spin_mode == SpinMode::AllMini {
        return perft_by_rules(board, queue, rules);
    }
    perft_in_first_row(board, queue, rules)
}

fn perft_in_first_row(board: &Board, queue: &[Piece], rules: MoveRules) -> u64 {
    let rules = MoveRules { second_spawn_row: false, ..rules };
    dispatch!(isa + v4 [board, queue, rules] => perft_board(isa, board, queue, rules))
}

/// Counts with any rules. Only high boards need a second spawn row.
fn perft_by_rules(board: &Board, queue: &[Piece], rules: MoveRules) -> u64 {
    let Some((&piece, rest)) = queue.split_first() else { return 1 };
    // Each piece raises the stack by four rows at most, so the first spawn row stays free.
    if rules.spin_mode != SpinMode::AllMini
        && height(board.columns()) as usize + 4 * rest.len() <= Location::SPAWN_Y as usize
    {
        return perft_in_first_row(board, queue, rules);
    }
    if rest.is_empty() {
        return movegen::count(board, piece, rules).into();
    }
    let mut placements = Placements::new();
    placements.fill(board, piece, rules);
    let mut nodes = 0;
    for mut child in placements.iter().filter_map(|placement| board.place(placement.at)) {
        child.clear_lines();
        nodes += perft_by_rules(&child, rest, rules);
    }
    nodes
}

/// A kind of moves.
trait Moves: Copy {
    fn spin_mode(self) -> SpinMode;
    /// Counts the moves of a piece on a low stack.
    fn count_low<S: Isa>(self, isa: S, field: &Register<S>, piece: Piece) -> u32;
    /// Returns the centers after each move of a piece on a low stack.
    fn search_low<S: Isa>(
        self,
        isa: S,
        field: &Register<S>,
        piece: Piece,
    ) -> Option<ReachableSet<TallBlock<S>, 1>>;
    /// Plays the first piece on a board of any height.
    fn perft_by_board<S: Isa>(self, isa: S, board: &Board, queue: &[Piece]) -> u64;
}

/// All reachable placements.
impl Moves for MoveRules {
    #[inline(always)]
    fn spin_mode(self) -> SpinMode {
        self.spin_mode
    }
    #[inline(always)]
    fn count_low<S: Isa>(self, isa: S, field: &Register<S>, piece: Piece) -> u32 {
        count_low(isa, field, piece, self)
    }
    #[inline(always)]
    fn search_low<S: Isa>(
        self,
        isa: S,
        field: &Register<S>,
        piece: Piece,
    ) -> Option<ReachableSet<TallBlock<S>, 1>> {
        search::search_piece::<Maps, _, _>(isa, field, None, search::Below::Floor, piece, self)
    }
    #[inline(always)]
    fn perft_by_board<S: Isa>(self, isa: S, board: &Board, queue: &[Piece]) -> u64 {
        let Some((&piece, rest)) = queue.split_first() else { return 1 };
        if rest.is_empty() {
            return count_placements(isa, board, piece, self).into();
        }
        let mut placements = Placements::new();
        placements.fill(board, piece, self);
        let mut nodes = 0;
        for placement in &placements {
            nodes += perft_child(isa, board, placement.at, rest, self);
        }
        nodes
    }
}

#[derive(Clone, Copy)]
struct HardDrops;

impl Moves for HardDrops {
    #[inline(always)]
    fn spin_mode(self) -> SpinMode {
        SpinMode::Ignore
    }
    #[inline(always)]
    fn count_low<S: Isa>(self, isa: S, field: &Register<S>, piece: Piece) -> u32 {
        search::hard_drops::<Number, _>(isa, field, piece).unwrap_or(0)
    }
    #[inline(always)]
    fn search_low<S: Isa>(
        self,
        isa: S,
        field: &Register<S>,
        piece: Piece,
    ) -> Option<ReachableSet<TallBlock<S>, 1>> {
        search::hard_drops::<Maps, _>(isa, field, piece)
    }
    #[inline(always)]
    fn perft_by_board<S: Isa>(self, isa: S, board: &Board, queue: &[Piece]) -> u64 {
        let Some((&piece, rest)) = queue.split_first() else { return 1 };
        let landings = movegen::hard_drops(board, piece);
        if rest.is_empty() {
            return landings.len() as u64;
        }
        let mut nodes = 0;
        for at in landings.iter() {
            nodes += perft_child(isa, board, at, rest, self);
        }
        nodes
    }
}

/// Counts from a board of any height.
#[inline(always)]
fn perft_board<S: Isa>(isa: S, board: &Board, queue: &[Piece], moves: impl Moves) -> u64 {
    if S::HAS_SIMD {
        let height = height(board.columns());
        if height <= MAX_HEIGHT_TO_PLACE {
            let field = Register::<S>::load_low(isa, board.columns());
            return perft_in_register(isa, &field, height, queue, moves);
        }
    }
    perft_by_board(isa, board, queue, moves)
}

#[inline(always)]
fn perft_by_board<S: Isa>(isa: S, board: &Board, queue: &[Piece], moves: impl Moves) -> u64 {
    isa.call3(
        board,
        queue,
        moves,
        #[inline(always)]
        move |board, queue, moves| moves.perft_by_board(isa, board, queue),
    )
}

/// Counts from the board after a placement.
#[inline(always)]
fn perft_child<S: Isa>(
    isa: S,
    board: &Board,
    at: Location,
    rest: &[Piece],
    moves: impl Moves,
) -> u64 {
    let Some(mut child) = board.place(at) else { return 0 };
    // Portable, because PEXT is slow on some CPUs of this level, and stacks are rarely this high.
    child.clear_lines_with(Portable);
    perft_board(isa, &child, rest, moves)
}

type Register<S> = Bitboard<TallBlock<S>, 1>;

/// The maximum stack height at which any placed piece fits into the register.
const MAX_HEIGHT_TO_PLACE: u32 = 20 - 4;
// A hard drop is then one from the sky.
const _: () = assert!(MAX_HEIGHT_TO_PLACE <= max_height_under_free_spawn(Piece::I));

/// Counts from a board in a register. Rows from `height` up must be empty.
#[inline(always)]
fn perft_in_register<S: Isa>(
    isa: S,
    field: &Register<S>,
    height: u32,
    queue: &[Piece],
    moves: impl Moves,
) -> u64 {
    isa.call4(
        field,
        height,
        queue,
        moves,
        #[inline(always)]
        move |field, height, queue: &[Piece], moves| {
            let Some((&piece, rest)) = queue.split_first() else { return 1 };
            // The last piece is only counted. Other pieces are placed, which requires all their
            // cells to be in the register.
            let highest = if rest.is_empty() {
                max_height_under_free_spawn(piece)
            } else {
                MAX_HEIGHT_TO_PLACE
            };
            if height > highest {
                let board = Board::from_columns(field.to_columns()).unwrap_or_default();
                return perft_by_board(isa, &board, queue, moves);
            }
            if rest.is_empty() {
                return moves.count_low(isa, field, piece).into();
            }
            let Some(reachable) = moves.search_low(isa, field, piece) else { return 0 };
            let mut nodes = 0;
            reachable.for_each(
                piece,
                moves.spin_mode(),
                #[inline(always)]
                |number, centers| {
                    nodes += perft_children(
                        isa,
                        field,
                        height,
                        (piece, number & 3, centers),
                        rest,
                        moves,
                    );
                },
            );
            nodes
        },
    )
}

/// Sums over the placements of a piece in one orientation, given by its centers.
#[inline(always)]
fn perft_children<S: Isa>(
    isa: S,
    field: &Register<S>,
    height: u32,
    (piece, r, centers): (Piece, usize, &Register<S>),
    rest: &[Piece],
    moves: impl Moves,
) -> u64 {
    isa.call5(
        (field, centers),
        height,
        (piece, r),
        rest,
        moves,
        #[inline(always)]
        move |(field, centers), height, (piece, r), rest, moves| {
            let mut nodes = 0;
            let shape = piece.shape(Orientation::ALL[r]);
            for (word, lane) in centers.0[0].words().into_iter().zip(0..) {
                let mut centers = word;
                while centers != 0 {
                    let (x, y) = tall::center(lane, centers.trailing_zeros());
                    centers &= centers - 1;
                    let bottom = y.wrapping_add_signed(shape.bottom);
                    let (child, lines) = field.with_piece(piece, r, x, bottom).without_full_rows();
                    // An upper bound: rows under the highest cleared lines may be empty.
                    let height = height.max(bottom + shape.height as u32) - lines;
                    nodes += perft_in_register(isa, &child, height, rest, moves);
                }
            }
            nodes
        },
    )
}

/// Counts the sequences of [hard drops](movegen::hard_drops) that lock the whole queue. Full lines
/// are cleared. Returns 1 for an empty queue.
///
/// ```
/// use tetris::{Board, Queue, perft};
/// let queue: Queue = "IOL".parse().unwrap();
/// assert_eq!(perft::hard_drops(&Board::EMPTY, &queue), 5202);
/// ```
pub fn hard_drops(board: &Board, queue: &[Piece]) -> u64 {
    dispatch!(isa + v4 [board, queue] => perft_board(isa, board, queue, HardDrops))
}
