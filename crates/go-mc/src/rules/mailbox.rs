//! [`Mailbox`]: a board of cells with a border, built to answer "is this point playable?" point by point.
//!
//! # The layout
//!
//! Row y of the board begins at cell (y + 1) * (N + 1) + 1. One border column is both the right end
//! of a row and the left end of the next, so the neighbors of every cell are at fixed offsets:
//!
//! ```text
//! N = 3      16  17 18 19  20       # # # #  #       # border   . point
//!            12  13 14 15           # . . .
//!             8   9 10 11           # . . .          below: - (N + 1)   left:  - 1
//!             4   5  6  7           # . . .          above: + (N + 1)   right: + 1
//!             0   1  2  3           # # # #
//! ```
//!
//! # Chains
//!
//! Chains are stored as in [libEGO](https://github.com/lukaszlew/libego) (Łukasz Lew's Library of
//! Effective GO routines, 2006):
//!
//! - The stones of a chain form a circular linked list (`next`). The cell of one of them names the
//!   chain.
//! - A chain counts its *pseudo-liberties*: its pairs of a stone and an adjacent empty point. A
//!   liberty shared by two of its stones counts twice, but the count is zero exactly if the chain
//!   has no liberty, and a move changes it by 1 per neighbor.
//! - A chain is in atari at point p exactly if all its pseudo-liberties are at p: the count equals
//!   the number of its stones adjacent to p. [`Mailbox::has_liberty_after`] detects suicide and
//!   captures by this comparison.
//!
//! ```text
//! play(color, p):
//!     for each neighbor q of p: pseudo_liberties[chain of q] -= 1       // an empty q is a chain of its own
//!     p becomes a chain with its empty neighbors as pseudo-liberties
//!     for each own neighbor chain other than p's: relabel one of the two, add the counts, join the lists
//!     for each enemy neighbor chain with count 0: remove its stones, += 1 for the chains around each
//! ```
//!
//! Joining two circular lists swaps the successors of one stone of each. The chain with fewer
//! pseudo-liberties, which is rarely the larger one, is relabeled.
//!
//! The empty points are an unordered list, so one draw finds a random one; each empty cell stores
//! its index in the list.

mod neighbors;

use crate::rules::board::{Board, Color};
use crate::rules::points::{MAX_SIDE, Points};
use crate::rules::position::Position;
use alloc::boxed::Box;
use bitcore::Rng32;
use neighbors::Neighbors;

/// The arrays' length: more than the cells of 19 x 19, and a power of two, so a masked index needs
/// no bounds check.
const CELLS: usize = 512;

const MASK: usize = CELLS - 1;

/// The maximum number of pseudo-liberties that a chain can have at one point.
const MAX_PER_POINT: u16 = 4;

/// The state of a point or of the border.
#[derive(Clone, Copy, Debug)]
struct Cell {
    neighbors: u8,
    /// The contents of the cell itself, encoded as in [`Neighbors`].
    contents: u8,
    /// The chain of a stone, named by the cell of one of its stones. An empty point names itself,
    /// and its count is never read, so a move can update the count of every neighbor without
    /// testing for a stone.
    chain: u16,
    /// The next stone in the circular list of the chain; an empty point links to itself.
    next: u16,
    /// The index of an empty point in the list of empty cells.
    list_index: u16,
}

/// The `N` x `N` board with a border. Point index i is cell i + N + 2.
#[derive(Clone, Debug)]
pub(crate) struct Mailbox<const N: usize> {
    cells: [Cell; CELLS],
    pseudo_liberties: [u16; CELLS],
    empty_cells: [u16; CELLS],
    empty_count: usize,
    /// The cell of the ko point; cell 0, a border cell, if there is none.
    ko: usize,
}

impl<const N: usize> Mailbox<N> {
    const STRIDE: usize = Points::<N>::STRIDE;
    /// The offsets to the cells below, left, right and above.
    const OFFSETS: [usize; 4] = [0usize.wrapping_sub(Self::STRIDE), usize::MAX, 1, Self::STRIDE];
    const FIRST_CELL: usize = N + 2;
    /// The number of cells in use, including the border above the last row.
    const USED_CELLS: usize = (N + 2) * (N + 1) + 1;

