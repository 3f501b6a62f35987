//! [`Tree`]: what is known of the moves that follow a position, and how playouts add to it.

use super::pool::{Node, PASS, Pool, Tally};
use super::prior;
use super::rollout::Rollouts;
use super::state::{Key, State};
use super::{Candidate, Settings, Stop, Variation};
use crate::board::{self, Color};
use crate::game::{Game, Ko, Move};
use crate::playout::Policy;
use crate::points::Points;
use std::boxed::Box;
use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::vec::Vec;

/// A tree of whatever size of board.
pub(super) trait AnyTree: Send + Sync {
    fn run(&mut self, playouts: u64, stop: Stop);
    fn candidates(&self) -> Vec<Candidate>;
    fn variations(&self) -> Vec<Variation>;
    fn expected(&self) -> Vec<Move>;
    fn advance(&mut self, game: &Game, mv: Move);
    fn nodes(&self) -> usize;
    fn playouts(&self) -> u64;
}

/// Playouts through one root: far from where their sums would overflow.
const MOST_PLAYOUTS: u64 = 1 << 30;
/// How many playouts of a move weigh as much as all moves as first together.
const EQUIVALENCE: f32 = 3000.0;
/// How much the moves that were tried least are drawn to, with a logarithm to the base of 2.
const EXPLORATION: f32 = 0.08;

/// What a batch of playouts says. By colour, Black's first.
struct Evidence<const N: usize> {
    games: u32,
    halves: [u32; 2],
    /// By point: the games in which the colour was the first there.
    first: [Vec<Tally>; 2],
}

impl<const N: usize> Evidence<N> {
    fn new() -> Self {
        Self {
            games: 0,
            halves: [0; 2],
            first: [(); 2].map(|()| std::vec![Tally::default(); Points::<N>::END]),
        }
    }

    fn clear(&mut self) {
        (self.games, self.halves) = (0, [0; 2]);
        self.first.iter_mut().for_each(|first| first.fill(Tally::default()));
    }

    fn add(&mut self, score: f64, first: [Points<N>; 2]) {
        let black = if score > 0.0 { 2 } else { u32::from(score == 0.0) };
        let halves = [black, 2 - black];
        self.games += 1;
        for color in 0..2 {
            self.halves[color] += halves[color];
            for index in first[color] {
                let tally = &mut self.first[color][index];
                tally.games += 1;
                tally.halves += halves[color];
            }
        }
    }

    /// All games began with this stone: its player was the first there in each.
    fn precede(&mut self, color: Color, index: usize) {
        let (color, other) = (color as usize, color.other() as usize);
        self.first[color][index] = Tally { games: self.games, halves: self.halves[color] };
        self.first[other][index] = Tally::default();
    }
}

/// A node to go down to.
struct Step<'a> {
    index: u32,
    /// The move, as it was when it was chosen.
    point: u16,
    child: &'a Node,
}

/// A thread's own part.
struct Worker<const N: usize, R> {
    rollouts: R,
    evidence: Evidence<N>,
    /// The nodes from the root to the leaf, each with the player to move and the move that led to it.
    path: Vec<(u32, Color, u16)>,
    keys: Vec<Key<N>>,
}

/// What all threads share.
struct Shared<const N: usize> {
    pool: Pool,
    root: State<N>,
    /// What may not be repeated.
    seen: HashSet<Key<N>>,
    ko: Ko,
    policy: Policy,
    komi: f64,
    settings: Settings,
}

pub(super) struct Tree<const N: usize, R> {
    shared: Shared<N>,
    workers: Vec<Worker<N, R>>,
}

impl<const N: usize, R: Rollouts<N>> Tree<N, R> {
    /// None if the board has another size.
    pub(super) fn of(game: &Game, komi: f64, settings: &Settings) -> Option<Box<dyn AnyTree>> {
        // Taking a single stone off oneself is never worth a look.
        let policy = match game.rules().suicide {
            board::Suicide::Forbidden => Policy::NoSuicide,
            board::Suicide::Multi | board::Suicide::All => Policy::MultiSuicide,
        };
        let worker = |nth| Worker {
            rollouts: R::new(policy, settings.seed.wrapping_add(nth)),
            evidence: Evidence::new(),
            path: Vec::new(),
            keys: Vec::new(),
        };
        let shared = Shared {
            pool: Pool::new(settings.nodes),
            root: State::new(game)?,
            seen: seen(game),
            ko: game.rules().ko,
            policy,
            komi,
            settings: settings.clone(),
        };
        let workers = (0..settings.threads.max(1) as u64).map(worker).collect();
        Some(Box::new(Self { shared, workers }))
    }
}

/// The positions that may not come back.
fn seen<const N: usize>(game: &Game) -> HashSet<Key<N>> {
    let situational = game.rules().ko == Ko::Situational;
    let key = |(stones, color): &([Points<19>; 2], Color)| {
        (stones.map(Points::resized), situational.then_some(*color))
    };
    game.seen().iter().map(key).collect()
}

