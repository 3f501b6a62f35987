//! [`Learner`]: learning from the program's own play.

use super::tables::{TupleTables, WeightIndices, WeightIndices4, find_weight_indices};
use crate::packed::{Packed, PackedSlide};
use crate::slide::Direction;
use alloc::vec::Vec;
use bitcore::{Isa, Level, Rng, dispatch};
use core::fmt;

/// How a [`Learner`] learns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// How many games run at once, taking turns, from 1 to 64. While one game's weights come from memory the others move.
    pub concurrent_games: usize,
    /// How far a value moves toward its target, above 0 and at most 1. It is shared among the 32 weights.
    pub learning_rate: f32,
    /// Whether each weight's step is scaled by its coherence: |sum of its errors| / sum of their sizes. If so, a
    /// `rate` of 1 is right; if not, 0.1.
    pub coherence: bool,
}

impl Default for Settings {
    /// Four games at once, with coherence, at rate 1.
    fn default() -> Self {
        Self { concurrent_games: 4, learning_rate: 1.0, coherence: true }
    }
}

/// Which of the [`Settings`] is out of its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// [`Settings::concurrent_games`].
    #[error("expected 1 to 64 games at once")]
    ConcurrentGames,
    /// [`Settings::learning_rate`].
    #[error("expected a learning rate above 0 and at most 1")]
    LearningRate,
}

impl Settings {
    pub(super) fn check(&self) -> Result<(), SettingsError> {
        if !(1..=64).contains(&self.concurrent_games) {
            Err(SettingsError::ConcurrentGames)
        } else if self.learning_rate > 0.0 && self.learning_rate <= 1.0 {
            Ok(())
        } else {
            Err(SettingsError::LearningRate)
        }
    }
}

/// How [`CurvePoint::GAMES`] games in a row went while they were learned from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CurvePoint {
    /// Sum of the scores.
    pub score: u64,
    /// Moves played.
    pub moves: u64,
    /// Games that reached 2048.
    pub reached_2048: u64,
}

impl CurvePoint {
    /// Games of a point.
    pub const GAMES: u64 = 1000;
}

/// Learns the value of afterstates by TD(0) from greedy play with itself: after each move the last afterstate's value
/// is moved toward the gain and the value of the afterstate that was chosen next, or toward 0 at the game's end.
///
/// What it will be after some rounds is fixed by the seed, the settings and the number of rounds: on every level, and
/// with any number of [saves](Self::save) and [loads](Self::load) between. It takes up to 768 MiB.
///
/// A tile of 65536 is shown to the learner as a 32768, and stays one on its board: the score counts in full.
///
/// ```
/// use g2048::network::{Learner, Settings};
/// let mut learner = Learner::new(1, Settings::default())?;
/// learner.learn(2_000);
/// assert_eq!(learner.rounds(), 2_000);
/// assert!(learner.games() > 0);
/// let network = learner.network();
/// # Ok::<_, g2048::network::SettingsError>(())
/// ```
pub struct Learner {
    pub(super) settings: Settings,
    pub(super) tables: TupleTables,
    pub(super) episodes: Vec<Episode>,
    /// The stream of the next game.
    pub(super) next: Rng,
    pub(super) rounds: u64,
    pub(super) moves: u64,
    pub(super) games: u64,
    pub(super) curve: Vec<CurvePoint>,
    /// The point that the games since the last one will make.
    pub(super) point: CurvePoint,
}

/// A game that runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Episode {
    pub(super) rng: Rng,
    /// The position before the move.
    pub(super) board: Packed,
    /// The last move's board before its spawn; none before the first move.
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

/// What an episode's next move needs, made one round before: its weights are on their way meanwhile.
struct Candidates {
    slides: [PackedSlide; 4],
    /// Where the weights of the four boards are.
    indices: WeightIndices4,
    /// Where those of the last afterstate are.
    last: WeightIndices,
}

impl Candidates {
    #[inline(always)]
    fn new_with<S: Isa>(isa: S, episode: &Episode) -> Self {
        let slides = [PackedSlide { board: episode.board, gain: 0, changed: false }; 4];
        let mut moves = Self { slides, indices: [[0; 4]; 32], last: [0; 32] };
        if let Some(after) = episode.after {
            find_weight_indices(isa, &[after; 4], &mut moves.indices);
            moves.keep_chosen(0);
        }
        moves.prepare_with(isa, episode.board);
        moves
    }

