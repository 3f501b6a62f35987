//! Go for reinforcement learning: [`Batch`](crate::Batch), many games stepped together by the
//! caller's actions.
//!
//! Actions number the points row by row from the top, each row from the left; the last action,
//! equal to the number of points, is the pass. On 9 x 9, action 0 is A9, action 80 is J1 and action
//! 81 the pass ([`Move::action`](crate::Move::action)). Every move that the rules allow is legal,
//! even filling one's own eyes.
//!
//! An observation is six planes, each with one byte per point in action order:
//!
//! | plane | 1 where |
//! |---|---|
//! | 0 | the player to move has a stone |
//! | 1 | the opponent has a stone |
//! | 2 | only the ko rule forbids the player to move a stone |
//! | 3 | the last move placed a stone |
//! | 4 | the move before it placed a stone |
//! | 5 | everywhere, if Black is to move |
//!
//! [`Layout::History`] shows as many positions instead, 1 to 8. With 8 it has the 17 planes of
//! AlphaGo Zero: 8 planes of the own stones, the newest position first, 8 of the opponent's stones,
//! and one that is 1 everywhere if Black is to move. Positions before the start have no stones.
//!
//! Two consecutive passes end a game, which is scored by Tromp-Taylor area. The reward of that step
//! goes to the player who made the last pass: 1 for a win, -1 for a loss, 0 for a draw. All other
//! rewards are 0. A game is truncated without a winner after two moves per point;
//! [`Batch::with_step_limit`](crate::Batch::with_step_limit) sets another number of max steps.
//!
//! For targets of learning: a truncated game has reward 0 although its area can be scored, so
//! bootstrap from the value of its final observation. With [`Autoreset::SameStep`] the final board
//! is gone after the step that ends the game;
//! [`Batch::final_obs_into`](crate::Batch::final_obs_into) has its observation, and
//! [`Autoreset::Disabled`] keeps the board for [`Batch::game`](crate::Batch::game) and its score.
//!
//! The draws of a game: one `below(starts)`, if the batch has starts, then one
//! `below(legal actions)` for each random move, which selects a legal action in action order. The
//! pass is thus as likely as any point.

mod go_game;
mod observation;
mod view;

use crate::rules::board::{Board, Color};
use crate::rules::error::Error;
use crate::rules::game::Rules;
use crate::rules::komi::Score;
use alloc::vec::Vec;
use bitcade_core::batch::{Context, Games, Turn};
use bitcore::{Isa, Rng, SetBits, dispatch};
use core::num::NonZeroU32;
use go_game::GoGame;
use observation::PLANES;

pub use bitcade_core::batch::{
    Autoreset, BatchError, Element, Format, FormatError, GameState, IllegalAction, OneHot,
    OtherRules, Seeds, Shape, StepBuffers, StepOut, TooManyGames, WrongLength,
};
pub use observation::Layout;
pub use view::BatchView;

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum BySize<A, B, C, D, E> {
    Size5(A),
    Size7(B),
    Size9(C),
    Size13(D),
    Size19(E),
}

/// Evaluates `$work` with `$value` bound to the value of any size.
macro_rules! with_size {
    ($any:expr, $value:ident => $work:expr) => {
        match $any {
            BySize::Size5($value) => $work,
            BySize::Size7($value) => $work,
            BySize::Size9($value) => $work,
            BySize::Size13($value) => $work,
            BySize::Size19($value) => $work,
        }
    };
}

type AnyGame = BySize<GoGame<5, 1>, GoGame<7, 1>, GoGame<9, 2>, GoGame<13, 3>, GoGame<19, 6>>;
type AnyGames = BySize<
    Vec<GoGame<5, 1>>,
    Vec<GoGame<7, 1>>,
    Vec<GoGame<9, 2>>,
    Vec<GoGame<13, 3>>,
    Vec<GoGame<19, 6>>,
>;

/// One game of a [`Batch`](crate::Batch) with its random stream.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BatchGame(AnyGame);

/// The rules of Go for a [`Batch`](crate::Batch).
#[derive(Clone, Debug)]
pub struct BatchGames {
    rules: Rules,
    games: AnyGames,
}

impl Games for BatchGames {
    const TOGETHER: usize = 32;
    type Rules = Rules;
    type Error = Error;
    /// A board of the batch's size and the player to move. Its superko history is empty.
    type Start = (Board, Color);
    type Layout = Layout;
    type Game = BatchGame;
    type View<'a> = BatchView;

