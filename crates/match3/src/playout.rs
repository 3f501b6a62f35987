//! [`Playouts`]: many endless games of uniformly random legal swaps, in lockstep on levels with vector lanes.
//!
//! A group is four games: word i of each array belongs to game i, so that a register has one word of each
//! game. One pass over a group is one level of a cascade in each of its games:
//!
//! ```text
//! repeat until no game has had a run:
//!     list   swaps, runs = the swap formula, four boards at once
//!            for games without a run and with moves left: k = below(number of swaps); n-th swap = 1 << k
//!     pick   swap = pdep(n-th swap, swaps)                  the k-th set bit, game by game
//!     clear  exchange the two cells, four boards at once; nothing in games that are still in a cascade
//!            runs = cells in runs; score += cells * level
//!     fall   plane = pdep(pext(plane, pieces), rest)        game by game, as in `planes`
//!            plane |= pdep(buffered colors, empty)
//! ```
//!
//! A stable board plays its next move in the same pass in which others go through their cascades, so no game
//! waits for another. Up to 16 groups run together, and `pick` and `fall` of one group are placed beside
//! `list` and `clear` of the next: the scalar PDEPs and PEXTs then run in the shadow of the vector
//! instructions.

use crate::bitboard::colors::RandomColors;
use crate::bitboard::error::{PlanesError, check_colors, largest_color};
use crate::bitboard::formula::{BitWord, different, matched};
use crate::bitboard::four_games::{FourGames, HIGHEST, below_with};
use crate::bitboard::planes::{Board8, PlaneLayout};
use crate::bitboard::words::{FourBoards, HAS_BELOW};
use crate::board::Board;
use crate::boards8;
use crate::cascade_result::CascadeResult;
use alloc::vec::Vec;
#[cfg(feature = "parallel")]
use bitcore::ThreadPool;
use bitcore::batch::TooManyGames;
use bitcore::{Bytes, Isa, Lanes, Rng, Streams, U64s, dispatch, pdep_lanes};
use core::ops::AddAssign;

/// One endless random game on a full board of 8 x 8 cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomGame(AnyGame);

/// A game in the smallest layout that holds its colors.
#[derive(Clone, Debug, PartialEq, Eq)]
enum AnyGame {
    Colors7(Game<3>),
    Colors15(Game<4>),
}

impl RandomGame {
    /// Deals a board ([`PlaneBoard::deal`](crate::planes::PlaneBoard::deal)).
    ///
    /// # Errors
    ///
    /// [`PlanesError::Colors`] if there are fewer than three colors or more than 15.
    pub fn new(colors: u8, rng: Rng) -> Result<Self, PlanesError> {
        check_colors::<4>(colors)?;
        Ok(Self(if colors <= largest_color(3) {
            AnyGame::Colors7(Game::new(colors, rng)?)
        } else {
            AnyGame::Colors15(Game::new(colors, rng)?)
        }))
    }

    /// Returns the present board.
    pub fn board(&self) -> Board {
        match &self.0 {
            AnyGame::Colors7(game) => game.board.into(),
            AnyGame::Colors15(game) => game.board.into(),
        }
    }

    /// Returns the source of the game's colors and draws.
    pub fn colors(&self) -> &RandomColors {
        match &self.0 {
            AnyGame::Colors7(game) => &game.colors,
            AnyGame::Colors15(game) => &game.colors,
        }
    }

    /// Plays one move ([`PlaneBoard::random_move`](crate::planes::PlaneBoard::random_move)). A board without
    /// a legal swap is replaced by a new one first.
    pub fn step(&mut self) -> CascadeResult {
        self.play(1)
    }

    /// Plays a number of moves. Faster than as many steps.
    pub fn run(&mut self, moves: u64) -> Stats {
        let CascadeResult { cleared, score, .. } = self.play(moves);
        Stats { moves, cleared, score }
    }

