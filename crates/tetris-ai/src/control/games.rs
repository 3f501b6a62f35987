//! [`play_games`]: many games of a controller, on several threads.
//!
//! Threads play different games. The limits apply to the games in order, so the result is the same as on one
//! thread:
//!
//! ```text
//! limit 5000 pieces     game 0       game 1            game 2
//! played so far         1800, over   2300              900
//! may have at most      5000         5000 - 1800       5000 - 1800 - 2300
//! ```
//!
//! A game that is played while an earlier one is still running may turn out to have too many pieces. So each
//! game keeps up to 64 past positions, at an interval that doubles whenever they are full, and the last game
//! is replayed from the nearest earlier position:
//!
//! ```text
//! pieces of the last game       0 ------ 1000 ------ 2000 ------ 3000 ------ 4000
//! kept positions                *          *           *           *           *
//! its limit turns out to be                                  2600
//! replayed                                             ----->
//! ```

use super::controller::Controller;
use super::game::SimplifiedGame;
use crate::stop::Stop;
use crate::worker_pool::{lock, with_worker_pool};
use bitcore::{Moments, Rng};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// The settings of [`play_games`]. The games end at the first limit reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GamesSettings {
    /// The maximum number of games.
    pub games: Option<u64>,
    /// The maximum number of pieces over all games.
    pub pieces: Option<u64>,
    /// The number of threads. It does not affect the result.
    pub threads: usize,
}

impl Default for GamesSettings {
    /// Returns unlimited settings for one thread.
    fn default() -> Self {
        Self { games: None, pieces: None, threads: 1 }
    }
}

/// The results of [`play_games`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GamesPlayed {
    /// The statistics of lines per finished game.
    pub finished: Moments,
    /// The game cut short by a limit or by `stop`.
    pub unfinished: Option<SimplifiedGame>,
    /// The number of pieces over all games.
    pub pieces: u64,
    /// The number of boards evaluated over all games.
    pub evaluated: u64,
    /// The number of threads that could not be started.
    pub missing_threads: usize,
}

/// Plays the games of a seed with a controller, on several threads. Game i draws its pieces from
/// [stream](Rng::stream) i, and the result is the same for every number of threads.
///
/// ```
/// use tetris_ai::control::{Controller, ControllerWeights, GamesSettings, play_games};
/// let controller = Controller::new(ControllerWeights::DT20);
/// let settings = GamesSettings { pieces: Some(5000), ..GamesSettings::default() };
/// let played = play_games(&controller, settings, 1);
/// assert_eq!(played.pieces, 5000);
/// let on_two_threads = play_games(&controller, GamesSettings { threads: 2, ..settings }, 1);
/// assert_eq!(on_two_threads.unfinished, played.unfinished);
/// ```
///
/// Never returns if there is no limit.
pub fn play_games(controller: &Controller, settings: GamesSettings, seed: u64) -> GamesPlayed {
    play_games_until(controller, settings, seed, &|| false, &|_, _| {})
}

/// Like [`play_games`], but ends when `stop`, which every thread polls regularly, returns `true`. The result
/// then covers all games before the first unfinished one, and that one up to its last piece played. `visit`
/// is called now and then with the number of finished games and the number of pieces.
pub fn play_games_until(
    controller: &Controller,
    settings: GamesSettings,
    seed: u64,
    stop: Stop,
    visit: &(dyn Fn(u64, u64) + Sync),
) -> GamesPlayed {
    let threads = settings.threads;
    let state = Mutex::new(State {
        settings,
        next: Rng::new(seed),
        begun: 0,
        games: BTreeMap::new(),
        sums: GamesPlayed::default(),
    });
    let work = || {
        loop {
            let Some((number, mut game)) = lock(&state).begin() else { return };
            loop {
                let Some(pieces) = lock(&state).pieces_for(number, &game).filter(|_| !stop()) else { return };
                game.play(controller, pieces);
                let mut state = lock(&state);
                state.store(number, &game);
                visit(state.sums.finished.count, state.sums.pieces + state.pieces_of_first());
                if game.over() {
                    break;
                }
            }
        }
    };
    let missing_threads = with_worker_pool(threads, &work, |pool| {
        pool.run();
        pool.missing
    });
    let sums = state.into_inner().unwrap_or_else(PoisonError::into_inner).finish(controller);
    GamesPlayed { missing_threads, ..sums }
}

/// The number of pieces between two calls of `stop`; few in unit tests, because their games are short.
const PIECES_PER_STOP: u64 = if cfg!(test) { 10 } else { 1_000 };

/// The maximum number of earlier positions kept per game.
const MAX_KEPT: usize = 64;

struct State {
    settings: GamesSettings,
    next: Rng,
    begun: u64,
    /// All games from the first unfinished one on.
    games: BTreeMap<u64, Past>,
    /// The sums over the games before them.
    sums: GamesPlayed,
}

/// A game in progress.
struct Past {
    last: SimplifiedGame,
    /// Earlier positions, including the first.
    kept: Vec<SimplifiedGame>,
    /// Every `every`-th position is kept; `seen` counts all positions so far.
    every: u64,
    seen: u64,
}

impl Past {
    fn new(game: &SimplifiedGame) -> Self {
        Self { last: game.clone(), kept: vec![game.clone()], every: 1, seen: 0 }
    }

    fn push(&mut self, game: &SimplifiedGame) {
        self.last.clone_from(game);
        self.seen += 1;
        if self.seen.is_multiple_of(self.every) {
            self.kept.push(game.clone());
        }
        if self.kept.len() > MAX_KEPT {
            let mut i = 0;
            self.kept.retain(|_| (i % 2 == 0, i += 1).0);
            self.every *= 2;
        }
    }

