//! [`ParentLinks`]: how the boards of the beam came about, in bounded memory.

use super::placement::Placement;

/// Where a board comes from: its parent in the layer before, and the packed placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ParentLink {
    pub(super) parent: u32,
    pub(super) placement: u16,
}

/// After so many layers those without descendants are forgotten.
const COMPACT_EVERY: usize = 64;

/// The placements that all boards share, then layers of links, of which only those with descendants are kept.
///
/// Boards of one layer soon have one ancestor in common: a few hundred pieces back, whatever the width.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ParentLinks {
    trunk: Vec<u16>,
    layers: Vec<Vec<ParentLink>>,
    /// Layers that have been added since the last time that any were forgotten.
    uncompacted: usize,
}

impl ParentLinks {
    pub(super) fn new(trunk: Vec<u16>) -> Self {
        Self { trunk, ..Self::default() }
    }

    /// The placements that all boards share.
    pub(super) fn trunk(&self) -> &[u16] {
        &self.trunk
    }
    /// The layers after the trunk. In the last one are all boards of the beam.
    pub(super) fn layers(&self) -> &[Vec<ParentLink>] {
        &self.layers
    }
    /// The number of pieces placed.
    pub(super) fn len(&self) -> usize {
        self.trunk.len() + self.layers.len()
    }

    /// Adds the links of a new layer.
    pub(super) fn push(&mut self, links: Vec<ParentLink>) {
        self.layers.push(links);
        self.uncompacted += 1;
        if self.uncompacted >= COMPACT_EVERY {
            self.compact();
        }
    }

    /// Forgets what has no descendant in the last layer.
    pub(super) fn compact(&mut self) {
        let untouched = self.layers.len().saturating_sub(self.uncompacted);
        self.uncompacted = 0;
        for i in (1..self.layers.len()).rev() {
            let (before, layer) = self.layers.split_at_mut(i);
            let before = &mut before[i - 1];
            let mut new = vec![u32::MAX; before.len()];
            for link in &layer[0] {
                new[link.parent as usize] = 0;
            }
            let mut kept = 0;
            let mut old = 0;
            before.retain(|_| {
                let alive = new[old] == 0;
                if alive {
                    new[old] = kept;
                    kept += 1;
                }
                old += 1;
                alive
            });
            if before.len() == old && i <= untouched {
                break;
            }
            for link in &mut layer[0] {
                link.parent = new[link.parent as usize];
            }
        }
        // The last layer is the beam itself, even if it is a single board.
        let shared = self.layers.iter().take_while(|layer| layer.len() == 1).count();
        let shared = shared.min(self.layers.len().saturating_sub(1));
        self.trunk.extend(self.layers.drain(..shared).map(|layer| layer[0].placement));
    }

    /// The placements that led to a board of the last layer.
    pub(super) fn placements(&self, board: usize) -> Vec<Option<Placement>> {
        let mut placements = Vec::with_capacity(self.layers.len());
        let mut index = board;
        for layer in self.layers.iter().rev() {
            placements.push(layer[index].placement);
            index = layer[index].parent as usize;
        }
        let trunk = self.trunk.iter().copied();
        trunk.chain(placements.into_iter().rev()).map(Placement::unpack).collect()
    }
}
