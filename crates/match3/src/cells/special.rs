//! Special pieces: row, column, bomb and color pieces, as rules on top of a plain board.
//!
//! To the plain rules, a special piece is like any other: it has a color, can be matched, swapped
//! and locked, and falls. Its kind is stored alongside the [`Board`] and takes effect when pieces
//! are cleared.

use crate::bitboard::foresight::Foresight;
use crate::bitboard::mask::{Mask, RowMask, Swaps};
use crate::bitboard::{BoardWords, FourWords};
use crate::board::{At, Board, Cell, MAX_COLOR, MAX_SIDE};
use crate::cascade_result::CascadeResult;
use crate::cells::cascade::{LevelRules, levels, ranked};
use crate::cells::groups::{Group, Shape, groups_in};
use crate::cells::journal::{
    Event, Journal, LineWords, ParseEventError, ReplayError, ReplayErrorKind, apply, expect_empty,
    expect_piece, replayed,
};
use crate::cells::shuffle::{ColorPieces, deal, permute, redealt, shuffled};
use crate::error::Error;
use crate::legality::{exchange_if_legal, pairs, swappable_cells};
use crate::swap::{Axis, Swap, SwapError};
use crate::swaps::{has_swap, swaps};
use alloc::collections::VecDeque;
use alloc::vec;
use alloc::vec::Vec;
use bitcore::RandomSource;
use core::fmt;
use core::str::FromStr;

pub use crate::special_kind::{ParseSpecialError, Special};

/// Orders of the special kinds that a shuffle tries.
const MAX_KIND_ORDERS: usize = 64;

/// The reason a cell can't have a special piece, with the cell as (x, y).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SpecialError {
    /// The cell is outside the board.
    #[error("({}, {}) is outside the board", .0.0, .0.1)]
    Outside(At),
    /// The cell is empty or blocked.
    #[error("({}, {}) has no piece", .0.0, .0.1)]
    NoPiece(At),
}

/// One event on a board with special pieces.
///
/// The text of an event is one line: the line of an [`Event`], or one of these:
///
/// ```text
/// setoff 1 2,3 bomb 4
/// create 1 2,3 row 4
/// ```
///
/// with the cascade level, the cell, the kind, and the color as a number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the variants explain their fields")]
pub enum SpecialEvent {
    /// An event on the plain board.
    Board(Event),
    /// A special piece is set off. Everything it hits is part of the next clears. For a color
    /// piece, `color` is the color it clears; for other kinds, the piece's own color.
    SetOff { level: u64, at: At, special: Special, color: u8 },
    /// A group creates a special piece of its color in one of its just-cleared cells.
    Create { level: u64, at: At, special: Special, color: u8 },
}

impl fmt::Display for SpecialEvent {
    /// Writes one line, without a trailing newline.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Board(event) => write!(f, "{event}"),
            Self::SetOff { level, at: (x, y), special, color } => {
                write!(f, "setoff {level} {x},{y} {special} {color}")
            }
            Self::Create { level, at: (x, y), special, color } => {
                write!(f, "create {level} {x},{y} {special} {color}")
            }
        }
    }
}

impl FromStr for SpecialEvent {
    type Err = ParseEventError;

    /// Parses one line, ignoring leading and trailing spaces.
    fn from_str(line: &str) -> Result<Self, ParseEventError> {
        let words = &mut LineWords::new(line);
        let kind = words.one_of("swap, match, clear, fall, spawn, setoff or create")?;
        if !["setoff", "create"].contains(&kind) {
            return line.parse().map(Self::Board);
        }
        let level = words.number("a level")?;
        let at = words.at()?;
        let special = words.next(Special::NAMES, |word| word.parse().ok())?;
        let color = words.color()?;
        words.end()?;
        Ok(match kind {
            "setoff" => Self::SetOff { level, at, special, color },
            _ => Self::Create { level, at, special, color },
        })
    }
}

/// The kind of each cell's special piece, row by row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct SpecialKinds {
    width: usize,
    kinds: Vec<Option<Special>>,
}

impl SpecialKinds {
    fn get(&self, (x, y): At) -> Option<Special> {
        self.kinds[y * self.width + x]
    }

