//! [`Playouts`]: random play to the end on any size.

use crate::board::Size;
use crate::games::Games32;
use crate::stats::{GameResult, Stats};
use bitcore::{Level, Rng, SetBits};

/// A generator of games of uniformly random legal moves, 32 games at once in vector lanes.
///
/// Game i of a seed draws from [stream](Rng::stream) i alone, so each game is the same on every level and for
/// any split into calls of [`run`](Self::run). Its draws, in order: the two spawns of the start
/// ([`Board::spawn`](crate::Board::spawn)); then for each move `below(legal moves)`, which counts the legal
/// directions in the order of [`Direction::ALL`](crate::Direction::ALL), and the spawn.
///
/// ```
/// use g2048::{Playouts, Size, Stats};
/// let mut playouts = Playouts::new(Size::CLASSIC, 1);
/// let mut stats: Stats = playouts.run(100);
/// stats += playouts.run(100);
/// assert_eq!(stats, Playouts::new(Size::CLASSIC, 1).run(200));
/// assert!((900.0..1300.0).contains(&stats.score.mean()));
/// ```
#[derive(Clone, Debug)]
pub struct Playouts {
    size: Size,
    /// The stream of the next game.
    next: Rng,
}

impl Playouts {
    /// Returns the games of a seed on boards of a size, beginning with game 0.
    pub fn new(size: Size, seed: u64) -> Self {
        Self { size, next: Rng::new(seed) }
    }

    /// Plays the next `games` games and returns their statistics.
    pub fn run(&mut self, games: u64) -> Stats {
        self.run_on(Level::detect(), games)
    }

    /// Plays the next `games` games on a level; see [`run`](Self::run).
    pub fn run_on(&mut self, level: Level, games: u64) -> Stats {
        let mut stats = Stats::default();
        let mut lanes = Games32::new(self.size);
        let mut fours = [0; 32];
        let mut running = games.min(32);
        for (lane, fours) in (0..running as usize).zip(&mut fours) {
            *fours = self.start(&mut lanes, lane);
        }
        let mut to_start = games - running;
        lanes.update_legal(level);
        while running > 0 {
            let chosen = lanes.draw_moves(level);
            let spawned = lanes.play(level, &chosen, None);
            for (fours, four) in fours.iter_mut().zip(spawned) {
                *fours += u64::from(four);
            }
            let over = lanes.update_legal(level);
            if over != 0 {
                for lane in SetBits(over.into()).map(|lane| lane as usize) {
                    stats += GameResult::from_last_board(lanes.boards().board(lane), fours[lane]);
                    if to_start > 0 {
                        to_start -= 1;
                        fours[lane] = self.start(&mut lanes, lane);
                    } else {
                        running -= 1;
                        lanes.clear_lane(lane);
                    }
                }
                // A board of two tiles always has a legal move: the new games aren't over.
                lanes.update_legal(level);
            }
        }
        stats
    }

    /// Starts the next game in a lane. Returns the number of 4s among its first two tiles.
    fn start(&mut self, lanes: &mut Games32, lane: usize) -> u64 {
        let board = lanes.start(lane, self.next.copy_and_jump());
        board.ranks().iter().map(|&rank| u64::from(rank == 2)).sum()
    }
}
