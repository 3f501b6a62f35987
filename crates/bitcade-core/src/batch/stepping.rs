//! [`Batch`]: many games stepped with the caller's actions.

pub(super) mod lists;
#[cfg(feature = "serde")]
mod saved;

use super::format::{Encoder, Format, FormatError, Scratch};
use super::games::{Context, Games, Turn};
use super::shape::{
    Autoreset, BatchError, IllegalAction, OtherRules, Seeds, Shape, StepOut, check_legal,
};
use crate::stop::{Stop, Stopped};
use crate::thread_pool::ThreadPool;
use alloc::vec;
use alloc::vec::Vec;
use bitcore::SetBits;
use core::num::NonZeroU32;

/// Many games of the same rules, stepped together: an environment for reinforcement learning. Each
/// game crate has an alias for its batch, and documents its observations, actions and rewards.
///
/// The slices are row-major, game by game, and owned by the caller (see [the module](super)).
/// [`Autoreset`] determines when the next game begins, [`IllegalAction`] how illegal actions are
/// handled, and [`with_step_limit`](Self::with_step_limit) when a game is truncated.
///
/// Game i only draws from [stream](bitcore::Rng::stream) i of the seed, so it doesn't depend on the
/// number of games, the level, the number of threads or the restart mode.
#[derive(Clone, Debug)]
pub struct Batch<G: Games> {
    context: Context<G>,
    seeds: Seeds,
    games: usize,
    ways: Ways,
    encoder: Encoder<G::Layout>,
    groups: Vec<Group<G>>,
}

/// How a batch handles ends and illegal actions.
#[derive(Clone, Copy, Debug)]
struct Ways {
    autoreset: Autoreset,
    illegal: IllegalAction,
    limit: Option<NonZeroU32>,
}

/// One group of games, and the state common to all kinds of games.
#[derive(Clone, Debug)]
struct Group<G> {
    games: G,
    steps: Vec<u32>,
    /// The final observation of the last game that ended in each place, before the format is
    /// applied; empty until one has ended.
    last: Vec<u8>,
    /// The mask of the places where a game has ended.
    ended: u64,
    /// The mask of the places where a finished game awaits its restart.
    finished: u64,
}

/// One game of a batch as a value, to restore in any batch of the same rules: the position, the
/// state of its stream, and its number of steps.
#[derive(Clone, Debug)]
pub struct GameState<G: Games> {
    rules: G::Rules,
    game: G::Game,
    steps: u32,
    is_finished: bool,
}

impl<G: Games> GameState<G> {
    /// Returns the rules of its batch.
    pub fn rules(&self) -> &G::Rules {
        &self.rules
    }

    /// Returns the number of steps played.
    pub fn steps(&self) -> u32 {
        self.steps
    }
}

fn places(mask: u64) -> impl Iterator<Item = usize> {
    SetBits(mask).map(|place| place as usize)
}

fn first_places(n: usize) -> u64 {
    if n >= 64 { u64::MAX } else { (1 << n) - 1 }
}

impl<G: Games> Group<G> {
    /// Starts the next game in each place of a mask, on its own stream, and keeps the final
    /// observations of finished games.
    fn restart(&mut self, context: &Context<G>, encoder: &Encoder<G::Layout>, which: u64) {
        for place in places(which & self.finished) {
            let cells = encoder.raw();
            if self.last.is_empty() {
                self.last = vec![0; cells * self.steps.len()];
            }
            let last = &mut self.last[cells * place..][..cells];
            self.games.write_obs(context, encoder.layout, place, last);
            G::write_steps(&context.rules, self.steps[place], last);
            self.ended |= 1 << place;
        }
        self.games.start(context, which, &mut |_| None);
        self.finished &= !which;
        for place in places(which) {
            self.steps[place] = 0;
        }
    }

    /// Returns the mask of the games that reach the limit with their next step.
    fn last_steps(&self, limit: Option<NonZeroU32>) -> u64 {
        let Some(limit) = limit else { return 0 };
        let mut last = 0;
        for (place, &steps) in self.steps.iter().enumerate() {
            last |= u64::from(steps >= limit.get() - 1) << place;
        }
        last
    }