    const EMPTY: Self = {
        let mut board = Self::BORDER;
        board.clear_points(N, N);
        board
    };

    /// A board without points.
    const BORDER: Self = {
        let border =
            Cell { neighbors: 0, contents: Neighbors::BORDER, chain: 0, next: 0, list_index: 0 };
        Self {
            cells: [border; CELLS],
            pseudo_liberties: [0; CELLS],
            empty_cells: [0; CELLS],
            empty_count: 0,
            ko: 0,
        }
    };

    /// Turns a rectangle of border into empty points; they are not listed yet.
    const fn clear_points(&mut self, width: usize, height: usize) {
        let mut y = 0;
        while y < height {
            let mut x = 0;
            while x < width {
                let cell = Self::FIRST_CELL + y * Self::STRIDE + x;
                let neighbors =
                    Neighbors::on_empty_board([y > 0, x > 0, x + 1 < width, y + 1 < height]);
                self.cells[cell] = Cell {
                    neighbors,
                    contents: 0,
                    chain: cell as u16,
                    next: cell as u16,
                    list_index: 0,
                };
                x += 1;
            }
            y += 1;
        }
    }

    /// The empty points are listed in point order.
    pub(crate) fn new(position: &Position<N>) -> Self {
        let stones = Color::ALL.map(|color| position.stones(color));
        let mut board = Self::EMPTY;
        board.fill(stones, !(stones[0] | stones[1]));
        board.ko = position.ko().iter().next().map_or(0, |index| index + Self::FIRST_CELL);
        board
    }

    /// Places the stones on an empty board and lists the other points.
    fn fill(&mut self, stones: [Points<N>; 2], empty: Points<N>) {
        self.place_stones(Points::FULL, stones);
        for index in empty {
            self.push_empty(index + Self::FIRST_CELL);
        }
    }

    /// Places the stones that are on these empty points. Each chain has a liberty once all are
    /// there.
    fn place_stones(&mut self, points: Points<N>, stones: [Points<N>; 2]) {
        // Nothing is captured on the way: an incomplete chain has a liberty wherever one of its
        // stones is still missing.
        for color in Color::ALL {
            for index in points & stones[color as usize] {
                self.place_stone(color, index + Self::FIRST_CELL);
            }
        }
    }

