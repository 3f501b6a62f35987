//! Many games of a controller: [`play_games`], on several threads.
//!
//! Threads play different games. The limits count the games in their order, so the result is that of one
//! thread:
//!
//! ```text
//! limit 5000 pieces     game 0       game 1            game 2
//! played so far         1800, over   2300              900
//! may have at most      5000         5000 - 1800       5000 - 1800 - 2300
//! ```
//!
//! A game that went on while an earlier one was not over may turn out to have too many pieces. So each game
//! keeps some of its past positions, and the last one is played again from the nearest.

use super::controller::Controller;
use super::game::SimplifiedGame;
use crate::stop::Stop;
use crate::worker_pool::{lock, with_worker_pool};
use bitcore::{Moments, Rng};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// The settings of [`play_games`]. The first limit that is reached ends the games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GamesSettings {
    /// The most games.
    pub games: Option<u64>,
    /// The most pieces over all games.
    pub pieces: Option<u64>,
    /// The number of threads, which changes no result.
    pub threads: usize,
}

impl Default for GamesSettings {
    /// Returns settings without a limit, for one thread.
    fn default() -> Self {
        Self { games: None, pieces: None, threads: 1 }
    }
}

/// The results of [`play_games`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GamesPlayed {
    /// The lines of the finished games.
    pub finished: Moments,
    /// The game that a limit or `stop` ended.
    pub unfinished: Option<SimplifiedGame>,
    /// The number of pieces of all games.
    pub pieces: u64,
    /// The number of boards evaluated in all games.
    pub evaluated: u64,
    /// The number of threads that could not be started.
    pub missing_threads: usize,
}

/// Lets a controller play the games of a seed on several threads. Game i draws its pieces from
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
/// Without a limit, the games never end.
pub fn play_games(controller: &Controller, settings: GamesSettings, seed: u64) -> GamesPlayed {
    play_games_until(controller, settings, seed, &|| false, &|_, _| {})
}

/// Does the same as [`play_games`], until `stop`, which every thread asks regularly, returns `true`. Then the
/// games before the first unfinished one count, and that one as far as it was played. `visit` is called now
/// and then with the number of finished games and that of pieces.
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

/// The number of pieces between two calls of `stop`. The games of the tests are short.
const PIECES_PER_STOP: u64 = if cfg!(test) { 10 } else { 1_000 };

/// The number of earlier positions that a game keeps at most.
const MAX_KEPT: usize = 64;

/// The games in play, and the results of those before them.
struct State {
    settings: GamesSettings,
    next: Rng,
    begun: u64,
    /// The games from the first unfinished one on.
    games: BTreeMap<u64, Past>,
    /// The sums over the games before them.
    sums: GamesPlayed,
}

/// A game in play: its last position and some earlier ones.
struct Past {
    last: SimplifiedGame,
    /// Earlier positions, the first among them.
    kept: Vec<SimplifiedGame>,
    /// The number of positions of which one is kept, and of those so far.
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

    /// Returns the position after `pieces` pieces, if the game has as many, else the last position.
    fn position(mut self, controller: &Controller, pieces: u64) -> SimplifiedGame {
        if self.last.pieces() < pieces {
            return self.last;
        }
        // A game that is over tried one piece more.
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
    /// Begins the next game, unless the limits are reached.
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

    /// Returns the number of pieces that a game may have at most, by those of the games before it so far.
    fn left(&self, number: u64) -> Option<u64> {
        let before = self.games.range(..number).map(|(_, past)| past.last.pieces()).sum::<u64>();
        self.settings.pieces.map(|pieces| pieces.saturating_sub(self.sums.pieces + before))
    }

    /// Returns the number of pieces that a game plays next, or `None` if it has as many as it may have.
    fn pieces_for(&self, number: u64, game: &SimplifiedGame) -> Option<u64> {
        let left = self.left(number).map_or(u64::MAX, |left| left.saturating_sub(game.pieces()));
        (left > 0).then_some(left.min(PIECES_PER_STOP))
    }

    /// Stores a game's position, and adds to the sums the games that are over with all games before them.
    fn store(&mut self, number: u64, game: &SimplifiedGame) {
        if let Some(past) = self.games.get_mut(&number) {
            past.push(game);
        }
        while let Some(entry) = self.games.first_entry() {
            let game = &entry.get().last;
            // With the last piece of the limit a game isn't over yet: only the next piece shows it.
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

    /// Returns the results, with those of the unfinished game.
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
        // Its games have about 60 pieces.
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
            // Between two games a stop shows that the first is over, and a limit doesn't.
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