impl<const N: usize, R: Rollouts<N>> AnyTree for Tree<N, R> {
    fn run(&mut self, playouts: u64, stop: Stop) {
        let (shared, workers) = (&self.shared, &mut self.workers);
        let left = AtomicU64::new(playouts.min(MOST_PLAYOUTS.saturating_sub(shared.playouts())));
        // Without a move that was tried there is nothing to choose from.
        if shared.pool.children(0).and_then(|(_, children)| most_tried((0..).zip(children))).is_none() {
            let games = left.load(Ordering::Relaxed).clamp(1, shared.settings.batch.max(1).into());
            shared.simulate(&mut workers[0], games as u32);
            left.fetch_sub(games.min(left.load(Ordering::Relaxed)), Ordering::Relaxed);
        }
        let (first, others) = workers.split_first_mut().expect("a worker");
        thread::scope(|scope| {
            for worker in others {
                scope.spawn(|| shared.work(worker, &left, stop));
            }
            shared.work(first, &left, stop);
        });
    }

    fn candidates(&self) -> Vec<Candidate> {
        let Some((_, children)) = self.shared.pool.children(0) else { return Vec::new() };
        let mut candidates: Vec<Candidate> =
            children.iter().filter(|child| !child.is_banned()).map(candidate::<N>).collect();
        candidates.sort_by_key(|candidate| core::cmp::Reverse(candidate.playouts));
        candidates
    }

    fn variations(&self) -> Vec<Variation> {
        let Some((first, children)) = self.shared.pool.children(0) else { return Vec::new() };
        let legal = || (first..).zip(children).filter(|(_, child)| !child.is_banned());
        let imagined = |child: &Node| f64::from(child.prior().halves);
        let all: f64 = legal().map(|(_, child)| imagined(child)).sum();
        let variation = |(index, child)| {
            let candidate = candidate::<N>(child);
            let mut line = std::vec![candidate.mv];
            self.shared.follow(index, &mut line);
            Variation { candidate, prior: imagined(child) / all.max(1.0), line }
        };
        let mut variations: Vec<Variation> = legal().map(variation).collect();
        variations.sort_by_key(|variation| core::cmp::Reverse(variation.candidate.playouts));
        variations
    }

    fn expected(&self) -> Vec<Move> {
        let mut line = Vec::new();
        self.shared.follow(0, &mut line);
        line
    }

    fn advance(&mut self, game: &Game, mv: Move) {
        let shared = &mut self.shared;
        let point = match mv {
            Move::Pass => Some(PASS),
            Move::Play(point) => Points::<N>::index(point).map(|index| index as u16),
        };
        let children = shared.pool.children(0);
        let child = children.and_then(|(first, children)| {
            let nth = children.iter().position(|child| Some(child.point()) == point)?;
            Some(first + nth as u32)
        });
        shared.pool = match child {
            Some(child) => shared.pool.subtree(child),
            None => Pool::new(shared.settings.nodes),
        };
        shared.seen = seen(game);
        if let Some(root) = State::new(game) {
            let last = point.filter(|&point| point != PASS).map(usize::from);
            shared.root = State { last: [last, shared.root.last[0]], ..root };
        }
    }

    fn nodes(&self) -> usize {
        self.shared.pool.len()
    }

    fn playouts(&self) -> u64 {
        self.shared.playouts()
    }
}

/// The first of those that were tried most, if any was.
fn most_tried<'a>(children: impl Iterator<Item = (u32, &'a Node)>) -> Option<(u32, &'a Node)> {
    let games = |(_, child): &(u32, &Node)| child.tried().games;
    let tried = children.filter(|child| games(child) > 0 && !child.1.is_banned());
    tried.reduce(|best, next| if games(&next) > games(&best) { next } else { best })
}

fn move_of<const N: usize>(point: u16) -> Move {
    if point == PASS { Move::Pass } else { Move::Play(Points::<N>::point(point.into())) }
}

fn candidate<const N: usize>(child: &Node) -> Candidate {
    let tried = child.tried();
    let value = f64::from(tried.halves) / f64::from(2 * tried.games.max(1));
    Candidate { mv: move_of::<N>(child.point()), playouts: tried.games.into(), value }
}

impl<const N: usize> Shared<N> {
    /// Adds the moves below a node that were tried most.
    fn follow(&self, mut at: u32, line: &mut Vec<Move>) {
        while let Some((first, children)) = self.pool.children(at) {
            let Some((index, child)) = most_tried((first..).zip(children)) else { break };
            line.push(move_of::<N>(child.point()));
            at = index;
        }
    }

    fn playouts(&self) -> u64 {
        self.pool.node(0).tried().games.into()
    }

