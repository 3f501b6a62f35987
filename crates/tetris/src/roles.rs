//! The crate's types in the roles of all games.

use crate::game::{Game, GameError, LockResult, Move, Rules};
use crate::playout::Stats;
use crate::playouts::Playouts;
use alloc::vec::Vec;
use bitcade_core::{Stop, Stopped, ThreadPool};
use bitcore::RandomSource;
use core::convert::Infallible;

impl bitcade_core::Game for Game {
    type Rules = Rules;
    type Move = Move;
    type Outcome = LockResult;
    type Error = Infallible;
    type IllegalMove = GameError;

    fn new(rules: Rules, rng: &mut (impl RandomSource + ?Sized)) -> Result<Self, Infallible> {
        Ok(Self::new(rules, rng))
    }

    fn rules(&self) -> Rules {
        self.rules()
    }

    fn legal_moves(&self) -> Vec<Move> {
        self.legal_moves()
    }

    fn play(
        &mut self,
        mv: Move,
        rng: &mut (impl RandomSource + ?Sized),
    ) -> Result<LockResult, GameError> {
        self.play(mv, rng)
    }

    fn is_over(&self) -> bool {
        self.is_over()
    }
}

impl bitcade_core::Playouts for Playouts {
    type Game = Game;
    type Stats = Stats;
    type Error = Infallible;

    fn new(rules: Rules, seed: u64) -> Result<Self, Infallible> {
        Ok(Self::new(rules, seed))
    }

    fn from_game(game: &Game, seed: u64) -> Result<Self, Infallible> {
        Ok(Self::from_game(game, seed))
    }

    fn rules(&self) -> Rules {
        self.rules()
    }

    fn games(stats: &Stats) -> u64 {
        stats.games
    }

    fn play(&mut self, games: u64) -> Stats {
        self.play(games)
    }

    fn play_until(
        &mut self,
        pool: &ThreadPool,
        games: u64,
        stop: Stop<'_>,
        visit: impl FnMut(&Stats),
    ) -> Result<Stats, Stopped> {
        self.play_until(pool, games, stop, visit)
    }
}
