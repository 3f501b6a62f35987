//! [`Tree`]: what is known of the moves that follow a position, and how playouts add to it.

use super::pool::{Node, PASS, Pool, Tally};
use super::settings::{Candidate, Settings, Stop, Variation};
use super::walker::{Stones, Walker, walkers};
use crate::board::{Color, Suicide};
use crate::game::{Game, Ko, Move};
use crate::points::{Iter, Point, Points};
use crate::policy::Policy;
use std::boxed::Box;
use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::vec::Vec;

/// Playouts through one root: far from where their sums would overflow.
const MAX_PLAYOUTS: u64 = 1 << 30;
/// How many playouts of a move weigh as much as all moves as first together.
const EQUIVALENCE: f32 = 3000.0;
/// How much the moves that were tried least are drawn to, with a logarithm to the base of 2.
const EXPLORATION: f32 = 0.08;

/// What a batch of playouts says. By color, Black's first.
struct Evidence {
    games: u32,
    halves: [u32; 2],
    /// By point: the games in which the color was the first there.
    first: [Vec<Tally>; 2],
}

impl Evidence {
    fn new(side: usize) -> Self {
        let points = side * (side + 1);
        Self { games: 0, halves: [0; 2], first: [(); 2].map(|()| std::vec![Tally::default(); points]) }
    }

    fn clear(&mut self) {
        (self.games, self.halves) = (0, [0; 2]);
        self.first.iter_mut().for_each(|first| first.fill(Tally::default()));
    }

