//! The crate's types in the roles of all games.

use crate::cascade_result::CascadeResult;
use crate::error::Error;
use crate::game::Game;
use crate::playout::{Playouts, Stats};
use crate::rules::Rules;
use crate::swap::{Swap, SwapError};
use alloc::vec::Vec;
use bitcade_core::{Stop, Stopped, ThreadPool};
use bitcore::RandomSource;

impl bitcade_core::Game for Game {
    type Rules = Rules;
    type Move = Swap;
    type Outcome = CascadeResult;
    type Error = Error;
    type IllegalMove = SwapError;

    fn new(rules: Rules, rng: &mut (impl RandomSource + ?Sized)) -> Result<Self, Error> {
        Self::new(rules, rng)
    }

    fn rules(&self) -> Rules {
        self.rules()
    }

    fn legal_moves(&self) -> Vec<Swap> {
        self.legal_moves()
    }

    fn play(
        &mut self,
        swap: Swap,
        rng: &mut (impl RandomSource + ?Sized),
    ) -> Result<CascadeResult, SwapError> {
        self.play(swap, rng)
    }

    fn is_over(&self) -> bool {
        self.is_over()
    }
}

impl bitcade_core::Playouts for Playouts {
    type Game = Game;
    type Stats = Stats;
    type Error = Error;

    fn new(rules: Rules, seed: u64) -> Result<Self, Error> {
        Self::new(rules, seed)
    }

    fn from_game(game: &Game, seed: u64) -> Result<Self, Error> {
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
