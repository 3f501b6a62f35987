//! What [`Batch`](crate::Batch), a vectorized reinforcement learning environment, takes and
//! returns.

mod actions;
mod afterstates;
mod legal;
pub(crate) mod observation;
mod settings;

use crate::board::{Board, HEIGHT, WIDTH};
use crate::error::Error;
use crate::game::{Game, LockResult, MAX_NEXT, Move, Position, Rules};
use crate::garbage::Attack;
use crate::location::Location;
use crate::movegen::spin_of;
use crate::piece::Piece;
use crate::placement::{Placement, Spin};
use crate::real_time::guideline_score;
use afterstates::Rows;
use alloc::vec::Vec;
use bitcade_core::batch::{AfterstateShape, Context, Games, Turn};
use bitcore::{Isa, Rng, SetBits, dispatch};
use core::num::NonZeroU32;
use legal::{LegalSet, drop_landing};

pub use bitcade_core::batch::{
    Afterstates, AfterstatesOut, Autoreset, BatchError, Element, Format, FormatError, GameState,
    IllegalAction, LegalLists, OneHot, OtherRules, Seeds, Shape, StepBuffers, StepOut,
    TooManyGames, WrongLength,
};

pub use actions::{ACTION_ROWS, Actions, DecodedAction};
pub use afterstates::FEATURES;
pub use settings::{BatchSettings, GarbageRate, Layout, RewardKind};

/// One slot of a [`Batch`](crate::Batch): the current game, its random stream and the result of the
/// last step.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct BatchGame {
    game: Game,
    rng: Rng,
    actions: Actions,
    #[cfg_attr(feature = "serde", serde(skip))]
    legal: LegalSet,
    /// The action of the last step, and its result.
    action: Option<u32>,
    result: Option<LockResult>,
}

impl BatchGame {
    /// Returns the current game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Returns the result of the last step, including garbage it brought in. The step may have
    /// ended the game before the current one. Returns `None` if the last step played no action, or
    /// after a reset.
    pub fn lock_result(&self) -> Option<LockResult> {
        self.result
    }

    /// Returns the action of the last step, given by the caller or drawn by a random step. Returns
    /// `None` in the same cases as [`lock_result`](Self::lock_result).
    pub fn action(&self) -> Option<u32> {
        self.action
    }

    #[inline(always)]
    fn legal_move(&self, action: u32) -> Option<Move> {
        let Self { game, actions, .. } = self;
        let DecodedAction { hold, orientation, column, row } =
            actions.decode(action, &game.rules())?;
        let piece = if hold { game.piece_after_hold()? } else { game.piece() };
        let at = match row {
            Some(row) => Location { piece, orientation, x: column as i8, y: row as i8 },
            None => drop_landing(game, piece, orientation, column)?,
        };
        let rotated = spin_of(game.board(), at, false, game.rules().spin_mode);
        let spin = if rotated == Spin::None { rotated } else { actions.spin(game, at) };
        Some(Move { hold, placement: Placement { at, spin } })
    }

    #[inline(always)]
    fn draw<S: Isa>(&mut self, _: S) -> u32 {
        self.legal.draw(self.actions, &self.game.rules(), &mut self.rng)
    }

    #[inline(always)]
    fn play(&mut self, context: &Context<BatchGames>, action: u32) -> i64 {
        let turn = self.legal_move(action);
        self.action = Some(action);
        self.result = turn.and_then(|turn| self.game.lock(turn, &mut self.rng));
        if let Some(rate) = context.rules.garbage {
            self.receive(rate);
        }
        self.result.map_or(0, |result| match context.rules.reward {
            RewardKind::Lines => result.clear.lines.into(),
            RewardKind::Attack => result.attack.into(),
            RewardKind::Score => guideline_score(result.clear, 1) as i64,
        })
    }
}

impl BatchGame {
    /// Receives the garbage due after a lock, and updates the result.
    fn receive(&mut self, GarbageRate { every, lines }: GarbageRate) {
        let Self { game, rng, result: Some(result), .. } = self else { return };
        if game.is_over() || !game.pieces().is_multiple_of(every.get().into()) {
            return;
        }
        let column = rng.below(WIDTH as u32) as u8;
        // A running game takes every attack whose hole is in the field.
        result.garbage_rows += game.receive(Attack { lines, column }).unwrap_or(0);
        result.top_out = game.top_out();
    }
}