    fn check(rules: &Rules) -> Result<(), Error> {
        if matches!(rules.size.side(), Some(5 | 7 | 9 | 13 | 19)) {
            Ok(())
        } else {
            Err(Error::NoBatch(rules.size))
        }
    }

    fn shape(rules: &Rules, games: usize) -> Shape {
        let points = number_of_points(*rules);
        Shape { games, cells: PLANES * points, actions: points + 1 }
    }

    fn step_limit(rules: &Rules) -> Option<NonZeroU32> {
        NonZeroU32::new(2 * number_of_points(*rules) as u32)
    }

    fn accepts(rules: &Rules, start: &(Board, Color)) -> Result<(), &'static str> {
        // A pass is always legal.
        if start.0.size() == rules.size { Ok(()) } else { Err("a board of another size") }
    }

    fn new(rules: &Rules, games: usize) -> Self {
        let games = match rules.size.width() {
            5 => BySize::Size5(alloc::vec![GoGame::new(); games]),
            7 => BySize::Size7(alloc::vec![GoGame::new(); games]),
            9 => BySize::Size9(alloc::vec![GoGame::new(); games]),
            13 => BySize::Size13(alloc::vec![GoGame::new(); games]),
            _ => BySize::Size19(alloc::vec![GoGame::new(); games]),
        };
        Self { rules: *rules, games }
    }

    fn start(
        &mut self,
        context: &Context<Self>,
        which: u64,
        stream: &mut dyn FnMut(usize) -> Option<Rng>,
    ) {
        with_size!(&mut self.games, games => for place in SetBits(which) {
            let game = &mut games[place as usize];
            if let Some(stream) = stream(place as usize) {
                *game.rng() = stream;
            }
            let start = context.draw_start(game.rng());
            game.start(context.rules, start);
        });
    }

    fn is_legal(&self, game: usize, action: u32) -> bool {
        let pass = number_of_points(self.rules);
        action as usize == pass
            || with_size!(&self.games, games => games[game].legal_stone(action).is_some())
    }

    fn count_legal(&self, _context: &Context<Self>, which: u64, counts: &mut [usize]) {
        with_size!(&self.games, games => for place in SetBits(which).map(|place| place as usize) {
            // The stones and the pass.
            counts[place] = games[place].legal().len() as usize + 1;
        });
    }

    fn list_legal(&self, _context: &Context<Self>, which: u64, actions: &mut [u32]) {
        with_size!(&self.games, games => list_legal(games, which, actions));
    }

    fn draw(&mut self, _context: &Context<Self>, which: u64, actions: &mut [u32]) {
        with_size!(&mut self.games, games => draw(games, which, actions));
    }

    fn play(&mut self, context: &Context<Self>, turn: Turn<'_>, reward: &mut [f32]) -> u64 {
        let Turn { which, actions, .. } = turn;
        // The final observation shows what ko forbids, so legal moves are needed even at the end.
        with_size!(&mut self.games, games => play(games, context.rules, which, actions, reward))
    }

    fn layout_cells(rules: &Rules, layout: Layout) -> Option<usize> {
        observation::planes(layout).map(|planes| planes * number_of_points(*rules))
    }

    fn plane_cells(rules: &Rules, _: Layout) -> Option<usize> {
        Some(number_of_points(*rules))
    }

    fn write(&self, _context: &Context<Self>, layout: Layout, obs: &mut [u8], mask: &mut [bool]) {
        with_size!(&self.games, games => write(games, layout, obs, mask));
    }

    fn write_obs(&self, _context: &Context<Self>, layout: Layout, game: usize, obs: &mut [u8]) {
        with_size!(&self.games, games => write_obs(&games[game], layout, obs));
    }

    fn game(&self, game: usize) -> BatchGame {
        BatchGame(match &self.games {
            BySize::Size5(games) => BySize::Size5(games[game].clone()),
            BySize::Size7(games) => BySize::Size7(games[game].clone()),
            BySize::Size9(games) => BySize::Size9(games[game].clone()),
            BySize::Size13(games) => BySize::Size13(games[game].clone()),
            BySize::Size19(games) => BySize::Size19(games[game].clone()),
        })
    }

    fn set_game(&mut self, _context: &Context<Self>, game: usize, value: &BatchGame) {
        match (&mut self.games, &value.0) {
            (BySize::Size5(games), BySize::Size5(value)) => games[game].clone_from(value),
            (BySize::Size7(games), BySize::Size7(value)) => games[game].clone_from(value),
            (BySize::Size9(games), BySize::Size9(value)) => games[game].clone_from(value),
            (BySize::Size13(games), BySize::Size13(value)) => games[game].clone_from(value),
            (BySize::Size19(games), BySize::Size19(value)) => games[game].clone_from(value),
            _ => debug_assert!(false, "games of the same rules have the same size"),
        }
    }

    fn check_game(rules: &Rules, game: &mut BatchGame) -> Result<(), &'static str> {
        with_size!(&mut game.0, game => game.check(*rules))
    }

    fn view(&self, game: usize) -> BatchView {
        with_size!(&self.games, games => games[game].view(self.rules))
    }
}

