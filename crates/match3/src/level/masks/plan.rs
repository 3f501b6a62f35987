//! [`Plan`]: what doesn't change in the games of a level.

use super::{ALL, SPECIALS, Word};
use crate::board::At;
use crate::level::Level;
use crate::level::layout::{NONE, Turned};
use crate::level::spec::{Cover, Gravity, Ground, LevelSpec, Start};
use crate::swap::Swap;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

/// The open cells around a cell, in the directions of the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach<W> {
    pub(super) row: W,
    pub(super) column: W,
    /// The three rows and the three columns around.
    pub(super) cross: W,
    /// 3 x 3 cells.
    pub(super) bomb: W,
    /// 5 x 5 cells.
    pub(super) bombs: W,
    pub(super) neighbors: W,
}

/// The masks of a level.
#[derive(Debug)]
pub(in crate::level) struct Plan<W> {
    pub(super) level: Arc<Level>,
    pub(super) open: W,
    /// The bits that have one, or two, after them in their row, and those that have one before.
    pub(super) has_next: W,
    pub(super) has_next2: W,
    pub(super) has_previous: W,
    /// The cells that are next in their stream to the cell below them.
    pub(super) falls: W,
    /// Whether no stream has other steps than `falls`.
    pub(super) is_straight: bool,
    pub(super) is_diagonal: bool,
    /// The streams from their lower ends, if not straight.
    pub(super) streams: Vec<Vec<u32>>,
    /// The spawners in the order of their streams: index and cells from the lower end.
    pub(super) sources: Vec<(usize, W)>,
    /// The stream of each of `sources`.
    pub(super) source_streams: Vec<usize>,
    /// The cells of all streams with a spawner.
    pub(super) sourced: W,
    pub(super) exits: W,
    /// Whether rows of bits are columns of the board.
    pub(super) is_turned: bool,
    /// How many bits the upper left cell of a block of 2 x 2 is above its lowest bit.
    pub(super) upper_left: u32,
    /// What its games can have, of [`ALL`].
    pub(super) features: u8,
    /// By bit.
    pub(super) reach: Vec<Reach<W>>,
    /// The cell, as an index, of each bit.
    pub(super) cell_of: Vec<u8>,
    /// The bit of each cell.
    pub(super) bit_of: Vec<u8>,
}

fn features(spec: &LevelSpec) -> u8 {
    let is_thing = |start| match start {
        Start::Empty => false,
        Start::Piece { cover, .. } => cover != Cover::None,
        Start::Item | Start::Crate(_) => true,
    };
    if spec.items.total > 0 || spec.cells.iter().any(|cell| is_thing(cell.start)) {
        ALL
    } else if spec.effects.specials {
        SPECIALS
    } else {
        0
    }
}

