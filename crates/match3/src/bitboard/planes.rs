//! [`PlaneBoard`]: boards as bit planes of their colors, plain `Copy` values for search and simulation.
//!
//! Plane k is a mask with bit k of each cell's color. The masks are in columns, the lowest cell of a column
//! in its lowest bit:
//!
//! ```text
//! a board        colors    plane 2  plane 1  plane 0    bits of a word of `Board8`
//! . 5            0 5       0 1      0 0      0 1        (height 2)      1  9
//! 3 2            3 2       0 0      1 1      1 0                        0  8
//! ```
//!
//! Two cells are equal if they agree in each plane; a cell has a color if some plane has its bit. Clearing is
//! an AND, a fall one PEXT and one PDEP per plane, and a refill one PDEP per plane:
//!
//! ```text
//! loop:                                            one level of a cascade
//!     runs   = cells in runs of three or more      AND and OR of shifted equality masks
//!     if runs is empty: stop
//!     pieces = colored & !runs
//!     rest   = in each column as many of the lowest cells as it has pieces
//!     plane  = pdep(pext(plane, pieces), rest)     for each plane: the pieces fall
//!     plane |= pdep(random bits, inside & !rest)   for each plane: new pieces
//! ```

use crate::bitboard::best_swap::{BestSwap, Choice, best_swap_with};
use crate::bitboard::colors::{Colors, RandomColors, put};
use crate::bitboard::error::largest_color;
use crate::bitboard::fall::{fall_by_steps, open_to_top, resting_cells_with};
use crate::bitboard::formula::{runs_of, swaps_of};
use crate::bitboard::mask::{ColumnMask, Mask, Swaps};
use crate::bitboard::words::{
    FourWords, HAS_BELOW, HAS_BELOW_16, HAS_BELOW2, HAS_BELOW2_16, exchange_at, load_columns_with,
    load_planes_with, load_words_with, store_columns_with,
};
use crate::board::{Board, Cell};
use crate::cascade_result::CascadeResult;
use crate::legality::exchange_if_legal;
use crate::swap::{Axis, Swap, SwapError};
use bitcore::bits::select;
use bitcore::{Isa, Lanes, Rng, SetBits, dispatch};

mod any;
mod deal;

pub use crate::bitboard::error::PlanesError;
pub(crate) use any::with_board;
pub use any::{AnyBoard, Layout};

/// A board in columns, as `P` bit planes of `WORDS` words: [`Board8`] or [`Board16`].
///
/// Bit k of a cell's color is its bit in plane k. Locked and blocked cells have a plane each. A search copies
/// the board to save its state.
///
/// ```
/// use bitcore::Rng;
/// use match3::colors::RandomColors;
/// use match3::{Board, Board8};
/// let board: Board = "1121\n3213\n2132".parse()?;
/// let mut fast: Board8 = Board8::new(&board)?;
/// let swap = fast.swaps().iter().next().ok_or("a legal swap")?;
/// let mut colors = RandomColors::new(6, Rng::new(7))?;
/// let result = fast.try_swap(swap, &mut colors)?;
/// assert!(result.cleared >= 3 && fast.is_stable());
/// println!("{}\n{result:?}", Board::from(fast));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlaneBoard<const WORDS: usize, const P: usize> {
    pub(crate) planes: [[u64; WORDS]; P],
    pub(crate) inside: [u64; WORDS],
    pub(crate) blocked: [u64; WORDS],
    pub(crate) locked: [u64; WORDS],
    width: u8,
    height: u8,
}

/// A board of up to 8 x 8 with colors up to 2^`P` - 1: up to 7 in three planes, up to 15 in four.
///
/// Bit 8x + b of a word is the cell in column x, b cells above the lowest.
pub type Board8<const P: usize = 3> = PlaneBoard<1, P>;

/// A board of up to 16 x 16 with colors up to 2^`P` - 1: up to 7 in three planes, up to 15 in four.
///
/// Bit 16(x % 4) + b of word x / 4 is the cell in column x, b cells above the lowest.
pub type Board16<const P: usize = 3> = PlaneBoard<4, P>;

impl<const WORDS: usize, const P: usize> PlaneBoard<WORDS, P> {
    /// The largest width and height.
    pub(crate) const SIDE: usize = {
        assert!(WORDS == 1 || WORDS == 4, "one word for boards up to 8 x 8, four up to 16 x 16");
        assert!(P == 3 || P == 4);
        if WORDS == 1 { 8 } else { 16 }
    };

