//! Selection of the candidates that become nodes: thresholds, duplicate detection, cutoff.
//!
//! The rules: keep each board once, with its best key; per class (tens of filled cells), at most
//! six tenths of the width; of these, the best `width`. "Best" is by rank: key, then hash.
//!
//! No list is sorted. [`DedupTable`] counts keys in one histogram per class. [`Cutoff::find`] adds
//! the histograms of all partitions, finds the bucket that contains a limit, and selects the exact
//! rank among only the candidates of that bucket:
//!
//! ```text
//! bucket     0   1   2   ..   k-1   k   k+1   ..   255
//!          [ worse ..................|............ better ]
//!                          limit reached here, in bucket k: keep its n best
//! ```

use super::candidate::{CLASSES, Candidate};
use std::collections::TryReserveError;
use std::ops::Deref;

/// The buckets of a histogram, four points wide each; the last one also counts all better keys.
const BUCKETS: usize = 256;
const SHIFT: u32 = 2;

/// The maximum share of one class in the beam, in tenths. See docs/decisions.md.
const CLASS_SHARE: usize = 6;

/// The minimum key per class for recording a candidate: an estimate of the cutoff from a sample.
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

    /// Returns the thresholds reached by the best `class_limit` candidates of each class in a
    /// sample that are also among the best `max` of all these. A class with fewer candidates has no
    /// threshold of its own.
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

    pub(super) fn lowest(&self) -> Option<i32> {
        self.keys.iter().copied().filter(|&key| key > i32::MIN).min()
    }
}

/// Returns the n-th best key if there are more than `n` keys.
fn nth(keys: &mut [i32], n: usize) -> Option<i32> {
    let place = keys.len().checked_sub(n).filter(|&place| place > 0 && n > 0)?;
    Some(*keys.select_nth_unstable(place).1)
}

/// The candidates of one partition of a layer, and the hash table for finding duplicates among
/// them.
#[derive(Debug, Default)]
pub(super) struct DedupTable {
    /// The candidates, each board once, by parent, then by placement.
    pub(super) unique: Vec<Candidate>,
    /// An index into `unique` plus one, or 0. Open addressing, linear probing, at most half full.
    table: Vec<u32>,
    /// The histograms by class and bucket, all zero for classes that do not occur.
    counts: Vec<[u32; BUCKETS]>,
    /// The classes that occur, bit i for class i.
    classes: u32,
}

/// Marks a duplicate: another candidate for its board has a better key, or the same key and comes
/// first. A class no candidate has, so that a class stays one byte.
const DUPLICATE: u8 = u8::MAX;

fn bucket(key: i32, base: i32) -> usize {
    let above = (i64::from(key) - i64::from(base)).max(0) >> SHIFT;
    (above as usize).min(BUCKETS - 1)
}

impl DedupTable {
    pub(super) fn clear(&mut self) {
        self.unique.clear();
    }

    pub(super) fn add(
        &mut self,
        candidates: &[Candidate],
        thresholds: &Thresholds,
    ) -> Result<(), TryReserveError> {
        self.unique.try_reserve(candidates.len())?;
        for candidate in candidates {
            if thresholds.admits(candidate.class, candidate.key) {
                self.unique.push(*candidate);
            }
        }
        Ok(())
    }

    /// Keeps each board once: among candidates with equal hashes the best key, on ties the first.
    /// Fills the histograms; `base` is the key at which bucket 0 begins.
    pub(super) fn deduplicate(&mut self, base: i32) -> Result<(), TryReserveError> {
        let size = (2 * self.unique.len()).next_power_of_two();
        self.table.clear();
        self.table.try_reserve(size)?;
        self.table.resize(size, 0);
        self.counts.resize(CLASSES, [0; BUCKETS]);
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
        Ok(())
    }
}

/// The lowest rank kept in each class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cutoff {
    ranks: [u64; CLASSES],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Selection {
    pub(super) cutoff: Cutoff,
    pub(super) boards: usize,
    /// The number of distinct boards of each class before the cutoff.
    candidates: [usize; CLASSES],
    /// The lowest key kept by the limit of the whole width, if this limit drops any board.
    cutoff_key: Option<i32>,
}

