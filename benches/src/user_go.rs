//! What a user of Go would write instead of calling [`go_mc::Game`]: flood fills on bytes, with an
//! incremental hash for superko and no heap in a move.

use bitcore::Rng;

/// The contents of a cell: empty, a black or white stone, or the border.
const EMPTY: u8 = 0;
const BORDER: u8 = 3;

/// A game with positional superko or without; suicide is illegal.
#[derive(Clone)]
pub(crate) struct ByteGame {
    side: usize,
    superko: bool,
    /// One border byte between rows.
    cells: Vec<u8>,
    keys: Vec<[u64; 3]>,
    hash: u64,
    earlier: Vec<u64>,
    to_move: u8,
    /// By cell: the last flood that came here, and the chain of a stone.
    seen: Vec<u32>,
    floods: u32,
    chain: Vec<u16>,
    list: Vec<usize>,
    taken: Vec<usize>,
}

impl ByteGame {
    pub(crate) fn new(side: usize, superko: bool) -> Self {
        let stride = side + 1;
        let length = stride * (side + 2) + 1;
        let mut cells = vec![BORDER; length];
        for y in 1..=side {
            cells[y * stride + 1..][..side].fill(EMPTY);
        }
        let mut rng = Rng::new(1);
        let keys = (0..length).map(|_| [0, rng.next_u64(), rng.next_u64()]).collect();
        let earlier = Vec::with_capacity(4 * length);
        let mut game = Self {
            side,
            superko,
            cells,
            keys,
            hash: 0,
            earlier,
            to_move: 1,
            seen: vec![0; length],
            floods: 0,
            chain: vec![0; length],
            list: Vec::with_capacity(length),
            taken: Vec::with_capacity(length),
        };
        game.earlier.push(0);
        game
    }

    /// Begins a new game.
    pub(crate) fn restart(&mut self) {
        self.cells.iter_mut().filter(|cell| **cell != BORDER).for_each(|cell| *cell = EMPTY);
        self.hash = 0;
        self.earlier.truncate(1);
        self.to_move = 1;
    }

    pub(crate) const fn cell(&self, x: usize, y: usize) -> usize {
        (y + 1) * (self.side + 1) + x + 1
    }

    const fn near(&self, at: usize) -> [usize; 4] {
        [at - self.side - 1, at - 1, at + 1, at + self.side + 1]
    }

    /// Fills `list` with the chain at `at`, or a part of it once `most` liberties were found.
    /// Returns the number of liberties.
    fn flood(&mut self, at: usize, most: usize) -> usize {
        self.floods += 1;
        self.list.clear();
        self.list.push(at);
        self.seen[at] = self.floods;
        let mut next = 0;
        let mut liberties = 0;
        while next < self.list.len() && liberties < most {
            for near in self.near(self.list[next]) {
                let contents = self.cells[near];
                if self.seen[near] != self.floods
                    && (contents == EMPTY || contents == self.cells[at])
                {
                    self.seen[near] = self.floods;
                    if contents == EMPTY { liberties += 1 } else { self.list.push(near) }
                }
            }
            next += 1;
        }
        liberties
    }

    /// Writes the legal points to `legal`, top row first.
    pub(crate) fn legal_points(&mut self, chains: &mut Vec<(usize, u64)>, legal: &mut Vec<usize>) {
        chains.clear();
        legal.clear();
        self.chain.fill(u16::MAX);
        for at in 0..self.cells.len() {
            if matches!(self.cells[at], 1 | 2) && self.chain[at] == u16::MAX {
                let liberties = self.flood(at, usize::MAX);
                let mut hash = 0;
                for &stone in &self.list {
                    self.chain[stone] = chains.len() as u16;
                    hash ^= self.keys[stone][usize::from(self.cells[at])];
                }
                chains.push((liberties, hash));
            }
        }
        for y in (0..self.side).rev() {
            for x in 0..self.side {
                let at = self.cell(x, y);
                if self.cells[at] == EMPTY && self.is_legal(at, chains) {
                    legal.push(at);
                }
            }
        }
    }

    fn is_legal(&self, at: usize, chains: &[(usize, u64)]) -> bool {
        let mut lives = false;
        let mut captured = [usize::MAX; 4];
        let mut hash = self.hash ^ self.keys[at][usize::from(self.to_move)];
        for (side, near) in self.near(at).into_iter().enumerate() {
            let contents = self.cells[near];
            let chain = usize::from(self.chain[near]);
            if contents == EMPTY || contents == self.to_move && chains[chain].0 > 1 {
                lives = true;
            } else if contents == 3 - self.to_move && chains[chain].0 == 1 {
                lives = true;
                if !captured.contains(&chain) {
                    captured[side] = chain;
                    hash ^= chains[chain].1;
                }
            }
        }
        lives && !self.earlier.contains(&hash)
    }

    /// Returns whether a stone is legal, by floods beside it.
    pub(crate) fn allows(&mut self, at: usize) -> bool {
        if self.cells[at] != EMPTY {
            return false;
        }
        let mut lives = false;
        let mut captured = [usize::MAX; 4];
        let mut hash = self.hash ^ self.keys[at][usize::from(self.to_move)];
        for (side, near) in self.near(at).into_iter().enumerate() {
            let contents = self.cells[near];
            lives |= contents == EMPTY;
            if contents == self.to_move {
                lives = lives || self.flood(near, 2) > 1;
            } else if contents == 3 - self.to_move && self.flood(near, 2) == 1 {
                lives = true;
                let first = self.list.iter().copied().min().unwrap_or(near);
                if !captured.contains(&first) {
                    captured[side] = first;
                    for &stone in &self.list {
                        hash ^= self.keys[stone][usize::from(contents)];
                    }
                }
            }
        }
        lives && !self.earlier.contains(&hash)
    }

    /// Plays a stone; `false` if it is illegal, and nothing has changed.
    pub(crate) fn play(&mut self, at: usize) -> bool {
        if self.cells[at] != EMPTY {
            return false;
        }
        let color = self.to_move;
        let other = 3 - self.to_move;
        let before = self.hash;
        self.cells[at] = color;
        self.hash ^= self.keys[at][usize::from(color)];
        self.taken.clear();
        for near in self.near(at) {
            if self.cells[near] == other && self.flood(near, 1) == 0 {
                for &stone in &self.list {
                    self.cells[stone] = EMPTY;
                    self.hash ^= self.keys[stone][usize::from(other)];
                }
                self.taken.extend_from_slice(&self.list);
            }
        }
        let is_suicide = self.taken.is_empty() && self.flood(at, 1) == 0;
        if is_suicide || self.superko && self.earlier.contains(&self.hash) {
            for &stone in &self.taken {
                self.cells[stone] = other;
            }
            self.cells[at] = EMPTY;
            self.hash = before;
            return false;
        }
        self.earlier.push(self.hash);
        self.to_move = other;
        true
    }
}