/// Checks that games can start from a board: for [`Games::accepts`].
pub(crate) fn accepts(rules: Rules, start: &Board) -> Result<(), &'static str> {
    if Piece::ALL.into_iter().any(|piece| start.spawn(piece, rules).is_none()) {
        return Err("not every piece can spawn");
    }
    if start.full_lines() == 0 { Ok(()) } else { Err("full rows") }
}

/// The games that a [`Batch`](crate::Batch) steps together.
#[derive(Clone, Debug)]
pub struct BatchGames {
    games: Vec<BatchGame>,
}

impl BatchGames {
    #[inline(always)]
    fn each(&mut self, which: u64) -> impl Iterator<Item = (usize, &mut BatchGame)> {
        self.games.iter_mut().enumerate().filter(move |&(place, _)| which >> place & 1 == 1)
    }

    #[inline(always)]
    fn fill_legal<S: Isa>(&mut self, isa: S, which: u64) {
        for (_, env) in self.each(which) {
            env.legal.fill(isa, env.actions, &env.game);
        }
    }
}

impl Games for BatchGames {
    const TOGETHER: usize = 32;
    type Rules = BatchSettings;
    type Error = Error;
    type Start = Board;
    type Layout = Layout;
    type Game = BatchGame;
    type View<'a> = &'a BatchGame;

    fn check(settings: &BatchSettings) -> Result<(), Error> {
        let found = settings.rows;
        if (1..=HEIGHT).contains(&found) { Ok(()) } else { Err(Error::VisibleRows { found }) }
    }

    fn shape(settings: &BatchSettings, games: usize) -> Shape {
        let cells = observation::cells(settings, Layout::default()).unwrap_or_default();
        Shape { games, cells, actions: settings.actions.count(&settings.rules) }
    }

    fn step_limit(_: &BatchSettings) -> Option<NonZeroU32> {
        None
    }

