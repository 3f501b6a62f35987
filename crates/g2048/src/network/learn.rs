//! [`Learner`]: temporal-difference learning by self-play.

use super::backward::{Transcript, learn_backward_with};
use super::late::late_start;
use super::settings::LearnerSettings;
use super::tables::{TupleTables, WeightIndices4, Weights, find_weight_indices};
use crate::error::Error;
use crate::packed::{Packed, PackedSlide};
use alloc::vec::Vec;
use bitcore::{Isa, Portable, Rng, dispatch};
use core::fmt;
#[cfg(feature = "parallel")]
use {
    bitcade_core::ThreadPool,
    std::sync::{Mutex, PoisonError},
};

/// A point of the learning curve: totals over [`CurvePoint::GAMES`] consecutive games, played while
/// learning. Restarts don't count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CurvePoint {
    /// The sum of the scores.
    pub score: u64,
    /// The number of moves.
    pub moves: u64,
    /// The number of games that reached the 2048 tile.
    pub reached_2048: u64,
}

impl CurvePoint {
    /// The number of games per point.
    pub const GAMES: u64 = 1000;
}

/// A TD(lambda) learner of afterstate values, from greedy self-play.
///
/// Each game is learned after its end, from the last afterstate to the first. The last one's value
/// moves toward 0; the others' move toward the gain of the next move plus a mean of the next
/// afterstate's target and of its value, which has just been updated
/// ([`lambda`](LearnerSettings::lambda)). Then a game restarts from its middle
/// ([`games_per_restart`](LearnerSettings::games_per_restart)), or a new game starts.
///
/// As long as a single thread learns, the seed, the settings and the number of rounds determine the
/// result to the last bit, on every ISA level and across any number of [saves](Self::save) and
/// [loads](Self::load). Several threads (`learn_parallel`) share the weights, and their result
/// varies from run to run; [`is_repeatable`](Self::is_repeatable) is then `false`. A learner takes
/// up to 768 MiB, and 16 bytes per move of the games in progress.
///
/// A 65536 counts as a 32768 on the board, but its gain counts in full.
///
/// ```
/// use g2048::Learner;
/// use g2048::network::LearnerSettings;
/// let mut learner = Learner::new(LearnerSettings::default(), 1)?;
/// learner.learn(2_000);
/// assert_eq!(learner.rounds(), 2_000);
/// assert!(learner.games() > 0);
/// let network = learner.network();
/// # Ok::<_, g2048::Error>(())
/// ```
pub struct Learner {
    pub(super) settings: LearnerSettings,
    pub(super) tables: TupleTables,
    pub(super) episodes: Vec<Episode>,
    pub(super) next: Rng,
    pub(super) rounds: u64,
    pub(super) moves: u64,
    pub(super) games: u64,
    pub(super) restarts: u64,
    pub(super) curve: Vec<CurvePoint>,
    /// The totals since the last point of the curve.
    pub(super) point: CurvePoint,
    /// Whether several threads have ever learned at the same time.
    pub(super) shared: bool,
}

/// A game in progress, or its continuation from a restart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Episode {
    pub(super) rng: Rng,
    /// The position before the move.
    pub(super) board: Packed,
    /// The moves since the start or the last restart.
    pub(super) moves: Transcript,
    /// The number of restarts.
    pub(super) restarts: u64,
}

impl Episode {
    pub(super) fn start(next: &mut Rng, settings: LearnerSettings) -> Self {
        let mut rng = next.copy_and_jump();
        let board =
            if settings.late_start { late_start(&mut rng) } else { Packed::start(&mut rng) };
        Self { rng, board, moves: Vec::new(), restarts: 0 }
    }
}

/// The slides of an episode's next move and their weight indices, computed one round ahead so that
/// the weights can be prefetched.
struct Candidates {
    slides: [PackedSlide; 4],
    /// The weight indices of the four afterstates.
    indices: WeightIndices4,
}

impl Candidates {
    #[inline(always)]
    fn new_with<S: Isa>(isa: S, board: Packed) -> Self {
        let slides = [PackedSlide { board, gain: 0, changed: false }; 4];
        let mut candidates = Self { slides, indices: [[0; 4]; 32] };
        candidates.prepare_with(isa, board);
        candidates
    }

