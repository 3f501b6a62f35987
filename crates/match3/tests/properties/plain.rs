//! Cell-by-cell rules that the crate's `reference` lacks: play without new pieces or with other
//! ones, deals, and special pieces.

use super::values::color;
use bitcore::Rng;
use match3::groups::{Shape, groups};
use match3::journal::{ParseEventError, parse_journal};
use match3::reference::naive;
use match3::special::{Special, SpecialBoard};
use match3::{Axis, Board, CascadeResult, Cell, Colors, RandomColors, Swap};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Debug, Display};
use std::str::FromStr;

pub(crate) type At = (usize, usize);
pub(crate) type Piece = (Cell, Option<Special>);

pub(crate) fn cells(board: &Board) -> impl Iterator<Item = At> + use<> {
    let width = board.width();
    (0..width * board.height()).map(move |at| (at % width, at / width))
}

/// Returns the pairs of neighbors by row, including pairs beyond the right and bottom edges.
pub(crate) fn pairs(board: &Board) -> impl Iterator<Item = Swap> + use<> {
    let width = board.width();
    let height = board.height();
    let cells = (0..=height).flat_map(move |y| (0..=width).map(move |x| (x, y)));
    cells.flat_map(|(x, y)| [Axis::Horizontal, Axis::Vertical].map(|axis| Swap { x, y, axis }))
}

pub(crate) fn in_runs(board: &Board) -> Vec<At> {
    let rows = naive::matched(board);
    cells(board).filter(|&(x, y)| rows[y] >> x & 1 == 1).collect()
}

pub(crate) fn swaps_in_order_of_draw(board: &Board) -> Vec<Swap> {
    let mut legal = naive::swaps(board);
    legal.sort_by_key(|swap| (swap.axis, swap.x, Reverse(swap.y)));
    legal
}

/// Moves each piece down while the cell below it is empty. Returns the moves.
fn fall(board: &mut Board) -> Vec<[At; 2]> {
    let mut steps = Vec::new();
    for (x, top) in cells(board).collect::<Vec<_>>().into_iter().rev() {
        let mut y = top;
        let is_empty = |board: &Board, y: usize| y < board.height() && board[(x, y)] == Cell::EMPTY;
        while !board[(x, y)].is_hole() && is_empty(board, y + 1) {
            board.exchange((x, y), (x, y + 1));
            steps.push([(x, y), (x, y + 1)]);
            y += 1;
        }
    }
    steps
}

/// Returns the empty cells that are open to the top, by column, lowest first.
pub(crate) fn open_cells(board: &Board) -> Vec<At> {
    let open = |x| {
        let empty = (0..board.height()).take_while(|&y| board[(x, y)] == Cell::EMPTY).count();
        (0..empty).rev().map(move |y| (x, y))
    };
    (0..board.width()).flat_map(open).collect()
}

fn add_level(result: &mut CascadeResult, cells: usize) {
    result.levels += 1;
    result.cleared += cells as u64;
    result.score += 10 * cells as u64 * result.levels;
}

/// Checks that a journal adds up to the result of its cascade and survives a round trip through
/// text. `cleared` returns the level of a cleared piece.
pub(crate) fn adds_up<E>(events: &[E], cleared: impl Fn(&E) -> Option<u64>, result: &CascadeResult)
where
    E: FromStr<Err = ParseEventError> + Display + PartialEq + Debug,
{
    let mut sum = CascadeResult::default();
    for level in events.iter().filter_map(cleared) {
        sum.cleared += 1;
        sum.score += 10 * level;
        sum.levels = sum.levels.max(level);
    }
    assert_eq!(sum, *result);
    let text: String = events.iter().map(|event| format!("{event}\n")).collect();
    assert_eq!(parse_journal::<E>(&text).as_deref(), Ok(events));
}

