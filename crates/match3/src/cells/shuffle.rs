//! New arrangements of dead boards, and new boards: stable and with a legal swap, or an error if
//! none is found.
//!
//! Three bounded methods are tried in order: random arrangements, all equally likely; random
//! arrangements repaired by exchanges that reduce the number of runs (min-conflicts, after Minton,
//! Johnston, Philips and Laird, "Minimizing conflicts", 1992), where every other arrangement first
//! gets the pieces of a legal swap put in place; and a depth-first search of all arrangements.

use crate::bitboard::mask::Mask;
use crate::board::{At, Board, Cell, MAX_COLOR};
use crate::error::Error;
use crate::legality::{arms, in_run, in_square};
use crate::runs::{is_stable, matched};
use crate::swaps::has_swap;
use alloc::vec;
use alloc::vec::Vec;
use bitcore::RandomSource;

const MAX_RANDOM: usize = 64;
const MAX_REPAIRS: usize = 16;
/// Passes over the cells in runs, per repaired arrangement.
const MAX_PASSES: usize = 32;
/// Exchanges tried per cell and pass.
const MAX_EXCHANGES: usize = 32;
/// Steps of the full search: placing a piece is one step, looking for swaps one step per cell.
const MAX_STEPS: usize = 1 << 20;
/// Steps per cell of a random deal, which backtracks.
const MAX_STEPS_PER_CELL: usize = 64;

/// Rearranges the unlocked pieces into a board that is stable and has a legal swap. Empty, blocked
/// and locked cells stay as they are.
///
/// The work is bounded by a constant times the number of cells (a hopeless 64 x 64 board takes less
/// than a second). First, up to 64 random arrangements are tried; unless good arrangements are
/// rare, all of them are equally likely. Then 16 arrangements are repaired, and finally all
/// arrangements are searched for about a million steps. The answer is exact on boards of up to nine
/// cells, and on all others for which the steps suffice.
///
/// Draws: an arrangement is a Fisher-Yates shuffle of the pieces by row, from the last to the
/// second, each exchanged with one up to and including itself, one draw each. The draws of the
/// other two methods are defined by their code: the same board and generator give the same result
/// on every machine. If the piece counts alone rule out an arrangement, nothing is drawn.
///
/// # Errors
///
/// [`Error::NoneExists`], [`Error::NotFound`]. The board is unchanged, but the generator may have
/// been used.
///
/// ```
/// use match3::Rng;
/// use match3::{Board, Error, has_swap, is_stable, shuffle};
/// let mut board: Board = "1#23\n231.\n3!112".parse()?;
/// assert!(!has_swap(&board));
/// shuffle(&mut board, &mut Rng::new(1))?;
/// assert!(is_stable(&board) && has_swap(&board));
/// assert_eq!((board[(1, 0)], board[(1, 2)].is_locked()), (match3::Cell::BLOCKED, true));
/// assert_eq!(shuffle(&mut "1122".parse()?, &mut Rng::new(1)), Err(Error::NoneExists));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn shuffle<R: RandomSource + ?Sized>(board: &mut Board, rng: &mut R) -> Result<(), Error> {
    *board = shuffled(board, ColorPieces::default(), rng)?;
    Ok(())
}

/// The set of colors with unlocked color pieces, which can be swapped with any unlocked neighbor.
/// Color c is bit c.
#[derive(Clone, Copy, Default)]
pub(crate) struct ColorPieces(pub(crate) u64);

impl ColorPieces {
    fn contains(self, cell: Cell) -> bool {
        cell.color().is_some_and(|color| self.0 >> color & 1 == 1)
    }

    /// Returns the first cell where a color piece would be next to an unlocked piece.
    pub(crate) fn place(self, board: &Board) -> Option<At> {
        let is_free = |at: At| board[at].is_swappable();
        let has_neighbor = |&at: &At| {
            let mut ahead = DIRECTIONS.into_iter().filter_map(|ahead| board.step(at, ahead, 1));
            ahead.any(is_free)
        };
        let is_place = |&at: &At| is_free(at) && self.contains(board[at]);
        if self.0 == 0 { None } else { board.places().filter(is_place).find(has_neighbor) }
    }
}

/// Shuffles items (Fisher-Yates): from the last to the second, each exchanged with one up to and
/// including itself, one draw each.
pub(crate) fn permute<T>(items: &mut [T], rng: &mut (impl RandomSource + ?Sized)) {
    for last in (1..items.len()).rev() {
        items.swap(last, rng.below(last as u32 + 1) as usize);
    }
}