    /// Plays one action in each game: from `actions`, or random legal ones if `None`.
    fn step(
        &mut self,
        context: &Context<G>,
        ways: Ways,
        (encoder, scratch): (&Encoder<G::Layout>, &mut Scratch),
        actions: Option<&[u32]>,
        out: StepOut<'_>,
    ) {
        let StepOut { obs, reward, terminated, truncated, mask } = out;
        let all = first_places(reward.len());
        let waiting = self.finished;
        let mut illegal = 0;
        if let Some(actions) = actions
            && ways.illegal != IllegalAction::Refuse
        {
            illegal = all & !self.games.are_legal(actions) & !waiting;
        }
        let plays = all & !waiting & !illegal;
        if plays != all {
            reward.fill(0.0);
        }
        let spent = self.last_steps(G::move_limit(&context.rules)) & !waiting;
        let last = (self.last_steps(ways.limit) & !waiting) | spent;
        let mut over =
            self.games.play(context, Turn { which: plays, last, actions }, reward) | spent;
        if ways.illegal == IllegalAction::End {
            over |= illegal;
        }
        if waiting != 0 {
            self.restart(context, encoder, waiting);
        }
        for steps in &mut self.steps {
            *steps = steps.saturating_add(1);
        }
        // A restart doesn't count as a step of the new game.
        for place in places(waiting) {
            self.steps[place] = 0;
        }
        let cut = last & !over;
        self.finished = over | cut;
        write_flags(terminated, over);
        write_flags(truncated, cut);
        if self.finished != 0 && ways.autoreset == Autoreset::SameStep {
            self.restart(context, encoder, self.finished);
        }
        self.write(context, (encoder, scratch), obs, mask);
    }

    fn write_one(
        &self,
        context: &Context<G>,
        (encoder, scratch): (&Encoder<G::Layout>, &mut Scratch),
        place: usize,
        obs: &mut [u8],
        mask: &mut [bool],
    ) {
        encoder.write(scratch, obs, |obs| {
            self.games.write_obs(context, encoder.layout, place, obs);
            G::write_steps(&context.rules, self.steps[place], obs);
        });
        self.games.write_mask(context, place, mask);
        if self.finished >> place & 1 == 1 {
            mask.fill(false);
        }
    }

    fn write(
        &self,
        context: &Context<G>,
        (encoder, scratch): (&Encoder<G::Layout>, &mut Scratch),
        obs: &mut [u8],
        mask: &mut [bool],
    ) {
        encoder.write(scratch, obs, |obs| {
            self.games.write(context, encoder.layout, obs, mask);
            for (&steps, obs) in self.steps.iter().zip(obs.chunks_exact_mut(encoder.raw().max(1))) {
                G::write_steps(&context.rules, steps, obs);
            }
        });
        let actions = mask.len() / self.steps.len().max(1);
        for place in places(self.finished) {
            mask[actions * place..][..actions].fill(false);
        }
    }
}

fn write_flags(flags: &mut [bool], mask: u64) {
    if mask == 0 {
        flags.fill(false);
    } else {
        for (place, flag) in flags.iter_mut().enumerate() {
            *flag = mask >> place & 1 == 1;
        }
    }
}

/// Returns the result of work that returned `false` if it was stopped.
fn unless_stopped(result: Result<bool, BatchError>) -> Result<Result<(), BatchError>, Stopped> {
    match result {
        Ok(false) => Err(Stopped),
        Ok(true) => Ok(Ok(())),
        Err(error) => Ok(Err(error)),
    }
}

impl<G: Games> Batch<G> {
    /// Starts `n` games with these rules and this seed.
    ///
    /// # Errors
    ///
    /// The rules' errors, even if `n` is 0, and [`TooManyGames`](super::TooManyGames) if there is
    /// no memory for the games.
    #[allow(clippy::missing_panics_doc, reason = "only `stop` ends it early")]
    pub fn new(n: usize, rules: impl Into<G::Rules>, seed: u64) -> Result<Self, G::Error> {
        Self::new_until(n, rules, seed, &|| false).expect("nothing stops it")
    }

    /// Does the same as [`new`](Self::new), unless `stop` ends it.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `stop` returned `true`.
    pub fn new_until(
        n: usize,
        rules: impl Into<G::Rules>,
        seed: u64,
        stop: Stop<'_>,
    ) -> Result<Result<Self, G::Error>, Stopped> {
        Self::start(n, rules.into(), seed, stop).transpose().ok_or(Stopped)
    }

