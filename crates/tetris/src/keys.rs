//! What [`KeysBatch`](crate::KeysBatch), a vectorized reinforcement learning environment played key
//! by key, takes and returns.

mod observation;

use crate::batch::{RewardKind, accepts};
use crate::board::Board;
use crate::error::Error;
use crate::game::{Position, Rules};
use crate::real_time::{Event, Handling, Key, RealTimeGame, RealTimeRules};
use alloc::vec::Vec;
use bitcade_core::batch::{Context, Games, Shape, Turn};
use bitcore::{Isa, Rng, dispatch};
use core::num::{NonZeroU8, NonZeroU32};

pub use observation::{CELLS, COLUMNS, PLANES, ROWS};

const CACHE_LINE: usize = 64;

/// The keys by action, with all that rules can add.
const KEYS: [Option<Key>; 9] = [
    None,
    Some(Key::Left),
    Some(Key::Right),
    Some(Key::Cw),
    Some(Key::Ccw),
    Some(Key::SoftDrop),
    Some(Key::HardDrop),
    Some(Key::Hold),
    Some(Key::Half),
];

/// The rules, speed and rewards of a [`KeysBatch`](crate::KeysBatch).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct KeysSettings {
    /// The rules and speeds of the games.
    pub rules: RealTimeRules,
    /// The ticks per step: the key acts in the first one.
    pub frames: NonZeroU8,
    /// The quantity used as the reward.
    pub reward: RewardKind,
}

impl Default for KeysSettings {
    /// Returns the endless game with one tick per step and a reward of points.
    fn default() -> Self {
        Self { rules: RealTimeRules::default(), frames: NonZeroU8::MIN, reward: RewardKind::Score }
    }
}

impl From<RealTimeRules> for KeysSettings {
    /// Returns the default settings with these rules.
    fn from(rules: RealTimeRules) -> Self {
        Self { rules, ..Self::default() }
    }
}

impl KeysSettings {
    /// Returns the keys by action; `None` presses none. Hold is one of them if the rules allow it,
    /// and the half turn if the rotation system has it.
    ///
    /// ```
    /// use tetris::keys::KeysSettings;
    /// use tetris::real_time::{Key, RealTimeRules};
    /// use tetris::{RotationSystem, Rules};
    /// let game = Rules { rotation_system: RotationSystem::SrsPlus, ..Rules::default() };
    /// let settings = KeysSettings::from(RealTimeRules { game, ..RealTimeRules::default() });
    /// assert_eq!(settings.keys().nth(8), Some(Some(Key::Half)));
    /// assert_eq!(KeysSettings::default().keys().count(), 8);
    /// ```
    pub fn keys(&self) -> impl ExactSizeIterator<Item = Option<Key>> {
        (0..self.actions()).map(|action| self.key(action))
    }

    fn actions(&self) -> usize {
        let Rules { hold, rotation_system, .. } = self.rules.game;
        KEYS.len() - usize::from(!hold) - usize::from(!rotation_system.has_half_turns())
    }

    #[inline(always)]
    fn key(&self, action: usize) -> Option<Key> {
        const HOLD: usize = 7;
        KEYS[action + usize::from(action >= HOLD && !self.rules.game.hold)]
    }
}

/// One slot of a [`KeysBatch`](crate::KeysBatch): the current game, the random stream and the
/// action of the last step.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct KeysGame {
    #[cfg_attr(feature = "serde", serde(with = "crate::real_time::saved"))]
    game: RealTimeGame,
    rng: Rng,
    action: Option<u32>,
}

impl KeysGame {
    /// Returns the current game. Its recording contains no keys.
    pub fn game(&self) -> &RealTimeGame {
        &self.game
    }

    /// Returns the action of the last step, given by the caller or drawn by a random step. The step
    /// may have ended the game before the current one. Returns `None` if the last step played no
    /// action, or after a reset.
    pub fn action(&self) -> Option<u32> {
        self.action
    }

    /// Plays one step and returns its reward. `events` is scratch memory.
    #[inline(always)]
    fn play(&mut self, settings: &KeysSettings, action: u32, events: &mut Vec<Event>) -> i64 {
        let Self { game, .. } = self;
        self.action = Some(action);
        let lines = game.lines();
        let score = game.score();
        events.clear();
        game.tick_unrecorded(settings.key(action as usize), events);
        for _ in 1..settings.frames.get() {
            game.tick_unrecorded(None, events);
        }
        let gained = match settings.reward {
            RewardKind::Lines => game.lines() - lines,
            RewardKind::Score => game.score() - score,
            RewardKind::Attack => events.iter().map(attack).sum(),
        };
        i64::try_from(gained).unwrap_or(i64::MAX)
    }
}

