//! [`MaskBoard`]: the cells of a level in play, as masks.

use super::plan::Plan;
use super::{ALL, SPECIALS, THINGS, Word, has};
use crate::bitboard::formula::EqualMasks;
use crate::bitboard::words::{BitWord, OffsetMask};
use crate::level::board::{Content, Layer, LevelBoard};
use crate::level::goals::Target;
use crate::level::kind::Kind;
use crate::level::spec::{Cover, LevelSpec};
use core::ops::{BitAnd, BitOr, BitXor, Not};

/// The planes of kinds and of layers.
const KIND_PLANES: usize = 3;
const LAYER_PLANES: usize = 4;
/// The kinds; the number of a kind is its index plus 1.
const KINDS: [Kind; 5] = [Kind::Row, Kind::Column, Kind::Bomb, Kind::Color, Kind::Square];

/// A number below 16 for each cell.
pub(super) type Layers<W> = [W; LAYER_PLANES];

/// The cells of a level in play. Planes have a bit of a number for each cell, the lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MaskBoard<W, const P: usize> {
    /// The colors of pieces, 0 where there is none.
    pub(super) colors: [W; P],
    pub(super) locked: W,
    kinds: [W; KIND_PLANES],
    pub(super) items: W,
    pub(super) crates: W,
    pub(super) ice: W,
    /// The layers of crates and of ice.
    pub(super) coats: Layers<W>,
    pub(super) jelly: Layers<W>,
}

#[inline(always)]
fn put_number<W: Word, const P: usize>(planes: &mut [W; P], at: u32, number: u8) {
    for (bit, plane) in planes.iter_mut().enumerate() {
        if number >> bit & 1 == 1 {
            *plane |= W::bit(at);
        }
    }
}

#[inline(always)]
fn number<W: Word, const P: usize>(planes: &[W; P], at: u32) -> u8 {
    (0..P).fold(0, |number, bit| number | u8::from(planes[bit].contains(at)) << bit)
}

/// Returns the cells with this number, which is above 0.
#[inline(always)]
fn with_number<W: Word, const P: usize>(planes: &[W; P], number: u8) -> W {
    let mut set = !W::EMPTY;
    for (bit, &plane) in planes.iter().enumerate() {
        set &= if number >> bit & 1 == 1 { plane } else { !plane };
    }
    set
}

#[inline(always)]
pub(super) fn any<W: Word, const P: usize>(planes: &[W; P]) -> W {
    planes.iter().fold(W::EMPTY, |any, &plane| any | plane)
}

/// Takes a layer from each cell of a set, all of which have one. Returns those without any left.
#[inline(always)]
pub(super) fn take_layer<W: Word>(layers: &mut Layers<W>, set: W) -> W {
    let mut borrow = set;
    for plane in &mut *layers {
        let before = *plane;
        *plane = before ^ borrow;
        borrow &= !before;
    }
    set & !any(layers)
}

#[inline(always)]
fn remove<W: Word, const P: usize>(planes: &mut [W; P], set: W) {
    for plane in planes {
        *plane &= !set;
    }
}

#[inline(always)]
fn exchange_bits<W: Word>(plane: &mut W, [a, b]: [u32; 2]) {
    if plane.contains(a) != plane.contains(b) {
        *plane ^= W::bit(a) | W::bit(b);
    }
}

/// The pieces in runs: what [`groups`](super::cascade) are found from.
#[derive(Clone, Copy)]
pub(super) struct Runs<W> {
    /// The cells of the color of the next bit, and of the row above.
    pub(super) next: W,
    pub(super) up: W,
    /// The first cells of every three in a row of bits, and in a column.
    pub(super) across: W,
    pub(super) along: W,
}

impl<W: Word> Runs<W> {
    #[inline(always)]
    pub(super) fn cells_across(&self) -> W {
        self.across | self.across << 1 | self.across << 2
    }

