//! [`AnySize`]: random play to the end on any board size.

use super::Start;
use crate::games::Games32;
use crate::stats::Stats;
use bitcade_core::{PartJump, Parts, Stop, ThreadPool};
use bitcore::{Rng, SetBits};

/// The games of a seed on any size, each on its own stream.
#[derive(Clone, Debug)]
pub(super) struct AnySize {
    start: Start,
    next: Rng,
}

/// The number of moves of all lanes between two calls of `stop`: about a millisecond.
const MOVES_PER_STOP: u32 = 1 << 12;

impl AnySize {
    pub(super) fn new(start: Start, seed: u64) -> Self {
        Self { start, next: Rng::new(seed) }
    }

    /// Begins the next game. Returns the number of 4s among its first tiles.
    fn begin(&mut self, lanes: &mut Games32, lane: usize) -> u64 {
        let mut rng = self.next.copy_and_jump();
        let (board, fours) = self.start.spawn(&mut rng);
        lanes.set(lane, &board, &rng);
        fours
    }
}

impl Parts for AnySize {
    type Stats = Stats;

    fn skip(&mut self, games: u64, jump: &mut PartJump) {
        jump.advance(&mut self.next, games);
    }

    /// The last games of a part leave lanes idle, half of the time if a part has only as many games
    /// as lanes. But a game on 8x8 takes seven million moves, and every thread should get a part.
    fn part(&self, pool: &ThreadPool, games: u64) -> u64 {
        let most = match self.start.board.size().cells() {
            ..=25 => 4096,
            26..=36 => 1024,
            37..=49 => 256,
            _ => 64,
        };
        let share = pool.share(usize::try_from(games).unwrap_or(usize::MAX), 32);
        games.min(most.min(share) as u64)
    }

    fn play_part(&mut self, games: u64, stop: Stop<'_>) -> Option<Stats> {
        let mut stats = Stats::default();
        let mut lanes = Games32::new(self.start.board.size());
        let mut fours = [0; 32];
        let mut running = games.min(32);
        for (lane, fours) in (0..running as usize).zip(&mut fours) {
            *fours = self.begin(&mut lanes, lane);
        }
        let mut to_start = games - running;
        let mut moves = 0u32;
        loop {
            if moves.is_multiple_of(MOVES_PER_STOP) && stop() {
                return None;
            }
            moves = moves.wrapping_add(1);
            let over = lanes.update_legal();
            if over == 0 {
                if running == 0 {
                    return Some(stats);
                }
                let chosen = lanes.draw_moves(None);
                let spawned = lanes.play(&chosen, None, None);
                for (fours, four) in fours.iter_mut().zip(spawned) {
                    *fours += u64::from(four);
                }
                continue;
            }
            for lane in SetBits(over.into()).map(|lane| lane as usize) {
                self.start.finish(lanes.boards().lane(lane), fours[lane], &mut stats);
                if to_start > 0 {
                    to_start -= 1;
                    fours[lane] = self.begin(&mut lanes, lane);
                } else {
                    running -= 1;
                    lanes.clear_lane(lane);
                }
            }
        }
    }
}
