//! Which candidates become nodes: the best, no board twice, and no class of cell counts more than its class_limit.

use super::candidate::{CLASSES, Candidate};

/// Keys are counted in buckets of four points; the last takes all that is better.
const BUCKETS: usize = 256;
const SHIFT: u32 = 2;

/// How many tenths of the beam one class of cell counts may have. Of 18, 25, 35, 42 and 55 hundredths the last won at width
/// 4000, of 25, 40 and 60 at width 10,000, on the sequences that the patterns are fitted on; more was not tried.
const CLASS_SHARE: usize = 6;

/// The key that a candidate of each class needs to be looked at: a guess, from a sample, of what will be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Thresholds {
    keys: [i32; CLASSES],
}

impl Default for Thresholds {
    fn default() -> Self {
        Self { keys: [i32::MIN; CLASSES] }
    }
}

impl Thresholds {
    #[inline(always)]
    pub(super) fn admits(&self, class: u8, key: i32) -> bool {
        key >= self.keys[usize::from(class) % CLASSES]
    }

    /// What the best `max` of a sample reach, and in each class the best `class_limit`. Nothing is left out of a class with
    /// fewer.
    pub(super) fn from_sample<'a>(
        sample: impl Iterator<Item = &'a Candidate>,
        max: usize,
        class_limit: usize,
    ) -> Self {
        let mut keys: [Vec<i32>; CLASSES] = Default::default();
        for candidate in sample {
            keys[usize::from(candidate.class) % CLASSES].push(candidate.key);
        }
        let mut thresholds = Self::default();
        let mut best = Vec::new();
        for (keys, threshold) in keys.iter_mut().zip(&mut thresholds.keys) {
            if let Some(key) = nth(keys, class_limit) {
                *threshold = key;
                keys.retain(|&of_class| of_class >= key);
            }
            best.append(keys);
        }
        if let Some(key) = nth(&mut best, max) {
            thresholds.keys.iter_mut().for_each(|threshold| *threshold = key.max(*threshold));
        }
        thresholds
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

/// The candidates of one partition of a layer.
#[derive(Debug)]
pub(super) struct DedupTable {
    /// No board twice; in the order of parents and placements.
    pub(super) unique: Vec<Candidate>,
    /// Where in `unique` a board is, plus one, by its hash.
    table: Vec<u32>,
    /// By class and bucket; all zero for classes that don't occur.
    counts: Vec<[u32; BUCKETS]>,
    /// The classes that occur, a bit each.
    classes: u32,
}

/// What a class is when the same board has come with a better key.
const DUPLICATE: u8 = u8::MAX;

fn bucket(key: i32, base: i32) -> usize {
    let above = (i64::from(key) - i64::from(base)).max(0) >> SHIFT;
    (above as usize).min(BUCKETS - 1)
}

impl Default for DedupTable {
    fn default() -> Self {
        Self { unique: Vec::new(), table: Vec::new(), counts: vec![[0; BUCKETS]; CLASSES], classes: 0 }
    }
}

impl DedupTable {
    /// Empties it.
    pub(super) fn clear(&mut self) {
        self.unique.clear();
    }

    /// Takes some candidates, as many as the thresholds allow.
    pub(super) fn add(&mut self, candidates: &[Candidate], thresholds: &Thresholds) {
        for candidate in candidates {
            if thresholds.admits(candidate.class, candidate.key) {
                self.unique.push(*candidate);
            }
        }
    }

    /// Keeps each board once: of the same boards the one with the best key, of these the first. Counts what is left.
    pub(super) fn deduplicate(&mut self, base: i32) {
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
                    let duplicate = if key > other.key {
                        self.table[slot] = i as u32 + 1;
                        found - 1
                    } else {
                        i
                    };
                    self.unique[duplicate].class = DUPLICATE;
                    break;
                }
                slot = (slot + 1) & (size - 1);
            }
        }
        self.unique.retain(|candidate| candidate.class != DUPLICATE);
        for candidate in &self.unique {
            let class = usize::from(candidate.class) % CLASSES;
            self.counts[class][bucket(candidate.key, base)] += 1;
            self.classes |= 1 << class;
        }
    }
}

/// The rank that a candidate of each class needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cutoff {
    ranks: [u64; CLASSES],
}

