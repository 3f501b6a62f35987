//! [`Search`]: the best turn, looking as far as pieces are known.

use super::evaluation::Weights;
use super::position::{Position, lock};
use bitcore::bits::fold;
use bitcore::{Isa, Level, dispatch};
use hashbrown::HashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use tetris::game::SKYLINE;
use tetris::movegen::{Placements, SpinMode};
use tetris::{Board, Location, Move, Piece, Placement};

/// The most pieces that are looked ahead.
pub const MAX_DEPTH: usize = 24;
/// Boards of each layer that a round looks beyond.
const WIDTH: usize = 4;

/// A search for the best turn of a position. It keeps all that it has seen, so that it can be gone on with.
///
/// Layer i has the boards after i pieces. A round takes the best few boards of each layer, from the first to the last,
/// and puts what the next piece can make of them (or the piece in reserve) into the next layer; boards that come up twice
/// are kept once, with the better sum of clears. The turn that leads to the best board of the last layer wins. (This is
/// known as chokudai search: a beam search whose beam grows with time.)
///
/// The result depends only on the position, the weights and the number of rounds.
///
/// ```
/// use tetris::{Piece, Spin};
/// use tetris_ai::bot::{Position, Search, Weights};
/// let board = "##........\n#...######\n##.#######".parse().unwrap();
/// let position = Position { board, queue: vec![Piece::T, Piece::O], ..Position::default() };
/// let mut search = Search::new(&position, Weights::default());
/// search.run(1000, &|| false);
/// let turn = search.best().unwrap();
/// assert_eq!((turn.hold, turn.placement.spin), (false, Spin::Full));
/// ```
#[derive(Clone)]
pub struct Search {
    weights: Weights,
    /// The piece in play.
    piece: Option<Piece>,
    /// The pieces that the layers use, one each, beside the one in reserve.
    queue: Vec<Piece>,
    /// Of each layer: whether a T comes soon after it, beside the one in reserve.
    t_ahead: Vec<bool>,
    layers: Vec<Layer>,
    /// The turns, in the order of their generation.
    turns: Vec<Placement>,
    nodes: u64,
    placements: Placements,
}

/// A board as the search keeps it.
#[derive(Clone, Copy, Debug)]
struct State {
    board: Board,
    /// The piece that can be played in place of the next; it is in the hold, or was in play before a hold that costs
    /// nothing to make.
    reserve: Option<Piece>,
    combo: u32,
    back_to_back: bool,
    /// What the clears up to here are worth.
    gained: i32,
}

/// A child that hasn't been looked beyond.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// Its parent among the layer before's states.
    parent: u32,
    /// Its first turn.
    root: u16,
    placement: Placement,
}

#[derive(Clone, Debug, Default)]
struct Layer {
    /// Those that were looked beyond.
    states: Vec<State>,
    nodes: Vec<Node>,
    /// Nodes by worth, of equals the earlier first: [`rank`].
    heap: BinaryHeap<u64>,
    /// What the clears up to a board have been worth at most.
    gained: HashMap<u64, i32>,
    /// By turn: the worth of the best board that it leads to.
    best: Vec<Option<i32>>,
}

impl Search {
    /// A search that hasn't looked at anything.
    pub fn new(position: &Position, weights: Weights) -> Self {
        let mut queue = position.queue.clone();
        let piece = queue.first().copied();
        // Without a held piece the one in play is as good as held: it can be played now or later.
        let reserve = position.hold.or_else(|| (queue.len() > 1).then(|| queue.remove(0)));
        queue.truncate(MAX_DEPTH);
        let soon = position.bag.contains(Piece::T) || position.bag.len() <= 3;
        let t_ahead = (0..=queue.len()).map(|i| soon || queue[i..].contains(&Piece::T)).collect();
        let root = State {
            board: position.board,
            reserve,
            combo: position.combo,
            back_to_back: position.back_to_back,
            gained: 0,
        };
        let mut layers = vec![Layer::default(); queue.len() + 1];
        layers[0].states.push(root);
        Self {
            weights,
            piece,
            queue,
            t_ahead,
            layers,
            turns: Vec::new(),
            nodes: 0,
            placements: Placements::new(),
        }
    }

    /// Placements looked at.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// How many pieces deep the best turn's board lies.
    pub fn depth(&self) -> usize {
        self.layers.iter().rposition(|layer| !layer.best.is_empty()).unwrap_or(0)
    }

    /// Looks at more placements: until there are at least `nodes` of them in all, or nothing is left to look at, or
    /// `stop` says so. False if nothing is left.
    pub fn run(&mut self, nodes: u64, stop: &dyn Fn() -> bool) -> bool {
        self.run_on(Level::detect(), nodes, stop)
    }

    /// [`run`](Self::run) with an instruction set; the same at every one.
    pub fn run_on(&mut self, level: Level, nodes: u64, stop: &dyn Fn() -> bool) -> bool {
        dispatch!(level, isa [this = self, nodes, stop] => this.run_here(isa, nodes, stop))
    }

    #[inline(always)]
    fn run_here<S: Isa>(&mut self, isa: S, nodes: u64, stop: &dyn Fn() -> bool) -> bool {
        if self.nodes == 0 && !self.queue.is_empty() {
            self.expand(isa, 0, 0, None);
        }
        while self.nodes < nodes && !stop() {
            let before = self.nodes;
            for layer in 1..self.queue.len() {
                for _ in 0..WIDTH {
                    let Some((state, root)) = self.pop(isa.into(), layer) else { break };
                    self.expand(isa, layer, state, Some(root));
                }
            }
            if self.nodes == before {
                return false;
            }
        }
        true
    }

