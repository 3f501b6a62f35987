//! Models of the shared tree under loom, which runs every order of the threads' atomic operations,
//! and every value that a load may return, up to a number of preemptions. CONTRIBUTING.md has the
//! command.
//!
//! Each model fails after at least one of these changes to the code (each was made once and
//! reverted):
//!
//! | change | models that fail |
//! |---|---|
//! | children are published by a relaxed store, or read by a relaxed load | the first two, a new chunk |
//! | they are published before they are written, or before their number is | the first two, a new chunk |
//! | a leaf is claimed by a load and a store | expand against expand |
//! | nodes are allocated by a load and a store | full pool, a new chunk, reroot after a move |
//! | nodes are allocated beyond the capacity | full pool |
//! | a leaf whose children do not fit stays claimed | full pool |
//! | visits or wins are added by a load and a store | visits and wins, reroot after a move |
//! | a chunk is read without waiting for its initialization | a new chunk |
//! | the point of the selected child is loaded a second time | ban while selecting |
//! | a node is marked for the net by a load and a store | one asks the net |
//! | the budget is shared by a load and a store | whole iterations, wins and a ban |

use super::super::arena::NewChild;
use super::*;
use crate::rules::points::Points;
use loom::sync::Arc;
use loom::thread;
use std::sync::atomic::AtomicU64 as Counter;
use std::time::Instant;
use std::{format, println};

/// Runs a model and reports the number of its executions. A preemption is a thread switch that the
/// running thread did not request; most bugs need one or two.
fn explore(
    name: &str,
    threads: usize,
    preemptions: usize,
    model: impl Fn() + Send + Sync + 'static,
) {
    let start = Instant::now();
    let executions = std::sync::Arc::new(Counter::new(0));
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.max_branches = 100_000;
    let count = std::sync::Arc::clone(&executions);
    builder.check(move || {
        count.fetch_add(1, Ordering::Relaxed);
        model();
    });
    let executions = executions.load(Ordering::Relaxed);
    let explored = format!("{executions} executions");
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "\nmodel: {name} | loom | {threads} | {explored}, {preemptions} preemptions | {seconds:.1}"
    );
}

/// Returns `count` children whose points and priors identify their creator: `tag`, `tag` + 1 ..
fn children(tag: u16, count: u16) -> Vec<NewChild> {
    let prior = |point: u16| WinStats { visits: u32::from(point) + 1, half_wins: point.into() };
    (tag..tag + count).map(|point| NewChild { point, prior: prior(point) }).collect()
}

/// Checks that a node's children are one complete list of [`children`], and returns its tag and
/// length.
fn check_children(arena: &NodeArena, at: u32) -> Option<(u16, usize)> {
    let (_, list) = arena.children(at)?;
    let tag = list[0].point();
    for (point, child) in (tag..).zip(list) {
        let prior = WinStats { visits: u32::from(point) + 1, half_wins: point.into() };
        assert_eq!(child.point(), point);
        assert_eq!(child.prior(), prior);
        assert_eq!(child.stats(), WinStats::default());
    }
    Some((tag, list.len()))
}

/// Two threads expand one leaf with different lists: exactly one list is published.
#[test]
fn expand_against_expand() {
    explore("expand against expand", 3, 3, || {
        let arena = Arc::new(NodeArena::new(7));
        let expand = |tag, count| {
            let arena = Arc::clone(&arena);
            thread::spawn(move || {
                arena.expand(0, || children(tag, count));
                // The other thread may still be expanding, but a published list is complete.
                check_children(&arena, 0)
            })
        };
        let seen = [expand(10, 2), expand(20, 3)].map(|thread| thread.join().unwrap());
        let (tag, count) = check_children(&arena, 0).expect("someone has expanded it");
        assert!([(10, 2), (20, 3)].contains(&(tag, count)), "{tag} {count}");
        assert!(seen.into_iter().flatten().all(|list| list == (tag, count)));
        assert_eq!(arena.len(), 1 + count, "the loser takes no nodes");
    });
}

