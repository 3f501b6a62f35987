//! [`Tree`]: the search tree and the iterations that grow it, described in pseudocode in [`crate::search`].

use super::arena::{Node, NodeArena, PASS, WinStats};
use super::search_board::{PointWords, SearchBoard, search_boards};
use super::settings::{Candidate, Settings, Variation};
use super::sync::{AtomicU64, Ordering, scope, spawn_scoped};
use crate::playout::policy::Policy;
use crate::rules::board::{Color, Suicide};
use crate::rules::game::{Game, Ko, Move};
use crate::rules::points::{Iter, Point};
use bitcade_core::{Moments, Stop, Stopped, useful_threads};
use core::ops::Range;
use std::boxed::Box;
use std::collections::HashSet;
use std::vec::Vec;

#[cfg(all(loom, test))]
mod models;

/// The limit of root visits, far below an overflow of [`WinStats`].
const MAX_VISITS: u64 = 1 << 30;
/// The constant e of the RAVE weight: with larger values, AMAF statistics count for longer.
const RAVE_EQUIVALENCE: f32 = 1000.0;
/// The constant c of the UCB exploration term, with a base-2 logarithm.
const EXPLORATION: f32 = 0.03;

/// The results of the playouts from one leaf. Arrays of two are by color, Black's first.
struct BatchStats {
    games: u32,
    half_wins: [u32; 2],
    /// The sums of the scores before komi, and of their squares.
    score: i64,
    squares: u64,
    /// By color and point index: the playouts in which the color was the first to play there, and
    /// its wins.
    amaf: [Vec<WinStats>; 2],
}

impl BatchStats {
    fn new(side: usize) -> Self {
        let points = side * (side + 1);
        let amaf = [(); 2].map(|()| std::vec![WinStats::default(); points]);
        Self { games: 0, half_wins: [0; 2], score: 0, squares: 0, amaf }
    }

    fn clear(&mut self) {
        (self.games, self.half_wins) = (0, [0; 2]);
        (self.score, self.squares) = (0, 0);
        self.amaf.iter_mut().for_each(|amaf| amaf.fill(WinStats::default()));
    }

    /// Adds a playout: its score before komi and the points that each color was the first to play.
    fn add(&mut self, score: i32, komi: f64, first_played: PointWords) {
        self.score += i64::from(score);
        self.squares += u64::from(score.unsigned_abs().pow(2));
        let score = f64::from(score) - komi;
        let black = if score > 0.0 { 2 } else { u32::from(score == 0.0) };
        let half_wins = [black, 2 - black];
        self.games += 1;
        for color in 0..2 {
            self.half_wins[color] += half_wins[color];
            for index in Iter::new(first_played[color]) {
                let stats = &mut self.amaf[color][index];
                stats.visits += 1;
                stats.half_wins += half_wins[color];
            }
        }
    }

    /// Prepends a stone of the tree to all playouts: its color was the first to play there in each
    /// of them.
    fn prepend(&mut self, color: Color, index: usize) {
        let (color, other) = (color as usize, color.other() as usize);
        self.amaf[color][index] = WinStats { visits: self.games, half_wins: self.half_wins[color] };
        self.amaf[other][index] = WinStats::default();
    }
}

struct Selected<'a> {
    index: u32,
    /// The child's point at selection time; another thread may since have marked the move illegal.
    point: u16,
    child: &'a Node,
}

/// A position for the superko rule: the stones, and under situational superko the player to move.
type SuperkoKey = (PointWords, Option<Color>);

struct Worker {
    board: Box<dyn SearchBoard>,
    batch: BatchStats,
    /// By point index, the pass last: the scores of the playouts that began with the move, since it
    /// became one of the root.
    scores: Vec<Moments>,
    /// The nodes from root to leaf, each with the player to move and the point of the move that led
    /// to it.
    path: Vec<(u32, Color, u16)>,
    /// The positions along the path below the root.
    path_keys: Vec<SuperkoKey>,
}