    /// Takes the most promising board of a layer.
    #[inline(always)]
    fn pop(&mut self, level: Level, layer: usize) -> Option<(usize, u16)> {
        loop {
            let [before, here] = &mut self.layers[layer - 1..=layer] else { return None };
            let node = here.nodes[unrank(here.heap.pop()?)];
            let next = self.queue[layer - 1];
            let parent = &before.states[node.parent as usize];
            let Some(state) = child(level, &self.weights, parent, next, node.placement) else { continue };
            // Another path to the same board has turned out better since.
            if here.gained.get(&state.key()).is_some_and(|&most| most > state.gained) {
                continue;
            }
            here.states.push(state);
            return Some((here.states.len() - 1, node.root));
        }
    }

    /// Puts all children of a state into the next layer. Without a root each of them is a turn. Entered again, since two
    /// places call it.
    #[inline(never)]
    fn expand<S: Isa>(&mut self, isa: S, layer: usize, parent: usize, root: Option<u16>) {
        isa.enter(
            #[inline(always)]
            || self.expand_here(isa.into(), layer, parent, root),
        );
    }

    #[inline(always)]
    fn expand_here(&mut self, level: Level, layer: usize, parent: usize, root: Option<u16>) {
        let state = self.layers[layer].states[parent];
        let next = self.queue[layer];
        let reserve = state.reserve.filter(|&reserve| reserve != next);
        let mut placements = std::mem::take(&mut self.placements);
        for piece in [Some(next), reserve].into_iter().flatten() {
            placements.fill_on(level, &state.board, piece, SpinMode::TSpins);
            for placement in &placements {
                self.add(level, layer, parent, &state, placement, root);
            }
        }
        self.placements = placements;
    }

    #[inline(always)]
    fn add(
        &mut self,
        level: Level,
        layer: usize,
        parent: usize,
        state: &State,
        placement: Placement,
        root: Option<u16>,
    ) {
        self.nodes += 1;
        if is_lock_out(placement.at) {
            return;
        }
        let Some(child) = child(level, &self.weights, state, self.queue[layer], placement) else { return };
        let root = root.unwrap_or_else(|| {
            self.turns.push(placement);
            (self.turns.len() - 1) as u16
        });
        let last = layer + 1 == self.queue.len();
        let here = &mut self.layers[layer + 1];
        if !last {
            let most = here.gained.entry(child.key()).or_insert(i32::MIN);
            if *most >= child.gained {
                return;
            }
            *most = child.gained;
        }
        let ts = u32::from(child.reserve == Some(Piece::T)) + u32::from(self.t_ahead[layer + 1]);
        let mut worth = child.gained + self.weights.of_board(level, &child.board, ts);
        worth += self.weights.combo * child.combo as i32;
        if child.back_to_back {
            worth += self.weights.back_to_back;
        }
        if here.best.len() < self.turns.len() {
            here.best.resize(self.turns.len(), None);
        }
        let best = &mut here.best[usize::from(root)];
        *best = (*best).max(Some(worth));
        if !last {
            here.heap.push(rank(worth, here.nodes.len()));
            here.nodes.push(Node { parent: parent as u32, root, placement });
        }
    }

    /// The best turn. None if nothing has been looked at, or no turn is left.
    pub fn best(&self) -> Option<Move> {
        self.ranked().first().copied()
    }

    /// Every turn, the best first: by the deepest layer that it leads to, then by the best board there.
    pub fn ranked(&self) -> Vec<Move> {
        let value = |turn: usize| {
            let best = |layer: &Layer| layer.best.get(turn).copied().flatten();
            self.layers.iter().enumerate().rev().find_map(|(depth, layer)| Some((depth, best(layer)?)))
        };
        let mut turns: Vec<_> = (0..self.turns.len()).map(|turn| (Reverse(value(turn)), turn)).collect();
        turns.sort_unstable();
        turns
            .into_iter()
            .map(|(_, turn)| {
                let placement = self.turns[turn];
                Move { hold: self.piece != Some(placement.at.piece), placement }
            })
            .collect()
    }
}

impl State {
    /// What tells boards of a layer apart, in one word: equal states have equal keys, others practically never.
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

/// What a placement makes of a state. None if it doesn't fit.
#[inline(always)]
fn child(level: Level, weights: &Weights, state: &State, next: Piece, placement: Placement) -> Option<State> {
    let (board, clear) = lock(level, &state.board, placement, state.combo, state.back_to_back)?;
    let piece = placement.at.piece;
    let gain = weights.of_clear(piece, clear);
    let reserve = if piece == next { state.reserve } else { Some(next) };
    let back_to_back = if clear.lines > 0 { clear.keeps_back_to_back() } else { state.back_to_back };
    Some(State { board, reserve, combo: clear.combo, back_to_back, gained: state.gained + gain })
}

/// Whether the game ends with such a lock.
#[inline(always)]
fn is_lock_out(at: Location) -> bool {
    // No piece reaches further down than two rows from its center.
    i32::from(at.y) >= SKYLINE && at.cells().iter().all(|&(_, y)| y >= SKYLINE)
}

/// A number that is larger for more worth, and of equals for the earlier node.
#[inline(always)]
const fn rank(worth: i32, node: usize) -> u64 {
    ((worth as u32 ^ 1 << 31) as u64) << 32 | !(node as u32) as u64
}

#[inline(always)]
const fn unrank(rank: u64) -> usize {
    !(rank as u32) as usize
}
