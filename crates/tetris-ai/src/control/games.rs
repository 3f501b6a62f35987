//! [`play_games`]: many games of a controller, on several threads.
//!
//! Games are played in 64 lanes, one after the other in each. The pieces are dealt to the lanes in
//! turn, in blocks of a thousand; here with three lanes and a limit of 5500 pieces:
//!
//! ```text
//! pieces          0 .. 1000 .. 2000 .. 3000 .. 4000 .. 5000 .. 5500
//! lane              0       1       2       0       1       2
//!
//! lane 0, 2000 pieces   [game 0       ][game 3                  >   cut off
//! lane 1, 2000 pieces   [game 1                                 >   cut off
//! lane 2, 1500 pieces   [game 2][game 5                 >           cut off
//! ```
//!
//! A lane's pieces and its games depend only on the limits, so the result is the same for every
//! number of threads. Threads take the blocks in order. A run that is stopped has played all blocks
//! before some piece: a limit of that many pieces repeats it.

use super::controller::Controller;
use super::game::SimplifiedGame;
use crate::worker_pool::{lock, with_worker_pool};
use bitcade_core::{Backoff, Moments, Stop, Stopped};
use bitcore::Rng;
use std::sync::Mutex;

/// The settings of [`play_games`]. The games end at the first limit reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GamesSettings {
    /// The maximum number of games.
    pub games: Option<u64>,
    /// The maximum number of pieces over all games, dealt in blocks of 1,000 to up to 64 games at a
    /// time. A game that has used its pieces is cut off, even if others have ended before.
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
#[non_exhaustive]
pub struct GamesPlayed {
    /// The statistics of lines per finished game.
    pub finished: Moments,
    /// The games cut off by a limit or by `stop`.
    pub unfinished: Vec<SimplifiedGame>,
    /// The number of pieces over all games.
    pub pieces: u64,
    /// The limit of pieces that repeats these games. It is greater than `pieces` if some pieces
    /// were dealt when [`GamesSettings::games`] left no game for them.
    pub dealt: u64,
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
/// let settings = GamesSettings { pieces: Some(5500), ..GamesSettings::default() };
/// let played = play_games(&controller, settings, 1);
/// let pieces: Vec<u64> = played.unfinished.iter().map(|game| game.pieces()).collect();
/// assert_eq!(pieces, [1000, 1000, 1000, 1000, 1000, 500]);
/// let on_two_threads = play_games(&controller, GamesSettings { threads: 2, ..settings }, 1);
/// assert_eq!(on_two_threads, played);
/// ```
///
/// Never returns if there is no limit. [`SimplifiedGames`] can be stopped.
pub fn play_games(controller: &Controller, settings: GamesSettings, seed: u64) -> GamesPlayed {
    let mut games = SimplifiedGames::new(*controller, settings, seed);
    games.play();
    games.played()
}

/// The games of [`play_games`] in progress, which can be stopped and go on.
///
/// ```
/// use std::time::{Duration, Instant};
/// use tetris_ai::Stopped;
/// use tetris_ai::control::{Controller, ControllerWeights, GamesSettings, SimplifiedGames, play_games};
/// let controller = Controller::new(ControllerWeights::DT20);
/// let mut games = SimplifiedGames::new(controller, GamesSettings::default(), 1);
/// let end = Instant::now() + Duration::from_millis(20);
/// let show = |games, pieces| println!("{games} games have ended, {pieces} pieces");
/// assert_eq!(games.play_until(&|| Instant::now() >= end, &show), Err(Stopped));
/// let pieces = Some(games.played().dealt);
/// let again = play_games(&controller, GamesSettings { pieces, ..GamesSettings::default() }, 1);
/// assert_eq!(again, games.played());
/// ```
#[derive(Clone, Debug)]
pub struct SimplifiedGames {
    controller: Controller,
    lanes: Vec<Lane>,
    deal: Deal,
    threads: usize,
    missing_threads: usize,
}

impl SimplifiedGames {
    /// Creates the games of a seed, before their first piece.
    pub fn new(controller: Controller, settings: GamesSettings, seed: u64) -> Self {
        Self {
            controller,
            lanes: lanes(settings.games, seed),
            deal: Deal { limit: settings.pieces.unwrap_or(u64::MAX), ..Deal::default() },
            threads: settings.threads,
            missing_threads: 0,
        }
    }