    #[inline(always)]
    fn prepare_with<S: Isa>(&mut self, isa: S, board: Packed) {
        self.slides = board.slides_clamped();
        find_weight_indices(isa, &self.slides.map(|slide| slide.board), &mut self.indices);
    }
}

impl Learner {
    /// Returns a learner with all weights 0.
    ///
    /// # Errors
    ///
    /// [`Error::ConcurrentGames`], [`Error::LearningRate`] or [`Error::Lambda`] if a setting is out
    /// of range.
    pub fn new(settings: LearnerSettings, seed: u64) -> Result<Self, Error> {
        settings.check()?;
        let mut next = Rng::new(seed);
        Ok(Self {
            settings,
            tables: TupleTables::new(),
            episodes: (0..settings.concurrent_games)
                .map(|_| Episode::start(&mut next, settings))
                .collect(),
            next,
            rounds: 0,
            moves: 0,
            games: 0,
            restarts: 0,
            curve: Vec::new(),
            point: CurvePoint::default(),
            shared: false,
        })
    }

    /// Returns the learner's settings.
    pub const fn settings(&self) -> LearnerSettings {
        self.settings
    }

    /// Returns the number of complete rounds played. In a round each concurrent game makes one
    /// move, or is learned if it is over.
    pub const fn rounds(&self) -> u64 {
        self.rounds
    }

    /// Returns the number of moves played.
    pub const fn moves(&self) -> u64 {
        self.moves
    }

    /// Returns the number of finished games.
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Returns the number of games that were restarted and then finished again.
    pub const fn restarts(&self) -> u64 {
        self.restarts
    }

    /// Returns the learning curve: one point per [`CurvePoint::GAMES`] games, in the order in which
    /// the games ended.
    pub fn curve(&self) -> &[CurvePoint] {
        &self.curve
    }

    /// Returns `true` if the seed, the settings and the number of rounds determine the weights:
    /// several threads have never learned at the same time.
    pub const fn is_repeatable(&self) -> bool {
        !self.shared
    }

    /// Returns the current value of an afterstate: the estimated remaining score, before the spawn.
    /// Unlike the value from [`network`](Self::network), it isn't rounded to 16-bit weights.
    ///
    /// ```
    /// use g2048::{Learner, Packed};
    /// use g2048::network::LearnerSettings;
    /// let mut learner = Learner::new(LearnerSettings::default(), 1)?;
    /// assert_eq!(learner.value(Packed::EMPTY), 0.0);
    /// learner.learn(5_000);
    /// let board = Packed::start(&mut g2048::Rng::new(7));
    /// let rounded = learner.network().value(board);
    /// assert!(rounded > 0.0 && (learner.value(board) - rounded).abs() < 0.01 * rounded);
    /// # Ok::<_, g2048::Error>(())
    /// ```
    pub fn value(&self, after: Packed) -> f32 {
        let mut indices = [[0; 4]; 32];
        find_weight_indices(Portable, &[after; 4], &mut indices);
        self.tables.value_of(&indices, 0)
    }

    /// Plays and learns for a number of rounds.
    pub fn learn(&mut self, rounds: u64) {
        self.learn_games(u64::MAX, rounds);
    }

    /// Plays and learns until [`games`](Self::games) is at least `most`, for at most `rounds`
    /// rounds.
    ///
    /// Learning ends with the last game, even within a round; the next call continues from there,
    /// and [`rounds`](Self::rounds) counts complete rounds. Learning in parts therefore gives the
    /// same learner as learning without a pause.
    ///
    /// ```
    /// use g2048::Learner;
    /// use g2048::network::LearnerSettings;
    /// let mut learner = Learner::new(LearnerSettings::default(), 1)?;
    /// learner.learn_games(20, u64::MAX);
    /// assert_eq!(learner.games(), 20);
    /// # Ok::<_, g2048::Error>(())
    /// ```
    pub fn learn_games(&mut self, most: u64, rounds: u64) {
        if self.games >= most {
            return;
        }
        let steps_before = self.steps();
        let lanes = self.episodes.len() as u64;
        let settings = self.settings;
        let (tables, episodes, mut log) = self.parts(most);
        let log = &mut log;
        let played = dispatch!(isa [settings, tables, episodes, log, rounds] =>
                learn_with(isa, settings, tables, episodes, log, rounds)
        );
        // The games take turns: rotate the next one to the front.
        self.episodes.rotate_left(played.next_lane);
        self.moves += played.moves;
        let steps = self.steps() - steps_before;
        self.rounds += (steps_before % lanes + steps) / lanes;
    }

