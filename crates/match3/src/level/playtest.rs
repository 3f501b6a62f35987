//! [`Playtest`]: many games of a level by one agent, and what they tell a designer.

use super::Level;
use super::agents::Agent;
use super::game::LevelGame;
use super::goals::{Outcome, Target};
use super::masks::{MaskGame, Masks, NARROW_PLANES, WIDE_PLANES};
use super::position::Position;
use super::spec::Limit;
use crate::bitboard::colors::RandomColors;
use crate::swap::Swap;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use bitcade_core::{PartJump, Parts, Player, Stop, Stopped, ThreadPool, play_in_parts};
use bitcore::Rng;
use core::fmt;
use core::ops::AddAssign;

/// The seconds that a move counts where no clock runs: a guess at how long a person thinks.
pub const SECONDS_PER_MOVE: u32 = 5;

/// Returns a level with a time limit as one with a limit of moves, others as they are.
fn by_moves(level: Arc<Level>) -> Arc<Level> {
    let Limit::Time(seconds) = level.spec().limit else { return level };
    let mut spec = level.spec().clone();
    spec.limit = Limit::Moves(seconds.div_ceil(SECONDS_PER_MOVE));
    spec.bonus = spec.bonus.saturating_mul(SECONDS_PER_MOVE);
    Arc::new(Level::new(spec).expect("the limit is not part of the rest"))
}

/// The games of a seed, played by one agent.
///
/// Game i deals and refills from [stream](Rng::stream) i of the seed; the agent draws from stream i
/// of `!seed`. So a game is the same on any number of threads and in any number of calls, and two
/// versions of a level meet the same luck.
///
/// A level with a time limit is played with one move for each [`SECONDS_PER_MOVE`].
///
/// ```
/// use match3::level::{Agent, Goal, Level, LevelSpec, Playtest, Target};
/// let mut spec = LevelSpec::new(8, 8);
/// spec.goals = vec![Goal { target: Target::Color(1), count: 60 }];
/// let mut playtest = Playtest::new(Level::new(spec)?, Agent::Random, 1);
/// let report = playtest.play(200);
/// println!("{} of {} games won", report.won, report.games);
/// assert_eq!(report.games, 200);
/// # Ok::<(), match3::level::LevelError>(())
/// ```
#[derive(Clone)]
pub struct Playtest {
    level: Arc<Level>,
    who: Who,
    /// The streams of the next game: the game's and the player's.
    next: [Rng; 2],
}

#[derive(Clone)]
enum Who {
    /// An agent, which plays on masks if the level has them.
    Agent(Agent, Option<Masks>),
    Player(Arc<dyn Fn(Rng) -> Box<dyn Player<LevelGame>> + Send + Sync>),
}

impl fmt::Debug for Playtest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Playtest").field("level", &self.level).finish_non_exhaustive()
    }
}

impl Playtest {
    /// Creates the games of a seed for an agent, from game 0 on.
    pub fn new(level: impl Into<Arc<Level>>, agent: Agent, seed: u64) -> Self {
        let level = by_moves(level.into());
        let masks = Masks::of(&level);
        Self::with(level, Who::Agent(agent, masks), seed)
    }

    /// Creates the games of a seed for any player. `player` makes a new one for each game, with the
    /// generator that it draws from.
    ///
    /// ```
    /// use match3::level::{GreedyByPoints, Level, LevelSpec, Playtest};
    /// let level = Level::new(LevelSpec::new(8, 8))?;
    /// let report = Playtest::with_player(level, |_| Box::new(GreedyByPoints), 1).play(20);
    /// assert!(report.score_at(0.5) > Some(3000));
    /// # Ok::<(), match3::level::LevelError>(())
    /// ```
    pub fn with_player(
        level: impl Into<Arc<Level>>,
        player: impl Fn(Rng) -> Box<dyn Player<LevelGame>> + Send + Sync + 'static,
        seed: u64,
    ) -> Self {
        Self::with(by_moves(level.into()), Who::Player(Arc::new(player)), seed)
    }