    /// Keeps the indices of a board that was moved to.
    #[inline(always)]
    fn keep_chosen(&mut self, i: usize) {
        for (last, index) in self.last.iter_mut().zip(&self.indices) {
            *last = index[i & 3] as u32;
        }
    }

    #[inline(always)]
    fn prepare_with<S: Isa>(&mut self, isa: S, board: Packed) {
        let mut boards = [board; 4];
        for (i, direction) in Direction::ALL.into_iter().enumerate() {
            self.slides[i] = board.slide_clamped(direction);
            boards[i] = self.slides[i].board;
        }
        find_weight_indices(isa, &boards, &mut self.indices);
    }
}

impl Learner {
    /// A learner that knows nothing: all weights are 0.
    ///
    /// # Errors
    ///
    /// If a setting is out of its range.
    pub fn new(seed: u64, settings: Settings) -> Result<Self, SettingsError> {
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
        })
    }

    /// The settings it was made with.
    pub const fn settings(&self) -> Settings {
        self.settings
    }

    /// Rounds played: in each, every running game moves once, or starts anew if it is over.
    pub const fn rounds(&self) -> u64 {
        self.rounds
    }

    /// Moves played.
    pub const fn moves(&self) -> u64 {
        self.moves
    }

    /// Games played to their ends.
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// How the games went, a point each [`CurvePoint::GAMES`]; in the order in which they ended.
    pub fn curve(&self) -> &[CurvePoint] {
        &self.curve
    }

    /// Plays and learns for some rounds.
    pub fn learn(&mut self, rounds: u64) {
        self.learn_on(Level::detect(), rounds);
    }

    /// [`learn`](Self::learn) on a level.
    pub fn learn_on(&mut self, level: Level, rounds: u64) {
        dispatch!(level, isa [learner = self, rounds] => learner.learn_with(isa, rounds));
    }

    #[inline(always)]
    fn learn_with<S: Isa>(&mut self, isa: S, rounds: u64) {
        let Settings { learning_rate, coherence, .. } = self.settings;
        let mut candidates = Vec::new();
        for episode in &self.episodes {
            candidates.push(Candidates::new_with(isa, episode));
        }
        for _ in 0..rounds {
            for (episode, moves) in self.episodes.iter_mut().zip(&mut candidates) {
                let (mut best, mut chosen) = (f32::NEG_INFINITY, None);
                for i in 0..4 {
                    if moves.slides[i].changed {
                        let value = moves.slides[i].gain as f32 + self.tables.value_of(&moves.indices, i);
                        if value > best {
                            (best, chosen) = (value, Some(i));
                        }
                    }
                }
                if episode.after.is_some() {
                    let target = if chosen.is_some() { best } else { 0.0 };
                    self.tables.update(&moves.last, target, learning_rate, coherence);
                }
                if let Some(i) = chosen {
                    let slide = moves.slides[i];
                    episode.score += u64::from(slide.gain);
                    episode.moves += 1;
                    self.moves += 1;
                    episode.board = slide.board;
                    episode.after = Some(slide.board);
                    moves.keep_chosen(i);
                    if coherence {
                        self.tables.prefetch_sums_with(isa, &moves.last);
                    }
                    episode.board.spawn(&mut episode.rng);
                } else {
                    self.games += 1;
                    self.point.score += episode.score;
                    self.point.moves += episode.moves;
                    self.point.reached_2048 += u64::from(episode.board.max_rank() >= 11);
                    if self.games.is_multiple_of(CurvePoint::GAMES) {
                        self.curve.push(core::mem::take(&mut self.point));
                    }
                    *episode = Episode::start(&mut self.next);
                }
                moves.prepare_with(isa, episode.board);
                for i in 0..4 {
                    if moves.slides[i].changed {
                        self.tables.prefetch_values_with(isa, &moves.indices, i);
                    }
                }
            }
        }
        self.rounds += rounds;
    }
}

impl fmt::Debug for Learner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Learner");
        debug.field("settings", &self.settings).field("rounds", &self.rounds);
        debug.field("moves", &self.moves).field("games", &self.games).finish_non_exhaustive()
    }
}
