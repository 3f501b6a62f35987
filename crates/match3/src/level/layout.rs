//! [`Layout`]: the streams of a level, which depend on its ground, gravity, portals and spawners.

use super::spec::{Falls, Gravity, Ground, Layer, LevelError, LevelSpec, Place};
use crate::board::At;
use alloc::vec;
use alloc::vec::Vec;

/// No cell.
pub(super) const NONE: u16 = u16::MAX;

/// Where the colors of new pieces come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Draw {
    /// All are equally likely.
    Even,
    /// The sums of the weights up to each color.
    Sums(Vec<u32>),
}

impl Draw {
    pub(super) fn of(weights: &[u32]) -> Self {
        if weights[0] > 0 && weights.iter().all(|&weight| weight == weights[0]) {
            return Self::Even;
        }
        let sum = |sum: &mut u32, &weight: &u32| {
            *sum += weight;
            Some(*sum)
        };
        Self::Sums(weights.iter().scan(0, sum).collect())
    }
}

/// A spawner in the upper end of a stream.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) draw: Draw,
    pub(super) items: bool,
    pub(super) limit: Option<u32>,
}

/// A chain of cells, each above the one before.
#[derive(Clone, Debug)]
pub(super) struct Stream {
    first: u16,
    end: u16,
    /// The index of its source.
    pub(super) source: Option<u16>,
}

/// What falls where in a level.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// The cells of all streams, stream after stream, each from its lower end.
    cells: Vec<u16>,
    pub(super) streams: Vec<Stream>,
    /// The stream of each cell, or [`NONE`].
    pub(super) stream_of: Vec<u16>,
    pub(super) sources: Vec<Source>,
    /// In levels with diagonal falls: each open cell that has a diagonal one above, with these (or
    /// [`NONE`]), in the order of steps.
    pub(super) diagonals: Vec<(u16, [u16; 2])>,
    /// The exits of items, in reading order.
    pub(super) exits: Vec<u16>,
}

impl Layout {
    pub(super) fn new(spec: &LevelSpec) -> Result<Self, LevelError> {
        let width = spec.width;
        let index = |(x, y): At| y * width + x;
        let turned = Turned { gravity: spec.gravity, width, height: spec.height };
        let n = spec.cells.len();
        let open = (0..n).filter(|&i| spec.cells[i].ground == Ground::Open);
        let open: Vec<At> = open.map(|i| (i % width, i / width)).collect();
        let named = |at| spec.spawners.iter().flatten().any(|spawner| spawner.at == at);
        let is_exit = |at| spec.portals.iter().any(|portal| portal.exit == at);

        let mut above = vec![NONE; n];
        let mut has_below = vec![false; n];
        for &at in &open {
            let portal = spec.portals.iter().find(|portal| portal.entrance == at);
            let below = match portal {
                Some(portal) if named(portal.exit) => {
                    let place = Place::Cell { layer: Layer::Portals, at: portal.exit };
                    return Err(LevelError { place, reason: "an exit that is a spawner".into() });
                }
                Some(portal) => Some(portal.exit),
                None => {
                    let mut cells = turned.from(at, 1).skip_while(|&at| is_void(spec, at));
                    cells.next().filter(|&at| spec.is_open(at) && !named(at) && !is_exit(at))
                }
            };
            if let Some(below) = below {
                above[index(below)] = index(at) as u16;
                has_below[index(at)] = true;
            }
        }

        let mut ends: Vec<At> = open.iter().copied().filter(|&at| !has_below[index(at)]).collect();
        ends.sort_by_key(|&at| (turned.across(at), usize::MAX - turned.depth(at)));
        let mut layout = Self {
            cells: Vec::with_capacity(open.len()),
            streams: Vec::with_capacity(ends.len()),
            stream_of: vec![NONE; n],
            sources: Vec::new(),
            diagonals: Vec::new(),
            exits: spec.exits.iter().map(|&at| index(at) as u16).collect(),
        };
        layout.exits.sort_unstable();
        for end in ends {
            let first = layout.cells.len() as u16;
            let mut upper = index(end) as u16;
            let mut cell = upper;
            while cell != NONE {
                layout.cells.push(cell);
                layout.stream_of[usize::from(cell)] = layout.streams.len() as u16;
                upper = cell;
                cell = above[usize::from(cell)];
            }
            let upper = (usize::from(upper) % width, usize::from(upper) / width);
            let source = layout.source(spec, &turned, upper, is_exit(upper));
            layout.streams.push(Stream { first, end: layout.cells.len() as u16, source });
        }
        if let Some(&at) = open.iter().find(|&&at| layout.stream_of[index(at)] == NONE) {
            let place = Place::Cell { layer: Layer::Portals, at };
            return Err(LevelError { place, reason: "in a circle of portals".into() });
        }
        if spec.falls == Falls::Diagonal {
            layout.diagonals = diagonals(spec, &turned, open);
            if let Some(cell) = circle(&above, &layout.diagonals) {
                let place = Place::Cell { layer: Layer::Portals, at: (cell % width, cell / width) };
                let reason = "in a circle of portals and diagonal falls".into();
                return Err(LevelError { place, reason });
            }
        }
        Ok(layout)
    }

