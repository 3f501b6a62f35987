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
//!
//! After a move, [`Search::advance`] grows the tree of the new position along the old one: it expands
//! the states that the old search had expanded, and takes the values of boards from it.

use super::evaluation::BotWeights;
use super::game_state::{GameState, lock};
use bitcade_core::{Stop, Stopped};
use bitcore::bits::fold;
use bitcore::{Isa, dispatch};
use hashbrown::hash_map::Entry;
use hashbrown::{HashMap, HashSet};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use tetris::movegen::{MoveRules, Placements};
use tetris::{Board, Location, Move, Piece, Placement};

/// The maximum lookahead of the search, in pieces.
pub const MAX_DEPTH: usize = 24;
/// The cap on the combo of the root; no real game reaches it.
const MAX_COMBO: u32 = 255;
/// The number of states expanded per layer and round.
const ROUND_WIDTH: usize = 4;
/// The maximum number of states per layer that [`Search::advance`] expands again, the best ones: some
/// milliseconds of work.
const MAX_KEPT: usize = 256;

/// A search for the best move of a game state, which can be stopped and resumed: it keeps
/// everything found so far.
///
/// Layer i contains the states after i pieces. A round expands the best few states of each layer,
/// from first to last, by all placements of the next piece and of the held piece. A state reached
/// twice is kept once, with the better sum of clears. The best move is the one that leads to the
/// best state in the last layer.
///
/// The result depends only on the game state, the weights, the number of rounds, and the searches
/// that it [advanced](Self::advance) from.
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
    /// The weights of all positions, and those of this one.
    all_weights: BotWeights,
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
    /// No round since the search advanced: nothing is known about its last piece.
    has_advanced: bool,
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

type HeapEntry = (i32, Reverse<u32>);

#[derive(Clone, Copy, Debug)]
struct KnownState {
    /// The highest sum of clear values on a path to the state.
    path_value: i32,
    /// The value of the state without its path.
    value: i32,
}

