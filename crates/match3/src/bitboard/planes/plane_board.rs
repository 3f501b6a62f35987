//! [`PlaneBoard`]: a single board and its kernels.

use crate::bitboard::best_swap::{BestSwap, Choice, best_swap_with};
use crate::bitboard::board_words::{
    BoardWords, load_words_with, runs_of_planes_with, swaps_of_planes_with,
};
use crate::bitboard::color_counts::largest_color;
use crate::bitboard::colors::{Colors, RandomColors, put};
use crate::bitboard::fall::{fall_by_steps, open_to_top, resting_cells_with};
use crate::bitboard::formula::union;
use crate::bitboard::four_words::FourWords;
use crate::bitboard::mask::{ColumnMask, Mask, SwapBit, Swaps};
use crate::bitboard::words::Columns;
use crate::board::{Board, Cell};
use crate::cascade_result::CascadeResult;
use crate::error::Error;
use crate::legality::exchange_if_legal;
use crate::swap::{Swap, SwapError};
use bitcore::{Isa, Lanes, SetBits, dispatch};

/// A board stored by column, as `P` bit planes of words `W`: [`Board8`] or [`Board16`].
///
/// Plane k contains bit k of each cell's color. Locked and blocked cells have one additional mask
/// each. To save its state, a search simply copies the board.
///
/// ```
/// use match3::Rng;
/// use match3::{Board, Board8, RandomColors};
/// let board: Board = "1121\n3213\n2132".parse()?;
/// let mut fast: Board8 = Board8::try_from(&board)?;
/// let swap = fast.swaps().iter().next().ok_or("a legal swap")?;
/// let mut colors = RandomColors::new(6, Rng::new(7))?;
/// let result = fast.try_swap(swap, &mut colors)?;
/// assert!(result.cleared >= 3 && fast.is_stable());
/// println!("{}\n{result:?}", Board::from(fast));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlaneBoard<W, const P: usize> {
    pub(crate) planes: [W; P],
    pub(crate) inside: W,
    pub(crate) blocked: W,
    pub(crate) locked: W,
    width: u8,
    height: u8,
}

/// A board of up to 8 x 8 with colors up to 2^`P` - 1: up to 7 in three planes, up to 15 in four.
///
/// Bit 8x + b of a word is the cell in column x, b cells above the bottom.
pub type Board8<const P: usize = 3> = PlaneBoard<u64, P>;

/// A board of up to 16 x 16 with colors up to 2^`P` - 1: up to 7 in three planes, up to 15 in four.
///
/// Bit 16(x % 4) + b of word x / 4 is the cell in column x, b cells above the bottom.
pub type Board16<const P: usize = 3> = PlaneBoard<FourWords, P>;

impl<W: BoardWords, const P: usize> PlaneBoard<W, P> {
    pub(crate) const MAX_COLOR: u8 = largest_color(P);

    pub(super) const IS_WORD: bool = W::SIDE == 8;

    pub(crate) fn empty(width: usize, height: usize) -> Result<Self, Error> {
        let longest = W::SIDE;
        if !(1..=longest).contains(&width) || !(1..=longest).contains(&height) {
            return Err(Error::Size { width, height, longest });
        }
        let empty = W::default();
        let mut inside = empty;
        for x in 0..width {
            let (word, bit) = place(W::SIDE, x);
            inside.words_mut()[word] |= ((1 << height) - 1) << bit;
        }
        let width = width as u8;
        let height = height as u8;
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
        let (word, bit) = place(W::SIDE, x);
        (word, bit + (self.height() - 1 - y) as u32)
    }

