//! [`GoGame`]: one game of a batch, a few hundred bytes, with its set of legal moves.
//!
//! Stores no chains, only which stones are in atari. A move scans just the few chains around it,
//! each only until it has seen two liberties.
//!
//! ```text
//! play(color, p):
//!     taken = the enemy chains in atari next to p (p is their only liberty)
//!     other enemy chains next to p:  in atari if one liberty is left
//!     own chains in atari next to p or to taken stones:  no longer in atari
//!     the own chain of p:  in atari if it has one liberty;  taken as suicide if it has none
//!
//! sure = empty & N(empty | enemy in atari | own - own in atari)       other empty points are suicides
//! ```

#[cfg(feature = "serde")]
mod saved;

use super::view::BatchView;
use crate::rules::board::{Board, Color, Size, Suicide};
use crate::rules::game::{Ko, Move, Rules};
use crate::rules::history::History;
use crate::rules::points::{Point, Points};
use bitcore::{Isa, Rng};

/// `last` without a stone: the move was a pass, or there was none. A number, because an option would
/// double what each game of a batch stores.
pub(super) const NO_STONE: u16 = u16::MAX;

/// Rows count from the top, unlike in [`Point`], so point order is action order.
#[derive(Clone, Debug)]
pub(super) struct GoGame<const N: usize, const W: usize> {
    rng: Rng,
    stones: [Points<N, W>; 2],
    /// The stones of each color in chains of exactly one liberty.
    atari: [Points<N, W>; 2],
    /// The simple ko point, recorded under every ko rule.
    ko: Points<N, W>,
    legal: Points<N, W>,
    /// The points forbidden only by the ko rule.
    banned: Points<N, W>,
    to_move: Color,
    passes: u8,
    moves: u32,
    /// The stones of the last move and of the move before it.
    last: [u16; 2],
    /// The positions before the current one: that after move m is at m modulo [`BOARDS`]. Empty
    /// boards before the start.
    boards: [[Points<N, W>; 2]; BOARDS],
    /// Empty under simple ko.
    history: History<N, W>,
}

/// The number of positions that a game remembers for its observations, the current one included.
pub(super) const BOARDS: usize = 8;

/// The liberties of a chain, counted up to two.
enum Liberties<const N: usize, const W: usize> {
    /// At least two; the chain has at least these stones.
    Several(Points<N, W>),
    /// One; these are the stones of the chain.
    One(Points<N, W>),
    /// None; these are the stones of the chain.
    None(Points<N, W>),
}

/// Counts the liberties, up to two, of the chain that contains `some` of `stones`.
#[inline(always)]
fn liberties<const N: usize, const W: usize>(
    some: Points<N, W>,
    stones: Points<N, W>,
    empty: Points<N, W>,
) -> Liberties<N, W> {
    let mut chain = some;
    loop {
        let liberties = chain.neighbors() & empty;
        if liberties.is_several() {
            return Liberties::Several(chain);
        }
        let grown = chain.flood_step(stones);
        if (grown - chain).is_empty() {
            return if liberties.is_empty() {
                Liberties::None(chain)
            } else {
                Liberties::One(chain)
            };
        }
        chain = grown;
    }
}

/// Returns the index of a point, counted from the top row; `None` if it is off the board.
pub(super) const fn index_of<const N: usize>(point: Point) -> Option<usize> {
    if (point.y as usize) < N {
        Points::<N>::index(Point { x: point.x, y: N as u8 - 1 - point.y })
    } else {
        None
    }
}

/// Returns the point of an index counted from the top row.
pub(super) const fn point_of<const N: usize>(index: usize) -> Point {
    let Point { x, y } = Points::<N>::point(index);
    Point { x, y: N as u8 - 1 - y }
}

impl<const N: usize, const W: usize> GoGame<N, W> {
    /// The number of points, which is also the action of a pass.
    pub(super) const PASS: usize = N * N;
    const SIZE: Size = Size::new(N, N).expect("at most 19 x 19");

    /// Creates a game that must still be started.
    pub(super) fn new() -> Self {
        Self {
            rng: Rng::new(0),
            stones: [Points::EMPTY; 2],
            atari: [Points::EMPTY; 2],
            ko: Points::EMPTY,
            legal: Points::EMPTY,
            banned: Points::EMPTY,
            to_move: Color::Black,
            passes: 0,
            moves: 0,
            last: [NO_STONE; 2],
            boards: [[Points::EMPTY; 2]; BOARDS],
            history: History::new(),
        }
    }

    pub(super) const fn rng(&mut self) -> &mut Rng {
        &mut self.rng
    }

    /// The board must have this size.
    pub(super) fn start(&mut self, rules: Rules, start: Option<&(Board, Color)>) {
        (self.stones, self.atari, self.ko) = Default::default();
        (self.to_move, self.passes, self.moves, self.last) = (Color::Black, 0, 0, [NO_STONE; 2]);
        if let Some((board, to_move)) = start {
            self.stones = Self::stones_of(board);
            self.to_move = *to_move;
            let ko = board.ko(*to_move).and_then(index_of::<N>);
            self.ko = ko.map_or(Points::EMPTY, Points::from_index);
            let empty = self.empty();
            self.atari = self.stones.map(|stones| in_atari(stones, empty));
        }
        self.boards = [[Points::EMPTY; 2]; BOARDS];
        if rules.ko != Ko::Simple {
            self.history.start(&self.stones);
        }
        self.find_legal(rules);
    }

