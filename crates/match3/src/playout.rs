//! [`Playouts`]: many endless games of uniformly random legal swaps, in lockstep on levels with vector lanes.
//!
//! Four games share a register (module `four_games`). One pass over them is one level
//! of a cascade in each: a game whose board is stable draws and plays its next move in the same pass in which
//! others go through their cascades, so no game waits for another.

use crate::bitboard::colors::RandomColors;
use crate::bitboard::error::{PlanesError, check_colors, largest_color};
use crate::bitboard::four_games::{FourGames, Moves, SizeLanes};
use crate::bitboard::planes::{Board8, PlaneLayout};
use crate::board::Board;
use crate::cascade_result::CascadeResult;
use alloc::vec::Vec;
#[cfg(feature = "parallel")]
use bitcore::ThreadPool;
use bitcore::batch::TooManyGames;
use bitcore::{Isa, Lanes, Rng, U64s, dispatch};
use core::ops::AddAssign;

/// One endless random game on a full board of 8 x 8 cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomGame {
    /// The fourth plane is in use from eight colors on.
    board: Board8<4>,
    colors: RandomColors,
}

impl RandomGame {
    /// Deals a board ([`PlaneBoard::deal`](crate::planes::PlaneBoard::deal)).
    ///
    /// # Errors
    ///
    /// [`PlanesError::Colors`] if there are fewer than three colors or more than 15.
    pub fn new(colors: u8, rng: Rng) -> Result<Self, PlanesError> {
        check_colors::<4>(colors)?;
        let mut colors = RandomColors::new(colors, rng)?;
        Ok(Self { board: Board8::deal(8, 8, &mut colors)?, colors })
    }

    /// Returns the present board.
    pub fn board(&self) -> Board {
        self.board.into()
    }

    /// Returns the source of the game's colors and draws.
    pub fn colors(&self) -> &RandomColors {
        &self.colors
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
        if self.colors.count() <= largest_color(3) {
            self.play_in::<3>(moves)
        } else {
            self.play_in::<4>(moves)
        }
    }

    /// Plays on `P` planes.
    fn play_in<const P: usize>(&mut self, moves: u64) -> CascadeResult
    where
        u64: PlaneLayout<P>,
    {
        let mut board: Board8<P> = self.board.with_planes();
        let mut sum = CascadeResult::default();
        let mut left = moves;
        loop {
            let (played, result) = PlaneLayout::random_moves(&mut board, &mut self.colors, left);
            sum.cleared += result.cleared;
            sum.score += result.score;
            sum.levels = result.levels;
            left -= played;
            if left == 0 {
                self.board = board.with_planes();
                return sum;
            }
            board = Board8::deal(8, 8, &mut self.colors).expect("as many colors as at the start");
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
pub struct Playouts(Vec<RandomGame>);

/// The number of games that run together. Their states stay in the L1 cache.
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
        let mut dealt = Vec::new();
        dealt.try_reserve_exact(games).map_err(|_| TooManyGames { games })?;
        for rng in Rng::streams(seed).take(games) {
            dealt.push(RandomGame::new(colors, rng)?);
        }
        Ok(Self(dealt))
    }

    /// Returns the number of games.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there is no game.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the games in their present state.
    pub fn games(&self) -> &[RandomGame] {
        &self.0
    }

    /// Plays `moves` moves in each game.
    pub fn run(&mut self, moves: u64) -> Stats {
        run(&mut self.0, moves)
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
        let mut stats = Stats::default();
        for part in pool.map(self.0.chunks_mut(share), |games| Some(run(games, moves))) {
            stats += part;
        }
        stats
    }
}

/// Plays `moves` moves in each of some games of the same number of colors.
fn run(games: &mut [RandomGame], moves: u64) -> Stats {
    let Some(game) = games.first() else { return Stats::default() };
    if game.colors.count() <= largest_color(3) {
        dispatch!(isa + slow_pext + v4 [games, moves] => run_with::<_, 3>(isa, games, moves))
    } else {
        dispatch!(isa + slow_pext + v4 [games, moves] => run_with::<_, 4>(isa, games, moves))
    }
}

#[inline(always)]
fn run_with<S: Isa, const P: usize>(isa: S, games: &mut [RandomGame], moves: u64) -> Stats
where
    u64: PlaneLayout<P>,
{
    let mut stats = Stats::default();
    if !S::HAS_SIMD {
        // Without vector lanes, games one after another are faster: a lane is a word, and PDEP a loop.
        for game in games {
            stats += game.run(moves);
        }
        return stats;
    }
    for games in games.chunks_mut(TOGETHER) {
        stats += run_together_with::<S, P>(isa, games, moves);
    }
    stats
}

/// Plays `moves` moves in each of at most [`TOGETHER`] games.
#[inline(always)]
fn run_together_with<S: Isa, const P: usize>(isa: S, games: &mut [RandomGame], moves: u64) -> Stats
where
    u64: PlaneLayout<P>,
{
    let size = SizeLanes::new(isa, &Board8::<P>::empty(8, 8).expect("a size that fits"));
    let count = games[0].colors.count();
    // On the stack, so that the alignment does not depend on an allocation.
    let mut groups = [Group::EMPTY; TOGETHER / 4];
    let groups = &mut groups[..games.len().div_ceil(4)];
    for (group, games) in groups.iter_mut().zip(games.chunks(4)) {
        group.load(games, moves);
    }
    loop {
        // Two rounds over the groups: the scalar work of a group (PDEP, PEXT) with the vector work of the
        // next.
        let last = groups.len() - 1;
        for at in 0..groups.len() {
            groups[at].draw_with(isa, &size, count);
            if at > 0 {
                groups[at - 1].moves.pick_with(isa);
            }
        }
        groups[last].moves.pick_with(isa);
        let mut runs = isa.splat_u64(0);
        for at in 0..groups.len() {
            runs = runs | groups[at].clear_with(isa, &size);
            if at > 0 {
                groups[at - 1].fall_with(isa, count);
            }
        }
        groups[last].fall_with(isa, count);
        // A game with moves left made a run by its swap; one in a cascade had a run before.
        if runs.is_zero() {
            break;
        }
    }
    let mut stats = Stats { moves: moves * games.len() as u64, ..Stats::default() };
    for (group, games) in groups.iter().zip(games.chunks_mut(4)) {
        stats += group.store(games);
    }
    stats
}

/// Four games, one per lane.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Group<const P: usize> {
    games: FourGames<P>,
    moves: Moves,
    /// The number of moves still to play.
    left: [u64; 4],
    /// All ones in games without moves left.
    idle: [u64; 4],
    level: [u64; 4],
    cleared: [u64; 4],
}

