//! [`Learner`]: temporal-difference learning by self-play.

use super::tables::{TupleTables, WeightIndices, WeightIndices4, Weights, find_weight_indices};
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

/// The settings of a [`Learner`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LearnerSettings {
    /// The number of interleaved games, from 1 to 64. The memory accesses of one game overlap with
    /// the moves of the others.
    pub concurrent_games: usize,
    /// The fraction of the error by which an update moves a value, above 0 and at most 1. It is
    /// divided among the 32 weights.
    pub learning_rate: f32,
    /// Whether to scale each weight's step by its coherence, |sum of errors| / sum of |errors| (TC
    /// learning). Good learning rates are 1 with coherence, 0.1 without.
    pub coherence: bool,
}

impl Default for LearnerSettings {
    /// Returns four concurrent games, learning rate 1, with coherence.
    fn default() -> Self {
        Self { concurrent_games: 4, learning_rate: 1.0, coherence: true }
    }
}

impl LearnerSettings {
    pub(super) fn check(&self) -> Result<(), Error> {
        if !(1..=64).contains(&self.concurrent_games) {
            Err(Error::ConcurrentGames)
        } else if self.learning_rate > 0.0 && self.learning_rate <= 1.0 {
            Ok(())
        } else {
            Err(Error::LearningRate)
        }
    }
}

/// A point of the learning curve: totals over [`CurvePoint::GAMES`] consecutive games, played while
/// learning.
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

/// A TD(0) learner of afterstate values, from greedy self-play.
///
/// After each move, the value of the last afterstate moves toward the gain plus the value of the
/// chosen next afterstate, or toward 0 at the end of the game.
///
/// As long as a single thread learns, the seed, the settings and the number of rounds determine the
/// result to the last bit, on every ISA level and across any number of [saves](Self::save) and
/// [loads](Self::load). Several threads (`learn_parallel`) share the weights, and their result
/// varies from run to run; [`is_repeatable`](Self::is_repeatable) is then `false`. A learner takes
/// up to 768 MiB.
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
    pub(super) curve: Vec<CurvePoint>,
    /// The totals since the last point of the curve.
    pub(super) point: CurvePoint,
    /// Whether several threads have ever learned at the same time.
    pub(super) shared: bool,
}

/// A game in progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Episode {
    pub(super) rng: Rng,
    /// The position before the move.
    pub(super) board: Packed,
    /// The afterstate of the last move; `None` before the first move.
    pub(super) after: Option<Packed>,
    pub(super) score: u64,
    pub(super) moves: u64,
}

impl Episode {
    fn start(next: &mut Rng) -> Self {
        let mut rng = next.copy_and_jump();
        let board = Packed::start(&mut rng);
        Self { rng, board, after: None, score: 0, moves: 0 }
    }
}

/// The slides of an episode's next move and their weight indices, computed one round ahead so that
/// the weights can be prefetched.
struct Candidates {
    slides: [PackedSlide; 4],
    /// The weight indices of the four afterstates.
    indices: WeightIndices4,
    /// The weight indices of the last afterstate.
    last: WeightIndices,
}

impl Candidates {
    #[inline(always)]
    fn new_with<S: Isa>(isa: S, episode: &Episode) -> Self {
        let slides = [PackedSlide { board: episode.board, gain: 0, changed: false }; 4];
        let mut candidates = Self { slides, indices: [[0; 4]; 32], last: [0; 32] };
        if let Some(after) = episode.after {
            find_weight_indices(isa, &[after; 4], &mut candidates.indices);
            candidates.keep_chosen(0);
        }
        candidates.prepare_with(isa, episode.board);
        candidates
    }