    fn with(level: Arc<Level>, who: Who, seed: u64) -> Self {
        let next = [seed, !seed].map(|seed| Rng::stream(seed, 0));
        Self { level, who, next }
    }

    /// Returns the level that is played.
    pub fn level(&self) -> &Arc<Level> {
        &self.level
    }

    /// Skips the next `games` games, for a run that goes on after them.
    pub fn skip(&mut self, games: u64) {
        Parts::skip(self, games, &mut PartJump::default());
    }

    /// Plays the next `games` games.
    ///
    /// # Panics
    ///
    /// If the player returns an illegal swap, or none in a game that goes on.
    pub fn play(&mut self, games: u64) -> PlaytestReport {
        let mut report = PlaytestReport::default();
        for _ in 0..games {
            self.play_next(&mut report, &|| false).expect("nothing stops it");
        }
        report
    }

    /// Plays the next `games` games on a thread pool. From time to time, calls `visit` with the
    /// report of this call so far, which always covers its first games.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `stop` returned `true`. The games visited last are then played; the next call
    /// goes on after them.
    ///
    /// # Panics
    ///
    /// As [`play`](Self::play).
    pub fn play_until(
        &mut self,
        pool: &ThreadPool,
        games: u64,
        stop: Stop<'_>,
        visit: impl FnMut(&PlaytestReport),
    ) -> Result<PlaytestReport, Stopped> {
        play_in_parts(self, pool, games, stop, visit)
    }

    /// Plays the next game, which another [`Playtest`] of the same seed may play on another level,
    /// and adds it to a report. A game that is stopped leaves the report without use.
    fn play_next(&mut self, report: &mut PlaytestReport, stop: Stop<'_>) -> Result<(), Stopped> {
        let [game, own] = &mut self.next;
        let colors = &mut RandomColors::of(self.level.colors(), game.copy_and_jump());
        let own = own.copy_and_jump();
        match &self.who {
            Who::Agent(agent, masks) => {
                let mind = &mut agent.mind(own);
                match masks {
                    Some(Masks::Narrow(plan)) => {
                        let game = MaskGame::<_, NARROW_PLANES>::new(plan, colors);
                        report.play(game, colors, |game| mind.choose(game, stop), stop)
                    }
                    Some(Masks::Wide(plan)) => {
                        let game = MaskGame::<_, WIDE_PLANES>::new(plan, colors);
                        report.play(game, colors, |game| mind.choose(game, stop), stop)
                    }
                    None => {
                        let game = start(&self.level, colors);
                        report.play(game, colors, |game| mind.choose(game, stop), stop)
                    }
                }
            }
            Who::Player(player) => {
                let mut player = player(own);
                let game = start(&self.level, colors);
                report.play(game, colors, |game| player.choose_until(game, stop), stop)
            }
        }
    }
}

fn start(level: &Arc<Level>, colors: &mut RandomColors) -> LevelGame {
    LevelGame::new(level.clone(), colors).expect("the level's colors")
}

impl Parts for Playtest {
    type Stats = PlaytestReport;

    fn skip(&mut self, games: u64, jump: &mut PartJump) {
        for next in &mut self.next {
            jump.advance(next, games);
        }
    }

    fn part(&self, pool: &ThreadPool, games: u64) -> u64 {
        let share = pool.share(usize::try_from(games).unwrap_or(usize::MAX), 1) as u64;
        share.min(self.who.games_of_part()).min(games)
    }

    fn play_part(&mut self, games: u64, stop: Stop<'_>) -> Option<PlaytestReport> {
        let mut report = PlaytestReport::default();
        for _ in 0..games {
            self.play_next(&mut report, stop).ok()?;
        }
        Some(report)
    }
}