fn attack(event: &Event) -> u64 {
    if let Event::Locked(lock) = event { lock.result.attack.into() } else { 0 }
}

/// The games that a [`KeysBatch`](crate::KeysBatch) steps together.
#[derive(Clone, Debug)]
pub struct KeysGames {
    games: Vec<KeysGame>,
}

impl KeysGames {
    fn each(&mut self, which: u64) -> impl Iterator<Item = (usize, &mut KeysGame)> {
        self.games.iter_mut().enumerate().filter(move |&(place, _)| which >> place & 1 == 1)
    }
}

impl Games for KeysGames {
    const TOGETHER: usize = 32;
    type Rules = KeysSettings;
    type Error = Error;
    type Start = Board;
    type Layout = ();
    type Game = KeysGame;
    type View<'a> = &'a KeysGame;

    fn check(_: &KeysSettings) -> Result<(), Error> {
        Ok(())
    }

    fn shape(settings: &KeysSettings, games: usize) -> Shape {
        Shape { games, cells: CELLS, actions: settings.actions() }
    }

    fn step_limit(_: &KeysSettings) -> Option<NonZeroU32> {
        None
    }

    fn accepts(settings: &KeysSettings, start: &Board) -> Result<(), &'static str> {
        accepts(settings.rules.game, start)
    }

    fn new(settings: &KeysSettings, games: usize) -> Self {
        // Placeholder: the batch starts each game before showing it.
        let game = RealTimeGame::new(settings.rules, Handling::default(), 0);
        Self { games: alloc::vec![KeysGame { game, rng: Rng::new(0), action: None }; games] }
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
                env.action = None;
            }
            let board = context.draw_start(&mut env.rng).copied().unwrap_or(Board::EMPTY);
            let position = Position { board, ..Position::default() };
            let seed = env.rng.next_u64();
            env.game =
                RealTimeGame::start(context.rules.rules, Handling::default(), position, seed);
        }
    }

    fn forget(&mut self, which: u64) {
        for (_, env) in self.each(which) {
            env.action = None;
        }
    }

    fn is_legal(&self, game: usize, action: u32) -> bool {
        let rules = self.games[game].game.rules();
        (action as usize) < KeysSettings::from(rules).actions()
    }

    fn draw(&mut self, context: &Context<Self>, which: u64, actions: &mut [u32]) {
        let count = context.rules.actions() as u32;
        for (place, env) in self.each(which) {
            actions[place] = env.rng.below(count);
        }
    }

    fn play(&mut self, context: &Context<Self>, turn: Turn<'_>, reward: &mut [f32]) -> u64 {
        let Turn { which, actions, .. } = turn;
        self.forget(!which);
        let count = context.rules.actions() as u32;
        let mut over = 0;
        let mut events = Vec::new();
        for (place, env) in self.each(which) {
            let action = match actions {
                Some(actions) => actions[place],
                None => env.rng.below(count),
            };
            reward[place] = env.play(&context.rules, action, &mut events) as f32;
            over |= u64::from(env.game.end().is_some()) << place;
        }
        over
    }

    fn plane_cells(_: &KeysSettings, (): ()) -> Option<usize> {
        Some(ROWS * COLUMNS)
    }

    fn write(&self, _: &Context<Self>, (): (), obs: &mut [u8], mask: &mut [bool]) {
        dispatch!(isa [games = &self.games, obs] => {
            let mut left = obs.as_chunks_mut().0.iter_mut();
            for env in games {
                let Some(obs) = left.next() else { break };
                // In a large batch, the hardware doesn't foresee the next row.
                if let [next, ..] = left.as_slice() {
                    next.chunks(CACHE_LINE).for_each(|line| isa.prefetch(&line[0]));
                }
                observation::write(isa, &env.game, obs);
            }
        });
        mask.fill(true);
    }

    fn write_obs(&self, _: &Context<Self>, (): (), game: usize, obs: &mut [u8]) {
        let Some(obs) = obs.first_chunk_mut() else { return };
        dispatch!(isa [game = &self.games[game].game, obs] => observation::write(isa, game, obs));
    }

    fn game(&self, game: usize) -> KeysGame {
        self.games[game].clone()
    }

    fn set_game(&mut self, _: &Context<Self>, game: usize, value: &KeysGame) {
        self.games[game].clone_from(value);
    }

    fn check_game(settings: &KeysSettings, env: &mut KeysGame) -> Result<(), &'static str> {
        if env.game.rules() == settings.rules { Ok(()) } else { Err("a game of other rules") }
    }

    fn view(&self, game: usize) -> &KeysGame {
        &self.games[game]
    }
}