    /// Returns the cell in column `x` of row `y`.
    ///
    /// # Panics
    ///
    /// If the cell is outside the board.
    pub fn get(&self, x: usize, y: usize) -> Cell {
        let (word, bit) = self.word_and_bit(x, y);
        let at = |mask: &W| (mask.words()[word] >> bit & 1) as u8;
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

    /// Puts a cell into an empty position. Its color must fit the planes.
    pub(crate) fn put(&mut self, x: usize, y: usize, cell: Cell) {
        let (word, bit) = self.word_and_bit(x, y);
        let put = |mask: &mut W, value: bool| mask.words_mut()[word] |= u64::from(value) << bit;
        let color = cell.color().unwrap_or(0);
        for (k, plane) in self.planes.iter_mut().enumerate() {
            put(plane, color >> k & 1 == 1);
        }
        put(&mut self.locked, cell.is_locked());
        put(&mut self.blocked, cell == Cell::BLOCKED);
    }

    /// Writes the colors row by row from the top, with 0 for a cell without a color.
    pub(crate) fn write_colors(&self, cells: &mut [u8]) {
        for (y, cells) in cells.chunks_exact_mut(self.width()).enumerate() {
            let mut row = 0;
            for (k, plane) in self.planes.iter().enumerate() {
                row |= plane.row_bytes((self.height() - 1 - y) as u32) << k;
            }
            cells.copy_from_slice(&row.to_le_bytes()[..self.width()]);
        }
    }

    #[inline(always)]
    fn swaps_with<S: Isa>(&self, isa: S) -> Swaps<ColumnMask<W>>
    where
        W: Columns<S>,
    {
        let (right, down) = swaps_of_planes_with(isa, &self.planes, self.locked);
        Swaps {
            right: ColumnMask::new(right, self.height),
            down: ColumnMask::new(down, self.height),
        }
    }

    #[inline(always)]
    fn count_swaps_with<S: Isa>(isa: S, boards: &[Self]) -> u64
    where
        W: Columns<S>,
    {
        let mut count = 0;
        for board in boards {
            count += board.swaps_with(isa).len() as u64;
        }
        count
    }

    #[inline(always)]
    fn matched_with<S: Isa>(&self, isa: S) -> W
    where
        W: Columns<S>,
    {
        runs_of_planes_with(isa, &self.planes)
    }

    /// Exchanges two neighbors without checking the rules.
    ///
    /// # Panics
    ///
    /// If a cell is outside the board.
    #[inline]
    pub fn exchange(&mut self, swap: Swap) {
        let [a, b] = swap.cells().map(|(x, y)| self.word_and_bit(x, y));
        for mask in self.planes.iter_mut().chain([&mut self.locked, &mut self.blocked]) {
            let mask = mask.words_mut();
            let differ = (mask[a.0] >> a.1 ^ mask[b.0] >> b.1) & 1;
            mask[a.0] ^= differ << a.1;
            mask[b.0] ^= differ << b.1;
        }
    }

    #[inline(always)]
    fn cascade_random_with<S: Isa>(&mut self, isa: S, colors: &mut RandomColors) -> CascadeResult
    where
        W: PlaneLayout<P>,
    {
        let mut result = CascadeResult::default();
        while let Some(pieces) = W::clear_and_fall(self, &mut result) {
            self.refill_with(isa, colors, &pieces);
        }
        result.score *= 10;
        result
    }

    #[inline(always)]
    fn refill_with<S: Isa>(&mut self, isa: S, colors: &mut RandomColors, pieces: &W) {
        for (word, &pieces) in pieces.words().iter().enumerate() {
            let empty = self.open_cells(word, pieces);
            if Self::IS_WORD || empty != 0 {
                self.add_pieces(word, colors.take_planes_with(isa, empty));
            }
        }
    }

    #[inline(always)]
    pub(crate) fn add_pieces(&mut self, word: usize, new: [u64; P]) {
        for (plane, new) in self.planes.iter_mut().zip(new) {
            plane.words_mut()[word] |= new;
        }
    }

    /// Returns the empty cells of a word that new pieces can reach.
    #[inline(always)]
    pub(crate) fn open_cells(&self, word: usize, pieces: u64) -> u64 {
        let blocked = self.blocked.words()[word];
        let empty = self.inside.words()[word] & !pieces & !blocked;
        if blocked == 0 { empty } else { open_to_top::<W>(empty, blocked) }
    }

    /// Plays `moves` random moves, or fewer if the board becomes dead. Returns the number of moves
    /// and the totals; `levels` is for the last move.
    #[inline(always)]
    fn random_moves_with<S: Isa>(
        &mut self,
        isa: S,
        colors: &mut RandomColors,
        moves: u64,
    ) -> (u64, CascadeResult)
    where
        W: PlaneLayout<P> + Columns<S>,
    {
        // Works on a copy, which the compiler can keep in registers.
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

    /// Plays one random move. Returns `false` if the board is dead.
    #[inline(always)]
    fn random_move_with<S: Isa>(
        &mut self,
        isa: S,
        colors: &mut RandomColors,
        sum: &mut CascadeResult,
    ) -> bool
    where
        W: PlaneLayout<P> + Columns<S>,
    {
        // Inlined for one-word boards, where a call would cost as much as the work.
        let swaps = if Self::IS_WORD { self.swaps_with(isa) } else { W::swaps(self) };
        let Some(swap) = swaps.draw_with(isa, colors.rng()) else { return false };
        self.exchange_at(swap);
        sum.levels = 0;
        while let Some(pieces) = if Self::IS_WORD {
            self.clear_and_fall_with(isa, sum)
        } else {
            W::clear_and_fall(self, sum)
        } {
            self.refill_with(isa, colors, &pieces);
        }
        true
    }

    /// Exchanges two unlocked pieces; the other masks don't change.
    #[inline(always)]
    pub(crate) fn exchange_at(&mut self, swap: SwapBit) {
        swap.exchange(&mut self.planes);
    }

    /// The swap must be inside the board.
    pub(crate) fn swap_bit(&self, Swap { x, y, axis }: Swap) -> SwapBit {
        let (word, bit) = self.word_and_bit(x, y);
        SwapBit { word, bit, axis }
    }

    pub(crate) fn swap_at(&self, SwapBit { word, bit, axis }: SwapBit) -> Swap {
        let column = bit as usize / W::SIDE;
        let row = bit as usize % W::SIDE;
        Swap { x: word * (64 / W::SIDE) + column, y: self.height() - 1 - row, axis }
    }

    /// Returns whether every cell has an unlocked piece.
    pub(crate) fn is_plain(&self) -> bool {
        union(&self.planes) == self.inside && self.locked == W::default()
    }

    /// Returns whether no cell is blocked and no piece has an empty cell below it. This is always
    /// true after a move on a board without blocked cells.
    #[inline(always)]
    pub(crate) fn has_no_gaps(&self) -> bool {
        let colored = union(&self.planes);
        let tops = if Self::IS_WORD { 0x8080_8080_8080_8080 } else { 0x8000_8000_8000_8000 };
        let mut other = 0;
        for (colored, blocked) in colored.words().iter().zip(self.blocked.words()) {
            other |= blocked | ((colored >> 1) & !tops & !colored);
        }
        other == 0
    }

    /// Plays one cascade level: clears the runs and lets the columns fall. Returns the cells with a
    /// piece afterwards, or `None` if there was no run. Adds to `result`, with the score in tens of
    /// points.
    #[inline(always)]
    fn clear_and_fall_with<S: Isa>(&mut self, isa: S, result: &mut CascadeResult) -> Option<W>
    where
        W: Columns<S>,
    {
        let runs = self.matched_with(isa);
        let cleared = ColumnMask::new(runs, self.height).len() as u64;
        if cleared == 0 {
            return None;
        }
        result.levels += 1;
        result.cleared += cleared;
        result.score += cleared * result.levels;
        let mut pieces = union(&self.planes).and_not(runs);
        self.locked = self.locked & pieces;
        if !self.blocked.is_zero() || !S::FAST_PEXT {
            for (word, pieces) in pieces.words_mut().iter_mut().enumerate() {
                *pieces = self.fall_by_steps(word, *pieces);
            }
            return Some(pieces);
        }
        // Each column keeps its pieces in order, at the bottom.
        let at_rest = resting_cells_with::<S, W>(isa, load_words_with(isa, &pieces)).to_array();
        let any_locked = !self.locked.is_zero();
        for (word, pieces) in pieces.words_mut().iter_mut().enumerate() {
            // Most words have no run; skip them unless they have gaps to close.
            if !Self::IS_WORD && runs.words()[word] == 0 && at_rest[word] == *pieces {
                continue;
            }
            let from = *pieces;
            let to = at_rest[word];
            for plane in &mut self.planes {
                move_bits_with(isa, &mut plane.words_mut()[word], from, to);
            }
            if any_locked {
                move_bits_with(isa, &mut self.locked.words_mut()[word], from, to);
            }
            *pieces = at_rest[word];
        }
        Some(pieces)
    }

    #[inline(always)]
    fn fall_by_steps(&mut self, word: usize, pieces: u64) -> u64 {
        let inside = self.inside.words()[word];
        let blocked = self.blocked.words()[word];
        let mut planes = [0; P];
        for (to, from) in planes.iter_mut().zip(&self.planes) {
            *to = from.words()[word] & pieces;
        }
        let locked = &mut self.locked.words_mut()[word];
        if *locked != 0 {
            let mut plane = [*locked];
            fall_by_steps::<W, 1>(&mut plane, pieces, inside, blocked);
            [*locked] = plane;
        }
        let fallen = fall_by_steps::<W, P>(&mut planes, pieces, inside, blocked);
        for (to, from) in self.planes.iter_mut().zip(planes) {
            to.words_mut()[word] = from;
        }
        fallen
    }
}

#[inline(always)]
fn move_bits_with<S: Isa>(isa: S, word: &mut u64, from: u64, to: u64) {
    *word = isa.pdep(isa.pext(*word, from), to);
}

/// Returns the word of a column and the bit of its bottom cell.
const fn place(side: usize, x: usize) -> (usize, u32) {
    let columns = 64 / side;
    (x / columns, (side * (x % columns)) as u32)
}

impl<W: PlaneLayout<P>, const P: usize> PlaneBoard<W, P> {
    /// Returns all legal swaps.
    #[inline]
    pub fn swaps(&self) -> Swaps<ColumnMask<W>> {
        W::swaps(self)
    }

    /// Returns the total number of legal swaps of many boards.
    ///
    /// ```
    /// use match3::{Board, Board8};
    /// let board: Board8 = Board8::try_from(&"1121\n3213\n2132".parse::<Board>()?)?;
    /// assert_eq!(Board8::count_swaps(&[board; 5]), 5 * board.swaps().len() as u64);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn count_swaps(boards: &[Self]) -> u64 {
        W::count_swaps(boards)
    }

    /// Returns whether there is a legal swap.
    pub fn has_swap(&self) -> bool {
        !self.swaps().is_empty()
    }

    /// Returns the cells in runs.
    pub fn matched(&self) -> ColumnMask<W> {
        W::matched(self)
    }

    /// Returns whether the board has no run.
    pub fn is_stable(&self) -> bool {
        self.matched().is_empty()
    }

    /// Plays a legal swap and its cascade.
    ///
    /// # Errors
    ///
    /// The reason the swap is illegal, as for [`try_swap`](crate::try_swap) on the same cells. The
    /// board is then unchanged.
    pub fn try_swap(
        &mut self,
        swap: Swap,
        colors: &mut dyn Colors,
    ) -> Result<CascadeResult, SwapError> {
        if !self.swaps().contains(swap) {
            // The masks only list legal swaps; the cell-by-cell rules give the reason.
            let reason = exchange_if_legal(&mut Board::from(*self), swap);
            return Err(reason.expect_err("the masks have every legal swap"));
        }
        self.exchange(swap);
        Ok(self.cascade(colors))
    }

    /// Clears all runs, lets the columns fall and refills them, repeatedly until the board is
    /// stable.
    ///
    /// Pieces fall straight down through empty cells; blocked cells stay in place and stop them.
    /// New pieces enter at the top, column by column from the left; within a column, they fill the
    /// empty cells without a blocked cell above, lowest first. Colors that don't fit the planes are
    /// clamped to the largest one that does.
    pub fn cascade(&mut self, colors: &mut dyn Colors) -> CascadeResult {
        if let Some(random) = colors.random()
            && random.count() <= Self::MAX_COLOR
        {
            return self.cascade_random(random);
        }
        let mut result = CascadeResult::default();
        while let Some(pieces) = W::clear_and_fall(self, &mut result) {
            for (word, pieces) in pieces.words().iter().enumerate() {
                let mut new = [0; P];
                for at in SetBits(self.open_cells(word, *pieces)) {
                    put(&mut new, at, colors.next().clamp(1, Self::MAX_COLOR));
                }
                self.add_pieces(word, new);
            }
        }
        result.score *= 10;
        result
    }

    /// Clears runs and lets columns fall until the board is stable, without new pieces: the part of
    /// a cascade that a player can foresee.
    pub fn cascade_without_refill(&mut self) -> CascadeResult {
        let mut result = CascadeResult::default();
        while W::clear_and_fall(self, &mut result).is_some() {}
        result.score *= 10;
        result
    }

    /// Plays a uniformly random legal swap and its cascade. Returns `None` if the board is dead.
    ///
    /// Draws `below(number of swaps)`, counting horizontal swaps before vertical ones, each by
    /// column from the left and within a column from the bottom up, and then the refills.
    ///
    /// # Panics
    ///
    /// If `colors` has more colors than fit the planes.
    pub fn random_move(&mut self, colors: &mut RandomColors) -> Option<CascadeResult> {
        assert!(colors.count() <= Self::MAX_COLOR, "colors that {P} planes hold");
        let (played, result) = W::random_moves(self, colors, 1);
        (played == 1).then_some(result)
    }

    /// The colors must fit the planes.
    pub(crate) fn cascade_random(&mut self, colors: &mut RandomColors) -> CascadeResult {
        W::cascade_random(self, colors)
    }

    /// Returns the swap with the highest score without new pieces, or `None` if the board is dead.
    pub(crate) fn best_swap(&self) -> Option<Choice> {
        self.best_of(&self.swaps())
    }

    pub(crate) fn best_of(&self, swaps: &Swaps<ColumnMask<W>>) -> Option<Choice> {
        if self.has_no_gaps() {
            W::best_swap(self, swaps)
        } else {
            self.best_by(swaps, |after| (after.cascade_without_refill().score / 10, 0))
        }
    }

    /// Returns the swap with the largest sum of the two numbers that `score` returns for a copy of
    /// the board after the exchange: the score of the swap itself, and the score of later moves.
    pub(crate) fn best_by(
        &self,
        swaps: &Swaps<ColumnMask<W>>,
        score: impl Fn(&mut Self) -> (u64, u64),
    ) -> Option<Choice> {
        let mut best = BestSwap::NONE;
        for swap in swaps.in_draw_order() {
            let mut after = *self;
            after.exchange_at(swap);
            let (score, next) = score(&mut after);
            best.offer::<W>(Choice { total: score + next, score, swap });
        }
        best.choice()
    }
}

/// The words of a [`PlaneBoard`] with `P` planes: one word or four, three planes or four. This
/// trait is sealed.
///
/// Use it as the bound of code that is generic over layouts:
/// `fn f<W: PlaneLayout<P>, const P: usize>(board: PlaneBoard<W, P>)`.
pub trait PlaneLayout<const P: usize>: BoardWords {
    #[doc(hidden)]
    fn swaps(board: &PlaneBoard<Self, P>) -> Swaps<ColumnMask<Self>>;
    #[doc(hidden)]
    fn count_swaps(boards: &[PlaneBoard<Self, P>]) -> u64;
    #[doc(hidden)]
    fn matched(board: &PlaneBoard<Self, P>) -> ColumnMask<Self>;
    #[doc(hidden)]
    fn clear_and_fall(board: &mut PlaneBoard<Self, P>, result: &mut CascadeResult) -> Option<Self>;
    #[doc(hidden)]
    fn cascade_random(board: &mut PlaneBoard<Self, P>, colors: &mut RandomColors) -> CascadeResult;
    #[doc(hidden)]
    fn random_moves(
        board: &mut PlaneBoard<Self, P>,
        colors: &mut RandomColors,
        moves: u64,
    ) -> (u64, CascadeResult);
    #[doc(hidden)]
    fn best_swap(board: &PlaneBoard<Self, P>, swaps: &Swaps<ColumnMask<Self>>) -> Option<Choice>;
}

/// Compiles the kernels here, once per layout and ISA level. `list` names more levels for the list
/// of one board; AVX-512 has nothing for one word.
macro_rules! layouts {
    ($($words:ty, $planes:literal, list: [$($lists:tt)*];)*) => {$(
        impl PlaneLayout<$planes> for $words {
            fn swaps(board: &PlaneBoard<Self, $planes>) -> Swaps<ColumnMask<Self>> {
                dispatch!(isa $($lists)* [board] => board.swaps_with(isa))
            }
            fn count_swaps(boards: &[PlaneBoard<Self, $planes>]) -> u64 {
                dispatch!(isa + v4 [boards] => PlaneBoard::count_swaps_with(isa, boards))
            }
            fn matched(board: &PlaneBoard<Self, $planes>) -> ColumnMask<Self> {
                dispatch!(isa [board] => ColumnMask::new(board.matched_with(isa), board.height))
            }
            fn clear_and_fall(
                board: &mut PlaneBoard<Self, $planes>,
                result: &mut CascadeResult,
            ) -> Option<Self> {
                dispatch!(isa + slow_pext [board, result] => board.clear_and_fall_with(isa, result))
            }
            fn cascade_random(
                board: &mut PlaneBoard<Self, $planes>,
                colors: &mut RandomColors,
            ) -> CascadeResult {
                dispatch!(isa + slow_pext [board, colors] => board.cascade_random_with(isa, colors))
            }
            fn random_moves(
                board: &mut PlaneBoard<Self, $planes>,
                colors: &mut RandomColors,
                moves: u64,
            ) -> (u64, CascadeResult) {
                dispatch!(isa + slow_pext [board, colors, moves] => board.random_moves_with(isa, colors, moves))
            }
            fn best_swap(
                board: &PlaneBoard<Self, $planes>,
                swaps: &Swaps<ColumnMask<Self>>,
            ) -> Option<Choice> {
                let board = &board.planes;
                dispatch!(isa [board, swaps] => best_swap_with(isa, board, swaps))
            }
        }
    )*};
}
layouts! {
    u64, 3, list: [];
    u64, 4, list: [];
    FourWords, 3, list: [+ v4];
    FourWords, 4, list: [+ v4];
}

impl<W: BoardWords, const P: usize> TryFrom<&Board> for PlaneBoard<W, P> {
    type Error = Error;