    pub(crate) const MAX_COLOR: u8 = largest_color(P);

    pub(crate) fn empty(width: usize, height: usize) -> Result<Self, PlanesError> {
        let longest = Self::SIDE;
        if !(1..=longest).contains(&width) || !(1..=longest).contains(&height) {
            return Err(PlanesError::Size { width, height, longest });
        }
        let mut inside = [0; WORDS];
        let columns = 64 / longest;
        for x in 0..width {
            inside[x / columns] |= ((1 << height) - 1) << (longest * (x % columns));
        }
        let empty = [0; WORDS];
        let (width, height) = (width as u8, height as u8);
        Ok(Self { planes: [empty; P], inside, blocked: empty, locked: empty, width, height })
    }

    /// Returns the number of columns.
    pub fn width(&self) -> usize {
        self.width.into()
    }

    /// Returns the number of rows.
    pub fn height(&self) -> usize {
        self.height.into()
    }

    pub(crate) fn word_and_bit(&self, x: usize, y: usize) -> (usize, u32) {
        assert!(x < self.width(), "column {x} of a board {} wide", self.width);
        assert!(y < self.height(), "row {y} of a board {} high", self.height);
        let columns = 64 / Self::SIDE;
        (x / columns, (Self::SIDE * (x % columns) + self.height() - 1 - y) as u32)
    }

    /// Returns the cell in column `x` of row `y`.
    ///
    /// # Panics
    ///
    /// If there is no such cell.
    pub fn get(&self, x: usize, y: usize) -> Cell {
        let (word, bit) = self.word_and_bit(x, y);
        let at = |mask: &[u64; WORDS]| (mask[word] >> bit & 1) as u8;
        if at(&self.blocked) == 1 {
            return Cell::BLOCKED;
        }
        let mut color = 0;
        for (k, plane) in self.planes.iter().enumerate() {
            color |= at(plane) << k;
        }
        let cell = Cell::from_byte(color);
        if at(&self.locked) == 1 { cell.locked() } else { cell }
    }

    /// Puts a cell whose color the planes hold.
    fn set(&mut self, x: usize, y: usize, cell: Cell) {
        let (word, bit) = self.word_and_bit(x, y);
        let put = |mask: &mut [u64; WORDS], value: bool| {
            mask[word] = mask[word] & !(1 << bit) | u64::from(value) << bit;
        };
        let color = cell.color().unwrap_or(0);
        for (k, plane) in self.planes.iter_mut().enumerate() {
            put(plane, color >> k & 1 == 1);
        }
        put(&mut self.locked, cell.is_locked());
        put(&mut self.blocked, cell == Cell::BLOCKED);
    }

    /// Puts colors that the planes hold into an empty board, row by row from the top.
    pub(crate) fn set_colors(&mut self, cells: &[u8]) {
        for (at, &color) in cells.iter().enumerate().take(self.width() * self.height()) {
            let (word, bit) = self.word_and_bit(at % self.width(), at / self.width());
            for (k, plane) in self.planes.iter_mut().enumerate() {
                plane[word] |= u64::from(color >> k & 1) << bit;
            }
        }
    }

    /// Writes the colors row by row from the top, 0 for a cell without a color.
    pub(crate) fn write_colors(&self, cells: &mut [u8]) {
        for (y, row) in cells.chunks_exact_mut(self.width()).enumerate() {
            row.fill(0);
            for (k, plane) in self.planes.iter().enumerate() {
                let bits = ColumnMask::new(*plane, self.height).row(y);
                for (x, cell) in row.iter_mut().enumerate() {
                    *cell |= ((bits >> x & 1) as u8) << k;
                }
            }
        }
    }

    #[inline(always)]
    pub(crate) fn colored(&self) -> [u64; WORDS] {
        let mut colored = [0; WORDS];
        for plane in &self.planes {
            for (all, word) in colored.iter_mut().zip(plane) {
                *all |= word;
            }
        }
        colored
    }