/// Returns the board of [`shuffle`], where a color piece next to an unlocked piece also counts as a
/// legal swap, given a suitable order of the pieces of equal color.
pub(crate) fn shuffled<R: RandomSource + ?Sized>(
    board: &Board,
    color_pieces: ColorPieces,
    rng: &mut R,
) -> Result<Board, Error> {
    let places: Vec<At> = board.places().filter(|&at| board[at].is_swappable()).collect();
    let pieces: Vec<Cell> = places.iter().map(|&at| board[at]).collect();
    let is_alive = |board: &Board| has_swap(board) || color_pieces.place(board).is_some();
    let bare = without_pieces(board, &places);
    let search = Search {
        start: board,
        kinds: kinds_of(&pieces, &bare, color_pieces),
        squares: false,
        is_alive: &is_alive,
    };
    // Independent of the order of the pieces. A color piece fits wherever two pieces touch.
    let may_touch = color_pieces.0 != 0 && ColorPieces(u64::MAX).place(board).is_some();
    // If no color has enough pieces for a run, the rare pieces are the only kind.
    let may_match = patterns(board).next().is_some() && search.kinds.len() > 1;
    if !(may_touch || may_match) || !is_stable(&bare) {
        return Err(Error::NoneExists);
    }

    let mut order = pieces.clone();
    let mut after = board.clone();
    let mut found = None;
    for attempt in 0..MAX_RANDOM + MAX_REPAIRS {
        order.copy_from_slice(&pieces);
        permute(&mut order, rng);
        for (&at, &piece) in places.iter().zip(&order) {
            after[at] = piece;
        }
        if attempt >= MAX_RANDOM {
            // Few boards get here.
            let patterns: &[_] = found.get_or_insert_with(|| patterns(board).collect::<Vec<_>>());
            let plants = attempt % 2 == 1 && !patterns.is_empty();
            let planted =
                if plants { place_swap(&mut after, &places, patterns, rng) } else { None };
            repair(&mut after, &places, planted.as_ref().map_or(&[], |planted| planted), rng);
        }
        if is_stable(&after) && is_alive(&after) {
            return Ok(after);
        }
    }
    search.run(bare, &places, Effort::AllBoards, rng)
}

/// Deals a random full board that is stable and has a legal swap.
///
/// The draws are the same as for [`redeal`] on a board without empty, blocked and locked cells.
///
/// # Errors
///
/// [`Error::Size`], [`Error::Colors`]; [`Error::NoneExists`] or [`Error::NotFound`] if there is no
/// such board or none was found.
///
/// ```
/// use match3::Rng;
/// use match3::{Error, deal, has_swap, is_stable};
/// let board = deal(8, 8, 6, &mut Rng::new(1))?;
/// assert!(is_stable(&board) && has_swap(&board));
/// assert_eq!(deal(3, 1, 6, &mut Rng::new(1)), Err(Error::NoneExists));
/// # Ok::<(), Error>(())
/// ```
pub fn deal(
    width: usize,
    height: usize,
    colors: u8,
    rng: &mut (impl RandomSource + ?Sized),
) -> Result<Board, Error> {
    let size = Board::new(width, height)?;
    let mut board = Board::from_cells(width, height, vec![Cell::from_byte(1); size.cells().len()])?;
    redeal(&mut board, colors, rng)?;
    Ok(board)
}

/// Recolors the pieces with colors 1 to `colors` into a board that is stable and has a legal swap.
/// Empty and blocked cells stay, and locks stay in their cells.
///
/// The cells are dealt by row. Each gets one of the colors that make no run with the cells before
/// it, all equally likely; if there is none, the deal backtracks. Up to 64 boards are dealt until
/// one has a legal swap, then 64 with the pieces of a swap put in place first; finally, all boards
/// are searched for about a million steps.
///
/// Draws: one for each color tried in a cell, among the colors not yet tried there. Putting a swap
/// in place first takes two draws: its position and its color.
///
/// # Errors
///
/// [`Error::Colors`], [`Error::NoneExists`], [`Error::NotFound`]. The board is unchanged, but the
/// generator may have been used.
///
/// ```
/// use match3::Rng;
/// use match3::{Board, has_swap, is_stable, redeal};
/// let mut board: Board = "1111\n1#!11\n1.11".parse()?;
/// redeal(&mut board, 4, &mut Rng::new(1))?;
/// assert!(is_stable(&board) && has_swap(&board));
/// assert!(board[(2, 1)].is_locked());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn redeal(
    board: &mut Board,
    colors: u8,
    rng: &mut (impl RandomSource + ?Sized),
) -> Result<(), Error> {
    *board = redealt(board, colors, rng, &has_swap)?;
    Ok(())
}

