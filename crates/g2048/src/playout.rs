//! Random play to the end: [`Playouts`], and the statistics of its games, [`Tally`].

use crate::board::{Board, Size};
use crate::games::Games32;
use bitcore::{Isa, Moments, Rng, SetBits, dispatch};
use core::iter::Sum;
use core::ops::AddAssign;

/// A run of games of uniformly random legal moves, 32 in lockstep.
///
/// Game i of a seed draws from [stream](Rng::stream) i alone, so it is the same game however many are played, in
/// whatever portions and on whatever level. Its draws: the two spawns of the start ([`Board::spawn`]); then for each
/// move `below(legal moves)`, which counts the legal directions in the order of
/// [`Direction::ALL`](crate::Direction::ALL), and the spawn.
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
    /// the board, and no move changes the tiles' sum; the first two spawns were no moves.
    #[inline(always)]
    pub(crate) fn of(board: Board, fours: u64) -> Self {
        let sum: u64 = board.tiles().sum();
        Self { score: board.potential() - 4 * fours, moves: sum / 2 - fours - 2, board }
    }
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
        let mut lanes = Games32::new(self.size);
        let mut fours = [0; 32];
        let (mut running, mut to_start) = (0u64, games);
        for (lane, fours) in (0..games.min(32) as usize).zip(&mut fours) {
            *fours = self.start(&mut lanes, lane);
            to_start -= 1;
            running += 1;
        }
        lanes.look(isa);
        while running > 0 {
            let chosen = lanes.draw_moves(isa);
            let spawned = lanes.play(isa, &chosen, &mut ());
            for (fours, four) in fours.iter_mut().zip(spawned) {
                *fours += u64::from(four);
            }
            let over = lanes.look(isa);
            if over != 0 {
                for lane in SetBits(over.into()).map(|lane| lane as usize) {
                    tally += Outcome::of(lanes.boards().board(lane), fours[lane]);
                    if to_start > 0 {
                        to_start -= 1;
                        fours[lane] = self.start(&mut lanes, lane);
                    } else {
                        running -= 1;
                        lanes.clear(lane);
                    }
                }
                // Two tiles always have a move.
                lanes.look(isa);
            }
        }
        tally
    }

    /// Starts the next game in a lane, and returns how many 4s it begins with.
    fn start(&mut self, lanes: &mut Games32, lane: usize) -> u64 {
        let board = lanes.start(lane, self.next.clone());
        self.next.jump();
        board.ranks().iter().map(|&rank| u64::from(rank == 2)).sum()
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
    #[inline(always)]
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