    fn source(
        &mut self,
        spec: &LevelSpec,
        turned: &Turned,
        upper: At,
        is_portal: bool,
    ) -> Option<u16> {
        let source = if let Some(spawners) = &spec.spawners {
            let spawner = spawners.iter().find(|spawner| spawner.at == upper)?;
            let weights = spawner.weights.as_ref().unwrap_or(&spec.colors);
            Source { draw: Draw::of(weights), items: spawner.items, limit: spawner.limit }
        } else {
            let is_edge = turned.from(upper, -1).all(|at| is_void(spec, at));
            if !is_edge || is_portal {
                return None;
            }
            Source { draw: Draw::of(&spec.colors), items: true, limit: None }
        };
        self.sources.push(source);
        Some(self.sources.len() as u16 - 1)
    }

    /// Returns the cells, as indices, to which nothing can fall from a spawner.
    pub(super) fn unfed(&self) -> Vec<usize> {
        let mut is_fed = vec![false; self.stream_of.len()];
        let mut open: Vec<u16> = self.cells.clone();
        loop {
            let before = open.len();
            for stream in &self.streams {
                let mut flows = stream.source.is_some();
                for &cell in self.cells(stream).iter().rev() {
                    flows |= is_fed[usize::from(cell)];
                    is_fed[usize::from(cell)] = flows;
                }
            }
            for &(cell, above) in &self.diagonals {
                let is_source = |&cell: &u16| cell != NONE && is_fed[usize::from(cell)];
                if above.iter().any(is_source) {
                    is_fed[usize::from(cell)] = true;
                }
            }
            open.retain(|&cell| !is_fed[usize::from(cell)]);
            if open.len() == before {
                open.sort_unstable();
                return open.into_iter().map(usize::from).collect();
            }
        }
    }

    /// Returns the cells of a stream, from its lower end.
    pub(super) fn cells(&self, stream: &Stream) -> &[u16] {
        &self.cells[usize::from(stream.first)..usize::from(stream.end)]
    }
}

fn is_void(spec: &LevelSpec, at: At) -> bool {
    spec.at(at).ground == Ground::Void
}

fn diagonals(spec: &LevelSpec, turned: &Turned, mut open: Vec<At>) -> Vec<(u16, [u16; 2])> {
    open.sort_by_key(|&at| (usize::MAX - turned.depth(at), turned.across(at)));
    let index = |(x, y): At| (y * spec.width + x) as u16;
    let diagonals = open.into_iter().map(|at| {
        let above = [-1, 1].map(|side| {
            turned.step(at, side, -1).filter(|&at| spec.is_open(at)).map_or(NONE, index)
        });
        (index(at), above)
    });
    diagonals.filter(|&(_, above)| above != [NONE; 2]).collect()
}

/// Returns a cell to which falls lead back, if there is one.
fn circle(above: &[u16], diagonals: &[(u16, [u16; 2])]) -> Option<usize> {
    let mut sources: Vec<[u16; 3]> = above.iter().map(|&above| [above, NONE, NONE]).collect();
    for &(cell, [first, second]) in diagonals {
        sources[usize::from(cell)][1..].copy_from_slice(&[first, second]);
    }
    // How many cells each one's content can go to, until those are done.
    let mut open = vec![0; above.len()];
    for &source in sources.iter().flatten().filter(|&&source| source != NONE) {
        open[usize::from(source)] += 1;
    }
    let mut done: Vec<usize> = (0..open.len()).filter(|&cell| open[cell] == 0).collect();
    let mut next = 0;
    while let Some(&cell) = done.get(next) {
        next += 1;
        for source in sources[cell].into_iter().filter(|&source| source != NONE) {
            open[usize::from(source)] -= 1;
            if open[usize::from(source)] == 0 {
                done.push(source.into());
            }
        }
    }
    open.iter().position(|&open| open > 0)
}

/// The board, turned so that gravity points down.
pub(super) struct Turned {
    pub(super) gravity: Gravity,
    pub(super) width: usize,
    pub(super) height: usize,
}

impl Turned {
    pub(super) fn across(&self, (x, y): At) -> usize {
        match self.gravity {
            Gravity::Down | Gravity::Up => x,
            Gravity::Left | Gravity::Right => y,
        }
    }

    pub(super) fn depth(&self, (x, y): At) -> usize {
        match self.gravity {
            Gravity::Down => y,
            Gravity::Up => self.height - 1 - y,
            Gravity::Right => x,
            Gravity::Left => self.width - 1 - x,
        }
    }

    /// Returns the cell some steps away, if it is on the board.
    fn step(&self, (x, y): At, across: isize, down: isize) -> Option<At> {
        let (dx, dy) = match self.gravity {
            Gravity::Down => (across, down),
            Gravity::Up => (across, -down),
            Gravity::Right => (down, across),
            Gravity::Left => (-down, across),
        };
        let at = (x.checked_add_signed(dx)?, y.checked_add_signed(dy)?);
        (at.0 < self.width && at.1 < self.height).then_some(at)
    }

    /// Returns the cells straight down (or up, by a step of -1) to the edge.
    fn from(&self, at: At, down: isize) -> impl Iterator<Item = At> {
        core::iter::successors(self.step(at, 0, down), move |&at| self.step(at, 0, down))
    }
}