/// How many games each of two versions of a level won, game by game with the same luck.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct Comparison {
    /// The number of games.
    pub games: u64,
    /// The games won on both.
    pub both: u64,
    /// The games won on the first version alone.
    pub first_only: u64,
    /// The games won on the second version alone.
    pub second_only: u64,
}

impl Comparison {
    /// Plays the next `games` games of two playtests, which should have the same seed, on a thread
    /// pool, and calls `visit` from time to time.
    ///
    /// ```
    /// use match3::ThreadPool;
    /// use match3::level::{Agent, Comparison, Goal, Level, LevelSpec, Limit, Playtest, Target};
    /// let version = |moves| {
    ///     let mut spec = LevelSpec::new(7, 7);
    ///     spec.limit = Limit::Moves(moves);
    ///     spec.goals = vec![Goal { target: Target::Score, count: 1500 }];
    ///     Ok::<_, match3::level::LevelError>(Playtest::new(Level::new(spec)?, Agent::Random, 1))
    /// };
    /// let mut versions = [version(12)?, version(15)?];
    /// let pool = ThreadPool::single();
    /// let found = Comparison::play_until(&mut versions, &pool, 50, &|| false, |_| ())?;
    /// assert_eq!(found.first_only, 0, "more moves never hurt a player that doesn't count them");
    /// assert!(found.second_only > 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `stop` returned `true`.
    ///
    /// # Panics
    ///
    /// As [`Playtest::play`].
    pub fn play_until(
        versions: &mut [Playtest; 2],
        pool: &ThreadPool,
        games: u64,
        stop: Stop<'_>,
        visit: impl FnMut(&Self),
    ) -> Result<Self, Stopped> {
        let mut pair = Pair(versions.clone());
        let result = play_in_parts(&mut pair, pool, games, stop, visit);
        *versions = pair.0;
        result
    }
}

impl AddAssign for Comparison {
    fn add_assign(&mut self, other: Self) {
        self.games += other.games;
        self.both += other.both;
        self.first_only += other.first_only;
        self.second_only += other.second_only;
    }
}

#[derive(Clone)]
struct Pair([Playtest; 2]);

impl Parts for Pair {
    type Stats = Comparison;

    fn skip(&mut self, games: u64, _: &mut PartJump) {
        for playtest in &mut self.0 {
            playtest.skip(games);
        }
    }

    fn part(&self, pool: &ThreadPool, games: u64) -> u64 {
        self.0[0].part(pool, games)
    }

    fn play_part(&mut self, games: u64, stop: Stop<'_>) -> Option<Comparison> {
        let mut sums = Comparison::default();
        let mut reports = [PlaytestReport::default(), PlaytestReport::default()];
        for _ in 0..games {
            let mut won = [false; 2];
            for ((version, report), won) in self.0.iter_mut().zip(&mut reports).zip(&mut won) {
                let before = report.won;
                version.play_next(report, stop).ok()?;
                *won = report.won > before;
            }
            let [first, second] = won;
            sums.games += 1;
            sums.both += u64::from(first && second);
            sums.first_only += u64::from(first && !second);
            sums.second_only += u64::from(second && !first);
        }
        Some(sums)
    }
}

impl Who {
    /// Returns the games of a part: a slow player must not lose seconds to a stop, and the threads
    /// must not wait for each other more than they play.
    fn games_of_part(&self) -> u64 {
        match self {
            Self::Agent(Agent::Careful, _) | Self::Agent(_, None) | Self::Player(_) => 4,
            Self::Agent(..) => 32,
        }
    }
}