    #[inline(always)]
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.cells[..Self::USED_CELLS].copy_from_slice(&other.cells[..Self::USED_CELLS]);
        self.pseudo_liberties[..Self::USED_CELLS]
            .copy_from_slice(&other.pseudo_liberties[..Self::USED_CELLS]);
        self.empty_cells[..N * N].copy_from_slice(&other.empty_cells[..N * N]);
        (self.empty_count, self.ko) = (other.empty_count, other.ko);
    }

    #[inline(always)]
    pub(crate) fn stones(&self, color: Color) -> Points<N> {
        let mut stones = Points::EMPTY;
        for y in 0..N {
            let mut row = 0;
            for x in 0..N {
                let contents = self.cells[Self::FIRST_CELL + y * Self::STRIDE + x].contents;
                row |= u64::from(contents == Neighbors::stone_code(color)) << x;
            }
            stones.insert_row(y, row);
        }
        stones
    }

    /// Returns the index of a uniformly random point where `color` may play; `None` if there is
    /// none.
    ///
    /// Draws from the list of empty points. A point that is not playable is swapped with the last
    /// point not yet drawn, and the next draw is among the rest.
    #[inline(always)]
    pub(crate) fn choose_random(
        &mut self,
        color: Color,
        multi_suicide: bool,
        rng: &mut Rng32,
    ) -> Option<usize> {
        let mut left = self.empty_count;
        while left > 0 {
            let i = rng.below(left as u32) as usize & MASK;
            let cell = usize::from(self.empty_cells[i]) & MASK;
            if self.is_playable(color, cell, multi_suicide) {
                return Some(cell - Self::FIRST_CELL);
            }
            left -= 1;
            self.swap(i, left & MASK);
        }
        None
    }

    #[inline(always)]
    pub(crate) fn ko(&self) -> Points<N> {
        self.ko_index().map_or(Points::EMPTY, Points::bit)
    }

    #[inline(always)]
    pub(crate) const fn ko_index(&self) -> Option<usize> {
        if self.ko == 0 { None } else { Some(self.ko - Self::FIRST_CELL) }
    }

    #[inline(always)]
    pub(crate) fn is_playable_at(&self, color: Color, index: usize, multi_suicide: bool) -> bool {
        self.is_playable(color, (index + Self::FIRST_CELL) & MASK, multi_suicide)
    }

    /// Returns whether a light playout may play on an empty point: the move is legal and does not
    /// fill a real eye of the player. With `multi_suicide`, suicide of two or more stones is legal.
    #[inline(always)]
    fn is_playable(&self, color: Color, cell: usize, multi_suicide: bool) -> bool {
        let neighbors = Neighbors::from_byte(self.cells[cell].neighbors);
        if neighbors.has_empty() {
            return true;
        }
        let own = neighbors.stones(color);
        let enemy = neighbors.stones(color.other());
        if enemy == 0 && self.is_real_eye(color, cell) {
            return false;
        }
        cell != self.ko && (multi_suicide && own != 0 || self.has_liberty_after(cell, own, enemy))
    }

    /// Returns whether an eyelike point has fewer than two lost diagonals: one per enemy stone on a
    /// diagonal, and one more on the edge.
    #[inline(always)]
    fn is_real_eye(&self, color: Color, cell: usize) -> bool {
        let near = Self::STRIDE - 1;
        let far = Self::STRIDE + 1;
        let mut strikes = 0;
        let mut edge = 0;
        for diagonal in [cell.wrapping_sub(far), cell.wrapping_sub(near), cell + near, cell + far] {
            let contents = self.cells[diagonal & MASK].contents;
            strikes += u32::from(contents == Neighbors::stone_code(color.other()));
            edge |= u32::from(contents == Neighbors::BORDER);
        }
        strikes + edge < 2
    }

    /// Returns whether a stone on a point without empty neighbors will have a liberty: it captures
    /// a chain, or joins a chain that has another liberty. `own` and `enemy` are the sides with own
    /// and enemy stones.
    ///
    /// A chain has no liberty except this point if its pseudo-liberties equal its number of stones
    /// adjacent to the point.
    #[inline(always)]
    fn has_liberty_after(&self, cell: usize, own: u32, enemy: u32) -> bool {
        let (chains, liberties) = self.chains_around(cell);
        let [a, b, c, d] = liberties;
        if own == 0 && a.min(b).min(c.min(d)) > MAX_PER_POINT {
            // No chain can be captured: most calls for enemy eyes end here.
            return false;
        }
        let last_liberty = Self::last_liberties(chains, liberties);
        (last_liberty & enemy) | (!last_liberty & own) != 0
    }

    /// Returns the chain on each side, and its pseudo-liberties.
    #[inline(always)]
    fn chains_around(&self, cell: usize) -> ([u16; 4], [u16; 4]) {
        let chains = Self::neighbor_cells(cell).map(|side| self.cells[side].chain);
        (chains, chains.map(|chain| self.pseudo_liberties[usize::from(chain) & MASK]))
    }

    /// Returns the sides of the chains whose only liberty is the point between them. Meaningless on
    /// sides without a stone.
    #[inline(always)]
    fn last_liberties([a, b, c, d]: [u16; 4], liberties: [u16; 4]) -> u32 {
        let same = |a, b| u16::from(a == b);
        let ab = same(a, b);
        let ac = same(a, c);
        let ad = same(a, d);
        let bc = same(b, c);
        let bd = same(b, d);
        let cd = same(c, d);
        let stones = [1 + ab + ac + ad, 1 + ab + bc + bd, 1 + ac + bc + cd, 1 + ad + bd + cd];
        let mut last_liberty = 0;
        for side in 0..4 {
            last_liberty |= u32::from(liberties[side] == stones[side]) << (2 * side);
        }
        last_liberty
    }

    #[inline(always)]
    pub(crate) fn pass(&mut self) {
        self.ko = 0;
    }

    /// Plays a stone on an empty point and removes chains without a liberty: enemy chains first,
    /// otherwise own.
    #[inline(always)]
    pub(crate) fn play(&mut self, color: Color, index: usize, multi_suicide: bool) {
        let cell = (index + Self::FIRST_CELL) & MASK;
        self.remove_empty(cell);
        self.ko = 0;
        let captured_sides = self.place_stone(color, cell);
        if captured_sides != 0 {
            self.capture(color, cell, captured_sides);
        }
        if multi_suicide && self.pseudo_liberties_at(cell) == 0 {
            self.remove_chain(color, cell);
        }
    }

    #[inline(always)]
    pub(crate) fn empty_points(&self) -> usize {
        self.empty_count
    }

    /// Iterates over the list of empty points from position `first`. If there were n empty points
    /// before a move, the points emptied by the move begin at position n - 1.
    #[inline(always)]
    pub(crate) fn empty_from(&self, first: usize) -> impl Iterator<Item = usize> {
        let listed = self.empty_cells.get(first..self.empty_count).unwrap_or_default();
        listed.iter().map(|&cell| usize::from(cell) - Self::FIRST_CELL)
    }

    /// Places a stone and joins it to its chains. Returns the sides of the enemy chains that lost
    /// their last liberty, one per chain: the last side, because each side subtracts a
    /// pseudo-liberty.
    #[inline(always)]
    fn place_stone(&mut self, color: Color, cell: usize) -> u32 {
        let cell = cell & MASK;
        let neighbors = Neighbors::from_byte(self.cells[cell].neighbors);
        let mut captured_sides = 0;
        for (side, neighbor) in Self::neighbor_cells(cell).into_iter().enumerate() {
            let neighbor = &mut self.cells[neighbor];
            neighbor.neighbors ^= Neighbors::delta(side, color);
            let liberties = &mut self.pseudo_liberties[usize::from(neighbor.chain) & MASK];
            *liberties = liberties.wrapping_sub(1);
            captured_sides |= u32::from(*liberties == 0) << (2 * side);
        }
        self.cells[cell].contents = Neighbors::stone_code(color);

        let mut own = neighbors.stones(color);
        let new_liberties = neighbors.empty_count();
        if own == 0 {
            self.pseudo_liberties[cell] = new_liberties;
        } else {
            let friend = Self::first_neighbor(own, cell);
            own &= own - 1;
            let mut chain = usize::from(self.cells[friend].chain) & MASK;
            self.cells[cell].chain = chain as u16;
            self.pseudo_liberties[chain] = self.pseudo_liberties[chain].wrapping_add(new_liberties);
            self.cells[cell].next = self.cells[friend].next;
            self.cells[friend].next = cell as u16;
            while own != 0 {
                let friend = Self::first_neighbor(own, cell);
                own &= own - 1;
                let other = usize::from(self.cells[friend].chain) & MASK;
                if other != chain {
                    chain = self.merge((chain, cell), (other, friend));
                }
            }
        }
        captured_sides & neighbors.stones(color.other())
    }

    /// Merges two chains, each given by its name and one of its stones, and returns the resulting
    /// name. Relabels the chain with fewer pseudo-liberties, which is rarely the larger one.
    #[inline(always)]
    fn merge(&mut self, a: (usize, usize), b: (usize, usize)) -> usize {
        let liberties = [self.pseudo_liberties[a.0], self.pseudo_liberties[b.0]];
        let (id, stone) = if liberties[0] < liberties[1] { (b.0, a.1) } else { (a.0, b.1) };
        let mut at = stone;
        loop {
            self.cells[at].chain = id as u16;
            at = usize::from(self.cells[at].next) & MASK;
            if at == stone {
                break;
            }
        }
        self.pseudo_liberties[id] = liberties[0].wrapping_add(liberties[1]);
        self.join_cycles(a.1, b.1);
        id
    }

    /// Joins two circular lists, each given by one of its stones.
    #[inline(always)]
    fn join_cycles(&mut self, a: usize, b: usize) {
        let next = self.cells[a].next;
        self.cells[a].next = self.cells[b].next;
        self.cells[b].next = next;
    }

    /// Removes the enemy chains on the given sides of a new stone, and records a ko.
    #[inline(never)]
    fn capture(&mut self, color: Color, cell: usize, mut neighbors: u32) {
        let before = self.empty_count;
        while neighbors != 0 {
            self.remove_chain(color.other(), Self::first_neighbor(neighbors, cell));
            neighbors &= neighbors - 1;
        }
        let neighbors = Neighbors::from_byte(self.cells[cell].neighbors);
        let isolated = neighbors.stones(color) == 0 && neighbors.empty_count() == 1;
        if isolated && self.empty_count == before + 1 {
            self.ko = usize::from(self.empty_cells[before & MASK]);
        }
    }

    /// Removes a chain, starting at `stone` along its list, and appends its points in this order to
    /// the empty list.
    #[inline(always)]
    fn remove_chain(&mut self, color: Color, stone: usize) {
        let mut at = stone;
        loop {
            let next = usize::from(self.cells[at].next) & MASK;
            for (side, neighbor) in Self::neighbor_cells(at).into_iter().enumerate() {
                let neighbor = &mut self.cells[neighbor];
                neighbor.neighbors ^= Neighbors::delta(side, color);
                let liberties = &mut self.pseudo_liberties[usize::from(neighbor.chain) & MASK];
                *liberties = liberties.wrapping_add(1);
            }
            let cell = &mut self.cells[at];
            (cell.contents, cell.chain, cell.next) = (0, at as u16, at as u16);
            self.push_empty(at);
            at = next;
            if at == stone {
                break;
            }
        }
    }

    #[inline(always)]
    fn pseudo_liberties_at(&self, cell: usize) -> u16 {
        self.pseudo_liberties[usize::from(self.cells[cell].chain) & MASK]
    }

    #[inline(always)]
    fn push_empty(&mut self, cell: usize) {
        self.empty_cells[self.empty_count & MASK] = cell as u16;
        self.cells[cell].list_index = self.empty_count as u16;
        self.empty_count += 1;
    }

    /// Removes a cell from the list of empty cells by moving the last one to its place.
    #[inline(always)]
    fn remove_empty(&mut self, cell: usize) {
        self.empty_count -= 1;
        let list_index = self.cells[cell].list_index;
        let last = self.empty_cells[self.empty_count & MASK];
        self.empty_cells[usize::from(list_index) & MASK] = last;
        self.cells[usize::from(last) & MASK].list_index = list_index;
    }

    #[inline(always)]
    fn swap(&mut self, a: usize, b: usize) {
        let [at_a, at_b] = [self.empty_cells[a], self.empty_cells[b]];
        (self.empty_cells[a], self.empty_cells[b]) = (at_b, at_a);
        self.cells[usize::from(at_a) & MASK].list_index = b as u16;
        self.cells[usize::from(at_b) & MASK].list_index = a as u16;
    }

    #[inline(always)]
    fn neighbor_cells(cell: usize) -> [usize; 4] {
        Self::OFFSETS.map(|side| cell.wrapping_add(side) & MASK)
    }

    /// Returns the cell of the lowest side in a nonempty set of sides.
    #[inline(always)]
    fn first_neighbor(neighbors: u32, cell: usize) -> usize {
        cell.wrapping_add(Self::OFFSETS[(neighbors.trailing_zeros() / 2) as usize & 3]) & MASK
    }
}