    #[inline(always)]
    fn swaps_with<S: Isa>(&self, isa: S) -> Swaps<ColumnMask<WORDS>> {
        let colored = self.colored();
        let (right, down);
        if WORDS == 1 {
            let (colored, locked) = (colored[0], self.locked[0]);
            let (below, below2) = (colored & HAS_BELOW, colored & HAS_BELOW2);
            let (across, along) = swaps_of(&self.first_words(), colored, below, below2, locked);
            (right, down) = ([across; WORDS], [along; WORDS]);
        } else if S::HAS_SIMD {
            let (colored, locked) = (load_columns_with(isa, &colored), load_columns_with(isa, &self.locked));
            let planes = load_planes_with(isa, &self.planes);
            let (across, along) = swaps_of(&planes, colored, colored, colored, locked);
            (right, down) = (store_columns_with(isa, across), store_columns_with(isa, along));
        } else {
            let (colored, locked) = (FourWords::new(&colored), FourWords::new(&self.locked));
            let below = colored & FourWords::splat(HAS_BELOW_16);
            let below2 = colored & FourWords::splat(HAS_BELOW2_16);
            let (across, along) = swaps_of(&self.all_words(), colored, below, below2, locked);
            (right, down) = (across.words(), along.words());
        }
        Swaps { right: ColumnMask::new(right, self.height), down: ColumnMask::new(down, self.height) }
    }

    #[inline(always)]
    fn first_words(&self) -> [u64; P] {
        let mut planes = [0; P];
        for (to, from) in planes.iter_mut().zip(&self.planes) {
            *to = from[0];
        }
        planes
    }

    #[inline(always)]
    fn all_words(&self) -> [FourWords; P] {
        let mut planes = [FourWords::splat(0); P];
        for (to, from) in planes.iter_mut().zip(&self.planes) {
            *to = FourWords::new(from);
        }
        planes
    }

    #[inline(always)]
    fn count_swaps_with<S: Isa>(isa: S, boards: &[Self]) -> u64
    where
        Self: PlaneLayout<WORDS, P>,
    {
        let mut count = 0;
        for board in boards {
            count += board.swaps_with(isa).len() as u64;
        }
        count
    }

    #[inline(always)]
    fn matched_with<S: Isa>(&self, isa: S) -> [u64; WORDS] {
        let colored = self.colored();
        if WORDS == 1 {
            [runs_of(&self.first_words(), colored[0], colored[0] & HAS_BELOW); WORDS]
        } else if S::HAS_SIMD {
            let colored = load_columns_with(isa, &colored);
            store_columns_with(isa, runs_of(&load_planes_with(isa, &self.planes), colored, colored))
        } else {
            let colored = FourWords::new(&colored);
            runs_of(&self.all_words(), colored, colored & FourWords::splat(HAS_BELOW_16)).words()
        }
    }

    /// Exchanges two neighbors without any check of the rules.
    ///
    /// # Panics
    ///
    /// If one of them is outside the board.
    #[inline]
    pub fn exchange(&mut self, swap: Swap) {
        let [a, b] = swap.cells().map(|(x, y)| self.word_and_bit(x, y));
        for mask in self.planes.iter_mut().chain([&mut self.locked, &mut self.blocked]) {
            let differ = (mask[a.0] >> a.1 ^ mask[b.0] >> b.1) & 1;
            mask[a.0] ^= differ << a.1;
            mask[b.0] ^= differ << b.1;
        }
    }

    /// Plays a cascade with random refills; each level is one call.
    #[inline(always)]
    fn cascade_random_with<S: Isa>(&mut self, isa: S, colors: &mut RandomColors) -> CascadeResult
    where
        Self: PlaneLayout<WORDS, P>,
    {
        let mut result = CascadeResult::default();
        while let Some(pieces) = self.clear_and_fall(&mut result) {
            self.refill_with(isa, colors, &pieces);
        }
        result.score *= 10;
        result
    }

    #[inline(always)]
    fn refill_with<S: Isa>(&mut self, isa: S, colors: &mut RandomColors, pieces: &[u64; WORDS]) {
        for (word, &pieces) in pieces.iter().enumerate() {
            let empty = self.open_cells(word, pieces);
            if WORDS == 1 || empty != 0 {
                self.add_pieces(word, colors.take_planes_with(isa, empty));
            }
        }
    }

    #[inline(always)]
    pub(crate) fn add_pieces(&mut self, word: usize, new: [u64; P]) {
        for (plane, new) in self.planes.iter_mut().zip(new) {
            plane[word] |= new;
        }
    }

