//! The search for the best move, as deep as the known pieces reach.
//!
//! An anytime beam search (chokudai search): the beam widens with every round, and the search can
//! be stopped and resumed after any of them. Layer i contains the states after i pieces:
//!
//! ```text
//! expand the root into layer 1; its children are the root moves
//! repeat a round until the budget is spent:
//!     for i in 1 .. number of pieces:
//!         ROUND_WIDTH times:
//!             node = highest value on layer i's heap; skip it if a better path to its state is known
//!             for piece in {next piece of the queue, reserve}:
//!                 for each placement of the piece that single key presses reach:
//!                     path_value = path_value of the node + clear_value
//!                     skip it unless path_value beats the best known path to the same state
//!                     value      = path_value + board_value + combo and back-to-back
//!                     push it to layer i + 1 and raise the best value of its root move there
//!                                            (the last layer keeps only these best values)
//! best move = the root move with the highest value in the deepest layer that it reaches
//! ```
//!
//! A reserve models the held piece: each layer plays either the next piece of the queue or the
//! reserve, and the other one becomes the next reserve. When nothing is held yet, the piece in play
//! is the first reserve, because holding it is free. Games that forbid holding have no reserve.

use super::evaluation::BotWeights;
use super::game_state::{GameState, lock};
use bitcade_core::{Stop, Stopped};
use bitcore::bits::fold;
use bitcore::{Isa, dispatch};
use hashbrown::HashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use tetris::movegen::{MoveRules, Placements, SpinMode};
use tetris::{Board, Location, Move, Piece, Placement};

/// The maximum lookahead of the search, in pieces.
pub const MAX_DEPTH: usize = 24;
/// The cap on the combo of the root; no real game reaches it.
const MAX_COMBO: u32 = 255;
/// The number of states expanded per layer and round.
const ROUND_WIDTH: usize = 4;

/// A search for the best move of a game state, which can be stopped and resumed: it keeps
/// everything found so far.
///
/// Layer i contains the states after i pieces. A round expands the best few states of each layer,
/// from first to last, by all placements of the next piece and of the held piece. A state reached
/// twice is kept once, with the better sum of clears. The best move is the one that leads to the
/// best state in the last layer.
///
/// The result depends only on the game state, the weights, and the number of rounds.
///
/// ```
/// use tetris::{Piece, Spin};
/// use tetris_ai::bot::{GameState, Search, BotWeights};
/// let board = "##........\n#...######\n##.#######".parse().unwrap();
/// let state = GameState { board, queue: vec![Piece::T, Piece::O], ..GameState::default() };
/// let mut search = Search::new(&state, BotWeights::default());
/// search.run(1000);
/// let best = search.best().unwrap();
/// assert_eq!((best.hold, best.placement.spin), (false, Spin::Full));
/// ```
#[derive(Clone)]
pub struct Search {
    weights: BotWeights,
    rules: MoveRules,
    piece: Option<Piece>,
    /// The piece added by each layer, without the first reserve.
    queue: Vec<Piece>,
    /// Per layer, whether a T other than the reserve is known or likely to come after it.
    t_ahead: Vec<bool>,
    layers: Vec<SearchLayer>,
    /// The moves of the first piece, in generation order.
    root_moves: Vec<Placement>,
    nodes: u64,
    placements: Placements,
}

/// An expanded state: a board and everything else that affects later moves.
#[derive(Clone, Copy, Debug)]
struct SearchState {
    board: Board,
    /// The piece that can replace the next one: the held piece, or initially the piece in play if
    /// nothing is held.
    reserve: Option<Piece>,
    combo: u32,
    back_to_back: bool,
    /// The sum of the clear values on the path to this state.
    path_value: i32,
}

/// An unexpanded state, stored as its parent and the placement that leads to it.
#[derive(Clone, Copy, Debug)]
struct SearchNode {
    /// An index into the previous layer's expanded states.
    parent: u32,
    /// The index of the path's root move.
    root: u16,
    placement: Placement,
}

/// The states after the same number of pieces.
#[derive(Clone, Debug, Default)]
struct SearchLayer {
    expanded: Vec<SearchState>,
    /// All nodes pushed so far.
    nodes: Vec<SearchNode>,
    /// The unexpanded nodes, as value and index: among equal values, earlier nodes come first.
    heap: BinaryHeap<(i32, Reverse<u32>)>,
    /// The highest path value by [state key](SearchState::key).
    best_paths: HashMap<u64, i32>,
    /// By root move, the highest value of a state in this layer.
    best_by_root: Vec<Option<i32>>,
}