    /// Plays up to the first limit. Never returns if there is none.
    #[allow(clippy::missing_panics_doc, reason = "only `stop` ends it early")]
    pub fn play(&mut self) {
        self.play_until(&|| false, &|_, _| {}).expect("nothing stops it");
    }

    /// Does the same, unless `stop` ends it. From time to time, calls `visit` on any thread with
    /// the number of finished games and the number of pieces.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `stop` returned `true`. [`played`](Self::played) returns what was played, and
    /// the next call goes on.
    pub fn play_until(
        &mut self,
        stop: Stop<'_>,
        visit: &(dyn Fn(u64, u64) + Sync),
    ) -> Result<(), Stopped> {
        let Self { controller, threads, .. } = *self;
        let lanes: Vec<Mutex<&mut Lane>> = self.lanes.iter_mut().map(Mutex::new).collect();
        let deal = Mutex::new(&mut self.deal);
        let work = || {
            while !stop() {
                let Some((lane, pieces)) = lock(&deal).next(lanes.len()) else { return };
                let (games, pieces, ended) = lock(&lanes[lane]).play(&controller, pieces);
                let mut deal = lock(&deal);
                deal.games += games;
                deal.pieces += pieces;
                deal.ended_lanes += usize::from(ended);
                visit(deal.games, deal.pieces);
            }
        };
        self.missing_threads = with_worker_pool(threads, &mut Backoff::default(), &work, |pool| {
            pool.run();
            pool.missing()
        });
        if self.deal.is_done(self.lanes.len()) { Ok(()) } else { Err(Stopped) }
    }

    /// Returns what was played so far.
    pub fn played(&self) -> GamesPlayed {
        let mut played = GamesPlayed {
            dealt: self.deal.dealt,
            missing_threads: self.missing_threads,
            ..GamesPlayed::default()
        };
        for lane in &self.lanes {
            lane.add_to(&mut played);
        }
        played
    }
}

/// The number of lanes: more than the threads of most machines, few enough for long games.
const LANES: u64 = if cfg!(test) { 5 } else { 64 };

/// The number of pieces in a block, and between two calls of `stop`; few in unit tests, because
/// their games are short.
const BLOCK: u64 = if cfg!(test) { 10 } else { 1_000 };

/// The pieces dealt so far, and what was played of them.
#[derive(Clone, Debug, Default)]
struct Deal {
    limit: u64,
    dealt: u64,
    games: u64,
    pieces: u64,
    /// The number of lanes that have no more games.
    ended_lanes: usize,
}

impl Deal {
    fn is_done(&self, lanes: usize) -> bool {
        self.dealt == self.limit || self.ended_lanes == lanes
    }

    /// Returns the next block: its lane and its number of pieces.
    fn next(&mut self, lanes: usize) -> Option<(usize, u64)> {
        if self.is_done(lanes) {
            return None;
        }
        let pieces = BLOCK.min(self.limit - self.dealt);
        let lane = (self.dealt / BLOCK % lanes as u64) as usize;
        self.dealt += pieces;
        Some((lane, pieces))
    }
}

/// The games of one lane: every [`LANES`]th game of the seed.
#[derive(Clone, Debug)]
struct Lane {
    game: Option<SimplifiedGame>,
    /// The stream of the next game.
    next: Rng,
    /// The number of games not begun yet.
    left: u64,
    finished: Moments,
    /// The sums over the finished games.
    pieces: u64,
    evaluated: u64,
}

/// Returns the lanes for a number of games, none of them without a game.
fn lanes(games: Option<u64>, seed: u64) -> Vec<Lane> {
    let games = games.unwrap_or(u64::MAX);
    let lane = |(first, next): (u64, Rng)| Lane {
        game: None,
        next,
        left: (games - first).div_ceil(LANES),
        finished: Moments::default(),
        pieces: 0,
        evaluated: 0,
    };
    (0..games.min(LANES)).zip(Rng::streams(seed)).map(lane).collect()
}

impl Lane {
    /// Plays up to `pieces` pieces. Returns the number of games that ended, the number of pieces
    /// placed, and whether the last of the lane's games has ended in this call.
    fn play(&mut self, controller: &Controller, pieces: u64) -> (u64, u64, bool) {
        let mut ended = 0;
        let mut left = pieces;
        while left > 0 {
            if self.game.is_none() && self.left > 0 {
                self.game = Some(SimplifiedGame::new(self.next.clone()));
                self.left -= 1;
                (0..LANES).for_each(|_| self.next.jump());
            }
            let Some(game) = &mut self.game else { break };
            left -= game.play(controller, left);
            if game.over() {
                self.finished.add(game.lines());
                self.pieces += game.pieces();
                self.evaluated += game.evaluated();
                self.game = None;
                ended += 1;
            }
        }
        (ended, pieces - left, ended > 0 && self.left == 0 && self.game.is_none())
    }