    /// Returns the empty cells of a word that new pieces reach.
    #[inline(always)]
    pub(crate) fn open_cells(&self, word: usize, pieces: u64) -> u64 {
        let empty = self.inside[word] & !pieces & !self.blocked[word];
        match self.blocked[word] {
            0 => empty,
            blocked if WORDS == 1 => open_to_top::<8>(empty, blocked),
            blocked => open_to_top::<16>(empty, blocked),
        }
    }

    /// Plays `moves` random moves, or fewer if the board is dead before. Returns the number of moves and the
    /// sums of their results; the levels are those of the last move.
    #[inline(always)]
    fn random_moves_with<S: Isa>(
        &mut self,
        isa: S,
        colors: &mut RandomColors,
        moves: u64,
    ) -> (u64, CascadeResult)
    where
        Self: PlaneLayout<WORDS, P>,
    {
        // A copy, so that the compiler can keep the board in registers.
        let mut board = *self;
        let mut sum = CascadeResult::default();
        let mut played = 0;
        while played < moves && board.random_move_with(isa, colors, &mut sum) {
            played += 1;
        }
        *self = board;
        sum.score *= 10;
        (played, sum)
    }

    /// Plays one random move and returns `true`, or returns `false` if the board is dead.
    #[inline(always)]
    fn random_move_with<S: Isa>(&mut self, isa: S, colors: &mut RandomColors, sum: &mut CascadeResult) -> bool
    where
        Self: PlaneLayout<WORDS, P>,
    {
        let Swaps { right, down } = if WORDS == 1 { self.swaps_with(isa) } else { self.swaps_entry() };
        let (right, down) = (right.words(), down.words());
        let mut counts = [0; 8];
        let mut legal = 0;
        for (count, word) in counts.iter_mut().zip(right.iter().chain(&down)) {
            *count = word.count_ones();
            legal += *count;
        }
        if legal == 0 {
            return false;
        }
        let mut k = colors.rng().below(legal);
        let mut at = 0;
        while k >= counts[at] {
            k -= counts[at];
            at += 1;
        }
        let (word, masks, along) = if at < WORDS { (at, &right, false) } else { (at - WORDS, &down, true) };
        let bit = isa.select(masks[word], k);
        self.exchange_at(word, bit, along);
        sum.levels = 0;
        // Inlined where a call costs as much as the work.
        while let Some(pieces) =
            if WORDS == 1 { self.clear_and_fall_with(isa, sum) } else { self.clear_and_fall(sum) }
        {
            self.refill_with(isa, colors, &pieces);
        }
        true
    }

    /// Exchanges the piece of a bit with the one below (`down`) or with the right neighbor.
    #[inline(always)]
    pub(crate) fn exchange_at(&mut self, word: usize, bit: u32, down: bool) {
        exchange_at(&mut self.planes, word, bit, down);
    }

    /// Returns the swap of the cell of a bit with the one below (`down`) or with the right neighbor.
    pub(crate) fn swap_at(&self, word: usize, bit: u32, down: bool) -> Swap {
        let (column, row) = (bit as usize / Self::SIDE, bit as usize % Self::SIDE);
        let axis = if down { Axis::Vertical } else { Axis::Horizontal };
        Swap { x: word * (64 / Self::SIDE) + column, y: self.height() - 1 - row, axis }
    }

    /// Returns whether no cell is blocked and no piece has an empty cell below, as after every move on a
    /// board without blocked cells.
    #[inline(always)]
    pub(crate) fn has_no_gaps(&self) -> bool {
        let tops = if WORDS == 1 { 0x8080_8080_8080_8080 } else { 0x8000_8000_8000_8000 };
        let mut other = 0;
        for (colored, blocked) in self.colored().into_iter().zip(self.blocked) {
            other |= blocked | ((colored >> 1) & !tops & !colored);
        }
        other == 0
    }