/// Two threads reach a node that has to get the priors of the net: one of them asks it.
#[test]
fn one_asks_the_net() {
    explore("one asks the net", 3, 3, || {
        let arena = Arc::new(NodeArena::new(7));
        arena.expand(0, || children(10, 2));
        let threads = [(); 2].map(|()| {
            let arena = Arc::clone(&arena);
            thread::spawn(move || (arena.node(0).begin_net(), check_children(&arena, 0)))
        });
        let seen = threads.map(|thread| thread.join().unwrap());
        assert!(seen.iter().all(|&(_, list)| list == Some((10, 2))), "{seen:?}");
        assert_ne!(seen[0].0, seen[1].0);
    });
}

/// One thread expands a leaf while two others read its children.
#[test]
fn expand_against_children() {
    explore("expand against children", 3, 3, || {
        let arena = Arc::new(NodeArena::new(7));
        let readers = [(); 2].map(|()| {
            let arena = Arc::clone(&arena);
            thread::spawn(move || check_children(&arena, 0))
        });
        arena.expand(0, || children(10, 2));
        assert_eq!(check_children(&arena, 0), Some((10, 2)));
        for reader in readers {
            let seen = reader.join().unwrap();
            assert!(seen.is_none_or(|list| list == (10, 2)), "{seen:?}");
        }
    });
}

/// Two leaves whose children don't both fit: one gets them, one stays a leaf, and no index exceeds
/// the capacity.
#[test]
fn full_pool() {
    explore("full pool", 3, 3, || {
        let arena = Arc::new(NodeArena::new(6));
        arena.expand(0, || children(10, 2));
        let threads = [1, 2].map(|leaf| {
            let arena = Arc::clone(&arena);
            thread::spawn(move || arena.expand(leaf, || children(20 * leaf as u16, 2)))
        });
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        let lists = [1, 2].map(|leaf| check_children(&arena, leaf));
        assert!(lists == [Some((20, 2)), None] || lists == [None, Some((40, 2))], "{lists:?}");
        assert_eq!(arena.len(), 5);
        // The leaf that got none can be tried again: one child fits.
        let free = if lists[0].is_none() { 1 } else { 2 };
        arena.expand(free, || children(60, 1));
        assert_eq!(check_children(&arena, free), Some((60, 1)));
        assert_eq!(arena.len(), 6);
    });
}

/// Two leaves whose children both start the second chunk: it is allocated once, and the lists don't
/// overlap.
#[test]
fn a_new_chunk() {
    explore("a new chunk", 3, 2, || {
        let arena = Arc::new(NodeArena::new(16));
        arena.expand(0, || children(10, 6));
        let threads = [1, 2].map(|leaf| {
            let arena = Arc::clone(&arena);
            thread::spawn(move || {
                arena.expand(leaf, || children(20 * leaf as u16, 3));
                assert_eq!(check_children(&arena, leaf), Some((20 * leaf as u16, 3)));
                // Perhaps missing, but never partial.
                check_children(&arena, 3 - leaf);
            })
        });
        for thread in threads {
            thread.join().unwrap();
        }
        assert_eq!([1, 2].map(|leaf| check_children(&arena, leaf)), [Some((20, 3)), Some((40, 3))]);
        let mut firsts = [1, 2].map(|leaf| arena.children(leaf).unwrap().0);
        firsts.sort_unstable();
        assert_eq!(firsts, [8, 11]);
        assert_eq!(arena.len(), 14);
    });
}

