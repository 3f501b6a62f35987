//! [`Games`]: the rules of one game, stepped by a [`Batch`](super::Batch).

use super::shape::{Shape, TooManyGames};
use alloc::vec::Vec;
use bitcore::{Rng, SetBits};
use core::error::Error;
use core::fmt::Debug;
use core::num::NonZeroU32;

/// The settings that all games of a batch share.
#[derive(Clone, Debug)]
pub struct Context<G: Games> {
    /// The rules of the games.
    pub rules: G::Rules,
    /// The start positions. If empty, games start according to the rules.
    pub starts: Vec<G::Start>,
}

impl<G: Games> Context<G> {
    /// Draws the start of a game: one of `starts`, by [`Rng::below`] their number; draws nothing if
    /// there are none.
    pub fn draw_start(&self, rng: &mut Rng) -> Option<&G::Start> {
        // More than 2^32 starts don't fit into memory.
        if self.starts.is_empty() {
            None
        } else {
            self.starts.get(rng.below(self.starts.len() as u32) as usize)
        }
    }
}

/// One step of a group of games. Bit i of a mask is game i of the group.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// The games that play.
    pub which: u64,
    /// The games whose last step this is; their next legal actions don't matter.
    pub last: u64,
    /// The actions of all games, legal in the games that play; if `None`, each playing game draws
    /// its action like [`Games::draw`].
    pub actions: Option<&'a [u32]>,
}

/// Up to [`TOGETHER`](Self::TOGETHER) games of the same rules, stepped together by a
/// [`Batch`](super::Batch).
///
/// A game crate implements this trait, and `Batch` adds everything that isn't a rule: restarts,
/// step limits, illegal actions, final observations, checks and threads. Bit i of a mask is game i
/// of the group.
pub trait Games: Clone + Send + Sync + Debug {
    /// The number of games in a group, at most 64: the lanes of a vector kernel.
    const TOGETHER: usize;
    /// The rules, shared by all games.
    type Rules: Clone + PartialEq + Send + Sync + Debug;
    /// The error for unplayable rules.
    type Error: Error + From<TooManyGames> + Send + Sync + 'static;
    /// A start position.
    type Start: Clone + Send + Sync + Debug;
    /// What an observation shows, and in which order: `()` for games with a single layout.
    type Layout: Copy + Default + PartialEq + Send + Sync + Debug;
    /// One game and its random stream, as a value.
    type Game: Clone + Send + Sync + Debug;
    /// A read-only view of one game of the group.
    type View<'a>
    where
        Self: 'a;

    /// Checks the rules.
    ///
    /// # Errors
    ///
    /// If the rules are unplayable.
    fn check(rules: &Self::Rules) -> Result<(), Self::Error>;

    /// Returns the shape of the slices of `games` games.
    fn shape(rules: &Self::Rules, games: usize) -> Shape;

    /// Returns the number of steps after which the rules truncate a game.
    fn step_limit(rules: &Self::Rules) -> Option<NonZeroU32>;

    /// Returns the number of steps after which a game is over by its rules: a budget of moves,
    /// which the observation [shows](Self::write_steps). An ignored action also spends a move.
    fn move_limit(_rules: &Self::Rules) -> Option<NonZeroU32> {
        None
    }

    /// Checks that games can start from a position.
    ///
    /// # Errors
    ///
    /// The reason, such as `no move is legal`, if the position doesn't fit the rules or has no
    /// legal action.
    fn accepts(rules: &Self::Rules, start: &Self::Start) -> Result<(), &'static str>;

    /// Creates a group of `games` games, none of them started yet.
    fn new(rules: &Self::Rules, games: usize) -> Self;

    /// Starts a game in each place of the mask `which`, on the stream that `stream` returns for the
    /// place, or else on the previous game's stream.
    fn start(
        &mut self,
        context: &Context<Self>,
        which: u64,
        stream: &mut dyn FnMut(usize) -> Option<Rng>,
    );