/// Clears the runs and lets the pieces fall until there is no run, calling `refill` after each
/// cascade level.
pub(crate) fn cascade(board: &mut Board, mut refill: impl FnMut(&mut Board, u64)) -> CascadeResult {
    let mut result = CascadeResult::default();
    loop {
        let cleared = in_runs(board);
        if cleared.is_empty() {
            return result;
        }
        add_level(&mut result, cleared.len());
        for (x, y) in cleared {
            board[(x, y)] = Cell::EMPTY;
        }
        fall(board);
        refill(board, result.levels);
    }
}

/// Plays a swap without new pieces: the part that a player can foresee.
pub(crate) fn foreseen(board: &Board, swap: Swap) -> (CascadeResult, Board) {
    let mut after = board.clone();
    let [a, b] = swap.cells();
    after.exchange(a, b);
    (cascade(&mut after, |_, _| {}), after)
}

/// Deals boards without runs until one has a legal swap: by row, redrawing each color while it
/// completes a run. Returns `None` after ten thousand boards.
pub(crate) fn deal(width: usize, height: usize, colors: &mut RandomColors) -> Option<Board> {
    let mut board = Board::new(width, height).expect("a size");
    let is_alive = |_: &usize| {
        for (x, y) in cells(&board) {
            loop {
                let cell = color(colors.next());
                board[(x, y)] = cell;
                let left = x >= 2 && [1, 2].iter().all(|by| board[(x - by, y)] == cell);
                let above = y >= 2 && [1, 2].iter().all(|by| board[(x, y - by)] == cell);
                if !left && !above {
                    break;
                }
            }
        }
        !naive::swaps(&board).is_empty()
    };
    (0..10_000).find(is_alive).map(|_| board)
}

/// Draws 64 numbers in parallel, one word per bit. Numbers that are not a color from 1 to `count`
/// become 0.
pub(crate) fn colors_at_once(count: u8, rng: &mut Rng) -> [u8; 64] {
    let bits = (0..8).find(|&bits| 1 << bits >= u32::from(count)).expect("few bits");
    let words: Vec<u64> = (0..bits).map(|_| rng.next_u64()).collect();
    std::array::from_fn(|i| {
        let number = words.iter().rev().fold(0, |number, word| 2 * number + (word >> i & 1) as u8);
        if number < count { number + 1 } else { 0 }
    })
}

/// [`SpecialBoard`] as documented: sets of cells, and pieces that fall one step at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Plain {
    pub(crate) board: Board,
    pub(crate) kinds: BTreeMap<At, Special>,
}

impl Plain {
    pub(crate) fn of(board: &SpecialBoard) -> Self {
        let kinds = cells(board.board()).filter_map(|at| Some((at, board.special(at.0, at.1)?)));
        Self { board: board.board().clone(), kinds: kinds.collect() }
    }

    pub(crate) fn piece(&self, at: At) -> Piece {
        (self.board[at], self.kinds.get(&at).copied())
    }

    pub(crate) fn put(&mut self, at: At, (cell, kind): Piece) {
        self.board[at] = cell;
        self.kinds.remove(&at);
        self.kinds.extend(kind.map(|kind| (at, kind)));
    }

    fn color(&self, at: At) -> Option<u8> {
        self.board[at].color()
    }

    /// Returns the legal swaps of the plain board plus every swap of a color piece with an unlocked
    /// piece.
    pub(crate) fn legal(&self) -> Vec<Swap> {
        let plain = naive::swaps(&self.board);
        let is_free = |(x, y): At| {
            x < self.board.width() && y < self.board.height() && self.board[(x, y)].is_swappable()
        };
        let is_legal = |swap: &Swap| {
            let is_color = |at: &At| self.kinds.get(at) == Some(&Special::Color);
            let cells = swap.cells();
            plain.contains(swap) || (cells.iter().any(is_color) && cells.into_iter().all(is_free))
        };
        pairs(&self.board).filter(is_legal).collect()
    }