/// Returns the board of [`redeal`], with `is_alive` deciding whether a board has a legal swap.
pub(crate) fn redealt(
    board: &Board,
    colors: u8,
    rng: &mut (impl RandomSource + ?Sized),
    is_alive: &dyn Fn(&Board) -> bool,
) -> Result<Board, Error> {
    if !(1..=MAX_COLOR).contains(&colors) {
        return Err(Error::Colors { found: colors, least: 1, largest: 35 });
    }
    let open: Vec<At> = board.places().filter(|&at| !board[at].is_hole()).collect();
    let weights = &[1; MAX_COLOR as usize][..colors.into()];
    Deal { board, open: &open, weights, squares: false, is_alive }.run(rng)
}

/// New colors for some cells of a board.
pub(crate) struct Deal<'a> {
    /// The board, with pieces of any colors in the open cells.
    pub(crate) board: &'a Board,
    /// The cells that get new colors.
    pub(crate) open: &'a [At],
    /// The weight of each color, from color 1. At least one is above 0.
    pub(crate) weights: &'a [u32],
    /// Whether the board must have no square of equal pieces, either.
    pub(crate) squares: bool,
    /// Whether a full board has a legal swap.
    pub(crate) is_alive: &'a dyn Fn(&Board) -> bool,
}

impl Deal<'_> {
    /// Returns the board with new colors, like [`redeal`].
    pub(crate) fn run(&self, rng: &mut (impl RandomSource + ?Sized)) -> Result<Board, Error> {
        let Self { board, open, .. } = *self;
        let bare = without_pieces(board, open);
        let is_open = |at: &At| bare[*at] == Cell::EMPTY;
        let suits =
            |&[mover, _, first, second]: &[At; 4]| [mover, first, second].iter().all(is_open);
        if patterns(board).next().is_none() && !(self.is_alive)(board) {
            return Err(Error::NoneExists);
        }
        let largest = self.weights.iter().copied().max().unwrap_or(0);
        let is_even = self.weights.iter().all(|&weight| weight == 0 || weight == largest);
        let kinds: Vec<PieceKind> = (1..)
            .zip(self.weights)
            .filter(|&(_, &weight)| weight > 0)
            .map(|(color, &weight)| {
                let weight = if is_even { 1 } else { weight };
                PieceKind { pieces: vec![Cell::from_byte(color)], left: open.len(), weight }
            })
            .collect();
        let search = Search { start: board, kinds, squares: self.squares, is_alive: self.is_alive };
        let first_board = Effort::FirstBoard { steps: MAX_STEPS_PER_CELL * open.len() };

        for _ in 0..MAX_RANDOM {
            match search.run(bare.clone(), open, first_board, rng) {
                Err(Error::NotFound) => {}
                result => return result,
            }
        }
        // Few deals get here.
        let patterns: Vec<[At; 4]> = patterns(board).filter(suits).collect();
        let all: Vec<u8> = (0..search.kinds.len() as u8).collect();
        for _ in 0..if patterns.is_empty() { 0 } else { MAX_RANDOM } {
            let [mover, _, first, second] = patterns[rng.below(patterns.len() as u32) as usize];
            let color = search.kinds[search.draw(&all, rng)].pieces[0];
            let planted = [mover, first, second];
            let mut after = bare.clone();
            for at in planted {
                after[at] = search.piece_in(at, color);
            }
            // With pieces that stay, they can make a match.
            if planted.iter().any(|&at| search.is_matched(&after, at)) {
                continue;
            }
            let rest: Vec<At> = open.iter().copied().filter(|at| !planted.contains(at)).collect();
            if let Ok(found) = search.run(after, &rest, first_board, rng) {
                return Ok(found);
            }
        }
        search.run(bare, open, Effort::AllBoards, rng)
    }
}

fn without_pieces(board: &Board, places: &[At]) -> Board {
    let mut bare = board.clone();
    for &at in places {
        bare[at] = Cell::EMPTY;
    }
    bare
}

