//! One layer of the beam after the other, on all threads of a crew.
//!
//! The boards of a layer lie in parts, by their hashes. A layer is made in three steps, each cut into tasks that any
//! thread may take: the children of some boards; the best of each board in a part; the boards themselves. What a task
//! makes depends on its number alone, so the layer is the same for any number of threads.

use super::brood::Brood;
use super::evaluation::Evaluation;
use super::history::Link;
use super::lock::Lock;
use super::moves::MOVES;
use super::node::{Node, PARTS, part_and_index, place};
use super::potential::Outlook;
use super::select::{Bars, Cut, Kept, Sieve, share};
use crate::contest::Piece;
use crate::crew::Crew;
use bitcore::Level;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

/// How many boards one task expands.
const CHUNK: usize = 128;

/// Layers with fewer boards are not sampled first.
const MIN_SAMPLED: usize = 512;

/// The boards of a layer, by parts.
pub(super) type Parts = Vec<Vec<Node>>;

/// Some boards of a part.
type Task = (usize, Range<usize>);

/// What is to be done.
enum Step {
    /// Expands the boards of each task; the first one's children go to this brood.
    Expand { tasks: Vec<Task>, brood: usize, bars: Bars },
    /// Each part: no board twice.
    Sift { broods: usize, bars: Bars, base: i32 },
    /// Each part: makes the boards that the cut keeps.
    Make { cut: Cut },
}

/// The boards of one part of the next layer, and where they come from.
type Made = (Vec<Node>, Vec<Link>);

/// What the threads share.
pub(super) struct Workshop<'a> {
    outlook: &'a Outlook,
    pieces: &'a [Piece],
    level: Level,
    parts: RwLock<Parts>,
    evaluation: RwLock<(Evaluation<'a>, Piece)>,
    step: RwLock<Step>,
    next: AtomicUsize,
    broods: RwLock<Vec<Mutex<Brood>>>,
    sieves: Vec<Mutex<Sieve>>,
    made: Vec<Mutex<Made>>,
}

/// A layer that is done.
pub(super) struct Done {
    /// Where each board comes from, part after part.
    pub(super) links: Vec<Link>,
    /// The placements evaluated.
    pub(super) generated: u64,
}

// A thread that panics ends the whole search: nobody sees what it left behind.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

fn write<T>(lock: &RwLock<T>, value: T) {
    *lock.write().unwrap_or_else(PoisonError::into_inner) = value;
}

impl<'a> Workshop<'a> {
    pub(super) fn new(level: Level, outlook: &'a Outlook, pieces: &'a [Piece], parts: Parts) -> Self {
        Self {
            outlook,
            pieces,
            level,
            parts: RwLock::new(parts),
            evaluation: RwLock::new((outlook.after(0), pieces[0])),
            step: RwLock::new(Step::Make { cut: Cut::default() }),
            next: 0.into(),
            broods: RwLock::default(),
            sieves: (0..PARTS).map(|_| Mutex::default()).collect(),
            made: (0..PARTS).map(|_| Mutex::default()).collect(),
        }
    }

    pub(super) fn into_parts(self) -> Parts {
        self.parts.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does tasks of the present step until none is left: what every thread of the crew does.
    pub(super) fn work(&self) {
        let step = read(&self.step);
        let evaluation = read(&self.evaluation);
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let done = match &*step {
                Step::Expand { tasks, brood, bars } => match tasks.get(number) {
                    Some(task) => self.expand(&evaluation, task, brood + number, bars),
                    None => false,
                },
                _ if number >= PARTS => false,
                Step::Sift { broods, bars, base } => self.sift(number, *broods, bars, *base),
                Step::Make { cut } => self.make(&evaluation, number, cut),
            };
            if !done {
                return;
            }
        }
    }

    fn expand(&self, evaluation: &(Evaluation, Piece), task: &Task, brood: usize, bars: &Bars) -> bool {
        let (evaluation, piece) = evaluation;
        let (part, range) = task;
        let parts = read(&self.parts);
        let nodes = &parts[*part][range.clone()];
        let first = place(*part, range.start);
        let broods = read(&self.broods);
        lock(&broods[brood]).fill_on(self.level, evaluation, *piece, nodes, first, bars);
        true
    }

    fn sift(&self, part: usize, broods: usize, bars: &Bars, base: i32) -> bool {
        let all = read(&self.broods);
        let mut sieve = lock(&self.sieves[part]);
        sieve.begin();
        for brood in &all[..broods] {
            sieve.add(&lock(brood).parts[part], bars);
        }
        sieve.sift(base);
        true
    }

    fn make(&self, evaluation: &(Evaluation, Piece), part: usize, cut: &Cut) -> bool {
        let (evaluation, piece) = evaluation;
        let moves = &MOVES[piece.shape() as usize];
        let parts = read(&self.parts);
        let starts = starts(&parts);
        let sieve = lock(&self.sieves[part]);
        let (nodes, links) = &mut *lock(&self.made[part]);
        nodes.clear();
        links.clear();
        for candidate in sieve.unique.iter().filter(|candidate| cut.keeps(candidate)) {
            let (part, index) = part_and_index(candidate.parent);
            let Some(place) = Lock::unpack(candidate.lock) else { continue };
            nodes.push(parts[part][index].child(moves, place, evaluation.scores, candidate.hash));
            links.push(Link { parent: starts[part] + index as u32, lock: candidate.lock });
        }
        true
    }