struct SharedTree {
    arena: NodeArena,
    game_keys: HashSet<SuperkoKey>,
    ko: Ko,
    side: usize,
    komi: f64,
    settings: Settings,
}

pub(super) struct Tree {
    shared: SharedTree,
    workers: Vec<Worker>,
    /// The number of threads that the last [`run`](Self::run) could not start.
    missing_threads: usize,
}

fn game_keys(game: &Game, board: &dyn SearchBoard) -> HashSet<SuperkoKey> {
    let ko = game.rules().ko;
    let key =
        |(stones, color)| (board.convert_stones(&stones), (ko == Ko::Situational).then_some(color));
    if ko == Ko::Simple { HashSet::new() } else { game.positions().map(key).collect() }
}

impl Tree {
    /// `None` if there are no playouts for the board's size.
    pub(super) fn new(game: &Game, komi: f64, settings: &Settings) -> Option<Self> {
        // Suicide of a single stone is never considered.
        let policy = match game.rules().suicide {
            Suicide::Forbidden => Policy::NoSuicide,
            Suicide::Multi | Suicide::All => Policy::MultiSuicide,
        };
        let side = game.board().size().width();
        let worker = |board| Worker {
            board,
            batch: BatchStats::new(side),
            scores: std::vec![Moments::default(); side * (side + 1) + 1],
            path: Vec::new(),
            path_keys: Vec::new(),
        };
        let workers: Vec<Worker> =
            search_boards(game, policy, settings)?.into_iter().map(worker).collect();
        let shared = SharedTree {
            arena: NodeArena::new(settings.max_nodes),
            game_keys: game_keys(game, &*workers.first()?.board),
            ko: game.rules().ko,
            side,
            komi,
            settings: settings.clone(),
        };
        Some(Self { shared, workers, missing_threads: 0 })
    }

    pub(super) fn run(&mut self, playouts: u64, stop: Stop<'_>) -> Result<(), Stopped> {
        let shared = &self.shared;
        let workers = &mut self.workers;
        let remaining = AtomicU64::new(playouts.min(MAX_VISITS.saturating_sub(shared.visits())));
        // Without a visited child there is no move to choose.
        if shared
            .arena
            .children(0)
            .and_then(|(_, children)| most_visited((0..).zip(children)))
            .is_none()
        {
            let games = remaining
                .load(Ordering::Relaxed)
                .clamp(1, shared.settings.playouts_per_leaf.max(1).into());
            shared.run_iteration(&mut workers[0], games as u32);
            remaining.fetch_sub(games.min(remaining.load(Ordering::Relaxed)), Ordering::Relaxed);
        }
        let (first, others) = workers.split_first_mut().expect("a worker");
        let remaining = &remaining;
        self.missing_threads = scope(|scope| {
            // If one thread can't start, neither can the next: the running ones do the work.
            let start =
                |worker| spawn_scoped(scope, move || shared.run_worker(worker, remaining, stop));
            // No thread counts as missing if there is no work left.
            if remaining.load(Ordering::Relaxed) == 0 {
                return 0;
            }
            let started = others.iter_mut().map(start).take_while(|&started| started).count();
            shared.run_worker(first, remaining, stop);
            useful_threads(shared.settings.threads).saturating_sub(1 + started)
        });
        if remaining.load(Ordering::Relaxed) == 0 { Ok(()) } else { Err(Stopped) }
    }

    pub(super) fn missing_threads(&self) -> usize {
        self.missing_threads
    }

    /// Returns the legal root moves with their statistics, most visits first.
    pub(super) fn candidates(&self, game: &Game) -> Vec<Candidate> {
        self.sorted(self.shared.legal_moves(game).into_iter().map(|(_, child)| child))
    }

    /// Returns the root moves with visits, which are all legal, with their statistics, most visits
    /// first.
    pub(super) fn tried_candidates(&self) -> Vec<Candidate> {
        let children =
            self.shared.arena.children(0).map(|(_, children)| children).unwrap_or_default();
        self.sorted(children.iter().filter(|child| !child.is_illegal() && child.stats().visits > 0))
    }