    #[inline(always)]
    fn keep_chosen(&mut self, i: usize) {
        for (last, index) in self.last.iter_mut().zip(&self.indices) {
            *last = index[i & 3] as u32;
        }
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
    /// [`Error::ConcurrentGames`] or [`Error::LearningRate`] if a setting is out of range.
    pub fn new(settings: LearnerSettings, seed: u64) -> Result<Self, Error> {
        settings.check()?;
        let mut next = Rng::new(seed);
        Ok(Self {
            settings,
            tables: TupleTables::new(),
            episodes: (0..settings.concurrent_games).map(|_| Episode::start(&mut next)).collect(),
            next,
            rounds: 0,
            moves: 0,
            games: 0,
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
    /// move, or restarts if it is over.
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
        let steps_before = self.moves + self.games;
        let lanes = self.episodes.len() as u64;
        let Self { settings, tables, episodes, next, games, curve, point, .. } = self;
        let mut log = Log { next, games, curve, point, most };
        let settings = *settings;
        let log = &mut log;
        let played = dispatch!(isa [settings, tables, episodes, log, rounds] =>
                learn_with(isa, settings, tables, episodes, log, rounds)
        );
        // The games take turns: rotate the next one to the front.
        self.episodes.rotate_left(played.next_lane);
        self.moves += played.moves;
        // Each step is a move or the end of a game.
        let steps = self.moves + self.games - steps_before;
        self.rounds += (steps_before % lanes + steps) / lanes;
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
            self.episodes.push(Episode::start(&mut self.next));
            self.settings.concurrent_games += 1;
        }
        let share = self.episodes.len().div_ceil(threads);
        let games_before = self.games;
        let Self { settings, tables, episodes, next, games, curve, point, .. } = self;
        let Some(tables) = tables.share().filter(|_| threads > 1) else {
            return self.learn_games(most, rounds);
        };
        let settings = *settings;
        let log = Mutex::new(Log { next, games, curve, point, most });
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
        // Each step is a move or the end of a game.
        self.rounds += (moves + self.games - games_before) / self.episodes.len() as u64;
    }

    /// Counts a game that ended outside this learner.
    pub(super) fn count(&mut self, score: u64, moves: u64, max_rank: u8) {
        let Self { next, games, curve, point, .. } = self;
        Log { next, games, curve, point, most: u64::MAX }.count(score, moves, max_rank);
    }
}

/// The results of finished games, and the stream of the next game.
struct Log<'a> {
    next: &'a mut Rng,
    games: &'a mut u64,
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

trait Results {
    /// Adds the results of a finished game, and returns the next game.
    fn next_after(&mut self, finished: &Episode) -> Episode;

    /// Returns `true` if no more games are needed.
    fn is_full(&self) -> bool;
}

impl Results for Log<'_> {
    fn next_after(&mut self, finished: &Episode) -> Episode {
        self.count(finished.score, finished.moves, finished.board.max_rank());
        Episode::start(self.next)
    }

    fn is_full(&self) -> bool {
        *self.games >= self.most
    }
}

#[cfg(feature = "parallel")]
impl Results for &Mutex<Log<'_>> {
    fn next_after(&mut self, finished: &Episode) -> Episode {
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
    let LearnerSettings { learning_rate, coherence, .. } = settings;
    let mut moves = 0;
    let mut prepared = Vec::new();
    for episode in &*episodes {
        prepared.push(Candidates::new_with(isa, episode));
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
            // The next game's weights arrive during this game's update and move. Earlier, they
            // would leave the first cache again.
            let next = prepared.get(lane + 1).unwrap_or(&prepared[0]);
            for i in 0..4 {
                if next.slides[i].changed {
                    tables.prefetch_values_with(isa, &next.indices, i);
                }
            }
            if coherence {
                tables.prefetch_sums_with(isa, &next.last);
            }
            // Another thread may have finished the last game needed.
            if chosen.is_none() && results.is_full() {
                return Played { moves, next_lane: lane };
            }
            if episode.after.is_some() {
                let target = if chosen.is_some() { best } else { 0.0 };
                tables.update(&candidates.last, target, learning_rate, coherence);
            }
            let candidates = &mut prepared[lane];
            if let Some(i) = chosen {
                let slide = candidates.slides[i];
                episode.score += u64::from(slide.gain);
                episode.moves += 1;
                moves += 1;
                episode.board = slide.board;
                episode.after = Some(slide.board);
                candidates.keep_chosen(i);
                episode.board.spawn(&mut episode.rng);
            } else {
                *episode = results.next_after(episode);
                if results.is_full() {
                    return Played { moves, next_lane: lane + 1 };
                }
            }
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