    /// Each step is a move or the end of a game.
    const fn steps(&self) -> u64 {
        self.moves + self.games + self.restarts
    }

    fn parts(&mut self, most: u64) -> (&mut TupleTables, &mut Vec<Episode>, Log<'_>) {
        let Self { settings, tables, episodes, next, games, restarts, curve, point, .. } = self;
        (tables, episodes, Log { settings: *settings, next, games, restarts, curve, point, most })
    }

    /// Plays and learns for a number of rounds on the threads of a pool. The threads play different
    /// games and share the weights.
    ///
    /// The threads don't synchronize: of two simultaneous updates of a weight, one may be lost,
    /// which is rare and does no harm to learning. But the result depends on timing and varies from
    /// run to run. With a pool of one thread it equals the result of [`learn`](Self::learn).
    ///
    /// If there are fewer than four concurrent games per thread, more are started, up to the limit
    /// of 64 ([`LearnerSettings::concurrent_games`]). They remain when fewer threads learn later.
    ///
    /// ```
    /// use g2048::ThreadPool;
    /// use g2048::Learner;
    /// use g2048::network::LearnerSettings;
    /// let pool = ThreadPool::new(2.try_into()?);
    /// let mut learner = Learner::new(LearnerSettings::default(), 1)?;
    /// learner.learn_parallel(&pool, 1_000);
    /// assert_eq!((learner.rounds(), learner.settings().concurrent_games), (1_000, 8));
    /// assert!(!learner.is_repeatable() && learner.moves() > 7_000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "parallel")]
    pub fn learn_parallel(&mut self, pool: &ThreadPool, rounds: u64) {
        self.learn_games_parallel(pool, u64::MAX, rounds);
    }

    /// Plays and learns like [`learn_games`](Self::learn_games) on the threads of a pool; see
    /// [`learn_parallel`](Self::learn_parallel). A thread stops at the end of one of its games, so
    /// [`rounds`](Self::rounds) is the mean over the concurrent games.
    #[cfg(feature = "parallel")]
    pub fn learn_games_parallel(&mut self, pool: &ThreadPool, most: u64, rounds: u64) {
        if self.games >= most {
            return;
        }
        let threads = pool.threads();
        let wanted = threads.saturating_mul(4).min(64);
        while threads > 1 && self.episodes.len() < wanted {
            self.episodes.push(Episode::start(&mut self.next, self.settings));
            self.settings.concurrent_games += 1;
        }
        let share = self.episodes.len().div_ceil(threads);
        let steps_before = self.steps();
        let settings = self.settings;
        let (tables, episodes, log) = self.parts(most);
        let Some(tables) = tables.share().filter(|_| threads > 1) else {
            return self.learn_games(most, rounds);
        };
        let log = Mutex::new(log);
        let moves = Mutex::new(0);
        pool.for_each(episodes.chunks_mut(share), |episodes| {
            let tables = &mut tables.clone();
            let log = &mut &log;
            let played = dispatch!(isa [settings, tables, episodes, log, rounds] =>
                    learn_with(isa, settings, tables, episodes, log, rounds)
            );
            *moves.lock().unwrap_or_else(PoisonError::into_inner) += played.moves;
        });
        let moves = moves.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.moves += moves;
        self.shared = true;
        self.rounds += (self.steps() - steps_before) / self.episodes.len() as u64;
    }

    /// Counts a game that ended outside this learner.
    pub(super) fn count(&mut self, score: u64, moves: u64, max_rank: u8) {
        self.parts(u64::MAX).2.count(score, moves, max_rank);
    }
}

/// The results of finished games, and the stream of the next game.
struct Log<'a> {
    settings: LearnerSettings,
    next: &'a mut Rng,
    games: &'a mut u64,
    restarts: &'a mut u64,
    curve: &'a mut Vec<CurvePoint>,
    point: &'a mut CurvePoint,
    /// The number of games at which learning ends.
    most: u64,
}

impl Log<'_> {
    fn count(&mut self, score: u64, moves: u64, max_rank: u8) {
        *self.games += 1;
        self.point.score += score;
        self.point.moves += moves;
        self.point.reached_2048 += u64::from(max_rank >= 11);
        if self.games.is_multiple_of(CurvePoint::GAMES) {
            self.curve.push(core::mem::take(self.point));
        }
    }
}