    #[inline(always)]
    pub(super) fn cells_along(&self) -> W {
        self.along | self.along << W::STRIDE | self.along << (2 * W::STRIDE)
    }
}

impl<W: Word, const P: usize> MaskBoard<W, P> {
    const EMPTY: Self = Self {
        colors: [W::EMPTY; P],
        locked: W::EMPTY,
        kinds: [W::EMPTY; KIND_PLANES],
        items: W::EMPTY,
        crates: W::EMPTY,
        ice: W::EMPTY,
        coats: [W::EMPTY; LAYER_PLANES],
        jelly: [W::EMPTY; LAYER_PLANES],
    };

    pub(super) fn new(plan: &Plan<W>, board: &LevelBoard) -> Self {
        let mut masks = Self::EMPTY;
        for (&at, cell) in plan.bit_of.iter().zip(board.cells()) {
            let at = u32::from(at);
            if cell.jelly > 0 {
                put_number(&mut masks.jelly, at, cell.jelly);
            }
            match cell.content {
                Content::Empty => {}
                Content::Item => masks.items |= W::bit(at),
                Content::Crate(layers) => {
                    masks.crates |= W::bit(at);
                    put_number(&mut masks.coats, at, layers);
                }
                Content::Piece { color, special, cover } => {
                    put_number(&mut masks.colors, at, color);
                    if let Some(kind) = special {
                        masks.put_kind(at, kind);
                    }
                    match cover {
                        Cover::None => {}
                        Cover::Lock => masks.locked |= W::bit(at),
                        Cover::Ice(layers) => {
                            masks.ice |= W::bit(at);
                            put_number(&mut masks.coats, at, layers);
                        }
                    }
                }
            }
        }
        masks
    }

    /// Returns the board cell by cell.
    pub(super) fn cells(&self, plan: &Plan<W>, spec: &LevelSpec) -> LevelBoard {
        let mut board = LevelBoard::start(spec);
        for (cell, &at) in plan.bit_of.iter().enumerate() {
            let at = u32::from(at);
            if !plan.open.contains(at) {
                continue;
            }
            board.put(cell, self.content(at));
            board.spots[cell].jelly = number(&self.jelly, at);
        }
        board
    }

    #[inline(always)]
    pub(super) fn each_layer(&self, colors: u8, mut see: impl FnMut(Layer, u32, u8)) {
        let mut see_all = |set: W, layer| set.bits().for_each(|at| see(layer, at, 1));
        for color in 1..=colors {
            see_all(self.of_color(color), Layer::Color(color));
        }
        if !any(&self.kinds).is_empty() {
            for kind in KINDS {
                see_all(with_number(&self.kinds, 1 + kind as u8), Layer::Kind(kind));
            }
        }
        see_all(self.locked, Layer::Lock);
        see_all(self.items, Layer::Item);
        let mut see_number = |set: W, layers, layer| {
            set.bits().for_each(|at| see(layer, at, number(layers, at)));
        };
        see_number(self.ice, &self.coats, Layer::Ice);
        see_number(self.crates, &self.coats, Layer::Crate);
        see_number(any(&self.jelly), &self.jelly, Layer::Jelly);
    }

    fn content(&self, at: u32) -> Content {
        let layers = number(&self.coats, at);
        match self.color(at) {
            0 if self.items.contains(at) => Content::Item,
            0 if self.crates.contains(at) => Content::Crate(layers),
            0 => Content::Empty,
            color => {
                let cover = match (self.locked.contains(at), layers) {
                    (true, _) => Cover::Lock,
                    (false, 0) => Cover::None,
                    (false, layers) => Cover::Ice(layers),
                };
                Content::Piece { color, special: self.kind(at), cover }
            }
        }
    }

    /// Returns the color of the piece in a cell, or 0.
    pub(super) fn color(&self, at: u32) -> u8 {
        number(&self.colors, at)
    }

    #[inline(always)]
    pub(super) fn of_color(&self, color: u8) -> W {
        with_number(&self.colors, color)
    }