    fn play(&mut self, moves: u64) -> CascadeResult {
        match &mut self.0 {
            AnyGame::Colors7(game) => game.play(moves),
            AnyGame::Colors15(game) => game.play(moves),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Game<const P: usize> {
    board: Board8<P>,
    colors: RandomColors,
}

impl<const P: usize> Game<P>
where
    Board8<P>: PlaneLayout<1, P>,
{
    fn new(colors: u8, rng: Rng) -> Result<Self, PlanesError> {
        check_colors::<P>(colors)?;
        let mut colors = RandomColors::new(colors, rng)?;
        Ok(Self { board: Board8::deal(8, 8, &mut colors)?, colors })
    }

    fn play(&mut self, moves: u64) -> CascadeResult {
        let mut sum = CascadeResult::default();
        let mut left = moves;
        loop {
            let (played, result) = self.board.random_moves_entry(&mut self.colors, left);
            sum.cleared += result.cleared;
            sum.score += result.score;
            sum.levels = result.levels;
            left -= played;
            if left == 0 {
                return sum;
            }
            self.board = Board8::deal(8, 8, &mut self.colors).expect("as many colors as at the start");
        }
    }
}

/// Sums over the moves of some games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// The number of moves.
    pub moves: u64,
    /// The number of cells cleared.
    pub cleared: u64,
    /// The points.
    pub score: u64,
}

impl AddAssign for Stats {
    fn add_assign(&mut self, other: Self) {
        self.moves += other.moves;
        self.cleared += other.cleared;
        self.score += other.score;
    }
}

/// Many [`RandomGame`]s, game i from [stream](Rng::stream) i of a seed: the same game for every number of
/// games, division of the moves into runs, and level.
///
/// In vector lanes, one pass is one level of a cascade in every game: a game whose board is stable lists its
/// swaps and plays one in the same pass, so none waits for another's cascade.
///
/// ```
/// use match3::Playouts;
/// let mut playouts = Playouts::new(100, 6, 1)?;
/// let mut stats = playouts.run(30);
/// stats += playouts.run(30);
/// let mut at_once = Playouts::new(100, 6, 1)?;
/// assert_eq!(stats, at_once.run(60));
/// assert_eq!(stats.moves, 6000);
/// assert!((60..80).contains(&(stats.score / stats.moves)));
/// # Ok::<(), match3::planes::PlanesError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Playouts(AnyGames);

/// Games in the smallest layout that holds their colors.
#[derive(Clone, Debug)]
enum AnyGames {
    Colors7(Vec<Game<3>>),
    Colors15(Vec<Game<4>>),
}

/// The number of games that run together. Their groups stay in the L1 cache.
const TOGETHER: usize = 64;

impl Playouts {
    /// Deals a number of games of a seed.
    ///
    /// # Errors
    ///
    /// [`PlanesError::Colors`] as for [`RandomGame::new`], [`PlanesError::Games`] if there is not enough
    /// memory for the games.
    pub fn new(games: usize, colors: u8, seed: u64) -> Result<Self, PlanesError> {
        check_colors::<4>(colors)?;
        Ok(Self(if colors <= largest_color(3) {
            AnyGames::Colors7(deal_games(games, colors, seed)?)
        } else {
            AnyGames::Colors15(deal_games(games, colors, seed)?)
        }))
    }

    /// Returns the number of games.
    pub fn len(&self) -> usize {
        match &self.0 {
            AnyGames::Colors7(games) => games.len(),
            AnyGames::Colors15(games) => games.len(),
        }
    }

    /// Returns whether there is no game.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns copies of the games in their present state.
    pub fn games(&self) -> Vec<RandomGame> {
        match &self.0 {
            AnyGames::Colors7(games) => games.iter().cloned().map(AnyGame::Colors7).map(RandomGame).collect(),
            AnyGames::Colors15(games) => {
                games.iter().cloned().map(AnyGame::Colors15).map(RandomGame).collect()
            }
        }
    }

    /// Plays `moves` moves in each game.
    pub fn run(&mut self, moves: u64) -> Stats {
        match &mut self.0 {
            AnyGames::Colors7(games) => run_games(games, moves),
            AnyGames::Colors15(games) => run_games(games, moves),
        }
    }

    /// Plays `moves` moves in each game on the threads of a pool, with the same result as
    /// [`run`](Self::run).
    ///
    /// ```
    /// use bitcore::ThreadPool;
    /// use match3::Playouts;
    /// let pool = ThreadPool::new(2.try_into()?);
    /// let stats = Playouts::new(200, 6, 1)?.run_parallel(&pool, 30);
    /// assert_eq!(stats, Playouts::new(200, 6, 1)?.run(30));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "parallel")]
    pub fn run_parallel(&mut self, pool: &ThreadPool, moves: u64) -> Stats {
        let share = pool.share(self.len(), TOGETHER);
        let parts = match &mut self.0 {
            AnyGames::Colors7(games) => {
                pool.map(games.chunks_mut(share), |games| Some(run_games(games, moves)))
            }
            AnyGames::Colors15(games) => {
                pool.map(games.chunks_mut(share), |games| Some(run_games(games, moves)))
            }
        };
        let mut stats = Stats::default();
        for part in parts {
            stats += part;
        }
        stats
    }
}

/// Deals a number of games, after there is memory for all of them.
fn deal_games<const P: usize>(games: usize, colors: u8, seed: u64) -> Result<Vec<Game<P>>, PlanesError>
where
    Board8<P>: PlaneLayout<1, P>,
{
    let mut dealt = Vec::new();
    dealt.try_reserve_exact(games).map_err(|_| TooManyGames { games })?;
    for rng in Rng::streams(seed).take(games) {
        dealt.push(Game::new(colors, rng)?);
    }
    Ok(dealt)
}

fn run_games<const P: usize>(games: &mut [Game<P>], moves: u64) -> Stats
where
    Board8<P>: PlaneLayout<1, P>,
{
    dispatch!(isa + slow_pext + v4 [games, moves] => run_with(isa, games, moves))
}

#[inline(always)]
fn run_with<S: Isa, const P: usize>(isa: S, games: &mut [Game<P>], moves: u64) -> Stats
where
    Board8<P>: PlaneLayout<1, P>,
{
    let mut stats = Stats::default();
    if !S::HAS_SIMD {
        // Without vector lanes, games one after another are faster: a lane is a word, and PDEP a loop.
        for game in games {
            let CascadeResult { cleared, score, .. } = game.play(moves);
            stats += Stats { moves, cleared, score };
        }
        return stats;
    }
    for games in games.chunks_mut(TOGETHER) {
        stats += run_together_with(isa, games, moves);
    }
    stats
}

/// Plays `moves` moves in each of at most [`TOGETHER`] games.
#[inline(always)]
fn run_together_with<S: Isa, const P: usize>(isa: S, games: &mut [Game<P>], moves: u64) -> Stats
where
    Board8<P>: PlaneLayout<1, P>,
{
    // On the stack, so that the alignment does not depend on an allocation.
    let mut groups = [GameGroup::EMPTY; TOGETHER / 4];
    let groups = &mut groups[..games.len().div_ceil(4)];
    for (group, games) in groups.iter_mut().zip(games.chunks(4)) {
        group.load(games, moves);
    }
    loop {
        // Two rounds over the groups: the scalar work of a group (PDEP, PEXT) beside the vector work of the
        // next.
        let last = groups.len() - 1;
        for at in 0..groups.len() {
            groups[at].list_with(isa);
            if at > 0 {
                groups[at - 1].pick_with(isa);
            }
        }
        groups[last].pick_with(isa);
        let mut runs = isa.splat_u64(0);
        for at in 0..groups.len() {
            runs = runs | groups[at].clear_with(isa);
            if at > 0 {
                groups[at - 1].fall_with(isa);
            }
        }
        groups[last].fall_with(isa);
        // A game with moves left made a run by its swap; one in a cascade had a run before.
        if runs.is_zero() {
            break;
        }
    }
    let mut stats = Stats::default();
    for (group, games) in groups.iter().zip(games.chunks_mut(4)) {
        stats += group.store(games);
    }
    stats.moves = moves * games.len() as u64;
    stats
}

/// Four games, one per lane.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct GameGroup<const P: usize> {
    games: FourGames<P>,
    count: u8,
    /// The number of moves still to play.
    moves: [u64; 4],
    /// All ones in games without moves left.
    idle: [u64; 4],
    level: [u64; 4],
    cleared: [u64; 4],
    score: [u64; 4],
    /// The legal swaps of the drawn direction; after [`pick_with`](Self::pick_with), the drawn swap alone.
    swaps: [u64; 4],
    /// `1 << k` for the k-th of these swaps; 0 in games that play none now.
    nth: [u64; 4],
    /// All ones if the drawn swap is with the right neighbor.
    horizontal: [u64; 4],
    /// The cells that were not cleared.
    pieces: [u64; 4],
    /// The cells to fill after the fall: the highest of each column.
    empty: [u64; 4],
    /// The number of those cells.
    filled: [u64; 4],
}

impl<const P: usize> GameGroup<P>
where
    Board8<P>: PlaneLayout<1, P>,
{
    const EMPTY: Self = {
        let zero = [0; 4];
        Self {
            games: FourGames::EMPTY,
            count: 0,
            moves: zero,
            idle: zero,
            level: zero,
            cleared: zero,
            score: zero,
            swaps: zero,
            nth: zero,
            horizontal: zero,
            pieces: zero,
            empty: zero,
            filled: zero,
        }
    };

    fn load(&mut self, games: &[Game<P>], moves: u64) {
        self.count = games[0].colors.count();
        for lane in 0..4 {
            // A lane without a game repeats the board of another one and plays no move.
            let game = games.get(lane).unwrap_or(&games[0]);
            self.games.put_planes(lane, &game.board.planes);
            self.games.put_colors(lane, &game.colors);
            self.moves[lane] = if lane < games.len() { moves } else { 0 };
            self.idle[lane] = if self.moves[lane] == 0 { u64::MAX } else { 0 };
        }
    }

    fn store(&self, games: &mut [Game<P>]) -> Stats {
        let mut stats = Stats::default();
        for (lane, game) in games.iter_mut().enumerate() {
            game.board.planes = self.games.planes(lane);
            game.colors = self.games.colors(lane, self.count);
            stats += Stats { moves: 0, cleared: self.cleared[lane], score: 10 * self.score[lane] };
        }
        stats
    }

    /// Finds the swaps, and draws one for each game with a stable board and moves left.
    #[inline(always)]
    fn list_with<S: Isa>(&mut self, isa: S) {
        let zero = isa.splat_u64(0);
        self.games.remove_used_with(isa, &self.filled);
        loop {
            let mut planes = [FourBoards::<S>(zero); P];
            for (to, from) in planes.iter_mut().zip(&self.games.planes) {
                *to = FourBoards(isa.u64x4(from));
            }
            // The boards are full between passes.
            let (right, down, runs) = boards8::swaps_of_full_with(isa, &planes);
            let counts_right = isa.bitcast_u64_u8(right.0).count_ones();
            let counts_down = isa.bitcast_u64_u8(down.0).count_ones();
            let right_len = isa.bitcast_u8_u64(counts_right.sums_of_8());
            let legal = isa.bitcast_u8_u64((counts_right + counts_down).sums_of_8());
            let one = isa.splat_u64(1);
            let stable = runs.0.cmp_eq(zero);
            let play = stable.and_not(isa.u64x4(&self.idle));
            // The top bit of `legal - 1` is set if `legal` is zero. (The compiler would join a second
            // comparison with the first in narrower lanes, which is slower.)
            let dead = play & (legal - one).shr::<63>();
            if !dead.is_zero() {
                self.games.deal((8, 8), self.count, &dead.to_array());
                continue;
            }
            let mut streams = Streams::from_words(isa, &self.games.rng);
            let draw = streams.next_u64s_masked(play);
            self.games.rng = streams.words();
            let k = below_with::<S>(draw, legal);
            let nth = one.shl_each(k) & play;
            // Horizontal swaps are counted first.
            let beyond = nth.shr_each(right_len);
            let horizontal = beyond.cmp_eq(zero);
            self.swaps = horizontal.blend_lanes(right.0, down.0).to_array();
            self.nth = horizontal.blend_lanes(nth, beyond).to_array();
            self.horizontal = horizontal.to_array();
            self.level = (isa.u64x4(&self.level).and_not(stable) + one).to_array();
            // `play` is -1 where a move is played.
            let moves = isa.u64x4(&self.moves) + play;
            self.moves = moves.to_array();
            self.idle = moves.cmp_eq(zero).to_array();
            return;
        }
    }

    /// Finds the drawn swap: the k-th set bit of the swaps.
    #[inline(always)]
    fn pick_with<S: Isa>(&mut self, isa: S) {
        self.swaps = pdep_lanes(isa, isa.u64x4(&self.nth), isa.u64x4(&self.swaps)).to_array();
    }

    /// Exchanges the two cells of the drawn swap, finds the runs and counts their cells. Returns the runs.
    #[inline(always)]
    fn clear_with<S: Isa>(&mut self, isa: S) -> S::U64x4 {
        let planes = self.games.exchange_with(isa, isa.u64x4(&self.swaps), isa.u64x4(&self.horizontal));
        let equal_right = !different::<FourBoards<S>, P, 1, 0>(&planes);
        let below = FourBoards::<S>(isa.splat_u64(HAS_BELOW));
        let equal_down = below.and_not(different::<FourBoards<S>, P, 0, 1>(&planes));
        let runs = matched(equal_right, equal_down).0;
        let counts = isa.bitcast_u64_u8(runs).count_ones();
        let cleared = isa.bitcast_u8_u64(counts.sums_of_8());
        let score = cleared.mul_u32(isa.u64x4(&self.level));
        let buffered = isa.u64x4(&self.games.buffered) - cleared;
        self.games.buffered = buffered.to_array();
        self.filled = cleared.to_array();
        self.pieces = (!runs).to_array();
        self.empty = isa.bitcast_u8_u64(isa.u8x32(&HIGHEST[8]).shuffle(counts)).to_array();
        self.cleared = (isa.u64x4(&self.cleared) + cleared).to_array();
        self.score = (isa.u64x4(&self.score) + score).to_array();
        runs
    }

    /// Lets the columns fall and fills them from the buffer. [`list_with`](Self::list_with) removes the
    /// colors used.
    #[inline(always)]
    fn fall_with<S: Isa>(&mut self, isa: S) {
        self.games.fall_with(isa, &self.pieces, &self.empty, &mut self.filled, self.count);
    }
}