impl<const P: usize> Group<P>
where
    u64: PlaneLayout<P>,
{
    const EMPTY: Self = {
        let zero = [0; 4];
        Self {
            games: FourGames::EMPTY,
            moves: Moves::NONE,
            left: zero,
            idle: zero,
            level: zero,
            cleared: zero,
        }
    };

    fn load(&mut self, games: &[RandomGame], moves: u64) {
        for lane in 0..4 {
            // A lane without a game repeats the board of another one and plays no move.
            let game = games.get(lane).unwrap_or(&games[0]);
            self.games.put_planes(lane, &game.board.with_planes().planes);
            self.games.put_colors(lane, &game.colors);
            self.left[lane] = if lane < games.len() { moves } else { 0 };
            self.idle[lane] = if self.left[lane] == 0 { u64::MAX } else { 0 };
        }
    }

    fn store(&self, games: &mut [RandomGame]) -> Stats {
        let mut stats = Stats::default();
        for (lane, game) in games.iter_mut().enumerate() {
            game.board.set_planes(&self.games.planes(lane));
            game.colors = self.games.colors(lane, game.colors.count());
            stats += Stats { moves: 0, cleared: self.cleared[lane], score: 10 * self.moves.score[lane] };
        }
        stats
    }

    /// Finds the swaps, and draws one for each game with a stable board and moves left.
    #[inline(always)]
    fn draw_with<S: Isa>(&mut self, isa: S, size: &SizeLanes<S>, count: u8) {
        let (zero, one) = (isa.splat_u64(0), isa.splat_u64(1));
        self.games.remove_used_with(isa, &self.moves);
        loop {
            let equal = self.games.list_with(isa, size);
            let (right, down) = equal.swaps();
            let stable = equal.first_cells_of_runs().0.cmp_eq(zero);
            let play = stable.and_not(isa.u64x4(&self.idle));
            let [_, legal] = FourGames::<P>::lens_with(isa, right.0, down.0);
            // The top bit of `legal - 1` is set if `legal` is zero. (The compiler would join a second
            // comparison with the first in narrower lanes, which is slower.)
            let dead = play & (legal - one).shr::<63>();
            if !dead.is_zero() {
                self.deal(&dead.to_array(), count);
                continue;
            }
            self.games.draw_with(isa, play, [right.0, down.0], &mut self.moves);
            self.level = (isa.u64x4(&self.level).and_not(stable) + one).to_array();
            // `play` is -1 where a move is played.
            let left = isa.u64x4(&self.left) + play;
            self.left = left.to_array();
            self.idle = left.cmp_eq(zero).to_array();
            return;
        }
    }

    /// Replaces the boards of the lanes that are not 0. One for which none is found in ten thousand draws, which
    /// is next to impossible where one was found before, stays.
    #[cold]
    #[inline(never)]
    fn deal(&mut self, dead: &[u64; 4], count: u8) {
        for lane in (0..4).filter(|&lane| dead[lane] != 0) {
            let mut colors = self.games.colors(lane, count);
            if let Ok(board) = Board8::deal(8, 8, &mut colors) {
                self.games.put_planes(lane, &board.planes);
            }
            self.games.put_colors(lane, &colors);
        }
    }

    /// Exchanges the cells of the drawn swaps and clears. Returns the runs.
    #[inline(always)]
    fn clear_with<S: Isa>(&mut self, isa: S, size: &SizeLanes<S>) -> S::U64x4 {
        let level = isa.u64x4(&self.level);
        let runs = self.games.exchange_and_clear_with(isa, size, level, &mut self.moves);
        self.cleared = (isa.u64x4(&self.cleared) + isa.u64x4(&self.moves.filled)).to_array();
        runs
    }

    #[inline(always)]
    fn fall_with<S: Isa>(&mut self, isa: S, count: u8) {
        self.games.fall_with(isa, count, &mut self.moves);
    }
}