    pub(super) fn kind(&self, at: u32) -> Option<Kind> {
        let number = usize::from(number(&self.kinds, at));
        number.checked_sub(1).map(|index| KINDS[index])
    }

    fn put_kind(&mut self, at: u32, kind: Kind) {
        put_number(&mut self.kinds, at, 1 + kind as u8);
    }

    /// Gives plain pieces a kind.
    pub(super) fn put_kinds(&mut self, set: W, kind: Kind) {
        for at in set.bits() {
            self.put_kind(at, kind);
        }
    }

    /// Puts a piece without a cover into an empty cell.
    #[inline(always)]
    pub(super) fn put(&mut self, at: u32, color: u8, kind: Option<Kind>) {
        put_number(&mut self.colors, at, color);
        if let Some(kind) = kind {
            self.put_kind(at, kind);
        }
    }

    #[inline(always)]
    pub(super) fn pieces(&self) -> W {
        any(&self.colors)
    }

    #[inline(always)]
    pub(super) fn special<const F: u8>(&self) -> W {
        if has::<F>(SPECIALS) { any(&self.kinds) } else { W::EMPTY }
    }

    #[inline(always)]
    pub(super) fn fixed<const F: u8>(&self) -> W {
        if has::<F>(THINGS) { self.crates | self.ice } else { W::EMPTY }
    }

    #[inline(always)]
    pub(super) fn occupied<const F: u8>(&self) -> W {
        let pieces = self.pieces();
        if has::<F>(THINGS) { pieces | self.items | self.crates } else { pieces }
    }

    /// Returns the cells with something that a goal wants.
    pub(super) fn wanted(&self, target: Target) -> W {
        match target {
            Target::Jelly => any(&self.jelly),
            Target::Crates => self.crates,
            Target::Ice => self.ice,
            Target::Locked => self.locked,
            Target::Items => self.items,
            Target::Score | Target::Color(_) | Target::SetOff | Target::Made => W::EMPTY,
        }
    }

    /// Removes pieces with their locks.
    #[inline(always)]
    pub(super) fn clear<const F: u8>(&mut self, set: W) {
        remove(&mut self.colors, set);
        if has::<F>(SPECIALS) {
            remove(&mut self.kinds, set);
        }
        if has::<F>(THINGS) {
            self.locked &= !set;
        }
    }

    #[inline(always)]
    fn each_movable<const F: u8>(&mut self, mut change: impl FnMut(&mut W)) {
        self.colors.iter_mut().for_each(&mut change);
        if has::<F>(SPECIALS) {
            self.kinds.iter_mut().for_each(&mut change);
        }
        if has::<F>(THINGS) {
            change(&mut self.locked);
            change(&mut self.items);
        }
    }

    /// Exchanges what is in two cells; neither has ice or is a crate.
    #[inline(always)]
    pub(super) fn exchange<const F: u8>(&mut self, cells: [u32; 2]) {
        self.each_movable::<F>(|plane| exchange_bits(plane, cells));
    }

    /// Moves what is in the cells of a set to cells some bits lower.
    #[inline(always)]
    pub(super) fn move_down<const F: u8>(&mut self, set: W, bits: u32) {
        self.each_movable::<F>(|plane| {
            let moved = *plane & set;
            *plane ^= moved ^ moved >> bits;
        });
    }

    /// Finds the runs.
    #[inline(always)]
    pub(super) fn runs(&self, plan: &Plan<W>) -> Runs<W> {
        let mut next = W::EMPTY;
        let mut up = W::EMPTY;
        let mut pieces = W::EMPTY;
        for &plane in &self.colors {
            pieces |= plane;
            next |= plane ^ plane >> 1;
            up |= plane ^ plane >> W::STRIDE;
        }
        next = pieces & !next & plan.has_next;
        up = pieces & !up;
        Runs { next, up, across: next & next >> 1, along: up & up >> W::STRIDE }
    }

