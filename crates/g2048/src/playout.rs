//! Random play to the end: [`Playouts`], and the statistics of its games, [`Tally`].

use crate::board::{Board, Size, draw_spawn};
use crate::lanes::{Boards32, slide_groups_with};
use crate::slide::Direction;
use bitcore::{Isa, Lanes, Moments, Rng, dispatch};
use core::iter::Sum;
use core::ops::AddAssign;

/// A run of games of uniformly random legal moves, 32 in lockstep.
///
/// Game i of a seed draws from [stream](Rng::stream) i alone, so it is the same game however many are played, in
/// whatever portions and on whatever level. Its draws: the two spawns of the start ([`Board::spawn`]); then for each
/// move `below(legal moves)`, which counts the legal directions in the order of [`Direction::ALL`], and the spawn.
///
/// ```
/// use g2048::{Playouts, Size, Tally};
/// let mut playouts = Playouts::new(Size::CLASSIC, 1);
/// let mut tally: Tally = playouts.run(100);
/// tally += playouts.run(100);
/// assert_eq!(tally, Playouts::new(Size::CLASSIC, 1).run(200));
/// assert!((900.0..1300.0).contains(&tally.score.mean()));
/// ```
#[derive(Clone, Debug)]
pub struct Playouts {
    size: Size,
    /// The stream of the next game.
    next: Rng,
}

/// How a game went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The sum of the moves' gains.
    pub score: u64,
    /// How many moves were played.
    pub moves: u64,
    /// The last position.
    pub board: Board,
}

impl Outcome {
    /// How a game from the empty board went, by its last position and its number of 4s. Each spawn has put 2 or 4 on
    /// the board, and no move changes the tiles' sum.
    pub(crate) fn of(board: Board, fours: u64) -> Self {
        let sum: u64 = board.tiles().sum();
        Self { score: board.potential() - 4 * fours, moves: sum / 2 - fours - 2, board }
    }
}

/// A game that runs in a lane.
struct Game {
    rng: Rng,
    moves: u64,
    /// How many 4s were spawned.
    fours: u64,
}

impl Playouts {
    /// The games of a seed on boards of a size, from game 0.
    pub fn new(size: Size, seed: u64) -> Self {
        Self { size, next: Rng::new(seed) }
    }

    /// Plays the next `games` games.
    pub fn run(&mut self, games: u64) -> Tally {
        dispatch!(isa => self.run_with(isa, games))
    }

    /// [`run`](Self::run) on the instruction set of a token.
    #[doc(hidden)]
    #[inline(always)]
    pub fn run_with<S: Isa>(&mut self, isa: S, games: u64) -> Tally {
        let mut tally = Tally::default();
        let mut boards = Boards32::empty(self.size);
        let mut slid = Direction::ALL.map(|_| Boards32::empty(self.size));
        let mut lanes: [Option<Game>; 32] = [const { None }; 32];
        let mut to_start = games;
        loop {
            let mut changed = [0; 4];
            for (i, direction) in Direction::ALL.into_iter().enumerate() {
                changed[i] =
                    slide_groups_with::<S, false>(isa, &boards, direction, &mut slid[i], &mut [0; 32]);
            }
            // One direction for each lane that has a legal one. In the others a game has ended or none was begun:
            // there one starts, to move from the next round on.
            let mut chosen = [[0; 32]; 4];
            let mut moving = 0u32;
            for (lane, seat) in lanes.iter_mut().enumerate() {
                let legal = (0..4).fold(0, |legal, i| legal | u64::from(changed[i] >> lane & 1) << i);
                if legal != 0
                    && let Some(game) = seat
                {
                    let k = game.rng.below(legal.count_ones());
                    chosen[isa.select(legal, k) as usize][lane] = 0xff;
                    game.moves += 1;
                    moving |= 1 << lane;
                    continue;
                }
                if let Some(game) = seat.take() {
                    tally += game.outcome(boards.board(lane));
                }
                if to_start > 0 {
                    to_start -= 1;
                    let (game, board) = self.start();
                    boards.set(lane, &board);
                    *seat = Some(game);
                }
            }
            if lanes.iter().all(Option::is_none) {
                return tally;
            }
            let empty = choose_with(isa, &mut boards, &slid, &chosen);
            let (mut nth, mut ranks) = ([0; 32], [0; 32]);
            for (lane, seat) in lanes.iter_mut().enumerate() {
                if moving >> lane & 1 == 1
                    && let Some(game) = seat
                {
                    let (k, rank) = draw_spawn(&mut game.rng, u32::from(empty[lane]));
                    game.fours += u64::from(rank - 1);
                    (nth[lane], ranks[lane]) = (k as u8, rank);
                }
            }
            spawn_with(isa, &mut boards, &nth, &ranks);
        }
    }