/// The states after the same number of pieces.
#[derive(Clone, Debug, Default)]
struct SearchLayer {
    expanded: Vec<SearchState>,
    /// All nodes pushed so far.
    nodes: Vec<SearchNode>,
    /// The unexpanded nodes, as value and index: among equal values, earlier nodes come first.
    heap: BinaryHeap<HeapEntry>,
    /// The states reached, by [key](SearchState::key).
    known: HashMap<u64, KnownState>,
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
        let all_weights = weights;
        let weights = all_weights.clone().of_position(&start.board);
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
        Self {
            all_weights,
            weights,
            rules: start.rules(),
            piece,
            queue,
            t_ahead,
            layers,
            root_moves: Vec::new(),
            nodes: 0,
            has_advanced: false,
            placements: Placements::new(),
        }
    }

    /// Goes on at a position that is `moves` moves later, with the part of the search that concerns
    /// it. With 0 moves, the position may have more pieces in its queue.
    ///
    /// The states that the search has expanded and that the position can reach are expanded again,
    /// up to 256 per layer, the best first, and count as searched. Values of boards are taken over.
    /// Everything else is forgotten: the memory does not grow from move to move. The search then
    /// knows what a new search knows that expands the same states, and the next call of
    /// [`run`](Self::run) adds at least one round. Nothing is kept if the position can't follow or if
    /// its garbage calls for other weights: any position is valid.
    ///
    /// ```
    /// use tetris::Piece;
    /// use tetris_ai::bot::{BotWeights, GameState, Search};
    /// let mut state = GameState { queue: Piece::ALL[..5].to_vec(), ..GameState::default() };
    /// let mut search = Search::new(&state, BotWeights::default());
    /// search.run(5_000);
    /// state.play(search.best().unwrap()).unwrap();
    /// state.queue.push(Piece::I);
    /// search.advance(&state, 1);
    /// assert!(search.nodes() > 0);
    /// search.run(5_000);
    /// ```
    pub fn advance(&mut self, start: &GameState, moves: usize) {
        let mut new = Self::new(start, self.all_weights.clone());
        if new.weights == self.weights && new.rules == self.rules {
            dispatch!(isa [new = &mut new, old = &*self, moves] => new.follow(isa, old, moves));
        }
        new.has_advanced = true;
        *self = new;
    }

    #[inline(always)]
    fn follow<S: Isa>(&mut self, isa: S, old: &Self, moves: usize) {
        for layer in 0..self.queue.len() {
            let Some(old_layer) = old.layers.get(layer.saturating_add(moves)) else { return };
            let expanded: HashSet<u64> = old_layer.expanded.iter().map(SearchState::key).collect();
            // A value depends on the known T pieces, too.
            let after = layer + 1 + moves;
            let known = old.layers.get(after).map(|layer| &layer.known);
            let known = known.filter(|_| old.t_ahead[after] == self.t_ahead[layer + 1]);
            if layer == 0 {
                if expanded.contains(&self.layers[0].expanded[0].key()) && old.nodes > 0 {
                    self.expand(isa, 0, 0, None, known);
                }
                continue;
            }
            let mut kept = 0;
            let mut others = Vec::new();
            while let Some((entry, state, root)) = self.pop(layer) {
                if kept < MAX_KEPT && expanded.contains(&state.key()) {
                    if !self.reserve_round() {
                        return;
                    }
                    kept += 1;
                    let parent = self.push_expanded(layer, state);
                    self.expand(isa, layer, parent, Some(root), known);
                } else {
                    others.push(entry);
                }
            }
            self.layers[layer].heap = others.into();
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
            self.expand(isa, 0, 0, None, None);
        }
        while self.nodes < nodes || self.has_advanced {
            if stop() {
                return Err(Stopped);
            }
            if !self.reserve_round() {
                return Ok(false);
            }
            self.has_advanced = false;
            // A state without placements adds no node, but others may be left.
            let mut nothing_left = true;
            for layer in 1..self.queue.len() {
                for _ in 0..ROUND_WIDTH {
                    let Some((_, state, root)) = self.pop(layer) else { break };
                    let parent = self.push_expanded(layer, state);
                    self.expand(isa, layer, parent, Some(root), None);
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
                && layer.known.try_reserve(MAX_CHILDREN).is_ok()
        });
        reserved && Vec::<u8>::new().try_reserve_exact(SPARE_BYTES).is_ok()
    }

    /// Pops the node with the highest value from a layer. Returns its entry of the heap, its state
    /// and its root move.
    #[inline(always)]
    fn pop(&mut self, layer: usize) -> Option<(HeapEntry, SearchState, u16)> {
        loop {
            let [previous, current] = &mut self.layers[layer - 1..=layer] else { return None };
            let entry = current.heap.pop()?;
            let node = current.nodes[entry.1.0 as usize];
            let next = self.queue[layer - 1];
            let parent = &previous.expanded[node.parent as usize];
            let Some(state) = child(&self.weights, parent, next, node.placement) else { continue };
            // Otherwise stale: a better path to the same state was found after the push.
            let known = current.known.get(&state.key());
            if known.is_none_or(|best| best.path_value <= state.path_value) {
                return Some((entry, state, node.root));
            }
        }
    }

    #[inline(always)]
    fn push_expanded(&mut self, layer: usize, state: SearchState) -> usize {
        let expanded = &mut self.layers[layer].expanded;
        expanded.push(state);
        expanded.len() - 1
    }

    /// Without a `root`, each child is a new root move. Values of children are looked up in `known`
    /// before they are computed. A separate kernel entry because it has several callers.
    #[inline(never)]
    fn expand<S: Isa>(
        &mut self,
        isa: S,
        layer: usize,
        parent: usize,
        root: Option<u16>,
        known: Option<&HashMap<u64, KnownState>>,
    ) {
        isa.enter(
            #[inline(always)]
            || self.expand_here(layer, parent, root, known),
        );
    }

    #[inline(always)]
    fn expand_here(
        &mut self,
        layer: usize,
        parent: usize,
        root: Option<u16>,
        known: Option<&HashMap<u64, KnownState>>,
    ) {
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
                    self.push_child(layer, parent, &state, placement, root, known);
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
                self.push_child(layer, parent, &state, placement, root, known);
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
        known: Option<&HashMap<u64, KnownState>>,
    ) {
        let Some(child) = child(&self.weights, state, self.queue[layer], placement) else { return };
        let root = root.unwrap_or_else(|| {
            self.root_moves.push(placement);
            (self.root_moves.len() - 1) as u16
        });
        let last = layer + 1 == self.queue.len();
        let next_layer = &mut self.layers[layer + 1];
        let t_pieces =
            u32::from(child.reserve == Some(Piece::T)) + u32::from(self.t_ahead[layer + 1]);
        let mut value = child.path_value;
        if last {
            value += state_value(&self.weights, &child, t_pieces);
        } else {
            let key = child.key();
            let state = match next_layer.known.entry(key) {
                Entry::Occupied(state) => state.into_mut(),
                Entry::Vacant(entry) => {
                    let value = match known.and_then(|known| known.get(&key)) {
                        Some(state) => state.value,
                        None => state_value(&self.weights, &child, t_pieces),
                    };
                    entry.insert(KnownState { path_value: i32::MIN, value })
                }
            };
            if state.path_value >= child.path_value {
                return;
            }
            state.path_value = child.path_value;
            value += state.value;
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

/// Returns the value of a state without its path.
#[inline(always)]
fn state_value(weights: &BotWeights, state: &SearchState, t_pieces: u32) -> i32 {
    let back_to_back = if state.back_to_back { weights.back_to_back } else { 0 };
    weights.board_value(&state.board, t_pieces) + weights.combo * state.combo as i32 + back_to_back
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_that_advances_knows_what_it_knew() {
        let mut rng = bitcore::Rng::new(2);
        for _ in 0..20 {
            let mut bag = tetris::Bag::FULL;
            let queue: Vec<Piece> = (0..7).map(|_| bag.draw(&mut rng)).collect();
            let columns = std::array::from_fn(|_| (1u64 << rng.below(6)) - 1);
            let board = Board::try_from(columns).expect("low columns");
            let mut state = GameState { board, queue, ..GameState::default() };
            let mut search = Search::new(&state, BotWeights::default());
            search.run(4_000);
            let (best, depth, value) = search.values()[0];
            let (_, clear) = lock(&state.board, best.placement, 0, false).expect("it fits");
            let gain = search.weights.clear_value(best.placement.at.piece, clear);
            state.play(best).expect("a move");
            // Without values to take over, the same: they are what would be computed.
            let mut forgetful = search.clone();
            forgetful.layers.iter_mut().for_each(|layer| layer.known.clear());
            search.advance(&state, 1);
            forgetful.advance(&state, 1);
            assert_eq!((forgetful.nodes, forgetful.values()), (search.nodes, search.values()));
            // The path to the best value is kept, or a better one.
            let highest = search.layers[depth - 1].best_by_root.iter().max();
            assert!(highest >= Some(&Some(value - gain)), "{state:?}");
        }
    }
}