    fn add(&mut self, score: f64, first: Stones) {
        let black = if score > 0.0 { 2 } else { u32::from(score == 0.0) };
        let halves = [black, 2 - black];
        self.games += 1;
        for color in 0..2 {
            self.halves[color] += halves[color];
            for index in Iter::new(first[color]) {
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

/// The stones, and the player to move where the rule of superko asks for it.
type Key = (Stones, Option<Color>);

/// A thread's own part.
struct Worker {
    walker: Box<dyn Walker>,
    evidence: Evidence,
    /// The nodes from the root to the leaf, each with the player to move and the move that led to it.
    path: Vec<(u32, Color, u16)>,
    keys: Vec<Key>,
}

/// What all threads share.
struct Shared {
    pool: Pool,
    /// What may not be repeated.
    seen: HashSet<Key>,
    ko: Ko,
    /// The side of the board.
    side: usize,
    komi: f64,
    settings: Settings,
}

/// A tree, whatever the size of its board.
pub(super) struct Tree {
    shared: Shared,
    workers: Vec<Worker>,
}

/// The positions that may not come back.
fn seen(game: &Game, walker: &dyn Walker) -> HashSet<Key> {
    let situational = game.rules().ko == Ko::Situational;
    let key = |(stones, color): &([Points<19>; 2], Color)| {
        (walker.stones_of(stones), situational.then_some(*color))
    };
    game.seen().iter().map(key).collect()
}

impl Tree {
    /// None if there are no playouts of the board's size.
    pub(super) fn of(game: &Game, komi: f64, settings: &Settings) -> Option<Self> {
        // Taking a single stone off oneself is never worth a look.
        let policy = match game.rules().suicide {
            Suicide::Forbidden => Policy::NoSuicide,
            Suicide::Multi | Suicide::All => Policy::MultiSuicide,
        };
        let side = game.board().size().width();
        let worker =
            |walker| Worker { walker, evidence: Evidence::new(side), path: Vec::new(), keys: Vec::new() };
        let workers: Vec<Worker> = walkers(game, policy, settings)?.into_iter().map(worker).collect();
        let shared = Shared {
            pool: Pool::new(settings.nodes),
            seen: seen(game, &*workers.first()?.walker),
            ko: game.rules().ko,
            side,
            komi,
            settings: settings.clone(),
        };
        Some(Self { shared, workers })
    }

    /// Plays so many more playouts, or until `stop` says so.
    pub(super) fn run(&mut self, playouts: u64, stop: Stop) {
        let (shared, workers) = (&self.shared, &mut self.workers);
        let left = AtomicU64::new(playouts.min(MAX_PLAYOUTS.saturating_sub(shared.playouts())));
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

    /// The moves with what is thought of them.
    pub(super) fn candidates(&self) -> Vec<Candidate> {
        let Some((_, children)) = self.shared.pool.children(0) else { return Vec::new() };
        let mut candidates: Vec<Candidate> = children
            .iter()
            .filter(|child| !child.is_banned())
            .map(|child| self.shared.candidate(child))
            .collect();
        candidates.sort_by_key(|candidate| core::cmp::Reverse(candidate.playouts));
        candidates
    }

    /// The same, each with the moves that are expected after it.
    pub(super) fn variations(&self) -> Vec<Variation> {
        let Some((first, children)) = self.shared.pool.children(0) else { return Vec::new() };
        let legal = || (first..).zip(children).filter(|(_, child)| !child.is_banned());
        let imagined = |child: &Node| f64::from(child.prior().halves);
        let all: f64 = legal().map(|(_, child)| imagined(child)).sum();
        let variation = |(index, child)| {
            let candidate = self.shared.candidate(child);
            let mut line = std::vec![candidate.mv];
            self.shared.follow(index, &mut line);
            Variation { candidate, prior: imagined(child) / all.max(1.0), line }
        };
        let mut variations: Vec<Variation> = legal().map(variation).collect();
        variations.sort_by_key(|variation| core::cmp::Reverse(variation.candidate.playouts));
        variations
    }

    /// The moves that are expected.
    pub(super) fn expected(&self) -> Vec<Move> {
        let mut line = Vec::new();
        self.shared.follow(0, &mut line);
        line
    }

    /// The game has gone on with a move.
    pub(super) fn advance(&mut self, game: &Game, mv: Move) {
        let shared = &mut self.shared;
        let point = match mv {
            Move::Pass => Some(PASS),
            Move::Play(Point { x, y }) if usize::from(x.max(y)) < shared.side => {
                Some(u16::from(y) * (shared.side as u16 + 1) + u16::from(x))
            }
            Move::Play(_) => None,
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
        let last = point.filter(|&point| point != PASS).map(usize::from);
        for worker in &mut self.workers {
            worker.walker.advance(game, last);
        }
        shared.seen = seen(game, &*self.workers[0].walker);
    }

    /// Nodes in use.
    pub(super) fn nodes(&self) -> usize {
        self.shared.pool.len()
    }

    /// Playouts from the root that are known.
    pub(super) fn playouts(&self) -> u64 {
        self.shared.playouts()
    }
}

/// The first of those that were tried most, if any was.
fn most_tried<'a>(children: impl Iterator<Item = (u32, &'a Node)>) -> Option<(u32, &'a Node)> {
    let games = |(_, child): &(u32, &Node)| child.tried().games;
    let tried = children.filter(|child| games(child) > 0 && !child.1.is_banned());
    tried.reduce(|best, next| if games(&next) > games(&best) { next } else { best })
}

impl Shared {
    fn move_of(&self, point: u16) -> Move {
        let stride = self.side as u16 + 1;
        let at = |point: u16| Point { x: (point % stride) as u8, y: (point / stride) as u8 };
        if point == PASS { Move::Pass } else { Move::Play(at(point)) }
    }

    fn candidate(&self, child: &Node) -> Candidate {
        let tried = child.tried();
        let value = f64::from(tried.halves) / f64::from(2 * tried.games.max(1));
        Candidate { mv: self.move_of(child.point()), playouts: tried.games.into(), value }
    }

    /// Adds the moves below a node that were tried most.
    fn follow(&self, mut at: u32, line: &mut Vec<Move>) {
        while let Some((first, children)) = self.pool.children(at) {
            let Some((index, child)) = most_tried((first..).zip(children)) else { break };
            line.push(self.move_of(child.point()));
            at = index;
        }
    }

    fn playouts(&self) -> u64 {
        self.pool.node(0).tried().games.into()
    }

    /// Simulates until nothing is left to do.
    fn work(&self, worker: &mut Worker, left: &AtomicU64, stop: Stop) {
        let batch = u64::from(self.settings.batch.max(1));
        while !stop() {
            let taken = |left: u64| (left > 0).then(|| left.saturating_sub(batch));
            let Ok(before) = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, taken) else { break };
            self.simulate(worker, before.min(batch) as u32);
        }
    }

    /// Walks down to a leaf, lets playouts judge it, and tells all on the way.
    fn simulate(&self, worker: &mut Worker, games: u32) {
        // Every attempt that fails bans a move.
        while !self.descend(worker) {}
        for &(node, ..) in &worker.path {
            self.pool.node(node).begin(games);
        }
        self.judge(worker, games);
        self.tell(worker);
    }

    /// Goes to a leaf. False if a move turned out to repeat a position: it is then banned.
    fn descend(&self, worker: &mut Worker) -> bool {
        let Worker { walker, path, keys, .. } = worker;
        walker.restart();
        let mut at = 0;
        path.clear();
        keys.clear();
        path.push((at, walker.color(), PASS));
        while walker.passes() < 2 {
            let Some(Step { index, point, child }) = self.step(at, &**walker) else { break };
            walker.play(point);
            if self.ko != Ko::Simple {
                let key = (walker.stones(), (self.ko == Ko::Situational).then_some(walker.color()));
                let new = child.tried().games == 0 && point != PASS;
                if new && (self.seen.contains(&key) || keys.contains(&key)) {
                    child.ban();
                    return false;
                }
                keys.push(key);
            }
            at = index;
            path.push((at, walker.color(), point));
        }
        true
    }

    /// The next node below one that was there before; the root always was.
    fn step(&self, at: u32, walker: &dyn Walker) -> Option<Step<'_>> {
        let tried = self.pool.node(at).tried().games;
        if tried > 0 || at == 0 {
            self.pool.expand(at, || walker.children());
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

    fn judge(&self, worker: &mut Worker, games: u32) {
        let Worker { walker, evidence, .. } = worker;
        evidence.clear();
        if walker.passes() == 2 {
            let [black, white] = walker.area();
            for _ in 0..games {
                evidence.add(f64::from(black) - f64::from(white) - self.komi, Stones::default());
            }
        } else {
            walker.judge(games, &mut |score, first| evidence.add(f64::from(score) - self.komi, first));
        }
    }

    /// From the leaf up to the root: the result for the player who moved to each node, and all moves as first for what
    /// could have been played there.
    fn tell(&self, worker: &mut Worker) {
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
            if usize::from(point) < self.side * (self.side + 1) {
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
