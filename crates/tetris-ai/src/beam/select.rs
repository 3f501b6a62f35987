//! Which candidates become nodes: the best, no board twice, and no class of cell counts more than its share.

use super::node::{Brood, CLASSES, Candidate};

/// Keys are counted in buckets of four points; the last takes all that is better.
const BUCKETS: usize = 256;
const SHIFT: u32 = 2;

/// The share of the beam that one class of cell counts may have, as its inverse.
const SHARE: usize = 4;

/// The candidates of one part of a layer.
#[derive(Debug)]
pub(super) struct Sieve {
    /// No board twice; in the order of parents and locks.
    pub(super) unique: Vec<Candidate>,
    /// Where in `unique` a board is, plus one, by its hash.
    table: Vec<u32>,
    /// Candidates by bucket, the same boards included.
    raw: [u32; BUCKETS],
    /// By class and bucket; all zero for classes that don't occur.
    counts: [[u32; BUCKETS]; CLASSES],
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
        Self {
            unique: Vec::new(),
            table: Vec::new(),
            raw: [0; BUCKETS],
            counts: [[0; BUCKETS]; CLASSES],
            classes: 0,
        }
    }
}

impl Sieve {
    /// Empties it.
    pub(super) fn begin(&mut self) {
        self.unique.clear();
    }

    /// Takes some candidates, those that are at least `least` good.
    pub(super) fn add(&mut self, candidates: &[Candidate], least: i32) {
        for candidate in candidates {
            if candidate.key >= least {
                self.unique.push(*candidate);
            }
        }
    }

    /// Keeps each board once: of the same boards the one with the best key, of these the first. Counts what is left.
    pub(super) fn sift(&mut self, base: i32) {
        let size = (2 * self.unique.len()).next_power_of_two();
        self.table.clear();
        self.table.resize(size, 0);
        self.raw.fill(0);
        for class in (0..CLASSES).filter(|class| self.classes >> class & 1 != 0) {
            self.counts[class] = [0; BUCKETS];
        }
        self.classes = 0;
        for i in 0..self.unique.len() {
            let Candidate { hash, key, .. } = self.unique[i];
            self.raw[bucket(key, base)] += 1;
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
    pub(super) kept: usize,
    /// How many candidates, the same boards included, are about as good as the worst of them or better.
    pub(super) needed: usize,
}

impl Cut {
    #[inline(always)]
    pub(super) fn keeps(&self, candidate: &Candidate) -> bool {
        candidate.rank() >= self.ranks[usize::from(candidate.class) % CLASSES]
    }

    /// Keeps of each class the best quarter of `width` at most, and of these the best `width`.
    pub(super) fn find(sieves: &[&Sieve], width: usize, base: i32) -> Kept {
        let mut cut = Self::default();
        let share = width.div_ceil(SHARE);
        let mut kept = [0; BUCKETS];
        let classes = sieves.iter().fold(0, |classes, sieve| classes | sieve.classes);
        for class in (0..CLASSES).filter(|class| classes >> class & 1 != 0) {
            let mut counts = totals(sieves, |sieve| &sieve.counts[class]);
            if let Some((edge, inside)) = limit(&mut counts, share) {
                let of_class = |candidate: &Candidate| usize::from(candidate.class) == class;
                cut.ranks[class] = nth_rank(sieves, edge, base, inside, of_class);
            }
            for (kept, count) in kept.iter_mut().zip(counts) {
                *kept += count;
            }
        }
        let raw = totals(sieves, |sieve| &sieve.raw);
        let mut edge = 0;
        if let Some((bucket, inside)) = limit(&mut kept, width) {
            edge = bucket;
            let rank = nth_rank(sieves, edge, base, inside, |candidate| cut.keeps(candidate));
            for least in &mut cut.ranks {
                *least = rank.max(*least);
            }
        }
        Kept { cut, kept: kept.iter().sum(), needed: raw[edge..].iter().sum() }
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
fn nth_rank(
    sieves: &[&Sieve],
    edge: usize,
    base: i32,
    n: usize,
    takes: impl Fn(&Candidate) -> bool,
) -> u64 {
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

/// The key that about `wanted` of some candidates reach, if more than that are among them.
pub(super) fn nth_key(broods: &[&Brood], wanted: usize) -> Option<i32> {
    let mut keys: Vec<i32> =
        broods.iter().flat_map(|brood| brood.candidates()).map(|candidate| candidate.key).collect();
    let place = keys.len().checked_sub(wanted)?;
    (place > 0 && wanted > 0).then(|| *keys.select_nth_unstable(place).1)
}
