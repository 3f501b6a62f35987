//! [`Batch`](crate::Batch): many games stepped by the caller's actions, as a reinforcement learning
//! environment.

mod game;
mod lanes;

use crate::bitboard::FourWords;
use crate::bitboard::planes::Layout;
use crate::board::Board;
use crate::error::Error;
use crate::rules::Rules;
use crate::swap::Swap;
use crate::swaps::swaps;
use bitcade_core::batch::{Context, Games, Turn};
use bitcore::Rng;
use core::num::NonZeroU32;
use game::{Singly, check_board, places};
use lanes::{LaneGames, TOGETHER};

pub use bitcade_core::batch::{
    Autoreset, BatchError, Element, Format, FormatError, GameState, IllegalAction, OneHot,
    OtherRules, Seeds, Shape, StepBuffers, StepOut, TooManyGames, WrongLength,
};
pub use game::BatchGame;

/// Up to 64 games of a [`Batch`](crate::Batch).
#[derive(Clone, Debug)]
pub struct BatchGames(AnyGames);

#[derive(Clone, Debug)]
enum AnyGames {
    Size8Colors7(LaneGames<3>),
    Size8Colors15(LaneGames<4>),
    Size16Colors7(Singly<FourWords, 3>),
    Size16Colors15(Singly<FourWords, 4>),
}

/// Evaluates `$work` with the typed games bound to `$games`.
macro_rules! with_games {
    ($any:expr, $games:ident => $work:expr) => {
        match $any {
            AnyGames::Size8Colors7($games) => $work,
            AnyGames::Size8Colors15($games) => $work,
            AnyGames::Size16Colors7($games) => $work,
            AnyGames::Size16Colors15($games) => $work,
        }
    };
}

impl Games for BatchGames {
    const TOGETHER: usize = TOGETHER;
    type Rules = Rules;
    type Error = Error;
    type Start = Board;
    type Layout = ();
    type Game = BatchGame;
    type View<'a> = Board;

    /// Validates the rules.
    ///
    /// # Errors
    ///
    /// [`Error::NoMoves`], and the errors of
    /// [`PlaneBoard::deal`](crate::bitboard::PlaneBoard::deal) for the size and colors of the
    /// rules.
    fn check(rules: &Rules) -> Result<(), Error> {
        rules.check()
    }

    fn shape(rules: &Rules, games: usize) -> Shape {
        let width = rules.width;
        let height = rules.height;
        Shape { games, cells: 2 * width * height, actions: Swap::actions(width, height) }
    }

    fn step_limit(_: &Rules) -> Option<NonZeroU32> {
        None
    }

    fn move_limit(rules: &Rules) -> Option<NonZeroU32> {
        NonZeroU32::new(rules.moves)
    }

    fn accepts(rules: &Rules, start: &Board) -> Result<(), &'static str> {
        check_board(rules, start)?;
        if swaps(start).is_empty() { Err("no swap is legal") } else { Ok(()) }
    }

    fn new(rules: &Rules, games: usize) -> Self {
        Self(match Layout::smallest(rules.width, rules.height, rules.colors) {
            Layout::Size8Colors7 => AnyGames::Size8Colors7(LaneGames::new(rules, games)),
            Layout::Size8Colors15 => AnyGames::Size8Colors15(LaneGames::new(rules, games)),
            Layout::Size16Colors7 => AnyGames::Size16Colors7(Singly::new(rules, games)),
            Layout::Size16Colors15 => AnyGames::Size16Colors15(Singly::new(rules, games)),
        })
    }

    fn start(
        &mut self,
        context: &Context<Self>,
        which: u64,
        stream: &mut dyn FnMut(usize) -> Option<Rng>,
    ) {
        with_games!(&mut self.0, games => for place in places(which) {
            games.start(place, stream(place), |rng| context.draw_start(rng));
        });
    }

    fn is_legal(&self, game: usize, action: u32) -> bool {
        with_games!(&self.0, games => games.is_legal(game, action))
    }

    fn count_legal(&self, _: &Context<Self>, which: u64, counts: &mut [usize]) {
        with_games!(&self.0, games => for place in places(which) {
            counts[place] = games.legal(place).len();
        });
    }

    fn list_legal(&self, context: &Context<Self>, which: u64, actions: &mut [u32]) {
        with_games!(&self.0, games => {
            let legal = places(which).flat_map(|place| game::actions(games.legal(place), context.rules.width));
            actions.iter_mut().zip(legal).for_each(|(to, action)| *to = action);
        });
    }

    fn draw(&mut self, _: &Context<Self>, which: u64, actions: &mut [u32]) {
        with_games!(&mut self.0, games => games.draw(which, actions));
    }

    fn play(&mut self, _: &Context<Self>, turn: Turn<'_>, reward: &mut [f32]) -> u64 {
        let Turn { which, last, actions } = turn;
        with_games!(&mut self.0, games => games.play(which, last, actions, reward));
        0
    }

    fn plane_cells(rules: &Rules, (): ()) -> Option<usize> {
        Some(rules.width * rules.height)
    }

    fn write(&self, _: &Context<Self>, (): (), obs: &mut [u8], mask: &mut [bool]) {
        with_games!(&self.0, games => games.write(obs, mask));
    }

    fn write_obs(&self, _: &Context<Self>, (): (), game: usize, obs: &mut [u8]) {
        let (colors, _) = obs.split_at_mut(obs.len() / 2);
        with_games!(&self.0, games => games.write_colors(game, colors));
    }

    fn write_steps(rules: &Rules, steps: u32, obs: &mut [u8]) {
        let (_, left) = obs.split_at_mut(obs.len() / 2);
        left.fill(u8::try_from(rules.moves.saturating_sub(steps)).unwrap_or(u8::MAX));
    }

    fn game(&self, game: usize) -> BatchGame {
        with_games!(&self.0, games => games.game(game).into())
    }

    fn set_game(&mut self, _: &Context<Self>, game: usize, value: &BatchGame) {
        with_games!(&mut self.0, games => games.set_value(game, value));
    }

    fn check_game(rules: &Rules, game: &mut BatchGame) -> Result<(), &'static str> {
        game.check(rules)
    }

    fn view(&self, game: usize) -> Board {
        with_games!(&self.0, games => games.board(game).into())
    }
}
