//! [`Opponent`]: the bot with its own board, at a steady number of pieces per second.

use crate::games::tetris::cells::Cells;
use bitcore::Rng;
use tetris::{Attack, Game, Location, Move, Piece, Rules, Spin, movegen};
use tetris_ai::{Bot, Player};

/// The bot's side of a versus game. It counts placements instead of time, so it plays the same on
/// every machine.
pub(super) struct Opponent {
    game: Game,
    rng: Rng,
    pub(super) cells: Cells,
    player: Bot,
    /// The ticks for each piece, and the ticks since the last lock.
    interval: u32,
    elapsed: u32,
    turn: Option<Move>,
    /// The piece's positions on its way down.
    way: Vec<Location>,
}

impl Opponent {
    /// Creates a bot that searches `nodes` placements for each piece and locks one per `interval`
    /// ticks.
    pub(super) fn new(seed: u64, rules: Rules, nodes: u64, interval: u32) -> Self {
        let mut rng = Rng::new(seed);
        let game = Game::new(rules, &mut rng);
        let interval = interval.max(1);
        let mut bot = Self {
            game,
            rng,
            cells: Cells::default(),
            player: Bot { nodes, ..Bot::default() },
            interval,
            elapsed: 0,
            turn: None,
            way: Vec::new(),
        };
        bot.think();
        bot
    }

    fn think(&mut self) {
        self.turn = self.player.choose(&self.game);
        self.way.clear();
        let Some(Move { placement, .. }) = self.turn else { return };
        let rules = self.game.rules();
        let movements = movegen::path(self.game.board(), placement, rules).unwrap_or_default();
        let Some(mut at) = self.game.spawn_location(placement.at.piece) else { return };
        let mut spin = Spin::None;
        self.way.push(at);
        for movement in movements {
            let moved = movegen::apply(self.game.board(), at, spin, movement, rules);
            let Some(moved) = moved else { break };
            (at, spin) = moved;
            self.way.push(at);
        }
    }

    /// Returns the lines that it sends.
    pub(super) fn tick(&mut self) -> u32 {
        self.elapsed += 1;
        let Some(turn) = self.turn.filter(|_| self.elapsed >= self.interval) else { return 0 };
        self.elapsed = 0;
        // The search only finds legal turns.
        let Ok(result) = self.game.play(turn, &mut self.rng) else { return 0 };
        self.cells.lock(turn.placement.at, result.garbage_rows, self.game.board());
        self.think();
        result.sent
    }

    pub(super) fn receive(&mut self, attack: Attack) {
        // An attack after the end has no effect.
        let _ = self.game.receive(attack);
    }

    pub(super) fn is_over(&self) -> bool {
        self.game.is_over()
    }

    pub(super) fn falling(&self) -> Option<Location> {
        let next = self.way.len() as u64 * u64::from(self.elapsed) / u64::from(self.interval);
        self.way.get(next as usize).copied()
    }

    pub(super) fn held(&self) -> Option<Piece> {
        let holds = self.turn.is_some_and(|turn| turn.hold);
        if holds { Some(self.game.piece()) } else { self.game.held() }
    }

    pub(super) fn next(&self) -> &[Piece] {
        let takes_next = self.turn.is_some_and(|turn| turn.hold) && self.game.held().is_none();
        &self.game.next()[usize::from(takes_next)..]
    }

    pub(super) fn garbage(&self) -> u32 {
        self.game.garbage().lines()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bot_locks_in_its_rhythm_and_attacks() {
        let mut bot = Opponent::new(4, Rules::GUIDELINE, 500, 30);
        let mut sent = 0;
        let mut garbage = 0;
        let mut first_holds = 0;
        for tick in 1..=30 * 60 {
            let falling = bot.falling().expect("a piece");
            let shown = bot.next().to_vec();
            let first_hold = bot.game.held().is_none() && bot.held().is_some();
            first_holds += u32::from(first_hold && tick % 30 == 0);
            sent += bot.tick();
            assert_eq!(bot.game.pieces(), tick / 30);
            if tick % 30 == 0 {
                let queue = [&[bot.game.piece()], bot.game.next()].concat();
                assert!(queue.starts_with(&shown) && shown.len() == 5 - usize::from(first_hold));
            }
            if tick % 30 == 1 {
                assert_eq!(falling, Location::spawn(falling.piece));
            }
            if tick % 300 == 0 {
                bot.receive(Attack { lines: 2, column: 4 });
                garbage += bot.garbage();
            }
        }
        assert!(sent > 10 && garbage > 10 && !bot.is_over(), "{sent} {garbage}");
        assert_eq!(first_holds, 1);
        // Buried, it loses.
        while !bot.is_over() {
            bot.receive(Attack { lines: 20, column: 4 });
            bot.tick();
        }
        assert_eq!(bot.falling(), None);
        assert_eq!(bot.tick(), 0);
    }
}