    fn set(&mut self, (x, y): At, special: Option<Special>) {
        self.kinds[y * self.width + x] = special;
    }

    fn exchange(&mut self, a: At, b: At) {
        self.kinds.swap(a.1 * self.width + a.0, b.1 * self.width + b.0);
    }

    fn track(&mut self, event: &Event) {
        match *event {
            Event::Swap(swap) => {
                let [a, b] = swap.cells();
                self.exchange(a, b);
            }
            // The target is empty and has no kind.
            Event::Fall { from, to } => self.exchange(from, to),
            Event::Clear { at, .. } => self.set(at, None),
            Event::Match { .. } | Event::Spawn { .. } => {}
        }
    }
}

/// The journal of the plain board during a move: tracks the kinds as their pieces move and
/// disappear, adds the effects of special pieces, and forwards all events.
struct SpecialMove<'a, J> {
    kinds: &'a mut SpecialKinds,
    journal: &'a mut J,
    /// The swap that started the cascade, until the first level is cleared.
    swap: Option<Swap>,
    /// The swapped color pieces, each with the color it clears in the first level.
    targets: Vec<(At, u8)>,
    groups: Vec<Group>,
}

impl<'a, J: Journal<SpecialEvent>> SpecialMove<'a, J> {
    fn new(kinds: &'a mut SpecialKinds, journal: &'a mut J) -> Self {
        Self { kinds, journal, swap: None, targets: Vec::new(), groups: Vec::new() }
    }

    /// Sets off the special pieces among the targets and the cells in `rows`, and adds everything
    /// they hit to `rows`.
    fn set_off(&mut self, board: &Board, rows: &mut RowMask, level: u64) {
        let matched = core::mem::replace(rows, RowMask::new(&[0; MAX_SIDE], board.height()));
        let mut waiting = VecDeque::new();
        let hit = |(at, color): (At, u8), rows: &mut RowMask, waiting: &mut VecDeque<_>| {
            if !rows.contains(at.0, at.1) {
                rows.toggle(at);
                waiting.extend(self.kinds.get(at).map(|special| (at, special, color)));
            }
        };
        let with_color = |at: At| board[at].color().map(|color| (at, color));
        // Targets first: the swap determines their colors.
        for cell in self.targets.drain(..).chain(matched.cells().filter_map(with_color)) {
            hit(cell, rows, &mut waiting);
        }
        while let Some((at, special, color)) = waiting.pop_front() {
            if J::RECORDS {
                self.journal.record(SpecialEvent::SetOff { level, at, special, color });
            }
            for cell in special.reach(board, at).filter_map(with_color) {
                if special != Special::Color || cell.1 == color {
                    hit(cell, rows, &mut waiting);
                }
            }
        }
    }
}

impl<J: Journal<SpecialEvent>> Journal for SpecialMove<'_, J> {
    fn record(&mut self, event: Event) {
        self.kinds.track(&event);
        if J::RECORDS {
            self.journal.record(SpecialEvent::Board(event));
        }
    }
}

impl<J: Journal<SpecialEvent>> LevelRules for SpecialMove<'_, J> {
    fn matched(&mut self, board: &Board, rows: &mut RowMask, level: u64) {
        self.groups = groups_in(board, *rows);
        if J::RECORDS {
            for group in &self.groups {
                let group = group.clone();
                self.journal.record(SpecialEvent::Board(Event::Match { level, group }));
            }
        }
        self.set_off(board, rows, level);
    }

    fn cleared(&mut self, board: &mut Board, level: u64) {
        let swap = self.swap.take();
        for group in &self.groups {
            let Some(special) = Special::of(group) else { continue };
            let color = group.color();
            let cells = group.cells();
            let swapped = swap.iter().flat_map(|swap| swap.cells()).find(|at| cells.contains(at));
            let at = swapped.unwrap_or(cells[cells.len() / 2]);
            board[at] = Cell::from_byte(color);
            self.kinds.set(at, Some(special));
            if J::RECORDS {
                self.journal.record(SpecialEvent::Create { level, at, special, color });
            }
        }
    }
}