impl Search {
    /// Creates a search. Weights are clamped to ±[`BotWeights::MAX`], the combo to 255.
    pub fn new(start: &GameState, weights: BotWeights) -> Self {
        let mut queue = start.queue.clone();
        let piece = queue.first().copied();
        let reserve = if start.can_hold {
            // If nothing is held, the piece in play can be played now or later, just like a held
            // piece.
            start.hold.or_else(|| (queue.len() > 1).then(|| queue.remove(0)))
        } else {
            None
        };
        queue.truncate(MAX_DEPTH);
        let weights = weights.clamped();
        let soon = start.bag.contains(Piece::T) || start.bag.len() <= 3;
        let t_ahead = (0..=queue.len()).map(|i| soon || queue[i..].contains(&Piece::T)).collect();
        let root = SearchState {
            board: start.board,
            reserve,
            combo: start.combo.min(MAX_COMBO),
            back_to_back: start.back_to_back,
            path_value: 0,
        };
        let mut layers = vec![SearchLayer::default(); queue.len() + 1];
        layers[0].expanded.push(root);
        let rules =
            MoveRules { second_spawn_row: start.second_spawn_row, ..SpinMode::TSpins.into() };
        Self {
            weights,
            rules,
            piece,
            queue,
            t_ahead,
            layers,
            root_moves: Vec::new(),
            nodes: 0,
            placements: Placements::new(),
        }
    }

    /// Returns the number of placements searched so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns the lookahead reached so far, in pieces: the deepest layer that contains a state.
    pub fn depth(&self) -> usize {
        self.layers.iter().rposition(|layer| !layer.best_by_root.is_empty()).unwrap_or(0)
    }

    /// Continues the search until it has searched at least `nodes` placements in total or nothing
    /// is left to expand. Returns `false` if nothing is left to expand or memory is short.
    pub fn run(&mut self, nodes: u64) -> bool {
        self.run_until(nodes, &|| false).unwrap_or(true)
    }

    /// Does the same, unless `stop` ends it.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `stop` returned `true`. The next call goes on, and [`best`](Self::best)
    /// returns the best move so far.
    pub fn run_until(&mut self, nodes: u64, stop: Stop<'_>) -> Result<bool, Stopped> {
        dispatch!(isa [this = self, nodes, stop] => this.run_here(isa, nodes, stop))
    }