    /// The next game and its first position.
    fn start(&mut self) -> (Game, Board) {
        let mut rng = self.next.clone();
        self.next.jump();
        let board = Board::start(self.size, &mut rng);
        let fours = board.ranks().iter().map(|&rank| u64::from(rank == 2)).sum();
        (Game { rng, moves: 0, fours }, board)
    }
}

impl Game {
    /// The score follows from the last position: no gain was added up on the way.
    fn outcome(&self, board: Board) -> Outcome {
        Outcome { score: board.potential() - 4 * self.fours, moves: self.moves, board }
    }
}

/// Takes, lane by lane, the slid board of the chosen direction; returns the numbers of empty cells.
#[inline(always)]
fn choose_with<S: Isa>(
    isa: S,
    boards: &mut Boards32,
    slid: &[Boards32; 4],
    chosen: &[[u8; 32]; 4],
) -> [u8; 32] {
    let zero = isa.splat_u8(0);
    let mut masks = [zero; 4];
    for (mask, lanes) in masks.iter_mut().zip(chosen) {
        *mask = isa.u8x32(lanes);
    }
    let mut empty = zero;
    for (cell, group) in boards.groups_mut().iter_mut().enumerate() {
        let mut ranks = isa.u8x32(group);
        for (mask, slid) in masks.iter().zip(slid) {
            ranks = mask.blend(isa.u8x32(&slid.groups()[cell]), ranks);
        }
        // A lane mask is -1.
        empty = empty - ranks.lanes_eq(zero);
        *group = ranks.to_array();
    }
    empty.to_array()
}

/// Adds, lane by lane, a rank to the `nth` empty cell; rank 0 changes nothing.
#[inline(always)]
fn spawn_with<S: Isa>(isa: S, boards: &mut Boards32, nth: &[u8; 32], ranks: &[u8; 32]) {
    let zero = isa.splat_u8(0);
    let (mut left, new) = (isa.u8x32(nth), isa.u8x32(ranks));
    for group in boards.groups_mut() {
        let ranks = isa.u8x32(group);
        let empty = ranks.lanes_eq(zero);
        *group = (ranks | (new & empty & left.lanes_eq(zero))).to_array();
        // Behind the cell that was hit this wraps to 255, and 64 cells don't bring it back to 0.
        left = left + empty;
    }
}

/// Sums over games: equal whatever the order in which the games were added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tally {
    /// Scores.
    pub score: Moments,
    /// Numbers of moves.
    pub moves: Moments,
    /// How many games ended with each rank as their largest.
    pub largest: [u64; 64],
}

impl Default for Tally {
    fn default() -> Self {
        Self { score: Moments::default(), moves: Moments::default(), largest: [0; 64] }
    }
}

impl Tally {
    /// How many games were played.
    pub const fn games(&self) -> u64 {
        self.score.count
    }
}

impl AddAssign<Outcome> for Tally {
    fn add_assign(&mut self, game: Outcome) {
        self.score.add(game.score);
        self.moves.add(game.moves);
        self.largest[usize::from(game.board.max_rank().min(63))] += 1;
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.score += other.score;
        self.moves += other.moves;
        for (count, more) in self.largest.iter_mut().zip(other.largest) {
            *count += more;
        }
    }
}

impl Sum<Outcome> for Tally {
    fn sum<I: Iterator<Item = Outcome>>(games: I) -> Self {
        games.fold(Self::default(), |mut tally, game| {
            tally += game;
            tally
        })
    }
}