/// A board with special pieces.
///
/// Each cascade level has four steps:
///
/// 1. Runs are matched as on a plain board. Every special piece in them is set off, and so is every
///    special piece that another one hits, each once: a chain reaction belongs to the level that
///    starts it. Empty and blocked cells neither stop a special piece nor change; locked pieces are
///    cleared like any others.
/// 2. All of these pieces are cleared together, for 10 points each, times the level.
/// 3. A group of four or more creates a special piece of its color ([`Special::of`]), unlocked, in
///    one of its cells. After a swap, this is the swapped cell (the upper or left one if both
///    belong to the group), otherwise the middle cell of the group in order (the later of two). The
///    new piece isn't hit in this level.
/// 4. The columns fall, including special pieces, and are refilled with plain pieces.
///
/// In addition to the swaps of a plain board, a color piece may be swapped with any unlocked
/// neighbor. It is then set off in the first level with the neighbor's color, together with any
/// runs that the swap makes. Two swapped color pieces clear each other's colors. Without special
/// pieces and without groups of four or more, the rules are the same as in
/// [`cascade`](crate::cascade()).
///
/// ```
/// use match3::special::{Special, SpecialBoard};
/// use match3::{Axis, Swap};
/// let mut board = SpecialBoard::from("2213\n1121\n3234".parse::<match3::Board>()?);
/// let swap = Swap { x: 2, y: 0, axis: Axis::Vertical };
/// let mut colors = [4, 5, 6, 7, 8, 9, 4].into_iter();
/// let result = board.try_swap(swap, || colors.next().unwrap_or(9), &mut ())?;
/// assert_eq!((result.cleared, result.levels), (7, 1));
/// assert_eq!(board.special(2, 1), Some(Special::Row));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SpecialBoard {
    board: Board,
    kinds: SpecialKinds,
}

impl From<Board> for SpecialBoard {
    /// Creates a board without special pieces.
    fn from(board: Board) -> Self {
        let kinds = SpecialKinds { width: board.width(), kinds: vec![None; board.cells().len()] };
        Self { board, kinds }
    }
}

impl SpecialBoard {
    /// Returns the plain board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the kind of the special piece in column `x` of row `y`, or `None` if the cell has no
    /// special piece.
    ///
    /// # Panics
    ///
    /// If the cell is outside the board.
    pub fn special(&self, x: usize, y: usize) -> Option<Special> {
        self.kinds.kinds[self.board.index_of((x, y))]
    }

    /// Makes the piece in column `x` of row `y` special, or plain again.
    ///
    /// # Errors
    ///
    /// [`SpecialError::Outside`], [`SpecialError::NoPiece`].
    pub fn set_special(
        &mut self,
        x: usize,
        y: usize,
        special: Option<Special>,
    ) -> Result<(), SpecialError> {
        let at = (x, y);
        if !self.board.contains(at) {
            return Err(SpecialError::Outside(at));
        }
        if self.board[at].is_hole() {
            return Err(SpecialError::NoPiece(at));
        }
        self.kinds.set(at, special);
        Ok(())
    }

