//! Which candidates become nodes: the best, no board twice, and no class of cell counts more than its share.

use super::candidate::{CLASSES, Candidate};

/// Keys are counted in buckets of four points; the last takes all that is better.
const BUCKETS: usize = 256;
const SHIFT: u32 = 2;

/// How many tenths of the beam one class of cell counts may have. Of 18, 25, 35, 42 and 55 hundredths the last won at width
/// 4000, of 25, 40 and 60 at width 10,000, on the sequences that the patterns are fitted on; more was not tried.
const SHARE: usize = 6;

/// The key that a candidate of each class needs to be looked at: a guess, from a sample, of what will be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bars {
    keys: [i32; CLASSES],
}

impl Default for Bars {
    fn default() -> Self {
        Self { keys: [i32::MIN; CLASSES] }
    }
}

impl Bars {
    #[inline(always)]
    pub(super) fn allows(&self, class: u8, key: i32) -> bool {
        key >= self.keys[usize::from(class) % CLASSES]
    }

    /// What the best `most` of a sample reach, and in each class the best `share`. Nothing is left out of a class with
    /// fewer.
    pub(super) fn guess<'a>(sample: impl Iterator<Item = &'a Candidate>, most: usize, share: usize) -> Self {
        let mut keys: [Vec<i32>; CLASSES] = Default::default();
        for candidate in sample {
            keys[usize::from(candidate.class) % CLASSES].push(candidate.key);
        }
        let mut bars = Self::default();
        let mut best = Vec::new();
        for (keys, bar) in keys.iter_mut().zip(&mut bars.keys) {
            if let Some(key) = nth(keys, share) {
                *bar = key;
                keys.retain(|&of_class| of_class >= key);
            }
            best.append(keys);
        }
        if let Some(key) = nth(&mut best, most) {
            bars.keys.iter_mut().for_each(|bar| *bar = key.max(*bar));
        }
        bars
    }

    /// The lowest one, if there is any.
    pub(super) fn lowest(&self) -> Option<i32> {
        self.keys.iter().copied().filter(|&key| key > i32::MIN).min()
    }
}

/// The n-th best of some keys, if there are more.
fn nth(keys: &mut [i32], n: usize) -> Option<i32> {
    let place = keys.len().checked_sub(n).filter(|&place| place > 0 && n > 0)?;
    Some(*keys.select_nth_unstable(place).1)
}

/// The candidates of one part of a layer.
#[derive(Debug)]
pub(super) struct Sieve {
    /// No board twice; in the order of parents and locks.
    pub(super) unique: Vec<Candidate>,
    /// Where in `unique` a board is, plus one, by its hash.
    table: Vec<u32>,
    /// By class and bucket; all zero for classes that don't occur.
    counts: Vec<[u32; BUCKETS]>,
    /// The classes that occur, a bit each.
    classes: u32,
}

/// What a class is when the same board has come with a better key.
const BEATEN: u8 = u8::MAX;

fn bucket(key: i32, base: i32) -> usize {
    let above = (i64::from(key) - i64::from(base)).max(0) >> SHIFT;
    (above as usize).min(BUCKETS - 1)
}

impl Default for Sieve {
    fn default() -> Self {
        Self { unique: Vec::new(), table: Vec::new(), counts: vec![[0; BUCKETS]; CLASSES], classes: 0 }
    }
}

impl Sieve {
    /// Empties it.
    pub(super) fn begin(&mut self) {
        self.unique.clear();
    }

    /// Takes some candidates, as many as the bars allow.
    pub(super) fn add(&mut self, candidates: &[Candidate], bars: &Bars) {
        for candidate in candidates {
            if bars.allows(candidate.class, candidate.key) {
                self.unique.push(*candidate);
            }
        }
    }

    /// Keeps each board once: of the same boards the one with the best key, of these the first. Counts what is left.
    pub(super) fn sift(&mut self, base: i32) {
        let size = (2 * self.unique.len()).next_power_of_two();
        self.table.clear();
        self.table.resize(size, 0);
        for class in (0..CLASSES).filter(|class| self.classes >> class & 1 != 0) {
            self.counts[class] = [0; BUCKETS];
        }
        self.classes = 0;
        for i in 0..self.unique.len() {
            let Candidate { hash, key, .. } = self.unique[i];
            let mut slot = (hash ^ hash >> 29) as usize & (size - 1);
            loop {
                let found = self.table[slot] as usize;
                if found == 0 {
                    self.table[slot] = i as u32 + 1;
                    break;
                }
                let other = &mut self.unique[found - 1];
                if other.hash == hash {
                    let beaten = if key > other.key {
                        self.table[slot] = i as u32 + 1;
                        found - 1
                    } else {
                        i
                    };
                    self.unique[beaten].class = BEATEN;
                    break;
                }
                slot = (slot + 1) & (size - 1);
            }
        }
        self.unique.retain(|candidate| candidate.class != BEATEN);
        for candidate in &self.unique {
            let class = usize::from(candidate.class) % CLASSES;
            self.counts[class][bucket(candidate.key, base)] += 1;
            self.classes |= 1 << class;
        }
    }
}