impl Default for Cutoff {
    fn default() -> Self {
        Self { ranks: [0; CLASSES] }
    }
}

/// What a cutoff leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Selection {
    pub(super) cutoff: Cutoff,
    /// How many are kept.
    pub(super) boards: usize,
    /// How many there were of each class.
    candidates: [usize; CLASSES],
    /// The least key of all classes, if any were left out for it.
    cutoff_key: Option<i32>,
}

impl Selection {
    /// Whether nothing below the thresholds would have been kept: of each class there were enough without it, or it isn't
    /// among the best of all.
    pub(super) fn is_exact(&self, thresholds: &Thresholds, width: usize) -> bool {
        thresholds.keys.iter().zip(self.candidates).all(|(&threshold, candidates)| {
            threshold == i32::MIN
                || candidates >= class_limit(width)
                || self.cutoff_key.is_some_and(|key| key >= threshold)
        })
    }
}

/// The most boards of one class.
pub(super) const fn class_limit(width: usize) -> usize {
    (width * CLASS_SHARE).div_ceil(10)
}

impl Cutoff {
    #[inline(always)]
    pub(super) fn keeps(&self, candidate: &Candidate) -> bool {
        candidate.rank() >= self.ranks[usize::from(candidate.class) % CLASSES]
    }

    /// Keeps of each class the best [`class_limit`] of `width` at most, and of these the best `width`.
    pub(super) fn find(dedup_tables: &[&DedupTable], width: usize, base: i32) -> Selection {
        let mut cutoff = Self::default();
        let mut kept = [0; BUCKETS];
        let mut candidates = [0; CLASSES];
        let classes = dedup_tables.iter().fold(0, |classes, dedup_table| classes | dedup_table.classes);
        for class in (0..CLASSES).filter(|class| classes >> class & 1 != 0) {
            let mut counts = totals(dedup_tables, |dedup_table| &dedup_table.counts[class]);
            candidates[class] = counts.iter().sum();
            if let Some((cut_bucket, inside)) = truncate_counts(&mut counts, class_limit(width)) {
                let of_class = |candidate: &Candidate| usize::from(candidate.class) == class;
                cutoff.ranks[class] = nth_rank(dedup_tables, cut_bucket, base, inside, of_class);
            }
            for (kept, count) in kept.iter_mut().zip(counts) {
                *kept += count;
            }
        }
        let mut cutoff_key = None;
        if let Some((cut_bucket, inside)) = truncate_counts(&mut kept, width) {
            let rank = nth_rank(dedup_tables, cut_bucket, base, inside, |candidate| cutoff.keeps(candidate));
            for min in &mut cutoff.ranks {
                *min = rank.max(*min);
            }
            cutoff_key = Some(Candidate::key_of(rank));
        }
        Selection { cutoff, boards: kept.iter().sum(), candidates, cutoff_key }
    }
}

fn totals<'a>(
    dedup_tables: &[&'a DedupTable],
    counts: impl Fn(&'a DedupTable) -> &'a [u32; BUCKETS],
) -> [usize; BUCKETS] {
    let mut totals = [0; BUCKETS];
    for dedup_table in dedup_tables {
        for (total, &count) in totals.iter_mut().zip(counts(dedup_table)) {
            *total += count as usize;
        }
    }
    totals
}

/// Keeps the best `max`. Returns the bucket in which the limit lies and how many of it are kept, if any are left out.
fn truncate_counts(counts: &mut [usize; BUCKETS], max: usize) -> Option<(usize, usize)> {
    let mut left = max;
    let mut cut = None;
    for (bucket, count) in counts.iter_mut().enumerate().rev() {
        if *count > left && cut.is_none() {
            cut = Some((bucket, left));
        }
        *count = left.min(*count);
        left -= *count;
    }
    cut
}

/// The n-th best rank of some candidates in a bucket, or one that none of them has for 0.
fn nth_rank(
    dedup_tables: &[&DedupTable],
    cut_bucket: usize,
    base: i32,
    n: usize,
    takes: impl Fn(&Candidate) -> bool,
) -> u64 {
    let mut ranks = Vec::new();
    for dedup_table in dedup_tables {
        for candidate in &dedup_table.unique {
            if bucket(candidate.key, base) == cut_bucket && takes(candidate) {
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
