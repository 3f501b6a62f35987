//! [`Playouts`]: random games from any position with the fastest kernel for each size.

use crate::playout::chain_playouts::chain_playouts_from;
use crate::playout::policy::Policy;
use crate::playout::results::{GameResult, Stats};
use crate::playout::sequential_playouts::SequentialPlayouts;
use crate::playout::simd_playouts::SimdPlayouts;
use crate::rules::board::{Board, Color};
use crate::rules::error::Error;
use crate::rules::game::{Game, Move, Rules};
use crate::rules::position::Position;
use bitcade_core::{PartJump, Parts, Stop, Stopped, ThreadPool, play_in_parts};
use bitcore::Rng;

/// The random games of a seed, played from the empty board or [from a game](Self::from_game).
///
/// The suicide rule selects the [policy](Policy) of the players, who never fill their own eyes.
/// Playouts always use simple ko, whatever the ko rule: they know the stones of a game, the ko
/// point, the player to move and whether the last move was a pass, but no earlier position. The
/// komi affects only [`Stats::black_wins`].
///
/// Game i does not depend on how many games are played per call. Each combination of rules uses its
/// fastest kernel:
///
/// | suicide | 5 x 5, 19 x 19 | 9 x 9, 13 x 13 |
/// |---|---|---|
/// | forbidden, or legal for several stones | [`SequentialPlayouts`] | [`SimdPlayouts`] |
/// | all legal | on [`Chains`](crate::Chains), game i draws from [stream](Rng::stream) i | the same |
///
/// ```
/// use go_mc::{Playouts, Rules};
/// let mut playouts = Playouts::new(Rules::default(), 1)?;
/// let mut stats = playouts.play(60);
/// stats += playouts.play(40);
/// assert_eq!(stats, Playouts::new(Rules::default(), 1)?.play(100));
/// # Ok::<(), go_mc::Error>(())
/// ```
///
/// A flat Monte Carlo player tries each move:
///
/// ```
/// use go_mc::{Game, Playouts, Rules};
/// let mut game = Game::new(Rules { size: "5x5".parse()?, ..Rules::default() });
/// let wins = |mv| Playouts::after_move(&game, mv, 1).map(|mut games| games.play(50).black_wins);
/// let best = game.legal_moves().into_iter().max_by_key(|&mv| wins(mv).unwrap_or(0));
/// game.play(best.ok_or("a pass is legal")?)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Playouts {
    rules: Rules,
    games: Games,
}

/// The games of a seed, by kernel, with their start.
#[derive(Clone, Debug)]
enum Games {
    Five(SequentialPlayouts<5>, Position<5>),
    Nine(SimdPlayouts<9>, Position<9>),
    Thirteen(SimdPlayouts<13>, Position<13>),
    Nineteen(SequentialPlayouts<19>, Position<19>),
    /// The stream of the next game.
    Chains(Rng, Board, Color),
    /// The game was over before.
    Over(GameResult),
}

/// Returns what playouts know about a game; `None` unless its board is `N` x `N`.
fn position<const N: usize>(game: &Game) -> Option<Position<N>> {
    if game.passes() == 1 {
        Position::new(game.board(), game.to_move().other()).map(Position::after_pass)
    } else {
        Position::new(game.board(), game.to_move())
    }
}

impl Playouts {
    /// Creates the playouts of a seed, starting with game 0.
    ///
    /// # Errors
    ///
    /// [`Error::NoPlayouts`] unless the board is a square of 5, 9, 13 or 19.
    pub fn new(rules: Rules, seed: u64) -> Result<Self, Error> {
        Self::from_game(&Game::new(rules), seed)
    }