    /// Returns the stones of a board of this size.
    fn stones_of(board: &Board) -> [Points<N, W>; 2] {
        Color::ALL.map(|color| {
            let points = board.stones(color);
            points.iter().filter_map(|index| index_of::<N>(Points::<19>::point(index))).collect()
        })
    }

    #[inline(always)]
    fn empty(&self) -> Points<N, W> {
        !(self.stones[0] | self.stones[1])
    }

    #[inline(always)]
    pub(super) fn legal_stone(&self, action: u32) -> Option<usize> {
        let action = action as usize;
        let index = if action < Self::PASS { action + action / N } else { return None };
        self.legal.contains(index).then_some(index)
    }

    /// Draws uniformly among the legal stones and the pass (`None`) with one `below`: points in
    /// point order, then the pass.
    #[inline(always)]
    pub(super) fn draw<S: Isa>(&mut self, isa: S) -> Option<usize> {
        let k = self.rng.below(self.legal.len() + 1);
        self.legal.select_with(isa, k)
    }

    #[inline(always)]
    pub(super) const fn action(stone: Option<usize>) -> u32 {
        match stone {
            Some(index) => (index - index / Points::<N, W>::STRIDE) as u32,
            None => Self::PASS as u32,
        }
    }

    /// Returns `true` if the game has ended.
    #[inline(never)]
    pub(super) fn play(&mut self, rules: Rules, stone: Option<usize>) -> bool {
        // Before the move: a copy of the stones just stored would wait for the stores.
        self.boards[self.moves as usize % BOARDS] = self.stones;
        self.moves = self.moves.saturating_add(1);
        self.last[1] = self.last[0];
        if let Some(index) = stone {
            (self.last[0], self.passes) = (index as u16, 0);
            let (color, taken) = self.put(index);
            if rules.ko != Ko::Simple {
                let taken = (!taken.is_empty()).then_some((color, &taken));
                self.history.play(self.to_move, index, taken);
            }
        } else {
            self.last[0] = NO_STONE;
            self.passes += 1;
            self.ko = Points::EMPTY;
            if rules.ko != Ko::Simple {
                self.history.pass();
            }
        }
        self.to_move = self.to_move.other();
        self.find_legal(rules);
        self.passes == 2
    }

    /// Places a stone and removes the chains without a liberty. Returns the removed stones and
    /// their color.
    #[inline(always)]
    fn put(&mut self, index: usize) -> (Color, Points<N, W>) {
        let own = self.to_move as usize;
        let enemy = self.to_move.other() as usize;
        let stone = Points::bit(index);
        let around = stone.neighbors();
        let mut captured = Points::EMPTY;
        let mut beside = around;

        let caught = around & self.atari[enemy];
        if !caught.is_empty() {
            captured = fill(caught, self.atari[enemy]);
            beside |= captured.neighbors();
            self.stones[enemy] -= captured;
            self.atari[enemy] -= captured;
        }
        self.stones[own] |= stone;
        let empty = self.empty();

        // None of these chains was in atari before.
        let mut left = around & self.stones[enemy];
        while !left.is_empty() {
            match liberties(left.first(), self.stones[enemy], empty) {
                Liberties::Several(seen) => left -= seen,
                Liberties::One(chain) | Liberties::None(chain) => {
                    self.atari[enemy] |= chain;
                    left -= chain;
                }
            }
        }

        let relieved = beside & self.atari[own];
        if !relieved.is_empty() {
            self.atari[own] -= fill(relieved, self.atari[own]);
        }
        let free = around & empty;
        self.ko = Points::EMPTY;
        if !free.is_several() {
            match liberties(stone, self.stones[own], empty) {
                Liberties::Several(_) => {}
                Liberties::One(chain) => {
                    self.atari[own] |= chain;
                    // A lone stone with one liberty that captured one stone: the liberty is the
                    // captured point.
                    if chain.is_single() && captured.is_single() {
                        self.ko = captured;
                    }
                }
                Liberties::None(chain) => {
                    // Each enemy chain around has a liberty elsewhere, or it would have been
                    // captured.
                    let relieved = chain.neighbors() & self.atari[enemy];
                    self.atari[enemy] -= fill(relieved, self.atari[enemy]);
                    self.stones[own] -= chain;
                    return (self.to_move, chain);
                }
            }
        }
        (self.to_move.other(), captured)
    }

    #[inline(always)]
    fn find_legal(&mut self, rules: Rules) {
        let own = self.to_move as usize;
        let enemy = self.to_move.other() as usize;
        let empty = self.empty();
        // A stone here has a liberty, captures, or joins a chain that keeps a liberty.
        let lively = empty | self.atari[enemy] | (self.stones[own] - self.atari[own]);
        let sure = empty & lively.neighbors();
        let suicides = match rules.suicide {
            Suicide::Forbidden => Points::EMPTY,
            Suicide::Multi => (empty & self.stones[own].neighbors()) - sure,
            Suicide::All => empty - sure,
        };
        self.banned = match rules.ko {
            Ko::Simple => self.ko,
            Ko::Positional | Ko::Situational => {
                self.repetitions(sure, suicides, rules.ko == Ko::Situational)
            }
        };
        self.legal = (sure | suicides) - self.banned;
    }