    /// Returns the cells that may be swapped with the next bit, and with the row below.
    pub(super) fn swaps(&self, plan: &Plan<W>) -> [W; 2] {
        let pieces = self.pieces();
        let different = |by: fn(W) -> W| {
            self.colors.iter().fold(W::EMPTY, |different, &plane| different | (plane ^ by(plane)))
        };
        let equal = |has: W, by: fn(W) -> W| Row(pieces & has & !different(by));
        let masks = EqualMasks {
            right: equal(plan.has_next, |plane| plane >> 1),
            right2: equal(plan.has_next2, |plane| plane >> 2),
            down: equal(!W::EMPTY, |plane| plane << W::STRIDE),
            down2: equal(!W::EMPTY, |plane| plane << (2 * W::STRIDE)),
            down_right: equal(plan.has_next, |plane| plane << (W::STRIDE - 1)),
            down_left: equal(plan.has_previous, |plane| plane << (W::STRIDE + 1)),
        };
        let (Row(mut across), Row(mut along)) = masks.swaps();
        let free = pieces & !self.locked & !self.ice;
        let effects = plan.level.spec().effects;
        if effects.square {
            let [more_across, more_along] = self.square_swaps(plan);
            across |= more_across;
            along |= more_along;
        }
        let special = self.special::<ALL>() & free;
        if !special.is_empty() {
            let color = with_number(&self.kinds, 1 + Kind::Color as u8) & free;
            let pairs = if effects.pairs { special } else { W::EMPTY };
            across |= free & color >> 1 | color & free >> 1 | pairs & pairs >> 1;
            along |=
                free & color << W::STRIDE | color & free << W::STRIDE | pairs & pairs << W::STRIDE;
        }
        let able = free | self.items;
        [across & able & able >> 1 & plan.has_next, along & able & able << W::STRIDE]
    }

    /// Returns the swaps after which one of the two pieces is in a square.
    fn square_swaps(&self, plan: &Plan<W>) -> [W; 2] {
        let mut across = W::EMPTY;
        let mut along = W::EMPTY;
        let next = |set: W| (set & plan.has_previous) >> 1;
        let previous = |set: W| (set & plan.has_next) << 1;
        let below = |set: W| set << W::STRIDE;
        let above = |set: W| set >> W::STRIDE;
        for color in 1..=plan.level.colors() {
            let set = self.of_color(color);
            // Cells that a piece of the color would make a square in, by the corner it would be.
            let block =
                |beside: W, straight: &dyn Fn(W) -> W| beside & straight(set) & straight(beside);
            let right = next(set);
            let left = previous(set);
            let [right_up, right_down] = [block(right, &above), block(right, &below)];
            let [left_up, left_down] = [block(left, &above), block(left, &below)];
            let other = !set;
            across |= other & (left_up | left_down) & next(set);
            across |= next(other & (right_up | right_down) & previous(set));
            along |= other & (right_up | left_up) & below(set);
            along |= below(other & (right_down | left_down) & above(set));
        }
        [across, along]
    }
}

/// A mask whose rows go from the lowest bits up.
#[derive(Clone, Copy)]
struct Row<W>(W);

macro_rules! bitwise {
    ($trait:ident, $function:ident, $operator:tt) => {
        impl<W: Word> $trait for Row<W> {
            type Output = Self;
            #[inline(always)]
            fn $function(self, other: Self) -> Self {
                Self(self.0 $operator other.0)
            }
        }
    };
}

bitwise!(BitAnd, bitand, &);
bitwise!(BitOr, bitor, |);
bitwise!(BitXor, bitxor, ^);

impl<W: Word> Not for Row<W> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl<W: Word> BitWord for Row<W> {
    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl<W: Word> OffsetMask for Row<W> {
    type Word = Self;
    #[inline(always)]
    fn at<const DX: i32, const DY: i32>(self) -> Self {
        let up = DX - DY * W::STRIDE as i32;
        Self(if up >= 0 { self.0 >> up as u32 } else { self.0 << -up as u32 })
    }
}
