//! New arrangements of dead boards, and new boards: stable, with a legal swap, or an error if none is found.
//!
//! Three bounded methods, one after another: random arrangements, all equally likely; random arrangements
//! repaired by exchanges that lower the number of runs (min-conflicts, after Minton, Johnston, Philips and
//! Laird, "Minimizing conflicts", 1992), every other one with the pieces of a legal swap put in place first;
//! and a depth-first search through all arrangements.

use crate::bitboard::mask::Mask;
use crate::board::{Board, BoardError, Cell, MAX_COLOR};
use crate::legality::{equal_neighbors, in_run};
use crate::runs::{is_stable, matched};
use crate::swaps::has_swap;
use alloc::vec;
use alloc::vec::Vec;
use bitcore::{RandomSource, SetBits};

/// The number of random arrangements.
const MAX_RANDOM: usize = 64;
/// The number of arrangements that are repaired.
const MAX_REPAIRS: usize = 16;
/// The number of passes over the cells in runs, per repaired arrangement.
const MAX_PASSES: usize = 32;
/// The number of exchanges tried for one cell in a pass.
const MAX_EXCHANGES: usize = 32;
/// The number of steps of the full search: a piece put into a cell is one step, a search for swaps one step
/// per cell.
const MAX_STEPS: usize = 1 << 20;
/// The number of steps per cell of a random deal, which backtracks.
const MAX_STEPS_PER_CELL: usize = 64;

type At = (usize, usize);

/// The reason why there is no new arrangement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ShuffleError {
    /// It is proven that each arrangement has a run or no legal swap.
    #[error("no arrangement of the pieces is stable and has a legal swap")]
    NoneExists,
    /// The search ran out of steps: an arrangement may exist.
    #[error("found no stable arrangement with a legal swap within the bounds of the search")]
    NotFound,
}

/// The reason why there is no new board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DealError {
    /// A width or height is out of range.
    #[error(transparent)]
    Size(#[from] BoardError),
    /// A number of colors that is out of range.
    #[error("{colors} colors: expected 1 to 35")]
    Colors {
        /// The number.
        colors: u8,
    },
    /// No stable board with a legal swap exists or was found.
    #[error(transparent)]
    Arrangement(#[from] ShuffleError),
}

/// Puts the unlocked pieces into a new order, so that the board is stable and has a legal swap. Empty,
/// blocked and locked cells stay as they are.
///
/// The work is bounded by constants times the number of cells (a hopeless 64 x 64 board takes less than a
/// second). Up to 64 random arrangements are tried: unless good arrangements are rare, all of them are
/// equally likely. Then 16 arrangements are repaired; then all arrangements are searched, for about a million
/// steps. On boards of up to nine cells, and on all others for which the steps suffice, the answer is exact.
///
/// Draws: an arrangement is the pieces by row, shuffled from the last to the second, each with one of those
/// up to itself (Fisher and Yates), one draw each. The draws of the other two methods follow from their code:
/// the same board and generator give the same result on every machine. A board without an arrangement by the
/// count of its pieces draws nothing.
///
/// # Errors
///
/// [`ShuffleError`]; the board is untouched, the generator may have drawn.
///
/// ```
/// use bitcore::Rng;
/// use match3::runs::is_stable;
/// use match3::shuffle::ShuffleError;
/// use match3::{Board, has_swap, shuffle};
/// let mut board: Board = "1#23\n231.\n3!112".parse()?;
/// assert!(!has_swap(&board));
/// shuffle(&mut board, &mut Rng::new(1))?;
/// assert!(is_stable(&board) && has_swap(&board));
/// assert_eq!((board.get(1, 0), board.get(1, 2).is_locked()), (match3::Cell::BLOCKED, true));
/// assert_eq!(shuffle(&mut "1122".parse()?, &mut Rng::new(1)), Err(ShuffleError::NoneExists));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn shuffle<R: RandomSource + ?Sized>(board: &mut Board, rng: &mut R) -> Result<(), ShuffleError> {
    shuffle_with_color_pieces(board, ColorPieces::default(), rng)
}

/// The colors that have unlocked color pieces, which may be swapped with each unlocked neighbor: color c is bit
/// c.
#[derive(Clone, Copy, Default)]
pub(crate) struct ColorPieces(pub(crate) u64);

impl ColorPieces {
    fn contains(self, cell: Cell) -> bool {
        cell.color().is_some_and(|color| self.0 >> color & 1 == 1)
    }