    /// Returns the position after `pieces` pieces, or the last position if the game is shorter.
    fn position(mut self, controller: &Controller, pieces: u64) -> SimplifiedGame {
        if self.last.pieces() < pieces {
            return self.last;
        }
        // A position that is over has also tried the next piece.
        while self.kept.len() > 1
            && self.kept.last().is_some_and(|game| game.pieces() > pieces || game.over())
        {
            self.kept.pop();
        }
        let mut game = self.kept.pop().unwrap_or(self.last);
        game.play(controller, pieces - game.pieces());
        game
    }
}

impl State {
    /// Begins the next game unless a limit is reached.
    fn begin(&mut self) -> Option<(u64, SimplifiedGame)> {
        let number = self.begun;
        if self.settings.games.is_some_and(|games| number >= games) || self.left(number) == Some(0) {
            return None;
        }
        self.begun += 1;
        let game = SimplifiedGame::new(self.next.copy_and_jump());
        self.games.insert(number, Past::new(&game));
        Some((number, game))
    }

    /// Returns the maximum number of pieces that a game may have, given the current lengths of the games
    /// before it.
    fn left(&self, number: u64) -> Option<u64> {
        let before = self.games.range(..number).map(|(_, past)| past.last.pieces()).sum::<u64>();
        self.settings.pieces.map(|pieces| pieces.saturating_sub(self.sums.pieces + before))
    }

    /// Returns the number of pieces that a game plays next, or `None` if it has reached its maximum.
    fn pieces_for(&self, number: u64, game: &SimplifiedGame) -> Option<u64> {
        let left = self.left(number).map_or(u64::MAX, |left| left.saturating_sub(game.pieces()));
        (left > 0).then_some(left.min(PIECES_PER_STOP))
    }

    /// Stores a game's position, then adds every game that is over, along with all games before it, to the
    /// sums.
    fn store(&mut self, number: u64, game: &SimplifiedGame) {
        if let Some(past) = self.games.get_mut(&number) {
            past.push(game);
        }
        while let Some(entry) = self.games.first_entry() {
            let game = &entry.get().last;
            // A game that ends with the limit's last piece isn't over yet: only the next piece would show it.
            let within = self.settings.pieces.is_none_or(|pieces| self.sums.pieces + game.pieces() < pieces);
            if !game.over() || !within {
                break;
            }
            self.sums.finished.add(game.lines());
            self.sums.pieces += game.pieces();
            self.sums.evaluated += game.evaluated();
            entry.remove();
        }
    }

    fn pieces_of_first(&self) -> u64 {
        self.games.first_key_value().map_or(0, |(_, past)| past.last.pieces())
    }

    fn finish(mut self, controller: &Controller) -> GamesPlayed {
        let left = self.settings.pieces.map_or(u64::MAX, |pieces| pieces - self.sums.pieces);
        self.sums.unfinished = self.games.pop_first().map(|(_, past)| past.position(controller, left));
        if let Some(game) = &self.sums.unfinished {
            self.sums.pieces += game.pieces();
            self.sums.evaluated += game.evaluated();
        }
        self.sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::ControllerWeights;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn play(settings: GamesSettings, stop: Stop) -> GamesPlayed {
        // These weights top out after about 60 pieces.
        let controller = Controller::new(ControllerWeights { landing_height: -100, ..Default::default() });
        play_games_until(&controller, settings, 3, stop, &|_, _| {})
    }

    #[test]
    fn the_number_of_threads_changes_nothing() {
        for (games, pieces) in [
            (Some(0), None),
            (Some(25), None),
            (None, Some(1)),
            (None, Some(999)),
            (None, Some(4_000)),
            (Some(3), Some(1_000_000)),
            (Some(100), Some(1_000)),
        ] {
            let settings = GamesSettings { games, pieces, threads: 1 };
            let expected = play(settings, &|| false);
            for threads in [2, 3, 7] {
                assert_eq!(
                    play(GamesSettings { threads, ..settings }, &|| false),
                    expected,
                    "{settings:?}, {threads} threads"
                );
            }
        }
    }

    #[test]
    fn a_stopped_run_is_repeated_by_its_pieces() {
        for threads in [1, 2, 3, 7] {
            // A stop between two games knows that the first is over; a piece limit there does not.
            let is_within =
                |played: &GamesPlayed| played.unfinished.as_ref().is_some_and(|game| game.pieces() > 0);
            let stopped = (100..).find_map(|last| {
                let asked = AtomicUsize::new(0);
                let stop = || asked.fetch_add(1, Ordering::Relaxed) > last;
                Some(play(GamesSettings { threads, ..GamesSettings::default() }, &stop)).filter(is_within)
            });
            let stopped = stopped.unwrap();
            let settings = GamesSettings { pieces: Some(stopped.pieces), games: None, threads: 1 };
            assert_eq!(play(settings, &|| false), stopped);
        }
    }

    #[test]
    fn every_position_can_be_found_again() {
        let controller = Controller::new(ControllerWeights::DELLACHERIE);
        let start = SimplifiedGame::new(Rng::new(1));
        let (mut game, mut past) = (start.clone(), Past::new(&start));
        for _ in 0..1000 {
            game.play(&controller, 3);
            past.push(&game);
            assert!(past.kept.len() <= MAX_KEPT);
        }
        for pieces in [0, 1, 2, 3, 500, 1499, 2999, 3000] {
            let mut expected = start.clone();
            expected.play(&controller, pieces);
            let past = Past { last: past.last.clone(), kept: past.kept.clone(), ..past };
            assert_eq!(past.position(&controller, pieces), expected, "{pieces}");
        }
        assert_eq!(past.position(&controller, 4000), game);
    }
}