/// The rank that a candidate of each class needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cut {
    ranks: [u64; CLASSES],
}

impl Default for Cut {
    fn default() -> Self {
        Self { ranks: [0; CLASSES] }
    }
}

/// What a cut leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kept {
    pub(super) cut: Cut,
    /// How many are kept.
    pub(super) boards: usize,
    /// How many there were of each class.
    offered: [usize; CLASSES],
    /// The least key of all classes, if any were left out for it.
    edge: Option<i32>,
}

impl Kept {
    /// Whether nothing below the bars would have been kept: of each class there were enough without it, or it isn't
    /// among the best of all.
    pub(super) fn proves(&self, bars: &Bars, width: usize) -> bool {
        bars.keys.iter().zip(self.offered).all(|(&bar, offered)| {
            bar == i32::MIN || offered >= share(width) || self.edge.is_some_and(|edge| edge >= bar)
        })
    }
}

/// The most boards of one class.
pub(super) const fn share(width: usize) -> usize {
    (width * SHARE).div_ceil(10)
}

impl Cut {
    #[inline(always)]
    pub(super) fn keeps(&self, candidate: &Candidate) -> bool {
        candidate.rank() >= self.ranks[usize::from(candidate.class) % CLASSES]
    }

    /// Keeps of each class the best [`share`] of `width` at most, and of these the best `width`.
    pub(super) fn find(sieves: &[&Sieve], width: usize, base: i32) -> Kept {
        let mut cut = Self::default();
        let mut kept = [0; BUCKETS];
        let mut offered = [0; CLASSES];
        let classes = sieves.iter().fold(0, |classes, sieve| classes | sieve.classes);
        for class in (0..CLASSES).filter(|class| classes >> class & 1 != 0) {
            let mut counts = totals(sieves, |sieve| &sieve.counts[class]);
            offered[class] = counts.iter().sum();
            if let Some((edge, inside)) = limit(&mut counts, share(width)) {
                let of_class = |candidate: &Candidate| usize::from(candidate.class) == class;
                cut.ranks[class] = nth_rank(sieves, edge, base, inside, of_class);
            }
            for (kept, count) in kept.iter_mut().zip(counts) {
                *kept += count;
            }
        }
        let mut edge = None;
        if let Some((bucket, inside)) = limit(&mut kept, width) {
            let rank = nth_rank(sieves, bucket, base, inside, |candidate| cut.keeps(candidate));
            for least in &mut cut.ranks {
                *least = rank.max(*least);
            }
            edge = Some(Candidate::key_of(rank));
        }
        Kept { cut, boards: kept.iter().sum(), offered, edge }
    }
}

fn totals<'a>(sieves: &[&'a Sieve], counts: impl Fn(&'a Sieve) -> &'a [u32; BUCKETS]) -> [usize; BUCKETS] {
    let mut totals = [0; BUCKETS];
    for sieve in sieves {
        for (total, &count) in totals.iter_mut().zip(counts(sieve)) {
            *total += count as usize;
        }
    }
    totals
}

/// Keeps the best `most`. Returns the bucket in which the limit lies and how many of it are kept, if any are left out.
fn limit(counts: &mut [usize; BUCKETS], most: usize) -> Option<(usize, usize)> {
    let mut left = most;
    let mut edge = None;
    for (bucket, count) in counts.iter_mut().enumerate().rev() {
        if *count > left && edge.is_none() {
            edge = Some((bucket, left));
        }
        *count = left.min(*count);
        left -= *count;
    }
    edge
}

/// The n-th best rank of some candidates in a bucket, or one that none of them has for 0.
fn nth_rank(sieves: &[&Sieve], edge: usize, base: i32, n: usize, takes: impl Fn(&Candidate) -> bool) -> u64 {
    let mut ranks = Vec::new();
    for sieve in sieves {
        for candidate in &sieve.unique {
            if bucket(candidate.key, base) == edge && takes(candidate) {
                ranks.push(candidate.rank());
            }
        }
    }
    if n == 0 {
        return ranks.iter().max().map_or(0, |rank| rank + 1);
    }
    let place = ranks.len() - n;
    *ranks.select_nth_unstable(place).1
}