/// Two threads count playouts and wins of a node: none is lost, and no reader sees more wins than
/// playouts.
#[test]
fn visits_and_wins() {
    explore("visits and wins", 3, 3, || {
        let arena = Arc::new(NodeArena::new(1));
        let update = |playouts, half_wins| {
            let arena = Arc::clone(&arena);
            thread::spawn(move || {
                let node = arena.node(0);
                node.add_virtual_loss(playouts);
                let seen = node.stats();
                assert!(seen.visits >= playouts && seen.half_wins <= 2 * seen.visits, "{seen:?}");
                node.add_wins(half_wins);
                node.add_amaf(WinStats { visits: playouts, half_wins });
                let amaf = node.amaf();
                assert!(amaf.half_wins <= 2 * amaf.visits && amaf.visits <= 5, "{amaf:?}");
            })
        };
        [update(2, 4), update(3, 1)].into_iter().for_each(|thread| thread.join().unwrap());
        assert_eq!(arena.node(0).stats(), WinStats { visits: 5, half_wins: 5 });
        // An AMAF addition may be lost, as documented, but not both, nor half of one.
        let amaf = arena.node(0).amaf();
        let possible = [(2, 4), (3, 1), (5, 5)];
        assert!(possible.contains(&(amaf.visits, amaf.half_wins)), "{amaf:?}");
    });
}

/// A two-point board on which Black wins every playout.
#[derive(Clone, Default)]
struct ToyBoard {
    moves: Vec<u16>,
}

impl SearchBoard for ToyBoard {
    fn advance(&mut self, _: &Game) {
        unreachable!("no model plays a move in a game");
    }
    fn restart(&mut self) {
        self.moves.clear();
    }
    fn to_move(&self) -> Color {
        if self.moves.len().is_multiple_of(2) { Color::Black } else { Color::White }
    }
    fn passes(&self) -> u8 {
        self.moves.iter().rev().take_while(|&&point| point == PASS).count() as u8
    }
    fn play(&mut self, point: u16) {
        self.moves.push(point);
    }
    fn new_children(&self) -> Vec<NewChild> {
        children(0, 2)
    }
    fn net_children(&self) -> Vec<NewChild> {
        self.new_children()
    }
    fn stones(&self) -> PointWords {
        let mut stones = PointWords::default();
        for (nth, &point) in self.moves.iter().enumerate().filter(|(_, point)| **point != PASS) {
            stones[nth % 2][0] |= 1 << point;
        }
        stones
    }
    fn convert_stones(&self, _: &[Points<19>; 2]) -> PointWords {
        PointWords::default()
    }
    fn area(&self) -> [u32; 2] {
        [1, 0]
    }
    fn run_playouts(&mut self, games: u32, on_playout: &mut dyn FnMut(i32, PointWords)) {
        for _ in 0..games {
            let mut first_played = PointWords::default();
            first_played[0][0] = 1;
            first_played[1][0] = 2;
            on_playout(1, first_played);
        }
    }
}

/// Returns a tree with only the root; superko forbids the positions in `forbidden`.
fn toy_tree(capacity: usize, forbidden: &[PointWords]) -> SharedTree {
    SharedTree {
        arena: NodeArena::new(capacity),
        game_keys: forbidden.iter().map(|&stones| (stones, None)).collect(),
        ko: Ko::Positional,
        side: 1,
        komi: 0.0,
        settings: Settings { net: None, ..Settings::default() },
    }
}

fn toy_worker(board: &ToyBoard) -> Worker {
    let board = Box::new(board.clone());
    Worker {
        board,
        batch: BatchStats::new(1),
        scores: std::vec![Moments::default(); 3],
        path: Vec::new(),
        path_keys: Vec::new(),
    }
}

fn run_toy(shared: &Arc<SharedTree>, threads: usize, playouts: u64) {
    let remaining = Arc::new(AtomicU64::new(playouts));
    let work = |_| {
        let shared = Arc::clone(shared);
        let remaining = Arc::clone(&remaining);
        thread::spawn(move || {
            shared.run_worker(&mut toy_worker(&ToyBoard::default()), &remaining, &|| false)
        })
    };
    let workers: Vec<_> = (0..threads).map(work).collect();
    workers.into_iter().for_each(|worker| worker.join().unwrap());
}