impl Selection {
    /// Returns whether no candidate below the thresholds could have been kept. For each class with
    /// a threshold, either enough boards above it reach the limit of the class, or the limit of the
    /// width is above it.
    pub(super) fn is_exact(&self, thresholds: &Thresholds, width: usize) -> bool {
        thresholds.keys.iter().zip(self.candidates).all(|(&threshold, candidates)| {
            threshold == i32::MIN
                || candidates >= class_limit(width)
                || self.cutoff_key.is_some_and(|key| key >= threshold)
        })
    }
}

pub(super) const fn class_limit(width: usize) -> usize {
    (width * CLASS_SHARE).div_ceil(10)
}

impl Cutoff {
    #[inline(always)]
    pub(super) fn keeps(&self, candidate: &Candidate) -> bool {
        candidate.rank() >= self.ranks[usize::from(candidate.class) % CLASSES]
    }

    /// Finds the cutoff for the best [`class_limit`] boards of each class and the best `width` of
    /// these.
    pub(super) fn find(
        dedup_tables: &[impl Deref<Target = DedupTable>],
        width: usize,
        base: i32,
    ) -> Selection {
        let mut kept = [0; BUCKETS];
        let mut candidates = [0; CLASSES];
        let mut cuts = [Cut::NONE; CLASSES];
        let classes =
            dedup_tables.iter().fold(0, |classes, dedup_table| classes | dedup_table.classes);
        for class in (0..CLASSES).filter(|class| classes >> class & 1 != 0) {
            let mut counts = [0; BUCKETS];
            for dedup_table in dedup_tables {
                for (total, &count) in counts.iter_mut().zip(&dedup_table.counts[class]) {
                    *total += count as usize;
                }
            }
            candidates[class] = counts.iter().sum();
            cuts[class] = Cut::truncate(&mut counts, class_limit(width));
            for (kept, count) in kept.iter_mut().zip(counts) {
                *kept += count;
            }
        }
        let cut = Cut::truncate(&mut kept, width);

        // Collect the ranks in the limits' buckets in a single pass: this is the longest
        // single-threaded part of a layer.
        let mut of_class = [const { Vec::new() }; CLASSES];
        let mut of_all = Vec::new();
        for dedup_table in dedup_tables {
            for candidate in &dedup_table.unique {
                let bucket = bucket(candidate.key, base);
                let class = usize::from(candidate.class) % CLASSES;
                if bucket == cuts[class].bucket {
                    of_class[class].push(candidate.rank());
                }
                if bucket == cut.bucket {
                    of_all.push((candidate.rank(), class));
                }
            }
        }
        let mut ranks = [0; CLASSES];
        for ((rank, cut), mut inside) in ranks.iter_mut().zip(cuts).zip(of_class) {
            if cut != Cut::NONE {
                *rank = nth_rank(&mut inside, cut.kept);
            }
        }
        let mut cutoff_key = None;
        if cut != Cut::NONE {
            of_all.retain(|&(rank, class)| rank >= ranks[class]);
            let mut inside: Vec<u64> = of_all.into_iter().map(|(rank, _)| rank).collect();
            let rank = nth_rank(&mut inside, cut.kept);
            ranks = ranks.map(|of_class| rank.max(of_class));
            cutoff_key = Some(Candidate::key_of(rank));
        }
        Selection { cutoff: Self { ranks }, boards: kept.iter().sum(), candidates, cutoff_key }
    }
}

/// The location of a limit: its bucket, and the number of candidates kept from this bucket.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Cut {
    bucket: usize,
    kept: usize,
}

impl Cut {
    /// A limit that drops no candidate.
    const NONE: Self = Self { bucket: BUCKETS, kept: 0 };

    /// Reduces the counts to the best `max`.
    fn truncate(counts: &mut [usize; BUCKETS], max: usize) -> Self {
        let mut left = max;
        let mut cut = Self::NONE;
        for (bucket, count) in counts.iter_mut().enumerate().rev() {
            if *count > left && cut == Self::NONE {
                cut = Self { bucket, kept: left };
            }
            *count = left.min(*count);
            left -= *count;
        }
        cut
    }
}

/// Returns the n-th best rank, or a rank above all of them if `n` is 0.
fn nth_rank(ranks: &mut [u64], n: usize) -> u64 {
    if n == 0 {
        return ranks.iter().max().map_or(0, |rank| rank + 1);
    }
    let place = ranks.len() - n;
    *ranks.select_nth_unstable(place).1
}