    #[inline(always)]
    fn run_here<S: Isa>(&mut self, isa: S, nodes: u64, stop: Stop<'_>) -> Result<bool, Stopped> {
        if self.nodes == 0 && !self.queue.is_empty() {
            self.expand(isa, 0, 0, None);
        }
        while self.nodes < nodes {
            if stop() {
                return Err(Stopped);
            }
            if !self.reserve_round() {
                return Ok(false);
            }
            // A state without placements adds no node, but others may be left.
            let mut nothing_left = true;
            for layer in 1..self.queue.len() {
                for _ in 0..ROUND_WIDTH {
                    let Some((state, root)) = self.pop(layer) else { break };
                    self.expand(isa, layer, state, Some(root));
                    nothing_left = false;
                }
            }
            if nothing_left {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns `false` if this fails or leaves too little memory for other allocations.
    fn reserve_round(&mut self) -> bool {
        // Two pieces with fewer than 256 placements each.
        const MAX_CHILDREN: usize = ROUND_WIDTH * 2 * 256;
        const SPARE_BYTES: usize = 8 << 20;
        let reserved = self.layers.iter_mut().all(|layer| {
            layer.expanded.try_reserve(ROUND_WIDTH).is_ok()
                && layer.nodes.try_reserve(MAX_CHILDREN).is_ok()
                && layer.heap.try_reserve(MAX_CHILDREN).is_ok()
                && layer.best_paths.try_reserve(MAX_CHILDREN).is_ok()
        });
        reserved && Vec::<u8>::new().try_reserve_exact(SPARE_BYTES).is_ok()
    }

    /// Pops the node with the highest value from a layer and adds its state to the expanded states.
    /// Returns the index of the state and its root move.
    #[inline(always)]
    fn pop(&mut self, layer: usize) -> Option<(usize, u16)> {
        loop {
            let [previous, current] = &mut self.layers[layer - 1..=layer] else { return None };
            let (_, Reverse(node)) = current.heap.pop()?;
            let node = current.nodes[node as usize];
            let next = self.queue[layer - 1];
            let parent = &previous.expanded[node.parent as usize];
            let Some(state) = child(&self.weights, parent, next, node.placement) else { continue };
            // Stale: a better path to the same state was found after the push.
            if current.best_paths.get(&state.key()).is_some_and(|&best| best > state.path_value) {
                continue;
            }
            current.expanded.push(state);
            return Some((current.expanded.len() - 1, node.root));
        }
    }

    /// Without a `root`, each child is a new root move. A separate kernel entry because it has two
    /// callers.
    #[inline(never)]
    fn expand<S: Isa>(&mut self, isa: S, layer: usize, parent: usize, root: Option<u16>) {
        isa.enter(
            #[inline(always)]
            || self.expand_here(layer, parent, root),
        );
    }

    #[inline(always)]
    fn expand_here(&mut self, layer: usize, parent: usize, root: Option<u16>) {
        let state = self.layers[layer].expanded[parent];
        let next = self.queue[layer];
        let reserve = state.reserve.filter(|&reserve| reserve != next);
        let mut placements = std::mem::take(&mut self.placements);
        let mut lock_outs = Vec::new();
        for piece in [Some(next), reserve].into_iter().flatten() {
            placements.fill(&state.board, piece, self.rules);
            for placement in &placements {
                self.nodes += 1;
                if !is_lock_out(placement.at) {
                    self.push_child(layer, parent, &state, placement, root);
                } else if root.is_none() {
                    lock_outs.push(placement);
                }
            }
        }
        self.placements = placements;
        // Every root move is a lock out, which ends a guideline game. Not every frontend ends it
        // there.
        if self.root_moves.is_empty() {
            for placement in lock_outs {
                self.push_child(layer, parent, &state, placement, root);
            }
        }
    }

    #[inline(always)]
    fn push_child(
        &mut self,
        layer: usize,
        parent: usize,
        state: &SearchState,
        placement: Placement,
        root: Option<u16>,
    ) {
        let Some(child) = child(&self.weights, state, self.queue[layer], placement) else { return };
        let root = root.unwrap_or_else(|| {
            self.root_moves.push(placement);
            (self.root_moves.len() - 1) as u16
        });
        let last = layer + 1 == self.queue.len();
        let next_layer = &mut self.layers[layer + 1];
        if !last {
            let best_path = next_layer.best_paths.entry(child.key()).or_insert(i32::MIN);
            if *best_path >= child.path_value {
                return;
            }
            *best_path = child.path_value;
        }
        let t_pieces =
            u32::from(child.reserve == Some(Piece::T)) + u32::from(self.t_ahead[layer + 1]);
        let mut value = child.path_value + self.weights.board_value(&child.board, t_pieces);
        value += self.weights.combo * child.combo as i32;
        if child.back_to_back {
            value += self.weights.back_to_back;
        }
        if next_layer.best_by_root.len() < self.root_moves.len() {
            next_layer.best_by_root.resize(self.root_moves.len(), None);
        }
        let best = &mut next_layer.best_by_root[usize::from(root)];
        *best = (*best).max(Some(value));
        if !last {
            next_layer.heap.push((value, Reverse(next_layer.nodes.len() as u32)));
            next_layer.nodes.push(SearchNode { parent: parent as u32, root, placement });
        }
    }

    /// Returns the best move, or `None` if nothing has been searched or no move exists.
    pub fn best(&self) -> Option<Move> {
        self.ranked().first().copied()
    }

    /// Returns all moves, best first: by the deepest layer that a move reaches, then by its highest
    /// value in that layer.
    pub fn ranked(&self) -> Vec<Move> {
        self.values().into_iter().map(|(turn, ..)| turn).collect()
    }

    /// Returns the same moves, each with the pieces that its lookahead reaches and its value there,
    /// in hundredths of a line. Only values of the same lookahead compare. A move after which nothing
    /// was found has 0 of both.
    pub fn values(&self) -> Vec<(Move, usize, i32)> {
        let value = |index: usize| {
            let best = |layer: &SearchLayer| layer.best_by_root.get(index).copied().flatten();
            self.layers
                .iter()
                .enumerate()
                .rev()
                .find_map(|(depth, layer)| Some((depth, best(layer)?)))
        };
        let mut order: Vec<usize> = (0..self.root_moves.len()).collect();
        order.sort_by_cached_key(|&index| Reverse(value(index)));
        let ranked = |index: usize| {
            let placement = self.root_moves[index];
            let turn = Move { hold: self.piece != Some(placement.at.piece), placement };
            let (depth, value) = value(index).unwrap_or_default();
            (turn, depth, value)
        };
        order.into_iter().map(ranked).collect()
    }
}

impl SearchState {
    /// Returns a hash of the state. Collisions within a layer are practically impossible.
    #[inline(always)]
    fn key(&self) -> u64 {
        let reserve = self.reserve.map_or(7, |piece| piece as u64);
        let mut key = reserve | u64::from(self.back_to_back) << 3 | u64::from(self.combo) << 4;
        for column in self.board.columns() {
            key = fold(key, *column);
        }
        key ^ key >> 32
    }
}

/// `None` if the piece does not fit.
#[inline(always)]
fn child(
    weights: &BotWeights,
    state: &SearchState,
    next: Piece,
    placement: Placement,
) -> Option<SearchState> {
    let (board, clear) = lock(&state.board, placement, state.combo, state.back_to_back)?;
    let piece = placement.at.piece;
    let gain = weights.clear_value(piece, clear);
    let reserve = if piece == next { state.reserve } else { Some(next) };
    let back_to_back =
        if clear.lines > 0 { clear.keeps_back_to_back() } else { state.back_to_back };
    Some(SearchState {
        board,
        reserve,
        combo: clear.combo,
        back_to_back,
        path_value: state.path_value + gain,
    })
}

/// Returns whether a lock at this location is a lock out: all its cells are above the skyline.
#[inline(always)]
fn is_lock_out(at: Location) -> bool {
    // The center is one of the cells: this comparison rules out most locks.
    i32::from(at.y) >= tetris::Game::SKYLINE
        && at.cells().iter().all(|&(_, y)| y >= tetris::Game::SKYLINE)
}