    fn run(&self, crew: &Crew, step: Step) {
        write(&self.step, step);
        self.next.store(0, Ordering::Relaxed);
        crew.work();
    }

    /// Places piece `piece` (from 0) on every board and keeps the best `width`. `None`, and nothing changes, if there is
    /// no place for it on any.
    ///
    /// `margin` is how many candidates are looked at, in hundredths of what a sample promises, and learned from layer to
    /// layer: of no influence on what is kept.
    pub(super) fn place(&self, crew: &Crew, piece: usize, width: usize, margin: &mut usize) -> Option<Done> {
        write(&self.evaluation, (self.outlook.after(piece), self.pieces[piece]));
        let tasks = tasks(&read(&self.parts));
        let boards = read(&self.parts).iter().map(Vec::len).sum::<usize>();
        let all = tasks.len();
        {
            let mut broods = self.broods.write().unwrap_or_else(PoisonError::into_inner);
            let missing = all.saturating_sub(broods.len());
            broods.extend((0..missing).map(|_| Mutex::default()));
        }
        // The hash is no judge of boards: the first parts are a fair sample.
        let sampled = if boards < MIN_SAMPLED { 0 } else { all.div_ceil(PARTS) };
        let sample = tasks[..sampled].iter().map(|(_, range)| range.len()).sum::<usize>();
        let none = Bars::default();
        self.run(crew, Step::Expand { tasks: tasks[..sampled].to_vec(), brood: 0, bars: none });
        let part = |of: usize| (of as u64 * *margin as u64 * sample as u64 / (100 * boards as u64)) as usize;
        let guess = |sample: &[&Brood]| {
            let candidates = sample.iter().flat_map(|brood| brood.candidates());
            Bars::guess(candidates, part(width), part(share(width)))
        };
        let bars = self.with_broods(sampled, guess);
        self.run(crew, Step::Expand { tasks: tasks[sampled..].to_vec(), brood: sampled, bars });
        let mut kept = self.select(crew, all, width, &bars);
        // Few are left to chance: the same boards are counted in the sample, but not in the end.
        *margin = (*margin * 127 / 128).max(150);
        if !kept.proves(&bars, width) {
            self.run(crew, Step::Expand { tasks, brood: 0, bars: none });
            kept = self.select(crew, all, width, &none);
            *margin = (*margin * 5 / 4).min(1000);
        }
        if kept.boards == 0 {
            return None;
        }
        self.run(crew, Step::Make { cut: kept.cut });
        let generated = self.with_broods(all, |broods| broods.iter().map(|brood| brood.generated).sum());
        Some(Done { links: self.take_over(), generated })
    }

    fn with_broods<R>(&self, count: usize, ask: impl FnOnce(&[&Brood]) -> R) -> R {
        let broods = read(&self.broods);
        let guards: Vec<_> = broods[..count].iter().map(lock).collect();
        ask(&guards.iter().map(|guard| &**guard).collect::<Vec<_>>())
    }

    fn select(&self, crew: &Crew, broods: usize, width: usize, bars: &Bars) -> Kept {
        let base = bars.lowest().unwrap_or_else(|| {
            let best = |broods: &[&Brood]| broods.iter().filter_map(|brood| brood.best_key()).max();
            self.with_broods(broods, best).map_or(0, |best| best.saturating_sub(1000))
        });
        self.run(crew, Step::Sift { broods, bars: *bars, base });
        let guards: Vec<_> = self.sieves.iter().map(lock).collect();
        Cut::find(&guards.iter().map(|guard| &**guard).collect::<Vec<_>>(), width, base)
    }

    /// The boards that were made become the layer.
    fn take_over(&self) -> Vec<Link> {
        let mut parts = self.parts.write().unwrap_or_else(PoisonError::into_inner);
        let mut links = Vec::new();
        for (part, made) in parts.iter_mut().zip(&self.made) {
            let (nodes, from) = &mut *lock(made);
            std::mem::swap(part, nodes);
            links.extend_from_slice(from);
        }
        links
    }
}

/// The number of boards before each part.
pub(super) fn starts(parts: &Parts) -> [u32; PARTS] {
    let mut starts = [0; PARTS];
    for part in 1..PARTS {
        starts[part] = starts[part - 1] + parts[part - 1].len() as u32;
    }
    starts
}

/// All boards of a layer in portions.
fn tasks(parts: &Parts) -> Vec<Task> {
    let chunks = |(part, nodes): (usize, &Vec<Node>)| {
        let len = nodes.len();
        (0..len).step_by(CHUNK).map(move |start| (part, start..len.min(start + CHUNK)))
    };
    parts.iter().enumerate().flat_map(chunks).collect()
}