    /// Plays one level of a cascade: clears the runs and lets the columns fall. Returns the cells that hold a
    /// piece afterwards; none if there was no run. Adds to `result`, whose score counts tens of points.
    #[inline(always)]
    fn clear_and_fall_with<S: Isa>(&mut self, isa: S, result: &mut CascadeResult) -> Option<[u64; WORDS]> {
        let runs = self.matched_with(isa);
        let cleared = ColumnMask::new(runs, self.height).len() as u64;
        if cleared == 0 {
            return None;
        }
        result.levels += 1;
        result.cleared += cleared;
        result.score += cleared * result.levels;
        let (mut pieces, mut any_blocked, mut any_locked) = (self.colored(), 0, 0);
        for word in 0..WORDS {
            pieces[word] &= !runs[word];
            self.locked[word] &= pieces[word];
            any_blocked |= self.blocked[word];
            any_locked |= self.locked[word];
        }
        if any_blocked != 0 || !S::FAST_PEXT {
            for (word, pieces) in pieces.iter_mut().enumerate() {
                *pieces = self.fall_by_steps(word, *pieces);
            }
            return Some(pieces);
        }
        // The pieces of each column in order, from the bottom.
        let at_rest = if WORDS == 1 {
            resting_cells_with::<S, 8>(isa, load_words_with(isa, &pieces))
        } else {
            resting_cells_with::<S, 16>(isa, load_words_with(isa, &pieces))
        };
        let at_rest = at_rest.to_array();
        for word in 0..WORDS {
            if WORDS > 1 && runs[word] == 0 {
                // Most columns have no run, but gaps in them are filled, too.
                if at_rest[word] == pieces[word] {
                    continue;
                }
            }
            for plane in &mut self.planes {
                plane[word] = isa.pdep(isa.pext(plane[word], pieces[word]), at_rest[word]);
            }
            if any_locked != 0 {
                self.locked[word] = isa.pdep(isa.pext(self.locked[word], pieces[word]), at_rest[word]);
            }
        }
        for (pieces, at_rest) in pieces.iter_mut().zip(at_rest) {
            *pieces = at_rest;
        }
        Some(pieces)
    }

    /// Lets the pieces of one word fall in all planes by [`fall_by_steps`].
    #[inline(always)]
    fn fall_by_steps(&mut self, word: usize, pieces: u64) -> u64 {
        let (inside, blocked) = (self.inside[word], self.blocked[word]);
        let mut planes = [0; P];
        for (to, from) in planes.iter_mut().zip(&self.planes) {
            *to = from[word] & pieces;
        }
        let mut locked = [self.locked[word]];
        let fallen = if WORDS == 1 {
            if locked != [0] {
                fall_by_steps::<8, 1>(&mut locked, pieces, inside, blocked);
            }
            fall_by_steps::<8, P>(&mut planes, pieces, inside, blocked)
        } else {
            if locked != [0] {
                fall_by_steps::<16, 1>(&mut locked, pieces, inside, blocked);
            }
            fall_by_steps::<16, P>(&mut planes, pieces, inside, blocked)
        };
        for (to, from) in self.planes.iter_mut().zip(planes) {
            to[word] = from;
        }
        self.locked[word] = locked[0];
        fallen
    }
}