/// Checks a subtree that no thread works on: complete lists, wins for Black's moves only, and no
/// more playouts through the children than through the node. Returns the number of nodes.
fn check_subtree(arena: &NodeArena, at: u32, by_black: bool) -> usize {
    let stats = arena.node(at).stats();
    assert_eq!(stats.half_wins, if by_black { 2 * stats.visits } else { 0 }, "node {at}");
    let Some((first, list)) = arena.children(at) else { return 1 };
    assert_eq!(list.len(), 2);
    let below: u32 = list.iter().map(|child| child.stats().visits).sum();
    assert!(below <= stats.visits, "node {at}: {below} of {} playouts", stats.visits);
    let nodes = (first..).zip(list).map(|(index, _)| check_subtree(arena, index, !by_black));
    1 + nodes.sum::<usize>()
}

/// Two workers share a budget: whole iterations lose no playout and no win.
#[test]
fn whole_iterations() {
    explore("whole iterations", 3, 2, || {
        let shared = Arc::new(toy_tree(16, &[]));
        run_toy(&shared, 2, 2);
        assert_eq!(shared.arena.node(0).stats().visits, 2);
        assert_eq!(check_subtree(&shared.arena, 0, false), shared.arena.len());
    });
}

/// A move is marked illegal while other threads select a child: the selected child keeps the point
/// it had at selection.
#[test]
fn ban_while_selecting() {
    explore("ban while selecting", 3, 3, || {
        let shared = Arc::new(toy_tree(16, &[]));
        shared.arena.expand(0, || children(0, 2));
        let select = || {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                let mut board = ToyBoard::default();
                board.restart();
                shared.select_child(0, &board).map(|selected| (selected.index, selected.point))
            })
        };
        let selecting = [select(), select()];
        let (first, list) = shared.arena.children(0).unwrap();
        list[1].mark_illegal();
        for thread in selecting {
            let (index, point) = thread.join().unwrap().expect("a move is left");
            assert_eq!(u32::from(point), index - first);
        }
        let selected = shared.select_child(0, &ToyBoard::default()).map(|selected| selected.point);
        assert_eq!(selected, Some(0));
    });
}

/// One worker marks a repeating move illegal while the other may be selecting it: neither plays
/// through it afterwards, and no playout is lost.
#[test]
fn wins_and_a_ban() {
    explore("wins and a ban", 3, 2, || {
        let mut black_on_0 = PointWords::default();
        black_on_0[0][0] = 1;
        let shared = Arc::new(toy_tree(16, &[black_on_0]));
        run_toy(&shared, 2, 2);
        let (_, list) = shared.arena.children(0).expect("the root is expanded first");
        let visits: Vec<_> = list.iter().map(|child| child.stats().visits).collect();
        let banned = list.iter().filter(|child| child.is_illegal()).count();
        assert_eq!(shared.visits(), 2);
        assert!(
            banned <= 1 && visits[0] == 0 && (banned == 0 || list[0].is_illegal()),
            "{visits:?}"
        );
    });
}

/// The tree of two workers is copied from a child down, with statistics, and two others continue
/// with the copy.
#[test]
fn reroot_after_a_move() {
    explore("reroot after a move", 3, 2, || {
        let grown = Arc::new(toy_tree(16, &[]));
        grown.arena.expand(0, || children(0, 2));
        let threads = [1, 2].map(|half_wins| {
            let grown = Arc::clone(&grown);
            thread::spawn(move || {
                grown.arena.expand(1, || children(0, 2));
                grown.arena.node(1).add_virtual_loss(1);
                grown.arena.node(1).add_wins(half_wins);
            })
        });
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        let mut shared = toy_tree(16, &[]);
        shared.arena = grown.arena.subtree(1);
        let shared = Arc::new(shared);
        assert_eq!(shared.arena.len(), 3);
        assert_eq!(shared.arena.node(0).stats().half_wins, 3);
        let workers = [1, 2].map(|child| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                let list = check_children(&shared.arena, 0);
                shared.arena.expand(child, || children(0, 2));
                shared.arena.node(0).add_virtual_loss(1);
                list
            })
        });
        for worker in workers {
            assert_eq!(worker.join().unwrap(), Some((0, 2)));
        }
        assert_eq!(shared.arena.len(), 7);
        assert_eq!(shared.visits(), 4);
    });
}