    /// Creates playouts that go on from the position of a game. Their statistics count the moves
    /// since, and the final scores. If the game is over, each playout has no move and the
    /// [score](Game::score) of the game.
    ///
    /// ```
    /// use go_mc::{Game, Playouts, Rules};
    /// let mut game = Game::new(Rules::default());
    /// game.play("E5".parse()?)?;
    /// let stats = Playouts::from_game(&game, 42)?.play(500);
    /// println!("Black wins {} of {} games", stats.black_wins, stats.games);
    /// # assert!(stats.games == 500 && stats.stones.mean() > 90.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::NoPlayouts`] unless the board is a square of 5, 9, 13 or 19.
    pub fn from_game(game: &Game, seed: u64) -> Result<Self, Error> {
        let rules = game.rules();
        let policy = Policy::from(rules.suicide);
        let komi = rules.komi;
        let games = if game.is_over() {
            Self::has_kernel(rules)
                .then(|| Games::Over(GameResult { stones: 0, plies: 0, area: game.board().area() }))
        } else if policy == Policy::FooGo {
            Self::has_kernel(rules)
                .then(|| Games::Chains(Rng::new(seed), game.board().clone(), game.to_move()))
        } else {
            /// Pairs the kernel of a size with the position, if the board has this size.
            macro_rules! kernel {
                ($games:ident, $playouts:ident) => {
                    position(game).and_then(|start| {
                        let playouts = $playouts::new(policy, seed)?.with_komi(komi);
                        Some(Games::$games(playouts, start))
                    })
                };
            }
            match rules.size.width() {
                5 => kernel!(Five, SequentialPlayouts),
                9 => kernel!(Nine, SimdPlayouts),
                13 => kernel!(Thirteen, SimdPlayouts),
                19 => kernel!(Nineteen, SequentialPlayouts),
                _ => None,
            }
        };
        games.map(|games| Self { rules, games }).ok_or(Error::NoPlayouts(rules.size))
    }

    /// Creates playouts that go on after a move of the player to move, which their statistics don't
    /// count.
    ///
    /// # Errors
    ///
    /// [`Error::IllegalMove`], or [`Error::NoPlayouts`] unless the board is a square of 5, 9, 13 or 19.
    pub fn after_move(game: &Game, mv: Move, seed: u64) -> Result<Self, Error> {
        let mut game = game.clone();
        game.play(mv)?;
        Self::from_game(&game, seed)
    }

    const fn has_kernel(rules: Rules) -> bool {
        matches!(rules.size.side(), Some(5 | 9 | 13 | 19))
    }

    /// Returns the rules.
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// Plays the next `games` games and returns their statistics.
    pub fn play(&mut self, games: u64) -> Stats {
        match &mut self.games {
            Games::Five(playouts, start) => playouts.play(start, games),
            Games::Nineteen(playouts, start) => playouts.play(start, games),
            Games::Nine(playouts, start) => playouts.play(start, games),
            Games::Thirteen(playouts, start) => playouts.play(start, games),
            Games::Chains(next, board, to_move) => {
                let generators = (0..games).map(|_| next.copy_and_jump());
                chain_playouts_from(board, *to_move, self.rules, generators).unwrap_or_default()
            }
            Games::Over(result) => {
                let mut stats = Stats::default();
                (0..games).for_each(|_| stats.add(result, self.rules.komi));
                stats
            }
        }
    }

    /// Plays the next `games` games on the threads of a pool and returns their statistics,
    /// identical to [`play`](Self::play). From time to time, calls `visit` with the statistics so
    /// far, which always cover the first games of this call.
    ///
    /// ```
    /// use go_mc::{Playouts, Rules, ThreadPool};
    /// let pool = ThreadPool::single();
    /// let show = |so_far: &go_mc::Stats| println!("{} games", so_far.games);
    /// let stats = Playouts::new(Rules::default(), 1)?.play_until(&pool, 5000, &|| false, show)?;
    /// assert_eq!(stats, Playouts::new(Rules::default(), 1)?.play(5000));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `stop` returned `true`. The next call goes on after the games visited last.
    pub fn play_until(
        &mut self,
        pool: &ThreadPool,
        games: u64,
        stop: Stop<'_>,
        visit: impl FnMut(&Stats),
    ) -> Result<Stats, Stopped> {
        play_in_parts(self, pool, games, stop, visit)
    }
}

impl Parts for Playouts {
    type Stats = Stats;

    fn skip(&mut self, games: u64, jump: &mut PartJump) {
        match &mut self.games {
            Games::Five(playouts, _) => playouts.skip(games),
            Games::Nineteen(playouts, _) => playouts.skip(games),
            Games::Nine(playouts, _) => playouts.skip(games),
            Games::Thirteen(playouts, _) => playouts.skip(games),
            Games::Chains(next, ..) => jump.advance(next, games),
            Games::Over(_) => {}
        }
    }

    /// Small enough to stop soon, large enough to fill the vector lanes.
    fn part(&self, _: &ThreadPool, games: u64) -> u64 {
        games.min(if self.rules.size.width() == 19 { 256 } else { 2048 })
    }

    fn play_part(&mut self, games: u64, _: Stop<'_>) -> Option<Stats> {
        Some(self.play(games))
    }
}