    /// Returns the first place for a color piece next to an unlocked piece.
    pub(crate) fn place(self, board: &Board) -> Option<At> {
        let free =
            |x: usize, y: usize| x < board.width() && y < board.height() && board.get(x, y).is_swappable();
        let has_neighbor = |&(x, y): &At| {
            free(x + 1, y) || free(x, y + 1) || (x > 0 && free(x - 1, y)) || (y > 0 && free(x, y - 1))
        };
        let is_place = |&(x, y): &At| free(x, y) && self.contains(board.get(x, y));
        if self.0 == 0 { None } else { cells(board).filter(is_place).find(has_neighbor) }
    }
}

/// Does the same as [`shuffle`], where a color piece next to an unlocked piece is a legal swap, too: in some
/// order of the pieces of equal color.
pub(crate) fn shuffle_with_color_pieces<R: RandomSource + ?Sized>(
    board: &mut Board,
    color_pieces: ColorPieces,
    rng: &mut R,
) -> Result<(), ShuffleError> {
    let places: Vec<At> = cells(board).filter(|&(x, y)| board.get(x, y).is_swappable()).collect();
    let pieces: Vec<Cell> = places.iter().map(|&(x, y)| board.get(x, y)).collect();
    let patterns = patterns(board);
    let mut fixed = board.clone();
    for &(x, y) in &places {
        fixed.set(x, y, Cell::EMPTY);
    }
    let mut supply = PieceSupply::of_pieces(&pieces, &fixed, color_pieces);
    // Properties that no order of the pieces can change. A color piece fits wherever two pieces touch.
    let may_touch = color_pieces.0 != 0 && ColorPieces(u64::MAX).place(board).is_some();
    if (!may_touch && (patterns.is_empty() || supply.no_color_can_match())) || !is_stable(&fixed) {
        return Err(ShuffleError::NoneExists);
    }

    let is_alive = |board: &Board| has_swap(board) || color_pieces.place(board).is_some();
    let is_good = |board: &Board| is_stable(board) && is_alive(board);
    let mut order = pieces.clone();
    let mut arrange = |after: &mut Board, rng: &mut R| {
        order.copy_from_slice(&pieces);
        for last in (1..order.len()).rev() {
            order.swap(last, rng.below(last as u32 + 1) as usize);
        }
        for (&(x, y), &piece) in places.iter().zip(&order) {
            after.set(x, y, piece);
        }
    };
    let mut after = board.clone();
    for _ in 0..MAX_RANDOM {
        arrange(&mut after, rng);
        if is_good(&after) {
            *board = after;
            return Ok(());
        }
    }
    for attempt in 0..MAX_REPAIRS {
        arrange(&mut after, rng);
        let plants = attempt % 2 == 1 && !patterns.is_empty();
        let planted = if plants { place_swap(&mut after, &places, &patterns, rng) } else { None };
        repair(&mut after, &places, planted.as_ref().map_or(&[], |planted| &planted[..]), rng);
        if is_good(&after) {
            *board = after;
            return Ok(());
        }
    }
    let open: Vec<OpenCell> = places.iter().map(|&at| OpenCell { at, locked: false }).collect();
    search(&mut fixed, &open, &mut supply, rng, MAX_STEPS, false, &is_alive)?;
    *board = fixed;
    Ok(())
}

/// Deals a random full board that is stable and has a legal swap.
///
/// The draws are those of [`redeal`] on a board without empty, blocked and locked cells.
///
/// # Errors
///
/// [`DealError`]: a side or the number of colors is out of range, or there is no such board.
///
/// ```
/// use bitcore::Rng;
/// use match3::runs::is_stable;
/// use match3::shuffle::{DealError, ShuffleError};
/// use match3::{deal, has_swap};
/// let board = deal(8, 8, 6, &mut Rng::new(1))?;
/// assert!(is_stable(&board) && has_swap(&board));
/// assert_eq!(deal(3, 1, 6, &mut Rng::new(1)), Err(DealError::Arrangement(ShuffleError::NoneExists)));
/// # Ok::<(), DealError>(())
/// ```
pub fn deal(
    width: usize,
    height: usize,
    colors: u8,
    rng: &mut (impl RandomSource + ?Sized),
) -> Result<Board, DealError> {
    let size = Board::new(width, height)?;
    let mut board = Board::from_cells(width, height, vec![Cell::from_byte(1); size.cells().len()])?;
    redeal(&mut board, colors, rng)?;
    Ok(board)
}