    fn sorted<'a>(&self, children: impl Iterator<Item = &'a Node>) -> Vec<Candidate> {
        let scores = self.all_scores();
        let mut candidates: Vec<Candidate> =
            children.map(|child| self.candidate(child, scores)).collect();
        candidates.sort_by_key(|candidate| core::cmp::Reverse(candidate.visits));
        candidates
    }

    /// `all` are the scores of all moves.
    fn candidate(&self, child: &Node, all: Moments) -> Candidate {
        let stats = child.stats();
        let win_rate = f64::from(stats.half_wins) / f64::from(2 * stats.visits.max(1));
        let index = move_index(self.shared.side, child.point());
        let after_move = self.scores(index..index + 1);
        let scores = if after_move.count < 2 { all } else { after_move };
        Candidate {
            mv: self.shared.move_of(child.point()),
            visits: stats.visits.into(),
            win_rate,
            score: child.score().into(),
            score_deviation: scores.standard_deviation(),
        }
    }

    /// Returns the scores of the playouts that began with these moves, from all threads.
    fn scores(&self, moves: Range<usize>) -> Moments {
        let mut sum = Moments::default();
        for worker in &self.workers {
            worker.scores[moves.clone()].iter().for_each(|&scores| sum += scores);
        }
        sum
    }

    fn all_scores(&self) -> Moments {
        self.scores(0..move_index(self.shared.side, PASS) + 1)
    }

    pub(super) fn variations(&self, game: &Game) -> Vec<Variation> {
        let legal = self.shared.legal_moves(game);
        let scores = self.all_scores();
        let prior_wins = |child: &Node| f64::from(child.prior().half_wins);
        let all: f64 = legal.iter().map(|(_, child)| prior_wins(child)).sum();
        let variation = |(index, child)| {
            let candidate = self.candidate(child, scores);
            let mut pv = std::vec![candidate.mv];
            self.shared.extend_pv(index, &mut pv);
            Variation { candidate, prior: prior_wins(child) / all.max(1.0), pv }
        };
        let mut variations: Vec<Variation> = legal.into_iter().map(variation).collect();
        variations.sort_by_key(|variation| core::cmp::Reverse(variation.candidate.visits));
        variations
    }

    pub(super) fn principal_variation(&self) -> Vec<Move> {
        let mut pv = Vec::new();
        self.shared.extend_pv(0, &mut pv);
        pv
    }

    /// Makes the child of a move the new root; `game` already includes the move. The subtree below
    /// a pass is dropped, because there another pass ends the game, unlike [at the
    /// root](SearchState::new).
    pub(super) fn advance(&mut self, game: &Game, mv: Move) {
        let shared = &mut self.shared;
        let point = match mv {
            Move::Pass => Some(PASS),
            Move::Play(Point { x, y }) if usize::from(x.max(y)) < shared.side => {
                Some(u16::from(y) * (shared.side as u16 + 1) + u16::from(x))
            }
            Move::Play(_) => None,
        };
        let children = shared.arena.children(0);
        let child = children.filter(|_| point != Some(PASS)).and_then(|(first, children)| {
            let nth = children.iter().position(|child| Some(child.point()) == point)?;
            Some(first + nth as u32)
        });
        shared.arena = match child {
            Some(child) => shared.arena.subtree(child),
            None => NodeArena::new(shared.settings.max_nodes),
        };
        for worker in &mut self.workers {
            worker.board.advance(game);
            worker.scores.fill(Moments::default());
        }
        shared.game_keys = game_keys(game, &*self.workers[0].board);
    }

    pub(super) fn node_count(&self) -> usize {
        self.shared.arena.len()
    }

    pub(super) fn visits(&self) -> u64 {
        self.shared.visits()
    }
}