    fn accepts(settings: &BatchSettings, start: &Board) -> Result<(), &'static str> {
        accepts(settings.rules, start)
    }

    fn new(settings: &BatchSettings, games: usize) -> Self {
        let mut rng = Rng::new(0);
        // Placeholder: the batch starts each game before showing it.
        let game = Game::new(settings.rules, &mut rng);
        let actions = settings.actions;
        let game =
            BatchGame { game, rng, actions, legal: LegalSet::EMPTY, action: None, result: None };
        Self { games: alloc::vec![game; games] }
    }

    fn start(
        &mut self,
        context: &Context<Self>,
        which: u64,
        stream: &mut dyn FnMut(usize) -> Option<Rng>,
    ) {
        for (place, env) in self.each(which) {
            if let Some(rng) = stream(place) {
                env.rng = rng;
                (env.action, env.result) = (None, None);
            }
            let board = context.draw_start(&mut env.rng).copied().unwrap_or(Board::EMPTY);
            let position = Position { board, ..Position::default() };
            env.game = Game::start(context.rules.rules, position, &mut env.rng);
        }
        dispatch!(isa + v4 [group = self, which] => group.fill_legal(isa, which));
    }

    fn forget(&mut self, which: u64) {
        for (_, env) in self.each(which) {
            (env.action, env.result) = (None, None);
        }
    }

    fn is_legal(&self, game: usize, action: u32) -> bool {
        let env = &self.games[game];
        env.legal.contains(env.actions, action)
    }

    fn count_legal(&self, context: &Context<Self>, which: u64, counts: &mut [usize]) {
        dispatch!(_isa [group = self, settings = &context.rules, which, counts] => {
            for place in SetBits(which).map(|place| place as usize) {
                counts[place] = group.games[place].legal.count(settings.actions, &settings.rules);
            }
        });
    }

    fn list_legal(&self, context: &Context<Self>, which: u64, actions: &mut [u32]) {
        dispatch!(_isa [group = self, settings = &context.rules, which, actions] => {
            let mut to = actions.iter_mut();
            for place in SetBits(which) {
                let legal = group.games[place as usize].legal.iter(settings.actions, &settings.rules);
                legal.for_each(|action| if let Some(to) = to.next() { *to = action });
            }
        });
    }

    fn draw(&mut self, _context: &Context<Self>, which: u64, actions: &mut [u32]) {
        dispatch!(isa [group = self, which, actions] => {
            for (place, env) in group.each(which) {
                actions[place] = env.draw(isa);
            }
        });
    }

    fn play(&mut self, context: &Context<Self>, turn: Turn<'_>, reward: &mut [f32]) -> u64 {
        let Turn { which, last, actions } = turn;
        self.forget(!which);
        dispatch!(isa + v4 [group = self, context, which, last, actions, reward] => {
            let mut over = 0;
            for (place, env) in group.each(which) {
                let action = match actions {
                    Some(actions) => actions[place],
                    None => env.draw(isa),
                };
                reward[place] = env.play(context, action) as f32;
                over |= u64::from(env.game.is_over()) << place;
            }
            group.fill_legal(isa, which & !last & !over);
            over
        })
    }

    fn layout_cells(settings: &BatchSettings, layout: Layout) -> Option<usize> {
        observation::cells(settings, layout)
    }

    fn plane_cells(settings: &BatchSettings, layout: Layout) -> Option<usize> {
        (layout == Layout::Planes).then_some(settings.rows * WIDTH)
    }

    fn write(&self, context: &Context<Self>, layout: Layout, obs: &mut [u8], mask: &mut [bool]) {
        dispatch!(isa [group = self, settings = &context.rules, layout, obs, mask] => {
            let cells = observation::cells(settings, layout).unwrap_or_default();
            let shape = Shape { cells, ..Self::shape(settings, group.games.len()) };
            for (env, (obs, mask)) in group.games.iter().zip(shape.rows(1, obs, mask)) {
                observation::write(isa, settings, layout, &env.game, obs);
                env.legal.write(isa, settings.actions, mask);
            }
        });
    }

    fn write_obs(&self, context: &Context<Self>, layout: Layout, game: usize, obs: &mut [u8]) {
        dispatch!(isa [settings = &context.rules, layout, game = &self.games[game].game, obs] => {
            observation::write(isa, settings, layout, game, obs);
        });
    }

    fn write_mask(&self, context: &Context<Self>, game: usize, mask: &mut [bool]) {
        dispatch!(isa [settings = &context.rules, legal = &self.games[game].legal, mask] => {
            legal.write(isa, settings.actions, mask);
        });
    }

    fn game(&self, game: usize) -> BatchGame {
        self.games[game].clone()
    }

    fn set_game(&mut self, _: &Context<Self>, game: usize, value: &BatchGame) {
        self.games[game].clone_from(value);
    }

    fn check_game(settings: &BatchSettings, env: &mut BatchGame) -> Result<(), &'static str> {
        // `Game` caps its preview at MAX_NEXT, whatever its rules ask for.
        let next = settings.rules.next.min(MAX_NEXT);
        if env.game.rules() != (Rules { next, ..settings.rules }) || env.actions != settings.actions
        {
            return Err("a game of other rules");
        }
        if !env.game.is_over() {
            dispatch!(isa + v4 [env] => env.legal.fill(isa, env.actions, &env.game));
        }
        Ok(())
    }

    fn view(&self, game: usize) -> &BatchGame {
        &self.games[game]
    }
}

impl Afterstates for BatchGames {
    fn afterstate_shape(settings: &BatchSettings) -> AfterstateShape {
        AfterstateShape { cells: settings.rows * WIDTH, lines: 1, features: FEATURES.len() }
    }

    fn write_afterstates(&self, context: &Context<Self>, which: u64, out: AfterstatesOut<'_>) {
        dispatch!(isa [group = self, settings = &context.rules, which, out] => {
            let mut rows = Rows {
                boards: out.boards.chunks_exact_mut(settings.rows * WIDTH),
                features: out.features.as_chunks_mut().0.iter_mut(),
            };
            let mut scores = out.reward.iter_mut().zip(out.lines);
            for place in SetBits(which) {
                let env = &group.games[place as usize];
                for action in env.legal.iter(settings.actions, &settings.rules) {
                    let Some((reward, lines)) = scores.next() else { return };
                    let Some(turn) = env.legal_move(action) else { continue };
                    (*reward, *lines) = rows.write(isa, settings, &env.game, turn);
                }
            }
        });
    }
}