/// The board of a [`Game`](crate::Game) of any size, for exact rules.
impl Mailbox<MAX_SIDE> {
    pub(crate) fn of_board(board: &Board) -> Box<Self> {
        let mut chains = Box::new(Self::BORDER);
        chains.clear_points(board.size().width(), board.size().height());
        chains.fill(board.stones_by_color(), board.empty());
        chains
    }

    /// Returns what a stone on a point would meet; `None` if the point is off the board.
    #[inline(always)]
    pub(crate) fn look(&self, color: Color, index: usize) -> Option<Outlook> {
        let cell = (index + Self::FIRST_CELL) & MASK;
        match self.cells[cell].contents {
            0 => {}
            Neighbors::BORDER => return None,
            _ => return Some(Outlook::Occupied),
        }
        let neighbors = Neighbors::from_byte(self.cells[cell].neighbors);
        let own = neighbors.stones(color);
        let enemy = neighbors.stones(color.other());
        Some(if neighbors.has_empty() || self.has_liberty_after(cell, own, enemy) {
            Outlook::Lives
        } else if own == 0 {
            Outlook::LoneSuicide
        } else {
            Outlook::Suicide
        })
    }

    /// Returns the stones that a stone on an empty point would capture.
    pub(crate) fn captured_by(&self, color: Color, index: usize) -> Points<MAX_SIDE> {
        let cell = (index + Self::FIRST_CELL) & MASK;
        let neighbors = Neighbors::from_byte(self.cells[cell].neighbors);
        let (chains, liberties) = self.chains_around(cell);
        let sides = Self::last_liberties(chains, liberties) & neighbors.stones(color.other());
        self.chains_on(sides, cell)
    }