/// Returns the legal child with the most visits, the first of equals; `None` if no child was
/// visited.
fn most_visited<'a>(children: impl Iterator<Item = (u32, &'a Node)>) -> Option<(u32, &'a Node)> {
    let visits = |(_, child): &(u32, &Node)| child.stats().visits;
    let visited = children.filter(|child| visits(child) > 0 && !child.1.is_illegal());
    visited.reduce(|best, next| if visits(&next) > visits(&best) { next } else { best })
}

/// Returns the index of a point, or of the pass after the last point.
fn move_index(side: usize, point: u16) -> usize {
    usize::from(point).min(side * (side + 1))
}

impl SharedTree {
    fn move_of(&self, point: u16) -> Move {
        let stride = self.side as u16 + 1;
        let at = |point: u16| Point { x: (point % stride) as u8, y: (point / stride) as u8 };
        if point == PASS { Move::Pass } else { Move::Play(at(point)) }
    }

    /// Returns the legal children of the root, each with its index. Selection marks a repetition
    /// when it first descends to it; children not yet visited are checked here by the rules of the
    /// game.
    fn legal_moves(&self, game: &Game) -> Vec<(u32, &Node)> {
        let Some((first, children)) = self.arena.children(0) else { return Vec::new() };
        let is_known = |child: &Node| self.ko == Ko::Simple || child.stats().visits > 0;
        let is_legal = |child: &Node| {
            !child.is_illegal() && (is_known(child) || game.allows(self.move_of(child.point())))
        };
        (first..).zip(children).filter(|(_, child)| is_legal(child)).collect()
    }

    /// Appends the most visited moves below a node.
    fn extend_pv(&self, mut at: u32, pv: &mut Vec<Move>) {
        while let Some((first, children)) = self.arena.children(at) {
            let Some((index, child)) = most_visited((first..).zip(children)) else { break };
            pv.push(self.move_of(child.point()));
            at = index;
        }
    }

    fn visits(&self) -> u64 {
        self.arena.node(0).stats().visits.into()
    }