    /// Simulates until nothing is left to do.
    fn work<R: Rollouts<N>>(&self, worker: &mut Worker<N, R>, left: &AtomicU64, stop: Stop) {
        let batch = u64::from(self.settings.batch.max(1));
        while !stop() {
            let taken = |left: u64| (left > 0).then(|| left.saturating_sub(batch));
            let Ok(before) = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, taken) else { break };
            self.simulate(worker, before.min(batch) as u32);
        }
    }

    /// Walks down to a leaf, lets playouts judge it, and tells all on the way.
    fn simulate<R: Rollouts<N>>(&self, worker: &mut Worker<N, R>, games: u32) {
        let leaf = loop {
            // Every attempt that fails bans a move.
            if let Some(leaf) = self.descend(worker) {
                break leaf;
            }
        };
        for &(node, ..) in &worker.path {
            self.pool.node(node).begin(games);
        }
        self.judge(worker, &leaf, games);
        self.tell(worker);
    }

    /// Goes to a leaf. None if a move turned out to repeat a position: it is then banned.
    fn descend<R>(&self, worker: &mut Worker<N, R>) -> Option<State<N>> {
        let mut state = self.root.clone();
        let mut at = 0;
        worker.path.clear();
        worker.keys.clear();
        worker.path.push((at, state.color, PASS));
        while state.passes < 2 {
            let Some(Step { index, point, child }) = self.step(at, &state) else { break };
            state.play(point);
            if self.ko != Ko::Simple {
                let key = state.key(self.ko);
                let new = child.tried().games == 0 && point != PASS;
                if new && (self.seen.contains(&key) || worker.keys.contains(&key)) {
                    child.ban();
                    return None;
                }
                worker.keys.push(key);
            }
            at = index;
            worker.path.push((at, state.color, point));
        }
        Some(state)
    }

    /// The next node below one that was there before; the root always was.
    fn step(&self, at: u32, state: &State<N>) -> Option<Step<'_>> {
        let tried = self.pool.node(at).tried().games;
        if tried > 0 || at == 0 {
            self.pool.expand(at, || prior::children(&state.chains, state.color, state.last[0], self.policy));
        }
        let (first, children) = self.pool.children(at)?;
        // A logarithm that is the same on every machine.
        let log = tried.max(1).ilog2() as f32;
        let (mut best, mut highest) = (None, f32::NEG_INFINITY);
        for (index, child) in (first..).zip(children) {
            // Read once: another thread may ban the move at any moment.
            let Some(point) = child.allowed() else { continue };
            let worth = worth(child, log);
            if worth > highest {
                (best, highest) = (Some(Step { index, point, child }), worth);
            }
        }
        best
    }

    fn judge<R: Rollouts<N>>(&self, worker: &mut Worker<N, R>, leaf: &State<N>, games: u32) {
        let evidence = &mut worker.evidence;
        evidence.clear();
        if leaf.passes == 2 {
            let stones = Color::ALL.map(|color| leaf.chains.stones(color));
            let [black, white] = board::area(stones, leaf.chains.empty());
            for _ in 0..games {
                evidence.add(f64::from(black) - f64::from(white) - self.komi, [Points::EMPTY; 2]);
            }
        } else {
            let mut take = |score, first| evidence.add(f64::from(score) - self.komi, first);
            worker.rollouts.run(self.settings.level, leaf, games, &mut take);
        }
    }

    /// From the leaf up to the root: the result for the player who moved to each node, and all moves as first for what
    /// could have been played there.
    fn tell<R>(&self, worker: &mut Worker<N, R>) {
        let Worker { evidence, path, .. } = worker;
        for &(at, color, point) in path.iter().rev() {
            if let Some((_, children)) = self.pool.children(at) {
                let first = &evidence.first[color as usize];
                for child in children {
                    // A pass and a banned move have no entry.
                    if let Some(&tally) = first.get(usize::from(child.point()))
                        && tally.games > 0
                    {
                        child.add_amaf(tally);
                    }
                }
            }
            let mover = color.other();
            self.pool.node(at).win(evidence.halves[mover as usize]);
            if usize::from(point) < Points::<N>::END {
                evidence.precede(mover, point.into());
            }
        }
    }
}

/// How much a move is worth a look: what was found and what was thought of it before, blended with what all moves as first
/// tell, which fades as it is tried (Gelly and Silver: Monte-Carlo tree search and rapid action value estimation in computer
/// Go, 2011, the weights of least mean square error). A move that was never tried is urgent by its prior.
fn worth(child: &Node, log: f32) -> f32 {
    let (tried, prior, amaf) = (child.tried(), child.prior(), child.amaf());
    let known = Tally { games: tried.games + prior.games, halves: tried.halves + prior.halves };
    let (n, a) = (known.games as f32, amaf.games as f32);
    let exploration = EXPLORATION * (log / n).sqrt();
    if amaf.games == 0 {
        return known.rate() + exploration;
    }
    let beta = a / (a + n + n * a / EQUIVALENCE);
    known.rate() + beta * (amaf.rate() - known.rate()) + exploration
}