impl<W: Word> Plan<W> {
    /// The level must have at most [`Word::STRIDE`] rows and columns.
    pub(in crate::level) fn new(level: Arc<Level>) -> Self {
        let spec = level.spec();
        let layout = &level.layout;
        let (width, height) = (spec.width, spec.height);
        let turned = Turned { gravity: spec.gravity, width, height };
        let is_turned = matches!(spec.gravity, Gravity::Left | Gravity::Right);
        let (across, deep) = if is_turned { (height, width) } else { (width, height) };
        let cells = width * height;
        let at = |cell: usize| -> At { (cell % width, cell / width) };
        let bit_of: Vec<u8> = (0..cells)
            .map(|cell| {
                let row = deep - 1 - turned.depth(at(cell));
                (row * W::STRIDE as usize + turned.across(at(cell))) as u8
            })
            .collect();
        let mut cell_of = vec![0; (W::STRIDE * W::STRIDE) as usize];
        for (cell, &bit) in bit_of.iter().enumerate() {
            cell_of[usize::from(bit)] = cell as u8;
        }
        let set = |is_in: &dyn Fn(usize) -> bool| {
            let cells = (0..cells).filter(|&cell| is_in(cell));
            cells.fold(W::EMPTY, |set, cell| set | W::bit(bit_of[cell].into()))
        };
        let open = set(&|cell| spec.cells[cell].ground == Ground::Open);
        let reach_of = |cell: usize| {
            let (x, y) = at(cell);
            let area = |is_in: &dyn Fn(usize, usize) -> bool| {
                open & set(&|other| is_in(at(other).0.abs_diff(x), at(other).1.abs_diff(y)))
            };
            Reach {
                row: area(&|_, dy| dy == 0),
                column: area(&|dx, _| dx == 0),
                cross: area(&|dx, dy| dx <= 1 || dy <= 1),
                bomb: area(&|dx, dy| dx <= 1 && dy <= 1),
                bombs: area(&|dx, dy| dx <= 2 && dy <= 2),
                neighbors: area(&|dx, dy| dx + dy == 1),
            }
        };
        let reach = (0..cell_of.len()).map(|bit| reach_of(cell_of[bit].into())).collect();
        let bit = |cell: u16| u32::from(bit_of[usize::from(cell)]);
        let streams: Vec<Vec<u32>> = layout
            .streams
            .iter()
            .map(|stream| layout.cells(stream).iter().map(|&cell| bit(cell)).collect())
            .collect();
        let mut falls = W::EMPTY;
        let mut is_straight = true;
        for pair in streams.iter().flat_map(|stream| stream.windows(2)) {
            if pair[1] == pair[0] + W::STRIDE {
                falls |= W::bit(pair[1]);
            } else {
                is_straight = false;
            }
        }
        let mut sources = Vec::new();
        let mut source_streams = Vec::new();
        let mut sourced = W::EMPTY;
        for (index, stream) in layout.streams.iter().enumerate() {
            let Some(source) = stream.source else { continue };
            let cells = streams[index].iter().fold(W::EMPTY, |set, &at| set | W::bit(at));
            sources.push((source.into(), cells));
            source_streams.push(index);
            sourced |= cells;
        }
        let depth_ahead = |n| set(&|cell| turned.across(at(cell)) + n < across);
        Self {
            open,
            has_next: depth_ahead(1),
            has_next2: depth_ahead(2),
            has_previous: set(&|cell| turned.across(at(cell)) > 0),
            falls,
            is_straight,
            is_diagonal: layout.diagonals.iter().any(|&(_, above)| above != [NONE; 2]),
            streams,
            sources,
            source_streams,
            sourced,
            exits: layout.exits.iter().fold(W::EMPTY, |set, &cell| set | W::bit(bit(cell))),
            is_turned,
            upper_left: match spec.gravity {
                Gravity::Down | Gravity::Right => W::STRIDE,
                Gravity::Up | Gravity::Left => 0,
            },
            features: features(spec),
            reach,
            cell_of,
            bit_of,
            level,
        }
    }

    /// Returns the bits of a set in reading order.
    #[inline]
    pub(super) fn in_order(&self, set: W) -> impl Iterator<Item = u32> {
        let cells = set.bits().fold(0_u128, |cells, at| cells | 1 << self.cell_of[at as usize]);
        cells.bits().map(|cell| u32::from(self.bit_of[cell as usize]))
    }

    /// Returns the first bit of a set in reading order.
    pub(super) fn first_in_order(&self, set: W) -> Option<u32> {
        set.bits().min_by_key(|&at| self.cell_of[at as usize])
    }

    pub(super) fn at(&self, bit: u32) -> At {
        let cell = usize::from(self.cell_of[bit as usize]);
        (cell % self.level.width(), cell / self.level.width())
    }

    pub(super) fn bit(&self, (x, y): At) -> u32 {
        self.bit_of[y * self.level.width() + x].into()
    }

    /// Returns the bits of a swap, the upper or left cell first.
    pub(super) fn bits_of(&self, swap: Swap) -> [u32; 2] {
        swap.cells().map(|at| self.bit(at))
    }
}