    pub(crate) fn is_good(&self) -> bool {
        in_runs(&self.board).is_empty() && !self.legal().is_empty()
    }

    pub(crate) fn exchange(&mut self, [a, b]: [At; 2]) {
        self.board.exchange(a, b);
        self.exchange_kinds([a, b]);
    }

    fn exchange_kinds(&mut self, [a, b]: [At; 2]) {
        let first = self.kinds.remove(&a);
        let second = self.kinds.remove(&b);
        self.kinds.extend(second.map(|kind| (a, kind)));
        self.kinds.extend(first.map(|kind| (b, kind)));
    }

    fn hits(&self, at: At, kind: Special, color: Option<u8>, other: At) -> bool {
        self.color(other).is_some()
            && match kind {
                Special::Row => at.1 == other.1,
                Special::Column => at.0 == other.0,
                Special::Bomb => at.0.abs_diff(other.0) <= 1 && at.1.abs_diff(other.1) <= 1,
                Special::Color => self.color(other) == color,
            }
    }

    /// Plays a swap, without new pieces if `draw` is `None`.
    pub(crate) fn swap(&mut self, swap: Swap, draw: Option<impl FnMut() -> u8>) -> CascadeResult {
        self.exchange(swap.cells());
        self.cascade(Some(swap), draw)
    }

    /// Plays the cascade after a swap, or of a board as it is.
    pub(crate) fn cascade(
        &mut self,
        swap: Option<Swap>,
        mut draw: Option<impl FnMut() -> u8>,
    ) -> CascadeResult {
        let mut result = CascadeResult::default();
        let swapped = swap.map_or(Vec::new(), |swap| swap.cells().to_vec());
        // The color that a color piece clears, if not its own.
        let mut targets: BTreeMap<At, Option<u8>> = BTreeMap::new();
        if let [a, b] = swapped[..] {
            for (at, other) in [(a, b), (b, a)] {
                if self.kinds.get(&at) == Some(&Special::Color) {
                    targets.insert(at, self.color(other));
                }
            }
        }
        loop {
            let mut cleared: BTreeSet<At> = in_runs(&self.board).into_iter().collect();
            cleared.extend(targets.keys());
            if cleared.is_empty() {
                return result;
            }
            loop {
                let hit = |other: &At| {
                    cleared.iter().any(|at| {
                        self.kinds.get(at).is_some_and(|&kind| {
                            let color = targets.get(at).copied().unwrap_or(self.color(*at));
                            self.hits(*at, kind, color, *other)
                        })
                    })
                };
                let more: BTreeSet<At> = cells(&self.board).filter(hit).collect();
                let before = cleared.len();
                cleared.extend(more);
                if cleared.len() == before {
                    break;
                }
            }
            add_level(&mut result, cleared.len());
            let found = groups(&self.board);
            for at in cleared {
                self.board[at] = Cell::EMPTY;
                self.kinds.remove(&at);
            }
            for group in found {
                let cells = group.cells();
                let kind = match group.shape() {
                    Shape::Line3 | Shape::Square => continue,
                    Shape::Line4 if cells[0].0 == cells[3].0 => Special::Column,
                    Shape::Line4 => Special::Row,
                    Shape::L | Shape::T | Shape::Plus => Special::Bomb,
                    Shape::Line5 => Special::Color,
                };
                let is_first = result.levels == 1;
                let swapped = swapped.iter().find(|at| is_first && cells.contains(at));
                let at = *swapped.unwrap_or(&cells[cells.len() / 2]);
                self.board[at] = color(group.color());
                self.kinds.insert(at, kind);
            }
            targets.clear();
            for step in fall(&mut self.board) {
                self.exchange_kinds(step);
            }
            if let Some(draw) = &mut draw {
                for (x, y) in open_cells(&self.board) {
                    self.board[(x, y)] = color(draw().clamp(1, 35));
                }
            }
        }
    }
}