    /// Converts a board of cells.
    ///
    /// # Errors
    ///
    /// [`Error::Size`], [`Error::Color`].
    fn try_from(board: &Board) -> Result<Self, Error> {
        let mut planes = Self::empty(board.width(), board.height())?;
        for (y, row) in board.rows().enumerate() {
            for (x, &cell) in row.iter().enumerate() {
                let color = cell.color().unwrap_or(0);
                if color > Self::MAX_COLOR {
                    return Err(Error::Color { x, y, found: color, largest: Self::MAX_COLOR });
                }
                let (word, bit) = place(W::SIDE, x);
                let bit = bit + (board.height() - 1 - y) as u32;
                for (k, plane) in planes.planes.iter_mut().enumerate() {
                    plane.words_mut()[word] |= u64::from(color >> k & 1) << bit;
                }
                planes.locked.words_mut()[word] |= u64::from(cell.is_locked()) << bit;
                planes.blocked.words_mut()[word] |= u64::from(cell == Cell::BLOCKED) << bit;
            }
        }
        Ok(planes)
    }
}

impl<W: BoardWords, const P: usize> From<PlaneBoard<W, P>> for Board {
    fn from(planes: PlaneBoard<W, P>) -> Self {
        let mut board = Self::new(planes.width(), planes.height()).expect("sides of at most 16");
        for y in 0..planes.height() {
            for x in 0..planes.width() {
                board[(x, y)] = planes.get(x, y);
            }
        }
        board
    }
}