/// Gives each piece of the board a new color from 1 to `colors`, so that the board is stable and has a legal
/// swap. Empty and blocked cells stay, and locks stay in their cells.
///
/// The cells are dealt by row. Each gets one of the colors that make no run with the cells before it, all
/// equally likely; the deal backtracks if there is none. Up to 64 boards are dealt until one has a legal
/// swap; then 64 with the pieces of a swap put in place first; then all boards are searched, for about a
/// million steps.
///
/// Draws: one for each color tried in a cell, among the colors not yet tried there. A swap put in place takes
/// two draws before: its place and its color.
///
/// # Errors
///
/// [`DealError`]; the board is untouched, the generator may have drawn.
///
/// ```
/// use bitcore::Rng;
/// use match3::runs::is_stable;
/// use match3::shuffle::redeal;
/// use match3::{Board, has_swap};
/// let mut board: Board = "1111\n1#!11\n1.11".parse()?;
/// redeal(&mut board, 4, &mut Rng::new(1))?;
/// assert!(is_stable(&board) && has_swap(&board));
/// assert!(board.get(2, 1).is_locked());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn redeal(
    board: &mut Board,
    colors: u8,
    rng: &mut (impl RandomSource + ?Sized),
) -> Result<(), DealError> {
    redeal_until(board, colors, rng, &has_swap)
}

/// Does the same as [`redeal`] where another condition says whether the board has a legal swap.
pub(crate) fn redeal_until(
    board: &mut Board,
    colors: u8,
    rng: &mut (impl RandomSource + ?Sized),
    is_alive: &dyn Fn(&Board) -> bool,
) -> Result<(), DealError> {
    if !(1..=MAX_COLOR).contains(&colors) {
        return Err(DealError::Colors { colors });
    }
    let patterns = patterns(board);
    if patterns.is_empty() && !is_alive(board) {
        return Err(ShuffleError::NoneExists.into());
    }
    let open: Vec<OpenCell> = cells(board)
        .filter(|&(x, y)| !board.get(x, y).is_hole())
        .map(|at| OpenCell { at, locked: board.get(at.0, at.1).is_locked() })
        .collect();
    let mut bare = board.clone();
    for open in &open {
        open.put(&mut bare, Cell::EMPTY);
    }
    let steps = MAX_STEPS_PER_CELL * open.len();

    for _ in 0..MAX_RANDOM {
        let mut after = bare.clone();
        match search(&mut after, &open, &mut PieceSupply::unlimited(colors), rng, steps, true, is_alive) {
            Ok(()) => {
                *board = after;
                return Ok(());
            }
            Err(ShuffleError::NoneExists) => return Err(ShuffleError::NoneExists.into()),
            Err(ShuffleError::NotFound) => {}
        }
    }
    for _ in 0..if patterns.is_empty() { 0 } else { MAX_RANDOM } {
        let [mover, _, first, second] = patterns[rng.below(patterns.len() as u32) as usize];
        let color = Cell::from_byte(1 + rng.below(u32::from(colors)) as u8);
        let mut after = bare.clone();
        let (planted, rest): (Vec<OpenCell>, Vec<OpenCell>) =
            open.iter().partition(|open| [mover, first, second].contains(&open.at));
        for open in planted {
            open.put(&mut after, color);
        }
        if search(&mut after, &rest, &mut PieceSupply::unlimited(colors), rng, steps, true, is_alive).is_ok()
        {
            *board = after;
            return Ok(());
        }
    }
    search(&mut bare, &open, &mut PieceSupply::unlimited(colors), rng, MAX_STEPS, false, is_alive)?;
    *board = bare;
    Ok(())
}

fn cells(board: &Board) -> impl Iterator<Item = At> + use<> {
    let width = board.width();
    (0..width * board.height()).map(move |at| (at % width, at / width))
}