impl<const WORDS: usize, const P: usize> PlaneBoard<WORDS, P>
where
    Self: PlaneLayout<WORDS, P>,
{
    /// Converts a board of cells.
    ///
    /// # Errors
    ///
    /// [`PlanesError::Size`], [`PlanesError::Color`].
    pub fn new(board: &Board) -> Result<Self, PlanesError> {
        let mut planes = Self::empty(board.width(), board.height())?;
        for (y, row) in board.rows().enumerate() {
            for (x, &cell) in row.iter().enumerate() {
                if let Some(found) = cell.color()
                    && found > Self::MAX_COLOR
                {
                    return Err(PlanesError::Color { x, y, found, largest: Self::MAX_COLOR });
                }
                planes.set(x, y, cell);
            }
        }
        Ok(planes)
    }

    /// Returns all legal swaps.
    #[inline]
    pub fn swaps(&self) -> Swaps<ColumnMask<WORDS>> {
        self.swaps_entry()
    }

    /// Returns the number of legal swaps of many boards together.
    ///
    /// ```
    /// use match3::{Board, Board8};
    /// let board: Board8 = Board8::new(&"1121\n3213\n2132".parse::<Board>()?)?;
    /// assert_eq!(Board8::count_swaps(&[board; 5]), 5 * board.swaps().len() as u64);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn count_swaps(boards: &[Self]) -> u64 {
        Self::count_swaps_entry(boards)
    }

    /// Returns whether there is a legal swap.
    pub fn has_swap(&self) -> bool {
        !self.swaps().is_empty()
    }

    /// Returns the cells that lie in a run.
    pub fn matched(&self) -> ColumnMask<WORDS> {
        self.matched_entry()
    }

    /// Returns whether the board has no run.
    pub fn is_stable(&self) -> bool {
        self.matched().is_empty()
    }

    /// Plays a legal swap and the cascade that follows.
    ///
    /// # Errors
    ///
    /// The reason why the swap isn't legal, as for [`try_swap`](crate::try_swap) on the same cells. The board
    /// is untouched then.
    pub fn try_swap(&mut self, swap: Swap, colors: &mut dyn Colors) -> Result<CascadeResult, SwapError> {
        if !self.swaps().contains(swap) {
            // The masks know no reason; the rules by cells name it.
            let reason = exchange_if_legal(&mut Board::from(*self), swap);
            return Err(reason.expect_err("the masks have every legal swap"));
        }
        self.exchange(swap);
        Ok(self.cascade(colors))
    }

    /// Clears all runs at once, lets the columns fall and refills them, again and again until the board is
    /// stable.
    ///
    /// A piece falls straight down through empty cells; blocked cells stay and stop it. New pieces enter at
    /// the top, column by column from the left, in each column from the lowest empty cell up that has no
    /// blocked cell above. A color that the planes don't hold is clamped to the largest that they do.
    pub fn cascade(&mut self, colors: &mut dyn Colors) -> CascadeResult {
        if let Some(random) = colors.random()
            && random.count() <= Self::MAX_COLOR
        {
            return self.cascade_entry(random);
        }
        let mut result = CascadeResult::default();
        while let Some(pieces) = self.clear_and_fall(&mut result) {
            for (word, pieces) in pieces.into_iter().enumerate() {
                let mut new = [0; P];
                for at in SetBits(self.open_cells(word, pieces)) {
                    put(&mut new, at, colors.next().clamp(1, Self::MAX_COLOR));
                }
                self.add_pieces(word, new);
            }
        }
        result.score *= 10;
        result
    }

    /// Clears runs and lets columns fall until the board is stable, without new pieces: the part of a cascade
    /// that a player can foresee.
    pub fn cascade_without_refill(&mut self) -> CascadeResult {
        let mut result = CascadeResult::default();
        while self.clear_and_fall(&mut result).is_some() {}
        result.score *= 10;
        result
    }

    /// Plays a uniformly random legal swap and its cascade. Returns none if the board is dead.
    ///
    /// Draws `below(number of swaps)`, which counts the horizontal swaps first, then the vertical ones, both
    /// by column from the left and in a column from the lowest cell up; then draws the refills.
    ///
    /// # Panics
    ///
    /// If `colors` has more colors than the planes hold.
    pub fn random_move(&mut self, colors: &mut RandomColors) -> Option<CascadeResult> {
        assert!(colors.count() <= Self::MAX_COLOR, "colors that {P} planes hold");
        let (played, result) = self.random_moves_entry(colors, 1);
        (played == 1).then_some(result)
    }

    /// Draws one of these swaps with [`below`](Rng::below) the number of swaps, counted as
    /// [`random_move`](Self::random_move) does; none, and no draw, if there is none.
    pub(crate) fn random_swap(&self, swaps: &Swaps<ColumnMask<WORDS>>, rng: &mut Rng) -> Option<Swap> {
        if swaps.is_empty() {
            return None;
        }
        let mut k = rng.below(swaps.len() as u32);
        for (masks, down) in [(swaps.right.words(), false), (swaps.down.words(), true)] {
            for (word, mask) in masks.into_iter().enumerate() {
                if k < mask.count_ones() {
                    return Some(self.swap_at(word, select(mask, k), down));
                }
                k -= mask.count_ones();
            }
        }
        None
    }

    /// Returns the swap with the highest score without new pieces; none if the board is dead.
    pub(crate) fn best_swap(&self) -> Option<Choice> {
        let swaps = self.swaps();
        if self.has_no_gaps() {
            self.best_swap_entry(&swaps)
        } else {
            self.best_by(&swaps, |after| (after.cascade_without_refill().score / 10, 0))
        }
    }

    /// Returns the swap with the largest sum of the two numbers that `score` returns for a copy of the board
    /// after the exchange: the score of the swap itself, and that of moves after it.
    pub(crate) fn best_by(
        &self,
        swaps: &Swaps<ColumnMask<WORDS>>,
        score: impl Fn(&mut Self) -> (u64, u64),
    ) -> Option<Choice> {
        let mut best = BestSwap::NONE;
        for (masks, down) in [(swaps.right.words(), false), (swaps.down.words(), true)] {
            for (word, mask) in masks.into_iter().enumerate() {
                for bit in SetBits(mask) {
                    let mut after = *self;
                    after.exchange_at(word, bit, down);
                    let (score, next) = score(&mut after);
                    best.offer::<WORDS>(Choice { total: score + next, score, word, bit, down });
                }
            }
        }
        best.choice()
    }
}