/// Sums over the games of a [`Playtest`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct PlaytestReport {
    /// The number of games.
    pub games: u64,
    /// The number of games in which all goals were reached.
    pub won: u64,
    /// The number of games that ended without a legal swap.
    pub dead: u64,
    /// The number of lost games in which no goal lacked more than a tenth of its count, rounded up.
    pub near_misses: u64,
    /// By number of moves: how many games were won with them.
    pub moves_needed: BTreeMap<u32, u64>,
    /// By moves left: how many games were won with them.
    pub left_at_win: BTreeMap<u32, u64>,
    /// By points: how many games ended with them.
    pub scores: BTreeMap<u64, u64>,
    /// What each goal lacked in all lost games together, in the order of the level.
    pub lacked: Vec<u64>,
    /// The moves of all games.
    pub moves: u64,
    /// The legal swaps of all moves.
    pub choices: u64,
    /// The cascade levels of all moves.
    pub cascade_levels: u64,
    /// The levels of the longest cascade.
    pub longest_cascade: u64,
    /// The number of moves that the level's bound on cascades ended.
    pub limited: u64,
    /// The number of shuffles.
    pub shuffles: u64,
    /// By cell, row by row: the pieces that were cleared there.
    pub cleared: Vec<u64>,
    /// By cell, row by row: the lost games that ended with something there that a goal still
    /// wanted: jelly, a crate, ice, a lock, or an item.
    pub lost_at: Vec<u64>,
}

impl PlaytestReport {
    fn of_level(level: &Level) -> Self {
        let cells = level.width() * level.height();
        Self {
            lacked: vec![0; level.spec().goals.len()],
            cleared: vec![0; cells],
            lost_at: vec![0; cells],
            ..Self::default()
        }
    }

    /// Plays a game to its end and adds it.
    fn play<G: Position>(
        &mut self,
        mut game: G,
        colors: &mut RandomColors,
        mut choose: impl FnMut(&G) -> Result<Option<Swap>, Stopped>,
        stop: Stop<'_>,
    ) -> Result<(), Stopped> {
        if self.games == 0 {
            *self = Self::of_level(game.level());
        }
        while game.outcome().is_none() {
            if stop() {
                return Err(Stopped);
            }
            self.choices += game.choices();
            let swap = choose(&game)?.expect("a swap while the game goes on");
            let played = game.play(swap, colors, Some(&mut self.cleared));
            self.cascade_levels += played.cascade.levels;
            self.longest_cascade = self.longest_cascade.max(played.cascade.levels);
            self.limited += u64::from(played.is_limited);
            self.shuffles += u64::from(played.is_shuffled);
        }
        self.add_end(&game);
        Ok(())
    }

    fn add_end(&mut self, game: &impl Position) {
        let goals = &game.level().spec().goals;
        self.games += 1;
        *self.scores.entry(game.score()).or_default() += 1;
        self.moves += u64::from(game.moves());
        if game.outcome() == Some(Outcome::Won) {
            self.won += 1;
            *self.moves_needed.entry(game.moves()).or_default() += 1;
            *self.left_at_win.entry(game.limit_left()).or_default() += 1;
            return;
        }
        self.dead += u64::from(game.outcome() == Some(Outcome::Dead));
        let is_near =
            goals.iter().zip(game.left()).all(|(goal, &left)| left <= goal.count.div_ceil(10));
        self.near_misses += u64::from(is_near && !goals.is_empty());
        for (lacked, &left) in self.lacked.iter_mut().zip(game.left()) {
            *lacked += u64::from(left);
        }
        let wanted = goals.iter().zip(game.left()).filter(|&(_, &left)| left > 0);
        let wanted: Vec<Target> = wanted.map(|(goal, _)| goal.target).collect();
        game.add_wanted(&mut self.lost_at, &wanted);
    }