    /// Returns `None` if `stop` returned `true`.
    fn start(
        n: usize,
        rules: G::Rules,
        seed: u64,
        stop: Stop<'_>,
    ) -> Result<Option<Self>, G::Error> {
        G::check(&rules)?;
        let shape = G::shape(&rules, n);
        let mut groups = shape.reserve_games::<Group<G>>(G::TOGETHER)?;
        // The states of the games take more memory than their handles.
        shape.reserve_games::<G::Game>(1)?;
        for first in (0..n).step_by(G::TOGETHER) {
            if stop() {
                return Ok(None);
            }
            let games = G::TOGETHER.min(n - first);
            let steps = vec![0; games];
            let games = G::new(&rules, games);
            groups.push(Group { games, steps, last: Vec::new(), ended: 0, finished: 0 });
        }
        let limit = G::step_limit(&rules);
        let ways =
            Ways { autoreset: Autoreset::default(), illegal: IllegalAction::default(), limit };
        let encoder = Encoder::identity(shape.cells);
        let context = Context { rules, starts: Vec::new() };
        let seeds = Seeds::One(seed);
        let mut batch = Self { context, seeds, games: n, ways, encoder, groups };
        Ok(batch.start_all(&ThreadPool::single(), stop).then_some(batch))
    }

    /// Returns the batch with another restart mode.
    #[must_use]
    pub fn with_autoreset(mut self, autoreset: Autoreset) -> Self {
        self.ways.autoreset = autoreset;
        self
    }

    /// Returns the batch with another handling of illegal actions.
    #[must_use]
    pub fn with_illegal_action(mut self, illegal: IllegalAction) -> Self {
        self.ways.illegal = illegal;
        self
    }

    /// Returns the batch with another step limit, after which games are truncated; `None` for no
    /// limit.
    #[must_use]
    pub fn with_step_limit(mut self, limit: Option<NonZeroU32>) -> Self {
        self.ways.limit = limit;
        self
    }

    /// Returns the batch with another format of observations. Final observations of games that have
    /// ended are forgotten.
    ///
    /// # Errors
    ///
    /// [`FormatError`] if the format doesn't fit the observations, or the observations of all games
    /// don't fit into memory.
    pub fn with_format(mut self, format: Format<G::Layout>) -> Result<Self, FormatError> {
        let rules = &self.context.rules;
        let cells = G::layout_cells(rules, format.layout).ok_or(FormatError::NoLayout)?;
        let encoder = Encoder::new(format, cells, G::plane_cells(rules, format.layout))?;
        let all = self.games.checked_mul(encoder.bytes());
        all.and_then(|all| isize::try_from(all).ok()).ok_or(FormatError::TooLarge)?;
        self.encoder = encoder;
        for group in &mut self.groups {
            group.ended = 0;
            group.last = Vec::new();
        }
        Ok(self)
    }

    /// Returns the format of the observations.
    pub fn format(&self) -> Format<G::Layout> {
        self.encoder.format()
    }

    /// Returns the batch with start positions, and restarts every game: each game draws its start
    /// uniformly, by [`Rng::below`](bitcore::Rng::below) their number, before its other draws.
    /// Without start positions, games begin according to the rules.
    ///
    /// # Errors
    ///
    /// [`BatchError::Start`] for the first position that doesn't fit the rules or has no legal
    /// action.
    pub fn with_starts(mut self, starts: Vec<G::Start>) -> Result<Self, BatchError> {
        self.set_starts(starts)?;
        self.start_all(&ThreadPool::single(), &|| false);
        Ok(self)
    }

    /// Replaces the start positions, for all games that begin from now on.
    ///
    /// # Errors
    ///
    /// See [`with_starts`](Self::with_starts); nothing has changed then.
    pub fn set_starts(&mut self, starts: Vec<G::Start>) -> Result<(), BatchError> {
        for (index, start) in starts.iter().enumerate() {
            G::accepts(&self.context.rules, start)
                .map_err(|reason| BatchError::Start { index, reason })?;
        }
        self.context.starts = starts;
        Ok(())
    }

    /// Returns the seeds of the games.
    pub fn seeds(&self) -> &Seeds {
        &self.seeds
    }