    /// Clears the last step of the games in a mask before a reset, for games whose
    /// [views](Self::view) include the last step.
    fn forget(&mut self, _which: u64) {}

    /// Returns `true` if an action is legal in a running game. Any number is allowed.
    fn is_legal(&self, game: usize, action: u32) -> bool;

    /// Returns the mask of the running games whose action is legal. Any number is allowed.
    fn are_legal(&self, actions: &[u32]) -> u64 {
        let legal = |(game, &action): (usize, &u32)| u64::from(self.is_legal(game, action)) << game;
        actions.iter().enumerate().map(legal).fold(0, |mask, legal| mask | legal)
    }

    /// Counts the legal actions of the running games in the mask `which`, and leaves the other
    /// counts.
    fn count_legal(&self, context: &Context<Self>, which: u64, counts: &mut [usize]) {
        let actions = Self::shape(&context.rules, 1).actions as u32;
        for game in SetBits(which).map(|game| game as usize) {
            counts[game] = (0..actions).filter(|&action| self.is_legal(game, action)).count();
        }
    }

    /// Lists the legal actions of the running games in the mask `which`, game by game in ascending
    /// order. The slice has as many elements as there are.
    fn list_legal(&self, context: &Context<Self>, which: u64, actions: &mut [u32]) {
        let all = Self::shape(&context.rules, 1).actions as u32;
        let legal = |game| (0..all).filter(move |&action| self.is_legal(game as usize, action));
        for (to, action) in actions.iter_mut().zip(SetBits(which).flat_map(legal)) {
            *to = action;
        }
    }

    /// Draws a uniformly random legal action for each game of the mask `which`, from the game's own
    /// stream.
    fn draw(&mut self, context: &Context<Self>, which: u64, actions: &mut [u32]);

    /// Plays one turn: writes the rewards of the games that play, and returns the mask of games
    /// that ended by their rules.
    fn play(&mut self, context: &Context<Self>, turn: Turn<'_>, reward: &mut [f32]) -> u64;

    /// Returns the number of elements of an observation in a layout, or `None` if the rules have no
    /// such layout. They have the default one, that of [`shape`](Self::shape).
    fn layout_cells(rules: &Self::Rules, _layout: Self::Layout) -> Option<usize> {
        Some(Self::shape(rules, 1).cells)
    }

    /// Returns the number of elements of each of the planes that an observation consists of, or
    /// `None` if it doesn't consist of planes.
    fn plane_cells(rules: &Self::Rules, layout: Self::Layout) -> Option<usize>;

    /// Writes the observations, in a layout that exists, and the legal actions of all games.
    fn write(
        &self,
        context: &Context<Self>,
        layout: Self::Layout,
        obs: &mut [u8],
        mask: &mut [bool],
    );

    /// Writes the observation of one game, in a layout that exists.
    fn write_obs(&self, context: &Context<Self>, layout: Self::Layout, game: usize, obs: &mut [u8]);

    /// Writes the legal actions of one game.
    fn write_mask(&self, _context: &Context<Self>, game: usize, mask: &mut [bool]) {
        for (action, legal) in (0..).zip(mask) {
            *legal = self.is_legal(game, action);
        }
    }

    /// Writes the part of one game's observation that depends on its number of steps: the moves
    /// left. [`write`](Self::write) and [`write_obs`](Self::write_obs) write the rest before.
    fn write_steps(_rules: &Self::Rules, _steps: u32, _obs: &mut [u8]) {}

    /// Returns one game as a value.
    fn game(&self, game: usize) -> Self::Game;

    /// Replaces a game with another of the same rules.
    fn set_game(&mut self, context: &Context<Self>, game: usize, value: &Self::Game);

    /// Checks a deserialized game, and recomputes its legal actions, which aren't saved.
    ///
    /// # Errors
    ///
    /// The reason, if no batch of these rules can contain this game.
    fn check_game(rules: &Self::Rules, game: &mut Self::Game) -> Result<(), &'static str>;

    /// Returns a read-only view of one game.
    fn view(&self, game: usize) -> Self::View<'_>;
}
