//! [`Games`]: the rules of one game, as a [`Batch`](super::Batch) steps them.

use super::shape::{Shape, TooManyGames};
use crate::Rng;
use alloc::vec::Vec;
use core::fmt::Debug;
use core::num::NonZeroU32;

/// The settings that all games of a batch share.
#[derive(Clone, Debug)]
pub struct Context<G: Games> {
    /// The rules of the games.
    pub rules: G::Rules,
    /// The positions from which games start; without one they start as the rules say.
    pub starts: Vec<G::Start>,
}

impl<G: Games> Context<G> {
    /// Draws the start of a game: without starts nothing, otherwise one of them, [`Rng::below`] their number.
    pub fn draw_start(&self, rng: &mut Rng) -> Option<&G::Start> {
        // More than 2^32 starts have no memory.
        if self.starts.is_empty() {
            None
        } else {
            self.starts.get(rng.below(self.starts.len() as u32) as usize)
        }
    }
}

/// What a group of games plays in one step. Bit i of a mask is game i of the group.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// The games that play.
    pub which: u64,
    /// The games that won't be stepped again: their legal actions don't matter.
    pub last: u64,
    /// The actions of all games, legal in those that play; without them each game that plays draws its own, as
    /// [`Games::draw`] does.
    pub actions: Option<&'a [u32]>,
}

/// Up to [`TOGETHER`](Self::TOGETHER) games of the same rules, which a [`Batch`](super::Batch) steps
/// together.
///
/// A game crate implements this trait, and `Batch` adds everything that is no rule: restarts, limits, illegal
/// actions, final observations, checks and threads. Bit i of a mask is game i of the group.
pub trait Games: Clone + Send + Sync + Debug {
    /// The number of games in a group, at most 64: the lanes of a vector kernel.
    const TOGETHER: usize;
    /// The rules that the games share.
    type Rules: Clone + PartialEq + Send + Sync + Debug;
    /// The error of rules that can't be played.
    type Error: From<TooManyGames>;
    /// A position from which games start.
    type Start: Clone + Send + Sync + Debug;
    /// One game with its random stream, as a value.
    type Game: Clone + Send + Sync + Debug;
    /// One game of the group, to look at.
    type View<'a>
    where
        Self: 'a;

    /// Checks the rules.
    ///
    /// # Errors
    ///
    /// Those of rules that can't be played.
    fn check(rules: &Self::Rules) -> Result<(), Self::Error>;

    /// Returns the shape of the slices of `games` games.
    fn shape(rules: &Self::Rules, games: usize) -> Shape;

    /// Returns the number of steps after which the rules truncate a game.
    fn step_limit(rules: &Self::Rules) -> Option<NonZeroU32>;

    /// Returns the number of steps after which a game is over by the rules: its budget of moves, which the
    /// observation [shows](Self::write_steps). An ignored action spends a move, too.
    fn move_limit(_rules: &Self::Rules) -> Option<NonZeroU32> {
        None
    }

    /// Checks that games may start from a position.
    ///
    /// # Errors
    ///
    /// The reason why not, such as `no move is legal`: the position doesn't fit the rules, or has no legal
    /// action.
    fn accepts(rules: &Self::Rules, start: &Self::Start) -> Result<(), &'static str>;

    /// Creates a group of `games` games, none of them started.
    fn new(rules: &Self::Rules, games: usize) -> Self;

    /// Starts a game in each place of the mask `which`: on the stream that `stream` returns for it, or else
    /// on the stream of the game before.
    fn start(&mut self, context: &Context<Self>, which: u64, stream: &mut dyn FnMut(usize) -> Option<Rng>);

    /// Forgets the last steps of the games of a mask, which a reset will start again: for games whose
    /// [views](Self::view) tell about the last step.
    fn forget(&mut self, _which: u64) {}

    /// Returns `true` if an action, which may be any number, is legal in a running game.
    fn is_legal(&self, game: usize, action: u32) -> bool;

    /// Draws a legal action, all equally likely, in each game of the mask `which`, from the game's own
    /// stream.
    fn draw(&mut self, context: &Context<Self>, which: u64, actions: &mut [u32]);

    /// Plays one turn. Writes the rewards of the games that play, and returns the mask of those that ended by
    /// their rules.
    fn play(&mut self, context: &Context<Self>, turn: Turn<'_>, reward: &mut [i64]) -> u64;

    /// Writes the observations and the legal actions of all games.
    fn write(&self, context: &Context<Self>, obs: &mut [u8], mask: &mut [bool]);

    /// Writes the observation of one game.
    fn observe(&self, context: &Context<Self>, game: usize, obs: &mut [u8]);

    /// Writes into the observation of one game what depends on the number of its steps: the moves left.
    /// [`write`](Self::write) and [`observe`](Self::observe) wrote the rest.
    fn write_steps(_rules: &Self::Rules, _steps: u32, _obs: &mut [u8]) {}

    /// Returns one game as a value.
    fn game(&self, game: usize) -> Self::Game;

    /// Replaces a game by another of the same rules.
    fn set_game(&mut self, context: &Context<Self>, game: usize, value: &Self::Game);

    /// Checks a game that was read, and finds its legal actions, which aren't saved.
    ///
    /// # Errors
    ///
    /// The reason why no batch of these rules has such a game.
    fn check_game(rules: &Self::Rules, game: &mut Self::Game) -> Result<(), &'static str>;

    /// Returns one game to look at.
    fn view(&self, game: usize) -> Self::View<'_>;
}