    /// Returns the points among `sure` (stones that live) and `suicides` where a stone repeats a
    /// position.
    #[inline(always)]
    fn repetitions(
        &self,
        sure: Points<N, W>,
        mut suicides: Points<N, W>,
        situational: bool,
    ) -> Points<N, W> {
        let own = self.to_move as usize;
        let enemy = self.to_move.other() as usize;
        let takes = sure & self.atari[enemy].neighbors();
        let plain = *self.history.may_repeat(self.to_move);
        let taking = takes & *self.history.may_repeat_without_anchor(self.to_move);
        let mut banned = Points::EMPTY;
        let mut candidates = sure & plain | taking;
        while !candidates.is_empty() {
            let stone = candidates.first();
            candidates -= stone;
            let mut difference = [Points::EMPTY; 2];
            difference[own] = stone;
            if !(takes & stone).is_empty() {
                difference[enemy] = fill(stone.neighbors() & self.atari[enemy], self.atari[enemy]);
                if (plain & stone).is_empty()
                    && (difference[enemy] & self.history.anchors()).is_empty()
                {
                    continue;
                }
            }
            if self.history.repeats(&difference, situational) {
                banned |= stone;
            }
        }
        if suicides.is_empty() {
            return banned;
        }
        if !situational {
            // A single stone that removes itself leaves the position unchanged.
            let alone = suicides - self.stones[own].neighbors();
            banned |= alone;
            suicides -= alone;
        }
        while !suicides.is_empty() {
            let stone = suicides.first();
            suicides -= stone;
            let mut difference = [Points::EMPTY; 2];
            difference[own] = fill(stone.neighbors() & self.stones[own], self.stones[own]);
            if self.history.repeats(&difference, situational) {
                banned |= stone;
            }
        }
        banned
    }

    pub(super) fn area(&self) -> [u32; 2] {
        crate::rules::board::area(self.stones, self.empty())
    }

    pub(super) const fn to_move(&self) -> Color {
        self.to_move
    }

    pub(super) const fn stones(&self) -> &[Points<N, W>; 2] {
        &self.stones
    }

    /// Returns the stones after the move this number of moves ago, less than [`BOARDS`].
    pub(super) const fn stones_before(&self, moves: usize) -> &[Points<N, W>; 2] {
        if moves == 0 {
            &self.stones
        } else {
            &self.boards[(self.moves as usize).wrapping_sub(moves) % BOARDS]
        }
    }

    pub(super) const fn legal(&self) -> Points<N, W> {
        self.legal
    }

    pub(super) const fn banned(&self) -> Points<N, W> {
        self.banned
    }

    pub(super) const fn last(&self) -> [u16; 2] {
        self.last
    }

    /// Checks a deserialized game and finds its legal moves.
    pub(super) fn check(&mut self, rules: Rules) -> Result<(), &'static str> {
        if rules.size != Self::SIZE {
            return Err("a board of another size");
        }
        if (rules.ko == Ko::Simple) != self.history.is_empty() {
            return Err("a game of another ko rule");
        }
        self.find_legal(rules);
        Ok(())
    }

    pub(super) fn view(&self, rules: Rules) -> BatchView {
        let flipped = |points: Points<N, W>| {
            points
                .iter()
                .filter_map(|index| Points::<19>::index(point_of::<N>(index)))
                .collect::<Points<19>>()
        };
        let last = match self.last[0] {
            NO_STONE => (self.moves > 0).then_some(Move::Pass),
            index => Some(Move::Play(point_of::<N>(index.into()))),
        };
        let ko = self.ko.iter().next().map(|index| (self.to_move, point_of::<N>(index)));
        BatchView {
            board: Board::with_ko(Self::SIZE, self.stones.map(flipped), ko),
            to_move: self.to_move,
            passes: self.passes,
            moves: self.moves,
            last,
            area: self.area(),
            komi: rules.komi,
        }
    }
}

/// Returns the points of `within` connected to `some` of them.
#[inline(always)]
fn fill<const N: usize, const W: usize>(some: Points<N, W>, within: Points<N, W>) -> Points<N, W> {
    let mut reached = some;
    loop {
        let grown = reached.flood_step(within);
        if (grown - reached).is_empty() {
            return reached;
        }
        reached = grown;
    }
}

fn in_atari<const N: usize, const W: usize>(
    stones: Points<N, W>,
    empty: Points<N, W>,
) -> Points<N, W> {
    let mut left = stones;
    let mut atari = Points::EMPTY;
    while !left.is_empty() {
        match liberties(left.first(), stones, empty) {
            Liberties::Several(seen) => left -= seen,
            Liberties::One(chain) | Liberties::None(chain) => {
                atari |= chain;
                left -= chain;
            }
        }
    }
    atari
}