    /// Replaces the seeds. The next [`reset_into`](Self::reset_into) starts games from them.
    ///
    /// # Errors
    ///
    /// [`BatchError::Length`] unless there is one seed for all games or one per game.
    pub fn set_seeds(&mut self, seeds: Seeds) -> Result<(), BatchError> {
        if let Seeds::Each(each) = &seeds {
            self.shape().check_seeds(each)?;
        }
        self.seeds = seeds;
        Ok(())
    }

    /// Starts every game from the beginning of its stream. Returns `false` if `stop` returned
    /// `true`; some games are then still the previous ones.
    fn start_all(&mut self, pool: &ThreadPool, stop: Stop<'_>) -> bool {
        let context = &self.context;
        let mut streams = self.seeds.streams();
        // The streams are computed sequentially.
        let groups = self.groups.iter_mut().take_while(|_| !stop()).map(|group| {
            let streams: Vec<_> = streams.by_ref().take(group.steps.len()).map(Some).collect();
            (group, streams)
        });
        pool.for_each(groups, |(group, mut streams)| {
            let all = first_places(streams.len());
            group.games.start(context, all, &mut |place| streams[place].take());
            group.steps.fill(0);
            (group.ended, group.finished) = (0, 0);
        });
        !stop()
    }

    /// Returns the rules.
    pub fn rules(&self) -> &G::Rules {
        &self.context.rules
    }

    /// Returns the number of bytes of an observation.
    pub fn cells(&self) -> usize {
        self.shape().cells
    }

    /// Returns the number of actions of a game, legal or not.
    pub fn actions(&self) -> usize {
        self.shape().actions
    }

    /// Returns the number of games.
    pub fn len(&self) -> usize {
        self.games
    }

    /// Returns `true` if the batch has no games.
    pub fn is_empty(&self) -> bool {
        self.games == 0
    }

    /// Returns the dimensions of the slices.
    pub fn shape(&self) -> Shape {
        Shape { cells: self.encoder.bytes(), ..G::shape(&self.context.rules, self.games) }
    }