/// Returns all patterns [a, b, s, t] of cells with pieces in which the piece of a, moved to its neighbor b,
/// makes a run with s and t if the three have the same color.
fn patterns(board: &Board) -> Vec<[At; 4]> {
    let offset = |at: At, (dx, dy): (isize, isize), n: isize| {
        let at = (at.0.checked_add_signed(dx * n)?, at.1.checked_add_signed(dy * n)?);
        (at.0 < board.width() && at.1 < board.height()).then_some(at)
    };
    let piece = |&(x, y): &At| !board.get(x, y).is_hole();
    let free = |&(x, y): &At| board.get(x, y).is_swappable();
    let mut found = Vec::new();
    for a in cells(board).filter(free) {
        for ahead in [(1, 0), (0, 1), (-1, 0), (0, -1)] {
            let Some(b) = offset(a, ahead, 1).filter(free) else { continue };
            let aside = (ahead.1, ahead.0);
            let beyond = [(ahead, 1), (ahead, 2)];
            let one_side = [(aside, 1), (aside, 2)];
            let other_side = [(aside, -1), (aside, -2)];
            let both_sides = [(aside, -1), (aside, 1)];
            for [s, t] in [beyond, one_side, other_side, both_sides] {
                let place = |(direction, n)| offset(b, direction, n).filter(piece);
                if let (Some(s), Some(t)) = (place(s), place(t)) {
                    found.push([a, b, s, t]);
                }
            }
        }
    }
    found
}

/// Brings the pieces of a legal swap into place by exchanges, at a random pattern and in a random color of
/// which there are enough pieces. Returns the four cells; none if no color suits the pattern.
fn place_swap(
    board: &mut Board,
    places: &[At],
    patterns: &[[At; 4]],
    rng: &mut (impl RandomSource + ?Sized),
) -> Option<[At; 4]> {
    let pattern = patterns[rng.below(patterns.len() as u32) as usize];
    let [mover, partner, first, second] = pattern;
    let run = [mover, first, second];
    let of = |board: &Board, (x, y): At| board.get(x, y);

    let mut have = [0usize; MAX_COLOR as usize + 1];
    for &at in places {
        have[usize::from(of(board, at).color().unwrap_or(0))] += 1;
    }
    let needed = run.iter().filter(|&&at| of(board, at).is_swappable()).count();
    let suits = |&color: &u8| {
        let have = have[usize::from(color)];
        // A locked cell of the run keeps its color, and the partner needs another.
        let locked = run.iter().filter(|&&at| of(board, at).is_locked());
        have >= needed && have < places.len() && { locked }.all(|&at| of(board, at).color() == Some(color))
    };
    let colors: Vec<u8> = (1..=MAX_COLOR).filter(suits).collect();
    if colors.is_empty() {
        return None;
    }
    let color = Some(colors[rng.below(colors.len() as u32) as usize]);

    // The next piece, from a random one on, that is outside the pattern and has the color, or hasn't.
    let mut bring = |board: &mut Board, to: At, wanted: bool| {
        let start = rng.below(places.len() as u32) as usize;
        let (before, after) = places.split_at(start);
        let suits = |&&at: &&At| !pattern.contains(&at) && (of(board, at).color() == color) == wanted;
        let from = *after.iter().chain(before).find(suits)?;
        board.exchange(from, to);
        Some(())
    };
    // The partner first: the others may need a piece of the color that it holds.
    if of(board, partner).color() == color {
        let other =
            run.into_iter().find(|&at| of(board, at).is_swappable() && of(board, at).color() != color);
        match other {
            Some(at) => board.exchange(partner, at),
            None => bring(board, partner, false)?,
        }
    }
    for at in run {
        if of(board, at).color() != color {
            bring(board, at, true)?;
        }
    }
    Some(pattern)
}

/// Exchanges pieces that lie in runs with others if that makes no more runs, within bounds. The `planted`
/// cells stay.
fn repair(board: &mut Board, places: &[At], planted: &[At], rng: &mut (impl RandomSource + ?Sized)) {
    // The number of runs of three through a cell.
    let runs = |board: &Board, at: At| {
        let (across, along) = equal_neighbors(board, at.0, at.1);
        across.saturating_sub(1) + along.saturating_sub(1)
    };
    for _ in 0..MAX_PASSES {
        let rows = matched(board);
        if rows.is_empty() {
            return;
        }
        for (y, &row) in rows.words().iter().enumerate() {
            for x in SetBits(row).map(|x| x as usize) {
                let here = (x, y);
                if !board.get(x, y).is_swappable() || planted.contains(&here) {
                    continue;
                }
                for _ in 0..MAX_EXCHANGES {
                    if runs(board, here) == 0 {
                        break;
                    }
                    let other = places[rng.below(places.len() as u32) as usize];
                    if planted.contains(&other) || board.get(x, y) == board.get(other.0, other.1) {
                        continue;
                    }
                    let before = runs(board, here) + runs(board, other);
                    board.exchange(here, other);
                    if runs(board, here) + runs(board, other) > before {
                        board.exchange(here, other);
                    }
                }
            }
        }
    }
}