    /// Returns the chains of a color that a stone on an empty point would join.
    pub(crate) fn joined_by(&self, color: Color, index: usize) -> Points<MAX_SIDE> {
        let cell = (index + Self::FIRST_CELL) & MASK;
        self.chains_on(Neighbors::from_byte(self.cells[cell].neighbors).stones(color), cell)
    }

    fn chains_on(&self, mut sides: u32, cell: usize) -> Points<MAX_SIDE> {
        let mut chains = Points::EMPTY;
        while sides != 0 {
            let stone = Self::first_neighbor(sides, cell);
            sides &= sides - 1;
            if !chains.contains(stone - Self::FIRST_CELL) {
                self.add_chain(stone, &mut chains);
            }
        }
        chains
    }

    fn add_chain(&self, stone: usize, chain: &mut Points<MAX_SIDE>) {
        let mut at = stone;
        loop {
            chain.set_bit(at - Self::FIRST_CELL);
            at = usize::from(self.cells[at].next) & MASK;
            if at == stone {
                return;
            }
        }
    }

    /// Plays a stone on an empty point. Returns the points that it empties, if any: of captured
    /// stones, or of its own chain if that is left without a liberty.
    #[inline(always)]
    pub(crate) fn play_and_take(&mut self, color: Color, index: usize) -> Option<Points<MAX_SIDE>> {
        let before = self.empty_count;
        self.play(color, index, true);
        (self.empty_count >= before).then(|| {
            let mut taken = Points::EMPTY;
            self.empty_from(before - 1).for_each(|index| taken.set_bit(index));
            taken
        })
    }

    /// Changes the stones on `points`, and on all points of the chain at `index`, to these. Each
    /// chain has a liberty before and after.
    #[inline(never)]
    pub(crate) fn replace(
        &mut self,
        index: usize,
        mut points: Points<MAX_SIDE>,
        stones: [Points<MAX_SIDE>; 2],
    ) {
        let cell = (index + Self::FIRST_CELL) & MASK;
        let contents = self.cells[cell].contents;
        for color in Color::ALL {
            if contents == Neighbors::stone_code(color) {
                self.add_chain(cell, &mut points);
                self.remove_chain(color, cell);
            }
        }
        for index in points & (stones[0] | stones[1]) {
            self.remove_empty(index + Self::FIRST_CELL);
        }
        self.place_stones(points, stones);
    }
}

/// What a stone on a point would meet, but for the ko rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outlook {
    /// There is a stone.
    Occupied,
    /// The stone has a liberty, captures, or joins a chain that keeps a liberty.
    Lives,
    /// The stone removes only itself.
    LoneSuicide,
    /// The stone removes its chain of several stones.
    Suicide,
}