    /// Returns the share of games that were won, and the bounds of its 95 % interval (Wilson);
    /// `None` without games.
    ///
    /// ```
    /// use match3::level::PlaytestReport;
    /// let mut report = PlaytestReport::default();
    /// assert_eq!(report.pass_rate(), None);
    /// (report.games, report.won) = (100, 30);
    /// let [rate, low, high] = report.pass_rate().unwrap();
    /// assert!(rate == 0.3 && (0.218..0.220).contains(&low) && (0.395..0.397).contains(&high));
    /// ```
    #[cfg(feature = "std")]
    pub fn pass_rate(&self) -> Option<[f64; 3]> {
        if self.games == 0 {
            return None;
        }
        let games = self.games as f64;
        let rate = self.won as f64 / games;
        let z = 1.959_963_984_540_054_f64;
        let square = z * z / games;
        let middle = (rate + square / 2.0) / (1.0 + square);
        let margin =
            (rate * (1.0 - rate) / games + square / (4.0 * games)).sqrt() * z / (1.0 + square);
        Some([rate, (middle - margin).max(0.0), (middle + margin).min(1.0)])
    }

    /// Returns the moves within which the best 5 % of all games were won, of the published
    /// predictors of how many people pass a level the best; `None` if fewer games were won.
    ///
    /// Source: Kristensen, Valdivia and Burelli, "Estimating Player Completion Rate in Mobile
    /// Puzzle Games Using Reinforcement Learning" (IEEE Conference on Games, 2020).
    ///
    /// ```
    /// use match3::level::PlaytestReport;
    /// let mut report = PlaytestReport::default();
    /// report.games = 100;
    /// report.moves_needed = [(12, 3), (14, 1), (15, 9)].into();
    /// assert_eq!(report.moves_of_best(), Some(15));
    /// report.games = 1000;
    /// assert_eq!(report.moves_of_best(), None);
    /// ```
    pub fn moves_of_best(&self) -> Option<u32> {
        let wanted = self.games.div_ceil(20).max(1);
        let mut so_far = 0;
        self.moves_needed.iter().find_map(|(&moves, &games)| {
            so_far += games;
            (so_far >= wanted).then_some(moves)
        })
    }

    /// Returns the points that a share of the games, 0 to 1, don't exceed; `None` without games.
    ///
    /// ```
    /// use match3::level::PlaytestReport;
    /// let mut report = PlaytestReport::default();
    /// report.games = 4;
    /// report.scores = [(100, 1), (200, 2), (500, 1)].into();
    /// assert_eq!([0.0, 0.5, 1.0].map(|share| report.score_at(share)), [Some(100), Some(200), Some(500)]);
    /// ```
    pub fn score_at(&self, share: f64) -> Option<u64> {
        // Rounded up, without the float functions of `std`.
        let exact = share.clamp(0.0, 1.0) * self.games as f64;
        let whole = exact as u64;
        let wanted = (whole + u64::from(exact > whole as f64)).max(1);
        let mut so_far = 0;
        self.scores.iter().find_map(|(&score, &games)| {
            so_far += games;
            (so_far >= wanted).then_some(score)
        })
    }
}

impl AddAssign for PlaytestReport {
    fn add_assign(&mut self, other: Self) {
        fn add_counts<K: Ord>(to: &mut BTreeMap<K, u64>, from: BTreeMap<K, u64>) {
            for (key, count) in from {
                *to.entry(key).or_default() += count;
            }
        }
        fn add_each<T: AddAssign>(to: &mut Vec<T>, from: Vec<T>) {
            if to.is_empty() {
                *to = from;
            } else {
                to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
            }
        }
        self.games += other.games;
        self.won += other.won;
        self.dead += other.dead;
        self.near_misses += other.near_misses;
        add_counts(&mut self.moves_needed, other.moves_needed);
        add_counts(&mut self.left_at_win, other.left_at_win);
        add_counts(&mut self.scores, other.scores);
        add_each(&mut self.lacked, other.lacked);
        self.moves += other.moves;
        self.choices += other.choices;
        self.cascade_levels += other.cascade_levels;
        self.longest_cascade = self.longest_cascade.max(other.longest_cascade);
        self.limited += other.limited;
        self.shuffles += other.shuffles;
        add_each(&mut self.cleared, other.cleared);
        add_each(&mut self.lost_at, other.lost_at);
    }
}