    /// Returns all legal swaps in order: the plain board's swaps and the swaps of color pieces.
    ///
    /// ```
    /// use match3::special::{Special, SpecialBoard};
    /// let mut board = SpecialBoard::from("12\n1!2".parse::<match3::Board>()?);
    /// assert_eq!(board.swaps(), []);
    /// board.set_special(0, 1, Some(Special::Color))?;
    /// assert_eq!(board.swaps().iter().map(ToString::to_string).collect::<Vec<_>>(), ["0 0 V"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn swaps(&self) -> Vec<Swap> {
        self.swap_masks().iter().collect()
    }

    pub(crate) fn swap_masks(&self) -> Swaps {
        let mut all = swaps(&self.board);
        if self.kinds.kinds.contains(&Some(Special::Color)) {
            for swap in pairs(&self.board) {
                if self.color_swap(swap).is_some() && !all.contains(swap) {
                    let mask =
                        if swap.axis == Axis::Horizontal { &mut all.right } else { &mut all.down };
                    mask.toggle((swap.x, swap.y));
                }
            }
        }
        all
    }

    /// Returns whether the board has a legal swap, like [`has_swap`](fn@crate::has_swap), including
    /// swaps of color pieces.
    ///
    /// ```
    /// use match3::special::{Special, SpecialBoard};
    /// let mut board = SpecialBoard::from("1122".parse::<match3::Board>()?);
    /// assert!(!board.has_swap());
    /// board.set_special(0, 0, Some(Special::Color))?;
    /// assert!(board.has_swap());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn has_swap(&self) -> bool {
        has_swap(&self.board) || self.has_color_swap()
    }

    fn has_color_swap(&self) -> bool {
        self.kinds.kinds.contains(&Some(Special::Color))
            && pairs(&self.board).any(|swap| self.color_swap(swap).is_some())
    }

    /// Returns all legal swaps, each with the [`CascadeResult`] that is certain before new pieces
    /// are drawn, like [`ranked_swaps`](crate::ranked_swaps): highest score first, ties in swap
    /// order. Use the first one as a hint.
    ///
    /// ```
    /// use match3::special::{Special, SpecialBoard};
    /// let mut board = SpecialBoard::from("1213\n3122\n2331".parse::<match3::Board>()?);
    /// board.set_special(3, 1, Some(Special::Row))?;
    /// let (swap, result) = board.ranked_swaps()[0];
    /// // The row piece is matched: it clears its row, plus two more pieces of the run.
    /// assert_eq!((swap.to_string().as_str(), result.score), ("1 0 V", 70));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ranked_swaps(&self) -> Vec<(Swap, CascadeResult)> {
        let kinds = &self.kinds.kinds;
        macro_rules! on_planes {
            ($($words:ty, $planes:literal;)*) => {$(
                if let Some(board) = Foresight::<$words, $planes>::new(&self.board, kinds) {
                    return ranked(board.swaps().iter(), |swap| { let mut after = board; after.play(swap, None) });
                }
            )*};
        }
        on_planes! {
            u64, 3;
            u64, 6;
            FourWords, 3;
            FourWords, 6;
        }
        self.ranked_in_cells()
    }

    /// Ranks the swaps cell by cell.
    pub(crate) fn ranked_in_cells(&self) -> Vec<(Swap, CascadeResult)> {
        ranked(self.swaps().into_iter(), |swap| {
            // Legal swaps never fail.
            self.clone().play_quietly_in_cells(swap, None).unwrap_or_default()
        })
    }

    /// Deals a random full board of plain pieces that is stable and has a legal swap, with the same
    /// draws and result as [`deal`](fn@crate::deal).
    ///
    /// # Errors
    ///
    /// [`Error`] if a side or the number of colors is out of range, or if there is no such board.
    ///
    /// ```
    /// use match3::Rng;
    /// use match3::special::SpecialBoard;
    /// let board = SpecialBoard::deal(8, 8, 6, &mut Rng::new(1))?;
    /// assert!(board.has_swap());
    /// assert_eq!(*board.board(), match3::deal(8, 8, 6, &mut Rng::new(1))?);
    /// # Ok::<(), match3::Error>(())
    /// ```
    pub fn deal(
        width: usize,
        height: usize,
        colors: u8,
        rng: &mut (impl RandomSource + ?Sized),
    ) -> Result<Self, Error> {
        deal(width, height, colors, rng).map(Self::from)
    }

    /// Recolors the pieces with colors 1 to `colors` into a board that is stable and has a legal
    /// swap, with the draws of [`redeal`](crate::redeal). Locks and special kinds stay in their
    /// cells.
    ///
    /// # Errors
    ///
    /// [`Error`]. The board is unchanged, but the generator may have been used.
    ///
    /// ```
    /// use match3::Rng;
    /// use match3::special::{Special, SpecialBoard};
    /// let mut board = SpecialBoard::from("1111\n1#!11\n1.11".parse::<match3::Board>()?);
    /// board.set_special(3, 0, Some(Special::Bomb))?;
    /// board.redeal(4, &mut Rng::new(1))?;
    /// assert!(board.has_swap() && match3::is_stable(board.board()));
    /// assert_eq!(board.special(3, 0), Some(Special::Bomb));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn redeal(
        &mut self,
        colors: u8,
        rng: &mut (impl RandomSource + ?Sized),
    ) -> Result<(), Error> {
        // Whether a color piece can be swapped doesn't depend on colors.
        let has_color_swap = self.has_color_swap();
        self.board = redealt(&self.board, colors, rng, &|board| has_color_swap || has_swap(board))?;
        Ok(())
    }

    /// Rearranges the unlocked pieces, special pieces together with their kinds, into a board that
    /// is stable and has a legal swap, like [`shuffle`](fn@crate::shuffle). Empty, blocked and
    /// locked cells stay as they are.
    ///
    /// The colors are shuffled first, within the bounds of `shuffle`. Then, for each color with
    /// unlocked special pieces, its kinds are distributed over the cells of that color. If only
    /// swaps of color pieces can be legal, up to 64 orders of the kinds are tried until one is; if
    /// none is, a color piece is moved next to another piece.
    ///
    /// Draws: first as in `shuffle`, with a color piece next to an unlocked piece counting as a
    /// legal swap. Then, for each order of the kinds, color by color, the cells of the color by
    /// row, from the last to the second, each exchanged with one up to and including itself.
    /// Without special pieces, the draws and the result are identical to `shuffle`.
    ///
    /// # Errors
    ///
    /// [`Error`]. The board is unchanged, but the generator may have been used.
    ///
    /// ```
    /// use match3::Rng;
    /// use match3::special::{Special, SpecialBoard};
    /// let mut board = SpecialBoard::from("1#23\n231.\n3!112".parse::<match3::Board>()?);
    /// board.set_special(0, 1, Some(Special::Row))?;
    /// board.shuffle(&mut Rng::new(1))?;
    /// assert!(board.has_swap() && match3::is_stable(board.board()));
    /// let cells = (0..12).map(|at| (at % 4, at / 4));
    /// let row: Vec<_> = cells.filter(|&(x, y)| board.special(x, y).is_some()).collect();
    /// assert_eq!(row.len(), 1);
    /// assert_eq!(board.board()[row[0]].color(), Some(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shuffle(&mut self, rng: &mut (impl RandomSource + ?Sized)) -> Result<(), Error> {
        let mut color_pieces = ColorPieces::default();
        // The kinds of unlocked special pieces, by color.
        let mut special = vec![Vec::new(); 1 + usize::from(MAX_COLOR)];
        for (&cell, &kind) in self.board.cells().iter().zip(&self.kinds.kinds) {
            if let (Some(color), Some(kind), false) = (cell.color(), kind, cell.is_locked()) {
                special[usize::from(color)].push(kind);
                color_pieces.0 |= u64::from(kind == Special::Color) << color;
            }
        }
        let board = shuffled(&self.board, color_pieces, rng)?;
        let mut after = Self { board, kinds: self.kinds.clone() };
        let mut orders = 0..MAX_KIND_ORDERS;
        let is_alive = orders.any(|_| {
            after.shuffle_kinds(&special, rng);
            after.has_swap()
        });
        // `to` has a piece of a color with a color piece somewhere.
        if !is_alive && let Some(to) = color_pieces.place(&after.board) {
            let is_color_piece = |&at: &At| {
                after.board[at] == after.board[to] && after.kinds.get(at) == Some(Special::Color)
            };
            if let Some(from) = after.board.places().find(is_color_piece) {
                after.kinds.exchange(from, to);
            }
        }
        *self = after;
        Ok(())
    }

    /// Distributes the kinds of each color over its unlocked pieces.
    fn shuffle_kinds(&mut self, special: &[Vec<Special>], rng: &mut (impl RandomSource + ?Sized)) {
        for (cell, kind) in self.board.cells().iter().zip(&mut self.kinds.kinds) {
            if !cell.is_locked() {
                *kind = None;
            }
        }
        for (color, kinds) in (0..).zip(special).filter(|(_, kinds)| !kinds.is_empty()) {
            let unlocked = Cell::from_byte(color);
            let places: Vec<At> =
                self.board.places().filter(|&at| self.board[at] == unlocked).collect();
            let mut order: Vec<Option<Special>> = kinds.iter().copied().map(Some).collect();
            order.resize(places.len(), None);
            permute(&mut order, rng);
            places.into_iter().zip(order).for_each(|(at, kind)| self.kinds.set(at, kind));
        }
    }

    /// Returns the cells of a swap that a color piece makes legal.
    fn color_swap(&self, swap: Swap) -> Option<[At; 2]> {
        let cells = swappable_cells(&self.board, swap).ok()?;
        cells.iter().any(|&at| self.kinds.get(at) == Some(Special::Color)).then_some(cells)
    }

    /// Plays a swap and its cascade, like [`try_swap`](crate::try_swap).
    ///
    /// # Errors
    ///
    /// The reason the swap is illegal. The board is then unchanged, no color is drawn, and no event
    /// is recorded.
    pub fn try_swap<J: Journal<SpecialEvent>>(
        &mut self,
        swap: Swap,
        color: impl FnMut() -> u8,
        journal: &mut J,
    ) -> Result<CascadeResult, SwapError> {
        self.play(swap, journal, Some(color))
    }

    /// Plays a swap and its cascade, without refills if `color` is `None`.
    fn play<J: Journal<SpecialEvent>>(
        &mut self,
        swap: Swap,
        journal: &mut J,
        mut color: Option<impl FnMut() -> u8>,
    ) -> Result<CascadeResult, SwapError> {
        if !J::RECORDS {
            let color = color.as_mut().map(|color| color as &mut dyn FnMut() -> u8);
            if self.board.width().max(self.board.height()) > FourWords::SIDE {
                return self.play_quietly_in_cells(swap, color);
            }
            self.exchange(swap)?;
            let [a, b] = swap.cells();
            self.board.exchange(a, b);
            return Ok(self.play_on_planes(swap, color));
        }
        self.play_in_cells(swap, journal, color)
    }

    /// Exchanges the colors of a legal swap.
    fn exchange(&mut self, swap: Swap) -> Result<(), SwapError> {
        match self.color_swap(swap) {
            Some([a, b]) => self.board.exchange(a, b),
            None => exchange_if_legal(&mut self.board, swap)?,
        }
        Ok(())
    }

    /// Plays a swap and its cascade cell by cell, without a journal.
    pub(crate) fn play_quietly_in_cells(
        &mut self,
        swap: Swap,
        color: Option<&mut dyn FnMut() -> u8>,
    ) -> Result<CascadeResult, SwapError> {
        self.play_in_cells(swap, &mut (), color)
    }

    fn play_in_cells<J: Journal<SpecialEvent>>(
        &mut self,
        swap: Swap,
        journal: &mut J,
        color: Option<impl FnMut() -> u8>,
    ) -> Result<CascadeResult, SwapError> {
        self.exchange(swap)?;
        let [a, b] = swap.cells();
        let mut rules =
            SpecialMove { swap: Some(swap), ..SpecialMove::new(&mut self.kinds, journal) };
        rules.record(Event::Swap(swap));
        for (at, other) in [(a, b), (b, a)] {
            if rules.kinds.get(at) == Some(Special::Color) {
                rules.targets.extend(self.board[other].color().map(|color| (at, color)));
            }
        }
        Ok(levels(&mut self.board, rules, color))
    }

    /// Plays a legal swap and its cascade on a board of up to 16 x 16.
    fn play_on_planes(
        &mut self,
        swap: Swap,
        color: Option<&mut dyn FnMut() -> u8>,
    ) -> CascadeResult {
        let kinds = &mut self.kinds.kinds;
        if let Some(mut planes) = Foresight::<u64, 6>::new(&self.board, kinds) {
            let result = planes.play(swap, color);
            planes.store(&mut self.board, kinds);
            return result;
        }
        let planes = Foresight::<FourWords, 6>::new(&self.board, kinds);
        let mut planes = planes.expect("a board of up to 16 x 16 with up to 35 colors");
        let result = planes.play(swap, color);
        planes.store(&mut self.board, kinds);
        result
    }

    /// Plays a [`cascade`](crate::cascade()) with special pieces.
    ///
    /// Per cascade level, the journal receives a [`Match`](Event::Match) for each group, a
    /// [`SetOff`](SpecialEvent::SetOff) for each special piece (swapped color pieces, then matched
    /// ones by row, then the others in the order they are hit), a [`Clear`](Event::Clear) for each
    /// piece by row, a [`Create`](SpecialEvent::Create) for each new special piece, then falls and
    /// new pieces as on a plain board.
    pub fn cascade<J: Journal<SpecialEvent>>(
        &mut self,
        color: impl FnMut() -> u8,
        journal: &mut J,
    ) -> CascadeResult {
        levels(&mut self.board, SpecialMove::new(&mut self.kinds, journal), Some(color))
    }

    /// Plays a [`cascade`](Self::cascade) without new pieces, like
    /// [`cascade_without_refill`](crate::cascade_without_refill): the part that is certain before
    /// new pieces are drawn.
    ///
    /// ```
    /// use match3::special::{Special, SpecialBoard};
    /// let mut board = SpecialBoard::from("221\n112\n111".parse::<match3::Board>()?);
    /// board.set_special(2, 2, Some(Special::Column))?;
    /// let result = board.cascade_without_refill(&mut ());
    /// assert_eq!((result.cleared, result.score, result.levels), (5, 50, 1));
    /// assert_eq!(board.board().to_string(), "...\n22.\n11.");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cascade_without_refill<J: Journal<SpecialEvent>>(
        &mut self,
        journal: &mut J,
    ) -> CascadeResult {
        levels(&mut self.board, SpecialMove::new(&mut self.kinds, journal), None::<fn() -> u8>)
    }

    /// Applies a journal to the board it starts from, like [`replay`](crate::replay). A special
    /// piece must be in its cell to be set off, and can only be created in an empty cell.
    ///
    /// # Errors
    ///
    /// The first impossible event. The board is then unchanged.
    ///
    /// ```
    /// use match3::journal::parse_journal;
    /// use match3::special::{SpecialBoard, SpecialEvent};
    /// let start = SpecialBoard::from("23\n12\n12\n12\n12".parse::<match3::Board>()?);
    /// let (mut played, mut events, mut color) = (start.clone(), Vec::new(), 0);
    /// played.cascade(|| { color += 1; color % 7 + 1 }, &mut events);
    /// let text: String = events.iter().map(|event: &SpecialEvent| format!("{event}\n")).collect();
    /// assert!(text.contains("create 1 0,3 column 1\n"));
    /// let mut replayed = start;
    /// replayed.replay(&parse_journal::<SpecialEvent>(&text)?)?;
    /// assert_eq!(replayed, played);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn replay(&mut self, events: &[SpecialEvent]) -> Result<(), ReplayError> {
        *self = replayed(self, events, Self::apply)?;
        Ok(())
    }

    fn apply(&mut self, event: &SpecialEvent) -> Result<(), ReplayErrorKind> {
        match *event {
            SpecialEvent::Board(ref event) => {
                apply(&mut self.board, event)?;
                self.kinds.track(event);
            }
            SpecialEvent::SetOff { at, special, color, .. } => {
                let found = expect_piece(&self.board, at)?;
                let suits = special == Special::Color || found.color() == Some(color);
                if self.kinds.get(at) != Some(special) || !suits {
                    return Err(ReplayErrorKind::NotSpecial { at });
                }
            }
            SpecialEvent::Create { at, special, color, .. } => {
                expect_empty(&self.board, at)?;
                let no_color = ReplayErrorKind::NoPiece { at, found: Cell::EMPTY };
                self.board[at] = Cell::new(color).ok_or(no_color)?;
                self.kinds.set(at, Some(special));
            }
        }
        Ok(())
    }
}

impl Special {
    /// Returns the special piece that a group creates, or `None` for a line of three or a square.
    ///
    /// A line of four creates the piece that clears along the line, a line of five or more creates
    /// a color piece, and `L`, `T` and `plus` create a bomb.
    ///
    /// ```
    /// use match3::groups::groups;
    /// use match3::special::Special;
    /// let found = groups(&"2222\n.111".parse()?);
    /// assert_eq!(found.iter().map(Special::of).collect::<Vec<_>>(), [Some(Special::Row), None]);
    /// # Ok::<(), match3::ParseBoardError>(())
    /// ```
    pub fn of(group: &Group) -> Option<Self> {
        let cells = group.cells();
        match group.shape() {
            Shape::Line3 | Shape::Square => None,
            Shape::Line4 if cells[0].1 == cells[1].1 => Some(Self::Row),
            Shape::Line4 => Some(Self::Column),
            Shape::L | Shape::T | Shape::Plus => Some(Self::Bomb),
            Shape::Line5 => Some(Self::Color),
        }
    }
}
