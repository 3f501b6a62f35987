//! The crate's types in the roles of all games.

use crate::playout::playouts::Playouts;
use crate::playout::results::Stats;
use crate::rules::board::IllegalMove;
use crate::rules::error::Error;
use crate::rules::game::{Game, Move, Rules};
use alloc::vec::Vec;
use bitcade_core::{Stop, Stopped, ThreadPool};
use bitcore::RandomSource;
use core::convert::Infallible;

impl bitcade_core::Game for Game {
    type Rules = Rules;
    type Move = Move;
    type Outcome = ();
    type Error = Infallible;
    type IllegalMove = IllegalMove;

    fn new(rules: Rules, _: &mut (impl RandomSource + ?Sized)) -> Result<Self, Infallible> {
        Ok(Self::new(rules))
    }

    fn rules(&self) -> Rules {
        self.rules()
    }

    fn legal_moves(&self) -> Vec<Move> {
        self.legal_moves()
    }

    /// Nothing is drawn.
    fn play(&mut self, mv: Move, _: &mut (impl RandomSource + ?Sized)) -> Result<(), IllegalMove> {
        self.play(mv)
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
        Self::from_game(game, seed)
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