/// The fewest moves of a game, or of what followed its last restart, that is restarted.
pub(super) const SHORTEST: usize = 10;

trait Results {
    /// Adds the results of a finished game, and returns its restart or the next game. Returns
    /// `None` if no more games are needed.
    fn next_after(&mut self, finished: &Episode) -> Option<Episode>;

    /// Returns `true` if no more games are needed.
    fn is_full(&self) -> bool;
}

impl Results for Log<'_> {
    fn next_after(&mut self, finished: &Episode) -> Option<Episode> {
        if self.is_full() {
            return None;
        }
        let Episode { rng, board, moves, restarts } = finished;
        if *restarts == 0 {
            let score = moves.iter().map(|&(_, gain)| u64::from(gain)).sum();
            self.count(score, moves.len() as u64, board.max_rank());
        } else {
            *self.restarts += 1;
        }
        if moves.len() < SHORTEST || *restarts >= self.settings.restarts(*self.games) {
            return Some(Episode::start(self.next, self.settings));
        }
        let mut rng = rng.clone();
        let mut board = moves[moves.len() / 2].0;
        board.spawn(&mut rng);
        Some(Episode { rng, board, moves: Vec::new(), restarts: restarts + 1 })
    }

    fn is_full(&self) -> bool {
        *self.games >= self.most
    }
}

#[cfg(feature = "parallel")]
impl Results for &Mutex<Log<'_>> {
    fn next_after(&mut self, finished: &Episode) -> Option<Episode> {
        self.lock().unwrap_or_else(PoisonError::into_inner).next_after(finished)
    }

    fn is_full(&self) -> bool {
        self.lock().unwrap_or_else(PoisonError::into_inner).is_full()
    }
}

struct Played {
    moves: u64,
    /// The game whose turn is next.
    next_lane: usize,
}

/// Plays these games and learns for a number of rounds, or until the results are full.
#[inline(always)]
fn learn_with<S: Isa>(
    isa: S,
    settings: LearnerSettings,
    tables: &mut impl Weights,
    episodes: &mut [Episode],
    results: &mut impl Results,
    rounds: u64,
) -> Played {
    let mut moves = 0;
    let mut prepared = Vec::new();
    for episode in &*episodes {
        prepared.push(Candidates::new_with(isa, episode.board));
    }
    for _ in 0..rounds {
        for (lane, episode) in episodes.iter_mut().enumerate() {
            let candidates = &prepared[lane];
            let mut best = f32::NEG_INFINITY;
            let mut chosen = None;
            for i in 0..4 {
                if candidates.slides[i].changed {
                    let value =
                        candidates.slides[i].gain as f32 + tables.value_of(&candidates.indices, i);
                    if value > best {
                        (best, chosen) = (value, Some(i));
                    }
                }
            }
            // The next game's weights arrive during this game's move. Earlier, they would leave the
            // first cache again.
            let next = prepared.get(lane + 1).unwrap_or(&prepared[0]);
            for i in 0..4 {
                if next.slides[i].changed {
                    tables.prefetch_values_with(isa, &next.indices, i);
                }
            }
            if let Some(i) = chosen {
                let slide = candidates.slides[i];
                moves += 1;
                episode.moves.push((slide.board, slide.gain));
                episode.board = slide.board;
                episode.board.spawn(&mut episode.rng);
            } else {
                // Another thread may have finished the last game needed.
                let Some(next) = results.next_after(episode) else {
                    return Played { moves, next_lane: lane };
                };
                learn_backward_with(isa, settings, tables, &episode.moves);
                // The next game writes its moves to the same memory.
                let mut memory = core::mem::take(&mut episode.moves);
                memory.clear();
                *episode = Episode { moves: memory, ..next };
                if results.is_full() {
                    return Played { moves, next_lane: lane + 1 };
                }
            }
            let candidates = &mut prepared[lane];
            candidates.prepare_with(isa, episode.board);
        }
    }
    Played { moves, next_lane: 0 }
}

impl fmt::Debug for Learner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Learner");
        debug.field("settings", &self.settings).field("rounds", &self.rounds);
        debug.field("moves", &self.moves).field("games", &self.games).finish_non_exhaustive()
    }
}