impl<const WORDS: usize> PlaneBoard<WORDS, 3> {
    /// Returns the same board with room for 15 colors.
    pub(crate) fn with_fourth_plane(self) -> PlaneBoard<WORDS, 4> {
        let Self { planes: [a, b, c], inside, blocked, locked, width, height } = self;
        PlaneBoard { planes: [a, b, c, [0; WORDS]], inside, blocked, locked, width, height }
    }
}

mod sealed {
    pub trait Sealed {}
}

/// The layouts of a [`PlaneBoard`] that have kernels: one word or four, three planes or four. Sealed.
///
/// Code that is generic over layouts needs it as a bound:
/// `where PlaneBoard<WORDS, P>: PlaneLayout<WORDS, P>`. A layout chosen at run time is an [`AnyBoard`].
pub trait PlaneLayout<const WORDS: usize, const P: usize>: sealed::Sealed + Copy {
    #[doc(hidden)]
    fn swaps_entry(&self) -> Swaps<ColumnMask<WORDS>>;
    #[doc(hidden)]
    fn count_swaps_entry(boards: &[Self]) -> u64;
    #[doc(hidden)]
    fn matched_entry(&self) -> ColumnMask<WORDS>;
    #[doc(hidden)]
    fn clear_and_fall(&mut self, result: &mut CascadeResult) -> Option<[u64; WORDS]>;
    #[doc(hidden)]
    fn cascade_entry(&mut self, colors: &mut RandomColors) -> CascadeResult;
    #[doc(hidden)]
    fn random_moves_entry(&mut self, colors: &mut RandomColors, moves: u64) -> (u64, CascadeResult);
    #[doc(hidden)]
    fn best_swap_entry(&self, swaps: &Swaps<ColumnMask<WORDS>>) -> Option<Choice>;
}

/// Makes the entries of the kernels, which are compiled here, once per layout and level.
macro_rules! layouts {
    ($($words:literal x $planes:literal),*) => {$(
        impl sealed::Sealed for PlaneBoard<$words, $planes> {}

        impl PlaneLayout<$words, $planes> for PlaneBoard<$words, $planes> {
            fn swaps_entry(&self) -> Swaps<ColumnMask<$words>> {
                dispatch!(isa + v4 [this = self] => this.swaps_with(isa))
            }
            fn count_swaps_entry(boards: &[Self]) -> u64 {
                dispatch!(isa + v4 [boards] => Self::count_swaps_with(isa, boards))
            }
            fn matched_entry(&self) -> ColumnMask<$words> {
                dispatch!(isa [this = self] => ColumnMask::new(this.matched_with(isa), this.height))
            }
            fn clear_and_fall(&mut self, result: &mut CascadeResult) -> Option<[u64; $words]> {
                dispatch!(isa + slow_pext [this = self, result] => this.clear_and_fall_with(isa, result))
            }
            fn cascade_entry(&mut self, colors: &mut RandomColors) -> CascadeResult {
                dispatch!(isa + slow_pext [this = self, colors] => this.cascade_random_with(isa, colors))
            }
            fn random_moves_entry(
                &mut self,
                colors: &mut RandomColors,
                moves: u64,
            ) -> (u64, CascadeResult) {
                dispatch!(isa + slow_pext [this = self, colors, moves] => this.random_moves_with(isa, colors, moves))
            }
            fn best_swap_entry(&self, swaps: &Swaps<ColumnMask<$words>>) -> Option<Choice> {
                let (planes, right, down) = (&self.planes, &swaps.right.words(), &swaps.down.words());
                dispatch!(isa [planes, right, down] => best_swap_with(isa, planes, right, down))
            }
        }
    )*};
}
layouts!(1 x 3, 1 x 4, 4 x 3, 4 x 4);

impl<const WORDS: usize, const P: usize> From<PlaneBoard<WORDS, P>> for Board {
    fn from(planes: PlaneBoard<WORDS, P>) -> Self {
        let mut board = Self::new(planes.width(), planes.height()).expect("sides of at most 16");
        for y in 0..planes.height() {
            for x in 0..planes.width() {
                board.set(x, y, planes.get(x, y));
            }
        }
        board
    }
}