const DIRECTIONS: [(isize, isize); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

/// Returns all patterns [a, b, s, t] of cells with pieces: if a, s and t have the same color,
/// moving a to its neighbor b completes a run with s and t.
fn patterns(board: &Board) -> impl Iterator<Item = [At; 4]> {
    let piece = |&at: &At| !board[at].is_hole();
    let free = |&at: &At| board[at].is_swappable();
    let pairs = board.places().filter(free).flat_map(move |a| {
        DIRECTIONS
            .into_iter()
            .filter_map(move |ahead| Some((a, board.step(a, ahead, 1).filter(free)?, ahead)))
    });
    pairs.flat_map(move |(a, b, ahead)| {
        let aside = (ahead.1, ahead.0);
        let beyond = [(ahead, 1), (ahead, 2)];
        let one_side = [(aside, 1), (aside, 2)];
        let other_side = [(aside, -1), (aside, -2)];
        let both_sides = [(aside, -1), (aside, 1)];
        [beyond, one_side, other_side, both_sides].into_iter().filter_map(move |[s, t]| {
            let place = |(direction, n)| board.step(b, direction, n).filter(piece);
            Some([a, b, place(s)?, place(t)?])
        })
    })
}

/// Exchanges pieces to set up a legal swap, at a random pattern and in a random color with enough
/// pieces. Returns the four cells, or `None` if no color fits the pattern.
fn place_swap(
    board: &mut Board,
    places: &[At],
    patterns: &[[At; 4]],
    rng: &mut (impl RandomSource + ?Sized),
) -> Option<[At; 4]> {
    let pattern = patterns[rng.below(patterns.len() as u32) as usize];
    let [mover, partner, first, second] = pattern;
    let run = [mover, first, second];
    let mut have = [0usize; MAX_COLOR as usize + 1];
    for &at in places {
        have[usize::from(board[at].color().unwrap_or(0))] += 1;
    }
    let needed = run.iter().filter(|&&at| board[at].is_swappable()).count();
    let suits = |&color: &u8| {
        let have = have[usize::from(color)];
        // Locked cells of the run keep their color, and the partner needs a different one.
        let mut locked = run.iter().filter(|&&at| board[at].is_locked());
        have >= needed && have < places.len() && locked.all(|&at| board[at].color() == Some(color))
    };
    let colors: Vec<u8> = (1..=MAX_COLOR).filter(suits).collect();
    if colors.is_empty() {
        return None;
    }
    let color = Some(colors[rng.below(colors.len() as u32) as usize]);

    // Starting at a random piece, finds the next one outside the pattern that has the color (or
    // doesn't, if not `wanted`).
    let mut bring = |board: &mut Board, to: At, wanted: bool| {
        let start = rng.below(places.len() as u32) as usize;
        let (before, after) = places.split_at(start);
        let suits = |&&at: &&At| !pattern.contains(&at) && (board[at].color() == color) == wanted;
        let from = *after.iter().chain(before).find(suits)?;
        board.exchange(from, to);
        Some(())
    };
    // The partner first: the run may need the piece it has.
    if board[partner].color() == color {
        match run.into_iter().find(|&at| board[at].is_swappable() && board[at].color() != color) {
            Some(at) => board.exchange(partner, at),
            None => bring(board, partner, false)?,
        }
    }
    for at in run {
        if board[at].color() != color {
            bring(board, at, true)?;
        }
    }
    Some(pattern)
}

/// Exchanges pieces in runs with others when that doesn't increase the number of runs, within
/// bounds. The `planted` cells stay.
fn repair(
    board: &mut Board,
    places: &[At],
    planted: &[At],
    rng: &mut (impl RandomSource + ?Sized),
) {
    // Counts the runs of three through a cell.
    let runs = |board: &Board, at: At| {
        let [left, right, up, down] = arms(board, at);
        (left + right).saturating_sub(1) + (up + down).saturating_sub(1)
    };
    for _ in 0..MAX_PASSES {
        let matched = matched(board);
        if matched.is_empty() {
            return;
        }
        for here in matched.cells().filter(|at| !planted.contains(at)) {
            if !board[here].is_swappable() {
                continue;
            }
            for _ in 0..MAX_EXCHANGES {
                if runs(board, here) == 0 {
                    break;
                }
                let other = places[rng.below(places.len() as u32) as usize];
                if planted.contains(&other) || board[here] == board[other] {
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

/// Pieces that a search need not distinguish.
struct PieceKind {
    /// The pieces, or just one if all are equal.
    pieces: Vec<Cell>,
    left: usize,
    /// How often it is tried before the others.
    weight: u32,
}

/// Returns the kinds of the pieces. Colors with fewer than three pieces on the whole board can't
/// make a run, so their pieces form a single kind, the last, except for colors with color pieces.
fn kinds_of(pieces: &[Cell], fixed: &Board, color_pieces: ColorPieces) -> Vec<PieceKind> {
    let count = |cells: &[Cell]| {
        let mut counts = [0; 1 + MAX_COLOR as usize];
        for color in cells.iter().filter_map(|cell| cell.color()) {
            counts[usize::from(color)] += 1;
        }
        counts
    };
    let left_of = count(pieces);
    let fixed_of = count(fixed.cells());
    let mut kinds = Vec::new();
    let mut rare = Vec::new();
    for color in 1..=MAX_COLOR {
        let cell = Cell::from_byte(color);
        let left = left_of[usize::from(color)];
        if left + fixed_of[usize::from(color)] < 3 && !color_pieces.contains(cell) {
            rare.extend(vec![cell; left]);
        } else if left > 0 {
            kinds.push(PieceKind { pieces: vec![cell], left, weight: 1 });
        }
    }
    kinds.push(PieceKind { left: rare.len(), pieces: rare, weight: 1 });
    kinds
}

/// When an unsuccessful search ends.
#[derive(Clone, Copy)]
enum Effort {
    /// After the first full board, or after `steps` steps.
    FirstBoard { steps: usize },
    /// After all boards, or after [`MAX_STEPS`] steps.
    AllBoards,
}

/// A depth-first search for a board that is stable and alive.
struct Search<'a> {
    /// The board that determines which cells are locked.
    start: &'a Board,
    kinds: Vec<PieceKind>,
    /// Whether the board must have no square of equal pieces, either.
    squares: bool,
    /// Whether a full board has a legal swap.
    is_alive: &'a dyn Fn(&Board) -> bool,
}

impl Search<'_> {
    fn piece_in(&self, at: At, piece: Cell) -> Cell {
        if self.start[at].is_locked() { piece.locked() } else { piece }
    }

    fn is_matched(&self, board: &Board, at: At) -> bool {
        in_run(board, at) || self.squares && in_square(board, at)
    }

    /// Draws one of some kinds by their weights, the sum of which is the bound of the draw.
    fn draw(&self, kinds: &[u8], rng: &mut (impl RandomSource + ?Sized)) -> usize {
        let weight = |&kind: &u8| self.kinds[usize::from(kind)].weight;
        let mut number = rng.below(kinds.iter().map(weight).sum());
        let is_beyond = |kind: &&u8| {
            let is_beyond = number >= weight(kind);
            number = number.saturating_sub(weight(kind));
            is_beyond
        };
        kinds.iter().take_while(is_beyond).count()
    }

    /// Fills the open cells of a stable board one by one, each with a random kind that hasn't been
    /// tried there and makes no run, until the full board is alive.
    ///
    /// Returns [`Error::NoneExists`] if all possibilities have been tried, [`Error::NotFound`] if
    /// the effort runs out.
    fn run(
        &self,
        mut board: Board,
        open: &[At],
        effort: Effort,
        rng: &mut (impl RandomSource + ?Sized),
    ) -> Result<Board, Error> {
        let (steps, is_last) = match effort {
            Effort::FirstBoard { steps } => (steps, true),
            Effort::AllBoards => (MAX_STEPS, false),
        };
        let kinds = self.kinds.len();
        let mut left: Vec<usize> = self.kinds.iter().map(|kind| kind.left).collect();
        // For each open cell, a permutation of the kinds; the first `tried` of them have been
        // tried.
        let mut orders: Vec<u8> = open.iter().flat_map(|_| 0..kinds as u8).collect();
        let mut tried = vec![0; open.len()];
        let mut depth = 0;
        let mut spent = 0;
        loop {
            let is_full = depth == open.len();
            if is_full {
                if (self.is_alive)(&board) {
                    return Ok(board);
                }
                if is_last {
                    return Err(Error::NotFound);
                }
                spent += board.cells().len();
            }
            if is_full || tried[depth] == kinds {
                if !is_full {
                    tried[depth] = 0;
                }
                // Backtrack to the previous cell.
                depth = depth.checked_sub(1).ok_or(Error::NoneExists)?;
                board[open[depth]] = Cell::EMPTY;
                left[usize::from(orders[depth * kinds + tried[depth] - 1])] += 1;
                continue;
            }
            spent += 1;
            if spent > steps {
                return Err(Error::NotFound);
            }

            let order = &mut orders[depth * kinds..][..kinds];
            let first = tried[depth];
            order.swap(first, first + self.draw(&order[first..], rng));
            tried[depth] += 1;
            let kind = usize::from(order[first]);
            if left[kind] == 0 {
                continue;
            }
            let at = open[depth];
            let pieces = &self.kinds[kind].pieces;
            board[at] = self.piece_in(at, pieces[(left[kind] - 1) % pieces.len()]);
            if self.is_matched(&board, at) {
                board[at] = Cell::EMPTY;
            } else {
                left[kind] -= 1;
                depth += 1;
            }
        }
    }
}
