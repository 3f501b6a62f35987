//! [`ParentLinks`]: the path from each board of the beam back to the empty board, in bounded memory.

/// A node's parent, numbered within the previous layer (partition by partition), and its packed
/// placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ParentLink {
    pub(super) parent: u32,
    pub(super) placement: u16,
}

/// The number of layers between two compactions.
const COMPACT_EVERY: usize = 64;

/// The trunk (the placements shared by all boards of the beam), then one layer of links per piece.
///
/// ```text
/// |--- trunk ---|--- layers of links ---|
/// o--o--o--o--o--o--o--o--o--o--o--o--o--o    each row ends with a
///                |        `--o--o--o--o--o    board of the last layer,
///                `--o--o--o--o--o--o--o--o    the beam
/// ```
///
/// A compaction removes the links without descendants in the last layer and moves layers of a
/// single link to the trunk. All boards of a layer have a common ancestor a few hundred pieces
/// back, so the memory stays bounded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ParentLinks {
    trunk: Vec<u16>,
    layers: Vec<Vec<ParentLink>>,
    /// The number of layers added since the last compaction.
    uncompacted: usize,
}

impl ParentLinks {
    pub(super) fn new(trunk: Vec<u16>) -> Self {
        Self { trunk, ..Self::default() }
    }

    pub(super) fn trunk(&self) -> &[u16] {
        &self.trunk
    }
    /// The last layer has a link for each board of the beam.
    pub(super) fn layers(&self) -> &[Vec<ParentLink>] {
        &self.layers
    }
    pub(super) fn len(&self) -> usize {
        self.trunk.len() + self.layers.len()
    }

    pub(super) fn push(&mut self, links: Vec<ParentLink>) {
        self.push_uncompacted(links);
        if self.uncompacted >= COMPACT_EVERY {
            self.compact();
        }
    }

    /// For a parsed layer: without a compaction, writing the beam again gives the same text.
    pub(super) fn push_uncompacted(&mut self, links: Vec<ParentLink>) {
        self.layers.push(links);
        self.uncompacted += 1;
    }

    pub(super) fn compact(&mut self) {
        let untouched = self.layers.len().saturating_sub(self.uncompacted);
        self.uncompacted = 0;
        for i in (1..self.layers.len()).rev() {
            let (before, layer) = self.layers.split_at_mut(i);
            let before = &mut before[i - 1];
            // `u32::MAX` for boards without children: millions of options would take twice the room.
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

    /// Returns the packed placements that led to a board of the last layer.
    pub(super) fn placements(&self, board: usize) -> Vec<u16> {
        let mut placements = Vec::with_capacity(self.layers.len());
        let mut index = board;
        for layer in self.layers.iter().rev() {
            placements.push(layer[index].placement);
            index = layer[index].parent as usize;
        }
        let trunk = self.trunk.iter().copied();
        trunk.chain(placements.into_iter().rev()).collect()
    }
}