    fn add_to(&self, played: &mut GamesPlayed) {
        played.finished += self.finished;
        played.pieces += self.pieces;
        played.evaluated += self.evaluated;
        if let Some(game) = &self.game {
            played.pieces += game.pieces();
            played.evaluated += game.evaluated();
            played.unfinished.push(game.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::ControllerWeights;

    /// Returns a controller that tops out after about 60 pieces.
    fn weak() -> Controller {
        Controller::new(ControllerWeights { landing_height: -100, ..ControllerWeights::default() })
    }

    fn play(settings: GamesSettings) -> GamesPlayed {
        play_games(&weak(), settings, 3)
    }

    /// Plays the games without blocks: first counts each lane's pieces.
    fn expected(games: u64, pieces: u64) -> GamesPlayed {
        let lanes = games.min(LANES);
        let mut shares = vec![0; lanes as usize];
        for piece in 0..pieces {
            shares[(piece / BLOCK % lanes) as usize] += 1;
        }
        let mut played = GamesPlayed { dealt: pieces, ..GamesPlayed::default() };
        for (first, share) in (0..).zip(shares) {
            let mut left = share;
            for number in (first..games).step_by(LANES as usize) {
                if left == 0 {
                    break;
                }
                let mut game = SimplifiedGame::new(Rng::stream(3, number));
                left -= game.play(&weak(), left);
                played.pieces += game.pieces();
                played.evaluated += game.evaluated();
                if game.over() {
                    played.finished.add(game.lines());
                } else {
                    played.unfinished.push(game);
                }
            }
        }
        played
    }

    #[test]
    fn pieces_are_dealt_to_lanes() {
        for (games, pieces) in
            [(1, 7), (3, 95), (4, 2_000), (40, 1), (40, 49), (40, 51), (40, 999), (200, 4_000)]
        {
            for threads in [1, 2, 3, 7] {
                let settings = GamesSettings { games: Some(games), pieces: Some(pieces), threads };
                let mut played = play(settings);
                // All games may end before all pieces are dealt.
                assert!(played.dealt == pieces || played.finished.count == games, "{settings:?}");
                played.dealt = pieces;
                assert_eq!(played, expected(games, pieces), "{settings:?}");
            }
        }
    }

    #[test]
    fn the_number_of_threads_changes_nothing() {
        for (games, pieces) in
            [(Some(0), None), (Some(25), None), (None, Some(999)), (None, Some(4_000))]
        {
            let settings = GamesSettings { games, pieces, threads: 1 };
            let expected = play(settings);
            assert_eq!(expected.finished.count, games.unwrap_or(expected.finished.count));
            for threads in [2, 3, 7] {
                let mut found = play(GamesSettings { threads, ..settings });
                if pieces.is_none() {
                    // Other threads may take blocks while the last game ends.
                    found.dealt = expected.dealt;
                }
                assert_eq!(found, expected, "{settings:?}, {threads} threads");
            }
        }
    }

    #[test]
    fn a_stopped_run_is_repeated_by_its_pieces_and_goes_on() {
        for (threads, games) in [1, 2, 3, 7].into_iter().zip([None, None, Some(3), Some(40)]) {
            for last in [0, 1, 4, 5, 50, 333] {
                let settings = GamesSettings { games, threads, pieces: Some(5_000) };
                let mut these = SimplifiedGames::new(weak(), settings, 3);
                let ended = these.play_until(&testkit::stop_at(last), &|_, _| {});
                let stopped = these.played();
                let all = games.is_some_and(|games| stopped.finished.count == games);
                assert_eq!(ended, if all { Ok(()) } else { Err(Stopped) }, "{settings:?}");
                let repeated =
                    play(GamesSettings { games, pieces: Some(stopped.dealt), threads: 1 });
                assert!(
                    repeated.dealt <= stopped.dealt && stopped.dealt <= u64::from(last) * BLOCK
                );
                assert_eq!(
                    GamesPlayed { dealt: stopped.dealt, ..repeated },
                    stopped,
                    "{settings:?}"
                );
                these.play();
                let dealt = these.played().dealt;
                assert_eq!(these.played(), GamesPlayed { dealt, ..play(settings) }, "{settings:?}");
            }
        }
    }
}