#[derive(Clone, Copy)]
struct OpenCell {
    at: At,
    locked: bool,
}

impl OpenCell {
    /// Puts a piece into the cell, with the lock of the cell.
    fn put(self, board: &mut Board, piece: Cell) {
        board.set(self.at.0, self.at.1, if self.locked { piece.locked() } else { piece });
    }
}

/// The pieces that a search may use, in kinds that make no difference to it.
struct PieceSupply(Vec<PieceKind>);

struct PieceKind {
    /// The pieces, or a single one if all are equal.
    pieces: Vec<Cell>,
    left: usize,
}

impl PieceSupply {
    /// Returns a supply with any number of pieces of each color.
    fn unlimited(colors: u8) -> Self {
        let kind = |color| PieceKind { pieces: vec![Cell::from_byte(color)], left: usize::MAX };
        Self((1..=colors).map(kind).collect())
    }

    /// Returns a supply of these pieces. Colors with fewer than three pieces on the whole board make no
    /// run: their pieces are one kind, the last, unless the color has color pieces.
    fn of_pieces(pieces: &[Cell], fixed: &Board, color_pieces: ColorPieces) -> Self {
        let count = |cells: &[Cell], cell: Cell| cells.iter().filter(|other| cell.matches(**other)).count();
        let mut kinds = Vec::new();
        let mut rare = Vec::new();
        for cell in (1..=MAX_COLOR).map(Cell::from_byte) {
            let left = count(pieces, cell);
            if left + count(fixed.cells(), cell) < 3 && !color_pieces.contains(cell) {
                rare.extend(vec![cell; left]);
            } else if left > 0 {
                kinds.push(PieceKind { pieces: vec![cell], left });
            }
        }
        kinds.push(PieceKind { left: rare.len(), pieces: rare });
        Self(kinds)
    }

    /// Returns whether no color has enough pieces for a run.
    fn no_color_can_match(&self) -> bool {
        self.0.len() == 1
    }
}

/// Fills the open cells one after another, depth first, each with a random kind not yet tried there that
/// makes no run, until the full board has a legal swap by `is_alive`. The board must be stable, and the open cells empty.
///
/// Returns [`ShuffleError::NoneExists`] if all possibilities are tried, [`ShuffleError::NotFound`] after
/// `steps` steps or, if `once`, after the first full board. The board is partly filled then.
fn search(
    board: &mut Board,
    open: &[OpenCell],
    supply: &mut PieceSupply,
    rng: &mut (impl RandomSource + ?Sized),
    steps: usize,
    once: bool,
    is_alive: &dyn Fn(&Board) -> bool,
) -> Result<(), ShuffleError> {
    let kinds = &mut supply.0;
    // For each open cell a permutation of the kinds, of which the first `tried` are tried.
    let mut orders: Vec<u8> = open.iter().flat_map(|_| 0..kinds.len() as u8).collect();
    let mut tried = vec![0; open.len()];
    let (mut depth, mut spent) = (0, 0);
    loop {
        let go_back = if depth == open.len() {
            if is_alive(board) {
                return Ok(());
            }
            if once {
                return Err(ShuffleError::NotFound);
            }
            spent += board.cells().len();
            true
        } else if tried[depth] == kinds.len() {
            tried[depth] = 0;
            true
        } else {
            false
        };
        if go_back {
            if depth == 0 {
                return Err(ShuffleError::NoneExists);
            }
            depth -= 1;
            open[depth].put(board, Cell::EMPTY);
            let last = orders[depth * kinds.len() + tried[depth] - 1];
            kinds[usize::from(last)].left += 1;
            continue;
        }
        spent += 1;
        if spent > steps {
            return Err(ShuffleError::NotFound);
        }

        let order = &mut orders[depth * kinds.len()..][..kinds.len()];
        let first = tried[depth];
        order.swap(first, first + rng.below((kinds.len() - first) as u32) as usize);
        tried[depth] += 1;
        let kind = &mut kinds[usize::from(order[first])];
        if kind.left == 0 {
            continue;
        }
        let (x, y) = open[depth].at;
        open[depth].put(board, kind.pieces[(kind.left - 1) % kind.pieces.len()]);
        if in_run(board, x, y) {
            open[depth].put(board, Cell::EMPTY);
        } else {
            kind.left -= 1;
            depth += 1;
        }
    }
}