    fn run_worker(&self, worker: &mut Worker, remaining: &AtomicU64, stop: Stop<'_>) {
        let batch = u64::from(self.settings.playouts_per_leaf.max(1));
        while !stop() {
            let take = |remaining: u64| (remaining > 0).then(|| remaining.saturating_sub(batch));
            let Ok(before) = remaining.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take)
            else {
                break;
            };
            self.run_iteration(worker, before.min(batch) as u32);
        }
    }

    /// Runs one iteration of `games` playouts: selection, expansion, evaluation and
    /// backpropagation.
    fn run_iteration(&self, worker: &mut Worker, games: u32) {
        // Each failure marks a move illegal, so the loop terminates.
        while !self.select_leaf(worker) {}
        for &(node, ..) in &worker.path {
            self.arena.node(node).add_virtual_loss(games);
        }
        self.evaluate(worker, games);
        self.backpropagate(worker);
    }

    /// Descends from the root to a leaf. If a move repeats a position, marks it illegal and returns
    /// `false`.
    fn select_leaf(&self, worker: &mut Worker) -> bool {
        let Worker { board, path, path_keys, .. } = worker;
        board.restart();
        let mut at = 0;
        path.clear();
        path_keys.clear();
        path.push((at, board.to_move(), PASS));
        while board.passes() < 2 {
            let Some(Selected { index, point, child }) = self.select_child(at, &**board) else {
                break;
            };
            board.play(point);
            if self.ko != Ko::Simple {
                let key = (board.stones(), (self.ko == Ko::Situational).then_some(board.to_move()));
                let is_new = child.stats().visits == 0 && point != PASS;
                if is_new && (self.game_keys.contains(&key) || path_keys.contains(&key)) {
                    child.mark_illegal();
                    return false;
                }
                path_keys.push(key);
            }
            at = index;
            path.push((at, board.to_move(), point));
        }
        true
    }

    /// Expands a node if it is the root or was visited, and returns its child with the highest
    /// [`ucb_value`].
    fn select_child(&self, at: u32, board: &dyn SearchBoard) -> Option<Selected<'_>> {
        let visits = self.arena.node(at).stats().visits;
        let by_net = self.settings.net.is_some() && (at == 0 || visits >= self.settings.net_visits);
        if visits > 0 || at == 0 {
            self.arena.expand(at, || board.new_children());
        }
        let (first, children) = self.arena.children(at)?;
        if by_net && self.arena.node(at).begin_net() {
            for (child, new) in children.iter().zip(board.net_children()) {
                child.set_prior(new.prior);
            }
        }
        // An integer logarithm is the same on every machine.
        let log_visits = visits.max(1).ilog2() as f32;
        let mut best = None;
        let mut highest = f32::NEG_INFINITY;
        for (index, child) in (first..).zip(children) {
            // Loaded once: another thread may mark the move illegal at any moment.
            let Some(point) = child.legal_point() else { continue };
            let value = ucb_value(child, log_visits);
            if value > highest {
                (best, highest) = (Some(Selected { index, point, child }), value);
            }
        }
        best
    }

    /// Fills the worker's batch with `games` playouts from the leaf, or copies of the result if the
    /// game ended there.
    fn evaluate(&self, worker: &mut Worker, games: u32) {
        let Worker { board, batch, .. } = worker;
        batch.clear();
        if board.passes() == 2 {
            let [black, white] = board.area();
            for _ in 0..games {
                batch.add(black as i32 - white as i32, self.komi, PointWords::default());
            }
        } else {
            board.run_playouts(games, &mut |score, first_played| {
                batch.add(score, self.komi, first_played);
            });
        }
    }

    /// Adds the batch to the tree from the leaf up: wins to each node on the path, AMAF to its
    /// children.
    fn backpropagate(&self, worker: &mut Worker) {
        let Worker { batch, scores, path, .. } = worker;
        if let Some(&(.., point)) = path.get(1) {
            scores[move_index(self.side, point)] += Moments {
                count: batch.games.into(),
                sum: batch.score.into(),
                squares: batch.squares.into(),
            };
        }
        let black_score = (batch.score as f64 - f64::from(batch.games) * self.komi) as f32;
        for &(at, color, point) in path.iter().rev() {
            if let Some((_, children)) = self.arena.children(at) {
                let amaf = &batch.amaf[color as usize];
                for child in children {
                    // Passes and illegal moves have no entry.
                    if let Some(&stats) = amaf.get(usize::from(child.point()))
                        && stats.visits > 0
                    {
                        child.add_amaf(stats);
                    }
                }
            }
            let mover = color.other();
            let node = self.arena.node(at);
            node.add_wins(batch.half_wins[mover as usize]);
            node.add_scores(
                if mover == Color::Black { black_score } else { -black_score },
                batch.games,
            );
            if usize::from(point) < self.side * (self.side + 1) {
                batch.prepend(mover, point.into());
            }
        }
    }
}

/// Returns the UCB value of a move with RAVE: the win rate over its playouts and its prior, blended
/// with its AMAF win rate, plus an exploration term. `log_visits` is the logarithm of the parent's
/// visits. The weight beta of the AMAF win rate minimizes the mean squared error (Gelly and Silver 2011)
/// and falls as visits grow.
fn ucb_value(child: &Node, log_visits: f32) -> f32 {
    let stats = child.stats();
    let prior = child.prior();
    let amaf = child.amaf();
    let known = WinStats {
        visits: stats.visits + prior.visits,
        half_wins: stats.half_wins + prior.half_wins,
    };
    let n = known.visits as f32;
    let a = amaf.visits as f32;
    let exploration = EXPLORATION * (log_visits / n).sqrt();
    if amaf.visits == 0 {
        return known.win_rate() + exploration;
    }
    let beta = a / (a + n + n * a / RAVE_EQUIVALENCE);
    known.win_rate() + beta * (amaf.win_rate() - known.win_rate()) + exploration
}