const fn number_of_points(rules: Rules) -> usize {
    rules.size.width() * rules.size.height()
}

fn list_legal<const N: usize, const W: usize>(
    games: &[GoGame<N, W>],
    which: u64,
    actions: &mut [u32],
) {
    let legal = |place| {
        let stones = games[place as usize].legal().iter().map(Some);
        stones.chain([None]).map(GoGame::<N, W>::action)
    };
    for (to, action) in actions.iter_mut().zip(SetBits(which).flat_map(legal)) {
        *to = action;
    }
}

fn draw<const N: usize, const W: usize>(
    games: &mut [GoGame<N, W>],
    which: u64,
    actions: &mut [u32],
) {
    dispatch!(isa + slow_pext [games, which, actions] => draw_with(isa, games, which, actions));
}

#[inline(always)]
fn draw_with<S: Isa, const N: usize, const W: usize>(
    isa: S,
    games: &mut [GoGame<N, W>],
    which: u64,
    actions: &mut [u32],
) {
    for place in SetBits(which) {
        actions[place as usize] = GoGame::<N, W>::action(games[place as usize].draw(isa));
    }
}

fn play<const N: usize, const W: usize>(
    games: &mut [GoGame<N, W>],
    rules: Rules,
    which: u64,
    actions: Option<&[u32]>,
    reward: &mut [f32],
) -> u64 {
    dispatch!(isa + slow_pext [games, rules, which, actions, reward] => {
        play_with(isa, games, rules, which, actions, reward)
    })
}

#[inline(always)]
fn play_with<S: Isa, const N: usize, const W: usize>(
    isa: S,
    games: &mut [GoGame<N, W>],
    rules: Rules,
    which: u64,
    actions: Option<&[u32]>,
    reward: &mut [f32],
) -> u64 {
    let mut over = 0;
    for place in SetBits(which) {
        let game = &mut games[place as usize];
        let stone = match actions {
            Some(actions) => game.legal_stone(actions[place as usize]),
            None => game.draw(isa),
        };
        reward[place as usize] = 0.0;
        if game.play(rules, stone) {
            over |= 1 << place;
            let score = Score::new(game.area(), rules.komi).half_points();
            // Black moved last if it is White's turn.
            let sign = if game.to_move() == Color::White { 1 } else { -1 };
            reward[place as usize] = (sign * score.signum()) as f32;
        }
    }
    over
}

fn write<const N: usize, const W: usize>(
    games: &[GoGame<N, W>],
    layout: Layout,
    obs: &mut [u8],
    mask: &mut [bool],
) {
    // The sizes of the rows of the usual layout are constants then.
    if layout == Layout::Features {
        dispatch!(isa + slow_pext [games, obs, mask] => {
            write_with(isa, games, Layout::Features, obs, mask);
        });
    } else {
        dispatch!(isa + slow_pext [games, layout, obs, mask] => write_with(isa, games, layout, obs, mask));
    }
}

#[inline(always)]
fn write_with<S: Isa, const N: usize, const W: usize>(
    isa: S,
    games: &[GoGame<N, W>],
    layout: Layout,
    obs: &mut [u8],
    mask: &mut [bool],
) {
    let planes = observation::planes(layout).unwrap_or(PLANES);
    let rows = obs.chunks_exact_mut(planes * N * N).zip(mask.chunks_exact_mut(N * N + 1));
    for (game, (obs, mask)) in games.iter().zip(rows) {
        write_obs_with(isa, game, layout, obs);
        observation::write_mask(isa, game, mask);
    }
}

fn write_obs<const N: usize, const W: usize>(game: &GoGame<N, W>, layout: Layout, obs: &mut [u8]) {
    dispatch!(isa + slow_pext [game, layout, obs] => write_obs_with(isa, game, layout, obs));
}

#[inline(always)]
fn write_obs_with<S: Isa, const N: usize, const W: usize>(
    isa: S,
    game: &GoGame<N, W>,
    layout: Layout,
    obs: &mut [u8],
) {
    match layout {
        Layout::Features => observation::write_planes(isa, game, obs),
        Layout::History(_) => observation::write_history(isa, game, obs),
    }
}