    /// Returns a read-only view of a game, or `None` if there is no such game.
    pub fn game(&self, game: usize) -> Option<G::View<'_>> {
        (game < self.games).then(|| self.groups[game / G::TOGETHER].games.view(game % G::TOGETHER))
    }

    /// Returns the number of steps of a current game, or `None` if there is no such game.
    pub fn steps(&self, game: usize) -> Option<u32> {
        (game < self.games).then(|| self.groups[game / G::TOGETHER].steps[game % G::TOGETHER])
    }

    /// Returns a game as a value, or `None` if there is no such game.
    pub fn state(&self, game: usize) -> Option<GameState<G>> {
        let group = self.groups.get(game / G::TOGETHER).filter(|_| game < self.games)?;
        let place = game % G::TOGETHER;
        Some(GameState {
            rules: self.context.rules.clone(),
            game: group.games.game(place),
            steps: group.steps[place],
            is_finished: group.finished >> place & 1 == 1,
        })
    }

    /// Replaces a game with a state from this or another batch, including its stream: the game
    /// continues exactly as the saved one would. [`write_into`](Self::write_into) writes its
    /// observation.
    ///
    /// # Errors
    ///
    /// [`OtherRules`] if the state is from a batch with different rules; nothing has changed then.
    ///
    /// # Panics
    ///
    /// If there is no such game.
    pub fn set_state(&mut self, game: usize, state: &GameState<G>) -> Result<(), OtherRules> {
        assert!(game < self.games, "game {game} of {}", self.games);
        if state.rules != self.context.rules {
            return Err(OtherRules);
        }
        let group = &mut self.groups[game / G::TOGETHER];
        let place = game % G::TOGETHER;
        group.games.set_game(&self.context, place, &state.game);
        group.steps[place] = state.steps;
        group.finished = group.finished & !(1 << place) | u64::from(state.is_finished) << place;
        Ok(())
    }

    /// Writes the observations and masks of all games.
    ///
    /// # Errors
    ///
    /// [`BatchError::Length`] if a slice has the wrong length.
    pub fn write_into(&self, obs: &mut [u8], mask: &mut [bool]) -> Result<(), BatchError> {
        self.shape().check_reset(obs, mask)?;
        self.write(obs, mask, &|| false);
        Ok(())
    }

    /// Writes the observations and masks of some games into slices for all games, and leaves the
    /// rest unchanged.
    ///
    /// # Errors
    ///
    /// [`BatchError::Length`] if a slice has the wrong length.
    ///
    /// # Panics
    ///
    /// If there is no such game.
    pub fn write_some_into(
        &self,
        games: &[usize],
        obs: &mut [u8],
        mask: &mut [bool],
    ) -> Result<(), BatchError> {
        let shape @ Shape { cells, actions, .. } = self.shape();
        shape.check_reset(obs, mask)?;
        let scratch = &mut Scratch::default();
        for &game in games {
            let obs = &mut obs[cells * game..][..cells];
            let mask = &mut mask[actions * game..][..actions];
            let group = &self.groups[game / G::TOGETHER];
            let place = game % G::TOGETHER;
            group.write_one(&self.context, (&self.encoder, scratch), place, obs, mask);
        }
        Ok(())
    }

    /// Returns `false` if `stop` returned `true`.
    fn write(&self, obs: &mut [u8], mask: &mut [bool], stop: Stop<'_>) -> bool {
        let scratch = &mut Scratch::default();
        for (group, (obs, mask)) in
            self.groups.iter().zip(self.shape().rows(G::TOGETHER, obs, mask))
        {
            if stop() {
                return false;
            }
            group.write(&self.context, (&self.encoder, scratch), obs, mask);
        }
        true
    }

    /// Starts every game from the beginning of its stream and writes the first observations and
    /// masks.
    ///
    /// # Errors
    ///
    /// [`BatchError::Length`] if a slice has the wrong length.
    pub fn reset_into(&mut self, obs: &mut [u8], mask: &mut [bool]) -> Result<(), BatchError> {
        self.reset(&ThreadPool::single(), obs, mask, &|| false).map(|_| ())
    }

    /// Like [`reset_into`](Self::reset_into), on the threads of a pool.
    ///
    /// # Errors
    ///
    /// See [`reset_into`](Self::reset_into).
    #[cfg(feature = "parallel")]
    pub fn reset_into_parallel(
        &mut self,
        pool: &ThreadPool,
        obs: &mut [u8],
        mask: &mut [bool],
    ) -> Result<(), BatchError> {
        self.reset(pool, obs, mask, &|| false).map(|_| ())
    }

    /// Does the same as [`reset_into`](Self::reset_into), on the threads of a pool, unless `stop`
    /// ends it.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `stop` returned `true`: every game is then playable, but only some have
    /// restarted, and the slices are meaningless.
    pub fn reset_into_until(
        &mut self,
        pool: &ThreadPool,
        obs: &mut [u8],
        mask: &mut [bool],
        stop: Stop<'_>,
    ) -> Result<Result<(), BatchError>, Stopped> {
        unless_stopped(self.reset(pool, obs, mask, stop))
    }

    fn reset(
        &mut self,
        pool: &ThreadPool,
        obs: &mut [u8],
        mask: &mut [bool],
        stop: Stop<'_>,
    ) -> Result<bool, BatchError> {
        self.shape().check_reset(obs, mask)?;
        Ok(self.start_all(pool, stop) && self.write(obs, mask, stop))
    }

    /// Starts the next game of the stream in each place with its flag set, and writes the
    /// observations and masks of all games.
    ///
    /// # Errors
    ///
    /// [`BatchError::Length`] if a slice has the wrong length.
    pub fn reset_some_into(
        &mut self,
        which: &[bool],
        obs: &mut [u8],
        mask: &mut [bool],
    ) -> Result<(), BatchError> {
        self.reset_some(which, obs, mask, &|| false).map(|_| ())
    }

    /// Does the same as [`reset_some_into`](Self::reset_some_into), unless `stop` ends it.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `stop` returned `true`: every game is then playable, but only some of the
    /// games in `which` have restarted, and the slices are meaningless.
    pub fn reset_some_into_until(
        &mut self,
        which: &[bool],
        obs: &mut [u8],
        mask: &mut [bool],
        stop: Stop<'_>,
    ) -> Result<Result<(), BatchError>, Stopped> {
        unless_stopped(self.reset_some(which, obs, mask, stop))
    }

    /// Returns `false` if `stop` returned `true`.
    fn reset_some(
        &mut self,
        which: &[bool],
        obs: &mut [u8],
        mask: &mut [bool],
        stop: Stop<'_>,
    ) -> Result<bool, BatchError> {
        self.shape().check_which(which)?;
        self.shape().check_reset(obs, mask)?;
        for (group, which) in self.groups.iter_mut().zip(which.chunks(G::TOGETHER)) {
            if stop() {
                return Ok(false);
            }
            let set = which.iter().rev().fold(0, |set, &flag| set << 1 | u64::from(flag));
            if set != 0 {
                group.games.forget(set);
                group.restart(&self.context, &self.encoder, set);
            }
        }
        Ok(self.write(obs, mask, stop))
    }

    /// Draws a uniformly random legal action for each game from the game's own stream; 0 for a game
    /// that awaits its restart. Drawing actions and then playing them equals
    /// [`random_step_into`](Self::random_step_into).
    ///
    /// # Errors
    ///
    /// [`BatchError::Length`] if the slice has the wrong length.
    pub fn sample_into(&mut self, actions: &mut [u32]) -> Result<(), BatchError> {
        self.sample(&ThreadPool::single(), actions)
    }

    /// Like [`sample_into`](Self::sample_into), on the threads of a pool.
    ///
    /// # Errors
    ///
    /// See [`sample_into`](Self::sample_into).
    #[cfg(feature = "parallel")]
    pub fn sample_into_parallel(
        &mut self,
        pool: &ThreadPool,
        actions: &mut [u32],
    ) -> Result<(), BatchError> {
        self.sample(pool, actions)
    }

    fn sample(&mut self, pool: &ThreadPool, actions: &mut [u32]) -> Result<(), BatchError> {
        self.shape().check_actions(actions)?;
        let context = &self.context;
        let share = pool.share(self.games, G::TOGETHER);
        let shares = self.groups.chunks_mut(share / G::TOGETHER).zip(actions.chunks_mut(share));
        pool.for_each_share(shares, |(groups, actions)| {
            for (group, actions) in groups.iter_mut().zip(actions.chunks_mut(G::TOGETHER)) {
                let waiting = group.finished;
                if waiting != 0 {
                    actions.fill(0);
                }
                group.games.draw(context, first_places(actions.len()) & !waiting, actions);
            }
        });
        Ok(())
    }

    /// Plays one action in each game.
    ///
    /// # Errors
    ///
    /// [`BatchError::Length`] if a slice has the wrong length; [`BatchError::Finished`] for the
    /// first game that awaits a reset; [`BatchError::Illegal`] for the first illegal action, unless
    /// the batch [handles](IllegalAction) them otherwise. An error changes nothing.
    pub fn step_into(&mut self, actions: &[u32], out: StepOut<'_>) -> Result<(), BatchError> {
        self.step(&ThreadPool::single(), actions, out)
    }

    /// Like [`step_into`](Self::step_into), on the threads of a pool.
    ///
    /// # Errors
    ///
    /// See [`step_into`](Self::step_into).
    #[cfg(feature = "parallel")]
    pub fn step_into_parallel(
        &mut self,
        pool: &ThreadPool,
        actions: &[u32],
        out: StepOut<'_>,
    ) -> Result<(), BatchError> {
        self.step(pool, actions, out)
    }

    fn step(
        &mut self,
        pool: &ThreadPool,
        actions: &[u32],
        out: StepOut<'_>,
    ) -> Result<(), BatchError> {
        self.shape().check_actions(actions)?;
        self.shape().check_step(&out)?;
        self.check_finished()?;
        if self.ways.illegal == IllegalAction::Refuse {
            self.check_legal(pool, actions)?;
        }
        self.step_all(pool, Some(actions), out);
        Ok(())
    }

    /// Plays a uniformly random legal action in each game. Slices and results are the same as for
    /// [`step_into`](Self::step_into); the two calls may be mixed.
    ///
    /// # Errors
    ///
    /// [`BatchError::Length`] if a slice has the wrong length; [`BatchError::Finished`] for the
    /// first game that awaits a reset.
    pub fn random_step_into(&mut self, out: StepOut<'_>) -> Result<(), BatchError> {
        self.random_step(&ThreadPool::single(), out)
    }

    /// Like [`random_step_into`](Self::random_step_into), on the threads of a pool.
    ///
    /// # Errors
    ///
    /// See [`random_step_into`](Self::random_step_into).
    #[cfg(feature = "parallel")]
    pub fn random_step_into_parallel(
        &mut self,
        pool: &ThreadPool,
        out: StepOut<'_>,
    ) -> Result<(), BatchError> {
        self.random_step(pool, out)
    }

    fn random_step(&mut self, pool: &ThreadPool, out: StepOut<'_>) -> Result<(), BatchError> {
        self.shape().check_step(&out)?;
        self.check_finished()?;
        self.step_all(pool, None, out);
        Ok(())
    }

    /// Refuses the first illegal action, except in games that await their restart.
    fn check_legal(&self, pool: &ThreadPool, actions: &[u32]) -> Result<(), BatchError> {
        let share = pool.share(self.games, G::TOGETHER);
        let mut checked = vec![Ok(()); self.games.div_ceil(share)];
        let shares = self.groups.chunks(share / G::TOGETHER).zip(actions.chunks(share)).enumerate();
        pool.for_each_share(shares.zip(&mut checked), |((i, (groups, actions)), checked)| {
            let is_legal = |game: usize, action| {
                let group = &groups[game / G::TOGETHER];
                let place = game % G::TOGETHER;
                group.finished >> place & 1 == 1 || group.games.is_legal(place, action)
            };
            *checked = check_legal(actions, is_legal).map_err(|error| error.after(share * i));
        });
        checked.into_iter().collect()
    }

    /// Refuses a step while a finished game awaits its reset.
    fn check_finished(&self) -> Result<(), BatchError> {
        if self.ways.autoreset != Autoreset::Disabled {
            return Ok(());
        }
        for (g, group) in self.groups.iter().enumerate() {
            if let Some(place) = places(group.finished).next() {
                return Err(BatchError::Finished { game: G::TOGETHER * g + place });
            }
        }
        Ok(())
    }

    /// Plays one action in each game: from `actions`, or random legal ones if `None`.
    fn step_all(&mut self, pool: &ThreadPool, actions: Option<&[u32]>, out: StepOut<'_>) {
        let context = &self.context;
        let ways = self.ways;
        let encoder = &self.encoder;
        let n = self.games;
        let shape = self.shape();
        let share = pool.share(n, G::TOGETHER);
        let shares =
            self.groups.chunks_mut(share / G::TOGETHER).zip(out.split(shape, share)).enumerate();
        pool.for_each_share(shares, |(i, (groups, out))| {
            let first = share * i;
            let shape = Shape { games: out.reward.len(), ..shape };
            let scratch = &mut Scratch::default();
            for (g, (group, out)) in
                groups.iter_mut().zip(out.split(shape, G::TOGETHER)).enumerate()
            {
                let first = first + G::TOGETHER * g;
                let actions = actions.map(|actions| &actions[first..n.min(first + G::TOGETHER)]);
                group.step(context, ways, (encoder, scratch), actions, out);
            }
        });
    }

    /// Writes the final observation of the last game that ended in a place into `obs`. Returns
    /// `false` and leaves `obs` unchanged if none has ended there since the reset.
    ///
    /// In the modes [`NextStep`](Autoreset::NextStep) and [`Disabled`](Autoreset::Disabled), a game
    /// only counts as ended once the next one has begun; until then, its final observation is the
    /// one written by the step.
    ///
    /// # Panics
    ///
    /// If `game` isn't below the number of games, or `obs` doesn't have [`cells`](Self::cells)
    /// bytes.
    pub fn final_obs_into(&self, game: usize, obs: &mut [u8]) -> bool {
        let cells = self.cells();
        assert_eq!(obs.len(), cells, "one observation");
        assert!(game < self.games, "game {game} of {}", self.games);
        let group = &self.groups[game / G::TOGETHER];
        let place = game % G::TOGETHER;
        let has_ended = group.ended >> place & 1 == 1;
        if has_ended {
            let cells = self.encoder.raw();
            let last = &group.last[cells * place..][..cells];
            self.encoder.write(&mut Scratch::default(), obs, |obs| obs.copy_from_slice(last));
        }
        has_ended
    }
}
